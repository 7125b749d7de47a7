"""Declared pairs: relative quantities between any points of two bodies, against another code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import interstage as ist
from interstage.reading import loads
from interstage.runs.run import fly
from interstage.tree.errors import BadInput

EXACT = 1e-12
STATES: dict[str, dict[str, Any]] = {
    "stage": {"position": [1, 2, 3], "velocity": [0.3, -0.2, 0.1], "angular_velocity": [0.4, -0.1, 0.2]},
    "payload": {"position": [4, 1, 2], "velocity": [1.1, 0.4, -0.6], "angular_velocity": [-0.3, 0.5, 0.7]},
}
TURNS = {"stage": [0.3, -0.5, 0.9], "payload": [1.1, 0.2, -0.4]}
"""3-2-1 angles."""
CENTRES = {"stage": [0.1, 0, 0.2], "payload": [-0.2, 0.1, 0]}
AT = {"stage": [0.5, 0.3, -0.4], "payload": [0.2, -0.6, 0.1]}
AXES = {"stage": [0.0, 0.0, 2.0], "payload": [1.0, 1.0, 0.0]}
LENGTH = 2.5


def two_bodies(**pair) -> ist.Scenario:
    bodies = tuple(
        ist.Body(
            name=name,
            mass=2.0,
            inertia=[1.0, 1.0, 1.0],
            mass_centre=CENTRES[name],
            initial=ist.State(**state, attitude=ist.Attitude(euler="3-2-1", angles=TURNS[name])),
        )
        for name, state in STATES.items()
    )
    points: Any = {"parent_at": AT["stage"], "child_sensor": "tip", **pair}
    declared = ist.Pair(
        name="nozzle",
        parent="stage",
        child="payload",
        parent_axis=AXES["stage"],
        child_axis=AXES["payload"],
        reference_length=LENGTH,
        **points,
    )
    centres = ist.Pair(name="centres", parent="stage", child="payload")
    return ist.Scenario(
        bodies=bodies,
        sensors=(ist.Sensor(name="tip", body="payload", at=AT["payload"]),),
        pairs=(declared, centres),
        phases=(ist.Phase(name="drift", until=ist.Trigger(time=1.0)),),
        output=ist.Output(interval=0.25),
    )


def by_hand(record, row):
    """Turns, velocities and places of the two points from the flight's own bodies, by another code."""
    found = {}
    for name in STATES:
        of = lambda what, name=name: record.series[f"bodies.{name}.{what}"][row]  # noqa: E731
        turn = Rotation.from_quat(of("attitude"), scalar_first=True)
        arm = turn.apply(np.subtract(AT[name], CENTRES[name]))
        spin = turn.apply(of("angular_velocity"))
        found[name] = turn, of("position") + arm, of("velocity") + np.cross(spin, arm), spin
    return found["stage"], found["payload"]


@pytest.mark.parametrize("row", [0, 3])
def test_all_relative_quantities_of_two_points(row):
    record = fly(two_bodies())
    (ta, pa, va, wa), (tb, pb, vb, wb) = by_hand(record, row)
    gap, rate = pb - pa, vb - va
    distance = np.linalg.norm(gap)
    seen = rate - np.cross(wa, gap)
    axes = np.array([AXES["stage"], AXES["payload"]])
    axis_a, axis_b = (t.apply(a / np.linalg.norm(a)) for t, a in zip((ta, tb), axes, strict=True))
    yaw, pitch, roll = (ta.inv() * tb).as_euler("ZYX")
    along = gap @ axis_a
    wanted = {
        "distance": distance,
        "distance_in_lengths": distance / LENGTH,
        "axial_distance": along,
        "radial_distance": np.linalg.norm(gap - along * axis_a),
        "separation": ta.inv().apply(gap),
        "separation_child": tb.inv().apply(gap),
        "separation_speed": gap @ rate / distance,
        "closing_speed": -gap @ rate / distance,
        "relative_speed": np.linalg.norm(rate),
        "relative_velocity": ta.inv().apply(seen),
        "relative_velocity_child": tb.inv().apply(seen),
        "relative_rate": tb.inv().apply(wb - wa),
        "relative_rate_parent": ta.inv().apply(wb - wa),
        "tip_off_rate": np.linalg.norm(wb - wa),
        "transverse_rate": np.linalg.norm(np.cross(axis_b, wb - wa)),
        "axis_angle": np.arccos(axis_a @ axis_b),
        "relative_attitude": [yaw, pitch, roll],
    }
    stem = "pairs.nozzle."
    assert {path[len(stem) :] for path in record.series if path.startswith(stem)} == set(wanted)
    for name, value in wanted.items():
        assert record.series[stem + name][row] == pytest.approx(np.asarray(value), rel=1e-11, abs=EXACT), name
    assert record.meta[f"{stem}relative_attitude"].components == ("yaw", "pitch", "roll")
    # Without points they are the mass centres, like those of every pair of bodies.
    for name in ("distance", "separation", "relative_velocity", "relative_rate", "closing_speed"):
        plain = record.series[f"pairs.stage.payload.{name}"]
        assert record.series[f"pairs.centres.{name}"] == pytest.approx(plain, rel=EXACT, abs=EXACT)


