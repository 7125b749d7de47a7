"""Create tables of the sources of scenario values.

The most uncertain values, which have the confidence "judgement" or no source, come first.
"""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from ..drawing.table import Table, number, numbers
from ..record.sources import JUDGEMENT, Number, numbers_given
from ..tree.units import display

if TYPE_CHECKING:
    from ..scenario import Scenario

SAME = "same as above"
"""Text that replaces a text that is the same in the row above."""
SHOWN = 9
"""Maximum number of elements of an array that are printed. For a longer array, its shape is printed."""


def source_tables(scenario: Scenario, units: str | None = None) -> list[Table]:
    """Return tables of values without a source, of values with confidence "judgement", and of other values.

    units: unit system, "SI" or "US". Default: the unit system of the scenario. The result is empty if the
    scenario declares no sources.
    """
    if not scenario.sources:
        return []
    units = units or scenario.units
    given = numbers_given(scenario)
    without = [n for n in given if n.source is None]
    judged = [n for n in given if n.source is not None and n.source.confidence == JUDGEMENT]
    others = [n for n in given if n.source is not None and n.source.confidence != JUDGEMENT]
    head = ["path", "value"]
    tables = [
        Table("Values without a source", head, _rows(without, units), [False, False], key="unsourced"),
        Table(
            'Values with confidence "judgement"',
            [*head, "reason"],
            _rows(judged, units),
            [False] * 3,
            key="judged",
        ),
        Table(
            "Values with a source",
            [*head, "confidence", "source"],
            _rows(others, units),
            [False] * 4,
            key="sources",
        ),
    ]
    tables[0].bad = set(range(len(without)))
    return [table for table in tables if table.rows]


def source_lines(scenario: Scenario, units: str | None = None, width: int = 100) -> list[str]:
    """Return the tables of `source_tables` as lines for a terminal. Each source is followed by its values.

    width: maximum number of characters of a line. Default: 100.
    """
    lines: list[str] = []
    for table in source_tables(scenario, units):
        lines += [table.title, ""]
        widest = max(len(row[0]) for row in table.rows)
        for path, value, *entry in table.rows:
            if entry and entry[-1] != SAME:
                lines += wrap(": ".join(entry), width, initial_indent="  ", subsequent_indent="  ")
            lines.append(f"      {path:<{widest}}  {value}")
        lines.append("")
    return lines


def _rows(given: list[Number], units: str) -> list[list[str]]:
    """Return one row for each number. The text of a source entry is next to its first number."""
    rows, above = [], None
    for one in given:
        row = [one.path, _value(one, units)]
        if one.source is not None:
            texts = [text.rstrip(".") for text in (one.source.source, one.source.note) if text]
            row += [] if one.source.confidence == JUDGEMENT else [one.source.confidence]
            row.append(". ".join(texts) if one.source is not above else SAME)
        rows.append(row)
        above = one.source
    return rows


def _value(one: Number, units: str) -> str:
    factor, unit = display(one.unit, units)
    unit = "" if unit == "1" else unit
    if one.value.size > SHOWN:
        return f"{' x '.join(map(str, one.value.shape))} numbers {f'[{unit}]' if unit else ''}".rstrip()
    if one.value.ndim == 0:
        text = number(float(one.value) * factor)
    else:
        text = ", ".join(numbers(one.value.ravel() * factor))
    return f"{text} {unit}".rstrip()
