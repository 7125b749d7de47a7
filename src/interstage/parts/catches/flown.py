"""Latches, hinges that let go at an angle, and rails, as a part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.contract import Makers, Part
from .declared import HingeRelease, Latch, Rail
from .quantities import catch_quantities

if TYPE_CHECKING:
    from ...engine.layout import Layout


class Catches(Part):
    """Latches, hinges that let go at an angle, and rails."""

    name = "catches"

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Whether any is declared."""
        return any(isinstance(device, HingeRelease | Latch | Rail) for device in layout.scenario.devices)

    def quantities(self) -> Makers:
        """Of each."""
        return catch_quantities(self.layout)
