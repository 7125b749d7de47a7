"""Glides to a site: where it is and which course leads there, closed forms of steady glides and circles,
returns of a booster from dispersed states, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from bad_input.edits import refused
from engine_door import quantities
from interstage.environment import geodesy, gravity_field, ground_range
from interstage.parts.guidance import checks, homing
from interstage.reading import loads
from interstage.tree.declaration import with_values
from mechanics import EPS
from test_guidance import here, states

pytestmark = pytest.mark.usefixtures("long_flights")

G, G0 = 9.81, 9.80665
DENSITY, AREA, MASS, CD0, INDUCED, SLOPE = 1.1, 40.0, 8000.0, 0.03, 0.12, 3.0
ALPHA, CIRCLE = 0.1, 3000.0
GRID = [round(0.1 * k - 1.5, 1) for k in range(31)]

AERO = f"""
[aerodynamics.wings]
body = "b"
area = {AREA}
length = 3.0
[aerodynamics.wings.coefficients.CL]
axes = [{{ variable = "alpha", points = [-1.5, 1.5] }}]
values = [{-1.5 * SLOPE}, {1.5 * SLOPE}]
[aerodynamics.wings.coefficients.CD]
axes = [{{ variable = "alpha", points = {GRID} }}]
interpolation = "smooth"
values = {[CD0 + INDUCED * (SLOPE * x) ** 2 for x in GRID]}
"""
STEADY = f"""
coordinates = "point"
attitude = "home"
planet = {{ kind = "flat", up = [0, 0, 1], north = [1, 0, 0] }}
gravity = {{ kind = "uniform", acceleration = [0, 0, {-G}] }}
[atmosphere]
kind = "table"
altitude = [-1e5, 1e6]
density = [{DENSITY}, {DENSITY}]
temperature = [280.0, 280.0]
[sites.field]
north = 90e3
east = 0
[bodies.b]
mass = {MASS}
inertia = [1e4, 1e4, 1e4]
initial = {{ position = [0, 0, 25000], velocity = [100.0, 30.0, -10.0] }}
{AERO}
[guidance.home]
kind = "glide"
body = "b"
site = "field"
alpha = {ALPHA}
circle = {CIRCLE}
turns = "right"
course_time = 8.0
[phases.glide]
until = {{ quantity = "bodies.b.altitude", reaches = 0 }}
[output]
interval = "5 s"
[solver]
tolerance = 1e-9
"""


@pytest.fixture(scope="module")
def steady():
    return loads(STEADY).run(progress=False)


@pytest.mark.parametrize("azimuth", [0.0, 90.0, 180.0, 270.0])
def test_the_weight_is_what_a_level_free_fall_lacks(azimuth):
    """The height's second derivative in a free fall over the turning planet, by differences of 2 s. Their
    error is d^2/12 times the fourth one, some 10 m/s^2 (2 V/r)^2."""
    scenario, lapse, speed = loads(WORLD_SITE), 2.0, 5000.0
    place = geodesy.Geodetic(np.array([0.0]), np.array([0.3]), np.array([60e3]))
    course = np.radians(azimuth)
    along = speed * np.array([[np.cos(course)], [np.sin(course)], [0.0]])
    begin = np.concatenate(geodesy.state_at(scenario.planet, 0.0, place, along))[:, 0]

    def rate(t, y):
        fall = gravity_field.acceleration(scenario.gravity, scenario.planet, np.array([t]), y[:3, None])
        return np.concatenate([y[3:], np.asarray(fall)[:, 0]])

    def seen(time):
        y = solve_ivp(rate, (0.0, time), begin, rtol=1e-13, atol=1e-6).y[:, -1] if time else begin
        found = here(scenario, {"position": y[:3, None], "velocity": y[3:, None]}, time)
        return found.equations.parts["guidance"].law_and_view(found, "law")[1]

    heights = [float(seen(time).altitude[0]) for time in (-lapse, 0.0, lapse)]
    lacking = -(heights[0] - 2 * heights[1] + heights[2]) / lapse**2
    fourth, rounding = lapse**2 / 12 * 10 * (2 * speed / 6.3e6) ** 2, 4 * 1e-6 / lapse**2
    flattening = 0.0067 * speed**2 / 6.3e6  # the mean radius stands for that of the course, e^2 apart
    weight = float(homing.weight(seen(0.0), -np.inf)[0])
    assert weight == pytest.approx(lacking, abs=fourth + rounding + flattening)


def test_steady_glide_and_circle(steady):
    """Straight tan(gamma) = -CD/CL and q = m g cos(gamma) / (S CL). On the circle V^2 cos^2(gamma) / radius =
    g tan(bank), tan(gamma) = -CD / (CL cos(bank)), and no error of the distance is left."""
    series, t = steady.record.series, steady.record.time
    cl, cd = SLOPE * ALPHA, CD0 + INDUCED * (SLOPE * ALPHA) ** 2
    angle, bank = series["bodies.b.flight_path_angle"], series["guidance.home.bank"]
    q, distance = series["bodies.b.dynamic_pressure"], series["guidance.home.distance"]
    np.testing.assert_allclose(distance, series["bodies.b.range_to.field"], rtol=1e-12)
    # The phugoid dies out with drag, a factor e in some V / (g CD/CL) = 80 s.
    straight = (t > 450) & (distance > 6e3)
    assert straight.sum() > 10
    wanted = -np.arctan(cd / cl)
    np.testing.assert_allclose(angle[straight], wanted, rtol=2e-3)
    np.testing.assert_allclose(q[straight], MASS * G * np.cos(wanted) / (AREA * cl), rtol=4e-3)
    circling = t > t[np.argmax(distance < 1.05 * CIRCLE)] + 400
    assert circling.sum() > 10
    np.testing.assert_allclose(distance[circling], CIRCLE, atol=0.5)
    speed = series["bodies.b.airspeed"][circling]
    level = speed * np.cos(angle[circling])
    np.testing.assert_allclose(
        np.tan(bank[circling]), level**2 / CIRCLE / G / np.cos(angle[circling]), rtol=2e-3
    )
    np.testing.assert_allclose(np.tan(angle[circling]), -cd / cl / np.cos(bank[circling]), rtol=2e-3)
    np.testing.assert_allclose(series["guidance.home.course_error"][circling], 0, atol=1e-3)
    assert (bank[circling] > 0).all()  # to the right


def test_a_circle_that_is_too_tight_is_told(steady):
    """At 110 m/s and 45 deg the smallest radius is V^2 / g; the circle of the steady glide is kept."""
    tight = loads(STEADY.replace(f"circle = {CIRCLE}", "circle = 800.0")).run(progress=False)
    (said,) = [text for text in tight.record.warnings if text.startswith("guidance.home")]
    assert "the flight left the circle of 800 m" in said
    least = float(said.partition("smallest possible radius is ")[2].partition(" m")[0])
    near = tight["guidance.home.distance"] < 1200
    assert least == pytest.approx(np.median(tight["bodies.b.ground_speed"][near]) ** 2 / G0, rel=0.05)
    assert not any(text.startswith("guidance.home") for text in steady.record.warnings)


def test_angles_to_air_in_which_a_point_stands_are_told(steady):
    """Of the law that it follows, when it stands; the flight that moves says nothing."""
    slow = {"bodies.b.airspeed": np.where(steady.time < 10, 1e-9, 100.0)}
    record = replace(steady.record, series=steady.record.series | slow)
    (said,) = checks.notes(record)
    assert "guidance.home: the airspeed of 'b' is zero at 0 s" in said
    assert [*checks.notes(steady.record)] == []
    record.scenario = with_values(steady.record.scenario, attitude=None)
    assert [*checks.notes(record)] == []


def rigid(steady, inertia: float) -> Any:
    """The glide of a rigid body from where the point is after 5 s, for 100 s: moments of the air follow a
    control law that holds the attitude of guidance, with a frequency by the inertia and a damping of 0.7."""
    text = STEADY.replace('coordinates = "point"\nattitude = "home"\n', "")
    start = {what: steady[f"bodies.b.{what}"][1].tolist() for what in ("position", "velocity", "attitude")}
    place = "position = {position}, velocity = {velocity}, attitude = {{ quaternion = {attitude} }}"
    text = text.replace("position = [0, 0, 25000], velocity = [100.0, 30.0, -10.0]", place.format(**start))
    text = text.replace("[1e4, 1e4, 1e4]", f"[{inertia}, {inertia}, {inertia}]")
    text = text.replace("length = 3.0", "length = 3.0\nspan = 3.0")
    damping = 1.4 * np.sqrt(1.5 * inertia / (0.5 * DENSITY * 110**2 * AREA * 3))
    moments = "".join(
        f'coefficients.{of} = {{ axes = [{{ variable = "controls.hold.{axis}", points = [-9, 9] }}],'
        " values = [-9, 9] }\n"
        for of, axis in zip(("Cl", "Cm", "Cn"), "xyz", strict=True)
    )
    text = text.replace(
        "[aerodynamics.wings.coefficients.CL]", moments + "[aerodynamics.wings.coefficients.CL]"
    )
    hold = f'[controls.hold]\nkind = "attitude"\nbody = "b"\nfollows = "home"\nkp = 1.5\nkd = {damping}\n'
    text = text.replace("[guidance.home]", hold + "[guidance.home]")
    last = text.index("[phases.glide]")
    return loads(
        f'{text[:last]}[phases.glide]\nuntil = {{ elapsed = "100 s" }}\n[output]\ninterval = "5 s"\n'
    )


@pytest.mark.long
def test_a_rigid_body_that_holds_the_attitude_follows_the_point(steady):
    """The nearer the faster it turns: the way is apart by the time that the hold lags, 1.4 / frequency."""
    off = []
    for inertia in (1e4, 1e4 / 4):
        flight = rigid(steady, inertia).run(progress=False)
        way = steady["bodies.b.position"][1 : len(flight.time) + 1]
        off.append(float(np.linalg.norm(flight["bodies.b.position"] - way, axis=1).max()))
        np.testing.assert_allclose(flight["bodies.b.alpha"][2:], ALPHA, atol=0.02)
    assert off[0] < 1e-3 * np.linalg.norm(way[-1] - way[0])
    assert off[1] < 0.6 * off[0]


WORLD_SITE = """
planet = "earth"
gravity = "zonal"
atmosphere = "us76"
[sites.base]
latitude = "30 deg"
longitude = "-80 deg"
[bodies.b]
mass = 10.0
inertia = [4.0, 5.0, 6.0]
initial = { latitude = 0.1, longitude = 0.2, altitude = "5 km" }
[guidance.law]
kind = "glide"
body = "b"
site = "base"
alpha = "8 deg"
circle = "1 km"
[phases.first]
until = { time = 1 }
"""


def test_a_site_over_the_ellipsoid():
    """Distance and direction beside the geodesic's, by other equations."""
    scenario = loads(WORLD_SITE)
    rng, lanes = np.random.default_rng(3), 200
    base = np.radians([30.0, -80.0])
    away = 10 ** rng.uniform(3, 6.3, lanes) / 6.37e6
    around = rng.uniform(-np.pi, np.pi, lanes)
    latitude, longitude = base[0] + away * np.cos(around), base[1] + away * np.sin(around) / np.cos(base[0])
    at = placed(scenario, latitude, longitude, rng.uniform(0, 5e4, lanes))
    _, view = view_of(scenario, at)
    seen = homing.sight(view.site("base"), view)
    vector = ground_range.geodesic(scenario.planet, (latitude, longitude), tuple(base))
    length = np.linalg.norm(vector, axis=0)
    # The ellipsoid's radii differ from the mean one by up to 0.7 %; on a great circle instead of the geodesic
    # the direction is off by up to 1/300 of the arc.
    np.testing.assert_allclose(seen.distance, length, rtol=0.007)
    off = homing.wrap_angle(seen.azimuth - np.arctan2(vector[1], vector[0]))
    assert (np.abs(off) < length / 6.37e6 / 300 + 1e-5).all()


