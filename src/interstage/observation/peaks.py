"""Search for extremes between the samples of a flight (`record.peaks`), from states between its steps."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from ..quantities.catalogue import catalogue
from ..quantities.loads import FAR, LOADS
from ..record.peaks import find, seek, sought
from ..record.record import Found, Peaks, Record, Sought
from ..record.survey import ends_apart, step_ends
from .between import Between


def let_search(between: Between, record: Record) -> None:
    """Set the functions by which a record computes extremes and values between samples on request."""
    record.search = partial(_search, between, record)
    record.at_steps = partial(_at_steps, between, record)
    known = catalogue(between.program.layout.scenario)
    record.between = lambda times, paths: between.quantities(times, tuple(p for p in paths if p in known))


def _at_steps(between: Between, record: Record, paths: tuple[str, ...]) -> Peaks:
    known = catalogue(between.program.layout.scenario)
    times = ends_apart(record, step_ends(between.track.t_end, between.scenario.solver))
    some = tuple(path for path in paths if path in known)
    return (times, between.quantities(times, some)) if len(times) and some else (times[:0], {})


def _search(between: Between, record: Record, wanted: list[Sought]) -> Found:
    def look(times: list[np.ndarray], paths: tuple[str, ...] | None) -> list[dict[str, np.ndarray]]:
        return [between.quantities(times[0], paths)]

    known = catalogue(between.program.layout.scenario)
    ends = step_ends(between.track.t_end, between.scenario.solver)
    return find([record], wanted, look, known, lambda _: ends)[0]


def put_usual(scenario: Any, record: Record) -> None:
    """Search the extremes between samples that every report needs, and put them into the record.

    The extremes are searched for quantities with requirements over time. If the altitude of a body varies by
    more than `FAR` in the flight, the extremes of its loads are also searched.
    """
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
