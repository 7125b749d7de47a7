"""Joint loads that rigid bodies do not determine: which components are marked, and how units of length
enter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import interstage as ist
from interstage.program import configure
from interstage.simulate import fly

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


def rods(angle=0.0):
    """Two rods along y between the same two points, in joint frames turned about x."""
    frame = ist.Attitude(euler="1-2-3", angles=[angle, 0, 0])
    ends: Any = {"parent": "a", "child": "b", "parent_at": [0, 0.5, 0], "child_at": [0, -0.5, 0]}
    return tuple(ist.Joint(name=name, kind="rod", parent_frame=frame, **ends) for name in ("one", "two"))


@pytest.mark.parametrize(("angle", "axes"), [(0.0, "y"), (0.3, "y, z"), (np.pi / 2, "z")])
def test_rods_are_marked_along_themselves(angle, axes):
    """By the components along the axes of the parent's joint frame, in which the load is told."""
    record = fly(pair(rods(angle)))
    assert f": one (force {axes}); two (force {axes})." in record.warnings[0]
    said = f"components {axes} are not determined"
    assert all(record.meta[f"joints.{j}.force"].note.startswith(said) for j in ("one", "two"))
    load = record.series["joints.one.force"][0]
    # What is not marked is zero but for rounding: a rod has no load across.
    unmarked = [k for k, axis in enumerate("xyz") if axis not in axes]
    assert np.abs(load[unmarked]).max() < 1e-6 * np.abs(load).max()


def test_universal_joints_are_marked_along_the_axis_that_they_hold():
    """Two on one point, the child turned by 70 deg about the first axis and by 20 about the second: their
    torque is along no axis of the frame."""
    angles = np.radians([70.0, 20.0])
    attitude = ist.Attitude(euler="1-2-3", angles=[*angles, 0])
    joints = tuple(
        ist.Joint(
            name=name, kind="universal", axes="xy", parent="a", child="b",
            parent_at=[0, 2, 0], child_at=[0, 0, 0],
        )
        for name in ("one", "two")
    )  # fmt: skip
    record = fly(pair(joints, attitude=attitude))
    # The row is b2.a1 = 0, and its torque along a1 x b2: b2 = (0, cos 70, sin 70) in the parent's axes.
    assert ": one (force x, y, z, torque y, z); two (force x, y, z, torque y, z)." in record.warnings[0]
    torque = record.series["joints.one.torque"][0]
    wanted = np.array([0, -np.sin(angles[0]), np.cos(angles[0])])
    assert np.abs(np.cross(torque, wanted)).max() < 1e-6 * np.linalg.norm(torque)
