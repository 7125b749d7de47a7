"""Comparison of formulations: what is said and drawn of each, and that nothing is lost."""

from __future__ import annotations

import csv
import itertools
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interstage as ist
from drawn_texts import overlapping
from interstage.cli import main as cli
from interstage.drawing.pictures import picture
from interstage.formulations.catalogue import ENTRIES
from interstage.record.record import Record
from interstage.studies.comparison import run as running
from interstage.studies.comparison.figure import draw
from interstage.studies.comparison.printed import notes, tables
from stub_flight import measured_record as stub

ROOT = Path(__file__).parents[2]
DEMO, FIRST = (ROOT / "examples" / f"{name}.toml" for name in ("payload_separation", "first"))
SWINGING = "lagrange_multiplier"


@pytest.fixture
def flown(monkeypatch) -> dict[str, Callable[[Record, Any], Record]]:
    """Flights made by hand in the place of the engine's; what changes them, by kind of formulation."""
    changes: dict[str, Callable[[Record, Any], Record]] = {}

    def fly(scenario, progress=None, resume=None):
        change = changes.get(scenario.solver.formulation.kind, lambda record, progress: record)
        return change(stub(scenario), progress)

    monkeypatch.setattr(running, "fly", fly)
    return changes


# --- the whole ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"formulations": ["nul_space"]}, "did you mean 'null_space'"),
        ({"formulations": ["null_space:rod=numerical"]}, "did you mean 'road'"),
        ({"formulations": ["null_space:road=dirt"]}, "allowed: closed_form, numerical"),
        ({"formulations": ["null_space:road"]}, "OPTION=VALUE"),
        ({"formulations": [","]}, "the list of formulations is empty"),
        ({"stabilizations": ["projektion"]}, "did you mean 'projection'"),
        ({"methods": ["euler"]}, "allowed: dop853, dopri5, rk4"),
        ({"steps": ["1 m"], "formulations": ["staggered"]}, "1 m"),
        ({"reference": "none"}, "there is no formulation 'none'"),
        ({"reference": "staggered"}, "needs a fixed integration step"),
        ({"quantities": ["pairs.stage.payload.distanze"]}, "did you mean"),
        ({"limit": "5 m"}, "limit"),
    ],
)
def test_bad_input_is_one_clear_error(demo, flown, words, said):
    with pytest.raises(ist.BadInput) as caught:
        ist.compare(demo, **words)
    assert said in str(caught.value)
    assert len(caught.value.problems) == 1


def shifted(record: Record, progress: Any = None) -> Record:
    record.series["bodies.stage.position"] = record.series["bodies.stage.position"] + 1e-6
    return record


def refused(record: Record, progress: Any = None) -> Record:
    raise ist.BadInput("two joints are redundant")


def broken(record: Record, progress: Any = None) -> Record:
    raise ZeroDivisionError("a slip in the code\nwith a second line")


def ended_early(record: Record, progress: Any = None) -> Record:
    keep = record.time < 7
    record.time = record.time[keep]
    record.series = {path: values[keep] for path, values in record.series.items()}
    record.events = record.events[:1]
    record.before, record.after = (
        {p: v[:1] for p, v in side.items()} for side in (record.before, record.after)
    )
    record.completed, record.outcome = False, "Ended early at 7 s: the integration step became too small."
    return record


def stopped(record: Record, progress: Any = None) -> Record:
    """What the engine does: it asks after each chunk, and keeps what it has when it is told to stop."""
    if progress is None:
        return record
    progress(1.0, 20.0)
    try:
        progress(2.0, 20.0)
    except KeyboardInterrupt:
        record.outcome, record.completed = "Interrupted at 2 s. The results up to this time are kept.", False
    return record


def interrupted(record: Record, progress: Any = None) -> Record:
    record.outcome, record.completed = "Interrupted at 2 s. The results up to this time are kept.", False
    return record


KINDS = ["lagrange_multiplier", "constraint_force", "penalty"]


def test_first_comes_the_reference_and_each_is_flown_twice(demo, flown):
    flights = []
    flown["penalty"] = lambda record, progress: (flights.append(1), shifted(record))[1]
    found = demo.compare(KINDS)
    assert [run.name for run in found.runs] == ["reference", *KINDS]
    assert found.reference.variant.solver.tolerance == 1e-12
    assert len(flights) == 2
    run = found["penalty"]
    assert run.differences["position"].worst[0] == pytest.approx(1e-6 * np.sqrt(3), rel=1e-9)
    assert run.stepping == 0.004
    assert min(run.first, run.second) > 0
    assert found.flights["penalty"].record is run.record


