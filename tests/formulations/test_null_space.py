"""Null space of the constraint Jacobian, in closed form and numerically, on drawn trees and loops of all
joints.

Oracles: automatic differentiation along the motion, LAPACK's singular values, and LAPACK's solution of
[M, -A^T; A, 0] [udot; lam] = [f; -gamma].
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

import interstage as ist
from engine_door import (
    derivative,
    inertias,
    instant,
    joints,
    layout_of,
    mechanism_of,
    quickly,
    row_table,
    start_of,
    switches,
)
from interstage.formulations import null_space
from interstage.formulations.joint_motion import Locked, Tree, parent_axes_of_rows
from interstage.formulations.null_space_dense import jacobian, lanes_first, mass_matrix
from interstage.maths.arrays import jnp, jvp
from interstage.model.attachments import column
from interstage.model.formulation import NullSpace
from linkages import KINDS, drawn_linkage, state_of
from mechanics import EPS

SHUFFLED = np.random.default_rng(70).permutation(len(KINDS))
TREES = {
    f"tree {k}": (70 + k, tuple(KINDS[i] for i in group), k % 2 == 0)
    for k, group in enumerate(np.array_split(SHUFFLED, 3))
}
"""Every kind of joint once, on trees with and without the ground; three lanes each."""
WAYS = [NullSpace(), NullSpace(form="implicit_1"), NullSpace(form="implicit_2")]
WAYS += [NullSpace(road="numerical", form=way.form) for way in WAYS]
ROD = 1.3
QUICK_WAYS = [WAYS[0], WAYS[3]]
SOLVED = ["tree 0"]
"""The solutions are tried on fewer systems."""
COMPILED = ["rods"]
"""The loop whose solutions are compiled."""
ROUNDINGS = 200
"""Roundings that sums over 60 velocities and 50 rows may pile up; their square root is what is met."""


def rotated_back(turn, vectors):
    """Body components of inertial vectors (3, body, [column,] *lanes)."""
    turn = turn[:, :, : vectors.shape[1]]
    return jnp.sum((turn if turn.ndim == vectors.ndim + 1 else turn[:, :, :, None]) * vectors[:, None], 0)


class Pose:
    """A linkage at x as the formulations see it."""

    def __init__(self, scenario, x, modes=None):
        lanes, rods = x.shape[1:], [ROD] * len(row_table(scenario).rods)
        mechanism = mechanism_of(scenario, lanes, rods=rods)
        here = instant(mechanism, 0.0, x, None if modes is None else switches(mechanism, lanes, modes=modes))
        self.motion, self.rows, self.constraints = here.motion, here.rows, here.constraints
        self.joints, self.inertias = joints(here), inertias(here)
        forest = null_space.forest_of(self.joints, self.inertias)
        self.tree = Tree(forest, self.joints, self.axis)
        self.columns = self.tree.columns()

    def axis(self, j, a):
        return column(self.joints.frame_a, j, 2)[:, a], column(self.joints.pairs.spin_a, j, 1)

    def in_body_axes(self, v, w):
        return jnp.concatenate([v, rotated_back(self.motion.rotation, w)])

    def basis(self):
        """H2 (6, body, column, *lanes), angular velocities in body axes."""
        return self.in_body_axes(*self.tree.basis(self.columns))

    def solved(self, force, ways):
        """Dense matrices of the equations, lanes first, and the solutions of all ways."""
        given = self.inertias, force, self.constraints, self.joints
        bodies = self.tree.forest.bodies
        active = self.constraints.active
        return {
            "mass": mass_matrix(self.inertias, force.shape[2:]),
            "jacobian": jacobian(self.constraints, bodies),
            "bias": lanes_first(self.constraints.bias),
            "active": lanes_first(jnp.ones_like(self.rows.g) if active is None else active),
            "force": jnp.moveaxis(force[:, :bodies], 0, 1).reshape(6 * bodies, -1).T,
            "g": self.rows.g,
            "gdot": self.rows.gdot * (1.0 if active is None else active),
            "found": [null_space.solve(way, *given) for way in ways],
        }


def rates(x, v, w, q):
    """dx/dt of the engine's state without accelerations."""
    bodies, xdot = v.shape[1], np.zeros_like(x)
    xdot[: 3 * bodies] = v.reshape(3 * bodies, -1)
    turn = np.concatenate([-np.sum(q[1:] * w, 0)[None], q[0] * w + np.cross(q[1:], w, axis=0)])
    xdot[6 * bodies : 10 * bodies] = 0.5 * turn.reshape(4 * bodies, -1)
    return xdot


