"""Slosh masses in flight: closed forms for small motion, a body on a rod for the rest, and momentum with the
gas that has left while slosh masses change."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from burning import IGNITE, MOVING, SHUT_DOWN, engine, gauss, on, phase, turned
from interstage.parts.propellant import slosh_law
from interstage.reading import loads
from slosh_tanks import RADIUS, RHO, STAGE, tank

pytestmark = pytest.mark.usefixtures("long_flights")

HEAVY, AHEAD = 1e9, 5.0
FREQUENCY, SHARE = 3.0, 0.3
SMALL = (
    f"""
[bodies.heavy]
mass = {HEAVY}
inertia = [1e10, 1e10, 1e10]
[bodies.heavy.initial]
[forces.push]
kind = "force"
body = "heavy"
at = [0, 0, 0]
axes = "body"
force = [{HEAVY * AHEAD}, 0, 0]
[bodies.free]
mass = 400.0
mass_centre = [3.0, 0, 0]
inertia = [100.0, 100.0, 100.0]
[bodies.free.initial]
position = [0, 50, 0]
[phases.fly]
until = {{ time = "6 s" }}
[solver]
tolerance = 1e-12
[output]
interval = 0.05
"""
    + tank("heavy", "a", 500.0, 3, 'kind = "pendulum"\ndisplacement = [0, 1e-5, 0]')
    + tank("heavy", "b", 500.0, 3, 'kind = "spring_mass"\nacceleration = 5.0\ndisplacement = [0.3, 1e-5, 0]')
    + tank(
        "heavy", "c", 900.0, 3,
        'kind = "pendulum"\nacceleration = 5.0\ndamping_ratio = 0.1\nvelocity = [0, 0, 1e-5]',
    )
    + tank(
        "heavy", "d", 900.0, 3,
        'kind = "spring_mass"\nacceleration = 5.0\ndamping_ratio = 0.1\nvelocity = [0, 0, 1e-5]',
    )
    + tank(
        "free", "a", 600.0, 3 - 600 / (1140 * np.pi * 0.36) / 2,
        f'kind = "spring_mass"\nshare = {SHARE}\nfrequency = {FREQUENCY}\nplace = [3, 0, 0]\n'
        "displacement = [0, 0.1, 0.2]",
        "drains = false",
    )
)  # fmt: skip
"""Tanks on a body that is too heavy to feel them, under a constant push; a free body and its slosh mass."""


HELD = 1e-5 * 24 * 3e-6
"""The 2800 kg in tanks take 3e-6 of the acceleration, and of the frequency, in 24 rad of motion of 1e-5 m."""


def displacement(flight, body, name):
    return flight.data[f"bodies/{body}/elements/{name}"]["slosh_displacement"].values


def test_small_motion():
    """Frequencies, damping, both directions across; pendulums and masses on springs alike; and two masses
    with a spring between them that are free."""
    flight: Any = loads(SMALL).run()
    t = flight.data["time"].values
    for name, mass in (("a", 500.0), ("b", 500.0)):
        depth = mass / (RHO * np.pi * RADIUS**2)
        rate = np.sqrt(AHEAD * slosh_law.ROOT / RADIUS * np.tanh(slosh_law.ROOT * depth / RADIUS))
        expected = 1e-5 * np.cos(rate * t)
        np.testing.assert_allclose(displacement(flight, "heavy", name)[:, 1], expected, rtol=0, atol=HELD)
    for name in ("c", "d"):
        depth = 900.0 / (RHO * np.pi * RADIUS**2)
        rate = np.sqrt(AHEAD * slosh_law.ROOT / RADIUS * np.tanh(slosh_law.ROOT * depth / RADIUS))
        damped = rate * np.sqrt(1 - 0.01)
        expected = 1e-5 / damped * np.exp(-0.1 * rate * t) * np.sin(damped * t)
        found = displacement(flight, "heavy", name)
        np.testing.assert_allclose(found[:, 2], expected, rtol=0, atol=HELD)
        assert np.abs(found[:, 1]).max() < 1e-10
    slosh, rest = SHARE * 600, 1000 - SHARE * 600
    rate = FREQUENCY * np.sqrt(1 + slosh / rest)
    away = np.outer(np.cos(rate * t), [0, 0.1, 0.2])
    found = displacement(flight, "free", "a")
    np.testing.assert_allclose(found, away, rtol=0, atol=1e-10)  # a hundred times the tolerance of a step
    element = flight.data["bodies/free/elements/a"]
    force = slosh * rest / 1000 * rate**2 * away
    np.testing.assert_allclose(element["slosh_force"].values, force, rtol=0, atol=1e-8 * np.abs(force).max())
    start, now = flight.data["bodies/free"]["position"].values[[0, -1]]
    np.testing.assert_allclose(now - start, slosh / 1000 * (away[0] - away[-1]), rtol=0, atol=1e-10)


# --- large motion -------------------------------------------------------------------------------------------

HINGE, LENGTH, DEPTH = np.array([4.1, 0.1, 0.0]), 0.9, 600 / (RHO * np.pi * RADIUS**2)
AWAY, MOVED = np.array([0.0, 0.3, -0.2]), np.array([0.0, 0.6, 1.0])
SPEED, SPIN = np.array([1.0, -0.5, 0.2]), np.array([0.3, 0.5, -0.4])
UPPER = """
[bodies.{0}upper]
mass = 300.0
mass_centre = [6.5, 0.1, -0.05]
inertia = [90.0, 200.0, 220.0]
[bodies.{0}upper.initial]
through = "{0}joint"
relative_angular_velocity = [0.0, -0.3, 0.8]
[joints.{0}joint]
kind = "spherical"
parent = "{0}stage"
child = "{0}upper"
parent_at = [5.5, 0.2, 0.1]
child_at = [5.5, 0.2, 0.1]
[bodies.{0}stage.initial]
of = "origin"
position = [0, {1}, 0]
velocity = [1.0, -0.5, 0.2]
angular_velocity = [0.3, 0.5, -0.4]
"""


def fixed_part() -> tuple[float, Any, Any]:
    """Mass, centre of mass and inertia of the stage without its slosh mass, by hand."""
    rest = HINGE - [LENGTH, 0, 0]
    across = 600 * (RADIUS**2 / 4 + DEPTH**2 / 12)
    slug = np.diag([600 * RADIUS**2 / 2, across, across])
    parts: list[tuple[float, Any, Any]] = [
        (800.0, np.array([2.0, 0.05, 0]), np.diag([500.0, 2000.0, 2100.0])),
        (600.0, np.array([3 + DEPTH / 2, 0, 0]), slug),
        (-240.0, rest, np.zeros((3, 3))),
    ]
    mass = sum(m for m, _, _ in parts)
    centre = sum(m * c for m, c, _ in parts) / mass
    inertia = np.zeros((3, 3))
    for m, c, own in parts:
        arm = c - centre
        inertia = inertia + own + m * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return mass, centre, inertia


def twins():
    """A stage with a pendulum in a tank that does not drain, an upper stage on a ball joint; and the same
    with a body on a rod for the slosh mass."""
    slosh = f'kind = "pendulum"\nshare = 0.4\nlength = {LENGTH}\nhinge = {HINGE.tolist()}\n'
    slosh += f"displacement = {AWAY.tolist()}\nvelocity = {MOVED.tolist()}"
    mass, centre, inertia = fixed_part()
    way = AWAY - [np.sqrt(LENGTH**2 - AWAY @ AWAY), 0, 0]
    at = HINGE + way
    moved = MOVED - np.array([way @ MOVED / way[0], 0, 0])  # along the axis as the length asks for
    bob = (at + np.array([0, 20.0, 0])).tolist()
    twin = f"""
