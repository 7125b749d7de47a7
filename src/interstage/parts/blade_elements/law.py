"""Equations of blade elements, as pure functions of arrays (component, station, *cases).

A blade section moves through the atmosphere with the velocity U_c towards its leading edge. The flow from
below the blade has the velocity U_n. With U^2 = U_c^2 + U_n^2, the angle of attack alpha has sin alpha =
U_n/U and cos alpha = U_c/U. The force per unit length is

    rho U^2 c/2 (c_l (U_c, U_n)/U + c_d (U_n, -U_c)/U)    along (up, leading),
    c_l = a sin alpha cos alpha (1 + 2/3 sin^2 alpha) = a alpha (1 - 8/15 alpha^4 + ...).

The function c_l contains the first two terms of the series of alpha in sin alpha. The lift coefficient is
smooth for all directions of the flow. In reverse flow, c_l changes its sign. If the flow is perpendicular to
the chord, c_l is zero.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...maths.arrays import jnp
from ...maths.vectors import cross, dot, norm


class Blade(NamedTuple):
    """Prepared geometry of one blade, in the structural coordinates and axes of its body.

    - `places`: positions of the stations [m] (3, station, *cases).
    - area: chord multiplied by length, for each station [m^2] (station, *cases).
    - twist: twist angle of each station [rad] (station, *cases).
    - span, leading, up: unit vectors (3, *cases) along the span, to the leading edge at zero pitch, and in
      the direction of the lift.
    """

    places: Any
    area: Any
    twist: Any
    span: Any
    leading: Any
    up: Any


def gauss(stations: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the points and weights (station,) of Gauss-Legendre integration over the interval from 0 to
    1.
    """
    points, weights = np.polynomial.legendre.leggauss(stations)
    return (points + 1) / 2, weights / 2


def ready(declared: Any) -> Blade:
    """Return the prepared geometry of a blade. declared: a `BladeElement`, whose numbers can have case
    axes.
    """
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
    """Return the forces per length of a section along `up` and along `leading`, divided by rho c/2 [m^2/s^2].

    - forward: velocity of the section towards its leading edge [m/s].
    - below: velocity of the flow from below [m/s].
    - slope: slope of the lift coefficient over the angle of attack [1/rad].
    - drag: profile drag coefficient.

    All arrays have the shape (station, *cases).
    """
    square = forward**2 + below**2
    moving = square > 0
    speed = jnp.where(moving, jnp.sqrt(jnp.where(moving, square, 1.0)), 0.0)
    inverse = jnp.where(moving, 1 / jnp.where(moving, speed, 1.0), 0.0)
    sine = below * inverse
    lift = slope * sine * forward * (1 + 2 / 3 * sine**2)
    return lift * forward + drag * speed * below, lift * below - drag * speed * forward


def angle(forward: Any, below: Any) -> Any:
    """Return the angle of attack [rad], from -pi to pi. Without flow, the angle is zero.

    - forward: velocity of the section towards its leading edge [m/s].
    - below: velocity of the flow from below [m/s].
    """
    still = (forward == 0) & (below == 0)
    return jnp.arctan2(below, jnp.where(still, 1.0, forward))
