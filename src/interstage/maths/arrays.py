"""Array functions that accept NumPy or JAX arrays, so that one source serves single and repeated evaluations.

Import `jnp`, `lax` and `jax` only from this module. NumPy evaluates expressions without JAX arrays
immediately. JAX evaluates expressions with JAX arrays or traced arrays. The start and the record of a flight
therefore need no compiler. Importing JAX takes one second, so commands without computations do not import it.
With NumPy arrays, only the functions of `lax` and `jax` in this module are available.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache, update_wrapper
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from .jax_import import import_jax

if TYPE_CHECKING:
    import jax as jax
    import jax.numpy as jnp
    from jax import lax as lax


HERE = frozenset(
    (np.ndarray, float, int, bool, str, type(None), slice, type, *np.sctypeDict.values(), np.dtype)
)
"""Types of values that are not JAX arrays."""


def is_jax(value: Any) -> bool:
    """Return whether a value is a JAX array or a traced array, or a list or tuple that contains one."""
    kind = type(value)
    if kind in HERE:
        return False
    if kind is list or kind is tuple:
        return any(map(is_jax, value))
    found = sys.modules.get("jax")
    return found is not None and isinstance(value, found.Array)


def is_traced(value: Any) -> bool:
    """Return whether JAX traces a value, or whether a value has a derivative."""
    return hasattr(value, "tangent") or (is_jax(value) and isinstance(value, sys.modules["jax"].core.Tracer))


def tracing() -> bool:
    """Return whether JAX traces the present computation. If true, loops and branches must use functions of
    JAX.
    """
    core = sys.modules.get("jax._src.core")
    return core is not None and not core.trace_state_clean()


def any_jax(*trees: Any) -> bool:
    """Return whether any leaf of the given trees is a JAX array."""
    if _here(trees):
        return False
    found = sys.modules.get("jax")
    return found is not None and any(map(is_jax, found.tree.leaves(trees)))


def _here(tree: Any) -> bool:
    """Whether a tree is plainly one of NumPy's arrays, found without taking it apart."""
    kind = type(tree)
    return kind in HERE or ((kind is tuple or kind is list) and all(map(_here, tree)))


class _Numbers:
    """jax.numpy where any argument is a JAX array, and numpy elsewhere."""

    def __getattr__(self, name: str) -> Any:
        plain = getattr(np, name)
        found = _either(name, plain) if callable(plain) and not isinstance(plain, type) else plain
        if isinstance(plain, np.ufunc):
            found = _either(name, plain)
        setattr(self, name, found)
        return found

    @property
    def linalg(self) -> Any:
        return _LINEAR

    @staticmethod
    def asarray(value: Any, dtype: Any = None) -> Any:
        """The value as an array. A placeholder of a derivative is returned unchanged."""
        if is_jax(value):
            return import_module("jax.numpy").asarray(value, dtype)
        if hasattr(value, "tangent"):
            return value
        return np.asarray(value, dtype)

    @staticmethod
    def where(condition: Any, yes: Any, no: Any) -> Any:
        """`yes` where the condition is true, otherwise `no`. With JAX this is one selection among arrays of
        one shape; the function of JAX itself would be a program within the program."""
        for value in (condition, yes, no):
            if type(value) not in HERE and is_jax(value):
                break
        else:
            return np.where(condition, yes, no)
        own = import_module("jax.numpy")
        kind, shape = own.result_type(yes, no), np.broadcast_shapes(*map(np.shape, (condition, yes, no)))
        condition = own.broadcast_to(own.asarray(condition, bool), shape)
        yes, no = (own.broadcast_to(own.asarray(part, kind), shape) for part in (yes, no))
        return import_module("jax.lax").select(condition, yes, no)


class _Linear:
    def __getattr__(self, name: str) -> Any:
        found = _either(f"linalg.{name}", getattr(np.linalg, name))
        setattr(self, name, found)
        return found


_LINEAR = _Linear()


def _either(name: str, plain: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **options: Any) -> Any:
        for value in args:  # found by its type at once if possible, tens of thousands of times
            if type(value) not in HERE and is_jax(value):
                break
        else:
            return plain(*args, **options)
        module: Any = import_module("jax.numpy")
        for part in name.split("."):
            module = getattr(module, part)
        return module(*args, **options)

    call.__name__ = name
    return call


class _Later:
    """A module that is imported when it is first used."""

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_jax(self._name), name)