def test_a_reference_by_name_is_flown_once(demo, flown):
    flown["penalty"] = shifted
    found = demo.compare(KINDS, reference="penalty")
    assert [run.name for run in found.runs] == ["penalty", "lagrange_multiplier", "constraint_force"]
    assert found["lagrange_multiplier"].differences["position"].worst[0] > 1e-6


def test_what_goes_wrong_with_one_is_told_and_the_others_are_flown(demo, flown):
    flown |= {"constraint_force": refused, "penalty": broken}
    found = demo.compare(KINDS)
    assert [run.name for run in found.runs] == ["reference", "lagrange_multiplier"]
    assert {item.name: item.reason for item in found.unfit} == {
        "constraint_force": "two joints are redundant",
        "penalty": "ZeroDivisionError: a slip in the code",
    }
    assert "Variant 'penalty' was not flown: ZeroDivisionError: a slip in the code" in notes(found)


def test_where_nothing_can_be_flown_the_reasons_are_the_error(demo, flown):
    flown["penalty"] = broken
    with pytest.raises(ist.BadInput) as caught:
        demo.compare(["staggered", "penalty"])
    assert [problem.place for problem in caught.value.problems] == ["staggered", "penalty"]
    with pytest.raises(ist.BadInput, match="needs a fixed integration step"):
        demo.compare("staggered")


def test_without_a_reference_there_is_nothing_to_compare(demo, flown):
    flown["lagrange_multiplier"] = refused
    with pytest.raises(ist.BadInput, match="two joints"):
        demo.compare(KINDS)


def test_a_flight_that_ends_early_is_kept(demo, flown):
    flown["penalty"] = ended_early
    found = demo.compare(KINDS)
    assert not found.completed
    run = found["penalty"]
    assert run.missing == ("apart", "spring spent")
    assert run.differences["position"].time[-1] < 7
    assert "penalty: Ended early at 7 s: the integration step became too small." in notes(found)


def test_a_flight_that_takes_too_long_is_given_up(demo, flown):
    flown["penalty"] = stopped
    found = demo.compare(["penalty", "constraint_force"], limit=1e-9)
    run = found["penalty"]
    assert run.record.outcome == "The time limit of 1e-09 s wall time stopped the flight at 2 s."
    assert np.isnan(run.second)
    assert [run.name for run in found.runs] == ["reference", "penalty", "constraint_force"]
    assert demo.compare(["penalty"], limit="1 h").completed


def test_an_interrupt_ends_the_comparison_and_keeps_what_there_is(demo, flown):
    flown["constraint_force"] = interrupted
    found = demo.compare(KINDS)
    assert [run.name for run in found.runs] == ["reference", "lagrange_multiplier", "constraint_force"]
    assert not found.completed
    assert [(item.name, item.reason) for item in found.unfit] == [
        ("penalty", "the comparison was interrupted before the flight of this variant")
    ]


def quits_before(record: Record, progress: Any = None) -> Record:
    raise KeyboardInterrupt


def quits_the_second_time(record: Record, progress: Any = None) -> Record:
    if progress is None:
        raise KeyboardInterrupt
    return record


@pytest.mark.parametrize("change", [quits_before, quits_the_second_time])
def test_an_interrupt_between_flights(demo, flown, change):
    flown["lagrange_multiplier"] = lambda record, progress: record
    flown["constraint_force"] = change
    found = demo.compare(["constraint_force", "penalty"])
    assert not found.completed
    assert "'penalty' was not flown: the comparison was interrupted" in notes(found)[-1]
    assert "constraint_force" in (*found.flights, *(item.name for item in found.unfit))


def test_tables_hold_the_numbers_in_the_units_asked_for(demo, flown):
    flown["penalty"] = shifted
    found = demo.compare(KINDS, quantities=["pairs.stage.payload.distance"])
    metres, feet = found.table("SI"), found.table("US")
    position = metres["position difference [m]"]
    assert position[:3] == [0.0, 0.0, 0.0]
    assert feet["position difference [ft]"][3] == pytest.approx(position[3] / 0.3048)
    assert metres["position difference of"][3] == "stage"
    assert metres["time per step [s]"][3] == pytest.approx(0.004 / 40)
    assert found.data["position_difference"].sel(variant="penalty") == position[3]
    assert found.data["position_difference"].attrs["units"] == "m"
    assert found.data["gap"].values == pytest.approx([1e-9] * 4)
    texts = [cell for table in tables(found, "US") for row in table.rows for cell in row]
    assert f"{position[3] / 0.3048:.1e}" in texts
    heads = [head for table in tables(found, "US") for head in table.columns]
    assert "pairs.stage.payload.distance [ft]" in heads


