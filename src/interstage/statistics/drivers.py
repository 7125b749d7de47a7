"""Find the drivers of a response: the inputs whose dispersion causes most of the dispersion of the response.

The functions use the cases of a random campaign. The functions accept many campaigns at once: inputs (...,
inputs, cases) and responses (..., cases).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .inputs import check_probability, check_values
from .intervals import Estimate, around, two_sided
from .ranks import mean_ranks

LEAST_EXPLAINED = 0.7
"""Minimum R^2. Below this value, the coefficients of a regression do not describe the response."""


def check_sample(inputs: Any, response: Any, least: int) -> tuple[np.ndarray, np.ndarray]:
    """Check inputs (..., inputs, cases) and a response (..., cases), and return both as arrays of floats.

    least: minimum number of cases. Raises ValueError if there are fewer cases, if the shapes differ, if a
    value is not finite, or if an input or the response is constant.
    """
    x, y = check_values("inputs", inputs, least), check_values("response", response, least)
    if x.ndim < 2 or x.shape[:-2] + x.shape[-1:] != y.shape:
        raise ValueError(
            f"inputs: shape {x.shape} does not match the response {y.shape}. Give (..., inputs, "
            "cases) and (..., cases)."
        )
    constant = np.argwhere(np.ptp(x, axis=-1) == 0.0)
    if constant.size:
        raise ValueError(
            f"inputs: input {constant[0][-1]} is the same in all cases. Omit this input. If the input "
            "was dispersed, its "
            "dispersion was not applied."
        )
    if (np.ptp(y, axis=-1) == 0.0).any():
        raise ValueError("response: the response is the same in all cases. Give a response that varies.")
    return x, y


def _correlation_interval(r: np.ndarray, degrees: int, confidence: float) -> Estimate:
    """Interval of a rank correlation by Fisher's transformation with the variance of Bonett and Wright."""
    error = np.sqrt((1 + 0.5 * r**2) / degrees)
    low, high = around(np.arctanh(np.clip(r, -1 + 1e-15, 1 - 1e-15)), error, two_sided(confidence)).interval
    return Estimate(r, np.tanh(low), np.tanh(high))


def rank_correlation(inputs: Any, response: Any, confidence: float = 0.9) -> Estimate:
    """Return Spearman's rank correlation of each input with the response, with confidence intervals.

    - inputs: (..., inputs, cases), in any units.
    - response: (..., cases).
    - confidence: confidence level of the intervals, between 0 and 1. Default: 0.9.

    The result is an `Estimate` (..., inputs), between -1 and 1. Raises ValueError for constant inputs.

    >>> draw = np.random.default_rng(1).normal(size=(2, 500))
    >>> rank_correlation(draw, draw[0] ** 3).value[0].round(3)
    np.float64(1.0)

    Source: Bonett and Wright, Psychometrika 65 (2000) 23: artanh r has the variance (1 + r^2 / 2) / (n - 3).
    The formula is valid for rank correlations r up to about 0.9.
    """
    level = check_probability("confidence", confidence)
    x, y = check_sample(inputs, response, 5)
    r = _correlations(mean_ranks(x), mean_ranks(y)[..., None, :])[..., 0]
    return _correlation_interval(r, x.shape[-1] - 3, level)


def partial_rank_correlation(inputs: Any, response: Any, confidence: float = 0.9) -> Estimate:
    """Return the rank correlation of each input with the response, after removal of the linear effect of the
    other inputs.

    - inputs, response, confidence: see `rank_correlation`. The number of cases must exceed the number
      of inputs + 3.

    The result is an `Estimate` (..., inputs). Partial correlation separates the effects of inputs that are
    correlated with each other. Raises ValueError for constant or linearly dependent inputs.

    >>> x = np.random.default_rng(1).normal(size=(2, 500))
    >>> partial_rank_correlation(x, x[0] + 0.1 * x[1]).value.round(1).tolist()
    [1.0, 0.9]

    Source: Iman and Conover, Technometrics 21 (1979) 499, from the inverse of the matrix of rank
    correlations. The interval is that of `rank_correlation`, with the number of cases reduced by one for each
    other input.
    """
    level = check_probability("confidence", confidence)
    x, y = check_sample(inputs, response, np.shape(inputs)[-2] + 4)
    ranks = np.concatenate([mean_ranks(x), mean_ranks(y)[..., None, :]], axis=-2)
    inverse = _inverse(_correlations(ranks, ranks))
    scale = np.sqrt(np.diagonal(inverse, axis1=-2, axis2=-1))
    r = -inverse[..., :-1, -1] / (scale[..., :-1] * scale[..., -1:])
    return _correlation_interval(r, x.shape[-1] - 3 - (x.shape[-2] - 1), level)


