"""Entries of one body in joint coordinates: displacement and rotation of its joint, and their rates."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..formulations.spanning import Motions
from ..maths import rotations
from ..maths.arrays import jax, jnp
from ..maths.vectors import dot, rotate, rotate_back

TURN = 2 * np.pi


class Entries(NamedTuple):
    """Entries of one body in a state in joint coordinates; see `joint_coordinates`.

    - place (3, *cases): displacement of the joint point [m]. rate (3, *cases): its rate [m/s].
    - turn (4, *cases): quaternion, or three angles [rad] and a zero. turn_rate (3, *cases): rates [rad/s].
    """

    place: Any
    rate: Any
    turn: Any
    turn_rate: Any


class Sequence(NamedTuple):
    """Axes of three successive rotations from the parent's joint frame to the child's.

    axes: rotation axes in order. free: indices of the free rotations in this order.
    """

    axes: tuple[int, int, int]
    free: tuple[int, ...]


def sequence(motions: Motions) -> Sequence | None:
    """Return the rotation sequence of a joint with one or two free rotations, else None.

    The first axis is fixed in the parent's joint frame, the last axis in the child's joint frame. Therefore
    the sequence is not singular at a middle angle of 90 deg.
    """
    if len(motions.turns) not in (1, 2):
        return None
    (end, axis), last = motions.turns[0], motions.turns[-1][1]
    if len(motions.turns) == 2:
        return Sequence((axis, 3 - axis - last, last), (0, 2))
    if end == "a":
        return Sequence((axis, (axis + 1) % 3, (axis + 2) % 3), (0,))
    return Sequence(((axis + 1) % 3, (axis + 2) % 3, axis), (2,))


def relative(motions: Motions, entries: Entries):
    """Return the relative rotation and angular velocity of a joint for its free directions.

    The rotation is the quaternion (4, *cases) from the driven joint frame of the parent to the joint frame of
    the child. The angular velocity [rad/s] (3, *cases) of the child relative to the driven frame is in axes
    of the driven frame.
    """
    order = sequence(motions)
    if order is None:
        if not motions.turns:
            return entries.turn, jnp.zeros_like(entries.turn_rate)
        q = rotations.unit_quaternion(entries.turn)
        return q, rotate(rotations.matrix_of(q), entries.turn_rate)
    return by_sequence(order, entries.turn, entries.turn_rate, jnp.zeros_like(entries.turn_rate))


def by_sequence(order: Sequence, angles, rates, still):
    """Return the result of `relative` for a rotation sequence with given angles and rates.

    still (3, *cases): zero angular velocity.
    """
    q, spin = _successive(order, angles), still
    matrix = rotations.matrix_of(q)
    if 0 in order.free:
        spin = spin + _unit(order.axes[0], spin) * rates[0]
    if 2 in order.free:
        spin = spin + matrix[:, order.axes[2]] * rates[2]
    return q, spin


def turn_entries(motions: Motions, q, spin):
    """Return the rotation entries and their rates from a quaternion and an angular velocity, as returned by
    `relative`.
    """
    order = sequence(motions)
    if order is None:
        if not motions.turns:
            return q, jnp.zeros_like(spin)
        return q, rotate_back(rotations.matrix_of(q), spin)
    matrix = rotations.matrix_of(q)
    angles = _angles(order.axes, matrix)
    angles = _match_sign(order, angles, q)
    first, last = spin[order.axes[0]], dot(matrix[:, order.axes[2]], spin)
    zero = jnp.zeros_like(first)
    if order.free == (0, 2):
        # Components along two axes that need not be at right angles.
        along = matrix[order.axes[0], order.axes[2]]
        square = 1.0 - along * along
        return angles, jnp.stack([(first - along * last) / square, zero, (last - along * first) / square])
    return angles, jnp.stack([first, zero, zero] if order.free == (0,) else [zero, zero, last])


def _angles(axes, m):
    """Angles (4, *cases) of successive body-fixed rotations about three different axes, followed by a zero.

    The third angle follows from the matrix after the first rotation is removed. This is also valid if the
    second angle is 90 deg, where any first angle is possible.
    """
    i, j, k = axes
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    first = jnp.arctan2(-sign * m[j, k], m[k, k])
    second = jnp.arctan2(sign * m[i, k], jnp.sqrt(m[i, i] ** 2 + m[i, j] ** 2))
    c, s = jnp.cos(first), sign * jnp.sin(first)
    third = jnp.arctan2(sign * (c * m[j, i] + s * m[k, i]), c * m[j, j] + s * m[k, j])
    return jnp.stack([first, second, third, jnp.zeros_like(first)])


def _successive(order: Sequence, angles):
    """Quaternion of the rotations of a sequence."""
    turns = [rotations.about(axis, angles[n]) for n, axis in enumerate(order.axes)]
    return rotations.multiply(rotations.multiply(turns[0], turns[1]), turns[2])


def lock_flags(motions: Motions) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return for each entry of displacement (3) and rotation (4) 1 if it never changes, else 0."""
    place = tuple(int(axis not in motions.translations) for axis in range(3))
    order = sequence(motions)
    if order is None:
        return place, (int(not motions.turns),) * 4
    return place, (*(int(n not in order.free) for n in range(3)), 1)


