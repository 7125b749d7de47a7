"""Sweeps: cases as single flights have them, designs, effects against closed forms, and what is refused."""

from __future__ import annotations

import csv
import json
import sys
import tracemalloc
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import xarray

import interstage as ist
from interstage.cli import main as cli
from interstage.observation import records_of_cases as lane_records
from interstage.programs import compiled, store
from interstage.reading import loads
from interstage.record.requirements import evaluate
from interstage.runs.one_by_one import steps_of
from interstage.studies.optimization.variables import variables_of
from interstage.studies.sweep import Measure, Sweep, designs, sensitivity
from interstage.studies.sweep import run as running
from interstage.studies.sweep.declared import variations_of
from interstage.studies.sweep.levels import Varied, find_variations
from interstage.studies.sweep.printed import WIDEST, cases_table, effects_tables, notes, tables
from interstage.tree.addresses import get
from interstage.tree.errors import BadInput

TEXT = """
title = "Two bodies and a spring"
bodies.stage = { mass = "900 kg", inertia = "[400, 400, 150] kg m^2", initial = {} }
bodies.satellite = { mass = "100 kg", inertia = "[12, 12, 8] kg m^2" }
phases.joined = { until = { time = "0.5 s" } }
phases.apart.release = ["band"]
phases.apart.until = { quantity = "pairs.stage.satellite.distance", reaches = "3 m" }
requirements.speed = { quantity = "pairs.stage.satellite.separation_speed", min = "0.8 m/s", at = "end" }
requirements.turn = { quantity = "pairs.stage.satellite.tip_off_rate", max = "2 deg/s", during = "apart" }
solver = { time_limit = "3 s" }
output = { interval = "0.1 s" }

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
axis = [0, 0, 1]
stiffness = "1 kN/m"
preload = "400 N"
stroke = "10 cm"
after = "apart"
"""
STROKE, REDUCED = 0.1, 90.0
PRELOAD, STIFFNESS, MASS = "devices.spring.preload", "devices.spring.stiffness", "bodies.satellite.mass"
SPENT = "time@spring spent"
# Always the same two inputs: a leaf with lanes and one without are two programs.
LEVELS = {PRELOAD: "300, 400, 500", STIFFNESS: "500:1500:3"}
SAME = 1e-10
"""Two programs of the same equations differ by rounding only, which a few hundred operations pile up."""
INTEGRATED = 1e-8
"""Flights at a tolerance of 1e-9, of some ten steps."""


def speed_of(preload: Any, stiffness: Any) -> Any:
    """Speed [m/s] from the work of the spring: m v^2 / 2 = (preload - stiffness stroke / 2) stroke."""
    return np.sqrt(2 * STROKE * (preload - 0.5 * stiffness * STROKE) / REDUCED)


@pytest.fixture(scope="module")
def two_and_a_spring() -> ist.Scenario:
    from interstage.reading import loads

    return loads(TEXT)


@pytest.fixture(scope="module")
def grid(two_and_a_spring) -> ist.Sweep:
    return two_and_a_spring.sweep(LEVELS, responses=[SPENT])


# --- what is flown


def test_every_case_is_what_it_would_be_alone(grid):
    for case in (0, 4, 8):
        flight = grid.fly(case)
        margins = evaluate(flight.record)
        for measure, margin in zip(grid.measures, margins, strict=False):
            assert measure.name == margin.name
            assert measure.values[case] == pytest.approx(margin.value, rel=SAME, abs=1e-12)
            assert measure.broken[case] == (not margin.passed)
        spent = next(event.time for event in flight.record.events if event.name == "spring spent")
        assert grid["time spring spent"][case] == pytest.approx(spent, rel=SAME)


def test_speeds_against_the_work_of_the_spring(grid):
    preload, stiffness = grid["spring.preload"], grid["spring.stiffness"]
    np.testing.assert_allclose(grid["speed"], speed_of(preload, stiffness), rtol=INTEGRATED)
    assert [*zip(preload, stiffness)] == [*product([300, 400, 500], [500, 1000, 1500])]


def test_the_order_of_cases_changes_nothing(two_and_a_spring, grid):
    levels = {STIFFNESS: "1500, 500, 1000", PRELOAD: [500, 300, 400]}
    turned = two_and_a_spring.sweep(levels, responses=[SPENT])
    mine, its = (
        {(p, k): v for p, k, v in zip(s["spring.preload"], s["spring.stiffness"], s["speed"])}
        for s in (grid, turned)
    )
    assert mine.keys() == its.keys()
    for key, value in mine.items():
        assert its[key] == pytest.approx(value, rel=1e-13)


def test_cases_and_responses_that_are_not_there(grid):
    for ask in (grid.fly, grid.case, grid.verdict, grid.settings):
        for case in (-1, 99):
            with pytest.raises(BadInput, match=f"there is no case {case}; allowed: 0 to {len(grid) - 1}"):
                ask(case)
    with pytest.raises(BadInput, match="there is no requirement or response 'sped'; did you mean 'speed'"):
        grid.effects("sped")


