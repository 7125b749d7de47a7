"""Liquid that sloshes: potential flow for the cylinder, closed forms for small motion, a body on a rod for the
rest, and momentum with the gas that has left while slosh masses change."""

from __future__ import annotations

import itertools
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import jv, jvp

from interstage import tree
from interstage.errors import BadInput
from interstage.model import mass_elements, mass_properties, slosh_law
from interstage.scenario import loads
from mechanics import EPS

# Any: they are called as files call them, with texts and tables that the validation turns into fields.
Cylinder: Any = mass_elements.CylinderTank
Sphere: Any = mass_elements.SphereTank
RADIUS, RHO = 0.6, 1140.0
tree.register_all()


# --- the first lateral mode of a cylinder ---------------------------------------------------------------------


def cylinder(depth, **slosh):
    """A tank along x, filled to a depth [m], with a slosh mass of the closed form, made ready."""
    mass = RHO * np.pi * RADIUS**2 * depth
    given = {"kind": "pendulum", **slosh}
    tank = Cylinder(
        name="tank", propellant=mass, density=RHO, radius=RADIUS, bottom=[3.0, 0, 0], axis=[2.0, 0, 0],
        slosh=given,
    )  # fmt: skip
    return mass_properties.prepare((tank,)), jnp.array([mass])


@pytest.mark.parametrize("depth", [0.1, 0.35, 1.5])
def test_cylinder_is_that_of_potential_flow(depth):
    """Mass, length and hinge of the pendulum from the lowest mode phi = J1(k r) cos(a) cosh(k z) of a liquid in
    a cylinder. P^2 / (2 T) with momentum P and kinetic energy T is the mass, and the pressures' moment about the
    centre of the bottom over their force is the height of the hinge: there the pendulum pulls."""
    k = float(brentq(lambda s: jvp(1, s), 1.5, 2.2, xtol=1e-15)) / RADIUS
    wall = jv(1, k * RADIUS) * np.pi * RADIUS
    along = quad(lambda z: np.cosh(k * z), 0, depth)[0]
    lever = quad(lambda z: z * np.cosh(k * z), 0, depth)[0]
    bottom = np.pi * quad(lambda r: jv(1, k * r) * r * r, 0, RADIUS)[0]
    square = np.pi * quad(lambda r: jv(1, k * r) ** 2 * r, 0, RADIUS)[0]
    momentum = RHO * wall * along
    energy = 0.5 * RHO * k * np.cosh(k * depth) * np.sinh(k * depth) * square
    ready, left = cylinder(depth)
    found = slosh_law.law(ready.slosh[0], left[0])
    # The integrals are good to 1e-13 or so.
    assert found.mass == pytest.approx(momentum**2 / (2 * energy), rel=1e-11)
    assert found.scale == pytest.approx(1 / (k * np.tanh(k * depth)), rel=1e-11)
    assert found.base[0] == pytest.approx(3.0 + (wall * lever + bottom) / (wall * along), rel=1e-11)


def test_an_empty_tank_is_no_exception():
    """Numbers and their derivatives stay finite to the last drop and below, and what is left of the body has a
    positive inertia at every level."""
    ready, _ = cylinder(1.0)
    dry = mass_properties.Totals(jnp.asarray(1e-3), jnp.array([3.0, 0, 0]), jnp.zeros((3, 3)))
    for mass in (-1e-9, 0.0, 1e-6, 0.1, 5.0, 50.0, 500.0, 5000.0):
        left = jnp.array([mass])
        law = slosh_law.law(ready.slosh[0], left[0])
        assert all(np.isfinite(v).all() for v in law)
        assert law.scale < 12 * RADIUS
        totals = mass_properties.totals(ready, dry, left)
        whole = mass_properties.totals(ready._replace(slosh=(None,)), dry, left)
        assert totals.mass + law.mass == pytest.approx(whole.mass, rel=10 * EPS)
        rest = slosh_law.at_rest(ready.slosh[0], left[0])
        centre = (totals.mass * totals.centre + law.mass * rest) / whole.mass
        np.testing.assert_allclose(centre, whole.centre, rtol=100 * EPS)
        if mass > 0:
            assert np.linalg.eigvalsh(totals.inertia).min() > 0


