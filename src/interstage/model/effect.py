"""What a scenario may say of a physical effect beyond its numbers: which bodies and joints it is about, which
events it makes, and what it takes from a system. The core asks these of each entry of a scenario, and knows
no effect by name.

What is not declared otherwise is so for none: an effect without events, joints or losses says nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..tree.declaration import Declaration
from ..tree.errors import Problem
from ..tree.names import GROUND

KEPT = ("momentum", "angular_momentum", "energy")
"""What a system by itself keeps."""
ALL = frozenset(KEPT)


class Effect(Declaration):
    """An entry of a scenario that acts on bodies, or adds to them.

    Of its fields `parent` and `child` are the bodies that it connects, `body` the one that it is on, and
    `phases` those in which it acts; they are looked for in the scenario by these names."""

    if TYPE_CHECKING:
        name: str  # each declares it, in words of its own

    grounded: ClassVar[bool] = True
    """Whether its parent may be the ground."""
    joint_field: ClassVar[str] = ""
    """Field that holds the joint, or the joints, that it is about."""
    moment_fields: ClassVar[tuple[str, ...]] = ("after",)
    """Those of its fields that name a phase, an event, or what a device does."""
    from_start: ClassVar[bool] = False
    """Whether "start" is one of the moments that it may name."""
    watched: ClassVar[tuple[tuple[str, str], ...]] = ()
    """(field of a quantity, field of the value that it reaches) of what it waits for, or brings about."""
    outside: ClassVar[frozenset[str]] = frozenset()
    """What of KEPT it changes always, as it acts from outside of the bodies."""
    flies: ClassVar[bool] = True
    """Whether there is something that flies it; a scenario with one that nothing flies can only be shown."""
    stands: ClassVar[tuple[tuple[str, str], ...]] = ()
    """(end, field of its point there): the ends at which it feels how that very point of a body moves and
    turns, and loads it there, where a body is not rigid."""
    holds: ClassVar[bool] = False
    """Whether it holds the two bodies that it connects together, as a joint would, while it acts."""
    yields: ClassVar[bool] = False
    """Whether the body that it is on is not rigid by it, so that what stands there goes with its points."""
    weighs: ClassVar[bool] = False
    """Whether it has mass of its own, which must not be gone where the legs of a mission part its bodies."""
    losses: ClassVar[tuple[str, ...]] = ()
    """Those of its fields by which it takes energy away, where they are not zero."""

    @property
    def holds_points(self) -> Any:
        """Whether it holds a point of one body on one of the other, and lets it slide nowhere, by its numbers
        (*cases)."""
        return self.holds

    @property
    def ends(self) -> tuple[str, ...]:
        """The two bodies that it connects, the first of which may be the ground; none if it connects none."""
        fields = type(self).model_fields
        return (self.parent, self.child) if {"parent", "child"} <= fields.keys() else ()  # type: ignore[attr-defined]

    @property
    def launch_azimuth(self) -> Any:
        """Azimuth [rad] (*cases) over the ground to which it steers the body that it is on from the start;
        None if it gives none."""
        return None

    @property
    def unsettled(self) -> str:
        """What of it a trim of the bodies does not look at, and what settles that, in words; or nothing."""
        return ""

    @property
    def makes(self) -> tuple[str, ...]:
        """Names of the events that it makes without being fired, as results name them; see `Part.makes`."""
        return ()

    @property
    def joints_named(self) -> tuple[str, ...]:
        """Names of the joints that it is about."""
        named = getattr(self, self.joint_field) if self.joint_field else ()
        return (named,) if isinstance(named, str) else tuple(named)

    @property
    def changes(self) -> frozenset[str]:
        """What of KEPT it changes, by the numbers that it has."""
        grounded = {"momentum", "angular_momentum"} if GROUND in self.ends else set()
        lossy = any(np.any(np.asarray(getattr(self, name, 0.0)) != 0) for name in self.losses)
        return self.outside | grounded | ({"energy"} if lossy else set())

    @property
    def changing(self) -> bool:
        """Whether it adds numbers to the state, or changes masses."""
        return False


class Element(Effect):
    """An entry of the elements of a body: something that has mass."""

    @property
    def constant_mass(self) -> Any:
        """Mass [kg] that it keeps while it is carried."""
        raise NotImplementedError


class Device(Effect):
    """An entry of the devices of a scenario: an effect that may be fired, and makes events."""

    grounded: ClassVar[bool] = False
    words: ClassVar[tuple[str, ...]] = ()
    """What it does, as words that follow its name in the names of its events: "released"."""
    fireable: ClassVar[bool] = False
    """Whether phases and events may fire it."""
    idle: ClassVar[bool] = False
    """Whether it does nothing before it is fired, by an action or after a moment that it names."""

    @property
    def signals(self) -> tuple[str, ...]:
        """Names of the events that it makes."""
        return tuple(f"{self.name} {word}" for word in self.words)  # type: ignore[attr-defined]

    @property
    def released(self) -> tuple[str, ...]:
        """Joints that it may release."""
        return ()

    @property
    def caught(self) -> tuple[str, ...]:
        """Joints that it may have take hold."""
        return ()

    @property
    def at_once(self) -> tuple[str, ...]:
        """Joints that it releases, if at all, at the moment at which it is fired."""
        return ()

    @property
    def reliable(self) -> bool:
        """Whether nothing but the action `fire` decides what becomes of its joints, and when."""
        return False


def effects(scenario: Any) -> Iterator[Effect]:
    """All effects that a scenario declares, the elements of its bodies included."""
    for name in type(scenario).model_fields:
        group = getattr(scenario, name)
        if isinstance(group, tuple):
            yield from (entry for entry in group if isinstance(entry, Effect))
    for body in scenario.bodies:
        yield from body.elements


def not_rigid(scenario: Any) -> set[str]:
    """Names of the bodies that are not rigid; see `Effect.yields`."""
    return {getattr(one, "body", "") for one in effects(scenario) if one.yields}


def signals(devices: Iterable[Any]) -> tuple[str, ...]:
    """Names of the events of devices, in the order in which they stand in the table of events."""
    return tuple(name for device in devices for name in device.signals)


def event_names(some: Iterable[Effect]) -> tuple[str, ...]:
    """Names of the events that effects make without being fired, each once."""
    return tuple(dict.fromkeys(name for one in some for name in one.makes))


def either(works: Any) -> list[Problem]:
    """What is wrong with a mark that is either 1 or 0."""
    if isinstance(works, np.ndarray) and not np.isin(works, (0.0, 1.0)).all():
        found = float(works[~np.isin(works, (0.0, 1.0))].flat[0]) if works.ndim else float(works)
        return [Problem("works", f"is {found:g}; allowed: 1 if it works, 0 if it fails")]
    return []
