"""Declaration of control laws: scalar loops, holds of body rates and attitude, and laws of the user.

A law computes a command from quantities of the flight: one number, or three along the body axes. `needs`
lists the quantities; `control_laws` computes the commands; actuators (see `actuator`) follow them. A law is
continuous, or sampled with a period. The command of a sampled law is constant between samples."""

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
from ...tree.errors import Refused, count_text
from ...tree.names import Name
from ...tree.units import si
from .actuator import Actuator
from .gain_schedule import AxisGain, Gain, any_unit, check_axes, check_bounds, overs

AXES = ("x", "y", "z")


class TargetTable(TimeTable):
    """A target as a function of flight time."""

    value: Annotated[Any, any_unit(("n",))]
    """Target at each time, in SI or with its unit."""
    outside: Literal["hold", "zero"] = "hold"
    """Before the first and after the last time: the nearest value, or zero."""


class RateTable(TimeTable):
    """A target of body rates as a function of flight time."""

    value: Annotated[Any, si("rad/s", ("n", 3))]
    """Angular velocity at each time [rad/s], body axes."""
    outside: Literal["hold", "zero"] = "hold"
    """Before the first and after the last time: the nearest value, or zero."""


class AngleTable(TimeTable):
    """Commanded angles of a rotation sequence as a function of flight time."""

    value: Annotated[Any, si("rad", ("n", 3))]
    """Angles at each time [rad], in the order of the sequence. They are interpolated as numbers: from 350 deg
    to 10 deg the path passes 180 deg, from 350 deg to 370 deg it does not."""
    outside: Literal["hold", "zero"] = "hold"
    """Angles before the first and after the last time: the nearest angles, or zero. Their rates are zero
    there; they jump if the table begins or ends with a slope."""


def _table_or(table: type[Declaration], other: str = "number") -> Any:
    def choose(value: Any) -> str:
        tabulated = isinstance(value, table) or (isinstance(value, dict) and "magnitude" not in value)
        return table.__name__ if tabulated else other

    return choose


Target = Annotated[Value | TargetTable, OneOf(_table_or(TargetTable, "Value"))]
RateTarget = Annotated[Annotated[Any, si("rad/s", (3,))] | RateTable, OneOf(_table_or(RateTable))]
AngleTarget = Annotated[Annotated[Any, si("rad", (3,))] | AngleTable, OneOf(_table_or(AngleTable))]


class Law(Effect):
    """Common fields of control laws."""

    name: Name
    """Name of the law; its command is controls.<name>, or controls.<name>.x, .y and .z."""
    period: Annotated[Any, si("s")] | None = None
    """Sample period [s]. Default: continuous. The first sample is at the start of the flight, or of the first
    phase of `phases`. The command is constant between samples."""
    phases: tuple[str, ...] | None = None
    """Names of the phases in which the law is on. Integrals start from zero when it is switched on. Default:
    always."""
    limit: Annotated[Any, any_unit(("n",), positive=True, grow=True)] | None = None
    """Bound on the absolute value of the command, in SI or with its unit; one value, or one for each of three
    axes."""
    off_value: Annotated[Any, any_unit(("n",), grow=True)] = 0.0
    """Command while the law is off, in SI or with its unit; one value, or one for each of three axes."""

    @property
    def changing(self) -> bool:
        """Whether the law has states."""
        return states(self) > 0

    @model_validator(mode="after")
    def _check_law(self) -> Law:
        if isinstance(self.period, np.ndarray) and not (self.period > 0).all():
            raise Refused(
                (
                    "period",
                    f"{float(self.period.min()):g} s must be more than zero. Remove it for a continuous law",
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
                f"has {count_text(value.shape[0], 'numbers')}, but the command is one number. Give one"
                " number",
            )
        )


