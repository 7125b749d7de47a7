"""Devices that push or hold along a line between two bodies: springs, pistons, connectors."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from ...model.burn_tables import BurnTable
from ...model.effect import Device
from ...model.pattern import Repeatable
from ...tree.declaration import Declaration, OneOf
from ...tree.errors import Refused
from ...tree.names import Name
from ...tree.units import si

HEAT_RATIOS = (1.0, 1.7)
"""Between these lies the heat ratio of every gas: 5/3 where it has one atom, near 1 where it has many."""
EARLY = 1e-9
"""Part of a stroke by which a force may end before it, for the rounding of the numbers given."""


class Pusher(Repeatable, Device):
    """What all devices on a line between two bodies have in common."""

    points: ClassVar[tuple[str, ...]] = ("parent_at", "child_at")
    stands: ClassVar[tuple[tuple[str, str], ...]] = (("parent", "parent_at"), ("child", "child_at"))
    directions: ClassVar[tuple[str, ...]] = ("axis",)
    words: ClassVar[tuple[str, ...]] = ("spent",)
    losses: ClassVar[tuple[str, ...]] = ("friction", "damping")

    name: Name
    """Name of the device in paths and tables."""
    parent: str
    """The body that carries the device."""
    child: str
    """The body that it acts on."""
    parent_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Where it stands on the parent [m], structural axes, drawing coordinates of the parent."""
    child_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Where it meets the child [m], structural axes, drawing coordinates of the child."""
    axis: Annotated[Any, si("1", (3,))] | None = None
    """Line of action, from the parent to the child, in the parent's structural axes; its length does not
    matter. Default: the line between the two points."""
    stroke: Annotated[Any, si("m", positive=True)]
    """Travel over which it acts [m]; it then stays behind."""
    strength: Annotated[Any, si("1", nonnegative=True)] = 1.0
    """Factor on its force: 1 as declared, 0.8 for a weak one, 0 for one that is missing."""
    friction_speed: Annotated[Any, si("m/s", positive=True)] = 1e-3
    """Rate of travel from which friction is fully there [m/s]: it goes as tanh(rate / friction_speed)."""

    @model_validator(mode="after")
    def _check_axis(self) -> Any:
        if isinstance(self.axis, np.ndarray) and not (np.abs(self.axis).max(axis=0) > 0).all():
            text = "is the zero vector; give a direction like [0, 0, 1], or leave it out for the line between"
            raise Refused(("axis", f"{text} the points"))
        return self


class FiredPusher(Pusher):
    """What devices that push bodies apart have in common."""

    directions: ClassVar[tuple[str, ...]] = ("axis", "plate")
    fireable: ClassVar[bool] = True
    words: ClassVar[tuple[str, ...]] = ("fired", "spent")

    contact: Literal["fixed", "slides"] = "fixed"
    """How the child's end moves with the push: the force acts at `child_at`, "fixed", or where the rod's tip
    is, "slides": it presses on a flat plate of the child that goes through `child_at`."""
    plate: Annotated[Any, si("1", (3,))] | None = None
    """Normal of the plate that the rod's tip slides on, in the child's structural axes. Default: along the
    rod in the pose at the start."""
    friction: Annotated[Any, si("N", nonnegative=True)] = 0.0
    """Coulomb friction against the travel [N]."""
    after: str | None = None
    """Phase, event, or what a device does ("bolt released"), that fires it. Default: the action `fire`, or,
    without that, that it pushes from the start, against the joint."""
    delay: Annotated[Any, si("s", nonnegative=True, endless=True)] = 0.0
    """From the firing to the beginning of the push [s]; inf for one that does not answer. The stroke counts
    from the firing: one that answers late finds part of it gone."""

    @property
    def changes(self) -> frozenset[str]:
        """What of that which a system keeps it changes: its work where the tip slides on the plate."""
        return super().changes | ({"energy"} if self.contact == "slides" or self._given else set())

    @property
    def _given(self) -> bool:
        """Whether its work is given, and not what a spring or closed-in gas loses."""
        return False

    @model_validator(mode="after")
    def _check_contact(self) -> Any:
        if self.contact == "slides" and self.axis is None:
            text = "slides along the child only with a line of action of its own; give an axis in the parent"
            raise Refused(("contact", f"{text}, or contact = fixed"))
        if self.contact == "fixed" and self.plate is not None:
            raise Refused(("plate", "is for a tip that slides on it; say contact = slides, or remove it"))
        if isinstance(self.plate, np.ndarray) and not (np.abs(self.plate).max(axis=0) > 0).all():
            raise Refused(("plate", "is the zero vector; give a normal like [0, 0, 1], or leave it out"))
        return self


class KickoffSpring(FiredPusher):
    """A compressed spring that pushes two bodies apart until its stroke is used up.

    Source: Acquatella and Reiner, "Modelica Stage Separation Dynamics Modeling for End-to-End Launch Vehicle
    Trajectory Simulations", section on kick-off springs.
    """

    kind: Literal["kickoff_spring"] = "kickoff_spring"
    """A spring that pushes two bodies apart over a stroke."""
    given_stiffness: Annotated[Any, si("N/m", positive=True)] | None = Field(None, alias="stiffness")
    """Force per compression [N/m]. Required without `energy`. A stiffer spring with the same preload gives
    less energy, as its force falls faster."""
    given_preload: Annotated[Any, si("N", positive=True)] | None = Field(None, alias="preload")
    """Force at the start of the stroke [N]. Give this or `free_length`."""
    free_length: Annotated[Any, si("m", positive=True)] | None = None
    """Length without force [m]. Give this or `preload`."""
    energy: Annotated[Any, si("J", positive=True)] | None = None
    """Work over the whole stroke without friction and damping [J]: (preload - stiffness stroke/2) stroke.
    Give it with one of `stiffness` and `preload`; the other follows."""
    damping: Annotated[Any, si("N s/m", nonnegative=True)] = 0.0
    """Force lost per rate of extension [N s/m]."""

    @property
    def stiffness(self) -> Any:
        """Force per compression [N/m], declared or by the energy: k = 2 (F s - E) / s^2."""
        if self.given_stiffness is not None or self.energy is None:
            return self.given_stiffness
        return 2 * (self.given_preload * self.stroke - self.energy) / self.stroke**2

    @property
    def preload(self) -> Any:
        """Force at the start of the stroke [N], declared or by the energy, F = E / s + k s / 2; none with a
        free length."""
        if self.given_preload is not None or self.energy is None:
            return self.given_preload
        stiffness: Any = self.given_stiffness
        return self.energy / self.stroke + 0.5 * stiffness * self.stroke

    @model_validator(mode="after")
    def _check(self) -> KickoffSpring:
        if self.energy is not None:
            self._check_energy()
            return self
        if self.given_stiffness is None:
            raise Refused(("stiffness", "is required: N/m; or give energy and preload"))
        if (self.given_preload is None) == (self.free_length is None):
            raise Refused(("preload", "give exactly one of preload and free_length"))
        if isinstance(self.given_preload, np.ndarray) and _known(self.given_stiffness, self.stroke):
            travel, stroke = np.broadcast_arrays(self.given_preload / self.given_stiffness, self.stroke)
            worst = np.unravel_index(np.argmin(travel / stroke), travel.shape)
            if travel[worst] < stroke[worst] * (1 - EARLY):
                long, used = float(stroke[worst]), float(travel[worst])
                text = f"is longer than the spring pushes: {long:g} m, but the preload is used up after"
                remedy = "(preload/stiffness). Shorten the stroke or raise the preload"
                raise Refused(("stroke", f"{text} {used:g} m {remedy}"))
        return self

    def _check_energy(self) -> None:
        """Refuse an energy that is given beside both others, or neither, or that no such spring has."""
        if self.free_length is not None:
            text = "goes with preload or stiffness; remove free_length, or give stiffness in place of energy"
            raise Refused(("energy", text))
        if (self.given_stiffness is None) == (self.given_preload is None):
            both = "is too much with stiffness and preload, of which it follows; leave one of the three out"
            none = "does not say how the force falls; give stiffness or preload with it"
            raise Refused(("energy", none if self.given_stiffness is None else both))
        stiffness: Any = self.given_stiffness
        if _known(self.energy, self.stroke, stiffness):
            _within(self.energy, 0.5 * stiffness * self.stroke**2, np.inf, "stiffness stroke^2/2")
        elif _known(self.energy, self.stroke, self.given_preload):
            most = self.given_preload * self.stroke
            _within(self.energy, 0.5 * most, most, "preload stroke/2")


def _within(energy: Any, low: Any, high: Any, what: str) -> None:
    """Refuse an energy with which the force is used up before the stroke, or does not fall."""
    energy, low, high = np.broadcast_arrays(energy, low, high)
    bad = (energy < low * (1 - EARLY)) | (energy >= high)
    if bad.any():
        given, least, most = (float(side[bad].flat[0]) for side in (energy, low, high))
        if given < least:
            text = f"{given:g} J is less than {least:g} J, {what}: the force would end before the stroke"
            raise Refused(("energy", f"{text}. Raise it, or shorten the stroke"))
        text = f"{given:g} J is not less than {most:g} J, preload times stroke: the force would not fall"
        raise Refused(("energy", f"{text}. Lower it, or raise the preload"))


class ForceByStroke(BurnTable):
    """A force as a function of the travel."""

    stroke: Annotated[Any, si("m", ("n",), nonnegative=True)]
    """Travels [m], increasing."""
    value: Annotated[Any, si("N", ("n",), nonnegative=True)]
    """Force at each travel [N]."""


class ForceByTime(BurnTable):
    """A force as a function of the time since the push began."""

    time: Annotated[Any, si("s", ("n",), nonnegative=True)]
    """Times since the push began [s], increasing."""
    value: Annotated[Any, si("N", ("n",), nonnegative=True)]
    """Force at each time [N]."""


def _push(value: Any) -> str:
    """Which form a force has."""
    if isinstance(value, Declaration):
        return type(value).__name__
    if isinstance(value, dict):
        return "ForceByTime" if "time" in value else "ForceByStroke"
    return "number"


Push = Annotated[
    Annotated[Any, si("N", nonnegative=True)] | ForceByStroke | ForceByTime,
    OneOf(_push),
]
PullOff = Annotated[Annotated[Any, si("N", nonnegative=True)] | ForceByStroke, OneOf(_push)]


class Piston(FiredPusher):
    """A piston that pushes two bodies apart until its stroke is used up, by a force given over its travel or
    over time, or by the gas of a chamber that several pistons may share."""

    kind: Literal["piston"] = "piston"
    """A piston that pushes two bodies apart over a stroke."""
    push: Push | None = None
    """Its force [N], or a table of it over the travel or over the time since the push began. Give this or
    `chamber`."""
    chamber: str | None = None
    """Name of the gas chamber that drives it. Give this, with `area`, or `push`."""
    area: Annotated[Any, si("m^2", positive=True)] | None = None
    """Area that the gas of the chamber acts on [m^2]."""

    @model_validator(mode="after")
    def _check(self) -> Piston:
        if (self.push is None) == (self.chamber is None):
            raise Refused(("push", "give exactly one of push and chamber"))
        if (self.area is None) != (self.chamber is None):
            given = "belongs to a chamber; remove it, or name the chamber in place of push"
            raise Refused(("area", given if self.chamber is None else "is required with chamber: m^2"))
        return self

    @property
    def _given(self) -> bool:
        """Whether its work is given, or not all of what its gas loses."""
        return self.push is not None or _weak(self.strength)


class PneumaticPusher(FiredPusher):
    """A cylinder with gas of its own that pushes two bodies apart until its stroke is used up, by the numbers
    that catalogues give."""

    kind: Literal["pneumatic_pusher"] = "pneumatic_pusher"
    """A pneumatic cylinder that pushes two bodies apart over a stroke."""
    pressure: Annotated[Any, si("Pa", positive=True)]
    """Pressure of the gas at the beginning of the push, absolute [Pa]."""
    bore: Annotated[Any, si("m", positive=True)]
    """Diameter of the piston [m]."""
    dead_volume: Annotated[Any, si("m^3", positive=True)] | None = None
    """Volume of the gas before the push [m^3]; required unless the supply is constant."""
    supply: Literal["closed", "constant"] = "closed"
    """Whether the gas is closed in and expands without heat, or comes at constant pressure."""
    heat_ratio: Annotated[Any, si("1")] = 1.4
    """Ratio of the specific heats of the gas; 1.4 is that of nitrogen and air."""
    ambient_pressure: Annotated[Any, si("Pa", nonnegative=True)] = 0.0
    """Pressure on the other side of the piston [Pa]."""

    @property
    def area(self) -> Any:
        """Area of the piston [m^2]."""
        return np.pi / 4 * self.bore**2

    @property
    def _given(self) -> bool:
        """Whether its work is given, or not all of what its gas loses."""
        return self.supply == "constant" or _weak(self.strength)

    @model_validator(mode="after")
    def _check(self) -> PneumaticPusher:
        if (self.dead_volume is None) != (self.supply == "constant"):
            if self.dead_volume is None:
                raise Refused(("dead_volume", "is required: the volume of the gas before the push, m^3"))
            raise Refused(
                ("dead_volume", "does not matter where the supply is constant; remove it, or the supply")
            )
        check_gas(self)
        volume = self.dead_volume
        if volume is not None and _known(volume, self.pressure, self.bore, self.stroke):
            found = check_expansion(self, volume, self.area * self.stroke)
            if found:
                raise Refused(("stroke", found[0]))
        return self


class GasChamber(Device):
    """Gas that is closed in, expands without heat, and drives the pistons that name it: p = p0 (V0/V)^gamma,
    with the volume V = V0 + sum of area times travel over its pistons, each up to its stroke."""

    kind: Literal["gas_chamber"] = "gas_chamber"
    """Gas that drives pistons."""
    name: Name
    """Name of the device in paths and tables."""
    pressure: Annotated[Any, si("Pa", positive=True)]
    """Pressure before the push, absolute [Pa]."""
    volume: Annotated[Any, si("m^3", positive=True)]
    """Volume before the push [m^3]."""
    heat_ratio: Annotated[Any, si("1")]
    """Ratio of the specific heats of the gas: 1.4 for nitrogen and air, 1.67 for helium, some 1.2 to 1.3 for
    what propellants leave."""
    ambient_pressure: Annotated[Any, si("Pa", nonnegative=True)] = 0.0
    """Pressure on the other side of the pistons [Pa]."""

    @model_validator(mode="after")
    def _check(self) -> GasChamber:
        check_gas(self)
        return self


class Umbilical(Pusher):
    """A connector that resists being pulled apart from the start, where it is engaged, until its stroke is
    used up, where it is disconnected. Along its line only."""

    outside: ClassVar[frozenset[str]] = frozenset({"energy"})

    kind: Literal["umbilical"] = "umbilical"
    """A connector that is pulled apart."""
    pull_off: PullOff
    """Force against the travel [N], or a table of it over the travel. It is a friction: what moves slower
    than `friction_speed` it resists less, and what rests it does not push."""


def _weak(strength: Any) -> bool:
    """Whether a factor on a force is neither that of one as declared nor that of one that is missing."""
    return not np.isin(np.asarray(strength), (0.0, 1.0)).all()


def check_gas(gas: Any) -> None:
    """Refuse a heat ratio that no gas has, and a pressure that pushes nothing."""
    if isinstance(gas.heat_ratio, np.ndarray):
        low, high = HEAT_RATIOS
        wrong = (gas.heat_ratio <= low) | (gas.heat_ratio > high)
        if wrong.any():
            shown = float(np.ravel(gas.heat_ratio[wrong])[0])
            text = f"is {shown:g}; a gas has more than 1 and at most 5/3, air and nitrogen 1.4, helium 1.67"
            raise Refused(("heat_ratio", text))
    if _known(gas.pressure, gas.ambient_pressure):
        pressure, ambient = np.broadcast_arrays(gas.pressure, gas.ambient_pressure)
        if (pressure <= ambient).any():
            worst = np.unravel_index(np.argmin(pressure - ambient), pressure.shape)
            text = f"is {pressure[worst]:g} Pa, not more than ambient_pressure, {ambient[worst]:g} Pa: it"
            raise Refused(("pressure", f"{text} pushes nothing. Give the absolute pressure"))


def check_expansion(gas: Any, volume: Any, swept: Any) -> list[str]:
    """What to say of gas that falls to the ambient pressure before it has swept a volume [m^3]; nothing where
    it does not."""
    if not _known(gas.pressure, gas.ambient_pressure, gas.heat_ratio):
        return []
    last = gas.pressure * (volume / (volume + swept)) ** gas.heat_ratio
    last, ambient = np.broadcast_arrays(last, gas.ambient_pressure)
    if (last >= ambient * (1 - EARLY)).all():
        return []
    worst = np.unravel_index(np.argmin(last - ambient), last.shape)
    text = f"is longer than the gas pushes: at its end it has {last[worst]:g} Pa left, less than"
    return [f"{text} ambient_pressure, {ambient[worst]:g} Pa. Shorten it, or give more gas"]


def _known(*values: Any) -> bool:
    """Whether all numbers have values, and are not traced."""
    return all(isinstance(value, np.ndarray) for value in values)


KINDS = {"devices": (KickoffSpring, Piston, GasChamber, PneumaticPusher, Umbilical)}
