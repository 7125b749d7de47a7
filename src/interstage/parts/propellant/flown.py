"""Propellant as parts: engines with the streams that they draw, and what sloshes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...engine.contract import Makers, Part
from .quantities import mass_quantities, slosh_quantities
from .slosh import Sloshing, points, sloshing, stored
from .streams import streams

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.layout import Layout
    from .streams import Streams as Flowing


class Streams(Part):
    """Engines and motors at work, and the elements of mass that they draw from."""

    name = "streams"

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Whether there is anything that could flow or push."""
        return bool(layout.scenario.engines or layout.elements)

    def find(self, here: Here) -> Flowing:
        """Thrust and flow."""
        return streams(here)

    def wrench(self, here: Here) -> Any:
        """Of thrust and flow."""
        return here[self.name].total

    def quantities(self) -> Makers:
        """Of engines, of elements of mass, and of the bodies that have some."""
        return mass_quantities(self.layout)


class Slosh(Part):
    """Slosh masses in tanks."""

    name = "slosh"

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Whether anything sloshes."""
        return bool(layout.sloshing)

    def find(self, here: Here) -> Sloshing:
        """Where the masses are, and how they move."""
        return sloshing(here)

    def wrench(self, here: Here) -> Any:
        """Of all."""
        return here[self.name].total

    def stored(self, here: Here) -> Any:
        """Energy in the springs that hold them."""
        return stored(here[self.name])

    def masses(self, here: Here) -> Any:
        """The slosh masses."""
        return points(here.mechanism, here[self.name], here.motion)

    def quantities(self) -> Makers:
        """Of each, with those of its tank."""
        return slosh_quantities(self.layout)
