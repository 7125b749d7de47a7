"""Point-mass flight: the rigid flight of bodies that do not turn, closed forms, and what a point needs."""

from __future__ import annotations

import numpy as np
import pytest

from engine_door import flow_of, force_alone, share
from interstage.programs.program import program_for
from interstage.reading import loads
from interstage.tree.errors import BadInput

EPS = np.finfo(float).eps

STACK = """
[planet]
kind = "earth"

[gravity]
kind = "uniform"
acceleration = [-8, 1, 2]

[bodies.stage]
mass = "3000 kg"
mass_centre = "[4, 0, 0] m"
inertia = "[2e3, 4e4, 4e4] kg m^2"

[bodies.stage.elements.fuel]
kind = "cylinder"
propellant = "12 t"
density = "1100 kg/m^3"
radius = "1 m"
bottom = "[1.5, 0, 0] m"
axis = [1, 0, 0]

[bodies.stage.initial]
latitude = "28 deg"
longitude = "-80 deg"
altitude = "30 km"
velocity_ned = "[3000, 4000, -900] m/s"
attitude = { euler = "3-2-1", angles = "[10, 20, 30] deg" }

[bodies.top]
mass = "2000 kg"
mass_centre = "[0, 1, 0] m"
inertia = "[1e3, 2e3, 2e3] kg m^2"

[joints.ring]
kind = "fixed"
parent = "stage"
child = "top"
parent_at = "[8, 0, 0] m"
child_at = "[0, 0, 0] m"
child_frame = { euler = "3-2-1", angles = "[90, 0, 0] deg" }

[engines.main]
kind = "engine"
body = "stage"
at = "[0, 0, 0] m"
thrust = "200 kN"
isp = "300 s"
feeds = { "stage.fuel" = 1 }
ignited = true

[guidance.steady]
kind = "angles"
body = "stage"
axes = "inertial"
yaw = "10 deg"
pitch = "20 deg"
roll = "30 deg"

[phases.burn]
until = { elapsed = "100 s" }

[output]
interval = "10 s"

[solver]
tolerance = 1e-11
"""
POINT = 'coordinates = "point"\nattitude = "steady"\n'


@pytest.fixture(scope="module")
def stack():
    return loads(POINT + STACK)


@pytest.fixture(scope="module")
def flight(stack):
    return stack.run(progress=False)


def test_a_point_is_the_rigid_flight_of_what_does_not_turn(flight):
    """Two bodies, one of which turns its axes, and a tank that drains at one end: the common centre of mass
    moves by metres through the structure. Nothing turns the rigid bodies, whose thrust goes through all mass
    centres."""
    rigid = loads(STACK).run(progress=False)
    assert flight.record.completed
    # What errors of each of some ten steps, within the tolerance, add up to.
    close = 10 * 1e-11

    def apart(path):
        pairs = [(flight.record.series[name], rigid.record.series[name]) for name in path]
        return max(float(np.max(np.abs(one - other))) for one, other in pairs)

    by_name = {
        key: [f"bodies.{body}.{key}" for body in ("stage", "top")]
        for key in ("attitude", "velocity", "position")
    }
    turned = apart(by_name["attitude"])
    # Some dozen roundings of 4 km/s, over the metre from the joint to the mass centre of the top, for 100 s.
    assert turned < 64 * EPS * 4e3 * 100
    # By an angle of twice that turns what 40 m/s^2 add in 100 s.
    slower = 2 * turned * 40 * 100
    assert apart(by_name["velocity"]) < slower + close * 6e3
    assert apart(by_name["position"]) < slower * 100 + close * 6.4e6


@pytest.mark.long
def test_lanes_of_a_point_are_its_single_flights(stack, flight):
    """By different thrust, and by another attitude of the second lane."""
    thrust, roll = np.array([200e3, 240e3]), np.deg2rad([30.0, 75.0])
    dispersed = {"engines.main.thrust": thrust, "guidance.steady.roll": roll}
    batch = stack.run_batch(dispersed, together=True)
    ends = batch.value("bodies.top.position")
    alone = batch.case(1).run(progress=False).value("bodies.top.position", "end")
    np.testing.assert_allclose(ends[0], flight.value("bodies.top.position", "end"), rtol=64 * EPS)
    np.testing.assert_allclose(ends[1], alone, rtol=64 * EPS)
    assert np.linalg.norm(ends[1] - ends[0]) > 1e4


AERODYNAMICS = """
[atmosphere]
kind = "us76"

[aerodynamics.air]
body = "stage"
area = 4
length = 2
coefficients = { CD = 0.5, CY = 0.1, CL = 0.2 }
"""


