"""Simulate a mission: each leg starts from the final state of its preceding leg.

A scenario without legs counts as one leg. If a leg fails, the results of the simulated legs remain.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from ..diagnosis.plausibility import peculiar
from ..engine.contract import HasState
from ..engine.event_table import EventTable
from ..engine.layout import Layout
from ..engine.mechanism import Mechanism
from ..missions.leg import MissionLeg
from ..missions.mission import Mission
from ..missions.names import end_of
from ..observation.observation import after_the_end, stopped_by
from ..programs.compiled import meant_for
from ..programs.program import Program
from ..programs.progress import Progress
from ..record import legs
from ..record.record import Record
from ..starts.events import END
from ..starts.run_start import RunStart
from ..stepper.problem import FINISHED
from ..tree import interruption
from .ahead import Ahead
from .hand_over import Side, torn
from .resume import FROM_START, Continuation, continuation
from .run import Flown, fly_leg, of_flight, start, with_look_ups
from .switching import new_labels, rotation, stands_apart, start_after, switch_report, told_of_parts

INTERRUPTED = "the run was interrupted before this leg"


class Unflown(Exception):
    """Error: a leg cannot be flown. The message is the reason."""


def fly_legs(scenario: Any, progress: Progress | None, resume: Any = None, early: bool = False) -> Record:
    """Simulate the legs of a mission, and return the record of the mission.

    - progress: function of the flight time [s] and of the expected end [s].
    - resume: (saved record, index of the event from which the mission continues), see `run.fly`.
      Default: None.
    - early: see `run.fly`. Default: False.

    If a leg cannot start, this leg and all legs that follow it are omitted, and the record contains the
    reason. An interrupt (Ctrl-C) omits all remaining legs. Raises BadInput if the initial state of the
    mission is not consistent.
    """
    clock = time.perf_counter()
    scenario, noticed = with_look_ups(scenario)
    mission = Mission.of(scenario)
    notices = {mission.first.name: noticed}
    at = FROM_START if resume is None else continuation(mission, *resume)
    left = {leg: parent for leg, parent in mission.parents.items() if at.flies(leg)}

    def fly(leg: MissionLeg, parent: Flown | None) -> Flown:
        nonlocal clock
        program = of_flight(leg.scenario)
        gone_on = leg.name == at.leg
        first = at.start(program, leg.scenario) if gone_on else leg_start(leg, parent, program)
        first = first._replace(warnings=notices.pop(leg.name, []) + first.warnings)
        meanwhile = ahead.meanwhile(leg.name, program, leg.scenario, first)
        with ahead.compile_later(leg.name, program, leg.scenario, first):
            found = fly_leg(program, leg.scenario, first, progress, clock, meanwhile=meanwhile)
        if gone_on:
            found.__dict__["record"] = at.whole_record(found.record)
        clock = time.perf_counter()
        return found

    with Ahead(mission, left, start_after_parent, early=early) as ahead:
        found = fly_each(mission, left, fly, at)
    return mission_record(mission, *found)


def fly_each(
    mission: Mission,
    some: Mapping[str, str],
    fly: Callable[[MissionLeg, Flown | None], Flown],
    at: Continuation = FROM_START,
) -> tuple[dict[str, Flown], dict[str, str]]:
    """Simulate legs of a mission in order. Return the flown legs, and the reason for each leg that was not
    flown, by name.

    - some: preceding leg of each leg to simulate, by name.
    - fly: function that simulates a leg. The arguments of the function are the leg and its flown preceding
      leg (None for the first leg).
    - at: event from which a saved mission continues. Default: start of the mission.
    """
    flown, unflown = dict(at.flown), dict(at.unflown)
    for leg, parent in some.items():
        own = mission.leg(leg)
        why = "" if leg == at.leg else reason_not_begun(own, flown)
        if not why:
            try:
                interruption.release()
                with meant_for(own.title):
                    flown[leg] = fly(own, flown.get(parent))
            except KeyboardInterrupt:
                if not flown:
                    raise
                interruption.keep()
                why = INTERRUPTED
            except Unflown as error:
                why = str(error)
        if why:
            unflown[leg] = why
    return flown, unflown


def mission_record(mission: Mission, flown: dict[str, Flown], unflown: dict[str, str]) -> Record:
    """Return the record of a mission.

    flown: flown legs by name. unflown: reason for each leg that was not flown.
    """
    for leg, one in flown.items():
        undone = peculiar(mission.leg(leg)) | _begun_elsewhere(leg, flown)
        one.record.warnings = [text for text in one.record.warnings if text not in undone]
        ends = [
            f"the flight of body {body} ends with this leg, because no later leg contains the body."
            for body in mission.leg(leg).ending_bodies
        ]
        one.record.warnings += [text for text in ends if text not in one.record.warnings]
    records = {leg: flown[leg].record for leg in mission.order if leg in flown}
    _state_once(mission, records)
    return legs.join_legs(mission.scenario, records, mission.parents, unflown)


def _state_once(mission: Mission, records: dict[str, Record]) -> None:
    """Warn of sample times of the whole mission only if they are after the ends of all legs."""
    shared = {leg: one for leg, one in records.items() if mission.leg(leg).declaration.output is None}
    ends = {leg: max((end for *_, end in one.phases), default=0.0) for leg, one in shared.items()}
    last = max(ends, key=lambda leg: ends[leg], default="")
    for leg in ends:
        if leg != last:
            undone = after_the_end(mission.scenario.output, ends[leg])
            shared[leg].warnings = [text for text in shared[leg].warnings if text not in undone]


def _begun_elsewhere(leg: str, flown: dict[str, Flown]) -> set[str]:
    """Warnings of what did not begin in a leg, but in another one."""
    others = [one.record for name, one in flown.items() if name != leg]

    def has_begun(path: str, other: Record) -> bool:
        occurred = any(f"devices.{event.name}".startswith((f"{path} ", f"{path}:")) for event in other.events)
        known = any(name.startswith(f"{path}.") for name in other.meta)
        return occurred or (known and path not in other.unbegun)

    unbegun = flown[leg].record.unbegun
    return {text for path, text in unbegun.items() if any(has_begun(path, other) for other in others)}


def leg_start(leg: MissionLeg, parent: Flown | None, program: Program) -> RunStart:
    """Return the initial state of a leg. parent: flown preceding leg; None for the first leg.

    Raises Unflown if the leg cannot start. Raises BadInput if the initial state of the mission is not
    consistent.
    """
    if parent is None:
        return start(program, leg.scenario)
    why = reason_held(leg, parent.program.layout, program.layout, parent.cursor.discrete.mode)
    if why:
        raise Unflown(why)
    first = start_after_parent(leg, parent, program)
    why = reason_apart(program.layout, first.discrete.mode)
    if why:
        raise Unflown(why)
    return first


def reason_held(leg: MissionLeg, old: Layout, new: Layout, mode: Any) -> str:
    """Return the reason why a leg cannot start because joints still constrain its bodies; "" if the leg can
    start.

    - old, new: layouts of the preceding leg and of this leg.
    - mode: modes of the joints of the preceding leg (joint,).
    """
    # Bodies of a point have no joints that could release: they part as the legs do.
    held = torn(old, new, mode) if old.has_joints else ()
    return _holding(leg, held) if held else ""


def reason_apart(layout: Layout, mode: Any) -> str:
    """Return the reason why bodies cannot start as one point mass because their joints are released;
    otherwise "".

    mode: modes of the joints at the start of the leg (joint,).
    """
    loose = () if layout.has_joints else stands_apart(layout, mode)
    if not loose:
        return ""
    text = f"joint '{loose[0]}' is released, and its bodies cannot fly as one point mass"
    return f'{text}. Use separate legs for the bodies, or coordinates = "rigid"'


def events_of_parent(leg: MissionLeg, table: EventTable) -> EventTable:
    """Return the event table of the preceding leg, with its end event renamed to the name it has in the
    mission.

    leg: leg that follows. table: event table of the preceding leg.
    """
    name = end_of(leg.parent)
    events = [replace(h, name=name) if h.name == END else h for h in table.events]
    return replace(table, events=events)


def parent_side(leg: MissionLeg, program: Program, mechanism: Mechanism) -> Side:
    """Return the preceding leg of `leg` in the form that `hand_over` needs.

    program, mechanism: program and equations of motion of the preceding leg.
    """
    return Side(mechanism, events_of_parent(leg, program.table))


def start_after_parent(leg: MissionLeg, parent: Flown, program: Program) -> RunStart:
    """Return the initial state of a leg from the final state of its preceding leg.

    parent: flown preceding leg. program: program of this leg.
    """
    mechanism = parent.program.mechanism(parent.scenario, 0, parent.first.reference)
    side = parent_side(leg, parent.program, mechanism)
    into = Side(program.mechanism(leg.scenario, 0), program.table)
    cursor = parent.cursor
    sums = cache(lambda: final_integrals(parent.program, parent.record))
    known = sums() if new_labels(side.layout, into.layout) else {}
    found = start_after(side, into, cursor.t, cursor.x, cursor.discrete, known)
    first = found._replace(time=float(found.time), step=cursor.step, sums=sums)
    said = _dropped_motion(leg, program, first) + _other_parts(leg.name, side, into, cursor, first)
    return first._replace(switches=said)


def _other_parts(leg: str, side: Side, into: Side, cursor: Any, first: RunStart) -> list[str]:
    """What parts of the two legs drop, or add."""
    to = copy(into.mechanism)
    to.settled = first.reference
    ends = (cursor.t, cursor.x, cursor.discrete), (np.asarray(first.time), first.x, first.discrete)
    return told_of_parts(leg, side.mechanism, to, ends)


def _dropped_motion(leg: MissionLeg, program: Program, first: RunStart) -> list[str]:
    """Motion that is dropped of bodies that fly as a point mass from here on."""
    if not program.layout.point:
        return []
    scenario = leg.scenario
    state = first.reference, first.x, first.discrete
    before = rotation(program, scenario, *state)
    cursor = program.cursor(scenario, first.reference, first.time, first.x, first.discrete)
    ended = program.end_cursor(scenario, first.reference, cursor)
    after = rotation(program, scenario, first.reference, ended.x, first.discrete)
    text = switch_report(leg.name, "as a point mass", before, after)
    return [text] if text else []


def final_integrals(program: Program, record: Record) -> dict[str, float]:
    """Return the final values of time integrals in a leg, by path.

    The values include integrals that are part of the state of a model. program, record: program and record of
    the leg.
    """
    labels = {label for part in program.layout.having(HasState) for label in part.labels}
    return record.sums | {label: float(record.series[label][-1]) for label in labels & record.series.keys()}


def reason_not_begun(leg: MissionLeg, flown: Mapping[str, Flown]) -> str:
    """Return the reason why a leg does not start; "" if it starts. flown: flown legs by name."""
    if leg.first:
        return ""
    if leg.parent not in flown:
        return reason_parent_unflown(leg.parent)
    one = flown[leg.parent]
    if one.interrupted:
        return INTERRUPTED
    return reason_not_ended(leg.mission.leg(leg.parent), one.program.table, one.cursor)


def reason_parent_unflown(parent: str) -> str:
    """Return the reason why a leg does not start if its preceding leg was not flown.

    parent: name of the preceding leg.
    """
    return f"its preceding leg '{parent}' was not flown"


def reason_not_ended(leg: MissionLeg, table: EventTable, cursor: Any) -> str:
    """Return the reason why no leg can start after a leg that has ended; "" if a leg can start.

    table, cursor: event table and final state of the integration of the leg that has ended.
    """
    event, ended = leg.hand_over_event, f"{float(cursor.t):.9g} s"
    if int(cursor.status) != FINISHED or bool(cursor.discrete.late):
        return f"its preceding leg '{leg.name}' ended early at {ended}"
    if reason := stopped_by(table, cursor.discrete):
        return f"its preceding leg '{leg.name}' ended early at {ended}: {reason}"
    if event and not bool(cursor.discrete.fired[table.index(event)]):
        return f"event '{event}' had not occurred when leg '{leg.name}' ended at {ended}"
    return ""


def _holding(leg: MissionLeg, joints: tuple[str, ...]) -> str:
    """Why bodies that joints hold do not fly apart."""
    joint = next(joint for joint in leg.mission.scenario.joints if joint.name == joints[0])
    when = leg.declaration.after.event or end_of(leg.parent)
    text = f"joint '{joint.name}' still constrains '{joint.parent}' and '{joint.child}', which must separate"
    return f"{text}. Release the joint before '{when}'"
