"""Symbols beside the numbers that the engine has in states that are drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from .equations import Equations
from .numbers import Numbers

SMALL = 1e-3
"""Sizes below which entries are not looked at by themselves, of the largest that masses and speeds allow: with
the errors that are allowed, rounding."""
AXES = 3
SURE = 1e-14
"""How far motions of the engine are apart from its equations, of the condition of these: fifty roundings. More
than SURE * condition / ALIKE is not asked of them."""
ALIKE = 1e-10
"""How far symbols and numbers may be apart, of the size of each entry: what a sum of ten thousand terms may be
off by rounding, with a hundredth of each left of the size."""


class Pair(NamedTuple):
    """What is beside each other, of the same shape, and how large it is: what it is summed up of, without
    signs."""

    symbols: np.ndarray
    numbers: np.ndarray
    size: np.ndarray


def apart(symbols: Equations, states: list[Numbers]) -> dict[str, float]:
    """How far symbols and numbers are apart at most, of the size of each entry: H2, M22, N22 and Q2 by
    themselves, and "motion", M22 q2'' + N22 q2' beside what all loads and pushes do to the rates."""
    found: dict[str, float] = {}
    for now, numbers in zip(states, _of_symbols(symbols, states), strict=True):
        for name, pair in _pairs(symbols, now, numbers):
            found[name] = max(found.get(name, 0.0), _difference(pair))
    return found


class OfSymbols(NamedTuple):
    """What symbols give in a state. straight, turning (body, 3, rate): H2, the velocities along the axes of
    roots; mass, gyroscopic (rate, rate): M22, N22; still (rate,): Q2 at rest, on the ground, and weights (rate,
    3), by the numbers of roots, of what flies; light (rate,): Q2 without gravity."""

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
        yield OfSymbols(
            *(one[..., p] for one in found), {root: each[..., p] for root, each in weights.items()}
        )


def _difference(pair: Pair) -> float:
    """The largest, each of its size; any at all of what has none is infinite."""
    wrong = np.abs(pair.symbols - pair.numbers)
    with np.errstate(divide="ignore"):
        relative = np.divide(wrong, pair.size, out=np.zeros_like(wrong), where=wrong != 0)
    return float(np.max(relative, initial=0.0)) if np.isfinite(wrong).all() else np.inf


def _pairs(symbols: Equations, now: Numbers, own: OfSymbols) -> Iterator[tuple[str, Pair]]:
    h, onward, bodies = now.velocity, now.onward, now.mass
    # Twice the energy of each rate alone bounds by its root all that it takes part in.
    energy = np.sqrt(np.einsum("kj,kl,lj->j", h, bodies, h))
    fastest = np.max(np.linalg.norm((h @ now.rates).reshape(-1, 2, AXES)[:, 1], axis=1))
    yield "H2", Pair(_h2(symbols, now, own), h, _size_of_h2(h, bodies, energy))
    most = SMALL * np.outer(energy, energy)
    size = np.abs(h).T @ np.abs(bodies) @ np.abs(h)
    yield "M22", Pair(own.mass, h.T @ bodies @ h, np.maximum(size, most))
    size = np.abs(h).T @ np.abs(bodies) @ np.abs(onward)
    yield "N22", Pair(own.gyroscopic, h.T @ bodies @ onward, np.maximum(size, most * fastest))
    yield "Q2", _of_gravity(symbols, now, own, energy)
    yield "Q2", _of_gyroscopes(now, own, energy * fastest)
    # The engine finds motions by solving equations, which forms of symbols do not.
    loose = max(1.0, SURE / ALIKE * _condition(now))
    yield "motion", Pair(own.mass @ now.answers, h.T @ now.pushes, loose * np.outer(energy, energy))
    left, right = own.mass @ now.second + own.gyroscopic @ now.rates, h.T @ now.loads
    yield "motion", Pair(left, right, loose * energy * _effort(now, energy))


def _effort(now: Numbers, energy: np.ndarray) -> float:
    """Loads and accelerations of a state, those by speeds and those that joints take up among them, as the root
    of twice the energy that moves would have that go with them."""
    bent = now.onward @ now.rates
    by_speed, by_loads = bent @ now.mass @ bent, now.loads @ np.linalg.solve(now.mass, now.loads)
    return float(np.sqrt(by_speed) + np.sqrt(by_loads) + energy @ np.abs(now.second))


def _h2(symbols: Equations, now: Numbers, own: OfSymbols) -> np.ndarray:
    found = []
    for straight, turning, root in zip(own.straight, own.turning, symbols.roots, strict=True):
        found += [now.turned[root] @ straight if root >= 0 else straight, turning]
    return np.concatenate(found)


def _condition(now: Numbers) -> float:
    """About how much rounding of joint loads may move bodies: by how much the heaviest body, or the one that is
    hardest to turn, outdoes the lightest, with the longest arm."""
    masses = np.diag(now.mass).reshape(-1, 2, AXES)
    straight, turning = now.velocity.reshape(-1, 2, AXES, now.velocity.shape[1]).swapaxes(0, 1)
    speeds, turns = (np.linalg.norm(part, axis=1) for part in (straight, turning))
    arm = np.max(np.divide(speeds, turns, out=np.zeros_like(speeds), where=turns > SMALL * speeds))
    heavy, light = np.max(masses[:, 0]), np.min(masses[:, 0])
    if not arm:
        return heavy / light
    return (heavy + np.max(masses[:, 1]) / arm**2) * (1 / light + arm**2 / np.min(masses[:, 1]))


def _size_of_h2(h: np.ndarray, bodies: np.ndarray, energy: np.ndarray) -> np.ndarray:
    """Of each velocity its length, and not much less than what it might be if all that moves were its body."""
    length = np.linalg.norm(h.reshape(-1, AXES, h.shape[1]), axis=1)
    might = energy / np.sqrt(np.diag(bodies).reshape(-1, AXES).min(axis=1))[:, None]
    return np.repeat(np.maximum(length, SMALL * might), AXES, axis=0)


def _of_gravity(symbols: Equations, now: Numbers, own: OfSymbols, energy: np.ndarray) -> Pair:
    """Q2 at rest."""
    pull = np.array([now.values[name] if name else 0.0 for name in symbols.machine.gravity])
    found = own.still
    for root, weights in own.weights.items():
        found = found + weights @ now.turned[root].T @ pull
    might = energy * np.sqrt(np.sum(now.weights**2 / np.diag(now.mass)))
    size = np.maximum(np.abs(now.velocity).T @ np.abs(now.weights), SMALL * might)
    return Pair(found, now.velocity.T @ now.weights, size)


def _of_gyroscopes(now: Numbers, own: OfSymbols, power: np.ndarray) -> Pair:
    """Q2 without gravity."""
    h = now.velocity
    spins = (h @ now.rates).reshape(-1, 2, AXES)
    spins[:, 0] = 0.0
    momenta = (now.mass @ spins.ravel()).reshape(spins.shape)
    torques = np.zeros_like(spins)
    torques[:, 1] = -np.cross(spins[:, 1], momenta[:, 1])
    might = power * np.sqrt(np.sum(spins * momenta))
    size = np.maximum(np.abs(h).T @ np.abs(torques.ravel()), SMALL * might)
    return Pair(own.light, h.T @ torques.ravel(), size)
