"""Create the HTML page of a campaign: summary, tables, figures, scenario and study."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...drawing.table import Table, number
from ...report.page import details, escape_text, figure_part, page, save_page, table_part, values_part
from ...statistics.percentiles import percentile_interval
from ...tree.toml_file import dumps
from ...tree.units import display
from ..study_warnings import of_scenario
from .columns import COMPLETED
from .envelope_table import envelopes_table
from .envelopes import FRACTION
from .figures import figures_and_notes
from .first_order_check import first_order_tables
from .printed import (
    DIGITS,
    drivers_tables,
    failed_table,
    heading,
    inputs_table,
    notes,
    outcomes_table,
    outputs_with_numbers,
    percentiles_table,
    requirements_table,
    values_table,
    worst_table,
)
from .rare.printed import rare_tables
from .summary import values_of, weighted_bound, with_worst
from .worst_inputs import worst_inputs_table

if TYPE_CHECKING:
    from .drivers import Drivers
    from .result import CampaignResult

WORST = 10
FRACTIONS = (1 - FRACTION, 0.05, 0.5, 0.95, FRACTION)
"""Fractions of the percentiles in the table of distributions."""
STRONGEST = 3
"""Number of drivers that the summary lists."""


class Line(NamedTuple):
    """One line of the summary. `bad` states whether the line reports a failure."""

    text: str
    bad: bool = False


def write(result: CampaignResult, path: Path, units: str) -> Path:
    """Write the HTML page of a campaign and return its path. Raises BadInput if the file cannot be
    written.
    """
    return save_page(html(result, units), path)


def html(result: CampaignResult, units: str) -> str:
    """Return the HTML page of a campaign. units: "SI" or "US"."""
    title = f"Campaign: {result.scenario.title}" if result.scenario.title else "Campaign"
    drawn, omitted = figures_and_notes(result, units)
    warnings = [f"Warning: {text}" for text in of_scenario(result.scenario, units)]
    body = [
        f"<h1>{escape_text(title)}</h1>",
        _lines_part(summary_lines(result)),
        *map(_note, [*notes(result), *warnings]),
        *(table_part(table) for table in _tables(result, units) if table.rows),
        "<h2>Figures</h2>",
        *map(figure_part, drawn),
        *map(_note, omitted),
        *_numbers_part(result, units),
        table_part(inputs_table(result, units)),
        "<h2>Study and scenario</h2>",
        details("Study", f"<pre>{escape(dumps(result.manifest.campaign))}</pre>"),
        details("Scenario", f"<pre>{escape(result.scenario.to_toml())}</pre>"),
        "<h2>Method</h2>",
        values_part(_method(result), "campaign"),
        values_part(dict(result.manifest.versions), "software", "version"),
    ]
    return page(title, body)


def summary_lines(result: CampaignResult) -> list[Line]:
    """Return the summary of a campaign: the number of cases, the result of each requirement, and the
    strongest drivers.
    """
    lines = [Line(f"{result.summary[0].upper()}{result.summary[1:]}", not result.complete)]
    for one in result.requirements():
        lines.append(Line(f"{one.name}: {' '.join(one.sentences)}", not one.meets_goal))
    if not result.manifest.names.requirements:
        lines.append(Line("The scenario declares no requirements."))
    return [*lines, *_drivers_line(result)]


def _drivers_line(result: CampaignResult) -> Iterator[Line]:
    """The strongest drivers of the first output that has some."""
    labels = {one.name: one.label for one in result.manifest.names.inputs}
    for output in (*result.manifest.names.limits, *result.manifest.names.responses):
        found = result.drivers(output.name)
        if not found.inputs:
            continue
        rows = np.flatnonzero(found.is_known)[:STRONGEST]
        listed = ", ".join(f"{labels[found.inputs[k]]} ({_measures(found, k)})" for k in rows)
        text = f"Most important inputs (drivers) of {output.name}, with rank correlations: {listed}."
        if not listed:
            text = f"No input has a clear effect on {output.name}: no rank correlation differs from zero"
            text = f"{text} with {100 * result.confidence:.10g} % confidence."
        yield Line(text)
        return


def _measures(found: Drivers, k: int) -> str:
    """The rank correlation of an input, and its share of the variance if that is larger."""
    text = f"{float(found.rank.value[k]):+.2f}"
    if found.regression is None or not found.has_large_share[k]:
        return text
    return f"{text}, share of the variance {100 * float(found.regression.shares[k]):.3g} %"


def _lines_part(lines: list[Line]) -> str:
    items = (f"<li{' class=bad' if line.bad else ''}>{escape_text(line.text)}</li>" for line in lines)
    return f"<ul>{''.join(items)}</ul>"


def _note(text: str) -> str:
    return f'<p class="note">{escape_text(text)}</p>'


def _tables(result: CampaignResult, units: str) -> Iterator[Table]:
    way = "asymptotic intervals of weighted cases" if result.is_weighted else "Clopper-Pearson intervals"
    requirements = requirements_table(result)
    yield replace(requirements, note=f"The intervals of the probability of failure are {way}.")
    yield from rare_tables(result, units)
    yield values_table(result, units)
    yield percentiles_table(result, units)
    yield envelopes_table(result, units)
    if result.counts[COMPLETED] < len(result):
        yield outcomes_table(result)
    yield failed_table(result, units)
    yield worst_table(result, units, WORST)
    yield worst_inputs_table(result, units, WORST)
    yield from drivers_tables(result)
    yield from first_order_tables(result, units)


def _numbers_part(result: CampaignResult, units: str) -> Iterator[str]:
    """The distribution of each response as a table, in a section that is initially closed."""
    table = distribution_table(result, units)
    if table.rows:
        yield details("Percentiles of the responses", table_part(table))


def distribution_table(result: CampaignResult, units: str) -> Table:
    """Return a table with percentiles of each response and their confidence intervals. units: "SI" or
    "US".
    """
    rows = []
    for one in outputs_with_numbers(result):
        factor = display(one.unit, units)[0]
        cells = []
        for fraction in FRACTIONS:
            if result.is_weighted:
                found = weighted_bound(result, one, fraction, result.confidence, "none")
            else:
                values = with_worst(result, one, values_of(result, one))
                found = percentile_interval(values, fraction, result.confidence)
            value, low, high = (_bound(float(part) * factor) for part in found)
            cells.append(f"{value} ({low} to {high})")
        rows.append([heading(one, units), *cells])
    sure = f"{100 * result.confidence:.10g} %"
    note = f"Each interval in brackets has {sure} confidence. A dash means that the bound needs more cases."
    columns = ["response", *(f"{100 * fraction:.10g} %" for fraction in FRACTIONS)]
    right = [False, *[True] * len(FRACTIONS)]
    return Table("Percentiles", columns, rows, right, note, key="distribution")


def _bound(value: float) -> str:
    return number(value, DIGITS) if np.isfinite(value) else "-"


def _method(result: CampaignResult) -> dict[str, object]:
    campaign = result.manifest.campaign
    found: dict[str, object] = {"cases": len(result), "seed": campaign.seed, "design": campaign.design}
    if result.is_weighted:
        found["effective cases"] = float(result.weights.sum() ** 2 / np.sum(result.weights**2))
    return found | {"cases without a verdict": "omitted" if result.leaves_out else "count as failures"}
