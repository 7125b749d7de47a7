"""Texts that a command prints about the result of a study."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...drawing.table import Table


@dataclass(frozen=True)
class Printout:
    """Printed texts in their order.

    - tables: each is followed by its note.
    - notes: sentences in yellow.
    - lines: other sentences.
    - verdict: the last sentence. Default: none.
    - good: false for a verdict in red.
    - narrow: true to break notes and lines between words in all output. Default: on a terminal only."""

    tables: Iterable[Table]
    notes: Sequence[str] = ()
    lines: Sequence[str] = ()
    verdict: str = ""
    good: bool = True
    narrow: bool = False

    def show(self) -> None:
        """Print all texts on the standard output."""
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
    """Print the names of the written files. unsaved: the sentence without a file. Default: none."""
    written = [str(file) for file in files if file is not None]
    text = f"Wrote {' and '.join(written)}." if written else unsaved
    if text:
        print(text)
