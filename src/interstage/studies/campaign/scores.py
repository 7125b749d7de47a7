"""Standard normal scores of the random streams of a campaign, with correlations and importance sampling.

Source of the weights: A. B. Owen, "Monte Carlo theory, methods and examples", chapter 9 (importance
sampling).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import ndtri

from .streams import Streams


@dataclass(frozen=True)
class Group:
    """A group of correlated scores.

    The score of rows[i] is the sum over j of factor[i, j] times the independent score of sources[j]. Each row
    of `factor` has the Euclidean norm 1.
    """

    rows: tuple[int, ...]
    sources: tuple[int, ...]
    factor: np.ndarray

    @cached_property
    def matrix(self) -> np.ndarray:
        """Return the correlation matrix (rows, rows) of the group."""
        return self.factor @ self.factor.T

    @cached_property
    def whitening(self) -> np.ndarray:
        """Return the lower triangular matrix (rows, rows) that transforms the correlated scores to
        independent scores.
        """
        return np.linalg.inv(np.linalg.cholesky(self.matrix))

    def scores(self, independent: np.ndarray) -> np.ndarray:
        """Return the correlated scores (rows, cases) of the group. independent (streams, cases): independent
        scores of all streams.
        """
        return product_of(self.factor, independent[list(self.sources)])


def product_of(factor: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Return the product of a matrix (m, n) and scores (n, cases), summed in a fixed order.

    With a matrix product of a library, rounding can depend on the number of cases.
    """
    found = np.zeros((len(factor), scores.shape[1]))
    for i, row in enumerate(factor):
        for weight, one in zip(row, scores, strict=True):
            if weight:
                found[i] += weight * one
    return found


@dataclass(frozen=True)
class Scores:
    """Generator of the scores of several random streams.

    - streams: uniform random numbers.
    - groups: correlated streams.
    - shift, widen (streams,): shift of the mean and factor of the standard deviation, for importance
      sampling.
    """

    streams: Streams
    groups: tuple[Group, ...]
    shift: np.ndarray
    widen: np.ndarray

    def draw(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the scores (streams, cases) of the cases `first` to `last` - 1, and the logarithms of their
        weights (cases,).
        """
        plain = self.from_independent(ndtri(self.streams.uniforms(first, last)))
        if not self._moves.any():
            return plain, np.zeros(last - first)
        moved = np.where(self._moves[:, None], self.shift[:, None] + self.widen[:, None] * plain, plain)
        weights = np.zeros(last - first)
        for rows, whitening in self._blocks():
            before, after = (product_of(whitening, one[list(rows)]) for one in (plain, moved))
            weights += 0.5 * ((before - after) * (before + after)).sum(axis=0)
            weights += float(np.log(self.widen[list(rows)]).sum())
        return moved, weights

    def from_independent(self, independent: np.ndarray) -> np.ndarray:
        """Return correlated scores (streams, cases) from independent standard normal numbers. Importance
        sampling is not applied.
        """
        plain = independent.copy()
        for group in self.groups:
            plain[list(group.rows)] = group.scores(independent)
        return plain

    @cached_property
    def _moves(self) -> np.ndarray:
        """Whether a stream has importance sampling, (streams,)."""
        return (self.shift != 0) | (self.widen != 1)

    def _blocks(self) -> list[tuple[tuple[int, ...], np.ndarray]]:
        """Correlated streams of which at least one has importance sampling, with the matrix that makes them
        independent."""
        grouped = {row: group for group in self.groups for row in group.rows}
        single = [
            ((row,), np.ones((1, 1))) for row in map(int, np.flatnonzero(self._moves)) if row not in grouped
        ]
        groups = [group for group in self.groups if self._moves[list(group.rows)].any()]
        return [*single, *((group.rows, group.whitening) for group in groups)]

    def mean_square_weight(self) -> float:
        """Return the expected square of the weights, or infinity if the expectation is unbounded.

        For a probability near 0.5, N weighted cases give the same error as N divided by this expectation
        unweighted cases.
        """
        total = 1.0
        for rows, whitening in self._blocks():
            total *= _mean_square(whitening.T @ whitening, self.shift[list(rows)], self.widen[list(rows)])
        return total


def _mean_square(precision: np.ndarray, shift: np.ndarray, widen: np.ndarray) -> float:
    """Integral of p^2 / q of normal densities: p of mean zero, q shifted and widened. precision: inverse of
    the covariance of p."""
    drawn = precision / np.outer(widen, widen)
    both = 2 * precision - drawn
    if np.linalg.eigvalsh(both).min() <= 0:
        return math.inf
    linear = drawn @ shift
    exponent = 0.5 * (linear @ np.linalg.solve(both, linear) + shift @ linear)
    size = 0.5 * np.linalg.slogdet(precision)[1] - 0.5 * np.linalg.slogdet(both)[1]
    return float(widen.prod() * np.exp(exponent + size))
