"""Declarations of devices that act along a line between two bodies: separation springs, pistons, pneumatic
pushers, connectors.
"""

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
"""Allowed range of the ratio of specific heats of a gas. The ratio is 5/3 for monatomic gases and near 1 for
large molecules.
"""
EARLY = 1e-9
"""Relative tolerance, for rounding errors, in comparisons at the end of the stroke."""


class Pusher(Repeatable, Device):
    """Base class of all devices that act along a line between two bodies."""

    points: ClassVar[tuple[str, ...]] = ("parent_at", "child_at")
    stands: ClassVar[tuple[tuple[str, str], ...]] = (("parent", "parent_at"), ("child", "child_at"))
    directions: ClassVar[tuple[str, ...]] = ("axis",)
    words: ClassVar[tuple[str, ...]] = ("spent",)
    losses: ClassVar[tuple[str, ...]] = ("friction", "damping")

    name: Name
    """Name of the device in paths and tables."""
    parent: str
    """Name of the body that carries the device."""
    child: str
    """Name of the body on which the device acts."""
    parent_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Point of application on the parent [m], structural coordinates of the parent."""
    child_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Point of application on the child [m], structural coordinates of the child."""
    axis: Annotated[Any, si("1", (3,))] | None = None
    """Direction of the line of action from the parent to the child, in the structural axes of the parent. The
    length of the vector is arbitrary. Default: the line between the two points."""
    stroke: Annotated[Any, si("m", positive=True)]
    """Travel over which the device applies its force [m]. Beyond this travel, the force is zero and the
    device stays on the parent."""
    strength: Annotated[Any, si("1", nonnegative=True)] = 1.0
    """Factor on the force: 1 for a nominal device, 0.8 for a weak device, 0 for a failed device."""
    friction_speed: Annotated[Any, si("m/s", positive=True)] = 1e-3
    """Smoothing speed v0 of the friction [m/s]: at the rate of travel v, the friction force has the factor
    tanh(v/v0)."""

    @model_validator(mode="after")
    def _check_axis(self) -> Any:
        if isinstance(self.axis, np.ndarray) and not (np.abs(self.axis).max(axis=0) > 0).all():
            remedy = (
                "Give a direction like [0, 0, 1], or remove 'axis', to push along the line between the points"
            )
            raise Refused(("axis", f"the vector is zero. {remedy}"))
        return self


class FiredPusher(Pusher):
    """Base class of devices that push bodies apart and that an action can fire."""

    directions: ClassVar[tuple[str, ...]] = ("axis", "plate")
    fireable: ClassVar[bool] = True
    words: ClassVar[tuple[str, ...]] = ("fired", "spent")

    contact: Literal["fixed", "slides"] = "fixed"
    """Type of contact on the child. "fixed": the force acts at `child_at`. "slides": the force acts at the
    tip of the rod, which slides on a flat plate of the child. The plate passes through `child_at`."""
    plate: Annotated[Any, si("1", (3,))] | None = None
    """Normal of the plate on which the tip of the rod slides, in the child's structural axes. Default: the
    direction of the rod at the start."""
    friction: Annotated[Any, si("N", nonnegative=True)] = 0.0
    """Coulomb friction force, opposite to the travel [N]."""
    after: str | None = None
    """Phase, event or device action ("bolt released") that fires the device. Default: only the action `fire`.
    Without `after` and without a `fire` action, the device pushes from the start, even while a joint connects
    the bodies."""
    delay: Annotated[Any, si("s", nonnegative=True, endless=True)] = 0.0
    """Time from the firing to the beginning of the push [s]. A device with the delay inf does not push.
    Travel during the delay counts as part of the stroke."""

    @property
    def changes(self) -> frozenset[str]:
        """Names of the conserved quantities that the device changes. Energy is included if the tip of the
        device slides or its work is prescribed.
        """
        return super().changes | ({"energy"} if self.contact == "slides" or self._work_is_given else set())

    @property
    def _work_is_given(self) -> bool:
        """Whether the declaration prescribes the work. False if the work comes from a spring or a fixed gas
        charge."""
        return False

    @model_validator(mode="after")
    def _check_contact(self) -> Any:
        if self.contact == "slides" and self.axis is None:
            text = "'slides' requires a line of action on the parent. Set 'axis'"
            raise Refused(("contact", f'{text}, or set contact = "fixed"'))
        if self.contact == "fixed" and self.plate is not None:
            raise Refused(
                (
                    "plate",
                    (
                        "'plate' is set, but the contact does not slide. Set contact = \"slides\", "
                        "or remove 'plate'"
                    ),
                )
            )
        if isinstance(self.plate, np.ndarray) and not (np.abs(self.plate).max(axis=0) > 0).all():
            raise Refused(("plate", "the vector is zero. Give a normal like [0, 0, 1], or remove 'plate'"))
        return self


