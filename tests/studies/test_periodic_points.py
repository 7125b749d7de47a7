"""Starts from which a motion repeats itself: against elliptic integrals, the closed form of forced vibration,
shooting by SciPy, and the flapping of a blade."""

from __future__ import annotations

import re
import sys
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, fsolve
from scipy.special import ellipk

from interstage.cli.main import main
from interstage.reading import load, loads
from interstage.studies.trim import NoTrim
from interstage.tree.errors import BadInput
from mechanics import shaken_pivot
from test_rotors import SPEED, rotor

ARM, MASS, INERTIA = 0.5, 2.0, 0.5
ABOUT = INERTIA + MASS * ARM**2
G = 9.81
TOLERANCE = 1e-12
"""Of flights; a hundred times that is what states may be off by over a period."""
CLOSE = 1e4 * TOLERANCE
"""A hundred times that again: what slopes of order one, and some ten periods of the flight's errors, add."""
RATE = 2.5
"""Angular frequency [rad/s] with which the pivot is shaken."""


def pendulum(pull=G, shake=0.0, stiffness=0.0, damping=0.0, angle=0.0, rate=0.0, more="") -> Any:
    """A pendulum on a pivot that is shaken along x, with a spring and a damper; one structure for all."""
    return loads(f"""
gravity = {{ kind = "uniform", acceleration = [0, 0, -{pull}] }}
{shaken_pivot("x", shake, RATE)}
[joints.hinge]
kind = "revolute"
axis = "y"
parent = "pivot"
child = "bob"
[bodies.bob]
mass = {MASS}
mass_centre = [0, 0, -{ARM}]
inertia = [0.3, {INERTIA}, 0.2]
initial = {{ through = "hinge", rotation = [0, {angle}, 0], relative_angular_velocity = [0, {rate}, 0] }}
[forces.spring]
kind = "torsion_spring"
parent = "pivot"
child = "bob"
sequence = "2"
stiffness = [{stiffness}]
damping = [{damping}]
[phases.swing]
until = {{ time = "9 s" }}
[solver]
tolerance = {TOLERANCE}
{more}
""")


SMALL = np.sqrt(MASS * G * ARM / ABOUT)
ANGLE, RATES = "joints.hinge.rotation.y", "joints.hinge.rotation_rate.y"


def swing(amplitude: float) -> float:
    """Period [s] of a pendulum: 4 K(sin^2(amplitude/2)) over its small frequency."""
    return 4 * ellipk(np.sin(amplitude / 2) ** 2) / SMALL


@pytest.fixture(scope="module")
def swung() -> Any:
    return pendulum(angle=2.0).trim("period", period="2 s")


def test_the_period_of_a_pendulum(swung):
    assert swung.period == pytest.approx(swing(2.0), rel=CLOSE)
    assert swung["period"] == swung.period
    assert swung.standing.startswith("repeats after 2.66587 s")


@pytest.mark.long
def test_two_multipliers_of_what_is_conserved_are_one(swung):
    """A start further along, and one of other energy, which moves away evenly with the time: a defective
    pair, of which errors make their roots."""
    found = swung.linearize(period=swung.period)
    assert found.multipliers == pytest.approx([1.0, 1.0], abs=np.sqrt(10 * 100 * TOLERANCE))
    assert all(mode.stays for mode in found.modes)


@pytest.mark.long
def test_the_amplitude_that_has_a_period():
    """A time that is given, and the angle sought from which it takes that long."""
    found = pendulum(angle=1.6).trim(ANGLE, period=2.5)
    truth = brentq(lambda a: swing(a) - 2.5, 0.5, 3.0, xtol=1e-14)
    assert abs(found[ANGLE]) == pytest.approx(truth, rel=CLOSE)  # from either side
    assert found.scenario.bodies[1].initial.rotation[1] == found[ANGLE]


