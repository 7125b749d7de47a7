"""Report parts for propellant: mass statement, figure of the engines, and event texts."""

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
"""Maximum relative difference between the sum of the mass items and the mass of the body."""


class Item(NamedTuple):
    """Row of the mass statement: masses of one item [kg] at the start, burnt, jettisoned, and at the end.

    The row also has the time of the jettison [s].
    """

    start: float
    used: float = 0.0
    dropped: float = 0.0
    end: float = 0.0
    when: float = np.nan


def tables(record: Record, units: str) -> Iterator[Table]:
    """Yield the mass statement of each body with mass items: masses at the start, burnt, jettisoned, and at
    the end.

    The sums of the items are compared with the masses of the bodies in the record. `units`: unit system of
    the values, "SI" or "US".
    """
    bodies = [body for body in record.scenario.bodies if body.elements and _has_masses(record, body)]
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
        rows.append(_row("", "total", whole, factor))
    if len(bodies) > 1:
        rows.append(_row("all bodies", "total", _sum(every), factor))
    columns = [
        "body",
        "mass item",
        *(f"{head} [{unit}]" for head in ("start", "burnt", "jettisoned", "end")),
        "jettison time [s]",
    ]
    note = "The burnt mass is the propellant mass that left tanks and grains."
    note += (
        " A total in red differs from the mass of the body in the simulation."
        if bad
        else " All totals agree with the masses of the bodies in the simulation."
    )
    right = [False, False, True, True, True, True, True]
    yield Table("Masses", columns, rows, right, note, bad, key="masses", page_only=True)


def _has_masses(record: Record, body: Any) -> bool:
    paths = [f"bodies.{body.name}.elements.{element.name}.attached" for element in body.elements]
    return len(record.time) > 0 and all(
        path in record.series for path in (f"bodies.{body.name}.mass", *paths)
    )


def _element(record: Record, body: str, element: Any) -> Item:
    stem = f"bodies.{body}.elements.{element.name}"
    times, attached = timeline(record, f"{stem}.attached")
    if attached[0] == 0:  # jettisoned in a previous flight
        return Item(0.0)
    constant = getattr(element, "mass_inert", 0.0) if hasattr(element, "propellant") else element.mass
    held = np.full(len(times), float(getattr(element, "propellant", 0.0)))
    if f"{stem}.left" in record.series:
        held = timeline(record, f"{stem}.left")[1]
        # Rounding in an empty tank counts as zero, positive or negative.
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
    """Yield a figure with the thrust of each engine and the mass of each body of variable mass. `units`: unit
    system of the values, "SI" or "US".
    """
    engines, bodies = names_with(record, "engines", "thrust"), names_with(record, "bodies", "mass_rate")
    shown = [(name, f"engines.{name}.thrust") for name in engines[:MOST_PANELS]]
    shown += [(name, f"bodies.{name}.mass") for name in bodies[:MOST_PANELS]]
    if shown:
        caption = with_rest("Thrust of the engines and masses of the bodies", max(engines, bodies, key=len))
        yield Figure(caption, side_by_side(record, shown, units), key="engines")


TABLES = (tables,)
FIGURES = (figures,)
EVENTS = {"tank": "tank empty, its engines stop"}
