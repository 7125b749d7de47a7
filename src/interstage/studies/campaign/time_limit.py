"""Time limits of chunks. A chunk that takes much longer than expected is stopped, and its cases are run
again.

If a single case also exceeds the limit, the case has no values. The other cases of its chunk keep their
results.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

from ...tree.errors import BadInput, InterstageError, Problem
from ...tree.units import UnitError, parse_value
from .columns import Columns, join_parts
from .folder import Range

FIRST = 3600.0
"""Default time limit [s] before the first chunk is finished."""
LEAST = 600.0
"""Smallest default time limit [s]. This limit allows for the start of a process and for a compilation."""
TIMES = 20.0
"""Ratio of the default time limit to the time of the slowest finished chunk, for the same number of cases."""
PIECES = 8
"""Number of smaller ranges into which a chunk is divided if it exceeds the time limit."""

Notice = Callable[[str], None]


class TookTooLong(InterstageError):
    """Error: a range of cases exceeded its time limit."""


def seconds_of(limit: float | str | None) -> float | None:
    """Return a time limit in seconds, from a text such as "10 min" or a number [s]. "inf" means no limit.

    Return None if `limit` is None. Raises BadInput.
    """
    if limit is None or str(limit).strip() in ("inf", "inf s"):
        return None if limit is None else math.inf
    try:
        return parse_value(limit, "s", positive=True)
    except UnitError as error:
        text = f'{error}. Give a time, such as "10 min", or "inf" for no limit'
        raise BadInput(Problem("--chunk-timeout", text)) from None


def duration(seconds: float) -> str:
    """Return a time [s] as text with a suitable unit, such as "45 s", "10 min" or "2 h"."""
    for unit, size in (("h", 3600.0), ("min", 60.0)):
        if seconds >= size and seconds % size == 0:
            return f"{seconds / size:g} {unit}"
    return f"{seconds:.3g} s" if seconds < 60 else f"{seconds / 60:.3g} min"


def cases_text(cases: Range) -> str:
    """Return a text for a range of cases, such as "The cases 0 to 127"."""
    first, last = cases.first, cases.last - 1
    return f"The cases {first} to {last}" if last > first else f"Case {first}"


class TimeLimit:
    """Time limit for a range of cases.

    declared: limit [s] that the user set for any range. Without a declared limit, the limit is 20 times the
    time of the slowest finished chunk for the same number of cases, and at least 10 minutes. Before the first
    chunk is finished, the limit is one hour.
    """

    def __init__(self, declared: float | None = None):
        self.declared = declared
        self._slowest = 0.0

    def of(self, cases: Range) -> float:
        """Return the time limit [s] of a range of cases."""
        if self.declared is not None:
            return self.declared
        if not self._slowest:
            return FIRST
        return max(LEAST, TIMES * self._slowest * (cases.last - cases.first))

    def add(self, cases: Range, seconds: float) -> None:
        """Record the time [s] that a finished range of cases took."""
        self._slowest = max(self._slowest, seconds / (cases.last - cases.first))


@contextmanager
def after(seconds: float, action: Callable[[], None]) -> Iterator[None]:
    """Call a function in another thread if a with block takes longer than `seconds`."""
    if math.isinf(seconds):
        yield
        return
    timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), action)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def slow_report(cases: Range, limit: TimeLimit, notice: Notice) -> Iterator[None]:
    """Print a notice if a with block that runs a range of cases exceeds its time limit. The cases run in
    this process, so they cannot be stopped.
    """
    seconds = limit.of(cases)

    def report() -> None:
        notice(
            f"{cases_text(cases)} did not end within {duration(seconds)}. If a case hangs, press Ctrl-C and"
            " run the command with --jobs 1, which ends a hanging case and continues with the next case"
        )

    with after(seconds, report):
        clock = time.monotonic()
        yield
        limit.add(cases, time.monotonic() - clock)


class LimitedFlights:
    """Runs ranges of cases in other processes with a time limit.

    - fly: function (cases, write, seconds) that runs a range. The function returns the name of the result
      file, or the results; see `Processes.fly`.
    - task: task that writes result files.
    - limit: time limit of a range.
    - notice: function that prints a notice for the user.
    """

    def __init__(
        self,
        fly: Callable[[Range, bool, float], Any],
        task: Any,
        limit: TimeLimit,
        notice: Notice,
    ):
        self._fly, self._task, self._limit, self._notice = fly, task, limit, notice

    def fly(self, cases: Range) -> str:
        """Run a range of cases, write the result file, and return its name. If a single case exceeds the
        time limit, its result has no values.
        """
        seconds = self._limit.of(cases)
        clock = time.monotonic()
        try:
            file = self._fly(cases, True, seconds)
        except TookTooLong:
            text = f"{cases_text(cases)} took longer than {duration(seconds)}"
            self._notice(f"{text}. The process was ended; each case is flown again in a smaller range")
            pieces = self._pieces(cases, first=True)
            return self._task.write(join_parts(pieces, self._task.flights.names)).name
        self._limit.add(cases, time.monotonic() - clock)
        return file

    def _pieces(self, cases: Range, first: bool = False) -> list[Columns]:
        """Results of a range that took too long. Raises InterstageError if no piece of a chunk ended."""
        pieces = pieces_of(cases)
        flown = [(piece, self._limit.of(piece), self._columns(piece)) for piece in pieces]
        late = [(piece, seconds) for piece, seconds, columns in flown if columns is None]
        if first and len(late) == PIECES:
            text = (
                f"{cases_text(cases)} were flown in {PIECES} ranges, and each took longer than"
                f" {duration(late[0][1])}"
            )
            raise InterstageError(f"{text}. Finished chunks are kept. Set a longer --chunk-timeout")
        found = [columns for _, _, columns in flown if columns is not None]
        for piece, seconds in late:
            found += (
                [self._no_number(piece, seconds)] if piece.last - piece.first == 1 else self._pieces(piece)
            )
        return found

    def _columns(self, piece: Range) -> Columns | None:
        """Results of a range, or None if it took too long."""
        try:
            return self._fly(piece, False, self._limit.of(piece))
        except TookTooLong:
            return None

    def _no_number(self, piece: Range, seconds: float) -> Columns:
        reason = f"the flight did not end within {duration(seconds)}"
        self._notice(f"Case {piece.first}: {reason}, neither in its chunk nor alone. It has no number")
        return self._task.flights.without_number(piece.first, reason)


def pieces_of(cases: Range) -> list[Range]:
    """Divide a range of cases into at most eight ranges of nearly the same size."""
    size = cases.last - cases.first
    number = min(PIECES, size)
    ends = [cases.first + size * k // number for k in range(number + 1)]
    return [Range(*pair) for pair in pairwise(ends)]
