"""Records of many cases that contain only a few quantities, for results of a batch.

The records have the same samples and values at events as the records of single flights. Requirements
therefore have the same results.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..engine.minimal_coordinates import flow_of
from ..engine.quantity import all_values, gathered_paths
from ..maths.arrays import entry_at, jax, jnp, lax
from ..programs.at_once import state_after
from ..programs.program import Program, fast_program
from ..quantities.catalogue import catalogue, lookup
from ..record.peaks import find
from ..record.record import EventRecord, Record, Sought
from ..record.survey import step_ends
from ..tree.errors import BadInput, Problem
from .observation import (
    BODIES_AT_ONCE,
    ROUNDING,
    Track,
    kept_rows,
    near,
    outcome,
    phases_flown,
    sample_times,
)

STATES_AT_ONCE = 64
"""Number of states of each case that one call evaluates. The fixed number allows one program for flights of
any length.
"""


@dataclass
class Chunk:
    """Results of a group of cases that one program computed together.

    - first: index of the first case in the batch.
    - count: number of valid cases; later cases are copies.
    - scenario: scenario with the values of all cases.
    - start, cursor: states at the start and at the end of all cases.
    - rows: (integration steps, number of steps) of each call; empty for a batch without samples.
    - refused: problems of each case that was not computed, by its index in the group. The results of a case
      that was not computed are a copy of another case.
    - compiled: true if compiled programs compute quantities and steps from states. Default: chosen from the
      number of states.
    """

    first: int
    count: int
    scenario: Any
    start: Any
    cursor: Any
    rows: list[Any]
    refused: dict[int, tuple[Problem, ...]] = field(default_factory=dict)
    compiled: bool | None = None


class _States(NamedTuple):
    """States to observe, (state, ..., case): from time t, state x and switches a step of h."""

    t: np.ndarray
    x: np.ndarray
    discrete: Any
    h: np.ndarray


def stems_of(scenario: Any, paths: Sequence[str], known: Any = None) -> tuple[str, ...]:
    """Return the paths of the quantities that `paths` name, without components and without duplicates.

    `known`: catalogue of the quantities of the scenario, if already computed. Raises BadInput with all
    unknown paths.
    """
    quantities = catalogue(scenario) if known is None else known
    found, problems = {}, []
    for path in paths:
        try:
            lookup(quantities, path)
            found[path if path in quantities else path.rpartition(".")[0]] = None
        except KeyError as error:
            problems.append(Problem(path, str(error.args[0])))
    if problems:
        raise BadInput(problems)
    return tuple(found)


def lane_records(
    program: Program,
    scenario: Any,
    chunk: Chunk,
    stems: tuple[str, ...],
    samples: bool = True,
    wanted: Sequence[Sought] = (),
) -> list[Any]:
    """Return a record with the quantities `stems` for each valid case of a group. For a case that was not
    computed, the result is None.

    - scenario: scenario with the values of the nominal case.
    - samples: false for records with only the first and last state and the states at events.
    - wanted: extremes to search between samples.
    """
    rows = rows_of(chunk)
    times = [_times(scenario, rows, lane, samples) for lane in range(rows.t.shape[-1])]
    numbers, after = firings(rows)
    table_events = [program.table.events[k] for k in numbers]
    sides = [pick_states(rows, after - 1, ends=True), pick_states(rows, after, ends=False)]
    asked = [_sample_states(rows, times), *sides]
    states = _States(*jax.tree.map(lambda *parts: np.concatenate(parts), *asked))
    values = _observe(program, chunk, stems, states)
    count = len(states.t) - 2 * len(table_events)
    quantities = catalogue(scenario)
    meta = {path: quantities[path].meta for path in stems}

    def record(lane: int) -> Record:
        cursor = jax.tree.map(lambda a: np.asarray(a)[..., lane], chunk.cursor)
        mine = {path: v[..., lane] for path, v in values.items()}
        order = [e for e in np.argsort(after[:, lane], kind="stable") if after[e, lane] < len(rows.t)]
        phase = sides[1].discrete.phase[:, lane]
        events = [
            EventRecord(
                table_events[e].name,
                float(sides[0].t[e, lane]),
                table_events[e].kind,
                scenario.phases[int(phase[e])].name,
            )
            for e in order
        ]
        first = int(rows.discrete.phase[0, lane])
        whole = Record(
            scenario,
            times[lane],
            {path: v[: len(times[lane])] for path, v in mine.items()},
            events,
            {path: v[count : count + len(table_events)][order] for path, v in mine.items()},
            {path: v[count + len(table_events) :][order] for path, v in mine.items()},
            meta,
            phases=phases_flown(scenario, events, first, float(rows.t[0, lane]), float(cursor.t)),
        )
        names = [phase.name for phase in scenario.phases]
        whole.outcome, whole.completed = outcome(cursor, False, program.table, names)
        return whole

    records = [None if lane in chunk.refused else record(lane) for lane in range(chunk.count)]
    if samples and wanted:
        _put_peaks(program, chunk, rows, records, stems, wanted)
    return records


def _put_peaks(
    program: Program,
    chunk: Chunk,
    rows: Rows,
    records: list[Any],
    stems: tuple[str, ...],
    wanted: Sequence[Sought],
) -> None:
    """Put extremes between samples into the records of cases."""
    width, solver = rows.t.shape[-1], chunk.scenario.solver

    def look(times: list[np.ndarray], _: Any) -> list[dict[str, np.ndarray]]:
        states = _sample_states(rows, [*times, *[np.zeros(0)] * (width - len(times))])
        if solver.fixed_step:
            states = _States(*near(states, np.asarray(solver.step), partial(_x_later, program, chunk)))
        values = _observe(program, chunk, stems, states)
        return [
            {path: v[: len(own), ..., lane] for path, v in values.items()} for lane, own in enumerate(times)
        ]

    def steps(lane: int) -> np.ndarray:
        return step_ends(rows.t_end[rows.moved[:, lane], lane], solver)

    found = find(records, wanted, look, stems, steps)
    for record, one in zip(records, found, strict=True):
        if record is not None:
            record.peaks, record.sought, record.left = one


def lane_track(chunk: Chunk, lane: int) -> tuple[Any, Any, Track]:
    """Return the start, the final state and the integration steps of one case of a group that was computed
    with samples.
    """

    def one(tree):
        return jax.tree.map(lambda a: np.asarray(a)[..., lane], tree)

    parts = [kept_rows(one(part), count) for part, count in chunk.rows]
    track: Track = jax.tree.map(lambda *p: np.concatenate(p), *parts)
    return one(chunk.start), one(chunk.cursor), track


class Rows(NamedTuple):
    """All integration steps of a group of cases, (row, ..., case). The last row is the state at the end of
    each case.

    - t [s], x, discrete: time, state and discrete states at the start of each step.
    - t_end [s], x_end: time and state at the end of each step, before any jump.
    - hit (row, condition, case): conditions that were met at the end of a step.
    - shift: time by which an event shifted the end of a step [s].
    - moved: true for an accepted step.
    """

    t: np.ndarray
    x: np.ndarray
    discrete: Any
    t_end: np.ndarray
    x_end: np.ndarray
    hit: np.ndarray
    shift: np.ndarray
    moved: np.ndarray


def rows_of(chunk: Chunk) -> Rows:
    """Return all integration steps of a group of cases."""
    cursor, zero = chunk.cursor, np.zeros(np.shape(chunk.cursor.t))
    hit = np.zeros(np.shape(cursor.value), bool)
    last = Rows(cursor.t, cursor.x, cursor.discrete, cursor.t, cursor.x, hit, zero, zero.astype(bool))
    parts = [
        jax.tree.map(
            lambda a, count=count: np.asarray(a)[:count],
            Rows(*(getattr(part, name) for name in Rows._fields)),
        )
        for part, count in chunk.rows
    ]
    last = jax.tree.map(lambda a: np.asarray(a)[None], last)
    return Rows(*jax.tree.map(lambda *rows: np.concatenate(rows), *parts, last))


def _times(scenario: Any, rows: Rows, lane: int, samples: bool) -> np.ndarray:
    start, end = float(rows.t[0, lane]), float(rows.t[-1, lane])
    return sample_times(scenario, start, end) if samples else np.array([start, end])


def _sample_states(rows: Rows, times: list[np.ndarray]) -> _States:
    """The states from which the samples of each case are stepped; cases with fewer are filled up."""
    most, last = max(map(len, times)), len(rows.t) - 1
    place, step = np.full((most, len(times)), last), np.zeros((most, len(times)))
    for lane, wanted in enumerate(times):
        # As `observation.track_record` has it: starts of steps that took time, and where the flight stands.
        long = np.append(np.flatnonzero(rows.moved[:, lane] & (rows.t_end > rows.t)[:, lane]), last)
        begun = rows.t[long, lane]
        rounded = wanted + ROUNDING * np.maximum(np.abs(wanted), 1.0)
        found = np.clip(np.searchsorted(begun, rounded, side="right") - 1, 0, None)
        place[: len(wanted), lane] = long[found]
        step[: len(wanted), lane] = wanted - begun[found]
    return pick_states(rows, place, ends=False)._replace(h=step)


def after_events(rows: Rows) -> np.ndarray:
    """Return the index of the step that starts just after the first occurrence of each event (event, case).

    If the event did not occur, the index is beyond the last step.
    """
    times = np.asarray(rows.discrete.event_time)
    return 1 + np.sum(np.cumsum(times[1:] != times[:-1], axis=0) == 0, axis=0)


def firings(rows: Rows) -> tuple[np.ndarray, np.ndarray]:
    """Return the event index of each occurrence (occurrence,), and the index of the step that starts just
    after each occurrence (occurrence, case).

    The number of occurrences of an event is its maximum over all cases. If an occurrence is missing in a
    case, the index is beyond the last step.
    """
    times = np.asarray(rows.discrete.event_time)
    came = times[1:] != times[:-1]
    most = np.maximum(1, np.max(np.sum(came, axis=0), axis=-1))
    numbers = np.repeat(np.arange(len(most)), most)
    nth = np.concatenate([np.arange(count) for count in most])
    return numbers, 1 + np.sum(np.cumsum(came, axis=0)[:, numbers] <= nth[:, None], axis=0)


def pick_states(rows: Rows, place: np.ndarray, ends: bool) -> _States:
    """Return the states (state, case) at the starts of the steps with the indices `place` (state, case). If
    `ends` is true, return the states at the ends of these steps.
    """
    place = np.clip(place, 0, len(rows.t) - 1)

    def one(array: Any) -> np.ndarray:
        array = np.asarray(array)
        wide = place.reshape(len(place), *[1] * (array.ndim - 2), place.shape[-1])
        return np.take_along_axis(array, wide, axis=0)

    t, x = (rows.t_end, rows.x_end) if ends else (rows.t, rows.x)
    return _States(one(t), one(x), jax.tree.map(one, rows.discrete), np.zeros(place.shape))


COMPILED = partial(fast_program, options={}, library=True)
"""Compiler settings: ordinary programs with optimization.

