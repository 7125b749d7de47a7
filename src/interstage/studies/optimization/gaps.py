"""Continuity constraints of multiple shooting: each leg must start where the previous leg ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...model.values import Value
from ...sensitivities.nodes import LABELS, SIZE

UNITS = ("m", "m/s")


@dataclass(frozen=True)
class Gap:
    """Continuity constraint for one coordinate at the start of a leg. The class has the fields of
    `declared.Constraint`.
    """

    name: str
    unit: str
    tolerance: None = None

    @property
    def quantity(self) -> str:
        """Return the name of the coordinate."""
        return self.name

    @property
    def where(self) -> str:
        """Return the time of evaluation in words."""
        return "at the start of the leg"

    @property
    def limits(self) -> dict[str, Any]:
        """Return the limits of the constraint: the gap must equal zero."""
        return {"equals": Value(magnitude=0.0, unit=self.unit)}


def names(nodes: Sequence[str]) -> list[str]:
    """Return the names of the free coordinates at the starts of the legs `nodes`."""
    return [f"node {leg} {label}" for leg in nodes for label in LABELS]


def gaps(nodes: Sequence[str]) -> list[Gap]:
    """Return the constraints that make the motion continuous at the starts of the legs `nodes`."""
    return [Gap(name, UNITS[k % SIZE // 3]) for k, name in enumerate(names(nodes))]
