"""Rocket engines with tanks and valves, and solid motors: what they push with, and what they draw.

Times of tables count from the ignition, or from the cut-off. Thrust is that in vacuum by default otherwise.
`burning` has the equations."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np
from pydantic import StrictBool, model_validator

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
from . import rasp

STANDARD_PRESSURE = 101325.0
"""Ambient pressure that `thrust_sea_level` is stated at [Pa]: the standard atmosphere (U.S. Standard
Atmosphere, 1976, table 2)."""
SHARES_ROUNDING = 1e-9
"""How far the shares of feeds may be from summing to one: what is lost where they are written in decimals."""


class Gimbal(Declaration):
    """Signals that turn an engine about its gimbal axes [rad]; a pair of texts stands for both."""

    pitch: str | None = None
    """Name of the signal of the angle about the pitch axis; none leaves it at zero."""
    yaw: str | None = None
    """Name of the signal of the angle about the yaw axis; none leaves it at zero."""

    @model_validator(mode="before")
    @classmethod
    def _from_pair(cls, value: Any) -> Any:
        pair = isinstance(value, (tuple, list)) and len(value) == 2
        return {"pitch": value[0], "yaw": value[1]} if pair else value


class Feed(Declaration):
    """A tank that an engine draws from."""

    tank: str
    """The tank, as body.tank."""
    share: Annotated[Any, si("1", nonnegative=True)]
    """Its share of the engine's mass flow."""


class Nozzle(Repeatable, Effect):
    """What engines and motors have in common.

    The gimbal axes belong to the thrust direction e, without cant: the pitch axis is the part of the
    reference axis square to e, the yaw axis is e x pitch axis. A positive pitch angle turns the thrust
    towards minus the yaw axis, a positive yaw angle towards the pitch axis; the yaw axis turns with the pitch
    angle. An engine along +x has the pitch axis y and the yaw axis z."""

    points: ClassVar[tuple[str, ...]] = ("at",)
    directions: ClassVar[tuple[str, ...]] = ("direction", "gimbal_about")

    @property
    def makes(self) -> tuple[str, ...]:
        """Each tank that it draws from runs empty."""
        return tuple(empty(tank) for tank, _ in feeds(self))

    stands: ClassVar[tuple[tuple[str, str], ...]] = (("body", "at"),)
    outside: ClassVar[frozenset[str]] = ALL

    kind: str
    """Whether it is an engine or a motor."""
    name: Name
    """Name in paths and tables."""
    body: str
    """The body that it pushes."""
    at: Annotated[Any, si("m", (3,))]
    """Centre of the nozzle's exit [m], structural axes, drawing coordinates of the body."""
    direction: Annotated[Any, si("1", (3,))] = (1.0, 0.0, 0.0)
    """Direction of the thrust on the body (not of the jet), structural axes; its length does not matter."""
    cant: Annotated[Any, si("rad", (2,))] = (0.0, 0.0)
    """Angles about the pitch and the yaw axis [rad] that turn the thrust away from `direction`; gimbal angles
    are added to them."""
    gimbal_about: Annotated[Any, si("1", (3,))] | None = None
    """Reference axis of the pitch axis, structural axes. Default: the y axis, or the z axis for a direction
    within 25.8 deg (a cosine of 0.9) of the y axis."""
    gimbal: Gimbal | None = None
    """Signals of the gimbal angles about the pitch and the yaw axis. Default: a fixed nozzle."""
    exit_area: Annotated[Any, si("m^2", nonnegative=True)] = 0.0
    """Area of the nozzle's exit [m^2], on which the ambient pressure takes thrust away."""
    ignited: StrictBool = False
    """Whether it is ignited at the start of the flight."""
    massless: StrictBool = False
    """True to push without drawing any mass."""
    works: Annotated[Any, si("1")] = 1.0
    """1 if it lights when it is ignited, 0 if it fails to: it then neither pushes nor draws mass."""

    @property
    def changing(self) -> bool:
        """Whether it adds numbers to the state, or changes masses."""
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
            raise Refused(("direction", "is the zero vector; give a direction like [1, 0, 0]"))
        if isinstance(e, np.ndarray) and isinstance(about, np.ndarray):
            along, across = np.broadcast_arrays(*(a.reshape(3, -1) for a in (e, about)))
            square = np.linalg.norm(np.cross(along, across, axis=0), axis=0)
            # Below this the rounding of the two vectors would turn the axes by a thousandth.
            if not (square > 1e-12 * np.linalg.norm(along, axis=0) * np.linalg.norm(across, axis=0)).all():
                raise Refused(
                    ("gimbal_about", "is along the direction of the thrust; give an axis across it")
                )
        return self