@cache
def studied(name) -> Any:
    """A tree in poses that its joints allow, moving as they allow, with derivatives by dual numbers."""
    seed, kinds, ground = TREES[name]
    linkage = drawn_linkage(seed, kinds, ground)
    scenario, (_, bodies, lanes) = linkage.scenario, linkage.r.shape
    rng = np.random.default_rng(seed)
    free = sum(len(slides) + len(turns) for _, _, slides, turns in kinds) + (0 if ground else 6)
    still = state_of(linkage, np.zeros_like(linkage.r), np.zeros_like(linkage.r))
    force = rng.standard_normal((6, bodies + ground, lanes))
    second = rng.standard_normal((free, lanes))
    at_rest = Pose(scenario, still).basis()
    u, x = np.sum(at_rest * second, 2), np.array(still)
    x[3 * bodies : 6 * bodies] = u[:3].reshape(3 * bodies, -1)
    x[10 * bodies : 13 * bodies] = u[3:].reshape(3 * bodies, -1)
    xdot = rates(x, u[:3], u[3:], linkage.q)
    basis, along = jvp(lambda x: Pose(scenario, x).basis(), (x,), (xdot,))
    pose = Pose(scenario, x)
    v, w = pose.tree.rate(pose.columns, second)
    by_rows = Tree(pose.tree.forest, pose.joints, parent_axes_of_rows(pose.joints, pose.constraints))
    locked = Locked(pose.tree, pose.constraints)
    count = pose.rows.g.shape[0]
    units = np.broadcast_to(np.eye(count)[..., None], (count, count, lanes))
    h1 = [pose.in_body_axes(*locked.motion(unit)) for unit in units]
    return pose.solved(force, QUICK_WAYS if name in SOLVED else []) | {
        "basis": basis,
        "basis by rows": pose.in_body_axes(*by_rows.basis(by_rows.columns())),
        "along": np.sum(along * second, 2),
        "rate": pose.in_body_axes(v, w),
        "h1": np.stack(h1, 2),
    }


def flat(array, lane):
    """(6, body, column, lane) as a matrix (6 bodies, column)."""
    return np.swapaxes(array[..., lane], 0, 1).reshape(6 * array.shape[1], -1)


@pytest.mark.parametrize("name", TREES)
def test_basis_and_its_rate(name):
    """A H2 = 0 and A H1 = 1; H2 spans what LAPACK finds; H2dot q2' is what automatic differentiation
    finds."""
    s = studied(name)
    assert np.abs(s["g"]).max() < 100 * EPS
    assert np.abs(s["gdot"]).max() < ROUNDINGS * EPS * np.abs(s["basis"]).max()
    for lane in range(s["basis"].shape[-1]):
        a, h2 = s["jacobian"][lane], flat(s["basis"], lane)
        rounding = ROUNDINGS * EPS * np.linalg.norm(a, 2) * np.linalg.norm(h2, 2)
        assert np.abs(a @ h2).max() < rounding
        assert np.abs(a @ flat(s["basis by rows"], lane)).max() < rounding
        assert np.abs(a @ flat(s["h1"], lane) - np.eye(len(a))).max() < rounding
        # Sine of the largest angle between the two spaces, which have the same dimension.
        null = np.linalg.svd(a)[2][np.linalg.matrix_rank(a) :].T
        assert null.shape == h2.shape
        own = np.linalg.qr(h2)[0]
        assert np.linalg.norm(own - null @ (null.T @ own), 2) < rounding * np.linalg.cond(h2)
        rate, along = (flat(s[key][:, :, None], lane)[:, 0] for key in ("rate", "along"))
        assert np.abs(rate - along).max() < rounding * np.abs(along).max()
        # The rows' own rate: A udot = -gamma for udot = H2dot q2', whatever the loads.
        assert np.abs(a @ rate + s["bias"][lane]).max() < rounding * np.abs(along).max()


