"""Figure of the engines, and what happens at their events."""

from __future__ import annotations

from collections.abc import Iterator

from ...drawing.curves import MOST_PANELS, side_by_side, with_rest
from ...drawing.figure import Figure
from ...record.record import Record, names_with


def figures(record: Record, units: str) -> Iterator[Figure]:
    """Thrust of each engine, and mass of each body whose mass may change."""
    engines, bodies = names_with(record, "engines", "thrust"), names_with(record, "bodies", "mass_rate")
    shown = [(name, f"engines.{name}.thrust") for name in engines[:MOST_PANELS]]
    shown += [(name, f"bodies.{name}.mass") for name in bodies[:MOST_PANELS]]
    if shown:
        caption = with_rest("Thrust of the engines, and masses", max(engines, bodies, key=len))
        yield Figure(caption, side_by_side(record, shown, units), key="engines")


FIGURES = (figures,)
DEEDS = {"tank": "engines end"}