class Engine(Nozzle):
    """A rocket engine that draws propellant from tanks.

    Its thrust in vacuum is the full thrust times throttle, start transient and tail-off. At a cut-off the
    time of tables since ignition stops, and the tail-off begins; a cut-off before the last ignition does not
    count, so that an engine can be lit again."""

    kind: Literal["engine"] = "engine"
    """An engine with feeds."""
    thrust: Thrust
    """Thrust in vacuum at full throttle [N], or a table of it over the time since ignition."""
    thrust_sea_level: Annotated[Any, si("N", nonnegative=True)] | None = None
    """Thrust at full throttle and 101325 Pa [N], from which the exit area follows; instead of
    `exit_area`."""
    thrust_factor: Annotated[Any, si("1", positive=True)] = 1.0
    """Factor on the thrust in vacuum, for dispersions; the mass flow follows where `isp` is given, and the
    exit area stays."""
    throttle: Throttle = 1.0
    """Throttle, 1 being full: a number, the name of a signal, or a table over the time since ignition."""
    min_throttle: Annotated[Any, si("1", nonnegative=True)] = 0.0
    """Least throttle at which the engine runs; settings below it are raised to it."""
    max_throttle: Annotated[Any, si("1", positive=True)] | None = None
    """Highest throttle; settings above it are lowered to it. Default: no limit."""
    isp: Isp | None = None
    """Specific impulse in vacuum [s], or a table of it over throttle or time since ignition. Give this or
    `mass_flow`."""
    mass_flow: MassFlow | None = None
    """Mass flow at full throttle [kg/s], or a table of it over the time since ignition, which the throttle
    scales; or over throttle."""
    feeds: Annotated[tuple[Feed, ...], ByName(key="tank", short="share")] = ()
    """Tanks that it draws from, with their shares of the mass flow, which sum to one."""
    mixture_ratio: Annotated[Any, si("1", positive=True)] | None = None
    """Mass flow of oxidizer over that of fuel; then `oxidizer` and `fuel` name the tanks instead of feeds."""
    oxidizer: str | None = None
    """The tank of the oxidizer, as body.tank."""
    fuel: str | None = None
    """The tank of the fuel, as body.tank."""
    start: FractionTable | None = None
    """Start transient: share of the full thrust and mass flow over the time since ignition, up to 1."""
    rise_time: Annotated[Any, si("s", positive=True)] | None = None
    """Instead of `start`: time of a smooth rise to full thrust [s]. Without either it is there at once."""
    shutdown: FractionTable | None = None
    """Tail-off: share of the thrust and mass flow over the time since cut-off, down to 0."""
    tail_off_time: Annotated[Any, si("s", positive=True)] | None = None
    """Instead of `shutdown`: time of a smooth fall to nothing [s]. Without either it ends at once."""

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
            raise Refused((given[0], "belongs to an engine that draws mass; leave it out, or massless"))
        return
    if len(flows) != 1:
        raise Refused(("isp", "give exactly one of isp and mass_flow"))
    if 0 < len(ratio) < 3:
        raise Refused(("mixture_ratio", "give mixture_ratio, oxidizer and fuel together, or none of them"))
    if bool(ratio) == bool(engine.feeds):
        ways = "give either feeds, or mixture_ratio with oxidizer and fuel"
        raise Refused(("feeds", f"{ways}; say massless = true for an engine that draws no mass"))
    if engine.oxidizer is not None and engine.oxidizer == engine.fuel:
        raise Refused(("fuel", "is the tank of the oxidizer; give another, or one feed with the share 1"))
    tanks = [feed.tank for feed in engine.feeds]
    twice = [tank for tank in tanks if tanks.count(tank) > 1]
    if twice:
        raise Refused(("feeds", f"names the tank '{twice[0]}' twice; add its shares"))
    given = [feed.share for feed in engine.feeds]
    if given and all(isinstance(share, np.ndarray) for share in given):
        total = np.ravel(sum(given))
        worst = float(total[np.argmax(np.abs(total - 1))])
        if abs(worst - 1) > SHARES_ROUNDING:
            raise Refused(("feeds", f"the shares sum to {worst:.12g}; they must sum to 1"))


