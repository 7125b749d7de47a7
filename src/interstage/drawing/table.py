"""Tables of texts, and the format of values in tables."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from ..record.peaks import seek
from ..record.record import Record, Sought, pick, timeline
from ..tree.units import PURE_UNITS

DIGITS = 5
SAME_SIZE = 1e-9


@dataclass
class Table:
    """Table of texts for the terminal and the report page.

    - title: heading of the table.
    - columns: headings of the columns.
    - rows: texts of each row.
    - right: true for each column that is aligned to the right.
    - note: text below the table.
    - bad: indices of the rows that are marked in red.
    - key: short name that does not change between versions.
    - of_samples: true if the values come only from samples and events.
    - page_only: true if the terminal omits the table.
    - times: time of each row in the playback [s]. Default: none.
    """

    title: str
    columns: list[str]
    rows: list[list[str]]
    right: list[bool]
    note: str = ""
    bad: set[int] = field(default_factory=set)
    key: str = ""
    of_samples: bool = False
    page_only: bool = False
    times: list[float] = field(default_factory=list)


def label_text(what: str, unit: str) -> str:
    """Return a label followed by its unit in brackets. For a dimensionless quantity, return only the label.

    what: text of the label. unit: unit, "1" for a dimensionless quantity.
    """
    return what if unit in PURE_UNITS else f"{what} [{unit}]"


def unit_text(unit: str) -> str:
    """Return the text of a unit for a table cell; empty for a dimensionless quantity."""
    return "" if unit in PURE_UNITS else unit


def number(value: float, digits: int = DIGITS) -> str:
    """Return a value as text. digits: number of significant digits. Default: 5.

    NaN is returned as "-".
    """
    if not np.isfinite(value):
        return "-" if np.isnan(value) else f"{value:g}"
    if value == 0:
        return "0"
    if abs(value) < 1e-4 or abs(value) >= 1e7:
        # Numbers this small are errors and need one digit only.
        return f"{value:.1e}" if abs(value) < 1e-9 else f"{value:.{digits - 1}e}"
    decimals = digits - 1 - math.floor(math.log10(abs(value)))
    return f"{value:.{max(0, decimals)}f}"


def numbers(values: np.ndarray, digits: int = DIGITS) -> list[str]:
    """Return the components of a vector as texts with the same number of decimals.

    digits: number of significant digits of the largest component. Rounding errors in other components are
    therefore shown as zero. NaN is returned as "-".
    """
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
    """Return a time [s] as text, rounded to a microsecond, without trailing zeros."""
    if not np.isfinite(value):
        return "-"
    return f"{value:.6f}".rstrip("0").rstrip(".")


def seek_peaks(record: Record, paths: Iterable[str]) -> bool:
    """Search for the maxima of scalars and components between samples, for use by `peak`.

    Return whether all maxima were searched. A flight from a file cannot be searched.

    paths: paths of the scalars and components.
    """
    wanted = [Sought(path, 1.0) for path in paths]
    seek(record, wanted)
    return record.sought.keys() >= {*wanted}


def peak(record: Record, path: str, component: int | str | None = "magnitude") -> tuple[float, float]:
    """Return the maximum of a quantity and its time [s].

    The maximum is taken from the samples, the values at events, and extremes that were searched between
    samples. component: index of a component, or "magnitude". Default: "magnitude".
    """
    times, values = timeline(record, path)
    values = pick(values, component)
    if not np.isfinite(values).any():
        return np.nan, np.nan
    # The first of values that differ by rounding only.
    row = int(np.argmax(values >= np.nanmax(values) * (1 - SAME_SIZE)))
    return float(values[row]), float(times[row])


def peak_is_shared(
    record: Record, path: str, value: float, time: float, component: int | str | None = "magnitude"
) -> bool:
    """Return whether the maximum of a load is not determined by rigid-body dynamics.

    Redundant joints then share the load by a rule. value: maximum. time: time of the maximum [s].
    """
    rows = [row for row, event in enumerate(record.events) if event.time == time]
    side = ""
    if rows and path in record.before:
        ends = record.before[path][rows[0]], record.after[path][rows[-1]]
        same = [abs(pick(each, component) - value) <= SAME_SIZE * abs(value) for each in ends]
        if same[0] != same[1]:
            side = "before" if same[0] else "after"
    return record.meta[path].undetermined_at(time, side)
