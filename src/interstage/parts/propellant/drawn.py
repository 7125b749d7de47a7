"""Tanks, exhaust jets and thrust arrows of engines in the 3D scene of a flight."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...playback.items import Arrow, Plume, Tank, each, scalar, vector
from ...record.record import Record
from .elements import Container, CylinderTank, Grain, PointTank, SphereTank
from .engines import Nozzle


def plumes(record: Record) -> Iterator[Plume | Arrow]:
    """Yield an exhaust jet and a thrust arrow for each engine and motor of the record."""
    for one in each(record, "engines", Nozzle):
        path = f"engines.{one.name}."
        yield Plume(one.name, one.body, one.at, one.direction, f"{path}thrust", f"{path}force")
        yield Arrow(one.name, "thrust", one.body, f"{path}force", one.at)


def tanks(record: Record) -> Iterator[Tank]:
    """Yield the propellant of each tank and grain of the record."""
    for body in record.scenario.bodies:
        for one in getattr(body, "elements", ()):
            if isinstance(one, Container):
                path = f"bodies.{body.name}.elements.{one.name}."
                paths = f"{path}left", f"{path}attached"
                style, at, axis, sizes = _size(one)
                yield Tank(one.name, body.name, style, at, axis, scalar(one.propellant), *paths, *sizes)


def _size(one: Any) -> tuple[str, Any, Any, tuple[float, ...]]:
    """Style, place and axis of a tank, with its radius, height [m] and density [kg/m^3] if it has a shape."""
    match one:
        case CylinderTank():
            density, radius = scalar(one.density), scalar(one.radius)
            level = scalar(one.propellant) / (density * math.pi * radius**2)
            height = level if one.height is None else scalar(one.height)
            return "cylinder", one.bottom, one.axis, (radius, height, density)
        case SphereTank():
            radius = scalar(one.radius)
            return "sphere", one.centre, one.axis, (radius, 2 * radius, scalar(one.density))
        case Grain():
            sizes = scalar(one.outer_radius), scalar(one.length), scalar(one.density)
            return "grain", one.centre, one.axis, sizes
        case PointTank():
            return "gauge", one.at, (1.0, 0.0, 0.0), ()
    # The row of the table with the largest mass of propellant.
    return "gauge", vector(np.asarray(one.mass_centre)[-1]), (1.0, 0.0, 0.0), ()


ITEMS = (plumes, tanks)
