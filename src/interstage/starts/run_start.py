"""Where a run begins: one flight, one leg of a mission, or a chunk of cases of either."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class RunStart(NamedTuple):
    """Where a run begins, with notes for its record.

    time [s], state x (n, *cases), switches and references. step: the first one
    [s] with error control; None if it must be found. switches: motion that a change of coordinates
    drops. sums: returns the values of integrals that are found after a flight, by path; None for none."""

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
        """Values of integrals that are found after a flight, by path, at the start."""
        return {} if self.sums is None else self.sums()
