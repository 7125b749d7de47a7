"""What devices do at events: the names of their events, and what becomes of joints at them."""

from __future__ import annotations

from typing import Any

from ..parts.catches.declared import HingeRelease, Latch, Rail
from ..parts.releases.declared import ReleaseDevice

SIGNALS = ("released", "cut", "caught", "fired", "spent", "deployed")
"""Words that follow a device's name in its events."""


def signals(devices: tuple[Any, ...]) -> tuple[str, ...]:
    """Names of the events of devices, in the order in which they stand in the table of events."""
    return tuple(name for device in devices for name in signals_of(device))


def signals_of(device: Any) -> tuple[str, ...]:
    """Names of the events of one device: those that it declares, or the end of its stroke if it has one."""
    stroke = (f"{device.name} spent",) if hasattr(device, "stroke") else ()
    return getattr(device, "signals", stroke)


def released(device: Any) -> tuple[str, ...]:
    """Joints that a device may let go."""
    if isinstance(device, ReleaseDevice):
        return device.joints
    if isinstance(device, HingeRelease):
        return (device.joint,)
    return device.lugs if isinstance(device, Rail) else ()


def caught(device: Any) -> tuple[str, ...]:
    """Joints that a device may have take hold."""
    return (device.joint,) if isinstance(device, Latch) else ()
