"""Simulate a flight: prepare the initial state, integrate the motion in parts, and record the results.

After an interrupt, the results up to this time remain.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..diagnosis import excursions, not_finite, not_occurred, plausibility, trigger_values
from ..diagnosis.pace import Pace, full, slow_end_report
from ..diagnosis.reactions import missing_reactions
from ..engine.contradiction import possible
from ..engine.layout import Layout
from ..engine.own_steps import own_steps
from ..engine.redundancy import (
    Shared,
    allows_repetition,
    mark,
    names,
    rejected_rows,
    repetition,
    sharing,
    undetermined_loads,
)
from ..environment.atmosphere import resolve as resolved_air
from ..maths.arrays import jax
from ..maths.jax_import import import_jax
from ..missions.mission import Mission
from ..model.effect import effects
from ..observation import after, peaks
from ..observation.between import Between
from ..observation.observation import (
    Track,
    after_the_end,
    kept_rows,
    outcome,
    restart_state,
    thinning_warning,
    track_record,
)
from ..programs.program import Program, program_for
from ..programs.progress import Progress, progress_reports
from ..record.record import Record
from ..starts import orbit_messages
from ..starts import saved as saved_starts
from ..starts.consistency import caught_far_off, examine
from ..starts.run_start import RunStart
from ..starts.start import consistent_start
from ..stepper.problem import NOT_A_NUMBER, RUNNING, STEP_COLLAPSED
from ..tree import interruption, packages
from ..tree.addresses import replace_leaf
from ..tree.sentences import sentence
from . import short

ROWS_AT_ONCE = 512
ROW_MEMORY = 4 << 20
"""Approximate memory [bytes] for the states that one call of a program returns."""
FEWEST_ROWS = 16
PART_OF_ALLOWED = 0.5
"""Fraction of the allowed contradiction between prescribed motions.

