"""Beams in flight.

Each beam has its mass in rigid segments of equal length h, the nodes, and elements (`law`) from node to node,
of length h, and from the clamps to the nodes next to them, of length h/2. A segment has the mass, and the
moments of inertia of a rigid one about its middle: mass, mass centre and inertia of a straight beam are
exact. Bodies get loads at the clamps, and keep their masses.

The mass matrix is that of free bodies: accelerations cost as much as there are segments, and are one
expression over all segments of all beams. State, component first, over all segments: position from the
beginning of the beam d [m] and its rate u [m/s], inertial axes, quaternion, angular velocity w [rad/s] in
axes of the segment. With loads F and T,

    d' = u,   u' = F/m + g - a,   w' = J^-1 (T - w x J w),

where g is the pull of gravity and a the acceleration of the point that the beam begins at, both as the local
origin feels them: positions from there stay small numbers, and need not move with the origin."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.contract import Makers, Part, Told
from ...engine.stacks import Ends, ends, quaternions, stacked_attitudes
from ...environment import gravity_field
from ...maths.arrays import jax, jnp
from ...maths.dual import plain
from ...maths.rotations import IDENTITY, conjugate, matrix_of, multiply, normalised, rate, turned_midpoint
from ...maths.vectors import cross, dot, norm, rotate, rotate_back, widened
from ...model import attachments
from ...model.attachments import picked
from ...tree.errors import BadInput, Problem
from . import law, segments, told
from .declared import Beam
from .law import Element, Frames
from .quantities import beam_quantities
from .rest import Restless, at_rest, followed
from .segments import Made

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.mechanism import Mechanism
    from ...engine.state import Discrete

STATE = 13
"""Numbers of a segment in the state."""
OPPOSITE = 1e-12
"""One and the cosine of an angle, below which vectors are as good as opposite."""


class Stacked(NamedTuple):
    """Points of the clamps in drawing coordinates, and their axes, by the way in which they are declared."""

    ends: Ends
    parent_frame: dict[str, Any]
    child_frame: dict[str, Any]


class Own(NamedTuple):
    """made: of all beams, one behind another. Of the clamps, first the beginnings of all beams, then the
    ends: arm (3, clamp) [m] from the mass centres in structure axes, axes (4, clamp)."""

    made: Made
    ends: Ends
    axes: Any
    arm: Any = None


class Found(NamedTuple):
    """Beams at an instant. clamps, segments: their frames; elements: see `law.Element`. load (6, segment):
    forces [N] and moments [N m] on the segments, inertial axes, gravity left out. share (6, body): loads on
    the bodies."""

    clamps: Frames
    segments: Frames
    elements: Element
    load: Any
    share: Any


class Beams(Part):
    """All flexible beams; see the module."""

    name = "beams"
    group = "forces"
    kinds = (Beam,)
    what = "segments of beams"
    moves = True
    recoils = True

    # --- structure

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Segments of each beam."""
        return tuple(beam.elements for beam in self.items)

    @cached_property
    def owner(self) -> np.ndarray:
        """The beam of each segment."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    @cached_property
    def spans(self) -> tuple[int, ...]:
        """Elements of each beam: one between the last segment and its clamp if there is one."""
        return tuple(map(segments.span, self.items))

    @cached_property
    def sides(self) -> tuple[np.ndarray, np.ndarray]:
        """The frames on the left and on the right of each element: segments, beginnings, ends of beams."""
        left, right, first = [], [], 0
        total, beams = sum(self.counts), len(self.counts)
        for k, (count, span) in enumerate(zip(self.counts, self.spans, strict=True)):
            own = [total + k, *range(first, first + count), total + beams + k]
            left += own[:span]
            right += own[1 : span + 1]
            first += count
        return np.array(left), np.array(right)

    @cached_property
    def next_to(self) -> tuple[np.ndarray, np.ndarray]:
        """The elements behind and before each frame; one more than there are for none."""
        frames = sum(self.counts) + 2 * len(self.counts)
        found = []
        for side in self.sides:
            own = np.full(frames, sum(self.spans))
            own[side] = np.arange(len(side))
            found.append(own)
        return found[0], found[1]

    @cached_property
    def bodies(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Bodies of the beginnings and of the ends; a free end counts as the parent's, and has no load."""
        parent = [self.layout.body(beam.parent) for beam in self.items]
        child = [self.layout.body(beam.child or beam.parent) for beam in self.items]
        return tuple(parent), tuple(child)

    @cached_property
    def states(self) -> int:
        """Of all segments."""
        return STATE * sum(self.counts)

    @property
    def labels(self) -> tuple[str, ...]:
        """Component by component."""
        segments = [
            f"{beam.name}.{n + 1}" for beam, count in zip(self.items, self.counts) for n in range(count)
        ]
        return tuple(f"{segment}.{k}" for k in range(STATE) for segment in segments)

    @property
    def told(self) -> tuple[Told, ...]:
        """Relative to the clamps, see `told`."""
        return told.told(self)

    def tell(self, mechanism: Mechanism, x: Any, near: Any) -> Any:
        """Likewise."""
        return told.tell(self, mechanism, x, near)

    def untold(self, mechanism: Mechanism, x: Any, values: Any, near: Any) -> Any:
        """Likewise."""
        return told.untold(self, mechanism, x, values, near)

    # --- numbers

    def stacked(self, scenario: Any, lanes: int) -> Stacked:
        """Points and axes of the clamps."""
        declared = self.of(scenario)
        frames = (
            stacked_attitudes([getattr(one, f"{end}_frame") for one in declared], lanes)
            for end in ("parent", "child")
        )
        return Stacked(ends(declared, lanes), *frames)

    def numbers(self, scenario: Any, stacked: Stacked, lanes: int) -> Own:
        """Stiffnesses and masses."""
        declared = self.of(scenario)
        parts = [segments.of(beam, lanes) for beam in declared]
        size = jnp.broadcast_shapes(*(one.shape[one.ndim - lanes :] for part in parts for one in part))
        joined = []
        for same in zip(*parts, strict=True):
            axis = same[0].ndim - lanes - 1
            wide = [jnp.broadcast_to(one, (*one.shape[: axis + 1], *size)) for one in same]
            joined.append(jnp.concatenate(wide, axis))
        both = [
            quaternions([getattr(beam, f"{end}_frame") for beam in self.items], stack, lanes)
            for end, stack in (("parent", stacked.parent_frame), ("child", stacked.child_frame))
        ]
        wide = jnp.broadcast_shapes(*(one.shape[2:] for one in both))
        axes = jnp.concatenate([jnp.broadcast_to(one, (*one.shape[:2], *wide)) for one in both], 1)
        return Own(Made(*joined), stacked.ends, axes)

    def centred(self, own: Own, centre: Any) -> Own:
        """The arms from mass centres."""
        whole = jnp.concatenate([centre, jnp.zeros_like(centre[:, :1])], 1)
        both = [
            jnp.asarray(points) - attachments.select(whole, bodies, 1)
            for points, bodies in zip(own.ends, self.bodies, strict=True)
        ]
        wide = jnp.broadcast_shapes(*(one.shape[2:] for one in both))
        return own._replace(
            arm=jnp.concatenate([jnp.broadcast_to(one, (*one.shape[:2], *wide)) for one in both], 1)
        )

    # --- the start

    def first(self, mechanism: Mechanism, discrete: Discrete, lanes: tuple[int, ...]) -> Any:
        """Straight, wherever the bodies are; `begun` puts them where they belong."""
        own, total = mechanism.numbers.own[self.name], sum(self.counts)
        none = jnp.zeros((3, total, *lanes))
        place = jnp.stack([jnp.broadcast_to(self._stations(own), none.shape[1:]), none[0], none[0]])
        turn = jnp.broadcast_to(widened(jnp.asarray(IDENTITY), 2 + len(lanes)), (4, total, *lanes))
        return _flat(place, none, turn, none)

    def _stations(self, own: Own) -> Any:
        """Distance of the segments' middles from the beginnings of their beams (segment, *lanes) [m]."""
        half = picked(own.made.length, np.cumsum((0, *self.spans[:-1])), 0)
        number = np.concatenate([2 * np.arange(count) + 1 for count in self.counts])
        half = picked(half, self.owner, 0)
        return half * widened(number, half.ndim)

    def begun(self, here: Here) -> Any:
        """On the way from one clamp to the other: straight where they are as far apart as the beam is long,
        and parallel, else on a cubic with their directions; moving with them."""
        own, total = here.numbers.own[self.name], sum(self.counts)
        clamps = self._clamps(here)
        lanes = clamps.position.shape[2:]
        part = np.concatenate([(np.arange(count) + 0.5) / count for count in self.counts])
        part = widened(part, 1 + len(lanes))
        free = np.array([beam.child is None for beam in self.items])[self.owner].reshape(part.shape)
        first, last = (
            Frames(*(picked(one, self.owner + shift, 1) for one in clamps)) for shift in (0, len(self.items))
        )
        size = self._stations(own) / part  # of the whole beam
        way = [size * matrix_of(one.quaternion)[:, 0] for one in (first, last)]
        gap = last.position - first.position
        bent = (3 - 2 * part) * part**2 * gap + part * (1 - part) * ((1 - part) * way[0] - part * way[1])
        tangent = 6 * part * (1 - part) * gap + (1 - part) * (1 - 3 * part) * way[0]
        tangent = tangent + part * (3 * part - 2) * way[1]
        apart = jnp.where(free, part * way[0], bent)
        turn = jnp.where(free, first.quaternion, _aligned(_between(first, last, part), tangent))
        apart, turn = (jnp.broadcast_to(one, (len(one), total, *lanes)) for one in (apart, turn))
        if any(beam.start == "at rest" for beam in self.items):
            apart, turn = self._at_rest(here, clamps, apart, turn)
        rigid = cross(first.spin, apart)
        other = last.velocity - first.velocity + cross(last.spin, apart - gap)
        speed = jnp.where(free, rigid, rigid + part * (other - rigid))
        spin = jnp.where(free, first.spin, first.spin + part * (last.spin - first.spin))
        shape = (total, *lanes)
        parts = (apart, speed, turn, rotate_back(matrix_of(turn), spin))
        return _flat(*(jnp.broadcast_to(one, (one.shape[0], *shape)) for one in parts))

    def _at_rest(self, here: Here, clamps: Frames, apart: Any, turn: Any) -> tuple[Any, Any]:
        """Places from the beginnings of the beams and quaternions of segments, of those beams that begin at
        rest as they are then."""
        own, lanes = here.numbers.own[self.name], here.t.shape
        weight = own.made.mass * self._pull(here)
        every = (own._replace(ends=None), clamps, apart, turn, weight)
        if not lanes:
            return self._rest(every, {})
        found: dict[Any, Any] = {}
        apart, turn = zip(*(self._rest(_of_lane(every, k), found) for k in range(*lanes)), strict=True)
        return jnp.stack(apart, -1), jnp.stack(turn, -1)

    def _rest(self, every: Any, found: dict[Any, Any]) -> tuple[Any, Any]:
        """The same of one lane. found: what lanes before have come to, by their values; directions of
        derivatives are lanes that differ by no value."""
        values = jax.tree.map(plain, every)
        own, _, apart, turn, _ = values
        key = tuple(np.asarray(one).tobytes() for one in jax.tree.leaves(values))
        held = np.array([beam.start == "drawn" for beam in self.items])[self.owner]
        if key not in found:
            size = self._stations(own) / np.concatenate([np.arange(n) + 0.5 for n in self.counts])
            try:
                found[key] = at_rest(self._loads_at_rest(values), apart, turn, size, held)
            except Restless:
                names = ", ".join(f"'{beam.name}'" for beam in self.items if beam.start == "at rest")
                text = f"no rest was found for {names}; place the bodies nearer to where it is"
                raise BadInput(Problem("forces", f'{text}, or take "drawn"')) from None
        _, _, apart, turn, _ = every
        there = followed(self._loads_at_rest(every), found[key])
        return jnp.where(held, apart, there[0]), jnp.where(held, turn, there[1])

    def _loads_at_rest(self, every: Any) -> Any:
        """Loads on segments without velocities and the energy, by places and quaternions; see
        `rest.Loads`."""
        own, clamps, _, _, weight = every
        total = sum(self.counts)
        still = clamps._replace(velocity=0 * clamps.velocity, spin=0 * clamps.spin)
        all_of = (own, still, picked(clamps.position, self.owner, 1), weight)

        def loads(apart: Any, turn: Any) -> tuple[Any, Any]:
            own, still, start, weight = jax.tree.map(
                lambda one: widened(one, one.ndim + apart.ndim - 2), all_of
            )
            place = start + apart
            none = jnp.zeros(place.shape)
            elements, load = self._loads(own, Frames(place, none, turn, none), still)
            load = jnp.concatenate([load[:3, :total] + weight, load[3:, :total]])
            return load, jnp.sum(elements.energy, 0) - jnp.sum(weight * apart, (0, 1))

        return loads

    def normalised(self, mechanism: Mechanism, x: Any) -> Any:
        """Unit quaternions."""
        apart, speed, turn, spin = self.split(mechanism.own(self.name, x))
        return _flat(apart, speed, normalised(turn), spin)

    def recoiled(self, mechanism: Mechanism, x: Any, discrete: Discrete, change: Any) -> Any:
        """Segments keep their velocities."""
        apart, speed, turn, spin = self.split(mechanism.own(self.name, x))
        rotation = picked(mechanism.motion(x).rotation, self.bodies[0], 2)
        arm = mechanism.numbers.own[self.name].arm[:, : len(self.items)]
        jump = picked(change, self.bodies[0], 1)
        jump = jump[:3] + rotate(rotation, cross(jump[3:], arm))
        return _flat(apart, speed - picked(jump, self.owner, 1), turn, spin)

    def kicked(self, own: Any, rates: Any, h: Any) -> Any:
        """Velocities of the segments."""
        (apart, speed, turn, spin), (_, second, _, spun) = self.split(own), self.split(rates)
        return _flat(apart, speed + h * second, turn, spin + h * spun)

    def drifted(self, own: Any, fast: Any, h: Any) -> Any:
        """Places and attitudes of the segments."""
        (apart, speed, turn, spin), (_, faster, _, turning) = self.split(own), self.split(fast)
        return _flat(apart + h * faster, speed, turned_midpoint(turn, h * turning), spin)

    # --- an instant

    def split(self, own: Any) -> tuple[Any, Any, Any, Any]:
        """d, u, quaternions and w (component, segment, *lanes) of the state."""
        total, lanes = sum(self.counts), own.shape[1:]
        cuts = (0, 3 * total, 6 * total, 10 * total, STATE * total)
        a, b, c, d = (own[k:n].reshape(-1, total, *lanes) for k, n in pairwise(cuts))
        return a, b, c, d

    def _clamps(self, here: Here) -> Frames:
        own, motion = here.numbers.own[self.name], here.motion
        which = np.array([*self.bodies[0], *self.bodies[1]])
        spin = picked(motion.spin, which, 1)
        arm = rotate(picked(motion.rotation, which, 2), own.arm)
        velocity = picked(motion.velocity, which, 1) + cross(spin, arm)
        turn = picked(motion.quaternion, which, 1)
        turn = multiply(turn, jnp.broadcast_to(own.axes, turn.shape))
        return Frames(picked(motion.position, which, 1) + arm, velocity, turn, spin)

    def find(self, here: Here) -> Found:
        """Frames and loads."""
        own, total, beams = here.numbers.own[self.name], sum(self.counts), len(self.items)
        clamps = self._clamps(here)
        apart, speed, turn, spin = self.split(here.own(self.name))
        start = Frames(*(picked(one, self.owner, 1) for one in clamps))
        segments = Frames(start.position + apart, start.velocity + speed, turn, rotate(matrix_of(turn), spin))
        found, load = self._loads(own, segments, clamps)
        on_segments, on_clamps = load[:, :total], load[:, total:]
        if self.dragging:
            drag = -own.made.dragged * jnp.concatenate(
                [
                    own.made.mass * (speed - cross(start.spin, apart)),
                    _turned(turn, own.made.inertia, segments.spin - start.spin),
                ]
            )
            on_segments = on_segments + drag
            back = -jnp.concatenate([drag[:3], drag[3:] + cross(apart, drag[:3])])
            back = attachments.gathered(back, 0 * back, self.owner, self.owner, beams)
            on_clamps = jnp.concatenate([on_clamps[:, :beams] + back, on_clamps[:, beams:]], 1)
        return Found(clamps, segments, found, on_segments, self._share(here, on_clamps))

    def _loads(self, own: Own, segments: Frames, clamps: Frames) -> tuple[Element, Any]:
        """The elements, and their loads on segments and clamps (6, frame, *lanes)."""
        every = Frames(*(_behind(a, b) for a, b in zip(segments, clamps, strict=True)))
        left, right = (Frames(*(picked(one, side, 1) for one in every)) for side in self.sides)
        made = own.made
        found = law.elements(left, right, made.length, made.along, made.about, made.damping)
        both = zip((found.on_left, found.on_right), self.next_to, strict=True)
        return found, sum(picked(_with_none(one), where, 1) for one, where in both)

    @cached_property
    def dragging(self) -> bool:
        """Whether any beam may be damped by mass: a number of a scenario may change, one that is not given
        not."""
        return any("mass_damping" in beam.model_fields_set for beam in self.items)

    def _share(self, here: Here, load: Any) -> Any:
        """Loads on the clamps (6, clamp, *lanes), inertial axes, as those on bodies (6, body, *lanes)."""
        own, motion, beams = here.numbers.own[self.name], here.motion, len(self.items)
        rotation = picked(motion.rotation, np.array([*self.bodies[0], *self.bodies[1]]), 2)
        torque = rotate_back(rotation, load[3:]) + cross(own.arm, rotate_back(rotation, load[:3]))
        on = jnp.concatenate([load[:3], torque])
        return attachments.gathered(on[:, :beams], on[:, beams:], *self.bodies, motion.position.shape[1])

    def wrench(self, here: Here) -> Any:
        """On what the beams are clamped in."""
        return here[self.name].share

    def rates(self, here: Here, acceleration: Any) -> Any:
        """Of the segments."""
        own, found = here.numbers.own[self.name], here[self.name]
        _, speed, turn, w = self.split(here.own(self.name))
        parents = self.bodies[0]
        motion, arm = here.motion, own.arm[:, : len(self.items)]
        base, spin = picked(acceleration, parents, 1), picked(motion.spin_body, parents, 1)
        about = cross(base[3:], arm) + cross(spin, cross(spin, arm))
        base = base[:3] + rotate(picked(motion.rotation, parents, 2), about)
        second = found.load[:3] / own.made.mass + self._pull(here) - picked(base, self.owner, 1)
        torque = rotate_back(matrix_of(turn), found.load[3:]) - cross(w, own.made.inertia * w)
        return _flat(speed, second, rate(turn, w), torque / own.made.inertia)

    def _pull(self, here: Here) -> Any:
        """Gravity at the segments relative to the fall of the local origin [m/s^2], inertial axes."""
        scenario, offset = here.mechanism.scenario, here[self.name].segments.position
        field, planet, origin = scenario.gravity, scenario.planet, here.origin
        if self.layout.ground:
            return gravity_field.acceleration(field, planet, here.t, origin[:, None] + offset)
        return gravity_field.difference(field, planet, here.t, origin, offset)

    def stored(self, here: Here) -> Any:
        """Strain energy of all."""
        return jnp.sum(here[self.name].elements.energy, 0)

    def masses(self, here: Here) -> Any:
        """Of each segment six points that have its mass, mass centre and inertia: two on each axis, as far
        out as the second moment of mass along it asks for."""
        made, segments = here.numbers.own[self.name].made, here[self.name].segments
        axes, lanes = matrix_of(segments.quaternion), segments.position.shape[2:]
        moment = 0.5 * jnp.sum(made.inertia, 0) - made.inertia
        size = jnp.broadcast_to(jnp.sqrt(3 * moment / made.mass), (3, *segments.position.shape[1:]))
        arm = jnp.concatenate([axes * size, -axes * size], 1)  # (3, point, segment)
        place = segments.position[:, None] + arm
        speed = segments.velocity[:, None] + cross(segments.spin[:, None], arm)
        mass = jnp.broadcast_to(made.mass / 6, (6, *segments.position.shape[1:]))
        return mass.reshape(-1, *lanes), place.reshape(3, -1, *lanes), speed.reshape(3, -1, *lanes)

    def quantities(self) -> Makers:
        """Of each beam, its elements and segments."""
        return beam_quantities(self)


