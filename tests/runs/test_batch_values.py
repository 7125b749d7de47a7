"""Values of many cases at once, compared with the record of each single case."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from interstage.observation.extremes_of_cases import ENOUGH, SMOOTH
from interstage.reading import loads
from interstage.record.record import Record, pick, resolve
from interstage.record.requirements import EXTREMES, Wanted, value_of
from interstage.runs import lot as batch_plan
from interstage.runs.batch import Batch, fly_batch
from interstage.tree.errors import BadInput

TEXT = """
bodies.stage = { mass = "900 kg", inertia = [400, 420, 150], initial.angular_velocity = [0.1, 0.2, 6] }
bodies.satellite = { mass = "100 kg", inertia = "[12, 16, 8] kg m^2", mass_centre = "[1, 0, 0] cm" }
phases.joined = { until = { time = "0.3 s" } }
phases.apart.release = ["band"]
phases.apart.until = { quantity = "pairs.stage.satellite.distance", reaches = "3 m" }
events.half.after = "apart"
events.half.when = { quantity = "pairs.stage.satellite.distance", reaches = "2.2 m", direction = "rising" }
solver = { time_limit = "2.4 s" }
output = { interval = "0.2 s" }
[joints.band]
kind = "fixed"
parent = "stage"
child = "satellite"
parent_at = [0, 0, 1.2]
child_at = [0, 0, -0.4]
"""
SPRING = """
[devices.{name}]
kind = "kickoff_spring"
parent = "stage"
child = "satellite"
parent_at = [{x}, 0, 0]
child_at = [{x}, 0, 0]
stiffness = "1 kN/m"
preload = "400 N"
stroke = "10 cm"
after = "apart"
"""
CASES, REFUSED, EARLY = 5, 2, 3
PAIR = "pairs.stage.satellite"
PATHS = (
    f"{PAIR}.tip_off_rate",
    f"{PAIR}.separation_speed",
    f"{PAIR}.distance",
    "bodies.satellite.angular_velocity.x",
    "bodies.stage.angular_velocity.magnitude",
    "bodies.satellite.position.y",
    "joints.band.force.magnitude",
    "joints.band.torque.x",
    "time",
)
TIMES = ("start", "end", "min", "max", "largest", "apart", "half", "left spent")
BOUND = SMOOTH**2 * ENOUGH
"""Difference of two searches of an extreme relative to the size of the quantity."""


@pytest.fixture(scope="module")
def dispersed() -> dict[str, np.ndarray]:
    """In one case a spring has no length, so the case cannot start. In another, springs are too weak for the
    end before the time limit."""
    points = np.tile([-0.3, 0.0, 0.0], (CASES, 1))
    points[REFUSED, 2] = -1.6
    return {
        "devices.left.preload": np.array([400.0, 380.0, 400.0, 101.0, 430.0]),
        "devices.right.preload": np.array([400.0, 410.0, 390.0, 101.0, 395.0]),
        "devices.left.child_at": points,
        "bodies.satellite.mass": np.array([100.0, 98.0, 99.0, 101.0, 103.0]),
    }


@pytest.fixture(scope="module")
def batch(dispersed) -> Batch:
    text = TEXT + SPRING.format(name="left", x=-0.3) + SPRING.format(name="right", x=0.3)
    return fly_batch(loads(text), dispersed, strict=False, progress=False)


@pytest.fixture(scope="module")
def records(batch) -> list[Record | None]:
    return [None if case == REFUSED else batch.record(case) for case in range(CASES)]


def asked() -> Iterator[tuple[str, str, str]]:
    for path in PATHS:
        for at in TIMES:
            yield path, at, "after"
            if at in ("apart", "half", "left spent"):
                yield path, at, "before"


def wanted(path: str, at: str, side: str) -> Wanted:
    take = at if at in EXTREMES else None
    return Wanted(path, None if take else at, None, side, take)  # type: ignore[arg-type]


def test_cases_of_all_kinds(batch):
    assert list(batch.refused) == [REFUSED]
    assert batch.completed.tolist() == [True, True, False, False, True]
    assert "time limit" in batch.outcome(EARLY)[0]


def test_values_equal_those_of_single_flights(batch, records):
    """At the ends, at both sides of events, and extremes: to rounding, NaN included."""
    every = [*asked()]
    for one, values in zip(every, batch.values(every), strict=True):
        single = [np.nan if record is None else value_of(record, wanted(*one)) for record in records]
        size = np.max(np.abs(single), initial=1e-3, where=np.isfinite(single))
        np.testing.assert_allclose(values, single, rtol=0, atol=BOUND * size, err_msg=str(one))


def test_extremes_compared_with_many_times(batch, records):
    """No value between the steps exceeds the extreme; it is reached to the distance of the times."""
    for path in PATHS[:6]:
        low, high = batch.values([(path, "min"), (path, "max")])
        for case, record in enumerate(records):
            if record is None:
                continue
            stem, component = resolve(record, path)
            first, last = record.time[[0, -1]]
            assert record.between is not None
            times = np.linspace(first, last, 3001)[1:-1]
            values = pick(record.between(times, (stem,))[stem], component)
            size = np.max(np.abs(values))
            assert values.max() <= high[case] + BOUND * size
            assert values.min() >= low[case] - BOUND * size
            # A jump at an event is higher than the values next to it.
            near = 2 * np.max(np.abs(np.diff(values)))
            assert high[case] - values.max() <= near, (path, case)
            assert values.min() - low[case] <= near, (path, case)


def test_some_extremes_are_inside_of_steps(batch):
    """Ends of steps alone give smaller values, so the search between them is tested."""
    group = batch._groups()[0]
    knots, states, inside = group._lanes.knots, group._lanes.states, 0
    sides = [states.spots(knots.lane, knots.row, end) for end in (False, True)]
    able = [case for case in range(CASES) if case != REFUSED]
    for path in PATHS[:6]:
        stem = path if path in PATHS[:3] else path.rpartition(".")[0]
        component = {"x": 0, "y": 1, "magnitude": "magnitude"}.get(path.rpartition(".")[2])
        ends = [pick(states.quantities(side, (stem,))[stem], component) for side in sides]
        for sign, take in ((1.0, "max"), (-1.0, "min")):
            highest = knots.largest(sign * np.where(sign * (ends[0] - ends[1]) > 0, *ends))
            inside += np.sum(sign * batch.value(path, take)[able] > highest[able] + 1e-6)
    assert inside >= 4


def test_records_of_cases_have_the_same_extremes(batch):
    """Studies read them from records if a requirement needs one."""
    over = [wanted(path, at, "after") for path in PATHS for at in EXTREMES]
    for chunks in batch._flown:
        found = batch._lot.records(chunks, over)
        for one in over:
            values = [np.nan if record is None else value_of(record, one) for record in found]
            size = np.max(np.abs(values), initial=1e-3, where=np.isfinite(values))
            assert one.take is not None
            expected = batch.value(one.quantity, one.take)
            np.testing.assert_allclose(values, expected, rtol=0, atol=BOUND * size, err_msg=str(one))


def test_groups_of_cases_change_nothing(batch, dispersed, monkeypatch):
    """Groups of two cases, of which the last has a copy, are evaluated together."""
    monkeypatch.setattr(batch_plan, "LANES_AT_ONCE", {"cpu": (2,)})
    small = fly_batch(batch.scenario, dispersed, strict=False, progress=False)
    assert [len(chunks) and chunks[""].count for chunks in small._flown] == [2, 2, 1]
    some = [one for one in asked() if one[0] in PATHS[:4]]
    for one, values in zip(some, small.values(some), strict=True):
        # The initial states of groups differ by rounding.
        np.testing.assert_allclose(values, batch.value(*one), rtol=1e-13, atol=1e-15, err_msg=str(one))


def test_vectors_and_values_that_are_kept(batch):
    vector = f"{PAIR}.relative_velocity"
    whole, z = batch.values([(vector, "max"), (f"{vector}.z", "max")])
    assert whole.shape == (CASES, 3)
    np.testing.assert_array_equal(whole[:, 2], z)
    z[:] = 0.0
    assert batch.value(f"{vector}.z", "max")[0] > 0.5


def test_all_names_are_checked(batch):
    for one, text in (
        (("pairs.stage.satellite.distanse",), "did you mean"),
        ((PATHS[0], "halve"), "there is no event 'halve'"),
        ((PATHS[0], "half", "under"), "Allowed: before, after"),
    ):
        with pytest.raises(BadInput, match=text):
            batch.values([(PATHS[0], "max"), one])
