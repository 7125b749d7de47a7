"""Create the tables, figures and HTML page of a comparison of two campaigns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...drawing.figure import COLOURS, Axis, Figure, Histogram, Limit, Line, Mark, Panel, Points
from ...drawing.table import Table, number
from ...report.page import escape_text, figure_part, page, save_page, table_part
from ...tree.sentences import count_text, list_text
from ...tree.units import display
from .figures import COUNTS, GREY, ROUND, chosen_rows, edges_of
from .manifest import shown_text
from .paired_percentiles import percentiles_table
from .printed import DIGITS, heading

if TYPE_CHECKING:
    from .comparison import CampaignComparison, ComparedResponse

MOST_CASES, MOST_CHANGES, MOST_FIGURES = 12, 30, 10


def tables(found: CampaignComparison, units: str) -> list[Table]:
    """Return all tables of a comparison. Tables without rows are omitted. units: "SI" or "US"."""
    some = [
        requirements_table(found),
        responses_table(found, units),
        percentiles_table(found, units),
        unpaired_table(found),
        changed_cases_table(found),
        other_cases_table(found),
        changes_table(found),
    ]
    return [table for table in some if table.rows]


def requirements_table(found: CampaignComparison) -> Table:
    """Return a table with the failures of each requirement in A and B and the p-value of McNemar's exact
    test.
    """
    rows = []
    for one in found.requirements:
        pair = one.failures
        low, high = (float(end) for end in pair.difference.interval)
        interval = "-" if np.isnan(low) else f"{low:+.3g} to {high:+.3g}"
        counts = (pair.cases, pair.both + pair.only_first, pair.both + pair.only_second)
        p_value = "-" if np.isnan(pair.p_value) else f"{pair.p_value:.2g}"
        cells = [*map(str, (*counts, pair.only_second, pair.only_first)), p_value]
        rows.append([one.name, *cells, f"{float(pair.difference.value):+.3g}", interval])
    columns = ["requirement", "cases", "failures in A", "failures in B", "met only in A", "met only in B"]
    columns += ["p-value", "probability of failure, B - A", "interval of B - A"]
    note = (
        "The p-value (McNemar's exact test) is the probability that chance causes at least this difference."
    )
    return Table("Requirements", columns, rows, [False, *[True] * 8], note, key="requirements")


def responses_table(found: CampaignComparison, units: str) -> Table:
    """Return a table with the mean difference B - A of each response and its confidence interval."""
    rows = []
    for one in found.responses:
        factor = display(one.output.unit, units)[0]
        cells = [number(value * factor, DIGITS) for value in one.means_of_each]
        more = ["-", "-", "-"]
        if one.means is not None:
            value, low, high = (f"{float(part) * factor:+.4g}" for part in one.means.difference)
            gain = f"{one.means.gain:.3g}" if np.isfinite(one.means.gain) else "-"
            more = [value, f"{low} to {high}", gain]
        rows.append([heading(one.output, units), str(int(one.known.sum())), *cells, *more])
    columns = ["response", "cases", "mean of A", "mean of B", "B - A", "interval of B - A", "gain by pairs"]
    sure = f"{100 * found.first.confidence:.10g} %"
    note = f"Intervals have {sure} confidence. The gain by pairs is a factor: two campaigns without common"
    note += " draws need this many times the cases for the same interval."
    return Table("Responses", columns, rows, [False, *[True] * 6], note, key="responses")


def unpaired_table(found: CampaignComparison) -> Table:
    """Return a table of the dispersions with different draws in A and B."""
    rows = [[one.name, one.where, one.reason or f"dispersed in {one.where} only"] for one in found.unpaired]
    same = ", ".join(found.same)
    note = f"These dispersions have the same draws in A and B: {same}."
    columns = ["dispersion", "campaign", "reason"]
    return Table(
        "Dispersions with different draws in A and B", columns, rows, [False] * 3, note, key="unpaired"
    )


def changed_cases_table(found: CampaignComparison) -> Table:
    """Return a table of the cases that meet a requirement in only one of the two campaigns."""
    rows = [
        [one.name, where, str(len(cases)), list_text([*map(str, cases)], MOST_CASES)]
        for one in found.requirements
        for where, cases in (("A", one.only_first), ("B", one.only_second))
        if len(cases)
    ]
    columns = ["requirement", "met only in", "cases", "case numbers"]
    title = "Cases with different verdicts in A and B"
    return Table(title, columns, rows, [False, False, True, False], key="verdicts")


def other_cases_table(found: CampaignComparison) -> Table:
    """Return a table of the cases that only one campaign has."""
    rows = [
        [where, str(len(cases)), list_text(_ranges(cases), MOST_CASES)]
        for where, cases in (("A", found.only_first), ("B", found.only_second))
        if len(cases)
    ]
    title = "Cases that only one campaign has (not compared)"
    return Table(title, ["campaign", "cases", "case numbers"], rows, [False, True, False], key="other cases")


def _ranges(cases: np.ndarray) -> list[str]:
    """Numbers of cases, with ranges as "500 to 999"."""
    parts = np.split(cases, np.flatnonzero(np.diff(cases) > 1) + 1)
    return [f"{part[0]}" if len(part) == 1 else f"{part[0]} to {part[-1]}" for part in parts]


def changes_table(found: CampaignComparison) -> Table:
    """Return a table of the differences between the dispersions and scenarios of A and B."""
    rows = [[path, shown_text(one), shown_text(other)] for path, one, other in found.changes[:MOST_CHANGES]]
    more = len(found.changes) - len(rows)
    note = f"The table omits {count_text(more, 'more differences')}." if more else ""
    title = "Inputs that differ between A and B, in SI units"
    return Table(title, ["input", "A", "B"], rows, [False] * 3, note, key="changes")


# --- figures


def figures(found: CampaignComparison, units: str) -> Iterator[Figure]:
    """Yield a figure for each response that differs between A and B. The figure shows the values of B over
    the values of A, and the differences.
    """
    drawn = [one for one in found.responses if one.means is not None]
    for one in drawn[:MOST_FIGURES]:
        factor = display(one.output.unit, units)[0]
        a, b = (values[one.known] * factor for values in (one.first, one.second))
        weights = found.first.weights[np.isin(found.first.case_numbers, found.cases)][one.known]
        panels = [_differences(one, b - a, units, weights if found.first.is_weighted else None)]
        if not found.first.is_weighted:
            panels.insert(0, _scatter(one, a, b, units))
        where = f"{one.output.quantity}, {one.output.where}"
        yield Figure(
            f"{one.name}: {where}, campaign B compared with A case by case",
            [panels],
            key="pairs",
            description=one.sentence(units),
        )


def _scatter(one: ComparedResponse, a: np.ndarray, b: np.ndarray, units: str) -> Panel:
    rows = chosen_rows(np.ones(len(a), bool), np.zeros(len(a), bool))
    both = np.concatenate([a, b])
    ends = np.array([both.min(), both.max()])
    marks: list[Mark] = [Line(ends, ends, "", GREY, 1.0), Points(a[rows], b[rows], size=3.5)]
    label = heading(one.output, units)
    x, y = Axis(f"A: {label}", room=0.04), Axis(f"B: {label}", room=0.04)
    title = "B over A; grey line: B = A" + (f"; {len(rows)} of {len(a)} cases" if len(rows) < len(a) else "")
    return Panel(marks, title, x, y, height=ROUND, equal_scales=True)


def _differences(one: ComparedResponse, change: np.ndarray, units: str, weights: np.ndarray | None) -> Panel:
    label = f"B - A: {heading(one.output, units)}"
    spread = np.ptp(change) > 1e-9 * np.abs(change).max()
    edges = edges_of(change) if spread else change.mean() + np.abs(change).max() * np.array([-0.05, 0.05])
    heights = np.histogram(change, edges, weights=weights)[0].astype(float)
    name, steps = "cases", COUNTS
    if weights is not None:
        heights, name, steps = 100 * heights / weights.sum(), "weighted cases [%]", []
    marks: list[Mark] = [Histogram(edges, heights), Limit(0.0, "x", GREY, "")]
    marks.append(Limit(float(np.average(change, weights=weights)), "x", COLOURS[1]))
    y = Axis(name, low=0.0, high=1.08 * float(heights.max()), steps=steps)
    return Panel(marks, "histogram of B - A; orange line: mean", Axis(label, room=0.05), y, height=ROUND)


# --- page


def write(found: CampaignComparison, path: Path, units: str) -> Path:
    """Write the HTML page of a comparison and return its path. Raises BadInput if the file cannot be
    written.
    """
    return save_page(html(found, units), path)


def html(found: CampaignComparison, units: str) -> str:
    """Return the HTML page of a comparison. units: "SI" or "US"."""
    titles = [result.scenario.title for result in (found.first, found.second)]
    named = [
        f"{name}: {folder}{f' ({title})' if title else ''}"
        for name, folder, title in zip("AB", found.folders, titles, strict=True)
    ]
    drawn = [*figures(found, units)]
    body = [
        "<h1>Comparison of two campaigns</h1>",
        *(f'<p class="outcome">{escape_text(text)}</p>' for text in named),
        _list(found.sentences(units)),
        *(f'<p class="note">{escape_text(note)}</p>' for note in found.notes),
        *map(table_part, tables(found, units)),
        "<h2>Figures</h2>" if drawn else "",
        *map(figure_part, drawn),
    ]
    return page("Comparison of two campaigns", body)


def _list(texts: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape_text(text)}</li>' for text in texts)}</ul>"
