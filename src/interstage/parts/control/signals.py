"""Access to the signals at one time: commands of control laws and positions of actuators, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...engine.here import Here


def signals(here: Here) -> Any:
    """Return the signals at one time (*cases), by name. While the laws are being computed, the result
    contains only the signals computed so far.
    """
    if "control" not in here.equations.parts:
        return {}
    return here.known["control"] if "control" in here.known else here["control"].signals
