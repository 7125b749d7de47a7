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


_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""Characters that files and terminals cannot show: control characters but for tabs and ends of lines, and
halves of characters."""


def fault_of_text(text: str) -> str | None:
    """Why a text may not stand in a scenario, as the rest of a sentence; None if it may."""
    found = _CONTROL.search(text)
    if found is None:
        return None
    return f"has the control character U+{ord(found[0]):04X} at place {found.start() + 1}; take it out"


def _text(text: str) -> str:
    if fault := fault_of_text(text):
        raise ValueError(fault)
    return text


Text = Annotated[str, AfterValidator(_text)]
"""A text in words, without control characters."""


@dataclass(frozen=True)
class Names:
    """Names that may be referred to. `partial` is true where faulty declarations had to be left out of the
    scenario, or fixed: their names, `faulty`, still count, but what depends on their contents is not
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