def placed(scenario: Any, latitude: Any, longitude: Any, altitude: Any) -> dict[str, Any]:
    place = geodesy.Geodetic(latitude, longitude, altitude)
    velocity = np.array([[120.0], [-200.0], [10.0]]) * np.ones(latitude.shape)
    position, velocity = geodesy.state_at(scenario.planet, 0.0, place, velocity)
    return {"position": position, "velocity": velocity}


def view_of(scenario: Any, at: Any, t: float = 0.0) -> Any:
    moment = here(scenario, at, t)
    return moment.equations.parts["guidance"].law_and_view(moment, "law")


@pytest.mark.parametrize("turns", ["left", "right"])
def test_the_rate_of_the_course_is_that_of_differences(turns):
    """Along straight flight over flat ground, in which the course stays."""
    text = STEADY.replace("[guidance.home]", "[guidance.law]").replace(
        'attitude = "home"', 'attitude = "law"'
    )
    scenario = loads(text.replace('turns = "right"', f'turns = "{turns}"'))
    at, h = states(5, 50), 1e-2
    at["position"] = np.random.default_rng(1).uniform(-1, 1, (3, 50)) * np.array([[2e4], [2e4], [1e3]])
    at["velocity"] = at["velocity"] * 0.1

    def course(dt: float) -> Any:
        _, view = view_of(scenario, at | {"position": at["position"] + dt * at["velocity"]})
        return homing.field(homing.sight(view.site("field"), view), CIRCLE, turns == "left")

    slope = homing.wrap_angle(course(h)[0] - course(-h)[0]) / (2 * h)
    # Of the second order: (V h / d)^2, where d is 1 km or more.
    np.testing.assert_allclose(course(0.0)[1], slope, rtol=1e-3, atol=1e-7)


