"""Forces and moments of the air: against the definitions of the axes by vector algebra, and against motions
that are known in closed form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator
from scipy.spatial.transform import Rotation

from engine_door import central_inertia, component, instant, mechanism_of, packed
from interstage.parts.air.airloads import conditions
from interstage.parts.air.airloads import distances_beyond as beyond
from interstage.parts.air.declared import RELATIVE, VARIABLES
from interstage.reading import loads
from interstage.studies.verify import start_as_declared
from interstage.tree.errors import BadInput

EPS = np.finfo(float).eps
DENSITY, TEMPERATURE = 1.1, 280.0
SOUND = np.sqrt(1.4 * 8.31432 * TEMPERATURE / 28.9644e-3)
VISCOSITY = 1.458e-6 * TEMPERATURE**1.5 / (TEMPERATURE + 110.4)
WIND = np.array([3.0, -8.0, 1.0])
"""To north, east and up."""
AIR = f"""
ground = "ignore"
planet = {{ kind = "flat", up = [0, 0, -1], north = [1, 0, 0] }}
atmosphere.kind = "table"
atmosphere.altitude = [-1e5, 1e5]
atmosphere.density = [{DENSITY}, {DENSITY}]
atmosphere.temperature = [{TEMPERATURE}, {TEMPERATURE}]
"""
"""The same air everywhere, over flat ground whose vertical is -z."""

DRAG_AND_LIFT = """
CD = 0.4
CL = 0.8
CY = 0.1
Cl = 0.3
Cm = 0.2
Cn = -0.1
Clp = -0.7
Cnr = -0.6"""

EVERYTHING = (
    AIR
    + f"""
wind = {{ kind = "steady", velocity = {WIND.tolist()} }}
[bodies.a]
mass = 900.0
mass_centre = [1.0, 0.1, -0.2]
inertia = [500.0, 4000.0, 4100.0]
[bodies.a.elements.tank]
kind = "cylinder"
propellant = 2000.0
density = 1140.0
radius = 0.6
bottom = [3.0, 0.3, 0.02]
axis = [1, 0, 0]
[bodies.a.initial]
[bodies.b]
mass = 100.0
mass_centre = [0.3, 0, 0]
origin = [0.1, 0.2, 0.3]
inertia = [50.0, 40.0, 41.0]
initial = {{ position = [30.0, 0, 0] }}

[aerodynamics.body]
body = "a"
area = 1.3
length = 2.0
span = 3.0
factor = 1.25
reference = [2.0, -0.1, 0.4]
frame = {{ euler = "3-2-1", angles = [0.3, -0.2, 0.9] }}
[aerodynamics.body.coefficients]
CN = 0.7
CY = -0.3
Cl = 0.02
Cm = -0.4
Cn = 0.15
CNq = 3.0
CYr = 2.0
Clp = -0.5
Clr = 0.2
Cmq = -9.0
Cnr = -5.0
Cnp = 0.3
[aerodynamics.body.coefficients.CA]
interpolation = "linear"
factor = 1.1
increment = 0.05
values = [[0.1, 0.5, 0.3], [0.2, 0.9, 0.4], [0.6, 0.1, 0.8]]
[[aerodynamics.body.coefficients.CA.axes]]
variable = "mach"
points = [0.0, 0.4, 2.0]
[[aerodynamics.body.coefficients.CA.axes]]
variable = "alpha"
points = "[-180, 20, 180] deg"

[aerodynamics.stability]
body = "a"
area = 1.3
length = 2.0
span = 3.0
axes = "stability"
[aerodynamics.stability.coefficients]{DRAG_AND_LIFT}
Clr = 0.2
Cnp = 0.1
Cmq = -3.0

[aerodynamics.wind]
body = "a"
area = 1.3
length = 2.0
span = 3.0
axes = "wind"
reference = [0.0, 0.0, 0.0]
[aerodynamics.wind.coefficients]{DRAG_AND_LIFT}
Cmq = -2.0

