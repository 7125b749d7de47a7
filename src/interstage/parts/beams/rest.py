"""Find the static equilibrium of beam segments between their clamps, under their weight.

Newton's method solves for zero loads. If Newton's method does not reach an energy minimum in a few steps,
Levenberg-Marquardt damping is used. Each step then decreases the energy. The steps of this method are small,
because beams bend easily and hardly stretch.

Central differences compute the banded matrix, with every third segment displaced at once. One additional
Newton step with loads that carry derivatives gives the derivatives of the result.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...maths.arrays import jnp
from ...maths.dual import linear
from ...maths.rotations import multiply, unit_quaternion

MOST, SOON = 500, 12
"""The maximum number of steps in total, and of Newton's method without damping. Newton's method needs six to
eight steps if neighbouring segments are rotated by 0.1 rad.
"""
BAND = 11
"""The half width of the banded matrix. A segment has six components and is coupled to its two neighbours."""
NUDGE = 1e-6
"""The perturbation for central differences: a rotation [rad], or a displacement divided by the segment
length.
"""
SMALL = 1e-6
"""The step size below which damping is unnecessary: a rotation [rad], or a displacement divided by the
segment length.
"""
STILL = 1e-11
"""Newton's method ends at a step below this size, because only rounding errors remain. The size is a
rotation [rad], or a displacement divided by the segment length.
"""
NEARLY = 1e-8
"""Newton's method also ends at a step below this size that is at least half of the preceding step. Such steps
are rounding errors of stiff beams. For the unit, see `STILL`.
"""
ROUNDING = 1e-13
"""The relative increase of the energy that can be a rounding error."""
AWAY = 1e-2
"""The largest displacement by which segments leave an unstable equilibrium: a rotation [rad], or a
displacement divided by the segment length.
"""
LIGHTEST, HEAVIEST = 1e-9, 1e6
"""The limits of the damping, relative to the diagonal of the matrix. Below the first limit, no damping is
used. Above the second limit, the search ends without result.
"""

Loads = Callable[[Any, Any], tuple[Any, Any]]
"""Type of a function of the positions and quaternions of segments (component, segment, *cases). The function
returns the loads on the segments (6, segment, *cases) [N, N m], inertial axes, and the energy (*cases) [J].
"""


class Restless(Exception):
    """Raised if no static equilibrium was found."""


class Rest(NamedTuple):
    """A static equilibrium of segments.

    - `place`: positions [m] (3, segment).
    - `turn`: quaternions (4, segment).
    - matrix: banded stiffness matrix at the equilibrium.
    - scale: units of the components of a step (6, segment): segment length [m] for displacements, 1 for
      rotations.
    - free: components that can move (6, segment), bool.
    """

    place: Any
    turn: Any
    matrix: np.ndarray
    scale: np.ndarray
    free: np.ndarray


def at_rest(
    loads: Loads, place: Any, turn: Any, size: np.ndarray, held: np.ndarray, most: int = MOST
) -> Rest:
    """Return the static equilibrium of segments in one case.

    - loads: function of the loads and the energy; see `Loads`.
    - `place`, `turn`: initial positions [m] (3, segment) and quaternions (4, segment), without derivatives.
    - size: lengths of the segments [m] (segment,).
    - held: whether each segment is fixed (segment,), bool.
    - most: maximum number of steps.

    Raises Restless if the search does not converge.
    """
    scale, free = _scales(size, held)
    if (soon := _soon(loads, place, turn, size, held)) is not None:
        return soon
    now: tuple[Any, Any] = place, turn
    damping, before = 0.0, np.inf
    for _ in range(most):
        matrix = _matrix(loads, *now, scale, free)
        now, far, damping = _step(loads, matrix, *now, scale, free, damping)
        before, ended = far, damping == 0.0 and _is_last(far, before)
        if ended and (lower := _lower(loads, matrix, *now, scale, free)) is None:
            return Rest(*now, matrix, scale, free)
        if ended:
            now, damping, before = lower, LIGHTEST, np.inf
    raise Restless


def _lower(
    loads: Loads, matrix: np.ndarray, place: Any, turn: Any, scale: Any, free: Any
) -> tuple[Any, Any] | None:
    """Return positions and quaternions of lower energy next to an unstable equilibrium, for example of a
    straight column above its buckling load; None if it is stable. Of two directions with equal energy, the
    choice is always the same."""
    from scipy.linalg import eig_banded

    if _holds(matrix):
        return None
    way = eig_banded(matrix[BAND:], lower=True, select="i", select_range=(0, 0))[1][:, 0].reshape(-1, 6).T
    way = np.where(free, way / way.flat[np.argmax(np.abs(way))], 0.0)
    energy = float(loads(place, turn)[1])
    for side in (AWAY, -AWAY):
        there = _move(place, turn, side * way * scale)
        if float(loads(*there)[1]) < energy - ROUNDING * abs(energy):
            return there
    return None


def _scales(size: np.ndarray, held: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the units of the steps of segments (6, segment), and which components are free."""
    scale = np.concatenate([np.repeat(size[None], 3, 0), np.ones((3, len(size)))])
    return scale, np.broadcast_to(~held, scale.shape)


