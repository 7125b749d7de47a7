"""Evaluate quantities at the ends of integration steps, in addition to the samples of a record.

The interval between samples may exceed the period of an oscillation. The integration steps are shorter: each
oscillation takes several steps. `Survey` evaluates quantities at the ends of all steps at once. The search
for extremes (`peaks`) starts from the samples and these values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .record import Record, timeline

if TYPE_CHECKING:
    from .peaks import Look

MOST_STEPS = 100_000
"""Maximum number of step ends that are evaluated in a flight.

If a flight has more steps, step ends at equal intervals of their index are evaluated.
"""
AMONG = 16
"""Maximum average number of step ends between two samples that are evaluated for an integration with fixed
steps.

The limit exists because each such state is computed by steps from the previous sample.
"""
CLOSE = 1e-3
"""Fraction of a step: a step end that is closer to a sample or an event is not evaluated.

The states of the sample and of the step end differ by the error of the step. A slope over such a short time
would be wrong.
"""


class Survey:
    """Values of quantities at samples, events and ends of integration steps, before extremes are searched.

    - records: records of the flights; None for a flight that is not searched.
    - stems: paths of the quantities.
    - look: function that evaluates quantities at given times of each flight.
    - steps: function that returns the step ends of a flight [s] from its index; None to use no step
      ends.
    """

    def __init__(
        self,
        records: Sequence[Record | None],
        stems: Sequence[str],
        look: Look,
        steps: Callable[[int], np.ndarray] | None,
    ):
        self._records = records
        none = np.zeros(0)
        self._times = [
            none if record is None or steps is None else ends_apart(record, steps(number))
            for number, record in enumerate(records)
        ]
        found = stems and any(map(len, self._times))
        self._rows = look(self._times, tuple(stems)) if found else None

    def timeline(self, number: int, stem: str) -> tuple[np.ndarray, np.ndarray]:
        """Return times [s] and values of a quantity in order of time, with the values before and after each
        event.

        number: index of the flight. stem: path of the quantity.
        """
        record = self._records[number]
        assert record is not None
        times, values = timeline(record, stem, peaks=False)
        if self._rows is None or not len(self._times[number]):
            return times, values
        times = np.concatenate([times, self._times[number]])
        order = np.argsort(times, kind="stable")
        return times[order], np.concatenate([values, self._rows[number][stem]])[order]


def step_ends(kept: np.ndarray, solver: Any) -> np.ndarray:
    """Return the ends of the integration steps [s] that are evaluated.

    solver: solver settings of the scenario. kept: stored step ends [s]. With fixed steps, only step ends at
    samples are stored. Some step ends between the samples are then added.
    """
    if not solver.fixed_step or len(kept) < 2:
        return kept
    step, (first, last) = float(np.max(solver.step)), kept[[0, -1]]
    often = max(1, int(np.ceil((last - first) / step / (AMONG * len(kept)))))
    grid = step * often * np.arange(np.ceil(first / step / often), np.floor(last / step / often) + 1)
    return np.union1d(kept, grid)


def ends_apart(record: Record, ends: np.ndarray) -> np.ndarray:
    """Return the step ends that do not coincide with a sample or an event of a record.

    ends: ends of integration steps [s]. At most `MOST_STEPS` are returned.
    """
    known = np.sort(np.concatenate([record.time, [event.time for event in record.events]]))
    ends = np.unique(ends)
    if len(known) < 2 or not len(ends):
        return ends[:0]
    ends = ends[(ends > known[0]) & (ends < known[-1])]
    step = np.diff(ends, prepend=known[0])
    right = np.searchsorted(known, ends).clip(1, len(known) - 1)
    away = np.minimum(np.abs(ends - known[right - 1]), np.abs(ends - known[right]))
    ends = ends[away > CLOSE * step]
    return (
        ends
        if len(ends) <= MOST_STEPS
        else ends[np.linspace(0, len(ends) - 1, MOST_STEPS).round().astype(int)]
    )
