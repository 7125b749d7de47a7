"""Constraint rows of every joint: against automatic differentiation, the joint table, and poses that a joint
allows.

States are drawn off the constraints, where the terms that vanish on them count too (TP-2016, section 2.3).
"""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

import interstage as ist
from engine_door import instant, mechanism_of, packed, row_table
from interstage.formulations.elimination import row_rates
from interstage.maths.arrays import jvp
from interstage.model.joint_rows import rows_of
from linkages import general
from mechanics import AXES, COAST, EPS, drawn_body, drawn_state, matrix, quaternion_rate

ROD = 1.3
TIME = 0.37
DRIVES = {
    "tx": ist.LinearHarmonic(amplitude=0.4, frequency=3.0, phase=0.3, offset=0.1),
    "ty": ist.LinearRamp(value=0.2, rate=-0.7),
    "tz": ist.LinearTable(time=[0, 0.2, 0.5, 1.0], value=[0, 0.3, -0.2, 0.4]),
    "rx": ist.AngularHarmonic(amplitude=2.5, frequency=1.7, phase=0.4),
    "ry": ist.AngularRamp(value=-1.2, rate=0.8),
    "rz": ist.AngularTable(time=[0, 0.3, 0.6, 1.0], value=[0, 1.0, 2.5, 3.0]),
}
"""Motions of large amplitude, one kind of function after the other."""


def driven(*axes):
    return {"driven": ist.DrivenAxes(**{axis: DRIVES[axis] for axis in axes})}


def catalogue():
    """(kind, options, rows, free translations, free rotations as successive body-fixed turns)."""
    yield ("fixed", {}, 6, "", "")
    yield ("spherical", {}, 3, "", "xyz")
    yield ("rod", {"length": ROD}, 1, None, "xyz")
    yield ("revolute", {}, 5, "", "z")
    yield ("cylindrical", {}, 4, "z", "z")
    yield ("translational", {}, 5, "z", "")
    yield ("universal", {}, 4, "", "yz")
    yield ("planar", {}, 3, "xz", "y")
    for axis in AXES:
        others = AXES.replace(axis, "")
        yield ("revolute", {"axis": axis}, 5, "", axis)
        yield ("cylindrical", {"axis": axis}, 4, axis, axis)
        yield ("translational", {"axis": axis}, 5, axis, "")
        yield ("planar", {"axis": axis}, 3, others, axis)
        yield ("planar", {"axis": axis, "rotates": False}, 4, others, "")
    for a, b in itertools.permutations(AXES, 2):
        yield ("universal", {"axes": a + b}, 4, "", a + b)
        lock = "r" + next(iter(set(AXES) - {a, b}))
        yield (*general(f"tx {lock}", rotation_pair=f"a{a}.b{b}"), 2, "yz", a + b)
    for lock, pair in (("rx", "yz"), ("ry", "zx"), ("rz", "xy")):
        yield (*general(lock), 1, "xyz", pair)
        yield (*general(lock, **driven(lock)), 1, "xyz", pair)
    for free in AXES:
        lock = " ".join("r" + axis for axis in AXES.replace(free, ""))
        yield (*general(f"ty {lock}"), 3, "xz", free)
        yield (*general(f"tz {lock}", **driven("tz", *lock.split())), 3, "xy", free)
    for n, (a, b) in enumerate(itertools.permutations(AXES, 2)):
        yield ("universal", {"axes": a + b, "angle": 0.4 + 0.4 * n}, 4, "", a + b)
        lock = "r" + next(iter(set(AXES) - {a, b}))
        held = {"rotation_pair": f"a{a}.b{b}", "angle": 2.8 - 0.4 * n}
        yield (*general(f"ty {lock}", **held, **driven(lock)), 2, "xz", a + b)
    yield (*general("rx ry rz"), 3, "xyz", "")
    yield (*general("tx tz", **driven("tz")), 2, "y", "xyz")
    yield (*general("tx ty tz rx ry rz", **driven(*DRIVES)), 6, "", "")
    yield (*general("tx ty tz rx ry rz", **driven("tx", "ty", "tz")), 6, "", "")
    yield (*general("rx ry rz", **driven("rx", "ry", "rz")), 3, "xyz", "")


JOINTS = list(catalogue())
LANES = (len(JOINTS),)
"""As many states side by side as joints, so that one program serves all tests."""
FRAMES = Rotation.random(2 * len(JOINTS), rng=np.random.default_rng(20)).as_quat(scalar_first=True)
POINTS = np.random.default_rng(21).uniform(-1, 1, (2 * len(JOINTS), 3))


