"""Continuous distributions of one input, evaluated at standard normal scores.

A score z gives the value of the distribution with the same cumulative probability as z. Draws, correlations
and shifts of all distributions are therefore defined by standard normal scores. Small probabilities in both
tails keep their relative precision.

Source: N. L. Johnson, S. Kotz and N. Balakrishnan, "Continuous Univariate Distributions", volumes 1 and 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special


class Distribution:
    """A continuous distribution. Arguments and results of its methods are arrays of any shape.

    `lower`(p) returns the values with cumulative probability p; `upper`(p) returns the values with exceedance
    probability p. `below`(x) and `above`(x) return the probabilities below and above a value x.
    """

    @property
    def mean(self) -> float:
        """Return the mean of the distribution."""
        raise NotImplementedError

    @property
    def sigma(self) -> float:
        """Return the standard deviation of the distribution."""
        raise NotImplementedError

    def lower(self, p: Any) -> Any:
        """Return the values with cumulative probability p."""
        raise NotImplementedError

    def upper(self, p: Any) -> Any:
        """Return the values with exceedance probability p."""
        raise NotImplementedError

    def below(self, x: Any) -> Any:
        """Return the probability of values below x."""
        raise NotImplementedError

    def above(self, x: Any) -> Any:
        """Return the probability of values above x."""
        raise NotImplementedError

    def at(self, z: np.ndarray) -> np.ndarray:
        """Return the values at standard normal scores z (cases,)."""
        found = np.empty(z.shape)
        low = z < 0
        found[low] = self.lower(special.ndtr(z[low]))
        found[~low] = self.upper(special.ndtr(-z[~low]))
        return found


@dataclass(frozen=True)
class Normal(Distribution):
    """Normal distribution. `centre` is the mean; `spread` is the standard deviation."""

    centre: float
    spread: float

    @property
    def mean(self) -> float:
        return self.centre

    @property
    def sigma(self) -> float:
        return self.spread

    def lower(self, p: Any) -> Any:
        return self.centre + self.spread * special.ndtri(p)

    def upper(self, p: Any) -> Any:
        return self.centre - self.spread * special.ndtri(p)

    def below(self, x: Any) -> Any:
        return special.ndtr((x - self.centre) / self.spread)

    def above(self, x: Any) -> Any:
        return special.ndtr((self.centre - x) / self.spread)

    def at(self, z: np.ndarray) -> np.ndarray:
        return self.centre + self.spread * z


@dataclass(frozen=True)
class LogNormal(Distribution):
    """Log-normal distribution. `log_mean` and `log_sigma` are the mean and the standard deviation of the
    logarithm.
    """

    log_mean: float
    log_sigma: float

    @property
    def mean(self) -> float:
        return math.exp(self.log_mean + self.log_sigma**2 / 2)

    @property
    def sigma(self) -> float:
        return self.mean * math.sqrt(math.expm1(self.log_sigma**2))

    def lower(self, p: Any) -> Any:
        return np.exp(self.log_mean + self.log_sigma * special.ndtri(p))

    def upper(self, p: Any) -> Any:
        return np.exp(self.log_mean - self.log_sigma * special.ndtri(p))

    def _score(self, x: Any) -> Any:
        x = np.asarray(x, float)
        positive = x > 0
        return np.where(
            positive, (np.log(np.where(positive, x, 1.0)) - self.log_mean) / self.log_sigma, -np.inf
        )

    def below(self, x: Any) -> Any:
        return special.ndtr(self._score(x))

    def above(self, x: Any) -> Any:
        return special.ndtr(-self._score(x))

    def at(self, z: np.ndarray) -> np.ndarray:
        return np.exp(self.log_mean + self.log_sigma * z)


@dataclass(frozen=True)
class Uniform(Distribution):
    """Uniform distribution between `low` and `high`."""

    low: float
    high: float

    @property
    def mean(self) -> float:
        return (self.low + self.high) / 2

    @property
    def sigma(self) -> float:
        return (self.high - self.low) / math.sqrt(12)

    def lower(self, p: Any) -> Any:
        return self.low + (self.high - self.low) * p

    def upper(self, p: Any) -> Any:
        return self.high - (self.high - self.low) * p

    def below(self, x: Any) -> Any:
        return np.clip((x - self.low) / (self.high - self.low), 0.0, 1.0)

    def above(self, x: Any) -> Any:
        return np.clip((self.high - x) / (self.high - self.low), 0.0, 1.0)


@dataclass(frozen=True)
class Triangular(Distribution):
    """Triangular distribution between `low` and `high` with its peak at `mode`."""

    low: float
    mode: float
    high: float

    @property
    def mean(self) -> float:
        return (self.low + self.mode + self.high) / 3

    @property
    def sigma(self) -> float:
        a, c, b = self.low, self.mode, self.high
        return math.sqrt(((a - b) ** 2 + (a - c) ** 2 + (b - c) ** 2) / 36)

    def lower(self, p: Any) -> Any:
        return _triangle(p, self.low, self.mode, self.high)

    def upper(self, p: Any) -> Any:
        return -_triangle(p, -self.high, -self.mode, -self.low)

    def below(self, x: Any) -> Any:
        return _below_triangle(x, self.low, self.mode, self.high)

    def above(self, x: Any) -> Any:
        return _below_triangle(-np.asarray(x, float), -self.high, -self.mode, -self.low)


def _triangle(p: Any, low: float, mode: float, high: float) -> Any:
    """Values of a triangular distribution with probability p below them."""
    width, rise, fall = high - low, mode - low, high - mode
    rising = p * width < rise
    return np.where(rising, low + np.sqrt(p * width * rise), high - np.sqrt((1 - p) * width * fall))


def _below_triangle(x: Any, low: float, mode: float, high: float) -> Any:
    """Probability of a triangular distribution below x."""
    x = np.clip(np.asarray(x, float), low, high)
    width, rise, fall = high - low, mode - low, high - mode
    up = (x - low) ** 2 / (width * (rise or 1.0))
    down = 1 - (high - x) ** 2 / (width * (fall or 1.0))
    return np.where(x < mode, up, down)


@dataclass(frozen=True)
class Beta(Distribution):
    """Beta distribution between `low` and `high` with the shape parameters `alpha` and `beta`."""

    alpha: float
    beta: float
    low: float
    high: float

    @property
    def mean(self) -> float:
        return self.low + (self.high - self.low) * self.alpha / (self.alpha + self.beta)

    @property
    def sigma(self) -> float:
        total = self.alpha + self.beta
        return (self.high - self.low) / total * math.sqrt(self.alpha * self.beta / (total + 1))

    def lower(self, p: Any) -> Any:
        return self.low + (self.high - self.low) * special.betaincinv(self.alpha, self.beta, p)

    def upper(self, p: Any) -> Any:
        return self.high - (self.high - self.low) * special.betaincinv(self.beta, self.alpha, p)

    def below(self, x: Any) -> Any:
        part = np.clip((x - self.low) / (self.high - self.low), 0.0, 1.0)
        return special.betainc(self.alpha, self.beta, part)

    def above(self, x: Any) -> Any:
        part = np.clip((self.high - x) / (self.high - self.low), 0.0, 1.0)
        return special.betainc(self.beta, self.alpha, part)


@dataclass(frozen=True)
class Weibull(Distribution):
    """Weibull distribution of values above `location`. With `shape` 2, the distribution is a Rayleigh
    distribution."""

    shape: float
    scale: float
    location: float

    @property
    def mean(self) -> float:
        return self.location + self.scale * math.gamma(1 + 1 / self.shape)

    @property
    def sigma(self) -> float:
        first, second = (math.gamma(1 + k / self.shape) for k in (1, 2))
        return self.scale * math.sqrt(second - first**2)

    def lower(self, p: Any) -> Any:
        return self.location + self.scale * (-np.log1p(-p)) ** (1 / self.shape)

    def upper(self, p: Any) -> Any:
        return self.location + self.scale * (-np.log(p)) ** (1 / self.shape)

    def _power(self, x: Any) -> Any:
        with np.errstate(over="ignore"):  # an infinite power has probability zero above it
            return np.maximum((np.asarray(x, float) - self.location) / self.scale, 0.0) ** self.shape

    def below(self, x: Any) -> Any:
        return -np.expm1(-self._power(x))

    def above(self, x: Any) -> Any:
        return np.exp(-self._power(x))


@dataclass(frozen=True)
class SciPyDistribution(Distribution):
    """A continuous distribution of scipy.stats. `frozen` is the distribution object with its parameters."""

    frozen: Any

    @property
    def mean(self) -> float:
        return float(self.frozen.mean())

    @property
    def sigma(self) -> float:
        return float(self.frozen.std())

    def lower(self, p: Any) -> Any:
        return self.frozen.ppf(p)

    def upper(self, p: Any) -> Any:
        return self.frozen.isf(p)

    def below(self, x: Any) -> Any:
        return self.frozen.cdf(x)

    def above(self, x: Any) -> Any:
        return self.frozen.sf(x)


@dataclass(frozen=True)
class Truncated(Distribution):
    """Distribution `base`, truncated to values between `low` and `high`. The density between the limits is
    scaled so that its integral is 1.
    """

    base: Distribution
    low: float
    high: float

    @property
    def outside(self) -> tuple[float, float]:
        """Return the probabilities of values below `low` and above `high`, for the untruncated
        distribution.
        """
        return float(self.base.below(self.low)), float(self.base.above(self.high))

    @property
    def inside(self) -> float:
        """Return the probability of values between `low` and `high`, for the untruncated distribution."""
        under, over = self.outside
        if under > 0.5:
            return float(self.base.above(self.low)) - over
        if over > 0.5:
            return float(self.base.below(self.high)) - under
        return 1 - under - over

    def _value(self, p: Any, q: Any) -> Any:
        """Values with the probability p below and q = 1 - p above them within the limits."""
        (under, over), inside = self.outside, self.inside
        below, above = under + p * inside, over + q * inside
        found = np.where(
            below < above,
            self.base.lower(np.minimum(below, 0.5)),
            self.base.upper(np.minimum(above, 0.5)),
        )
        return np.clip(found, self.low, self.high)

    def lower(self, p: Any) -> Any:
        return self._value(p, 1 - p)

    def upper(self, p: Any) -> Any:
        return self._value(1 - p, p)

    def below(self, x: Any) -> Any:
        return np.clip((self.base.below(x) - self.outside[0]) / self.inside, 0.0, 1.0)

    def above(self, x: Any) -> Any:
        return np.clip((self.base.above(x) - self.outside[1]) / self.inside, 0.0, 1.0)
