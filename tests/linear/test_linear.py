"""Linear equations of motion, against closed forms, Lagrangian mechanics by SymPy, and flights themselves."""

from __future__ import annotations

import sys
import warnings
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, cast

import mpmath
import numpy as np
import pytest
import scipy.io
import scipy.signal
import sympy as sp
import xarray
from scipy.linalg import expm

import interstage as ist
from burning import throttled, turned
from engine_door import compiled_flights, flow_of, mechanism_of, switches, unpacked
from interstage.cli.main import main
from interstage.linear import points, system
from interstage.linear.modes import modes
from interstage.linear.points import course_of
from interstage.linear.system import System
from interstage.observation import between
from interstage.programs.compiled import listening
from interstage.reading import load, loads
from interstage.studies.linearize.printed import mode_table
from interstage.studies.verify import find_cases
from interstage.tree.declaration import with_values
from interstage.tree.errors import BadInput
from linkages import KINDS, drawn_linkage, state_of
from mechanics import EPS
from slosh_tanks import tank

ROUNDED = 1e4 * EPS
"""Of matrices whose entries are of order one to a hundred: sums and solutions of a few dozen terms."""
G = 9.81
HEAVY = f'gravity = {{ kind = "uniform", acceleration = [0, 0, -{G}] }}\n'


def made(text: str) -> Any:
    """The scenario of a text, flown for a second."""
    return loads(text + '\n[phases.fly]\nuntil = { time = "1 s" }\n')


def close(found: Any, truth: Any, bound: float = ROUNDED) -> None:
    truth = np.asarray(truth, float)
    np.testing.assert_allclose(
        found, truth, rtol=0, atol=bound * max(1.0, float(np.max(np.abs(truth), initial=0)))
    )


def crossing(a: Any) -> np.ndarray:
    """The matrix that gives a x b of b."""
    x, y, z = a
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0.0]])


# --- closed forms -------------------------------------------------------------------------------------------

MASS, ARM, INERTIA, STIFF, DAMPED = 2.0, 0.5, 0.5, 20.0, 1.5
HINGED = f"""
{HEAVY}
joints.hinge = {{ kind = "revolute", axis = "y", parent = "ground", child = "bob" }}
[bodies.bob]
mass = {MASS}
mass_centre = [0, 0, -{ARM}]
inertia = [0.3, {INERTIA}, 0.2]
initial = {{ through = "hinge", rotation = [0, ANGLE, 0], relative_angular_velocity = [0, RATE, 0] }}
[forces.spring]
kind = "torsion_spring"
parent = "ground"
child = "bob"
sequence = "2"
stiffness = [{STIFF}]
damping = [{DAMPED}]
"""


def hinged(angle: float, rate: float) -> Any:
    return made(HINGED.replace("ANGLE", str(angle)).replace("RATE", str(rate)))


@pytest.mark.parametrize(("angle", "rate"), [(0.0, 0.0), (0.7, -2.0), (2.5, 3.0)])
def test_pendulum_with_spring_and_damper(angle, rate):
    """Also where it swings through, and accelerates."""
    linear = hinged(angle, rate).linearize(
        inputs=["forces.spring.stiffness", "bodies.bob.torque.y", "gravity.acceleration.z"],
        outputs=["bodies.bob.position.x", "joints.hinge.force", "bodies.bob.angular_acceleration.y"],
    )
    j, s, c = INERTIA + MASS * ARM**2, np.sin(angle), np.cos(angle)
    second = (-STIFF * angle - DAMPED * rate - MASS * G * ARM * s) / j
    assert linear.names == ["joints.hinge.rotation.y", "joints.hinge.rotation_rate.y"]
    by_angle = (-STIFF - MASS * G * ARM * c) / j
    close(linear.A, [[0, 1], [by_angle, -DAMPED / j]])
    by_inputs = np.array([-angle, 1.0, MASS * ARM * s]) / j
    close(linear.B, [[0, 0, 0], by_inputs])
    close(linear.x0, [angle, rate])
    close(linear.rates, [rate, second])
    # The mass centre is at ARM (-sin, 0, -cos), and the hinge carries its weight and its acceleration.
    close(linear.y0[[0, 4]], [-ARM * s, second])
    close(linear.C[0], [-ARM * c, 0])
    close(linear.C[4], linear.A[1])
    close(linear.D[4], by_inputs)
    horizontal = MASS * ARM * np.array([s * rate**2 - c * second])
    close(linear.y0[1], horizontal[0])
    by_angle = MASS * ARM * (c * rate**2 + s * second - c * linear.A[1, 0])
    close(linear.C[1], [by_angle, MASS * ARM * (2 * s * rate - c * linear.A[1, 1])])


def test_modes_of_the_pendulum():
    linear = hinged(0.0, 0.0).linearize()
    (mode,) = linear.modes
    j = INERTIA + MASS * ARM**2
    size = np.sqrt((STIFF + MASS * G * ARM) / j)
    assert mode.oscillates
    assert mode.frequency == pytest.approx(size / (2 * np.pi), rel=ROUNDED)
    assert mode.damping == pytest.approx(DAMPED / j / (2 * size), rel=ROUNDED)
    assert mode.time_constant == pytest.approx(2 * j / DAMPED, rel=ROUNDED)
    assert linear.standing == "rests"
    assert list(linear.taking_part(mode)) == ["joint hinge"]


SPINNING = """
[bodies.top]
mass = 3
inertia = [2, 3, 4]
initial = { velocity = [5, -2, 1], angular_velocity = [WX, WY, WZ], angular_velocity_axes = "body" }
"""


def spinning(spin: Any) -> Any:
    text = SPINNING
    for name, value in zip(("WX", "WY", "WZ"), spin, strict=True):
        text = text.replace(name, str(value))
    return made(text)


def euler(spin: Any) -> np.ndarray:
    """What Euler's equations make of a change of the spin, of the inertia of `SPINNING`."""
    j = np.diag([2.0, 3.0, 4.0])
    return -np.linalg.solve(j, crossing(spin) @ j - crossing(j @ spin))


def euler_rates(spin: Any) -> np.ndarray:
    """Their rates."""
    j = np.array([2.0, 3.0, 4.0])
    return -np.cross(spin, j * np.asarray(spin)) / j


@pytest.mark.parametrize("spin", [(0.0, 0.0, 1.5), (0.4, -0.9, 1.1)])
@pytest.mark.parametrize("axes", ["body", "inertial"])
def test_a_free_body_that_spins(spin, axes):
    """Thompson's nine columns of a rigid body, without forces, and those of inertial velocities."""
    linear = spinning(spin).linearize(inputs=["bodies.top.force", "bodies.top.torque"], axes=axes)
    w, v, one, none = crossing(spin), crossing([5.0, -2.0, 1.0]), np.eye(3), np.zeros((3, 3))
    moved = [[-w, -v, one, none], [none, -w, none, one]]
    sped = [[none, none, -w, v], [none, none, none, euler(spin)]]
    if axes == "inertial":
        by_spin, change = euler(spin), euler_rates(spin)
        moved = [[none, none, one, none], [none, w, none, one]]
        sped = [[none] * 4, [none, by_spin @ w - crossing(change), none, by_spin]]
    close(linear.A, np.block(moved + sped))
    pushed = np.block([[none, none], [none, none], [one / 3, none], [none, np.diag([1 / 2, 1 / 3, 1 / 4])]])
    close(linear.B, pushed)


def test_spin_about_the_middle_axis_grows():
    spin = np.array([0.0, 1.5, 0.0])
    linear = spinning(spin).linearize()
    growing = [mode for mode in linear.modes if mode.grows]
    (mode,) = growing
    assert mode.eigenvalue.real == pytest.approx(1.5 * np.sqrt((3 - 2) * (4 - 3) / (2 * 4)), rel=ROUNDED)
    about = [name.rpartition(".")[2] for name, share in zip(linear.names, mode.shares) if share > 0.1]
    assert about == ["x", "z"]