@pytest.mark.long
def test_a_stiffness_that_has_a_period():
    """k = J (2 pi/T)^2 without gravity: a number that acts all the way, found in few looks."""
    found = pendulum(pull=0.0, stiffness=8.0, angle=0.5).trim("forces.spring.stiffness[0]", period=2.0)
    assert found["forces.spring.stiffness[0]"] == pytest.approx(ABOUT * np.pi**2, rel=CLOSE)
    assert found.looks <= 8


@pytest.mark.long
def test_of_all_starts_along_a_motion_one_is_taken_and_told():
    """Angle and rate: the same swing from elsewhere along it would do as well."""
    found = pendulum(angle=1.5, rate=0.5).trim([ANGLE, RATES], period=2.5)
    energy = 0.5 * ABOUT * found[RATES] ** 2 + MASS * G * ARM * (1 - np.cos(found[ANGLE]))
    top = np.arccos(1 - energy / (MASS * G * ARM))
    assert swing(top) == pytest.approx(2.5, rel=CLOSE)
    undetermined = f"The conditions do not determine 1 of the unknowns {ANGLE}, {RATES}. Other trims exist."
    assert undetermined in found.notes


@pytest.mark.long
def test_forced_vibration():
    """J z'' + c z' + k z = -m l a w^2 sin wt; what bends of it is the square of the angle."""
    shake, stiffness, damping = 1e-5, 12.0, 0.8
    scenario = pendulum(pull=0.0, shake=shake, stiffness=stiffness, damping=damping)
    found = scenario.trim([ANGLE, RATES], period=2 * np.pi / RATE)
    drive = -MASS * ARM * shake * RATE**2
    response = drive / (stiffness - ABOUT * RATE**2 + 1j * damping * RATE)
    start = np.array([found[ANGLE], found[RATES]])
    truth = [response.imag, RATE * response.real]
    np.testing.assert_allclose(
        start, truth, rtol=0, atol=1e-6 * abs(response)
    )  # what 1e-12 is of 1e-5, and more


@pytest.mark.long
def test_a_pendulum_that_is_shaken_far():
    """Shooting by SciPy, from the equation of motion as it stands."""
    shake, damping = 0.6, 0.5
    found = pendulum(shake=shake, damping=damping).trim([ANGLE, RATES], period=2 * np.pi / RATE)

    def slope(t: float, y: np.ndarray) -> list[float]:
        pull = MASS * ARM * (G * np.sin(y[0]) + shake * RATE**2 * np.sin(RATE * t) * np.cos(y[0]))
        return [y[1], -(pull + damping * y[1]) / ABOUT]

    def off(y: np.ndarray) -> np.ndarray:
        ended = solve_ivp(slope, (0, 2 * np.pi / RATE), y, method="DOP853", rtol=1e-12, atol=1e-13)
        return ended.y[:, -1] - y

    start = np.array([found[ANGLE], found[RATES]])
    assert np.max(np.abs(start)) > 0.5
    truth: Any = fsolve(off, 1.1 * start, xtol=1e-12)
    np.testing.assert_allclose(start, truth, rtol=0, atol=CLOSE)


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no time": ({"period": 0.0}, "the period 0 s is not positive. Give a time above zero"),
    "metres": ({"period": "3 m"}, "Write 'turn'"),
    "a turn of nothing": ({"period": "turn"}, "Set 'shaft' to the joint"),
    "a shaft that stands": ({"period": "turn", "shaft": "hinge"}, "does not turn at the start"),
    "a shaft without a period": ({"shaft": "hinge"}, "with 'period' only"),
    "a shaft with a time": ({"period": 1.0, "shaft": "hinge"}, "has an effect with the period 'turn' only"),
    "beyond the flight": (
        {"period": "12 s"},
        r"^period: the period is longer than the flight: the time 12 s is after .* the flight, 9 s\. [^\n]*$",
    ),
    "in no time": ({"period": 1e-12}, "no state moves by more than its tolerance"),
    "the period without one": ({"find": "period"}, "needs a first guess"),
    "the period twice": ({"find": ["period", "period"], "period": 2.0}, "unknown period is listed twice"),
    "bounds": ({"find": "period=3 s:4 s", "period": "2 s"}, "outside the bounds 3 s and 4 s"),
    "an unknown state": ({"find": ANGLE, "period": 2.0, "free": "joints.hing"}, "did you mean"),
}


