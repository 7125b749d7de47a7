"""Initial states from saved flights: bodies start with their saved states, and the planet with its saved
rotation angle.

Models continue their states with two optional functions in the module `saved` of their package.
`continue_body(body, taken, name)` returns the declaration of the body as it continues from `taken`, where the
body has the name `name`. `resume_scenario(scenario, taken, name)` returns the scenario in which all items
that act on this body have their saved states. Both functions raise BadInput if the states cannot continue.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from pydantic import TypeAdapter, ValidationError

from ..engine.contract import HasState
from ..engine.layout import Layout
from ..environment import planet
from ..environment.world import World, is_flat
from ..model.body import Body
from ..model.frames import Attitude
from ..model.initial import FromFlight, State
from ..record.results import Flight, open_flight
from ..tree.addresses import replace_leaf
from ..tree.declaration import ByName
from ..tree.errors import BadInput, Problem
from ..tree.packages import modules
from ..tree.similar_names import near
from ..tree.toml_file import parse

SAME_ANGLE = 1e-9
"""Maximum difference between two rotation angles of the planet that count as equal [rad].

The difference corresponds to 6 mm on the Earth's equator.
"""
PROPERTIES = {"radius": "m", "flattening": "", "rotation_rate": "rad/s", "up": "", "north": "", "ground": "m"}
"""Names and units of the planet properties that determine the position of a body over the planet."""
BY_TIME = ("wind", "joints")
"""Names of the groups of a scenario that can contain functions of flight time.

