"""Comparisons of missions: which legs a variant is of, and that each leg is compared with its own."""

from __future__ import annotations

import csv
import sys

import numpy as np
import pytest

import interstage as ist
from drawn_texts import overlapping
from interstage.cli import main as cli
from interstage.drawing.pictures import picture
from interstage.programs.compiled import Wait
from interstage.reading import loads
from interstage.studies.comparison import run as running
from interstage.studies.comparison.figure import draw
from interstage.studies.comparison.printed import notes, tables
from interstage.studies.comparison.variants import reference_variant, variants

MISSION = """
gravity = { kind = "uniform", acceleration = [0, 0, -10] }
[bodies]
stage = { mass = 900, inertia = [400, 400, 150], initial = { velocity = [3, 0, 20] } }
satellite = { mass = 100, inertia = [12, 12, 8] }
[joints.band]
kind = "fixed"
parent = "stage"
child = "satellite"
parent_at = [0, 0, 1.2]
child_at = [0, 0, -0.4]
[devices.spring]
kind = "kickoff_spring"
parent = "stage"
child = "satellite"
child_at = [0.01, 0, -0.4]
stiffness = 4000
preload = 400
stroke = 0.1
after = "apart"
[guidance.level]
kind = "angles"
body = "stage"
axes = "inertial"
pitch = 0
[legs.up]
coordinates = "point"
attitude = "level"
phases.rise = { until = { quantity = "bodies.stage.velocity.z", reaches = 0, direction = "falling" } }
[legs.parting]
after = { leg = "up" }
phases.held = { until = { elapsed = 0.5 } }
phases.apart = { release = ["band"], until = { elapsed = 1 } }
[legs.alone]
after = { leg = "parting" }
bodies = ["stage"]
solver = { method = "rk4", step = 0.01 }
phases.fall = { until = { elapsed = 1 } }
"""
LOOSE, TIGHT = (f"lagrange_multiplier:tolerance={tolerance:g}" for tolerance in (1e-5, 1e-8))
TURN = "pairs.stage.satellite.tip_off_rate"


@pytest.fixture(scope="module")
def mission():
    return loads(MISSION)


@pytest.fixture(scope="module")
def found(mission):
    return mission.compare([LOOSE, TIGHT], quantities=[TURN])


# --- which legs a variant is of -----------------------------------------------------------------------------


def test_a_formulation_is_of_rigid_legs_with_joints_and_settings_are_of_all(mission):
    (made,), unfit = variants(mission, ["null_space:tolerance=1e-6"], ["baumgarte"])
    assert not unfit
    kinds = {leg: solver.formulation.kind for leg, solver in made.legs.items()}
    other = "lagrange_multiplier"
    assert kinds == {"up": other, "parting": "null_space", "alone": other}
    assert {leg: solver.stabilization for leg, solver in made.legs.items()} == {
        "up": "projection",
        "parting": "baumgarte",
        "alone": "projection",
    }
    assert {float(solver.tolerance) for solver in made.legs.values()} == {1e-6}
    assert made.legs["alone"].method == "rk4"
    flown = made.of(mission)
    assert {leg.name: leg.solver for leg in flown.legs} == made.legs


def test_legs_keep_the_steps_of_their_own(mission):
    (made,), _ = variants(mission, ["staggered"], steps=["5 ms"])
    assert made.legs["parting"].step == made.legs["alone"].step == 0.005
    assert made.legs["up"].step is None
    made = reference_variant(mission)
    assert {(one.method, float(one.tolerance)) for one in made.legs.values()} == {("dop853", 1e-12)}


def test_variants_of_a_mission_that_it_does_not_admit_are_told(mission):
    apart = '[legs.parting]\nwithout = ["joints.band"]'
    free = loads(MISSION.replace("[legs.parting]", apart).replace('release = ["band"], ', ""))
    made, unfit = variants(free, ["null_space", "lagrange_multiplier"])
    assert [one.name for one in made] == ["lagrange_multiplier"]
    assert [(one.name, one.reason) for one in unfit] == [
        (
            "null_space",
            "no leg of the mission has rigid bodies with joints, so that formulations do not differ."
            " Compare methods or steps",
        )
    ]
    _, unfit = variants(mission, ["lagrange_multiplier"], methods=["rk4"])
    assert "needs a fixed integration step. Set" in unfit[0].reason


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"quantities": ["pairs.stage.satellite.distanze"]}, "did you mean"),
        ({"quantities": ["bodies.stage.velocity"]}, "is a vector. Add a component"),
        ({"formulations": "staggered", "reference": "staggered"}, "needs a fixed integration step"),
        ({"formulations": ["null_space:rod=numerical"]}, "did you mean 'road'"),
    ],
)
def test_bad_input_is_one_clear_error(mission, words, said):
    with pytest.raises(ist.BadInput) as caught:
        mission.compare(**words)
    assert said in str(caught.value)
    assert len(caught.value.problems) == 1


# --- as they are flown --------------------------------------------------------------------------------------


