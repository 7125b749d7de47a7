"""The model of prescribed forces and torques during a flight: constant, or tabulated over time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.body_loads import on_body
from ...engine.contract import Break, Makers, Stacked
from ...engine.quantity import makers
from ...maths import curves
from ...maths.arrays import jnp
from ...maths.vectors import add_axes, cross, rotate, rotate_back
from .declared import Force, Torque
from .quantities import load_quantities

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.mechanism import Mechanism
    from ...engine.state import Discrete


class Given(Stacked):
    """Model of prescribed forces and torques.

    The result of the model has two vectors for each load, by name. The first vector is the force on the body
    [N] (3, *cases), inertial axes. The second vector is the torque about the centre of mass [N m]
    (3, *cases), body axes.
    """

    name = "given"

    group = "forces"
    kinds = (Force, Torque)

    def stack_numbers(self, scenario: Any, lanes: int) -> dict[str, curves.Curve]:
        """Return the tables over time, by name of the load. The tables are prepared once, before a program is
        compiled. For the parameters, see `Stacked.stack_numbers`.
        """
        tables = {load.name: _value_of(load) for load in self.of(scenario)}
        return {
            name: curves.through(table.time, table.value, table.interpolation)
            for name, table in tables.items()
            if hasattr(table, "interpolation")
        }

    def numbers(self, scenario: Any, stacked: Any, lanes: int) -> dict[str, curves.Curve]:
        """Return the tables over time, by name of the load. Case axes are removed from arrays that are equal
        in all cases. For the parameters, see `Part.numbers`.
        """
        return {name: curves.drop_shared_axes(table) for name, table in stacked.items()}

    def find(self, here: Here) -> dict[str, tuple[Any, Any]]:
        """Return the force and the torque of each load, by name of the load."""
        return {load.name: self._load(here, load) for load in self.of(here.equations.scenario)}

    def wrench(self, here: Here) -> Any:
        """Return the sum of all prescribed loads (6, column, *cases); see `Part.wrench`."""
        bodies = here.motion.position.shape[1]
        found = here[self.name]
        pairs = [(*found[load.name], self.layout.columns.end(load, "body")) for load in self.items]
        return sum(on_body(force, torque, k, bodies) for force, torque, k in pairs)

    def quantities(self) -> Makers:
        """Return the functions that make the quantities of each load, by path."""
        return makers("forces", self.items, load_quantities)

    def breaks(self, mechanism: Mechanism, t: Any, discrete: Discrete) -> Iterator[Break]:
        """Yield the times of the table points. If a load jumps to zero at an end of its table, also yield the
        time of this end. For the parameters, see `Part.breaks`.
        """
        tables = mechanism.numbers.own[self.name]
        for table in tables.values():
            yield Break(table.time, "corner")
        for load in self.items:
            if getattr(_value_of(load), "outside", "hold") == "zero":
                time, value = (points[np.array([0, -1])] for points in tables[load.name][:2])
                yield Break(jnp.where(jnp.any(value != 0, 1), time, jnp.inf), "jump")

    def _load(self, here: Here, load: Any) -> tuple[Any, Any]:
        t, layout = here.t, self.layout
        index = layout.columns.end(load, "body")
        rotation = here.motion.rotation[:, :, index]
        given = _value_of(load)
        if hasattr(given, "interpolation"):
            points = here.numbers.own[self.name][load.name]
            value = curves.look_up_within(points, t, given.outside == "hold")
        else:
            value = jnp.broadcast_to(add_axes(given, 1 + t.ndim), (3, *t.shape))
        value = value * layout.acting(load, here.discrete)
        inertial = rotate(rotation, value) if load.axes == "body" else value
        if load.kind == "torque":
            return jnp.zeros_like(value), rotate_back(rotation, inertial)
        arm = here.numbers.arm(load.at, index)
        body_axes = value if load.axes == "body" else rotate_back(rotation, value)
        return inertial, cross(jnp.broadcast_to(arm, value.shape), body_axes)


def _value_of(load: Any) -> Any:
    """Value or table of a load."""
    return load.force if load.kind == "force" else load.torque
