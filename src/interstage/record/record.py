"""The result of a flight: plain arrays by quantity name, without large imports.

The simulation fills a :class:`Record`; results, requirements, the summary and the report read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..tree.errors import BadInput, Problem, near

if TYPE_CHECKING:
    from ..scenario import Scenario

MAGNITUDE = "magnitude"
SAME_TIME = 1e-9
"""Times closer than this [s, or relative to the time itself] are the same instant."""
BEFORE = "before this flight"
"""Reason why a limit is not judged in a flight that continues another flight."""
MAY_BE_INFINITE = "infinite on an open orbit"
"""Note of a quantity that may be infinite without a fault."""


@dataclass(frozen=True)
class QuantityMeta:
    """Metadata of one quantity.

    - unit: SI unit of the stored numbers, "1" for pure numbers.
    - long_name: a few words for tables and axes.
    - frame: axes of the components ("inertial", "payload structural axes", ...), "" for scalars.
    - components: their names, such as ("x", "y", "z"); empty for scalars.
    - reference: reference point of the quantity ("centre of mass", "joint point", ...), or "".
    - note: information on the values for the reader, or "".
    - undetermined: time spans [s] in which rigid bodies do not determine the values, "0 1.5; 3 4". If the
      note states it for all times, the text is ""."""

    unit: str
    long_name: str
    frame: str = ""
    components: tuple[str, ...] = ()
    reference: str = ""
    note: str = ""
    undetermined: str = ""

    def undetermined_at(self, time: float, side: str = "") -> bool:
        """Whether rigid bodies do not determine the values at a time [s], for joint and interface loads.

        side: "before" or "after" an event at that time, at which a span may begin or end."""
        spans = [tuple(map(float, span.split())) for span in self.undetermined.split(";") if span]
        within = any(
            start <= time <= end
            and not (side == "after" and time == end)
            and not (side == "before" and time == start)
            for start, end in spans
        )
        return bool(self.note) and (not spans or within)


@dataclass(frozen=True)
class EventRecord:
    """One event: name, time [s], kind (its action), its phase, and in a mission its leg.

    The phase is the phase that it began or in which it occurred."""

    name: str
    time: float
    kind: str
    phase: str
    leg: str = ""


@dataclass(frozen=True)
class Closest:
    """Minimum distance of two bodies while a clearance was active.

    - between: as declared.
    - time [s], distance [m]; a negative distance is the penetration depth.
    - names of the two nearest shapes, nearest points [m] in the structural coordinates of each body.
    - start, end [s]: active time.
    - touched_until [s]: end of a contact that exists from the start; None without one.
    - apart: false if they touched all the time.
    - less_by [m]: possible further decrease of the distance."""

    name: str
    between: tuple[str, ...]
    time: float
    distance: float
    shapes: tuple[str, ...]
    point_on_a: tuple[float, ...]
    point_on_b: tuple[float, ...]
    start: float
    end: float
    touched_until: float | None = None
    apart: bool = True
    less_by: float = 0.0


@dataclass(frozen=True)
class Recontact:
    """Recontact of two bodies after their separation.

    - name: of the clearance.
    - time [s]; names of the two shapes; points [m] in the structural coordinates of each body.
    - normal: from the first to the second, structural axes of the first.
    - approach_speed along the normal, sliding_speed across it [m/s].
    - effective_mass [kg]: of the two free bodies along the normal.
    - energy [J]: of the approach, half of this mass times the speed squared."""

    name: str
    time: float
    shapes: tuple[str, ...]
    point_on_a: tuple[float, ...]
    point_on_b: tuple[float, ...]
    normal: tuple[float, ...]
    approach_speed: float
    sliding_speed: float
    effective_mass: float
    energy: float


class Sought(NamedTuple):
    """A searched extreme of a quantity, also between samples.

    sign: 1 for large values, -1 for small values; phase: a phase, or the complete flight."""

    path: str
    sign: float
    during: str | None = None


Peaks = tuple[np.ndarray, dict[str, np.ndarray]]
"""Times (n,) [s], rising, and rows of the quantities at these times."""
Places = dict[Sought, np.ndarray]
"""Searched extremes of single components, and the times [s] of results."""


class Found(NamedTuple):
    """Result of a search for extremes between samples.

    peaks: rows of the quantities; places: of each extreme. left: approximate extreme at places that were
    not searched (SI, times its sign); minus infinity if all were searched."""

    peaks: Peaks
    places: Places
    left: dict[Sought, float]


@dataclass
class Record:
    """One flight: samples on the output grid, and the values just before and just after every event.

    time: (T,) [s]. series: quantity path -> (T,) or (T, components). before, after: path -> (E, ...), one
    row per event in `events`. phases: (name, start, end) [s]. outcome: one sentence; completed: false if
    the flight ended before its scenario. switches: effects of changes of coordinates in words. restart:
    data to continue the flight just after each event."""

    scenario: Scenario
    time: np.ndarray
    series: dict[str, np.ndarray]
    events: list[EventRecord]
    before: dict[str, np.ndarray]
    after: dict[str, np.ndarray]
    meta: dict[str, QuantityMeta]
    statistics: dict[str, Any] = field(default_factory=dict)
    corrections: list[Any] = field(default_factory=list)
    switches: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    outcome: str = ""
    completed: bool = True
    phases: list[tuple[str, float, float]] = field(default_factory=list)
    restart: dict[str, np.ndarray] = field(default_factory=dict)
    closest: list[Closest] = field(default_factory=list)
    recontacts: list[Recontact] = field(default_factory=list)
    courses: dict[str, tuple[np.ndarray, dict[str, np.ndarray]]] = field(default_factory=dict)
    """Quantities with separate times, by the first part of their path: (times (n,) [s], values)."""
    peaks: Peaks = field(default_factory=lambda: (np.zeros(0), {}))
    """Searched extremes between samples."""
    sought: Places = field(default_factory=dict, repr=False, compare=False)
    """Owners of the searched extremes; see `peaks.seek`."""
    left: dict[Sought, float] = field(default_factory=dict, repr=False, compare=False)
    """Upper estimates of searched extremes at places that were not searched; see `Found`."""
    search: Callable[[list[Sought]], Found] | None = field(default=None, repr=False, compare=False)
    """Function that searches extremes between samples from states of the flight; None without stored
    states, as for a flight from a file."""
    between: Callable[[np.ndarray, tuple[str, ...]], dict[str, np.ndarray]] | None = field(
        default=None, repr=False, compare=False
    )
    """Function that computes quantities by path at times (n,) [s] between samples; None for a flight from
    a file, until `Flight.value` needs it."""
    at_steps: Callable[[tuple[str, ...]], Peaks] | None = field(default=None, repr=False, compare=False)
    """Quantities at the ends of steps between samples and events; None if they are not stored."""
    unjudged: dict[str, tuple[float, str]] = field(default_factory=dict)
    """Quantities whose limits cannot be judged: until a time [s], with the reason."""
    unbegun: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    """Warnings of items that did not start in this flight, by path; omitted if they started in another
    leg."""
    earlier: tuple[str, ...] = ()
    """Events, including phases, before this flight, which continues another flight."""
    sums: dict[str, float] = field(default_factory=dict, repr=False, compare=False)
    """Final values of integrals over the flight, by path; in a leg together with their initial values."""
    legs: dict[str, Record] = field(default_factory=dict)
    """The flown legs of a mission, in order, each with its own samples; a mission's record has no samples
    itself, see `legs.of`."""
    after_leg: dict[str, str] = field(default_factory=dict)
    """The previous leg of each leg of a mission; "" for the first leg."""
    unflown: dict[str, str] = field(default_factory=dict)
    """Legs of a mission that were not flown, with the reason."""
    followed: dict[tuple[str, ...], Record] = field(default_factory=dict, repr=False, compare=False)
    """Cache of joined chains of legs."""


def resolve(record: Record, path: str) -> tuple[str, int | str | None]:
    """Return the stored path of a name, and its component: an index, "magnitude", or None for all.

    "bodies.payload.position.x" is component 0 of "bodies.payload.position". Raises BadInput with similar
    names."""
    if path in record.meta:
        return path, None
    stem, _, last = path.rpartition(".")
    meta = record.meta.get(stem)
    if meta is None or not meta.components:
        raise BadInput(
            Problem(path, f"no such quantity in this flight; {near(path, record.meta, 'quantities')}")
        )
    if last in meta.components:
        return stem, meta.components.index(last)
    if last == MAGNITUDE:
        return stem, MAGNITUDE
    raise BadInput(Problem(path, f"unknown component; allowed: {', '.join((*meta.components, MAGNITUDE))}"))


def pick(values: np.ndarray, component: int | str | None) -> np.ndarray:
    """Return one component of an array (N, components), or its magnitude; None returns the array."""
    if component is None:
        return values
    if isinstance(component, str):
        return np.sqrt(np.sum(values**2, axis=-1))
    return values[..., component]


def names_with(record: Record, group: str, name: str) -> list[str]:
    """Return the names in a group with a quantity, in scenario order: names_with(record, "joints",
    "force")."""
    paths = (path.split(".") for path in record.meta if path in record.series)
    return [parts[1] for parts in paths if parts[0] == group and parts[2:] == [name]]


def events_at_samples(record: Record) -> list[str]:
    """Return the names of the events at the time of each sample, separated by commas; "" between events."""
    marks = [""] * len(record.time)
    for event in record.events:
        apart = np.abs(record.time - event.time)
        for row in np.flatnonzero(apart <= SAME_TIME * max(1.0, abs(event.time))):
            marks[row] = f"{marks[row]}, {event.name}" if marks[row] else event.name
    return marks


def between_events(record: Record) -> np.ndarray:
    """Return (T,) True for samples that are not at an event; at events, before and after have the values."""
    at = np.array([event.time for event in record.events], float)
    return np.all(np.abs(record.time[:, None] - at) > SAME_TIME * np.maximum(1.0, np.abs(at)), axis=1)


def timeline(record: Record, path: str, peaks: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Return times [s] and values in time order: samples, values before and after each event, and extremes.

    peaks: whether extremes between samples are included. Quantities with separate times have only these
    times."""
    stem, _, name = path.rpartition(".")
    if stem in record.courses:
        own, found = record.courses[stem]
        return own, found[name]
    keep = between_events(record)
    at = np.array([event.time for event in record.events], float)
    values = record.series[path]
    rows = record.peaks[1].get(path) if peaks else None
    between = (record.peaks[0], rows) if rows is not None else (at[:0], values[:0])
    if not record.events or path not in record.before:
        times, values = np.concatenate([record.time, between[0]]), np.concatenate([values, between[1]])
    else:
        sides = np.stack([record.before[path], record.after[path]], axis=1).reshape(-1, *values.shape[1:])
        times = np.concatenate([record.time[keep], np.repeat(at, 2), between[0]])
        values = np.concatenate([values[keep], sides, between[1]])
    order = np.argsort(times, kind="stable")
    return times[order], values[order]
