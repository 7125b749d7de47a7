"""Report the current task and its progress to waiting users.

On a terminal, a progress bar is shown. Without a terminal, a few lines per minute are written to the standard
error. Python programs receive the reports from the logger "interstage" at the level INFO.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from ..tree.errors import print_error

PATIENCE = 0.5
"""Waiting time [s] after which the first report is shown."""
BETWEEN = 10.0
"""Time between two lines [s] if the output is not a terminal."""
QUARTER, BETWEEN_QUARTERS = 0.25, 2.0
"""Fraction of the progress, and minimum time between two lines [s] when the progress passes a multiple of
this fraction.

At other times, the minimum time between two lines is `BETWEEN`.
"""
SHORT = 1.0
"""Compilation time [s] below which a compilation is not reported."""
QUIET_VARIABLE = "INTERSTAGE_QUIET"
"""Name of the environment variable that disables progress reports."""
OFTEN = 60.0
"""Time [s] above which durations are printed in minutes."""

Progress = Callable[[float, float | None], None]
"""Function that is called with the present progress and the expected final progress, which may be None."""

log = logging.getLogger("interstage")


class _Shown(Protocol):
    def update(self, done: float, end: float | None) -> None: ...
    def waiting(self, text: str, name: str, after: float = 0.0) -> None: ...
    def line(self, text: str) -> None: ...
    def start(self) -> None: ...
    def stop(self) -> None: ...


_active: list[_Shown] = []


@contextmanager
def doing(text: str) -> Iterator[None]:
    """Report a task to waiting users if it takes long, within a `with` block. text: description of the
    task.
    """
    name = f"{text} {threading.get_ident()}"
    for shown in list(_active):
        shown.waiting(text, name, PATIENCE)
    try:
        yield
    finally:
        for shown in list(_active):
            shown.waiting("", name)


def foretold(text: str) -> None:
    """Report upcoming work to waiting users, once. text: description of the work."""
    for shown in list(_active):
        shown.waiting(text, "to come")
        shown.waiting("", "to come")


def report_progress(done: float, end: float | None) -> None:
    """Report the progress to waiting users. The function may be called more often than a `Progress` function.

    done: present progress. end: expected final progress; None if it is unknown.
    """
    for shown in list(_active):
        shown.update(done, end)


def is_shown() -> bool:
    """Return whether reports of progress are shown to a user."""
    return bool(_active)


def report_line(text: str) -> None:
    """Report a line of text to waiting users. The line remains visible."""
    for shown in list(_active):
        shown.line(text)


def compiling(seconds: float | None, what: str = "") -> str:
    """Return the text that reports a compilation.

    seconds: expected duration [s]; None if it is unknown. what: purpose of the program; "" for none.
    """
    head = f"{what}: " if what else ""
    about = "" if seconds is None else f", about {lasting(seconds)}"
    return f"{head}compiling{about} (scenarios with the same structure reuse the program)"


def lasting(seconds: float) -> str:
    """Return a duration [s] as a rounded text, for example "8 s" or "2 min"."""
    return f"{max(round(seconds), 1)} s" if seconds < OFTEN else f"{round(seconds / 60.0)} min"


@contextmanager
def progress_display(
    title: str = "", unit: str = "s", lines: bool = False, estimated: bool = False
) -> Iterator[Progress | None]:
    """Print progress to the standard error. The context manager returns the function to call with the
    progress.

    - title: name of the flight, at the beginning of each report.
    - unit: unit of the progress. Default: "s".
    - lines: if true, lines are printed also on a terminal, instead of a progress bar.
    - estimated: whether the final progress is an estimate. Reports then contain the word "about".

    The result is None if the environment variable INTERSTAGE_QUIET is set.
    """
    if os.environ.get(QUIET_VARIABLE):
        yield None
        return
    head = f"{title}: " if title else ""
    bar = sys.stderr.isatty() and not lines
    with _driven((_Bar if bar else _Lines)(head, unit, estimated)) as update:
        yield update


@contextmanager
def progress_reports(
    progress: Progress | bool | None, unit: str = "s", estimated: bool = False
) -> Iterator[Progress | None]:
    """Return the progress function for the argument `progress` of a Python function, as a context manager.

    - A function is returned unchanged.
    - True: return the function of `progress_display`.
    - False: return None.
    - None: in an interactive session, the same as True. In a session that is not interactive, the reports go
      to the logger "interstage".

    - unit: unit of the progress. Default: "s".
    - estimated: see `progress_display`.
    """
    if progress is None and _somebody_looks():
        progress = True
    if progress is True:
        with progress_display(unit=unit, estimated=estimated) as update:
            yield update
    elif callable(progress):
        yield progress
    elif progress is False:
        yield None
    else:
        with _driven(_Logged(unit, estimated)) as update:
            yield update


def _somebody_looks() -> bool:
    return sys.stderr.isatty() and hasattr(sys, "ps1")


@contextmanager
def _driven(shown: _Shown) -> Iterator[Progress]:
    from .compiled import Wait, listening

    def heard(wait: Wait) -> None:
        if wait.over:
            shown.waiting("", wait.name)
        elif wait.name and (wait.seconds is None or wait.seconds >= SHORT):
            shown.waiting(compiling(wait.seconds, wait.what), wait.name)

    timer = threading.Timer(PATIENCE, shown.start)
    timer.daemon = True
    timer.start()
    _active.append(shown)
    try:
        with listening(heard):
            yield shown.update
    finally:
        _active.remove(shown)
        timer.cancel()
        shown.stop()


class _Rate:
    """Rate of a count, and the time that is left, from its first report on."""

    def __init__(self, estimated: bool) -> None:
        self._first: tuple[float, float] | None = None
        self.about = "about " if estimated else ""

    def text(self, done: float, end: float | None, unit: str) -> str:
        """ ", 85 cases/s, 2 min left" where a count has moved for some time, else ""."""
        now = time.monotonic()
        if self._first is None:
            self._first = done, now
        count, seconds = done - self._first[0], now - self._first[1]
        if unit == "s" or count <= 0 or seconds < SHORT or (end is not None and done >= end):
            return ""
        rate = f", {count / seconds:.3g} {unit}/s"
        return rate if end is None else f"{rate}, {self.about}{lasting((end - done) * seconds / count)} left"


def _far(done: float, end: float | None, unit: str, rate: _Rate) -> str:
    """The progress in words: "flight time 12 of 300 s", "3 of 40 cases, 2.1 cases/s, 18 s left"."""
    head = "flight time " if unit == "s" else ""
    if end is None:
        far = f"{head}{done:.6g} {unit}"
    else:
        end_text = f"about {float(f'{end:.2g}'):.6g}" if rate.about else f"{end:.6g}"
        far = f"{head}{done:.6g} of {end_text} {unit}"
    return far + rate.text(done, end, unit)


class _Lines:
    """Plain lines, a few of them: of compilations, and now and then of the progress."""

    def __init__(self, head: str, unit: str, estimated: bool = False) -> None:
        self._head, self._unit = head, unit
        self._rate = _Rate(estimated)
        self._lock = threading.Lock()
        self._last, self._next = time.monotonic(), QUARTER
        self._soon: dict[str, threading.Timer] = {}

    def start(self) -> None:
        pass

    def stop(self) -> None:
        """Cancel pending reports."""
        with self._lock:
            for timer in self._soon.values():
                timer.cancel()
            self._soon.clear()

    def waiting(self, text: str, name: str, after: float = 0.0) -> None:
        """Report the present task, if it is not over by a time [s] after."""
        with self._lock:
            if (timer := self._soon.pop(name, None)) is not None:
                timer.cancel()
            since = time.monotonic()
            if text and not after:
                self._say(text)
                self._remind(text, name, since, BETWEEN)
            elif text:
                self._remind(text, name, since, after)

    def _remind(self, text: str, name: str, since: float, after: float) -> None:
        """Report a task again after some time [s], if it is not over by then. since: start of the task."""
        self._soon[name] = timer = threading.Timer(after, self._still, (text, name, since))
        timer.daemon = True
        timer.start()

    def _still(self, text: str, name: str, since: float) -> None:
        with self._lock:
            if self._soon.pop(name, None) is None:
                return
            far = time.monotonic() - since
            self._say(text if far < BETWEEN else f"{text}; {far:.0f} s elapsed")
            self._remind(text, name, since, BETWEEN)

    def line(self, text: str) -> None:
        """Report a line of text."""
        with self._lock:
            self._say(text)

    def update(self, done: float, end: float | None) -> None:
        """Report the progress, if nothing was reported for a while, or at a quarter for a shorter one."""
        with self._lock:
            far = _far(done, end, self._unit, self._rate)
            since, quarter = time.monotonic() - self._last, bool(end) and done >= self._next * (end or 0.0)
            if done != end and since >= (BETWEEN_QUARTERS if quarter else BETWEEN):
                self._next = QUARTER * (1 + done // (QUARTER * end)) if end else QUARTER
                self._say(far)

    def _say(self, text: str) -> None:
        self._last = time.monotonic()
        print_error(f"{self._head}{text}")


class _Logged(_Lines):
    """The same lines for a logger."""

    def __init__(self, unit: str, estimated: bool) -> None:
        super().__init__("", unit, estimated)

    def _say(self, text: str) -> None:
        self._last = time.monotonic()
        log.info("%s", text)


class _Bar:
    """The bar; started by a timer in another thread, so every change of it takes the lock."""

    def __init__(self, head: str, unit: str, estimated: bool = False) -> None:
        self._head, self._unit = head, unit
        self._rate = _Rate(estimated)
        self._lock = threading.Lock()
        self._progress: Any = None
        self._task: Any = None
        self._over = False
        self._waits: dict[str, str] = {}
        self._far = "preparing"

    def start(self) -> None:
        """Show the bar, unless the run is over."""
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bars

        columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        with self._lock:
            if self._over:
                return
            self._progress = Bars(*columns, console=Console(stderr=True), transient=True)
            self._task = self._progress.add_task(self._text(), total=None)
            self._progress.start()

    def waiting(self, text: str, name: str, after: float = 0.0) -> None:
        """Show the present task, or, without a text, its end."""
        with self._lock:
            self._waits.pop(name, None)
            if text:
                self._waits[name] = text
            if self._progress is not None:
                self._progress.update(self._task, description=self._text())

    def line(self, text: str) -> None:
        """Print a line of text above the bar."""
        with self._lock:
            if self._progress is None or self._over:
                print_error(f"{self._head}{text}")
            else:
                self._progress.console.print(f"{self._head}{text}", markup=False, highlight=False)

    def update(self, done: float, end: float | None) -> None:
        """Move the bar to a flight time [s]; without an expected end it only shows the time."""
        with self._lock:
            self._far = _far(done, end, self._unit, self._rate)
            if self._progress is not None:
                self._progress.update(self._task, description=self._text(), completed=done, total=end)

    def _text(self) -> str:
        return self._head + (next(reversed(self._waits.values())) if self._waits else self._far)

    def stop(self) -> None:
        """Take the bar away."""
        with self._lock:
            self._over = True
            if self._progress is not None:
                self._progress.stop()
