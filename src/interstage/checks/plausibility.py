"""What a flight did, or a scenario asks for, that is allowed and yet seldom meant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..environment.gravity import NoGravity
from ..maths import rotations
from ..model.initial import OverGround
from ..parts.pushers.declared import FiredPusher, KickoffSpring
from ..record.record import Record
from .devices import unfired

GROUND = 1.0
"""How far below the ground, or below where it started, a mass centre must be to be noticed [m]."""
LOW, FAST = 1000.0, 340.0
"""A start below this altitude [m] at more than this speed [m/s], that of sound at sea level, is seldom meant:
launchers reach it at several kilometres."""
TOGETHER = -0.5
"""Cosine of the angle between a push and the way from one mass centre to the other, below which it counts as
one that pushes the bodies together: more than 120 deg."""
LONG_STROKE = {True: 1.0, False: 5.0}
"""Strokes [m] beyond which a length is seldom meant: of springs (True), which have centimetres; of others."""
GYRATION = 50.0
"""Radius of gyration [m] that no stage has: a uniform rod has it at a length of 170 m."""


def notes(record: Record) -> list[str]:
    """One sentence for each thing to notice."""
    scenario = record.scenario
    said = [*_weightless(scenario), *_unlit(scenario), *unfired(scenario)]
    said += [*_low(scenario), *_long(scenario), *_spread_out(scenario), *_together(record)]
    return [*said, *_at_once(record), *_underground(record)]


def _weightless(scenario: Any) -> Iterator[str]:
    if scenario.planet is not None and isinstance(scenario.gravity, NoGravity):
        yield 'There is a planet and no gravity; add [gravity], like kind = "zonal", if bodies are to fall.'


def _unlit(scenario: Any) -> Iterator[str]:
    lit = {name for actions in (*scenario.phases, *scenario.events) for name in actions.ignite}
    for engine in scenario.engines:
        if not engine.ignited and engine.name not in lit:
            yield (
                f'{engine.name} is never ignited; say ignited = true, or ignite = ["{engine.name}"] in a'
                " phase or event."
            )


def _low(scenario: Any) -> Iterator[str]:
    for body in scenario.bodies:
        start = body.initial
        if not isinstance(start, OverGround):
            continue
        altitude = float(_one(start.altitude))
        given = start.speed if start.velocity_ned is None else start.velocity_ned
        speed = float(np.linalg.norm(_one(given))) if given is not None else 0.0
        if GROUND < altitude < LOW and speed > FAST:
            yield (
                f"{body.name} starts at an altitude of {altitude:g} m with {speed:g} m/s; numbers without a"
                f' unit are SI: is "{altitude:g} km" meant?'
            )


def _long(scenario: Any) -> Iterator[str]:
    for device in scenario.devices:
        if isinstance(device, FiredPusher):
            stroke = float(np.max(_one(device.stroke)))
            if stroke > LONG_STROKE[isinstance(device, KickoffSpring)]:
                text = f"{device.name} has a stroke of {stroke:g} m; numbers without a unit are SI:"
                yield f'{text} is "{stroke:g} mm" or "{stroke:g} cm" meant?'


def _spread_out(scenario: Any) -> Iterator[str]:
    for body in scenario.bodies:
        mass, inertia = float(np.max(_one(body.mass))), _one(body.inertia)
        largest = float(np.linalg.eigvalsh(inertia)[-1]) if inertia.shape == (3, 3) else 0.0
        plain = mass > 0 and not body.elements and body.inertia_about is None
        if plain and (size := np.sqrt(largest / mass)) > GYRATION:
            yield (
                f"{body.name} has a radius of gyration of {size:.3g} m ({largest:g} kg m^2, {mass:g} kg);"
                " is one of the two in another unit?"
            )


def _one(value: Any) -> np.ndarray:
    """A number, or an array of them, of a flight by itself."""
    return np.asarray(value, float)


def _together(record: Record) -> Iterator[str]:
    """Pushers that push a body towards the one that carries them."""
    bodies = {body.name: body for body in record.scenario.bodies}
    pushers: list[Any] = [device for device in record.scenario.devices if isinstance(device, FiredPusher)]
    for device in pushers:
        parent, child = (_pose(record, name) for name in (device.parent, device.child))
        if parent is None or child is None:
            continue
        (here, turned), (there, other) = parent, child
        if device.axis is not None:
            push = turned @ np.asarray(device.axis)
        else:
            here_at = np.asarray(device.parent_at) - np.asarray(bodies[device.parent].mass_centre)
            there_at = np.asarray(device.child_at) - np.asarray(bodies[device.child].mass_centre)
            push = there + other @ there_at - here - turned @ here_at
            if bodies[device.parent].elements or bodies[device.child].elements:
                continue  # whose mass centres are not those declared
        way = there - here
        size = np.linalg.norm(push) * np.linalg.norm(way)
        if size > 0 and push @ way < TOGETHER * size:
            yield (
                f"{device.name} pushes {device.child} towards {device.parent}: along its line from the"
                " parent to the child, and the child's mass centre lies on the other side. Turn axis, or"
                " exchange parent and child."
            )


def _pose(record: Record, name: str) -> tuple[np.ndarray, np.ndarray] | None:
    """Position of a mass centre and attitude of its body at the first sample; none where they were not
    kept."""
    position, attitude = (record.series.get(f"bodies.{name}.{what}") for what in ("position", "attitude"))
    if position is None or attitude is None or not len(position):
        return None
    return position[0], np.asarray(rotations.matrix_of(attitude[0]))


def _at_once(record: Record) -> Iterator[str]:
    if record.completed and len(record.time) and record.time[-1] == record.time[0]:
        ends = [event.name for event in record.events]
        came = ", ".join(ends)
        yield f"The flight ended as it began ({came}): what its phases wait for is there at the start."


def _underground(record: Record) -> Iterator[str]:
    for body in record.scenario.bodies:
        altitude = record.series.get(f"bodies.{body.name}.altitude")
        if altitude is None or not len(altitude):
            continue
        if altitude[0] < -GROUND and record.scenario.planet is not None:
            yield (
                f"{body.name} starts {-float(altitude[0]):.4g} m below the ground; give its start over the"
                ' ground, like initial = { altitude = "70 km", ... }.'
            )
            continue
        lowest = int(np.argmin(altitude))
        if altitude[lowest] < min(float(altitude[0]), 0.0) - GROUND:
            yield (
                f"{body.name} went below the ground, to an altitude of {float(altitude[lowest]):.4g} m at"
                f" {float(record.time[lowest]):.6g} s; nothing stops it there. A trigger on"
                f" bodies.{body.name}.altitude ends a flight."
            )
