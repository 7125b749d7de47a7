"""What somebody who waits is told."""

from __future__ import annotations

import logging
import time

import numpy as np
import pytest

from interstage.programs import compiled, progress, store
from interstage.programs.program import configure
from interstage.reading import loads

ONE_BODY = """
bodies.announced = { mass = "100 kg", inertia = "[12, 12, 8] kg m^2", initial = {} }
phases.coast = { until = { time = "0.1 s" } }
"""


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """An empty store, which knows of no times."""
    configure()
    monkeypatch.setenv(store.FOLDER_VARIABLE, str(tmp_path / "store"))
    monkeypatch.delenv(store.SIZE_VARIABLE, raising=False)


def compile_something():
    return compiled.Program(lambda x: 2 * x, compiled.Way(), "tiny", "a structure")(np.ones(3))


def test_lines_say_what_is_waited_for_and_seldom_how_far_it_is(capsys, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    with progress.progress_display() as update:
        assert update is not None
        compile_something()
        for now[0] in (1.0, 9.0, 11.0, 12.0, 25.0, 40.0):
            update(now[0], 40.0)
    told = capsys.readouterr()
    assert told.err.splitlines() == [
        "compiling (scenarios with the same structure reuse the program)",
        "flight time 11 of 40 s",
        "flight time 25 of 40 s",
    ]
    assert told.out == ""


def test_how_long_compiling_takes_is_what_it_took_here_before(capsys, monkeypatch):
    for seconds in (7.6, 8.2, 300.0):
        store.took("tiny", 100, seconds)
    assert store.estimate("tiny", 200) == pytest.approx(2 * 8.2, rel=1e-12)
    assert store.estimate("another", 100) is None
    monkeypatch.setattr(store, "estimate", lambda kind, size: {"tiny": 8.2}[kind])
    with progress.progress_display("penalty") as _:
        compile_something()
    assert (
        capsys.readouterr().err
        == "penalty: compiling, about 8 s (scenarios with the same structure reuse the program)\n"
    )
    monkeypatch.setattr(store, "estimate", lambda kind, size: 0.2)
    with progress.progress_display():
        compile_something()  # not worth a word
    assert capsys.readouterr().err == ""


def test_what_is_compiled_for_one_of_several_is_said(capsys):
    with progress.progress_display(), compiled.meant_for("leg boost"):
        compile_something()
    assert (
        capsys.readouterr().err
        == "leg boost: compiling (scenarios with the same structure reuse the program)\n"
    )


def test_damaged_times_are_none():
    store.took("tiny", 100, 7.6)
    for text in ("", "{", "[[1]]", '{"a": 1}', '[["tiny", "x", 2]]'):
        (store.folder() / store.TIMES).write_text(text)
        assert store.estimate("tiny", 100) is None
    store.took("tiny", 100, 5.0)
    assert store.estimate("tiny", 100) == 5.0


@pytest.mark.parametrize(("seconds", "text"), [(0.2, "1 s"), (8.4, "8 s"), (59.0, "59 s"), (150.0, "2 min")])
def test_times_in_words(seconds, text):
    assert progress.lasting(seconds) == text


def test_in_python_the_logger_is_told_and_the_terminal_is_not(capsys, caplog):
    with caplog.at_level(logging.INFO, "interstage"), progress.progress_reports(None, "cases") as _:
        compile_something()
    assert caplog.messages == ["compiling (scenarios with the same structure reuse the program)"]
    assert capsys.readouterr() == ("", "")
    with caplog.at_level(logging.INFO, "interstage"), progress.progress_reports(False) as update:
        assert update is None
        compile_something()
    assert len(caplog.messages) == 1
    with progress.progress_reports(True):
        compiled.Program(lambda x: 2 * x, compiled.Way(), "other", "a structure")(np.ones(3))
    assert capsys.readouterr().err == "compiling (scenarios with the same structure reuse the program)\n"

    def own(done, end):
        pass

    with progress.progress_reports(own) as update:
        assert update is own


def test_quiet_is_quiet(capsys, monkeypatch):
    monkeypatch.setenv(progress.QUIET_VARIABLE, "1")
    with progress.progress_display() as update:
        assert update is None
        compile_something()
    assert capsys.readouterr().err == ""


def test_the_bar_says_the_same():
    bar = progress._Bar("", "cases")
    assert bar._text() == "preparing"
    bar.waiting(progress.compiling(8.0), "advance")
    assert bar._text() == "compiling, about 8 s (scenarios with the same structure reuse the program)"
    bar.waiting("", "advance")
    bar.update(64.0, 500.0)
    assert bar._text() == "64 of 500 cases"


def test_what_takes_its_time_is_said_and_what_is_quick_is_not(capsys, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.05)
    with progress.progress_display(unit="cases"):
        with progress.doing("checking 36 cases"):
            time.sleep(0.2)
        with progress.doing("judging 36 cases"):
            pass
        time.sleep(0.1)
    assert capsys.readouterr().err == "checking 36 cases\n"
    with progress.doing("nothing"):
        pass
    bar = progress._Bar("", "cases")
    bar.waiting("judging 36 cases", "a", 0.5)
    assert bar._text() == "judging 36 cases"


def test_each_quarter_is_said(capsys, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    with progress.progress_display(unit="cases"):
        for now[0], done in ((1.0, 20), (3.0, 24), (4.0, 30), (5.0, 49), (6.0, 55), (9.0, 74), (18.0, 99)):
            progress.report_progress(done, 100)
    told = capsys.readouterr().err.splitlines()
    # The rate counts from the first report, 20 cases after 1 s: 10 in 3 s, 35 in 5 s, 79 in 17 s.
    assert told == [
        "30 of 100 cases, 3.33 cases/s, 21 s left",
        "55 of 100 cases, 7 cases/s, 6 s left",
        "99 of 100 cases, 4.65 cases/s, 1 s left",
    ]


def test_an_estimated_end_is_called_about(capsys, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    with progress.progress_display(unit="flights", estimated=True) as update:
        assert update is not None
        for now[0], done, end in (
            (1.0, 0, None),
            (12.0, 2200, None),
            (23.0, 4400, 12345),
            (34.0, 6600, 12345),
        ):
            update(done, end)
    assert capsys.readouterr().err.splitlines() == [
        "2200 flights, 200 flights/s",
        "4400 of about 12000 flights, 200 flights/s, about 40 s left",
        "6600 of about 12000 flights, 200 flights/s, about 29 s left",
    ]


def test_a_long_wait_is_reported_again_until_it_is_over(capsys, monkeypatch):
    monkeypatch.setattr(progress, "BETWEEN", 0.1)
    with progress.progress_display(unit="cases"):
        for shown in progress._active:
            shown.waiting("compiling", "one")
        time.sleep(0.35)
        for shown in progress._active:
            shown.waiting("", "one")
        time.sleep(0.25)
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == ["compiling", "compiling; 0 s elapsed"]
    assert 3 <= len(lines) <= 4


def test_the_program_of_a_batch_is_announced_with_its_cases():
    heard: list[compiled.Wait] = []
    scenario = loads(ONE_BODY)
    with compiled.listening(heard.append):
        scenario.run_batch({"bodies.announced.mass": np.linspace(90.0, 110.0, 3)}, together=True)
    purposes = [(wait.name, wait.what) for wait in heard if wait.what]
    assert ("cases", "program for 64 cases at once") in purposes
