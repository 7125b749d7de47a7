"""Starts over the ground, in orbits, and over local axes."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

import interstage as ist
from engine_door import as_placed, lift, mechanism_of, quickly, start_of, unpacked
from interstage.environment import geodesy, world
from interstage.environment.wind import SteadyWind
from interstage.tree import addresses as tree
from interstage.tree.errors import BadInput
from mechanics import COAST, EPS, matrix

FT = 0.3048
DEG = np.pi / 180
EARTH = world.Earth(angle=0.4)


def bodies_starting(*starts, planet: Any = EARTH, centre=(0.0, 0.0, 0.0), **more) -> ist.Scenario:
    """A body for each start: b0, b1, ..."""
    bodies = tuple(
        ist.Body(name=f"b{k}", mass=1, inertia=[1, 1, 1], mass_centre=centre, initial=start)
        for k, start in enumerate(starts)
    )
    return ist.Scenario(bodies=bodies, planet=planet, phases=COAST, **more)


def placed(declared: ist.Scenario, lanes=()):
    """Inertial position and velocity (3, body), matrices body to inertial (body, 3, 3), body rates."""
    r, v, q, w, origin, speed = unpacked(declared, start_of(declared, lanes=lanes).x)
    return r + origin[:, None], v + speed[:, None], matrix(q), w


def level(latitude, longitude) -> np.ndarray:
    """North, east and down as rows: planet-fixed to local components."""
    return Rotation.from_euler("ZY", [longitude, -latitude - np.pi / 2]).as_matrix().T


# --- published starts


SHEET_PLANET = world.Planet(
    radius=20925646.99508 * FT, flattening=1 / 298.257223563, rotation_rate=0.004178073 * DEG, mu=3.986e14
)
SHEET = {
    1: (
        (0, 0, 30000, [0, 0, 0], [0, 0, 0], [-0.004178073, 0, 0]),
        ([20955646.99508, 0, 0], [0, 1528.1094637639699, 0], [0, 0, 0]),
        [[0, 0, 1], [0, 1, 0], [-1, 0, 0]],
    ),
    9: (
        (0, 0, 0, [0, 1000, -1000], [90, 0, 0], [0, 0, 0]),
        ([20925646.99508, 0, 0], [1000, 2525.9218298568094, 0], [0, -0.004178073, 0]),
        [[0, 1, 0], [0, 0, -1], [-1, 0, 0]],
    ),
    10: (
        (0, 0, 0, [1000, 0, -1000], [0, 0, 0], [0, 0, 0]),
        ([20925646.99508, 0, 0], [1000, 1525.9218298568096, 1000], [0.004178073, 0, 0]),
        [[0, 0, 1], [0, 1, 0], [-1, 0, 0]],
    ),
    11: (
        (36.01916666666666, -75.67444444444445, 10013, [400, 400, 0], [45, 0, 0], [0, 0, 0]),
        (
            [4194654.557886726, -16425672.196708972, 12243132.746365128],
            [1527.1394226710588, 632.7596422454724, 323.5281289373075],
            None,
        ),
        [
            [0.5822332105985992, 0.5778488829774727, 0.5719223346904146],
            [0.7880060406434934, -0.22792832862904627, -0.5719223346904145],
            [-0.2001273803991161, 0.783670431654823, -0.5880558529294058],
        ],
    ),
    15: (
        (89.95, -45, 10000, [0, 563.643, 0], [90, 0, 0], [0, 0, 0]),
        (
            [12962.13567394102, -12962.135673941018, 20865479.264160518],
            [399.50100105198004, 399.5010010519801, 0],
            None,
        ),
        [
            [np.sqrt(0.5), np.sqrt(0.5), 0],
            [0.7071065119402606, -0.7071065119402605, -0.0008726645152352178],
            [-0.0006170669964236938, 0.0006170669964236937, -0.9999996192282494],
        ],
    ),
}
"""NESC atmospheric check cases (NASA/TM-2015-218675), the sheet of initial conditions: what is declared
(latitude, longitude [deg], altitude [ft], velocity to north, east, down [ft/s], yaw, pitch, roll [deg], rates
relative to the planet in body axes [deg/s]); inertial position [ft], velocity [ft/s], body rates [deg/s];
inertial to body. Of cases 11 and 15 the sheet's first element (-0.506 and -0.707) breaks the orthogonality to
the other rows, and is put right here; their rates leave out the planet's rotation about the vertical."""


