"""Common names of missions: groups of a scenario, and events of each mission or leg."""

from __future__ import annotations

from ..scenario import GROUPS

EFFECTS = tuple(
    group for group in GROUPS if group not in ("bodies", "joints", "phases", "events", "requirements", "legs")
)
"""Groups of a scenario whose items act on bodies and joints, or describe them."""
UNREAD = ("file", "phases", "pattern")
"""Fields whose strings are not names of bodies, joints or effects."""
END = " end"
"""Suffix after the name of a leg in the name of its end."""
FLIGHT = ("start", "end")
"""Events of the whole mission."""
LANDING = "landing_distance"
"""Quantity of two bodies: ground distance between their final positions (`record.across`)."""
WHOLE = ""
"""Name of the only leg of a scenario without legs."""


def end_of(leg: str) -> str:
    """Name of the event at the end of a leg."""
    return leg + END if leg else FLIGHT[1]


def title_of(leg: str) -> str:
    """Name of a leg in messages of progress; empty for a scenario without legs."""
    return f"leg {leg}" if leg else ""
