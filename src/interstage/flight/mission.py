"""Fly a mission: its legs in order, each handed over from the one before it; what was flown is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from ..engine.contract import HasState
from ..engine.event_table import EventTable
from ..engine.layout import Layout
from ..engine.mechanism import Mechanism
from ..mission import END as OF_LEG
from ..mission import before, ending, ends_at, leg_named, order, projected
from ..record import legs
from ..record.record import Record
from ..stepper.problem import FINISHED
from ..tree import interruption
from .ahead import Ahead
from .compiled import meant_for
from .events import END
from .hand_over import Side, torn
from .mission_resume import Resumed, resumed_from
from .observation import after_the_end, stopped_by
from .plausibility import peculiar
from .program import Program
from .progress import Progress
from .simulate import Beginning, Flown, fly_leg, of_flight, start, with_look_ups
from .switching import handed, new_labels, rotation, stands_apart, told, told_of_parts

INTERRUPTED = "the run was interrupted before it"


class Unflown(Exception):
    """Why a leg is not flown."""


def fly_legs(mission: Any, progress: Progress | None, resume: Any = None) -> Record:
    """Fly the legs of a mission and return its record. A leg that cannot begin is left out with those behind
    it, and so are those that an interrupt (Ctrl-C) leaves; the record says why. Raises BadInput where the
    start of the mission is not consistent."""
    mission, noticed = with_look_ups(mission)
    at = None if resume is None else resumed_from(mission, *resume)
    after = parents(mission)
    left = after if at is None else {leg: parent for leg, parent in after.items() if at.anew(leg)}

    def fly(leg: str, parent: Flown | None) -> Flown:
        clock = time.perf_counter()
        ahead.ready(leg)
        scenario = projected(mission, leg, start=not before(mission, leg))
        program = of_flight(scenario)
        gone_on = at if at is not None and leg == at.leg else None
        if gone_on is None:
            first = beginning(mission, leg, parent, program, scenario)
        else:
            first = gone_on.begins(program, scenario)
        if not before(mission, leg):
            first = first._replace(warnings=noticed + first.warnings)
        with ahead.behind(leg, program, scenario, first):
            found = fly_leg(program, scenario, first, progress, clock)
        if gone_on is not None:
            found.__dict__["record"] = gone_on.joined(found.record)
        return found

    with Ahead(mission, left, begun) as ahead:
        found = each(mission, left, fly, at)
    return recorded(mission, *found)


def each(
    mission: Any,
    some: Mapping[str, str],
    fly: Callable[[str, Flown | None], Flown],
    at: Resumed | None = None,
) -> tuple[dict[str, Flown], dict[str, str]]:
    """Legs of a mission (see `parents`), each flown by fly(leg, the leg before, none for the first) in order,
    and why others of them are not flown. at: of a mission that is gone on with, where."""
    flown: dict[str, Flown] = {} if at is None else dict(at.flown)
    unflown: dict[str, str] = {} if at is None else dict(at.unflown)
    for leg, parent in some.items():
        gone_on = at is not None and leg == at.leg
        why = "" if gone_on else why_not(mission, leg, parent, flown)
        if not why:
            try:
                interruption.release()
                with meant_for(f"leg {leg}"):
                    flown[leg] = fly(leg, flown.get(parent))
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


def parents(mission: Any) -> dict[str, str]:
    """The legs of a mission in order, each with the one that it is after, empty for the first."""
    return {leg: (before(mission, leg) or ("",))[-1] for leg in order(mission)}


def recorded(mission: Any, flown: dict[str, Flown], unflown: dict[str, str]) -> Record:
    """The record of a mission from its legs."""
    for leg, one in flown.items():
        undone = peculiar(mission, leg) | _begun_elsewhere(leg, flown)
        one.record.warnings = [text for text in one.record.warnings if text not in undone]
        ends = [f"{body} ends here: no leg goes on with it." for body in ending(mission, leg)]
        one.record.warnings += [text for text in ends if text not in one.record.warnings]
    records = {leg: flown[leg].record for leg in parents(mission) if leg in flown}
    _state_once(mission, records)
    return legs.joined(mission, records, parents(mission), unflown)


def _state_once(mission: Any, records: dict[str, Record]) -> None:
    """Warn of sample times of the whole mission only if they are after the ends of all legs."""
    shared = {leg: one for leg, one in records.items() if leg_named(mission, leg).output is None}
    ends = {leg: max((end for *_, end in one.phases), default=0.0) for leg, one in shared.items()}
    last = max(ends, key=lambda leg: ends[leg], default="")
    for leg in ends:
        if leg != last:
            undone = after_the_end(mission.output, ends[leg])
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


def beginning(mission: Any, leg: str, parent: Flown | None, program: Program, scenario: Any) -> Beginning:
    """Where a leg begins. Raises Unflown where it cannot, and BadInput where the start of the mission is not
    consistent."""
    if parent is None:
        return start(program, scenario)
    why = held_back(mission, leg, parent.program.layout, program.layout, parent.cursor.discrete.mode)
    if why:
        raise Unflown(why)
    first = begun(mission, leg, parent, program, scenario)
    why = in_parts(program.layout, first.discrete.mode)
    if why:
        raise Unflown(why)
    return first


def held_back(mission: Any, leg: str, old: Layout, new: Layout, mode: Any) -> str:
    """Why a leg does not begin whose bodies joints of the leg before hold; nothing where it does. mode
    (joint): of the joints of the leg before."""
    # Bodies of a point have no joints that could let go: they part as the legs do.
    held = torn(old, new, mode) if old.jointed else ()
    return _holding(mission, leg, held) if held else ""


def in_parts(layout: Layout, mode: Any) -> str:
    """Why a leg does not begin as a point whose bodies nothing holds together; nothing where it does. mode
    (joint): of its own joints."""
    loose = () if layout.jointed else stands_apart(layout, mode)
    if not loose:
        return ""
    text = f"joint '{loose[0]}' does not hold, and its bodies cannot fly as one"
    return f"{text}; let them fly in legs of their own, or rigid"


def known_to(mission: Any, leg: str, table: EventTable) -> EventTable:
    """The events of the leg before a leg, whose end is known to those behind it by its name."""
    earlier = leg_named(mission, leg).after
    assert earlier is not None
    name = earlier.leg + OF_LEG
    events = [replace(h, name=name) if h.name == END else h for h in table.events]
    return replace(table, events=events)


def side_of(mission: Any, leg: str, program: Program, mechanism: Mechanism) -> Side:
    """The leg before a leg, as this one knows it."""
    return Side(mechanism, known_to(mission, leg, program.table))


def begun(mission: Any, leg: str, parent: Flown, program: Program, scenario: Any) -> Beginning:
    """Where a leg begins: where the one before it has ended."""
    mechanism = parent.program.mechanism(parent.scenario, 0, parent.first.reference)
    side = side_of(mission, leg, parent.program, mechanism)
    into = Side(program.mechanism(scenario, 0), program.table)
    cursor = parent.cursor
    sums = cache(partial(_sums, parent))
    known = sums() if new_labels(side.layout, into.layout) else {}
    found = handed(side, into, cursor.t, cursor.x, cursor.discrete, known)
    beginning = Beginning(
        float(found.t), found.x, found.discrete, found.reference, [], [], cursor.step, sums=sums
    )
    said = _switched(leg, program, scenario, beginning) + _other_parts(leg, side, into, cursor, beginning)
    return beginning._replace(switches=said)


def _other_parts(leg: str, side: Side, into: Side, cursor: Any, first: Beginning) -> list[str]:
    """What parts of the two legs drop, or add."""
    to = copy(into.mechanism)
    to.settled = first.reference
    ends = (cursor.t, cursor.x, cursor.discrete), (np.asarray(first.time), first.x, first.discrete)
    return told_of_parts(leg, side.mechanism, to, ends)


def _switched(leg: str, program: Program, scenario: Any, first: Beginning) -> list[str]:
    """What is dropped of the motion of bodies that fly as a point from here on."""
    if not program.layout.point:
        return []
    state = first.reference, first.x, first.discrete
    before = rotation(program, scenario, *state)
    cursor = program.cursor(scenario, first.reference, first.time, first.x, first.discrete)
    ended = program.ended(scenario, first.reference, cursor)
    after = rotation(program, scenario, first.reference, ended.x, first.discrete)
    text = told(leg, "as a point", before, after)
    return [text] if text else []


def _sums(flown: Flown) -> dict[str, float]:
    """What integrals have come to at the end of a leg, by path: those found after it, and those that parts
    have in the state under these paths."""
    record, parts = flown.record, flown.program.layout.having(HasState)
    kept = {label for part in parts for label in part.labels if label in record.series}
    return record.sums | {label: float(record.series[label][-1]) for label in kept}


def why_not(mission: Any, leg: str, parent: str, flown: dict[str, Flown]) -> str:
    """Why a leg does not begin; nothing where it does."""
    if not parent:
        return ""
    if parent not in flown:
        return nor_was(parent)
    one = flown[parent]
    return INTERRUPTED if one.interrupted else not_reached(mission, parent, one.program.table, one.cursor)


def nor_was(parent: str) -> str:
    """Why a leg does not begin after one that was not flown."""
    return f"nor was leg '{parent}', after which it begins"


def not_reached(mission: Any, parent: str, table: EventTable, cursor: Any) -> str:
    """Why no leg begins after one that has ended; nothing where they do."""
    event, ended = ends_at(mission, parent), f"{float(cursor.t):.9g} s"
    if int(cursor.status) != FINISHED or bool(cursor.discrete.late):
        return f"leg '{parent}', after which it begins, ended early at {ended}"
    if reason := stopped_by(table, cursor.discrete):
        return f"leg '{parent}', after which it begins, ended early at {ended}: {reason}"
    if event and not bool(cursor.discrete.fired[table.index(event)]):
        return f"'{event}' of leg '{parent}' had not come when that ended at {ended}"
    return ""


def _holding(mission: Any, leg: str, joints: tuple[str, ...]) -> str:
    """Why bodies that joints hold do not fly apart."""
    joint = next(joint for joint in mission.joints if joint.name == joints[0])
    after = leg_named(mission, leg).after
    assert after is not None
    when = after.event or after.leg + OF_LEG
    text = f"joint '{joint.name}' still holds '{joint.parent}' and '{joint.child}', which fly on apart"
    return f"{text}; release it before '{when}'"
