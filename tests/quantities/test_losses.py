"""Ideal velocity and losses: by the rocket equation in vacuum, and by what the speed did in air."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import interstage as ist
import stub_flight
from engine_door import compiled_flights, instant_as_declared, layout_of, quantities
from interstage.drawing.figure import Line
from interstage.drawing.table import Table
from interstage.observation.quadrature import DEEPEST, PIECES, TOLERANCE, integral
from interstage.parts.performance import law
from interstage.parts.propellant import shown as propellant
from interstage.reading import loads
from interstage.record.record import QuantityMeta
from interstage.report import mission, summary
from interstage.report.figures import figures
from interstage.runs import run as simulate
from interstage.tree import addresses as tree

G0 = 9.80665
ITEMS = ("ideal_velocity", "gravity_loss", "drag_loss", "steering_loss", "pressure_loss")
CANT, ISP, THRUST, GRAVITY = 0.1, 300.0, 20e3, 5.0
DRY, PROPELLANT = 500.0, 1200.0
SPENT_AT = 1000.0
"""Ideal velocity [m/s] at which the engines are shut down."""

VACUUM = f"""
planet = "flat"
gravity = {{ kind = "uniform", acceleration = [0, 0, {-GRAVITY}] }}
[bodies.rocket]
mass = {DRY - 100}
inertia = [100, 100, 100]
initial = {{ attitude = {{ euler = "3-2-1", angles = "[0, -90, 0] deg" }} }}
[bodies.rocket.elements.tank]
kind = "point"
propellant = {PROPELLANT}
at = [0, 0, 0]
[bodies.payload]
mass = 100.0
inertia = [10, 10, 10]
initial = {{ through = "mount" }}
[joints.mount]
kind = "fixed"
parent = "rocket"
child = "payload"
[engines.left]
kind = "engine"
body = "rocket"
at = [0, 0, 0]
thrust = {THRUST}
isp = {ISP}
cant = [0.0, {CANT}]
feeds = {{ "rocket.tank" = 1.0 }}
ignited = true
[engines.right]
kind = "engine"
body = "rocket"
at = [0, 0, 0]
thrust = {THRUST}
isp = {ISP}
cant = [0.0, {-CANT}]
feeds = {{ "rocket.tank" = 1.0 }}
ignited = true
[phases.burn]
until = {{ quantity = "bodies.rocket.ideal_velocity", reaches = {SPENT_AT}, direction = "rising" }}
[phases.coast]
shut_down = ["left", "right"]
until = {{ elapsed = 2.0 }}
[output]
interval = 4.0
[requirements.left_over]
quantity = "bodies.payload.ideal_velocity"
max = 2000.0
"""


LEGS = f"""
[legs.first]
phases.burn.until = {{ quantity = "bodies.rocket.gravity_loss", reaches = {2 * GRAVITY} }}
[legs.second]
after = {{ leg = "first" }}
phases.more.until = {{ quantity = "bodies.rocket.ideal_velocity", reaches = {SPENT_AT} }}
[legs.third]
after = {{ leg = "second" }}
without = ["engines.left", "engines.right"]
phases.fall.until = {{ elapsed = 2.0 }}
"""
"""The first two legs go by another integral each, which is part of its state only, and has one number there;
the last one has no engines, and gravity takes its share all the same."""


@pytest.mark.long
def test_integrals_go_on_from_leg_to_leg():
    text = VACUUM[: VACUUM.index("[phases.burn]")] + LEGS
    flight = loads(text).run(progress=False)
    # The losses by cant are steering losses: the sum of the thrusts in vacuum is what counts.
    spent = (DRY + PROPELLANT) * (1 - np.exp(-SPENT_AT / (ISP * G0)))
    time = spent * ISP * G0 / (2 * THRUST)
    assert flight.time_of("first end") == pytest.approx(2.0, rel=1e-9)
    assert flight.time_of("second end") == pytest.approx(time, rel=1e-7)
    assert flight.value("bodies.rocket.gravity_loss", "second end") == pytest.approx(GRAVITY * time, rel=1e-7)
    velocity = flight["bodies.rocket.ideal_velocity"]
    assert (np.diff(velocity[flight.through("bodies.rocket").time < time]) > 0).all()
    lost = flight.value("bodies.rocket.gravity_loss", "third end")
    assert lost == pytest.approx(GRAVITY * (time + 2), rel=1e-7)
    assert flight.value("bodies.rocket.ideal_velocity", "third end") == pytest.approx(SPENT_AT, rel=1e-7)


@pytest.fixture(scope="module")
def vertical():
    return loads(VACUUM).run()


def burn_time(mass: float) -> float:
    """Until the rocket equation has given the ideal velocity of the trigger."""
    return mass * (1 - np.exp(-SPENT_AT / (ISP * G0))) / (2 * THRUST / (ISP * G0))


def test_an_event_at_an_ideal_velocity(vertical):
    time = burn_time(DRY + PROPELLANT)
    # The step's own error, 1e-9 of 1000 m/s, over the acceleration of 23 m/s^2 and more.
    assert vertical.record.events[1].time == pytest.approx(time, abs=1e-7)
    assert vertical.value("bodies.rocket.ideal_velocity", "coast") == pytest.approx(SPENT_AT, abs=1e-6)
    assert vertical.value("bodies.rocket.ideal_velocity", "end") == pytest.approx(SPENT_AT, abs=1e-6)


def test_losses_of_a_vertical_rocket_in_vacuum(vertical):
    """Found after the flight, of the body that carries the engines and of the one that it carries."""
    time = vertical.record.events[1].time
    mass = DRY + PROPELLANT - 2 * THRUST / (ISP * G0) * vertical.time.clip(max=time)
    ideal = ISP * G0 * np.log((DRY + PROPELLANT) / mass)
    wanted = {
        "ideal_velocity": ideal,
        "gravity_loss": GRAVITY * vertical.time,
        "steering_loss": (1 - np.cos(CANT)) * ideal,
        "drag_loss": 0 * ideal,
        "pressure_loss": 0 * ideal,
    }
    for item, values in wanted.items():
        found = vertical[f"bodies.rocket.{item}"]
        np.testing.assert_allclose(found, values, rtol=0, atol=TOLERANCE * SPENT_AT, err_msg=item)
    found = vertical["bodies.payload.ideal_velocity"]
    np.testing.assert_allclose(found, ideal, rtol=0, atol=TOLERANCE * SPENT_AT)
    # Part of the state of the one, found by quadrature for the other.
    assert "bodies.payload.gravity_loss" in vertical.record.series


def test_a_flight_that_goes_on_from_a_saved_one_has_what_was_lost_before(vertical):
    """Of what is found after the flight, too."""
    names = [event.name for event in vertical.record.events]
    rest = simulate.fly(vertical.scenario, resume=(vertical.record.restart, names.index("coast")))
    for path in (
        "bodies.payload.gravity_loss",
        "bodies.rocket.ideal_velocity",
        "bodies.rocket.steering_loss",
    ):
        assert rest.series[path][0] == pytest.approx(vertical.value(path, "coast"), rel=1e-12)
        assert rest.series[path][-1] == pytest.approx(vertical.value(path, "end"), rel=10 * TOLERANCE)


@pytest.mark.long
def test_in_the_cases_of_a_batch(vertical):
    """The last is a quadrature in each case, the first is part of the state."""
    masses = np.array([DRY - 100, DRY])
    batch = vertical.scenario.run_batch({"bodies.rocket.mass": masses}, threads=1)
    times = np.array([burn_time(mass + 100 + PROPELLANT) for mass in masses])
    gravity, ideal = (batch.value(f"bodies.rocket.{item}") for item in ("gravity_loss", "ideal_velocity"))
    np.testing.assert_allclose(gravity, GRAVITY * (times + 2.0), rtol=0, atol=TOLERANCE * SPENT_AT)
    np.testing.assert_allclose(ideal, SPENT_AT, rtol=0, atol=1e-6)
    sums = batch.value("bodies.payload.steering_loss", "largest")
    np.testing.assert_allclose(sums, (1 - np.cos(CANT)) * SPENT_AT, rtol=0, atol=TOLERANCE * SPENT_AT)


def test_nothing_is_added_where_nothing_asks_for_it():
    """Without the trigger there is no such state, and without engines no such quantity."""
    declared = loads(VACUUM)
    assert layout_of(declared).parts["performance"].states == 1
    without = tree.set(declared, "phases.burn.until", ist.Trigger(time=3.0))
    assert "performance" not in layout_of(without).parts
    with pytest.raises(ist.BadInput, match=r"no quantity .bodies.payload.ideal"):
        tree.set(without, "engines", ()).check()


SAWTOOTH = """
planet = "flat"
gravity = { kind = "uniform", acceleration = [0, 0, -10] }
output = { interval = "3 s" }
solver = { method = "rk4", step = "50 ms" }
[bodies.ball]
mass = 1
inertia = [1, 2, 3]
[bodies.ball.initial]
position = [0, 0, 9]
velocity = [0, 0, -0.5]
attitude = { euler = "3-2-1", angles = "[0, -90, 0] deg" }
[engines.main]
kind = "motor"
body = "ball"
at = [0, 0, 0]
massless = true
ignited = true
thrust = { time = [0, 1, 2, 3, 4, 5, 6], value = [4, 16, 4, 16, 4, 16, 4] }
[phases.a]
until = { time = "6 s" }
"""


@pytest.mark.long
def test_fixed_steps_of_which_few_are_samples():
    """60 steps are between two samples. The speed is -1/2 - 6 s + 6 s^2 in seconds s of rising thrust, and
    -1/2 + 6 s - 6 s^2 in those of falling: it is upward for sqrt(2/3) s in each of these."""
    flight = loads(SAWTOOTH).run()
    gravity = 10 * (2 * 3 * np.sqrt(2 / 3) - 6)
    # Of the parts of a second in which the velocity turns, six times, as short as quadrature cuts them.
    bound = 6 * 32 * 3.0 / PIECES**DEEPEST
    assert flight.value("bodies.ball.gravity_loss", "end") == pytest.approx(gravity, abs=bound)
    assert flight.value("bodies.ball.steering_loss", "end") == pytest.approx(60 - gravity, abs=bound)
    assert flight.value("bodies.ball.ideal_velocity", "end") == pytest.approx(60, rel=1e-12)


AIR = """
planet = "earth"
atmosphere = "us76"
wind = { kind = "steady", velocity = [10, -20, 0] }
[gravity]
kind = "zonal"
[bodies.rocket]
mass = 3000.0
inertia = [1e3, 1e5, 1e5]
mass_centre = [5, 0, 0]
[bodies.rocket.initial]
latitude = "20 deg"
longitude = "-50 deg"
altitude = "10 m"
attitude_axes = "level"
attitude = { euler = "3-2-1", angles = "[90, 75, 0] deg" }
[bodies.rocket.elements.tank]
kind = "point"
propellant = 12000.0
at = [5, 0, 0]
[engines.main]
kind = "engine"
body = "rocket"
at = [0, 0, 0]
thrust = 300e3
thrust_sea_level = 260e3
isp = 300.0
feeds = { "rocket.tank" = 1.0 }
ignited = true
[aerodynamics.hull]
body = "rocket"
area = 3.0
length = 2.0
reference = [5, 0, 0]
coefficients = { CA = 0.4 }
[phases.up]
until = { elapsed = 90.0 }
[output]
interval = 0.25
"""


@pytest.fixture(scope="module")
def climb():
    return loads(AIR).run()


def test_what_the_speed_did_is_what_is_left_of_the_ideal_velocity(climb):
    """Nothing else acts: the change of the speed over the ground is the ideal velocity less all losses, to
    the tolerance of the quadrature. Each loss is found once more from the samples, by Simpson's rule."""
    flight = climb
    names = {item: flight[f"bodies.rocket.{item}"] for item in ITEMS}
    ideal = names["ideal_velocity"]
    left = ideal - sum(names[item] for item in ITEMS[1:])
    bound = len(ITEMS) * TOLERANCE * ideal[-1]  # of each item, the flight's own steps are 1e-9
    np.testing.assert_allclose(left, flight["bodies.rocket.ground_speed"], rtol=0, atol=bound)
    assert all(values[-1] > 1e-3 * ideal[-1] for values in names.values())
    mass, thrust = flight["bodies.rocket.mass"], flight["engines.main.thrust"]
    wanted = {
        "ideal_velocity": 300e3 / mass,
        "pressure_loss": flight["bodies.rocket.air_pressure"] * (40e3 / 101325.0) / mass,
        "steering_loss": thrust / mass * (1 - along(flight)),
        "gravity_loss": pull(flight),
    }
    wanted["drag_loss"] = -flight["aerodynamics.hull.force.x"] / mass * along(flight)
    h = np.diff(flight.time[:3])[0]
    for item, rate in wanted.items():
        simpson = h / 3 * np.sum(rate[:-2:2] + 4 * rate[1:-1:2] + rate[2::2])
        # Of the kinks of the air between layers, h^2/12 times the jumps of slopes of some 1e-2 m/s^3.
        assert names[item][-1] == pytest.approx(simpson, abs=2e-3), item


