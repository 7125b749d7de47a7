"""Constraints on velocities: rows against automatic differentiation and against the velocities that they are
about, drawn states off the constraints; then flights with closed forms, captures, and what is refused."""

from __future__ import annotations

from functools import cache
from typing import Any

import jax
import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import interstage as ist
from engine_door import instant, mechanism_of, packed, quickly, row_table
from interstage.formulations.elimination import row_rates
from interstage.maths import curves as tables
from interstage.model.drive import rates
from mechanics import AXES, COAST, EPS, drawn_attitude, drawn_body, drawn_state, matrix, quaternion_rate

TIME = 0.37
RATES = {
    "tx": ist.SpeedHarmonic(amplitude=0.4, frequency=3.0, phase=0.3, offset=0.1),
    "ty": ist.SpeedRamp(value=0.2, rate=-0.7),
    "tz": ist.SpeedTable(time=[0, 0.2, 0.5, 1.0], value=[0, 0.3, -0.2, 0.4]),
    "rx": ist.SpinHarmonic(amplitude=1.5, frequency=1.7, phase=0.4),
    "ry": ist.SpinRamp(value=-1.2, rate=0.8),
    "rz": ist.SpinConstant(value=0.6),
}
"""Prescribed velocities, one kind of function after the other."""
KINDS = [
    ("velocity", {"locked": tuple(RATES), "axes_of": "parent"}),
    ("velocity", {"locked": tuple(RATES), "axes_of": "child"}),
    ("velocity", {"locked": tuple(RATES), "axes_of": "parent", "rates": ist.PrescribedRates(**RATES)}),
    ("velocity", {"locked": tuple(RATES), "axes_of": "child", "rates": ist.PrescribedRates(**RATES)}),
    *(("knife_edge", {"axis": axis}) for axis in AXES),
    ("rolling", {"radius": 0.4}),
    ("rolling", {"radius": 1.3}),
]
ENDS = {
    "one pair": [("a", "b")],
    "tree and loops": [("a", "b"), ("ground", "c"), ("b", "c"), ("c", "a"), ("ground", "a")],
}
"""All joints between two bodies take one path through the code, any others the general one."""
LANES = (20,)
BODIES = tuple(
    drawn_body(np.random.default_rng(130 + k), name, initial=ist.State()) for k, name in enumerate("abc")
)


def bodies_on_joints(ends):
    rng = np.random.default_rng(120)
    pairs = ENDS[ends]
    joints = tuple(
        ist.Joint(
            name=f"j{k}",
            kind=kind,
            parent=pairs[k % len(pairs)][0],
            child=pairs[k % len(pairs)][1],
            parent_at=rng.uniform(-1, 1, 3),
            child_at=rng.uniform(-1, 1, 3),
            parent_frame=drawn_attitude(rng),
            child_frame=drawn_attitude(rng),
            **options,
        )
        for k, (kind, options) in enumerate(KINDS)
    )
    return ist.Scenario(bodies=BODIES, joints=joints, phases=COAST)


@cache
def along_a_motion(ends):
    """Rows and their exact rates at drawn states, velocities and accelerations, all lanes at once."""
    declared = bodies_on_joints(ends)
    rng = np.random.default_rng(140)
    r, v, q, w = drawn_state(rng, 3, LANES)
    a, alpha = rng.standard_normal((2, 3, 3, *LANES))
    x, xdot = packed(r, v, q, w), packed(v, a, quaternion_rate(q, w), alpha)
    ground = np.zeros((6, 1, *LANES)) if ends != "one pair" else np.zeros((6, 0, *LANES))
    u, udot = (np.concatenate([np.concatenate(pair), ground], 1) for pair in ((v, w), (a, alpha)))

    @quickly
    def program(t, x, xdot, u, udot):
        mechanism = mechanism_of(declared, t.shape)

        def rows(t, x):
            return instant(mechanism, t, x).rows

        here, along = jax.jvp(rows, (t, x), (np.ones(t.shape), xdot))
        constraints = instant(mechanism, t, x).constraints
        return here, along, row_rates(constraints, u), row_rates(constraints, udot)

    found = program(np.full(LANES, TIME), x, xdot, u, udot)
    return declared, (r, v, q, w), (a, alpha), found


