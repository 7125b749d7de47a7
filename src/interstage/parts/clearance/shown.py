"""Tables and figures of minimum distances and recontacts of bodies."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...drawing.curves import MOST_PANELS, events_of, time_axis, value_axis, with_rest
from ...drawing.figure import BAD, COLOURS, Band, Figure, Limit, Line, Mark, Panel, Points
from ...drawing.table import Table, number, numbers, time_text
from ...record.record import Closest, Record
from ...tree.units import display

CLOSE = 0.1
"""The range of the figure around the minimum, as a fraction of the largest distance. If three times the
minimum distance is larger, the figure extends to this distance instead.
"""


def tables(record: Record, units: str) -> Iterator[Table]:
    """Yield three tables: the minimum distance of each clearance, the locations of these minima, and all
    recontacts.

    units: unit system of the values, "SI" or "US".
    """
    yield closest_table(record, units)
    yield place_table(record, units)
    yield recontact_table(record, units)


def closest_table(record: Record, units: str) -> Table:
    """Return the table of the minimum distance of each clearance, with its time. units: name of the unit
    system.
    """
    factor, unit = display("m", units)
    rows, bad = [], set()
    for row, found in enumerate(record.closest):
        least, at = number(found.distance * factor), time_text(found.time)
        inside = f"clearance.{found.name}.recontacts" in record.unjudged
        rows.append([found.name, " / ".join(found.between), least, at, _over(found, inside)])
        if inside or any(met.name == found.name for met in record.recontacts):
            bad.add(row)
    columns = ["clearance", "between", f"minimum [{unit}]", "time [s]", "evaluated time span"]
    note = "The minimum is the smallest distance between shapes. A negative value is a penetration depth."
    return Table(
        "Clearance", columns, rows, [False, False, True, True, False], note if rows else "", bad, "clearance"
    )


def place_table(record: Record, units: str) -> Table:
    """Return the table of the locations of the minimum distances. units: name of the unit system."""
    factor, unit = display("m", units)
    rows = [
        [
            found.name,
            " / ".join(found.shapes),
            *("  ".join(numbers(_in_units(p, factor), 4)) for p in (found.point_on_a, found.point_on_b)),
        ]
        for found in record.closest
    ]
    columns = ["clearance", "shapes", f"point on first shape [{unit}]", f"point on second shape [{unit}]"]
    note = "The coordinates of each point are in the structural frame of the body that carries the shape."
    return Table("Nearest points", columns, rows, [False] * 4, note if rows else "", key="nearest points")


def _in_units(point: tuple[float, ...], factor: float):
    return np.array(point) * factor


def _over(found: Closest, inside: bool) -> str:
    """Return the text of the section of the flight of a minimum distance. inside: whether the bodies overlap
    initially."""
    state = "overlap" if inside else "contact"
    if not found.apart:
        return f"none: {state} throughout the flight"
    text = f"{time_text(found.start)} to {time_text(found.end)} s"
    return text if found.touched_until is None else f"{text}, after the initial {state}"


def recontact_table(record: Record, units: str) -> Table:
    """Return the table of all recontacts. units: name of the unit system."""
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
            "  ".join(numbers(_in_units(met.point_on_a, length), 4)),
        ]
        for met in record.recontacts
    ]
    columns = ["time [s]", "clearance", "shapes"]
    columns += [f"approach speed [{speed_unit}]", f"sliding speed [{speed_unit}]"]
    columns += [f"energy [{energy_unit}]", f"point on first shape [{length_unit}]"]
    note = "The energy is the kinetic energy of the approach, computed for two free bodies."
    note += " A recontact applies no force to the bodies. To model the contact force, declare a contact."
    right = [True, False, False, True, True, True, False]
    return Table("Recontact", columns, rows, right, note, set(range(len(rows))), "recontacts")


def figures(record: Record, units: str) -> Iterator[Figure]:
    """Yield figures of the distance of each clearance over time, and of the range around its minimum. The
    figures also show limits and recontacts.

    units: unit system of the values, "SI" or "US".
    """
    shown = [found for found in record.closest if f"clearance.{found.name}" in record.courses]
    if not shown:
        return
    caption = (
        "Distance between shapes during the evaluated time and near the minimum. Dashed lines are limits of"
        " warnings and requirements. A cross marks a recontact."
    )
    rows = [_row(record, found, units) for found in shown[:MOST_PANELS]]
    yield Figure(with_rest(caption, [found.name for found in shown]), rows, key="clearance")


def _row(record: Record, found: Closest, units: str) -> list[Panel]:
    times, values = record.courses[f"clearance.{found.name}"]
    distance = values["distance"]
    factor, unit = display("m", units)
    seen = _around(distance, found)
    least = f"minimum {found.distance * factor:.4g} {unit} at {found.time:.5g} s"
    return [
        _panel(record, found, times, distance, units, f"{found.name}: {' to '.join(found.between)}"),
        _panel(record, found, times[seen], distance[seen], units, least),
    ]


def _around(distance: np.ndarray, found: Closest) -> slice:
    """Return the times around the minimum distance at which the distance is small."""
    least, row = max(found.distance, 0.0), int(np.argmin(distance))
    far = np.flatnonzero(distance > max(CLOSE * distance.max(), 3 * least))
    first, last = np.max(far[far < row], initial=0), np.min(far[far > row], initial=len(distance) - 1)
    return slice(int(first), int(last) + 1)


def _limits(record: Record, name: str) -> list[float]:
    """Return the distances [m] below which a warning is printed, or a requirement is violated."""
    scenario = record.scenario
    warned = [c.warn_below for c in scenario.clearance if c.name == name and c.warn_below is not None]
    path = f"clearance.{name}.distance"
    least = [r.min.magnitude for r in scenario.requirements if r.quantity == path and r.min is not None]
    return [float(limit) for limit in (*warned, *least)]


def _panel(
    record: Record, found: Closest, times: np.ndarray, distance: np.ndarray, units: str, title: str
) -> Panel:
    factor, unit = display("m", units)
    span = float(times[0]), float(times[-1])
    marks: list[Mark] = []
    if distance.min() <= 0:
        marks.append(Band(min(0.0, float(distance.min()) * factor), 0.0))
    marks.append(Line(times, distance * factor, colour=COLOURS[0]))
    marks += [Limit(limit * factor) for limit in _limits(record, found.name)]
    marks.append(Points([found.time], [found.distance * factor]))
    met = [one.time for one in record.recontacts if one.name == found.name and span[0] <= one.time <= span[1]]
    marks.append(Points(met, [0.0] * len(met), "cross", BAD, size=8.0))
    return Panel(marks, title, time_axis(record, span), value_axis("distance", unit), events_of(record))


TABLES, FIGURES = (tables,), (figures,)
