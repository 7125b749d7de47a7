"""The parts that come with Interstage."""

from __future__ import annotations

from .air.flown import Air
from .beams.flown import Beams
from .blade_elements.flown import BladeElements
from .bushings.flown import Bushings
from .catches.flown import Catches
from .contacts.flown import Contacts
from .control.flown import Control
from .drag.flown import Drag
from .given.flown import Given
from .guidance.flown import Guidance
from .heating.flown import Heating
from .interfaces.flown import Interfaces
from .modal.flown import ModalBodies
from .performance.flown import Performance
from .propellant.flown import Slosh, Streams
from .pushers.flown import Pushers
from .releases.flown import Releases
from .sensors.flown import Sensors
from .springs.flown import Springs
from .stops.flown import StopsOfJoints
from .torsion.flown import TorsionSprings
from .users.flown import Users

PARTS = (
    *(Guidance, Control, Streams, Slosh, Air, Given, Springs, Pushers, TorsionSprings, Bushings),
    *(
        StopsOfJoints,
        Drag,
        Contacts,
        Users,
        Beams,
        ModalBodies,
        BladeElements,
        Releases,
        Catches,
        Sensors,
        Interfaces,
        Performance,
    ),
    *(Heating,),
)
"""In the order in which their shares are summed."""
