"""Model of sensors in a flight. Sensors apply no loads to bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.contract import Makers, Part
from .quantities import sensor_quantities

if TYPE_CHECKING:
    from ...engine.layout import Layout


class Sensors(Part):
    """Model of all sensors in a flight. The model only reports the motion at the sensors."""

    name = "sensors"

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Return whether the scenario declares a sensor."""
        return bool(layout.scenario.sensors)

    def quantities(self) -> Makers:
        """Return the output quantities of each sensor."""
        return sensor_quantities(self.layout)
