"""The planet: geodetic coordinates, rotation, local axes, and distances over the ground."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
from geographiclib.geodesic import Geodesic

from engine_door import by_numpy, quickly
from interstage.environment import geodesy, ground_range, planet, world
from interstage.maths.arrays import jvp
from interstage.tree.errors import BadInput
from mechanics import EPS

EARTH = world.Earth(angle=0.7)
A, F = float(EARTH.radius), float(EARTH.flattening)
ALTITUDES = (-6.3e6, -6e6, -1e5, 0.0, 8e3, 4e5, 3.6e7, 1e9)


def exact_foot(p, z, latitude):
    """Latitude and altitude of a meridian point with 40 digits, by Newton's method from the double result."""
    a, f = mp.mpf(A), mp.mpf(F)
    square, at = f * (2 - f), mp.mpf(float(latitude))
    p, z = mp.mpf(float(p)), mp.mpf(float(z))
    for _ in range(4):
        s, c = mp.sin(at), mp.cos(at)
        root = mp.sqrt(1 - square * s**2)
        slope = p * c + z * s - a * root + a * (1 - square) / root**3
        at -= (p * s - z * c - a * square * s * c / root) / slope
    s, c = mp.sin(at), mp.cos(at)
    return at, p * c + z * s - a * mp.sqrt(1 - square * s**2)


def drawn_latitudes(rng, count):
    """All over the sphere, with the places where formulas fail among them."""
    latitude = np.arcsin(rng.uniform(-1, 1, count))
    latitude[:6] = 0.0, 1e-12, -1e-300, np.pi / 2 - 1e-9, -np.pi / 2 + 1e-6, np.pi / 4
    return latitude


def test_geodetic_coordinates_to_rounding_at_all_altitudes():
    rng = np.random.default_rng(170)
    found = by_numpy(lambda x: geodesy.geodetic(EARTH, x))
    with mp.workdps(40):
        for altitude in ALTITUDES:
            latitude = drawn_latitudes(rng, 24)
            longitude = rng.uniform(-np.pi, np.pi, 24)
            position = np.asarray(geodesy.position_of(EARTH, latitude, longitude, altitude))
            place = found(position)
            p = [mp.hypot(mp.mpf(x), mp.mpf(y)) for x, y in position[:2].T]
            for k in range(24):
                exact = exact_foot(p[k], position[2, k], latitude[k])
                # a rounded distance from the axis moves the point by eps/2 of it, and so do the last sums
                near = 1 + np.linalg.norm(position[:, k]) / (A + altitude)
                assert abs(exact[0] - mp.mpf(float(place.latitude[k]))) <= 2 * EPS * near
                assert abs(exact[1] - mp.mpf(float(place.altitude[k]))) <= 3 * EPS * max(A, altitude)
            np.testing.assert_allclose(place.longitude, longitude, rtol=0, atol=4 * EPS)


def test_two_steps_are_enough_as_far_as_they_are_taken():
    """Beside the closed form, out to where they end, and beyond."""
    latitude = np.linspace(-np.pi / 2, np.pi / 2, 181)
    for square in (geodesy.EASY_SQUARE, -geodesy.EASY_SQUARE, 0.0067):
        for distance in (geodesy.EASY_RADIUS, 1.0, 1.5, 40.0):
            place = square, distance * np.cos(latitude), distance * np.sin(latitude)
            near = geodesy._in_two_steps(square, place[1], place[1] ** 2, place[2])
            (s, c), (its, own) = near / np.hypot(*near), geodesy._closed_form(*place)
            if square > 0:  # the closed form is for oblate planets
                np.testing.assert_allclose(s * own, its * c, rtol=0, atol=4 * EPS)
            # Along the normal from the foot: a x e^2 sin f cos f / sqrt(1 - e^2 sin^2 f) across it.
            off = place[1] * s - place[2] * c - square * s * c / np.sqrt(1 - square * s * s)
            np.testing.assert_allclose(off, 0.0, rtol=0, atol=4 * EPS * distance)


def test_poles_equator_and_centre_are_exact():
    b = A * (1 - F)
    points = np.array([[0, 0, b + 7], [0, 0, -b - 7], [A + 7, 0, 0], [0, -A - 7, 0], [0, 0, 0]]).T
    place = by_numpy(lambda x: geodesy.geodetic(EARTH, x))(points)
    assert place.latitude[:4].tolist() == [np.pi / 2, -np.pi / 2, 0, 0]
    assert place.longitude.tolist() == [0, 0, 0, -np.pi / 2, 0]
    np.testing.assert_allclose(place.altitude, [7, 7, 7, 7, -b], rtol=0, atol=2 * EPS * A)
    assert abs(place.latitude[4]) == np.pi / 2  # the nearest points of an oblate ellipsoid are its poles
    assert np.asarray(geodesy.outside(EARTH, points)).tolist() == [False] * 4 + [True]


