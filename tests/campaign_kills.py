"""Kills processes that run a campaign with kill -9, at random times, and resumes it. A script: it prints the
number of kills, of those asked for, that hit a running campaign; the chunks that they left of 150; and one
line for each difference from the whole campaign.

The flights are arrays by NumPy, so that most of the time goes into drawing, writing and reading chunks, where
a kill could lose something."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

import numpy as np

import interstage as ist
from interstage.runs.lot import LotSettings
from interstage.studies.campaign import CampaignResult, Plan, run
from interstage.studies.campaign.columns import INPUT, LIMIT, RESPONSE, TEXTS, VERDICT, Columns
from interstage.studies.campaign.flight import CaseFlights
from interstage.studies.campaign.folder import Part

LONGEST = 20.0
"""Time [s] after which a process is killed in any case."""
STUDY = {
    "cases": 600,
    "chunk": 4,
    "seed": 7,
    "dispersions": {"mass": {"path": "bodies.satellite.mass", "sigma": "2 %"}},
}


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


def campaign(plan: Plan, folder: Path) -> CampaignResult:
    return run._in_folder(plan, folder, folder, Part(), run.Run(print, None, False))


def chunks_in(folder: Path) -> int:
    return len([*folder.glob("cases-*.parquet")])


def killed(plan: Plan, folder: Path, chunks: int, seconds: float) -> bool:
    """Whether a process that was killed some seconds after it wrote so many chunks was still running."""
    child, before = os.fork(), chunks_in(folder)
    if child == 0:
        campaign(plan, folder)
        os._exit(0)
    clock = time.monotonic()
    while chunks_in(folder) < before + chunks and time.monotonic() - clock < LONGEST:
        time.sleep(0.0005)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def main(file: str, folder: Path, kills: int) -> None:
    setattr(run, "CaseFlights", ArrayFlights)  # noqa: B010 - as pytest's monkeypatch
    setattr(run, "settings_of", lambda plan, responses: LotSettings(64, {}, False))  # noqa: B010
    plan = run.make_plan(ist.load(file), run.study_of(STUDY), None)
    whole = campaign(plan, folder / "whole")
    draw, hits = random.Random(1), 0
    for _ in range(kills):
        # A chunk takes some 3 ms. All kills together come before the last of the 150 chunks.
        hits += killed(plan, folder / "killed", draw.randint(0, 5), 0.006 * draw.random())
    partly = chunks_in(folder / "killed")
    resumed = campaign(plan, folder / "killed")
    print(hits, partly)
    for name, values in whole.columns.items():
        if values.tolist() != resumed.columns[name].tolist():
            print(f"{name} differs")
    left = [path.name for path in (folder / "killed").glob(".*")]
    print(*left, sep="\n", end="")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
