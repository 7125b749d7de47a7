"""Extremes between samples: of a throw in closed form, in what is asked of a flight, judged and saved."""

from __future__ import annotations

import numpy as np
import pytest

import interstage as ist
from interstage.quantities.loads import LOADS
from interstage.record.requirements import evaluate
from interstage.report.mission import EXTREMES
from interstage.scenario import loads
from mechanics import EPS

UP, G = 33.0, 9.80665
TOP = UP**2 / (2 * G)
"""Highest place [m]; 3.365 s after the throw, between samples at 3 s and at 4 s, which are 0.65 m lower."""
THROW = f"""
gravity = {{ kind = "uniform", acceleration = [0, 0, {-G}] }}
bodies.ball = {{ mass = 1, inertia = [1, 1, 1], initial = {{ velocity = [3, 0, {UP}] }} }}
output = {{ interval = "1 s" }}
requirements.low = {{ quantity = "bodies.ball.position.z", max = "{TOP - 0.1} m" }}
requirements.room = {{ quantity = "bodies.ball.position.z", max = "{TOP + 0.1} m" }}
requirements.late = {{ quantity = "bodies.ball.position.z", during = "late", max = "{TOP - 0.1} m" }}
requirements.side = {{ quantity = "bodies.ball.position.x", max = "1 km" }}
phases.early = {{ until = {{ elapsed = "5 s" }} }}
phases.late = {{ until = {{ elapsed = "2 s" }} }}
"""


@pytest.fixture(scope="module")
def flight():
    return loads(THROW).run()


def test_the_top_of_a_throw_is_between_samples(flight):
    assert np.max(flight["bodies.ball.position.z"]) < TOP - 0.6
    # A parabola all the same, to the rounding of what leads there.
    assert flight.value("bodies.ball.position.z", "max") == pytest.approx(TOP, rel=100 * EPS)
    times, rows = flight.record.peaks
    np.testing.assert_allclose(times, [UP / G], rtol=1e-7)  # flat there: the root of a rounding
    np.testing.assert_allclose(rows["bodies.ball.position"][0], [3 * times[0], 0, TOP], atol=1e-9)
    assert len(flight.time) == 8  # samples stay what was asked for


def test_requirements_are_judged_by_it(flight):
    passed = {one.name: one.passed for one in evaluate(flight.record)}
    assert passed == {"low": False, "room": True, "late": True, "side": True}


@pytest.mark.parametrize("cut", [3.0, 3.2, 3.3, 3.4, 3.5, 3.6])
def test_an_event_beside_the_top(cut):
    text = THROW.replace('elapsed = "5 s"', f'elapsed = "{cut} s"')
    flight = loads(text).run()
    assert flight.value("bodies.ball.position.z", "max") == pytest.approx(TOP, rel=100 * EPS)
    assert not next(one for one in evaluate(flight.record) if one.name == "low").passed


@pytest.mark.parametrize(("up", "times"), [(3.0, (5, 2)), (UP, (1.5, 2.1)), (UP, (3.1, 0.6))])
def test_a_top_in_the_first_or_last_interval(up, times):
    """The last: between an event and the end there are two samples only, at times in one interval."""
    text = THROW.replace(f"[3, 0, {UP}]", f"[3, 0, {up}]")
    for old, new in zip((5, 2), times, strict=True):
        text = text.replace(f'elapsed = "{old} s"', f'elapsed = "{new} s "')
    flight = loads(text).run()
    assert flight.value("bodies.ball.position.z", "max") == pytest.approx(up**2 / (2 * G), rel=100 * EPS)


def test_a_saved_flight_has_it(flight, tmp_path):
    file = tmp_path / "throw.nc"
    flight.save(file)
    again = ist.open_flight(file)
    value = again.value("bodies.ball.position.z", "max")
    assert value == flight.value("bodies.ball.position.z", "max")


def test_what_is_looked_for_is_what_the_table_shows():
    assert {column.name for column in EXTREMES} == {*LOADS}
