"""Operating points, against closed forms: at rest, in steady motion, in loops; and what is said where there
is none, or more than one."""

from __future__ import annotations

import re
import sys
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.optimize import brentq

import interstage as ist
from burning import throttled
from interstage.cli.main import main
from interstage.parts.beams import rest
from interstage.parts.beams import start as beam_start
from interstage.parts.beams.rest import at_rest
from interstage.reading import load, loads
from interstage.studies.linearize import linearize
from interstage.studies.trim import NoTrim, trim
from interstage.studies.trim.asked import read
from interstage.studies.trim.placed import with_trim
from interstage.studies.trim.run import turns
from interstage.studies.trim.search import Ended
from interstage.studies.trim.start import Sight, Start
from interstage.tree.addresses import set as put
from interstage.tree.declaration import with_values
from interstage.tree.errors import BadInput
from linkages import KINDS, drawn_linkage
from mechanics import EPS

ROUNDED = 1e4 * EPS
"""Of numbers of order one to a hundred, once Newton's method has ended."""
G = 9.81
MASS, ARM, PUSH = 2.0, 0.5, 3.0
HEAVY = f'gravity = {{ kind = "uniform", acceleration = [0, 0, -{G}] }}\n'
END = '\n[phases.fly]\nuntil = { time = "1 s" }\n'


def pushed(name: str, body: str, force: Any, at: Any = (0, 0, 0), axes: str = "body") -> str:
    """The text of a force on a body."""
    what = f'kind = "force"\nbody = "{body}"\nat = {[*at]}\naxes = "{axes}"\nforce = {[*force]}'
    return f"\n[forces.{name}]\n{what}\n"


HINGED = f"""
{HEAVY}
joints.hinge = {{ kind = "revolute", axis = "y", parent = "ground", child = "bob" }}
[bodies.bob]
mass = {MASS}
mass_centre = [0, 0, -{ARM}]
inertia = [0.3, 0.5, 0.2]
initial = {{ through = "hinge", rotation = [0, 0.4, 0] }}
{pushed("push", "bob", (PUSH, 0, 0), (0, 0, -ARM), "inertial")}
"""


def made(text: str) -> Any:
    """The scenario of a text, flown for a second."""
    return loads(text + END)


@pytest.fixture(scope="module")
def hinged() -> Any:
    return made(HINGED)


ANGLE = "joints.hinge.rotation.y"


def test_a_pendulum_that_is_pushed_rests_where_it_hangs(hinged, tmp_path):
    """The angle; the file of it, which is trimmed by itself; and its flight, which stays there."""
    trimmed = hinged.trim(ANGLE)
    truth = -np.arctan2(PUSH, MASS * G)
    assert trimmed[ANGLE] == pytest.approx(truth, rel=ROUNDED)
    assert trimmed.standing == "rests"
    assert not trimmed.notes
    (held,) = trimmed.held
    assert (held.name, held.unit) == ("rate of joints.hinge.rotation_rate.y", "rad/s^2")
    assert abs(held.now) < ROUNDED < abs(held.before)
    (tmp_path / "trimmed.toml").write_text(trimmed.scenario.to_toml())
    again = load(tmp_path / "trimmed.toml")
    assert again.trim().standing == "rests"
    flight = again.run()
    turned = flight.value("joints.hinge.rotation.y", "end")
    assert abs(turned) < 1e-9  # the flight's tolerance


def test_linear_equations_at_the_trim(hinged):
    """In one command, and over the levels of an input, each trimmed."""
    linear = hinged.linearize("trim", find=ANGLE)
    stiff, inertia = np.hypot(MASS * G, PUSH) * ARM, 0.5 + MASS * ARM**2
    assert linear.moment == "at trim"
    assert linear.standing == "rests"
    assert linear.A[1, 0] == pytest.approx(-stiff / inertia, rel=ROUNDED)
    assert linear.trimmed is not None
    assert linear.trimmed[ANGLE] == linear.x0[0]
    loci = hinged.linearize("trim", find=ANGLE, vary="forces.push.force.x=0, 10")
    found = [one.x0[0] for one in loci]
    assert found == pytest.approx([0.0, -np.arctan2(10, MASS * G)], abs=ROUNDED)


def test_what_joint_coordinates_count_from_is_said(hinged):
    """A state counts from the joint's frames, and the quantity of its name from the start."""
    trimmed = hinged.trim(ANGLE)
    linear = trimmed.linearize(outputs=[ANGLE])
    (start,) = (x for x, state in zip(linear.x0, linear.states, strict=True) if state.name == ANGLE)
    assert start == pytest.approx(trimmed[ANGLE], rel=ROUNDED)
    assert linear.y0 == pytest.approx([0.0], abs=ROUNDED)
    assert [
        note
        for note in linear.notes
        if note.startswith(f"The output {ANGLE} is relative to the initial pose")
    ]
    level = put(hinged, "bodies.bob.initial.rotation", [0, 0, 0])
    assert not level.linearize(outputs=[ANGLE]).notes


@pytest.mark.long
def test_bounds_in_python(hinged):
    """As texts, and in a mapping: pairs of numbers or texts, of which either may be none, texts, and none."""
    truth = -np.arctan2(PUSH, MASS * G)
    for bounds in (None, ("-30 deg", None), (-1.0, np.float64(1.0)), "-30 deg:0 deg"):
        assert hinged.trim({ANGLE: bounds})[ANGLE] == pytest.approx(truth, rel=ROUNDED)
    with pytest.raises(NoTrim, match="at its low bound"):
        hinged.trim({ANGLE: (0, "1 rad")})


def test_linear_equations_about_points_that_accelerate(hinged):
    """A root locus says which of its points do."""
    series = hinged.linearize(vary="joints.hinge.parent_at[0]=0, 1")
    (table,) = series.tables()
    assert table.note.startswith("The motion accelerates at all operating points,")
    at_rest = hinged.trim(ANGLE).scenario.linearize(vary="forces.push.force.x=3, 10")
    (table,) = at_rest.tables()
    assert table.note.startswith("The motion accelerates at 10")


