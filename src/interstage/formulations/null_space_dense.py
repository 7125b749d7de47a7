"""Null space by dense linear algebra: from singular values of the Jacobian, and the implicit forms.

Thompson (AIAA 2011-6277): eqs 9-15 by singular values, and eqs 20 and 21. Matrices are (*cases, row, column),
because the library requires this order. These forms are used for verification and for rows of any kind. The
closed form is in `joint_motion`.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..maths.arrays import jax, jnp, lax, with_entry
from . import cholesky, rods
from .contract import Constraints, Inertias

INDEPENDENT = cholesky.DEPENDENT**0.5
"""Singular value below which rows are redundant, relative to the length of a row. This limit corresponds to
the limit of `cholesky.factor_ranked`.
"""


class Spaces(NamedTuple):
    """Free motions and constraint forces of all bodies. The coordinates are u = [v; w] of each body, v in
    inertial and w in body axes.

    - mass (*cases, 6 bodies, 6 bodies): M
    - motions (*cases, 6 bodies, column): H2, valid where free (*cases, column) is 1
    - forces (*cases, 6 bodies, direction): forces of unit multipliers, valid where held (*cases, direction)
      is 1
    - rate (*cases, 6 bodies): an acceleration h that satisfies the rows
    - rows (*cases, row, 6 bodies), value (*cases, row): further rows A u = value, valid where kept (*cases,
      row) is 1
    """

    mass: Any
    motions: Any
    free: Any
    forces: Any
    held: Any
    rate: Any
    rows: Any
    value: Any
    kept: Any


class Solved(NamedTuple):
    """Solution: accelerations u (*cases, 6 bodies), multipliers of `Spaces.forces`, and multipliers of
    `Spaces.rows`.
    """

    motion: Any
    forces: Any
    rows: Any


def solve_reduced(s: Spaces, force) -> Solved:
    """Return the solution of eq 15 with further rows. In the result, only these rows have multipliers."""
    along = _times_transposed(s.motions * s.free[..., None, :])
    matrix = along(s.mass @ s.motions) * s.free[..., None, :] + _diagonal(1 - s.free)
    right = along(_columns(force) - s.mass @ _columns(s.rate))[..., 0]
    over = (s.rows @ s.motions) * s.free[..., None, :] * s.kept[..., None]
    whole = _blocks([[matrix, -_t(over)], [over, _diagonal(1 - s.kept)]])
    wanted = (s.value - _apply(s.rows, s.rate)) * s.kept
    found = _solve(whole, jnp.concatenate([right, wanted], -1))
    second, lam = found[..., : s.free.shape[-1]], found[..., s.free.shape[-1] :]
    return Solved(s.rate + _apply(s.motions, second * s.free), None, lam * s.kept)


def implicit_1(s: Spaces, force) -> Solved:
    """Return the solution of eq 20 with further rows: [H2^T M, 0; 1, -H2] [u; q2''] = [H2^T f; h]."""
    motions = s.motions * s.free[..., None, :]
    pulled = _t(motions) @ _t(s.rows) * s.kept[..., None, :]
    n, p, r = (s.rate.shape[-1], s.free.shape[-1], s.kept.shape[-1])
    whole = _blocks(
        [
            [_t(motions) @ s.mass, _diagonal(1 - s.free), -pulled],
            [_eye(s.rate), -motions, _none(s.rate, n, r)],
            [s.rows * s.kept[..., None], _none(s.rate, r, p), _diagonal(1 - s.kept)],
        ]
    )
    right = [_apply(_t(motions), force), s.rate, s.value * s.kept]
    found = _solve(whole, jnp.concatenate(right, -1))
    return Solved(found[..., :n], None, found[..., n + p :] * s.kept)


def implicit_2(s: Spaces, force) -> Solved:
    """Return the solution of eq 21 with further rows: [M, 0, A^T; 1, -H2, 0] [u; q2''; lam] = [f; h], with
    the sign of lam of this module."""
    n, p, d, r = (a.shape[-1] for a in (s.rate, s.free, s.held, s.kept))
    motions, forces = s.motions * s.free[..., None, :], s.forces * s.held[..., None, :]
    further = _t(s.rows) * s.kept[..., None, :]
    # Components neither free nor held now are set to zero by an equation each, in their order.
    idle = jnp.concatenate([1 - s.free, 1 - s.held], -1)
    place = jnp.cumsum(idle, -1)[..., None, :] - 1
    still = (place == jnp.arange(p + d - n)[:, None]) * idle[..., None, :]
    whole = _blocks(
        [
            [s.mass, _none(s.rate, n, p), -forces, -further],
            [_eye(s.rate), -motions, _none(s.rate, n, d), _none(s.rate, n, r)],
            [s.rows * s.kept[..., None], _none(s.rate, r, p), _none(s.rate, r, d), _diagonal(1 - s.kept)],
            [_none(s.rate, p + d - n, n), still, _none(s.rate, p + d - n, r)],
        ]
    )
    right = [force, s.rate, s.value * s.kept, jnp.zeros((*s.rate.shape[:-1], p + d - n))]
    found = _solve(whole, jnp.concatenate(right, -1))
    lam = found[..., n + p : n + p + d] * s.held
    return Solved(found[..., :n], lam, found[..., n + p + d :] * s.kept)


FORMS = {"reduced": solve_reduced, "implicit_1": implicit_1, "implicit_2": implicit_2}
"""Functions that solve each form, by the name of the form in a scenario."""


# --- numerical null space


def numerical(form: str, inertias: Inertias, force, constraints: Constraints):
    """Return accelerations (6, body, *cases) and multipliers (row, *cases), with H2 and H1 from singular
    values of the Jacobian.

    form: name in `FORMS`. The derivatives are exact: they follow from [M, A^T; A, 0] [u; -lam] = [f; -gamma].
    """
    assert inertias.mass is not None
    bodies, lanes = inertias.mass.shape[0], constraints.bias.shape[1:]
    active = jnp.ones_like(constraints.bias) if constraints.active is None else constraints.active
    active, bias = lanes_first(active), lanes_first(constraints.bias)
    rows = jacobian(constraints, bodies) * active[..., None]
    given = mass_matrix(inertias, lanes), rows, active, flat(force, bodies), -bias * active
    motion, lam = each_lane(partial(_of_lane, form), lanes)(*given)
    acceleration = jnp.moveaxis(motion, -1, 0).reshape(bodies, 6, *lanes).swapaxes(0, 1)
    still = [(0, 0), (0, force.shape[1] - bodies)] + [(0, 0)] * len(lanes)
    return jnp.pad(acceleration, still), jnp.moveaxis(lam, -1, 0)


def _of_lane(form: str, mass, rows, active, force, value):
    """u and lam with M u = f + A^T lam and A u = value, in one case."""
    split = singular(*lax.stop_gradient((mass, rows)))

    def times(unknown):
        motion, lam = unknown
        return _apply(mass, motion) + _apply(_t(rows), lam), _apply(rows, motion) + (1 - active) * lam

    def solution(_, right):
        motion, lam = _by_singular_values(form, split, right[0], right[1] * active)
        return motion, -lam * active

    motion, lam = lax.custom_linear_solve(times, (force, value), solution, symmetric=True)
    return motion, -lam


class Singular(NamedTuple):
    """Singular values of the rows: A K = D U S V^T, with M^-1 = K K^T and D the lengths of the rows of A K.

    - mass, root (*cases, 6 bodies, 6 bodies): M and K.
    - basis: V.
    - onto (*cases, row, 6 bodies): D^-1 U S^-1; zero for vanishing singular values.
    - held (*cases, 6 bodies): 0 for vanishing singular values, else 1.
    """

    mass: Any
    root: Any
    basis: Any
    onto: Any
    held: Any


def singular(mass, rows) -> Singular:
    """Return the singular values of rows (*cases, row, 6 bodies) for a mass matrix M (*cases, 6 bodies, 6
    bodies).

    Inactive rows must be zero.
    """
    root = _t(jnp.linalg.inv(jnp.linalg.cholesky(mass)))
    there = rows @ root
    length = jnp.sqrt(jnp.sum(there * there, -1))
    scale = jnp.where(length > 0, 1 / jnp.where(length > 0, length, 1.0), 0.0)
    u, s, vt = jnp.linalg.svd(there * scale[..., None])
    motions, count = mass.shape[-1], rows.shape[-2]
    least = min(motions, count)
    inverse = jnp.where(s > INDEPENDENT, 1 / jnp.where(s > INDEPENDENT, s, 1.0), 0.0)
    onto = scale[..., None] * u[..., :least] * inverse[..., None, :]
    none = [(0, 0)] * (mass.ndim - 2)
    held = jnp.pad((s > INDEPENDENT).astype(float), [*none, (0, motions - least)])
    return Singular(mass, root, _t(vt), jnp.pad(onto, [*none, (0, 0), (0, motions - least)]), held)


def _by_singular_values(form: str, split: Singular, force, value):
    """(u, lam) with M u = f + A^T lam, A u = value. H2 = K V of the vanishing singular values. The other
    singular values give h = A^+ value and the multipliers. If rows are redundant, these are the solutions of
    least norm (Moore and Penrose)."""
    motions = split.root @ split.basis
    forces = jnp.linalg.solve(_t(split.root), split.basis)
    rate = _apply(motions, _apply(_t(split.onto), value))
    nothing = jnp.zeros((*value.shape[:-1], 0))
    further = jnp.zeros((*value.shape[:-1], 0, force.shape[-1]))
    spaces = Spaces(split.mass, motions, 1 - split.held, forces, split.held, rate, further, nothing, nothing)
    found = FORMS[form](spaces, force)
    along = found.forces
    if along is None:
        along = _apply(_t(motions), _apply(split.mass, found.motion) - force)
    return found.motion, _apply(split.onto, along * split.held)


# --- shapes


def each_lane(function, lanes: tuple[int, ...]):
    """Return a function for arrays with leading axes of cases. On a CPU, the wrapper calls `function` for one
    case after another. On other devices, the wrapper is `function` itself.

    On a CPU, simultaneous library calls for a batch can cause a deadlock (jaxlib 0.10.2). `lanes`: shape of
    the cases.
    """
    if not lanes or jax.default_backend() != "cpu":
        return function
    return lambda *args: lax.map(lambda one: function(*one), args)


def lanes_first(array):
    """Return an array (component, *cases) as (*cases, component)."""
    return jnp.moveaxis(array, 0, -1)


def flat(motion, bodies: int):
    """Return motions or forces (6, body, *cases) as (*cases, 6 bodies), without the ground."""
    own = jnp.swapaxes(motion[:, :bodies], 0, 1)
    return lanes_first(own.reshape(6 * bodies, *own.shape[2:]))


def mass_matrix(inertias: Inertias, lanes: tuple[int, ...]):
    """Return M (*cases, 6 bodies, 6 bodies) of the bodies without the ground."""
    assert inertias.mass is not None
    assert inertias.inertia is not None
    bodies = inertias.mass.shape[0]
    mass = jnp.broadcast_to(inertias.mass, (bodies, *lanes))
    inertia = jnp.broadcast_to(inertias.inertia, (3, 3, bodies, *lanes))
    blocks = jnp.zeros((*lanes, bodies, 6, bodies, 6))
    first, last = slice(0, 3), slice(3, 6)
    for k in range(bodies):
        blocks = with_entry(blocks, (..., k, first, k, first), mass[k][..., None, None] * jnp.eye(3))
        blocks = with_entry(blocks, (..., k, last, k, last), jnp.moveaxis(inertia[:, :, k], (0, 1), (-2, -1)))
    if inertias.rods is not None:
        for k, own in enumerate(rods.blocks(inertias, bodies)):
            own = jnp.moveaxis(jnp.broadcast_to(own, (6, 6, *lanes)), (0, 1), (-2, -1))
            blocks = with_entry(blocks, (..., k, slice(None), k, slice(None)), blocks[..., k, :, k, :] + own)
    return blocks.reshape(*lanes, 6 * bodies, 6 * bodies)


def jacobian(constraints: Constraints, bodies: int):
    """Return A (*cases, row, 6 bodies) of the bodies without the ground."""
    total: Any = 0.0
    for on, body in ((constraints.on_a, constraints.parent), (constraints.on_b, constraints.child)):
        here = (np.asarray(body)[:, None] == np.arange(bodies)).astype(float)
        rows = jnp.moveaxis(on, (0, 1), (-1, -2))
        total = total + rows[..., :, None, :] * here[:, :, None]
    return total.reshape(*total.shape[:-2], 6 * bodies)


def _t(matrix):
    return jnp.swapaxes(matrix, -1, -2)


def _times_transposed(matrix):
    return lambda other: _t(matrix) @ other


def _columns(vector):
    return vector[..., None]


def _apply(matrix, vector):
    return (matrix @ vector[..., None])[..., 0]


def _diagonal(values):
    return values[..., None] * jnp.eye(values.shape[-1])


def _eye(like):
    return jnp.broadcast_to(jnp.eye(like.shape[-1]), (*like.shape, like.shape[-1]))


def _none(like, rows: int, columns: int):
    return jnp.zeros((*like.shape[:-1], rows, columns))


def _blocks(rows):
    return jnp.concatenate([jnp.concatenate(row, -1) for row in rows], -2)


def _solve(matrix, right):
    return jnp.linalg.solve(matrix, right[..., None])[..., 0]
