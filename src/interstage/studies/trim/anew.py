"""Check that the trimmed scenario satisfies the conditions when it is read again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...maths.arrays import jax
from ...tree.errors import BadInput, Problem
from ...tree.sentences import list_text
from .asked import Asked
from .search import Ended
from .start import Sight, Start

ALIKE = 1e-6
"""Allowed relative change of a condition. This change covers the position errors of joints that are corrected
again at the start.
"""
MOST_LISTED = 4
"""Largest number of names in a sentence."""


def refuse_unlike(again: Start, asked: Asked, ended: Ended) -> None:
    """Check the conditions of a trim at the start `again` of the trimmed scenario. The conditions can be
    violated, because default values can depend on the start.

    Raises BadInput with the default values that changed.
    """
    seen = Sight(again, [], [], asked.outputs).at(np.zeros(0))
    off = np.array([seen.rows[one.row] - one.wanted for one in asked.conditions])
    unlike = ~(np.abs(off) <= np.maximum(ended.allowed, ALIKE * ended.sizes))
    if not np.any(unlike):
        return
    names = [one.name for one, wrong in zip(asked.conditions, unlike, strict=True) if wrong]
    unmet = list_text([*dict.fromkeys(names)], MOST_LISTED)
    left = f"the scenario with the trimmed start violates {unmet}"
    before, now = (one.begun.reference.value for one in (ended.seen, seen))
    moved = list(_changed_defaults(again, before, now))
    if not moved:
        raise BadInput(Problem("start", f"{left}. Choose start values closer to the trim"))
    text = "depends on the start, which the trim changes"
    raise BadInput(
        Problem(place, f"the default value of {place} {text} ({was:.6g} as declared, {then:.6g} at the trim,"
                f" SI), so that {left}. Set the value in the scenario file")
        for place, was, then in moved
    )  # fmt: skip


def _changed_defaults(start: Start, before: Any, now: Any) -> Iterator[tuple[str, float, float]]:
    """(path, number before, number now) of items whose defaults from the start differ."""
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