Packages of models add groups with the constant BY_TIME in their module `declared`.
"""


class Taken(NamedTuple):
    """Saved state from which a body starts.

    The fields are the body, the path of the file, the saved flight, and the time in this flight [s].
    """

    body: Body
    file: str
    flight: Flight
    time: float

    @property
    def initial(self) -> Any:
        """Return the declared initial state of the body."""
        return self.body.initial

    @property
    def tables(self) -> dict[str, Any]:
        """Return the tables of the scenario in the file. Raises BadInput if the text is not valid TOML.

        Another program may have written the scenario, so the type of each value must be checked.
        """
        return parse(self.flight.scenario_text, f"the scenario in {self.file}")

    def entries(self, group: str) -> list[dict[str, Any]]:
        """Return the tables of one group of the scenario in the file. A table may have no name."""
        return _entries(self.tables.get(group))

    @property
    def world(self) -> Any:
        """Return the planet of the saved flight; None without a planet. Raises BadInput for a faulty
        planet.
        """
        declared = self.tables.get("planet")
        if declared is None:
            return None
        try:
            return TypeAdapter(World).validate_python(declared)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
            text = (
                f"the planet of the scenario in {self.file} cannot be read: {first}. Run this scenario again"
            )
            raise BadInput(Problem(f"bodies.{self.body.name}.initial", text)) from None

    @property
    def when(self) -> str:
        """Return a text for messages that states file and time."""
        return f"{self.file} at {self.time:.9g} s"


def place_bodies(scenario: Any) -> tuple[Any, list[str]]:
    """Return the scenario with bodies in their saved states and the planet at its saved rotation angle, and a
    list of warnings.

    Raises BadInput if a saved flight cannot be read or does not fit the scenario.
    """
    found = [_saved_start(body) for body in scenario.bodies if isinstance(body.initial, FromFlight)]
    if not found:
        return scenario, []
    notes = [*_other_planets(scenario, found), *_begun_anew(scenario, found)]
    starts = {taken.body.name: _with_saved_start(scenario, taken) for taken in found}
    bodies = tuple(starts.get(body.name, body) for body in scenario.bodies)
    scenario = replace_leaf(scenario, "bodies", bodies)
    for taken in found:
        for module in modules("saved", scenario):
            if resume := getattr(module, "resume_scenario", None):
                scenario = resume(scenario, taken, _saved_name(taken))
    return _with_meridian(scenario, found), [*notes, *_left_behind(scenario, found)]


def _left_behind(scenario: Any, found: list[Taken]) -> Iterator[str]:
    """States of parts that are not continued from the saved flights."""
    behind = [
        part.state_description for part in Layout(scenario).having(HasState) if part.restarts and part.states
    ]
    later = list(dict.fromkeys(taken.when for taken in found if taken.time > 0))
    if behind and later:
        yield (
            f"These states do not continue from {', '.join(later)}, but start again: {'; '.join(behind)}."
            " Start"
            " at a time at which these states are at rest, or use a leg of one mission."
        )


def _saved_start(body: Body) -> Taken:
    saved: Any = body.initial
    flight = open_flight(saved.flight)
    return Taken(body, saved.flight, flight, flight.time_of(saved.when))


def _with_meridian(scenario: Any, found: list[Taken]) -> Any:
    """The scenario with the meridian of zero longitude at its rotation angle in the saved flights."""
    if scenario.planet is None or is_flat(scenario.planet):
        return scenario
    worlds = [(taken, taken.world) for taken in found]
    turns = [
        (taken, float(planet.turn(world, taken.time)))
        for taken, world in worlds
        if world is not None and not is_flat(world)
    ]
    if not turns:
        return scenario
    first, angle = turns[0]
    for taken, other in turns[1:]:
        if _angle_between(other, angle) > SAME_ANGLE:
            text = (
                f"the rotation angle of the planet is {_degrees(other)} in {taken.when}. "
                f"bodies.{first.body.name}.initial has the angle {_degrees(angle)} in {first.when}. Use "
                "times with the same rotation angle, for example the same time of one flight"
            )
            raise BadInput(Problem(f"bodies.{taken.body.name}.initial", text))
    declared = float(scenario.planet.angle)
    if declared and _angle_between(declared, angle) > SAME_ANGLE:
        text = (
            f"planet.angle is {_degrees(declared)}, but the angle was {_degrees(angle)} in {first.when}, "
            f"from which bodies.{first.body.name} starts. Remove planet.angle, to use the angle of the "
            "saved flight"
        )
        raise BadInput(Problem("planet.angle", text))
    return replace_leaf(scenario, "planet.angle", np.asarray(math.remainder(angle, 2 * math.pi)))


def _angle_between(a: float, b: float) -> float:
    return abs(math.remainder(a - b, 2 * math.pi))


def _degrees(angle: float) -> str:
    return f"{math.degrees(math.remainder(angle, 2 * math.pi)):.12g} deg"


def _other_planets(scenario: Any, found: list[Taken]) -> Iterator[str]:
    """Saved flights over a different planet, each once."""
    for file, taken in {taken.file: taken for taken in found}.items():
        differing = list(_differing(taken.world, scenario.planet))
        if differing:
            yield (
                f"The planet differs from the planet of {file} ({'; '.join(differing)}). Bodies that"
                " start from this file keep their inertial positions and velocities, not their latitudes"
                " and longitudes."
            )


def _differing(old: Any, new: Any) -> Iterator[str]:
    if old is None or new is None or is_flat(old) != is_flat(new):
        names = ["none" if world is None else world.kind for world in (new, old)]
        if names[0] != names[1]:
            yield f"planet {names[0]} here, {names[1]} in the file"
        return
    for name, unit in PROPERTIES.items():
        ours, theirs = (np.asarray(getattr(world, name, 0.0), float) for world in (new, old))
        if not np.array_equal(ours, theirs):
            here, there = (np.array2string(v, precision=9) for v in (ours, theirs))
            yield f"{name} {here} {unit}".rstrip() + f" here, {there} {unit}".rstrip() + " in the file"


def _begun_anew(scenario: Any, found: list[Taken]) -> Iterator[str]:
    """Functions of flight time that are equal in saved flights and in the scenario, and that restart in the
    scenario."""
    groups = [*BY_TIME]
    for module in modules("declared", scenario):
        groups += getattr(module, "BY_TIME", ())
    mine = dict(_functions_of_time(parse(scenario.to_toml()), groups))
    for taken in {taken.when: taken for taken in found if taken.time > 0}.values():
        theirs = dict(_functions_of_time(taken.tables, groups))
        alike = [path for path, declared in mine.items() if theirs.get(path) == declared]
        if alike:
            yield (
                f"The time of this flight counts from {taken.when}. These functions of time have the same "
                f"times as in the saved flight, and start again: {', '.join(alike)}. To continue these "
                "functions, shift their times."
            )


def _functions_of_time(data: dict[str, Any], groups: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """(path, declaration) of each function of flight time in some groups."""
    for part in groups:
        owners, stem = data.get(part), part
        if part == "wind":
            owners, stem = owners.get("gusts") if isinstance(owners, dict) else None, "wind.gusts"
        yield from ((f"{stem}.{own.get('name')}", own) for own in _entries(owners) if _over_time(own))


def _entries(owners: Any) -> list[dict[str, Any]]:
    """The tables in a list, or in a table by name. Other values contain no tables."""
    listed = ByName().as_list(owners)
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def _over_time(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_over_time, value))
    if not isinstance(value, dict):
        return False
    listed = isinstance(value.get("time"), list)
    return listed or value.get("kind") in ("ramp", "harmonic", "time") or any(map(_over_time, value.values()))


def _with_saved_start(scenario: Any, taken: Taken) -> Body:
    saved, body, name = taken.initial, taken.body, _saved_name(taken)
    states = taken.flight.state_at(saved.when)
    if name not in states:
        text = f"{taken.file} has no body '{name}'; {near(name, states)}"
        raise BadInput(Problem(f"bodies.{body.name}.initial", text))
    values = states[name]
    start = State(
        position=values["position"],
        velocity=values["velocity"],
        attitude=Attitude(quaternion=values["attitude"]),
        angular_velocity=values["angular_velocity"],
    )
    begun = replace_leaf(body, "initial", start)
    for module in modules("saved", scenario):
        if continues := getattr(module, "continue_body", None):
            begun = continues(begun, taken, name)
    return begun


def _saved_name(taken: Taken) -> str:
    """Name of the body in the saved flight."""
    return taken.initial.body or taken.body.name