@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=[pytest.mark.long] if what == "in no time" else []) for what in WRONG]
)
def test_bad_input(what):
    how, text = WRONG[what]
    with pytest.raises(BadInput, match=text):
        pendulum(angle=1.0).trim(**how)


@pytest.mark.long
def test_what_cannot_be():
    """Rest, which no unknown leaves; and a push that has another period."""
    with pytest.raises(BadInput, match="the solution is at rest"):
        pendulum(angle=0.01, damping=3.0, stiffness=10.0).trim([ANGLE, RATES], period=2.0)
    # Shaken along its length it stays where it is, and is pushed otherwise a quarter of the time later.
    with pytest.raises(BadInput, match=r"the motion does not.*has another period"):
        pendulum(shake=0.1, angle=np.pi / 2, pull=0.0).trim(ANGLE, period=np.pi / 2 / RATE)


@pytest.mark.long
def test_there_is_none():
    """It is damped, and nothing drives it."""
    with pytest.raises(NoTrim, match="no trim was found"):
        pendulum(angle=1.0, damping=0.5).trim("period", period=2.0)


def test_laws_that_take_samples_are_refused():
    sampled = """
[controls.hold]
kind = "pid"
measured = "bodies.bob.angular_velocity.y"
target = 0
period = "40 ms"
kp = 0.8
"""
    with pytest.raises(BadInput, match=r"controls\.hold is sampled"):
        pendulum(angle=1.0, more=sampled).trim("period", period=2.0)


@pytest.mark.long
def test_events_within_a_period_are_refused():
    more = '[[phases]]\nname = "swing"\nuntil = { time = "1 s" }\n'
    more += '[[phases]]\nname = "on"\nuntil = { time = "9 s" }'
    scenario = pendulum(angle=1.0)
    text = scenario.to_toml()
    first = text.index("[[phases]]") if "[[phases]]" in text else text.index("[phases")
    rest = text.index("[solver]")
    with pytest.raises(BadInput, match="the event on occurs within the period"):
        loads(text[:first] + more + "\n" + text[rest:]).trim("period", period=2.0)


@pytest.mark.long
def test_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    path, out = tmp_path / "pendulum.toml", tmp_path / "out.toml"
    path.write_text(pendulum(angle=1.0).to_toml(), encoding="utf-8")
    told = ["--find", ANGLE, "--find", "period=1 s:3 s", "--period", "2.4 s", "-o", str(out)]
    words = ["interstage", "trim", str(path), *told, "--so-that", "bodies.bob.position.z = -0.2 m"]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert "mechanism repeats after" in said
    assert "joints.hinge.rotation.y after the period" in said
    (length,) = re.findall(
        r'interstage linearize on the trimmed scenario with --period "(.*) s"', " ".join(said.split())
    )
    again: Any = load(out).linearize(period=f"{length} s")
    assert abs(again.modes[0].multiplier) == pytest.approx(1, abs=1e-6)
    bob: Any = load(out).bodies[1].initial
    angle = bob.rotation[1]
    assert angle == pytest.approx(np.arccos(0.2 / ARM), rel=1e-9)


@pytest.mark.long
def test_a_driven_rotor_whose_blades_stand_repeats_with_each_turn():
    """They hang down by their weight as a trim of the start finds them."""
    weight = 'gravity = { kind = "uniform", acceleration = [0, 0, -9.81] }'
    text = rotor(1, tail=weight).to_toml()
    long = loads(text.replace("time = 1.0", "time = 3.0"))
    flap = "joints.flap_1.rotation.y"
    found, steady = long.trim(flap, period="turn", shaft="shaft"), long.trim(flap)
    assert found.standing == f"repeats after {2 * np.pi / SPEED:.6g} s"
    assert steady.standing == "moves because joint shaft is driven"
    # To what flights are off by, and loosely: see `periodic.LOOSE`.
    np.testing.assert_allclose(found.values, steady.values, rtol=0, atol=1e-6)
    assert steady.values[0] > 0.01
    with pytest.raises(BadInput, match="the condition steady requires a steady motion"):
        long.trim(flap, "steady", period="turn", shaft="shaft")