def test_starts_of_the_nesc_check_cases():
    starts = [
        ist.OverGround(
            latitude=given[0] * DEG,
            longitude=given[1] * DEG,
            altitude=given[2] * FT,
            velocity_ned=np.array(given[3], float) * FT,
            attitude=ist.Attitude(euler="3-2-1", angles=np.array(given[4], float) * DEG),
            attitude_axes="level",
            angular_velocity=np.array(given[5], float) * DEG,
            angular_velocity_relative_to="planet",
        )
        for given, _, _ in SHEET.values()
    ]
    r, v, turn, w = placed(bodies_starting(*starts, planet=SHEET_PLANET))
    for k, (_, (position, velocity, rates), to_body) in enumerate(SHEET.values()):
        # the sheet's own sums of products round a few times each
        np.testing.assert_allclose(r[:, k] / FT, position, rtol=0, atol=8 * EPS * 2.1e7)
        np.testing.assert_allclose(v[:, k] / FT, velocity, rtol=0, atol=16 * EPS * 3e3)
        np.testing.assert_allclose(turn[k].T, to_body, rtol=0, atol=16 * EPS)
        if rates is not None:
            np.testing.assert_allclose(w[:, k] / DEG, rates, rtol=0, atol=8 * EPS)
        np.testing.assert_allclose(turn[k] @ w[:, k] / DEG, [0, 0, 0.004178073 * (k > 0)], atol=8 * EPS)


def test_start_of_jeod_run_10a():
    """Attitude relative to LVLH, at rest there: verif/SIM_dyncomp, RUN_10A of nasa/jeod, whose log has nine
    to twelve digits of r and v."""
    start = ist.State(
        position=[-4292653.41, 955168.47, 5139356.57],
        velocity=[109.649663, -7527.72649, 1484.521489],
        attitude=ist.Attitude(euler="2-3-1", angles=np.array([85, 1, 0]) * DEG),
        attitude_axes="lvlh",
        angular_velocity_relative_to="lvlh",
    )
    r, v, turn, w = placed(bodies_starting(start, planet=world.Earth(mu=398600.4415e9)))
    logged = [
        [-0.6443912270931274, 0.05284210190675609, 0.7628680480341864],
        [-0.7615617870471506, -0.1345758407161209, -0.6339660776454052],
        [0.06916350883930189, -0.9894933326514259, 0.1269620166955875],
    ]
    np.testing.assert_array_equal(r[:, 0], start.position)
    np.testing.assert_allclose(v[:, 0], start.velocity, rtol=EPS)
    np.testing.assert_allclose(turn[0].T, logged, rtol=0, atol=1e-8)
    np.testing.assert_allclose(
        w[:, 0], [-1.97989570839746e-05, -0.001134281491669957, 0], rtol=0, atol=1e-8 * 1.1e-3
    )


# --- over the ground


