"""HTML report of a sweep with its tables, figures and scenario."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ...record.results import current_versions
from ...report.page import details, figure_part, page, save_page, table_part, values_part
from ...tree.errors import count_text
from ..study_warnings import of_scenario
from .figures import figures
from .printed import cases_table, effects_tables, notes, variations_table

if TYPE_CHECKING:
    from .result import Sweep

MOST_ROWS = 1000
"""Cases that a page lists; files have all."""


def write(sweep: Sweep, path: Path, units: str) -> Path:
    """Write the page. Raises BadInput if the file cannot be written."""
    return save_page(html(sweep, units), path)


def html(sweep: Sweep, units: str) -> str:
    """The page as a text."""
    title = f"Sweep: {sweep.scenario.title}" if sweep.scenario.title else "Sweep"
    bad = "" if sweep.passed else " bad"
    whole = cases_table(sweep, units, MOST_ROWS, len(sweep.measures))
    first = cases_table(sweep, units, most=len(sweep.measures))
    body = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="outcome{bad}">{escape(sweep.summary)}</p>',
        "".join(f'<p class="note">{escape(note)}</p>' for note in notes(sweep)),
        "".join(
            f'<p class="note">Warning: {escape(text)}</p>' for text in of_scenario(sweep.scenario, units)
        ),
        table_part(variations_table(sweep, units)),
        table_part(first),
        details(f"All {count_text(len(whole.rows), 'cases')}", table_part(whole))
        if len(whole.rows) > len(first.rows)
        else "",
        *(table_part(table) for table in effects_tables(sweep, units) if table.rows),
        "<h2>Figures</h2>",
        *map(figure_part, figures(sweep, units)),
        "<h2>Cases</h2>",
        details("Scenario", f"<pre>{escape(sweep.scenario.to_toml())}</pre>"),
        "<h2>Method</h2>",
        values_part({"cases": len(sweep), "design": sweep.design, "wall time [s]": sweep.seconds}, "sweep"),
        values_part(dict(current_versions(sweep.scenario)), "version"),
    ]
    return page(title, body)
