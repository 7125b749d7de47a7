"""Simulate missions in many cases: initial states of the legs, and records of the cases through all legs.

The start time of a leg can differ from case to case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..diagnosis import excursions
from ..engine.layout import Layout
from ..maths.arrays import jax
from ..missions.leg import MissionLeg
from ..missions.mission import Mission
from ..missions.names import END
from ..observation import after
from ..observation.records_of_cases import lane_records, stems_of
from ..programs.program import Program
from ..quantities.catalogue import catalogue, lookup
from ..record import legs
from ..record.peaks import sought
from ..record.record import MAY_BE_INFINITE, Record, Sought
from ..record.requirements import Wanted
from ..tree.errors import Problem
from .cases_together import FlownLanes
from .hand_over import Side
from .leg_in_cases import ChunkStart
from .mission import (
    final_integrals,
    parent_side,
    reason_apart,
    reason_held,
    reason_not_ended,
    reason_parent_unflown,
)
from .peaks_of_cases import put_extremes
from .responses_of_cases import is_sampled_by_steps
from .switching import new_labels, start_after

Flying = Mapping[str, FlownLanes]
"""Results of a group of cases in each flown leg, by name of the leg. All legs have the same cases."""


def needs_sums(parents: Mapping[str, str], scenarios: Mapping[str, Any]) -> bool:
    """Return whether a leg continues a time integral that the preceding leg computes only after its flight.

    Such an integral needs the integration steps of the preceding leg.

    - parents: preceding leg of each leg.
    - scenarios: scenario of each leg.
    """
    layouts = {leg: Layout(scenario) for leg, scenario in scenarios.items()}
    return any(new_labels(layouts[parent], layouts[leg]) for leg, parent in parents.items() if parent)


def chunk_start(
    leg: MissionLeg, flown: Flying, program: Program, scenarios: Callable[[np.ndarray], tuple[Any, Any]]
) -> ChunkStart:
    """Return the initial states of a group of cases in a leg, from the final states of the preceding leg.

    - flown: results of the legs before this leg.
    - program: program of this leg.
    - scenarios: function that takes indices of cases and returns the scenarios of the preceding leg
      and of this leg.

    A case that does not reach the leg has a reason in the field `refused`. The initial state of such a case
    is a copy of another case.
    """
    old = flown[leg.parent]
    chunk, why = old.chunk, _why_not(leg, old, program)
    while True:
        source = _source(np.shape(chunk.cursor.t)[-1], chunk.count, why)
        scenario, start, step = _start(leg, flown, program, scenarios(source), source)
        mode = start.discrete.mode
        lanes = (lane for lane in range(chunk.count) if lane not in why)
        loose = {lane: text for lane in lanes if (text := reason_apart(program.layout, mode[..., lane]))}
        why |= loose
        if not loose or len(why) == chunk.count:
            break
    cursor = program.cursor(scenario, start.reference, start.time, start.x, start.discrete)
    if not scenario.solver.fixed_step:
        cursor = cursor._replace(step=step)
    refused = {lane: (Problem("", text),) for lane, text in sorted(why.items())}
    return ChunkStart(scenario, start, start.time, cursor, chunk.count, refused)


def _why_not(leg: MissionLeg, old: FlownLanes, program: Program) -> dict[int, str]:
    """Cases in which a leg does not begin, and why."""
    found = {}
    table, layout = old.program.table, old.program.layout
    for lane in range(old.count):
        cursor = jax.tree.map(lambda a, lane=lane: np.asarray(a)[..., lane], old.chunk.cursor)
        if lane in old.refused:
            found[lane] = reason_parent_unflown(leg.parent)
        else:
            why = reason_not_ended(leg.mission.leg(leg.parent), table, cursor)
            found[lane] = why or reason_held(leg, layout, program.layout, cursor.discrete.mode)
    return {lane: why for lane, why in found.items() if why}


def _source(width: int, count: int, why: Mapping[int, str]) -> np.ndarray:
    """For each case of a chunk that from which it goes on: its own, of those behind them that count the last,
    and for those that do not go on one that does."""
    source = np.minimum(np.arange(width), count - 1)
    good = [lane for lane in range(count) if lane not in why]
    return np.where(np.isin(source, [*why]), good[0], source) if good else source


def _start(
    leg: MissionLeg, flown: Flying, program: Program, scenarios: tuple[Any, Any], source: np.ndarray
) -> tuple[Any, Any, Any]:
    """(scenario, `RunStart`, first step) of a leg in cases that go on from some of the leg before."""
    old = flown[leg.parent]
    before, scenario = scenarios
    given = old.chunk.cursor, old.chunk.start.reference
    cursor, reference = jax.tree.map(lambda leaf: np.asarray(leaf)[..., source], given)
    side = parent_side(leg, old.program, old.program.mechanism(before, 1, reference))
    into = Side(program.mechanism(scenario, 1), program.table)
    new = [label for labels in new_labels(side.layout, into.layout).values() for label in labels]
    sums = {label: values[source] for label, values in _sums(leg.mission.leg(leg.parent), flown, new).items()}
    with np.errstate(all="ignore"):
        found = start_after(side, into, cursor.t, cursor.x, cursor.discrete, sums)
    return scenario, jax.tree.map(lambda leaf: _of_all(leaf, len(source)), found), cursor.step


def _of_all(leaf: Any, width: int) -> np.ndarray:
    """An array (..., case), of as many cases as there are."""
    leaf = np.asarray(leaf)
    return leaf if leaf.shape[-1:] == (width,) else np.broadcast_to(leaf, (*leaf.shape[:-1], width))


def _sums(leg: MissionLeg, flown: Flying, labels: Sequence[str]) -> dict[str, np.ndarray]:
    """What integrals have come to at the end of a leg, (case) by path."""
    if not labels:
        return {}
    wanted = [Wanted(label, at="end") for label in labels]
    way = {name: flown[name] for name in (*leg.predecessors, leg.name)}
    records, lanes = of_legs(leg.mission, way, wanted, False)[leg.name], flown[leg.name]
    sums = [{} if record is None else final_integrals(lanes.program, record) for record in records]
    width = np.shape(lanes.chunk.cursor.t)[-1]
    values = {label: np.array([one.get(label, np.nan) for one in sums]) for label in labels}
    known = {label: found for label, found in values.items() if np.isfinite(found).any()}
    return {label: np.resize(found, width) for label, found in known.items()}


# --- records


def mission_records(
    mission: Mission, flown: Flying, records: Mapping[str, Sequence[Record | None]]
) -> list[Record | None]:
    """Return the record of the mission in each case; None if the first leg did not start.

    flown: results of the cases in each leg. records: records of the cases in each leg, by name of the leg.
    """
    lanes = range(next(iter(flown.values())).count)
    return [_mission_record(mission, flown, records, lane) for lane in lanes]


def _mission_record(
    mission: Mission, flown: Flying, records: Mapping[str, Sequence[Record | None]], lane: int
) -> Record | None:
    """The record of a mission in a case; none where it could not begin."""
    if lane in flown[mission.first.name].refused:
        return None
    known = {leg: found for leg, each in records.items() if (found := each[lane]) is not None}
    return legs.join_legs(mission.scenario, known, mission.parents, unflown(flown, lane))


def unflown(flown: Flying, lane: int) -> dict[str, str]:
    """Return the reason for each leg that was not flown in one case, by name of the leg. `lane`: index of the
    case.
    """
    refused = {leg: one.chunk.refused for leg, one in flown.items()}
    return {leg: "; ".join(map(str, why[lane])) for leg, why in refused.items() if lane in why}


def of_legs(
    mission: Mission, flown: Flying, wanted: Sequence[Any], samples: bool
) -> dict[str, list[Record | None]]:
    """Return the record of each case in each leg, by name of the leg; None if the leg was not flown in the
    case.

    - flown: results of each leg, in an order in which each leg follows its preceding leg.
    - wanted: requests for the quantities that the records must contain, see `Wanted`.
    - samples: if true, the records have all samples. If false, the records have only the first and last
      state, the states before and after each event, and the requested extremes.
    """
    found: dict[str, list[Record | None]] = {}
    for leg, one in flown.items():
        asked = [own for own in wanted if known_in(one.scenario, own.quantity)]
        late = [own for own in asked if after.known_after(one.scenario, own.quantity) is not None]
        stems = stems_of(one.scenario, [own.quantity for own in asked if own not in late])
        extremes = [each for own in asked if own not in late for each in sought(own)]
        # Integrals go from sample to sample, as in a flight alone.
        by_steps = not samples and not late and _follow_from_steps(one.scenario, extremes)
        kept = samples or bool(late) or not by_steps
        found[leg] = lane_records(one.program, one.scenario, one.chunk, stems, kept, extremes if kept else ())
        if extremes and by_steps:
            put_extremes(one, found[leg], extremes)
        for lane, why in excursions.blamed_in(one, range(one.count)).items():
            (record,) = found[leg][lane : lane + 1]
            assert record is not None  # of those that were flown
            record.outcome = why
        parent = mission.leg(leg).parent
        _go_on(one, found[leg], flown.get(parent), found.get(parent))
        late = [_of_leg(own, leg) for own in late]
        after.add_to_lanes(one, found[leg], late)
    return found


def _follow_from_steps(scenario: Any, extremes: Sequence[Sought]) -> bool:
    """Whether extremes follow from the steps of a flight. An infinite value of an orbit hides others, which
    are then searched among samples."""
    if not extremes:
        return True
    known = catalogue(scenario)
    notes = [known[stem].meta.note for stem in stems_of(scenario, [one.path for one in extremes])]
    return is_sampled_by_steps(scenario) and MAY_BE_INFINITE not in notes


def _go_on(
    lanes: FlownLanes,
    records: Sequence[Record | None],
    old: FlownLanes | None,
    before: Sequence[Record | None] | None,
) -> None:
    """Put the events and integrals before a leg into the records of its cases."""
    fired = np.asarray(lanes.chunk.start.discrete.fired)
    for lane, record in enumerate(records):
        earlier = before[lane] if before else None
        if record is not None:
            record.earlier = lanes.program.table.come(fired[:, lane])
        if record is not None and earlier is not None and old is not None:
            record.sums = final_integrals(old.program, earlier)


def _of_leg(wanted: Any, leg: str) -> Any:
    """A wanted item as a leg knows it, whose end has the name of the leg in the mission: all of its course
    then."""
    return Wanted(wanted.quantity, take="max") if wanted.at == leg + END else wanted


def known_in(scenario: Any, path: str) -> bool:
    """Return whether a scenario without legs has a quantity, either during the flight or computed after
    it.
    """
    module = after.known_after(scenario, path)
    if module is None:
        return _is_found(partial(lookup, catalogue(scenario)), path)
    unit_of = partial(module.unit_of, scenario)
    return _is_found(unit_of, path) or _is_found(unit_of, f"{path}.magnitude")


def _is_found(look_up: Callable[[str], Any], path: str) -> bool:
    try:
        look_up(path)
    except KeyError:
        return False
    return True
