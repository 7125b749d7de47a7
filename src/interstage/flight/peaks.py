"""Extremes between the samples of a flight (`record.peaks`), by states that are stepped to from its steps."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from ..quantities.catalogue import catalogue
from ..quantities.loads import FAR, LOADS
from ..record.peaks import find, seek, sought
from ..record.record import Peaks, Record, Sought
from .observation import Track, in_chunks, states_at
from .program import Program

ROUNDING = 1e-9
"""Part of a fixed step by which a time may be off the grid of these."""


def let_search(
    program: Program, scenario: Any, reference: Any, cursor: Any, track: Track, record: Record
) -> None:
    """Let the record of a flight look for extremes between its samples, when it is asked for them."""
    record.search = partial(_searched, program, scenario, reference, cursor, track, record)


def _searched(
    program: Program,
    scenario: Any,
    reference: Any,
    cursor: Any,
    track: Track,
    record: Record,
    wanted: list[Sought],
) -> Peaks:
    def look(times: list[np.ndarray], paths: tuple[str, ...] | None) -> list[dict[str, np.ndarray]]:
        def observed(*lanes: Any) -> Any:
            return program.observe(scenario, reference, *lanes, paths=paths)[0]

        def stepped(*lanes: Any) -> Any:
            return program.stepped(scenario, reference, *lanes)

        states = states_at(cursor, track, times[0])
        if scenario.solver.fixed_step:
            states = near(states, scenario.solver.step, lambda some: in_chunks(stepped, some, program.layout))
        return [in_chunks(observed, states, program.layout)]

    return find([record], wanted, look, catalogue(program.layout.scenario))[0]


def near(states: Any, step: Any, stepped: Any) -> Any:
    """States (t, x, discrete, h) from which times are reached by a fixed step [s] or a part of one, where a
    flight kept only those steps that ended on samples: on the grid from flight time zero, as it was flown.
    stepped: states -> x a step later."""
    t, x, discrete, h = states
    while (far := h > step * (1 + ROUNDING)).any():
        ahead = np.where(far, np.minimum(step * (np.floor(t / step + ROUNDING) + 1) - t, h), 0.0)
        x = stepped((t, x, discrete, ahead))
        t, h = t + ahead, h - ahead
    return t, x, discrete, h


def put_usual(scenario: Any, record: Record) -> None:
    """Put the extremes between samples into a record of what every report of a flight tells: of what its
    requirements limit over time, and of what loads a body on its way."""
    seek(record, _usual(scenario, record))


def _usual(scenario: Any, record: Record) -> Iterator[Sought]:
    for one in scenario.requirements:
        yield from sought(one)
    for body in scenario.bodies:
        stem = f"bodies.{body.name}"
        height = record.series.get(f"{stem}.altitude")
        if height is not None and len(height) and np.ptp(height) > FAR:
            paths = (f"{stem}.{name}" for name in LOADS)
            yield from (Sought(path, 1.0) for path in paths if path in record.series)
