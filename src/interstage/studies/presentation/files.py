"""Files of the results of studies: a scenario with found values, and curves by the ending of the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...tree.saving import save_file, write_file
from ...tree.toml_file import read_text

PAGES = (".html", ".htm")
"""Endings of pages."""


def save(path: Path | None, write: Callable[[Path], Any], content: str) -> None:
    """Save a result, if a file is given. content: its name in messages, for example "the sweep".

    Commands save before they print, so that a fault in a printed text loses no result. Raises BadInput."""
    if path is not None:
        save_file(path, write, content)


def save_scenario(scenario: Any, path: Path | None, source: Path | None = None) -> None:
    """Write a scenario with new values: as the text of its source file if possible, else completely in SI.
    Raises BadInput."""
    save(path, lambda target: _write_scenario(scenario, target, source), "the scenario")


def _write_scenario(scenario: Any, path: Path, source: Path | None) -> None:
    text = None
    if source is not None and source.suffix.lower() == ".toml":
        from ..kept_text import updated_text

        text = updated_text(read_text(source), scenario, source.parent, path.parent)
    write_file(path, text or scenario.to_toml())


def save_curves(
    path: Path,
    csv: Callable[[Path], object],
    page: Callable[[Path], object],
    picture: Callable[[Path], object],
) -> None:
    """Save curves by the ending of the file: .csv, .html, or a picture. Raises BadInput."""
    suffix = path.suffix.lower()
    (csv if suffix == ".csv" else page if suffix in PAGES else picture)(path)


def check_curves(path: Path) -> None:
    """Check the file ending before any flight. Raises BadInput."""
    from ...drawing.pictures import check_picture

    if path.suffix.lower() not in (*PAGES, ".csv"):
        check_picture(path)
