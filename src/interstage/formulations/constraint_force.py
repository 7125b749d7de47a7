"""Joint forces and torques as unknowns in addition to the accelerations: TP-2016, Method I (eqs 1-24).

Two bodies and a joint have 18 unknowns: six accelerations of each body, and the force F and torque T on the
child at its joint point. The opposite load acts on the parent at the coincident point. The variant with 24
unknowns (AIAA verification paper, eqs 1-6) has separate F and T on the two bodies, with action and reaction
as equations. In this variant, r_A is the parent's joint point, so that the torques differ by (r_B - r_A) x F.

Each joint has six equations: its constraint rows, and one load equation for each free direction e, F.e = 0 or
T.e = 0. The direction e is normal to the locked directions, and T acts at the child's joint point (eqs 23,
24). A released joint has six load equations. All equations form one dense system. The system is solved by LU
factorization with pivoting. The method is used for verification and for teaching.

Each additional body or joint adds its own unknowns and equations. Newton's and Euler's equations are divided
by the masses and inertias; the ground has no equations.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..maths.arrays import jax, jnp
from ..maths.vectors import cross, dot, outer_identity, rotate, rotate_back
from ..model.attachments import column, lever, twist
from . import lu
from .contract import Constraints, Inertias, Joints
from .elimination import times_inverse_mass
from .rods import times_inverse


def solve(choice, inertias: Inertias, force, constraints: Constraints, joints: Joints):
    """Return the accelerations (6, body, *cases) and multipliers (row, *cases); see `contract.Formulation`.

    If rows are redundant, the result is NaN.
    """
    assert inertias.mass is not None
    bodies, lanes = inertias.mass.shape[0], force.shape[2:]
    apart = choice.unknowns == 24
    count = len(joints.table.parent)
    newton = _newton(inertias, joints, bodies, apart)
    equations = [_joint(constraints, joints, bodies, j) for j in range(count)]
    size = 6 * bodies
    eye = jnp.eye(size).reshape(size, size, *(1,) * len(lanes))
    top = jnp.concatenate([jnp.broadcast_to(eye, (size, size, *lanes)), newton], 1)
    rows, right = [top], [times_inverse_mass(inertias, force)[:, :bodies].reshape(size, *lanes)]
    freed = _freedom_rates(inertias, constraints, equations)
    for j, own in enumerate(equations):
        width = 12 if apart else 6
        load = _columns_among_all(own.on_load, 6 if apart else 0, width, j, count)
        for k, by in enumerate(freed):
            yielding = jnp.sum(own.on_freedoms[:, :, None] * by[None], 1)
            load = load + _columns_among_all(yielding, 6 if apart else 0, width, k, count)
        rows.append(jnp.concatenate([own.on_motion.reshape(6, size, *lanes), load], 1))
        right.append(own.right)
        if apart:
            balance = _columns_among_all(_action_and_reaction(joints, j), 0, width, j, count)
            rows.append(jnp.concatenate([jnp.zeros((6, size, *lanes)), balance], 1))
            right.append(jnp.zeros((6, *lanes)))
    matrix = jnp.concatenate(rows)
    x = lu.solve(matrix, lu.factor(matrix), jnp.concatenate(right))
    loads = x[size:].reshape(count, -1, *lanes)[:, -6:]
    lam: Any = jnp.zeros_like(constraints.bias)
    for own, load in zip(equations, loads, strict=True):
        lam = lam + jnp.sum(own.multipliers * load[None], 1)
    ground = [(0, 0), (0, force.shape[1] - bodies), *[(0, 0)] * len(lanes)]
    return jnp.pad(x[:size].reshape(6, bodies, *lanes), ground), lam


def _freedom_rates(inertias: Inertias, constraints: Constraints, equations: list[Six]) -> list[Any]:
    """Rates of the degrees of freedom (freedom, 6, *cases) for the load of each joint. They follow from the
    rows, because a load has no component along the free directions of its joint. Empty without degrees of
    freedom."""
    if inertias.freedoms is None or constraints.on_freedoms is None:
        return []
    inverse, on = inertias.freedoms.inverse_mass[:, None], constraints.on_freedoms
    return [inverse * jnp.sum(on[:, :, None] * own.multipliers[None], 1) for own in equations]


def _columns_among_all(block, first: int, width: int, joint: int, count: int):
    """Coefficients (6, n, *cases) of the unknowns of one joint, in columns of all unknowns, from its `first`
    on."""
    before = joint * width + first
    after = count * width - before - block.shape[1]
    return jnp.pad(block, [(0, 0), (before, after), *[(0, 0)] * (block.ndim - 2)])


# --- Newton and Euler


def _newton(inertias: Inertias, joints: Joints, bodies: int, apart: bool):
    """Effect of the loads on the accelerations, to be subtracted: (6 x bodies, unknowns of the joints,
    *cases), TP-2016 eqs 1-5."""
    table, pairs = joints.table, joints.pairs
    units = [_unit(axis, pairs.gap) for axis in range(3)]
    both = [pair(pairs, e) for pair in (lever, twist) for e in units]
    a, b = (jnp.stack(on, 2) for on in zip(*both, strict=True))
    if apart:
        own = _on_parent(pairs)
        a, b = jnp.concatenate([own, jnp.zeros_like(own)], 2), jnp.concatenate([jnp.zeros_like(b), b], 2)
    total: Any = 0.0
    for ends, on in ((table.parent, a), (table.child, b)):
        at = np.asarray(ends)[None] == np.arange(bodies)[:, None]
        moved = times_inverse(inertias, ends, on)[:, None]
        total = total - moved * at.reshape(1, *at.shape, *(1,) * (moved.ndim - 3))
    return total.reshape(6 * bodies, -1, *total.shape[4:])


def _on_parent(pairs):
    """Generalized forces (6, joint, 6, *cases) of a unit force at the parent's own joint point, and of a unit
    torque, along the inertial axes."""
    columns = []
    for turns in (False, True):
        for axis in range(3):
            e = _unit(axis, pairs.gap)
            moment = rotate_back(pairs.rotation_a, e if turns else cross(pairs.arm_a, e))
            columns.append(jnp.concatenate([jnp.zeros_like(e) if turns else e, moment]))
    return jnp.stack(columns, 2)


def _action_and_reaction(joints: Joints, j: int):
    """F_A + F_B = 0 and T_A + T_B + (r_B - r_A) x F_B = 0, over F_A, T_A, F_B, T_B: (6, 12, *cases); AIAA
    verification paper, eqs 5 and 6."""
    gap = column(joints.pairs.gap, j, 1)
    eye = outer_identity(gap)
    none = jnp.zeros_like(eye)
    turned = cross(gap[:, None], eye)
    return jnp.concatenate(
        [
            jnp.concatenate([eye, none, eye, none], 1),
            jnp.concatenate([none, eye, turned, eye], 1),
        ]
    )


# --- the six equations of a joint


class Six(NamedTuple):
    """Six equations of one joint.

    - on_motion (6, 6, body, *cases): coefficients of the accelerations.
    - on_load (6, 6, *cases): coefficients of force and torque on the child.
    - right (6, *cases): right-hand side.
    - multipliers (row, 6, *cases): matrix that converts the load to multipliers.
    - on_freedoms (6, freedom, *cases): coefficients of the accelerations of further degrees of freedom; empty
      without any.
    """

    on_motion: jax.Array
    on_load: jax.Array
    right: jax.Array
    multipliers: jax.Array
    on_freedoms: Any = ()


def _joint(constraints: Constraints, joints: Joints, bodies: int, j: int) -> Six:
    """The equations of a joint in its present mode."""
    if joints.mode is None:
        return _in_mode(constraints, joints, bodies, j, 1)
    modes = joints.reachable[j]
    found = [_in_mode(constraints, joints, bodies, j, m) for m in modes]
    whole = found[0]
    for m, other in zip(modes[1:], found[1:], strict=True):
        now = joints.mode[j] == m
        whole = jax.tree.map(lambda new, old, now=now: jnp.where(now, new, old), other, whole)
    return whole


def _in_mode(constraints: Constraints, joints: Joints, bodies: int, j: int, mode: int) -> Six:
    held = np.flatnonzero(joints.held[j, mode]).tolist()
    forces = [k for k in held if joints.table.forces[k]]
    torques = [k for k in held if not joints.table.forces[k]]
    turn, arm = column(joints.pairs.rotation_b, j, 2), column(joints.pairs.arm_b, j, 1)
    # Loads of unit multipliers: a force with its moment about the joint point (that of a contact), or a
    # torque.
    along = [constraints.on_b[:3, k] for k in forces]
    turning = [rotate(turn, constraints.on_b[3:, k]) for k in forces]
    moment = [m - cross(arm, e) for m, e in zip(turning, along, strict=True)]
    about = [rotate(turn, constraints.on_b[3:, k]) for k in torques]
    lanes = constraints.bias.shape[1:]
    none = jnp.zeros((3, *lanes))
    shares = reciprocal(along)
    free = [jnp.concatenate([e, none]) for e in normal_to(along, none)]
    for e in normal_to(about, none):
        contact: Any = sum((dot(e, m) * share for m, share in zip(moment, shares, strict=True)), none)
        free.append(jnp.concatenate([-contact, e]))
    motion = [_row(constraints, k, bodies) for k in held] + [jnp.zeros((6, bodies, *lanes))] * len(free)
    load = [jnp.zeros((6, *lanes))] * len(held) + free
    right = [-constraints.bias[k] for k in held] + [jnp.zeros(lanes)] * len(free)
    lam = [jnp.zeros((6, *lanes))] * constraints.bias.shape[0]
    for k, share in zip(forces, shares, strict=True):
        lam[k] = jnp.concatenate([share, none])
    for k, share in zip(torques, reciprocal(about), strict=True):
        lam[k] = jnp.concatenate([none, share])
    found = Six(jnp.stack(motion), jnp.stack(load), jnp.stack(right), jnp.stack(lam))
    if constraints.on_freedoms is None:
        return found
    on = [constraints.on_freedoms[:, k] for k in held]
    none = jnp.zeros_like(constraints.on_freedoms[:, 0])
    return found._replace(on_freedoms=jnp.stack([*on, *[none] * len(free)]))


def _row(constraints: Constraints, k: int, bodies: int):
    """The coefficients of one constraint row over all accelerations."""
    total: Any = 0.0
    for body, on in ((constraints.parent[k], constraints.on_a), (constraints.child[k], constraints.on_b)):
        at = (np.arange(bodies) == body).astype(float)
        total = total + on[:, None, k] * at.reshape(1, bodies, *(1,) * (on.ndim - 2))
    return total


# --- directions


def _unit(axis: int, like):
    """The unit vector of an axis, in the shape of vectors (3, ...)."""
    e = np.eye(3)[axis].reshape(3, *(1,) * (like.ndim - 1))
    return jnp.broadcast_to(e, like.shape)


def normal_to(directions: list, like) -> list:
    """Return directions normal to up to three independent directions, which complete these directions to a
    basis, each (3, *cases).

    like (3, *cases): array with the shape of the result.
    """
    if not directions:
        return [_unit(axis, like) for axis in range(3)]
    if len(directions) == 1:
        (e,) = directions
        # The axis farthest from e, so that the product does not vanish.
        places = jnp.arange(3).reshape(3, *(1,) * (e.ndim - 1))
        aside = (places == jnp.argmin(jnp.abs(e), 0)).astype(e.dtype)
        first = cross(e, aside)
        return [first, cross(e, first)]
    return [cross(*directions)] if len(directions) == 2 else []


def reciprocal(directions: list) -> list:
    """Return the reciprocal directions e' of up to three independent directions e (3, *cases): e_i . e'_k is
    1 for i = k, else 0."""
    if len(directions) == 1:
        (e,) = directions
        return [_over(e, dot(e, e))]
    if len(directions) == 2:
        a, b = directions
        n = cross(a, b)
        return [_over(cross(b, n), dot(n, n)), _over(cross(n, a), dot(n, n))]
    if len(directions) == 3:
        a, b, c = directions
        volume = dot(a, cross(b, c))
        return [_over(cross(b, c), volume), _over(cross(c, a), volume), _over(cross(a, b), volume)]
    return []


def _over(vector, number):
    """A quotient that stays finite if directions coincide in a mode that is not the present mode of the
    joint."""
    return vector / jnp.where(number == 0, 1.0, number)