def match_sign(motions: Motions, turn, like):
    """Return the rotation entries `turn` (4, *cases), with the quaternion sign that is nearest to the entries
    `like`.
    """
    order = sequence(motions)
    if order is None:
        return turn if motions.turns else jnp.where(dot(turn, like) < 0, -turn, turn)
    return _match_sign(order, turn, _successive(order, like))


def _match_sign(order: Sequence, angles, q):
    """Angles whose quaternion has the sign of q, like the attitudes. A free angle takes the whole revolution
    that changes the sign. Locked angles were restored and may differ by a whole revolution (pi and -pi)."""
    other = dot(_successive(order, angles), q) < 0
    free = upright(np.arange(4) == order.free[0], angles)
    return jnp.where(free & other, angles + TURN, angles)


def rates(motions: Motions | None, entries: Entries):
    """Return the rates of the free directions (direction, *cases). motions: free directions; None for a root
    body.
    """
    if motions is None:
        matrix = rotations.matrix_of(rotations.unit_quaternion(entries.turn))
        return jnp.concatenate([entries.rate, rotate(matrix, entries.turn_rate)])
    order = sequence(motions)
    turning = (0, 1, 2)[: len(motions.turns)] if order is None else order.free
    found = [entries.rate[a] for a in motions.translations] + [entries.turn_rate[n] for n in turning]
    return jnp.stack(found) if found else jnp.zeros((0, *entries.rate.shape[1:]))


def slope(motions: Motions | None, entries: Entries, second) -> Entries:
    """Return the time derivatives of the entries.

    motions: free directions; None for a root body. second (direction, *cases): accelerations along the free
    directions.
    """
    if motions is None:
        matrix = rotations.matrix_of(rotations.unit_quaternion(entries.turn))
        turn = rotations.rate(entries.turn, entries.turn_rate)
        return Entries(entries.rate, second[:3], turn, rotate_back(matrix, second[3:6]))
    order, zero = sequence(motions), jnp.zeros(entries.rate.shape[1:])
    slides = dict(zip(motions.translations, second, strict=False))
    turns = second[len(motions.translations) : motions.count]
    rate = jnp.stack([slides.get(a, zero) for a in range(3)])
    if order is None and motions.turns:
        return Entries(entries.rate, rate, rotations.rate(entries.turn, entries.turn_rate), turns)
    turning = {} if order is None else dict(zip(order.free, turns, strict=True))
    turn = jnp.stack([*(entries.turn_rate[n] if n in turning else zero for n in range(3)), zero])
    return Entries(entries.rate, rate, turn, jnp.stack([turning.get(n, zero) for n in range(3)]))


def normalize_turns(motions: Motions | None, turn):
    order = None if motions is None else sequence(motions)
    if order is None:
        return turn if motions is not None and not motions.turns else rotations.unit_quaternion(turn)
    free = upright([n in order.free for n in range(4)], turn)
    return jnp.where(free, turn - 2 * TURN * jnp.round(turn / (2 * TURN)), turn)


# --- arrays


def pad_rates(rates, width: int):
    return jnp.pad(rates, [(0, width - rates.shape[0])] + [(0, 0)] * (rates.ndim - 1))


def where(chosen, new, old):
    """Return a tree of arrays with the values of `new` in the chosen cases, and of `old` in the other
    cases.
    """
    return jax.tree.map(lambda a, b: jnp.where(chosen, a, b), new, old)


def upright(flags, like):
    """Return flags of components (component,) as (component, 1, ...), to be combined with the array `like`
    (component, *cases).
    """
    return np.asarray(flags, bool).reshape((-1,) + (1,) * (like.ndim - 1))


def _unit(axis: int, like):
    return jnp.broadcast_to(upright(np.arange(3) == axis, like).astype(float), like.shape)
