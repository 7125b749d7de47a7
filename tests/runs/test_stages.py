"""Stages that feed each other's engines, parts that are dropped, clusters in air, and starts with what is
left."""

from __future__ import annotations

import numpy as np
import pytest

from burning import IGNITE, SHUT_DOWN, engine, gauss, on, phase, turned
from interstage.reading import loads
from interstage.tree.errors import BadInput

pytestmark = pytest.mark.usefixtures("long_flights")

G0 = 9.80665

FED = (
    """
[bodies.tank]
mass = 400.0
mass_centre = [3.0, -0.8, 0.1]
inertia = [90.0, 900.0, 950.0]
initial = { angular_velocity = [0.12, -0.2, 0.15], velocity = [10.0, 3.0, -5.0] }
[bodies.tank.elements.fuel]
kind = "point"
propellant = 1500.0
at = [4.0, -0.9, 0.2]
[bodies.orbiter]
mass = 600.0
mass_centre = [1.5, 0.6, 0.0]
inertia = [120.0, 800.0, 820.0]
[bodies.orbiter.elements.pod]
kind = "item"
mass = 50.0
mass_centre = [2.5, 1.4, 0.7]
inertia = [1.0, 2.0, 2.5]
[joints.struts]
kind = "fixed"
parent = "tank"
child = "orbiter"
parent_at = [2.0, 0.0, 0.0]
child_at = [2.0, 0.0, 0.0]
"""
    + engine(
        "orbiter", "[-0.5, 0.5, 0.1]", 30000.0, 280.0, 1.0,
        'cant = [0.01, -0.262]\ntail_off_time = 0.5\nfeeds = { "tank.fuel" = 1.0 }',
    )
    + phase("burn", 5, IGNITE)
    + phase("off", 7, SHUT_DOWN + '\ndrop = ["orbiter.pod"]')
    + phase("relit", 9, IGNITE)
    + phase("apart", 10, 'release = ["struts"]')
    + "[solver]\ntolerance = 1e-13\n"
)  # fmt: skip
"""A tank and, held on it, an orbiter whose engine it feeds; a pod goes while the thrust falls."""
FLOW = 30000.0 / (280.0 * G0)
POD = 50.0, np.array([2.5, 1.4, 0.7]), np.diag([1.0, 2.0, 2.5])
DRY = 400.0, np.array([3.0, -0.8, 0.1]), np.diag([90.0, 900.0, 950.0])
ORBITER = 600.0, np.array([1.5, 0.6, 0.0]), np.diag([120.0, 800.0, 820.0])
FUEL = np.array([4.0, -0.9, 0.2])
EXIT = np.array([-0.5, 0.5, 0.1])


def around(*parts):
    """Mass, centre of mass and inertia about it of several parts, by Steiner's theorem."""
    mass = sum(m for m, _, _ in parts)
    centre = sum(m * c for m, c, _ in parts) / mass
    tensor = np.zeros((3, 3))
    for m, c, own in parts:
        arm = c - centre
        tensor = tensor + own + m * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return mass, centre, tensor


@pytest.fixture(scope="module")
def fed():
    """The flight, sampled at the nodes of Gauss's rule between its kinks, and the weights of the samples."""
    times, weights = gauss([0.0, 1.0, 3.0, 5.0, 5.5], 12)
    sampled = [0.0, *times.tolist(), 6.0]
    return loads(FED + f"[output]\ntimes = {sampled}\n").run(), weights


def momenta(flight, row):
    """Momentum and angular momentum about the inertial origin of both bodies and of the stream, at a sample,
    body by body, by hand."""
    left, flow = (flight[p][row] for p in ("bodies.tank.elements.fuel.left", "engines.main.mass_flow"))
    pod = flight["bodies.orbiter.elements.pod.attached"][row]
    bodies = {
        "tank": around(DRY, (left, FUEL, np.zeros((3, 3)))),
        "orbiter": around(ORBITER, POD) if pod else ORBITER,
    }
    total = np.zeros(6)
    for name, (mass, centre, tensor) in bodies.items():
        place, speed, w = (
            flight[f"bodies.{name}.{what}"][row] for what in ("position", "velocity", "angular_velocity")
        )
        turn = turned(flight[f"bodies.{name}.attitude"][row][None])[0]
        inside = turn @ (flow * (EXIT - FUEL)) if name == "tank" else np.zeros(3)
        arm = turn @ (EXIT - centre)
        whole = mass * speed + inside
        spin = turn @ (tensor @ w) + np.cross(arm, inside)
        total += np.concatenate([whole, np.cross(place, whole) + spin])
    return total


