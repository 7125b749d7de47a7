"""Run the flights of a method in this process or in several others, and return their margins.

The margin of a flight does not depend on the process, nor on the other flights of its piece.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import NamedTuple

import numpy as np

from ....tree.errors import Problem
from ..columns import LIMIT, MET, NO_VERDICT, VERDICT, Columns
from ..draws import Draws
from ..flight import CaseFlights
from ..processes import Processes, can_pickle
from ..run import LONG, THREADS, cores
from .count import FlightCount

TINY = float(np.finfo(float).tiny)
"""Margin that replaces zero for a case that meets its limit exactly. The methods count a margin of zero as a
failure.
"""
Bad = Mapping[int, Sequence[Problem]]
"""Problems of cases that are not run, by case index."""


class Piece(NamedTuple):
    """Request to run some flights, for a process.

    - first: number of the first flight, for messages.
    - draws: random inputs.
    - bad: problems of the flights that are not run, by index in the draws.
    """

    first: int
    draws: Draws
    bad: Bad

    @property
    def name(self) -> str:
        """Return a text such as "The flights 0 to 127" for messages."""
        return f"The flights {self.first} to {self.first + len(self.draws) - 1}"


class MarginTask(NamedTuple):
    """Data that a process needs to compute margins of a requirement."""

    flights: CaseFlights
    requirement: str

    def answer(self, request: Piece) -> np.ndarray:
        """Run some flights with one thread, and return their margins (cases,)."""
        return self.margins(request.draws, request.bad, 1)

    def margins(
        self, draws: Draws, bad: Bad, threads: int, before: tuple[int, int | None] | None = None
    ) -> np.ndarray:
        """Run some flights in this process, and return their margins (cases,); NaN without a verdict.

        threads, before: see `CaseFlights.fly_draws`.
        """
        return self._of_columns(self.flights.fly_draws(draws, dict(bad), threads, before))

    def _of_columns(self, columns: Columns) -> np.ndarray:
        """The smallest margin of the limits of the requirement in each case."""
        own = [one for one in self.flights.names.limits if one.requirement == self.requirement]
        values = [columns[LIMIT + one.name] for one in own]
        margins = np.min(
            [
                v - one.limit if one.side == "min" else one.limit - v
                for one, v in zip(own, values, strict=True)
            ],
            axis=0,
        )
        verdict = columns[VERDICT + self.requirement]
        margins = np.where(verdict == MET, np.maximum(margins, TINY), margins)
        return np.where(verdict == NO_VERDICT, np.nan, margins)


class MarginFlights:
    """Runs flights and returns their margins.

    - task: flights and requirement.
    - jobs: number of other processes. None: one for each core if the flights are expected to take more than a
      minute, otherwise none.
    - count: number of flights, for reports of progress.
    """

    def __init__(self, task: MarginTask, jobs: int | None = None, count: FlightCount | None = None):
        self._task, self._jobs = task, jobs
        self.count = count or FlightCount({})
        self._processes: Processes | None = None
        self._flown = 0
        self._warm = False

    def margins(self, draws: Draws, bad: Bad) -> np.ndarray:
        """Run flights, and return their margins (cases,); NaN without a verdict."""
        if self._processes is None and self._jobs is not None and can_pickle(self._task):
            self._processes = Processes(self._task, self._jobs)
        found = self._here(draws, bad) if self._processes is None else self._in_others(draws, bad)
        self._flown += len(draws)
        return found

    def _here(self, draws: Draws, bad: Bad) -> np.ndarray:
        """Run flights in this process. If all others would take long, they run in other processes."""
        clock = time.perf_counter()
        before = self.count.done, max(self.count.total, self.count.done + len(draws))
        found = self._task.margins(draws, bad, THREADS, before)
        seconds = time.perf_counter() - clock
        left = self.count.remaining - len(draws)
        long = seconds / len(draws) * left > LONG
        if self._warm and long and cores() > 1 and can_pickle(self._task):
            self._processes = Processes(self._task, cores())
        self._warm = True  # the first flights may have compiled
        return found

    def _in_others(self, draws: Draws, bad: Bad) -> np.ndarray:
        """Run flights in other processes, in pieces of whole groups of cases. The first group of all runs
        alone, so that its compiled programs are stored."""
        assert self._processes is not None
        found, width = np.full(len(draws), np.nan), self._task.flights.settings.width
        alone = 0 if self._warm else min(width, len(draws))
        groups = -(-(len(draws) - alone) // width)
        size = max(-(-groups // self._processes.count), 1) * width
        starts = [*range(0, alone, width), *range(alone, len(draws), size)]
        pieces = [slice(*ends) for ends in zip(starts, [*starts[1:], len(draws)], strict=True)]
        done = 0
        pool = ThreadPoolExecutor(self._processes.count)
        try:
            for some in (pieces[: 1 if alone else 0], pieces[1 if alone else 0 :]):
                waiting: dict[Future[np.ndarray], slice] = {
                    pool.submit(self._processes.ask, self._piece(draws, bad, one)): one for one in some
                }
                for future in as_completed(waiting):
                    one = waiting[future]
                    found[one] = future.result()
                    done += one.stop - one.start
                    self.count.report_within(done)
        except BaseException:
            self.close()
            raise
        finally:
            pool.shutdown(cancel_futures=True)
        self._warm = True
        return found

    def _piece(self, draws: Draws, bad: Bad, one: slice) -> Piece:
        own = {k - one.start: problems for k, problems in bad.items() if one.start <= k < one.stop}
        return Piece(self._flown + one.start, draws.part(one), own)

    def close(self) -> None:
        """End the other processes."""
        if self._processes is not None:
            self._processes.close()
