"""First lines of the report: separation of the bodies, smallest clearance, largest load, and smallest
margin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from ..drawing.curves import thousands
from ..drawing.table import SAME_SIZE, number, peak, seek_peaks, time_text
from ..record.envelope import LOADS
from ..record.peaks import seek
from ..record.record import Closest, Recontact, Record, Sought, names_with, pick, resolve, timeline
from ..record.requirements import Margin
from ..record.rounding import noise, without_rounding
from ..tree.sentences import count_text
from ..tree.units import display
from .summary import SeparatedPair, separated_pairs

Item = TypeVar("Item")
LISTED = 3
"""Maximum number of pairs, clearances or requirements that a line names. The line states how many others
exist.
"""


@dataclass(frozen=True)
class Answer:
    """Line at the top of a report, with its topic and its text. bad: true if the line is marked in red."""

    topic: str
    text: str
    bad: bool = False


def answers(record: Record, margins: list[Margin], units: str) -> list[Answer]:
    """Return the lines on separation, clearance, loads and requirements of a flight; empty without samples.

    - margins: results of the requirements.
    - units: unit system, "SI" or "US".
    """
    if not len(record.time):
        return []
    found = [
        _separation(record, units),
        _clearance(record.closest, record.recontacts, units),
        _loads(record, margins, units),
    ]
    return [answer for answer in found if answer.text]


def value_text(value: float, unit: str, units: str, digits: int = 4) -> str:
    """Return a value with its unit as text.

    - value, unit: value in SI, and its SI unit.
    - units: unit system of the text, "SI" or "US".
    - digits: number of significant digits. Default: 4.
    """
    factor, name = thousands(*display(unit, units), np.array([value]))
    return number(value * factor, digits) + ("" if name == "1" else f" {name}")


def _legs(record: Record) -> Iterable[Record]:
    return record.legs.values() if record.legs else [record]


def _list_text(items: list[Item], text: Callable[[Item], str], noun: str) -> str:
    """Return the texts of the first items, and the number of the others."""
    more = len(items) - LISTED
    rest = [f"{more} more {noun}" if more > 1 else f"1 more {noun.removesuffix('s')}"] if more > 0 else []
    return "; ".join([*map(text, items[:LISTED]), *rest])


def _separation(record: Record, units: str) -> Answer:
    pairs = [pair for leg in _legs(record) for pair in separated_pairs(leg)]

    def text(pair: SeparatedPair) -> str:
        when = (
            "before the start of the flight" if pair.released is None else f"at {time_text(pair.released)} s"
        )
        late = (
            "" if pair.spent is not None else " (a separation device still pushes at the end of the flight)"
        )
        speed = value_text(pair.speed, "m/s", units)
        rate = value_text(float(np.linalg.norm(pair.rates)), "rad/s", units)
        text = f"{pair.parent} / {pair.child} released {when}"
        return f"{text}, separation speed {speed}, relative angular rate {rate}{late}"

    if pairs:
        return Answer("Separation", f"{_list_text(sorted(pairs, key=_release), text, 'pairs')}.")
    joints = any(leg.scenario.joints for leg in _legs(record))
    return Answer("Separation", "No pair of bodies was released." if joints else "")


def _release(pair: SeparatedPair) -> float:
    return -np.inf if pair.released is None else pair.released


def _clearance(closest: list[Closest], recontacts: list[Recontact], units: str) -> Answer:
    if recontacts:
        first = min(recontacts, key=lambda met: met.time)
        speed = value_text(first.approach_speed, "m/s", units)
        text = f"Recontact of {' / '.join(first.shapes)} at {time_text(first.time)} s"
        text += f", approach speed {speed}."
        if others := len(recontacts) - 1:
            text += f" {count_text(others, 'more recontacts')} follow{'s' if others == 1 else ''}."
        return Answer("Nearest approach", text, bad=True)

    def text_of(found: Closest) -> str:
        if not found.apart:
            return f"{found.name}: bodies in contact throughout the flight"
        if found.touched_until is not None and found.time == found.start:
            return f"{found.name}: bodies separate at {time_text(found.time)} s without a later contact"
        distance = value_text(found.distance, "m", units)
        return f"{found.name}: {distance} at {time_text(found.time)} s"

    if not closest:
        text = "The clearance was not computed. To compute it, declare the two bodies in [clearance.NAME]."
        return Answer("Nearest approach", text)
    near = sorted(closest, key=lambda found: (found.touched_until is not None, found.distance))
    return Answer("Nearest approach", f"{_list_text(near, text_of, 'clearances')}. No recontact.")


def _loads(record: Record, margins: list[Margin], units: str) -> Answer:
    margin, low = _smallest_margin(record)
    parts = [_largest_load(record, units), margin, _requirements(margins, units)]
    text = " ".join(part for part in parts if part)
    broken = any(one.has_verdict and not one.passed for one in margins)
    return Answer("Loads and requirements", text, low or broken)


def _largest_load(record: Record, units: str) -> str:
    """Return a sentence on the joint with the largest force, or with the largest torque without a force."""
    for load, unit in zip(LOADS, ("N", "N m"), strict=True):
        found = [
            (value, time, joint)
            for leg in _legs(record)
            for joint in names_with(leg, "joints", load)
            for value, time in [_load_peak(leg, joint, load)]
            if value > 0
        ]
        if found:
            value, time, joint = max(found)
            size = value_text(value, unit, units)
            return f"Largest joint {load}: {size} in joint {joint} at {time_text(time)} s."
    return ""


def _smallest_margin(record: Record) -> tuple[str, bool]:
    """Return a sentence on the smallest margin of safety, and whether it is negative."""
    found = []
    for leg in _legs(record):
        for path in _margins(leg):
            seek(leg, [Sought(path, -1.0)])
            stored, component = resolve(leg, path)
            times, every = timeline(leg, stored)
            values = pick(every, component)
            if np.isfinite(values).any():
                least = np.nanmin(values)
                row = int(np.argmax(values <= least + SAME_SIZE * abs(least)))
                found.append((float(values[row]), float(times[row]), path))
    if not found:
        return "", False
    least, time, name = min(found)
    text = f"Smallest margin of safety: {number(least, 4)}, {name} at {time_text(time)} s."
    return text, least < 0


def _margins(record: Record) -> Iterable[str]:
    """Yield the paths of the margins of safety, or of their components."""
    for path in (path for path in record.series if path.endswith(".margin")):
        parts = record.meta[path].components
        yield from (f"{path}.{part}" for part in parts) if parts else (path,)


def _load_peak(record: Record, joint: str, load: str) -> tuple[float, float]:
    """Return the peak of a joint load and its time; zero if the joint is never active."""
    path = f"joints.{joint}.{load}"
    if not np.any(timeline(record, f"joints.{joint}.active")[1]):
        return 0.0, 0.0
    seek_peaks(record, [f"{path}.magnitude"])
    value, time = peak(record, path)
    return without_rounding(value, noise(record, [path])[path]), time


def _requirements(margins: list[Margin], units: str) -> str:
    judged = [margin for margin in margins if margin.has_verdict]
    broken = [margin for margin in judged if not margin.passed]
    unjudged = len(margins) - len(judged)
    rest = f" {count_text(unjudged, 'requirements')} could not be evaluated." if unjudged else ""

    def text(margin: Margin) -> str:
        if margin.note:
            return f"{margin.name} (no value)"
        side = ">=" if margin.side == "min" else "<="
        limit = value_text(margin.limit, margin.unit, units)
        return f"{margin.name} = {value_text(margin.value, margin.unit, units)} (limit {side} {limit})"

    if broken:
        count = f"{len(broken)} of {len(judged)} requirements {'is' if len(broken) == 1 else 'are'} broken"
        return f"{count}: {_list_text(broken, text, 'requirements')}.{rest}"
    if not judged:
        return "The scenario declares no requirements." if not margins else rest.strip()
    count = "The requirement is met" if len(judged) == 1 else f"All {len(judged)} requirements are met"
    return f"{count}. Smallest relative margin: {text(min(judged, key=_relative))}.{rest}"


def _relative(margin: Margin) -> float:
    """Return the margin relative to the size of the limit, or of the value if the limit is zero."""
    size = abs(margin.limit) or abs(margin.value)
    return margin.margin / size if size else np.inf
