"""Print the results of studies in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...drawing.table import Table


@dataclass(frozen=True)
class Printout:
    """Texts that a command prints, in this order.

    - tables: tables, each followed by its note.
    - notes: sentences printed in yellow.
    - lines: other sentences.
    - verdict: last sentence, or empty.
    - good: false if the verdict is printed in red.
    - narrow: whether notes and lines are always wrapped between words. Default: they are wrapped only on a
      terminal.
    """

    tables: Iterable[Table]
    notes: Sequence[str] = ()
    lines: Sequence[str] = ()
    verdict: str = ""
    good: bool = True
    narrow: bool = False

    def show(self) -> None:
        """Print all texts to standard output."""
        from rich.text import Text

        from ...report.console import make_console, show_with_notes

        console = make_console()
        whole = not self.narrow and not console.is_terminal
        show_with_notes(console, self.tables)
        for note in self.notes:
            console.print(Text(note), style="yellow", soft_wrap=whole)
        for line in self.lines:
            console.print(Text(line), soft_wrap=whole)
        if self.verdict:
            console.print(Text(self.verdict), style=None if self.good else "bold red")


def print_file_names(files: Iterable[Path | None], unsaved: str = "") -> None:
    """Print the names of the written files. If no file was written, print the sentence `unsaved` instead, if
    it is not empty.
    """
    written = [str(file) for file in files if file is not None]
    text = f"Wrote {' and '.join(written)}." if written else unsaved
    if text:
        print(text)
