"""Default responses of sweeps and campaigns equal the numbers of the table Separation of each flight."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import interstage as ist
from interstage.reading import loads
from interstage.report.summary import separated_pairs
from interstage.studies.campaign import run
from interstage.studies.devices_spent import pair_devices
from interstage.studies.sweep.run import default_responses

SPEED = "stage / satellite speed, devices spent"
RATE = "stage / satellite tip-off rate, devices spent"
TEXT = """
bodies.stage = { mass = "900 kg", inertia = "[400, 400, 150] kg m^2", initial = {} }
bodies.satellite = { mass = "100 kg", inertia = "[12, 15, 8] kg m^2" }
joints.band.kind = "fixed"
joints.band.parent = "stage"
joints.band.child = "satellite"
joints.band.parent_at = "[0, 0, 1.2] m"
joints.band.child_at = "[0, 0, -0.4] m"
phases.joined = { until = { time = "0.1 s" } }
phases.apart = { release = ["band"], fire = ["push"], until = { elapsed = "1 s" } }
# The thrust changes the speed after the springs are spent.
forces.thrust = { kind = "force", body = "satellite", force = "[0, 12, 16] N", phases = ["apart"] }
[devices.push]
kind = "kickoff_spring"
parent = "stage"
child = "satellite"
parent_at = "[0, 0, 1.2] m"
child_at = "[0, 0, -0.4] m"
axis = [0, 0, 1]
stiffness = "4 kN/m"
preload = "400 N"
stroke = "9 cm"
count = 2
circle = { axis = "z", radius = "0.3 m" }
"""
STUDY = {
    "cases": 12,
    "seed": 3,
    "dispersions": {
        "mass": {"path": "bodies.satellite.mass", "sigma": "3 %"},
        "preload": {"path": "devices.push.preload", "sigma": "3 %"},
        "late": {
            "path": "devices.push.delay",
            "values": ["0 s", "20 ms", "inf s"],
            "probabilities": [0.4, 0.3, 0.3],
        },
    },
}


@pytest.fixture(scope="module")
def scenario():
    return loads(TEXT)


@pytest.fixture(scope="module")
def result(scenario):
    return run.campaign(scenario, STUDY)


def table_of(result, case: int) -> tuple[float, float]:
    """Speed and tip-off rate of the report of one case, which is simulated alone."""
    flight = loads(
        TEXT, {one.path: float(result[one.name][case]) for one in result.manifest.names.inputs}
    ).run()
    (pair,) = separated_pairs(flight.record)
    return pair.speed, float(np.linalg.norm(pair.rates))


def test_each_case_has_the_numbers_of_its_report(result):
    """Springs that push late, and springs that never push, included."""
    delays = np.stack([result["late_1"], result["late_2"]])
    endless: Any = np.isinf(delays).any(0)
    assert {True, False} == {*endless.tolist()}
    for case in range(len(result)):
        speed, rate = table_of(result, case)
        # Single flights and batches differ by rounding; rates of 1e-9 rad/s are rounding errors of the rates.
        assert result[SPEED][case] == pytest.approx(speed, rel=1e-9)
        assert result[RATE][case] == pytest.approx(rate, rel=1e-9, abs=1e-12)


def test_the_speed_is_not_that_of_the_end(scenario, result):
    flight = scenario.run()
    at_end = flight.value("pairs.stage.satellite.relative_speed", "end")
    spent = flight.value("pairs.stage.satellite.relative_speed", "push_2 spent")
    assert at_end > 1.1 * spent


def test_devices_between_other_stacks_do_not_count():
    chain = """
        bodies.top = { mass = "20 kg", inertia = "[1, 1, 1] kg m^2" }
        joints.clamp = { kind = "fixed", parent = "satellite", child = "top", parent_at = "[0, 0, 1] m" }
        events.later = { when = { time = "0.8 s" }, release = ["clamp"] }
        devices.coil.kind = "kickoff_spring"
        devices.coil.parent = "satellite"
        devices.coil.child = "top"
        devices.coil.parent_at = "[0, 0, 1] m"
        devices.coil.axis = [0, 0, 1]
        devices.coil.stiffness = "1 kN/m"
        devices.coil.preload = "99 N"
        devices.coil.stroke = "5 cm"
        devices.coil.after = "later"
    """
    plain = TEXT.replace("phases.joined", f"{chain}phases.joined")
    assert pair_devices(loads(plain), "stage", "satellite").names == ("push_1", "push_2")
    assert pair_devices(loads(plain), "satellite", "top") == (("coil",), ("clamp",), True)
    # The plate never separates from the stage, so a spring on the plate is a spring of the stage.
    held = (
        plain.replace('parent = "stage"\nchild', 'parent = "plate"\nchild')
        + """
        [bodies.plate]
        mass = "5 kg"
        inertia = "[1, 1, 1] kg m^2"
        [joints.weld]
        kind = "fixed"
        parent = "stage"
        child = "plate"
    """
    )
    assert pair_devices(loads(held), "stage", "satellite") == (("push_1", "push_2"), ("band",), True)


def test_a_pair_without_devices_has_values_at_the_end():
    bare = loads(TEXT.partition("[devices")[0].replace('fire = ["push"], ', ""))
    assert [(one.name, one.quantity, one.at) for one in default_responses(bare)][:2] == [
        ("stage / satellite speed, end", "pairs.stage.satellite.relative_speed", "end"),
        ("stage / satellite tip-off rate, end", "pairs.stage.satellite.tip_off_rate", "end"),
    ]


def test_joints_with_opposite_directions_are_one_pair():
    """The report has one row for two bodies, in the order of their first joint."""
    strap = 'joints.strap = { kind = "fixed", parent = "satellite", child = "stage" }\nphases.joined'
    both = TEXT.replace("phases.joined", strap).replace('["band"]', '["band", "strap"]')
    names = [one.name for one in default_responses(loads(both))]
    assert names == [SPEED, RATE, "band force", "strap force"]


def test_a_case_without_release_has_no_value():
    """A clamp band that fails keeps the bodies together: the report lists no separated pair."""
    band = (
        TEXT.replace('release = ["band"], fire = ["push"]', 'fire = ["clamp"]')
        + """
        after = "clamp_1 released"
        [devices.clamp]
        kind = "explosive_bolt"
        joints = ["band"]
        delay = "1 ms"
        count = 1
    """
    )
    found = loads(band).sweep({"devices.clamp_1.works": [0, 1]})
    (speed,) = [one.values for one in found.measures if one.name == SPEED]
    assert np.isfinite(speed).tolist() == [False, True]
    with pytest.raises(ist.BadInput, match="there is no event 'devices spent'"):
        loads(band).sweep(
            {"devices.clamp_1.works": [0, 1]},
            responses=["pairs.stage.satellite.relative_speed@devices spent"],
        )


@pytest.mark.parametrize("limit", [0.15, 0.6])
def test_flights_that_end_early_have_the_numbers_of_their_reports(limit):
    """A spring that never pushes leaves no event. The other spring is spent before the later time limit."""
    until = 'quantity = "pairs.stage.satellite.distance", reaches = "90 m"'
    text = TEXT.replace('elapsed = "1 s" } }', f"{until} }} }}\nsolver.time_limit = {limit}")
    path, delays = "devices.push_1.delay", [0.0, np.inf]
    found = {one.name: one.values for one in loads(text).sweep({path: delays}).measures}
    for case, delay in enumerate(delays):
        record = loads(text, {path: delay}).run().record
        assert not record.completed
        (pair,) = separated_pairs(record)
        assert (pair.spent is None) == (limit < 0.2)
        numbers = (np.nan, np.nan) if pair.spent is None else (pair.speed, np.linalg.norm(pair.rates))
        # Single flights and batches differ by rounding; rates of 1e-9 rad/s are rounding errors of the rates.
        assert found[SPEED][case] == pytest.approx(numbers[0], rel=1e-9, nan_ok=True)
        assert found[RATE][case] == pytest.approx(numbers[1], rel=1e-9, abs=1e-12, nan_ok=True)
