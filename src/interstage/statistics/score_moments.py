"""Mean, standard deviation and correlation of inputs that are functions of standard normal scores.

An input x with the distribution F is x(z) = F^-1(Phi(z)) of a score z. Two inputs whose scores have the
correlation r have the correlation sum over k of r^k a_k b_k, with the coefficients a_k, b_k of both inputs in
Hermite polynomials.

Source: F. G. Mehler, J. reine angew. Math. 66 (1866) 161; P.-L. Liu and A. Der Kiureghian, Probab. Eng. Mech.
1 (1986) 105 (correlations of the Nataf model)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

REACH, POINTS = 9.0, 721
"""Range of the scores in an integral, and points of the trapezoidal rule, which is exact to rounding for
analytic functions at this distance of points."""
DEGREE = 60
"""Largest degree of a Hermite polynomial."""


class ScoreMoments(NamedTuple):
    """Moments of a function of a standard normal score.

    - mean, sigma: in the unit of the function. scaled: (points,), the function less its mean over sigma.
    - coefficients: (degrees,), of the scaled function in normalized Hermite polynomials of degree 1 and
      more."""

    mean: float
    sigma: float
    scaled: np.ndarray
    coefficients: np.ndarray


def score_moments(value_at: Callable[[np.ndarray], np.ndarray]) -> ScoreMoments:
    """Return mean and standard deviation of a function of a standard normal score.

    - value_at: values (points,) at scores (points,).

    A function that is constant has sigma 0, and zeros as its scaled values.

    >>> found = score_moments(lambda z: 3.0 + 2.0 * z)
    >>> round(found.mean, 12), round(found.sigma, 12)
    (3.0, 2.0)
    """
    z, weights, polynomials = _rule()
    values = np.asarray(value_at(z), float)
    mean = float(weights @ values)
    sigma = float(np.sqrt(weights @ (values - mean) ** 2))
    scaled = (values - mean) / sigma if sigma > 0.0 else np.zeros(len(z))
    return ScoreMoments(mean, sigma, scaled, polynomials @ (weights * scaled))


def correlation_of(first: ScoreMoments, second: ScoreMoments, of_scores: float) -> float:
    """Return the correlation of two functions whose scores have a correlation.

    - of_scores: correlation of the scores. 1 stands for one common score.

    >>> square = score_moments(lambda z: (z + 2.0) ** 2)
    >>> line = score_moments(lambda z: z)
    >>> round(correlation_of(square, line, 0.5), 6), round(0.5 * 4 / 18**0.5, 6)
    (0.471405, 0.471405)
    """
    if abs(of_scores) == 1.0:
        other = second.scaled if of_scores > 0.0 else second.scaled[::-1]
        return float(_rule()[1] @ (first.scaled * other))
    powers = of_scores ** np.arange(1, DEGREE + 1)
    return float(powers @ (first.coefficients * second.coefficients))


@lru_cache(maxsize=1)
def _rule() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores and weights (points,) of the integral, and normalized Hermite polynomials (degrees, points)."""
    z = np.linspace(-REACH, REACH, POINTS)
    weights = np.exp(-0.5 * z**2)
    found = [np.ones(POINTS), z]
    for k in range(1, DEGREE):
        found.append((z * found[k] - np.sqrt(k) * found[k - 1]) / np.sqrt(k + 1))
    return z, weights / weights.sum(), np.array(found[1:])
