"""Checks of eddy-current dampers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .declared import EddyDamper

FASTEST = 1000.0
"""Critical speed [m/s] beyond which no damper is known: copper a millimetre thick has some 10 m/s."""


def remarks(scenario: Any, pose: Any) -> Iterator[str]:
    """Critical speeds that are seldom meant."""
    for device in scenario.devices:
        if isinstance(device, EddyDamper) and np.max(device.critical_speed) > FASTEST:
            speed = float(np.max(device.critical_speed))
            yield f"{device.name} has a critical speed of {speed:g} m/s; plates of metal have some m/s."
