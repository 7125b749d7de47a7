"""Coefficients as functions of any variables: a number, or a table on a grid of, for example, Mach number,
angles, altitude or deflections.

`prepare` prepares a coefficient once. `look_up` evaluates the coefficient. This module knows only the names
of variables; the caller supplies the values.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import BeforeValidator, ValidationInfo, WithJsonSchema, model_validator

from ...exchange import coefficient_csv
from ...maths.arrays import jnp
from ...tree.bare_angles import mark, note
from ...tree.declaration import Declaration, OneOf
from ...tree.errors import Refused
from ...tree.sentences import count_text
from ...tree.unit_names import base_unit, parse_unit
from ...tree.units import UnitError, as_floats, magnitude, parse_quantity, si

WRAPPED = ("alpha", "aerodynamic_roll")
"""The variables that repeat after a full revolution."""
MOST_AXES = 6
"""The maximum number of axes of a table. A smooth look-up reads 4^n numbers for n axes, which is 4096 for six
axes.
"""

_POINTS_SCHEMA = {
    "anyOf": [
        {"type": "array", "items": {"type": ["number", "string"]}, "minItems": 2},
        {"type": "string", "examples": ["[-10, 0, 10] deg"]},
    ]
}


class Axis(Declaration):
    """One variable of a table with its grid points."""

    variable: str
    """The variable, for example mach, alpha, beta, altitude, reynolds or controls.elevator."""
    points: Annotated[Any, si("1", ("n",)), WithJsonSchema(_POINTS_SCHEMA)]
    """The grid points in increasing order [SI unit of the variable, or `unit`]: a list, or a text with a
    unit."""
    unit: str | None = None
    """The unit of numbers without a unit in `points`, like "deg". Points are stored in SI units. After this
    conversion, the field contains their SI unit."""
    outside: Literal["refuse", "hold", "extrapolate"] = "refuse"
    """The behaviour beyond the ends of the axis. "refuse": the flight ends. "hold": the value at the end
    applies. "extrapolate": linear extrapolation with the slope at the end. The results record each use of
    "hold" and "extrapolate"."""

    @model_validator(mode="wrap")
    @classmethod
    def _in_si(cls, data: Any, handler: Any) -> Any:
        if not isinstance(data, dict) or data.get("points") is None:
            return handler(data)
        unit = data.get("unit")
        try:
            points, found = _in_si(data["points"], unit if isinstance(unit, str) else None)
        except UnitError as error:
            raise Refused(("points", str(error))) from None
        axis = handler({**data, "points": points, "unit": found if found is not None else unit})
        if found is None and isinstance(axis.points, np.ndarray):
            note(axis.points, data["points"])
        return axis

    @model_validator(mode="after")
    def _check(self) -> Axis:
        if not self.variable.strip():
            raise Refused(
                (
                    "variable",
                    "'variable' is empty. Name the variable of the axis, for example mach or alpha",
                )
            )
        if not isinstance(self.points, np.ndarray):
            return self
        n, unit = len(self.points), f" {self.unit}" if self.unit not in (None, "1") else ""
        if n < 2:
            raise Refused(
                (
                    "points",
                    f"'points' has {count_text(n, 'points')}. Give at least 2 points, or remove the axis",
                )
            )
        wrong = ~(np.diff(self.points, axis=0).reshape(n - 1, -1) > 0).all(1)
        if wrong.any():
            k = int(np.argmax(wrong))
            low, high = (float(np.ravel(self.points[j])[0]) for j in (k, k + 1))
            remedy = "Sort the points together with the values, and remove duplicates"
            text = f"the points do not increase: {high:g}{unit} follows {low:g}{unit}. {remedy}"
            raise Refused(("points", text))
        return self


def _in_si(points: Any, unit: str | None) -> tuple[Any, str | None]:
    """Return the points in SI, and their SI unit or None. Raises `UnitError`."""
    factor, named = (1.0, None) if unit is None else _factor(unit)
    if isinstance(points, str):
        points, own = parse_quantity(points)
        return points, _common_unit([named, own])
    if isinstance(points, (list, tuple)):
        read = [parse_quantity(p) if isinstance(p, str) else (p, named) for p in points]
        texts = [isinstance(p, str) for p in points]
        bare = [p if text else magnitude(p, "1") for (p, _), text in zip(read, texts, strict=True)]
        scaled = [p if text else _times(p, factor) for p, text in zip(bare, texts, strict=True)]
        return scaled, _common_unit([named, *(own for _, own in read)])
    if isinstance(points, np.ndarray):
        points = as_floats(points)
    elif not hasattr(points, "shape"):
        points = magnitude(points, "1", ("n",))
    return _times(points, factor), named


def _factor(unit: str) -> tuple[float, str]:
    factor, dimension = parse_unit(unit)
    return factor, base_unit(dimension)


def _times(points: Any, factor: float) -> Any:
    return [_times(p, factor) for p in points] if isinstance(points, list) else points * factor


def _common_unit(units: list[str | None]) -> str | None:
    """Return the common unit of the points. Raises `UnitError` if there are two."""
    named = [u for u in dict.fromkeys(units) if u is not None]
    if len(named) > 1:
        raise UnitError(
            f"the list mixes the units {named[0]} and {named[1]}. Give all points in the same unit"
        )
    return named[0] if named else None


def _as_grid(value: Any, info: ValidationInfo) -> Any:
    """Return the values as an array with the axes of the grid. Raises `UnitError` or `Refused`."""
    axes = info.data.get("axes")
    listed = isinstance(value, (list, tuple, int, float, str))
    if listed:
        value = as_floats(magnitude(value, "1"))
    if not axes or not isinstance(value, np.ndarray):
        return value
    shape = tuple(np.shape(a.points)[0] for a in axes)
    if value.ndim == 1 and len(shape) > 1 and value.size == math.prod(shape):
        value = value.reshape(shape)
    if value.shape[: len(shape)] != shape or value.ndim > len(shape) + (not listed):
        got = f"{' by '.join(map(str, value.shape))} numbers" if value.shape else "one number"
        want = " by ".join(map(str, shape))
        names = ", ".join(a.variable for a in axes)
        raise Refused(
            (
                "",
                f"the table has {got}, but the axes ({names}) have {want} points. Give one number for each "
                "point. The innermost lists belong to the last axis",
            )
        )
    return value


class CoefficientTable(Declaration):
    """A coefficient on a grid of one to six variables, in the scenario or from a CSV file. A file has long
    form, or, for two variables, matrix form; "#" starts a comment:

        mach, alpha [deg], CD            mach \\ alpha [deg], -5, 0, 5
        0.6, -5, 0.021                   0.6, 0.021, 0.018, 0.021
        0.6,  0, 0.018                   0.8, 0.024, 0.020, 0.024

    The file is read when the scenario is loaded. With a file, `axes` can add `outside` and `unit` by
    variable."""

    axes: tuple[Axis, ...]
    """The variables, in the order of the dimensions of `values`."""
    values: Annotated[
        Any,
        si("1"),
        BeforeValidator(_as_grid),
        WithJsonSchema({"type": "array", "items": {"type": ["number", "array"]}}),
    ]
    """The value at each grid point [1]: nested lists, or one list in which the last axis varies fastest."""
    interpolation: Literal["smooth", "cubic", "monotone", "linear"] = "smooth"
    """The interpolation between points. "smooth": a surface with continuous second derivatives that stays
    between the values at the corners of each cell. "cubic": cubic splines (tensor product), which can
    overshoot the corner values. "monotone": monotone cubics. "linear": straight lines. See `look_up`."""
    factor: Annotated[Any, si("1")] = 1.0
    """The factor on the interpolated value, for dispersions."""
    increment: Annotated[Any, si("1")] = 0.0
    """The increment that is added after `factor`, for dispersions."""
    file: str | None = None
    """The path of a CSV file with axes and values. When the file is read, this field becomes empty."""
    column: str | None = None
    """The column of the file that contains the values. Required if the file has several columns of values.
    When the file is read, this field becomes empty."""

    @model_validator(mode="before")
    @classmethod
    def _from_file(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        if isinstance(data.get("file"), str):
            return _read(data)
        if data.get("column") is not None and data.get("file") is None:
            raise Refused(("column", "'column' is set without 'file'. Set 'file', or remove 'column'"))
        return data

    @model_validator(mode="after")
    def _check(self) -> CoefficientTable:
        names = [a.variable for a in self.axes]
        if not 1 <= len(names) <= MOST_AXES:
            more = "For a constant, write one number" if not names else "Split the table into several tables"
            raise Refused(
                (
                    "axes",
                    f"the table has {count_text(len(names), 'axes')}. Give 1 to {MOST_AXES} axes. {more}",
                )
            )
        for k, name in enumerate(names):
            if name in names[:k]:
                text = f"'{name}' is already the variable of another axis. Merge the two axes"
                raise Refused((f"axes.{k}.variable", text))
        return self


def _read(data: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a table, with axes and values from its file."""
    if data.get("values") is not None:
        raise Refused(("values", "'values' and 'file' are both set. Remove one of these keys"))
    column, stated = data.get("column"), _axis_settings(data.get("axes"))
    read = coefficient_csv.read(data["file"], column if isinstance(column, str) else None, tuple(stated))
    axes = []
    for axis in read.axes:
        own = stated.pop(axis.variable, {})
        if axis.unit is not None and own.get("unit") is not None:
            raise Refused(
                ("axes", f"the file already contains the unit of {axis.variable}. Remove the key 'unit'")
            )
        unit = axis.unit if axis.unit is not None else own.get("unit")
        if unit is None and not read.in_si:
            mark(axis.points)
        axes.append({**own, "variable": axis.variable, "points": axis.points, "unit": unit})
    if stated:
        names = ", ".join(axis.variable for axis in read.axes)
        text = f"'{next(iter(stated))}' is not a variable of the file. Variables of the file: {names}"
        raise Refused(("axes", text))
    return {**data, "axes": axes, "values": read.values, "file": None, "column": None}