SPIN, BLADE = 30.0, {"mass": 4.0, "centre": 1.2, "inertia": (0.02, 0.9, 0.91)}
FLAPPING = f"""
joints.shaft = {{ kind = "revolute", axis = "z", parent = "ground", child = "hub" }}
joints.flap = {{ kind = "revolute", axis = "y", parent = "hub", child = "blade" }}
[bodies.hub]
mass = 5
inertia = [1e9, 1e9, 1e9]
initial = {{ through = "shaft", relative_angular_velocity = [0, 0, {SPIN}] }}
[bodies.blade]
mass = {BLADE["mass"]}
mass_centre = [{BLADE["centre"]}, 0, 0]
inertia = [0.02, 0.9, 0.91]
initial = {{ through = "flap" }}
[forces.flexure]
kind = "torsion_spring"
parent = "hub"
child = "blade"
sequence = "2"
stiffness = [900]
damping = [12]
[forces.side]
kind = "force"
body = "blade"
at = [0, 0, 0.2]
force = [0.05, 0, 0]
axes = "inertial"
[phases.turn]
until = {{ time = "0.3 s" }}
[solver]
tolerance = {TOLERANCE}
"""


@pytest.mark.long
def test_a_blade_flaps_once_in_a_turn():
    """J b'' + c b' + (k + (Jz - Jx) w^2) b = d F cos wt, of a side force that stands still, at an arm d
    across the blade; the hub is so heavy that it turns evenly."""
    unknowns = ["joints.flap.rotation.y", "joints.flap.rotation_rate.y"]
    found = loads(FLAPPING).trim(unknowns, period="turn", shaft="shaft")
    assert found.period == pytest.approx(2 * np.pi / SPIN, rel=1e-9)
    more = BLADE["mass"] * BLADE["centre"] ** 2
    about, along = BLADE["inertia"][1] + more, BLADE["inertia"][2] + more - BLADE["inertia"][0]
    moment = 0.2 * 0.05
    response = moment / (900 + (along - about) * SPIN**2 + 12j * SPIN)
    values = [found["joints.flap.rotation.y"], found["joints.flap.rotation_rate.y"]]
    truth = [response.real, (1j * SPIN * response).real]
    # 1e-5 rad: the force's arms and the centrifugal moment bend by as much of them.
    np.testing.assert_allclose(values, truth, rtol=1e-4)
    # Turned on as it stands it would not go on so: the turn is flown, as a time is. The blade flaps freely by
    # the same equation without the force, and its multipliers are those of the constant rates.
    over = found.scenario.linearize(period="turn", shaft="shaft")
    timed = found.scenario.linearize(period=found.period)
    np.testing.assert_allclose(over.monodromy, timed.monodromy, atol=1e-12)
    assert any("one revolution was simulated" in note for note in over.notes)
    rate = np.roots([about, 12, 900 + along * SPIN**2])[0]
    free = np.exp(rate * found.period)
    assert np.min(np.abs(over.multipliers - free)) < 1e-4 * abs(free)


class VanDerPol:
    """A torque about y with which th'' = MU (1 - th^2) th' - th for an inertia of one."""

    def __call__(self, t: Any, bodies: Any) -> Any:
        import jax.numpy as jnp

        turn = bodies.rotation["bob"]
        angle, rate = jnp.arctan2(turn[0, 2], turn[0, 0]), bodies.angular_velocity["bob"][1]
        torque = MU * (1 - angle**2) * rate - angle
        return {"bob": (jnp.zeros(3), jnp.stack([0 * torque, torque, 0 * torque]))}


