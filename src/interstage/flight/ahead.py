"""Programs of the later legs of a mission, compiled beside those of the earlier ones: most of a compiler's
time is outside of Python, and each core compiles a program of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from types import SimpleNamespace, TracebackType
from typing import Any

import numpy as np

from ..mission import projected
from ..stepper.problem import FINISHED
from .compiled import Wait, listening, unheard
from .program import Program
from .progress import compiling, doing
from .simulate import Beginning, Flown, of_flight, steps_ahead

MOST = 4
"""Programs that are compiled side by side at most: each takes hundreds of megabytes meanwhile."""


class _Unflown(Flown):
    """A leg that has ended where it began, with nothing to record; its track is a cursor, not an ordinary
    one."""

    record: Any = SimpleNamespace(sums={}, series={})


class Ahead:
    """Compiles the programs of the legs behind one, if its own has to be compiled: then nothing is kept of
    theirs either, or little.

    after: of each leg the one after which it begins, in their order. begun: as `mission.begun`."""

    def __init__(self, mission: Any, after: Mapping[str, str], begun: Callable[..., Beginning]):
        self._mission, self._after, self._begun = mission, after, begun
        threads = min(_cores(), MOST, len(after) - 1)
        self._pool = ThreadPoolExecutor(threads, "compiler") if threads > 0 and _cores() > 1 else None
        self._planned: Future[None] | None = None
        self._made: dict[str, Future[Any]] = {}

    def __enter__(self) -> Ahead:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._pool is not None:
            # What nobody waited for belongs to legs that were not flown.
            self._pool.shutdown(wait=False, cancel_futures=True)

    @contextmanager
    def behind(self, leg: str, program: Program, scenario: Any, first: Beginning) -> Iterator[None]:
        """While a leg is flown from where it begins: as its program is compiled, let those of the legs behind
        it be."""

        def heard(told: Wait) -> None:
            if not told.over and self._planned is None and self._pool is not None:
                self._planned = self._pool.submit(self._plan, leg, program, scenario, first)

        with listening(heard):
            yield

    def ready(self, leg: str) -> None:
        """Wait for the program of a leg if it is being compiled; one that was not begun is left to whoever
        needs it."""
        if self._planned is not None:
            wait([self._planned])
        made = self._made.pop(leg, None)
        if made is not None and not made.cancel():
            with doing(compiling(None, f"leg {leg}")):
                wait([made])

    def _plan(self, leg: str, program: Program, scenario: Any, first: Beginning) -> None:
        """Have programs made for what legs begin with: of the shapes that matter here all is known once a leg
        is handed over right where the one before it began."""
        handed = {leg: self._ended(program, scenario, first)}
        for child, parent in self._after.items():
            if parent in handed:
                scenario = projected(self._mission, child)
                program = of_flight(scenario)
                with np.errstate(all="ignore"):
                    first = self._begun(self._mission, child, handed[parent], program, scenario)
                    handed[child] = self._ended(program, scenario, first)
                assert self._pool is not None
                self._made[child] = self._pool.submit(_made, handed[child])

    def _ended(self, program: Program, scenario: Any, first: Beginning) -> Flown:
        """A leg that ends as it begins."""
        cursor = program.cursor(scenario, first.reference, first.time, first.x, first.discrete)
        cursor = cursor._replace(status=np.full_like(cursor.status, FINISHED))
        ordinary = program.ended(scenario, first.reference, cursor)
        track: Any = cursor
        return _Unflown(program, scenario, first, ordinary, track, False)


def _made(leg: Flown) -> None:
    """Have the program of a leg compiled that has ended, so that it takes no step."""
    with unheard():
        advance = leg.program.advance_for(steps_ahead(leg.scenario, leg.first))
        advance(leg.scenario, leg.first.reference, leg.first.time, leg.track)


def _cores() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
