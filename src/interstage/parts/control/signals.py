"""Commands of control laws and positions of actuators at an instant, by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...engine.here import Here


def signals(here: Here) -> Any:
    """Signals by name; during the computation of laws, the signals computed so far."""
    if "control" not in here.equations.parts:
        return {}
    return here.known["control"] if "control" in here.known else here["control"].signals
