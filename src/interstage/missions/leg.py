"""Represent one leg of a mission: its bodies, loads and events, and the leg as a scenario."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..model.dependents import words_of
from ..model.effect import Effect, event_names, signals
from ..model.ground import impact_names
from ..model.leg import Leg
from ..tree.names import GROUND
from .membership import members_of
from .names import EFFECTS, FLIGHT, LANDING, UNREAD, WHOLE, end_of, title_of
from .projection import leg_scenario

if TYPE_CHECKING:
    from ..scenario import Scenario
    from .mission import Mission


class MissionLeg(ABC):
    """One leg of a mission.

    declaration: declaration of the leg in the scenario (phases, events, coordinates, solver, output). For a
    scenario without legs, the result is the scenario itself.
    """

    def __init__(self, mission: Mission, name: str, declaration: Any):
        self.mission, self.name, self.declaration = mission, name, declaration

    # --- its place in the mission

    parent: str
    """Name of the predecessor; empty for the first leg."""

    @cached_property
    def predecessors(self) -> tuple[str, ...]:
        """Return the names of all earlier legs that lead to this leg. The first leg of the mission comes
        first.
        """
        return (*self.mission.leg(self.parent).predecessors, self.parent) if self.parent else ()

    @property
    def first(self) -> bool:
        """Return whether this leg is the first leg of the mission."""
        return not self.parent

    @cached_property
    def successors(self) -> tuple[MissionLeg, ...]:
        """Return the legs that begin after this leg, in the declared order."""
        return ()

    @property
    def end_event(self) -> str:
        """Return the name that the end event of this leg has in the mission."""
        return end_of(self.name)

    @property
    def hand_over_event(self) -> str:
        """Return the event at which the successors of this leg begin; "" if the successors begin at the end
        of the leg."""
        return ""

    @property
    def title(self) -> str:
        """Return the name of the leg for progress messages; "" for a scenario without legs."""
        return title_of(self.name)

    # --- its bodies, effects and events

    @property
    @abstractmethod
    def bodies(self) -> tuple[str, ...]:
        """Return the names of the bodies of this leg, in the order of the scenario."""

    @property
    def ending_bodies(self) -> tuple[str, ...]:
        """Return the names of the bodies of this leg that no successor contains; empty if the leg has no
        successor.
        """
        taken = {name for leg in self.successors for name in leg.bodies}
        return tuple(name for name in self.bodies if taken and name not in taken)

    @property
    @abstractmethod
    def joints(self) -> tuple[str, ...]:
        """Return the names of the joints of this leg. Both active and released joints are included."""

    @property
    @abstractmethod
    def members(self) -> Mapping[str, tuple[Any, ...]]:
        """Return the declarations of the bodies, joints and effects of this leg, by group of the scenario."""

    @cached_property
    def left_out(self) -> list[str]:
        """Return the paths of joints and effects that act on bodies of this leg but do not belong to the
        leg.
        """
        bodies = {*self.bodies}
        all_bodies = {body.name for body in self.mission.scenario.bodies}
        found = []
        for group in ("joints", *EFFECTS):
            for item in getattr(self.mission.scenario, group):
                named = words_of(item, UNREAD) & all_bodies
                if item not in self.members[group] and (not named or named & bodies):
                    found.append(f"{group}.{item.name}")
        return found

    @cached_property
    def phase_names(self) -> tuple[str, ...]:
        """Return the names of the phases of this leg."""
        return tuple(phase.name for phase in self.declaration.phases)

    @cached_property
    def event_names(self) -> tuple[str, ...]:
        """Return the names of all events of this leg.

        The events are the declared phases and events of the leg, the events of its devices, tanks and the
        ground, and its end event.
        """
        effects = [one for group in self.members.values() for one in group if isinstance(one, Effect)]
        done = (*signals(self.members["devices"]), *event_names(effects), *self._impacts)
        return (*self.phase_names, *(event.name for event in self.declaration.events), *done, self.end_event)

    @property
    def _impacts(self) -> tuple[str, ...]:
        return impact_names(self.mission.scenario, self.bodies, self.declaration.coordinates)

    def has_event(self, name: str | None) -> bool:
        """Return whether the leg has an event or phase with this name."""
        return name in self.event_names

    def concerns(self, wanted: Any) -> bool:
        """Return whether a requirement applies to the leg.

        A requirement applies to a leg if the leg has the quantity, and the event or phase of the requirement.

        wanted: requirement.
        """
        if self.name not in self.mission.chain(wanted.quantity) or wanted.quantity.endswith(f".{LANDING}"):
            return False
        if wanted.at in FLIGHT:
            return self.first if wanted.at == "start" else not self.successors
        when = wanted.at or wanted.during
        return when is None or self.has_event(when)

    # --- as a scenario

    @property
    @abstractmethod
    def scenario(self) -> Any:
        """Return the leg as a scenario without legs. The scenario is not checked.

        In the first leg, the bodies have their declared initial states. In later legs, the bodies are at rest
        at the origin, because the preceding leg gives their states.
        """

    @property
    @abstractmethod
    def scenario_at_rest(self) -> Any:
        """Return the leg as in `scenario`, but with all bodies at rest at the origin."""


class DeclaredLeg(MissionLeg):
    """Leg that is declared in the scenario."""

    def __init__(self, mission: Mission, declaration: Leg):
        super().__init__(mission, declaration.name, declaration)
        self.parent = "" if declaration.after is None else declaration.after.leg

    @cached_property
    def successors(self) -> tuple[MissionLeg, ...]:
        """Return the legs that begin after this leg, in the declared order."""
        declared = (leg.name for leg in self.mission.scenario.legs)
        every = (self.mission.leg(name) for name in declared)
        return tuple(leg for leg in every if leg.parent == self.name)

    @cached_property
    def hand_over_event(self) -> str:
        """Return the event at which the successors of this leg begin; "" if the successors begin at the end
        of the leg."""
        named = [leg.declaration.after.event for leg in self.successors]
        return next((name for name in named if name is not None and name != self.end_event), "")

    @cached_property
    def bodies(self) -> tuple[str, ...]:
        """Return the names of the bodies of this leg, in the order of the scenario."""
        own, names = {*self.declaration.bodies}, {body.name for body in self.mission.scenario.bodies}
        if not self.first:
            parent = self.mission.leg(self.parent)
            names = {*parent.bodies}
            if not own:
                names -= {name for other in parent.successors for name in other.declaration.bodies}
        wanted = names & own if own else names
        return tuple(body.name for body in self.mission.scenario.bodies if body.name in wanted)

    @cached_property
    def joints(self) -> tuple[str, ...]:
        """Return the names of the joints of this leg. Both active and released joints are included."""
        own, there = self.declaration, {*self.bodies, GROUND}
        return tuple(
            joint.name
            for joint in self.mission.scenario.joints
            if {joint.parent, joint.child} <= there
            and (not own.joints or joint.name in own.joints)
            and f"joints.{joint.name}" not in own.without
        )

    @cached_property
    def members(self) -> Mapping[str, tuple[Any, ...]]:
        """Return the declarations of the bodies, joints and effects of this leg, by group of the scenario."""
        return members_of(self)

    @cached_property
    def scenario(self) -> Any:
        """Return the leg as a scenario without legs; see `MissionLeg.scenario`."""
        return leg_scenario(self, start=True) if self.first else self.scenario_at_rest

    @cached_property
    def scenario_at_rest(self) -> Any:
        """Return the leg as in `scenario`, but with all bodies at rest at the origin."""
        return leg_scenario(self, start=False)


class WholeFlight(MissionLeg):
    """The only leg of a scenario without legs. The leg contains the complete scenario."""

    parent = ""

    def __init__(self, mission: Mission):
        super().__init__(mission, WHOLE, mission.scenario)

    @cached_property
    def bodies(self) -> tuple[str, ...]:
        """Return the names of all bodies."""
        return tuple(body.name for body in self.mission.scenario.bodies)

    @cached_property
    def joints(self) -> tuple[str, ...]:
        """Return the names of all joints. Both active and released joints are included."""
        return tuple(joint.name for joint in self.mission.scenario.joints)

    @cached_property
    def members(self) -> Mapping[str, tuple[Any, ...]]:
        """Return the declarations of all bodies, joints and effects, by group of the scenario."""
        return {group: getattr(self.mission.scenario, group) for group in ("bodies", "joints", *EFFECTS)}

    def has_event(self, name: str | None) -> bool:
        """Return whether the flight has an event or phase with this name."""
        return name is not None

    @property
    def scenario(self) -> Scenario:
        """Return the scenario of the flight."""
        return self.mission.scenario

    @property
    def scenario_at_rest(self) -> Scenario:
        """Return the scenario of the flight with its declared initial states."""
        return self.mission.scenario
