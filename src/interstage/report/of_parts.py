"""Tables and figures that packages of parts make of a record. What fails in a package of others is left out,
and why is reported; nothing else is lost with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..drawing.figure import Figure
from ..drawing.table import Table
from ..tree import packages
from ..tree.errors import BadInput
from ..tree.packages import Package

if TYPE_CHECKING:
    from ..record.record import Record

TABLES, FIGURES = "TABLES", "FIGURES"


def made(which: str, record: Record, units: str) -> tuple[list[Any], list[str]]:
    """(the tables or the figures of all packages, what is left out of those of others and why, a sentence
    each)."""
    found: list[Any] = []
    left_out: list[str] = []
    for module in packages.of_ours("shown"):
        found += [one for make in getattr(module, which, ()) for one in make(record, units)]
    for package in packages.used(record.scenario):
        try:
            module = packages.imported(package, "shown")
            makers = tuple(getattr(module, which, ()))
        except (BadInput, TypeError) as error:
            left_out.append(f"{error}.")
            continue
        for make in makers:
            some, fault = _guarded(make, which, record, units, package)
            found += some
            left_out += [fault] if fault else []
    return found, left_out


def _guarded(make: Callable[..., Any], which: str, record: Record, units: str, package: Package) -> Any:
    """(what a function of another's package makes, what to say of its fault): nothing of the two."""
    checked = _table if which == TABLES else _figure
    try:
        return [checked(one) for one in make(record, units)], ""
    except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
        name = getattr(make, "__name__", which)
        what = "Tables" if which == TABLES else "Figures"
        return [], f"{what} by {package.name}.shown.{name}: {packages.fault(error, package)}."


def _table(one: Any) -> Table:
    """A table that can be printed. Raises TypeError."""
    if not isinstance(one, Table):
        raise TypeError(f"it must yield interstage.drawing.table.Table, and yields {one!r:.40}")
    for row in one.rows:
        if len(row) != len(one.columns) or len(one.right) != len(one.columns):
            text = f"columns {len(one.columns)}, right {len(one.right)}, and a row has {len(row)}"
            raise TypeError(f"all of a table must be equally wide; it has {text}")
        if not all(isinstance(cell, str) for cell in (*row, *one.columns)):
            raise TypeError(f"all cells must be texts, like number(3.0); a row is {row!r:.80}")
    return one


def _figure(one: Any) -> Figure:
    """A figure that can be drawn. Raises whatever drawing it does."""
    if not isinstance(one, Figure):
        raise TypeError(f"it must yield interstage.drawing.figure.Figure, and yields {one!r:.40}")
    from ..drawing.svg import inline

    inline(one)
    return one


def events(scenario: Any) -> Iterator[dict[str, str]]:
    """Yield the texts for kinds of events of parts: EVENTS of their `shown`."""
    for module in packages.working("shown", scenario):
        found = getattr(module, "EVENTS", None)
        if isinstance(found, dict):
            yield {str(kind): str(text) for kind, text in found.items()}