def along(flight) -> np.ndarray:
    """Cosine of the angle between structure x and the velocity over the ground."""
    yaw, pitch = flight["bodies.rocket.level_angles"][:, :2].T
    ahead = np.stack([np.cos(pitch) * np.cos(yaw), np.cos(pitch) * np.sin(yaw), -np.sin(pitch)], 1)
    return np.sum(ahead * direction(flight), 1)


def direction(flight) -> np.ndarray:
    """Of the velocity over the ground, to north, east and down; at first of the acceleration, about."""
    velocity = flight["bodies.rocket.ground_velocity"].copy()
    velocity[0] = velocity[1]
    return velocity / np.linalg.norm(velocity, axis=1)[:, None]


def pull(flight) -> np.ndarray:
    """Gravity and the centrifugal acceleration against the velocity over the ground."""
    place, latitude = flight["bodies.rocket.position"], flight["bodies.rocket.latitude"]
    out = 7.292115e-5**2 * place * [1, 1, 0]
    felt = flight["bodies.rocket.gravity"] + out
    longitude = np.arctan2(place[:, 1], place[:, 0])
    s, c, sl, cl = np.sin(latitude), np.cos(latitude), np.sin(longitude), np.cos(longitude)
    level = np.stack([[-s * cl, -s * sl, c], [-sl, cl, 0 * s], [-c * cl, -c * sl, -s]])
    return -np.einsum("ijt,tj,ti->t", level, felt, direction(flight))


