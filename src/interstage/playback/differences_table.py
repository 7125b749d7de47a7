"""Tables of the differences between the first flight and other flights, as HTML."""

from __future__ import annotations

import math
from html import escape
from typing import Any

from ..drawing.table import number, time_text

MOST_ROWS = 60
"""Largest number of rows of a table; the rest is omitted."""
VERDICTS = {
    "met": "meets all requirements",
    "violated": "violates a requirement",
    "unknown": "no verdict",
    "": "",
}


def other_flights(data: dict[str, Any]) -> str:
    """Return the tables of the other flights of a page; "" for the page of one flight.

    Cells with the attribute `data-seek` have a time of the first flight [s]."""
    others = data.get("others", [])
    if not others:
        return ""
    parts = [_cases(data)] if data["kind"] == "cases" else [_differences(one, data) for one in others]
    return f'<section id="differences">{"".join(parts)}</section>'


def _differences(other: dict[str, Any], data: dict[str, Any]) -> str:
    factor, unit = data["length"]
    rows = []
    for one in other["differences"]:
        scale, name = (factor, unit) if one["unit"] == "m" else (180 / math.pi, "deg")
        what = f"{one['what']} to {one['reference']}" if one["reference"] else one["what"]
        value = f"{number(one['value'] * scale)} {name}"
        rows.append([one["body"], what, value, _time(one["time"])])
    rows = [[escape(cell) for cell in row[:3]] + row[3:] for row in rows]
    title = f"Largest differences: {data['first']} and {other['name']}"
    notes = [other["alignment"], *other["only"]]
    if not rows:
        notes.append("The flights have no body with poses at common times.")
    if len(rows) > MOST_ROWS:
        notes.append(f"The table has the first {MOST_ROWS} of {len(rows)} rows.")
    table = _table(["body", "difference of", "largest value", "time [s]"], rows[:MOST_ROWS])
    return f"<h2>{escape(title)}</h2>{_notes(notes)}{table}"


def _cases(data: dict[str, Any]) -> str:
    first = [escape(data["first"]), escape(VERDICTS[data["verdict"]]), "solid", escape(data["outcome"])]
    rows = [first]
    for one in data["others"]:
        drawn = f"translucent, shifted by {-one['shift']:.6g} s" if one["shift"] else "translucent"
        rows.append([escape(text) for text in (one["name"], VERDICTS[one["verdict"]], drawn, one["outcome"])])
    return f"<h2>Cases</h2>{_table(['case', 'verdict', 'drawn', 'outcome'], rows)}"


def _time(time: float) -> str:
    return f'<span data-seek="{time:.15g}">{escape(time_text(time))}</span>'


def _notes(texts: list[str]) -> str:
    return "".join(f'<p class="note">{escape(text)}</p>' for text in texts)


def _table(columns: list[str], rows: list[list[str]]) -> str:
    """A table; the cells of rows are HTML."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in columns)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f'<div class="scroll"><table><tr>{head}</tr>{body}</table></div>' if rows else ""