Without optimization the programs take thirty times as long. As a single kernel, these programs take twice as
long to compile and are hardly faster.
"""


AT_ONCE = 100_000
"""Number of states that NumPy computes for a program before it is compiled for this purpose.

For this number of states, NumPy takes about 10 s. A compilation takes 15 to 30 s.
"""
SIDE_BY_SIDE = 4 * BODIES_AT_ONCE
"""Maximum product of the numbers of states and bodies that NumPy computes in one call."""


def steps_by_numpy(program: Program, chunk: Chunk, states: int) -> bool:
    """Return whether NumPy should compute further steps for this number of states.

    The result is true if no compiled program exists and a compilation would take longer.
    """
    return _by_numpy(program, chunk, (), states)


def all_stepped(program: Program, scenario: Any, reference: Any, states: Any) -> np.ndarray:
    """Return the states (state, n, case) one step after the states (t, x, discrete, h), computed by a
    compiled program.
    """
    step = _stepper(program)
    parts = [
        np.asarray(step(scenario, reference, some, count))[:count]
        for some, count in _in_blocks(tuple(states))
    ]
    return np.concatenate(parts)


def _in_blocks(states: Any) -> Iterator[tuple[Any, int]]:
    """States as many at a time as the programs take, and how many of them count: copies fill the last."""
    total = len(states[0])
    for first in range(0, total, STATES_AT_ONCE):
        index = np.minimum(np.arange(first, first + STATES_AT_ONCE), total - 1)
        yield jax.tree.map(lambda a, index=index: a[index], states), min(STATES_AT_ONCE, total - first)


def _by_numpy(program: Program, chunk: Chunk, stems: tuple[str, ...], states: int) -> bool:
    """Whether NumPy computes so many states: if the chunk requires it, or if no program is compiled for that
    and the states, with those before, are so few that compiling would take longer. They are counted."""
    if chunk.compiled is not None:
        return not chunk.compiled
    if stems in program.observers:
        return False
    program.by_numpy += states
    return program.by_numpy <= AT_ONCE


def _as_lanes(program: Program, function: Any, scenario: Any, reference: Any, states: Any) -> Any:
    """A tree of (state, ..., case) from function(program, mechanism, t, x, discrete, h) -> tree of (...,
    case), by NumPy. All states of all cases are computed side by side, so many at a time as stay in the
    cache."""
    count, width = states[0].shape
    most = max(1, SIDE_BY_SIDE // (program.layout.count * width))
    parts = [slice(first, min(first + most, count)) for first in range(0, count, most)]
    repeated: dict[int, Any] = {}
    found = []
    for part in parts:
        size = part.stop - part.start
        if size not in repeated:
            repeated[size] = _repeat((scenario, reference), size, width)
        some = jax.tree.map(lambda rows, part=part: rows[part], tuple(states))
        given, references = repeated[size]
        found.append(_side_by_side(program, function, given, references, some))
    return jax.tree.map(lambda *rows: np.concatenate(rows), *found)


def _repeat(trees: tuple[Any, Any], count: int, width: int) -> tuple[Any, Any]:
    """A scenario and references with their cases once for each of so many states; what all cases share stays
    as it is."""

    def wide(leaf: Any) -> Any:
        return np.tile(leaf, count) if width > 1 and np.shape(leaf)[-1:] == (width,) else leaf

    return jax.tree.map(wide, trees)


def _side_by_side(program: Program, function: Any, scenario: Any, reference: Any, states: Any) -> Any:
    """As `_as_lanes`, of a scenario and references that are repeated for all states, all at once."""
    count, width = states[0].shape

    def side_by_side(rows: Any) -> Any:
        rows = np.moveaxis(rows, 0, -2)
        return rows.reshape(*rows.shape[:-2], count * width)

    def whole(scenario: Any, found: Any, reference: Any, *states: Any) -> Any:
        mechanism = program.mechanism(scenario, 1, reference, found)
        return function(program, mechanism, *states)

    rows: Any = jax.tree.map(side_by_side, states)
    found = program.at_once(whole)(scenario, reference, *rows)
    return jax.tree.map(lambda a: np.moveaxis(a.reshape(*a.shape[:-1], count, width), -2, 0), found)


def step_state(program: Program, mechanism: Any, t: Any, x: Any, discrete: Any, h: Any) -> Any:
    """Return the state after one integration step of length h [s]."""
    flow = flow_of(mechanism, program.table)
    return flow.ordinary(
        t + h, state_after(flow, program.method, t, flow.own(t, x, discrete), discrete, h), discrete
    )


def _stepper(program: Program) -> Any:
    """The program (scenario, reference, states, count) -> the states a step later, (state, n, case). Only the
    first `count` states take a step."""
    if () in program.observers:
        return program.observers[()]

    def function(scenario, found, reference, states, count):
        mechanism = program.mechanism(scenario, 1, reference, found)

        def one(k: Any, ends: Any) -> Any:
            state = jax.tree.map(lambda leaf: entry_at(leaf, k), tuple(states))
            end = step_state(program, mechanism, *state)
            return lax.dynamic_update_index_in_dim(ends, end, k, 0)

        return lax.fori_loop(0, count, one, jnp.asarray(states[1]))

    return program.observers.setdefault((), program.program(function, COMPILED, "step"))


def quantity_function(program: Program, stems: tuple[str, ...], known: Any = None) -> Any:
    """Return a function of (program, mechanism, t, x, discrete, h) that computes the quantities `stems`.

    The result of the function is an array ([component,] case) by path. `known`: catalogue of the quantities
    of the scenario, if already computed.
    """
    every = catalogue(program.layout.scenario) if known is None else known
    quantities = {path: every[path] for path in stems}
    gathered = gathered_paths(quantities)

    def one(program, mechanism, t, x, discrete, h):
        single, many = all_values(quantities, mechanism.here(t, x, discrete))
        for paths, values in zip(gathered, many, strict=True):
            single |= {path: values[..., k, :] for k, path in enumerate(paths)}
        return {path: jnp.broadcast_to(v, (*v.shape[:-1], *t.shape)) for path, v in single.items()}

    return one


def _observer(program: Program, stems: tuple[str, ...]) -> Any:
    """(scenario, reference, states) -> values of the quantities `stems`, (state, [component,] case)."""
    if stems in program.observers:
        return program.observers[stems]
    seen = quantity_function(program, stems)

    def function(scenario, found, reference, states):
        mechanism = program.mechanism(scenario, 1, reference, found)
        return lax.map(lambda state: seen(program, mechanism, *state), tuple(states))

    name = f"observe {stems}"
    return program.observers.setdefault(stems, program.program(function, COMPILED, name))


def _counting(chunk: Chunk, trees: tuple[Any, Any, _States]) -> tuple[Any, Any, _States]:
    """The scenario, the reference and states of the cases that count, without the copies behind them."""
    width = trees[2].t.shape[-1]

    def without_copies(leaf: Any) -> Any:
        return leaf[..., : chunk.count] if np.shape(leaf)[-1:] == (width,) else leaf

    return jax.tree.map(without_copies, trees)


def _x_later(program: Program, chunk: Chunk, states: Any) -> np.ndarray:
    """The states (t, x, discrete, h) of all cases a step later, (state, n, case)."""
    given = chunk.scenario, jax.device_get(chunk.start.reference)
    if steps_by_numpy(program, chunk, np.size(states[0])):
        return _as_lanes(program, step_state, *given, _States(*states))
    return all_stepped(program, *given, states)


def _observe(
    program: Program, chunk: Chunk, stems: tuple[str, ...], states: _States
) -> dict[str, np.ndarray]:
    """Values of the quantities at the states, components behind the state: (state, [component,] case)."""
    if not stems:
        return {}
    given = chunk.scenario, chunk.start.reference
    counting = _counting(chunk, (*given, states))
    if _by_numpy(program, chunk, stems, np.size(counting[2].t)):
        states, given = counting[2], counting[:2]
        # At the ends of steps, no step is left to take.
        x = _as_lanes(program, step_state, *given, states) if np.any(states.h) else states.x
        there = states._replace(t=states.t + states.h, x=x)
        return _as_lanes(program, quantity_function(program, stems), *given, there)
    step, observe, parts = _stepper(program), _observer(program, stems), []
    for some, count in _in_blocks(states):
        x = step(*given, tuple(some), count) if np.any(some.h) else some.x
        there = some._replace(t=some.t + some.h, x=x)
        found = jax.device_get(observe(*given, tuple(there)))
        parts.append({path: v[:count] for path, v in found.items()})
    return {path: np.concatenate([part[path] for part in parts]) for path in stems}