# --- what the ground holds

PAD, HOLD = 2.0, 1.5
"""How long the ground holds the rocket [s], and how long it is flown after that."""
HELD = (
    VACUUM[: VACUUM.index("[phases.burn]")]
    + f"""
HOLDER
[phases.pad]
until = {{ elapsed = {PAD} }}
[phases.up]
until = {{ elapsed = {HOLD} }}
[events.never]
when = {{ quantity = "bodies.rocket.steering_loss", reaches = 1e9 }}
"""
)
UPRIGHT = 'parent_frame = { euler = "3-2-1", angles = "[0, -90, 0] deg" }'
CLAMP = f'[joints.clamp]\nkind = "KIND"\nparent = "ground"\nchild = "rocket"\n{UPRIGHT}\n'
SPRINGS = f"""[forces.feet]
kind = "bushing"
parent = "ground"
child = "rocket"
{UPRIGHT}
stiffness = [4e6, 1e6, 1e6]
torsional_stiffness = [1e6, 1e6, 1e6]
phases = ["pad"]
"""
TABLE = """[bodies.table]
mass = 1e4
inertia = [1e3, 1e3, 1e3]
initial = {}
[joints.bolts]
kind = "fixed"
parent = "ground"
child = "table"
"""


@pytest.mark.long
def test_losses_count_from_the_release_on():
    """The rocket equation throughout; gravity's and cant's share of it by the time that it flies. The one is
    part of the state, the other found after the flight."""
    with compiled_flights():
        flight = loads(HELD.replace("HOLDER", SPRINGS)).run()
    mass, flow = DRY + PROPELLANT, 2 * THRUST / (ISP * G0)
    pad, ideal = (ISP * G0 * np.log(mass / (mass - flow * t)) for t in (PAD, PAD + HOLD))
    lost = {item: [flight.value(f"bodies.rocket.{item}", at) for at in ("up", "end")] for item in ITEMS}
    close = TOLERANCE * ideal
    np.testing.assert_allclose(lost["ideal_velocity"], [pad, ideal], rtol=0, atol=close)
    # Springs let it go with a velocity of their own: while it goes down, at first, thrust counts twice as
    # steered, and it goes up with the thrust less the weight.
    start = flight.value("bodies.rocket.ground_speed", "up")
    rise = 2 * THRUST / (mass - flow * PAD)
    close += 2 * rise / (rise * np.cos(CANT) - GRAVITY) * start
    assert close < 0.05
    np.testing.assert_allclose(lost["gravity_loss"], [0, GRAVITY * HOLD], rtol=0, atol=close)
    steered = (1 - np.cos(CANT)) * (ideal - pad)
    np.testing.assert_allclose(lost["steering_loss"], [0, steered], rtol=0, atol=close)
    table = told(flight, "losses")
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert (row["gravity loss"], row["steering loss"]) == ("0.00", "0.00")
    assert float(row["other losses"]) == pytest.approx(pad - start, abs=0.01)
    assert "While the ground holds the body" in table.note


