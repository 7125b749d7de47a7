"""Store the result of a flight as plain arrays, by name of the quantity.

The simulation fills a :class:`Record`. Results, requirements, the summary and the report read the record.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..tree.errors import BadInput, Problem
from ..tree.similar_names import near

if TYPE_CHECKING:
    from ..scenario import Scenario

MAGNITUDE = "magnitude"
SAME_TIME = 1e-9
"""Times that differ by less than this tolerance count as equal.

The tolerance is in seconds for times up to 1 s, and relative to the time above 1 s.
"""
BEFORE = "before this flight"
"""Reason why a requirement is not checked: this flight continues another flight, which contains the event or
phase of the requirement.
"""
MAY_BE_INFINITE = "infinite on an open orbit"
"""Note of a quantity for which infinite values are valid, for example the period of an open orbit."""


@dataclass(frozen=True)
class QuantityMeta:
    """Description of one quantity.

    - unit: SI unit of the values; "1" for dimensionless quantities.
    - long_name: short description for tables and plot axes.
    - frame: axes of the components, for example "inertial"; "" for scalars.
    - components: names of the components, for example ("x", "y", "z"); empty for scalars.
    - reference: reference point of the quantity, for example "centre of mass"; "" for none.
    - note: comment on the validity of the values; "" for none.
    - undetermined: start and end [s] of time spans in which rigid-body dynamics does not determine
      the values, for example "0 1.5; 3 4". If the text is "" and `note` is set, the values are undetermined
      at all times.
    """

    unit: str
    long_name: str
    frame: str = ""
    components: tuple[str, ...] = ()
    reference: str = ""
    note: str = ""
    undetermined: str = ""

    def undetermined_at(self, time: float, side: str = "") -> bool:
        """Return whether rigid-body dynamics leaves a joint or interface load undetermined at a time [s].

        side: "before" or "after" if an event occurs at this time, because a time span can start or end at an
        event. "" otherwise.
        """
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
    - time: time of the event [s].
    - kind: kind of the event, for example "end".
    - phase: phase in which the event occurred. For the start of a phase: this phase.
    - leg: leg of a mission; "" without legs.
    """

    name: str
    time: float
    kind: str
    phase: str
    leg: str = ""


