"""What must be closed where a mission is cut at nodes: that legs begin with what is handed over to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...flight.nodes import LABELS, SIZE
from ...model.values import Value

UNITS = ("m", "m/s")


@dataclass(frozen=True)
class Gap:
    """That a leg begins with what is handed over to it, in one of its coordinates; it stands beside the
    constraints of a study (`declared.Constraint`)."""

    name: str
    unit: str
    tolerance: None = None

    @property
    def quantity(self) -> str:
        """What is to be alike."""
        return self.name

    @property
    def where(self) -> str:
        """When it is to be so."""
        return "as it begins"

    @property
    def limits(self) -> dict[str, Any]:
        """Nothing is left."""
        return {"equals": Value(magnitude=0.0, unit=self.unit)}


def names(nodes: Sequence[str]) -> list[str]:
    """Names of the numbers that nodes are."""
    return [f"node {leg} {label}" for leg in nodes for label in LABELS]


def gaps(nodes: Sequence[str]) -> list[Gap]:
    """What must be closed."""
    return [Gap(name, UNITS[k % SIZE // 3]) for k, name in enumerate(names(nodes))]
