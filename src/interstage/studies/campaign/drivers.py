"""Drivers of the responses of a campaign: the inputs with the strongest effects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ...statistics.drivers import Regression, rank_correlation, regression
from ...statistics.intervals import Estimate
from .columns import INPUT, Output
from .summary import is_constant, values_of

if TYPE_CHECKING:
    from .result import CampaignResult


SAME_DRAW = 1e-12
"""Two inputs share one draw if their correlation differs from one by less than this number, which is a
rounding error of sums."""
SAME_VALUES = "There are no drivers, because the inputs or the response are the same in all cases."
TOO_FEW = "Drivers need at least 5 cases with a finite value."


@dataclass(frozen=True)
class Drivers:
    """Effects of the inputs on one response, the strongest first.

    Inputs are ordered by the larger of two measures: the rank correlation and the share of the variance.

    - inputs: names of the inputs.
    - rank (inputs,): rank correlations with confidence intervals.
    - regression: linear regression, see `statistics.regression`; None without a regression.
    - note: reason why a result is missing, or empty.
    """

    inputs: tuple[str, ...]
    rank: Estimate
    regression: Regression | None
    note: str = ""

    @property
    def has_large_share(self) -> np.ndarray:
        """Return for each input (inputs,) whether its share of the variance is larger than the magnitude of
        its rank correlation.
        """
        if self.regression is None:
            return np.zeros(len(self.inputs), bool)
        return np.abs(self.regression.shares) > np.abs(self.rank.value)

    @property
    def is_known(self) -> np.ndarray:
        """Return for each input (inputs,) whether the confidence interval of its larger measure excludes
        zero.
        """
        known = (self.rank.lower > 0) | (self.rank.upper < 0)
        if self.regression is None:
            return known
        found = self.regression.standardized
        return np.where(self.has_large_share, (found.lower > 0) | (found.upper < 0), known)


def drivers(result: CampaignResult, output: Output) -> Drivers:
    """Return the drivers of a response. Only cases with finite values are used.

    output: response or limit. If there are too few cases, the result has no inputs.
    """
    values = values_of(result, output)
    names = [one.name for one in result.manifest.names.inputs]
    labels = {one.name: one.label for one in result.manifest.names.inputs}
    inputs = np.array([result.columns[INPUT + name] for name in names]).reshape(len(names), len(result))
    fine = np.isfinite(values) & np.isfinite(inputs).all(axis=0)
    inputs, values = inputs[:, fine], values[fine]
    if result.is_weighted:
        return _none("Drivers are not computed for weighted cases.")
    moving = np.ptp(inputs, axis=1) > 0 if fine.any() else np.zeros(len(names), bool)
    if len(values) < 5 or not moving.any() or is_constant(values):
        return _none(SAME_VALUES if len(values) > 4 else TOO_FEW)
    inputs, names = inputs[moving], [name for name, moves in zip(names, moving, strict=True) if moves]
    kept, together = _distinct(inputs, [labels[name] for name in names])
    inputs, names = inputs[kept], [names[k] for k in kept]
    rank = rank_correlation(inputs, values, result.confidence)
    found, note, size = None, "", np.abs(rank.value)
    try:
        found = regression(inputs, values, result.confidence)
        note, size = found.sentence, np.maximum(size, np.abs(found.shares))
    except ValueError as error:
        note = f"There is no regression: {error}"
    note = " ".join(filter(None, (note, together)))
    order = np.argsort(-size, kind="stable")
    if found is not None:
        ordered = _in_order(found.standardized, order)
        found = replace(found, standardized=ordered, shares=found.shares[order])
    return Drivers(tuple(names[k] for k in order), _in_order(rank, order), found, note)


def _distinct(inputs: np.ndarray, labels: Sequence[str]) -> tuple[list[int], str]:
    """Indices of the inputs without those that are a linear function of one earlier input, and a sentence
    about the omitted inputs. inputs: (input, case), none of them constant."""
    scores = inputs - inputs.mean(axis=1, keepdims=True)
    scores /= np.linalg.norm(scores, axis=1, keepdims=True)
    first = np.argmax(np.abs(scores @ scores.T) > 1 - SAME_DRAW, axis=1)
    kept = [k for k in range(len(labels)) if first[k] == k]
    followers = {k: ", ".join(labels[int(j)] for j in np.flatnonzero(first == k) if j != k) for k in kept}
    pairs = [f"{labels[k]} with {own}" for k, own in followers.items() if own]
    return kept, f"Inputs that share one draw count as one input: {'; '.join(pairs)}." if pairs else ""


def _in_order(found: Estimate, order: np.ndarray) -> Estimate:
    return Estimate(*(np.asarray(part)[order] for part in found))


def _none(note: str) -> Drivers:
    return Drivers((), Estimate(*(np.zeros(0),) * 3), None, note)
