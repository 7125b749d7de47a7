"""Compute quantities between the samples of a saved flight, by simulating a part of the flight again.

A file contains the states of a flight just after its events, but not the states at the ends of integration
steps. Therefore the flight is simulated again from the last event before the requested time to the next
event. Each part of the flight is simulated again only once. The quantity then has the order of the
integration method, as in a flight that was not saved. The two values can differ by integration errors,
because the first step after an event can have another size.
"""

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
"""Maximum difference between repeated flight and saved samples, relative to the largest value of the
quantity.

Flights that the same program repeats differ by far less. A flight of a changed model differs by more.
"""
FLOOR = 1e-6
"""Allowed absolute difference [SI], added to `AGREE`.

The difference is needed for a body at rest at the origin, which has only rounding errors.
"""
COMPARED = ("position", "velocity")
"""Names of the body quantities that are compared with the saved samples."""
REMEDY = "The file may come from another version of interstage. Run the scenario again and save the flight"


class FlownAgain:
    """Saved flight, or saved leg of a mission, of which parts are simulated again.

    - record: saved record.
    - scenario: function that returns the scenario of the flight or mission.
    - leg: name of the leg; "" without legs.
    """

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
        """Return quantities at times (n,) [s] between samples: (n, components) by path.

        Quantities that are computed only after a complete flight are omitted. Raises BadInput if the repeated
        flight differs from the saved samples, or if it ends early.
        """
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
            text = (
                f"a repeated flight from event '{self.record.events[row].name}' ends at {end:.9g} s, but"
                " the saved flight"
            )
            raise BadInput(f"there is no value at {time:.9g} s: {text} ends later. {REMEDY}")

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
                text = (
                    f"a repeated flight differs from the saved samples by {apart:.3g} {unit}"
                    f" after event '{event}'"
                )
                raise BadInput(Problem(path, f"{text}. {REMEDY}"))
        self._compared |= {*some}
