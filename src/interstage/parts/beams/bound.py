"""The fastest motion that the segments of a beam have."""

from __future__ import annotations

from typing import Any

import numpy as np

from .segments import Made, of

SHARES = np.linspace(0.5, 0.9, 9)
"""Of segments next to clamps, in the element on the clamp's side."""


def fastest(beam: Any) -> float:
    """An angular frequency [1/s] that no motion of a straight beam exceeds between clamps that stay where
    they are, as heavy bodies do: the highest of any element with its share of the segments at its ends (B. M.
    Irons and S. Ahmad, Techniques of Finite Elements, 1980). Shares are halves, but next to clamps, where the
    element is half as long, those that bound it best."""
    made = of(beam, 0)
    count, span = len(made.mass), len(made.length)
    size = np.sqrt(np.concatenate([made.along, made.about]).T)  # (element, strain)
    inertia = np.zeros((count + 2, 3))  # of segments, between none of clamps
    inertia[1:-1] = 1 / made.inertia.T
    mass = np.zeros(count + 2)
    mass[1:-1] = made.mass
    shared = np.zeros(span)
    if made.shared is not None:
        shared[1:count] = made.shared[1:]
    by = [_strains(made, side, first, span) for side, first in ((-1.0, 0), (1.0, 1))]
    found = []
    for share in SHARES:
        left, right = _shares(share, count, span)
        turned = [
            one[:, :, 3:]
            @ ((inertia[n : n + span] / s[:, None])[:, :, None] * np.swapaxes(one[:, :, 3:], 1, 2))
            for n, s, one in zip((0, 1), (left, right), by, strict=True)
        ]
        moved = _mobility(mass[:span] * left, mass[1 : span + 1] * right, shared)
        whole = size[:, :, None] * (sum(turned) + _moving(by, moved)) * size[:, None, :]
        found.append(np.max(np.linalg.eigvalsh(whole)))
    return float(np.sqrt(min(found)))


def _strains(made: Made, side: float, first: int, span: int) -> np.ndarray:
    """Stretches and turns of straight elements (element, 6, 6) by small displacements of the mass centre and
    turns of an end: the left one with side -1, the right one with 1; `first` counts from the clamp."""
    found = np.zeros((span, 6, 6))
    found[:, range(6), range(6)] = side
    found[:, 1, 5], found[:, 2, 4] = -made.length / 2, made.length / 2
    if made.centre is not None:
        centre = np.zeros((3, len(made.mass) + 2))
        centre[:, 1:-1] = made.centre
        x, y, z = centre[:, first : first + span]
        none = 0 * x
        arm = np.array([[none, -z, y], [z, none, -x], [-y, x, none]])  # of the vector product
        found[:, :3, 3:] += side * np.moveaxis(arm, 2, 0)
    return found


def _mobility(left: np.ndarray, right: np.ndarray, shared: np.ndarray) -> np.ndarray:
    """Inverse of the masses of both ends (element, 2, 2), zero for a clamp's."""
    a, b = (np.where(one > 0, one - shared, np.inf) for one in (left, right))
    off = -shared / (a * b - shared**2)  # zero beside a clamp
    first, last = 1 / (a - shared**2 / b), 1 / (b - shared**2 / a)
    return np.moveaxis(np.array([[first, off], [off, last]]), 2, 0)


def _moving(by: list[np.ndarray], moved: np.ndarray) -> np.ndarray:
    """What the masses let strains do by section loads (element, 6, 6)."""
    return sum(
        moved[:, n, m, None, None] * (by[n][:, :, :3] @ np.swapaxes(by[m][:, :, :3], 1, 2))
        for n in (0, 1)
        for m in (0, 1)
    )


def _shares(share: float, count: int, span: int) -> tuple[np.ndarray, np.ndarray]:
    """Of the segments on the left and on the right of each element, with a share of those next to clamps in
    the elements there."""
    left, right = np.full(span, 0.5), np.full(span, 0.5)
    if count > 1:
        right[0], left[1] = share, 1 - share
        if span > count:
            left[-1], right[-2] = share, 1 - share
    return left, right
