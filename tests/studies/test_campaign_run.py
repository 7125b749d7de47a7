"""Campaigns: the bits of a case do not depend on chunks, processes, kills or enlargements; nothing is lost.

All flights of this file are of one structure, a short first separation."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import interstage as ist
from interstage.cli import main as cli
from interstage.runs.lot import LotSettings
from interstage.statistics.intervals import Interval
from interstage.statistics.rare import RareEvent
from interstage.studies.campaign import (
    CampaignResult,
    RareResult,
    chunk_file,
    chunk_size,
    open_campaign,
    processes,
    run,
)
from interstage.studies.campaign.chunk_file import chunk_files
from interstage.studies.campaign.chunk_size import WIDTH
from interstage.studies.campaign.columns import (
    BROKEN,
    COMPLETED,
    EARLY,
    MET,
    NO_NUMBER,
    NO_VERDICT,
    NOT_STARTED,
    VERDICT,
    join_parts,
)
from interstage.studies.campaign.first_order import CampaignFirstOrder, FirstOrderResponse
from interstage.studies.campaign.flight import CaseFlights, _outcome, _verdict, draw_range
from interstage.studies.campaign.folder import Part, lock, missing_ranges
from interstage.studies.judged import Judged
from interstage.tree.errors import BadInput

ROOT = Path(__file__).parents[2]
CASES = 24
STUDY: dict[str, Any] = {
    "scenario": "short.toml",
    "cases": CASES,
    "chunk": 8,
    "seed": 3,
    "dispersions": {
        "mass": {"path": "bodies.satellite.mass", "sigma": "2 %"},
        "offset": {
            "path": ["devices.spring.parent_at.x", "devices.spring.parent_at.y"],
            "sigma": "4 mm",
        },
    },
}


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    """Folder with the scenario and the study as files."""
    folder = tmp_path_factory.mktemp("campaign")
    text = (ROOT / "examples" / "first.toml").read_text(encoding="utf-8")
    text = text.replace('elapsed = "5 s"', 'elapsed = "0.5 s"').replace('time = "1 s"', 'time = "0.1 s"')
    (folder / "short.toml").write_text(text, encoding="utf-8")
    lines = [f"{key} = {json.dumps(value)}" for key, value in STUDY.items() if key != "dispersions"]
    for name, one in STUDY["dispersions"].items():
        lines += [f"[dispersions.{name}]", *(f"{key} = {json.dumps(value)}" for key, value in one.items())]
    (folder / "study.toml").write_text("\n".join(lines), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def scenario(home) -> ist.Scenario:
    return ist.load(home / "short.toml")


@pytest.fixture(scope="module")
def whole(scenario, home) -> CampaignResult:
    """All cases, in this process, in a folder."""
    return fly(scenario, home / "whole")


@pytest.fixture
def copy(whole, home, tmp_path) -> Path:
    """A copy of the folder of the whole campaign."""
    return Path(shutil.copytree(home / "whole", tmp_path / "copy"))


def fly(scenario: ist.Scenario, folder: Path | None = None, study: Any = STUDY, **how: Any) -> CampaignResult:
    return scenario.campaign(study, folder, progress=False, **how)


def assert_same_bits(one: CampaignResult, other: CampaignResult) -> None:
    assert one.columns.keys() == other.columns.keys()
    for name, values in one.columns.items():
        own = other.columns[name]
        assert values.dtype == own.dtype
        same = (
            values.tolist() == own.tolist() if values.dtype == object else values.tobytes() == own.tobytes()
        )
        assert same, name


# --- the bits of a case


def test_chunks_and_memory_give_the_same_bits(scenario, whole):
    found = fly(scenario, study={**STUDY, "chunk": 5})
    assert found.complete
    assert len({*found["mass"].tolist()}) == CASES
    assert_same_bits(found, whole)


def test_distances_of_a_phase_do_not_depend_on_the_groups_of_a_chunk(home, monkeypatch):
    """A distance during a phase needs the whole time history of each case, also where groups are merged."""
    text = (home / "short.toml").read_text(encoding="utf-8")
    for name, size in {"stage": "[1, 1, 2.4] m", "satellite": "[0.6, 0.6, 0.8] m"}.items():
        begin = f"bodies.{name} = {{ "
        assert begin in text
        text = text.replace(begin, f'{begin}shapes.box = {{ kind = "box", size = "{size}" }}, ')
    text += """
