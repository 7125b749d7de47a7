"""Interfaces as a part: they act on nothing; loads of joints and springs are read at them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.contract import Makers, Part
from .quantities import interface_quantities

if TYPE_CHECKING:
    from ...engine.layout import Layout


class Interfaces(Part):
    """Stations at which loads are known as axial force, shear, bending and torsion."""

    name = "interfaces"

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Whether any is declared, and joints have loads of their own."""
        return bool(layout.scenario.interfaces) and layout.jointed

    def quantities(self) -> Makers:
        """Of each."""
        return interface_quantities(self.layout)
