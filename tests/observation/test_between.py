"""States between the ends of steps: of polynomials exactly, of flights to less than the steps' own errors,
and each step taken again once for all that is asked."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from interstage.observation import between as module
from interstage.observation.between import NODES, Between, hermite
from interstage.observation.observation import states_at
from interstage.reading import loads
from interstage.runs import run as simulate
from mechanics import EPS

SPINNING = """
output = { interval = "1 s" }
solver = { tolerance = 1e-9 }
phases.only = { until = { time = "30 s" } }
[bodies.top]
mass = 2
inertia = [1, 2, 3]
initial = { velocity = [0, 6, 6], angular_velocity = [1, 2, 0.5] }
"""
TOLERANCE = 1e-9
SPIN = 2.3
"""The largest rate [rad/s]: sizes of what is compared are at most as much."""


@pytest.fixture(scope="module")
def spinning():
    """A flight of a body that tumbles, in steps of 0.2 to 0.3 s."""
    scenario = simulate.resolve_scenario(loads(SPINNING))
    program = simulate.of_flight(scenario)
    return simulate.flown(program, scenario, simulate.start(program, scenario))


def between(one) -> Between:
    return Between(one.program, one.scenario, one.first.reference, one.cursor, one.track)


def test_polynomials_of_degree_nine_are_met():
    values = np.polynomial.Polynomial([3.0, -1, 2, 0.5, -4, 1, 3, -2, 1, -0.7])
    slopes = values.deriv()
    c = np.linspace(0, 1, 101)
    given = (np.broadcast_to(f(NODES)[:, None], (len(c), len(NODES), 1)) for f in (values, slopes))
    np.testing.assert_allclose(hermite(c, *given)[:, 0], values(c), rtol=0, atol=100 * EPS * 20)
    # Of degree ten no longer: by its highest term times the squares of the ways to all nodes.
    tenth = hermite(c, *(np.broadcast_to(f[:, None], (len(c), 5, 1)) for f in (NODES**10, 10 * NODES**9)))
    missing = np.prod(c[:, None] - NODES, 1) ** 2
    np.testing.assert_allclose(c**10 - tenth[:, 0], missing, rtol=0, atol=100 * EPS)
    assert missing.max() < 2e-5


def test_they_are_nearer_to_steps_than_these_to_the_motion(spinning):
    """Beside states that are stepped to; a tenth of what a step may be off by."""
    some = between(spinning)
    times = np.linspace(0.1, 29.9, 777)
    t, x, _ = some.at(times)
    steps = np.searchsorted(spinning.track.t, times, side="right") - 1
    given = spinning.scenario, spinning.first.reference
    rows = spinning.track.t[steps], spinning.track.x[steps].T
    switches = jax.tree.map(lambda rows: np.moveaxis(rows[steps], 0, -1), spinning.track.discrete)
    stepped = spinning.program.step_state(*given, *rows, switches, times - rows[0])
    np.testing.assert_allclose(x, stepped.T, rtol=0, atol=0.1 * SPIN * TOLERANCE)
    np.testing.assert_allclose(t, times, rtol=4 * EPS)
    assert np.abs(x - spinning.track.x[steps]).max() > 0.1  # far from where the steps began


def test_a_step_is_taken_again_once(spinning, monkeypatch):
    """For samples and for all that is looked at between them; where it is too many for that, when asked."""
    taken: list[int] = []
    reached = spinning.program.step_end

    def counted(*given):
        taken.append(len(given[2]))
        return reached(*given)

    monkeypatch.setattr(spinning.program, "step_end", counted)
    one, other = between(spinning), between(spinning)
    nodes = (len(NODES) - 1) * np.count_nonzero(spinning.track.t_end > spinning.track.t)
    samples = states_at(spinning.cursor, spinning.track, np.arange(31.0))
    beside = one.step_states(samples)
    asked = [one.at(np.array([12.3, 12.31, 20.0]))[1] for _ in range(3)]
    assert taken == [31 + nodes]
    for x in asked:
        np.testing.assert_array_equal(x, asked[0])
    monkeypatch.setattr(module, "at_once", lambda layout: 10)
    np.testing.assert_array_equal(other.step_states(samples), beside)
    for _ in range(3):
        np.testing.assert_array_equal(other.at(np.array([12.3, 12.31, 20.0]))[1], asked[0])
    assert taken == [31 + nodes, 2 * (len(NODES) - 1)]


def test_where_a_flight_stands_and_where_steps_begin_states_are_theirs(spinning):
    some, track = between(spinning), spinning.track
    t, x, _ = some.at(np.append(track.t[3:6], spinning.cursor.t))
    np.testing.assert_array_equal(t, np.append(track.t[3:6], spinning.cursor.t))
    np.testing.assert_array_equal(x, [*track.x[3:6], spinning.cursor.x])
