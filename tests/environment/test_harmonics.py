"""Gravity fields beyond the central term: zonal terms, spherical harmonics, gradient and torque."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from engine_door import by_numpy, quickly
from interstage.environment import gravity, gravity_field, gravity_gradient, harmonics, planet, world, zonal
from interstage.environment.coefficients import load
from interstage.maths.rotations import matrix_of
from interstage.tree import addresses as tree
from interstage.tree.errors import BadInput
from mechanics import EPS

STILL = world.Planet(radius=6378137.0, mu=1.0)
EARTH = world.Earth(angle=0.4)
CASE = Path(__file__).parents[2] / "validation" / "egm96"
# The sums have 70 terms of either sign; their errors add at random.
ROUNDING = 16 * EPS


@pytest.fixture(scope="module")
def truth() -> ModuleType:
    """The sums with 60 digits, by other formulas."""
    spec = importlib.util.spec_from_file_location("egm96_truth", CASE / "make_truth.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def drawn_positions(rng, count):
    """From the ground to the geostationary orbit; on the polar axis, beside it and on the equator."""
    x = rng.standard_normal((3, count))
    x *= 6.4e6 * 10 ** rng.uniform(0, 0.8, count) / np.linalg.norm(x, axis=0)
    x[:, :4] = np.array([[0, 0, 6.4e6], [0, 0, -7e6], [6.4e6, 0, 0], [1e-3, 0, 6.5e6]]).T
    return x


def relative(found, exact):
    return np.linalg.norm(found - exact, axis=0) / np.linalg.norm(exact, axis=0)


@pytest.mark.parametrize(("degree", "order"), [(0, 0), (1, 1), (4, 4), (9, 9), (9, 3), (6, 0)])
def test_fields_against_many_digits(truth, degree, order):
    """Acceleration, potential, and differences over a millimetre to 1000 km."""
    rng = np.random.default_rng(190)
    x, offset = drawn_positions(rng, 8), rng.standard_normal((3, 8))
    offset *= 10.0 ** np.array([-3, -2, -1, 0, 2, 3, 5, 6]) / np.linalg.norm(offset, axis=0)
    field = gravity.HarmonicGravity(degree=degree, order=order)
    found, potential, change = by_numpy(
        lambda x, d: (
            harmonics.acceleration(field, STILL, 0.0, x),
            harmonics.potential(field, STILL, 0.0, x),
            harmonics.difference(field, STILL, 0.0, x, d),
        )
    )(x, offset)
    with mp.workdps(50):
        known = truth.coefficients()
        here = [truth.field(known, p, degree, order) for p in x.T]
        away = [[mp.mpf(a) + mp.mpf(b) for a, b in zip(p, d)] for p, d in zip(x.T, offset.T)]
        there = [truth.field(known, p, degree, order)[0] for p in away]
        exact = np.array([[float(v) for v in a] for a, _ in here]).T
        exact_change = np.array([[float(q - p) for p, q in zip(a, b)] for (a, _), b in zip(here, there)]).T
    assert relative(found, exact).max() <= ROUNDING
    assert relative(change, exact_change).max() <= ROUNDING
    np.testing.assert_allclose(potential, [-float(u) for _, u in here], rtol=ROUNDING)


def test_zonal_terms_are_those_of_the_harmonics(truth):
    """The closed form, its potential, its gradient and its differences."""
    rng = np.random.default_rng(191)
    x, offset = drawn_positions(rng, 20), rng.standard_normal((3, 20))
    offset *= 10.0 ** rng.uniform(-3, 6, 20) / np.linalg.norm(offset, axis=0)
    closed, sums = gravity.ZonalGravity(), gravity.HarmonicGravity(degree=4, order=0)
    ours, theirs = by_numpy(
        lambda x, d: (
            (
                zonal.acceleration(closed, x),
                zonal.potential(closed, x)[None],
                zonal.difference(closed, x, d),
                zonal.gradient(closed, x),
            ),
            (
                harmonics.acceleration(sums, EARTH, 50.0, x),
                harmonics.potential(sums, EARTH, 50.0, x)[None],
                harmonics.difference(sums, EARTH, 50.0, x, d),
                harmonics.gradient(sums, EARTH, 50.0, x),
            ),
        )
    )(x, offset)
    for a, b in zip(ours, theirs):
        assert (
            np.linalg.norm(np.asarray(a) - b, axis=0) / np.linalg.norm(b, axis=0).max(0)
        ).max() <= ROUNDING
    moved = gravity.ZonalGravity(centre=[1e6, 2e6, -3e6])
    shift = np.array([1e6, 2e6, -3e6])[:, None]
    np.testing.assert_allclose(zonal.acceleration(moved, x + shift), ours[0], rtol=0, atol=1e-14)
    plain = gravity.ZonalGravity(j2=0.0, j3=0.0, j4=0.0)
    central = gravity.InverseSquareGravity(mu=gravity.EGM96_MU)
    np.testing.assert_allclose(
        zonal.acceleration(plain, x), gravity_field.acceleration(central, None, 0.0, x), rtol=ROUNDING
    )


def test_gravity_on_the_ellipsoid(tmp_path):
    """Normal gravity of WGS 84 at the equator and the poles, to the digits printed (NIMA TR8350.2, Table
    3.4): the ellipsoid's even zonal terms (W. A. Heiskanen and H. Moritz, Physical Geodesy, eqs 2-90, 2-92)
    and the rotation. The closed form lacks J6 = 6.08e-9, 7 J6 (a/r)^8 g at most."""
    a, f, rate, mu = 6378137.0, 1 / 298.257223563, 7292115e-11, 3986004.418e8
    square, b = f * (2 - f), a * (1 - f)
    prime = np.sqrt(square) / (1 - f)
    q0 = ((1 + 3 / prime**2) * np.arctan(prime) - 3 / prime) / 2
    j2 = square / 3 * (1 - 2 / 15 * rate**2 * a**2 * b / mu * prime / q0)
    j = {
        2 * n: (-1) ** (n + 1) * (3 * square**n / ((2 * n + 1) * (2 * n + 3)) * (1 - n + 5 * n * j2 / square))
        for n in range(1, 7)
    }
    rows = [f"gfc {n} 0 {-value / np.sqrt(2 * n + 1):.17e} 0.0\n" for n, value in j.items()]
    path = tmp_path / "normal.gfc"
    path.write_text(f"earth_gravity_constant {mu}\nradius {a}\nend_of_head\n{''.join(rows)}")
    full = gravity.HarmonicGravity(coefficients=str(path), degree=12)
    closed = gravity.ZonalGravity(mu=mu, radius=a, j2=j2, j3=0.0, j4=j[4])
    x = np.array([[a, 0, 0], [0, 0, b]]).T
    printed = np.array([9.7803253359, 9.8321849378])
    for pull, allowed in (
        (harmonics.acceleration(full, STILL, 0.0, x), 1e-10),
        (zonal.acceleration(closed, x), 7 * j[6] * (a / b) ** 8 * 9.8),
    ):
        found = np.array([-pull[0, 0] - rate**2 * a, -pull[2, 1]])
        assert (abs(found - printed) <= allowed).all()


def test_potential_gradient_and_slopes():
    """The acceleration is the slope of the potential, the gradient that of the acceleration, in forward and
    in reverse; and Laplace's equation holds for the slopes of the acceleration, which do not know of it."""
    field = gravity.HarmonicGravity(degree=30)
    x = drawn_positions(np.random.default_rng(192), 8)
    t = 1234.0

    def all_of(x):
        pull = lambda y: harmonics.acceleration(field, EARTH, t, y)  # noqa: E731
        return (
            jax.grad(lambda y: harmonics.potential(field, EARTH, t, y))(x),
            pull(x),
            harmonics.gradient(field, EARTH, t, x),
            jax.jacfwd(pull)(x),
            jax.jacrev(pull)(x),
        )

    slope, pull, gradient, forward, reverse = quickly(jax.vmap(all_of))(x.T)
    assert relative(-slope.T, pull.T).max() <= ROUNDING
    size = np.linalg.norm(gradient, axis=(1, 2))
    for one in (forward, reverse):
        assert (np.linalg.norm(one - gradient, axis=(1, 2)) <= ROUNDING * size).all()
        assert (abs(np.trace(one, axis1=1, axis2=2)) <= ROUNDING * size).all()


