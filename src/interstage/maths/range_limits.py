"""Limit slopes and second derivatives of splines, so that quintics stay within the range of their data.

A quintic on an interval of width h has the value f, slope s and second derivative m at each end. The
Bernstein coefficients of this quintic are f, f + h s/5, f + 2 h s/5 + h^2 m/20 at the first end, and likewise
at the other end. The quintic is a convex combination of these ordinates (G. Farin, Curves and Surfaces for
CAGD, 5th ed. 2002, sections 5.1 and 5.2). If the ordinates are monotonic between the two values, the quintic
is also monotonic and stays within the range of the values. If the spline meets this condition, the spline is
not changed. The quintic then equals the cubic of the spline.

If the spline does not meet this condition, slope and second derivative at a point are moved towards values
that always meet the condition. The safe slope is the weighted harmonic mean of the chord slopes on both sides
(Fritsch and Butland, SIAM J. Sci. Stat. Comput. 5 (1984), 300). This slope is zero at a local extremum, and
equals the chord slope at an end. Slope and second derivative are the same on both sides of the point, so that
second derivatives are continuous.

docs/decisions/0025-tables-stay-in-range.md derives the steps.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .arrays import jnp

SAFE_PART = 0.5
"""Fraction of the difference of two values that limits the ordinates of the safe slope, at each end."""
FARTHEST = 10.0
"""Upper bound of the excursion of the ordinates at one end, in multiples of the difference of two values. The
bound applies before both ends are limited together. For a monotone spline the excursion is below 1.
"""


class Limits(NamedTuple):
    """Factors (n, ...) of limited slopes and second derivatives.

    - slope: factor of the spline's slope.
    - before, behind: factors of the chord slopes before and after a point.
    - bend: factor of the spline's second derivative.
    """

    slope: Any
    before: Any
    behind: Any
    bend: Any


def apply_limits(limits: Limits, h: Any, y: Any, slope: Any, bend: Any) -> tuple[Any, Any]:
    """Return limited slopes and second derivatives, shape of y.

    - h (n - 1, ...): widths of the intervals.
    - y (n, ...): values.
    - slope, bend: slopes and second derivatives of the spline, shape of y.
    """
    d = jnp.diff(y, axis=0) / h
    none = jnp.zeros_like(d[:1])
    before, behind = jnp.concatenate([none, d]), jnp.concatenate([d, none])
    found = limits.slope * slope + limits.before * before + limits.behind * behind
    return found, limits.bend * bend


def limits(h: Any, y: Any, slope: Any, bend: Any) -> Limits:
    """Return the common limits of all members of a group.

    - h (n - 1, 1, ...): widths of the intervals.
    - y, slope, bend (n, member, ...): values, slopes and second derivatives of the splines.

    The middle member determines the weights of the chords.
    """
    rise = jnp.diff(y, axis=0)
    size, sign = jnp.abs(rise), jnp.where(rise < 0, -1.0, 1.0)
    before, behind = _harmonic(h, rise / h)
    start, stop = _Side(h, sign, slice(None, -1), 1.0), _Side(h, sign, slice(1, None), -1.0)

    def each(share: Any) -> Any:
        """Return the smallest share at each point (n, 1, ...) that the intervals on both sides allow for any
        member.
        """
        first, second = (jnp.min(share(side), 1)[:, None] for side in (start, stop))
        whole = jnp.ones_like(first[:1])
        return jnp.minimum(jnp.concatenate([first, whole]), jnp.concatenate([whole, second]))

    safe, _ = apply_limits(Limits(0.0, before, behind, 0.0), h, y, slope, bend)
    part = each(lambda side: _share(0.0, 2 * side.near(safe), 0.0, SAFE_PART * size))
    safe, before, behind = part * safe, part * before, part * behind

    def bend_share(side: Any) -> Any:
        free = SAFE_PART * size - side.near(safe)
        return _share(side.next(safe, 0 * bend), side.next(safe, bend), 0.0, free)

    bow = each(bend_share)
    even = bow * bend

    def evenly(side: Any) -> Any:
        first = _share(side.near(safe), side.near(slope), 0.0, jnp.inf)
        return jnp.minimum(first, _share(side.next(safe, even), side.next(slope, bend), 0.0, jnp.inf))

    base = [side.far(safe, even) for side in (start, stop)]

    def far(side: Any, share: Any) -> Any:
        return side.far(safe + share * (slope - safe), even + share * (bend - even))

    own = each(evenly)
    # Nothing is left of it where two values are equal, so that the limits are continuous there.
    own = own * each(lambda side: _share(side.far(safe, even), far(side, own), -jnp.inf, FARTHEST * size))
    reached = [far(side, own) for side in (start, stop)]
    most = [jnp.maximum(one, other) for one, other in zip(reached, base, strict=True)]
    together = _share(base[0] + base[1], most[0] + most[1], -jnp.inf, size)
    own = own * each(lambda side: together)
    rest = 1 - own
    found = own, rest * before, rest * behind, own + rest * bow
    return Limits(*(part[:, 0] for part in jnp.broadcast_arrays(*found)))


class _Side(NamedTuple):
    """One end of every interval: widths, signs of the rises, which points, and which way leads inside."""

    h: Any
    sign: Any
    points: slice
    way: float

    def near(self, slope: Any) -> Any:
        """Fraction of the distance to the opposite value at which the first ordinate is."""
        return self.h * slope[self.points] / 5 * self.sign

    def next(self, slope: Any, bend: Any) -> Any:
        """How far the second one is from the first."""
        bow = self.way * self.h * self.h * bend[self.points] / 20
        return self.near(slope) + bow * self.sign

    def far(self, slope: Any, bend: Any) -> Any:
        """How far the second one is on the way."""
        return self.near(slope) + self.next(slope, bend)


def _share(base: Any, full: Any, least: Any, most: Any) -> Any:
    """The largest part of the way from `base`, which is within limits, to `full` that stays there."""
    over, under = (full > most) & (full > base), (full < least) & (full < base)
    out = over | under
    way = jnp.where(out, full - base, 1.0)
    room = jnp.where(over, most - base, jnp.where(under, least - base, 0.0))
    return jnp.where(out, jnp.maximum(room / way, 0.0), 1.0)


def _harmonic(h: Any, d: Any) -> tuple[Any, Any]:
    """Weights (n, 1, ...) of the chords before and behind each point in their weighted harmonic mean. They
    equal the weights of the middle member of chords d (n - 1, member, ...), and are zero if the chords differ
    in sign."""
    middle = d.shape[1] // 2
    d = d[:, middle : middle + 1]
    none, whole = jnp.zeros_like(d[:1]), jnp.ones_like(d[:1])
    if d.shape[0] == 1:
        return jnp.concatenate([none, whole]), jnp.concatenate([whole, none])
    d0, d1, h0, h1 = d[:-1], d[1:], h[:-1], h[1:]
    of_first, of_second = (2 * h0 + h1) * d0, (h0 + 2 * h1) * d1
    same = d0 * d1 > 0
    below = jnp.where(same, of_first + of_second, 1.0)
    before, behind = (jnp.where(same, part / below, 0.0) for part in (of_second, of_first))
    return jnp.concatenate([none, before, whole]), jnp.concatenate([whole, behind, none])
