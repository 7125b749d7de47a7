"""Names of declarations: short texts that can stand in an input path."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator

GROUND = "ground"
"""The name that joints and springs use for the inertial frame; no body may have it."""


def _name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,63}", text):
        shown = text if len(text) <= 40 else text[:37] + "..."
        raise ValueError(
            f"{shown!r} is not a name; allowed: letters, digits, _ and -, beginning with a letter, at"
            " most 64, like aft_left"
        )
    return text


Name = Annotated[str, AfterValidator(_name)]
"""The name of something declared here."""