[bodies.twin_stage]
mass = {mass}
mass_centre = {centre.tolist()}
products = "tensor"
inertia = {inertia.tolist()}
[bodies.bob]
mass = 240.0
inertia = [1, 1, 1]
[bodies.bob.initial]
position = {bob}
velocity = {(SPEED + np.cross(SPIN, at) + moved).tolist()}
[joints.rod]
kind = "rod"
parent = "twin_stage"
child = "bob"
parent_at = {HINGE.tolist()}
child_at = [0, 0, 0]
length = {LENGTH}
"""
    end = "\n[phases.fly]\nuntil = { time = '4 s' }\n[solver]\ntolerance = 1e-12\n[output]\ninterval = 0.1\n"
    whole = STAGE + tank("stage", "lox", 600.0, 3, slosh, "drains = false") + UPPER.format("", 0)
    return loads(whole + twin + UPPER.format("twin_", 20) + end)


@pytest.mark.long
def test_as_a_body_on_a_rod():
    """Large swings in a stage that turns, with a second body on a joint: motion, joint force and the pull of
    the pendulum are those of a body on a rod; momentum and energy stay."""
    data: Any = twins().run().data
    for name in ("stage", "upper"):
        for what, shift in (("origin_position", [0, 20.0, 0]), ("attitude", 0), ("angular_velocity", 0)):
            one, two = (data[f"bodies/{n}{name}"][what].values for n in ("", "twin_"))
            np.testing.assert_allclose(one + shift, two, rtol=0, atol=1e-9)  # a thousand tolerances of a step
    force, twin = (data[f"joints/{n}joint"]["force"].values for n in ("", "twin_"))
    np.testing.assert_allclose(force, twin, rtol=0, atol=1e-9 * np.abs(twin).max())
    pull = np.linalg.norm(data["bodies/stage/elements/lox"]["slosh_force"].values, axis=1)
    np.testing.assert_allclose(pull, np.linalg.norm(data["joints/rod"]["force"].values, axis=1), rtol=1e-8)
    angle = data["bodies/stage/elements/lox"]["slosh_angle"].values
    assert angle[0] == pytest.approx(np.arcsin(np.sqrt(AWAY @ AWAY) / LENGTH), rel=1e-12)
    assert np.ptp(angle) > 0.5  # it does swing
    for what in ("momentum", "angular_momentum", "energy"):
        values = data["system"][what].values
        drift = np.abs(values - values[0]).max() / np.abs(values).max()
        assert drift < 1e-10, what


# --- tanks that drain ---------------------------------------------------------------------------------------

TIMES, PANELS = gauss([1.0, *np.linspace(1.5, 7.0, 12), 7.4, 8.0], 10)
EXIT = np.array([0.0, 0.06, 0.01])
DRAINING = (
    STAGE
    + MOVING
    + engine(
        "stage", "[0.0, 0.06, 0.01]", 40000.0, 35.0, 0.5,
        'cant = [0.01, 0.02]\ntail_off_time = 0.4\nmixture_ratio = 1.5\n'
        'oxidizer = "stage.lox"\nfuel = "stage.fuel"',
    )
    + phase("wait", 1)
    + phase("burn", 7, IGNITE)
    + phase("coast", 8, SHUT_DOWN)
    + "[solver]\ntolerance = 1e-13\n"
    + tank(
        "stage", "lox", 700.0, 3,
        'kind = "pendulum"\ndamping_ratio = 0.02\nacceleration = 20.0\ndisplacement = [0, 0.05, 0.03]',
    )
    + tank(
        "stage", "fuel", 400.0, 1,
        'kind = "spring_mass"\ninterpolation = "cubic"\n'
        'left = [50.0, 150.0, 300.0, 450.0]\nshare = [0.3, 0.6, 0.5, 0.4]\n'
        "frequency = [3.0, 4.0, 4.0, 3.5]\n"
        "place = [[1.1, 0, 0], [1.2, 0.02, 0], [1.35, 0, 0], [1.45, 0, 0.02]]\nvelocity = [0, 0.2, -0.3]",
        "residual = 50.0",
    )
)  # fmt: skip


def rest_of(name, left):
    """Place of rest of the slosh masses, by hand for the cylinder, by SciPy's spline for the table."""
    if name == "fuel":
        places = [[1.1, 0, 0], [1.2, 0.02, 0], [1.35, 0, 0], [1.45, 0, 0.02]]
        return CubicSpline([50.0, 150, 300, 450], places)(left)
    depth = left / (RHO * np.pi * RADIUS**2)
    k = slosh_law.ROOT / RADIUS
    return np.outer(3 + depth - 2 / k * np.tanh(k * depth / 2), [1.0, 0, 0])


