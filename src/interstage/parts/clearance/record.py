"""Compute the clearances of a flight and add them to its record."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...record.record import BEFORE, Closest, Recontact, Record
from .course import OVERLAP, TOUCHING, Course, Watch, grid, is_over, sinking, window, with_least
from .declared import GROUP, OF_MEETING, Clearance, metas
from .motion import sampler
from .recontact import recontacts

if TYPE_CHECKING:
    from ...observation.after import Flown

SAME = 1e-12
"""Two times are equal if their relative difference is below this number."""


def add(flown: Flown, names: Collection[str] | None = None) -> None:
    """Compute the clearances of a flight and add them to its record. Raises BadInput if a shape cannot be
    used.

    names: names of the clearances to compute. Default: all clearances.
    """
    scenario, record = flown.scenario, flown.record
    if not len(record.time):
        return
    if not flown.finite:
        record.warnings.append(
            "Clearances were not computed: the flight ended in a state that is not finite."
        )
        return
    sample = sampler(flown)
    for declared in scenario.clearance:
        if names is None or declared.name in names:
            _add(Watch(declared, scenario, sample), record)


def _add(watch: Watch, record: Record) -> None:
    declared = watch.declared
    own = np.concatenate([record.time, [event.time for event in record.events]])
    span = window(declared, record)
    fine = grid(*span, float(declared.interval)) if span is not None else own[:0]
    times = _once(np.concatenate([own, fine]), own)
    whole = watch.at(times)
    path = f"{GROUP}.{declared.name}"
    met: list[Recontact] = []
    if span is not None:
        counted, closest = _counting_course(watch, whole, span, record)
        if counted is not None:
            # For bodies that touch initially, the time of separation is found backward from these times.
            met = recontacts(watch, counted)
            record.courses[path] = (counted.time, _values(counted, met))
        record.closest.append(closest)
        first = float(whole.distance[np.searchsorted(whole.time, span[0])])
        if declared.after is None:
            _warn_of_overlap(watch, first, closest, record)
        if -first > OVERLAP * watch.size:
            doubt(record, declared, -first, np.inf if closest.touched_until is None else closest.start)
        _warn(watch, counted, closest, met, record)
        if counted is not None and not met:
            _warn_of_nearness(watch, counted, closest, record)
    elif is_over(declared, record):
        record.unjudged |= {f"{path}.{name}": (np.inf, BEFORE) for name in metas(declared)}
    else:
        record.unbegun[path] = f"{path} did not begin: '{declared.after}' did not occur in this flight."
        record.warnings.append(record.unbegun[path])
    record.recontacts += met
    values = _values(whole, met)
    for name, meta in metas(declared).items():
        place = f"{path}.{name}"
        record.meta[place] = meta
        record.series[place] = values[name][_rows(times, record.time)]
        events = np.array([event.time for event in record.events], float)
        record.before[place] = record.after[place] = values[name][_rows(times, events)]


def _once(times: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Return the times in order. Of times that differ only by rounding, one is returned, with priority for
    `kept` times."""
    times = np.sort(times)
    kept = np.sort(kept)
    place = np.clip(np.searchsorted(kept, times), 1, max(1, len(kept) - 1))
    for side in (place - 1, np.minimum(place, len(kept) - 1)):
        near = np.abs(kept[side] - times) <= SAME * np.maximum(1.0, np.abs(times))
        times = np.where(near, kept[side], times)
    return np.unique(times)