MU = 0.8


@pytest.mark.long
def test_a_limit_cycle_and_its_period():
    """Van der Pol's, from where it turns back, beside SciPy's shooting; its multipliers are 1, for a start
    further along, and by Liouville exp(MU integral of (1 - th^2))."""
    text = f"""
joints.hinge = {{ kind = "revolute", axis = "y", parent = "ground", child = "bob" }}
[bodies.bob]
mass = 1
inertia = [1, 1, 1]
initial = {{ through = "hinge", rotation = [0, 1.5, 0] }}
[forces.law]
kind = "user"
class = "test_periodic_points:VanDerPol"
[phases.swing]
until = {{ time = "14 s" }}
[solver]
tolerance = {TOLERANCE}
"""
    found: Any = loads(text).trim([ANGLE, "period"], period="6 s")

    def slope(t: float, y: np.ndarray) -> list[float]:
        return [y[1], MU * (1 - y[0] ** 2) * y[1] - y[0], 1 - y[0] ** 2]

    def flown(y: np.ndarray) -> np.ndarray:
        ended = solve_ivp(slope, (0, y[1]), [y[0], 0, 0], method="DOP853", rtol=1e-12, atol=1e-13)
        return ended.y[:, -1]

    truth: Any = fsolve(lambda y: flown(y)[:2] - [y[0], 0], [2.0, 6.4], xtol=1e-12)
    np.testing.assert_allclose([found[ANGLE], found.period], truth, rtol=0, atol=CLOSE)
    periodic: Any = found.linearize(period=found.period)
    multipliers = np.sort(periodic.multipliers.real)
    np.testing.assert_allclose(multipliers, [np.exp(MU * flown(truth)[2]), 1.0], rtol=0, atol=1e-6)


PULL, NEAREST = 3.986004418e14, 7e6
ORBIT = f"""
gravity = {{ kind = "inverse_square", mu = {PULL} }}
[bodies.probe]
mass = 1
inertia = [1, 2, 3]
initial = {{ position = [{NEAREST}, 0, 0], velocity = [0, 8600, 0] }}
[phases.fly]
until = {{ time = "20000 s" }}
[solver]
tolerance = 1e-11
time_limit = 20000
"""


@pytest.mark.long
def test_an_orbit_that_has_a_period():
    """v^2 = mu (2/r - 1/a), a^3 = mu (T/2 pi)^2: velocity is in the state of the local origin, which the body
    begins at."""
    speed = "bodies.probe.initial.velocity[1]"
    found = loads(ORBIT).trim(speed, period=10_000.0)
    axis = np.cbrt(PULL * (10_000.0 / 2 / np.pi) ** 2)
    assert found[speed] == pytest.approx(np.sqrt(PULL * (2 / NEAREST - 1 / axis)), rel=1e-8)


BAR, HEAVY, LIGHT, OWN, SHAPE, RATIO = 11.0, 10.0, 4.0, 20.0, 1.5, 0.05
SHAKEN = f"""
[bodies.hull]
mass = {HEAVY}
inertia = [1, 2, 3]
initial = {{ through = "shaker" }}
[forces.bends]
kind = "modal_body"
body = "hull"
frequency = [{OWN}]
mass = {LIGHT}
damping = {RATIO}
coordinate = [0.0]
rate = [0.0]
[forces.bends.points]
middle = {{ at = [0, 0, 0], shape = [[0, 0, {SHAPE}]], turn = [[0, 0, 0]] }}
[joints.shaker]
kind = "generalized"
locked = ["tx", "ty", "tz", "rx", "ry", "rz"]
parent = "ground"
child = "hull"
driven = {{ tz = {{ kind = "harmonic", amplitude = 0.02, frequency = {BAR} }} }}
[phases.fly]
until = {{ time = "2 s" }}
[solver]
tolerance = {TOLERANCE}
"""