def _axis_settings(axes: Any) -> dict[str, dict[str, Any]]:
    """Return the settings of `axes` that add to a file, by variable."""
    wrong = (
        'axes must be a list like [{ variable = "mach", outside = "hold" }] if file is set. List each '
        "variable once, without points"
    )
    if axes is None:
        return {}
    fine = isinstance(axes, (list, tuple)) and all(
        isinstance(a, dict) and isinstance(a.get("variable"), str) and a.get("points") is None for a in axes
    )
    stated = {a["variable"]: a for a in axes} if fine else {}
    if not fine or len(stated) < len(axes):
        raise Refused(("axes", wrong))
    return stated


def _number_or_table(value: Any) -> str:
    return "CoefficientTable" if isinstance(value, (dict, Declaration)) else "number"


Coefficient = Annotated[Annotated[Any, si("1")] | CoefficientTable, OneOf(_number_or_table)]
"""Type of a coefficient: a number or a `CoefficientTable`."""


# --- in flight ----------------------------------------------------------------------------------------------


class Ready(NamedTuple):
    """A prepared coefficient.

    - model: the number or the `CoefficientTable`.
    - grid: the grid with spline coefficients; None for a number.
    """

    model: Any
    grid: Any


def variables(coefficient: Any) -> tuple[str, ...]:
    """Return the names of the variables of a coefficient, in the order of its axes. A number has no
    variables.
    """
    model = coefficient.model if isinstance(coefficient, Ready) else coefficient
    return tuple(a.variable for a in model.axes) if isinstance(model, CoefficientTable) else ()


