"""The model that evaluates the loads of interfaces during a flight. An interface applies no loads to bodies.
An interface sums the loads of joints and springs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.contract import Makers, Part
from .quantities import interface_quantities

if TYPE_CHECKING:
    from ...engine.layout import Layout


class Interfaces(Part):
    """Model of all interfaces: axial force, shear, bending and torsion at a station."""

    name = "interfaces"

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Return whether an interface is declared, and joint loads are available."""
        return bool(layout.scenario.interfaces) and layout.has_joints

    def quantities(self) -> Makers:
        """Return the functions that make the quantities of each interface, by path."""
        return interface_quantities(self.layout)
