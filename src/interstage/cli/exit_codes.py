"""Exit codes of the commands."""

from __future__ import annotations

CASE_FAILED, BAD_INPUT, REQUIREMENT_BROKEN, ENDED_EARLY, UNDECIDED = 1, 2, 3, 4, 5


def verdict_code(completed: bool, passed: bool) -> int:
    """Return the exit code of a command that simulates flights.

    completed: whether all flights reached their ends. passed: whether all requirements are met.
    """
    return ENDED_EARLY if not completed else 0 if passed else REQUIREMENT_BROKEN