def test_slopes_of_geodetic_coordinates():
    """They are the inverse of the slopes of the way back, and finite also where a formula's would not be; the
    ellipsoid moves under a fixed point by its own slopes."""

    def forth(x):
        return jnp.stack(geodesy.geodetic(EARTH, x))

    def round_trip(a, f):
        body = world.Planet(mu=1.0, radius=a, flattening=f)
        return geodesy.position_of(body, *geodesy.geodetic(body, x))

    x = jnp.asarray([4.1e6, -3e6, 4e6])
    odd = np.array(
        [x, [0, 0, A], [0, 0, -A], [A, 0, 0], [0, 0, 0], [1e3, 0, 0], [3e4, 0, 1e4], [42697.0, 0, 0]]
    )
    found = quickly(jax.vmap(jax.jacfwd(forth)))(odd)
    assert np.isfinite(found).all()
    slopes, reverse, back, beneath, second = quickly(
        lambda x: (
            jax.jacfwd(forth)(x),
            jax.jacrev(forth)(x),
            jax.jacfwd(lambda g: geodesy.position_of(EARTH, g[0], g[1], g[2]))(forth(x)),
            jax.jacfwd(round_trip, (0, 1))(EARTH.radius, EARTH.flattening),
            jax.jacfwd(jax.grad(lambda x: geodesy.geodetic(EARTH, x).altitude))(x),
        )
    )(x)
    np.testing.assert_allclose(back @ slopes, np.eye(3), rtol=0, atol=8 * EPS)
    np.testing.assert_allclose(reverse, slopes, rtol=8 * EPS, atol=EPS / A)
    assert abs(beneath[0]).max() <= 8 * EPS
    assert abs(beneath[1]).max() <= 8 * EPS * A
    np.testing.assert_allclose(second, second.T, rtol=0, atol=8 * EPS / A)


def test_a_sphere_beside_an_ellipsoid_and_its_centre_by_jax_and_by_numpy():
    """Lanes of which all or some are of a sphere, and one of the centre."""
    x = np.array([[1.2, 0.0, 0.3], [0.0, 0.0, -0.4], [0.5, 0.0, 1.1]])
    for flattening in (np.zeros(3), np.array([0.0, 0.1, 0.0])):
        body = world.Planet(mu=1.0, radius=1.0, flattening=flattening)
        found = [np.stack(jax.device_get(geodesy.geodetic(body, a))) for a in (x, jnp.asarray(x))]
        np.testing.assert_allclose(*found, rtol=4 * EPS, atol=4 * EPS)
        assert np.isfinite(found).all()
        sphere = flattening == 0
        away = np.linalg.norm(x, axis=0) - 1
        np.testing.assert_allclose(found[0][2][sphere], away[sphere], rtol=0, atol=4 * EPS)
        np.testing.assert_allclose(
            found[0][0][sphere & (away > -1)],
            np.arctan2(x[2], np.hypot(*x[:2]))[sphere & (away > -1)],
            atol=4 * EPS,
        )


@pytest.mark.parametrize("flattening", [0.0, 1e-9, 0.1, 0.5])
def test_other_ellipsoids(flattening):
    body = world.Planet(mu=1.0, radius=1.0, flattening=flattening)
    x = 4 * np.random.default_rng(171).standard_normal((3, 300))
    x = x[:, ~np.asarray(geodesy.outside(body, x))]
    back = by_numpy(lambda b, x: geodesy.position_of(b, *geodesy.geodetic(b, x)))(body, x)
    assert abs(np.asarray(back) - x).max() <= 4 * EPS * abs(x).max()


def test_planets_in_lanes():
    """Leaves with lanes beside positions with bodies and lanes."""
    body = world.Planet(mu=1.0, radius=np.array([1.0, 2.0]), flattening=0.1, angle=np.array([0.0, 0.5]))
    x = 4 * np.random.default_rng(172).standard_normal((3, 3, 2))
    found = by_numpy(lambda b, x: (geodesy.north_east_down(b, 0.3, x), geodesy.altitude(b, 0.3, x)))
    axes, altitude = found(body, x)
    for k in range(2):
        one = world.Planet(mu=1.0, radius=k + 1.0, flattening=0.1, angle=k / 2)
        alone = found(one, x[..., k])
        np.testing.assert_allclose(axes[..., k], alone[0], rtol=0, atol=4 * EPS)
        np.testing.assert_allclose(altitude[..., k], alone[1], rtol=0, atol=16 * EPS)


