"""Compute the probability of a rare violation of a requirement from simulated flights."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ....programs.progress import Progress, progress_reports
from ....scenario import Scenario
from ....statistics.importance import importance_sampling
from ....statistics.rare import RareEvent
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
from .limit import FlightLimit, flight_limit, limit_problems
from .result import RareResult, folder_name, write_result

SUBSET, IMPORTANCE = "subset", "importance"


def rare_event(
    scenario: Scenario,
    study: Campaign | Mapping[str, Any],
    requirement: str,
    folder: str | Path | None = None,
    *,
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
    - study_folder: folder of the files that the study refers to. Default: the current folder.
    - progress: function that is called with the number of flights so far and None. For True, False and None,
      see `programs.progress.progress_reports`.

    Raises BadInput before any flight, or when the largest number of flights is reached.
    """
    scenario.check()
    base = Path(study_folder or "")
    plan = make_plan(scenario, study_of(study), base)
    if problems := [*limit_problems(plan, requirement)]:
        raise BadInput(problems)
    with progress_reports(progress, "flights") as advanced:
        if folder is None:
            return _compute(plan, flight_limit(plan, requirement), None, "", advanced)
        with local_results(folder) as results:
            return _in_folder(plan, requirement, base, results.folder, advanced)


def _in_folder(
    plan: Plan, requirement: str, base: Path, folder: Path, advanced: Progress | None
) -> RareResult:
    with writing(folder, "Choose another folder"):
        folder.mkdir(parents=True, exist_ok=True)
    with folders.lock(folder, folders.WHOLE):
        manifest = _manifest(plan, base, folder)
        limit = flight_limit(plan, requirement)
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
    rare = plan.campaign.rare
    proportion, confidence = plan.campaign.goal(limit.requirement)
    done = 0
    events: list[RareEvent] = []
    for method in (SUBSET, IMPORTANCE):

        def report(count: int, done: int = done) -> None:
            if advanced is not None:
                advanced(done + count, None)

        seed = _seed(plan.campaign.seed, limit.requirement, method)
        batches = Batches(limit, method, rare.most, folder, key, report)
        if method == SUBSET:
            event = subset_simulation(
                batches, limit.inputs, rare.level, rare.runs, confidence=confidence, seed=seed
            )
        else:
            event = importance_sampling(
                batches,
                limit.inputs,
                rare.cases,
                search=rare.search,
                level=rare.level,
                confidence=confidence,
                seed=seed,
            )
        events.append(event)
        done += batches.flights
    allowed = None if proportion is None else 1.0 - proportion
    return RareResult(limit.requirement, (events[0], events[1]), allowed, limit.nearest, limit.flown)


def _seed(seed: int, requirement: str, method: str) -> int:
    """Seed of a method, from the seed of the study and the names."""
    name = json.dumps([seed, "rare", requirement, method]).encode()
    return int.from_bytes(hashlib.blake2b(name, digest_size=8).digest(), "little")
