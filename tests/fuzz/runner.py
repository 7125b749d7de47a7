"""Runs commands of `interstage`, each in a process of its own, and finds what is wrong with their ends.

The processes are forked from one that has imported the command line, so that a case takes a few hundredths
of a second and not the time of the imports. JAX's runtime starts in the forked process only."""

from __future__ import annotations

import contextlib
import faulthandler
import importlib
import itertools
import os
import pkgutil
import re
import resource
import select
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import numpy as np

Command = Path | list[str]

CASES, QUICK, LIMIT = 300, 12, 20.0
"""Defaults of a module: cases of `make fuzz`, cases of the normal tests, time limit of a case [s]."""
MEMORY = 12 * 2**30
"""Address space of a case [bytes]. XLA reserves some GiB of it without using them."""
MOST_OUTPUT = 2**20
"""Bytes of output that are kept of a case."""
CODES = (0, 1, 2, 3, 4)
BAD_INPUT = 2
TRACES = re.compile(r"Traceback \(most recent call last\)|Fatal Python error|\w+Warning: |Segmentation fault")


@dataclass(frozen=True)
class Outcome:
    """How a command ended: its exit code, or minus the number of the signal; none where it took too long."""

    code: int | None
    output: str
    errors: str
    seconds: float

    @property
    def fault(self) -> str:
        """What is wrong with this end; empty where nothing is."""
        found = TRACES.search(self.errors) or TRACES.search(self.output)
        if self.code is None:
            return f"no end within {self.seconds:.0f} s"
        if self.code < 0:
            return f"ended by {signal.Signals(-self.code).name}"
        if found:
            last = self.errors.strip().splitlines()[-1:] or [""]
            return f"{found[0].strip(': ')}: {last[0][:300]}"
        if self.code not in CODES:
            return f"exit code {self.code}"
        if self.code == BAD_INPUT and not self.errors.strip():
            return "exit code 2 without a message"
        return ""


def modules(only: Iterable[str] = ()) -> dict[str, ModuleType]:
    """The modules of this package that have cases, by name, or those that are named."""
    import fuzz

    names = sorted(entry.name for entry in pkgutil.iter_modules(fuzz.__path__) if entry.name[0] != "_")
    found = {name: importlib.import_module(f"fuzz.{name}") for name in names if not only or name in {*only}}
    return {name: module for name, module in found.items() if hasattr(module, "cases")}


def drawn(name: str, module: Any, folder: Path, count: int, seed: int) -> Iterator[tuple[str, list[str]]]:
    """The first cases of a module, as arguments of the command."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng([seed, *name.encode()])
    for label, command in itertools.islice(module.cases(rng, folder), count):
        yield label, arguments(command)


def arguments(command: Command) -> list[str]:
    """The arguments of a case."""
    if not isinstance(command, Path):
        return [str(argument) for argument in command]
    if command.suffix == ".nc":
        return ["report", str(command), "-o", str(command.with_suffix(".html"))]
    return ["check", str(command)]


def preload() -> None:
    """Import what most commands import, so that the forked processes have it."""
    from interstage.tree.packages import catalogue

    catalogue()
    names = ("cli.main", "reading", "diagnosis.plausibility", "record.results", "studies.study_file")
    for name in names:
        importlib.import_module(f"interstage.{name}")


def run(command: list[str], limit: float = LIMIT) -> Outcome:
    """Run a command of `interstage` in a forked process."""
    sys.stdout.flush()
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        began = time.monotonic()
        process = os.fork()
        if process == 0:
            _become(command, output.fileno(), errors.fileno())
        code = _end(process, began + limit)
        taken = time.monotonic() - began
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read(MOST_OUTPUT).decode("utf-8", "replace"))
    return Outcome(code, texts[0], texts[1], taken)


def _end(process: int, until: float) -> int | None:
    """The exit code of a process, which is killed with its children at a time; none then."""
    handle = os.pidfd_open(process)
    try:
        ready = select.select([handle], [], [], max(0.0, until - time.monotonic()))[0]
    finally:
        os.close(handle)
    if not ready:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)
        os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    return os.waitstatus_to_exitcode(status) if ready else None


def _become(command: list[str], output: int, errors: int) -> NoReturn:
    """Be the command, in a forked process; there is no way back."""
    code = 70
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDONLY)
        for source, target in ((nothing, 0), (output, 1), (errors, 2)):
            os.dup2(source, target)
        # pytest replaces these while it captures output
        sys.stdin, sys.stdout, sys.stderr = (
            open(number, mode, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
            for number, mode in ((0, "r"), (1, "w"), (2, "w"))
        )
        warnings.showwarning = _show_warning
        faulthandler.enable(file=2)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        sys.argv = ["interstage", *command]
        code = _command_line()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _show_warning(message: Any, category: Any, file: Any, line: Any, *_: Any) -> None:
    sys.stderr.write(f"{file}:{line}: {category.__name__}: {message}\n")


def _command_line() -> int:
    """The exit code of the command line, with the traceback of what it raises."""
    import traceback

    from interstage.cli.main import main

    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - this is what is looked for
        traceback.print_exc()
        return 1
    return 0
