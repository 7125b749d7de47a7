"""Conversion of the integration steps of a flight to its record: samples at the output times, and the states
just before and after each event.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..engine.event_table import EventTable
from ..engine.layout import Layout
from ..maths.arrays import jax
from ..quantities.catalogue import catalogue
from ..record.record import EventRecord, Record
from ..starts.events import END, TIME_LIMIT
from ..stepper.problem import FINISHED, MEMORY_FULL, NOT_A_NUMBER, RUNNING, STEP_COLLAPSED, TOO_MANY_STEPS
from ..tree.errors import BadInput
from ..tree.sentences import sentence

if TYPE_CHECKING:
    from .between import Between

BODIES_AT_ONCE = 2048
"""Product of the numbers of samples and bodies that one call computes. Smaller calls are less efficient, and
larger calls do not fit in the cache.
"""
FEWEST_AT_ONCE = 64
SHARED_AT_ONCE = 2**24
"""Number of samples times the square of the number of constraint rows that one call computes. This limit
applies if joint loads can be indeterminate.

The dense matrices of one call then take 128 MiB each.
"""
ROUNDING = 1e-12
LAND_OR_CONTINUE = (
    "To complete the flight with the landing, end the last phase at this altitude of the body. To continue"
    ' after the impact, set ground = "record".'
)
OFF_GRID = 1e-9
"""Maximum distance of a time from the grid of fixed steps, as a fraction of a step."""


class Track(NamedTuple):
    """Accepted integration steps of one case, as NumPy arrays. The step is the first axis.

    - t [s], x, discrete: time, state and discrete states at the start of each step.
    - t_end [s], x_end: time and state at the end of each step, before any jump.
    - hit (steps, conditions): true if the condition of an event is met at the end of the step.
    - shift [s]: small time by which the end of the step was moved to reach an event.
    """

    t: np.ndarray
    x: np.ndarray
    discrete: Any
    t_end: np.ndarray
    x_end: np.ndarray
    hit: np.ndarray
    shift: np.ndarray


def kept_rows(rows, count: int) -> Track:
    """Return the accepted steps among the first `count` steps of one case."""
    keep = np.flatnonzero(rows.moved[:count])
    return Track(
        *(
            jax.tree.map(lambda a: a[keep], f)
            for f in (rows.t, rows.x, rows.discrete, rows.t_end, rows.x_end, rows.hit, rows.shift)
        )
    )


# --- samples and events
# -----------------------------------------------------------------------------------------------


def track_record(between: Between) -> tuple[Record, np.ndarray]:
    """Return the record of a flight from its integration steps, and the states of its samples (sample,
    n).
    """
    program, scenario, cursor, track = between.program, between.scenario, between.cursor, between.track
    times = sample_times(scenario, float(track.t[0]), float(cursor.t))
    samples = states_at(cursor, track, times)
    steps, numbers, sides = _sides(cursor, track)
    # All at once: most of the time goes into calls of NumPy, however many states there are.
    whole = jax.tree.map(lambda *rows: np.concatenate(rows), samples, *sides)
    found, x = _observe(between, whole)
    cuts = np.cumsum([0, len(times), len(steps), len(steps)])
    series, before, after = (
        {path: rows[first:last] for path, rows in found.items()} if last > first else {}
        for first, last in pairwise(cuts)
    )
    events = _events(program, scenario, track, sides[1], steps, numbers)
    phases = phases_flown(scenario, events, int(track.discrete.phase[0]), float(track.t[0]), float(cursor.t))
    meta = {path: q.meta for path, q in catalogue(program.layout.scenario).items()}
    record = Record(scenario, times, series, events, before, after, meta, phases=phases)
    record.restart = _restart(program.layout, between.given[1], cursor, track)
    return record, x[: len(times)]


def states_at(cursor, track: Track, times: np.ndarray):
    """Return states (t, x, discrete) of the flight from which one step leads to each of the times, and the
    lengths of these steps [s].
    """
    t, x, discrete = _starts(cursor, track)
    # A sample on a recorded state takes that state, whichever way its time was rounded.
    place = np.clip(
        np.searchsorted(t, times + ROUNDING * np.maximum(np.abs(times), 1.0), side="right") - 1, 0, None
    )
    return t[place], x[place], _rows_at(discrete, place), times - t[place]


def near(states: Any, step: Any, stepped: Any) -> Any:
    """Return states (t, x, discrete, h) from which at most one fixed step leads to the requested times.

    - states: initial states (t, x, discrete, h), with the time h [s] from each state to the requested time.
    - step: fixed step [s]. The grid of fixed steps starts at flight time zero, as in the flight.
    - stepped: function that returns the state x one step later.
    """
    t, x, discrete, h = states
    while (far := h > step * (1 + OFF_GRID)).any():
        ahead = np.where(far, np.minimum(step * (np.floor(t / step + OFF_GRID) + 1) - t, h), 0.0)
        x = stepped((t, x, discrete, ahead))
        t, h = t + ahead, h - ahead
    return t, x, discrete, h


def _starts(cursor, track: Track):
    """States from which samples are stepped: starts of steps that took time, and where the flight stands."""
    long = np.flatnonzero(track.t_end > track.t)
    starts = track.t[long], track.x[long], _rows_at(track.discrete, long)
    return jax.tree.map(_append_last, starts, (cursor.t, cursor.x, cursor.discrete))


def _append_last(rows, last):
    return np.concatenate([rows, np.asarray(last)[None]])


MOST_SAMPLES = 1_000_000
"""Maximum number of samples of a flight."""
MEMORY = 2e9
"""Maximum memory of all samples of a flight [bytes]."""
OF_NUMBER = 24
"""Memory for each number of a sample [bytes]: 8 bytes, plus twice this size while samples are joined."""
FEWEST_SAMPLES = 10_000
"""Number of samples that is always allowed, independent of the memory limit."""


def most_samples(scenario: Any) -> int:
    """Return the maximum number of samples of a flight, from the memory of each sample."""
    numbers = sum(max(1, len(quantity.meta.components)) for quantity in catalogue(scenario).values())
    return int(np.clip(MEMORY / (OF_NUMBER * numbers), FEWEST_SAMPLES, MOST_SAMPLES))


def sample_times(scenario, start: float, end: float) -> np.ndarray:
    """Return the sample times of a flight from `start` to `end` [s].

    With output.times, the result is the declared times in this range, or the end if there are none. With
    output.interval, the result is the start, the multiples of the interval, and the end. If there would be
    too many samples, a multiple of the interval is used.
    """
    output = scenario.output
    if output.times is not None:
        times = np.asarray(output.times)
        times = times[(times >= start) & (times <= end * (1 + ROUNDING))]
        return times if len(times) else np.array([end])
    interval = _spacing(scenario, start, end)
    first, last = np.ceil(start / interval * (1 - ROUNDING)), np.floor(end / interval * (1 + ROUNDING))
    grid = interval * np.arange(first, last + 1)
    near = ROUNDING * max(abs(end), interval)
    grid = grid if len(grid) and abs(grid[0] - start) <= near else np.insert(grid, 0, start)
    return grid if abs(grid[-1] - end) <= near else np.append(grid, end)


def _spacing(scenario: Any, start: float, end: float) -> float:
    """The interval of the samples, or the least multiple of it by which they are not too many."""
    interval, most = float(scenario.output.interval), most_samples(scenario)
    with np.errstate(over="ignore"):
        count = np.ceil(np.float64(end - start) / interval / most)
    return interval * max(count, 1.0) if np.isfinite(count) else (end - start) / most


def thinning_warning(scenario, start: float, end: float) -> list[str]:
    """Return a list with a warning if the samples are farther apart than declared. If the samples have the
    declared distance, the list is empty.
    """
    asked = scenario.output.interval
    if asked is None or (kept := _spacing(scenario, start, end)) == float(asked):
        return []
    text = (
        f"output.interval: {float(asked):g} s gives {(end - start) / float(asked):.2g} samples, more than"
        f" the limit of {most_samples(scenario):,} samples. The flight has one sample every {kept:.6g} s."
    )
    return [f"{text} Increase output.interval, or set output.times."]


def after_the_end(output, end: float) -> list[str]:
    """Return a list with a warning if declared sample times are after the end of the flight [s]. If all
    sample times are within the flight, the list is empty.
    """
    times = np.asarray([] if output.times is None else output.times)
    late = int(np.sum(times > end * (1 + ROUNDING)))
    if not late:
        return []
    first = float(times[times > end * (1 + ROUNDING)][0])
    return [
        f"output.times: {late} of {len(times)} times, from {first:.9g} s on, are after the end of the "
        f"flight at {end:.9g} s and have no "
        f"samples{' (the end has a sample)' if late == len(times) else ''}. Give times before the end, or "
        "set output.interval."
    ]


STATE_OF = "state_of."
"""Prefix of an entry of restart data: STATE_OF and the name of a model. The entry is the first index and the
number of the states of this model.
"""


SUMS = "sums."
"""Prefix of an entry of restart data: SUMS and the path of an integral. The entry is the value of the
integral at each event.
"""


def _restart(layout: Layout, reference, cursor, track: Track) -> dict[str, np.ndarray]:
    """What a flight needs to go on from just after each event: state, switches and references, event axis
    first; and which part has which numbers of the state."""
    t, x, discrete, steps, _ = _just_after(cursor, track)
    found = {"time": t[steps], "state": x[steps]}
    found |= {name: np.asarray(leaf)[steps] for name, leaf in _leaves("discrete", discrete)}
    found |= _owners(layout)
    return found | {name: np.asarray(leaf) for name, leaf in _leaves("reference", reference)}


def _owners(layout: Layout) -> dict[str, np.ndarray]:
    """Where in the state the numbers of each part are that has some, as a restart keeps it."""
    return {f"{STATE_OF}{name}": np.array(place) for name, place in layout.places.items() if place[1]}


def restart_state(restart: dict[str, np.ndarray], event: int, like: Any, layout: Layout):
    """Return time, state, discrete states and reference values just after the event with the index `event`.

    - restart: restart data of the record.
    - like: initial state of a flight with the same structure.
    - layout: structure of the flight that continues.

    Raises BadInput if another version saved the data in another format.
    """
    _refuse_other_forms(restart, event, like, layout)
    discrete = _rebuilt("discrete", like.discrete, {k: v[event] for k, v in restart.items() if _changes(k)})
    reference = _rebuilt("reference", like.reference, restart)
    return float(restart["time"][event]), restart["state"][event], discrete, reference


def refuse_the_end(restart: dict[str, np.ndarray], event: int) -> None:
    """Check that a flight can continue from an event. Raises BadInput if the flight ended at this event."""
    for name, leaf in ((END, "discrete.over"), (TIME_LIMIT, "discrete.late")):
        if leaf in restart and bool(restart[leaf][event]):
            raise BadInput(
                f"the flight ends at '{name}' and cannot continue from this event. Use an earlier event"
            )


def sums_at(restart: dict[str, np.ndarray], event: int) -> dict[str, float]:
    """Return the values of integrals at an event, by path. These integrals are computed after a flight."""
    found = {name: rows for name, rows in restart.items() if name.startswith(SUMS)}
    return {name.removeprefix(SUMS): float(rows[event]) for name, rows in found.items()}


def _refuse_other_forms(restart: dict[str, np.ndarray], event: int, like: Any, layout: Layout) -> None:
    """Refuse states that another version, of this program or of a package of parts, has kept in its own
    way."""
    wanted = {"state": like.x} | dict(_leaves("discrete", like.discrete))
    shapes = {name: np.shape(restart[name][event]) for name in wanted if name in restart}
    for name, leaf in _leaves("reference", like.reference):
        wanted[name] = leaf
        shapes |= {name: np.shape(restart[name])} if name in restart else {}
    other = [name for name, leaf in wanted.items() if shapes.get(name) != np.shape(leaf)]
    kept = {name: tuple(place) for name, place in restart.items() if name.startswith(STATE_OF)}
    if kept:  # flights saved by earlier versions do not have it
        mine = {name: tuple(place) for name, place in _owners(layout).items()}
        other += [name for name in {**mine, **kept} if mine.get(name) != kept.get(name)]
    if other or "time" not in restart:
        raise BadInput(
            "the saved flight cannot be continued: another version of interstage saved the states in another"
            f" format ({', '.join(other[:3]) or 'time'} is missing or differs). Run the scenario of the"
            " flight again with this version, and continue from the new flight"
        )


def _changes(name: str) -> bool:
    return name.startswith("discrete.")


def _branches(tree: Any) -> list[tuple[str, Any]] | None:
    """What a tree of named tuples, tuples, lists and dictionaries holds, by name; None for a leaf."""
    if hasattr(tree, "_asdict"):
        return [*tree._asdict().items()]
    if isinstance(tree, dict):
        return [*tree.items()]
    return [(str(k), each) for k, each in enumerate(tree)] if isinstance(tree, (tuple, list)) else None


def _leaves(name: str, tree: Any) -> Iterator[tuple[str, Any]]:
    """The leaves of a tree by their names, "discrete.own.pushers.pushing"; None has none."""
    branches = _branches(tree)
    if branches is None:
        yield from () if tree is None else ((name, tree),)
    else:
        for key, branch in branches:
            yield from _leaves(f"{name}.{key}", branch)


def _rebuilt(name: str, like: Any, leaves: dict[str, Any]) -> Any:
    """A tree like another one from its leaves by name."""
    branches = _branches(like)
    if branches is None:
        return leaves.get(name)
    found = {key: _rebuilt(f"{name}.{key}", branch, leaves) for key, branch in branches}
    if isinstance(like, dict):
        return found
    return type(like)(*found.values()) if hasattr(like, "_asdict") else type(like)(found.values())


def _rows_at(tree, index):
    return jax.tree.map(lambda a: a[index], tree)


def _observe(between: Between, states):
    """Quantities at many states (t, x, discrete, h), path -> (states, components), and the states there."""
    t, x, discrete, h = states
    if not len(t):
        return {}, x
    found = between.step_states(states)
    # A step of no length, from where a law gives no number, as outside a table, leaves the state as it is.
    x = np.where((h == 0)[:, None] & ~np.isfinite(found), x, found)
    values = partial(between.program.values, *between.given)
    return in_chunks(values, (t + h, x, discrete), between.program.layout), x


def at_once(layout: Layout) -> int:
    """Return the number of states that one call should compute, from the numbers of bodies and constraint
    rows.
    """
    most = max(FEWEST_AT_ONCE, BODIES_AT_ONCE // layout.count)
    return min(most, max(1, SHARED_AT_ONCE // layout.table.count**2)) if layout.loops else most


def in_chunks(function, states, layout) -> Any:
    """Return the results of a function for many states. The states are divided among several calls.

    The first axis of the arrays in `states` and in the result is the state.
    """
    count, parts = len(states[0]), []
    most = -(-count // max(1, -(-count // at_once(layout)))) or 1
    for first in range(0, count, most):
        some = _rows_at(states, slice(first, first + most))
        found = function(*jax.tree.map(lambda rows: np.moveaxis(rows, 0, -1), some))
        parts.append(jax.tree.map(lambda v: np.moveaxis(v, -1, 0), found))
    return jax.tree.map(lambda *rows: np.concatenate(rows), *parts) if parts else {}


def _just_after(cursor, track: Track):
    """Where each step's end leads to (time, state, switches), the steps at which events fired, and the
    events' numbers."""
    came = np.concatenate([track.discrete.event_time, np.asarray(cursor.discrete.event_time)[None]])
    steps, numbers = np.nonzero(came[1:] != came[:-1])
    starts = _rows_at((track.t, track.x, track.discrete), slice(1, None))
    return *jax.tree.map(_append_last, starts, (cursor.t, cursor.x, cursor.discrete)), steps, numbers