class KickoffSpring(FiredPusher):
    """Separation spring: a compressed spring that pushes two bodies apart over its stroke.

    Source: Acquatella and Reiner, "Modelica Stage Separation Dynamics Modeling for End-to-End Launch Vehicle
    Trajectory Simulations", section on kick-off springs.
    """

    kind: Literal["kickoff_spring"] = "kickoff_spring"
    """A separation spring."""
    given_stiffness: Annotated[Any, si("N/m", positive=True)] | None = Field(None, alias="stiffness")
    """Stiffness: decrease of the force per travel [N/m]. Required without `energy`. With the same preload, a
    stiffer spring delivers less energy, because its force decreases faster."""
    given_preload: Annotated[Any, si("N", positive=True)] | None = Field(None, alias="preload")
    """Force at the start of the stroke [N]. Set either `preload` or `free_length`."""
    free_length: Annotated[Any, si("m", positive=True)] | None = None
    """Length of the spring at zero force [m]. Set either `free_length` or `preload`."""
    energy: Annotated[Any, si("J", positive=True)] | None = None
    """Work over the full stroke without friction and damping [J]: (preload - stiffness stroke/2) stroke. Set
    `energy` together with `stiffness` or with `preload`. The third value is computed from the first two
    values."""
    damping: Annotated[Any, si("N s/m", nonnegative=True)] = 0.0
    """Coefficient of viscous damping: decrease of the force per rate of extension [N s/m]."""

    @property
    def stiffness(self) -> Any:
        """Stiffness k [N/m]. If the energy E is declared with the preload F and the stroke s, k = 2 (F s - E)
        / s^2.
        """
        if self.given_stiffness is not None or self.energy is None:
            return self.given_stiffness
        return 2 * (self.given_preload * self.stroke - self.energy) / self.stroke**2

    @property
    def preload(self) -> Any:
        """Force F at the start of the stroke [N]. If the energy E is declared with the stiffness k and the
        stroke s, F = E / s + k s / 2.

        None if the free length is declared.
        """
        if self.given_preload is not None or self.energy is None:
            return self.given_preload
        stiffness: Any = self.given_stiffness
        return self.energy / self.stroke + 0.5 * stiffness * self.stroke

    @property
    def rules_hold_for_cases(self) -> bool:
        """Return whether all rules between fields are applied to each case."""
        return True

    @model_validator(mode="after")
    def _check(self) -> KickoffSpring:
        if self.energy is not None:
            self._check_energy()
            return self
        if self.given_stiffness is None:
            raise Refused(
                (
                    "stiffness",
                    "'stiffness' is required. Give the stiffness in N/m, or give 'energy' and 'preload'",
                )
            )
        if (self.given_preload is None) == (self.free_length is None):
            fault = (
                "neither 'preload' nor 'free_length' is set" if self.free_length is None else "'preload' and"
            )
            fault += "" if self.free_length is None else " 'free_length' are both set"
            raise Refused(("preload", f"{fault}. Set exactly one of these keys"))
        if isinstance(self.given_preload, np.ndarray) and _known(self.given_stiffness, self.stroke):
            travel, stroke = np.broadcast_arrays(self.given_preload / self.given_stiffness, self.stroke)
            worst = np.unravel_index(np.argmin(travel / stroke), travel.shape)
            if travel[worst] < stroke[worst] * (1 - EARLY):
                long, used = float(stroke[worst]), float(travel[worst])
                text = f"the stroke {long:g} m is too long: the spring force is zero after {used:g} m"
                remedy = "(preload/stiffness). Shorten the stroke or raise the preload"
                raise Refused(("stroke", f"{text} {remedy}"))
        return self

    def _check_energy(self) -> None:
        """Raise Refused if the energy contradicts the other fields or is out of its range."""
        if self.free_length is not None:
            text = (
                "'energy' cannot be set with 'free_length'. Remove 'free_length', or replace "
                "'energy' by 'stiffness'"
            )
            raise Refused(("energy", text))
        if (self.given_stiffness is None) == (self.given_preload is None):
            both = "'energy' already follows from 'stiffness' and 'preload'. Remove one of these three keys"
            none = "'energy' needs 'stiffness' or 'preload'. Set one of these two keys"
            raise Refused(("energy", none if self.given_stiffness is None else both))
        stiffness: Any = self.given_stiffness
        if _known(self.energy, self.stroke, stiffness):
            _within(self.energy, 0.5 * stiffness * self.stroke**2, np.inf, "stiffness*stroke^2/2")
        elif _known(self.energy, self.stroke, self.given_preload):
            most = self.given_preload * self.stroke
            _within(self.energy, 0.5 * most, most, "preload*stroke/2")


