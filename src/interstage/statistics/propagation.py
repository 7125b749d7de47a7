"""First-order propagation: mean and sigma of a response, and shares of the inputs, from derivatives in one
case.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .inputs import check_values
from .intervals import Estimate
from .normal import mean_interval, sigma_interval

SKEWED = 0.3
"""Skewness above which a difference from first-order statistics is attributed to the curvature of the
response.
"""


@dataclass(frozen=True)
class FirstOrder:
    """Mean and dispersion of a response, computed from its derivatives.

    - mean: response at the nominal inputs.
    - sigma: standard deviation, in the unit of the mean.
    - shares: (inputs,), fraction of the variance that each input causes. The sum is 1. A share can be
      negative if inputs are correlated.
    """

    mean: float
    sigma: float
    shares: np.ndarray


def propagate(derivatives: Any, sigmas: Any, nominal: float = 0.0, correlation: Any = None) -> FirstOrder:
    """Return mean and sigma of a response, and the shares of the inputs, from derivatives.

    - derivatives: (inputs,), derivatives of the response, in the unit of the response per unit of the
      input.
    - sigmas: (inputs,), standard deviations of the inputs.
    - nominal: response of the nominal case. Default: 0.
    - correlation: (inputs, inputs), correlation matrix of the inputs. Default: no correlation.

    Raises ValueError if shapes differ, or if a sigma is negative.

    >>> found = propagate([3.0, 4.0], [1.0, 1.0])
    >>> found.sigma, found.shares.tolist()
    (5.0, [0.36, 0.64])

    Source: JCGM 100:2008 (GUM), section 5: variance = sum of a_i r_ij a_j, with a_i = derivative times sigma.
    The share of input i is a_i (r a)_i over the variance.
    """
    slope, sigma = check_values("derivatives", derivatives), check_values("sigmas", sigmas)
    if slope.shape != sigma.shape or slope.ndim != 1 or (sigma < 0.0).any():
        raise ValueError(
            f"sigmas: shape {sigma.shape} does not match the derivatives {slope.shape}. Give one sigma"
            " of at least "
            "0 for each derivative."
        )
    matrix = np.eye(slope.size) if correlation is None else np.asarray(correlation, float)
    if matrix.shape != (slope.size, slope.size):
        raise ValueError(
            f"correlation: shape {matrix.shape} does not match {slope.size} inputs. Give one row and"
            " one column for each input."
        )
    effect = slope * sigma
    parts = effect * (matrix @ effect)
    variance = parts.sum()
    shares = parts / variance if variance > 0.0 else np.zeros(slope.size)
    return FirstOrder(float(nominal), float(np.sqrt(max(variance, 0.0))), shares)


@dataclass(frozen=True)
class PropagationCheck:
    """First-order statistics compared with statistics of sampled cases.

    - first_order: statistics from derivatives.
    - mean, sigma: mean and standard deviation of the cases, with intervals.
    - skewness: skewness of the cases.
    - mean_agrees, sigma_agrees: whether the first-order value is within the interval.
    """

    first_order: FirstOrder
    mean: Estimate
    sigma: Estimate
    skewness: float
    mean_agrees: bool
    sigma_agrees: bool

    @property
    def sentence(self) -> str:
        """Return the comparison of derivatives and sampled cases as a sentence."""
        if self.mean_agrees and self.sigma_agrees:
            return "Mean and sigma from the derivatives are within the intervals of the sampled cases."
        shift = (self.mean.value - self.first_order.mean) / self.sigma.value
        text = (
            "The derivatives do not describe the dispersion. The mean of the sampled cases differs from the "
            f"mean from the derivatives by {shift:.2g} sigma. The sigma of the sampled cases is "
            f"{self.sigma.value / self.first_order.sigma:.3g} times the sigma from the derivatives."
        )
        if abs(self.skewness) > SKEWED or not self.mean_agrees:
            return f"{text} The response is not linear over the dispersions (skewness {self.skewness:.2g})."
        return (
            f"{text} Check for inputs without derivatives, such as failures, and for kinks of the response."
        )


def compare_propagation(first_order: FirstOrder, values: Any, confidence: float = 0.99) -> PropagationCheck:
    """Compare first-order statistics with the statistics of sampled cases.

    - first_order: result of `propagate`.
    - values: (cases,), response of random cases, in the same unit.
    - confidence: confidence level of the intervals, between 0 and 1. The confidence is high, so that a
      difference is significant. Default: 0.99.

    Raises ValueError for fewer than 20 cases, or if the first-order sigma is 0.

    >>> x = np.random.default_rng(2).normal(size=500)
    >>> compare_propagation(propagate([2.0], [1.0]), 2 * x).sentence
    'Mean and sigma from the derivatives are within the intervals of the sampled cases.'
    """
    array = check_values("values", values, 20)
    if first_order.sigma <= 0.0:
        raise ValueError(
            "first_order: sigma is 0. Give the derivatives with respect to the dispersed inputs."
        )
    mean, sigma = mean_interval(array, confidence), sigma_interval(array, confidence, "moments")
    skewness = float((((array - array.mean()) / array.std()) ** 3).mean())
    return PropagationCheck(
        first_order,
        mean,
        sigma,
        skewness,
        bool(mean.interval.contains(first_order.mean)),
        bool(sigma.interval.contains(first_order.sigma)),
    )