def test_field_turns_with_the_planet():
    """At the same planet-fixed place the same pull, at all times; and not at the same inertial place."""
    field = gravity.HarmonicGravity(degree=12)
    fixed = drawn_positions(np.random.default_rng(193), 6)
    evaluate = by_numpy(
        lambda s: planet.to_fixed(
            EARTH, s, harmonics.acceleration(field, EARTH, s, planet.from_fixed(EARTH, s, fixed))
        )
    )
    begin, later = evaluate(0.0), evaluate(3e4)
    assert relative(later, begin).max() <= ROUNDING
    there = by_numpy(lambda x: harmonics.acceleration(field, EARTH, 3e4, x))(fixed)
    assert relative(there, begin)[5] > 1e-7


def test_bodies_and_lanes():
    """Offsets of bodies (3, body, lane) from an origin (3, 1, lane), times and constants in lanes: as one
    at a time."""
    rng = np.random.default_rng(194)
    origin, offset = drawn_positions(rng, 5)[:, None, 3:], 1e3 * rng.standard_normal((3, 4, 2))
    mu = np.array([4e14, 3e14])
    field = gravity.HarmonicGravity(degree=6, mu=mu)
    times = np.array([0.0, 500.0])
    change = by_numpy(lambda f, t, o, d: harmonics.difference(f, EARTH, t, o, d))
    found = change(field, times, origin, offset)
    for lane in range(2):
        one = gravity.HarmonicGravity(degree=6, mu=mu[lane])
        alone = change(one, times[lane], origin[..., lane], offset[..., lane])
        np.testing.assert_allclose(found[..., lane], alone, rtol=ROUNDING)
        flat = change(one, times[lane], origin[:, 0, lane], offset[..., lane])
        np.testing.assert_allclose(flat, alone, rtol=ROUNDING)