PUSHED = (
    HEAVY
    + """
[bodies.plane]
mass = 4
inertia = [2, 3, 4]
[bodies.plane.initial]
velocity = [80, 3, -6]
angular_velocity = [0.2, -0.1, 0.3]
attitude = { euler = "3-2-1", angles = [0.4, 0.1, -0.2] }
[forces.push]
kind = "force"
body = "plane"
at = [0.5, 0.1, 0.2]
axes = "body"
force = [30, -2, 35]
"""
)


def test_a_body_under_its_weight_and_a_force_of_its_own():
    """The weight turns against the body; a force that goes with it does not; velocities are along its own
    axes."""
    linear = made(PUSHED).linearize(inputs=["forces.push.force", "forces.push.at"])
    turn = np.asarray(made(PUSHED).bodies[0].initial.attitude.angles, float)
    (cz, cy, cx), (sz, sy, sx) = np.cos(turn), np.sin(turn)
    about = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    about = (
        about
        @ np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
        @ np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    )
    spin, fall = np.array([0.2, -0.1, 0.3]), about.T @ [0, 0, -G]
    speed = about.T @ [80, 3, -6]
    w, v, one, none = crossing(spin), crossing(speed), np.eye(3), np.zeros((3, 3))
    whole = [
        [-w, -v, one, none],
        [none, -w, none, one],
        [none, crossing(fall), -w, v],
        [none] * 3 + [euler(spin)],
    ]
    close(linear.A, np.block(whole))
    j, arm, force = np.diag([1 / 2, 1 / 3, 1 / 4]), np.array([0.5, 0.1, 0.2]), np.array([30.0, -2.0, 35.0])
    close(
        linear.B,
        np.block([[none, none], [none, none], [one / 4, none], [j @ crossing(arm), -j @ crossing(force)]]),
    )
    close(linear.rates[6:9], fall + force / 4 - np.cross(spin, speed))


TWO = """
[bodies.a]
mass = 2
inertia = [1, 2, 3]
initial = {}
[bodies.b]
mass = 3
inertia = [1, 1, 1]
initial = { position = [0, 0, 1] }
[forces.mount]
kind = "bushing"
parent = "a"
child = "b"
parent_at = [0, 0, 1]
stiffness = [100, 200, 300]
damping = [3, 0, 5]
torsional_stiffness = [10, 20, 30]
"""


def test_two_bodies_on_a_spring():
    """Along z the bodies move against each other, and six displacements and their rates stay free."""
    linear = made(TWO).linearize()
    reduced = 2 * 3 / (2 + 3)
    modes = [mode for mode in linear.modes if not mode.zero]
    (along,) = [
        mode
        for mode in modes
        if mode.shares[[k for k, n in enumerate(linear.names) if n.endswith("velocity.z")]].sum() > 0.4
        and mode.shares[linear.names.index("bodies.a.angular_velocity.z")] < 0.1
    ]
    assert abs(along.eigenvalue) == pytest.approx(np.sqrt(300 / reduced), rel=ROUNDED)
    assert along.damping == pytest.approx(5 / (2 * np.sqrt(300 * reduced)), rel=ROUNDED)
    spins = [mode for mode in modes if mode.shares[linear.names.index("bodies.a.angular_velocity.z")] > 0.1]
    assert [abs(mode.eigenvalue) for mode in spins] == pytest.approx([np.sqrt(30 * (1 / 3 + 1))], rel=ROUNDED)
    assert sum(mode.zero for mode in linear.modes) == 12
    assert len(modes) == 6


def test_a_mode_that_nothing_holds_is_zero_within_rounding():
    """Displacements and their rates: pairs of eigenvalues that are zero come out as roots of rounding."""
    linear = made(TWO).linearize()
    sizes = sorted(abs(mode.eigenvalue) for mode in linear.modes)
    assert sizes[-1] < 1e3
    assert all(mode.time_constant == np.inf for mode in linear.modes if mode.zero)


# --- chains and loops against Lagrange ----------------------------------------------------------------------

CHAIN = f"""
{HEAVY}
joints.upper = {{ kind = "revolute", axis = "y", parent = "ground", child = "one" }}
joints.lower = {{ kind = "revolute", axis = "y", parent = "one", child = "two", parent_at = [1, 0, 0] }}
[bodies.one]
mass = 2
inertia = [0.1, 0.3, 0.3]
mass_centre = [0.4, 0, 0]
initial = {{ through = "upper", rotation = [0, 0.6, 0], relative_angular_velocity = [0, 1.1, 0] }}
[bodies.two]
mass = 1.5
inertia = [0.1, 0.2, 0.2]
mass_centre = [0.7, 0, 0]
initial = {{ through = "lower", rotation = [0, -1.3, 0], relative_angular_velocity = [0, -2.4, 0] }}
"""


def lagrange() -> tuple[np.ndarray, np.ndarray]:
    """A, and the accelerations, of `CHAIN` by its Lagrangian: joint angles about y, x to -z."""
    q, u = sp.symbols("a b"), sp.symbols("p r")

    def point(angle, length):
        return sp.Matrix([length * sp.cos(angle), -length * sp.sin(angle)])

    first, elbow = point(q[0], 0.4), point(q[0], 1)
    second = elbow + point(q[0] + q[1], sp.Rational(7, 10))
    kinetic = sp.Rational(3, 20) * u[0] ** 2 + sp.Rational(1, 10) * (u[0] + u[1]) ** 2
    for mass, place in ((2, first), (sp.Rational(3, 2), second)):
        speed = place.jacobian(q) * sp.Matrix(u)
        kinetic += mass * speed.dot(speed) / 2
    potential = sp.Float(G) * (2 * first[1] + sp.Rational(3, 2) * second[1])
    momentum = sp.Matrix([sp.diff(kinetic, one) for one in u])
    push = sp.Matrix([sp.diff(kinetic - potential, one) for one in q]) - momentum.jacobian(q) * sp.Matrix(u)
    at = dict(zip((*q, *u), (0.6, -1.3, 1.1, -2.4), strict=True))

    def here(expression):
        return np.array(expression.subs(at).evalf(30), float)

    mass = momentum.jacobian(u)
    second = np.linalg.solve(here(mass), here(push)[:, 0])
    # AIAA 2011-6277, eq 22: with the mass matrix that changes under the accelerations.
    terms = [sp.diff(push, one) - sp.diff(mass, one) * sp.Matrix(second) for one in (*q, *u)]
    slopes = np.linalg.solve(here(mass), np.hstack([here(term) for term in terms]))
    return np.vstack([np.hstack([np.zeros((2, 2)), np.eye(2)]), slopes]), second


@pytest.mark.parametrize(
    "formulation", ["lagrange_multiplier", "null_space", "composite", "penalty", "simultaneous"]
)
def test_a_chain_that_swings_and_accelerates(formulation):
    """The terms of the accelerations at the operating point are kept (AIAA 2011-6277, eq 22), whichever
    formulation is to fly."""
    step = 'step = "1 ms"' if formulation == "simultaneous" else ""
    stiff = 'kind = "penalty", stiffness = 1e9' if formulation == "penalty" else f'kind = "{formulation}"'
    linear = made(CHAIN + f"[solver]\nformulation = {{ {stiff} }}\n{step}").linearize()
    truth, second = lagrange()
    close(linear.A, truth)
    close(linear.rates[2:], second)
    assert np.min(np.abs(second)) > 0.5  # or nothing of eq 22 would be looked at