def test_what_moves_together_moves_together(two_and_a_spring):
    found = two_and_a_spring.sweep({f"{PRELOAD}, {STIFFNESS}": "80 %:120 %:3"}, responses=[SPENT])
    np.testing.assert_allclose(found.inputs[PRELOAD], [320, 400, 480])
    np.testing.assert_allclose(found.inputs[STIFFNESS], [800, 1000, 1200])
    np.testing.assert_allclose(found["speed"], speed_of(400, 1000) * np.sqrt([0.8, 1, 1.2]), rtol=INTEGRATED)


def test_a_lane_that_cannot_start_or_end_says_so_and_the_others_fly(two_and_a_spring):
    points = "[0, 0, 0], [0, 0, -1.6]"  # the second is where the spring stands on the stage
    vary = {"devices.spring.child_at": points, PRELOAD: "101, 400"}
    found = _without_axis().sweep(vary, responses=[SPENT])
    assert found.flown.tolist() == [True, True, False, False]
    assert found.completed.tolist() == [False, True, False, False]
    assert "time limit" in found.outcomes[0]
    assert "coincide" in found.outcomes[2]
    assert np.isnan(found["speed"][[0, 2, 3]]).all()
    assert found["speed"][1] == pytest.approx(speed_of(400, 1000), rel=INTEGRATED)
    assert not found.passed
    assert not found.all_completed
    assert found.order[-1] == 1
    assert "1 ended early, 2 were not flown" in found.summary
    # In short in the table, and the worst in whole below it.
    cells = {row[0]: row[-1] for row in cases_table(found, "SI").rows}
    assert all(len(cell) <= WIDEST for cell in cells.values())
    worst = int(found.order[0])
    assert found.outcomes[worst].startswith(cells[str(worst)].removesuffix(" ..."))
    assert f"Case {worst}: {found.outcomes[worst]}" in notes(found)


def _without_axis() -> ist.Scenario:
    from interstage.reading import loads

    return loads(TEXT.replace("axis = [0, 0, 1]\n", ""))


def test_an_interrupt_keeps_what_was_flown(two_and_a_spring):
    def interrupt(done: int, of: int) -> None:
        raise KeyboardInterrupt

    many = {PRELOAD: np.linspace(300, 400, 130), STIFFNESS: 1000.0}
    found = two_and_a_spring.sweep(many, responses=[SPENT], threads=1, progress=interrupt)
    assert found.interrupted
    assert 64 <= found.flown.sum() < 130
    flown = found.flown
    np.testing.assert_allclose(
        found["speed"][flown], speed_of(found["spring.preload"][flown], 1000), rtol=INTEGRATED
    )
    assert np.isnan(found["speed"][~flown]).all()
    assert "interrupted" in found.outcomes[-1]
    assert any("interrupted" in note for note in notes(found))


def test_few_steps_compile_nothing_besides_the_flight(two_and_a_spring, tmp_path, monkeypatch):
    """Whatever is varied, and however many cases there are: they are flown by the program of one flight."""
    monkeypatch.setenv(store.FOLDER_VARIABLE, str(tmp_path))
    monkeypatch.delenv(store.SIZE_VARIABLE, raising=False)
    two_and_a_spring.run()
    compiled_here: list[str] = []
    with compiled.listening(lambda wait: compiled_here.append(wait.name)):
        batch = two_and_a_spring.run_batch({PRELOAD: [300.0, 350.0, 400.0]})
        batch.value("pairs.stage.satellite.separation_speed", "max")
        found = two_and_a_spring.sweep({MASS: "90 kg:110 kg:70"}, responses=[SPENT])
    assert compiled_here == []
    assert batch.completed.all()
    assert found.completed.all()


def test_a_batch_takes_the_paths_of_a_sweep(two_and_a_spring):
    """Components of a vector, by their letter or number, and patterns."""
    centre = np.array([[0.0, 0.0, 0.0], [0.02, -0.01, 0.0]])
    whole = two_and_a_spring.run_batch({"bodies.satellite.mass_centre": centre, MASS: [90.0, 90.0]})
    paths = {"mass_centre.x": centre[:, 0], "mass_centre[1]": centre[:, 1]}
    parts = {f"bodies.satellite.{path}": values for path, values in paths.items()}
    found = two_and_a_spring.run_batch(parts | {"bodies.sat*.mass": [90.0, 90.0]})
    np.testing.assert_array_equal(found.x, whole.x)
    assert not np.array_equal(found.x[:, 0], found.x[:, 1])
    assert get(found.case(1), "bodies.satellite.mass_centre").tolist() == [0.02, -0.01, 0.0]
    for wrong, says in (
        ({"bodies.satellite.mass_centre.x": centre}, r"has the shape \(3,\). Give the shape \(\)"),
        ({"bodies.satellite.mass_centre[3]": [1.0]}, "has no element"),
        (parts | {"bodies.satellite.mass_centre": centre}, "also dispersed by"),
    ):
        with pytest.raises(ist.BadInput, match=says):
            two_and_a_spring.run_batch(wrong)


