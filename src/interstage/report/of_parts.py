"""Collect tables and figures from the packages that define models.

If an external package returns faulty output, the output is omitted and reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..drawing.figure import Figure
from ..drawing.table import Table
from ..tree import packages

if TYPE_CHECKING:
    from ..record.record import Record

TABLES, FIGURES = "TABLES", "FIGURES"


def make_of_parts(which: str, record: Record, units: str) -> tuple[list[Any], list[str]]:
    """Return the tables or the figures of all packages of models, and one sentence for each omitted output.

    which: `TABLES` or `FIGURES`. units: unit system, "SI" or "US".
    """
    check, title = (_table, "Tables") if which == TABLES else (_figure, "Figures")
    return packages.outputs("shown", which, record.scenario, (record, units), check, title)


def _table(one: Any) -> Table:
    """Return a table of an external package after a check of its cells. Raises TypeError if it cannot be
    printed."""
    if not isinstance(one, Table):
        raise TypeError(f"the function must yield interstage.drawing.table.Table, not {one!r:.40}")
    for row in one.rows:
        if len(row) != len(one.columns) or len(one.right) != len(one.columns):
            text = f"columns {len(one.columns)}, right {len(one.right)}, row {len(row)}"
            raise TypeError(
                f"columns, right and every row of a table must have the same length; the lengths are {text}"
            )
        if not all(isinstance(cell, str) for cell in (*row, *one.columns)):
            raise TypeError(
                f"all cells of a table must be texts, for example number(3.0); one row is {row!r:.80}"
            )
    return one


def _figure(one: Any) -> Figure:
    """Return a figure of an external package after a trial drawing. Raises the exceptions of the drawing."""
    if not isinstance(one, Figure):
        raise TypeError(f"the function must yield interstage.drawing.figure.Figure, not {one!r:.40}")
    from ..drawing.svg import inline

    inline(one)
    return one


def events(scenario: Any) -> Iterator[dict[str, str]]:
    """Yield the texts that describe the kinds of events of each package of models.

    The texts are the constant `EVENTS` of the package's module `shown`.
    """
    for module in packages.working("shown", scenario):
        found = getattr(module, "EVENTS", None)
        if isinstance(found, dict):
            yield {str(kind): str(text) for kind, text in found.items()}
