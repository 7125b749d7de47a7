"""Create the tables of `interstage solve` and `interstage optimize`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...drawing.table import Table, label_text, number, unit_text
from ...tree.sentences import sentence
from ...tree.units import display
from .gaps import gaps
from .solvers import NAMES

if TYPE_CHECKING:
    from .result import Iterate, Optimum
    from .targeting import Solved
    from .variables import Unknown

DIGITS = 7
FEW_DIGITS = 3
"""Significant digits of derivatives and deviations."""
NOISY = (
    "The remaining deviation from the target is the numerical error of the flights. A smaller"
    " solver.tolerance in the scenario reduces this deviation."
)
BOUNDS = {"low": "lower", "high": "upper"}
SIGNS = {"equals": "=", "min": ">=", "max": "<="}


def solved_tables(solved: Solved, units: str) -> list[Table]:
    """Return a table of the found inputs and a table of the conditions. units: "SI" or "US"."""
    rows = [
        [one.name, *_pair(one, (one.own, value), units), unit_text(one.display(units)[1])]
        for one, value in zip(solved.unknowns, solved.values)
    ]
    columns = ["input", "start value", "found value", "unit"]
    found = Table("Found inputs", columns, rows, [False, True, True, False], key="found")
    rows = []
    for met, slopes in zip(solved.met, solved.slopes):
        factor, unit = display(met.unit, units)
        values = [number(value * factor, DIGITS) for value in (met.before, met.now)]
        off = number((met.now - met.wanted) * factor, FEW_DIGITS)
        slope = [
            f"{number(slope * factor / one.display(units)[0], FEW_DIGITS)} {per(unit, one.display(units)[1])}"
            for slope, one in zip(slopes, solved.unknowns)
        ]
        rows.append([met.asked.quantity, met.asked.where, *values, unit_text(unit), off, ", ".join(slope)])
    columns = ["quantity", "time", "start value", "found value", "unit", "deviation", "derivative"]
    right = [False, False, True, True, False, True, False]
    note = NOISY if any(met.noisy for met in solved.met) else ""
    return [found, Table("Targets", columns, rows, right, note, key="so that")]


def _pair(one: Unknown, values: tuple[float, ...], units: str) -> list[str]:
    factor = one.display(units)[0]
    return [number(value * factor, DIGITS) for value in values]


def _with_unit(value: float, unit: str, digits: int) -> str:
    return f"{number(value, digits)} {unit_text(unit)}".strip()


def per(unit: str, other: str) -> str:
    """Return the text of a unit of a derivative, such as "m/s per N/m", from the two units."""
    return f"{unit_text(unit)} per {unit_text(other) or '1'}".strip()


def optimum_tables(optimum: Optimum, units: str) -> list[Table]:
    """Return all tables of an optimum. Tables without rows are omitted. units: "SI" or "US"."""
    found = [
        objective_table(optimum, units),
        variables_table(optimum, units),
        constraints_table(optimum, units),
        fight_table(optimum),
        sensitivities_table(optimum, units),
    ]
    return [table for table in found if table.rows]


def objective_table(optimum: Optimum, units: str) -> Table:
    """Return a table of the objective terms with their values for the start values and at the optimum."""
    rows = []
    for one in optimum.terms:
        factor, unit = display(one.unit, units)
        weight = "" if len(optimum.terms) == 1 else f"{one.term.weight:g} times "
        values = [number(value * factor, DIGITS) for value in (one.before, one.now)]
        term = f"{one.term.verb} {weight}{one.term.quantity}"
        rows.append([term, one.term.where, *values, unit_text(unit)])
    columns = ["objective", "time", "start value", "optimum", "unit"]
    return Table("Objective", columns, rows, [False, False, True, True, False], key="objective")


def variables_table(optimum: Optimum, units: str) -> Table:
    """Return a table of the variables: start value, optimum, bounds, and the multipliers of active bounds."""
    rows = []
    for one in optimum.variables:
        factor, unit = one.unknown.display(units)
        ends = [_end(end * factor) for end in (one.unknown.low, one.unknown.high)]
        price = _price(optimum, one.multiplier, factor, unit, units) if one.bound else ""
        values = _pair(one.unknown, (one.before, one.now), units)
        rows.append([one.unknown.name, *values, *ends, unit_text(unit)])
        rows[-1] += [BOUNDS.get(one.bound, ""), price]
    columns = [
        "variable",
        "start value",
        "optimum",
        "lower bound",
        "upper bound",
        "unit",
        "active bound",
        "change of objective per unit of bound",
    ]
    right = [False, True, True, True, True, False, False, False]
    inputs = " ".join(
        f"{one.unknown.name} sets {' and '.join(one.unknown.paths)}."
        for one in optimum.variables
        if one.unknown.paths != [one.unknown.name]
    )
    return Table("Variables", columns, rows, right, inputs, key="variables")


def constraints_table(optimum: Optimum, units: str) -> Table:
    """Return a table of the constraints: values for the start values and at the optimum, limits, and the
    multipliers of active limits.
    """
    rows = []
    bad = set()
    for k, one in enumerate(optimum.constraints):
        factor, unit = display(one.unit, units)
        limits = [_limit(key, float(v.magnitude) * factor) for key, v in one.constraint.limits.items()]
        values = [number(value * factor, DIGITS) for value in (one.before, one.now)]
        state = "active" if one.active else ""
        if not one.kept:
            bad.add(k)
            state = f"violated by {number(one.beyond * factor, FEW_DIGITS)}"
        price = _price(optimum, one.multiplier, factor, unit, units) if one.active else ""
        name = f"{one.constraint.name}: {one.constraint.quantity}, {one.constraint.where}"
        rows.append([name, *values, " ".join(limits), unit_text(unit), state, price])
    columns = ["constraint", "start value", "optimum", "limit", "unit", "state"]
    columns.append("change of objective per unit of limit")
    right = [False, True, True, False, False, False, False]
    return Table("Constraints", columns, rows, right, bad=bad, key="constraints")


def _end(value: float) -> str:
    return "" if abs(value) == float("inf") else number(value, DIGITS)


def _limit(key: str, value: float) -> str:
    return f"{SIGNS[key]} {number(value, DIGITS)}"


def _price(optimum: Optimum, multiplier: float, factor: float, unit: str, units: str) -> str:
    """Change of the objective per unit change of a limit, as text."""
    if not optimum.terms or not optimum.feasible:
        return ""
    own, its = display(optimum.objective_unit, units)
    return f"{multiplier * own / factor:+.{FEW_DIGITS}g} {per(its, unit)}"


def fight_table(optimum: Optimum) -> Table:
    """Return a table of conflicting constraints. Without conflicts, the table is empty."""
    if optimum.fight is None:
        return Table("", [], [], [])
    rows = [[name, f"at least {text}"] for name, text in optimum.fight.missed]
    rows += [[name, "none, but this limit prevents a smaller violation"] for name in optimum.fight.held_by]
    note = (
        "The table shows the point with the smallest sum of scaled violations. A violation is scaled by the"
        " change of the quantity if each variable changes by its scale."
    )
    columns = ["constraint or bound", "violation"]
    return Table("Conflicting constraints", columns, rows, [False, False], note, key="fight")


def sensitivities_table(optimum: Optimum, units: str) -> Table:
    """Return a table of derivatives of the optimal objective with respect to other inputs."""
    own, its = display(optimum.objective_unit, units)
    rows = []
    for name, (slope, unit) in optimum.sensitivities.items():
        factor, shown = display(unit, units)
        rows.append([name, f"{slope * own / factor:+.{FEW_DIGITS}g} {per(its, shown)}"])
    columns = ["input", "change of the optimal objective per unit of the input"]
    return Table("Sensitivities of the optimum", columns, rows, [False, False], key="sensitivities")


def history_table(optimum: Optimum, units: str) -> Table:
    """Return a table with a row for each iteration. units: "SI" or "US"."""
    rows = [[str(one.number), *_course(optimum, one, units), f"{one.seconds:.1f}"] for one in optimum.history]
    columns = ["iteration", objective_heading(optimum, units)[0], "worst constraint", "violation", "time [s]"]
    return Table("Iterations", columns, rows, [True, True, False, True, True], key="iterations")


def objective_heading(optimum: Optimum, units: str) -> tuple[str, float]:
    """Return the label of the objective with its unit, and the factor from SI to this unit."""
    if not optimum.terms:
        return "change of variables", 1.0
    factor, unit = display(optimum.objective_unit, units)
    return label_text("objective", unit), factor


def _course(optimum: Optimum, one: Iterate, units: str) -> list[str]:
    factor = objective_heading(optimum, units)[1]
    kinds = {each.constraint.name: each.unit for each in optimum.constraints}
    kinds |= {gap.name: gap.unit for gap in gaps(optimum.study.nodes)}
    beyond = ""
    if one.worst > 1.0 and not one.which:
        return [number(one.objective * factor, DIGITS), "equations of motion", ""]
    if one.worst > 1.0:
        own, unit = display(kinds[one.which], units)
        beyond = _with_unit(one.beyond * own, unit, FEW_DIGITS)
    return [number(one.objective * factor, DIGITS), one.which if beyond else "all met", beyond]


def notes(optimum: Optimum, units: str) -> list[str]:
    """Return sentences with warnings about an optimum, and about its confirmation by the second solver.
    units: "SI" or "US".
    """
    found = list(optimum.notes)
    found += _mesh(optimum, units)
    other = optimum.confirmed
    if other is not None and other.why and not any(other.why in note for note in found):
        found.append(
            f"{NAMES[other.kind]} found no optimum from the same start values: {sentence(other.why)}"
        )
    elif other is not None and not other.why:
        factor, unit = display(optimum.objective_unit, units)
        value = _with_unit(other.objective * factor, unit, 10)
        what = f"found the objective {value}" if optimum.terms else "found the same solution"
        text = (
            f"The variables of both solvers differ by at most {number(other.apart, FEW_DIGITS)} of the scale"
        )
        found.append(f"{NAMES[other.kind]} {what}. {text} of a variable.")
    if optimum.checked is not None:
        apart, name = optimum.checked
        found.append(
            "The derivatives at the start values differ from finite differences of flights by at most"
            f" {100 * apart:.2g} % of the largest derivative of the same quantity ({name})."
        )
    return found


def _mesh(optimum: Optimum, units: str) -> list[str]:
    """Notes on the collocation mesh and on the separate flight."""
    one = optimum.collocated
    if one is None:
        return []
    intervals = " + ".join(map(str, one.intervals))
    text = f"Collocation used {intervals} intervals of {one.points} points, and {one.variables} variables"
    count = f"{one.meshes} mesh{'es' if one.meshes > 1 else ''}"
    meshes = f"{text}. After {count}, the relative error of the equations of motion is {one.error:.1e}."
    factor, unit = display(optimum.objective_unit, units)
    sign = optimum.terms[0].term.sign
    seen = sum(sign * t.term.sign * t.term.weight * v for t, v in zip(optimum.terms, one.seen))
    values = [_with_unit(value * factor, unit, 10) for value in (seen, optimum.objective)]
    text = f"The objective is {values[0]} in the collocation and {values[1]} in a separate flight."
    return [meshes, text]


def how(optimum: Optimum) -> str:
    """Return one line with the solver, the number of iterations, the number of flights and the wall time."""
    count = len(optimum.history)
    effort = f"{NAMES[optimum.study.kind]}: {count} iteration{'s' if count != 1 else ''}"
    if optimum.collocated is not None:
        return f"{effort}, {optimum.seconds:.1f} s."
    flown = f"{optimum.flights} flights, {optimum.differentiated} with derivatives"
    return f"{effort}, {flown}, {optimum.seconds:.1f} s."
