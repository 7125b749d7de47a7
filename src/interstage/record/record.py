"""What a flight leaves behind: plain arrays by quantity name, and nothing that needs a heavy import.

The simulation fills a :class:`Record`; results, requirements, the summary and the report read it.
"""

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
"""Why a limit is not judged in a flight that goes on from another one."""
MAY_BE_INFINITE = "infinite on an open orbit"
"""Note of a quantity whose infinite values are no fault."""


@dataclass(frozen=True)
class QuantityMeta:
    """What one quantity means.

    unit: SI unit of the stored numbers, "1" where there is none.
    long_name: a few words for tables and axes.
    frame: axes that the components are given in ("inertial", "payload structural axes", ...), "" for scalars.
    components: their names, such as ("x", "y", "z"); empty for scalars.
    reference: the point that the quantity belongs to ("centre of mass", "joint point", ...), "" where none.
    note: what a reader must know of the values, "" where nothing.
    undetermined: times [s] from and to which rigid bodies do not determine the values, "0 1.5; 3 4", "" for
    all times if the note states it.
    """

    unit: str
    long_name: str
    frame: str = ""
    components: tuple[str, ...] = ()
    reference: str = ""
    note: str = ""
    undetermined: str = ""

    def undetermined_at(self, time: float, side: str = "") -> bool:
        """Whether rigid bodies do not determine the values at a time [s], of joint and interface loads.

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
    """One event that happened: name, time [s], kind (what it did), the phase that it began or fell in, and in
    a mission the leg."""

    name: str
    time: float
    kind: str
    phase: str
    leg: str = ""


@dataclass(frozen=True)
class Closest:
    """How near two bodies came while a clearance counted.

    between: as declared. time [s], distance [m] (negative: the depth of an overlap), names of the two nearest
    shapes, nearest points [m] in the drawing coordinates of each body. start, end [s]: over which it counted.
    touched_until [s]: they touched from the start until then; none where they did not. apart: false if they
    touched all the time. less_by [m]: how much less the distance may be."""

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
    """Two bodies that recontact after they had come apart.

    name: of the clearance. time [s]; names of the two shapes; points [m] in the drawing coordinates of each
    body; normal from the first to the second, structural axes of the first; approach_speed along it and
    sliding_speed across it [m/s]; effective_mass [kg] of the two bodies, taken for free, along the normal;
    energy [J] of the approach, half of that mass times the speed squared."""

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
    """An extreme of a quantity, between samples too: sign 1 where a large value is sought and -1 where a
    small one is, in a phase or in the whole flight."""

    path: str
    sign: float
    during: str | None = None


Peaks = tuple[np.ndarray, dict[str, np.ndarray]]
"""Times (n,) [s], rising, and rows of the quantities there."""
Places = dict[Sought, np.ndarray]
"""Extremes of single components that were looked for, and the times [s] at which there are some."""


class Found(NamedTuple):
    """Result of a search for extremes between samples.

    peaks: rows of the quantities there; places: of each extreme. left: about how large each extreme may be at
    places that were not searched (SI, times its sign); minus infinity if all were."""

    peaks: Peaks
    places: Places
    left: dict[Sought, float]


@dataclass
class Record:
    """One flight: samples on the output grid, and the values just before and just after every event.

    time: (T,) [s]. series: quantity path -> (T,) or (T, components). before, after: path -> (E, ...), one row
    per event in `events`. phases: (name, start, end) [s]. outcome: one sentence; completed: false if the
    flight ended before its scenario did. switches: what changes of coordinates dropped or added, in words.
    restart: what the flight needs to go on from just after each event.
    """

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
    """Quantities that have times of their own, by the first part of their path: (times (n,) [s], values)."""
    peaks: Peaks = field(default_factory=lambda: (np.zeros(0), {}))
    """Extremes between samples, of what was sought."""
    sought: Places = field(default_factory=dict, repr=False, compare=False)
    """Which of them are whose; see `peaks.seek`."""
    left: dict[Sought, float] = field(default_factory=dict, repr=False, compare=False)
    """How large each extreme that was sought may be where it was not searched; see `Found`."""
    search: Callable[[list[Sought]], Found] | None = field(default=None, repr=False, compare=False)
    """Looks for extremes between samples in the states of the flight; none where these are not kept, as of a
    flight from a file."""
    between: Callable[[np.ndarray, tuple[str, ...]], dict[str, np.ndarray]] | None = field(
        default=None, repr=False, compare=False
    )
    """Computes quantities by path at times (n,) [s] between samples; None of a flight from a file."""
    at_steps: Callable[[tuple[str, ...]], Peaks] | None = field(default=None, repr=False, compare=False)
    """Quantities at the ends of steps between samples and events; none where these are not kept."""
    unjudged: dict[str, tuple[float, str]] = field(default_factory=dict)
    """Quantities of which no limit can be judged: until when [s], and why."""
    unbegun: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    """Warnings of what did not begin in this flight, by path: not so of a mission in another leg of which it
    did."""
    earlier: tuple[str, ...] = ()
    """Events, phases among them, that came before this flight, which goes on from another one."""
    sums: dict[str, float] = field(default_factory=dict, repr=False, compare=False)
    """What integrals found after the flight came to, by path; of a leg with what they were before it."""
    legs: dict[str, Record] = field(default_factory=dict)
    """The legs of a mission that were flown, in order, each with samples of its own; a mission's record has
    none beside them, see `legs.of`."""
    after_leg: dict[str, str] = field(default_factory=dict)
    """For each leg of a mission the one that it begins after; empty for the first."""
    unflown: dict[str, str] = field(default_factory=dict)
    """Legs of a mission that were not flown, and why."""
    followed: dict[tuple[str, ...], Record] = field(default_factory=dict, repr=False, compare=False)
    """Chains of legs put together, as they were asked for."""


def resolve(record: Record, path: str) -> tuple[str, int | str | None]:
    """The stored path behind a name, and which component of it: an index, "magnitude", or None for all.

    "bodies.payload.position.x" is component 0 of "bodies.payload.position". Raises BadInput with near names.
    """
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
    """One component of an array (N, components), or its magnitude; unchanged for component None."""
    if component is None:
        return values
    if isinstance(component, str):
        return np.sqrt(np.sum(values**2, axis=-1))
    return values[..., component]


def names_with(record: Record, group: str, name: str) -> list[str]:
    """Names in a group that have a quantity, in scenario order: names_with(record, "joints", "force")."""
    paths = (path.split(".") for path in record.meta if path in record.series)
    return [parts[1] for parts in paths if parts[0] == group and parts[2:] == [name]]


def events_at_samples(record: Record) -> list[str]:
    """For each sample the names of the events at its time, separated by commas; empty between events."""
    marks = [""] * len(record.time)
    for event in record.events:
        apart = np.abs(record.time - event.time)
        for row in np.flatnonzero(apart <= SAME_TIME * max(1.0, abs(event.time))):
            marks[row] = f"{marks[row]}, {event.name}" if marks[row] else event.name
    return marks


def between_events(record: Record) -> np.ndarray:
    """(T,) True for samples not on an event, where the values before and after the event stand for them."""
    at = np.array([event.time for event in record.events], float)
    return np.all(np.abs(record.time[:, None] - at) > SAME_TIME * np.maximum(1.0, np.abs(at)), axis=1)


def timeline(record: Record, path: str, peaks: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Times [s] and values in time order: the samples, extremes between them, unless without `peaks`, and at
    each event the value before it and after it; of a quantity that has times of its own, these."""
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
