"""Quantities of two bodies in concurrent legs of a mission: distance, relative motion, distance between
landing points.

No leg contains both bodies, so their quantities are computed after the flight, at the samples and events of
both bodies. If only one body has a sample at a time, the state of the second body is interpolated:

- Position: polynomial of degree 5 that matches position, velocity and acceleration at both ends
  (E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed. 1993,
  section II.6). The error of this interpolation is h^6/46080 times the sixth derivative, where h is the
  interval between samples.
- Attitude and angular velocity: cubic polynomials that match the values and their rates at both
  ends. The error is h^4/384 times the fourth derivative.

At an event, the body of the leg with the event has the state of this leg. Before and after the end of a leg,
the body has the final state of the leg. Effects of the start of the next leg are applied later. The state of
the second body is taken before or after all its events at the same time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from ..environment import ground_range
from ..environment.world import is_flat
from ..maths import rotations
from ..maths.vectors import cross, dot, norm, rotate, rotate_back
from ..missions.mission import Mission
from ..missions.names import LANDING
from ..tree.errors import BadInput, Problem
from .peaks import find
from .record import MAGNITUDE, SAME_TIME, Found, QuantityMeta, Record, Sought, between_events

STATE = ("position", "velocity", "acceleration", "attitude", "angular_velocity", "angular_acceleration")
"""Names of the state quantities of each body that are read from a record."""
XYZ = ("x", "y", "z")
VECTORS = ("separation", "relative_velocity", "relative_rate")
"""Names of the quantities of two bodies that are vectors."""


class NotTogether(BadInput):
    """Error: the bodies do not both fly at the requested time, or a body did not reach the end of its
    flight.
    """


def _metas(a: str, b: str) -> dict[str, QuantityMeta]:
    """Return the metadata of the quantities of body b relative to body a, as for legs with both bodies."""
    axes, at = f"{a} structural axes", "centres of mass"
    seen = f"velocity of {b} in the rotating frame of {a}"
    turning = f"angular velocity of {b} relative to {a}"
    return {
        "distance": QuantityMeta("m", "distance", reference=at),
        "separation": QuantityMeta("m", f"{b} from {a}", axes, XYZ, at),
        "relative_velocity": QuantityMeta("m/s", seen, axes, XYZ, at),
        "separation_speed": QuantityMeta("m/s", "range rate", reference=at),
        "closing_speed": QuantityMeta("m/s", "closing speed", reference=at),
        "relative_speed": QuantityMeta("m/s", "inertial relative speed", reference=at),
        "relative_rate": QuantityMeta("rad/s", turning, f"{b} structural axes", XYZ),
        "tip_off_rate": QuantityMeta("rad/s", f"angular speed of {b} relative to {a}"),
    }


def pair_of(path: str, bodies: Iterable[str]) -> tuple[str, str, str] | None:
    """Split a path "pairs.a.b.what", and return (a, b, what); None for any other path.

    The path may end with a component, which is not returned. bodies: names of all bodies.
    """
    group, *rest = path.split(".")
    if group != "pairs" or len(rest) < 3 or rest[0] == rest[1] or not {*rest[:2]} <= {*bodies}:
        return None
    meta = _metas(rest[0], rest[1]).get(rest[2])
    own = rest[2] == LANDING or meta is not None
    allowed = (*meta.components, MAGNITUDE) if meta is not None and meta.components else ()
    return (
        (rest[0], rest[1], rest[2])
        if own and (len(rest) == 3 or rest[3:] in [[c] for c in allowed])
        else None
    )


def unit_of(what: str) -> str:
    """Return the SI unit of a quantity of two bodies.

    what: name of the quantity, the last part of its path, for example "distance".
    """
    return "m" if what == LANDING else _metas("", "")[what].unit


def named_pair(scenario: Any, wanted: Any) -> tuple[str, str, str] | None:
    """Return (a, b, what) if a requirement refers to two bodies in concurrent legs; otherwise None.

    a, b: names of the bodies. what: name of the quantity. wanted: a requirement, or an object with the fields
    `quantity`, `at` and `during`.
    """
    pair = pair_of(wanted.quantity, [body.name for body in scenario.bodies])
    mission = Mission.of(scenario)
    if pair is None or not mission.has_legs:
        return None
    if pair[2] == LANDING:
        return pair
    legs = {name: {*leg.bodies} & {*pair[:2]} for name, leg in mission.legs.items()}
    when = wanted.at or getattr(wanted, "during", None)
    there = [name for name, leg in mission.legs.items() if leg.has_event(when)]
    meant = {body for leg in there for body in legs[leg]}
    alone = {body for there in legs.values() if len(there) == 1 for body in there}
    apart = bool(meant) and all(len(legs[leg]) < 2 for leg in there)
    return pair if apart and alone == {*pair[:2]} else None


def faults(scenario: Any, wanted: Any) -> Iterator[str]:
    """Yield one sentence for each fault of a requirement on the distance between the landing points of two
    bodies.

    wanted: requirement.
    """
    pair = named_pair(scenario, wanted)
    if pair is None or pair[2] != LANDING:
        return
    if scenario.planet is None:
        yield f"{LANDING} needs a planet, but the scenario has no planet. Add [planet]"
    if getattr(wanted, "during", None) is not None or wanted.at not in (None, "end"):
        yield (
            f"{LANDING} is defined only at the final time of each flight. Remove 'at' and 'during', or set "
            'at = "end"'
        )


def reads(scenario: Any, wanted: Iterable[Any]) -> list[str]:
    """Return the paths of the body quantities from which quantities of two bodies in concurrent legs are
    computed.

    wanted: requirements, or objects with the fields `quantity`, `at` and `during`. Requirements on other
    quantities are ignored.
    """
    found: dict[str, None] = {}
    for a, b, what in filter(None, (named_pair(scenario, one) for one in wanted)):
        names = (*STATE[:1], *ground_names(scenario.planet)) if what == LANDING else STATE
        found |= dict.fromkeys(f"bodies.{body}.{name}" for body in (a, b) for name in names)
    return [*found]


def ground_names(planet: Any) -> tuple[str, ...]:
    """Return the names of the quantities that give the position of a body over the ground.

    The names are north and east over flat ground, latitude and longitude over an ellipsoid. The result is
    empty without a planet.
    """
    return () if planet is None else ("north", "east") if is_flat(planet) else ("latitude", "longitude")


def bodies_in(record: Record) -> set[str]:
    """Return the names of the bodies whose states a record contains."""
    return {path.split(".")[1] for path in record.meta if path.startswith("bodies.")}


def pair_record(a: str, b: str, one: Record, other: Record) -> Record:
    """Return a record of all quantities of bodies a and b while both fly in concurrent legs.

    one, other: records of bodies a and b. Each record joins the legs of the body since the separation. Raises
    BadInput if the bodies never fly at the same time.
    """
    start = max(float(each.time[0]) for each in (one, other))
    end = min(float(each.time[-1]) for each in (one, other))
    if start >= end:
        raise NotTogether(Problem(f"pairs.{a}.{b}", f"bodies '{a}' and '{b}' never fly at the same time"))
    metas = {f"pairs.{a}.{b}.{name}": meta for name, meta in _metas(a, b).items()}
    times = _distinct(np.concatenate([one.time, other.time]), start, end)
    happened = [
        (event, which, row)
        for which, each in enumerate((one, other))
        for row, event in enumerate(each.events)
        if _within(event.time, start, end)
    ]
    happened.sort(key=lambda each: each[0].time)
    events = [event for event, _, _ in happened]
    at = np.array([event.time for event in events], float)
    paths = _Path(one, a), _Path(other, b)

    def of(*states: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        values = map(np.asarray, _relative(*states))
        return dict(zip(metas, (np.moveaxis(value, -1, 0) for value in values), strict=True))

    def values_at(when: np.ndarray) -> dict[str, np.ndarray]:
        return of(*(path.at(when) for path in paths))

    def at_events(before: bool) -> dict[str, np.ndarray]:
        """Return the values at all events, just before or just after each event.

        The body whose leg has the event has the state of this leg at the event. The state of the other body
        is taken before or after all its events at this time.
        """
        states = [path.at(at, before) for path in paths]
        for column, (_, which, row) in enumerate(happened):
            for name, values in paths[which].on(row, before).items():
                states[which][name][:, column] = values
        return of(*states)

    def search(wanted: list[Sought]) -> Found:
        return find([record], wanted, lambda when, _: [values_at(when[0])], metas)[0]

    phases = [(n, max(s, start), min(e, end)) for each in (one, other) for n, s, e in each.phases]
    record = Record(
        one.scenario,
        times,
        values_at(times),
        events,
        at_events(before=True),
        at_events(before=False),
        metas,
        completed=one.completed and other.completed,
        outcome=f"{a} and {b} in concurrent legs from {start:.9g} s to {end:.9g} s.",
        phases=sorted((phase for phase in phases if phase[1] < phase[2]), key=lambda phase: phase[1]),
        search=search,
    )
    return record


def refuse_elsewhen(path: str, moment: str, found: Record, own: Mapping[str, Record]) -> None:
    """Raise BadInput if only one of two bodies flies at the time of an event.

    - path: path of the quantity, for the message.
    - moment: name of the event or phase.
    - found: record of both bodies, see `pair_record`.
    - own: record of each body after the separation, by name of the body.
    """
    if moment in {event.name for event in found.events} | {name for name, _, _ in found.phases}:
        return
    one, other = own.items()
    for (body, ended), (_, there) in ((one, other), (other, one)):
        begun = [event.time for event in there.events if event.name == moment]
        if begun:
            text = (
                f"event '{moment}' occurs at {begun[0]:.9g} s, but the flight of body '{body}' ends at"
                f" {ended.time[-1]:.9g} s. Use a time at which both bodies fly, or extend the flight"
                f" of '{body}'"
            )
            raise NotTogether(Problem(path, text))


def landing(a: str, b: str, one: Record, other: Record, planet: Any) -> Record:
    """Return a record of the distance over the ground [m] between the points where the flights of bodies a
    and b end.

    The distance is the geodesic on the ellipsoid, or the straight line over flat ground. one, other: records
    of bodies a and b. Each record joins all legs of the body. Raises BadInput if a body did not reach the end
    of its flight, or if the mission has no planet.
    """
    path = f"pairs.{a}.{b}.{LANDING}"
    if planet is None:
        raise BadInput(
            Problem(path, "the quantity needs a planet, but the mission has no planet. Add [planet]")
        )
    for body, each in ((a, one), (b, other)):
        if not each.completed:
            raise NotTogether(
                Problem(path, f"the flight of body '{body}' did not reach its end: {each.outcome}")
            )
    names = ground_names(planet)
    start, place = (
        np.array([each.series[f"bodies.{body}.{name}"][-1] for name in names])
        for body, each in ((a, one), (b, other))
    )
    distance = over_ground(planet, start, place)
    time = max(float(each.time[-1]) for each in (one, other))
    meta = QuantityMeta(
        "m", "distance over the ground between the landing points", reference="centres of mass"
    )
    nothing = {path: np.zeros(0)}
    return Record(
        one.scenario,
        np.array([time]),
        {path: np.atleast_1d(np.asarray(distance))},
        [],
        nothing,
        nothing,
        {path: meta},
        phases=[("end", time, time)],
    )


def over_ground(planet: Any, start: Any, place: Any) -> Any:
    """Return the distance over the ground [m] from a position `start` to a position `place`.

    Each position is an array (2, ...) with the coordinates of `ground_names`: [m] over flat ground, [rad]
    over an ellipsoid.
    """
    return norm(place - start if is_flat(planet) else ground_range.geodesic(planet, start, place))


def _within(time: float, start: float, end: float) -> bool:
    return start - _same(start) <= time <= end + _same(end)


def _same(time: Any) -> Any:
    return SAME_TIME * np.maximum(1.0, np.abs(time))


def _distinct(times: np.ndarray, start: float, end: float) -> np.ndarray:
    """Times from start to end in order, without duplicates of one instant."""
    found = np.sort(times)
    found = found[(found >= start) & (found <= end)]
    return found[np.append(True, np.diff(found) > _same(found[1:]))]


class _Path:
    """The state of one body over time: its samples and both sides of its events, in time order."""

    def __init__(self, record: Record, body: str):
        at = np.array([event.time for event in record.events], float)
        keep = between_events(record)
        times = np.concatenate([record.time[keep], at, at])
        order = np.argsort(times, kind="stable")
        self._times = times[order]
        self._values, self._sides = {}, {True: record.before, False: record.after}
        self._body = body
        for name in STATE:
            path = f"bodies.{body}.{name}"
            rows = [record.series[path][keep], record.before[path], record.after[path]]
            self._values[name] = np.concatenate(rows)[order].T

    def on(self, row: int, before: bool) -> dict[str, np.ndarray]:
        """Return STATE on a side of an event, by its number, each (components,)."""
        return {name: self._sides[before][f"bodies.{self._body}.{name}"][row] for name in STATE}

    def at(self, times: np.ndarray, before: bool = False) -> dict[str, np.ndarray]:
        """Return STATE at times (n,), each (components, n); before: use the state before an event."""
        knots, same = self._times, _same(times)
        if before:
            right = np.searchsorted(knots, times - same, "left").clip(max=len(knots) - 1)
            on, left = right, np.maximum(right - 1, 0)
        else:
            left = (np.searchsorted(knots, times + same, "right") - 1).clip(min=0)
            on, right = left, np.minimum(left + 1, len(knots) - 1)
        exact = np.abs(knots[on] - times) <= same
        h = knots[right] - knots[left]
        h = np.where(h > 0, h, 1.0)
        s = np.where(exact, 0.0, (times - knots[left]) / h)
        p = {name: values[:, left] for name, values in self._values.items()}
        q = {name: values[:, right] for name, values in self._values.items()}
        found = _between(p, q, h, s)
        return {name: np.where(exact, self._values[name][:, on], found[name]) for name in STATE}


def _between(p: dict[str, np.ndarray], q: dict[str, np.ndarray], h: Any, s: Any) -> dict[str, np.ndarray]:
    """STATE at fractions s of intervals h [s] from p to q."""
    (x0, v0, a0), (x1, v1, a1) = ([one[name] for name in STATE[:3]] for one in (p, q))
    position, velocity, acceleration = _quintic(x0, v0, a0, x1, v1, a1, h, s)
    turn = np.where(np.sum(p["attitude"] * q["attitude"], axis=0) < 0, -1.0, 1.0)
    ends = p["attitude"], turn * q["attitude"]
    rates = [
        np.asarray(rotations.rate(end, one["angular_velocity"]))
        for end, one in zip(ends, (p, q), strict=True)
    ]
    attitude = _cubic(ends[0], rates[0], ends[1], rates[1], h, s)
    (w0, turn0), (w1, turn1) = ([one[name] for name in STATE[4:]] for one in (p, q))
    return {
        "position": position,
        "velocity": velocity,
        "acceleration": acceleration,
        "attitude": attitude / np.sqrt(np.sum(attitude**2, axis=0)),
        "angular_velocity": _cubic(w0, turn0, w1, turn1, h, s),
        "angular_acceleration": p["angular_acceleration"],
    }


def _quintic(x0, v0, a0, x1, v1, a1, h, s):
    """(x, v, a) of the polynomial of degree 5 with these values at both ends.

    The difference from the parabola of the left end is s^3 (c3 + c4 s + c5 s^2)."""
    dx = x1 - (x0 + h * v0 + h**2 / 2 * a0)
    dv, da = h * (v1 - (v0 + h * a0)), h**2 * (a1 - a0)
    c3, c4, c5 = 10 * dx - 4 * dv + da / 2, -15 * dx + 7 * dv - da, 6 * dx - 3 * dv + da / 2
    t = h * s
    x = x0 + t * v0 + t**2 / 2 * a0 + s**3 * (c3 + s * (c4 + s * c5))
    v = v0 + t * a0 + s**2 * (3 * c3 + s * (4 * c4 + s * 5 * c5)) / h
    return x, v, a0 + s * (6 * c3 + s * (12 * c4 + s * 20 * c5)) / h**2


def _cubic(x0, v0, x1, v1, h, s):
    """The polynomial of degree 3 with these values and rates at both ends."""
    dx, dv = x1 - (x0 + h * v0), h * (v1 - v0)
    return x0 + h * s * v0 + s**2 * ((3 * dx - dv) + s * (dv - 2 * dx))


def state_at(record: Record, body: str, time: float, before: bool) -> dict[str, np.ndarray]:
    """Return the state of a body at a time [s]: each quantity of `STATE` by name, (components,).

    before: if true, the state is taken before all events of the body at this time; otherwise after them.
    """
    found = _Path(record, body).at(np.array([time]), before)
    return {name: values[:, 0] for name, values in found.items()}


def state_on(record: Record, body: str, event: str, before: bool) -> dict[str, np.ndarray]:
    """Return the state of a body at the first event with the name `event`: each quantity of `STATE`,
    (components,).

    before: if true, the state just before the event; otherwise the state just after the event.
    """
    row = next(row for row, happened in enumerate(record.events) if happened.name == event)
    return _Path(record, body).on(row, before)


def same_instant(times: Any, time: float) -> Any:
    """Return whether each of several times [s] equals a given time [s] within the tolerance `SAME_TIME`."""
    return np.abs(times - time) <= _same(time)


def quantity(what: str, component: int | str | None, one: Mapping[str, Any], other: Mapping[str, Any]) -> Any:
    """Compute a quantity of two bodies, or one of its components, from the states of both bodies.

    - what: name of the quantity, for example "separation".
    - component: index of a component, "magnitude", or None for all components.
    - one, other: quantities of `STATE` by name, (components, ...).

    The first axis of a returned vector is the component.
    """
    found = dict(zip(_metas("", ""), _relative(one, other), strict=True))[what]
    if component is None:
        return found
    return norm(found) if component == MAGNITUDE else found[component]


def _relative(one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[Any, ...]:
    """The quantities of `_metas`, components first: the formulas of `quantities.pairs`."""
    frame, its = (rotations.matrix_of(each["attitude"]) for each in (one, other))
    spin, its_spin = (
        rotate(matrix, each["angular_velocity"]) for matrix, each in ((frame, one), (its, other))
    )
    gap, rate = other["position"] - one["position"], other["velocity"] - one["velocity"]
    distance = norm(gap)
    away = dot(gap, rate) / np.where(distance > 0, distance, 1.0)
    turning = rotate_back(its, its_spin - spin)
    seen = rotate_back(frame, rate - cross(spin, gap))
    return distance, rotate_back(frame, gap), seen, away, -away, norm(rate), turning, norm(turning)
