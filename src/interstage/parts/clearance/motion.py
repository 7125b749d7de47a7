"""Relative pose and relative motion of two bodies, from the states of a flight."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.state import StateForm
from ...maths.arrays import jnp
from ...model.attachments import motion_of
from .bounds import wide
from .paces import Motions

if TYPE_CHECKING:
    from ...observation.after import Flown


class Poses(NamedTuple):
    """Poses, velocities and mass properties of all bodies. Each array has the shape (component..., body,
    *cases).

    - position [m], velocity [m/s]: of the centres of mass relative to the local origin, inertial axes.
    - rotation (3, 3): from body axes to inertial axes.
    - spin [rad/s]: angular velocity, inertial axes.
    - centre [m]: centres of mass, structural coordinates.
    - mass [kg]; inertia (3, 3) [kg m^2]: about the centre of mass, structural axes.
    """

    position: Any
    velocity: Any
    rotation: Any
    spin: Any
    centre: Any
    mass: Any
    inertia: Any


Sampler = Callable[[np.ndarray], Poses]
"""Type of a function that returns the poses of all bodies at times [s] (n,). The last axis of its arrays is
time.
"""


class Relative(NamedTuple):
    """Relative pose and motion of two bodies a and b in n states, in the structural coordinates of a.

    - `turn` (3, 3, n), `place` [m] (3, n): rotation and translation from the structural coordinates of b to
      the structural coordinates of a.
    - slide [m/s], spin [rad/s] (3, n): a point of b at x has the velocity slide + spin x x relative to a.
    """

    turn: Any
    place: Any
    slide: Any
    spin: Any


def poses_of(mechanism: Any, t: Any, x: Any, discrete: Any) -> Poses:
    """Return the poses of all bodies in a state.

    - t: time [s] (*cases).
    - x: state vector (component, *cases).
    - discrete: switches of all models.
    """
    now, count = mechanism.at(x, discrete), mechanism.layout.count
    motion, numbers = now.motion(x), now.numbers
    fields = motion.position, motion.velocity, motion.rotation, motion.spin
    own = numbers.centre, numbers.mass, numbers.inertia
    parts = [
        field[(slice(None),) * lead + (slice(count),)]
        for field, lead in zip((*fields, *own), (1, 1, 2, 1, 1, 0, 2), strict=True)
    ]
    return Poses(*(jnp.broadcast_to(part, (*part.shape[:-1], *jnp.shape(t))) for part in parts))


def sampler(flown: Flown) -> Sampler:
    """Return a function for the poses at any times of a flight. The function stores computed poses, so that
    several clearances share them.
    """
    known: np.ndarray = np.empty(0)
    kept: Poses | None = None

    def sample(times: np.ndarray) -> Poses:
        nonlocal known, kept
        new = np.setdiff1d(times, known)
        if new.size or kept is None:
            found = [np.moveaxis(np.asarray(field), 0, -1) for field in flown.at(new, poses_of)]
            both = [found] if kept is None else [kept, found]
            known = np.concatenate([known, new])
            kept = Poses(*(np.concatenate(fields, -1) for fields in zip(*both, strict=True)))
        order = np.argsort(known)
        among = order[np.searchsorted(known, times, sorter=order)]
        return Poses(*(field[..., among] for field in kept))

    return sample


def relative(poses: Poses, a: int, b: int, xp: Any = np) -> Relative:
    """Return the pose and motion of body b relative to body a.

    - a, b: indices of the bodies.
    - xp: array module, numpy or jax.numpy.

    The positions are subtracted first. This order avoids rounding errors far from the origin.
    """
    turn_a, turn_b = poses.rotation[:, :, a], poses.rotation[:, :, b]

    def into_a(vector: Any) -> Any:
        return xp.sum(turn_a * vector[:, None], 0)

    turn = xp.sum(turn_a[:, :, None] * turn_b[:, None], 0)
    centre_a, centre_b = poses.centre[:, a], poses.centre[:, b]
    gap = into_a(poses.position[:, b] - poses.position[:, a])
    arm = xp.sum(turn * centre_b, 1)
    speed = into_a(poses.velocity[:, b] - poses.velocity[:, a])
    spin_a, spin_b = into_a(poses.spin[:, a]), into_a(poses.spin[:, b])
    slide = speed + xp.cross(spin_a, centre_a, axis=0) - xp.cross(spin_b, gap + centre_a, axis=0)
    return Relative(turn, gap + centre_a - arm, slide, spin_b - spin_a)


def rate_of(between: Relative, point: Any, direction: Any, xp: Any = np) -> Any:
    """Return the rate of change of the distance [m/s] (n,).

    - between: relative motion of the bodies.
    - point: nearest points on a [m] (3, n), structural coordinates of a.
    - direction: unit vectors from a to b (3, n), structural axes of a.
    - xp: array module, numpy or jax.numpy.
    """
    return xp.sum(direction * (between.slide + xp.cross(between.spin, point, axis=0)), 0)


def from_a(relative_: Relative, points: np.ndarray) -> np.ndarray:
    """Return points [m] (3, n) in the structural coordinates of b, given in the structural coordinates of
    a.
    """
    return np.einsum("jin,jn->in", relative_.turn, points - relative_.place)


def fastest(between: Relative, a: tuple[Any, Any], b: tuple[Any, Any], xp: Any = np) -> Any:
    """Return an upper bound of the range rate of two bodies [m/s] (n,).

    - between: relative motion of the bodies.
    - a, b: capsules around the solids of the bodies, from `bounds.capsules`.
    - xp: array module, numpy or jax.numpy.

    The bound is the smaller of two speeds: the fastest point of a relative to b, and the fastest point of b
    relative to a.
    """
    lanes = between.place.ndim - 1
    turning = xp.sqrt(xp.sum(between.spin * between.spin, 0))

    def most(ends: list[Any], girth: Any) -> Any:
        found = []
        for end in ends:
            speed = between.slide[:, None] + xp.cross(between.spin[:, None], end, axis=0)
            found.append(xp.sqrt(xp.sum(speed * speed, 0)) + turning * wide(girth, 1, lanes))
        return xp.max(xp.maximum(*found), 0)

    def ends_of(axis: Any) -> list[Any]:
        return [wide(axis[0] + side * axis[1], 2, lanes) for side in (-1.0, 1.0)]

    moved = [
        xp.sum(between.turn[:, :, None] * end[None], 1) + between.place[:, None] for end in ends_of(b[0])
    ]
    return xp.minimum(most(ends_of(a[0]), a[1]), most(moved, b[1]))


def motions(layout: Any, x: Any, a: int, b: int) -> Motions:
    """Return the motion of body b relative to body a, without mass properties.

    - x: state vector (component, *cases).
    - a, b: indices of the bodies.
    """
    pair = [a, b]
    r, v, q, w = (field[:, pair] for field in StateForm(layout, 0).split(x)[:4])
    motion = motion_of(r, v, q, w, False)
    return motions_between(motion.position, motion.velocity, motion.spin, 0, 1)


def motions_between(position: Any, velocity: Any, spin: Any, a: int, b: int) -> Motions:
    """Return the motion of body b relative to body a from the motions of bodies (3, body, *cases)."""
    return Motions(position[:, b] - position[:, a], velocity[:, b] - velocity[:, a], spin[:, a], spin[:, b])


def meeting(
    poses: Poses, a: int, b: int, point: np.ndarray, normal: np.ndarray
) -> tuple[float, float, float]:
    """Return (approach speed [m/s], sliding speed [m/s], effective mass [kg]) of two bodies at a contact
    point, at one time.

    - a, b: indices of the bodies.
    - point: contact point [m] (3,), structural coordinates of a.
    - normal: unit vector from a to b (3,), structural axes of a.

    If both bodies are free, an impulse J along the normal changes the approach speed by J/m, where m is the
    effective mass. The inverse 1/m is the sum over both bodies of 1/mass + (r x n) . I^-1 (r x n).
    """
    one = Poses(*(field[..., 0] for field in poses))
    turn = one.rotation[:, :, a]
    arm_a = turn @ (point - one.centre[:, a])
    arm_b = arm_a + one.position[:, a] - one.position[:, b]
    n = turn @ normal
    velocity = [one.velocity[:, k] + np.cross(one.spin[:, k], arm) for k, arm in ((a, arm_a), (b, arm_b))]
    against = velocity[1] - velocity[0]
    along = float(against @ n)
    inverse = 0.0
    for k, arm in ((a, arm_a), (b, arm_b)):
        lever = one.rotation[:, :, k].T @ np.cross(arm, n)
        inverse += 1 / one.mass[k] + float(lever @ np.linalg.pinv(one.inertia[:, :, k]) @ lever)
    return -along, float(_length(against - along * n)), 1 / inverse


def _length(vectors):
    return np.sqrt((vectors * vectors).sum(0))
