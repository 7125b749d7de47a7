"""Heating as a part: it acts on nothing, and is read. Heat loads that something in the flight uses are
part of its state."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from ...engine.contract import HasState, Makers, Tabulated
from ...engine.quantity import Quantity, makers
from . import law
from .declared import LOAD, METAS, Heated, in_flight

if TYPE_CHECKING:
    from ...engine.here import Here


class Heating(HasState, Tabulated):
    """Finds the heating of noses."""

    name = "heating"
    group = "heating"
    kinds = (Heated,)
    state_description = "heat loads"

    @cached_property
    def summed(self) -> tuple[int, ...]:
        """Numbers of those whose heat load is in the state."""
        return in_flight(self.layout.scenario)

    @cached_property
    def states(self) -> int:
        """One for each of these."""
        return len(self.summed)

    @property
    def bodies_in_atmosphere(self) -> Sequence[int]:
        """The bodies of these."""
        return [self.layout.body(self.items[k].body) for k in self.summed]

    @property
    def labels(self) -> tuple[str, ...]:
        """Their paths."""
        return tuple(f"heating.{self.items[k].name}.{LOAD}" for k in self.summed)

    def rates(self, here: Here, acceleration: Any) -> Any:
        """Their heat fluxes."""
        return law.fluxes(here, self.summed)

    def quantities(self) -> Makers:
        """Of each."""
        return makers("heating", self.items, self._of_nose)

    def _of_nose(self, number: int, nose: Any) -> dict[str, Quantity]:
        found = {"heat_rate": Quantity(METAS["heat_rate"], lambda m: law.fluxes(m, [number])[0])}
        if number in self.summed:
            place = self.summed.index(number)
            found[LOAD] = Quantity(METAS[LOAD], partial(self._load, place))
        return found

    def _load(self, place: int, here: Here) -> Any:
        return here.own(self.name)[place]