class _Control(_Later):
    """jax.lax; NumPy's arrays take branches and turns at once."""

    @staticmethod
    def cond(predicate: Any, true: Callable[..., Any], false: Callable[..., Any], *operands: Any) -> Any:
        if is_jax(predicate):
            return import_module("jax.lax").cond(predicate, true, false, *operands)
        return true(*operands) if predicate else false(*operands)

    @staticmethod
    def fori_loop(lower: Any, upper: Any, body: Callable[..., Any], init: Any) -> Any:
        if tracing() or any_jax(init):
            return import_module("jax.lax").fori_loop(lower, upper, body, init)
        for k in range(int(lower), int(upper)):
            init = body(k, init)
        return init

    @staticmethod
    def while_loop(going: Callable[..., Any], body: Callable[..., Any], init: Any) -> Any:
        if tracing() or any_jax(init):
            return import_module("jax.lax").while_loop(going, body, init)
        while going(init):
            init = body(init)
        return init

    @staticmethod
    def scan(body: Callable[..., Any], init: Any, xs: Any, reverse: bool = False) -> Any:
        if tracing() or any_jax(init, xs):
            return import_module("jax.lax").scan(body, init, xs, reverse=reverse)
        count = len(jax.tree.leaves(xs)[0])
        found = []
        for k in reversed(range(count)) if reverse else range(count):
            init, one = body(init, jax.tree.map(lambda a, k=k: a[k], xs))
            found.append(one)
        return init, _stack(found[::-1] if reverse else found)

    @staticmethod
    def map(function: Callable[..., Any], xs: Any) -> Any:
        if tracing() or any_jax(xs):
            return import_module("jax.lax").map(function, xs)
        count = len(jax.tree.leaves(xs)[0])
        return _stack([function(jax.tree.map(lambda a, k=k: a[k], xs)) for k in range(count)])

    @staticmethod
    def stop_gradient(tree: Any) -> Any:
        if tracing() or any_jax(tree):
            return import_module("jax.lax").stop_gradient(tree)
        from .dual import plain

        return jax.tree.map(plain, tree)

    @staticmethod
    def optimization_barrier(tree: Any) -> Any:
        if tracing() or any_jax(tree):
            return import_module("jax.lax").optimization_barrier(tree)
        return tree

    @staticmethod
    def custom_linear_solve(times: Any, right: Any, solve: Any, symmetric: bool = False) -> Any:
        """See JAX's. By NumPy, what `times` and `right` have of derivatives enters the solution, too."""
        if tracing() or any_jax(right):
            own = import_module("jax.lax").custom_linear_solve
            return own(times, right, solve, symmetric=symmetric)
        from .dual import solve_linear

        return solve_linear(times, right, solve)

    @staticmethod
    def dynamic_index_in_dim(array: Any, index: Any, axis: int = 0, keepdims: bool = True) -> Any:
        if is_jax(array) or is_jax(index):
            array = import_module("jax.numpy").asarray(array)
            return import_module("jax.lax").dynamic_index_in_dim(array, index, axis, keepdims)
        found = array[(*(slice(None),) * axis, int(index))]
        return np.expand_dims(found, axis) if keepdims else found

    @staticmethod
    def dynamic_update_index_in_dim(array: Any, update: Any, index: Any, axis: int) -> Any:
        if is_jax(array) or is_jax(index) or is_jax(update):
            array = import_module("jax.numpy").asarray(array)
            return import_module("jax.lax").dynamic_update_index_in_dim(array, update, index, axis)
        return with_entry(array, (*(slice(None),) * axis, int(index)), update)

    @staticmethod
    def index_in_dim(array: Any, index: int, axis: int = 0, keepdims: bool = True) -> Any:
        if is_jax(array):
            return import_module("jax.lax").index_in_dim(array, index, axis, keepdims)
        place = (slice(None),) * axis
        return array[(*place, slice(index, index + 1))] if keepdims else array[(*place, index)]

    @staticmethod
    def slice_in_dim(array: Any, start: int, limit: int, axis: int = 0) -> Any:
        if is_jax(array):
            return import_module("jax.lax").slice_in_dim(array, start, limit, axis=axis)
        return array[(*(slice(None),) * axis, slice(start, limit))]

    @staticmethod
    def rsqrt(value: Any) -> Any:
        return import_module("jax.lax").rsqrt(value) if is_jax(value) else 1 / np.sqrt(value)

    @staticmethod
    def integer_pow(base: Any, exponent: int) -> Any:
        return import_module("jax.lax").integer_pow(base, exponent) if is_jax(base) else base**exponent


