"""Mean, standard deviation and correlation of inputs that are functions of standard normal scores.

An input x with the distribution function F is the function x(z) = F^-1(Phi(z)) of a standard normal variable
z, its score. If the scores of two inputs have the correlation r, the inputs have the correlation sum over k
of r^k a_k b_k. In this formula, a_k and b_k are the coefficients of the two functions in Hermite polynomials.

Source: F. G. Mehler, J. reine angew. Math. 66 (1866) 161; P.-L. Liu and A. Der Kiureghian, Probab. Eng. Mech.
1 (1986) 105 (correlations of the Nataf model).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

REACH, POINTS = 9.0, 721
"""Range of the scores in an integral, and number of points of the trapezoidal rule.

With this distance between the points, the rule is exact to rounding for analytic functions.
"""
DEGREE = 60
"""Maximum degree of the Hermite polynomials."""


class ScoreMoments(NamedTuple):
    """Moments of a function of a standard normal score.

    - mean, sigma: mean and standard deviation in the unit of the function.
    - scaled: (points,), (function - mean) / sigma at the points of the integration.
    - coefficients: (degrees,), coefficients of the scaled function in normalized Hermite polynomials,
      from degree 1 on.
    """

    mean: float
    sigma: float
    scaled: np.ndarray
    coefficients: np.ndarray


def score_moments(value_at: Callable[[np.ndarray], np.ndarray]) -> ScoreMoments:
    """Return the moments of a function of a standard normal score, for example mean and standard deviation.

    - value_at: function that returns values (points,) at scores (points,).

    For a constant function, sigma is 0 and the scaled values are zeros.

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
    """Return the correlation of two functions of correlated scores.

    - first, second: moments of the two functions.
    - of_scores: correlation of the scores. For 1, both functions have the same score.

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
