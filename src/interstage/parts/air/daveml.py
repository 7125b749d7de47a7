"""DAVE-ML 2.0 files (ANSI/AIAA S-119-2011) as function models. The files are read before a flight.

Source: reference manual of DAVE-ML, version 2.0 (daveml.org).

- A variable has one origin: an input, a value, a calculation or a function. minValue and maxValue limit it.
- The last breakpoints vary fastest in a table.
- A table keeps its end value beyond its ends, except if it extrapolates.
- min and max of an independentVarRef also limit the input of the table.
- In a piecewise calculation the first piece with a true condition applies.

Unsupported elements are rejected with their line: ungridded tables, discrete and quadratic interpolation,
MathML beyond `model.mathml`. Uncertainties are skipped with a note, and the nominal values are used.
Documentation and check cases are ignored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ...tree import names
from ...tree.errors import BadInput, Problem, near
from ...tree.formula import in_backquotes
from .coefficient_table import Axis, CoefficientTable
from .daveml_elements import INPUTS, SKIPPED, check_known, numbers, optional, referred_element
from .function_model import Constant, Formula, FunctionModel, Input, Limit, ModelOutput, NamedTable
from .mathml import formula_of
from .xml_file import Element, Unfit, read

_INTERPOLATION = {"linear": "linear", "cubicSpline": "cubic"}
_OUTSIDE = {"neither": (False, False), "min": (True, False), "max": (False, True), "both": (True, True)}
"""Whether a table extrapolates below its first and above its last point."""


def read_model(path: str | Path) -> FunctionModel:
    """Return the function model of a file. Raises `BadInput` with all problems and their lines."""
    found = parts(path)
    try:
        return FunctionModel(**found)
    except BadInput as error:
        raise BadInput(error.problems, str(path)) from None


def parts(path: str | Path) -> dict[str, Any]:
    """Return the fields of the function model of a file; see `read_model`."""
    return _File(path).parts()


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
            text = (
                f"<{root.tag}> is not a DAVE-ML model. Give a file of functions, which begins with <DAVEfunc>"
            )
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

    def _done(self) -> None:
        if self.problems:
            raise BadInput(sorted(self.problems, key=lambda p: p.line or 0), self.source)

    def _by_id(self, tag: str, attribute: str) -> dict[str, Element]:
        found: dict[str, Element] = {}
        elements = self.root.all(tag)
        if tag == "griddedTableDef":  # definitions inside a function can be used by other functions
            definitions = [d for f in self.root.all("function") for d in f.all("functionDefn")]
            elements += [t for d in definitions for t in d.all(tag) if "gtID" in t.attributes]
        for element in elements:
            name = self._try(element.required_text, attribute)
            if name in found:
                text = f"{attribute} '{name}' is defined twice, first in line {found[name].line}"
                self.problems.append(Problem("", text, element.line))
            elif name is not None:
                found[name] = element
        return found

    # --- the model

    def parts(self) -> dict[str, Any]:
        for element in (*self.breakpoints.values(), *self.tables.values()):
            self._try(check_known, element)
        tables: dict[str, NamedTable] = {}
        for function in self.root.all("function"):
            table = self._try(self._function, function)
            if table is not None and table.name in tables:
                text = f"a second function gives '{table.name}'; a variable has one origin"
                self.problems.append(Problem("", text, function.line))
            elif table is not None:
                tables[table.name] = table
        made: dict[type, list[Any]] = {Input: [], Constant: [], NamedTable: [], Formula: []}
        for name, element in self.variables.items():
            for part in self._try(self._variable, name, element, tables.get(name)) or ():
                made[type(part)].append(part)
        self._done()
        fields = {"inputs": Input, "constants": Constant, "tables": NamedTable, "formulas": Formula}
        found: dict[str, Any] = {field: tuple(made[kind]) for field, kind in fields.items()}
        return found | {"outputs": self._outputs(found), "notes": tuple(self._notes())}

    def _notes(self) -> Iterator[str]:
        """Return notes on skipped content that a user could expect in the flight."""
        lines = [element.line for element in self.root.every(SKIPPED)]
        if lines:
            many = f"{len(lines)} <{SKIPPED}> element{'s' if len(lines) > 1 else ''}"
            text = f"{many} skipped (the first in line {lines[0]}); the nominal values are used"
            yield f"{self.source}: {text}"

    def _variable(self, name: str, element: Element, table: NamedTable | None) -> tuple[Any, ...]:
        """Return the parts of the model from one variable."""
        check_known(element)
        if not re.fullmatch(names.PATTERN, name):
            text = f"varID '{name}' is not a valid name. Use at most 64 letters, digits, _ and -"
            raise Unfit(element.line, f"{text}, beginning with a letter")
        value, low, high = (optional(element, key) for key in ("initialValue", "minValue", "maxValue"))
        bounds, unit = {"min": low, "max": high}, element.attributes.get("units", "").strip()
        calculations = element.all("calculation")
        marks = element.all(*INPUTS)
        origins = [*marks[:1], *calculations, *([element] if table else [])]
        if len(origins) > 1:
            raise Unfit(element.line, f"'{name}' has more than one origin: input, calculation or function")
        if marks or (element.all("isState") and not origins) or (value is None and not origins):
            return (Input(name=name, unit=unit, default=value, **bounds),)
        if value is not None and not origins:
            if (low is not None and value < low) or (high is not None and value > high):
                raise Unfit(element.line, f"initialValue of '{name}' is beyond its minValue or maxValue")
            return (Constant(name=name, value=value, unit=unit, **bounds),)
        limited = low is not None or high is not None
        if table is None:
            text = formula_of(calculations[0], self.known)
            return (Formula(name=name, text=_limit(text, low, high)),)
        if not limited:
            return (table,)
        inner = _free_name(f"{name}_unlimited", self.known)
        raw = table.model_copy(update={"name": inner})
        return (raw, Formula(name=name, text=_limit(in_backquotes(inner), low, high)))

    def _outputs(self, found: dict[str, Any]) -> tuple[ModelOutput, ...]:
        """Return the values that are marked as output. Without marks, return the computed values that no
        other value uses."""
        marked = [n for n, e in self.variables.items() if e.all("isOutput", "isStateDeriv")]
        if not marked:
            from .function_model import needs

            used = {n for of in needs(FunctionModel(**found)).values() for n in of}
            made = [part.name for part in (*found["tables"], *found["formulas"])] or list(self.variables)
            marked = [name for name in made if name not in used]
        units = {name: e.attributes.get("units", "").strip() for name, e in self.variables.items()}
        return tuple(ModelOutput(name=name, unit=units[name]) for name in marked)

    # --- functions

    def _function(self, function: Element) -> NamedTable:
        check_known(function)
        if function.all("independentVarPts"):
            inputs, output = function.all("independentVarPts"), function.one("dependentVarPts")
            points = [numbers(e) for e in inputs]
            units = [e.attributes.get("units") for e in inputs]
            table = _Table(points, units, numbers(output), output.attributes.get("units"), output)
            mixed = function.all("independentVarRef", "dependentVarRef", "functionDefn")
            if mixed:
                raise Unfit(
                    mixed[0].line, f"<{mixed[0].tag}> and points are both given. Use one form of a function"
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
            text = f"the function has {len(inputs)} independent variables, its table {len(table.points)} axes"
            raise Unfit(function.line, text)
        if len(table.values) != count:
            text = f"the table has {len(table.values)} values; its breakpoints need {count}"
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
            raise Unfit(element.line, f"'{name}' is in '{own}', its points in '{unit}'. Use one unit")

    def _definition(self, definition: Element) -> _Table:
        check_known(definition)
        found = definition.all("griddedTableRef", "griddedTableDef", "griddedTable")
        if len(found) != 1:
            raise Unfit(definition.line, "<functionDefn> needs one gridded table, or a reference to one")
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


def _named_table(
    function: Element, name: str, inputs: list[tuple[Element, str]], table: _Table
) -> NamedTable:
    """Return the table of a function. Raises Unfit for unsupported properties."""
    kinds, axes, limits = {}, [], []
    for (element, variable), points in zip(inputs, table.points, strict=True):
        kind = element.attributes.get("interpolate", "linear")
        if kind not in _INTERPOLATION:
            raise Unfit(element.line, f"interpolate '{kind}' is not supported. Use linear or cubicSpline")
        kinds[_INTERPOLATION[kind]] = None
        beyond = element.attributes.get("extrapolate", "neither")
        if beyond not in _OUTSIDE:
            raise Unfit(element.line, f"extrapolate is '{beyond}'. Use neither, min, max or both")
        low, high = _ends(element, points, *_OUTSIDE[beyond])
        outside = "hold" if beyond == "neither" else "extrapolate"
        axes.append({"variable": variable, "points": points, "outside": outside})
        if low is not None or high is not None:
            limits.append(Limit(name=variable, min=low, max=high))
    if len(kinds) > 1:
        raise Unfit(function.line, "a table with linear and with cubicSpline variables is not supported")
    try:
        read = CoefficientTable(
            axes=tuple(Axis(**axis) for axis in axes), values=table.values, interpolation=next(iter(kinds))
        )
    except BadInput as error:
        raise Unfit(table.element.line, "; ".join(map(str, error.problems))) from None
    return NamedTable(name=name, inputs=tuple(v for _, v in inputs), table=read, limits=tuple(limits))


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
