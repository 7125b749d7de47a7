"""Lines of action, forces and gas of the devices of `pusher`, all of them as one set of arrays.

The force on the child along its line, positive away from the parent, is

    F = strength max(F0 - k e - c e' + P(s) + P(t) + (p - pa) A - f tanh(s'/v), 0),

with the force F0 at the length of the first force and the extension e from there (springs), tables P over the
travel s and over the time t since the push began, the gas pressure p over the ambient one pa on the area A,
and the Coulomb friction f with its friction speed v. What a device does not have is zero. The force is held
at zero only where it can pass it before the end of the stroke: without damping, friction and ambient pressure
the law stays smooth across the end, which steps probe before they end there. A connector is friction only, of
a table f(s), and may pull.

Gas that is closed in expands without heat: p = p0 (V0/V)^gamma (any text of thermodynamics). Where a piston
begins that has travelled already it fills what is empty there by free expansion, which does no work: p V
stays (Joule), and p V^gamma is another constant from then on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...maths import interpolation
from ...maths.arrays import jax, jnp
from ...maths.vectors import cross, dot, norm, rotate, widened
from ...model.attachments import Pairs, picked
from ..springs import law as springs
from ..springs.law import LineState
from .declared import ForceByStroke, ForceByTime, Umbilical

STEEPEST = 0.1
"""Cosine of the angle between a rod and the normal of the plate that it slides on, from which it is not
followed any more: 84 deg."""
APART = 1.0
"""Spacing of points that fill up a table [its own unit], beyond its end where they do not count."""


@dataclass(frozen=True)
class Form:
    """What does not change: (pusher,) or (chamber,) arrays, and numbers of pushers.

    axial: with a line of action fixed in the parent. slides: the tip slides on a plate; plated: whose normal
    is declared. anew: whose force counts from the firing, not from a free length. resists: for
    connectors. chamber: number of the one that drives it, -1 for none. constant (chamber): its supply.
    by_stroke, by_time: pushers with a table."""

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
        """Pushers that gas drives."""
        return tuple(int(k) for k in np.flatnonzero(self.chamber >= 0))


def form(pushers: Any, chambers: Any) -> Form:
    """The form of declared pushers; chambers: the shared ones, then those pushers that have gas of their
    own."""
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
    """The force of a pusher as declared, None for those without: a number or a table."""
    return getattr(pusher, "pull_off" if isinstance(pusher, Umbilical) else "push", None)


def interpolation_of(pusher: Any) -> str:
    """The kind of interpolation of the table of a pusher."""
    return _table(pusher).interpolation


class Given(NamedTuple):
    """Declared numbers side by side.

    axis, plate (3, pusher). stiffness, damping, stroke, strength, friction, friction_speed, delay
    (pusher): zero where there is none. area (driven pusher). pressure, volume, heat_ratio, ambient (chamber).
    by_stroke, by_time: (places, values) of each table; ready: `Tables` of each of the two, once prepared."""

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


def given(shape: Form, pushers: Any, chambers: Any, stacked: Any, lanes: int) -> Given:
    """The numbers of declared pushers, whose leaves have `lanes` case axes. stacked: as `stacks.stacked`."""
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
        return 1.0 if found is None else found  # that of a constant supply does not matter

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
    """Tables side by side: points (n, table, *batch), filled up beyond their ends, the last place (table,
    *batch), and which are curves (table, *1), none where all are straight lines."""

    points: interpolation.Knots
    last: Any
    bent: Any = None

    def at(self, where: Any) -> Any:
        """Values at places (table, *cases), those of the ends beyond them."""
        where = jnp.minimum(where, self.last)
        n = self.points.where.shape[0]
        wide = (n, *where.shape)
        points = jax.tree.map(lambda field: jnp.broadcast_to(field, wide), self.points)
        found = interpolation.look_up(points, where)
        if self.bent is None:
            return found
        return jnp.where(self.bent, found, interpolation.look_up(points._replace(bend=None), where))


def tables(columns: Any, kinds: Any, lanes: int) -> Tables | None:
    """Tables from pairs of places and values (n, *cases), and the kind of each; None for none."""
    if not columns:
        return None
    pairs = zip(columns, kinds, strict=True)
    found = [interpolation.knots(pair[0], pair[1], one) for pair, one in pairs]
    longest = max(knots.where.shape[0] for knots in found)
    curved = [knots.bend is not None for knots in found]
    found = [_as_quintic(knots) if any(curved) else knots for knots in found]

    def side_by_side(field):
        rows = [widened(_filled(field, getattr(knots, field), longest), 1 + lanes) for knots in found]
        size = jnp.broadcast_shapes(*(row.shape for row in rows))
        return jnp.stack([jnp.broadcast_to(row, size) for row in rows], 1)

    more = [side_by_side(field) for field in ("bend", "slope")] if any(curved) else [None]
    points = interpolation.Knots(side_by_side("where"), side_by_side("value"), *more)
    ends = [widened(knots.where[-1], lanes) for knots in found]
    size = jnp.broadcast_shapes(*(end.shape for end in ends))
    last = jnp.stack([jnp.broadcast_to(end, size) for end in ends])
    if all(curved) or not any(curved):
        return Tables(points, last)
    return Tables(points, last, np.array(curved).reshape((-1,) + (1,) * lanes))


def _as_quintic(knots: interpolation.Knots) -> interpolation.Knots:
    """A table with slopes and second derivatives, which of straight lines are zero, and not looked at."""
    if knots.slope is not None:
        return knots
    if knots.bend is None:
        return knots._replace(bend=jnp.zeros_like(knots.value), slope=jnp.zeros_like(knots.value))
    return knots._replace(slope=interpolation.slopes(knots.where, knots.value, knots.bend))


def _filled(field: str, values: Any, longest: int) -> Any:
    """A column (n, *cases) of a table with more entries behind, which no look-up reaches."""
    more = longest - values.shape[0]
    if not more:
        return values
    last = jnp.broadcast_to(values[-1:], (more, *values.shape[1:]))
    if field == "where":
        last = last + APART * widened(jnp.arange(1.0, more + 1), values.ndim)
    return jnp.concatenate([values, last])


# --- lines


def lines(shape: Form, numbers: Given, plate: Any, pairs: Pairs) -> tuple[Pairs, LineState]:
    """Pairs as the forces act on them, on the child where the tip is, and the lines of action.

    plate (3, pusher, *cases): normals in the children's structural axes, none where no tip slides."""
    free = springs.along_points(pairs)
    guided = springs.along_axis(pairs, numbers.axis)
    lanes = pairs.gap.ndim - 1
    line = LineState(*(jnp.where(widened(shape.axial, lanes), a, b) for a, b in zip(guided, free)))
    if not shape.slides.any():
        return pairs, line
    slides = widened(shape.slides, lanes)
    tip = _tip(guided, pairs, plate)
    line = LineState(*(jnp.where(slides, a, b) for a, b in zip(tip, line)))
    gap = jnp.where(slides, tip.direction * tip.length, pairs.gap)
    return pairs._replace(arm_b=pairs.arm_b + gap - pairs.gap, gap=gap), line