def joint(k, parent, child):
    kind, options, *_ = JOINTS[k]
    # Some frames are left out: parallel to the structure axes.
    frames = [None if (k + i) % 7 == 0 else ist.Attitude(quaternion=FRAMES[2 * k + i]) for i in (0, 1)]
    return ist.Joint(
        name=f"j{k}",
        kind=kind,
        parent=parent,
        child=child,
        parent_at=POINTS[2 * k],
        child_at=POINTS[2 * k + 1],
        parent_frame=frames[0],
        child_frame=frames[1],
        **options,
    )


BODIES = tuple(
    drawn_body(np.random.default_rng(30 + k), name, initial=ist.State()) for k, name in enumerate("abc")
)
ENDS = {
    "one pair": [("a", "b")],
    "tree and loops": [("a", "b"), ("ground", "c"), ("b", "c"), ("c", "a"), ("ground", "a")],
}
"""All joints between two bodies take one path through the code, any others the general one."""


def bodies_on_all_joints(ends):
    pairs = ENDS[ends]
    joints = tuple(joint(k, *pairs[k % len(pairs)]) for k in range(len(JOINTS)))
    return ist.Scenario(bodies=BODIES, joints=joints, phases=COAST)


@cache
def study(ends):
    """The rows: (t, x, xdot, u, udot) -> what the tests compare, lanes last."""
    declared = bodies_on_all_joints(ends)
    rods = sum(kind == "rod" for kind, *_ in JOINTS)

    def program(t, x, xdot, u, udot):
        mechanism = mechanism_of(declared, t.shape, rods=[ROD] * rods)

        def rows(t, x):
            return instant(mechanism, t, x).rows

        here, along = jvp(rows, (t, x), (np.ones(t.shape), xdot))
        _, held = jvp(lambda x: rows(t, x).g, (x,), (xdot,))
        constraints = instant(mechanism, t, x).constraints
        return {
            "rows": here,
            "Au": row_rates(constraints, u),
            "Audot": row_rates(constraints, udot),
            "g along": along.g,
            "g along, time held": held,
            "gdot along": along.gdot,
            "parent": constraints.parent,
            "child": constraints.child,
        }

    return declared, program


def with_ground(declared, u):
    ground = any(j.parent == "ground" for j in declared.joints)
    return np.concatenate([u, np.zeros_like(u[:, :1])], 1) if ground else u


@cache
def along_a_motion(ends):
    """Rows and their exact rates at drawn states, velocities and accelerations."""
    declared, program = study(ends)
    rng = np.random.default_rng(40)
    lanes = LANES
    r, v, q, w = drawn_state(rng, 3, lanes)
    a, alpha = rng.standard_normal((2, 3, 3, *lanes))
    x = packed(r, v, q, w)
    xdot = packed(v, a, quaternion_rate(q, w), alpha)
    u, udot = (with_ground(declared, np.concatenate(pair)) for pair in ((v, w), (a, alpha)))
    found = program(np.full(lanes, TIME), x, xdot, u, udot)
    return found, (r, v, w, a, alpha)


def bounds(state):
    """Sizes of the largest terms of g, gdot and gddot, for the bounds: lengths up to the gap between any two
    points and the largest drive (0.5 m), rates up to that of any body and of the largest drive (2.5 rad *
    1.7/s, and 9.3 rad/s from the table), accelerations likewise (table: 60 rad/s^2)."""
    r, v, w, a, alpha = (np.max(np.linalg.norm(part, axis=0)) for part in state)
    arm = 2 * r + 4 * np.sqrt(3)
    rate, speed = 2 * w + 14.0, 2 * v + 2.0
    return arm, speed + rate * arm, 2 * a + 60 * arm + alpha * arm + 2 * rate * speed + rate**2 * arm


ROUNDINGS = 2
"""How many roundings of the sum of the largest terms; the sum itself is already several times what is met."""


@pytest.mark.parametrize("ends", ENDS)
def test_rates_are_the_derivatives_along_any_motion(ends):
    found, state = along_a_motion(ends)
    _, speed, acceleration = bounds(state)
    rows = found["rows"]
    np.testing.assert_allclose(rows.gdot, found["g along"], rtol=0, atol=ROUNDINGS * EPS * speed)
    np.testing.assert_allclose(
        found["Audot"] + rows.gamma, found["gdot along"], rtol=0, atol=ROUNDINGS * EPS * acceleration
    )
    # The negative control: the terms that a wrong sign or factor would lose are far above the bound.
    assert np.min(np.max(np.abs(rows.gamma), 1)) > 1e6 * ROUNDINGS * EPS * acceleration


