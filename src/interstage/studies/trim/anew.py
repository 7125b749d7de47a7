"""Whether the scenario that is written starts as was found, once it is begun anew."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...maths.arrays import jax
from ...tree.errors import BadInput, Problem, listed
from .asked import Asked
from .search import Ended
from .start import Sight, Start

ALIKE = 1e-6
"""Part of what makes up a condition that bodies may do to it as they are put on their joints once more, to
what a start is held to."""
MOST_LISTED = 4
"""Names that a sentence lists."""


def refuse_unlike(again: Start, asked: Asked, ended: Ended) -> None:
    """Refuse a scenario for which, begun anew, something of what is asked for does not hold: what items take
    from the start then comes from the one that was found. Raises BadInput, which names these."""
    seen = Sight(again, [], [], asked.outputs).at(np.zeros(0))
    off = np.array([seen.rows[one.row] - one.wanted for one in asked.conditions])
    unlike = ~(np.abs(off) <= np.maximum(ended.allowed, ALIKE * ended.sizes))
    if not np.any(unlike):
        return
    names = [one.name for one, wrong in zip(asked.conditions, unlike, strict=True) if wrong]
    unmet = listed([*dict.fromkeys(names)], MOST_LISTED)
    left = f"the scenario begun anew does not meet what is asked for, {unmet}"
    before, now = (one.begun.reference.value for one in (ended.seen, seen))
    moved = list(_moved(again, before, now))
    if not moved:
        raise BadInput(Problem("start", f"{left}; begin the search nearer to it"))
    text = "is not given, and moves with what is found"
    raise BadInput(
        Problem(place, f"what it takes from the start {text} ({was:.6g} as declared, {then:.6g} as found, SI)"
                f": {left}; give it in the file")
        for place, was, then in moved
    )  # fmt: skip


def _moved(start: Start, before: Any, now: Any) -> Iterator[tuple[str, float, float]]:
    """(path, the number before, now) of items whose numbers that are settled at the start differ."""
    for name, part in start.layout.parts.items():
        leaves = zip(jax.tree.leaves(before.own.get(name)), jax.tree.leaves(now.own.get(name)), strict=True)
        for was, then in ((np.asarray(one, float), np.asarray(other, float)) for one, other in leaves):
            apart = np.abs(then - was) > ALIKE * np.maximum(np.abs(was), np.abs(then))
            by_item = was.ndim > 0 and len(was) == len(part.items)
            for k, item in enumerate(part.items if by_item else ()):
                if np.any(apart[k]):
                    worst = np.argmax(np.abs(then[k] - was[k]))
                    yield f"{part.group}.{item.name}", was[k].flat[worst], then[k].flat[worst]
            if not by_item and np.any(apart):
                worst = np.argmax(np.abs(then - was))
                yield name, was.flat[worst], then.flat[worst]
    rods = start.layout.table.rods
    for j, was, then in zip(rods, np.asarray(before.rod_length), np.asarray(now.rod_length), strict=True):
        if abs(then - was) > ALIKE * abs(was):
            yield f"joints.{start.layout.joints[j]}", float(was), float(then)
