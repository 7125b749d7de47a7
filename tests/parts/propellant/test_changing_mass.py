"""Bodies whose mass changes in flight: momentum with the gas that has left, and one body against two."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from burning import IGNITE, MOVING, engine, gauss, on, phase, turned
from interstage.reading import loads

pytestmark = pytest.mark.usefixtures("long_flights")

G0 = 9.80665
EPS = np.finfo(float).eps
TIMES, PANELS = gauss([1.0, 1.5, *np.linspace(3, 11, 12)], 10)

STAGE = (
    """
[bodies.stage]
mass = 1000.0
mass_centre = [2.0, 0.05, 0]
inertia = [500.0, 4000.0, 4100.0]
[bodies.stage.elements.lox]
kind = "cylinder"
propellant = 2000.0
density = 1140.0
radius = 0.6
bottom = [3.0, 0, 0.02]
axis = [1, 0, 0]
[bodies.stage.elements.fuel]
kind = "cylinder"
propellant = 900.0
density = 810.0
radius = 0.6
bottom = [1.0, 0, 0]
axis = [1, 0, 0]
"""
    + MOVING
    + engine(
        "stage", "[0.0, 0.06, 0.01]", 40000.0, 300.0, 0.5,
        'cant = [0.01, 0.02]\nmixture_ratio = 2.2\noxidizer = "stage.lox"\nfuel = "stage.fuel"',
    )
    + phase("wait", 1)
    + phase("burn", 11, IGNITE)
    + "[solver]\ntolerance = 1e-13\n"
)  # fmt: skip
"""A stage with two tanks beside its axis and a canted engine."""


def slug(mass, full, density, radius, bottom):
    """(mass, mass centre, inertia about it, surface) of a liquid in an upright cylinder along x, by hand."""
    height = mass / (density * np.pi * radius**2)
    centre = bottom + np.outer(height / 2, [1.0, 0, 0])
    across = mass * (radius**2 / 4 + height**2 / 12)
    inertia = np.zeros((len(mass), 3, 3))
    inertia[:, 0, 0], inertia[:, 1, 1], inertia[:, 2, 2] = mass * radius**2 / 2, across, across
    return mass, centre, inertia, bottom + np.outer(height, [1.0, 0, 0])


def burnt(times):
    """(mass flow [kg/s], thrust [N], propellant drawn [kg]) of the engine from its ignition at 1 s on, with
    its smooth rise x^3 (10 - 15 x + 6 x^2) over 0.5 s."""
    x = np.clip((times - 1.0) / 0.5, 0, 1)
    share = x**3 * (10 - 15 * x + 6 * x**2)
    drawn = 0.5 * (2.5 * x**4 - 3 * x**5 + x**6) + np.maximum(times - 1.5, 0)
    flow = 40000.0 / (300.0 * G0)
    return flow * share, 40000.0 * share, flow * drawn


def of(flight, thing):
    """The samples of the quantities of one thing, by their last name."""
    return {
        path.rpartition(".")[2]: values
        for path, values in flight.record.series.items()
        if path.rpartition(".")[0] == thing
    }


def test_momentum_closes_with_the_gas():
    """Linear and angular momentum of structure, liquid, streams and of all gas that has left, about a fixed
    point: what the nozzle's flux carries away, integrated by Gauss's rule, is what the vehicle has lost."""
    times = [1.0, *TIMES.tolist(), 11.0]
    flight = loads(STAGE + f"[output]\ntimes = {times}\n").run()
    data = of(flight, "bodies.stage")
    t = np.array(times)
    flow, thrust, drawn = burnt(t)
    masses, surfaces = [], []
    share = {"lox": 2.2 / 3.2, "fuel": 1 / 3.2}
    ones = np.ones(len(t))
    for name, full, density, bottom in (
        ("lox", 2000.0, 1140.0, [3.0, 0, 0.02]),
        ("fuel", 900.0, 810.0, [1.0, 0, 0]),
    ):
        parts = slug(full - share[name] * drawn, full, density, 0.6, np.array(bottom))
        masses.append(parts[:3])
        surfaces.append(parts[3])
    dry = np.broadcast_to(np.diag([500.0, 4000.0, 4100.0]), (len(t), 3, 3))
    masses.append((1000.0 * ones, np.outer(ones, [2.0, 0.05, 0]), dry))
    mass: Any = sum(m for m, _, _ in masses)
    centre = sum(m[:, None] * c for m, c, _ in masses) / mass[:, None]
    inertia = 0
    for m, c, own in masses:
        arm = c - centre
        inertia = (
            inertia
            + own
            + m[:, None, None]
            * ((arm * arm).sum(1)[:, None, None] * np.eye(3) - arm[:, :, None] * arm[:, None, :])
        )
    np.testing.assert_allclose(data["mass"], mass, rtol=1e-12)

    position, velocity, w = (data[k] for k in ("position", "velocity", "angular_velocity"))
    turn = turned(data["attitude"])
    exit_point = np.array([0.0, 0.06, 0.01])
    inside: Any = sum(
        (flow * share[name])[:, None] * (exit_point - surface)
        for name, surface in zip(("lox", "fuel"), surfaces, strict=True)
    )
    arm = exit_point - centre
    momentum = mass[:, None] * velocity + on(turn, inside)
    angular = np.cross(position, momentum) + on(turn, on(inertia, w) + np.cross(arm, inside))
    # The thrust on the body at pitch 0.01 and yaw 0.02 about y and the turned z.
    cp, sp, cy, sy = np.cos(0.01), np.sin(0.01), np.cos(0.02), np.sin(0.02)
    along = np.array([cy * cp, sy, -cy * sp])
    nozzle = position + on(turn, arm)
    speed = velocity + on(turn, np.cross(w, arm))
    out = flow[:, None] * speed - on(turn, np.outer(thrust, along))
    moment = np.cross(nozzle, out)
    for what, flux in ((momentum, out), (angular, moment)):
        gone = PANELS @ flux[1:-1]
        size = PANELS @ np.linalg.norm(flux[1:-1], axis=1)
        np.testing.assert_allclose(what[-1] - what[0], -gone, rtol=0, atol=1e-10 * size)
    bare = np.cross(position, mass[:, None] * velocity) + on(turn, on(inertia, w))
    lost = np.abs(bare[-1] - bare[0] + PANELS @ moment[1:-1]).max()
    assert lost > 1e-5 * (
        PANELS @ np.linalg.norm(moment[1:-1], axis=1)
    )  # without the streams it does not close


UPPER = """
[bodies.upper]
mass = 700.0
mass_centre = [6.5, 0.1, -0.05]
inertia = [90.0, 300.0, 320.0]
[joints.interstage]
kind = "fixed"
parent = "stage"
child = "upper"
parent_at = [5.5, 0.2, 0.1]
child_at = [5.5, 0.2, 0.1]
[bodies.upper.initial]
through = "interstage"
"""
CARRIED = """
[bodies.stage.elements.upper]
kind = "item"
mass = 700.0
mass_centre = [6.5, 0.1, -0.05]
inertia = [90.0, 300.0, 320.0]
"""
OUTPUT = "[output]\ninterval = 1.0\n"
ORIGIN = STAGE.replace("[bodies.stage.initial]", '[bodies.stage.initial]\nof = "origin"')


@pytest.fixture(scope="module")
def rigid():
    """One body that carries the upper stage."""
    return loads(ORIGIN + CARRIED + OUTPUT).run()


def states(flight, body="stage"):
    """(origin, attitude matrices, angular velocity) of a body."""
    data = of(flight, f"bodies.{body}")
    return data["origin_position"], turned(data["attitude"]), data["angular_velocity"]


# One that eliminates by masses, and one that composes inertias; all agree at an instant: test_formulations.
KINDS = ("lagrange_multiplier", pytest.param("null_space", marks=pytest.mark.long))


@pytest.mark.parametrize("kind", KINDS)
def test_two_bodies_fly_as_one(rigid, kind):
    """A stage whose tanks drain and the stage on it, held by a joint, against one rigid body of the same
    masses: the same path and turn, and the joint carries what Newton's and Euler's laws ask for."""
    joined = loads(ORIGIN + UPPER + OUTPUT + f'[solver.formulation]\nkind = "{kind}"\n').run()
    where, turn, w = states(rigid)
    for found, expected, size in zip(states(joined), (where, turn, w), (1000.0, 1.0, 1.0), strict=True):
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9 * size)
    # The rigid body's own acceleration, taken to the upper stage's mass centre and to the joint.
    one, two = of(rigid, "bodies.stage"), of(joined, "bodies.stage")
    alpha = one["angular_acceleration"]
    gap = np.array([6.5, 0.1, -0.05]) - mass_centre(one["mass"])
    arm = on(turn, gap)
    spin, turning = on(turn, w), on(turn, alpha)
    acceleration = one["acceleration"] + np.cross(turning, arm) + np.cross(spin, np.cross(spin, arm))
    force = 700.0 * on(turn.transpose(0, 2, 1), acceleration)
    inertia = np.diag([90.0, 300.0, 320.0])
    euler = alpha @ inertia + np.cross(w, w @ inertia)
    torque = euler + np.cross(np.array([6.5, 0.1, -0.05]) - [5.5, 0.2, 0.1], force)
    joint = of(joined, "joints.interstage")
    for name, expected in (("force", force), ("torque", torque)):
        size = np.abs(expected).max()
        np.testing.assert_allclose(joint[name], expected, rtol=0, atol=1e-9 * size)
    np.testing.assert_allclose(two["mass"], one["mass"] - 700.0, rtol=1e-12)


FREQUENCY = 60.0
"""Of the joint that is a spring [rad/s]."""


@pytest.mark.long
def test_an_elastic_joint_between_bodies_that_drain(rigid):
    """By penalties the joint gives way by its load over its stiffness, which is that of the bodies as laden
    at the start: what hangs on it, 700 kg against 3900 kg, times the square of the frequency."""
    solver = f'tolerance = 1e-8\n[solver.formulation]\nkind = "penalty"\nfrequency = {FREQUENCY}\n'
    text = ORIGIN.replace("tolerance = 1e-13\n", solver) + UPPER + OUTPUT
    soft = loads(text, {"phases.burn.until": {"time": "4 s"}}).run()
    load = np.linalg.norm(soft["joints.interstage.force"], axis=1)
    stretch = np.linalg.norm(soft["joints.interstage.displacement"], axis=1)
    stiffness = 700.0 * 3900.0 / 4600.0 * FREQUENCY**2
    # Without damping the load is the stiffness times the stretch, to rounding: by a product, three components
    # and a root each.
    np.testing.assert_allclose(stretch[1:], load[1:] / stiffness, rtol=16 * EPS)
    where, _, w = (series[:5] for series in states(rigid))
    far, _, spin = states(soft)
    # The stage is ahead by the stretch, in the mean, and what turns it has an arm that is off by that.
    np.testing.assert_allclose(far, where, rtol=0, atol=20 * stretch.max())
    np.testing.assert_allclose(spin, w, rtol=0, atol=20 * stretch.max())


def mass_centre(mass):
    """Centre of mass of the stage with the upper one by its mass (n,), by hand."""
    drawn = 4600.0 - mass
    parts = [(1000.0 + 0 * mass, np.array([2.0, 0.05, 0]) + 0 * mass[:, None])]
    parts.append((700.0 + 0 * mass, np.array([6.5, 0.1, -0.05]) + 0 * mass[:, None]))
    parts.append(slug(2000.0 - 2.2 / 3.2 * drawn, 2000.0, 1140.0, 0.6, np.array([3.0, 0, 0.02]))[:2])
    parts.append(slug(900.0 - drawn / 3.2, 900.0, 810.0, 0.6, np.array([1.0, 0, 0]))[:2])
    return sum(m[:, None] * c for m, c in parts) / mass[:, None]
