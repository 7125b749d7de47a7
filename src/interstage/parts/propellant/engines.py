"""Declarations of rocket engines and solid motors: thrust, throttle, gimbal and propellant feed.

Times in tables are counted from the ignition or from the cut-off. Thrust is in vacuum, except if stated
otherwise. `burning` has the equations.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np
from pydantic import StrictBool, model_validator

from ...exchange import rasp
from ...model.burn_tables import (
    FlowTable,
    FractionTable,
    Isp,
    MassFlow,
    Signal,
    Throttle,
    ThrottleTable,
    Thrust,
    ThrustTable,
)
from ...model.effect import ALL, Effect, either
from ...model.pattern import Repeatable
from ...tree.declaration import ByName, Declaration, parts
from ...tree.errors import BadInput, Refused
from ...tree.names import Name
from ...tree.units import si

STANDARD_PRESSURE = 101325.0
"""Ambient pressure [Pa] for the field `thrust_sea_level`, from the U.S. Standard Atmosphere, 1976, table
2.
"""
SHARES_ROUNDING = 1e-9
"""Maximum difference between 1 and the sum of the flow fractions of the tanks of an engine. This limit allows
for decimal rounding.
"""


class Gimbal(Declaration):
    """Names of the signals of the pitch and yaw gimbal angles [rad]. A list of two names is read as pitch
    and yaw.
    """

    pitch: str | None = None
    """Name of the signal for the angle about the pitch axis. Default: zero angle."""
    yaw: str | None = None
    """Name of the signal for the angle about the yaw axis. Default: zero angle."""

    @model_validator(mode="before")
    @classmethod
    def _from_pair(cls, value: Any) -> Any:
        pair = isinstance(value, (tuple, list)) and len(value) == 2
        return {"pitch": value[0], "yaw": value[1]} if pair else value


class Feed(Declaration):
    """A tank that feeds an engine."""

    tank: str
    """Name of the tank, as body.tank."""
    share: Annotated[Any, si("1", nonnegative=True)]
    """Fraction of the engine's mass flow from this tank."""


class Nozzle(Repeatable, Effect):
    """Base class of engines and motors.

    The gimbal axes follow from the thrust direction e without cant. The pitch axis is the component of the
    reference axis perpendicular to e. The yaw axis is the cross product of e and the pitch axis, and it
    rotates with the pitch angle. A positive pitch angle rotates the thrust towards the negative yaw axis. A
    positive yaw angle rotates the thrust towards the pitch axis. An engine along +x has the pitch axis y and
    the yaw axis z.
    """

    points: ClassVar[tuple[str, ...]] = ("at",)
    directions: ClassVar[tuple[str, ...]] = ("direction", "gimbal_about")

    @property
    def makes(self) -> tuple[str, ...]:
        """Names of the events at which the tanks of the engine become empty."""
        return tuple(empty(tank) for tank, _ in feeds(self))

    stands: ClassVar[tuple[tuple[str, str], ...]] = (("body", "at"),)
    outside: ClassVar[frozenset[str]] = ALL

    kind: str
    """Kind of the item: engine or motor."""
    name: Name
    """Name of the engine in paths and tables."""
    body: str
    """Name of the body on which the thrust acts."""
    at: Annotated[Any, si("m", (3,))]
    """Centre of the nozzle exit [m], structural coordinates of the body."""
    direction: Annotated[Any, si("1", (3,))] = (1.0, 0.0, 0.0)
    """Direction of the thrust on the body (opposite to the jet), structural axes. The length of the vector is
    arbitrary."""
    cant: Annotated[Any, si("rad", (2,))] = (0.0, 0.0)
    """Cant angles about the pitch and the yaw axis [rad], relative to `direction`. Gimbal angles are
    added."""
    gimbal_about: Annotated[Any, si("1", (3,))] | None = None
    """Reference axis of the pitch axis, structural axes. Default: the y axis. If the thrust direction is
    within 25.8 deg (a cosine of 0.9) of the y axis, the default is the z axis."""
    gimbal: Gimbal | None = None
    """Signals of the gimbal angles about the pitch and the yaw axis. Default: a fixed nozzle."""
    exit_area: Annotated[Any, si("m^2", nonnegative=True)] = 0.0
    """Area of the nozzle exit [m^2]. Ambient pressure times this area reduces the thrust."""
    ignited: StrictBool = False
    """True to ignite the engine at the start of the flight."""
    massless: StrictBool = False
    """True for thrust without mass flow."""
    works: Annotated[Any, si("1")] = 1.0
    """1 if the engine ignites on command, 0 if it fails to ignite. A failed engine has no thrust and no mass
    flow."""

    @property
    def changing(self) -> bool:
        """True, because engines change masses or add states."""
        return True

    @model_validator(mode="after")
    def _lights(self) -> Nozzle:
        problems = either(self.works)
        if problems:
            raise Refused(*problems)
        return self

    @model_validator(mode="after")
    def _axes(self) -> Nozzle:
        e, about = self.direction, self.gimbal_about
        if isinstance(e, np.ndarray) and not (np.abs(e).max(axis=0) > 0).all():
            raise Refused(("direction", "the vector is zero. Give a direction like [1, 0, 0]"))
        if isinstance(e, np.ndarray) and isinstance(about, np.ndarray):
            along, across = np.broadcast_arrays(*(a.reshape(3, -1) for a in (e, about)))
            square = np.linalg.norm(np.cross(along, across, axis=0), axis=0)
            # Below this limit, rounding of the two vectors would rotate the axes by a thousandth.
            if not (square > 1e-12 * np.linalg.norm(along, axis=0) * np.linalg.norm(across, axis=0)).all():
                raise Refused(
                    (
                        "gimbal_about",
                        "'gimbal_about' is parallel to the thrust direction. Give a perpendicular axis",
                    )
                )
        return self


