"""Declarations of variable inputs of an engine: signals, and tables over the throttle or over the time since
ignition or cut-off.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import model_validator

from ..tree.declaration import Declaration, OneOf
from ..tree.errors import Refused
from ..tree.sentences import count_text
from ..tree.units import si
from .motion import strictly_increasing


class BurnTable(Declaration):
    """Base class of functions that are given by points. Outside the range of the points, the nearest end
    value applies.
    """

    interpolation: Literal["linear", "smooth", "cubic"] = "linear"
    """Interpolation between the points. "linear": straight lines. "smooth": a curve with continuous second
    derivatives that stays between the two nearest values. "cubic": a cubic spline, which can overshoot the
    two nearest values."""

    @model_validator(mode="after")
    def _check(self) -> BurnTable:
        column = next(name for name in ("throttle", "stroke", "time") if name in type(self).model_fields)
        where, value = getattr(self, column), getattr(self, "value")  # noqa: B009 - subclasses give the unit
        if not isinstance(where, np.ndarray) or not isinstance(value, np.ndarray):
            return self
        if len(where) != len(value):
            rows = count_text(len(value), "rows")
            text = (
                f"'value' has {rows}, but '{column}' has {len(where)} values. Give one row for each "
                f"value of '{column}'"
            )
            raise Refused(("value", text))
        if len(where) < 2:
            raise Refused(
                (
                    column,
                    (
                        f"'{column}' has fewer than 2 points. Give at least 2 points, or a single "
                        "value for a constant"
                    ),
                )
            )
        if column == "time":
            strictly_increasing(where, "time")
        elif not (np.diff(where, axis=0) > 0).all():
            raise Refused((column, "the values must increase from row to row. Sort the rows"))
        if self.interpolation == "cubic" and len(where) > 2:
            _check_undershoot(where, value)
        return self


def _check_undershoot(where: np.ndarray, value: np.ndarray) -> None:
    """Reject points whose spline falls below zero between them. The spline is checked at eight places in each
    interval."""
    from ..maths import interpolation

    share = np.arange(0, 1, 0.125).reshape((1, -1) + (1,) * (where.ndim - 1))
    dense = where[:-1, None] + share * np.diff(where, axis=0)[:, None]
    dense = dense.reshape(-1, *where.shape[1:])
    if value.ndim > where.ndim:
        dense = dense[:, None]
    least = np.min(np.asarray(interpolation.look_up(interpolation.knots(where, value, "cubic"), dense)))
    # The rounding of single precision, in which this may run.
    if least < -1e-6 * value.max():
        text = f"the cubic spline through the points falls below zero, to {least:g}"
        remedy = 'Give more points where the curve bends, or set interpolation = "smooth"'
        raise Refused(("value", f"{text}. {remedy}"))


class ThrustTable(BurnTable):
    """A thrust as a function of the time since ignition."""

    time: Annotated[Any, si("s", ("n",), nonnegative=True)]
    """Times since ignition [s], increasing."""
    value: Annotated[Any, si("N", ("n",), nonnegative=True)]
    """Thrust at each time [N]."""

    @property
    def rules_hold_for_cases(self) -> bool:
        """Return whether all rules between fields are applied to each case. The tolerance of a cubic spline
        depends on all cases."""
        return self.interpolation != "cubic"


class FractionTable(BurnTable):
    """A fraction of the full thrust as a function of the time since ignition or cut-off."""

    time: Annotated[Any, si("s", ("n",), nonnegative=True)]
    """Times since ignition or cut-off [s], increasing."""
    value: Annotated[Any, si("1", ("n",), nonnegative=True)]
    """Fraction of the full thrust at each time."""


class ThrottleTable(BurnTable):
    """A throttle setting as a function of the time since ignition."""

    time: Annotated[Any, si("s", ("n",), nonnegative=True)]
    """Times since ignition [s], increasing."""
    value: Annotated[Any, si("1", ("n",), nonnegative=True)]
    """Throttle at each time; 1 is the full thrust."""


class IspTable(BurnTable):
    """A specific impulse as a function of the time since ignition."""

    time: Annotated[Any, si("s", ("n",), nonnegative=True)]
    """Times since ignition [s], increasing."""
    value: Annotated[Any, si("s", ("n",), positive=True)]
    """Specific impulse in vacuum at each time [s]."""


class IspByThrottle(BurnTable):
    """A specific impulse as a function of the throttle."""

    throttle: Annotated[Any, si("1", ("n",), nonnegative=True)]
    """Throttle settings, increasing."""
    value: Annotated[Any, si("s", ("n",), positive=True)]
    """Specific impulse in vacuum at each setting [s]."""


class FlowTable(BurnTable):
    """A mass flow as a function of the time since ignition."""

    time: Annotated[Any, si("s", ("n",), nonnegative=True)]
    """Times since ignition [s], increasing."""
    value: Annotated[Any, si("kg/s", ("n",), nonnegative=True)]
    """Mass flow at each time [kg/s]."""


class FlowByThrottle(BurnTable):
    """A mass flow as a function of the throttle."""

    throttle: Annotated[Any, si("1", ("n",), nonnegative=True)]
    """Throttle settings, increasing."""
    value: Annotated[Any, si("kg/s", ("n",), nonnegative=True)]
    """Mass flow at each setting [kg/s]."""


class Signal(Declaration):
    """A signal that sets the value of an input."""

    signal: str
    """Name of the signal, like "actuators.main_valve"."""

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: Any) -> Any:
        return {"signal": value} if isinstance(value, str) else value

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: Any) -> dict:
        return {"anyOf": [{"type": "string"}, handler(core_schema)]}

    def written(self) -> Any:
        """Return the name of the signal, which is its short form in scenario files."""
        return self.signal


def _choice(by_time: type[Declaration], by_throttle: type[Declaration] | None = None) -> Callable[[Any], str]:
    """A function that returns the kind of an input: "number", or the table with the columns of the input."""

    def choose(value: Any) -> str:
        if isinstance(value, Declaration):
            return type(value).__name__
        if isinstance(value, dict):
            return (by_throttle if by_throttle and "throttle" in value else by_time).__name__
        return "number"

    return choose


def _setting(value: Any) -> str:
    """The form of a throttle input. A text that begins with a letter is the name of a signal."""
    named = isinstance(value, str) and re.match("[A-Za-z]", value)
    if named or (isinstance(value, dict) and "signal" in value):
        return "Signal"
    return _choice(ThrottleTable)(value)


Thrust = Annotated[Annotated[Any, si("N", nonnegative=True)] | ThrustTable, OneOf(_choice(ThrustTable))]
Throttle = Annotated[Annotated[Any, si("1", nonnegative=True)] | Signal | ThrottleTable, OneOf(_setting)]
Isp = Annotated[
    Annotated[Any, si("s", positive=True)] | IspTable | IspByThrottle,
    OneOf(_choice(IspTable, IspByThrottle)),
]
MassFlow = Annotated[
    Annotated[Any, si("kg/s", nonnegative=True)] | FlowTable | FlowByThrottle,
    OneOf(_choice(FlowTable, FlowByThrottle)),
]