def _is_last(far: float, before: float) -> bool:
    """Whether a step is the last one, from its size and the size of the preceding step."""
    return far < STILL or (far < NEARLY and far > 0.5 * before)


def _soon(loads: Loads, place: Any, turn: Any, size: np.ndarray, held: np.ndarray) -> Rest | None:
    """Return the energy minimum that Newton's method alone reaches in a few steps; None if it does not. See
    `at_rest`."""
    scale, free = _scales(size, held)
    now, before = (place, turn), np.inf
    for _ in range(SOON):
        matrix = _matrix(loads, *now, scale, free)
        try:
            step = _solve(matrix, np.where(free, loads(*now)[0] * scale, 0.0), 0.0)
        except Restless:
            return None
        far = float(np.max(np.abs(step)))
        if not far <= 1.0:
            return None
        now = _move(*now, step * scale)
        if _is_last(far, before):
            return Rest(*now, matrix, scale, free) if _holds(matrix) else None
        before = far
    return None


def _holds(matrix: np.ndarray) -> bool:
    """Whether any small displacement increases the energy: whether the matrix at the equilibrium is positive
    definite."""
    from scipy.linalg import cholesky_banded

    try:
        cholesky_banded(matrix[BAND:], lower=True)
    except np.linalg.LinAlgError:
        return False
    return True


def follow_loads(loads: Loads, rest: Rest) -> tuple[Any, Any]:
    """Return the positions and quaternions of an equilibrium after one more Newton step.

    loads: function whose results can have derivatives. The returned positions and quaternions then have the
    derivatives of the equilibrium.
    """
    load = jnp.where(rest.free, loads(rest.place, rest.turn)[0] * rest.scale, 0.0)
    step = linear(partial(_solve, rest.matrix, damping=0.0), load)
    return _move(rest.place, rest.turn, step * rest.scale)


def _step(loads: Loads, matrix: np.ndarray, place: Any, turn: Any, scale: Any, free: Any, damping: float):
    """Return positions and quaternions after a step that decreases the energy, the size of the step, and the
    damping of the next step."""
    load, energy = loads(place, turn)
    load, energy = np.where(free, load * scale, 0.0), float(energy)
    while damping < HEAVIEST:
        step = _solve(matrix, load, damping)
        far = float(np.max(np.abs(step)))
        if far <= 1.0:
            there = _move(place, turn, step * scale)
            grown = float(loads(*there)[1]) - energy
            if grown < ROUNDING * abs(energy) or (far < SMALL and damping == 0.0):
                return there, far, 0.0 if damping < LIGHTEST else damping / 8
        damping = max(4 * damping, LIGHTEST)
    raise Restless


def _move(place: Any, turn: Any, step: Any) -> tuple[Any, Any]:
    """Displace segments, and rotate them about inertial axes, by a step (6, segment, *cases)."""
    small = jnp.concatenate([jnp.ones((1, *step.shape[1:])), step[3:] / 2])
    return place + step[:3], unit_quaternion(multiply(small, turn))


def _matrix(loads: Loads, place: Any, turn: Any, scale: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Return minus the derivative of the loads with respect to the steps, in the banded form of
    `scipy.linalg.solve_banded`."""
    count = place.shape[1]
    colour = np.arange(count) % 3
    step = np.zeros((6, count, 3, 6, 2))
    for k in range(6):
        step[k, np.arange(count), colour, k] = NUDGE, -NUDGE
    wide = (..., *(None,) * 3)
    shape = (*place.shape, *step.shape[2:])
    there = _move(
        np.broadcast_to(place[wide], shape), np.broadcast_to(turn[wide], (4, *shape[1:])), step * scale[wide]
    )
    found = loads(*there)[0] * scale[wide]
    slope = (found[..., 1] - found[..., 0]) / (2 * NUDGE)  # (6, segment, colour, number)
    banded = np.zeros((2 * BAND + 1, 6 * count))
    for segment in range(count):
        for other in range(max(segment - 1, 0), min(segment + 2, count)):
            block = slope[:, segment, colour[other]]
            block = np.where(free[:, segment, None] & free[None, :, other], block, 0.0)
            if segment == other:
                block = np.where(np.diag(~free[:, segment]), 1.0, block)
            rows, columns = 6 * segment + np.arange(6)[:, None], 6 * other + np.arange(6)[None]
            banded[BAND + rows - columns, np.broadcast_to(columns, (6, 6))] = block
    return banded


def _solve(matrix: np.ndarray, load: np.ndarray, damping: float) -> np.ndarray:
    """Return the steps (6, segment) for loads (6, segment). damping: relative to the absolute diagonal.

    Diagonal entries of compressed elements can be negative. Damping by their absolute value makes the matrix
    positive definite, and the step decreases the energy."""
    from scipy.linalg import solve_banded

    damped = matrix.copy()
    damped[BAND] += damping * np.abs(damped[BAND])
    try:
        return solve_banded((BAND, BAND), damped, load.T.reshape(-1)).reshape(-1, 6).T
    except (ValueError, np.linalg.LinAlgError):  # no number, or singular
        raise Restless from None
