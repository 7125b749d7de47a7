"""Compute the probability of a rare violation of a requirement from simulated flights."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ....programs.progress import Progress, progress_reports
from ....scenario import Scenario
from ....statistics.importance import importance_sampling, usual_cases
from ....statistics.subset import subset_simulation
from ....tree.errors import BadInput
from ....tree.saving import writing
from .. import folder as folders
from ..columns import names_of
from ..declared import Campaign
from ..first_flight import first_flight
from ..manifest import Manifest, continue_manifest, manifest_of, read_manifest, write_manifest
from ..object_store import local_results
from ..plan import Plan
from ..reading import make_plan, study_of
from ..run import responses_of
from .batches import Batches
from .count import FlightCount
from .declared import PART, Rare
from .limit import FlightLimit, flight_limit, limit_problems
from .result import RareResult, folder_name, write_result

SUBSET, IMPORTANCE = "subset", "importance"
USUAL_LEVELS = 5
"""Usual number of levels of subset simulation, for a probability of some 1e-5."""


def rare_event(
    scenario: Scenario,
    study: Campaign | Mapping[str, Any],
    requirement: str,
    folder: str | Path | None = None,
    *,
    jobs: int | None = None,
    study_folder: str | Path | None = None,
    progress: Progress | bool | None = None,
) -> RareResult:
    """Compute the probability that a requirement of a scenario is violated, by subset simulation and by
    importance sampling.

    - study: a `Campaign`, or a mapping with the same keys. The distributions, correlations, seed and the
      table `rare` of the study are used. The number of cases, the design and the importance of the study are
      not used.
    - requirement: name of the requirement in the scenario.
    - folder: folder of the campaign, for the result and the flights. An interrupted computation continues
      with the stored flights. Default: nothing is stored.
    - jobs: number of other processes. The result does not depend on it. Default: one for each core if more
      than a minute is expected to remain, otherwise none.
    - study_folder: folder of the files that the study refers to. Default: the current folder.
    - progress: function that is called with the number of flights so far and the expected final number. For
      True, False and None, see `programs.progress.progress_reports`.

    Raises BadInput before any flight, or when the largest number of flights is reached.
    """
    scenario.check()
    base = Path(study_folder or "")
    plan = make_plan(scenario, study_of(study), base)
    if problems := [*limit_problems(plan, requirement)]:
        raise BadInput(problems)
    with progress_reports(progress, "flights", estimated=True) as advanced:
        if folder is None:
            return _compute(plan, flight_limit(plan, requirement, jobs), None, "", advanced)
        with local_results(folder) as results:
            return _in_folder(plan, (requirement, jobs), base, results.folder, advanced)


def _in_folder(
    plan: Plan, asked: tuple[str, int | None], base: Path, folder: Path, advanced: Progress | None
) -> RareResult:
    """The result, which is also written to the folder. asked: requirement, and number of processes."""
    requirement, jobs = asked
    with writing(folder, "Choose another folder"):
        folder.mkdir(parents=True, exist_ok=True)
    with folders.lock(folder, folders.WHOLE):
        manifest = _manifest(plan, base, folder)
        limit = flight_limit(plan, requirement, jobs)
        own = folder / folder_name(requirement)
        found = _compute(plan, limit, own, manifest.stamp.key, advanced)
        write_result(folder, found, manifest.stamp)
    return found


def _manifest(plan: Plan, base: Path, folder: Path) -> Manifest:
    """The manifest of the campaign of the folder, which is written if there is none. Raises BadInput for
    another campaign."""
    old = read_manifest(folder)
    responses = responses_of(plan)
    first = first_flight(plan, responses) if old is None else old.first
    manifest = manifest_of(plan, names_of(plan, responses, first.envelopes), first.settings, base)
    if old is None:
        write_manifest(folder, manifest)
        return manifest
    return continue_manifest(old, manifest, False)


def _compute(
    plan: Plan, limit: FlightLimit, folder: Path | None, key: str, advanced: Progress | None
) -> RareResult:
    rare, requirement = plan.campaign.rare, limit.requirement
    proportion, confidence = plan.campaign.goal(requirement)
    count = limit.runner.count = FlightCount(usual_flights(rare, limit.inputs), advanced)

    def common(method: str) -> dict[str, Any]:
        expected = partial(count.expect, method)
        seed = _seed(plan.campaign.seed, requirement, method)
        return {"confidence": confidence, "seed": seed, "expected": expected}

    def batches(method: str) -> Batches:
        return Batches(limit, method, rare.most, folder, key, count)

    try:
        subset = subset_simulation(batches(SUBSET), limit.inputs, rare.level, rare.runs, **common(SUBSET))
        levels: dict[str, Any] = {"search": rare.search, "level": rare.level}
        sampled = importance_sampling(
            batches(IMPORTANCE), limit.inputs, rare.cases, **levels, **common(IMPORTANCE)
        )
        count.report()
    finally:
        limit.runner.close()
    allowed = None if proportion is None else 1.0 - proportion
    return RareResult(requirement, (subset, sampled), allowed, limit.nearest, limit.flown)


def usual_flights(rare: Rare, inputs: int) -> dict[str, int]:
    """Return the usual number of flights of each method, by name, for reports of progress.

    inputs: number of independent standard normal inputs.
    """
    later = (USUAL_LEVELS - 1) * (rare.level - rare.level // PART)
    sampled = usual_cases(rare.search, inputs, rare.level) + rare.cases
    return {SUBSET: rare.runs * (rare.level + later), IMPORTANCE: sampled}


def _seed(seed: int, requirement: str, method: str) -> int:
    """Seed of a method, from the seed of the study and the names."""
    name = json.dumps([seed, "rare", requirement, method]).encode()
    return int.from_bytes(hashlib.blake2b(name, digest_size=8).digest(), "little")
