"""Simulate cases with few integration steps one after another, with the program of a single flight.

This program compiles faster than a program for many cases, and it may already be compiled.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from ..diagnosis.pace import Pace, full
from ..maths.arrays import jax
from ..programs.program import program_for
from ..stepper.problem import RUNNING, Row
from .run import ROWS_AT_ONCE, expected_end, recorded_steps, rows_at_once

STEPS_ALONE = 200_000
"""Maximum total number of integration steps for which the cases are simulated one after another."""
FEWEST_STEPS = 10
"""Approximate minimum number of integration steps of a flight."""


class OneByOne:
    """Simulation of the cases of a group one after another."""

    def __init__(self, scenario: Any):
        self.steps = 0.0
        """Steps of all cases together, as far as is known."""
        self.program = program_for(
            scenario, (), recorded_steps(scenario), rows_at_once(scenario, ROWS_AT_ONCE)
        )

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
        """Simulate some cases of a group, and return (cursor, rows) of all its cases; None if the run was
        stopped.

        - scenario, start: scenario and start of all cases.
        - time: start time [s], one for all cases or (case,).
        - cursor: initial states of the integration.
        - `lanes`: indices of the cases to simulate. In the result, other cases are copies of the last of
          these cases.
        - stop: event that interrupts the run when it is set.
        - advanced: function that is called with the number of finished cases.

        The result has the final states of the integration (cursor) and the integration steps (rows).
        """
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
        """(cursor, its rows that moved, the same cursor with the ordinary state) of one flight that begins at
        t0 [s]. The states of the rows are ordinary, that of the cursor is made so with those of others."""
        parts: list[Any] = [jax.tree.map(lambda a: a[:0], _as_row(cursor))]
        while int(cursor.status) == RUNNING:
            if stop.is_set():
                return None
            after = self.program.advance_for(self.steps).of(given, reference, t0, cursor)
            cursor, rows, count = jax.device_get(after)
            moved = np.flatnonzero(rows.moved[: int(count)])
            parts.append(jax.tree.map(lambda a, moved=moved: a[moved], rows))
            cursor = full(pace.judge(cursor), parts)
        rows = jax.tree.map(lambda *some: np.concatenate(some), *parts)
        here = jax.tree.unflatten(given.tree, given.leaves)
        return cursor, *self.program.flying.ordinary_of(here, reference, rows, cursor)


def steps_of(scenario: Any, lanes: int) -> float | None:
    """Return an upper estimate of the total number of integration steps of some cases.

    `lanes`: number of cases. The result is None if the number of steps is unknown before the flights.
    """
    if lanes * FEWEST_STEPS > STEPS_ALONE:
        return np.inf
    if not scenario.solver.fixed_step:
        return None
    end = expected_end(scenario)
    return np.inf if end is None else lanes * end / float(scenario.solver.step)


def _together(flights: list[Any]) -> tuple[Any, Any]:
    """The cursors of flights as cases, and their rows; behind those of shorter ones, where they end."""
    cursors, rows, _ = zip(*flights, strict=True)
    most = max(len(own.t) for own in rows)
    filled = [_fill(end, own, most) for _, own, end in flights]

    def stack_cases(*parts):
        return np.stack(parts, axis=-1)

    return jax.tree.map(stack_cases, *cursors), jax.tree.map(stack_cases, *filled)


def _fill(end: Any, rows: Any, count: int) -> Row:
    """Rows of a flight, and behind them its end as often as makes them `count`."""
    rest = count - len(rows.t)
    return jax.tree.map(lambda a, b: np.concatenate([a, np.repeat(b, rest, 0)]), rows, _as_row(end))


def _as_row(cursor: Any) -> Row:
    """Where a cursor is, as one row in which nothing moves."""
    t, x = cursor.t, cursor.x
    hit: Any = np.zeros(np.shape(cursor.value), bool)
    none: Any = np.zeros(())
    row = Row(t, x, cursor.discrete, t, x, hit, none, none.astype(bool))
    return jax.tree.map(lambda a: np.asarray(a)[None], row)
