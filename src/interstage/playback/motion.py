"""Reduce the motion of a body to few samples, without a visible difference.

Between two samples, the viewer interpolates positions with cubic Hermite polynomials, and attitudes with a
constant angular rate. A sample is omitted if this interpolation differs from the sample by less than a
tolerance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..drawing.thinning import runs
from ..maths.rotation_vectors import attitude as attitude_of
from ..maths.rotations import conjugate, multiply
from ..record.record import Record
from .courses import course

CLOSE = 8
"""Precision of the search for the longest interval without samples.

The search ends when its remaining range is below the length of the interval divided by this number.
"""
NEAR = 8
"""Number of following samples that are tested for all samples together."""
TESTED = 32
"""Number of omitted samples that are compared with the interpolation in one call."""
ANGLE = 5e-4
"""Maximum error of an attitude [rad]. This error moves the end of a body with a length of 1000 px by at most
a quarter of a pixel.
"""
MOST_KNOTS = 4000
"""Maximum number of samples of one body. If more samples are needed, the tolerance is increased."""
LARGEST_TURN = 1.0
"""Rotation between two samples [rad] above which samples are added from the angular velocity."""
LOOSE = (1.0, 4.0, 16.0, 64.0, 256.0)
"""Factors of both tolerances. The factors are tried one after another."""
MOST_ADDED = 200_000
"""Maximum number of samples that are added to one body."""


@dataclass
class Motion:
    """Motion of a body: of its centre of mass and its structural axes.

    - time: (n,) [s], not decreasing. Equal times are the two sides of an event.
    - position, velocity: (n, 3) [m], [m/s], inertial axes.
    - attitude: (n, 4), quaternion from body to inertial axes, scalar first.
    - spin: (n, 3), angular velocity [rad/s], body axes.
    """

    time: np.ndarray
    position: np.ndarray
    velocity: np.ndarray
    attitude: np.ndarray
    spin: np.ndarray

    def rows(self, rows: np.ndarray) -> Motion:
        """Return the motion with only some of the samples. rows: indices of these samples."""
        return Motion(*(value[rows] for value in vars(self).values()))

    @property
    def finite(self) -> np.ndarray:
        """Return whether position and attitude of each sample are finite: bool (n,)."""
        known = np.isfinite(np.concatenate([self.position, self.attitude], axis=1))
        return np.asarray(known.all(axis=1))


def motion_of(record: Record, body: str) -> Motion | None:
    """Return the motion of a body; None if the record does not contain its positions."""
    found = course(record, f"bodies.{body}.position", peaks=False)
    if found is None:
        return None
    time, position = found

    def rows(name: str, otherwise: Callable[[], np.ndarray]) -> np.ndarray:
        known = course(record, f"bodies.{body}.{name}", peaks=False)
        return known[1] if known is not None and len(known[0]) == len(time) else otherwise()

    still = np.zeros((len(time), 3))
    velocity = rows("velocity", lambda: _differences(time, position))
    upright = np.broadcast_to([1.0, 0.0, 0.0, 0.0], (len(time), 4)).copy()
    attitude, spin = rows("attitude", lambda: upright), rows("angular_velocity", lambda: still)
    with np.errstate(invalid="ignore", divide="ignore"):
        attitude = attitude / np.linalg.norm(attitude, axis=1, keepdims=True)
    velocity = np.where(np.isfinite(velocity), velocity, 0.0)
    return _with_turns(Motion(time, position, velocity, attitude, np.where(np.isfinite(spin), spin, 0.0)))


def _differences(time: np.ndarray, position: np.ndarray) -> np.ndarray:
    step = np.diff(time)
    if len(time) < 2 or not (step > 0).all():
        return np.zeros_like(position)
    return np.gradient(position, time, axis=0)


def _with_turns(motion: Motion) -> Motion:
    """Add samples where a body rotates by a large angle between two samples. Otherwise the viewer would
    rotate the body the wrong way."""
    step = np.diff(motion.time)
    mean = 0.5 * (motion.spin[1:] + motion.spin[:-1])
    turn = np.linalg.norm(mean, axis=1) * step
    turn[~(motion.finite[1:] & motion.finite[:-1])] = 0.0
    counts = np.ceil(turn / LARGEST_TURN).clip(1, 1 + MOST_ADDED).astype(int) - 1
    if not counts.any() or counts.sum() > MOST_ADDED:
        return motion
    parts = [motion.rows(np.arange(0))]
    last = 0
    for row in map(int, np.flatnonzero(counts)):
        parts += [motion.rows(np.arange(last, row + 1)), _between(motion, row, counts[row], mean[row])]
        last = row + 1
    parts.append(motion.rows(np.arange(last, len(motion.time))))
    return Motion(*(np.concatenate(values) for values in zip(*(vars(part).values() for part in parts))))


def _between(motion: Motion, row: int, count: int, spin: np.ndarray) -> Motion:
    """Return `count` samples between a sample and the next sample, with about the angular velocity `spin`."""
    step = motion.time[row + 1] - motion.time[row]
    first, last = motion.attitude[row], motion.attitude[row + 1]
    turn = rotation_vector(product(inverse(first), last))
    size, expected = np.linalg.norm(turn), spin * step
    axis = turn / size if size > 1e-6 else expected / np.linalg.norm(expected)
    around = np.round((expected @ axis - turn @ axis) / (2 * np.pi))
    turn = axis * (turn @ axis + 2 * np.pi * around)
    part = np.arange(1, count + 1)[:, None] / (count + 1)
    time = motion.time[row] + part[:, 0] * step
    position, velocity = hermite(motion, np.full(count, row), np.full(count, row + 1), time)
    return Motion(
        time,
        position,
        velocity,
        product(np.broadcast_to(first, (count, 4)), of_rotation_vector(part * turn)),
        np.broadcast_to(spin, (count, 3)),
    )


# --- interpolation, as the viewer does it


def hermite(
    motion: Motion, first: np.ndarray, last: np.ndarray, time: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return positions [m] and velocities [m/s] between pairs of samples, by cubic Hermite polynomials.

    - first, last: indices of the samples before and after each time (k,).
    - time: times (k,) [s].
    """
    h = (motion.time[last] - motion.time[first])[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        s = np.where(h > 0, (time - motion.time[first])[:, None] / h, 0.0)
    p0, p1 = motion.position[first], motion.position[last]
    v0, v1 = motion.velocity[first] * h, motion.velocity[last] * h
    change = p1 - p0
    position = p0 + s * (v0 + s * (3 * change - 2 * v0 - v1 + s * (v0 + v1 - 2 * change)))
    slope = v0 + s * (2 * (3 * change - 2 * v0 - v1) + 3 * s * (v0 + v1 - 2 * change))
    with np.errstate(invalid="ignore", divide="ignore"):
        return position, np.where(h > 0, slope / h, motion.velocity[first])


def slerp(first: np.ndarray, last: np.ndarray, part: np.ndarray) -> np.ndarray:
    """Return attitudes (n, 4) between two attitudes, along the shorter rotation from `first` to `last`.

    part: fractions of the rotation (n,), from 0 to 1.
    """
    turn = rotation_vector(product(inverse(first), last))
    return product(first, of_rotation_vector(turn * part[:, None]))


def at_times(motion: Motion, time: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return positions [m] and velocities [m/s] of a body at any times [s].

    Before the first sample and after the last sample, the nearest sample is returned. If a time occurs twice
    in a row, the first is the side before an event. All other times are the side after an event.
    """
    if np.array_equal(time, motion.time):
        return motion.position, motion.velocity
    first, last = _neighbours(motion, time)
    return hermite(motion, first, last, np.clip(time, motion.time[0], motion.time[-1]))


def attitudes_at(motion: Motion, time: np.ndarray) -> np.ndarray:
    """Return the attitudes (n, 4) of a body at any times (n,) [s]. The rules for the times are those of
    `at_times`.
    """
    first, last = _neighbours(motion, time)
    step = motion.time[last] - motion.time[first]
    with np.errstate(invalid="ignore", divide="ignore"):
        part = np.where(step > 0, (time - motion.time[first]) / step, 0.0)
    return slerp(motion.attitude[first], motion.attitude[last], np.clip(part, 0.0, 1.0))


def _neighbours(motion: Motion, time: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Samples before and after each time."""
    end = len(motion.time) - 1
    earlier = np.append(time[1:] == time[:-1], False)
    left, right = (np.searchsorted(motion.time, time, side=side) for side in ("left", "right"))
    first = np.clip(np.where(earlier, left, right) - 1, 0, end)
    return first, np.minimum(first + 1, end)


def product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return products of quaternions (..., 4), scalar first."""
    return np.asarray(multiply(p.T, q.T)).T


def inverse(q: np.ndarray) -> np.ndarray:
    """Return the inverses of unit quaternions (..., 4)."""
    return np.asarray(conjugate(q.T)).T


def rotation_vector(q: np.ndarray) -> np.ndarray:
    """Return the rotation vectors (..., 3) [rad] of unit quaternions. Each rotation is at most half a
    revolution.
    """
    q = np.where(q[..., :1] < 0, -q, q)
    size = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(size, q[..., :1])
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(size > 1e-12, q[..., 1:] * (angle / size), 2 * q[..., 1:])


def of_rotation_vector(turn: np.ndarray) -> np.ndarray:
    """Return unit quaternions (..., 4) of rotation vectors (..., 3) [rad]."""
    return attitude_of(turn.T).T


# --- fewer samples


def rows_to_keep(motion: Motion, tolerance: float, most: int = MOST_KNOTS) -> np.ndarray:
    """Return the rows of the samples to keep, for a tolerance of positions [m]. Missing poses stay missing.

    most: number of rows above which a higher tolerance applies."""
    finite = motion.finite
    known = [part for run in runs(np.where(finite, 0.0, np.nan)) for part in _smooth_parts(motion, run)]
    for loose in LOOSE:
        kept = [np.zeros(0, int)]
        limit = most if loose < LOOSE[-1] else len(finite)
        for run in known:
            ends = run.start, run.stop - 1
            kept.append(_greedy_rows(motion, *ends, loose * tolerance, loose * ANGLE, limit))
            kept.append(np.array([row for row in (run.start - 1, run.stop) if 0 <= row < len(finite)], int))
        rows = np.unique(np.concatenate(kept))
        if len(rows) <= most:
            break
    return rows


def _smooth_parts(motion: Motion, run: slice) -> list[slice]:
    """Parts of a run of samples between jumps of the position, the velocity or the attitude."""
    own = motion.rows(np.arange(run.start, run.stop))
    values = np.concatenate([own.position, own.velocity, own.attitude], axis=1)
    jumps = (np.diff(own.time) == 0) & np.any(np.diff(values, axis=0) != 0, axis=1)
    ends = [run.start, *(run.start + 1 + np.flatnonzero(jumps)), run.stop]
    return [slice(int(first), int(stop)) for first, stop in pairwise(ends)]


def _greedy_rows(
    motion: Motion, first: int, last: int, tolerance: float, angle: float, most: int
) -> np.ndarray:
    """Rows by a greedy choice: each kept sample is the farthest sample that the interpolation from the
    previous kept sample reaches within the tolerance. More than `most` rows are not completed."""
    rows, step = [first], 1
    near = _near_reach(motion, first, last, tolerance, angle)
    while rows[-1] < last and len(rows) <= most:
        row = rows[-1]
        good, bad = row + near[row - first], last + 1
        if good - row < NEAR:
            rows.append(good)
            step = 1
            continue
        while good < last and bad > last:
            reach = max(min(row + 2 * step, last), good + 1)
            if _fits(motion, row, reach, tolerance, angle):
                good, step = reach, 2 * step
            else:
                bad = reach
        while bad <= last and bad - good > max(1, (good - row) // CLOSE):
            middle = (good + bad) // 2
            if _fits(motion, row, middle, tolerance, angle):
                good = middle
            else:
                bad = middle
        rows.append(good)
        step = max(1, (good - row) // 2)
    return np.array(rows)


def _near_reach(motion: Motion, first: int, last: int, tolerance: float, angle: float) -> list[int]:
    """Number of samples, at most NEAR, over which the interpolation from each sample is within the
    tolerances. All samples are tested together, because most of them reach only a few samples."""
    reach, rows = np.ones(last - first + 1, int), np.arange(first, last + 1)
    for span in range(2, NEAR + 1):
        rows = rows[rows + span <= last]
        between = rows[:, None] + np.arange(1, span)
        ends = (np.broadcast_to((rows + k)[:, None], between.shape).ravel() for k in (0, span))
        fits = _within(motion, *ends, between.ravel(), tolerance, angle)
        rows = rows[fits.reshape(between.shape).all(1)]
        reach[rows - first] = span
    return reach.tolist()


def _fits(motion: Motion, first: int, last: int, tolerance: float, angle: float) -> bool:
    """Whether the interpolation between two samples is within the tolerances for all samples between them."""
    between = np.arange(first + 1, last)
    if len(between) > TESTED:
        between = first + 1 + np.linspace(0, last - first - 2, TESTED).astype(int)
    ends = np.full(len(between), first), np.full(len(between), last)
    return bool(_within(motion, *ends, between, tolerance, angle).all())


def _within(
    motion: Motion, first: np.ndarray, last: np.ndarray, between: np.ndarray, tolerance: float, angle: float
) -> np.ndarray:
    """Whether samples between pairs of samples are within the tolerances of the interpolation (n,). Nothing
    is interpolated between the two sides of an event."""
    time = motion.time
    step = time[last] - time[first]
    position, _ = hermite(motion, first, last, time[between])
    near = np.abs(position - motion.position[between]).max(1, initial=0.0) <= tolerance
    part = (time[between] - time[first]) / np.where(step > 0, step, 1.0)
    attitude = slerp(motion.attitude[first], motion.attitude[last], part)
    error = rotation_vector(product(inverse(attitude), motion.attitude[between]))
    return near & (step > 0) & (np.linalg.norm(error, axis=1) <= angle)
