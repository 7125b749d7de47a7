"""Continuity constraints of multiple shooting: a leg begins at the end of the previous leg."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...model.values import Value
from ...sensitivities.nodes import LABELS, SIZE

UNITS = ("m", "m/s")


@dataclass(frozen=True)
class Gap:
    """Continuity of one coordinate at the beginning of a leg. It has the fields of a constraint
    (`declared.Constraint`)."""

    name: str
    unit: str
    tolerance: None = None

    @property
    def quantity(self) -> str:
        """Return the name of the coordinate."""
        return self.name

    @property
    def where(self) -> str:
        """Time of evaluation, in words."""
        return "at the start of the leg"

    @property
    def limits(self) -> dict[str, Any]:
        """Return the limits of the constraint: the gap must be zero."""
        return {"equals": Value(magnitude=0.0, unit=self.unit)}


def names(nodes: Sequence[str]) -> list[str]:
    """Return the names of the coordinates of leg starts that are free variables."""
    return [f"node {leg} {label}" for leg in nodes for label in LABELS]


def gaps(nodes: Sequence[str]) -> list[Gap]:
    """Return the constraints that make the motion continuous at the free starts of legs."""
    return [Gap(name, UNITS[k % SIZE // 3]) for k, name in enumerate(names(nodes))]
