"""Read the unknowns and conditions of a trim from texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...engine.contract import Linearizable
from ...linear.ports import outputs_of
from ...programs.targets import numbers_in
from ...tree.errors import BadInput, Problem
from ...tree.sentences import list_text, sentence
from ...tree.similar_names import near
from ...tree.unit_names import UnitError
from ...tree.units import SI
from ..amounts import check_ends
from ..conditions import equation, listed_texts
from ..optimization.declared import Variable
from ..optimization.variables import Unknown, unknowns, variables_of
from .start import Given, Start

STEADY = "steady"
"""Text of the condition that all accelerations are zero."""
MOST_LISTED = 8
"""Largest number of coordinates in a sentence."""
RATE = "rate of "
"""Prefix that turns the name of a velocity into the name of its time derivative."""
FROM_START = ("displacement", "rotation")
"""Joint quantities that are measured from the pose at the start. The quantities are always zero at the start,
so they cannot be conditions of a trim.
"""
WRITING = (
    f'Write "QUANTITY = VALUE UNIT", "{RATE}bodies.plane.velocity.x = 0.1 m/s^2", or {STEADY} for zero'
    " accelerations"
)


class Condition(NamedTuple):
    """A condition of a trim.

    - name, unit: name, and SI unit.
    - wanted: required value [SI].
    - row: index among the rows of an evaluated start, see `Seen.rows`.
    - within: allowed deviation [SI]; for joints, the tolerance of a start.
    - alone: whether the user set the condition explicitly, so that it is not part of "steady".
    """

    name: str
    unit: str
    wanted: float
    row: int
    within: float = 0.0
    alone: bool = False

    @property
    def rate(self) -> bool:
        """Return whether the condition is for the time derivative of a velocity."""
        return self.name.startswith(RATE)


class Asked(NamedTuple):
    """The unknowns and conditions of a trim.

    - unknowns: unknown scenario inputs, followed by unknown joint coordinates.
    - given: the joint coordinates among the unknowns.
    - conditions: conditions that the start must satisfy.
    - outputs: quantities that the conditions use.
    - following: requested joint coordinates that depend on other coordinates.
    """

    unknowns: tuple[Unknown, ...]
    given: tuple[Given, ...]
    conditions: tuple[Condition, ...]
    outputs: tuple[Any, ...]
    following: tuple[tuple[Unknown, Given], ...] = ()


def read(start: Start, find: Any, so_that: Any, free: Any, anything: bool = False) -> Asked:
    """Return the unknowns and conditions of a trim from texts. find, so_that, free: see `run.trim`.

    anything: whether a trim without conditions is allowed. Raises BadInput with all problems.
    """
    problems: list[Problem] = []
    found: tuple[Any, ...] = (), (), ()
    wanted: tuple[Any, ...] = (), ()
    try:
        found = _unknowns(start, variables_of(find))
    except BadInput as error:
        problems += error.problems
    try:
        wanted = _conditions(start, listed_texts(so_that, "--so-that"), listed_texts(free, "free"), anything)
    except BadInput as error:
        problems += error.problems
    if problems:
        raise BadInput(problems)
    numbers, leading, following = found
    conditions, outputs = wanted
    if numbers and not leading:
        # Coordinates of joints are put where their joints are closed.
        conditions += _closure_conditions(start, len(start.tree.coordinates) + len(outputs))
    together = (*numbers, *(one for one, _ in leading))
    return Asked(together, tuple(given for _, given in leading), conditions, outputs, following)


def _closure_conditions(start: Start, first: int) -> tuple[Condition, ...]:
    """Conditions that joints are closed within the tolerance of a start; see `starts.consistency`. Velocities
    that violate joints are corrected at any start, and are evaluated after the correction."""
    own, table = start.course.own, start.layout.table
    found = []
    for k, j in enumerate(table.joint):
        joint, solver = own.joints[j], own.solver
        if joint.assemble or not table.holonomic[k] or not start.discrete.active[k]:
            continue
        what, unit, within = "turn", "rad", float(solver.assemble_angle)
        if table.forces[k]:
            what, unit, within = "gap", "m", float(solver.assemble_tolerance)
        found.append(Condition(f"{what} of joints.{joint.name}", unit, 0.0, first + k, within))
    return tuple(found)


# --- unknowns


Turned = tuple[tuple[Unknown, Given], ...]


def _unknowns(start: Start, variables: Sequence[Variable]) -> tuple[tuple[Unknown, ...], Turned, Turned]:
    """Values of the scenario, independent coordinates of joints, and dependent coordinates of joints."""
    problems: list[Problem] = []
    numbers: list[Variable] = []
    turned: list[tuple[Unknown, Given]] = []
    for variable in variables:
        try:
            given = start.coordinates.get(variable.name)
            if given is not None and start.yielding:
                held = list_text(start.yielding, MOST_LISTED)
                text = (
                    f"joint coordinates cannot be unknowns, because the joints {held} carry flexible bodies"
                )
                fix = "Use numbers of initial as unknowns"
                problems.append(Problem(variable.name, f"{text}. {fix}"))
            elif given is None:
                numbers.append(variable)
            else:
                turned.append((_coordinate(start, variable, given), given))
        except BadInput as error:
            problems += error.problems
    names = [one.name for one, _ in turned]
    again = dict.fromkeys(name for name in names if names.count(name) > 1)
    problems += [Problem(name, f"{name} is listed twice. Keep the name once") for name in again]
    try:
        found = unknowns(start.mission, numbers)
    except BadInput as error:
        problems += [_with_coordinates(start, problem) for problem in error.problems]
    if problems:
        raise BadInput(problems)
    return found, *_split_dependent(start, turned)


def _split_dependent(start: Start, turned: Sequence[tuple[Unknown, Given]]) -> tuple[Turned, Turned]:
    """Independent coordinates of joints, those with bounds first, and dependent coordinates. Raises BadInput
    if a dependent coordinate has bounds."""
    bounded = [one for one in turned if np.isfinite(one[0].low) or np.isfinite(one[0].high)]
    order = [*bounded, *(one for one in turned if one not in bounded)]
    leading = start.independent_names([given for _, given in order])
    problems = [
        Problem(
            one.name,
            f"{one.name} is a dependent coordinate of a closed loop. Remove the bounds of {one.name}",
        )
        for one, _ in bounded
        if one.name not in leading
    ]
    if problems:
        raise BadInput(problems)
    return tuple(t for t in turned if t[0].name in leading), tuple(
        t for t in turned if t[0].name not in leading
    )


def _with_coordinates(start: Start, problem: Problem) -> Problem:
    """A problem with a name, extended by similar coordinates of joints."""
    if not problem.place.startswith("joints."):
        return problem
    _, joint, *rest = problem.place.split(".")
    own = [name for name in start.coordinates if name.startswith(f"joints.{joint}.")]
    meant = not rest or rest[0].split("_")[0] in ("rotation", "displacement")
    if own and rest and meant:
        text = f"{problem.place} is not a coordinate. Joint {joint} has the coordinates {', '.join(own)}"
        return Problem(problem.place, text)
    if joint in start.yielding:
        return Problem(
            problem.place,
            (
                f"joint {joint} carries a flexible body and has no coordinates. Use numbers of initial as"
                " unknowns"
            ),
        )
    if not own and meant and joint in start.layout.joints:
        carrying = [start.layout.joints[one.joint] for one in start.tree.forest.branches if one is not None]
        why = "has no free axis" if joint in carrying else "carries no body"
        text = f"joint {joint} has no coordinates, because the joint {why}"
        return Problem(problem.place, f"{text}. {_others(start, joint)}")
    close = near(problem.place, start.coordinates, "coordinates")
    if not close.startswith("did you mean"):
        return problem
    message = sentence(problem.message)
    return Problem(problem.place, f"{message} For joint coordinates, {close}")


def example(start: Start) -> str:
    """Return the name of a possible unknown, for error messages.

    The name is an angle of attack, a joint coordinate, or an initial value of a body.
    """
    numbers = [
        one for body in start.layout.bodies for one in numbers_in(start.mission, f"bodies.{body}.initial")
    ]
    alpha = [one for one in numbers if one.endswith(".incidence.alpha")]
    return next(iter((*alpha, *start.coordinates, *numbers)), "forces.NAME.force[0]")


def _others(start: Start, joint: str) -> str:
    """Possible unknowns in place of coordinates of a joint: coordinates of others, or numbers of the start of
    its bodies."""
    if start.coordinates:
        return f"Use one of the coordinates {list_text([*start.coordinates], MOST_LISTED)}"
    bodies, table, k = start.layout.bodies, start.layout.table, start.layout.joints.index(joint)
    ends = [bodies[end] for end in (table.child[k], table.parent[k]) if end < len(bodies)]
    numbers = [one for body in ends for one in numbers_in(start.mission, f"bodies.{body}.initial")]
    like = f", for example {list_text(numbers, MOST_LISTED)}" if numbers else ""
    return f"No other joint has coordinates. Use inputs of the table 'initial' of a body as unknowns{like}"


def _coordinate(start: Start, variable: Variable, given: Given) -> Unknown:
    """A coordinate of a joint as an unknown, with the scenario's value as start. Raises BadInput."""
    marker = SI(given.unit)

    def read(value: Any, other: float) -> float:
        return other if value is None else float(marker(value))

    try:
        low, high = read(variable.low, -np.inf), read(variable.high, np.inf)
        check_ends(variable.low, variable.high, low, high)
    except UnitError as error:
        raise BadInput(Problem(variable.name, str(error))) from None
    own = float(start.value(given, start.first.own))
    begin, spread = float(np.clip(own, low, high)), high - low
    scale = spread / 2 if np.isfinite(spread) else max(abs(begin), 1.0)
    name = variable.name
    return Unknown(name, (), (), (), given.unit, own, begin, low, high, scale, name)