class PID(Law):
    """A scalar loop: command = bias + kp e + integral of (ki e) + kd (target's rate - rate), e = target -
    measured.

    Examples: an angle of attack or pitch angle controlled by a gimbal or fin, or a load controlled by the
    throttle. A law with feedback of an acceleration to its cause must be sampled, because a continuous law
    would be an algebraic loop. The integral stops growing while the command is at its limit."""

    watched: ClassVar[tuple[tuple[str, str], ...]] = (("measured", "target"),)
    kind: Literal["pid"] = "pid"
    """A scalar loop with proportional, integral and derivative parts."""
    body: str | None = None
    """Controlled body, for reports only. Quantities have their full names."""
    measured: str
    """Controlled quantity, as named in results: "bodies.rocket.alpha"."""
    rate: str | None = None
    """Quantity that is used as the rate of `measured`: "bodies.rocket.angular_velocity.y". Required with
    `kd`."""
    target: Target
    """Target of `measured`: a number with its unit, or bare in SI, or a table over flight time."""
    kp: Gain = 0.0
    """Command per error, in SI or with its unit: a number or a schedule."""
    ki: Gain | None = None
    """Command per error and second, in SI or with its unit: a number or a schedule. The integral has the unit
    of the command, so that a schedule affects only its further growth. Default: no integral."""
    kd: Gain | None = None
    """Command per error of the rate, in SI or with its unit: a number or a schedule."""
    bias: Gain = 0.0
    """Command at zero error, in SI or with its unit: a number or a schedule."""
    lower: Annotated[Any, any_unit()] | None = None
    """Smallest command, in SI or with its unit, in place of `limit`. Requires `upper`."""
    upper: Annotated[Any, any_unit()] | None = None
    """Largest command, in SI or with its unit. Requires `lower`."""

    @model_validator(mode="after")
    def _check(self) -> PID:
        if self.kd is not None and self.rate is None:
            raise Refused(
                (
                    "rate",
                    "is required with kd. Name a quantity, for example bodies.rocket.angular_velocity.y",
                )
            )
        if self.kd is None and self.rate is not None:
            raise Refused(("kd", "is required with rate. Give a gain, or remove rate"))
        if (self.lower is None) != (self.upper is None):
            raise Refused(("lower", "lower and upper are used together. Give both, or limit"))
        if self.limit is not None and self.lower is not None:
            raise Refused(("limit", "'limit' and 'lower', 'upper' are both set. Keep one form"))
        check_bounds(self.lower, self.upper)
        return self


class RateHold(Law):
    """Three-axis control of body rates: command = gain (target - angular velocity), body axes."""

    kind: Literal["rate"] = "rate"
    """Control of the three body rates."""
    body: str
    """Body with the controlled angular velocity."""
    target: RateTarget = (0.0, 0.0, 0.0)
    """Target angular velocity [rad/s], body axes; constant, or a table over flight time."""
    gain: AxisGain
    """Command per error of the rate, in SI or with its unit: one for all axes, three, or a schedule."""

    @model_validator(mode="after")
    def _check(self) -> RateHold:
        _check_gain("gain", self.gain)
        return self


class AttitudeHold(Law):
    """Three-axis attitude control: command = kp e + kd (target rate - angular velocity), body axes.

    e [rad] is the vector of the shortest rotation from the body to the commanded attitude. At 180 deg this
    rotation, and so the command, changes its sign. The target rate is the angular velocity of the commanded
    attitude relative to inertial space; zero if guidance does not supply it."""

    kind: Literal["attitude"] = "attitude"
    """Attitude control."""
    body: str
    """Body with the controlled attitude."""
    axes: Literal["inertial", "local_level", "lvlh"] = "inertial"
    """Reference axes of the commanded angles: inertial; "local_level" (north, east, down); or "lvlh", local
    vertical, local horizontal (z to the centre, y against the orbital angular momentum)."""
    sequence: str = "3-2-1"
    """Body-fixed rotations from the reference axes to the commanded axes: "3-2-1" is yaw, pitch, roll."""
    angles: AngleTarget | None = None
    """Commanded angles [rad], in the order of the sequence; constant, or a table over flight time. Give this
    or `follows`."""
    follows: str | None = None
    """Name of the guidance law that gives the attitude, in place of `angles`."""
    kp: AxisGain
    """Command per angle, in SI or with its unit: one for all axes, three, or a schedule."""
    kd: AxisGain = 0.0
    """Command per error of the rate, in SI or with its unit: one for all axes, three, or a schedule."""

    @model_validator(mode="after")
    def _check(self) -> AttitudeHold:
        text = self.sequence
        if not re.fullmatch(r"[123]-[123]-[123]", text) or text[0] == text[2] or text[2] == text[4]:
            raise Refused(
                (
                    "sequence",
                    f"'{text[:40]}' is not a rotation sequence. Give three axes of 1, 2 and 3, none twice"
                    " in succession, like 3-2-1",
                )
            )
        if (self.angles is None) == (self.follows is None):
            both = "is missing, as is follows. Give the commanded angles, or the name of a guidance law"
            remedy = "Keep one"
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
    """A throttle law that limits the load and the dynamic pressure of a stack, see `throttle`. Engines whose
    `throttle` names its command follow the setting, reduced as a limit requires.

    It uses the present thrust and aerodynamic forces, so that the load is exactly at its limit."""

    kind: Literal["throttle"] = "throttle"
    """A throttle law with limits."""
    body: str
    """Body whose x axis defines the load direction. Bodies connected by joints belong to the stack."""
    setting: Gain = 1.0
    """Throttle without an active limit: a number or a schedule."""
    load_factor: Annotated[Any, si("1", positive=True)] | None = None
    """Largest load along body x from thrust and aerodynamic forces [standard gravities]. Default: no
    limit."""
    dynamic_pressure: Annotated[Any, si("Pa", positive=True)] | None = None
    """Largest dynamic pressure [Pa]. Default: no limit."""
    response: Annotated[Any, si("s", positive=True)] = 1.0
    """Time constant [s] with which the dynamic pressure approaches its limit. A smaller value throttles later
    and faster."""
    least: Annotated[Any, si("1", nonnegative=True)] = 0.0
    """Smallest throttle from a limit. If a limit requires less, it is exceeded."""

    @model_validator(mode="after")
    def _check(self) -> ThrottleLimit:
        if self.load_factor is None and self.dynamic_pressure is None:
            raise Refused(("load_factor", "is missing, as is dynamic_pressure. Give at least one limit"))
        for field in ("period", "limit"):
            if getattr(self, field) is not None:
                text = "does not apply to a throttle law, which is continuous and has its own limits"
                raise Refused((field, f"{text}. Remove it"))
        return self