def test_lanes_are_as_each_alone():
    table = {"left": [0.0, 300.0, 900.0], "share": [0.5, 0.4, 0.1], "length": [2.0, 1.0, 0.8]}
    hinges = [[4.0, 0, 0], [4.2, 0.1, 0], [5.0, 0, 0.1]]
    tanks = [cylinder(0.5, damping_ratio=0.1, displacement=[0, 0.01, 0])[0]]
    tanks.append(cylinder(0.5, damping_ratio=0.1, hinge=hinges, **table)[0])
    for ready in tanks:
        each = [slosh_law.law(ready.slosh[0], jnp.asarray(m)) for m in (100.0, 640.0)]
        both = slosh_law.law(ready.slosh[0], jnp.array([100.0, 640.0]))
        for lane, alone in enumerate(each):
            for found, expected in zip(both, alone, strict=True):
                np.testing.assert_allclose(found[..., lane], expected, rtol=10 * EPS)


# --- small motion ----------------------------------------------------------------------------------------------

TANK = """
[bodies.{body}.elements.{name}]
kind = "cylinder"
propellant = {propellant}
density = 1140.0
radius = 0.6
bottom = [{bottom}, 0, 0]
axis = [1, 0, 0]
{more}
[bodies.{body}.elements.{name}.slosh]
"""


def tank(body, name, propellant, bottom, slosh, more=""):
    return TANK.format(body=body, name=name, propellant=propellant, bottom=bottom, more=more) + slosh + "\n"


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


def displacement(flight, body, name):
    return flight.data[f"bodies/{body}/elements/{name}"]["slosh_displacement"].values


def test_small_motion():
    """Frequencies, damping, both directions across; pendulums and masses on springs alike; and two masses with
    a spring between them that are free."""
    flight = loads(SMALL).run()
    t = flight.data["time"].values
    share = (
        1e-9  # what the pushed body's 1e9 kg leave of the tanks' some 1000 kg in the acceleration, and more
    )
    for name, mass in (("a", 500.0), ("b", 500.0)):
        depth = mass / (RHO * np.pi * RADIUS**2)
        rate = np.sqrt(AHEAD * slosh_law.ROOT / RADIUS * np.tanh(slosh_law.ROOT * depth / RADIUS))
        expected = 1e-5 * np.cos(rate * t)
        # Frequency by 1500 kg in 1e9 kg, over 24 rad; a pendulum of 1e-5 m besides by (1e-5)^2 / 16.
        np.testing.assert_allclose(
            displacement(flight, "heavy", name)[:, 1], expected, rtol=0, atol=1e-5 * (24 * 2e-6 + share)
        )
    for name in ("c", "d"):
        depth = 900.0 / (RHO * np.pi * RADIUS**2)
        rate = np.sqrt(AHEAD * slosh_law.ROOT / RADIUS * np.tanh(slosh_law.ROOT * depth / RADIUS))
        damped = rate * np.sqrt(1 - 0.01)
        expected = 1e-5 / damped * np.exp(-0.1 * rate * t) * np.sin(damped * t)
        found = displacement(flight, "heavy", name)
        np.testing.assert_allclose(found[:, 2], expected, rtol=0, atol=1e-5 * (24 * 2e-6 + share))
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


# --- large motion ----------------------------------------------------------------------------------------------

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
STAGE = """
[bodies.stage]
mass = 800.0
mass_centre = [2.0, 0.05, 0]
inertia = [500.0, 2000.0, 2100.0]
"""