def _within(energy: Any, low: Any, high: Any, what: str) -> None:
    """Raise Refused if the force would become zero before the end of the stroke, or would not decrease."""
    energy, low, high = np.broadcast_arrays(energy, low, high)
    bad = (energy < low * (1 - EARLY)) | (energy >= high)
    if bad.any():
        given, least, most = (float(side[bad].flat[0]) for side in (energy, low, high))
        if given < least:
            text = (
                f"the energy {given:g} J is less than {least:g} J ({what}): the force would end before "
                "the stroke ends"
            )
            raise Refused(("energy", f"{text}. Raise the energy, or shorten the stroke"))
        text = (
            f"the energy {given:g} J is not less than {most:g} J (preload times stroke): the force would "
            "not decrease"
        )
        raise Refused(("energy", f"{text}. Lower the energy, or raise the preload"))


class ForceByStroke(BurnTable):
    """A force as a function of the travel."""

    stroke: Annotated[Any, si("m", ("n",), nonnegative=True)]
    """Travels [m], increasing."""
    value: Annotated[Any, si("N", ("n",), nonnegative=True)]
    """Force at each travel [N]."""


class ForceByTime(BurnTable):
    """A force as a function of the time since the push began."""

    time: Annotated[Any, si("s", ("n",), nonnegative=True)]
    """Times since the beginning of the push [s], increasing."""
    value: Annotated[Any, si("N", ("n",), nonnegative=True)]
    """Force at each time [N]."""


