"""Where numbers come from: which count as given, which entry speaks for each, and what is listed of it."""

from __future__ import annotations

import tomllib
from html import escape
from pathlib import Path

import pytest
from typer.testing import CliRunner

import interstage as ist
import stub_flight
from interstage.cli import main as cli
from interstage.reading import loads
from interstage.record.results import Flight
from interstage.record.sources import numbers_given, source_of
from interstage.report import page, summary
from interstage.report.provenance import source_tables
from interstage.tree.errors import BadInput

JUDGED = 'Values with confidence "judgement"'

ROCKET = """
units = "US"
[bodies.stage]
mass = "100 slug"
mass_centre = "[0, 0, 0] m"
inertia = [10, 20, 30]
initial = { velocity = "[0, 0, 8] ft/s" }
[bodies.payload]
mass = 7
inertia = [1, 1, 1]
[joints.clamp]
kind = "fixed"
parent = "stage"
child = "payload"
[forces.push]
kind = "force"
body = "stage"
force = { time = [0, 1, 2, 3], value = [[0, 0, 1], [0, 0, 2], [0, 0, 3], [0, 0, 1]] }
[forces.own]
kind = "user"
class = "mypackage.aero:Drag"
parameters = { area = 2.5, model = "flat" }
[phases.joined]
until = { any = [{ time = "1 s" }, { quantity = "bodies.stage.position.z", reaches = "20 ft" }] }
[solver]
tolerance = 1e-8
"""
GIVEN = [
    "bodies.stage.mass",
    "bodies.stage.inertia",
    "bodies.stage.initial.velocity",
    "bodies.payload.mass",
    "bodies.payload.inertia",
    "forces.push.force.time",
    "forces.push.force.value",
    "forces.own.parameters.area",
    "phases.joined.until.any.0.time",
    "phases.joined.until.any.1.reaches",
]
"""All but the centre of mass, which is the default, and the tolerance, which is the solver's."""
READ = '{ source = "T", confidence = "read" }'
SOURCES = """
[sources]
"bodies" = { source = "Table 2", confidence = "published" }
"bodies.*.inertia" = { source = "a uniform rod", confidence = "derived" }
"bodies.payload.inertia" = { source = "a guess", confidence = "judgement", note = "It matters little." }
"bodies.payload" = { source = "Figure 3", confidence = "read" }
"""


def sourced(more: str = "") -> ist.Scenario:
    return loads(ROCKET + SOURCES + more)


def test_numbers_that_are_not_defaults_are_given():
    found = numbers_given(loads(ROCKET))
    assert [number.path for number in found] == GIVEN
    assert all(number.source is None for number in found)
    units = {number.path: number.unit for number in found}
    assert units["bodies.stage.inertia"] == "kg m^2"
    assert units["phases.joined.until.any.1.reaches"] == "m"
    assert units["forces.own.parameters.area"] == ""


def test_written_with_every_default_the_same_are_given():
    again = loads(sourced().to_toml())
    assert again == sourced()
    assert [n.path for n in numbers_given(again)] == GIVEN
    assert [n.source for n in numbers_given(again)] == [n.source for n in numbers_given(sourced())]


def test_examples_written_and_read_back_give_the_same():
    for file in sorted((Path(__file__).parents[2] / "examples").glob("*.toml")):
        scenario = ist.load(file)
        again = [n.path for n in numbers_given(loads(scenario.to_toml()))]
        assert again == [n.path for n in numbers_given(scenario)]


def test_the_entry_with_the_most_steps_counts_and_then_the_last():
    counts = {n.path: n.source and n.source.source for n in numbers_given(sourced())}
    assert counts["bodies.stage.mass"] == "Table 2"
    assert counts["bodies.stage.inertia"] == "a uniform rod"
    assert counts["bodies.payload.inertia"] == "a guess"
    assert counts["bodies.payload.mass"] == "Figure 3"
    assert counts["forces.own.parameters.area"] is None
    swapped = '"bodies.payload.inertia" = { source = "a guess"', '"bodies.*.inertia" = { source = "a rod"'
    turned = ROCKET + SOURCES.replace('"bodies.*.inertia" = { source = "a uniform rod"', "@")
    turned = turned.replace(swapped[0], swapped[1]).replace("@", swapped[0])
    assert source_of(loads(turned), "bodies.payload.inertia").source == "a rod"  # pyright: ignore[reportOptionalMemberAccess]


@pytest.mark.parametrize(
    ("line", "place", "words"),
    [
        (f'"bodies.stage.mas" = {READ}', "bodies.stage.mas", "'mass'"),
        (f'"bodies.stge" = {READ}', "bodies.stge", "'stage'"),
        (f'"bodies.*.mas" = {READ}', "bodies.*.mas", "no value of the scenario"),
        (f'"bodies.payload.initial" = {READ}', "bodies.payload.initial", "no number at this path"),
        ('"bodies.stage" = { source = " ", confidence = "read" }', "bodies.stage.source", "empty"),
        ('"bodies.stage" = { source = "T", confidence = "sure" }', "bodies.stage.confidence", "published"),
        ('"bodies.stage" = { source = "T" }', "bodies.stage.confidence", "required"),
        ('"bodies.stage" = "T"', "bodies.stage", "table"),
    ],
)
def test_entries_that_say_nothing_are_refused(line, place, words):
    with pytest.raises(BadInput) as caught:
        sourced(line)
    (problem,) = caught.value.problems
    assert problem.place == f"sources.{place}"
    assert words in problem.message
    assert problem.line == (ROCKET + SOURCES).count("\n") + 1


