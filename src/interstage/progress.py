"""A progress bar on runs that take a while, and nothing on those that do not."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE = 1.5
"""Time [s] after which someone who waits wants to know how far the run is."""


@contextmanager
def shown(title: str = "", unit: str = "s") -> Iterator[Callable[[float, float | None], None] | None]:
    """A callback (flight time, expected end or None) that drives a bar on the terminal, if there is one.

    The bar is there from PATIENCE on, moving while the programs are compiled and until the first call. title:
    what is flown, where that is one of several. unit: of what the callback is given, in place of the time.
    """
    if not sys.stderr.isatty():
        yield None
        return
    bar = _Bar(f"{title}: " if title else "", unit)
    timer = threading.Timer(PATIENCE, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield bar.update
    finally:
        timer.cancel()
        bar.stop()


class _Bar:
    """The bar; started by a timer in another thread, so every change of it takes the lock."""

    def __init__(self, title: str, unit: str) -> None:
        self._title, self._unit = title, unit
        self._lock = threading.Lock()
        self._progress: Any = None
        self._task: Any = None
        self._over = False

    def start(self) -> None:
        """Show the bar, unless the run is over."""
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        with self._lock:
            if self._over:
                return
            self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._progress.add_task(f"{self._title}preparing", total=None)
            self._progress.start()

    def update(self, time: float, end: float | None) -> None:
        """Move the bar to a flight time [s]; without an expected end it only says the time."""
        with self._lock:
            if self._progress is not None:
                text = f"{time:.6g}" if end is None else f"{time:.6g} of {end:.6g}"
                text = f"{self._title}{text} {self._unit}"
                self._progress.update(self._task, description=text, completed=time, total=end)

    def stop(self) -> None:
        """Take the bar away."""
        with self._lock:
            self._over = True
            if self._progress is not None:
                self._progress.stop()
