"""Algebraic formulations on drawn systems: all give the same accelerations and loads up to rounding.
Those that converge are in test_convergence.py.

The oracle is dense and made otherwise: the constrained least squares of Gauss's principle by singular values,
u = u_free - M^-1/2 (A M^-1/2)^+ (A u_free + gamma), and loads that are shared by the rule as the elastic
attachments of least energy that carry the sum A^T lam.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple, get_args

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from drawn_systems import Drawn, Structure, declared_system, drawn, structures
from engine_door import instant, layout_of, mechanism_of, packed, quickly, row_table, shared, solved, switches
from interstage.formulations import catalogue
from interstage.maths.arrays import jnp
from interstage.model import formulation as forms
from interstage.model.joint import JointKind
from mechanics import EPS

LANES = 8
STRUCTURES = structures()
EVERYWHERE = tuple(STRUCTURES)
ALGEBRAIC: dict[str, tuple[Any, tuple[str, ...]]] = {
    "lagrange_multiplier, dense": (forms.LagrangeMultiplier(elimination="dense"), EVERYWHERE),
    "lagrange_multiplier, tree": (
        forms.LagrangeMultiplier(elimination="tree"),
        ("redundant", "twelve bodies"),
    ),
    "constraint_force, 18": (forms.ConstraintForce(unknowns=18), ("two bodies", "a loop", "switching")),
    "constraint_force, 24": (forms.ConstraintForce(unknowns=24), ("a loop",)),
    "coordinate_partitioning": (forms.CoordinatePartitioning(), EVERYWHERE),
    "null_space": (forms.NullSpace(), ("two bodies", "twelve bodies", "switching")),
    "null_space, implicit 1": (forms.NullSpace(form="implicit_1"), ("a loop",)),
    "null_space, implicit 2": (forms.NullSpace(form="implicit_2"), ("redundant",)),
    "null_space, numerical": (forms.NullSpace(road="numerical"), ("redundant",)),
    "null_space, numerical, implicit 1": (
        forms.NullSpace(road="numerical", form="implicit_1"),
        ("two bodies",),
    ),
    "null_space, numerical, implicit 2": (
        forms.NullSpace(road="numerical", form="implicit_2"),
        ("switching",),
    ),
}
"""The algebraic formulations, and the structures that each is tried with."""
COMPILED = "a loop", "switching"
"""Structures whose formulations are compiled, which takes seconds for each; the others are computed by
NumPy."""
DEPENDENT = 1e-9
"""Part of the largest singular value below which one counts as none: some rows repeat others."""
NEARLY = 1e8
"""Condition beyond which a drawn pose is so nearly singular that it is left out: from 1e11 on rows count as
dependent."""
ROUNDINGS = 100
"""Roundings that sums over up to 72 velocities and about as many rows may pile up."""


def tried(structure: str) -> dict[str, Any]:
    """The formulations that a structure is tried with."""
    return {name: choice for name, (choice, chosen) in ALGEBRAIC.items() if structure in chosen}


class Rows(NamedTuple):
    """Constraint rows of one call: Jacobian (lane, row, 6 x body), bodies side by side; gamma, gdot and g
    (row, lane); 1 for rows that hold (row, lane); stiffness by which loads are shared (row,)."""

    jacobian: np.ndarray
    gamma: np.ndarray
    gdot: np.ndarray
    g: np.ndarray
    active: np.ndarray


@cache
def program(name: str) -> Any:
    """(leaves, x, force, lengths of rods, modes) -> rows, and accelerations and multipliers by
    formulation."""
    structure = STRUCTURES[name]
    plain = declared_system(structure)
    table = row_table(plain)

    def answers(leaves, x, force, rods, mode):
        mechanism = mechanism_of(plain, (LANES,), leaves=leaves, rods=rods)
        here = instant(mechanism, 0.0, x, switches(mechanism, (LANES,), modes=mode))
        found = {}
        for which, choice in tried(name).items():
            udot, lam = solved(here, choice, force)
            found[which] = udot, shared(here, lam)
            # One after the other: calls of LAPACK on many lanes that run at once may wait for each other.
            force = force + 0.0 * udot
        rows, active = here.rows, here.constraints.active
        active = jnp.ones_like(rows.g) if active is None else active
        return (rows.on_a, rows.on_b, rows.gamma, rows.gdot, rows.g, active), found

    way = quickly(answers) if name in COMPILED else answers

    def call(*args):
        (on_a, on_b, *rest), found = way(*args)
        ends = (np.array(side)[table.joint] for side in (table.parent, table.child))
        at = [np.eye(structure.bodies + 1)[side, : structure.bodies] for side in ends]
        a: Any = sum(np.einsum("crl,rb->lrbc", on, side) for on, side in zip((on_a, on_b), at))
        return Rows(a.reshape(*a.shape[:2], -1), *map(np.asarray, rest)), found

    return call


class Oracle:
    """Accelerations and loads of one lane by singular values, in the measure of the masses.

    root: R of M = R^T R. held: rows that hold. scale (row,): sizes of the rows of A R^-1; multipliers times
    these are comparable. condition: of A M^-1 A^T with a unit diagonal, on its range. size: of all that is
    added up to the accelerations."""

    def __init__(self, d: Drawn, rows: Rows, forces, lane: int):
        n = len(d.mass)
        self.held = rows.active[:, lane] > 0
        self.root = np.zeros((6 * n, 6 * n))
        for k in range(n):
            self.root[6 * k : 6 * k + 6, 6 * k : 6 * k + 6] = _root(d.mass[k, lane], d.inertia[lane, k])
        inverse = np.linalg.inv(self.root)
        weighed = rows.jacobian[lane][self.held] @ inverse
        self.scale = np.linalg.norm(weighed, axis=1)
        unit = weighed / self.scale[:, None]
        free = inverse.T @ d.force[:, :n, lane].T.reshape(-1)
        gamma = rows.gamma[:, lane][self.held] / self.scale
        sizes = np.linalg.svd(unit, compute_uv=False)
        rank = int(np.sum(sizes > DEPENDENT * max(sizes, default=0.0)))
        self.condition = (sizes[0] / sizes[rank - 1]) ** 2 if rank else 1.0
        pushed = -_pseudoinverse(unit, rank) @ (unit @ free + gamma)
        self.acceleration = free + pushed
        stiffness = np.sqrt(np.where(forces[self.held], 1.0, d.sharing[lane] ** 2))
        self.lam = stiffness * (_pseudoinverse((weighed * stiffness[:, None]).T, rank) @ pushed) * self.scale
        self.size = np.linalg.norm(free) + np.linalg.norm(pushed) + np.linalg.norm(gamma)


def _pseudoinverse(matrix, rank: int):
    left, sizes, right = np.linalg.svd(matrix, full_matrices=False)
    return right[:rank].T @ (left[:, :rank] / sizes[:rank]).T


def _root(mass, inertia):
    """A root R of a body's mass matrix, M = R^T R."""
    whole = np.zeros((6, 6))
    whole[:3, :3], whole[3:, 3:] = np.sqrt(mass) * np.eye(3), np.linalg.cholesky(inertia).T
    return whole


