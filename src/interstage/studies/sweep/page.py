"""HTML report of a sweep with its tables, figures and scenario."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ...report.page import table_part
from ...tree.sentences import count_text
from ..presentation.page import StudyPage, closed_table
from .figures import figures
from .printed import cases_table, effects_tables, notes, variations_table

if TYPE_CHECKING:
    from .result import Sweep

MOST_ROWS = 1000
"""Largest number of cases that a page lists. Files contain all cases."""


def write(sweep: Sweep, path: Path, units: str) -> Path:
    """Write the HTML report and return its path. Raises BadInput if the file cannot be written."""
    return page_of(sweep, units).save(path)


def page_of(sweep: Sweep, units: str) -> StudyPage:
    """Return the contents of the HTML report. units: "SI" or "US"."""
    return StudyPage(
        name="Sweep",
        scenario=sweep.scenario,
        units=units,
        outcome=sweep.summary,
        good=sweep.passed,
        notes=notes(sweep),
        tables=_tables(sweep, units),
        figures=figures(sweep, units),
        heading="Cases",
        kind="sweep",
        effort={"cases": len(sweep), "design": sweep.design, "wall time [s]": sweep.seconds},
    )


def _tables(sweep: Sweep, units: str) -> Iterator[str]:
    """The varied inputs, the worst cases, all cases in a closed section, and the effects."""
    whole = cases_table(sweep, units, MOST_ROWS, len(sweep.measures))
    first = cases_table(sweep, units, most=len(sweep.measures))
    yield table_part(variations_table(sweep, units))
    yield table_part(first)
    if len(whole.rows) > len(first.rows):
        yield closed_table(f"All {count_text(len(whole.rows), 'cases')}", whole)
    yield from (table_part(table) for table in effects_tables(sweep, units) if table.rows)
