"""Derivatives through jumps of tables over time that do not move with the events before them, or do."""

from __future__ import annotations

import numpy as np
import pytest

from interstage.programs.targets import targets_of
from interstage.reading import loads
from interstage.sensitivities.pushed import Output, Pushed
from interstage.tree.errors import BadInput

BALL = """
[bodies.ball]
mass = 2
inertia = [1, 2, 3]
initial = { position = [0, 0, 0], angular_velocity = [0, 0, 0.4] }
[engines.motor]
kind = "motor"
body = "ball"
at = [0, 0.1, 0]
massless = true
ignited = true
thrust = { time = [0, 1, 1.7], value = [7, 11, 9] }
[forces.push]
kind = "force"
body = "ball"
force = { time = [0.4, 2], value = [[5, 0, 0], [8, 3, 0]], outside = "zero" }
[solver]
tolerance = 1e-12
"""
ONE = BALL + '[phases.a]\nuntil = { time = "1.1 s" }\n[phases.b]\nuntil = { time = "2.6 s" }\n'
LEGS = (
    BALL
    + '[legs.one]\nphases.a = { until = { time = "1.1 s" } }\n'
    + '[legs.two]\nafter = { leg = "one" }\nphases.b = { until = { time = "2.6 s" } }\n'
)
OF_TABLES = "forces.push.force.time[0]", "forces.push.force.time[1]", "engines.motor.burn_rate_factor"
OUTPUTS = (
    Output("bodies.ball.velocity.x", at="end"),
    Output("bodies.ball.position.y", at="end"),
    Output("bodies.ball.angular_velocity.z", at="end"),
)


def pushed(text: str, inputs: tuple[str, ...]) -> Pushed:
    scenario = loads(text)
    return Pushed(scenario, {path: targets_of(scenario, path, path) for path in inputs}, OUTPUTS)


@pytest.fixture(scope="module")
def flight():
    return pushed(ONE, ("phases.a.until.time", *OF_TABLES))


def check_against_differences(flight: Pushed):
    """Differences of fourth order, of flights that are right to about 1e-11; their own error is that of the
    fifth derivatives times h^4 = 2.6e-11 / 30."""
    point, h = flight.at(flight.nominal), 2.0**-9
    found = flight.jacobian(point)
    for k, name in enumerate(flight.names):
        moved = [flight.at(point.z + n * h * np.eye(len(point.z))[k]).values for n in (-2, -1, 1, 2)]
        differences = (moved[0] - 8 * moved[1] + 8 * moved[2] - moved[3]) / (12 * h)
        bound = 1e-11 / h + 1e-9 * max(1.0, np.abs(differences).max())
        np.testing.assert_allclose(found[:, k], differences, rtol=0, atol=bound, err_msg=name)
    return found


def test_through_jumps_of_tables_and_motors_against_differences(flight):
    """Of an event at which nothing happens, and of the jumps themselves."""
    found = check_against_differences(flight)
    assert np.abs(found[:, 1:]).max(axis=0).min() > 1.0


def test_an_event_at_the_time_of_a_jump_is_refused(flight):
    point = flight.at(np.array([2.0, *flight.nominal[1:]]))
    with pytest.raises(BadInput) as caught:
        flight.jacobian(point)
    said = str(caught.value)
    assert "phases.a.until.time" in said
    assert "at the same time, 2 s" in said
    assert "forces.push.force.time[1]" in said
    assert "engines.motor" not in said


@pytest.mark.long
def test_in_a_leg_whose_start_moves_against_differences():
    check_against_differences(pushed(LEGS, ("legs.one.phases.a.until.time",)))


def test_fixed_steps_over_a_jump_are_refused():
    fixed = ONE.replace("tolerance = 1e-12", 'method = "rk4"\nstep = "0.07 s"')
    flight = pushed(fixed, ("phases.a.until.time",))
    with pytest.raises(BadInput, match="With fixed steps, such a"):
        flight.jacobian(flight.at(flight.nominal))


@pytest.mark.long
def test_fixed_steps_over_a_bend_of_a_mass_flow_are_refused():
    """The grain is off the nozzle: where the mass flow bends, accelerations jump. Only forward differences of
    the steps themselves would be right."""
    grain = (
        'elements.grain = { kind = "grain", propellant = 1.5, density = 1700, centre = [0.4, 0.1, 0.05],'
        " axis = [1, 0, 0], length = 0.3, outer_radius = 0.1 }\n"
    )
    text = BALL.replace("[engines.motor]\n", f"{grain}[engines.motor]\n").partition("[forces.push]")[0]
    text = text.replace("massless = true", 'grain = "ball.grain"').replace(
        "value = [7, 11, 9]", "value = [7, 11, 0]"
    )
    text += '[solver]\nmethod = "rk4"\nstep = "0.013 s"\n[phases.a]\nuntil = { time = "2.6 s" }\n'
    flight = pushed(text, ("engines.motor.thrust.time[1]",))
    with pytest.raises(BadInput, match=r"engines.motor.thrust.time\[1\].*a corner of a mass flow"):
        flight.jacobian(flight.at(flight.nominal))


THROUGH_AIR = """
planet = { kind = "flat", up = [0, 0, 1], north = [1, 0, 0] }
gravity = { kind = "uniform", acceleration = [0, 0, -9.8] }
[atmosphere]
kind = "table"
altitude = [0, 1000]
density = [1.0, 1.0]
temperature = [280.0, 280.0]
outside = "zero"
[bodies.ball]
mass = 10
inertia = [1, 1, 1]
initial = { position = [0, 0, 900], velocity = [0, 0, 100] }
[aerodynamics.drag]
body = "ball"
area = 0.1
length = 1.0
coefficients = { CD = 1.0 }
[phases.a]
until = { elapsed = "3 s" }
"""


def test_through_an_edge_of_the_air_is_refused():
    flight = pushed(THROUGH_AIR, ("bodies.ball.initial.velocity.z",))
    with pytest.raises(BadInput, match=r"atmosphere: the density jumps by 1 kg/m\^3 .* at 1\.\d* s"):
        flight.jacobian(flight.at(flight.nominal))
    below = flight.at(np.array([40.0]))  # turns at 981 m
    assert np.all(np.isfinite(flight.jacobian(below)))


WIND = """
[wind]
kind = "table"
altitude = [-100, 0, 960, 1000, 1040]
velocity = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [8, 0, 0], [8, 0, 0]]
outside = "zero"
[solver]
tolerance = 1e-12
"""


@pytest.mark.long
def test_through_an_edge_of_the_wind_is_refused():
    """And not where it has died down there, or is not come to: there differences agree."""
    text = THROUGH_AIR.replace("[0, 1000]", "[0, 2000]") + WIND
    inputs = ("bodies.ball.initial.velocity.z",)
    flight = pushed(text, inputs)
    with pytest.raises(BadInput, match=r"^wind: the wind table jumps by 8 m/s at its end at 1040 m"):
        flight.jacobian(flight.at(np.array([110.0])))
    found = flight.jacobian(flight.at(np.array([60.0])))[:, 0]
    moved = [flight.at(np.array([60 + n * 1e-2])).values for n in (-2, -1, 1, 2)]
    differences = (moved[0] - 8 * moved[1] + 8 * moved[2] - moved[3]) / 12e-2
    np.testing.assert_allclose(found, differences, rtol=1e-6, atol=1e-9)  # flights of 1e-12 by the step
    ends = pushed(text.replace("[8, 0, 0]]", "[0, 0, 0]]"), inputs)
    assert np.all(np.isfinite(ends.jacobian(ends.at(np.array([110.0])))))