def test_the_command(tmp_path, monkeypatch, capsys):
    """Tables in a hundred columns, the file, and linear equations about it in one go."""
    (tmp_path / "bob.toml").write_text(HINGED + END)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["interstage", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        told = capsys.readouterr()
        assert ended.value.code == (0 if told.out else 2)
        assert max(map(len, told.out.splitlines()), default=0) <= 100
        return told.out or told.err

    told = run("trim", "bob.toml", "--find", ANGLE, "-o", "hung.toml")
    assert "mechanism rests" in told
    assert "-8.693489" in told
    assert "Wrote hung.toml." in told
    assert "mechanism rests" in run("trim", "hung.toml")
    assert "the start is not trimmed" in run("trim", "bob.toml")
    told = run("linearize", "bob.toml", "--at", "trim", "--find", ANGLE)
    assert "States at trim (0 s); the mechanism rests" in told
    assert "Unknowns" in told


def test_numbers_of_the_scenario_and_quantities():
    """Thrust and pressure point of a hovering body, with a load that is asked for."""
    text = f"""
{HEAVY}
[bodies.rocket]
mass = 1000
inertia = [900, 900, 200]
initial = {{ position = [0, 0, 100], attitude = {{ euler = "2", angles = "[0] deg" }} }}
"""
    text = text.replace('attitude = { euler = "2", angles = "[0] deg" }', "velocity = [0, 0, 0]")
    text += pushed("thrust", "rocket", (0, 0, 8000), (0.1, 0, -3))
    text += pushed("aside", "rocket", (0, 0, 500), (2, 0, -3))
    scenario = made(text)
    trimmed = scenario.trim(["forces.thrust.force.z", "forces.thrust.at.x"])
    thrust = 1000 * G - 500
    assert trimmed["forces.thrust.force.z"] == pytest.approx(thrust, rel=ROUNDED)
    assert trimmed["forces.thrust.at.x"] == pytest.approx(-2 * 500 / thrust, rel=ROUNDED)
    found = scenario.trim(
        ["forces.thrust.force.z=0 N:20 kN", "forces.thrust.at.x"],
        ["bodies.rocket.load_factor = 1.5", "rate of bodies.rocket.angular_velocity.y = -2 deg/s^2"],
    )
    thrust = 1.5 * 9.80665 * 1000 - 500
    assert found["forces.thrust.force.z"] == pytest.approx(thrust, rel=ROUNDED)
    arm = (np.radians(2) * 900 - 2 * 500) / thrust
    assert found["forces.thrust.at.x"] == pytest.approx(arm, rel=ROUNDED)
    assert found.standing.startswith("accelerates: bodies.rocket.velocity.z by ")
    assert found.standing.endswith(", bodies.rocket.angular_velocity.y by -2 deg/s^2")
    assert found.notes == (f"The start {found.standing}.",)
    assert [table.title for table in found.tables()] == [
        "Unknowns",
        "Conditions of the trim; the mechanism accelerates",
    ]
    linear = found.linearize()
    assert linear.standing.partition(" by ")[0] == found.standing.partition(" by ")[0]
    assert linear.tables()[0].title == "States at the start (0 s); the mechanism accelerates"
    level = scenario.trim("forces.thrust.at.x", free=["bodies.rocket.velocity"])
    assert level["forces.thrust.at.x"] == pytest.approx(-2 * 500 / 8000, rel=ROUNDED)


GOVERNOR = f"""
{HEAVY}
joints.shaft = {{ kind = "revolute", axis = "z", parent = "ground", child = "head" }}
joints.arm = {{ kind = "revolute", axis = "y", parent = "head", child = "ball" }}
[bodies.head]
mass = 1
inertia = [0.1, 0.1, 0.2]
initial = {{ angular_velocity = [0, 0, SPIN] }}
[bodies.ball]
mass = {MASS}
mass_centre = [0, 0, -{ARM}]
inertia = [0.03, 0.04, 0.02]
PLACED
"""


@pytest.mark.parametrize(
    "placed",
    [
        pytest.param('initial = { through = "arm", rotation = [0, -1, 0] }', marks=pytest.mark.long),
        f"initial = {{ position = [{ARM * np.sin(1)}, 0, {-ARM * np.cos(1)}], "
        f'velocity = [0, {6 * ARM * np.sin(1)}, 0], attitude = {{ euler = "2-3-1", angles = [-1, 0, 0] }}, '
        "angular_velocity = [0, 0, SPIN], "
        'angular_velocity_axes = "inertial" }',
    ],
    ids=["through the joint", "in space"],
)
def test_a_governor_that_spins(placed):
    """The angle of its arm, however its ball is placed; and its speed for an angle."""
    spin, balance = 6.0, MASS * ARM**2 + 0.03 - 0.02
    scenario = made(GOVERNOR.replace("PLACED", placed).replace("SPIN", str(spin)))
    trimmed = scenario.trim("joints.arm.rotation.y")
    angle = np.arccos(MASS * G * ARM / (balance * spin**2))
    assert trimmed["joints.arm.rotation.y"] == pytest.approx(-angle, rel=ROUNDED)
    assert trimmed.standing == "moves steadily"
    assert trimmed.scenario.trim().standing == "moves steadily"
    found = scenario.trim("joints.shaft.rotation_rate.z=1 rad/s:90 rad/s")
    speed = np.sqrt(MASS * G * ARM / (balance * np.cos(1)))
    assert found["joints.shaft.rotation_rate.z"] == pytest.approx(speed, rel=ROUNDED)
    assert found.standing == "moves steadily"


def test_beyond_a_quarter_of_a_turn():
    """Angles are written as they are, where others say the same."""
    trimmed = made(HINGED.replace("[0, 0.4, 0]", "[0, 2.5, 0]")).trim(ANGLE)
    assert trimmed[ANGLE] == pytest.approx(np.pi - np.arctan2(PUSH, MASS * G), rel=ROUNDED)
    (bob,) = trimmed.scenario.bodies
    assert bob.initial.rotation == pytest.approx([0, trimmed[ANGLE], 0], rel=ROUNDED)


FOUR_BAR = f"""
{HEAVY}
joints.left = {{ kind = "revolute", axis = "y", parent = "ground", child = "crank" }}
joints.top = {{ kind = "revolute", axis = "y", parent = "crank", child = "coupler", parent_at = [0, 0, -1] }}
[bodies.crank]
mass = 3
mass_centre = [0, 0, -0.5]
inertia = [0.2, 0.2, 0.1]
initial = {{ through = "left", rotation = [0, 0.3, 0] }}
[bodies.coupler]
mass = 2
mass_centre = [1, 0, 0]
inertia = [0.2, 0.3, 0.3]
initial = {{ through = "top", rotation = [0, -0.3, 0] }}
[bodies.rocker]
mass = 3
mass_centre = [0, 0, -0.5]
inertia = [0.2, 0.2, 0.1]
initial = {{ through = "right", rotation = [0, 0.3, 0] }}
[joints.right]
kind = "revolute"
axis = "y"
parent = "ground"
child = "rocker"
parent_at = [2, 0, 0]
[joints.end]
kind = "revolute"
axis = "y"
parent = "rocker"
child = "coupler"
parent_at = [0, 0, -1]
child_at = [2, 0, 0]
"""
FOUR_BAR += pushed("push", "coupler", (10, 0, 0), (1, 0, 0), "inertial")


@pytest.mark.long
def test_a_closed_loop():
    """A parallelogram that is pushed: as a pendulum of all its masses. Its joints hold a motion twice."""
    scenario = made(FOUR_BAR)
    name = next(n for n in scenario.linearize().names if n.startswith("joints.left"))
    trimmed = scenario.trim(name)
    weight = G * (3 * 0.5 + 3 * 0.5 + 2)
    assert trimmed[name] == pytest.approx(-np.arctan2(10, weight), rel=ROUNDED)
    assert trimmed.standing == "rests"
    assert trimmed.scenario.trim().standing == "rests"
    three = ["joints.left.rotation.y", "joints.right.rotation.y", "joints.top.rotation.y"]
    found = scenario.trim(three)
    truth = -np.arctan2(10, weight) * np.array([1, 1, -1])
    np.testing.assert_allclose([found[one] for one in three], truth, rtol=ROUNDED)
    assert max(abs(held.now) for held in found.held) < ROUNDED
    assert found.notes == (
        "In closed loops of joints, joints.right.rotation.y, joints.top.rotation.y follow from"
        " other coordinates.",
    )
    with pytest.raises(BadInput, match=r"joints\.right\.rotation\.y: .* is a dependent coordinate"):
        scenario.trim([f"{one}=-20 deg:20 deg" for one in three[:2]])


ROPES = f"""
{HEAVY}
[bodies.bar]
mass = 20
inertia = [0.5, 8, 8]
initial = {{ position = [0, 0, -2], attitude = {{ euler = "2-3-1", angles = [0, 0, 0] }} }}
[joints.left]
kind = "rod"
parent = "ground"
child = "bar"
parent_at = [-1, 0, 0]
child_at = [-1, 0, 0]
length = 2
[joints.right]
kind = "rod"
parent = "ground"
child = "bar"
parent_at = [1.5, 0, 0]
child_at = [1, 0, 0]
length = {np.hypot(0.5, 2)}
"""
ROPES += pushed("wind", "bar", (60, 0, 0), axes="inertial")
PLACED = [f"bodies.bar.initial.{one}" for one in ("position.x", "position.z", "attitude.angles[0]")]


def test_joints_stay_closed_where_bodies_are_placed():
    """A bar on two ropes in the wind: ropes of their lengths, whose pulls bear all loads; it then starts."""
    scenario = made(ROPES)
    found = scenario.trim(PLACED)
    assert found.standing == "rests"
    assert not found.notes
    gaps = [held for held in found.held if held.name.startswith("gap of ")]
    assert [held.name for held in gaps] == ["gap of joints.left", "gap of joints.right"]
    x, z, angle = (found[one] for one in PLACED)
    ends = np.array([[-1, 1], [0, 0]])
    arms = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]) @ ends
    along = np.array([[-1, 1.5], [0, 0]]) - arms - np.array([[x], [z]])
    lengths = np.linalg.norm(along, axis=0)
    np.testing.assert_allclose(lengths, [2, np.hypot(0.5, 2)], rtol=ROUNDED)
    pulls = along / lengths
    balance = np.vstack([pulls, arms[1] * pulls[0] - arms[0] * pulls[1]])
    loads = np.array([60, -20 * G, 0])
    held = balance @ np.linalg.lstsq(balance, -loads)[0]
    np.testing.assert_allclose(held, -loads, rtol=0, atol=200 * ROUNDED)
    with pytest.raises(NoTrim, match="gap of joints"):
        scenario.trim(PLACED[:2])


