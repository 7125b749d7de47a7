"""Declaration of devices that a position triggers: hinges that release at an angle, latches, and rails with
lugs.
"""

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
    """A hinge that releases at an angle, like a hook that rotates out of its eye. When the rotation of the
    joint since the start reaches the angle, the joint is released."""

    words: ClassVar[tuple[str, ...]] = ("released",)
    joint_field: ClassVar[str] = "joint"

    kind: Literal["hinge_release"] = "hinge_release"
    """A hinge that releases at an angle."""
    name: Name
    """Name of the device in paths and tables."""
    joint: str
    """Name of the joint to release. The joint must rotate about exactly one axis, as declared or after a
    replacement of its kind."""
    angle: Annotated[Any, si("rad")]
    """Rotation of the joint at its release, since the start [rad]; less than a full revolution."""
    direction: Literal["rising", "falling", "either"] = "either"
    """Direction of the rotation at the release: rising, falling, or either."""
    after: str | None = None
    """Phase, event, or event of a device after which the angle is monitored. Default: the start."""
    already: Literal["fire", "wait"] = "fire"
    """Reaction if the angle is already exceeded at the event `after`: release at once, or wait for the next
    crossing. Exceeded: up to half a revolution beyond the angle in its direction ("either": away from
    zero)."""
    works: Annotated[Any, si("1")] = 1.0
    """1 if the hinge releases, 0 if it jams."""

    @property
    def released_joints(self) -> tuple[str, ...]:
        """Names of the joints that the device can release."""
        return (self.joint,)

    @model_validator(mode="after")
    def _check_values(self) -> HingeRelease:
        problems = either(self.works)
        if isinstance(self.angle, np.ndarray) and (np.abs(self.angle) >= 2 * np.pi).any():
            text = "{angle} is a full revolution or more. Give an angle below 360 deg"
            problems.append(Problem("angle", Written(text)))
        if problems:
            raise Refused(*problems)
        return self


class Latch(Device):
    """A latch or hook. When a quantity reaches a value, the latch attaches a joint that is inactive or
    released. The bodies get the impulse of a plastic impact."""

    words: ClassVar[tuple[str, ...]] = ("caught",)
    joint_field: ClassVar[str] = "joint"
    watched: ClassVar[tuple[tuple[str, str], ...]] = (("quantity", "reaches"),)

    kind: Literal["latch"] = "latch"
    """A latch or hook that attaches a joint."""
    name: Name
    """Name of the device in paths and tables."""
    joint: str
    """Name of the joint to attach. The joint is declared with active = false, or released before."""
    quantity: str
    """Monitored quantity by its name in the results, for example "joints.hinge.rotation.y"."""
    reaches: AnyQuantity
    """Value of the quantity at latching, with a unit. A number without a unit is SI."""
    direction: Literal["rising", "falling", "either"] = "either"
    """Direction of the change of the quantity at latching: rising, falling, or either."""
    after: str | None = None
    """Phase, event, or event of a device after which the quantity is monitored. If the value is already
    exceeded at this event, the latch waits for the next crossing. Default: the start."""
    works: Annotated[Any, si("1")] = 1.0
    """1 if the latch attaches its joint, 0 if it fails."""

    @property
    def caught_joints(self) -> tuple[str, ...]:
        """Names of the joints that the device can attach."""
        return (self.joint,)

    @model_validator(mode="after")
    def _check_values(self) -> Latch:
        if problems := either(self.works):
            raise Refused(*problems)
        return self


class Rail(Device):
    """A rail or guide of finite length. Lugs slide along the rail, and each lug is released at its end.

    A lug is a joint that is free along the x axis of its frame on the parent, for example `generalized` with
    locked ty and tz. The x axis is along the rail."""

    joint_field: ClassVar[str] = "lugs"

    kind: Literal["rail"] = "rail"
    """A rail that releases its lugs one after another."""
    name: Name
    """Name of the device in paths and tables."""
    lugs: tuple[str, ...]
    """Names of the joints that slide along the rail."""
    end: Annotated[Any, si("m", (3,))]
    """End of the rail [m], structural coordinates of the parent (inertial axes for
    "ground")."""
    works: Annotated[Any, si("1")] = 1.0
    """1 if the lugs are released at the end, 0 if not. Without a release, the lugs slide beyond the end as on
    a longer rail."""

    @property
    def signals(self) -> tuple[str, ...]:
        """Names of the events of the device."""
        return tuple(f"{self.name}: {lug} off" for lug in self.lugs)

    @property
    def released_joints(self) -> tuple[str, ...]:
        """Names of the joints that the device can release."""
        return self.lugs

    @model_validator(mode="after")
    def _check_values(self) -> Rail:
        if problems := either(self.works):
            raise Refused(*problems)
        return self


KINDS = {"devices": (HingeRelease, Latch, Rail)}
