"""Tables and figures of packages of parts. Faulty output of an external package is omitted and reported."""

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


def make_of_parts(which: str, record: Record, units: str) -> tuple[list[Any], list[str]]:
    """Return (the tables or figures of all packages, a sentence for each omitted output)."""
    found: list[Any] = []
    left_out: list[str] = []
    for module in packages.of_ours("shown"):
        found += [one for make in getattr(module, which, ()) for one in make(record, units)]
    for package in packages.packages_of(record.scenario):
        try:
            module = packages.import_module_of(package, "shown")
            makers = tuple(getattr(module, which, ()))
        except (BadInput, TypeError) as error:
            left_out.append(f"{error}.")
            continue
        for make in makers:
            some, fault = _call_external(make, which, record, units, package)
            found += some
            left_out += [fault] if fault else []
    return found, left_out


def _call_external(make: Callable[..., Any], which: str, record: Record, units: str, package: Package) -> Any:
    """Return (output of a function of an external package, message of its fault); one of both is empty."""
    checked = _table if which == TABLES else _figure
    try:
        return [checked(one) for one in make(record, units)], ""
    except Exception as error:  # noqa: BLE001 - any exception is reported
        name = getattr(make, "__name__", which)
        what = "Tables" if which == TABLES else "Figures"
        return [], f"{what} by {package.name}.shown.{name}: {packages.fault(error, package)}."


def _table(one: Any) -> Table:
    """Check that a table can be printed. Raises TypeError."""
    if not isinstance(one, Table):
        raise TypeError(f"it must yield interstage.drawing.table.Table, but yields {one!r:.40}")
    for row in one.rows:
        if len(row) != len(one.columns) or len(one.right) != len(one.columns):
            text = f"columns {len(one.columns)}, right {len(one.right)}, row {len(row)}"
            raise TypeError(f"columns, right and each row must have the same length; found {text}")
        if not all(isinstance(cell, str) for cell in (*row, *one.columns)):
            raise TypeError(f"all cells must be texts, like number(3.0); a row is {row!r:.80}")
    return one


def _figure(one: Any) -> Figure:
    """Check that a figure can be drawn. Raises the exceptions of its drawing."""
    if not isinstance(one, Figure):
        raise TypeError(f"it must yield interstage.drawing.figure.Figure, but yields {one!r:.40}")
    from ..drawing.svg import inline

    inline(one)
    return one


def events(scenario: Any) -> Iterator[dict[str, str]]:
    """Yield the texts for kinds of events of parts: EVENTS of their `shown`."""
    for module in packages.working("shown", scenario):
        found = getattr(module, "EVENTS", None)
        if isinstance(found, dict):
            yield {str(kind): str(text) for kind, text in found.items()}