def test_velocity_over_the_ground_in_inertial_space_and_in_the_air():
    latitude, longitude, height = 0.6, -1.2, 4000.0
    place: dict[str, Any] = {"latitude": latitude, "longitude": longitude, "altitude": height}
    path: dict[str, Any] = {"speed": 300.0, "flight_path_angle": 0.3, "azimuth": 2.0}
    starts = [
        ist.OverGround(**place, **path),
        ist.OverGround(**place, **path, velocity_relative_to="inertial"),
        ist.OverGround(**place, **path, velocity_relative_to="air"),
    ]
    starts.append(ist.OverGround(**place))
    blowing = SteadyWind(velocity=[10.0, -20.0, 3.0])
    r, v, turn, _ = placed(bodies_starting(*starts, wind=blowing))
    axes = level(latitude, longitude + 0.4)
    declared = 300 * np.array([np.cos(0.3) * np.cos(2), np.cos(0.3) * np.sin(2), -np.sin(0.3)])
    carried = np.cross([0, 0, EARTH.rotation_rate], r[:, 0])
    wind = np.array([10.0, -20.0, -3.0])
    wanted = [axes.T @ declared + carried, axes.T @ declared, axes.T @ (declared + wind) + carried, carried]
    np.testing.assert_allclose(v.T, wanted, rtol=0, atol=8 * EPS * 800)
    np.testing.assert_array_equal(turn[3], np.eye(3))  # without an attitude: parallel to inertial axes


def test_attitude_over_the_air():
    """Angle of attack and sideslip from the components of the velocity; bank from the body's own horizon."""
    declared = ist.Incidence(alpha=0.1, beta=-0.05, bank=0.7)
    over = ist.OverGround(latitude=0.6, longitude=-1.2, speed=300.0, flight_path_angle=0.3, azimuth=2.0)
    blowing = SteadyWind(velocity=[10.0, -20.0, 3.0])
    start = tree.set(over, "incidence", declared)
    in_air = tree.set(tree.set(start, "velocity_relative_to", "air"), "incidence", declared)
    r, v, turn, _ = placed(bodies_starting(start, in_air, wind=blowing))
    axes = level(0.6, -1.2 + 0.4)
    for k in range(2):
        air = v[:, k] - np.cross([0, 0, EARTH.rotation_rate], r[:, k]) - axes.T @ [10.0, -20.0, -3.0]
        own, speed = turn[k].T @ air, np.linalg.norm(air)
        np.testing.assert_allclose(np.arctan2(own[2], own[0]), 0.1, rtol=0, atol=16 * EPS * 800 / speed)
        np.testing.assert_allclose(np.arcsin(own[1] / speed), -0.05, rtol=0, atol=16 * EPS * 800 / speed)
        north, east, down = axes @ air
        # wind axes of a body without incidence, turned by the bank: their y axis
        course = [np.arctan2(east, north), np.arctan2(-down, np.hypot(north, east)), 0.7]
        side = axes.T @ Rotation.from_euler("ZYX", course).as_matrix()[:, 1]
        own_side = Rotation.from_euler("YZ", [-0.1, -0.05]).as_matrix()[:, 1]
        np.testing.assert_allclose(turn[k] @ own_side, side, rtol=0, atol=1e-13)


def test_origin_and_geocentric_latitude():
    """The declared place is that of the origin; a geocentric latitude is that of the point."""
    centre = (0.5, -0.2, 2.0)
    start = ist.OverGround(
        of="origin", latitude=0.7, longitude=0.2, altitude=9e4, latitude_kind="geocentric",
        attitude=ist.Attitude(euler="3-2-1", angles=[0.3, 0.2, 0.1]), attitude_axes="planet",
        angular_velocity=[0.1, 0.2, 0.3], angular_velocity_relative_to="level",
    )  # fmt: skip
    r, v, turn, w = placed(bodies_starting(start, centre=centre))
    turned = Rotation.from_euler("Z", 0.4) * Rotation.from_euler("ZYX", [0.3, 0.2, 0.1])
    np.testing.assert_allclose(turn[0], turned.as_matrix(), rtol=0, atol=8 * EPS)
    spin, arm = turn[0] @ w[:, 0], turn[0] @ centre
    point = r[:, 0] - arm
    assert np.arctan2(point[2], np.hypot(*point[:2])) == pytest.approx(0.7, abs=4 * EPS)
    at = geodesy.geodetic(EARTH, point)
    assert at.altitude == pytest.approx(9e4, abs=4 * EPS * 6.4e6)
    carried = np.array([0, 0, float(EARTH.rotation_rate)])
    np.testing.assert_allclose(v[:, 0], np.cross(carried, point) + np.cross(spin, arm), atol=8 * EPS * 500)
    # level axes that stand still over the planet turn with it
    np.testing.assert_allclose(spin, turn[0] @ [0.1, 0.2, 0.3] + carried, rtol=0, atol=8 * EPS)


