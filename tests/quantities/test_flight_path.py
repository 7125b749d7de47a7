"""Directions of flight, attitudes relative to local axes, and orbital elements."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from engine_door import by_numpy, quickly
from interstage.environment import flight_path, geodesy, orbit, world
from interstage.maths.arrays import jvp
from interstage.maths.rotations import matrix_of
from mechanics import EPS

MU = world.WGS84_MU
TURNS = ("3-2-1", "2-3-1", "1-2-3", "3-1-2", "2-1-3", "1-3-2")


def drawn_axes(rng, count):
    """Local axes (3, 3, count), any rotation."""
    return np.moveaxis(Rotation.random(count, rng=rng).as_matrix(), 0, -1)


def test_flight_path_and_back():
    rng = np.random.default_rng(180)
    axes, v = drawn_axes(rng, 40), 3e3 * rng.standard_normal((3, 40))
    path, back = by_numpy(
        lambda axes, v: (path := flight_path.flight_path(axes, v), flight_path.velocity_along(axes, path))
    )(axes, v)
    np.testing.assert_allclose(back, v, rtol=0, atol=16 * EPS * 1e4)
    north, east, down = np.einsum("ijn,in->jn", axes, v)
    np.testing.assert_allclose(np.sin(path.angle) * path.speed, -down, rtol=0, atol=16 * EPS * 1e4)
    np.testing.assert_allclose(np.arctan2(east, north) % (2 * np.pi), path.azimuth, rtol=0, atol=16 * EPS)
    still = flight_path.flight_path(np.eye(3), np.zeros(3))
    assert [float(part) for part in still] == [0, 0, 0]


@pytest.mark.parametrize("sequence", TURNS)
def test_angles_over_local_axes(sequence):
    """Scipy's angles of the attitude over the axes; and the whole turn at a second angle of 90 deg."""
    rng = np.random.default_rng(181)
    axes = drawn_axes(rng, 30)
    angles = rng.uniform(-1, 1, (3, 30)) * np.array([[3.1], [1.5], [3.1]])
    there_back = by_numpy(
        lambda axes, angles: (
            q := flight_path.attitude_in(axes, sequence, angles),
            flight_path.angles_in(axes, sequence, q),
        )
    )
    q, back = there_back(axes, angles)
    np.testing.assert_allclose(back, angles, rtol=0, atol=16 * EPS / np.cos(1.5))
    letters = "".join("XYZ"[int(digit) - 1] for digit in sequence.split("-"))
    turn = Rotation.from_euler(letters, angles.T).as_matrix()
    np.testing.assert_allclose(matrix_of(q), np.einsum("ijn,njk->ikn", axes, turn), rtol=0, atol=16 * EPS)
    angles[1] = np.where(np.arange(30) % 2, 1, -1) * np.pi / 2
    locked, back = there_back(axes, angles)
    assert not np.asarray(back[2]).any()
    again, _ = there_back(axes, back)
    np.testing.assert_allclose(matrix_of(again), matrix_of(locked), rtol=0, atol=1e-12)  # counts as locked


def test_two_axes_are_refused():
    with pytest.raises(ValueError, match="three axes"):
        flight_path.angles_of("3-1-3", np.eye(3))


def test_incidence():
    """Angle of attack, sideslip and bank: there and back, and in level flight to the north by hand."""
    rng = np.random.default_rng(182)
    axes, v = drawn_axes(rng, 30), 300 * rng.standard_normal((3, 30))
    at = flight_path.Incidence(*(rng.uniform(-1, 1, (3, 30)) * np.array([[3.1], [1.5], [3.1]])))
    q, back = by_numpy(
        lambda axes, v: (
            q := flight_path.attitude_to_wind(axes, v, at),
            flight_path.incidence_and_bank(axes, v, q),
        )
    )(axes, v)
    np.testing.assert_allclose(np.stack(back), np.stack(at), rtol=0, atol=32 * EPS / np.cos(1.5))
    body = np.einsum("ijn,in->jn", matrix_of(q), v)
    np.testing.assert_allclose(
        body[1], np.linalg.norm(v, axis=0) * np.sin(at.beta), rtol=0, atol=32 * EPS * 600
    )
    total, roll = by_numpy(flight_path.total_incidence)(q, v)
    np.testing.assert_allclose(np.cos(total), np.cos(at.alpha) * np.cos(at.beta), rtol=0, atol=32 * EPS)
    np.testing.assert_allclose(roll, np.arctan2(body[1], body[2]), rtol=0, atol=64 * EPS / np.cos(1.5))
    ahead = np.array([100.0, 0, 0])
    over = by_numpy(
        lambda *at: matrix_of(flight_path.attitude_to_wind(np.eye(3), ahead, flight_path.Incidence(*at)))
    )
    nose_up, banked = over(0.1, 0.0, 0.0), over(0.0, 0.0, 0.2)
    np.testing.assert_allclose(nose_up[:, 0], [np.cos(0.1), 0, -np.sin(0.1)], atol=4 * EPS)
    np.testing.assert_allclose(banked[:, 1], [0, np.cos(0.2), np.sin(0.2)], atol=4 * EPS)  # right wing down


