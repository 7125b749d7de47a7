"""Mass statement, figure of the engines, and what happens at their events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...drawing.curves import MOST_PANELS, side_by_side, with_rest
from ...drawing.figure import Figure
from ...drawing.table import Table, numbers, time_text
from ...record.record import Record, names_with, timeline
from ...tree.units import display

ROUNDING = 1e-9
"""Part of a mass by which the sum of its items may be off."""


class Item(NamedTuple):
    """Masses of one thing [kg]: at the start, burnt, dropped, and at the end; when it was dropped [s]."""

    start: float
    used: float = 0.0
    dropped: float = 0.0
    end: float = 0.0
    when: float = np.nan


def tables(record: Record, units: str) -> Iterator[Table]:
    """Masses of each body that has elements of mass, item by item: what was there, was burnt, was dropped and
    is left. The sums are those of the flight, or are reported to be off."""
    bodies = [body for body in record.scenario.bodies if body.elements and _recorded(record, body)]
    factor, unit = display("kg", units)
    rows: list[list[str]] = []
    bad: set[int] = set()
    every: list[Item] = []
    for body in bodies:
        dry = float(body.mass)
        found = {"structure": Item(dry, end=dry)}
        found |= {element.name: _element(record, body.name, element) for element in body.elements}
        rows += [_row("" if n else body.name, *one, factor) for n, one in enumerate(found.items())]
        whole = _sum([*found.values()])
        every.append(whole)
        flown = timeline(record, f"bodies.{body.name}.mass")[1]
        if max(abs(whole.start - flown[0]), abs(whole.end - flown[-1])) > ROUNDING * abs(flown[0]):
            bad.add(len(rows))
        rows.append(_row("", "together", whole, factor))
    if len(bodies) > 1:
        rows.append(_row("all", "", _sum(every), factor))
    columns = [
        "body",
        "item",
        *(f"{head} [{unit}]" for head in ("start", "burnt", "dropped", "end")),
        "at [s]",
    ]
    note = "Burnt is all that flowed out of tanks and grains. Sums are those of the masses that flew."
    if bad:
        note = "Sums in red are not those of the masses that flew."
    right = [False, False, True, True, True, True, True]
    yield Table("Masses", columns, rows, right, note, bad, key="masses", page_only=True)


def _recorded(record: Record, body: Any) -> bool:
    paths = [f"bodies.{body.name}.elements.{element.name}.attached" for element in body.elements]
    return len(record.time) > 0 and all(
        path in record.series for path in (f"bodies.{body.name}.mass", *paths)
    )


def _element(record: Record, body: str, element: Any) -> Item:
    stem = f"bodies.{body}.elements.{element.name}"
    times, attached = timeline(record, f"{stem}.attached")
    if attached[0] == 0:  # dropped in an earlier flight
        return Item(0.0)
    constant = getattr(element, "mass_inert", 0.0) if hasattr(element, "propellant") else element.mass
    held = np.full(len(times), float(getattr(element, "propellant", 0.0)))
    if f"{stem}.left" in record.series:
        held = timeline(record, f"{stem}.left")[1]
        # What an empty tank holds by rounding, of either sign, is nothing.
        held = np.where(np.abs(held) > ROUNDING * float(getattr(element, "propellant", 0.0)), held, 0.0)
    mass = held + float(constant)
    gone = np.flatnonzero(attached == 0)
    if not gone.size:
        return Item(float(mass[0]), float(mass[0] - mass[-1]), 0.0, float(mass[-1]))
    first, last, when = float(mass[0]), float(mass[gone[0] - 1]), float(times[gone[0]])
    return Item(first, first - last, last, 0.0, when)


def _sum(items: list[Item]) -> Item:
    return Item(*np.sum([item[:4] for item in items], 0))


def _row(body: str, name: str, item: Item, factor: float) -> list[str]:
    when = time_text(item.when) if np.isfinite(item.when) else ""
    return [body, name, *numbers(np.array(item[:4]) * factor, 7), when]


def figures(record: Record, units: str) -> Iterator[Figure]:
    """Thrust of each engine, and mass of each body whose mass may change."""
    engines, bodies = names_with(record, "engines", "thrust"), names_with(record, "bodies", "mass_rate")
    shown = [(name, f"engines.{name}.thrust") for name in engines[:MOST_PANELS]]
    shown += [(name, f"bodies.{name}.mass") for name in bodies[:MOST_PANELS]]
    if shown:
        caption = with_rest("Thrust of the engines, and masses", max(engines, bodies, key=len))
        yield Figure(caption, side_by_side(record, shown, units), key="engines")


TABLES = (tables,)
FIGURES = (figures,)
EVENTS = {"tank": "engines end"}
