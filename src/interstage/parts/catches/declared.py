"""Devices that act by where the bodies are: hinges that release at an angle, latches that catch, rails that
lugs leave."""

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
    """A hinge that releases at an angle, as a hook that turns out of its eye: the joint is released when its
    rotation since the start reaches it."""

    words: ClassVar[tuple[str, ...]] = ("released",)
    joint_field: ClassVar[str] = "joint"

    kind: Literal["hinge_release"] = "hinge_release"
    """A hinge that releases at an angle."""
    name: Name
    """Name of the device in paths and tables."""
    joint: str
    """The joint that it releases: one that turns about one axis, as declared or as what replaces it."""
    angle: Annotated[Any, si("rad")]
    """Rotation of the joint since the start at which it releases [rad], less than a full turn."""
    direction: Literal["rising", "falling", "either"] = "either"
    """The direction in which the angle is crossed."""
    after: str | None = None
    """Phase, event, or what a device does, from which on it watches. Default: from the start."""
    already: Literal["fire", "wait"] = "fire"
    """With `after`, where the angle is passed already by then, up to half a turn beyond it in its direction
    (away from zero for "either"): release at once, or wait for the next crossing."""
    works: Annotated[Any, si("1")] = 1.0
    """1 if it releases, 0 if it jams."""

    @property
    def released(self) -> tuple[str, ...]:
        """Joints that it may release."""
        return (self.joint,)

    @model_validator(mode="after")
    def _checked(self) -> HingeRelease:
        problems = either(self.works)
        if isinstance(self.angle, np.ndarray) and (np.abs(self.angle) >= 2 * np.pi).any():
            text = "{angle} is a full turn or more, and turns are not counted; give less than 360 deg"
            problems.append(Problem("angle", Written(text)))
        if problems:
            raise Refused(*problems)
        return self


class Latch(Device):
    """A latch or hook that catches at a pose: its joint, which waited or was released, takes hold when a
    quantity reaches a value, with the impulse of a plastic capture."""

    words: ClassVar[tuple[str, ...]] = ("caught",)
    joint_field: ClassVar[str] = "joint"
    watched: ClassVar[tuple[tuple[str, str], ...]] = (("quantity", "reaches"),)

    kind: Literal["latch"] = "latch"
    """A hook that catches at a pose."""
    name: Name
    """Name of the device in paths and tables."""
    joint: str
    """The joint that takes hold, declared with active = false or released before."""
    quantity: str
    """What it waits for, named as in the results: "joints.hinge.rotation.y"."""
    reaches: AnyQuantity
    """The value that the quantity reaches, with its unit, or as a bare number in SI."""
    direction: Literal["rising", "falling", "either"] = "either"
    """The direction in which it is crossed."""
    after: str | None = None
    """Phase, event, or what a device does, from which on it watches. Default: from the start. Past its pose
    by then it waits for the next crossing."""
    works: Annotated[Any, si("1")] = 1.0
    """1 if it catches, 0 if it does not."""

    @property
    def caught(self) -> tuple[str, ...]:
        """Joints that it may have take hold."""
        return (self.joint,)

    @model_validator(mode="after")
    def _checked(self) -> Latch:
        if problems := either(self.works):
            raise Refused(*problems)
        return self


class Rail(Device):
    """A rail or guide that ends: lugs run along it, and each leaves as it comes to the end, by itself.

    A lug is a joint whose frame on the parent has x along the rail and which is free along it, such as
    `generalized` with locked ty and tz."""

    joint_field: ClassVar[str] = "lugs"

    kind: Literal["rail"] = "rail"
    """A rail that lugs leave one by one."""
    name: Name
    """Name of the device in paths and tables."""
    lugs: tuple[str, ...]
    """The joints that run along it."""
    end: Annotated[Any, si("m", (3,))]
    """Where the rail ends [m], structural axes, drawing coordinates of the parent (inertial on the
    ground)."""
    works: Annotated[Any, si("1")] = 1.0
    """1 if lugs leave it, 0 if none does: they then run on beyond its end, as on a longer one."""

    @property
    def signals(self) -> tuple[str, ...]:
        """Names of the events that it makes."""
        return tuple(f"{self.name}: {lug} off" for lug in self.lugs)

    @property
    def released(self) -> tuple[str, ...]:
        """Joints that it may release."""
        return self.lugs

    @model_validator(mode="after")
    def _checked(self) -> Rail:
        if problems := either(self.works):
            raise Refused(*problems)
        return self


KINDS = {"devices": (HingeRelease, Latch, Rail)}
