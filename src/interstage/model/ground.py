"""Effect of an impact of a body on the ground of the planet."""

from __future__ import annotations

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


GroundImpact = Annotated[EndAtGround | RecordAtGround | IgnoreGround, OneOf(short=True)]