# --- conditions


def _conditions(
    start: Start, texts: Sequence[str], free: Sequence[str], anything: bool
) -> tuple[tuple[Condition, ...], tuple[Any, ...]]:
    """Conditions, and the quantities in them."""
    problems: list[Problem] = []
    rates = {one.rate: k for k, one in enumerate(start.tree.coordinates)}
    steady: dict[str, Condition] = {}
    others: dict[str, Condition] = {}
    outputs: list[Any] = []
    try:
        left = _of_rates(rates, free)
    except BadInput as error:
        problems += error.problems
        left = set()
    for text in texts:
        try:
            if text.strip() == STEADY:
                steady = {name: _of_rate(start, name, 0.0) for name in rates if name not in left}
                continue
            _, name, value = equation(text, "condition", WRITING)
            if name.startswith(RATE):
                found = _of_rate(start, _known(rates, name.removeprefix(RATE).strip()), value)
            else:
                found = _of_quantity(start, name, value, len(rates) + len(outputs), outputs)
            if found.name in others:
                text = f"two conditions are set for {found.name}. Remove one of these conditions"
                raise BadInput(Problem("--so-that", text))
            others[found.name] = found._replace(alone=True)
        except BadInput as error:
            problems += error.problems
    if free and not any(text.strip() == STEADY for text in texts):
        text = f"'free' has an effect with --so-that {STEADY} only. Add --so-that {STEADY}, or remove 'free'"
        problems.append(Problem("free", text))
    asked = {one.name: one for one in steady.values()} | others
    if not (asked or problems or anything):
        if rates or not texts:
            problems.append(Problem("--so-that", f"the conditions are missing. {WRITING}"))
        else:
            bends = any(part.linear_states for part in start.layout.having(Linearizable))
            end = "Fly flexible bodies to rest with damping"
            end = end if bends else 'Set a quantity, "QUANTITY = VALUE UNIT", or release joints'
            text = "no coordinate is free, because joints hold all bodies at the start"
            problems.append(Problem("--so-that", f"{text}. {end}"))
    if problems:
        raise BadInput(problems)
    return tuple(asked.values()), tuple(outputs)


