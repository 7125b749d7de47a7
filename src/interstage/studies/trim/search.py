"""Find the values of the unknowns for which the conditions at a start hold, and diagnose the result. The
method is Newton's method with least squares.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...maths.roots import bounded_step, unit_columns
from ...tree.errors import BadInput, Problem
from ..linearize.result import STILL
from .asked import Asked, Condition
from .start import Seen, Sight, Start

TOLERANCE = 1e-9
"""Tolerance of a condition, relative to the magnitude of its terms. The tolerance corresponds to thousands of
roundings.
"""
GROWN, ROUNDING = 10.0, 1e4 * np.finfo(float).eps
"""Limits of the magnitude of the terms of conditions.

- GROWN: largest ratio of the magnitude that sets the tolerance to the initial magnitude of the terms.
- ROUNDING: relative rounding error of the terms.
"""
ENDLESS = 1 / np.finfo(float).eps
"""Magnitude of the terms of a condition above which its derivatives are not valid. An example is the
direction of a vector with length zero.
"""
SMALL_STEP = 1e-7
"""Relative step of the unknowns below which the least-squares search ends."""
MOST, HALVINGS = 50, 8
"""Largest number of steps, and largest number of halvings of a step that does not reduce the residual."""
DECREASE, WON = 1e-4, 0.25
"""Criteria for a step.

- DECREASE: required reduction of the residual, as a fraction of the predicted reduction. A step with a
  smaller reduction is halved.
