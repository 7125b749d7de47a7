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
    """Result for one condition of a trim, in SI.

    - unit: SI unit.
    - wanted: required value.
    - before, now: value with the start values, and at the trim.
    """

    name: str
    unit: str
    wanted: float
    before: float
    now: float


class NoTrim(BadInput):
    """Error of `trim`: no values of the unknowns within the bounds satisfy all conditions.

    - nearest (unknown,): values of the unknowns with the smallest deviations.
    - left: deviation [SI] of each violated condition for these values, by name.
    """

    def __init__(self, message: str, nearest: np.ndarray, left: dict[str, float]) -> None:
        self.nearest, self.left = nearest, left
        super().__init__(Problem("", message))


@dataclass(frozen=True, repr=False)
class Trimmed(Found):
    """Result of a trim: a scenario that starts at the found operating point.

    - scenario: the scenario with the found values.
    - unknowns, values (unknown,): the unknowns and their values [SI].
    - held: results for the conditions.
    - standing: motion at the operating point in words, for example "rests", "moves steadily" or "accelerates:
      ...".
    - notes: warnings, and unknowns that the conditions do not determine.
    - drifts: time derivatives of the accelerations in conditions [SI per second], by name.
    - slopes (condition, unknown): derivatives of the conditions with respect to the unknowns [SI].
    - looks: number of evaluations of the start.
    - period: period of a periodic motion [s], otherwise NaN.
    """

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
        """Return the linear equations about the operating point. The arguments are those of
        `Scenario.linearize`.
        """
        return self.scenario.linearize("start", inputs, outputs, **how)

    def tables(self, units: str = "SI") -> list[Table]:
        """Return a table of the unknowns and a table of the conditions. units: "SI" or "US"."""
        from .printed import tables

        return tables(self, units)
