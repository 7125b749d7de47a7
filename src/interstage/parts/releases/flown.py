"""Devices that let joints go, as a part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.contract import Makers, Part
from .declared import ReleaseDevice
from .quantities import release_quantities

if TYPE_CHECKING:
    from ...engine.layout import Layout


class Releases(Part):
    """Devices that let joints go, with their impulses."""

    name = "releases"

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Whether any is declared."""
        return any(isinstance(device, ReleaseDevice) for device in layout.scenario.devices)

    def quantities(self) -> Makers:
        """Of each."""
        return release_quantities(self.layout)