[aerodynamics.model]
body = "a"
area = 1.3
length = 2.0
[aerodynamics.model.functions.inputs]
angleOfAttack = "deg"
fast = "ft_s"
height = "ft"
pitching = "deg_s"
total = "rad"
roll = "rad"
press = "psf"
re = "nd"
t = "s"
side = "deg"
[aerodynamics.model.functions.formulas]
x = "angleOfAttack + 2 * fast + 1e-3 * height + pitching"
z = "total + 3 * roll + press + 1e-5 * re + 7 * t + side"
[aerodynamics.model.functions.outputs]
x = "nd"
z = "nd"
[aerodynamics.model.inputs]
fast = "airspeed"
height = "altitude"
pitching = "pitch_rate"
total = "total_alpha"
roll = "aerodynamic_roll"
press = "dynamic_pressure"
re = "reynolds"
t = "time"
side = "beta"
[aerodynamics.model.outputs]
x = "CX"
z = "CZ"

[aerodynamics.near]
body = "a"
area = 1.3
length = 2.0
[aerodynamics.near.coefficients.CA]
axes = [{{ variable = "relative.b.x", points = [-100.0, 10.0, 100.0] }}]
values = [0.0, 1.0, 0.5]
interpolation = "linear"
[aerodynamics.near.coefficients.CN]
axes = [{{ variable = "relative.b.yaw", points = "[-180, 180] deg" }}]
values = [-1.0, 1.0]
interpolation = "linear"
[aerodynamics.near.blend]
over = "relative.b.distance"
full = 20.0
none = 60.0

[aerodynamics.past]
body = "a"
area = 1.3
length = 2.0
[aerodynamics.past.coefficients.CN]
axes = [{{ variable = "alpha", points = "[-60, 60] deg", outside = "extrapolate" }}]
values = [-1.0, 1.0]
interpolation = "linear"

[aerodynamics.later]
body = "a"
area = 1.3
length = 2.0
coefficients = {{ CD = 1.0 }}
phases = ["second"]