def _tip(guided: LineState, pairs: Pairs, plate: Any) -> LineState:
    """The lines up to the plates: length s with (s d - gap) n = 0, and its rate."""
    d, n = guided.direction, rotate(pairs.rotation_b, plate / norm(plate))
    along = dot(d, n)
    least = jnp.where(along < 0, -STEEPEST, STEEPEST)
    along = jnp.where(jnp.abs(along) < STEEPEST, least, along)
    length = dot(pairs.gap, n) / along
    turn_d, turn_n = cross(pairs.spin_a, d), cross(pairs.spin_b, n)
    off = dot(pairs.gap_rate, n) + dot(pairs.gap, turn_n) - length * (dot(turn_d, n) + dot(d, turn_n))
    return LineState(jnp.broadcast_to(d, pairs.gap.shape), length, off / along)


def power(acting: Pairs, pairs: Pairs, line: LineState, force: Any) -> Any:
    """Power of forces on both bodies [W]: with the velocity of the child's point relative to the parent's,
    both where the force acts. Where a tip slides on a plate aslant it is not the force times the rate of
    travel: the friction that holds the force on the axis does work too."""
    moved = cross(pairs.spin_b, acting.gap - pairs.gap) - cross(pairs.spin_a, acting.gap)
    return force * dot(line.direction, pairs.gap_rate + moved)


# --- forces


class Progress(NamedTuple):
    """(pusher, *cases): travel [m] since the firing, its rate [m/s], extension [m] from the length of the
    first force, 1 while it pushes, 1 once it has begun, time [s] since then (zero before)."""

    travel: Any
    rate: Any
    extension: Any
    pushing: Any
    begun: Any
    since: Any


