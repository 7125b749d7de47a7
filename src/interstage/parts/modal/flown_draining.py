"""Modes of draining bodies in flight.

When shapes change, a point moves even with constant modal coordinates. Its velocity (d phi/d propellant) q
times the propellant rate adds to phi q' for joints, sensors and dampers (`Here.moving`). Terms of second
order in that rate are neglected in accelerations; joints correct them with the positions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine import stations
from ...engine.contract import Flexible, Range, Tabulated
from ...maths import interpolation
from ...maths.arrays import jnp, jvp
from ...maths.vectors import cross, rotate, rotate_back, widened
from ...model import attachments
from ...model.attachments import Motion, picked
from ..propellant import masses
from ..propellant.elements import FULL
from . import interpolated, law
from .numbers import Own, along, rows_of, side_by_side

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.mechanism import Mechanism
    from ...engine.state import Discrete


class Following(Flexible, Tabulated):
    """Additional methods of flexible bodies whose tanks drain; subclasses have `counts` and `coordinates`."""

    counts: tuple[int, ...]

    def coordinates(self, own: Any) -> tuple[Any, Any]:
        """q and q' (mode, *cases) from the states."""
        raise NotImplementedError

    @cached_property
    def draining(self) -> tuple[int, ...]:
        """Indices here of the bodies whose modes depend on the propellant left."""
        return tuple(k for k, item in enumerate(self.items) if item.propellant is not None)

    def _of(self, k: int) -> slice:
        """Slice of the modes of one body."""
        first = sum(self.counts[:k])
        return slice(first, first + self.counts[k])

    def left(self, mechanism: Mechanism, x: Any, k: int) -> Any:
        """Propellant left in one of the draining bodies [kg] (*cases)."""
        body = self.layout.body(self.items[k].body)
        return masses.held(self.layout, mechanism.numbers, body, mechanism.own("streams", x))

    def now(self, mechanism: Mechanism, x: Any) -> Own:
        """Numbers with the modes and centres of mass of draining bodies in a state."""
        own = mechanism.numbers.own[self.name]
        if not self.draining:
            return own
        rows: dict[int, tuple[Any, Any]] = {}
        for k in self.draining:
            left, points = self.left(mechanism, x, k), own.tables[k].modes
            rows[k] = interpolated.look_up_rows(points, left), interpolated.slopes(points, left)
        return self._with_rows(own, rows)._replace(arm=self._arms(mechanism, x, own))

    def _with_rows(self, own: Own, rows: Mapping[int, tuple[Any, Any]]) -> Own:
        """Numbers with the rows of some bodies and their derivatives by the propellant left."""
        found: list[list[Any]] = [[] for _ in range(6)]
        for k, count in enumerate(self.counts):
            now = rows[k][0] if k in rows else rows_of(own, self._of(k))
            change = rows[k][1] if k in rows else jnp.zeros_like(now)
            whole = 6, len(self.nodes), count, *now.shape[1:]
            shapes, bend = (one[3 * count :].reshape(whole) for one in (now, change))
            split = (*(now[n * count : (n + 1) * count] for n in range(3)), shapes)
            own_rows = *split, change[2 * count : 3 * count], bend
            for column, one in zip(found, own_rows, strict=True):
                column.append(one)
        frequency, damping, mass, gain = (side_by_side(found[n], 0) for n in (0, 1, 2, 4))
        damping = jnp.where(damping < 0, 0.0, damping)  # extrapolated beyond the levels
        shapes, bend = (side_by_side(found[n], 2) for n in (3, 5))
        numbers = {"frequency": frequency, "damping": damping, "mass": mass, "gain": gain, "bend": bend}
        return own._replace(**numbers, phi=shapes[:3], psi=shapes[3:])

    def _arms(self, mechanism: Mechanism, x: Any, own: Own) -> Any:
        """Vectors from the centres of mass in a state to the stations."""
        if not self.nodes:
            return own.place
        centre, left = mechanism.numbers.centre, mechanism.own("streams", x)
        moving = {self.layout.body(self.items[k].body) for k in self.draining}
        columns = [
            masses.centre(self.layout, mechanism.numbers, body, left) if body in moving else centre[:, body]
            for body in range(self.layout.count)
        ]
        lanes = jnp.broadcast_shapes(*(one.shape[1:] for one in columns))
        whole = jnp.stack([jnp.broadcast_to(one, (3, *lanes)) for one in columns], 1)
        return self.centred(own, whole).arm

    def with_mass(self, mechanism: Mechanism, x: Any, discrete: Discrete) -> Mechanism:
        """The mechanism with the modes of the propellant left."""
        if not self.draining:
            return mechanism
        numbers, own = mechanism.numbers, self.now(mechanism, x)
        inertias = numbers.inertias
        if inertias.freedoms is not None:
            first, count = self.layout.degrees_of_freedom[self.name]
            inverse = inertias.freedoms.inverse_mass
            lanes = jnp.broadcast_shapes(inverse.shape[1:], own.mass.shape[1:])
            parts = inverse[:first], 1 / own.mass, inverse[first + count :]
            whole = jnp.concatenate([jnp.broadcast_to(one, (one.shape[0], *lanes)) for one in parts])
            inertias = inertias._replace(freedoms=replace(inertias.freedoms, inverse_mass=whole))
        return mechanism.with_numbers(
            numbers._replace(own={**numbers.own, self.name: own}, inertias=inertias)
        )

    def kink_locations(self, here: Here) -> Iterable[Any]:
        """Positions of draining bodies among the kinks of their modes."""
        for k in self.draining:
            points = here.equations.numbers.own[self.name].tables[k].modes
            left = self.left(here.equations, here.x, k)
            yield interpolation.place(interpolated.kinks(points, left), left)

    def table_intervals(self, here: Here) -> Iterable[Any]:
        """Positions of draining bodies among the levels of their modes."""
        for k in self.draining:
            points, left = (
                here.equations.numbers.own[self.name].tables[k].modes,
                self.left(here.equations, here.x, k),
            )
            yield interpolation.interval(widened(points.where, 1 + left.ndim), left)

    def above(self, mechanism: Mechanism, lanes: int) -> list[Any]:
        """Excess of the initial propellant of draining bodies above the highest level [kg] (*cases)."""
        left = masses.first_left(self.layout, mechanism.scenario, lanes) if self.draining else None
        found = []
        for k in self.draining:
            held = masses.held(self.layout, mechanism.numbers, self.layout.body(self.items[k].body), left)
            highest = widened(mechanism.numbers.own[self.name].tables[k].modes.where[-1], lanes)
            found.append(held - highest * FULL)
        return found

    def outside_ranges(self, here: Here) -> Mapping[str, Any]:
        """Excess of the propellant left beyond the levels of the modes [kg]."""
        tables = here.equations.numbers.own[self.name].tables
        return {
            self.items[k].name: interpolated.beyond(tables[k].modes, self.left(here.equations, here.x, k))
            for k in self.draining
        }

    def ranges(self, scenario: Any) -> Mapping[str, Range]:
        """Ranges of the propellant levels."""
        declared = self.of(scenario)
        return {declared[k].name: _range(declared[k]) for k in self.draining}

    @property
    def nodes_follow_mass(self) -> bool:
        """Whether stations depend on mass flow: shapes of draining bodies change."""
        return bool(self.draining)

    def _drift(self, here: Here, of: Any) -> tuple[Any, Any]:
        """Velocities and rotation rates of stations by the change of shapes with given coordinates or rates
        (3, station, *cases), body axes."""
        bend, by = here.numbers.own[self.name].bend, of * self._propellant_rates(here)
        return along(bend[:3], by), along(bend[3:], by)

    def node_motion_with_mass_flow(self, here: Here) -> Motion:
        """Motion of stations, including the change of shapes at constant modal coordinates."""
        bent, among = here[self.name], self._among(here)
        own = attachments.between(here.motion, among)
        turn = picked(here.motion.rotation, self.node_bodies, 2)
        moved, turned = self._drift(here, self.coordinates(here.own(self.name))[0])
        turned = law.turning(bent.turn, turned)
        spin_body = own.spin_body + rotate_back(bent.rotation, turned)
        velocity, spin = own.velocity + rotate(turn, moved), own.spin + rotate(turn, turned)
        return own._replace(velocity=velocity, spin=spin, spin_body=spin_body)

    def _among(self, here: Here) -> slice:
        """Slice of its stations in all columns."""
        return next(among for part, among in stations.moving(here.equations) if part is self)

    def _propellant_rates(self, here: Here) -> Any:
        """Propellant rates of the body of each mode [kg/s] (mode, *cases)."""
        drain, none = here["streams"].drain, jnp.zeros(here.t.shape)
        of_bodies = [
            masses.drained(self.layout, self.layout.body(item.body), drain) if k in self.draining else none
            for k, item in enumerate(self.items)
        ]
        each = zip(of_bodies, self.counts, strict=True)
        return jnp.stack([jnp.broadcast_to(one, here.t.shape) for one, count in each for _ in range(count)])

    def _accelerated_with_shapes(self, here: Here, of_body: Any, second: Any) -> Any:
        """Accelerations of the stations (6, station, *cases) with terms linear in the flow. of_body: of their
        bodies."""
        own, bent, motion = here.numbers.own[self.name], here[self.name], here.motion
        q, rate = self.coordinates(here.own(self.name))
        (shifted, tilted), (moved, turned) = (self._drift(here, one) for one in (q, rate))
        turn = picked(motion.rotation, self.node_bodies, 2)
        w = picked(motion.spin_body, self.node_bodies, 1)
        first, then = along(own.psi, rate) + tilted, along(own.psi, second) + 2 * turned
        spin, spun = jvp(law.turning, (bent.turn, first), (first, then))
        passing = cross(w, cross(w, bent.arm) + 2 * (bent.speed + shifted))
        relative = cross(of_body[3:], bent.arm) + passing + along(own.phi, second) + 2 * moved
        angular = rotate_back(bent.rotation, of_body[3:] + spun - cross(spin, w))
        return jnp.concatenate([of_body[:3] + rotate(turn, relative), angular])


def _range(item: Any) -> Range:
    """Range of the levels of the modes of a body."""
    ends = float(np.min(np.asarray(item.propellant))), float(np.max(np.asarray(item.propellant)))
    return Range(f"forces.{item.name}", f"propellant left in {item.body}", 1.0, "kg", ends, holds=True)
