"""Largest differences of the poses of bodies between two flights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .motion import Motion, at_times, inverse, product, rotation_vector, slerp


@dataclass(frozen=True)
class PoseDifference:
    """Largest difference of one kind between two flights.

    - what: "position", "relative position" or "attitude".
    - body: name of the body. reference: body to which a relative position refers; "" for others.
    - value: largest difference, in `unit` (m or rad).
    - time: time of the largest difference in the first flight [s].
    """

    what: str
    body: str
    reference: str
    unit: str
    value: float
    time: float


def pose_differences(
    first: dict[str, Motion], other: dict[str, Motion], shift: float, reference: str = ""
) -> list[PoseDifference]:
    """Return the largest differences of all bodies that both flights have.

    - first, other: motions by the names of the bodies.
    - shift: time of the other flight minus time of the first flight [s].
    - reference: body for relative positions; "" or a body that one flight does not have: none.

    A position is the inertial position of the centre of mass. A relative position is the vector from the
    centre of mass of the reference body, along inertial axes. The flights are compared at the samples of
    both, with positions between samples by cubic polynomials."""
    base = (first.get(reference), other.get(reference))
    found: list[PoseDifference] = []
    for name in (one for one in first if one in other):
        time = common_times(first[name], other[name], shift)
        if not len(time):
            continue
        (p, p_attitude), (q, q_attitude) = poses(first[name], time), poses(other[name], time + shift)
        add = _Row(found, name, time)
        add("position", "", "m", np.linalg.norm(q - p, axis=1))
        if base[0] is not None and base[1] is not None and name != reference:
            apart = q - poses(base[1], time + shift)[0] - (p - poses(base[0], time)[0])
            add("relative position", reference, "m", np.linalg.norm(apart, axis=1))
        turn = rotation_vector(product(inverse(p_attitude), q_attitude))
        add("attitude", "", "rad", np.linalg.norm(turn, axis=1))
    return found


@dataclass
class _Row:
    found: list[PoseDifference]
    body: str
    time: np.ndarray

    def __call__(self, what: str, reference: str, unit: str, values: np.ndarray) -> None:
        if np.isfinite(values).any():
            row = int(np.nanargmax(values))
            value, time = float(values[row]), float(self.time[row])
            self.found.append(PoseDifference(what, self.body, reference, unit, value, time))


def common_times(first: Motion, other: Motion, shift: float) -> np.ndarray:
    """Return the sample times of two motions in the span of both, as times of the first flight [s]."""
    mine, its = first.time[first.finite], other.time[other.finite] - shift
    if not len(mine) or not len(its):
        return np.zeros(0)
    low, high = max(mine[0], its[0]), min(mine[-1], its[-1])
    time = np.unique(np.concatenate([mine, its]))
    return time[(time >= low) & (time <= high)]


def poses(motion: Motion, time: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return positions (n, 3) [m] and attitudes (n, 4) of a motion at increasing times; NaN without a
    pose."""
    end = len(motion.time) - 1
    slack = 1e-9 * np.maximum(1.0, np.abs(time))
    inside = (time >= motion.time[0] - slack) & (time <= motion.time[-1] + slack)
    position, _ = at_times(motion, time)
    first = np.clip(np.searchsorted(motion.time, time, side="right") - 1, 0, end)
    last = np.minimum(first + 1, end)
    width = motion.time[last] - motion.time[first]
    part = np.where(width > 0, (time - motion.time[first]) / np.where(width > 0, width, 1.0), 0.0)
    attitude = slerp(motion.attitude[first], motion.attitude[last], part.clip(0, 1))
    return np.where(inside[:, None], position, np.nan), np.where(inside[:, None], attitude, np.nan)
