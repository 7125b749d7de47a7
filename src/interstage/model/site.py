"""Declarations of reference sites on the ground."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import model_validator

from ..tree.declaration import Declaration
from ..tree.errors import Refused
from ..tree.names import Name
from ..tree.units import si

ROUND, FLAT = ("latitude", "longitude"), ("north", "east")


class Site(Declaration):
    """A site on the ground: a pad, a runway, a ship. Each body has the output `range_to.<site>`, the distance
    over the ground to the site."""

    name: Name
    """Name in paths and tables."""
    latitude: Annotated[Any, si("rad", within=(-90, 90))] | None = None
    """Geodetic latitude [rad], on an ellipsoidal planet."""
    longitude: Annotated[Any, si("rad")] | None = None
    """Longitude [rad], positive east, on an ellipsoidal planet."""
    north: Annotated[Any, si("m")] | None = None
    """Distance north of the reference point of flat ground [m]."""
    east: Annotated[Any, si("m")] | None = None
    """Distance east of the reference point of flat ground [m]."""

    @property
    def flat(self) -> bool:
        """True if the site is on flat ground."""
        return self.north is not None

    @model_validator(mode="after")
    def _one_place(self) -> Site:
        given = tuple(name for name in (*ROUND, *FLAT) if getattr(self, name) is not None)
        if given not in (ROUND, FLAT):
            has = f"the site has {' and '.join(given)}" if given else "the site has no location"
            remedy = "Set 'latitude' and 'longitude' on a planet, or 'north' and 'east' on flat ground"
            raise Refused(("", f"{has}. {remedy}"))
        return self
