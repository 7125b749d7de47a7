"""One named output: its meaning and its function."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..maths.arrays import jnp
from ..maths.vectors import norm
from ..model.attachments import column
from ..record.record import MAGNITUDE, QuantityMeta
from ..tree import packages
from ..tree.errors import BadInput
from .answers import fits, shape_of, shape_text, value_text
from .here import Here

XYZ = ("x", "y", "z")


@dataclass(frozen=True)
class Items:
    """Function of a quantity of one item among many. function(moment, *numbers) for arrays of numbers returns
    (components, item, *cases), or (item, *cases) for a scalar. All items with the same function are computed
    at once."""

    function: Callable[..., Any]
    numbers: tuple[int, ...]

    def __call__(self, moment: Here) -> Any:
        """The value of this item."""
        value = self.function(moment, *(np.array([number]) for number in self.numbers))
        return column(value, 0, value.ndim - 1 - moment.t.ndim)


@dataclass(frozen=True)
class Quantity:
    """One named output: its meaning, its function, and the period at which it wraps around (angles).

    compute(moment) returns (components, *cases), or (*cases) for a scalar. It may be an `Items`.
    """

    meta: QuantityMeta
    compute: Callable[[Here], Any]
    period: float = math.inf


def vector_quantity(unit, name, frame, reference, compute, period=math.inf) -> Quantity:
    """A quantity with three components in the axes `frame`. `reference` is the point to which it refers."""
    return Quantity(QuantityMeta(unit, name, frame, XYZ, reference), compute, period)


def scalar_quantity(unit, name, compute, reference="") -> Quantity:
    """A quantity of one number."""
    return Quantity(QuantityMeta(unit, name, reference=reference), compute)


def makers(
    group: str, items: Iterable[Any], make: Callable[[int, Any], dict[str, Quantity]]
) -> dict[str, Callable[[], dict[str, Quantity]]]:
    """Functions that make the quantities of each declaration of a group, from its index in the group and the
    declaration; see `contract.Makers`."""
    return {f"{group}.{item.name}": partial(make, k, item) for k, item in enumerate(items)}


def all_values(quantities: Mapping[str, Quantity], moment: Here) -> tuple[dict[str, Any], list[Any]]:
    """Values of many quantities: single ones by path, then the values of `Items`, one array for each function
    in the order of `gathered_paths`. The axis before the cases has one entry for each path."""
    single = {
        path: value_of(q, moment, path) for path, q in quantities.items() if not isinstance(q.compute, Items)
    }
    many = []
    for function, members in _by_function(quantities).items():
        numbers = np.array([items.numbers for _, items in members]).T
        value = function(moment, *numbers)
        shape = (*value.shape[: value.ndim - 1 - moment.t.ndim], len(members), *moment.t.shape)
        many.append(jnp.broadcast_to(value, shape))
    return single, many


def gathered_paths(quantities: Mapping[str, Quantity]) -> list[list[str]]:
    """Paths of the items in `all_values` that are computed together."""
    return [[path for path, _ in members] for members in _by_function(quantities).values()]


def _by_function(quantities: Mapping[str, Quantity]) -> dict[Any, list[tuple[str, Items]]]:
    found: dict[Any, list[tuple[str, Items]]] = {}
    for path, quantity in quantities.items():
        if isinstance(quantity.compute, Items):
            found.setdefault(quantity.compute.function, []).append((path, quantity.compute))
    return found


def value_of(quantity: Quantity, moment: Here, path: str = "") -> Any:
    """The value of a quantity, (components, *cases), or (*cases) for a scalar. Raises BadInput for another
    shape: the values of all items could be mistaken for a value with cases."""
    value, names = quantity.compute(moment), quantity.meta.components
    head, lanes = (len(names),) if names else (), moment.t.shape
    if not fits(shape_of(value), head, lanes):
        whose = packages.home(quantity.compute)
        name = f"'{path}'" if path else f'"{quantity.meta.long_name}"'
        name += f" of {whose}" if whose is not None else ""
        kind = f"a vector ({', '.join(map(str, names))})" if names else "a scalar"
        raise BadInput(
            f"the quantity {name} is declared as {kind}, but its function returns {value_text(value)}."
            f" {shape_text(head, lanes)}, for one item"
        )
    return value


def scalar(quantity: Quantity, component: int | str | None, moment: Here):
    """Value of one component (*cases)."""
    value = value_of(quantity, moment)
    if component is None:
        return value
    return norm(value) if component == MAGNITUDE else value[component]
