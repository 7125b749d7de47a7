"""Find kinks of models at an operating point: derivatives that differ between the two sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..engine.contract import Watches
from ..maths.arrays import jax, jnp
from .equations import Place

if TYPE_CHECKING:
    from ..engine.contract import Part
    from .matrices import Group

STEP = 1e-5
"""Step of each state to both sides, as a fraction of its absolute value, or of 1 in SI if that is larger."""
FINER = 8.0
"""Ratio between the large and the small step."""
ALIKE = 0.9, 1.1
"""Range of 8 times the ratio of the differences at the small and the large step that shows a kink. A kink has
1, a smooth function 1/8, and rounding 8.
"""
LEAST = 1e-9
"""Smallest significant difference of a rate [SI] at the small step. Smaller differences are rounding
errors.
"""
PART = 1e-3
"""Smallest significant difference, relative to the largest change of a rate. A smooth function with a
curvature of 1 in SI has 1e-5.
"""


SIDES = ("above", "below")
MIXTURES = 3
DOUBT = 0.5
"""States are checked above this fraction of the smallest significant difference. The factor of each state
in a combination of states is at least one half.
"""


class Differences(NamedTuple):
    """Absolute differences of rates for steps to both sides, along combinations of states (point, rate,
    mixture).

    - jumps: difference between the changes on the two sides.
    - above, below: difference between the change on each side and the exact derivative.
    """

    jumps: np.ndarray
    above: np.ndarray
    below: np.ndarray

    @property
    def astray(self) -> np.ndarray:
        """Return the smaller of `above` and `below` (point, rate, mixture)."""
        return np.minimum(self.above, self.below)


def kinks(group: Group) -> list[dict[int, str]]:
    """Return the states with a kink in their effect on the rates, for each operating point.

    Each result maps the index of a state to the side with exact derivatives: "above" or "below". If the side
    is unknown, the text is "". A kink occurs, for example, at a limit. The rates are compared along
    combinations of all states. If a combination shows a possible kink, the rates are compared along each
    state.
    """
    start = np.stack([one.start for one in group.matrices])
    steps = STEP * np.maximum(np.abs(start), 1.0)
    some = _doubtful(group, steps)
    found: list[dict[int, str]] = [{} for _ in start]
    if not some:
        return found
    each = np.eye(steps.shape[1])
    far, near = (differences(group, some, steps[some], each, finer) for finer in (1.0, FINER))
    for k, p in enumerate(some):
        least = _least(group, p, steps[p])
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = FINER * near.jumps[k] / far.jumps[k]
            # Smooth functions, such as tanh of a small speed, have quadratic differences.
            less = FINER * near.astray[k] / far.astray[k]
        bent = (near.jumps[k] > least / FINER) & (ratio > ALIKE[0]) & (ratio < ALIKE[1])
        astray = (near.astray[k] > least / FINER) & ~(less < ALIKE[0])
        sides = np.stack([np.max(one[k], 0, where=bent, initial=0.0) for one in (near.above, near.below)])
        for n in np.flatnonzero(np.any(bent | astray, 0)).tolist():
            clear = not np.any(astray[:, n]) and np.min(sides[:, n]) < PART * np.max(sides[:, n])
            found[p][n] = SIDES[int(np.argmin(sides[:, n]))] if clear else ""
    return found


def commands(group: Group) -> list[dict[str, str]]:
    """Return the input commands with a kink in their effect on the rates, for each operating point.

    Each result maps the name of a command to a side, as in `kinks`. A kink occurs, for example, at a limit.
    """
    names = [one.name for one in group.system.inputs if one.kind == "signal"]
    found: list[dict[str, str]] = [{} for _ in group.points]
    if not names:
        return found
    column = [k for k, one in enumerate(group.system.inputs) if one.kind == "signal"]
    each = np.eye(len(names))
    steps = np.concatenate([STEP * part * each for part in (1.0, -1.0, 1 / FINER, -1 / FINER)], 1)
    added = np.concatenate([np.zeros((len(names), 1)), steps], 1)
    still = np.zeros((1, len(group.states), added.shape[1]))
    rates, plain = len(group.chosen_states.rates), group.equations.behind.plain
    first = len(group.chosen_states.positions)
    for p, one in enumerate(group.matrices):
        second, _, drift, *_ = _values_along(group, [p], still, group.equations.rates, added)
        second = second[list(group.chosen_states.rates)]
        whole = np.concatenate([second, drift[list(group.chosen_states.behind)]]) if plain else second
        up, down, near_up, near_down = np.split(whole[:, 1:] - whole[:, :1], 4, 1)
        exact = np.concatenate([one.pushed, one.b[first + rates : first + len(whole)]])[:, column]
        exact = exact * (STEP / FINER)
        far, near = np.abs(up + down), np.abs(near_up + near_down)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = FINER * near / far
        least = np.maximum(PART * np.maximum(np.abs(near_up), np.abs(near_down)), LEAST)
        bent = (near > least) & (ratio > ALIKE[0]) & (ratio < ALIKE[1])
        for n in np.flatnonzero(np.any(bent, 0)).tolist():
            off = [np.max(np.abs(v[:, n] - exact[:, n])[bent[:, n]]) for v in (near_up, -near_down)]
            found[p][names[n]] = SIDES[int(np.argmin(off))] if min(off) < PART * max(off) else ""
    return found


def edges(group: Group) -> list[list[str]]:
    """Return for each operating point the paths of models that switch within the steps of the search for
    kinks. The rates change there.
    """
    parts = [part for part in group.system.layout.having(Watches) if part.watches]
    found: list[list[str]] = [[] for _ in group.points]
    if not parts:
        return found
    start = np.stack([one.start for one in group.matrices])
    mixed = STEP * mixtures(start.shape[1])
    moves = np.concatenate([np.zeros((len(mixed), 1)), mixed, -mixed], 1)

    def watch(mechanism: Any, place: Place) -> list[Any]:
        here = group.equations.here(mechanism, place)
        return [
            jnp.where(part.watched_armed(place.discrete), part.watched_values(here), -1.0) for part in parts
        ]

    for p in range(len(start)):
        sizes = np.maximum(np.abs(start[p]), 1.0)
        values = _values_along(group, [p], sizes[None, :, None] * moves, watch)
        found[p] = [
            _path_of(part)
            for part, value in zip(parts, values)
            if np.any((value[:, :1] <= 0) & np.any(value > 0, 1, keepdims=True))
        ]
    return found


def _path_of(part: Part) -> str:
    return f"{part.group}.{part.items[0].name}" if len(part.items) == 1 else part.group or part.name


def _doubtful(group: Group, steps: np.ndarray) -> list[int]:
    """Indices of points at which rates may have a kink."""
    mixed = mixtures(steps.shape[1])
    found = differences(group, [*range(len(steps))], steps, mixed, 1.0)
    some = []
    for p, (jumps, astray) in enumerate(zip(found.jumps, found.astray, strict=True)):
        least = DOUBT * _least(group, p, steps[p])
        if not np.all((jumps <= least) & (astray <= least)):
            some.append(p)
    return some


def mixtures(count: int) -> np.ndarray:
    """Return factors of linear combinations of states, (state, mixture).

    The absolute value of each factor is at least one half. No two states cancel in all combinations.
    """
    number, which = np.arange(1, count + 1)[:, None], np.arange(MIXTURES)
    part = np.modf(number * np.sqrt([2.0, 3.0, 5.0])[which])[0]
    sign = np.where(np.modf(number * np.sqrt([7.0, 11.0, 13.0])[which])[0] < 0.5, -1.0, 1.0)
    return sign * (0.5 + 0.5 * part)


def _least(group: Group, p: int, steps: np.ndarray) -> np.ndarray:
    """Size of differences of rates over steps that counts (rate, 1)."""
    largest = np.max(np.abs(group.matrices[p].slopes) * steps, 1, keepdims=True, initial=0.0)
    return np.maximum(PART * largest, FINER * LEAST)


def differences(
    group: Group, points: list[int], steps: np.ndarray, mixed: np.ndarray, finer: float
) -> Differences:
    """Return the differences of rates for steps to both sides, at the operating points with indices `points`.

    - steps (point, state): steps of the states.
    - mixed (state, mixture): factors of the combinations of states.
    - finer: divisor of all steps.
    """
    count = mixed.shape[1]
    moves = np.concatenate([mixed, -mixed], 1) / finer
    several = group.system.at_once(moves.shape[1])
    jumps, above, below = [], [], []
    for first in range(0, len(points), several):
        part = slice(first, first + several)
        found = np.moveaxis(_rates(group, points[part], steps[part, :, None] * moves), 1, 0)
        middle = np.stack([group.matrices[p].there for p in points[part]])[..., None]
        up, down = found[..., :count] - middle, middle - found[..., count:]
        exact = np.stack([group.matrices[p].slopes for p in points[part]])
        exact = exact @ (steps[part, :, None] * mixed / finer)
        jumps.append(np.abs(up - down))
        above.append(np.abs(up - exact))
        below.append(np.abs(down - exact))
    return Differences(*map(np.concatenate, (jumps, above, below)))


def _rates(group: Group, points: list[int], moves: np.ndarray) -> np.ndarray:
    """Rates (rate, point, move) at points moved along states (point, state, move), all of them as cases."""
    second, _, drift, *_ = _values_along(group, points, moves, group.equations.rates)
    found = np.concatenate([second[list(group.chosen_states.rates)], drift])
    return found.reshape(len(found), len(points), moves.shape[-1])


def _values_along(
    group: Group, points: list[int], moves: np.ndarray, function: Any, added: np.ndarray | None = None
) -> list[np.ndarray]:
    """Values (number, case) of a function of mechanism and place at points moved along states (point, state,
    move). added (signal, case): additions to signals."""
    system, (states, lanes) = group.system, moves.shape[1:]
    own, behind = (
        [value[p][:, None] + change[p][:, :states] @ by for p, by in zip(points, moves, strict=True)]
        for value, change in zip((group.own, group.behind), group.tree_derivatives, strict=True)
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
        np.zeros((len(system.signals), many)) if added is None else added,
    )
    look = system.program.of_samples(lambda mechanism, *rest: function(mechanism, Place(*rest)))
    return [np.asarray(one) for one in look(system.scenario, system.reference, *place)]
