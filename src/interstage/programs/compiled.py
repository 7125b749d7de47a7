"""Compile each program only once: read it from the store, or compile and store it.

A program needs a key in the store (`program_key`). If no key can be computed, for example for an unknown
user-defined class, each process compiles the program again.
"""

from __future__ import annotations

import copy
import gc
import math
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..maths.arrays import jax
from ..model import user_class
from . import key as program_key
from . import store
from .entries import Made, call_once, entry, load_program, on_cpu
from .simplify import lean

FOR_ALL = {"xla_cpu_experimental_ynn_fusion_type": ""}
"""Compiler option (CPU) for all programs: a sum over short first axes is a loop, not a library call."""
ONE_THREAD = {"xla_disable_hlo_passes": "cpu-parallel-task-assigner"}
"""Compiler option (CPU) that prevents the division of large arrays among threads.

A program in one kernel needs it, because one kernel does not support threads.
"""


class Way(NamedTuple):
    """Options for the compilation of a program.

    - options: (name, value) of the compiler options for a CPU.
    - kernel: if true, the program is compiled as one kernel, if this is possible.
    - most: maximum number of equations of a program in one kernel.
    """

    options: tuple[tuple[str, Any], ...] = ()
    kernel: bool = False
    most: float = math.inf


class Wait(NamedTuple):
    """Notice to listeners that a compilation starts or ends.

    - name: name of the program.
    - seconds: expected duration of the compilation [s]; None if it is unknown.
    - over: true if the compilation has ended, false if it starts.
    - what: purpose of the program, if several programs are compiled.
    """

    name: str
    seconds: float | None
    over: bool
    what: str = ""


_listeners: list[Callable[[Wait], None]] = []


