"""Static equilibrium of the segments of beams between their clamps, under their weight. Newton's method
solves for zero loads. If it does not reach an energy minimum soon, Levenberg-Marquardt damping with
decreasing energy follows; it takes small steps along beams that bend and hardly stretch. The banded matrix
comes from central differences, with every third segment displaced at once. Derivatives of the result follow
from one more Newton step on loads with derivatives."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...maths.arrays import jnp
from ...maths.dual import linear
from ...maths.rotations import multiply, unit_quaternion

MOST, SOON = 500, 12
"""Most steps, and those in which Newton's method by itself has ended where it does: at a tenth of a radian a
segment it takes six to eight."""
BAND = 11
"""How far from the diagonal a row of a segment reaches: six numbers each of it and its two neighbours."""
NUDGE = 1e-6
"""By which segments are turned [rad], and moved, in parts of their distance, for the matrix."""
SMALL = 1e-6
"""Largest turn [rad] and shift, in parts of a segment, of steps below which damping is left out."""
STILL = 1e-11
"""The same limit for a last step, after which the error of Newton's method is rounding."""
NEARLY = 1e-8
"""The same limit for a last step of at least half the preceding one: rounding of stiff beams."""
ROUNDING = 1e-13
"""Part of the energy by which it may grow."""
AWAY = 1e-2
"""Largest turn [rad] and shift, in parts of a segment, by which segments leave an unstable rest."""
LIGHTEST, HEAVIEST = 1e-9, 1e6
"""Damping, in parts of the diagonal, below which there is none, and from which on nothing moves."""

Loads = Callable[[Any, Any], tuple[Any, Any]]
"""(places, quaternions) of segments (component, segment, *cases) -> loads on them (6, segment, *cases) [N,
N m], inertial axes, and the energy (*cases) [J]."""


class Restless(Exception):
    """No rest was found."""


class Rest(NamedTuple):
    """Places [m], quaternions, and the matrix there; scale, free: see `at_rest`."""

    place: Any
    turn: Any
    matrix: np.ndarray
    scale: np.ndarray
    free: np.ndarray


def at_rest(
    loads: Loads, place: Any, turn: Any, size: np.ndarray, held: np.ndarray, most: int = MOST
) -> Rest:
    """Where segments are at rest, from places and quaternions of one case, without derivatives. size
    (segment): lengths of the segments [m]; held (segment): those that stay as they are; most: steps. Raises
    Restless."""
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
    """Places and quaternions of less energy next to an unstable rest, as of a straight column above its
    buckling load; none for a stable one. Of two sides with the same energy, as up and down of a column, it is
    always the same one."""
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
    """Units of the steps of segments (6, segment), and which of them are free."""
    scale = np.concatenate([np.repeat(size[None], 3, 0), np.ones((3, len(size)))])
    return scale, np.broadcast_to(~held, scale.shape)


def _is_last(far: float, before: float) -> bool:
    """Whether a step is the last one, by its size and that of the one before."""
    return far < STILL or (far < NEARLY and far > 0.5 * before)


def _soon(loads: Loads, place: Any, turn: Any, size: np.ndarray, held: np.ndarray) -> Rest | None:
    """Where Newton's method by itself ends at a minimum of energy; none where it does not soon. See
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
    """Whether any small displacement costs energy: whether the matrix, even at rest, is positive definite."""
    from scipy.linalg import cholesky_banded

    try:
        cholesky_banded(matrix[BAND:], lower=True)
    except np.linalg.LinAlgError:
        return False
    return True


def follow_loads(loads: Loads, rest: Rest) -> tuple[Any, Any]:
    """Places and quaternions after one more step, on loads that may have derivatives along: these follow."""
    load = jnp.where(rest.free, loads(rest.place, rest.turn)[0] * rest.scale, 0.0)
    step = linear(partial(_solve, rest.matrix, damping=0.0), load)
    return _move(rest.place, rest.turn, step * rest.scale)


def _step(loads: Loads, matrix: np.ndarray, place: Any, turn: Any, scale: Any, free: Any, damping: float):
    """Places and quaternions after a step that energy falls by, its size, and the damping of the next one."""
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
    """Segments moved, and turned about inertial axes, by (6, segment, *cases)."""
    small = jnp.concatenate([jnp.ones((1, *step.shape[1:])), step[3:] / 2])
    return place + step[:3], unit_quaternion(multiply(small, turn))


def _matrix(loads: Loads, place: Any, turn: Any, scale: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Minus the derivative of the loads by the steps, as `scipy.linalg.solve_banded` has it."""
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
    """Steps (6, segment) of loads (6, segment); damping: in parts of the size of the diagonal.

    Entries of compressed elements may be negative. Damped by their size, the matrix becomes positive definite
    and the step goes down in energy; damped with their sign, the step goes up along them."""
    from scipy.linalg import solve_banded

    damped = matrix.copy()
    damped[BAND] += damping * np.abs(damped[BAND])
    try:
        return solve_banded((BAND, BAND), damped, load.T.reshape(-1)).reshape(-1, 6).T
    except (ValueError, np.linalg.LinAlgError):  # no number, or singular
        raise Restless from None
