"""Function models: tables and formulas between named inputs and outputs, like the aerodynamics or the mass
properties of a vehicle, written in a scenario or read from a DAVE-ML file (ANSI/AIAA S-119-2011).

All numbers are in the model's own units. `prepare` makes the tables ready once per flight, `evaluate` works
the outputs out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, NamedTuple

import numpy as np
from pydantic import model_validator

from ...maths.arrays import jnp
from ...tree.declaration import ByName, Declaration
from ...tree.errors import BadInput, InterstageError, Refused, counted, near
from ...tree.names import Name
from ...tree.units import si
from . import formula
from .coefficient_table import CoefficientTable


class Bounded(Declaration):
    """A value that is kept within bounds."""

    min: Annotated[Any, si("1")] | None = None
    """What lies below is taken as this; own unit."""
    max: Annotated[Any, si("1")] | None = None
    """What lies above is taken as this; own unit."""

    @model_validator(mode="after")
    def _check_bounds(self) -> Bounded:
        low, high = self.min, self.max
        if isinstance(low, np.ndarray) and isinstance(high, np.ndarray) and not (low <= high).all():
            raise Refused(("max", "must not be less than min"))
        return self


class Input(Bounded):
    """A value that the model is given."""

    name: Name
    """Name of the input in formulas and tables."""
    unit: str = ""
    """Its unit, as the file has it."""
    default: Annotated[Any, si("1")] | None = None
    """What it is where nothing is given, own unit. If not set, it must be given."""


class Constant(Bounded):
    """A number by name."""

    name: Name
    """Name of the constant in formulas and tables."""
    value: Annotated[Any, si("1")]
    """The number, own unit."""
    unit: str = ""
    """Its unit, as the file has it."""


class Limit(Bounded):
    """Bounds of one input of a table, within or beyond the points of its axis."""

    name: Name
    """The input."""


class NamedTable(Declaration):
    """A table whose value formulas and other tables can use."""

    name: Name
    """Name of the value."""
    inputs: tuple[str, ...] = ()
    """Names of what it is looked up by, one for each axis in order. Default: the axes' own variables."""
    table: CoefficientTable
    """The table; its axes are in the units of the inputs. Points with a unit of their own are kept in SI, for
    inputs in SI."""
    limits: Annotated[tuple[Limit, ...], ByName()] = ()
    """Bounds that its inputs are kept within, besides those of its axes."""


class Formula(Declaration):
    """A value computed from others, ``where(staged > 0, a * x, sqrt(x^2 + y^2))``; see `model.formula`."""

    name: Name
    """Name of the value."""
    text: str
    """The formula."""


class ModelOutput(Declaration):
    """A value that the model gives."""

    name: Name
    """The input, constant, table or formula that is given out."""
    unit: str = ""
    """Its unit, as the file has it."""


class FunctionModel(Declaration):
    """Tables and formulas between named inputs and outputs, or the DAVE-ML file that holds them."""

    file: str | None = None
    """A DAVE-ML file to be read, in place of everything else. What was read takes its place, so that a
    scenario holds all that it flies."""
    inputs: Annotated[tuple[Input, ...], ByName(short="unit")] = ()
    """What the model is given."""
    constants: Annotated[tuple[Constant, ...], ByName(short="value")] = ()
    """Its numbers."""
    tables: Annotated[tuple[NamedTable, ...], ByName()] = ()
    """Its tables."""
    formulas: Annotated[tuple[Formula, ...], ByName(short="text")] = ()
    """Its formulas, in any order."""
    outputs: Annotated[tuple[ModelOutput, ...], ByName(short="unit")] = ()
    """What it gives."""
    notes: tuple[str, ...] = ()
    """What of the file was skipped."""

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any) -> Any:
        if not isinstance(data, dict) or not isinstance(data.get("file"), str):
            return data
        more = sorted(key for key in data if key != "file" and data[key] not in ((), None, {}, []))
        if more:
            raise Refused(("file", f"stands in place of {', '.join(more)}; give the file or the parts"))
        from . import daveml

        try:
            return daveml.parts(data["file"])
        except BadInput as error:
            place = f"{data['file']}: "
            raise Refused(*(("file", f"{place}{problem}") for problem in error.problems)) from None

    @model_validator(mode="after")
    def _check(self) -> FunctionModel:
        _check_names(self)
        _check_tables(self)
        known = set(_named(self))
        for i, output in enumerate(self.outputs):
            if output.name not in known:
                raise Refused((f"outputs.{i}", f"'{output.name}' is not known; {near(output.name, known)}"))
        order(self)
        return self


