"""Write the report: one HTML file with the tables, figures and scenario of a flight. The report needs no
other files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

from ..drawing.figure import Figure
from ..drawing.svg import inline
from ..drawing.words import RIGHT_TO_LEFT, UNIT
from ..playback import page as playback
from ..record.record import Record
from ..record.requirements import Margin, evaluate
from ..record.results import Flight
from ..tree.saving import write_file
from ..tree.units import in_units
from . import summary
from .answers import answers
from .figures import figures_and_faults
from .provenance import source_tables
from .summary import Table, number

CSS = """
:root { color-scheme: light; --ink: #1c2126; --dim: #5d6872; --line: #d9dee3; --bad: #b3261e; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); max-width: 60rem; }
body { margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 0 0 .2rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; padding-bottom: .2rem; }
h2 { border-bottom: 1px solid var(--line); }
p.outcome { margin: 0; color: var(--dim); }
p.outcome.bad, li.bad { color: var(--bad); font-weight: 600; }
dl.answers { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .8rem 0; }
dl.answers dt { color: var(--dim); }
dl.answers dd { margin: 0; }
dl.answers dd.bad { color: var(--bad); font-weight: 600; }
.scroll { overflow-x: auto; }
.scroll + .scroll { margin-top: .8rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem; }
th, td { padding: .22rem .9rem .22rem 0; text-align: left; white-space: pre; }
th { color: var(--dim); font-weight: 500; border-bottom: 1px solid var(--line); }
th { white-space: normal; vertical-align: bottom; }
td:last-child { white-space: pre-wrap; }
.right { text-align: right; }
.unit { white-space: nowrap; }
tr.bad td { color: var(--bad); font-weight: 600; }
p.note { color: var(--dim); font-size: .85rem; margin: .3rem 0 0; }
figure { margin: 1.6rem 0; }
figcaption { font-size: .92rem; font-weight: 600; margin-bottom: .3rem; }
figure svg { width: 100%; display: block; }
figure svg svg { width: auto; }
tr.now td { background: #eef4f9; }
button.seek { font: inherit; color: #0b5c96; background: none; border: 0; padding: 0; cursor: pointer; }
path.cursor { stroke: #b3261e; stroke-width: 12; pointer-events: none; }
section > figure { max-width: 40rem; margin: .5rem 0; }
pre { background: #f5f7f8; padding: .8rem; overflow-x: auto; font-size: .85rem; line-height: 1.4; }
summary { cursor: pointer; }
@media (max-width: 40rem) { dl.answers { display: block; } dl.answers dd { margin-bottom: .4rem; } }
@media (max-width: 60rem) { table { font-size: .85rem; } th, td { padding-right: .6rem; } }
@media print { #viewer { display: none; } }
@media screen and (max-width: 45rem) { figure { overflow-x: auto; } figure > svg { min-width: 44rem; } }
@media print { details::details-content { content-visibility: visible; height: auto; } }
@media print { details > * { display: block; } figure, table { break-inside: avoid; } }
"""


def write(flight: Flight, path: str | Path, units: str | None = None) -> Path:
    """Write the report of a flight as an HTML file, and return its path.

    units: unit system, "SI" or "US". Default: the unit system of the scenario. Raises BadInput if the file
    cannot be written.
    """
    return save_page(html(flight, units), Path(path))


def save_page(text: str, path: Path) -> Path:
    """Write HTML text to a file, and return its path. Raises BadInput if the file cannot be written."""
    write_file(path, text)
    return path


def html(flight: Flight, units: str | None = None) -> str:
    """Return the report of a flight as HTML text.

    units: unit system, "SI" or "US". Default: the unit system of the scenario.
    """
    flight.read_to_show()
    record = flight.record
    outcome = in_units(record.outcome, units or record.scenario.units)
    title = escape(record.scenario.title or "Flight")
    margins = evaluate(record)
    tables = [table_part(table) for table in _number_events(summary.tables(record, units, margins), record)]
    drawn, left_out = figures_and_faults(record, units)
    picture = playback.panel(record, units)
    body = [
        f"<h1>{title}</h1>",
        f'<p class="outcome{"" if record.completed else " bad"}">{escape(outcome)}</p>',
        _answers(record, margins, units or record.scenario.units),
        picture and f"<h2>Playback</h2>\n{picture}",
        _remarks(record, units),
        *tables,
        _closed_table(summary.envelope_table(record, units or record.scenario.units)),
        "<h2>Figures</h2>",
        '<p class="note">Dotted vertical lines mark events. The number at a line is the row number of'
        " the event in the table Events.</p>",
        *map(figure_part, drawn),
        *(f'<p class="note">Omitted figures: {escape(text)}</p>' for text in left_out),
        *map(_closed_table, source_tables(record.scenario, units)),
        "<h2>Scenario</h2>",
        details("Scenario", f"<pre>{escape(flight.scenario_text)}</pre>"),
        "<h2>Solver and versions</h2>",
        values_part(record.statistics, "solver"),
        values_part(flight.versions, "software", "version"),
    ]
    return page(record.scenario.title or "Flight", body, scripts=bool(picture))


def page(title: str, body: Iterable[str], scripts: bool = False) -> str:
    """Return a complete HTML page that loads no other files.

    - title: text of the browser tab.
    - body: HTML texts of the content; empty texts are omitted.
    - scripts: if true, the page may run scripts. Default: False.
    """
    title = escape(title)
    policy = playback.POLICY if scripts else playback.POLICY.replace("script-src 'unsafe-inline'; ", "")
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}"><title>{title}</title>'
    )
    text = "\n".join(part for part in body if part)
    head = f'<!doctype html>\n<html lang="en"><head>{head}\n<style>{CSS}</style></head>'
    return f"{head}\n<body>\n{text}\n</body></html>\n"


def _number_events(tables: list[Table], record: Record) -> Iterable[Table]:
    """Yield the tables with the requirements first, and add a column of event numbers, which the figures
    show."""
    for table in sorted(tables, key=lambda table: table.key != "requirements"):
        if table.key == "events":
            rows = [[str(row), *cells] for row, cells in enumerate(table.rows, start=1)]
            yield replace(table, columns=["#", *table.columns], rows=rows, right=[True, *table.right])
        else:
            yield table


def escape_text(text: str) -> str:
    """Return a text escaped for HTML.

    A value and its unit are not separated by a line break. Right-to-left texts are isolated, so that they do
    not reorder the text that follows.
    """
    isolated = RIGHT_TO_LEFT.sub(r"<bdi>\g<0></bdi>", escape(text))
    return UNIT.sub(r'<span class="unit">\g<0></span>', isolated)


def table_part(table: Table) -> str:
    """Return a table as HTML, with its title as a heading and its note below."""

    times = [f' data-time="{time:.15g}"' for time in table.times] or [""] * len(table.rows)

    def row(cells: Iterable[str], tag: str, bad: bool = False, time: str = "") -> str:
        scope = " scope=col" if tag == "th" else ""
        texts = (
            f"<{tag}{scope}{' class=right' if right else ''}>{escape_text(cell)}</{tag}>"
            for cell, right in zip(cells, table.right)
        )
        return f"<tr{' class=bad' if bad else ''}{time}>{''.join(texts)}</tr>"

    rows = "\n".join(
        row(cells, "td", index in table.bad, times[index]) for index, cells in enumerate(table.rows)
    )
    note = f'<p class="note">{escape_text(table.note)}</p>' if table.note else ""
    head = row(table.columns, "th")
    title = f"<h2>{escape_text(table.title)}</h2>"
    return f'{title}\n<div class="scroll"><table>{head}\n{rows}</table></div>{note}'


def _closed_table(table: Table) -> str:
    """Return a long table as HTML in a section that is initially closed; "" if the table has no rows."""
    if not table.rows:
        return ""
    return details(table.title, table_part(table))


def details(title: str, inner: str) -> str:
    """Return HTML content in a section that the reader must open. title: visible heading. inner: HTML
    content.
    """
    return f"<details><summary>{escape(title)}</summary>\n{inner}</details>"


def _answers(record: Record, margins: list[Margin], units: str) -> str:
    """Return the first lines of the report as an HTML list of terms."""
    lines = "".join(
        f"<dt>{escape(answer.topic)}</dt>"
        f"<dd{' class=bad' if answer.bad else ''}>{escape_text(answer.text)}</dd>"
        for answer in answers(record, margins, units)
    )
    return f'<dl class="answers">{lines}</dl>' if lines else ""


def _remarks(record: Record, units: str | None) -> str:
    texts = summary.remarks(record, units)
    items = "".join(f"<li>{escape_text(text)}</li>" for text in texts)
    return f"<ul>{items}</ul>" if items else ""


def figure_part(figure: Figure) -> str:
    """Return a figure with its caption as HTML."""
    return f"<figure><figcaption>{escape_text(figure.caption)}</figcaption>{inline(figure)}</figure>"


def values_part(values: dict[str, Any], heading: str, second: str = "value") -> str:
    """Return names and values as an HTML table with two columns; "" if there are no values.

    heading: heading of the names. second: heading of the values. Default: "value".
    """
    rows = [[str(key).replace("_", " "), _plain(value)] for key, value in values.items()]
    if not rows:
        return ""
    cells = "".join(f"<tr><td>{escape(key)}</td><td>{escape(value)}</td></tr>" for key, value in rows)
    return f'<div class="scroll"><table><tr><th>{heading}</th><th>{second}</th></tr>{cells}</table></div>'


def _plain(value: Any) -> str:
    if isinstance(value, float):
        return number(value)
    return value if isinstance(value, str) else json.dumps(value, default=str)
