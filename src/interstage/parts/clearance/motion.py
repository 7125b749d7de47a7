"""Relative pose and motion of two bodies, from the states of a flight."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.state import StateForm
from ...maths.arrays import jnp
from ...maths.vectors import cross
from ...model.attachments import motion_of
from .bounds import wide

if TYPE_CHECKING:
    from ...observation.after import Flown


class Poses(NamedTuple):
    """Poses and motion of all bodies, (component..., body, *cases).

    - position [m], velocity [m/s]: of the centres of mass, from the local origin, inertial axes
    - rotation (3, 3): body to inertial; spin [rad/s], inertial axes
    - centre [m]: centres of mass, structural coordinates
    - mass [kg]; inertia (3, 3) [kg m^2] about the centre of mass, structural axes"""

    position: Any
    velocity: Any
    rotation: Any
    spin: Any
    centre: Any
    mass: Any
    inertia: Any


Sampler = Callable[[np.ndarray], Poses]
"""A function that returns the poses of all bodies at times (n,), arrays cases last."""


class Relative(NamedTuple):
    """Two bodies in many states, in the structural coordinates of a.

    - turn (3, 3, n), place (3, n) [m]: from structural coordinates of b to structural coordinates of a
    - slide (3, n) [m/s], spin (3, n) [rad/s]: a point x of b has the velocity slide + spin x x relative to
      a"""

    turn: Any
    place: Any
    slide: Any
    spin: Any


def poses_of(mechanism: Any, t: Any, x: Any, discrete: Any) -> Poses:
    """Return the poses of a state (t, x, discrete), all (..., *cases)."""
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
    """Return a function for poses at any times of a flight. Each pose is computed once, for all
    clearances."""
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
    """Return body b relative to body a. Positions are subtracted first, which avoids rounding far from the
    origin."""
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
    """Return the rate (n) [m/s] of the distance, from the nearest points (3, n) of a and the directions (3,
    n)."""
    return xp.sum(direction * (between.slide + xp.cross(between.spin, point, axis=0)), 0)


def from_a(relative_: Relative, points: np.ndarray) -> np.ndarray:
    """Return points (3, n), converted from structural coordinates of a to structural coordinates of b."""
    return np.einsum("jin,jn->in", relative_.turn, points - relative_.place)


def fastest(between: Relative, a: tuple[Any, Any], b: tuple[Any, Any], xp: Any = np) -> Any:
    """Largest rate (n) [m/s] of the distance: the speed of the fastest point of one body relative to the
    other, the smaller of both values. a, b: their `bounds.capsules`."""
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


def speeds(layout: Any, x: Any, a: int, b: int, reach: Any) -> Any:
    """Upper bounds (*cases) [m/s] of the range rate of bodies a and b in states x (component, *cases). They
    need no masses, and are less close than `fastest`.

    reach (2, *cases) [m]: largest distances of the points of each body from its centre of mass."""
    pair = [a, b]
    r, v, q, w = (field[:, pair] for field in StateForm(layout, 0).split(x)[:4])
    motion = motion_of(r, v, q, w, False)
    gap, speed, spin = (f[:, 1] - f[:, 0] for f in (motion.position, motion.velocity, motion.spin))
    turning = _length(spin)
    # The centre of mass of a body in axes that turn with the other body, and the points around it.
    bounds = [_length(speed - cross(motion.spin[:, k], gap)) + turning * reach[1 - k] for k in (0, 1)]
    return np.minimum(*bounds)


def meeting(
    poses: Poses, a: int, b: int, point: np.ndarray, normal: np.ndarray
) -> tuple[float, float, float]:
    """Return (approach speed [m/s], sliding speed [m/s], effective mass [kg]) at a point of two free bodies
    in one state.

    point, normal (3,): structural coordinates of a, from a to b. An impulse J along the normal changes the
    approach speed by J/m with the effective mass m. The inverse 1/m is the sum over both bodies of 1/mass +
    (r x n) . I^-1 (r x n)."""
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
