"""Provide all quantities of a scenario by path, for results, triggers, requirements, tables and plots.

The path of a quantity is, for example, ``bodies.payload.velocity``. The path of a component ends with ``.x``,
and the path of the magnitude with ``.magnitude``.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import permutations
from typing import Any

from ..engine.answers import kind_of, part_text
from ..engine.contract import Makers, Part
from ..engine.layout import Layout
from ..engine.quantity import Quantity
from ..model.pair import Pair
from ..record.record import MAGNITUDE, QuantityMeta
from ..scenario import Scenario
from ..tree import packages
from ..tree.errors import BadInput
from ..tree.similar_names import like, near
from ..tree.unit_names import fault_of_si
from .bodies import body_quantities
from .flight import flight_quantities, site_quantities
from .joints import joint_quantities
from .orbits import orbit_quantities
from .pairs import pair_quantities
from .points import point_quantities
from .system import system_quantities

Maker = Callable[[], dict[str, Quantity]]
OWN, SYSTEM = ("bodies", "joints", "pairs"), "system"
"""Groups of quantities that every flight has: OWN comes first in the catalogue, SYSTEM comes last."""
MANY = 12
"""Number of bodies above which the catalogue lists only connected pairs. The quantities of all other pairs
still exist.
"""


class Catalogue(Mapping[str, Quantity]):
    """Mapping from path to quantity, for all quantities of a scenario. A quantity is created on access.

    Every pair of bodies has quantities. If a scenario has more than `MANY` bodies, only pairs that a joint, a
    spring or a requirement names are listed. The reason is that the number of pairs grows with the square of
    the number of bodies.
    """

    def __init__(self, scenario: Scenario):
        self._layout = layout = Layout(scenario)
        self._number = {name: k for k, name in enumerate(layout.bodies)}
        self._groups: dict[str, dict[str, Quantity]] = {}
        found: dict[str, list[Maker]] = {}
        makers = (self._own(), *(_of_part(part) for part in layout.parts.values()))
        for path, maker in (item for some in makers for item in some.items()):
            found.setdefault(path, []).append(maker)
        self._makers = _in_order(found, scenario)

    def _own(self) -> Makers:
        """Makers of the quantities of bodies, joints, pairs and the system."""
        layout = self._layout
        found = {f"bodies.{name}": partial(self._body, k) for k, name in enumerate(layout.bodies)}
        if layout.scenario.sites:
            sites = partial(site_quantities, scenario=layout.scenario)
            found |= {f"bodies.{name}.range_to": partial(sites, k) for k, name in enumerate(layout.bodies)}
        if layout.has_joints:
            found |= {f"joints.{name}": partial(self._joint, j) for j, name in enumerate(layout.joints)}
        found |= {f"pairs.{a}.{b}": partial(self._pair, a, b) for a, b in self._listed_pairs()}
        found |= {
            f"pairs.{p.name}": partial(point_quantities, n, p, self._number[p.parent], self._number[p.child])
            for n, p in enumerate(layout.scenario.pairs)
            if self._exists(p)
        }
        return found | {SYSTEM: partial(system_quantities, layout.pad)}

    def _body(self, k: int) -> dict[str, Quantity]:
        name, scenario = self._layout.bodies[k], self._layout.scenario
        return body_quantities(k, name) | flight_quantities(k, scenario) | orbit_quantities(k, scenario)

    def _joint(self, j: int) -> dict[str, Quantity]:
        layout = self._layout
        return joint_quantities(j, layout.scenario.joints[j], layout.modes[j], layout.jolting)

    def _exists(self, pair: Pair) -> bool:
        """Whether the bodies and sensors of a declared pair exist."""
        sensors = {s.name for s in self._layout.scenario.sensors} | {None}
        named = {pair.parent_sensor, pair.child_sensor}
        return self._number.keys() >= {pair.parent, pair.child} and named <= sensors

    def _pair(self, a: str, b: str) -> dict[str, Quantity]:
        return pair_quantities(self._number[a], self._number[b], a, b)

    def _listed_pairs(self) -> Iterator[tuple[str, str]]:
        scenario, bodies = self._layout.scenario, self._layout.bodies
        if len(bodies) <= MANY:
            return permutations(bodies, 2)
        joined: tuple[Any, ...] = (*scenario.joints, *scenario.forces, *scenario.devices)
        connections = [item for item in joined if hasattr(item, "parent") and hasattr(item, "child")]
        both = [pair for c in connections for pair in permutations((c.parent, c.child))]
        named = [r.quantity.split(".")[1:3] for r in scenario.requirements if r.quantity.startswith("pairs.")]
        found = dict.fromkeys((a, b) for a, b in [*both, *named] if self._number.keys() >= {a, b})
        return iter(sorted(found, key=lambda pair: [self._number[name] for name in pair]))

    def _group(self, name: str) -> dict[str, Quantity]:
        """The quantities of one item by the last part of their path, or {} if there is no such item."""
        if name not in self._groups:
            makers = self._makers.get(name, [])
            kind, _, pair = name.partition(".")
            a, _, b = pair.partition(".")
            if not makers and kind == "pairs" and a != b and self._number.keys() >= {a, b}:
                makers = [partial(self._pair, a, b)]
            if not makers:
                return {}
            self._groups[name] = {key: value for maker in makers for key, value in maker().items()}
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


def _of_part(part: Part) -> Makers:
    """Return the functions that make the quantities of a part. The result of an external package is checked.
    Raises BadInput."""
    found = part.quantities()
    if packages.home(type(part)) is None:
        return found
    if not isinstance(found, Mapping):
        remedy = 'Return {}, or makers("devices", self.items, function)'
        raise BadInput(f"{part_text(part)} returns {kind_of(found)} from `quantities`. {remedy}")
    return {path: partial(_looked_at, part, path, maker) for path, maker in found.items()}


def _looked_at(part: Part, path: str, maker: Maker) -> dict[str, Quantity]:
    """Return the quantities of one item of an external package. Raises BadInput for other values or units
    outside SI."""
    found = maker() if callable(maker) else maker
    if not isinstance(found, dict) or not all(isinstance(one, Quantity) for one in found.values()):
        remedy = 'Return, for example, {"force": scalar_quantity("N", "description", function)}'
        raise BadInput(f"{part_text(part)} returns {kind_of(found)} as quantities of {path}. {remedy}")
    for key, one in found.items():
        fault = fault_of_si(one.meta.unit)
        if fault:
            raise BadInput(f"{part_text(part)} has the unit '{one.meta.unit}' for {path}.{key}: {fault}")
    return found


def _in_order(found: dict[str, list[Maker]], scenario: Scenario) -> dict[str, list[Maker]]:
    """Return the groups of quantities in order: bodies, joints, pairs, the groups of the scenario, then the
    system.

    Items of a group have the order of their declarations. Quantities that a model adds to an item follow all
    items.
    """
    groups = [*OWN, *(name for name in type(scenario).model_fields if name not in OWN)]
    numbers = {
        group: {item.name: k for k, item in enumerate(getattr(scenario, group))}
        for group in {path.partition(".")[0] for path in found} & {*groups}
    }

    def place(path: str) -> tuple[int, int, int]:
        group, name = f"{path}.".split(".")[:2]
        first = groups.index(group) if group in groups else len(groups) + (path == SYSTEM)
        return first, path.count("."), numbers.get(group, {}).get(name, -1)

    return {path: found[path] for path in sorted(found, key=place)}


def catalogue(scenario: Scenario) -> Catalogue:
    """Return the catalogue of a scenario, which contains all quantities by path."""
    return Catalogue(scenario)


def lookup(quantities: Mapping[str, Quantity], path: str) -> tuple[Quantity, int | str | None]:
    """Return the quantity of a path, and its component: an index, "magnitude", or None for all components.

    For an unknown path, raises KeyError with similar names.

    quantities: all quantities by path.
    """
    if path in quantities:
        return quantities[path], None
    stem, _, last = path.rpartition(".")
    if stem in quantities and quantities[stem].meta.components:
        components = quantities[stem].meta.components
        if last in components:
            return quantities[stem], components.index(last)
        if last == MAGNITUDE:
            return quantities[stem], MAGNITUDE
        raise KeyError(f"'{stem}' has no component '{last}'. Allowed: {', '.join((*components, MAGNITUDE))}")
    raise KeyError(f"there is no quantity '{path}'; {_nearest(path, quantities)}")


def _nearest(path: str, quantities: Mapping[str, Quantity]) -> str:
    """Return the end of a message about an unknown quantity: similar names, with names of the same item
    first.

    A name is similar if it resembles the last word, or contains it.
    """
    names, (stem, _, last) = [*quantities], path.rpartition(".")
    own = [name for name in names if stem and name.rpartition(".")[0] == stem]
    within = [name for name in own or names if len(last) > 2 and last in name.rpartition(".")[2]]
    if within:
        return f"did you mean {' or '.join(map(repr, within[:3]))}?"
    by_word = {name.rpartition(".")[2]: name for name in own}
    close = like(last, by_word)
    if close:
        return f"did you mean {' or '.join(repr(by_word[word]) for word in close)}?"
    if own:
        return f"'{stem}' has {', '.join(sorted(by_word, key=partial(_difference, last)))}"
    return near(path, names)


def _difference(one: str, other: str) -> float:
    """Return the negative similarity of two words, -1 (equal) to 0."""
    return -difflib.SequenceMatcher(None, one, other).ratio()


def unit_of(scenario: Scenario, path: str) -> str:
    """Return the SI unit of a scalar quantity.

    Raises KeyError for an unknown path, and for a vector without a component.
    """
    quantity, component = lookup(catalogue(scenario), path)
    if component is None and quantity.meta.components:
        listed = ", ".join((*quantity.meta.components, MAGNITUDE))
        raise KeyError(f"'{path}' is a vector. Add a component to the path: {listed}")
    return quantity.meta.unit
