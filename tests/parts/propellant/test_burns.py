"""Single bodies that burn: the rocket equation, depletion, relight, jet damping, lanes and derivatives."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from burning import IGNITE, SHUT_DOWN, engine, phase
from interstage.reading import loads
from interstage.tree.addresses import get

pytestmark = pytest.mark.usefixtures("long_flights")

G0 = 9.80665
EPS = np.finfo(float).eps

STAGE = (
    """
[bodies.stage]
mass = 300.0
mass_centre = [2.0, 0, 0]
inertia = [60.0, 500.0, 500.0]
[bodies.stage.initial]
angular_velocity = [0.0, 0.0, 0.0]
[bodies.stage.elements.fuel]
kind = "cylinder"
propellant = 500.0
density = 900.0
radius = 0.5
bottom = [1.0, 0, 0]
axis = [1, 0, 0]
residual = 20.0
"""
    + engine(
        "stage", "[0.0, 0, 0]", 12000.0, 250.0, 0.5, 'tail_off_time = 0.4\nfeeds = { "stage.fuel" = 1.0 }'
    )
    + phase("first", 20, IGNITE)
    + phase("coast", 25, SHUT_DOWN)
    + phase("second", 120, IGNITE)
    + """
[events.again]
when = { time = "110 s" }
ignite = ["main"]
[solver]
tolerance = 1e-12
[output]
interval = 5.0
"""
)
"""A stage with its tank and its nozzle on its axis, burnt twice, the second time to depletion, after which it
is ignited in vain."""

FLOW = 12000.0 / (250.0 * G0)
FIRST = FLOW * (0.25 + 19.5 + 0.2)
"""Propellant of the first burn [kg]: smooth rise and fall give half of what they last."""
EMPTY = 25.0 + 0.25 + (480.0 - FIRST) / FLOW
"""When only the residual is left [s]."""
TRANSVERSE = {"bodies.stage.initial.angular_velocity": [0.0, 0.0, 0.3]}


@pytest.fixture(scope="module")
def straight():
    """The flight along a straight line."""
    return loads(STAGE).run()


def flowing(t):
    """(mass flow [kg/s], its rate, propellant drawn [kg]) of the first burn at times t [s]."""
    x, y = np.clip(t / 0.5, 0, 1), np.clip((t - 20.0) / 0.4, 0, 1)
    share = [a**3 * (10 - 15 * a + 6 * a**2) for a in (x, y)]
    slope = [30 * (a * (1 - a)) ** 2 / span for a, span in ((x, 0.5), (y, 0.4))]
    under = [a**4 * (2.5 - 3 * a + a**2) for a in (x, y)]
    drawn = 0.5 * under[0] + np.clip(t - 0.5, 0, None) - 0.4 * under[1] - np.clip(t - 20.4, 0, None)
    return FLOW * (share[0] - share[1]), FLOW * (slope[0] - slope[1]), FLOW * drawn


def test_two_burns_along_a_line(straight):
    """Of what the gas has carried away and the momentum L of the stream within, m u + L: the speed is isp g0
    ln(m0 / m), by Tsiolkovsky, less the integral of L' / m, by Gauss's rule. What was drawn is exact."""
    nodes, weights = np.polynomial.legendre.leggauss(24)
    gone = 0.0
    for a, b in ((0, 0.5), (0.5, 20.0), (20.0, 20.4)):
        flow, rate, drawn = flowing((a + b) / 2 + (b - a) / 2 * nodes)
        left = 500.0 - drawn
        # L = -flow (1 + height), whose surface falls as it is drawn.
        height = left / (900.0 * np.pi * 0.25)
        slope = -rate * (1 + height) + flow * flow / (900.0 * np.pi * 0.25)
        gone += (b - a) / 2 * weights @ (slope / (300.0 + left))
    tsiolkovsky = 250.0 * G0 * np.log(800.0 / (800.0 - FIRST))
    speed = straight.value("bodies.stage.velocity.x", "second", "before")
    assert speed == pytest.approx(tsiolkovsky - gone, rel=1e-12)
    assert abs(gone) > 1e-3
    rest = straight.value("bodies.stage.elements.fuel.left", "coast", "before")
    np.testing.assert_allclose(rest, 500.0 - FLOW * 19.75, rtol=1e-12)
    rest = straight.value("bodies.stage.elements.fuel.left", "second", "before")
    np.testing.assert_allclose(rest, 500.0 - FIRST, rtol=1e-12)


def test_depletion_ends_the_engine(straight):
    row = straight.event_row("stage.fuel empty")
    assert straight.record.events[row].time == pytest.approx(EMPTY, rel=1e-11)
    assert straight["bodies.stage.elements.fuel.left"][-1] == pytest.approx(20.0, rel=1e-12)
    sides = [straight.value("engines.main.mass_flow", "stage.fuel empty", s) for s in ("before", "after")]
    np.testing.assert_allclose(sides, [FLOW, 0.0], rtol=1e-12)
    burning = [straight.value("engines.main.burning", e) for e in ("first", "coast", "second", "end")]
    assert burning == [1, 1, 1, 0]  # at the cut-off its tail-off begins
    assert straight.value("engines.main.burning", "second", "before") == 0


def properties(left):
    """(mass, centre of mass on the axis, transverse inertia) of the stage by its propellant, by hand."""
    height = left / (900.0 * np.pi * 0.25)
    mass = 300.0 + left
    centre = (600.0 + left * (1.0 + height / 2)) / mass
    own = 500.0 + left * (0.25 / 4 + height**2 / 12)
    return mass, centre, own + 300.0 * (2.0 - centre) ** 2 + left * (1.0 + height / 2 - centre) ** 2


def by_particles(count):
    """Rate over its first value once 480 kg in `count` slices were drawn from the surface, carried along the
    axis to the nozzle, and release there: the angular momentum of all together stays, and release turns
    nothing."""
    edges = np.linspace(500.0, 20.0, count + 1)
    ratio = 1.0
    for before, after in itertools.pairwise(edges):
        slice_mass = before - after
        mass, centre, rest = properties(after)
        # The rest and a particle at the nozzle, about the mass centre of both.
        ratio *= properties(before)[2] / (rest + slice_mass * mass / (300.0 + before) * centre**2)
    return ratio


def test_jet_damping():
    """A transverse rate, against particles carried to the nozzle one by one, refined, and against the scalar
    law J w' = -(J' + m_s rho^2) w integrated over the propellant."""
    from scipy.integrate import quad

    flight = loads(STAGE, TRANSVERSE).run()
    found = flight["bodies.stage.angular_velocity"][-1] / 0.3
    coarse, fine, finest = (by_particles(n) for n in (400, 800, 1600))
    refined = [2 * b - a for a, b in ((coarse, fine), (fine, finest))]
    limit = (4 * refined[1] - refined[0]) / 3  # orders one and two taken away
    assert found[2] == pytest.approx(limit, abs=1e-8)
    assert abs(found[2] - 1) > 0.01

    def damping(left):
        step = 1e-3
        slope = (properties(left + step)[2] - properties(left - step)[2]) / (2 * step)
        _, centre, inertia = properties(left)
        return (slope - centre**2) / inertia  # with J' = -m_s dJ/dm

    exponent = quad(damping, 500.0, 20.0, epsabs=1e-12, epsrel=1e-12)[0]
    assert found[2] == pytest.approx(np.exp(-exponent), rel=1e-9)
    np.testing.assert_allclose(found[:2], 0, atol=1e-12)


LANES = {
    "engines.main.thrust": np.array([12000.0, 11500.0, 12500.0]),
    "bodies.stage.elements.fuel.propellant": np.array([500.0, 520.0, 480.0]),
    "bodies.stage.elements.fuel.density": np.array([900.0, 850.0, 950.0]),
}


@pytest.mark.long
def test_lanes_are_single_flights():
    moving = "bodies.stage.initial.angular_velocity", [0.0, 0.05, 0.3]
    batch = loads(STAGE, dict([moving])).run_batch(LANES)
    for lane in (0, 2):
        lanes, single = batch.record(lane).series, batch.case(lane).run()
        for name in ("velocity", "angular_velocity", "mass"):
            expected = single[f"bodies.stage.{name}"][-1]
            found = lanes[f"bodies.stage.{name}"][-1]
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10 * np.abs(expected).max())


@pytest.mark.long
def test_derivatives_of_the_final_velocity():
    """Through two burns and the depletion, against central differences of whole flights."""
    steps = {
        "engines.main.thrust": 12.0,
        "engines.main.isp": 0.25,
        "bodies.stage.elements.fuel.propellant": 0.5,
        "bodies.stage.elements.fuel.residual": 0.02,
        "bodies.stage.mass": 0.3,
    }
    scenario, path = loads(STAGE), "bodies.stage.velocity.x"
    found = scenario.derivatives([path], list(steps)).by[path]
    for name, step in steps.items():
        value = get(scenario, name)
        ends = [loads(STAGE, {name: float(value) + sign * step}).run()[path][-1] for sign in (1, -1)]
        difference = (ends[0] - ends[1]) / (2 * step)
        # Differences err by their third order, a thousandth squared of the number here.
        assert float(found[name]) == pytest.approx(difference, rel=1e-5, abs=1e-9), name


INTERVAL = 0.1
"""Between samples of the motor's flight [s]."""
MOTOR = f"""
[bodies.case]
mass = 2.0
mass_centre = [0.1, 0, 0]
inertia = [0.01, 0.3, 0.3]
inertia_rate = 0.75
initial = {{ angular_velocity = [20.0, 0.0, 0.0] }}
[bodies.case.elements.grain]
kind = "grain"
propellant = 0.6
density = 1700.0
centre = [0.2, 0, 0]
axis = [1, 0, 0]
length = 0.28
outer_radius = 0.025
[engines.motor]
kind = "motor"
body = "case"
at = [0.0, 0, 0]
file = "{Path(__file__).parents[2] / "invented.eng"}"
designation = "INV-A"
grain = "case.grain"
slag = 0.05
impulse_factor = 1.02
burn_rate_factor = 1.25
[phases.wait]
until = {{ time = "0.1 s" }}
[phases.burn]
ignite = ["motor"]
until = {{ time = "2 s" }}
[solver]
tolerance = 1e-11
[output]
interval = {INTERVAL}
"""


