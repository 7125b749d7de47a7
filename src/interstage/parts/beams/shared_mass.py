"""Accelerations of beam segments with consistent mass matrices, in which neighbours share mass.

Two neighbours share the mass 4 s, which is half way between their centres of mass. Each neighbour contributes
2 s. For each component, the mass matrix is tridiagonal and constant:

    M = diag(m) - sum over neighbours of s (e_i - e_j)(e_i - e_j)^T.

The matrix M is factored as L D L^T. The matrix N = 1 - L has one nonzero diagonal. Therefore L^-1 = (1 + N)(1
+ N^2)(1 + N^4)... Multiplication by each factor is one array operation over all segments, so a solution needs
ten operations. For neighbours of equal mass, the entries of N are 0.1, so that N^32 is smaller than rounding
errors.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...maths.arrays import jnp
from .law import Frames

DOUBLINGS = 5
"""Number of factors of L^-1. The effect of further factors is smaller than rounding errors."""


class Factors(NamedTuple):
    """Factors of the mass matrix M = L D L^T; see the module.

    - inverse: inverse diagonal of D [1/kg] (segment, *cases).
    - powers: N, N^2, N^4 and so on (power, segment, *cases). An entry of N^k couples a segment to the segment
      k before it.
    """

    inverse: Any
    powers: Any


def factors(mass: Any, shared: Any, lanes: tuple[int, ...]) -> Factors:
    """Return the factors of the mass matrix of all segments. The factors are computed segment by segment at
    the start of a flight.

    - mass: masses of the segments [kg] (segment, *cases).
    - shared: mass s that a segment shares with the preceding segment [kg] (segment, *cases); zero for the
      first segment of a beam.
    - `lanes`: shape of the case axes.
    """
    mass, shared = (jnp.broadcast_to(one, (one.shape[0], *lanes)) for one in (mass, shared))
    diagonal = mass - shared - _sooner(shared, 1, 0)
    pivots, ratios = [diagonal[0]], [0 * shared[0]]
    for k in range(1, mass.shape[0]):
        ratios.append(-shared[k] / pivots[-1])
        pivots.append(diagonal[k] + ratios[-1] * shared[k])
    powers, now = [], jnp.stack(ratios)
    for n in range(min(DOUBLINGS, max(int(np.ceil(np.log2(mass.shape[0]))), 1))):
        powers.append(now)
        now = now * _later(now, 2**n, 0)
    return Factors(1 / jnp.stack(pivots), jnp.stack(powers))


def accelerations(found: Factors, force: Any) -> Any:
    """Return the accelerations M^-1 F [m/s^2] (3, segment, *cases) for forces F [N] of the same shape."""
    for n in range(found.powers.shape[0]):
        force = force + found.powers[n] * _later(force, 2**n, 1)
    force = force * found.inverse
    for n in reversed(range(found.powers.shape[0])):
        force = force + _sooner(found.powers[n] * force, 2**n, 1)
    return force


def without(mass: Any, shared: Any) -> Any:
    """Return the masses of the segments without the masses that they share [kg] (segment, *cases)."""
    return mass - 2 * (shared + _sooner(shared, 1, 0))


def between(shared: Any, centres: Frames) -> tuple[Any, Any, Any]:
    """Return the shared masses [kg] (item, *cases), their positions [m] and their velocities [m/s] (3, item,
    *cases).

    A shared mass is half way between the centres of mass of two neighbouring segments.

    - shared: mass s of each segment; see `factors`.
    - centres: frames of the segments at their centres of mass.
    """
    place, speed = (0.5 * (one[:, 1:] + one[:, :-1]) for one in (centres.position, centres.velocity))
    return jnp.broadcast_to(4 * shared[1:], place.shape[1:]), place, speed


def _later(values: Any, by: int, axis: int) -> Any:
    """Shift values to later segments by a number of places; zero at the start."""
    whole = values.shape[axis]
    return jnp.concatenate([0 * values[_slices(0, by, axis)], values[_slices(0, whole - by, axis)]], axis)


def _sooner(values: Any, by: int, axis: int) -> Any:
    """Shift values to earlier segments by a number of places; zero at the end."""
    whole = values.shape[axis]
    return jnp.concatenate([values[_slices(by, whole, axis)], 0 * values[_slices(0, by, axis)]], axis)


def _slices(first: int, behind: int, axis: int) -> tuple[slice, ...]:
    return (*(slice(None),) * axis, slice(first, behind))
