"""Declarations of prescribed functions of time: tables of loads, and motions of driven axes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import model_validator

from ..tree.declaration import Declaration, OneOf
from ..tree.errors import Refused
from ..tree.sentences import count_text
from ..tree.units import si


def check_table(time: Any, value: Any) -> None:
    """Check that the times of a table increase, and that both columns have the same length. Raises Refused
    for a faulty table.
    """
    if not isinstance(time, np.ndarray) or not isinstance(value, np.ndarray):
        return
    if len(time) != len(value):
        raise Refused(
            (
                "value",
                f"'value' has {count_text(len(value), 'rows')}, but 'time' has {len(time)} values. Give "
                "one row for each time",
            )
        )
    if len(time) < 2:
        raise Refused(
            ("time", "'time' has fewer than 2 times. Give at least 2 times, or a single value for a constant")
        )
    strictly_increasing(time, "time")


def strictly_increasing(time: np.ndarray, place: str) -> None:
    """Check that times increase from entry to entry. `place`: path of the times for the message. Raises
    Refused if they do not.
    """
    steps = np.diff(time, axis=0)
    if not (steps > 0).all():
        at = int(np.argmax(~(steps > 0).reshape(len(steps), -1).all(axis=1)))
        first, second = (float(np.ravel(time[i])[0]) for i in (at, at + 1))
        raise Refused(
            (
                place,
                f"the times do not increase: {second:g} s follows {first:g} s. Sort the entries, and "
                "remove duplicates",
            )
        )


class TimeTable(Declaration):
    """A function of flight time given by points."""

    time: Annotated[Any, si("s", ("n",))]
    """Times [s], increasing, in flight time."""
    interpolation: Literal["linear", "smooth", "cubic"] = "smooth"
    """Interpolation between the points. "linear": straight lines. "smooth": a curve with continuous second
    derivatives that stays between the two nearest values. "cubic": a natural cubic spline, which can
    overshoot the two nearest values."""
    outside: Literal["hold", "zero"] = "zero"
    """Value before the first and after the last time. "hold": the nearest value. "zero": zero."""

    @model_validator(mode="after")
    def _check(self) -> TimeTable:
        check_table(self.time, getattr(self, "value"))  # noqa: B009 - the subclasses give it a unit
        return self


class ForceTable(TimeTable):
    """A force as a function of flight time."""

    value: Annotated[Any, si("N", ("n", 3))]
    """Force at each time [N], in the axes named by `axes` of the force."""


class TorqueTable(TimeTable):
    """A torque as a function of flight time."""

    value: Annotated[Any, si("N m", ("n", 3))]
    """Torque at each time [N m], in the axes named by `axes` of the torque."""


class LinearConstant(Declaration):
    """A constant displacement of an axis."""

    kind: Literal["constant"] = "constant"
    """A constant value."""
    value: Annotated[Any, si("m")] = 0.0
    """Displacement [m]."""


class LinearRamp(Declaration):
    """A displacement that grows at a constant speed: value + rate t."""

    kind: Literal["ramp"] = "ramp"
    """Value plus rate times flight time."""
    value: Annotated[Any, si("m")] = 0.0
    """Displacement at flight time zero [m]."""
    rate: Annotated[Any, si("m/s")]
    """Speed [m/s]."""


class LinearHarmonic(Declaration):
    """A harmonic displacement of an axis: offset + amplitude sin(frequency t + phase)."""

    kind: Literal["harmonic"] = "harmonic"
    """Offset plus amplitude times the sine of (frequency times flight time plus phase)."""
    amplitude: Annotated[Any, si("m")]
    """Amplitude [m]."""
    frequency: Annotated[Any, si("rad/s")]
    """Angular frequency [rad/s]."""
    phase: Annotated[Any, si("rad")] = 0.0
    """Phase at flight time zero [rad]."""
    offset: Annotated[Any, si("m")] = 0.0
    """Mean displacement [m]."""


class LinearTable(Declaration):
    """A displacement from a table, with continuous second derivatives."""

    kind: Literal["table"] = "table"
    """A spline through points, with continuous second derivatives."""
    time: Annotated[Any, si("s", ("n",))]
    """Times [s], increasing, in flight time."""
    value: Annotated[Any, si("m", ("n",))]
    """Displacement at each time [m]. Outside the table the displacement continues with the slope at the
    end."""

    @model_validator(mode="after")
    def _check(self) -> LinearTable:
        check_table(self.time, self.value)
        return self


class AngularConstant(Declaration):
    """A constant angle of an axis."""

    kind: Literal["constant"] = "constant"
    """A constant value."""
    value: Annotated[Any, si("rad")] = 0.0
    """Angle [rad]."""


class AngularRamp(Declaration):
    """An angle that grows at a constant rate: value + rate t."""

    kind: Literal["ramp"] = "ramp"
    """Value plus rate times flight time."""
    value: Annotated[Any, si("rad")] = 0.0
    """Angle at flight time zero [rad]."""
    rate: Annotated[Any, si("rad/s")]
    """Angular velocity [rad/s]."""


class AngularHarmonic(Declaration):
    """A harmonic angle of an axis: offset + amplitude sin(frequency t + phase)."""

    kind: Literal["harmonic"] = "harmonic"
    """Offset plus amplitude times the sine of (frequency times flight time plus phase)."""
    amplitude: Annotated[Any, si("rad")]
    """Amplitude [rad]."""
    frequency: Annotated[Any, si("rad/s")]
    """Angular frequency [rad/s]."""
    phase: Annotated[Any, si("rad")] = 0.0
    """Phase at flight time zero [rad]."""
    offset: Annotated[Any, si("rad")] = 0.0
    """Mean angle [rad]."""


class AngularTable(Declaration):
    """An angle from a table, with continuous second derivatives."""

    kind: Literal["table"] = "table"
    """A spline through points, with continuous second derivatives."""
    time: Annotated[Any, si("s", ("n",))]
    """Times [s], increasing, in flight time."""
    value: Annotated[Any, si("rad", ("n",))]
    """Angle at each time [rad]. Outside the table the angle continues with the slope at the end."""

    @model_validator(mode="after")
    def _check(self) -> AngularTable:
        check_table(self.time, self.value)
        return self


LinearMotion = Annotated[LinearConstant | LinearRamp | LinearHarmonic | LinearTable, OneOf()]
AngularMotion = Annotated[AngularConstant | AngularRamp | AngularHarmonic | AngularTable, OneOf()]


class DrivenAxes(Declaration):
    """Prescribed motions of the locked axes of a generalized joint: the child's joint frame relative to the
    parent's joint frame."""

    tx: LinearMotion | None = None
    """Displacement along the parent's joint x axis."""
    ty: LinearMotion | None = None
    """Displacement along the parent's joint y axis."""
    tz: LinearMotion | None = None
    """Displacement along the parent's joint z axis."""
    rx: AngularMotion | None = None
    """Rotation angle about the joint x axis."""
    ry: AngularMotion | None = None
    """Rotation angle about the joint y axis."""
    rz: AngularMotion | None = None
    """Rotation angle about the joint z axis."""

    def axes(self) -> tuple[str, ...]:
        """Names of the axes with a prescribed motion."""
        return tuple(name for name in type(self).model_fields if getattr(self, name) is not None)