- WON: if all conditions already hold, a further step must reduce the residual to less than this fraction.
"""
DEPENDENT = 1e-9
"""Relative singular value below which unknowns are redundant, for exact derivatives; see `Care`."""
SINGULAR = 1e-3
"""Effect of an unknown at the solution, relative to its effect for the start values, below which it counts
as zero. At a double root, the effect is the square root of the tolerance.
"""
NEAR = 1e-3
"""Relative distance of an unknown from the end of a table. If no trim is found, table ends within this
distance are reported.
"""
NAMED = 1e-2
"""Smallest share, relative to the largest share, for which an unknown or condition is named in a message."""


@dataclass(frozen=True)
class Ended:
    """Result of a search.

    - `values` (unknown,): final values of the unknowns.
    - `seen`: start evaluated for these values.
    - `left` (condition,): residuals [SI].
    - `sizes` (condition,): magnitudes of the terms of the conditions [SI].
    - `looks`: number of evaluations of the start.
    - `first`: first evaluation.
    - `allowed` (condition,): tolerances [SI].
    """

    values: np.ndarray
    seen: Seen
    left: np.ndarray
    sizes: np.ndarray
    looks: int
    first: Seen
    allowed: np.ndarray

    @property
    def conditions_met(self) -> np.ndarray:
        """Return for each condition (condition,) whether its residual is within the tolerance."""
        return np.abs(self.left) <= self.allowed


class Care(NamedTuple):
    """Settings of a search.

    - `tolerance`: tolerance of a condition, relative to the magnitude of its terms.
    - `most`: largest number of steps.
    - `dependent`: relative singular value below which unknowns are redundant, during the search.
    - `same`: the same limit at the end of the search.
    """

    tolerance: float = TOLERANCE
    most: int = MOST
    dependent: float = DEPENDENT
    same: float = DEPENDENT


class Search:
    """Search for the values of the unknowns. The start is evaluated by `sight`."""

    def __init__(self, start: Start, asked: Asked, sight: Any = None, care: Care | None = None):
        self.asked, self._care = asked, care or Care()
        self.sight = sight or Sight(start, asked.unknowns, asked.given, asked.outputs)
        self._rows = [one.row for one in asked.conditions]
        self._wanted = np.array([one.wanted for one in asked.conditions])
        self._within = np.array([one.within for one in asked.conditions])
        self._seen: dict[bytes, Seen | None] = {}
        self.begin = np.array([one.start for one in asked.unknowns])
        self.low, self.high = (
            np.array([getattr(one, end) for one in asked.unknowns]) for end in ("low", "high")
        )

    def solve(self) -> Ended:
        """Return the values that satisfy all conditions. If no values meet the conditions, return the values
        with the smallest residuals.

        Raises BadInput if the start values cannot be evaluated.
        """
        first = self.sight.at(self.begin)
        self._seen[self.begin.tobytes()] = first
        self._first_sizes = np.maximum(self._sizes(first, self.begin), np.abs(first.rows[self._rows]))
        self._refuse_not_numbers(first)
        values, seen = self._newton(self.begin, first) if len(self.begin) else (self.begin, first)
        if len(values) and not self._all_met(seen, values):
            values = self._nearest(values, seen)
            again = self._at(values)
            assert again is not None  # evaluated before
            values, seen = self._newton(values, again)
        left, sizes = self._off(seen), self._sizes(seen, values)
        return Ended(values, seen, left, sizes, len(self._seen), first, self._tolerances(seen, values))

    def _at(self, values: np.ndarray) -> Seen | None:
        """Evaluation with the unknowns at values; None if it fails."""
        key = values.tobytes()
        if key not in self._seen:
            try:
                self._seen[key] = self.sight.at(values)
            except BadInput:
                self._seen[key] = None
        return self._seen[key]

    def _refuse_not_numbers(self, seen: Seen) -> None:
        wrong = [
            Problem(
                one.name,
                f"{one.name} is {seen.rows[one.row]:g} at the start values. Choose other start values",
            )
            for one in self.asked.conditions
            if not np.isfinite(seen.rows[one.row])
        ]
        slopes = seen.slopes[self._rows]
        if not wrong and not np.all(np.isfinite(slopes)):
            (row, column), *_ = np.argwhere(~np.isfinite(slopes))
            name, by = self.asked.conditions[row].name, self.asked.unknowns[column].name
            wrong = [
                Problem(
                    name,
                    f"{name} has no derivative with respect to {by} at the start values. Choose other values",
                )
            ]
        if wrong:
            left = self.sight.start.left_at(seen.begun.scenario)
            raise BadInput([Problem("start", f"{one}. Choose other start values") for one in left] or wrong)

    def _sizes(self, seen: Seen, values: np.ndarray) -> np.ndarray:
        """Sizes of the terms of the conditions (condition,) [SI]: effects of the unknowns by their sizes, of
        angles by 1 rad, and the targets."""
        by = np.abs(seen.slopes[self._rows]) @ self._own_sizes(values)
        return np.maximum(np.maximum(by, np.abs(self._wanted)), 1.0)

    def _own_sizes(self, values: np.ndarray) -> np.ndarray:
        """Sizes of the unknowns (unknown,) [SI]."""
        angles = np.array([one.unit == "rad" for one in self.asked.unknowns])
        return np.maximum(np.maximum(np.abs(values), np.abs(self.begin)), angles)

    def _tolerances(self, seen: Seen, values: np.ndarray) -> np.ndarray:
        """Tolerances of the conditions (condition,) [SI]. If sizes grow without bounds, as at a locking
        mechanism, the first sizes or rounding apply."""
        now, before = (
            np.where(sizes < ENDLESS, sizes, 1.0) for sizes in (self._sizes(seen, values), self._first_sizes)
        )
        met = self._care.tolerance * np.minimum(now, GROWN * before)
        if not len(values):
            # Without unknowns the stiffness of an acceleration is unknown: a common size applies.
            met = np.where([one.rate for one in self.asked.conditions], STILL, met)
            if np.any(np.abs(self._off(seen)) > met):
                met = np.where(met == STILL, np.maximum(met, self._roundings(seen)), met)
        return np.maximum(np.maximum(met, ROUNDING * now), self._within)

    def _roundings(self, seen: Seen) -> np.ndarray:
        """Errors of the accelerations in conditions (condition,) [SI]."""
        each = self.sight.roundings(seen)
        return np.array([each[one.row] if one.rate else 0.0 for one in self.asked.conditions])

    def still(self, ended: Ended) -> np.ndarray:
        """Return the magnitude of each acceleration (coordinate,) [SI] that counts as zero. The magnitude is
        the tolerance of a condition, or the rounding error if that is larger.
        """
        count = len(self.sight.start.tree.coordinates)
        now, before = (
            np.abs(seen.slopes[:count]) @ self._own_sizes(values)
            for seen, values in ((ended.seen, ended.values), (ended.first, self.begin))
        )
        met = self._care.tolerance * np.minimum(now, GROWN * before)
        return np.maximum(np.maximum(met, STILL), self.sight.roundings(ended.seen))

    def _all_met(self, seen: Seen, values: np.ndarray) -> bool:
        """Whether all conditions hold."""
        return bool(np.all(np.abs(self._off(seen)) <= self._tolerances(seen, values)))

    def _off(self, seen: Seen) -> np.ndarray:
        """Residual of the conditions (condition,) [SI]; zero for a joint that is closed within the tolerance
        of a start and does not depend on unknowns."""
        left = seen.rows[self._rows] - self._wanted
        idle = (self._within > 0) & ~np.any(seen.slopes[self._rows], 1)
        return np.where(idle & (np.abs(left) <= self._within), 0.0, left)

    def _newton(self, values: np.ndarray, seen: Seen) -> tuple[np.ndarray, Seen]:
        """Newton's method by least squares within the bounds; of redundant unknowns it takes the least step.
        Each step reduces the residual. When all conditions hold, it continues while the reduction is
        large."""
        for _ in range(self._care.most):
            sizes, off = self._sizes(seen, values), self._off(seen)
            met = self._all_met(seen, values)
            size = np.linalg.norm(off / sizes)
            step, part = self._step(values, seen.slopes[self._rows] / sizes[:, None], off / sizes), 1.0
            for _ in range(1 if met else HALVINGS):
                ahead = np.clip(values + part * step, self.low, self.high)
                then = self._at(ahead)
                left = np.inf if then is None else np.linalg.norm(self._off(then) / sizes)
                if left < (WON if met else 1.0 - DECREASE * part) * size:
                    break
                part /= 2
            else:
                return values, seen
            assert then is not None  # the step has reduced the residual
            values, seen = ahead, then
        return values, seen

    def _step(self, values: np.ndarray, slopes: np.ndarray, off: np.ndarray) -> np.ndarray:
        """The least scaled step that satisfies the linearized conditions; unknowns stay within their
        bounds."""
        sizes = self._own_sizes(values)
        return bounded_step(slopes, off, values, sizes, self.low, self.high, self._care.dependent)

    def _nearest(self, values: np.ndarray, seen: Seen) -> np.ndarray:
        """The least-squares values if not all conditions can hold."""
        from scipy import optimize

        sizes = self._sizes(seen, values)

        def residual(values: np.ndarray) -> np.ndarray:
            seen = self._at(values)
            return np.full(len(sizes), np.nan) if seen is None else self._off(seen) / sizes

        def slope(values: np.ndarray) -> np.ndarray:
            seen = self._at(values)
            assert seen is not None  # evaluated before
            return seen.slopes[self._rows] / sizes[:, None]

        least_squares: Any = optimize.least_squares  # whose stubs know less than it does
        ended = least_squares(
            residual, values, slope, (self.low, self.high), x_scale="jac",
            ftol=SMALL_STEP, gtol=SMALL_STEP, xtol=SMALL_STEP, max_nfev=self._care.most,
        )  # fmt: skip
        return np.clip(ended.x, self.low, self.high)

    # --- diagnosis

    def idle(self, ended: Ended) -> list[str]:
        """Return the names of the unknowns that affect no condition."""
        each = [np.max(np.abs(seen.slopes[self._rows]), 0, initial=0.0) for seen in (ended.first, ended.seen)]
        return [one.name for k, one in enumerate(self.asked.unknowns) if not each[0][k] and not each[1][k]]

    def ties(self, ended: Ended) -> tuple[list[str], int]:
        """Return the names of the redundant unknowns, and the number of excess unknowns."""
        count = len(self.asked.unknowns)
        if not count:
            return [], 0
        slopes = ended.seen.slopes[self._rows] / ended.sizes[:, None]
        _, values, right = np.linalg.svd(unit_columns(slopes)[1])
        values = np.concatenate([values, np.zeros(count - len(values))])
        many = int(np.sum(values <= self._care.same * values[0]))
        return self._taking_part(right[count - many :]) if many else [], many

    def singular(self, ended: Ended, many: int) -> list[str]:
        """Return the names of the unknowns that the conditions determine for the start values, but not at
        the solution.

        many: number of excess unknowns, from `ties`.
        """
        count = len(self.asked.unknowns) - many
        sizes = self._sizes(ended.first, ended.values)
        first, last = (seen.slopes[self._rows] / sizes[:, None] for seen in (ended.first, ended.seen))
        by, even = unit_columns(first)
        (_, before, _), (_, now, right) = (np.linalg.svd(one) for one in (even, last / by))
        if not count or now[count - 1] > SINGULAR * before[count - 1]:
            return []
        return self._taking_part(right[count - 1 : count])

    def _taking_part(self, motions: np.ndarray) -> list[str]:
        """Names of the unknowns in some combinations (combination, unknown)."""
        share = np.sqrt(np.sum(motions**2, 0))
        return [one.name for one, part in zip(self.asked.unknowns, share) if part > NAMED * np.max(share)]

    def unaffected_conditions(self, ended: Ended) -> list[Condition]:
        """Return the violated conditions that no unknown changes."""
        slopes = ended.seen.slopes[self._rows]
        off = ~ended.conditions_met
        return [
            one
            for k, one in enumerate(self.asked.conditions)
            if off[k] and not np.any(slopes[k]) and not np.any(ended.first.slopes[one.row])
        ]

    def fighting(self, ended: Ended) -> list[tuple[Condition, float]]:
        """Return the violated conditions with their residuals [SI], the worst first. Each name is listed
        once.
        """
        share = np.abs(ended.left) / ended.sizes
        order = np.argsort(-share, kind="stable")
        found = {}
        for k in order:
            one = self.asked.conditions[k]
            if not ended.conditions_met[k] and share[k] > NAMED * share[order[0]] and one.name not in found:
                found[one.name] = one, float(ended.left[k])
        return [*found.values()]

    def at_edges(self, ended: Ended) -> list[str]:
        """Return the names of the tables whose range ends close to the final values of the unknowns."""
        steps = NEAR * np.diag(np.maximum(self._own_sizes(ended.values), SMALL_STEP))
        found: dict[str, None] = {}
        for step in (*steps, *-steps):
            found |= dict.fromkeys(self.sight.start.left_at(self.sight.scenario(ended.values + step)))
        return [*found]

    def at_bounds(self, ended: Ended) -> list[str]:
        """Return a text for each unknown at a bound, with its name and the bound."""
        found = []
        for one, value in zip(self.asked.unknowns, ended.values, strict=True):
            end = one.at_bound(float(value), 1e-6)
            found += [f"{one.name} at its {end} bound"] if end else []
        return found