def sizes(state, change):
    """Sizes of the largest terms of the rows' rates and of the rates of these, for the bounds: arms up to the
    gap between two points and a radius; the lowest point of a rim turns by the turn of the axle over the sine
    of its tilt, which is not below 0.05 here."""
    (r, v, _, w), (a, alpha) = state, change
    biggest = [np.max(np.linalg.norm(part, axis=0)) for part in (r, v, w, a, alpha)]
    r, v, w, a, alpha = biggest
    arm, rate = 2 * r + 4 * np.sqrt(3) + 2, 2 * w + 3
    return 2 * v + rate * arm, 2 * a + 2 * alpha * arm + 4 * rate**2 * (arm + 2 / 0.05)


ROUNDINGS = 2
"""How many roundings of the sum of the largest terms; the sum itself is already several times what is met."""


def least_tilt(declared, state):
    """The smallest sine of the tilt of any disk in any lane."""
    frames = joint_frames(declared, state)
    rolling = [k for k, (kind, _) in enumerate(KINDS) if kind == "rolling"]
    return min(
        np.min(np.linalg.norm(np.cross(a[..., 2], b[..., 2]), axis=-1)) for a, b in map(frames, rolling)
    )


def joint_frames(declared, state):
    """Inertial axes (lane, 3, 3) of a joint's frames on parent and child."""

    def frames(k):
        joint = declared.joints[k]
        ends = [(joint.parent, joint.parent_frame), (joint.child, joint.child_frame)]
        return [attitude(state, body) @ matrix(frame.quaternion) for body, frame in ends]

    return frames


def attitude(state, body):
    if body == "ground":
        return np.broadcast_to(np.eye(3), (*LANES, 3, 3))
    return matrix(state[2][:, "abc".index(body)])


@pytest.mark.parametrize(
    "ends", [pytest.param(e, marks=[pytest.mark.long] if e == "one pair" else []) for e in ENDS]
)
def test_rates_are_the_derivatives_along_any_motion(ends):
    declared, state, change, (rows, along, _, audot) = along_a_motion(ends)
    assert least_tilt(declared, state) > 0.05
    speed, acceleration = sizes(state, change)
    table = row_table(declared)
    np.testing.assert_allclose(
        rows.gdot[table.holonomic], along.g[table.holonomic], rtol=0, atol=ROUNDINGS * EPS * speed
    )
    np.testing.assert_allclose(audot + rows.gamma, along.gdot, rtol=0, atol=ROUNDINGS * EPS * acceleration)
    # The negative control: the terms that a wrong sign or factor would lose are far above the bound. (About
    # an axis of the child of the ground there are none.)
    assert ends != "one pair" or np.min(np.max(np.abs(rows.gamma), 1)) > 1e6 * ROUNDINGS * EPS * acceleration


def test_only_the_height_of_a_disk_is_holonomic():
    declared, *_, (rows, *_) = along_a_motion("one pair")
    table = row_table(declared)
    heights = [k for k in range(table.count) if table.holonomic[k]]
    assert [KINDS[table.joint[k]][0] for k in heights] == ["rolling", "rolling"]
    assert not np.any(np.asarray(rows.g)[~table.holonomic])
    assert table.forces.tolist() == [True] * (table.count - 12) + [False] * 12


def prescribed(axis):
    """Value of a prescribed velocity at TIME, computed here."""
    law = RATES[axis]
    if law.kind == "constant":
        return law.value
    if law.kind == "ramp":
        return law.value + law.rate * TIME
    if law.kind == "harmonic":
        return law.offset + law.amplitude * np.sin(law.frequency * TIME + law.phase)
    return CubicSpline(law.time, law.value, bc_type="natural")(TIME)


def test_a_table_of_velocities_is_held_outside_its_points():
    """At its ends the rate is the one within; beyond them there is none."""
    law: Any = RATES["tz"]
    times = np.array([-0.3, 0.0, 0.2, 0.37, 1.0, 1.4])
    motions = [{"tz": tables.curve(law.time, law.value, "cubic")}]
    found = quickly(lambda t: rates(motions, t))(times)
    spline = CubicSpline(law.time, law.value, bc_type="natural")
    within = (times >= 0) & (times <= 1)
    np.testing.assert_allclose(found.speed[2, 0], spline(np.clip(times, 0, 1)), rtol=0, atol=4 * EPS)
    # A slope is a difference of values over 0.2 s.
    np.testing.assert_allclose(found.speed_rate[2, 0], within * spline(times, 1), rtol=0, atol=64 * EPS)
    assert not np.any(found.speed[:2])
    assert not np.any(found.spin)


def material_velocity(declared, state, body, place):
    """Velocity (lane, 3) of the material point of a body, or of the ground, at a place."""
    if body == "ground":
        return np.zeros_like(place)
    k = "abc".index(body)
    spin = np.einsum("lij,jl->li", attitude(state, body), state[3][:, k])
    return state[1][:, k].T + np.cross(spin, place - state[0][:, k].T)


