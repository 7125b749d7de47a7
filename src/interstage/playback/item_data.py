"""Convert items of models to plain data for the viewer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np

from ..record.record import Record
from . import deformation, items
from .channels import channel, channel_of
from .contact_points import centre_of_contact
from .courses import course
from .store import Store

WIDE_OF_READINGS = 1000.0
"""Width [px] up to which the curve of a quantity in a text keeps its appearance."""
MOST_BYTES_OF_READINGS = 120_000
"""Size of the quantities in the texts of all items together [bytes], before base64. Texts of further items
omit their quantities."""

Of = Callable[[str], "dict[str, int] | None"]


@dataclass
class Budget:
    """Remaining size of the quantities in texts [bytes]."""

    left: int = MOST_BYTES_OF_READINGS


def data_of(
    item: items.Item, record: Record, store: Store, span: tuple[float, float], budget: Budget
) -> dict[str, Any]:
    """Return an item as data; empty if it has no values.

    - record: the whole flight. store: store for the arrays. span: start and end of the flight [s].
    - budget: size that is left for the quantities in texts; the function reduces it.
    """
    found = _data(item, record, lambda path: channel_of(record, path, store, span), store, span)
    if found is None:
        return {}
    found |= {"readings": _readings(item, record, store, span, budget) or None}
    found["failed"] = getattr(item, "failed", False) or None
    whole = {"type": type(item).__name__.lower(), "name": item.name, **found}
    return {key: value for key, value in whole.items() if value is not None}


def _readings(
    item: items.Item, record: Record, store: Store, span: tuple[float, float], budget: Budget
) -> list[dict[str, Any]]:
    found = []
    wanted: items.Readings = getattr(item, "readings", ())
    if isinstance(item, items.Link) and item.force and not wanted:
        wanted = (("force", item.force, "N"),)
    for text, path, unit in wanted:
        known = course(record, path) if budget.left > 0 else None
        if known is None or known[1].ndim != 1:
            continue
        before = store.size
        found.append({"text": text, "unit": unit, "values": channel(*known, store, span, WIDE_OF_READINGS)})
        budget.left -= store.size - before
    return found


@singledispatch
def _data(
    item: Any, record: Record, of: Of, store: Store, span: tuple[float, float]
) -> dict[str, Any] | None:
    """The values of an item, or None without values. of: function that stores the channel of a path."""
    raise TypeError(f"{item!r:.40} is not an item of the playback")


@_data.register
def _link(
    item: items.Link, record: Record, of: Of, store: Store, span: tuple[float, float]
) -> dict[str, Any]:
    found = {"bodies": [*item.bodies], "at": [items.vector(p) for p in item.at], "style": item.style}
    return found | {"state": of(item.state), "until": last_action(record, item.state)}


@_data.register
def _piston(
    item: items.StrokeDevice, record: Record, of: Of, store: Store, span: tuple[float, float]
) -> dict[str, Any]:
    found = {"bodies": [*item.bodies], "at": [items.vector(p) for p in item.at], "stroke": item.stroke}
    found |= {"bore": item.bore, "direction": _direction(item.direction)}
    return found | {"state": of(item.state), "until": last_action(record, item.state)}


@_data.register
def _fastener(
    item: items.Fastener, record: Record, of: Of, store: Store, span: tuple[float, float]
) -> dict[str, Any]:
    found = {"bodies": [*item.bodies], "at": [items.vector(p) for p in item.at], "style": item.style}
    found |= {"direction": items.vector(item.direction), "radius": item.radius}
    return found | {"state": of(item.state), "joint": of(item.joint)}


@_data.register
def _band(
    item: items.Band, record: Record, of: Of, store: Store, span: tuple[float, float]
) -> dict[str, Any]:
    found = {"bodies": [*item.bodies], "at": items.vector(item.at), "direction": items.vector(item.direction)}
    found |= {"radius": item.radius, "segments": item.segments, "opening": item.opening}
    return found | {"until": last_action(record, item.state)}


@_data.register
def _contact(
    item: items.ContactPoint, record: Record, of: Of, store: Store, span: tuple[float, float]
) -> dict[str, Any] | None:
    known = centre_of_contact(record, item)
    if known is None:
        return None
    times, places, forces = known
    rows = channel(times, np.concatenate([places, forces], axis=1), store, span)
    return {"body": item.body, "values": rows, "touching": of(item.touching)}


@_data.register
def _stop(
    item: items.EndStop, record: Record, of: Of, store: Store, span: tuple[float, float]
) -> dict[str, Any] | None:
    found = {"joint": item.joint, "axis": item.axis, "lower": item.lower, "upper": item.upper}
    found |= {"angular": item.angular or None, "travel": of(item.travel), "load": of(item.load)}
    return found if found["travel"] is not None else None


@_data.register
def _flexible_body(
    item: items.FlexibleBody, record: Record, of: Of, store: Store, span: tuple[float, float]
) -> dict[str, Any] | None:
    return deformation.of_body(record, item, store)


@_data.register
def _beam(
    item: items.FlexibleBeam, record: Record, of: Of, store: Store, span: tuple[float, float]
) -> dict[str, Any] | None:
    return deformation.of_beam(record, item, store)


@_data.register
def _tank(
    item: items.Tank, record: Record, of: Of, store: Store, span: tuple[float, float]
) -> dict[str, Any] | None:
    found = {"body": item.body, "style": item.style, "at": items.vector(item.at)}
    found |= {"axis": items.vector(item.axis), "radius": item.radius, "height": item.height}
    found |= {
        "density": item.density,
        "full": item.full,
        "left": of(item.left),
        "attached": of(item.attached),
    }
    return found if found["left"] is not None else None


@_data.register
def _plume(
    item: items.Plume, record: Record, of: Of, store: Store, span: tuple[float, float]
) -> dict[str, Any] | None:
    found = {"body": item.body, "at": items.vector(item.at), "direction": items.vector(item.direction)}
    found |= {"thrust": of(item.thrust), "force": of(item.force)}
    return found if found["thrust"] is not None else None


@_data.register
def _canopy(
    item: items.Canopy, record: Record, of: Of, store: Store, span: tuple[float, float]
) -> dict[str, Any]:
    found = {"body": item.body, "at": items.vector(item.at), "area": item.area}
    return found | {"state": of(item.state)}


@_data.register
def _gap(
    item: items.Gap, record: Record, of: Of, store: Store, span: tuple[float, float]
) -> dict[str, Any] | None:
    points = [of(path) for path in item.points]
    found = {"bodies": [*item.bodies], "distance": of(item.distance), "points": points, "limit": item.limit}
    return found if found["distance"] is not None and None not in points else None


@_data.register
def _arrow(
    item: items.Arrow, record: Record, of: Of, store: Store, span: tuple[float, float]
) -> dict[str, Any] | None:
    found = {"body": item.body, "at": _direction(item.at), "values": of(item.path), "kind": item.kind}
    return found | {"inertial": item.inertial} if found["values"] is not None else None


def _direction(value: Any) -> list[float] | None:
    return None if value is None else items.vector(value)


def last_action(record: Record, path: str) -> float | None:
    """Return the last time [s] at which a state is above zero.

    None for a state that is above zero at the end of the flight, and without values. A state that is never
    above zero has its first time.
    """
    found = course(record, path) if path else None
    if found is None or not len(found[0]):
        return None
    acting = np.flatnonzero(found[1] > 0)
    if not len(acting):
        return float(found[0][0])
    return float(found[0][acting[-1]]) if acting[-1] < len(found[0]) - 1 else None