class Engine(Nozzle):
    """A rocket engine that draws propellant from tanks.

    The thrust in vacuum is the full thrust times throttle, start transient and tail-off. At a cut-off, the
    tables over the time since ignition stop at their present values, and the tail-off begins. An engine can
    be ignited again. A cut-off before the last ignition has no effect."""

    kind: Literal["engine"] = "engine"
    """A rocket engine that draws propellant from tanks."""
    thrust: Thrust
    """Thrust in vacuum at full throttle [N], or a table of this thrust over the time since ignition."""
    thrust_sea_level: Annotated[Any, si("N", nonnegative=True)] | None = None
    """Thrust at full throttle and an ambient pressure of 101325 Pa [N]. In place of `exit_area`, which is
    then computed from this thrust."""
    thrust_factor: Annotated[Any, si("1", positive=True)] = 1.0
    """Factor on the thrust in vacuum, for dispersions. With `isp`, the mass flow changes by the same factor.
    The exit area does not change."""
    throttle: Throttle = 1.0
    """Throttle setting, 1 for full thrust: a number, the name of a signal, or a table over the time since
    ignition."""
    min_throttle: Annotated[Any, si("1", nonnegative=True)] = 0.0
    """Minimum throttle. Lower settings are raised to this value."""
    max_throttle: Annotated[Any, si("1", positive=True)] | None = None
    """Maximum throttle. Higher settings are reduced to this value. Default: no limit."""
    isp: Isp | None = None
    """Specific impulse in vacuum [s], or a table over throttle or over the time since ignition. Set either
    `isp` or `mass_flow`."""
    mass_flow: MassFlow | None = None
    """Mass flow [kg/s]: the value at full throttle; a table over the time since ignition, which is multiplied
    by the throttle; or a table over throttle. Set either `mass_flow` or `isp`."""
    feeds: Annotated[tuple[Feed, ...], ByName(key="tank", short="share")] = ()
    """Tanks that feed the engine, with their fractions of the mass flow. The fractions must sum to one."""
    mixture_ratio: Annotated[Any, si("1", positive=True)] | None = None
    """Ratio of the mass flow of oxidizer to the mass flow of fuel. Set it with `oxidizer` and `fuel`, in
    place of `feeds`."""
    oxidizer: str | None = None
    """Name of the oxidizer tank, as body.tank."""
    fuel: str | None = None
    """Name of the fuel tank, as body.tank."""
    start: FractionTable | None = None
    """Start transient: fraction of full thrust and mass flow over the time since ignition. The last value is
    1."""
    rise_time: Annotated[Any, si("s", positive=True)] | None = None
    """Duration of a smooth rise to full thrust [s], in place of `start`. Default: full thrust at once."""
    shutdown: FractionTable | None = None
    """Tail-off: fraction of thrust and mass flow over the time since cut-off. The last value is 0."""
    tail_off_time: Annotated[Any, si("s", positive=True)] | None = None
    """Duration of a smooth decay to zero thrust [s], in place of `shutdown`. Default: zero thrust at once."""

    @property
    def rules_hold_for_cases(self) -> bool:
        """Return whether all rules between fields are applied to each case. The points of a throttle table
        are not compared with the limits of each case."""
        return not isinstance(self.throttle, ThrottleTable)

    @model_validator(mode="after")
    def _check(self) -> Engine:
        _check_propellant(self)
        _check_sea_level(self)
        _check_transients(self)
        _check_throttle(self)
        return self


