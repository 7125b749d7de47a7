"""Declarations of physical effects: their bodies, joints and events, and the conserved quantities that they
change.

The core reads these properties of each entry of a scenario and knows no effect by name. By default an effect
has no events, joints or losses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..tree.declaration import Declaration
from ..tree.errors import Problem
from ..tree.names import GROUND

KEPT = ("momentum", "angular_momentum", "energy")
"""Quantities that an isolated system conserves."""
ALL = frozenset(KEPT)


class Effect(Declaration):
    """An entry of a scenario that acts on bodies or extends them. Fields with fixed meaning: `parent` and
    `child` name the connected bodies, `body` names the loaded body, and `phases` lists the phases in which
    the effect acts."""

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
    """Whether the engine can simulate the effect. If it cannot, the scenario can be shown but not run."""
    stands: ClassVar[tuple[tuple[str, str], ...]] = ()
    """(end, field of the attachment point) for each end at a flexible body. The effect uses the motion of
    this point of the body, and loads the body there."""
    holds: ClassVar[bool] = False
    """Whether the effect, while it acts, connects the two bodies like a joint."""
    weighs: ClassVar[bool] = False
    """Whether the effect has mass. If it has, its bodies must stay in one leg of a mission; otherwise the
    mass would vanish."""
    losses: ClassVar[tuple[str, ...]] = ()
    """Fields that dissipate energy if their value is not zero."""

    @property
    def holds_points(self) -> Any:
        """Whether the effect constrains a point of one body to a point of the other in all directions
        (*cases)."""
        return self.holds

    @property
    def ends(self) -> tuple[str, ...]:
        """The two connected bodies; the first may be the ground. Empty if the effect connects no bodies."""
        fields = type(self).model_fields
        return (self.parent, self.child) if {"parent", "child"} <= fields.keys() else ()  # type: ignore[attr-defined]

    @property
    def launch_azimuth(self) -> Any:
        """Azimuth [rad] (*cases) over the ground to which the effect steers its body from the start. None if
        the effect steers no body."""
        return None

    @property
    def trim_limitation(self) -> str:
        """A text with the aspect of the effect that a trim of the bodies ignores, and the fix. Empty if a
        trim includes the whole effect."""
        return ""

    @property
    def makes(self) -> tuple[str, ...]:
        """Names of events that the effect adds to the results without being fired; see `Part.makes`."""
        return ()

    @property
    def joints_named(self) -> tuple[str, ...]:
        """Names of the joints that the effect acts on."""
        named = getattr(self, self.joint_field) if self.joint_field else ()
        return (named,) if isinstance(named, str) else tuple(named)

    @property
    def changes(self) -> frozenset[str]:
        """Quantities of KEPT that the effect changes with its present values."""
        grounded = {"momentum", "angular_momentum"} if GROUND in self.ends else set()
        lossy = any(np.any(np.asarray(getattr(self, name, 0.0)) != 0) for name in self.losses)
        return self.outside | grounded | ({"energy"} if lossy else set())

    @property
    def changing(self) -> bool:
        """Whether the effect has states, or changes masses."""
        return False


class Element(Effect):
    """A mass item of a body."""

    @property
    def constant_mass(self) -> Any:
        """Constant mass [kg] while the mass item is on the body."""
        raise NotImplementedError


class Device(Effect):
    """An entry of the devices of a scenario: an effect that can be fired and has events."""

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
        """Joints that the device can release."""
        return ()

    @property
    def caught_joints(self) -> tuple[str, ...]:
        """Joints that the device can latch."""
        return ()

    @property
    def at_once(self) -> tuple[str, ...]:
        """Joints that the device, if it releases them, releases at the time of firing."""
        return ()

    @property
    def reliable(self) -> bool:
        """Whether the action `fire` alone determines the state of its joints and the time of the change."""
        return False


def effects(scenario: Any) -> Iterator[Effect]:
    """All effects that a scenario declares, including the mass items of its bodies."""
    for name in type(scenario).model_fields:
        group = getattr(scenario, name)
        if isinstance(group, tuple):
            yield from (entry for entry in group if isinstance(entry, Effect))
    for body in scenario.bodies:
        yield from body.elements


def signals(devices: Iterable[Any]) -> tuple[str, ...]:
    """Names of the events of devices, in the order of the table of events."""
    return tuple(name for device in devices for name in device.signals)


def event_names(some: Iterable[Effect]) -> tuple[str, ...]:
    """Names of the events that occur although an effect is not fired, each once."""
    return tuple(dict.fromkeys(name for one in some for name in one.makes))


def either(works: Any) -> list[Problem]:
    """Problems of a flag that must be 1 or 0."""
    if isinstance(works, np.ndarray) and not np.isin(works, (0.0, 1.0)).all():
        found = float(works[~np.isin(works, (0.0, 1.0))].flat[0]) if works.ndim else float(works)
        return [
            Problem(
                "works",
                f"{found:g} is not a valid flag. Give 1 if the device works, or 0 if the device fails",
            )
        ]
    return []
