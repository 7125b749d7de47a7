"""Campaigns with cases that hang: they are found, counted and listed, and the others keep their bits."""

from __future__ import annotations

import math
import time
from pathlib import Path

import numpy as np
import pytest

import interstage as ist
from array_flights import HEAVY, STUDY, HangingFlights, array_plan, differences, fly_arrays
from interstage.reading import loads
from interstage.studies.campaign import first_settings, printed, processes, run
from interstage.studies.campaign.first_flight import default_settings
from interstage.studies.campaign.folder import Range
from interstage.studies.campaign.time_limit import (
    LimitedFlights,
    TimeLimit,
    TookTooLong,
    duration,
    pieces_of,
    seconds_of,
    slow_report,
)
from interstage.tree.errors import BadInput, InterstageError

EXAMPLE = Path(__file__).parents[2] / "examples" / "first.toml"


# --- limits


def test_limits():
    limit = TimeLimit()
    chunk = Range(0, 128)
    assert limit.of(chunk) == 3600
    limit.add(chunk, 12.8)
    assert limit.of(chunk) == 600
    limit.add(Range(128, 192), 64.0)  # one second a case
    assert limit.of(chunk) == 20 * 128
    assert limit.of(Range(5, 6)) == 600
    declared = TimeLimit(5.0)
    declared.add(chunk, 1000.0)
    assert declared.of(chunk) == 5


def test_texts_of_limits():
    assert [seconds_of(text) for text in ("10 min", "600", 5, "inf", None)] == [600, 600, 5, math.inf, None]
    for bad in ("10 m", "-1 s", "soon"):
        with pytest.raises(BadInput, match=r'--chunk-timeout: .*Give a time, such as "10 min"'):
            seconds_of(bad)
    assert [duration(t) for t in (7200, 600, 45, 90, 0.25)] == ["2 h", "10 min", "45 s", "1.5 min", "0.25 s"]


def test_pieces_cover_a_range_once():
    for first, last in ((0, 128), (5, 6), (7, 20), (0, 8), (3, 12)):
        pieces = pieces_of(Range(first, last))
        assert [case for one in pieces for case in range(*one)] == [*range(first, last)]
        assert len(pieces) == min(8, last - first)


# --- the search for the cases that hang, without processes


class Cases:
    """Stands for processes: ranges with a case that hangs take too long. Keeps all ranges."""

    def __init__(self, hanging: set[int], slow: int = 10**9):
        self.plan = array_plan(cases=200, chunk=128)
        responses = run.responses_of(self.plan)
        self.flights = HangingFlights(self.plan, responses, default_settings())
        self.hanging, self.slow = hanging, slow
        self.ranges: list[tuple[int, int]] = []
        self.written: list = []
        self.notices: list[str] = []

    def fly(self, cases, write, seconds):
        self.ranges.append(tuple(cases))
        if self.hanging & {*range(*cases)} or cases.last - cases.first >= self.slow:
            raise TookTooLong
        columns = super(HangingFlights, self.flights).fly(*cases)
        return self.write(columns) if write else columns

    def write(self, columns):
        self.written.append(columns)
        return Path("chunk")

    def run(self, cases: Range) -> None:
        LimitedFlights(self.fly, self, TimeLimit(5.0), self.notices.append).fly(cases)


def test_a_case_that_hangs_is_found_in_few_ranges():
    one = Cases({0, 77})
    one.run(Range(0, 128))
    (columns,) = one.written
    assert columns["case"].tolist() == [*range(128)]
    (bad,) = (columns["outcome"] == "no number").nonzero()
    assert bad.tolist() == [0, 77]
    assert columns["reason"][77] == "the flight did not end within 5 s"
    assert np.isnan(columns["response.stage / satellite speed, devices spent"][[0, 77]]).all()
    assert (columns["verdict.tip_off"][[0, 77]] == -1).all()
    drawn = one.plan.draw(0, 128).inputs["mass"]
    assert columns["input.mass"].tolist() == drawn.tolist()
    speeds = columns["response.stage / satellite speed, devices spent"]
    assert (np.delete(speeds, [0, 77]) == np.delete(drawn, [0, 77])).all()
    assert len(one.ranges) == 1 + 8 + 2 * (8 + 2)
    assert "The cases 0 to 127 took longer than 5 s" in one.notices[0]
    assert one.notices[1].startswith("Case 0: the flight did not end within 5 s")


def test_a_chunk_that_was_only_slow_loses_nothing():
    one = Cases(set(), slow=128)
    one.run(Range(0, 128))
    assert one.written[0]["case"].tolist() == [*range(128)]
    assert {*one.written[0]["outcome"]} == {"completed"}


def test_a_chunk_of_one_case_is_tried_again_once():
    one = Cases({7})
    one.run(Range(7, 8))
    assert one.ranges == [(7, 8), (7, 8)]
    assert one.written[0]["outcome"].tolist() == ["no number"]


def test_a_limit_that_is_too_short_ends_the_campaign():
    one = Cases({*range(128)})
    with pytest.raises(InterstageError, match=r"in 8 ranges, and each took longer than 5 s.*--chunk-timeout"):
        one.run(Range(0, 128))
    assert one.written == []
    assert len(one.ranges) == 9