@dataclass(frozen=True)
class Closest:
    """Minimum distance of two bodies while a clearance was active.

    - name: name of the clearance in the scenario.
    - between: bodies or shapes as declared in the clearance.
    - time: time of the minimum [s].
    - distance: minimum distance [m]; a negative distance is a penetration depth.
    - shapes: names of the two nearest shapes.
    - point_on_a, point_on_b: nearest points [m], each in the structural coordinates of its body.
    - start, end: time span in which the clearance was active [s].
    - touched_until: end [s] of a contact that exists from the start; None without such a contact.
    - apart: false if the bodies touched during the whole time span.
    - less_by: amount by which the distance between samples may be less than `distance` [m].
    """

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

    - name: name of the clearance in the scenario.
    - time: time of the recontact [s].
    - shapes: names of the two shapes.
    - point_on_a, point_on_b: contact points [m], each in the structural coordinates of its body.
    - normal: unit vector from the first to the second body, in structural axes of the first body.
    - approach_speed, sliding_speed: relative speed along and across the normal [m/s].
    - effective_mass: effective mass of the two free bodies along the normal [kg].
    - energy: 0.5 effective_mass approach_speed^2 [J].
    """

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
    """Request to find an extreme of a quantity, including values between samples.

    - path: path of the quantity or of its component.
    - sign: 1 for the maximum, -1 for the minimum.
    - during: name of a phase, or None for the complete flight.
    """

    path: str
    sign: float
    during: str | None = None


Peaks = tuple[np.ndarray, dict[str, np.ndarray]]
"""Times (n,) [s] in ascending order, and the values of quantities at these times, by path."""
Places = dict[Sought, np.ndarray]
"""Times [s] at which each requested extreme was found, by request."""


class Found(NamedTuple):
    """Result of a search for extremes between samples.

    - peaks: times and values of all quantities at the extremes.
    - places: times of each requested extreme.
    - left: upper bound of each requested extreme in the time spans that were not searched [SI]. For a
      minimum, this bound is the upper bound of the negative value. The bound is minus infinity if all time
      spans were searched.
    """

    peaks: Peaks
    places: Places
    left: dict[Sought, float]


@dataclass
class Record:
    """Result of one flight: samples, and values just before and just after every event. All values are in SI
    units.

    - scenario: scenario of the flight.
    - time: sample times (T,) [s].
    - series: samples (T,) or (T, components) by path of the quantity.
    - events: events in order of time.
    - before, after: values (E, ...) by path, one row for each event.
    - meta: description of each quantity by path.
    - phases: (name, start, end) [s] of each phase.
    - outcome: outcome as one sentence.
    - completed: false if the flight ended before the end of its scenario.
    - corrections: changes that were made to the initial state.
    - switches: changes of the coordinates in which the motion is integrated, as sentences.
    - warnings: warnings as sentences.
    - restart: data from which the flight can be continued just after each event.
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
    """Quantities that have their own sample times: (times (n,) [s], values by path).

    The key is the path without its last name.
    """
    peaks: Peaks = field(default_factory=lambda: (np.zeros(0), {}))
    """Times and values of the quantities at extremes between samples."""
    sought: Places = field(default_factory=dict, repr=False, compare=False)
    """Times [s] of each extreme that was searched for; see `peaks.seek`."""
    left: dict[Sought, float] = field(default_factory=dict, repr=False, compare=False)
    """Upper bounds of extremes in time spans that were not searched; see `Found`."""
    search: Callable[[list[Sought]], Found] | None = field(default=None, repr=False, compare=False)
    """Function that searches for extremes between samples.

    None if the states of the flight are not stored, as for a flight from a file.
    """
    between: Callable[[np.ndarray, tuple[str, ...]], dict[str, np.ndarray]] | None = field(
        default=None, repr=False, compare=False
    )
    """Function that returns the values of quantities (paths) at times (n,) [s] between samples.

    For a flight from a file, the function is None until `Flight.value` needs values between samples.
    """
    at_steps: Callable[[tuple[str, ...]], Peaks] | None = field(default=None, repr=False, compare=False)
    """Function that returns quantities at the ends of the integration steps; None if these states are not
    stored.
    """
    unjudged: dict[str, tuple[float, str]] = field(default_factory=dict)
    """Quantities whose requirements cannot be checked before a certain time: (time [s], reason) by path."""
    unbegun: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    """Warnings for scenario items that were never active in this flight, by path.

    A mission omits the warning for an item that was active in another leg.
    """
    earlier: tuple[str, ...] = ()
    """Names of the events and phases of the flight that this flight continues."""
    sums: dict[str, float] = field(default_factory=dict, repr=False, compare=False)
    """Final values of quantities that are integrals over time, by path.

    In a leg of a mission, the integral includes the preceding legs.
    """
    legs: dict[str, Record] = field(default_factory=dict)
    """Record of each flown leg of a mission, by name of the leg.

    The record of a mission has no samples; use `legs.of` to read them from the legs.
    """
    after_leg: dict[str, str] = field(default_factory=dict)
    """Name of the preceding leg for each leg of a mission, by name; "" for the first leg."""
    unflown: dict[str, str] = field(default_factory=dict)
    """Reason for each leg of a mission that was not flown, by name of the leg."""
    followed: dict[tuple[str, ...], Record] = field(default_factory=dict, repr=False, compare=False)
    """Cache of records that join several legs."""


def resolve(record: Record, path: str) -> tuple[str, int | str | None]:
    """Split a path into the stored path of a quantity and its component.

    The component is an index, "magnitude", or None for all components. For example,
    "bodies.payload.position.x" is component 0 of "bodies.payload.position". For an unknown path, raises
    BadInput with similar names.
    """
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
    """Return one component of values (N, components), or the magnitude; return all values if `component` is
    None.
    """
    if component is None:
        return values
    if isinstance(component, str):
        return np.sqrt(np.sum(values**2, axis=-1))
    return values[..., component]


def names_with(record: Record, group: str, name: str) -> list[str]:
    """Return the names of the items in a group that have a quantity, in the order of the scenario.

    - group: group of the scenario, for example "joints".
    - name: name of the quantity, for example "force".

    Example: ``names_with(record, "joints", "force")``.
    """
    paths = (path.split(".") for path in record.meta if path in record.series)
    return [parts[1] for parts in paths if parts[0] == group and parts[2:] == [name]]


def events_at_samples(record: Record) -> list[str]:
    """Return the names of the events at the time of each sample, separated by commas; "" if no event
    occurs.
    """
    marks = [""] * len(record.time)
    for event in record.events:
        apart = np.abs(record.time - event.time)
        for row in np.flatnonzero(apart <= SAME_TIME * max(1.0, abs(event.time))):
            marks[row] = f"{marks[row]}, {event.name}" if marks[row] else event.name
    return marks


def between_events(record: Record) -> np.ndarray:
    """Return a mask (T,), which is true for each sample that is not at an event.

    The values at events are stored in `before` and `after`.
    """
    at = np.array([event.time for event in record.events], float)
    return np.all(np.abs(record.time[:, None] - at) > SAME_TIME * np.maximum(1.0, np.abs(at)), axis=1)


def timeline(record: Record, path: str, peaks: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Return times [s] and values of a quantity in order of time.

    The result contains the samples, the values before and after each event, and the extremes between samples.
    If the quantity has its own sample times, only these are returned. peaks: include the extremes between
    samples. Default: True.
    """
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
