"""Parachutes and streamers: closed forms of speed and fall, filling, failure modes, and what is refused."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad

from interstage.reading import loads
from interstage.runs.run import fly
from interstage.tree.errors import BadInput

pytestmark = pytest.mark.usefixtures("long_flights")

CLOSED = 1e-8
"""Of a closed form, relative."""
MASS, AREA, SPEED, DENSITY, PULL = 20.0, 3.0, 80.0, 1.1, 9.8
FIRED, DELAY, FILL, POWER, CUT = 0.5, 0.25, 0.8, 2.0, 3.0

AIR = f"""
[planet]
kind = "flat"
[atmosphere]
kind = "table"
altitude = [0.0, 1000.0, 2000.0, 3000.0]
temperature = [280.0, 280.0, 280.0, 280.0]
density = [{DENSITY}, {DENSITY}, {DENSITY}, {DENSITY}]
"""
CHUTE = f"""
[devices.chute]
kind = "parachute"
body = "capsule"
drag_area = {AREA}
delay = {DELAY}
fill_time = {FILL}
exponent = {POWER}
cut = "loose"
"""


def text(chute=CHUTE, air=AIR, gravity="", velocity: Any = (SPEED, 0, 0), fire='fire = ["chute"]') -> str:
    """A capsule that flies level, or falls, at 1500 m: north is inertial x, and up z."""
    return f"""
{gravity}
{air}
[bodies.capsule]
mass = {MASS}
inertia = [3.0, 4.0, 5.0]
[bodies.capsule.initial]
position = [0, 0, 1500]
velocity = {list(velocity)}
[phases.fly]
until = {{ time = {FIRED} }}
[phases.drag]
{fire}
until = {{ time = {CUT} }}
[phases.loose]
until = {{ time = 3.5 }}
[solver]
tolerance = 1e-13
[output]
interval = 0.05
{chute}
"""


@cache
def flown(**changes) -> Any:
    scenario = loads(text())
    for path, value in changes.items():
        scenario = scenario_with(scenario, path.replace("__", "."), value)
    return fly(scenario)


def scenario_with(scenario, path, value):
    from interstage.tree.addresses import set as put

    return put(scenario, path, value)


def level_speed(time, area=AREA, fill=FILL, delay=DELAY):
    """1/v = 1/v0 + rho/(2 m) times the integral of the drag area over the time, up to the cut."""
    since = np.clip(time - FIRED - delay, 0.0, CUT - FIRED - delay)
    power = POWER
    filling = np.minimum(since, fill)
    whole = filling ** (power + 1) / ((power + 1) * fill**power) if fill > 0 else 0.0
    return 1 / (1 / SPEED + DENSITY * area * (whole + np.maximum(since - fill, 0.0)) / (2 * MASS))


def speed(record):
    return record.series["bodies.capsule.velocity"][:, 0]


def test_level_flight_slows_down_by_the_closed_form():
    """Through the delay, the filling, the full canopy and the cut; without gravity the height stays."""
    record = flown()
    assert speed(record) == pytest.approx(level_speed(record.time), rel=CLOSED)
    # Steps end where it is full: a bend that nothing tells of costs 15 steps that are refused.
    assert record.statistics["steps rejected"] < 10
    names = {event.name: event.time for event in record.events}
    assert names["chute deployed"] == pytest.approx(FIRED + DELAY, abs=1e-12)
    area = record.series["devices.chute.drag_area"]
    t = record.time
    since = np.clip((t - FIRED - DELAY) / FILL, 0, 1)
    out = (t > FIRED + DELAY) & (t < CUT)
    inside = np.abs(t - CUT) > 1e-9  # samples on the cut are of its one side or the other
    assert area[inside] == pytest.approx(np.where(out, AREA * since**POWER, 0)[inside], abs=1e-12)
    assert (record.series["devices.chute.state"][inside] == (area > 0)[inside]).all()
    tension = 0.5 * DENSITY * speed(record) ** 2 * area
    assert record.series["devices.chute.tension"] == pytest.approx(tension, rel=1e-9, abs=1e-9)
    # Control: the integral in the closed form, by quadrature.
    numeric = quad(lambda s: min(s / FILL, 1) ** POWER, 0, 1.5, points=[FILL])[0]
    since = 1.5 + FIRED + DELAY
    wanted = 1 / (1 / SPEED + DENSITY * AREA * numeric / (2 * MASS))
    assert level_speed(np.array([since]))[0] == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"devices__chute__strength": 0.5}, {"area": 0.5 * AREA}),
        ({"devices__chute__strength": 0.0}, {"area": 0.0}),
        ({"devices__chute__works": 0.0}, {"area": 0.0}),
        ({"devices__chute__delay": 1.25}, {"delay": 1.25}),
        ({"devices__chute__delay": np.inf}, {"area": 0.0}),
        ({"devices__chute__fill_time": 0.0}, {"fill": 0.0}),
    ],
    ids=lambda value: str(value) if "__" in str(value) else "",
)
def test_failure_modes_are_numbers(change, expected):
    """Weak, missing, failed, late, and one that fills at once: one program flies them all."""
    record = flown(**change)
    assert speed(record) == pytest.approx(level_speed(record.time, **expected), rel=CLOSED)
    deployed = "chute deployed" in [event.name for event in record.events]
    fails = change.get("devices__chute__works") == 0 or change.get("devices__chute__delay") == np.inf
    assert deployed == (not fails)


@pytest.mark.long
def test_terminal_speed_and_the_way_to_it():
    """A fall from rest: v = vt tanh(g t/vt), vt^2 = 2 m g/(rho CD S); a streamer has c l w for CD S."""
    streamer = """
