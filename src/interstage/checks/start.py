"""Check initial states over the ground, in orbits and in local axes, and attachments to the ground of a
rotating planet.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..environment.wind import NoWind
from ..environment.world import is_flat
from ..model.initial import FromOrbitMessage, OrbitStart, OverGround, Placing, State
from ..starts import orbit_messages
from ..tree.errors import Problem
from ..tree.names import GROUND

if TYPE_CHECKING:
    from ..scenario import Scenario

ADD_PLANET = 'Add [planet] with kind = "earth" (or "planet", or "flat")'
ADD_ELLIPSOID = 'Add [planet] with kind = "earth" or "planet"'
STRAIGHT = 1e-12
"""Sine of the angle between position and velocity below which position and velocity do not define a plane.

This limit is a thousand times the rounding error of the sine.
"""


def example_start(planet: Any) -> str:
    """Return an example of an initial state as text. planet: planet of the scenario, or None."""
    if planet is None:
        return '{ position = "[0, 0, 0] m" }'
    if is_flat(planet):
        return '{ altitude = "20 m" }'
    return '{ latitude = "28.5 deg", longitude = "-80.6 deg", altitude = "70 km", speed = "2 km/s" }'


def ground_problems(scenario: Scenario) -> Iterator[Problem]:
    """Yield a problem for each item that is attached to the inertial ground of a rotating planet."""
    planet = scenario.planet
    if not np.any(np.asarray(getattr(planet, "rotation_rate", 0.0))):  # flat ground does not rotate
        return
    for group in ("joints", "forces"):
        for item in getattr(scenario, group):
            if getattr(item, "parent", None) == GROUND:
                text = (
                    "'ground' is the inertial frame, but this planet rotates. Use a body as parent,"
                    " set planet.rotation_rate = 0, or use a flat planet"
                )
                yield Problem(f"{group}.{item.name}.parent", text)


def start_problems(scenario: Scenario, left_out: Container[str] = ()) -> Iterator[Problem]:
    """Yield a problem for each initial state that the planet does not allow, or that leaves a direction
    undefined.

    left_out: names of groups that are rejected.
    """
    if "planet" in left_out or "wind" in left_out:
        return
    for body in scenario.bodies:
        if isinstance(body.initial, FromOrbitMessage):
            yield from _of_the_world(f"bodies.{body.name}.initial", body.initial, scenario.planet)
        if not isinstance(body.initial, Placing):
            continue
        place, initial = f"bodies.{body.name}.initial", body.initial
        problems = [*_of_the_world(place, initial, scenario.planet)]
        yield from problems
        if not problems and scenario.planet is not None:
            yield from _without_direction(place, initial, scenario)
    yield from orbit_messages.problems(scenario)


def _of_the_world(place: str, initial: Any, planet: Any) -> Iterator[Problem]:
    """Problems of an initial state with the planet."""
    if isinstance(initial, OverGround):
        yield from _ground(place, initial, planet)
    if isinstance(initial, OrbitStart) and (planet is None or is_flat(planet)):
        yield Problem(place, f"an orbital initial state needs a round planet. {ADD_ELLIPSOID}")
        return
    if initial.incidence is not None and planet is None:
        yield Problem(
            f"{place}.incidence", f"the velocity relative to the atmosphere needs a planet. {ADD_PLANET}"
        )
    for key in ("attitude_axes", "angular_velocity_relative_to"):
        axes = getattr(initial, key)
        if axes != "inertial" and planet is None:
            yield Problem(f"{place}.{key}", f'"{axes}" needs a planet. {ADD_PLANET}, or use "inertial"')
        elif axes == "lvlh" and is_flat(planet):
            yield Problem(
                f"{place}.{key}",
                f'"lvlh" needs the centre of a planet, but flat ground has no centre. {ADD_ELLIPSOID}, or use'
                ' "level"',
            )


def _ground(place: str, initial: OverGround, planet: Any) -> Iterator[Problem]:
    if planet is None:
        yield Problem(place, f"an initial state over the ground needs a planet. {ADD_PLANET}")
    elif is_flat(planet):
        if initial.latitude is not None:
            yield Problem(
                f"{place}.latitude",
                "flat ground has no latitude and longitude. Set 'north' and 'east', or a round planet",
            )
    else:
        for key in ("north", "east"):
            if getattr(initial, key) is not None:
                yield Problem(
                    f"{place}.{key}",
                    "'north' and 'east' have an effect over flat ground only. Over a round planet,"
                    " set latitude and longitude",
                )
        if initial.latitude is None and initial.north is None and initial.east is None:
            yield Problem(
                place,
                "latitude and longitude are required over a round planet, for example latitude ="
                ' "28.5 deg", longitude = "-80.6 deg"',
            )


def _without_direction(place: str, initial: Any, scenario: Scenario) -> Iterator[Problem]:
    """Axes that are undefined at the initial state; checked for plain numbers only."""
    for key in ("attitude_axes", "angular_velocity_relative_to"):
        if getattr(initial, key) == "lvlh" and _has_no_plane(initial, scenario.planet):
            yield Problem(
                f"{place}.{key}",
                "the initial state has no orbital plane because its velocity is vertical or zero. Use"
                ' "level", or give a horizontal velocity component',
            )
    if initial.incidence is not None and _has_no_air_velocity(initial, scenario):
        yield Problem(
            f"{place}.incidence",
            "the velocity relative to the atmosphere is zero and has no direction. Set a velocity, or set "
            "attitude instead of incidence",
        )


def _has_no_plane(initial: Any, planet: Any) -> bool:
    if isinstance(initial, State) and _plain(initial.position, initial.velocity):
        r, v = np.asarray(initial.position), np.asarray(initial.velocity)
        size = np.linalg.norm(r) * np.linalg.norm(v)
        return bool(np.linalg.norm(np.cross(r, v)) <= STRAIGHT * size)
    if not isinstance(initial, OverGround) or initial.velocity_relative_to == "air":
        return False
    moving = _velocity(initial)
    if moving is None or np.hypot(*moving[:2]) > STRAIGHT * np.linalg.norm(moving):
        return False
    return initial.velocity_relative_to == "inertial" or not np.any(planet.rotation_rate)


def _has_no_air_velocity(initial: Any, scenario: Scenario) -> bool:
    """Whether a start over the ground is at rest in the atmosphere, which rotates with the planet."""
    if not isinstance(initial, OverGround) or initial.velocity_relative_to == "inertial":
        return False
    still = isinstance(scenario.wind, NoWind) and not scenario.wind.gusts
    blowing = initial.velocity_relative_to == "planet" and not still
    moving = _velocity(initial)
    return not blowing and moving is not None and not moving.any()


def _velocity(initial: OverGround) -> np.ndarray | None:
    """North, east and down [m/s] from plain numbers."""
    if initial.velocity_ned is not None:
        return np.asarray(initial.velocity_ned) if _plain(initial.velocity_ned) else None
    given = [0.0 if v is None else v for v in (initial.speed, initial.flight_path_angle, initial.azimuth)]
    if any(np.ndim(v) or not isinstance(v, (float, np.ndarray)) for v in given):
        return None
    speed, up, azimuth = map(float, given)
    level = speed * np.cos(up)
    return np.array([level * np.cos(azimuth), level * np.sin(azimuth), -speed * np.sin(up)])


def _plain(*vectors: Any) -> bool:
    """Whether vectors are numeric and have no cases."""
    return all(isinstance(v, np.ndarray) and v.ndim == 1 for v in vectors)
