"""The command `interstage trim`, without its options and exit codes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..optimization.command import save_scenario

if TYPE_CHECKING:
    from .result import Trimmed


def deliver(found: Trimmed, output: Path | None, units: str | None, source: Path) -> None:
    """Save, then print the trim and its notes. source: the scenario file."""
    if output is not None:
        save_scenario(found.scenario, output, source)
    from ...report.console import make_console, show_with_notes

    show_with_notes(make_console(), found.tables(units or found.scenario.units))
    for note in found.notes:
        print(note)
    unsaved = "The trim was not saved. To write the scenario, add -o trimmed.toml."
    print(f"Wrote {output}." if output else unsaved)
