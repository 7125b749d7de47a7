"""Flights of campaigns that are arrays by NumPy, for tests of chunks, processes and folders."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import interstage as ist
from interstage.programs.compiled import Wait, report_wait
from interstage.runs.lot import LotSettings
from interstage.studies.campaign import CampaignResult, Plan, run
from interstage.studies.campaign.columns import INPUT, LIMIT, RESPONSE, TEXTS, VERDICT, Columns
from interstage.studies.campaign.first_flight import FirstFlight
from interstage.studies.campaign.first_settings import FirstCase
from interstage.studies.campaign.flight import CaseFlights
from interstage.studies.campaign.folder import Part
from interstage.studies.campaign.object_store import LocalResults
from interstage.studies.campaign.time_limit import Notice, TimeLimit
from interstage.tree.errors import BadInput, Problem

STUDY: dict[str, Any] = {
    "cases": 600,
    "chunk": 4,
    "seed": 7,
    "dispersions": {"mass": {"path": "bodies.satellite.mass", "sigma": "2 %"}},
}
SETTINGS = LotSettings(64, {}, False)
FIRST = Path(__file__).parents[1] / "examples" / "first.toml"
ENDLESS = 3600.0
HEAVY = 104.0
"""Mass [kg] above which a flight hangs: two standard deviations."""


class ArrayFlights(CaseFlights):
    """Cases whose responses are the drawn mass."""

    def fly(self, first: int, last: int, threads: int = 2, before: tuple[int, int] | None = None) -> Columns:
        draws = self.plan.draw(first, last)
        found: Columns = {"case": np.arange(first, last), "weight": draws.weights}
        for name in self.names.columns[2:]:
            if name.startswith((INPUT, RESPONSE, LIMIT)):
                found[name] = draws.inputs["mass"]
            elif name.startswith(VERDICT):
                found[name] = np.ones(last - first, np.int8)
            elif name in TEXTS:
                found[name] = np.full(last - first, "completed" if name == "outcome" else "", object)
        return found


class FaultyFlights(ArrayFlights):
    """The same, but each fourth case has no number, and from case 100 on the study has a mistake."""

    def fly(self, first: int, last: int, threads: int = 2, before: tuple[int, int] | None = None) -> Columns:
        if first >= 100:
            raise BadInput(Problem("dispersions.mass", "the draws were not applied"))
        found = super().fly(first, last, threads, before)
        faulty = found["case"] % 4 == 3
        found["outcome"][faulty], found["reason"][faulty] = "no number", "'apart' did not occur"
        return found


class CompilingTask(NamedTuple):
    """A task whose answers need a compilation. With a negative request, the process ends meanwhile."""

    def answer(self, request: FirstCase) -> int:
        wait = Wait("advance", 40.0, False, "tests")
        report_wait(wait)
        if request.case < 0:
            os._exit(3)
        report_wait(wait._replace(over=True))
        return request.case


class HangingFlights(ArrayFlights):
    """The same, but cases with a large mass hang."""

    def fly(self, first: int, last: int, threads: int = 2, before: tuple[int, int] | None = None) -> Columns:
        found = super().fly(first, last, threads, before)
        if (found["response.stage / satellite speed, devices spent"] > HEAVY).any():
            time.sleep(ENDLESS)
        return found


class SlowFlights(ArrayFlights):
    """The same, but a chunk takes a third of a second."""

    def fly(self, first: int, last: int, threads: int = 2, before: tuple[int, int] | None = None) -> Columns:
        time.sleep(0.3)
        return super().fly(first, last, threads, before)


def array_plan(**study: Any) -> Plan:
    """The plan of a campaign of `first.toml`."""
    return run.make_plan(ist.load(FIRST), run.study_of({**STUDY, **study}), None)


def fly_arrays(
    plan: Plan,
    folder: Path,
    jobs: int | None = None,
    limit: float | None = None,
    part: Part | None = None,
    flights: type[CaseFlights] = ArrayFlights,
    notice: Notice = print,
    dask: str | None = None,
    device: str | None = None,
) -> CampaignResult:
    """Fly a campaign by arrays into a folder."""
    how = run.Run(notice, jobs, False, TimeLimit(limit), dask, device)
    kept = run.CaseFlights, run.first_within
    setattr(run, "CaseFlights", flights)  # noqa: B010 - as pytest's monkeypatch
    setattr(run, "first_within", lambda *_: FirstFlight(SETTINGS))  # noqa: B010
    try:
        return run._in_folder(plan, FIRST.parent, LocalResults(folder), part or Part(), how)
    finally:
        run.CaseFlights, run.first_within = kept


def differences(one: CampaignResult, other: CampaignResult) -> list[str]:
    """Names of columns that are not bit-equal."""

    def bits(values: np.ndarray) -> Any:
        return values.tolist() if values.dtype == object else (values.dtype, values.tobytes())

    return [name for name, values in one.columns.items() if bits(values) != bits(other.columns[name])]
