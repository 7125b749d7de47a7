"""A command compiles the program of a flight in a second process while NumPy attempts the flight."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from interstage.programs import program, store, workers
from interstage.reading import loads
from interstage.runs import ahead
from interstage.runs import run as simulate
from interstage.runs.short import JUDGED

OSCILLATOR = """
gravity = "none"
bodies.base = { mass = 30, inertia = [3, 3, 3], initial = {} }
bodies.mass = { mass = 20, inertia = [2, 2, 2], initial = { position = [1, 0, 0] } }
forces.spring = { kind = "spring", parent = "base", child = "mass", stiffness = 500, free_length = 0.8 }
[phases.swing]
until = { time = "END s" }
"""


@pytest.fixture
def begun(monkeypatch, tmp_path):
    """An empty store, and a list of the processes that were started."""
    monkeypatch.setenv(store.FOLDER_VARIABLE, str(tmp_path / "store"))
    monkeypatch.delenv(store.SIZE_VARIABLE, raising=False)
    monkeypatch.setattr(ahead, "of_use_early", lambda: True)
    monkeypatch.setattr(ahead, "_cores", lambda: 2)
    real, begun = workers.begin_process, []
    monkeypatch.setattr(workers, "begin_process", lambda *args: (begun.append(real(*args)), begun[-1])[1])
    program.forget()
    yield begun
    program.forget()
    assert all(process.poll() is not None for process in begun)  # no process remains
    assert not [*Path(tmp_path).rglob("*.part")]


def position(end: str, early: bool) -> np.ndarray:
    record = simulate.fly(loads(OSCILLATOR.replace("END", end)), progress=False, early=early)
    return record.series["bodies.mass.position"]


@pytest.mark.parametrize("end", ["30", "0.2"], ids=["long", "short"])
def test_the_second_process_does_not_change_the_results(begun, end):
    found = position(end, early=True)
    assert len(begun) == 1
    np.testing.assert_array_equal(found, position(end, early=False))


@pytest.mark.parametrize("end", ["30", "0.2"], ids=["long", "short"])
def test_a_second_run_starts_no_process(begun, end):
    position(end, early=True)
    position(end, early=True)
    assert len(begun) == 1


def test_a_longer_flight_of_a_short_structure_starts_no_process(begun):
    position("0.2", early=True)
    found = position("30", early=True)
    assert len(begun) == 1
    np.testing.assert_array_equal(found, position("30", early=False))


def test_a_second_process_that_dies_is_replaced_by_a_compilation_here(begun, monkeypatch):
    real = workers._ask
    monkeypatch.setattr(workers, "_ask", lambda process, text: (process.kill(), real(process, text))[1])
    found = position("30", early=True)
    np.testing.assert_array_equal(found, position("30", early=False))


def test_ctrl_c_leaves_no_process(begun):
    calls = []

    def stop(time: float, end: float | None) -> None:
        calls.append(time)
        if len(calls) == JUDGED:  # the program has just been requested
            raise KeyboardInterrupt

    record = simulate.fly(loads(OSCILLATOR.replace("END", "30")), progress=stop, early=True)
    assert not record.completed
    assert len(begun) == 1


def test_incomplete_files_of_a_stopped_process_are_removed(begun, tmp_path):
    (tmp_path / "store").mkdir(mode=0o700)
    mine, other = (tmp_path / "store" / f".x.program.{k}-0.part" for k in (os.getpid(), os.getpid() + 1))
    mine.touch()
    other.touch()
    store.remove_drafts(os.getpid())
    assert (mine.exists(), other.exists()) == (False, True)
    other.unlink()