def test_lvlh():
    """Down, along and against the momentum; they turn at r x v/r^2 in free fall."""
    rng = np.random.default_rng(183)
    r, v = 7e6 * rng.standard_normal((3, 20)), 7e3 * rng.standard_normal((3, 20))

    def axes(s):
        fall = -MU * r / np.linalg.norm(r, axis=0) ** 3
        return flight_path.lvlh(r + s * v, v + s * fall)

    both = jvp(axes, (0.0,), (1.0,))
    matrix, rate = (np.asarray(part) for part in both)
    momentum = np.cross(r, v, axis=0)
    np.testing.assert_allclose(matrix[:, 2], -r / np.linalg.norm(r, axis=0), rtol=0, atol=4 * EPS)
    np.testing.assert_allclose(
        matrix[:, 1], -momentum / np.linalg.norm(momentum, axis=0), rtol=0, atol=64 * EPS
    )
    np.testing.assert_allclose(np.linalg.det(np.moveaxis(matrix, -1, 0)), 1, rtol=16 * EPS)
    spin = np.einsum("ikn,jkn->ijn", rate, matrix)
    spin = np.stack([spin[2, 1], spin[0, 2], spin[1, 0]])
    assert abs(flight_path.lvlh_rate(r, v) - spin).max() <= 64 * EPS * abs(spin).max()


@pytest.mark.parametrize("way", ["forward", pytest.param("in reverse", marks=pytest.mark.long)])
def test_nothing_breaks_at_singular_places(way):
    """At rest, straight up, over the pole: numbers and slopes stay finite, axes stay axes."""

    def everything(r, v):
        axes = geodesy.north_east_down(world.Earth(), 0.0, r)
        local = flight_path.lvlh(r, v)
        q = jnp.asarray([1.0, 0, 0, 0])
        path, at = flight_path.flight_path(axes, v), flight_path.incidence_and_bank(axes, v, q)
        rate = geodesy.level_rate(world.Earth(), 0.0, r, v)
        more = jnp.stack([*path, *at, *orbit.elements(MU, r, v), *rate])
        return jnp.concatenate([more, local.ravel()]), local

    r = np.array([[7e6, 0, 0], [0, 0, 7e6], [0, 0, -7e6], [7e6, 0, 0], [0, 7e6, 0], [7e6, 0, 0]])
    v = np.array([[0, 0, 0], [0, 0, -10], [1.0, 0, 0], [10.0, 0, 0], [0, 0, 7e3], [0, np.sqrt(MU / 7e6), 0]])
    slope = jax.jacfwd(lambda r, v: everything(r, v)[0], (0, 1))
    if way == "in reverse":
        slope = jax.grad(lambda r, v: jnp.sum(everything(r, v)[0]), (0, 1))
    values, axes, *slopes = quickly(jax.vmap(lambda r, v: (*everything(r, v), *slope(r, v))))(r, v)
    assert np.isfinite(values).all()
    assert all(np.isfinite(part).all() for part in slopes)
    eye = np.einsum("nik,njk->nij", axes, axes) - np.eye(3)
    assert abs(eye).max() <= 8 * EPS


def test_elements_of_a_published_example():
    """D. A. Vallado, Fundamentals of Astrodynamics and Applications, example 2-5: to the digits printed."""
    found = orbit.elements(
        398600.4418e9,
        np.array([6524.834e3, 6862.875e3, 6448.296e3]),
        np.array([4.901327e3, 5.533756e3, -1.976341e3]),
    )
    np.testing.assert_allclose(found.semi_latus_rectum, 11067.790e3, rtol=0, atol=20)
    np.testing.assert_allclose(found.semi_major_axis, 36127.343e3, rtol=0, atol=300)
    np.testing.assert_allclose(found.eccentricity, 0.832853, rtol=0, atol=2e-6)
    printed = [87.870, 227.898, 53.38, 92.335]
    np.testing.assert_allclose(np.degrees(found[2:]), printed, rtol=0, atol=6e-3)


