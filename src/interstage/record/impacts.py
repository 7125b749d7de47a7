"""List the impacts of bodies on the ground from the events of a record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..model.ground import IMPACT
from .record import Record


@dataclass(frozen=True)
class Impact:
    """One impact of a body on the ground: state of its centre of mass just before the impact.

    - body, leg: names of the body and of the mission leg; leg is "" without a mission.
    - time: time of the impact [s].
    - latitude, longitude: geodetic [rad]; NaN over flat ground.
    - north, east: position [m] relative to the origin of flat ground; NaN over an ellipsoid.
    - altitude: altitude of the centre of mass [m].
    - mass: mass of the body [kg].
    - speed [m/s], flight_path_angle [rad]: relative to the ground.
    - energy: kinetic energy of translation relative to the ground [J].
    """

    body: str
    leg: str
    time: float
    latitude: float
    longitude: float
    north: float
    east: float
    altitude: float
    speed: float
    flight_path_angle: float
    mass: float
    energy: float


def impacts(record: Record) -> Iterator[Impact]:
    """Yield the impacts of a flight, or of all legs of a mission, in order of time."""
    legs = record.legs or {"": record}
    found = [one for leg, own in legs.items() for one in _of_one(own, leg)]
    yield from sorted(found, key=lambda one: one.time)


def _of_one(record: Record, leg: str) -> Iterator[Impact]:
    for row, event in enumerate(record.events):
        if event.kind != IMPACT:
            continue
        body = event.name.removesuffix(f" {IMPACT}")
        names = ("latitude", "longitude", "north", "east", "altitude")
        place = {name: _before(record, body, name, row) for name in names}
        speed, mass = (_before(record, body, name, row) for name in ("ground_speed", "mass"))
        angle = _before(record, body, "flight_path_angle", row)
        yield Impact(
            body,
            leg,
            event.time,
            **place,
            speed=speed,
            flight_path_angle=angle,
            mass=mass,
            energy=0.5 * mass * speed**2,
        )


def _before(record: Record, body: str, name: str, row: int) -> float:
    """A quantity of a body just before an event; NaN if the record has none."""
    values: Any = record.before.get(f"bodies.{body}.{name}")
    return float(values[row]) if values is not None else float(np.nan)
