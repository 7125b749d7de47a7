"""What devices do at events, as functions of a device; see `effect.Device`."""

from __future__ import annotations

from typing import Any

from .effect import signals as signals


def signals_of(device: Any) -> tuple[str, ...]:
    """Names of the events of one device."""
    return device.signals


def released(device: Any) -> tuple[str, ...]:
    """Joints that a device may let go."""
    return device.released


def caught(device: Any) -> tuple[str, ...]:
    """Joints that a device may have take hold."""
    return device.caught
