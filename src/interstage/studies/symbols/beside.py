"""Compare symbolic equations with the numerical equations of motion at random states."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from .equations import Equations
from .numbers import Numbers

SMALL = 1e-3
"""Fraction of the largest velocity of any body that is added to the magnitude of a velocity. This fraction is
needed because terms can cancel.
"""
AXES = 3
EQUATION_ERROR = 1e-14
"""Relative error of the numerical accelerations, divided by the condition number of the equations. The error
corresponds to fifty roundings.
"""
ALIKE = 1e-10
"""Allowed difference between symbolic and numerical equations, relative to the magnitude of each entry.
Rounding in the validation cases is at most 4e-13.
"""


class Pair(NamedTuple):
    """Symbolic and numerical values of the same array, and the magnitude of each entry: the sum of the
    absolute values of its terms.
    """

    symbols: np.ndarray
    numbers: np.ndarray
    size: np.ndarray


def largest_difference(symbols: Equations, states: list[Numbers]) -> dict[str, float]:
    """Return the largest differences between symbolic and numerical equations, relative to the magnitude of
    each entry.

    The keys of the result are H2, M22, N22, Q2 and "motion". "motion" compares M22 q2'' + N22 q2' with the
    generalized forces of all loads.
    """
    found: dict[str, float] = {}
    for now, numbers in zip(states, _of_symbols(symbols, states), strict=True):
        for name, pair in _pairs(symbols, now, numbers):
            found[name] = max(found.get(name, 0.0), _difference(pair))
    return found


class OfSymbols(NamedTuple):
    """Values of the symbolic equations at a state.

    - `straight`, `turning` (body, 3, rate): matrices H2 of the velocities and angular velocities along root
      axes.
    - `mass`, `gyroscopic` (rate, rate): M22 and N22.
    - `still` (rate,): Q2 at rest, for trees that are connected to the ground.
    - `light` (rate,): Q2 without gravity.
    - `weights` (rate, 3): Q2 per component of gravity for trees without a connection to the ground, by index
      of the root body.
    """

    straight: np.ndarray
    turning: np.ndarray
    mass: np.ndarray
    gyroscopic: np.ndarray
    still: np.ndarray
    light: np.ndarray
    weights: dict[int, np.ndarray]


def _of_symbols(symbols: Equations, states: list[Numbers]) -> Iterator[OfSymbols]:
    machine, a = symbols.machine, symbols.algebra
    values: dict[str, Any] = {name: np.array([now.values[name] for now in states]) for name in a.names.every}
    still = values | {rate.symbol: 0.0 for rate in machine.rates}
    light = values | {name: 0.0 for name in machine.gravity if isinstance(name, str)}
    arrays = np.stack(symbols.velocity), np.stack(symbols.spin), symbols.mass, symbols.gyroscopic
    found = [a.numbers(array, values) for array in arrays]
    found += [a.numbers(symbols.loads, each) for each in (still, light)]
    weights = {root: a.numbers(each, values) for root, each in symbols.weights.items()}
    for p in range(len(states)):
        here = {root: each[..., p] for root, each in weights.items()}
        straight, turning, mass, gyroscopic, at_rest, unpulled = (one[..., p] for one in found)
        yield OfSymbols(straight, turning, mass, gyroscopic, at_rest, unpulled, here)


def _difference(pair: Pair) -> float:
    """The largest relative difference; infinite if the size is zero and the difference is not."""
    wrong = np.abs(pair.symbols - pair.numbers)
    with np.errstate(divide="ignore"):
        relative = np.divide(wrong, pair.size, out=np.zeros_like(wrong), where=wrong != 0)
    return float(np.max(relative, initial=0.0)) if np.isfinite(wrong).all() else np.inf


def _pairs(symbols: Equations, now: Numbers, own: OfSymbols) -> Iterator[tuple[str, Pair]]:
    h, onward, bodies, weigh = now.velocity, now.onward, now.mass, np.abs(now.mass)
    fastest = np.max(np.linalg.norm(_by_body(h @ now.rates)[:, 1], axis=1))
    least = SMALL * _scale(h)
    parts, parts_onward = _length(h) + least, _length(onward) + least * fastest
    yield "H2", Pair(_h2(symbols, now, own), h, parts)
    yield "M22", Pair(own.mass, h.T @ bodies @ h, parts.T @ weigh @ parts)
    yield "N22", Pair(own.gyroscopic, h.T @ bodies @ onward, parts.T @ weigh @ parts_onward)
    yield "Q2", _of_gravity(symbols, now, own, parts)
    yield "Q2", _of_gyroscopes(now, own, parts)
    # Motions are what the engine solves equations for, and as exact as that is. Twice the energy of each
    # rate alone bounds by its root all that it takes part in.
    loose = max(1.0, EQUATION_ERROR / ALIKE * _condition(now))
    energy = np.sqrt(np.einsum("kj,kl,lj->j", h, bodies, h))
    yield "motion", Pair(own.mass @ now.answers, h.T @ now.pushes, loose * np.outer(energy, energy))
    left, right = own.mass @ now.second + own.gyroscopic @ now.rates, h.T @ now.loads
    yield "motion", Pair(left, right, loose * energy * _effort(now, energy))


def _by_body(rows: np.ndarray) -> np.ndarray:
    """Rows as (body, straight or turning, 3, ...)."""
    return rows.reshape(-1, 2, AXES, *rows.shape[1:])


def _length(motion: np.ndarray) -> np.ndarray:
    """Norm of the velocity or angular velocity of each row (row, rate)."""
    return np.repeat(np.linalg.norm(_by_body(motion), axis=2), AXES, axis=1).reshape(motion.shape)


def _scale(h: np.ndarray) -> np.ndarray:
    """For each rate, the largest velocity and angular velocity of any body; rotations count with the longest
    arm."""
    straight, turning = _lengths(h)
    turns = np.max(turning, 0)
    both = np.stack([np.maximum(np.max(straight, 0), _arm(h) * turns), turns])
    return np.tile(np.repeat(both, AXES, axis=0), (len(straight), 1))


def _lengths(h: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Velocities and angular velocities (body, rate)."""
    found = np.linalg.norm(_by_body(h), axis=2)
    return found[:, 0], found[:, 1]


