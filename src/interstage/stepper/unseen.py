"""Find points of tables and other laws that a step crosses without notice, so that the next step ends there.

The error estimate assumes that the flow is smooth in a step. If a motion has no error, as in free fall, one
step may be as long as the flight. A gust in a thin atmospheric layer can then be between two stages of such a
step. Even if stages are in the layer, the error estimate can be far too small.

A feature is the interval of a law between two points of its variable: a gust, or an interval of a table. A
step is accepted only if each variable stays within one interval. If not, the next step ends just before the
first such point. Two exceptions ensure progress: a point at the very beginning or end of a step, and a short
step across a near point.

Between two nodes, a variable can also leave its interval and return, as at the top of an arc. The lines
through the neighbouring nodes bound the excursion, see `detection`. The next step then ends at the turning
point.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..maths.arrays import jnp
from .control import shortest
from .detection import column, highest
from .kinks import LEAST, NOISE, SHORT
from .problem import Cursor, Settings, Trial

FINEST = 1e-9
"""Smallest step after a crossed point, as a fraction of the controller's step. A variable that jumps crosses
all points in its jump in zero time, for example an angle whose direction reverses.
"""
MIDDLE = 0.05
"""Largest distance of a point from the middle of a short step that may cross the point, as a fraction of the
step. The error estimate then has stages on both sides.
"""


EDGE = 0.1
"""Fraction of an interval. If a step begins closer than this to the first point of a thin interval, one step
would cover the whole interval.
"""
THIN = 2.0
"""Smallest ratio of the width of the next interval to the width of a thin interval."""
FIRST = 0.6
"""Fraction of a thin interval that the first of two steps covers.

If one step of `dop853` covers a whole symmetric gust, the effects of the gust can cancel in the error
estimate. In a test, 9e-4 of the impulse was lost.
"""


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
    """Return the fraction of a step at which the next step must end, because this step crosses a point of a
    law.

    Shape (*cases). The fraction is inf if the step crosses no point, or if error control rejects the step.
    """
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
