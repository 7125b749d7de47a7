"""Declarations of devices that release joints when they are fired."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import model_validator

from ...model.effect import Device, either
from ...model.pattern import Repeatable
from ...tree.errors import Problem, Refused, Written
from ...tree.names import Name
from ...tree.units import si

ALONG = ("impulse", "stiffness")
"""Names of the fields of a release device that require the field `axis`."""


class ReleaseDevice(Repeatable, Device):
    """A device that releases joints when it is fired.

    The action `fire` of a phase or event fires the device. The key `after` can name another phase, event or
    device action that fires it.
    """

    points: ClassVar[tuple[str, ...]] = ("at",)
    directions: ClassVar[tuple[str, ...]] = ("axis",)
    words: ClassVar[tuple[str, ...]] = ("released",)
    joint_field: ClassVar[str] = "joints"
    fireable: ClassVar[bool] = True
    idle: ClassVar[bool] = True

    kind: Any = ""
    """Kind of the device."""
    name: Name
    """Name of the device in paths and tables."""
    joints: tuple[str, ...]
    """Names of the joints that the device releases."""
    after: str | None = None
    """Phase, event or device action ("aft spent", "bolt released") that fires the device. Default: only the
    action `fire`."""
    delay: Annotated[Any, si("s", nonnegative=True, endless=True)] = 0.0
    """Time from firing to release [s]. A device with the delay inf does not release."""
    works: Annotated[Any, si("1")] = 1.0
    """1 if the device releases its joints, 0 if the device fails. If the device fails, the joints stay
    attached, and actions that wait for the release do not occur."""
    axis: Annotated[Any, si("1", (3,))] | None = None
    """Direction from the parent to the child, in the parent's structural axes. The length of the vector is
    arbitrary. Required with `impulse` and with `stiffness`."""
    at: Annotated[Any, si("m", (3,))] | None = None
    """Point of application of the impulse [m], structural coordinates of the parent. Default:
    the joint point of each released joint."""
    impulse: Annotated[Any, si("N s")] | None = None
    """Impulse along the axis on the child of each joint at the release [N s]. The parent gets the opposite
    impulse. Default: none."""
    preload: Annotated[Any, si("N", nonnegative=True)] | None = None
    """Clamping force between the two sides [N]. The force causes no motion. The results compare the force
    with the load that opens the joint."""
    stiffness: Annotated[Any, si("N/m", positive=True)] | None = None
    """Stiffness k of the preloaded parts along the axis [N/m]. At the release, the fraction `efficiency` of
    the strain energy F^2/(2k) of the preload F becomes kinetic energy. Default: no energy is released."""
    efficiency: Annotated[Any, si("1", nonnegative=True)] = 1.0
    """Fraction of the strain energy that becomes kinetic energy of the bodies, from 0 to 1."""

    @property
    def lag(self) -> Any:
        """Time from firing to release [s]."""
        return self.delay

    @property
    def clamps(self) -> bool:
        """True if the device clamps the two sides of a joint together."""
        return self.preload is not None

    @property
    def kicks(self) -> bool:
        """True if the release applies an impulse to the bodies."""
        return self.impulse is not None or self.stiffness is not None

    @property
    def released_joints(self) -> tuple[str, ...]:
        """Names of the joints that the device can release."""
        return self.joints

    @property
    def at_once(self) -> tuple[str, ...]:
        """Names of the joints that the device releases at the time of firing, without delay. A device can
        still fail.
        """
        return self.joints if isinstance(self.lag, np.ndarray | float) and np.min(self.lag) == 0 else ()

    @property
    def reliable(self) -> bool:
        """True if the device always releases its joints at the time of the action `fire`.

        False if `after` fires the device, if the release has a delay, or if the device can fail.
        """
        return self.after is None and bool(self.at_once) and bool(np.all(self.works == 1))

    @model_validator(mode="after")
    def _check_device(self) -> ReleaseDevice:
        problems = [*either(self.works), *self._along_axis()]
        efficiency = self.efficiency
        if isinstance(efficiency, np.ndarray) and (efficiency > 1).any():
            problems.append(
                Problem(
                    "efficiency",
                    f"the efficiency {float(efficiency.max()):g} is above 1. Give an efficiency from 0 to 1",
                )
            )
        if problems:
            raise Refused(*problems)
        return self

    def _along_axis(self) -> list[Problem]:
        problems = []
        for field in ALONG:
            if getattr(self, field) is not None and self.axis is None:
                text = (
                    f"'{field}' is set without 'axis'. Set 'axis', from the parent to the child, "
                    "like [0, 0, 1]"
                )
                problems.append(Problem(field, text))
        if isinstance(self.axis, np.ndarray) and not (np.abs(self.axis).max(axis=0) > 0).all():
            problems.append(Problem("axis", "the vector is zero. Give a direction like [0, 0, 1]"))
        if self.stiffness is not None and not self.clamps:
            problems.append(
                Problem(
                    "stiffness", "'stiffness' is set without 'preload'. Set 'preload', or remove 'stiffness'"
                )
            )
        if self.at is not None and len(self.joints) > 1:
            text = (
                f"'at' is one point, but the device releases {len(self.joints)} joints. Remove `at` to "
                "apply the impulse at each joint point, or declare a device for each joint"
            )
            problems.append(Problem("at", text))
        return problems


class LinearCharge(ReleaseDevice):
    """A linear pyrotechnic charge that cuts a seam at the time of firing.

    The cut is ideal: without `impulse`, it applies no impulse to the bodies. Source: Acquatella and Reiner,
    "Modelica Stage Separation Dynamics Modeling for End-to-End Launch Vehicle Trajectory Simulations",
    section on release devices.
    """

    words: ClassVar[tuple[str, ...]] = ("cut",)

    kind: Literal["linear_charge"] = "linear_charge"
    """A linear charge that releases joints at the time of firing."""


class ExplosiveBolt(ReleaseDevice):
    """A bolt that an explosive charge breaks. `impulse` is the impulse of the gas between the two halves,
    from data of the manufacturer. `preload` is the preload of the tightened bolt."""

    kind: Literal["explosive_bolt"] = "explosive_bolt"
    """A bolt that an explosive charge breaks."""


class ExplosiveNut(ReleaseDevice):
    """A separation nut. The segments of the nut release the bolt, and a catcher on the same body stops the
    bolt. Default: no impulse on the bodies."""

    kind: Literal["explosive_nut"] = "explosive_nut"
    """A nut that releases its bolt."""


class FrangibleJoint(ReleaseDevice):
    """A seam that an expanding tube breaks. `impulse` is the impulse that the tube applies to the two
    edges."""

    kind: Literal["frangible_joint"] = "frangible_joint"
    """A seam that an expanding tube breaks."""


class ClampBand(ReleaseDevice):
    """A clamp band (Marman clamp): a band under tension that presses wedges, the V-segments, over the flanges
    of two rings.

    Statics of one segment: the flanks of the segment are inclined by the angle phi to the plane of the ring.
    When the band is tightened, the friction mu = tan rho resists the inward motion of the segment. The band
    of tension T at radius R presses the segment inwards with T/R per length of the ring. The segment presses
    the flanges together with the line load

    q = T / (2 R tan(phi + rho)), in total F = 2 pi R q = pi T / tan(phi + rho).

    A tensile force P between the rings and a bending moment M load a thin ring. The tensile line load is at
    most n = P / (2 pi R) + M / (pi R^2). The rings are assumed rigid, so that n acts fully against q. The
    flanges separate at each point with n above q. The segments slide outwards, against friction, only at the
    line load T / (2 R tan(phi - rho)).

    The release is simplified: all segments leave the flanges `opening_time` after the delay. The joint is
    free from that time. The opening applies only `impulse` along the axis, the residual impulse from tests of
    the manufacturer. All values of the release are numeric inputs and can be dispersed.

    Nomenclature: NASA GSFC, "Marman Clamp System Design Guidelines", GD-ED-2214; V-sections with friction:
    Shoghi, Barrans and Rao, "Stress in V-section band clamps", Proc. IMechE C 218 (2004).
    """

    kind: Literal["clamp_band"] = "clamp_band"
    """A clamp band (Marman clamp) around the flanges of two rings."""
    tension: Annotated[Any, si("N", nonnegative=True)]
    """Tension of the band [N]."""
    radius: Annotated[Any, si("m", positive=True)]
    """Radius of the ring at the flanges [m]."""
    half_angle: Annotated[Any, si("rad", positive=True)]
    """Angle between a flank of the wedge and the plane of the ring [rad], equal to half of the V angle."""
    friction: Annotated[Any, si("1", nonnegative=True)] = 0.0
    """Coefficient of friction between segments and flanges."""
    segments: int | None = None
    """Number of V-segments around the ring. Default: uniform pressure around the ring."""
    opening_time: Annotated[Any, si("s", nonnegative=True)] = 0.0
    """Time from the end of the delay to the separation of the segments from the flanges [s]."""

    @property
    def rules_hold_for_cases(self) -> bool:
        """Return whether all rules between fields are applied to each case."""
        return True

    @property
    def lag(self) -> Any:
        """Time from firing to release [s]."""
        return self.delay + self.opening_time

    @property
    def clamps(self) -> bool:
        """True, because the band tension clamps the two sides together."""
        return True

    @model_validator(mode="after")
    def _band(self) -> ClampBand:
        problems = []
        if len(self.joints) > 1:
            text = f"the clamp band names {len(self.joints)} joints. Name one joint at the centre of the ring"
            problems.append(Problem("joints", text))
        if self.axis is None:
            text = (
                "'axis' is required. Give the axis of the ring, from the parent to the child, like [0, 0, 1]"
            )
            problems.append(Problem("axis", text))
        if self.preload is not None:
            problems.append(
                Problem("preload", "'preload' follows from the tension of the band. Remove 'preload'")
            )
        if self.segments is not None and self.segments < 3:
            problems.append(
                Problem("segments", f"segments = {self.segments} is too few. Give at least 3 segments")
            )
        if isinstance(self.half_angle, np.ndarray) and isinstance(self.friction, np.ndarray):
            problems += self._wedge(*np.broadcast_arrays(self.half_angle, self.friction))
        if problems:
            raise Refused(*problems)
        return self

    def _wedge(self, angle: np.ndarray, friction: np.ndarray) -> list[Problem]:
        stuck = friction >= np.tan(np.minimum(angle, 1.57))
        steep = angle + np.arctan(friction) >= np.pi / 2
        if steep.any():
            text = (
                "the angle {half_angle} gives no clamping force. Give an angle below 90 deg minus the "
                "friction angle"
            )
            return [Problem("half_angle", Written(f"{text} (usually 10 to 25 deg)"))]
        if stuck.any():
            found = float(np.ravel(friction[stuck])[0])
            limit = float(np.tan(np.ravel(angle[stuck])[0]))
            return [
                Problem(
                    "friction",
                    f"the friction {found:g} is not less than the tangent of half_angle, {limit:.3g}: the "
                    "segments would stick to the flanges after release. Lower friction, or raise half_angle",
                )
            ]
        return []


KINDS = {"devices": (LinearCharge, ExplosiveBolt, ExplosiveNut, FrangibleJoint, ClampBand)}
