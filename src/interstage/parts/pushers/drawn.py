"""Pushers in the 3D scene of a flight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...playback.items import Link, StrokeDevice, always, each, scalar
from ...record.record import Record
from .declared import KickoffSpring, Piston, PneumaticPusher, Pusher

READINGS = (("force", "force", "N"), ("stroke used", "stroke", "m"), ("pressure", "pressure", "Pa"))
"""Word, name of the quantity and unit of each value in the text of a pusher."""


def pushers(record: Record) -> Iterator[Link | StrokeDevice]:
    """Yield a coil for each separation spring, a cylinder with a rod for each piston and pneumatic pusher,
    and a line for each umbilical. They are shown on the parent after the end of the stroke.
    """
    for one in each(record, "devices", Pusher):
        path, at = f"devices.{one.name}.", (one.parent_at, one.child_at)
        bodies, state = (one.parent, one.child), f"{path}state"
        readings = tuple((word, f"{path}{name}", unit) for word, name, unit in READINGS)
        if isinstance(one, Piston | PneumaticPusher):
            stroke, axis, bore = scalar(one.stroke), one.axis, _bore(one)
            yield StrokeDevice(one.name, bodies, at, stroke, axis, bore, state, readings, _has_failed(one))
        else:
            style = "coil" if isinstance(one, KickoffSpring) else "line"
            yield Link(one.name, bodies, at, style, f"{path}force", state, readings, _has_failed(one))


def _has_failed(one: Any) -> bool:
    return always(one.strength, 0.0) or always(getattr(one, "delay", 0.0), np.inf)


def _bore(one: Any) -> float | None:
    """Diameter of the piston [m], if its area is known."""
    return None if one.area is None else float(np.sqrt(4 / np.pi * scalar(one.area)))


ITEMS = (pushers,)
