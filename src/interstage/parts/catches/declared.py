"""Devices triggered by position: hinges that release at an angle, latches, and rails with lugs."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import model_validator

from ...model.effect import Device, either
from ...model.values import AnyQuantity
from ...tree.errors import Problem, Refused, Written
from ...tree.names import Name
from ...tree.units import si


class HingeRelease(Device):
    """A hinge that releases at an angle, like a hook that rotates out of its eye. The joint is released when
    its rotation since the start reaches the angle."""

    words: ClassVar[tuple[str, ...]] = ("released",)
    joint_field: ClassVar[str] = "joint"

    kind: Literal["hinge_release"] = "hinge_release"
    """A hinge that releases at an angle."""
    name: Name
    """Name of the device in paths and tables."""
    joint: str
    """Joint to release. It must rotate about one axis, as declared or after its replacement."""
    angle: Annotated[Any, si("rad")]
    """Rotation of the joint since the start at release [rad], less than a full revolution."""
    direction: Literal["rising", "falling", "either"] = "either"
    """Direction of the crossing."""
    after: str | None = None
    """Phase, event, or event of a device from which on the angle is monitored. Default: the start."""
    already: Literal["fire", "wait"] = "fire"
    """Reaction, with `after`, if the angle is already exceeded at that event: release at once, or wait for
    the next crossing. Exceeded means up to half a revolution beyond the angle in its direction (away from
    zero for "either")."""
    works: Annotated[Any, si("1")] = 1.0
    """1 if it releases, 0 if it jams."""

    @property
    def released_joints(self) -> tuple[str, ...]:
        """Joints that it may release."""
        return (self.joint,)

    @model_validator(mode="after")
    def _check_values(self) -> HingeRelease:
        problems = either(self.works)
        if isinstance(self.angle, np.ndarray) and (np.abs(self.angle) >= 2 * np.pi).any():
            text = "{angle} is a full revolution or more. Give less than 360 deg"
            problems.append(Problem("angle", Written(text)))
        if problems:
            raise Refused(*problems)
        return self


class Latch(Device):
    """A latch or hook: when a quantity reaches a value, its inactive or released joint is attached, with the
    impulse of a plastic impact."""

    words: ClassVar[tuple[str, ...]] = ("caught",)
    joint_field: ClassVar[str] = "joint"
    watched: ClassVar[tuple[tuple[str, str], ...]] = (("quantity", "reaches"),)

    kind: Literal["latch"] = "latch"
    """A latch or hook that attaches a joint."""
    name: Name
    """Name of the device in paths and tables."""
    joint: str
    """Joint to attach, declared with active = false or released before."""
    quantity: str
    """Monitored quantity, named as in the results: "joints.hinge.rotation.y"."""
    reaches: AnyQuantity
    """Value of the quantity at latching, with its unit, or as a bare number in SI."""
    direction: Literal["rising", "falling", "either"] = "either"
    """Direction of the crossing."""
    after: str | None = None
    """Phase, event, or event of a device from which on the quantity is monitored. Default: the start. If the
    value is already exceeded at that event, the latch waits for the next crossing."""
    works: Annotated[Any, si("1")] = 1.0
    """1 if it latches, 0 if it fails."""

    @property
    def caught_joints(self) -> tuple[str, ...]:
        """Joints that the device can latch."""
        return (self.joint,)

    @model_validator(mode="after")
    def _check_values(self) -> Latch:
        if problems := either(self.works):
            raise Refused(*problems)
        return self


class Rail(Device):
    """A rail or guide of finite length. Lugs slide along it, and each lug is released at the end of the rail.

    A lug is a joint that is free along x of its frame on the parent, with x along the rail, such as
    `generalized` with locked ty and tz."""

    joint_field: ClassVar[str] = "lugs"

    kind: Literal["rail"] = "rail"
    """A rail that releases its lugs one by one."""
    name: Name
    """Name of the device in paths and tables."""
    lugs: tuple[str, ...]
    """Joints that slide along the rail."""
    end: Annotated[Any, si("m", (3,))]
    """End of the rail [m], structural axes, drawing coordinates of the parent (inertial on the ground)."""
    works: Annotated[Any, si("1")] = 1.0
    """1 if lugs are released, 0 if not: they then continue beyond the end, as on a longer rail."""

    @property
    def signals(self) -> tuple[str, ...]:
        """Names of the events of the device."""
        return tuple(f"{self.name}: {lug} off" for lug in self.lugs)

    @property
    def released_joints(self) -> tuple[str, ...]:
        """Joints that it may release."""
        return self.lugs

    @model_validator(mode="after")
    def _check_values(self) -> Rail:
        if problems := either(self.works):
            raise Refused(*problems)
        return self


KINDS = {"devices": (HingeRelease, Latch, Rail)}