def _flat(*parts: Any) -> Any:
    return jnp.concatenate([part.reshape(-1, *part.shape[2:]) for part in parts])


def _of_lane(tree: Any, k: int) -> Any:
    """The arrays of one lane, which all may share."""
    return jax.tree.map(lambda one: one[..., min(k, one.shape[-1] - 1)], tree)


def _behind(segments: Any, clamps: Any) -> Any:
    """Numbers of segments, and behind them those of clamps, which all lanes may share."""
    clamps = jnp.broadcast_to(clamps, (*clamps.shape[:2], *segments.shape[2:]))
    return jnp.concatenate([segments, clamps], 1)


def _with_none(loads: Any) -> Any:
    """Loads (6, element, *lanes), and one more of zero."""
    return jnp.concatenate([loads, jnp.zeros_like(loads[:, :1])], 1)


def _turned(quaternion: Any, inertia: Any, vector: Any) -> Any:
    """J times vectors, inertial axes, with J diagonal in the axes of a quaternion."""
    matrix = matrix_of(quaternion)
    return rotate(matrix, inertia * rotate_back(matrix, vector))


def _between(first: Frames, last: Frames, part: Any) -> Any:
    """Quaternions a part of the way from one frame to another."""
    turn = multiply(conjugate(first.quaternion), last.quaternion)
    turn = turn * jnp.where(turn[:1] < 0, -1.0, 1.0)
    size = norm(turn[1:])
    half = part * jnp.arctan2(size, turn[0])
    axis = turn[1:] / jnp.where(size > 0, size, 1.0)
    return multiply(first.quaternion, jnp.concatenate([jnp.cos(half)[None], jnp.sin(half) * axis]))


def _aligned(quaternion: Any, tangent: Any) -> Any:
    """Attitudes turned the shortest way until x is along a tangent; about z where that is the other way."""
    size = norm(tangent)
    along = tangent / jnp.where(size > 0, size, 1.0)
    axes = matrix_of(quaternion)
    cosine = 1 + dot(axes[:, 0], along)
    about = jnp.where(cosine > OPPOSITE, cross(axes[:, 0], along), axes[:, 2])
    return normalised(multiply(jnp.concatenate([cosine[None], about]), quaternion))
