"""DAVE-ML 2.0 files (ANSI/AIAA S-119-2011) as function models. The files are read before a flight.

Source: reference manual of DAVE-ML, version 2.0 (daveml.org).

- A variable has one origin: an input, a value, a calculation or a function. minValue and maxValue limit it.
- The last breakpoints vary fastest in a table.
- A table keeps its end value beyond its ends, except if it extrapolates.
- min and max of an independentVarRef also limit the input of the table.
- In a piecewise calculation the first piece with a true condition applies.

Unsupported elements are rejected with their line: ungridded tables, discrete and quadratic interpolation,
MathML beyond `exchange.mathml`. Uncertainties are skipped with a note, and the nominal values are used.
Documentation and check cases are ignored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ..tree import names
from ..tree.errors import BadInput, Problem
from ..tree.formula import in_backquotes
from ..tree.similar_names import near
from .daveml_elements import INPUTS, SKIPPED, check_known, numbers, optional, referred_element
from .mathml import formula_of
from .xml_file import Element, Unfit, read

_INTERPOLATION: dict[str, Literal["linear", "cubic"]] = {"linear": "linear", "cubicSpline": "cubic"}
_OUTSIDE = {"neither": (False, False), "min": (True, False), "max": (False, True), "both": (True, True)}
"""Whether a table extrapolates below its first and above its last point."""


class Variable(NamedTuple):
    """Input of a DAVE-ML file with its default, or constant.

    The fields are its name, value and bounds, and its unit as written in the file.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    unit: str


class Axis(NamedTuple):
    """Axis of a table: its variable, its points, the bounds of the variable, and whether the table
    extrapolates beyond the points.
    """

    variable: str
    points: list[float]
    low: float | None
    high: float | None
    extrapolates: bool


class Table(NamedTuple):
    """Table of a variable.

    The fields are its values with the last axis fastest, its interpolation ("linear" or "cubic"), and its
    line in the file.
    """

    name: str
    axes: tuple[Axis, ...]
    values: list[float]
    interpolation: Literal["linear", "cubic"]
    line: int


class Formula(NamedTuple):
    """Variable that a formula of `tree.formula` computes."""

    name: str
    text: str


class Contents(NamedTuple):
    """Contents of a DAVE-ML file, in the order of the file.

    - units: unit of each variable.
    - outputs: variables that the file marks as outputs.
    - notes: sentences about skipped contents.
    - problems: unsupported contents with line numbers. If there are problems, the remaining fields are
      incomplete.
    """

    inputs: tuple[Variable, ...]
    constants: tuple[Variable, ...]
    tables: tuple[Table, ...]
    formulas: tuple[Formula, ...]
    units: dict[str, str]
    outputs: tuple[str, ...]
    notes: tuple[str, ...]
    problems: tuple[Problem, ...]


def read_contents(path: str | Path) -> Contents:
    """Read the contents of a DAVE-ML file. Raises `BadInput` if the file is not a DAVE-ML file."""
    return _File(path).contents()


class _Table(NamedTuple):
    """A table of the file: breakpoints and their units by axis, values with the last axis fastest."""

    points: list[list[float]]
    units: list[str | None]
    values: list[float]
    unit: str | None
    element: Element


