"""Accelerations and multipliers against a dense solution of the same equations, and against Newton and Euler.

The dense system is [M, -A^T; A, 0] [udot; lam] = [f; -gamma] (TP-2016 eqs 29-34), solved by LAPACK with
pivoting."""

from __future__ import annotations

from functools import cache
from typing import Any

import jax
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import interstage as ist
from engine_door import instant, mechanism_of, packed, quantities, quickly, row_table
from interstage.formulations import cholesky, elimination
from interstage.formulations.contract import Constraints, Inertias
from mechanics import COAST, EPS, drawn_attitude, drawn_body, drawn_state, matrix

# --- Cholesky -----------------------------------------------------------------------------------------------


def positive_definite(rng, n, lanes):
    root = rng.standard_normal((lanes, n, n))
    return root @ np.swapaxes(root, 1, 2) + 0.1 * np.eye(n)


@pytest.mark.parametrize("n", [1, 5, cholesky.WRITTEN_OUT, cholesky.WRITTEN_OUT + 1, 30])
def test_cholesky_factor_and_solution(n):
    """Both ways of writing it; backward errors as the theory has them: n roundings of the matrix."""
    rng = np.random.default_rng(60 + n)
    a, b = positive_definite(rng, n, 4), rng.standard_normal((4, n))

    def program(a, b):
        lower = cholesky.factor(a)
        return lower, cholesky.solve(a, lower, b)

    compiled = n in (1, cholesky.WRITTEN_OUT + 1)
    found = (quickly(program) if compiled else program)(np.moveaxis(a, 0, -1), b.T)
    lower, x = (np.moveaxis(np.asarray(f), -1, 0) for f in found)
    size = np.linalg.norm(a, axis=(1, 2))
    # The inverses of the pivots stand in place of the diagonal of ones.
    pivots = 1 / np.diagonal(lower, axis1=1, axis2=2)
    unit = np.tril(lower, -1) + np.eye(n)
    error = np.abs(unit * pivots[:, None] @ np.swapaxes(unit, 1, 2) - a).max(axis=(1, 2))
    assert (np.triu(lower, 1) == 0).all()
    assert (error <= (n + 1) * EPS * size).all()
    residual = np.abs(np.einsum("lij,lj->li", a, x) - b).max(axis=1)
    assert (residual <= (3 * n + 1) * EPS * (size * np.linalg.norm(x, axis=1) + 1)).all()


def test_derivative_of_a_solution():
    """dx = a^-1 (db - da x), which does not pass through the elimination."""
    rng = np.random.default_rng(59)
    a, da = positive_definite(rng, 4, 2)
    b, db = rng.standard_normal((2, 4))
    solved = lambda a, b: cholesky.solve(a, cholesky.factor(a), b)  # noqa: E731
    _, dx = quickly(lambda *args: jax.jvp(solved, args[:2], args[2:]))(a, b, da, db)
    expected = np.linalg.solve(a, db - da @ np.linalg.solve(a, b))
    # Two solutions one after the other, each as good as the conditioning allows.
    bound = 2 * 4 * EPS * np.linalg.cond(a) ** 2 * np.linalg.norm(expected)
    np.testing.assert_allclose(dx, expected, rtol=0, atol=bound)


def test_cholesky_says_when_a_matrix_is_not_positive_definite():
    for n in (3, cholesky.WRITTEN_OUT + 1):
        a = np.eye(n)
        a[n - 1, n - 1] = -1.0
        assert np.isnan(np.asarray(quickly(cholesky.factor)(a))).any()


@pytest.mark.parametrize("rows", [3, cholesky.WRITTEN_OUT + 2])
def test_a_singular_matrix_has_no_factor(rows):
    """Its last pivot is rounding, of either sign."""
    for seed in range(20):
        a = np.random.default_rng(seed).standard_normal((rows, rows - 1))
        assert not np.all(np.isfinite(cholesky.factor(a @ a.T)))


# --- drawn systems ------------------------------------------------------------------------------------------