SLIDING = re.sub(r"(?m)^stiffness = .*$", "stiffness = [0, 1e6, 1e6]", SPRINGS)
SLANTED = np.zeros((6, 6))
SLANTED[:3, :3] = 1e6 * (np.eye(3) - np.full((3, 3), 1 / 3))  # along (1, 1, 1) it holds nothing
BY_MATRIX = re.sub(r"(?m)^(torsional_)?stiffness = .*$", "", SPRINGS) + f"matrix = {SLANTED.tolist()}\n"
GUIDES = [SLIDING, BY_MATRIX, TABLE + SLIDING.replace('"ground"', '"table"')]


@pytest.mark.parametrize(
    ("holder", "speed", "holds"),
    [
        (CLAMP.replace("KIND", "fixed"), 0.0, True),
        (CLAMP.replace("KIND", "spherical"), 0.0, True),
        (SPRINGS, 0.5, True),
        (SPRINGS, 2.0, False),
        (SPRINGS.replace('["pad"]', '["up"]'), 0.5, False),
        (TABLE + SPRINGS.replace('"ground"', '"table"'), 0.5, True),
        (CLAMP.replace("KIND", "fixed") + "active = false\n", 0.0, False),
        # On a rail losses count once it moves.
        (CLAMP.replace("KIND", "translational") + 'axis = "x"\n', 0.0, True),
        (CLAMP.replace("KIND", "translational") + 'axis = "x"\n', 0.5, False),
        # A guide is one, too, also by a matrix, and through what it holds.
        *((guide, speed, speed == 0) for guide in GUIDES for speed in (0.0, 0.5)),
        ("", 0.0, False),
    ],
)
def test_what_counts_as_a_hold(holder, speed, holds):
    """By the rates of the start, of the rocket and of what a joint holds on it."""
    text = HELD.replace("HOLDER", holder).replace(
        "initial = {", f"initial = {{ velocity = [0, 0, {speed}],", 1
    )
    found = law.rates(instant_as_declared(loads(text)), np.array([0, 1]))
    rise = 2 * THRUST / (DRY + PROPELLANT)
    losses = [0.0] * 4 if holds else [GRAVITY, 0.0, rise * (1 - np.cos(CANT)), 0.0]
    np.testing.assert_allclose(found, np.transpose([[rise, *losses]] * 2), rtol=0, atol=1e-12 * rise)