LINKS = (1.0, 2.5, 2.0, 3.0)
"""Crank, coupler, rocker and ground of a four-bar linkage [m]."""
START, SWING = 0.8, 1.7
FOUR_BAR = """
{heavy}
joints.O = {{ kind = "revolute", axis = "y", parent = "ground", child = "crank" }}
joints.A = {{ kind = "revolute", axis = "y", parent = "crank", child = "coupler", parent_at = [{a}, 0, 0] }}
joints.C = {{ kind = "revolute", axis = "y", parent = "ground", child = "rocker", parent_at = [{d}, 0, 0] }}
[joints.B]
kind = "{third}"
parent = "coupler"
child = "rocker"
parent_at = [{b}, 0, 0]
child_at = [{c}, 0, 0]
{more}
"""


def four_bar_angles(angle: Any) -> tuple[Any, Any]:
    """Of coupler and rocker over the line of the ground, the knee above it (mpmath)."""
    a, b, c, d = map(mpmath.mpf, LINKS)
    x, y = d - a * mpmath.cos(angle), -a * mpmath.sin(angle)
    far = mpmath.sqrt(x * x + y * y)
    coupler = mpmath.atan2(y, x) + mpmath.acos((b * b + far * far - c * c) / (2 * b * far))
    knee_x, knee_y = (
        a * mpmath.cos(angle) + b * mpmath.cos(coupler),
        a * mpmath.sin(angle) + b * mpmath.sin(coupler),
    )
    return coupler, mpmath.atan2(knee_y, knee_x - d)


def four_bar_truth(angle: float, rate: float) -> tuple[float, float, float]:
    """d/dangle and d/drate of the crank's acceleration, and this, by one Lagrangian of the crank's angle."""
    mpmath.mp.dps = 40
    masses = (1.0, 2.5, 2.0)

    def energy(theta):
        """Twice the kinetic energy over the square of the rate, and the potential energy."""
        angles = [lambda t: t, lambda t: four_bar_angles(t)[0], lambda t: four_bar_angles(t)[1]]
        a, _, _, d = LINKS
        first = [lambda t: (0, 0), lambda t: (a * mpmath.cos(t), a * mpmath.sin(t)), lambda t: (d, 0)]
        whole, height = mpmath.mpf(0), mpmath.mpf(0)
        for mass, length, turn, base in zip(masses, LINKS[:3], angles, first, strict=True):
            x, y = (
                lambda t, k=k, trig=trig, base=base, turn=turn, length=length: (
                    base(t)[k] + length / 2 * trig(turn(t))
                )
                for k, trig in ((0, mpmath.cos), (1, mpmath.sin))
            )
            speed = mpmath.diff(x, theta) ** 2 + mpmath.diff(y, theta) ** 2
            whole += mass * speed + mass * length**2 / 12 * mpmath.diff(turn, theta) ** 2
            height += mass * mpmath.mpf(G) * y(theta)
        return whole, height

    def second(theta, omega):
        mass, _ = energy(theta)
        slope = mpmath.diff(lambda t: energy(t)[0], theta)
        fall = mpmath.diff(lambda t: energy(t)[1], theta)
        return (-slope * omega**2 / 2 - fall) / mass

    by_angle = mpmath.diff(lambda t: second(t, rate), angle)
    by_rate = mpmath.diff(lambda w: second(angle, w), rate)
    return float(by_angle), float(by_rate), float(second(angle, rate))


def four_bar(third: str = "spherical", more: str = "") -> Any:
    """The linkage in the plane of x and z, turns about -y being positive there."""
    a, b, c, d = LINKS
    angles = [START, *map(float, four_bar_angles(START))]
    text = FOUR_BAR.format(heavy=HEAVY, a=a, b=b, c=c, d=d, third=third, more=more)
    starts = [(0.0, 0.0), (a * np.cos(START), a * np.sin(START)), (d, 0.0)]
    rates = [
        SWING,
        *(SWING * float(mpmath.diff(lambda t, k=k: four_bar_angles(t)[k], START)) for k in range(2)),
    ]
    speed = -SWING * a * np.sin(START), SWING * a * np.cos(START)
    begun = [(0.0, 0.0), speed, (0.0, 0.0)]
    for k, (name, length) in enumerate(zip(("crank", "coupler", "rocker"), LINKS[:3], strict=True)):
        mass = (1.0, 2.5, 2.0)[k]
        half = mass * length**2 / 12
        middle = np.add(starts[k], length / 2 * np.array([np.cos(angles[k]), np.sin(angles[k])]))
        moving = np.add(begun[k], rates[k] * length / 2 * np.array([-np.sin(angles[k]), np.cos(angles[k])]))
        text += f"""
[bodies.{name}]
mass = {mass}
mass_centre = [{length / 2}, 0, 0]
inertia = [0.01, {half}, {half}]
[bodies.{name}.initial]
position = [{middle[0]:.17g}, 0, {middle[1]:.17g}]
velocity = [{moving[0]:.17g}, 0, {moving[1]:.17g}]
attitude = {{ euler = "2-1-3", angles = [{-angles[k]:.17g}, 0, 0] }}
angular_velocity = [0, {-rates[k]:.17g}, 0]
"""
    return made(text)


@pytest.mark.parametrize(("third", "more"), [("spherical", ""), ("revolute", 'axis = "y"')])
def test_a_four_bar_linkage(third, more):
    """A loop, also one whose joints hold the plane several times over; with another coordinate than the first
    as well."""
    mpmath.mp.dps = 40
    scenario = four_bar(third, more)
    linear = scenario.linearize(coordinates="joints.O.rotation.y")
    by_angle, by_rate, second = four_bar_truth(START, SWING)
    assert linear.names == ["joints.O.rotation.y", "joints.O.rotation_rate.y"]
    close(linear.A, [[0, 1], [by_angle, by_rate]], 1e-9)  # poses are closed to rounding, over knees of 1 to 3
    close(linear.rates, [-SWING, -second], 1e-9)
    other = scenario.linearize(coordinates="joints.C.rotation.y")
    assert other.names[0] == "joints.C.rotation.y"
    # The same motion by another coordinate: x' = A x along it, with z = k(x) and its rate.
    assert set(other.dependent) & {"joints.O.rotation.y"}


def test_a_singular_pose_is_refused():
    """Two bars stretched out between pins that hold them apart, which cannot move though each instant says
    they do; with one of the pins free along the bars they can. A parallelogram that lies flat, and may leave
    that pose as an antiparallelogram as well."""

    def bars(joints: list[str], angles: Any = (0.0, 0.0, 0.0)) -> Any:
        text, before = HEAVY, "ground"
        for k, name in enumerate(("one", "two", "three")[: len(joints) - 1]):
            turn = f", rotation = [0, {angles[k]}, 0]"
            text += f"""
[bodies.{name}]
mass = 2
mass_centre = [{-0.5 if k == 2 else 0.5}, 0, 0]
inertia = [0.1, 0.1, 0.1]
initial = {{ through = "{name}"{turn} }}
[joints.{name}]
{joints[k]}
parent = "{before}"
child = "{name}"
parent_at = [{float(k > 0)}, 0, 0]
"""
            before = name
        return made(text + f'[joints.last]\n{joints[-1]}\nparent = "ground"\nchild = "{before}"\n')

    hinge = 'kind = "revolute"\naxis = "y"'
    pin = 'kind = "generalized"\nlocked = ["tx", "tz"]\nparent_at = [2, 0, 0]\nchild_at = [1, 0, 0]'
    with pytest.raises(
        BadInput, match="joints: the joints last are in a singular pose at the start, such as a dead centre"
    ):
        bars([hinge, hinge, pin]).linearize()
    assert len(bars([hinge, hinge, pin.replace('"tx", ', "")]).linearize().names) == 2
    near = pin.replace(', "tz"', "").replace("[2, 0, 0]", f"[{float(2 * np.cos(1e-4))!r}, 0, 0]")
    note, chosen = bars([hinge, hinge, near], (1e-4, 0.0)).linearize().notes
    assert note.startswith("The pose is near a singular pose. The joints last amplify")
    assert chosen.startswith("In closed loops of joints, ")
    last = f"{hinge}\nparent_at = [1, 0, 0]\nchild_at = [-1, 0, 0]"
    with pytest.raises(BadInput, match="a singular pose"):
        bars([hinge, hinge, hinge, last]).linearize()
    assert len(bars([hinge, hinge, hinge, last], (0.3, -0.3, 0.3)).linearize().names) == 2


