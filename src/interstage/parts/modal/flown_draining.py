"""Modes of flexible bodies whose tanks drain, at the present mass of propellant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.contract import Range, Tabulated
from ...engine.flexible.bodies import FlexibleBodies
from ...engine.flexible.modal_stiffness import Modes, at_levels, side_by_side
from ...maths import interpolation
from ...maths.arrays import jnp
from ...maths.vectors import add_axes
from ..propellant import vehicle_masses
from ..propellant.elements import FULL
from . import interpolated

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.mechanism import Mechanism


class DrainingModes(FlexibleBodies, Tabulated):
    """Base class of the model of flexible bodies with modes. If the tanks of a body drain, its modes depend
    on the remaining propellant.
    """

    @cached_property
    def draining(self) -> tuple[int, ...]:
        """The indices of the flexible bodies whose modes depend on the remaining propellant."""
        return tuple(k for k, item in enumerate(self.items) if item.propellant is not None)

    @property
    def follows_mass(self) -> bool:
        """Whether the mode shapes of any body depend on its propellant."""
        return bool(self.draining)

    def stack_numbers(self, scenario: Any, lanes: int) -> Modes:
        """Return the modes of all bodies as arrays: at the highest levels, together with the tables of
        draining bodies. For the parameters, see `Stacked.stack_numbers`.
        """
        declared = self.of(scenario)
        highest = [item.at_levels[-1] for item in declared]
        tables = {}
        for k in self.draining:
            levels = declared[k].at_levels
            each = [
                at_levels(self, scenario, [*highest[:k], level, *highest[k + 1 :]], lanes) for level in levels
            ]
            points = [interpolated.rows_of_points(level, lanes) for level in levels]
            rows = [interpolated.rows_of(one, self.modes_of(k)) for one in each]
            tables[k] = interpolated.table(declared[k], rows, points)
        return super().stack_numbers(scenario, lanes)._replace(tables=tables)

    def propellant_left(self, mechanism: Mechanism, x: Any, k: int) -> Any:
        """Return the remaining propellant of a draining body [kg] (*cases).

        - x: state vector (component, *cases).
        - k: index of the flexible body.
        """
        body = self.layout.body(self.items[k].body)
        return vehicle_masses.propellant_of(self.layout, mechanism.numbers, body, mechanism.own("streams", x))

    def modes_in(self, mechanism: Mechanism, x: Any) -> Modes:
        """Return the modes of all bodies in a state x. For a draining body, the modes and the centre of mass
        belong to the remaining propellant.
        """
        own = self.modes(mechanism)
        if not self.draining:
            return own
        rows: dict[int, tuple[Any, Any]] = {}
        for k in self.draining:
            left, points = self.propellant_left(mechanism, x, k), own.tables[k].modes
            rows[k] = interpolated.look_up_rows(points, left), interpolated.slopes(points, left)
        return self._with_rows(own, rows)._replace(arm=self._arms(mechanism, x, own))

    def _with_rows(self, own: Modes, rows: Mapping[int, tuple[Any, Any]]) -> Modes:
        """Return the values with the rows of some bodies and their derivatives by the propellant left."""
        found: list[list[Any]] = [[] for _ in range(6)]
        for k, count in enumerate(self.counts):
            now = rows[k][0] if k in rows else interpolated.rows_of(own, self.modes_of(k))
            change = rows[k][1] if k in rows else jnp.zeros_like(now)
            whole = 6, len(self.nodes), count, *now.shape[1:]
            shapes, bend = (one[3 * count :].reshape(whole) for one in (now, change))
            split = (*(now[n * count : (n + 1) * count] for n in range(3)), shapes)
            own_rows = *split, change[2 * count : 3 * count], bend
            for column, one in zip(found, own_rows, strict=True):
                column.append(one)
        frequency, damping, mass, gain = (side_by_side(found[n], 0) for n in (0, 1, 2, 4))
        damping = jnp.where(damping < 0, 0.0, damping)  # extrapolation beyond the levels
        shapes, bend = (side_by_side(found[n], 2) for n in (3, 5))
        numbers = {"frequency": frequency, "damping": damping, "mass": mass, "gain": gain, "bend": bend}
        return own._replace(**numbers, phi=shapes[:3], psi=shapes[3:])

    def _arms(self, mechanism: Mechanism, x: Any, own: Modes) -> Any:
        """Return the vectors from the centres of mass in a state to the nodes."""
        if not self.nodes:
            return own.place
        centre, left = mechanism.numbers.centre, mechanism.own("streams", x)
        moving = {self.layout.body(self.items[k].body) for k in self.draining}
        columns = [
            vehicle_masses.centre(self.layout, mechanism.numbers, body, left)
            if body in moving
            else centre[:, body]
            for body in range(self.layout.count)
        ]
        lanes = jnp.broadcast_shapes(*(one.shape[1:] for one in columns))
        whole = jnp.stack([jnp.broadcast_to(one, (3, *lanes)) for one in columns], 1)
        return self.with_centres(own, whole).arm

    def kink_locations(self, here: Here) -> Iterable[Any]:
        """Yield for each draining body the location of its propellant among the kinks of its table of modes
        (*cases).
        """
        for k in self.draining:
            points = self.modes(here.equations).tables[k].modes
            left = self.propellant_left(here.equations, here.x, k)
            yield interpolation.place(interpolated.kinks(points, left), left)

    def table_intervals(self, here: Here) -> Iterable[Any]:
        """Yield for each draining body the interval between levels that contains its propellant."""
        for k in self.draining:
            points, left = (
                self.modes(here.equations).tables[k].modes,
                self.propellant_left(here.equations, here.x, k),
            )
            yield interpolation.interval(add_axes(points.where, 1 + left.ndim), left)

    def above(self, mechanism: Mechanism, lanes: int) -> list[Any]:
        """Return for each draining body the excess of the initial propellant above the highest level [kg]
        (*cases).

        `lanes`: number of case axes.
        """
        left = vehicle_masses.first_left(self.layout, mechanism.scenario, lanes) if self.draining else None
        found = []
        for k in self.draining:
            held = vehicle_masses.propellant_of(
                self.layout, mechanism.numbers, self.layout.body(self.items[k].body), left
            )
            highest = add_axes(self.modes(mechanism).tables[k].modes.where[-1], lanes)
            found.append(held - highest * FULL)
        return found

    def outside_ranges(self, here: Here) -> Mapping[str, Any]:
        """Return the signed excess of the remaining propellant beyond the levels [kg] (*cases), by name of
        the modes. The excess is negative below the lowest level.
        """
        tables = self.modes(here.equations).tables
        return {
            self.items[k].name: interpolated.beyond(
                tables[k].modes, self.propellant_left(here.equations, here.x, k)
            )
            for k in self.draining
        }

    def ranges(self, scenario: Any) -> Mapping[str, Range]:
        """Return the range of the propellant levels, by name of the modes."""
        declared = self.of(scenario)
        return {declared[k].name: _range(declared[k]) for k in self.draining}

    def level_rates(self, here: Here) -> Any:
        """Return for each mode the rate of change of its body's propellant [kg/s] (mode, *cases)."""
        drain, none = here["streams"].drain, jnp.zeros(here.t.shape)
        of_bodies = [
            vehicle_masses.drain_rate(self.layout, self.layout.body(item.body), drain)
            if k in self.draining
            else none
            for k, item in enumerate(self.items)
        ]
        each = zip(of_bodies, self.counts, strict=True)
        return jnp.stack([jnp.broadcast_to(one, here.t.shape) for one, count in each for _ in range(count)])


def _range(item: Any) -> Range:
    """Return the range of the levels of the modes of a body."""
    ends = float(np.min(np.asarray(item.propellant))), float(np.max(np.asarray(item.propellant)))
    return Range(f"forces.{item.name}", f"propellant left in {item.body}", 1.0, "kg", ends, holds=True)
