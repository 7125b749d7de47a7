"""Create the scenario that starts at the solution of a trim. The scenario has the found inputs, and initial
poses of bodies that follow from joint coordinates.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.joint_entries import sequence
from ...maths.arrays import jax
from ...model.frames import Attitude
from ...model.initial import Placing, State, ThroughJoint
from ...starts.placement import relative
from ...tree.declaration import with_values
from ...tree.errors import BadInput, Problem
from ..optimization.variables import scenario_with
from .asked import Asked
from .search import Ended
from .start import Start

ROUNDED = 1e-13
"""Rounding error of a component of the state, relative to its magnitude or to 1 in SI."""


def with_trim(scenario: Any, start: Start, asked: Asked, ended: Ended) -> Any:
    """Return the scenario with the start that a trim has found. Raises BadInput if the scenario is not
    valid.

    - start, asked: start of the original scenario, and the problem of the trim.
    - ended: result of the search.
    """
    numbers = asked.unknowns[: len(asked.unknowns) - len(asked.given)]
    found = scenario_with(scenario, numbers, ended.values[: len(numbers)])
    if not asked.given:
        return found
    _refuse_moved(start, asked, ended)
    initial = _initial(start, ended)
    bodies = tuple(
        with_values(body, initial=initial[body.name]) if body.name in initial else body
        for body in found.bodies
    )
    found = with_values(found, bodies=bodies)
    found.check()
    return found


def _refuse_moved(start: Start, asked: Asked, ended: Ended) -> None:
    """Refuse numbers of a start that joints then change. Raises BadInput."""
    problems, allowed = [], float(start.course.own.solver.assemble_tolerance)
    for one in asked.unknowns:
        for k, name in enumerate(start.layout.bodies):
            begins = any(target.path.startswith(f"bodies.{name}.initial.") for target in one.targets)
            if begins and ended.seen.begun.moved[k] > allowed:
                text = f"{one.name} sets the start of body {name}, but joints also set this start"
                text = f"{text}. Remove the joint coordinates from the unknowns"
                problems.append(Problem(one.name, text))
    if problems:
        raise BadInput(problems)


def _initial(start: Start, ended: Ended) -> dict[str, Any]:
    """Starts of bodies, by name: of bodies that the trim moves, and of all that are placed through others."""
    forest, found = start.tree.forest, {}
    for k, body in enumerate(start.course.own.bodies):
        if not isinstance(body.initial, Placing) or _start_differs(start, k, ended):
            way = _in_space if forest.branches[k] is None else _through
            found[body.name] = way(start, k, ended)
    return found


def _start_differs(start: Start, body: int, ended: Ended) -> bool:
    """Whether the start of a body differs from the scenario by more than rounding."""
    if ended.seen.begun.moved[body] > ROUNDED:
        return True
    rows = np.arange(13) * start.layout.count + body
    now, before = (state[rows] for state in (ended.seen.state, ended.seen.begun.state.value))
    return bool(np.any(np.abs(now - before) > ROUNDED * np.maximum(1.0, np.abs(before))))


def _through(start: Start, body: int, ended: Ended) -> ThroughJoint:
    """A start of a body through the joint that carries it."""
    forest, layout, seen = start.tree.forest, start.layout, ended.seen
    branch = forest.branches[body]
    assert branch is not None
    cases = jax.tree.map(lambda leaf: np.asarray(leaf)[..., None], (seen.state, seen.begun.discrete.value))
    flown = start.system.flying.of(seen.begun.scenario)
    where = flown, seen.begun.reference.value, np.zeros(1), *cases
    shift, angles, speed, spin = (
        np.asarray(part)[:, branch.joint, 0] for part in start.program.of_samples(relative)(*where)
    )
    (motions,) = forest.states(body)
    assert motions is not None
    order = sequence(motions)
    if order is not None and len(order.free) == 1:
        # Also beyond 90 deg, where other angles describe the same attitude.
        n, (free,) = layout.count, order.free
        angles = np.zeros(3)
        angles[order.axes[free]] = seen.own[(6 + free) * n + body]
    return ThroughJoint(
        through=layout.joints[branch.joint],
        displacement=shift,
        rotation=angles,
        relative_velocity=speed,
        relative_angular_velocity=spin,
    )


def _in_space(start: Start, body: int, ended: Ended) -> State:
    """A start of a body in inertial axes."""
    n, state = start.layout.count, ended.seen.state
    r, v, q, w = (
        state[(first + np.arange(count)) * n + body] for first, count in ((0, 3), (3, 3), (6, 4), (10, 3))
    )
    origin, drift = state[13 * n : 13 * n + 3], state[13 * n + 3 : 13 * n + 6]
    return State(position=origin + r, velocity=drift + v, attitude=Attitude(quaternion=q), angular_velocity=w)
