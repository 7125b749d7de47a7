"""Fly a scenario: begin, advance in chunks, and observe; what is computed is kept whatever happens."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import numpy as np

from .consistency import examine

from .program import Program, program_for
from .record import EventRecord, Record
from .quantities import catalogue
from .stepper.problem import FINISHED, NOT_A_NUMBER, RUNNING, STEP_COLLAPSED

SAMPLES_AT_ONCE = 128
ROWS_AT_ONCE = 512


class Track(NamedTuple):
    """The accepted steps of one lane, host arrays: step starts t (steps,), x (n, steps), discrete (..., steps), ends
    t_end, x_end just before any jump, and the conditions hit there (steps, conditions)."""

    t: np.ndarray
    x: np.ndarray
    discrete: Any
    t_end: np.ndarray
    x_end: np.ndarray
    hit: np.ndarray
    shift: np.ndarray


def fly(scenario: Any, progress: Callable[[float, float | None], None] | None = None) -> Record:
    """Fly a scenario and return its record.

    progress(flight time, expected end or None) is called now and then. An interrupt (Ctrl-C) ends the flight
    there; the record then holds what was flown. Raises BadInput where the start is not consistent.
    """
    clock = time.perf_counter()
    stride = _stride(scenario)
    program = program_for(scenario, (), stride, ROWS_AT_ONCE)
    begun = jax.device_get(program.begin(scenario, 0.0))
    corrections, warnings = examine(program.layout, begun)
    cursor = program.cursor(scenario, begun.reference, 0.0, begun.x, begun.discrete)
    cursor, track, interrupted = _advance(program, scenario, begun.reference, cursor, progress)
    record = observed(program, scenario, begun.reference, cursor, track)
    record.corrections, record.warnings = corrections, warnings + record.warnings
    record.outcome, record.completed = _outcome(cursor, interrupted)
    record.statistics = {
        "method": scenario.solver.method,
        "steps accepted": int(cursor.accepted),
        "steps rejected": int(cursor.rejected),
        "wall time [s]": round(time.perf_counter() - clock, 3),
    }
    return record


def _stride(scenario) -> int:
    """Steps between records of a fixed-step flight: those that end on samples are enough."""
    solver, output = scenario.solver, scenario.output
    if solver.method != "rk4" or output.interval is None:
        return 1
    ratio = float(output.interval) / float(solver.step)
    return int(round(ratio)) if ratio > 1 and abs(ratio - round(ratio)) < 1e-9 * ratio else 1


def _advance(program: Program, scenario, reference, cursor, progress):
    """Fly to the end in chunks; returns the cursor, the track and whether it was interrupted."""
    tracks, interrupted, end = [], False, _expected_end(scenario)
    try:
        while int(cursor.status) == RUNNING:
            cursor, rows, count = program.advance(scenario, reference, 0.0, cursor)
            cursor, rows, count = jax.device_get((cursor, rows, count))
            tracks.append(_kept(rows, int(count)))
            if progress is not None:
                progress(float(cursor.t), end)
    except KeyboardInterrupt:
        interrupted = True
    joined = jax.tree.map(lambda *parts: np.concatenate(parts), *tracks) if tracks else None
    return cursor, joined, interrupted


def _expected_end(scenario) -> float | None:
    """End of the flight if it is known beforehand."""
    end = 0.0
    for phase in scenario.phases:
        if phase.until.time is not None:
            end = float(phase.until.time)
        elif phase.until.elapsed is not None:
            end += float(phase.until.elapsed)
        else:
            return None
    return end


def _kept(rows, count: int) -> Track:
    """The rows of steps that were taken, steps first."""
    keep = np.flatnonzero(rows.moved[:count])
    return Track(*(jax.tree.map(lambda a: a[keep], f) for f in (rows.t, rows.x, rows.discrete, rows.t_end, rows.x_end, rows.hit, rows.shift)))


# --- samples and events -----------------------------------------------------------------------------------------------


def observed(program: Program, scenario, reference, cursor, track: Track) -> Record:
    """The record of a flight from its track."""
    times = _sample_times(scenario, float(cursor.t))
    long = np.flatnonzero(track.t_end > track.t)
    place = long[np.clip(np.searchsorted(track.t[long], times, side="right") - 1, 0, None)]
    series = _observe(program, scenario, reference, track.t[place], track.x[place], _rows_at(track.discrete, place), times - track.t[place])
    events, before, after = _events(program, scenario, reference, cursor, track)
    phases = _phases(scenario, events, float(cursor.t))
    meta = {path: q.meta for path, q in catalogue(program.layout.scenario).items()}
    return Record(scenario, times, series, events, before, after, meta, phases=phases)


def _sample_times(scenario, end: float) -> np.ndarray:
    output = scenario.output
    if output.times is not None:
        times = np.asarray(output.times)
        return times[times <= end * (1 + 1e-12)]
    interval = float(output.interval)
    grid = interval * np.arange(int(np.floor(end / interval * (1 + 1e-12))) + 1)
    return grid if abs(grid[-1] - end) <= 1e-9 * max(interval, 1e-6) else np.append(grid, end)


def _rows_at(tree, index):
    return jax.tree.map(lambda a: a[index], tree)


def _observe(program, scenario, reference, t, x, discrete, h):
    """Quantities at many states, a fixed number at a time so that one program serves all: path -> (states, components)."""
    parts = []
    for first in range(0, len(t), SAMPLES_AT_ONCE):
        index = np.minimum(np.arange(first, first + SAMPLES_AT_ONCE), len(t) - 1)
        lanes = lambda a, index=index: np.moveaxis(a[index], 0, -1)  # noqa: E731
        values, _ = program.observe(scenario, reference, t[index], lanes(x), jax.tree.map(lanes, discrete), h[index])
        count = min(SAMPLES_AT_ONCE, len(t) - first)
        parts.append({path: np.moveaxis(np.asarray(v), -1, 0)[:count] for path, v in values.items()})
    return {path: np.concatenate([p[path] for p in parts]) for path in parts[0]} if parts else {}


def _events(program, scenario, reference, cursor, track: Track):
    """The events in time order, with the quantities just before and just after each."""
    fired = np.concatenate([track.discrete.fired, np.asarray(cursor.discrete.fired)[None]])
    news = fired[1:] & ~fired[:-1]
    steps, numbers = np.nonzero(news)
    # "Just after" is the start of the next step; after the last one it is where the flight stands.
    t_after = np.append(track.t[1:], np.asarray(cursor.t))
    x_after = np.concatenate([track.x[1:], np.asarray(cursor.x)[None]])
    last = jax.tree.map(lambda a, b: np.concatenate([a[1:], np.asarray(b)[None]]), track.discrete, cursor.discrete)
    zero = np.zeros(len(steps))
    before = _observe(program, scenario, reference, track.t_end[steps], track.x_end[steps], _rows_at(track.discrete, steps), zero)
    after = _observe(program, scenario, reference, t_after[steps], x_after[steps], _rows_at(last, steps), zero)
    names = [phase.name for phase in scenario.phases]
    found = []
    for step, number in zip(steps, numbers, strict=True):
        happening = program.table.happenings[number]
        phase = names[int(last.phase[step])]
        found.append(EventRecord(happening.name, float(track.t_end[step]), happening.kind, phase))
    return found, before, after


def _phases(scenario, events, end: float):
    starts = {e.name: e.time for e in events if e.kind == "phase"}
    known = [(p.name, starts[p.name]) for p in scenario.phases if p.name in starts]
    ends = [time for _, time in known[1:]] + [end]
    return [(name, start, stop) for (name, start), stop in zip(known, ends, strict=True)]


def _outcome(cursor, interrupted: bool) -> tuple[str, bool]:
    t = float(cursor.t)
    if interrupted:
        return f"Interrupted at {t:.6g} s; everything flown until then is kept.", False
    status = int(cursor.status)
    if status == NOT_A_NUMBER:
        return f"Ended early at {t:.9g} s: an acceleration is not a finite number.", False
    if status == STEP_COLLAPSED:
        return f"Ended early at {t:.9g} s: the step size collapsed; the loads change too fast for the tolerance.", False
    if status == FINISHED and bool(cursor.discrete.late):
        return f"Ended early at the time limit of {t:.6g} s, waiting for the end of its phase.", False
    return f"Completed at {t:.6g} s.", True