@pytest.mark.parametrize("ends", ENDS)
def test_jacobian_is_the_derivative_of_the_row(ends):
    """A times any velocity is the rate of g with the drives held still."""
    found, state = along_a_motion(ends)
    np.testing.assert_allclose(
        found["Au"], found["g along, time held"], rtol=0, atol=ROUNDINGS * EPS * bounds(state)[1]
    )


@pytest.mark.parametrize("ends", ENDS)
def test_each_row_acts_equally_and_oppositely(ends):
    """Forces of a row on its two bodies cancel, and so do their moments about any point."""
    found, (r, *_) = along_a_motion(ends)
    declared, _ = study(ends)
    q = drawn_state(np.random.default_rng(40), 3, LANES)[2]
    still = np.array([1.0, 0, 0, 0])[:, None, None] * np.ones((1, 1, *LANES))
    q, r = (np.concatenate([q, still], 1), np.concatenate([r, np.zeros((3, 1, *LANES))], 1))
    turn = np.moveaxis(matrix(q), (-2, -1), (0, 1))
    force = moment = 0
    for body, on in ((found["parent"], found["rows"].on_a), (found["child"], found["rows"].on_b)):
        on = np.asarray(on)
        force = force + on[:3]
        moment = (
            moment
            + np.cross(r[:, body], on[:3], axis=0)
            + np.einsum("ijkl,jkl->ikl", turn[:, :, body], on[3:])
        )
    arm = bounds((r, *[np.zeros((3, 1))] * 4))[0]
    assert np.abs(force).max() == 0
    np.testing.assert_allclose(moment, np.zeros_like(moment), rtol=0, atol=ROUNDINGS * EPS * arm)
    assert len(declared.joints) == len(JOINTS)


# --- the table of joints ------------------------------------------------------------------------------------


def prescribed(axis):
    """Value of a drive at TIME, computed here."""
    motion = DRIVES[axis]
    if motion.kind == "ramp":
        return motion.value + motion.rate * TIME
    if motion.kind == "harmonic":
        return motion.offset + motion.amplitude * np.sin(motion.frequency * TIME + motion.phase)
    return CubicSpline(motion.time, motion.value, bc_type="natural")(TIME)


def tilt(a, b, angle):
    """The turn, about the third axis, that puts axis b of the child at an angle to axis a of the parent; at
    90 deg the frames are parallel."""
    (third,) = set(AXES) - {a, b}
    turns = [Rotation.from_euler(third.upper(), sign * (angle - np.pi / 2)) for sign in (1, -1)]
    (right,) = [t for t in turns if np.isclose(t.as_matrix()[AXES.index(a), AXES.index(b)], np.cos(angle))]
    return right


def allowed_pose(k, rng):
    """(shift, turn) of the child's joint frame in the parent's that joint k allows, free motions large."""
    _, options, _, shifts, turns = JOINTS[k]
    drives = options["driven"].axes() if "driven" in options else ()
    shift = np.array([prescribed("t" + axis) if "t" + axis in drives else 0.0 for axis in AXES])
    turn = Rotation.from_euler(
        "XYZ", [prescribed("r" + axis) if "r" + axis in drives else 0.0 for axis in AXES]
    )
    if shifts is None:
        direction = rng.standard_normal(3)
        shift = ROD * direction / np.linalg.norm(direction)
    else:
        shift += [rng.uniform(-1, 1) if axis in shifts else 0.0 for axis in AXES]
    for n, axis in enumerate(turns):
        if n == 1 and "angle" in options:
            turn = turn * tilt(turns[0], turns[1], options["angle"])
        turn = turn * Rotation.from_euler(axis.upper(), rng.uniform(-2.5, 2.5))
    return shift, turn.as_matrix()


@cache
def at_allowed_poses():
    """One lane for each joint of the one pair a-b, in a pose that this joint allows."""
    declared, program = study("one pair")
    rng = np.random.default_rng(50)
    r, v, q, w = drawn_state(rng, 3, LANES)
    for k, item in enumerate(declared.joints):
        shift, turn = allowed_pose(k, rng)
        frames = [
            np.eye(3) if f is None else matrix(f.quaternion) for f in (item.parent_frame, item.child_frame)
        ]
        a = matrix(q[:, 0, k])
        b = a @ frames[0] @ turn @ frames[1].T
        arm_a = item.parent_at - BODIES[0].mass_centre + frames[0] @ shift
        r[:, 1, k] = r[:, 0, k] + a @ arm_a - b @ (item.child_at - BODIES[1].mass_centre)
        q[:, 1, k] = Rotation.from_matrix(b).as_quat(scalar_first=True)
    u = np.zeros((6, 3, *LANES))
    x = packed(r, v, q, w)
    found = program(np.full(LANES, TIME), x, 0 * x, u, u)
    return declared, found["rows"], row_table(declared).joint, (r, q)