STRAP = """[bodies.load]
mass = 10.0
inertia = [1, 1, 1]
initial = {}
[forces.strap]
kind = "bushing"
parent = "rocket"
child = "load"
stiffness = [1e4, 1e4, 1e4]
"""


def test_what_is_held_by_no_joint_is_named():
    """As its mass is not in the ideal velocity."""
    text = VACUUM.replace(f"reaches = {SPENT_AT}", "reaches = 2.0").replace("elapsed = 2.0", "elapsed = 0.01")
    text += STRAP
    flight = loads(text).run(progress=False)
    notes = [one.note for one in summary.tables(flight.record) if one.key == "losses"]
    assert "excludes the mass of bodies that strap connects" in notes[0]
    assert not any("excludes" in note for note in notes[1:])


def test_all_is_held_on_the_pad():
    text = 'coordinates = "held"\n' + AIR
    vacuum, *losses = law.rates(instant_as_declared(loads(text)), np.array([0]))[:, 0]
    assert vacuum == pytest.approx(300e3 / 15000, rel=1e-12)
    assert losses == [0.0] * 4
    assert np.all(law.rates(instant_as_declared(loads(AIR)), np.array([0]))[[1, 4], 0] > 1.0)


# --- what a report shows of it


def told(flight, key: str) -> Table:
    (table,) = [one for one in summary.tables(flight.record) if one.key == key]
    return table


