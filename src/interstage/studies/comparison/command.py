"""Actions of the command `interstage compare`. Its options and exit codes are defined in the command-line
package.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..presentation.files import save
from ..presentation.terminal import Printout, print_file_names
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
