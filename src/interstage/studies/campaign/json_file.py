"""JSON files with results of one campaign and one version of the package, in the folder of the campaign."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from ...tree import guarded_reader
from ...tree.saving import write_file
from .chunk_file import NO_SPACE, Stamp

Found = TypeVar("Found")


def write_json(path: Path, layout: int, stamp: Stamp, content: Mapping[str, Any]) -> Path:
    """Write results under a temporary name, rename the file, and return its path. Raises BadInput.

    layout: number of the layout of the content."""
    text = json.dumps({"format": layout, **stamp._asdict(), **content}, indent=1)
    write_file(path, text + "\n", NO_SPACE)
    return path


def read_json(path: Path, layout: int, stamp: Stamp, make: Callable[[Any], Found]) -> Found | None:
    """Return the results in a file; None for a missing or damaged file, and for results of another campaign,
    version or layout. make: function of the content that returns the results."""
    try:
        content = json.loads(guarded_reader.read_text(path, guarded_reader.PROGRESS))
        if (content["format"], content["key"], content["version"]) != (layout, *stamp):
            return None
        return make(content)
    except (
        guarded_reader.Unreadable,
        guarded_reader.Missing,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
    ):
        return None
