"""Table of the ground impacts of a flight."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...drawing.table import Table, number, time_text
from ...model.ground import IMPACT
from ...record.impacts import Impact, impacts
from ...record.record import Record
from ...tree.units import display

NOTE = (
    "The values are for the centre of mass just before the impact. Speed, flight-path angle and translational"
    " kinetic energy are relative to the ground."
)
PLACE_DIGITS = 7
"""The number of significant digits of a latitude or longitude in degrees. The last digit corresponds to about
ten metres.
"""


def tables(record: Record, units: str) -> Iterator[Table]:
    """Yield the table of the ground impacts of all bodies: time, location, speed and energy.

    units: unit system of the values, "SI" or "US".
    """
    found = [*impacts(record)]
    if not found:
        return
    flat = all(np.isnan(one.latitude) for one in found)
    length, length_unit = display("m", units)
    speed, speed_unit = display("m/s", units)
    energy, energy_unit = display("J", units)
    place = (
        [f"north [{length_unit}]", f"east [{length_unit}]"] if flat else ["latitude [deg]", "longitude [deg]"]
    )

    def cells(one: Impact) -> list[str]:
        where = (one.north * length, one.east * length)
        where = where if flat else np.degrees([one.latitude, one.longitude])
        digits = 5 if flat else PLACE_DIGITS
        moving = (one.speed * speed, np.degrees(one.flight_path_angle), one.energy * energy)
        height = f"{one.altitude * length + 0.0:.1f}".replace("-0.0", "0.0")
        return [*(number(float(value), digits) for value in where), height, *map(number, moving)]

    rows = [[one.body, time_text(one.time), *cells(one)] for one in found]
    heads = [f"altitude [{length_unit}]", f"speed [{speed_unit}]", "flight-path angle [deg]"]
    columns = ["body", "time [s]", *place, *heads, f"kinetic energy [{energy_unit}]"]
    right = [False] + [True] * (len(columns) - 1)
    yield Table("Impacts on the ground", columns, rows, right, NOTE, key="impacts")


TABLES = (tables,)
EVENTS = {IMPACT: "impact on the ground"}
