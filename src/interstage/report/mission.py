"""Create tables and figures of trajectories from a record. In a mission, a trajectory covers all legs of a
body.

A body has a trajectory if its altitude changes much, and if it flies in the atmosphere or under thrust. In a
mission, a change of altitude is sufficient. A separation in orbit has no trajectory tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from ..drawing.curves import over_time, thousands, with_event_numbers
from ..drawing.figure import COLOURS, Axis, Figure, Line, Mark, Panel, Points
from ..drawing.table import Table, label_text, number, numbers, time_text
from ..quantities.loads import FAR
from ..record import legs
from ..record.record import Record, names_with, timeline
from ..tree.units import display
from .stacks import flew_together

THICK, STRONG = 100.0, 50.0
"""Dynamic pressure [Pa] and ideal velocity [m/s] from which on a body is not in free flight."""
REST = 1e-3
"""Ground speed [m/s] up to which a body counts as at rest. The flight-path angle of such a body is
undefined."""
LANDED = 1.0
"""Height above the ground [m] up to which a body counts as landed. The height at an impact has rounding
errors.
"""
SAME_HEIGHT = 1e-3
"""Maximum difference [m] between two heights that tables show as equal."""
ROUNDING = 1e-9
"""Maximum magnitude (SI) of a rounding error, for example of an angle of attack that is controlled to
zero.
"""
MOST_TABLES = 4
"""Maximum number of bodies with their own tables."""
DIGITS = 4


class Column(NamedTuple):
    """Column of a table, with a quantity of a body.

    - name: name of the quantity.
    - head: heading of the column.
    - turned: true if the quantity is an angle times a pressure.
    - digits: number of significant digits of the largest value.
    - note: sentence that explains the heading. Default: none.
    """

    name: str
    head: str
    turned: bool = False
    digits: int = 4
    note: str = ""


COURSE = (
    Column("altitude", "altitude", digits=5),
    Column("ground_speed", "ground speed"),
    Column(
        "flight_path_angle",
        "flight-path angle",
        note="The flight-path angle is the angle between the planet-relative velocity and the local "
        "horizontal plane, positive upward.",
    ),
    Column("mach", "Mach number"),
    Column("dynamic_pressure", "dynamic pressure"),
    Column(
        "stack_mass",
        "stack mass",
        digits=5,
        note="The stack mass is the mass of the body and all connected bodies.",
    ),
    Column("downrange", "downrange", digits=5),
    Column("load_factor", "load factor"),
)
EXTREMES = (
    Column("dynamic_pressure", "dynamic pressure"),
    Column(
        "q_alpha",
        "q alpha",
        turned=True,
        note="q alpha is the dynamic pressure times the total angle of attack.",
    ),
    Column("load_factor", "load factor"),
    Column("axial_load_factor", "axial load factor"),
    Column("mach", "Mach number"),
    Column("altitude", "altitude"),
    Column(
        "heat_rate_indicator",
        "q V",
        note="q V is the dynamic pressure times the airspeed, an indicator of heating.",
    ),
)
IN_AIR = ("dynamic_pressure", "q_alpha", "mach", "heat_rate_indicator")
"""Names of the quantities whose peak value has only one line for each stack.

