"""Run the first cases one by one in another process while a program for many cases is compiled, and report
their results.

Mistakes in a study thus show within seconds. The results are not stored, because programs for a single case
and for many cases round differently.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ...drawing.table import number
from ...programs.compiled import Wait, listening, unheard
from ...programs.progress import is_shown, report_line
from ...tree.errors import BadInput, InterstageError
from ...tree.sentences import count_text
from ...tree.units import display
from .columns import COMPLETED, LIMIT, MET, RESPONSE, VERDICT, Columns, Names, Output
from .devices import CPU, environments
from .first_flight import default_settings
from .first_settings import FirstCase
from .flight import CaseFlights
from .processes import Processes, can_pickle

LONG = 5.0
"""Expected time of a compilation [s] above which cases are run meanwhile. A process needs some seconds to
start.
"""
MOST_VALUES = 4
"""Number of values that the report of a case has."""
DIGITS = 4


class PreviewTask(NamedTuple):
    """Data that a process needs to run single cases."""

    flights: CaseFlights

    def answer(self, request: FirstCase) -> Columns:
        """Run a case with the program for a single case, and return its results."""
        return self.flights.fly(request.case, request.case + 1, 1)


class Tally:
    """Counts and reports the results of single cases.

    - names: names of the columns.
    - units: "SI" or "US".
    """

    def __init__(self, names: Names, units: str):
        self._names, self._units = names, units
        self.flown, self._completed = 0, 0
        self._met = dict.fromkeys(names.requirements, 0)
        self._outcomes: set[str] = set()

    def add(self, columns: Columns) -> None:
        """Add a case. The first case, and the first case with another outcome, are reported."""
        outcome = str(columns["outcome"][0])
        self.flown += 1
        self._completed += outcome == COMPLETED
        for name in self._met:
            self._met[name] += int(columns[VERDICT + name][0]) == MET
        if self.flown == 1 or outcome not in self._outcomes:
            report_line(f"Preview of case {int(columns['case'][0])}: {self._text(columns, outcome)}")
        self._outcomes.add(outcome)

    def finish(self) -> None:
        """Report the counts of all cases."""
        if not self.flown:
            return
        text = f"Preview: {self._completed} of {count_text(self.flown, 'cases')} completed"
        met = [f"{name} is met in {count}" for name, count in self._met.items()]
        report_line(f"{'; '.join([text, *met[:MOST_VALUES]])}. The campaign runs these cases again")

    def _text(self, columns: Columns, outcome: str) -> str:
        reason = str(columns["reason"][0])
        verdicts = {name: int(columns[VERDICT + name][0]) for name in self._names.requirements}
        values = [
            f"{self._value(one, columns[LIMIT + one.name])} ({_verdict(verdicts[one.requirement])})"
            for one in self._names.limits
        ]
        values += [self._value(one, columns[RESPONSE + one.name]) for one in self._names.responses]
        return "; ".join([f"{outcome}: {reason}" if reason else outcome, *values[:MOST_VALUES]])

    def _value(self, one: Output, values: np.ndarray) -> str:
        factor, unit = display(one.unit, self._units)
        return f"{one.name} = {number(float(values[0]) * factor, DIGITS)} {unit}".rstrip()


def _verdict(verdict: int) -> str:
    return "met" if verdict == MET else "not met"


class Preview:
    """Runs cases one by one while compilations take long.

    - flights: object that runs the cases of the campaign.
    - first, last: the cases from `first` to `last` - 1 are run, until no compilation is left.
    """

    def __init__(self, flights: CaseFlights, first: int, last: int):
        self._task = PreviewTask(replace(flights, settings=default_settings()))
        self._cases = iter(range(first, last))
        self._tally = Tally(flights.names, flights.plan.scenario.units)
        self._lock = threading.Lock()
        self._waits: dict[str, Wait] = {}
        self._processes: Processes | None = None
        self._thread: threading.Thread | None = None

    def heard(self, wait: Wait) -> None:
        """Begin at the start of a long compilation, and end when no compilation is left."""
        with self._lock:
            if wait.over:
                self._waits.pop(wait.name, None)
                if not self._waits:
                    self._stop()
            elif wait.seconds is None or wait.seconds >= LONG:
                self._waits[wait.name] = wait
                if self._thread is None:
                    self._processes = Processes(self._task, 1, environments(CPU, 1))
                    self._thread = threading.Thread(target=self._run, args=(self._processes,), daemon=True)
                    self._thread.start()

    def close(self) -> None:
        """End the process, and wait for its thread."""
        with self._lock:
            self._waits.clear()
            self._stop()
        if self._thread is not None:
            self._thread.join()

    def _stop(self) -> None:
        if self._processes is not None:
            self._processes.close()
            self._processes = None

    def _run(self, processes: Processes) -> None:
        """Run the cases until the process is ended. A later compilation does not begin this again."""
        for case in self._cases:
            try:
                with unheard():  # of the process itself
                    columns = processes.ask(FirstCase(case))
            except InterstageError as error:
                if isinstance(error, BadInput) and processes is self._processes:
                    report_line(f"Preview of case {case}: {error.problems[0]}")
                break
            if processes is not self._processes:
                break
            self._tally.add(columns)
        self._tally.finish()


@contextmanager
def previews(flights: CaseFlights, first: int, last: int, cores: int) -> Iterator[None]:
    """Run some cases one by one within a `with` block while compilations take long, and report their results.

    - flights: object that runs the cases of the campaign.
    - first, last: the cases from `first` to `last` - 1 can be run.
    - cores: number of processor cores.

    Nothing is run if no user sees reports of progress, if there is only one core, or if the cases use classes
    of a script.
    """
    if cores < 2 or not is_shown() or not can_pickle(flights):
        yield
        return
    preview = Preview(flights, first, last)
    try:
        with listening(preview.heard):
            yield
    finally:
        preview.close()