def test_forces_alone_are_those_of_the_loads():
    """Of parts that find them for less than all loads, at an attitude across the stream."""
    scenario = loads(POINT + STACK + AERODYNAMICS)
    program = program_for(scenario, ())
    begun = program.begin(scenario, 0.0)
    flow = flow_of(program.mechanism(scenario, 0, begun.reference))
    here = flow.here(np.zeros(()), flow.own(np.zeros(()), begun.x, begun.discrete), begun.discrete)
    for name in ("streams", "air"):
        force = share(here, name)[:3]
        assert np.linalg.norm(force) > 1e4
        np.testing.assert_allclose(
            force_alone(here, name), force, rtol=0, atol=64 * EPS * np.linalg.norm(force)
        )
    total, together = np.sum(here.wrench[:3], 1), np.sum(here.numbers.mass * here.acceleration[:3], 1)
    np.testing.assert_allclose(together, total, rtol=0, atol=64 * EPS * np.linalg.norm(total))


def test_bodies_of_a_turning_point_accelerate_about_it():
    """Both turn with one rate w; so their accelerations differ by w x (w x r), and what mass they have
    together goes as the forces say."""
    turning = 'pitch = { over = "time", points = "[0, 100] s", value = "[20, 2020] deg" }'
    scenario = loads((POINT + STACK).replace('pitch = "20 deg"', turning))
    program = program_for(scenario, ())
    begun = program.begin(scenario, 0.0)
    mechanism = program.mechanism(scenario, 0, begun.reference)
    flow = flow_of(mechanism)
    t = np.zeros(())
    here = flow.here(t, flow.own(t, begun.x, begun.discrete), begun.discrete)
    w, (apart, differing) = (
        here.motion.spin[:, 0],
        (np.diff(part[:3], axis=1)[:, 0] for part in (here.motion.position, here.acceleration)),
    )
    assert np.linalg.norm(w) == pytest.approx(np.deg2rad(20.0))
    around = np.cross(w, np.cross(w, apart))
    assert np.linalg.norm(around) > 0.1
    # Roundings of the accelerations by the engine and gravity.
    np.testing.assert_allclose(differing, around, rtol=0, atol=64 * EPS * 40)
    mass = here.numbers.mass
    together = np.sum(mass * here.acceleration[:3], 1) / np.sum(mass)
    np.testing.assert_allclose(together, np.sum(here.wrench[:3], 1) / np.sum(mass), rtol=64 * EPS)


def refusals(text):
    with pytest.raises(BadInput) as refused:
        loads(text).check()
    return str(refused.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('attitude = "steady"\n', "", 'attitude: a point-mass flight needs a guidance law'),
        ('attitude = "steady"', 'attitude = "stedy"', "there is no guidance 'stedy'; did you mean 'steady'?"),
        ("[phases.burn]", '[phases.burn]\nattitude = "other"', "phases.burn.attitude: there is no gui"),
        ('kind = "fixed"', 'kind = "fixed"\nactive = false', "no joint connects body 'top' to 'stage'"),
        ("[phases.burn]", '[phases.burn]\nrelease = ["ring"]', "joints cannot change in point-mass flight"),
        ('parent = "stage"', 'parent = "ground"', "joints.ring: the joint connects to the ground"),
        ('axis = [1, 0, 0]', 'axis = [1, 0, 0]\nslosh = "pendulum"', "bodies.stage.elements.fuel.slosh"),
    ],
)  # fmt: skip
def test_what_a_point_needs(old, new, said):
    assert (POINT + STACK).count(old) == 1
    assert said in refusals((POINT + STACK).replace(old, new))


def test_joints_have_no_loads_in_a_point(flight):
    assert not any(path.startswith("joints.") for path in flight.record.series)


LEANING = """
[guidance.lean]
kind = "angles"
body = "stage"
axes = "inertial"
roll = { over = "bodies.stage.alpha", points = ["170 deg", "180 deg"], value = [0, 1] }
"""
"""A law of what follows from its own attitude, though at the start this changes nothing of it: alpha is less
than any of the points there."""


@pytest.mark.parametrize("of", ["steady", "next"])
def test_guidance_by_its_own_attitude_is_refused(of):
    """Whatever it goes by, of any phase, and before anything is flown."""
    if of == "steady":
        text = POINT.replace('"steady"', '"lean"') + STACK + LEANING
    else:
        text = POINT + STACK + LEANING
        text += '[phases.next]\nattitude = "lean"\nuntil = { elapsed = "1 s" }\n'
    assert "guidance.lean.roll.over: 'bodies.stage.alpha' depends on the attitude" in refusals(text)


def test_guidance_by_place_and_speed_is_a_points():
    path = "bodies.stage.ground_speed"
    loads(POINT + STACK + LEANING.replace("bodies.stage.alpha", path).replace(" deg", " m/s")).check()


BOLT = """
[devices.bolt]
kind = "explosive_bolt"
joints = ["ring"]
"""


