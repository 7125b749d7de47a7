"""Determine the batch settings and envelopes of a campaign from its first case. The case runs in another
process, which can be ended if the case hangs.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from .first_flight import FirstFlight, first_cases, first_flight, first_flight_from, without_flight
from .plan import Plan
from .processes import Processes, can_pickle
from .time_limit import FIRST, Notice, TimeLimit, TookTooLong, after, duration

LATE = (
    f"The first case did not end within {duration(FIRST)}. If it hangs, press Ctrl-C and use --chunk-timeout"
)


class FirstCase(NamedTuple):
    """Request to run one case, for a process."""

    case: int

    @property
    def name(self) -> str:
        """Return the text "Case N" for messages."""
        return f"Case {self.case}"


class FirstTask(NamedTuple):
    """Data that a process needs to determine settings from a case."""

    plan: Plan
    responses: tuple[Any, ...]

    def answer(self, request: FirstCase) -> FirstFlight | None:
        """Return the settings and envelopes from one case, or None if the case cannot be run."""
        return first_flight_from(self.plan, self.responses, request.case)


def first_within(plan: Plan, responses: tuple[Any, ...], limit: TimeLimit, notice: Notice) -> FirstFlight:
    """Return the batch settings and the envelopes of a new campaign.

    - plan, responses: plan and responses of the campaign.
    - limit: time limit of one case. If the user declared a limit, a first case that exceeds the limit twice
      is skipped, and the next first case is tried. If all first cases are skipped, the default settings are
      returned.
    - notice: function that prints a notice for the user.

    Raises the errors of the flight.
    """
    task = FirstTask(plan, responses)
    if limit.declared is None or not can_pickle(task):
        with after(FIRST, partial(notice, LATE)):
            return first_flight(plan, responses)
    processes = Processes(task, 1)
    try:
        for case in first_cases(plan):
            found = _within(processes, FirstCase(case), limit.declared, notice)
            if found is not None:
                return found
    finally:
        processes.close()
    return without_flight(plan)


def _within(processes: Processes, case: FirstCase, seconds: float, notice: Notice) -> FirstFlight | None:
    """Settings from one case; None if it does not fly, or does not end within the limit, also not again."""
    for _ in range(2):
        try:
            return processes.ask(case, seconds)
        except TookTooLong as error:
            late = str(error)
    notice(f"{late}, twice. The number of steps of the campaign is taken from a later case")
    return None
