"""In which order tables and figures stand: their keys. What is not named here comes after all others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

TABLES = (
    *("events", "course", "extremes", "losses", "heating", "orbits", "masses"),
    *("impacts", "clearance", "nearest points", "recontacts", "contacts", "touches"),
    *("joint loads", "interface loads", "section loads", "bending", "separations", "checks", "requirements"),
)
FIGURES = (
    *("profile", "track", "losses", "pairs", "joint loads", "interface loads", "section loads", "bending"),
    *("pushers", "preloads", "air", "engines", "guidance"),
    *("controls", "rates", "clearance", "contacts", "violation", "drift"),
)
WHILE_HELD = ("engines",)
"""Figures of bodies that are held: all else stands still."""


def in_order(found: Iterable[Any], keys: Sequence[str]) -> list[Any]:
    """Tables or figures in the order of their keys; of one key as they come."""
    return sorted(found, key=lambda one: keys.index(one.key) if one.key in keys else len(keys))
