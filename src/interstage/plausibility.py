"""What a flight did, or a scenario asks for, that is allowed and yet seldom meant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .check_devices import unfired
from .environment.gravity import NoGravity
from .record import Record

GROUND = 1.0
"""How far below the ground, or below where it started, a mass centre must be to be noticed [m]."""


def notes(record: Record) -> list[str]:
    """One sentence for each thing to notice."""
    scenario = record.scenario
    said = [*_weightless(scenario), *_unlit(scenario), *unfired(scenario)]
    return [*said, *_at_once(record), *_underground(record)]


def _weightless(scenario: Any) -> Iterator[str]:
    if scenario.planet is not None and isinstance(scenario.gravity, NoGravity):
        yield 'There is a planet and no gravity; add [gravity], like kind = "zonal", if bodies are to fall.'


def _unlit(scenario: Any) -> Iterator[str]:
    lit = {name for actions in (*scenario.phases, *scenario.events) for name in actions.ignite}
    for engine in scenario.engines:
        if not engine.ignited and engine.name not in lit:
            yield (
                f'{engine.name} is never ignited; say ignited = true, or ignite = ["{engine.name}"] in a'
                " phase or event."
            )


def _at_once(record: Record) -> Iterator[str]:
    if record.completed and len(record.time) and record.time[-1] == record.time[0]:
        ends = [event.name for event in record.events]
        came = ", ".join(ends)
        yield f"The flight ended as it began ({came}): what its phases wait for is there at the start."


def _underground(record: Record) -> Iterator[str]:
    for body in record.scenario.bodies:
        altitude = record.series.get(f"bodies.{body.name}.altitude")
        if altitude is None or not len(altitude):
            continue
        lowest = int(np.argmin(altitude))
        if altitude[lowest] < min(float(altitude[0]), 0.0) - GROUND:
            yield (
                f"{body.name} went below the ground, to an altitude of {float(altitude[lowest]):.4g} m at"
                f" {float(record.time[lowest]):.6g} s; nothing stops it there. A trigger on"
                f" bodies.{body.name}.altitude ends a flight."
            )
