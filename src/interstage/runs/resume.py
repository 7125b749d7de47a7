"""Continue a saved flight or mission from one of its events.

Legs that were completed before the event are taken from the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from ..missions.leg import MissionLeg
from ..missions.mission import Mission
from ..missions.names import WHOLE
from ..observation.after import known_after
from ..observation.observation import refuse_the_end, restart_state, sums_at
from ..programs.program import Program
from ..record.legs import gone_on
from ..record.record import QuantityMeta, Record
from ..starts.run_start import RunStart
from ..stepper.problem import FINISHED
from ..tree.errors import BadInput
from .run import Flown, of_flight


class Continuation(NamedTuple):
    """Event of a saved mission from which a new run continues.

    - flown: legs that are taken from the file, by name.
    - unflown: reason for each leg that is not flown.
    - leg: leg in which the event occurs; None for a mission that is simulated from its start.
    - restart: states of this leg just after its events.
    - row: index of the event in this leg.
    - over: true if this leg ends with the event.
    - sums: values of time integrals at the event, by path.
    - saved: saved record of this leg; None for a flight without legs.
    """

    flown: dict[str, Flown]
    unflown: dict[str, str]
    leg: str | None = None
    restart: dict[str, np.ndarray] = {}  # noqa: RUF012 - never changed
    row: int = 0
    over: bool = False
    sums: Mapping[str, float] = MappingProxyType({})
    saved: Record | None = None

    def flies(self, leg: str) -> bool:
        """Return whether a leg is simulated, either completely or from the event on."""
        return leg not in (*self.flown, *self.unflown) or (leg == self.leg and not self.over)

    def start(self, program: Program, scenario: Any) -> RunStart:
        """Return the initial state of the leg that continues.

        program, scenario: program and scenario of this leg. Raises BadInput if another version has saved the
        states in another format.
        """
        with np.errstate(all="ignore"):
            like = program.begin(scenario, 0.0)
        found = restart_state(self.restart, self.row, like=like, layout=program.layout)
        return RunStart(*found, [], [], sums=lambda: self.sums)

    def whole_record(self, record: Record) -> Record:
        """Return the record of the continued leg from its original start.

        record: record of the leg from the event on. Without a saved record of the leg, this record is
        returned.
        """
        return record if self.saved is None else gone_on(self.saved, self.row, record)


FROM_START = Continuation({}, {})
"""Continuation for a mission that is simulated from its start."""


def continuation(mission: Mission, saved: Any, row: int) -> Continuation:
    """Return the data to continue a saved mission from one of its events.

    - saved: record of the mission. Without legs: the restart data of the flight.
    - row: index of the event in the record.

    Raises BadInput if the flight ends at this event.
    """
    if not mission.has_legs:
        refuse_the_end(saved, row)
        return Continuation({}, {}, WHOLE, saved, row, sums=sums_at(saved, row))
    leg = saved.events[row].leg
    own = [k for k, event in enumerate(saved.events) if event.leg == leg].index(row)
    restart = saved.legs[leg].restart
    over = bool(restart["discrete.over"][own])
    anew = [name for name, one in mission.legs.items() if leg in one.predecessors]
    if bool(restart["discrete.late"][own]) or (over and not anew):
        name = saved.events[row].name
        raise BadInput(
            f"the flight ends at '{name}' and cannot continue from this event. Use an earlier event"
        )
    flown = {one: _saved_leg(mission.leg(one), saved) for one in saved.legs if one not in anew}
    unflown = {one: why for one, why in saved.unflown.items() if one not in anew}
    record = flown[leg].record
    sums = {path: float(record.after[path][own]) for path in _sums(flown[leg].scenario, record)}
    found = Continuation(flown, unflown, leg, restart, own, over, sums, record)
    if over:
        flown[leg] = _leg_end(flown[leg], found)
    return found


def _saved_leg(leg: MissionLeg, saved: Record) -> Flown:
    """A leg of a saved mission; of it only the record is there."""
    scenario = leg.scenario
    record = _with_time(replace(saved.legs[leg.name], scenario=scenario))
    record.sums = {path: float(record.series[path][-1]) for path in _sums(scenario, record)}
    nothing: Any = None
    found = Flown(nothing, scenario, nothing, nothing, nothing, False)
    found.__dict__["record"] = record
    return found


def _with_time(record: Record) -> Record:
    """The record of a saved flight with time as a quantity, which files have as an axis."""
    when = np.array([event.time for event in record.events], float)
    return replace(
        record,
        series={"time": record.time} | record.series,
        before={"time": when} | record.before,
        after={"time": when} | record.after,
        meta={"time": QuantityMeta("s", "time")} | record.meta,
    )


def _leg_end(kept: Flown, at: Continuation) -> Flown:
    """A leg of a saved mission at its end, from which others begin."""
    program = of_flight(kept.scenario)
    first = at.start(program, kept.scenario)
    status = np.asarray(FINISHED)
    cursor = SimpleNamespace(
        t=np.asarray(first.time), x=first.x, discrete=first.discrete, status=status, step=None
    )
    found = replace(kept, program=program, first=first, cursor=cursor)
    found.__dict__["record"] = kept.record
    return found


def _sums(scenario: Any, record: Record) -> list[str]:
    """Integrals that are found after a flight, of those in its record."""
    known = {path: known_after(scenario, path) for path in record.after if record.after[path].ndim == 1}
    return [path for path, module in known.items() if module is not None and hasattr(module, "knows")]
