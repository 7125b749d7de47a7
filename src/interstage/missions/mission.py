"""Represent the legs of a mission as a tree. A scenario without legs is a mission with one leg, named "".

Legs share the declarations of the scenario and refer to them by name. Numeric values are the same objects in
all legs, so cases and JAX tracers can be used without a new validation. The mission must be free of faults;
`checks.legs` finds faults.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from ..model.leg import Leg
from ..tree.similar_names import near
from .leg import DeclaredLeg, MissionLeg, WholeFlight
from .names import EFFECTS, END, FLIGHT, WHOLE

if TYPE_CHECKING:
    from ..scenario import Scenario


class Mission:
    """Scenario with its legs. Each leg is created on first use."""

    def __init__(self, scenario: Scenario):
        self.scenario = scenario

    @staticmethod
    def of(scenario: Scenario) -> Mission:
        """Return the mission of a scenario.

        The last few missions with legs are cached, because one flight requests its mission hundreds of times.
        """
        if not scenario.legs:
            return Mission(scenario)
        found = next((one for one in list(_kept) if one.scenario is scenario), None)
        if found is None:
            found = Mission(scenario)
            _kept.append(found)
        return found

    # --- legs

    @property
    def has_legs(self) -> bool:
        """Return whether the scenario declares legs."""
        return bool(self.scenario.legs)

    @cached_property
    def legs(self) -> Mapping[str, MissionLeg]:
        """Return the legs by name. Each leg follows its preceding leg. All other legs are in the declared
        order.
        """
        if not self.has_legs:
            return {WHOLE: WholeFlight(self)}
        return {leg.name: DeclaredLeg(self, leg) for leg in _in_order(self.scenario.legs)}

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Return the names of the legs. Each leg follows its preceding leg. All other legs are in the
        declared order.
        """
        return tuple(self.legs)

    @cached_property
    def parents(self) -> dict[str, str]:
        """Return the name of the preceding leg of each leg, by name; "" for the first leg."""
        return {name: leg.parent for name, leg in self.legs.items()}

    @property
    def first(self) -> MissionLeg:
        """Return the first leg of the mission."""
        return next(iter(self.legs.values()))

    def leg(self, name: str) -> MissionLeg:
        """Return the leg with this name."""
        return self.legs[name]

    def leading_to(self, legs: Iterable[str]) -> dict[str, str]:
        """Return the preceding leg of each of some legs and of all their predecessors, by name. See
        `parents`.
        """
        needed = {name for leg in legs for name in (*self.leg(leg).predecessors, leg)}
        return {name: parent for name, parent in self.parents.items() if name in needed}

    def consecutive(self, legs: tuple[str, ...]) -> bool:
        """Return whether each leg in a list is a predecessor of the next leg in the list."""
        return all(first in self.leg(then).predecessors for first, then in pairwise(legs))

    # --- events and paths

    @cached_property
    def event_names(self) -> tuple[str, ...]:
        """Return the names of all events: start and end of the mission, and the events of its legs."""
        every = (name for leg in self.legs.values() for name in leg.event_names)
        return tuple(dict.fromkeys((*FLIGHT, *every)))

    @cached_property
    def phase_names(self) -> tuple[str, ...]:
        """Return the names of the phases of all legs."""
        return tuple(name for leg in self.legs.values() for name in leg.phase_names)

    def leg_of(self, event: str) -> str:
        """Return the name of the leg with this phase or event; "" if no leg has it.

        If devices of several legs have the event, the first of these legs is returned.
        """
        return next((name for name, leg in self.legs.items() if leg.has_event(event)), "")

    def chain(self, path: str) -> tuple[str, ...]:
        """Return the names of the legs that have a quantity or an item, in order.

        path: path of the quantity or item, for example "bodies.booster" or "pairs.a.b.distance".
        """
        group, *rest = path.split(".")
        pairs = {pair.name for pair in self.scenario.pairs}
        if group == "pairs" and len(rest) > 1 and rest[0] not in pairs:
            return tuple(name for name, leg in self.legs.items() if {*rest[:2]} <= {*leg.bodies})
        if not rest or group not in ("bodies", "joints", *EFFECTS):
            return self.order
        known = {name: leg.members[group] for name, leg in self.legs.items()}
        return tuple(name for name, items in known.items() if any(item.name == rest[0] for item in items))

    def fault_of_leg_path(self, path: str) -> str:
        """Return the fault of a path that selects a leg, for example "legs.coast.system.energy"; "" for other
        paths.

        Such paths are valid for results only, not in a scenario.
        """
        group, _, rest = path.partition(".")
        name, _, quantity = rest.partition(".")
        if group != "legs" or not self.has_legs:
            return ""
        if name not in self.legs:
            return f"there is no leg '{name}'; {near(name, self.order, 'legs')}"
        text = (
            f"the path '{path}' is valid for results of a flight only. Use '{quantity}' at an event"
            " of the leg"
        )
        return f'{text}, for example at = "{name}{END}", or during a phase of the leg'


_kept: deque[Mission] = deque(maxlen=4)


def _in_order(legs: Iterable[Leg]) -> list[Leg]:
    found, left = [], [*legs]
    while left:
        known = {leg.name for leg in found}
        ready = [leg for leg in left if leg.after is None or leg.after.leg in known]
        if not ready:  # circular, or after a missing leg
            break
        found.append(ready[0])
        left.remove(ready[0])
    return found
