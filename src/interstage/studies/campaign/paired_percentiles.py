"""Percentiles of the differences between two campaigns. The differences are computed case by case."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...drawing.table import Table
from ...statistics.intervals import Estimate
from ...statistics.percentiles import percentile_interval
from ...statistics.weighted import weighted_percentile
from ...tree.units import display
from .printed import FRACTION, heading

if TYPE_CHECKING:
    from .comparison import CampaignComparison

FRACTIONS = (1 - FRACTION, 0.05, 0.5, 0.95, FRACTION)
"""Fractions of the percentiles in the table."""


def difference_percentile(
    differences: np.ndarray, weights: np.ndarray | None, fraction: float, confidence: float
) -> Estimate:
    """Return a percentile of differences (cases,) with its confidence interval, in the unit of the
    differences.

    - weights (cases,): weights of importance sampling. Without weights, the interval follows from order
      statistics.
    - fraction: fraction of the percentile, 0.5 for the median.
    - confidence: confidence level of the interval.
    """
    if weights is None:
        return percentile_interval(differences, fraction, confidence)
    return weighted_percentile(differences, weights, fraction, confidence)


def percentiles_table(found: CampaignComparison, units: str) -> Table:
    """Return a table with percentiles of the differences B - A of each response that differs. units: "SI" or
    "US".
    """
    rows = []
    for one in found.responses:
        if one.means is None:
            continue
        factor = display(one.output.unit, units)[0]
        for fraction in FRACTIONS:
            cells = [_signed_number(float(part) * factor) for part in one.percentile(fraction)]
            name = f"{100 * fraction:.10g} %"
            rows.append([heading(one.output, units), name, cells[0], f"{cells[1]} to {cells[2]}"])
    sure = f"{100 * found.first.confidence:.10g} %"
    way = "weighted cases, asymptotic" if found.first.is_weighted else "order statistics"
    note = f"Intervals have {sure} confidence ({way}). The sign - marks a bound that needs more cases."
    columns = ["response", "percentile", "B - A", "interval"]
    right = [False, True, True, True]
    return Table("Percentiles of the differences B - A", columns, rows, right, note, key="differences")


def _signed_number(value: float) -> str:
    return f"{value:+.4g}" if np.isfinite(value) else "-"
