"""Aerodynamic forces as a model of the engine."""

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
    """Computes the loads of each declaration of aerodynamics, by name."""

    name = "air"
    group = "aerodynamics"
    kinds = (Aerodynamics,)

    def stack_numbers(self, scenario: Any, lanes: int) -> tuple[Splines, ...]:
        """The splines of each declaration, computed outside of a program."""
        return tuple(splines_of(declared, lanes) for declared in scenario.aerodynamics)

    def numbers(self, scenario: Any, stacked: tuple[Splines, ...], lanes: int) -> tuple[Aero, ...]:
        """The prepared declarations."""
        pairs = zip(scenario.aerodynamics, stacked, strict=True)
        return tuple(ready_of(declared, splines, lanes) for declared, splines in pairs)

    def find(self, here: Here) -> dict[str, Airload]:
        """Loads by name of the declaration."""
        return airloads(here)

    def wrench(self, here: Here) -> Any:
        """The sum of all."""
        total, motion = 0.0, here.motion
        for declared in self.layout.scenario.aerodynamics:
            index, load = self.layout.body(declared.body), here[self.name][declared.name]
            force = rotate(motion.rotation[:, :, index], load.force)
            total = total + on_body(force, load.torque, index, motion.position.shape[1])
        return total

    def force(self, here: Here) -> Any:
        """The sum of all."""
        return forces(here)

    def kink_locations(self, here: Here) -> Iterable[Any]:
        """Positions of variables among the kinks of tables."""
        return [place for over in conditions(here).values() for place in places(here, over).values()]

    def table_intervals(self, here: Here) -> Iterable[Any]:
        """Positions of variables among the points of tables, and of the atmospheric layers at reference
        points."""
        return [feature for over in conditions(here).values() for feature in features(here, over)]

    @property
    def bodies_in_atmosphere(self) -> Sequence[int]:
        """Bodies whose aerodynamics read the atmosphere at the centre of mass."""
        declared = self.layout.scenario.aerodynamics
        return [self.layout.body(one.body) for one in declared if one.air_at == "mass_centre"]

    def outside_ranges(self, here: Here) -> Mapping[Any, Any]:
        """Signed distances of variables beyond tables."""
        far = ((name, distances_beyond(over)) for name, over in conditions(here).items())
        return {(name, *key): distance for name, by_key in far for key, distance in by_key.items()}

    def ranges(self, scenario: Any) -> Mapping[Any, Range]:
        """Ranges of all tables."""
        return ranges(scenario)

    def quantities(self) -> Makers:
        """Quantities of each declaration."""
        return makers("aerodynamics", self.layout.scenario.aerodynamics, air_quantities)

    def breaks(self, mechanism: Mechanism, t: Any, discrete: Discrete) -> Iterable[Break]:
        """Points of tables whose variable is time."""
        tables = [table for aero in mechanism.numbers.own[self.name] for table in aero.tables.values()]
        axes = [axis for table in tables if table.grid is not None for axis in table.model.axes]
        return [Break(jnp.asarray(axis.points), "corner") for axis in axes if axis.variable == "time"]
