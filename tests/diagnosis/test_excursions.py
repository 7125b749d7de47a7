"""Tables that a flight leaves: refused or recorded, with the body, the table, the variable and the time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from interstage.diagnosis import excursions
from interstage.engine.contract import Range
from interstage.environment import atmosphere
from interstage.observation.observation import Track
from interstage.reading import loads

FALL = """
[planet]
kind = "flat"
[gravity]
kind = "uniform"
acceleration = [0, 0, -9.80665]
[atmosphere]
kind = "us76"
[bodies.ball]
mass = 10.0
inertia = [1.0, 1.0, 1.0]
[bodies.ball.initial]
position = [0, 0, 5000.0]
[aerodynamics.drag]
body = "ball"
area = 1e-13
length = 0.1
PHASES
[aerodynamics.drag.coefficients.CD]
axes = [{ variable = "mach", points = [0.0, 0.1, 0.3], outside = "OUTSIDE" }]
values = [0.1, 0.2, 0.3]
[phases.begin]
until = { time = "5 s" }
[phases.fall]
until = { time = "25 s" }
[output]
interval = 1.0
[solver]
tolerance = 1e-12
"""
"""A ball that falls freely (its drag does nothing to it) and reaches Mach 0.3 after 10 s."""


def flown(outside, phases=""):
    """The flight with what is declared for beyond the table."""
    return loads(FALL.replace("OUTSIDE", outside).replace("PHASES", phases)).run()


def mach(t):
    """Mach number of the ball after a time, in free fall."""
    air = atmosphere.air(atmosphere.prepare(atmosphere.USStandard1976()), 5000.0 - 0.5 * 9.80665 * t * t)
    return 9.80665 * t / float(air.speed_of_sound)


@pytest.mark.long
def test_a_flight_ends_where_it_leaves_a_table_that_refuses():
    flight = flown("refuse")
    assert not flight.record.completed
    end = float(flight.record.time[-1])
    # Steps to a tolerance of 1e-12, and a drag that takes less than 1e-12 of the speed.
    assert mach(end) == pytest.approx(0.3, rel=1e-9)
    assert (
        "aerodynamics.drag on ball: CD left its table, because mach goes above 0.3" in flight.record.outcome
    )
    assert 'outside = "hold"' in flight.record.outcome


@pytest.mark.parametrize("outside", ["hold", "extrapolate"])
def test_what_is_looked_up_outside_is_recorded(outside):
    flight = flown(outside)
    assert flight.record.completed
    (said,) = flight.record.warnings
    assert said.startswith(
        "aerodynamics.drag on ball: the flight used values outside the range of the data: mach was up to "
    )
    begin = float(said.split("above its range (CD) from ")[1].split(" s")[0])
    assert mach(begin) < 0.3
    assert said.endswith(" s to 25 s.")
    worst = float(said.split("up to ")[1].split(" ")[0])
    assert worst == pytest.approx(mach(25.0) - 0.3, rel=5e-3)  # printed with three digits


def test_a_table_that_is_not_in_use_is_not_left():
    """After its phase the loads do not act: no value is needed, and nothing is said."""
    flight = flown("refuse", 'phases = ["begin"]')
    assert flight.record.completed
    assert not flight.record.warnings
    assert np.all(np.isfinite(flight.record.series["bodies.ball.position"]))


def test_an_owner_has_one_sentence():
    """By variable: the farthest of all of its tables, the first and the last time."""
    wing = "aerodynamics.wing on glider"
    ranges = {
        name: Range(f"{wing}: {table}", variable, holds=True)
        for name, table, variable in (("a", "CD", "mach"), ("b", "CL", "mach"), ("c", "Cm", "beta"))
    }
    beyond = {"a": [0.0, 0.1, 0.0], "b": [0.0, 0.0, 0.2], "c": [-3.0, 0.0, 0.0]}
    part = SimpleNamespace(name="air", ranges=lambda scenario: ranges)
    program: Any = SimpleNamespace(
        layout=SimpleNamespace(having=lambda kind: (part,), count=1, loops=False),
        beyond=lambda *states: {"air": {name: np.array(far) for name, far in beyond.items()}},
    )
    t = np.array([0.0, 1.0, 2.0])
    (said,) = excursions.excursion_reports(program, None, None, Track(t, t, t, t + 1.0, t, t, t))
    assert said.startswith(f"{wing}: the flight used values outside the range of the data")
    for part in (
        "mach was up to 0.2 above its range (CD and CL) from 1 s",
        "3 below its range (Cm) from 0 s",
    ):
        assert part in said
