"""Campaigns by the workers of dask.distributed: the same bits, also if workers or the scheduler are lost."""

from __future__ import annotations

import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from array_flights import HEAVY, HangingFlights, SlowFlights, array_plan, differences, fly_arrays
from interstage.studies.campaign import dask_cluster, run
from interstage.studies.campaign.dask_cluster import ClusterLost, Order, fly_order, versions
from interstage.studies.campaign.folder import Range
from interstage.studies.campaign.time_limit import TimeLimit
from interstage.tree.errors import BadInput

WAIT = 60.0


@pytest.fixture(scope="module")
def plan() -> Any:
    return array_plan(cases=60, chunk=4)


@pytest.fixture
def whole(plan, tmp_path) -> Any:
    return fly_arrays(plan, tmp_path / "whole")


class Cluster:
    """A scheduler and workers without nannies, each in a process that can be killed."""

    def __init__(self, folder: Path, workers: int):
        pytest.importorskip("distributed")
        self.file, self._log = folder / "scheduler.json", open(folder / "log.txt", "w")  # noqa: SIM115
        self.scheduler = self._begin("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.address = wait_for(lambda: json.loads(self.file.read_text())["address"])
        how = ("--no-nanny", "--nthreads", "1", "--no-dashboard", "--memory-limit", "0")
        self.workers = [self._begin("worker", *how) for _ in range(workers)]

    def _begin(self, kind: str, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--scheduler-file", str(self.file)]
        # A scheduler does not import Interstage.
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path) if kind == "worker" else ""}
        return subprocess.Popen([*command, *words], env=env, stdout=self._log, stderr=self._log)

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()
        self._log.close()


@pytest.fixture
def cluster(tmp_path) -> Iterator[Any]:
    with ExitStack() as stack:

        def begin(workers: int) -> Cluster:
            found = Cluster(tmp_path, workers)
            stack.callback(found.end)
            return found

        yield begin


def wait_for(value: Any) -> Any:
    clock = time.monotonic()
    while time.monotonic() - clock < WAIT:
        try:
            if found := value():
                return found
        except (OSError, ValueError, KeyError):
            pass
        time.sleep(0.05)
    raise TimeoutError


def chunks_in(folder: Path) -> int:
    return len([*folder.glob("cases-*.parquet")])


def kill_after(
    folder: Path, chunks: int, process: subprocess.Popen[bytes], how: int = signal.SIGKILL
) -> threading.Thread:
    """Kill a process, or stop it, when a folder has so many chunks."""

    def kill() -> None:
        wait_for(lambda: chunks_in(folder) >= chunks)
        process.send_signal(how)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


def test_a_local_cluster_has_the_same_bits(plan, whole, tmp_path):
    pytest.importorskip("distributed")
    found = fly_arrays(plan, tmp_path / "local", 2, dask="local")
    assert found.complete
    assert differences(whole, found) == []


def test_a_lost_worker_is_replaced(plan, whole, tmp_path, cluster):
    two, folder = cluster(2), tmp_path / "lost"
    thread = kill_after(folder, 4, two.workers[0])
    found = fly_arrays(plan, folder, dask=two.address, flights=SlowFlights)
    thread.join()
    assert two.workers[0].wait() == -signal.SIGKILL
    assert two.workers[1].poll() is None
    assert differences(whole, found) == []


def test_a_lost_scheduler_leaves_a_folder_that_a_plain_run_completes(plan, whole, tmp_path, cluster):
    one, folder = cluster(1), tmp_path / "lost"
    thread = kill_after(folder, 3, one.scheduler)
    with pytest.raises(
        ClusterLost, match=r"The connection to the scheduler is lost. Finished chunks are kept"
    ):
        fly_arrays(plan, folder, dask=one.address, flights=SlowFlights)
    thread.join()
    assert 3 <= chunks_in(folder) < 15
    assert differences(whole, fly_arrays(plan, folder)) == []


def test_a_scheduler_that_stops_answering_ends_the_campaign(plan, tmp_path, cluster, monkeypatch):
    one, folder = cluster(1), tmp_path / "stopped"
    monkeypatch.setattr(dask_cluster, "ASK", 0.5)
    monkeypatch.setattr(dask_cluster, "CONNECT", 5.0)
    thread = kill_after(folder, 2, one.scheduler, signal.SIGSTOP)
    with pytest.raises(ClusterLost, match=r"The connection to the scheduler is lost. Finished"):
        fly_arrays(plan, folder, dask=one.address, flights=SlowFlights)
    thread.join()


def test_a_case_that_hangs_on_a_worker_has_no_number(tmp_path):
    pytest.importorskip("distributed")
    plan, shown = array_plan(cases=8, chunk=8, seed=4), []  # case 1 hangs
    heavy = plan.draw().inputs["mass"] > HEAVY
    assert heavy.any()
    found = fly_arrays(plan, tmp_path, 1, 3.0, flights=HangingFlights, dask="local", notice=shown.append)
    assert ((found.outcomes == "no number") == heavy).all()
    assert any("It has no number" in text for text in shown)


def test_a_scheduler_that_does_not_answer(plan, tmp_path, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(dask_cluster, "CONNECT", 1.0)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(BadInput, match=f"--dask: the scheduler '{address}' does not answer within 1 s"):
            fly_arrays(plan, tmp_path / "silent", dask=address)
    with pytest.raises(BadInput, match="--dask: 'nowhere://x' is not the address of a scheduler"):
        fly_arrays(plan, tmp_path / "nowhere", dask="nowhere://x")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"jax": "0.0.1"}, r"has jax .*, but this process has 0.0.1"),
        ({}, r"does not have the folder '/not/shared'. Use a folder that all"),
    ],
)
def test_a_worker_of_another_kind_is_rejected(change, message):
    order = pickle.dumps(Order(Range(0, 4), b"", TimeLimit(), "/not/shared", "key"))
    answer = pickle.loads(fly_order(order, {**versions(), **change}))
    with pytest.raises(BadInput, match=message):
        raise answer.error


def test_options_of_clusters(monkeypatch):
    monkeypatch.setattr(run, "require_dask", lambda: None)
    run.check_cluster("local", 2)
    with pytest.raises(BadInput, match="--jobs has an effect with --dask local only"):
        run.check_cluster("tcp://127.0.0.1:8786", 2)


def test_distributed_is_named_if_it_is_missing(monkeypatch):
    monkeypatch.setattr(dask_cluster.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"needs dask.distributed. Run pip install 'interstage\[dask\]'"):
        run.check_cluster("local", None)


def test_a_study_is_not_imported_with_dask():
    """A plain campaign does not import dask, pyarrow or yaml before they are needed."""
    text = "import sys, interstage.studies.campaign.run, interstage.studies.campaign.command as c\n"
    text += "print([name for name in ('dask', 'distributed', 'pyarrow', 'yaml') if name in sys.modules])"
    words = [sys.executable, "-c", text]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run(words, env=env, capture_output=True, text=True).stdout.strip() == "[]"
