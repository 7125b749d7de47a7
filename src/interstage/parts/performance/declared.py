"""Names of ideal velocity and velocity losses.

These quantities need no declaration. These quantities are available if the scenario has engines.
"""

from __future__ import annotations

from typing import Any

from ...engine.asked import quantity_words
from ...record.record import QuantityMeta

KINDS: dict[str, tuple[type, ...]] = {}
SPEED = "m/s"
METAS = {
    "ideal_velocity": QuantityMeta(SPEED, "ideal velocity used", reference="stack"),
    "gravity_loss": QuantityMeta(SPEED, "velocity lost to gravity", reference="stack"),
    "drag_loss": QuantityMeta(SPEED, "velocity lost to drag", reference="stack"),
    "steering_loss": QuantityMeta(SPEED, "velocity lost by steering", reference="stack"),
    "pressure_loss": QuantityMeta(SPEED, "velocity lost to back pressure", reference="stack"),
}
"""Unit and description of each quantity of a body with engines, by name, in the order of `law.rates`."""
ITEMS = tuple(METAS)


def item_of(scenario: Any, path: str) -> tuple[int, int] | None:
    """Return the indices of the body and of the quantity for a path like "bodies.stage.ideal_velocity".
    Returns None for other paths."""
    group, _, rest = path.partition(".")
    name, _, item = rest.rpartition(".")
    if group != "bodies" or item not in METAS or not scenario.engines:
        return None
    names = [body.name for body in scenario.bodies]
    return (names.index(name), ITEMS.index(item)) if name in names else None


def in_flight(scenario: Any) -> tuple[tuple[int, int], ...]:
    """Return the (body, quantity) indices of the ideal velocities and losses that the flight itself uses, for
    example in a trigger.

    These quantities are part of the state.
    """
    if not scenario.engines:
        return ()
    found = (item_of(scenario, word) for word in quantity_words(scenario))
    return tuple(sorted(one for one in found if one is not None))


def knows(scenario: Any, path: str) -> bool:
    """Return whether `path` names an ideal velocity or loss that is computed after the flight and is not part
    of the state.
    """
    item = item_of(scenario, path)
    return item is not None and item not in in_flight(scenario)


def unit_of(scenario: Any, path: str) -> str:
    """Return the SI unit of ideal velocities and losses, "m/s", for all paths."""
    return SPEED
