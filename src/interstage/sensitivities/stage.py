"""Evaluate the outputs of one flight or one mission leg: time, value and derivatives of each output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np

from ..engine.quantity import scalar
from ..maths.arrays import jax
from ..maths.vectors import add_axes
from ..missions.names import end_of
from ..observation.observation import outcome
from ..programs import edges
from ..quantities.catalogue import catalogue, lookup
from ..record.peaks import sought
from ..record.record import resolve
from ..record.requirements import EXTREMES, Extreme, over_time
from ..runs.run import Flown, flown
from ..starts.events import END
from ..starts.run_start import RunStart
from .directions import Changing, Directions, Flying, changing
from .nonsmooth import along
from .pushforward import needs_program, push_forward
from .replay_plan import Moment, plan_of

FURTHEST = {"min": np.argmin, "max": np.argmax, "largest": lambda values: np.argmax(np.abs(values))}
"""Functions that return the index of the minimum, maximum or largest magnitude of some values."""


class Output(NamedTuple):
    """Scalar result of a flight: a quantity at an event, or its extreme over time.

    - quantity: path of a scalar quantity, or of a component.
    - at: name of an event or phase, "start" or "end"; None for an extreme.
    - side: value just before or just after the event.
    - take: "min", "max" or "largest" for an extreme; None at an event.
    - during: phase of the extreme; None for the whole flight.
    """

    quantity: str
    at: str | None = "end"
    side: Literal["before", "after"] = "before"
    take: Extreme | None = None
    during: str | None = None


class Pushing(NamedTuple):
    """Derivatives of a flight along directions.

    - begun: start of the flight, ((t, x, discrete), reference), with derivatives.
    - slopes: derivatives (direction,) of each requested output.
    - end: end of the flight with derivatives; None if it was not requested.
    - apart: time [s] of an event for each direction that moves this event relative to a jump, by
      index of the direction.
    """

    begun: Changing
    slopes: dict[Any, np.ndarray]
    end: Changing | None
    apart: dict[int, float]


class Stage:
    """One flight, or one leg of a mission, and its outputs.

    - flying: program, and the part of a scenario that it simulates.
    - name: name of the leg; "" for a flight without legs.
    - times: expected number of flights with derivatives, see `pushed.Pushed`.
    """

    def __init__(self, flying: Flying, scenario: Any, name: str, times: int):
        self.flying, self.program, self.name = flying, flying.program, name
        self._times, self._flights, self._steps = times, 0, 0.0
        self._known = catalogue(flying.of(scenario))
        self._chosen: dict[str, Any] = {}

    def chosen(self, quantity: str) -> Any:
        """Return (quantity, component) for the path of a quantity. Raises KeyError with the reason if the
        path is unknown.
        """
        if quantity not in self._chosen:
            self._chosen[quantity] = lookup(self._known, quantity)
        return self._chosen[quantity]

    def flown(self, scenario: Any, first: RunStart) -> Flown:
        """Simulate the flight or leg from an initial state `first`, and return the flight.

        The number of steps of earlier flights selects the program.
        """
        each = self._steps / max(self._flights, 1)
        one = flown(self.program, scenario, first, known=each * max(self._times, self._flights + 1))
        self._flights += 1
        self._steps += int(one.cursor.accepted) + int(one.cursor.rejected)
        return one

    # --- where in a flight

    def moment(self, at: str, side: Any, one: Flown, time: float | None = None) -> Moment | str:
        """Return the point of a flight at which an event occurs; a text with the reason if the event does not
        occur.

        - at: name of the event. The end of a leg also has the name of the leg.
        - side: "before" or "after" the event.
        - time: if the event occurs several times, the occurrence nearest to this time [s]. Default: the
          first occurrence.
        """
        if at == "start":
            return Moment(-1)
        cursor, track = one.cursor, one.track
        number = self.program.table.index(END if at == end_of(self.name) else at)
        came = np.append(track.discrete.event_time[:, number], cursor.discrete.event_time[number])
        rows = np.flatnonzero(came[1:] != came[:-1])
        if not rows.size:
            where = f"leg '{self.name}'" if self.name else "this flight"
            ended = outcome(cursor, one.interrupted, self.program.table)[0]
            return f"the event '{at}' does not occur in {where}. {ended}"
        asked = tuple(i for i, c in enumerate(self.program.table.conditions) if c.event == number)
        row = rows[0] if time is None else rows[np.argmin(np.abs(track.t_end[rows] - time))]
        return Moment(int(row), asked, side)

    def end(self, one: Flown) -> Moment:
        """Return the point after all events at the end of a flight. The point moves with the conditions that
        end the flight.

        one: flight.
        """
        track, cursor, table = one.track, one.cursor, self.program.table
        last = cursor.discrete.event_time != track.discrete.event_time[-1]
        enders = {k for k, h in enumerate(table.events) if h.ends and last[k]}
        asked = tuple(i for i, c in enumerate(table.conditions) if c.event in enders)
        return Moment(len(track.t) - 1, asked, "after")

    def extreme(self, output: Output, one: Flown) -> tuple[float, Moment | str]:
        """Return the extreme of a quantity, including values between samples, and the point of the flight at
        which it occurs.

        If the extreme does not exist, the result is NaN and a text with the reason.

        output: extreme to find. one: flight.
        """
        record, track = one.record, one.track
        stem, component = resolve(record, output.quantity)
        spans = [(begin, end) for name, begin, end in record.phases if output.during in (None, name)]
        times, values, places = over_time(record, stem, component, spans, [*sought(output)])
        if not len(values):
            return np.nan, f"the phase '{output.during}' does not occur in this flight. {record.outcome}"
        if not np.all(np.isfinite(values)):
            when = times[np.argmin(np.isfinite(values))]
            return np.nan, f"{output.quantity} is not a finite number at {when:.9g} s"
        assert output.take is not None
        row = int(FURTHEST[output.take](values))
        value = float(EXTREMES[output.take](values))
        if places[row]:
            event, side = record.events[abs(places[row]) - 1], "after" if places[row] > 0 else "before"
            return value, self.moment(event.name, side, one, event.time)
        step = int(np.searchsorted(track.t_end, times[row]))
        return value, Moment(min(step, len(track.t) - 1), until=float(times[row]), extreme=True)

    def values(
        self, one: Flown, quantities: Sequence[str], moments: Sequence[Moment]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return times [s] and values (quantity,) of quantities, each at its own point of the flight.

        one: flight. moments: point of each quantity.
        """
        return self._samples(one, [self.chosen(quantity) for quantity in quantities], moments, own=True)

    def _samples(
        self, one: Flown, chosen: Sequence[Any], moments: Sequence[Moment], own: bool = False
    ) -> tuple[np.ndarray, np.ndarray]:
        """Times (moment,) and values (quantity, moment); or, each at its `own` one, (quantity,)."""
        places = [place(one, moment) for moment in moments]
        t, x, discrete = jax.tree.map(lambda *parts: np.stack(parts, -1), *places)

        def values(mechanism: Any, t: Any, x: Any, discrete: Any) -> list[Any]:
            here = mechanism.here(t, x, discrete)
            return [np.broadcast_to(scalar(quantity, part, here), t.shape) for quantity, part in chosen]

        found = self.program.of_samples(values)(one.scenario, one.first.reference, t, x, discrete)
        return t, np.array([found[n][n] if own else found[n] for n in range(len(chosen))])

    # --- how it changes

    def start_changes(self, scenario: Any, directions: Directions, one: Flown) -> Changing:
        """Return the start of a flight with its derivatives.

        directions: directions of the derivatives. one: flight.
        """
        x, discrete, reference, _ = directions.of_start(scenario, self.flying)
        return changing(_start(one), ((np.zeros(directions.count), x, discrete), reference))

    def handed_over_changes(
        self, scenario: Any, directions: Directions, one: Flown, before: Stage, table: Any, earlier: Pushing
    ) -> Changing:
        """Return the start of a leg with its derivatives, from the derivatives at the end of the preceding
        leg.

        - one: flight of this leg.
        - before, earlier: preceding leg, and its derivatives.
        - table: event table of the preceding leg, in which the end has its name in the mission.
        """
        assert earlier.end is not None
        legs, start = (before.flying, self.flying), _start(one)
        changes = directions.of_hand_over(scenario, legs, table, earlier.end, references_of(earlier.begun))

        def wide(change: Any, value: Any) -> Any:
            return np.broadcast_to(add_axes(change, np.ndim(value) + 1), (*np.shape(value), directions.count))

        return changing(start, jax.tree.map(wide, changes, start))

    def refuse(self, one: Flown, asked: Mapping[Any, tuple[str, Moment]], ends: bool) -> None:
        """Raise BadInput if a flight passes a jump of the atmosphere or wind, through which no derivative
        exists.

        asked, ends: see `push`.
        """
        rows = [moment.row for moment in self._events_of(one, asked, ends)[-1]]
        edges.refuse(one.scenario, self._known, partial(self._at_ends, one, max(rows, default=-1) + 1))

    def push(
        self,
        scenario: Any,
        directions: Directions,
        one: Flown,
        begun: Changing,
        asked: Mapping[Any, tuple[str, Moment]],
        ends: bool,
    ) -> Pushing:
        """Compute the derivatives of the outputs of a flight.

        - one: flight.
        - begun: start of the flight with derivatives.
        - asked: (path of the quantity, point of the flight) of each output, by key of the output.
        - ends: if true, the derivatives at the end of the flight are also computed.
        """
        if not asked and not ends:
            return Pushing(begun, {}, None, {})
        numbers = self._numbers(scenario, directions)
        if not asked and begun.still and not any(map(np.any, numbers.values())):
            return Pushing(begun, {}, _still(one, directions.count), {})
        self.refuse(one, asked, ends)
        moments, end, wanted = self._events_of(one, asked, ends)
        with np.errstate(all="ignore"):
            plan, stretches = plan_of(self.program, one.scenario, one.first, one.track, wanted)
        found = push_forward(self.program, one.scenario, numbers, begun, plan, self._times)
        places, apart = _taken_apart(found)
        slopes: dict[Any, np.ndarray] = {}
        if asked:
            chosen = [self.chosen(quantity) for quantity, _ in asked.values()]
            some = places.part([stretches[wanted.index(moment)] for moment in moments])
            some = along(one, scenario, directions, self.flying, some, moments, references_of(begun))
            _, changes = directions.of_quantities(scenario, self.flying, chosen, some, references_of(begun))
            slopes = {
                k: changes[n, moments.index(moment)] for n, (k, (_, moment)) in enumerate(asked.items())
            }
        last = None if end is None else places.part(stretches[wanted.index(end)])
        return Pushing(begun, slopes, last, apart)

    def moves(self, scenario: Any, directions: Directions, one: Flown, first: bool) -> bool:
        """Return whether a direction changes the values of a leg directly, without a change of the preceding
        leg.

        first: true for the first leg. For the first leg, a change of its start also counts.
        """
        numbers = self._numbers(scenario, directions)
        return any(map(np.any, numbers.values())) or (
            first and not self.start_changes(scenario, directions, one).still
        )

    def compile_push(
        self,
        scenario: Any,
        directions: Directions,
        one: Flown,
        asked: Mapping[Any, tuple[str, Moment]],
        ends: bool,
    ) -> None:
        """Compile the program with which `push` computes the outputs, if a program is needed. Arguments: see
        `push`.
        """
        numbers = self._numbers(scenario, directions)
        wanted = self._events_of(one, asked, ends)[-1]
        with np.errstate(all="ignore"):
            plan, _ = plan_of(self.program, one.scenario, one.first, one.track, wanted)
        if not needs_program(self.program, plan, self._times):
            return
        begun = _start(one)
        still = jax.tree.map(lambda leaf: np.zeros((*np.shape(leaf), directions.count)), begun)
        push_forward(self.program, one.scenario, numbers, changing(begun, still), plan, self._times)

    def _numbers(self, scenario: Any, directions: Directions) -> Any:
        """Changes of the numbers that the steps of a flight read."""
        return directions.of_numbers(scenario, self.flying._replace(program=self.program.flying))

    def _events_of(self, one: Flown, asked: Mapping[Any, tuple[str, Moment]], ends: bool) -> tuple[Any, ...]:
        """The events of the outputs; the end, if it is requested; and all events."""
        moments = list(dict.fromkeys(moment for _, moment in asked.values()))
        end = self.end(one) if ends else None
        return moments, end, list(dict.fromkeys([*moments, end])) if end is not None else moments

    def _at_ends(self, one: Flown, count: int, names: list[str]) -> tuple[np.ndarray, np.ndarray]:
        """Times and values (quantity, row) at the start and at the ends of so many rows."""
        moments = [Moment(k) for k in range(-1, count)]
        return self._samples(one, [self.chosen(name) for name in names], moments)


