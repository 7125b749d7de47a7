"""Output quantities: meaning and function of each named quantity."""

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
    """Function of a quantity of one item. Items with the same function are computed together.

    function(moment, *numbers) returns (components, item, *cases), or (item, *cases) for a scalar. moment:
    values at one time (`Here`). numbers: arrays of indices (item,).
    """

    function: Callable[..., Any]
    numbers: tuple[int, ...]

    def __call__(self, moment: Here) -> Any:
        """Return the value of this item, (components, *cases), or (*cases) for a scalar.

        moment: values at one time.
        """
        value = self.function(moment, *(np.array([number]) for number in self.numbers))
        return column(value, 0, value.ndim - 1 - moment.t.ndim)


@dataclass(frozen=True)
class Quantity:
    """Named output quantity: meaning, function, and period of an angle that wraps around.

    compute(moment) returns (components, *cases), or (*cases) for a scalar. The argument may be an `Items`
    object.
    """

    meta: QuantityMeta
    compute: Callable[[Here], Any]
    period: float = math.inf


def vector_quantity(unit, name, frame, reference, compute, period=math.inf) -> Quantity:
    """Return a quantity with three components in the axes `frame`. reference: point to which the quantity
    refers.
    """
    return Quantity(QuantityMeta(unit, name, frame, XYZ, reference), compute, period)


def scalar_quantity(unit, name, compute, reference="") -> Quantity:
    """Return a quantity with a single value. reference: point to which the quantity refers."""
    return Quantity(QuantityMeta(unit, name, reference=reference), compute)


def makers(
    group: str, items: Iterable[Any], make: Callable[[int, Any], dict[str, Quantity]]
) -> dict[str, Callable[[], dict[str, Quantity]]]:
    """Return functions that create the quantities of each item of a group, by the path of the item; see
    `contract.Makers`.

    make: function of the index of an item in `items`, and of the item.
    """
    return {f"{group}.{item.name}": partial(make, k, item) for k, item in enumerate(items)}


def all_values(quantities: Mapping[str, Quantity], moment: Here) -> tuple[dict[str, Any], list[Any]]:
    """Return the values of many quantities: single values by path, and a list of arrays of `Items` computed
    together.

    Each array belongs to one list of `gathered_paths`. The axis before the cases has one entry for each path
    of this list. moment: values at one time.
    """
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
    """Return lists of the paths whose `Items` are computed together by `all_values`."""
    return [[path for path, _ in members] for members in _by_function(quantities).values()]


def _by_function(quantities: Mapping[str, Quantity]) -> dict[Any, list[tuple[str, Items]]]:
    found: dict[Any, list[tuple[str, Items]]] = {}
    for path, quantity in quantities.items():
        if isinstance(quantity.compute, Items):
            found.setdefault(quantity.compute.function, []).append((path, quantity.compute))
    return found


def value_of(quantity: Quantity, moment: Here, path: str = "") -> Any:
    """Return the value of a quantity, (components, *cases), or (*cases) for a scalar.

    Raises BadInput for another shape, because values of items could be confused with values of cases. moment:
    values at one time. path: path of the quantity for the message.
    """
    value, names = quantity.compute(moment), quantity.meta.components
    head, lanes = (len(names),) if names else (), moment.t.shape
    if not fits(shape_of(value), head, lanes):
        whose = packages.home(quantity.compute)
        name = f"'{path}'" if path else f'"{quantity.meta.long_name}"'
        name += f" of {whose}" if whose is not None else ""
        kind = f"a vector ({', '.join(map(str, names))})" if names else "a scalar"
        raise BadInput(
            f"the quantity {name} is declared as {kind}, but its function returns {value_text(value)}."
            f" {shape_text(head, lanes, ' for each item')}"
        )
    return value


def scalar(quantity: Quantity, component: int | str | None, moment: Here):
    """Return the value of one component of a quantity (*cases).

    component: index or `MAGNITUDE`; None for a scalar. moment: values at one time.
    """
    value = value_of(quantity, moment)
    if component is None:
        return value
    return norm(value) if component == MAGNITUDE else value[component]
