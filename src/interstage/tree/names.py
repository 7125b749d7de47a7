"""Names of declarations. A name is a short text that can be part of an input path."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, WithJsonSchema

PATTERN = "[A-Za-z][A-Za-z0-9_-]{0,63}"
GROUND = "ground"
"""Name of the inertial frame as an end of joints and springs. A body must not have this name."""


def _name(text: str) -> str:
    if not re.fullmatch(PATTERN, text):
        shown = text if len(text) <= 40 else text[:37] + "..."
        raise ValueError(
            f"{shown!r} is not a name; allowed: up to 64 letters, digits, _ and -, beginning with a letter,"
            " for example aft_left"
        )
    return text


Name = Annotated[str, AfterValidator(_name), WithJsonSchema({"type": "string", "pattern": f"^{PATTERN}$"})]
"""Type of a field with the name of a declaration."""


_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""Characters that files and terminals cannot show: surrogates, and control characters except for tabs and
line ends."""


def fault_of_text(text: str) -> str | None:
    """Return the reason why a text is not allowed in a scenario, as the end of a sentence. If it is allowed,
    return None.
    """
    found = _CONTROL.search(text)
    if found is None:
        return None
    character = f"the control character U+{ord(found[0]):04X}"
    return f"has {character} at position {found.start() + 1}. Remove this character"


def _text(text: str) -> str:
    if fault := fault_of_text(text):
        raise ValueError(fault)
    return text


Text = Annotated[str, AfterValidator(_text)]
"""Type of a field with a text without control characters."""


@dataclass(frozen=True)
class Names:
    """Names of all declarations to which other declarations may refer.

    - partial: true if faulty declarations were omitted or replaced. Declarations that depend on the contents
      of these declarations are then not checked.
    - faulty: names of the faulty declarations. The names count as known.
    """

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
        """Names of phases, events and device events, to which the keys `after` and `at` refer."""
        return self.phases + self.events + self.signals
