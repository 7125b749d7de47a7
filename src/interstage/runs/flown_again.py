"""Quantities between the samples of a saved flight, which is flown again from the last event before the time.

A file has the states of a flight just after its events, and no states at the ends of steps. So the part of
the flight from the last event before a time to the next event is flown again, once. A quantity between
samples has the order of the method, as in a flight that was not saved. The two differ by the errors of their
steps, because the first step after an event may have another size."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from ..missions.mission import Mission
from ..observation.between import Between
from ..observation.observation import restart_state
from ..programs.program import Program
from ..programs.progress import progress_reports
from ..quantities.catalogue import catalogue
from ..record.record import SAME_TIME, Record
from ..starts.run_start import RunStart
from ..tree.declaration import with_values
from ..tree.errors import BadInput, Problem
from .run import flown, of_flight, resolve_scenario

AGREE = 1e-4
"""Largest difference from a sample, relative to the largest value of its quantity. Steps of two flights of
one program differ by far less, and another model by more."""
FLOOR = 1e-6
"""Difference [SI] that is allowed: a body at rest at the origin has only rounding errors."""
COMPARED = ("position", "velocity")
"""Quantities of bodies that must agree with the samples."""
REMEDY = "The file may be of another version. Fly its scenario again, and save it"


class FlownAgain:
    """A saved flight, or a leg of a mission, that is flown again in parts.

    scenario: function that returns the scenario of the mission; leg: empty without legs."""

    def __init__(self, record: Record, scenario: Callable[[], Any], leg: str):
        self.record, self._scenario, self._leg = record, scenario, leg
        self._parts: dict[int, Between] = {}
        self._compared: set[int] = set()

    @cached_property
    def _own(self) -> Any:
        return Mission.of(resolve_scenario(self._scenario())).leg(self._leg).scenario

    @cached_property
    def _program(self) -> Program:
        return of_flight(self._own)

    def quantities(self, times: np.ndarray, paths: tuple[str, ...]) -> dict[str, np.ndarray]:
        """Quantities at times (n,) [s] between samples: path -> (n, components), without those that are
        computed only after a flight. Raises BadInput if the flight cannot be flown again."""
        rows = np.searchsorted(self.record.restart["time"], times, side="right") - 1
        known = catalogue(self._program.layout.scenario)
        some = tuple(path for path in paths if path in known)
        if not some or rows.min() < 0:
            return {}
        found: dict[str, np.ndarray] = {}
        for row in np.unique(rows):
            mine = rows == row
            self._refuse_early_end(row, float(times[mine].max()))
            self._compare(row, times[mine])
            for path, values in self._part(row).quantities(times[mine], some).items():
                found.setdefault(path, np.zeros((len(times), *values.shape[1:]), values.dtype))[mine] = values
        return found

    def _part(self, row: int) -> Between:
        """The flight from an event, by its number, to the next."""
        if row not in self._parts:
            scenario, program, (_, end) = self._own, self._program, self._span(row)
            with np.errstate(all="ignore"):
                like = program.begin(scenario, 0.0)
            state = restart_state(self.record.restart, row, like=like, layout=program.layout)
            limited = with_values(scenario.solver, time_limit=np.asarray(end))
            scenario, first = with_values(scenario, solver=limited), RunStart(*state, [], [])
            with progress_reports(None) as progress:
                one = flown(program, scenario, first, progress)
            if one.interrupted:
                raise KeyboardInterrupt
            self._parts[row] = one.between
        return self._parts[row]

    def _span(self, row: int) -> tuple[float, float]:
        """Times [s] of an event, and of the next one or of the end of the flight."""
        times, last = self.record.restart["time"], float(self.record.time[-1])
        begin = float(times[row])
        later = times[times > begin]
        return begin, float(later[0]) if len(later) else last

    def _refuse_early_end(self, row: int, time: float) -> None:
        end = float(self._part(row).cursor.t)
        if time > end + SAME_TIME * max(1.0, abs(time)):
            text = f"the flight flown again from '{self.record.events[row].name}' ends at {end:.9g} s"
            raise BadInput(f"no value at {time:.9g} s: {text}, and the saved flight later. {REMEDY}")

    def _compare(self, row: int, times: np.ndarray) -> None:
        """Compare the samples next to some times with the flight flown again, once. Raises BadInput."""
        begin, end = self._span(row)
        slack = SAME_TIME * max(1.0, abs(end))
        inside = np.flatnonzero((self.record.time > begin + slack) & (self.record.time < end - slack))
        places = np.searchsorted(self.record.time[inside], times)
        adjacent = np.clip([places - 1, places], 0, len(inside) - 1)
        some = [k for k in np.unique(inside[adjacent]) if k not in self._compared] if len(inside) else []
        names = [f"bodies.{body.name}.{name}" for body in self._own.bodies for name in COMPARED]
        paths = tuple(path for path in names if path in self.record.series)
        if not some or not paths:
            return
        for path, values in self._part(row).quantities(self.record.time[some], paths).items():
            saved = self.record.series[path]
            apart = float(np.max(np.abs(values - saved[some])))
            if not apart <= AGREE * np.max(np.abs(saved)) + FLOOR:
                unit, event = self.record.meta[path].unit, self.record.events[row].name
                text = f"differs from the saved samples by {apart:.3g} {unit} in a flight from '{event}' on"
                raise BadInput(Problem(path, f"{text}. {REMEDY}"))
        self._compared |= {*some}
