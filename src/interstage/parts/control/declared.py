"""Control laws as declared: scalar loops, holds of body rates and of attitude, and laws of the user's own.

A law turns quantities of the flight into a command: one number, or three along the body axes. `needs` names
the quantities; `control_laws` computes the commands; actuators (see `actuator`) follow them. A law is
continuous, or sampled with a period, and its command is then held between samples."""

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
from ...tree.errors import Refused, counted
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
    to 10 deg the way leads through 180 deg, to 370 deg it does not."""
    outside: Literal["hold", "zero"] = "hold"
    """Before the first and after the last time: the nearest angles, or zero. Their rates are zero there, and
    jump where the table begins or ends on a slope."""


def _table_or(table: type[Declaration], other: str = "number") -> Any:
    def choose(value: Any) -> str:
        tabulated = isinstance(value, table) or (isinstance(value, dict) and "magnitude" not in value)
        return table.__name__ if tabulated else other

    return choose


Target = Annotated[Value | TargetTable, OneOf(_table_or(TargetTable, "Value"))]
RateTarget = Annotated[Annotated[Any, si("rad/s", (3,))] | RateTable, OneOf(_table_or(RateTable))]
AngleTarget = Annotated[Annotated[Any, si("rad", (3,))] | AngleTable, OneOf(_table_or(AngleTable))]


class Law(Effect):
    """What every control law has."""

    name: Name
    """Name of the law; its command is controls.<name>, or controls.<name>.x, .y and .z."""
    period: Annotated[Any, si("s")] | None = None
    """Sample period [s]. Default: continuous. The first sample is taken at the start of the flight, or of
    the first phase of `phases`; between samples the command is held."""
    phases: tuple[str, ...] | None = None
    """Names of the phases in which it is on. Default: always. Integrals start from zero when it is switched
    on."""
    limit: Annotated[Any, any_unit(("n",), positive=True, grow=True)] | None = None
    """Absolute bound on the command, in SI or with its unit; one, or one for each of three axes."""
    off_value: Annotated[Any, any_unit(("n",), grow=True)] = 0.0
    """Command while it is off, in SI or with its unit; one, or one for each of three axes."""

    @property
    def changing(self) -> bool:
        """Whether it adds numbers to the state, or changes masses."""
        return states(self) > 0

    @model_validator(mode="after")
    def _check_law(self) -> Law:
        if isinstance(self.period, np.ndarray) and not (self.period > 0).all():
            raise Refused(
                (
                    "period",
                    f"{float(self.period.min()):g} s must be more than zero; leave it out for a continuous"
                    " law",
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
            (name, f"has {counted(value.shape[0], 'numbers')} where the command is one; give one number")
        )


class PID(Law):
    """A scalar loop: command = bias + kp e + integral of (ki e) + kd (target's rate - rate), e = target -
    measured.

    It holds an angle of attack or a pitch angle by a gimbal or a fin, or a load by the throttle. A law that
    feeds an acceleration back to what causes it must be sampled: continuous, it would be an algebraic loop.
    The integral stops growing while the command is at its limit."""

    watched: ClassVar[tuple[tuple[str, str], ...]] = (("measured", "target"),)
    kind: Literal["pid"] = "pid"
    """A scalar loop with proportional, integral and derivative parts."""
    body: str | None = None
    """The body that it steers, for reports; the quantities are named in full."""
    measured: str
    """The quantity that is to reach the target, as named in results: "bodies.rocket.alpha"."""
    rate: str | None = None
    """The quantity that stands for the rate of `measured`: "bodies.rocket.angular_velocity.y"; needed with
    `kd`."""
    target: Target
    """What `measured` is to become: a number with its unit, or bare in SI, or a table over flight time."""
    kp: Gain = 0.0
    """Command per error, in SI or with its unit: a number or a schedule."""
    ki: Gain | None = None
    """Command per error and second, in SI or with its unit: a number or a schedule. Default: no integral.
    The integral is kept in units of the command, so that a schedule changes only what is still to come."""
    kd: Gain | None = None
    """Command per error of the rate, in SI or with its unit: a number or a schedule."""
    bias: Gain = 0.0
    """Command without any error, in SI or with its unit: a number or a schedule."""
    lower: Annotated[Any, any_unit()] | None = None
    """Least command, in SI or with its unit, where the bounds are not -limit and limit; needs `upper`."""
    upper: Annotated[Any, any_unit()] | None = None
    """Greatest command, in SI or with its unit; needs `lower`."""

    @model_validator(mode="after")
    def _check(self) -> PID:
        if self.kd is not None and self.rate is None:
            raise Refused(
                ("rate", "is required with kd: the quantity to damp, like bodies.rocket.angular_velocity.y")
            )
        if self.kd is None and self.rate is not None:
            raise Refused(("kd", "is required with rate; give a gain, or leave rate out"))
        if (self.lower is None) != (self.upper is None):
            raise Refused(("lower", "lower and upper belong together; give both, or limit"))
        if self.limit is not None and self.lower is not None:
            raise Refused(("limit", "is given beside lower and upper; give either"))
        check_bounds(self.lower, self.upper)
        return self


class RateHold(Law):
    """Three-axis hold of body rates: command = gain (target - angular velocity), body axes."""

    kind: Literal["rate"] = "rate"
    """Hold of the three body rates."""
    body: str
    """The body whose angular velocity is held."""
    target: RateTarget = (0.0, 0.0, 0.0)
    """Angular velocity to hold [rad/s], body axes; constant, or a table over flight time."""
    gain: AxisGain
    """Command per error of the rate, in SI or with its unit: one for all axes, three, or a schedule."""

    @model_validator(mode="after")
    def _check(self) -> RateHold:
        _check_gain("gain", self.gain)
        return self


class AttitudeHold(Law):
    """Three-axis hold of an attitude: command = kp e + kd (target rate - angular velocity), body axes.

    e [rad] is the rotation vector that turns the body into the commanded attitude by the shortest way. At a
    turn of 180 deg that way, and so the command, jumps to the other side. The target rate is that of the
    commanded attitude relative to inertial space; zero where guidance does not know it."""

    kind: Literal["attitude"] = "attitude"
    """Hold of an attitude."""
    body: str
    """The body whose attitude is held."""
    axes: Literal["inertial", "local_level", "lvlh"] = "inertial"
    """The axes that the commanded angles start from: inertial; north, east and down; or local vertical, local
    horizontal (z to the centre, y against the orbital angular momentum)."""
    sequence: str = "3-2-1"
    """The body-fixed rotations from those axes to the commanded ones: "3-2-1" is yaw, pitch, roll."""
    angles: AngleTarget | None = None
    """Commanded angles [rad], in the order of the sequence; constant, or a table over flight time. Either
    these or `follows`."""
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
                    f"'{text[:40]}' is not a rotation sequence; allowed: three axes of 1, 2 and 3, none twice"
                    " running, like 3-2-1",
                )
            )
        if (self.angles is None) == (self.follows is None):
            both = "is required: the angles to hold, or follows with the name of a guidance law"
            remedy = "give the angles to hold, or the guidance law that gives the attitude"
            raise Refused(("angles", both if self.angles is None else f"is given beside follows; {remedy}"))
        _check_gain("kp", self.kp)
        _check_gain("kd", self.kd)
        return self


def _check_gain(name: str, gain: Any) -> None:
    if not isinstance(gain, Declaration):
        check_axes(name, gain)


class ThrottleLimit(Law):
    """A throttle that keeps the load and the dynamic pressure of a stack within limits, see `throttle`: the
    engines whose `throttle` names its command follow the setting, or as much less as a limit asks for.

    It knows of thrust and air at this very moment, so that the load is at its limit exactly."""

    kind: Literal["throttle"] = "throttle"
    """A throttle within limits."""
    body: str
    """The body along whose x axis the load counts; what joints hold to it is pushed with it."""
    setting: Gain = 1.0
    """Throttle while no limit is met: a number or a schedule."""
    load_factor: Annotated[Any, si("1", positive=True)] | None = None
    """Greatest load along body x by thrust and air [standard gravities]. Default: any."""
    dynamic_pressure: Annotated[Any, si("Pa", positive=True)] | None = None
    """Greatest dynamic pressure [Pa]. Default: any."""
    response: Annotated[Any, si("s", positive=True)] = 1.0
    """Time constant [s] with which the dynamic pressure approaches its limit; less of it throttles later, and
    more steeply."""
    least: Annotated[Any, si("1", nonnegative=True)] = 0.0
    """Least throttle that a limit leads to; below it the limit is not kept."""

    @model_validator(mode="after")
    def _check(self) -> ThrottleLimit:
        if self.load_factor is None and self.dynamic_pressure is None:
            raise Refused(("load_factor", "is required, or dynamic_pressure: what the throttle is to keep"))
        for field in ("period", "limit"):
            if getattr(self, field) is not None:
                text = "does not go with a throttle, which goes by this very moment within its own limits"
                raise Refused((field, f"{text}; leave it out"))
        return self


CALL = Call(("t", "measured"), "the command")


class UserControl(Law):
    """A law of the user's own: a Python class of an installed package. It is imported only when a scenario is
    run. The object is called with the time [s] (*cases) and the quantities of `measures` by name (*cases),
    and returns the command: (*cases), or (3, *cases) where `outputs` is "vector"."""

    kind: Literal["user"] = "user"
    """A class of the user's own."""
    class_path: ClassPath = Field(alias="class")
    """The class, as "package.module:Class"."""
    parameters: Parameters = Parameters()
    """What is handed to the class: numbers (SI), lists of numbers, texts, true or false."""
    body: str | None = None
    """The body that it steers, for reports; the quantities are named in full."""
    measures: tuple[str, ...] = ()
    """Names of the quantities that it is handed, as in results."""
    outputs: Literal["scalar", "vector"] = "scalar"
    """Whether the command is one number, or three along the body axes."""

    def from_elsewhere(self) -> str | None:
        """What the class computes."""
        return user_class.described(self.class_path, self.parameters, CALL)


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
    """How many integrals the law keeps: states of a continuous law, memories of a sampled one."""
    return int(isinstance(law, PID) and law.ki is not None)


def states(law: Any) -> int:
    """How many continuous states the law has; the integral of a sampled law changes at samples only."""
    return integrals(law) if law.period is None else 0


BY_TIME = ("controls",)
"""Groups in which functions of flight time may stand, see `flight.saved_starts`."""
KINDS = {"controls": (PID, RateHold, AttitudeHold, ThrottleLimit, UserControl), "actuators": (Actuator,)}
