"""Statistics of normal distributions: intervals of mean and sigma, tolerance factors, and tests of normality.

These statistics are valid only for normally distributed values. Tolerance factors for extreme fractions are
the most sensitive to deviations from a normal distribution. Percentiles by order statistics
(`interstage.statistics.percentiles`) do not need this assumption.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from scipy import special

from ..maths.roots import zero_between
from .inputs import check_count, check_probability, check_values
from .intervals import Estimate, around, student, two_sided

NODES, REACH = 200, 9.0
"""Number of nodes of the Gauss-Legendre quadrature, and range of the integration in standard deviations."""
TINY = 1e-100
"""Smallest value of a factor, which replaces 0."""
MOST_SHAPIRO = 5000
"""Largest number of cases for which the p-value of the Shapiro-Wilk test is valid."""


def mean_interval(values: Any, confidence: float = 0.9) -> Estimate:
    """Return the mean of values (..., cases) with its confidence interval, in the unit of the values.

    The interval follows from Student's t distribution: it is exact for normally distributed values, and
    asymptotic for other values. Raises ValueError for fewer than 2 cases.

    >>> [round(float(number), 4) for number in mean_interval([1.0, 2.0, 3.0])]
    [2.0, 0.3141, 3.6859]
    """
    array = check_values("values", values, 2)
    n = array.shape[-1]
    factor = student(check_probability("confidence", confidence), n - 1)
    return around(array.mean(-1), array.std(-1, ddof=1) / np.sqrt(n), factor)


def sigma_interval(
    values: Any, confidence: float = 0.9, method: Literal["normal", "moments"] = "normal"
) -> Estimate:
    """Return the standard deviation of values (..., cases) with its confidence interval, in the unit of the
    values.

    - confidence: confidence level of the interval, between 0 and 1. Default: 0.9.
    - method: "normal" uses the chi-squared distribution and is exact for normally distributed values.
      "moments" uses the fourth moment of the values, without an assumption on their distribution, and
      is asymptotic. Default: "normal".

    The method "moments" uses the standard error of the logarithm of the variance: sqrt((g - (n - 3) / (n -
    1)) / n), where g is the kurtosis (Bonett, Comput. Stat. Data Anal. 50 (2006) 775).

    Raises ValueError for fewer than 2 cases, or for fewer than 4 cases with "moments".

    >>> [round(float(number), 4) for number in sigma_interval([1.0, 2.0, 3.0])]
    [1.0, 0.5778, 4.4154]
    """
    array = check_values("values", values, 4 if method == "moments" else 2)
    level, n = check_probability("confidence", confidence), array.shape[-1]
    sigma = array.std(-1, ddof=1)
    if method == "moments":
        fourth = ((array - array.mean(-1, keepdims=True)) ** 4).sum(-1)
        kurtosis = n * fourth / np.maximum(((n - 1) * sigma**2) ** 2, np.finfo(float).tiny)
        half = 0.5 * two_sided(level) * np.sqrt(np.maximum(kurtosis - (n - 3) / (n - 1), 0.0) / n)
        return Estimate(sigma, sigma * np.exp(-half), sigma * np.exp(half))
    lower, upper = (special.chdtri(n - 1, risk) for risk in (0.5 - 0.5 * level, 0.5 + 0.5 * level))
    return Estimate(sigma, sigma * np.sqrt((n - 1) / lower), sigma * np.sqrt((n - 1) / upper))


@lru_cache(maxsize=1024)
def tolerance_factor(cases: int, fraction: float, confidence: float = 0.9, sides: Literal[1, 2] = 1) -> float:
    """Return the factor k of a tolerance limit of normally distributed values.

    The limit is mean + k sigma, or with 2 sides mean -/+ k sigma.

    - cases: number of cases n from which mean and standard deviation are estimated, 2 or more.
    - fraction: fraction of all cases that is within the limit.
    - confidence: confidence level of the limit, between 0 and 1. Default: 0.9.
    - sides: 1 or 2. Default: 1.

    Raises ValueError for impossible values.

    >>> f"{tolerance_factor(10, 0.95, 0.95):.4f} {tolerance_factor(10, 0.95, 0.95, 2):.4f}"
    '2.9110 3.3934'

    Source: For one side, k sqrt(n) is the quantile of the noncentral t distribution with n - 1 degrees of
    freedom and noncentrality z_p sqrt(n) (Owen, Technometrics 10 (1968) 445). For two sides, see Odeh,
    Commun. Stat. B 7 (1978) 183, and Krishnamoorthy and Mathew, Statistical Tolerance Regions, 2009. Both
    factors are integrated over the sample mean. The factors are not approximations such as Howe's.
    """
    n = check_count("cases", cases, 2)
    p, c = check_probability("fraction", fraction), check_probability("confidence", confidence)
    if sides not in (1, 2):
        raise ValueError(f"sides: {sides} is not 1 or 2.")
    shortfall = _one_sided(n, p, c) if sides == 1 else _two_sided(n, p, c)
    low, high = 0.0, 4.0 + float(abs(special.ndtri(p)))
    while shortfall(low) > 0.0:
        low = low * 2 - high
    while shortfall(high) < 0.0:
        high *= 2
    return zero_between(shortfall, low, high, 1e-13)


def _one_sided(n: int, p: float, c: float) -> Callable[[float], float]:
    """Confidence of a factor k less the wanted one, P(z + z_p sqrt(n) <= k sqrt(n) s) - c with z standard
    normal."""
    shift = float(special.ndtri(p) * np.sqrt(n))

    def confidence(k: float) -> float:
        if k == 0.0:
            return float(special.ndtr(-shift))
        return _noncentral(k, shift) if k > 0.0 else 1.0 - _noncentral(-k, -shift)

    def _noncentral(k: float, shift: float) -> float:
        low = float(np.clip(-shift, -REACH, REACH))
        z, weight = _over_mean(low, REACH)
        square = ((z + shift) / k) ** 2 / n
        return float(special.ndtr(low) + weight @ special.chdtrc(n - 1, (n - 1) * square))

    return lambda k: confidence(k) - c


@lru_cache(maxsize=1)
def _nodes() -> tuple[np.ndarray, np.ndarray]:
    return np.polynomial.legendre.leggauss(NODES)


def _over_mean(low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights of an integral with the standard normal density."""
    node, weight = _nodes()
    z = low + 0.5 * (high - low) * (node + 1)
    return z, 0.5 * (high - low) * weight * np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi)


