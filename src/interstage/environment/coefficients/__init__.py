"""Gravity coefficients by the name of the field, from files in the package or from a user's file."""

from __future__ import annotations

from pathlib import Path

from ...exchange import gfc
from ...exchange.gfc import Coefficients
from ...tree.errors import BadInput
from ...tree.similar_names import near

FILES = {"EGM96": "egm96_70.gfc"}
"""File in this folder for each gravity field of the package, by the name of the field."""


def load(name: str) -> Coefficients:
    """Return the coefficients of a gravity field.

    `name`: name in `FILES`, or path of a file in the format of the ICGEM (.gfc). Raises BadInput if neither
    exists or if the file is faulty.
    """
    path = Path(__file__).parent / FILES[name] if name in FILES else Path(name)
    if not path.exists():
        known = near(name, list(FILES), "gravity fields")
        raise BadInput(
            f"'{name}' is neither a gravity field nor a file; {known}. Or give the path of a .gfc file"
        )
    state = path.stat()
    return gfc.read(path, (state.st_mtime_ns, state.st_size))
