"""Count the flights of the methods that compute a rare violation, and estimate their final number."""

from __future__ import annotations

from collections.abc import Mapping

from ....programs.progress import Progress, report_progress


class FlightCount:
    """Number of finished flights, and the expected number at the end, for reports of progress.

    - expected: expected number of flights of each method, by name. The methods update it.
    - advanced: function that is called with the number of finished flights and the expected number.

    Flights whose results are stored count as finished flights.
    """

    def __init__(self, expected: Mapping[str, int], advanced: Progress | None = None):
        self.done = 0
        self._expected, self._advanced = dict(expected), advanced

    def expect(self, method: str, flights: int) -> None:
        """Set the expected number of flights of a method."""
        self._expected[method] = flights

    def add(self, flights: int) -> None:
        """Add finished flights."""
        self.done += flights

    @property
    def total(self) -> int:
        """Return the expected number of flights of all methods."""
        return max(self.done, sum(self._expected.values()))

    @property
    def remaining(self) -> int:
        """Return the expected number of further flights."""
        return self.total - self.done

    def report(self) -> None:
        """Call the function of the progress."""
        if self._advanced is not None:
            self._advanced(self.done, self.total)

    def report_within(self, flights: int) -> None:
        """Report finished flights of a batch that is not complete to waiting users."""
        report_progress(self.done + flights, max(self.total, self.done + flights))
