"""Derivatives along a direction of what NumPy works out: dual numbers a + b e with e^2 = 0.

A `Dual` takes part in NumPy's functions by their own protocols, so that an expression written for arrays also
gives its derivative, exact to rounding (Clifford 1873; Griewank and Walther, Evaluating Derivatives, 2nd ed.
2008, section 3.1). The inner of two nested derivatives has the higher level: to it, numbers of lower levels
are constants."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from .arrays import compiled, jax

_taken = threading.local()
"""`level`: derivatives that are being taken now, one inside another, in each thread."""


class Dual:
    """A value and its derivative along a direction, of the same shape."""

    __array_priority__ = 1000.0
    __slots__ = ("level", "tangent", "value")
    value: Any
    tangent: Any
    level: int

    def __init__(self, value: Any, tangent: Any, level: int):
        self.value = value if isinstance(value, Dual) else np.asarray(value)
        self.tangent = tangent if isinstance(tangent, Dual) else np.asarray(tangent)
        self.level = level
        if np.shape(self.tangent) != np.shape(self.value):
            shape = np.broadcast_shapes(np.shape(self.value), np.shape(self.tangent))
            self.value, self.tangent = (np.broadcast_to(p, shape) for p in (self.value, self.tangent))

    shape = property(lambda self: np.shape(self.value))
    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: int(np.prod(self.shape)))
    dtype = property(lambda self: self.value.dtype)
    T = property(lambda self: self._mapped(lambda part: part.T))

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *args: Any, **options: Any) -> Any:
        if method != "__call__" or ufunc.__name__ not in UFUNCS:
            if ufunc.__name__ in FLAT and method == "__call__":
                return ufunc(*map(plain, args), **options)
            raise TypeError(f"{ufunc.__name__} ({method}) has no derivative here")
        level = max(_level(a) for a in args)
        values = [_value(a, level) for a in args]
        slopes = [_tangent(a, level) for a in args]
        value, slope = UFUNCS[ufunc.__name__](values, slopes)
        return Dual(value, slope, level)

    def __array_function__(self, function: Callable[..., Any], types: Any, args: Any, options: Any) -> Any:
        name = function.__name__
        if name in FLAT:
            return function(*map(plain, args), **options)
        level = max(map(_level, args))
        if name in FUNCTIONS:
            return FUNCTIONS[name](level, *args, **options)
        if name not in LINEAR or NUMBERS & options.keys():
            raise TypeError(f"{name} ({', '.join(options)}) has no derivative here")
        value = function(*(_value(a, level) for a in args), **options)
        slope = function(*(_tangent(a, level, k in LINEAR[name]) for k, a in enumerate(args)), **options)
        if isinstance(value, (list, tuple)):
            return type(value)(Dual(v, s, level) for v, s in zip(value, slope, strict=True))
        return Dual(value, slope, level)

    def _mapped(self, change: Callable[[Any], Any]) -> Dual:
        return Dual(change(self.value), change(self.tangent), self.level)

    def __getitem__(self, place: Any) -> Dual:
        return self._mapped(lambda part: part[place])

    def __iter__(self) -> Any:
        return (self[k] for k in range(len(self)))

    def __len__(self) -> int:
        return self.shape[0]

    def reshape(self, *shape: Any) -> Dual:
        return self._mapped(lambda part: part.reshape(*shape))

    def astype(self, kind: Any) -> Any:
        return self._mapped(lambda part: part.astype(kind)) if kind is float else plain(self).astype(kind)

    def sum(self, axis: Any = None) -> Any:
        return np.sum(self, axis)  # pyright: ignore[reportCallIssue, reportArgumentType]

    def __bool__(self) -> bool:
        return bool(plain(self))

    def __float__(self) -> float:
        return float(plain(self))


def _operator(ufunc: np.ufunc, swapped: bool = False) -> Callable[..., Any]:
    if swapped:
        return lambda self, other: ufunc(other, self)
    return lambda self, *other: ufunc(self, *other)


_BINARY = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "truediv": np.true_divide,
    "pow": np.power,
    "mod": np.remainder,
}
for _name, _ufunc in _BINARY.items():
    setattr(Dual, f"__{_name}__", _operator(_ufunc))
    setattr(Dual, f"__r{_name}__", _operator(_ufunc, swapped=True))
for _name, _ufunc in {
    "neg": np.negative,
    "pos": np.positive,
    "abs": np.absolute,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "eq": np.equal,
    "ne": np.not_equal,
}.items():
    setattr(Dual, f"__{_name}__", _operator(_ufunc))


def plain(value: Any) -> Any:
    """The value without any derivatives; lists and tuples are looked into."""
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)(map(plain, value))
    return plain(value.value) if isinstance(value, Dual) else value


def is_dual(value: Any) -> bool:
    """Whether it has derivatives along."""
    return isinstance(value, Dual)


def linear(function: Callable[[Any], Any], value: Any) -> Any:
    """A linear function without a rule here, of what may have derivatives along."""
    if isinstance(value, Dual):
        return Dual(linear(function, value.value), linear(function, value.tangent), value.level)
    return function(value)


def _level(value: Any) -> int:
    if isinstance(value, (list, tuple)):
        return max(map(_level, value), default=0)
    return value.level if isinstance(value, Dual) else 0


def _value(a: Any, level: int) -> Any:
    if isinstance(a, (list, tuple)):
        return type(a)(_value(part, level) for part in a)
    return a.value if isinstance(a, Dual) and a.level == level else a


def _tangent(a: Any, level: int, differentiated: bool = True) -> Any:
    """The derivative of an argument; the argument itself where a function is no function of it in this
    sense, as of an axis."""
    if not differentiated:
        return _value(a, level)
    if isinstance(a, (list, tuple)):
        return type(a)(_tangent(part, level) for part in a)
    return a.tangent if isinstance(a, Dual) and a.level == level else np.zeros(np.shape(a))  # pyright: ignore[reportCallIssue, reportArgumentType]


# --- rules: values and slopes of the arguments to value and slope


def _times(slope: Any, factor: Any) -> Any:
    """A product in which no slope stays none, also beside what is not finite."""
    return np.where(_none(slope), 0.0, slope * factor)


def _none(slope: Any) -> Any:
    """Where a slope is zero, and stays so along the directions of the derivatives around it."""
    if isinstance(slope, Dual):
        return _none(slope.value) & _none(slope.tangent)
    return np.equal(slope, 0)


def _of_one(function: Callable[[Any], Any], slope: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """A function of one number; slope(a, f(a))."""

    def rule(values: Any, slopes: Any) -> Any:
        value = function(values[0])
        return value, _times(slopes[0], slope(values[0], value))

    return rule


def _sum(values: Any, slopes: Any) -> Any:
    return values[0] + values[1], slopes[0] + slopes[1]


def _difference(values: Any, slopes: Any) -> Any:
    return values[0] - values[1], slopes[0] - slopes[1]


def _product(values: Any, slopes: Any) -> Any:
    (a, b), (da, db) = values, slopes
    return a * b, _times(da, b) + _times(db, a)


def _quotient(values: Any, slopes: Any) -> Any:
    (a, b), (da, db) = values, slopes
    ratio = a / b
    return ratio, _times(da, 1 / b) - _times(db, ratio / b)


def _power(values: Any, slopes: Any) -> Any:
    (a, b), (da, db) = values, slopes
    value = a**b
    by_base = _times(da, np.where(b == 0, 0.0, b * a ** np.where(b == 0, 1.0, b - 1)))
    if np.all(_none(db)):
        return value, by_base
    return value, by_base + _times(db, value * np.log(np.where(a > 0, a, 1.0)))


def _greater(values: Any, slopes: Any) -> Any:
    (a, b), (da, db) = values, slopes
    return np.maximum(a, b), _chosen(a, b, da, db)


def _lesser(values: Any, slopes: Any) -> Any:
    (a, b), (da, db) = values, slopes
    return np.minimum(a, b), _chosen(b, a, da, db)


def _chosen(a: Any, b: Any, da: Any, db: Any) -> Any:
    """The slope of the greater of a and b, half of both where they are the same, as JAX has it."""
    return np.where(a > b, da, np.where(a < b, db, 0.5 * (da + db)))


def _atan2(values: Any, slopes: Any) -> Any:
    (y, x), (dy, dx) = values, slopes
    square = x * x + y * y
    return np.arctan2(y, x), _times(dy, x / square) - _times(dx, y / square)


def _linear(function: Any) -> Callable[..., Any]:
    return lambda values, slopes: (function(*values), function(*slopes))


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
    "negative": _linear(np.negative),
    "positive": _linear(np.positive),
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
"""Functions that have no slope, or of which none is wanted."""

_LINEAR = """stack concatenate sum broadcast_to moveaxis swapaxes expand_dims reshape roll cumsum diff mean
take transpose take_along_axis pad squeeze copy"""
LINEAR: dict[str, tuple[int, ...]] = dict.fromkeys(_LINEAR.split(), (0,))
"""Linear functions, and in which of their arguments."""
NUMBERS = {"constant_values", "prepend", "append", "initial", "where"}
"""Options with which these are linear no more: what they put in has no slope."""


def _where(level: int, condition: Any, a: Any, b: Any) -> Dual:
    choose = plain(condition)
    values = np.where(choose, _value(a, level), _value(b, level))
    return Dual(values, np.where(choose, _tangent(a, level), _tangent(b, level)), level)


def _clip(level: int, a: Any, low: Any = -np.inf, high: Any = np.inf) -> Any:
    return np.minimum(np.maximum(a, low), high)


def _extreme(place: Any, further: np.ufunc) -> Callable[..., Any]:
    def rule(level: int, a: Any, axis: Any = None, initial: Any = None) -> Any:
        if not isinstance(axis, int):
            a, axis = _as_one(a, axis), -1
        index = np.expand_dims(place(plain(a), axis), axis)
        found = np.take_along_axis(a, index, axis).reshape(np.delete(np.shape(a), axis))
        return found if initial is None else further(found, initial)

    return rule


def _as_one(a: Any, axes: tuple[int, ...] | None) -> Any:
    """An array with some of its axes, or all, as one behind the others."""
    shape = np.shape(a)
    places = range(len(shape)) if axes is None else [axis % len(shape) for axis in axes]
    others = [size for k, size in enumerate(shape) if k not in places]
    last = np.moveaxis(a, places, range(-len(places), 0))
    return last.reshape(*others, math.prod(shape[k] for k in places))


def _broadcast_arrays(level: int, *arrays: Any) -> tuple[Any, ...]:
    shape = np.broadcast_shapes(*map(np.shape, arrays))
    return tuple(np.broadcast_to(a, shape) for a in arrays)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "where": _where,
    "clip": _clip,
    "max": _extreme(np.argmax, np.maximum),
    "min": _extreme(np.argmin, np.minimum),
    "amax": _extreme(np.argmax, np.maximum),
    "amin": _extreme(np.argmin, np.minimum),
    "broadcast_arrays": _broadcast_arrays,
}


def put(array: Any, place: Any, value: Any) -> Dual:
    """The array with a value at a place."""
    level = max(_level(array), _level(value))

    def one(part: Callable[[Any, int], Any]) -> Any:
        into, what = part(array, level), part(value, level)
        if isinstance(into, Dual) or isinstance(what, Dual):
            return put(into, place, what)
        into = np.array(into, float)
        into[place] = what
        return into

    return Dual(one(_value), one(_tangent), level)


def jvp(function: Callable[..., Any], primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any]:
    """Values (tree) of a function and their derivatives along tangents."""
    level = _taken.level = getattr(_taken, "level", 0) + 1
    try:
        found = function(*jax.tree.map(lambda p, t: Dual(p, t, level), primals, tangents))
    finally:
        _taken.level -= 1
    return jax.tree.map(lambda a: _value(a, level), found), jax.tree.map(lambda a: _tangent(a, level), found)


def by_rule(function: Callable[..., Any], rule: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """A function of numbers with a rule of its own for its derivatives."""
    level = max(map(_level, args))
    if not level:
        return function(*args)
    values, slopes = rule(tuple(_value(a, level) for a in args), tuple(_tangent(a, level) for a in args))
    return jax.tree.map(lambda v, s: Dual(v, s, level), values, slopes)


def solved(times: Callable[[Any], Any], right: Any, solve: Callable[[Any, Any], Any]) -> Any:
    """x (tree) of a linear system times(x) = right, with its derivatives.

    solve(times, right): x of the system as it is. One more solution for each level of derivatives brings
    theirs, dx = A^-1 (d right - dA x)."""
    found = solve(times, jax.tree.map(plain, right))
    for _ in range(getattr(_taken, "level", 0)):
        left = jax.tree.map(_changing, right, times(found))
        found = jax.tree.map(lambda x, more: x + more, found, solve(times, left))
    return found


def _changing(wanted: Any, now: Any) -> Any:
    """A difference without its value, which is rounding."""
    left = wanted - now
    return left - plain(left)


def pushed(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """What a function of JAX's makes of NumPy's arrays and their derivatives."""
    level = max(map(_level, jax.tree.leaves(args)), default=0)
    if not level:
        return compiled(function)(*args)
    values, slopes = (jax.tree.map(lambda a, part=part: part(a, level), args) for part in (_value, _tangent))
    found, change = pushed(_along(function), (values, slopes))
    return jax.tree.map(lambda v, s: Dual(v, s, level), found, change)


@lru_cache(maxsize=256)
def _along(function: Callable[..., Any]) -> Callable[..., Any]:
    from jax import jvp

    return lambda values, slopes: jvp(function, values, slopes)