[phases.first]
until = {{ time = 1.0 }}
[phases.second]
until = {{ time = 2.0 }}
"""
)
"""Aerodynamics of all kinds on a body whose centre of mass moves as its tank drains, beside another body."""
STATES = 40
LEFT = 700.0
"""Propellant left in the tank [kg]."""


class States:
    """Random states of both bodies, and what the engine makes of them."""

    def __init__(self):
        rng = np.random.default_rng(4)
        n = STATES
        self.position = np.stack([rng.normal(0, 5, (3, n)), rng.normal(0, 25, (3, n))], 1)
        self.velocity = rng.normal(0, 150, (3, 2, n))
        self.quaternion = rng.normal(0, 1, (4, 2, n))
        self.quaternion /= np.linalg.norm(self.quaternion, axis=0)
        self.spin = rng.normal(0, 0.8, (3, 2, n))
        self.origin = np.array([10.0, 20.0, -3000.0])[:, None] * np.ones(n)
        self.origin_velocity = np.array([200.0, 30.0, 5.0])[:, None] * np.ones(n)
        self.t = np.linspace(0, 0.9, n)
        turned = Rotation.from_quat(np.roll(self.quaternion.reshape(4, -1), -1, 0).T)
        self.turn: np.ndarray = turned.as_matrix().reshape(2, n, 3, 3)

    def seen(self, scenario: Any, paths: Sequence[str]) -> Any:
        """Loads of the air, all loads, and quantities, at once for all states."""
        parts = (self.position, self.velocity, self.quaternion, self.spin, self.origin, self.origin_velocity)
        x = packed(*parts, left=np.full((1, STATES), LEFT))
        moment = instant(mechanism_of(scenario, (STATES,)), self.t, x)
        values: dict[str, Any] = {path: component(moment, path) for path in paths}
        values |= {name: beyond(over) for name, over in conditions(moment).items()}
        return moment.get("air") or {}, moment.wrench[:, 0], central_inertia(moment), values


@pytest.fixture(scope="module")
def states() -> States:
    return States()


PATHS = ("aerodynamics.body.force.y", "aerodynamics.body.torque.z", "aerodynamics.body.Cmq")
MORE = ("aerodynamics.model.CX", "aerodynamics.body.outside", "aerodynamics.past.outside")


@pytest.fixture(scope="module")
def seen(states):
    return states.seen(loads(EVERYTHING), [*PATHS, *MORE])


def centre():
    """Centre of mass of body a, structural coordinates: dry mass and a cylinder of liquid."""
    height = LEFT / (1140.0 * np.pi * 0.6**2)
    liquid = np.array([3.0 + height / 2, 0.3, 0.02])
    return (900.0 * np.array([1.0, 0.1, -0.2]) + LEFT * liquid) / (900.0 + LEFT)


class Past:
    """The air past body a in one state, by vector algebra in aerodynamic axes turned by `frame`."""

    def __init__(self, states: States, k: int, frame=None):
        self.frame = np.eye(3) if frame is None else frame
        turn = states.turn[0, k] @ self.frame
        north, east, up = WIND
        air = np.array([north, east, -up])
        inertial = states.origin_velocity[:, k] + states.velocity[:, 0, k] - air
        self.velocity = turn.T @ inertial
        self.speed = np.linalg.norm(inertial)
        self.pressure = 0.5 * DENSITY * self.speed**2
        self.rates = self.frame.T @ states.spin[:, 0, k]
        u, _, w = self.velocity
        self.alpha = np.arctan2(w, u)
        self.beta = np.arcsin(self.velocity[1] / self.speed)
        # ISO 1151-1: x of wind axes along the velocity, z in the plane of symmetry; x of stability axes is
        # the velocity's projection on that plane.
        x_wind = self.velocity / self.speed
        z = np.cross(x_wind, [0.0, 1.0, 0.0])
        z /= np.linalg.norm(z)
        self.wind = np.stack([x_wind, np.cross(z, x_wind), z], 1)
        self.stability = np.stack([np.cross([0.0, 1.0, 0.0], z), [0.0, 1.0, 0.0], z], 1)

    def given(self, force, moment, lengths, arm=None, factor: Any = 1.0, area=1.3):
        """Force and torque about the mass centre in structure axes, of coefficients in aerodynamic axes."""
        force = self.frame @ force * self.pressure * area * factor
        moment = self.frame @ (np.array(lengths) * moment) * self.pressure * area * factor
        return force, moment if arm is None else moment + np.cross(arm, force)


FRAME = Rotation.from_euler("ZYX", [0.3, -0.2, 0.9]).as_matrix()


def in_body_axes(past: Past):
    """Declaration `body`, written out."""
    grid = RegularGridInterpolator(
        ([0, 0.4, 2.0], np.radians([-180, 20, 180])), [[0.1, 0.5, 0.3], [0.2, 0.9, 0.4], [0.6, 0.1, 0.8]]
    )
    ca = 1.1 * grid((past.speed / SOUND, past.alpha)).item() + 0.05
    p, q, r = past.rates * np.array([3.0, 2.0, 3.0]) / (2 * past.speed)
    force = np.array([-ca, -0.3 + 2 * r, -0.7 - 3 * q])
    moment = np.array([0.02 - 0.5 * p + 0.2 * r, -0.4 - 9 * q, 0.15 - 5 * r + 0.3 * p])
    return past.given(force, moment, (3.0, 2.0, 3.0), np.array([2.0, -0.1, 0.4]) - centre(), 1.25)


def in_stability_axes(past: Past):
    """Declaration `stability`: no reference, so that the moment is about the centre of mass."""
    p, q, r = past.stability.T @ past.rates * np.array([3.0, 2.0, 3.0]) / (2 * past.speed)
    force = -0.4 * past.wind[:, 0] - 0.8 * past.wind[:, 2] + np.array([0, 0.1, 0])
    moment = np.array([0.3 - 0.7 * p + 0.2 * r, 0.2 - 3 * q, -0.1 - 0.6 * r + 0.1 * p])
    return past.given(force, past.stability @ (np.array([3.0, 2.0, 3.0]) * moment), (1, 1, 1))


def in_wind_axes(past: Past):
    lengths = np.array([3.0, 2.0, 3.0])
    p, q, r = past.wind.T @ past.rates * lengths / (2 * past.speed)
    force = past.wind @ np.array([-0.4, 0.1, -0.8])
    # Each coefficient goes with the length of its own axis.
    moment = past.wind @ (lengths * np.array([0.3 - 0.7 * p, 0.2 - 2 * q, -0.1 - 0.6 * r]))
    return past.given(force, moment, (1, 1, 1), -centre())


def by_function_model(past: Past, altitude, t):
    foot, psf = 0.3048, 4.4482216152605 / 0.3048**2
    total = np.arccos(past.velocity[0] / past.speed)
    roll = np.arctan2(past.velocity[1], past.velocity[2])
    reynolds = DENSITY * past.speed * 2.0 / VISCOSITY
    x = np.degrees(past.alpha) + 2 * past.speed / foot + 1e-3 * altitude / foot + np.degrees(past.rates[1])
    z = total + 3 * roll + past.pressure / psf + 1e-5 * reynolds + 7 * t + np.degrees(past.beta)
    return past.given(np.array([x, 0, z]), np.zeros(3), (1, 1, 1))


def near_another(past: Past, states: States, k: int):
    turn, other = states.turn[:, k]
    origin = states.position[:, 0, k] - turn @ centre()
    there = states.position[:, 1, k] + other @ (np.array([0.1, 0.2, 0.3]) - np.array([0.3, 0, 0]))
    gap = turn.T @ (there - origin)
    yaw = Rotation.from_matrix(turn.T @ other).as_euler("ZYX")[0]
    ca = np.interp(gap[0], [-100, 10, 100], [0, 1, 0.5])
    u = np.clip((60 - np.linalg.norm(gap)) / 40, 0, 1)
    force = np.array([-ca, 0, -yaw / np.pi])
    return past.given(force, np.zeros(3), (1, 1, 1), factor=u**3 * (10 - 15 * u + 6 * u**2))


def test_forces_and_moments(states, seen):
    """Body, stability and wind axes, moments moved from their reference to the centre of mass of the moment,
    damping, a turned frame, function models with units, blends and another body's place, and phases."""
    blended = 0
    for k in range(STATES):
        past = Past(states, k)
        altitude = -(states.origin[2, k] + states.position[2, 0, k])
        wanted = {
            "body": in_body_axes(Past(states, k, FRAME)),
            "stability": in_stability_axes(past),
            "wind": in_wind_axes(past),
            "model": by_function_model(past, altitude, states.t[k]),
            "past": past.given(np.array([0, 0, -past.alpha / np.radians(60)]), np.zeros(3), (1, 1, 1)),
            "near": near_another(past, states, k),
            "later": (np.zeros(3), np.zeros(3)),
        }
        for name, (force, torque) in wanted.items():
            load = seen[0][name]
            # Some hundred roundings of the terms, of which the largest is the force on its arm of metres.
            size = 500 * EPS * past.pressure * (1 + np.linalg.norm(force) / past.pressure)
            np.testing.assert_allclose(load.force[:, k], force, atol=size, err_msg=f"{name} {k}")
            np.testing.assert_allclose(load.torque[:, k], torque, atol=8 * size, err_msg=f"{name} {k}")
        blended += np.abs(wanted["near"][0]).max() > 0
    assert 5 < blended < STATES  # some within, some beyond