@pytest.mark.long
def test_moments_do_not_depend_on_each_other():
    """A lander on two rods, one of which releases: coordinates that serve at that moment would be all but
    singular as it falls, and their turning a mode of its own. Whoever wants an array over the flight names
    them."""
    lander = loads(
        f"""
gravity = {{ kind = "uniform", acceleration = [0, 0, -{G}] }}
[bodies.lander]
mass = 500
inertia = [300, 320, 250]
initial = {{ position = [0, 0, -3] }}
[joints.left]
kind = "rod"
parent = "ground"
child = "lander"
parent_at = [-1, 0, 0]
child_at = [-1, 0, 1]
length = 2
[joints.right]
kind = "rod"
parent = "ground"
child = "lander"
parent_at = [1.5, 0, 0]
child_at = [1, 0, 1]
length = {float(np.hypot(0.5, 2))!r}
[phases.hung]
until = {{ time = "1 s" }}
[phases.fall]
release = ["left"]
until = {{ elapsed = "1 s" }}
"""
    )
    times = [1.4, 1.58, 1.9]
    with compiled_flights():
        series: Any = lander.linearize(["fall", *times])
        alone_at: list[Any] = [lander.linearize(time) for time in times]
        named: Any = lander.linearize(["fall", 1.4], coordinates=series[0].names[:5])
    for alone, one in zip(alone_at, series[1:], strict=True):
        assert alone.names == one.names
        np.testing.assert_array_equal(alone.A, one.A)
    follows = [one.dependent for one in series]
    assert len({*follows}) > 1
    assert all(
        f"In closed loops of joints, {own[0]} follows" in one.notes[-1] for own, one in zip(follows, series)
    )
    with pytest.raises(BadInput, match="or set coordinates that are valid at all operating points"):
        _ = series.A
    assert named.A.shape == (2, 10, 10)


def parallelogram() -> Any:
    """Two cranks of 1 m and a bar of 2 m, all in one line at the start, where either crank could turn by
    itself; they turn alike."""
    text = ""
    for name, through, turn in (("first", "A", 1), ("bar", "B", -1), ("second", "D", 1)):
        start = f"rotation = [0, {turn * np.pi / 2}, 0], relative_angular_velocity = [0, {turn}, 0]"
        text += f"""
[bodies.{name}]
mass = 1.0
inertia = [0.1, 0.1, 0.1]
initial = {{ through = "{through}", {start} }}
"""
    for name, parent, child, parent_at, child_at in (
        ("A", "ground", "first", [0, 0, 0], [0, 0, 0.5]),
        ("B", "first", "bar", [0, 0, -0.5], [-1, 0, 0]),
        ("C", "second", "bar", [0, 0, -0.5], [1, 0, 0]),
        ("D", "ground", "second", [2, 0, 0], [0, 0, 0.5]),
    ):
        text += f"""
[joints.{name}]
kind = "revolute"
axis = "y"
parent = "{parent}"
child = "{child}"
parent_at = {parent_at}
child_at = {child_at}
"""
    return made(text)


def test_what_is_free_is_told_of_each_moment_by_itself():
    """A parallelogram in one line has a freedom more than at later moments, and is refused there; the latter
    are the same next to each other, where the cranks turn on: rates follow from none of both, q'' = 0."""
    scenario = parallelogram()
    series = scenario.linearize([0.25, 0.5])
    assert len(series) == 2
    for linear in series:
        close(linear.A, [[0, 1], [0, 0]], 1e-9)  # poses are closed to rounding, over knees of 1 to 4
    with pytest.raises(BadInput, match="in a singular pose at the start"):
        scenario.linearize([0.0, 0.25, 0.5])


def test_a_disk_that_rolls_upright_falls_below_a_speed():
    """Tilt and yaw of a thin uniform disk: it is stable from a spin of sqrt(g/(3 r)) on."""
    radius, mass = 0.5, 2.0
    a, c = mass * radius**2 / 4, mass * radius**2 / 2
    for spin in (1.5, 4.0):
        linear = made(
            f"""
{HEAVY}
joints.wheel = {{ kind = "rolling", parent = "ground", child = "disk", radius = {radius} }}
[bodies.disk]
mass = {mass}
inertia = [{a}, {a}, {c}]
[bodies.disk.initial]
position = [0, 0, {radius}]
velocity = [{radius * spin}, 0, 0]
attitude = {{ euler = "1-2-3", angles = [{-np.pi / 2}, 0, 0] }}
angular_velocity = [0, 0, {spin}]
"""
        ).linearize(axes="inertial")
        square = (mass * G * radius - c * (c + mass * radius**2) * spin**2 / a) / (a + mass * radius**2)
        found = max(linear.eigenvalues, key=lambda value: abs(value**2))
        assert len(linear.names) == 8  # five positions and three velocities
        assert (found**2).real == pytest.approx(square, rel=1e-7), spin  # a pair among six that are zero
        assert any(mode.grows for mode in linear.modes) == (spin < np.sqrt(G / (3 * radius)))


# --- joints of all kinds ------------------------------------------------------------------------------------

MINIMAL: Any = ist.Solver(formulation={"kind": "null_space", "coordinates": "minimal"})  # type: ignore[arg-type]
SHUFFLED = np.random.default_rng(7).permutation(len(KINDS))
TURNING = ist.DrivenAxes(
    tx=ist.LinearHarmonic(amplitude=0.4, frequency=3.0, phase=0.3, offset=-0.4 * np.sin(0.3)),
    rz=ist.AngularHarmonic(amplitude=0.9, frequency=2.1, phase=-0.4, offset=0.9 * np.sin(0.4)),
)
"""From where linkages are drawn, which know of no drive, on."""
DRIVEN = ("generalized", {"locked": ("tx", "ry", "rz"), "driven": TURNING}, "yz", "x")
TREES = {
    f"kinds {k}": (70 + k, [*(KINDS[i] for i in group), DRIVEN], bool(k % 2))
    for k, group in enumerate(np.array_split(SHUFFLED, 4))
}


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param(tree, marks=[pytest.mark.long] if tree in ("kinds 0", "kinds 2") else [])
        for tree in TREES
    ],
)
def test_second_rates_of_joints_of_all_kinds(tree):
    """Drawn trees in motion, against the reduced equations in minimal coordinates, another formulation."""
    seed, kinds, ground = TREES[tree]
    linkage = drawn_linkage(seed, kinds, ground, lanes=1, solver=MINIMAL)
    mechanism = mechanism_of(linkage.scenario)
    switched, flow, t = switches(mechanism), flow_of(mechanism), np.zeros(())
    coordinates: Any = flow.coordinates  # type: ignore[attr-defined]
    still = np.zeros_like(linkage.r)
    posed = state_of(linkage, still, still)[:, 0]
    drawn = posed + 0.3 * np.random.default_rng(seed).standard_normal(posed.shape)
    own = coordinates.keep_locked(
        coordinates.own(t, posed, switched), coordinates.own(t, drawn, switched), switched
    )
    own = coordinates.normalize(own, switched)
    own[-6:] = 0.0
    r, v, q, w, *_ = unpacked(linkage.scenario, coordinates.ordinary(t, own, switched))
    bodies = [
        with_values(
            body,
            initial=ist.State(
                position=r[:, k],
                velocity=v[:, k],
                attitude=ist.Attitude(quaternion=q[:, k]),
                angular_velocity=w[:, k],
            ),
        )
        for k, body in enumerate(linkage.scenario.bodies)
    ]
    linear = with_values(linkage.scenario, bodies=tuple(bodies)).linearize(axes="inertial")
    _, straight, _, turning, *_ = unpacked(linkage.scenario, flow.derivative(t, own, switched))
    truth: dict[str, Any] = {}
    for k, branch in enumerate(coordinates.forest.branches):
        slides, turns = straight[:, k], turning[:, k]
        if branch is None:
            path, turns = f"bodies.{linkage.scenario.bodies[k].name}", turned(q[:, k][None])[0] @ turns
            truth[f"{path}.velocity"], truth[f"{path}.angular_velocity"] = slides, turns
        else:
            path = f"joints.{linkage.scenario.joints[branch.joint].name}"
            truth[f"{path}.displacement_rate"], truth[f"{path}.rotation_rate"] = slides, turns
    found: dict[str, list[float]] = {}
    for name, rate, state in zip(linear.names, linear.rates, linear.states):
        if state.kind == "rate":
            found.setdefault(name.rpartition(".")[0], []).append(rate)
    size = max(np.max(np.abs(values)) for values in truth.values())
    assert sum(map(len, found.values())) > 6
    for path, values in truth.items():
        free = values[values != 0]
        np.testing.assert_allclose(found.get(path, []), free, rtol=0, atol=ROUNDED * size, err_msg=path)
    assert linear.notes == ()  # derivatives are what differences say


