"""Derivatives of quantities of two bodies in concurrent legs of a mission, from the derivatives of both
bodies.

The quantity is evaluated at an event in the leg of one body. If the time of the event moves, the state of
this body is taken at the moved event. The derivative of the second body's state is the derivative at a fixed
time, plus the rate of the state times the derivative of the event time. If an event of the other body occurs
at the same time, its state before or after all its events is used. In this case, a derivative exists only if
both events move together, or if the other event does not change the quantity. The quantity is an exactly
differentiated function of the two states (`record.across`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..maths import rotations
from ..maths.arrays import jvp
from ..missions.mission import Mission
from ..missions.names import end_of
from ..record import across, legs
from ..record.record import MAGNITUDE, Record
from ..runs.run import Flown
from .replay_plan import Moment
from .stage import Stage

STATE: tuple[str, ...] = ("position", "velocity", "attitude", "angular_velocity")
"""Names of the state quantities of a body from which quantities of two bodies are computed."""
TIME = "time"
ROUNDING = 2.0**-40
"""Tolerance (1e-12) for equal states, relative to the largest value of the state, or to 1 in SI units if this
is larger.

Such a difference occurs, for example, after a change to other coordinates.
"""
TOGETHER = 1e-9
"""Relative tolerance for equal derivatives of two event times. Within it, both events move together.

