"""Match the modes of adjacent propellant levels.

Modes are matched by the cosine between their shapes at the points. The squared cosine is the modal assurance
criterion, MAC (R. J. Allemang, The Modal Assurance Criterion: Twenty Years of Use and Abuse, Sound and
Vibration 37(8), 2003).

- If all points have lumped masses, the mean masses of both levels are the weights. If these are all masses of
  the body, the cosines measure orthogonality.
- Without masses, rotations are included. The weight of the rotations is the radius of gyration of the points.

The sign of a mode is arbitrary. If two modes have equal frequency, such as the two bending modes of a round
stage, their planes are also arbitrary. Signs and planes are adapted to the next higher level. If the
frequencies are equal at the highest levels and differ at a lower level, the planes are adapted to the lower
level.

The user determines the order of the modes, because scenarios refer to modes by number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...tree.errors import Refused

LIKE = 0.5
"""The minimum MAC of two shapes of the same mode. With a smaller MAC, the shape consists mostly of other
modes.
"""
CLEAR = 0.2
"""A different order of modes is unambiguous if it increases the MAC by at least this number per mode."""
NOTHING = 1e-6
"""A mode moves no point if the ratio of its displacements to its rotations is below this number. Smaller
displacements are rounding errors of finite-element programs.
"""
PAIRED = 1e-3
"""Two frequencies count as equal if their relative difference is at most this number."""


def match_levels(levels: Sequence[Any], by_shape: bool) -> tuple[list[Any], np.ndarray]:
    """Return the mode sets of all propellant levels with matched modes, and the matrix (mode, mode) from the
    given to the matched modal coordinates of the highest level.

    Modes of equal frequency have no unique shapes. If a lower level separates their frequencies, the matrix
    rotates these modes to the shapes of the lower level. If no lower level separates these frequencies, the
    matrix is the identity.

    - levels: mode sets of the propellant levels, the highest level last.
    - by_shape: if true, the modes of lower levels are sorted by shape. If false, a different order raises
      Refused.

    Raises Refused if modes cannot be matched.
    """
    whole = np.eye(len(levels[-1].frequency))
    if not levels[0].points:
        return list(levels), whole
    found = [levels[-1]]
    for level in reversed(levels[:-1]):
        found, turn = _rotate_as_below(found, level)
        whole = turn @ whole
        found.append(_like(level, found[-1], by_shape))
    return found[::-1], whole


def _like(level: Any, above: Any, by_shape: bool) -> Any:
    """Return a level with modes matched to the level above. Raises Refused."""
    level = _rotate_to_above(level, above)
    cosine = cosines(*vectors(above, level))
    square = cosine**2
    order = _best(square)
    given = np.arange(len(order))
    if (order != given).any():
        _refuse_doubt(level, above, square, order)
        if not by_shape:
            k = int(np.flatnonzero(order != given)[0])
            listed = ", ".join(str(n + 1) for n in order)
            text = (
                f"the order of the modes differs: mode {order[k] + 1} at {_amount(level)} has the shape of"
                f" mode {k + 1} at {_amount(above)}. The order by shape is {listed}"
            )
            raise Refused(("order", f'{text}. Sort the modes in this order, or set order = "by shape"'))
    for k, n in enumerate(order):
        if square[k, n] < LIKE:
            text = f"mode {n + 1} at {_amount(level)} does not match mode {k + 1} at {_amount(above)}"
            text = f"{text}: the MAC of their shapes is {square[k, n]:.2g}, less than {LIKE:g} (1: identical)"
            remedy = "Add a level in between, add points, or set the masses of the points"
            raise Refused(("points", f"{text}. {remedy}"))
    signs = np.where(cosine[given, order] < 0, -1.0, 1.0)
    return _rearrange(level, order, signs)


def _refuse_doubt(level: Any, above: Any, square: np.ndarray, order: np.ndarray) -> None:
    """Raise Refused if neither the given order nor another order is unambiguous."""
    given = np.arange(len(order))
    changed = order != given
    gain = np.sum((square[given, order] - square[given, given])[changed])
    if gain < CLEAR * np.sum(changed):
        k = int(np.flatnonzero(changed)[0])
        text = (
            f"modes {k + 1} and {order[k] + 1} at {_amount(level)} both match mode {k + 1} at"
            f" {_amount(above)} (MAC {square[k, k]:.2g} and {square[k, order[k]]:.2g}, 1: identical)"
        )
        raise Refused(("points", f"{text}. Add points, or set the masses of the points"))


def _amount(level: Any) -> str:
    return f"{float(level.propellant):.6g} kg"


def vectors(above: Any, level: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the mode shapes of the upper and of the lower propellant level as two matrices (mode,
    component). Each row contains the components of all points, one point after the other.

    If the masses of all points are known and every mode moves these masses, the components are displacements.
    Each displacement is multiplied by the square root of the mean mass of its point. Without masses of the
    points, the components are displacements and rotations. Rotations are multiplied by the root-mean-square
    distance [m] of the points from their mean position.

    above, level: mode sets of the upper and of the lower level, with the same points.
    """
    at = np.array([point.at for point in level.points])
    size = np.sqrt(np.mean(np.sum((at - at.mean(0)) ** 2, 1)))
    masses = [[point.mass for point in one.points] for one in (above, level)]
    known = not any(m is None for m in (*masses[0], *masses[1]))
    weight = np.mean(np.array(masses, float), 0) if known else np.ones(len(at))
    moved = [_of_points(one, "shape") for one in (above, level)]
    turned = [size * _of_points(one, "turn") for one in (above, level)]
    whole = [np.sqrt(weight)[:, None] * one for one in moved]
    sizes = [[np.sqrt(np.sum(one**2, (1, 2))) for one in kind] for kind in (moved, turned)]
    if known and all((m > NOTHING * t).all() for m, t in zip(*sizes, strict=True)):
        a, b = whole  # displacements of all masses include the rotations
    else:
        a, b = (np.concatenate(both, 2) for both in zip(moved, turned, strict=True))
    return a.reshape(len(a), -1), b.reshape(len(b), -1)