# --- parts --------------------------------------------------------------------------------------------------


def test_a_law_with_an_integral_and_a_lag():
    """A throttle that holds a speed: thrust, lag and integral as one closed loop, and its command."""
    mass, thrust, kp, ki, lag = 500.0, 2000.0, 0.3, 0.07, 0.4
    text = throttled(mass, thrust, "velocity.x").replace('"controls.throttle"', '"actuators.valve"')
    text = text.replace("target = 0", f"target = 2\nkp = {kp}\nki = {ki}\nbias = 0.1")
    valve = f"""
[actuators.valve]
command = "controls.throttle"
model = {{ kind = "first_order", time_constant = {lag} }}
"""
    linear = made(text + valve).linearize(inputs=["controls.throttle", "controls.throttle.target"])
    names = ["bodies.a.velocity.x", "controls.throttle", "actuators.valve.0"]
    rows = [linear.names.index(name) for name in names]
    truth = [[0, 0, thrust / mass], [-ki, 0, 0], [-kp / lag, 1 / lag, -1 / lag]]
    close(linear.A[np.ix_(rows, rows)], truth)
    close(linear.B[rows], [[0, 0], [0, ki], [1 / lag, kp / lag]])
    assert [state.kind for state in linear.states][-2:] == ["part", "part"]


def test_a_sampled_law_is_held_and_told():
    text = throttled(500.0, 2000.0, "velocity.x").replace(
        "target = 0", "target = 2\nkp = 0.3\nbias = 0.1\nperiod = 0.1"
    )
    linear = made(text).linearize(inputs=["controls.throttle"])
    row = linear.names.index("bodies.a.velocity.x")
    assert linear.A[row, row] == 0
    close(linear.B[row], [2000 / 500])
    assert any("controls.throttle" in note and "sampled models" in note for note in linear.notes)


def test_liquid_that_sloshes():
    """A mass on springs across the axis of its tank, on a free body, and a pendulum under thrust: two motions
    each, none along what they cannot do."""
    share, frequency = 0.3, 3.0
    total = 400.0 + 600.0
    slosh = f'kind = "spring_mass"\nshare = {share}\nfrequency = {frequency}\nplace = [3, 0, 0]\n'
    low = 3 - 600 / (1140 * np.pi * 0.36) / 2
    free = """
[bodies.free]
mass = 400.0
mass_centre = [3.0, 0, 0]
inertia = [100.0, 100.0, 100.0]
initial = {}
"""
    linear = made(free + tank("free", "a", 600.0, low, slosh, "drains = false")).linearize()
    moving = share * 600
    wanted = frequency * np.sqrt(total / (total - moving))
    swings = [mode for mode in linear.modes if mode.oscillates]
    assert len(linear.names) == 12 + 4
    assert len(swings) == 2
    for mode in swings:
        assert abs(mode.eigenvalue) == pytest.approx(wanted, rel=1e-9), "rad/s"


@pytest.mark.long
def test_a_mass_centre_that_moves_through_its_body():
    """Tanks that drain: displacements change by more than the velocity of the structure where the mass centre
    is, namely by what the tanks shift that, which outputs and other moments know as well."""
    step = 1e-3
    scenario: Any = load(find_cases()["draining-stack"] / "scenario.toml")
    earlier, now, later = scenario.linearize([2 - step, 2, 2 + step], outputs="bodies.lower.mass_centre")
    tanks = [k for k, state in enumerate(now.states) if state.name.startswith("streams.lower")]
    assert len(tanks) == 2
    places, speeds = slice(0, 3), [now.names.index(f"bodies.lower.velocity.{axis}") for axis in "xyz"]
    shift = now.C[:, tanks] @ now.rates[tanks]
    assert np.max(np.abs(shift)) > 1e-3  # or nothing would be looked at
    close(now.rates[places] - now.x0[speeds], shift)
    bent = (later.C[:, tanks] - earlier.C[:, tanks]) / (2 * step)
    # By differences over the step, of mass centres that turn over some metres per tonne and second.
    np.testing.assert_allclose(now.A[places, tanks], bent, rtol=0, atol=step**2 * np.max(np.abs(bent)))


def test_what_is_only_summed_up_is_no_state():
    """Losses of a contact are states of a flight, and nothing depends on them."""
    text = throttled(500.0, 2000.0, "velocity.x").replace("target = 0", "target = 2\nki = 0.1\nbias = 0.1")
    whole = made(text.replace('throttle = "controls.throttle"\n', "")).linearize()
    assert "controls.throttle" not in whole.names
    assert any("omit these states" in note and "controls.throttle" in note for note in whole.notes)


# --- flights ------------------------------------------------------------------------------------------------

RELEASED = f"""
{HEAVY}
joints.hook = {{ kind = "spherical", parent = "ground", child = "one" }}
joints.hold = {{ kind = "revolute", axis = "x", parent = "one", child = "two", parent_at = [0, 0, -1] }}
[bodies.one]
mass = 2
inertia = [0.3, 0.3, 0.1]
mass_centre = [0, 0, -0.4]
initial = {{ through = "hook", rotation = [0.3, -0.2, 0.1] }}
[bodies.two]
mass = 1
inertia = [0.2, 0.2, 0.2]
mass_centre = [0, 0, -0.5]
initial = {{ through = "hold", rotation = [0.4, 0, 0], relative_angular_velocity = [1.5, 0, 0] }}
[phases.held]
until = {{ time = "0.5 s" }}
[phases.apart]
release = ["hold"]
until = {{ elapsed = "0.5 s" }}
[solver]
tolerance = 1e-12
"""


@pytest.fixture(scope="module")
def scenario():
    return loads(RELEASED)


@pytest.fixture
def released(scenario):
    """It is flown for each linearization: by one compiled program."""
    with compiled_flights():
        yield scenario


@pytest.fixture(scope="module")
def flight(scenario):
    with compiled_flights():
        return scenario.run(progress=False)