# --- a booster returns -----------------------------------------------------------------------

MILE, LANES, LIMIT = 1609.344, 12, 2000.0
RETURN = f"""
coordinates = "point"
attitude = "home"
planet = "earth"
gravity = "zonal"
atmosphere = "us76"
[sites.pad]
latitude = "28.5 deg"
longitude = "-80.6 deg"
[bodies.b]
mass = 60e3
inertia = [1e6, 1e6, 1e6]
[bodies.b.initial]
latitude = "28.5 deg"
longitude = "-80.2 deg"
altitude = "93975 ft"
speed = "3741 ft/s"
flight_path_angle = "34.57 deg"
azimuth = "90 deg"
{AERO.replace(f"area = {AREA}", "area = 400.0")}
[guidance.home]
kind = "glide"
body = "b"
site = "pad"
alpha = {{ over = "bodies.b.mach", points = [0.8, 1.2, 3, 20], value = [0.2, 0.1, 0.3, 0.4] }}
circle = "1300 m"
bank_limit = {{ over = "bodies.b.flight_path_angle", points = "[-25, -10] deg", value = "[20, 60] deg" }}
q_alpha_limit = "{LIMIT} Pa rad"
[phases.glide]
until = {{ quantity = "bodies.b.altitude", reaches = "1000 ft", direction = "falling" }}
[output]
interval = "60 s"
"""


