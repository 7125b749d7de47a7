"""Check of a name that a declaration refers to, with similar names in the message."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .errors import BrokenName
from .similar_names import near

MOMENTS = ("phases", "events", "devices")
"""Groups whose declarations have events to which other declarations can refer."""
_GROUP_OF = {
    "body": ("bodies",),
    "phase or event": MOMENTS,
    "phase, event or device's event": MOMENTS,
    "gas chamber": ("devices",),
    "bushing or beam": ("forces",),
    "command": ("controls",),
    "guidance": ("guidance",),
    "mass item": ("bodies",),
}


def groups_of(what: str) -> tuple[str, ...]:
    """Return the groups of declarations for a singular noun: ("bodies",) for "body"."""
    return _GROUP_OF.get(what, (what + "s",))


_MANY = {
    "body": "bodies",
    "guidance": "guidance laws",
    "phase or event": "phases and events",
    "phase, event or device's event": "phases, events and devices' events",
    "bushing or beam": "bushings and beams",
}


def unknown(
    place: str, name: str, known: Iterable[str], what: str, remedy: str = "", also: Iterable[str] = ()
) -> Iterator[BrokenName]:
    """Yield a problem if the name at the path `place` is not known.

    - known: allowed names.
    - what: kind of item that has the name, as a singular noun, for example "event".
    - remedy: text before the suggested names.
    - also: further names that may be suggested, such as names of patterns.
    """
    known = list(known)
    if name not in known:
        hint = near(name, [*known, *also], f"{_MANY.get(what, what + 's')} here")
        said = f"there is no {what} '{name}'; {remedy}{hint}"
        yield BrokenName(place, said, among=groups_of(what))
