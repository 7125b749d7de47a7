"""The model that computes heating during a flight. Heating applies no loads to bodies. A heat load that is
used during the flight is a state.
"""

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
    """Model of all heated points: heat fluxes, and the heat loads that are used during the flight."""

    name = "heating"
    group = "heating"
    kinds = (Heated,)
    state_description = "heat loads"

    @cached_property
    def summed_noses(self) -> tuple[int, ...]:
        """The indices of the heated points whose heat load is a state."""
        return in_flight(self.layout.scenario)

    @cached_property
    def states(self) -> int:
        """The number of states, one for each heat load that is used during the flight."""
        return len(self.summed_noses)

    @property
    def bodies_in_atmosphere(self) -> Sequence[int]:
        """The indices of the bodies of the heated points whose heat load is a state."""
        return [self.layout.body(self.items[k].body) for k in self.summed_noses]

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the states, which are the paths of the heat loads."""
        return tuple(f"heating.{self.items[k].name}.{LOAD}" for k in self.summed_noses)

    def rates(self, here: Here, acceleration: Any) -> Any:
        """Return the rates of change of the states [W/m^2] (`states`, *cases), which are the heat fluxes. For
        the parameters, see `HasState.rates`.
        """
        return law.fluxes(here, self.summed_noses)

    def quantities(self) -> Makers:
        """Return the functions that make the quantities of each heated point, by path."""
        return makers("heating", self.items, self._of_nose)

    def _of_nose(self, number: int, nose: Any) -> dict[str, Quantity]:
        found = {"heat_rate": Quantity(METAS["heat_rate"], lambda m: law.fluxes(m, [number])[0])}
        if number in self.summed_noses:
            place = self.summed_noses.index(number)
            found[LOAD] = Quantity(METAS[LOAD], partial(self._load, place))
        return found

    def _load(self, place: int, here: Here) -> Any:
        return here.own(self.name)[place]
