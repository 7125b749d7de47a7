"""Fly a mission: its legs in order, each handed over from the one before it; what was flown is kept."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..mission import END as OF_LEG
from ..mission import before, ending, ends_at, leg_named, order, projected
from ..record import legs
from ..record.record import Record
from ..stepper.problem import FINISHED
from ..tree.errors import BadInput, Problem
from .events import END
from .hand_over import Side, hand_over, torn
from .plausibility import peculiar
from .program import Program
from .progress import Progress
from .simulate import Beginning, Flown, fly_leg, of_flight, start, with_look_ups
from .switching import as_point, rotation, stands_apart, told, turning


def fly_legs(mission: Any, progress: Progress | None, resume: Any = None) -> Record:
    """Fly the legs of a mission and return its record. A leg that cannot begin is left out with those behind
    it, and so are those that an interrupt (Ctrl-C) leaves; the record says why. Raises BadInput where the
    start of the mission is not consistent."""
    if resume is not None:
        raise BadInput(
            Problem("legs", "going on from an event of a mission is not possible yet; fly it anew")
        )
    mission, noticed = with_look_ups(mission)
    flown: dict[str, Flown] = {}
    unflown: dict[str, str] = {}
    after = {leg: (before(mission, leg) or ("",))[-1] for leg in order(mission)}
    for leg, parent in after.items():
        why = _why_not(mission, leg, parent, flown)
        if not why:
            try:
                found, why = _flown(mission, leg, flown.get(parent), noticed if not parent else [], progress)
            except KeyboardInterrupt:
                if not flown:
                    raise
                found, why = None, "the run was interrupted before it"
            if found is not None:
                flown[leg] = found
        if why:
            unflown[leg] = why
    for leg, one in flown.items():
        undone = peculiar(mission, leg)
        one.record.warnings = [text for text in one.record.warnings if text not in undone]
        one.record.warnings += [f"{body} ends here: no leg goes on with it." for body in ending(mission, leg)]
    return legs.joined(mission, {leg: one.record for leg, one in flown.items()}, after, unflown)


def _flown(
    mission: Any, leg: str, parent: Flown | None, noticed: list[str], progress: Progress | None
) -> tuple[Flown | None, str]:
    """A leg that is flown, or why it is not."""
    clock = time.perf_counter()
    scenario = projected(mission, leg, start=parent is None)
    program = of_flight(scenario)
    if parent is None:
        first = start(program, scenario)
        first = first._replace(warnings=noticed + first.warnings)
    else:
        # Bodies of a point have no joints that could let go: they part as the legs do.
        old = parent.program.layout
        held = torn(old, program.layout, parent.cursor.discrete.mode) if old.jointed else ()
        if held:
            return None, _holding(mission, leg, held)
        first = begun(mission, leg, parent, program, scenario)
        loose = () if program.layout.jointed else stands_apart(program.layout, first.discrete.mode)
        if loose:
            text = f"joint '{loose[0]}' does not hold, and its bodies cannot fly as one"
            return None, f"{text}; let them fly in legs of their own, or rigid"
    return fly_leg(program, scenario, first, progress, clock), ""


def begun(mission: Any, leg: str, parent: Flown, program: Program, scenario: Any) -> Beginning:
    """Where a leg begins: where the one before it has ended."""
    table = parent.program.table
    earlier = leg_named(mission, leg).after
    assert earlier is not None
    # Its end is known to those behind it by the leg's name.
    happenings = [replace(h, name=earlier.leg + OF_LEG) if h.name == END else h for h in table.happenings]
    mechanism = parent.program.mechanism(parent.scenario, 0, parent.first.reference)
    side = Side(mechanism, replace(table, happenings=happenings))
    into = Side(program.mechanism(scenario, 0), program.table)
    cursor, state = parent.cursor, parent.cursor.x
    if parent.program.layout.point:
        state = turning(
            parent.program, parent.scenario, parent.first.reference, cursor.t, state, cursor.discrete
        )
    handed = hand_over(side, into, cursor.t, state, cursor.discrete)
    sums = _sums(parent)
    reference, x = handed.reference, _going_on(side.mechanism, into.mechanism, handed.x, sums)
    if program.layout.point:
        reference = as_point(program, scenario, reference, x, handed.discrete)
    found = Beginning(float(handed.t), x, handed.discrete, reference, [], [], cursor.step, sums=sums)
    return found._replace(switches=_switched(leg, program, scenario, found))


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
    record, parts = flown.record, flown.program.layout.parts.values()
    kept = {label for part in parts for label in part.labels if label in record.series}
    return record.sums | {label: float(record.series[label][-1]) for label in kept}


def _going_on(old: Any, to: Any, x: Any, sums: Mapping[str, float]) -> Any:
    """The state in which a leg begins with integrals that only it has in the state."""
    found = {}
    for name, part in to.parts.items():
        known = old.parts[name].labels if name in old.parts else ()
        new = {k: sums[label] for k, label in enumerate(part.labels) if label in sums and label not in known}
        if new:
            found[name] = np.array(to.own(name, x), float)
            for k, value in new.items():
                found[name][k] = value
    return to.with_own(x, found, "carried")


def _why_not(mission: Any, leg: str, parent: str, flown: dict[str, Flown]) -> str:
    """Why a leg does not begin; nothing where it does."""
    if not parent:
        return ""
    if parent not in flown:
        return f"nor was leg '{parent}', after which it begins"
    one = flown[parent]
    if one.interrupted:
        return "the run was interrupted before it"
    cursor, event = one.cursor, ends_at(mission, parent)
    ended = f"when that ended at {float(cursor.t):.9g} s"
    if int(cursor.status) != FINISHED or bool(cursor.discrete.late):
        return f"leg '{parent}', after which it begins, ended early at {float(cursor.t):.9g} s"
    if event and not bool(cursor.discrete.fired[one.program.table.index(event)]):
        return f"'{event}' of leg '{parent}' had not come {ended}"
    return ""


def _holding(mission: Any, leg: str, joints: tuple[str, ...]) -> str:
    """Why bodies that joints hold do not fly apart."""
    joint = next(joint for joint in mission.joints if joint.name == joints[0])
    after = leg_named(mission, leg).after
    assert after is not None
    when = after.event or after.leg + OF_LEG
    text = f"joint '{joint.name}' still holds '{joint.parent}' and '{joint.child}', which fly on apart"
    return f"{text}; release it before '{when}'"
