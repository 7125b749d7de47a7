"""Modes at several levels of the remaining propellant of a body, and fields with values for each level."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...maths import interpolation
from ...model.flexible import ModePoint, ModeSet
from ...tree.errors import Refused
from ...tree.sentences import count_text
from ...tree.unit_names import UnitError
from ...tree.units import SI, json_schema, split_text
from . import likewise, rigid

OF_MODES = ("frequency", "mass", "damping")
"""The names of the fields with one value for each mode."""
AXES = {"propellant": 1, "frequency": 2, "mass": 2, "damping": 2}
"""The number of array axes of each field of a draining body, without case axes."""
POINT_AXES = {"at": 1, "shape": 3, "turn": 3, "mass": 1}
"""The number of array axes of each field of a point of a draining body, without case axes."""
ROUNDING = 1e-12
"""An interpolated damping ratio counts as negative if it is below minus this fraction of the largest value.
Smaller negative numbers are rounding errors.
"""
LOOKED_AT = 32
"""The number of positions in each interval between levels at which the interpolation is checked."""


@dataclass(frozen=True)
class ByLevel(SI):
    """Validator of a numeric field that has one value, or one value for each level. The levels are then the
    first axis of the array.
    """

    def __call__(self, value: Any) -> Any:
        """Return the value as a read-only float64 array in SI units. If the value contains levels, they are
        the first axis. Raises UnitError.
        """
        by_level = depth(value) > len(self.shape)
        if isinstance(value, np.ndarray) and value.ndim > len(self.shape):
            by_level = not self._fits(value.shape)  # both may have case axes at the end
        more = SI(self.unit, ("levels", *self.shape), self.positive, self.nonnegative)
        return more(value) if by_level else super().__call__(value)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict:
        once, each = (json_schema(self.unit, shape) for shape in (self.shape, ("levels", *self.shape)))
        kinds = [kind for one in (once, each) for kind in one.get("anyOf", [one])]
        texts = [kind for kind in kinds if kind.get("type") == "string"]
        lists = [kind for kind in kinds if kind.get("type") != "string"]
        return {"anyOf": [*lists, *texts[:1]], "unit": once["unit"]}


def by_level(
    unit: str, shape: tuple = (), *, positive: bool = False, nonnegative: bool = False, grow: bool = False
) -> ByLevel:
    """Return the validator of a numeric field that can have a value for each level. For the parameters, see
    `tree.units.si`.
    """
    return ByLevel(unit, shape, positive, nonnegative, grow)


def depth(value: Any) -> int:
    """Return the number of nested lists of a value as written in a scenario. For a single number, the result
    is 0. A text such as "[20, 0] t" counts as its list.
    """
    if isinstance(value, str):
        try:
            value = split_text(value)[0]
        except UnitError:
            return 0
    found = 0
    while isinstance(value, (list, tuple)) and value and found < 4:
        value, found = value[0], found + 1
    return found


def refuse_rows(data: dict[str, Any]) -> None:
    """Raise Refused if a field has values for several levels, but `propellant` is not set. data: fields as
    written in the scenario.
    """
    points = data.get("points")
    points = [*points.values()] if isinstance(points, dict) else points
    every = points if isinstance(points, (list, tuple)) else ()
    nested = [(field, data.get(field), 1) for field in OF_MODES]
    for k, point in enumerate(every):
        if isinstance(point, dict):
            nested += [(f"points.{k}.{field}", point.get(field), 2) for field in ("shape", "turn")]
            nested += [(f"points.{k}.mass", point.get("mass"), 0)]
    for field, value, most in nested:
        if depth(value) > most:
            text = (
                f"'{field}' has values for several levels, but propellant is not set. Set propellant to "
                "the mass left at each level"
            )
            raise Refused((field, text))


def of(item: Any) -> tuple[ModeSet, ...]:
    """Return the modes of a declared `ModalBody` at each level, the highest level last."""
    if item.propellant is None:
        return (ModeSet(None, item.frequency, item.mass, item.damping, item.points),)
    return tuple(_at(item, k) for k in range(item.propellant.shape[0]))


def _at(item: Any, k: int) -> ModeSet:
    points = tuple(
        ModePoint(p.name, p.at, p.shape[k], p.turn[k], None if p.mass is None else p.mass[k])
        for p in item.points
    )
    return ModeSet(item.propellant[k], item.frequency[k], item.mass[k], item.damping[k], points)


def doubtful(levels: Sequence[ModeSet]) -> Iterator[tuple[str, str]]:
    """Yield (field, fault) for doubtful modes, with equal faults of several levels merged; see
    `rigid.doubtful`.
    """
    yield from likewise.once(
        likewise.at_level(level.propellant, fault)
        for level in levels
        for fault in rigid.doubtful(level.frequency, level.points)
    )


# --- as it is read --------------------------------------------------------------------------------------


def spread(item: Any) -> dict[str, Any]:
    """Return the fields of a draining `ModalBody`, with a level axis in every field. A single value is used
    for all levels. Raises Refused for a wrong number of levels or modes.
    """
    if not isinstance(item.propellant, np.ndarray):
        return {}
    count = _levels(item.propellant)
    first = item.frequency
    modes = first.shape[-1] if first.ndim <= 2 else first.shape[1]
    found: dict[str, Any] = {field: _rows(field, getattr(item, field), 1, count) for field in OF_MODES}
    for field in ("mass", "damping"):
        own = found[field]
        if own.shape[1] not in (1, modes):
            text = (
                f"'{field}' has {count_text(own.shape[1], 'numbers')}. Give one number for each of "
                f"{count_text(modes, 'modes')}"
            )
            raise Refused((field, f"{text}, or one row of numbers for each level"))
        found[field] = np.broadcast_to(own, (count, modes, *own.shape[2:]))
    points = []
    for k, point in enumerate(item.points):
        axes = (("shape", 2), ("turn", 2), *(() if point.mass is None else (("mass", 0),)))
        own = {name: _rows(f"points.{k}.{name}", getattr(point, name), n, count) for name, n in axes}
        points.append(point.model_copy(update=own))
    return {**found, "points": tuple(points)}


def _levels(propellant: np.ndarray) -> int:
    """Return the number of levels. Raises Refused."""
    count = propellant.shape[0]
    if count < 2:
        text = (
            f"'propellant' has {'one' if count else 'no'} level, but modes of a draining body need at "
            "least two"
        )
        raise Refused(("propellant", f"{text}. Add a level, or remove propellant if the mass is constant"))
    rise = np.diff(propellant, axis=0).reshape(count - 1, -1)
    if not (rise > 0).all():
        k, case = (int(n) for n in np.argwhere(rise <= 0)[0])
        low, high = (float(propellant[j].reshape(-1)[case]) for j in (k, k + 1))
        text = f"'propellant' must increase from level to level, but {high:g} kg follows {low:g} kg"
        raise Refused(("propellant", f"{text}. Sort the levels with their rows, and remove duplicates"))
    return count


def _rows(field: str, value: Any, axes: int, count: int) -> Any:
    """Return a field with the axis of levels in front of its own `axes`."""
    if not isinstance(value, np.ndarray) or value.ndim > axes + 1:
        return value
    if value.ndim == axes:
        return np.broadcast_to(value, (count, *value.shape))
    if len(value) != count:
        text = f"'{field}' has rows for {count_text(len(value), 'levels')}, but propellant has {count} levels"
        raise Refused((field, f"{text}. Give one row for each level, or one row for all levels"))
    return value


def match_fields(item: Any) -> dict[str, Any]:
    """Return the fields of a `ModalBody` with modes that correspond to each other at all levels. The modes
    have the order and the signs of the highest level. Raises Refused if modes cannot be matched.
    """
    leaves = [*_leaves(item)]
    if not all(isinstance(one, np.ndarray) for one, _ in leaves):
        return {}  # while derivatives are taken
    if any(one.ndim > axes for one, axes in leaves):
        _refuse_cases(item)
        return {}
    from . import tracking  # imported on demand

    found, turned = tracking.match_levels(of(item), item.order == "by shape")
    values: dict[str, Any] = {field: np.stack([getattr(one, field) for one in found]) for field in OF_MODES}
    for field in OF_MODES:
        _refuse_dips(item, field, values[field])
    points = []
    for k, point in enumerate(item.points):
        own = {name: np.stack([getattr(one.points[k], name) for one in found]) for name in ("shape", "turn")}
        points.append(point.model_copy(update=own))
    started = {field: getattr(item, field) for field in ("coordinate", "rate")}
    values |= {field: turned @ value for field, value in started.items() if value is not None}
    return {**values, "points": tuple(points)}


def _leaves(item: Any) -> Iterator[tuple[Any, int]]:
    """Return the arrays by which modes are matched, each with its number of axes."""
    yield from ((getattr(item, field), axes) for field, axes in AXES.items())
    for point in item.points:
        yield from ((value, axes) for _, value, axes in _of_point(point))


def _of_point(point: Any) -> Iterator[tuple[str, Any, int]]:
    """Return the fields of a point, their values, and their numbers of axes."""
    each = ((name, getattr(point, name), axes) for name, axes in POINT_AXES.items())
    yield from (one for one in each if one[1] is not None)


def _refuse_cases(item: Any) -> None:
    """Raise Refused for faults in any of several cases, and for modes that would need sorting, because modes
    of several cases are not sorted."""
    for field in OF_MODES:
        _refuse_dips(item, field, getattr(item, field))
    cases = [value.shape[-1] for p in item.points for _, value, axes in _of_point(p) if value.ndim > axes]
    for k in range(max(cases, default=0)):  # modes are matched by their shapes
        try:
            _refuse_other_modes(_case(item, k))
        except Refused as refused:
            raise Refused(*((p.place, f"case {k}: {p.message}") for p in refused.problems)) from None


def _case(item: Any, k: int) -> Any:
    """Return the values of one of several cases."""

    def own(value: Any, axes: int) -> Any:
        return value[..., k] if value.ndim > axes else value

    points = [
        p.model_copy(update={name: own(value, axes) for name, value, axes in _of_point(p)})
        for p in item.points
    ]
    fields = {name: own(getattr(item, name), axes) for name, axes in AXES.items()}
    return item.model_copy(update={**fields, "points": points})


def _refuse_other_modes(item: Any) -> None:
    """Raise Refused for modes whose order or sign differs between levels."""
    from . import tracking  # imported on demand

    given = of(item)
    found, _ = tracking.match_levels(given, by_shape=False)
    for one, other in zip(given, found, strict=True):
        pairs = zip(one.points, other.points, strict=True)
        same = sum((np.sum(a.shape * b.shape + a.turn * b.turn, 1) for a, b in pairs), np.zeros(1))
        if (same < 0).any():
            at = likewise.amount(one.propellant)
            text = (
                f"the shape of mode {np.argmax(same < 0) + 1} changes its sign between {at} and the next"
                " level"
            )
            raise Refused(("points", f"{text}. Multiply the shape at one of the two levels by -1"))


def _refuse_dips(item: Any, field: str, rows: np.ndarray) -> None:
    """Raise Refused for interpolated frequencies or masses that are not positive, or dampings that are
    negative, in any case. Beyond the levels, damping ratios are limited to zero."""
    from . import interpolated  # a module of the flight, imported on demand

    propellant, rows = _with_cases(item.propellant, 1), _with_cases(rows, 2)
    where, rows = np.broadcast_arrays(propellant[:, None], rows)  # (level, mode, case)
    knots, damping = interpolation.knots(where, rows, item.interpolation), field == "damping"
    low, high = (where[0], where[-1]) if damping else interpolated.ends(knots, where[0])
    bounds, part = np.array([low, *where[1:-1], high]), np.arange(0, 1, 1 / LOOKED_AT)
    places = bounds[:-1, None] + part[:, None, None] * np.diff(bounds, axis=0)[:, None]
    places = np.concatenate([places.reshape(-1, *where.shape[1:]), bounds[-1:]])
    between = interpolation.piece(knots, interpolation.cell(knots, places)).at(places)
    wrong = between < -ROUNDING * np.max(rows) if damping else between <= 0
    if wrong.any():
        case, mode, k = np.argwhere(wrong.T)[0]
        sign = "negative" if damping else "not positive"
        text = f"the interpolated value of mode {mode + 1} is {sign} at {places[k, mode, case]:.6g} kg"
        remedy = 'Add a level near this propellant, or set interpolation = "linear"'
        at = f"case {case}: " if where.shape[2] > 1 else ""
        raise Refused((field, f"{at}{text}. {remedy}"))


def _with_cases(value: np.ndarray, axes: int) -> np.ndarray:
    """Return a value of `axes` axes with an additional last axis of cases."""
    return value if value.ndim > axes else value[..., None]


# --- in numbers -----------------------------------------------------------------------------------------


def shapes_at(item: Any, left: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return three arrays at given masses of propellant: frequencies [rad/s] (mode, time), and displacements
    and rotations of all points per unit modal coordinate, each (point, mode, 3, time).

    left: remaining propellant at each time [kg] (time,).
    """

    def values(rows: Any, axes: int) -> np.ndarray:
        knots = interpolation.knots(item.propellant, rows, item.interpolation, axes)
        return interpolation.look_up(knots, left, axes)

    both = (
        np.stack([values(getattr(point, name), 2) for point in item.points])
        if item.points
        else np.zeros((0, item.count, 3, len(left)))
        for name in ("shape", "turn")
    )
    shape, turn = both
    return values(item.frequency, 1), shape, turn
