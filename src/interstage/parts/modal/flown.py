"""Flexible bodies (modal) in flight.

A free body's modes are orthogonal to its rigid motion and to each other. With r, R, v, w of its mean axes,
whose origin is the centre of mass, a point P = a + phi q of it (structural axes) is at r + R P, and

    T = m v.v/2 + w.J w/2 + sum m_i q_i'^2/2,      V = sum m_i w_i^2 q_i^2/2

without second-order terms of the elastic displacement: inertia is that of the undeformed shape, and rotation
does not change the stiffness (mean axes: R. D. Milne, Some remarks on the dynamics of deformable bodies, AIAA
Journal 6, 1968; M. R. Waszak and D. K. Schmidt, Flight dynamics of aeroelastic vehicles, Journal of Aircraft
25, 1988). The rigid-body equations are unchanged for forces F and torques T at points, with moments about the
displaced P. The coordinates obey

    m_i (q_i'' + 2 zeta_i w_i q_i' + w_i^2 q_i) = sum over points phi_i.F + psi_i.J^T T

with J of `law`, F and T in structural axes. This follows from the Lagrangian with the exact work of the
loads. Momentum, angular momentum and energy of several such bodies are therefore conserved for any joints.

If a body drains, m_i, w_i and the shapes depend on the propellant left: see `interpolated`.

Each attachment on such a body (`stands`) has its own station: a frame that moves with the nearest point of
the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.contract import ChecksStart, Linearizable, LinearState, Makers, NodeKey, Stacked
from ...maths.arrays import jnp, jvp
from ...maths.rotations import matrix_of, multiply
from ...maths.vectors import cross, norm, rotate, rotate_back, widened
from ...model.attachments import Motion, picked
from ...tree.errors import Problem
from . import interpolated, law
from .declared import GROUPS, ModalBody
from .flown_draining import Following
from .numbers import Bent, Own, along, rows_of, side_by_side
from .quantities import modal_quantities

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.mechanism import Mechanism
    from ...engine.state import Discrete
    from .levels import Level


class ModalBodies(Stacked, ChecksStart, Linearizable, Following):
    """All flexible bodies with modes, see the module. Its state is the coordinates of all modes, then their
    rates."""

    name = "modal"
    group = "forces"
    kinds = (ModalBody,)
    state_description = "modes of bodies"

    # --- structure

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Number of modes of each body."""
        return tuple(item.count for item in self.items)

    @cached_property
    def states(self) -> int:
        """Coordinates and rates."""
        return 2 * sum(self.counts)

    @property
    def labels(self) -> tuple[str, ...]:
        """Coordinates of all modes, then their rates."""
        modes = [
            f"{item.name}.mode_{n + 1}" for item, count in zip(self.items, self.counts) for n in range(count)
        ]
        return tuple(f"{mode}.{what}" for what in ("coordinate", "rate") for mode in modes)

    @property
    def linear_states(self) -> tuple[LinearState, ...]:
        """Coordinates and rates as linear states, with their units."""
        ways = {"coordinate": "m", "rate": "m/s"}
        each = zip(self.items, self.counts)
        things = [f"mode {n + 1} of {item.name}" for item, count in each for n in range(count)]
        each = zip(self.labels, [*things, *things], strict=True)
        return tuple(
            LinearState(f"modal.{label}", ways[way], thing, way)
            for label, thing in each
            for way in [label.rpartition(".")[2]]
        )

    def to_linear(self, mechanism: Mechanism, x: Any, near: Any) -> Any:
        """The states, unchanged."""
        return mechanism.own(self.name, x)

    def from_linear(self, mechanism: Mechanism, x: Any, values: Any, near: Any) -> Any:
        """The linear states, unchanged."""
        return values

    @cached_property
    def seated(self) -> tuple[tuple[Any, str, int, tuple[str, int]], ...]:
        """(declaration, end, index of the body here, (group, index) of the declaration) of each
        attachment."""
        number = {item.body: k for k, item in enumerate(self.items)}
        return tuple(
            (item, end, number[getattr(item, end)], (group, n))
            for group in GROUPS
            for n, item in enumerate(getattr(self.layout.scenario, group))
            for end, _ in getattr(item, "stands", ())
            if getattr(item, end) in number
        )

    @cached_property
    def nodes(self) -> tuple[NodeKey, ...]:
        """Keys of the stations: one for each end of an attachment."""
        return tuple((type(item).__name__, item.name, end) for item, end, *_ in self.seated)

    @cached_property
    def node_bodies(self) -> np.ndarray:
        """Indices of the flexible bodies of the stations."""
        return np.array([self.layout.body(self.items[k].body) for *_, k, _ in self.seated], int)

    @cached_property
    def degrees_of_freedom(self) -> tuple[int, ...]:
        """Coordinates of all modes; () without attachments."""
        every = zip(self.items, self.counts, strict=True)
        found = tuple(self.layout.body(item.body) for item, count in every for _ in range(count))
        return found if self.nodes else ()

    # --- numbers

    def stacked(self, scenario: Any, lanes: int) -> Own:
        """Numbers of all modes and stations."""
        declared = self.of(scenario)
        levels = [item.at_levels for item in declared]
        highest = [each[-1] for each in levels]
        found = self._at_levels(scenario, highest, lanes)
        tables = {}
        for k in self.draining:
            each = [
                self._at_levels(scenario, [*highest[:k], level, *highest[k + 1 :]], lanes)
                for level in levels[k]
            ]
            points = [interpolated.rows_of_points(level, lanes) for level in levels[k]]
            tables[k] = interpolated.table(declared[k], [rows_of(one, self._of(k)) for one in each], points)
        bodies = {body.name: body for body in scenario.bodies}
        both = [_most(item, bodies[item.body].mass, lanes) for item in declared]
        moved, turned = (side_by_side(list(each), 0) for each in zip(*both, strict=True))
        return found._replace(tables=tables, moved=moved, turned=turned)

    def _at_levels(self, scenario: Any, levels: Sequence[Level], lanes: int) -> Own:
        """Numbers of all modes and stations, with each body at a given level."""
        total, first = sum(self.counts), np.cumsum((0, *self.counts))

        def of_modes(name: str) -> Any:
            rows = [
                jnp.broadcast_to(one, (count, *one.shape[1:]))
                for one, count in zip([jnp.asarray(getattr(d, name)) for d in levels], self.counts)
            ]
            return side_by_side(rows, 0)

        places, shapes = [], []
        for item, end, k, (group, n) in self.seated:
            field = dict(item.stands)[end]
            at = jnp.asarray(getattr(getattr(scenario, group)[n], field))
            place, shape = _nearest(levels[k], widened(at, 1 + lanes), lanes)
            before, behind = first[k], total - first[k + 1]
            none = [jnp.zeros((6, m, *shape.shape[2:])) for m in (before, behind)]
            places.append(place[:, None])
            shapes.append(jnp.concatenate([none[0], shape, none[1]], 1)[:, None])
        empty = jnp.zeros((6, 0, total, *(1,) * lanes))
        whole = side_by_side([empty, *shapes], 1) if shapes else empty
        place = side_by_side(places, 1) if places else jnp.zeros((3, 0, *(1,) * lanes))
        frequency, damping, mass = (of_modes(n) for n in ("frequency", "damping", "mass"))
        return Own(frequency, damping, mass, whole[:3], whole[3:], place)

    def numbers(self, scenario: Any, stacked: Own, lanes: int) -> Own:
        """The same."""
        return stacked

    def node_positions(self, own: Own) -> Any:
        """Positions of the nearest points of the tables."""
        return jnp.asarray(own.place)

    def centred(self, own: Own, centre: Any) -> Own:
        """Numbers with the arms from the centres of mass."""
        if not len(self.node_bodies):
            return own._replace(arm=own.place)
        return own._replace(arm=jnp.asarray(own.place) - picked(centre, self.node_bodies, 1))

    # --- the start

    def initial_states(self, mechanism: Mechanism, discrete: Discrete, lanes: tuple[int, ...]) -> Any:
        """Coordinates and rates as declared."""
        rows = []
        for name in ("coordinate", "rate"):
            for item, count in zip(self.of(mechanism.scenario), self.counts, strict=True):
                value = getattr(item, name)
                value = jnp.zeros(1) if value is None else jnp.asarray(value)
                value = widened(value, 1 + len(lanes))
                rows.append(jnp.broadcast_to(value, (count, *lanes)))
        return jnp.concatenate(rows)

    def start_values(self, mechanism: Mechanism, motion: Any) -> Any:
        """Distance of each station beyond the reach of its point [m], and excess of propellant above the
        highest level [kg] (station or body, *cases)."""
        scenario, lanes = mechanism.scenario, motion.position.ndim - 2
        place, declared = jnp.asarray(mechanism.numbers.own[self.name].place), self.of(scenario)
        rows = []
        for row, (item, end, k, (group, n)) in enumerate(self.seated):
            at = jnp.asarray(getattr(getattr(scenario, group)[n], dict(item.stands)[end]))
            away = norm(place[:, row] - widened(at, 1 + lanes))
            rows.append(away - widened(jnp.asarray(declared[k].reach), lanes))
        rows += self.above(mechanism, lanes)
        whole = [jnp.broadcast_to(row, motion.position.shape[2:]) for row in rows]
        return jnp.stack(whole) if rows else None

    def doubtful_cases(self, start: Any, found: Any) -> Any:
        """Cases with stations out of reach or propellant above the levels."""
        return None if found is None else np.any(np.asarray(found) > ROUNDING, axis=0)

    def start_problems(self, start: Any) -> Iterator[Problem]:
        """Faults of a start; those of a single flight are already refused by the declaration."""
        found = start.own.get(self.name)
        rows = [] if found is None else [float(row) for row in np.asarray(found)]
        for (item, end, k, (group, _)), over in zip(self.seated, rows):
            if over > ROUNDING:
                text = f"is {over:.4g} m out of reach of any point of the modes {self.items[k].name}"
                place = f"{group}.{item.name}.{dict(item.stands)[end]}"
                yield Problem(place, f"{text}. Give the shapes there, or raise `reach`")
        for k, over in zip(self.draining, rows[len(self.seated) :]):
            if over > ROUNDING:
                text = f"ends {over:.6g} kg below the initial propellant of '{self.items[k].body}'"
                yield Problem(
                    f"forces.{self.items[k].name}.propellant",
                    f"{text}. Give modes for this level, or less propellant",
                )

    def kick(self, own: Any, rates: Any, h: Any) -> Any:
        """Rates of the coordinates."""
        q, rate = self.coordinates(own)
        return jnp.concatenate([q, rate + h * self.coordinates(rates)[1]])

    def drift(self, own: Any, fast: Any, h: Any) -> Any:
        """Coordinates."""
        q, rate = self.coordinates(own)
        return jnp.concatenate([q + h * self.coordinates(fast)[1], rate])

    def sizes(self, mechanism: Mechanism) -> Any:
        """Scales of the states: points then have the tolerance of bodies, which is absolute up to `scales`.
        Steps do not depend on the normalization of modes."""
        own, (length, speed, rate) = mechanism.numbers.own[self.name], mechanism.scales()
        place = jnp.maximum(own.moved / length, own.turned)
        motion = jnp.maximum(own.moved / speed, own.turned / rate)
        return 1.0 / jnp.concatenate(jnp.broadcast_arrays(place, motion))

    # --- an instant

    def coordinates(self, own: Any) -> tuple[Any, Any]:
        """q and q' (mode, *cases) from the states."""
        count = sum(self.counts)
        return own[:count], own[count:]

    def _station_states(self, own: Own, q: Any, rate: Any) -> Bent:
        moved, turn = (along(shape, q) for shape in (own.phi, own.psi))
        speed, turned = (along(shape, rate) for shape in (own.phi, own.psi))
        quaternion = law.attitude(turn)
        return Bent(
            own.arm + moved, speed, turn, law.turning(turn, turned), matrix_of(quaternion), quaternion
        )

    def find(self, here: Here) -> Bent:
        """Motion of the stations."""
        own = here.numbers.own[self.name]
        return self._station_states(own, *self.coordinates(here.own(self.name)))

    def node_motion(self, mechanism: Mechanism, x: Any, motion: Motion) -> Motion:
        """Motion of the stations, displaced and rotated with their points."""
        bent = self._station_states(self.now(mechanism, x), *self.coordinates(mechanism.own(self.name, x)))
        bodies = self.node_bodies
        turn, spin = picked(motion.rotation, bodies, 2), picked(motion.spin_body, bodies, 1)
        position = picked(motion.position, bodies, 1) + rotate(turn, bent.arm)
        speed = cross(spin, bent.arm) + bent.speed
        velocity = picked(motion.velocity, bodies, 1) + rotate(turn, speed)
        quaternion = multiply(picked(motion.quaternion, bodies, 1), bent.quaternion)
        whole = spin + bent.spin
        own = rotate_back(bent.rotation, whole)
        return Motion(position, velocity, matrix_of(quaternion), rotate(turn, whole), own, quaternion)

    def node_loads(
        self, mechanism: Mechanism, x: Any, motion: Motion, loads: Any, which: Any
    ) -> tuple[Any, Any]:
        """Loads of stations on bodies and, by the shapes there, on modes."""
        own = self.now(mechanism, x)
        bent = self._station_states(own, *self.coordinates(mechanism.own(self.name, x)))
        turn = picked(motion.rotation, self.node_bodies[which], 2)
        force = rotate_back(turn, loads[:3])
        torque = rotate(picked(bent.rotation, which, 2), loads[3:])
        on_body = jnp.concatenate([loads[:3], torque + cross(picked(bent.arm, which, 1), force)])
        torque = law.work(picked(bent.turn, which, 1), torque)
        phi, psi = (picked(shape, which, 1) for shape in (own.phi, own.psi))
        pushed = jnp.sum(phi * force[:, :, None] + psi * torque[:, :, None], 0)
        return on_body, jnp.swapaxes(pushed, 0, 1)

    def generalized_masses(self, own: Own) -> Any:
        """Generalized masses."""
        return own.mass

    def generalized_rates(self, own: Any) -> Any:
        """Rates of the coordinates."""
        return self.coordinates(own)[1]

    def free_acceleration(self, here: Here) -> Any:
        """Modal accelerations from strain, damping and change of generalized masses."""
        own = here.numbers.own[self.name]
        q, rate = self.coordinates(here.own(self.name))
        found = -own.frequency * (2 * own.damping * rate + own.frequency * q)
        return found - own.gain * self._propellant_rates(here) / own.mass * rate if self.draining else found

    def displace(self, own: Any, by: Any, jump: Any) -> Any:
        """Coordinates and rates."""
        return own + jnp.concatenate([by, jump])

    def rates(self, here: Here, acceleration: Any) -> Any:
        """Derivatives of the states."""
        second = here.generalized_accelerations_of(self.name) if self.nodes else self.free_acceleration(here)
        return jnp.concatenate([self.generalized_rates(here.own(self.name)), second])

    def node_accelerations(self, here: Here, acceleration: Any, second: Any) -> Any:
        """Accelerations of the stations, angular ones in the stations' axes."""
        own, bent, motion = here.numbers.own[self.name], here[self.name], here.motion
        q, rate = self.coordinates(here.own(self.name))

        def spin(q: Any, rate: Any) -> Any:
            return law.turning(along(own.psi, q), along(own.psi, rate))

        spun = jvp(spin, (q, rate), (rate, second))[1]
        bodies = self.node_bodies
        turn, w = picked(motion.rotation, bodies, 2), picked(motion.spin_body, bodies, 1)
        of_body = picked(acceleration, bodies, 1)
        if self.nodes_follow_mass:
            return self._accelerated_with_shapes(here, of_body, second)
        relative = cross(of_body[3:], bent.arm) + cross(w, cross(w, bent.arm) + 2 * bent.speed)
        linear = of_body[:3] + rotate(turn, relative + along(own.phi, second))
        angular = rotate_back(bent.rotation, of_body[3:] + spun - cross(bent.spin, w))
        return jnp.concatenate([linear, angular])

    def energies(self, here: Here) -> tuple[Any, Any]:
        """Strain energy and kinetic energy of each mode [J] (mode, *cases)."""
        own = here.numbers.own[self.name]
        q, rate = self.coordinates(here.own(self.name))
        return 0.5 * own.mass * (own.frequency * q) ** 2, 0.5 * own.mass * rate**2

    def dropped_notes(self, here: Here, other: Any, bodies: Any, begins: bool) -> Iterator[str]:
        """Notes on bodies whose modes end or begin here: energy of the modes, and largest displacement of an
        attachment."""
        known = {item.name for item in other.items} if other is not None else set()
        moved = norm(along(here.numbers.own[self.name].phi, self.coordinates(here.own(self.name))[0]))
        strain, motion = self.energies(here)
        energy = strain + motion
        for k, item in enumerate(self.items):
            if item.name in known or item.body not in bodies:
                continue
            off = np.max(moved[[on == k for *_, on, _ in self.seated]], initial=0.0)
            does = "is flexible from here, and starts with" if begins else "is rigid from here, and loses"
            text = f"'{item.body}' {does} {float(np.sum(energy[self._of(k)])):.4g} J of {item.name}"
            yield f"{text}; attachments move by up to {off:.4g} m" if off else text

    def stored(self, here: Here) -> Any:
        """Energy of all modes, including kinetic energy [J]."""
        strain, motion = self.energies(here)
        return jnp.sum(strain + motion, 0)

    def quantities(self) -> Makers:
        """Quantities of each body, its modes and points."""
        return modal_quantities(self)