def _check_propellant(engine: Engine) -> None:
    flows = [name for name in ("isp", "mass_flow") if getattr(engine, name) is not None]
    ratio = [name for name in ("mixture_ratio", "oxidizer", "fuel") if getattr(engine, name) is not None]
    if engine.massless:
        given = flows + ratio + (["feeds"] if engine.feeds else [])
        if given:
            raise Refused(
                (
                    given[0],
                    (f"'{given[0]}' cannot be set with massless = true. Remove '{given[0]}' or 'massless'"),
                )
            )
        return
    if len(flows) != 1:
        fault = "'isp' and 'mass_flow' are both set" if flows else "neither 'isp' nor 'mass_flow' is set"
        raise Refused(("isp", f"{fault}. Set exactly one of these keys"))
    if 0 < len(ratio) < 3:
        raise Refused(
            (
                "mixture_ratio",
                "'mixture_ratio', 'oxidizer' and 'fuel' must be set together. Set all three "
                "keys, or none of them",
            )
        )
    if bool(ratio) == bool(engine.feeds):
        fault = (
            "'feeds' and 'mixture_ratio' are both set"
            if ratio
            else "neither 'feeds' nor 'mixture_ratio' is set"
        )
        ways = "Give either 'feeds', or 'mixture_ratio' with 'oxidizer' and 'fuel'"
        raise Refused(("feeds", f"{fault}. {ways}. For an engine without mass flow, set massless = true"))
    if engine.oxidizer is not None and engine.oxidizer == engine.fuel:
        raise Refused(
            (
                "fuel",
                "'fuel' is the same tank as oxidizer. Name another tank. For a single tank, use feeds with "
                "the share 1",
            )
        )
    tanks = [feed.tank for feed in engine.feeds]
    twice = [tank for tank in tanks if tanks.count(tank) > 1]
    if twice:
        raise Refused(
            (
                "feeds",
                f"'feeds' lists the tank '{twice[0]}' twice. Keep the tank once, with the sum "
                "of the two shares",
            )
        )
    given = [feed.share for feed in engine.feeds]
    if given and all(isinstance(share, np.ndarray) for share in given):
        total = np.ravel(sum(given))
        worst = float(total[np.argmax(np.abs(total - 1))])
        if abs(worst - 1) > SHARES_ROUNDING:
            raise Refused(("feeds", f"the sum of the shares is {worst:.12g}. Give shares with the sum 1"))


def _check_sea_level(engine: Engine) -> None:
    level = engine.thrust_sea_level
    if level is None:
        return
    if isinstance(engine.thrust, ThrustTable):
        raise Refused(
            (
                "thrust_sea_level",
                ("'thrust_sea_level' cannot be used with a table of thrust. Give 'exit_area'"),
            )
        )
    if isinstance(engine.exit_area, np.ndarray) and engine.exit_area.any():
        raise Refused(
            ("thrust_sea_level", "'thrust_sea_level' and 'exit_area' are both set. Remove one of these keys")
        )
    concrete = isinstance(level, np.ndarray) and isinstance(engine.thrust, np.ndarray)
    if concrete and not (level <= engine.thrust).all():
        raise Refused(
            (
                "thrust_sea_level",
                "'thrust_sea_level' is above 'thrust', which is the thrust in vacuum. Check both values",
            )
        )


def _check_transients(engine: Engine) -> None:
    for table, time, end, where in (
        ("start", "rise_time", 1.0, "full thrust"),
        ("shutdown", "tail_off_time", 0.0, "no thrust"),
    ):
        given = getattr(engine, table)
        if given is None:
            continue
        if getattr(engine, time) is not None:
            raise Refused((table, f"{table} and {time} are both set. Remove one of these keys"))
        if isinstance(given.value, np.ndarray) and (given.value[-1] != end).any():
            last = float(np.ravel(given.value[-1])[0])
            raise Refused(
                (f"{table}.value", f"the last value is {last:g}. Set the last value to {end:g} ({where})")
            )