def _sides(cursor, track: Track):
    """The steps at which events fired, the numbers of these, and the states (t, x, discrete, h) just before
    and just after each."""
    t, x, discrete, steps, numbers = _just_after(cursor, track)
    still = np.zeros(len(steps))
    before = *_rows_at((track.t_end, track.x_end, track.discrete), steps), still
    return steps, numbers, (before, (*_rows_at((t, x, discrete), steps), still))


def _events(program, scenario, track: Track, after: Any, steps, numbers) -> list[EventRecord]:
    """The events in time order. after: the states just after them, as `_sides` has them."""
    names, phases = [phase.name for phase in scenario.phases], after[2].phase
    found = []
    for step, number, phase in zip(steps, numbers, phases, strict=True):
        table_event = program.table.events[number]
        found.append(
            EventRecord(table_event.name, float(track.t_end[step]), table_event.kind, names[int(phase)])
        )
    return found


def phases_flown(scenario, events, first: int, start: float, end: float):
    """Return the phases that a flight reached: name, start and end [s] of each phase.

    `events`: events of the flight. `first`: index of the phase at the start of the flight. `start`, `end`
    [s]: start and end of the flight. The first phase may have begun before `start`.
    """
    starts = {scenario.phases[first].name: start} | {e.name: e.time for e in events if e.kind == "phase"}
    known = [(p.name, starts[p.name]) for p in scenario.phases if p.name in starts]
    ends = [time for _, time in known[1:]] + [end]
    return [(name, begun, stop) for (name, begun), stop in zip(known, ends, strict=True)]