The bodies of a stack are only some metres apart, so their values are nearly equal.
"""
WHERE = (
    Column("altitude", "altitude"),
    Column("mach", "Mach number"),
    Column("ground_speed", "ground speed"),
)
ORBIT = (
    Column("perigee_height", "perigee"),
    Column("apogee_height", "apogee"),
    Column("eccentricity", "eccentricity"),
    Column("inclination", "inclination"),
    Column("node", "ascending node"),
    Column("argument_of_periapsis", "argument of perigee"),
    Column("true_anomaly", "true anomaly"),
    Column("perigee_altitude", "perigee radius - R"),
    Column("apogee_altitude", "apogee radius - R"),
)


def travellers(record: Record) -> dict[str, Record]:
    """Return the record of each body with a trajectory, in descending order of ideal velocity.

    In a mission, the record covers all legs of the body."""
    found = []
    for body, own in _records(record):
        heights = timeline(own, f"bodies.{body}.altitude")[1]
        heights = heights[np.isfinite(heights)]
        if not len(heights) or not np.ptp(heights) > FAR:
            continue
        ideal, pressure = (_most(own, body, name) for name in ("ideal_velocity", "dynamic_pressure"))
        if record.legs or ideal > STRONG or pressure > THICK:
            found.append((-ideal, body, own))
    return {body: own for _, body, own in sorted(found, key=lambda one: one[0])[:MOST_TABLES]}


def _records(record: Record) -> Iterator[tuple[str, Record]]:
    """Yield each body with an altitude, and the record of its complete flight."""
    for body in names_with(record, "bodies", "altitude") if not record.legs else _flown(record):
        own = legs.whole(record, body) if record.legs else record
        if f"bodies.{body}.altitude" in own.series:
            yield body, own


def _flown(record: Record) -> dict[str, None]:
    """Return the bodies of all legs, in their order."""
    return {body: None for one in record.legs.values() for body in names_with(one, "bodies", "altitude")}


def _most(record: Record, body: str, name: str) -> float:
    path = f"bodies.{body}.{name}"
    values = timeline(record, path)[1] if path in record.series else np.zeros(1)
    return float(np.max(values, initial=0.0, where=np.isfinite(values)))


def tables(record: Record, units: str) -> Iterator[Table]:
    """Yield the trajectory summary, the peak values and the orbits of each body with a trajectory.

    The terminal prints only the tables of the first body."""
    bodies = travellers(record)
    lines = _lines(record, bodies)
    for place, (body, own) in enumerate(bodies.items()):
        whose = f" of {body}" if len(bodies) > 1 or record.legs else ""
        yield course_table(own, body, whose, units, place > 0)
        yield extremes_table(own, body, whose, units, place > 0, lines[body])
        yield orbits_table(own, body, whose, units, place > 0)


class Owner(NamedTuple):
    """Body to which a line of peak values belongs, and the record of this body."""

    body: str
    record: Record


def _lines(record: Record, bodies: dict[str, Record]) -> dict[str, dict[str, Owner]]:
    """Return for each body with a trajectory the owner of each line of peak values, by name of the quantity.

    A stack has one line for each aerodynamic quantity, in the table of its first body. The owner of the line
    is the body of the stack with the largest value."""
    found = {body: {c.name: Owner(body, own) for c in EXTREMES} for body, own in bodies.items()}
    for name in IN_AIR:
        each = ((body, _peak(own, body, name)) for body, own in bodies.items())
        peaks = {body: peak for body, peak in each if peak is not None}
        order = sorted(peaks, key=lambda body, peaks=peaks: -peaks[body][1])
        stacks: dict[str, list[str]] = {}
        for body in order:
            owner = next((one for one in stacks if _one_stack(record, (one, body), peaks)), body)
            stacks.setdefault(owner, []).append(body)
        for owner, members in stacks.items():
            first = next(body for body in bodies if body in members)
            for body in members:
                del found[body][name]
            found[first][name] = Owner(owner, bodies[owner])
    return found


def _peak(record: Record, body: str, name: str) -> tuple[float, float] | None:
    """Return time [s] and value of the largest value of a quantity of a body, or None."""
    path = f"bodies.{body}.{name}"
    if path not in record.series:
        return None
    times, values = timeline(record, path)
    if not np.isfinite(values).any() or not np.nanmax(values) > ROUNDING:
        return None
    at = int(np.nanargmax(values))
    return float(times[at]), float(values[at])


def _one_stack(record: Record, both: tuple[str, str], peaks: dict[str, Any]) -> bool:
    """Whether two bodies flew as one stack at the times of the largest values of both."""
    return all(flew_together(record, *both, peaks[body][0]) for body in both)


def _columns_in_units(record: Record, body: str, columns: tuple[Column, ...], units: str):
    """Yield (column, factor, heading with unit) of the columns that the record has."""
    for column in columns:
        path = f"bodies.{body}.{column.name}"
        if path not in record.series:
            continue
        unit = record.meta[path].unit
        factor, label = display("Pa" if column.turned else unit, units)
        if column.turned:
            factor *= 180 / np.pi
        factor, label = thousands(factor, label, timeline(record, path)[1])
        label = f"{label} deg" if column.turned else label
        label = "g" if column.name.endswith("load_factor") else label
        yield column, factor, label_text(column.head, label)


def course_table(record: Record, body: str, whose: str, units: str, page_only: bool) -> Table:
    """Return the trajectory summary of a body: one row for each event, with values just after the event.

    - whose: text that the title ends with, for example " of stage"; "" for none.
    - units: unit system, "SI" or "US".
    - page_only: true if the terminal omits the table.
    """
    shown = [*_columns_in_units(record, body, COURSE, units)]
    values = (
        numbers(_moving(record, body, column.name) * factor, column.digits)
        for column, factor, _ in (shown if record.events else ())
    )
    first = [[time_text(event.time) for event in record.events], [event.name for event in record.events]]
    rows = [list(cells) for cells in zip(*first, *values, strict=True)]
    columns = ["time [s]", "event", *(head for *_, head in shown)]
    note = _sentences("Each row shows the values just after the event.", *(column for column, *_ in shown))
    right = [True, False, *(True for _ in shown)]
    return Table(f"Trajectory summary{whose}", columns, rows, right, note, key="course", page_only=page_only)


def _moving(record: Record, body: str, name: str) -> np.ndarray:
    """Return the values of a quantity just after each event; the flight-path angle of a body at rest is
    NaN."""
    values, speed = record.after[f"bodies.{body}.{name}"], f"bodies.{body}.ground_speed"
    if name != "flight_path_angle" or speed not in record.after:
        return values
    return np.where(record.after[speed] > REST, values, np.nan)


def _path_angle(record: Record, path: str) -> tuple[np.ndarray, np.ndarray]:
    """Return times [s] and values [rad] of the flight-path angle; values are NaN while the body is at
    rest."""
    times, values = timeline(record, path)
    speed = f"{path.rpartition('.')[0]}.ground_speed"
    if speed not in record.series:
        return times, values
    return times, np.where(timeline(record, speed)[1] > REST, values, np.nan)


def extremes_table(
    record: Record,
    body: str,
    whose: str,
    units: str,
    page_only: bool,
    lines: Mapping[str, Owner] | None = None,
) -> Table:
    """Return the peak values of a body, with time, phase and flight condition. Peaks between samples are
    included.

    lines: body to which each line belongs, by name of the quantity. Default: the body for all lines. Other
    arguments: see `course_table`.
    """
    lines = {column.name: Owner(body, record) for column in EXTREMES} if lines is None else lines
    where, rows, others = [*_columns_in_units(record, body, WHERE, units)], [], list[str]()
    listed = list[Column]()
    for extreme in EXTREMES:
        if extreme.name not in lines:
            continue
        owner, own = lines[extreme.name]
        peak = _peak(own, owner, extreme.name)
        if not peak:
            continue
        ((_, factor, head),) = _columns_in_units(own, owner, (extreme,), units)
        time, value = peak
        path = f"bodies.{owner}.{extreme.name}"
        at = int(np.nanargmax(timeline(own, path)[1]))
        cells = [number(value * factor, DIGITS), time_text(time), _phase(own, path, time, value)]
        there = (timeline(own, f"bodies.{owner}.{c.name}")[1][at] * f for c, f, _ in where)
        rows.append(
            [
                head if owner == body else f"{head} of {owner}",
                *cells,
                *(number(float(v), DIGITS) for v in there),
            ]
        )
        others += [owner] if owner != body else []
        listed.append(extreme)
    columns = ["quantity", "peak", "time [s]", "phase", *(head for *_, head in where)]
    right = [False, True, True, False, *(True for _ in where)]
    note = f"Altitude, speed and load factor are values at the centre of mass of {body}."
    note = _sentences(note, *listed)
    if others:
        whom = " and ".join(dict.fromkeys(others))
        note += f" For connected bodies, the table shows the aerodynamic quantities of only one body: {whom}."
    title = f"Peak values{whose}"
    return Table(title, columns, rows, right, note, key="extremes", page_only=page_only)


def _sentences(first: str, *columns: Column) -> str:
    """Return a note: a sentence, and the notes of some columns."""
    return " ".join([first, *(column.note for column in columns if column.note)])


def _phase(record: Record, path: str, time: float, value: float) -> str:
    """Return the name of the phase of a peak value.

    A value that occurs only just after an event belongs to the phase that begins at the event."""
    held = [name for name, start, end in record.phases if start <= time <= end]
    first = next((row for row, event in enumerate(record.events) if event.time == time), None)
    only_after = first is not None and path in record.before and record.before[path][first] != value
    return held[-1 if only_after else 0] if held else ""


def orbits_table(record: Record, body: str, whose: str, units: str, page_only: bool) -> Table:
    """Return the orbits at the end of each burn and at the end of the flight. Arguments: see `course_table`.

    Orbits in the atmosphere and on the ground are omitted. If the perigees of all orbits are below the
    ground, only the report page shows the table.
    """
    shown = [*_columns_in_units(record, body, _orbit_columns(record, body), units)]
    thrust, pressure = (f"bodies.{body}.{name}" for name in ("thrust_to_weight", "dynamic_pressure"))
    amid_air = record.after[pressure] > THICK if pressure in record.after else np.zeros(len(record.events))
    on_ground = _on_ground(record, body)
    rows, above = [], False
    for row, event in enumerate(record.events if shown else ()):
        cut = thrust in record.after and record.before[thrust][row] > 0 and record.after[thrust][row] == 0
        if amid_air[row] or on_ground[row] or (not cut and row + 1 < len(record.events)):
            continue
        values = [record.after[f"bodies.{body}.{column.name}"][row] for column, *_ in shown]
        above = above or values[0] > 0
        cells = (number(value * factor) for value, (_, factor, _) in zip(values, shown, strict=True))
        rows.append([time_text(event.time), event.name, *cells])
    columns = ["time [s]", "event", *(head for *_, head in shown)]
    right = [True, False, *(True for _ in shown)]
    note = (
        "The table shows the osculating (two-body) orbit at the time of each event. Perigee and apogee are"
        " heights above the ellipsoid. A negative perigee height means that the trajectory is suborbital."
    )
    if any(column.name.endswith("_altitude") for column, *_ in shown):
        note += " R is the equatorial radius of the planet."
    page_only = page_only or not above
    return Table(f"Orbits{whose}", columns, rows, right, note, key="orbits", page_only=page_only)


def _orbit_columns(record: Record, body: str) -> tuple[Column, ...]:
    """Return the columns of the orbits table, without columns of distance minus R if both heights are equal
    (sphere)."""
    stem = f"bodies.{body}.perigee"
    height, altitude = (record.after.get(f"{stem}_{name}", np.zeros(0)) for name in ("height", "altitude"))
    alike = len(height) == len(altitude) and np.allclose(height, altitude, rtol=0, atol=SAME_HEIGHT)
    return tuple(column for column in ORBIT if not (alike and column.name.endswith("_altitude")))


def _on_ground(record: Record, body: str) -> np.ndarray:
    """Return whether a body is on or below the ground, or at rest over the ground, just after each event
    (event,)."""
    altitude = record.after.get(f"bodies.{body}.altitude")
    if altitude is None:
        return np.zeros(len(record.events), bool)
    height = altitude - float(record.scenario.ground.altitude)
    speed = record.after.get(f"bodies.{body}.ground_speed", np.full(len(height), np.inf))
    return (height <= LANDED) | (speed <= REST)


# --- figures


def figures(record: Record, units: str) -> Iterator[Figure]:
    """Yield the profile of each body with a trajectory, and the ground tracks of all bodies."""
    bodies = travellers(record)
    for body, own in bodies.items():
        numbers = [record.events.index(event) + 1 for event in own.events]
        yield with_event_numbers(profile(own, body, units), numbers)
    tracked = {body: own for body, own in bodies.items() if f"bodies.{body}.latitude" in own.series}
    if tracked:
        yield ground_track(record, tracked)


def profile(record: Record, body: str, units: str) -> Figure:
    """Return a figure with altitude over downrange, and with speed, flight-path angle and load factor over
    time."""
    stem = f"bodies.{body}"
    (along, x_unit), (up, y_unit) = (
        _lengths(record, f"{stem}.{n}", units) for n in ("downrange", "altitude")
    )
    marks = [Line(along, up)]
    side = Panel(marks, x=Axis(f"downrange [{x_unit}]"), y=Axis(f"altitude [{y_unit}]", room=0.05))
    courses = {"ground_speed": timeline, "flight_path_angle": _path_angle, "load_factor": timeline}
    panels = [over_time(record, f"{stem}.{name}", units, course=course) for name, course in courses.items()]
    return Figure(f"Trajectory of {body}", [[side, panels[0]], panels[1:]], key="profile")


def _lengths(record: Record, path: str, units: str) -> tuple[np.ndarray, str]:
    values = timeline(record, path)[1]
    factor, unit = thousands(*display("m", units), values)
    return values * factor, unit


WIDE, HIGH = 780.0, 330.0
"""Approximate size of a map [px]."""
LEAST = 0.5
"""Minimum extent of a map [deg]."""


def ground_track(record: Record, bodies: dict[str, Record]) -> Figure:
    """Return a map with the ground tracks of bodies. The aspect ratio is exact at the middle latitude.

    bodies: record of each body, by name. record: record of the flight.
    """
    tracks = [_track(own, body) for body, own in bodies.items()]
    sites: list[Any] = [site for site in record.scenario.sites if not site.flat]
    places = np.degrees([[float(site.longitude), float(site.latitude)] for site in sites]).reshape(-1, 2)
    every = np.concatenate([*(track[np.isfinite(track).all(1)] for track in tracks), places])
    x, y = _frame(every)
    marks: list[Mark] = []
    many = len(bodies) > 1
    for k, ((body, own), track) in enumerate(zip(bodies.items(), tracks, strict=True)):
        marks.append(
            Line(track[:, 0], track[:, 1], body if many else "", COLOURS[k % len(COLOURS)], width=2.0)
        )
        marks.append(_points(_at_events(own, body), colour=COLOURS[k % len(COLOURS)]))
    if len(places):
        marks.append(_points(places.T, shape="ring", colour="#000000", size=8.0))
    caption = "Ground track. Dots mark events."
    caption += f" Rings mark sites: {', '.join(site.name for site in sites)}." if sites else ""
    panel = Panel(marks, x=Axis("longitude [deg]", *x), y=Axis("latitude [deg]", *y), height=HIGH)
    return Figure(caption, [[panel]], key="track")


def _track(record: Record, body: str) -> np.ndarray:
    """Longitudes and latitudes [deg] (n, 2), with a gap at the date line."""
    longitude, latitude = (
        np.degrees(timeline(record, f"bodies.{body}.{name}")[1]) for name in ("longitude", "latitude")
    )
    jumps = np.flatnonzero(np.abs(np.diff(longitude)) > 180) + 1
    return np.insert(np.stack([longitude, latitude], 1), jumps, np.nan, axis=0)


def _points(places: np.ndarray, **looks: Any) -> Points:
    return Points(places[0], places[1], **looks)


def _at_events(record: Record, body: str) -> np.ndarray:
    """Longitudes and latitudes [deg] (2, event)."""
    found = [record.after.get(f"bodies.{body}.{name}", np.zeros(0)) for name in ("longitude", "latitude")]
    return np.degrees(found)


def _frame(places: np.ndarray) -> tuple[tuple[float, float], tuple[float, float]]:
    """Ends of the two axes of a map that contains some points (n, 2) [deg]."""
    low, high = places.min(0), places.max(0)
    middle, span = (low + high) / 2, np.maximum(1.15 * (high - low), LEAST)
    narrow = max(np.cos(np.radians(middle[1])), 0.1)
    scale = max(span[0] * narrow / WIDE, span[1] / HIGH)
    across, up = min(scale * WIDE / narrow, 360.0) / 2, min(scale * HIGH, 180.0) / 2
    middle = np.clip(middle, [across - 180, up - 90], [180 - across, 90 - up])
    return (middle[0] - across, middle[0] + across), (middle[1] - up, middle[1] + up)