# --- processes that are ended


def test_processes_that_hang_are_ended(tmp_path):
    plan = array_plan(cases=16, chunk=8, seed=4)
    heavy = plan.draw().inputs["mass"] > HEAVY
    assert heavy[:8].nonzero()[0].tolist() == [1]
    shown: list[str] = []
    found = fly_arrays(plan, tmp_path / "hung", 2, 3.0, flights=HangingFlights, notice=shown.append)
    assert found.complete
    assert ((found.outcomes == "no number") == heavy).all()
    assert any("each case is flown again in a smaller range" in text for text in shown)
    whole = fly_arrays(plan, tmp_path / "whole")
    for name in ("input.mass", "response.stage / satellite speed, devices spent"):
        rows = ~heavy if name.startswith("response") else heavy | True
        assert found.columns[name][rows].tolist() == whole.columns[name][rows].tolist()
    listed = printed.failed_table(found, "SI")
    assert len(listed.rows) == heavy.sum()
    assert "did not end within 3 s" in str(listed.rows)
    assert f"{found['mass'][heavy][0]:.5g}"[:5] in str(listed.rows)
    # The chunks are there: nothing hangs again.
    again = fly_arrays(plan, tmp_path / "hung", 2, 3.0, flights=HangingFlights)
    assert differences(found, again) == []


@pytest.mark.long
def test_a_flight_that_hangs_in_a_compiled_program(tmp_path):
    """A user-defined force that never returns, also in the case that sets the number of steps."""
    text = EXAMPLE.read_text(encoding="utf-8").replace('elapsed = "5 s"', 'elapsed = "0.5 s"')
    text += '\n[forces.hang]\nkind = "user"\nclass = "hanging_force:Hanging"\n'
    text += 'parameters = { body = "satellite", delay = -1.0 }\n'
    values = {"path": "forces.hang.parameters.delay", "values": [-1.0, 1.0], "probabilities": [0.9, 0.1]}
    study = {"cases": 24, "chunk": 16, "seed": 3, "dispersions": {"hang": values}}
    scenario = loads(text)
    found = scenario.campaign(study, tmp_path, chunk_timeout="30 s", jobs=1, progress=False)
    hangs = found["hang"] > 0
    assert hangs.any()
    assert ((found.outcomes == "no number") == hangs).all()
    assert (found.outcomes[~hangs] == "completed").all()
    without = fly_without(scenario, study, hangs)
    speed = "response.stage / satellite speed, devices spent"
    assert found.columns[speed][~hangs].tolist() == without[~hangs].tolist()


def fly_without(scenario: ist.Scenario, study: dict, hangs: np.ndarray) -> np.ndarray:
    """Speeds of the cases that do not hang, each flown as a batch of one case."""
    plan = run.make_plan(scenario, run.study_of(study), None)
    responses = run.responses_of(plan)
    first = first_settings.first_flight_from(plan, responses, int(np.argmin(hangs)))
    assert first is not None
    flights = run.CaseFlights(plan, responses, *first)
    speed = "response.stage / satellite speed, devices spent"
    return np.array([np.nan if hung else flights.fly(k, k + 1)[speed][0] for k, hung in enumerate(hangs)])


def test_settings_leave_out_a_first_case_that_hangs(monkeypatch):
    shown: list[str] = []
    plan = array_plan(cases=5)

    def ask(self, request, limit):
        if request.case < 2:
            raise TookTooLong(f"{request.name} took longer than {duration(limit)}")
        return request.case

    monkeypatch.setattr(processes.Processes, "ask", ask)
    assert first_settings.first_within(plan, (), TimeLimit(4.0), shown.append) == 2
    assert [text.partition(",")[0] for text in shown] == [
        "Case 0 took longer than 4 s",
        "Case 1 took longer than 4 s",
    ]


def test_a_slow_first_case_in_this_process_is_reported(monkeypatch):
    shown: list[str] = []

    def slow(plan, responses):
        while not shown:
            time.sleep(0.01)
        return default_settings()

    monkeypatch.setattr(first_settings, "FIRST", 0.01)
    monkeypatch.setattr(first_settings, "first_flight", slow)
    first_settings.first_within(array_plan(cases=5), (), TimeLimit(), shown.append)
    assert shown[0].startswith("The first case did not end within")


def test_a_slow_range_in_this_process_is_reported():
    shown: list[str] = []
    with slow_report(Range(0, 8), TimeLimit(0.01), shown.append):
        while not shown:
            time.sleep(0.01)
    assert "The cases 0 to 7 did not end within 0.01 s" in shown[0]
    assert "run the command with --jobs 1" in shown[0]
    limit = TimeLimit(math.inf)
    with slow_report(Range(0, 8), limit, shown.append):
        pass
    assert len(shown) == 1


def test_a_limit_needs_a_folder():
    with pytest.raises(BadInput, match=r"folder: .* chunk_timeout"):
        array_plan().scenario.campaign(STUDY, chunk_timeout=5)
