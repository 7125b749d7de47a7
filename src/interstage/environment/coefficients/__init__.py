"""Coefficient files of gravity fields that come with the package, and fields by their names."""

from __future__ import annotations

from pathlib import Path

from ...exchange import gfc
from ...exchange.gfc import Coefficients
from ...tree.errors import BadInput, near

FILES = {"EGM96": "egm96_70.gfc"}
"""Names of the fields in the package, and their files in this folder."""


def load(name: str) -> Coefficients:
    """A field by its name (`FILES`), or from a file in the format of the ICGEM (.gfc). Raises `BadInput`."""
    path = Path(__file__).parent / FILES[name] if name in FILES else Path(name)
    if not path.exists():
        known = near(name, list(FILES), "gravity fields")
        raise BadInput(
            f"'{name}' is neither a gravity field nor a file; {known}. Or give the path of a .gfc file"
        )
    state = path.stat()
    return gfc.read(path, (state.st_mtime_ns, state.st_size))
