"""Results of a trim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...tree.errors import BadInput, Problem
from ..optimization.variables import Found

if TYPE_CHECKING:
    from ...drawing.table import Table
    from ..linearize import Linear


@dataclass(frozen=True)
class Held:
    """A condition: name, unit [SI], target, value at the start values, and value at the trim."""

    name: str
    unit: str
    wanted: float
    before: float
    now: float


class NoTrim(BadInput):
    """No values within the bounds satisfy all conditions. nearest (unknown,): the closest values; left:
    deviation of each violated condition there [SI]."""

    def __init__(self, message: str, nearest: np.ndarray, left: dict[str, float]) -> None:
        self.nearest, self.left = nearest, left
        super().__init__(Problem("", message))


@dataclass(frozen=True, repr=False)
class Trimmed(Found):
    """An operating point: the scenario that starts there.

    - `unknowns`, `values` (unknown,) [SI]: the solution.
    - `held`: the conditions.
    - `standing`: state of motion, for example "rests", "moves steadily" or "accelerates: ...".
    - notes: warnings and remaining choices.
    - drifts: rates of conditions on accelerations [per s], by name.
    - slopes (condition, unknown) [SI]: derivatives.
    - looks: evaluations of the start.
    - period [s]: of a periodic motion, else NaN."""

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
        """Tables of unknowns and conditions."""
        from .printed import tables

        return tables(self, units)