class _File:
    """A file that is being read. Problems are collected, so that all are reported at once."""

    def __init__(self, path: str | Path):
        self.source, self.problems = str(path), []
        self.root = root = read(path)
        if root.tag != "DAVEfunc":
            text = f"the root element is <{root.tag}>, not <DAVEfunc>. Give a DAVE-ML file of functions"
            raise BadInput(Problem("", text, root.line), self.source)
        self._try(check_known, root)
        self.variables = self._by_id("variableDef", "varID")
        self.breakpoints = self._by_id("breakpointDef", "bpID")
        self.tables = self._by_id("griddedTableDef", "gtID")
        self.known = frozenset(self.variables)

    def _try(self, what: Any, *arguments: Any) -> Any:
        """Return the result. After a problem, store it and return None."""
        try:
            return what(*arguments)
        except Unfit as error:
            self.problems.append(Problem("", error.message, error.line))
            return None

    def _by_id(self, tag: str, attribute: str) -> dict[str, Element]:
        found: dict[str, Element] = {}
        elements = self.root.all(tag)
        if tag == "griddedTableDef":  # definitions inside a function can be used by other functions
            definitions = [d for f in self.root.all("function") for d in f.all("functionDefn")]
            elements += [t for d in definitions for t in d.all(tag) if "gtID" in t.attributes]
        for element in elements:
            name = self._try(element.required_text, attribute)
            if name in found:
                text = (
                    f"{attribute} '{name}' is already defined in line {found[name].line}. Use a"
                    f" different {attribute}"
                )
                self.problems.append(Problem("", text, element.line))
            elif name is not None:
                found[name] = element
        return found

    # --- the model

    def contents(self) -> Contents:
        for element in (*self.breakpoints.values(), *self.tables.values()):
            self._try(check_known, element)
        tables: dict[str, Table] = {}
        for function in self.root.all("function"):
            table = self._try(self._function, function)
            if table is not None and table.name in tables:
                text = f"another function also computes '{table.name}'. Keep one function for each variable"
                self.problems.append(Problem("", text, function.line))
            elif table is not None:
                tables[table.name] = table
        made: dict[str, list[Any]] = {"inputs": [], "constants": [], "tables": [], "formulas": []}
        for name, element in self.variables.items():
            for field, part in self._try(self._variable, name, element, tables.get(name)) or ():
                made[field].append(part)
        return Contents(
            **{field: tuple(parts) for field, parts in made.items()},
            units={name: _unit(element) for name, element in self.variables.items()},
            outputs=tuple(n for n, e in self.variables.items() if e.all("isOutput", "isStateDeriv")),
            notes=tuple(self._notes()),
            problems=tuple(self.problems),
        )

    def _notes(self) -> Iterator[str]:
        """Return notes on skipped content that a user could expect in the flight."""
        lines = [element.line for element in self.root.every(SKIPPED)]
        if lines:
            many = f"{len(lines)} <{SKIPPED}> element{'s' if len(lines) > 1 else ''}"
            text = (
                f"interstage does not support {many}, the first in line {lines[0]}. The flight uses "
                "the nominal values"
            )
            yield f"{self.source}: {text}"

    def _variable(self, name: str, element: Element, table: Table | None) -> tuple[tuple[str, Any], ...]:
        """The contents from one variable, each with its field."""
        check_known(element)
        if not re.fullmatch(names.PATTERN, name):
            text = f"varID '{name}' is not a valid name. Use at most 64 letters, digits, _ and -"
            raise Unfit(element.line, f"{text}, beginning with a letter")
        value, low, high = (optional(element, key) for key in ("initialValue", "minValue", "maxValue"))
        calculations = element.all("calculation")
        marks = element.all(*INPUTS)
        origins = [*marks[:1], *calculations, *([element] if table else [])]
        if len(origins) > 1:
            raise Unfit(
                element.line, f"'{name}' has several definitions. Keep one of input, calculation and function"
            )
        one = Variable(name, value, low, high, _unit(element))
        if marks or (element.all("isState") and not origins) or (value is None and not origins):
            return (("inputs", one),)
        if value is not None and not origins:
            if (low is not None and value < low) or (high is not None and value > high):
                raise Unfit(
                    element.line,
                    f"the initialValue of '{name}' is outside minValue and maxValue. Correct one of"
                    " the values",
                )
            return (("constants", one),)
        limited = low is not None or high is not None
        if table is None:
            text = formula_of(calculations[0], self.known)
            return (("formulas", Formula(name, _limit(text, low, high))),)
        if not limited:
            return (("tables", table),)
        inner = _free_name(f"{name}_unlimited", self.known)
        text = _limit(in_backquotes(inner), low, high)
        return ("tables", table._replace(name=inner)), ("formulas", Formula(name, text))

    # --- functions

    def _function(self, function: Element) -> Table:
        check_known(function)
        if function.all("independentVarPts"):
            inputs, output = function.all("independentVarPts"), function.one("dependentVarPts")
            points = [numbers(e) for e in inputs]
            units = [e.attributes.get("units") for e in inputs]
            table = _Table(points, units, numbers(output), output.attributes.get("units"), output)
            mixed = function.all("independentVarRef", "dependentVarRef", "functionDefn")
            if mixed:
                raise Unfit(
                    mixed[0].line,
                    f"the function has both <{mixed[0].tag}> and points. Keep one of the two forms",
                )
        else:
            inputs, output = function.all("independentVarRef"), function.one("dependentVarRef")
            table = self._definition(function.one("functionDefn"))
        for element in (*inputs, output):
            check_known(element)
        count = 1
        for axis in table.points:
            count *= len(axis)
        if len(inputs) != len(table.points):
            text = (
                f"the function has {len(inputs)} independent variables, but its table has "
                f"{len(table.points)} axes. Give one independent variable for each axis"
            )
            raise Unfit(function.line, text)
        if len(table.values) != count:
            text = (
                f"the table has {len(table.values)} values, but its breakpoints need {count} values. Give "
                "one value for each combination of breakpoints"
            )
            raise Unfit(table.element.line, text)
        self._check_units(output, table.unit)
        for element, unit in zip(inputs, table.units, strict=True):
            self._check_units(element, unit)
        return _named_table(function, self._name(output), [(e, self._name(e)) for e in inputs], table)

    def _name(self, element: Element) -> str:
        name = element.required_text("varID")
        if name not in self.variables:
            raise Unfit(
                element.line, f"varID '{name}' is not a variable of this file; {near(name, self.variables)}"
            )
        return name

    def _check_units(self, element: Element, unit: str | None) -> None:
        own = self.variables[self._name(element)].attributes.get("units", "")
        if unit is not None and unit.strip() != own.strip():
            name = element.attributes["varID"].strip()
            raise Unfit(
                element.line,
                f"the variable '{name}' is in '{own}', but its points are in '{unit}'. Use one unit",
            )

    def _definition(self, definition: Element) -> _Table:
        check_known(definition)
        found = definition.all("griddedTableRef", "griddedTableDef", "griddedTable")
        if len(found) != 1:
            raise Unfit(definition.line, "<functionDefn> needs exactly one gridded table or table reference")
        element = found[0]
        if element.tag == "griddedTableRef":
            element = referred_element(element, "gtID", self.tables)
        check_known(element)
        references = element.one("breakpointRefs")
        check_known(references)
        points, units = [], []
        for reference in references.all("bpRef"):
            check_known(reference)
            axis = referred_element(reference, "bpID", self.breakpoints)
            check_known(axis)
            points.append(numbers(axis.one("bpVals")))
            units.append(axis.attributes.get("units"))
        data = element.one("dataTable")
        return _Table(points, units, numbers(data), element.attributes.get("units"), data)


