"""Missions gone on with from an event of a saved one: what is taken from its file, and where legs begin."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from ..mission import before, order, projected
from ..record.legs import gone_on
from ..record.record import QuantityMeta, Record
from ..stepper.problem import FINISHED
from ..tree.errors import BadInput
from .after import known_after
from .observation import resumed
from .program import Program
from .simulate import Beginning, Flown, of_flight


class Resumed(NamedTuple):
    """A saved mission, and where in it another one begins: legs that are taken from it, by name, with those
    that were not flown and why; the leg in which the event comes, and its number there; over: whether that
    leg is over with it."""

    flown: dict[str, Flown]
    unflown: dict[str, str]
    leg: str
    row: int
    over: bool

    def anew(self, leg: str) -> bool:
        """Whether a leg is flown anew, or gone on with."""
        return leg not in (*self.flown, *self.unflown) or (leg == self.leg and not self.over)

    def begins(self, program: Program, scenario: Any) -> Beginning:
        """Where its leg goes on. Raises BadInput where another version kept states in another way."""
        saved = self.flown[self.leg].record
        with np.errstate(all="ignore"):
            like = program.begin(scenario, 0.0)
        found = resumed(saved.restart, self.row, like=like, layout=program.layout)
        sums = {path: float(saved.after[path][self.row]) for path in _sums(scenario, saved)}
        return Beginning(*found, [], [], sums=lambda: sums)

    def joined(self, record: Record) -> Record:
        """The leg that was gone on with, from its own start."""
        return gone_on(self.flown[self.leg].record, self.row, record)


def resumed_from(mission: Any, saved: Record, row: int) -> Resumed:
    """What goes on from an event of a saved mission, by its number in the record. Raises BadInput where
    nothing is left to fly."""
    leg = saved.events[row].leg
    own = [k for k, event in enumerate(saved.events) if event.leg == leg].index(row)
    restart = saved.legs[leg].restart
    over = bool(restart["discrete.over"][own])
    anew = [one for one in order(mission) if leg in before(mission, one)]
    if bool(restart["discrete.late"][own]) or (over and not anew):
        name = saved.events[row].name
        raise BadInput(f"nothing is left to fly after '{name}'; go on from an event before it")
    flown = {one: _kept(mission, one, saved) for one in saved.legs if one not in anew}
    unflown = {one: why for one, why in saved.unflown.items() if one not in anew}
    found = Resumed(flown, unflown, leg, own, over)
    if over:
        flown[leg] = _ended(flown[leg], found)
    return found


def _kept(mission: Any, leg: str, saved: Record) -> Flown:
    """A leg of a saved mission; of it only the record is there."""
    scenario = projected(mission, leg, start=not before(mission, leg))
    record = _with_time(replace(saved.legs[leg], scenario=scenario))
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


def _ended(kept: Flown, at: Resumed) -> Flown:
    """A leg of a saved mission at its end, from which others begin."""
    program = of_flight(kept.scenario)
    first = at.begins(program, kept.scenario)
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
