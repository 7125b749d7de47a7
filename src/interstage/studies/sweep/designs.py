"""Designs of experiments for a sweep: the levels of the inputs in each case."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from ...tree.errors import BadInput, Problem
from ...tree.similar_names import near
from .declared import DESIGNS, Design
from .levels import Varied

OWN = -1
"""Level index that means the scenario value."""


def size(design: str, variations: Sequence[Varied]) -> int:
    """Return the number of cases of a design, including repeated cases. Raises BadInput for an unknown
    design."""
    if design not in DESIGNS:
        raise BadInput(
            Problem("design", f"there is no design '{design}'; {near(design, DESIGNS, 'allowed')}")
        )
    if design == "grid":
        return math.prod(one.count for one in variations)
    if design == "corners":
        return 1 + math.prod(len(_ends(one)) for one in variations)
    return 1 + sum(one.count for one in variations)


def cases(design: Design, variations: Sequence[Varied]) -> tuple[np.ndarray, int]:
    """Return the level indices of each case (cases, variations), and the number of repeated cases that were
    removed.

    An index is `OWN` for the scenario value. In the designs "corners" and "one_at_a_time", the nominal case
    comes first.
    """
    makers = {"grid": _grid, "corners": _corners, "one_at_a_time": _one_at_a_time}
    seen: dict[tuple[int, ...], None] = {}
    repeated = 0
    for case in makers[design](variations):
        known = tuple(one.nominal_level if level == OWN else level for one, level in zip(variations, case))
        repeated += known in seen
        seen[known] = None
    return np.array(list(seen), int).reshape(len(seen), len(variations)), repeated


def _grid(variations: Sequence[Varied]) -> Iterator[tuple[int, ...]]:
    return product(*(range(one.count) for one in variations))


def _corners(variations: Sequence[Varied]) -> Iterator[tuple[int, ...]]:
    yield (OWN,) * len(variations)
    yield from product(*map(_ends, variations))


def _ends(one: Varied) -> tuple[int, ...]:
    """The lowest and the highest level; if not numeric, the first and the last."""
    if not one.numeric:
        return tuple(dict.fromkeys((0, one.count - 1)))
    return tuple(dict.fromkeys((int(np.argmin(one.coordinate)), int(np.argmax(one.coordinate)))))


def has_inner_levels(one: Varied) -> bool:
    """Return whether a varied input has levels between its ends, which the design "corners" omits."""
    return one.count > len({*_ends(one), one.nominal_level} - {OWN})


def _one_at_a_time(variations: Sequence[Varied]) -> Iterator[tuple[int, ...]]:
    nominal = (OWN,) * len(variations)
    yield nominal
    for k, one in enumerate(variations):
        for level in range(one.count):
            if level != one.nominal_level:
                yield (*nominal[:k], level, *nominal[k + 1 :])


def inputs(variations: Sequence[Varied], levels: np.ndarray) -> dict[str, np.ndarray]:
    """Return the values (cases, ...) of all changed arrays of the scenario in SI, by path.

    levels (cases, variations): level indices from `cases`.
    """
    found: dict[str, np.ndarray] = {}
    for k, one in enumerate(variations):
        for target, values in zip(one.targets, one.values):
            leaf = np.asarray(target.leaf, float)
            whole = found.setdefault(target.path, np.repeat(leaf[None], len(levels), axis=0))
            moved = levels[:, k] != OWN
            whole[(moved, *target.index)] = values[levels[moved, k]]
    return found