def test_many_lanes_take_the_orders_in_blocks():
    """Every lane as it is alone, in each of the sums."""
    x = drawn_positions(np.random.default_rng(196), 60)
    field = gravity.HarmonicGravity(degree=22, order=17)
    terms = harmonics._terms(field, 1, x[0])
    rows, width = terms.a.shape
    assert rows > 2 * 23  # more than two blocks
    assert 19 % width  # the last one is not full
    everything = by_numpy(
        lambda x: (
            harmonics.acceleration(field, EARTH, 7.0, x),
            harmonics.gradient(field, EARTH, 7.0, x),
            harmonics.difference(field, EARTH, 7.0, x, x / 1e4),
        )
    )
    together = everything(x)
    for lane in (0, 3, 59):
        for all_lanes, alone in zip(together, everything(x[:, lane])):
            error = np.linalg.norm(all_lanes[..., lane] - alone)
            assert error <= ROUNDING * np.linalg.norm(alone)


def test_gravity_gradient_torque():
    """In the field of a point mass 3 mu/r^3 e x J e; in any field the moment of the pull on a body of point
    masses, as the body shrinks."""
    rng = np.random.default_rng(195)
    mass, arm = rng.uniform(1, 5, 12), rng.standard_normal((3, 12))
    arm -= (mass @ arm.T / mass.sum())[:, None]
    inertia = np.einsum("k,ik,ik->", mass, arm, arm) * np.eye(3) - np.einsum("k,ik,jk->ij", mass, arm, arm)
    x = np.array([4e6, -3e6, 5e6])
    central = gravity.InverseSquareGravity()
    pull = gravity_gradient.gradient(central, EARTH, 0.0, x)
    e = x / np.linalg.norm(x)
    exact = 3 * central.mu / np.linalg.norm(x) ** 3 * np.cross(e, inertia @ e)
    np.testing.assert_allclose(
        gravity_gradient.torque(pull, inertia), exact, rtol=0, atol=ROUNDING * abs(exact).max()
    )
    body = Rotation.random(rng=rng)
    turn = body.as_matrix()
    q = body.as_quat(scalar_first=True)
    for field in (central, gravity.ZonalGravity(), gravity.HarmonicGravity(degree=8)):
        pull = gravity_gradient.gradient(field, EARTH, 9.0, x)
        found = gravity_gradient.torque(gravity_gradient.in_body_axes(pull, matrix_of(q)), inertia)
        if isinstance(field, gravity.HarmonicGravity):
            forces = harmonics.difference(field, EARTH, 9.0, x, turn @ arm)
        elif isinstance(field, gravity.ZonalGravity):
            forces = zonal.difference(field, x[:, None], turn @ arm)
        else:
            forces = gravity_field.difference(field, EARTH, 9.0, x, turn @ arm)
        moment = turn.T @ np.cross(turn @ arm, mass * np.asarray(forces), axis=0).sum(1)
        # the next term of the field is smaller by the body's size, 3 m, over the radius, 7000 km
        np.testing.assert_allclose(found, moment, rtol=0, atol=1e-5 * abs(moment).max())
    assert not np.asarray(gravity_gradient.gradient(gravity.NoGravity(), EARTH, 0.0, x)).any()


