"""The result of a flight as plain arrays by quantity name.

The simulation fills a :class:`Record`. Results, requirements, the summary and the report read the record."""

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
"""Times that differ by less than this value [s, or relative to the time] are the same time."""
BEFORE = "before this flight"
"""Reason why a requirement is not checked: the flight continues another flight, which has the time of the
requirement."""
MAY_BE_INFINITE = "infinite on an open orbit"
"""Note of a quantity for which infinite values are valid."""


@dataclass(frozen=True)
class QuantityMeta:
    """Description of one quantity.

    - unit: SI unit of the values; "1" for pure numbers.
    - long_name: short description for tables and axes.
    - frame: axes of the components, for example "inertial"; "" for scalars.
    - components: names of the components, for example ("x", "y", "z"); empty for scalars.
    - reference: reference point of the quantity, for example "centre of mass"; "" for none.
    - note: information on the values for the reader; "" for none.
    - undetermined: time spans [s] in which rigid bodies do not determine the values, for example "0 1.5; 3
      4"; "" for no span, or for all times if `note` is set."""

    unit: str
    long_name: str
    frame: str = ""
    components: tuple[str, ...] = ()
    reference: str = ""
    note: str = ""
    undetermined: str = ""

    def undetermined_at(self, time: float, side: str = "") -> bool:
        """Return whether rigid bodies do not determine the values of a joint or interface load at a time [s].

        side: "before" or "after" an event at this time, because a time span can begin or end at an event."""
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
    """One event of a flight.

    - name: name of the event.
    - time: [s].
    - kind: kind of action.
    - phase: phase in which the event occurred, or phase that the event began.
    - leg: leg of a mission; "" without legs."""

    name: str
    time: float
    kind: str
    phase: str
    leg: str = ""