@pytest.mark.long
def test_joints_that_are_open_as_declared_are_closed_by_what_is_found():
    """From 12 mm off the ropes' line, and 0.3 m; and refused where nothing is found that could."""
    closed = made(ROPES).trim(PLACED)
    for off in (0.012, 0.3):
        begun = made(ROPES.replace("[0, 0, -2]", f"[0, 0, {-2 - off}]"))
        found = begun.trim(PLACED)
        np.testing.assert_allclose(
            [found[one] for one in PLACED], [closed[one] for one in PLACED], atol=ROUNDED
        )
        (left,) = (held for held in found.held if held.name == "gap of joints.left")
        # A rod's gap is (d.d - l^2)/(2 l).
        assert left.before == pytest.approx(((2 + off) ** 2 - 4) / 4, rel=ROUNDED)
        assert left.now <= 1e-6
    with pytest.raises(
        BadInput,
        match=r"joints\.left: the initial positions violate the joint by 0\.\d+ m; allowed: 1e-06 m\. Change"
        " 'child_at' or the initial position of a body, or set assemble = true to move the bodies"
        " automatically, or find numbers of initial or a length that close the joint",
    ):
        begun.trim()
    with pytest.raises(BadInput, match="initial positions violate the joint"):
        begun.linearize()


MU, RADIUS = 3.986004418e14, 7e6
ORBIT = f"""
gravity = {{ kind = "inverse_square", mu = {MU} }}
[bodies.sat]
mass = 10
inertia = [1, 1, 1]
initial = {{ position = [{RADIUS}, 0, 0], velocity = [0, 7000, 0], angular_velocity = [0, 0, RATE] }}
"""