def test_nothing_in_the_picture_covers_anything_else(demo, flown, monkeypatch):
    # The times of the flights are in the picture: they must not depend on the load of the machine.
    now = itertools.count()
    monkeypatch.setattr(running.time, "perf_counter", lambda: 0.01 * next(now))
    flown |= {"penalty": shifted, "constraint_force": ended_early}
    quantities = ["pairs.stage.payload.distance"]
    found = demo.compare(["all", "null_space:road=numerical"], steps=["1 ms"], quantities=quantities)
    figure = draw(found, "SI")
    assert overlapping(picture(figure)) == []
    titles = [panel.title.rpartition(": ")[2] for panel in figure.panels]
    drawn = ["position of a body", "force of a joint", *quantities, "gap of a joint"]
    assert titles[:-1] == drawn  # all joints are aligned: no panel of misalignment


def test_the_published_table_is_that_of_the_catalogue():
    source = ROOT / "docs" / "formulation_table.py"
    script = runpy.run_path(str(source))
    page = (ROOT / "docs" / "formulations.md").read_text(encoding="utf-8")
    assert script["inserted"](page) == page, f"run {source}"
    lines = script["table"]().splitlines()[2:]
    assert [line.split("`")[1] for line in lines] == [*ENTRIES]
    assert lines[1].split(" | ")[2] == ("yes" if ENTRIES["constraint_force"].redundancy else "no")


# --- real flights -------------------------------------------------------------------------------------------


@pytest.fixture
def command(monkeypatch, capsys):
    """Runs the command in this process; returns (exit code, standard output, standard error)."""

    def call(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["interstage", "compare", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return call


def test_the_command_flies_prints_saves_and_draws(command, tmp_path):
    table, picture = tmp_path / "table.csv", tmp_path / "picture.png"
    loose, tight = (f"{SWINGING}:tolerance={tolerance:g}" for tolerance in (1e-5, 1e-8))
    words = ("--formulations", f"{loose},{tight}", "--quantity", "pairs.stage.satellite.tip_off_rate")
    aslant = ("--set", "devices.spring.child_at=[1, 0, -40] cm")
    code, out, err = command(FIRST, *words, *aslant, "-o", table, "--plot", picture)
    assert code == 0
    # Of programs that were not yet compiled; and progress on a slow machine.
    assert all("compiling" in line or "flight time" in line for line in err.splitlines())
    for text in (
        "Motion: ",
        "Loads and named quantities: ",
        "Constraint errors of the joints",
        "Wall times and steps",
        loose,
        "tolerance 1e-12",
    ):
        assert text in out
    with open(table, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["variant"] for row in rows] == ["reference", loose, tight]
    errors = [float(row["position difference [m]"]) for row in rows]
    # A step may err by the tolerance, and a flight has some tens of steps.
    assert 0 == errors[0] < errors[2] < 100 * 1e-8
    assert errors[2] < errors[1] < 100 * 1e-5
    assert rows[1]["position difference of"] == "satellite"  # the lighter one
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.long
def test_what_is_said_is_what_the_flights_hold():
    scenario = ist.load(FIRST, set={"devices.spring.child_at": "[1, 0, -40] cm"})
    loose, tight = (f"{SWINGING}:tolerance={tolerance:g}" for tolerance in (1e-5, 1e-8))
    found = scenario.compare([loose, tight], reference=tight)
    (mine, its) = (found.flights[name] for name in (tight, loose))
    assert mine.scenario.solver.tolerance == 1e-8
    path = "bodies.satellite.angular_velocity"
    apart = np.linalg.norm(mine[path] - its[path], axis=1)
    said = found[loose].differences["angular_velocity"]
    assert said.end == apart[-1] > 0
    assert said.worst[0] >= apart[mine.time > 1.5].max()
    apart = abs(mine.record.events[-2].time - its.record.events[-2].time)
    assert found[loose].events == (apart, "spring spent")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--formulations", "null_spice"), "did you mean 'null_space'"),
        (("--plot", "picture.txt"), ".png, .svg, .pdf"),
        (("--limit", "3 kg"), "limit"),
        (("-o", "same.png", "--plot", "same.png"), "is the file of --output and of --plot"),
        (("--formulations", "staggered", "--reference", "staggered"), "needs a fixed integration step"),
    ],
)
def test_bad_input_on_the_command_line(command, words, said, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    code, out, err = command(FIRST, *words)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


def test_exit_codes_of_the_command(command, flown):
    assert command(DEMO, "--formulations", "penalty")[0] == 0
    flown["penalty"] = ended_early
    code, out, _ = command(DEMO, "--formulations", "penalty")
    assert code == 4
    assert "penalty: Ended early at 7 s" in out
