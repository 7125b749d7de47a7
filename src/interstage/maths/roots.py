"""Roots of equations: by bisection and Brent's method in a bracket, and by Newton's method with exact slopes.

Function `root` is for one equation whose values are expensive. If the equation has no root, the result is a
reason. Function `bounded_step` is a step of Newton's method for several equations.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .arrays import jnp, lax

MOST_VALUES = 60
"""Largest number of function evaluations of `root`."""
WIDEST = 3.0
"""Largest step of `root`, relative to the absolute value of x or to `scale`, whichever is larger."""
LEAST_STEP = 1e-12
"""Relative step of `root` that counts as zero, as a fraction of `scale`."""
NEAREST = 1e-6
"""Accuracy with which `root` locates a minimum of the residual or the end of valid values, as a fraction of
`scale`.
"""


def narrow_bracket(below: Callable[[Any], Any], low: Any, high: Any, halvings: int) -> tuple[Any, Any]:
    """Return the ends (*cases) of brackets after a number of bisections, with NumPy or JAX.

    - below: function of points (*cases), true for points below the root.
    - low, high (*cases): ends of the brackets; `below` is true at low and false at high.
    """

    def halve(_: Any, bracket: Any) -> Any:
        low, high = bracket
        middle = 0.5 * (low + high)
        under = below(middle)
        return jnp.where(under, middle, low), jnp.where(under, high, middle)

    return lax.fori_loop(0, halvings, halve, (low, high))


def adjacent_numbers(below: Callable[[np.ndarray], np.ndarray], low: Any, high: Any) -> tuple[Any, Any]:
    """Return adjacent integers (*cases) between which `below` changes from true to false.

    - below: function of an array of integers (*cases) that returns a boolean array.
    - low, high: integers (*cases) at which `below` is true and false."""
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        under = below(middle)
        low, high = np.where(under, middle, low), np.where(under, high, middle)
    return low, high


def zero_between(function: Callable[[float], float], low: float, high: float, within: float) -> float:
    """Return the zero of a function between `low` and `high` by Brent's method, with an error below `within`.

    The signs of the function at `low` and `high` must differ. Raises ValueError if they are equal.
    """
    from scipy.optimize import brentq

    found: Any = brentq(function, low, high, xtol=within)
    return float(found)


def bounded_step(
    slopes: np.ndarray,
    off: np.ndarray,
    values: np.ndarray,
    sizes: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    dependent: float,
) -> np.ndarray:
    """Return the smallest step (unknown,), measured relative to `sizes`, that satisfies linearized equations
    in least squares.

    - slopes (equation, unknown): derivatives. off (equation,): residuals.
    - values, sizes (unknown,): present values and typical sizes of the unknowns.
    - low, high (unknown,): bounds. Unknowns at a bound do not move beyond the bound.
    - dependent: relative singular value below which unknowns are redundant.
    """
    by, step, free = np.where(sizes > 0, sizes, 1.0), np.zeros(len(values)), np.ones(len(values), bool)
    for _ in range(len(values)):
        each, even = unit_columns(slopes[:, free] * by[free])
        step[:] = 0.0
        step[free] = np.linalg.lstsq(even, -off, dependent)[0] / each * by[free]
        beyond = ((values <= low) & (step < 0)) | ((values >= high) & (step > 0))
        if not np.any(beyond):
            break
        free &= ~beyond
    return step


def unit_columns(slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the norms of the columns (column,), and the matrix with normalized columns. The norm of a zero
    column is replaced by 1.
    """
    each = np.sqrt(np.sum(slopes**2, 0))
    each = np.where(each > 0, each, 1.0)
    return each, slopes / each


class Root(NamedTuple):
    """Result of `root`.

    - x, residual, slope: best point, and the residual and slope at this point.
    - reached: true if the residual is within the tolerance or the noise.
    - why: reason of the stop if `reached` is false.
    - steps: number of function evaluations.
    """

    x: float
    residual: float
    slope: float
    reached: bool
    why: str
    steps: int


class _Value(NamedTuple):
    x: float
    residual: float
    slope: float