def fixed_part():
    """Mass, mass centre and inertia of the stage without its slosh mass, by hand."""
    rest = HINGE - [LENGTH, 0, 0]
    across = 600 * (RADIUS**2 / 4 + DEPTH**2 / 12)
    slug = np.diag([600 * RADIUS**2 / 2, across, across])
    parts = [
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


def twins(more=""):
    """A stage with a pendulum in a tank that does not drain, an upper stage on a ball joint; and the same with
    a body on a rod for the slosh mass."""
    slosh = f'kind = "pendulum"\nshare = 0.4\nlength = {LENGTH}\nhinge = {HINGE.tolist()}\n'
    slosh += f"displacement = {AWAY.tolist()}\nvelocity = {MOVED.tolist()}"
    mass, centre, inertia = fixed_part()
    way = AWAY - [np.sqrt(LENGTH**2 - AWAY @ AWAY), 0, 0]
    at = HINGE + way
    moved = MOVED - way * (way @ MOVED) / LENGTH**2
    bob = (at + [0, 20.0, 0]).tolist()
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
    return loads(whole + twin + UPPER.format("twin_", 20) + end + more)


def test_as_a_body_on_a_rod():
    """Large swings in a stage that turns, with a second body on a joint: motion, joint force and the pull of
    the pendulum are those of a body on a rod; momentum and energy stay."""
    flight = twins().run()
    data = flight.data
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


# --- tanks that drain -------------------------------------------------------------------------------------------

EDGES = np.array([1.0, *np.linspace(1.5, 7.0, 12), 7.4, 8.0])
NODES, WEIGHTS = np.polynomial.legendre.leggauss(10)
TIMES = np.concatenate([(a + b) / 2 + (b - a) / 2 * NODES for a, b in itertools.pairwise(EDGES)])
PANELS = np.concatenate([(b - a) / 2 * WEIGHTS for a, b in itertools.pairwise(EDGES)])
EXIT = np.array([0.0, 0.06, 0.01])
DRAINING = (
    STAGE
    + """
[bodies.stage.initial]
velocity = [100.0, 20.0, -30.0]
angular_velocity = [0.1, 0.2, -0.15]
[engines.main]
kind = "engine"
body = "stage"
at = [0.0, 0.06, 0.01]
cant = [0.01, 0.02]
thrust = 40000.0
isp = 35.0
rise_time = 0.5
tail_off_time = 0.4
mixture_ratio = 1.5
oxidizer = "stage.lox"
fuel = "stage.fuel"
[phases.wait]
until = { time = "1 s" }
[phases.burn]
ignite = ["main"]
until = { time = "7 s" }
[phases.coast]
shut_down = ["main"]
until = { time = "8 s" }
[solver]
tolerance = 1e-13
"""
    + tank(
        "stage", "lox", 700.0, 3,
        'kind = "pendulum"\ndamping_ratio = 0.02\nacceleration = 20.0\ndisplacement = [0, 0.05, 0.03]',
    )
    + tank(
        "stage", "fuel", 400.0, 1,
        'kind = "spring_mass"\nleft = [50.0, 150.0, 300.0, 450.0]\nshare = [0.3, 0.6, 0.5, 0.4]\n'
        "frequency = [3.0, 4.0, 4.0, 3.5]\n"
        "place = [[1.1, 0, 0], [1.2, 0.02, 0], [1.35, 0, 0], [1.45, 0, 0.02]]\nvelocity = [0, 0.2, -0.3]",
        "residual = 50.0",
    )
)  # fmt: skip


def turned(q):
    """Rotation matrices (n, 3, 3), body to inertial, of quaternions (n, 4)."""
    w, x, y, z = q.T
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    ).transpose(2, 0, 1)


def on(matrix, vector):
    """Matrices (n, 3, 3) times vectors (n, 3)."""
    return np.einsum("nij,nj->ni", matrix, vector)


def rest_of(name, left):
    """Place of rest of the slosh masses, by hand for the cylinder, by SciPy's spline for the table."""
    if name == "fuel":
        from scipy.interpolate import CubicSpline

        places = [[1.1, 0, 0], [1.2, 0.02, 0], [1.35, 0, 0], [1.45, 0, 0.02]]
        return CubicSpline([50.0, 150, 300, 450], places)(left)
    depth = left / (RHO * np.pi * RADIUS**2)
    k = slosh_law.ROOT / RADIUS
    return np.outer(3 + depth - 2 / k * np.tanh(k * depth / 2), [1.0, 0, 0])


