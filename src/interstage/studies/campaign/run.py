"""Fly the missing cases of a campaign folder on one machine, in this process or in several processes."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...programs.progress import Progress, progress_reports
from ...scenario import Scenario
from ...tree.errors import BadInput, Problem
from ...tree.saving import writing
from ..sweep.run import default_responses
from . import folder as folders
from .chunk_file import require_pyarrow
from .columns import Columns, join_parts
from .declared import Campaign
from .flight import CaseFlights, settings_of
from .folder import Part, Range
from .manifest import Manifest, continue_manifest, manifest_of, read_manifest, write_manifest
from .plan import Plan
from .processes import Task, can_pickle, fly_all
from .reading import make_plan, study_of
from .result import CampaignResult, open_folder
from .wrong_folders import refuse_foreign

LONG = 60.0
"""Time [s] that is left, from which on a campaign flies in several processes by default."""
THREADS = 2
log = logging.getLogger("interstage")
Notice = Callable[[str], None]


def campaign(
    scenario: Scenario,
    study: Campaign | Mapping[str, Any],
    folder: str | Path | None = None,
    *,
    cases: int | None = None,
    jobs: int | None = None,
    part: str | None = None,
    study_folder: str | Path | None = None,
    progress: Progress | bool | None = None,
    notice: Notice | None = None,
) -> CampaignResult:
    """Fly a scenario with dispersed inputs.

    - study: a `Campaign`, or its tables.
    - folder: for the results, in chunks. If it has chunks of this campaign, only the missing ones are flown.
      Default: the results are kept in memory only.
    - cases: number of cases in place of that of the study.
    - jobs: number of processes; needs a folder. Default: one for each core if more than a minute is left,
      else none.
    - part: "3/40" flies every 40th chunk, from the third on; needs a folder.
    - study_folder: of the files that the study names. Default: the current folder.
    - progress(cases flown, all cases): for True, False and None see `programs.progress.progress_reports`.
    - notice: called with sentences on chunks that cannot be used. Default: the logger "interstage".

    An interrupt (Ctrl-C) ends it with the chunks that are finished. Raises BadInput."""
    declared = study_of(study, cases)
    base = Path(study_folder or "")
    plan, run = make_plan(scenario, declared, base), Run(notice or log.warning, jobs, progress)
    if folder is None:
        if part is not None or jobs is not None:
            raise BadInput(
                Problem(
                    "folder", "the folder of the results is missing, which jobs and part need. Set folder"
                )
            )
        return _in_memory(plan, base, run)
    require_pyarrow()
    return _in_folder(plan, base, Path(folder), Part() if part is None else Part.of(part), run)


def responses_of(plan: Plan) -> tuple[Any, ...]:
    """Return the responses of a study, or the default responses of the scenario."""
    return plan.campaign.responses or default_responses(plan.scenario)


@dataclass(frozen=True)
class Run:
    """Settings of a campaign run; see `campaign`."""

    notice: Notice
    jobs: int | None
    progress: Progress | bool | None


def _in_memory(plan: Plan, base: Path, run: Run) -> CampaignResult:
    flights = CaseFlights(plan, responses_of(plan), settings_of(plan, responses_of(plan)))
    manifest = manifest_of(plan, flights.names, flights.settings, base)
    found: list[Columns] = []
    interrupted = False
    with progress_reports(run.progress, "cases") as advanced:
        try:
            for first, last in folders.missing_ranges([], plan.cases, plan.campaign.chunk):
                found.append(flights.fly(first, last, THREADS, (first, plan.cases)))
                if advanced is not None:
                    advanced(last, plan.cases)
        except KeyboardInterrupt:
            if not found:
                raise
            interrupted = True
    return CampaignResult(manifest, join_parts(found, flights.names), interrupted=interrupted, plan=plan)


def _in_folder(plan: Plan, base: Path, folder: Path, part: Part, run: Run) -> CampaignResult:
    refuse_foreign(folder)
    with writing(folder, "Choose another folder"):
        folder.mkdir(parents=True, exist_ok=True)
    with folders.lock(folder, part):
        flights, manifest, ranges = _open(plan, base, folder, part, run)
        interrupted = False
        if ranges:
            task = Task(flights, folder, manifest.stamp)
            try:
                with progress_reports(run.progress, "cases") as advanced:
                    _fly(task, ranges, run.jobs, _Count(advanced, ranges, plan.cases, part))
            except KeyboardInterrupt:
                interrupted = True
        found = open_folder(folder, manifest, run.notice)
        if not len(found) and interrupted:
            raise KeyboardInterrupt
        if found.complete:
            folders.remove_drafts(folder)
    found.interrupted, found.plan = interrupted, plan
    return found


def _open(
    plan: Plan, base: Path, folder: Path, part: Part, run: Run
) -> tuple[CaseFlights, Manifest, list[Range]]:
    """What flies the cases, the manifest, and the missing ranges. Writes the manifest if it changed."""
    responses = responses_of(plan)
    old = read_manifest(folder)
    settings = settings_of(plan, responses) if old is None else old.settings
    flights = CaseFlights(plan, responses, settings)
    manifest = manifest_of(plan, flights.names, settings, base)
    have: Sequence[Range] = ()
    if old is not None:
        found = folders.contents_of(folder, manifest.stamp, max(old.cases, plan.cases))
        complete = not folders.missing_ranges(found.ranges, old.cases, old.cases)
        manifest = continue_manifest(old, manifest, complete)
        have = found.ranges
        for file, why in found.unusable:
            cases = f"cases {file.first} to {file.last - 1}"
            run.notice(
                f"{file.path.name} {why}. The {cases} are flown again. The file is now in the folder"
                f" {folders.SET_ASIDE}."
            )
        folders.set_aside(folder, [file for file, _ in found.unusable])
    if old is None or old.text() != manifest.text():
        write_manifest(folder, manifest)
    return flights, manifest, folders.missing_ranges(have, plan.cases, plan.campaign.chunk, part)


class _Count:
    """Counts finished cases for reports of progress."""

    def __init__(self, advanced: Progress | None, ranges: Sequence[Range], cases: int, part: Part):
        missing = sum(last - first for first, last in ranges)
        self.total = cases if part.count == 1 else missing
        self.done = self.total - missing
        self._advanced = advanced

    def add(self, one: Range) -> None:
        self.done += one.last - one.first
        if self._advanced is not None:
            self._advanced(self.done, self.total)


def _fly(task: Task, ranges: list[Range], jobs: int | None, count: _Count) -> None:
    """Fly ranges. The first one is flown here, so that processes find the programs in the
    store."""
    left = list(ranges)
    count.add(Range(0, 0))
    several = jobs is not None and jobs > 1
    flown = 0
    while left and not (several and flown):
        clock = time.perf_counter()
        one = left[0]
        columns = task.flights.fly(*one, THREADS if jobs is None else 1, (count.done, count.total))
        task.write(columns)
        count.add(left.pop(0))
        flown += 1
        seconds = time.perf_counter() - clock
        if jobs is None and flown > 1:  # the first chunk may have compiled
            rest = sum(last - first for first, last in left)
            several = seconds / (one.last - one.first) * rest > LONG
    if left:
        number = min(jobs or cores(), len(left))
        if number > 1 and can_pickle(task):
            fly_all(task, left, number, count.add)
        else:
            _fly(task, left, 1, count)


def cores() -> int:
    """Return the number of processor cores that this process can use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
