"""Write result files of studies: scenarios with found inputs, and curves in several formats."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...tree.saving import save_file, write_file
from ...tree.toml_file import read_text

PAGES = (".html", ".htm")
"""File suffixes of HTML pages."""


def save(path: Path | None, write: Callable[[Path], Any], content: str) -> None:
    """Save a result if `path` is not None. Raises BadInput.

    - write: function that writes the file.
    - content: noun for the result in messages, for example "the sweep".

    Commands save results before they print. An error while printing therefore loses no result.
    """
    if path is not None:
        save_file(path, write, content)


def save_scenario(scenario: Any, path: Path | None, source: Path | None = None) -> None:
    """Write a scenario with new inputs to a file. Raises BadInput.

    If possible, the text of the file `source` is kept and only the changed values are replaced. If this is
    not possible, the complete scenario is written in SI.
    """
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
    """Save curves in the format that the suffix of the path selects: .csv, .html, or a picture.

    csv, page, picture: functions that write the formats. Raises BadInput.
    """
    suffix = path.suffix.lower()
    (csv if suffix == ".csv" else page if suffix in PAGES else picture)(path)


def check_curves(path: Path) -> None:
    """Check before any flight that the suffix of a path is allowed for curves. Raises BadInput."""
    from ...drawing.pictures import check_picture

    if path.suffix.lower() not in (*PAGES, ".csv"):
        check_picture(path)
