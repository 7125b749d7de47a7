"""Create the HTML page of the result of a study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from ...drawing.figure import Figure
from ...drawing.table import Table
from ...record.results import current_versions
from ...report.page import details, figure_part, page, save_page, table_part, values_part
from ..study_warnings import of_scenario


@dataclass(frozen=True)
class StudyPage:
    """Contents of an HTML page, in the order of the page.

    - name: name of the result, for example "Sweep". In the heading, the title of the scenario follows.
    - scenario, units: the scenario, whose warnings and text are on the page, and the units of the warnings.
    - outcome: sentence below the heading.
    - good: false if this sentence is printed in red.
    - notes: sentences below the outcome.
    - tables: HTML texts of the tables below the notes.
    - figures: figures of the result.
    - details: HTML texts below the figures.
    - heading: heading of the section with the texts of the scenario and the study.
    - study: text of the study, or empty.
    - effort: settings and statistics of the method, by name. `kind` is the heading of this section.
    """

    name: str
    scenario: Any
    units: str
    outcome: str
    good: bool
    notes: Sequence[str]
    tables: Iterable[str]
    figures: Iterable[Figure]
    heading: str
    kind: str
    effort: Mapping[str, Any]
    details: Iterable[str] = field(default=())
    study: str = ""

    def save(self, path: Path) -> Path:
        """Write the HTML page and return its path. Raises BadInput if the file cannot be written."""
        return save_page(self.html(), path)

    def html(self) -> str:
        """Return the page as HTML text."""
        title = page_title(self.name, self.scenario.title)
        warnings = (f"Warning: {text}" for text in of_scenario(self.scenario, self.units))
        texts = {"Scenario": self.scenario.to_toml(), "Study": self.study}
        return page(
            title,
            [
                f"<h1>{escape(title)}</h1>",
                f'<p class="outcome{"" if self.good else " bad"}">{escape(self.outcome)}</p>',
                _notes(self.notes),
                _notes(warnings),
                *self.tables,
                "<h2>Figures</h2>",
                *map(figure_part, self.figures),
                *self.details,
                f"<h2>{self.heading}</h2>",
                *(details(name, f"<pre>{escape(text)}</pre>") for name, text in texts.items() if text),
                "<h2>Method</h2>",
                values_part(dict(self.effort), self.kind),
                values_part(dict(current_versions(self.scenario)), "version"),
            ],
        )


def page_title(name: str, title: str) -> str:
    """Return the name of a result followed by the title of the scenario, for example "Sweep: Two bodies"."""
    return f"{name}: {title}" if title else name


def _notes(texts: Iterable[str]) -> str:
    return "".join(f'<p class="note">{escape(text)}</p>' for text in texts)


def closed_table(title: str, table: Table) -> str:
    """Return the HTML text of a table in a section that is initially closed. title: visible heading of the
    section.
    """
    return details(title, table_part(table))


def save_plain_page(path: Path, title: str, parts: Iterable[Table | Figure]) -> None:
    """Write an HTML page that only has tables and figures. Raises BadInput if the file cannot be written."""
    body = (table_part(part) if isinstance(part, Table) else figure_part(part) for part in parts)
    save_page(page(title, [f"<h1>{escape(title)}</h1>", *body]), path)
