"""Convert a leg of a mission to a scenario without legs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..model.initial import State
from ..model.leg import Leg
from ..tree.declaration import with_values
from .names import EFFECTS
from .remembered import remembered_events

if TYPE_CHECKING:
    from ..scenario import Scenario
    from .leg import MissionLeg


def leg_scenario(leg: MissionLeg, start: bool) -> Any:
    """Return a leg as a scenario without legs. The scenario is not checked.

    start: if true, the bodies have their declared initial states. If false, they are at rest at the origin,
    because the preceding leg gives their states.
    """
    scenario, own, there = leg.mission.scenario, leg.declaration, leg.members
    bodies, ends = there["bodies"], leg.hand_over_event
    if not start:
        bodies = tuple(with_values(body, initial=State()) for body in bodies)
    if own.coordinates in ("point", "held"):
        bodies = tuple(map(_frozen, bodies))
    kept = {
        group: tuple(_until_end(_in_phases(item, leg.phase_names), leg.end_event) for item in there[group])
        for group in EFFECTS
    }
    return with_values(
        scenario,
        bodies=bodies,
        joints=there["joints"],
        **kept,
        phases=own.phases,
        events=(*own.events, *remembered_events(leg)),
        legs=(),
        ends_at=(ends,) if ends else (),
        coordinates="rigid" if own.coordinates == "minimal" else own.coordinates,
        attitude=own.attitude,
        balance=own.trim,
        solver=_solver(scenario, own),
        output=own.output or scenario.output,
        requirements=tuple(
            with_values(wanted, at="end") if wanted.at == leg.end_event else wanted
            for wanted in scenario.requirements
            if leg.concerns(wanted)
        ),
        sources=(),
    )


def _frozen(body: Any) -> Any:
    """A body without slosh, as in point-mass flight."""
    elements = tuple(
        with_values(element, slosh=None) if getattr(element, "slosh", None) is not None else element
        for element in body.elements
    )
    return with_values(body, elements=elements)


def _in_phases(item: Any, phases: tuple[str, ...]) -> Any:
    """An item whose phases are restricted to phases of the leg."""
    named = getattr(item, "phases", None)
    if named is None or {*named} <= {*phases}:
        return item
    return with_values(item, phases=tuple(name for name in named if name in phases))


def _until_end(item: Any, end: str) -> Any:
    """An item with the end of a leg replaced by the end of the flight."""
    return with_values(item, until=None) if getattr(item, "until", None) == end else item


def _solver(scenario: Scenario, leg: Leg) -> Any:
    solver = leg.solver or scenario.solver
    if leg.coordinates != "minimal" or "coordinates" not in type(solver.formulation).model_fields:
        return solver
    return with_values(solver, formulation=with_values(solver.formulation, coordinates="minimal"))