def _check_sea_level(engine: Engine) -> None:
    level = engine.thrust_sea_level
    if level is None:
        return
    if isinstance(engine.thrust, ThrustTable):
        raise Refused(("thrust_sea_level", "needs a thrust of one number; beside a table give exit_area"))
    if isinstance(engine.exit_area, np.ndarray) and engine.exit_area.any():
        raise Refused(("thrust_sea_level", "give only one of thrust_sea_level and exit_area"))
    concrete = isinstance(level, np.ndarray) and isinstance(engine.thrust, np.ndarray)
    if concrete and not (level <= engine.thrust).all():
        raise Refused(
            ("thrust_sea_level", "is more than the thrust in vacuum; `thrust` is the one in vacuum")
        )


def _check_transients(engine: Engine) -> None:
    for table, time, end, where in (
        ("start", "rise_time", 1.0, "full thrust"),
        ("shutdown", "tail_off_time", 0.0, "nothing"),
    ):
        given = getattr(engine, table)
        if given is None:
            continue
        if getattr(engine, time) is not None:
            raise Refused((table, f"give only one of {table} and {time}"))
        if isinstance(given.value, np.ndarray) and (given.value[-1] != end).any():
            last = float(np.ravel(given.value[-1])[0])
            raise Refused((f"{table}.value", f"ends at {last:g}; it must end at {end:g}, {where}"))


def _check_throttle(engine: Engine) -> None:
    low, high = engine.min_throttle, engine.max_throttle
    if isinstance(low, np.ndarray) and isinstance(high, np.ndarray) and not (low <= high).all():
        raise Refused(("min_throttle", "is more than max_throttle"))
    value = engine.throttle.value if isinstance(engine.throttle, ThrottleTable) else engine.throttle
    if not isinstance(value, np.ndarray):
        return
    if isinstance(low, np.ndarray) and (value < low).any():
        text = f"{float(value.min()):g} is below min_throttle"
        raise Refused(("throttle", f"{text}; raise it, or cut the engine off"))
    if isinstance(high, np.ndarray) and (value > high).any():
        raise Refused(("throttle", f"{float(value.max()):g} is above max_throttle; lower it"))


class MotorHeader(Declaration):
    """What a RASP file says of a motor beside its trace. It is kept for reference: the mass that is flown is
    that of the grain and of the body."""

    designation: str
    """Name of the motor."""
    maker: str
    """Its maker."""
    diameter: Annotated[Any, si("m", nonnegative=True)]
    """Diameter of the case [m]; 0 if the file gives none."""
    length: Annotated[Any, si("m", nonnegative=True)]
    """Length of the case [m]; 0 if the file gives none."""
    delays: tuple[str, ...] = ()
    """Delays of the ejection charge [s], as texts; P if there is no charge."""
    propellant: Annotated[Any, si("kg", positive=True)]
    """Mass of the propellant [kg]."""
    loaded: Annotated[Any, si("kg", positive=True)]
    """Mass of the loaded motor [kg]."""
    notes: tuple[str, ...] = ()
    """Unusual contents of the file, and how they are read."""


