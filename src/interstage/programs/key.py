"""Compute the keys of compiled programs in the store, without tracing the programs.

A key depends on the description of the reduced scenario (`form.description`), the compiler options, and the
shapes and types of the arguments. The key also depends on package versions, source files, the processor and
settings of JAX.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..maths.arrays import jax
from . import store


def key(name: str, about: str, way: str, tree: str, shapes: str) -> str:
    """Return the key of a compiled program.

    - name: name of the program.
    - about: description of the reduced scenario (`form.description`).
    - way: compiler options.
    - tree, shapes: structure and shapes of the arguments."""
    parts = (name, about, way, tree, shapes, _compiler())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def flight_key(about: str, arrays: list[Any]) -> str:
    """Return a key that identifies one flight: a hash of the program description and all input arrays.

    about: description of the reduced scenario. The function does not need JAX.
    """
    whole = hashlib.sha256("\0".join((about, np.__version__, _processor(), sources(HOME))).encode())
    for array in map(np.asarray, arrays):
        whole.update(f"{array.dtype}{array.shape}".encode() + array.tobytes())
    return whole.hexdigest()


@cache
def _compiler() -> str:
    """All other inputs that may change the result of the compiler, or whether the result runs on this
    machine: versions, sources, processor and settings."""
    from jaxlib.version import __version__ as jaxlib_version

    settings: Any = jax.config
    device = jax.devices()[0]
    parts = (
        *("jax " + jax.__version__, "jaxlib " + jaxlib_version, "numpy " + np.__version__),
        *(sys.version, platform.platform(), platform.machine()),
        *(
            jax.default_backend(),
            device.device_kind,
            str(len(jax.devices())),
            str(device.client.platform_version),
        ),
        *(_processor(), sources(HOME)),
        *(f"{name}={getattr(settings, name, None)}" for name in SETTINGS),
        *(f"{name}={os.environ.get(name)}" for name in ("XLA_FLAGS", "LIBTPU_INIT_ARGS")),
    )
    return "\n".join(parts)


HOME = Path(__file__).parents[1]
LEFT_OUT = ("__pycache__", "_validation")
"""Names of folders whose files do not affect the programs."""
SETTLED = 10.0
"""Age of the last file change [s] above which the checksum of the files is recorded.

A change soon after another change may leave the time stamp of a file unchanged.
"""

SETTINGS = (
    *(
        "jax_enable_x64",
        "jax_default_matmul_precision",
        "jax_numpy_dtype_promotion",
        "jax_numpy_rank_promotion",
    ),
    *(
        "jax_debug_nans",
        "jax_debug_infs",
        "jax_disable_jit",
        "jax_default_prng_impl",
        "jax_threefry_partitionable",
    ),
)
"""Names of the JAX settings that affect the programs."""


def _processor() -> str:
    """Instruction sets of the processor. A program for a processor with more instruction sets would end the
    process on this machine."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor()
    wanted = ("flags", "features", "model name")
    return "\n".join(dict.fromkeys(line for line in lines if line.lower().startswith(wanted)))


def sources(home: Path) -> str:
    """Return a checksum of the source files of a package.

    home: folder of the package. The files are read only if names, sizes or time stamps have changed.
    """
    files = sorted(_files(str(home)))
    state = hashlib.sha256(repr((sys.platform, files)).encode()).hexdigest()
    found = store.noted_checksum(state)
    if found is None:
        whole = hashlib.sha256()
        for path, *_ in files:
            whole.update(Path(path).relative_to(home).as_posix().encode() + b"\0")
            whole.update(hashlib.sha256(Path(path).read_bytes()).digest())
        found = whole.hexdigest()
        latest = max((max(changed, written) for _, _, _, changed, written in files), default=0) / 1e9
        if time.time() - latest > SETTLED:
            store.see(state, found)
    return found


def _files(folder: str) -> Iterator[tuple[str, int, int, int, int]]:
    """The files in a folder and those within: each with the values that show a change, its number, size and
    when it was changed and written [ns]."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name not in LEFT_OUT:
                    yield from _files(entry.path)
            elif entry.is_file():
                state = entry.stat()
                yield entry.path, state.st_ino, state.st_size, state.st_ctime_ns, state.st_mtime_ns