def _push(value: Any) -> str:
    """Name of the declaration class that fits the form of a force."""
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
    """A piston that pushes two bodies apart over its stroke. The force is constant, or given by a table over
    travel or time, or applied by the gas of a chamber. Several pistons can share one chamber."""

    kind: Literal["piston"] = "piston"
    """A piston that pushes two bodies apart over a stroke."""
    push: Push | None = None
    """Force [N], or a table of the force over the travel or over the time since the beginning of the push.
    Set either `push` or `chamber`."""
    chamber: str | None = None
    """Name of the gas chamber that drives the piston. Requires `area`. Set either `chamber` or `push`."""
    area: Annotated[Any, si("m^2", positive=True)] | None = None
    """Area of the piston on which the gas of the chamber acts [m^2]."""

    @model_validator(mode="after")
    def _check(self) -> Piston:
        if (self.push is None) == (self.chamber is None):
            fault = (
                "neither 'push' nor 'chamber' is set"
                if self.push is None
                else "'push' and 'chamber' are both set"
            )
            raise Refused(("push", f"{fault}. Set exactly one of these keys"))
        if (self.area is None) != (self.chamber is None):
            given = "area is set without chamber. Remove area, or replace push by chamber"
            missing = "area is required with chamber. Give the area of the piston in m^2"
            raise Refused(("area", given if self.chamber is None else missing))
        return self

    @property
    def _work_is_given(self) -> bool:
        """Whether the declaration prescribes the work, or the work is not all of the energy that the gas
        loses."""
        return self.push is not None or _weak(self.strength)


class PneumaticPusher(FiredPusher):
    """A cylinder with its own gas that pushes two bodies apart over its stroke. The fields of a gas spring
    are the usual catalogue data.
    """

    kind: Literal["pneumatic_pusher"] = "pneumatic_pusher"
    """A pneumatic pusher."""
    pressure: Annotated[Any, si("Pa", positive=True)]
    """Absolute gas pressure at the beginning of the push [Pa]."""
    bore: Annotated[Any, si("m", positive=True)]
    """Diameter of the piston [m]."""
    dead_volume: Annotated[Any, si("m^3", positive=True)] | None = None
    """Gas volume before the push [m^3]. Required with supply = "closed"."""
    supply: Literal["closed", "constant"] = "closed"
    """Gas supply. "closed": a fixed charge in adiabatic expansion. "constant": a supply at constant
    pressure."""
    heat_ratio: Annotated[Any, si("1")] = 1.4
    """Ratio of specific heats of the gas. Default: 1.4, for nitrogen and air."""
    ambient_pressure: Annotated[Any, si("Pa", nonnegative=True)] = 0.0
    """Pressure on the other side of the piston, which acts against the push [Pa]."""

    @property
    def area(self) -> Any:
        """Area of the piston [m^2]."""
        return np.pi / 4 * self.bore**2

    @property
    def _work_is_given(self) -> bool:
        """Whether the declaration prescribes the work, or the work is not all of the energy that the gas
        loses."""
        return self.supply == "constant" or _weak(self.strength)

    @model_validator(mode="after")
    def _check(self) -> PneumaticPusher:
        if (self.dead_volume is None) != (self.supply == "constant"):
            if self.dead_volume is None:
                raise Refused(
                    (
                        "dead_volume",
                        (
                            'dead_volume is required with supply = "closed". Give the gas volume '
                            "before the push in m^3"
                        ),
                    )
                )
            raise Refused(
                (
                    "dead_volume",
                    (
                        'dead_volume has no effect with supply = "constant". Remove dead_volume, '
                        'or set supply = "closed"'
                    ),
                )
            )
        check_gas(self)
        volume = self.dead_volume
        if volume is not None and _known(volume, self.pressure, self.bore, self.stroke):
            found = check_expansion(self, volume, self.area * self.stroke)
            if found:
                raise Refused(("stroke", found[0]))
        return self


