"""Initial state of a run: of one flight, of one leg of a mission, or of a group of cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class RunStart(NamedTuple):
    """Initial state of a run, with notes for its record.

    - time: [s].
    - x: state (n, *cases).
    - discrete: switches.
    - reference: values from the initial pose.
    - step: first step [s] with error control; None if it must be found.
    - switches: sentences on motion that is lost in a change of coordinates.
    - sums: function that returns the initial values of integrals by path; None without integrals.
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
        """Return the initial values of integrals that are computed after the flight, by path."""
        return {} if self.sums is None else self.sums()
