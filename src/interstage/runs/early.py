"""Compile the program of a flight in a second process, while NumPy attempts the flight.

If the flight is long, its program is then in the store sooner. The results do not depend on this module:
the same rule of `short` decides how the flight is computed. See docs/decisions/0031-a-second-process.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from ..programs import store
from ..programs.compiled import reported_wait
from ..programs.key import flight_key
from ..programs.workers import Job, Workers
from ..stepper.problem import RUNNING
from .short import JUDGED


class Early:
    """Second process, which compiles one program after another."""

    def __init__(self) -> None:
        self._workers = Workers(1)
        self._pool = ThreadPoolExecutor(1, "early compiler")
        self._made: Future[bool] | None = None

    def along(self, attempts: Iterator[Any], about: str, wanted: Callable[[], Job]) -> Iterator[Any]:
        """Yield the attempts of a flight, and compile its program meanwhile.

        The process starts with the first attempt and compiles after some attempts, because many short flights
        have ended then. It does not start if NumPy completed an earlier flight of the same structure.

        - attempts: cursors and steps, see `short.attempts`.
        - about: description of the program.
        - wanted: function that returns the program.
        """
        structure, short = "", True
        for number, (cursor, track) in enumerate(attempts, 1):
            if number == 1:
                structure = flight_key(about, [])
                short = store.known_short(structure)
            if number == 1 and not short:
                self._workers.prepare()
            if number == JUDGED and not short:
                self._made = self._pool.submit(self._workers.make, wanted())
            if int(cursor.status) != RUNNING:
                self._drop()
                store.note_short(structure)
            yield cursor, track

    def wait(self, seconds: float | None) -> None:
        """Wait for the program that is being compiled, if any.

        seconds: expected duration of the compilation [s]; None if it is unknown.
        """
        if self._made is not None:
            with reported_wait("advance", seconds):
                self._made.result()
            self._made = None

    def close(self) -> None:
        """Stop the process."""
        self._workers.close()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _drop(self) -> None:
        """Stop a compilation that is not needed. Without a compilation, the process remains for later
        flights."""
        if self._made is not None:
            self._workers.close()
            self._made, self._workers = None, Workers(1)
