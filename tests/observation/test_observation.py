"""Samples do not depend on which states were recorded on the way."""

from __future__ import annotations

import numpy as np
import pytest

import interstage as ist
from interstage.observation import after, observation
from interstage.observation.between import Between
from interstage.observation.observation import track_record
from interstage.programs.program import program_for
from interstage.reading import loads
from interstage.runs import run as simulate

SPINNING = """
bodies.top = { mass = 2, inertia = [1, 2, 3], initial = { angular_velocity = [5, 0.1, 3] } }
phases.only = { until = { time = 1 } }
solver = { method = "rk4", step = 0.01 }
output = { interval = 0.1 }
"""

# A sample is put on the constraints once more than its step: a few roundings of rates of 6 rad/s.
ROUNDING = 16 * np.finfo(float).eps * 6


@pytest.fixture(scope="module")
def spinning_top(tmp_path_factory):
    path = tmp_path_factory.mktemp("observation") / "top.toml"
    path.write_text(SPINNING)
    return path


def spins(path, **changes) -> tuple[np.ndarray, np.ndarray]:
    record = simulate.fly(ist.load(path, set={k.replace("__", "."): v for k, v in changes.items()}))
    return record.time, record.series["bodies.top.angular_velocity"]


def test_the_last_sample_is_the_final_state_when_not_every_step_is_recorded(spinning_top):
    # Ten steps lie between records. One step of their length in their place would err by
    # (10^4 - 1) times their own error, about 1e-4 here.
    _, sparse = spins(spinning_top)
    _, every = spins(spinning_top, output__interval=0.01)
    assert np.max(np.abs(sparse - every[::10])) < ROUNDING


def test_an_interval_that_does_not_fit_the_step_still_ends_at_the_end(spinning_top):
    time, values = spins(spinning_top, output__interval=0.03)
    _, every = spins(spinning_top, output__interval=0.01)
    assert time[-1] == 1.0
    assert np.max(np.abs(values[:-1] - every[:-1:3])) < ROUNDING
    assert np.max(np.abs(values[-1] - every[-1])) < ROUNDING


def test_a_sample_between_steps_has_the_error_of_one_step(spinning_top):
    time, values = spins(spinning_top, output__interval=0.025)
    _, fine = spins(spinning_top, output__interval=0.025, solver__step=0.001)
    # RK4 at 0.01 s: the flight's own error, (rate x step)^4 with a rate of at most 6 rad/s.
    assert np.max(np.abs(values - fine)) < (6 * 0.01) ** 4
    assert len(time) == 41


def test_states_of_samples_are_those_that_are_stepped_to(spinning_top):
    """A part that asks for states after a flight is given those of samples as they are, others stepped to."""
    scenario = ist.load(spinning_top, set={"output.interval": 0.025})
    program = program_for(scenario, (), "steps", 512)
    first = simulate.start(program, scenario)
    found = simulate.flown(program, scenario, first)
    record, sampled = track_record(found.between)
    times = np.sort(np.append(record.time[3:20:2], [0.0042, 0.51, 0.99]))
    asked: list[int] = []

    def state(mechanism, t, x, discrete):
        return {"t": t, "x": x}

    class Counted(Between):
        def at(self, times):
            asked.append(len(times))
            return super().at(times)

    between = Counted(program, scenario, first.reference, found.cursor, found.track)
    known, stepped = (after.Flown(between, record, given).at(times, state) for given in (sampled, None))
    assert asked == [3, 12]
    assert np.array_equal(known["t"], times)
    assert np.array_equal(known["x"], stepped["x"])


@pytest.mark.parametrize(("interval", "count"), [(1.0, 11), (0.25, 41), (0.1, 51), (1e-9, 51), (1e-100, 51)])
def test_samples_of_a_short_interval_are_no_more_than_can_be_kept(interval, count, monkeypatch):
    monkeypatch.setattr(observation, "MOST_SAMPLES", 50)
    scenario = loads(SPINNING, {"output.interval": interval})
    times = observation.sample_times(scenario, 0.0, 10.0)
    assert len(times) == count
    # Multiples of what was asked for, where that is told from none.
    apart = np.diff(times)
    np.testing.assert_allclose(apart, 10.0 / (count - 1), rtol=1e-9)
    said = observation.thinning_warning(scenario, 0.0, 10.0)
    assert [text[:17] for text in said] == (["output.interval: "] if interval < 0.25 else [])


def test_samples_are_fewer_where_each_has_more_numbers(monkeypatch):
    """Their memory stays the same: many bodies have few samples each, down to 10,000."""
    scenario = loads(SPINNING)
    numbers = sum(max(1, len(q.meta.components)) for q in observation.catalogue(scenario).values())
    monkeypatch.setattr(observation, "MEMORY", observation.OF_NUMBER * numbers * 2e4)
    assert observation.most_samples(scenario) == 20_000
    assert (
        "more than the limit of 20,000"
        in observation.thinning_warning(loads(SPINNING, {"output.interval": 1e-12}), 0.0, 10.0)[0]
    )
    monkeypatch.setattr(observation, "MEMORY", 1.0)
    assert observation.most_samples(scenario) == observation.FEWEST_SAMPLES
