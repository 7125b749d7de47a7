"""Ranks of values along the last axis. Equal values have the mean of their ranks."""

from __future__ import annotations

import numpy as np


def mean_ranks(values: np.ndarray) -> np.ndarray:
    """Return the ranks (..., cases) of values (..., cases), from 1. Equal values have the mean of their
    ranks.

    >>> mean_ranks(np.array([2.0, 1.0, 2.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    n = values.shape[-1]
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, -1)
    place = np.broadcast_to(np.arange(1.0, n + 1), values.shape)
    new = np.ones(values.shape, bool)
    new[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    first = np.maximum.accumulate(np.where(new, place, 0.0), axis=-1)
    last_of = np.ones(values.shape, bool)
    last_of[..., :-1] = new[..., 1:]
    last = np.flip(np.minimum.accumulate(np.flip(np.where(last_of, place, np.inf), -1), axis=-1), -1)
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, 0.5 * (first + last), -1)
    return ranks
