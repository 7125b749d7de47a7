"""Where bodies start: in inertial axes, through joints in either direction, made consistent, or refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import interstage as ist
from engine_door import admitted, central_inertia, examined, inverse_3x3, mechanism_of, start_of, unpacked
from interstage.tree import addresses as tree
from interstage.tree.errors import BadInput
from mechanics import COAST, EPS, drawn_attitude, drawn_body, matrix

CENTRE = np.array([7.0e6, -2.0e6, 1.0e6])
"""Where the placed stack is: far from the inertial origin, as in orbit."""


def parts(scenario, start):
    """By body name: position [m] from CENTRE and velocity of the centre of mass, matrix, inertial angular
    velocity."""
    r, v, q, w, origin, origin_velocity = unpacked(scenario, start.x)
    found = {}
    for k, body in enumerate(scenario.bodies):
        turn = matrix(q[:, k])
        found[body.name] = r[:, k] + (origin - CENTRE), v[:, k] + origin_velocity, turn, turn @ w[:, k]
    return found


def point(scenario, motion, name, at):
    """Position and velocity of a point of a body, structural coordinates."""
    body = next(b for b in scenario.bodies if b.name == name)
    r, v, turn, spin = motion[name]
    arm = turn @ (at - body.mass_centre)
    return r + arm, v + np.cross(spin, arm)


# --- placed where they are said to be -----------------------------------------------------------------------


def through(rng, joint) -> ist.ThroughJoint:
    return ist.ThroughJoint(
        through=joint,
        displacement=rng.uniform(-1, 1, 3),
        rotation=rng.uniform(-1.2, 1.2, 3),
        relative_velocity=rng.uniform(-1, 1, 3),
        relative_angular_velocity=rng.uniform(-1, 1, 3),
    )


def chain(seed) -> ist.Scenario:
    """Four bodies: a by its origin, b through a joint as its child, c as the parent of its joint to b, d by
    itself. The joints hold nothing yet, so that nothing is corrected."""
    rng = np.random.default_rng(seed)
    origin = rng.uniform(-1, 1, 3)
    spin, speed = rng.standard_normal((2, 3))
    a = ist.State(
        of="origin", position=CENTRE, velocity=speed, attitude=drawn_attitude(rng), angular_velocity=spin
    )
    d = ist.State(
        position=CENTRE + 1.0,
        velocity=speed,
        attitude=drawn_attitude(rng),
        angular_velocity=spin,
        angular_velocity_axes="inertial",
    )
    bodies = (
        drawn_body(rng, "c", initial=through(rng, "cb")),
        drawn_body(rng, "b", initial=through(rng, "ab")),
        drawn_body(rng, "a", origin=origin, initial=a),
        drawn_body(rng, "d", initial=d),
    )
    joints = tuple(
        ist.Joint(
            name=parent + child,
            kind="spherical",
            parent=parent,
            child=child,
            active=False,
            parent_at=rng.uniform(-1, 1, 3),
            child_at=rng.uniform(-1, 1, 3),
            parent_frame=drawn_attitude(rng),
            child_frame=drawn_attitude(rng),
        )
        for parent, child in ("ab", "cb")
    )
    return ist.Scenario(bodies=bodies, joints=joints, phases=COAST)


LENGTHS = 16 * EPS * np.linalg.norm(CENTRE)
"""Roundings of sums with positions in orbit, 7000 km: nanometres."""
SPEEDS = 64 * EPS * 10
"""Roundings of sums of a dozen speeds below 10 m/s."""


@pytest.mark.parametrize("seed", [200, 201])
def test_bodies_placed_in_inertial_axes(seed):
    scenario = chain(seed)
    motion = parts(scenario, start_of(scenario))
    for name, of in (("a", "origin"), ("d", "mass_centre")):
        body = next(b for b in scenario.bodies if b.name == name)
        state: Any = body.initial
        position, velocity = point(scenario, motion, name, getattr(body, of))
        np.testing.assert_allclose(position, state.position - CENTRE, rtol=0, atol=LENGTHS)
        np.testing.assert_allclose(velocity, state.velocity, rtol=0, atol=SPEEDS)
        turn = matrix(state.attitude.quaternion)
        np.testing.assert_allclose(motion[name][2], turn, rtol=0, atol=16 * EPS)
        spin = (
            turn @ state.angular_velocity if state.angular_velocity_axes == "body" else state.angular_velocity
        )
        np.testing.assert_allclose(motion[name][3], spin, rtol=0, atol=SPEEDS)


@pytest.mark.parametrize("seed", [200, 201])
def test_bodies_placed_through_joints_in_both_directions(seed):
    """The pose and its rates, taken from the parent's joint frame, are those given, whichever end was placed
    first."""
    scenario = chain(seed)
    motion = parts(scenario, start_of(scenario))
    for joint, name in zip(scenario.joints, "bc", strict=True):
        given: Any = next(b for b in scenario.bodies if b.name == name).initial
        (p, vp), (c, vc) = (
            point(scenario, motion, end, at)
            for end, at in ((joint.parent, joint.parent_at), (joint.child, joint.child_at))
        )
        frames: Any = (joint.parent_frame, joint.child_frame)
        parent = motion[joint.parent][2] @ matrix(frames[0].quaternion)
        child = motion[joint.child][2] @ matrix(frames[1].quaternion)
        spin_p, spin_c = motion[joint.parent][3], motion[joint.child][3]
        np.testing.assert_allclose(parent.T @ (c - p), given.displacement, rtol=0, atol=LENGTHS)
        turn = Rotation.from_euler("XYZ", given.rotation).as_matrix()
        np.testing.assert_allclose(parent.T @ child, turn, rtol=0, atol=64 * EPS)
        seen = parent.T @ (vc - vp - np.cross(spin_p, c - p))
        # The gap itself is known to nanometres only, times a rate of 2 rad/s.
        np.testing.assert_allclose(seen, given.relative_velocity, rtol=0, atol=SPEEDS + 2 * LENGTHS)
        np.testing.assert_allclose(
            parent.T @ (spin_c - spin_p), given.relative_angular_velocity, rtol=0, atol=SPEEDS
        )


def test_moving_a_mass_centre_moves_no_joint():
    """Points are in structural coordinates: only the body's own centre of mass goes elsewhere, with the
    body's velocity there."""
    scenario = chain(200)
    moved = scenario
    for name in "abc":
        moved = tree.set(moved, f"bodies.{name}.mass_centre", np.array([0.7, -0.3, 0.2]))
    one, two = (parts(s, start_of(s)) for s in (scenario, moved))
    for joint in scenario.joints:
        for name, at in ((joint.parent, joint.parent_at), (joint.child, joint.child_at)):
            before, after = point(scenario, one, name, at), point(moved, two, name, at)
            np.testing.assert_allclose(after[0], before[0], rtol=0, atol=LENGTHS)
            np.testing.assert_allclose(after[1], before[1], rtol=0, atol=SPEEDS + 2 * LENGTHS)
    assert all(np.linalg.norm(two[name][0] - one[name][0]) > 0.1 for name in "abc")