def test_flat_ground():
    ground = world.FlatGround(up=[0, 0, 2], north=[0, 1, 0], ground=[100, 200, 300])
    starts = [
        ist.OverGround(north=5.0, east=7.0, altitude=11.0, speed=10.0, flight_path_angle=0.5, azimuth=0.2),
        ist.OverGround(altitude=2.0, attitude_axes="level"),
    ]
    r, v, turn, _ = placed(bodies_starting(*starts, planet=ground))
    np.testing.assert_allclose(r.T, [[107, 205, 311], [100, 200, 302]], rtol=4 * EPS)
    along = 10 * np.array([np.cos(0.5) * np.sin(0.2), np.cos(0.5) * np.cos(0.2), np.sin(0.5)])
    np.testing.assert_allclose(v.T, [along, np.zeros(3)], rtol=0, atol=8 * EPS * 10)
    np.testing.assert_allclose(turn[1].T, [[0, 1, 0], [1, 0, 0], [0, 0, -1]], rtol=0, atol=4 * EPS)


# --- orbits


def in_plane(p, e, f, angles):
    """Position and velocity from perifocal components, turned by node, inclination and argument."""
    turn = Rotation.from_euler("ZXZ", angles)
    r = p / (1 + e * np.cos(f)) * np.array([np.cos(f), np.sin(f), 0])
    v = np.sqrt(float(EARTH.mu) / p) * np.array([-np.sin(f), e + np.cos(f), 0])
    return turn.apply(r), turn.apply(v)


def test_orbits():
    node, inclination, argument = angles = 0.8, 1.1, 2.2
    named: dict[str, Any] = {"node": node, "inclination": inclination, "argument_of_periapsis": argument}
    a, e, radius = 9e6, 0.2, float(EARTH.radius)
    eccentric: Any = brentq(lambda x: x - e * np.sin(x) - 1.3, 0, np.pi, xtol=1e-15, rtol=4 * EPS)
    true = 2 * np.arctan(np.sqrt((1 + e) / (1 - e)) * np.tan(eccentric / 2))
    low, high = a * (1 - e) - radius, a * (1 + e) - radius
    starts = [
        ist.OrbitStart(**named, semi_major_axis=a, eccentricity=e, true_anomaly=1.3),
        ist.OrbitStart(**named, semi_major_axis=a, eccentricity=e, mean_anomaly=1.3),
        ist.OrbitStart(**named, perigee_altitude=low, apogee_altitude=high, true_anomaly=1.3),
        ist.OrbitStart(**named, semi_latus_rectum=1.1e7, eccentricity=1.5, true_anomaly=-0.5),
        ist.OrbitStart(semi_major_axis=a),
    ]
    r, v, _, _ = placed(bodies_starting(*starts))
    p = a * (1 - e * e)
    wanted = [
        in_plane(p, e, 1.3, angles),
        in_plane(p, e, true, angles),
        in_plane(p, e, 1.3, angles),
        in_plane(1.1e7, 1.5, -0.5, angles),
        in_plane(a, 0, 0, (0, 0, 0)),
    ]
    for k, (position, velocity) in enumerate(wanted):
        np.testing.assert_allclose(r[:, k], position, rtol=0, atol=32 * EPS * 1e7)
        np.testing.assert_allclose(v[:, k], velocity, rtol=0, atol=32 * EPS * 1e4)


# --- numbers as leaves