@pytest.mark.long
def test_an_engine_fed_by_another_body(fed):
    """The momentum of the two bodies and of the stream between them changes by what leaves at the nozzle,
    and, where the pod goes, by what that takes along."""
    flight, weights = fed
    place, speed, w = (
        flight[f"bodies.orbiter.{what}"][1:-1] for what in ("position", "velocity", "angular_velocity")
    )
    turn = turned(flight["bodies.orbiter.attitude"][1:-1])
    attached = flight["bodies.orbiter.elements.pod.attached"][1:-1]
    centres = np.where(attached[:, None] > 0, around(ORBITER, POD)[1], ORBITER[1])
    arm = EXIT - centres
    flow, force = flight["engines.main.mass_flow"][1:-1], flight["engines.main.force"][1:-1]
    nozzle = place + on(turn, arm)
    out = flow[:, None] * (speed + on(turn, np.cross(w, arm))) - on(turn, force)
    gone = weights @ np.concatenate([out, np.cross(nozzle, out)], 1)
    mass, centre, tensor = POD
    before = {what: flight.value(f"bodies.orbiter.{what}", "off", "before") for what in STATE}
    turn = turned(before["attitude"][None])[0]
    arm = turn @ (centre - around(ORBITER, POD)[1])
    spin = turn @ before["angular_velocity"]
    taken = mass * (before["velocity"] + np.cross(spin, arm))
    swirl = np.cross(before["position"] + arm, taken) + turn @ tensor @ before["angular_velocity"]
    lost = gone + np.concatenate([taken, swirl])
    size = np.repeat([weights @ np.linalg.norm(part, axis=1) for part in (out, np.cross(nozzle, out))], 3)
    np.testing.assert_array_less(np.abs(momenta(flight, -1) - momenta(flight, 0) + lost), 1e-10 * size)
    assert np.linalg.norm(force, axis=1).max() == pytest.approx(30000.0, rel=1e-12)


STATE = ("position", "velocity", "attitude", "angular_velocity")


@pytest.mark.long
def test_an_engine_stops_with_the_tank_that_goes(fed):
    """Lit once more, and parted from its tank: it ends, and the tank keeps what it has."""
    flight, _ = fed
    thrusts = [flight.value("engines.main.thrust", "apart", side) for side in ("before", "after")]
    np.testing.assert_allclose(thrusts, [30000.0, 0.0], rtol=1e-12)
    left = [flight.value("bodies.tank.elements.fuel.left", event) for event in ("apart", "end")]
    assert left[0] == left[1] == pytest.approx(1500.0 - FLOW * (4.5 + 0.25 + 1.5), rel=1e-11)


@pytest.mark.long
def test_an_engine_stops_when_the_last_of_two_joints_lets_go():
    """Struts go one after the other: the tank feeds the engine as long as one of them holds."""
    rod = """
[joints.rod]
kind = "rod"
parent = "tank"
child = "orbiter"
parent_at = [-2, 0, 0]
child_at = [-2, 1, 0]
"""
    later = """
[phases.off]
release = ["rod"]
until = { time = "6 s" }
[phases.apart]
release = ["struts"]
until = { time = "7 s" }
[output]
times = [5.5, 6.5]
"""
    text = FED[: FED.index("[phases.off]")] + rod + later
    assert list(loads(text).run().record.series["engines.main.thrust"]) == [30000.0, 0.0]


def test_what_is_dropped_takes_its_share(fed):
    """At the drop the body goes on as it moved: same turn and spin, and every point of it as fast as
    before."""
    flight, _ = fed
    sides = [
        {
            what: flight.value(f"bodies.orbiter.{what}", "off", side)
            for what in (*STATE, "mass", "mass_centre")
        }
        for side in ("before", "after")
    ]
    before, after = sides
    for what in ("attitude", "angular_velocity"):
        # But for what the joint's projection rounds: some dozens of sums and products.
        rounding = 100 * np.finfo(float).eps * np.abs(before[what]).max()
        np.testing.assert_allclose(after[what], before[what], rtol=0, atol=rounding)
    whole, rest = around(ORBITER, POD), ORBITER
    np.testing.assert_allclose(before["mass_centre"], whole[1], rtol=0, atol=1e-14)
    np.testing.assert_allclose(after["mass_centre"], rest[1], rtol=0, atol=1e-14)
    turn = turned(before["attitude"][None])[0]
    arm = turn @ (POD[1] - whole[1])
    speed = before["velocity"] + np.cross(turn @ before["angular_velocity"], arm)
    share = (before["mass"] * before["velocity"] - POD[0] * speed) / after["mass"]
    np.testing.assert_allclose(after["velocity"], share, rtol=0, atol=1e-12)
    place = (before["mass"] * before["position"] - POD[0] * (before["position"] + arm)) / after["mass"]
    np.testing.assert_allclose(after["position"], place, rtol=0, atol=1e-12)


