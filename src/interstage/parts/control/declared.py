"""Declaration of control laws: scalar loops, control of body rates and attitude, and control laws by a Python
class.

A law computes a command from quantities of the flight. The command is one number, or three numbers along the
body axes. `needs` lists the quantities. Module `laws` computes the commands. Actuators (module `actuator`)
follow the commands.

A law is continuous, or it takes samples with a period. The command of a sampled law is constant between
samples.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from ...model import user_class
from ...model.effect import Effect
from ...model.motion import TimeTable
from ...model.user_class import Call, ClassPath
from ...model.values import Parameters, Value
from ...tree.declaration import Declaration, OneOf
from ...tree.errors import Refused
from ...tree.names import Name
from ...tree.sentences import count_text
from ...tree.units import si
from .actuator import Actuator
from .gain_schedule import AxisGain, Gain, any_unit, check_axes, check_bounds, overs

AXES = ("x", "y", "z")


class TargetTable(TimeTable):
    """A target as a function of flight time."""

    value: Annotated[Any, any_unit(("n",))]
    """Target at each time, with a unit. Numbers without a unit are SI."""
    outside: Literal["hold", "zero"] = "hold"
    """Target before the first and after the last time. "hold": the nearest value. "zero": zero."""


class RateTable(TimeTable):
    """A target angular velocity as a function of flight time."""

    value: Annotated[Any, si("rad/s", ("n", 3))]
    """Target angular velocity at each time [rad/s], body axes."""
    outside: Literal["hold", "zero"] = "hold"
    """Target before the first and after the last time. "hold": the nearest value. "zero": zero."""


class AngleTable(TimeTable):
    """Commanded angles of a rotation sequence as a function of flight time."""

    value: Annotated[Any, si("rad", ("n", 3))]
    """Angles at each time [rad], in the order of the sequence. Angles are interpolated as numbers. For
    example, the interpolation from 350 deg to 10 deg passes through 180 deg, and the interpolation from 350
    deg to 370 deg passes through 360 deg."""
    outside: Literal["hold", "zero"] = "hold"
    """Angles before the first and after the last time. "hold": the nearest angles. "zero": zero. Outside the
    table, the rates of the angles are zero. If the table begins or ends with a slope, the rates jump."""


def _table_or(table: type[Declaration], other: str = "number") -> Any:
    def choose(value: Any) -> str:
        tabulated = isinstance(value, table) or (isinstance(value, dict) and "magnitude" not in value)
        return table.__name__ if tabulated else other

    return choose


Target = Annotated[Value | TargetTable, OneOf(_table_or(TargetTable, "Value"))]
RateTarget = Annotated[Annotated[Any, si("rad/s", (3,))] | RateTable, OneOf(_table_or(RateTable))]
AngleTarget = Annotated[Annotated[Any, si("rad", (3,))] | AngleTable, OneOf(_table_or(AngleTable))]


class Law(Effect):
    """Fields common to all control laws."""

    name: Name
    """Name of the law, which other declarations refer to. The command of the law is controls.<name>, or
    controls.<name>.x, .y and .z."""
    period: Annotated[Any, si("s")] | None = None
    """Sample period [s]. The first sample is at the start of the flight, or of the first phase of `phases`.
    The command is constant between samples. Default: a continuous law."""
    phases: tuple[str, ...] | None = None
    """Names of the phases in which the law is on. When the law is switched on, its integrals start from zero.
    Default: all phases."""
    limit: Annotated[Any, any_unit(("n",), positive=True, grow=True)] | None = None
    """Maximum magnitude of the command: one value, or one for each of three axes. A number without a unit is
    SI."""
    off_value: Annotated[Any, any_unit(("n",), grow=True)] = 0.0
    """Command while the law is off: one value, or one for each of three axes. A number without a unit is
    SI."""

    @property
    def changing(self) -> bool:
        """Whether the law has continuous states."""
        return states(self) > 0

    @model_validator(mode="after")
    def _check_law(self) -> Law:
        if isinstance(self.period, np.ndarray) and not (self.period > 0).all():
            raise Refused(
                (
                    "period",
                    f"the period {float(self.period.min()):g} s is not above zero. Give a positive period, "
                    "or remove period for a continuous law",
                )
            )
        for name in ("limit", "off_value"):
            given = getattr(self, name)
            if signals(self) == (f"controls.{self.name}",):
                _check_single(name, given)
            else:
                check_axes(name, given)
        return self


def _check_single(name: str, value: Any) -> None:
    if isinstance(value, np.ndarray) and value.shape[0] != 1:
        raise Refused(
            (
                name,
                (
                    f"'{name}' has {count_text(value.shape[0], 'numbers')}, but the law has one "
                    "command. Give one number"
                ),
            )
        )


class PID(Law):
    """A scalar control loop: command = bias + kp e + integral of (ki e) + kd (rate of the target - rate),
    with the error e = target - measured.

    Examples: a gimbal or fin that controls an angle of attack or a pitch angle, or a throttle that controls a
    load. If the measured quantity is an acceleration that the command causes, the law must be sampled. A
    continuous law would be an algebraic loop. The integral stops growing while the command is at its
    limit."""

    watched: ClassVar[tuple[tuple[str, str], ...]] = (("measured", "target"),)
    kind: Literal["pid"] = "pid"
    """A scalar loop with proportional, integral and derivative terms."""
    body: str | None = None
    """Name of the controlled body, for reports only. Quantities have their full names."""
    measured: str
    """Controlled quantity by its name in the results, for example "bodies.rocket.alpha"."""
    rate: str | None = None
    """Quantity that the law uses as the rate of `measured`, for example "bodies.rocket.angular_velocity.y".
    Required with `kd`."""
    target: Target
    """Target of `measured`: a number with a unit, or a table over flight time. A number without a unit is
    SI."""
    kp: Gain = 0.0
    """Proportional gain: command per error. A number or a schedule. A number without a unit is SI."""
    ki: Gain | None = None
    """Integral gain: command per error and second. A number or a schedule. A number without a unit is SI. The
    integral has the unit of the command. Therefore, a change of a scheduled gain affects only the further
    growth of the integral. Default: no integral."""
    kd: Gain | None = None
    """Derivative gain: command per error of the rate. A number or a schedule. A number without a unit is
    SI."""
    bias: Gain = 0.0
    """Command at zero error: a number or a schedule. A number without a unit is SI."""
    lower: Annotated[Any, any_unit()] | None = None
    """Minimum command, in place of `limit`. Requires `upper`. A number without a unit is SI."""
    upper: Annotated[Any, any_unit()] | None = None
    """Maximum command. Requires `lower`. A number without a unit is SI."""

    @model_validator(mode="after")
    def _check(self) -> PID:
        if self.kd is not None and self.rate is None:
            raise Refused(
                (
                    "rate",
                    "'rate' is required with kd. Name the quantity that kd multiplies, for example "
                    "bodies.rocket.angular_velocity.y",
                )
            )
        if self.kd is None and self.rate is not None:
            raise Refused(("kd", "'kd' is required with rate. Give a gain, or remove rate"))
        if (self.lower is None) != (self.upper is None):
            raise Refused(
                ("lower", "'lower' and 'upper' must be set together. Set both keys, or use 'limit'")
            )
        if self.limit is not None and self.lower is not None:
            raise Refused(
                (
                    "limit",
                    "'limit' is set together with 'lower' and 'upper'. Remove 'limit', or "
                    "remove 'lower' and 'upper'",
                )
            )
        check_bounds(self.lower, self.upper)
        return self


class RateHold(Law):
    """A three-axis control of body rates: command = gain (target - angular velocity), body axes."""

    kind: Literal["rate"] = "rate"
    """Control of the three body rates."""
    body: str
    """Name of the body whose angular velocity is controlled."""
    target: RateTarget = (0.0, 0.0, 0.0)
    """Target angular velocity [rad/s], body axes: constant, or a table over flight time."""
    gain: AxisGain
    """Command per error of the rate: one value for all axes, three values, or a schedule. Numbers without a
    unit are SI."""

    @model_validator(mode="after")
    def _check(self) -> RateHold:
        _check_gain("gain", self.gain)
        return self


class AttitudeHold(Law):
    """A three-axis attitude control: command = kp e + kd (target rate - angular velocity), body axes.

    The error e [rad] is the vector of the shortest rotation from the body to the commanded attitude. At 180
    deg, this rotation and the command change their sign. The target rate is the angular velocity of the
    commanded attitude relative to inertial space. The target rate is zero if the guidance does not supply
    it."""

    kind: Literal["attitude"] = "attitude"
    """Attitude control."""
    body: str
    """Name of the body whose attitude is controlled."""
    axes: Literal["inertial", "local_level", "lvlh"] = "inertial"
    """Reference axes of the commanded angles. "inertial": inertial axes. "local_level": north, east, down.
    "lvlh" (local vertical, local horizontal): z to the planet's centre, y opposite to the orbital angular
    momentum."""
    sequence: str = "3-2-1"
    """Order of the body-fixed rotations from the reference axes to the commanded axes: "3-2-1" is yaw, pitch,
    roll."""
    angles: AngleTarget | None = None
    """Commanded angles [rad], in the order of the sequence: constant, or a table over flight time. Give this
    or `follows`."""
    follows: str | None = None
    """Name of the guidance law that commands the attitude, in place of `angles`."""
    kp: AxisGain
    """Command per angle of the error: one value for all axes, three values, or a schedule. Numbers without a
    unit are SI."""
    kd: AxisGain = 0.0
    """Command per error of the rate: one value for all axes, three values, or a schedule. Numbers without a
    unit are SI."""

    @model_validator(mode="after")
    def _check(self) -> AttitudeHold:
        text = self.sequence
        if not re.fullmatch(r"[123]-[123]-[123]", text) or text[0] == text[2] or text[2] == text[4]:
            raise Refused(
                (
                    "sequence",
                    f"'{text[:40]}' is not a rotation sequence. Give three numbers from 1 to 3, without"
                    " the same number twice in succession, like 3-2-1",
                )
            )
        if (self.angles is None) == (self.follows is None):
            both = "neither angles nor follows is set. Give angles, or name a guidance law in follows"
            remedy = "Remove one of these keys"
            raise Refused(
                ("angles", both if self.angles is None else f"'angles' and 'follows' are both set. {remedy}")
            )
        _check_gain("kp", self.kp)
        _check_gain("kd", self.kd)
        return self


def _check_gain(name: str, gain: Any) -> None:
    if not isinstance(gain, Declaration):
        check_axes(name, gain)


class ThrottleLimit(Law):
    """A throttle law that limits the load factor and the dynamic pressure of a stack, see `throttle`.

    An engine follows the law if its `throttle` names the command. The command is `setting`, reduced if a
    limit requires it. The law uses the present thrust and aerodynamic forces. Therefore the load reaches its
    limit without error."""

    kind: Literal["throttle"] = "throttle"
    """A throttle law with limits of load factor and dynamic pressure."""
    body: str
    """Name of the body whose x axis is the direction of the load. The stack includes the bodies that joints
    connect to this body."""
    setting: Gain = 1.0
    """Throttle while no limit is active: a number or a schedule."""
    load_factor: Annotated[Any, si("1", positive=True)] | None = None
    """Maximum load factor along body x from thrust and aerodynamic forces [standard gravities]. Default: no
    limit."""
    dynamic_pressure: Annotated[Any, si("Pa", positive=True)] | None = None
    """Maximum dynamic pressure [Pa]. Default: no limit."""
    response: Annotated[Any, si("s", positive=True)] = 1.0
    """Time constant [s] with which the dynamic pressure approaches its limit. With a smaller value, the
    throttle changes later and faster."""
    least: Annotated[Any, si("1", nonnegative=True)] = 0.0
    """Minimum throttle that the limits may command. If a limit requires a lower throttle, the limit is
    exceeded."""

    @model_validator(mode="after")
    def _check(self) -> ThrottleLimit:
        if self.load_factor is None and self.dynamic_pressure is None:
            raise Refused(
                (
                    "load_factor",
                    "neither 'load_factor' nor 'dynamic_pressure' is set. Give at least one limit",
                )
            )
        for field in ("period", "limit"):
            if getattr(self, field) is not None:
                text = (
                    f"'{field}' does not apply to a throttle law, which is continuous and has its own limits"
                )
                raise Refused((field, f"{text}. Remove this key"))
        return self


CALL = Call(("t", "measured"), "the command")


class UserControl(Law):
    """A control law from a user's Python class in an installed package. The class is imported only when a
    scenario runs. The engine calls its object with the time [s] (*cases) and the quantities of `measures` by
    name (*cases). The object returns the command: (*cases), or (3, *cases) if `outputs` is "vector"."""

    kind: Literal["user"] = "user"
    """A Python class of the user, such as class = "mylaws:Drag"."""
    class_path: ClassPath = Field(alias="class")
    """Path of the class, as "package.module:Class"."""
    parameters: Parameters = Parameters()
    """Arguments of the class: numbers (SI units), lists of numbers, texts, true or false."""
    body: str | None = None
    """Name of the controlled body, for reports only. Quantities have their full names."""
    measures: tuple[str, ...] = ()
    """Quantities that the class receives, by their names in the results, for example
    "bodies.rocket.alpha"."""
    outputs: Literal["scalar", "vector"] = "scalar"
    """Shape of the command: one number, or three along the body axes."""

    def from_elsewhere(self) -> str | None:
        """A fingerprint of the Python class; None if it cannot be determined."""
        return user_class.fingerprint(self.class_path, self.parameters, CALL)


def is_vector(law: Any) -> bool:
    """Return whether the command of a law has three components along the body axes."""
    return isinstance(law, (RateHold, AttitudeHold)) or (
        isinstance(law, UserControl) and law.outputs == "vector"
    )


def signals(law: Any) -> tuple[str, ...]:
    """Return the names of the components of the command of a law: controls.<name>, or controls.<name>.x, .y
    and .z.
    """
    name = f"controls.{law.name}"
    return tuple(f"{name}.{axis}" for axis in AXES) if is_vector(law) else (name,)


def angular_velocity_names(body: str) -> tuple[str, ...]:
    """Return the paths of the components of a body's angular velocity. body: name of the body."""
    return tuple(f"bodies.{body}.angular_velocity.{axis}" for axis in AXES)


