"""Which way the slopes of a table of modes go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...tree.errors import counted
from .levels import Fault

STEADY = 2.0
"""Most ratio of the slopes at two neighbouring points that tell the way from one to the other: a slope that
does not turn between lies between these."""
SEEN = 1e-3
"""Part of the largest slope of a mode below which its sign tells nothing."""
FEWEST = 3
"""Fewest places at which slopes must go against the displacements to be remarked: one may be chance."""
THROUGHOUT = 0.9
"""Part of the places at which they then do: between a few points there may be no beam."""


def against(points: Sequence[Any]) -> Iterator[Fault]:
    """What is said of points along a line whose turns have the sign that displacements do not have.

    A turn t displaces what is a short way d further by t x d, so that the difference of displacements lies
    between that of the turns at both ends, unless the slope turns between."""
    at = np.array([point.at for point in points], float)
    if len(points) < 2 or not np.ptp(at, axis=0).any():
        return
    line = np.linalg.svd(at - at.mean(0))[2][0]
    order = np.argsort(at @ line, kind="stable").tolist()
    shape, turn = (np.array([getattr(points[k], f) for k in order], float) for f in ("shape", "turn"))
    way = np.diff(at[order], axis=0)[:, None]  # (gap, 1, 3)
    moved, first, last = np.diff(shape, axis=0), np.cross(turn[:-1], way), np.cross(turn[1:], way)
    middle = (first + last) / 2
    small, large = (pick(np.abs(first), np.abs(last)) for pick in (np.minimum, np.maximum))
    size = SEEN * np.max(large, (0, 2), keepdims=True)
    steady = (first * last > 0) & (large <= STEADY * small) & (small > size)
    ratio = np.where(steady, moved / np.where(steady, middle, 1.0), 0.0)
    along = int(np.argmax(np.abs(line)))
    for across in (k for k in range(3) if k != along):
        wrong = (ratio[..., across] >= -STEADY) & (ratio[..., across] <= -1 / STEADY)
        count = int(steady[..., across].sum())
        if wrong.sum() >= max(FEWEST, THROUGHOUT * count):
            gap, mode = map(int, np.argwhere(wrong)[0])
            place = f"in mode {mode + 1} between {points[order[gap]].name} and {points[order[gap + 1]].name}"
            yield _told(along, across, f"{wrong.sum()} of {counted(count, 'places')}, first {place}")


def _told(along: int, across: int, where: str) -> Fault:
    about = 3 - along - across
    turn, slope = f"r{'xyz'[about]}", f"d{'xyz'[across]}/d{'xyz'[along]}"
    sign = "" if (along - about) % 3 == 1 else "-"
    remedy = f"a turn is right-handed, {slope} = {sign}{turn}; see whether its sign is to be changed."
    return Fault("", turn, f"its turns {turn} go against the displacements, at {where}", remedy)
