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
    mass, inverse = (np.pad(one, ((1, 1), (0, 0))) for one in (made.mass[:, None], 1 / made.inertia.T))
    shared = np.zeros(span)
    if made.shared is not None:
        shared[1:count] = made.shared[1:]
    ends = np.stack([_strains(made, side, first, span) for side, first in ((-1.0, 0), (1.0, 1))], 1)
    found = []
    for share in SHARES:
        shares = _shares(share, count, span)
        turned = np.stack([inverse[n : n + span] / one[:, None] for n, one in enumerate(shares)], 1)
        left, right = (mass[n : n + span, 0] * one for n, one in enumerate(shares))
        if np.any(left * right - shared * (left + right) < 0.1 * shared**2):
            continue  # no mass matrix: what is shared is more than there is
        moved = _mobility(left, right, shared)
        by_load = np.einsum("enik,enk,enjk->eij", ends[..., 3:], turned, ends[..., 3:])
        by_load += np.einsum("enm,enik,emjk->eij", moved, ends[..., :3], ends[..., :3])
        found.append(np.max(np.linalg.eigvalsh(size[:, :, None] * by_load * size[:, None, :])))
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
    if made.shear is not None:
        y, z = made.shear[1:]
        found[:, 1, 3], found[:, 2, 3] = found[:, 1, 3] - side * z, found[:, 2, 3] + side * y
    return found


def _mobility(left: np.ndarray, right: np.ndarray, shared: np.ndarray) -> np.ndarray:
    """Inverse of the masses of both ends (element, 2, 2), zero for a clamp's."""
    a, b = (np.where(one > 0, one - shared, np.inf) for one in (left, right))
    off = -shared / (a * b - shared**2)  # zero beside a clamp
    first, last = 1 / (a - shared**2 / b), 1 / (b - shared**2 / a)
    return np.moveaxis(np.array([[first, off], [off, last]]), 2, 0)


def _shares(share: float, count: int, span: int) -> tuple[np.ndarray, np.ndarray]:
    """Of the segments on the left and on the right of each element, with a share of those next to clamps in
    the elements there."""
    left, right = np.full(span, 0.5), np.full(span, 0.5)
    if count > 1:
        right[0], left[1] = share, 1 - share
        if span > count:
            left[-1], right[-2] = share, 1 - share
    return left, right