ROUNDING = 1e-12
"""Rounding tolerance of distances beyond `reach` [m]."""


def _most(item: Any, mass: Any, lanes: int) -> tuple[Any, Any]:
    """Largest displacement and rotation of a point per unit modal coordinate at any level (mode, *cases). The
    displacement is at least the root mean square by masses for a body of `mass` [kg]."""
    moved, turned = zip(*(_most_at(level, mass, lanes) for level in item.at_levels), strict=True)
    return reduce(jnp.maximum, moved), reduce(jnp.maximum, turned)


def _most_at(level: Level, mass: Any, lanes: int) -> tuple[Any, Any]:
    """As `_most`, at one level."""
    count = np.shape(level.frequency)[0]
    whole = widened(jnp.asarray(level.mass), 1 + lanes) / widened(jnp.asarray(mass), lanes)
    moved = jnp.broadcast_to(jnp.sqrt(whole), (count, *whole.shape[1:]))
    turned = jnp.zeros((count, *(1,) * lanes))
    for point in level.points:
        shape, turn = (widened(jnp.asarray(one), 2 + lanes) for one in (point.shape, point.turn))
        moved = jnp.maximum(moved, norm(jnp.swapaxes(shape, 0, 1)))
        turned = jnp.maximum(turned, norm(jnp.swapaxes(turn, 0, 1)))
    return moved, turned


def _nearest(item: Any, at: Any, lanes: int) -> tuple[Any, Any]:
    """Position of the table point nearest to a position (3, *cases) [m], and shapes there (6, mode, *cases);
    the mean of equally near points."""
    points = [widened(jnp.asarray(point.at), 1 + lanes) for point in item.points]
    square = [jnp.sum((point - at) ** 2, 0) for point in points]
    least = square[0]
    for one in square[1:]:
        least = jnp.where(one < least, one, least)
    chosen = [jnp.where(one <= least, 1.0, 0.0) for one in square]
    total = sum(chosen)
    weight = [one / total for one in chosen]
    place = sum(w * point for w, point in zip(weight, points, strict=True))
    shape: Any = 0.0
    for w, point in zip(weight, item.points, strict=True):
        both = [widened(jnp.asarray(one), 2 + lanes) for one in (point.shape, point.turn)]
        shape = shape + w * jnp.swapaxes(side_by_side(both, 1), 0, 1)
    return place, shape