def test_rotation():
    """The planet-fixed rates of a moving point are the relative velocity; there and back is to rounding."""
    rng = np.random.default_rng(173)
    r, v, t = 7e6 * rng.standard_normal((3, 9)), 5e3 * rng.standard_normal((3, 9)), rng.uniform(0, 1e5, 9)
    fixed, rate = jvp(lambda s: planet.to_fixed(EARTH, s, r + v * (s - t)), (t,), (np.ones(9),))
    relative = planet.relative_velocity(EARTH, r, v)
    np.testing.assert_allclose(planet.to_fixed(EARTH, t, relative), rate, rtol=0, atol=8 * EPS * 1e4)
    np.testing.assert_allclose(planet.from_fixed(EARTH, t, fixed), r, rtol=0, atol=4 * EPS * 2e7)
    np.testing.assert_allclose(planet.inertial_velocity(EARTH, r, relative), v, rtol=0, atol=4 * EPS * 2e4)
    x = planet.to_fixed(EARTH, 0.0, np.array([1.0, 0, 0]))
    np.testing.assert_allclose(x, [np.cos(0.7), -np.sin(0.7), 0], rtol=0, atol=EPS)


def test_local_axes():
    """Up is the slope of the altitude, north that of the latitude; the axes turn at the level rate."""
    rng = np.random.default_rng(174)
    r, v, t = 7e6 * rng.standard_normal((3, 9)), 5e3 * rng.standard_normal((3, 9)), rng.uniform(0, 1e5, 9)

    def axes(s):
        return geodesy.north_east_down(EARTH, s, r + v * (s - t))

    matrix, rate, up, found, centred = quickly(
        lambda t, r: (
            *jax.jvp(axes, (t,), (jnp.ones(9),)),
            jax.grad(lambda x: jnp.sum(geodesy.altitude(EARTH, t, x)))(r),
            geodesy.level_rate(EARTH, t, r, v),
            geodesy.north_east_down(EARTH, t, r, geocentric=True),
        )
    )(t, r)
    matrix, rate = np.asarray(matrix), np.asarray(rate)
    np.testing.assert_allclose(
        np.einsum("ikn,jkn->ijn", matrix, matrix), np.eye(3)[..., None] * np.ones(9), rtol=0, atol=8 * EPS
    )
    np.testing.assert_allclose(-matrix[:, 2], up, rtol=0, atol=8 * EPS)
    east = np.cross([0, 0, 1], r, axisb=0).T
    np.testing.assert_allclose(matrix[:, 1], east / np.linalg.norm(east, axis=0), rtol=0, atol=64 * EPS)
    spin = np.einsum("ikn,jkn->ijn", rate, matrix)
    spin = np.stack([spin[2, 1], spin[0, 2], spin[1, 0]])
    assert abs(found - spin).max() <= 64 * EPS * abs(spin).max()
    np.testing.assert_allclose(centred[:, 2], -r / np.linalg.norm(r, axis=0), rtol=0, atol=8 * EPS)
    at = geodesy.geocentric_latitude(r), np.arctan2(r[1], r[0])
    back = -np.linalg.norm(r, axis=0) * geodesy.axes_at(*at)[:, 2]
    np.testing.assert_allclose(back, r, rtol=0, atol=8 * EPS * 2e7)


def test_state_at_a_place():
    """On the ground and at rest relative to it, a point goes round with the planet."""
    place = geodesy.Geodetic(0.5, -1.4, 100.0)
    position, velocity = by_numpy(lambda v: geodesy.state_at(EARTH, 50.0, place, v))(np.zeros(3))
    fixed = planet.to_fixed(EARTH, 50.0, position)
    np.testing.assert_allclose(
        jnp.stack(geodesy.geodetic(EARTH, fixed)), place, rtol=8 * EPS, atol=4 * EPS * A
    )
    np.testing.assert_allclose(velocity, np.cross([0, 0, EARTH.rotation_rate], position), rtol=0, atol=1e-12)
    inertial = geodesy.state_at(EARTH, 50.0, place, np.array([3.0, 4.0, 12.0]), relative=False)[1]
    np.testing.assert_allclose(np.linalg.norm(inertial), 13.0, rtol=8 * EPS)


