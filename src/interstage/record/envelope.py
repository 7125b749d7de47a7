"""Envelope of the loads of a flight: smallest and largest value of each component, with time and phase.

The values are taken from the samples and from both sides of every event. If the ends of integration steps are
stored, their values are included. A flight from a file has only samples and events. Extremes between these
times are not searched here; the module `peaks` searches them for single quantities.
"""

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
"""Relative difference up to which two values count as equal. The first of equal values is the extreme."""
COLUMNS = (
    *("path", "component", "unit", "phase"),
    *("least", "least_time", "least_phase", "largest", "largest_time", "largest_phase", "note"),
)


@dataclass(frozen=True)
class Extremes:
    """Smallest and largest value of one component of a load, with their times [s] and phases.

    - path: path of the load.
    - component: name of the component, "magnitude", or "" for a scalar.
    - unit: SI unit of the values.
    - phase: phase to which the extremes belong; "" for the complete flight.
    - least, largest: smallest and largest value.
    - note: comment on the validity of the values; "" for none.
    """

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
    """Return the extremes of all loads of a flight: first for the complete flight, then for each phase.

    The loads are the forces and torques of joints that were active, and the loads of models. by_phase: if
    false, the extremes of the phases are omitted.
    """
    paths = load_paths(record)
    more = at_steps(record, paths)
    return [found for path in paths for found in extremes(record, path, by_phase, more)]


def at_steps(record: Record, paths: Sequence[str]) -> Peaks:
    """Return the times [s] and the values of quantities at the ends of integration steps.

    paths: paths of the quantities, for example "bodies.stage.speed". The result has no times if the ends of
    the steps are not stored.
    """
    return record.at_steps(tuple(paths)) if record.at_steps is not None and paths else (np.zeros(0), {})


def load_paths(record: Record) -> list[str]:
    """Return the paths of all loads in a record.

    The loads are the forces and torques of joints that were active at any time, and the loads of models.
    """
    found, groups = [], _groups(record.scenario)
    for path in (path for path in record.meta if path in record.series):
        group, _, rest = path.partition(".")
        name, _, key = rest.partition(".")
        if group in groups or (group == "joints" and key in LOADS and _was_active(record, name)):
            found.append(path)
    return found


def stems(scenario: Any, paths: Iterable[str]) -> list[str]:
    """Return the quantity paths that an envelope of the loads of a scenario needs.

    paths: paths of all available quantities, for example "bodies.stage.speed".
    """
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
    """Yield the extremes of each component of a quantity, and of the magnitude if the quantity is a vector.

    - by_phase: if true, extremes of each phase follow the extremes of the complete flight.
    - more: values of quantities at additional times, see `at_steps`.
    """
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
    """Yield only the extremes that exceed the rounding errors.

    Dimensionless quantities, such as margins of safety, are always included.

    found: extremes of loads.
    """
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
    """Return extremes as a pandas table with one row each.

    more: values of additional columns by column name. These columns come first.
    """
    import pandas

    rows = [[*more.values(), *(getattr(row, column) for column in COLUMNS)] for row in found]
    return pandas.DataFrame(rows, columns=[*more, *COLUMNS])