def test_before_and_after_a_release(released, flight):
    before, after = released.linearize(["before apart", "apart"])
    assert before.time == after.time == 0.5
    joint, body = ["joints.hold.rotation.x"], [f"bodies.two.position.{axis}" for axis in "xyz"]
    assert set(joint) <= set(before.names)
    assert not set(body) & set(before.names)
    assert set(body) <= set(after.names)
    assert not set(joint) & set(after.names)
    for linear, side in ((before, "before"), (after, "after")):
        spin = flight.value("bodies.one.angular_velocity.y", "apart", side=side)
        known = released.linearize(linear.moment, outputs="bodies.one.angular_velocity.y")
        close(known.y0, [spin], 1e-10)
    with pytest.raises(BadInput, match="differ from the states"):
        _ = released.linearize(["before apart", "apart"]).A


def test_along_a_flight(released, flight):
    """Times within the flight, whose states are those of its record; stretches with the same states apart."""
    series = released.linearize(along="0.1 s:apart:5", outputs="bodies.two.position")
    np.testing.assert_allclose(series.times, np.linspace(0.1, 0.5, 5), rtol=0, atol=1e-12)
    assert series.A.shape == (5, 8, 8)
    assert series.C.shape == (5, 3, 8)
    for one in series[1:4]:
        alone = released.linearize(one.time, outputs="bodies.two.position")
        close(one.A, alone.A)
        close(one.y0, alone.y0)
    whole = released.linearize([0.2, 0.3, 0.7, 0.8])
    assert [len(part) for part in whole.parts] == [2, 2]


def test_many_moments_are_worked_out_in_parts(released, monkeypatch):
    """A few points at a time, directions that move velocities alone by themselves: the same matrices."""
    times = np.linspace(0.02, 0.48, 7)
    asked: Any = {
        "inputs": ["bodies.two.torque.x", "bodies.two.mass", "bodies.one.force.z"],
        "outputs": ["bodies.two.acceleration.z", "bodies.two.position.z", "bodies.one.angular_velocity.x"],
    }
    whole = released.linearize(times, **asked)
    widths = []

    def counted(self, moves, *given):
        widths.append(len(moves))
        return along(self, moves, *given)

    along = System._along
    monkeypatch.setattr(System, "_along", counted)
    monkeypatch.setattr(system, "AT_ONCE", 40)  # of two bodies: one point with eleven directions
    parts = released.linearize(times, **asked)
    # Displacements and the mass move all; velocities, and the two loads, little.
    assert widths == [5, 6]
    for name in ("A", "B", "C", "D"):
        close(getattr(parts, name), getattr(whole, name))


@pytest.mark.long
def test_fixed_steps_between_samples_that_are_far_apart(monkeypatch):
    """They are recorded as flown, so that none is taken again but the one to a moment."""
    steps = 'solver = { method = "rk4", step = "1 ms" }\noutput = { interval = "INTERVAL" }\n'
    text = HINGED.replace("ANGLE", "0.3").replace("RATE", "1.0")
    again: list[int] = []

    def counted(states, step, stepped):
        return near(states, step, lambda some: (again.append(1), stepped(some))[1])

    near = between.near
    monkeypatch.setattr(between, "near", counted)
    times = [0.3124, 0.6661, 0.91]
    coarse, fine = (
        made(steps.replace("INTERVAL", interval) + text).linearize(times) for interval in ("0.5 s", "1 ms")
    )
    assert not again
    close(coarse.A, fine.A)
    monkeypatch.setattr(points, "MOST_RECORDED", 100)  # of 1000 steps: every tenth
    few = made(steps.replace("INTERVAL", "0.5 s") + text).linearize(times)
    assert 0 < len(again) <= 10
    close(few.A, fine.A)


def test_states_go_as_the_flight_does(released):
    """Two flights from starts that differ a little, against x' = A(t) x along the way."""
    step, until = 1e-4, 0.4
    start = released.linearize()
    times = np.linspace(0, until, 161)
    series = released.linearize(times, outputs=["bodies.two.position", "bodies.one.angular_velocity"])
    moved = np.zeros(len(start.names))
    moved[start.names.index("joints.hold.rotation.x")] = 1.0
    # Magnus' method of order four, by A at both ends and the middle of each pair of intervals.
    x, a, h = moved, series.A, 2 * (times[1] - times[0])
    for k in range(0, len(times) - 2, 2):
        mean = (a[k] + 4 * a[k + 1] + a[k + 2]) / 6
        turn = (a[k + 2] @ a[k] - a[k] @ a[k + 2]) / 12
        x = expm(h * mean + h * h * turn) @ x
    found = series.C[-1] @ x
    ends = []
    for sign in (1, -1):
        text = RELEASED.replace("rotation = [0.4, 0, 0]", f"rotation = [{0.4 + sign * step}, 0, 0]")
        text = text.replace('time = "0.5 s"', f'time = "{until} s"')
        run = loads(text).run(progress=False)
        names = [
            f"bodies.{name}.{axis}" for name in ("two.position", "one.angular_velocity") for axis in "xyz"
        ]
        ends.append([run.value(name, "apart", side="before") for name in names])
    truth = np.subtract(*ends) / (2 * step)
    # Differences of flights are off by the square of the step times third derivatives, some tens; Magnus' by
    # h^4 times as much.
    np.testing.assert_allclose(found, truth, rtol=0, atol=1e-5)


def test_the_start_compiles_nothing(released):
    waits: list[Any] = []
    with listening(waits.append):
        released.linearize()
    assert waits == []


MISSION = f"""
{HEAVY}
[bodies.ball]
mass = 2
inertia = [1, 1, 1]
initial = {{ velocity = [3, 0, 20] }}
[legs.up]
phases.rise = {{ until = {{ quantity = "bodies.ball.velocity.z", reaches = 0, direction = "falling" }} }}
[legs.down]
after.leg = "up"
phases.drop.until.elapsed = 2
"""


def test_a_leg_of_a_mission():
    mission: Any = loads(MISSION)
    linear = mission.linearize("end", leg="down", outputs="bodies.ball.velocity")
    assert linear.time == pytest.approx(20 / G + 2, rel=1e-9)
    np.testing.assert_allclose(linear.y0, [3, 0, -2 * G], rtol=0, atol=1e-8)
    begun = mission.linearize(leg="down", outputs="bodies.ball.velocity")
    assert begun.time == pytest.approx(20 / G, rel=1e-9)
    with pytest.raises(BadInput, match=r"there is no leg 'dwn'.*down"):
        mission.linearize(leg="dwn")


def test_a_leg_is_chosen_by_the_only_leg_that_flies_at_the_times():
    """By times [s], events, and ends of legs; in words if there is none, or several."""
    fork = """[bodies.other]
mass = 1
inertia = [1, 1, 1]
initial = { velocity = [9, 0, 0] }
[legs.up]
bodies = ["ball", "other"]
"""
    aside = '[legs.aside]\nafter.leg = "up"\nbodies = ["other"]\nphases.off.until.elapsed = 1\n'
    mission: Any = loads(MISSION.replace("[legs.up]\n", fork) + aside)
    top = 20 / G

    def leg_at(at: Any, along: str | None = None) -> str:
        return course_of(mission, None, at, along).leg

    assert [leg_at(at) for at in (1.0, "1 s", "start", "rise", "before up end", top + 1.5)] == [
        *["up"] * 5,
        "down",
    ]
    assert leg_at(["drop", "down end", f"{top + 1.5} s"]) == "down"
    assert leg_at("start", along=f"{top + 1.2}:down end:5") == "down"
    for at, said in {
        (
            "end",
        ): "leg: the name of the leg is missing: several legs fly at end. Set 'leg' to one of down, aside$",
        (top + 0.5,): r"leg: the name .* several legs fly at 2\.538.* s. Set 'leg' to one of down, aside$",
        (
            "rise",
            "drop",
        ): r"at: the times are in several legs: rise \(up\), drop \(down\). Run the command once for each",
        (99.0,): r"no leg flies at 99 s. Times of the legs: up from 0 s to 2\.038.* s; down from 2\.038",
        ("apex",): "there is no event 'apex'; ",
    }.items():
        with pytest.raises(BadInput, match=said):
            leg_at([*at])


