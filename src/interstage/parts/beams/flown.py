"""The model that computes flexible beams during a flight.

The mass of each beam is in rigid segments of equal length h. Elements (`law`) of length h connect
neighbouring segments. Elements of length h/2 connect the clamps to the nearest segments. A segment has the
mass and inertia of a rigid body about its middle. The mass, centre of mass and inertia of a straight beam are
therefore exact. The beam applies loads to bodies at the clamps. The masses of the bodies do not change.

Each segment is a free body in the mass matrix, so the cost of the accelerations is proportional to the number
of segments. One array expression computes all segments of all beams.

The state vector contains these components of all segments, one component after another:

- d [m]: position of the centre of mass relative to the first end of the beam, inertial axes
- u [m/s]: rate of change of d, inertial axes
- quaternion from segment axes to inertial axes
- w [rad/s]: angular velocity, segment axes

With the force F and the torque T about the centre of mass,

    d' = u,   u' = F/m + g - a,   w' = J^-1 (T - w x J w),

where g is gravity and a is the acceleration of the first end of the beam, both relative to the local origin.
Positions relative to the first end remain small and do not change with the local origin. Elements connect the
middles of segments on the axis, at d - R c for an offset c of the centre of mass.
"""

from __future__ import annotations

from functools import cached_property, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.contract import HasReference, Linearizable, LinearState, Makers, MovingMass, Part, Stacked
from ...engine.stacks import Ends, ends, quaternions, stacked_attitudes
from ...environment import gravity_field
from ...maths.arrays import jnp
from ...maths.rotations import IDENTITY, matrix_of, multiply, rate, turned_midpoint, unit_quaternion
from ...maths.vectors import add_axes, cross, rotate, rotate_back
from ...model import attachments
from ...model.attachments import pick
from . import law, linear_states, segments
from .declared import Beam
from .law import Element, Frames
from .modal_damping import Damped, modal_damping
from .quantities import beam_quantities
from .segments import Made, arms
from .shared_mass import Factors, accelerations, between, factors, without
from .start import states_between_clamps

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.mechanism import Mechanism
    from ...engine.state import Discrete

STATE = 13
"""The number of states of one segment."""


class Clamps(NamedTuple):
    """Positions of the clamps in structural coordinates (`ends`), and their axes as declared."""

    ends: Ends
    parent_frame: dict[str, Any]
    child_frame: dict[str, Any]


class Own(NamedTuple):
    """Prepared data of all beams.

    - made: properties of the elements and segments of all beams, in order.
    - ends: positions of the clamps [m], structural coordinates.
    - axes: quaternions from clamp to structural axes (4, clamp, *cases).
    - arm: vectors from the centres of mass of the bodies to the clamps [m] (3, clamp, *cases), structural
      axes.

    The first clamps of all beams precede the second clamps.
    """

    made: Made
    ends: Ends
    axes: Any
    arm: Any = None


class Settled(NamedTuple):
    """Data of beams that are constant during a flight.

    - damped: modal damping; None if no beam has modal damping.
    - factors: factors of the mass matrices; None if no beam has a consistent mass matrix.
    """

    damped: Damped | None
    factors: Factors | None


class Found(NamedTuple):
    """Motion and loads of all beams at one time.

    - clamps, segments: frames on the beam axis.
    - centres: frames of the segments at their centres of mass.
    - elements: see `law.Element`.
    - load (6, segment, *cases): forces [N] and moments about the centres of mass [N m] on the segments,
      without gravity, inertial axes.
    - share (6, body, *cases): loads on the bodies; see `Part.wrench`.
    """

    clamps: Frames
    segments: Frames
    centres: Frames
    elements: Element
    load: Any
    share: Any