def test_joints_without_coordinates():
    """Ropes carry nothing: numbers of the start are named in place of their coordinates, which may be found;
    so may what is named in a table."""
    hung = made(ROPES)
    for asked in ("joints.left.rotation.y", "joints.left", "bodies.bar.initial"):
        with pytest.raises(BadInput, match=asked) as caught:
            hung.trim(asked)
        (problem,) = caught.value.problems
        named = re.findall(r"bodies\.bar\.initial\.\S+\]", problem.message)
        assert "bodies.bar.initial.position[0]" in named
        assert "bodies.bar.initial.attitude.angles[0]" in named
        read(Start(hung), named, "steady", ())


@pytest.mark.long
def test_which_angle_of_an_attitude():
    """Angles go by the order of their sequence, and not by axes: that is said where a letter misleads."""
    bar = "bodies.bar.initial."
    named = [bar + one for one in ("position.x", "position.z", "attitude.angles.x")]
    (note,) = made(ROPES).trim(named).notes
    assert note == f"{named[2]} is the first angle of 2-3-1, about y."
    for text, other in ((ROPES, PLACED[2]), (ROPES.replace("2-3-1", "3-2-1"), bar + "attitude.angles.y")):
        start = Start(made(text))
        assert turns(start.mission, read(start, other, "steady", ()).unknowns) == {}
    third, straight = bar + "attitude.angles.z", "rate of bodies.bar.velocity.x = 0 m/s^2"
    with pytest.raises(BadInput, match=r"start value. .* is the third angle of 2-3-1, about x$"):
        made(ROPES).trim(third, straight)
    with pytest.raises(NoTrim, match=rf"\. {re.escape(named[2])} is the first angle of 2-3-1, about y$"):
        made(ROPES).trim(f"{named[2]}=-1 deg:1 deg", "rate of bodies.bar.angular_velocity.y = 9 rad/s^2")


def test_steady_motion_and_drift():
    """A circular orbit is steady in axes that turn with it, and drifts in others: the second rate of the
    radial velocity changes with the gravity that turns."""
    rate = np.sqrt(MU / RADIUS**3)
    steady = made(ORBIT.replace("RATE", str(rate))).trim("bodies.sat.initial.velocity.y")
    assert steady["bodies.sat.initial.velocity.y"] == pytest.approx(rate * RADIUS, rel=1e-9)
    assert (steady.standing, steady.notes, steady.drifts) == ("moves steadily", (), {})
    other = made(ORBIT.replace("RATE", str(2 * rate))).trim("bodies.sat.initial.velocity.y")
    speed = MU / RADIUS**2 / (2 * rate)
    assert other["bodies.sat.initial.velocity.y"] == pytest.approx(speed, rel=1e-9)
    assert other.standing == "moves, and drifts"
    # The pull turns by v/r against axes that turn by 2 n, and what turns them by 2 n u does not.
    pull = MU / RADIUS**2
    change = -pull * (speed / RADIUS - 2 * rate)
    assert other.drifts == {"rate of bodies.sat.velocity.y": pytest.approx(change, rel=1e-6)}
    (note,) = other.notes
    assert note.startswith(
        "The trim is valid only at the start. After the start, rate of bodies.sat.velocity.y"
    )


def test_what_is_left_of_a_stiff_rest_is_no_drift():
    """It rests at an angle of 12 digits, whose acceleration of 1e-12 a damper at 1e8 per s would make a drift
    of; one on a spring that moves in earnest drifts by its stiffness times its rate."""
    stiff, damped, inertia = 1e9, 1e8, 0.5 + MASS * (ARM**2 + 0.3**2)
    spring = 'kind = "torsion_spring"\nparent = "ground"\nchild = "bob"\nsequence = "2"'
    spring = f"\n[forces.spring]\n{spring}\nstiffness = [{stiff}]\ndamping = [DAMPED]\n"
    text = HINGED.replace(f"mass_centre = [0, 0, -{ARM}]", f"mass_centre = [0.3, 0, -{ARM}]") + spring
    still = text.replace("DAMPED", f"{damped}")
    angle = f"{made(still).trim('joints.hinge.rotation.y')['joints.hinge.rotation.y']:.12g}"
    again = made(still.replace("0.4", angle)).trim()
    assert abs(again.held[0].now) * damped / inertia > 1e-6  # what would count as a drift
    # A little more accelerates by more than what is met of numbers of order one, and rests as well.
    rough = made(still.replace("0.4", f"{float(angle) + 1e-17!r}")).trim()
    assert abs(rough.held[0].now) > 1e-9
    assert rough.standing == "rests"
    assert (again.standing, again.drifts, again.notes) == ("rests", {}, ())
    rate = 1e-3
    moving = text.replace("DAMPED", "0").replace(
        "0.4, 0]", f"{angle}, 0], relative_angular_velocity = [0, {rate}, 0]"
    )
    by_rate = made(moving).trim().drifts["rate of joints.hinge.rotation_rate.y"]
    # Beside the spring the weight and the push do 1e-8.
    assert by_rate == pytest.approx(-stiff / inertia * rate, rel=1e-7)