@pytest.mark.parametrize(
    ("solver", "cases", "steps"),
    [
        ('method = "rk4", step = "1 ms"', 50, 200_000),  # 4000 of each until 4 s
        ("tolerance = 1e-9", 20_000, None),
        ("tolerance = 1e-9", 20_001, np.inf),
    ],
)
def test_fixed_steps_tell_how_many_they_are(solver, cases, steps):
    text = TEXT.replace('quantity = "pairs.stage.satellite.distance", reaches = "3 m"', 'time = "4 s"')
    assert steps_of(loads(text.replace('time_limit = "3 s"', solver)), cases) == (
        pytest.approx(steps) if steps else None
    )


# --- values of a batch


@pytest.mark.parametrize(
    ("at_once", "beside"), [(10_000, 8192), (10_000, 1), (0, 8192)], ids=["NumPy", "one by one", "compiled"]
)
def test_values_of_a_batch_at_events_and_over_time(two_and_a_spring, at_once, beside, monkeypatch):
    monkeypatch.setattr(lane_records, "AT_ONCE", at_once)
    monkeypatch.setattr(lane_records, "SIDE_BY_SIDE", beside)
    preload = np.array([300.0, 400.0])
    batch = two_and_a_spring.run_batch({PRELOAD: preload})
    path = "pairs.stage.satellite.relative_velocity"
    np.testing.assert_allclose(batch.value(f"{path}.z"), speed_of(preload, 1000), rtol=INTEGRATED)
    whole = batch.value(path, "spring spent", side="before")
    assert whole.shape == (2, 3)
    flights = [ist.Flight(batch.record(lane)) for lane in range(2)]
    for lane in (-1, batch.lanes):
        for ask in (batch.record, batch.case, batch.outcome):
            with pytest.raises(BadInput, match=rf"there is no case {lane}; allowed: 0 to {batch.lanes - 1}"):
                ask(lane)
    sides: Any = (("spring spent", "before"), ("apart", "after"), ("end", "before"))
    for at, side in sides:
        want = [flight.value(path, at, side) for flight in flights]
        np.testing.assert_allclose(batch.value(path, at, side), want, rtol=SAME, atol=1e-13)
    np.testing.assert_allclose(batch.value(f"{path}.z", "max"), [f[f"{path}.z"].max() for f in flights])
    np.testing.assert_allclose(batch.value(f"{path}.z", "start"), 0, atol=1e-13)
    assert batch.completed.all()
    assert batch.outcome(0) == (flights[0].outcome, True)
    for words, said in (
        ((path, "aport"), "did you mean 'apart'"),
        (("pairs.stage.satellite.relative_velocty",), "did you mean"),
        ((path, "end", "under"), "Allowed: before, after"),
    ):
        with pytest.raises(ist.BadInput, match=said):
            batch.value(*words)


# --- designs and levels


def levels_of(scenario, **vary) -> Any:
    return find_variations(
        scenario, variations_of({path.replace("__", "."): spec for path, spec in vary.items()})
    )


@pytest.mark.parametrize(
    ("spec", "levels"),
    [
        ("90 kg:110 kg:5", [90, 95, 100, 105, 110]),
        ("90:120", [90, 100, 120]),
        ("120:150", [120, 150]),
        ("+-10 %", [90, 100, 110]),
        ("±5 kg:2", [95, 105]),
        ("50 %, 200 %", [50, 200]),
        ("1e2 kg, 220 lbm", [100, 220 * 0.45359237]),
        ([90, 95.5], [90, 95.5]),
        ({"low": 90, "high": 95, "count": 2}, [90, 95]),
    ],
)
def test_levels(two_and_a_spring, spec, levels):
    (one,), _ = find_variations(two_and_a_spring, variations_of({MASS: spec}))
    np.testing.assert_allclose(one.values[0], levels)
    assert one.nominal_level == next((k for k, level in enumerate(levels) if level == 100), -1)


@pytest.mark.parametrize("path", ["controls.hold.kd", "controls.hold.kd[0]"])
@pytest.mark.parametrize(
    ("spec", "levels"),
    [
        ("0.2:2.2:5", [0.2, 0.7, 1.2, 1.7, 2.2]),
        ("[0.2], [0.9]", [0.2, 0.9]),
        (np.array([0.2, 0.9]), [0.2, 0.9]),
        ("+-10 %", [0.63, 0.7, 0.77]),
        ("+-0.1", [0.6, 0.7, 0.8]),
    ],
)
def test_one_number_stands_for_a_list_of_one(path, spec, levels):
    """As where it is declared: a gain for all axes."""
    scenario = ist.load(Path(__file__).parents[2] / "examples" / "ascent.toml")
    (one,), _ = find_variations(scenario, variations_of({path: spec}))
    np.testing.assert_allclose(one.values[0], levels, rtol=1e-12)
    assert (one.numeric, one.nominal) == (True, 100.0 if "%" in str(spec) else 0.7)


