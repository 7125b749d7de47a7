"""Values between samples, numbers of cases in messages, and units of files of sweeps."""

from __future__ import annotations

import csv

import numpy as np
import pytest

import interstage as ist
from interstage.reading import loads

MASS, STIFFNESS, AMPLITUDE = 20.0, 500.0, 0.3
SWING = f"""
gravity = "none"
bodies.mass = {{ mass = {MASS}, inertia = [2, 2, 2], initial = {{ position = [{1 + AMPLITUDE}, 0, 0] }} }}
output.interval = "0.5 s"
phases.swing = {{ until = {{ time = "1.5 s" }} }}
[forces.spring]
kind = "spring"
parent = "ground"
child = "mass"
stiffness = {STIFFNESS}
free_length = 1
"""


@pytest.fixture(scope="module")
def flight():
    return loads(SWING).run(progress=False)


def test_values_between_samples_have_the_order_of_the_method(flight):
    """x = 1 + A cos(w t): within a hundred tolerances of 1e-9, at samples, between them and at both ends."""
    w = np.sqrt(STIFFNESS / MASS)
    for t in (0.0, 0.01, 0.123, 0.5, 0.77, 1.3, 1.5):
        assert flight.value("bodies.mass.position.x", t) == pytest.approx(
            1 + AMPLITUDE * np.cos(w * t), abs=1e-7
        )
        assert flight.value("bodies.mass.velocity", t)[0] == pytest.approx(
            -AMPLITUDE * w * np.sin(w * t), abs=1e-6
        )
    assert flight.value("time", 0.123) == 0.123


@pytest.mark.parametrize("t", [-0.1, 1.6])
def test_a_time_outside_of_the_flight_is_refused(flight, t):
    with pytest.raises(ist.BadInput, match="is outside this flight"):
        flight.value("bodies.mass.position.x", t)


PARTS = f"""{SWING}
[events.passed]
when = {{ quantity = "bodies.mass.position.x", reaches = 1.0, direction = "falling" }}
repeats = true
"""


def saved(flight, path):
    """A flight from its file."""
    flight.save(path)
    return ist.open_flight(path)


def test_values_between_samples_of_a_saved_flight(tmp_path):
    """Equal to those of the unsaved flight within a hundred tolerances of 1e-9, in each part between events:
    also where none of the samples is, and for quantities that are no states."""
    flight = loads(PARTS).run(progress=False)
    again = saved(flight, tmp_path / "swing.nc")
    w = np.sqrt(STIFFNESS / MASS)
    assert again.value("bodies.mass.position.x", 0.5) == flight.value("bodies.mass.position.x", 0.5)
    for t in (0.01, 0.123, 0.32, 0.77, 1.49, 1.5):
        assert again.value("bodies.mass.position.x", t) == pytest.approx(
            1 + AMPLITUDE * np.cos(w * t), abs=1e-7
        )
        for path in ("bodies.mass.acceleration", "forces.spring.force", "system.energy"):
            size = np.max(np.abs(flight[path]))
            assert again.value(path, t) == pytest.approx(flight.value(path, t), abs=1e-7 * size)
    with pytest.raises(ist.BadInput, match="outside this flight"):
        again.value("bodies.mass.position.x", 1.6)


def test_values_between_samples_of_a_saved_mission(tmp_path):
    """By paths of the mission and of a leg, before and after its hand-over."""
    legs = """
[legs.one]
phases.first.until.elapsed = "0.4 s"
[legs.two]
after.leg = "one"
phases.second.until.elapsed = "0.4 s"
"""
    text = SWING.replace('phases.swing = { until = { time = "1.5 s" } }\n', "") + legs
    flight = loads(text).run(progress=False)
    again = saved(flight, tmp_path / "swing.nc")
    w = np.sqrt(STIFFNESS / MASS)
    for t, leg in ((0.123, "one"), (0.456, "two"), (0.777, "two")):
        truth = pytest.approx(1 + AMPLITUDE * np.cos(w * t), abs=1e-7)
        assert again.value("bodies.mass.position.x", t) == truth
        assert again.value(f"legs.{leg}.bodies.mass.position.x", t) == truth
        assert again.legs[leg].value("bodies.mass.position.x", t) == truth


def test_a_saved_flight_of_another_model_has_no_values_between_samples(flight, tmp_path):
    """A sample next to the time differs by a millimetre from the flight flown again."""
    again = saved(flight, tmp_path / "swing.nc")
    again.record.series["bodies.mass.position"][1, 0] += 1e-3
    with pytest.raises(
        ist.BadInput,
        match=r"differs from the saved samples by 0\.001 m after event 'swing'",
    ):
        again.value("bodies.mass.position.x", 0.6)
    assert again.value("bodies.mass.position.x", 1.2) == flight.value("bodies.mass.position.x", 1.2)


def test_problems_of_a_batch_name_their_cases():
    scenario = loads(SWING)
    with pytest.raises(ist.BadInput, match=r"bodies\.mass\.mass: case 1: -5 kg must not be negative"):
        scenario.run_batch({"bodies.mass.mass": [10.0, -5.0, 3.0]}, progress=False)
    with pytest.raises(ist.BadInput, match=r"case 0: .*(?s:.)*2 more cases"):
        scenario.run_batch({"bodies.mass.mass": [-1.0] * 7}, progress=False)


def test_the_csv_of_a_sweep_has_the_units_of_its_table(tmp_path):
    sweep = loads(SWING).sweep(
        {"bodies.mass.mass": ["5 lbm", "6 lbm"]}, responses=("bodies.mass.position.x",)
    )
    sweep.save(tmp_path / "sweep.csv")
    rows = list(csv.DictReader((tmp_path / "sweep.csv").open()))
    assert [float(row["mass.mass [lbm]"]) for row in rows] == pytest.approx([5.0, 6.0], rel=1e-12)