def _of_rates(rates: Iterable[str], names: Sequence[str]) -> set[str]:
    """Velocities of names: a single one, or all of a body or joint. Raises BadInput."""
    found: set[str] = set()
    problems = []
    for name in names:
        fitting = {one for one in rates if one == name or one.startswith(f"{name}.")}
        if not fitting:
            text = f"there is no velocity '{name}'; {near(name, rates, 'velocities')}"
            problems.append(Problem("free", text))
        found |= fitting
    if problems:
        raise BadInput(problems)
    return found


def _known(rates: Iterable[str], name: str) -> str:
    if name not in rates:
        text = f"there is no velocity '{name}'; {near(name, rates, 'velocities')}"
        raise BadInput(Problem("--so-that", text))
    return name


def _of_rate(start: Start, name: str, value: Any) -> Condition:
    rates = [one.rate for one in start.tree.coordinates]
    row = rates.index(name)
    unit = f"{start.tree.coordinates[row].unit}/s^2"
    return Condition(f"{RATE}{name}", unit, _number(value, unit, f"{RATE}{name}"), row)


def _of_quantity(start: Start, name: str, value: Any, row: int, outputs: list[Any]) -> Condition:
    quantity, at, when = name.partition("@")
    if at:
        text = f"'@{when}' needs a flight, but a trim is at the start. Write \"{quantity} = VALUE\""
        raise BadInput(Problem("--so-that", f"{text}, or use interstage solve"))
    found = outputs_of(start.course.own, name, "--so-that")
    if len(found) > 1:
        components = ", ".join(one.name for one in found)
        text = f"'{name}' is a vector, but a condition needs a scalar. Use one component: {components}"
        raise BadInput(Problem("--so-that", text))
    (one,) = found
    if name.split(".")[0] == "joints" and name.split(".")[2] in FROM_START:
        text = f"'{name}' is measured from the pose at the start, so that it is always zero at the start"
        fix = f"Set initial.{name.split('.')[2]} of the body at the joint, and remove this condition"
        raise BadInput(Problem("--so-that", f"{text}. {fix} and one unknown"))
    outputs.append(one.quantity)
    return Condition(one.name, one.unit, _number(value, one.unit, one.name), row)


def _number(value: Any, unit: str, place: str) -> float:
    try:
        found = float(SI(unit)(value))
    except UnitError as error:
        raise BadInput(Problem(place, str(error))) from None
    if not np.isfinite(found):
        raise BadInput(Problem(place, f"the target value {found:g} is not finite. Give a finite number"))
    return found
