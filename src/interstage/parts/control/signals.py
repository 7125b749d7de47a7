"""Commands of control laws and positions of actuators at one time, by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...engine.here import Here


def signals(here: Here) -> Any:
    """Return the signals by name. While laws are computed, these are the signals computed so far."""
    if "control" not in here.equations.parts:
        return {}
    return here.known["control"] if "control" in here.known else here["control"].signals
