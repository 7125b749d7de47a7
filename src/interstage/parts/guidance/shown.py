"""Figure of commanded attitudes and attitude errors."""

from __future__ import annotations

from collections.abc import Iterator

from ...drawing.curves import MOST_PANELS, side_by_side, with_rest
from ...drawing.figure import Figure
from ...record.record import Record


def figures(record: Record, units: str) -> Iterator[Figure]:
    """Yield the figure of commanded attitudes, and of the attitude errors of the bodies, over time.

    units: unit system of the values, "SI" or "US".
    """
    laws = list(dict.fromkeys(path.split(".")[1] for path in record.series if path.startswith("guidance.")))
    names = (
        ("level_angles", "error")
        if any(f"guidance.{n}.level_angles" in record.series for n in laws)
        else (
            "attitude",
            "error",
        )
    )
    paths = [f"guidance.{law}.{name}" for law in laws for name in names]
    if paths:
        shown = [(path.partition(".")[2], path) for path in paths[:MOST_PANELS]]
        caption = with_rest("Attitudes commanded by guidance laws, and attitude errors of the bodies", paths)
        yield Figure(caption, side_by_side(record, shown, units), key="guidance")


FIGURES = (figures,)