def test_geodesics_against_another_code():
    """C. F. F. Karney's geodesics (geographiclib): exact to 15 nm."""
    rng = np.random.default_rng(175)
    start = np.stack([np.arcsin(rng.uniform(-1, 1, 60)), rng.uniform(-np.pi, np.pi, 60)])
    place = np.stack([np.arcsin(rng.uniform(-1, 1, 60)), rng.uniform(-np.pi, np.pi, 60)])
    near = start[:, :20] + 10.0 ** rng.uniform(-9, -2, 20) * rng.uniform(-1, 1, (2, 20))
    place[:, :20] = near
    exact = []
    for a, b in zip(np.degrees(start.T), np.degrees(place.T), strict=True):
        found = Geodesic.WGS84.Inverse(a[0], a[1], b[0], b[1])
        exact.append((found["s12"], np.radians(found["azi1"])))
    distance, azimuth = np.array(exact).T
    truth = distance * np.stack([np.cos(azimuth), np.sin(azimuth)])
    error = np.linalg.norm(
        by_numpy(lambda a, b: ground_range.geodesic(EARTH, a, b))(start, place) - truth, axis=0
    )
    assert not np.asarray(ground_range.opposite(start, place)).any()
    # Degrees were rounded on the way to the oracle.
    assert error[:20].max() <= 2e-8 * distance[:20].max() + 1e-7
    # The series stop at the third power of the flattening; azimuths are magnified towards the far point.
    assert (error <= A * F**4 / 4 / np.maximum(np.sin(distance / A), 0.05)).all()
    sphere = by_numpy(lambda a, b: ground_range.great_circle(EARTH, a, b))(start, place)
    assert (np.linalg.norm(sphere, axis=0) / distance - 1).max() <= 2 * F


def test_downrange_and_crossrange():
    """On a sphere they are those of the spherical triangle; on the equator downrange is the arc; they are
    smooth at the start itself."""
    ball = world.Planet(mu=1.0, radius=2.0)
    start, place, azimuth = (0.3, -0.2), (0.5, 0.4), 0.9
    x, to = (np.asarray(geodesy.position_of(ball, *at, -1.0)) for at in (start, place))
    axes = np.asarray(geodesy.axes_at(*start))
    ahead = np.cos(azimuth) * axes[:, 0] + np.sin(azimuth) * axes[:, 1]
    right = np.cross(ahead, x)
    exact = 2 * np.array([np.arctan2(to @ ahead, to @ x), np.arcsin(to @ right)])
    for curve in ("geodesic", "great_circle"):
        found = ground_range.downrange_crossrange(ball, start, azimuth, place, curve)
        np.testing.assert_allclose(found, exact, rtol=0, atol=16 * EPS)
    along, across = ground_range.downrange_crossrange(EARTH, (0.0, 0.0), np.pi / 2, (0.0, 0.5))
    mean = A * (1 - F / 3)
    np.testing.assert_allclose(along, 0.5 * A, rtol=8 * EPS)
    np.testing.assert_allclose(across, 0, atol=16 * EPS * mean)

    def moved(at):
        return ground_range.downrange_crossrange(EARTH, start, azimuth, at)

    slopes = quickly(jax.jacfwd(moved))
    here, beside = slopes(jnp.asarray(start)), slopes(jnp.asarray(start) + 1e-6)
    np.testing.assert_allclose(moved(start), 0, atol=EPS * A)
    np.testing.assert_allclose(here, beside, rtol=0, atol=1e-5 * A)


def test_flat_ground():
    ground = world.FlatGround(up=[0, 0, 2], north=[1, 0, 5], ground=[10, 0, 3])
    x = np.array([[11.0, 10.0], [2.0, 0.0], [7.0, 3.0]])
    np.testing.assert_allclose(planet.flat_coordinates(ground, x), [[1, 0], [-2, 0], [4, 0]], atol=4 * EPS)
    np.testing.assert_allclose(geodesy.altitude(ground, 9.0, x), [4, 0], atol=4 * EPS)
    axes = geodesy.north_east_down(ground, 9.0, x)[..., 0]
    np.testing.assert_allclose(axes, [[1, 0, 0], [0, -1, 0], [0, 0, -1]], atol=4 * EPS)
    np.testing.assert_array_equal(planet.relative_velocity(ground, x, x), x)
    over = planet.flat_coordinates(ground, x)[:2]
    np.testing.assert_allclose(ground_range.flat_downrange(0.0, over), [[1, 0], [-2, 0]], atol=4 * EPS)
    np.testing.assert_allclose(ground_range.flat_downrange(np.pi / 2, over), [[-2, 0], [-1, 0]], atol=4 * EPS)
    with pytest.raises(TypeError, match="no latitude"):
        geodesy.geodetic(ground, x)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: world.Planet(radius=1.0, mu=1.0, flattening=0.6),
            "flattening: the flattening is out of range",
        ),
        (lambda: world.Earth(flattening=-0.1), "must not be negative"),
        (lambda: world.FlatGround(up=[0, 0, 0]), "up: the vector is zero"),
        (lambda: world.FlatGround(north=[0, 0, 1]), "north: the vector is zero or parallel"),
    ],
)
def test_what_is_refused(make, message):
    with pytest.raises(BadInput, match=message):
        make()
