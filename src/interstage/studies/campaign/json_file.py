"""Write and read JSON files in the folder of a campaign. The results in a file are valid for one campaign
and one version of Interstage.
"""

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
    """Write results to a JSON file and return its path. The file has a temporary name until it is complete.

    - layout: version of the file format.
    - stamp: identity of the campaign.
    - content: results by key.

    Raises BadInput if the file cannot be written.
    """
    text = json.dumps({"format": layout, **stamp._asdict(), **content}, indent=1)
    write_file(path, text + "\n", NO_SPACE)
    return path


def read_json(path: Path, layout: int, stamp: Stamp, make: Callable[[Any], Found]) -> Found | None:
    """Return the results in a JSON file. Return None if the file is missing or damaged, or belongs to
    another campaign, version or format.

    make: function that converts the content of the file into the results.
    """
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
