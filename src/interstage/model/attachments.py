"""Pairs of points on two bodies, at which joints, springs and devices act.

All attachments of one kind are stored as one array, so that one set of expressions gives their kinematics. A
is the parent, B the child. The ground counts as an additional body, at rest at the inertial origin.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..maths import rotations
from ..maths.arrays import is_jax, jax, jnp, lax
from ..maths.vectors import add_axes, cross, rotate, rotate_back

PAIRS_IN_TABLE = 400
"""An incidence matrix sums the forces if the number of attachments times the number of bodies is at most this
value.

If the product is larger, the forces of each body are selected and summed instead.
"""
AT_ONCE = 8
"""Maximum number of forces on one body that are summed in one step.

More forces are summed in several steps. A single body with many attachments then does not enlarge the table
of all bodies.
"""


class Motion(NamedTuple):
    """Positions and velocities of all bodies. Arrays are (component, body, *cases).

    If there is a ground, it is the last body.

    - position [m], velocity [m/s]: of the centres of mass relative to the local origin, inertial axes
    - rotation (3, 3, body, *cases), quaternion (4, body, *cases): attitude, from body to inertial axes
    - spin, spin_body: angular velocity [rad/s] in inertial axes, and in body axes
    """

    position: jax.Array
    velocity: jax.Array
    rotation: jax.Array
    spin: jax.Array
    spin_body: jax.Array
    quaternion: jax.Array


class Pairs(NamedTuple):
    """Kinematics of attachments. Arrays are (3, attachment, *cases), inertial axes.

    - arm_a, arm_b [m]: vectors from the centres of mass of parent and child to their points
    - gap [m], gap_rate [m/s]: vector from the parent's point to the child's point, and its rate in inertial
      axes
    - spin_a, spin_b [rad/s]: angular velocities of parent and child
    - rotation_a, rotation_b (3, 3, ...): matrices from body to inertial axes

    If all attachments have the same parent or the same child, the arrays of this body have one column.
    """

    arm_a: jax.Array
    arm_b: jax.Array
    gap: jax.Array
    gap_rate: jax.Array
    spin_a: jax.Array
    spin_b: jax.Array
    rotation_a: jax.Array
    rotation_b: jax.Array

    def bias(self):
        """Return the acceleration of the gap [m/s^2] (3, attachment, *cases) for zero accelerations of the
        two bodies.
        """
        turn_b = cross(self.spin_b, cross(self.spin_b, self.arm_b))
        return turn_b - cross(self.spin_a, cross(self.spin_a, self.arm_a))


def select(array, index, axis: int):
    """Return the entries of an array at the positions `index` along `axis`.

    If all indices are the same, the result has one column. If the indices are consecutive, the result is a
    slice of the array.
    """
    index = np.asarray(index, int)
    stretch = _stretch(index.tobytes())
    if stretch is None:
        return pick(array, index, axis)
    return lax.slice_in_dim(array, *stretch, axis=axis)


@lru_cache(maxsize=4096)
def _stretch(index: bytes) -> tuple[int, int] | None:
    """(first, last + 1) of indices that are all the same or consecutive; None for other indices. Cached,
    because the same indices occur thousands of times."""
    places = np.frombuffer(index, int)
    if not len(places):
        return None
    first, last = int(places[0]), int(places[-1])
    if np.all(places == first) or np.array_equal(places, np.arange(first, first + len(places))):
        return first, last + 1
    return None


def pick(array, index, axis: int):
    """Return the entries of an array at the positions `index` along `axis`. The axes of `index` replace this
    axis.

    `index`: constant integers of any shape. `jnp.take` is not used, because its checks of bounds doubled the
    size of the program.
    """
    if type(array) is np.ndarray:
        return array.take(index, axis)
    index = np.asarray(index, np.int32)
    assert not index.size or (index.min() >= 0 and index.max() < array.shape[axis])
    if not is_jax(array):
        return jnp.take(array, index, axis)
    within = range(axis, axis + index.ndim)
    numbers = lax.GatherDimensionNumbers(
        offset_dims=tuple(k for k in range(array.ndim - 1 + index.ndim) if k not in within),
        collapsed_slice_dims=(axis,),
        start_index_map=(axis,),
    )
    sizes = (*array.shape[:axis], 1, *array.shape[axis + 1 :])
    mode = lax.GatherScatterMode.PROMISE_IN_BOUNDS
    return lax.gather(array, index[..., None], numbers, sizes, mode=mode)


def column(array, index: int, axis: int):
    """Return the entry of an array at the position `index` along `axis`, without this axis. If the axis has
    size one, its only entry is returned for every index.
    """
    return lax.index_in_dim(array, min(index, array.shape[axis] - 1), axis, keepdims=False)


def motion_of(position, velocity, quaternion, spin_body, ground: bool) -> Motion:
    """Return the motion of bodies from their states (component, body, *cases).

    If `ground`, a body at rest at the origin is appended. Position [m], velocity [m/s] and quaternion are
    inertial; `spin_body` [rad/s] is in body axes.
    """
    r, v, q, w = position, velocity, quaternion, spin_body
    if ground:
        one = jnp.zeros_like(r[:, :1])
        still = jnp.broadcast_to(add_axes(jnp.asarray(rotations.IDENTITY), q.ndim), q[:, :1].shape)
        r = jnp.concatenate([r, one], 1)
        v, w = jnp.concatenate([v, one], 1), jnp.concatenate([w, one], 1)
        q = jnp.concatenate([q, still], 1)
    matrix = rotations.matrix_of(q)
    return Motion(r, v, matrix, rotate(matrix, w), w, q)


def append_bodies(motion: Motion, *others: Motion) -> Motion:
    """Return a motion with the bodies of other motions appended."""
    return Motion(
        *(
            jnp.concatenate(
                [one, *(jnp.broadcast_to(o, o.shape[: axis + 1] + one.shape[axis + 1 :]) for o in rest)], axis
            )
            for axis, (one, *rest) in zip(_AXES, zip(motion, *others, strict=True), strict=True)
        )
    )


def first(motion: Motion, count: int) -> Motion:
    """Return the motion of the first `count` bodies."""
    return between(motion, slice(0, count))


def between(motion: Motion, among: slice) -> Motion:
    """Return the motion of the consecutive bodies in the slice `among`."""
    fields = zip(_AXES, motion, strict=True)
    return Motion(*(lax.slice_in_dim(one, among.start, among.stop, axis=axis) for axis, one in fields))


_AXES = (1, 1, 2, 1, 1, 1)
"""The axis of the bodies in each field of a `Motion`."""


def kinematics(motion: Motion, parent, child, point_a, point_b) -> Pairs:
    """Return the kinematics of attachments between the bodies with the indices `parent` and `child`.

    `point_a`, `point_b` (3, attachment, *cases) [m]: vectors from the centres of mass to the points, body
    axes.
    """
    ra, rb = select(motion.rotation, parent, 2), select(motion.rotation, child, 2)
    arm_a, arm_b = rotate(ra, point_a), rotate(rb, point_b)
    spin_a, spin_b = select(motion.spin, parent, 1), select(motion.spin, child, 1)
    gap = select(motion.position, child, 1) + arm_b - select(motion.position, parent, 1) - arm_a
    velocity_b = select(motion.velocity, child, 1) + cross(spin_b, arm_b)
    velocity_a = select(motion.velocity, parent, 1) + cross(spin_a, arm_a)
    return Pairs(arm_a, arm_b, gap, velocity_b - velocity_a, spin_a, spin_b, ra, rb)


def lever(pairs: Pairs, direction):
    """Return the generalized directions on parent A and child B, each (6, attachment, *cases), of a force on
    B along `direction`.

    The first three components are the force in inertial axes. The last three are its torque about the centre
    of mass in body axes. The opposite force on A acts at the point of A that coincides with B's point. Action
    and reaction are therefore on one line (TP-2016 eqs 16, 41-44).
    """
    on_a = -rotate_back(pairs.rotation_a, cross(pairs.arm_a + pairs.gap, direction))
    on_b = rotate_back(pairs.rotation_b, cross(pairs.arm_b, direction))
    return _stack(-direction, on_a), _stack(direction, on_b)


def twist(pairs: Pairs, direction):
    """Return the generalized directions on parent and child, each (6, attachment, *cases), of a torque on the
    child about `direction`.

    `direction` (3, attachment, *cases): inertial axes. The components are as in `lever`.
    """
    zero = jnp.zeros_like(direction)
    on_a = -rotate_back(pairs.rotation_a, direction)
    on_b = rotate_back(pairs.rotation_b, direction)
    return _stack(zero, on_a), _stack(zero, on_b)


def _stack(linear, angular):
    shape = jnp.broadcast_shapes(linear.shape, angular.shape)
    return jnp.concatenate([jnp.broadcast_to(linear, shape), jnp.broadcast_to(angular, shape)])


def sum_by_body(on_a, on_b, parent, child, bodies: int):
    """Return the sums of generalized forces over the attachments of each body, (6, bodies, *cases).

    `on_a`, `on_b` (6, attachment, *cases): generalized forces on parent and child. `parent`, `child`: index
    of the body of each attachment.
    """
    if not on_a.shape[1]:
        return jnp.zeros((6, bodies, *on_a.shape[2:]))
    if not (is_jax(on_a) or is_jax(on_b)):
        return _summed_here(on_a, parent, bodies) + _summed_here(on_b, child, bodies)
    if on_a.shape[1] * bodies > PAIRS_IN_TABLE:
        return _sum_terms(jnp.concatenate([on_a, on_b], 1), (*parent, *child), bodies)
    incidence_a = _incidence(parent, bodies, on_a.ndim)
    incidence_b = _incidence(child, bodies, on_b.ndim)
    return jnp.sum(on_a[:, :, None] * incidence_a + on_b[:, :, None] * incidence_b, 1)


def _summed_here(terms, owner, owners: int):
    """Sums over the terms of each owner, for NumPy terms (6, term, *cases), which may have derivatives."""
    owns = (np.arange(owners)[:, None] == np.asarray(owner)).astype(float)

    def add(some):
        found = np.matmul(owns, np.reshape(some, (len(some), len(owner), -1)))
        return found.reshape(len(some), owners, *some.shape[2:])

    if not hasattr(terms, "tangent"):
        return add(terms)
    from ..maths.dual import linear

    return linear(add, terms, lanes=True)


def _sum_terms(terms, owner, owners: int):
    """Sums of terms (6, term, *cases) over the terms of each owner, a few terms at a time."""
    groups: list[list[int]] = [[] for _ in range(owners)]
    for term, k in enumerate(owner):
        groups[k].append(term)
    while True:
        parts = [[group[k : k + AT_ONCE] for k in range(0, max(len(group), 1), AT_ONCE)] for group in groups]
        flat = [part for group in parts for part in group]
        nothing = terms.shape[1]
        table = np.full((len(flat), max(map(len, flat))), nothing)
        for line, part in zip(table, flat, strict=True):
            line[: len(part)] = part
        terms = jnp.concatenate([terms, jnp.zeros_like(terms[:, :1])], 1)
        terms = jnp.sum(pick(terms, table, 1), 2)
        if len(flat) == owners:
            return terms
        ends = np.cumsum([len(group) for group in parts])
        groups = [list(range(end - len(group), end)) for group, end in zip(parts, ends, strict=True)]


def _incidence(index, bodies, ndim):
    table = (np.asarray(index)[:, None] == np.arange(bodies)[None]).astype(float)
    return table.reshape(1, *table.shape, *([1] * (ndim - 2)))
