"""Where laws have a kink at an operating point: derivatives that differ from one side to the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...maths.arrays import jax
from .equations import Place
from .system import AT_ONCE

if TYPE_CHECKING:
    from .matrices import Group

STEP = 1e-5
"""Part of its size, or of 1 in SI where that is more, by which each state is moved to look at both sides."""
FINER = 8.0
"""By how much a second look is closer: what is smooth then differs so much less from side to side."""
ALIKE = 0.9, 1.1
"""What is left of a difference at the closer look that a kink makes; what is smooth leaves 1/8, rounding 8
times as much."""
LEAST = 1e-9
"""Change of a rate [SI] over the closer steps below which a difference is rounding."""
PART = 1e-3
"""Part of the largest derivative of a rate from which a difference counts: what is smooth and bends over 1 in
SI differs by 1e-5."""


class Sides(NamedTuple):
    """Slopes on both sides of points (point, rate, state)."""

    up: np.ndarray
    down: np.ndarray


def kinks(group: Group) -> list[list[int]]:
    """The numbers of the states at which rates have a kink, or go another way than their exact derivatives,
    as at the end of a line without a length, of each point."""
    start = np.stack([one.start for one in group.matrices])
    steps = STEP * np.maximum(np.abs(start), 1.0)
    far = sides(group, [*range(len(start))], steps)
    least = np.stack([_least(group, p, steps[p]) for p in range(len(start))])
    doubtful = (np.abs(far.up - far.down) > least) | (_astray(group, far) > least)
    if not np.any(doubtful):
        return [[] for _ in start]
    some = [p for p in range(len(start)) if np.any(doubtful[p])]
    near = sides(group, some, steps[some] / FINER)
    found: dict[int, list[int]] = dict(zip(range(len(start)), ([] for _ in start), strict=True))
    for k, p in enumerate(some):
        jumps = [np.abs(one.up[n] - one.down[n]) for one, n in ((near, k), (far, p))]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = jumps[0] / jumps[1]
        bent = (jumps[0] > least[p]) & (ratio > ALIKE[0]) & (ratio < ALIKE[1])
        astray = _astray(group, near, some)[k] > least[p]
        found[p] = [n for n in range(steps.shape[1]) if np.any((bent | astray)[:, n])]
    return [found[p] for p in range(len(start))]


def _slopes(group: Group, p: int) -> np.ndarray:
    """Exact derivatives of the rates, and of those of parts, by the states."""
    return group.matrices[p].a[len(group.picked.positions) :]


def _least(group: Group, p: int, steps: np.ndarray) -> np.ndarray:
    """From which size on differences of slopes count (rate, state)."""
    largest = np.max(np.abs(_slopes(group, p)) * steps, 1, keepdims=True, initial=0.0)
    return np.maximum(PART * largest, FINER * LEAST) / steps


def _astray(group: Group, found: Sides, some: Sequence[int] | None = None) -> np.ndarray:
    """How far slopes are from the exact ones on the side where they are nearer (point, rate, state)."""
    exact = np.stack([_slopes(group, p) for p in (range(len(found.up)) if some is None else some)])
    return np.minimum(np.abs(found.up - exact), np.abs(found.down - exact))


def sides(group: Group, points: list[int], steps: np.ndarray) -> Sides:
    """Slopes of the rates, and of the numbers of parts, that are states towards both sides along the states,
    by differences over steps (point, state), at some points."""
    count = steps.shape[1]
    moves = np.concatenate([np.zeros((len(points), 1)), steps, -steps], 1)
    which = np.concatenate([[0], *[np.arange(count)] * 2]).astype(int)
    several = max(1, AT_ONCE // moves.shape[1])
    parts = [slice(first, first + several) for first in range(0, len(points), several)]
    found = np.concatenate([_rates(group, points[part], moves[part], which) for part in parts], 1)
    middle, up, down = np.split(np.moveaxis(found, 1, 0), [1, 1 + count], -1)
    wide = steps[:, None]
    return Sides((up - middle) / wide, (middle - down) / wide)


def _rates(group: Group, points: list[int], moves: np.ndarray, which: np.ndarray) -> np.ndarray:
    """Rates (rate, point, move) at points moved along states, all of them as lanes."""
    system, lanes = group.system, moves.shape[1]
    own, behind = [], []
    for p, by in zip(points, moves, strict=True):
        spread, lifted = group.spread, group.lifted[p]
        along = spread.positions[:, p] @ lifted.positions + spread.rates[:, p] @ lifted.rates
        own.append(group.own[p][:, None] + along[:, which] * by)
        behind.append(group.behind[p][:, None] + lifted.behind[:, which] * by)

    def wide(leaf: np.ndarray) -> np.ndarray:
        return np.repeat(np.moveaxis(np.asarray(leaf)[points], 0, -1), lanes, -1)

    many = len(points) * lanes
    place = Place(
        wide(group.t),
        np.concatenate(own, -1),
        np.concatenate(behind, -1),
        jax.tree.map(wide, group.discrete),
        np.zeros((6, system.layout.count, many)),
        np.zeros((len(system.signals), many)),
    )
    look = system.program.of_samples(lambda mechanism, *rest: group.equations.rates(mechanism, Place(*rest)))
    second, _, drift, *_ = look(system.scenario, system.reference, *place)
    found = np.concatenate([second[list(group.picked.rates)], drift[list(group.picked.behind)]])
    return found.reshape(len(found), len(points), lanes)