def drawn_system(rng, bodies, joints, ground, lanes) -> Any:
    """Inertias, forces and rows of a drawn tree; `joints` gives the number of rows that tie each body to an
    earlier one."""
    n = bodies + ground
    mass = rng.uniform(0.5, 20, (bodies, lanes))
    root = rng.standard_normal((bodies, lanes, 3, 3))
    inertia = root @ np.swapaxes(root, 2, 3) + 0.3 * np.eye(3)
    inverse_mass, inverse = np.zeros((n, lanes)), np.zeros((n, lanes, 3, 3))
    inverse_mass[:bodies], inverse[:bodies] = 1 / mass, np.linalg.inv(inertia)
    parent, child = [], []
    for body, rows in enumerate(joints):
        other = n - 1 if body == 0 and ground else int(rng.integers(body)) if body else None
        if other is not None:
            parent += [other] * rows
            child += [body] * rows
    on_a, on_b = rng.standard_normal((2, 6, len(parent), lanes))
    both: Any = inverse_mass, np.moveaxis(inverse, (2, 3), (0, 1))
    inertias = Inertias(*both)
    force = rng.standard_normal((6, n, lanes)) * 10
    bias = rng.standard_normal((len(parent), lanes))
    return (
        mass,
        inertia,
        inertias,
        force,
        Constraints(np.array(parent), np.array(child), on_a, on_b, bias, None),
    )


