"""Nodes of multiple shooting: mission legs that start from a given position and velocity.

The position and velocity of the first body are inputs. All other bodies move with the first body. Time,
propellants, switches and references continue from the preceding leg. The final state of the preceding leg
minus the given state is called the gap. If all gaps are zero, the legs form one continuous flight.

Sources: H. G. Bock and K. J. Plitt, "A multiple shooting algorithm for direct solution of optimal control
problems", IFAC Proceedings 17 (1984). J. Albersmeyer and M. Diehl, "The lifted Newton method and its
application in optimization", SIAM J. Optimization 20 (2010), for nodes with only some free components.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..engine.layout import Layout
from ..missions.mission import Mission
from ..tree.errors import Problem
from ..tree.similar_names import near
from .directions import Changing

AXES = ("x", "y", "z")
LABELS = (*(f"position.{axis}" for axis in AXES), *(f"velocity.{axis}" for axis in AXES))
"""Names of the components that a node prescribes: position [m] and velocity [m/s] of the first body.

The components refer to the centre of mass, in inertial axes.
"""
SIZE = len(LABELS)
STATE = 1
"""Index of the state in the flattened tree ((time, state, switches), references)."""


def problems(scenario: Any, nodes: Sequence[str], place: str) -> Iterator[Problem]:
    """Yield the problems of legs that cannot be nodes.

    nodes: names of the legs. place: location that the messages name.
    """
    mission = Mission.of(scenario)
    if nodes and not mission.has_legs:
        text = (
            "nodes are starts of legs, but the scenario has no legs. Divide the scenario into legs, or remove"
        )
        text = f"{text} nodes"
        yield Problem(place, text)
        return
    for k, name in enumerate(nodes):
        if name in nodes[:k]:
            yield Problem(place, f"leg '{name}' is listed twice. Keep the name once")
        elif name not in mission.legs:
            yield Problem(place, f"there is no leg '{name}'; {near(name, mission.order)}")
        elif mission.leg(name).first:
            text = (
                f"leg '{name}' begins the mission and cannot be a node. Remove the leg from 'nodes'. To "
                "vary the start, use variables"
            )
            yield Problem(place, text)
        elif (kind := mission.leg(name).declaration.coordinates) != "point":
            text = f"leg '{name}' has coordinates = \"{kind}\", but nodes need point masses"
            text = f'{text} (coordinates = "point"). Remove the leg'
            yield Problem(place, text)


def motion(x: Any, count: int) -> np.ndarray:
    """Return the position [m] and velocity [m/s] of the first body in a state: (6, ...).

    - x: state (n, ...), or its derivatives.
    - count: number of bodies.
    """
    own, origin = _rows(count)
    return np.asarray(x)[own] + np.asarray(x)[origin]


def place_first(x: Any, layout: Layout, given: Any) -> np.ndarray:
    """Return a state (n, ...) in which the first body has a given position and velocity.

    - x: state (n, ...), or its derivatives.
    - given: position [m] and velocity [m/s] of the first body (6, ...).

    All other bodies keep their positions and velocities relative to the first body. The local origin moves
    with the bodies. If a body is attached to the ground, the origin does not move.
    """
    found = np.array(x, float)
    lacking = given - motion(found, layout.count)
    if layout.ground:
        found[: SIZE * layout.count] += np.repeat(lacking, layout.count, 0)
    else:
        found[_rows(layout.count)[1]] += lacking
    return found


def start_changes(start: Changing, layout: Layout, columns: np.ndarray) -> tuple[Changing, np.ndarray]:
    """Return the start of a leg with the derivatives for a given initial motion of its first body.

    - start: start of the leg with derivatives, if the leg continues from the preceding leg.
    - columns: (6,), indices of the directions that are components of the given motion.

    The second result has the derivatives (6, direction) of the motion at the end of the preceding leg.
    """
    change = np.asarray(start.changes[STATE])
    given = np.zeros((SIZE, change.shape[-1]))
    given[np.arange(SIZE), columns] = 1.0
    changes = [*start.changes]
    changes[STATE] = place_first(change, layout, given)
    return Changing(start.value, changes), motion(change, layout.count)


def _rows(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of a state with the offset and the velocity of the first of some bodies, and of the origin."""
    axes = count * np.arange(3)
    return np.concatenate([axes, 3 * count + axes]), 13 * count + np.arange(SIZE)
