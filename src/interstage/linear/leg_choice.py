"""Choose the leg of a mission for linearization, and fly legs on request."""

from __future__ import annotations

import math
from typing import Any

from ..missions.leg import MissionLeg
from ..missions.mission import Mission
from ..runs import mission as legs
from ..runs.run import Flown, flown, of_flight
from ..starts.events import END, START
from ..tree.errors import BadInput, Problem
from ..tree.sentences import list_text
from ..tree.similar_names import near
from .moments import Moment, moments, span

NOT_RIGID = {
    "held": "the bodies of the leg are held on the planet. Choose a leg in which the bodies fly",
    "point": "the bodies of the leg are point masses without attitude. Fly the bodies as rigid bodies",
}
"""Coordinates of legs that have no linear equations, with the reason for the message."""
MOST_LISTED = 4
"""Largest number of times in a message."""


class LegFlights:
    """The legs of a mission. Each leg is flown once, if an operating point needs it."""

    def __init__(self, scenario: Any):
        self.mission = Mission.of(scenario)
        self.flown: dict[str, Flown] = {}
        self.unflown: dict[str, str] = {}

    def fly(self, some: dict[str, str], latest: float = math.inf) -> None:
        """Fly legs that begin at `latest` [s] or before. Raises BadInput if the start of the mission is not
        consistent.

        some: legs with their parents, see `Mission.parents`.
        """

        def fly(leg: MissionLeg, parent: Flown | None) -> Flown:
            if leg.name in self.flown:
                return self.flown[leg.name]
            program = of_flight(leg.scenario)
            first = legs.leg_start(leg, parent, program)
            if first.time > latest:
                raise legs.Unflown(f"the leg begins later, at {first.time:.9g} s")
            return flown(program, leg.scenario, first)

        found, self.unflown = legs.fly_each(self.mission, some, fly)
        self.flown |= found

    def at(self, time: float) -> list[str]:
        """Return the names of the legs that fly at a time [s]. Raises BadInput if no leg flies."""
        self.fly(self.mission.parents, time)
        spans = {leg: (float(one.first.time), float(one.cursor.t)) for leg, one in self.flown.items()}
        found = [leg for leg in self.mission.order if leg in spans and spans[leg][0] <= time <= spans[leg][1]]
        if not found:
            each = [f"{leg} from {begin:.9g} s to {end:.9g} s" for leg, (begin, end) in spans.items()]
            each += [f"{leg} was not flown: {why}" for leg, why in self.unflown.items()]
            raise BadInput(
                Problem("at", f"no leg flies at {time:.9g} s. Times of the legs: {'; '.join(each)}")
            )
        return found


def leg_with(flights: LegFlights, at: Any, along: str | None) -> str:
    """Return the name of the only leg with rigid bodies. If there are several, return the only leg that has
    all times of `at` or `along`.

    A leg is flown only if a time [s] is requested. Raises BadInput if no leg or several legs are possible.
    """
    mission = flights.mission
    rigid = [name for name, leg in mission.legs.items() if leg.scenario.coordinates not in NOT_RIGID]
    possible = rigid if len(mission.legs) > 1 else mission.order
    if len(possible) == 1:
        return possible[0]
    wanted = moments(at) if along is None else span(along)[:2]
    legs = {one.text: _legs_at(flights, one) for one in wanted}
    common = [name for name in mission.order if all(name in some for some in legs.values())]
    common = [name for name in common if name in rigid] or common
    if len(common) == 1:
        return common[0]
    if common:
        text = f"the name of the leg is missing: several legs fly at {list_text([*legs], MOST_LISTED)}"
        raise BadInput(Problem("leg", f"{text}. Set 'leg' to one of {', '.join(common)}"))
    each = [f"{text} ({', '.join(some)})" for text, some in legs.items()]
    text = f"the times are in several legs: {list_text(each, MOST_LISTED)}. Run the command once for each leg"
    raise BadInput(Problem("at" if along is None else "along", text))


def _legs_at(flights: LegFlights, one: Moment) -> list[str]:
    """The legs that fly at a requested time. Raises BadInput if there is none."""
    mission = flights.mission
    if one.time is not None:
        return flights.at(one.time)
    if one.extreme is not None:  # of each leg
        return list(mission.order)
    if one.event == START:
        return [mission.first.name]
    if one.event == END:
        return [name for name, leg in mission.legs.items() if not leg.successors]
    legs = [name for name, leg in mission.legs.items() if leg.has_event(one.event)]
    if not legs:
        text = f"there is no event '{one.event}'; {near(one.event, mission.event_names, 'events')}"
        raise BadInput(Problem("at", text))
    return legs
