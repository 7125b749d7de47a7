"""The key under which a compiled program is kept; it is found without tracing anything.

It is made of what the program does and is about (`form.described`), how it is compiled, the shapes and types
of its arguments, and all that may change what comes out of the compiler: versions, sources, processor and
settings."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..maths.arrays import jax


def key(name: str, about: str, way: str, tree: str, shapes: str) -> str:
    """The key of a program by its name, form, way of being compiled, and the tree and shapes of its
    arguments."""
    parts = (name, about, way, tree, shapes, _compiler())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@cache
def _compiler() -> str:
    """Whatever else may change what comes out of the compiler, or whether it runs here: versions, sources,
    processor and settings."""
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
        *(_processor(), _sources()),
        *(f"{name}={getattr(settings, name, None)}" for name in SETTINGS),
        *(f"{name}={os.environ.get(name)}" for name in ("XLA_FLAGS", "LIBTPU_INIT_ARGS")),
    )
    return "\n".join(parts)


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
"""Settings of JAX that change what is traced."""


def _processor() -> str:
    """What the processor can do: a program for one with more would end a process on this one."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor()
    wanted = ("flags", "features", "model name")
    return "\n".join(dict.fromkeys(line for line in lines if line.lower().startswith(wanted)))


def _sources() -> str:
    """A checksum of the files of this package."""
    home = Path(__file__).parents[1]
    whole = hashlib.sha256()
    for path in sorted(home.rglob("*")):
        if path.is_file() and not {"__pycache__", "_validation"} & {*path.parts}:
            whole.update(str(path.relative_to(home)).encode() + b"\0")
            whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()
