"""Faults of disks, clocks and users: no finished chunk is lost, and no case is counted twice.

Kills, damaged chunks and chunks of other versions are in `test_campaign_run.py`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from array_flights import array_plan, differences, fly_arrays
from interstage.studies.campaign import folder as folders
from interstage.studies.campaign.chunk_file import chunk_files

CASES, CHUNK = 120, 8
FULL_DISK = """
import resource, sys
from pathlib import Path
from array_flights import array_plan, fly_arrays
from interstage.tree.errors import BadInput

folder, limit, jobs = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) or None
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    fly_arrays(array_plan(cases=%d, chunk=%d), folder, jobs)
except BadInput as error:
    print(error)
"""
RUN = """
import sys
from contextlib import nullcontext
from pathlib import Path
from array_flights import SlowFlights, array_plan, fly_arrays
from interstage.studies.campaign import folder as folders
from interstage.tree.errors import BadInput

if sys.argv[2] == "unseen":
    folders.lock = lambda folder, part: nullcontext()
try:
    print(fly_arrays(array_plan(cases=%d, chunk=%d), Path(sys.argv[1]), flights=SlowFlights).summary)
except BadInput as error:
    print(error)
"""


@pytest.fixture(scope="module")
def plan():
    return array_plan(cases=CASES, chunk=CHUNK)


@pytest.fixture(scope="module")
def home(plan, tmp_path_factory) -> Path:
    """Folder with the whole campaign."""
    folder = tmp_path_factory.mktemp("faults") / "whole"
    fly_arrays(plan, folder)
    return folder


@pytest.fixture
def whole(plan, home):
    return fly_arrays(plan, home)


@pytest.fixture
def copy(home, tmp_path) -> Path:
    return Path(shutil.copytree(home, tmp_path / "copy"))


def begin(script: str, *words: object, before: tuple[str, ...] = ()) -> subprocess.Popen[str]:
    """Begin a Python script in another process."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [*before, sys.executable, "-c", script % (CASES, CHUNK), *map(str, words)]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def output(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out


# --- disks


@pytest.mark.parametrize("jobs", [pytest.param(0, marks=pytest.mark.long), 2])
def test_files_that_cannot_grow_are_reported(plan, whole, copy, jobs):
    """A limit of the size of files, as by a quota, also in other processes."""
    for file in chunk_files(copy)[3:]:
        file.path.unlink()
    out = output(begin(FULL_DISK, copy, 1000, jobs))
    assert "cases-0000000" in out  # a chunk
    assert "File too large. Free some space and run the same command again" in out
    assert len(out.splitlines()) == 1
    assert len(chunk_files(copy)) == 3
    assert [path.name for path in copy.glob(".*")] == []
    assert differences(whole, fly_arrays(plan, copy)) == []


def test_a_full_disk_is_reported(plan, whole, tmp_path):
    """A file system of 64 kB in memory, in a name space of its own."""
    own = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c")
    small, saved = tmp_path / "small", tmp_path / "saved"
    small.mkdir()
    mount = f"mount -t tmpfs -o size=64k none '{small}'"
    if shutil.which("unshare") is None or subprocess.run([*own, mount], capture_output=True).returncode:
        pytest.skip("mounting needs more rights")
    script = f"{mount} && \"$@\"; cp -r '{small}' '{saved}'"
    out = output(begin(FULL_DISK, small, 0, 0, before=(*own, script, "sh")))
    assert "No space left on device. Free some space and run the same command again" in out
    assert 0 < len(chunk_files(saved)) < CASES // CHUNK
    assert [*saved.glob(".*")] == []
    assert differences(whole, fly_arrays(plan, saved)) == []


# --- two campaigns at the same time


@pytest.mark.long
def test_two_campaigns_in_one_folder_at_the_same_time(plan, whole, tmp_path):
    folder = tmp_path / "both"
    outs = sorted(output(one) for one in [begin(RUN, folder, "seen"), begin(RUN, folder, "seen")])
    assert any(f"'{folder}' is in use: process" in out for out in outs)
    assert any("120 cases: all completed." in out for out in outs)
    assert differences(whole, fly_arrays(plan, folder)) == []


def test_two_machines_that_do_not_see_each_other(plan, whole, tmp_path):
    folder = tmp_path / "both"
    outs = [output(one) for one in [begin(RUN, folder, "unseen"), begin(RUN, folder, "unseen")]]
    assert outs == ["120 cases: all completed.\n"] * 2
    files = chunk_files(folder)
    assert len(files) == CASES // CHUNK
    assert sum(file.last - file.first for file in files) == CASES
    assert differences(whole, fly_arrays(plan, folder)) == []


def test_chunks_that_overlap_are_counted_once(plan, whole, copy, tmp_path):
    """Two folders with other sizes of chunks, copied together."""
    other = array_plan(cases=CASES, chunk=25)
    fly_arrays(other, tmp_path / "other")
    for file in chunk_files(tmp_path / "other")[1:]:
        shutil.copy(file.path, copy)
    found = fly_arrays(plan, copy)
    assert found.case_numbers.tolist() == [*range(CASES)]
    assert differences(whole, found) == []


# --- clocks


def test_a_clock_that_is_set_back_changes_nothing(plan, whole, copy, monkeypatch):
    """Files of the future, and a clock that runs backwards."""
    for file in chunk_files(copy)[::2]:
        file.path.unlink()
    for path in copy.iterdir():
        os.utime(path, (4e9, 4e9))
    times = iter(np.arange(2e9, 0, -1e5))
    monkeypatch.setattr(time, "time", lambda: float(next(times)))
    found = fly_arrays(plan, copy)
    assert found.complete
    assert differences(whole, found) == []
    assert len(chunk_files(copy)) == CASES // CHUNK
    assert not (copy / folders.SET_ASIDE).exists()