def _arm(h: np.ndarray) -> float:
    """The longest arm of a rotating body."""
    straight, turning = _lengths(h)
    turns = turning > SMALL * straight
    return float(np.max(np.divide(straight, turning, out=np.zeros_like(straight), where=turns)))


def _effort(now: Numbers, energy: np.ndarray) -> float:
    """Common size of loads, velocity-dependent accelerations and accelerations of the rates. Times the root
    of twice the energy of a single rate it bounds their effect on that rate."""
    bent = now.onward @ now.rates
    by_speed, by_loads = bent @ now.mass @ bent, now.loads @ np.linalg.solve(now.mass, now.loads)
    return float(np.sqrt(by_speed) + np.sqrt(by_loads) + energy @ np.abs(now.second))


def _condition(now: Numbers) -> float:
    """Approximate amplification of rounding in joint loads: ratio of the largest to the smallest mass or
    inertia, with the longest arm."""
    straight, turning = np.diag(now.mass).reshape(-1, 2, AXES).swapaxes(0, 1)
    heavy, light, arm = np.max(straight), np.min(straight), _arm(now.velocity)
    if not arm:
        return float(heavy / light)
    return float((heavy + np.max(turning) / arm**2) * (1 / light + arm**2 / np.min(turning)))


def _of_gravity(symbols: Equations, now: Numbers, own: OfSymbols, parts: np.ndarray) -> Pair:
    """Q2 at rest."""
    pull = np.array([now.values[name] if name else 0.0 for name in symbols.machine.gravity])
    found = own.still
    for root, weights in own.weights.items():
        found = found + weights @ now.turned[root].T @ pull
    return Pair(found, now.velocity.T @ now.weights, parts.T @ np.abs(now.weights))


def _of_gyroscopes(now: Numbers, own: OfSymbols, parts: np.ndarray) -> Pair:
    """Q2 without gravity. Torques may cancel, as those of round bodies do."""
    motion = now.velocity @ now.rates
    spins, momenta = (_by_body(one)[:, 1] for one in (motion, now.mass @ motion))
    torques, sizes = (np.zeros((len(spins), 2, AXES)) for _ in range(2))
    torques[:, 1] = -np.cross(spins, momenta)
    sizes[:, 1] = (np.linalg.norm(spins, axis=1) * np.linalg.norm(momenta, axis=1))[:, None]
    size = parts.T @ (np.abs(torques) + SMALL * sizes).ravel()
    return Pair(own.light, now.velocity.T @ torques.ravel(), size)


def _h2(symbols: Equations, now: Numbers, own: OfSymbols) -> np.ndarray:
    found = []
    for straight, turning, root in zip(own.straight, own.turning, symbols.roots, strict=True):
        found += [now.turned[root] @ straight if root >= 0 else straight, turning]
    return np.concatenate(found)
