"""Find the motion that satisfies the constraint rows and is nearest to an unconstrained motion.

The minimum of (u - u_free)^T M (u - u_free) / 2 with A u + bias = 0 is at u = u_free + M^-1 A^T lam. This
minimum applies to accelerations under joint rows (Gauss's principle of least constraint), and to corrections
of positions and velocities. The factor of A M^-1 A^T is computed once for several right-hand sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..maths.arrays import jax, jnp, lax
from ..maths.dual import is_dual, linear
from ..maths.vectors import rotate, summed_of
from ..model.attachments import select, sum_by_body
from . import by_lapack, cholesky, rods, tree_elimination
from .contract import Constraints, Inertias
from .tree_order import TreeOrder


class Dense(NamedTuple):
    """Dense matrix A M^-1 A^T of the active rows, and its factor.

    - matrix (row, row, *cases): A M^-1 A^T. factor: its Cholesky factor.
    - moved: M^-1 A^T of the rows, see `sides`.
    - rows: `on_a` of the prepared constraints.
    - kept (row, *cases): 0 for redundant rows, which are omitted; None if no row can be redundant.
    """

    matrix: jax.Array
    factor: Any
    moved: tuple[Any, Any]
    rows: Any
    kept: jax.Array | None = None

    def multipliers(self, right):
        """Return lam (row, *cases) of A M^-1 A^T lam = right; zero for redundant rows."""
        right = right if self.kept is None else right * self.kept
        return cholesky.solve(self.matrix, self.factor, right)


class Along(NamedTuple):
    """Factor of A M^-1 A^T by elimination along the tree, or by LAPACK.

    - inertias, constraints: mass properties and rows of the factor; redundant rows are inactive.
    - kept (row, *cases): 0 for redundant rows, which are omitted; None if no row can be redundant.
    """

    inertias: Inertias
    constraints: Constraints
    factor: tree_elimination.Factor | by_lapack.Whole
    kept: jax.Array | None = None

    def multipliers(self, right):
        """Return lam (row, *cases) of A M^-1 A^T lam = right, with derivatives; zero for redundant rows."""
        right = right if self.kept is None else right * self.kept

        def back(_, right):
            if isinstance(self.factor, by_lapack.Whole):
                return self.factor.solve(right)
            order = self.constraints.order
            assert order is not None
            if self.factor.loops is None and is_dual(right):
                return linear(partial(self._solve_by_numpy, order, self.factor), right, lanes=True)
            return tree_elimination.solve(order, self.factor, right)

        return lax.custom_linear_solve(self.response, right, back, symmetric=True)

    @staticmethod
    def _solve_by_numpy(order: TreeOrder, factor: tree_elimination.Factor, right: np.ndarray) -> Any:
        """Multipliers of right-hand sides (row, *cases, [column,]) of NumPy, if there are no cut rows."""
        if not right.any():  # as the value of a remainder of a derivative
            return right
        if right.ndim < factor.inverse.ndim - 1:
            return tree_elimination.solve(order, factor, right)
        # With columns before the cases, numbers are passed in long rows: a quarter of the time.
        columns = np.ascontiguousarray(np.moveaxis(right, -1, 1))
        found = tree_elimination.solve_columns(order, factor, columns)
        return np.ascontiguousarray(np.moveaxis(found, 1, -1))

    def response(self, lam):
        """Return A M^-1 A^T lam for active rows, and lam for inactive rows (row, *cases)."""
        active = self.constraints.active
        own = lam if active is None else lam * active
        force = row_forces(self.constraints, own, self.inertias.inverse_mass.shape[0])
        rates = row_rates(self.constraints, times_inverse_mass(self.inertias, force))
        return rates if active is None else rates * active + lam - own


def prepare(inertias: Inertias, constraints: Constraints, loops: bool) -> Dense | Along:
    """Return the factor of A M^-1 A^T for several right-hand sides.

    loops: whether joints form closed loops. If true, rows may be redundant. Redundant rows are omitted.
    """
    kept = None
    if loops:
        kept = independent(inertias, constraints)
        active = kept if constraints.active is None else kept * constraints.active
        constraints = constraints._replace(active=active)
    whole = by_lapack.whole(inertias, constraints)
    if whole is not None:
        return Along(inertias, constraints, whole, kept)
    if constraints.order is not None:
        factor = tree_elimination.factor(constraints.order, inertias, constraints, False)
        return Along(inertias, constraints, factor, kept)
    moved = sides(inertias, constraints)
    matrix = responding(constraints, moved, _freedom_rates(inertias, constraints))
    return Dense(matrix, cholesky.factor(matrix), moved, constraints.on_a, kept)


def without_masses(inertias: Inertias) -> Inertias:
    """Return the bodies with mass 1 and unchanged radii of gyration. Bodies with mass 1 serve to find
    redundant rows, because redundancy depends only on geometry.
    """
    mass = inertias.inverse_mass
    there = mass > 0
    own = 1 / jnp.where(there, mass, 1.0)
    whole, tensor, freedoms = inertias.mass, inertias.inertia, inertias.freedoms
    if whole is not None and tensor is not None:
        whole, tensor = jnp.ones_like(whole), tensor / whole
    if freedoms is not None:
        freedoms = replace(freedoms, inverse_mass=freedoms.inverse_mass * select(own, freedoms.body, 0))
    inverse = there.astype(own.dtype), inertias.inverse_inertia * own
    return Inertias(*inverse, whole, tensor, freedoms=freedoms)


def independent(inertias: Inertias, constraints: Constraints) -> jax.Array:
    """Return 1 for independent or inactive rows, and 0 for redundant rows (row, *cases). The result does not
    depend on masses.
    """
    inertias = without_masses(inertias)
    if by_lapack.surely_independent(inertias, constraints):
        return jnp.ones(jnp.broadcast_shapes(constraints.bias.shape, inertias.inverse_mass[:1].shape))
    if constraints.order is None:
        return cholesky.factor_ranked(response(inertias, constraints)).independent
    left_out = _left_out(inertias, constraints)
    return 1 - (left_out if constraints.active is None else left_out * constraints.active)


def _left_out(inertias: Inertias, constraints: Constraints) -> jax.Array:
    """1 for rows that elimination along the tree leaves out."""
    assert constraints.order is not None
    factor = tree_elimination.factor(constraints.order, inertias, constraints, True)
    whole = tree_elimination.diagonal(inertias, constraints)
    return tree_elimination.left_out(constraints.order, factor, whole)


class Holding(NamedTuple):
    """Result of elimination along the tree, which shows redundant rows; each array is (row, *cases).

    - whole: diagonal of A M^-1 A^T; zero for a row between fixed points.
    - left_out: 1 for omitted rows, which are redundant to earlier rows.
    - part: contribution of a row to a redundancy, from 0 to 1.
    """

    whole: jax.Array
    left_out: jax.Array
    part: jax.Array


def holding(inertias: Inertias, constraints: Constraints) -> jax.Array | Holding:
    """Return A M^-1 A^T (row, row, *cases) for dense elimination, or `Holding` for elimination along the
    tree. Both results show which active rows are redundant.

    M is the mass matrix of `without_masses`; inactive rows have a diagonal of 1. Let S = A M^-1 A^T, with G
    such that S G S = S. Then w - G S w are loads without effect on the motion, for any w. For random w, these
    loads are nonzero in all rows that take part in a redundancy.
    """
    inertias = without_masses(inertias)
    if constraints.order is None:
        return response(inertias, constraints)
    prepared = prepare(inertias, constraints, True)
    assert isinstance(prepared, Along)
    whole = tree_elimination.diagonal(inertias, constraints)
    assert prepared.kept is not None
    active = jnp.ones_like(whole) if constraints.active is None else constraints.active
    scale = active / jnp.sqrt(jnp.where(whole > 0, whole, 1.0))
    # Of all active rows: `prepared` holds those only that are kept.
    every = prepared._replace(constraints=constraints)

    def part_of(drawn):
        some = scale * drawn.reshape(-1, *(1,) * (whole.ndim - 1))
        loads = some - prepared.multipliers(every.response(some))
        return jnp.abs(loads) * jnp.sqrt(whole) * active

    drawn = np.random.default_rng(0).standard_normal((2, whole.shape[0]))
    part = jnp.max(lax.map(part_of, jnp.asarray(drawn)), 0)
    return Holding(whole * active + 1 - active, 1 - prepared.kept, part / (1 + jnp.max(part, 0)))


def repeating(inertias: Inertias, constraints: Constraints):
    """Return whether any active row is redundant in any case."""
    return jnp.any(independent(inertias, constraints) < 1)


def nearest(prepared: Dense | Along, inertias: Inertias, free, constraints: Constraints):
    """Return the motion (6, body, *cases) nearest to the motion `free` that satisfies the rows, and the
    multipliers (row, *cases).
    """
    right = -(constraints.bias + row_rates(constraints, free))
    if constraints.active is not None:
        right = right * constraints.active
    lam = prepared.multipliers(right)
    if isinstance(prepared, Dense) and prepared.rows is constraints.on_a:
        # The very rows that were prepared, and not those of a neighbouring state: M^-1 A^T is there.
        on_a, on_b = (side * lam for side in prepared.moved)
        ends = constraints.parent, constraints.child
        return free + sum_by_body(on_a, on_b, *ends, free.shape[1]), lam
    return free + times_inverse_mass(inertias, row_forces(constraints, lam, free.shape[1])), lam


def accelerations(inertias: Inertias, force, constraints: Constraints, lam):
    """Return the accelerations (6, body, *cases) under generalized forces (6, body, *cases) and multipliers
    (row, *cases)."""
    return times_inverse_mass(inertias, force + row_forces(constraints, lam, force.shape[1]))


def times_inverse_mass(inertias: Inertias, force):
    """Return M^-1 f for generalized forces f (6, body, *cases)."""
    if inertias.rods is not None:
        return rods.times_inverse(inertias, range(force.shape[1]), force)
    linear = force[:3] * inertias.inverse_mass
    return jnp.concatenate([linear, rotate(inertias.inverse_inertia, force[3:])])


def row_rates(constraints: Constraints, velocity):
    """Return A u (row, *cases) for velocities or accelerations u (6, body, *cases)."""
    return summed_of(0, _row_terms(constraints, velocity))


def _row_terms(constraints: Constraints, velocity) -> Iterator[tuple[Any, Any]]:
    """The entries of the rows, and the velocities that they multiply, (6, row, *cases) each, on parents and
    on children."""
    yield constraints.on_a, select(velocity, constraints.parent, 1)
    yield constraints.on_b, select(velocity, constraints.child, 1)


def whole_rates(inertias: Inertias, constraints: Constraints, velocity, lam):
    """Return A u (row, *cases), including the rates of degrees of freedom other than body motion.

    velocity: u of the bodies (6, body, *cases). lam: multipliers (row, *cases), which determine the rates of
    the further degrees of freedom.
    """
    rates = row_rates(constraints, velocity)
    if constraints.on_freedoms is None:
        return rates
    return rates + jnp.sum(constraints.on_freedoms * freedom_rates(inertias, constraints, lam)[:, None], 0)


def row_terms(constraints: Constraints, velocity):
    """Return the sum of the absolute values of all terms of `row_rates` (row, *cases), to estimate rounding
    errors.
    """
    on_a, on_b = (entries * of for entries, of in _row_terms(constraints, velocity))
    return jnp.sum(jnp.abs(on_a) + jnp.abs(on_b), 0)


def row_forces(constraints: Constraints, lam, bodies: int):
    """Return the generalized forces A^T lam (6, body, *cases) of multipliers lam (row, *cases).

    bodies: number of bodies including the ground.
    """
    on_a, on_b = constraints.on_a * lam, constraints.on_b * lam
    return sum_by_body(on_a, on_b, constraints.parent, constraints.child, bodies)


def freedom_rates(inertias: Inertias, constraints: Constraints, lam):
    """Return the accelerations of the degrees of freedom other than body motion (freedom, *cases) for
    multipliers (row, *cases).
    """
    assert inertias.freedoms is not None
    assert constraints.on_freedoms is not None
    return inertias.freedoms.inverse_mass * jnp.sum(constraints.on_freedoms * lam, 1)


def response(inertias: Inertias, constraints: Constraints) -> jax.Array:
    """Return A M^-1 A^T (row, row, *cases), with a unit diagonal for inactive rows."""
    return responding(constraints, sides(inertias, constraints), _freedom_rates(inertias, constraints))


def sides(inertias: Inertias, constraints: Constraints) -> tuple[Any, Any]:
    """Return M^-1 A^T: motions (6, row, *cases) of the parent and of the child of each row for a unit
    multiplier of this row.
    """
    return (
        rods.times_inverse(inertias, constraints.parent, constraints.on_a),
        rods.times_inverse(inertias, constraints.child, constraints.on_b),
    )


def _freedom_rates(inertias: Inertias, constraints: Constraints) -> Any:
    """Rates of the degrees of freedom (freedom, row, *cases) for a unit multiplier of each row; None without
    degrees of freedom."""
    if inertias.freedoms is None or constraints.on_freedoms is None:
        return None
    return inertias.freedoms.inverse_mass[:, None] * constraints.on_freedoms


def responding(constraints: Constraints, moved: tuple[Any, Any], freed: Any = None) -> jax.Array:
    """Return A M^-1 A^T (row, row, *cases), with a unit diagonal for inactive rows.

    - moved: result of `sides`.
    - freed (freedom, row, *cases): rates of further degrees of freedom for a unit multiplier of each row, or
      None.
    """
    there = all(isinstance(side, np.ndarray) for side in (constraints.on_a, constraints.on_b, *moved))
    total = (_pairs_that_share if there else _all_pairs)(constraints, moved)
    if freed is not None and constraints.on_freedoms is not None:
        total = total + jnp.sum(constraints.on_freedoms[:, :, None] * freed[:, None], 0)
    if constraints.active is None:
        return total
    active = constraints.active
    eye = _pad(np.eye(active.shape[0]), total)
    return total * active[:, None] * active[None] + eye * (1 - active)[None]


def _all_pairs(constraints: Constraints, moved: tuple[Any, Any]) -> Any:
    """A M^-1 A^T as one expression for each pair of sides."""
    bodies, rows = (constraints.parent, constraints.child), (constraints.on_a, constraints.on_b)
    total: Any = 0.0
    for body_k, on in zip(bodies, rows, strict=True):
        for body_l, motion in zip(bodies, moved, strict=True):
            shared = body_k[:, None] == body_l[None]
            if not shared.any():
                continue
            part = jnp.sum(on[:, :, None] * motion[:, None], 0)
            total = total + (part if shared.all() else part * _pad(shared, part))
    return total


def _pairs_that_share(constraints: Constraints, moved: tuple[Any, Any]) -> Any:
    """A M^-1 A^T body by body, for arrays with values. If there are many bodies, few rows act on the same
    body."""
    bodies, rows = (constraints.parent, constraints.child), (constraints.on_a, constraints.on_b)
    lanes = jnp.broadcast_shapes(*(side.shape[2:] for side in (*rows, *moved)))
    total = np.zeros((len(constraints.parent),) * 2 + lanes)
    for body_k, on in zip(bodies, rows, strict=True):
        for body_l, motion in zip(bodies, moved, strict=True):
            for body in np.intersect1d(body_k, body_l):
                k, l = np.flatnonzero(body_k == body), np.flatnonzero(body_l == body)
                total[np.ix_(k, l)] += jnp.sum(on[:, k, None] * motion[:, None, l], 0)
    return total


def _pad(table, like):
    return np.asarray(table, float).reshape(table.shape + (1,) * (like.ndim - 2))
