"""Which steps and firings a replay takes: those of the flight, with what was met at one instant one by one.

Where several conditions were met together, each moves by itself with the numbers of the scenario: of two
springs with the same delay one may be late. Fired in rows of their own, the later ones without a step, each
is moved along the slope that it finds. Only where that comes to the same as all at once; captures share
their impulse, which is then the sum of those of their rows."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from ..engine.flow import Flow
from ..engine.mechanism import Discrete
from ..maths.arrays import jax, jnp
from ..stepper.detection import stopped
from ..stepper.replay import Plan
from ..stepper.step import rates

SAME = 2.0**-40
"""Part, 1e-12, of the largest number by which states may differ that are the same, but for rounding."""


def plan_of(flow: Flow, track: Any, row: int, asked: Collection[int], side: str) -> tuple[Plan, slice]:
    """(the plan of a flight up to a row at whose end the conditions `asked` were met, which of its rows are
    the last instant before the side that is asked for at which something fired).

    The conditions are the last of their instant, or for the side before it the first."""
    single, steps, hits, timed, last = np.eye(track.hit.shape[1], dtype=bool), [], [], [], slice(0)
    for k in range(row + 1):
        first = k == row and side == "before"
        met = sorted(np.flatnonzero(track.hit[k]), key=lambda i: i in asked, reverse=first)
        one_by_one = len(met) > 1 and _same_one_by_one(flow, track, k, single[met])
        rows = single[met] if one_by_one else track.hit[k][None]
        rows = rows[:1] if first else rows
        h = track.t_end[k] - track.shift[k] - track.t[k]
        steps += [h, *[0.0] * (len(rows) - 1)]
        hits += [*rows]
        timed += [*(rows & ~_faded(flow, track, k, h) if met else rows)]
        last = slice(len(hits) - len(rows), len(hits)) if met and not first else last
    return Plan(*(jnp.asarray(np.array(part)) for part in (steps, hits, timed))), last


def with_impulses(discrete: Discrete, rows: Discrete) -> Discrete:
    """Switches (...) with the impulses of an instant that was fired in several rows (row, ...)."""
    return discrete if rows.impulse is None else discrete._replace(impulse=jnp.sum(rows.impulse, 0))


def _end(flow: Flow, track: Any, k: int) -> tuple[Any, Any, Discrete]:
    """(t, the flow's own state, switches) at the end of a row."""
    t, discrete = track.t_end[k], jax.tree.map(lambda leaf: leaf[k], track.discrete)
    return t, flow.own(t, track.x_end[k], discrete), discrete


def _faded(flow: Flow, track: Any, k: int, h: float) -> Any:
    """Conditions (condition,) whose values had stopped at the end of a row, h [s] after its start."""
    t, x, discrete = _end(flow, track, k)
    before = flow.watch(track.t[k], flow.own(track.t[k], track.x[k], discrete), discrete)
    value, rate = rates(flow, t, x, flow.derivative(t, x, discrete), discrete)
    with np.errstate(invalid="ignore"):
        return stopped(before, value, rate * h)


def _same_one_by_one(flow: Flow, track: Any, k: int, rows: np.ndarray) -> bool:
    """Whether what was met at the end of a row leads to the same when it is fired in rows (row, condition),
    one by one."""
    t, x, discrete = _end(flow, track, k)

    def fired(x, discrete, hit):
        return flow.fire(t, x, discrete, hit, flow.measure(t, x, discrete))

    together, alone, impulses = fired(x, discrete, track.hit[k]), (x, discrete), []
    for hit in rows:
        alone = fired(*alone, hit)
        impulses.append(alone[1])
    whole = jax.tree.map(lambda *leaves: jnp.stack(leaves), *impulses)
    alone = alone[0], with_impulses(alone[1], whole)
    return all(map(_same, *map(jax.tree.leaves, (together, alone))))


def _same(one: Any, other: Any) -> bool:
    one, other = np.asarray(one), np.asarray(other)
    size = np.max(np.abs(one[np.isfinite(one)]), initial=0.0) if one.dtype.kind == "f" else 0.0
    return bool(np.allclose(one, other, rtol=0.0, atol=SAME * size, equal_nan=True))
