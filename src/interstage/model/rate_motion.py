"""Declarations of prescribed velocities of the axes of a velocity joint, as functions of time."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import model_validator

from ..tree.declaration import Declaration, OneOf
from ..tree.units import si
from .motion import check_table


class SpeedConstant(Declaration):
    """A constant velocity."""

    kind: Literal["constant"] = "constant"
    """A constant value."""
    value: Annotated[Any, si("m/s")] = 0.0
    """Velocity [m/s]."""


class SpeedRamp(Declaration):
    """A velocity that grows with time: value + rate t."""

    kind: Literal["ramp"] = "ramp"
    """Value plus rate times flight time."""
    value: Annotated[Any, si("m/s")] = 0.0
    """Velocity at flight time zero [m/s]."""
    rate: Annotated[Any, si("m/s^2")]
    """Acceleration [m/s^2]."""


class SpeedHarmonic(Declaration):
    """A harmonic velocity: offset + amplitude sin(frequency t + phase)."""

    kind: Literal["harmonic"] = "harmonic"
    """Offset plus amplitude times the sine of (frequency times flight time plus phase)."""
    amplitude: Annotated[Any, si("m/s")]
    """Amplitude [m/s]."""
    frequency: Annotated[Any, si("rad/s")]
    """Angular frequency [rad/s]."""
    phase: Annotated[Any, si("rad")] = 0.0
    """Phase at flight time zero [rad]."""
    offset: Annotated[Any, si("m/s")] = 0.0
    """Mean velocity [m/s]."""


class SpeedTable(Declaration):
    """A velocity from a table, with continuous second derivatives."""

    kind: Literal["table"] = "table"
    """A spline through points, with continuous second derivatives."""
    time: Annotated[Any, si("s", ("n",))]
    """Times [s], increasing, in flight time."""
    value: Annotated[Any, si("m/s", ("n",))]
    """Velocity at each time [m/s]. Outside the table the nearest value applies."""

    @model_validator(mode="after")
    def _check(self) -> SpeedTable:
        check_table(self.time, self.value)
        return self


class SpinConstant(Declaration):
    """A constant angular velocity."""

    kind: Literal["constant"] = "constant"
    """A constant value."""
    value: Annotated[Any, si("rad/s")] = 0.0
    """Angular velocity [rad/s]."""


class SpinRamp(Declaration):
    """An angular velocity that grows with time: value + rate t."""

    kind: Literal["ramp"] = "ramp"
    """Value plus rate times flight time."""
    value: Annotated[Any, si("rad/s")] = 0.0
    """Angular velocity at flight time zero [rad/s]."""
    rate: Annotated[Any, si("rad/s^2")]
    """Angular acceleration [rad/s^2]."""


class SpinHarmonic(Declaration):
    """A harmonic angular velocity: offset + amplitude sin(frequency t + phase)."""

    kind: Literal["harmonic"] = "harmonic"
    """Offset plus amplitude times the sine of (frequency times flight time plus phase)."""
    amplitude: Annotated[Any, si("rad/s")]
    """Amplitude [rad/s]."""
    frequency: Annotated[Any, si("rad/s")]
    """Angular frequency [rad/s]."""
    phase: Annotated[Any, si("rad")] = 0.0
    """Phase at flight time zero [rad]."""
    offset: Annotated[Any, si("rad/s")] = 0.0
    """Mean angular velocity [rad/s]."""


class SpinTable(Declaration):
    """An angular velocity from a table, with continuous second derivatives."""

    kind: Literal["table"] = "table"
    """A spline through points, with continuous second derivatives."""
    time: Annotated[Any, si("s", ("n",))]
    """Times [s], increasing, in flight time."""
    value: Annotated[Any, si("rad/s", ("n",))]
    """Angular velocity at each time [rad/s]. Outside the table the nearest value applies."""

    @model_validator(mode="after")
    def _check(self) -> SpinTable:
        check_table(self.time, self.value)
        return self


LinearRate = Annotated[SpeedConstant | SpeedRamp | SpeedHarmonic | SpeedTable, OneOf()]
AngularRate = Annotated[SpinConstant | SpinRamp | SpinHarmonic | SpinTable, OneOf()]


class PrescribedRates(Declaration):
    """Prescribed velocities of the child relative to the parent for a velocity joint: along its locked
    translations and about its locked rotations.
    """

    tx: LinearRate | None = None
    """Velocity along the joint x axis."""
    ty: LinearRate | None = None
    """Velocity along the joint y axis."""
    tz: LinearRate | None = None
    """Velocity along the joint z axis."""
    rx: AngularRate | None = None
    """Angular velocity about the joint x axis."""
    ry: AngularRate | None = None
    """Angular velocity about the joint y axis."""
    rz: AngularRate | None = None
    """Angular velocity about the joint z axis."""

    def axes(self) -> tuple[str, ...]:
        """Names of the axes with a prescribed velocity."""
        return tuple(name for name in type(self).model_fields if getattr(self, name) is not None)
