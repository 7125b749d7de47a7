"""Gains of control laws: numbers, or schedules over a quantity of the flight or over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np
from pydantic import PrivateAttr, model_validator

from ...maths.arrays import jnp
from ...model.values import check_order
from ...tree.bare_angles import note
from ...tree.declaration import Declaration, OneOf
from ...tree.errors import Refused
from ...tree.sentences import count_text
from ...tree.unit_names import comparable, usual_unit
from ...tree.units import PURE_UNITS, SI, json_schema, parse_quantity

TIME = "time"
"""The name that selects the flight time as variable of a schedule."""


@dataclass(frozen=True)
class AnyUnit(SI):
    """Validator of a numeric field without a fixed unit, for example a gain. Texts with any unit are
    converted to SI units. Numbers without a unit are in SI units. Use `any_unit` to create an object.
    """

    column: bool = False
    """Whether a list of numbers is read as a table with one column."""

    def __call__(self, value: Any) -> Any:
        """Return the value as a read-only float64 array of the declared shape, in SI units. Raises
        `UnitError`.
        """
        given, value = value, _in_si(value)
        if self.column and isinstance(value, (list, tuple)) and not any(map(_is_list, value)):
            value = [[item] for item in value]
        if self.column and isinstance(value, np.ndarray) and value.ndim == 1:
            value = value[:, None]
        found = super().__call__(value)
        if isinstance(found, np.ndarray):
            note(found, given)
        return found

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict:
        choices = [super().__get_pydantic_json_schema__(schema, handler)]
        if self.grow:
            choices += [{"type": "number"}]
        if self.column:
            choices += [json_schema("1", ("n",))]
        return {"anyOf": [*choices, {"type": "string", "examples": ["0.5 rad/rad"]}], "unit": "SI"}


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple, np.ndarray))


def _in_si(value: Any) -> Any:
    if isinstance(value, str):
        return parse_quantity(value)[0]
    return [_in_si(item) for item in value] if isinstance(value, (list, tuple)) else value


def any_unit(
    shape: tuple = (), *, positive: bool = False, grow: bool = False, column: bool = False
) -> AnyUnit:
    """Return the validator of a numeric field without a fixed unit. Example: ``gain: Annotated[Any,
    any_unit()]``.

    - shape: required shape of the value.
    - positive: whether the value must be positive.
    - grow: whether a single number is also accepted, as a list of one number.
    - column: whether a list of numbers is read as a table with one column.
    """
    return AnyUnit("1", shape, positive=positive, grow=grow, column=column)


class Remembers(Declaration):
    """A declaration that stores the units in which its values were written. A later check compares these
    units with the units of the quantities, which are not known when the declaration is read.
    """

    any_units: ClassVar[tuple[str, ...]] = ()
    """Names of the fields with values of any unit."""
    _given: dict[str, tuple[str | None, ...]] = PrivateAttr(default_factory=dict)

    @model_validator(mode="wrap")
    @classmethod
    def _remember(cls, value: Any, handler: Any) -> Any:
        found = handler(value)
        if isinstance(value, dict):
            found._given = {name: _units_in(value[name]) for name in cls.any_units if name in value}
        return found


def units_given(declared: Remembers, field: str) -> tuple[str | None, ...]:
    """Return the SI base unit in which a value was written, one for each entry of a list. An entry without a
    unit gives None.

    If the units are unknown, the result is empty. field: name of the field of the declaration.
    """
    return (declared.__pydantic_private__ or {}).get("_given", {}).get(field, ())


def _units_in(value: Any) -> tuple[str | None, ...]:
    if isinstance(value, (list, tuple)):
        return tuple(unit for item in value for unit in _units_in(item))
    return (parse_quantity(value)[1] if isinstance(value, str) else None,)


def unlike(declared: Remembers, field: str, units: Sequence[str], what: str) -> str | None:
    """Return a text that describes the first value with a wrong unit. Return None if all units fit.

    - field: name of the field of the declaration.
    - units: required SI units, one for each value, or one for all values.
    - what: name of the quantities, for the text.
    """
    for k, given in enumerate(units_given(declared, field)):
        unit = units[min(k, len(units) - 1)]
        if given is not None and not comparable(given, unit):
            which = f"of entry {k + 1} " if len(units) > 1 else ""
            wanted = "pure numbers" if unit in PURE_UNITS else f"values in {unit}"
            return f"the unit {which}is {usual_unit(given)}, which does not fit {what}. Give {wanted}"
    return None


class Scheduled(Remembers):
    """A gain that depends on one quantity."""

    any_units: ClassVar[tuple[str, ...]] = ("points",)
    over: str
    """Variable of the schedule: "time", or a quantity by its name in the results, for example
    "bodies.rocket.dynamic_pressure"."""
    points: Annotated[Any, any_unit(("n",))]
    """Values of the variable, increasing, with a unit. Numbers without a unit are SI."""
    interpolation: Literal["smooth", "cubic", "linear"] = "smooth"
    """Interpolation between the points. "smooth": a curve with continuous second derivatives that stays
    between the two nearest values. "cubic": a cubic spline, which can overshoot the two nearest values.
    "linear": straight lines. Outside the points, the nearest value applies."""

    @model_validator(mode="after")
    def _check(self) -> Scheduled:
        value = getattr(self, "value")  # noqa: B009 - the subclasses give it a shape
        points = self.points
        if isinstance(points, np.ndarray) and isinstance(value, np.ndarray):
            if len(points) != len(value):
                text = f"'value' has {count_text(len(value), 'rows')}, but 'points' has {len(points)} values"
                raise Refused(("value", f"{text}. Give one row for each point"))
            if len(points) < 2:
                raise Refused(
                    (
                        "points",
                        (
                            "'points' has fewer than 2 points. Give at least 2 points, or give "
                            "the gain as one number"
                        ),
                    )
                )
            check_increasing(points)
        return self


def check_increasing(points: np.ndarray) -> None:
    """Raise `Refused` if the points of a schedule (n,) or (n, cases) do not increase."""
    steps = np.diff(points, axis=0).reshape(len(points) - 1, -1)
    wrong = ~(steps > 0).all(1)
    if wrong.any():
        k = int(np.argmax(wrong))
        low, high = (float(np.ravel(points[j])[0]) for j in (k, k + 1))
        raise Refused(
            (
                "points",
                (
                    f"'points' does not increase: {high:g} follows {low:g}. Sort the entries, "
                    "and remove duplicates"
                ),
            )
        )


class Schedule(Scheduled):
    """A scalar gain that depends on one quantity."""

    value: Annotated[Any, any_unit(("n",))]
    """Gain at each point, with a unit. Numbers without a unit are SI."""


class AxisSchedule(Scheduled):
    """Gains of the body axes that depend on one quantity."""

    value: Annotated[Any, any_unit(("n", "m"), column=True)]
    """Gains at each point: one for all axes, or three for x, y and z. Numbers without a unit are SI."""

    @model_validator(mode="after")
    def _check_axes(self) -> AxisSchedule:
        check_axes("value", self.value, 1)
        return self


def check_axes(name: str, value: Any, axis: int = 0) -> None:
    """Raise `Refused` if an array does not have one or three entries for the body axes.

    - name: name of the field, for the message.
    - value: the array.
    - axis: axis of the array that is checked.
    """
    if isinstance(value, np.ndarray) and value.shape[axis] not in (1, 3):
        text = f"'{name}' has {count_text(value.shape[axis], 'numbers')} for the axes"
        raise Refused((name, f"{text}. Give one number for all axes, or three numbers for x, y and z"))


def check_bounds(lower: Any, upper: Any) -> None:
    """Raise `Refused` if the lower bound is not below the upper bound."""
    check_order("lower", lower, upper)


def _number_or(schedule: type[Declaration]) -> Any:
    def choose(value: Any) -> str:
        return schedule.__name__ if isinstance(value, (dict, Declaration)) else "number"

    return choose


Gain = Annotated[Annotated[Any, any_unit()] | Schedule, OneOf(_number_or(Schedule))]
"""Type of a scalar gain: a number, or a schedule."""
AxisGain = Annotated[
    Annotated[Any, any_unit(("n",), grow=True)] | AxisSchedule, OneOf(_number_or(AxisSchedule))
]
"""Type of the gains of the body axes: one number for all axes, three numbers for x, y and z, or a
schedule.
"""


class Ready(NamedTuple):
    """A prepared schedule: its declaration, and its interpolation knots."""

    schedule: Any
    knots: Any


def prepare(gain: Any) -> Any:
    """Return a gain, prepared for evaluation. A number is returned unchanged. The numbers of a schedule can
    be JAX tracers and can have case axes.
    """
    from ...maths import interpolation

    if not isinstance(gain, Scheduled):
        return gain
    value = getattr(gain, "value")  # noqa: B009 - as above
    components = 1 if isinstance(gain, AxisSchedule) else 0
    return Ready(gain, interpolation.knots(gain.points, value, gain.interpolation, components))


def gain_at(gain: Any, time: Any, measured: Any) -> Any:
    """Return a scalar gain (*cases), in SI units.

    - gain: the gain, prepared for evaluation.
    - time: flight time [s] (*cases).
    - measured: quantities (*cases) by path. The quantities must include the variable of the schedule.
    """
    from ...maths import interpolation

    return interpolation.look_up(gain.knots, _place(gain, time, measured)) if _is_ready(gain) else gain


def axis_gain_at(gain: Any, time: Any, measured: Any) -> Any:
    """Return the gains of the body axes (1 or 3, *cases), in SI units.

    - gain: the gain, prepared for evaluation.
    - time: flight time [s] (*cases).
    - measured: quantities (*cases) by path. The quantities must include the variable of the schedule.
    """
    from ...maths import interpolation

    if _is_ready(gain):
        return interpolation.look_up(gain.knots, _place(gain, time, measured), components=1)
    return for_cases(gain, time)


def place_of(gain: Any, value: Any) -> Any:
    """Return the location of the schedule variable among the kinks of a schedule (*cases); see
    `interpolation.place`.

    For linear interpolation, all points are kinks. For other interpolations, only the two ends are kinks.

    - gain: the prepared schedule.
    - value: value of the variable (*cases).
    """
    from ...maths import interpolation

    kinks = interpolation.kinks(gain.knots.where, gain.schedule.interpolation == "linear")
    return interpolation.place(kinks, value)


def feature_of(gain: Any, value: Any) -> Any:
    """Return the interval between schedule points in which the variable is; see `interpolation.interval`.

    - gain: the prepared schedule.
    - value: value of the variable (*cases).
    """
    from ...maths import interpolation

    return interpolation.interval(gain.knots.where, value)


def quantity_of(gain: Any) -> str | None:
    """Return the path of the quantity on which a prepared gain depends. Return None for a number and for a
    schedule over time.
    """
    return gain.schedule.over if _is_ready(gain) and gain.schedule.over != TIME else None


def _is_ready(gain: Any) -> bool:
    return isinstance(gain, Ready)


def _place(gain: Ready, time: Any, measured: Any) -> Any:
    return time if gain.schedule.over == TIME else measured[gain.schedule.over]


def for_cases(column: Any, time: Any) -> Any:
    """Return declared numbers (n,) or (n, cases) as an array (n, *cases). The case axes agree with the case
    axes of `time`.
    """
    column = jnp.asarray(column)
    return column[:, None] if column.ndim == 1 and jnp.ndim(time) else column


def overs(*gains: Any) -> tuple[str, ...]:
    """Return the schedule variables of the gains: paths of quantities, or "time"."""
    return tuple(gain.over for gain in gains if isinstance(gain, Scheduled))
