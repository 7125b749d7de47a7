"""Convert compiled programs to entries of the store, and load them from entries.

An entry is the output of `jax.experimental.serialize_executable`, with all data that a call needs. For a CPU,
the program is stored without its text (`code_only`). See docs/decisions/0015-the-store.md.
"""

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
"""Text that occurs in a compiled program if the program calls a library such as LAPACK."""
LONG = 0.5
"""If a call takes longer than this duration [s], the program is stored with its text.

To store it without the text, a further call would have to check that the results do not change.
"""


def on_cpu() -> bool:
    return jax.default_backend() == "cpu"


class Made(NamedTuple):
    """Compiled program that is called with a flat list of arguments.

    - compiled: function of the arguments that the program uses. The first results of the program with outputs
      are those of the program.
    - read: indices of the arguments that the program uses.
    - tree: structure of the results.
    - kernel: true if the program is one kernel.
    """

    compiled: Any
    read: tuple[int, ...]
    tree: Any
    kernel: bool

    def call(self, leaves: Sequence[Any]) -> list[Any]:
        """Call the program with all flat arguments, and return its flat results."""
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
    """One call of a program, with its flat arguments, its flat results and its duration [s]."""

    leaves: list[Any]
    results: list[Any]
    seconds: float


def call_once(made: Made, leaves: list[Any]) -> Called:
    clock = time.perf_counter()
    results = jax.block_until_ready(made.call(leaves))
    return Called(leaves, results, time.perf_counter() - clock)


def entry(made: Made, once: Called) -> bytes | None:
    """Return the bytes of the store entry for a compiled program; None if the program cannot be stored.

    once: one call of the program, with which the stored program is checked.
    """
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
    """Load the program that is stored under a key; return None if no valid program exists."""
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
