"""Declarations of what happens when a body reaches the ground, and names of the impact events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from ..tree.declaration import Declaration, OneOf
from ..tree.units import si


class _Ground(Declaration):
    altitude: Annotated[Any, si("m")] = 0.0
    """Altitude of the ground [m] above the ellipsoid or above flat ground, for example the altitude of a
    landing site."""


class EndAtGround(_Ground):
    """The flight, or the leg of a mission, ends when the centre of mass of a body reaches the ground in
    descent."""

    kind: Literal["end"] = "end"
    """End the flight or the leg at the first impact."""


class RecordAtGround(_Ground):
    """Each impact is an event, and the flight continues below the ground."""

    kind: Literal["record"] = "record"
    """Record each impact as an event and continue."""


class IgnoreGround(_Ground):
    """No impacts are detected."""

    kind: Literal["ignore"] = "ignore"
    """Detect no impacts."""


IMPACT = "impact"
"""Kind of the impact events. The names of these events end with the kind, after the name of the body."""


def impact_of(body: str) -> str:
    """Return the name of the event at which a body reaches the ground, for example "stage impact"."""
    return f"{body} {IMPACT}"


def detects_impacts(scenario: Any, coordinates: str) -> bool:
    """Return whether a flight detects impacts on the ground. `coordinates`: dynamics of the flight, or of a
    leg of a mission.
    """
    ignored = scenario.planet is None or isinstance(scenario.ground, IgnoreGround)
    return not ignored and coordinates != "held"


def impact_names(scenario: Any, bodies: Iterable[str], coordinates: str) -> tuple[str, ...]:
    """Return the names of the events at which bodies reach the ground, in the order of the bodies.

    The result is empty if the flight detects no impacts. `scenario`: contains the planet and the ground.
    `bodies`, `coordinates`: bodies and dynamics of the flight, or of a leg of a mission.
    """
    return tuple(map(impact_of, bodies)) if detects_impacts(scenario, coordinates) else ()


GroundImpact = Annotated[EndAtGround | RecordAtGround | IgnoreGround, OneOf(short=True)]
