"""Outputs by name: one vocabulary for results, triggers, requirements, tables and plots.

A quantity is a path such as ``bodies.payload.velocity``; a component is ``.x`` ... and ``.magnitude``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import permutations

from ..engine.layout import Layout
from ..engine.quantity import Quantity
from ..model.pair import Pair
from ..parts.air.quantities import air_quantities
from ..parts.contacts.quantities import contact_quantities
from ..parts.control.quantities import command_quantity, position_quantity
from ..parts.interfaces.quantities import complete, interface_quantities
from ..parts.propellant.quantities import (
    changing_body_quantities,
    element_quantities,
    engine_quantities,
    slosh_quantities,
)
from ..parts.pushers.quantities import device_quantities
from ..parts.releases.quantities import release_quantities
from ..parts.sensors.quantities import sensor_quantities
from ..record.record import MAGNITUDE, QuantityMeta
from ..scenario import Scenario
from ..tree.errors import near
from .bodies import body_quantities
from .flight import flight_quantities
from .joints import joint_quantities
from .loads import (
    drag_quantities,
    frame_spring_quantities,
    load_quantities,
    spring_quantities,
    stop_quantities,
    torsion_quantities,
)
from .orbits import orbit_quantities
from .pairs import pair_quantities
from .points import point_quantities
from .system import system_quantities

MANY = 12
"""Number of bodies beyond which only pairs of bodies that something connects are listed; all have names."""


class Catalogue(Mapping[str, Quantity]):
    """All quantities of a scenario by path, in the order of its parts; each is made when it is asked for.

    Those of pairs of bodies are there for every pair; with more than `MANY` bodies only pairs that a joint, a
    spring or a requirement names are listed, so that their number does not grow with the square of that of
    the bodies."""

    def __init__(self, scenario: Scenario):
        self._layout = layout = Layout(scenario)
        self._number = {name: k for k, name in enumerate(layout.bodies)}
        self._groups: dict[str, dict[str, Quantity]] = {}
        self._makers: dict[str, Callable[[], dict[str, Quantity]]] = {
            f"bodies.{name}": partial(self._body, k) for k, name in enumerate(layout.bodies)
        }
        self._makers |= {
            f"bodies.{layout.bodies[k]}.elements.{scenario.bodies[k].elements[e].name}": partial(
                self._element, k, e
            )
            for k, e in layout.elements
        }
        self._makers |= {f"joints.{name}": partial(self._joint, j) for j, name in enumerate(layout.joints)}
        self._makers |= {f"pairs.{a}.{b}": partial(self._pair, a, b) for a, b in self._listed_pairs()}
        self._makers |= {
            f"forces.{s.name}": partial(spring_quantities, k) for k, s in enumerate(layout.springs)
        }
        self._makers |= {f"forces.{s.name}": partial(torsion_quantities, s) for s in layout.torsions}
        self._makers |= {
            f"forces.{s.name}": partial(frame_spring_quantities, k, s)
            for k, s in enumerate(layout.frame_springs)
        }
        self._makers |= {
            f"forces.{s.name}": partial(stop_quantities, k, s) for k, s in enumerate(layout.stops)
        }
        self._makers |= {f"forces.{load.name}": partial(load_quantities, load) for load in layout.loads}
        self._makers |= {f"devices.{name}": maker for name, maker in device_quantities(layout).items()}
        self._makers |= {
            f"devices.{scenario.devices[k].name}": partial(drag_quantities, n, scenario.devices[k])
            for n, k in enumerate(layout.drag_devices)
        }
        self._makers |= {
            f"devices.{d.name}": partial(release_quantities, layout, k)
            for k, d in enumerate(scenario.devices)
            if f"devices.{d.name}" not in self._makers
        }
        self._makers |= {
            f"engines.{engine.name}": partial(engine_quantities, e, engine)
            for e, engine in enumerate(scenario.engines)
        }
        self._makers |= {f"aerodynamics.{a.name}": partial(air_quantities, a) for a in scenario.aerodynamics}
        self._makers |= {
            f"sensors.{s.name}": partial(sensor_quantities, k, s, self._number[s.body])
            for k, s in enumerate(scenario.sensors)
            if s.body in self._number
        }
        self._makers |= {
            f"pairs.{p.name}": partial(point_quantities, n, p, self._number[p.parent], self._number[p.child])
            for n, p in enumerate(scenario.pairs)
            if self._seen(p)
        }
        self._makers |= {
            f"interfaces.{interface.name}": partial(interface_quantities, layout, n)
            for n, interface in enumerate(scenario.interfaces)
            if complete(layout, interface)
        }
        self._makers |= {
            f"contacts.{contact.name}": partial(contact_quantities, layout, k)
            for k, contact in enumerate(scenario.contacts)
            if self._number.keys() >= {contact.body, contact.other}
        }
        self._makers["controls"] = lambda: {law.name: command_quantity(law) for law in scenario.controls}
        self._makers["actuators"] = lambda: {a.name: position_quantity(a) for a in scenario.actuators}
        self._makers["system"] = system_quantities

    def _body(self, k: int) -> dict[str, Quantity]:
        name, scenario = self._layout.bodies[k], self._layout.scenario
        found = body_quantities(k, name) | flight_quantities(k, scenario) | orbit_quantities(k, scenario)
        return found | (changing_body_quantities(k, name) if scenario.bodies[k].elements else {})

    def _element(self, k: int, e: int) -> dict[str, Quantity]:
        return element_quantities(self._layout, k, e) | slosh_quantities(self._layout, k, e)

    def _joint(self, j: int) -> dict[str, Quantity]:
        layout = self._layout
        return joint_quantities(j, layout.scenario.joints[j], layout.modes[j], layout.jolting)

    def _seen(self, pair: Pair) -> bool:
        """Whether all that a declared pair names is there."""
        sensors = {s.name for s in self._layout.scenario.sensors} | {None}
        named = {pair.parent_sensor, pair.child_sensor}
        return self._number.keys() >= {pair.parent, pair.child} and named <= sensors

    def _pair(self, a: str, b: str) -> dict[str, Quantity]:
        return pair_quantities(self._number[a], self._number[b], a, b)

    def _listed_pairs(self) -> Iterator[tuple[str, str]]:
        scenario, bodies = self._layout.scenario, self._layout.bodies
        if len(bodies) <= MANY:
            return permutations(bodies, 2)
        connections = (
            *scenario.joints,
            *self._layout.springs,
            *self._layout.torsions,
            *self._layout.frame_springs,
            *self._layout.pushers,
        )
        both = [pair for c in connections for pair in permutations((c.parent, c.child))]
        named = [r.quantity.split(".")[1:3] for r in scenario.requirements if r.quantity.startswith("pairs.")]
        found = dict.fromkeys((a, b) for a, b in [*both, *named] if self._number.keys() >= {a, b})
        return iter(sorted(found, key=lambda pair: [self._number[name] for name in pair]))

    def _group(self, name: str) -> dict[str, Quantity]:
        """The quantities of one thing, by the last part of their path; none where there is no such thing."""
        if name not in self._groups:
            maker = self._makers.get(name)
            kind, _, pair = name.partition(".")
            a, _, b = pair.partition(".")
            if maker is None and kind == "pairs" and a != b and self._number.keys() >= {a, b}:
                maker = partial(self._pair, a, b)
            if maker is None:
                return {}
            self._groups[name] = maker()
        return self._groups[name]

    def __getitem__(self, path: str) -> Quantity:
        if path == "time":
            return Quantity(QuantityMeta("s", "time"), lambda m: m.t)
        group, _, key = path.rpartition(".")
        return self._group(group)[key]

    def __iter__(self) -> Iterator[str]:
        yield "time"
        for name in self._makers:
            yield from (f"{name}.{key}" for key in self._group(name))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def catalogue(scenario: Scenario) -> Catalogue:
    """All quantities of a scenario by path."""
    return Catalogue(scenario)


def lookup(quantities: Mapping[str, Quantity], path: str) -> tuple[Quantity, int | str | None]:
    """The quantity behind a name and the component asked for. Raises KeyError with the near names."""
    if path in quantities:
        return quantities[path], None
    stem, _, last = path.rpartition(".")
    if stem in quantities and quantities[stem].meta.components:
        components = quantities[stem].meta.components
        if last in components:
            return quantities[stem], components.index(last)
        if last == MAGNITUDE:
            return quantities[stem], MAGNITUDE
        raise KeyError(f"'{stem}' has no component '{last}'; allowed: {', '.join((*components, MAGNITUDE))}")
    raise KeyError(f"there is no quantity '{path}'; {near(path, quantities)}")


def unit_of(scenario: Scenario, path: str) -> str:
    """SI unit of a scalar quantity. Raises KeyError with a sentence that says what is wrong."""
    quantity, component = lookup(catalogue(scenario), path)
    if component is None and quantity.meta.components:
        listed = ", ".join((*quantity.meta.components, MAGNITUDE))
        raise KeyError(f"'{path}' is a vector; name a component of it: {listed}")
    return quantity.meta.unit
