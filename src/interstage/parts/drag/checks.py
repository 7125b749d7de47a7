"""Check parachutes and streamers: the atmosphere, the event that fires them, and the event that cuts the
line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ...environment import needed
from ...tree.errors import Problem
from ...tree.names import Names
from .declared import DragDevice

if TYPE_CHECKING:
    from ...scenario import Scenario


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """Yield the problems of parachutes and streamers.

    - names: all names in the scenario, by group.
    - faulty: names of invalid declarations, by group.
    """
    devices = [device for device in scenario.devices if isinstance(device, DragDevice)]
    yield from needed.air(scenario, "devices", devices, faulty)
    fired = {name for item in (*scenario.phases, *scenario.events) for name in item.fire}
    for device in devices:
        place = f"devices.{device.name}"
        if device.cut == device.signals[0]:
            yield Problem(f"{place}.cut", "'cut' is the deployment event of this device. Name a later event")
        if device.after is None and device.name not in fired and not names.partial:
            text = "no phase or event fires this device. Add the device to `fire` of a phase or event, or set"
            text += ' `after`, for example after = "start"'
            yield Problem(place, text)