@pytest.mark.long
def test_what_is_said_of_a_leg_is_what_the_flights_hold(mission, found):
    assert found.completed
    assert [*found.legs] == ["up", "parting", "alone"]
    mine, its = (found.flights[name].record.legs["parting"] for name in ("reference", LOOSE))
    assert its.scenario.solver.tolerance == 1e-5
    path = "bodies.satellite.angular_velocity"
    apart = np.linalg.norm(mine.series[path][-1] - its.series[path][-1])
    said = found.legs["parting"][LOOSE].differences
    assert said["angular_velocity"].end == apart > 0
    assert said["angular_velocity"].owner[-1] == "satellite"
    assert set(said) == {"position", "velocity", "attitude", "angular_velocity", "force", "torque", TURN}
    # Where the legs have no joints, there is no load; the pair is of both bodies.
    assert {*found.legs["alone"][LOOSE].differences} == {
        "position", "velocity", "attitude", "angular_velocity",
    }  # fmt: skip
    # Both fall freely then, in steps of their own: what the leg begins with is what it ends with.
    fall = found.legs["alone"][LOOSE].differences["velocity"]
    begun = [one.series["bodies.stage.velocity"][-1] for one in (mine, its)]
    assert fall.end == pytest.approx(np.linalg.norm(begun[1] - begun[0]), rel=1e-6)  # 1e-7 m/s of 10 m/s
    errors = [found.legs["parting"][name].differences["position"].worst[0] for name in (LOOSE, TIGHT)]
    assert 0 < errors[1] < errors[0]


def test_legs_have_their_own_times(found):
    run = found[TIGHT]
    legs = [found.legs[leg][TIGHT] for leg in found.legs]
    for what in ("first", "second", "stepping"):
        times = [getattr(leg, what) for leg in legs]
        assert all(one > 0 for one in times)
        assert sum(times) <= getattr(run, what) * (1 + 1e-6)
    assert run.record.statistics["steps accepted"] == sum(
        leg.record.statistics["steps accepted"] for leg in legs
    )


def test_tables_are_leg_by_leg(found):
    table = found.table("SI")
    assert table["leg"] == ["up"] * 3 + ["parting"] * 3 + ["alone"] * 3
    assert table["variant"] == ["reference", LOOSE, TIGHT] * 3
    data = found.data
    assert {*data.dims} == {"leg", "variant"}
    worst = found.legs["parting"][LOOSE].differences["position"].worst[0]
    assert float(data["position_difference"].sel(leg="parting", variant=LOOSE)) == worst
    assert np.isnan(data["force_difference"].sel(leg="up", variant=LOOSE))
    titles = [one.title for one in tables(found, "SI")]
    assert titles[:5] == [
        "Leg up. Motion: largest difference from reference",
        "Leg up. Named quantities: largest difference from reference",
        "Leg up. Constraint errors of the joints, and energy drift",
        "Leg parting. Motion: largest difference from reference",
        "Leg parting. Loads and named quantities: largest difference from reference",
    ]
    assert titles[-1] == "Wall times and steps"
    assert len({one.key for one in tables(found, "SI")}) == len(titles)
    assert notes(found) == [
        "Solver of the reference: lagrange_multiplier, stabilization projection, dop853, tolerance 1e-12",
        "Solver of the reference in leg alone: lagrange_multiplier, stabilization projection, dop853, "
        "tolerance 1e-12",
        "reference: leg parting: the flight of body satellite ends with this leg, because no later leg"
        " contains the body.",
    ]


def test_nothing_in_the_picture_covers_anything_else(found):
    figure = draw(found, "SI")
    assert overlapping(picture(figure)) == []
    first = figure.panels[0]
    # Two variants in three legs.
    assert len(first.marks) == 6


@pytest.mark.long
def test_a_mission_that_takes_too_long_is_given_up_and_keeps_its_legs(mission, monkeypatch):
    """Each leg reports once how far it is, as its program does: after the second one the limit is over."""
    monkeypatch.setattr("interstage.runs.short.ATTEMPTS", 0)
    found = mission.compare([TIGHT], limit=1e-9)
    assert not found.completed
    assert not found.interrupted
    assert [*found.legs] == ["up", "parting"]
    not_flown = "Leg 'alone' was not flown: the mission reached its time limit before this leg."
    assert found[TIGHT].record.outcome == f"{not_flown} The results contain 2 legs."
    assert np.isnan(found[TIGHT].second)


def test_the_compiler_has_all_the_time_it_takes(monkeypatch):
    clock = iter([0.0, 1.0, 1.0, 100.0, 100.5, 100.8, 103.5])
    monkeypatch.setattr(running.time, "perf_counter", lambda: next(clock))
    watch = running._Watch(None, 2.0)
    watch(0.0, None)  # at 0 s
    watch(0.5, None)
    for over in (False, True):
        watch.waits(Wait("a program", None, over))  # from 1 to 100 s
    watch(1.0, None)
    watch(1.5, None)
    with pytest.raises(KeyboardInterrupt):
        watch(2.0, None)
    assert watch.stopped


@pytest.mark.long
def test_the_command_compares_missions(mission, monkeypatch, capsys, tmp_path):
    (tmp_path / "mission.toml").write_text(MISSION)
    table = tmp_path / "table.csv"
    words = [tmp_path / "mission.toml", "--formulations", TIGHT, "-o", table]
    monkeypatch.setattr(sys, "argv", ["interstage", "compare", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    out, _ = capsys.readouterr()
    assert ended.value.code == 0
    assert "Leg alone. Motion: largest difference from reference" in out
    with open(table, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(row["variant"], row["leg"]) for row in rows[:3]] == [
        ("reference", "up"),
        (TIGHT, "up"),
        ("reference", "parting"),
    ]