def _check_throttle(engine: Engine) -> None:
    low, high = engine.min_throttle, engine.max_throttle
    if isinstance(low, np.ndarray) and isinstance(high, np.ndarray) and not (low <= high).all():
        raise Refused(
            (
                "min_throttle",
                "'min_throttle' is more than 'max_throttle'. Lower 'min_throttle', or raise 'max_throttle'",
            )
        )
    value = engine.throttle.value if isinstance(engine.throttle, ThrottleTable) else engine.throttle
    if not isinstance(value, np.ndarray):
        return
    if isinstance(low, np.ndarray) and (value < low).any():
        text = f"the throttle {float(value.min()):g} is below 'min_throttle'"
        raise Refused(("throttle", f"{text}. Raise the throttle, or shut the engine down"))
    if isinstance(high, np.ndarray) and (value > high).any():
        raise Refused(
            ("throttle", (f"the throttle {float(value.max()):g} is above max_throttle. Lower the throttle"))
        )


class MotorHeader(Declaration):
    """Header data of a RASP motor file, stored for reference. The masses in a flight come from the grain and
    the body, not from this header.
    """

    designation: str
    """Name of the motor."""
    maker: str
    """Manufacturer of the motor."""
    diameter: Annotated[Any, si("m", nonnegative=True)]
    """Diameter of the case [m]; 0 if unknown."""
    length: Annotated[Any, si("m", nonnegative=True)]
    """Length of the case [m]; 0 if unknown."""
    delays: tuple[str, ...] = ()
    """Delays of the ejection charge [s], as strings; "P" if the motor has no charge."""
    propellant: Annotated[Any, si("kg", positive=True)]
    """Mass of the propellant [kg]."""
    loaded: Annotated[Any, si("kg", positive=True)]
    """Mass of the loaded motor [kg]."""
    notes: tuple[str, ...] = ()
    """Unusual contents of the file and their interpretation."""


class Motor(Nozzle):
    """A solid motor with a thrust trace.

    The thrust is zero outside of the time range of the trace. A trigger on `burning` detects the burnout:
    until = { quantity = "engines.<name>.burning", reaches = 0.5, direction = "falling" }.
    """

    kind: Literal["motor"] = "motor"
    """A solid motor with a thrust trace."""
    thrust: ThrustTable | None = None
    """Thrust trace over the time since ignition [N]. Set either `thrust` or `file`."""
    file: str | None = None
    """Path of a RASP .eng file with the trace. When the scenario is loaded, its contents are stored in
    `thrust` and `header`."""
    designation: str | None = None
    """Name of the motor in the file. Required if the file has several motors."""
    header: MotorHeader | None = None
    """Header data of the motor in the file."""
    trace_pressure: Annotated[Any, si("Pa", nonnegative=True)] = 0.0
    """Ambient pressure at which the trace was measured [Pa]."""
    grain: str | None = None
    """Name of the mass item that burns, as body.item. The motor burns the propellant of this mass item at
    ignition."""
    mass_flow: FlowTable | None = None
    """Mass flow over the time since ignition [kg/s]. Default: proportional to the trace (constant effective
    exhaust velocity)."""
    slag: Annotated[Any, si("kg", nonnegative=True)] = 0.0
    """Propellant mass that stays in the case [kg]."""
    burn_rate_factor: Annotated[Any, si("1", positive=True)] = 1.0
    """Factor on the burn rate. Thrust and mass flow are multiplied by the factor, and times are divided by
    the factor. The total impulse does not change."""
    impulse_factor: Annotated[Any, si("1", positive=True)] = 1.0
    """Factor on the thrust. The mass flow does not change."""
    cut: StrictBool = False
    """True if the motor can be cut off (thrust termination). A cut-off ends thrust and mass flow at once."""

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any) -> Any:
        if not isinstance(data, dict) or not isinstance(data.get("file"), str):
            return data
        taken = [name for name in ("thrust", "header") if data.get(name) is not None]
        if taken:
            raise Refused((taken[0], f"'{taken[0]}' is also in the file. Remove '{taken[0]}' or 'file'"))
        try:
            motor = rasp.chosen(rasp.read(data["file"]), data.get("designation"))
        except BadInput as error:
            file = data["file"]
            text = "; ".join(str(p) for p in error.problems).replace(f"{file}: ", "")
            raise Refused(("file", f"{file}: {text}")) from None
        header = {
            "designation": motor.name,
            **{key: getattr(motor, key) for key in ("maker", "diameter", "length", "delays")},
            **{key: getattr(motor, key) for key in ("propellant", "loaded", "notes")},
        }
        trace = {"time": motor.time, "value": motor.thrust}
        rest = {key: value for key, value in data.items() if key not in ("file", "designation")}
        return {**rest, "thrust": trace, "header": header}

    @property
    def rules_hold_for_cases(self) -> bool:
        """Return whether all rules between fields are applied to each case."""
        return True

    @model_validator(mode="after")
    def _check(self) -> Motor:
        if self.thrust is None:
            raise Refused(
                (
                    "thrust",
                    "'thrust' is required. Give the thrust trace, or set file to the path of a RASP file",
                )
            )
        if self.designation is not None:
            raise Refused(
                ("designation", ("'designation' is set without a file. Give file, or remove designation"))
            )
        value, slag = self.thrust.value, self.slag
        if isinstance(value, np.ndarray) and not (value.max(axis=0) > 0).all():
            raise Refused(
                ("thrust.value", ("the thrust is zero at all points. Give at least one value above zero"))
            )
        if (self.grain is None) != self.massless:
            fault = (
                "'grain' and 'massless' are both set"
                if self.massless
                else "neither 'grain' nor 'massless' is set"
            )
            raise Refused(("grain", f"{fault}. Set either grain, or massless = true"))
        slagging = isinstance(slag, np.ndarray) and bool(slag.any())
        if self.mass_flow is not None and (slagging or self.massless):
            other = "slag" if slagging else "massless"
            raise Refused(
                ("mass_flow", f"'mass_flow' cannot be set with {other}. Remove 'mass_flow' or {other}")
            )
        burnt = self.header.propellant if self.header else None
        concrete = isinstance(slag, np.ndarray) and isinstance(burnt, np.ndarray)
        if concrete and not (slag < burnt).all():
            raise Refused(
                ("slag", ("'slag' is not less than the propellant of the motor. Give a smaller slag mass"))
            )
        return self