def _unit(element: Element) -> str:
    return element.attributes.get("units", "").strip()


def _named_table(function: Element, name: str, inputs: list[tuple[Element, str]], table: _Table) -> Table:
    """The table of a function. Raises Unfit for unsupported properties."""
    kinds: dict[Literal["linear", "cubic"], None] = {}
    axes: list[Axis] = []
    for (element, variable), points in zip(inputs, table.points, strict=True):
        kind = element.attributes.get("interpolate", "linear")
        if kind not in _INTERPOLATION:
            raise Unfit(element.line, f"interpolate '{kind}' is not supported. Use linear or cubicSpline")
        kinds[_INTERPOLATION[kind]] = None
        beyond = element.attributes.get("extrapolate", "neither")
        if beyond not in _OUTSIDE:
            raise Unfit(
                element.line, f"extrapolate '{beyond}' is not supported. Use neither, min, max or both"
            )
        low, high = _ends(element, points, *_OUTSIDE[beyond])
        axes.append(Axis(variable, points, low, high, beyond != "neither"))
    if len(kinds) > 1:
        raise Unfit(
            function.line,
            "the table mixes linear and cubicSpline variables. Use one interpolation for all variables",
        )
    return Table(name, tuple(axes), table.values, next(iter(kinds)), table.element.line)


def _ends(
    element: Element, points: list[float], below: bool, above: bool
) -> tuple[float | None, float | None]:
    """Return the bounds of the input of a table: the given bounds if they have an effect, and the end without
    extrapolation if the other end extrapolates."""
    low, high = optional(element, "min"), optional(element, "max")
    if below or above:
        low = low if below else max(points[0], points[0] if low is None else low)
        high = high if above else min(points[-1], points[-1] if high is None else high)
        return low, high
    return (
        low if low is not None and low > points[0] else None,
        high if high is not None and high < points[-1] else None,
    )


def _limit(text: str, low: float | None, high: float | None) -> str:
    """Return the formula within bounds."""
    if low is not None:
        text = f"max({text}, {low!r})"
    return text if high is None else f"min({text}, {high!r})"


def _free_name(name: str, known: frozenset[str]) -> str:
    while name in known:
        name += "_"
    return name