def test_a_device_may_never_answer(two_and_a_spring):
    """An infinite delay is a level like others, but no place on an axis."""
    (one,), _ = find_variations(two_and_a_spring, variations_of({"devices.spring.delay": "0 s, 5 ms, inf s"}))
    np.testing.assert_array_equal(one.values[0], [0, 0.005, np.inf])
    assert (one.nominal_level, one.numeric, one.labels[2]) == (0, False, "inf")


def test_elements_vectors_and_patterns(two_and_a_spring):
    vary = {
        "joints.band.parent_at.x": "0 m, 1 cm",
        "joints.band.parent_at[2]": "1.1:1.3",
        "bodies.satellite.inertia": "+-10 %",
        "joints.*.child_at": "[0, 0, -40] cm, [1, 0, -40] cm",
    }
    plan = running.plan_cases(two_and_a_spring, vary, "corners")
    assert len(plan.levels) == 1 + 2**4
    assert plan.inputs["joints.band.parent_at"].shape == (len(plan.levels), 3)
    assert {*plan.inputs["joints.band.parent_at"][:, 2]} == {1.1, 1.2, 1.3}
    np.testing.assert_allclose(plan.inputs["joints.band.child_at"][-1], [0.01, 0, -0.4])
    inertia = plan.inputs["bodies.satellite.inertia"]
    np.testing.assert_allclose(inertia[-1], 1.1 * two_and_a_spring.bodies[1].inertia)


def test_commas_between_indices_part_no_paths(two_and_a_spring):
    """From the command line, where commas part the paths of what moves together."""
    plan = running.plan_cases(
        two_and_a_spring, ["bodies.satellite.inertia[0, 0],bodies.satellite.inertia[1,1]=9:10:2"]
    )
    own = two_and_a_spring.bodies[1].inertia
    for case, level in enumerate((9.0, 10.0)):
        np.testing.assert_array_equal(
            plan.inputs["bodies.satellite.inertia"][case], np.diag([level, level, own[2, 2]])
        )
    (one,) = variables_of("bodies.satellite.inertia[0, 0]=9:10")
    assert one.path == "bodies.satellite.inertia[0, 0]"


def test_designs(two_and_a_spring):
    vary = {PRELOAD: "300, 400, 500", STIFFNESS: "800:1200:2", MASS: "+-5 %"}

    def count(design):
        return running.plan_cases(two_and_a_spring, vary, design)

    assert len(count("grid").levels) == 3 * 2 * 3
    corners = count("corners")
    assert len(corners.levels) == 1 + 2**3
    assert not corners.notes
    inner = running.plan_cases(two_and_a_spring, vary | {STIFFNESS: "800:1200:5"}, "corners").notes
    assert inner == [
        "The design corners uses only the lowest and highest levels. Other levels of spring.stiffness are"
        " not flown."
    ]
    assert {path: v[0] for path, v in corners.inputs.items()} == {PRELOAD: 400, STIFFNESS: 1000, MASS: 100}
    alone = count("one_at_a_time")
    assert len(alone.levels) == 1 + 2 + 2 + 2
    moved = np.stack([v != v[0] for v in alone.inputs.values()])
    assert moved.sum(axis=0).tolist() == [0] + [1] * 6


def test_repeats_are_told_and_flown_once(two_and_a_spring):
    plan = running.plan_cases(two_and_a_spring, {MASS: [90, 90, 100], PRELOAD: "300, 400"})
    assert len(plan.levels) == 4
    assert any("repeat" in note for note in plan.notes)


# --- effects


def test_main_effects_of_a_grid_against_the_closed_form(grid):
    p, k = np.meshgrid([300, 400, 500], [500, 1000, 1500], indexing="ij")
    table = speed_of(p, k)
    effects = {effect.variation.name: effect for effect in grid.effects("speed")}
    total = np.sum((table - table.mean()) ** 2)
    for name, axis in (("spring.preload", 1), ("spring.stiffness", 0)):
        means = table.mean(axis=axis)
        np.testing.assert_allclose(effects[name].means, means, rtol=INTEGRATED)
        assert effects[name].range == pytest.approx(np.ptp(means), rel=1e-6)
        assert effects[name].share == pytest.approx(3 * np.sum((means - table.mean()) ** 2) / total, rel=1e-5)
    x = np.stack([(c - c.mean()) / c.std() for c in (p.ravel(), k.ravel())], axis=1)
    want = np.linalg.lstsq(x, (table.ravel() - table.mean()) / table.std(), rcond=None)[0]
    got = [effects[name].coefficient for name in ("spring.preload", "spring.stiffness")]
    np.testing.assert_allclose(got, want, rtol=1e-5)
    assert [*effects] == ["spring.preload", "spring.stiffness"]


