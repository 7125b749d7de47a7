"""Lines of action, forces and gas of pushers and umbilicals as one set of arrays.

The force on the child along its line, positive away from the parent, is

    F = strength max(F0 - k e - c e' + P(s) + P(t) + (p - pa) A - f tanh(s'/v), 0),

with

- F0, k, c: first force, stiffness and damping of a spring;
- e: extension from the length at which the first force applies;
- P(s), P(t): tables over the travel s and over the time t since the push began;
- p, pa, A: gas pressure, ambient pressure and area;
- f, v: Coulomb friction and friction speed.

Terms that a device does not have are zero. The limit at zero is applied only if the force can reach zero
before the end of the stroke. Without damping, friction and ambient pressure, the law is smooth across the end
of the stroke, because integration steps evaluate it beyond the end. A connector has only friction, from a
table f(s), and may pull.

A fixed gas charge expands adiabatically: p = p0 (V0/V)^gamma. If a piston begins to push after a part of its
travel, the gas fills the empty volume by free expansion without work. After this expansion, p V is constant
(Joule), and p V^gamma has a new value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...maths import interpolation
from ...maths.arrays import jax, jnp
from ...maths.vectors import add_axes, cross, dot, norm, rotate
from ...model.attachments import Pairs, pick
from ..springs import law as springs
from ..springs.law import LineState
from .declared import ForceByStroke, ForceByTime, Umbilical

STEEPEST = 0.1
"""Minimum absolute cosine of the angle between a rod and the normal of its plate. The value corresponds
to 84 deg.
"""
APART = 1.0
"""Spacing of the padding points after the last point of a table, in the unit of the table argument."""


@dataclass(frozen=True)
class Form:
    """Properties of pushers and chambers that do not depend on numbers. Arrays are (pusher,) if not stated
    otherwise.

    - `axial`: true if the line of action is fixed in the parent.
    - `slides`: true if the tip slides on a plate.
    - `plated`: true if the normal of the plate is declared.
    - `anew`: true if the force depends on the extension since the firing. If false, the force depends on a
      free length.
    - `resists`: true for connectors.
    - `chamber`: index of the gas chamber, -1 for none.
    - `constant` (chamber,): true for a constant supply pressure.
    - `by_stroke`, `by_time`: indices of pushers with a force table over travel or over time.
    """

    axial: np.ndarray
    slides: np.ndarray
    plated: np.ndarray
    anew: np.ndarray
    resists: np.ndarray
    chamber: np.ndarray
    constant: np.ndarray
    by_stroke: tuple[int, ...]
    by_time: tuple[int, ...]

    @property
    def driven(self) -> tuple[int, ...]:
        """Indices of gas-driven pushers."""
        return tuple(int(k) for k in np.flatnonzero(self.chamber >= 0))


def form(pushers: Any, chambers: Any) -> Form:
    """Return the properties of declared pushers that do not depend on numbers.

    `chambers`: declarations of shared chambers and of pushers with their own gas.
    """
    names = [chamber.name for chamber in chambers]
    gas = [getattr(p, "chamber", None) or p.name for p in pushers]
    tables = [_table(p) for p in pushers]
    flags = {
        "axial": [p.axis is not None for p in pushers],
        "slides": [getattr(p, "contact", "fixed") == "slides" for p in pushers],
        "plated": [getattr(p, "plate", None) is not None for p in pushers],
        "anew": [getattr(p, "free_length", None) is None for p in pushers],
        "resists": [isinstance(p, Umbilical) for p in pushers],
        "constant": [getattr(chamber, "supply", "closed") == "constant" for chamber in chambers],
    }
    return Form(
        **{name: np.array(found, bool) for name, found in flags.items()},
        chamber=np.array([names.index(g) if g in names else -1 for g in gas], int),
        by_stroke=tuple(k for k, table in enumerate(tables) if isinstance(table, ForceByStroke)),
        by_time=tuple(k for k, table in enumerate(tables) if isinstance(table, ForceByTime)),
    )


def _table(pusher: Any) -> Any:
    """Declared force of a pusher, a number or a table; None without one."""
    return getattr(pusher, "pull_off" if isinstance(pusher, Umbilical) else "push", None)


def interpolation_of(pusher: Any) -> str:
    """Return the kind of interpolation of the force table of a pusher, for example "linear"."""
    return _table(pusher).interpolation


class Given(NamedTuple):
    """Declared numbers of all pushers and chambers as arrays, in SI units.

    - axis, plate (3, pusher): direction of the line of action in the parent, and normal of the plate in the
      child.
    - stiffness, damping, stroke, strength, friction, friction_speed, delay (pusher): zero if not declared.
    - area (driven pusher).
    - pressure, volume, heat_ratio, ambient (chamber): initial gas pressure and volume, ratio of specific
      heats, and ambient pressure.
    - by_stroke, by_time: pairs (arguments, forces) of each table.
    - ready: pair of the prepared `Tables` for by_stroke and by_time; None before the preparation.
    """

    axis: Any
    plate: Any
    stiffness: Any
    damping: Any
    stroke: Any
    strength: Any
    friction: Any
    friction_speed: Any
    delay: Any
    area: Any
    pressure: Any
    volume: Any
    heat_ratio: Any
    ambient: Any
    by_stroke: tuple[tuple[Any, Any], ...]
    by_time: tuple[tuple[Any, Any], ...]
    ready: Any = None


def pusher_numbers(shape: Form, pushers: Any, chambers: Any, stacked: Any, lanes: int) -> Given:
    """Return the numbers of declared pushers as arrays with `lanes` case axes.

    `stacked`: function that stacks a list of numbers along a new axis.
    """
    tables = [_table(p) for p in pushers]
    friction = [
        pull if one and not isinstance(pull, ForceByStroke) else getattr(p, "friction", 0.0)
        for p, pull, one in zip(pushers, tables, shape.resists, strict=True)
    ]

    def column(items, name):
        return stacked([getattr(item, name, 0.0) for item in items], lanes)

    def axes(name):
        found = [getattr(p, name, None) for p in pushers]
        return stacked([np.array([1.0, 0, 0]) if f is None else f for f in found], lanes, (3,))

    def volume(chamber):
        found = getattr(chamber, "volume" if hasattr(chamber, "volume") else "dead_volume")
        return 1.0 if found is None else found  # without effect for a constant supply

    return Given(
        axis=axes("axis"),
        plate=axes("plate"),
        stiffness=column(pushers, "stiffness"),
        damping=column(pushers, "damping"),
        stroke=column(pushers, "stroke"),
        strength=column(pushers, "strength"),
        friction=stacked(friction, lanes),
        friction_speed=column(pushers, "friction_speed"),
        delay=column(pushers, "delay"),
        area=column([pushers[k] for k in shape.driven], "area"),
        pressure=column(chambers, "pressure"),
        volume=stacked([volume(chamber) for chamber in chambers], lanes),
        heat_ratio=column(chambers, "heat_ratio"),
        ambient=column(chambers, "ambient_pressure"),
        by_stroke=tuple((tables[k].stroke, tables[k].value) for k in shape.by_stroke),
        by_time=tuple((tables[k].time, tables[k].value) for k in shape.by_time),
    )


# --- tables


class Tables(NamedTuple):
    """Several tables as arrays.

    - points (n, table, *cases): interpolation points, padded after the last point of each table.
    - last (table, *cases): argument at the last point of each table.
    - bent (table, *1): flags of the tables with smooth interpolation. None if all tables have the same kind
      of interpolation.
    """

    points: interpolation.Knots
    last: Any
    bent: Any = None

    def at(self, where: Any) -> Any:
        """Return the interpolated table values at the arguments `where` (table, *cases). Beyond the ends of a
        table, the value is constant.
        """
        where = jnp.minimum(where, self.last)
        n = self.points.where.shape[0]
        wide = (n, *where.shape)
        points = jax.tree.map(lambda field: jnp.broadcast_to(field, wide), self.points)
        found = interpolation.look_up(points, where)
        if self.bent is None:
            return found
        return jnp.where(self.bent, found, interpolation.look_up(points._replace(bend=None), where))


def tables(columns: Any, kinds: Any, lanes: int) -> Tables | None:
    """Return the prepared tables; None without tables.

    `columns`: pairs (arguments, values), each (n, *cases). `kinds`: kind of interpolation of each table.
    `lanes`: number of case axes.
    """
    if not columns:
        return None
    pairs = zip(columns, kinds, strict=True)
    found = [interpolation.knots(pair[0], pair[1], one) for pair, one in pairs]
    longest = max(knots.where.shape[0] for knots in found)
    curved = [knots.bend is not None for knots in found]
    found = [_as_quintic(knots) if any(curved) else knots for knots in found]

    def side_by_side(field):
        rows = [add_axes(_padded_column(field, getattr(knots, field), longest), 1 + lanes) for knots in found]
        size = jnp.broadcast_shapes(*(row.shape for row in rows))
        return jnp.stack([jnp.broadcast_to(row, size) for row in rows], 1)

    more = [side_by_side(field) for field in ("bend", "slope")] if any(curved) else [None]
    points = interpolation.Knots(side_by_side("where"), side_by_side("value"), *more)
    ends = [add_axes(knots.where[-1], lanes) for knots in found]
    size = jnp.broadcast_shapes(*(end.shape for end in ends))
    last = jnp.stack([jnp.broadcast_to(end, size) for end in ends])
    if all(curved) or not any(curved):
        return Tables(points, last)
    return Tables(points, last, np.array(curved).reshape((-1,) + (1,) * lanes))


def _as_quintic(knots: interpolation.Knots) -> interpolation.Knots:
    """A table with slopes and second derivatives, which are zero and unused for straight lines."""
    if knots.slope is not None:
        return knots
    if knots.bend is None:
        return knots._replace(bend=jnp.zeros_like(knots.value), slope=jnp.zeros_like(knots.value))
    return knots._replace(slope=interpolation.slopes(knots.where, knots.value, knots.bend))


def _padded_column(field: str, values: Any, longest: int) -> Any:
    """A column (n, *cases) of a table, padded with entries that no look-up reaches."""
    more = longest - values.shape[0]
    if not more:
        return values
    last = jnp.broadcast_to(values[-1:], (more, *values.shape[1:]))
    if field == "where":
        last = last + APART * add_axes(jnp.arange(1.0, more + 1), values.ndim)
    return jnp.concatenate([values, last])


# --- lines


def lines(shape: Form, numbers: Given, plate: Any, pairs: Pairs) -> tuple[Pairs, LineState]:
    """Return the pairs of points at which the forces act, and the lines of action.

    If the tip slides, the point on the child is at the tip. `plate` (3, pusher, *cases): normals of the
    plates in the structural axes of the child bodies. None if no tip slides.
    """
    free = springs.along_points(pairs)
    guided = springs.along_axis(pairs, numbers.axis)
    lanes = pairs.gap.ndim - 1
    line = LineState(*(jnp.where(add_axes(shape.axial, lanes), a, b) for a, b in zip(guided, free)))
    if not shape.slides.any():
        return pairs, line
    slides = add_axes(shape.slides, lanes)
    tip = _tip(guided, pairs, plate)
    line = LineState(*(jnp.where(slides, a, b) for a, b in zip(tip, line)))
    gap = jnp.where(slides, tip.direction * tip.length, pairs.gap)
    return pairs._replace(arm_b=pairs.arm_b + gap - pairs.gap, gap=gap), line


def _tip(guided: LineState, pairs: Pairs, plate: Any) -> LineState:
    """Lines up to the plates: length s with (s d - gap) n = 0, and its rate."""
    d, n = guided.direction, rotate(pairs.rotation_b, plate / norm(plate))
    along = dot(d, n)
    least = jnp.where(along < 0, -STEEPEST, STEEPEST)
    along = jnp.where(jnp.abs(along) < STEEPEST, least, along)
    length = dot(pairs.gap, n) / along
    turn_d, turn_n = cross(pairs.spin_a, d), cross(pairs.spin_b, n)
    off = dot(pairs.gap_rate, n) + dot(pairs.gap, turn_n) - length * (dot(turn_d, n) + dot(d, turn_n))
    return LineState(jnp.broadcast_to(d, pairs.gap.shape), length, off / along)


def power(acting: Pairs, pairs: Pairs, line: LineState, force: Any) -> Any:
    """Return the total power of the forces on both bodies [W] (pusher, *cases).

    The power follows from the relative velocity of the two points of application. For a tip on an inclined
    plate, this power differs from force times rate of travel. The reason is the work of the friction that
    keeps the force parallel to the axis.
    """
    moved = cross(pairs.spin_b, acting.gap - pairs.gap) - cross(pairs.spin_a, acting.gap)
    return force * dot(line.direction, pairs.gap_rate + moved)


# --- forces


class Progress(NamedTuple):
    """Progress of pushers (pusher, *cases).

    - travel, rate: travel since the firing [m] and its rate [m/s].
    - extension: extension from the length at which the first force applies [m].
    - pushing: 1 while the pusher pushes, otherwise 0.
    - begun: 1 after the push has begun, otherwise 0.
    - since: time since the push began [s]; zero before that time.
    """

    travel: Any
    rate: Any
    extension: Any
    pushing: Any
    begun: Any
    since: Any


def forces(shape: Form, numbers: Given, first: Any, now: Progress, pressure: Any) -> Any:
    """Return the forces on the child bodies along the lines of action (pusher, *cases) [N].

    `first` (pusher, *cases) [N]: spring force at zero extension. `pressure` (chamber, *cases) [Pa].
    """
    force = first - numbers.stiffness * now.extension - numbers.damping * now.rate
    friction = numbers.friction
    stroke_tables, time_tables = numbers.ready
    if stroke_tables is not None:
        value = _scatter(stroke_tables.at(pick(now.travel, shape.by_stroke, 0)), shape.by_stroke, force)
        resists = add_axes(shape.resists, force.ndim)
        force = force + jnp.where(resists, 0.0, value)
        friction = friction + jnp.where(resists, value, 0.0)
    if time_tables is not None:
        force = force + _scatter(time_tables.at(pick(now.since, shape.by_time, 0)), shape.by_time, force)
    held = (numbers.damping > 0) | (friction > 0)
    if shape.driven:
        own = np.asarray(shape.chamber)[list(shape.driven)]
        back = pick(numbers.ambient, own, 0)
        load = (pick(pressure, own, 0) - back) * numbers.area
        force = force + _scatter(load, shape.driven, force)
        held = held | (_scatter(jnp.broadcast_to(back, load.shape), shape.driven, force) > 0)
    force = force - friction * jnp.tanh(now.rate / numbers.friction_speed)
    held = held & ~add_axes(shape.resists, force.ndim)
    force = numbers.strength * jnp.where(held, jnp.maximum(force, 0.0), force)
    return jnp.where(now.pushing > 0, force, 0.0)


def _scatter(values: Any, places: tuple[int, ...], like: Any) -> Any:
    """Array (pusher, *cases) with values (some, *cases) of some pushers and zeros elsewhere."""
    row = np.full(like.shape[0], len(places))
    row[list(places)] = np.arange(len(places))
    values = jnp.broadcast_to(values, (len(places), *like.shape[1:]))
    return pick(jnp.concatenate([values, jnp.zeros_like(values[:1])]), row, 0)


# --- gas


class Gas(NamedTuple):
    """Gas of each chamber (chamber, *cases): pressure [Pa], volume [m^3], and volume that the gas opened with
    work [m^3].

    The last volume excludes the volume of free expansion.
    """

    pressure: Any
    volume: Any
    pushed: Any


class Filled(NamedTuple):
    """Effect of free expansion on the gas of each chamber (chamber, *cases).

    - factor: ratio of p V^gamma to its initial value.
    - volume [m^3]: empty volume behind pistons that begin to push late. The gas fills it without work.
    """

    factor: Any
    volume: Any


def initial_fill(size: tuple[int, ...]) -> jax.Array:
    """Return the initial values of `Filled` as an array (2, *size), with `size` = (chamber, *cases)."""
    return jnp.stack([jnp.ones(size), jnp.zeros(size)])


def gas(shape: Form, numbers: Given, now: Progress, found: Any = None) -> Gas:
    """Return the gas of all chambers.

    `found`: values of `Filled` as an array. Default: initial values. A failed pusher (strength 0) and a
    pusher before its push add no volume. A spent pusher adds the volume of its whole stroke.
    """
    volume = _volume(shape, numbers, now)
    pressure = numbers.pressure * (numbers.volume / volume) ** numbers.heat_ratio
    if found is None:
        return Gas(*jnp.broadcast_arrays(pressure, volume, volume))
    return Gas(*jnp.broadcast_arrays(pressure * found[0], volume, volume - found[1]))


def fill_after(shape: Form, numbers: Given, was: Progress, now: Progress, found: Any) -> Any:
    """Return the values of `Filled` as an array after more pistons have begun to push.

    `was`, `now`: progress before and after these pistons have begun. `found`: values of `Filled` before.
    """
    ends = now._replace(travel=jnp.minimum(now.travel, numbers.stroke))
    small, large = (_volume(shape, numbers, one) for one in (was, ends))
    more = jnp.stack([found[0] * (large / small) ** (numbers.heat_ratio - 1), found[1] + large - small])
    return jnp.where(large > small, more, found)


def _volume(shape: Form, numbers: Given, now: Progress) -> Any:
    """Gas volume of each chamber (chamber, *cases) [m^3]."""
    at = list(shape.driven)
    travel, pushing, begun, stroke, strength = (
        pick(jnp.broadcast_to(a, now.travel.shape), at, 0)
        for a in (now.travel, now.pushing, now.begun, numbers.stroke, numbers.strength)
    )
    out = jnp.where(pushing > 0, jnp.maximum(travel, 0.0), jnp.where(begun > 0, stroke, 0.0))
    swept = jnp.where(strength > 0, numbers.area * out, 0.0)
    # Chamber of each pusher: (chamber, driven pusher).
    table = np.asarray(shape.chamber)[at][None] == np.arange(len(shape.constant))[:, None]
    taken = jnp.sum(add_axes(table.astype(float), swept.ndim + 1) * swept[None], 1)
    return numbers.volume + jnp.where(add_axes(shape.constant, swept.ndim), 0.0, taken)


def gas_energy(numbers: Given, now: Gas) -> Any:
    """Return the energy of the gas of each chamber [J], (chamber, *cases): p V / (gamma - 1) plus pa V.

    The term pa V is the work against the ambient pressure pa on the other side of the pistons. The decrease
    of this energy is the work on the pistons.
    """
    return now.pressure * now.volume / (numbers.heat_ratio - 1) + numbers.ambient * now.pushed
