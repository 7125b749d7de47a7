"""Entry along a profile of drag: its range and sink rate against closed forms and quadrature, entries to a
site from dispersed states, why it gives up, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad

from bad_input.edits import refused
from interstage.parts.guidance import drag_tracking
from interstage.reading import loads
from interstage.tree.errors import BadInput

pytestmark = pytest.mark.usefixtures("long_flights")

KM = 1e3
ENTRY = """
coordinates = "point"
attitude = "entry"
planet = "earth"
gravity = "zonal"
atmosphere = "us76"
[sites.base]
latitude = "28.6 deg"
longitude = "-80.6 deg"
[bodies.orbiter]
mass = 83e3
inertia = [1e6, 1e7, 1e7]
[bodies.orbiter.initial]
latitude = "20 deg"
longitude = "-153 deg"
altitude = "122 km"
speed = "7400 m/s"
flight_path_angle = "-1.2 deg"
azimuth = "65 deg"
[aerodynamics.hull]
body = "orbiter"
area = 250.0
length = 12.0
[aerodynamics.hull.coefficients.CL]
axes = [{ variable = "alpha", points = "[0, 15, 40, 60] deg" }]
values = [-0.05, 0.35, 0.9, 0.9]
[aerodynamics.hull.coefficients.CD]
axes = [{ variable = "alpha", points = "[0, 15, 40, 60] deg" }]
values = [0.06, 0.18, 0.85, 1.5]
[guidance.entry]
kind = "entry"
body = "orbiter"
site = "base"
alpha = { over = "bodies.orbiter.airspeed", points = [700, 3000, 5000], value = "[15, 40, 40] deg" }
ends_at = "90 km"
period = "2 s"
corridor = { over = "bodies.orbiter.airspeed", points = [700, 1500, 3e3, 7e3], value = "[4, 8, 12, 14] deg" }
[guidance.entry.drag]
over = "energy"
points = [0.53e6, 1.49e6, 5.0e6, 13.1e6, 25.2e6, 28.2e6]
value = [5.5, 8.5, 8.5, 6.5, 3.0, 2.0]
[phases.entry]
until = { quantity = "bodies.orbiter.airspeed", reaches = 750, direction = "falling" }
[output]
interval = "100 s"
"""

LANES = 8


def dispersed(lanes: int) -> dict[str, Any]:
    """Of the state at 122 km, the mass, the aerodynamic forces and its density, one sigma."""
    rng = np.random.default_rng(7)
    place = "bodies.orbiter.initial"
    sigma = {
        f"{place}.latitude": (np.radians(20), np.radians(0.3)),
        f"{place}.longitude": (np.radians(-153), np.radians(1.0)),
        f"{place}.speed": (7400.0, 15.0),
        f"{place}.flight_path_angle": (np.radians(-1.2), np.radians(0.05)),
        f"{place}.azimuth": (np.radians(65), np.radians(0.5)),
        "bodies.orbiter.mass": (83e3, 2e3),
        "aerodynamics.hull.factor": (1.0, 0.05),
        "atmosphere.density_factor": (1.0, 0.1),
    }
    return {path: mean + spread * rng.standard_normal(lanes) for path, (mean, spread) in sigma.items()}


@pytest.fixture(scope="module")
def entries():
    return loads(ENTRY).run_batch(dispersed(LANES), together=True)


@pytest.mark.long
def test_entries_from_dispersed_states_end_at_the_site(entries):
    """None gives up, and all end within 6 km of the 90 km from the site that the profile ends at, after a way
    of 7000 km; the course is within its last corridor and what a reversal takes."""
    distance = entries.value("guidance.entry.distance")
    assert distance.shape == (LANES,)
    assert (entries.value("guidance.entry.status", "max") < drag_tracking.NO_AUTHORITY).all()
    assert (np.abs(distance - 90 * KM) < 12 * KM).all()
    assert (np.abs(entries.value("guidance.entry.course_error")) < np.radians(10)).all()


@pytest.fixture(scope="module")
def short():
    """An entry that begins 1500 km too near."""
    return loads(ENTRY, {"bodies.orbiter.initial.longitude": "-138 deg"}).run(progress=False)


@pytest.mark.long
def test_drag_follows_the_profile_until_it_gives_up(short):
    series, t = short.record.series, short.record.time
    cd, q = series["aerodynamics.hull.CD"], series["bodies.orbiter.dynamic_pressure"]
    asked, status = series["guidance.entry.drag"], series["guidance.entry.status"]
    held = (t >= 500) & (t <= 900)
    error = np.abs((cd * q * 250 / 83e3)[held] / asked[held] - 1)
    # Each time that the bank goes through zero to the other side, for 30 s, lift is up, and the drag falls
    # behind; the response of 25 s takes that out again.
    assert np.median(error) < 0.05
    assert error.max() < 0.2
    assert held.sum() > 3
    assert status[-1] >= drag_tracking.NO_AUTHORITY
    told = [w for w in short.record.warnings if "Guidance 'entry' failed at" in w]
    assert len(told) == 1
    assert f"{drag_tracking.WHY[int(status[-1])]}. The law then continued at" in told[0]


# --- the profile --------------------------------------------------------------------------------------------


class Profile:
    def __init__(self, over: str, points: Any, value: Any):
        self.over, self.points, self.value = over, np.array(points, float), np.array(value, float)


def test_range_along_a_constant_drag():
    """(V0^2 - Vf^2)/(2 D), and (E0 - Ef)/D, beyond the last point, too; nothing below the first one."""
    speed = np.array([500.0, 800.0, 3000.0, 7000.0, 7800.0])
    by_speed = Profile("speed", [800, 2000, 7000], [6, 6, 6])
    wanted = np.maximum(speed**2 - 800**2, 0) / 12
    np.testing.assert_allclose(drag_tracking.reach(by_speed, speed), wanted, rtol=1e-14)
    by_energy = Profile("energy", [4e5, 9e6], [6, 6])
    energy = np.array([1e5, 4e5, 5e6, 2e7])
    np.testing.assert_allclose(
        drag_tracking.reach(by_energy, energy), np.maximum(energy - 4e5, 0) / 6, rtol=1e-14
    )


@pytest.mark.parametrize("over", ["speed", "energy"])
def test_range_along_lines_is_their_integral(over):
    drag = Profile(over, [700, 1500, 4000, 7000], [5.5, 9.0, 6.5, 2.5])

    def under(x: float) -> float:
        return (x if over == "speed" else 1.0) / np.interp(x, drag.points, drag.value)

    for x in (900.0, 1500.0, 3333.0, 6900.0, 7500.0):
        wanted = quad(under, 700, x, points=[p for p in drag.points if p < x], epsabs=1e-9)[0]
        # Gauss's quadrature of eight points, over lines that change by a factor of 2.6: 1e-9.
        np.testing.assert_allclose(drag_tracking.reach(drag, np.array([x])), wanted, rtol=1e-9)


def test_equilibrium_glide():
    """D = (g - V^2/r)/(L/D) is the profile of a glide with lift up in balance: of closed form, R = r/2 (L/D)
    ln((g r - Vf^2)/(g r - V^2)) (E. Saenger; N. X. Vinh, Optimal Trajectories in Atmospheric Flight,
    1981)."""
    ratio, gravity, radius = 1.2, 9.7, 6.44e6
    points = np.linspace(1000, 7000, 121)
    drag = Profile("speed", points, (gravity - points**2 / radius) / ratio)
    speed = np.array([2000.0, 4000.0, 6000.0, 7000.0])
    wanted = 0.5 * radius * ratio * np.log((gravity * radius - 1e6) / (gravity * radius - speed**2))
    # Lines between 121 points: (50 m/s)^2/12 times the curvature of 1/D.
    np.testing.assert_allclose(drag_tracking.reach(drag, speed), wanted, rtol=1e-4)


@pytest.mark.parametrize("over", ["speed", pytest.param("energy", marks=pytest.mark.long)])
def test_sink_rate_keeps_the_profile(over):
    """In air of one scale height and with a coefficient that changes, drag that falls and rises at this rate
    is that of the profile all the way, by Runge and Kutta's method."""
    height, c0 = 7000.0, 2e-3
    ends = [900.0, 7500.0] if over == "speed" else [900.0**2 / 2, 7500.0**2 / 2]
    drag = Profile(over, ends, [8.0, 3.0])
    speed, energy = np.array([6500.0]), np.array([6500.0**2 / 2])
    wanted = drag_tracking.sink(drag, 1.1, speed, energy, height)[0]
    altitude = -height * np.log(wanted / (0.5 * 1.225 * speed**2 * c0))

    def rates(state: Any) -> Any:
        own, climb, _ = drag_tracking.sink(drag, 1.1, state[0], state[1], height)
        return np.stack([-own, -state[0] * own, climb])

    state, step = np.stack([speed, energy, altitude]), 0.5
    climbs = []
    for _ in range(800):
        climbs.append(drag_tracking.sink(drag, 1.1, state[0], state[1], height)[1:])
        k1 = rates(state)
        k2 = rates(state + step / 2 * k1)
        k3 = rates(state + step / 2 * k2)
        state = state + step / 6 * (k1 + 2 * k2 + 2 * k3 + rates(state + step * k3))
    wanted = drag_tracking.sink(drag, 1.1, state[0], state[1], height)[0]
    flown = 0.5 * 1.225 * np.exp(-state[2] / height) * state[0] ** 2 * c0
    np.testing.assert_allclose(flown, wanted, rtol=1e-8)
    climb, bend = (np.array([row[k] for row in climbs])[:, 0] for k in (0, 1))
    slope = (climb[2:] - climb[:-2]) / (2 * step)
    np.testing.assert_allclose(bend[1:-1], slope, rtol=1e-4, atol=1e-6)


