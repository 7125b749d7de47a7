"""Where laws have a kink at an operating point: derivatives that differ from one side to the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...maths.arrays import jax
from .equations import Place

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


MIXTURES = 3
DOUBT = 0.5
"""Part of a difference that counts from which on there is doubt: a mixture has half of a state at least."""


class Differences(NamedTuple):
    """Of rates over a step to either side, along mixtures of states (point, rate, mixture): jumps, how far
    one is from the other; astray, how far the nearer one is from what exact derivatives say."""

    jumps: np.ndarray
    astray: np.ndarray


def kinks(group: Group) -> list[list[int]]:
    """The numbers of the states at which rates have a kink, or go another way than their exact derivatives,
    as at the end of a line without a length, of each point. Rates are looked at along a few mixtures of all
    states, and along each state by itself where there is doubt."""
    start = np.stack([one.start for one in group.matrices])
    steps = STEP * np.maximum(np.abs(start), 1.0)
    some = _doubtful(group, steps)
    found: list[list[int]] = [[] for _ in start]
    if not some:
        return found
    each = np.eye(steps.shape[1])
    far, near = (differences(group, some, steps[some], each, finer) for finer in (1.0, FINER))
    for k, p in enumerate(some):
        least = _least(group, p, steps[p])
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = FINER * near.jumps[k] / far.jumps[k]
        bent = (near.jumps[k] > least / FINER) & (ratio > ALIKE[0]) & (ratio < ALIKE[1])
        found[p] = [*np.flatnonzero(np.any(bent | (near.astray[k] > least / FINER), 0)).tolist()]
    return found


def _doubtful(group: Group, steps: np.ndarray) -> list[int]:
    """The points at which rates may have a kink."""
    mixed = mixtures(steps.shape[1])
    found = differences(group, [*range(len(steps))], steps, mixed, 1.0)
    some = []
    for p, (jumps, astray) in enumerate(zip(found.jumps, found.astray, strict=True)):
        least = DOUBT * _least(group, p, steps[p])
        if not np.all((jumps <= least) & (astray <= least)):
            some.append(p)
    return some


def mixtures(count: int) -> np.ndarray:
    """Mixtures (state, mixture) of states, none of which any has less than half of: of no two states do all
    of them cancel what one does by the other's."""
    number, which = np.arange(1, count + 1)[:, None], np.arange(MIXTURES)
    part = np.modf(number * np.sqrt([2.0, 3.0, 5.0])[which])[0]
    sign = np.where(np.modf(number * np.sqrt([7.0, 11.0, 13.0])[which])[0] < 0.5, -1.0, 1.0)
    return sign * (0.5 + 0.5 * part)


def _least(group: Group, p: int, steps: np.ndarray) -> np.ndarray:
    """From which size on differences of rates over steps count (rate, 1)."""
    largest = np.max(np.abs(group.matrices[p].slopes) * steps, 1, keepdims=True, initial=0.0)
    return np.maximum(PART * largest, FINER * LEAST)


def differences(
    group: Group, points: list[int], steps: np.ndarray, mixed: np.ndarray, finer: float
) -> Differences:
    """Of rates at some points, over steps (point, state) times mixtures (state, mixture) of states, and made
    finer by so much."""
    count = mixed.shape[1]
    moves = np.concatenate([mixed, -mixed], 1) / finer
    several = group.system.at_once(moves.shape[1])
    jumps, astray = [], []
    for first in range(0, len(points), several):
        part = slice(first, first + several)
        found = np.moveaxis(_rates(group, points[part], steps[part, :, None] * moves), 1, 0)
        middle = np.stack([group.matrices[p].there for p in points[part]])[..., None]
        up, down = found[..., :count] - middle, middle - found[..., count:]
        exact = np.stack([group.matrices[p].slopes for p in points[part]])
        exact = exact @ (steps[part, :, None] * mixed / finer)
        jumps.append(np.abs(up - down))
        astray.append(np.minimum(np.abs(up - exact), np.abs(down - exact)))
    return Differences(np.concatenate(jumps), np.concatenate(astray))


def _rates(group: Group, points: list[int], moves: np.ndarray) -> np.ndarray:
    """Rates (rate, point, move) at points moved along states (point, state, move), all of them as lanes."""
    system, (states, lanes) = group.system, moves.shape[1:]
    own, behind = (
        [value[p][:, None] + change[p][:, :states] @ by for p, by in zip(points, moves, strict=True)]
        for value, change in zip((group.own, group.behind), group.moved, strict=True)
    )

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
    found = np.concatenate([second[list(group.picked.rates)], drift])
    return found.reshape(len(found), len(points), lanes)
