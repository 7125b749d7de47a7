"""Find the first rise of a watched value through zero within a step.

The stepper shortens a step until the step ends at the event. The cubic in this module only estimates the time
of the event. If the watched value is a cubic, the estimate is exact. Therefore each remaining error is
proportional to the square of the preceding error.
"""

from __future__ import annotations

from itertools import pairwise

from ..maths.arrays import jnp
from ..maths.roots import narrow_bracket

BISECTIONS = 53
"""Number of bisections that reduce a bracket of length one to rounding."""
SWING = 4 / 27
"""Largest change of a Hermite cubic on [0, 1] outside of its end values, for an end slope of one."""


def may_rise(c0, s0, c1, s1):
    """Return false if a Hermite cubic cannot rise through zero inside the step.

    c0, c1: values at the start and end. s0, s1: slopes at the start and end, per step.
    """
    swing = SWING * (jnp.abs(s0) + jnp.abs(s1))
    return (jnp.minimum(c0, c1) - swing < 0) & (jnp.maximum(c0, c1) + swing >= 0)


def soonest_rise(which, value, rate):
    """Return the shortest time [s] in which one of the values rises through zero at constant rates; inf if
    none does.

    which (condition, *cases): true for the values to consider.
    """
    return jnp.min(jnp.where(which, -value / jnp.where(which, rate, 1.0), jnp.inf), 0, initial=jnp.inf)


def lowest(c0, s0, c1, s1):
    """Return the minimum on the step of the Hermite cubic of `first_rise`; NaN if an end value is NaN."""
    a3 = 2 * (c0 - c1) + s0 + s1
    a2 = 3 * (c1 - c0) - 2 * s0 - s1
    turns = [c0 + u * (s0 + u * (a2 + u * a3)) for u in _turning_points(s0, a2, a3)]
    return jnp.minimum(jnp.minimum(c0, c1), jnp.minimum(*turns))


def first_rise(c0, s0, c1, s1, halvings: int = BISECTIONS):
    """Return the fraction of the step at which the cubic first rises through zero; inf if it does not.

    The Hermite cubic on [0, 1] has the end values c0 and c1 and the end slopes s0 and s1, per step. The
    turning points of the cubic divide the step into intervals on which the cubic is monotonic. halvings:
    number of bisections.
    """
    a3 = 2 * (c0 - c1) + s0 + s1
    a2 = 3 * (c1 - c0) - 2 * s0 - s1

    def cubic(u):
        # The end value itself at the end, whatever the rounding of the coefficients.
        return jnp.where(u >= 1, c1, c0 + u * (s0 + u * (a2 + u * a3)))

    one, other = _turning_points(s0, a2, a3)
    nodes = [jnp.zeros_like(c0), jnp.minimum(one, other), jnp.maximum(one, other), jnp.ones_like(c0)]
    low, high, found = nodes[0], nodes[1], jnp.zeros(c0.shape, bool)
    for begin, end in pairwise(nodes):
        rises = ~found & (cubic(begin) < 0) & (cubic(end) >= 0)
        low, high = jnp.where(rises, begin, low), jnp.where(rises, end, high)
        found = found | rises
    return jnp.where(found, narrow_bracket(lambda u: cubic(u) < 0, low, high, halvings)[1], jnp.inf)


def _turning_points(s0, a2, a3):
    """Points at which the slope s0 + 2 a2 u + 3 a3 u^2 vanishes, limited to [0, 1]. If it does not vanish,
    the ends are returned."""
    root = jnp.sqrt(jnp.maximum(a2 * a2 - 3 * a3 * s0, 0.0))
    # The sum that does not cancel; the other root from the product of the two.
    q = -(a2 + jnp.where(a2 < 0, -root, root))
    return _fraction(q, 3 * a3), _fraction(s0, q)


def _fraction(a, b):
    """a / b held to [0, 1]; 1 where b is zero."""
    return jnp.clip(jnp.where(b == 0, 1.0, a / jnp.where(b == 0, 1.0, b)), 0.0, 1.0)