clearance.gap = { between = ["stage", "satellite"] }
requirements.gap = { quantity = "clearance.gap.distance", max = "10 m", during = "apart" }
"""
    (home / "gap.toml").write_text(text, encoding="utf-8")
    scenario = ist.load(home / "gap.toml")
    study = {**STUDY, "cases": 6, "chunk": 6}
    one = fly(scenario, study=study)
    monkeypatch.setattr(chunk_size, "WIDTH", 4)  # two groups of the chunk
    two = fly(scenario, study=study)
    assert one.requirement("gap").failed == 0
    # Rounding of another order of operations in programs of another width.
    np.testing.assert_allclose(two["gap"], one["gap"], rtol=1e-12)


def test_large_chunks_run_more_cases_together(scenario, tmp_path):
    """A campaign keeps the width of its programs if it goes on with other chunks."""
    assert [chunk_size.width_of(chunk) for chunk in (1, 128, 255, 256, 1024)] == [64, 64, 64, 128, 128]
    fly(scenario, tmp_path / "wide", study={**STUDY, "cases": 8, "chunk": 256})
    more = fly(scenario, tmp_path / "wide", study={**STUDY, "cases": 16, "chunk": 8})
    assert more.manifest.settings.width == 128
    narrow = fly(scenario, study={**STUDY, "cases": 16, "chunk": 8})
    assert narrow.manifest.settings.width == 64
    speed = "stage / satellite speed, devices spent"
    # Rounding of another order of operations in programs of another width.
    np.testing.assert_allclose(more[speed], narrow[speed], rtol=1e-12)


def test_processes_and_parts_give_the_same_bits(scenario, whole, tmp_path):
    two = fly(scenario, tmp_path / "parts", part="2/3")
    assert two.case_numbers.tolist() == [*range(8, 16)]
    assert_same_bits(fly(scenario, tmp_path / "parts", jobs=2), whole)


@pytest.mark.long
def test_long_campaigns_in_compiled_programs_have_the_same_bits_too(scenario, whole):
    """As if there were so many cases that they fly side by side and are observed by compiled programs."""
    plan = run.make_plan(scenario, run.study_of(STUDY), None)
    settings = LotSettings(WIDTH, {"": np.inf}, True)
    flights = CaseFlights(plan, run.responses_of(plan), settings)
    ranges = ([0, 24], [0, 5, 7, 24], [*range(0, 25, 12)])
    found = [join_parts([flights.fly(*pair) for pair in pairwise(ends)], flights.names) for ends in ranges]
    for other in found[1:]:
        for name, values in found[0].items():
            assert values.tolist() == other[name].tolist(), name
    # Single flights and compiled batches differ by rounding.
    speed = "response.stage / satellite speed, devices spent"
    np.testing.assert_allclose(found[0][speed], whole.columns[speed], rtol=1e-12)


@pytest.mark.parametrize(
    ("kills", "jobs"),
    [
        (5, ()),
        pytest.param(3, (2,), marks=pytest.mark.long),
        pytest.param(20, (), marks=pytest.mark.long),
        pytest.param(200, (3,), marks=pytest.mark.long),
    ],
)
def test_kills_at_random_times_lose_nothing(tmp_path, kills, jobs):
    words = [sys.executable, ROOT / "tests" / "campaign_kills.py", tmp_path, kills, *jobs]
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=120 + 20 * kills)
    first, *differences = done.stdout.splitlines() or [""]
    assert (done.returncode, differences) == (0, []), done.stderr
    hits, chunks, every = map(int, first.split())
    assert hits == kills
    assert kills < chunks < every


@pytest.mark.long
def test_a_process_that_is_killed_is_replaced(scenario, whole, tmp_path, monkeypatch):
    ask = processes._ask
    killed = []

    def kill_first(process, text):
        if not killed:
            killed.append(process.pid)
            process.kill()
        return ask(process, text)

    monkeypatch.setattr(processes, "_ask", kill_first)
    assert_same_bits(fly(scenario, tmp_path / "killed", jobs=2), whole)
    assert killed


# --- resumed, damaged and foreign chunks


def test_only_missing_chunks_are_flown(scenario, whole, copy, monkeypatch):
    first, middle, last = chunk_files(copy)
    middle.path.unlink()
    kept = {one.path: one.path.stat().st_mtime_ns for one in (first, last)}
    flown = count_flights(monkeypatch)
    assert_same_bits(fly(scenario, copy), whole)
    assert flown == [(8, 16)]
    assert {path: path.stat().st_mtime_ns for path in kept} == kept


def count_flights(monkeypatch) -> list[tuple[int, int]]:
    flown, original = [], run.CaseFlights.fly

    def count(self, first, last, *how):
        flown.append((first, last))
        return original(self, first, last, *how)

    monkeypatch.setattr(run.CaseFlights, "fly", count)
    return flown


def test_damaged_and_foreign_chunks_are_reported_and_flown_again(scenario, whole, copy, monkeypatch):
    first, middle, last = chunk_files(copy)
    data = first.path.read_bytes()
    first.path.write_bytes(data[: len(data) // 2])
    table = pq.read_table(last.path)
    about = json.loads(table.schema.metadata[chunk_file.MARK])
    pq.write_table(
        table.replace_schema_metadata({chunk_file.MARK: json.dumps({**about, "version": "0.0.1"})}), last.path
    )
    table = pq.read_table(middle.path)
    changed = table.set_column(1, "weight", [np.full(8, 2.0)])
    pq.write_table(changed, middle.path)
    shown: list[str] = []
    assert len(ist.CampaignResult.load(copy)) == 0
    found = fly(scenario, copy, notice=shown.append)
    assert "is damaged" in shown[0]
    assert "cases 0 to 7 are flown again. The file is now in the folder set_aside" in shown[0]
    assert "is damaged (the checksum is wrong)" in shown[1]
    assert "was written by interstage 0.0.1, not by" in shown[2]
    assert_same_bits(found, whole)
    assert len([*(copy / "set_aside").iterdir()]) == 3


def test_a_chunk_of_another_campaign_does_not_count(scenario, whole, copy, tmp_path):
    other = fly(scenario, tmp_path / "other", study={**STUDY, "seed": 4, "cases": 8})
    (stranger,) = chunk_files(tmp_path / "other")
    first = chunk_files(copy)[0].path
    first.unlink()
    shutil.copy(stranger.path, copy)
    shown: list[str] = []
    assert_same_bits(fly(scenario, copy, notice=shown.append), whole)
    assert "belongs to another campaign" in shown[0]
    assert not np.array_equal(other["mass"], whole["mass"][:8])


def test_a_full_disk_keeps_finished_chunks(scenario, whole, tmp_path, monkeypatch):
    write = pq.write_table
    written = []

    def full(table, where):
        written.append(where)
        if len(written) == 2:
            Path(where).write_bytes(b"half")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(table, where)

    monkeypatch.setattr(pq, "write_table", full)
    with pytest.raises(BadInput, match=r"No space left on device. Free some space and run the same command"):
        fly(scenario, tmp_path / "full")
    assert len(chunk_files(tmp_path / "full")) == 1
    assert not [*(tmp_path / "full").glob(".*")]
    assert_same_bits(fly(scenario, tmp_path / "full"), whole)


def test_an_interrupt_keeps_finished_chunks(scenario, whole, tmp_path, monkeypatch):
    original = run.CaseFlights.fly

    def interrupt(self, first, last, *how):
        if first == 8:
            raise KeyboardInterrupt
        return original(self, first, last, *how)

    with monkeypatch.context() as patch:
        patch.setattr(run.CaseFlights, "fly", interrupt)
        found = fly(scenario, tmp_path / "interrupted")
    assert found.interrupted
    assert found.case_numbers.tolist() == [*range(8)]
    assert_same_bits(fly(scenario, tmp_path / "interrupted"), whole)


def test_two_processes_in_one_folder_are_detected(scenario, copy):
    # The lock belongs to an open file, so that a second one in this process is like another process.
    text = f"'{copy}' is in use: process {os.getpid()} on .* flies this campaign"
    with lock(copy, Part(1, 1)), pytest.raises(BadInput, match=text):
        fly(scenario, copy)
    with lock(copy, Part(1, 1)):
        fly(scenario, copy, part="1/2")  # another part may fly at the same time
    assert not [*copy.glob("*.lock")]


# --- enlarged and other campaigns


def test_an_enlarged_campaign_keeps_its_cases(scenario, whole, copy, monkeypatch):
    flown = count_flights(monkeypatch)
    found = fly(scenario, copy, cases=CASES + 6)
    assert flown == [(24, 30)]
    assert found.manifest.earlier == (CASES,)
    assert found["mass"][:CASES].tobytes() == whole["mass"].tobytes()
    assert_same_bits(fly(scenario, cases=CASES + 6), found)
    with pytest.raises(BadInput, match=r"cases: 24 is less than the 30 cases in the folder"):
        fly(scenario, copy)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 4}, "seed: the value is 4 in this study, but 3 in the folder"),
        (
            {
                "dispersions": {
                    **STUDY["dispersions"],
                    "mass": {"path": "bodies.satellite.mass", "sigma": "3 %"},
                }
            },
            "dispersions.mass.sigma: the value is 3 % in this study, but 2 % in the folder",
        ),
        (
            {"looks": 2},
            "looks: the study has 2 looks, but the folder has none",
        ),
        (
            {"responses": {"rate": {"quantity": "pairs.stage.satellite.tip_off_rate", "at": "end"}}},
            "responses: the value is .* in this study, but not set in the folder",
        ),
        ({"design": "sobol"}, "design: the value is sobol in this study, but random in the folder"),
    ],
)
def test_another_study_is_refused(scenario, copy, change, message):
    with pytest.raises(BadInput, match=message):
        fly(scenario, copy, study={**STUDY, **change})
    assert len(chunk_files(copy)) == 3


def test_another_scenario_is_refused(home, copy):
    other = ist.load(home / "short.toml", {"bodies.stage.mass": "901 kg"})
    with pytest.raises(
        BadInput, match=r"scenario: bodies.stage.mass: the value is 901.0 .* 900.0 in the folder"
    ):
        fly(other, copy)


def test_statistics_of_a_study_may_change(scenario, copy, monkeypatch):
    flown = count_flights(monkeypatch)
    found = fly(scenario, copy, study={**STUDY, "proportion": 0.8, "chunk": 100, "failures": "leave_out"})
    assert flown == []
    assert found.requirement("tip_off").proportion == 0.8


def test_a_latin_hypercube_needs_its_block_to_grow(scenario, tmp_path):
    study = {**STUDY, "design": "latin_hypercube", "cases": 8}
    small = fly(scenario, tmp_path, study=study)
    with pytest.raises(
        BadInput, match="block: the study has a Latin hypercube of 16 cases, but the folder has one of 8"
    ):
        fly(scenario, tmp_path, study={**study, "cases": 16})
    grown = fly(scenario, tmp_path, study={**study, "cases": 16, "block": 8})
    assert grown["mass"][:8].tobytes() == small["mass"].tobytes()


def test_missing_ranges_cover_each_case_once():
    draw = np.random.default_rng(2)
    for _ in range(50):
        cases, chunk = (int(n) for n in draw.integers(1, 60, 2))
        ends = np.sort(draw.integers(0, cases + 1, 4)).tolist()
        have = [(ends[0], ends[1]), (ends[2], ends[3])]
        parts = [missing_ranges(have, cases, chunk, Part(k, 3)) for k in (1, 2, 3)]
        found = sorted(case for part in parts for first, last in part for case in range(first, last))
        known = {case for first, last in have for case in range(first, last)}
        assert found == [case for case in range(cases) if case not in known]
        assert all(last - first <= chunk for part in parts for first, last in part)


def test_the_python_of_the_page_runs(tmp_path, monkeypatch, capsys):
    page = (ROOT / "docs" / "campaigns.md").read_text(encoding="utf-8")
    scenario, study = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)[:2]
    (tmp_path / "separation.toml").write_text(scenario, encoding="utf-8")
    (tmp_path / "campaign.toml").write_text(study.replace("cases = 1000", "cases = 8"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    found = open_campaign(Path("campaign.toml"), ist.load)
    names: dict[str, Any] = {"ist": ist, "campaign": found.campaign, "scenario": found.scenario}
    _, run_it, derive, rare, compare = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(run_it, names)
    assert "At least 99.73 % of cases meet the requirement" in capsys.readouterr().out
    assert len(names["found"]) == 8
    first_order = CampaignFirstOrder((), {}, {"stage / satellite speed, devices spent": NO_DERIVATIVE}, 5)
    monkeypatch.setattr("interstage.studies.campaign.first_order.first_order", lambda *how: first_order)
    exec(derive, names)
    event = RareEvent("method", 1e-5, Interval(1e-6, 1e-4), 0.9, 0.3, 10.0, 1000)
    result = RareResult("tip_off", (event, event), None, None)
    monkeypatch.setattr("interstage.studies.campaign.rare_event", lambda *how: result)
    exec(rare, names)
    assert names["result"] is result
    exec(compare, names)
    assert "difference is not significant" in capsys.readouterr().out
    assert len(names["comparison"].cases) == 8
    assert Path("closer.html").is_file()


NO_DERIVATIVE = FirstOrderResponse("stage / satellite speed, devices spent", 1.0, 0.1, np.zeros(0))


# --- cases that fail


def test_cases_that_fail_are_counted_with_their_reason(scenario, whole):
    wide = {"mass": {"path": "bodies.satellite.mass", "sigma": "60 %"}}
    weak = {"push": {"path": "devices.spring.strength", "values": [1, 0]}}
    responses = {"spent": {"quantity": "time", "at": "spring spent"}}
    study = {**STUDY, "dispersions": {**wide, **weak}, "responses": responses}
    found = fly(scenario, study=study)
    negative, never = found["mass"] < 0, found["push"] == 0
    assert negative.any()
    assert (never & ~negative).any()
    assert (found.outcomes[negative] == NOT_STARTED).all()
    assert all("mass" in reason and "negative" in reason for reason in found.reasons[negative])
    assert (found.outcomes[never & ~negative] == NO_NUMBER).all()
    assert (found.reasons[never & ~negative] == "spent: no value").all()
    good = ~negative & ~never
    assert (found.outcomes[good] == COMPLETED).all()
    assert np.isfinite(found["spent"][good]).all()
    assert sum(found.counts.values()) == CASES
    # The requirement has a verdict where a flight was flown to its end, with the bits of a campaign without
    # the bad cases.
    assert found.requirement("tip_off").failed == negative.sum()
    left_out = with_study(found, failures="leave_out")
    one = left_out.requirement("tip_off")
    assert (one.cases, one.failed, one.left_out) == (CASES - negative.sum(), 0, negative.sum())
    assert {*found.worst(int(negative.sum()))} == {*np.flatnonzero(negative)}


def test_values_that_are_not_allowed_together_are_counted(scenario):
    # Nothing fires the spring, so that a delay has no effect: the check rejects it.
    delay = {"delay": {"path": "devices.spring.delay", "values": ["0 s", "5 ms"]}}
    found = fly(scenario, study={**STUDY, "cases": 8, "dispersions": delay})
    late = found["delay"] > 0
    assert late.any()
    assert ((found.outcomes == NOT_STARTED) == late).all()
    assert all("no phase or event fires" in reason for reason in found.reasons[late])
    assert "the scenario rejects case" in found.manifest.notes[0]


def test_a_case_that_cannot_be_drawn_does_not_stop_the_others(scenario):
    drawn = {"x": {"mean": "1 kg", "sigma": "0.32 kg"}}
    formula = {"mass": {"path": "bodies.satellite.mass", "formula": "100 + 0 * sqrt(x)"}}
    study = {"cases": 2000, "seed": 2, "dispersions": {**drawn, **formula}}
    plan = run.make_plan(scenario, run.study_of(study), None)
    draws, bad = draw_range(plan, 810, 816)  # x is negative in case 814
    assert [*bad] == [4]
    assert "has no finite value in case 814" in str(bad[4][0])
    assert np.isnan(draws.inputs["x"]).tolist() == [False] * 4 + [True, False]
    assert draws.inputs["x"][:4].tolist() == plan.draw(810, 814).inputs["x"].tolist()


def test_verdicts_and_outcomes():
    names: Any = type("Names", (), {"limits": (), "responses": ()})()
    unknown = (np.nan, "'apart' did not occur")

    def judged(completed: bool, *limits: Any, flown: bool = True) -> Judged:
        passed = tuple(not note and value >= 0 for value, note in limits)
        return Judged([], [*limits], "Ended at the ground", completed, flown, passed)

    for case, verdict in (
        (judged(True, (1.0, ""), (2.0, "")), MET),
        (judged(True, (1.0, ""), (-2.0, "")), BROKEN),
        (judged(True, (1.0, ""), unknown), NO_VERDICT),
        (judged(False, (1.0, "")), NO_VERDICT),  # it could still break the limit
        (judged(False, (-1.0, "")), BROKEN),
        (judged(False, (1.0, ""), flown=False), NO_VERDICT),
    ):
        assert _verdict(case, range(len(case.limits))) == verdict
    assert _outcome(judged(False), names) == (EARLY, "Ended at the ground")


# --- what is shown


def with_study(found: CampaignResult, **change: Any) -> CampaignResult:
    """The same cases with other keys of the study."""
    manifest = replace(found.manifest, study={**found.manifest.study, **change}, _kept={})
    return CampaignResult(manifest, found.columns)


def test_proofs_and_looks(whole):
    one = with_study(whole, proportion="90 %").requirement("tip_off")
    assert one.shown
    assert one.meets_goal
    assert one.sentences[0].startswith(
        "At least 90 % of cases meet the requirement, with 90 % confidence: shown. 0 of 24"
    )
    one = with_study(whole, proportion="3 sigma", sides=2).requirement("tip_off")
    assert one.shown is False
    assert "828 more cases with no further failure" in one.sentences[0]  # 852 in all
    looks = with_study(whole, proportion=0.85, looks=2).requirement("tip_off")
    assert looks.shown
    assert "shown at look 1 of 2. 0 of 17 cases failed" in looks.sentences[0]
    early = with_study(whole, proportion=0.9973, looks=2).requirement("tip_off")
    assert (early.shown, early.verdict) == (False, "TOO FEW CASES")
    assert early.sentences[-1] == "The first look needs 1003 cases, but 24 cases were simulated."


def test_an_undeclared_enlargement_has_its_true_risk(scenario, copy):
    found = fly(scenario, copy, study={**STUDY, "proportion": 0.9}, cases=38)
    text = found.requirement("tip_off").sentences[-1]
    assert text.startswith("The campaign was evaluated 2 times, but these looks were not declared.")


def test_weights_give_the_probability_of_failure(scenario):
    importance = {"path": "bodies.satellite.mass", "sigma": "2 %", "importance": {"shift": -1}}
    study = {**STUDY, "dispersions": {"mass": importance}, "proportion": 0.9}
    found = fly(scenario, study=study)
    assert found.is_weighted
    one = found.requirement("tip_off")
    assert one.verdict == "TOO FEW CASES"
    assert one.sentences[0] == (
        "The effective number of failed cases is 0. An interval of weighted cases requires at least 30. Add"
        " cases, or move the shift of the draws closer to the limit."
    )
    assert found.mean("stage / satellite speed, devices spent").value > 0
    with pytest.raises(BadInput, match="do not support weighted cases"):
        found.percentile("tip_off", 0.9)


def test_drivers_worst_cases_and_data(whole):
    found = whole.drivers("stage / satellite speed, devices spent")
    assert found.inputs[0] == "mass"
    assert found.rank.value[0] < -0.99
    assert whole.worst(1)[0] == np.argmax(whole["tip_off"])
    data = whole.data
    assert data["input.mass"].attrs == {"units": "kg", "long_name": "bodies.satellite.mass"}
    assert data["limit.tip_off"].attrs["max"] == pytest.approx(np.radians(1.0))
    assert (data["verdict.tip_off"].values == whole.table[VERDICT + "tip_off"]).all()


# --- the command


@pytest.fixture
def command(monkeypatch, capsys):
    """Runs the command in this process; returns (exit code, standard output, standard error)."""

    def call(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["interstage", "campaign", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return call


def test_the_command_has_the_bits_of_python(command, home, whole, tmp_path):
    code, out, _ = command(home / "study.toml", "-o", tmp_path / "out")
    assert code == 0
    assert "24 cases: all completed." in out
    assert_same_bits(CampaignResult.load(tmp_path / "out"), whole)
    code, again, _ = command("show", tmp_path / "out")
    assert (code, again) == (0, out)
    for title in (
        "Outcomes",
        "Requirements",
        "Responses",
        "Worst cases",
        "Most important inputs (drivers) of tip_off",
        "Dispersed inputs",
    ):
        assert f"\n{title}" in f"\n{out}"


def test_one_case_alone_has_the_bits_of_the_campaign(command, home, copy):
    code, out, _ = command(home / "study.toml", "-o", copy, "--case", 13)
    assert code == 0
    assert "Case 13 was simulated again" in out
    assert "identical to the results of the campaign" in out
    flight = ist.open_flight(copy / "flights" / "case-13.nc")
    found = ist.CampaignResult.load(copy)
    speed = flight.value("pairs.stage.satellite.relative_speed", "spring spent")
    # Single flights round differently from a batch, by some units of the last place for each step.
    assert speed == pytest.approx(found["stage / satellite speed, devices spent"][13], rel=1e-12)
    code, out, _ = command(home / "study.toml", "-o", copy, "--worst", 1)
    worst = found.worst(1)[0]
    assert (copy / "flights" / f"case-{worst}.html").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--part", "4/3"],
            "'4/3' is not a part of a campaign. Write i/n with i from 1 to n, such as 3/40",
        ),
        (["--jobs", "0"], "--jobs: 0 is below 1"),
        (["--case", "24"], "there is no case 24; allowed: 0 to 23"),
        (
            ["other"],
            "the argument 'other' is not allowed after a study. To save the results in the folder 'other'",
        ),
    ],
)
def test_bad_arguments(command, home, tmp_path, words, message):
    code, _, err = command(home / "study.toml", *words, "-o", tmp_path / "bad")
    assert code == 2
    assert message in err


def test_a_folder_without_a_campaign(command, tmp_path):
    code, _, err = command("show", tmp_path)
    assert code == 2
    assert f"'{tmp_path}' has no campaign, because it has no file manifest.json" in err


def test_pyarrow_is_named_if_it_is_missing(scenario, tmp_path, monkeypatch):
    monkeypatch.setattr(chunk_file.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"need pyarrow. Run pip install 'interstage\[campaigns\]'"):
        fly(scenario, tmp_path)
