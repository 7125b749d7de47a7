"""Implement the option --rare of the command `interstage campaign`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ....programs.progress import progress_display
from ....scenario import Scenario
from ....tree.errors import print_error
from ...presentation.terminal import Printout
from ...study_warnings import print_warnings
from ..columns import names_of
from ..object_store import shown_folder
from ..reading import open_campaign
from .printed import tables_of
from .result import RareResult
from .run import rare_event

if TYPE_CHECKING:
    from ..command import Asked


def show_rare(asked: Asked, requirement: str, scenario_of: Callable[[Path], Scenario]) -> RareResult | None:
    """Compute and print the probability that a requirement is violated. Return the result, or None after an
    interrupt (Ctrl-C).

    - asked: arguments of the command.
    - requirement: name of the requirement in the scenario.
    - scenario_of: function that reads a scenario from its path.

    Raises BadInput.
    """
    asked.check_counts()
    opened = open_campaign(asked.study, scenario_of)
    plan = opened.plan
    print_warnings(plan.scenario, asked.units, plan.warnings)
    try:
        with progress_display(unit="flights", estimated=True) as progress:
            found = rare_event(
                plan.scenario,
                plan.campaign,
                requirement,
                asked.target,
                jobs=asked.jobs,
                study_folder=asked.study.parent,
                progress=progress if progress is not None else False,
            )
    except KeyboardInterrupt:
        print_error(
            "Interrupted. Finished batches are kept. To fly the other batches, run the same command again."
        )
        return None
    units = asked.units or plan.scenario.units
    Printout(tables_of(found, names_of(plan, ()).inputs, units)).show()
    total = sum(event.evaluations for event in found.events)
    print(f"{found.flown} of {total} flights are new. The result is in {shown_folder(asked.target)}.")
    return found