def _correlations(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Matrix of the correlations of rows of two arrays."""
    a, b = (z - z.mean(-1, keepdims=True) for z in (first, second))
    a, b = (z / np.sqrt((z**2).sum(-1, keepdims=True)) for z in (a, b))
    return a @ np.swapaxes(b, -1, -2)


def _inverse(matrix: np.ndarray) -> np.ndarray:
    if (np.linalg.cond(matrix) > 1e12).any():
        raise ValueError("inputs: some inputs are linear combinations of other inputs. Omit these inputs.")
    return np.linalg.inv(matrix)


@dataclass(frozen=True)
class Regression:
    """Linear regression of the response on all inputs.

    - standardized: coefficients (..., inputs) with intervals, in standard deviations of the response
      per standard deviation of the input.
    - explained: R^2 (...,).
    - adjusted: R^2 corrected for the number of inputs (...,).
    - shares: (..., inputs), coefficient of each input times its correlation with the response. The
      sum is R^2. A share can be negative if inputs are correlated.
    """

    standardized: Estimate
    explained: Any
    adjusted: Any
    shares: Any

    @property
    def sentence(self) -> str:
        """Return a sentence that states whether the coefficients describe the response."""
        explained = float(np.min(self.explained))
        if explained < LEAST_EXPLAINED:
            return (
                f"A linear function of the inputs explains only {100 * explained:.0f} % of the variance. The "
                "standardized coefficients do not describe this response."
            )
        return f"A linear function of the inputs explains {100 * explained:.3g} % of the variance."


def regression(inputs: Any, response: Any, confidence: float = 0.9) -> Regression:
    """Return the linear regression of the response on all inputs, with standardized coefficients and R^2.

    - inputs, response, confidence: see `rank_correlation`. The number of cases must exceed the number
      of inputs + 3.

    Raises ValueError for constant or linearly dependent inputs. The intervals follow from the delta method
    and are valid for any distributions. For standardized inputs u with the correlation matrix R, standardized
    response v, and residual e, case i has this influence on the coefficient beta_j: (R^-1 u_i)_j e_i + beta_j
    (u_ij^2 - v_i^2) / 2.

    >>> x = np.random.default_rng(1).normal(size=(2, 500))
    >>> regression(x, 3 * x[0] + 4 * x[1]).standardized.value.round(1).tolist()
    [0.5, 0.8]

    Source: Yuan and Chan, Psychometrika 76 (2011) 670. Shares: Hoffman, Psychological Bulletin 57 (1960) 116;
    Pratt, Proceedings of the Second International Tampere Conference in Statistics (1987) 245.
    """
    level = check_probability("confidence", confidence)
    x, y = check_sample(inputs, response, np.shape(inputs)[-2] + 4)
    count, n = x.shape[-2:]
    u, v = (_standard(z) for z in (x, y))
    inverse = _inverse(u @ np.swapaxes(u, -1, -2) / n)
    correlation = u @ v[..., None] / n
    beta = (inverse @ correlation)[..., 0]
    residual = v - (beta[..., None, :] @ u)[..., 0, :]
    explained = 1.0 - (residual**2).mean(-1)
    influence = (inverse @ u) * residual[..., None, :]
    influence += 0.5 * beta[..., None] * (u**2 - v[..., None, :] ** 2)
    error = np.sqrt((influence**2).sum(-1) / n / (n - count - 1))
    adjusted = 1.0 - (1.0 - explained) * (n - 1) / (n - count - 1)
    return Regression(around(beta, error, two_sided(level)), explained, adjusted, beta * correlation[..., 0])


def _standard(values: np.ndarray) -> np.ndarray:
    centred = values - values.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True))