[devices.chute]
kind = "streamer"
body = "capsule"
length = 10.0
width = 0.5
drag_coefficient = 0.6
after = "start"
"""
    weight = f'[gravity]\nkind = "uniform"\nacceleration = [0, 0, -{PULL}]'
    fall = partial(text, streamer, gravity=weight, fire="")
    record = fly(loads(fall(velocity=(0, 0, 0))))
    terminal = np.sqrt(2 * MASS * PULL / (DENSITY * 0.6 * 10.0 * 0.5))
    wanted = -terminal * np.tanh(PULL * record.time / terminal)
    found = record.series["bodies.capsule.velocity"][:, 2]
    assert found == pytest.approx(wanted, rel=CLOSED, abs=CLOSED)
    # Where it falls at the terminal speed nothing accelerates it.
    there = fly(loads(fall(velocity=(0, 0, -float(terminal)))))
    assert np.abs(there.series["bodies.capsule.acceleration"]).max() < CLOSED * PULL


@pytest.mark.long
def test_the_line_pulls_at_its_point():
    """Along the air's velocity past the point, which moves as the body turns."""
    chute = f"""
[devices.chute]
kind = "parachute"
body = "capsule"
drag_area = {AREA}
at = [0.5, 0.2, -0.3]
after = "start"
"""
    scenario = text(chute, fire="").replace(
        "[phases.fly]", "angular_velocity = [1.0, -2.0, 0.5]\n[phases.fly]"
    )
    record = fly(loads(scenario.replace(f"time = {FIRED}", "time = 0.001")))
    arm, spin = np.array([0.5, 0.2, -0.3]), np.array([1.0, -2.0, 0.5])
    past = np.array([SPEED, 0, 0]) + np.cross(spin, arm)  # the structure axes are inertial ones at the start
    force = -0.5 * DENSITY * AREA * np.linalg.norm(past) * past
    assert record.series["devices.chute.force"][0] == pytest.approx(force, rel=1e-12)
    assert record.series["devices.chute.torque"][0] == pytest.approx(np.cross(arm, force), rel=1e-11)
    assert record.series["devices.chute.airspeed"][0] == pytest.approx(np.linalg.norm(past), rel=1e-13)


@pytest.mark.parametrize(
    ("line", "air", "key", "message"),
    [
        ("", "", "", "needs a planet"),
        ("", '[planet]\nkind = "flat"\n', "", "needs an atmosphere"),
        ('body = "capsul"', AIR, "body", "did you mean 'capsule'"),
        ('cut = "lose"', AIR, "cut", "did you mean 'loose'"),
        ('cut = "chute deployed"', AIR, "cut", "is the deployment event"),
        ('after = "never"', AIR, "after", "there is no phase"),
        ("drag_area = 0", AIR, "drag_area", "more than zero"),
        ("fill_time = -1", AIR, "fill_time", "negative"),
        ("exponent = 0.5", AIR, "exponent", "1 (linear)"),
        ("works = 0.5", AIR, "works", "1 if the device works"),
        ("strength = -1", AIR, "strength", "negative"),
        ("fill_tim = 1", AIR, "fill_tim", "fill_time"),
    ],
)
def test_faulty_ones_are_refused(line, air, key, message):
    """With one line more, or in place of another."""
    name = line.partition(" ")[0]
    lines = [given for given in CHUTE.splitlines() if not name or given.partition(" ")[0] != name]
    with pytest.raises(BadInput) as error:
        loads(text("\n".join([*lines, line]), air))
    place = f"devices.chute.{key}".rstrip(".")
    found = [p for p in error.value.problems if p.place == place]
    assert any(message in p.message for p in found), str(error.value)


def test_one_that_nothing_fires_is_refused():
    with pytest.raises(BadInput, match="no phase or event fires"):
        loads(text(fire=""))