@pytest.mark.parametrize("k", range(len(JOINTS)), ids=lambda k: f"{JOINTS[k][0]}-{k}")
def test_number_of_rows_and_free_motions(k):
    """Rows as many as in the table, zero in every pose that the free motions reach, and independent there:
    the free motions are six less the rows."""
    declared, rows, owner, _ = at_allowed_poses()
    expected = JOINTS[k][2]
    mine = np.flatnonzero(owner == k)
    held = rows_of(declared.joints[k])
    assert len(held.translations) + len(held.rotations) + held.rod == len(mine) == expected
    # Points up to 2 m from the mass centres and mass centres up to 4 m from the origin.
    np.testing.assert_allclose(
        np.asarray(rows.g)[mine, k], np.zeros(expected), rtol=0, atol=ROUNDINGS * EPS * 6
    )
    jacobian = np.concatenate([np.asarray(rows.on_a)[:, mine, k], np.asarray(rows.on_b)[:, mine, k]]).T
    assert np.linalg.matrix_rank(jacobian, tol=1e-3) == expected


LOCKED_SETS = [
    subset for n in range(1, 7) for subset in itertools.combinations(("tx", "ty", "tz", "rx", "ry", "rz"), n)
]


def test_generalized_joint_has_one_row_for_each_locked_axis():
    assert len(LOCKED_SETS) == 63
    for locked in LOCKED_SETS:
        rows = rows_of(ist.Joint(name="g", kind="generalized", parent="a", child="b", locked=locked))
        assert ["t" + AXES[axis] for axis in rows.translations] == [name for name in locked if name[0] == "t"]
        assert len(rows.rotations) == sum(name[0] == "r" for name in locked)
        assert len(set(rows.rotations)) == len(rows.rotations)


TABLE = {
    "fixed": ("123", ("b2.a1", "b3.a1", "b2.a3")),
    "revolute": ("123", ("b3.a1", "b3.a2")),
    "universal": ("123", ("b3.a2",)),
    "spherical": ("123", ()),
    "translational": ("12", ("b3.a1", "b3.a2", "b1.a2")),
    "cylindrical": ("12", ("b3.a1", "b3.a2")),
    "planar": ("2", ("b2.a1", "b2.a3")),
    "rod": ("", ()),
}
"""TP-2016, section 3.1: locked translations along axes of A, and axes of B and A kept perpendicular."""


@pytest.mark.parametrize(
    "k", [k for k, (kind, options, *_) in enumerate(JOINTS) if kind in TABLE and set(options) <= {"length"}]
)
def test_named_joints_have_the_rows_of_the_report(k):
    """Values of g in poses that violate the joint, against the report's expressions."""
    declared, rows, owner, (r, q) = at_allowed_poses()
    item = declared.joints[k]
    lanes = [lane for lane in range(len(JOINTS)) if lane != k]
    translations, rotations = TABLE[item.kind]
    for lane in lanes:
        a, b = matrix(q[:, 0, lane]), matrix(q[:, 1, lane])
        frames = [
            np.eye(3) if f is None else matrix(f.quaternion) for f in (item.parent_frame, item.child_frame)
        ]
        d = r[:, 1, lane] + b @ (item.child_at - BODIES[1].mass_centre)
        d = d - r[:, 0, lane] - a @ (item.parent_at - BODIES[0].mass_centre)
        a, b = a @ frames[0], b @ frames[1]
        expected = [d @ a[:, int(n) - 1] for n in translations]
        expected += [b[:, int(text[1]) - 1] @ a[:, int(text[4]) - 1] for text in rotations]
        expected += [(d @ d - ROD**2) / (2 * ROD)] if item.kind == "rod" else []
        found = np.asarray(rows.g)[owner == k, lane]
        # The distance row is a square: (10 m)^2 / 2.6 m.
        np.testing.assert_allclose(np.sort(found), np.sort(expected), rtol=0, atol=ROUNDINGS * EPS * 40)