def compare(s, way, determined=True):
    """One way's solution against LAPACK's, in coordinates in which all masses are one: as near as the
    conditioning allows."""
    acceleration, multipliers = s["found"][way]
    for lane in range(len(s["mass"])):
        held = s["active"][lane] > 0
        root = np.linalg.cholesky(s["mass"][lane])
        a = np.linalg.solve(root, s["jacobian"][lane][held].T).T
        length = np.linalg.norm(a, axis=1)
        a, gamma = a / length[:, None], s["bias"][lane][held] / length
        kkt = np.block([[np.eye(len(root)), -a.T], [a, np.zeros((len(a), len(a)))]])
        right = np.concatenate([np.linalg.solve(root, s["force"][lane]), -gamma])
        exact, _, rank, values = np.linalg.lstsq(kkt, right, rcond=1e-9)
        bound = ROUNDINGS * EPS * values[0] / values[rank - 1] * np.linalg.norm(exact)
        udot = flat(acceleration[:, : len(root) // 6, None], lane)[:, 0]
        lam = multipliers[:, lane]
        assert np.abs(root.T @ udot - exact[: len(root)]).max() < bound
        assert (lam[~held] == 0).all()
        push = a.T @ (lam[held] * length - exact[len(root) :])
        assert np.abs(push).max() < bound
        if determined:
            assert np.abs(lam[held] * length - exact[len(root) :]).max() < bound


@pytest.mark.parametrize("name", SOLVED)
def test_accelerations_and_multipliers_of_trees(name):
    for way in range(len(QUICK_WAYS)):
        compare(studied(name), way)


# --- loops and switches ---------------------------------------------------------------------------------


def named(*kinds):
    """The first of each of the kinds of joints."""
    return tuple(next(k for k in KINDS if k[0] == kind) for kind in kinds)


LOOPS = {
    "one ball": (named("revolute", "spherical", "universal"), True, named("spherical"), True),
    "fixed twice": (named("fixed", "planar", "fixed"), False, named("fixed", "revolute"), False),
    "rods": (named("spherical", "cylindrical"), False, (("rod", {}, "", ""),), True),
}


@cache
def closed(name) -> Any:
    """A loop at rest; of one all that is asked is compiled."""
    kinds, ground, loops, determined = LOOPS[name]
    ways = QUICK_WAYS if determined else WAYS
    linkage = drawn_linkage(90 + len(kinds), kinds, ground, loops)
    still = state_of(linkage, np.zeros_like(linkage.r), np.zeros_like(linkage.r))
    force = np.random.default_rng(91).standard_normal((6, linkage.r.shape[1] + ground, 1))

    def solved(x, force):
        return Pose(linkage.scenario, x).solved(force, ways)

    return jax.device_get(quickly(solved)(still, force) if name in COMPILED else solved(still, force))


@pytest.mark.parametrize("name", LOOPS)
def test_accelerations_and_multipliers_of_loops(name):
    """Where rows repeat each other the accelerations are the same, and so are the sums of the loads."""
    s = closed(name)
    for way in range(len(s["found"])):
        compare(s, way, determined=LOOPS[name][-1])


def test_lanes_in_which_other_joints_hold():
    """A chain whose joints are released, replaced and attached: each lane as its switches say."""
    kinds = named("fixed", "revolute", "spherical", "universal")
    phases = (
        ist.Phase(name="one", until=ist.Trigger(time=1.0)),
        ist.Phase(
            name="two",
            until=ist.Trigger(time=2.0),
            release=("j0", "j1"),
            replace=(
                ist.Replacement(joint="j2", kind="fixed"),
                ist.Replacement(joint="j3", kind="cylindrical"),
                ist.Replacement(joint="j1", kind="rod", length=1.0),
            ),
        ),
    )
    linkage = drawn_linkage(95, kinds, False, lanes=5, phases=phases)
    modes = np.array([[1, 0, 1, 0, 1], [1, 1, 0, 2, 2], [1, 2, 1, 2, 1], [1, 2, 1, 1, 2]])
    assert layout_of(linkage.scenario).reachable == ((0, 1), (0, 1, 2), (1, 2), (1, 2))
    rng = np.random.default_rng(96)
    apart = np.zeros_like(linkage.r)
    # Where j0 has let go of b0, this has gone far away; within a step attitudes are not quite of unit length.
    apart[:, 0, [1, 3]] = 1e7
    uneven = linkage.q * rng.uniform(0.99, 1.01, linkage.r.shape[1:])
    linkage = linkage._replace(r=linkage.r + apart, q=uneven)
    x = state_of(linkage, rng.standard_normal(linkage.r.shape), rng.standard_normal(linkage.r.shape))

    # By NumPy; the ways are compiled for a loop above.
    found = Pose(linkage.scenario, x, modes).solved(rng.standard_normal((6, 5, 5)), WAYS)
    s = jax.device_get(found)
    for way in range(len(WAYS)):
        compare(s, way)


@pytest.mark.parametrize("form", ["implicit_1", "implicit_2"])
def test_the_implicit_forms_take_one_case_with_joints_that_are_let_go(form):
    """One case has no lanes: what says whether a joint holds is one traced number, not to be asked while the
    program is made."""
    demo = Path(__file__).parents[2] / "examples" / "payload_separation.toml"
    choice = {"kind": "null_space", "form": form}
    scenario = ist.load(demo, set={"solver.formulation": choice})
    start = start_of(scenario)

    def rate(start):
        return derivative(mechanism_of(scenario, begun=start), 0.0, start.x, start.discrete)

    assert jax.eval_shape(rate, start).shape == start.x.shape