def root(
    function: Callable[[float], tuple[float, float]],
    start: float,
    low: float,
    high: float,
    scale: float,
    tolerance: float,
    failure: Callable[[float], str] = lambda _: "the quantity has no value if the input changes more",
    noise: float = 0.0,
) -> Root:
    """Return the zero of a function between `low` and `high`.

    - function(x): returns residual and slope, or NaN if there is no value at x.
    - start: first point; the function must have a value there.
    - scale: typical size of x. tolerance: largest residual of a zero.
    - failure(x): returns the reason why the function has no value at x.
    - noise: error of the residuals. If the residual is within the noise, the search ends with the first step
      that does not halve it.

    Steps go to the zero of the tangent. If a change of sign is known, the steps stay within its bracket. If
    the function has no value, or if the residual does not decrease without a bracket, the search returns
    halfway to the previous point.
    """
    search = _Search(low, high, scale, _Value(start, *function(start)))
    steps, before = 1, np.inf
    while abs(search.best.residual) > tolerance and not before / 2 < abs(search.best.residual) <= noise:
        target = search.target()
        if target is None or steps >= MOST_VALUES:
            why = search.why(failure) if target is None else f"the search stopped after {MOST_VALUES} values"
            return Root(*search.best, False, why, steps)
        before = abs(search.best.residual)
        search.take(_Value(target, *function(target)))
        steps += 1
    return Root(*search.best, True, "", steps)


class _Search:
    """State of the search.

    `best`: the value with the smallest residual. `bracket`: values on both sides of a change of sign.
    `walls`: nearest points without a value on both sides. `behind`: last values without improvement on both
    sides."""

    def __init__(self, low: float, high: float, scale: float, best: _Value) -> None:
        self.low, self.high, self.scale, self.best = low, high, scale, best
        self.bracket: tuple[_Value, _Value] | None = None
        self.walls = [-np.inf, np.inf]
        self.behind: list[_Value | None] = [None, None]

    def target(self) -> float | None:
        """The next point; None if there is none."""
        best = self.best
        if self.bracket is not None:
            return self._inside(*self.bracket)
        if not best.slope or not np.isfinite(best.slope):
            return None
        most = WIDEST * max(abs(best.x), self.scale)
        step = float(np.clip(-best.residual / best.slope, -most, most))
        side = int(step > 0)
        wall, behind = self.walls[side], self.behind[side]
        if abs(step) >= abs(wall - best.x) - LEAST_STEP * self.scale:  # a step to it, also with rounding
            step = (wall - best.x) / 2
            if abs(step) <= NEAREST / 2 * self.scale:
                return None
        if behind is not None and abs(step) >= abs(behind.x - best.x) / 2:
            step = _towards_the_least(best, behind)
            if abs(step) <= NEAREST * self.scale:
                return None
        target = float(np.clip(best.x + step, self.low, self.high))
        return None if abs(target - best.x) <= LEAST_STEP * self.scale else target

    def _inside(self, below: _Value, above: _Value) -> float | None:
        width = above.x - below.x
        if width <= LEAST_STEP * self.scale:
            return None
        best = self.best
        tangent = best.x - best.residual / best.slope if best.slope else np.nan
        near = below.x < tangent < above.x and abs(tangent - best.x) <= width / 2
        return tangent if near else (below.x + above.x) / 2

    def take(self, new: _Value) -> None:
        """Note a value."""
        best, side = self.best, int(new.x > self.best.x)
        if not np.isfinite(new.residual):
            self.walls[side] = new.x
            if self.bracket is not None:
                self.bracket = None
            return
        if self.bracket is None and new.residual * best.residual <= 0:
            self.bracket = (best, new) if best.x < new.x else (new, best)
        elif self.bracket is not None:
            below, above = self.bracket
            same = new.residual * above.residual > 0
            self.bracket = (below, new) if same else (new, above)
        if abs(new.residual) < abs(best.residual):
            self.best = new
            self.behind[1 - side] = best
        else:
            self.behind[side] = new

    def why(self, failure: Callable[[float], str]) -> str:
        """Reason why there is no next point."""
        best = self.best
        if not best.slope or not np.isfinite(best.slope):
            return "the input has no effect on the quantity"
        side = int(best.residual / best.slope < 0)
        if np.isfinite(self.walls[side]) and abs(self.walls[side] - best.x) <= NEAREST * self.scale:
            return failure(self.walls[side])
        if best.x >= self.high or best.x <= self.low:
            return f"the input is at its {'upper' if best.x >= self.high else 'lower'} bound"
        return (
            f"the quantity {'has an extreme' if self.bracket is None else 'is discontinuous'} at this value"
        )


def _towards_the_least(best: _Value, behind: _Value) -> float:
    """The step to where the slope is zero on the line between two values, where it changes its sign, or
    halfway."""
    width = behind.x - best.x
    if not best.slope * behind.slope < 0:
        return width / 2
    return width * float(np.clip(best.slope / (best.slope - behind.slope), 0.01, 0.99))
