"""Table of the envelopes of a campaign: their highest and lowest bounds over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...drawing.table import Table, label_text, number
from ...tree.units import display
from .columns import EnvelopeColumn
from .envelopes import goal_of, since_text, statistics, values_of, worst_row

if TYPE_CHECKING:
    from .result import CampaignResult

DIGITS = 5
ESTIMATE = "est."
"""Mark of a sample percentile in a table, if the cases are too few for a bound."""
ROUNDING = 1e-12
"""A value below this fraction of the largest value is a rounding error, and is shown as zero."""
SIDES = (("low", np.nanargmin), ("high", np.nanargmax))
COLUMNS = (
    *("envelope", "since", "cases", "share of cases", "lowest lower bound", "at [s]"),
    *("highest upper bound", "at [s]", "minimum", "maximum", "worst case"),
)


def envelopes_table(result: CampaignResult, units: str) -> Table:
    """Return a table with the extremes over time of the bounds of each envelope. units: "SI" or "US"."""
    rows = [_row(result, one, units) for one in result.manifest.names.envelopes if len(result)]
    sure = f"{100 * result.confidence:.10g} %"
    note = f"One-sided bounds of the share of cases, with {sure} confidence at each time by itself."
    note += " The time counts from the event. Cases without a value at a time do not count there."
    if result.is_weighted:
        note += " The bounds are asymptotic, from weighted cases."
    if any(cell.endswith(ESTIMATE) for row in rows for cell in row):
        note += f" {ESTIMATE}: percentile of the sample, an estimate without confidence."
    right = [False, False, *[True] * (len(COLUMNS) - 2)]
    return Table("Envelopes over time", [*COLUMNS], rows, right, note, key="envelopes")


def _row(result: CampaignResult, one: EnvelopeColumn, units: str) -> list[str]:
    factor, unit = display(one.unit, units)
    row = worst_row(result, one)
    cases = int(np.sum(~np.isnan(values_of(result, one)).all(axis=1)))
    first = [label_text(one.name, unit), since_text(one), str(cases)]
    share = f"{100 * goal_of(result, one).proportion:.10g} %"
    if row is None:
        return [*first, share, *["-"] * 7]
    found = statistics(result, one)
    size = np.nanmax(np.abs([found["smallest"], found["largest"]]))

    def cell(value: float) -> str:
        return number(value * factor if abs(value) > ROUNDING * size else 0.0, DIGITS)

    cells = []
    for side, pick in SIDES:
        bound, sample = found[f"bound_{side}"], found[f"percentile_{side}"]
        best = np.where(np.isfinite(bound), bound, sample)
        if np.isnan(best).all():
            cells += ["-", "-"]
            continue
        at = int(pick(best))
        mark = "" if np.isfinite(bound[at]) else f" {ESTIMATE}"
        cells += [f"{cell(best[at])}{mark}", number(one.offsets[at], DIGITS)]
    cells += [cell(np.nanmin(found["smallest"])), cell(np.nanmax(found["largest"]))]
    return [*first, share, *cells, str(result.case_numbers[row])]