def relative_spin(state, joint):
    spins = [
        0.0
        if body == "ground"
        else np.einsum("lij,jl->li", attitude(state, body), state[3][:, "abc".index(body)])
        for body in (joint.parent, joint.child)
    ]
    return spins[1] - spins[0]


def joint_point(state, body, at):
    if body == "ground":
        return np.broadcast_to(at, (*LANES, 3))
    k = "abc".index(body)
    return state[0][:, k].T + (attitude(state, body) @ (at - BODIES[k].mass_centre))


@pytest.mark.parametrize("ends", ENDS)
def test_rows_are_the_velocities_that_they_are_about(ends):
    """The velocity of the child's material point past the parent's at the same place, and of the lowest point
    of a disk's rim past the plane, from the motion of the bodies alone."""
    declared, state, change, (rows, _, au, _) = along_a_motion(ends)
    table, gdot = row_table(declared), np.asarray(rows.gdot)
    bound = ROUNDINGS * EPS * sizes(state, change)[0]
    expected = np.zeros_like(gdot)
    for k, joint in enumerate(declared.joints):
        a, b = joint_frames(declared, state)(k)
        place = joint_point(state, joint.child, joint.child_at)
        if joint.kind == "rolling":
            down = np.einsum("li,li->l", a[..., 2], b[..., 2])[:, None] * b[..., 2] - a[..., 2]
            place = place + joint.radius * down / np.linalg.norm(down, axis=1, keepdims=True)
        past = material_velocity(declared, state, joint.child, place)
        past = past - material_velocity(declared, state, joint.parent, place)
        axes = b if joint.kind == "knife_edge" or joint.axes_of == "child" else a
        along = np.einsum("lij,li->jl", axes, past)
        about = np.einsum("lij,li->jl", axes, relative_spin(state, joint))
        for row in table.of_joint(k):
            expected[row] = velocity_of(table, row, along, about)
            if joint.rates is not None:
                expected[row] -= prescribed(
                    ("tx ty tz" if table.forces[row] else "rx ry rz").split()[axis_of(table, row)]
                )
    np.testing.assert_allclose(gdot, expected, rtol=0, atol=bound)
    free = np.array([declared.joints[j].rates is None for j in table.joint])
    np.testing.assert_allclose(np.asarray(au)[free], gdot[free], rtol=0, atol=bound)


def axis_of(table, row):
    if row in table.contact_rows:
        return (row - table.contact_rows[0]) // len(table.contacts)
    held = [(j, axis) for j, axis, _ in (*table.speeds, *table.spins)]
    return held[row - 3 * len(table.contacts)][1]


def velocity_of(table, row, along, about):
    return (along if table.forces[row] else about)[axis_of(table, row)]


@pytest.mark.parametrize("ends", ENDS)
def test_each_row_acts_equally_and_oppositely(ends):
    """Forces of a row on its two bodies cancel, and so do their moments about any point; the force acts on
    the child at the joint point, or at the contact."""
    declared, state, change, (rows, *_) = along_a_motion(ends)
    table = row_table(declared)
    bound = ROUNDINGS * EPS * sizes(state, change)[0]
    for row in range(table.count):
        joint, moment = declared.joints[table.joint[row]], 0.0
        for body, on in ((joint.parent, rows.on_a), (joint.child, rows.on_b)):
            if body == "ground":
                moment = None
                break
            force, torque = np.asarray(on)[:3, row].T, np.asarray(on)[3:, row].T
            centre = state[0][:, "abc".index(body)].T
            moment = moment + np.cross(centre, force) + np.einsum("lij,lj->li", attitude(state, body), torque)
        if moment is not None:
            np.testing.assert_allclose(moment, np.zeros_like(moment), rtol=0, atol=bound)
        np.testing.assert_array_equal(np.asarray(rows.on_a)[:3, row], -np.asarray(rows.on_b)[:3, row])
        if table.forces[row]:
            at = joint_point(state, joint.child, joint.child_at) + np.asarray(rows.arm)[:, row].T
            k = "abc".index(joint.child)
            expected = np.cross(at - state[0][:, k].T, np.asarray(rows.direction)[:, row].T)
            found = np.einsum("lij,lj->li", attitude(state, joint.child), np.asarray(rows.on_b)[3:, row].T)
            np.testing.assert_allclose(found, expected, rtol=0, atol=bound)