def test_inertia_about_another_point():
    """Of a body made of point masses, whose inertia about any point is a sum."""
    rng = np.random.default_rng(210)
    mass, place = rng.uniform(1, 2, 8), rng.standard_normal((8, 3))
    centre = mass @ place / mass.sum()

    def about(at):
        arm = place - at
        return np.einsum(
            "k,kij->ij",
            mass,
            np.einsum("kl,kl->k", arm, arm)[:, None, None] * np.eye(3) - arm[:, :, None] * arm[:, None],
        )

    at = np.array([3.0, -2.0, 1.0])
    body = ist.Body(
        name="b", mass=mass.sum(), mass_centre=centre, inertia=about(at), inertia_about=at, products="tensor"
    )
    scenario = ist.Scenario(bodies=(body,), phases=COAST)
    found = central_inertia(mechanism_of(scenario))[:, :, 0]
    # The parallel-axis terms, mass times 16 m^2, cancel.
    np.testing.assert_allclose(found, about(centre), rtol=0, atol=8 * EPS * mass.sum() * 16)


def test_a_rod_that_lies_aslant_has_no_inertia_about_its_axis():
    axis = np.array([1.0, 2.0, -2.0]) / 3
    tensor = 2.5 * (np.eye(3) - np.outer(axis, axis))
    np.testing.assert_allclose(inverse_3x3(tensor), np.linalg.pinv(tensor), atol=1e-14)