def test_motor_of_a_file_and_the_empirical_rate_model():
    """Impulse and burnt mass of a trace, the rocket equation of its constant exhaust velocity, and the spin
    of the empirical model J w' = -k J' w, whose integral is w0 (J0 / J)^k."""
    flight = loads(MOTOR).run()
    time = np.array([0.0, 0.05, 0.2, 0.9, 1.4, 1.55])
    trace = np.array([0.0, 900.0, 1100.0, 800.0, 750.0, 0.0])
    impulse = 1.02 * np.trapezoid(trace, time)  # the burn rate leaves it as it is
    mass = flight["bodies.case.mass"]
    assert mass[-1] == pytest.approx(2.05, rel=1e-9)
    speed = flight["bodies.case.velocity"][:, 0]
    np.testing.assert_allclose(speed, impulse / 0.55 * np.log(2.6 / mass), rtol=0, atol=1e-12 * speed[-1])
    burnt = mass < 2.05 * (1 + 1e-7)
    assert 0 <= flight.record.time[burnt][0] - (0.1 + 1.55 / 1.25) < INTERVAL
    # Axial inertia of the tube: its outer radius stays, its inner one follows from its mass.
    left = mass - 2.0
    inner = 0.025**2 - left / (1700.0 * np.pi * 0.28)
    inertia = 0.01 + left * (0.025**2 + inner) / 2
    np.testing.assert_allclose(flight["bodies.case.inertia"][:, 0], inertia, rtol=1e-12)
    expected = 20.0 * (inertia[0] / inertia) ** 0.75
    np.testing.assert_allclose(flight["bodies.case.angular_velocity"][:, 0], expected, rtol=1e-9)
    assert expected[-1] > 20.05