@pytest.mark.parametrize(
    ("eccentricity", "inclination", "widest"),
    [
        *[(e, 1.0, np.pi) for e in (0.6, 0.0, 1e-9)],
        *[(e, i, np.pi) for e in (0.0, 0.3) for i in (0.0, 1e-9, np.pi)],
        *[(1.0, 1.0, 2.5), (1.5, 1.0, 2.0), (20.0, 2.0, 1.4)],
    ],
)
def test_elements_and_back(eccentricity, inclination, widest):
    """The state comes back to rounding from every kind of orbit; and what is set by rule is."""
    rng = np.random.default_rng(184)
    angles = rng.uniform(0, 2 * np.pi, (2, 40))
    e, i = np.full(40, eccentricity), np.full(40, inclination)
    start = orbit.Elements(7e6 * (1 + e), e, i, angles[0], angles[1], rng.uniform(-widest, widest, 40))
    trip = by_numpy(
        lambda start: (
            state := orbit.state(MU, start),
            found := orbit.elements(MU, *state),
            orbit.state(MU, found),
            orbit.perigee_apogee(MU, *state),
            orbit.semi_major_axis(MU, *state),
        )
    )
    (r, v), found, (r_back, v_back), (perigee, apogee), axis = trip(start)
    for a, b in ((r, r_back), (v, v_back)):
        # angles up to 2 pi are rounded to 4 eps each, and three are added
        assert (np.linalg.norm(a - b, axis=0) <= 32 * EPS * np.linalg.norm(a, axis=0)).all()
    np.testing.assert_allclose(found.eccentricity, e, rtol=0, atol=32 * EPS * (1 + eccentricity**2))
    np.testing.assert_allclose(perigee, 7e6, rtol=64 * EPS * (1 + eccentricity))
    if eccentricity < 1:
        np.testing.assert_allclose(axis, 7e6 / (1 - e), rtol=64 * EPS)
        np.testing.assert_allclose(apogee, 7e6 * (1 + e) / (1 - e), rtol=128 * EPS)
    elif eccentricity > 1:
        assert np.isinf(apogee).all()
    if eccentricity == 0:
        assert not np.asarray(found.periapsis).any()
    if inclination in (0, np.pi):
        assert not np.asarray(found.node).any()


def exact_anomalies(e, mean):
    """Eccentric or hyperbolic anomaly, by halving, and true anomaly, with 40 digits."""
    e, mean = mp.mpf(e), mp.mpf(mean)
    low, high = mp.mpf(-9), mp.mpf(9)
    for _ in range(130):
        big = (low + high) / 2
        above = (big - e * mp.sin(big) if e < 1 else e * mp.sinh(big) - big) > mean
        low, high = (low, big) if above else (big, high)
    if e < 1:
        return big, 2 * mp.atan2(mp.sqrt(1 + e) * mp.sin(big / 2), mp.sqrt(1 - e) * mp.cos(big / 2))
    return big, 2 * mp.atan(mp.sqrt((e + 1) / (e - 1)) * mp.tanh(big / 2))


