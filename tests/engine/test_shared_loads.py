"""Joint loads that rigid bodies do not determine: which components are marked, by which stiffness they are
shared, and how units of length enter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import interstage as ist
from engine_door import mark
from interstage.parts.interfaces.shown import tables as interface_tables
from interstage.programs.program import configure
from interstage.reading import loads as loads_text
from interstage.record.record import QuantityMeta
from interstage.report.summary import loads_table
from interstage.runs.run import fly

configure()
END = (ist.Phase(name="push", until=ist.Trigger(time=0.01)),)


def pair(joints, **rest) -> ist.Scenario:
    """Two bodies 2 m apart along y, pushed apart."""
    shape: Any = {"mass": 2.0, "inertia": [1.0, 1.2, 1.5]}
    bodies = (
        ist.Body(name="a", **shape, initial=ist.State()),
        ist.Body(name="b", **shape, initial=ist.State(position=[0, 2, 0], **rest)),
    )
    push = ist.Force(name="push", body="b", force=[0, 5.0, 1.0], at=[0.1, 0.2, 0])
    return ist.Scenario(bodies=bodies, joints=joints, forces=(push,), phases=END)


STIFFNESS = {"one": np.array([4e6, 1e6, 3e6]), "two": np.array([2e6, 2e6, 2e6])}
TORSIONAL = {"one": np.array([7e5, 1e5, 4e5]), "two": np.array([5e5, 5e5, 5e5])}


def in_series(stiffness, direction):
    """Two springs at right angles that carry the components of one load: by how much its point gives way
    along it, inverted."""
    stretch = direction / stiffness
    return 1 / (stretch @ direction)


def rods(angle):
    """Two rods along y between the same two points, in joint frames turned about x."""
    frame = ist.Attitude(euler="1-2-3", angles=[angle, 0, 0])
    ends: Any = {"parent": "a", "child": "b", "parent_at": [0, 0.5, 0], "child_at": [0, -0.5, 0]}
    return tuple(
        ist.Joint(name=name, kind="rod", parent_frame=frame, stiffness=stiffness, **ends)
        for name, stiffness in STIFFNESS.items()
    )


@pytest.mark.parametrize(
    ("angle", "axes"),
    [
        pytest.param(0.0, "y", marks=pytest.mark.long),
        (0.3, "y, z"),
        pytest.param(np.pi / 2, "z", marks=pytest.mark.long),
    ],
)
def test_rods_are_marked_and_weighed_along_themselves(angle, axes):
    """By the components along the axes of the parent's joint frame, in which the load is told; shared by the
    stiffness along the rod."""
    record = fly(pair(rods(angle)))
    assert f": one (force {axes}); two (force {axes})." in record.warnings[0]
    said = f"components {axes} are"
    assert all(record.meta[f"joints.{j}.force"].note.startswith(said) for j in ("one", "two"))
    one, two = (record.series[f"joints.{j}.force"][0] for j in ("one", "two"))
    # What is not marked is zero but for rounding: a rod has no load across.
    unmarked = [k for k, axis in enumerate("xyz") if axis not in axes]
    assert np.abs(one[unmarked]).max() < 1e-6 * np.abs(one).max()
    # Displacements count from the start, lengths do not.
    assert record.series["joints.one.displacement"][0] == pytest.approx(np.zeros(3), abs=1e-15)
    assert record.series["joints.one.length"] == pytest.approx(1.0, rel=1e-12)
    assert "since the start" in record.meta["joints.one.displacement"].long_name
    along = np.array([0, np.cos(angle), -np.sin(angle)])
    ratio = in_series(STIFFNESS["one"], along) / STIFFNESS["two"][0]
    assert one == pytest.approx(ratio * two, rel=1e-9, abs=1e-9 * np.abs(one).max())


@pytest.mark.long
def test_universal_joints_are_marked_and_weighed_along_the_axis_that_they_hold():
    """Two on one point, the child turned by 70 deg about the first axis and by 20 about the second: their
    torque is along no axis of the frame."""
    angles = np.radians([70.0, 20.0])
    attitude = ist.Attitude(euler="1-2-3", angles=[*angles, 0])
    joints = tuple(
        ist.Joint(
            name=name, kind="universal", axes="xy", parent="a", child="b",
            parent_at=[0, 2, 0], child_at=[0, 0, 0],
            stiffness=STIFFNESS[name], torsional_stiffness=TORSIONAL[name],
        )
        for name in STIFFNESS
    )  # fmt: skip
    record = fly(pair(joints, attitude=attitude))
    # The row is b2.a1 = 0, and its torque along a1 x b2: b2 = (0, cos 70, sin 70) in the parent's axes.
    assert ": one (force x, y, z, torque y, z); two (force x, y, z, torque y, z)." in record.warnings[0]
    torques = [record.series[f"joints.{name}.torque"][0] for name in STIFFNESS]
    along = np.array([0, -np.sin(angles[0]), np.cos(angles[0])])
    loads = [torque @ along for torque in torques]
    assert np.abs(torques - np.outer(loads, along)).max() < 1e-9 * np.abs(loads).max()
    # On one point, turns load the torques and displacements the forces: each is shared by itself.
    assert loads[0] / loads[1] == pytest.approx(in_series(TORSIONAL["one"], along) / 5e5, rel=1e-9)
    forces = [record.series[f"joints.{name}.force"][0] for name in STIFFNESS]
    assert forces[0] / forces[1] == pytest.approx(STIFFNESS["one"] / STIFFNESS["two"], rel=1e-9)


# --- units ------------------------------------------------------------------------------------------------

INCH, FOOT = 0.0254, 0.3048


def held_twice(unit="m", size=1.0, number=1.0, **solver) -> ist.Scenario:
    """Two bodies on two fixed joints, which share forces and torques. unit, size [m]: in which lengths are
    written; number: of units of the whole computation in a metre."""

    def at(*metres):
        return f"[{', '.join(repr(number * metre / size) for metre in metres)}] {unit}"

    shape: Any = {"mass": 2.0, "inertia": np.array([1.0, 1.2, 1.5]) * number**2}
    joints = tuple(
        ist.Joint(name=name, kind="fixed", parent="a", child="b", parent_at=at(*own), child_at=at(*other))
        for name, own, other in (
            ("one", (0.5, 1.0, 0.0), (0.5, -1.0, 0.0)),
            ("two", (-0.3, 1.0, 0.8), (-0.3, -1.0, 0.8)),
        )
    )
    return ist.Scenario(
        bodies=(
            ist.Body(name="a", **shape, initial=ist.State(position=at(0, 0, 0))),
            ist.Body(name="b", **shape, initial=ist.State(position=at(0, 2, 0))),
        ),
        joints=joints,
        forces=(
            ist.Force(name="push", body="b", force=np.array([3.0, 5.0, 1.0]) * number, at=at(0.1, 0.2, 0)),
        ),
        phases=END,
        solver=ist.Solver(**solver),
    )


def loads(record, number=1.0):
    """Forces [N] and torques [N m] of both joints at the end."""
    return np.array(
        [
            record.series[f"joints.{joint}.{which}"][-1] / number**power
            for joint in ("one", "two")
            for which, power in (("force", 1), ("torque", 2))
        ]
    )


@pytest.mark.long
def test_flights_in_other_units_share_alike():
    """Lengths written in inches, nothing else said; and a whole computation in feet, where `sharing_length`
    is a length like any other."""
    true = loads(fly(held_twice()))
    # The flights take a few steps of a tolerance of 1e-9.
    bound = 1e-8 * np.abs(true).max()
    np.testing.assert_allclose(loads(fly(held_twice("in", INCH))), true, rtol=0, atol=bound)
    feet = 1 / FOOT
    found = loads(fly(held_twice(number=feet, sharing_length=feet)), feet)
    np.testing.assert_allclose(found, true, rtol=0, atol=bound)
    # Another length is another rule.
    other = loads(fly(held_twice(number=feet)), feet)
    assert np.abs(other - true).max() > 0.01 * np.abs(true).max()


def test_a_load_is_marked_only_while_two_joints_share_it():
    """Of a hinge next to a seam that releases: its peak afterwards is determined."""
    ends: Any = {"parent": "a", "child": "b", "parent_at": [0, 1.0, 0], "child_at": [0, -1.0, 0]}
    joints = (
        ist.Joint(name="seam", kind="fixed", **ends),
        ist.Joint(name="hinge", kind="revolute", axis="z", **ends),
    )
    alone = ist.Phase(name="alone", until=ist.Trigger(time=0.02), release=("seam",))
    record = fly(pair(joints).model_copy(update={"phases": (*END, alone)}))
    for joint, load in (("seam", "force"), ("hinge", "force"), ("hinge", "torque")):
        meta = record.meta[f"joints.{joint}.{load}"]
        assert meta.undetermined == "0.0 0.01"
        assert [meta.undetermined_at(t) for t in (0.0, 0.01, 0.0100001)] == [True, True, False]
    rows = {row[0]: row[1:] for row in loads_table(record, "SI").rows}
    for joint, loads in rows.items():
        # The largest torque of the hinge is that just after the release, which its time alone does not show.
        for value in (loads[0], loads[2]):
            assert value.endswith(" *") == (joint == "seam"), joint
    assert float(rows["hinge"][1]) > 0.01  # its share of the force is smaller than the force


def test_a_peak_just_after_the_release_is_not_marked():
    """A wound hinge next to a seam: once the seam releases, the spring loads the hinge."""
    record = fly(
        loads_text("""
