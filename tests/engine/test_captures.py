"""Joints that catch hold of bodies that were apart: where they hold them, what was caught between them, and
what is said of it."""

from __future__ import annotations

import numpy as np
import pytest

import interstage as ist
from interstage.runs.run import fly

MOMENTS = (1.0, 1.2, 1.5)


def body(name, mass=2.0, **options) -> ist.Body:
    return ist.Body(name=name, mass=mass, inertia=MOMENTS, **options)


def meeting(bodies, joint, phases, **options) -> ist.Scenario:
    return ist.Scenario(bodies=tuple(bodies), joints=(joint,), phases=phases, **options)


def test_a_tilted_hinge_that_becomes_rigid_keeps_its_pose():
    """Caught where its axes are not parallel, then locked: rows that held before must hold where they are."""
    tilted = ist.Attitude(euler="1-2-3", angles=[0.5, 0.3, 0.2])
    thrown = ist.State(
        position=[1.2, 0.1, 0], velocity=[-0.3, 0.1, 0], attitude=tilted, angular_velocity=[0.1, 0.4, 0.3]
    )
    hinge = ist.Joint(
        name="j",
        kind="revolute",
        parent="a",
        child="b",
        parent_at=[0.5, 0, 0],
        child_at=[-0.5, 0, 0],
        active=False,
    )
    rigid = ist.Replacement(joint="j", kind="fixed")
    phases = (
        ist.Phase(name="free", until=ist.Trigger(time=0.1)),
        ist.Phase(name="hinged", until=ist.Trigger(time=0.3), attach=("j",)),
        ist.Phase(name="rigid", until=ist.Trigger(time=0.4), replace=(rigid,)),
    )
    bodies = [body("a", initial=ist.State()), body("b", 3.0, initial=thrown)]
    record = fly(meeting(bodies, hinge, phases))
    names = [event.name for event in record.events]
    for name in ("a", "b"):
        for what in ("position", "attitude"):
            path = f"bodies.{name}.{what}"
            before, after = record.before[path], record.after[path]
            np.testing.assert_allclose(after[names.index("rigid")], before[names.index("rigid")], atol=1e-14)
    turned = record.series["joints.j.rotation"][record.time > 0.3]
    np.testing.assert_allclose(
        turned, record.after["joints.j.rotation"][[names.index("rigid")] * len(turned)], atol=1e-12
    )


def test_a_kickoff_spring_pushes_from_where_bodies_have_met():
    """Apart at the start, caught, release: the spring gives the energy of its stroke only."""
    latch = ist.Joint(
        name="latch",
        kind="fixed",
        parent="a",
        child="b",
        parent_at=[0.5, 0, 0],
        child_at=[-0.5, 0, 0],
        active=False,
    )
    stiffness, preload, stroke = 1000.0, 100.0, 0.08
    spring = ist.KickoffSpring(
        name="spring",
        parent="a",
        child="b",
        parent_at=[0.5, 0, 0],
        child_at=[-0.5, 0, 0],
        axis=[1, 0, 0],
        stiffness=stiffness,
        preload=preload,
        stroke=stroke,
        after="apart",
    )
    phases = (
        ist.Phase(name="free", until=ist.Trigger(time=0.2)),
        ist.Phase(name="held", until=ist.Trigger(time=0.3), attach=("latch",)),
        ist.Phase(name="apart", until=ist.Trigger(time=0.6), release=("latch",)),
    )
    coming = ist.State(position=[2.0, 0, 0], velocity=[-1.0, 0, 0])
    bodies = [body("a", initial=ist.State()), body("b", 3.0, initial=coming)]
    record = fly(meeting(bodies, latch, phases, devices=(spring,)))
    energy = preload * stroke - 0.5 * stiffness * stroke**2
    reduced = 1 / (1 / 2.0 + 1 / 3.0)
    apart = record.series["pairs.a.b.separation_speed"][-1]
    assert 0.5 * reduced * apart**2 == pytest.approx(energy, rel=1e-8)
    total = record.series["system.energy"]
    at = [event.name for event in record.events].index("apart")
    assert record.after["devices.spring.force"][at] == pytest.approx(preload)
    assert record.after["devices.spring.energy"][at] == pytest.approx(0.5 * preload**2 / stiffness)
    assert total[-1] - 0.5 * 9 / 5 == pytest.approx(energy, rel=1e-8)


def test_a_joint_that_catches_hold_off_its_drawn_pose_says_so():
    latch = ist.Joint(name="latch", kind="fixed", parent="a", child="b", parent_at=[1, 0, 0], active=False)
    phases = (
        ist.Phase(name="free", until=ist.Trigger(time=0.1)),
        ist.Phase(name="held", until=ist.Trigger(time=0.2), attach=("latch",)),
    )
    turned = ist.State(position=[1.25, 0, 0], attitude=ist.Attitude(euler="3-2-1", angles=[0.1, 0, 0]))
    bodies = [body("a", initial=ist.State()), body("b", initial=turned)]
    (warning,) = fly(meeting(bodies, latch, phases)).warnings
    assert warning == (
        "joint latch closed at 0.1 s with an offset of 0.25 m and 5.73 deg from its declared pose. The bodies"
        " keep this offset."
    )
    # Allowed is what this scenario allows, and not the first one of its structure.
    wide = ist.Solver(assemble_tolerance=0.3, assemble_angle=0.2)
    assert not fly(meeting(bodies, latch, phases, solver=wide)).warnings