# --- made consistent ----------------------------------------------------------------------------------------


def pair(gap=(0.0, 0.0, 0.0), turn=(0.0, 0.0, 0.0), rate=(0.0, 0.0, 0.0), **solver) -> ist.Scenario:
    """Two bodies placed by themselves around a revolute joint about z, but for a gap [m], a turn [rad], 1-2-3
    angles, and a rate [rad/s] of the child's, both from the parent's joint frame. All numbers are leaves: one
    program serves all."""
    rng = np.random.default_rng(220)
    a, b = (drawn_body(rng, name) for name in "ab")
    frames = [drawn_attitude(rng) for _ in range(2)]
    points = rng.uniform(-1, 1, (2, 3))
    base = Rotation.random(rng=rng).as_matrix()
    parent = base @ matrix(frames[0].quaternion)
    child = parent @ Rotation.from_euler("XYZ", turn).as_matrix() @ matrix(frames[1].quaternion).T
    position = (
        base @ (points[0] - a.mass_centre) + parent @ np.asarray(gap) - child @ (points[1] - b.mass_centre)
    )
    state = lambda m, r, w: ist.State(  # noqa: E731
        position=r,
        velocity=[0, 0, 0],
        attitude=ist.Attitude(matrix=m),
        angular_velocity=w,
        angular_velocity_axes="inertial",
    )
    bodies = (
        tree.replace_leaf(a, "initial", state(base, np.zeros(3), np.zeros(3))),
        tree.replace_leaf(b, "initial", state(child, position, parent @ np.asarray(rate))),
    )
    joint = ist.Joint(
        name="hinge",
        kind="revolute",
        parent="a",
        child="b",
        parent_at=points[0],
        child_at=points[1],
        parent_frame=frames[0],
        child_frame=frames[1],
    )
    return ist.Scenario(bodies=bodies, joints=(joint,), phases=COAST, solver=ist.Solver(**solver))


ANY_GAP = {"assemble_tolerance": 10.0, "assemble_angle": 1.0}


def test_a_consistent_start_is_left_alone():
    start, (corrections, warnings) = examined(pair(turn=(0, 0, 2.5)))
    assert corrections == warnings == []
    # Joint points a few metres from the inertial origin.
    assert max(np.abs(start.gap).max(), start.moved.max(), start.turned.max()) <= 32 * EPS * 4


