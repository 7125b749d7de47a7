"""Base classes of declarations of physical effects: their bodies, joints and events, and the conserved
quantities that they change.

The engine reads these properties of each declaration in a scenario, so that it needs no code for a single
effect. By default an effect has no events, joints or losses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..tree.declaration import Declaration
from ..tree.errors import Problem
from ..tree.names import GROUND

KEPT = ("momentum", "angular_momentum", "energy")
"""Names of the quantities that an isolated system conserves."""
ALL = frozenset(KEPT)


class Effect(Declaration):
    """Base class of declarations that act on bodies or extend them.

    Some field names have a fixed meaning. `parent` and `child` name the connected bodies, `body` names the
    loaded body, and `phases` lists the phases in which the effect acts.
    """

    if TYPE_CHECKING:
        name: str  # each effect declares it with its own docstring

    grounded: ClassVar[bool] = True
    """Whether the parent may be the ground."""
    joint_field: ClassVar[str] = ""
    """Field with the joint, or the joints, that the effect acts on."""
    moment_fields: ClassVar[tuple[str, ...]] = ("after",)
    """Fields that name a phase, an event, or the event of a device."""
    from_start: ClassVar[bool] = False
    """Whether the fields of `moment_fields` may name the event "start"."""
    watched: ClassVar[tuple[tuple[str, str], ...]] = ()
    """(field with a quantity, field with its value) pairs that the effect waits for or controls."""
    outside: ClassVar[frozenset[str]] = frozenset()
    """Quantities of KEPT that the effect always changes, because its loads act from outside of the bodies."""
    flies: ClassVar[bool] = True
    """Whether the engine can simulate the effect. If the engine cannot simulate the effect, the scenario can
    be shown but not run."""
    stands: ClassVar[tuple[tuple[str, str], ...]] = ()
    """(end, field of the attachment point) for each end at a flexible body. The effect uses the motion of
    this point of the body, and loads the body there."""
    holds: ClassVar[bool] = False
    """Whether the effect, while it acts, connects the two bodies like a joint."""
    weighs: ClassVar[bool] = False
    """Whether the effect has mass. The bodies of an effect with mass must stay in one leg of a mission;
    otherwise the mass would vanish."""
    losses: ClassVar[tuple[str, ...]] = ()
    """Fields that dissipate energy if their value is not zero."""

    @property
    def holds_points(self) -> Any:
        """True (*cases) if the effect constrains a point of one body to a point of the other body in all
        directions.
        """
        return self.holds

    @property
    def ends(self) -> tuple[str, ...]:
        """Names (parent, child) of the two bodies that the effect connects, or an empty tuple if it connects
        no bodies. The parent may be the ground.
        """
        fields = type(self).model_fields
        return (self.parent, self.child) if {"parent", "child"} <= fields.keys() else ()  # type: ignore[attr-defined]

    @property
    def launch_azimuth(self) -> Any:
        """Azimuth over the ground [rad] (*cases) to which the effect steers its body from the start. None if
        the effect steers no body.
        """
        return None

    @property
    def trim_limitation(self) -> str:
        """Text on the properties of this effect that a trim of the bodies ignores, and the fix. Empty if a
        trim includes the whole effect.
        """
        return ""

    @property
    def makes(self) -> tuple[str, ...]:
        """Names of events that the effect adds to the results although no action fires it. See
        `Part.makes`.
        """
        return ()

    @property
    def joints_named(self) -> tuple[str, ...]:
        """Names of the joints that the effect acts on."""
        named = getattr(self, self.joint_field) if self.joint_field else ()
        return (named,) if isinstance(named, str) else tuple(named)

    @property
    def changes(self) -> frozenset[str]:
        """Names of the quantities in KEPT that the effect changes with its present numbers."""
        grounded = {"momentum", "angular_momentum"} if GROUND in self.ends else set()
        lossy = any(np.any(np.asarray(getattr(self, name, 0.0)) != 0) for name in self.losses)
        return self.outside | grounded | ({"energy"} if lossy else set())

    @property
    def changing(self) -> bool:
        """True if the effect has states or changes masses."""
        return False


class Element(Effect):
    """Base class of mass items of a body."""

    @property
    def constant_mass(self) -> Any:
        """Part of the mass [kg] (*cases) that is constant while the item is on the body. For a rigid item,
        this is the full mass. For a draining tank, this is the inert mass and the unusable propellant.
        """
        raise NotImplementedError


class Device(Effect):
    """Base class of declarations in the group `devices`: effects that have events and that actions can
    fire.
    """

    grounded: ClassVar[bool] = False
    words: ClassVar[tuple[str, ...]] = ()
    """Last words of the names of its events, like "released". The name of the device precedes each word."""
    fireable: ClassVar[bool] = False
    """Whether phases and events may fire the device."""
    idle: ClassVar[bool] = False
    """Whether the device is inactive until an action fires it, or until the event that its fields name."""

    @property
    def signals(self) -> tuple[str, ...]:
        """Names of the events of the device."""
        return tuple(f"{self.name} {word}" for word in self.words)  # type: ignore[attr-defined]

    @property
    def released_joints(self) -> tuple[str, ...]:
        """Names of the joints that the device can release."""
        return ()

    @property
    def caught_joints(self) -> tuple[str, ...]:
        """Names of the joints that the device can latch."""
        return ()

    @property
    def at_once(self) -> tuple[str, ...]:
        """Names of the joints that the device releases at the time of firing, without delay. A device can
        still fail.
        """
        return ()

    @property
    def reliable(self) -> bool:
        """True if the action `fire` alone determines when the joints of the device change, and the device
        cannot fail.
        """
        return False


def effects(scenario: Any) -> Iterator[Effect]:
    """Yield all effects that a scenario declares, including the mass items of its bodies."""
    for name in type(scenario).model_fields:
        group = getattr(scenario, name)
        if isinstance(group, tuple):
            yield from (entry for entry in group if isinstance(entry, Effect))
    for body in scenario.bodies:
        yield from body.elements


def signals(devices: Iterable[Any]) -> tuple[str, ...]:
    """Return the names of the events of devices, in the order of the event table."""
    return tuple(name for device in devices for name in device.signals)


def event_names(some: Iterable[Effect]) -> tuple[str, ...]:
    """Return the names of the events that effects add although no action fires them. Each name appears
    once.
    """
    return tuple(dict.fromkeys(name for one in some for name in one.makes))


def either(works: Any) -> list[Problem]:
    """Return a list with the fault of the field `works` if its value is neither 1 nor 0. If the value is 1 or
    0, the result is an empty list.
    """
    if isinstance(works, np.ndarray) and not np.isin(works, (0.0, 1.0)).all():
        found = float(works[~np.isin(works, (0.0, 1.0))].flat[0]) if works.ndim else float(works)
        return [
            Problem(
                "works",
                f"{found:g} is not a valid flag. Give 1 if the device works, or 0 if the device fails",
            )
        ]
    return []
