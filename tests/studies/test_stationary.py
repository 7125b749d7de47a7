"""Optima without an active limit, and searches whose full steps lead to where nothing flies: against closed
forms, by flights in closed form for starts drawn at random and by a flight each."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

from interstage.reading import loads
from interstage.studies.optimization import run
from interstage.studies.optimization.declared import SOLVERS
from interstage.studies.optimization.multipliers import multipliers
from interstage.studies.optimization.run import optimize
from interstage.studies.optimization.solvers import solver
from interstage.studies.optimization.stationary import OPTIMAL, around, residual_at
from toy_flights import FULL, REDUCED, SPEED, STROKE, ToyFlights, solved, spring

KINDS = SOLVERS if find_spec("unopy") else SOLVERS[:1]
STIFFNESS = (2 * FULL * STROKE - REDUCED * SPEED**2) / STROKE**2
"""The work of the spring gives the speed, 2 F s - k s^2 = m v^2. At one speed the time is shortest with the
largest force at the beginning: with the most preload, 4533.33 N/m."""

SPRING = """
gravity = "none"
bodies.base = { mass = 30, inertia = [3, 3, 3], initial = {} }
bodies.sat = { mass = 20, inertia = [2, 2, 2], initial = { position = [1, 0, 0] } }
joints.ring = { kind = "fixed", parent = "base", child = "sat", parent_at = [0.5, 0, 0], \
child_at = [-0.5, 0, 0] }
phases.go = { release = ["ring"], until = { quantity = "pairs.base.sat.distance", reaches = "1.5 m", \
direction = "rising" } }
[devices.spring]
kind = "kickoff_spring"
parent = "base"
child = "sat"
parent_at = [0.5, 0, 0]
child_at = [-0.5, 0, 0]
axis = [1, 0, 0]
stiffness = 500
preload = 280
stroke = 0.06
after = "go"
"""
FASTEST = {
    "objective": {"minimize": "time", "at": "end"},
    "constraints": {
        "speed": {"quantity": "pairs.base.sat.separation_speed", "at": "end", "equals": "1.2 m/s"}
    },
}
VARIABLES = {
    "stiffness": {"path": "devices.spring.stiffness", "low": "500 N/m", "high": "20 kN/m"},
    "preload": {"path": "devices.spring.preload", "low": "150 N", "high": "280 N"},
}


def drawn(rng):
    """A stiffness and a preload that is not used up within the stroke."""
    while True:
        start = rng.uniform([500.0, 150.0], [20e3, FULL])
        if start[1] > 1.001 * start[0] * STROKE:
            return start


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=[pytest.mark.long] if kind == "interior_point" else []) for kind in KINDS],
)
def test_a_spring_comes_to_its_optimum_from_anywhere(kind):
    """Most full steps lead to where the preload is used up within the stroke, and nothing flies."""
    rng = np.random.default_rng(22)
    for start in ([500.0, FULL], [3000.0, FULL], *(drawn(rng) for _ in range(150))):
        course, _ = solved(spring(start), {**FASTEST, "solver": {"kind": kind}})
        # An interior point stays off bounds by its last barrier, of the tolerance of 1e-8 by the scale.
        np.testing.assert_allclose(course.best.x, [STIFFNESS, FULL], rtol=1e-6, err_msg=str(start))
        assert course.worth.worst <= 1.0
        assert all(np.isfinite(one.objective) for one in course.history)


def test_a_search_without_progress_goes_on_with_a_finer_tolerance(monkeypatch):
    """Near an optimum the objective may change by less than the tolerance although the point is not
    stationary. Rounding decided whether a published ascent counted as an optimum."""
    asked = []

    def stalls(kind):
        def search(program, start, tolerance, iterations, seen):
            asked.append(tolerance)
            for _ in range(20 if len(asked) == 1 else 0):
                seen(start)
            return solver(kind)(program, start, tolerance, iterations, seen)

        return search

    monkeypatch.setattr(run, "solver", stalls)
    less = 0.9 * FULL
    feasible = (2 * less * STROKE - REDUCED * SPEED**2) / STROKE**2
    course, program = solved(spring([feasible, less]), FASTEST)
    assert asked == [program.tolerance, program.tolerance * run.FINER]
    assert residual_at(program, multipliers(program, course.point), course.point) <= OPTIMAL


def test_slsqp_counts_steps_where_they_are_accepted():
    """Points of full steps that its line search shortens are none."""

    class Curved:
        """A wall of failures beyond x = 1.1, at 1 the least of (x - 1)^2 by a start whose step overshoots."""

        start, low, high = np.array([0.0]), np.array([-9.0]), np.array([9.0])
        row_low = row_high = np.zeros(0)

        def objective(self, x):
            return float((x[0] - 1) ** 4) if x[0] < 1.1 else np.nan

        def gradient(self, x):
            assert x[0] < 1.1
            return 4 * (x - 1) ** 3

        def constraints(self, x):
            return np.zeros(0)

        def jacobian(self, x):
            return np.zeros((0, 1))

    program, seen = Curved(), []
    ended = solver("slsqp")(program, program.start, 1e-12, 100, seen.append)
    assert ended.converged
    values = [program.objective(x) for x in (program.start, *seen)]
    assert np.isfinite(values).all()
    assert (np.diff(values) < 0).all()


@pytest.mark.long
def test_the_study_of_a_spring_comes_to_its_optimum():
    scenario = loads(SPRING)
    found = optimize(scenario, {**FASTEST, "variables": VARIABLES})
    assert found.trusted, found.verdict
    assert found["stiffness"] == pytest.approx(STIFFNESS, rel=1e-7)
    assert found["preload"] == FULL


# --- without an active limit

HEIGHT, SPEED_OFF, G = 20.0, 25.0, 9.80665
BEST = np.arctan(SPEED_OFF / np.sqrt(SPEED_OFF**2 + 2 * G * HEIGHT))
"""Where a throw from a height goes farthest."""
FARTHEST = SPEED_OFF / G * np.sqrt(SPEED_OFF**2 + 2 * G * HEIGHT)
THROW = """
gravity = { kind = "uniform", acceleration = "[0, 0, -9.80665] m/s^2" }
planet = { kind = "flat" }
phases.fly = { until = { quantity = "bodies.ball.altitude", reaches = "0 m", direction = "falling" } }
[bodies.ball]
mass = 1
inertia = [1, 1, 1]
initial = { altitude = "20 m", speed = "25 m/s", flight_path_angle = "20 deg", azimuth = "0 deg" }
"""
FAR = {"maximize": "bodies.ball.downrange", "at": "end"}
ANGLE = {"path": "bodies.ball.initial.flight_path_angle", "low": "5 deg", "high": "85 deg"}


@pytest.fixture(scope="module")
def throw():
    return loads(THROW)


def best_throw(throw, objective=FAR, **how):
    return optimize(throw, {"objective": objective, "variables": {"angle": {**ANGLE, **how}}})


@pytest.mark.parametrize(
    "how",
    [
        {"start": "84 deg"},
        {"scale": "1000 deg"},
        *(pytest.param(how, marks=pytest.mark.long) for how in ({}, {"scale": "0.001 deg"})),
    ],
)
def test_the_best_angle_of_a_throw_is_trusted(throw, how):
    found = best_throw(throw, **how)
    assert found.trusted, found.verdict
    assert found.residual <= OPTIMAL
    # Half the digits of the objective, which ends at a change of 1e-8 of its size.
    assert found["angle"] == pytest.approx(BEST, abs=1e-3)
    assert found.objective == pytest.approx(FARTHEST, rel=1e-6)


def test_a_start_at_the_optimum_is_trusted(throw):
    found = best_throw(throw, start=f"{float(np.rad2deg(BEST))!r} deg")
    assert found.trusted, found.verdict
    assert found.objective == pytest.approx(FARTHEST, rel=1e-9)


def test_a_start_at_the_worst_is_left(throw):
    """Where the gradient vanishes as well: at the farthest throw for the shortest."""
    found = best_throw(
        throw, {"minimize": FAR["maximize"], "at": "end"}, start=f"{float(np.rad2deg(BEST))!r} deg"
    )
    assert found.trusted, found.verdict
    assert found.variables[0].bound


def test_an_objective_that_nothing_changes_is_reported(throw):
    found = best_throw(throw, {"maximize": "bodies.ball.mass", "at": "end"})
    assert found.trusted, found.verdict
    assert any("No variable changes the objective" in note for note in found.notes)


def test_progress_that_cannot_be_written_costs_nothing(throw, tmp_path):
    path = tmp_path / "none" / "study.progress.json"
    found = optimize(throw, {"objective": FAR, "variables": {"angle": ANGLE}}, progress=path)
    assert found.trusted, found.verdict
    seen = []

    def interrupting(one):
        seen.append(one)
        raise KeyboardInterrupt

    stopped = optimize(
        throw, {"objective": FAR, "variables": {"angle": ANGLE}}, told=interrupting, progress=path
    )
    assert stopped.interrupted
    assert stopped.objective > 0.99 * FARTHEST
    assert any("was not saved" in note and "--resume" in note for note in stopped.notes)


# --- by flights in closed form


def bowls(rng):
    """A convex quadratic of a size drawn at random, with its minimum within its bounds or at some."""
    n = int(rng.integers(1, 5))
    root = rng.normal(size=(n, n))
    bend, least = root @ root.T + 0.1 * np.eye(n), rng.uniform(-1.2, 1.2, n)
    size, offset = 10 ** rng.uniform(-9, 9), rng.normal() * 10 ** rng.uniform(-2, 2)

    def values(x):
        return [size * (0.5 * (x - least) @ bend @ (x - least) + offset)]

    def slopes(x):
        return [size * bend @ (x - least)]

    start = rng.uniform(-1, 1, n) if rng.random() < 0.8 else np.clip(least, -1, 1)
    return ToyFlights(-np.ones(n), np.ones(n), start, values, slopes)


def test_optima_of_any_size_are_known_by_their_residual():
    rng = np.random.default_rng(21)
    least = []
    for _ in range(300):
        flights = bowls(rng)
        course, program = solved(flights, {"objective": {"minimize": "x", "at": "end"}})
        assert residual_at(program, multipliers(program, course.point), course.point) <= OPTIMAL
        off = np.clip(course.best.x + 0.01 * np.sign(rng.normal(size=len(flights.start))), -1, 1)
        near = around(program, off)
        assert near is not None
        least.append(multipliers(program, off).residual(near.slope))
    # A hundredth of a scale away there is no optimum, but along valleys of a bend of a hundredth.
    assert np.quantile(least, 0.05) > OPTIMAL


@pytest.mark.parametrize("missed", [-1e-5, 0.0, 1e-5])
def test_an_equality_is_active_to_whichever_side_it_is_missed(missed):
    """x - y = 0 at the least of (x - 1)^2 + y^2: its multiplier is -1 at x = y = 1/2."""

    def values(x):
        return [(x[0] - 1) ** 2 + x[1] ** 2, x[0] - x[1]]

    def slopes(x):
        return [[2 * (x[0] - 1), 2 * x[1]], [1.0, -1.0]]

    flights = ToyFlights([-1, -1], [1, 1], [0.2, 0.3], values, slopes)
    course, program = solved(
        flights,
        {
            "objective": {"minimize": "x", "at": "end"},
            "constraints": {"same": {"quantity": "y", "at": "end", "equals": 0, "tolerance": 1e-4}},
        },
    )
    point = np.array([0.5 + missed / 2, 0.5 - missed / 2])
    np.testing.assert_allclose(course.best.x, [0.5, 0.5], atol=1e-4)
    found = multipliers(program, point)
    assert found.rows[0] * program.size / program.sizes[0] == pytest.approx(-1.0, abs=2e-5)
    assert found.residual() < OPTIMAL


def test_numbers_of_the_throw_are_those_of_the_closed_form():
    angles = np.linspace(BEST - 0.1, BEST + 0.1, 2001)
    across, up = SPEED_OFF * np.cos(angles), SPEED_OFF * np.sin(angles)
    reached = across * (up + np.sqrt(up**2 + 2 * G * HEIGHT)) / G
    assert angles[np.argmax(reached)] == pytest.approx(BEST, abs=1e-4)
    assert np.max(reached) == pytest.approx(FARTHEST, rel=1e-12)