def test_effects_of_a_part_of_the_cases_say_so(grid):
    few = replace(grid.measures[0], values=np.where(np.arange(9) < 4, grid.measures[0].values, np.nan))
    whole, part = (effects_tables(replace(grid, measures=(m,)), "SI")[0] for m in (grid.measures[0], few))
    assert "cases" not in whole.note
    assert part.note.startswith("The effects use only 4 of 9 cases.")


def test_one_at_a_time_against_the_closed_form(two_and_a_spring):
    found = two_and_a_spring.sweep(LEVELS, "one_at_a_time", responses=[SPENT])
    effects = {effect.variation.name: effect for effect in found.effects("speed")}
    ends = {
        "spring.preload": (speed_of(300, 1000), speed_of(500, 1000)),
        "spring.stiffness": (speed_of(400, 500), speed_of(400, 1500)),
    }
    for name, (low, high) in ends.items():
        effect = effects[name]
        np.testing.assert_allclose(effect.ends, (low, high), rtol=INTEGRATED)
        assert effect.reference == pytest.approx(speed_of(400, 1000), rel=INTEGRATED)
        assert effect.slope == pytest.approx((high - low) / np.ptp(effect.levels), rel=1e-6)
    assert [*effects] == sorted(ends, key=lambda name: -abs(ends[name][1] - ends[name][0]))
    (preload, *_) = found.effects("turn") or [None]
    assert preload is None or preload.range == 0  # a push through the mass centres turns nothing


def drawn(design, function, levels, nominal=np.nan):
    """A sweep of a function of as many inputs as there are lists of levels, without a flight."""
    variations = tuple(
        Varied(f"x{k}", (), "1", np.asarray(one, float), True, (), nominal, -1, (), f"x{k}")
        for k, one in enumerate(levels, 1)
    )
    cases, _ = designs.cases(design, variations)
    at = [
        np.where(cases[:, k] == designs.OWN, nominal, one.coordinate[cases[:, k]])
        for k, one in enumerate(variations)
    ]
    measure = Measure("y", "y", "at the end", "1", function(*at))
    all_, none = np.ones(len(cases), bool), cast(Any, None)
    return Sweep(none, design, variations, cases, {}, (measure,), ("",) * len(cases), all_, all_)


def middles(count, low=-1.0, high=1.0):
    """The middles of equal parts of a stretch: equally likely levels for what is uniform over it."""
    return low + (high - low) * (np.arange(count) + 0.5) / count


def test_sobol_indices_of_the_ishigami_function():
    """T. Ishigami and T. Homma, 1990; the variances from I. M. Sobol' and Y. L. Levitan, 1999."""
    a, b, count = 7.0, 0.1, 40
    found = drawn(
        "grid",
        lambda x, y, z: np.sin(x) + a * np.sin(y) ** 2 + b * z**4 * np.sin(x),
        [middles(count, -np.pi, np.pi)] * 3,
    )
    first = np.array([0.5 * (1 + b * np.pi**4 / 5) ** 2, a**2 / 8, 0.0])
    both = 8 * b**2 * np.pi**8 / 225
    whole = first.sum() + both
    effects = {effect.variation.name: effect for effect in found.effects("y")}
    assert [*effects] == ["x1", "x2", "x3"]
    # Middles make (10/3)/count^2 less of the mean of z^4, and about twice that of the variances.
    close = {"rel": 0, "abs": 3 * (10 / 3) / count**2}
    for k, effect in enumerate(effects.values()):
        assert effect.share == pytest.approx(first[k] / whole, **close)
        assert effect.total == pytest.approx((first[k] + both * (k != 1)) / whole, **close)
    assert sensitivity.explained_variance(found, found.measures[0]) == pytest.approx(
        first.sum() / whole, **close
    )


def test_effects_of_answers_that_turn():
    """|x| over a symmetric stretch: no slope, no difference of the ends, and half of the variance."""
    count = 20
    found = drawn("grid", lambda x, y: np.abs(x) + y / 2, [middles(count)] * 2)
    effects = {effect.variation.name: effect for effect in found.effects("y")}
    # |x| over middles is uniform on half as many.
    parts = np.array([(1 - (2 / count) ** 2) / 12, (1 - 1 / count**2) / 12])
    for effect, part in zip((effects["x1"], effects["x2"]), parts / parts.sum(), strict=True):
        assert effect.share == pytest.approx(part, rel=1e-12)
        assert effect.total == pytest.approx(part, rel=1e-12)
    assert effects["x1"].slope == pytest.approx(0, abs=1e-12)
    assert effects["x1"].turns
    assert not effects["x2"].turns
    assert sensitivity.straight(found, found.measures[0]) == pytest.approx(parts[1] / parts.sum(), rel=1e-12)
    (table,) = effects_tables(found, "SI")
    assert "explains only 50.2 % of the variance" in table.note
    assert "For x1, the largest or smallest mean is at a level between the lowest" in table.note