@contextmanager
def listening(listener: Callable[[Wait], None], first: bool = False) -> Iterator[None]:
    """Call a listener at the start and at the end of each compilation, within a `with` block.

    Compilations of all threads are reported. first: if true, this listener is called before earlier
    listeners.
    """
    _listeners.insert(0 if first else len(_listeners), listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


class _Own(threading.local):
    """unheard: whether nobody waits for what this thread compiles; what: it is for."""

    unheard = False
    what = ""


_own = _Own()


@contextmanager
def meant_for(what: str) -> Iterator[None]:
    """Report `what` to listeners as the purpose of the programs that this thread compiles, within a `with`
    block.
    """
    before, _own.what = _own.what, what
    try:
        yield
    finally:
        _own.what = before


@contextmanager
def unheard() -> Iterator[None]:
    """Do not report the compilations of this thread to listeners, within a `with` block.

    This context is used for compilations for which no user waits.
    """
    _own.unheard = True
    try:
        yield
    finally:
        _own.unheard = False


class _Shapes(tuple):
    """Shapes and types of arrays, whose hash is computed once: it takes as long as a hundred steps."""

    _hash: int | None = None

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = super().__hash__()
        return self._hash


class Given:
    """Arguments of a program that are the same in many calls. The arguments are prepared only once."""

    def __init__(self, *args: Any):
        leaves, self.tree = jax.tree.flatten(args)
        self.leaves = [leaf if hasattr(leaf, "dtype") else np.asarray(leaf) for leaf in leaves]
        self.shapes = _Shapes([(leaf.shape, leaf.dtype) for leaf in self.leaves])

    def with_leaves(self, leaves: list[Any]) -> Given:
        """Return prepared arguments with other arrays that have the same shapes. leaves: new arrays, in flat
        order.
        """
        found = copy.copy(self)
        found.leaves = leaves
        return found


class Program:
    """Function that is compiled at its first call for each combination of argument shapes.

    about: text that identifies the program among programs with the same name, without the shapes of the
    arguments. The text is None if not all data that determine the program are known; then the program is not
    stored.
    """

    def __init__(self, function: Callable[..., Any], way: Way, name: str = "", about: str | None = None):
        self._function, self._way, self._name, self.about = function, way, name, about
        self._kind = name.partition(" ")[0]
        self._made: dict[Any, Made] = {}
        self._lock = threading.Lock()

    def __call__(self, *args: Any, given: Given | None = None) -> Any:
        given = given or Given()
        leaves, tree, shapes = _flatten(args)
        number, leaves = (given.shapes, tree, shapes), [*given.leaves, *leaves]
        made = self._made.get(number)
        if made is None:
            # Threads that fly cases ask for the same program at once: one makes it.
            with self._lock:
                made = self._made.get(number)
                if made is None:
                    made, results = self._first(given, tree, shapes, leaves)
                    self._made[number] = made
                    return jax.tree.unflatten(made.tree, results)
        return jax.tree.unflatten(made.tree, made.call(leaves))

    def is_stored(self, *args: Any, given: Given | None = None) -> bool:
        """Return whether this process or the store has a program that is compiled for these arguments.

        given: first arguments, if they are prepared.
        """
        given = given or Given()
        _, tree, shapes = _flatten(args)
        if (given.shapes, tree, shapes) in self._made:
            return True
        key = self._key(str(tree), (given.shapes, shapes))
        return key is not None and store.has(key)

    def trace(self, *args: Any, given: Given | None = None) -> Any:
        """Return the simplified JAX equations (closed jaxpr) of the function for these arguments.

        given: first arguments, if they are prepared.
        """
        given = given or Given()
        return lean(jax.make_jaxpr(self._function)(*jax.tree.unflatten(given.tree, given.leaves), *args))

    def _first(self, given: Given, tree: Any, shapes: Any, leaves: list[Any]) -> tuple[Made, Any]:
        """The program for arguments of some shapes, and its results."""
        key = self._key(str(tree), (given.shapes, shapes))
        made = load_program(key) if key else None
        if made is not None:
            # What was kept but does not run here, for whatever reason, is compiled anew.
            with suppress(Exception):
                return made, made.call(leaves)
        size = len(self.about or "") + len(leaves)
        expected = store.estimate(self._kind, size) if self._name else None
        with reported_wait(self._name, expected), _UNCOLLECTED:
            clock = time.perf_counter()
            made, results, kept = self._compile_first(
                given, tree, (*given.shapes, *shapes), leaves, key is not None
            )
            seconds = time.perf_counter() - clock
        if kept is not None and key:
            store.write(key, kept)
        if self._name:
            store.took(self._kind, size, seconds)
        return made, results

    def _compile_first(
        self, given: Given, tree: Any, shapes: Any, leaves: list[Any], keep: bool
    ) -> tuple[Made, Any, Any]:
        """(the program, its results, its entry for the store or None)."""

        def flat(*leaves):
            count = len(given.leaves)
            first = jax.tree.unflatten(given.tree, leaves[:count])
            return self._function(*first, *jax.tree.unflatten(tree, leaves[count:]))

        before = len(user_class.opened)
        traced = _trace(flat, shapes)
        keep = keep and len(user_class.opened) == before
        for kernel in (True, False) if self._one_kernel(traced) else (False,):
            try:
                made, whole = _compile(traced, shapes, self._way, kernel)
                once = call_once(made, leaves)
            except jax.errors.JaxRuntimeError:
                # A user's own force may use what one kernel cannot hold: slower then, never wrong.
                if not kernel:
                    raise
                continue
            return made, once.results, entry(made, once) if keep and whole else None
        raise AssertionError("unreachable")

    def _one_kernel(self, traced: Traced) -> bool:
        return self._way.kernel and on_cpu() and equations(traced.function.jaxpr) <= self._way.most

    def _key(self, tree: str, shapes: Any) -> str | None:
        if self.about is None or store.limit() == 0:
            return None
        return program_key.key(self._name, self.about, repr(self._way), tree, str(shapes))


def _flatten(args: tuple[Any, ...]) -> tuple[list[Any], Any, tuple[Any, ...]]:
    """The leaves of arguments, their tree, and their shapes and types."""
    leaves, tree = jax.tree.flatten(args)
    leaves = [leaf if hasattr(leaf, "dtype") else np.asarray(leaf) for leaf in leaves]
    return leaves, tree, tuple([(leaf.shape, leaf.dtype) for leaf in leaves])


class _Uncollected:
    """Python does not look for unused objects meanwhile, in whatever thread: tracing makes hundreds of
    thousands that stay until it is done, and looking through them takes a tenth of the time."""

    def __init__(self) -> None:
        self._lock, self._within, self._was = threading.Lock(), 0, False

    def __enter__(self) -> None:
        with self._lock:
            if self._within == 0:
                self._was = gc.isenabled()
                gc.disable()
            self._within += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._within -= 1
            if self._within == 0 and self._was:
                gc.enable()


_UNCOLLECTED = _Uncollected()


@contextmanager
def reported_wait(name: str, seconds: float | None) -> Iterator[None]:
    """Report the compilation of a program to listeners, within a `with` block.

    name: name of the program. seconds: expected duration [s]; None if it is unknown.
    """
    listeners = [] if _own.unheard else list(_listeners)
    for listener in listeners:
        listener(Wait(name, seconds, False, _own.what))
    try:
        yield
    finally:
        for listener in listeners:
            listener(Wait(name, seconds, True, _own.what))


def report_wait(wait: Wait) -> None:
    """Report the start or the end of a compilation in another process to the listeners of this process."""
    for listener in [] if _own.unheard else list(_listeners):
        listener(wait)


class Traced(NamedTuple):
    """JAX equations of a function.

    - function: closed jaxpr with flat arguments and flat results.
    - tree: structure of the results.
    """

    function: Any
    tree: Any


def _trace(function: Any, shapes: Any) -> Traced:
    described = [jax.ShapeDtypeStruct(*each) for each in shapes]
    found, results = jax.make_jaxpr(function, return_shape=True)(*described)
    return Traced(lean(found), jax.tree.structure(results))


def equations(jaxpr: Any) -> int:
    """Return the number of equations of a jaxpr, including the equations in its loops and branches."""
    return sum(1 + sum(equations(inner) for inner in _inner_jaxprs(e.params.values())) for e in jaxpr.eqns)


def _inner_jaxprs(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, (tuple, list)):
            yield from _inner_jaxprs(value)
        elif hasattr(value, "jaxpr"):
            yield value.jaxpr
        elif hasattr(value, "eqns"):
            yield value


def _compile(traced: Traced, shapes: Any, way: Way, kernel: bool) -> tuple[Made, bool]:
    """A program of flat arguments, and whether it can be kept."""
    from jax.extend.core import jaxpr_as_fun

    function, read = jaxpr_as_fun(traced.function), read_by(traced.function.jaxpr)
    # Most numbers of a scenario enter stacked only. Thousands of arguments that nothing reads would take the
    # compiler as long as all the rest.
    others = [np.broadcast_to(np.zeros((), kind), shape) for shape, kind in shapes]

    def flat(*leaves):
        whole = list(others)
        for k, leaf in zip(read, leaves, strict=True):
            whole[k] = leaf
        # One kernel gives a number of all its arguments behind its results: none of them is idle in it then.
        # An argument that the compiler finds idle, as behind a mask that is false throughout, ends the
        # process. The compiler looks for the place of each argument in the kernel, and has kept none for idle
        # ones.
        return (*function(*whole), *_of_all(leaves)) if kernel else tuple(function(*whole))

    options = known_options({**FOR_ALL, **dict(way.options), **(ONE_THREAD if kernel else {})})
    whole = jax.jit(as_one_kernel(flat) if kernel else flat, compiler_options=options)
    lowered = whole.lower(*(jax.ShapeDtypeStruct(*shapes[k]) for k in read))
    _without_places(lowered)
    _listen()
    _heard.hit = False
    compiled = lowered.compile()
    return Made(compiled, read, traced.tree, kernel), not _heard.hit


def _of_all(leaves: Sequence[Any]) -> list[Any]:
    """Something that follows from all of some arrays: the sum of their first numbers, and those without any
    as they are. All of them given back would take a call as long as a thousand steps."""
    firsts = [leaf.reshape(-1)[0].astype(float) for leaf in leaves if leaf.size]
    empty = [leaf for leaf in leaves if not leaf.size]
    return [sum(firsts[1:], firsts[0]), *empty] if firsts else empty


def _without_places(lowered: Any) -> None:
    """Leave out from which line of which source each operation came: a quarter of an entry, and of the time
    that reading it back takes."""
    with suppress(Exception):  # no interface of jaxlib's
        from jaxlib.mlir.passmanager import PassManager

        module = lowered.compiler_ir()
        with module.context:
            PassManager.parse("builtin.module(strip-debuginfo)").run(module.operation)


def read_by(jaxpr: Any) -> tuple[int, ...]:
    """Return the indices of the arguments of a jaxpr that its equations or results use."""
    used = {id(value) for equation in jaxpr.eqns for value in equation.invars}
    used |= {id(value) for value in jaxpr.outvars}
    return tuple(k for k, value in enumerate(jaxpr.invars) if id(value) in used)


def as_one_kernel(function):
    """Return a function that the CPU compiler compiles as one kernel, including its loops.

    The function must not call libraries. In one kernel, operations on small arrays are as fast as arithmetic;
    see docs/decisions/0002-one-kernel.md.
    """
    from jax.experimental.xla_metadata import set_xla_metadata

    def without_mark(*args):
        # The mark is for the whole; small functions inside it must not carry one of their own.
        with set_xla_metadata(xla_cpu_small_call=None, inlineable=None):
            return function(*args)

    inner = jax.jit(without_mark)

    def whole(*args):
        with set_xla_metadata(xla_cpu_small_call="true", inlineable="false"):
            return inner(*args)

    return whole


def known_options(options: dict[str, Any]) -> dict[str, Any]:
    """Return the compiler options that the installed compiler supports.

    Options that the user sets in the environment variable XLA_FLAGS are omitted.
    """
    if not on_cpu():
        return {}
    own = {flag.lstrip("-").partition("=")[0] for flag in os.environ.get("XLA_FLAGS", "").split()}
    options = {name: value for name, value in options.items() if name not in own}
    if _knows(tuple(options.items())):
        return options
    return {name: value for name, value in options.items() if _knows(((name, value),))}


@cache
def _knows(options: tuple[tuple[str, Any], ...]) -> bool:
    """Whether the compiler takes these options, by having it compile next to nothing."""
    try:
        jax.jit(lambda x: x + 1.0, compiler_options=dict(options)).lower(0.0).compile()
    except Exception:  # noqa: BLE001 - it reports this in several ways, and no way is promised
        return False
    return True


# --- keeping


class _Heard(threading.local):
    """`hit`: whether the last program that this thread compiled came out of JAX's own cache. Such a program
    cannot be written again (jaxlib 0.10: the program read back lacks its functions)."""

    hit = False


_heard = _Heard()


@cache
def _listen() -> None:
    def heard(event: str, **_: Any) -> None:
        if event == "/jax/compilation_cache/cache_hits":
            _heard.hit = True

    jax.monitoring.register_event_listener(heard)
