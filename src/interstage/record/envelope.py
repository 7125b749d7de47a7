"""Envelope of a flight's loads: smallest and largest value of each component, with time and phase.

The values are at samples, on both sides of every event, and at the ends of steps if these are stored. A
flight from a file has samples and events only. Extremes between these times are not searched; `peaks` does
this for single quantities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..tree.packages import working
from ..tree.units import PURE_UNITS
from .record import MAGNITUDE, Peaks, Record, between_events, pick

if TYPE_CHECKING:
    import pandas

LOADS = ("force", "torque")
SAME_SIZE = 1e-9
"""Relative difference below which values differ by rounding only; the first of them counts."""
COLUMNS = (
    *("path", "component", "unit", "phase"),
    *("least", "least_time", "least_phase", "largest", "largest_time", "largest_phase", "note"),
)


@dataclass(frozen=True)
class Extremes:
    """Smallest and largest value of one component, each with its time [s] and phase.

    path: of the quantity; component: its name, "magnitude", or "" for a scalar; unit: of the values (SI);
    phase: searched phase, "" for the complete flight; note: information on the values for the reader."""

    path: str
    component: str
    unit: str
    phase: str
    least: float
    least_time: float
    least_phase: str
    largest: float
    largest_time: float
    largest_phase: str
    note: str = ""


def envelope(record: Record, by_phase: bool = True) -> list[Extremes]:
    """Return the extremes of the loads of all joints that were active, and of parts: over the flight, then
    by phase."""
    paths = load_paths(record)
    more = at_steps(record, paths)
    return [found for path in paths for found in extremes(record, path, by_phase, more)]


def at_steps(record: Record, paths: Sequence[str]) -> Peaks:
    """Quantities at the ends of steps between samples and events, if these are stored."""
    return record.at_steps(tuple(paths)) if record.at_steps is not None and paths else (np.zeros(0), {})


def load_paths(record: Record) -> list[str]:
    """Paths of load quantities: forces and torques of joints that were ever active, and loads of parts."""
    found, groups = [], _groups(record.scenario)
    for path in (path for path in record.meta if path in record.series):
        group, _, rest = path.partition(".")
        name, _, key = rest.partition(".")
        if group in groups or (group == "joints" and key in LOADS and _was_active(record, name)):
            found.append(path)
    return found


def stems(scenario: Any, paths: Iterable[str]) -> list[str]:
    """Return the paths, among all quantities of a scenario, that an envelope uses."""
    wanted, groups = (*LOADS, "active"), _groups(scenario)
    parts = [(path, path.split(".")) for path in paths]
    return [p for p, (g, *rest) in parts if g in groups or (g == "joints" and rest[-1] in wanted)]


def _groups(scenario: Any) -> set[str]:
    """First words of the load quantities of parts: ENVELOPE of their `shown`."""
    return {group for module in working("shown", scenario) for group in getattr(module, "ENVELOPE", ())}


def _was_active(record: Record, joint: str) -> bool:
    path = f"joints.{joint}.active"
    return bool(np.any(record.series[path]) or np.any(record.before[path]))


def extremes(
    record: Record, path: str, by_phase: bool = True, more: Peaks | None = None
) -> Iterator[Extremes]:
    """Extremes of each component of a quantity, and of the magnitude of a vector.

    more: values of quantities at further times."""
    meta = record.meta[path]
    own = record.time[:0], record.series[path][:0]
    if more is not None and path in more[1]:
        own = more[0], more[1][path]
    spans = [(name, *_within(record, path, start, end, own)) for name, start, end in record.phases]
    spans = [span for span in spans if len(span[1])]
    names: dict[str, Any] = {name: k for k, name in enumerate(meta.components)}
    if meta.components == ("x", "y", "z"):
        names[MAGNITUDE] = MAGNITUDE
    for component, which in names.items() or [("", None)]:
        rows = [(name, times, pick(values, which)) for name, times, values in spans]
        for phase, part in [("", rows), *((row[0], [row]) for row in (rows if by_phase else ()))]:
            if part:
                yield Extremes(path, component, meta.unit, phase, *_both(part), meta.note)


def bearing(found: Iterable[Extremes]) -> Iterator[Extremes]:
    """Yield the extremes that are larger than rounding, compared with the largest value of their quantity.

    Pure numbers, such as margins, are all included."""
    rows, sizes = list(found), dict[str, float]()
    for row in rows:
        sizes[row.path] = max(sizes.get(row.path, 0.0), *np.nan_to_num(np.abs([row.least, row.largest])))
    for row in rows:
        small = SAME_SIZE * sizes[row.path]
        if row.unit in PURE_UNITS or not (abs(row.least) <= small and abs(row.largest) <= small):
            yield row


def _both(rows: list[tuple[str, np.ndarray, np.ndarray]]) -> tuple[float, float, str, float, float, str]:
    times = np.concatenate([times for _, times, _ in rows])
    values = np.concatenate([values for _, _, values in rows])
    phases = [name for name, times, _ in rows for _ in times]
    if not np.isfinite(values).any():
        return np.nan, np.nan, "", np.nan, np.nan, ""
    near = SAME_SIZE * np.nanmax(np.abs(values[np.isfinite(values)]))
    low = int(np.argmax(values <= np.nanmin(values) + near))
    high = int(np.argmax(values >= np.nanmax(values) - near))
    return (
        *(float(values[low]), float(times[low]), phases[low]),
        *(float(values[high]), float(times[high]), phases[high]),
    )


def _within(
    record: Record, path: str, start: float, end: float, more: tuple[np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Times and values of a phase in order: samples, values after its events, and values before its events.

    The value before the end of the phase is included."""
    at = np.array([event.time for event in record.events], float)
    inside = (record.time >= start) & (record.time <= end) & between_events(record)
    before, after = (at > start) & (at <= end), (at >= start) & (at < end)
    also = (more[0] > start) & (more[0] < end)
    times = np.concatenate([record.time[inside], more[0][also], at[before], at[after]])
    sides = [record.before[path][before], record.after[path][after]] if len(at) else []
    values = np.concatenate([record.series[path][inside], more[1][also], *sides])
    order = np.argsort(times, kind="stable")
    return times[order], values[order]


def table(found: Iterable[Extremes], **more: Any) -> pandas.DataFrame:
    """Return extremes as a table, one row each; `more`: further columns in front."""
    import pandas

    rows = [[*more.values(), *(getattr(row, column) for column in COLUMNS)] for row in found]
    return pandas.DataFrame(rows, columns=[*more, *COLUMNS])