def test_loads_reach_the_bodies(states, seen):
    """What all declarations give together is what bodies feel, beside the gyroscopic torque."""
    air, total, inertia, _ = seen
    force = sum(np.einsum("nij,jn->in", states.turn[0], load.force) for load in air.values())
    np.testing.assert_allclose(total[:3], force, atol=1e-12 * np.abs(force).max())
    spin, own = states.spin[:, 0], inertia[:, :, 0].reshape(3, 3, -1)[..., 0]
    torque = sum(load.torque for load in air.values()) - np.cross(spin, own @ spin, axis=0)
    np.testing.assert_allclose(total[3:], torque, atol=1e-12 * np.abs(torque).max())


def test_quantities(seen):
    """Force, torque, coefficients, and whether a table was left, by name."""
    air, _, _, values = seen
    np.testing.assert_array_equal(values[PATHS[0]], air["body"].force[1])
    np.testing.assert_array_equal(values[PATHS[1]], air["body"].torque[2])
    np.testing.assert_array_equal(values[PATHS[2]], -9.0)
    np.testing.assert_array_equal(values[MORE[0]], air["model"].coefficients["CX"])
    assert not values[MORE[1]].any()
    left = values["past"]["CN", "alpha"]
    assert set(values[MORE[2]]) == {0.0, 1.0}
    np.testing.assert_array_equal(values[MORE[2]] > 0, left != 0)