class Names(NamedTuple):
    """Names that an engine uses.

    - tanks: its mass items, as "body.item".
    - signals: its throttle and gimbal signals.
    """

    tanks: tuple[str, ...]
    signals: tuple[str, ...]


OF_ITS_OWN = frozenset(
    ("name", "pattern", "count", "ignited", "file", "designation", "grain", "oxidizer", "fuel")
)
"""Names of the fields that can differ between engines of one batch group."""


def form_of(engine: Any) -> Any:
    """Return a key that is equal for engines that differ only in numbers.

    Returns None for an engine with signals or with `feeds`.
    """
    if engine.gimbal or getattr(engine, "feeds", ()) or isinstance(getattr(engine, "throttle", 0.0), Signal):
        return None
    _, children, static = parts(engine)
    named = zip(type(engine).static_fields, static, strict=True)
    fixed = tuple(value for name, value in named if name not in OF_ITS_OWN)
    return type(engine), fixed, tuple(map(_form, children))


def _form(node: Any) -> Any:
    """Structure of a declaration within an engine, and shapes of its numbers."""
    if node is None or isinstance(node, tuple):
        return node if node is None else tuple(map(_form, node))
    if not isinstance(node, Declaration):
        return np.shape(node)
    _, children, static = parts(node)
    return type(node), static, tuple(map(_form, children))


def names(engine: Any) -> Names:
    """Return the names of the mass items and signals that an engine or motor uses."""
    signals = [engine.gimbal.pitch, engine.gimbal.yaw] if engine.gimbal else []
    if isinstance(engine, Engine) and isinstance(engine.throttle, Signal):
        signals.append(engine.throttle.signal)
    return Names(tuple(tank for tank, _ in feeds(engine)), tuple(s for s in signals if s is not None))


def empty(tank: str) -> str:
    """Return the name of the event at which a tank becomes empty. `tank`: name of the tank as
    "body.item".
    """
    return f"{tank} empty"


def feeds(engine: Any) -> tuple[tuple[str, Any], ...]:
    """Return a pair for each tank of an engine: its name as "body.item", and its fraction of the mass flow.

    Returns an empty tuple if the engine is massless.
    """
    if engine.massless:
        return ()
    if isinstance(engine, Motor):
        return ((str(engine.grain), 1.0),)
    if engine.mixture_ratio is None:
        return tuple((feed.tank, feed.share) for feed in engine.feeds)
    whole = 1 + engine.mixture_ratio
    return (str(engine.oxidizer), engine.mixture_ratio / whole), (str(engine.fuel), 1 / whole)
