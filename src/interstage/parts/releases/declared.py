"""Devices that release joints when they are fired: one contract for all of them, and the clamp band with its
own numbers."""

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
"""Fields of a release device that act along its axis."""


class ReleaseDevice(Repeatable, Device):
    """A device that releases joints when it is fired: by an action of a phase or event (`fire`), or after
    what another device does (`after`)."""

    points: ClassVar[tuple[str, ...]] = ("at",)
    directions: ClassVar[tuple[str, ...]] = ("axis",)
    words: ClassVar[tuple[str, ...]] = ("released",)
    joint_field: ClassVar[str] = "joints"
    fireable: ClassVar[bool] = True
    idle: ClassVar[bool] = True

    kind: Any = ""
    """What releases."""
    name: Name
    """Name of the device in paths and tables."""
    joints: tuple[str, ...]
    """The joints that it releases."""
    after: str | None = None
    """Phase, event, or what a device does ("aft spent", "bolt released"), after which it is fired by itself.
    If not set, only `fire` does so."""
    delay: Annotated[Any, si("s", nonnegative=True, endless=True)] = 0.0
    """From the firing to the release [s]; inf for one that never comes."""
    works: Annotated[Any, si("1")] = 1.0
    """1 if it releases, 0 if it fails: its joints then hold on, and what waits for it does not happen."""
    axis: Annotated[Any, si("1", (3,))] | None = None
    """Direction from the parent to the child in the parent's structural axes; its length does not matter.
    Required with impulse and with stiffness."""
    at: Annotated[Any, si("m", (3,))] | None = None
    """Where its impulse acts [m], structural axes, drawing coordinates of the parent. Default: the joint
    point of each joint that it releases."""
    impulse: Annotated[Any, si("N s")] | None = None
    """What its release gives to the child of each joint along the axis, and takes from the parent [N s].
    Default: nothing."""
    preload: Annotated[Any, si("N", nonnegative=True)] | None = None
    """Force with which it draws the two sides together [N]. By itself it moves nothing; it counts against the
    load that opens the joint."""
    stiffness: Annotated[Any, si("N/m", positive=True)] | None = None
    """Stiffness of what the preload strains, along the axis [N/m]. With it the strain energy F^2/(2k) of the
    preload F goes into the motion at the release, as far as `efficiency` says. If not set, none does."""
    efficiency: Annotated[Any, si("1", nonnegative=True)] = 1.0
    """Part of the strain energy that goes into the motion of the bodies, 0 to 1."""

    @property
    def lag(self) -> Any:
        """From the firing to the release [s]."""
        return self.delay

    @property
    def preloaded(self) -> bool:
        """Whether it draws the two sides together."""
        return self.preload is not None

    @property
    def kicks(self) -> bool:
        """Whether its release gives the bodies an impulse."""
        return self.impulse is not None or self.stiffness is not None

    @property
    def released(self) -> tuple[str, ...]:
        """Joints that it may release."""
        return self.joints

    @property
    def at_once(self) -> tuple[str, ...]:
        """Joints that it releases, if at all, at the moment at which it is fired."""
        return self.joints if isinstance(self.lag, np.ndarray | float) and np.min(self.lag) == 0 else ()

    @property
    def reliable(self) -> bool:
        """Whether nothing but the action `fire` decides what becomes of its joints, and when."""
        return self.after is None and bool(self.at_once) and bool(np.all(self.works == 1))

    @model_validator(mode="after")
    def _checked(self) -> ReleaseDevice:
        problems = [*either(self.works), *self._along_axis()]
        efficiency = self.efficiency
        if isinstance(efficiency, np.ndarray) and (efficiency > 1).any():
            problems.append(
                Problem(
                    "efficiency",
                    f"{float(efficiency.max()):g} is more than all of the strain energy; allowed: 0 to 1",
                )
            )
        if problems:
            raise Refused(*problems)
        return self

    def _along_axis(self) -> list[Problem]:
        problems = []
        for field in ALONG:
            if getattr(self, field) is not None and self.axis is None:
                text = "needs a direction: give axis, from the parent to the child, like [0, 0, 1]"
                problems.append(Problem(field, text))
        if isinstance(self.axis, np.ndarray) and not (np.abs(self.axis).max(axis=0) > 0).all():
            problems.append(Problem("axis", "is the zero vector; give a direction like [0, 0, 1]"))
        if self.stiffness is not None and not self.preloaded:
            problems.append(
                Problem("stiffness", "stores nothing without a preload; give preload, or leave it out")
            )
        if self.at is not None and len(self.joints) > 1:
            text = (
                f"is one point, and the device releases {len(self.joints)} joints; leave it out, and the"
                " impulse acts at each joint point, or declare a device for each joint"
            )
            problems.append(Problem("at", text))
        return problems


