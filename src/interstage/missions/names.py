"""Names that a mission uses: groups of a scenario, and events of each mission or leg."""

from __future__ import annotations

from ..scenario import GROUPS

EFFECTS = tuple(
    group for group in GROUPS if group not in ("bodies", "joints", "phases", "events", "requirements", "legs")
)
"""Names of the groups of a scenario whose items act on bodies and joints, or describe them."""
UNREAD = ("file", "phases", "pattern")
"""Names of fields whose texts are not names of bodies, joints or effects."""
END = " end"
"""Suffix that follows the name of a leg in the name of its end event."""
FLIGHT = ("start", "end")
"""Names of the events of the complete mission."""
LANDING = "landing_distance"
"""Name of a quantity of two bodies: ground distance between their final positions (`record.across`)."""
WHOLE = ""
"""Name of the only leg of a scenario without legs."""


def end_of(leg: str) -> str:
    """Return the name of the event at the end of a leg. leg: name of the leg."""
    return leg + END if leg else FLIGHT[1]


def title_of(leg: str) -> str:
    """Return the name of a leg for progress messages; "" for a scenario without legs."""
    return f"leg {leg}" if leg else ""
