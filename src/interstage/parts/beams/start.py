"""Initial shape of beams: the drawn shape between the clamps, or the static equilibrium."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...maths.arrays import jax, jnp
from ...maths.dual import plain
from ...maths.rotation_vectors import attitude
from ...maths.rotations import IDENTITY, conjugate, matrix_of, multiply, unit_quaternion
from ...maths.vectors import add_axes, cross, dot, norm, rotate, rotate_back
from ...model.attachments import pick
from ...tree.errors import BadInput, Problem
from .approach import approach
from .law import Frames
from .rest import Rest, Restless, at_rest, follow_loads
from .segments import arc, arms, lanes_of

if TYPE_CHECKING:
    from ...engine.here import Here
    from .flown import Beams, Own

KEPT = 32
"""The number of equilibria in the cache. A trim and its derivatives evaluate the same initial state many
times.
"""
NEAR = 1e-3
"""If the sine of half an angle is below this number, functions of the angle are computed by series. The first
neglected power, the sixth, is smaller than rounding errors.
"""
REMEDY = (
    'Place the bodies so that the beam bends less, change the number of elements, or set start = "drawn".'
)
OPPOSITE = 1e-12
"""Two vectors count as opposite if one plus the cosine of their angle is below this number."""


def states_between_clamps(beams: Beams, here: Here) -> tuple[Any, Any, Any, Any]:
    """Return the initial d, u, quaternions and w of all segments, each (component, segment, *cases); see
    module `flown`.

    The segments are between the clamps, in the declared initial shape. The initial velocities of the segments
    follow from the motion of both clamps.
    """
    own = here.numbers.own[beams.name]
    clamps = beams.clamps(own, here.motion)
    first, last, part, free = _ends(beams, clamps)
    apart, turn = drawn_shape(beams, own, clamps)
    if any(beam.start == "at rest" for beam in beams.items):
        apart, turn = _at_rest(beams, here, clamps, apart, turn)
    rigid = cross(first.spin, apart)
    other = last.velocity - first.velocity + cross(last.spin, apart - (last.position - first.position))
    speed = jnp.where(free, rigid, rigid + part * (other - rigid))
    spin = jnp.where(free, first.spin, first.spin + part * (last.spin - first.spin))
    if (arm := arms(own.made, turn)) is not None:
        apart, speed = apart + arm, speed + cross(spin, arm)
    shape = turn.shape[1:]
    parts = (apart, speed, turn, rotate_back(matrix_of(turn), spin))
    a, b, c, d = (jnp.broadcast_to(one, (one.shape[0], *shape)) for one in parts)
    return a, b, c, d


def drawn_shape(beams: Beams, own: Own, clamps: Frames) -> tuple[Any, Any]:
    """Return the positions relative to the first ends of the beams [m] (3, segment, *cases), inertial axes,
    and the quaternions (4, segment, *cases) of all segments.

    The shape is the unloaded shape, plus a cubic curve that fits the directions of both clamps. For a beam
    with a free end, the shape is the unloaded shape from the first clamp.
    """
    first, last, part, free = _ends(beams, clamps)
    middles = beams.middles(own)
    size = middles / part  # of the whole beam
    way = [size * matrix_of(one.quaternion)[:, 0] for one in (first, last)]
    gap = last.position - first.position
    if own.made.unloaded is None:
        away, turned = part * way[0], first.quaternion
        bent, tangent = _cubic(gap, way[0], way[1], part)
        between = _between(first.quaternion, last.quaternion, part)
    else:
        away, turned = _unloaded_frames(beams, own, first, middles)
        end, turned_there = _unloaded_frames(beams, own, first, size)
        ahead, ahead_there = (size * matrix_of(one)[:, 0] for one in (turned, turned_there))
        bent, tangent = _cubic(gap - end, 0 * ahead, way[1] - ahead_there, part)
        bent, tangent = away + bent, ahead + tangent
        rest = multiply(conjugate(turned_there), last.quaternion)
        between = multiply(turned, _between(add_axes(IDENTITY, rest.ndim), rest, part))
    apart = jnp.where(free, away, bent)
    turn = jnp.where(free, turned, _align(between, tangent))
    shape = (len(beams.owner), *clamps.position.shape[2:])
    apart, turn = (jnp.broadcast_to(one, (len(one), *shape)) for one in (apart, turn))
    return apart, turn


def _cubic(gap: Any, first: Any, last: Any, part: Any) -> tuple[Any, Any]:
    """Return the position on a cubic that ends at `gap`, and its derivative. first, last: derivatives at both
    ends by the fraction of the length."""
    place = (3 - 2 * part) * part**2 * gap + part * (1 - part) * ((1 - part) * first - part * last)
    slope = 6 * part * (1 - part) * gap + (1 - part) * (1 - 3 * part) * first
    return place, slope + part * (3 * part - 2) * last


def _unloaded_frames(beams: Beams, own: Own, first: Frames, middles: Any) -> tuple[Any, Any]:
    """Return the positions and quaternions of sections at distances [m] from the first ends of beams, in the
    unloaded shape from the first clamps."""
    starts = np.cumsum((0, *beams.spans[:-1]))
    length = pick(own.made.length, starts, 0)
    curvature = pick(pick(own.made.unloaded[3:], starts, 1) / length, beams.owner, 1)
    angle = curvature * middles
    along = middles * arc(angle)
    return rotate(matrix_of(first.quaternion), along), multiply(first.quaternion, attitude(angle))


def _ends(beams: Beams, clamps: Frames) -> tuple[Frames, Frames, Any, Any]:
    """Return for each segment the first and last clamp of its beam, its fraction of the length, and whether
    the end is free."""
    first, last = (
        Frames(*(pick(one, beams.owner + shift, 1) for one in clamps)) for shift in (0, len(beams.items))
    )
    part = np.concatenate([(np.arange(count) + 0.5) / count for count in beams.counts])
    part = add_axes(part, clamps.position.ndim - 1)
    free = np.array([beam.child is None for beam in beams.items])[beams.owner].reshape(part.shape)
    return first, last, part, free


def _at_rest(beams: Beams, here: Here, clamps: Frames, apart: Any, turn: Any) -> tuple[Any, Any]:
    """Return the positions from the first ends of the beams, and the quaternions, of segments. Beams that
    begin at rest are in equilibrium."""
    own, lanes = here.numbers.own[beams.name], here.t.shape
    weight = own.made.mass * beams.pull(here)
    every = (own._replace(ends=None), clamps, apart, turn, weight)
    each = [_rest(beams, one) for one in lanes_of(every, lanes)]
    apart, turn = (jnp.stack(same, -1) if lanes else same[0] for same in zip(*each, strict=True))
    return apart, turn


def _rest(beams: Beams, every: Any) -> tuple[Any, Any]:
    """Return the positions and quaternions of one case. Results of previous cases and starts are cached by
    their values. Cases that differ only in derivatives share a result."""
    found = beams.rests
    values = jax.tree.map(plain, every)
    own, _, apart, turn, _ = values
    key = tuple(np.asarray(one).tobytes() for one in jax.tree.leaves(values))
    drawn = [beam.start == "drawn" for beam in beams.items]
    held = np.array(drawn)[beams.owner]
    if key not in found:
        size = beams.middles(own) / np.concatenate([np.arange(n) + 0.5 for n in beams.counts])
        try:
            found[key] = _find_rest(beams, values, size, held)
        except Restless:
            names = ", ".join(_standing(beams, values, k) for k in range(len(beams.items)) if not drawn[k])
            text = f"no static equilibrium of {names} was found, because the search did not converge"
            raise BadInput(Problem("forces", f"{text}. {REMEDY}")) from None
    rest = found[key]
    while len(found) > KEPT:
        del found[next(iter(found))]
    _, _, apart, turn, _ = every
    there = follow_loads(_loads_at_rest(beams, every), rest)
    return jnp.where(held, apart, there[0]), jnp.where(held, turn, there[1])


def _find_rest(beams: Beams, values: Any, size: np.ndarray, held: np.ndarray) -> Rest:
    """Return the equilibrium from the drawn segments; if there is none, the equilibrium along the path from
    the unloaded ends. Raises Restless."""
    own, clamps, apart, turn, weight = values
    try:
        return at_rest(_loads_at_rest(beams, values), apart, turn, size, held)
    except Restless:
        ends = _ends_on_the_way(beams, own, clamps)

    def way(part: float) -> tuple[Any, Any, Any]:
        there = drawn_shape(beams, own, ends(part))
        return _loads_at_rest(beams, (own, ends(part), *there, part * weight)), *there

    def turn_by(new: Any, old: Any, quaternions: Any) -> Any:
        return multiply(multiply(new, conjugate(old)), quaternions)

    return approach(way, size, held, turn_by)


def _ends_on_the_way(beams: Beams, own: Own, clamps: Frames) -> Callable[[float], Frames]:
    """Return the clamps at a fraction of the path from the unloaded ends. The ends rotate along arcs of the
    beams' lengths. The remaining displacement is proportional to the square of the fraction, so that beams
    are bent on the path and not compressed."""
    first, _, part_of, _ = _ends(beams, clamps)
    last, count = np.cumsum(beams.counts) - 1, len(beams.items)
    size = (beams.middles(own) / part_of)[last]  # of whole beams
    start = clamps.quaternion[:, :count]
    unloaded = start
    if own.made.unloaded is not None:
        unloaded = _unloaded_frames(beams, own, first, beams.middles(own) / part_of)[1][:, last]

    def arcs(turn: Any) -> Any:
        return clamps.position[:, :count] + rotate(matrix_of(start), size * arc(_vector(start, turn)))

    beyond = clamps.position[:, count:] - arcs(clamps.quaternion[:, count:])

    def ends(part: float) -> Frames:
        turn = _between(unloaded, clamps.quaternion[:, count:], np.asarray(part))
        position = np.concatenate([clamps.position[:, :count], arcs(turn) + part**2 * beyond], 1)
        return clamps._replace(position=position, quaternion=np.concatenate([start, turn], 1))

    return ends


def _vector(old: Any, new: Any) -> Any:
    """Return the rotation vectors (3, ...) [rad] from one attitude to another, in the axes of the first."""
    turn = multiply(conjugate(old), new)
    turn = turn * np.where(turn[:1] < 0, -1.0, 1.0)
    size = np.linalg.norm(turn[1:], axis=0)
    angle = 2 * np.arctan2(size, turn[0])
    return turn[1:] * np.where(size > 0, angle / np.where(size > 0, size, 1.0), 2.0)


def _standing(beams: Beams, values: Any, k: int) -> str:
    """Return the text with the name of a beam, its length and the placement of its ends, for values without
    cases."""
    own, clamps, *_ = values
    beam, behind = beams.items[k], len(beams.items) + k
    first = sum(beams.spans[:k])
    long = np.sum(np.broadcast_to(own.made.length, (sum(beams.spans),))[first : first + beams.spans[k]])
    if beam.child is None:
        return f"'{beam.name}' ({long:.4g} m long)"
    gap = np.linalg.norm(clamps.position[:, behind] - clamps.position[:, k])
    ways = matrix_of(clamps.quaternion)[:, 0]
    turn = np.degrees(np.arccos(np.clip(ways[:, k] @ ways[:, behind], -1, 1)))
    return f"'{beam.name}' ({long:.4g} m long, ends {gap:.4g} m and {turn:.3g} deg apart)"


def _loads_at_rest(beams: Beams, every: Any) -> Any:
    """Return the function of the loads on segments without velocities, and of the energy, from positions and
    quaternions; see `rest.Loads`."""
    own, clamps, _, _, weight = every
    total = sum(beams.counts)
    still = clamps._replace(velocity=0 * clamps.velocity, spin=0 * clamps.spin)
    all_of = (own, still, pick(clamps.position, beams.owner, 1), weight)

    def loads(apart: Any, turn: Any) -> tuple[Any, Any]:
        own, still, start, weight = jax.tree.map(lambda one: add_axes(one, one.ndim + apart.ndim - 2), all_of)
        place = start + apart
        none = jnp.zeros(place.shape)
        elements, load = beams.loads(own, Frames(place, none, turn, none), still)
        moment = load[3:, :total]
        if (arm := arms(own.made, turn)) is not None:
            moment, apart = moment + cross(arm, weight), apart + arm
        load = jnp.concatenate([load[:3, :total] + weight, moment])
        return load, jnp.sum(elements.energy, 0) - jnp.sum(weight * apart, (0, 1))

    return loads


def _between(first: Any, last: Any, part: Any) -> Any:
    """Return quaternions at a fraction of the rotation from one to another. The result is smooth where both
    are equal."""
    turn = multiply(conjugate(first), last)
    turn = turn * jnp.where(turn[:1] < 0, -1.0, 1.0)
    square = dot(turn[1:], turn[1:])
    near = square < NEAR**2
    size = jnp.sqrt(jnp.where(near, 1.0, square))
    half = part * jnp.arctan2(size, turn[0])
    # sin pa/sin a and cos pa as series in s = sin a, with a^2 = s^2 + s^4/3 + ...
    more = square * ((1 - part**2) / 6 + square * (3 / 40 - part**2 / 12 + part**4 / 120))
    sine = jnp.where(near, part * (1 + more), jnp.sin(half) / size)
    angle = part**2 * square * (1 + square / 3)
    cosine = jnp.where(near, 1 - angle / 2 + angle**2 / 24, jnp.cos(half))
    return multiply(first, jnp.concatenate([cosine[None], sine * turn[1:]]))


def _align(quaternion: Any, tangent: Any) -> Any:
    """Return attitudes after the shortest rotation of x to a tangent. If the tangent is opposite to x, the
    rotation is about z."""
    size = norm(tangent)
    along = tangent / jnp.where(size > 0, size, 1.0)
    axes = matrix_of(quaternion)
    cosine = 1 + dot(axes[:, 0], along)
    about = jnp.where(cosine > OPPOSITE, cross(axes[:, 0], along), axes[:, 2])
    return unit_quaternion(multiply(jnp.concatenate([cosine[None], about]), quaternion))