def prepare(coefficient: Any, numbers: Any = None) -> Ready:
    """Return a coefficient, prepared for `look_up`.

    - coefficient: a number or a `CoefficientTable`. The arrays of the result can be JAX tracers and can have
      case axes.
    - numbers: spline coefficients of the table. Default: computed by `numbers_of`.
    """
    from ...maths import grid_interpolation

    if not isinstance(coefficient, CoefficientTable):
        return Ready(coefficient, None)
    numbers = numbers_of(coefficient) if numbers is None else numbers
    return Ready(coefficient, grid_interpolation.grid_of(_points(coefficient), numbers))


def numbers_of(coefficient: Any) -> Any:
    """Return the spline coefficients of a table (coefficient, *points, cases). Return None for a number."""
    from ...maths import grid_interpolation

    if not isinstance(coefficient, CoefficientTable):
        return None
    return grid_interpolation.numbers(_points(coefficient), coefficient.values, coefficient.interpolation)


def _points(table: CoefficientTable) -> tuple[Any, ...]:
    return tuple(axis.points for axis in table.axes)


def look_up(ready: Ready, where: Mapping[str, Any]) -> Any:
    """Return the value of a coefficient (..., *cases).

    - ready: the prepared coefficient. A number is returned unchanged.
    - where: value of each variable by name (..., *cases), in SI units.

    If an axis has outside = "refuse", the result is NaN beyond the ends of this axis. The tolerance at the
    ends is 1e-10 of the length of the axis.

    Kinds of interpolation:

    - smooth: the second derivatives are continuous inside the table. The values stay within the range of the
      corners of each cell. If the cubic spline fulfils the condition of `maths.range_limits`, the result is
      the cubic spline. The limits are applied to the axes in order.
    - cubic: splines with continuous second derivatives. A product of cubic polynomials is reproduced exactly.
    - monotone: PCHIP cubics along one axis after another, beginning with the last axis. The values stay
      within the range of the corners of each cell. Along a grid line, the values are monotone if the points
      are monotone. Along the first axis, the slope is continuous. Along another axis, the slope jumps inside
      a cell if differences along an earlier axis change sign there. The order of the axes affects the result.
    - linear: straight lines with kinks at the points.

    If two variables are extrapolated at once, the result includes the mixed derivative, which keeps slopes
    continuous. A monotone table has no mixed derivative.
    """
    from ...maths import grid_interpolation as grids

    model = ready.model
    if not isinstance(model, CoefficientTable):
        return jnp.asarray(model, float)
    factor, increment = grids.lane_free(model.factor), grids.lane_free(model.increment)
    ts = _places(ready, where, factor, increment)
    pairs = list(zip(model.axes, ready.grid.points, ts, strict=True))
    places = [grids.place(points, t, axis.outside) for axis, points, t in pairs]
    straight = any(axis.outside == "extrapolate" for axis in model.axes)
    value = grids.look_up(ready.grid, places, model.interpolation, straight) * factor + increment
    for axis, points, t in pairs:
        if axis.outside == "refuse":
            value = jnp.where(grids.distance_beyond(points, t) == 0, value, jnp.nan)
    return value