def test_names_of_variables():
    """What declarations may name, the engine has."""
    from interstage.parts.air import airloads

    assert tuple(VARIABLES) == tuple(airloads._VARIABLES)
    assert set(RELATIVE) == {"x", "y", "z", "distance", "roll", "pitch", "yaw"}


# --- flights ------------------------------------------------------------------------------------------------

FLIGHTS = (
    AIR
    + """
bodies.ball = { mass = 2.0, inertia = [0.01, 0.01, 0.01], initial = { angular_velocity = [1, 2, 3] } }
bodies.glider.mass = 5.0
bodies.glider.inertia = [0.1, 0.1, 0.1]
bodies.glider.initial = { velocity = [90, 0, 0], position = [9, 0, 0] }
forces.weight = { kind = "force", body = "ball", axes = "inertial", force = [0, 0, 19.6] }
phases.fall = { until = { time = 10.0 } }
solver.tolerance = 1e-13
[aerodynamics.drag]
body = "ball"
area = 0.02
length = 0.16
[aerodynamics.drag.coefficients.CD]
axes = [{ variable = "mach", points = [0.0, 0.1, 0.2, 0.5] }]
values = [0.47, 0.47, 0.47, 0.47]
[aerodynamics.wing]
body = "glider"
area = 0.3
length = 0.2
coefficients = { CD = 0.06, CL = 0.5 }
"""
)
"""A tumbling ball that falls in still air of one density, v = V tanh(g t/V), h = (V^2/g) ln cosh(g t/V); a
wing without weight with constant lift and drag, on a circle of radius 2 m/(density area CL)."""
FACTOR = "aerodynamics.drag.factor"
VALUES = "aerodynamics.drag.coefficients.CD.values"
SPEED, DISTANCE = "bodies.ball.velocity.z", "bodies.ball.position.z"


def fallen(factor, t=10.0):
    """Speed and distance of the ball."""
    terminal = np.sqrt(2 * 2.0 * 9.8 / (DENSITY * 0.02 * 0.47 * factor))
    return terminal * np.tanh(9.8 * t / terminal), terminal**2 / 9.8 * np.log(np.cosh(9.8 * t / terminal))


def ended(x):
    """Speed and distance of the ball in a state of two bodies: those from the local origin, and its own."""
    position, velocity, origin, speed = x[:6].reshape(3, 2), x[6:12].reshape(3, 2), x[26:29], x[29:32]
    return velocity[2, 0] + speed[2], position[2, 0] + origin[2]


@pytest.fixture(scope="module")
def falling_and_turning():
    return loads(FLIGHTS)


