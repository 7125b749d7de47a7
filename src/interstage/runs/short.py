"""Short flights by NumPy: a flight of few attempts ends before a compiler would have made its program.

A flight begins by NumPy. If it ends within `ATTEMPTS`, it stands. Otherwise the whole flight is flown by the
compiled program, from its start. The rule counts attempts and not seconds, so the same file always has the
same result, with or without stored programs. The store only notes which flights are known to be long, so that
these are not begun again by NumPy. docs/decisions/0026-short-flights.md
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from ..formulations.catalogue import uses_library
from ..maths.arrays import jax
from ..observation.observation import Track, kept_rows
from ..programs import store
from ..programs.key import flight_key
from ..programs.program import Program
from ..stepper.problem import RUNNING

ATTEMPTS = 50
"""Attempts by NumPy at most. One takes 25 to 50 ms, so 50 take half of the time of a compilation."""
JUDGED = 10
"""Attempts after which the rest of a flight is estimated from its step."""
GROWTH = 10.0
"""Factor by which the mean of the steps to come may exceed the present one in that estimate."""
REPLAYED = 2
"""Attempts that one step of a replay with derivatives counts as."""

_long_structures: ContextVar[set[str] | None] = ContextVar("long structures", default=None)


@contextmanager
def one_study() -> Iterator[None]:
    """Within a study, all flights of a structure use the compiled program after the first long one.

    A study flies the same flights in the same order each time, so its results stay the same. Example:
    ``with one_study(): ...``, or ``@one_study()`` above a function."""
    token = _long_structures.set(set())
    try:
        yield
    finally:
        _long_structures.reset(token)


def may_use_numpy(program: Program, scenario: Any, steps: float) -> bool:
    """Whether a flight may begin by NumPy.

    steps: the number of steps, as far as it is known beforehand. With fixed steps it must be known, and every
    step must be recorded."""
    if program.lanes or program.recorded != "steps" or steps > ATTEMPTS or not ATTEMPTS:
        return False
    return not scenario.solver.fixed_step or steps > 0


def attempts(program: Program, scenario: Any, first: Any, cursor: Any, end: float | None) -> Iterator[Any]:
    """The attempts of a flight by NumPy: the cursor after each, with its row as a `Track`.

    The iteration stops when the flight has ended, or as soon as the flight is known to be long. In the second
    case the status of the last cursor is RUNNING. end: end of the flight [s], if it is known beforehand."""
    key, found_long = _key(program, scenario, first, cursor), _long_structures.get()
    about = program.flying.about
    if found_long is not None and about in found_long:
        return
    if key is not None and store.known_long(key):
        _note_structure(found_long, about)
        return
    attempt = program.flying.attempt
    for number in range(1, ATTEMPTS + 1):
        cursor, row = attempt(scenario, first.reference, first.time, cursor)
        yield cursor, kept_rows(jax.tree.map(lambda leaf: np.asarray(leaf)[None], row), 1)
        if int(cursor.status) != RUNNING:
            return
        if number >= JUDGED and _long(cursor, end, ATTEMPTS - number):
            break
    _note_structure(found_long, about)
    if key is not None:
        store.note_long(key)


def _note_structure(found_long: set[str] | None, about: str | None) -> None:
    if found_long is not None and about is not None:
        found_long.add(about)


def may_replay(program: Program, steps: int) -> bool:
    """Whether the derivatives of a flight are computed by NumPy: its replays are short.

    steps: steps of all replays that are expected. No dual numbers exist for what a library computes."""
    few = 0 < REPLAYED * steps <= ATTEMPTS
    return few and not uses_library(program.layout.scenario.solver.formulation)


def _key(program: Program, scenario: Any, first: Any, cursor: Any) -> str | None:
    """What identifies a flight with all its numbers; None if its structure cannot be described."""
    flying = program.flying
    if flying.about is None:
        return None
    numbers = flying.form(scenario), first.reference, first.time, cursor
    return flight_key(flying.about, jax.tree.leaves(numbers))


def _long(cursor: Any, end: float | None, left: int) -> bool:
    """Whether the attempts that are left cannot reach the end, even with longer steps."""
    return end is not None and (end - float(cursor.t)) > GROWTH * max(left, 1) * float(cursor.step)


def join_tracks(tracks: list[Track]) -> Track:
    """The tracks of consecutive attempts as one."""
    return jax.tree.map(lambda *parts: np.concatenate(parts), *tracks)
