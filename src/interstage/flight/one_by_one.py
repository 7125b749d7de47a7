"""Cases of few steps: each is flown by the program of a single flight.

That compiles in less time than one of many lanes, and is kept already where the scenario was flown before."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from ..maths.arrays import jax
from ..stepper.problem import RUNNING, Row
from .pace import Pace, full
from .program import program_for
from .simulate import ROWS_AT_ONCE, expected_end, recorded, rows_at_once

STEPS_ALONE = 200_000
"""Steps of all cases together, refused ones counted, up to which each is flown by itself: seconds of work,
where a program of many lanes compiles for ten or more."""
FEWEST_STEPS = 10
"""Steps that a flight takes at least, about."""


class OneByOne:
    """Flies the lanes of a chunk one after the other."""

    def __init__(self, scenario: Any):
        self.steps = 0.0
        """Steps of all lanes together, as far as is known."""
        self.program = program_for(scenario, (), recorded(scenario), rows_at_once(scenario, ROWS_AT_ONCE))

    def flown(
        self,
        scenario: Any,
        start: Any,
        time: Any,
        cursor: Any,
        lanes: range,
        stop: threading.Event,
        advanced: Callable[[int], None] = lambda count: None,
    ) -> Any:
        """(cursor, rows) of all lanes of a chunk, of which these are flown; the others are copies of the
        last. None where it was stopped. time [s], of all or (lane,), and cursor: where they begin; advanced:
        called with how many are flown."""
        given, found = self.program.flying.given_apart(scenario), []
        for lane in lanes:
            reference, begun = jax.tree.map(
                lambda leaf, lane=lane: np.asarray(leaf)[..., lane], (start.reference, cursor)
            )
            t0 = float(time[lane] if np.ndim(time) else time)
            flight = self._flight(given(lane), reference, t0, begun, Pace(scenario, lane), stop)
            if flight is None:
                return None
            found.append(flight)
            advanced(len(found))
        width = np.shape(cursor.t)[-1]
        return _together(found + found[-1:] * (width - len(found)))

    def _flight(
        self, given: Any, reference: Any, t0: float, cursor: Any, pace: Pace, stop: threading.Event
    ) -> Any:
        """(cursor, its rows that moved) of one flight that begins at t0 [s]."""
        parts: list[Any] = []
        while int(cursor.status) == RUNNING:
            if stop.is_set():
                return None
            after = self.program.advance_for(self.steps).of(given, reference, t0, cursor)
            cursor, rows, count = jax.device_get(after)
            moved = np.flatnonzero(rows.moved[: int(count)])
            parts.append(jax.tree.map(lambda a, moved=moved: a[moved], rows))
            cursor = full(pace.judged(cursor), parts)
        if not parts:
            return cursor, None
        rows = jax.tree.map(lambda *some: np.concatenate(some), *parts)
        here = jax.tree.unflatten(given.tree, given.leaves)
        # The cursor is made ordinary with those of the other lanes.
        return cursor, self.program.flying.ordinary_of(here, reference, rows, cursor)[0]


def steps_of(scenario: Any, lanes: int) -> float | None:
    """Steps that flights of so many cases take together, at most as it looks; None where a flight must
    tell."""
    if lanes * FEWEST_STEPS > STEPS_ALONE:
        return np.inf
    if not scenario.solver.fixed_step:
        return None
    end = expected_end(scenario)
    return np.inf if end is None else lanes * end / float(scenario.solver.step)


def _together(flights: list[Any]) -> tuple[Any, Any]:
    """The cursors of flights as lanes, and their rows; behind those of shorter ones, where they end."""
    cursors, rows = zip(*flights, strict=True)
    most = max(0 if own is None else len(own.t) for own in rows)
    filled = [_filled(cursor, own, most) for cursor, own in flights]

    def beside(*parts):
        return np.stack(parts, axis=-1)

    return jax.tree.map(beside, *cursors), jax.tree.map(beside, *filled)


def _filled(cursor: Any, rows: Any, count: int) -> Row:
    """Rows of a flight, and behind them its end as often as makes them `count`."""
    t, x = cursor.t, cursor.x
    hit: Any = np.zeros(np.shape(cursor.value), bool)
    none: Any = np.zeros(())
    last = Row(t, x, cursor.discrete, t, x, hit, none, none.astype(bool))
    if rows is None:
        return jax.tree.map(lambda a: np.repeat(np.asarray(a)[None], count, 0), last)
    rest = count - len(rows.t)
    return jax.tree.map(lambda a, b: np.concatenate([a, np.repeat(np.asarray(b)[None], rest, 0)]), rows, last)
