"""Static equilibrium of strongly bent beams: the ends move in steps from their unloaded to their actual
positions, and the segments follow from equilibrium to equilibrium."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .rest import Loads, Rest, Restless, at_rest

LONGEST, SHORTEST = 1 / 8, 1 / 128
"""Fractions of the path in one step. After a step without equilibrium, half of the step is used."""
MOST_STEPS = 100
"""Most steps of the search for each equilibrium on the path."""

Way = Callable[[float], tuple[Loads, Any, Any]]
"""Function of the fraction of the path, 0 to 1, that returns the loads, and positions and quaternions of
segments as drawn."""


def approach(way: Way, size: np.ndarray, held: np.ndarray, turned: Callable[..., Any]) -> Rest:
    """Equilibrium of segments at the end of a path. size, held: as for `rest.at_rest`. turned: (new, old,
    quaternions) -> quaternions, rotated by the rotation from the old to the new ones. Raises Restless."""
    part, step = 0.0, LONGEST
    _, drawn_place, drawn_turn = way(0.0)
    place, turn = drawn_place, drawn_turn
    while True:
        there = min(part + step, 1.0)
        loads, new_place, new_turn = way(there)
        first = place + new_place - drawn_place, turned(new_turn, drawn_turn, turn)
        try:
            rest = at_rest(loads, *first, size, held, MOST_STEPS)
        except Restless:
            if step <= SHORTEST:
                raise
            step /= 2
            continue
        if there == 1.0:
            return rest
        part = there
        place, turn, drawn_place, drawn_turn = rest.place, rest.turn, new_place, new_turn
