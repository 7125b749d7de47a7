"""Run the cases of a campaign in several new processes, which write result files to its folder.

A process receives one range of cases after the other. The process writes a result file for each range, or
returns the results. If a process ends unexpectedly, another process runs the range again. A process that
exceeds the time limit is killed.
"""

from __future__ import annotations

import math
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

from ...programs.compiled import Wait, listening, report_wait
from ...programs.workers import LENGTH, begin_process, end_with
from ...tree.errors import BadInput, InterstageError
from .chunk_file import Stamp, write
from .columns import Columns
from .flight import CaseFlights
from .folder import Range
from .time_limit import LimitedFlights, Notice, TimeLimit, TookTooLong, after, cases_text, duration

COMMAND = "from interstage.studies.campaign.processes import serve; serve()"
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
TRIES = 3
"""Number of processes that may end unexpectedly while they run the same chunk. If more processes end, the
campaign stops."""


class Task(NamedTuple):
    """Data that a process needs to run ranges of cases.

    - flights: object that runs the cases.
    - folder: folder for the result files.
    - stamp: identity of the campaign.
    """

    flights: CaseFlights
    folder: Path
    stamp: Stamp

    def write(self, columns: Columns) -> Path:
        """Write the results of a range of cases to a file and return the path of the file."""
        return write(self.folder, columns, self.stamp)

    def answer(self, request: Request) -> Columns | str:
        """Run a range of cases. Write a result file and return its name, or return the results."""
        columns = self.flights.fly(*request.cases, 1)
        return self.write(columns).name if request.write else columns


class Request(NamedTuple):
    """Request to run a range of cases, for a process.

    write: whether the process writes a result file. If `write` is false, the process returns the results.
    """

    cases: Range
    write: bool = True

    @property
    def name(self) -> str:
        """Return a text such as "The cases 0 to 127" for messages."""
        return cases_text(self.cases)


class Answer(NamedTuple):
    """Answer of a process to a request.

    - error: error that the request caused, or None.
    - found: result of the request.
    """

    error: InterstageError | None
    found: Any = None


class _Place:
    """Place of a process. environment: additional environment variables of the process."""

    def __init__(self, environment: Mapping[str, str]):
        self.environment = environment
        self.process: subprocess.Popen[bytes] | None = None


class ProcessEnded(InterstageError):
    """Error: a process ended unexpectedly while it ran a range of cases."""