def outcome(cursor, interrupted: bool, table: EventTable, phases: Sequence[str] = ()) -> tuple[str, bool]:
    """Return a text with the outcome of a flight, and whether the flight reached the end of its scenario.

    - cursor: state at the end of the flight.
    - interrupted: true if the user stopped the flight.
    - table: event table of the flight.
    - phases: names of the phases.
    """
    t = float(cursor.t)
    if interrupted and int(cursor.status) == RUNNING:
        return f"Interrupted at {t:.6g} s. The results up to this time are kept.", False
    status = int(cursor.status)
    if status == NOT_A_NUMBER:
        return f"Ended early at {t:.9g} s: an acceleration is not a finite number.", False
    if status == STEP_COLLAPSED:
        reason = "the integration step became too small, because the loads change too fast for the tolerance"
        return f"Ended early at {t:.9g} s: {sentence(reason)}", False
    if status == TOO_MANY_STEPS:
        reason = "the flight needs more steps per second of flight time than solver.steps_per_second allows"
        return f"Ended early at {t:.9g} s: {sentence(reason)}", False
    if status == MEMORY_FULL:
        return f"Ended early at {t:.9g} s: the recorded steps fill the memory limit of one flight.", False
    if status == FINISHED and bool(cursor.discrete.late):
        phase = f"phase '{phases[int(cursor.discrete.phase)]}'" if phases else "its phase"
        return f"Ended early at the time limit of {t:.6g} s, before the end of {phase}.", False
    if status == FINISHED and (reason := stopped_by(table, cursor.discrete)):
        return f"Ended early at {t:.9g} s: {sentence(reason)} {LAND_OR_CONTINUE}", False
    return completion(t), True


def completion(t: float) -> str:
    """Return the text for a flight that reached the end of its scenario at a time [s]."""
    return f"Completed at {t:.6g} s."


def is_plain_end(cursor: Any, table: EventTable) -> np.ndarray:
    """Return whether flights reached the end of their scenario without an event that ended them early
    (*cases).
    """
    discrete = cursor.discrete
    ended = ~np.asarray(discrete.over) | np.asarray(discrete.fired)[table.index(END)]
    return (np.asarray(cursor.status) == FINISHED) & ~np.asarray(discrete.late) & ended


def stopped_by(table: EventTable, discrete: Any) -> str:
    """Return the reasons why events ended a flight before its declared end. If no such event occurred, return
    "".
    """
    if not bool(discrete.over) or bool(discrete.fired[table.index(END)]):
        return ""
    last = max(float(discrete.event_time[k]) for k, h in enumerate(table.events) if discrete.fired[k])
    came = [
        h.ends_early
        for k, h in enumerate(table.events)
        if h.ends_early and float(discrete.event_time[k]) == last
    ]
    return " and ".join(came)
