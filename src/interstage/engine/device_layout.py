"""The devices of a scenario as the engine sees them: places, events and impulses; none of their numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from ..model.device_signals import signals
from ..parts.drag.declared import DragDevice
from ..parts.pushers.declared import GasChamber, PneumaticPusher, Pusher
from ..parts.pushers.law import Form
from ..parts.pushers.law import form as pusher_form
from ..parts.releases.declared import ReleaseDevice
from ..parts.stops.declared import HingeStop, Stop
from ..scenario import Scenario


class Kick(NamedTuple):
    """An impulse at a release: numbers of the device, of the joint that it lets go, and of the event."""

    device: int
    joint: int
    event: int


@dataclass(frozen=True)
class DeviceLayout:
    """Indices of devices, and of what they do at events."""

    scenario: Scenario

    @cached_property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints in order."""
        return tuple(joint.name for joint in self.scenario.joints)

    @cached_property
    def pushers(self) -> tuple[Pusher, ...]:
        """Devices that push or hold along a line."""
        return self.pushers_of(self.scenario)[0]

    @cached_property
    def chambers(self) -> tuple[GasChamber | PneumaticPusher, ...]:
        """Gas that drives pushers: chambers, and pushers that have gas of their own, in the order of
        devices."""
        return self.pushers_of(self.scenario)[1]

    def pushers_of(self, scenario: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Pushers and their gas, with the numbers of `scenario`, of this structure."""
        kinds = Pusher, (GasChamber, PneumaticPusher)
        pushers, chambers = (tuple(d for d in scenario.devices if isinstance(d, kind)) for kind in kinds)
        return pushers, chambers

    @cached_property
    def pusher_form(self) -> Form:
        """What the pushers are, without their numbers."""
        return pusher_form(self.pushers, self.chambers)

    @cached_property
    def waiting(self) -> tuple[bool, ...]:
        """Which pushers do nothing before they are fired."""
        actions = (*self.scenario.phases, *self.scenario.events)
        fired = {name for item in actions for name in item.fire}
        return tuple(p.name in fired or getattr(p, "after", None) is not None for p in self.pushers)

    @cached_property
    def late_gas(self) -> bool:
        """Whether gas may come to a piston that has travelled already."""
        return any(self.waiting[k] for k in self.pusher_form.driven)

    def fired_by(self, event: str, fire: tuple[str, ...] = ()) -> tuple[int, ...]:
        """Pushers that an event of this name, and its action `fire`, fire."""
        return tuple(
            k
            for k, pusher in enumerate(self.pushers)
            if pusher.name in fire or getattr(pusher, "after", None) == event
        )

    @cached_property
    def signals(self) -> tuple[str, ...]:
        """Names of the events of devices, in the order in which they stand in the table of events."""
        return signals(self.scenario.devices)

    @cached_property
    def first_signal(self) -> int:
        """Number of the first event of a device: after the phases, the end, and the parallel events."""
        return len(self.scenario.phases) + 1 + len(self.scenario.events)

    def moment(self, name: str) -> int:
        """Number of a phase, an event or what a device does in the table of events."""
        phases, events = ([item.name for item in getattr(self.scenario, g)] for g in ("phases", "events"))
        numbers = {name: k for k, name in enumerate(phases)} | {"start": 0}
        numbers |= {name: len(phases) + 1 + k for k, name in enumerate(events)}
        return numbers[name] if name in numbers else self.first_signal + self.signals.index(name)

    @cached_property
    def drag_devices(self) -> tuple[int, ...]:
        """Places of parachutes and streamers among the devices."""
        return tuple(k for k, d in enumerate(self.scenario.devices) if isinstance(d, DragDevice))

    @cached_property
    def kicks(self) -> tuple[Kick, ...]:
        """Impulses that devices give as they let joints go."""
        return tuple(
            Kick(d, self.joints.index(name), self.first_signal + self.signals.index(device.signals[0]))
            for d, device in enumerate(self.scenario.devices)
            if isinstance(device, ReleaseDevice) and device.kicks
            for name in device.joints
        )

    @cached_property
    def stops(self) -> tuple[Stop | HingeStop, ...]:
        """Stops of joints."""
        return tuple(f for f in self.scenario.forces if isinstance(f, Stop | HingeStop))