If a flight ends early and the contradiction is above this fraction, the report names it as the likely reason.
"""
AFTERWARDS = short.Meanwhile()
STATE_OF_BODY = 13
"""Number of state variables of each body: position, velocity, quaternion and angular velocity."""


def fly(
    scenario: Any,
    progress: Progress | bool | None = None,
    resume: tuple[dict[str, np.ndarray], int] | None = None,
    early: bool = False,
) -> Record:
    """Simulate a scenario, or the legs of a mission, and return its record.

    - progress: function of the flight time [s] and of the expected end [s] or None; True, False or
      None as in `Scenario.run`.
    - resume: (restart data of an earlier flight, or the record of an earlier mission; index of the
      event from which to continue). Default: None.
    - early: whether a second process compiles the programs of flights while NumPy attempts the flights.
      Default: False.

    An interrupt (Ctrl-C) ends the flight; the record then has the results up to this time. Raises BadInput if
    the initial state is not consistent.
    """
    from .mission import fly_legs

    with progress_reports(progress) as advanced:
        return fly_legs(scenario, advanced, resume, early)


def of_flight(scenario: Any) -> Program:
    """Return the program for a single flight of a scenario."""
    return program_for(scenario, (), recorded_steps(scenario), rows_at_once(scenario, ROWS_AT_ONCE))


@dataclass
class Flown:
    """Flight or leg that has ended: its program, initial state, final state and integration steps.

    - cursor: final state of the integration.
    - track: integration steps.
    - by_numpy: true if the flight was computed without a compiled program; see `runs.short`.
    """

    program: Program
    scenario: Any
    first: RunStart
    cursor: Any
    track: Track
    interrupted: bool
    by_numpy: bool = False

    @cached_property
    def between(self) -> Between:
        """Return an object that evaluates the states of the flight at any times."""
        return Between(self.program, self.scenario, self.first.reference, self.cursor, self.track)

    @cached_property
    def record(self) -> Record:
        """Return the record of the flight. The record is created on first access."""
        return recorded_of(self)


def fly_leg(
    program: Program,
    scenario: Any,
    first: RunStart,
    progress: Progress | None,
    clock: float,
    often: bool = False,
    meanwhile: short.Meanwhile = AFTERWARDS,
) -> Flown:
    """Simulate a flight or leg from an initial state, and record it.

    - first: initial state.
    - progress: function of the flight time [s] and of the expected end [s].
    - clock: wall-clock time [s] at which the preparation began.
    - often: true if many similar flights follow, so that the compiled program is used.
    - meanwhile: compilation of the program during attempts by NumPy. Default: no such compilation.
    """
    begun = time.perf_counter()
    one = flown(program, scenario, first, progress, often, meanwhile=meanwhile)
    stepping = time.perf_counter() - begun
    peaks.put_usual(scenario, one.record)
    one.record.statistics |= {
        "stepping time [s]": round(stepping, 6),
        "wall time [s]": round(time.perf_counter() - clock, 3),
    }
    return one


def recorded_of(one: Flown) -> Record:
    """Create and return the record of a flight that has ended.

    one: flight.
    """
    program, scenario, first, cursor, track = one.program, one.scenario, one.first, one.cursor, one.track
    record, sampled = track_record(one.between)
    record.corrections, record.switches = [*first.corrections], [*first.switches]
    record.sums = dict(first.integrals())
    record.earlier = program.table.come(first.discrete.fired)
    layout = Layout(scenario)
    record.warnings = first.warnings + caught_far_off(layout, record, first.discrete)
    shared: tuple[str, ...] = ()
    if layout.loops and layout.has_joints and allows_repetition(layout):
        shared = _note_shared(program, layout, scenario, first, record)
    own = own_steps(scenario.solver.formulation.kind) if scenario.solver.own_steps else None
    phases = [phase.name for phase in scenario.phases]
    record.outcome, record.completed = outcome(cursor, one.interrupted, program.table, phases)
    peaks.let_search(one.between, record)
    seen = after.Flown(one.between, record, sampled, shared)
    after.add(seen)
    not_occurred.report(seen, program.table, cursor)
    record.warnings += thinning_warning(scenario, float(track.t[0]), float(cursor.t))
    record.warnings += after_the_end(scenario.output, float(cursor.t))
    record.warnings += plausibility.notes(record)
    record.warnings += trigger_values.warnings_of(scenario, record)
    record.warnings += excursions.excursion_reports(program, scenario, first.reference, track)
    record.warnings += not_finite.warnings_of_events(program, scenario, first.reference, track)
    record.warnings += missing_reactions(program, scenario, first.reference, track)
    reason = ""
    if int(cursor.status) in (NOT_A_NUMBER, STEP_COLLAPSED):
        reason = excursions.end_reason(program, scenario, first.reference, cursor, track)
        record.outcome = reason or record.outcome
    record.outcome += slow_end_report(program, scenario, first.reference, cursor, track)
    if int(cursor.status) == NOT_A_NUMBER:
        why = ""
        # What steps by itself may grow without bounds: loads overflow then, and are not why.
        if not reason and own is None:
            why = not_finite.fault_report(program, scenario, first.reference, cursor, track)
        why = why or _redundancy_report(program, layout, scenario, first, cursor, track)
        if not why and own is not None:
            why = f" {own.why_not_finite(scenario.solver)}"
        record.outcome += why
    record.statistics = {
        "formulation": scenario.solver.formulation.kind,
        "method": program.method,
        "steps accepted": int(cursor.accepted),
        "steps rejected": int(cursor.rejected),
        "flown by": "NumPy" if one.by_numpy else "the compiled program",
    }
    if own is not None:
        record.statistics |= own.statistics(layout, np.asarray(cursor.x))
    return record


def _redundancy_report(
    program: Program, layout: Layout, scenario: Any, first: RunStart, cursor, track: Track
) -> str:
    """The report of redundant joints if a flight ended without finite accelerations; empty if they are not
    the reason."""
    t, x = cursor.t, cursor.x
    if not np.all(np.isfinite(x)):  # the step that failed was taken; the last one recorded was not
        t, x = track.t_end[-1], track.x_end[-1]
    found = _repetition(program, layout, scenario, first, t, x, cursor.discrete)
    if found is None:
        return ""
    problems = "".join(f" {sentence(problem)}" for problem in rejected_rows(layout, found))
    if problems or not (found.repeated and possible(layout)):
        return problems
    # Steps that end beyond the limits are not taken: a fixed one would have ended so much later.
    solver = scenario.solver
    later = float(t) + (float(solver.step) if solver.fixed_step else 0.0)
    left = program.contradiction(scenario, first.reference, later, x, cursor.discrete)
    if not float(left) > PART_OF_ALLOWED:
        return ""
    joints = " and ".join(names(layout, found.taking_part))
    return f" From this time on, the redundant joints {joints} prescribe contradictory motions."


def _repetition(program: Program, layout: Layout, scenario: Any, first: RunStart, t, x, discrete):
    """What the rows hold more than once in one state; None where that is not a number."""
    if not layout.table.count:
        return None
    held = program.repeated_rows(scenario, first.reference, t, x, discrete)
    finite = all(np.all(np.isfinite(part)) for part in jax.tree.leaves(held))
    return repetition(layout, discrete.active, held) if finite else None


def _note_shared(
    program: Program, layout: Layout, scenario: Any, first: RunStart, record: Record
) -> tuple[str, ...]:
    """Warn of joint loads that are shared by a rule after an event that changed joints, and mark them in the
    record. Return the names of all these joints."""
    marked: Shared = []
    before = None
    moments = [("at the start", first.time, first.x, first.discrete)]
    for row, event in enumerate(record.events):
        t, x, discrete, _ = restart_state(record.restart, row, first, layout)
        moments.append((f"after {event.name} at {event.time:.6g} s", t, x, discrete))
    for when, t, x, discrete in moments:
        if before is not None and np.array_equal(discrete.active, before):
            continue
        before = discrete.active
        marked = [(start, t if end == np.inf else end, loads) for start, end, loads in marked]
        found = _repetition(program, layout, scenario, first, t, x, discrete)
        if found is not None and found.repeated:
            directions = program.load_directions(scenario, first.reference, t, x, discrete)
            loads = undetermined_loads(layout, found, directions)
            record.warnings.append(sharing(layout, found, loads, when))
            marked.append((t, np.inf, loads))
    mark(record.meta, marked)
    return tuple(dict.fromkeys(joint for *_, loads in marked for joint in loads))


def start(program: Program, scenario: Any, open_too: bool = False) -> RunStart:
    """Return the consistent initial state of a scenario.

    open_too: if true, joints may be open, as declared. Default: False. Raises BadInput if the initial state
    is not consistent.
    """
    begun = program.begin(scenario, 0.0)
    if packages.packages_of(scenario):
        program.quantities_of_others(scenario, begun.reference, np.zeros(()), begun.x, begun.discrete)
    corrections, warnings = examine(Layout(scenario), begun, open_too)
    return RunStart(0.0, begun.x, begun.discrete, begun.reference, corrections, warnings)


def check_start(scenario: Any) -> None:
    """Check the initial state of a scenario, or of the first leg of a mission. Nothing is compiled or
    simulated.

    Raises BadInput if the initial state is not consistent. A scenario with user-defined classes is not
    checked here, but only when it is run.
    """
    if any(hasattr(effect, "class_path") for effect in effects(scenario)):
        return
    scenario = resolve_scenario(Mission.of(scenario).first.scenario)
    examine(Layout(scenario), consistent_start(scenario))


def resolve_scenario(scenario: Any) -> Any:
    """Return the scenario with all data that must be looked up before a flight.

    Bodies that start from saved flights receive their saved states, and the planet receives its saved
    rotation angle. An atmosphere model such as NRLMSIS is converted to a table.
    """
    return with_look_ups(scenario)[0]


def with_look_ups(scenario: Any) -> tuple[Any, list[str]]:
    """Return the same scenario as `resolve_scenario`, and warnings as a list of texts."""
    air = resolved_air(scenario.atmosphere)
    scenario = scenario if air is scenario.atmosphere else replace_leaf(scenario, "atmosphere", air)
    return saved_starts.place_bodies(orbit_messages.place_bodies(scenario))


def recorded_steps(scenario) -> str:
    """Return which integration steps must be recorded: "steps" for all, or "samples".

    "samples" is returned for fixed steps if several of them fit exactly between two samples. Steps that end
    at samples are then enough.
    """
    solver, output = scenario.solver, scenario.output
    if not solver.fixed_step or output.interval is None:
        return "steps"
    ratio = float(output.interval) / float(solver.step)
    return "samples" if round(ratio) > 1 and abs(ratio - round(ratio)) < 1e-9 * ratio else "steps"


def rows_at_once(scenario, most: int) -> int:
    """Return the number of integration steps that one call of a program returns.

    most: upper limit. For many bodies, the number is less, to limit the memory to `ROW_MEMORY`.
    """
    both_ends = 2 * 8 * STATE_OF_BODY * len(scenario.bodies)
    return max(FEWEST_ROWS, min(most, ROW_MEMORY // both_ends))


def prepare(scenario: Any) -> Any:
    """Prepare a scenario for repeated runs; see `prepared.Prepared`."""
    from .prepared import Prepared

    return Prepared(scenario)


def flown(
    program: Program,
    scenario: Any,
    first: RunStart,
    progress=None,
    often: bool = False,
    known: float = 0.0,
    meanwhile: short.Meanwhile = AFTERWARDS,
) -> Flown:
    """Integrate the motion until the flight ends or is interrupted, and return the flight.

    - first: initial state.
    - progress: function of the flight time [s] and of the expected end [s].
    - often: true if many similar flights follow, so that the compiled program is used.
    - known: lower bound of the number of integration steps, if it is known. Default: 0.
    - meanwhile: compilation of the program during attempts by NumPy. Default: no such compilation.
    """
    end = expected_end(scenario, _first_phase_time(first))
    steps = np.inf if often else max(known, steps_ahead(scenario, first))
    cursor = program.cursor(scenario, first.reference, first.time, first.x, first.discrete)
    if first.step is not None and not scenario.solver.fixed_step:
        cursor = cursor._replace(step=np.asarray(first.step, float))
    begun = meanwhile.along(short.attempts(program, scenario, first, cursor, end))
    by_numpy = short.may_use_numpy(program, scenario, steps)
    tracks, last, interrupted = _collect(begun if by_numpy else (), progress, end)
    if not interrupted and (last is None or int(last.status) == RUNNING):
        if last is not None:
            import_jax("jax")  # while what NumPy flew is kept: a stop during the import waits for its end
        chunks = _chunks(program, scenario, first, cursor, steps, meanwhile)
        compiled = _collect(chunks, progress, end)
        if last is None or compiled[1] is not None:
            (tracks, last, interrupted), by_numpy = compiled, False
        else:  # stopped before the first chunk: what NumPy flew is kept
            interrupted = True
    if last is None:
        interruption.release()
        raise KeyboardInterrupt
    track, cursor = _left_standing(short.join_tracks(tracks), last)
    track, cursor = program.ordinary(scenario, first.reference, track, cursor)
    return Flown(program, scenario, first, cursor, track, interrupted, by_numpy)


def _chunks(
    program: Program, scenario: Any, first: RunStart, cursor: Any, steps: float, meanwhile: short.Meanwhile
) -> Iterator[tuple[Any, Track]]:
    """The flight by the compiled program: the cursor after each chunk, and the steps in it."""
    meanwhile.ready()
    tracks, pace = [], Pace(scenario)
    while int(cursor.status) == RUNNING:
        advance = program.advance_for(steps)
        cursor, rows, count = jax.device_get(advance(scenario, first.reference, first.time, cursor))
        steps = max(steps, int(cursor.accepted) + int(cursor.rejected))
        tracks.append(kept_rows(rows, int(count)))
        cursor = full(pace.judge(cursor), tracks)
        yield cursor, tracks[-1]


def _collect(
    parts: Iterable[tuple[Any, Track]], progress: Progress | None, end: float | None
) -> tuple[list[Track], Any, bool]:
    """The steps of a flight as far as it came, the last cursor (None if there is none), and whether an
    interrupt stopped it."""
    tracks, last = [], None
    try:
        interruption.release()
        for cursor, track in parts:
            tracks.append(track)
            last = cursor
            if progress is not None:
                progress(float(cursor.t), end)
        interruption.keep()
    except KeyboardInterrupt:
        interruption.keep()
        return tracks, last, True
    return tracks, last, False


def _first_phase_time(first: RunStart) -> float:
    """When the first phase of a flight began [s], which may be gone on with later."""
    return float(first.discrete.event_time[0] if first.discrete.fired[0] else first.time)


def steps_ahead(scenario: Any, first: RunStart) -> float:
    """Return the number of fixed integration steps until the end of a flight.

    The result is 0 for steps with error control, or if the end time is not known before the flight. first:
    initial state.
    """
    end = expected_end(scenario, _first_phase_time(first)) if scenario.solver.fixed_step else None
    return 0.0 if end is None else (end - first.time) / float(scenario.solver.step)


def expected_end(scenario, start: float = 0.0) -> float | None:
    """Return the end time of a flight [s]; None if it is not known before the flight. start: start time [s].

    The end time is known if every phase ends at a given time or after a given duration.
    """
    end = start
    for phase in scenario.phases:
        if phase.until.time is not None:
            end = float(phase.until.time)
        elif phase.until.elapsed is not None:
            end += float(phase.until.elapsed)
        else:
            return None
    return end


def _left_standing(track: Track, cursor: Any) -> tuple[Track, Any]:
    """The steps and the end of a flight whose last step took no time and gave no numbers, as where a table
    has no value at the start: the state before it is kept."""
    lost = (track.t_end == track.t) & ~np.all(
        np.isfinite(track.x_end), axis=tuple(range(1, track.x_end.ndim))
    )
    if not lost[-1:].any():
        return track, cursor
    x_end = np.where(lost.reshape((-1,) + (1,) * (track.x_end.ndim - 1)), track.x, track.x_end)
    return track._replace(x_end=x_end), cursor._replace(x=x_end[-1])