Derivatives of flights agree to rounding if they are sums of the same terms, otherwise only to the tolerance
of the flights.
"""


class Part(NamedTuple):
    """Quantity of one leg at a point of its flight. The derivative of such a quantity is an input of the
    derivative of a pair quantity.
    """

    leg: str
    quantity: str
    moment: Moment


@dataclass(frozen=True)
class Parts:
    """Quantities whose derivatives determine the derivative of a quantity of two bodies in concurrent legs.

    - body: body whose leg has the event.
    - mine, theirs: state components of `body`, and of the other body.
    - when: time of the event [s].
    - time: time of the event, as a quantity of its leg.
    - its_time: time of a simultaneous event of the second body; None without such an event. The state
      of this body is taken before or after this event.
    - tied: times of all simultaneous events of the other body.
    """

    body: str
    mine: tuple[Part, ...]
    theirs: tuple[Part, ...]
    when: float = np.nan
    time: Part | None = None
    its_time: Part | None = None
    tied: tuple[Part, ...] = ()

    def __iter__(self) -> Iterator[Part]:
        times = (self.time, self.its_time, *self.tied)
        return iter((*self.mine, *self.theirs, *(one for one in times if one is not None)))


class Pair(NamedTuple):
    """Quantity of two bodies in concurrent legs.

    - a, b: names of the bodies.
    - what: name of the quantity.
    - component: component of a vector quantity, or None.
    - at: event at which the quantity is evaluated.
    - side: "before" or "after" the event.
    """

    a: str
    b: str
    what: str
    component: int | str | None
    at: str
    side: Any

    def other(self, body: str) -> str:
        """Return the name of the other body of the pair. body: name of one body."""
        return self.b if body == self.a else self.a

    @property
    def landing(self) -> bool:
        """Return whether the quantity is the distance between the points where both flights end."""
        return self.what == across.LANDING


def pair(scenario: Any, output: Any) -> Pair | None:
    """Return the pair quantity of an output; None if the output is not a quantity of two bodies in concurrent
    legs.

    The result is also None for an extreme.
    """
    named = across.named_pair(scenario, output)
    if named is None or output.at is None:
        return None
    last = output.quantity.split(".")[4:]
    component = None if not last else last[0] if last[0] == MAGNITUDE else across.XYZ.index(last[0])
    return Pair(*named, component, output.at, output.side)


def faults(scenario: Any, output: Any) -> Iterator[str]:
    """Yield sentences that state why an output of two bodies in concurrent legs has no derivatives."""
    yield from across.faults(scenario, output)
    if output.at is None:
        text = (
            f"the extremes of '{output.quantity}', a quantity of two bodies in concurrent legs, have no"
            " derivatives"
        )
        yield f"{text}. Use the quantity at an event, or quantities of one body"
    named = across.named_pair(scenario, output)
    if named is not None and named[2] in across.VECTORS and output.quantity.endswith(f".{named[2]}"):
        text = f"'{output.quantity}' is a vector. Use one of its components {', '.join(across.XYZ)}"
        yield text


def legs_of(scenario: Any, of: Pair) -> tuple[str, ...]:
    """Return the names of the legs in which at least one body of a pair flies."""
    return tuple(name for name, leg in Mission.of(scenario).legs.items() if {of.a, of.b} & {*leg.bodies})


def parts(of: Pair, record: Record, stages: Mapping[str, Stage], flights: Mapping[str, Flown]) -> Parts:
    """Return the quantities whose derivatives determine the derivative of a pair quantity.

    - of: quantity of two bodies.
    - record: record of the mission.
    - stages, flights: legs and their flights, by name.

    For the distance between two landing points, these are the final states of bodies a and b. Otherwise, one
    body has the event in its leg. The state of this body, the time of the event, and the state of the other
    body at this time are then returned.
    """
    if of.landing:
        mine, theirs = (_ends(body, record, stages, flights) for body in (of.a, of.b))
        return Parts(of.a, mine, theirs)
    body, leg, moment, time = _event(of, record, stages, flights)
    other = of.other(body)
    its_leg, there, met = _there(flights, legs.alone(record, other, body), time, of.side)
    return Parts(
        body,
        tuple(Part(leg, path, moment) for path in _paths(record, body)),
        tuple(Part(its_leg, path, there) for path in _paths(record, other)),
        time,
        Part(leg, TIME, moment),
        Part(its_leg, TIME, there) if met else None,
        tuple(Part(name, TIME, one) for name, one in met),
    )


def slopes(of: Pair, record: Record, found: Mapping[Part, np.ndarray], parts: Parts) -> np.ndarray:
    """Return the derivatives (direction,) of a quantity of two bodies.

    found: derivatives (direction,) of each quantity in `parts`.
    """
    mine, theirs = (np.stack([found[part] for part in some]) for some in (parts.mine, parts.theirs))
    if of.landing:
        planet = record.scenario.planet
        places = [
            np.array([legs.of(record, part.quantity).series[part.quantity][-1] for part in some])
            for some in (parts.mine, parts.theirs)
        ]
        return _along(lambda start, place: across.over_ground(planet, start, place), places, [mine, theirs])
    assert parts.time is not None
    own, its = _own(of, record, parts.body), _its(of, record, parts, of.side == "before")
    later = found[parts.time] - (found[parts.its_time] if parts.its_time is not None else 0.0)
    changes, rates = _by_name(its, theirs), _rates(its)
    changes = {name: changes[name] + rates[name][:, None] * later for name in STATE}
    values, tangents = [*_values(own), *_values(its)], [*_values(_by_name(own, mine)), *_values(changes)]
    return _along(_function_of(of, parts.body), values, tangents)


def jump_directions(of: Pair, record: Record, found: Mapping[Part, np.ndarray], parts: Parts) -> np.ndarray:
    """Return the indices of the directions that move an event relative to a simultaneous event of the other
    body.

    A direction is returned only if the derivatives just before and just after the other event differ.

    found: derivatives (direction,) of each quantity in `parts`.
    """
    if not parts.tied:
        return np.zeros(0, int)
    assert parts.time is not None
    time, others = found[parts.time], np.stack([found[part] for part in parts.tied])
    size = np.maximum(np.abs(time), np.abs(others))
    moved = np.flatnonzero(np.any(np.abs(time - others) > TOGETHER * size, axis=0))
    if not moved.size:
        return moved
    own = _own(of, record, parts.body)
    before, after = (_its(of, record, parts, side) for side in (True, False))
    after = {name: _without_rounding(before[name], after[name]) for name in before}
    sides = [_with_rate(_function_of(of, parts.body), own, its) for its in (before, after)]
    return moved if sides[0] != sides[1] else moved[:0]


def _own(of: Pair, record: Record, body: str) -> dict[str, np.ndarray]:
    """The state of the body in whose leg the event is, as this leg has it."""
    return across.state_on(legs.legs_with(record, body, of.other(body)), body, of.at, of.side == "before")


def _its(of: Pair, record: Record, parts: Parts, before: bool) -> dict[str, np.ndarray]:
    """The state of the other body then, before or after all that happens to it at this time."""
    other = of.other(parts.body)
    return across.state_at(legs.legs_with(record, other, parts.body), other, parts.when, before)


def _without_rounding(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """The state after an event, without rounding where it is the same."""
    size = np.max(np.abs(before), initial=1.0)
    return np.where(np.abs(after - before) <= ROUNDING * size, before, after)


def _with_rate(
    asked: Any, own: Mapping[str, np.ndarray], its: Mapping[str, np.ndarray]
) -> tuple[float, float]:
    """A quantity, and its rate from the motion of the second body."""
    values, rates = [*_values(own), *_values(its)], _values(_rates(its))
    tangents = [*(np.zeros((len(value), 1)) for value in _values(own)), *(rate[:, None] for rate in rates)]
    return float(asked(*values)), float(_along(asked, values, tangents)[0])


def _values(state: Mapping[str, np.ndarray]) -> list[np.ndarray]:
    return [state[name] for name in STATE]


def _function_of(of: Pair, body: str) -> Any:
    """The quantity as a function of STATE of the body in whose leg the event is, and of the other."""

    def evaluate(*values: Any) -> Any:
        states: list[dict[str, Any]] = [
            dict(zip(STATE, some)) for some in (values[: len(STATE)], values[len(STATE) :])
        ]
        return across.quantity(of.what, of.component, *(states if body == of.a else states[::-1]))

    return evaluate


def _there(
    flights: Mapping[str, Flown], names: tuple[str, ...], time: float, side: Any
) -> tuple[str, Moment, list[tuple[str, Moment]]]:
    """In which of its legs the other body is at a time [s], and where; and what happens to it then, each in
    its leg and as the condition alone that it meets."""
    met: list[tuple[str, int]] = []
    for name in names:
        track = flights[name].track
        rows = np.flatnonzero(track.hit.any(axis=1) & across.same_instant(track.t_end, time))
        met += [(name, int(row)) for row in rows]
    if met:
        leg, row = met[0] if side == "before" else met[-1]
        alone = [
            (name, Moment(k, (int(i),), "before"))
            for name, k in met
            for i in np.flatnonzero(flights[name].track.hit[k])
        ]
        return leg, Moment(row, side=side), alone
    leg = [name for name in names if flights[name].first.time <= time][-1]
    track = flights[leg].track
    row = min(int(np.searchsorted(track.t_end, time)), len(track.t) - 1)
    return leg, Moment(row, until=time), []


def _ends(
    body: str, record: Record, stages: Mapping[str, Stage], flights: Mapping[str, Flown]
) -> tuple[Part, ...]:
    """Where over the ground a body is as it ends."""
    leg = legs.flown_with(record, body)[-1]
    moment = stages[leg].moment(end_of(leg), "before", flights[leg])
    assert isinstance(moment, Moment)
    names = across.ground_names(record.scenario.planet)
    return tuple(Part(leg, f"bodies.{body}.{name}", moment) for name in names)


def _event(
    of: Pair, record: Record, stages: Mapping[str, Stage], flights: Mapping[str, Flown]
) -> tuple[str, str, Moment, float]:
    """In whose leg an event is, which leg, where in it and when [s]; the first where several have it."""
    found = []
    for body, other in ((of.a, of.b), (of.b, of.a)):
        for leg in legs.alone(record, body, other):
            if of.at in Mission.of(record.scenario).leg(leg).event_names:
                moment = stages[leg].moment(of.at, of.side, flights[leg])
                if isinstance(moment, Moment):
                    time = float(flights[leg].track.t_end[moment.row])
                    found.append((time, body, leg, moment))
    time, body, leg, moment = min(found, key=lambda one: one[0])
    return body, leg, moment, time


def _paths(record: Record, body: str) -> list[str]:
    """The components of the state of a body."""
    stems = [f"bodies.{body}.{name}" for name in STATE]
    return [f"{stem}.{c}" for stem in stems for c in record.meta[stem].components]


def _by_name(state: Mapping[str, np.ndarray], rows: np.ndarray) -> dict[str, np.ndarray]:
    """Rows (component, direction) of the whole state, by name."""
    cuts = np.cumsum([len(state[name]) for name in STATE])[:-1]
    return dict(zip(STATE, np.split(rows, cuts)))


def _rates(state: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Rates of change of a state."""
    turning = np.asarray(rotations.rate(state["attitude"], state["angular_velocity"]))
    found = (state["velocity"], state["acceleration"], turning, state["angular_acceleration"])
    return dict(zip(STATE, found))


def _along(function: Any, values: list[np.ndarray], tangents: list[np.ndarray]) -> np.ndarray:
    """Derivatives (direction,) of a function of some values (component,) along tangents (component,
    direction)."""
    wide = tuple(np.repeat(np.asarray(v)[:, None], t.shape[1], 1) for v, t in zip(values, tangents))
    return np.asarray(jvp(function, wide, tuple(tangents))[1])
