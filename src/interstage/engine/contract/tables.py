"""Base class of a model with interpolated tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...maths.arrays import jnp
from ...maths.interpolation import Interval
from .part import Part

if TYPE_CHECKING:
    from ..here import Here


class Range(NamedTuple):
    """Range of a variable of a table, with texts for messages.

    - what: name of the data, for example "aerodynamics.drag on ball: CD".
    - variable: name of the variable.
    - factor, unit: conversion from SI to the unit in messages, and the name of this unit.
    - ends: smallest and largest value of the table in this unit; None if unknown.
    - refuses: true if the table has no values beyond its ends, so that the flight stops there.
    - holds: true if the value at the end continues beyond the end.
    - left, remedy: fault and fix in the message for a flight that stopped at an end."""

    what: str
    variable: str
    factor: float = 1.0
    unit: str = ""
    ends: tuple[float, float] | None = None
    refuses: bool = False
    holds: bool = False
    left: str = "left its table"
    remedy: str = 'Give a wider table, or set outside = "hold" for this table.'


class Tabulated(Part):
    """Base class of a model with tables in variables of the state, for example aerodynamic coefficients."""

    def table_intervals(self, here: Here) -> Iterable[Interval]:
        """Yield for each table variable the interval between its neighbouring table points (`Interval`).

        Integration steps end at these points. Default: intervals between the kinks of `kink_locations`."""
        return kinks(self, here)

    @property
    def bodies_in_atmosphere(self) -> Sequence[int]:
        """Return the indices of bodies at whose centres of mass this model reads the atmosphere.

        Integration steps then also end at the layer boundaries of the atmosphere. Default: no bodies."""
        return ()

    def ranges(self, scenario: Any) -> Mapping[Any, Range]:
        """Return the ranges of all table variables for the numbers of a scenario, by a key of each variable.
        Default: none."""
        return {}

    def outside_ranges(self, here: Here) -> Mapping[Any, Any]:
        """Return for each key of `ranges` the distance of the variable beyond its table (*cases).

        A distance is negative below the table, positive above the table, and zero inside. Items that do not
        act have zero.
        Default: none."""
        return {}


def kinks(part: Part, here: Here) -> Iterable[Interval]:
    """Yield the interval between two neighbouring kinks for each variable of `Part.kink_locations`."""
    for place in part.kink_locations(here):
        low = jnp.floor(place)
        yield Interval(low + 0.5, low, low + 1.0, 1.0, jnp.inf)
