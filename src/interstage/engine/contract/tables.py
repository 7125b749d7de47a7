"""Capability of effects whose laws look up tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...maths.arrays import jnp
from ...maths.interpolation import Interval
from .part import Part

if TYPE_CHECKING:
    from ..here import Here


class Range(NamedTuple):
    """A variable of a table.

    `what`: the data, "aerodynamics.drag on ball: CD". `factor`, `unit`: for values in messages. `ends`: the
    range of the data in this unit, if known. `refuses`: no value exists beyond an end, so the flight stops.
    `holds`: the end value continues. `left`, `remedy`: texts for a flight that stopped at an end."""

    what: str
    variable: str
    factor: float = 1.0
    unit: str = ""
    ends: tuple[float, float] | None = None
    refuses: bool = False
    holds: bool = False
    left: str = "left its table"
    remedy: str = 'Give a wider table, or set outside = "hold" for it.'


class Tabulated(Part):
    """A part with tables in variables of the state, for example aerodynamic coefficients."""

    def table_intervals(self, here: Here) -> Iterable[Interval]:
        """Yield the location of variables among the points of its tables.

        Steps end at these points. Default: the kinks of `kink_locations`."""
        return kinks(self, here)

    @property
    def bodies_in_atmosphere(self) -> Sequence[int]:
        """Indices of bodies at whose centres of mass it reads the atmosphere, whose layers count, too."""
        return ()

    def ranges(self, scenario: Any) -> Mapping[Any, Range]:
        """Return the variables of its tables, with the numbers of `scenario`."""
        return {}

    def outside_ranges(self, here: Here) -> Mapping[Any, Any]:
        """Return how far variables are beyond their tables (*cases), by the keys of `ranges`.

        Negative below, positive above, zero inside and for items that do not act."""
        return {}


def kinks(part: Part, here: Here) -> Iterable[Interval]:
    """Yield an interval for each variable of `Part.places`."""
    for place in part.kink_locations(here):
        low = jnp.floor(place)
        yield Interval(low + 0.5, low, low + 1.0, 1.0, jnp.inf)
