"""Points of laws that a step crosses, at which the next step must end.

The error estimate assumes that a flow is smooth in a step. Steps of motions without error, as in free fall,
are as long as the flight, so a gust in a thin layer of air may lie between two stages. Even if stages are
in the layer, the estimate may be far too small. A feature is the interval of a law between two points of
its variable: a gust, an interval of a table. A step is therefore accepted only if each variable stays
within one interval. Otherwise the next step ends just before the first point. Two exceptions make progress:
a point at the very beginning or end of a step, and a short step over a point that is close.

Between two nodes a variable may also leave its interval and come back, as at the top of an arc. The lines
through its neighbours bound the distance, see `detection`. The next step then ends at the turn."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..maths.arrays import jnp
from .control import shortest
from .detection import column, highest
from .kinks import LEAST, NOISE, SHORT
from .problem import Cursor, Settings, Trial

FINEST = 1e-9
"""Part of the controller's step below which none is cut: a variable that jumps, as an angle does where its
direction turns over, passes all points between in no time."""
MIDDLE = 0.05
"""Largest distance from the middle of a short step at which the step may cross a point. There are then stages
of the estimate on both sides."""


EDGE = 0.1
"""Part of an interval from its point in which a step begins that takes it whole."""
THIN = 2.0
"""By which factor the next interval is wider than a thin one."""
FIRST = 0.6
"""Part of a thin interval in the first of two steps. A symmetric gust over the whole of one step of `dop853`
may cancel in its error estimate, by which it lost 9e-4 of the impulse."""


class _Crossed(NamedTuple):
    """Points that variables cross between neighbouring nodes, each (node but the last, axis, *cases).

    - up, down: whether one is crossed upwards or downwards.
    - several: whether others are crossed, too.
    - whole: whether it ends a thin interval that the step would take whole.
    - part: part of the step until the first of them, by a straight line; inf if none is crossed."""

    up: Any
    down: Any
    several: Any
    whole: Any
    part: Any


def passed_over(settings: Settings, cursor: Cursor, tried: Trial):
    """Part of a step at which the next step must end, because this one crosses a point of a law.

    (*cases); inf if it crosses none, or if the step is rejected anyway."""
    nothing = jnp.full_like(tried.ratio, jnp.inf)
    if settings.fixed_step is not None or not tried.sight.features.shape[2]:
        return nothing
    features = tried.sight.features
    nodes = column(np.array(tried.sight.nodes), features[:, 0])
    at, low, high, width = _unwrap(*(features[:, k] for k in range(5)))
    crossed = _crossings(nodes, at, low, high, width)
    peaks = _peaks(nodes, at, _slopes(cursor, tried, nodes, at), low, high, width, crossed)
    # A straight line knows nothing of the way to a turn.
    crossed = crossed._replace(part=jnp.where(jnp.isfinite(peaks), jnp.inf, crossed.part))
    part = jnp.min(jnp.minimum(_ends(cursor, tried, crossed), (1 - SHORT) * peaks), (0, 1))
    least = jnp.maximum(2 * shortest(cursor.t), FINEST * cursor.step)
    return jnp.where(~tried.idle & ~tried.is_refused & (part * tried.h > least), part, jnp.inf)


def _crossings(nodes, at, low, high, width) -> _Crossed:
    """The points that are crossed by more than rounding."""
    noise = NOISE * width[:-1]
    up, down = at[1:] > high[:-1] + noise, at[1:] < low[:-1] - noise
    several = (up & (high[:-1] < low[1:])) | (down & (low[:-1] > high[1:]))
    edge = jnp.where(up, high[:-1], low[:-1])
    begun = jnp.where(up, at[0] - low[0], high[0] - at[0]) < EDGE * width[0]
    wide = (jnp.where(up, high[1:], -low[1:]) == jnp.inf) | (width[1:] > THIN * width[:-1])
    whole = begun & wide & (low[:-1] == low[0]) & (high[:-1] == high[0])
    gap = jnp.where(up | down, jnp.diff(at, axis=0), 1.0)
    part = nodes[:-1] + np.diff(nodes, axis=0) * (edge - at[:-1]) / gap
    return _Crossed(up, down, several, whole, jnp.where(up | down, part, jnp.inf))


def _ends(cursor: Cursor, tried: Trial, crossed: _Crossed):
    """Parts of the step at which the next one must end because of each point that is crossed.

    A point at the very beginning, where the step before ended, does no harm, but others may follow it before
    the first node: then a short step crosses it."""
    part = crossed.part
    begins, ends = part < LEAST, part > 1 - LEAST
    short = (tried.h <= 2 * LEAST * cursor.step) & (jnp.abs(part - 0.5) < MIDDLE)
    end = jnp.where(begins, 2 * part, jnp.where(crossed.whole, FIRST, 1 - SHORT) * part)
    return jnp.where(~crossed.several & (begins | ends | short), jnp.inf, end)


def _unwrap(at, low, high, width, period):
    """Variables (node, axis, *cases) that go on where they wrap around, and their points with them."""
    wraps = jnp.isfinite(period[1:])
    turn = jnp.where(wraps, period[1:], 1.0)
    back = jnp.where(wraps, -turn * jnp.round(jnp.diff(at, axis=0) / turn), 0.0)
    more = jnp.concatenate([jnp.zeros_like(at[:1]), jnp.cumsum(back, 0)])
    return at + more, low + more, high + more, width


def _slopes(cursor: Cursor, tried: Trial, nodes, at):
    """Slopes of variables by the step at its start, between its nodes, and at its end."""
    inside = jnp.diff(at, axis=0) / np.diff(nodes, axis=0)
    return jnp.concatenate([cursor.features[1][None] * tried.h, inside, tried.sight.moving[None] * tried.h])


def _peaks(nodes, at, slopes, low, high, width, crossed: _Crossed):
    """Parts of the step at which a variable may reverse outside of the intervals of the two nodes around, or
    before it crosses a point between them, (node but the last, axis, *cases); inf elsewhere."""
    side = jnp.where(slopes[:-2] > 0, 1.0, -1.0)
    part, peak = highest(nodes, at, slopes, side)
    noise = NOISE * width
    above, below = noise + high, noise - low
    edge = jnp.where(side > 0, jnp.maximum(above[:-1], above[1:]), jnp.maximum(below[:-1], below[1:]))
    seen = jnp.maximum(side * at[:-1], side * at[1:]) + noise[:-1]
    back = jnp.where(side > 0, crossed.down, crossed.up)
    return jnp.where(((peak > edge) | back) & (peak > seen), nodes[:-1] + part, jnp.inf)
