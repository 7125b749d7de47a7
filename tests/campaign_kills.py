"""Kills processes that run a campaign with kill -9, at random times, and resumes it.

    PYTHONPATH=src:tests .venv/bin/python tests/campaign_kills.py FOLDER [KILLS [JOBS]]

With JOBS, the campaign runs in so many processes, and either the first one or one of the others is killed.
The script prints the number of kills that hit a running campaign, the finished chunks at the last kill, the
number of all chunks, and one line for each difference from the undisturbed campaign.

The flights are arrays by NumPy, so that most of the time goes into drawing, writing and reading chunks, where
a kill could lose something."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

from array_flights import array_plan, differences, fly_arrays
from interstage.studies.campaign import Plan

LONGEST = 30.0
"""Time [s] after which a process is killed in any case."""
CHUNK = 4
FIRST_SHARE = 0.4
"""Probability that the first process is killed, if there are others."""


def chunks_in(folder: Path) -> int:
    return len([*folder.glob("cases-*.parquet")])


def children(pid: int) -> list[int]:
    """Numbers of the processes that a process began."""
    found = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found += [int(word) for word in path.read_text(encoding="utf-8").split()]
    return found


class Campaign:
    """A campaign in a process that can be killed."""

    def __init__(self, plan: Plan, folder: Path, jobs: int | None):
        self.folder, self._status = folder, 0
        self.pid = os.fork()
        if self.pid == 0:
            code = 1
            with suppress(Exception):  # processes that were killed three times at one chunk
                fly_arrays(plan, folder, jobs)
                code = 0
            os._exit(code)

    def runs(self) -> bool:
        if self.pid:
            ended, _ = os.waitpid(self.pid, os.WNOHANG)
            if ended:
                self.pid = 0
        return bool(self.pid)

    def wait_for(self, chunks: int) -> None:
        """Wait until the campaign wrote so many more chunks, or ended."""
        before, clock = chunks_in(self.folder), time.monotonic()
        while chunks_in(self.folder) < before + chunks and time.monotonic() - clock < LONGEST and self.runs():
            time.sleep(0.0005)

    def kill(self, first: bool, draw: random.Random) -> bool:
        """Kill the first process, or one of the others. Returns whether the campaign was running."""
        if not self.runs():
            return False
        others = [] if first else children(self.pid)
        target = draw.choice(others) if others else self.pid
        with suppress(ProcessLookupError):
            os.kill(target, signal.SIGKILL)
        if target == self.pid:
            os.waitpid(self.pid, 0)
            self.pid = 0
        return True


def main(folder: Path, kills: int, jobs: int | None) -> None:
    cases = CHUNK * max(150, 8 * kills)  # all kills together come before the last chunk
    plan = array_plan(cases=cases, chunk=CHUNK)
    whole = fly_arrays(plan, folder / "whole")
    draw, hits, rounds = random.Random(1), 0, 0
    killed = folder / "killed"
    killed.mkdir()
    while hits < kills and rounds < 3 * kills:
        one, rounds = Campaign(plan, killed, jobs), rounds + 1
        while one.runs() and hits < kills:
            one.wait_for(draw.randint(0, 5))
            time.sleep(0.006 * draw.random())  # a chunk takes some 3 ms
            hits += one.kill(jobs is None or draw.random() < FIRST_SHARE, draw)
        one.kill(True, draw)
    partly = chunks_in(killed)
    time.sleep(1.5)  # the others end when they miss the first process
    resumed = fly_arrays(plan, killed)
    print(hits, partly, cases // CHUNK)
    print(*differences(whole, resumed), *(path.name for path in killed.glob(".*")), sep="\n", end="")


if __name__ == "__main__":
    words = sys.argv[2:]
    main(Path(sys.argv[1]), int(words[0]) if words else 20, int(words[1]) if len(words) > 1 else None)
