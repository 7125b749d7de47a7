"""Elimination of joint rows along the tree of bodies and joints. The cost is proportional to the number of
rows.

A M^-1 A^T couples rows that share a body. Joints are eliminated from the leaves inward. The mobility W of a
body is velocity per impulse; at first it is M^-1. A joint between a near body c and a far body p is
eliminated by

    D = A_c W_c A_c^T + A_p W_p A_p^T,    W_p <- W_p - (A_p W_p)^T D^-1 (A_p W_p).

The recursion is Cholesky's elimination in an order without fill-in: the articulated-body method of R.
Featherstone, Rigid Body Dynamics Algorithms, Springer 2008, ch. 7, in terms of mobilities and rows. The
ground has zero mobility. A body without inertia about an axis has zero mobility about this axis. Rows of cut
joints form a dense Schur complement.

Each loop processes the joints one by one with arrays (row of the joint, component, *cases). Barriers prevent
the compiler from computing small matrices several times, and from copying whole arrays. Without barriers a
joint costs four times as much, and n joints cost n^2.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..maths.arrays import jax, jnp, lax, own_array, written
from ..maths.vectors import sum_of_products, summed_of
from ..model.attachments import select
from . import cholesky, rods
from .contract import Constraints, Inertias
from .tree_order import TreeOrder

together = lax.optimization_barrier


class Factor(NamedTuple):
    """Factor of the constraint rows along the tree, for several right-hand sides.

    - near, far (edge, width, 6, *cases): Jacobians on the two bodies of each edge; zero in unused rows
    - inverse (edge, width, width, *cases): inverse of the lower Cholesky factor of D; zero in redundant rows
    - gain (edge, width, 6, *cases): inverse times A_p W_p
    - reduced (edge, width, cut row, *cases): coupling of the edges with the cut rows; None without cut joints
    - loops: Schur complement of the cut rows and its factor; None without cut joints
    """

    near: jax.Array
    far: jax.Array
    inverse: jax.Array
    gain: jax.Array
    reduced: jax.Array | None = None
    loops: tuple[jax.Array, Any] | None = None


def factor(order: TreeOrder, inertias: Inertias, constraints: Constraints, ranked: bool) -> Factor:
    """Eliminate the rows, and return the factor.

    ranked: true to omit redundant rows. If false, redundant rows and rows between fixed bodies make the
    solution NaN."""
    numbers = inertias, constraints.on_a, constraints.on_b, constraints.active
    inertias, on_a, on_b, active = lax.stop_gradient(numbers)
    constraints = constraints._replace(on_a=on_a, on_b=on_b, active=active)
    near, far = _sides(order, constraints.on_a, constraints.on_b)
    whole = diagonal(inertias, constraints)
    held = jnp.ones_like(whole) if constraints.active is None else constraints.active
    whole, held = _on_edges(order, whole), _on_edges(order, held)
    if constraints.active is not None or (order.rows < 0).any() or type(near) is not np.ndarray:
        near, far = near * held[:, :, None], far * held[:, :, None]
    shape = jnp.broadcast_shapes(near.shape[3:], inertias.inverse_mass.shape[1:])
    near, far = (jnp.broadcast_to(side, (*side.shape[:3], *shape)) for side in (near, far))
    mobility = jnp.broadcast_to(_mobility(inertias), (inertias.inverse_mass.shape[0], 6, 6, *shape))
    found = Factor(near, far, *_eliminate(order, mobility, near, far, whole, held, ranked))
    return _with_loops(order, found, mobility, constraints, ranked) if len(order.cut) else found


def solve(order: TreeOrder, found: Factor, right):
    """Return the multipliers lam (row, *cases) of A M^-1 A^T lam = right; zero for omitted rows.

    found: factor of the rows. right: (row, *cases).
    """
    reduced = _inward(order, found, _on_edges(order, right)[:, :, None])[:, :, 0]
    if found.loops is None or found.reduced is None:
        return _per_row(order, _outward(order, found, reduced), None)
    left = select(right, order.cut, 0) - jnp.sum(found.reduced * reduced[:, :, None], (0, 1))
    closing = cholesky.solve(*found.loops, left)
    reduced = reduced - jnp.sum(found.reduced * closing, 2)
    return _per_row(order, _outward(order, found, reduced), closing)


def solve_columns(order: TreeOrder, found: Factor, right: np.ndarray) -> Any:
    """Return the multipliers (row, column, *cases) for several right-hand sides (row, column, *cases) with
    NumPy. The tree must not have cut joints.
    """
    return _per_row(order, _outward(order, found, _inward(order, found, _on_edges(order, right))), None)


def _with_loops(order: TreeOrder, found: Factor, mobility, constraints: Constraints, ranked) -> Factor:
    """The rows of cut joints: the remainder of A M^-1 A^T after the edges, from the velocities of all bodies
    for a unit multiplier of each row."""
    on_a, on_b = (select(side, order.cut, 1) for side in (constraints.on_a, constraints.on_b))
    active = jnp.ones_like(on_a[0])
    if constraints.active is not None:
        active = select(constraints.active, order.cut, 0)
    sides = []
    for on, body in (
        (on_a * active, constraints.parent[order.cut]),
        (on_b * active, constraints.child[order.cut]),
    ):
        at = (np.arange(len(mobility))[:, None] == body).astype(float)
        moved = jnp.sum(select(mobility, body, 0) * jnp.moveaxis(on, 1, 0)[:, None], 2)
        moved = jnp.moveaxis(moved, 0, 1) * at.reshape(len(at), 1, -1, *(1,) * (on.ndim - 2))
        sides.append((on, body, moved))
    velocity = sides[0][2] + sides[1][2]
    whole: Any = sum(
        jnp.sum(on[:, :, None] * jnp.moveaxis(select(velocity, body, 0), 1, 0), 0) for on, body, _ in sides
    )
    along = [
        jnp.sum(on[:, :, :, None] * select(velocity, body, 0)[:, None], 2)
        for on, body in ((found.near, order.near), (found.far, order.far))
    ]
    reduced = _inward(order, found, along[0] + along[1])
    matrix = whole - jnp.sum(reduced[:, :, :, None] * reduced[:, :, None], (0, 1))
    eye = jnp.eye(len(order.cut)).reshape((len(order.cut),) * 2 + (1,) * (whole.ndim - 2)) * (1 - active)
    matrix, whole = matrix + eye, whole + eye
    if not ranked:
        return found._replace(reduced=reduced, loops=(matrix, cholesky.factor(matrix)))
    diagonal = jnp.stack([whole[k, k] for k in range(len(order.cut))])
    return found._replace(reduced=reduced, loops=(matrix, cholesky.factor_ranked(matrix, diagonal)))


# --- rows of edges


def _on_edges(order: TreeOrder, rows):
    """Values of rows (row, *cases) in the order of the edges: (edge, width, *cases), with zeros in unused
    places."""
    values = select(rows, np.maximum(order.rows, 0).ravel(), 0)
    values = values.reshape(*order.rows.shape, *rows.shape[1:])
    return values * _widen(order.rows >= 0, values) if (order.rows < 0).any() else values


def _per_row(order: TreeOrder, edges, cut):
    """Values of the edges and of the cut rows, row by row."""
    flat = edges.reshape(-1, *edges.shape[2:])
    flat = flat if cut is None else jnp.concatenate([flat, cut])
    return select(flat, order.place, 0)


def _sides(order: TreeOrder, on_a, on_b):
    """Jacobians (6, row, *cases) of parents and children, sorted as Jacobians of near and far bodies, (edge,
    width, 6, *cases)."""
    number, count = np.maximum(order.rows, 0).ravel(), on_a.shape[1]
    if order.flipped.any():
        both = jnp.concatenate([on_a, on_b], 1)
        turned = order.flipped.ravel()
        near, far = (select(both, number + count * child, 1) for child in (~turned, turned))
    else:
        near, far = select(on_b, number, 1), select(on_a, number, 1)
    shape = 6, *order.rows.shape, *on_a.shape[2:]
    return (jnp.moveaxis(side.reshape(shape), 0, 2) for side in (near, far))


def diagonal(inertias: Inertias, constraints: Constraints):
    """Return the diagonal of A M^-1 A^T (row, *cases)."""
    whole: Any = 0.0
    for rows, body in ((constraints.on_a, constraints.parent), (constraints.on_b, constraints.child)):
        whole = whole + sum_of_products(0, (rows, rods.times_inverse(inertias, body, rows)))
    if inertias.freedoms is not None and constraints.on_freedoms is not None:
        whole = whole + jnp.sum(inertias.freedoms.inverse_mass[:, None] * constraints.on_freedoms**2, 0)
    return whole


def left_out(order: TreeOrder, found: Factor, whole):
    """Return a mask (row, *cases): 1 for constraint rows that the factorization skipped because they are
    redundant or inactive, else 0.

    - found: result of `factor`.
    - whole (row, *cases): diagonal of A M^-1 A^T, see `diagonal`. The diagonal defines the shape of the mask.
    """
    own = jnp.stack([found.inverse[:, k, k] for k in range(order.rows.shape[1])], 1)
    kept = None
    if found.loops is not None:
        factor = found.loops[1]
        assert isinstance(factor, cholesky.Ranked)
        kept = jnp.broadcast_to(factor.independent, (len(order.cut), *whole.shape[1:]))
    return 1.0 - _per_row(order, (own != 0).astype(whole.dtype), kept)


def _widen(table: np.ndarray, like):
    """A table (edge, width), shaped for arrays (edge, width, *cases)."""
    return table.astype(float).reshape(table.shape + (1,) * (like.ndim - 2))


# --- the elimination


def _mobility(inertias: Inertias):
    """M^-1 of each body as a matrix: (body, 6, 6, *cases)."""
    inverse = jnp.moveaxis(inertias.inverse_inertia, 2, 0)
    eye = jnp.eye(3).reshape((1, 3, 3) + (1,) * (inverse.ndim - 3))
    linear = inertias.inverse_mass[:, None, None] * eye
    linear, inverse = (
        jnp.broadcast_to(m, jnp.broadcast_shapes(linear.shape, inverse.shape)) for m in (linear, inverse)
    )
    zero = jnp.zeros_like(linear)
    found = jnp.concatenate([jnp.concatenate([linear, zero], 2), jnp.concatenate([zero, inverse], 2)], 1)
    return found if inertias.rods is None else found + rods.blocks(inertias, len(found), inverse=True)


def _eliminate(order: TreeOrder, mobility, near, far, whole, held, ranked):
    """`Factor.inverse` and `Factor.gain`, from the last edge to the first."""
    edges, width, lanes = near.shape[0], near.shape[1], near.shape[3:]
    bodies = jnp.asarray(order.near), jnp.asarray(order.far)

    def eliminate(k, carry):
        mobility, inverses, gains = carry
        e = edges - 1 - k
        c, p = (_at(index, e) for index in bodies)
        on_c, on_p, w_c, w_p, scale, used = together(
            (_at(near, e), _at(far, e), _at(mobility, c), _at(mobility, p), _at(whole, e), _at(held, e))
        )
        moved_c = sum_of_products(1, (on_c[:, :, None], w_c[None]))
        moved_p = sum_of_products(1, (on_p[:, :, None], w_p[None]))
        moved_c, moved_p = together((moved_c, moved_p))
        both = ((moved[:, None], on[None]) for moved, on in ((moved_c, on_c), (moved_p, on_p)))
        pivot = together(summed_of(2, both))
        inverse = together(_inverse_factor(pivot, scale, used, ranked))
        gain = together(sum_of_products(1, (inverse[:, :, None], moved_p[None])))
        w_p = w_p - sum_of_products(0, (gain[:, :, None], gain[:, None]))
        return written(mobility, w_p, p), written(inverses, inverse, e), written(gains, gain, e)

    start = (
        own_array(mobility),
        jnp.zeros((edges, width, width, *lanes)),
        jnp.zeros((edges, width, 6, *lanes)),
    )
    return lax.fori_loop(0, edges, eliminate, start)[1:]


def _inverse_factor(matrix, scale, used, ranked: bool):
    """Inverse of the lower Cholesky factor of (width, width, *cases), zero in rows that are left out.

    The elimination converts [matrix | 1] into [upper factor | inverse of the lower factor], by whole rows.
    Entry by entry it took three times as long. scale (width, *cases): diagonal before any elimination. A
    pivot that is a tiny fraction of it is rounding. used: 1 for rows in use.
    """
    width = matrix.shape[0]
    limit = (cholesky.DEPENDENT if ranked else cholesky.SINGULAR) * scale
    if type(matrix) is np.ndarray:
        return _inverse_factor_here(matrix, limit, used, ranked)
    eye = jnp.eye(width).reshape((width, width) + (1,) * (matrix.ndim - 2))
    left = jnp.concatenate([matrix, jnp.broadcast_to(eye, matrix.shape)], 1)
    inverse = []
    for k in range(width):
        pivot = left[k, k]
        firm = pivot > limit[k]
        otherwise = 0.0 if ranked else jnp.where(used[k] > 0, jnp.nan, 0.0)
        row = left[k] * jnp.where(firm, lax.rsqrt(jnp.where(firm, pivot, 1.0)), otherwise)
        inverse.append(row[width:])
        left = left - row[:width, None] * row[None]
    return jnp.stack(inverse)


def _inverse_factor_here(matrix: np.ndarray, limit: Any, used: Any, ranked: bool) -> np.ndarray:
    """The result of `_inverse_factor` by NumPy, in place and without the zeros of either half. For a thousand
    cases it takes a sixth of the time."""
    width = matrix.shape[0]
    left = np.zeros((width, 2 * width, *matrix.shape[2:]))
    left[:, :width] = matrix
    for k in range(width):
        left[k, width + k] = 1.0
    for k in range(width):
        pivot, row = left[k, k], left[k, k : width + k + 1]
        firm = pivot > limit[k]
        if firm.all():
            row *= 1 / np.sqrt(pivot)
        else:
            otherwise = 0.0 if ranked else np.where(used[k] > 0, np.nan, 0.0)
            row *= np.where(firm, 1 / np.sqrt(np.where(firm, pivot, 1.0)), otherwise)
        left[k + 1 :, k + 1 : width + k + 1] -= left[k, k + 1 : width, None] * row[1:]
    return left[:, width:]


def _inward(order: TreeOrder, found: Factor, right):
    """Right-hand sides (edge, width, column, *cases) times the inverse of the factor, from the last edge to
    the first; the loop carries the velocities that the joints passed so far give to the bodies."""
    edges, _, columns, *lanes = right.shape
    near, far = jnp.asarray(order.near), jnp.asarray(order.far)

    def pass_joint(k, carry):
        velocity, reduced = carry
        e = edges - 1 - k
        c, p = _at(near, e), _at(far, e)
        v_c, v_p, on_c, on_p, inverse, gain, own = together(
            (_at(velocity, c), _at(velocity, p), *(_at(a, e) for a in (*found[:4], right)))
        )
        moved = ((on[:, :, None], v[None]) for on, v in ((on_c, v_c), (on_p, v_p)))
        own = together(own - summed_of(1, moved))
        own = together(sum_of_products(1, (inverse[:, :, None], own[None])))
        v_p = v_p + sum_of_products(0, (gain[:, :, None], own[:, None]))
        return written(velocity, v_p, p), written(reduced, own, e)

    start = jnp.zeros((_bodies(order), 6, columns, *lanes)), jnp.zeros_like(right)
    return lax.fori_loop(0, edges, pass_joint, start)[1]


def _outward(order: TreeOrder, found: Factor, reduced):
    """Multipliers (edge, width, [column,] *cases) from `reduced` right-hand sides, from the first edge to the
    last; the loop carries the impulses that the joints passed so far give to the bodies."""
    edges, _, *lanes = reduced.shape
    columns = reduced.ndim >= found.inverse.ndim
    near, far = jnp.asarray(order.near), jnp.asarray(order.far)

    def pass_joint(e, carry):
        impulse, lam = carry
        c, p = _at(near, e), _at(far, e)
        f_p, on_c, on_p, inverse, gain, own = together(
            (_at(impulse, p), *(_at(a, e) for a in (*found[:4], reduced)))
        )
        if columns:
            on_p, on_c, inverse, gain = (part[:, :, None] for part in (on_p, on_c, inverse, gain))
        own = together(own - sum_of_products(1, (gain, f_p[None])))
        own = together(sum_of_products(0, (inverse, own[:, None])))
        impulse = written(impulse, f_p + sum_of_products(0, (on_p, own[:, None])), p)
        impulse = written(impulse, sum_of_products(0, (on_c, own[:, None])), c)
        return impulse, written(lam, own, e)

    start = jnp.zeros((_bodies(order), 6, *lanes)), jnp.zeros_like(reduced)
    return lax.fori_loop(0, edges, pass_joint, start)[1]


def _bodies(order: TreeOrder) -> int:
    return int(max(order.near.max(initial=0), order.far.max(initial=0))) + 1


def _at(array, index):
    return lax.dynamic_index_in_dim(array, index, 0, keepdims=False)
