"""Places on the ground that flights are measured from."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import model_validator

from ..tree.declaration import Declaration
from ..tree.errors import Refused
from ..tree.names import Name
from ..tree.units import si

ROUND, FLAT = ("latitude", "longitude"), ("north", "east")


class Site(Declaration):
    """A place on the ground: a pad, a runway, a ship. The distance over the ground to it is known of every
    body, as `range_to.<site>`."""

    name: Name
    """Name in paths and tables."""
    latitude: Annotated[Any, si("rad", within=(-90, 90))] | None = None
    """Geodetic latitude [rad], on a round planet."""
    longitude: Annotated[Any, si("rad")] | None = None
    """Longitude [rad], to the east, on a round planet."""
    north: Annotated[Any, si("m")] | None = None
    """Distance to the north of the ground's point [m], on flat ground."""
    east: Annotated[Any, si("m")] | None = None
    """Distance to the east of the ground's point [m], on flat ground."""

    @property
    def flat(self) -> bool:
        """Whether it is a place on flat ground."""
        return self.north is not None

    @model_validator(mode="after")
    def _one_place(self) -> Site:
        given = tuple(name for name in (*ROUND, *FLAT) if getattr(self, name) is not None)
        if given not in (ROUND, FLAT):
            has = f"has {' and '.join(given)}" if given else "has no place"
            remedy = "give latitude and longitude, or on flat ground north and east"
            raise Refused(("", f"{has}; {remedy}"))
        return self