class GasChamber(Device):
    """A chamber with a fixed gas charge in adiabatic expansion. The gas drives the pistons that name the
    chamber.

    The pressure is p = p0 (V0/V)^gamma. The volume V is V0 plus the sum of area times travel of the pistons.
    After the end of its stroke, the travel of a piston counts as its stroke.
    """

    kind: Literal["gas_chamber"] = "gas_chamber"
    """A gas chamber that drives pistons."""
    name: Name
    """Name of the device in paths and tables."""
    pressure: Annotated[Any, si("Pa", positive=True)]
    """Absolute gas pressure before the push [Pa]."""
    volume: Annotated[Any, si("m^3", positive=True)]
    """Gas volume before the push [m^3]."""
    heat_ratio: Annotated[Any, si("1")]
    """Ratio of specific heats of the gas: 1.4 for nitrogen and air, 1.67 for helium, about 1.2 to 1.3 for
    combustion gas."""
    ambient_pressure: Annotated[Any, si("Pa", nonnegative=True)] = 0.0
    """Pressure on the other side of the pistons, which acts against the push [Pa]."""

    @model_validator(mode="after")
    def _check(self) -> GasChamber:
        check_gas(self)
        return self


class Umbilical(Pusher):
    """A connector that resists its separation with a pull-off force along its line. The connector is
    connected at the start and disconnects at the end of its stroke.
    """

    outside: ClassVar[frozenset[str]] = frozenset({"energy"})

    kind: Literal["umbilical"] = "umbilical"
    """An umbilical connector."""
    pull_off: PullOff
    """Pull-off force, opposite to the travel [N], or a table of this force over the travel. The force acts as
    friction: below `friction_speed` it decreases, and at rest it is zero."""


def _weak(strength: Any) -> bool:
    """Whether a factor on a force is neither 0 nor 1 in any case."""
    return not np.isin(np.asarray(strength), (0.0, 1.0)).all()


def check_gas(gas: Any) -> None:
    """Check the ratio of specific heats and the pressure of a gas.

    Raises Refused if the ratio is out of range or if the pressure is not above the ambient pressure.
    """
    if isinstance(gas.heat_ratio, np.ndarray):
        low, high = HEAT_RATIOS
        wrong = (gas.heat_ratio <= low) | (gas.heat_ratio > high)
        if wrong.any():
            shown = float(np.ravel(gas.heat_ratio[wrong])[0])
            text = (
                f"heat_ratio = {shown:g} is out of range (above 1, at most 1.7). Give 1.4 for air or "
                "nitrogen, 1.67 for helium"
            )
            raise Refused(("heat_ratio", text))
    if _known(gas.pressure, gas.ambient_pressure):
        pressure, ambient = np.broadcast_arrays(gas.pressure, gas.ambient_pressure)
        if (pressure <= ambient).any():
            worst = np.unravel_index(np.argmin(pressure - ambient), pressure.shape)
            text = (
                f"the pressure {pressure[worst]:g} Pa is not above 'ambient_pressure', {ambient[worst]:g} "
                "Pa, so the gas cannot push"
            )
            raise Refused(("pressure", f"{text}. Give the absolute pressure of the gas"))


def check_expansion(gas: Any, volume: Any, swept: Any) -> list[str]:
    """Check that the pressure of an expanding gas stays above the ambient pressure.

    `volume` [m^3]: initial volume. `swept` [m^3]: additional volume at the end of the stroke. Returns a list
    with the text of one fault if the pressure falls to the ambient pressure, otherwise an empty list.
    """
    if not _known(gas.pressure, gas.ambient_pressure, gas.heat_ratio):
        return []
    last = gas.pressure * (volume / (volume + swept)) ** gas.heat_ratio
    last, ambient = np.broadcast_arrays(last, gas.ambient_pressure)
    if (last >= ambient * (1 - EARLY)).all():
        return []
    worst = np.unravel_index(np.argmin(last - ambient), last.shape)
    text = (
        f"the stroke is too long: at its end the gas pressure is {last[worst]:g} Pa, less than "
        f"'ambient_pressure', {ambient[worst]:g} Pa"
    )
    return [f"{text}. Shorten the stroke, or raise the pressure or volume of the gas"]


def _known(*values: Any) -> bool:
    """Whether all values are concrete numbers, not traced."""
    return all(isinstance(value, np.ndarray) for value in values)


KINDS = {"devices": (KickoffSpring, Piston, GasChamber, PneumaticPusher, Umbilical)}