def test_momentum_closes_with_the_gas():
    """Linear and angular momentum of the body, its slosh masses and all gas that has left, about a fixed point,
    from before the engine burns to after it has: what has left, by Gauss's rule, is what they have lost."""
    flight = loads(DRAINING + f"[output]\ntimes = {[1.0, *TIMES.tolist(), 8.0]}\n").run()
    data = flight.data["bodies/stage"]
    mass, position, velocity, w, centre = (
        data[k].values for k in ("mass", "position", "velocity", "angular_velocity", "mass_centre")
    )
    turn = turned(data["attitude"].values)
    xx, yy, zz, xy, xz, yz = data["inertia"].values.T
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).transpose(2, 0, 1)
    momentum = mass[:, None] * velocity
    angular = np.cross(position, momentum) + on(turn, on(inertia, w))
    for name in ("lox", "fuel"):
        element = flight.data[f"bodies/stage/elements/{name}"]
        bob, left = element["slosh_mass"].values, element["left"].values
        place = rest_of(name, left) + element["slosh_displacement"].values - centre
        speed = velocity + on(turn, np.cross(w, place) + element["slosh_velocity"].values)
        momentum = momentum + bob[:, None] * speed
        angular = angular + np.cross(position + on(turn, place), bob[:, None] * speed)
        assert np.ptp(bob) > 20  # much of it goes over to the fixed liquid
    engine = flight.data["engines/main"]
    flow, force = engine["mass_flow"].values, engine["force"].values
    arm = EXIT - centre
    out = flow[:, None] * (velocity + on(turn, np.cross(w, arm))) - on(turn, force)
    moment = np.cross(position + on(turn, arm), out)
    for what, flux in ((momentum, out), (angular, moment)):
        gone = PANELS @ flux[1:-1]
        size = PANELS @ np.linalg.norm(flux[1:-1], axis=1)
        np.testing.assert_allclose(what[-1] - what[0], -gone, rtol=0, atol=1e-10 * size)


# --- what cannot be ---------------------------------------------------------------------------------------------

CASES = {
    'kind = "pendulum"\nshare = 1.2\nlength = 1.0\nhinge = [4, 0, 0]': "1.2 of the propellant left is more",
    'kind = "pendulum"\nshare = 0.2\nlength = 1.0': "is missing beside share",
    'kind = "pendulum"\nleft = [0.0, 600.0]': "stands alone",
    'kind = "spring_mass"\nshare = [0.2, 0.3]\nfrequency = 1.0\nplace = [4, 0, 0]': "has 2 rows",
    'kind = "pendulum"\nshare = 0.2\nlength = 1.0\nhinge = [4, 0, 0]\ndisplacement = [0, 2, 0]': "2 m is more",
    'kind = "spring_mass"\nleft = [0.0, 500.0]\nshare = [0.2, 0.3]\nfrequency = [1.0, 1.0]\n'
    "place = [[4, 0, 0], [4, 0, 0]]": "600 kg is more than the table's last, 500 kg",
    'kind = "spring_mass"\nleft = [0.0, 700.0, 600.0]\nshare = [0.2, 0.3, 0.3]\nfrequency = [1.0, 1.0, 1.0]\n'
    "place = [[4, 0, 0], [4, 0, 0], [4, 0, 0]]": "must increase",
}  # fmt: skip
END = '\n[bodies.stage.initial]\n[phases.fly]\nuntil = { time = "1 s" }\n'


@pytest.mark.parametrize(("slosh", "words"), CASES.items())
def test_refused(slosh, words):
    with pytest.raises(BadInput, match="elements.lox") as caught:
        loads(STAGE + tank("stage", "lox", 600.0, 3, slosh) + END)
    assert words in str(caught.value)


def test_refused_elsewhere():
    """What does not slosh, tanks without a closed form, and the empirical model of a changing mass."""
    pendulum = {"slosh": {"kind": "pendulum"}, "name": "a", "propellant": 1.0}
    with pytest.raises(BadInput, match="slosh: is for a liquid"):
        mass_elements.PointTank(**pendulum, at=[0, 0, 0])
    sizes = {"density": 1e3, "centre": [0, 0, 0], "axis": [1, 0, 0]}
    with pytest.raises(BadInput, match="slosh: is for a liquid"):
        mass_elements.Grain(**pendulum, **sizes, length=1.0, outer_radius=1.0)
    with pytest.raises(BadInput, match="no closed form in a sphere; give share, length, hinge"):
        Sphere(**pendulum, **sizes, radius=1.0)
    stage = STAGE + "inertia_rate = 1.0\n" + tank("stage", "lox", 600.0, 3, 'kind = "pendulum"') + END
    with pytest.raises(BadInput, match="inertia_rate is for one body by itself"):
        loads(stage)
