"""Save the flights of chosen cases of a complete campaign."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...record.results import open_flight
from ...tree.errors import BadInput
from ...tree.sentences import count_text
from .columns import COMPLETED, NOT_STARTED
from .one_case import flight_path, save_flight
from .wrong_folders import FLIGHTS

if TYPE_CHECKING:
    from .result import CampaignResult


def chosen_cases(result: CampaignResult) -> list[int]:
    """Return the numbers of the cases whose flights the study saves, in increasing order.

    Cases that could not start are omitted.
    """
    asked = result.manifest.campaign.histories
    if asked is None:
        return []
    order = result.order[result.outcomes[result.order] != NOT_STARTED]
    rows = [*order[: asked.worst], *order[_failure_mask(result)[order]][: asked.failed]]
    found = {int(result.case_numbers[row]) for row in rows}
    if asked.every is not None:
        started = result.case_numbers[result.outcomes != NOT_STARTED]
        found |= {int(case) for case in started if case % asked.every == 0}
    return sorted(found)


def _failure_mask(result: CampaignResult) -> np.ndarray:
    """Whether each case fails a requirement, or has no result (cases,)."""
    failed = result.outcomes != COMPLETED
    for name in result.manifest.names.requirements:
        failed = failed | result.failures(name)
    return failed


def save_histories(result: CampaignResult, folder: Path) -> list[Path]:
    """Save the flights of the chosen cases in the folder of a campaign, and return the paths of the saved
    flights.

    A case whose flight is already in the folder is not flown again. Raises BadInput if a file cannot be
    written.
    """
    found = []
    for case in chosen_cases(result):
        path = flight_path(folder / FLIGHTS, case)
        if not _is_saved(result, case, path):
            try:
                flight = result.fly(case)
            except BadInput:
                continue  # the campaign has the reason
            save_flight(flight, case, folder / FLIGHTS)
        found.append(path)
    return found


def _is_saved(result: CampaignResult, case: int, path: Path) -> bool:
    """Whether a file has the flight of a case, with the same inputs."""
    if not path.is_file():
        return False
    try:
        return open_flight(path).scenario_text == result.scenario_of(case).to_toml()
    except BadInput:
        return False


def history_notes(result: CampaignResult) -> Iterator[str]:
    """Yield a note about the saved flights of a complete campaign."""
    if result.folder is None or not result.complete:
        return
    folder = result.folder / FLIGHTS
    chosen = {flight_path(folder, case) for case in chosen_cases(result)}
    saved = {path for path in chosen if path.is_file()}
    if saved:
        yield f"The flights of {count_text(len(saved), 'chosen cases')} are in the subfolder {FLIGHTS}."
    others = {*folder.glob("case-*.nc")} - chosen
    if chosen and others:
        yield (
            f"The subfolder {FLIGHTS} also has {count_text(len(others), 'flights')} of other cases: of"
            " earlier choices, or by --case or --worst. Delete them if they are not needed."
        )