def _two_sided(n: int, p: float, c: float) -> Callable[[float], float]:
    """Confidence of a factor k less the wanted one, by integration over the sample mean.

    A mean that is off by d needs mean -/+ r to contain the fraction p. Here r^2 is a quantile of the
    noncentral chi-squared distribution: of fraction p, with one degree of freedom and noncentrality d^2.
    The sample sigma must be r / k at least."""
    z, weight = _over_mean(0.0, REACH)
    square = special.chndtrix(p, 1, z**2 / n)
    return lambda k: float(2 * weight @ special.chdtrc(n - 1, (n - 1) * square / max(k, TINY) ** 2)) - c


@dataclass(frozen=True)
class Normality:
    """Results of two tests of normality: Anderson-Darling, and for up to 5000 cases Shapiro-Wilk.

    - cases: number of cases.
    - statistic: statistic A*^2 of the Anderson-Darling test.
    - p_value: p-value of the Anderson-Darling test.
    - shapiro: p-value of the Shapiro-Wilk test; NaN for more than 5000 cases.
    - skewness, kurtosis: skewness and excess kurtosis of the sample; 0 for a normal distribution.
    """

    cases: int
    statistic: float
    p_value: float
    shapiro: float
    skewness: float
    kurtosis: float

    def sentence(self, significance: float = 0.05) -> str:
        """Return the result of the tests as a sentence.

        significance: probability with which the test rejects a normal distribution. Default: 0.05.
        """
        shape = f"skewness {self.skewness:.2g}, excess kurtosis {self.kurtosis:.2g}"
        if self.p_value < significance:
            text = f"The values are not normally distributed (p = {self.p_value:.2g}; {shape})."
            return f"{text} Use order statistics."
        return (
            f"The test does not reject a normal distribution (p = {self.p_value:.2g}; {shape}). {self.cases} "
            f"cases give no information on probabilities below 1 in {self.cases}."
        )


def anderson_darling(values: Any) -> tuple[Any, Any]:
    """Return the statistic A*^2 and the p-value (...,) of the Anderson-Darling test of normality.

    - values: (..., cases), with 8 cases or more. Mean and sigma are estimated from the values.

    With many cases, the test finds deviations that are too small to matter. With few cases, it misses large
    deviations. The test does not show anything about values beyond the sample. Raises ValueError for fewer
    than 8 cases or constant values.

    >>> [round(float(number), 3) for number in anderson_darling(np.arange(20.0))]
    [0.23, 0.806]

    Source: Stephens in D'Agostino and Stephens, Goodness-of-Fit Techniques, 1986: A*^2 = A^2 (1 + 0.75 / n +
    2.25 / n^2). The p-values follow from his four polynomials.
    """
    array = np.sort(check_values("values", values, 8), axis=-1)
    n, sigma = array.shape[-1], array.std(-1, ddof=1, keepdims=True)
    if (sigma == 0.0).any():
        raise ValueError("values: all values are equal. Give values that differ for a test of normality.")
    standard = (array - array.mean(-1, keepdims=True)) / sigma
    odd = 2 * np.arange(1, n + 1) - 1
    terms = special.log_ndtr(standard) + special.log_ndtr(-np.flip(standard, -1))
    statistic = (-n - (odd * terms).mean(-1)) * (1 + 0.75 / n + 2.25 / n**2)
    return statistic, _p_value(statistic)


def _p_value(a: Any) -> Any:
    """P-values of A*^2 by Stephens' polynomials."""
    low = 1 - np.exp(
        np.where(a < 0.2, -13.436 + 101.14 * a - 223.73 * a**2, -8.318 + 42.796 * a - 59.938 * a**2)
    )
    bounded = np.minimum(a, 12.0)
    middle, high = 0.9177 - 4.279 * a - 1.38 * a**2, 1.2937 - 5.709 * bounded + 0.0186 * bounded**2
    return np.where(a < 0.34, low, np.exp(np.where(a < 0.6, middle, high)))[()]


def normality(values: Any) -> Normality:
    """Test whether values (cases,) are normally distributed, and return the results.

    The limitations of the tests are described in `Normality` and `anderson_darling`. Raises ValueError for
    fewer than 8 cases or constant values.

    >>> draw = np.random.default_rng(1)
    >>> normality(draw.exponential(size=500)).p_value < 1e-6
    True
    """
    array = check_values("values", values, 8)
    if array.ndim != 1:
        raise ValueError(
            f"values: shape {array.shape} has several axes. Give the values of one response, shape (cases,)."
        )
    statistic, p_value = anderson_darling(array)
    standard = (array - array.mean()) / array.std()
    shapiro = np.nan
    if array.size <= MOST_SHAPIRO:
        from scipy import stats  # slow to import

        shapiro = float(stats.shapiro(array).pvalue)
    moments = (standard**3).mean(), (standard**4).mean() - 3
    return Normality(array.size, float(statistic), float(p_value), shapiro, *map(float, moments))