def _rows(times: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return the rows of the requested times."""
    return np.searchsorted(times, wanted)


def _counting_course(watch: Watch, whole: Course, span: tuple[float, float], record: Record):
    """Return the time history over the evaluated section, or None if it is empty, and its closest point."""
    inside = (whole.time >= span[0]) & (whole.time <= span[1])
    course = whole.take(inside)
    touched = None
    if watch.declared.after is None and course.distance[0] <= TOUCHING * watch.size:
        open_ = course.distance > TOUCHING * watch.size
        sinks = sinking(watch, course)
        if sinks is not None:
            open_[sinks - 1] = True
        if not open_.any():
            return None, _closest(watch, course, 0, float(span[1]), never=True)
        first = int(np.argmax(open_))
        touched = float(course.time[first])
        course = course.take(slice(first, None))
    course, room = with_least(watch, course)
    closest = _closest(watch, course, int(np.argmin(course.distance)), touched)
    return course, replace(closest, less_by=max(closest.less_by, room))


def _closest(watch: Watch, course: Course, row: int, touched: float | None, never: bool = False) -> Closest:
    return Closest(
        name=watch.declared.name,
        between=tuple(watch.declared.between),
        time=float(course.time[row]),
        distance=float(course.distance[row]),
        shapes=watch.shapes(course, row),
        point_on_a=tuple(map(float, course.on_a[:, row])),
        point_on_b=tuple(map(float, course.on_b[:, row])),
        start=float(course.time[0]),
        end=float(course.time[-1]),
        touched_until=touched,
        apart=not never,
        less_by=float(course.slack[row]),
    )


def doubt(record: Record, declared: Clearance, depth: float, apart: float) -> None:
    """Mark the requirements on a clearance as not checked, because the bodies overlap when the clearance
    begins.

    - depth: depth of the overlap [m].
    - apart: time of separation [s]. Requirements on the distance are not checked before this time.

    Requirements on recontacts are not checked during the complete flight.
    """
    a, b = declared.between
    when = "at the start" if declared.after is None else f"when {declared.name} begins"
    text = f"{a} and {b} overlap by {depth:.4g} m {when}; the requirement is not checked"
    record.unjudged |= {f"{GROUP}.{declared.name}.{name}": (np.inf, text) for name in OF_MEETING}
    record.unjudged[f"{GROUP}.{declared.name}.distance"] = apart, text


def _warn(
    watch: Watch, course: Course | None, closest: Closest, met: list[Recontact], record: Record
) -> None:
    declared, least = watch.declared, closest.distance
    a, b = declared.between
    if met:
        first = met[0]
        sinks = course is not None and sinking(watch, course) is not None
        how = "touch and penetrate each other" if sinks else "touch"
        text = f"Recontact: {a} and {b} {how} at {first.time:.6f} s with {first.approach_speed:.4g} m/s."
        record.warnings.append(f"{text} {_what_follows(watch, record)}")
    elif not closest.apart:
        record.warnings.append(
            f"clearance.{declared.name}: {a} and {b} touch from the start and never separate."
        )
    elif closest.touched_until is None and least <= 0 and declared.after is not None:
        text = f"{a} and {b} already touch when the clearance begins at {closest.start:.6g} s"
        deep = f", and overlap by up to {-least:.4g} m at {closest.time:.6g} s" if least < 0 else ""
        fix = f"Remove after = '{declared.after}' to count from the separation, or name a later event."
        record.warnings.append(f"clearance.{declared.name}: {text}{deep}. {fix}")


def _warn_of_nearness(watch: Watch, course: Course, closest: Closest, record: Record) -> None:
    """Warn about distances below `warn_below`. If the bodies touch initially, the check begins when the
    distance has first exceeded this value, because each separation passes all smaller distances."""
    declared = watch.declared
    if declared.warn_below is None or closest.distance <= 0:
        return
    limit, (a, b) = float(declared.warn_below), declared.between
    least, time = closest.distance, closest.time
    if closest.touched_until is not None:
        far = np.flatnonzero(course.distance >= limit)
        if not far.size:
            most = f"is {course.distance.max():.4g} m, below warn_below = {limit:.4g} m"
            record.warnings.append(f"clearance.{declared.name}: the largest distance of {a} and {b} {most}.")
            return
        later, _ = with_least(watch, course.take(slice(int(far[0]), None)))
        least, time = float(later.distance.min()), float(later.time[np.argmin(later.distance)])
    if least < limit:
        record.warnings.append(
            f"clearance.{declared.name}: the distance of {a} and {b} falls to {least:.4g} m at {time:.6g} s,"
            f" below warn_below = {limit:.4g} m."
        )


def _warn_of_overlap(watch: Watch, distance: float, closest: Closest, record: Record) -> None:
    """Warn about the overlap of the bodies at the start of the flight, with its depth."""
    if -distance <= OVERLAP * watch.size:
        return
    a, b = watch.declared.between
    text = f"clearance.{watch.declared.name}: {a} and {b} overlap by {-distance:.4g} m at the start"
    if closest.touched_until is not None:
        text += (
            f". They move through each other until {closest.touched_until:.6g} s; the clearance is computed"
            " from this time on"
        )
    record.warnings.append(f"{text}. If this is not intended, move one body, or change its shapes.")


def _what_follows(watch: Watch, record: Record) -> str:
    """Return a text on the validity of the flight after a recontact, with the contacts between the two
    bodies."""
    bodies = {*watch.declared.bodies}
    acting = [c.name for c in record.scenario.contacts if {c.body, c.other} == bodies]
    if not acting:
        return "No contact force acts, so the later motion is not realistic."
    heads = tuple(f"Contact '{name}': " for name in acting)
    said = [text for text in record.warnings if text.startswith(heads)]
    record.warnings[:] = [text for text in record.warnings if text not in said]
    if said:
        return " ".join(said)
    names = " and ".join(f"'{name}'" for name in acting)
    return f"The force of contact {names} is zero, so the later motion is not realistic."


def _values(course: Course, met: list[Recontact]) -> dict[str, np.ndarray]:
    """Return the quantities of `parts.clearance.declared.metas` over a time history, times first."""
    passed = np.array([r.time for r in met])[None] <= course.time[:, None]
    speed = np.array([max(r.approach_speed, 0.0) for r in met])
    energy = np.array([r.energy for r in met])
    return {
        "distance": course.distance,
        "point_on_a": course.on_a.T,
        "point_on_b": course.on_b.T,
        "direction": course.direction.T,
        "recontacts": passed.sum(1).astype(float),
        "recontact_speed": np.max(passed * speed, 1, initial=0.0),
        "recontact_energy": np.max(passed * energy, 1, initial=0.0),
    }