class Motor(Nozzle):
    """A solid motor, which burns along its thrust trace.

    Outside the times of the trace there is no thrust. A trigger on `burning` is its burnout: until = {
    quantity = "engines.<name>.burning", reaches = 0.5, direction = "falling" }."""

    kind: Literal["motor"] = "motor"
    """A solid motor."""
    thrust: ThrustTable | None = None
    """Trace of the thrust over the time since ignition [N]. Give this or `file`."""
    file: str | None = None
    """A RASP .eng file with the trace. It is read at once, and stands in `thrust` and `header` from then
    on."""
    designation: str | None = None
    """Which motor of the file; needed where it holds several."""
    header: MotorHeader | None = None
    """What the file says of the motor beside its trace."""
    trace_pressure: Annotated[Any, si("Pa", nonnegative=True)] = 0.0
    """Ambient pressure at which the trace was taken [Pa]."""
    grain: str | None = None
    """The mass element that burns, as body.element; its mass at ignition is that of the propellant."""
    mass_flow: FlowTable | None = None
    """Mass flow over the time since ignition [kg/s]. Default: in proportion to the trace, as with a
    constant effective exhaust velocity."""
    slag: Annotated[Any, si("kg", nonnegative=True)] = 0.0
    """Mass of the propellant that stays in the case [kg]."""
    burn_rate_factor: Annotated[Any, si("1", positive=True)] = 1.0
    """How many times as fast it burns: thrust and mass flow are multiplied, times are divided. The total
    impulse stays as it is."""
    impulse_factor: Annotated[Any, si("1", positive=True)] = 1.0
    """Factor on the thrust, with the same mass flow."""
    cut: StrictBool = False
    """Whether it can be cut off (thrust termination), which ends thrust and mass flow at once."""

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any) -> Any:
        if not isinstance(data, dict) or not isinstance(data.get("file"), str):
            return data
        taken = [name for name in ("thrust", "header") if data.get(name) is not None]
        if taken:
            raise Refused((taken[0], "is in the file; give it or the file"))
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

    @model_validator(mode="after")
    def _check(self) -> Motor:
        if self.thrust is None:
            raise Refused(("thrust", "give the trace of the thrust, or a RASP file"))
        if self.designation is not None:
            raise Refused(("designation", "says which motor of a file, and there is no file; leave it out"))
        value, slag = self.thrust.value, self.slag
        if isinstance(value, np.ndarray) and not (value.max(axis=0) > 0).all():
            raise Refused(("thrust.value", "is zero all along; give a point with thrust"))
        if (self.grain is None) != self.massless:
            raise Refused(("grain", "name the grain, or say massless = true for a motor that draws no mass"))
        slagging = isinstance(slag, np.ndarray) and bool(slag.any())
        if self.mass_flow is not None and (slagging or self.massless):
            text = "the slag is what it leaves; leave slag out" if slagging else "leave it out, or massless"
            raise Refused(("mass_flow", f"says what flows; {text}"))
        burnt = self.header.propellant if self.header else None
        concrete = isinstance(slag, np.ndarray) and isinstance(burnt, np.ndarray)
        if concrete and not (slag < burnt).all():
            raise Refused(("slag", "is all of the propellant of the motor; give less"))
        return self


class Names(NamedTuple):
    """What an engine refers to: mass elements, as body.element, and signals."""

    tanks: tuple[str, ...]
    signals: tuple[str, ...]


OF_ITS_OWN = frozenset(
    ("name", "pattern", "count", "ignited", "file", "designation", "grain", "oxidizer", "fuel")
)
"""Fields by which engines may differ that burn alike."""


def form_of(engine: Any) -> Any:
    """What engines of a body that differ in their numbers only have in common. None for one that follows
    signals, or has feeds with names of their own."""
    if engine.gimbal or getattr(engine, "feeds", ()) or isinstance(getattr(engine, "throttle", 0.0), Signal):
        return None
    _, children, static = parts(engine)
    named = zip(type(engine).static_fields, static, strict=True)
    fixed = tuple(value for name, value in named if name not in OF_ITS_OWN)
    return type(engine), fixed, tuple(map(_form, children))


def _form(node: Any) -> Any:
    """The structure of a declaration within an engine, and the shapes of its numbers."""
    if node is None or isinstance(node, tuple):
        return node if node is None else tuple(map(_form, node))
    if not isinstance(node, Declaration):
        return np.shape(node)
    _, children, static = parts(node)
    return type(node), static, tuple(map(_form, children))


def names(engine: Any) -> Names:
    """The mass elements and signals that an engine or motor refers to, for the check of the scenario."""
    signals = [engine.gimbal.pitch, engine.gimbal.yaw] if engine.gimbal else []
    if isinstance(engine, Engine) and isinstance(engine.throttle, Signal):
        signals.append(engine.throttle.signal)
    return Names(tuple(tank for tank, _ in feeds(engine)), tuple(s for s in signals if s is not None))


def empty(tank: str) -> str:
    """The name of the event at which a tank, as body.element, runs empty."""
    return f"{tank} empty"


def feeds(engine: Any) -> tuple[tuple[str, Any], ...]:
    """Pairs of a mass element, as body.element, and its share of the mass flow, which sum to one; none if it
    is massless."""
    if engine.massless:
        return ()
    if isinstance(engine, Motor):
        return ((str(engine.grain), 1.0),)
    if engine.mixture_ratio is None:
        return tuple((feed.tank, feed.share) for feed in engine.feeds)
    whole = 1 + engine.mixture_ratio
    return (str(engine.oxidizer), engine.mixture_ratio / whole), (str(engine.fuel), 1 / whole)