def drawn_orbits(rng, count: int, closest: float):
    """Orbits of all shapes, as far from a parabola as `closest` at least."""
    low, high = (
        rng.uniform(0, 1 - closest, count // 2),
        1 + 10 ** rng.uniform(np.log10(closest), 1, count // 2),
    )
    eccentricity: Any = np.concatenate([low, high])
    node, tilt, argument = rng.uniform(0, 3, (3, count))
    widest = np.where(eccentricity < 1, np.pi, 0.9 * np.arccos(-1 / np.maximum(eccentricity, 1 + closest)))
    anomaly = rng.uniform(-1, 1, count) * widest
    return orbit.Elements(10 ** rng.uniform(6.8, 8, count), eccentricity, tilt, node, argument, anomaly)


def test_heights_of_the_apsides_over_the_ellipsoid():
    """The states at the two apsides have them as their altitudes; an open orbit has no apogee."""
    rng, planet = np.random.default_rng(185), world.Earth()
    e = np.append(rng.uniform(0.001, 0.7, 39), 1.2)
    angles = rng.uniform(0, 2 * np.pi, (2, 40))
    tilt = rng.uniform(0, np.pi, 40)

    def at(anomaly: Any) -> Any:
        return orbit.state(planet.mu, orbit.Elements(6.6e6 * (1 + e), e, tilt, angles[0], angles[1], anomaly))

    state = at(rng.uniform(-1.5, 1.5, 40))
    low, high = orbit.apsis_heights(planet, *state)
    for found, anomaly, some in ((low, 0.0, slice(40)), (high, np.pi, slice(39))):
        wanted = geodesy.altitude(planet, 0.0, at(np.full(40, anomaly))[0])
        # Rounding of 4e7 m by an orbit that is barely an ellipse: its apsides are known to eps/e of a turn.
        np.testing.assert_allclose(found[some], wanted[some], rtol=0, atol=4e7 * 64 * EPS / 0.001)
    assert high[39] == np.inf


def test_a_time_ahead():
    """As by Kepler's equation with the anomalies, on ellipses over three revolutions, on hyperbolas."""
    rng = np.random.default_rng(26)
    start = drawn_orbits(rng, 2000, 0.01)
    pace = np.sqrt(np.abs(start.semi_major_axis) ** 3 / MU)
    span = rng.uniform(-20, 20, 2000) * pace
    r, v = orbit.after(MU, *orbit.state(MU, start), span)
    mean = orbit.mean_anomaly(start.eccentricity, start.true_anomaly) + span / pace
    end = start._replace(true_anomaly=orbit.true_anomaly(start.eccentricity, mean))
    r_by_angle, v_by_angle = orbit.state(MU, end)
    # The anomaly of a far point, or of a fast one, is as uncertain as 1/|1 - e|, up to 100, makes it, squared
    # where a small distance is the difference of large ones.
    close = 20 * EPS * 100**2
    np.testing.assert_array_less(np.linalg.norm(r - r_by_angle, axis=0), close * np.linalg.norm(r, axis=0))
    np.testing.assert_array_less(np.linalg.norm(v - v_by_angle, axis=0), close * np.linalg.norm(v, axis=0))


def test_a_time_ahead_of_a_parabola_and_of_nothing():
    """Barker's equation: t = sqrt(p^3/mu)/2 (D + D^3/3), D = tan(f/2)."""
    p, half = 9e6, np.linspace(0.0, 1.3, 9)
    tangent = np.tan(half)
    angles = (np.full(9, 0.3), np.full(9, 0.2), np.full(9, 0.1))
    one = np.ones(9)
    perigee = orbit.state(MU, orbit.Elements(p, one, *angles, np.zeros(9)))
    span = np.sqrt(p**3 / MU) / 2 * (tangent + tangent**3 / 3)
    r, v = orbit.after(MU, *perigee, span)
    r_there, v_there = orbit.state(MU, orbit.Elements(p, one, *angles, 2 * half))
    np.testing.assert_allclose(r, r_there, rtol=0, atol=64 * EPS * np.abs(r_there).max())
    np.testing.assert_allclose(v, v_there, rtol=0, atol=64 * EPS * np.abs(v_there).max())
    np.testing.assert_array_equal(r[:, 0], perigee[0][:, 0])


def test_a_time_ahead_has_exact_derivatives():
    """To the state, along a path over one half of an orbit: against differences of fourth order."""
    r, v = np.array([7e6, 1e5, -2e5]), np.array([-300.0, 7e3, 2.5e3])
    along = np.array([1.0, -2.0, 0.5]), np.array([0.3, 0.1, -0.2])
    ahead = lambda s: np.concatenate(orbit.after(MU, r + s * along[0], v + s * along[1], 2500.0))  # noqa: E731
    _, rates = jax.jit(
        lambda *s: jax.jvp(lambda r, v: jnp.concatenate(orbit.after(MU, r, v, 2500.0)), s, along)
    )(r, v)
    step = 10.0
    differences = (8 * (ahead(step) - ahead(-step)) - (ahead(2 * step) - ahead(-2 * step))) / (12 * step)
    # Rounding of the states, a few dozen EPS, over the step.
    rounding = 64 * EPS * np.repeat([8e6, 8e3], 3) / step
    assert (np.abs(rates - differences) < rounding + 1e-9 * np.abs(rates)).all()


def test_anomalies():
    """Kepler's equation is solved to rounding, on ellipses and hyperbolas, near the parabola and far."""
    rng = np.random.default_rng(185)
    convert = by_numpy(lambda e, m: (f := orbit.true_anomaly(e, m), orbit.mean_anomaly(e, f)))
    for e in (0.0, 0.1, 0.9, 0.9999, 1 - 1e-6, 1 + 1e-6, 1.01, 1.5, 20.0):
        mean = 10.0 ** rng.uniform(-8, 0, 8) * rng.uniform(-np.pi, np.pi, 8) * (1 if e < 1 else 5)
        found, back = convert(e, mean)
        with mp.workdps(40):
            exact = np.array([[float(part) for part in exact_anomalies(e, m)] for m in mean])
        big, true = exact.T
        slope = 1 - e * np.cos(big) if e < 1 else e * np.cosh(big) - 1
        # The terms of Kepler's equation are rounded: over its slope, that is the error of the anomaly.
        rounded = 4 * EPS * (abs(mean) + 2 * abs(big)) / slope
        spread = np.sqrt(abs(1 - e * e)) / slope
        assert (abs(found - true) <= rounded * spread + 8 * EPS * abs(true)).all(), e
        assert (abs(back - mean) <= (rounded + 16 * EPS * abs(true) / spread) * slope).all(), e
    # A sidereal day and its radius, each to half a unit of its last printed digit: T is as a^(3/2).
    day, radius = 86164.1, 42164.17e3
    printed = 0.05 + 1.5 * day * 5.0 / radius
    np.testing.assert_allclose(orbit.period(MU, radius), day, rtol=0, atol=printed)