gravity = "none"
bodies.core = { mass = 900, inertia = [400, 400, 150], initial = {} }
bodies.flap = { mass = 10, inertia = [1, 1, 1] }
joints.hinge = { kind = "revolute", parent = "core", child = "flap", axis = "y", child_at = [0, 0, -0.5] }
joints.seam = { kind = "fixed", parent = "core", child = "flap", child_at = [0, 0, -0.5] }
interfaces.root = { joints = ["hinge"] }
[forces.spring]
kind = "torsion_spring"
parent = "core"
child = "flap"
sequence = "2"
stiffness = 5
free_angles = 1
[phases]
held = { until = { time = 0.1 } }
open = { release = ["seam"], until = { elapsed = 0.1 } }
""")
    )
    rows = {row[0]: row[1:] for row in loads_table(record, "SI").rows}
    assert rows["hinge"][1] == "0.1"
    assert not rows["hinge"][0].endswith(" *")
    assert rows["seam"][2].endswith(" *")
    meta = record.meta["joints.hinge.force"]
    assert [meta.undetermined_at(0.1, side) for side in ("before", "after", "")] == [True, False, True]
    (table,) = interface_tables(record, "SI")
    compression = next(row for row in table.rows if row[1].startswith("smallest axial force"))
    assert compression[3:] == ["0.1", "open"]
    assert {row[0] for row in table.rows if row[3] in ("0.1", "0.2")} == {"root"}
    assert {row[0] for row in table.rows if row[3] == "0"} == {"root *"}


def test_marks_of_several_times_are_kept_apart():
    meta = {"joints.a.force": QuantityMeta("N", "force"), "joints.a.torque": QuantityMeta("N m", "torque")}
    mark(
        meta,
        [(0.0, 1.0, {"a": ["force x"]}), (2.0, np.inf, {"a": ["force y", "torque x"], "b": ["force x"]})],
    )
    force, torque = meta["joints.a.force"], meta["joints.a.torque"]
    assert force.note.startswith("components x, y are")
    assert [force.undetermined_at(t) for t in (0.5, 1.5, 2.5)] == [True, False, True]
    assert [torque.undetermined_at(t) for t in (0.5, 1.5, 2.5)] == [False, False, True]