def references_of(begun: Changing) -> Changing:
    """Return the references of the start of a flight, with their derivatives.

    begun: start of the flight, ((t, x, discrete), reference), with derivatives.
    """
    where, reference = begun.value
    return Changing(reference, begun.changes[len(jax.tree.leaves(where)) :])


def _taken_apart(found: Changing) -> tuple[Changing, dict[int, float]]:
    """Places with their changes, and the directions that move a flight against a jump, with its time."""
    places, apart = found.value
    amount = found.changes[-2]
    assert amount is not None
    moved = {int(k): float(apart.time) for k in np.flatnonzero(amount)}
    return Changing(places, found.changes[:-2]), moved


def _still(one: Flown, count: int) -> Changing:
    """Where a flight ends that nothing changes."""
    end = one.cursor.t, one.cursor.x, one.cursor.discrete
    return changing(end, jax.tree.map(lambda leaf: np.zeros((*np.shape(leaf), count)), end))


def _start(one: Flown) -> Any:
    first = one.first
    return (np.asarray(first.time, float), first.x, first.discrete), first.reference


def place(one: Flown, moment: Moment) -> tuple[Any, Any, Any]:
    """Return (t, x, switches) at a point of a flight: at its start, or before or after the events at the end
    of a step.

    one: flight. moment: description of the point.
    """
    cursor, track, k = one.cursor, one.track, moment.row
    if k < 0:
        return np.asarray(one.first.time, float), one.first.x, one.first.discrete
    if moment.side == "before":
        return track.t_end[k], track.x_end[k], jax.tree.map(lambda leaf: leaf[k], track.discrete)
    if k + 1 == len(track.t):
        return cursor.t, cursor.x, cursor.discrete
    return track.t[k + 1], track.x[k + 1], jax.tree.map(lambda leaf: leaf[k + 1], track.discrete)
