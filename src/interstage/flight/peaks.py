"""Extremes between the samples of a flight: where three samples show one, by states in between.

Of what requirements limit over time, and of what loads a body on its way. Each is bracketed by the samples
beside it; the bracket is cut in parts, once or twice, by steps of the flight's own method, and a parabola
through the last three finds the place. What is found are rows of all quantities, beside the samples
(`Record.peaks`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..quantities.loads import FAR, LOADS
from ..record.record import SAME_TIME, Record, pick, resolve, timeline
from ..tree.errors import BadInput
from .observation import Track, in_chunks, states_at
from .program import Program

PARTS = 16
"""Parts of a bracket; after two cuts the parabola spans a 64th of the interval of the samples."""
INSET = 1e-6
"""Part of a bracket that is left out at its ends: an event there may have two values."""
MOST = 32
"""Extremes that are looked for, those that stand out most first."""
FLAT = 1e-6
"""Part of the range of a quantity by which an extreme has to be beyond the samples."""


def put(program: Program, scenario: Any, reference: Any, cursor: Any, track: Track, record: Record) -> None:
    """Put the extremes between samples into a record."""
    found = sorted(_brackets(scenario, record), key=lambda one: -one[0])[:MOST]
    if not found:
        return

    def look(times: np.ndarray, paths: Any = None) -> dict[str, np.ndarray]:
        def observed(*lanes):
            return program.observe(scenario, reference, *lanes, paths=paths)[0]

        return in_chunks(observed, states_at(cursor, track, times), program.layout)

    paths = tuple(dict.fromkeys(stem for _, stem, *_ in found))
    ends, tops = np.array([[begin, end] for *_, begin, end in found]), []
    for _ in range(2):
        times = ends[:, :1] + (ends[:, 1:] - ends[:, :1]) * np.linspace(INSET, 1 - INSET, PARTS + 1)
        values = _values(look(times.reshape(-1), paths), found, times.shape)
        best = values.argmax(1).clip(1, PARTS - 1)
        near = best[:, None] + np.array([-1, 0, 1])
        ends = np.take_along_axis(times, near[:, ::2], 1)
        three = (np.take_along_axis(array, near, 1) for array in (times, values))
        tops = [_vertex(t, v) for t, v in zip(*three, strict=True)]
        left = np.array([top for _, top in tops]) - values.max(1)
        if (left <= FLAT * np.abs(values).max(1)).all():
            break
    at = np.sort([time for time, _ in tops])
    at = at[np.append(True, np.diff(at) > SAME_TIME * np.maximum(1.0, np.abs(at[1:])))]
    record.peaks = at, look(at)


def _values(seen: dict[str, np.ndarray], found: list[Any], shape: tuple[int, ...]) -> np.ndarray:
    """Values of each quantity in its own bracket (bracket, place), upwards where an extreme is sought."""
    values = []
    for k, (_, stem, component, sign, *_) in enumerate(found):
        rows = seen[stem].reshape(*shape, *seen[stem].shape[1:])[k]
        values.append(sign * pick(rows, component))
    return np.stack(values)


def _brackets(scenario: Any, record: Record) -> Iterator[tuple[float, str, Any, float, float, float]]:
    """(how far beyond the samples, as a part of the range; path, component, 1 for a largest value and -1 for
    a least one, and the times of the samples beside it)."""
    for path, sign in dict.fromkeys(_wanted(scenario, record)):
        try:
            stem, component = resolve(record, path)
        except BadInput:  # told elsewhere
            continue
        if stem not in record.series or (stem not in record.before and record.events):
            continue
        times, rows = timeline(record, stem)
        values = sign * pick(rows, component)
        if values.ndim != 1 or not np.isfinite(values).all() or not np.ptp(values) > 0:
            continue
        range_ = float(np.ptp(values))
        for t, v in _smooth(times, values):
            for beyond, begin, end in _promising(t, v, 2 * FLAT * range_):
                if beyond > FLAT * range_:
                    yield beyond / range_, stem, component, sign, begin, end


def _smooth(times: np.ndarray, values: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Stretches between events, at which a value may jump."""
    cuts = np.flatnonzero(np.diff(times) <= SAME_TIME * np.maximum(1.0, np.abs(times[1:]))) + 1
    for t, v in zip(np.split(times, cuts), np.split(values, cuts), strict=True):
        if len(t) > 1:
            yield t, v


def _promising(t: np.ndarray, v: np.ndarray, least: float) -> Iterator[tuple[float, float, float]]:
    """(how far beyond the samples, begin and end) of where a smooth stretch may have an extreme: about
    samples that are larger than those beside them, and in the first and last interval, where the parabola
    through the three samples there has its top. Two samples alone tell nothing: an eighth of their difference
    is taken, or `least`."""
    if len(t) == 2:
        yield max(float(abs(v[1] - v[0])) / 8, least), float(t[0]), float(t[1])
        return
    for k in np.flatnonzero((v[1:-1] >= v[:-2]) & (v[1:-1] > v[2:])) + 1:
        yield float(_vertex(t[k - 1 : k + 2], v[k - 1 : k + 2])[1] - v[k]), float(t[k - 1]), float(t[k + 1])
    for rows, edge, beside in ((slice(0, 3), 0, 1), (slice(-3, None), -1, -2)):
        when, top = _vertex(t[rows], v[rows])
        begin, end = sorted((float(t[edge]), float(t[beside])))
        if v[edge] > v[beside] and begin < when < end:
            yield float(top - v[edge]), begin, end


def _wanted(scenario: Any, record: Record) -> Iterator[tuple[str, float]]:
    """Quantities, and 1 where their largest value is of interest, -1 where their least is."""
    for one in scenario.requirements:
        if one.at is None:
            yield from (
                (one.quantity, sign) for sign, limit in ((1.0, one.max), (-1.0, one.min)) if limit is not None
            )
    for body in scenario.bodies:
        stem = f"bodies.{body.name}"
        height = record.series.get(f"{stem}.altitude")
        if height is not None and len(height) and np.ptp(height) > FAR:
            yield from ((f"{stem}.{name}", 1.0) for name in LOADS if f"{stem}.{name}" in record.series)


def _vertex(t: np.ndarray, v: np.ndarray) -> tuple[float, float]:
    """Time and value of the top of the parabola through three points, between the first and the last; of the
    middle one where they lie on a line."""
    first, last = (v[1] - v[0]) / (t[1] - t[0]), (v[2] - v[1]) / (t[2] - t[1])
    bend = (last - first) / (t[2] - t[0])
    if not bend < 0:
        return float(t[1]), float(v[1])
    slope = first + bend * (t[1] - t[0])
    step = float(np.clip(-slope / (2 * bend), t[0] - t[1], t[2] - t[1]))
    return float(t[1]) + step, float(v[1] + step * (slope + bend * step))
