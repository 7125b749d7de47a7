"""Derivatives of NumPy computations along directions, with dual numbers a + b e, e^2 = 0.

A `Dual` works with NumPy functions through their protocols. A NumPy expression therefore also returns its
derivative, exact to rounding (Clifford 1873; Griewank and Walther, Evaluating Derivatives, 2nd ed. 2008,
section 3.1).

If derivatives are nested, the inner derivative has the higher level. For the inner derivative, dual numbers
of lower levels are treated as constants. With many directions at once (`along`), derivatives have one more
axis, and values are computed only once. The rules are in `dual_rules`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from .arrays import compile_function, jax
from .dual_rules import EXTREMES, FLAT, LINEAR, NUMBERS, UFUNCS, clip, finite, for_slopes, plus, spread, where

_taken = threading.local()
"""`level`: derivatives that are being taken now, one inside another, in each thread."""


class NoDerivative(TypeError):
    """Error: a NumPy function has no rule for its derivative."""


class Dual:
    """A value and its derivative along one direction, with the same shape.

    If `wide` is true, the derivatives along many directions are a further last axis."""

    __array_priority__ = 1000.0
    __slots__ = ("level", "tangent", "value", "wide")
    value: Any
    tangent: Any
    level: int
    wide: bool

    def __init__(self, value: Any, tangent: Any, level: int, wide: bool = False):
        value = value if isinstance(value, (np.ndarray, Dual)) else np.asarray(value)
        tangent = tangent if isinstance(tangent, (np.ndarray, Dual)) else np.asarray(tangent)
        if (tangent.shape[:-1] if wide else tangent.shape) != value.shape:
            shape = np.broadcast_shapes(value.shape, tangent.shape[:-1] if wide else tangent.shape)
            tangent = spread(tangent, shape) if wide else np.broadcast_to(tangent, shape)
            value = np.broadcast_to(value, shape)
        self.value, self.tangent, self.level, self.wide = value, tangent, level, wide

    shape = property(lambda self: self.value.shape)
    ndim = property(lambda self: len(self.value.shape))
    size = property(lambda self: int(np.prod(self.shape)))
    dtype = property(lambda self: self.value.dtype)

    @property
    def T(self) -> Any:
        return np.transpose(self)  # pyright: ignore[reportCallIssue, reportArgumentType]

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *args: Any, **options: Any) -> Any:
        rule = UFUNCS.get(ufunc.__name__)
        if method != "__call__" or rule is None:
            if ufunc.__name__ in FLAT and method == "__call__":
                return ufunc(*map(plain, args), **options)
            raise NoDerivative(f"{ufunc.__name__} ({method}) has no derivative here")
        level, wide = self.level, self.wide
        for a in args:
            if type(a) is Dual and a.level > level:
                level, wide = a.level, a.wide
        slopes = [a.tangent if type(a) is Dual and a.level == level else None for a in args]
        value, slope = rule([_value(a, level) for a in args], slopes, wide)
        return _dual(value, slope, level, wide)

    def __array_function__(self, function: Callable[..., Any], types: Any, args: Any, options: Any) -> Any:
        name = function.__name__
        if name in FLAT:
            return function(*map(plain, args), **options)
        if name in EXTREMES:
            return EXTREMES[name](plain, *args, **options)
        if name in COMPOSED:
            return COMPOSED[name](*args, **options)
        if name not in LINEAR or NUMBERS & options.keys():
            raise NoDerivative(f"{name} ({', '.join(options)}) has no derivative here")
        level, wide = _highest(args)
        value = function(*(_value(a, level) for a in args), **options)
        first, rest = args[0], args[1:]
        slope = _slopes(first, level)
        if slope is None:
            return value
        if wide:
            own = LINEAR[name](value, _value(first, level), slope, *rest, **options)
        else:
            own = function(slope, *rest, **options)
        return Dual(value, own, level, wide)

    def __getitem__(self, place: Any) -> Dual:
        behind = _in_slope(place) if self.wide else place
        return Dual(self.value[place], self.tangent[behind], self.level, self.wide)

    def __iter__(self) -> Any:
        return (self[k] for k in range(len(self)))

    def __len__(self) -> int:
        return self.shape[0]

    def reshape(self, *shape: Any) -> Any:
        return np.reshape(self, shape[0] if len(shape) == 1 else shape)  # pyright: ignore

    def astype(self, kind: Any) -> Any:
        if kind is not float:
            return plain(self).astype(kind)
        return Dual(self.value.astype(kind), self.tangent.astype(kind), self.level, self.wide)

    def sum(self, axis: Any = None) -> Any:
        return np.sum(self, axis)  # pyright: ignore[reportCallIssue, reportArgumentType]

    def __bool__(self) -> bool:
        return bool(plain(self))

    def __float__(self) -> float:
        return float(plain(self))


def _in_slope(place: Any) -> Any:
    """A place in a value as one in its wide slope."""
    if place is Ellipsis or (type(place) is tuple and any(one is Ellipsis for one in place)):
        return (*(place if type(place) is tuple else (place,)), slice(None))
    return place


def _dual(value: Any, slope: Any, level: int, wide: bool) -> Any:
    """A value with its slope; the value where that is none."""
    return value if slope is None else Dual(value, slope, level, wide)


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
    """Return a value without its derivatives. Lists and tuples are converted element by element."""
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)(map(plain, value))
    return plain(value.value) if isinstance(value, Dual) else value


def is_dual(value: Any) -> bool:
    """Return whether a value has derivatives."""
    return isinstance(value, Dual)


def trim(value: Any) -> Any:
    """Return a value without its derivatives if all derivatives are zero. Removing zero derivatives saves
    time, because they cost as much as other derivatives.
    """
    if isinstance(value, Dual) and type(value.tangent) is np.ndarray and not value.tangent.any():
        return value.value
    return value


def linear(function: Callable[[Any], Any], value: Any, lanes: bool = False) -> Any:
    """Apply a linear function, for which this module has no rule, to a value that may have derivatives.

    `lanes`: true if the function treats further last axes independently.
    """
    if not isinstance(value, Dual):
        return function(value)
    if value.wide and not lanes:
        each = [linear(function, value.tangent[..., k]) for k in range(value.tangent.shape[-1])]
        slope = np.stack(each, -1)
    else:
        slope = linear(function, value.tangent, lanes)
    return Dual(linear(function, value.value, lanes), slope, value.level, value.wide)


def bilinear(function: Callable[[Any, Any], Any], one: Any, other: Any, otherwise: Any) -> Any:
    """Apply a bilinear function to two arrays that may have derivatives. The function treats further last
    axes independently.

    otherwise: the same function composed of NumPy functions, used for values that are not finite.
    """
    level, wide = max(_highest(one), _highest(other))
    if not level:
        return function(one, other)
    (a, b), (da, db) = ([part(x, level) for x in (one, other)] for part in (_value, _slopes))
    if not ((da is None or finite(b)) and (db is None or finite(a))):
        return otherwise(one, other)

    def own(one: Any, other: Any) -> Any:
        return bilinear(function, one, other, otherwise)

    parts = [] if da is None else [own(da, for_slopes(b, wide))]
    if db is not None:
        parts.append(own(for_slopes(a, wide), db))
    return Dual(own(a, b), plus(*parts) if len(parts) == 2 else parts[0], level, wide)


def _highest(value: Any) -> tuple[int, bool]:
    """The highest level in a value, lists and tuples looked into, and whether it is wide."""
    if isinstance(value, (list, tuple)):
        return max(map(_highest, value), default=(0, False))
    return (value.level, value.wide) if isinstance(value, Dual) else (0, False)


def _value(a: Any, level: int) -> Any:
    if isinstance(a, (list, tuple)):
        return type(a)(_value(part, level) for part in a)
    return a.value if isinstance(a, Dual) and a.level == level else a


def _slopes(a: Any, level: int) -> Any:
    """The slope of an argument, or of each of several; None where there is none at all."""
    if not isinstance(a, (list, tuple)):
        return a.tangent if isinstance(a, Dual) and a.level == level else None
    some = next((part for part in a if isinstance(part, Dual) and part.level == level), None)
    if some is None:
        return None
    behind = some.tangent.shape[-1:] if some.wide else ()
    return [_tangent(part, level, behind) for part in a]


def _tangent(a: Any, level: int, behind: tuple[int, ...] = ()) -> Any:
    """The derivative of an argument, zero of a constant; behind: so many directions, if they have an axis."""
    if isinstance(a, Dual) and a.level == level:
        return a.tangent
    return np.zeros((*np.shape(a), *behind))  # pyright: ignore[reportCallIssue, reportArgumentType]


def _where(condition: Any, a: Any, b: Any) -> Any:
    level, wide = max(_highest(a), _highest(b))
    choose, values = plain(condition), (_value(a, level), _value(b, level))
    value, slope = where(choose, values, (_slopes(a, level), _slopes(b, level)), wide)
    return _dual(value, slope, level, wide)


def _broadcast_arrays(*arrays: Any) -> tuple[Any, ...]:
    shape = np.broadcast_shapes(*map(np.shape, arrays))
    return tuple(np.broadcast_to(a, shape) for a in arrays)


def _split(array: Any, ends: Any, axis: int = 0) -> list[Any]:
    return [np.take(array, places, axis) for places in np.split(np.arange(np.shape(array)[axis]), ends)]


def _sinc(a: Any) -> Any:
    """sin(pi a)/(pi a); near zero by its series, of which eight terms are left 0.5^16/17! = 4e-20."""
    x = np.pi * a
    near = np.abs(plain(x)) < 0.5
    small, large = _where(near, x, 0.0), _where(near, 1.0, x)
    square, series = small * small, 1.0
    for k in range(14, 0, -2):
        series = 1.0 - square / (k * (k + 1)) * series
    return _where(near, series, np.sin(large) / large)


COMPOSED: dict[str, Callable[..., Any]] = {
    "where": _where,
    "clip": clip,
    "broadcast_arrays": _broadcast_arrays,
    "split": _split,
    "sinc": _sinc,
}
"""NumPy functions that are composed of other functions, or that have a rule in this module."""


def with_entry(array: Any, place: Any, value: Any) -> Dual:
    """Return a copy of an array with `value` at the index `place`, with derivatives."""
    level, wide = max(_highest(array), _highest(value))
    behind = next(a.tangent.shape[-1:] for a in (array, value) if isinstance(a, Dual) and a.level == level)
    behind = behind if wide else ()

    def one(part: Callable[[Any], Any], place: Any) -> Any:
        into, what = part(array), part(value)
        if isinstance(into, Dual) or isinstance(what, Dual):
            return with_entry(into, place, what)
        into = np.array(into, float)
        into[place] = what
        return into

    found = one(lambda a: _value(a, level), place)
    slope = one(lambda a: _tangent(a, level, behind), _in_slope(place) if wide else place)
    return Dual(found, slope, level, wide)


def written(array: Any, value: Any, index: int) -> Dual:
    """Return an array with `value` at `index`, with derivatives; see `arrays.written`."""
    level, wide = max(_highest(array), _highest(value))
    alike = isinstance(array, Dual) and type(array.value) is type(array.tangent) is np.ndarray
    if not alike or array.level != level or _highest(_value(value, level))[0]:
        return with_entry(array, index, value)
    behind = array.tangent.shape[-1:] if wide else ()
    array.value[index], array.tangent[index] = _value(value, level), _tangent(value, level, behind)
    return array


def jvp(function: Callable[..., Any], primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any]:
    """Return the values of a function and their derivatives along tangents, as two trees."""
    with _Level() as level:
        found = function(*jax.tree.map(lambda p, t: Dual(p, t, level), primals, tangents))
    return jax.tree.map(lambda a: _value(a, level), found), jax.tree.map(lambda a: _tangent(a, level), found)


def along(
    function: Callable[..., Any], values: Sequence[Any], changes: Sequence[Any], count: int
) -> tuple[Any, Any]:
    """Return the values of a function of arrays and their derivatives along many directions, as two trees.

    - values: arguments of the function.
    - changes: directions for each array, with the direction as last axis; None for a constant array.
    - count: number of directions.
    """
    with _Level() as level:
        found = function(*(_dual(v, c, level, True) for v, c in zip(values, changes, strict=True)))
    value = jax.tree.map(lambda a: _value(a, level), found)
    return value, jax.tree.map(lambda a: _tangent(a, level, (count,)), found)


class _Level:
    """The level of one more derivative inside those that are being taken."""

    def __enter__(self) -> int:
        _taken.level = getattr(_taken, "level", 0) + 1
        return _taken.level

    def __exit__(self, *error: Any) -> None:
        _taken.level -= 1


def by_rule(function: Callable[..., Any], rule: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """Apply a function with its own derivative rule to dual numbers. Directions are treated as additional
    cases.

    rule(values, slopes): returns the result and its derivative.
    """
    level, wide = _highest(list(args))
    if not level:
        return function(*args)
    values, slopes = tuple(_value(a, level) for a in args), _slopes(args, level)
    if wide:
        count = slopes[0].shape[-1]
        values = tuple(np.broadcast_to(_lane(v), (*np.shape(v), count)) for v in values)
    found, changes = rule(values, tuple(slopes))
    if wide:
        found = jax.tree.map(lambda v: v[..., 0], found)
    return jax.tree.map(lambda v, s: Dual(v, s, level, wide), found, changes)


def _lane(value: Any) -> Any:
    """A value with one more case."""
    return (value if hasattr(value, "shape") else np.asarray(value))[..., None]


def solve_linear(times: Callable[[Any], Any], right: Any, solve: Callable[[Any, Any], Any]) -> Any:
    """Return the solution x (tree) of a linear system times(x) = right, with its derivatives.

    solve(times, right): function that returns the solution x for a right-hand side, without
    derivatives. Each level of derivatives needs one more solution, dx = A^-1 (d right - dA x).
    """
    found = solve(times, jax.tree.map(plain, right))
    for _ in range(getattr(_taken, "level", 0)):
        left = jax.tree.map(_changing, right, times(found))
        found = jax.tree.map(lambda x, more: x + more, found, solve(times, left))
    return found


def _changing(wanted: Any, now: Any) -> Any:
    """A difference without its value, which is rounding."""
    left = wanted - now
    return left - plain(left)


def push_through(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """Apply a JAX function to NumPy arrays and their derivatives."""
    leaves = jax.tree.leaves(args)
    level, wide = _highest(leaves)
    if not level:
        return compile_function(function)(*args)
    behind = next(a.tangent.shape[-1:] for a in leaves if isinstance(a, Dual) and a.level == level)
    values = jax.tree.map(lambda a: _value(a, level), args)
    slopes = jax.tree.map(lambda a: _tangent(a, level, behind if wide else ()), args)
    found, change = push_through((_along_many if wide else _along)(function), (values, slopes))
    return jax.tree.map(lambda v, s: Dual(v, s, level, wide), found, change)


@lru_cache(maxsize=256)
def _along(function: Callable[..., Any]) -> Callable[..., Any]:
    from jax import jvp

    return lambda values, slopes: jvp(function, values, slopes)


@lru_cache(maxsize=256)
def _along_many(function: Callable[..., Any]) -> Callable[..., Any]:
    from jax import jvp, vmap

    def both(values: Any, slopes: Any) -> Any:
        each = vmap(lambda slopes: jvp(function, values, slopes), -1, (None, -1))
        return each(slopes)

    return both
