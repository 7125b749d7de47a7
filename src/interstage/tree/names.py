"""Names of declarations: short texts that can stand in an input path."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, WithJsonSchema

PATTERN = "[A-Za-z][A-Za-z0-9_-]{0,63}"
GROUND = "ground"
"""The name that joints and springs use for the inertial frame; no body may have it."""


def _name(text: str) -> str:
    if not re.fullmatch(PATTERN, text):
        shown = text if len(text) <= 40 else text[:37] + "..."
        raise ValueError(
            f"{shown!r} is not a name; allowed: letters, digits, _ and -, beginning with a letter, at"
            " most 64, like aft_left"
        )
    return text


Name = Annotated[str, AfterValidator(_name), WithJsonSchema({"type": "string", "pattern": f"^{PATTERN}$"})]
"""The name of something declared here."""


@dataclass(frozen=True)
class Names:
    """Names that may be referred to. `partial` is true where faulty declarations had to be left out of the
    scenario, or mended: their names, `faulty`, still count, but what depends on their contents is not
    checked."""

    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    devices: tuple[str, ...]
    phases: tuple[str, ...]
    events: tuple[str, ...]
    signals: tuple[str, ...] = ()
    partial: bool = False
    faulty: tuple[str, ...] = ()

    @property
    def moments(self) -> tuple[str, ...]:
        """Phases, events and what devices do: what `after` and `at` refer to."""
        return self.phases + self.events + self.signals
