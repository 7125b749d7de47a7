"""Quantities of bodies over a planet: place, course, attitude, air, orbit; and what accelerometers show."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from geographiclib.geodesic import Geodesic
from scipy.spatial.transform import Rotation

import interstage as ist
from engine_door import derivative, instant, lift, mechanism_of, quantities, quickly, start_of
from interstage.environment import geodesy, world
from interstage.environment.atmosphere import USStandard1976
from interstage.environment.gravity import ZonalGravity
from interstage.environment.wind import ShearedWind, SteadyWind
from interstage.quantities.catalogue import catalogue
from interstage.reading import loads
from interstage.report.summary import not_finite
from interstage.tree import addresses as tree
from mechanics import COAST, EPS

FT, DEG = 0.3048, np.pi / 180
PSF = 4.4482216152605 / FT**2
SLUG_FT3 = 4.4482216152605 / FT**4
EARTH = world.Earth(angle=0.4)
ROOT = Path(__file__).parents[2]


def one_body(start, planet: Any = EARTH, **more) -> ist.Scenario:
    body = ist.Body(name="b", mass=2, inertia=[1, 2, 2], initial=start)
    return ist.Scenario(bodies=(body,), planet=planet, phases=COAST, **more)


def told(declared, time=0.0, after=None, lanes=()) -> dict[str, np.ndarray]:
    """All quantities of body b where it starts at a time, or where another scenario starts it `after`."""
    first = start_of(declared, time, lanes)
    then = first if after is None else start_of(after, time, lanes)
    mechanism = mechanism_of(declared, lanes, leaves=declared, begun=first)
    found = quantities(instant(mechanism, time, then.x, first.discrete))
    return {path.removeprefix("bodies.b."): v for path, v in found.items() if path.startswith("bodies.b.")}


# --- published rows


NESC = {
    2: {
        "time": 10.0, "wind": ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
        "position": [2.09540409578e7, 15280.708059, 0.0],
        "velocity": [-321.081698952, 1527.99275484, 0.0],
        "ground_velocity": [0.0, 0.233326824216, 319.967327074],
        "place": [28400.2040727, 2.12654133805e-6, 0.0], "gravity": 32.11144659489015,
        "level_angles": [-4.32133636889, 3.74133747365, -66.0190032425],
        "air": [1001.69740361, 9.44239806159e-4, 676.755567322, 417.528059174],
        "flow": [0.319425218629, 48.3352319375],
    },
    8: {
        "time": 20.0, "wind": ([0.0, -20.0, 0.0], [0.0, 0.003, 0.0]),
        "position": [2.09493544753e7, 30586.1126326, 0.0],
        "velocity": [-615.86716384, 1531.36639497, 0.0],
        "ground_velocity": [0.0, 4.61128129205, 613.630710866],
        "place": [23730.4776985, 9.04466997674e-5, 0.0], "gravity": 32.12578697153238,
        "level_angles": [0.0, 0.0, -0.0836519293446],
        "air": [1021.42943027, 0.00111478834922, 830.779154981, 434.139502722],
        "flow": [0.602485185695, 211.092063238],
    },
    10: {
        "time": 15.0, "wind": ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
        "position": [2.09349367148e7, 22888.2339985, 12565.4481643],
        "velocity": [305.156799355, 1525.7792863, 728.460782903],
        "ground_velocity": [728.275248861, -1.15582710407, -307.264877028],
        "place": [9306.69758717, -2.94759482813e-5, 0.0346213865762], "gravity": 32.170142076118985,
        "level_angles": [0.0, 0.0346213865762, 2.94759482605e-5],
        "air": [1080.15574002, 0.00179407709452, 1495.16903158, 485.495631262],
        "flow": [0.731784818323, 560.467781436],
    },
}  # fmt: skip
"""Rows of simulator 04 in the NESC atmospheric check cases (NASA/TM-2015-218675): inertial position [ft] and
velocity [ft/s], velocity to north, east, down [ft/s]; altitude [ft], longitude, latitude [deg]; yaw, pitch,
roll [deg]; speed of sound [ft/s], density [slug/ft^3], pressure [lbf/ft^2], temperature [R]; Mach number,
dynamic pressure [lbf/ft^2]. Wind: at altitude zero [ft/s], and its shear [1/s]."""


@pytest.mark.parametrize("case", NESC)
def test_rows_of_the_nesc_check_cases(case):
    row = NESC[case]
    altitude, longitude, latitude = np.array(row["place"]) * [FT, DEG, DEG]
    turn = 7.292115e-5 * row["time"]
    level = Rotation.from_euler("ZY", [longitude + turn, -latitude - np.pi / 2])
    attitude = level * Rotation.from_euler("ZYX", np.array(row["level_angles"]) * DEG)
    start = ist.State(
        position=np.array(row["position"]) * FT,
        velocity=np.array(row["velocity"]) * FT,
        attitude=ist.Attitude(quaternion=attitude.as_quat(scalar_first=True)),
    )
    blowing, shear = row["wind"]
    found = told(
        one_body(
            start,
            planet=world.Earth(),
            gravity=ZonalGravity(mu=world.WGS84_MU, radius=6378137.0, j2=0.00108262982, j3=0.0, j4=0.0),
            atmosphere=USStandard1976(),
            wind=ShearedWind(velocity=np.array(blowing) * FT, shear=shear, bottom=0.0, top=2e4),
        ),
        row["time"],
    )
    # The rows have 12 digits: half a unit of the last one is 5e-5 ft of the radius, and as much of altitudes.
    lost = 1e-4 * FT
    assert found["altitude"] == pytest.approx(altitude, abs=lost)
    assert found["longitude"] == pytest.approx(longitude, abs=lost / 6.3e6)
    assert found["latitude"] == pytest.approx(latitude, abs=lost / 6.3e6)
    np.testing.assert_allclose(found["ground_velocity"] / FT, row["ground_velocity"], rtol=0, atol=1e-7)
    assert found["altitude_rate"] == pytest.approx(-row["ground_velocity"][2] * FT, abs=1e-7)
    assert np.linalg.norm(found["gravity"]) / FT == pytest.approx(row["gravity"], rel=1e-9)
    np.testing.assert_allclose(found["level_angles"] / DEG, row["level_angles"], rtol=0, atol=1e-9)
    sound, density, pressure, temperature = row["air"]
    assert found["speed_of_sound"] / FT == pytest.approx(sound, rel=2e-6)
    assert found["air_density"] / SLUG_FT3 == pytest.approx(density, rel=2e-6)
    assert found["air_pressure"] / PSF == pytest.approx(pressure, rel=1.2e-5)  # its gas constant is 1e-5 more
    assert found["air_temperature"] * 1.8 == pytest.approx(temperature, rel=2e-6)
    assert found["mach"] == pytest.approx(row["flow"][0], rel=2e-6)
    assert found["dynamic_pressure"] / PSF == pytest.approx(row["flow"][1], rel=4e-6)
    assert found["heat_rate_indicator"] == pytest.approx(found["dynamic_pressure"] * found["airspeed"])


# --- what the starts were given comes back


def test_course_and_attitude():
    given: dict[str, Any] = {
        "latitude": 0.6,
        "longitude": -1.2,
        "altitude": 4e3,
        "speed": 300.0,
        "azimuth": 4.0,
    }
    start = ist.OverGround(
        **given, flight_path_angle=-0.3, incidence=ist.Incidence(alpha=0.1, beta=-0.05, bank=2.5)
    )
    found = told(one_body(start, wind=SteadyWind(velocity=[10.0, -20.0, 3.0])))
    assert found["ground_speed"] == pytest.approx(300, rel=8 * EPS * 3)
    assert found["flight_path_angle"] == pytest.approx(-0.3, abs=8 * EPS)
    assert found["azimuth"] == pytest.approx(4.0, abs=16 * EPS)
    np.testing.assert_allclose(found["wind"], [10, -20, -3], rtol=0, atol=8 * EPS * 20)
    north, east, down = found["ground_velocity"] - [10, -20, -3]
    assert found["airspeed"] == pytest.approx(np.sqrt(north**2 + east**2 + down**2))
    for name, angle in (("alpha", 0.1), ("beta", -0.05), ("bank", 2.5)):
        assert found[name] == pytest.approx(angle, abs=16 * EPS), name
    assert found["total_alpha"] == pytest.approx(np.arccos(np.cos(0.1) * np.cos(0.05)), abs=1e-14)
    at = geodesy.geocentric_latitude(geodesy.position_of(EARTH, 0.6, -1.2, 4e3))
    assert found["geocentric_latitude"] == pytest.approx(float(at), abs=4 * EPS)
    carried = 7.292115e-5 * (6378137 / np.sqrt(1 - 0.0066943799901413 * np.sin(0.6) ** 2) + 4e3) * np.cos(0.6)
    east = 300 * np.cos(0.3) * np.sin(4) + carried
    north = 300 * np.cos(0.3) * np.cos(4)
    assert found["inertial_azimuth"] == pytest.approx(np.arctan2(east, north) % (2 * np.pi), abs=1e-12)
    climb = np.arctan2(-300 * np.sin(0.3), np.hypot(north, east))
    assert found["inertial_flight_path_angle"] == pytest.approx(climb, abs=1e-12)
    assert {"mach", "air_density", "north"}.isdisjoint(found)


def test_orbit():
    angles: dict[str, Any] = {
        "inclination": 1.1,
        "node": 0.8,
        "argument_of_periapsis": 4.0,
        "true_anomaly": 5.5,
    }
    turned = ist.Attitude(euler="3-2-1", angles=[0.3, -0.2, 0.1])
    start = ist.OrbitStart(
        perigee_altitude=3e5, apogee_altitude=2e6, **angles, attitude=turned, attitude_axes="lvlh"
    )
    found = told(one_body(start))
    # angles of an orbit with e = 0.11 come from differences that lose a digit
    for name, angle in angles.items():
        assert found[name] == pytest.approx(angle, abs=64 * EPS), name
    radius = float(EARTH.radius)
    assert found["perigee_altitude"] == pytest.approx(3e5, abs=32 * EPS * radius)
    assert found["apogee_altitude"] == pytest.approx(2e6, abs=32 * EPS * radius)
    assert found["semi_major_axis"] == pytest.approx(radius + 1.15e6, rel=16 * EPS)
    assert found["eccentricity"] == pytest.approx(0.85e6 / (radius + 1.15e6), abs=16 * EPS)
    np.testing.assert_allclose(found["lvlh_angles"], [0.3, -0.2, 0.1], rtol=0, atol=16 * EPS)


def test_an_open_orbit_has_its_apogee_at_infinity_and_that_is_no_fault():
    start = ist.OrbitStart(semi_latus_rectum=1.2e7, eccentricity=1.5)
    declared = one_body(start, solver=ist.Solver(method="rk4", step=0.5))
    flight = declared.run()
    assert flight["bodies.b.apogee_altitude"][0] == np.inf
    assert flight["bodies.b.semi_major_axis"][0] == pytest.approx(1.2e7 / (1 - 1.5**2))
    assert not not_finite(flight.record)


# --- range


def test_range_over_the_ellipsoid():
    """Along the equator and to its right by closed form, elsewhere the distance by another library."""
    here = ist.OverGround(latitude=0.0, longitude=0.3, altitude=5e3, speed=100.0, azimuth=np.pi / 2)
    there = tree.set(here, "longitude", 0.5)
    found = told(one_body(here), after=one_body(there))
    assert found["downrange"] == pytest.approx(6378137 * 0.2, abs=1e-3)  # the geodesic's own 0.1 mm
    assert found["crossrange"] == pytest.approx(0, abs=1e-3)
    found = told(one_body(tree.set(here, "azimuth", np.pi)), after=one_body(there))
    assert found["downrange"] == pytest.approx(0, abs=1e-3)
    assert found["crossrange"] == pytest.approx(-6378137 * 0.2, abs=1e-3)
    far = tree.set(tree.set(there, "latitude", 0.7), "altitude", 2e5)
    found = told(one_body(here), after=one_body(far))
    wanted = Geodesic.WGS84.Inverse(0, 0.3 / DEG, 0.7 / DEG, 0.5 / DEG)["s12"]
    assert found["ground_range"] == pytest.approx(wanted, abs=1e-3)


def test_range_from_the_pad_counts_to_the_east():
    pad = ist.OverGround(latitude=0.5, longitude=0.0)
    found = told(one_body(pad), after=one_body(tree.set(pad, "longitude", 1e-3)))
    assert found["downrange"] == pytest.approx(found["ground_range"], rel=1e-6)
    assert abs(found["crossrange"]) < 1e-3 * found["downrange"]
    assert found["ground_range"] > 5e3


def test_range_over_flat_ground():
    ground = world.FlatGround(ground=[1.0, 2.0, 3.0])
    here = ist.OverGround(north=100.0, east=50.0, speed=1.0, azimuth=0.5)
    there = ist.OverGround(north=400.0, east=250.0, altitude=7.0, speed=1.0)
    found = told(one_body(here, ground), after=one_body(tree.set(there, "azimuth", 0.0), ground))
    s, c = np.sin(0.5), np.cos(0.5)
    assert found["downrange"] == pytest.approx(300 * c + 200 * s)
    assert found["crossrange"] == pytest.approx(200 * c - 300 * s)
    assert found["ground_range"] == pytest.approx(np.hypot(300, 200))
    assert [found["north"], found["east"], found["altitude"]] == pytest.approx([400, 250, 7])
    assert {"latitude", "lvlh_angles", "apogee_altitude"}.isdisjoint(found)


# --- without a planet


def test_accelerometer_in_orbit_and_on_the_ground():
    """In free fall it shows what other forces do, to rounding: nothing of the pull of 8 m/s^2 is left."""
    start = ist.State(
        position=[7e6, 0, 0], velocity=[0, 7500, 0], attitude=ist.Attitude(euler="3-2-1", angles=[1, 2, 3])
    )
    push = ist.Force(name="push", body="b", force=[4e-6, 2e-6, -6e-6], axes="body", at=[0, 0, 0])
    pull = ist.InverseSquareGravity(mu=3.986e14)
    found = told(one_body(start, None, gravity=pull, forces=(push,)))
    np.testing.assert_allclose(found["sensed_acceleration"], [2e-6, 1e-6, -3e-6], rtol=16 * EPS)
    assert found["axial_load_factor"] == pytest.approx(2e-6 / 9.80665)
    assert found["normal_load_factor"] == pytest.approx(3e-6 / 9.80665)
    np.testing.assert_allclose(found["gravity"], [-3.986e14 / 7e6**2, 0, 0], rtol=4 * EPS, atol=1e-300)
    body = ist.Body(name="b", mass=2, inertia=[1, 2, 2])
    stand = ist.Joint(name="stand", kind="fixed", parent="ground", child="b")
    standing = ist.Scenario(
        bodies=(body,),
        joints=(stand,),
        phases=COAST,
        gravity=ist.UniformGravity(acceleration=[0, 0, 9.80665]),
    )
    found = told(standing)
    np.testing.assert_allclose(found["sensed_acceleration"], [0, 0, -9.80665], rtol=0, atol=1e-13)
    assert found["normal_load_factor"] == pytest.approx(1, rel=1e-14)
    assert "altitude" not in found


def test_coning_angle():
    found = told(one_body(ist.State(angular_velocity=[3.0, 0.4, -0.3]), None))
    assert found["coning_angle"] == pytest.approx(np.arctan2(2 * 0.5, 1 * 3.0), abs=4 * EPS)


# --- lanes, events, batches, documentation


def test_lanes_are_the_single_cases():
    start = ist.OverGround(latitude=0.6, longitude=-1.2, altitude=4e3, speed=300.0, azimuth=1.0)
    single = one_body(start, atmosphere=USStandard1976(), wind=SteadyWind(velocity=[10.0, -20.0, 3.0]))
    latitudes, angles = np.array([0.6, -0.3]), np.array([0.4, 1.0])
    together = tree.replace_leaf(lift(single), "bodies.b.initial.latitude", latitudes)
    found = told(tree.replace_leaf(together, "planet.angle", angles), lanes=(2,))
    for lane in range(2):
        case = tree.set(single, "bodies.b.initial.latitude", latitudes[lane])
        alone = told(tree.set(case, "planet.angle", angles[lane]))
        for name, value in alone.items():
            # rounding of positions of 6.4e6 m and velocities of 760 m/s
            many = np.broadcast_to(found[name], (*np.shape(value), 2))
            size = {"m": 6.4e6, "m/s": 760.0}.get(catalogue(single)[f"bodies.b.{name}"].meta.unit, 1e2)
            np.testing.assert_allclose(
                many[..., lane], value, rtol=64 * EPS, atol=64 * EPS * size, err_msg=name
            )


def test_an_event_at_a_longitude_past_the_date_line_in_a_batch_and_a_requirement():
    """A circular equatorial orbit passes 179 deg west when it has gained two degrees on the planet."""
    start = ist.OrbitStart(semi_major_axis=7e6, true_anomaly="179 deg")
    until = ist.Trigger(quantity="bodies.b.longitude", reaches="-179 deg")
    declared = ist.Scenario(
        bodies=(ist.Body(name="b", mass=1, inertia=[1, 1, 1], initial=start),),
        planet=world.Earth(),
        gravity=ist.InverseSquareGravity(mu=float(world.WGS84_MU)),
        phases=(ist.Phase(name="coast", until=until),),
        solver=ist.Solver(method="rk4", step=1.0),
        requirements=(ist.Requirement(name="low", quantity="bodies.b.altitude", max="622 km"),),
    )
    declared.check()
    gain = np.sqrt(world.WGS84_MU / 7e6**3) - world.WGS84_ROTATION_RATE
    batch = declared.run_batch({"bodies.b.initial.true_anomaly": np.array([179, 178.5]) * DEG})
    # rk4's own error over half a minute of a period of 97: (n h)^5/120 a step
    np.testing.assert_allclose(batch.time, np.array([2, 2.5]) * DEG / gain, rtol=0, atol=1e-9)


def test_every_quantity_of_a_body_is_documented():
    page = (ROOT / "docs" / "quantities.md").read_text(encoding="utf-8")
    start = ist.State(position=[7e6, 0, 0])
    for planet in (EARTH, world.FlatGround(), None):
        declared = one_body(start, planet, atmosphere=USStandard1976())
        for path, quantity in catalogue(declared).items():
            if path.startswith("bodies.b."):
                name = path.removeprefix("bodies.b.")
                assert f"`{name}`" in page, name
                angular = quantity.meta.unit == "rad"
                never_wraps = name in (
                    "latitude",
                    "geocentric_latitude",
                    "beta",
                    "total_alpha",
                    "inclination",
                )
                wraps = angular and not never_wraps and "path_angle" not in name and name != "coning_angle"
                assert np.isfinite(quantity.period) == wraps, name


BENDING = """
bodies.a = { mass = 3, inertia = [1, 2, 2], initial = {} }
bodies.b = { mass = 1, inertia = [1, 1, 1], initial = { position = [1, 0, 0] } }
bodies.c = { mass = 1, inertia = [1, 1, 1], initial = { position = [2, 0, 0] } }
phases.fly = { until = { time = 1 } }
[forces.modes]
kind = "modal_body"
body = "a"
frequency = [30]
points.top = { at = [1, 0, 0], shape = [[0, 1, 0]], turn = [[0, 0, 1]] }
[forces.boom]
kind = "beam"
parent = "b"
child = "c"
length = 1
elements = 2
[forces.boom.section]
kind = "stiffness"
axial_stiffness = 1e4
shear_stiffness = [1e3, 1e3]
torsional_stiffness = 2
bending_stiffness = [2, 1]
mass = 1
rotary_inertia = [1e-3, 2e-3]
"""


def test_every_quantity_of_modes_and_beams_is_documented():
    """Names of points, and numbers, stand for any."""
    page = (ROOT / "docs" / "quantities.md").read_text(encoding="utf-8")
    names = {path.split(".", 2)[2] for path in catalogue(loads(BENDING)) if path.startswith("forces.")}
    assert {"mode_1.rate", "point_top.rotation", "section_2.force", "end"} <= names
    for name in names:
        named = re.sub(r"_\d+\b", "_<n>", name).replace("point_top", "point_<point>")
        assert f"`{named}`" in page, name


LOST = {
    "on the pad": ist.OverGround(latitude=0.5, longitude=0.0),
    "straight up": ist.OverGround(latitude=0.5, longitude=0.0, speed=100.0, flight_path_angle=np.pi / 2),
    "over a pole": ist.OverGround(latitude=np.pi / 2, longitude=0.0, altitude=1e5),
    "circular and equatorial": ist.OrbitStart(semi_major_axis=7e6),
    "along the axis": ist.State(position=[0, 0, 7e6], velocity=[0, 0, 1e4]),
}
"""Starts at which some direction or place is not determined."""


@pytest.mark.long
def test_slopes_are_finite_where_directions_are_lost():
    """Triggers need the rate of what they watch, wherever a flight begins: in one program, a start in each
    lane."""
    declared = [one_body(start, atmosphere=USStandard1976()) for start in LOST.values()]
    begun = jax.tree.map(lambda *parts: np.stack(parts, -1), *map(start_of, declared))
    lanes = (len(LOST),)

    @quickly
    def slopes(begun):
        mechanism = mechanism_of(declared[0], lanes, begun=begun)

        def values(t, x):
            found = quantities(instant(mechanism, t, x, begun.discrete))
            return {path: value for path, value in found.items() if path.startswith("bodies.b.")}

        t, rate = np.zeros(lanes), derivative(mechanism, 0.0, begun.x, begun.discrete)
        return jax.jvp(values, (t, begun.x), (np.ones(lanes), rate))

    found, rates = slopes(begun)
    for path in found:
        for lane, start in enumerate(LOST):
            apogee = path.endswith(("apogee_altitude", "semi_major_axis"))
            assert apogee or np.isfinite(found[path][..., lane]).all(), (path, start)
            assert np.isfinite(rates[path][..., lane]).all(), (path, start)