def test_what_is_left_of_what_is_stiff_is_rounding():
    """A body on a mount so stiff that the rounding of its place accelerates it by more than what counts as
    still: it rests where it was found, begun anew, in a rate that is not asked for, and in its linear
    equations; and moved by a thousand such roundings it does not."""
    stiff, arm = 1e13, (0.3, 0.1, 0.0)
    text = f"""
{HEAVY}
[bodies.tank]
mass = {MASS}
mass_centre = {[*arm]}
inertia = [0.3, 0.5, 0.4]
initial = {{ position = [0.29, 0.09, 0.01], attitude = {{ euler = "1-2-3", angles = [0, 0, 0] }} }}
[forces.mount]
kind = "bushing"
parent = "ground"
child = "tank"
stiffness = {[stiff] * 3}
torsional_stiffness = {[stiff / 10] * 3}
{pushed("push", "tank", (3000, 500, 7000), arm)}
"""
    start = "bodies.tank.initial."
    named = [f"{start}{what}[{k}]" for what in ("position", "attitude.angles") for k in range(3)]
    found = made(text).trim(named)
    assert found.standing == "rests"
    again = found.scenario.trim()
    left = max(abs(one.now) for one in again.held)
    assert left > 1e-6  # what would count as an acceleration
    assert again.standing == "rests"
    assert found.scenario.trim(so_that="rate of bodies.tank.velocity.z = 0 m/s^2").standing == "rests"
    assert found.scenario.linearize().standing == "rests"
    moved = put(found.scenario, f"{start}position[0]", found[named[0]] + 1e3 * EPS)
    with pytest.raises(NoTrim, match="the start is not trimmed"):
        moved.trim()
    assert moved.linearize().standing.startswith("accelerates")


@pytest.mark.parametrize(
    ("lag", "behind"),
    [("first_order", "time_constant = 0.5"), ("second_order", "frequency = 3, damping = 1")],
)
def test_a_lag_that_is_not_where_it_goes(lag, behind):
    """Nothing accelerates yet, and will: by the rate of the lag, or, of one of second order, later still."""
    text = throttled(500.0, 2000.0, "velocity.x").replace('"controls.throttle"', '"actuators.valve"')
    valve = f"""
bias = BIAS
[actuators.valve]
command = "controls.throttle"
initial = 0
model = {{ kind = "{lag}", {behind} }}
"""
    still = made(text + valve.replace("BIAS", "0")).trim()
    assert (still.standing, still.notes) == ("rests", ())
    found = made(text + valve.replace("BIAS", "0.1")).trim()
    assert found.standing == "rests, and drifts"
    (note,) = found.notes
    said = {"first_order": "velocity.x changes by 0.8 m/s^3", "second_order": "valve.1 changes by 0.9 per s"}
    assert said[lag] in note


def test_a_tolerance_is_that_of_the_scenario():
    """And not of the one before it, which has the same structure: how far ropes may be open."""
    for allowed in (1e-3, 1e-6):
        own = f"\n[solver]\nassemble_tolerance = {allowed}\n"
        start = Start(made(ROPES + own))
        asked = read(start, PLACED, "steady", ())
        assert [one.within for one in asked.conditions if one.name.startswith("gap of ")] == [allowed] * 2


@pytest.mark.parametrize("part", range(2))
def test_bodies_on_joints_of_all_kinds(part):
    """A tree that stands and moves otherwise at all of its joints: its slopes beside differences, and the
    starts through joints that say so, which are placed as it was."""
    kinds = [KINDS[k] for k in np.random.default_rng(3).permutation(len(KINDS))[part::2]]
    linkage = drawn_linkage(40 + part, kinds, ground=bool(part), lanes=1)
    bodies = tuple(
        with_values(
            body,
            initial=ist.State(
                position=linkage.r[:, k, 0], attitude=ist.Attitude(quaternion=linkage.q[:, k, 0])
            ),
        )
        for k, body in enumerate(linkage.scenario.bodies)
    )
    start = Start(with_values(linkage.scenario, bodies=bodies))
    asked = read(start, [*start.coordinates], ["steady"], ())
    sight, draw = Sight(start, asked.unknowns, asked.given, []), np.random.default_rng(part)
    values = np.array([one.start for one in asked.unknowns]) + 0.4 * draw.standard_normal(len(asked.unknowns))
    seen = sight.at(values)
    step = 1e-6 * draw.standard_normal(len(values))
    moved = (sight.at(values + step).rows - sight.at(values - step).rows) / 2
    slope = seen.slopes @ step
    np.testing.assert_allclose(moved, slope, rtol=0, atol=1e-7 * np.max(np.abs(slope)))
    ended = Ended(values, seen, np.zeros(0), np.zeros(0), 1, seen, np.zeros(0))
    again = Start(with_trim(start.mission, start, asked, ended)).first
    same = np.where(np.sign(seen.state) == np.sign(again.state), 1.0, -1.0)  # of quaternions
    np.testing.assert_allclose(same * again.state, seen.state, rtol=0, atol=ROUNDED)
    np.testing.assert_allclose(again.rows, seen.rows, rtol=0, atol=ROUNDED * np.max(np.abs(seen.rows)))


# --- more than one trim, or none


def test_what_holds_and_nothing_changes_is_said(hinged):
    """By name, of what is asked for by itself; not of velocities that are steady anyway."""
    found = hinged.trim(ANGLE, ["steady", f"bodies.bob.mass = {MASS} kg"])
    assert found.notes == ("The condition on bodies.bob.mass is met for all values of the unknowns.",)
    assert hinged.trim(ANGLE).notes == ()


def test_redundant_unknowns(hinged):
    trimmed = hinged.trim([ANGLE, "forces.push.force.x"])
    assert trimmed.notes == (
        "The conditions do not determine 1 of the unknowns forces.push.force.x,"
        " joints.hinge.rotation.y. Other trims exist.",
    )
    assert np.tan(trimmed[ANGLE]) == pytest.approx(-trimmed["forces.push.force.x"] / (MASS * G), rel=ROUNDED)


TWISTED = HINGED + '[forces.twist]\nkind = "torque"\nbody = "bob"\ntorque = [0, TWIST, 0]\n'


def twisted(part: float) -> Any:
    """The pendulum without a push, with a torque that is so much of what its weight can bear."""
    text = TWISTED.replace(f"[{PUSH}, 0, 0]", "[0, 0, 0]").replace("0.4", "1.5")
    return made(text.replace("TWIST", str(part * MASS * G * ARM)))


