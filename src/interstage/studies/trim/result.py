"""Operating points, as they are handed out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...tree.errors import BadInput, Problem
from ..optimization.variables import Found

if TYPE_CHECKING:
    from ...drawing.table import Table
    from ..linear import Linear


@dataclass(frozen=True)
class Held:
    """A condition: name, unit [SI], what is wanted, as it was at the values to begin with, and as it is."""

    name: str
    unit: str
    wanted: float
    before: float
    now: float


class NoTrim(BadInput):
    """No values within their bounds make all hold. nearest (unknown,): where they are come nearest to; left:
    what is then left of each condition that does not hold [SI]."""

    def __init__(self, message: str, nearest: np.ndarray, left: dict[str, float]) -> None:
        self.nearest, self.left = nearest, left
        super().__init__(Problem("", message))


@dataclass(frozen=True, repr=False)
class Trimmed(Found):
    """An operating point: the scenario that starts there.

    unknowns, values (unknown,) [SI]: what was found. held: what was asked for. standing: "rests", "moves
    steadily", "moves as shaft drives it" or what becomes of it, in words. notes: what to know of it. drifts:
    whether accelerations that are asked for change as the motion goes on [per s], by name. slopes (condition,
    unknown) [SI]. looks: at the start. period [s]: after which the motion repeats itself, not a number where
    none was asked for."""

    held: tuple[Held, ...]
    standing: str
    notes: tuple[str, ...]
    drifts: dict[str, float]
    slopes: np.ndarray
    looks: int
    period: float = np.nan

    def __repr__(self) -> str:
        return f"<Trimmed: {self.summary}; {self.standing}>"

    def linearize(self, inputs: Any = (), outputs: Any = None, **how: Any) -> Linear:
        """Linear equations about it; see `linear.linearize`."""
        return self.scenario.linearize("start", inputs, outputs, **how)

    def tables(self, units: str = "SI") -> list[Table]:
        """What was found, and what holds, as tables."""
        from .printed import tables

        return tables(self, units)