@pytest.mark.long
def test_momentum_closes_with_the_gas():
    """Linear and angular momentum of the body, its slosh masses and all gas that has left, about a fixed
    point, from before the engine burns to after it has: what has left, by Gauss's rule, is what they have
    lost."""
    whole: Any = loads(DRAINING + f"[output]\ntimes = {[1.0, *TIMES.tolist(), 8.0]}\n").run().data
    data = whole["bodies/stage"]
    mass, position, velocity, w, centre = (
        data[k].values for k in ("mass", "position", "velocity", "angular_velocity", "mass_centre")
    )
    turn = turned(data["attitude"].values)
    xx, yy, zz, xy, xz, yz = data["inertia"].values.T
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).transpose(2, 0, 1)
    momentum = mass[:, None] * velocity
    angular = np.cross(position, momentum) + on(turn, on(inertia, w))
    for name in ("lox", "fuel"):
        element = whole[f"bodies/stage/elements/{name}"]
        bob, left = element["slosh_mass"].values, element["left"].values
        place = rest_of(name, left) + element["slosh_displacement"].values - centre
        speed = velocity + on(turn, np.cross(w, place) + element["slosh_velocity"].values)
        momentum = momentum + bob[:, None] * speed
        angular = angular + np.cross(position + on(turn, place), bob[:, None] * speed)
        assert np.ptp(bob) > 20  # much of it goes over to the fixed liquid
    engine = whole["engines/main"]
    flow, force = engine["mass_flow"].values, engine["force"].values
    arm = EXIT - centre
    out = flow[:, None] * (velocity + on(turn, np.cross(w, arm))) - on(turn, force)
    moment = np.cross(position + on(turn, arm), out)
    for what, flux in ((momentum, out), (angular, moment)):
        gone = PANELS @ flux[1:-1]
        size = PANELS @ np.linalg.norm(flux[1:-1], axis=1)
        np.testing.assert_allclose(what[-1] - what[0], -gone, rtol=0, atol=1e-10 * size)