def test_the_end_of_a_leg_has_its_name_in_the_leg():
    mission: Any = loads(MISSION)
    at_end = mission.linearize("end", leg="up")
    named = mission.linearize("up end")
    assert (named.moment, named.time) == (at_end.moment, at_end.time)
    np.testing.assert_array_equal(named.A, at_end.A)
    both = mission.linearize(along="rise:up end:3", leg="up")
    assert both[-1].time == at_end.time
    with pytest.raises(BadInput, match="'drop' is an event of leg down, not of leg up"):
        mission.linearize("drop", leg="up")


def test_the_only_leg_of_rigid_bodies_needs_no_name():
    level = '[guidance.level]\nkind = "angles"\nbody = "ball"\naxes = "inertial"\npitch = 0\n[legs.up]\n'
    point = 'coordinates = "point"\nattitude = "level"\n'
    mission = loads(MISSION.replace("[legs.up]\n", level + point))
    assert course_of(mission, None).leg == "down"


def test_over_an_input(tmp_path):
    """Root loci of the pendulum over its damping, past critical."""
    series: Any = hinged(0.0, 0.0).linearize(vary="forces.spring.damping[0]=0 N m s/rad:20 N m s/rad:5")
    np.testing.assert_allclose(series.levels, [0, 5, 10, 15, 20])
    j = INERTIA + MASS * ARM**2
    for level, one in zip(series.levels, series):
        truth = np.roots([j, level, STIFF + MASS * G * ARM])
        np.testing.assert_allclose(np.sort_complex(one.eigenvalues), np.sort_complex(truth), rtol=1e-9)
    assert [mode.oscillates for mode in series[4].modes] == [False, False]
    assert series.A.shape == (5, 2, 2)
    series.to_netcdf(tmp_path / "loci.nc")
    with xarray.open_datatree(tmp_path / "loci.nc", engine="h5netcdf") as tree:
        np.testing.assert_allclose(tree["level"], series.levels)
    with pytest.raises(BadInput, match="a root locus needs exactly one"):
        hinged(0.0, 0.0).linearize(vary={"bodies.bob.mass": [1, 2], "forces.spring.damping": [[1], [2]]})
    with pytest.raises(BadInput, match="needs one operating point"):
        hinged(0.0, 0.0).linearize(["start", "end"], vary="bodies.bob.mass=1:2:2")
    with pytest.raises(BadInput, match=r"mass"):
        hinged(0.0, 0.0).linearize(vary="bodies.bob.mass=-1:2:2")


def test_the_command(tmp_path, capsys, monkeypatch):
    """Tables, files, and mistakes."""
    file = tmp_path / "bob.toml"
    file.write_text(hinged(0.2, 0.0).to_toml())
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["interstage", "linearize", file.name, *words])
        with pytest.raises(SystemExit) as ended:
            main()
        told = capsys.readouterr()
        return int(ended.value.code or 0), told.out + told.err

    code, told = run("--input", "bodies.bob.torque.y", "-o", "bob.mat")
    assert code == 0
    assert "joints.hinge.rotation_rate.y" in told
    assert "0.86" in told
    assert max(map(len, told.splitlines())) <= 100
    assert scipy.io.loadmat(tmp_path / "bob.mat")["B"].shape == (2, 1)
    code, told = run("--vary", "bodies.bob.mass=1 kg:3 kg:3")
    assert code == 0
    assert "mass [kg]" in told
    for words, text in (
        (("--at", "apart"), "there is no event 'apart'"),
        (("--at", "start", "--along", "start:end:3"), "--along and --at are both set"),
        (("-o", "bob.csv"), "Allowed: .nc, .mat"),
        (("--input", "bodies.bob.mas"), "mass"),
    ):
        code, told = run(*words)
        assert code == 2, words
        assert text in told


@pytest.mark.parametrize(
    ("solver", "bound"),
    [
        ('formulation = { kind = "null_space", coordinates = "minimal" }', 1e-9),
        pytest.param('formulation = "staggered"\nstep = "1 ms"', 1e-4, marks=pytest.mark.long),
        pytest.param(
            'formulation = { kind = "penalty", stiffness = 1e7 }\nstabilization = "none"',
            1e-4,
            marks=pytest.mark.long,
        ),
    ],
)
def test_behind_a_flight_by_other_formulations(solver, bound):
    """What is flown in other states, or with joints that yield or gape, is linearized on its joints."""
    text = HINGED.replace("ANGLE", "0.5").replace("RATE", "0")
    found, truth = (
        made(f"{text}[solver]\ntolerance = 1e-11\n{own}").linearize(0.7, outputs="joints.hinge.force")
        for own in (solver, "")
    )
    assert found.names == truth.names
    close(found.A, truth.A, bound)
    close(found.y0, truth.y0, bound)


# --- kinks --------------------------------------------------------------------------------------------------


def test_a_spring_without_free_length_has_its_stiffness_where_its_ends_coincide():
    """The same there and away from there, in every direction, and no kink."""
    text = """
bodies.ball = {{ mass = 1, inertia = [1, 1, 1], initial = {{ position = [{}, 0, 0] }} }}
forces.pull = {{ kind = "spring", parent = "ground", child = "ball", stiffness = 10, free_length = 0 }}
"""
    for place in (0, 1):
        found = made(text.format(place)).linearize()
        assert found.notes == ()
        close(found.A[6:9, :3], -10 * np.eye(3))


def test_a_device_at_the_moment_of_touching_is_told():
    """The piston of Hyper-X pushes from the start of its stroke on, where the vehicle still rests on it."""
    scenario: Any = load(find_cases()["hyper-x"] / "scenario.toml")
    (note,) = (note for note in scenario.linearize().notes if "have a kink" in note)
    assert "joints.ball.displacement.x" in note


# --- what is handed out -------------------------------------------------------------------------------------


def test_files_and_systems(tmp_path):
    linear = hinged(0.2, 0.0).linearize(inputs="bodies.bob.torque.y", outputs="bodies.bob.position.x")
    linear.to_netcdf(tmp_path / "one.nc")
    with pytest.raises(BadInput, match=r"cannot write '.*one.mat': No such file"):
        linear.to_mat(tmp_path / "nowhere" / "one.mat")
    linear.to_mat(tmp_path / "one.mat")
    tree: Any
    with xarray.open_datatree(tmp_path / "one.nc", engine="h5netcdf") as tree:
        close(tree["A"].values[0], linear.A, EPS)
        assert list(tree["state"].values) == linear.names
        again = loads(tree.attrs["scenario"])
        close(again.linearize().A, linear.A)
    mat = scipy.io.loadmat(tmp_path / "one.mat", squeeze_me=True)
    close(mat["B"].reshape(linear.B.shape), linear.B, EPS)
    assert list(mat["states"]) == linear.names
    system = linear.to_scipy()
    assert isinstance(system, scipy.signal.StateSpace)
    frequencies = np.array([0.1, 0.8, 5.0])
    s, (stiff, damped) = 2j * np.pi * frequencies, linear.A[1]
    swing = linear.B[1, 0] / (s * s - damped * s - stiff)
    np.testing.assert_allclose(linear.transfer(frequencies)[:, 0, 0], linear.C[0, 0] * swing, rtol=ROUNDED)
    series = hinged(0.2, 0.0).linearize(["before start", "start"])
    series.to_netcdf(tmp_path / "two.nc")
    series.to_mat(tmp_path / "two.mat")
    assert scipy.io.loadmat(tmp_path / "two.mat")["linear"].size == 2


