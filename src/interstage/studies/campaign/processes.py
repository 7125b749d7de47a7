"""Fly a campaign in several new processes that write result files to its folder.

A process receives ranges of cases one after the other. The process writes one result file (chunk) for each
range and returns an error or None. If a process ends unexpectedly, another process flies the range again.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

from ...programs.workers import LENGTH, begin_process, end_with
from ...tree.errors import BadInput, InterstageError
from .chunk_file import Stamp, write
from .columns import Columns
from .flight import CaseFlights
from .folder import Range

COMMAND = "from interstage.studies.campaign.processes import serve; serve()"
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
TRIES = 3
"""Processes that may end unexpectedly while they fly one chunk, before the campaign ends."""


class Task(NamedTuple):
    """Data that a process needs to fly ranges of cases."""

    flights: CaseFlights
    folder: Path
    stamp: Stamp

    def fly(self, cases: Range, threads: int = 1) -> Path:
        """Fly a range of cases, write the result file and return its path."""
        return self.write(self.flights.fly(*cases, threads))

    def write(self, columns: Columns) -> Path:
        """Write the results of a range of cases to a file and return its path."""
        return write(self.folder, columns, self.stamp)


class Answer(NamedTuple):
    """Result of a range of cases in a process: the error, or None."""

    error: InterstageError | None


class ProcessEnded(InterstageError):
    """A process ended while it flew a range."""


class Processes:
    """Some processes for one task; each is begun when it is first needed."""

    def __init__(self, task: Task, count: int):
        self._task = pickle.dumps(task)
        self._idle: SimpleQueue[subprocess.Popen[bytes] | None] = SimpleQueue()
        self._begun: list[subprocess.Popen[bytes]] = []
        self._closed = False
        self.count = count
        for _ in range(count):
            self._idle.put(None)

    def fly(self, cases: Range) -> Range:
        """Fly a range of cases in a free process. Raises the error of the process, or `ProcessEnded`."""
        ends = []
        for _ in range(TRIES):
            process = self._idle.get()
            try:
                process = process or self._begin()
                answer = _ask(process, pickle.dumps(cases))
            except (OSError, EOFError):
                ends.append(self._end_of(process))
                self._idle.put(None)
                if self._closed:
                    break
                continue
            self._idle.put(process)
            if answer.error is not None:
                raise answer.error
            return cases
        text = (
            f"Processes ended while they flew the cases {cases.first} to {cases.last - 1}: {'; '.join(ends)}"
        )
        raise ProcessEnded(
            f"{text}. Finished chunks of cases are saved. Use fewer processes (--jobs), or a smaller chunk"
        )

    def _end_of(self, process: subprocess.Popen[bytes] | None) -> str:
        if process is None:
            return "the process did not start"
        process.kill()
        code = process.wait()
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    def _begin(self) -> subprocess.Popen[bytes]:
        if self._closed:
            raise OSError
        process = begin_process(COMMAND, dict.fromkeys(ONE_THREAD, "1"))
        self._begun.append(process)
        if self._closed:
            process.kill()
        _send(process, self._task)
        return process

    def close(self) -> None:
        """Kill all processes."""
        self._closed = True
        for process in self._begun:
            process.kill()
            process.wait()


def fly_all(task: Task, ranges: Sequence[Range], jobs: int, finished: Callable[[Range], None]) -> None:
    """Fly ranges of cases in `jobs` processes.

    finished: function that is called in this thread after each range. An error or an interrupt ends all
    processes; complete result files are kept. Raises the error of a process.
    """
    processes = Processes(task, jobs)
    pool = ThreadPoolExecutor(jobs)
    try:
        waiting: set[Future[Range]] = {pool.submit(processes.fly, cases) for cases in ranges}
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                finished(future.result())
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        processes.close()
        pool.shutdown()


def _send(process: subprocess.Popen[bytes], text: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(LENGTH.pack(len(text)) + text)
    process.stdin.flush()


def _ask(process: subprocess.Popen[bytes], text: bytes) -> Answer:
    """Send a range to a process, and wait for its answer. Raises EOFError if the process ended."""
    assert process.stdout is not None
    _send(process, text)
    found = _receive(process.stdout)
    if found is None:
        raise EOFError
    return pickle.loads(found)


def _receive(stream: Any) -> bytes | None:
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (size,) = LENGTH.unpack(head)
    body = stream.read(size)
    return body if len(body) == size else None


def serve() -> None:
    """Fly the ranges that come on the standard input, until that ends."""
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    asked, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb", 0)
    os.dup2(2, 1)  # other printed text is not an answer
    first = _receive(asked)
    if first is None:
        return
    task: Task = pickle.loads(first)
    while (text := _receive(asked)) is not None:
        answer = pickle.dumps(_fly(task, pickle.loads(text)))
        answers.write(LENGTH.pack(len(answer)) + answer)


def _fly(task: Task, cases: Range) -> Answer:
    try:
        task.fly(cases)
    except BadInput as error:
        return Answer(error)
    except Exception as error:  # noqa: BLE001 - reported by the first process
        text = f"{type(error).__name__}: {error}"
        return Answer(InterstageError(f"The cases {cases.first} to {cases.last - 1} failed: {text}"))
    return Answer(None)


def can_pickle(task: Task) -> bool:
    """Return whether a task can be sent to another process. Classes of a user's script prevent this."""
    with suppress(Exception):
        pickle.loads(pickle.dumps(task))
        return True
    return False
