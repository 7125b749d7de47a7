"""Actions of the command `interstage trim`. The options and exit codes of the command are defined in the
command-line package.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..presentation.files import save_scenario
from ..presentation.terminal import Printout, print_file_names

if TYPE_CHECKING:
    from .result import Trimmed


def deliver(found: Trimmed, output: Path | None, units: str | None, source: Path) -> None:
    """Save the trimmed scenario, and print the tables and notes of the trim.

    - output: path of the new scenario file, or None.
    - units: "SI" or "US". None: the units of the scenario.
    - source: path of the original scenario file.
    """
    save_scenario(found.scenario, output, source)
    Printout(found.tables(units or found.scenario.units), lines=found.notes).show()
    print_file_names([output], "The trim was not saved. To write the scenario, add -o trimmed.toml.")