def _named(model: FunctionModel) -> list[str]:
    return [part.name for part in (*model.inputs, *model.constants, *model.tables, *model.formulas)]


def _check_names(model: FunctionModel) -> None:
    seen: set[str] = set()
    for field in ("inputs", "constants", "tables", "formulas"):
        for i, part in enumerate(getattr(model, field)):
            if part.name in seen:
                raise Refused((f"{field}.{i}.name", f"there is more than one '{part.name}'"))
            seen.add(part.name)
    given = [output.name for output in model.outputs]
    for i, name in enumerate(given):
        if name in given[:i]:
            raise Refused((f"outputs.{i}.name", f"'{name}' is given out more than once"))


def _check_tables(model: FunctionModel) -> None:
    for i, table in enumerate(model.tables):
        inputs, axes = looked_up_by(table), table.table.axes
        if len(inputs) != len(axes):
            raise Refused(
                (
                    f"tables.{i}.inputs",
                    f"names {counted(len(inputs), 'inputs')}, but the table has {counted(len(axes), 'axes')}",
                )
            )
        for k, limit in enumerate(table.limits):
            if limit.name not in inputs:
                where = f"tables.{i}.limits.{k}.name"
                raise Refused((where, f"'{limit.name}' is no input of the table; {near(limit.name, inputs)}"))


def looked_up_by(table: NamedTable) -> tuple[str, ...]:
    """Names of what a table is looked up by, one for each axis."""
    return table.inputs or tuple(axis.variable for axis in table.table.axes)


def needs(model: FunctionModel) -> dict[str, tuple[str, ...]]:
    """What each table and formula is computed from. Raises Refused for a formula that cannot be read, and
    for names that are not known."""
    known = set(_named(model))
    found: dict[str, tuple[str, ...]] = {}
    for field, parts in (("tables", model.tables), ("formulas", model.formulas)):
        for i, part in enumerate(parts):
            place = f"{field}.{i}.{'inputs' if field == 'tables' else 'text'}"
            names = looked_up_by(part) if isinstance(part, NamedTable) else _variables(part, place)
            for name in names:
                if name not in known:
                    raise Refused((place, f"'{name}' is not known; {near(name, known)}"))
            found[part.name] = names
    return found


def _variables(part: Formula, place: str) -> tuple[str, ...]:
    try:
        return formula.variables(formula.parse(part.text))
    except formula.FormulaError as error:
        raise Refused((place, str(error))) from None


def order(model: FunctionModel) -> tuple[str, ...]:
    """Names of the tables and formulas, each after what it is computed from. Raises Refused for what
    depends on itself."""
    waiting = needs(model)
    done: dict[str, None] = {}
    while waiting:
        ready = [name for name, names in waiting.items() if not any(n in waiting for n in names)]
        if not ready:
            raise Refused(
                ("formulas", f"depends on itself: {' -> '.join(_circle(waiting))}; break the circle")
            )
        for name in ready:
            done[name] = None
            del waiting[name]
    return tuple(done)


def _circle(waiting: Mapping[str, tuple[str, ...]]) -> list[str]:
    """One circle among values each of which waits for another one."""
    way = [next(iter(waiting))]
    while True:
        following = next(name for name in waiting[way[-1]] if name in waiting)
        if following in way:
            return [*way[way.index(following) :], following]
        way.append(following)


# --- evaluation ---------------------------------------------------------------------------------------------


class Ready(NamedTuple):
    """A model prepared by `prepare`: the declaration, and its tables by name."""

    model: FunctionModel
    tables: dict[str, Any]


def prepare(model: FunctionModel, numbers: Mapping[str, Any] | None = None) -> Ready:
    """Make the tables of a model ready. Leaves may be traced, and may have cases. numbers: of the tables, see
    `coefficient_table.numbers_of`, where they are there already."""
    from . import coefficient_table

    known = numbers or {}
    return Ready(model, {t.name: coefficient_table.prepare(t.table, known.get(t.name)) for t in model.tables})


