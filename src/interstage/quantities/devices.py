"""State of a device that acts only once, at an event that the device itself generates."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..engine.here import Here
from ..engine.layout import Layout
from ..engine.quantity import Quantity, scalar_quantity


def state_quantity(layout: Layout, device: Any) -> dict[str, Quantity]:
    """Return the quantity "state" of a device: 1 before the first event of the device, and 0 after it."""
    event = layout.first_signal + layout.signals.index(device.signals[0])
    return {
        "state": scalar_quantity(
            "1", "state (1 before the device acts, 0 after)", partial(_state, event=event)
        )
    }


def _state(m: Here, event: int):
    return 1.0 - m.discrete.fired[event]
