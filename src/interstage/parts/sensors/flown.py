"""Sensors as a part: they act on nothing, and are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.contract import Makers, Part
from .quantities import sensor_quantities

if TYPE_CHECKING:
    from ...engine.layout import Layout


class Sensors(Part):
    """Stations at which accelerations and rates are known."""

    name = "sensors"

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Whether any is declared."""
        return bool(layout.scenario.sensors)

    def quantities(self) -> Makers:
        """Of each."""
        return sensor_quantities(self.layout)
