"""Figure of the commands of control laws and the positions of actuators."""

from __future__ import annotations

from collections.abc import Iterator

from ...drawing.curves import MOST_PANELS, side_by_side, with_rest
from ...drawing.figure import Figure
from ...record.record import Record


def figures(record: Record, units: str) -> Iterator[Figure]:
    """Yield the figure of actuator positions and commands over time. units: name of the unit system."""
    paths = [path for kind in ("actuators.", "controls.") for path in record.series if path.startswith(kind)]
    if paths:
        shown = [(path.partition(".")[2], path) for path in paths[:MOST_PANELS]]
        caption = with_rest("Positions of actuators and commands of control laws, in SI units", paths)
        yield Figure(caption, side_by_side(record, shown, units), key="controls")


FIGURES = (figures,)
