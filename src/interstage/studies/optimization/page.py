"""HTML report of an optimization with its tables, figures, scenario and study."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...report.page import table_part
from ...tree.sentences import count_text
from ..presentation.page import StudyPage, closed_table
from .figures import figures
from .printed import history_table, notes, optimum_tables

if TYPE_CHECKING:
    from .result import Optimum


def write(optimum: Optimum, path: Path, units: str) -> Path:
    """Write the HTML report and return its path. Raises BadInput if the file cannot be written."""
    return page_of(optimum, units).save(path)


def page_of(optimum: Optimum, units: str) -> StudyPage:
    """Return the contents of the HTML report. units: "SI" or "US"."""
    history = history_table(optimum, units)
    return StudyPage(
        name="Optimum",
        scenario=optimum.scenario,
        units=units,
        outcome=optimum.verdict,
        good=optimum.trusted,
        notes=notes(optimum, units),
        tables=map(table_part, optimum_tables(optimum, units)),
        figures=figures(optimum, units),
        details=[closed_table(count_text(len(history.rows), "iterations"), history)],
        heading="Result",
        study=optimum.study.to_toml(),
        kind="optimization",
        effort=_effort(optimum),
    )


def _effort(optimum: Optimum) -> dict[str, Any]:
    return {
        "solver": optimum.study.kind,
        "message": optimum.message,
        "tolerance": optimum.study.solver.tolerance,
        "residual of the optimality condition, relative to the gradient": optimum.residual,
        "largest difference from a separate flight, as a multiple of the tolerance": optimum.again,
        "flights": optimum.flights,
        "flights with derivatives": optimum.differentiated,
        "wall time [s]": optimum.seconds,
    }