def test_the_course_is_what_quantities_are_at_events(climb):
    table = told(climb, "course")
    assert [row[1] for row in table.rows] == ["up", "end"]
    last = dict(zip(table.columns, table.rows[-1], strict=True))
    assert float(last["ground speed [m/s]"]) == pytest.approx(
        climb.value("bodies.rocket.ground_speed", "end"), rel=1e-3
    )
    assert float(last["altitude [km]"]) == pytest.approx(
        climb.value("bodies.rocket.altitude", "end") / 1e3, rel=1e-4
    )
    assert float(last["stack mass [kg]"]) == pytest.approx(climb.value("bodies.rocket.mass", "end"), rel=1e-4)


def test_extremes_say_when_and_where(climb):
    rows = {row[0]: row for row in told(climb, "extremes").rows}
    _, value, when, phase, altitude, mach, _ = rows["dynamic pressure [kPa]"]
    pressure = climb["bodies.rocket.dynamic_pressure"]
    at = int(np.argmax(pressure))
    assert float(value) == pytest.approx(pressure[at] / 1e3, rel=1e-3)
    assert phase == "up"
    between, there = climb.record.peaks  # the flight's, next to that of the samples
    place = np.argmin(np.abs(between - float(when)))
    assert abs(between[place] - float(when)) < 1e-5
    assert abs(float(when) - climb.time[at]) < 0.5
    assert climb.value("bodies.rocket.dynamic_pressure", "max") > pressure[at]
    assert float(altitude) == pytest.approx(there["bodies.rocket.altitude"][place] / 1e3, rel=1e-3)
    assert float(mach) == pytest.approx(there["bodies.rocket.mach"][place], rel=1e-3)
    product = climb["bodies.rocket.q_alpha"].max() * 180 / np.pi / 1e3
    assert float(rows["q alpha [kPa deg]"][1]) == pytest.approx(product, rel=1e-3)


def test_losses_by_phase_and_in_all(vertical):
    table = told(vertical, "losses")
    burn, coast, whole = (np.array(row[1:], float) for row in table.rows)
    np.testing.assert_allclose(burn + coast, whole, atol=0.02)  # as they are printed
    assert burn[0] == pytest.approx(SPENT_AT, abs=0.01)
    assert coast[1] == pytest.approx(GRAVITY * 2.0, abs=0.01)
    # Ideal velocity, less four losses and all else, is the change of the speed.
    assert whole[0] - whole[1:6].sum() == pytest.approx(whole[6], abs=0.05)
    assert whole[5] == pytest.approx(0.0, abs=0.01)


def test_masses_close(vertical, climb):
    """What was there is what was burnt and what is left; a sum that is not the mass that flew is pointed
    out."""
    for flight, left in ((vertical, vertical["bodies.rocket.elements.tank.left"][-1]), (climb, None)):
        table = told(flight, "masses")
        assert not table.bad
        start, burnt, dropped, end = map(float, table.rows[-1][2:6])
        assert start - burnt - dropped == pytest.approx(end, abs=0.02)
        if left is not None:
            assert end == pytest.approx(DRY - 100 + left, abs=0.01)
    record = replace(climb.record, series=dict(climb.record.series), before={}, after={})
    record.series["bodies.rocket.mass"] = record.series["bodies.rocket.mass"] + 1.0
    assert next(propellant.tables(record, "SI")).bad


def test_a_map_has_the_track_and_no_flight_in_place_has_one(climb, vertical):
    (track,) = [figure for figure in figures(climb.record) if figure.key == "track"]
    line = next(mark for mark in track.panels[0].marks if isinstance(mark, Line))
    np.testing.assert_allclose(line.x[-1], np.degrees(climb["bodies.rocket.longitude"][-1]), rtol=1e-12)
    ends = [end for axis in (track.panels[0].x, track.panels[0].y) for end in (axis.low, axis.high)]
    west, east, south, north = (end for end in ends if end is not None)
    middle = np.cos(np.radians((south + north) / 2))
    assert (east - west) * middle / (north - south) == pytest.approx(mission.WIDE / mission.HIGH)
    assert [figure.key for figure in figures(vertical.record)].count("track") == 0


class Course:
    """A flight by its steps, of rates over time alone."""

    def __init__(self, times, rate):
        self.track = SimpleNamespace(t=times[:-1], t_end=times[1:])
        self.record = SimpleNamespace(time=times)
        self.rate, self.calls = rate, 0

    def of_states(self, steps, rates, ends):
        return self.rate(self.track.t_end[steps] if ends else self.track.t[steps])

    def at(self, times, rates):
        self.calls += 1
        return self.rate(times)


