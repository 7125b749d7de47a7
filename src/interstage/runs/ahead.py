"""Compile the programs of later legs of a mission while earlier legs are simulated.

Each processor core compiles one program at a time, if possible in a separate process.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace, TracebackType
from typing import Any

import numpy as np

from ..missions.mission import Mission
from ..programs import store
from ..programs.compiled import Wait, listening, meant_for, unheard
from ..programs.program import Program
from ..programs.progress import compiling, doing, lasting
from ..programs.workers import Job, Workers, job, of_use, of_use_early
from ..starts.run_start import RunStart
from ..stepper.problem import FINISHED
from .early import Early
from .run import Flown, of_flight, steps_ahead
from .short import Meanwhile

MOST_PROGRAMS = 4
"""Maximum number of programs that are compiled at the same time.

Each compilation needs hundreds of megabytes of memory.
"""


USUAL = {"advance": 1.0e-3, "derivatives": 2.0e-3}
"""Compilation time [s] for each unit of a structure's size, by kind of program.

This time is used if no compilation time has been recorded on this computer.
"""


class _Unflown(Flown):
    """A leg that has ended where it began, with nothing to record; its track is a cursor, not an ordinary
    one."""

    record: Any = SimpleNamespace(sums={}, series={})


class Ahead:
    """Compiler of the programs of later legs. The compiler starts when the program of the current leg must be
    compiled.

    - after: preceding leg of each leg that is simulated, in order.
    - begun: function that returns the initial state of a leg, for example
      `mission.start_after_parent`.
    - program: function that returns the program for the scenario of a leg.
    - early: whether a second process compiles the program of a leg while NumPy attempts the leg. Default:
      False.
    """

    def __init__(
        self,
        mission: Mission,
        after: Mapping[str, str],
        begun: Callable[..., RunStart],
        program: Callable[[Any], Program] = of_flight,
        early: bool = False,
    ):
        self._mission, self._after, self._begun, self._program = mission, after, begun, program
        threads = min(_cores() - 1, MOST_PROGRAMS, len(after) - 1)
        self._pool = ThreadPoolExecutor(threads, "compiler") if threads > 0 else None
        self._workers = Workers(threads) if self._pool is not None else None
        self._early = Early() if early and _cores() > 1 and of_use_early() else None
        self._planned: Future[None] | None = None
        self._made: dict[str, Future[Any]] = {}

    def __enter__(self) -> Ahead:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._pool is not None:
            # What nobody waited for belongs to legs that were not flown.
            self._pool.shutdown(wait=False, cancel_futures=True)
        for others in (self._workers, self._early):
            if others is not None:
                others.close()

    @contextmanager
    def compile_later(self, leg: str, program: Program, scenario: Any, first: RunStart) -> Iterator[None]:
        """Compile the programs of the legs that follow a leg, as soon as the program of this leg is being
        compiled.

        - leg: name of the leg that is simulated within the `with` block.
        - program, scenario, first: program, scenario and initial state of this leg.
        """

        def heard(told: Wait) -> None:
            if not told.over and self._planned is None and self._pool is not None:
                self._planned = self._pool.submit(self._plan, leg, program, scenario, first)

        with listening(heard):
            yield

    def meanwhile(self, leg: str, program: Program, scenario: Any, first: RunStart) -> Meanwhile:
        """Return the compilation of the program of a leg while NumPy attempts the leg. Arguments: see
        `compile_later`.
        """
        early = self._early if leg not in self._made else None
        return _OfLeg(early, partial(self.ready, leg), program, scenario, first)

    def ready(self, leg: str) -> None:
        """Wait until the program of a leg is compiled, if its compilation has started. leg: name of the
        leg.
        """
        if self._planned is not None:
            wait([self._planned])
        made = self._made.pop(leg, None)
        if made is not None and not made.cancel():
            with doing(compiling(None, self._mission.leg(leg).title)):
                wait([made])

    def _plan(self, leg: str, program: Program, scenario: Any, first: RunStart) -> None:
        """Have programs made for what legs begin with: of the shapes that matter here all is known once a leg
        is handed over right where the one before it began."""
        handed = {leg: self._end_of(program, scenario, first)}
        for child, parent in self._after.items():
            if parent in handed:
                own = self._mission.leg(child)
                program = self._program(own.scenario)
                with np.errstate(all="ignore"):
                    first = self._begun(own, handed[parent], program)
                    handed[child] = self._end_of(program, own.scenario, first)
                assert self._pool is not None
                self._made[child] = self._pool.submit(self._make, handed[child])

    def _end_of(self, program: Program, scenario: Any, first: RunStart) -> Flown:
        """A leg that ends as it begins."""
        cursor = _finished_cursor(program, scenario, first)
        ordinary = program.end_cursor(scenario, first.reference, cursor)
        track: Any = cursor
        return _Unflown(program, scenario, first, ordinary, track, False)

    def _make(self, leg: Flown) -> None:
        """Have the program of a leg made that has ended, so that it takes no step."""
        steps = steps_ahead(leg.scenario, leg.first)
        given = leg.scenario, leg.first.reference, leg.first.time, leg.track
        advance, workers = leg.program.advance_for(steps), self._workers
        if workers is not None and of_use() and advance.about is not None and not advance.is_stored(*given):
            workers.make(job(leg.program, given[0], steps, *given[1:]))
            if workers.is_closed:
                return
        with unheard():
            advance(*given)


class _OfLeg(Meanwhile):
    """Compilation of the program of one leg."""

    def __init__(
        self,
        early: Early | None,
        others: Callable[[], None],
        program: Program,
        scenario: Any,
        first: RunStart,
    ):
        self._early, self._others = early, others
        self._program, self._scenario, self._first = program, scenario, first

    def along(self, attempts: Iterator[Any]) -> Iterator[Any]:
        about = self._program.flying.about
        if self._early is None or about is None:
            return attempts
        return self._early.along(attempts, about, self._job)

    def ready(self) -> None:
        if self._early is not None:
            self._early.wait(store.estimate("advance", len(self._program.flying.about or "")))
        self._others()

    def _job(self) -> Job:
        program, scenario, first = self._program, self._scenario, self._first
        steps, cursor = steps_ahead(scenario, first), _finished_cursor(program, scenario, first)
        return job(program, scenario, steps, first.reference, first.time, cursor)


def _finished_cursor(program: Program, scenario: Any, first: RunStart) -> Any:
    """The cursor of a flight that ends as it begins."""
    cursor = program.cursor(scenario, first.reference, first.time, first.x, first.discrete)
    return cursor._replace(status=np.full_like(cursor.status, FINISHED))


def make_in_parallel(making: Mapping[str, Callable[[], Any]]) -> None:
    """Compile several programs at the same time. making: function that compiles each program, by name of the
    leg.
    """

    def make_one(leg: str, make: Callable[[], Any]) -> None:
        with meant_for(f"leg {leg}"):
            make()

    with ThreadPoolExecutor(max(1, min(_cores(), MOST_PROGRAMS, len(making))), "compiler") as pool:
        for one in [pool.submit(make_one, leg, make) for leg, make in making.items()]:
            one.result()


def to_compile(programs: Mapping[str, Program]) -> str:
    """Return the notice that is shown before the programs for flight and derivatives are compiled.

    programs: program of each leg, by name of the leg.
    """
    seconds = [
        store.estimate(kind, size) or usual * size
        for kind, usual in USUAL.items()
        for size in (len(program.about or "") for program in programs.values())
    ]
    # The first is compiled by itself.
    alone = seconds[0]
    whole = alone + max((sum(seconds) - alone) / min(_cores(), MOST_PROGRAMS), max(seconds[1:], default=0.0))
    text = f"flight and derivatives of {', '.join(programs)}: compiling up to {len(seconds)} programs"
    return f"{text}, about {lasting(whole)} in total (scenarios with the same structure reuse the programs)"


def _cores() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
