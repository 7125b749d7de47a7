"""What a flight may not depend on: axes, units, names, order, and whether it is flown alone or in a batch."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import interstage as ist
from interstage.programs.program import program_for
from interstage.runs import run as simulate
from interstage.runs.batch import fly_batch
from interstage.tree.errors import BadInput
from lanes import as_lanes
from mechanics import EPS
from separation import DRIFT, NO_PULL, ORBIT, SPENT, STEPS, flown, separation

pytestmark = pytest.mark.usefixtures("long_flights")

SENSITIVITY = 1e3
"""How much these flights enlarge a rounding on their way: attitudes and rates go into forces of 250 N/m over
2.7 s."""


def compare_states(record, other, names=None, mass=1.0, length=1.0, time=1.0, turn=None):
    """Events, states and joint loads of two flights of one thing in other words."""
    turn = np.eye(3) if turn is None else turn.as_matrix()
    called = lambda name: (names or {}).get(name, name)  # noqa: E731
    theirs = {event.name: event.time for event in other.events}
    for event in record.events:
        # Events are located to 1e-10 s of either's own time.
        name, gap, act = event.name.partition(" ")
        told = theirs[called(name) + gap + act]
        assert told / time == pytest.approx(event.time, abs=2e-10)
    force = mass * length / time**2
    for body in (b.name for b in record.scenario.bodies):
        for what, unit, axes in (
            ("position", length, turn),
            ("velocity", length / time, turn),
            ("angular_velocity", 1 / time, np.eye(3)),
        ):
            mine = record.series[f"bodies.{body}.{what}"]
            found = other.series[f"bodies.{called(body)}.{what}"] / unit
            scale = max(np.abs(mine).max(), 1.0)
            np.testing.assert_allclose(
                found, mine @ axes.T, rtol=0, atol=SENSITIVITY * STEPS * EPS * scale, err_msg=body + what
            )
    load, found = (r.series[f"joints.{n}.force"] for r, n in ((record, "clamp"), (other, called("clamp"))))
    np.testing.assert_allclose(
        found / force, load, rtol=0, atol=SENSITIVITY * STEPS * EPS * np.abs(load).max()
    )


@pytest.mark.parametrize("pull", [pytest.param("free", marks=pytest.mark.long), "orbit"])
def test_axes_may_be_turned(pull):
    turn = Rotation.random(rng=np.random.default_rng(310))
    gravity = NO_PULL if pull == "free" else ORBIT
    compare_states(
        simulate.fly(separation(gravity=gravity)),
        simulate.fly(separation(gravity=gravity, turn=turn)),
        turn=turn,
    )


def test_units_may_be_changed():
    """The engine's own units of mass, length and time, the tolerances scaled along."""
    units: Any = {"mass": 7.0, "length": 0.3, "time": 1.7}
    compare_states(
        simulate.fly(separation(gravity=ORBIT)), simulate.fly(separation(gravity=ORBIT, **units)), **units
    )


def test_names_and_order_do_not_matter():
    """Bodies and devices under other names and the other way round."""
    old = ("stage", "payload", "clamp", "left", "right", "held", "apart")
    names = {name: f"{letter}_{k}" for k, (letter, name) in enumerate(zip("tuvwxyz", old, strict=True))}
    other = simulate.fly(separation(simple=True, names=names, reverse=True))
    assert [body.name for body in other.scenario.bodies] == ["u_1", "t_0"]
    compare_states(flown(simple=True), other, names)


def test_one_program_serves_all_numbers():
    """Other numbers do not make another program."""
    assert program_for(separation()) is program_for(separation(gravity=ORBIT, mass=3.0, shove=1.0))
    coarse, fine = (
        separation().model_copy(update={"solver": ist.Solver(method="rk4", step=step, max_step=2 * step)})
        for step in (0.01, 0.005)
    )
    assert program_for(coarse) is program_for(fine)
    assert program_for(coarse) is not program_for(separation())


# --- batches ------------------------------------------------------------------------------------------------


@cache
def batch(way: str):
    """Cases whose springs differ, so that now the left one is spent first and now the right one, and one case
    more."""
    rng = np.random.default_rng(320)
    left, right = rng.uniform(400, 1500, (2, 6))
    dispersed = {
        "devices.left.stiffness": left,
        "devices.right.stiffness": right,
        "devices.left.preload": 0.15 * left,
        "devices.right.preload": 0.2 * right,
        "bodies.payload.mass_centre": rng.uniform(-0.1, 0.1, (6, 3)),
    }
    if way == "one by one":
        return fly_batch(separation(simple=True), dispersed)
    return as_lanes(separation(simple=True), dispersed)


WAYS = ("lanes", "one by one")


@pytest.mark.parametrize("way", [pytest.param("lanes", marks=pytest.mark.long), "one by one"])
def test_lanes_of_a_batch_are_the_flights_flown_alone(way):
    """To rounding, not to the bit: a compiler orders the sums of one and of many lanes differently. Events
    come in different orders in different lanes."""
    flights = batch(way)
    order = flights.event_time[[flights.events.index(name) for name in SPENT]]
    assert 0 < (order[0] < order[1]).sum() < flights.lanes
    for lane in range(flights.lanes):
        alone = simulate.fly(flights.case(lane))
        assert alone.completed
        for event in alone.events:
            told = flights.event_time[flights.events.index(event.name), lane]
            assert told == pytest.approx(event.time, abs=2e-10)
        state = alone.restart["state"][-1]
        scale = np.abs(state).max()
        np.testing.assert_allclose(flights.x[:, lane], state, rtol=0, atol=SENSITIVITY * STEPS * EPS * scale)


@pytest.mark.parametrize("way", WAYS)
def test_record_of_a_lane_is_that_of_the_flight_flown_alone(way):
    flights = batch(way)
    record, alone = flights.record(2), simulate.fly(flights.case(2))
    assert record.completed
    assert [e.name for e in record.events] == [e.name for e in alone.events]
    np.testing.assert_array_equal(record.time, alone.time)
    for path, values in alone.series.items():
        scale = max(np.abs(values).max(), 1.0)
        np.testing.assert_allclose(record.series[path], values, rtol=0, atol=10 * DRIFT * scale, err_msg=path)


@pytest.mark.parametrize(
    ("dispersed", "says"),
    [
        (
            {"bodies.stage.mass": [1.0, 2.0], "bodies.catcher.mass": [1.0]},
            "bodies.stage.mass: 2, bodies.catcher.mass: 1",
        ),
        ({}, "none"),
        ({"bodies.stage.mass": [[1.0, 2.0]]}, "shape"),
        ({"bodies.stage.mass": [1.0, -2.0]}, "mass"),
        ({"bodies.stag.mass": [1.0]}, "stage"),
    ],
)
def test_batches_that_are_refused(dispersed, says):
    with pytest.raises(BadInput, match=says):
        fly_batch(separation(), dispersed)