STEERED = """
[bodies.probe]
mass = 200.0
mass_centre = [2.0, 0, 0]
inertia = [50.0, 400.0, 400.0]
initial = {}
[controls.steer]
kind = "pid"
measured = "bodies.probe.angular_velocity.y"
target = -0.05
kp = -2.0
[engines.main]
kind = "engine"
body = "probe"
at = [0.0, 0, 0]
thrust = 1000.0
massless = true
ignited = true
gimbal = { pitch = "controls.steer" }
[phases.turn]
until = { time = "2 s" }
[solver]
tolerance = 1e-12
[output]
interval = 0.25
"""


def test_a_gimballed_engine_without_mass():
    """A loop that holds a pitch rate by the gimbal: sin of the angle, for which the loop has a closed form,
    tan(angle / 2) falling exponentially with the gain; the mass stays."""
    flight = loads(STEERED).run()
    angle, rate = flight["engines.main.gimbal"][:, 0], flight["bodies.probe.angular_velocity"][:, 1]
    np.testing.assert_allclose(angle, -2.0 * (-0.05 - rate), rtol=0, atol=1e-15)
    # The thrust turns towards -z at 2 m behind the mass centre: J w' = -2 F sin(angle), angle = 0.1 + 2 w.
    decay = 2.0 * 2.0 * 1000.0 / 400.0
    expected = 2 * np.arctan(np.tan(0.05) * np.exp(-decay * flight.record.time))
    np.testing.assert_allclose(angle, expected, rtol=0, atol=1e-12)
    force = flight["engines.main.force"]
    along = np.stack([np.cos(angle), 0 * angle, -np.sin(angle)], 1)
    np.testing.assert_allclose(force, 1000.0 * along, rtol=0, atol=1e-9)
    assert (flight["bodies.probe.mass"] == 200.0).all()
    assert (flight["engines.main.mass_flow"] == 0.0).all()
