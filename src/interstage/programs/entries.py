"""Entries of the store: compiled programs as bytes, and their reading.

An entry is the output of `jax.experimental.serialize_executable`, on a CPU without text (`code_only`), with
all data for a call. See docs/decisions/0015-the-store.md."""

from __future__ import annotations

import io
import pickle
import time
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np

from ..maths.arrays import jax
from . import code_only, store

LIBRARY_CALL = "custom_call_target"
"""Text in a compiled program that calls a library such as LAPACK."""
LONG = 0.5
"""Duration of a call [s] above which the check of a stored program is omitted."""


def on_cpu() -> bool:
    return jax.default_backend() == "cpu"


class Made(NamedTuple):
    """Program that can be called with flat arguments.

    - compiled: function of the used arguments; the first of its flat results are the results of the program.
    - read: indices of the used arguments.
    - tree: structure of the results.
    - kernel: true for one kernel."""

    compiled: Any
    read: tuple[int, ...]
    tree: Any
    kernel: bool

    def call(self, leaves: Sequence[Any]) -> list[Any]:
        """Return the flat results for all flat arguments."""
        return self.compiled(*[leaves[k] for k in self.read])[: self.tree.num_leaves]


class _Kept(NamedTuple):
    """What an entry holds. payload: the program as JAX writes it down; read, tree, kernel: of `Made`;
    results: how many it gives; calls: whether it calls a library."""

    payload: bytes
    read: tuple[int, ...]
    tree: Any
    results: int
    kernel: bool
    calls: bool

    def load(self) -> Made:
        """The program read back."""
        from jax.experimental.serialize_executable import deserialize_and_load

        if self.calls:
            _with_linear_algebra()
        ins, outs = jax.tree.structure(((0,) * len(self.read), {})), jax.tree.structure((0,) * self.results)
        compiled = deserialize_and_load(self.payload, ins, outs)
        return Made(compiled, self.read, jax.tree.structure(self.tree), self.kernel)


class Called(NamedTuple):
    """One call of a program: flat arguments, flat results, duration [s]."""

    leaves: list[Any]
    results: list[Any]
    seconds: float


def call_once(made: Made, leaves: list[Any]) -> Called:
    clock = time.perf_counter()
    results = jax.block_until_ready(made.call(leaves))
    return Called(leaves, results, time.perf_counter() - clock)


def entry(made: Made, once: Called) -> bytes | None:
    """Return the stored entry of a compiled program that was called once; None if it cannot be stored."""
    from jax.experimental.serialize_executable import serialize

    try:
        payload, _, out = serialize(made.compiled)
        tree = jax.tree.unflatten(made.tree, range(made.tree.num_leaves))
        calls = LIBRARY_CALL in made.compiled.as_text()
        kept = _Kept(payload, made.read, tree, out.num_leaves, made.kernel, calls)
        return pickle.dumps(tuple(_without_text(kept, made.compiled, once) or kept))
    except Exception:  # noqa: BLE001 - what cannot be kept is compiled again, whatever the reason
        return None


def _without_text(kept: _Kept, compiled: Any, once: Called) -> _Kept | None:
    """The same without the compiler's text of the program, if the program read back was seen to give the same
    bits."""
    if not (on_cpu() and version("jaxlib").startswith(code_only.TRIED) and once.seconds < LONG):
        return None
    try:
        short = kept._replace(payload=_code(compiled))
        again = short.load().call(once.leaves)
    except Exception:  # noqa: BLE001 - no interface of JAX's: with its text then
        return None
    same = all(_bits(one) == _bits(other) for one, other in zip(again, once.results, strict=True))
    return short if same else None


def _code(compiled: Any) -> bytes:
    """A compiled program as `serialize` writes it down, without its text."""
    from jax.experimental import serialize_executable

    class Pickler(serialize_executable._JaxPjrtPickler):  # pyright: ignore
        def persistent_id(self, obj: Any) -> Any:
            found = super().persistent_id(obj)
            return ("exec", code_only.without_text(found[1])) if found and found[0] == "exec" else found

    file = io.BytesIO()
    arguments = jax.tree.leaves(compiled.args_info)
    Pickler(file).dump((compiled._executable._unloaded_executable, arguments, compiled._no_kwargs))
    return file.getvalue()


def _bits(array: Any) -> tuple[Any, ...]:
    array = np.asarray(array)
    return array.shape, array.dtype, array.tobytes()


def load_program(key: str) -> Made | None:
    """Return the program stored under a key; None if there is no valid program."""
    body = store.read(key)
    if body is None:
        return None
    try:
        return _Kept(*pickle.loads(body)).load()
    except Exception:  # noqa: BLE001 - what cannot be had is compiled, whatever the reason
        return None


@cache
def _with_linear_algebra() -> None:
    """Have jaxlib find its LAPACK: a program read back that calls it ends the process otherwise (jax#28908);
    the compiler, which was not called here, does it as it meets such a call. It imports scipy.linalg, a fifth
    of a second."""
    if not on_cpu():
        return
    try:
        from jaxlib.cpu import _lapack

        _lapack.initialize()
    except Exception:  # noqa: BLE001 - no interface of jaxlib's; one decomposition does the same
        jax.block_until_ready(jax.numpy.linalg.cholesky(jax.numpy.eye(2)))