def evaluate(ready: Ready, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The outputs by name for inputs by name (..., *cases), all in the model's own units. An output that
    depends on no input has the shape of its numbers. Names in `inputs` that the model does not have are left
    alone. Raises InterstageError where an input without default is missing."""
    found = values(ready, inputs)
    return {output.name: found[output.name] for output in ready.model.outputs}


def values(ready: Ready, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Everything that the model holds or computes, by name; see `evaluate`."""
    from ...maths.grid_interpolation import lane_free
    from . import coefficient_table

    model = ready.model
    found = {constant.name: _bounded(lane_free(constant.value), constant) for constant in model.constants}
    found |= {part.name: _bounded(_given(part, inputs), part) for part in model.inputs}
    tables = {table.name: table for table in model.tables}
    texts = {part.name: part.text for part in model.formulas}
    for name in order(model):
        if name in texts:
            found[name] = jnp.asarray(formula.evaluate(formula.parse(texts[name]), found), float)
        else:
            found[name] = coefficient_table.look_up(ready.tables[name], _where(tables[name], found))
    return found


def _given(part: Input, inputs: Mapping[str, Any]) -> Any:
    value = inputs.get(part.name)
    if value is not None:
        return value
    if part.default is None:
        unit = f" [{part.unit}]" if part.unit else ""
        raise InterstageError(f"the function model needs its input '{part.name}'{unit}")
    from ...maths.grid_interpolation import lane_free

    return lane_free(part.default)


def _bounded(value: Any, bounds: Bounded | None) -> Any:
    """The value within its bounds, with its slope on them."""
    from ...maths.grid_interpolation import lane_free

    value = jnp.asarray(value, float)
    if bounds is not None and bounds.min is not None:
        value = jnp.where(value < lane_free(bounds.min), lane_free(bounds.min), value)
    if bounds is not None and bounds.max is not None:
        value = jnp.where(value > lane_free(bounds.max), lane_free(bounds.max), value)
    return value


def _where(table: NamedTable, found: Mapping[str, Any], limited: bool = True) -> dict[str, Any]:
    """What the table is looked up by, by the names that its axes have."""
    limits = {limit.name: limit for limit in table.limits} if limited else {}
    names = zip(table.table.axes, looked_up_by(table), strict=True)
    return {axis.variable: _bounded(found[name], limits.get(name)) for axis, name in names}


def left(ready: Ready, inputs: Mapping[str, Any]) -> dict[tuple[str, str], Any]:
    """How far values lie beyond where the model is given (..., *cases), by table and input: positive beyond
    the upper end, negative beyond the lower one, zero within, in the unit of the input. An end is the last
    point of an axis or a bound of the table's `limits`, whichever comes first; bounds of the model's own
    inputs stand under the empty name of no table."""
    from . import coefficient_table

    found = values(ready, inputs)
    beyond = {("", p.name): _beyond(jnp.asarray(_given(p, inputs), float), [p]) for p in ready.model.inputs}
    beyond = {key: distance for key, distance in beyond.items() if distance is not None}
    for table in ready.model.tables:
        by_axis = coefficient_table.left(ready.tables[table.name], _where(table, found, limited=False))
        for axis, name in zip(table.table.axes, looked_up_by(table), strict=True):
            further = _beyond(found[name], (limit for limit in table.limits if limit.name == name))
            here = by_axis.get(axis.variable)
            pair = [distance for distance in (here, further) if distance is not None]
            if pair:
                beyond[table.name, name] = pair[0] if len(pair) == 1 else _further(*pair)
    return beyond


def features(ready: Ready, inputs: Mapping[str, Any]) -> dict[tuple[str, str], Any]:
    """Where values are among the points of the model's tables, by table and input; see
    `coefficient_table.features`."""
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
    """Where values are among the kinks of the model's tables, by table and input; see
    `coefficient_table.places`."""
    from . import coefficient_table

    found = values(ready, inputs)
    return {
        (table.name, name): place
        for table in ready.model.tables
        for name, place in coefficient_table.places(ready.tables[table.name], _where(table, found)).items()
    }


def _beyond(value: Any, bounds: Iterable[Bounded]) -> Any:
    """Signed distance beyond bounds, None where there are none."""
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
    """Units of the inputs, constants and outputs by name, as the file has them."""
    return {part.name: part.unit for part in (*model.inputs, *model.constants, *model.outputs)}
