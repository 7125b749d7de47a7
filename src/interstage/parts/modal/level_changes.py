"""How modes change from level to level as tanks drain, and as they hardly do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from . import tracking
from .lumps import FIT

AGREEING = 0.8
"""Square of the cosine of two shapes below which one half way between them is missed by a tenth or more: in
`tests/draining_stack.py` by 0.13 at 0.75, by 0.02 at 0.97."""
ALIKE = 10.0
"""How many times as far a mode of the same generalized mass may move the points at the next level, besides
what the mass of the body does."""


def of_levels(levels: Sequence[Any], mass: Any) -> Iterator[str]:
    """What is said of modes at levels of a body of so much `mass` (level) [kg] that change as those of one
    that drains hardly do. Less mass on the same springs raises all frequencies (Rayleigh)."""
    for k, (low, high) in enumerate(pairwise(levels)):
        at = f"{float(low.propellant):.6g} kg", f"{float(high.propellant):.6g} kg"
        if np.all(np.sort(low.frequency) < (1 - FIT) * np.sort(high.frequency)):
            yield (
                f"all its frequencies are lower at {at[0]} of propellant than at {at[1]}, and less mass"
                " raises them; see whether rows are in the order of the levels."
            )
        yield from _shapes_change(low, high, at, float(np.sqrt(mass[k + 1] / mass[k])))


def _shapes_change(low: Any, high: Any, at: tuple[str, str], grow: float) -> Iterator[str]:
    """What is said of shapes at two levels. grow: how much more points move with the mass of the lower."""
    if not low.points:
        return
    a, b = tracking.vectors(high, low)
    sizes = [np.linalg.norm(one, axis=1) / np.sqrt(level.mass) for one, level in ((a, high), (b, low))]
    for n, (one, other) in enumerate(zip(*sizes, strict=True)):
        if not 1 / ALIKE <= other / one <= ALIKE * grow:
            yield (
                f"mode {n + 1} moves points {other / one:.3g} times as far at {at[0]} of propellant as at"
                f" {at[1]}, for the same generalized mass; see whether both are normalized alike."
            )
    square = np.diag(tracking.cosines(a, b)) ** 2
    if np.min(square) < AGREEING:
        yield (
            f"the shapes of mode {np.argmin(square) + 1} at {at[0]} and {at[1]} of propellant agree by"
            f" {np.min(square):.2g}, 1 being the same; between them it may be off by a tenth. Give a level in"
            " between."
        )