@pytest.mark.long
def test_a_start_with_what_is_left(fed, tmp_path):
    """A flight that starts from a saved one has the propellant that was left then, and flies on as that one
    did; what was dropped must not be declared once more."""
    flight, _ = fed
    flight.save(tmp_path / "fed.nc")
    start = f'initial = {{ flight = "{tmp_path / "fed.nc"}", event = "off" }}'
    text = FED.replace(
        "initial = { angular_velocity = [0.12, -0.2, 0.15], velocity = [10.0, 3.0, -5.0] }", start
    )
    text = text.replace(
        "[joints.struts]", f"[bodies.orbiter.initial]\n{start[12:-2].replace(', ', chr(10))}\n[joints.struts]"
    )
    with pytest.raises(
        BadInput, match=r"bodies.orbiter.elements.pod: was jettisoned in .*Remove the mass item"
    ):
        loads(text).run()
    pod = text[text.index("[bodies.orbiter.elements.pod]") : text.index("[bodies.orbiter.initial]")]
    text = text.replace(pod, "").replace('drop = ["orbiter.pod"]\n', "")
    again = loads(
        text,
        {f"phases.{name}.until": {"time": t} for t, name in enumerate(("burn", "off", "relit", "apart"), 1)},
    ).run()
    left = flight.value("bodies.tank.elements.fuel.left", "off")
    assert again["bodies.tank.elements.fuel.left"][0] == left
    assert again["bodies.tank.mass"][0] == pytest.approx(400 + left, rel=1e-15)
    for body in ("tank", "orbiter"):
        expected = flight.value(f"bodies.{body}.position", "off")
        np.testing.assert_allclose(again[f"bodies.{body}.position"][0], expected, rtol=0, atol=1e-12)


CLUSTER = """
[planet]
kind = "flat"
[atmosphere]
kind = "us76"
[bodies.stage]
mass = 900.0
mass_centre = [2.0, 0, 0]
inertia = [100.0, 700.0, 700.0]
initial = {}
[bodies.stage.elements.fuel]
kind = "point"
propellant = 600.0
at = [2.0, 0, 0]
[engines.left]
kind = "engine"
body = "stage"
at = [0.0, 0.5, 0]
thrust = 20000.0
isp = 300.0
exit_area = 0.05
feeds = { "stage.fuel" = 1.0 }
ignited = true
[engines.right]
kind = "engine"
body = "stage"
at = [0.0, -0.5, 0]
thrust = 20000.0
isp = 300.0
exit_area = 0.05
feeds = { "stage.fuel" = 1.0 }
ignited = true
[phases.boost]
until = { time = "30 s" }
[events.out]
when = { quantity = "bodies.stage.elements.fuel.left", reaches = "350 kg", direction = "falling" }
shut_down = ["right"]
[solver]
tolerance = 1e-12
[output]
interval = 2.0
"""


@pytest.mark.long
def test_a_cluster_in_air_loses_an_engine():
    """Level over flat ground the back pressure on the exits stays, and the rocket equation has the thrust
    F - p A; at a mass that a trigger waits for one engine ends, and the other turns the stage."""
    flight = loads(CLUSTER).run()
    flow, thrust = 20000.0 / (300.0 * G0), 20000.0 - 101325.0 * 0.05
    out = flight.record.events[flight.event_row("out")].time
    assert out == pytest.approx(250.0 / (2 * flow), rel=1e-11)
    before = flight.record.time < out
    mass = 1500.0 - 2 * flow * flight.record.time[before]
    speed = thrust / flow * np.log(1500.0 / mass)
    np.testing.assert_allclose(
        flight["bodies.stage.velocity"][before, 0], speed, rtol=0, atol=1e-12 * speed[-1]
    )
    sides = [flight.value("bodies.stage.angular_acceleration", "out", side) for side in ("before", "after")]
    np.testing.assert_allclose(sides[0], 0, atol=1e-12)
    np.testing.assert_allclose(sides[1], [0, 0, -0.5 * thrust / 700.0], rtol=0, atol=1e-11)
    np.testing.assert_allclose(
        [flight.value("bodies.stage.mass_rate", "out", side) for side in ("before", "after")],
        [-2 * flow, -flow],
        rtol=1e-12,
    )


CAUGHT = """
[bodies.catcher]
mass = 400.0
inertia = [90.0, 900.0, 950.0]
initial = { velocity = [0, 0.1, 0] }
[bodies.catcher.elements.pod]
kind = "item"
mass = 400.0
mass_centre = [0, 3.0, 0]
inertia = [10.0, 10.0, 10.0]
[bodies.visitor]
mass = 100.0
inertia = [20.0, 20.0, 20.0]
initial = { position = [3.0, 0.2, 0] }
[joints.berth]
kind = "spherical"
parent = "catcher"
child = "visitor"
parent_at = [1.0, 0, 0]
child_at = [-1.0, 0, 0]
active = false
[phases.free]
until = { time = "1 s" }
[phases.caught]
attach = ["berth"]
drop = ["catcher.pod"]
until = { time = "2 s" }
"""


def test_a_capture_as_a_part_is_dropped_moves_nothing():
    """The joint holds the pose in which it finds the bodies, whose centre of mass has just moved in one of
    them."""
    flight = loads(CAUGHT).run()
    for name in ("catcher", "visitor"):
        places = [
            flight.value(f"bodies.{name}.origin_position", "caught", side) for side in ("before", "after")
        ]
        np.testing.assert_allclose(*places, atol=1e-14)
    # Of the two, the catcher without its pod has all the momentum; its points moved at 0.1 m/s.
    momentum = flight.value("system.momentum", "caught")
    np.testing.assert_allclose(momentum, [0, 400.0 * 0.1, 0], atol=1e-12)
