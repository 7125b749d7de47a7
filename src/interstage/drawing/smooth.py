"""Draw smooth curves between samples that are far apart."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

PARTS = 8
"""Number of straight segments between two samples. For a cubic, the error is 1/64 of the error of one
straight line.
"""


def smooth(
    times: np.ndarray, values: np.ndarray, slopes: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return times and values of a smooth curve: cubic polynomials with additional points between the
    samples.

    - times, values: samples (n,).
    - slopes: slopes of the curve at the samples (n,). If both slopes of an interval point towards the
      next sample, they are limited so that the cubic stays between both samples. Default: computed so
      that every cubic stays between its samples (Fritsch & Butland, SIAM J. Sci. Stat. Comput. 5,
      1984).

    Duplicate times, as at events, and NaN divide the curve into separate parts.
    """
    found: list[tuple[np.ndarray, np.ndarray]] = []
    ends = np.flatnonzero((np.diff(times) <= 0) | ~np.isfinite(np.diff(values))) + 1
    for first, end in pairwise([0, *ends.tolist(), len(times)]):
        t, y = times[first:end], values[first:end]
        if (len(t) < 3 and slopes is None) or len(t) < 2:
            found.append((t, y))
            continue
        d = slopes[first:end] if slopes is not None else _slopes(t, y)
        found.append(_cubics(t, y, d))
    both = [np.concatenate(some) for some in zip(*found, strict=True)]
    return both[0], both[1]


def _cubics(t: np.ndarray, y: np.ndarray, d: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points of Hermite cubics between samples with slopes."""
    s = np.arange(PARTS) / PARTS
    h = np.diff(t)[:, None]
    way = (np.diff(y) / np.diff(t))[:, None]
    first, last = d[:-1, None], d[1:, None]
    steady = (first * way > 0) & (last * way > 0)
    first, last = (
        np.where(steady, np.sign(way) * np.minimum(np.abs(one), 3 * np.abs(way)), one)
        for one in (first, last)
    )
    begin, rise, end = (1 + 2 * s) * (1 - s) ** 2, s * (1 - s) ** 2, s**2 * (3 - 2 * s)
    fall = s**2 * (s - 1)
    inner = begin * y[:-1, None] + end * y[1:, None] + h * (rise * first + fall * last)
    return np.append(t[:-1, None] + h * s, t[-1]), np.append(inner, y[-1])


def _slopes(t: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Slopes at samples: weighted harmonic means of the adjacent slopes, zero if their signs differ.

    At the ends: slopes of parabolas, at most three times the slope of the first line."""
    h, rise = np.diff(t), np.diff(y) / np.diff(t)
    before, after = 2 * h[1:] + h[:-1], h[1:] + 2 * h[:-1]
    same = rise[:-1] * rise[1:] > 0
    lines = [np.where(same, one, 1.0) for one in (rise[:-1], rise[1:])]
    inner = np.where(same, (before + after) / (before / lines[0] + after / lines[1]), 0.0)
    ends = [_end(h[0], h[1], rise[0], rise[1]), _end(h[-1], h[-2], rise[-1], rise[-2])]
    return np.concatenate([ends[:1], inner, ends[1:]])


def _end(near: float, far: float, rise: float, next_rise: float) -> float:
    found = ((2 * near + far) * rise - near * next_rise) / (near + far)
    if found * rise <= 0:
        return 0.0
    return float(np.sign(rise) * min(abs(found), 3 * abs(rise)))
