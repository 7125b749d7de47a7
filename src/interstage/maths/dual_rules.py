"""Rules for derivatives of NumPy functions with dual numbers; see `dual`.

The arguments of a rule are the values and slopes (derivatives) of the function's arguments. The slope of a
constant is None. Wide slopes have the directions as a further last axis. A rule returns a value and its
slope.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


def for_slopes(value: Any, wide: bool) -> Any:
    """Return a value in the shape for products with slopes: if slopes are wide, with a further last axis."""
    return value[..., None] if wide and np.ndim(value) else value


def times(slope: Any, factor: Any, wide: bool) -> Any:
    """Return slope * factor, or None if the slope is None. If a slope is zero, the product is zero even for
    infinite or NaN factors.
    """
    if slope is None:
        return None
    product = slope * for_slopes(factor, wide)
    if finite(factor):
        return product
    return np.where(_none(slope), 0.0, product)


def plus(one: Any, other: Any) -> Any:
    """Return the sum of two slopes; either may be None. The first slope may be changed in place."""
    if one is None or other is None:
        return other if one is None else one
    if type(one) is np.ndarray and type(other) is np.ndarray and one.shape == other.shape:
        return np.add(one, other, out=one)
    return one + other


def finite(factor: Any) -> bool:
    """Return true if a factor and its slopes have only finite values."""
    if hasattr(factor, "tangent"):
        return finite(factor.value) and finite(factor.tangent)
    return math.isfinite(factor if isinstance(factor, (float, int)) else np.add.reduce(factor, axis=None))


def _none(slope: Any) -> Any:
    """Where a slope is zero, and stays so along the directions of the derivatives around it."""
    if not hasattr(slope, "tangent"):
        return np.equal(slope, 0)
    still = _none(slope.tangent)
    return _none(slope.value) & (np.all(still, -1) if slope.wide else still)


# --- functions of numbers: values, slopes, whether these are wide


def _of_one(function: Callable[[Any], Any], slope: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """A function of one number; slope(a, f(a))."""

    def rule(values: Any, slopes: Any, wide: bool) -> Any:
        value = function(values[0])
        return value, times(slopes[0], slope(values[0], value), wide)

    return rule


def _sum(values: Any, slopes: Any, wide: bool) -> Any:
    da, db = slopes
    return values[0] + values[1], db if da is None else da if db is None else da + db


def _difference(values: Any, slopes: Any, wide: bool) -> Any:
    da, db = slopes
    slope = da if db is None else -db if da is None else da - db
    return values[0] - values[1], slope


def _product(values: Any, slopes: Any, wide: bool) -> Any:
    (a, b), (da, db) = values, slopes
    return a * b, plus(times(da, b, wide), times(db, a, wide))


def _quotient(values: Any, slopes: Any, wide: bool) -> Any:
    (a, b), (da, db) = values, slopes
    ratio = a / b
    by_first = None if da is None else times(da, 1 / b, wide)
    return ratio, by_first if db is None else plus(by_first, times(db, -ratio / b, wide))


def _power(values: Any, slopes: Any, wide: bool) -> Any:
    (a, b), (da, db) = values, slopes
    value, found = a**b, None
    if da is not None:
        found = times(da, np.where(b == 0, 0.0, b * a ** np.where(b == 0, 1.0, b - 1)), wide)
    if db is None or np.all(_none(db)):
        return value, found
    return value, plus(found, times(db, value * np.log(np.where(a > 0, a, 1.0)), wide))


def _greater(values: Any, slopes: Any, wide: bool) -> Any:
    (a, b), (da, db) = values, slopes
    return np.maximum(a, b), _chosen(a, b, da, db, wide)


def _lesser(values: Any, slopes: Any, wide: bool) -> Any:
    (a, b), (da, db) = values, slopes
    return np.minimum(a, b), _chosen(b, a, da, db, wide)


def _chosen(a: Any, b: Any, da: Any, db: Any, wide: bool) -> Any:
    """The slope of the greater of a and b, half of both where they are the same, as JAX has it."""
    if da is None and db is None:
        return None
    da, db = (0.0 if slope is None else slope for slope in (da, db))
    more, less = for_slopes(a > b, wide), for_slopes(a < b, wide)
    return np.where(more, da, np.where(less, db, 0.5 * (da + db)))


def _atan2(values: Any, slopes: Any, wide: bool) -> Any:
    (y, x), (dy, dx) = values, slopes
    square = x * x + y * y
    return np.arctan2(y, x), plus(times(dy, x / square, wide), times(dx, -y / square, wide))


def _negative(values: Any, slopes: Any, wide: bool) -> Any:
    return -values[0], -slopes[0]


def _positive(values: Any, slopes: Any, wide: bool) -> Any:
    return +values[0], slopes[0]


UFUNCS: dict[str, Callable[..., Any]] = {
    "add": _sum,
    "subtract": _difference,
    "multiply": _product,
    "divide": _quotient,
    "true_divide": _quotient,
    "power": _power,
    "maximum": _greater,
    "minimum": _lesser,
    "arctan2": _atan2,
    "negative": _negative,
    "positive": _positive,
    "absolute": _of_one(np.abs, lambda a, f: np.sign(a)),
    "square": _of_one(np.square, lambda a, f: 2 * a),
    "sqrt": _of_one(np.sqrt, lambda a, f: 0.5 / f),
    "cbrt": _of_one(np.cbrt, lambda a, f: f / (3 * a)),
    "exp": _of_one(np.exp, lambda a, f: f),
    "expm1": _of_one(np.expm1, lambda a, f: f + 1),
    "log": _of_one(np.log, lambda a, f: 1 / a),
    "log1p": _of_one(np.log1p, lambda a, f: 1 / (1 + a)),
    "sin": _of_one(np.sin, lambda a, f: np.cos(a)),
    "cos": _of_one(np.cos, lambda a, f: -np.sin(a)),
    "tan": _of_one(np.tan, lambda a, f: 1 + f * f),
    "arcsin": _of_one(np.arcsin, lambda a, f: 1 / np.sqrt(1 - a * a)),
    "arccos": _of_one(np.arccos, lambda a, f: -1 / np.sqrt(1 - a * a)),
    "arctan": _of_one(np.arctan, lambda a, f: 1 / (1 + a * a)),
    "sinh": _of_one(np.sinh, lambda a, f: np.cosh(a)),
    "cosh": _of_one(np.cosh, lambda a, f: np.sinh(a)),
    "tanh": _of_one(np.tanh, lambda a, f: 1 - f * f),
    "arcsinh": _of_one(np.arcsinh, lambda a, f: 1 / np.sqrt(1 + a * a)),
    "arctanh": _of_one(np.arctanh, lambda a, f: 1 / (1 - a * a)),
}

_FLAT = """less less_equal greater greater_equal equal not_equal isfinite isinf isnan isneginf logical_and
logical_or logical_not any all sign floor ceil rint round argmax argmin searchsorted shape ndim zeros_like
ones_like full_like"""
FLAT = frozenset(_FLAT.split())
"""Functions whose result has no slope."""


# --- linear functions of arrays: result for a wide slope, compared with that for the value


def _axes(axis: Any, ndim: int) -> Any:
    """Axes counted from the first; all of them for None."""
    if axis is None:
        return tuple(range(ndim))
    return axis % ndim if isinstance(axis, int) else tuple(one % ndim for one in axis)


def _along_axis(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function along an axis, of all numbers in a row where that is None."""

    def rule(found: Any, value: Any, slope: Any, *args: Any, axis: Any = None) -> Any:
        if axis is None:
            made = function(slope.reshape(-1, slope.shape[-1]), *args, axis=0)
            return made.reshape(*np.shape(found), slope.shape[-1])
        return function(slope, *args, axis=_axes(axis, np.ndim(value)))

    return rule


