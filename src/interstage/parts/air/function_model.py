"""Function models: tables and formulas between named inputs and outputs, for example for the aerodynamics or
the mass properties of a vehicle. A function model is written in a scenario, or read from a DAVE-ML file
(ANSI/AIAA S-119-2011).

All values are in the units of the function model. `prepare` prepares the tables once per flight. `evaluate`
computes the outputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, NamedTuple

import numpy as np
from pydantic import model_validator

from ...maths.arrays import jnp
from ...tree import formula
from ...tree.declaration import ByName, Declaration
from ...tree.errors import BadInput, InterstageError, Refused
from ...tree.names import Name
from ...tree.sentences import count_text
from ...tree.similar_names import near
from ...tree.units import si
from .coefficient_table import CoefficientTable

UNKNOWN = "is not an input, constant, table or formula of the model"


class Bounded(Declaration):
    """A number with optional bounds."""

    min: Annotated[Any, si("1")] | None = None
    """The lower bound, in the unit of the value. Smaller values are replaced by this bound."""
    max: Annotated[Any, si("1")] | None = None
    """The upper bound, in the unit of the value. Larger values are replaced by this bound."""

    @model_validator(mode="after")
    def _check_bounds(self) -> Bounded:
        low, high = self.min, self.max
        if isinstance(low, np.ndarray) and isinstance(high, np.ndarray) and not (low <= high).all():
            raise Refused(("max", "'max' is below min. Exchange the two values, or correct one of them"))
        return self


class Input(Bounded):
    """An input value of a function model."""

    name: Name
    """The name of the input in formulas and tables."""
    unit: str = ""
    """The unit of the input, in the notation of the file."""
    default: Annotated[Any, si("1")] | None = None
    """The value of an input without a variable, in the unit of the input. Default: the input requires a
    variable."""


class Constant(Bounded):
    """A named constant of a function model."""

    name: Name
    """The name of the constant in formulas and tables."""
    value: Annotated[Any, si("1")]
    """The value, in the unit of the constant."""
    unit: str = ""
    """The unit of the constant, in the notation of the file."""


class Limit(Bounded):
    """The bounds of one input of a table. The bounds can be inside or outside of the range of the axis."""

    name: Name
    """The name of the input."""


class NamedTable(Declaration):
    """A table whose value is available to formulas and other tables."""

    name: Name
    """The name of the value."""
    inputs: tuple[str, ...] = ()
    """The names of the inputs, one for each axis in order. Default: the variables of the axes."""
    table: CoefficientTable
    """The table. The axes of the table are in the units of the inputs. Points with an explicit unit are
    stored in SI units. The input must then be in SI units."""
    limits: Annotated[tuple[Limit, ...], ByName()] = ()
    """The bounds of its inputs, in addition to the bounds of its axes."""


class Formula(Declaration):
    """A formula that computes a number from inputs, constants, tables or other formulas. Example:
    ``where(staged > 0, a * x, sqrt(x^2 + y^2))``. See `tree.formula`.
    """

    name: Name
    """The name of the value."""
    text: str
    """The text of the formula."""


class ModelOutput(Declaration):
    """An output value of a function model."""

    name: Name
    """The name of the input, constant, table or formula that is the output."""
    unit: str = ""
    """The unit of the output, in the notation of the file."""


class FunctionModel(Declaration):
    """Tables and formulas between named inputs and outputs, in the scenario or from a DAVE-ML file."""

    file: str | None = None
    """The path of a DAVE-ML file, in place of all other fields. The contents of the file are stored in the
    other fields, so that a saved scenario is complete."""
    inputs: Annotated[tuple[Input, ...], ByName(short="unit")] = ()
    """The inputs of the model."""
    constants: Annotated[tuple[Constant, ...], ByName(short="value")] = ()
    """The constants of the model."""
    tables: Annotated[tuple[NamedTable, ...], ByName()] = ()
    """The tables of the model."""
    formulas: Annotated[tuple[Formula, ...], ByName(short="text")] = ()
    """The formulas of the model, in any order."""
    outputs: Annotated[tuple[ModelOutput, ...], ByName(short="unit")] = ()
    """The outputs of the model."""
    notes: tuple[str, ...] = ()
    """Notes on contents of the file that were skipped."""

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any) -> Any:
        if not isinstance(data, dict) or not isinstance(data.get("file"), str):
            return data
        more = sorted(key for key in data if key != "file" and data[key] not in ((), None, {}, []))
        if more:
            raise Refused(
                (
                    "file",
                    f"'file' cannot be combined with {', '.join(more)}. Keep 'file', or remove "
                    "'file' and keep the other keys",
                )
            )
        from . import daveml_model

        try:
            return daveml_model.parts(data["file"])
        except BadInput as error:
            place = f"{data['file']}: "
            raise Refused(*(("file", f"{place}{problem}") for problem in error.problems)) from None

    @model_validator(mode="after")
    def _check(self) -> FunctionModel:
        _check_names(self)
        _check_tables(self)
        known = set(_check_outputs(self))
        for i, output in enumerate(self.outputs):
            if output.name not in known:
                raise Refused((f"outputs.{i}", f"'{output.name}' {UNKNOWN}; {near(output.name, known)}"))
        order(self)
        return self


def _check_outputs(model: FunctionModel) -> list[str]:
    return [part.name for part in (*model.inputs, *model.constants, *model.tables, *model.formulas)]


def _check_names(model: FunctionModel) -> None:
    seen: set[str] = set()
    for field in ("inputs", "constants", "tables", "formulas"):
        for i, part in enumerate(getattr(model, field)):
            if part.name in seen:
                text = f"the name '{part.name}' is used twice. Rename one of the two"
                raise Refused((f"{field}.{i}.name", text))
            seen.add(part.name)
    given = [output.name for output in model.outputs]
    for i, name in enumerate(given):
        if name in given[:i]:
            raise Refused((f"outputs.{i}.name", f"the output '{name}' is listed twice. Keep the name once"))


def _check_tables(model: FunctionModel) -> None:
    for i, table in enumerate(model.tables):
        inputs, axes = looked_up_by(table), table.table.axes
        if len(inputs) != len(axes):
            raise Refused(
                (
                    f"tables.{i}.inputs",
                    f"'inputs' has {count_text(len(inputs), 'inputs')}, but the table has "
                    f"{count_text(len(axes), 'axes')}. Give one input for each axis",
                )
            )
        for k, limit in enumerate(table.limits):
            if limit.name not in inputs:
                where = f"tables.{i}.limits.{k}.name"
                raise Refused(
                    (where, f"'{limit.name}' is not an input of the table; {near(limit.name, inputs)}")
                )


def looked_up_by(table: NamedTable) -> tuple[str, ...]:
    """Return the names of the inputs of a table, one name for each axis."""
    return table.inputs or tuple(axis.variable for axis in table.table.axes)


def needs(model: FunctionModel) -> dict[str, tuple[str, ...]]:
    """Return the names of the inputs of each table and formula, by name of the table or formula.

    Raises Refused for an invalid formula and for an unknown name.
    """
    known = set(_check_outputs(model))
    found: dict[str, tuple[str, ...]] = {}
    for field, parts in (("tables", model.tables), ("formulas", model.formulas)):
        for i, part in enumerate(parts):
            place = f"{field}.{i}.{'inputs' if field == 'tables' else 'text'}"
            names = looked_up_by(part) if isinstance(part, NamedTable) else _variables(part, place)
            for name in names:
                if name not in known:
                    raise Refused((place, f"'{name}' {UNKNOWN}; {near(name, known)}"))
            found[part.name] = names
    return found


def _variables(part: Formula, place: str) -> tuple[str, ...]:
    try:
        return formula.variables(formula.parse(part.text))
    except formula.FormulaError as error:
        raise Refused((place, str(error))) from None


def order(model: FunctionModel) -> tuple[str, ...]:
    """Return the names of the tables and formulas in the order of evaluation. Raises Refused for a circular
    dependency.
    """
    waiting = needs(model)
    done: dict[str, None] = {}
    while waiting:
        ready = [name for name, names in waiting.items() if not any(n in waiting for n in names)]
        if not ready:
            raise Refused(
                (
                    "formulas",
                    f"'formulas' has a circular dependency: {' -> '.join(_circle(waiting))}. Remove one of "
                    "these dependencies",
                )
            )
        for name in ready:
            done[name] = None
            del waiting[name]
    return tuple(done)


def _circle(waiting: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return one cycle among values that each depend on another value."""
    way = [next(iter(waiting))]
    while True:
        following = next(name for name in waiting[way[-1]] if name in waiting)
        if following in way:
            return [*way[way.index(following) :], following]
        way.append(following)