def dispersed(lanes: int) -> dict[str, Any]:
    """Of the state, the mass, the lift and the air, one sigma."""
    rng = np.random.default_rng(12)
    place = "bodies.b.initial"
    sigma = {
        f"{place}.altitude": (28643.6, 1e3),
        f"{place}.speed": (1140.3, 30.0),
        f"{place}.flight_path_angle": (np.radians(34.57), np.radians(2)),
        f"{place}.azimuth": (np.pi / 2, np.radians(5)),
        "bodies.b.mass": (60e3, 2e3),
        "aerodynamics.wings.factor": (1.0, 0.05),
        "atmosphere.density_factor": (1.0, 0.1),
    }
    return {path: mean + spread * rng.standard_normal(lanes) for path, (mean, spread) in sigma.items()}


@pytest.fixture(scope="module")
def returns():
    return loads(RETURN).run_batch(dispersed(LANES), together=True)


@pytest.mark.long
def test_a_booster_comes_back_from_dispersed_states(returns):
    """All of them to within a mile of the pad at 1000 ft, on the circle about it."""
    ends = returns.value("bodies.b.range_to.pad")
    assert ends.shape == (LANES,)
    assert (ends < MILE).all()
    # On the circle they are within what gravity and density change on the way down.
    assert (np.abs(ends - 1300) < 30).all()
    assert (returns.value("bodies.b.altitude") < 305).all()
    # It is no accident: they start 40 km away, and fly on until they are 150 km away.
    assert (returns.value("bodies.b.range_to.pad", "max") > 120e3).all()


