"""Compile programs in parallel processes, which put their results into the store.

Tracing and lowering hold the global interpreter lock of Python. Threads therefore share one core for half of
the time, but processes do not. A process needs one or two seconds for its imports.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from queue import SimpleQueue
from struct import Struct
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ..maths.arrays import jax
from ..maths.jax_import import import_jax
from . import store
from .entries import on_cpu
from .program import Program, program_for

COMMAND = "from interstage.programs.workers import serve; serve()"
LENGTH = Struct("<Q")
LOOK = 0.5
"""Time [s] after which a process checks again whether its parent process still exists."""
DONE, FAILED = b"+", b"-"


class Job(NamedTuple):
    """Program that a worker process compiles, with its arguments.

    - scenario, `lanes`, recorded, capacity: arguments of `program_for`.
    - steps: expected number of integration steps.
    - arguments: reference, time and cursor of a flight that has ended, so that the call computes no
      step.
    """

    scenario: Any
    lanes: tuple[int, ...]
    recorded: str
    capacity: int
    steps: float
    arguments: tuple[Any, ...]

    def make(self) -> None:
        """Compile the program in this process, or read it from the store if it is stored."""
        program = program_for(self.scenario, self.lanes, self.recorded, self.capacity)
        program.advance_for(self.steps)(self.scenario, *self.arguments)


def job(program: Program, scenario: Any, steps: float, *arguments: Any) -> Job:
    """Return a job that compiles a program in a worker process.

    steps: expected number of integration steps. arguments: see `Job`.
    """
    here = jax.tree.map(np.asarray, arguments)
    return Job(scenario, program.lanes, program.recorded, program.capacity, steps, here)


def of_use() -> bool:
    """Return whether compiling in other processes is useful.

    Compiling in other processes is useful on a CPU, if the store is enabled and the compilation cache of JAX
    is disabled.
    """
    settings: Any = jax.config
    kept = store.limit() > 0 and not settings.jax_compilation_cache_dir
    return bool(on_cpu() and kept and sys.executable)


def of_use_early() -> bool:
    """Return whether compiling in other processes is useful. JAX is not imported for the answer.

    Without JAX, the answer is false if JAX may find a GPU or if the compilation cache of JAX is set.
    """
    if "jax" in sys.modules:
        return of_use() and store.is_writable()
    other_cache = os.environ.get("JAX_COMPILATION_CACHE_DIR")
    return bool(sys.executable and not other_cache and _only_cpu() and store.is_writable())


def _only_cpu() -> bool:
    """Whether JAX, which is not yet imported, can use nothing but the processor."""
    platforms = os.environ.get("JAX_PLATFORMS")
    return platforms == "cpu" if platforms else not any(map(find_spec, ("jax_plugins", "libtpu")))


class Workers:
    """Worker processes for compilations. Each process starts when it is first needed.

    most: maximum number of processes.
    """

    def __init__(self, most: int):
        self._idle: SimpleQueue[subprocess.Popen[bytes] | None] = SimpleQueue()
        self._begun: list[subprocess.Popen[bytes]] = []
        self._closed = False
        for _ in range(most):
            self._idle.put(None)

    def make(self, wanted: Job) -> bool:
        """Compile a program in a worker process, wait for it, and return whether it was compiled.

        A program that needs a class from a script is not compiled, because another process does not know this
        class.

        wanted: program to compile, with its arguments.
        """
        try:
            text = pickle.dumps(wanted)
        except Exception:  # noqa: BLE001 - what a user's class does when it is written down is not known
            return False
        process = self._idle.get()
        made = False
        with suppress(OSError, ValueError):  # gone, or never begun
            process = process or self._begin()
            made = _ask(process, text)
        self._idle.put(process)
        return made

    def prepare(self) -> None:
        """Start a worker process now, so that its imports end sooner. No call of `make` may be active."""
        process = self._idle.get()
        with suppress(OSError):
            process = process or self._begin()
        self._idle.put(process)

    def close(self) -> None:
        """Stop all worker processes immediately. A waiting call of `make` then returns false."""
        self._closed = True
        for process in self._begun:
            process.kill()
            process.wait()
            store.remove_drafts(process.pid)

    @property
    def is_closed(self) -> bool:
        """Return whether the worker processes have been stopped with `close`."""
        return self._closed

    def _begin(self) -> subprocess.Popen[bytes]:
        if self._closed:
            raise OSError
        process = begin_process(COMMAND)
        self._begun.append(process)
        if self._closed:
            process.kill()
        return process


def begin_process(command: str, more: Mapping[str, str] = MappingProxyType({})) -> subprocess.Popen[bytes]:
    """Start a Python process that executes `command`, and return it. The input and output of the process are
    pipes.

    more: additional environment variables. The process imports modules from the same folders as this process.
    It uses no GPU, except if `more` contains JAX_PLATFORMS.
    """
    path = os.pathsep.join(filter(None, sys.path))
    own = {"PYTHONPATH": path, "PYTHONSAFEPATH": "1", "JAX_PLATFORMS": "cpu"}
    return subprocess.Popen(
        [sys.executable, "-c", command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **own, **more},
        start_new_session=True,  # Ctrl-C is for this process, which ends the others
    )


def _ask(process: subprocess.Popen[bytes], text: bytes) -> bool:
    """Send a job to a process, and wait for its answer."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(LENGTH.pack(len(text)) + text)
    process.stdin.flush()
    return process.stdout.read(1) == DONE


def end_with(parent: int) -> None:
    """Wait until the parent process ends, and then end this process.

    parent: id of the parent process.
    """
    while os.getppid() == parent:
        time.sleep(LOOK)
    os._exit(1)


def serve() -> None:
    """Compile the programs that are requested on the standard input, until the input is closed."""
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    asked, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb", 0)
    os.dup2(2, 1)  # other printed text is not an answer
    import_jax("jax")
    while len(head := asked.read(LENGTH.size)) == LENGTH.size:
        text = asked.read(*LENGTH.unpack(head))
        try:
            pickle.loads(text).make()
            answers.write(DONE)
        except Exception:  # noqa: BLE001 - the caller compiles it then, and reports the fault
            answers.write(FAILED)