class Beams(Stacked, MovingMass, Linearizable, HasReference):
    """Model of all flexible beams of a scenario. The module describes the equations."""

    name = "beams"
    group = "forces"
    kinds = (Beam,)
    state_description = "segments of beams"
    restarts = True

    # --- structure

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """The number of segments of each beam."""
        return tuple(beam.elements for beam in self.items)

    @cached_property
    def rests(self) -> dict[Any, Any]:
        """Cache of the last static equilibria. Module `start` fills the cache."""
        return {}

    @cached_property
    def owner(self) -> np.ndarray:
        """For each segment, the index of its beam (segment,)."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    @cached_property
    def spans(self) -> tuple[int, ...]:
        """The number of elements of each beam; see `segments.span`."""
        return tuple(map(segments.span, self.items))

    @cached_property
    def sides(self) -> tuple[np.ndarray, np.ndarray]:
        """The indices of the left frame and of the right frame of each element. The frames are all segments,
        then the first clamps, then the second clamps of all beams.
        """
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
        """The index of the element after each frame, and the index of the element before each frame.

        The frames are in the order of `sides`. If the beam has no such element, the index is the number of
        elements.
        """
        frames = sum(self.counts) + 2 * len(self.counts)
        found = []
        for side in self.sides:
            own = np.full(frames, sum(self.spans))
            own[side] = np.arange(len(side))
            found.append(own)
        return found[0], found[1]

    @cached_property
    def bodies(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The indices of the bodies at the first ends and at the second ends of all beams. A free end has the
        index of the parent; its load is zero.
        """
        parent = [self.layout.body(beam.parent) for beam in self.items]
        child = [self.layout.body(beam.child or beam.parent) for beam in self.items]
        return tuple(parent), tuple(child)

    @cached_property
    def states(self) -> int:
        """The total number of states of all segments."""
        return STATE * sum(self.counts)

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the states, in the order of the state vector: one component of all segments, then the
        next component.
        """
        segments = [
            f"{beam.name}.{n + 1}" for beam, count in zip(self.items, self.counts) for n in range(count)
        ]
        return tuple(f"{segment}.{k}" for k in range(STATE) for segment in segments)

    @property
    def linear_states(self) -> tuple[LinearState, ...]:
        """The coordinates of linear analysis, relative to the clamps; see module `linear_states`."""
        return linear_states.linear_states(self)

    def to_linear(self, mechanism: Mechanism, x: Any, near: Any) -> Any:
        """Return the coordinates of linear analysis for a state x (coordinate, *cases); see module
        `linear_states`. For the parameters, see `Linearizable.to_linear`.
        """
        return linear_states.to_linear(self, mechanism, x, near)

    def from_linear(self, mechanism: Mechanism, x: Any, values: Any, near: Any) -> Any:
        """Return the states (`states`, *cases) for given coordinates of linear analysis; see module
        `linear_states`. For the parameters, see `Linearizable.from_linear`.
        """
        return linear_states.from_linear(self, mechanism, x, values, near)

    # --- numbers

    def stack_numbers(self, scenario: Any, lanes: int) -> Clamps:
        """Return the positions and axes of the clamps. The positions and axes are computed once, before a
        program is compiled. For the parameters, see `Stacked.stack_numbers`.
        """
        declared = self.of(scenario)
        frames = (
            stacked_attitudes([getattr(one, f"{end}_frame") for one in declared], lanes)
            for end in ("parent", "child")
        )
        return Clamps(ends(declared, lanes), *frames)

    def numbers(self, scenario: Any, stacked: Clamps, lanes: int) -> Own:
        """Return the prepared data of all beams, without the vectors from the centres of mass to the clamps.
        For the parameters, see `Part.numbers`.
        """
        declared = self.of(scenario)
        has = segments.having(self.items)
        parts = [segments.of(beam, lanes, has) for beam in declared]
        size = jnp.broadcast_shapes(
            *(one.shape[one.ndim - lanes :] for part in parts for one in part if one is not None)
        )
        joined = []
        for same in zip(*parts, strict=True):
            if same[0] is None:
                joined.append(None)
                continue
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

    def with_centres(self, own: Own, centre: Any) -> Own:
        """Return the data with the vectors from the present centres of mass to the clamps. For the
        parameters, see `Part.with_centres`.
        """
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

    def initial_states(self, mechanism: Mechanism, discrete: Discrete, lanes: tuple[int, ...]) -> Any:
        """Return the states of straight beams along the inertial x axis. `consistent_states` then moves the
        segments between the clamps. For the parameters, see `HasState.initial_states`.
        """
        own, total = mechanism.numbers.own[self.name], sum(self.counts)
        none = jnp.zeros((3, total, *lanes))
        place = jnp.stack([jnp.broadcast_to(self.middles(own), none.shape[1:]), none[0], none[0]])
        turn = jnp.broadcast_to(add_axes(jnp.asarray(IDENTITY), 2 + len(lanes)), (4, total, *lanes))
        return _flat(place, none, turn, none)

    def middles(self, own: Own) -> Any:
        """Return the distance of the middle of each segment from the first end of its beam [m] (segment,
        *cases).

        own: prepared data of the beams.
        """
        half = pick(own.made.length, np.cumsum((0, *self.spans[:-1])), 0)
        number = np.concatenate([2 * np.arange(count) + 1 for count in self.counts])
        half = pick(half, self.owner, 0)
        return half * add_axes(number, half.ndim)

    def consistent_states(self, here: Here) -> Any:
        """Return the states (`states`, *cases) that agree with the initial motion of the clamps; see module
        `start`.
        """
        return _flat(*states_between_clamps(self, here))

    def reference_values(self, mechanism: Mechanism, motion: Any) -> Settled:
        """Return the data of the beams that are constant during a flight. For the parameters, see
        `HasReference.reference_values`.
        """
        made, lanes = mechanism.numbers.own[self.name].made, motion.position.shape[2:]
        modes = modal_damping(self, mechanism, lanes) if self.most_modes else None
        return Settled(modes, None if made.shared is None else factors(made.mass, made.shared, lanes))

    def continue_reference(self, earlier: Part, before: Settled, fresh: Settled) -> Settled:
        """Return the data `fresh`, computed with the bodies of this leg. For the parameters, see
        `HasReference.continue_reference`.
        """
        return fresh

    def normalize(self, mechanism: Mechanism, x: Any) -> Any:
        """Return the states (`states`, *cases) with quaternions of unit length. For the parameters, see
        `HasState.normalize`.
        """
        apart, speed, turn, spin = self.split(mechanism.own(self.name, x))
        return _flat(apart, speed, unit_quaternion(turn), spin)

    def states_after_impulse(self, mechanism: Mechanism, x: Any, discrete: Discrete, change: Any) -> Any:
        """Return the states after an impulse on the bodies. The inertial velocities of the segments do not
        change. The states change because they contain velocities relative to the first end of the beam. For
        the parameters, see `MovingMass.states_after_impulse`.
        """
        apart, speed, turn, spin = self.split(mechanism.own(self.name, x))
        rotation = pick(mechanism.motion(x).rotation, self.bodies[0], 2)
        arm = mechanism.numbers.own[self.name].arm[:, : len(self.items)]
        jump = pick(change, self.bodies[0], 1)
        jump = jump[:3] + rotate(rotation, cross(jump[3:], arm))
        return _flat(apart, speed - pick(jump, self.owner, 1), turn, spin)

    def kick(self, own: Any, rates: Any, h: Any) -> Any:
        """Return the states with new velocities of the segments after a step of h [s]. Positions do not
        change.

        - own: states of the beams (`states`, *cases).
        - rates: their rates of change (`states`, *cases).

        For the parameters, see `HasState.kick`.
        """
        (apart, speed, turn, spin), (_, second, _, spun) = self.split(own), self.split(rates)
        return _flat(apart, speed + h * second, turn, spin + h * spun)

    def drift(self, own: Any, fast: Any, h: Any) -> Any:
        """Return the states with new positions and attitudes of the segments after a step of h [s].
        Velocities do not change.

        - own: states of the beams (`states`, *cases).
        - fast: states with the velocities of this step (`states`, *cases).

        For the parameters, see `HasState.drift`.
        """
        (apart, speed, turn, spin), (_, faster, _, turning) = self.split(own), self.split(fast)
        return _flat(apart + h * faster, speed, turned_midpoint(turn, h * turning), spin)

    # --- an instant

    def split(self, own: Any) -> tuple[Any, Any, Any, Any]:
        """Return d, u, the quaternions and w of all segments, each (component, segment, *cases). See the
        module for the symbols.

        own: states of the beams (`states`, *cases).
        """
        total, lanes = sum(self.counts), own.shape[1:]
        cuts = (0, 3 * total, 6 * total, 10 * total, STATE * total)
        a, b, c, d = (own[k:n].reshape(-1, total, *lanes) for k, n in pairwise(cuts))
        return a, b, c, d

    def clamps(self, own: Own, motion: Any) -> Frames:
        """Return the frames of all clamps: the first clamps of all beams, then the second clamps."""
        which = np.array([*self.bodies[0], *self.bodies[1]])
        spin = pick(motion.spin, which, 1)
        arm = rotate(pick(motion.rotation, which, 2), own.arm)
        velocity = pick(motion.velocity, which, 1) + cross(spin, arm)
        turn = pick(motion.quaternion, which, 1)
        turn = multiply(turn, jnp.broadcast_to(own.axes, turn.shape))
        return Frames(pick(motion.position, which, 1) + arm, velocity, turn, spin)

    def find(self, here: Here) -> Found:
        """Return the motion and loads of all beams at one time."""
        own, total, beams = here.numbers.own[self.name], sum(self.counts), len(self.items)
        clamps = self.clamps(own, here.motion)
        apart, speed, turn, spin = self.split(here.own(self.name))
        start = Frames(*(pick(one, self.owner, 1) for one in clamps))
        centres = Frames(start.position + apart, start.velocity + speed, turn, rotate(matrix_of(turn), spin))
        segments, arm = centres, arms(own.made, turn)
        if arm is not None:
            place, velocity = centres.position - arm, centres.velocity - cross(centres.spin, arm)
            segments = centres._replace(position=place, velocity=velocity)
        damped = partial(self._modal_loads, here) if self.most_modes else None
        found, load = self.loads(own, segments, clamps, damped)
        on_segments, on_clamps = load[:, :total], load[:, total:]
        if arm is not None:
            moment = on_segments[3:] - cross(arm, on_segments[:3])
            on_segments = jnp.concatenate([on_segments[:3], moment])
        if self.dragging:
            drag = -own.made.dragged * jnp.concatenate(
                [
                    own.made.mass * (speed - cross(start.spin, apart)),
                    _inertia_times(turn, own.made.inertia, segments.spin - start.spin),
                ]
            )
            on_segments = on_segments + drag
            back = -jnp.concatenate([drag[:3], drag[3:] + cross(apart, drag[:3])])
            back = attachments.sum_by_body(back, 0 * back, self.owner, self.owner, beams)
            on_clamps = jnp.concatenate([on_clamps[:, :beams] + back, on_clamps[:, beams:]], 1)
        return Found(clamps, segments, centres, found, on_segments, self._share(here, on_clamps))

    def loads(self, own: Own, segments: Frames, clamps: Frames, damped: Any = None) -> tuple[Element, Any]:
        """Return the elements, and their loads on segments and clamps (6, frame, *cases), inertial axes.

        damped: function that returns the section loads of modal damping; see `law.elements`.
        """
        every = Frames(*(_append_clamps(a, b) for a, b in zip(segments, clamps, strict=True)))
        left, right = (Frames(*(pick(one, side, 1) for one in every)) for side in self.sides)
        made = own.made
        stiff = made.along, made.about, made.damping
        found = law.elements(left, right, made.length, *stiff, damped, made.unloaded, made.shear)
        both = zip((found.on_left, found.on_right), self.next_to, strict=True)
        return found, sum(pick(_with_none(one), where, 1) for one, where in both)

    @cached_property
    def most_modes(self) -> int:
        """The largest number of damped modes of any beam."""
        return max(beam.modes for beam in self.items)

    def _modal_loads(self, here: Here, rates: Any) -> Any:
        """Return the section loads (6, element, *cases) of modal damping for given strain rates."""
        modes: Damped = here.mechanism.reference.own[self.name].damped
        by_element = jnp.sum(modes.felt * rates[:, :, None], 0)
        owner = np.repeat(np.arange(len(self.spans)), self.spans)
        own = add_axes(owner == np.arange(len(self.spans))[:, None], by_element.ndim + 1)
        felt = jnp.sum(own * by_element, 1)  # (beam, mode, *cases)
        return jnp.sum(modes.given * pick(felt, owner, 0), 2)

    @cached_property
    def dragging(self) -> bool:
        """Whether any beam declares `mass_damping`. A study can change a declared number, but cannot add a
        missing key.
        """
        return any("mass_damping" in beam.model_fields_set for beam in self.items)

    def _share(self, here: Here, load: Any) -> Any:
        """Return loads on the clamps (6, clamp, *cases), inertial axes, as loads on bodies (6, body,
        *cases)."""
        own, motion, beams = here.numbers.own[self.name], here.motion, len(self.items)
        rotation = pick(motion.rotation, np.array([*self.bodies[0], *self.bodies[1]]), 2)
        torque = rotate_back(rotation, load[3:]) + cross(own.arm, rotate_back(rotation, load[:3]))
        on = jnp.concatenate([load[:3], torque])
        return attachments.sum_by_body(on[:, :beams], on[:, beams:], *self.bodies, motion.position.shape[1])

    def wrench(self, here: Here) -> Any:
        """Return the loads of the beams on the bodies (6, column, *cases); see `Part.wrench`."""
        return here[self.name].share

    def rates(self, here: Here, acceleration: Any) -> Any:
        """Return the rates of change of the states (`states`, *cases). For the parameters, see
        `HasState.rates`.
        """
        own, found = here.numbers.own[self.name], here[self.name]
        _, speed, turn, w = self.split(here.own(self.name))
        parents = self.bodies[0]
        motion, arm = here.motion, own.arm[:, : len(self.items)]
        base, spin = pick(acceleration, parents, 1), pick(motion.spin_body, parents, 1)
        about = cross(base[3:], arm) + cross(spin, cross(spin, arm))
        base = base[:3] + rotate(pick(motion.rotation, parents, 2), about)
        force, solve = found.load[:3], here.mechanism.reference.own[self.name].factors
        second = force / own.made.mass if solve is None else accelerations(solve, force)
        second = second + self.pull(here) - pick(base, self.owner, 1)
        torque = rotate_back(matrix_of(turn), found.load[3:]) - cross(w, own.made.inertia * w)
        return _flat(speed, second, rate(turn, w), torque / own.made.inertia)

    def pull(self, here: Here) -> Any:
        """Return gravity at the segments [m/s^2] (3, segment, *cases), inertial axes. If the local origin
        falls freely, the result is relative to gravity at the origin.
        """
        scenario, offset = here.mechanism.scenario, here[self.name].centres.position
        field, planet, origin = scenario.gravity, scenario.planet, here.origin
        if self.layout.ground:
            return gravity_field.acceleration(field, planet, here.t, origin[:, None] + offset)
        return gravity_field.difference(field, planet, here.t, origin, offset)

    def stored_energy(self, here: Here) -> Any:
        """Return the total strain energy of all beams [J] (*cases)."""
        return jnp.sum(here[self.name].elements.energy, 0)

    def carried_mass(self, here: Here) -> Any:
        """Return for each body the total mass of the beams whose first end is on this body [kg] (body,
        *cases).
        """
        made, begins = here.numbers.own[self.name].made, np.array(self.bodies[0])[self.owner]
        table = (np.arange(self.layout.count)[:, None] == begins).astype(float)
        return jnp.sum(add_axes(table, 1 + made.mass.ndim) * made.mass[None], 1)

    def masses(self, here: Here) -> Any:
        """Return point masses that represent the segments; see `MovingMass.masses`.

        Six points represent the mass, centre of mass and inertia of each segment. Two points are on each
        axis, at a distance that follows from the second moments of mass. The mass that two neighbours share
        is a further point half way between the two segments.
        """
        made, segments = here.numbers.own[self.name].made, here[self.name].centres
        axes, lanes = matrix_of(segments.quaternion), segments.position.shape[2:]
        moment = 0.5 * jnp.sum(made.inertia, 0) - made.inertia
        own = made.mass if made.shared is None else without(made.mass, made.shared)
        size = jnp.broadcast_to(jnp.sqrt(3 * moment / own), (3, *segments.position.shape[1:]))
        arm = jnp.concatenate([axes * size, -axes * size], 1)  # (3, point, segment)
        place = segments.position[:, None] + arm
        speed = segments.velocity[:, None] + cross(segments.spin[:, None], arm)
        mass = jnp.broadcast_to(own / 6, (6, *segments.position.shape[1:]))
        found = mass.reshape(-1, *lanes), place.reshape(3, -1, *lanes), speed.reshape(3, -1, *lanes)
        if made.shared is None:
            return found
        return tuple(
            jnp.concatenate(both, -1 - len(lanes)) for both in zip(found, between(made.shared, segments))
        )

    def quantities(self) -> Makers:
        """Return the functions that make the quantities of each beam and of its sections and segments, by
        path.
        """
        return beam_quantities(self)


def _flat(*parts: Any) -> Any:
    return jnp.concatenate([part.reshape(-1, *part.shape[2:]) for part in parts])


def _append_clamps(segments: Any, clamps: Any) -> Any:
    """Append the values of clamps to the values of segments. All cases can share values."""
    clamps = jnp.broadcast_to(clamps, (*clamps.shape[:2], *segments.shape[2:]))
    return jnp.concatenate([segments, clamps], 1)


def _with_none(loads: Any) -> Any:
    """Append zero loads to loads (6, element, *cases)."""
    return jnp.concatenate([loads, jnp.zeros_like(loads[:, :1])], 1)


def _inertia_times(quaternion: Any, inertia: Any, vector: Any) -> Any:
    """Return J times vectors, inertial axes, with J diagonal in the axes of a quaternion."""
    matrix = matrix_of(quaternion)
    return rotate(matrix, inertia * rotate_back(matrix, vector))
