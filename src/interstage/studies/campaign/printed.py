"""Tables of a campaign for the terminal, and notes on its results."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import shorten
from typing import TYPE_CHECKING

import numpy as np

from ...drawing.table import Table, label_text, number, unit_text
from ...statistics.normal import normality, tolerance_factor
from ...statistics.percentiles import bound_cases
from ...tree.errors import BadInput
from ...tree.sentences import count_text
from ...tree.units import display
from .columns import COMPLETED, INPUT, Output
from .confirmation import InputChange, faults_of, notes_of
from .dispersion import Kind
from .envelope_table import ESTIMATE, envelopes_table
from .envelopes import FRACTION
from .first_order_check import first_order_tables
from .histories import history_notes
from .rare.printed import rare_tables
from .summary import finite_values, is_constant, mean_of, percentile_of, sigma_of, values_of, weighted_bound
from .worst_inputs import worst_by, worst_inputs_table

if TYPE_CHECKING:
    from .drivers import Drivers
    from .result import CampaignResult

MOST_FAILED = 20
"""Largest number of cases without a result that the table lists."""
MOST_COLUMNS = 4
MOST_DRIVERS = 8
WORST = 5
WIDEST = 60
DIGITS = 5
OF_SHARES = (
    "A share of the variance is the standardized coefficient times the correlation of input and response. "
    "The sum of all shares is the explained variance. For correlated inputs, a share can be negative."
)
SIGNIFICANCE = 0.05
"""p-value of the normality test below which the values do not count as normally distributed."""
LEAST_NORMAL = 8
"""Smallest number of cases for a normality test."""


def tables(result: CampaignResult, units: str, worst: int = WORST) -> list[Table]:
    """Return all tables of a campaign. Tables without rows are omitted.

    - units: "SI" or "US".
    - worst: how many of the worst cases are listed.
    """
    found = [
        outcomes_table(result),
        failed_table(result, units),
        requirements_table(result),
        *rare_tables(result, units),
        values_table(result, units),
        percentiles_table(result, units),
        envelopes_table(result, units),
        worst_table(result, units, worst),
        worst_inputs_table(result, units, worst),
        *drivers_tables(result),
        *first_order_tables(result, units),
        inputs_table(result, units),
    ]
    return [table for table in found if table.rows]


def notes(result: CampaignResult) -> list[str]:
    """Return notes on the study, on the random inputs, and on the limitations of the statistics."""
    found = [*result.manifest.notes]
    changes = input_changes(result)
    if len(result):
        found += [str(problem) for problem in faults_of(changes, len(result))]
        found += [*notes_of(changes, len(result))]
    found += [*design_notes(result), *history_notes(result)]
    if result.interrupted:
        found.append(
            "The campaign was interrupted. To simulate the missing cases, run the same command again."
        )
    elif not result.complete:
        missing = result.manifest.cases - len(result)
        found.append(f"{missing} of {result.manifest.cases} cases have not been simulated yet.")
    return found


def design_notes(result: CampaignResult) -> Iterator[str]:
    """Yield notes about a design in which the cases are not independent."""
    campaign = result.manifest.campaign
    if campaign.design != "random":
        text = f'With design = "{campaign.design}", the cases are not statistically independent.'
        yield f"{text} All confidence intervals are approximate."
    if campaign.loops is not None:
        text = "Cases of the same vehicle or day have common input values and are not independent"
        yield f"{text}. The confidence intervals are too narrow, and the verdicts are too optimistic."


def outcomes_table(result: CampaignResult) -> Table:
    """Return a table with the number of cases with each outcome."""
    rows = []
    for outcome, count in result.counts.items():
        if count or outcome == COMPLETED:
            first = int(np.argmax(result.outcomes == outcome)) if count else 0
            reason = shorten(str(result.reasons[first]), WIDEST, placeholder=" ...") if count else ""
            share = f"{100 * count / max(len(result), 1):.3g} %"
            rows.append([outcome, str(count), share, reason])
    bad = {k for k, row in enumerate(rows) if row[0] != COMPLETED}
    columns = ["outcome", "cases", "share of cases", "reason in the first of these cases"]
    return Table("Outcomes", columns, rows, [False, True, True, False], "", bad, "outcomes")


def failed_table(result: CampaignResult, units: str) -> Table:
    """Return a table of the cases without a result, with their random inputs. units: "SI" or "US"."""
    where = np.flatnonzero(result.outcomes != COMPLETED)
    inputs, headings = _input_columns(result, units, where[:MOST_FAILED])
    rows = []
    for k, row in enumerate(where[:MOST_FAILED]):
        reason = shorten(str(result.reasons[row]), WIDEST, placeholder=" ...")
        case = str(result.case_numbers[row])
        rows.append([case, str(result.outcomes[row]), *(values[k] for values in inputs), reason])
    more = len(where) - len(rows)
    effect = "are not counted" if result.leaves_out else "count as failures of each requirement"
    note = f"Cases without a result {effect}."
    note += f" The table omits {count_text(more, 'more cases')}." if more else ""
    columns = ["case", "outcome", *headings, "reason"]
    right = [True, False, *[True] * len(headings), False]
    return Table("Cases without a result", columns, rows, right, note, key="failed")


def requirements_table(result: CampaignResult) -> Table:
    """Return a table with the result of each requirement."""
    found = result.requirements()
    rows = []
    for one in found:
        low, high = (f"{float(end):.3g}" for end in one.interval)
        wanted = "-" if one.proportion is None else f"{100 * one.proportion:.10g} %"
        sure = f"{100 * one.confidence:.10g} %"
        rows.append(
            [
                one.name,
                str(one.cases),
                str(one.cases_met),
                str(one.failed),
                f"{low} to {high}",
                sure,
                wanted,
                one.verdict or "-",
            ]
        )
    columns = [
        "requirement",
        "cases",
        "met",
        "failed",
        "probability of failure",
        "confidence",
        "required share of cases",
        "result",
    ]
    right = [False, True, True, True, True, True, True, False]
    note = "\n".join(f"{one.name}: {' '.join(one.sentences)}" for one in found)
    bad = {k for k, one in enumerate(found) if not one.meets_goal}
    return Table("Requirements", columns, rows, right, note, bad, "requirements")


def outputs_with_numbers(result: CampaignResult) -> Iterator[Output]:
    """Yield the responses and limits that have values in at least two cases."""
    for one in (*result.manifest.names.responses, *result.manifest.names.limits):
        try:
            finite_values(result, one)
        except BadInput:
            continue
        yield one


def heading(output: Output, units: str) -> str:
    """Return the name of a response or limit with its unit."""
    return label_text(output.name, display(output.unit, units)[1])


def values_table(result: CampaignResult, units: str) -> Table:
    """Return a table with the mean, the standard deviation, their confidence intervals, and the extremes of
    each response.

    units: "SI" or "US".
    """
    rows = []
    for one in outputs_with_numbers(result):
        values, _ = finite_values(result, one)
        factor = display(one.unit, units)[0]
        mean, sigma = (of(result, one, result.confidence) for of in (mean_of, sigma_of))
        cells = [number(float(value) * factor, DIGITS) for value in (mean.value, sigma.value)]
        ends = [
            f"{number(float(each.lower) * factor, DIGITS)} to {number(float(each.upper) * factor, DIGITS)}"
            for each in (mean, sigma)
        ]
        extremes = [number(float(value) * factor, DIGITS) for value in (values.min(), values.max())]
        both = (cells[0], ends[0], cells[1], ends[1])
        rows.append([heading(one, units), str(len(values)), *both, *extremes])
    columns = ["response", "cases", "mean", "interval of the mean"]
    columns += ["standard deviation", "interval of standard deviation", "minimum", "maximum"]
    sure = f"{100 * result.confidence:.10g} %"
    note = f"All intervals have {sure} confidence. Cases without a finite value are not counted."
    return Table("Responses", columns, rows, [False, *[True] * 7], note, key="values")


def percentiles_table(result: CampaignResult, units: str) -> Table:
    """Return a table of bounds on a fraction of all cases, for each response. units: "SI" or "US".

    The bounds follow from order statistics. For comparison, the table also has bounds for a normal
    distribution.
    """
    rows, confidence = [], result.confidence
    fraction = result.manifest.campaign.goal("")[0] or FRACTION
    outputs = [*outputs_with_numbers(result)]
    for one in outputs:
        factor = display(one.unit, units)[0]
        bounds = _weighted_bounds if result.is_weighted else _bounds
        cells = [_bound(found, factor) for found in bounds(result, one, fraction, confidence)]
        p_value = _normality(result, one)
        cells += _normal_bounds(result, one, fraction, factor, p_value)
        rows.append([heading(one, units), *cells, "-" if np.isnan(p_value) else f"{p_value:.2g}"])
    needed = int(bound_cases(fraction, confidence))
    name = f"{100 * fraction:.10g} % of cases"
    notes = ["The bounds are asymptotic bounds of weighted cases."] if result.is_weighted else []
    if not result.is_weighted and len(result) < needed:
        notes.append(f"A bound of {name} with {100 * confidence:.10g} % confidence needs {needed} cases.")
    if any(cell.endswith(ESTIMATE) for row in rows for cell in row):
        notes.append(f"{ESTIMATE}: an estimate (the quantile of the sample) without a confidence level.")
    if not result.is_weighted:
        text = "Normal bounds assume a normal distribution. They are omitted if the test rejects"
        notes.append(f"{text} normality (p < {SIGNIFICANCE}).")
    columns = ["response", "lower bound", "upper bound", "normal lower bound", "normal upper bound"]
    columns.append("p-value of normality")
    title = f"One-sided bounds of {name}, with {100 * confidence:.10g} % confidence"
    return Table(title, columns, rows, [False, *[True] * 5], " ".join(notes), key="percentiles")


def _bound(found: tuple[float, float], factor: float) -> str:
    """A bound, or the quantile of the sample if the cases are too few for a bound."""
    bound, quantile = found
    if np.isfinite(bound):
        return number(bound * factor, DIGITS)
    return f"{number(quantile * factor, DIGITS)} {ESTIMATE}" if np.isfinite(quantile) else "-"


def _bounds(
    result: CampaignResult, one: Output, fraction: float, confidence: float
) -> list[tuple[float, float]]:
    """Lower and upper bound, each with the quantile of the sample."""
    lower = percentile_of(result, one, 1 - fraction, confidence, "lower")
    upper = percentile_of(result, one, fraction, confidence, "upper")
    return [(lower.lower, lower.value), (upper.upper, upper.value)]


def _normal_bounds(
    result: CampaignResult, one: Output, fraction: float, factor: float, p_value: float
) -> list[str]:
    """Lower and upper bound as if the values were normal, unless the test rejects that."""
    if result.is_weighted or p_value < SIGNIFICANCE:
        return ["-", "-"]
    values, _ = finite_values(result, one)
    mean, sigma = float(values.mean()), float(values.std(ddof=1))
    half = tolerance_factor(len(values), fraction, result.confidence) * sigma
    return [number((mean + side * half) * factor, DIGITS) for side in (-1, 1)]


def _weighted_bounds(
    result: CampaignResult, one: Output, fraction: float, confidence: float
) -> list[tuple[float, float]]:
    lower = weighted_bound(result, one, 1 - fraction, confidence, "lower")
    upper = weighted_bound(result, one, fraction, confidence, "upper")
    return [(float(lower.lower), float(lower.value)), (float(upper.upper), float(upper.value))]


def _normality(result: CampaignResult, one: Output) -> float:
    """p-value of the test of normality; NaN without a test."""
    values, _ = finite_values(result, one)
    if result.is_weighted or len(values) < LEAST_NORMAL or is_constant(values):
        return float("nan")
    return normality(values).p_value


def _input_columns(result: CampaignResult, units: str, rows: np.ndarray) -> tuple[list[list[str]], list[str]]:
    """Cells of some rows (cases,), and headings, of the first inputs."""
    cells, headings = [], []
    for one in result.manifest.names.inputs[:MOST_COLUMNS]:
        factor, unit = display(one.unit, units)
        headings.append(label_text(one.name, unit))
        cells.append([number(float(v) * factor, DIGITS) for v in result.columns[INPUT + one.name][rows]])
    return cells, headings


def worst_table(result: CampaignResult, units: str, count: int) -> Table:
    """Return a table of the worst cases with their responses and limits.

    - units: "SI" or "US".
    - count: how many cases are listed.
    """
    names = result.manifest.names
    outputs = (*names.limits, *names.responses)
    rows, bad = [], set()
    for k, row in enumerate(result.order[:count]):
        cells = [
            number(float(values_of(result, one)[row]) * display(one.unit, units)[0], DIGITS)
            for one in outputs[:MOST_COLUMNS]
        ]
        broken = [name for name in names.requirements if result.failures(name)[row]]
        if broken:
            bad.add(k)
        outcome = str(result.outcomes[row])
        verdict = f"BROKEN: {', '.join(broken)}" if broken and outcome == COMPLETED else outcome
        rows.append([str(result.case_numbers[row]), *cells, verdict])
    columns = ["case", *(heading(one, units) for one in outputs[:MOST_COLUMNS]), "result"]
    hidden = [one.name for one in outputs[MOST_COLUMNS:]]
    note = f"The table omits the columns {', '.join(hidden)}." if hidden else ""
    title = f"Worst cases {worst_by(result)}"
    return Table(title, columns, rows, [*[True] * (len(columns) - 1), False], note, bad, "worst")


def drivers_tables(result: CampaignResult) -> Iterator[Table]:
    """Yield a table with the drivers of each response and limit, the strongest first."""
    labels = {one.name: one.label for one in result.manifest.names.inputs}
    for output in outputs_with_numbers(result):
        found = result.drivers(output.name)
        rows = []
        for k, name in enumerate(found.inputs[:MOST_DRIVERS]):
            low, high = (float(end[k]) for end in found.rank.interval)
            cells = [labels[name], f"{float(found.rank.value[k]):+z.3f}", f"{low:+z.3f} to {high:+z.3f}"]
            if found.regression is not None:
                coefficient = found.regression.standardized.value[k]
                cells += [f"{coefficient:+z.3f}", f"{100 * found.regression.shares[k]:z.1f} %"]
            rows.append(cells)
        more = len(found.inputs) - len(rows)
        rest = f"The table omits {count_text(more, 'inputs')} with weaker correlation."
        note = f"{found.note} {rest}".strip() if more > 0 else found.note
        if found.regression is not None:
            rows += _lot_rows(result, found)
            note = f"{note} {OF_SHARES}"
        columns = ["input", "rank correlation", "interval of rank correlation"]
        columns += ["standardized coefficient", "share of variance"] if found.regression is not None else []
        right = [False, *[True] * (len(columns) - 1)]
        yield Table(
            f"Most important inputs (drivers) of {output.name}",
            columns,
            rows,
            right,
            note,
            key=f"drivers {output.name}",
        )


def _lot_rows(result: CampaignResult, found: Drivers) -> Iterator[list[str]]:
    """Sum of the shares of the inputs of each lot."""
    lots = {one.name: one.lot for one in result.manifest.campaign.dispersions if one.lot}
    lot_of = {one.name: lots.get(one.dispersion) for one in result.manifest.names.inputs}
    for lot in dict.fromkeys(lots.values()):
        rows = [k for k, name in enumerate(found.inputs) if lot_of[name] == lot]
        if rows and found.regression is not None:
            share = 100 * float(found.regression.shares[rows].sum())
            yield [f"all {len(rows)} inputs of lot {lot}", "-", "-", "-", f"{share:z.1f} %"]


def input_changes(result: CampaignResult) -> list[InputChange]:
    """Return the effect of each dispersion on its input, over all cases with results."""
    found = []
    for one in result.manifest.names.inputs:
        if not one.path:
            continue
        values = result.columns[INPUT + one.name]
        values = values[np.isfinite(values)]
        low, high = (float(values.min()), float(values.max())) if len(values) else (np.nan, np.nan)
        changed = int(np.sum(values != one.nominal))
        unchanged = (1.0 - one.chance) ** _draws(result, one.dispersion)
        distinct = len(np.unique(values))
        found.append(
            InputChange(one.dispersion, one.name, one.path, changed, distinct, low, high, unchanged, ())
        )
    return found


def _draws(result: CampaignResult, dispersion: str) -> int:
    """Number of independent draws of a dispersion in the flown cases."""
    campaign = result.manifest.campaign
    kind: Kind = next(one.kind for one in campaign.dispersions if one.name == dispersion)
    numbers = result.case_numbers // campaign.per_loop(kind)
    return int(np.count_nonzero(np.diff(numbers))) + 1 if len(numbers) else 0  # they are in order


def inputs_table(result: CampaignResult, units: str) -> Table:
    """Return a table that shows whether each dispersion changed its input. units: "SI" or "US"."""
    by_name = {one.name: one for one in result.manifest.names.inputs}
    rows = []
    changes = input_changes(result)
    for change in changes:
        factor, unit = display(by_name[change.name].unit, units)
        nominal, low, high = (
            number(value * factor, DIGITS)
            for value in (by_name[change.name].nominal, change.lowest, change.highest)
        )
        rows.append([change.name, change.path, unit_text(unit), nominal, str(change.changed), low, high])
    bad = {k for k, change in enumerate(changes) if not change.changed}
    columns = ["dispersion", "input", "unit", "nominal", "cases not nominal", "lowest", "highest"]
    right = [False, False, False, True, True, True, True]
    return Table("Dispersed inputs", columns, rows, right, "", bad, "inputs")
