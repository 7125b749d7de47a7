"""Check the requirements of a scenario, which limit quantities, and compute the margins of a flight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..missions.mission import Mission
from ..tree.errors import BadInput
from ..tree.units import compatible, parse_unit
from . import legs
from .across import NotTogether
from .peaks import error_of, found_for, seek, sought
from .record import BEFORE, MAY_BE_INFINITE, Record, Sought, between_events, pick, resolve, timeline
from .rounding import noise

if TYPE_CHECKING:
    from ..model.settings import Requirement


Extreme = Literal["min", "max", "largest"]
EXTREMES = {"min": np.min, "max": np.max, "largest": lambda values: np.max(np.abs(values))}
"""Functions that return the minimum, the maximum and the largest magnitude of values."""


APSES = ("perigee_altitude", "apogee_altitude", "perigee_height", "apogee_height")
"""Names of the altitudes and heights of the osculating orbit's apsides. The reference surfaces of these
altitudes differ."""
NEGLIGIBLE, SMALL = 0.01, 1e-9
"""Relative errors up to which an error between samples is negligible.

NEGLIGIBLE is relative to the margin, and SMALL is relative to the limited value.
"""


@dataclass(frozen=True)
class Margin:
    """Result of the check of one limit. All values are in `unit` (SI).

    - value: value that is nearest to the limit, or furthest beyond the limit.
    - time: time of this value [s].
    - note: reason why no value exists; "" if a value exists.
    - error: amount by which the value may be nearer to the limit, or further beyond it, between the
      samples.
    - rounding: magnitude below which the value is a rounding error.
    - partly: true if the flight ended early, so that only a part of the required time was checked.
    - unreached: true if the flight ended before the time of the requirement.
    - meaning: description of an apsis altitude or height, which names its reference surface.
    """

    name: str
    quantity: str
    where: str
    side: Literal["min", "max"]
    limit: float
    unit: str
    value: float = np.nan
    time: float = np.nan
    note: str = ""
    error: float = 0.0
    rounding: float = 0.0
    partly: bool = False
    unreached: bool = False
    meaning: str = ""

    @property
    def doubtful(self) -> bool:
        """Return whether the error between samples is significant; see `NEGLIGIBLE`."""
        return self.error > max(NEGLIGIBLE * abs(self.margin), SMALL * abs(self.value))

    @property
    def margin(self) -> float:
        """Return the distance between value and limit: positive if the limit is met; NaN without a value."""
        return self.limit - self.value if self.side == "max" else self.value - self.limit

    @property
    def earlier(self) -> bool:
        """Return whether the requirement applies to an event or phase before this flight.

        This flight then continues another flight.
        """
        return self.note == BEFORE

    @property
    def has_verdict(self) -> bool:
        """Return whether the flight contains the time of the requirement, so that the limit is either met or
        violated.

        If the flight contains this time but no value exists, the limit is violated.
        """
        return not (self.earlier or self.unreached)

    @property
    def passed(self) -> bool:
        """Return whether the limit was met. A limit that could not be checked is not met.

        A requirement that applies before this flight counts as met; see `earlier`.
        """
        return self.earlier or (not self.note and bool(self.margin >= 0))


def evaluate(record: Record, requirements: tuple[Requirement, ...] | None = None) -> list[Margin]:
    """Return the margins of a flight, one for each limit.

    requirements: requirements to check. Default: all requirements of the scenario.
    """
    if requirements is None:
        requirements = record.scenario.requirements
    return [margin for requirement in requirements for margin in _margins(record, requirement)]


def _margins(record: Record, requirement: Requirement) -> Iterator[Margin]:
    unit, note = "1", ""
    times = values = np.zeros(0)
    early = _ended_early(record, requirement.at or requirement.during)
    try:
        record = legs.of(record, requirement.quantity, requirement.at or requirement.during)
        unit = _unit(record, requirement)
        times, values = relevant_values(record, requirement)
    except BadInput as error:
        note, early = str(error), early or not record.completed
    if not note:
        note = _why_unjudged(record, requirement, times, values)
    sides: tuple[Literal["min", "max"], ...] = ("min", "max")
    for side in sides:
        limit = getattr(requirement, side)
        if limit is None:
            continue
        found = {}
        if not note:
            row = int(np.argmin(values) if side == "min" else np.argmax(values))
            value = float(values[row])
            found = {
                "value": value,
                "time": float(times[row]),
                "error": _error(record, requirement, side, value),
                "rounding": noise(record, [stem := resolve(record, requirement.quantity)[0]])[stem],
                "partly": _is_partial(record, requirement),
                "meaning": record.meta[stem].long_name if stem.rpartition(".")[2] in APSES else "",
            }
        yield Margin(
            name=requirement.name,
            quantity=requirement.quantity,
            where=_where(requirement),
            side=side,
            limit=float(limit.magnitude),
            unit=unit,
            note=note,
            unreached=early and bool(note) and (requirement.at == "end" or not len(values)),
            **found,
        )


def _ended_early(record: Record, moment: str | None) -> bool:
    """Whether a flight ended early; in a mission, the leg with an event or a phase, if it was flown."""
    leg = Mission.of(record.scenario).leg_of(moment) if record.legs and moment else ""
    return not record.legs.get(leg, record).completed


def _is_partial(record: Record, requirement: Requirement) -> bool:
    """Whether a flight ended early in the time span of a requirement."""
    if record.completed or requirement.at is not None:
        return False
    return requirement.during is None or requirement.during == record.phases[-1][0]


def _error(record: Record, requirement: Requirement, side: str, value: float) -> float:
    """Approximate further change of an extreme."""
    stem, _ = resolve(record, requirement.quantity)
    if requirement.at is not None or stem.rpartition(".")[0] in record.courses:
        return 0.0
    sign = 1.0 if side == "max" else -1.0
    return error_of(record, Sought(requirement.quantity, sign, requirement.during), value)


def _unit(record: Record, requirement: Requirement) -> str:
    """Return the unit of the quantity (SI). Raises BadInput for vectors and for limits of another
    dimension."""
    stem, component = resolve(record, requirement.quantity)
    meta = record.meta[stem]
    if component is None and meta.components:
        raise BadInput(
            f"{stem} is a vector. Add a component to the path: {', '.join(meta.components)} or magnitude"
        )
    for limit in (requirement.min, requirement.max):
        given = limit.unit if limit is not None else None
        if given is not None and not compatible(parse_unit(given)[1], parse_unit(meta.unit)[1]):
            raise BadInput(
                f"the limit is in {given}, but {stem} is in {meta.unit}. Give the limit in {meta.unit}"
            )
    return meta.unit


def relevant_values(record: Record, requirement: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the times [s] and values of a quantity to which a requirement applies.

    requirement: a requirement, or an object with the fields `quantity`, `at`, `during` and `side`. Raises
    BadInput for an unknown quantity.
    """
    record = legs.of(record, requirement.quantity, requirement.at or requirement.during)
    stem, component = resolve(record, requirement.quantity)
    series = pick(record.series[stem], component)
    at = requirement.at
    if at in ("start", "end"):
        row = slice(0, 1) if at == "start" else slice(-1, None)
        return record.time[row], series[row]
    event_times = np.array([event.time for event in record.events], float)
    sides = {"before": record.before, "after": record.after}
    if at is not None:
        rows = [row for row, event in enumerate(record.events) if event.name == at]
        return event_times[rows], pick(sides[requirement.side][stem], component)[rows]
    spans = [(s, e) for name, s, e in record.phases if requirement.during in (None, name)]
    if stem.rpartition(".")[0] in record.courses:  # separate times, which are denser than the samples
        own, course = timeline(record, stem)
        inside = np.any([(own >= start) & (own <= end) for start, end in spans], axis=0)
        return own[inside], pick(course, component)[inside]
    return over_time(record, stem, component, spans, [*sought(requirement)])[:2]