def on_the_constraints(structure: Structure, d: Drawn, call, mode):
    """What the program says of the drawn positions with velocities that the rows allow."""
    rows, *_ = call(d.leaves, packed(d.r, d.v, d.q, d.w), d.force, d.rods, mode)
    u = np.concatenate([d.v, d.w]).transpose(2, 1, 0).reshape(LANES, -1)
    for lane in range(LANES):
        held = rows.active[:, lane] > 0
        a, left = rows.jacobian[lane][held], rows.gdot[held, lane]
        change = -np.linalg.pinv(a, rcond=DEPENDENT) @ left
        u[lane] += change - np.linalg.pinv(a, rcond=DEPENDENT) @ (left + a @ change)
    v, w = np.split(u.reshape(LANES, structure.bodies, 6).transpose(2, 1, 0), 2)
    return call(d.leaves, packed(d.r, v, d.q, w), d.force, d.rods, mode)


def test_every_kind_of_joint_is_drawn():
    kinds = {kind for structure in STRUCTURES.values() for _, _, kind, _ in structure.joints}
    assert kinds == set(get_args(JointKind))
    assert {s.bodies for s in STRUCTURES.values()} >= {2, 12}


def test_every_algebraic_formulation_is_tried():
    kinds = {kind for kind, entry in catalogue.ENTRIES.items() if entry.agreement == "algebraic"}
    assert {choice.kind for choice, _ in ALGEBRAIC.values()} == kinds - {"composite"}  # has tests of its own


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=[pytest.mark.long] if n in ("a loop", "switching", "twelve bodies") else [])
        for n in sorted(STRUCTURES)
    ],
)
@settings(derandomize=True, max_examples=3, deadline=None, phases=[Phase.generate])
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 1.5]))
def test_algebraic_formulations_agree(name, seed, spread):
    """Accelerations and loads, on the constraints, of bodies alike and of very unlike masses and sizes."""
    structure, rng = STRUCTURES[name], np.random.default_rng(seed)
    call, plain = program(name), declared_system(structure)
    d, table = drawn(structure, plain, rng, LANES, spread), row_table(plain)
    mode = np.array([rng.choice(modes, LANES) for modes in layout_of(plain).reachable])
    rows, found = on_the_constraints(structure, d, call, mode)
    # Of metres, and of velocities that a nearly singular pose may make large.
    assert np.abs(rows.g * rows.active).max() < 1e3 * EPS
    assert np.abs(rows.gdot * rows.active).max() < 1e5 * EPS
    left_out = 0
    for lane in range(LANES):
        oracle = Oracle(d, rows, table.forces, lane)
        if oracle.condition > NEARLY:
            left_out += 1
            continue
        bound = ROUNDINGS * EPS * oracle.condition * oracle.size
        for which, (udot, lam) in found.items():
            own = oracle.root @ np.asarray(udot)[:, : structure.bodies, lane].T.reshape(-1)
            assert np.abs(own - oracle.acceleration).max() <= bound, which
            own = np.asarray(lam)[:, lane]
            assert np.abs(own[oracle.held] * oracle.scale - oracle.lam).max(initial=0) <= bound, which
            assert (own[~oracle.held] == 0).all(), which
            if structure.ground:
                assert (np.asarray(udot)[:, -1, lane] == 0).all(), which
    assert left_out < LANES / 2