class Processes:
    """Group of processes for one task. Each process starts when it is first needed.

    - task: a `Task`, or another object that can be pickled and has a method answer(request).
    - count: number of processes.
    - environments: additional environment variables of each process. Default: none.
    """

    def __init__(self, task: Any, count: int, environments: Sequence[Mapping[str, str]] = ()):
        self._task = pickle.dumps(task)
        self._idle: SimpleQueue[_Place] = SimpleQueue()
        self._begun: list[subprocess.Popen[bytes]] = []
        self._closed = False
        self.count = count
        for own in environments or [{}] * count:
            self._idle.put(_Place(own))

    def fly(self, cases: Range, write: bool = True, limit: float = math.inf) -> Any:
        """Run a range of cases in a process, and return the name of the result file or the results.

        - write: whether the process writes a result file.
        - limit: time limit [s].

        See `Task.answer`. Raises the same errors as `ask`.
        """
        return self.ask(Request(cases, write), limit)

    def ask(self, request: Any, limit: float = math.inf) -> Any:
        """Send a request to a process and return the result. limit: time limit [s], after which the process
        is killed.

        Raises the error of the process, `ProcessEnded` or `TookTooLong`.
        """
        ends = []
        for _ in range(TRIES):
            place, late = self._idle.get(), threading.Event()
            try:
                place.process = process = place.process or self._begin(place.environment)
                with after(limit, partial(_end_late, process, late)):
                    answer = _ask(process, pickle.dumps(request))
            except (OSError, EOFError):
                ends.append(self._end_of(place.process))
                place.process = None
                self._idle.put(place)
                if late.is_set():
                    raise TookTooLong(f"{request.name} took longer than {duration(limit)}") from None
                if self._closed:
                    break
                continue
            place.process = None if late.is_set() else process
            self._idle.put(place)
            if answer.error is not None:
                raise answer.error
            return answer.found
        name = f"{request.name[0].lower()}{request.name[1:]}"
        text = f"Processes ended while they flew {name}: {'; '.join(ends)}"
        raise ProcessEnded(
            f"{text}. Finished chunks of cases are saved. Use fewer processes (--jobs), or a smaller chunk"
        )

    def _end_of(self, process: subprocess.Popen[bytes] | None) -> str:
        if process is None:
            return "the process did not start"
        process.kill()
        code = process.wait()
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    def _begin(self, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
        if self._closed:
            raise OSError
        process = begin_process(COMMAND, dict.fromkeys(ONE_THREAD, "1") | dict(environment))
        self._begun.append(process)
        if self._closed:
            process.kill()
        _ask(process, self._task)  # its imports do not count in the limit of a request
        return process

    def close(self) -> None:
        """Kill all processes."""
        self._closed = True
        for process in self._begun:
            process.kill()
            process.wait()


def fly_all(
    task: Task,
    ranges: Sequence[Range],
    environments: Sequence[Mapping[str, str]],
    finished: Callable[[Range, str], None],
    limit: TimeLimit,
    notice: Notice,
    first_alone: bool = False,
) -> None:
    """Run ranges of cases in other processes.

    - environments: additional environment variables of each process.
    - finished: function that is called in this thread after each finished range, with the name of its file.
    - limit: time limit of a chunk.
    - notice: function that prints a notice for the user.
    - first_alone: whether the first range is finished before the following ranges start, so that its compiled
      programs are stored.

    An error or an interrupt ends all processes. Results of finished chunks remain in the folder. Raises the
    errors of the processes.
    """
    processes = Processes(task, len(environments), environments)
    flights = LimitedFlights(processes.fly, task, limit, notice)
    pool = ThreadPoolExecutor(len(environments))
    try:
        alone = 1 if first_alone else 0
        for some in (ranges[:alone], ranges[alone:]):
            waiting: dict[Future[str], Range] = {pool.submit(flights.fly, cases): cases for cases in some}
            while waiting:
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    file = future.result()
                    finished(waiting.pop(future), file)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        processes.close()
        pool.shutdown()


def _end_late(process: subprocess.Popen[bytes], late: threading.Event) -> None:
    late.set()
    process.kill()


def _send(process: subprocess.Popen[bytes], text: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(LENGTH.pack(len(text)) + text)
    process.stdin.flush()


def _ask(process: subprocess.Popen[bytes], text: bytes) -> Answer:
    """Send a range to a process, and wait for its answer. Meanwhile, report its compilations to the listeners
    of this process. Raises EOFError if the process ended."""
    assert process.stdout is not None
    _send(process, text)
    waits: dict[str, Wait] = {}
    try:
        while (found := _receive(process.stdout)) is not None:
            answer = pickle.loads(found)
            if not isinstance(answer, Wait):
                return answer
            waits[answer.name] = answer
            report_wait(answer)
        raise EOFError
    finally:
        for wait in waits.values():
            if not wait.over:  # the process ended before the compilation
                report_wait(wait._replace(over=True))


def _receive(stream: Any) -> bytes | None:
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (size,) = LENGTH.unpack(head)
    body = stream.read(size)
    return body if len(body) == size else None


def serve() -> None:
    """Answer requests from standard input in a new process until the input ends."""
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    asked, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb", 0)
    os.dup2(2, 1)  # other printed text is not an answer
    first = _receive(asked)
    if first is None:
        return
    task: Any = pickle.loads(first)
    one_at_a_time = threading.Lock()  # several threads can compile

    def heard(wait: Wait) -> None:
        with one_at_a_time:
            _write(answers, wait)

    _write(answers, Answer(None))
    with listening(heard):
        while (text := _receive(asked)) is not None:
            _write(answers, _answer(task, pickle.loads(text)))


def _write(answers: Any, answer: Answer | Wait) -> None:
    text = pickle.dumps(answer)
    answers.write(LENGTH.pack(len(text)) + text)


def _answer(task: Any, request: Any) -> Answer:
    try:
        return Answer(None, task.answer(request))
    except BadInput as error:
        return Answer(error)
    except Exception as error:  # noqa: BLE001 - reported by the first process
        return Answer(InterstageError(f"{request.name} failed: {type(error).__name__}: {error}"))


def can_pickle(task: Any) -> bool:
    """Return whether a task can be sent to another process. Classes that a user script defines cannot be
    sent.
    """
    with suppress(Exception):
        pickle.loads(pickle.dumps(task))
        return True
    return False
