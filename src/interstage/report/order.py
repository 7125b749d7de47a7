"""Order of tables and figures in a report, by their keys. Tables and figures with other keys come last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

TABLES = (
    *("events", "course", "extremes", "losses", "heating", "orbits", "masses"),
    *("impacts", "clearance", "nearest points", "recontacts", "contacts", "touches"),
    *("joint loads", "interface loads", "section loads", "bending", "separations", "checks", "requirements"),
)
FIGURES = (
    *(
        "profile",
        "track",
        "losses",
        "pairs",
        "joint motion",
        "joint loads",
        "interface loads",
        "section loads",
        "bending",
    ),
    *("pushers", "preloads", "air", "wind", "engines", "guidance"),
    *("controls", "rates", "clearance", "contacts", "violation", "drift"),
)
WHILE_HELD = ("engines",)
"""Keys of figures for held bodies. All other figures would show constant values."""


def in_order(found: Iterable[Any], keys: Sequence[str]) -> list[Any]:
    """Return tables or figures in the order of their keys. Tables or figures with equal keys keep their
    order.

    found: tables or figures. keys: keys in the required order.
    """
    return sorted(found, key=lambda one: keys.index(one.key) if one.key in keys else len(keys))