@pytest.mark.parametrize(
    ("fired", "after"),
    [('[phases.burn]\nfire = ["bolt"]', ""), ("[phases.burn]", 'after = "burn"\ndelay = "1 s"')],
)
def test_devices_that_let_go_are_refused(fired, after):
    text = POINT + STACK.replace("[phases.burn]", fired) + BOLT + after
    assert "devices.bolt: the device is fired and acts on joint 'ring'" in refusals(text)


def test_devices_that_nothing_fires_may_be_there():
    loads(POINT + STACK + BOLT).check()


HELD = """
coordinates = "held"
[planet]
kind = "earth"
[gravity]
kind = "zonal"
j3 = 0
j4 = 0
[bodies.stage]
mass = "3000 kg"
mass_centre = "[4, 0, 0] m"
inertia = "[2e3, 4e4, 4e4] kg m^2"
[bodies.stage.elements.fuel]
kind = "cylinder"
propellant = "12 t"
density = "1100 kg/m^3"
radius = "1 m"
bottom = "[1.5, 0, 0] m"
axis = [1, 0, 0]
[bodies.stage.initial]
latitude = "28 deg"
longitude = "-80 deg"
altitude = "10 m"
attitude_axes = "level"
attitude = { euler = "3-2-1", angles = "[90, 90, 0] deg" }
[engines.main]
kind = "engine"
body = "stage"
at = "[0, 0, 0] m"
thrust = "100 kN"
isp = "300 s"
feeds = { "stage.fuel" = 1 }
[phases.wait]
until = { elapsed = "50 s" }
[phases.burn]
ignite = ["main"]
until = { quantity = "bodies.stage.thrust_to_weight", reaches = 1 }
[output]
interval = "10 s"
"""


def test_bodies_held_on_a_turning_planet_stay_where_they_are():
    """Until the thrust carries them. The mass centre moves through the structure, which stays; what the hold
    takes up changes by the thrust as that begins."""
    flight = loads(HELD).run(progress=False)
    record, turning = flight.record, 7.292115e-5
    place, angle = record.series["bodies.stage.origin_position"], turning * record.time
    back = np.stack(
        [
            np.cos(angle) * place[:, 0] + np.sin(angle) * place[:, 1],
            np.cos(angle) * place[:, 1] - np.sin(angle) * place[:, 0],
            place[:, 2],
        ],
        -1,
    )
    # The rate of the planet has seven digits; steps are within 1e-9 of the distance to the centre, or better.
    np.testing.assert_allclose(back, np.broadcast_to(back[0], back.shape), rtol=0, atol=1e-9 * 6.4e6)
    jump = flight.value("system.hold_force", "burn") - flight.value("system.hold_force", "burn", "before")
    flow = 100e3 / (300 * 9.80665)
    # Less what the stream gains as it gets longer: the surface sinks. Coriolis forces on it are across.
    np.testing.assert_allclose(np.linalg.norm(jump), 100e3 - flow**2 / (1100 * np.pi), rtol=1e-11)
    burnt = flow * (flight.value("time", "end") - 50)
    np.testing.assert_allclose(record.series["bodies.stage.mass"][-1], 15000 - burnt, rtol=1e-9)
    # Without the turning of the planet, a third of a per cent of it, the hold bears the weight.
    held = np.linalg.norm(record.series["system.hold_force"][0])
    assert held == pytest.approx(15000 * 9.7915, rel=1e-3)


def test_bodies_placed_through_others_are_held_too():
    """Though nothing says that the first one turns with the planet: they all do."""
    text = (
        HELD
        + """
[bodies.tip]
mass = 100
inertia = [1, 1, 1]

[joints.seam]
kind = "fixed"
parent = "stage"
child = "tip"
parent_at = [20, 0, 0]
"""
    )
    scenario = loads(text)
    program = program_for(scenario)
    begun = program.begin(scenario, 0.0)
    mechanism = program.mechanism(scenario, 0, begun.reference)
    r, v, _, w, origin, speed = mechanism.split(begun.x)
    turning = np.array([0, 0, 7.292115e-5])
    over_ground = (speed + v.T) - np.cross(turning, origin + r.T)
    # The rate of the planet has seven digits.
    assert np.max(np.abs(over_ground)) < 1e-6 * np.linalg.norm(speed)
    np.testing.assert_allclose(np.linalg.norm(w, axis=0), turning[2], rtol=1e-6)


def test_what_moves_is_not_held():
    moving = HELD.replace('altitude = "10 m"', 'altitude = "10 m"\nvelocity_ned = [3, 0, 0]')
    with pytest.raises(BadInput, match=r"bodies.stage.initial: the body moves at 3 m/s over the ground"):
        loads(moving).run(progress=False)