def full() -> ist.Scenario:
    """Starts of every sort, one of them plain, in an order that is not that of computing them."""
    over = ist.OverGround(
        latitude=0.5, longitude=0.3, altitude=1e4, speed=200.0, azimuth=1.0, velocity_relative_to="air",
        incidence=ist.Incidence(alpha=0.1), angular_velocity_relative_to="level",
    )  # fmt: skip
    orbit = ist.OrbitStart(
        semi_major_axis=7e6, eccentricity=0.1, inclination=0.5, mean_anomaly=0.7, attitude_axes="lvlh"
    )
    plain = ist.State(position=[7e6, 1.0, 2.0], velocity=[3.0, 4.0, 5.0])
    return bodies_starting(over, plain, orbit, wind=SteadyWind(velocity=[5.0, 6.0, 0.0]))


DISPERSED = {
    "bodies.b0.initial.latitude": np.array([0.5, 0.7, -0.2]),
    "bodies.b0.initial.incidence.alpha": np.array([0.1, 0.0, 0.3]),
    "bodies.b1.initial.position": np.array([[7e6, 7.1e6, 7e6], [1, 2, 3], [2, 2, 2.0]]),
    "bodies.b2.initial.mean_anomaly": np.array([0.7, 3.0, -2.0]),
    "planet.angle": np.array([0.4, 0.0, 2.0]),
}


def test_lanes_are_the_single_cases():
    single = full()
    together = lift(single)
    for path, values in DISPERSED.items():
        together = tree.replace_leaf(together, path, values)
    found = placed(together, (3,))
    plain = DISPERSED["bodies.b1.initial.position"]
    np.testing.assert_allclose(found[0][:, 1], plain, rtol=0, atol=4 * EPS * 7e6)
    for lane in range(3):
        case = single
        for path, values in DISPERSED.items():
            case = tree.set(case, path, values[..., lane])
        alone = placed(case)
        for one, many in zip(alone[:2] + alone[3:], found[:2] + found[3:], strict=True):
            np.testing.assert_allclose(many[..., lane], one, rtol=4 * EPS, atol=4 * EPS)
        np.testing.assert_allclose(found[2][:, lane], alone[2], rtol=0, atol=4 * EPS)


def test_derivatives_of_a_start():
    declared = full()
    paths = ["bodies.b0.initial.latitude", "bodies.b0.initial.speed", "bodies.b2.initial.mean_anomaly"]

    def state(values):
        changed = declared
        for path, value in zip(paths, values, strict=True):
            changed = tree.replace_leaf(changed, path, value)
        return as_placed(mechanism_of(changed))

    at = np.array([0.5, 200.0, 0.7])
    slopes = quickly(jax.jacfwd(state))(at)
    compiled = quickly(state)
    for k, step in enumerate((1e-5, 1e-2, 1e-5)):
        ahead, behind = (np.asarray(compiled(at + sign * step * np.eye(3)[k])) for sign in (1, -1))
        difference = (ahead - behind) / (2 * step)
        # truncation step^2/6 of the third derivative, as large as the function, and rounding eps |x|/step
        size = np.abs(slopes[:, k]).max() + np.abs(ahead).max() * EPS / step / step**2
        np.testing.assert_allclose(slopes[:, k], difference, rtol=0, atol=2 * step**2 * size)


def test_nothing_is_attached_to_the_ground_beside_a_planet_that_turns():
    """The ground is the inertial frame: what it holds would slide over the planet with 465 m/s."""
    pad = ist.Joint(name="pad", kind="spherical", parent="ground", child="b0")
    held = bodies_starting(ist.State(), planet=None, joints=(pad,))
    for allowed in (None, world.FlatGround(), world.Planet(radius=6e6, mu=4e14)):
        tree.replace_leaf(held, "planet", allowed).check()
    with pytest.raises(BadInput, match=r"joints\.pad\.parent: 'ground' is the inertial frame"):
        tree.replace_leaf(held, "planet", EARTH).check()