def _stack(trees: list[Any]) -> Any:
    return jax.tree.map(lambda *parts: jnp.stack(parts), *trees)


def jvp(function: Callable[..., Any], primals: tuple, tangents: tuple) -> Any:
    """Return the values of a function and their derivatives along tangents, like `jax.jvp`."""
    if tracing() or any_jax(primals, tangents):
        return import_module("jax").jvp(function, primals, tangents)
    from .dual import jvp as by_dual_numbers

    return by_dual_numbers(function, primals, tangents)


class custom_jvp:
    """Function with its own derivative rule, for NumPy and JAX; see `jax.custom_jvp`."""

    def __init__(self, function: Callable[..., Any]):
        self._plain: Any = function
        self._rule: Any = None
        self._made: Any = None
        update_wrapper(self, function)

    def defjvp(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        self._rule = rule
        return rule

    def __call__(self, *args: Any) -> Any:
        if not (tracing() or any_jax(args)):
            from .dual import by_rule

            return by_rule(self._plain, self._rule, args)
        if self._made is None:
            self._made = import_module("jax").custom_jvp(self._plain)
            self._made.defjvp(self._rule)
        return self._made(*args)


def by_jax(function: Callable[..., Any], *args: Any) -> Any:
    """Apply a function written for JAX to NumPy arrays, and return NumPy arrays.

    The function is compiled once for each combination of argument shapes. Pass the same function object
    each time to avoid a new compilation. For derivatives see `jvp`."""
    if tracing() or any_jax(args):
        return function(*args)
    from .dual import push_through

    return push_through(function, args)


@lru_cache(maxsize=256)
def compile_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that is compiled by JAX and that returns NumPy arrays."""
    own = import_jax("jax")
    program = own.jit(function)

    def answer(*args: Any) -> Any:
        try:
            return own.device_get(program(*args))
        except own.errors.ConcretizationTypeError:
            # It asks for a number in order to go one way or the other: step by step then.
            return own.device_get(function(*args))

    return answer


def entry_at(array: Any, index: Any, axis: int = 0) -> Any:
    """Return the element of an array at an index along an axis. The index may be traced, even for a NumPy
    array.
    """
    return lax.dynamic_index_in_dim(array, index, axis, keepdims=False)


def entries(array: Any, index: Any) -> Any:
    """Return the elements of an array at indices along the first axis.

    index: array of indices of any shape; it may be traced.
    """
    if not (is_jax(array) or is_jax(index)):
        return array[index]
    # Looking after places out of bounds, or counted from the end, would be half of the program's text.
    own = import_module("jax.numpy")
    return own.asarray(array).at[own.asarray(index).astype("uint32")].get(mode="promise_in_bounds")


def with_entry(array: Any, place: Any, value: Any) -> Any:
    """Return a copy of an array with `value` at the index `place`."""
    if is_jax(array) or is_jax(value):
        return import_module("jax.numpy").asarray(array).at[place].set(value)
    if hasattr(array, "tangent") or hasattr(value, "tangent"):
        from .dual import with_entry as put_dual

        return put_dual(array, place, value)
    found = np.array(array)
    found[place] = value
    return found


def own_array(array: Any) -> Any:
    """Return a copy of an array that `written` may change."""
    return array if is_jax(array) else np.array(array)


def written(array: Any, value: Any, index: Any) -> Any:
    """Return an array with `value` at `index` of its first axis.

    For speed, a NumPy array is changed in place. Other code must not use this array.
    """
    if is_jax(array) or is_jax(value):
        return lax.dynamic_update_index_in_dim(array, value, index, 0)
    if hasattr(array, "tangent") or hasattr(value, "tangent"):
        from .dual import written as written_dual

        return written_dual(array, value, int(index))
    array[int(index)] = value
    return array


class _Jax(_Later):
    """jax; trees need it only where it is in play already."""

    @property
    def tree(self) -> Any:
        return import_jax("jax.tree") if "jax" in sys.modules else import_module(f"{__package__}.trees")


if not TYPE_CHECKING:
    jnp, lax, jax = _Numbers(), _Control("jax.lax"), _Jax("jax")
