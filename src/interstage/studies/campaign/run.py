"""Run the missing cases of a campaign. The cases run in this process, in several processes, or on a
cluster.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...programs.progress import Progress, progress_reports
from ...runs.lot import LotSettings
from ...scenario import Scenario
from ...tree.errors import BadInput, Problem
from ...tree.saving import writing
from ..sweep.run import default_responses
from . import folder as folders
from .chunk_file import require_pyarrow
from .chunk_size import chunk_for, chunk_of_parts, largest_chunk
from .columns import Columns, join_parts
from .dask_cluster import LOCAL, connection, fly_on_cluster, require_dask
from .declared import Campaign
from .devices import CPU, GPU, check_device, environments
from .first_flight import first_flight
from .first_settings import first_within
from .flight import CaseFlights
from .folder import Part, Range
from .histories import save_histories
from .manifest import Manifest, continue_manifest, manifest_of, read_manifest, write_manifest
from .object_store import LocalResults, local_results
from .plan import Plan
from .preview import previews
from .processes import Task, can_pickle, fly_all
from .reading import make_plan, study_of
from .result import CampaignResult, open_folder
from .time_limit import Notice, TimeLimit, seconds_of, slow_report
from .wrong_folders import refuse_foreign

LONG = 60.0
"""Estimated remaining time [s] above which a campaign uses several processes by default."""
THREADS = 2
TOGETHER = 1e15
"""Number of integration steps with which a batch certainly runs its cases together."""
log = logging.getLogger("interstage")


def campaign(
    scenario: Scenario,
    study: Campaign | Mapping[str, Any],
    folder: str | Path | None = None,
    *,
    cases: int | None = None,
    jobs: int | None = None,
    part: str | None = None,
    chunk_timeout: float | str | None = None,
    dask: str | None = None,
    device: str | None = None,
    study_folder: str | Path | None = None,
    progress: Progress | bool | None = None,
    notice: Notice | None = None,
) -> CampaignResult:
    """Run a campaign: many cases of a scenario with random inputs.

    - study: a `Campaign`, or a mapping with the same keys.
    - folder: folder for the results, or an address in an object store such as "s3://bucket/campaign". If the
      folder has results of this campaign, only the missing cases are run. Default: the results are only in
      memory.
    - cases: number of cases that replaces the number in the study.
    - jobs: number of other processes; needs a folder. Default: one for each core if more than a minute
      remains, otherwise none.
    - part: "3/40" runs every 40th chunk, starting with the third; needs a folder.
    - chunk_timeout: time limit of a chunk, such as "10 min". A chunk that exceeds the limit is stopped, and
      its cases are run again in smaller ranges. If a single case exceeds the limit, its result has no values.
      Needs a folder. Default: see docs/clusters.md.
    - dask: address of a dask.distributed scheduler whose workers run the chunks, or "local". Needs a folder
      that all machines share.
    - device: "gpu" runs the chunks on the GPUs of this machine; each GPU has one process. Needs a folder.
      Default: the device of earlier results in the folder, otherwise "cpu".
    - study_folder: folder of the files that the study refers to. Default: the current folder.
    - progress: function that is called with the number of finished cases and the number of all cases. For
      True, False and None, see `programs.progress.progress_reports`.
    - notice: function that is called with sentences about result files that cannot be used. Default: the
      logger "interstage".

    After an interrupt (Ctrl-C), the function returns the results of the finished chunks. Raises BadInput.
    """
    declared = study_of(study, cases)
    base = Path(study_folder or "")
    limit = TimeLimit(seconds_of(chunk_timeout))
    plan = make_plan(scenario, declared, base)
    run = Run(notice or log.warning, jobs, progress, limit, dask, device)
    if device is not None:
        check_device(device)
    if dask is not None:
        check_cluster(dask, jobs, device)
    if folder is None:
        if declared.histories is not None:
            run.notice("No flights of histories are saved, because the results have no folder. Set folder.")
        if any(value is not None for value in (part, jobs, chunk_timeout, dask, device)):
            text = (
                "the folder of the results is missing. The options jobs, part, chunk_timeout, dask"
                " and device need this folder. Set the argument 'folder'"
            )
            raise BadInput(Problem("folder", text))
        return _in_memory(plan, base, run)
    require_pyarrow()
    share = Part() if part is None else Part.of(part)
    with local_results(folder, run.notice) as results:
        return _in_folder(plan, base, results, share, run)


def responses_of(plan: Plan) -> tuple[Any, ...]:
    """Return the responses of a study. If the study declares none, return the default responses of the
    scenario.
    """
    return plan.campaign.responses or default_responses(plan.scenario)


@dataclass(frozen=True)
class Run:
    """Options of a campaign run. The fields are arguments of `campaign`."""

    notice: Notice
    jobs: int | None
    progress: Progress | bool | None
    limit: TimeLimit
    dask: str | None = None
    device: str | None = None


def _in_memory(plan: Plan, base: Path, run: Run) -> CampaignResult:
    responses = responses_of(plan)
    flights = CaseFlights(plan, responses, *first_flight(plan, responses))
    chunk = largest_chunk(plan, flights.settings.steps, plan.cases)
    manifest = manifest_of(plan, flights.names, flights.settings, base, chunk)
    found: list[Columns] = []
    interrupted = False
    with (
        progress_reports(run.progress, "cases") as advanced,
        previews(flights, 0, plan.cases, cores()),
    ):
        try:
            for first, last in folders.missing_ranges([], plan.cases, chunk):
                found.append(flights.fly(first, last, THREADS, (first, plan.cases)))
                if advanced is not None:
                    advanced(last, plan.cases)
        except KeyboardInterrupt:
            if not found:
                raise
            interrupted = True
    return CampaignResult(manifest, join_parts(found, flights.names), interrupted=interrupted, plan=plan)


def _in_folder(plan: Plan, base: Path, results: LocalResults, part: Part, run: Run) -> CampaignResult:
    folder = results.folder
    refuse_foreign(folder)
    with writing(folder, "Choose another folder"):
        folder.mkdir(parents=True, exist_ok=True)
    with folders.lock(folder, part), connection(run.dask, run.jobs or cores()) as client:
        flights, manifest, ranges = _open(plan, base, folder, part, run)
        interrupted = False
        if ranges:
            task = Task(flights, folder, manifest.stamp)
            try:
                with (
                    progress_reports(run.progress, "cases") as advanced,
                    previews(flights, ranges[0].first, ranges[0].last, cores()),
                ):
                    _fly(
                        task, ranges, run, _Count(advanced, ranges, plan.cases, part, results.upload), client
                    )
            except KeyboardInterrupt:
                interrupted = True
        found = open_folder(folder, manifest, run.notice)
        if not len(found) and interrupted:
            raise KeyboardInterrupt
        found.plan = plan
        if found.complete:
            folders.remove_drafts(folder)
            try:
                save_histories(found, folder)
            except KeyboardInterrupt:
                interrupted = True
    found.interrupted = interrupted
    return found


def _open(
    plan: Plan, base: Path, folder: Path, part: Part, run: Run
) -> tuple[CaseFlights, Manifest, list[Range]]:
    """What flies the cases, the manifest, and the missing ranges. Writes the manifest if it changed."""
    responses = responses_of(plan)
    old = read_manifest(folder)
    device = device_of(run.device, None if old is None else old.settings.device, folder)
    if run.dask is not None and device != CPU:
        raise cluster_without_gpu()
    environments(device, 1)  # before the manifest is written
    first = first_within(plan, responses, run.limit, run.notice) if old is None else old.first
    if old is None and device == GPU:
        chunk = largest_chunk(plan, first.settings.steps, plan.cases)
        first = first._replace(settings=settings_for_gpu(first.settings, chunk))
    flights = CaseFlights(plan, responses, *first)
    manifest = manifest_of(plan, flights.names, first.settings, base)
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
    chunk = manifest.campaign.chunk
    if chunk is None:
        known = plan.cases if old is None else old.cases
        chunk = _chunk(plan, first.settings, known, part, run)
        manifest = manifest.with_chunk(chunk)
    if old is None or old.text() != manifest.text():
        write_manifest(folder, manifest)
    return flights, manifest, folders.missing_ranges(have, plan.cases, chunk, part)


def _chunk(plan: Plan, settings: LotSettings, cases: int, part: Part, run: Run) -> int:
    """Number of cases in a chunk of a new campaign. cases: number of cases to which the settings apply."""
    if settings.device == GPU:  # it flies a chunk in one group
        return settings.width
    if part.count > 1 or run.dask not in (None, LOCAL):
        return chunk_of_parts(plan, settings.steps)
    return chunk_for(plan, settings.steps, cases, run.jobs or cores())


class _Count:
    """Counts finished cases for reports of progress.

    after: function that is called with the name of the new result file after each chunk, and at first with
    None."""

    def __init__(
        self,
        advanced: Progress | None,
        ranges: Sequence[Range],
        cases: int,
        part: Part,
        after: Callable[[Sequence[str] | None], None],
    ):
        missing = sum(last - first for first, last in ranges)
        self.total = cases if part.count == 1 else missing
        self.done = self.total - missing
        self._advanced, self._after = advanced, after

    def begin(self) -> None:
        """Report the cases that have results already."""
        self._after(None)
        self._report()

    def add(self, one: Range, file: str) -> None:
        """Add finished cases. file: name of their result file."""
        self.done += one.last - one.first
        self._after([file])
        self._report()

    def _report(self) -> None:
        if self._advanced is not None:
            self._advanced(self.done, self.total)


def _fly(task: Task, ranges: list[Range], run: Run, count: _Count, client: Any) -> None:
    """Fly ranges in this process; in others if their number or a limit is declared, or if it takes long."""
    left = list(ranges)
    count.begin()
    if client is not None:
        fly_on_cluster(client, task, left, count.add, run.limit, run.notice)
        return
    device = task.flights.settings.device
    others = (run.jobs is not None or run.limit.declared is not None or device == GPU) and can_pickle(task)
    if device == GPU and not others:
        text = "classes of a script cannot be sent to the processes of the GPUs. Move them into a module"
        raise BadInput(Problem("--device", f"{text}, or use --device cpu"))
    if run.limit.declared is not None and not others:
        run.notice(
            "Cases with classes of a script are flown in this process only, so that the time limit of a "
            "chunk has no effect"
        )
    flown, threads = 0, THREADS if run.jobs is None else 1
    while left and not others:
        clock = time.perf_counter()
        one = left[0]
        with slow_report(one, run.limit, run.notice):
            columns = task.flights.fly(*one, threads, (count.done, count.total))
        count.add(left.pop(0), task.write(columns).name)
        flown += 1
        seconds = time.perf_counter() - clock
        if flown > 1:  # the first chunk may have compiled
            rest = sum(last - first for first, last in left)
            long = seconds / (one.last - one.first) * rest > LONG
            others = long and min(cores(), len(left)) > 1 and can_pickle(task)
    if left:
        most = len(left) if device == GPU else cores()
        own = environments(device, min(run.jobs or most, len(left)))
        fly_all(task, left, own, count.add, run.limit, run.notice, first_alone=not flown)


def device_of(asked: str | None, of_folder: str | None, folder: Path) -> str:
    """Return the kind of device of a campaign. Default: that of its earlier results, otherwise "cpu".

    - asked: kind that the user chose, or None.
    - of_folder: kind with which the results in the folder were computed, or None.
    - folder: folder of the results, for the message.

    Raises BadInput if the two kinds differ.
    """
    if asked is not None and of_folder is not None and asked != of_folder:
        text = (
            f"the results in {folder} were computed with --device {of_folder}, and their last digits differ"
        )
        raise BadInput(Problem("--device", f"{text}. Use --device {of_folder}, or another folder (-o)"))
    return asked or of_folder or CPU


def settings_for_gpu(settings: LotSettings, chunk: int) -> LotSettings:
    """Return the batch settings of a campaign on GPUs: all cases of a chunk in one group.

    - settings: settings for a processor.
    - chunk: number of cases in a chunk.
    """
    return settings._replace(
        width=chunk, steps=dict.fromkeys(settings.steps, TOGETHER), compiled=True, device=GPU
    )


def cluster_without_gpu() -> BadInput:
    """Return the error for GPUs together with a cluster of Dask."""
    text = "the processes of a Dask worker use no GPU"
    return BadInput(Problem("--device", f"{text}. Remove --dask, and distribute the cases with --part"))


def check_cluster(address: str, jobs: int | None, device: str | None = None) -> None:
    """Check the address of a scheduler, the number of jobs and the kind of device. Raises BadInput."""
    require_dask()
    if device == GPU:
        raise cluster_without_gpu()
    if address != LOCAL and jobs is not None:
        text = (
            "--jobs has an effect with --dask local only, because a cluster has the processes of its "
            "workers. Remove --jobs"
        )
        raise BadInput(Problem("--jobs", text))


def cores() -> int:
    """Return the number of processor cores that this process can use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
