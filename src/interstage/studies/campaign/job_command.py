"""Implement the option `--script` of the command `interstage campaign`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ...tree.errors import BadInput, Problem
from .chunk_size import chunk_of_parts
from .command import Asked, read_plan
from .devices import GPU, check_device
from .job_script import Words, job_name, job_script, layout_of
from .object_store import shown_folder

Wanted = tuple[str | None, int | None, int | None]
"""Values of the options --script, --parts and --array-limit."""


def print_script(
    asked: Asked, scenario_of: Callable[[Path], Any], wanted: Wanted, others: Mapping[str, Any]
) -> None:
    """Check a campaign and print a job script for a scheduler.

    - scenario_of: function that reads a scenario from its path.
    - wanted: values of --script, --parts and --array-limit.
    - others: values of --set, --trust and --report, by option name.

    Raises BadInput.
    """
    scheduler, parts, limit = wanted
    without = {"--parts": parts, "--array-limit": limit} if scheduler is None else {}
    unused = {"--part": asked.part, "--case": asked.case, "--worst": asked.worst, "--dask": asked.dask}
    unused = unused if scheduler is not None else {}
    problems = [
        Problem(name, f"{name} needs --script. Add --script slurm, pbs or k8s, or remove {name}")
        for name, value in without.items()
        if value is not None
    ]
    problems += [
        Problem(name, f"{name} has no effect with --script. Remove {name}")
        for name, value in unused.items()
        if value is not None
    ]
    if problems or scheduler is None:
        raise BadInput(problems)
    if asked.device is not None:
        check_device(asked.device)
    layout_of(1, 1, scheduler, None, limit)  # the name of the scheduler, before the study is read
    plan = read_plan(asked, scenario_of)
    layout = layout_of(plan.cases, chunk_of_parts(plan), scheduler, parts, limit)
    print(job_script(scheduler, _words(asked, scheduler, others), layout), end="")


def _words(asked: Asked, scheduler: str, others: Mapping[str, Any]) -> Words:
    """The commands of the jobs, with paths from the current folder."""
    own = ["interstage"] if scheduler == "k8s" else [sys.executable, "-P", "-m", "interstage"]
    jobs = asked.jobs or 1
    options: list[str] = ["-o", shown_folder(asked.target), "--jobs", str(jobs)]
    if asked.cases is not None:
        options += ["--cases", str(asked.cases)]
    if asked.chunk_timeout is not None:
        options += ["--chunk-timeout", asked.chunk_timeout]
    if asked.device is not None:
        options += ["--device", asked.device]
    for change in others["--set"] or ():
        options += ["--set", change]
    if others["--trust"]:
        options.append("--trust")
    units = ["--units", asked.units] if asked.units else []
    shown = ["show", shown_folder(asked.target), *units]
    if others["--report"] is not None:
        shown += ["--report", str(others["--report"])]
    return Words(
        job_name(asked.study),
        [*own, "campaign", str(asked.study), *options, *units],
        [*own, "campaign", *shown],
        Path.cwd(),
        asked.target,
        jobs,
        asked.device == GPU,
    )
