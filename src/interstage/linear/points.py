"""Operating points: times of a flight at which the equations of motion are linearized."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..maths.arrays import jax
from ..missions.mission import Mission
from ..missions.names import end_of
from ..observation.observation import outcome
from ..programs.program import Program
from ..runs import mission as legs
from ..runs.run import Flown, expected_end, flown, of_flight, steps_ahead
from ..sensitivities.directions import Flying
from ..sensitivities.stage import Stage, place
from ..starts.events import END, START
from ..starts.run_start import RunStart
from ..tree.declaration import with_values
from ..tree.errors import BadInput, Problem
from ..tree.sentences import sentence
from ..tree.similar_names import near
from .extremes import time_of_extreme
from .leg_choice import NOT_RIGID, LegFlights, leg_with
from .moments import Moment, moments, span

MOST_RECORDED = 2**15
"""Largest number of recorded fixed steps of a flight. This number of steps needs 70 MB for a chain of ten
bodies."""
SOME = 16
"""Number of steps for each recorded step if the number of steps is unknown. Repeating a step takes 15 ms."""


@dataclass(frozen=True)
class Point:
    """Operating point.

    - what: description of the time.
    - time: time [s].
    - state (state,): state of the mechanism.
    - discrete: switches.
    - turn: additional rotation of the rotor shaft and all bodies on the shaft [rad].
    """

    what: str
    time: float
    state: np.ndarray
    discrete: Any
    turn: float = 0.0


def course_of(scenario: Any, leg: str | None, at: Any = START, along: str | None = None) -> Course:
    """Return the flight, or the leg of a mission, that has the requested operating points.

    leg: name of the leg. Default: the only leg with rigid bodies, or the only leg with the times of `at` or
    `along`. Raises BadInput for an unknown leg, for several possible legs, or for a leg without rigid bodies.
    """
    mission, flights = Mission.of(scenario), LegFlights(scenario)
    if leg is None:
        leg = leg_with(flights, at, along)
    elif not mission.has_legs:
        raise BadInput(Problem("leg", "the scenario has no legs. Remove 'leg'"))
    elif leg not in mission.legs:
        raise BadInput(Problem("leg", f"there is no leg '{leg}'; {near(leg, mission.order, 'legs')}"))
    course = Course(scenario, leg, flights)
    if course.own.coordinates in NOT_RIGID:
        raise BadInput(Problem("coordinates", NOT_RIGID[course.own.coordinates]))
    return course


class Course:
    """A flight, or a leg of a mission, with operating points. The flight or leg is computed only if an
    operating point is after its start.

    leg: name of the leg; empty for a flight without legs.
    """

    def __init__(self, scenario: Any, leg: str, flights: LegFlights | None = None):
        self.mission, self.leg = scenario, leg
        self.flights = flights or LegFlights(scenario)
        self.own = self._of(scenario)
        self.flying = Flying(self.program, self._of)

    def _of(self, scenario: Any) -> Any:
        return Mission.of(scenario).leg(self.leg).scenario

    @cached_property
    def program(self) -> Program:
        """Return the compiled program of the flight."""
        return of_flight(self.own)

    @cached_property
    def first(self) -> RunStart:
        """Return the start of the flight. Earlier legs are flown first. Raises BadInput if the start is not
        consistent.
        """
        flights = self.flights
        own = flights.mission.leg(self.leg)
        flights.fly(flights.mission.leading_to(own.predecessors))
        found = flights.flown
        why = flights.unflown.get(own.parent) or legs.reason_not_begun(own, found)
        if why:
            raise BadInput(Problem("leg", f"the leg '{self.leg}' was not flown: {why}"))
        try:
            return legs.leg_start(own, found.get(own.parent), self.program)
        except legs.Unflown as error:
            raise BadInput(Problem("leg", f"the leg '{self.leg}' was not flown: {error}")) from None

    @cached_property
    def flight(self) -> Flown:
        """Fly to the end, and return the flight."""
        if self.program.recorded != "samples" and self.leg in self.flights.flown:
            return self.flights.flown[self.leg]
        return flown(self.program, self._looked_at_often, self.first)

    @property
    def _looked_at_often(self) -> Any:
        """The scenario to fly; with fixed steps, its output interval is short enough that few steps are
        repeated."""
        own, solver = self.own, self.own.solver
        if self.program.recorded != "samples":
            return own
        steps = steps_ahead(own, self.first)
        every = math.ceil(steps / MOST_RECORDED) if steps else SOME
        interval = min(float(own.output.interval), every * float(solver.step))
        return with_values(own, output=with_values(own.output, interval=np.asarray(interval)))

    # --- operating points

    def points(self, wanted: Sequence[Moment]) -> list[Point]:
        """Return the operating points at requested times. Raises BadInput for times and events that do not
        occur."""
        wanted = self._with_own_end(wanted)
        times = [one.time for one in wanted if one.time is not None and one.time != self.first.time]
        problems: list[Problem] = []
        reached: dict[float, Point] = {}
        found: list[Point] = []
        try:
            reached = self._at_times(np.array(times))
        except BadInput as error:
            problems += error.problems
        for one in wanted:
            try:
                if one.time is None:
                    found.append(self._at_event(one))
                elif one.time == self.first.time:
                    found.append(self._beginning(one))
                elif one.time in reached:
                    point = reached[one.time]
                    found.append(
                        point if one.extreme is None else replace(point, what=f"{point.what}, {one.text}")
                    )
            except BadInput as error:
                problems += error.problems
        if problems:
            raise BadInput(problems)
        return found

    def over(self, times: Iterable[float]) -> list[Point]:
        """Return the operating points at the given times [s] of a period. Raises BadInput if the flight is
        shorter.
        """
        try:
            return self.points([Moment(f"{time:.9g} s", float(time)) for time in times])
        except BadInput as error:
            text = f"the period is longer than the flight: {sentence(error.problems[-1].message)}"
            text = f"{text} Give a shorter period, or a longer flight"
            raise BadInput(Problem("period", text)) from None

    def between(self, along: str) -> list[Point]:
        """Return the operating points of "FROM:TO:COUNT", evenly spaced from just after FROM to just before
        TO. Raises BadInput.
        """
        *ends, count = span(along)
        first, last = self._with_own_end(ends)
        if last.time is None and last.text == last.event != END:
            last = replace(last, side="before")
        begin, end = self._when(first, last)
        if not begin < end:
            text = (
                f"the last time, '{last.text}' at {end:.9g} s, is not after the first time, '{first.text}' at"
                f" {begin:.9g} s"
            )
            raise BadInput(Problem("along", f"{text}. Write the earlier time first"))
        times = np.linspace(begin, end, count)[1:-1]
        return self.points([first, *moments(times.tolist()), last])

    def _when(self, *moments: Moment) -> list[float]:
        """Times [s] of requested times and events. Raises BadInput if one does not occur."""
        events = [one for one in moments if one.time is None]
        found = iter(self.points(events))
        times = [next(found).time if one.time is None else one.time for one in moments]
        self._look_for(np.array([time for time in times if time != self.first.time]))
        return times

    def _with_own_end(self, wanted: Sequence[Moment]) -> list[Moment]:
        """Requested times, with the end of the leg by its name in the leg. Raises BadInput for unknown
        events."""
        end = end_of(self.leg)
        wanted = [self._of_extreme(one) for one in wanted]
        wanted = [replace(one, event=END) if one.event == end else one for one in wanted]
        known = [START, *(table_event.name for table_event in self.program.table.events)]
        unknown = dict.fromkeys(one.event for one in wanted if one.time is None and one.event not in known)
        if unknown:
            raise BadInput(Problem("at", self._unknown(name, known)) for name in unknown)
        return wanted

    def _of_extreme(self, one: Moment) -> Moment:
        """The requested time, with the time [s] of an extreme. Raises BadInput."""
        if one.extreme is None or one.time is not None:
            return one
        return replace(one, time=time_of_extreme(self.flight.record, *one.extreme))

    def _unknown(self, event: str, known: Sequence[str]) -> str:
        mission = self.flights.mission
        other = [name for name, leg in mission.legs.items() if mission.has_legs and leg.has_event(event)]
        if other:
            names = " and ".join(other)
            return f"'{event}' is an event of leg {names}, not of leg {self.leg}. Set leg to {other[0]}"
        return f"there is no event '{event}'; {near(event, known, 'events')}"

    @property
    def _first_phase(self) -> str:
        return self.own.phases[0].name

    def _at_event(self, one: Moment) -> Point:
        name = one.event
        begun = name == self._first_phase and not np.any(self.first.discrete.fired)
        if name == START or begun:
            return self._beginning(one)
        flight = self.flight
        stage = Stage(self.flying, self.mission, self.leg, False)
        moment = stage.moment(name, one.side, flight)
        if isinstance(moment, str):
            raise BadInput(Problem("at", moment))
        t, x, discrete = place(flight, moment)
        return Point(f"{one.side} {name}" if name != END else "at the end", float(t), np.asarray(x), discrete)

    def _beginning(self, one: Moment) -> Point:
        """The start, before or after its events."""
        first = self.first
        if one.side == "before":
            return Point("before the start", float(first.time), np.asarray(first.x), first.discrete)
        return self._after_the_start

    @cached_property
    def _after_the_start(self) -> Point:
        first = self.first
        x, discrete = self.program.after_first_events(
            self.own, first.reference, first.time, first.x, first.discrete
        )
        return Point("at the start", float(first.time), x, discrete)

    def _at_times(self, times: np.ndarray) -> dict[float, Point]:
        """Operating points at times [s]. Raises BadInput for times outside the flight."""
        if not times.size:
            return {}
        self._look_for(times)
        _, x, discrete = self.flight.between.at(times, once=True)
        switches = [jax.tree.map(lambda leaf, k=k: leaf[k], discrete) for k in range(len(times))]
        each = zip(times.tolist(), x, switches, strict=True)
        return {time: Point(f"at {time:.9g} s", time, own, discrete) for time, own, discrete in each}

    def _look_for(self, times: np.ndarray) -> None:
        """Check that times [s] are within the flight. Raises BadInput."""
        if not times.size:
            return
        last = expected_end(self.own, float(self.first.time))
        late = [time for time in times.tolist() if last is not None and time > last]
        if late:
            text = f"is after the latest possible end of the flight, {last:.9g} s"
            raise BadInput(Problem("at", f"the time {time:.9g} s {text}") for time in late)
        flight = self.flight
        begun, end = float(flight.first.time), float(flight.cursor.t)
        phases = [phase.name for phase in self.own.phases]
        ended = outcome(flight.cursor, flight.interrupted, flight.program.table, phases)[0]
        beyond = [time for time in times.tolist() if not begun <= time <= end]
        if beyond:
            text = f"is outside the flight, which lasts from {begun:.9g} s to {end:.9g} s. {ended}"
            raise BadInput(Problem("at", f"the time {time:.9g} s {text}") for time in beyond)
