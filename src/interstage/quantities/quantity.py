"""One named output: what it means and how it is computed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..mechanism import Discrete, Instant, Mechanism
from ..record import MAGNITUDE, QuantityMeta
from ..vectors import norm

XYZ = ("x", "y", "z")


@dataclass(frozen=True)
class Moment:
    """What a quantity is computed from."""

    mechanism: Mechanism
    t: Any
    now: Instant
    discrete: Discrete


@dataclass(frozen=True)
class Quantity:
    """One named output: what it means, how it is computed, and the span at which it wraps around (angles).

    compute(moment) gives (components, *lanes), or (*lanes) for a scalar.
    """

    meta: QuantityMeta
    compute: Callable[[Moment], Any]
    period: float = math.inf


def vector_quantity(unit, name, frame, reference, compute, period=math.inf) -> Quantity:
    """A quantity of three components in the axes `frame`; `reference` is the point that it belongs to."""
    return Quantity(QuantityMeta(unit, name, frame, XYZ, reference), compute, period)


def scalar_quantity(unit, name, compute, reference="") -> Quantity:
    """A quantity of one number."""
    return Quantity(QuantityMeta(unit, name, reference=reference), compute)


def scalar(quantity: Quantity, component: int | str | None, moment: Moment):
    """Value of one component (*lanes)."""
    value = quantity.compute(moment)
    if component is None:
        return value
    return norm(value) if component == MAGNITUDE else value[component]