# --- evaluation ---------------------------------------------------------------------------------------------


class Ready(NamedTuple):
    """A prepared function model: the declaration `model`, and its prepared `tables` by name."""

    model: FunctionModel
    tables: dict[str, Any]


def prepare(model: FunctionModel, numbers: Mapping[str, Any] | None = None) -> Ready:
    """Return a function model with prepared tables.

    - model: the function model. The arrays of the result can be JAX tracers and can have case axes.
    - numbers: spline coefficients of the tables by name. Default: computed by `coefficient_table.numbers_of`.
    """
    from . import coefficient_table

    known = numbers or {}
    return Ready(model, {t.name: coefficient_table.prepare(t.table, known.get(t.name)) for t in model.tables})


def evaluate(ready: Ready, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the outputs (..., *cases) by name.

    inputs: the inputs (..., *cases) by name. Unknown names are ignored. Inputs and outputs are in the units
    of the function model.

    An output that depends on no input has the shape of the declared values. Raises InterstageError if an
    input without default is missing.
    """
    found = values(ready, inputs)
    return {output.name: found[output.name] for output in ready.model.outputs}


def values(ready: Ready, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return all inputs, constants, table values and formula values by name. For the shapes, see
    `evaluate`.
    """
    from ...maths.grid_interpolation import lane_free
    from . import coefficient_table

    model = ready.model
    found = {constant.name: _limit(lane_free(constant.value), constant) for constant in model.constants}
    found |= {part.name: _limit(_input_value(part, inputs), part) for part in model.inputs}
    tables = {table.name: table for table in model.tables}
    texts = {part.name: part.text for part in model.formulas}
    for name in order(model):
        if name in texts:
            found[name] = jnp.asarray(formula.evaluate(formula.parse(texts[name]), found), float)
        else:
            found[name] = coefficient_table.look_up(ready.tables[name], _where(tables[name], found))
    return found


def _input_value(part: Input, inputs: Mapping[str, Any]) -> Any:
    value = inputs.get(part.name)
    if value is not None:
        return value
    if part.default is None:
        unit = f" [{part.unit}]" if part.unit else ""
        raise InterstageError(
            f"the input '{part.name}'{unit} of the function model has no value. Pass a value for this input"
        )
    from ...maths.grid_interpolation import lane_free

    return lane_free(part.default)


def _limit(value: Any, bounds: Bounded | None) -> Any:
    """Return the value limited to its bounds. At a bound it keeps its slope."""
    from ...maths.grid_interpolation import lane_free

    value = jnp.asarray(value, float)
    if bounds is not None and bounds.min is not None:
        value = jnp.where(value < lane_free(bounds.min), lane_free(bounds.min), value)
    if bounds is not None and bounds.max is not None:
        value = jnp.where(value > lane_free(bounds.max), lane_free(bounds.max), value)
    return value


def _where(table: NamedTable, found: Mapping[str, Any], limited: bool = True) -> dict[str, Any]:
    """Return the inputs of the table, by the names of its axes."""
    limits = {limit.name: limit for limit in table.limits} if limited else {}
    names = zip(table.table.axes, looked_up_by(table), strict=True)
    return {axis.variable: _limit(found[name], limits.get(name)) for axis, name in names}


def distances_beyond(ready: Ready, inputs: Mapping[str, Any]) -> dict[tuple[str, str], Any]:
    """Return the signed distance (..., *cases) of each input beyond its range, by (table, input).

    The distance is in the unit of the input. The distance is positive above the range, negative below the
    range, and zero inside. The range of a table input ends at the last point of the axis or at a bound in
    `limits`, whichever is reached first. For the bounds of an input of the function model, the table name is
    empty.
    """
    from . import coefficient_table

    found = values(ready, inputs)
    beyond = {
        ("", p.name): _beyond(jnp.asarray(_input_value(p, inputs), float), [p]) for p in ready.model.inputs
    }
    beyond = {key: distance for key, distance in beyond.items() if distance is not None}
    for table in ready.model.tables:
        by_axis = coefficient_table.distances_beyond(
            ready.tables[table.name], _where(table, found, limited=False)
        )
        for axis, name in zip(table.table.axes, looked_up_by(table), strict=True):
            further = _beyond(found[name], (limit for limit in table.limits if limit.name == name))
            here = by_axis.get(axis.variable)
            pair = [distance for distance in (here, further) if distance is not None]
            if pair:
                beyond[table.name, name] = pair[0] if len(pair) == 1 else _further(*pair)
    return beyond


def features(ready: Ready, inputs: Mapping[str, Any]) -> dict[tuple[str, str], Any]:
    """Return the interval between table points that contains each input of a table, by (table, variable).

    inputs: the inputs (..., *cases) by name. See `coefficient_table.features`.
    """
    from . import coefficient_table

    found = values(ready, inputs)
    return {
        (table.name, name): feature
        for table in ready.model.tables
        for name, feature in coefficient_table.features(
            ready.tables[table.name], _where(table, found)
        ).items()
    }


def places(ready: Ready, inputs: Mapping[str, Any]) -> dict[tuple[str, str], Any]:
    """Return the location of each table input among the kinks of its table, by (table, variable).

    inputs: the inputs (..., *cases) by name. See `coefficient_table.places`.
    """
    from . import coefficient_table

    found = values(ready, inputs)
    return {
        (table.name, name): place
        for table in ready.model.tables
        for name, place in coefficient_table.places(ready.tables[table.name], _where(table, found)).items()
    }


def _beyond(value: Any, bounds: Iterable[Bounded]) -> Any:
    """Return the signed distance beyond bounds; None without bounds."""
    from ...maths.grid_interpolation import lane_free

    distance = None
    for bound in bounds:
        for end, sign in ((bound.min, -1), (bound.max, 1)):
            if end is not None:
                past = value - lane_free(end)
                more = jnp.where(sign * past > 0, past, 0.0)
                distance = more if distance is None else distance + more
    return distance


def _further(a: Any, b: Any) -> Any:
    return jnp.where(abs(a) >= abs(b), a, b)


def units(model: FunctionModel) -> dict[str, str]:
    """Return the units of the inputs, constants and outputs by name, in the notation of the DAVE-ML file."""
    return {part.name: part.unit for part in (*model.inputs, *model.constants, *model.outputs)}
