"""HTML report of an optimum with its tables, figures, scenario and study."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ...record.results import current_versions
from ...report.page import details, figure_part, page, save_page, table_part, values_part
from ...tree.errors import count_text
from ..study_warnings import of_scenario
from .figures import figures
from .printed import history_table, notes, optimum_tables

if TYPE_CHECKING:
    from .result import Optimum


def write(optimum: Optimum, path: Path, units: str) -> Path:
    """Write the page. Raises BadInput if the file cannot be written."""
    return save_page(html(optimum, units), path)


def html(optimum: Optimum, units: str) -> str:
    """The page as a text."""
    named = optimum.scenario.title
    title = f"Optimum: {named}" if named else "Optimum"
    bad = "" if optimum.trusted else " bad"
    solver = optimum.study.solver
    effort = {
        "solver": optimum.study.kind,
        "message": optimum.message,
        "tolerance": solver.tolerance,
        "relative residual of the gradient": optimum.residual,
        "largest difference from a separate flight, divided by the tolerance": optimum.again,
        "flights": optimum.flights,
        "flights with derivatives": optimum.differentiated,
        "wall time [s]": optimum.seconds,
    }
    history = history_table(optimum, units)
    body = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="outcome{bad}">{escape(optimum.verdict)}</p>',
        "".join(f'<p class="note">{escape(note)}</p>' for note in notes(optimum, units)),
        "".join(
            f'<p class="note">Warning: {escape(text)}</p>' for text in of_scenario(optimum.scenario, units)
        ),
        *map(table_part, optimum_tables(optimum, units)),
        "<h2>Figures</h2>",
        *map(figure_part, figures(optimum, units)),
        details(f"{count_text(len(history.rows), 'iterations')}", table_part(history)),
        "<h2>Result</h2>",
        details("Scenario", f"<pre>{escape(optimum.scenario.to_toml())}</pre>"),
        details("Study", f"<pre>{escape(optimum.study.to_toml())}</pre>"),
        "<h2>Method</h2>",
        values_part(effort, "optimization"),
        values_part(dict(current_versions(optimum.scenario)), "version"),
    ]
    return page(title, body)