@pytest.mark.parametrize("count", [4, 41, 401])
@pytest.mark.parametrize("width", [1.0, 1e-2, 1e-4, 1e-9])
def test_integrals_of_rates_that_all_but_jump(count, width):
    """As losses have where a body that sinks begins to rise; of smooth ones no more is looked at."""
    at = 2.3456

    def rate(t):
        return np.stack([np.tanh((t - at) / width), np.full_like(t, 3.0)], 1)

    def whole(t):
        x = np.abs(t - at) / width
        return width * (x + np.log1p(np.exp(-2 * x)) - np.log(2))

    course = Course(np.linspace(0, 10, count), rate)
    found = integral(course, None)
    assert found is not None
    # 1e-7 of the largest for each interval that is cut, at most some, and for those that are not.
    np.testing.assert_allclose(found.values[-1], [whole(10.0) - whole(0.0), 30], atol=10 * 30 * TOLERANCE)
    assert course.calls <= (1 if width == 1.0 and count > 4 else 2 * 6 + 1)


@pytest.mark.parametrize(("phase", "held"), [("joined", True), ("apart", False)])
def test_extremes_at_an_event_are_of_the_phase_that_has_them(phase, held):
    """A clamp loads until it releases, a spring that fires with that from there on."""
    record = stub_flight.separation_record()
    release = record.events[1].time
    record.events[2] = replace(record.events[2], time=release)  # of which both sides are after the release

    def load(time, joined):
        return np.where(joined == held, 8.0 - np.abs(time - release), 0.0)

    at = np.array([event.time for event in record.events])
    for values, time, joined in (
        (record.series, record.time, record.time <= release),
        (record.before, at, [True, True, False]),
        (record.after, at, [True, False, False]),
    ):
        values["bodies.payload.altitude"] = time
        values["bodies.payload.load_factor"] = load(time, np.array(joined))
    for name in ("altitude", "load_factor"):
        record.meta[f"bodies.payload.{name}"] = QuantityMeta(name, "m")
    rows = mission.extremes_table(record, "payload", "", "SI", False).rows
    _, value, when, where, *_ = next(cells for cells in rows if cells[0].startswith("load factor"))
    assert (float(value), float(when), where) == (8.0, release, phase)


LINKED = """
gravity = "none"
[bodies.lower]
mass = 900
inertia = [300, 300, 300]
initial = {}
[bodies.upper]
mass = 100
inertia = [10, 10, 10]
initial = { position = [2, 0, 0] }
[engines.motor]
kind = "engine"
body = "lower"
at = [0, 0, 0]
thrust = 3000
massless = true
ignited = true
[phases.fly]
until = { time = 1 }
"""
BEAM = """[forces.link]
kind = "beam"
parent = "lower"
child = "upper"
length = 2
elements = 4
[forces.link.section]
kind = "rectangle"
width = 0.1
height = 0.1
young = 7e10
shear_modulus = 2.7e10
density = 2700
"""
MOUNT = """[forces.link]
kind = "bushing"
parent = "lower"
child = "upper"
parent_at = [2, 0, 0]
stiffness = [1e6, 1e6, 1e6]
torsional_stiffness = [1e6, 1e6, 1e6]
"""


@pytest.mark.parametrize(
    ("link", "whole"),
    [(BEAM, 1000 + 2700 * 0.1 * 0.1 * 2), (MOUNT, 1000), (MOUNT + "phases = []\n", None)],
    ids=["beam", "bushing", "bushing that does not act"],
)
def test_stages_on_a_beam_or_a_bushing_are_one_stack(link, whole):
    """Ideal velocity of both is that of the thrust over the mass of all, the beam's included."""
    here = instant_as_declared(loads(LINKED + link))
    found = law.rates(here, np.array([0, 1]))[0]
    wanted = [3000 / 900, 0.0] if whole is None else [3000 / whole] * 2
    np.testing.assert_allclose(found, wanted, rtol=1e-12)  # a few roundings
    masses = quantities(here, "bodies.lower.stack_mass", "bodies.upper.stack_mass").values()
    wanted = [900, 100] if whole is None else [whole] * 2
    np.testing.assert_allclose([float(mass) for mass in masses], wanted, rtol=1e-12)
