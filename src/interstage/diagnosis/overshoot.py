"""Warn of tables whose cubic spline exceeds the range of the neighbouring values."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ..maths import curves, grid_interpolation, interpolation
from ..model.motion import AngularTable, LinearTable, TimeTable
from ..tree.addresses import label, marker_of
from ..tree.declaration import Declaration
from ..tree.declaration import parts as parts_of
from ..tree.units import display, with_unit

PLACES = 1 << 16
"""Maximum number of points at which the spline of a table is evaluated."""
LEAST = 1e-6
"""Smallest overshoot that is reported, relative to the range of the values of the table."""
SWING = 0.25
"""Smallest overshoot that is reported for the prescribed motion of an axis, relative to the range of the
values.

The limit is higher, because a prescribed motion always uses a cubic spline. A sine with eight points per
period overshoots by 0.04, a step between equidistant points by 0.14.
"""


class Table(NamedTuple):
    """Function of a table that is interpolated with a cubic spline.

    - field: name of the field.
    - points, units: points and unit of each axis.
    - values: values of the table (n1, ..., nd), with their unit.

    The last field is a function that evaluates the spline at points (axis, point).
    """

    field: str
    points: tuple[np.ndarray, ...]
    units: tuple[str, ...]
    values: np.ndarray
    unit: str
    curve: Callable[[np.ndarray], Any]


def warnings(node: Any, place: str = "") -> Iterator[str]:
    """Yield a warning for each table of a declaration whose cubic spline exceeds the range of its values.

    `place`: path of the declaration in the scenario.
    """
    if isinstance(node, tuple):
        for index, item in enumerate(node):
            yield from warnings(item, f"{place}.{label(item, index)}")
    if not isinstance(node, Declaration):
        return
    driven = isinstance(node, (LinearTable, AngularTable))
    if driven or getattr(node, "interpolation", "") == "cubic":
        found = (_overshoot(table, place, driven) for table in _tables(node))
        worst = max((one for one in found if one is not None), default=None)
        if worst is not None:
            yield worst[1]
    for name, child in zip(*parts_of(node)[:2], strict=True):
        if isinstance(child, (tuple, Declaration)):
            yield from warnings(child, f"{place}.{name}" if place else name)


def _overshoot(table: Table, place: str, driven: bool) -> tuple[float, str] | None:
    """How far at the farthest the curve of a table leaves the values around, as part of their range, and the
    sentence about it; None where it does not."""
    at, corners = _places(table)
    found = np.asarray(table.curve(at), float)
    low, high = corners.min(0), corners.max(0)
    beyond = np.maximum(found - high, low - found)
    k, size = int(np.argmax(beyond)), float(np.ptp(table.values))
    if not beyond[k] > (SWING if driven else LEAST) * size:
        return None
    where = ", ".join(_text(x[k], unit) for x, unit in zip(at, table.units, strict=True))
    values = [_text(value, table.unit) for value in (found[k], low[k], high[k], beyond[k])]
    remedy = (
        f"Add points to the table near {where}"
        if driven
        else 'Set interpolation = "smooth", which stays between the given values'
    )
    text = (
        f"{place}: the cubic spline of {table.field} is {values[0]} at {where}, where the adjacent values are"
        f" {values[1]} to {values[2]}. The overshoot is {values[3]}. {remedy}."
    )
    return float(beyond[k]) / size, text


def _text(number: Any, unit: str) -> str:
    factor, name = display(unit)
    return with_unit(float(f"{float(number) * factor:.4g}"), name)


def _places(table: Table) -> tuple[np.ndarray, np.ndarray]:
    """Places (axis, place) within all cells, and the values at the corners of the cell of each (corner,
    place)."""
    cells = int(np.prod([len(p) - 1 for p in table.points]))
    each = min(max(int((PLACES / cells) ** (1 / len(table.points))), 1), 31)
    parts = np.arange(1, each + 1) / (each + 1)
    inner = [(p[:-1, None] + np.diff(p)[:, None] * parts).ravel() for p in table.points]
    numbers = [np.repeat(np.arange(len(p) - 1), each) for p in table.points]
    at = np.stack([a.ravel() for a in np.meshgrid(*inner, indexing="ij")])
    cell = [a.ravel() for a in np.meshgrid(*numbers, indexing="ij")]
    corners = itertools.product((0, 1), repeat=len(cell))
    around = [table.values[tuple(i + o for i, o in zip(cell, corner, strict=True))] for corner in corners]
    return at, np.array(around)


def _tables(node: Any) -> Iterator[Table]:
    """The functions of a table: that of a grid, or one for each component of each column."""
    if hasattr(node, "axes"):
        yield from _of_grid(node)
        return
    columns = {name: value for name in type(node).model_fields if _is_column(value := getattr(node, name))}
    if not columns:
        return
    first, *_ = columns
    where = np.asarray(columns.pop(first))
    along = _unit(node, first, where)
    others = node.interpolation_columns() if hasattr(node, "interpolation_columns") else columns
    for name, value in others.items():
        rows = np.asarray(value, float)
        if rows.shape[0] != len(where) or len(where) < 3 or where.ndim > 1:
            continue
        unit = _unit(node, name, rows)
        for column in rows.reshape(len(rows), -1).T:
            yield Table(name, (where,), (along,), column, unit, _curve(node, where, column))


def _is_column(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.ndim > 0


def _unit(node: Any, name: str, value: Any) -> str:
    marker = marker_of(node, name, value) if name in type(node).model_fields else None
    return marker.unit if marker is not None else "1"


def _curve(node: Any, where: np.ndarray, column: np.ndarray) -> Callable[[np.ndarray], Any]:
    if isinstance(node, (TimeTable, LinearTable, AngularTable)):
        of_time = curves.curve(where, column, "cubic")
        return lambda at: curves.look_up(of_time, at[0])
    points = interpolation.knots(where, column, "cubic")
    return lambda at: interpolation.look_up(points, at[0])


def _of_grid(node: Any) -> Iterator[Table]:
    points = tuple(np.asarray(axis.points, float) for axis in node.axes)
    values = np.asarray(node.values, float)
    if values.ndim > len(points) or any(p.ndim > 1 for p in points):
        return
    ready = grid_interpolation.grid(points, values, "cubic")

    def curve(at: np.ndarray) -> Any:
        places = [grid_interpolation.place(p, t, "hold") for p, t in zip(points, at, strict=True)]
        return grid_interpolation.look_up(ready, places, "cubic")

    yield Table("values", points, tuple(axis.unit or "1" for axis in node.axes), values, "1", curve)