@dataclass(frozen=True)
class Closest:
    """Minimum distance of two bodies while a clearance was active.

    - name: name of the clearance. between: bodies or shapes as declared.
    - time: time of the minimum [s]. distance: [m]; a negative distance is a penetration depth.
    - shapes: names of the two nearest shapes.
    - point_on_a, point_on_b: nearest points [m] in the structural coordinates of each body.
    - start, end: time span of the clearance [s].
    - touched_until: end [s] of a contact that exists from the start; None without such a contact.
    - apart: false if the bodies touched during the whole time span.
    - less_by: possible further decrease of the distance between samples [m]."""

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

    - name: name of the clearance. time: [s]. shapes: names of the two shapes.
    - point_on_a, point_on_b: contact points [m] in the structural coordinates of each body.
    - normal: unit vector from the first to the second body, structural axes of the first body.
    - approach_speed, sliding_speed: relative speed along and across the normal [m/s].
    - effective_mass: effective mass of the two free bodies along the normal [kg].
    - energy: 0.5 effective_mass approach_speed^2 [J]."""

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
    """Request to search an extreme of a quantity, also between samples.

    - path: quantity or component.
    - sign: 1 for the largest value, -1 for the smallest.
    - during: name of a phase, or None for the complete flight."""

    path: str
    sign: float
    during: str | None = None


Peaks = tuple[np.ndarray, dict[str, np.ndarray]]
"""Increasing times (n,) [s], and the values of quantities at these times, by path."""
Places = dict[Sought, np.ndarray]
"""Times [s] of the values that a search evaluated, by requested extreme."""


class Found(NamedTuple):
    """Result of a search for extremes between samples.

    - peaks: times and values of the quantities.
    - places: times of each requested extreme.
    - left: upper estimate of each extreme in the time spans without a search [SI]. For a minimum, the
      estimate is of the negative value. Minus infinity if every span was searched.
    """

    peaks: Peaks
    places: Places
    left: dict[Sought, float]


@dataclass
class Record:
    """Result of one flight: samples, and values just before and just after every event. All values are in SI
    units.

    - time: sample times (T,) [s]. series: samples (T,) or (T, components) by path.
    - events: events in order of time. before, after: values (E, ...) by path, one row for each event.
    - meta: description of each quantity by path.
    - phases: (name, start, end) [s] of each phase.
    - outcome: outcome as one sentence. completed: false if the flight ended before the end of its scenario.
    - corrections: changes of the initial state. switches: changes of coordinates. warnings: sentences.
    - restart: data to continue the flight just after each event."""

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
    """Quantities with their own times, by the first part of their path: (times (n,) [s], values)."""
    peaks: Peaks = field(default_factory=lambda: (np.zeros(0), {}))
    """Values at extremes between samples."""
    sought: Places = field(default_factory=dict, repr=False, compare=False)
    """Times [s] of each searched extreme; see `peaks.seek`."""
    left: dict[Sought, float] = field(default_factory=dict, repr=False, compare=False)
    """Upper estimates of extremes at times that were not searched; see `Found`."""
    search: Callable[[list[Sought]], Found] | None = field(default=None, repr=False, compare=False)
    """Function that searches extremes between samples; None if the states of the flight are not stored, as in
    a file."""
    between: Callable[[np.ndarray, tuple[str, ...]], dict[str, np.ndarray]] | None = field(
        default=None, repr=False, compare=False
    )
    """Function that returns quantities by path at times (n,) [s] between samples. For a flight from a file:
    None until `Flight.value` needs values between samples."""
    at_steps: Callable[[tuple[str, ...]], Peaks] | None = field(default=None, repr=False, compare=False)
    """Function that returns quantities at the ends of integration steps; None if these are not stored."""
    unjudged: dict[str, tuple[float, str]] = field(default_factory=dict)
    """Quantities whose requirements cannot be checked before a time [s], with the reason, by path."""
    unbegun: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    """Warnings for items that did not start in this flight, by path; a mission omits items that started in
    another leg."""
    earlier: tuple[str, ...] = ()
    """Names of the events and phases of the flight that this flight continues."""
    sums: dict[str, float] = field(default_factory=dict, repr=False, compare=False)
    """Final values of time integrals, by path; in a leg, they include the values at the start of the leg."""
    legs: dict[str, Record] = field(default_factory=dict)
    """Records of the flown legs of a mission by name. The record of a mission has no samples of its own, see
    `legs.of`."""
    after_leg: dict[str, str] = field(default_factory=dict)
    """Name of the preceding leg of each leg of a mission; "" for the first leg."""
    unflown: dict[str, str] = field(default_factory=dict)
    """Reason for each leg of a mission that was not flown, by name of the leg."""
    followed: dict[tuple[str, ...], Record] = field(default_factory=dict, repr=False, compare=False)
    """Cache of records that join several legs."""


def resolve(record: Record, path: str) -> tuple[str, int | str | None]:
    """Return the stored path of a quantity, and its component: an index, "magnitude", or None for all
    components.

    For example, "bodies.payload.position.x" is component 0 of "bodies.payload.position". Raises BadInput with
    similar names for an unknown path."""
    if path in record.meta:
        return path, None
    stem, _, last = path.rpartition(".")
    meta = record.meta.get(stem)
    if meta is None or not meta.components:
        raise BadInput(
            Problem(
                path, f"there is no such quantity in this flight; {near(path, record.meta, 'quantities')}"
            )
        )
    if last in meta.components:
        return stem, meta.components.index(last)
    if last == MAGNITUDE:
        return stem, MAGNITUDE
    raise BadInput(
        Problem(
            path,
            f"'{last}' is not a component of '{stem}'. Allowed: {', '.join((*meta.components, MAGNITUDE))}",
        )
    )


def pick(values: np.ndarray, component: int | str | None) -> np.ndarray:
    """Return one component of an array (N, components), its magnitude, or the array for None."""
    if component is None:
        return values
    if isinstance(component, str):
        return np.sqrt(np.sum(values**2, axis=-1))
    return values[..., component]


def names_with(record: Record, group: str, name: str) -> list[str]:
    """Return the names of the items of a group that have a quantity, in the order of the scenario.

    Example: ``names_with(record, "joints", "force")``."""
    paths = (path.split(".") for path in record.meta if path in record.series)
    return [parts[1] for parts in paths if parts[0] == group and parts[2:] == [name]]


def events_at_samples(record: Record) -> list[str]:
    """Return for each sample the names of the events at its time, separated by commas; "" for no event."""
    marks = [""] * len(record.time)
    for event in record.events:
        apart = np.abs(record.time - event.time)
        for row in np.flatnonzero(apart <= SAME_TIME * max(1.0, abs(event.time))):
            marks[row] = f"{marks[row]}, {event.name}" if marks[row] else event.name
    return marks


def between_events(record: Record) -> np.ndarray:
    """Return whether each sample is not at an event (T,), bool. Values at events are in `before` and
    `after`."""
    at = np.array([event.time for event in record.events], float)
    return np.all(np.abs(record.time[:, None] - at) > SAME_TIME * np.maximum(1.0, np.abs(at)), axis=1)


def timeline(record: Record, path: str, peaks: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Return times [s] and values of a quantity in order of time: samples, values before and after each
    event, extremes.

    peaks: include extremes between samples. Default: True. A quantity with its own times has only these
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