@pytest.mark.long
def test_falling_ball_and_turning_wing(falling_and_turning):
    data = falling_and_turning.run().data
    t = data["time"].values
    speed, distance = fallen(1.0, t)
    ball, wing = data["bodies/ball"], data["bodies/glider"]
    # The tolerance of each step is 1e-13 of metres and of metres per second.
    np.testing.assert_allclose(ball["velocity"].values[:, 2], speed, atol=1e-10)
    np.testing.assert_allclose(ball["position"].values[:, 2], distance, atol=1e-9)
    slowing, turning = (DENSITY * 0.3 * c / (2 * 5.0) for c in (0.06, 0.5))
    gone = np.log(1 + slowing * 90 * t) / slowing
    np.testing.assert_allclose(wing["speed"].values, 90 * np.exp(-slowing * gone), atol=1e-10)
    circle = np.stack([9 + np.sin(turning * gone) / turning, (np.cos(turning * gone) - 1) / turning])
    np.testing.assert_allclose(wing["position"].values[:, [0, 2]].T, circle, atol=1e-9)
    aerodynamics = data["aerodynamics/wing"]
    np.testing.assert_array_equal(aerodynamics["CL"].values, 0.5)
    expected = DENSITY * 0.3 * np.hypot(0.06, 0.5) / 2 * wing["speed"].values ** 2
    np.testing.assert_allclose(np.linalg.norm(aerodynamics["force"].values, axis=1), expected, rtol=1e-13)


@pytest.mark.long
def test_lanes_fall_like_single_flights(falling_and_turning):
    """With dispersed factors and values of tables."""
    factors = np.array([0.5, 1.0, 2.0])
    values = 0.47 * np.ones((3, 4))
    values[2] *= 1.5
    batch = falling_and_turning.run_batch({FACTOR: factors, VALUES: values})
    for k, factor in enumerate(factors * [1, 1, 1.5]):
        np.testing.assert_allclose(ended(batch.x[:, k]), fallen(factor), atol=1e-9)


@pytest.mark.long
def test_derivatives(falling_and_turning):
    """By the factor as the closed form has them; by the points of the table, which do together what the
    factor does."""
    found = falling_and_turning.derivatives([SPEED, DISTANCE], [FACTOR, VALUES])
    step = 1e-5
    above, below = np.array(fallen(1 + step)), np.array(fallen(1 - step))
    # Central differences of the closed form err by the square of the step.
    wanted = (above - below) / (2 * step)
    for name, slope in zip((SPEED, DISTANCE), wanted, strict=True):
        by = found.by[name]
        np.testing.assert_allclose(by[FACTOR], slope, rtol=1e-8)
        np.testing.assert_allclose(0.47 * by[VALUES].sum(), slope, rtol=1e-8)
        assert (np.abs(by[VALUES]) > 1e-6 * abs(slope)).sum() >= 3


AT_A_POINT = (
    AIR
    + """
wind = { kind = "shear", velocity = [3.0, -8.0, 1.0], shear = [0.5, 0.2, 0.1], bottom = -100.0, top = 100.0 }
[bodies.a]
mass = 900.0
inertia = [500.0, 4000.0, 4100.0]
[bodies.a.initial]
of = "origin"
velocity = [80.0, 5.0, 9.0]
angular_velocity = [0.3, -0.2, 0.5]
[aerodynamics.body]
body = "a"
area = 1.3
length = 2.0
reference = [7.0, -0.1, 0.4]
[aerodynamics.body.coefficients]
CN = 0.7
CA = 0.2
Cm = 0.3
[phases.fall]
until = { time = "1 s" }
"""
)


def test_air_taken_at_the_reference_point():
    """A force of the air that is taken at the reference point is that on a body whose mass centre is there,
    wherever its own is: with wind that changes with altitude, and rotation."""
    away = loads(
        AT_A_POINT, {"bodies.a.mass_centre": [-3.0, 2.0, 1.0], "aerodynamics.body.air_at": "reference"}
    )
    there = loads(AT_A_POINT, {"bodies.a.mass_centre": [7.0, -0.1, 0.4]})
    other = loads(AT_A_POINT, {"bodies.a.mass_centre": [-3.0, 2.0, 1.0]})
    found, expected, apart = (start_as_declared(s)["aerodynamics.body.force"] for s in (away, there, other))
    np.testing.assert_allclose(found, expected, rtol=1e-13)
    assert np.abs(found - apart).max() > 1e-2 * np.abs(found).max()


def test_air_at_a_reference_point_that_is_not_given():
    with pytest.raises(BadInput, match="needs a reference point"):
        loads(AT_A_POINT.replace("reference = [7.0, -0.1, 0.4]", 'air_at = "reference"'))
