"""Compute short flights with NumPy, because they end before a compiler would have compiled their program.

Each flight begins with NumPy. If the flight ends within `ATTEMPTS` step attempts, its results are kept.
If the flight takes more attempts, the compiled program computes the complete flight again. The rule counts
attempts and not seconds, so the same file always has the same results, with or without stored programs. The
store records which flights are long; these start with the compiled program. See
docs/decisions/0026-short-flights.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

import numpy as np

from ..engine.contract import Sampled
from ..formulations.catalogue import uses_library
from ..maths.arrays import jax
from ..observation.observation import Track, kept_rows
from ..programs import store
from ..programs.key import flight_key
from ..programs.program import Program
from ..stepper.problem import RUNNING

ATTEMPTS = 50
"""Maximum number of step attempts with NumPy.

One attempt takes 25 to 50 ms, so 50 attempts take half the time of a compilation.
"""
JUDGED = 10
"""Number of step attempts after which the remaining number is estimated from the step size."""
GROWTH = 10.0
"""Factor in this estimate: the later steps are assumed to be at most this many times as long as the present
step.
"""
PACE = 8
"""Number of last attempts from which the pace of a flight is computed, if samples or `max_step` limit its
steps."""
EQUAL = 0.99
"""Fraction of `max_step` from which a step counts as limited by `max_step`: rounding shortens some steps."""
REPLAYED = 2
"""Number of step attempts that take as long as one step of a replay with derivatives."""


class Meanwhile:
    """Compilation of the program of a flight while NumPy attempts the flight. This class compiles nothing."""

    def along(self, attempts: Iterator[Any]) -> Iterator[Any]:
        """Yield the attempts of a flight. attempts: cursors and steps, see `attempts`."""
        return attempts

    def ready(self) -> None:
        """Wait until the program is compiled, if its compilation has started."""


_long_structures: ContextVar[set[str] | None] = ContextVar("long structures", default=None)


@contextmanager
def one_study() -> Iterator[None]:
    """Within a study, use the compiled program for all flights of a structure after its first long flight.

    A study runs the same flights in the same order each time, so its results stay the same. Example: ``with
    one_study(): ...``, or ``@one_study()`` above a function.
    """
    token = _long_structures.set(set())
    try:
        yield
    finally:
        _long_structures.reset(token)


def may_use_numpy(program: Program, scenario: Any, steps: float) -> bool:
    """Return whether a flight may begin with NumPy.

    steps: lower bound of the number of integration steps; 0 if unknown. A flight with fixed steps may use
    NumPy only if the number is known and every step is recorded.
    """
    if program.lanes or program.recorded != "steps" or steps > ATTEMPTS or not ATTEMPTS:
        return False
    return not scenario.solver.fixed_step or steps > 0


def attempts(program: Program, scenario: Any, first: Any, cursor: Any, end: float | None) -> Iterator[Any]:
    """Attempt the steps of a flight with NumPy. Yield the cursor after each attempt, and the step as a
    `Track`.

    - first, cursor: initial state of the flight and of the integration.
    - end: end of the flight [s]; None if unknown.

    The iteration stops when the flight has ended, or when it is known to be long. For a long flight, the last
    cursor has the status RUNNING.
    """
    key, found_long = _key(program, scenario, first, cursor), _long_structures.get()
    about = program.flying.about
    if found_long is not None and about in found_long:
        return
    if key is not None and store.known_long(key):
        _note_structure(found_long, about)
        return
    attempt = program.flying.attempt
    limits, times = _Limits.of(program, scenario), [float(cursor.t)]
    for number in range(1, ATTEMPTS + 1):
        cursor, row = attempt(scenario, first.reference, first.time, cursor)
        times.append(float(cursor.t))
        yield cursor, kept_rows(jax.tree.map(lambda leaf: np.asarray(leaf)[None], row), 1)
        if int(cursor.status) != RUNNING:
            return
        if number >= JUDGED and limits.is_long(times, float(cursor.step), end, ATTEMPTS - number):
            break
    _note_structure(found_long, about)
    if key is not None:
        store.note_long(key)


def _note_structure(found_long: set[str] | None, about: str | None) -> None:
    if found_long is not None and about is not None:
        found_long.add(about)


def may_replay(program: Program, steps: int) -> bool:
    """Return whether NumPy computes the derivatives of a flight. NumPy computes derivatives only for short
    replays.

    steps: expected number of steps of all replays. If the equations of motion need a library, NumPy is not
    used, because dual numbers cannot pass through a library.
    """
    few = 0 < REPLAYED * steps <= ATTEMPTS
    return few and not uses_library(program.layout.scenario.solver.formulation)


def _key(program: Program, scenario: Any, first: Any, cursor: Any) -> str | None:
    """What identifies a flight with all its numbers; None if its structure cannot be described, or if nothing
    is stored: without a store, the key would need a checksum of all source files for each flight."""
    flying = program.flying
    if store.limit() == 0 or flying.about is None:
        return None
    numbers = flying.form(scenario), first.reference, first.time, cursor
    return flight_key(flying.about, jax.tree.leaves(numbers))


class _Limits(NamedTuple):
    """Limits of the steps of a flight besides the error control.

    - sampled: whether a digital controller or guidance law takes samples. Steps end at sample times.
    - max_step: largest step [s]."""

    sampled: bool
    max_step: float

    @classmethod
    def of(cls, program: Program, scenario: Any) -> _Limits:
        """Return the limits of a flight."""
        longest = scenario.solver.max_step
        sampled = any(part.sample_size for part in program.layout.having(Sampled))
        return cls(sampled, np.inf if longest is None else float(longest))

    def is_long(self, times: list[float], step: float, end: float | None, left: int) -> bool:
        """Return whether the remaining attempts are not expected to reach the end of a flight.

        - times: time before the flight and after each attempt [s].
        - step: step size that the error control proposes [s].
        - end: end of the flight [s], if known. If it is unknown, a flight whose steps are limited is long.
        - left: number of remaining attempts."""
        advances = np.diff(times[-1 - PACE :])
        if end is None:
            return self.sampled or bool(np.min(advances) >= EQUAL * self.max_step)
        pace = float(np.mean(advances)) if self.sampled else min(GROWTH * step, self.max_step)
        return end - times[-1] > max(left, 1) * pace


def join_tracks(tracks: list[Track]) -> Track:
    """Join the integration steps of consecutive parts of a flight."""
    return jax.tree.map(lambda *parts: np.concatenate(parts), *tracks)
