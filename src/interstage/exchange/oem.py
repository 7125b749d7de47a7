"""Read orbit ephemeris messages of the CCSDS (OEM, 502.0-B-2 and 502.0-B-3) as keyword text.

Covariance matrices and accelerations are skipped. Interpolation is as the file states. If the file states
none, it is by Hermite polynomials of degree 7, or of a lower degree for fewer than 4 states.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..tree.errors import BadInput, Problem
from ..tree.guarded_reader import EPHEMERIS, Unreadable, read_text

KILOMETRE = 1000.0
NEEDED = ("OBJECT_NAME", "CENTER_NAME", "REF_FRAME", "TIME_SYSTEM")
WAYS = ("HERMITE", "LAGRANGE", "LINEAR")
MOST_DEGREE = 20
"""Maximum degree of interpolation."""
USUAL_DEGREE = 7
COLUMNS = (6, 9)
"""Allowed counts of numbers in a line: position and velocity, and optionally the acceleration."""


@dataclass
class OemSegment:
    """States of an object between two jumps.

    - line: line of META_START in the file.
    - keys: metadata by keyword, values as in the file.
    - dates: dates of the states as texts, in the time system of the file.
    - states (n, 6): position [m] and velocity [m/s], in the frame of the file.
    - lines: line of each state.
    """

    line: int
    keys: dict[str, str] = field(default_factory=dict)
    dates: list[str] = field(default_factory=list)
    states: list[list[float]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    @property
    def points(self) -> int:
        """Return the number of states that the interpolation uses."""
        way, degree = self.interpolation
        wanted = (degree + 2) // 2 if way == "HERMITE" else degree + 1
        return wanted if "INTERPOLATION" in self.keys else min(wanted, len(self.states))

    @property
    def interpolation(self) -> tuple[str, int]:
        """Return the kind of interpolation, from WAYS, and its degree."""
        way = self.keys.get("INTERPOLATION", "HERMITE").upper()
        if way == "LINEAR":
            return way, 1
        return way, int(self.keys.get("INTERPOLATION_DEGREE", USUAL_DEGREE))

    def state_at(self, times: np.ndarray, time: float) -> np.ndarray:
        """Return position [m] and velocity [m/s] (6,) at a time.

        times (n,): times of the states [s], increasing. time: [s], from the first to the last of these.
        Raises ValueError if the segment has fewer states than its interpolation needs.
        """
        states = np.asarray(self.states)
        same = np.flatnonzero(times == time)
        if len(same):
            return states[same[0]]
        count = self.points
        if count > len(times):
            raise ValueError(f"has {len(times)} states, but its interpolation needs {count}")
        after = int(np.searchsorted(times, time))
        first = int(np.clip(after - (count + 1) // 2, 0, len(times) - count))
        rows = slice(first, first + count)
        scale = times[rows.stop - 1] - times[first] if count > 1 else 1.0
        own, x = (times[rows] - time) / scale, np.zeros(1)
        from scipy.interpolate import KroghInterpolator

        if self.interpolation[0] != "HERMITE":
            return np.asarray(KroghInterpolator(own, states[rows])(x))[0]
        both = np.stack([states[rows, :3], states[rows, 3:] * scale], 1).reshape(-1, 3)
        found = KroghInterpolator(np.repeat(own, 2), both)
        return np.concatenate([found(x)[0], found.derivative(x)[0] / scale])


def read(path: str | Path) -> list[OemSegment]:
    """Return the segments of a file. Raises BadInput with all faults and their lines."""
    try:
        text = read_text(path, EPHEMERIS)
    except Unreadable as error:
        raise BadInput(f"{path}: {error}") from None
    return parse(text, str(path))


def parse(text: str, source: str | None = None) -> list[OemSegment]:
    """Return the segments in the text of a message. source: name of the file in messages. Raises BadInput."""
    reader = _Reader()
    if text.lstrip().startswith("<"):
        raise BadInput(Problem("", "the message is in XML. Write it as keyword text (KVN)", 1), source)
    reader.read(text)
    if not reader.faults:
        reader.faults += [one for segment in reader.segments for one in _faults_of(segment)]
    if reader.faults:
        raise BadInput(reader.faults, source)
    return reader.segments


class _Reader:
    """Segments and faults of a text so far. part: current part of the message."""

    def __init__(self) -> None:
        self.segments: list[OemSegment] = []
        self.faults: list[Problem] = []
        self.part = "HEADER"

    def read(self, text: str) -> None:
        lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
        lines = [one for one in lines if one[1] and not one[1].startswith("COMMENT")]
        if not lines or not lines[0][1].startswith("CCSDS_OEM_VERS"):
            fault = "the first line is not CCSDS_OEM_VERS. Give an orbit ephemeris message (OEM)"
            self._fault(lines[0][0] if lines else 1, fault)
            return
        for number, line in lines:
            self._line(number, line)
        if not self.segments:
            self._fault(len(lines), "the message has no META_START. Add metadata and states")

    def _fault(self, line: int, text: str) -> None:
        self.faults.append(Problem("", text, line))

    def _line(self, number: int, line: str) -> None:
        match line:
            case "META_START":
                self.part = "META"
                self.segments.append(OemSegment(number))
            case "META_STOP":
                self.part = "DATA"
            case "COVARIANCE_START":
                self.part = "COVARIANCE"
            case "COVARIANCE_STOP":
                self.part = "DATA"
            case _ if self.part == "META":
                self._key(number, line)
            case _ if self.part == "DATA":
                self._state(number, line)

    def _key(self, number: int, line: str) -> None:
        key, equals, value = (one.strip() for one in line.partition("="))
        if not equals or not value:
            self._fault(number, f"'{line}' is not metadata. Write KEYWORD = value")
        else:
            self.segments[-1].keys[key] = value

    def _state(self, number: int, line: str) -> None:
        date, *words = line.split()
        try:
            values = [float(word) * KILOMETRE for word in words]
        except ValueError:
            values = []
        if len(values) not in COLUMNS or not np.isfinite(values).all():
            self._fault(number, f"'{line[:80]}' is not a state. Write a date and 6 numbers in km and km/s")
            return
        segment = self.segments[-1]
        segment.dates.append(date)
        segment.states.append(values[:6])
        segment.lines.append(number)


def _faults_of(segment: OemSegment) -> Iterator[Problem]:
    missing = [key for key in NEEDED if key not in segment.keys]
    if missing:
        yield Problem(
            "", f"the metadata have no {', '.join(missing)}. Add the missing keywords", segment.line
        )
    if not segment.states:
        yield Problem("", "the segment has no states. Add states, or remove the segment", segment.line)
    way = segment.keys.get("INTERPOLATION", WAYS[0]).upper()
    degree = segment.keys.get("INTERPOLATION_DEGREE", "1")
    if way not in WAYS:
        text = f"INTERPOLATION = {way} is not supported. Allowed: {', '.join(WAYS)}"
        yield Problem("", text, segment.line)
    if not degree.isdecimal() or not 1 <= int(degree) <= MOST_DEGREE:
        text = f"INTERPOLATION_DEGREE = {degree} is not a degree. Give a number from 1 to {MOST_DEGREE}"
        yield Problem("", text, segment.line)
