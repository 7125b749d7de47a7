"""Interfaces in flight. Interfaces apply no loads to bodies, but evaluate the loads of joints and springs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.contract import Makers, Part
from .quantities import interface_quantities

if TYPE_CHECKING:
    from ...engine.layout import Layout


class Interfaces(Part):
    """Stations with loads as axial force, shear, bending and torsion."""

    name = "interfaces"

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Whether any interface is declared, and joint loads are available."""
        return bool(layout.scenario.interfaces) and layout.has_joints

    def quantities(self) -> Makers:
        """Return the quantities of each interface."""
        return interface_quantities(self.layout)