def test_a_singular_trim_and_none_beyond():
    """A torque that a pendulum bears at 90 deg alone, and one that is too much for any angle."""
    found = twisted(1.0).trim(ANGLE)
    assert found[ANGLE] == pytest.approx(np.pi / 2, abs=1e-4)  # at a double root, half of the digits
    assert found.notes == (
        f"The trim is singular: the conditions do not determine {ANGLE}."
        " Near this trim, two trims or none exist.",
    )
    with pytest.raises(
        NoTrim,
        match=r"no trim was found. At the nearest values, joints\.hinge\.rotation\.y = (89\.99|90\.00)",
    ) as said:
        twisted(1.2).trim(ANGLE)
    assert said.value.nearest == pytest.approx([np.pi / 2], abs=1e-4)
    left = said.value.left["rate of joints.hinge.rotation_rate.y"]
    assert left == pytest.approx(0.2 * MASS * G * ARM / (0.5 + MASS * ARM**2), rel=1e-6)


SLIDING = """
joints.rail = { kind = "translational", axis = "x", parent = "ground", child = "cart" }
bodies.cart = { mass = 2, inertia = [1, 1, 1], initial = { through = "rail" } }
[forces.spring]
kind = "bushing"
parent = "ground"
child = "cart"
stiffness = [50, 0, 0]
"""


def test_what_is_found_at_zero_is_not_singular():
    """A length and a rate that begin at zero and stay there: what each does is no matter of its size."""
    trimmed = made(SLIDING).trim(["joints.rail.displacement.x"])
    assert trimmed["joints.rail.displacement.x"] == 0
    assert trimmed.notes == ()


def test_why_there_is_none(hinged):
    """Bounds that it stands at, conditions that fight, and some that nothing changes."""
    stands = r"deviates by -271\.7 deg/s\^2. Reason: .*forces\.push\.force\.x at its low bound"
    with pytest.raises(
        NoTrim, match=r"At the nearest values, forces\.push\.force\.x = 2 N, rate of .*" + stands
    ):
        hinged.trim("forces.push.force.x=2:9")
    with pytest.raises(NoTrim, match=r"the conditions conflict"):
        hinged.trim(ANGLE, ["steady", "joints.hinge.force.x = 0 N"])
    two = made(HINGED + "[bodies.stone]\nmass = 1\ninertia = [1, 1, 1]\ninitial = { position = [9, 0, 0] }\n")
    with pytest.raises(NoTrim, match=r"no unknown changes rate of bodies\.stone\.velocity\.z"):
        two.trim(ANGLE)
    said = r"the start is not trimmed, but unknowns are missing: rate of joints.*, for example --find (\S+)$"
    with pytest.raises(NoTrim, match=said) as caught:
        hinged.trim()
    named = re.search(said, str(caught.value))
    assert named is not None
    assert hinged.trim(named[1]).standing == "rests"


BAD = {
    "an unknown number": ("forces.push.force.q", "steady", r"forces\.push\.force\.q"),
    "a coordinate that the joint does not have": (
        "joints.hinge.rotation.x",
        "steady",
        r"is not a coordinate. Joint hinge has the coordinates joints\.hinge\.rotation\.y",
    ),
    "a joint that is not there": (
        "joints.hing.rotation.y",
        "steady",
        r"did you mean 'hinge'\? For joint coordinates, did you mean 'joints\.hinge\.rotation\.y'",
    ),
    "bounds that are none": ({ANGLE: 3}, "steady", "the bounds 3 cannot be read"),
    "names that are no text": ({3: None}, "steady", "3 is not a text"),
    "a number in place of texts": (ANGLE, 5, "5 is not a text"),
    "a number in place of names": (5, "steady", "5 is not a text"),
    "a coordinate twice": ([ANGLE, ANGLE], "steady", "is listed twice"),
    "a number twice": (["forces.push.force.x"] * 2, "steady", "is changed twice"),
    "a vector": ("forces.push.force", "steady", "has 3 numbers"),
    "a flag": ("joints.hinge.active", "steady", "is a flag"),
    "bounds the wrong way round": (
        f"{ANGLE}=20 deg:10 deg",
        "steady",
        "low = 20 deg is above high = 10 deg",
    ),
    "bounds in another unit": (f"{ANGLE}=1 m:2 m", "steady", "is in m; allowed: rad"),
    "what does nothing": ("forces.push.force.y", "steady", "has no effect on the conditions"),
    "no text": ([3], "steady", "3 is not a text"),
    "an unknown quantity": (ANGLE, "bodies.bob.spped = 1", r"bodies\.bob\.speed"),
    "a body that is not there": (ANGLE, "bodies.gone.speed = 1", "gone"),
    "an unknown velocity": (ANGLE, "rate of joints.hinge.rotation_rate.z = 0", "there is no velocity"),
    "no value": (ANGLE, "bodies.bob.speed", "cannot be read"),
    "a value that is no number": (ANGLE, "bodies.bob.speed = nan", "Give a finite number|nan"),
    "a value in another unit": (ANGLE, "bodies.bob.speed = 3 kg", "is in kg"),
    "a quantity that is a vector": (ANGLE, "bodies.bob.velocity = 3", "is a vector"),
    "a turn since the start": (
        ANGLE,
        f"{ANGLE} = 5 deg",
        "measured from the pose at the start.*Set initial.rotation",
    ),
    "a quantity twice": (
        ANGLE,
        ["bodies.bob.speed = 3", "bodies.bob.speed = 4"],
        "two conditions are set for",
    ),
    "nothing to hold": (ANGLE, [], "the conditions are missing"),
    "what is known after a flight": (ANGLE, "bodies.bob.ideal_velocity = 3", "bodies.bob.ideal_velocity"),
}


@pytest.mark.parametrize(("find", "so_that", "said"), BAD.values(), ids=BAD)
def test_bad_input(hinged, find, so_that, said):
    with pytest.raises(BadInput, match=said):
        hinged.trim(find, so_that)


def test_nothing_that_moves(hinged):
    """As where a joint holds all: that is said, and not that nothing was asked for."""
    held = HINGED.replace('"revolute", axis = "y"', '"fixed"').replace("0.4, 0]", "0, 0]")
    fixed = loads(held + END)
    said = r"--so-that: no coordinate .*at the start. Set a quantity, .* or release joints$"
    with pytest.raises(BadInput, match=said):
        fixed.trim()
    with pytest.raises(BadInput, match=r"joint hinge has no coordinates, .* no free axis"):
        fixed.trim(ANGLE)