def test_an_inconsistent_start_is_made_consistent_and_reported():
    """Closed to rounding; the system's centre of mass and momentum stay, as the correction works between the
    bodies only."""
    scenario = pair((0.1, -0.2, 0.05), (0.1, -0.2, 1.0), (0.3, 0.2, 0.5), **ANY_GAP)
    start, (corrections, _) = examined(scenario)
    assert np.abs(start.gap).max() > 0.04
    assert np.abs(start.left).max() <= 32 * EPS * 4
    assert np.abs(start.left_rate).max() <= 32 * EPS * 4
    motion = parts(scenario, start)
    mass = np.array([b.mass for b in scenario.bodies])
    states: Any = [b.initial for b in scenario.bodies]
    centre = (
        sum(m * motion[b.name][0] for m, b in zip(mass, scenario.bodies, strict=True)) + mass.sum() * CENTRE
    )
    momentum = sum(m * motion[b.name][1] for m, b in zip(mass, scenario.bodies, strict=True))
    expected = sum(m * s.position for m, s in zip(mass, states, strict=True))
    np.testing.assert_allclose(centre, expected, rtol=0, atol=mass.sum() * LENGTHS)
    np.testing.assert_allclose(momentum, np.zeros(3), rtol=0, atol=SPEEDS * mass.sum())
    for body, line in zip("ab", corrections, strict=True):
        k = "ab".index(body)
        for what, value in (
            ("moved", start.moved),
            ("rotated", start.turned),
            ("velocity changed", start.sped),
        ):
            assert f"{what} by {value[k]:.3g}" in line
        moved = np.linalg.norm(motion[body][0] + CENTRE - states[k].position)
        assert line.startswith(f"The initial state of {body} ")
        assert moved == pytest.approx(start.moved[k], abs=LENGTHS)
        assert moved > 0.01


def test_velocity_of_a_plastic_start():
    """The velocities are those of a plastic capture: angular momentum stays, and the joint's rates vanish."""
    scenario = pair(rate=(0.3, 0.2, 0.5))
    start, (corrections, _) = examined(scenario)
    motion = parts(scenario, start)
    joint = scenario.joints[0]
    (_, vp), (_, vc) = (
        point(scenario, motion, name, at) for name, at in (("a", joint.parent_at), ("b", joint.child_at))
    )
    np.testing.assert_allclose(vc, vp, rtol=0, atol=SPEEDS)
    frame: Any = joint.parent_frame
    axis = (motion["a"][2] @ matrix(frame.quaternion))[:, 2]
    relative = motion["b"][3] - motion["a"][3]
    np.testing.assert_allclose(np.cross(axis, relative), np.zeros(3), rtol=0, atol=SPEEDS)
    spin: Any = scenario.bodies[1].initial
    inertia = motion["b"][2] @ scenario.bodies[1].inertia @ motion["b"][2].T
    before = inertia @ spin.angular_velocity
    after = sum(
        motion[b.name][2] @ b.inertia @ motion[b.name][2].T @ motion[b.name][3]
        + b.mass * np.cross(motion[b.name][0] + CENTRE, motion[b.name][1])
        for b in scenario.bodies
    )
    # Momentum is zero, so the moment may be taken about the inertial origin, known to nanometres here.
    np.testing.assert_allclose(after, before, rtol=0, atol=10 * LENGTHS)
    assert len(corrections) == 2


def test_driven_axes_start_with_their_drives():
    """A body that is placed through a driven joint moves as the drive has it, and nothing is left to
    correct."""
    rng = np.random.default_rng(230)
    spin = rng.standard_normal(3)
    bodies = (drawn_body(rng, "a", initial=ist.State(angular_velocity=spin)), drawn_body(rng, "b"))
    driven = ist.DrivenAxes(
        tx=ist.LinearHarmonic(amplitude=0.3, frequency=2.0, phase=0.5),
        tz=ist.LinearRamp(value=0.1, rate=-0.4),
        ry=ist.AngularRamp(value=0.5, rate=0.7),
        rz=ist.AngularHarmonic(amplitude=1.1, frequency=1.5, offset=0.2),
    )
    joint = ist.Joint(
        name="arm",
        kind="generalized",
        locked=("tx", "ty", "tz", "rx", "ry", "rz"),
        driven=driven,
        parent="a",
        child="b",
        parent_at=rng.uniform(-1, 1, 3),
        parent_frame=drawn_attitude(rng),
        child_frame=drawn_attitude(rng),
    )
    start, (corrections, _) = examined(ist.Scenario(bodies=bodies, joints=(joint,), phases=COAST))
    assert corrections == []
    assert max(np.abs(start.gap).max(), np.abs(start.gap_rate).max()) <= SPEEDS