class LinearCharge(ReleaseDevice):
    """A pyrotechnic cut along a seam.

    Source: Acquatella and Reiner, "Modelica Stage Separation Dynamics Modeling for End-to-End Launch Vehicle
    Trajectory Simulations", section on release devices: an ideal cut, without an impulse of its own.
    """

    words: ClassVar[tuple[str, ...]] = ("cut",)

    kind: Literal["linear_charge"] = "linear_charge"
    """A cut that releases joints at once."""


class ExplosiveBolt(ReleaseDevice):
    """A bolt that a charge breaks. Its impulse is what the gas between the two halves gives them, as in a
    maker's data; its preload that of the tightened bolt."""

    kind: Literal["explosive_bolt"] = "explosive_bolt"
    """A bolt that a charge breaks."""


class ExplosiveNut(ReleaseDevice):
    """A separation nut: its segments let the bolt go, which a catcher on the same body stops, so that it has
    no impulse unless one is given."""

    kind: Literal["explosive_nut"] = "explosive_nut"
    """A nut that lets its bolt go."""


class FrangibleJoint(ReleaseDevice):
    """A seam that an expanding tube breaks. Its impulse is that of the tube on the two edges."""

    kind: Literal["frangible_joint"] = "frangible_joint"
    """A seam that an expanding tube breaks."""


class ClampBand(ReleaseDevice):
    """A clamp band (Marman clamp): a band under tension that presses wedges, the V-segments, over the flanges
    of two rings.

    Statics of one segment whose flanks lean at the angle phi to the plane of the ring, with friction mu = tan
    rho, which keeps it from sliding inwards as the band is tightened: the band of tension T at radius R
    presses it inwards with T/R for each length of the ring, and it presses the flanges together with

        q = T / (2 R tan(phi + rho)),   all around with   F = 2 pi R q = pi T / tan(phi + rho).

    A force P that pulls the rings apart and a bending moment M put on the ring, taken as a thin one, at most
    the line load n = P / (2 pi R) + M / (pi R^2) in tension. The flanges part where n exceeds q: the rings
    are taken as rigid, so that all of n goes against q. The segments themselves slide outwards, against
    friction, only at T / (2 R tan(phi - rho)).

    The release is simplified: the band opens, the segments leave the flanges `opening_time` after the end of
    the delay, all at once, and the joint is free from then on. What the opening gives the two sides is the
    `impulse` along the axis, the residual one of a maker's tests; aside from that it pushes nowhere. All of
    these are leaves, to be dispersed.

    Nomenclature: NASA GSFC, "Marman Clamp System Design Guidelines", GD-ED-2214; V-sections with friction:
    Shoghi, Barrans and Rao, "Stress in V-section band clamps", Proc. IMechE C 218 (2004).
    """

    kind: Literal["clamp_band"] = "clamp_band"
    """A band that holds the flanges of two rings together with wedges."""
    tension: Annotated[Any, si("N", nonnegative=True)]
    """Tension of the band [N]."""
    radius: Annotated[Any, si("m", positive=True)]
    """Radius of the ring at the flanges [m]."""
    half_angle: Annotated[Any, si("rad", positive=True)]
    """Angle between a flank of the wedge and the plane of the ring [rad]: half of the V."""
    friction: Annotated[Any, si("1", nonnegative=True)] = 0.0
    """Coefficient of friction between segments and flanges."""
    segments: int | None = None
    """Number of V-segments around the ring. If not set, the band presses evenly."""
    opening_time: Annotated[Any, si("s", nonnegative=True)] = 0.0
    """From the end of the delay until the segments have left the flanges [s]."""

    @property
    def lag(self) -> Any:
        """From the firing to the release [s]."""
        return self.delay + self.opening_time

    @property
    def preloaded(self) -> bool:
        """Whether it draws the two sides together."""
        return True

    @model_validator(mode="after")
    def _band(self) -> ClampBand:
        problems = []
        if len(self.joints) > 1:
            text = f"names {len(self.joints)} joints; a band holds one, at the centre of its ring"
            problems.append(Problem("joints", text))
        if self.axis is None:
            text = "is required: the axis of the ring, from the parent to the child, like [0, 0, 1]"
            problems.append(Problem("axis", text))
        if self.preload is not None:
            problems.append(Problem("preload", "follows from the tension of the band; leave it out"))
        if self.segments is not None and self.segments < 3:
            problems.append(Problem("segments", f"is {self.segments}; a ring needs at least 3"))
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
                "{half_angle} presses nothing together; allowed: less than 90 deg, less the angle of friction"
            )
            return [Problem("half_angle", Written(f"{text} (wedges have 10 to 25 deg)"))]
        if stuck.any():
            found = float(np.ravel(friction[stuck])[0])
            limit = float(np.tan(np.ravel(angle[stuck])[0]))
            return [
                Problem(
                    "friction",
                    f"{found:g} is not less than the tangent of half_angle, {limit:.3g}: the"
                    " segments would stick to the flanges of an open band. Lower it, or raise half_angle",
                )
            ]
        return []


KINDS = {"devices": (LinearCharge, ExplosiveBolt, ExplosiveNut, FrangibleJoint, ClampBand)}
