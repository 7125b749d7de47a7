"""Declaration of sensors: points of bodies whose accelerations and angular rates are reported.

Examples are inertial units, seats and equipment.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from ...model.frames import Attitude
from ...tree.declaration import Declaration
from ...tree.names import Name
from ...tree.units import si


class Sensor(Declaration):
    """A point of a body with its own axes. The accelerations and angular rates at this point are
    reported.
    """

    stands: ClassVar[tuple[tuple[str, str], ...]] = (("body", "at"),)

    name: Name
    """Name of the sensor in paths and tables."""
    body: str
    """Name of the body that carries the sensor."""
    at: Annotated[Any, si("m", (3,))]
    """Position of the sensor [m], structural coordinates of the body."""
    frame: Attitude | None = None
    """Sensor axes in the body's structural axes. Default: parallel to these axes."""


KINDS = {"sensors": (Sensor,)}
READ_ONLY = {"sensors": ("sensors", "pairs")}