def over_time(
    record: Record,
    stem: str,
    component: int | str | None,
    spans: Sequence[tuple[float, float]],
    wanted: Sequence[Sought],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return times [s], values and origin codes of a quantity in some time spans, in order of time.

    - stem: path of the quantity. component: index, "magnitude" or None.
    - spans: (start, end) [s] of each time span.
    - wanted: requested extremes between samples.

    The origin code states from where a value comes. The code is 0 for a sample or an extreme, -k for the
    value before event number k, and k for the value after this event. Events are numbered from 1.
    """
    apart, number = between_events(record), np.arange(1, len(record.events) + 1)
    event_times = np.array([event.time for event in record.events], float)
    # A value just after the end of a leg belongs to this leg, and to no phase that begins then.
    ends = {event.leg: event.time for event in record.events if event.kind == "end"}
    goes_on = np.array([event.time < ends.get(event.leg, np.inf) for event in record.events], bool)
    found = [[np.zeros(0)], [np.zeros(0)], [np.zeros(0, int)]]
    none = record.time[:0], record.series[stem][:0]
    seek(record, wanted)
    between, peaks = (record.peaks[0], record.peaks[1][stem]) if stem in record.peaks[1] else none
    mine = found_for(record, wanted) if len(between) else np.zeros(0, bool)
    for start, end in spans:
        for t, v, place, keep in (
            (
                record.time,
                record.series[stem],
                np.zeros(len(record.time), int),
                (record.time >= start) & (record.time <= end) & apart,
            ),
            (between, peaks, np.zeros(len(between), int), (between > start) & (between < end) & mine),
            (event_times, record.before[stem], -number, (event_times > start) & (event_times <= end)),
            (
                event_times,
                record.after[stem],
                number,
                (event_times >= start) & (event_times < end) & goes_on,
            ),
        ):
            for column, one in zip(found, (t, pick(v, component), place), strict=True):
                column.append(one[keep])
    when, values, places = map(np.concatenate, found)
    order = np.argsort(when, kind="stable")
    return when[order], values[order], places[order]


@dataclass(frozen=True)
class Wanted:
    """Request for one value of a quantity in a flight: its value at an event, or its extreme over time.

    - quantity: path of the quantity.
    - at: name of an event, "start" or "end"; None for an extreme.
    - during: phase of the extreme; None for the complete flight.
    - side: value just before or just after the event.
    - take: "min", "max" or "largest"; None for a value at an event.
    """

    quantity: str
    at: str | None = None
    during: str | None = None
    side: Literal["before", "after"] = "after"
    take: Extreme | None = None


def value_of(record: Record, wanted: Any) -> float:
    """Return the requested value of a quantity in one flight.

    wanted: a `Wanted`, or an object with the same fields. The value is NaN if the flight does not reach the
    requested time, or if a value that enters an extreme is NaN. Raises BadInput for an unknown quantity.
    """
    try:
        record = legs.of(record, wanted.quantity, wanted.at or wanted.during)
    except NotTogether:
        return np.nan
    if wanted.at == "end" and not record.completed:
        return np.nan
    _, values = relevant_values(record, wanted)
    if not len(values) or not _fine(record, wanted.quantity, values):
        return np.nan
    return float(EXTREMES[wanted.take](values) if wanted.take else values[0])


def _fine(record: Record, quantity: str, values: np.ndarray) -> bool:
    """Whether values may be compared: an infinite value of a finite quantity would decide without notice."""
    infinite = record.meta[resolve(record, quantity)[0]].note == MAY_BE_INFINITE
    return not np.isnan(values).any() if infinite else bool(np.isfinite(values).all())


def _why_unjudged(record: Record, requirement: Requirement, times: np.ndarray, values: np.ndarray) -> str:
    if requirement.at == "end" and not record.completed:
        return "the flight ended early"
    if requirement.at == "start" and record.earlier:
        return BEFORE
    if len(values) == 0 and (requirement.at or requirement.during) in record.earlier:
        return BEFORE
    if len(values) == 0:
        what = f"event '{requirement.at}' did" if requirement.at else f"phase '{requirement.during}' did"
        return f"{what} not occur" if requirement.at or requirement.during else "the flight has no samples"
    bad = ~np.isfinite(values)
    if bad.any():
        return f"the value is not a finite number at {times[np.argmax(bad)]:.9g} s"
    until, why = record.unjudged.get(resolve(record, requirement.quantity)[0], (-np.inf, ""))
    return why if _begins(record, requirement, times) < until else ""


def _begins(record: Record, requirement: Requirement, times: np.ndarray) -> float:
    """Start time [s] of a requirement in a flight."""
    if requirement.at is not None:
        return float(times[0])
    return min(start for name, start, _ in record.phases if requirement.during in (None, name))


def _where(requirement: Requirement) -> str:
    if requirement.at in ("start", "end"):
        return f"at the {requirement.at}"
    if requirement.at is not None:
        return f"just {requirement.side} event {requirement.at}"
    return f"during phase {requirement.during}" if requirement.during else "whole flight"