def test_a_path_stands_there_once():
    entry = '[[sources]]\npath = "bodies"\nsource = "T"\nconfidence = "read"\n'
    with pytest.raises(BadInput, match="twice"):
        loads(ROCKET + entry + entry)


def test_sources_of_a_faulty_body_are_not_judged():
    with pytest.raises(BadInput) as caught:
        loads((ROCKET + SOURCES).replace("mass = 7", "mas = 7"))
    assert {problem.place for problem in caught.value.problems} == {
        "bodies.payload.mas",
        "bodies.payload.mass",
    }


def test_tables_have_every_number_once_the_doubtful_first():
    tables = source_tables(sourced())
    titles = ["Values without a source", JUDGED, "Values with a source"]
    assert [table.title for table in tables] == titles
    assert sorted(row[0] for table in tables for row in table.rows) == sorted(GIVEN)
    rows = {row[0]: row[1:] for table in tables for row in table.rows}
    assert rows["bodies.payload.inertia"][1] == "a guess. It matters little"
    assert rows["bodies.stage.mass"] == ["100.00 slug", "published", "Table 2"]
    assert rows["bodies.stage.initial.velocity"][1:] == ["published", "Table 2"]  # the inertia is between
    assert rows["bodies.stage.initial.velocity"][0] == "0.0000, 0.0000, 8.0000 ft/s"
    assert rows["forces.push.force.value"] == ["4 x 3 numbers [lbf]"]
    assert rows["forces.own.parameters.area"] == ["2.5000"]
    assert len(tables[0].bad) == len(tables[0].rows)
    assert source_tables(loads(ROCKET)) == []


def test_what_an_entry_says_stands_there_once():
    entry = '[sources]\n"forces" = { source = "Table 5", confidence = "published" }'
    (_, others) = source_tables(loads(ROCKET + entry))
    assert [row[-1] for row in others.rows] == ["Table 5", "same as above", "same as above"]


def test_units_that_a_table_says_itself():
    air = """
[planet]
kind = "flat"
[atmosphere]
kind = "us76"
[aerodynamics.hull]
body = "stage"
area = 1
length = 1
[aerodynamics.hull.coefficients.CN]
axes = [{ variable = "alpha", points = "[0, 5] deg" }]
values = [0, 1]
[controls.pitch]
kind = "pid"
measured = "bodies.stage.alpha"
target = "10 deg"
kp = 1.0
[actuators.fin]
command = "controls.pitch"
unit = "rad"
gain = 1.0
upper = "20 deg"
"""
    units = {n.path: n.unit for n in numbers_given(loads(ROCKET + air))}
    assert units["aerodynamics.hull.coefficients.CN.axes.0.points"] == "rad"
    assert units["aerodynamics.hull.coefficients.CN.values"] == "1"
    assert units["actuators.fin.upper"] == "rad"
    assert "actuators.fin.gain" not in units  # a list of one, which is the default


def test_command_lists_them(tmp_path):
    file = tmp_path / "rocket.toml"
    file.write_text(ROCKET + SOURCES)
    out = CliRunner().invoke(cli.app, ["check", str(file), "--sources", "--units", "si"]).output
    assert JUDGED in out
    assert "1459.4 kg" in out
    assert JUDGED not in CliRunner().invoke(cli.app, ["check", str(file)]).output
    file.write_text(ROCKET)
    assert "declares no sources" in CliRunner().invoke(cli.app, ["check", str(file), "--sources"]).output


def test_report_and_run_tell_of_them():
    record = stub_flight.separation_record(loads(ROCKET + SOURCES.replace("a guess", "Table <9>")))
    said = f'1 of {len(GIVEN)} values of the scenario have the confidence "judgement", and 5 have no source'
    assert summary.remarks(record)[-1].startswith(said)
    text = page.html(Flight(record))
    assert escape(JUDGED) in text
    assert "Table &lt;9&gt;" in text
    assert "judgement" not in page.html(Flight(stub_flight.separation_record()))


def test_the_page_shows_what_is_accepted():
    text = (Path(__file__).parents[2] / "docs" / "sources.md").read_text()
    example = text.partition("```toml\n")[2].partition("```")[0]
    table = tomllib.loads(example)["sources"]
    known = ("published", "read", "secondary", "derived", "judgement")
    assert {entry["confidence"] for entry in table.values()} <= {*known}
    for confidence in known:
        assert f"| `{confidence}` |" in text
