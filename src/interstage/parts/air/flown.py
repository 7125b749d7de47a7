"""The model that applies aerodynamic loads during a flight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...engine.body_loads import on_body
from ...engine.contract import Break, Makers, Range, Stacked, Tabulated
from ...engine.quantity import makers
from ...maths.arrays import jnp
from ...maths.vectors import rotate
from .airloads import (
    Aero,
    Airload,
    Splines,
    airloads,
    conditions,
    distances_beyond,
    features,
    forces,
    places,
    ready_of,
    splines_of,
)
from .declared import Aerodynamics
from .quantities import air_quantities
from .ranges import ranges

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.mechanism import Mechanism
    from ...engine.state import Discrete


class Air(Stacked, Tabulated):
    """Model of the aerodynamics of a scenario. The result of the model is the load of each aerodynamics
    entry, by name."""

    name = "air"
    group = "aerodynamics"
    kinds = (Aerodynamics,)

    def stack_numbers(self, scenario: Any, lanes: int) -> tuple[Splines, ...]:
        """Return the splines of each aerodynamics entry. The splines are computed once, before a program is
        compiled. For the parameters, see `Stacked.stack_numbers`.
        """
        return tuple(splines_of(declared, lanes) for declared in scenario.aerodynamics)

    def numbers(self, scenario: Any, stacked: tuple[Splines, ...], lanes: int) -> tuple[Aero, ...]:
        """Return the prepared aerodynamics entries. For the parameters, see `Part.numbers`."""
        pairs = zip(scenario.aerodynamics, stacked, strict=True)
        return tuple(ready_of(declared, splines, lanes) for declared, splines in pairs)

    def find(self, here: Here) -> dict[str, Airload]:
        """Return the load of each aerodynamics entry, by name of the entry."""
        return airloads(here)

    def wrench(self, here: Here) -> Any:
        """Return the sum of the loads of all aerodynamics entries (6, column, *cases); see `Part.wrench`."""
        total, motion = 0.0, here.motion
        for declared in self.layout.scenario.aerodynamics:
            index, load = self.layout.body(declared.body), here[self.name][declared.name]
            force = rotate(motion.rotation[:, :, index], load.force)
            total = total + on_body(force, load.torque, index, motion.position.shape[1])
        return total

    def force(self, here: Here) -> Any:
        """Return the sum of the forces of all aerodynamics entries [N] (3, body, *cases), inertial axes."""
        return forces(here)

    def kink_locations(self, here: Here) -> Iterable[Any]:
        """Return the location of each variable among the kinks of its table (*cases)."""
        return [place for over in conditions(here).values() for place in places(here, over).values()]

    def table_intervals(self, here: Here) -> Iterable[Any]:
        """Return the interval between table points for each variable.

        The list also contains the intervals of atmospheric layers at reference points.
        """
        return [feature for over in conditions(here).values() for feature in features(here, over)]

    @property
    def bodies_in_atmosphere(self) -> Sequence[int]:
        """The indices of the bodies whose aerodynamics read the atmosphere at the centre of mass."""
        declared = self.layout.scenario.aerodynamics
        return [self.layout.body(one.body) for one in declared if one.air_at == "mass_centre"]

    def outside_ranges(self, here: Here) -> Mapping[Any, Any]:
        """Return the signed distance (*cases) of each variable beyond its table, by (entry, table,
        variable).
        """
        far = ((name, distances_beyond(over)) for name, over in conditions(here).items())
        return {(name, *key): distance for name, by_key in far for key, distance in by_key.items()}

    def ranges(self, scenario: Any) -> Mapping[Any, Range]:
        """Return the range of each variable of each table, by (entry, table, variable)."""
        return ranges(scenario)

    def quantities(self) -> Makers:
        """Return the functions that make the quantities of each aerodynamics entry, by path."""
        return makers("aerodynamics", self.layout.scenario.aerodynamics, air_quantities)

    def breaks(self, mechanism: Mechanism, t: Any, discrete: Discrete) -> Iterable[Break]:
        """Return the times of the table points, for tables with time as a variable. For the parameters, see
        `Part.breaks`.
        """
        tables = [table for aero in mechanism.numbers.own[self.name] for table in aero.tables.values()]
        axes = [axis for table in tables if table.grid is not None for axis in table.model.axes]
        return [Break(jnp.asarray(axis.points), "corner") for axis in axes if axis.variable == "time"]
