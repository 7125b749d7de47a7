"""Return quantities over the whole flight, through all legs of a mission, with as few points as a page
needs.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..drawing.thinning import thin
from ..record.record import Record, timeline

WIDE = 4000.0
"""Width [px] at which a reduced curve still looks like the original curve. A reader can therefore zoom in."""
HIGH = 500.0
"""Height [px] at which a reduced curve still looks like the original curve."""


def records_of(record: Record) -> list[Record]:
    """Return the records of all legs of a mission. For a flight without legs, return its record."""
    return [*record.legs.values()] if record.legs else [record]


def course(record: Record, path: str, peaks: bool = True) -> tuple[np.ndarray, np.ndarray] | None:
    """Return times [s] and values of a quantity through all legs, in order of time; None if no leg has the
    quantity.

    A row of NaN separates two legs if the legs between them do not have the quantity. If concurrent legs have
    the quantity, it has several values at one time, and the result is None. peaks: include extremes between
    samples. Default: True.
    """
    found: list[tuple[np.ndarray, np.ndarray]] = []
    for one in records_of(record):
        stem, _, name = path.rpartition(".")
        if path not in one.series and name not in one.courses.get(stem, (None, {}))[1]:
            continue
        times, values = timeline(one, path, peaks)
        if not len(times):
            continue
        values = np.asarray(values, float)
        last = found[-1][0][-1] if found else -np.inf
        if times[0] < last - 1e-9 * max(1.0, abs(last)):
            return None
        if found and times[0] > last + 1e-9 * max(1.0, abs(last)):
            found.append((np.array([last]), np.full((1, *values.shape[1:]), np.nan)))
        found.append((times, values))
    if not found:
        return None
    return np.concatenate([t for t, _ in found]), np.concatenate([v for _, v in found])


def curve_rows(
    times: np.ndarray, values: np.ndarray, span: tuple[float, float], wide: float = WIDE
) -> np.ndarray:
    """Return the rows of curves (n, columns) over a time span [s] that preserve the appearance of the curves.

    wide: width [px] up to which the curves keep their appearance."""
    width = span[1] - span[0]
    if len(times) < 3 or not width > 0:
        return np.arange(len(times))
    x = (times - span[0]) * (wide / width)
    kept = [np.array([0, len(times) - 1])]
    for column in values.reshape(len(times), -1).T:
        finite = np.isfinite(column)
        if not finite.any():
            continue
        low, high = float(column[finite].min()), float(column[finite].max())
        y = (np.where(finite, column, low) - low) * (HIGH / (high - low) if high > low else 0.0)
        kept += [thin(x, y), _edges(finite)]
    return np.unique(np.concatenate(kept))


def _edges(finite: np.ndarray) -> np.ndarray:
    """Rows on both sides of each change between finite and other values."""
    change = np.flatnonzero(finite[1:] != finite[:-1])
    return np.concatenate([change, change + 1])


def span_of(record: Record) -> tuple[float, float] | None:
    """Return the first and the last time of a flight [s], or None without samples."""
    ends = [one.time[[0, -1]] for one in records_of(record) if len(one.time)]
    finite = [float(t) for t in np.concatenate(ends) if np.isfinite(t)] if ends else []
    return (min(finite), max(finite)) if finite else None


def paths_of(record: Record) -> dict[str, None]:
    """Return the paths of all quantities that have values, in the order of the records."""
    found: dict[str, None] = {}
    for one in records_of(record):
        found |= dict.fromkeys(one.series)
        found |= {f"{stem}.{name}": None for stem, (_, rows) in one.courses.items() for name in rows}
    return found


def first_of(record: Record, paths: Iterable[str]) -> dict[str, np.ndarray]:
    """Return the first finite value of each quantity, by path. Quantities without a finite value are
    omitted.
    """
    found = {}
    for path in paths:
        if (known := course(record, path, peaks=False)) is None:
            continue
        rows = known[1].reshape(len(known[1]), -1)
        good = np.flatnonzero(np.isfinite(rows).all(axis=1))
        if len(good):
            found[path] = known[1][good[0]]
    return found
