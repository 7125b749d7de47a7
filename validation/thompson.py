"""Thompson's transformation H2 (AIAA 2011-6277, section VI) for bodies that hang on each other by joints with
turns only, and the linear equations of its reduced problem at rest (eq 22 without velocities): NumPy only.
Interstage's beside them.

q' = H2 q2' with q' = [v, w] of each body, v along inertial axes, w along its own. With r_p from the centre of
mass of the inner body to the joint and r_s from that of the outer one, A from inner to outer axes, and B the
axes of the turns in outer axes,

    w = A w_inner + B e',   v = v_inner - beta_p w_inner + beta_s w,   beta = R tilde(r).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from interstage.studies.verify import Row

from .comparison import worst

ROUNDED = 1e-12
"""Of the largest entry: a reduced mass matrix whose condition is 1e3."""


class Hung(NamedTuple):
    """A body on a joint: number of the inner body; joint from either centre of mass [m]; axes of the turns
    and their angles [rad], the first fixed in the inner body, the last in this one; mass [kg] and inertia [kg
    m^2]."""

    inner: int
    inner_arm: np.ndarray
    own_arm: np.ndarray
    axes: str
    angles: tuple[float, ...]
    mass: float
    inertia: np.ndarray


def tilde(a) -> np.ndarray:
    """The matrix of a x."""
    x, y, z = a
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0.0]])


def turn(axis: str, angle: float) -> np.ndarray:
    """Components after a turn about an axis to those before it."""
    unit = np.eye(3)["xyz".index(axis)]
    return np.eye(3) + np.sin(angle) * tilde(unit) + (1 - np.cos(angle)) * tilde(unit) @ tilde(unit)


def rotation(one: Hung) -> np.ndarray:
    """From the axes of a body to those of its inner one."""
    whole = np.eye(3)
    for axis, angle in zip(one.axes, one.angles, strict=True):
        whole = whole @ turn(axis, angle)
    return whole


def axes(one: Hung) -> np.ndarray:
    """B: the axes of the turns in those of the body."""
    found, left = [], rotation(one)
    for axis, angle in zip(one.axes, one.angles, strict=True):
        found.append(left.T @ np.eye(3)["xyz".index(axis)])
        left = turn(axis, angle).T @ left
    return np.stack(found, 1)


def transformation(hung: list[Hung]) -> np.ndarray:
    """H2 (6 bodies, 6 + turns) of a free body 0 with unturned axes and of bodies that hang on each other."""
    freedoms = 6 + sum(len(one.axes) for one in hung)
    blocks, turns = [np.eye(6, freedoms)], [np.eye(3)]
    first = 6
    for one in hung:
        whole, to_outer = turns[one.inner] @ rotation(one), rotation(one).T
        velocity, spin = blocks[one.inner][:3], blocks[one.inner][3:]
        own = np.zeros((3, freedoms))
        own[:, first : first + len(one.axes)] = axes(one)
        w = to_outer @ spin + own
        v = velocity - turns[one.inner] @ tilde(one.inner_arm) @ spin + whole @ tilde(one.own_arm) @ w
        blocks.append(np.concatenate([v, w]))
        turns.append(whole)
        first += len(one.axes)
    return np.concatenate(blocks)


def reduced_mass(h2: np.ndarray, masses: list[tuple[float, np.ndarray]]) -> np.ndarray:
    """M22 = H2^T M H2 (eq 15)."""
    whole = np.zeros((len(h2), len(h2)))
    for k, (mass, inertia) in enumerate(masses):
        whole[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = mass * np.eye(3)
        whole[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = inertia
    return h2.T @ whole @ h2


def at_rest(mass: np.ndarray, stiffness: np.ndarray, damping: np.ndarray) -> np.ndarray:
    """A of x = [q2, q2'] where springs and dampers of the turns, (6 + turns,) each, have no load."""
    n = len(mass)
    slopes = -np.linalg.solve(mass, np.hstack([np.diag(stiffness), np.diag(damping)]))
    return np.vstack([np.hstack([np.zeros((n, n)), np.eye(n)]), slopes])


def rates_and_modes(linear: Any, a: np.ndarray) -> Iterator[Row]:
    """Rates of what rests, and the eigenvalues that are not zero, beside those of A."""
    yield Row("rates at rest [m/s^2, rad/s^2]", worst(linear.rates), ROUNDED)
    values = np.linalg.eigvals(a)
    values = np.sort_complex(values[np.abs(values) > 1e-3])
    modes = [mode.eigenvalue for mode in linear.modes if not mode.zero]
    mine = np.sort_complex(np.array([*modes, *(m.conjugate() for m in modes if m.imag)]))
    yield Row("eigenvalues, of the largest", worst(np.abs(mine - values)) / worst(np.abs(values)), 1e-10)
