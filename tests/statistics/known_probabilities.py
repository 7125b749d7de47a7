"""Limit states with known probabilities, in standard-normal inputs (inputs, cases), failed at 0 or below.

RP25 to RP110 are from otbenchmark (github.com/openturns/otbenchmark, commit b2b6d0a9), which has them from
the RPRepo of TNO. `published` has its values, which are rounded or estimated. The exact probabilities here
are integrals over one input, or closed forms. The published values of RP54, RP57 and RP77 differ from them
by 0.7, 0.6 and 6.7 per cent; that of RP77 is the probability of a half space at 5."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy import integrate, optimize, special


def above(x: float) -> float:
    """Probability that a standard normal number is above x."""
    return float(special.ndtr(-x))


def density(x: float) -> float:
    return float(np.exp(-0.5 * x * x) / np.sqrt(2 * np.pi))


def integral(function: Callable[[float], float], low: float, high: float) -> float:
    return integrate.quad(function, low, high, epsabs=0.0, epsrel=1e-12, limit=500)[0]


class Problem(NamedTuple):
    """A limit state with its number of inputs, its exact probability, and the published one."""

    limit: Callable[[np.ndarray], np.ndarray]
    inputs: int
    exact: float
    published: float


def linear(beta: float, inputs: int) -> Problem:
    """A half space at distance beta."""
    published = {3.0: 1.349898e-3, 4.0: 3.167124e-5, 4.2648907939: 1e-5, 5.0: 2.866516e-7}[beta]
    return Problem(lambda u: beta - u.sum(0) / np.sqrt(inputs), inputs, above(beta), published)


def four_branch() -> Problem:
    """Four branches: fails if |u| > 3 + 0.2 v^2 or |v| > 3.5, u and v along the diagonals (Waarts 2000)."""

    def limit(x: np.ndarray) -> np.ndarray:
        u, v = (x[0] + x[1]) / np.sqrt(2), (x[0] - x[1]) / np.sqrt(2)
        return np.minimum(3.0 + 0.2 * v**2 - np.abs(u), 3.5 - np.abs(v))

    exact = integral(lambda v: density(v) * 2 * above(3 + 0.2 * v * v), -3.5, 3.5) + 2 * above(3.5)
    return Problem(limit, 2, exact, 2.222795066194e-3)


def rp25() -> Problem:
    """Fails where two functions of two inputs are both below 0: a wedge with one corner."""

    def limit(x: np.ndarray) -> np.ndarray:
        return np.maximum(x[0] ** 2 - 8 * x[1] + 16, -16 * x[0] + x[1] + 32)

    corner = 64 - np.sqrt(64**2 - 272)
    exact = integral(lambda x: density(x) * (above(2 + x * x / 8) - above(16 * x - 32)), corner, 12)
    return Problem(limit, 2, exact, 4.148566293759747e-05)


def rp54() -> Problem:
    """The sum of 20 exponential inputs is below 8.951: a gamma distribution of order 20."""

    def limit(u: np.ndarray) -> np.ndarray:
        return -special.log_ndtr(-u).sum(0) - 8.951

    return Problem(limit, 20, float(special.gammainc(20, 8.951)), 9.98e-4)


def rp57() -> Problem:
    """Two regions beyond a cubic and a line, and a circle."""

    def limit(x: np.ndarray) -> np.ndarray:
        wedge = np.maximum(-(x[0] ** 2) + x[1] ** 3 + 3, 2 - x[0] - 8 * x[1])
        return np.minimum(wedge, (x[0] + 3) ** 2 + (x[1] + 3) ** 2 - 4)

    def over(x: float) -> float:
        low, high = (2 - x) / 8, np.cbrt(x * x - 3)
        chord = np.sqrt(max(4 - (x + 3) ** 2, 0.0))
        wedge = max(above(low) - above(max(high, low)), 0.0)
        return density(x) * (wedge + above(-3 - chord) - above(-3 + chord))

    def crossing(low: float, high: float) -> float:
        root: Any = optimize.brentq(lambda x: np.cbrt(x * x - 3) - (2 - x) / 8, low, high, xtol=1e-14)
        return root

    # The wedge is above the circle for each x, so both add.
    edges = [-12.0, -5.0, crossing(-3.0, -1.74), -1.0, crossing(1.7, 3.0), 12.0]
    exact = sum(integral(over, *pair) for pair in pairwise(edges))
    return Problem(limit, 2, exact, 2.84e-2)


def rp77() -> Problem:
    """A limit state with a jump at x3 = 5; x1 ~ N(10, 0.5), x2 ~ N(0, 1), x3 ~ N(4, 1)."""

    def limit(u: np.ndarray) -> np.ndarray:
        x1, x2, x3 = 10 + 0.5 * u[0], u[1], 4 + u[2]
        return np.where(x3 <= 5, x1 - x2 - x3, x3 - x2)

    below = integral(lambda t: density(t) * above((6 - t) / np.sqrt(1.25)), -10, 1)
    return Problem(limit, 3, below + integral(lambda t: density(t) * above(4 + t), 1, 10), 2.87e-7)


def rp110() -> Problem:
    """Two regions with slopes that lead away from the likelier one: x1 > 4 or x2 > 5."""

    def limit(x: np.ndarray) -> np.ndarray:
        first = np.where(x[0] <= 3.5, 0.85 - 0.1 * x[0], 4 - x[0])
        return np.minimum(first, np.where(x[1] <= 2, 2.3 - x[1], 0.5 - 0.1 * x[1]))

    return Problem(limit, 2, above(4) + above(5) - above(4) * above(5), 3.19e-5)