def _places(ready, where, *numbers):
    """Return the values of the variables with one common shape (..., *cases)."""
    ts = [jnp.asarray(where[name], float) for name in variables(ready)]
    sizes = [math.prod(p.shape[0] for p in ready.grid.points)]
    lanes = [p.shape[1:] for p in ready.grid.points] + [n.shape for n in numbers]
    lanes += [(ready.grid.rows.shape[0] // sizes[0],)]
    shape = jnp.broadcast_shapes(*(t.shape for t in ts), *(s for s in lanes if s != (1,)))
    return [jnp.broadcast_to(t, shape) for t in ts]


def distances_beyond(coefficient: Any, where: Mapping[str, Any]) -> dict[str, Any]:
    """Return the signed distance (..., *cases) of each variable beyond the range of its axis, in SI units.

    The distance is negative below the range, positive above the range, and zero inside. The setting `outside`
    does not affect the result.

    - coefficient: a prepared or unprepared coefficient.
    - where: value of each variable by name (..., *cases).
    """
    from ...maths import grid_interpolation as grids

    model = coefficient.model if isinstance(coefficient, Ready) else coefficient
    if not isinstance(model, CoefficientTable):
        return {}
    found = {}
    for axis in model.axes:
        points = jnp.asarray(axis.points, float)
        points = points[:, 0] if points.shape[1:] == (1,) else points
        t = jnp.asarray(where[axis.variable], float)
        t = jnp.broadcast_to(t, jnp.broadcast_shapes(t.shape, points.shape[1:]))
        found[axis.variable] = grids.distance_beyond(points, t)
    return found


def features(ready: Ready, where: Mapping[str, Any]) -> dict[str, Any]:
    """Return the interval between table points that contains each variable, by name of the variable.

    where: value of each variable by name (..., *cases). See `interpolation.interval`.
    """
    from ...maths import interpolation

    model, found = ready.model, {}
    for axis, points in zip(model.axes, ready.grid.points, strict=True) if ready.grid is not None else ():
        period = 2 * math.pi if axis.variable in WRAPPED else np.inf
        found[axis.variable] = interpolation.interval(points, where[axis.variable], period)
    return found


def places(ready: Ready, where: Mapping[str, Any]) -> dict[str, Any]:
    """Return the location of each variable among the kinks of a coefficient, by name of the variable.

    For linear or monotone interpolation, the kinks are the points of an axis. If `outside` is "hold", the
    ends of an axis are kinks for every interpolation. Variables without kinks are omitted.

    where: value of each variable by name (..., *cases). See `interpolation.place`.
    """
    from ...maths import interpolation

    model, found = ready.model, {}
    for axis, points in zip(model.axes, ready.grid.points, strict=True) if ready.grid is not None else ():
        smooth = model.interpolation in ("smooth", "cubic")
        if not smooth or axis.outside == "hold":
            kinks = interpolation.kinks(points, not smooth)
            found[axis.variable] = interpolation.place(kinks, where[axis.variable])
    return found