def test_coefficients_that_come_with_the_package():
    """EGM96 as published (Lemoine and others 1998): the constants, a few rows, and the triangle is full."""
    known = load("EGM96")
    assert (known.mu, known.radius, known.degree, known.tide_system) == (
        3.986004415e14,
        6378136.3,
        70,
        "tide_free",
    )
    assert known.cosine[2, 0] == -0.484165371736e-3
    assert (known.cosine[22, 10], known.sine[22, 10]) == (0.600704037701e-8, 0.221854121109e-7)
    assert (known.cosine[70, 70], known.sine[70, 70]) == (-0.470375138826e-9, -0.648306137833e-9)
    n, m = np.indices((71, 71))
    assert ((known.cosine != 0) == ((m <= n) & (n != 1))).all()
    assert ((known.sine != 0) == ((m <= n) & (m > 0) & (n != 1))).all()
    # Kaula's rule: coefficients of degree n are about 1e-5/n^2
    rms = np.sqrt((known.cosine**2 + known.sine**2).sum(1)[3:] / (2 * n[3:, 0] + 1))
    assert (abs(np.log(rms * n[3:, 0] ** 2 / 1e-5)) < np.log(2.5)).all()


def test_own_coefficient_files_and_refusals(tmp_path):
    head = "earth_gravity_constant 4.9D12\nradius 1738000.0\nnorm fully_normalized\nend_of_head\n"
    path = tmp_path / "moon.gfc"
    path.write_text(head + "gfc 2 0 -9.1D-05 0.0\ngfc 2 2 3.5e-5 1e-9 0 0\n")
    moon = gravity.HarmonicGravity(coefficients=str(path), degree=2)
    assert harmonics.constants(moon) == (4.9e12, 1738000.0)
    earth = tree.set(moon, "coefficients", "EGM96")
    assert harmonics.constants(earth) == (3.986004415e14, 6378136.3)
    low = jnp.asarray([[1.8e6, 1.6e6], [0, 0], [0, 0]])
    assert np.asarray(harmonics.outside(moon, low)).tolist() == [False, True]
    assert float(harmonics.acceleration(moon, STILL, 0.0, low[:, 0])[0]) < -4.9e12 / 1.8e6**2
    for text, message in (
        ("gfct 2 0 1 0 0 0\n", "kind 'gfct'"),
        ("gfc 2 3 1 0\n", "order 3 .* degree 2"),
        ("gfc 2 0 nan 0\n", "not a finite"),
        ("gfc 2\n", "cannot be read"),
    ):
        other = tmp_path / f"{len(message)}.gfc"
        other.write_text(head + text)
        with pytest.raises(BadInput, match=message):
            gravity.HarmonicGravity(coefficients=str(other), degree=2)
    other.write_text(head.replace("fully_", "un"))
    with pytest.raises(BadInput, match=r"coefficients: .*norm 'unnormalized'"):
        gravity.HarmonicGravity(coefficients=str(other), degree=2)
    with pytest.raises(BadInput, match=r"degree: the degree 71 is out of range\. .* 70, .* EGM96"):
        gravity.HarmonicGravity(degree=71)
    with pytest.raises(BadInput, match=r"order: the order 5 is out of range\. .*the degree, 4"):
        gravity.HarmonicGravity(degree=4, order=5)
    with pytest.raises(BadInput, match=r"coefficients: .*neither a gravity field .*EGM96"):
        gravity.HarmonicGravity(coefficients="EGM69")