# --- refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"gap": (0.3, 0.0, -0.4)}, ["joints.hinge", "0.5 m", "allowed: 1e-06 m", "assemble = true"]),
        ({"turn": (0.1, 0.0, 0.0)}, ["joints.hinge", "5.73 deg", "Change 'child_frame'", "assemble = true"]),
        ({"turn": (np.pi, 0.0, 0.0)}, ["joints.hinge", "axis z", "is opposite", "180 deg"]),
        ({"gap": (2e-6, 0, 0), "assemble_tolerance": 1e-6}, ["joints.hinge", "2e-06 m", "allowed: 1e-06 m"]),
    ],
)
def test_starts_that_are_refused(wrong, says):
    scenario = pair(**wrong)
    with pytest.raises(BadInput) as error:
        examined(scenario)
    for words in says:
        assert words in str(error.value)


def test_a_gap_within_the_tolerance_is_corrected():
    """The negative control of the refusals: a micrometre allowed, half of it found."""
    start, (corrections, _) = examined(pair(gap=(5e-7, 0, 0)))
    assert np.abs(start.left).max() <= 32 * EPS * 4
    assert len(corrections) == 2


def test_the_tolerance_is_that_of_the_scenario_in_hand():
    """Scenarios of one structure share a program, but not their numbers."""
    for kind, gap in ((ANY_GAP, 0.3), ({}, 0.0), (ANY_GAP, 0.2)):
        scenario = pair(gap=(gap, 0, 0), **kind)
        admitted(scenario)
    with pytest.raises(BadInput, match="allowed: 1e-06 m"):
        admitted(pair(gap=(0.3, 0, 0)))


def redundant(gap=0.0) -> ist.Scenario:
    """A body on the ground by a fixed joint and a ball, both of them apart by a gap [m]."""
    body = ist.Body(name="a", mass=1.0, inertia=[1, 1, 1], initial=ist.State())
    joints = (
        ist.Joint(name="mount", kind="fixed", parent="ground", child="a", parent_at=[0, gap, 0]),
        ist.Joint(
            name="peg",
            kind="spherical",
            parent="ground",
            child="a",
            parent_at=[1, 0, 0],
            child_at=[1, gap, 0],
        ),
    )
    return ist.Scenario(bodies=(body,), joints=joints, phases=COAST)


def test_everything_that_is_wrong_is_told_at_once():
    with pytest.raises(BadInput) as error:
        examined(redundant(0.1))
    assert [p.place for p in error.value.problems] == ["joints.mount", "joints.peg"]


def test_velocities_that_a_joint_does_not_allow_are_told_where_nothing_corrects_them():
    moving = ist.State(position=[1, 0, 0], velocity=[0, 0, 0.5])
    bodies = tuple(
        ist.Body(name=name, mass=2.0, inertia=[1, 1.2, 1.5], initial=start)
        for name, start in (("a", ist.State()), ("b", moving))
    )
    joint = ist.Joint(
        name="j", kind="fixed", parent="a", child="b", parent_at=[0.5, 0, 0], child_at=[-0.5, 0, 0]
    )
    solver = ist.Solver(stabilization="none")
    _, (_, warnings) = examined(ist.Scenario(bodies=bodies, joints=(joint,), phases=COAST, solver=solver))
    assert "joint j: the initial velocities of the bodies violate the joint by 0.5 m/s" in warnings[0]


def test_of_connected_bodies_without_a_start_one_is_told():
    bodies = tuple(ist.Body(name=name, mass=1, inertia=[1, 1, 1]) for name in "abcd")
    joints = tuple(ist.Joint(name=a + b, kind="fixed", parent=a, child=b) for a, b in ("ba", "cb"))
    lost = ist.Scenario(bodies=bodies, joints=joints, phases=COAST)
    with pytest.raises(BadInput) as error:
        lost.check()
    assert [p.place for p in error.value.problems] == ["bodies.a.initial", "bodies.d.initial"]
