"""Stations on bodies at which accelerations and rates are to be known: inertial units, seats, equipment."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from ...model.frames import Attitude
from ...tree.declaration import Declaration
from ...tree.names import Name
from ...tree.units import si


class Sensor(Declaration):
    """A point of a body, with axes of its own."""

    stands: ClassVar[tuple[tuple[str, str], ...]] = (("body", "at"),)

    name: Name
    """Name in paths and tables."""
    body: str
    """The body that carries it."""
    at: Annotated[Any, si("m", (3,))]
    """Where it is [m], structural axes, drawing coordinates of the body."""
    frame: Attitude | None = None
    """Its axes in the body's structural axes. Default: parallel."""


KINDS = {"sensors": (Sensor,)}
READ_ONLY = {"sensors": ("sensors", "pairs")}
