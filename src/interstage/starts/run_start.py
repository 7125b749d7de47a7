"""Initial state of a flight, of one leg of a mission, or of a group of cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class RunStart(NamedTuple):
    """Initial state of a run, with texts for its record.

    - time: start time [s].
    - x: state (n, *cases).
    - discrete: states of switches and events.
    - reference: values of the initial pose that the run keeps.
    - corrections, warnings: texts for the record.
    - step: first step [s] for error control; None if it must be determined.
    - switches: sentences on motion that a change of coordinates removes.
    - sums: function that returns the initial values of time integrals, by path.
    """

    time: Any
    x: Any
    discrete: Any
    reference: Any
    corrections: list[str] = []  # noqa: RUF012 - never changed
    warnings: list[str] = []  # noqa: RUF012 - never changed
    step: Any = None
    switches: list[str] = []  # noqa: RUF012 - never changed
    sums: Callable[[], Mapping[str, float]] | None = None

    def integrals(self) -> Mapping[str, float]:
        """Return the initial values of time integrals that are computed after the flight, by path."""
        return {} if self.sums is None else self.sums()
