"""Initial states from orbit ephemeris messages: position and velocity at a date, in the axes of the flight.

In the model of the flight, the Earth rotates uniformly about inertial z. States in Earth-fixed axes keep
their position over the Earth. States in inertial frames are converted to the true equator and equinox of the
date; polar motion and UT1 - UTC are neglected.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np

from ..environment import earth_axes, time_scales
from ..environment.planet import from_fixed, inertial_velocity
from ..environment.world import Earth, is_flat
from ..exchange.oem import OemSegment, read
from ..model.initial import FromOrbitMessage, State
from ..tree.addresses import replace_leaf
from ..tree.errors import BadInput, Problem

INERTIAL = ("EME2000", "J2000", "GCRF", "ICRF", "TEME")
"""Supported inertial frames about the Earth. J2000 is a common name of EME2000."""
FIXED = re.compile(r"ITRF-?\d{2,4}")
ANGLE_BY_UT1 = 1.0 * 7.3e-5
"""Accepted difference [rad] between a declared angle of the planet and the sidereal time: UT1 - UTC is below
1 s."""
EXAMPLE = 'for example "2026-11-29T12:00:00Z"'


class _Read(NamedTuple):
    """State of a message: position [m] and velocity [m/s] (6,), in the frame of the file.

    - frame: name of the frame, in upper case. centre: name of its centre, in upper case.
    - utc: date of the state [ns].
    """

    state: np.ndarray
    frame: str
    centre: str
    utc: int


def place_bodies(scenario: Any) -> Any:
    """Return the scenario with bodies at the states of their orbit messages, and the planet at its rotation
    angle. Raises BadInput with all faults.
    """
    bodies = [body for body in scenario.bodies if isinstance(body.initial, FromOrbitMessage)]
    if not bodies:
        return scenario
    found: dict[str, _Read] = {}
    problems = list(_reading(scenario, bodies, found))
    problems += [*_dates_differ(bodies, found)]
    if problems:
        raise BadInput(problems)
    inertial = [one for one in found.values() if one.frame in INERTIAL]
    if inertial:
        scenario = _with_sidereal_time(scenario, inertial[0].utc)
    starts = {
        body.name: replace_leaf(body, "initial", _start(body.initial, found[body.name], scenario.planet))
        for body in bodies
    }
    return replace_leaf(scenario, "bodies", tuple(starts.get(body.name, body) for body in scenario.bodies))


def problems(scenario: Any) -> Iterator[Problem]:
    """Yield the problems of all initial states from orbit messages."""
    try:
        place_bodies(scenario)
    except BadInput as error:
        yield from error.problems


def _reading(scenario: Any, bodies: list[Any], found: dict[str, _Read]) -> Iterator[Problem]:
    """Read the messages into `found`, and yield the problems."""
    for body in bodies:
        place = f"bodies.{body.name}.initial"
        if scenario.planet is None or is_flat(scenario.planet):
            text = 'an orbit message needs a round planet. Set planet = "earth", or define a planet'
            yield Problem(place, text)
            continue
        try:
            utc = _date(body.initial.epoch)
        except BadInput as error:
            yield from (Problem(f"{place}.epoch", one.message) for one in error.problems)
            utc = None
        try:
            segments = read(body.initial.file)
        except BadInput as error:
            yield from (_of_the_file(f"{place}.file", body.initial.file, one) for one in error.problems)
            continue
        faults = [*_metadata_faults(segments, scenario.planet)]
        yield from (Problem(f"{place}.file", f"{body.initial.file}: {text}") for text in faults)
        if utc is None or faults:
            continue
        try:
            found[body.name] = _state_at(segments, utc)
        except ValueError as error:
            yield Problem(f"{place}.epoch", f"{body.initial.file} {error}")


def _of_the_file(place: str, file: str, problem: Problem) -> Problem:
    line = f", line {problem.line}" if problem.line else ""
    text = problem.message.removeprefix(f"{file}: ")
    return Problem(place, f"{file}{line}: {text}")


def _date(text: str) -> int:
    """UTC date of a text [ns]. Raises BadInput."""
    try:
        utc = time_scales.nanoseconds(datetime.fromisoformat(text))
    except ValueError:
        raise BadInput(f"'{text}' is not a date. Write {EXAMPLE}") from None
    if utc < time_scales.nanoseconds(datetime(1972, 1, 1)):
        raise BadInput(f"'{text}' is before 1972, when UTC got leap seconds. Give a later date")
    return utc


def _metadata_faults(segments: list[OemSegment], planet: Any) -> Iterator[str]:
    """Faults of metadata that the flight cannot represent."""
    names = dict.fromkeys(one.keys["OBJECT_NAME"] for one in segments)
    if len(names) > 1:
        yield f"the message has the objects {', '.join(names)}. Write a file with one object"
    for key, allowed in (("CENTER_NAME", None), ("REF_FRAME", None), ("TIME_SYSTEM", time_scales.SCALES)):
        for value in dict.fromkeys(one.keys[key].upper() for one in segments):
            if allowed is not None and value not in allowed:
                yield f"{key} = {value} is not supported. Allowed: {', '.join(allowed)}"
    pairs = dict.fromkeys(
        (one.keys["CENTER_NAME"].upper(), one.keys["REF_FRAME"].upper()) for one in segments
    )
    for centre, frame in pairs:
        if not isinstance(planet, Earth):
            if frame != f"{centre}_FIXED":
                text = f"CENTER_NAME = {centre} with REF_FRAME = {frame} is not supported for this planet"
                yield f"{text}. Give planet-fixed states, as interstage export writes them (PLANET_FIXED)"
        elif centre != "EARTH":
            yield f"CENTER_NAME = {centre} is not the Earth. Give states relative to the centre of the Earth"
        elif frame not in INERTIAL and not FIXED.fullmatch(frame):
            yield f"REF_FRAME = {frame} is not supported. Allowed: {', '.join(INERTIAL)} and ITRF with a year"


def _state_at(segments: list[OemSegment], utc: int) -> _Read:
    """State at a date, of the last segment that has this date. Raises ValueError, whose text continues a
    sentence that begins with the name of the file."""
    ranges = []
    for segment in reversed(segments):
        time = time_scales.from_tai(time_scales.tai_of_utc(utc), segment.keys["TIME_SYSTEM"].upper())
        dates = [_date_in(date, line) for date, line in zip(segment.dates, segment.lines, strict=True)]
        first, last = dates[0], dates[-1]
        if (np.diff(dates) <= 0).any():
            row = int(np.argmax(np.diff(dates) <= 0)) + 1
            raise ValueError(f"has a date in line {segment.lines[row]} that is not after the previous date")
        if "USEABLE_START_TIME" in segment.keys:
            first = max(first, _date_in(segment.keys["USEABLE_START_TIME"], segment.line))
        if "USEABLE_STOP_TIME" in segment.keys:
            last = min(last, _date_in(segment.keys["USEABLE_STOP_TIME"], segment.line))
        if first <= time <= last:
            seconds = np.array([(date - time) / time_scales.SECOND for date in dates])
            keys = segment.keys
            found = segment.state_at(seconds, 0.0)
            return _Read(found, keys["REF_FRAME"].upper(), keys["CENTER_NAME"].upper(), utc)
        ranges.append(f"{time_scales.date_of(first)} to {time_scales.date_of(last)}")
    system = segments[0].keys["TIME_SYSTEM"].upper()
    raise ValueError(
        f"has no state at this date. Give a date from {' or '.join(reversed(ranges))} ({system})"
    )


def _date_in(text: str, line: int) -> int:
    try:
        return time_scales.parse_date(text)
    except ValueError as error:
        raise ValueError(f"has a faulty date '{text}' in line {line}: {error}") from None


def _dates_differ(bodies: list[Any], found: dict[str, _Read]) -> Iterator[Problem]:
    """Problems of bodies whose time zero has another date than that of the first body."""
    read = [body for body in bodies if body.name in found]
    for body in read[1:]:
        if found[body.name].utc != found[read[0].name].utc:
            text = f"bodies.{read[0].name}.initial.epoch is {read[0].initial.epoch}. Give all bodies one date"
            yield Problem(f"bodies.{body.name}.initial.epoch", text)


def _with_sidereal_time(scenario: Any, utc: int) -> Any:
    """The scenario with the meridian of zero longitude at the sidereal time. Raises BadInput."""
    angle, declared = _axes(utc).angle, float(scenario.planet.angle)
    if not declared:
        return replace_leaf(scenario, "planet.angle", np.asarray(angle))
    if abs(math.remainder(declared - angle, 2 * math.pi)) > ANGLE_BY_UT1:
        text = (
            f"the angle is {math.degrees(declared):.9g} deg, but the sidereal time at the date of the orbit"
        )
        text += f" message is {math.degrees(angle):.9g} deg. Remove planet.angle"
        raise BadInput(Problem("planet.angle", text))
    return scenario


def _axes(utc: int) -> earth_axes.EarthAxes:
    tt = time_scales.tai_of_utc(utc) + time_scales.TT_AFTER_TAI
    return earth_axes.earth_axes(tt, utc)


def _start(initial: FromOrbitMessage, found: _Read, planet: Any) -> State:
    """The initial state in inertial axes, with the declared attitude."""
    place, velocity = found.state[:3], found.state[3:]
    if found.frame in INERTIAL:
        axes = _axes(found.utc)
        rotation = axes.of_gcrf
        if found.frame == "TEME":
            rotation = _about_z(-axes.equinoxes)
        elif found.frame in ("EME2000", "J2000"):
            rotation = axes.of_gcrf @ earth_axes.eme2000_of_gcrf().T
        place, velocity = rotation @ place, rotation @ velocity
    else:
        place, velocity = (np.asarray(from_fixed(planet, 0.0, one)) for one in (place, velocity))
        velocity = np.asarray(inertial_velocity(planet, place, velocity))
    kept = {name: getattr(initial, name) for name in initial.model_fields_set - {"file", "epoch"}}
    return State(position=place, velocity=velocity, **kept)


def _about_z(angle: float) -> np.ndarray:
    """Matrix from axes to those rotated about z by an angle [rad]."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
