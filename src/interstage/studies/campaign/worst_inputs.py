"""Describe the worst cases: the response by which they are selected, and their most unusual inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...drawing.table import Table, number, unit_text
from ...tree.sentences import list_text
from ...tree.units import display
from .columns import INPUT, Input

if TYPE_CHECKING:
    from .result import CampaignResult

MOST_INPUTS = 3
"""Number of inputs that are listed for each case."""
MOST_NAMES = 3
DIGITS = 5


def worst_by(result: CampaignResult) -> str:
    """Return a text for titles that states the order of the worst cases, for example "by tip_off, highest
    first".
    """
    limits, responses = result.manifest.names.limits, result.manifest.names.responses
    if len(limits) == 1:
        return f"by {limits[0].name}, {'lowest' if limits[0].side == 'min' else 'highest'} first"
    if limits:
        names = list_text([one.name for one in limits], MOST_NAMES)
        return f"by the smallest margin relative to the limits of {names}"
    return f"by {responses[0].name}, highest first" if responses else "by number"


class Unusual(NamedTuple):
    """A random input of a case: its value [SI], and its distance from the mean of all cases in standard
    deviations.
    """

    input: Input
    value: float
    distance: float


def unusual_inputs(result: CampaignResult, rows: np.ndarray, count: int = MOST_INPUTS) -> list[list[Unusual]]:
    """Return the most unusual inputs for each of some cases. The most unusual input is first.

    - rows: row indices of the cases.
    - count: number of inputs for each case.

    An input is unusual if it is many standard deviations from its mean. Mean and standard deviation are
    computed from all cases with results, with weights. Inputs that are equal in all cases are omitted.
    """
    inputs, distances = [], []
    for one in result.manifest.names.inputs:
        found = _distances(result.columns[INPUT + one.name], result.weights)
        if found is not None:
            inputs.append(one)
            distances.append(found[rows])
    if not inputs:
        return [[] for _ in rows]
    table = np.where(np.isnan(distances), 0.0, distances)
    order = np.argsort(-np.abs(table), axis=0, kind="stable")[:count]
    return [
        [
            Unusual(inputs[i], float(result.columns[INPUT + inputs[i].name][row]), float(distances[i][k]))
            for i in order[:, k]
        ]
        for k, row in enumerate(rows)
    ]


def _distances(values: np.ndarray, weights: np.ndarray) -> np.ndarray | None:
    """Distances of values (cases,) from their mean in standard deviations; None for equal values."""
    known = np.isfinite(values)
    some, weight = values[known], weights[known]
    if not len(some) or not np.ptp(some) or not weight.sum():
        return None
    mean = np.average(some, weights=weight)
    sigma = np.sqrt(np.average((some - mean) ** 2, weights=weight))
    return (values - mean) / sigma if sigma else None


def worst_inputs_table(result: CampaignResult, units: str, count: int) -> Table:
    """Return a table with the most unusual inputs of the `count` worst cases. units: "SI" or "US"."""
    worst = result.order[:count]
    rows = []
    for row, found in zip(worst, unusual_inputs(result, worst), strict=True):
        for one in found:
            factor, unit = display(one.input.unit, units)
            value = number(one.value * factor, DIGITS)
            case = str(result.case_numbers[row])
            rows.append([case, one.input.label, value, unit_text(unit), f"{one.distance:+.1f}"])
    columns = ["case", "input", "value", "unit", "distance from the mean [sigma]"]
    right = [True, False, True, False, True]
    note = "The distance of a value is relative to the mean of all cases, in standard deviations (sigma)."
    title = f"Most unusual inputs of the worst cases {worst_by(result)}"
    return Table(title, columns, rows, right, note, key="worst inputs")
