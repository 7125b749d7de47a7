"""Short pulses in tables over time, in flights whose steps have grown long before they come."""

from __future__ import annotations

import numpy as np
import pytest

import interstage as ist
from engine_door import unpacked
from interstage.reading import loads
from interstage.runs.run import fly

MASS, THRUST, SPEED = 10.0, 1000.0, 100.0
PRESSURE = 0.5 * 1.25 * SPEED**2
PULSE = 0.1
"""Integral of each pulse over time [s]: a trapeze."""
PULSES = """
planet = { kind = "flat", up = [0, 0, -1], north = [1, 0, 0] }
atmosphere.kind = "table"
atmosphere.altitude = [-1e5, 1e5]
atmosphere.density = [1.25, 1.25]
atmosphere.temperature = [280.0, 280.0]
phases.all = { until = { time = 100.0 } }
output.times = [100.0]
"""
BODY = """
[bodies.{name}]
mass = 10.0
inertia = [1.0, 1.0, 1.0]
initial = {{ position = [0, {place}, 0], velocity = [100, 0, 0] }}
"""
ENGINE = """
[engines.{name}]
kind = "engine"
body = "{name}"
at = [0, 0, 0]
direction = [0, 1, 0]
thrust = 1000.0
throttle = "controls.{name}"
massless = true
ignited = true
[controls.{name}]
kind = "pid"
measured = "bodies.{name}.angular_velocity.y"
"""
for name, place in (("target", 0.0), ("bias", 10.0), ("air", 20.0)):
    PULSES += BODY.format(name=name, place=place)
PULSES += ENGINE.format(name="target") + (
    """kp = 1.0
target = { time = [30, 30.05, 30.1, 30.15], value = [0, 1, 1, 0], interpolation = "linear", outside = "zero" }
"""
)
PULSES += ENGINE.format(name="bias") + (
    """kp = 0
target = 0
bias = { over = "time", points = [50, 50.05, 50.1, 50.15], value = [0, 1, 1, 0], interpolation = "linear" }
"""
)
PULSES += """
[aerodynamics.air]
body = "air"
area = 0.1
length = 1.0
[aerodynamics.air.coefficients.CY]
axes = [{ variable = "time", points = [70, 70.05, 70.1, 70.15], outside = "hold" }]
values = [0, 1, 1, 0]
interpolation = "linear"
"""
"""Each body has a pulse at a time of its own, so that none is met by luck with that of another."""


@pytest.mark.long
def test_pulses_of_targets_gains_and_coefficients_are_met():
    record = loads(PULSES).run().record
    sped = {name: record.series[f"bodies.{name}.velocity"][-1, 1] for name in ("target", "bias", "air")}
    assert sped["target"] == pytest.approx(THRUST * PULSE / MASS, rel=1e-9)
    assert sped["bias"] == pytest.approx(THRUST * PULSE / MASS, rel=1e-9)
    # The side force stays across, and grows with the slip: v' = k (1 + (v/V)^2), whose solution is a tangent.
    slip = np.tan(PRESSURE * 0.1 * PULSE / (MASS * SPEED))
    assert sped["air"] == pytest.approx(SPEED * slip, rel=1e-9)


@pytest.mark.long
def test_targets_that_jump_are_passed_in_short_steps():
    """One of 1 from the beginning of its table to its end."""
    ramp, flat = "value = [0, 1, 1, 0], interpolation", "value = [1, 1, 1, 1], interpolation"
    block = loads(PULSES.replace(ramp, flat, 1))
    record = block.run().record
    assert record.series["bodies.target.velocity"][-1, 1] == pytest.approx(THRUST * 0.15 / MASS, rel=1e-12)
    assert record.statistics["steps rejected"] < 5
    assert record.statistics["steps accepted"] < 40


def test_pulses_in_lanes():
    """Of masses, and of the tables themselves."""
    masses, factors, shifts = (
        np.array([10.0, 20.0, 40.0]),
        np.array([1.0, 2.0, 0.5]),
        np.array([0.0, 1.0, 9.0]),
    )
    scenario = loads(PULSES)
    table = "controls.target.target"
    dispersed = {
        "bodies.target.mass": masses,
        f"{table}.value": factors[:, None] * np.array([0.0, 1.0, 1.0, 0.0]),
        f"{table}.time": shifts[:, None] + np.array([30, 30.05, 30.1, 30.15]),
    }
    batch = scenario.run_batch(dispersed, samples=False)
    _, velocity, _, _, _, origin_velocity = unpacked(scenario, batch.x)
    sped = velocity[1, 0] + origin_velocity[1]
    np.testing.assert_allclose(sped, factors * THRUST * PULSE / masses, rtol=1e-9)


def test_a_short_pulse_of_a_table_is_not_stepped_over():
    """Nothing else happens: the steps would grow from 0 past the pulses at 3 s and at 5 s."""
    ramped = ist.ForceTable(
        time=[5, 5.001, 5.011, 5.012],
        value=[[0, 0, 0], [100, 0, 0], [100, 0, 0], [0, 0, 0]],
        interpolation="linear",
    )
    block = ist.ForceTable(time=[3, 3.25], value=[[0, 7, 0], [0, 7, 0]], interpolation="linear")
    body = ist.Body(name="a", mass=2.0, inertia=[1, 1, 1], initial=ist.State())
    phases = (ist.Phase(name="coast", until=ist.Trigger(time=20.0)),)
    forces = tuple(
        ist.Force(name=name, body="a", force=table) for name, table in (("ramped", ramped), ("block", block))
    )
    record = fly(ist.Scenario(bodies=(body,), phases=phases, forces=forces))
    impulse = [100 * 0.011, 7 * 0.25, 0]
    assert record.series["bodies.a.velocity"][-1] * 2.0 == pytest.approx(impulse, abs=1e-12)
    # The block begins and ends with a jump, each with a step of its own and one up to it.
    assert record.statistics["steps rejected"] == 0
    assert record.statistics["steps accepted"] < 30
