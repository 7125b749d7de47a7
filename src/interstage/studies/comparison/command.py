"""Actions of the command `interstage compare`. The options and exit codes of the command are defined in the
command-line package.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..presentation.files import save
from ..presentation.terminal import Printout, print_file_names
from . import two_flights
from .printed import notes, tables

if TYPE_CHECKING:
    from .run import Comparison


def deliver(found: Comparison, output: Path | None, plot: Path | None, units: str) -> None:
    """Save the table and the figure of a comparison, and print its tables and notes.

    - output: path of the table, or None.
    - plot: path of the figure, or None.
    - units: "SI" or "US".
    """
    save(output, lambda path: found.save(path, units), "the table")
    save(plot, lambda path: found.figure(units).save(path), "the picture")
    Printout(tables(found, units), lines=["\n".join(notes(found, units))]).show()
    print_file_names([output, plot])


def compare_saved(
    paths: tuple[Path, Path], event: str | None, output: Path | None, units: str | None
) -> None:
    """Compare two saved flights, print the differences, and save the differences of all quantities to a CSV
    file.

    - event: event at which the times are aligned, see `two_flights.compare_flights`.
    - output: path of the CSV file, or None.
    - units: "SI" or "US". Default: the units of the first scenario.

    Raises BadInput."""
    from ...record.results import open_flight

    first, other = map(open_flight, paths)
    found = two_flights.compare_flights(first, other, event)
    units = units or first.record.scenario.units
    save(output, lambda path: found.save(path, units), "the table")
    lines = [f"A: {paths[0]}", f"B: {paths[1]}", *two_flights.notes(found)]
    print("\n".join(lines) + "\n")
    Printout(two_flights.tables(found, units), verdict=found.sentence, good=not found.different).show()
    print_file_names([output])
