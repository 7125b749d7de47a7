"""Report table and figure of ideal velocity and losses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...drawing.curves import MOST_PANELS, together
from ...drawing.figure import Figure
from ...drawing.table import Table, number
from ...model.effect import effects
from ...record.record import Record, names_with
from ...tree.names import GROUND
from ...tree.sentences import list_text
from ...tree.units import display
from .declared import ITEMS, SPEED
from .hold import may_hold

LEAST = 1.0
"""Ideal velocity [m/s] above which a body has a table in the report."""
MUCH = 500.0
"""Minimum ideal velocity [m/s] at which the terminal also prints the table."""
HEADS = ("ideal velocity", "gravity loss", "drag loss", "steering loss", "pressure loss")
DIGITS = 5
MOST_NAMED = 3
"""Maximum number of names of holding effects in the note below a table."""


def shown_bodies(record: Record) -> list[str]:
    """Return the names of the bodies with different ideal velocities.

    If bodies have equal ideal velocities because they stay together, only the first of these bodies is
    returned.
    """
    found: dict[bytes, str] = {}
    for body in names_with(record, "bodies", "ideal_velocity"):
        values = record.series[f"bodies.{body}.ideal_velocity"]
        if (
            all(f"bodies.{body}.{item}" in record.series for item in ITEMS)
            and np.max(values, initial=0.0) > LEAST
        ):
            found.setdefault(np.round(values, 6).tobytes(), body)
    return list(found.values())


def tables(record: Record, units: str) -> Iterator[Table]:
    """Yield a table for each body: ideal velocity, losses and change of speed in each phase and in the whole
    flight.

    `units`: name of the unit system of the report.
    """
    bodies = shown_bodies(record)
    factor, unit = display(SPEED, units)
    for body in bodies:
        rows, spent = [], _at(record, body, ITEMS[0], record.time[-1])
        stretches = (
            [*record.phases, ("all phases", record.phases[0][1], record.phases[-1][2])]
            if record.phases
            else []
        )
        for name, start, end in stretches:
            change = np.array(
                [_at(record, body, item, end) - _at(record, body, item, start) for item in ITEMS]
            )
            speed = _at(record, body, _speed(record, body), end) - _at(
                record, body, _speed(record, body), start
            )
            rest = change[0] - change[1:].sum() - speed
            rows.append([name, *(_cell(value * factor) for value in (*change, rest, speed))])
        columns = ["phase", *HEADS, "other losses", "speed change"]
        kind = "ground speed" if _speed(record, body) == "ground_speed" else "speed"
        note = f"The speed change is the change of the {kind}: the ideal velocity minus all losses."
        if may_hold(record.scenario):
            note += " While the ground holds the body, the ideal velocity counts as other losses."
        if on := _holding(record, body):
            note += f" The ideal velocity excludes the mass of bodies that {list_text(on, MOST_NAMED)}"
            note += f" connect{'s' if len(on) == 1 else ''}. The loads of these bodies count as other losses."
        title = f"Ideal velocity and losses{f' of {body}' if len(bodies) > 1 else ''} in {unit}"
        right = [False] + [True] * (len(columns) - 1)
        yield Table(
            title, columns, rows, right, note, key="losses", page_only=body != bodies[0] or spent < MUCH
        )


def _holding(record: Record, body: str) -> list[str]:
    """Return the names of effects that hold other bodies on a body like a joint."""
    holding = (one for one in effects(record.scenario) if one.holds and body in one.ends)
    return [one.name for one in holding if len(one.ends) == 2 and GROUND not in one.ends]


def _speed(record: Record, body: str) -> str:
    return "ground_speed" if f"bodies.{body}.ground_speed" in record.series else "speed"


def _at(record: Record, body: str, item: str, time: float) -> float:
    """Return the value just before the events at a time, or just after the start. Without an event, return
    the value of the first or last sample."""
    path = f"bodies.{body}.{item}"
    at = [row for row, event in enumerate(record.events) if event.time == time]
    if at:
        return float(record.before[path][at[0]] if record.phases[0][1] < time else record.after[path][at[0]])
    return float(record.series[path][0 if time <= record.time[0] else -1])


def _cell(value: float) -> str:
    """Return the text of a value with two decimals, which is about the error of quadrature and steps.
    Negative zero is printed as zero."""
    return f"{value + 0.0:.2f}".replace("-0.00", "0.00") if abs(value) < 1e7 else number(value, DIGITS)


def figures(record: Record, units: str) -> Iterator[Figure]:
    """Yield a figure of ideal velocity, speed and losses over time. `units`: unit system of the values, "SI"
    or "US"."""
    bodies = shown_bodies(record)[:MOST_PANELS]
    rows = []
    for body in bodies:
        paths = [(head, f"bodies.{body}.{item}") for head, item in zip(HEADS, ITEMS, strict=True)]
        speed = [("speed", f"bodies.{body}.{_speed(record, body)}")]
        title = body if len(bodies) > 1 else ""
        left = together(record, [paths[0], *speed], units, "velocity", title)
        rows.append([left, together(record, paths[1:], units, "losses", title)])
    if rows:
        yield Figure("Ideal velocity, speed, and velocity losses", rows, key="losses")


TABLES = (tables,)
FIGURES = (figures,)