def forces(shape: Form, numbers: Given, first: Any, now: Progress, pressure: Any) -> Any:
    """Forces on the children (pusher, *cases) [N]; first: at the beginning. pressure (chamber, *cases)."""
    force = first - numbers.stiffness * now.extension - numbers.damping * now.rate
    friction = numbers.friction
    stroke_tables, time_tables = numbers.ready
    if stroke_tables is not None:
        value = _placed(stroke_tables.at(picked(now.travel, shape.by_stroke, 0)), shape.by_stroke, force)
        resists = widened(shape.resists, force.ndim)
        force = force + jnp.where(resists, 0.0, value)
        friction = friction + jnp.where(resists, value, 0.0)
    if time_tables is not None:
        force = force + _placed(time_tables.at(picked(now.since, shape.by_time, 0)), shape.by_time, force)
    held = (numbers.damping > 0) | (friction > 0)
    if shape.driven:
        own = np.asarray(shape.chamber)[list(shape.driven)]
        back = picked(numbers.ambient, own, 0)
        load = (picked(pressure, own, 0) - back) * numbers.area
        force = force + _placed(load, shape.driven, force)
        held = held | (_placed(jnp.broadcast_to(back, load.shape), shape.driven, force) > 0)
    force = force - friction * jnp.tanh(now.rate / numbers.friction_speed)
    held = held & ~widened(shape.resists, force.ndim)
    force = numbers.strength * jnp.where(held, jnp.maximum(force, 0.0), force)
    return jnp.where(now.pushing > 0, force, 0.0)


def _placed(values: Any, places: tuple[int, ...], like: Any) -> Any:
    """Values (some, *cases) of some pushers among zeros for all, like (pusher, *cases)."""
    row = np.full(like.shape[0], len(places))
    row[list(places)] = np.arange(len(places))
    values = jnp.broadcast_to(values, (len(places), *like.shape[1:]))
    return picked(jnp.concatenate([values, jnp.zeros_like(values[:1])]), row, 0)


# --- gas


class Gas(NamedTuple):
    """Of each chamber (chamber, *cases): pressure [Pa], volume [m^3], and the volume less what was found
    empty [m^3]."""

    pressure: Any
    volume: Any
    pushed: Any


class Filled(NamedTuple):
    """What free expansion has done to the gas of each chamber (chamber, *cases): p V^gamma over that at the
    start, and the volume that it found empty [m^3]."""

    factor: Any
    volume: Any


def unfilled(size: tuple[int, ...]) -> jax.Array:
    """`Filled` as an array of chambers of some size (chamber, *cases) at the start."""
    return jnp.stack([jnp.ones(size), jnp.zeros(size)])


def gas(shape: Form, numbers: Given, now: Progress, found: Any = None) -> Gas:
    """The gas of all chambers. found: `Filled` as an array, none for that of the start.

    A pusher that has not begun takes no volume, one that is spent that of its stroke, one that is missing
    (strength 0) none."""
    volume = _volume(shape, numbers, now)
    pressure = numbers.pressure * (numbers.volume / volume) ** numbers.heat_ratio
    if found is None:
        return Gas(*jnp.broadcast_arrays(pressure, volume, volume))
    return Gas(*jnp.broadcast_arrays(pressure * found[0], volume, volume - found[1]))


def filled(shape: Form, numbers: Given, was: Progress, now: Progress, found: Any) -> Any:
    """`Filled` as an array after the gas has come to some pistons more, from what it was."""
    ends = now._replace(travel=jnp.minimum(now.travel, numbers.stroke))
    small, large = (_volume(shape, numbers, one) for one in (was, ends))
    more = jnp.stack([found[0] * (large / small) ** (numbers.heat_ratio - 1), found[1] + large - small])
    return jnp.where(large > small, more, found)


def _volume(shape: Form, numbers: Given, now: Progress) -> Any:
    """Volume of the gas of each chamber (chamber, *cases) [m^3]."""
    at = list(shape.driven)
    travel, pushing, begun, stroke, strength = (
        picked(jnp.broadcast_to(a, now.travel.shape), at, 0)
        for a in (now.travel, now.pushing, now.begun, numbers.stroke, numbers.strength)
    )
    out = jnp.where(pushing > 0, jnp.maximum(travel, 0.0), jnp.where(begun > 0, stroke, 0.0))
    swept = jnp.where(strength > 0, numbers.area * out, 0.0)
    # Which pushers are on which chamber: (chamber, driven pusher).
    table = np.asarray(shape.chamber)[at][None] == np.arange(len(shape.constant))[:, None]
    taken = jnp.sum(widened(table.astype(float), swept.ndim + 1) * swept[None], 1)
    return numbers.volume + jnp.where(widened(shape.constant, swept.ndim), 0.0, taken)


def gas_energy(numbers: Given, now: Gas) -> Any:
    """What the gas of each chamber still has [J], (chamber, *cases): p V / (gamma - 1), and what the ambient
    pressure on the other side of the pistons has been given as they pushed, pa V. Its fall is the work on the
    pistons."""
    return now.pressure * now.volume / (numbers.heat_ratio - 1) + numbers.ambient * now.pushed
