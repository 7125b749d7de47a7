"""Standard normal scores of the streams of a campaign: correlated, shifted, and weighted.

Source of the weights: A. B. Owen, "Monte Carlo theory, methods and examples", chapter 9 (importance
sampling)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import ndtri

from .streams import Streams


@dataclass(frozen=True)
class Group:
    """Correlated scores: the score of rows[i] is the sum over j of factor[i, j] times the independent score
    of sources[j]. Each row of `factor` has length one."""

    rows: tuple[int, ...]
    sources: tuple[int, ...]
    factor: np.ndarray

    @cached_property
    def matrix(self) -> np.ndarray:
        """Return the correlation matrix of the rows."""
        return self.factor @ self.factor.T

    @cached_property
    def whitening(self) -> np.ndarray:
        """Return the lower triangular matrix that makes the scores of the rows independent."""
        return np.linalg.inv(np.linalg.cholesky(self.matrix))

    def scores(self, independent: np.ndarray) -> np.ndarray:
        """Return correlated scores (rows, cases) from independent scores."""
        return product_of(self.factor, independent[list(self.sources)])


def product_of(factor: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Return the product of a matrix and scores (n, cases), summed in a fixed order.

    The rounding of a library's matrix product may depend on the number of cases.
    """
    found = np.zeros((len(factor), scores.shape[1]))
    for i, row in enumerate(factor):
        for weight, one in zip(row, scores, strict=True):
            if weight:
                found[i] += weight * one
    return found


@dataclass(frozen=True)
class Scores:
    """Scores of several streams. shift, widen (streams,): of importance sampling."""

    streams: Streams
    groups: tuple[Group, ...]
    shift: np.ndarray
    widen: np.ndarray

    def draw(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        """Return scores (streams, cases), and the logarithms of the weights of the cases (cases,)."""
        independent = ndtri(self.streams.uniforms(first, last))
        plain = independent.copy()
        for group in self.groups:
            plain[list(group.rows)] = group.scores(independent)
        if not self._moves.any():
            return plain, np.zeros(last - first)
        moved = np.where(self._moves[:, None], self.shift[:, None] + self.widen[:, None] * plain, plain)
        weights = np.zeros(last - first)
        for rows, whitening in self._blocks():
            before, after = (product_of(whitening, one[list(rows)]) for one in (plain, moved))
            weights += 0.5 * ((before - after) * (before + after)).sum(axis=0)
            weights += float(np.log(self.widen[list(rows)]).sum())
        return moved, weights

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
        """Return the expected square of the weights, or infinity if the expectation has no bound.

        For a probability near one half, N weighted cases have the error of N divided by this value unweighted
        cases.
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
