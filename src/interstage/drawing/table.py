"""Tables of texts, and how numbers stand in them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from ..record.peaks import seek
from ..record.record import Record, Sought, pick, timeline

DIGITS = 5
SAME_SIZE = 1e-9


@dataclass
class Table:
    """A table of texts: `right` states which columns are numbers, `bad` which rows deserve attention.

    key: short and stable, by which it is found. of_samples: whether its numbers are taken from samples and
    events alone, which miss what lies between them. page_only: whether it is left out on a terminal."""

    title: str
    columns: list[str]
    rows: list[list[str]]
    right: list[bool]
    note: str = ""
    bad: set[int] = field(default_factory=set)
    key: str = ""
    of_samples: bool = False
    page_only: bool = False


def number(value: float, digits: int = DIGITS) -> str:
    """A number for a table: a few digits, in plain notation where that is short."""
    if not np.isfinite(value):
        return "-" if np.isnan(value) else f"{value:g}"
    if value == 0:
        return "0"
    if abs(value) < 1e-4 or abs(value) >= 1e7:
        # What is this small is the size of an error, and deserves no more digits than one.
        return f"{value:.1e}" if abs(value) < 1e-9 else f"{value:.{digits - 1}e}"
    decimals = digits - 1 - math.floor(math.log10(abs(value)))
    return f"{value:.{max(0, decimals)}f}"


def numbers(values: np.ndarray, digits: int = DIGITS) -> list[str]:
    """Components of one vector: as many decimals as the largest one needs, so that what is rounding beside
    it is zero; what is not a number is none of them."""
    size = np.max(np.abs(values), initial=0.0, where=~np.isnan(values))
    if not np.isfinite(size) or size == 0 or size < 1e-4 or size >= 1e7:
        least = size * 10.0**-digits if np.isfinite(size) else 0.0
        return [number(0.0 if abs(value) < least else value, digits) for value in values]
    decimals = len(number(float(size), digits).partition(".")[2])
    return [
        "-"
        if np.isnan(value)
        else f"{value + 0.0:.{decimals}f}".replace(f"-{0:.{decimals}f}", f"{0:.{decimals}f}")
        for value in values
    ]


def time_text(value: float) -> str:
    """A time [s]: to the microsecond, without empty decimals."""
    if not np.isfinite(value):
        return "-"
    return f"{value:.6f}".rstrip("0").rstrip(".")


def seek_peaks(record: Record, paths: Iterable[str]) -> bool:
    """Look for the largest values of scalars and components between the samples of a record, for `peak`;
    whether that was done for all of them, now or before: it cannot for a flight from a file."""
    wanted = [Sought(path, 1.0) for path in paths]
    seek(record, wanted)
    return record.sought.keys() >= {*wanted}


def peak(record: Record, path: str, component: int | str | None = "magnitude") -> tuple[float, float]:
    """Largest value of a quantity and its time [s], over the samples, the values at events, and what was
    found between them."""
    times, values = timeline(record, path)
    values = pick(values, component)
    if not np.isfinite(values).any():
        return np.nan, np.nan
    # The first of those that differ by rounding only.
    row = int(np.argmax(values >= np.nanmax(values) * (1 - SAME_SIZE)))
    return float(values[row]), float(times[row])


def peak_is_shared(record: Record, path: str, value: float, time: float) -> bool:
    """Whether rigid bodies do not determine the peak of a load: a release determines the values after it."""
    rows = [row for row, event in enumerate(record.events) if event.time == time]
    side = ""
    if rows and path in record.before:
        ends = record.before[path][rows[0]], record.after[path][rows[-1]]
        same = [abs(np.linalg.norm(each) - value) <= SAME_SIZE * abs(value) for each in ends]
        if same[0] != same[1]:
            side = "before" if same[0] else "after"
    return record.meta[path].undetermined_at(time, side)