def dense(mass, inertia, force, constraints, lane) -> Any:
    """(mass matrix, A, f, gamma) of one lane, without the ground, with the active rows only."""
    bodies = mass.shape[0]
    m = np.zeros((6 * bodies, 6 * bodies))
    for k in range(bodies):
        m[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = mass[k, lane] * np.eye(3)
        m[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = inertia[k, lane]
    a = np.zeros((len(constraints.parent), 6 * bodies))
    for row, (p, c) in enumerate(zip(constraints.parent, constraints.child)):
        for body, on in ((p, constraints.on_a), (c, constraints.on_b)):
            if body < bodies:
                a[row, 6 * body : 6 * body + 6] += np.asarray(on)[:, row, lane]
    rows = slice(None) if constraints.active is None else np.asarray(constraints.active)[:, lane] > 0
    f = np.asarray(force)[:, :bodies, lane].T.reshape(-1)
    return m, a[rows], f, np.asarray(constraints.bias)[rows, lane], rows


def compare(m, a, f, gamma, udot, lam, roundings):
    """Fixed residuals, and the solution as near to the dense one as the conditioning of A M^-1 A^T allows."""
    n = len(f)
    kkt = np.block([[m, -a.T], [a, np.zeros((len(a), len(a)))]])
    exact = np.linalg.solve(kkt, np.concatenate([f, -gamma]))
    response = a @ np.linalg.solve(m, a.T)
    condition = np.linalg.cond(response) if len(a) else 1.0
    size = np.linalg.norm(exact[n:]) if len(a) else 0.0
    # Newton's law row by row, whatever the conditioning.
    balance = m @ udot - f - a.T @ lam
    assert np.abs(balance).max() <= roundings * EPS * np.linalg.cond(m) * (
        np.abs(f).max() + np.linalg.norm(a) * size
    )
    # The constraint, as good as a backward stable solution of the normal equations makes it.
    held = a @ udot + gamma
    push = np.linalg.norm(np.linalg.solve(m, f)) * np.linalg.norm(a) if len(a) else 0.0
    bound = (
        roundings * EPS * (np.linalg.norm(response) * size + push + np.linalg.norm(gamma)) if len(a) else 1.0
    )
    assert np.abs(held).max(initial=0) <= bound
    bound = roundings * EPS * condition * max(size, push)
    assert np.abs(lam - exact[n:]).max(initial=0) <= bound
    reach = np.linalg.norm(np.linalg.solve(m, a.T)) if len(a) else 0.0
    # Where rows hold a motion by a large force, its rounding is the acceleration's: hence the reach of A^T
    # lam.
    assert np.abs(udot - exact[:n]).max() <= bound * reach + roundings * EPS * np.linalg.norm(
        np.linalg.solve(m, f)
    )


ROUNDINGS = 50
"""Roundings that sums over up to 36 velocities and 24 rows may pile up; their square root is what is met."""
SYSTEMS = {
    "two bodies": (2, (0, 5), False),
    "four bodies and the ground": (4, (3, 2, 4, 1), True),
    "six bodies, more rows than are written out": (6, (5, 3, 6, 1, 4, 5), True),
}
COMPILED = {("two bodies", False), ("six bodies, more rows than are written out", True)}
"""Systems that are solved by a compiled program; the others by NumPy."""


@pytest.mark.parametrize("masked", [False, True], ids=["all rows", "masked"])
@pytest.mark.parametrize("name", SYSTEMS)
def test_against_the_dense_solution(name, masked):
    bodies, joints, ground = SYSTEMS[name]
    rng = np.random.default_rng(70)
    lanes = 6
    mass, inertia, inertias, force, constraints = drawn_system(rng, bodies, joints, ground, lanes)
    if masked:
        active = (rng.random(constraints.bias.shape) < 0.6).astype(float)
        active[:, 0], active[:, 1] = 0.0, 1.0  # one lane where nothing holds, one where everything does
        constraints = constraints._replace(active=active)
    parent, child = constraints.parent, constraints.child

    def program(inertias, force, on_a, on_b, bias, active):
        rows = Constraints(parent, child, on_a, on_b, bias, active)
        free = elimination.times_inverse_mass(inertias, force)
        return elimination.nearest(elimination.prepare(inertias, rows, False), inertias, free, rows)

    way = quickly(program) if (name, masked) in COMPILED else program
    acceleration, multipliers = map(np.asarray, way(inertias, force, *constraints[2:6]))
    for lane in range(lanes):
        m, a, f, gamma, rows = dense(mass, inertia, force, constraints, lane)
        lam = multipliers[:, lane]
        if masked:
            assert (lam[~rows] == 0).all()
        compare(m, a, f, gamma, acceleration[:, :bodies, lane].T.reshape(-1), lam[rows], ROUNDINGS)
    if ground:
        assert (acceleration[:, -1] == 0).all()


def test_impulse_of_a_capture_is_the_smallest_change_of_velocity():
    """After it the rows hold, and the change is M^-1 A^T times the impulse."""
    rng = np.random.default_rng(71)
    mass, inertia, inertias, velocity, constraints = drawn_system(rng, 3, (2, 3, 4), True, 2)
    velocity[:, -1] = 0
    parent, child = constraints.parent, constraints.child

    def program(inertias, velocity, *rows):
        constraints = Constraints(parent, child, rows[0], rows[1], rows[2], None)
        prepared = elimination.prepare(inertias, constraints, False)
        return elimination.nearest(prepared, inertias, velocity, constraints)

    after, impulse = map(np.asarray, program(inertias, velocity, *constraints[2:5]))
    for lane in range(2):
        m, a, u, bias, _ = dense(mass, inertia, velocity, constraints, lane)
        change = after[:, :3, lane].T.reshape(-1) - u
        # The impulse solves the same equations as the multipliers do: f stands for M u.
        compare(m, a, m @ u, bias, u + change, impulse[:, lane], ROUNDINGS)


# --- mechanisms: the reported loads -------------------------------------------------------------------------


ETA = 3.0
ROD = 0.8
TREE = [
    ("ground", "a", "revolute", {"axis": "y"}),
    ("a", "b", "spherical", {}),
    ("b", "c", "universal", {}),
    ("c", "d", "translational", {"axis": "x"}),
    ("d", "e", "rod", {"length": ROD}),
    ("f", "c", "fixed", {}),
    ("e", "g", "generalized", {"locked": ("tx", "rz")}),
]


def mechanism_of_seven():
    """A tree on the ground whose joints are of every sort, under gravity and given loads; Baumgarte's
    feedback."""
    rng = np.random.default_rng(80)
    bodies = tuple(drawn_body(rng, name, initial=ist.State()) for name in "abcdefg")
    joints = tuple(
        ist.Joint(
            name=parent + child,
            kind=kind,
            parent=parent,
            child=child,
            parent_at=rng.uniform(-1, 1, 3),
            child_at=rng.uniform(-1, 1, 3),
            parent_frame=drawn_attitude(rng),
            child_frame=drawn_attitude(rng),
            **options,
        )
        for parent, child, kind, options in TREE
    )
    forces = (
        ist.Force(name="push", body="b", at=rng.uniform(-1, 1, 3), force=[3.0, -2.0, 5.0], axes="body"),
        ist.Force(name="pull", body="d", at=rng.uniform(-1, 1, 3), force=[-4.0, 1.0, 2.0], axes="inertial"),
        ist.Torque(name="turn", body="e", torque=[0.3, -0.2, 0.9], axes="inertial"),
    )
    return ist.Scenario(
        gravity=ist.UniformGravity(acceleration=[0.2, -0.4, -9.8]),
        bodies=bodies,
        joints=joints,
        forces=forces,
        phases=COAST,
        solver=ist.Solver(stabilization="baumgarte", eta=ETA),
    )


@cache
def seven_at_a_drawn_state() -> Any:
    """What is reported of the seven bodies in a state far off the constraints, the rows, and that state."""
    scenario = mechanism_of_seven()

    def program(t, x):
        now = instant(mechanism_of(scenario, rods=[ROD]), t, x)
        wanted = ("bodies.", "joints.", "forces.")
        unwanted = ("violation", "violation_rate", "gap", "misalignment", "active")
        values = {
            path: value
            for path, value in quantities(now).items()
            if path.startswith(wanted) and path.rpartition(".")[2] not in unwanted
        }
        return values, now.rows, now.multipliers, now.acceleration, now.wrench

    state = drawn_state(np.random.default_rng(81), 7)
    values, rows, lam, acceleration, force = program(0.2, packed(*state))
    return scenario, {p: np.asarray(v) for p, v in values.items()}, rows, lam, acceleration, force, state


def test_mechanism_against_the_dense_solution():
    scenario, _, rows, lam, acceleration, force, _ = seven_at_a_drawn_state()
    table = row_table(scenario)
    mass = np.array([[b.mass] for b in scenario.bodies])
    inertia = np.array([[b.inertia] for b in scenario.bodies])
    parent, child = (np.array(ends)[table.joint] for ends in (table.parent, table.child))
    bias = rows.gamma + 2 * ETA * rows.gdot + ETA**2 * rows.g
    assert len(bias) == 5 + 3 + 4 + 5 + 1 + 6 + 2
    lanes: Any = lambda field: np.asarray(field)[..., None]  # noqa: E731
    constraints = Constraints(parent, child, lanes(rows.on_a), lanes(rows.on_b), lanes(bias), None)
    m, a, f, gamma, _ = dense(mass, inertia, lanes(force), constraints, 0)
    compare(m, a, f, gamma, np.asarray(acceleration)[:, :7].T.reshape(-1), np.asarray(lam), ROUNDINGS)


def turned(state, k, vector):
    """Inertial components of a vector in body axes."""
    return matrix(state[2][:, k]) @ vector


def test_newton_and_euler_with_the_reported_loads():
    """m a and J wdot + w x J w of every body are the sums of what is reported to act on it."""
    scenario, values, _, _, _, _, state = seven_at_a_drawn_state()
    for k, body in enumerate(scenario.bodies):
        force = body.mass * scenario.gravity.acceleration
        torque = np.zeros(3)
        scale = np.linalg.norm(force)
        for load in scenario.forces:
            if load.body == body.name:
                force = force + values[f"forces.{load.name}.force"]
                torque = torque + values[f"forces.{load.name}.torque"]
        for joint in scenario.joints:
            for end in ("parent", "child"):
                if getattr(joint, end) == body.name:
                    share = values[f"joints.{joint.name}.reaction_{end}_force"]
                    force = force + turned(state, k, share)
                    torque = torque + values[f"joints.{joint.name}.reaction_{end}_torque"]
                    scale += np.linalg.norm(share)
        w = state[3][:, k]
        accelerations = (
            values[f"bodies.{body.name}.acceleration"],
            values[f"bodies.{body.name}.angular_acceleration"],
        )
        euler = body.inertia @ accelerations[1] + np.cross(w, body.inertia @ w)
        # Arms are up to 8 m here (far off the constraints); the inverse inertia is solved back within its
        # conditioning.
        bound = ROUNDINGS * EPS * scale
        np.testing.assert_allclose(body.mass * accelerations[0], force, rtol=0, atol=bound)
        np.testing.assert_allclose(euler, torque, rtol=0, atol=8 * np.linalg.cond(body.inertia) * bound)


def test_joint_loads_are_one_wrench_in_four_forms():
    """On the child at the joint point in both joint frames, and about either centre of mass in that body's
    axes."""
    scenario, values, _, _, _, _, state = seven_at_a_drawn_state()
    names = [b.name for b in scenario.bodies]
    r = state[0]
    for joint in scenario.joints:
        told = lambda key, joint=joint: values[f"joints.{joint.name}.{key}"]  # noqa: E731
        c = names.index(joint.child)
        centre = scenario.bodies[c].mass_centre
        force = turned(state, c, matrix(joint.child_frame.quaternion) @ told("force_child"))
        torque = turned(state, c, matrix(joint.child_frame.quaternion) @ told("torque_child"))
        bound = ROUNDINGS * EPS * (np.linalg.norm(force) + np.linalg.norm(torque)) * 8
        frame_a = matrix(joint.parent_frame.quaternion)
        if joint.parent != "ground":
            p = names.index(joint.parent)
            frame_a = matrix(state[2][:, p]) @ frame_a
        np.testing.assert_allclose(frame_a @ told("force"), force, rtol=0, atol=bound)
        np.testing.assert_allclose(frame_a @ told("torque"), torque, rtol=0, atol=bound)
        point = r[:, c] + turned(state, c, joint.child_at - centre)
        about_child = torque + np.cross(point - r[:, c], force)
        np.testing.assert_allclose(turned(state, c, told("reaction_child_force")), force, rtol=0, atol=bound)
        np.testing.assert_allclose(
            turned(state, c, told("reaction_child_torque")), about_child, rtol=0, atol=bound
        )
        if joint.parent != "ground":
            about_parent = -torque - np.cross(point - r[:, p], force)
            np.testing.assert_allclose(
                turned(state, p, told("reaction_parent_force")), -force, rtol=0, atol=bound
            )
            np.testing.assert_allclose(
                turned(state, p, told("reaction_parent_torque")), about_parent, rtol=0, atol=bound
            )
        else:
            assert f"joints.{joint.name}.reaction_parent_force" not in values


def test_displacement_and_rotation_of_a_joint():
    """From the parent's joint frame: of the joint point, and the 1-2-3 angles of the child's frame."""
    scenario, values, _, _, _, _, state = seven_at_a_drawn_state()
    joint = scenario.joints[1]
    (a, b), r = (matrix(state[2][:, k]) for k in (0, 1)), state[0]
    frame_a, frame_b = a @ matrix(joint.parent_frame.quaternion), b @ matrix(joint.child_frame.quaternion)
    arms = [
        m @ (at - body.mass_centre)
        for m, at, body in zip((a, b), (joint.parent_at, joint.child_at), scenario.bodies)
    ]
    gap = frame_a.T @ (r[:, 1] + arms[1] - r[:, 0] - arms[0])
    angles = Rotation.from_matrix(frame_a.T @ frame_b).as_euler("XYZ")
    # Points up to 4 m from the inertial origin; angles divided by the cosine of the second one, here 0.6 or
    # more.
    np.testing.assert_allclose(values["joints.ab.displacement"], gap, rtol=0, atol=8 * EPS * 4)
    np.testing.assert_allclose(values["joints.ab.rotation"], angles, rtol=0, atol=32 * EPS)
