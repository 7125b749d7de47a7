"""Nodes of multiple shooting: mission legs that start from a given position and velocity.

The position and velocity of the first body are inputs. All other bodies move with it. The time,
propellants, switches and references at the start continue from the preceding leg. The difference between
the final state of the preceding leg and the given state is called the gap. If all gaps are zero, the legs
form one continuous flight.

Sources: H. G. Bock and K. J. Plitt, "A multiple shooting algorithm for direct solution of optimal control
problems", IFAC Proceedings 17 (1984). J. Albersmeyer and M. Diehl, "The lifted Newton method and its
application in optimization", SIAM J. Optimization 20 (2010), for nodes with only some free components."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..engine.layout import Layout
from ..missions.mission import Mission
from ..tree.errors import Problem, near
from .directions import Changing

AXES = ("x", "y", "z")
LABELS = (*(f"position.{axis}" for axis in AXES), *(f"velocity.{axis}" for axis in AXES))
"""Given components of the first body of a leg: inertial, of its centre of mass [m, m/s]."""
SIZE = len(LABELS)
STATE = 1
"""Number of the state among the leaves of ((time, state, switches), references)."""


def problems(scenario: Any, nodes: Sequence[str], place: str) -> Iterator[Problem]:
    """Why legs of a scenario cannot be nodes."""
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
            yield Problem(place, f"leg '{name}' is listed twice. Remove one entry")
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
    """Place [m] and velocity [m/s] of the first of some bodies in a state (n, ...), or their changes:
    (6, ...)."""
    own, origin = _rows(count)
    return np.asarray(x)[own] + np.asarray(x)[origin]


def place_first(x: Any, layout: Layout, given: Any) -> np.ndarray:
    """Return the state (n, ...) with the first body at a given position and velocity (6, ...).

    All other bodies keep their positions and velocities relative to the first body. The local origin moves
    with the bodies, except if a body is attached to the ground. The function also accepts derivatives of a
    state."""
    found = np.array(x, float)
    lacking = given - motion(found, layout.count)
    if layout.ground:
        found[: SIZE * layout.count] += np.repeat(lacking, layout.count, 0)
    else:
        found[_rows(layout.count)[1]] += lacking
    return found


def start_changes(start: Changing, layout: Layout, columns: np.ndarray) -> tuple[Changing, np.ndarray]:
    """Return the derivatives of the start of a leg with a given initial motion.

    Also returns the derivatives (6, direction) of the motion at the end of the preceding leg. columns (6,):
    indices of the directions that are components of the given motion."""
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