def test_a_period_is_found_from_one(hinged):
    with pytest.raises(BadInput, match=r"^period: the unknown period needs a first guess"):
        hinged.trim(["period", ANGLE])


def test_more_bad_input(hinged):
    """Velocities that may be free, moments of `linearize`, and starts that go nowhere."""
    with pytest.raises(BadInput, match=r"free: there is no velocity 'joints\.hinge\.rate'"):
        hinged.trim(ANGLE, free="joints.hinge.rate")
    with pytest.raises(BadInput, match="free: 'free' has an effect with --so-that steady"):
        hinged.trim(ANGLE, "bodies.bob.speed = 1", free="joints.hinge")
    with pytest.raises(BadInput, match='at: the time "trim" changes the scenario'):
        hinged.linearize(["start", "trim"], find=ANGLE)
    with pytest.raises(BadInput, match='find: find needs at = "trim"'):
        hinged.linearize(find=ANGLE)
    with pytest.raises(BadInput, match="leg: the scenario has no legs"):
        hinged.trim(ANGLE, leg="first")
    nowhere = put(hinged, "forces.push.force", jnp.array([1e308, 0, 1e308]))  # of a trace: not checked
    with pytest.raises(BadInput, match="at the start values"):
        put(nowhere, "forces.push.at", [5, 0, 5]).trim(ANGLE)


GLIDER = f"""
{HEAVY}
planet = {{ kind = "flat" }}
atmosphere = {{ kind = "exponential", scale_height = 1e9, density = 1, temperature = 288 }}
[bodies.glider]
mass = 400
inertia = [800, 600, 1300]
initial = {{ altitude = 1000, speed = 30, flight_path_angle = -0.02, incidence = {{ alpha = "2 deg" }} }}
[aerodynamics.wing]
body = "glider"
area = 12
length = 1
[aerodynamics.wing.coefficients]
CL = {{ axes = [{{ variable = "alpha", points = "[-20, 20] deg" }}], values = [-1.5, 2.5] }}
CD = 0.05
Cm = {{ axes = [{{ variable = "alpha", points = "[-20, 20] deg" }}], values = [0.5, 0.1] }}
"""


@pytest.mark.long
def test_beyond_a_table():
    """Where it begins beyond one, and where the nearest to a trim is at its edge, that is said."""
    glider = made(GLIDER)
    names = [f"bodies.glider.initial.{one}" for one in ("speed", "flight_path_angle", "incidence.alpha")]
    no_value = r"aerodynamics\.wing on glider: C[Lm] has no value at the start, because alpha is above 20 deg"
    with pytest.raises(BadInput, match=rf"start: {no_value}. Choose other start values"):
        put(glider, names[2], np.radians(25)).trim(names[:2])
    with pytest.raises(NoTrim, match=rf"near these values, {no_value}. Extend the table"):
        glider.trim(names)


@pytest.mark.parametrize(
    ("kind", "said"), [("point", "are point masses"), ("held", "held on the planet")], ids=["point", "held"]
)
def test_other_flights_are_refused(hinged, kind, said):
    """Points and held bodies have no equations of rigid ones, about a trim or any moment."""
    other = with_values(hinged, coordinates=kind)
    for asked in (lambda: linearize(other), lambda: trim(other, ANGLE)):
        with pytest.raises(BadInput, match=f"coordinates: the bodies of the leg .*{said}"):
            asked()


def test_legs_of_a_mission():
    """The one that begins it has a start of its own."""
    mission = loads(f"""
{HEAVY}
[bodies.rocket]
mass = 1000
inertia = [900, 900, 200]
initial = {{}}
[forces.thrust]
kind = "force"
body = "rocket"
force = [0, 0, 8000]
[legs.hover.phases.first]
until = {{ elapsed = "1 s" }}
[legs.on]
after = {{ leg = "hover" }}
[legs.on.phases.second]
until = {{ elapsed = "1 s" }}
""")
    trimmed = mission.trim("forces.thrust.force.z", leg="hover")
    assert trimmed["forces.thrust.force.z"] == pytest.approx(1000 * G, rel=ROUNDED)
    assert trimmed.scenario.linearize(leg="hover").standing == "rests"
    assert mission.trim("forces.thrust.force.z")["forces.thrust.force.z"] == pytest.approx(
        1000 * G, rel=ROUNDED
    )
    with pytest.raises(BadInput, match=r"leg: the preceding leg determines the start of leg 'on'"):
        mission.trim("forces.thrust.force.z", leg="on")


def test_a_start_at_which_something_strikes():
    """A bolt that goes off there leaves another motion than the scenario says."""
    bolt = '[devices.bolt]\nkind = "explosive_bolt"\njoints = ["hinge"]\naxis = [0, 0, 1]\nimpulse = 5\n'
    fired = loads(HINGED + bolt + '[phases.fly]\nfire = ["bolt"]\nuntil = { time = "1 s" }\n')
    with pytest.raises(BadInput, match="start: an impact occurs at the start"):
        fired.trim("forces.push.force.x")


def on_a_spring(free: str = "") -> Any:
    """A mass on a rail below a spring, with a free length that is given, or taken from the start."""
    spring = (
        f'kind = "spring", parent = "ground", child = "bob", parent_at = [0, 0, 1], stiffness = 100{free}'
    )
    return loads(
        'gravity = { kind = "uniform", acceleration = [0, 0, -10] }\n'
        "bodies.bob = { mass = 1, inertia = [1, 1, 1] }\n"
        'joints.rail = { kind = "translational", axis = "z", parent = "ground", child = "bob" }\n'
        f"forces.spring = {{ {spring} }}{END}"
    )


