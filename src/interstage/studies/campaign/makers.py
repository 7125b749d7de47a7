"""Compute the random values of a dispersion from standard normal scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import ndtr

from .distributions import Distribution


class Maker(Protocol):
    """Interface of objects that compute the random values of the members of a dispersion."""

    def values(self, scores: np.ndarray, index: np.ndarray) -> list[np.ndarray]:
        """Return the values (component..., cases) of each member.

        - scores (streams, cases): standard normal scores of the random streams of this dispersion.
        - index (cases,): index of the draw of each case, for tables that are read in order.
        """
        ...

    def log_weights(self, scores: np.ndarray) -> np.ndarray | float:
        """Return the logarithms of the weights (cases,) of discrete values.

        Weights differ from 1 only if importance sampling changes the probabilities.
        """
        ...


@dataclass(frozen=True)
class Continuous:
    """Continuous distributions of the members. `shared` states whether all members use the same random
    stream.
    """

    distributions: tuple[Distribution, ...]
    shared: bool

    def values(self, scores: np.ndarray, index: np.ndarray) -> list[np.ndarray]:
        return [law.at(scores[0 if self.shared else k]) for k, law in enumerate(self.distributions)]

    def log_weights(self, scores: np.ndarray) -> float:
        return 0.0


@dataclass(frozen=True)
class Odds:
    """Probabilities of discrete values.

    - true: declared probabilities.
    - drawn: probabilities with which the values are drawn. The probabilities differ from `true` with
      importance sampling.
    """

    true: np.ndarray
    drawn: np.ndarray

    def choose(self, scores: np.ndarray) -> np.ndarray:
        """Return the index (cases,) of the discrete value of each case. scores (cases,): standard normal
        scores.
        """
        ends = np.cumsum(self.drawn)[:-1]
        return np.searchsorted(ends, ndtr(scores), side="right")

    def log_weights(self, scores: np.ndarray) -> np.ndarray | float:
        """Return the logarithms of the weights (cases,). scores (cases,): standard normal scores."""
        if np.array_equal(self.true, self.drawn):
            return 0.0
        with np.errstate(divide="ignore"):
            return np.log(self.true / self.drawn)[self.choose(scores)]

    @property
    def mean_square(self) -> float:
        """Return the expected square of the weight of a case."""
        used = self.drawn > 0
        return float(np.sum(self.true[used] ** 2 / self.drawn[used]))


@dataclass(frozen=True)
class Choice:
    """Discrete values of the members.

    - tables: for each member, the discrete values (values, component...).
    - odds: probabilities of the discrete values.
    - shared: whether all members use the same random stream.
    """

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
    """Random selection of members, for example of failed devices. Selected members have the values `chosen`;
    the other members have the values `others` of the scenario.

    The first random stream gives the number of selected members from `counts`. The other streams give the
    order of the members.
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
    """Values from a table (rows, columns). The rows are drawn at random with replacement, or read in
    order.
    """

    table: np.ndarray
    in_order: bool

    def values(self, scores: np.ndarray, index: np.ndarray) -> list[np.ndarray]:
        count = len(self.table)
        row = index if self.in_order else np.minimum((ndtr(scores[0]) * count).astype(int), count - 1)
        return [np.ascontiguousarray(column) for column in self.table[row].T]

    def log_weights(self, scores: np.ndarray) -> float:
        return 0.0
