"""Find the static equilibrium of strongly bent beams. The ends move in steps from their unloaded positions to
their actual positions. At each step, the search for the equilibrium begins at the preceding equilibrium.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .rest import Loads, Rest, Restless, at_rest

LONGEST, SHORTEST = 1 / 8, 1 / 128
"""The longest and the shortest step, as fractions of the path. If a step does not reach an equilibrium, the
step is halved.
"""
MOST_STEPS = 100
"""The maximum number of iterations of the search for each equilibrium on the path."""

Way = Callable[[float], tuple[Loads, Any, Any]]
"""Type of a function of the fraction of the path, from 0 to 1. The function returns the loads of the segments
(`rest.Loads`), and their positions and quaternions in the drawn shape.
"""


def approach(way: Way, size: np.ndarray, held: np.ndarray, turned: Callable[..., Any]) -> Rest:
    """Return the static equilibrium of segments at the end of a path.

    - way: the path; see `Way`.
    - size: lengths of the segments [m] (segment,).
    - held: whether a segment is fixed (segment,), bool.
    - `turned`: function (new, old, quaternions) that rotates quaternions by the rotation from old to new.

    Raises Restless if the shortest step does not reach an equilibrium.
    """
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