@pytest.mark.parametrize("design", ["grid", "corners"])
def test_effects_of_what_only_combinations_do(design):
    found = drawn(design, lambda x, y: x * y, [[-1, 1]] * 2, nominal=0.0)
    for effect in found.effects("y"):
        assert effect.share == 0
        assert effect.total == pytest.approx(1, rel=1e-15)
    (table,) = effects_tables(found, "SI")
    assert "Interactions of inputs explain 100.0 %" in table.note
    assert [row[5:7] for row in table.rows] == [["0.0 %", "100.0 %"]] * 2


def test_corners_say_what_bends_between_them():
    bent = drawn("corners", lambda x, y: x**2 + y, [[-1, 1]] * 2, nominal=0.0)
    straight = drawn("corners", lambda x, y: x + y, [[-1, 1]] * 2, nominal=0.0)
    assert sensitivity.bend(bent, bent.measures[0]) == (0, 1)
    assert sensitivity.bend(straight, straight.measures[0]) is None
    note = effects_tables(bent, "SI")[0].note
    assert "0 in the nominal case, but the mean over the corners is 1.0000" in note
    alone = drawn("one_at_a_time", lambda x, y: np.abs(x) + y, [[-1, 1]] * 2, nominal=0.0)
    effect = next(e for e in alone.effects("y") if e.variation.name == "x1")
    assert (effect.range, effect.turns, effect.ends) == (1, True, (1, 1))
    assert np.isnan(effect.total)


# --- what is shown and written


def test_tables_files_and_report(grid, tmp_path):
    assert {"spring.preload [N]", "speed [m/s]", "margin of speed [m/s]", "verdict"} < grid.table().keys()
    cases = cases_table(grid, "SI", rows=3)
    assert len(cases.rows) == 3
    assert "6 more cases" in cases.note
    narrow = cases_table(grid, "SI", most=1)
    assert "time spring spent [s]" in narrow.columns  # it was asked for
    assert "omits the columns speed, turn." in narrow.note
    slow = grid["speed"] < 0.8
    assert int(cases.rows[0][0]) == int(np.argmin(grid["speed"]))
    assert slow.sum() == grid.broken.sum() > 0
    assert [table.key for table in tables(grid, "US")] == ["cases", *(m.name for m in grid.measures)]
    for name in ("a.csv", "a.nc"):
        grid.save(tmp_path / name)
    rows = [*csv.DictReader((tmp_path / "a.csv").read_text(encoding="utf-8").splitlines())]
    np.testing.assert_array_equal([float(row["speed [m/s]"]) for row in rows], grid["speed"])
    with xarray.open_dataset(tmp_path / "a.nc", engine="h5netcdf") as data:
        np.testing.assert_array_equal(data["speed"], grid["speed"])
        assert data["speed"].attrs["units"] == "m/s"
        assert json.loads(data.attrs["variations"])[0]["paths"] == [PRELOAD]
        assert "spring" in data.attrs["scenario"]
    with pytest.raises(ist.BadInput, match=r"\.nc, \.csv, \.parquet"):
        grid.save(tmp_path / "a.xls")
    page = grid.report(tmp_path / "a.html").read_text(encoding="utf-8")
    for said in ("break a requirement", "Varied inputs", "spring.stiffness", "<figure>", "class=bad"):
        assert said in page


def test_rounding_orders_nothing(grid):
    """Neither cases by their margins, of which the one that is broken comes first, nor variations by their
    effects."""
    noise = 1e-13 * np.random.default_rng(3).normal(size=len(grid))
    (limited,) = (m for m in grid.measures if m.name == "speed")
    alike = replace(limited, values=limited.limit * (1 + 1e-12 + noise), side="min")
    found = replace(grid, measures=(alike,))
    assert list(found.order) == list(range(len(grid)))
    broken = alike.values.copy()
    broken[4] = limited.limit * (1 - 1e-12)
    assert list(replace(grid, measures=(replace(alike, values=broken),)).order)[:2] == [4, 0]
    one, other = ((c - c.mean()) / c.std() for c in map(grid.coordinate, grid.variations))
    for part in (1 - 1e-13, 1 + 1e-13):
        by = replace(grid, measures=(replace(limited, values=10 + part * one + other),)).effects("speed")
        assert [effect.variation.name for effect in by] == [each.name for each in grid.variations]


def test_the_worst_case_can_be_flown_from_what_is_said(grid):
    worst = int(grid.order[0])
    (note,) = [note for note in notes(grid, "a.toml") if note.startswith(f"To simulate case {worst}")]
    assert f'--set "{PRELOAD}=300.0"' in note
    from interstage.reading import loads, setting

    again = loads(TEXT, dict(setting(text) for text in grid.settings(worst)))
    assert again == grid.case(worst)


# --- what is refused