def _of_points(level: Any, name: str) -> np.ndarray:
    """Return the shapes of all points (mode, point, 3)."""
    return np.stack([getattr(point, name) for point in level.points], 1)


def cosines(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the cosine between each shape of a and each shape of b (mode of a, mode of b). For a mode that
    moves no point, the cosine is zero.

    a, b: shapes (mode, component).
    """
    sizes = np.linalg.norm(a, axis=1)[:, None] * np.linalg.norm(b, axis=1)
    return (a @ b.T) / np.where(sizes > 0, sizes, 1.0)


def _best(square: np.ndarray) -> np.ndarray:
    """Return the index of the matching mode for each mode above, with the largest sum of squares."""
    from scipy.optimize import linear_sum_assignment

    return linear_sum_assignment(-square)[1]


def _rearrange(level: Any, order: np.ndarray, signs: np.ndarray) -> Any:
    points = tuple(
        p._replace(shape=signs[:, None] * p.shape[order], turn=signs[:, None] * p.turn[order])
        for p in level.points
    )
    own = {name: getattr(level, name)[order] for name in ("frequency", "mass", "damping")}
    return level._replace(**own, points=points)


def _rotate_to_above(level: Any, above: Any) -> Any:
    """Return a level whose modes of equal frequency are rotated among themselves to be nearest to the modes
    above."""
    for group in _groups(level.frequency):
        b, a = (_unit_shapes(one, own) for one, own in zip((level, above), vectors(above, level)[::-1]))
        level, _ = _rotate(level, group, _nearest(b[group], a[_mates(b[group], a)]))
    return level


def _rotate_as_below(found: list[Any], level: Any) -> tuple[list[Any], np.ndarray]:
    """Return levels, the highest first, with modes of equal frequency rotated to match a lower level, and the
    matrix for the coordinates of the highest level.

    The modes have different frequencies at the lower level. The rotation applies to the adjacent levels above
    it, as long as their frequencies are equal."""
    last, whole = found[-1], np.eye(len(level.frequency))
    for group in _groups(last.frequency):
        a, b = (_unit_shapes(one, own) for one, own in zip((last, level), vectors(last, level)))
        mates = _mates(a[group], b)
        free = all(_is_group(one.frequency, group) for one in found)
        if free and not any(np.isin(mates, one).all() for one in _groups(level.frequency)):
            mates = mates[_best(cosines(a[group], b[mates]) ** 2)]  # keep the order if possible
            turn = _nearest(a[group], b[mates])
            turned = [_rotate(one, group, turn) for one in found]
            found, whole = [one for one, _ in turned], turned[0][1] @ whole
    return found, whole


def _is_group(frequency: np.ndarray, group: np.ndarray) -> bool:
    return any(np.array_equal(one, group) for one in _groups(frequency))


def _unit_shapes(level: Any, vectors: np.ndarray) -> np.ndarray:
    """Return shapes with generalized mass 1 (mode, component)."""
    return vectors / np.sqrt(level.mass)[:, None]


def _mates(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the indices, in order, of equally many other shapes with the largest component in the space of
    some shapes."""
    basis = np.linalg.svd(some, full_matrices=False)[2]
    size = np.linalg.norm(others, axis=1)
    part = np.linalg.norm(others @ basis.T, axis=1) / np.where(size > 0, size, 1.0)
    return np.sort(np.argsort(-part, kind="stable")[: len(some)])


def _nearest(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the orthogonal matrix that rotates some shapes among themselves to be nearest to equally many
    others (Procrustes)."""
    left, _, right = np.linalg.svd(others @ some.T)
    return left @ right


def _rotate(level: Any, group: np.ndarray, turn: np.ndarray) -> tuple[Any, np.ndarray]:
    """Return a level with a group of modes rotated by an orthogonal matrix, and the matrix (mode, mode) for
    its coordinates.

    The rotation applies to shapes of generalized mass 1. Afterwards all modes of the group have their mean
    mass. Squares of frequencies and damping coefficients are the diagonals of the rotated matrices."""
    root = np.sqrt(level.mass[group])
    mean = np.exp(np.mean(np.log(level.mass[group])))
    shapes = np.sqrt(mean) * turn / root
    points = []
    for p in level.points:
        shape, turned = p.shape.copy(), p.turn.copy()
        shape[group], turned[group] = shapes @ p.shape[group], shapes @ p.turn[group]
        points.append(p._replace(shape=shape, turn=turned))
    frequency, damping, mass = (one.copy() for one in (level.frequency, level.damping, level.mass))
    part = turn**2 / np.sum(turn**2, 1, keepdims=True)
    frequency[group] = np.sqrt(part @ level.frequency[group] ** 2)
    damping[group] = part @ (level.damping * level.frequency)[group] / frequency[group]
    mass[group] = mean
    whole = np.eye(len(mass))
    whole[np.ix_(group, group)] = turn * root / np.sqrt(mean)
    return level._replace(frequency=frequency, damping=damping, mass=mass, points=tuple(points)), whole


def _groups(frequency: np.ndarray) -> list[np.ndarray]:
    """Return groups of indices of modes with equal frequency."""
    order = np.argsort(frequency, kind="stable")
    together = np.diff(frequency[order]) <= PAIRED * frequency[order][:-1]
    number = np.concatenate([[0], np.cumsum(~together)])
    groups = [np.sort(order[number == k]) for k in range(number[-1] + 1)]
    return [group for group in groups if len(group) > 1]
