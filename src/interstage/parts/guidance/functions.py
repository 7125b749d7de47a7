"""Angles and directions of guidance laws: constants, or functions of time or of another quantity."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from pydantic import model_validator

from ...maths import interpolation
from ...maths.arrays import jnp
from ...tree.declaration import Declaration, OneOf
from ...tree.errors import Refused
from ...tree.units import si
from ..control.gain_schedule import TIME, Remembers, Scheduled, any_unit

ELAPSED = "elapsed"
"""The name that selects the time since the event of a law as variable of a function."""


class Function(Declaration):
    """A function of one quantity."""

    over: str = ELAPSED
    """Independent variable. "elapsed": the time since the event of the law. "time": the flight time. Or a
    quantity by its name in the results, for example "bodies.rocket.mach"."""


class AngleSchedule(Function, Scheduled):
    """An angle from a table over a quantity."""

    over: str = ELAPSED
    """Independent variable. "elapsed": the time since the event of the law. "time": the flight time. Or a
    quantity by its name in the results, for example "bodies.rocket.mach"."""
    value: Annotated[Any, si("rad", ("n",))]
    """Angle at each point [rad]. Angles are interpolated as numbers. For example, the interpolation from 350
    deg to 10 deg passes through 180 deg, and the interpolation from 350 deg to 370 deg passes through 360
    deg."""


class AnglePolynomial(Function, Remembers):
    """An angle as a polynomial in one quantity."""

    any_units: ClassVar[tuple[str, ...]] = ("coefficients",)
    coefficients: Annotated[Any, any_unit(("n",))]
    """Coefficients in ascending powers from zero, each with its unit or in SI: ["90 deg", "-0.5 deg/s",
    "0.001 deg/s^2"]."""


class DirectionTable(Function, Scheduled):
    """A direction from a table of vectors over a quantity."""

    over: str = ELAPSED
    """Independent variable. "elapsed": the time since the event of the law. "time": the flight time. Or a
    quantity by its name in the results, for example "bodies.rocket.mach"."""
    value: Annotated[Any, si("1", ("n", 3))]
    """Vector at each point, inertial axes, of any length. The interpolated vector gives the direction of body
    x."""

    @model_validator(mode="after")
    def _check_directions(self) -> DirectionTable:
        size = np.linalg.norm(self.value, axis=1) if isinstance(self.value, np.ndarray) else np.ones(1)
        if not (size > 0).all():
            row = int(np.argmin((size > 0).reshape(len(size), -1).all(1)))
            raise Refused(("value", f"the vector in row {row + 1} is zero. Give a direction like [1, 0, 0]"))
        return self


def _form(value: Any) -> str:
    if isinstance(value, Declaration):
        return type(value).__name__
    if not isinstance(value, dict):
        return "number"
    return "AnglePolynomial" if "coefficients" in value else "AngleSchedule"


Angle = Annotated[Annotated[Any, si("rad")] | AngleSchedule | AnglePolynomial, OneOf(_form)]
"""Type of an angle: a number, a table, or a polynomial."""


class Ready(NamedTuple):
    """A prepared number or function: its declaration `declared`, and the interpolation knots of a table;
    otherwise None.
    """

    declared: Any
    knots: Any


def prepare(declared: Any) -> Ready:
    """Return a number or function, prepared for evaluation. The numbers of the result can be JAX tracers and
    can have case axes.
    """
    if not isinstance(declared, Scheduled):
        return Ready(declared, None)
    value = getattr(declared, "value")  # noqa: B009 - of subclasses
    knots = interpolation.knots(declared.points, value, declared.interpolation, components_of(declared))
    return Ready(declared, knots)


def components_of(declared: Any) -> int:
    """Return the number of array axes of a value, without its case axes: 1 for a direction, 0 for an
    angle.
    """
    return int(isinstance(declared, DirectionTable))


def at(ready: Ready, view: Any) -> tuple[Any, Any]:
    """Return the value of a function (*components, *cases), and its rate of change per second.

    The rate is None if the function depends on a quantity, because its rate is unknown. view: inputs of the
    law (`stance.View`).
    """
    function = ready.declared
    if not isinstance(function, Function):
        return jnp.broadcast_to(function, view.time.shape), jnp.zeros_like(view.time)
    x = view.read(function.over)
    if isinstance(function, AnglePolynomial):
        value, slope = _polynomial(function.coefficients, x)
    else:
        value, slope = _table(ready.knots, x, components_of(function))
    if function.over == ELAPSED:
        slope = jnp.where(view.begun, slope, 0.0)
    return value, slope if function.over in (TIME, ELAPSED) else None


def _table(knots: Any, x: Any, components: int) -> tuple[Any, Any]:
    """Value and slope of a table, constant beyond the ends."""
    first, last = interpolation.first(knots, x), interpolation.last(knots, x)
    within = interpolation.clamp(x, first, last)
    piece = interpolation.piece(knots, interpolation.cell(knots, within), components)
    return piece.at(within), jnp.where((x >= first) & (x <= last), piece.slope(within), 0.0)


def _polynomial(coefficients: Any, x: Any) -> tuple[Any, Any]:
    """Value and slope of a polynomial, by Horner's rule."""
    value = slope = jnp.zeros_like(x)
    for k in reversed(range(coefficients.shape[0])):
        slope = slope * x + value
        value = value * x + coefficients[k]
    return value, slope


def knots_in_time(ready: Ready, begin: Any) -> list[Any]:
    """Return the flight times of the points of a table over time [s] (n, *cases), in a list. For other
    functions, the list is empty.

    begin: time at which "elapsed" is zero [s] (*cases).
    """
    if ready.knots is None or ready.declared.over not in (TIME, ELAPSED):
        return []
    where = jnp.asarray(ready.knots.where)
    if ready.declared.over == TIME:
        return [where]
    return [where.reshape(where.shape + (1,) * (1 + jnp.ndim(begin) - where.ndim)) + begin]


def feature(ready: Ready, view: Any) -> list[Any]:
    """Return the interval between table points that contains the table variable, in a list. The list is empty
    without a table over a quantity. See `interpolation.interval`.
    """
    if ready.knots is None or ready.declared.over in (TIME, ELAPSED):
        return []
    return [interpolation.interval(ready.knots.where, view.read(ready.declared.over))]


def place(ready: Ready, view: Any) -> list[Any]:
    """Return the location of the table variable among the kinks of the table (*cases), in a list. The list is
    empty without a table over a quantity. See `interpolation.place`.
    """
    if ready.knots is None or ready.declared.over in (TIME, ELAPSED):
        return []
    kinks = interpolation.kinks(ready.knots.where, ready.declared.interpolation == "linear")
    return [interpolation.place(kinks, view.read(ready.declared.over))]
