"""Compute the values of one dispersion from the scores of its random streams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import ndtr

from .distributions import Distribution


class Maker(Protocol):
    """Values of the members of a dispersion."""

    def values(self, scores: np.ndarray, index: np.ndarray) -> list[np.ndarray]:
        """Return the values of each member (component..., cases).

        scores (streams, cases): scores of the streams of this dispersion. index (cases,): numbers of the
        draws.
        """
        ...

    def log_weights(self, scores: np.ndarray) -> np.ndarray | float:
        """Return the logarithms of the weights (cases,) of discrete values.

        Weights differ from 1 if importance sampling changes the probabilities.
        """
        ...


@dataclass(frozen=True)
class Continuous:
    """Distributions of the members. shared: whether all members use one stream."""

    distributions: tuple[Distribution, ...]
    shared: bool

    def values(self, scores: np.ndarray, index: np.ndarray) -> list[np.ndarray]:
        return [law.at(scores[0 if self.shared else k]) for k, law in enumerate(self.distributions)]

    def log_weights(self, scores: np.ndarray) -> float:
        return 0.0


@dataclass(frozen=True)
class Odds:
    """Probabilities of discrete values.

    true: declared probabilities. drawn: probabilities of the draws, which differ for importance sampling.
    """

    true: np.ndarray
    drawn: np.ndarray

    def choose(self, scores: np.ndarray) -> np.ndarray:
        """Return the index of the discrete value of each case, (cases,) int."""
        ends = np.cumsum(self.drawn)[:-1]
        return np.searchsorted(ends, ndtr(scores), side="right")

    def log_weights(self, scores: np.ndarray) -> np.ndarray | float:
        """Return the logarithms of the weights (cases,)."""
        if np.array_equal(self.true, self.drawn):
            return 0.0
        with np.errstate(divide="ignore"):
            return np.log(self.true / self.drawn)[self.choose(scores)]

    @property
    def mean_square(self) -> float:
        """Return the expected square of the weights."""
        used = self.drawn > 0
        return float(np.sum(self.true[used] ** 2 / self.drawn[used]))


@dataclass(frozen=True)
class Choice:
    """Discrete values. tables: (values, component...) of each member."""

    tables: tuple[np.ndarray, ...]
    odds: Odds
    shared: bool

    def values(self, scores: np.ndarray, index: np.ndarray) -> list[np.ndarray]:
        chosen = [self.odds.choose(one) for one in scores]
        return [
            np.moveaxis(table[chosen[0 if self.shared else k]], 0, -1) for k, table in enumerate(self.tables)
        ]

    def log_weights(self, scores: np.ndarray) -> np.ndarray | float:
        return sum((self.odds.log_weights(one) for one in scores), 0.0)


@dataclass(frozen=True)
class Subset:
    """Dispersion that gives a value to an exact number of random members. Other members keep the scenario
    value.

    The first stream draws the number of members, the other streams draw their order.
    """

    chosen: tuple[np.ndarray, ...]
    others: tuple[np.ndarray, ...]
    counts: np.ndarray
    odds: Odds

    def values(self, scores: np.ndarray, index: np.ndarray) -> list[np.ndarray]:
        count = self.counts[self.odds.choose(scores[0])]
        rank = np.argsort(np.argsort(scores[1:], axis=0, kind="stable"), axis=0, kind="stable")
        return [
            np.where(rank[k] < count, chosen[..., None], other[..., None])
            for k, (chosen, other) in enumerate(zip(self.chosen, self.others, strict=True))
        ]

    def log_weights(self, scores: np.ndarray) -> np.ndarray | float:
        return self.odds.log_weights(scores[0])


@dataclass(frozen=True)
class TableRows:
    """Rows of a table (rows, columns), drawn with replacement or in order."""

    table: np.ndarray
    in_order: bool

    def values(self, scores: np.ndarray, index: np.ndarray) -> list[np.ndarray]:
        count = len(self.table)
        row = index if self.in_order else np.minimum((ndtr(scores[0]) * count).astype(int), count - 1)
        return [np.ascontiguousarray(column) for column in self.table[row].T]

    def log_weights(self, scores: np.ndarray) -> float:
        return 0.0