def test_series_of_other_states_in_files(released, tmp_path):
    released.linearize(["before apart", "apart"]).to_netcdf(tmp_path / "both.nc")
    with xarray.open_datatree(tmp_path / "both.nc", engine="h5netcdf") as tree:
        sizes = [tree[f"stretch_{k}"]["A"].shape for k in range(2)]
    assert sizes == [(1, 8, 8), (1, 18, 18)]


WRONG = {
    "an event that is not there": ({"at": "apartt"}, "there is no event 'apartt'.*'apart'"),
    "a time behind the end": ({"at": 7.0}, "7 s is after the latest possible end of the flight, 1 s"),
    "a time as it is typed": ({"at": "7"}, "7 s is after the latest possible end"),
    "a period as it is typed": ({"period": "-2"}, "period -2 s is not positive. Give a time above zero"),
    "a time before the start": ({"at": -1.0}, "-1 s is outside the flight"),
    "no time": ({"at": float("nan")}, "nan is not a finite time"),
    "a time in metres": ({"at": "3 m"}, "m"),
    "no moment": ({"at": []}, "the list of times is empty"),
    "an empty moment": ({"at": "before "}, "there is no event 'before'|is not a time"),
    "an unknown input": ({"inputs": "bodies.one.forse.x"}, "bodies.one.force.x"),
    "an unknown leaf": ({"inputs": "bodies.one.masss"}, "mass"),
    "a table as an input": ({"inputs": "bodies.one"}, "is a table"),
    "an input twice": ({"inputs": ["bodies.one.mass", "bodies.one.mass"]}, "listed twice"),
    "a text as an input": ({"inputs": "joints.hook.kind"}, "is a text"),
    "a number as an input": ({"inputs": [3]}, "is not a text"),
    "an unknown output": ({"outputs": "bodies.one.positon"}, "position"),
    "an unknown component": ({"outputs": "bodies.one.position.w"}, "has no component 'w'"),
    "an output twice": ({"outputs": ["time", "time"]}, "listed twice"),
    "other axes": ({"axes": "wind"}, "there are no axes 'wind'; axes: body, motion, inertial"),
    "a coordinate that is not there": (
        {"coordinates": "joints.hold.rotation.y"},
        "there is no coordinate 'joints.hold.rotation.y'",
    ),
    "a leg of no mission": ({"leg": "up"}, "has no legs"),
    "a range without a count": ({"along": "start:apart"}, "Write FROM:TO:COUNT"),
    "a range backwards": ({"along": "0.4 s:0.1 s:3"}, "Write the earlier time first"),
    "a range as it is typed": ({"along": "0.4:0.1:3"}, "Write the earlier time first"),
}


@pytest.mark.parametrize("what", WRONG)
def test_bad_input(released, what):
    asked, text = WRONG[what]
    with pytest.raises(BadInput, match=text):
        released.linearize(**asked)


def test_several_mistakes_at_once(released):
    with pytest.raises(BadInput) as told:
        released.linearize(inputs=["bodies.one.masss"], outputs=["bodies.one.positon"])
    assert len(told.value.problems) == 2


def test_no_inputs_for_scipy(released):
    with pytest.raises(BadInput, match="Set inputs"):
        released.linearize().to_scipy()


def test_moments_stay_in_the_order_asked_for(released):
    times = released.linearize([0.3, 0.1, 0.2]).times
    assert [a > b for a, b in pairwise(times)] == [True, False]


def test_defective_zeros_that_rounding_splits():
    """A displacement and its velocity, coupled back by rounding of other entries, are two zeros, and three in
    a row three; a pendulum a million times slower than what swings beside it is none."""
    for count in (2, 3):
        a = np.eye(count, k=1)
        a[-1, 0] = 2 * EPS
        whole = np.zeros((count + 2, count + 2))
        whole[:count, :count] = a
        whole[count:, count:] = [[0, 1], [-4, -1]]
        found = modes(whole)
        assert sum(mode.zero for mode in found) == count
        assert not any(mode.grows for mode in found)
    slow = np.zeros((4, 4))
    slow[:2, :2] = [[0, 1], [-1e-6, 0]]
    slow[2:, 2:] = [[0, 1], [-1e6, 0]]
    assert [mode.zero for mode in modes(slow)] == [False, False]
    assert [mode.frequency for mode in modes(slow)] == pytest.approx(np.array([1e-3, 1e3]) / (2 * np.pi))


@pytest.mark.parametrize("stiffness", [1e6, 1e11])
def test_the_row_of_zeros_states_how_large_a_slow_mode_among_stiff_ones_may_be(stiffness):
    """A mode of -1e-5 1/s is found among soft springs, and is within the size that the row states among stiff
    ones."""
    rng = np.random.default_rng(1)
    own = np.diag([0.0, 0.0, -1e-5, -2.0])
    own[:2, :2] = [[0, 1], [-stiffness, -1]]
    mixed = np.eye(4) + 0.3 * rng.normal(size=(4, 4))
    found = modes(mixed @ own @ np.linalg.inv(mixed))
    linear = SimpleNamespace(modes=found, slow=55.0, taking_part=lambda mode: {})
    row: Any = mode_table(cast(Any, linear)).rows[0]
    if stiffness == 1e6:
        assert float(row[1]) == pytest.approx(-1e-5, rel=1e-3)  # least: 1.5e-9 of 1e-5
        return
    words, within, size = row[1].split()
    assert (row[0], words, within) == ("1", "0", "within")
    # Above the mode; and the rounding of the largest entries, |A| eps, is below it.
    assert 1e-5 < float(size) < 1e3 * stiffness * EPS


def test_vectors_of_defective_zeros_that_are_all_but_orthogonal():
    """The overlap of left and right ones underflows, and its inverse is endless, without a word about it: two
    boxes, which may turn, on a spring."""
    boxes = made(
        "bodies.a = { mass = 2, inertia = [1, 1, 1], initial = {} }\n"
        "bodies.b = { mass = 3, inertia = [1, 1, 1], initial = { position = [1.2, 0, 0] } }\n"
        'forces.k = { kind = "spring", parent = "a", child = "b", stiffness = 100, free_length = 1 }\n'
    )
    with warnings.catch_warnings(action="error"):
        found = boxes.linearize().modes
    assert sum(mode.zero for mode in found) == 18
    swings = [abs(mode.eigenvalue) for mode in found if mode.oscillates]
    assert swings[-1] == pytest.approx(np.sqrt(100 * (1 / 2 + 1 / 3)), rel=ROUNDED)


def test_the_row_of_zeros_states_no_bound_above_the_largest_eigenvalue():
    """Two free bodies in uniform motion: 24 zeros in chains, whose bound overflows (0 within 1.6e+276)."""
    free = made(
        "bodies.a = { mass = 2, inertia = [1, 1, 1], initial = {} }\n"
        "bodies.b = { mass = 3, inertia = [1, 2, 3], initial = { velocity = [0.1, 0, 0.6] } }\n"
    ).linearize()
    largest = np.linalg.norm(free.A, 2)
    assert all(mode.zero and (mode.least == np.inf or mode.least <= largest) for mode in free.modes)
    row: Any = mode_table(free).rows[0]
    assert row[:2] == ["24", "0"]


def test_what_is_held_whole_has_no_states():
    scenario = loads("""
bodies.b = { mass = 10, inertia = [1, 1, 1], initial = {} }
joints.j = { kind = "fixed", parent = "ground", child = "b" }
phases.a = { until = { time = 1 } }
""")
    assert scenario.linearize().A.shape == (0, 0)
