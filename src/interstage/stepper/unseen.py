"""Which features of a flow a step passed over unseen, so that its error estimate knows nothing of them.

A feature is the interval of a law between two points of its variable: a gust in a layer of air, an interval
of a table. Steps of motions without error, as in free fall, are as long as the flight, and a layer between
two stages has no effect on them. A step passes through an interval if it crosses more than `EDGE` of the
width from either end. It is accepted only if each such interval has a stage in its middle, because near its
points a feature may have no effect. Between two nodes a variable may also leave its interval and come back,
as at the top of an arc. The lines through its neighbours bound the distance, see `detection`. Only stages
count that the error estimate weighs. If a step passed over a feature unseen, the next one ends at the point
before it."""

from __future__ import annotations

import numpy as np

from ..maths.arrays import jnp, lax
from .control import shortest
from .detection import column, highest
from .kinks import LEAST, NOISE, SHORT
from .problem import Cursor, Settings, Trial
from .tableau import METHODS

EDGE = 0.1
"""Part of the width of an interval next to its points in which a stage shows little of its effect."""
FURTHER = 4.0
"""By which factor a variable may get further into the edge of an interval than a stage sees it."""
FINEST = 1e-9
"""Part of the controller's step below which none is cut: a variable that jumps, as an angle does where its
direction turns over, passes all points between in no time."""


def passed_over(settings: Settings, cursor: Cursor, tried: Trial):
    """Part of a step at which the next step must end, because this one may have passed over a feature.

    (*cases); inf if it passed over none, or if the step is rejected anyway."""
    nothing = jnp.full_like(tried.ratio, jnp.inf)
    if settings.fixed_step is not None or not tried.sight.features.shape[2]:
        return nothing
    judged = np.array([0, *_judging(settings), len(tried.sight.nodes) - 1])
    features = tried.sight.features[judged]
    nodes = column(np.array(tried.sight.nodes)[judged], features[:, 0])
    at, low, high, width = _unwrap(*(features[:, k] for k in range(5)))
    slopes = _slopes(cursor, tried, nodes, at)
    through = _find_unsampled(at, low, high, width)
    peaks = _peaks(nodes, at, slopes, low, high, width)

    def first():
        edges = _edges(nodes, at, low, high, through)
        part = jnp.minimum(jnp.min(edges, (0, 1)), jnp.min(peaks, (0, 1)))
        return jnp.where(part < LEAST, 2 * part, (1 - SHORT) * part)

    some = jnp.any(through[0]) | jnp.any(through[1]) | jnp.any(jnp.isfinite(peaks))
    part = lax.cond(some, first, lambda: nothing)
    least = jnp.maximum(2 * shortest(cursor.t), FINEST * cursor.step)
    return jnp.where(~tried.idle & ~tried.refused & (part * tried.h > least), part, jnp.inf)


def _judging(settings: Settings) -> list[int]:
    """The nodes inside a step that its error estimate uses."""
    if settings.method not in METHODS:
        return []
    tableau = METHODS[settings.method]
    weights = np.abs(np.array([row[: tableau.stages] for row in tableau.errors])).max(0)
    return [k for k, stage in enumerate(tableau.telling, 1) if weights[stage] > 0]


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


def _find_unsampled(at, low, high, width):
    """Between which neighbouring nodes an interval is passed through, upwards and downwards, without a node
    in its middle."""
    above = jnp.where(at - low > EDGE * width, high, low)
    below = jnp.where(high - at > EDGE * width, low, high)
    return above[:-1] < below[1:], below[:-1] > above[1:]


def _edges(nodes, at, low, high, through):
    """Parts of the step at which the intervals in which nodes stand end, by straight lines between these,
    where one is passed over after them, (node but the last, axis, *cases); inf elsewhere."""
    up, down = through
    edge = jnp.where(up, high[:-1], low[:-1])
    moves = (up | down) & jnp.isfinite(edge)
    gap = jnp.where(moves, jnp.diff(at, axis=0), 1.0)
    return jnp.where(moves, nodes[:-1] + np.diff(nodes, axis=0) * (edge - at[:-1]) / gap, jnp.inf)


def _peaks(nodes, at, slopes, low, high, width):
    """Parts of the step at which a variable may reverse outside of the intervals of the two nodes around.

    It may also reverse `FURTHER` inside an interval of which a node has only the edge. (node but the last,
    axis, *cases); inf elsewhere."""
    side = jnp.where(slopes[:-2] > 0, 1.0, -1.0)
    part, peak = highest(nodes, at, slopes, side)
    margin, noise = EDGE * width, NOISE * width
    up, down = at - low, high - at
    above = noise + jnp.where(up > margin, high, low + jnp.minimum(margin, FURTHER * up))
    below = noise + jnp.where(down > margin, -low, jnp.minimum(margin, FURTHER * down) - high)
    edge = jnp.where(side > 0, jnp.maximum(above[:-1], above[1:]), jnp.maximum(below[:-1], below[1:]))
    seen = jnp.maximum(side * at[:-1], side * at[1:]) + noise[:-1]
    return jnp.where((peak > edge) & (peak > seen), nodes[:-1] + part, jnp.inf)
