"""The law of blade elements: pure functions of arrays, component first, stations, cases last.

A section moves through the atmosphere with the velocity U_c towards its leading edge. The flow from below has
the velocity U_n. With U^2 = U_c^2 + U_n^2 and the angle of attack alpha, sin alpha = U_n/U and cos alpha =
U_c/U. The force per unit length is

    rho U^2 c/2 (c_l (U_c, U_n)/U + c_d (U_n, -U_c)/U)    along (up, leading),
    c_l = a sin alpha cos alpha (1 + 2/3 sin^2 alpha) = a alpha (1 - 8/15 alpha^4 + ...).

The function c_l is a truncated series of alpha in its sine, which is smooth for all directions of the flow.
It changes its sign in reverse flow, and is zero for flow perpendicular to the chord."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...maths.arrays import jnp
from ...maths.vectors import cross, dot, norm


class Blade(NamedTuple):
    """A prepared blade, structural axes.

    - places (3, station, *cases) [m]: stations, structural coordinates
    - area (station, *cases) [m^2]: chord times length of each station
    - twist (station, *cases) [rad]
    - span, leading, up (3, *cases): directions"""

    places: Any
    area: Any
    twist: Any
    span: Any
    leading: Any
    up: Any


def gauss(stations: int) -> tuple[np.ndarray, np.ndarray]:
    """Return points and weights of Gauss-Legendre integration from 0 to 1."""
    points, weights = np.polynomial.legendre.leggauss(stations)
    return (points + 1) / 2, weights / 2


def ready(declared: Any) -> Blade:
    """Return the stations of a declared blade, whose values can have cases."""
    root, tip = jnp.asarray(declared.root), jnp.asarray(declared.tip)
    along, side = tip - root, None if declared.up is None else jnp.asarray(declared.up)
    length = norm(along)
    span = along / length
    leading = jnp.asarray(declared.leading)
    leading = leading - dot(leading, span) * span
    leading = leading / norm(leading)
    up = cross(span, leading)
    if side is not None:
        up = jnp.where(dot(side, up) < 0, -1.0, 1.0) * up
    points, weights = gauss(declared.stations)
    x, w = (one.reshape(-1, *(1,) * (along.ndim - 1)) for one in (points, weights))
    chord, twist = (_linear(getattr(declared, name), x) for name in ("chord", "twist"))
    places = root[:, None] + x[None] * along[:, None]
    return Blade(places, chord * w * length, twist, span, leading, up)


def _linear(ends: Any, x: Any) -> Any:
    """Return the linear interpolation between root and tip."""
    ends = jnp.asarray(ends)
    return ends[0] + x * (ends[-1] - ends[0])


def section(forward: Any, below: Any, slope: Any, drag: Any) -> tuple[Any, Any]:
    """Return the force along `up` and along `leading`, relative to rho c/2. Arguments: the velocity of the
    section towards its leading edge, and the velocity of the flow from below [m/s]."""
    square = forward**2 + below**2
    moving = square > 0
    speed = jnp.where(moving, jnp.sqrt(jnp.where(moving, square, 1.0)), 0.0)
    inverse = jnp.where(moving, 1 / jnp.where(moving, speed, 1.0), 0.0)
    sine = below * inverse
    lift = slope * sine * forward * (1 + 2 / 3 * sine**2)
    return lift * forward + drag * speed * below, lift * below - drag * speed * forward


def angle(forward: Any, below: Any) -> Any:
    """Return the angle of attack [rad], from -pi to pi; zero without motion."""
    still = (forward == 0) & (below == 0)
    return jnp.arctan2(below, jnp.where(still, 1.0, forward))
