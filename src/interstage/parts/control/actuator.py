"""Actuators with lags and limits. An actuator converts commands to the position of a gimbal, fin, throttle or
valve.

The commanded position is w = (sum of gain times command) + bias, within the limits of the position. The
models are

- `ideal`: x = w;
- `first_order`: dx/dt = (w - x)/T, limited to the range from -r to r;
- `second_order`: dx/dt = v, dv/dt = f^2 (w - x) - 2 d f v, with v limited to the range from -r to r;

where x is the position, v its velocity, T the time constant, f the undamped angular frequency, d the damping
ratio and r the rate limit.

The position limits apply to w in all models. In the first two models, the limits also apply to x. The
position of a second-order actuator can reach a limit with a velocity. The limit then acts as a stop: v
becomes zero, and x stays at the limit until w is inside the limits.

Limits are exact minima and maxima, so derivatives at a limit are one-sided. The acceleration of a
second-order actuator jumps at the rate limit and at the stops.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BeforeValidator, model_validator

from ...maths.arrays import jnp
from ...model.effect import Effect
from ...tree.declaration import Declaration, OneOf
from ...tree.errors import Refused, Written
from ...tree.names import PATTERN, Name
from ...tree.sentences import count_text
from ...tree.unit_names import UnitError, parse_unit
from ...tree.units import si
from .gain_schedule import any_unit, check_bounds, for_cases

STOPPING = 10.0
"""The decay rate of the velocity v at a stop, divided by the undamped angular frequency. The decay does not
affect the position. The decay is fast compared with the actuator, but slow enough to keep the equations
non-stiff.
"""


class Ideal(Declaration):
    """An actuator without lag: its position is the commanded position."""

    kind: Literal["ideal"] = "ideal"
    """An actuator without lag."""


class FirstOrder(Declaration):
    """An actuator with a first-order lag: dx/dt = (w - x)/T."""

    kind: Literal["first_order"] = "first_order"
    """An actuator with a first-order lag."""
    time_constant: Annotated[Any, si("s", positive=True)]
    """Time constant T [s]."""


class SecondOrder(Declaration):
    """An actuator with a second-order lag: dv/dt = f^2 (w - x) - 2 d f v."""

    kind: Literal["second_order"] = "second_order"
    """An actuator with a second-order lag."""
    frequency: Annotated[Any, si("rad/s", positive=True)]
    """Undamped angular frequency f [rad/s]."""
    damping: Annotated[Any, si("1", nonnegative=True)]
    """Damping ratio d; 1 is critical damping."""


Lag = Annotated[Ideal | FirstOrder | SecondOrder, OneOf(short=True)]


def _as_list(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


class Actuator(Effect):
    """An actuator that follows commands of control laws. The position of the actuator is the signal
    actuators.<name>."""

    name: Name
    """Name of the actuator in paths and tables."""
    command: Annotated[
        tuple[str, ...], BeforeValidator(_as_list, json_schema_input_type=str | tuple[str, ...])
    ]
    """Name of a command, "controls.pitch" or "controls.hold.y". A list of names gives the sum of several
    commands."""
    gain: Annotated[Any, any_unit(("n",), grow=True)] = 1.0
    """Position per command: one value, or one value for each command. A number without a unit is SI."""
    bias: Annotated[Any, any_unit()] = 0.0
    """Position at zero command, with a unit. A number without a unit is SI."""
    unit: str = "1"
    """Unit of the position: "rad" for a gimbal or a fin, "1" for a throttle. Values with units must have the
    same dimension. Numbers without a unit are SI."""
    model: Lag = Ideal()
    """Dynamics of the actuator: "ideal", or the table of a first-order or second-order lag."""
    rate_limit: Annotated[Any, any_unit(positive=True)] | None = None
    """Maximum magnitude of the rate of the position, per second. Requires a lag. Default: no limit."""
    lower: Annotated[Any, any_unit()] | None = None
    """Lower limit of the position. Default: no limit."""
    upper: Annotated[Any, any_unit()] | None = None
    """Upper limit of the position. Default: no limit."""
    initial: Annotated[Any, any_unit()] | None = None
    """Position at the start, at zero rate. Requires a lag. Default: the commanded position at the start."""
    fails_after: str | None = None
    """Phase or event at which the actuator fails. After a failure, the actuator does not move. Default: no
    failure."""
    stuck_at: Annotated[Any, any_unit()] | None = None
    """Position after the failure. Required for an ideal actuator. Default: the position at the failure."""

    @property
    def changing(self) -> bool:
        """Whether the actuator has continuous states."""
        return states(self) > 0

    @model_validator(mode="before")
    @classmethod
    def _units(cls, data: Any) -> Any:
        """Converts texts to numbers in the unit of the position."""
        unit = data.get("unit", "1") if isinstance(data, dict) else None
        if isinstance(unit, str):
            try:
                parse_unit(unit or "1")
            except UnitError as error:
                raise Refused(("unit", f'{error}. Give a unit like "rad", or "1"')) from None
            problems = []
            for name in ("bias", "lower", "upper", "initial", "stuck_at", "rate_limit"):
                text = data.get(name)
                try:
                    if isinstance(text, str):
                        si(f"({unit or '1'})/s" if name == "rate_limit" else unit)(text)
                except UnitError as error:
                    problems.append((name, f"{error}. The unit of this actuator is {unit!r}"))
            if problems:
                raise Refused(*problems)
        return data

    @model_validator(mode="after")
    def _check(self) -> Actuator:
        _check_commands(self.command, self.gain)
        check_bounds(self.lower, self.upper)
        ideal = isinstance(self.model, Ideal)
        for option in ("rate_limit", "initial"):
            if ideal and getattr(self, option) is not None:
                raise Refused(
                    (
                        option,
                        f"'{option}' needs an actuator with a lag. Set model, for example model = {{ kind "
                        '= "first_order", time_constant = "0.02 s" }',
                    )
                )
        if self.stuck_at is not None and self.fails_after is None:
            raise Refused(
                (
                    "fails_after",
                    (
                        "'fails_after' is required with 'stuck_at'. Name the phase or event at which "
                        "the actuator fails"
                    ),
                )
            )
        if ideal and self.fails_after is not None and self.stuck_at is None:
            raise Refused(
                (
                    "stuck_at",
                    (
                        "'stuck_at' is required with 'fails_after' for an ideal actuator. Give the "
                        "position after the failure"
                    ),
                )
            )
        for option in ("initial", "stuck_at"):
            _check_within(option, getattr(self, option), self.lower, self.upper)
        return self


def _check_commands(commands: tuple[str, ...], gain: Any) -> None:
    if not commands:
        raise Refused(
            ("command", ("'command' is an empty list. Name at least one command, like controls.pitch"))
        )
    for text in commands:
        if not _is_signal(text):
            raise Refused(
                (
                    "command",
                    f"'{text[:80]}' is not the command of a control law. Write controls.<name>. For a law"
                    " with three axes, write controls.<name>.x, .y or .z",
                )
            )
    if isinstance(gain, np.ndarray) and gain.shape[0] not in (1, len(commands)):
        raise Refused(
            (
                "gain",
                f"'gain' has {count_text(gain.shape[0], 'numbers')}, but command has "
                f"{count_text(len(commands), 'entries')}. Give one number for all commands, or one number "
                "for each command",
            )
        )


def _is_signal(text: str) -> bool:
    return re.fullmatch(rf"controls\.{PATTERN}(\.[xyz])?", text) is not None


def _check_within(name: str, value: Any, lower: Any, upper: Any) -> None:
    """Reject a position outside the limits."""
    sides = (lower, np.less, "lower", "below"), (upper, np.greater, "upper", "above")
    for bound, beyond, word, side in sides:
        if not (isinstance(value, np.ndarray) and isinstance(bound, np.ndarray)):
            continue
        at, limit = np.broadcast_arrays(value, bound)
        wrong = beyond(at, limit)
        if wrong.any():
            text = f"{{{name}}} is {side} {word}, {{{word}}}. Give a position within the limits"
            raise Refused((name, Written(text)))


def states(actuator: Actuator) -> int:
    """Return the number of states of an actuator: 0, 1 (position) or 2 (position and velocity)."""
    return {Ideal: 0, FirstOrder: 1, SecondOrder: 2}[type(actuator.model)]


def commanded_position(actuator: Actuator, commands: Mapping[str, Any]) -> Any:
    """Return the commanded position (*cases), within the position limits. commands: commands (*cases) by
    name.
    """
    total = jnp.asarray(actuator.bias, float)
    for k, name in enumerate(actuator.command):
        value = jnp.asarray(commands[name], float)
        gain = for_cases(actuator.gain, value)
        total = total + gain[min(k, gain.shape[0] - 1)] * value
    return _within(actuator, total)


def _within(actuator, position):
    """Position within its limits."""
    from ...maths.interpolation import clamp

    lower = -np.inf if actuator.lower is None else actuator.lower
    upper = np.inf if actuator.upper is None else actuator.upper
    return clamp(position, lower, upper)


def initial(actuator: Actuator, commands: Mapping[str, Any]) -> Any:
    """Return the initial state of an actuator (state, *cases), with zero rate.

    The position is `initial` of the actuator. Default: the commanded position. commands: commands (*cases) by
    name.
    """
    start = commanded_position(actuator, commands)
    if actuator.initial is not None:
        start = jnp.broadcast_to(actuator.initial, start.shape)
    return jnp.stack([start, jnp.zeros_like(start)])[: states(actuator)]


def position(actuator: Actuator, state: Any, commands: Mapping[str, Any], stuck: Any = None) -> Any:
    """Return the position of an actuator (*cases), within its limits.

    - state: state of the actuator (state, *cases).
    - commands: commands (*cases) by name.
    - stuck: whether the actuator has failed (*cases), bool. Default: None, it cannot fail.
    """
    now = _within(actuator, state[0]) if states(actuator) else commanded_position(actuator, commands)
    if stuck is None or actuator.stuck_at is None:
        return now
    return jnp.where(stuck, actuator.stuck_at, now)


def rate(actuator: Actuator, commands: Mapping[str, Any], state: Any, stuck: Any = None) -> Any:
    """Return the rate of change of the state of an actuator (state, *cases). The module describes the
    equations.

    - commands: commands (*cases) by name.
    - state: state of the actuator (state, *cases).
    - stuck: whether the actuator has failed (*cases), bool. The state of a failed actuator is constant.
      Default: None, it cannot fail.

    For a second-order actuator at its rate limit, an acceleration that increases the magnitude of v is
    removed. If x is at a position limit and v points outward, dx/dt is zero and v decays at the rate 10 f.
    The excess of x over a limit is therefore only an integration error.
    """
    from ...maths.interpolation import clamp

    if not states(actuator):
        return state
    aim, fastest = commanded_position(actuator, commands), actuator.rate_limit
    if isinstance(actuator.model, FirstOrder):
        speed = (aim - state[0]) / actuator.model.time_constant
        found = (speed if fastest is None else clamp(speed, -fastest, fastest))[None]
    else:
        found = _second_order(actuator, aim, *state)
    return found if stuck is None else jnp.where(stuck, 0.0, found)


def _second_order(actuator, aim, x, v):
    """Rates (2, *cases) of position x and velocity v of a second-order lag."""
    from ...maths.interpolation import clamp

    f, d, fastest = actuator.model.frequency, actuator.model.damping, actuator.rate_limit
    spring = f * f * (aim - x)
    acceleration, speed = spring - 2 * d * f * v, v
    if fastest is not None:
        outward = ((v >= fastest) & (acceleration > 0)) | ((v <= -fastest) & (acceleration < 0))
        acceleration = jnp.where(outward, 0.0, acceleration)
        speed = clamp(v, -fastest, fastest)
    held = jnp.zeros(jnp.shape(x), bool)
    if actuator.upper is not None:
        held = held | ((x >= actuator.upper) & (v > 0))
    if actuator.lower is not None:
        held = held | ((x <= actuator.lower) & (v < 0))
    stopping = spring - (2 * d + STOPPING) * f * v
    return jnp.stack([jnp.where(held, 0.0, speed), jnp.where(held, stopping, acceleration)])
