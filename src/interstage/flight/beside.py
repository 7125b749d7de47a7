"""Two bodies of a mission that fly on in legs beside each other: how numbers of both change, from the changes
of each.

At an event of one body's leg, whose time moves, this one's state changes along the event. The other's changes
as at a fixed time, and by its rate times the change of the time. What is asked of both is a function of the
two states (`record.across`), of which the derivative is taken exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from ..maths import rotations
from ..maths.arrays import jvp
from ..mission import END, bodies_of, moments_of, order
from ..record import across, legs
from ..record.record import MAGNITUDE, Record
from .replay_plan import Moment
from .simulate import Flown
from .stage import Stage

STATE: tuple[str, ...] = ("position", "velocity", "attitude", "angular_velocity")
"""What of the state of a body quantities of two bodies follow from."""
TIME = "time"


class Part(NamedTuple):
    """A quantity of one leg at a moment, whose change enters."""

    leg: str
    quantity: str
    moment: Moment


class Pair(NamedTuple):
    """A quantity of two bodies in legs beside each other: a, b, what of them, its component, if it has some;
    and at which event, on which side of it."""

    a: str
    b: str
    what: str
    component: int | str | None
    at: str
    side: Any

    @property
    def landing(self) -> bool:
        """Whether it is of where the two end."""
        return self.what == across.LANDING


def pair(scenario: Any, output: Any) -> Pair | None:
    """An output of two bodies in legs beside each other; none of all else, and of extremes."""
    named = across.named(scenario, output)
    if named is None or output.at is None:
        return None
    last = output.quantity.split(".")[4:]
    component = None if not last else last[0] if last[0] == MAGNITUDE else across.XYZ.index(last[0])
    return Pair(*named, component, output.at, output.side)


def faults(scenario: Any, output: Any) -> Iterator[str]:
    """Why an output of two bodies in legs beside each other has no derivatives, in words."""
    yield from across.faults(scenario, output)
    if output.at is None:
        text = f"'{output.quantity}' is of two bodies in legs beside each other; extremes of it have no"
        yield f"{text} derivatives. Ask for it at an event, or for quantities of each body"
    named = across.named(scenario, output)
    if named is not None and named[2] in across.VECTORS and output.quantity.endswith(f".{named[2]}"):
        yield f"'{output.quantity}' is a vector; name a component: {', '.join(across.XYZ)}"


def legs_of(scenario: Any, of: Pair) -> tuple[str, ...]:
    """The legs in which one of the two flies."""
    return tuple(leg for leg in order(scenario) if {of.a, of.b} & {*bodies_of(scenario, leg)})


def parts(of: Pair, record: Record, stages: Mapping[str, Stage], flights: Mapping[str, Flown]) -> list[Part]:
    """What the changes of a quantity of two bodies follow from: of where they end that of a and of b; else
    the state of the body in whose leg the event is, its time, and the state of the other at that time."""
    if of.landing:
        return [*_ends(of, record, stages, flights)]
    body, leg, moment, time = _event(of, record, stages, flights)
    other = of.b if body == of.a else of.a
    beside = [name for name in legs.alone(record, other, body) if flights[name].first.time <= time]
    one = flights[beside[-1]]
    row = min(int(np.searchsorted(one.track.t_end, time)), len(one.track.t) - 1)
    there = Moment(row, until=time)
    mine = [Part(leg, path, moment) for path in (*_paths(record, body), TIME)]
    return [*mine, *(Part(beside[-1], path, there) for path in _paths(record, other))]


def slopes(of: Pair, record: Record, found: Mapping[Part, np.ndarray], listed: list[Part]) -> np.ndarray:
    """Derivatives (direction,) of a quantity of two bodies, from those of its parts."""
    changes = [found[part] for part in listed]
    if of.landing:
        planet = record.scenario.planet
        places = [
            np.array([legs.of(record, part.quantity).series[part.quantity][-1] for part in some])
            for some in (listed[:2], listed[2:])
        ]
        tangents = [np.stack(some) for some in (changes[:2], changes[2:])]
        return _along(lambda start, place: across.over_ground(planet, start, place), places, tangents)
    body = of.a if listed[0].quantity.startswith(f"bodies.{of.a}.") else of.b
    other = of.b if body == of.a else of.a
    size = len(changes) // 2
    time = listed[-1].moment.until
    own = across.state_at(legs.beside(record, body, other), body, time, of.side == "before")
    its = across.state_at(legs.beside(record, other, body), other, time)
    mine = _by_name(own, np.stack(changes[:size]))
    theirs = _by_name(its, np.stack(changes[size + 1 :]))
    rates = _rates(its)
    theirs = {name: theirs[name] + rates[name][:, None] * changes[size] for name in STATE}
    first, second = ((own, mine), (its, theirs)) if body == of.a else ((its, theirs), (own, mine))

    def wanted(*values: Any) -> Any:
        states: list[dict[str, Any]] = [
            dict(zip(STATE, some)) for some in (values[: len(STATE)], values[len(STATE) :])
        ]
        return across.quantity(of.what, of.component, *states)

    values = [state[name] for state, _ in (first, second) for name in STATE]
    tangents = [change[name] for _, change in (first, second) for name in STATE]
    return _along(wanted, values, tangents)


def _ends(
    of: Pair, record: Record, stages: Mapping[str, Stage], flights: Mapping[str, Flown]
) -> Iterator[Part]:
    """Where over the ground the two are as they end."""
    for body in (of.a, of.b):
        leg = [name for name in record.legs if f"bodies.{body}.position" in record.legs[name].meta][-1]
        moment = stages[leg].moment(leg + END, "before", flights[leg])
        assert isinstance(moment, Moment)
        for name in across.ground_names(record.scenario.planet):
            yield Part(leg, f"bodies.{body}.{name}", moment)


def _event(
    of: Pair, record: Record, stages: Mapping[str, Stage], flights: Mapping[str, Flown]
) -> tuple[str, str, Moment, float]:
    """In whose leg an event is, which leg, where in it and when [s]; the first where several have it."""
    found = []
    for body, other in ((of.a, of.b), (of.b, of.a)):
        for leg in legs.alone(record, body, other):
            if of.at in moments_of(record.scenario, leg):
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
    """How fast a state changes."""
    turning = np.asarray(rotations.rate(state["attitude"], state["angular_velocity"]))
    found = (state["velocity"], state["acceleration"], turning, state["angular_acceleration"])
    return dict(zip(STATE, found))


def _along(function: Any, values: list[np.ndarray], tangents: list[np.ndarray]) -> np.ndarray:
    """Derivatives (direction,) of a function of some values (component,) along tangents (component,
    direction)."""
    wide = tuple(np.repeat(np.asarray(v)[:, None], t.shape[1], 1) for v, t in zip(values, tangents))
    return np.asarray(jvp(function, wide, tuple(tangents))[1])