def attitude_names(body: str) -> tuple[str, ...]:
    """Return the paths of the components of a body's attitude quaternion. body: name of the body."""
    return tuple(f"bodies.{body}.attitude.{k}" for k in range(4))


def needs(law: Any) -> tuple[str, ...]:
    """Return the paths of the quantities that a law reads, each once. The flight time is not included."""
    if isinstance(law, PID):
        read = [law.measured, law.rate, *overs(law.kp, law.ki, law.kd, law.bias)]
    elif isinstance(law, RateHold):
        read = [*angular_velocity_names(law.body), *overs(law.gain)]
    elif isinstance(law, AttitudeHold):
        rates = angular_velocity_names(law.body)
        read = [*attitude_names(law.body), *rates, *overs(law.kp, law.kd)]
    elif isinstance(law, ThrottleLimit):
        read = [*overs(law.setting)]
    else:
        read = [*law.measures]
    return tuple(dict.fromkeys(name for name in read if name is not None and name != "time"))


def integrals(law: Any) -> int:
    """Return the number of integrals of a law, 0 or 1. The integral is a state of a continuous law, or a
    switch of a sampled law.
    """
    return int(isinstance(law, PID) and law.ki is not None)


def states(law: Any) -> int:
    """Return the number of continuous states of a law, 0 or 1. A sampled law has no continuous state, because
    its integral changes only at samples.
    """
    return integrals(law) if law.period is None else 0


BY_TIME = ("controls",)
"""The groups of a scenario that can contain functions of flight time; see `starts.saved`."""
KINDS = {"controls": (PID, RateHold, AttitudeHold, ThrottleLimit, UserControl), "actuators": (Actuator,)}