def test_a_trigger_on_an_angle_between_axes_is_exact():
    """Two bodies turn apart about z at constant rates: the angle is reached at its time."""
    spin = 0.4
    text = f"""
[bodies.stage]
mass = 1
inertia = [1, 1, 1]
initial = {{ position = [0, 0, 0] }}
[bodies.payload]
mass = 1
inertia = [1, 1, 1]
initial = {{ position = [1, 0, 0], angular_velocity = [0, 0, {spin}] }}
[pairs.tilt]
parent = "stage"
child = "payload"
[phases.turn]
until = {{ quantity = "pairs.tilt.axis_angle", reaches = "1 deg", direction = "rising" }}
"""
    record = fly(loads(text))
    assert record.time[-1] == pytest.approx(np.radians(1.0) / spin, rel=1e-10)


HEAD = """
[bodies.stage]
mass = 1
inertia = [1, 1, 1]
initial = { position = [0, 0, 0] }
[bodies.payload]
mass = 1
inertia = [1, 1, 1]
initial = { position = [1, 0, 0] }
[sensors.tip]
body = "payload"
at = [0, 0, 1]
[phases.turn]
until = { time = 1 }
"""
ENDS = '[pairs.gap]\nparent = "stage"\nchild = "payload"\n'


@pytest.mark.parametrize(
    ("pair", "place", "message"),
    [
        (ENDS.replace("pairs.gap", "pairs.stage"), "pairs.stage", "a body has the same name"),
        (ENDS.replace('"stage"', '"stag"'), "pairs.gap.parent", "did you mean 'stage'"),
        (ENDS.replace('"stage"', '"ground"'), "pairs.gap.parent", "a pair cannot contain 'ground'"),
        (ENDS.replace('"stage"', '"payload"'), "pairs.gap.child", "parent and child are both"),
        (ENDS + 'child_sensor = "top"', "pairs.gap.child_sensor", "there is no sensor 'top'"),
        (
            ENDS + 'parent_sensor = "tip"',
            "pairs.gap.parent_sensor",
            "is on body 'payload'",
        ),
        (
            ENDS + 'child_sensor = "tip"\nchild_at = [0, 0, 0]',
            "pairs.gap.child_sensor",
            "are both set",
        ),
        (ENDS + "parent_axis = [0, 0, 0]", "pairs.gap.parent_axis", "the vector is zero"),
        (ENDS + "reference_length = 0", "pairs.gap.reference_length", "must be more than zero"),
        (ENDS + 'parent_at = "[0, 0, 1] kg"', "pairs.gap.parent_at", "is in kg"),
    ],
)
def test_faulty_pairs_are_refused(pair, place, message):
    with pytest.raises(BadInput) as error:
        loads(HEAD + pair)
    found = [p for p in error.value.problems if p.place == place]
    assert any(message in p.message for p in found), str(error.value)