def test_what_is_taken_from_the_start_moves_with_it():
    """Refused by name where the scenario begun anew does not rest; with the length given it hangs at F/k."""
    rail = "joints.rail.displacement.z"
    with pytest.raises(BadInput, match=r"forces\.spring.*1 as declared, 1\.1 at the trim"):
        trim(on_a_spring(), rail)
    found = trim(on_a_spring(", free_length = 1"), rail)
    np.testing.assert_allclose(found[rail], -0.1, atol=ROUNDED)
    assert found.standing == "rests"
    assert trim(found.scenario).standing == "rests"


@pytest.mark.long
def test_so_it_does_where_a_motion_repeats():
    """Any swing on a spring has its period; that it begins with a force does not hold anew."""
    how: Any = {"period": 2 * np.pi / 10, "so_that": "forces.spring.force = 5 N"}
    with pytest.raises(BadInput, match=r"forces\.spring.*1 as declared, 0\.95 at the trim"):
        trim(on_a_spring(), "joints.rail.displacement.z", **how)


def test_a_spring_without_length_is_no_trim():
    """Its slope there is endless, which must not allow the weight to be left over."""
    with pytest.raises(NoTrim, match="no trim was found"):
        trim(on_a_spring(", free_length = 0"), {"joints.rail.displacement.z": (1.0, 2.0)})


def test_ctrl_c(tmp_path, monkeypatch, capsys):
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    file = tmp_path / "bob.toml"
    file.write_text(on_a_spring().to_toml())
    monkeypatch.setattr("interstage.studies.trim.run.trim", interrupted)
    monkeypatch.setattr(sys, "argv", ["interstage", "trim", str(file)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 4
    assert capsys.readouterr().err == "Interrupted. Nothing was found.\n"


SPRING, THRUST, HALF, SHARE = 40.0, 100.0, 0.5, 0.2
RAIL = f"""
[bodies.a]
mass = 5
inertia = [1, 1, 1]
initial = {{ through = "rail", displacement = [0.4, 0, 0] }}
[joints.rail]
kind = "translational"
axis = "x"
parent = "ground"
child = "a"
[forces.spring]
kind = "spring"
parent = "ground"
child = "a"
parent_at = [-1, 0, 0]
stiffness = {SPRING}
free_length = 1.0
[engines.main]
kind = "engine"
body = "a"
at = [0, 0, 0]
thrust = {THRUST}
massless = true
ignited = true
throttle = "actuators.valve"
[controls.hold]
kind = "pid"
measured = "bodies.a.position.x"
target = 0
kp = {SHARE}
bias = {HALF}
[actuators.valve]
command = "controls.hold"
model = {{ kind = "first_order", time_constant = 0.3 }}
[phases.fly]
until = {{ time = "1 s" }}
"""


def test_what_parts_begin_with_follows_the_coordinates_that_are_found():
    """k x = F (bias - kp x): the valve stands where the law wants it at the start that is found."""
    found = loads(RAIL).trim("joints.rail.displacement.x")
    truth = THRUST * HALF / (SPRING + THRUST * SHARE)
    assert found["joints.rail.displacement.x"] == pytest.approx(truth, rel=1e-9)
    assert found.standing == "rests"


HUB, OUT, BEAM, LENGTH = 4.0, 0.3, 1.5, 2.0
STIFFNESS = 300.0
HUNG = f"""
gravity = {{ kind = "uniform", acceleration = [0, 0, -9.81] }}
[bodies.hub]
mass = {HUB}
mass_centre = [{OUT}, 0, 0]
inertia = [1, 1, 1]
initial = {{ through = "hinge", rotation = [0, 0.2, 0] }}
[joints.hinge]
kind = "revolute"
axis = "y"
parent = "ground"
child = "hub"
[forces.spring]
kind = "torsion_spring"
parent = "ground"
child = "hub"
sequence = "2"
stiffness = [{STIFFNESS}]
[forces.beam]
kind = "beam"
parent = "hub"
parent_at = [0.5, 0, 0]
length = {LENGTH}
elements = 2
start = "at rest"
[forces.beam.section]
kind = "stiffness"
axial_stiffness = 1e8
shear_stiffness = [1e8, 1e8]
torsional_stiffness = 1e7
bending_stiffness = [1e6, 1e6]
mass = {BEAM}
rotary_inertia = [0.001, 0.001]
[phases.fly]
until = {{ time = "1 s" }}
"""


def test_a_beam_on_a_joint_goes_with_it():
    """k a = g cos a (m c + own mass times its arm); the stiff beam at rest sags by 2e-5 of its length, which
    takes as little off its arm."""
    found = loads(HUNG).trim("joints.hinge.rotation.y")
    moment = 9.81 * (HUB * OUT + BEAM * LENGTH * (0.5 + LENGTH / 2))
    truth: Any = brentq(lambda angle: STIFFNESS * angle - moment * np.cos(angle), 0, 1.5, xtol=1e-14)
    assert found["joints.hinge.rotation.y"] == pytest.approx(truth, rel=2e-5)
    assert found.standing == "rests"


@pytest.mark.long
def test_a_beam_at_rest_is_settled_once_at_each_place(monkeypatch):
    """However often a start is looked at; by Newton's method where that is enough."""
    asked: list[bytes] = []

    def settled(loads: Any, place: Any, turn: Any, size: Any, held: Any) -> Any:
        asked.append(np.asarray(place).tobytes() + np.asarray(turn).tobytes())
        return at_rest(loads, place, turn, size, held)

    monkeypatch.setattr(beam_start, "at_rest", settled)
    # 0.2 rad of bend over its length: a soft beam, which sags by a tenth of it.
    soft = HUNG.replace("[1e6, 1e6]", "[1e2, 1e2]")
    found = loads(soft).trim("joints.hinge.rotation.y")
    places = len(set(asked))
    assert len(asked) <= places + 1  # the scenario that is written is begun anew
    assert places <= found.looks + 2  # where it is declared, and where that one begins
    monkeypatch.setattr(rest, "_soon", lambda *_: None)
    slowly = loads(soft).trim("joints.hinge.rotation.y")
    assert slowly["joints.hinge.rotation.y"] == pytest.approx(found["joints.hinge.rotation.y"], rel=1e-9)