CALL = Call(("t", "measured"), "the command")


class UserControl(Law):
    """A control law of the user: a Python class of an installed package. It is imported only when a scenario
    is run. Its object is called with the time [s] (*cases) and the quantities of `measures` by name (*cases).
    It returns the command: (*cases), or (3, *cases) if `outputs` is "vector"."""

    kind: Literal["user"] = "user"
    """A class of the user."""
    class_path: ClassPath = Field(alias="class")
    """The class, as "package.module:Class"."""
    parameters: Parameters = Parameters()
    """Parameters of the class: numbers (SI), lists of numbers, texts, true or false."""
    body: str | None = None
    """Controlled body, for reports only. Quantities have their full names."""
    measures: tuple[str, ...] = ()
    """Names of the input quantities, as in results."""
    outputs: Literal["scalar", "vector"] = "scalar"
    """Shape of the command: one number, or three along the body axes."""

    def from_elsewhere(self) -> str | None:
        """Fingerprint of the class."""
        return user_class.fingerprint(self.class_path, self.parameters, CALL)


def is_vector(law: Any) -> bool:
    """Whether the command has three components along the body axes."""
    return isinstance(law, (RateHold, AttitudeHold)) or (
        isinstance(law, UserControl) and law.outputs == "vector"
    )


def signals(law: Any) -> tuple[str, ...]:
    """Names of the command's components: controls.<name>, or with .x, .y and .z."""
    name = f"controls.{law.name}"
    return tuple(f"{name}.{axis}" for axis in AXES) if is_vector(law) else (name,)


def angular_velocity_names(body: str) -> tuple[str, ...]:
    """Names of the components of a body's angular velocity."""
    return tuple(f"bodies.{body}.angular_velocity.{axis}" for axis in AXES)


def attitude_names(body: str) -> tuple[str, ...]:
    """Names of the components of a body's attitude quaternion."""
    return tuple(f"bodies.{body}.attitude.{k}" for k in range(4))


def needs(law: Any) -> tuple[str, ...]:
    """Names of the quantities that the law reads, each once; time is not among them."""
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
    """Number of integrals of the law: states of a continuous law, memories of a sampled law."""
    return int(isinstance(law, PID) and law.ki is not None)


def states(law: Any) -> int:
    """Number of continuous states of the law. The integral of a sampled law changes at samples only."""
    return integrals(law) if law.period is None else 0


BY_TIME = ("controls",)
"""Groups with functions of flight time, see `starts.saved`."""
KINDS = {"controls": (PID, RateHold, AttitudeHold, ThrottleLimit, UserControl), "actuators": (Actuator,)}
