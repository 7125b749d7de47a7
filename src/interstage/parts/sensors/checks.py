"""Check of sensors: the body that a sensor names must exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ...tree.errors import Problem
from ...tree.name_check import unknown
from ...tree.names import Names

if TYPE_CHECKING:
    from ...scenario import Scenario


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """Yield the faults of sensors that depend on other declarations, for example an unknown body."""
    for sensor in scenario.sensors:
        yield from unknown(f"sensors.{sensor.name}.body", sensor.body, names.bodies, "body")