@pytest.mark.long
def test_a_body_that_bends_is_shaken_at_its_point():
    """The point goes as h = z + phi q, the mass centre z by the joint's force F, the mode by phi F: (m1 + m
    phi^2) q'' + 2 zeta w m1 q' + m1 w^2 q = m phi h''; its multipliers are those of what is left at h = 0."""
    find = ["forces.bends.coordinate[0]", "forces.bends.rate[0]"]
    found = loads(SHAKEN).trim(find, period=2 * np.pi / BAR)
    both = LIGHT + HEAVY * SHAPE**2
    size = LIGHT * OWN**2 - both * BAR**2 + 2j * RATIO * OWN * LIGHT * BAR
    response = -HEAVY * SHAPE * 0.02 * BAR**2 / size
    truth = [response.imag, (1j * BAR * response).imag]
    np.testing.assert_allclose([found[one] for one in find], truth, rtol=0, atol=CLOSE)
    assert not any("does not include the model" in note for note in found.notes)  # modes repeat with the rest
    periodic: Any = found.linearize(period=found.period)
    roots = np.roots([both, 2 * RATIO * OWN * LIGHT, LIGHT * OWN**2])
    truth = np.exp(roots * found.period)
    np.testing.assert_allclose(
        sorted(periodic.multipliers, key=np.imag), sorted(truth, key=np.imag), atol=CLOSE
    )


CART = {"mass": 5.0, "thrust": 100.0, "kp": 0.2, "ki": 0.3, "k": 40.0, "lag": 0.3, "shake": 0.1, "w": 3.0}
STEERED = """
[bodies.cart]
mass = {mass}
inertia = [1, 1, 1]
initial = {{ through = "rail", displacement = [0.3, 0, 0], relative_velocity = [0.1, 0, 0] }}
[joints.rail]
kind = "translational"
axis = "x"
parent = "ground"
child = "cart"
parent_at = [1, 0, 0]
[forces.spring]
kind = "spring"
parent = "pivot"
child = "cart"
stiffness = {k}
free_length = 1.0
[engines.main]
kind = "engine"
body = "cart"
at = [0, 0, 0]
thrust = {thrust}
massless = true
ignited = true
throttle = "actuators.valve"
[controls.hold]
kind = "pid"
measured = "bodies.cart.velocity.x"
target = 0
kp = {kp}
ki = {ki}
bias = 0.5
[actuators.valve]
command = "controls.hold"
model = {{ kind = "first_order", time_constant = {lag} }}
[phases.fly]
until = {{ time = "3 s" }}
[solver]
tolerance = 1e-11
"""


@pytest.mark.long
def test_what_parts_begin_with_repeats_too():
    """A valve begins where the law wants it, by the velocity that is found; the integral begins at zero. A
    shift of the shaking makes that a place on the cycle. Shooting by SciPy from the equations of motion."""
    find = ["joints.rail.displacement.x", "joints.rail.displacement_rate.x", "joints.shaker.driven.tx.phase"]
    turn = 2 * np.pi / CART["w"]
    shaker = shaken_pivot("x", CART["shake"], CART["w"], ", phase = 1.5")
    found = loads(shaker + STEERED.format(**CART)).trim(find, period=turn)
    x, v, phase = (found[one] for one in find)
    one = CART

    def slope(t: float, y: np.ndarray) -> list[float]:
        x, v, total, valve = y
        spring = one["k"] * (x - one["shake"] * np.sin(one["w"] * t + phase))
        wanted = 0.5 - one["kp"] * v + one["ki"] * total
        return [v, (one["thrust"] * valve - spring) / one["mass"], -v, (wanted - valve) / one["lag"]]

    begun = [x, v, 0.0, 0.5 - one["kp"] * v]
    ended = solve_ivp(slope, (0, turn), begun, method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    np.testing.assert_allclose(ended, begun, rtol=0, atol=10 * 100 * 1e-11)  # ten times what trim asks for