# --- samples ------------------------------------------------------------------------------------------------


def sample(law: Any, seconds: int, **changes: Any) -> Any:
    """What is kept after samples every other second of a steady state on the profile, but for some
    changes."""
    now = np.zeros(1)
    wanted, climb, bend = drag_tracking.sink(law.drag, 1.0, now + 5000.0, now + 13.1e6, 7000.0)
    share = (bend + 5.0 + wanted * climb / 5000) / np.cos(np.radians(50))
    seen = drag_tracking.Seen(
        *(now + 5000.0, now + 13.1e6, climb, wanted, share, now + 1e-3, now + 5.0, now + 7000.0),
        *(drag_tracking.reach(law.drag, now + 13.1e6) + 90 * KM, now, now + 0.1),
    )
    kept = drag_tracking.nothing(now, now)
    for second in range(0, seconds + 1, 2):
        rows = np.stack([np.broadcast_to(row, (1,)) for row in seen._replace(**changes)])
        kept = drag_tracking.take_sample(law, kept, now + second, rows, now)
    return kept


def test_on_the_profile_the_bank_is_that_of_balance():
    """The lift's upward part takes up the weight; 50 deg here. Sides go by the corridor."""
    law = loads(ENTRY).guidance[0]
    kept = sample(law, 2)
    assert kept.status == drag_tracking.WORKS
    np.testing.assert_allclose(np.abs(kept.goal), np.radians(50), atol=1e-3)
    np.testing.assert_allclose(kept.factor, 1.0, rtol=1e-12)
    assert sample(law, 0, off=np.array([0.05])).side == -1
    assert sample(law, 0, off=np.array([-0.05])).side == 1
    turned = drag_tracking.take_sample(
        law, kept._replace(side=np.ones(1)), np.array([4.0]), rows_of(law, 0.2), 0.0
    )
    assert turned.side == -1
    stays = drag_tracking.take_sample(
        law, kept._replace(side=np.ones(1)), np.array([4.0]), rows_of(law, 0.09), 0.0
    )
    assert stays.side == 1


