"""Numbers of a flight as a function of numbers of its scenario, with exact derivatives.

    pushed = Pushed(scenario, {path: targets_of(scenario, path, path)}, [Output("time", at="apart")])
    point = pushed.at(pushed.nominal)  # flies: point.values
    slopes = pushed.jacobian(point)  # (output, input)

Programs are compiled once for a structure, and kept: other numbers, flights of other lengths and other
outputs take the same ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np

from ..engine.quantity import scalar
from ..maths.arrays import jax
from ..mission import refuse_legs
from ..quantities.catalogue import catalogue, lookup
from ..record.record import Record, resolve
from ..record.requirements import EXTREMES, Extreme, over_time
from ..tree.declaration import replaced
from ..tree.errors import BadInput, Problem, near
from ..tree.unit_names import UnitError
from .directions import Changing, Directions, changing
from .observation import outcome
from .program import program_for
from .pushforward import pushed
from .replay_plan import Moment, plan_of
from .simulate import ROWS_AT_ONCE, Beginning, Flown, flown, resolved, rows_at_once, start
from .targets import Target

FURTHEST = {"min": np.argmin, "max": np.argmax, "largest": lambda values: np.argmax(np.abs(values))}
"""Where the extreme of some values is."""


class Output(NamedTuple):
    """A number of a flight: a scalar quantity, or a component of one.

    at: an event, the name of a phase, "start" or "end"; side: just before or after what happens there. Or
    take: its extreme, during a phase or in the whole flight, among samples and both sides of events."""

    quantity: str
    at: str | None = "end"
    side: Literal["before", "after"] = "before"
    take: Extreme | None = None
    during: str | None = None


@dataclass
class Point:
    """A flight with the inputs z (input,). values (output,): not a number where a flight has no such value;
    why (output,) then says why, and is none elsewhere."""

    z: np.ndarray
    scenario: Any
    values: np.ndarray
    why: list[str | None]
    moments: list[Moment | None]
    first: Beginning
    flight: Flown

    @cached_property
    def record(self) -> Record:
        """Its record, made when it is first asked for."""
        return self.flight.record


class Pushed:
    """Outputs of the flights of a scenario as a function of some of its numbers; see the module.

    inputs: path -> what moves with it, as `targets.targets_of` finds it: numbers of one unit and shape, which
    move alike. often: whether so many derivatives are asked for that a compiler's time, three times as long,
    is worth a program that is four times as fast. Raises BadInput for outputs that are none."""

    def __init__(
        self,
        scenario: Any,
        inputs: Mapping[str, Sequence[Target]],
        outputs: Sequence[Output],
        often: bool = True,
    ):
        refuse_legs(scenario, "derivatives")
        self.often = often
        self.scenario = resolved(scenario)
        self.program = program_for(self.scenario, capacity=rows_at_once(self.scenario, ROWS_AT_ONCE))
        self.outputs = tuple(outputs)
        self.names, self._moves = _numbered(inputs)
        self.nominal = np.array([float(targets[0].nominal) for targets in self._moves])
        self._directions = Directions(self._moves)
        self._chosen = _chosen(self.scenario, self.outputs, self.program.table)
        self._jumps_seen = False

    def at(self, z: np.ndarray) -> Point:
        """The flight with the inputs z (input,), SI. Raises BadInput for numbers that the scenario cannot
        have, and where its start is not consistent."""
        z = np.array(z, float)
        scenario = self._with(z)
        first = start(self.program, scenario)
        flight = flown(self.program, scenario, first)
        found = [self._moment(output, flight) for output in self.outputs]
        point = Point(z, scenario, np.full(len(found), np.nan), [], [], first, flight)
        point.why = [None if isinstance(one, Moment) else one for one in found]
        point.moments = [one if isinstance(one, Moment) else None for one in found]
        self._read(point)
        return point

    def jacobian(self, point: Point) -> np.ndarray:
        """Derivatives (output, input) of the values of a point, SI; not a number where there is no value.

        Through events, whose times move. That of an extreme is that of the value where it is (the envelope
        theorem); where two are equal, that of the first. Raises BadInput for inputs that move a time at which
        a table jumps."""
        found = np.full((len(self.outputs), len(self.names)), np.nan)
        asked = {k: moment for k, moment in enumerate(point.moments) if moment is not None}
        if not asked or not self.names:
            return found
        self._sees_no_jump(point)
        program, scenario, first = self.program, point.scenario, point.first
        moments = list(dict.fromkeys(asked.values()))
        with np.errstate(all="ignore"):
            plan, stretches = plan_of(program, scenario, first, point.flight.track, moments)
        begun = self._begun(point)
        numbers = self._directions.of_numbers(scenario, program.flying)
        places = pushed(program, scenario, numbers, begun, plan, self.often)
        reference = jax.tree.leaves(first.reference)
        settled = Changing(first.reference, begun.changes[len(begun.changes) - len(reference) :])
        values, changes = self._directions.of_quantities(
            scenario, program, [self._chosen[k] for k in asked], _some(places, stretches), settled
        )
        for n, (k, moment) in enumerate(asked.items()):
            place = moments.index(moment)
            sign = np.sign(values[n, place]) if self.outputs[k].take == "largest" else 1.0
            found[k] = sign * changes[n, place]
        return found

    def _with(self, z: np.ndarray) -> Any:
        """The scenario with the inputs z."""
        leaves: dict[str, tuple[Target, np.ndarray]] = {}
        for value, nominal, targets in zip(z, self.nominal, self._moves, strict=True):
            for k, own in enumerate(targets):
                whole = leaves.setdefault(own.path, (own, np.array(own.leaf, float)))[1]
                whole[own.index] = value if k == 0 else own.nominal + (value - nominal)
        changed, problems = self.scenario, []
        for path, (own, whole) in leaves.items():
            try:
                changed = replaced(changed, path, own.marker(whole))
            except UnitError as error:
                problems.append(Problem(path, str(error)))
        if problems:
            raise BadInput(problems)
        return changed

    def _begun(self, point: Point) -> Changing:
        """Start of a flight, ((t, x, discrete), reference), with its changes."""
        first = point.first
        x, discrete, reference = self._directions.of_start(point.scenario, self.program)
        t = np.zeros(self._directions.count)
        value = (np.asarray(first.time, float), first.x, first.discrete), first.reference
        return changing(value, ((t, x, discrete), reference))

    def _moment(self, output: Output, flight: Flown) -> Moment | str | None:
        """Where in a flight an output is to be found; a text that says why nowhere, none for an extreme."""
        if output.at is None:
            return None
        if output.at == "start":
            return Moment(-1)
        return self._of_event(output.at, output.side, flight)

    def _of_event(self, name: str, side: Any, flight: Flown, time: float | None = None) -> Moment | str:
        """The first time that an event comes, or that at a time."""
        cursor, track = flight.cursor, flight.track
        number = [h.name for h in self.program.table.happenings].index(name)
        came = np.append(track.discrete.event_time[:, number], cursor.discrete.event_time[number])
        rows = np.flatnonzero(came[1:] != came[:-1])
        if not rows.size:
            return (
                f"the event '{name}' does not come in this flight. {outcome(cursor, flight.interrupted)[0]}"
            )
        asked = tuple(i for i, c in enumerate(self.program.table.conditions) if c.event == number)
        row = rows[0] if time is None else rows[np.argmin(np.abs(track.t_end[rows] - time))]
        return Moment(int(row), asked, side)

    def _read(self, point: Point) -> None:
        """Find the values of a point, and where its extremes are."""
        for k, output in enumerate(self.outputs):
            if output.at is None:
                point.values[k], found = self._extreme(point, output)
                point.moments[k], point.why[k] = (found, None) if isinstance(found, Moment) else (None, found)
        rows = [
            k
            for k, (output, moment) in enumerate(zip(self.outputs, point.moments, strict=True))
            if output.at is not None and moment is not None
        ]
        if not rows:
            return
        places = [_place(point, moment) for k in rows if (moment := point.moments[k]) is not None]
        t, x, discrete = jax.tree.map(lambda *parts: np.stack(parts, -1), *places)
        chosen = [self._chosen[k] for k in rows]

        def values(mechanism, t, x, discrete):
            here = mechanism.here(t, x, discrete)
            return [np.broadcast_to(scalar(quantity, part, here), t.shape) for quantity, part in chosen]

        found = self.program.of_samples(values)(point.scenario, point.first.reference, t, x, discrete)
        for n, k in enumerate(rows):
            value = point.values[k] = found[n][n]
            if not np.isfinite(value):
                point.moments[k] = None
                point.why[k] = f"is not a finite number at {t[n]:.9g} s"

    def _extreme(self, point: Point, output: Output) -> tuple[float, Moment | str]:
        """The extreme of a quantity, and where it is."""
        record, track = point.record, point.flight.track
        stem, component = resolve(record, output.quantity)
        spans = [(begin, end) for name, begin, end in record.phases if output.during in (None, name)]
        times, values, places = over_time(record, stem, component, spans)
        if not len(values):
            return np.nan, f"the phase '{output.during}' does not come in this flight. {record.outcome}"
        if not np.all(np.isfinite(values)):
            return np.nan, f"is not a finite number at {times[np.argmin(np.isfinite(values))]:.9g} s"
        assert output.take is not None
        row = int(FURTHEST[output.take](values))
        value = float(EXTREMES[output.take](values))
        if places[row]:
            event, side = record.events[abs(places[row]) - 1], "after" if places[row] > 0 else "before"
            return value, self._of_event(event.name, side, point.flight, event.time)
        step = int(np.searchsorted(track.t_end, times[row]))
        return value, Moment(min(step, len(track.t) - 1), until=float(times[row]))

    def _sees_no_jump(self, point: Point) -> None:
        """Raise BadInput for an input that moves a time at which the flow jumps: no replay sees it."""
        if self._jumps_seen:
            return
        times, changes = self._directions.of_jumps(point.scenario, self.program, point.first)
        moved = np.isfinite(times)[:, None] & (changes != 0)
        problems = [
            Problem(
                name,
                f"moves the time {times[moved[:, k]][0]:g} s, at which a table begins or ends with a jump: of"
                " that no derivative is known. Let the table rise or fall in a short time",
            )
            for k, name in enumerate(self.names)
            if moved[:, k].any()
        ]
        if problems:
            raise BadInput(problems)
        self._jumps_seen = True


def _place(point: Point, moment: Moment) -> tuple[Any, Any, Any]:
    """(t, x, switches) at the start, or on a side of the end of a row."""
    cursor, track, k = point.flight.cursor, point.flight.track, moment.row
    if k < 0:
        return np.asarray(point.first.time, float), point.first.x, point.first.discrete
    if moment.side == "before":
        return track.t_end[k], track.x_end[k], jax.tree.map(lambda leaf: leaf[k], track.discrete)
    if k + 1 == len(track.t):
        return cursor.t, cursor.x, cursor.discrete
    return track.t[k + 1], track.x[k + 1], jax.tree.map(lambda leaf: leaf[k + 1], track.discrete)


def _some(places: Changing, which: list[int]) -> Changing:
    """Some of many places."""
    value = jax.tree.map(lambda leaf: leaf[which], places.value)
    return Changing(value, [None if c is None else c[which] for c in places.changes])


def _numbered(inputs: Mapping[str, Sequence[Target]]) -> tuple[list[str], list[list[Target]]]:
    """Names of the single numbers of inputs, and what moves with each."""
    names, moves = [], []
    for path, targets in inputs.items():
        for place in np.ndindex(targets[0].nominal.shape):
            names.append(path + (f"[{', '.join(map(str, place))}]" if place else ""))
            moves.append([replace(own, index=own.index + place) for own in targets])
    return names, moves


def _chosen(scenario: Any, outputs: Sequence[Output], table: Any) -> list[Any]:
    """Quantities of outputs, with components. Raises BadInput with all that is wrong."""
    known, found, problems = catalogue(scenario), [], []
    events, phases = [h.name for h in table.happenings], [phase.name for phase in scenario.phases]
    for output in outputs:
        try:
            quantity, component = lookup(known, output.quantity)
        except KeyError as error:
            problems.append(Problem("of", error.args[0]))
            continue
        if component is None and quantity.meta.components:
            text = f"'{output.quantity}' is a vector; name a component: {', '.join(quantity.meta.components)}"
            problems.append(Problem("of", text))
        if output.at is not None and output.at != "start" and output.at not in events:
            problems.append(Problem("at", f"there is no event '{output.at}'; {near(output.at, events)}"))
        if output.during is not None and output.during not in phases:
            text = f"there is no phase '{output.during}'; {near(output.during, phases)}"
            problems.append(Problem("during", text))
        if (output.at is None) == (output.take is None) or (output.at and output.during):
            text = f"'{output.quantity}' needs at, an event, or take, an extreme, with during or without"
            problems.append(Problem("at", text))
        found.append((quantity, component))
    if problems:
        raise BadInput(problems)
    return found
