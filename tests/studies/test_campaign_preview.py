"""The first cases of a campaign run alone while a program compiles; their results are not stored."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from array_flights import ArrayFlights, CompilingTask, FaultyFlights, array_plan
from interstage.programs import progress
from interstage.programs.compiled import Wait, listening, report_wait
from interstage.studies.campaign import preview, run
from interstage.studies.campaign.first_settings import FirstCase
from interstage.studies.campaign.preview import Preview, previews
from interstage.studies.campaign.processes import TRIES, ProcessEnded, Processes
from interstage.tree.errors import BadInput

LONG = Wait("advance", None, False)
PATIENCE = 60.0
"""Time [s] in which a process must start on a busy machine."""


class Lines:
    """Display of progress that keeps its lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def line(self, text: str) -> None:
        self.lines.append(text)

    def waiting(self, text: str, name: str, after: float = 0.0) -> None: ...
    def update(self, done: float, end: float | None) -> None: ...
    def start(self) -> None: ...
    def stop(self) -> None: ...


@pytest.fixture
def shown(monkeypatch) -> list[str]:
    display = Lines()
    monkeypatch.setattr(progress, "_active", [display])
    return display.lines


def flights_of(kind: type = ArrayFlights) -> Any:
    plan = array_plan()
    return kind(plan, run.responses_of(plan), preview.default_settings())


def wait_for(condition: Callable[[], Any]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_cases_run_until_the_program_is_compiled(shown):
    own = Preview(flights_of(), 5, 10**6)
    own.heard(LONG)
    wait_for(lambda: own._tally.flown > 3)
    own.heard(LONG._replace(over=True))
    assert own._thread is not None
    own._thread.join(PATIENCE)
    assert not own._thread.is_alive()
    own.close()
    flown = own._tally.flown
    mass = own._task.flights.plan.draw(5, 6).inputs["mass"][0]
    first, last = shown
    assert first.startswith("Preview of case 5: completed; ")
    assert f"stage / satellite speed, devices spent = {mass:.2f} m/s" in first
    assert "(met)" in first
    assert last.startswith(f"Preview: {flown} of {flown} cases completed; tip_off is met in {flown}. ")
    assert last.endswith("The campaign runs these cases again")
    time.sleep(0.1)
    assert own._tally.flown == flown


def test_each_new_outcome_is_reported_once(shown):
    own = Preview(flights_of(FaultyFlights), 0, 40)
    own.heard(LONG)
    assert own._thread is not None
    own._thread.join(PATIENCE)
    own.close()
    reports = [line.partition(";")[0] for line in shown]
    assert reports[0] == "Preview of case 0: completed"
    assert reports[1] == "Preview of case 3: no number: 'apart' did not occur"
    assert reports[2:] == ["Preview: 30 of 40 cases completed"]


def test_a_mistake_in_the_study_is_reported_as_later(shown):
    flights = flights_of(FaultyFlights)
    own = Preview(flights, 100, 140)
    own.heard(LONG)
    assert own._thread is not None
    own._thread.join(PATIENCE)
    own.close()
    with pytest.raises(BadInput) as found:
        flights.fly(100, 101)
    assert shown == [f"Preview of case 100: {found.value.problems[0]}"]


def test_short_compilations_begin_nothing(shown):
    own = Preview(flights_of(), 0, 9)
    own.heard(LONG._replace(seconds=0.9 * preview.LONG))
    own.close()
    assert own._thread is None
    assert shown == []


@pytest.mark.parametrize("cores", [1, 2])
def test_nothing_runs_on_one_core_or_unseen(monkeypatch, cores):
    begun: list[Any] = []
    monkeypatch.setattr(preview, "Preview", lambda *how: begun.append(how))
    monkeypatch.setattr(preview, "is_shown", lambda: cores == 1)
    with previews(flights_of(), 0, 9, cores):
        report_wait(LONG)
    assert begun == []


def test_compilations_of_other_processes_are_announced():
    """Also their end, if the process ends meanwhile."""
    heard: list[Wait] = []
    processes = Processes(CompilingTask(), 1)
    try:
        with listening(heard.append):
            assert processes.ask(FirstCase(3)) == 3
            both = [Wait("advance", 40.0, over, "tests") for over in (False, True)]
            assert heard == both
            with pytest.raises(ProcessEnded):
                processes.ask(FirstCase(-1))
    finally:
        processes.close()
    assert heard == both * (1 + TRIES)


@pytest.mark.long
def test_results_do_not_depend_on_a_preview(tmp_path, monkeypatch, long_flights):
    """A campaign whose cases run together compiles a program, which an empty store does not have."""
    monkeypatch.setenv("INTERSTAGE_CACHE_DIR", str(tmp_path / "store"))
    scenario = array_plan().scenario
    study = {
        "cases": 200,
        "chunk": 100,
        "dispersions": {"mass": {"path": "bodies.satellite.mass", "sigma": "2 %"}},
    }
    monkeypatch.setattr("interstage.runs.lot.STEPS_ALONE", 0)
    begun: list[int] = []

    class Counted(Processes):
        def __init__(self, *how: Any):
            begun.append(how[1])
            super().__init__(*how)

    monkeypatch.setattr(preview, "Processes", Counted)
    first = scenario.campaign(study, tmp_path / "seen")
    second = scenario.campaign(study, tmp_path / "unseen", progress=False)
    assert begun == [1]
    for name, values in first.columns.items():
        assert values.tolist() == second.columns[name].tolist(), name