@pytest.mark.parametrize(
    ("vary", "said"),
    [
        ({"bodies.satelite.mass": "1:2"}, "did you mean 'satellite'"),
        ({"bodies.satellite.maas": "1:2"}, "did you mean 'mass'"),
        (
            {"bodies.satellite": "1:2"},
            "Give the path of a number in the table, for example bodies.satellite.mass",
        ),
        (
            {"joints.band.kind": "fixed, spherical"},
            "Run one study for each value, with --set joints.band.kind=",
        ),
        ({"solver.formulation.kind": "penalty"}, "interstage compare"),
        ({"solver.max_step": "1 s"}, "is not set in the scenario"),
        ({"output.interval": "1 s, 2 s"}, "which are the same for all cases"),
        ({"requirements.speed.min": "1, 2"}, "does not change the flight"),
        ({"bodies.*.moss": "1:2"}, "no value of the scenario matches"),
        ({MASS: "1 m:2 m"}, "is in m; allowed: kg"),
        ({MASS: "-5 kg, 5 kg"}, "must not be negative"),
        ({MASS: "nan, 5"}, "not a finite number"),
        ({MASS: "inf, 5"}, "not a finite number"),
        ({"devices.spring.delay": "0 s:inf s"}, "not a finite number"),
        ({MASS: "[1, 2] kg"}, "expected one number, got 2"),
        ({MASS: "1:2:3:4"}, "is not a range of levels"),
        ({MASS: "1:2:two"}, "is not a number of levels"),
        ({MASS: "1:2:1"}, "Allowed: 2 to 10000"),
        ({MASS: "1:2:1e9"}, "Allowed: 2 to 10000"),
        ({MASS: "2:1"}, "is above high"),
        ({MASS: "5:5"}, "'low' and 'high' are both 5. Set 'high' above 'low'"),
        ({MASS: "+-0 kg"}, "is not positive"),
        ({MASS: "+--5 %"}, "is not positive"),
        ({MASS: "1,,2"}, "has an empty level"),
        ({MASS: "90 kg:100"}, "have different forms"),
        ({MASS: "90 %, 100 kg"}, "have different forms"),
        ({MASS: []}, "Give at least one level"),
        ({MASS: {"lo": 1}}, "unknown key 'lo'"),
        ({MASS: {"low": 1}}, "Set both 'low' and 'high'"),
        ({MASS: {"low": 1, "high": 2, "delta": 1}}, "are set together"),
        ({MASS: {}}, "has no levels"),
        (
            {"bodies.satellite.inertia[1]": "1, 2"},
            "is a row of 3 by 3 numbers",
        ),
        (
            {"joints.band.parent_at": "1:2"},
            "Give the path of one element, for example joints.band.parent_at[0]",
        ),
        ({"joints.band.parent_at[7]": "1, 2"}, "has no element [7]"),
        ({"joints.band.parent_at.x": "+-5 %"}, "is 0 in the scenario"),
        ({"joints.band.parent_at.x": "0, 1", "joints.band.parent_at": "[0, 0, 1] m"}, "is varied also by"),
        ({f"{MASS}, {MASS}": "1, 2"}, "is varied twice by one variation"),
        ({"phases.joined.until.reaches": "1, 2"}, "is not set in the scenario"),
        ({}, "the varied inputs are missing"),
        ("bodies.satellite.mass", "is not an input with levels. Write PATH=LEVELS"),
        ({PRELOAD: "90 N:400 N:3"}, "[case 0: spring.preload 90 N]"),
        ({MASS: "1:2:3000"}, "--most 3000"),
    ],
)
def test_bad_input_is_one_clear_error(two_and_a_spring, vary, said):
    with pytest.raises(ist.BadInput) as caught:
        running.plan_cases(two_and_a_spring, vary)
    assert said in str(caught.value)
    assert len(caught.value.problems) == 1


@pytest.mark.parametrize(
    ("response", "said"),
    [
        ("pairs.stage.satellite.separation_sped@end", "did you mean"),
        ("pairs.stage.satellite.separation_speed@ent", "did you mean 'end'"),
        ("pairs.stage.satellite.separation_speed@max of all", "only the words 'during PHASE'"),
        ("pairs.stage.satellite.separation_speed@max during appart", "did you mean 'apart'"),
        ("bodies.stage.velocity@end", "is a vector"),
        ("@end", "has no quantity or no event"),
        ("time@", "has no quantity or no event"),
    ],
)
def test_bad_responses_are_one_clear_error(two_and_a_spring, response, said):
    with pytest.raises(ist.BadInput) as caught:
        running.plan_cases(two_and_a_spring, LEVELS, responses=[response])
    assert said in str(caught.value)
    assert len(caught.value.problems) == 1


def test_all_problems_are_told_at_once(two_and_a_spring):
    with pytest.raises(ist.BadInput) as caught:
        running.plan_cases(two_and_a_spring, {MASS: "-1, 2", "bodies.x.mass": "1"}, "square", ["nothing@end"])  # type: ignore[arg-type]
    assert len(caught.value.problems) == 4


