"""Compare two flights: changed inputs, events, and the largest differences of all quantities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...drawing.table import Table, number, time_text, unit_text
from ...exchange.csv_file import write_csv
from ...playback.alignment import Alignment, align
from ...record.results import Flight
from ...tree.toml_file import parse
from ...tree.units import display
from .differences import ENDS, matched_events, missing_events
from .quantity_differences import QuantityDifference, moved_spans, quantity_differences

TOLERANCE = 1e-6
"""Two flights differ if a difference exceeds this fraction of the largest value."""
MOST_ROWS = 20
DIGITS = 5
MOST_TEXT = 40
"""Length of the text of an input in the tables."""


@dataclass(frozen=True)
class EventTimes:
    """An event of two flights. other: time in the other flight, shifted to the first flight [s]."""

    name: str
    kind: str
    first: float
    other: float

    @property
    def difference(self) -> float:
        """Return the time of the other flight minus the time of the first flight [s]."""
        return self.other - self.first


@dataclass(frozen=True)
class FlightComparison:
    """Differences between two flights.

    - alignment: common event and time shift.
    - inputs: changed inputs of the scenario as (path, text in the first flight, text in the other flight);
      "" for an input that one scenario does not have.
    - events: common events with both times.
    - missing: names of events that only one flight has.
    - quantities: all common quantities, the largest relative difference first.
    - tolerance: relative difference above which a quantity differs.
    """

    alignment: Alignment
    inputs: list[tuple[str, str, str]]
    events: list[EventTimes]
    missing: list[str]
    quantities: list[QuantityDifference]
    tolerance: float

    @property
    def different(self) -> list[QuantityDifference]:
        """Return the quantities with a relative difference above the tolerance."""
        return [one for one in self.quantities if one.relative > self.tolerance]

    @property
    def sentence(self) -> str:
        """Return a sentence with the number of different quantities and the first time of a difference."""
        differ, count = self.different, len(self.quantities)
        if not count:
            return "The flights have no common quantity at common times."
        if not differ:
            return f"All {count} common quantities agree within {self.tolerance:g} of their largest values."
        start = min(one.start for one in differ)
        return (
            f"{len(differ)} of {count} common quantities differ by more than {self.tolerance:g} of their"
            f" largest values, from {time_text(start)} s."
        )

    def save(self, path: Path, units: str = "SI") -> Path:
        """Write the differences of all quantities to a CSV file and return its path."""
        head = ["quantity", "unit", "largest difference", "at [s]", "differs from [s]", "largest value"]
        rows = []
        for one in self.quantities:
            factor, unit = display(one.unit, units)
            rows.append([one.path, unit, one.value * factor, one.time, one.start, one.size * factor])
        write_csv(path, [head, *rows])
        return path


def compare_flights(
    first: Flight, other: Flight, event: str | None = None, tolerance: float = TOLERANCE
) -> FlightComparison:
    """Compare two flights at equal times, or at times relative to a common event.

    - event: name of an event of both flights, or "time" for equal times. Default: the first release.
    - tolerance: difference relative to the largest value of a quantity above which the flights differ.

    Raises BadInput for an event that one flight does not have."""
    for flight in (first, other):
        flight.read_to_show()
    one, two = first.record, other.record
    alignment = align(one, two, event)
    events = [
        EventTimes(
            one.events[a].name, one.events[a].kind, one.events[a].time, two.events[b].time - alignment.shift
        )
        for a, b in matched_events(one, two)
    ]
    moved = moved_spans((e.first, e.other) for e in events if e.kind not in ENDS)
    return FlightComparison(
        alignment,
        changed_inputs(first.scenario_text, other.scenario_text),
        events,
        missing_events(one, two),
        quantity_differences(one, two, alignment.shift, tolerance, moved),
        tolerance,
    )


def changed_inputs(first: str, other: str) -> list[tuple[str, str, str]]:
    """Return the inputs that differ between two scenarios, which are TOML texts."""
    mine, its = dict(_inputs(parse(first))), dict(_inputs(parse(other)))
    paths = [*mine, *(path for path in its if path not in mine)]
    pairs = ((path, mine.get(path, ""), its.get(path, "")) for path in paths)
    return [pair for pair in pairs if pair[1] != pair[2]]


def _inputs(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Inputs of a table as (path, text). Items of a list of tables have their name or number in the path."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _inputs(one, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        for k, one in enumerate(value):
            yield from _inputs(one, f"{path}.{one.get('name', k + 1)}")
    else:
        yield path, str(value)


def tables(found: FlightComparison, units: str) -> list[Table]:
    """Return the tables of a comparison of two flights. Tables without rows are omitted."""
    made = [_inputs_table(found), _events_table(found), _quantities_table(found, units)]
    return [table for table in made if table.rows]


def _inputs_table(found: FlightComparison) -> Table:
    rows = [[path, _short(a), _short(b)] for path, a, b in found.inputs[:MOST_ROWS]]
    note = _rest(len(found.inputs), "changed inputs")
    return Table("Changed inputs", ["input", "A", "B"], rows, [False] * 3, note, key="inputs")


def _events_table(found: FlightComparison) -> Table:
    rows = [
        [one.name, time_text(one.first), time_text(one.other), f"{one.difference:+.3g}"]
        for one in found.events
        if moved_spans([(one.first, one.other)])
    ]
    note = _rest(len(rows), "events")
    columns = ["event", "A [s]", "B [s]", "B - A [s]"]
    right = [False, True, True, True]
    return Table("Events at different times", columns, rows[:MOST_ROWS], right, note, key="events")


def _quantities_table(found: FlightComparison, units: str) -> Table:
    rows = []
    for one in found.different[:MOST_ROWS]:
        factor, unit = display(one.unit, units)
        size = "" if one.path.endswith("attitude") else number(one.size * factor, DIGITS)
        values = [
            number(one.value * factor, DIGITS),
            unit_text(unit),
            time_text(one.time),
            time_text(one.start),
        ]
        rows.append([one.path, *values, size])
    columns = ["quantity", "largest difference", "unit", "at [s]", "from [s]", "largest value"]
    note = _rest(len(found.different), "quantities")
    return Table(
        "Largest differences of quantities, relative to their largest values",
        columns,
        rows,
        [False, True, False, True, True, True],
        note,
        key="quantities",
    )


def _rest(count: int, things: str) -> str:
    return f"The table has the first {MOST_ROWS} of {count} {things}." if count > MOST_ROWS else ""


def _short(text: str) -> str:
    return text if len(text) <= MOST_TEXT else f"{text[: MOST_TEXT - 3]}..."


def notes(found: FlightComparison) -> list[str]:
    """Return sentences about the alignment, and about events of one flight only."""
    lines = [found.alignment.sentence]
    if found.missing:
        lines.append(f"Events of one flight only: {', '.join(found.missing[:MOST_ROWS])}.")
    return lines