def _reduce(function: Callable[..., Any]) -> Callable[..., Any]:
    def rule(found: Any, value: Any, slope: Any, axis: Any = None, **options: Any) -> Any:
        return function(slope, _axes(axis, np.ndim(value)), **options)

    return rule


def _reshape(found: Any, value: Any, slope: Any, *args: Any, **options: Any) -> Any:
    return slope.reshape(*np.shape(found), slope.shape[-1])


def _join(function: Callable[..., Any], more: int) -> Callable[..., Any]:
    """Of several arrays, which make `more` axes."""

    def rule(found: Any, value: Any, slopes: Any, axis: int = 0) -> Any:
        return function(slopes, _axes(axis, np.ndim(value[0]) + more))

    return rule


def _pad(found: Any, value: Any, slope: Any, width: Any, *args: Any, **options: Any) -> Any:
    around = np.broadcast_to(width, (np.ndim(value), 2)).tolist()
    return np.pad(slope, [*around, [0, 0]], *args, **options)


def _transpose(found: Any, value: Any, slope: Any, axes: Any = None) -> Any:
    axes = range(np.ndim(value))[::-1] if axes is None else _axes(axes, np.ndim(value))
    return np.transpose(slope, (*axes, np.ndim(value)))


LINEAR: dict[str, Callable[..., Any]] = {
    "stack": _join(np.stack, 1),
    "concatenate": _join(np.concatenate, 0),
    "sum": _reduce(np.sum),
    "mean": _reduce(np.mean),
    "cumsum": lambda found, value, slope, axis=None: _along_axis(np.cumsum)(found, value, slope, axis=axis),
    "roll": lambda found, value, slope, shift, axis=None: _along_axis(np.roll)(
        found, value, slope, shift, axis=axis
    ),
    "take": lambda found, value, slope, index, axis=None: _along_axis(np.take)(
        found, value, slope, index, axis=axis
    ),
    "diff": lambda found, value, slope, n=1, axis=-1: np.diff(slope, n, _axes(axis, np.ndim(value))),
    "take_along_axis": lambda found, value, slope, index, axis: np.take_along_axis(
        slope, np.asarray(index)[..., None], _axes(axis, np.ndim(value))
    ),
    "moveaxis": lambda found, value, slope, source, destination: np.moveaxis(
        slope, *(_axes(axis, np.ndim(value)) for axis in (source, destination))
    ),
    "swapaxes": lambda found, value, slope, one, other: np.swapaxes(
        slope, *(_axes(axis, np.ndim(value)) for axis in (one, other))
    ),
    "broadcast_to": lambda found, value, slope, *args, **options: spread(slope, np.shape(found)),
    "transpose": _transpose,
    "expand_dims": _reshape,
    "reshape": _reshape,
    "squeeze": _reshape,
    "pad": _pad,
    "copy": lambda found, value, slope: np.copy(slope),
}
"""Functions that are linear in their first argument, which is an array or a list of arrays."""
NUMBERS = {"constant_values", "prepend", "append", "initial", "where"}
"""Options that make the functions in `LINEAR` nonlinear, because they insert values without a slope."""


