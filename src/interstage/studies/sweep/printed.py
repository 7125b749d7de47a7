"""Tables of a sweep: cases, effects of the varied inputs, and varied inputs."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import shorten
from typing import TYPE_CHECKING

import numpy as np

from ...drawing.table import Table, label_text, number, unit_text
from ...tree.sentences import count_text, list_text
from ...tree.units import PURE_UNITS, display, in_units
from .result import finite

if TYPE_CHECKING:
    from .result import Measure, Sweep

MOST_ROWS = 20
"""Largest number of cases in a table on the terminal."""
MOST_MEASURES = 4
"""Largest number of columns for requirements and responses on the terminal. Files and reports have all
columns.
"""
WIDEST = 48
"""Largest number of characters of an outcome in a table. The full outcome of the worst case is in a note.
The outcomes of all cases are in the result files.
"""
DIGITS = 5
STRAIGHT = 0.9
"""Fraction of the variance that a linear fit must explain. If the fit explains less, a note is printed."""


def tables(sweep: Sweep, units: str, rows: int = MOST_ROWS, most: int = MOST_MEASURES) -> list[Table]:
    """Return all tables of a sweep. Tables without rows are omitted.

    - units: "SI" or "US".
    - rows: largest number of cases.
    - most: largest number of columns for requirements and responses.
    """
    found = [cases_table(sweep, units, rows, most), *effects_tables(sweep, units)]
    return [table for table in found if table.rows]


def cases_table(sweep: Sweep, units: str, rows: int = MOST_ROWS, most: int = MOST_MEASURES) -> Table:
    """Return a table of the cases with their levels, requirements and responses. The worst case is first.

    The arguments are those of `tables`.
    """
    shown, measures = sweep.order[:rows], _with_columns(sweep, most)
    columns = ["case", *(one.heading(units) for one in sweep.variations)]
    columns += [_heading(m, units) for m in measures]
    cells = [[str(case), *_levels(sweep, case, units), *_values(measures, case, units)] for case in shown]
    right = [True] * len(columns)
    verdicts = [_short(sweep, int(case)) for case in shown]
    if any(verdicts):
        columns, right = [*columns, "result"], [*right, False]
        cells = [[*row, verdict] for row, verdict in zip(cells, verdicts)]
    bad = {k for k, case in enumerate(shown) if sweep.broken[case] or not sweep.completed[case]}
    return Table("Cases", columns, cells, right, _rest(sweep, len(shown), measures), bad, "cases")


def _with_columns(sweep: Sweep, most: int) -> tuple[Measure, ...]:
    """The measures with columns, in their order; responses have priority over requirements, which have a
    verdict."""
    first = sorted(range(len(sweep.measures)), key=lambda k: bool(sweep.measures[k].side))[:most]
    return tuple(sweep.measures[k] for k in sorted(first))


def _short(sweep: Sweep, case: int) -> str:
    """Verdict of a case for a cell; the outcome of an early end is shortened."""
    verdict = sweep.verdict(case)
    return verdict if sweep.completed[case] else shorten(verdict, WIDEST, placeholder=" ...")


def _heading(measure: Measure, units: str) -> str:
    return label_text(measure.name, display(measure.unit, units)[1])


def _levels(sweep: Sweep, case: int, units: str) -> list[str]:
    return [one.value_text(int(level), units) for one, level in zip(sweep.variations, sweep.levels[case])]


def _values(measures: tuple[Measure, ...], case: int, units: str) -> list[str]:
    return [number(float(m.values[case]) * display(m.unit, units)[0], DIGITS) for m in measures]


def _rest(sweep: Sweep, shown: int, measures: tuple[Measure, ...]) -> str:
    """Note about rows and columns that the table omits."""
    ranked = any(m.side for m in sweep.measures) or not sweep.all_completed
    order = (
        "The worst case is first: cases are sorted by the smallest margin relative to the limit."
        if ranked
        else ""
    )
    left = len(sweep) - shown
    bad = int(np.sum((sweep.broken | ~sweep.completed)[sweep.order[shown:]]))
    rest = ""
    if left:
        rest = f"The table omits {count_text(left, 'more cases')}"
        rest += f"; {bad} of these cases violate a requirement or ended early" if bad else ""
        rest += "" if bad or not ranked else "; none of these cases violates a requirement or ended early"
        rest += "."
    hidden = [m.name for m in sweep.measures if all(m is not one for one in measures)]
    columns = f"The table omits the columns {', '.join(hidden)}." if hidden else ""
    return " ".join(part for part in (order, rest, columns) if part)


def effects_tables(sweep: Sweep, units: str) -> list[Table]:
    """Return a table for each requirement and response with the effects of the varied inputs, the strongest
    first. units: "SI" or "US".
    """
    found = []
    alone = sweep.design == "one_at_a_time"
    for measure in finite(sweep.measures):
        factor, unit = display(measure.unit, units)
        rows = []
        for effect in sweep.effects(measure.name):
            one = effect.variation
            low, high = effect.ends
            scale, label = one.scale(units)
            span = f"{effect.levels[0] * scale:.5g} to {effect.levels[-1] * scale:.5g} {label}"
            span = span.removesuffix(" 1") if one.numeric else f"{count_text(len(effect.levels), 'levels')}"
            rest = [number(effect.slope * factor / scale, 3)]
            if not alone:
                rest = [_part(effect.share), _part(effect.total), _signed_text(effect.coefficient), *rest]
            ends = [number(low * factor, DIGITS), number(high * factor, DIGITS)]
            rows.append([one.name, span, *ends, number(effect.range * factor, 3), *rest])
        what = "value" if alone else "mean"
        first, last = (f"{what} at {end} level" for end in ("lowest", "highest"))
        columns = ["varied input", "levels", first, last, "range"]
        parts = ["first-order effect", "total effect", "standardized coefficient"]
        columns += [*([] if alone else parts), "slope per unit"]
        right = [False, False, *[True] * (len(columns) - 2)]
        inside = "" if unit in PURE_UNITS else f", in {unit}"
        title = f"{measure.name}: {measure.quantity}, {measure.where}{inside}"
        texts = (
            _missing(sweep, measure),
            _variance_note(sweep, measure),
            _curvature(sweep, measure, factor, unit),
        )
        note = " ".join(text for text in texts if text)
        found.append(Table(title, columns, rows, right, note, key=measure.name))
    return found


def _part(value: float) -> str:
    return "-" if np.isnan(value) else f"{100 * value:.1f} %"


def _signed_text(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:+.3f}"


def _missing(sweep: Sweep, measure: Measure) -> str:
    from .sensitivity import missing

    out, all_ = missing(sweep, measure), len(sweep)
    text = (
        f"The effects use only {all_ - out} of {all_} cases. In the other cases, the response has no value."
    )
    return text if out else ""


def _variance_note(sweep: Sweep, measure: Measure) -> str:
    """Note on the variance explained by first-order effects and by the linear fit."""
    from .sensitivity import explained_variance, straight

    part, line = explained_variance(sweep, measure), straight(sweep, measure)
    text = ""
    if not np.isnan(part) and len(sweep.variations) > 1:
        text = (
            f"First-order effects explain {100 * part:.1f} % of the variance. Interactions of inputs explain"
            f" {100 * max(0.0, 1 - part):.1f} %. Total effects include interactions."
        )
    if not np.isnan(line) and line < STRAIGHT:
        text += (
            " The standardized coefficients come from a linear fit. The fit explains only"
            f" {100 * line:.1f} % of the variance."
        )
    return text.strip()


def _curvature(sweep: Sweep, measure: Measure, factor: float, unit: str) -> str:
    """Note on curvature and on extremes between the ends of variations."""
    from .sensitivity import bend

    text, found = "", bend(sweep, measure)
    if found is not None:
        own, mean = (number(value * factor, DIGITS) for value in found)
        inside = "" if unit in PURE_UNITS else f" {unit}"
        text = (
            f"The response is not linear: the value is {own}{inside} in the nominal case, but the mean over"
        )
        text += f" the corners is {mean}{inside}. To find the cause, use a grid with three or more levels."
    turning = [effect.variation.name for effect in sweep.effects(measure.name) if effect.turns]
    if turning:
        names = " and ".join((", ".join(turning[:-1]), turning[-1]) if len(turning) > 1 else turning)
        text += f" For {names}, the largest or smallest mean is at a level between the lowest and the highest"
        text += " level. The column range includes this mean."
    return text.strip()


def variations_table(sweep: Sweep, units: str) -> Table:
    """Return a table of the varied inputs with their levels and scenario values. units: "SI" or "US"."""
    rows = []
    for one in sweep.variations:
        unit = one.scale(units)[1] if one.numeric else ""
        levels = ", ".join(one.value_text(k, units) for k in range(min(one.count, 12)))
        levels += ", ..." if one.count > 12 else ""
        own = one.value_text(-1, units)
        paths = ", ".join(target.name for target in one.targets)
        rows.append([one.name, levels, own, unit_text(unit), paths])
    columns = ["varied input", "levels", "value in the scenario", "unit", "paths"]
    return Table("Varied inputs", columns, rows, [False, False, True, False, False], key="variations")


def notes(sweep: Sweep, file: str = "") -> list[str]:
    """Return notes on a sweep: warnings, limits that could not be evaluated, and the command that runs the
    worst case alone.

    file: path of the scenario file for this command.
    """
    found = [*sweep.notes, *_unjudged_notes(sweep)]
    if sweep.interrupted:
        found.append("The sweep was interrupted. The results contain only the completed cases.")
    worst = int(sweep.order[0]) if len(sweep) else 0
    if len(sweep) and _short(sweep, worst) != (verdict := sweep.verdict(worst)):
        found.append(f"Case {worst}: {verdict}")
    if file and sweep.flown[worst] and (sweep.broken[worst] or not sweep.completed[worst]):
        settings = " ".join(f'--set "{setting}"' for setting in sweep.settings(worst))
        found.append(f"To simulate case {worst} alone, run: interstage run {file} {settings}")
    return found


def _unjudged_notes(sweep: Sweep) -> Iterator[str]:
    """Reasons why limits could not be evaluated, with the first case of each."""
    whys: dict[str, dict[int, list[str]]] = {}
    for measure in sweep.measures:
        for case, why in measure.notes.items():
            if sweep.completed[case]:
                whys.setdefault(why, {}).setdefault(case, []).append(measure.name)
    for why, cases in whys.items():
        names, those = next(iter(cases.values())), list_text([*map(str, cases)], 1)
        why = in_units(why, sweep.scenario.units)
        yield f"In case {those}, these requirements count as violated: {', '.join(names)}. Reason: {why}."