def test_a_design_beyond_counting_is_refused_at_once(two_and_a_spring):
    vary = {f"joints.band.{at}[{k}]": "1:2:1000" for at in ("parent_at", "child_at") for k in range(3)}
    tracemalloc.start()
    with pytest.raises(ist.BadInput, match=str(1000**6)):
        running.plan_cases(two_and_a_spring, vary)
    assert tracemalloc.get_traced_memory()[1] < 2e7
    tracemalloc.stop()


# --- the command


@pytest.fixture
def command(monkeypatch, capsys, tmp_path):
    """Runs the command in this process on the scenario's file; returns (exit code, output, errors)."""
    (tmp_path / "a.toml").write_text(TEXT, encoding="utf-8")

    def call(*words: object, file: str = "a.toml") -> tuple[int, str, str]:
        given = ["interstage", "sweep", str(tmp_path / file), *map(str, words)]
        monkeypatch.setattr(sys, "argv", given)
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return call


VARY = [word for path, levels in LEVELS.items() for word in ("--vary", f"{path}={levels}")]


def test_command(command, tmp_path):
    page, table = tmp_path / "a.html", tmp_path / "a.csv"
    code, out, err = command(*VARY, "--response", SPENT, "--report", page, "-o", table)
    assert code == 3
    assert {words[-1] for line in err.splitlines() if (words := line.split())} <= {"structure", "cases"}
    assert "BROKEN:" in out  # and of what, folded on a narrow terminal
    assert "speed: pairs.stage.satellite.separation_speed, at the end, in m/s" in out
    assert f"Wrote {table} and {page}." in out
    assert len(table.read_text(encoding="utf-8").splitlines()) == 10
    code, out, _ = command("--set", "requirements.speed.min=0.1 m/s", *VARY, "--response", SPENT)
    assert code == 0
    assert "all cases meet the requirements" in out
    code, out, _ = command(
        "--vary", f"{PRELOAD}=101, 400", "--vary", f"{STIFFNESS}=1000", "--response", SPENT
    )
    assert code == 4
    assert "1 ended early" in out


def test_study(command, tmp_path):
    study = tmp_path / "study.toml"
    text = f"""
scenario = "a.toml"
design = "one_at_a_time"
[variations.push]
path = "{PRELOAD}"
delta = "25 %"
[responses.spent]
quantity = "time"
at = "spring spent"
"""
    study.write_text(text, encoding="utf-8")
    code, out, err = command("--vary", f"{STIFFNESS}=500, 1500", file="study.toml")
    assert (code, err) == (3, "")
    assert "push [%]" in out
    assert "5 cases (one at a time)" in out
    study.write_text(text.replace("delta", "dolta").replace("at =", "et ="), encoding="utf-8")
    code, _, err = command(file="study.toml")
    assert code == 2
    assert "line 6: variations.push.dolta: unknown key" in err
    assert "line 9: responses.spent.et" in err
    study.write_text(text.replace(PRELOAD, "devices.sprang.preload"), encoding="utf-8")
    code, _, err = command(file="study.toml")
    assert "line 4: variations.push: devices.sprang.preload: devices.sprang: there is no 'sprang'" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "the varied inputs are missing"),
        ([*VARY, "-o", "a.xls"], "Allowed endings: .nc, .csv, .parquet"),
        ([*VARY, "--design", "gird"], "did you mean 'grid'"),
        ([*VARY, "--most", "3"], "the design has 9 cases"),
        ([*VARY, "--most", "0"], "of at least 1"),
        ([*VARY, "-o", "/nowhere/a.csv"], "there is no folder"),
        (["--vary", f"{MASS}=1:2:3000"], "--most 3000"),
    ],
)
def test_command_refuses(command, words, said):
    code, _, err = command(*words)
    assert code == 2
    assert said in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("levels", "units", "shown"),
    [
        ("90 lbm, 100 lbm", "SI", ("lbm", "90")),
        ("9e5 g:1e6 g:3", "SI", ("g", "900000")),
        ("+-5 kg", "SI", ("kg", "95")),
        ("+-5 %", "SI", ("%", "95")),
        ("90, 100", "SI", ("kg", "90")),
        ([90.0, "95 kg"], "SI", None),
        ("90 kg, 220 lbm", "SI", ("kg", "90")),
        ("90 lbm, 100 lbm", "US", ("slug", "2.79729")),
    ],
)
def test_levels_are_shown_as_they_were_given(levels, units, shown):
    """In other units where these are asked for."""
    scenario = loads(TEXT)
    if shown is None:
        with pytest.raises(ist.BadInput):
            running.plan_cases(scenario, {MASS: levels})
        return
    (one,) = running.plan_cases(scenario, {MASS: levels}).variations
    assert (one.scale(units)[1], one.value_text(0, units)) == shown