def spread(slope: Any, shape: Sequence[int]) -> Any:
    """Return a wide slope that is broadcast to the shape of its value."""
    return np.broadcast_to(slope, (*shape, slope.shape[-1]))


def where(choose: Any, values: Any, slopes: Any, wide: bool) -> Any:
    """Return the value and slope of `numpy.where`. The condition `choose` has no derivatives."""
    value, (da, db) = np.where(choose, *values), slopes
    if da is None and db is None:
        return value, None
    da, db = (0.0 if slope is None else slope for slope in (da, db))
    return value, np.where(for_slopes(np.asarray(choose), wide), da, db)


def clip(a: Any, low: Any = -np.inf, high: Any = np.inf) -> Any:
    """Return `numpy.clip` of a value that may have derivatives."""
    return np.minimum(np.maximum(a, low), high)


def _extreme(place: Any, further: np.ufunc) -> Callable[..., Any]:
    def rule(plain: Callable[[Any], Any], a: Any, axis: Any = None, initial: Any = None) -> Any:
        if not isinstance(axis, int):
            a, axis = _as_one(a, axis), -1
        index = np.expand_dims(place(plain(a), axis), axis)
        found = np.take_along_axis(a, index, axis).reshape(np.delete(np.shape(a), axis))
        return found if initial is None else further(found, initial)

    return rule


EXTREMES: dict[str, Callable[..., Any]] = {
    "max": _extreme(np.argmax, np.maximum),
    "min": _extreme(np.argmin, np.minimum),
    "amax": _extreme(np.argmax, np.maximum),
    "amin": _extreme(np.argmin, np.minimum),
}


def _as_one(a: Any, axes: tuple[int, ...] | None) -> Any:
    """An array with some of its axes, or all, as one behind the others."""
    shape = np.shape(a)
    places = range(len(shape)) if axes is None else [axis % len(shape) for axis in axes]
    others = [size for k, size in enumerate(shape) if k not in places]
    last = np.moveaxis(a, places, range(-len(places), 0))
    return last.reshape(*others, math.prod(shape[k] for k in places))