def rows_of(law: Any, off: float) -> Any:
    rows = np.full((11, 1), 5.0)
    rows[:, 0] = [5000.0, 13.1e6, -40.0, 6.5, 6.0, 1e-3, 5.0, 7000.0, 2e6, off, 0.1]
    return rows


def test_it_says_why_it_gives_up():
    """Without lift no bank gives the drag; a site out of reach; neither before its time."""
    law = loads(ENTRY).guidance[0]
    for changes, why in (
        ({"lift": np.array([0.1]), "drag": np.array([20.0])}, drag_tracking.NO_AUTHORITY),
        ({"distance": np.array([2e7])}, drag_tracking.OUT_OF_RANGE),
        ({"distance": np.array([2e5])}, drag_tracking.OUT_OF_RANGE),
        ({"distance": np.array([4e4])}, drag_tracking.OUT_OF_RANGE),  # within ends_at, and fast
    ):
        assert sample(law, 58, **changes).status < drag_tracking.NO_AUTHORITY
        assert sample(law, 60, **changes).status == why
        assert why in drag_tracking.WHY


REFUSED = [
    ('site = "base"', 'site = "bas"', "guidance.entry.site", "no site 'bas'; did you mean 'base'"),
    ("ends_at", "end_at", "guidance.entry.end_at", "did you mean 'ends_at'"),
    ('over = "energy"', 'over = "mach"', "guidance.entry.drag.over", "speed"),
    (
        "[5.5, 8.5, 8.5, 6.5, 3.0, 2.0]",
        "[5.5, 8.5]",
        "guidance.entry.drag.value",
        "has 2 entries for 6 points",
    ),
    (
        "[5.5, 8.5, 8.5, 6.5, 3.0, 2.0]",
        "[5.5, 8.5, 8.5, 0, 3.0, 2.0]",
        "guidance.entry.drag.value",
        "more than",
    ),
    ("1.49e6, 5.0e6", "5.0e6, 1.49e6", "guidance.entry.drag.points", "does not increase"),
    ("0.53e6,", "0,", "guidance.entry.drag.points", "must be above zero"),
    (
        'ends_at = "90 km"',
        'bank_least = "85 deg"',
        "guidance.entry.bank_least",
        "85 deg is more than bank_most, 80 deg by default",
    ),
    ('ends_at = "90 km"', 'bank_most = "185 deg"', "guidance.entry.bank_most", "more than 180 deg"),
    ('ends_at = "90 km"', "factors = [2, 1]", "guidance.entry.factors", "Give the minimum first"),
    ('atmosphere = "us76"', "", "guidance.entry.kind", "needs the drag of an atmosphere"),
    ('planet = "earth"\n', "", "guidance.entry.kind", "needs a planet"),
    ("corridor = {", "corrido = {", "guidance.entry.corridor", "is required"),
    (
        'corridor = { over = "bodies.orbiter.airspeed"',
        'corridor = { over = "bodies.orbiter.airspped"',
        "guidance.entry.corridor.over",
        "did you mean 'bodies.orbiter.airspeed'",
    ),
]


@pytest.mark.parametrize(("old", "new", "place", "words"), REFUSED, ids=lambda text: None)
def test_one_clear_error(old, new, place, words):
    refused(ENTRY, old, new, place, words)


def test_without_forces_of_the_air_there_is_no_drag():
    first, _, rest = ENTRY.partition("[aerodynamics.hull]")
    with pytest.raises(BadInput, match="no body has aerodynamic forces"):
        loads(first + rest[rest.index("[guidance.entry]") :]).check()
