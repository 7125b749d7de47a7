"""Convert the contents of DAVE-ML files to function models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...exchange import daveml
from ...tree.errors import BadInput, Problem
from .coefficient_table import Axis, CoefficientTable
from .function_model import Constant, Formula, FunctionModel, Input, Limit, ModelOutput, NamedTable, needs


def read_model(path: str | Path) -> FunctionModel:
    """Return the function model of a DAVE-ML file. Raises `BadInput` with all problems and their lines."""
    found = parts(path)
    try:
        return FunctionModel(**found)
    except BadInput as error:
        raise BadInput(error.problems, str(path)) from None


def parts(path: str | Path) -> dict[str, Any]:
    """Return the fields of the `FunctionModel` of a DAVE-ML file. Raises `BadInput` with all problems and
    their lines.
    """
    file = daveml.read_contents(path)
    problems, tables = [*file.problems], []
    for table in file.tables:
        try:
            tables.append(_table(table))
        except BadInput as error:
            problems.append(Problem("", "; ".join(map(str, error.problems)), table.line))
    if problems:
        raise BadInput(sorted(problems, key=lambda p: p.line or 0), str(path))
    found: dict[str, Any] = {
        "inputs": tuple(
            Input(name=v.name, unit=v.unit, default=v.value, min=v.low, max=v.high) for v in file.inputs
        ),
        "constants": tuple(
            Constant(name=v.name, unit=v.unit, value=v.value, min=v.low, max=v.high) for v in file.constants
        ),
        "tables": tuple(tables),
        "formulas": tuple(Formula(name=one.name, text=one.text) for one in file.formulas),
    }
    return found | {"outputs": _outputs(file, found), "notes": file.notes}


def _table(table: daveml.Table) -> NamedTable:
    """The declaration of a table. Raises `BadInput`."""
    axes = (
        Axis(variable=a.variable, points=a.points, outside="extrapolate" if a.extrapolates else "hold")
        for a in table.axes
    )
    bounded = (a for a in table.axes if a.low is not None or a.high is not None)
    return NamedTable(
        name=table.name,
        inputs=tuple(axis.variable for axis in table.axes),
        table=CoefficientTable(axes=tuple(axes), values=table.values, interpolation=table.interpolation),
        limits=tuple(Limit(name=a.variable, min=a.low, max=a.high) for a in bounded),
    )


def _outputs(file: daveml.Contents, found: dict[str, Any]) -> tuple[ModelOutput, ...]:
    """Values marked as output; without marks, the computed values that no other value uses."""
    marked = [*file.outputs]
    if not marked:
        used = {n for of in needs(FunctionModel(**found)).values() for n in of}
        made = [part.name for part in (*found["tables"], *found["formulas"])] or list(file.units)
        marked = [name for name in made if name not in used]
    return tuple(ModelOutput(name=name, unit=file.units[name]) for name in marked)
