"""Reader of thrust traces of solid motors in the RASP format (.eng).

Blank lines and text after a semicolon are comments. A motor has a header of seven fields (name, diameter
[mm], length [mm], delays, propellant mass [kg], loaded mass [kg], maker). Points of time [s] and thrust [N]
follow the header. Straight lines connect the points. The first point, of zero thrust at time zero, is
implicit. The last point has zero thrust. A file can contain several motors. The original limit of 32 points
does not apply.

Measured traces often start or end with a thrust above zero. The reader accepts such a trace with a note. In
the flight, the thrust jumps at time zero, and drops to zero at the last time. A diameter or a length of 0
means unknown.

Source: J. Coker, RASP File Format, thrustcurve.org."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..tree.errors import BadInput, Problem
from ..tree.guarded_reader import MOTOR, Unreadable, read_text
from ..tree.sentences import count_text

FIELDS = "name, diameter [mm], length [mm], delays, propellant [kg], loaded mass [kg] and maker"


class RaspMotor(NamedTuple):
    """One motor of a file.

    The fields are name, diameter [m], length [m], delays of the ejection charge as texts (seconds; P without
    a charge), propellant mass [kg], loaded mass [kg], maker, and the trace. The trace has times [s] and
    thrust [N] (n,) from time zero. notes: sentences about unusual contents of the file.
    """

    name: str
    diameter: float
    length: float
    delays: tuple[str, ...]
    propellant: float
    loaded: float
    maker: str
    time: np.ndarray
    thrust: np.ndarray
    notes: tuple[str, ...] = ()


def read(path: str | Path) -> tuple[RaspMotor, ...]:
    """Return the motors of a .eng file, in the order of the file. Raises `BadInput` with the line number."""
    path = Path(path)
    try:
        text = read_text(path, MOTOR, "utf-8", "replace")
    except Unreadable as error:
        raise BadInput(f"{path}: {error}") from None
    return parse(text, str(path))


def parse(text: str, source: str | None = None) -> tuple[RaspMotor, ...]:
    """Return the motors in the text of a .eng file. `source`: name of the file in messages. Raises
    `BadInput`.
    """
    try:
        return tuple(_motors(text))
    except _Malformed as error:
        raise BadInput(Problem("", error.args[1], error.args[0]), source) from None


class _Malformed(ValueError):
    """(line number, fault)."""


def _motors(text: str) -> list[RaspMotor]:
    found: list[RaspMotor] = []
    header: list[str] = []
    points: list[tuple[float, float]] = []
    begun = number = 0
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.lstrip("\ufeff").partition(";")[0].split()
        if not fields:
            continue
        if header and len(fields) == 2:
            points.append(_point(number, fields, points))
        elif len(fields) >= 7:
            if header:
                found.append(_motor(begun, header, points, number))
            header, points, begun = fields, [], number
        else:
            point = ", or a point of time [s] and thrust [N]" if header else ""
            text = (
                f"the line has {count_text(len(fields), 'fields')}. Allowed: a header of seven"
                f" fields ({FIELDS}){point}"
            )
            raise _Malformed(number, f"{text}. Write comments after a semicolon")
    if not header:
        raise _Malformed(
            number or 1, f"the file has no motor. Begin with a header of seven fields ({FIELDS})"
        )
    return [*found, _motor(begun, header, points, number)]


def _point(number: int, fields: list[str], before: list[tuple[float, float]]) -> tuple[float, float]:
    time, thrust = _number(number, fields[0], "a time [s]"), _number(number, fields[1], "a thrust [N]")
    if thrust < 0:
        raise _Malformed(number, f"the thrust {thrust:g} N is negative. Write 0 or more")
    last = before[-1][0] if before else -1.0 if time == 0 else 0.0
    if not time > last:
        text = f"times must increase from point to point, but {time:g} s follows {last:g} s"
        raise _Malformed(number, f"{text}. Sort the points, and remove duplicates")
    return time, thrust


def _motor(line: int, header: list[str], points: list[tuple[float, float]], end: int) -> RaspMotor:
    """The motor of a header at a line, with its points, which end at or before line `end`."""
    name, delays = header[0], header[3]
    values = [_number(line, header[i], what) for i, what in _NUMBERS.items()]
    diameter, length, propellant, loaded = values
    for value, what in zip(values, _NUMBERS.values(), strict=True):
        if value < 0 or (value == 0 and what not in _FOR_REFERENCE):
            raise _Malformed(
                line, f"{value:g} is not a valid {what.partition(' ')[2]}. Write a value above 0"
            )
    if propellant > loaded:
        text = (
            f"the mass of propellant, {propellant:g} kg, exceeds the mass of the loaded motor, {loaded:g} kg"
        )
        raise _Malformed(line, f"{text}. Write both in kg, the propellant first")
    if not points:
        text = f"the thrust curve of {name} (line {line}) has no points"
        raise _Malformed(
            end, f"{text}. Add lines of time [s] and thrust [N]. The thrust of the last line must be 0"
        )
    if not any(thrust for _, thrust in points):
        raise _Malformed(
            end, f"the thrust curve of {name} (line {line}) is zero. Add a point with a thrust above 0"
        )
    if points[0][0] > 0:
        points = [(0.0, 0.0), *points]
    time, thrust = np.array(points).T
    marks = tuple(delays.split("-"))
    maker = " ".join(header[6:])
    notes = tuple(_notes(diameter, length, points))
    return RaspMotor(
        name, diameter / 1e3, length / 1e3, marks, propellant, loaded, maker, time, thrust, notes
    )


def _notes(diameter: float, length: float, points: list[tuple[float, float]]) -> Iterator[str]:
    """Unusual contents of a motor and their interpretation."""
    for value, what in ((diameter, "diameter"), (length, "length")):
        if value == 0:
            yield f"the {what} in the file is 0 and counts as unknown"
    begin, (last, end) = points[0][1], points[-1]
    if begin > 0:
        yield f"the thrust curve begins with {begin:g} N. The thrust jumps to this value at time zero"
    if end > 0:
        yield f"the thrust curve ends with {end:g} N. The thrust drops to zero at {last:g} s"


_NUMBERS = {1: "a diameter [mm]", 2: "a length [mm]", 4: "a mass of propellant [kg]", 5: "a loaded mass [kg]"}
"""Fields of a header that are numbers."""


_FOR_REFERENCE = (_NUMBERS[1], _NUMBERS[2])
"""Numeric fields that flights do not use."""


def _number(line: int, text: str, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise _Malformed(line, f"'{text}' is not {what}. Write a number such as 12.5")
    return value


def chosen(motors: tuple[RaspMotor, ...], name: str | None) -> RaspMotor:
    """Return the motor with a name. If `name` is None, return the only motor. Raises `BadInput` if the file
    has no such motor.
    """
    listed = ", ".join(m.name for m in motors)
    found = [m for m in motors if name in (None, m.name)]
    if len(found) == 1:
        return found[0]
    if name is None:
        raise BadInput(f"the file has {len(motors)} motors. Select one motor by `designation`: {listed}")
    many = "several motors" if found else "no motor"
    raise BadInput(f"the file has {many} with the name '{name}'. Motors of the file: {listed}")
