"""Tables of how near bodies came to each other, and of those that met again."""

from __future__ import annotations

from ...drawing.table import Table, number, numbers, time_text
from ...record.record import Closest, Record
from ...tree.units import display


def clearance_tables(record: Record, units: str) -> list[Table]:
    """The least distance of each clearance, where it is, and every recontact."""
    return [closest_table(record, units), place_table(record, units), recontact_table(record, units)]


def closest_table(record: Record, units: str) -> Table:
    """The least distance of each clearance and when."""
    factor, unit = display("m", units)
    rows, bad = [], set()
    for row, found in enumerate(record.closest):
        least, at = number(found.distance * factor), time_text(found.time)
        rows.append([found.name, " / ".join(found.between), least, at, _over(found)])
        if any(met.name == found.name for met in record.recontacts):
            bad.add(row)
    columns = ["clearance", "between", f"least [{unit}]", "at [s]", "counted"]
    note = "Distances of the shapes. Negative: depth of overlap."
    return Table("Clearance", columns, rows, [False, False, True, True, False], note if rows else "", bad)


def place_table(record: Record, units: str) -> Table:
    """Where bodies were nearest to each other."""
    factor, unit = display("m", units)
    rows = [
        [
            found.name,
            " / ".join(found.shapes),
            *("  ".join(numbers(_scaled(p, factor), 4)) for p in (found.point_on_a, found.point_on_b)),
        ]
        for found in record.closest
    ]
    columns = ["clearance", "shapes", f"on first [{unit}]", f"on second [{unit}]"]
    note = "Points in the drawing coordinates of each body."
    return Table("Nearest points", columns, rows, [False] * 4, note if rows else "")


def _scaled(point: tuple[float, ...], factor: float):
    import numpy as np

    return np.array(point) * factor


def _over(found: Closest) -> str:
    """Over which part of the flight a least distance counts."""
    if not found.apart:
        return "touching throughout"
    text = f"{time_text(found.start)} to {time_text(found.end)} s"
    return text if found.touched_until is None else f"{text}, touching before"


def recontact_table(record: Record, units: str) -> Table:
    """Every time that bodies met again."""
    length, length_unit = display("m", units)
    speed, speed_unit = display("m/s", units)
    energy, energy_unit = display("J", units)
    rows = [
        [
            time_text(met.time),
            met.name,
            " / ".join(met.shapes),
            number(met.approach_speed * speed),
            number(met.sliding_speed * speed),
            number(met.energy * energy),
            "  ".join(numbers(_scaled(met.point_on_a, length), 4)),
        ]
        for met in record.recontacts
    ]
    columns = ["t [s]", "clearance", "shapes", f"approach [{speed_unit}]", f"sliding [{speed_unit}]"]
    columns += [f"energy [{energy_unit}]", f"on first [{length_unit}]"]
    note = "Energy: of the approach of two free bodies. Forces act only where contacts have them."
    right = [True, False, False, True, True, True, False]
    return Table("Recontact", columns, rows, right, note, bad=set(range(len(rows))))