LIMITS = [("glide", 'site = "base"\nalpha = 0.2\ncircle = 1000'), ("incidence", "alpha = -0.2\nbank = 0.3")]


@pytest.mark.parametrize(("kind", "said"), LIMITS)
def test_q_alpha_stays_at_its_limit(kind, said):
    """alpha = limit / q where the limit is met, to rounding, and as asked elsewhere."""
    before = WORLD_SITE.partition("[guidance.law]")[0]
    text = f'{before}[guidance.law]\nkind = "{kind}"\nbody = "b"\n{said}\nq_alpha_limit = "{LIMIT} Pa rad"'
    scenario = loads(text + "\n[phases.first]\nuntil = { time = 1 }\n")
    lanes = np.linspace(0, 80e3, 40)
    at = placed(scenario, 0.5 + 0 * lanes, 0.1 + 0 * lanes, lanes)
    at["velocity"] = at["velocity"] + 300 * at["velocity"] / np.linalg.norm(at["velocity"], axis=0)
    paths = "guidance.law.alpha", "guidance.law.limited", "bodies.b.dynamic_pressure"
    alpha, limited, q = quantities(here(scenario, at), *paths).values()
    wanted = 0.2 if kind == "glide" else -0.2
    met = q * 0.2 > LIMIT
    assert 0 < met.sum() < 40
    np.testing.assert_array_equal(limited, met)
    np.testing.assert_allclose((q * alpha)[met], np.sign(wanted) * LIMIT, rtol=4 * EPS)
    np.testing.assert_array_equal(alpha[~met], wanted)


REFUSED = [
    ('site = "field"', 'site = "feild"', "guidance.home.site", "no site 'feild'; did you mean 'field'"),
    ('site = "field"\n', "", "guidance.home.site", "is required"),
    ("circle = ", "circle = -", "guidance.home.circle", "must be more than zero"),
    ('turns = "right"', 'turns = "rigth"', "guidance.home.turns", "did you mean 'right'"),
    ("course_time = 8.0", "course_time = 0", "guidance.home.course_time", "must be more than zero"),
    (
        "course_time = 8.0",
        'bank_limit = "90 deg"',
        "guidance.home.bank_limit",
        "90 deg is not between 0 and 90",
    ),
    (
        "course_time = 8.0",
        "glide_ratio = 5",
        "guidance.home.excess_alpha",
        "'excess_alpha' and 'glide_ratio' together",
    ),
    (
        "course_time = 8.0",
        "excess_alpha = 0.3",
        "guidance.home.glide_ratio",
        "'excess_alpha' and 'glide_ratio' together",
    ),
    (
        f"alpha = {ALPHA}",
        'alpha = { over = "bodies.b.alpha", points = [0, 1], value = [0.1, 0.2] }',
        "guidance.home.alpha.over",
        "depends on the attitude that this law commands",
    ),
]


@pytest.mark.parametrize(("old", "new", "place", "words"), REFUSED, ids=lambda text: None)
def test_one_clear_error(old, new, place, words):
    refused(STEADY, old, new, place, words)


def test_too_much_energy_takes_the_other_incidence():
    """Over the band above the energy height that the distance needs, from one angle to the other."""
    text = STEADY.replace("course_time = 8.0", 'excess_alpha = 0.3\nglide_ratio = 6.0\nband = "2 km"')
    scenario = loads(text.replace("[guidance.home]", "[guidance.law]").replace('"home"', '"law"'))
    height = np.array([10e3, 14.9e3, 15.5e3, 16e3, 16.5e3, 17.1e3, 30e3])
    speed, lanes = 100.0, len(height)
    at = {"position": np.zeros((3, lanes)), "velocity": np.zeros((3, lanes))}
    at["position"][2], at["velocity"][0] = height - speed**2 / 2 / G0, speed
    found = quantities(here(scenario, at), "guidance.law.alpha")["guidance.law.alpha"]
    x = np.clip((height - 90e3 / 6) / 2e3, 0, 1)
    np.testing.assert_allclose(found, ALPHA + (0.3 - ALPHA) * x**3 * (10 - 15 * x + 6 * x * x), rtol=1e-12)
