"""Rests of strongly bent beams: the ends move in steps from where they are without load to where they stand,
and the segments follow from rest to rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .rest import Loads, Rest, Restless, at_rest

LONGEST, SHORTEST = 1 / 8, 1 / 128
"""Parts of the way in one step. After a step without a rest, half of it is tried from there on."""
MOST_STEPS = 100
"""Steps of the search for each rest on the way."""

Way = Callable[[float], tuple[Loads, Any, Any]]
"""A part of the way from 0 to 1 -> the loads there, and places and quaternions of segments as drawn there."""


def approached(way: Way, size: np.ndarray, held: np.ndarray, turned: Callable[..., Any]) -> Rest:
    """Where segments are at rest at the end of a way. size, held: as `rest.at_rest` has them; turned: (new,
    old, quaternions) -> the last, turned as the new ones are from the old ones. Raises Restless."""
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
