"""Whole processes: how long they take by the wall's clock and the processor's, and how much memory."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]


class Took(NamedTuple):
    """What a process took, those that it started included: wall and processor time [s], peak memory of the
    largest of them [bytes]; and what it printed."""

    wall: float
    cpu: float
    memory: int
    printed: str


DROPPED = {"JAX_COMPILATION_CACHE_DIR", "PYTHONDONTWRITEBYTECODE"}


@functools.cache
def bytecode() -> str:
    """The folder with the bytecode of all that processes import, kept as long as this process: users have it
    with their installed packages, where a checkout or an image may lack it."""
    folder = tempfile.mkdtemp(prefix="bytecode-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def environment(cache: str | Path) -> dict[str, str]:
    """Variables of a process that keeps compiled programs under `cache` and nowhere else, and bytecode."""
    kept = {name: value for name, value in os.environ.items() if name not in DROPPED}
    own = {"INTERSTAGE_CACHE_DIR": str(cache), "JAX_ENABLE_COMPILATION_CACHE": "false"}
    return kept | own | {"JAX_PLATFORMS": "cpu", "PYTHONPYCACHEPREFIX": bytecode()}


def call(*arguments: str, cache: str | Path, fine: tuple[int, ...] = (0,)) -> Took:
    """Run Python with `arguments`, compiled programs under `cache`. fine: exit codes that are no failure."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        begun = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, *arguments], env=environment(cache), stdout=out, stderr=errors, cwd=ROOT
        )
        code, cpu, memory = finished(process)
        wall = time.perf_counter() - begun
        if code not in fine:
            errors.seek(0)
            raise RuntimeError(f"python {' '.join(arguments)} ended with {code}: {errors.read()[-500:]}")
        out.seek(0)
        return Took(wall, cpu, memory, out.read())


def finished(process: subprocess.Popen) -> tuple[int, float, int]:
    """Wait for a process: its exit code, processor time [s] and peak memory [bytes]."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 if sys.platform == "darwin" else 1024
    return process.returncode, usage.ru_utime + usage.ru_stime, unit * usage.ru_maxrss
