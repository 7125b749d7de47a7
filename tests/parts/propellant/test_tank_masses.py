"""What bodies carry: tanks, grains, items and tables against clouds of mass points, and their derivatives."""

from __future__ import annotations

import itertools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

from engine_door import quickly
from interstage.parts.propellant import tank_masses
from interstage.parts.propellant.tank_masses import SUMP, Totals
from interstage.tree import addresses as tree
from interstage.tree import declaration
from mass_declarations import Cylinder, Grain, Item, Point, Sphere, Table
from mechanics import EPS

R, RHO, LENGTH = 1.3, 1141.0, 2.5
BALL = RHO * 4 / 3 * np.pi * R**3
AXIS = np.array([2.0, -1.0, 0.5])
PLACE = np.array([40.0, 0.3, -0.2])


declaration.register_all()


def cloud(low, high, inner, outer):
    """Mass points (4, n): place and mass of a body of revolution about z of density RHO from z = low to high,
    between two radii by z. Gauss points, exact for the moments where the squared radii are polynomials."""
    t, w = np.polynomial.legendre.leggauss(8)
    z, wz = (low + high) / 2 + (high - low) / 2 * t, (high - low) / 2 * w
    turn = 2 * np.pi * np.arange(8) / 8
    points = []
    for height, weight in zip(z, wz, strict=True):
        a, b = inner(height) ** 2, outer(height) ** 2
        # Area elements r dr = d(r^2)/2.
        square, share = (a + b) / 2 + (b - a) / 2 * t, (b - a) / 4 * w * (2 * np.pi / 8)
        r, phi = np.meshgrid(np.sqrt(square), turn, indexing="ij")
        mass = RHO * weight * np.broadcast_to(share[:, None], r.shape)
        where = (r * np.cos(phi), r * np.sin(phi), np.full(r.shape, height), mass)
        points.append(np.stack([q.ravel() for q in where]))
    return np.concatenate(points, 1)


def turned(points, at):
    """The cloud turned from z to AXIS, its zero moved to a place."""
    turn = Rotation.align_vectors(AXIS / np.linalg.norm(AXIS), [0.0, 0, 1])[0].as_matrix()
    return np.concatenate([np.asarray(at)[:, None] + turn @ points[:3], points[3:]])


def gathered(points):
    """Mass, centre and inertia about it of a cloud."""
    place, mass = points[:3], points[3]
    centre = (place * mass).sum(1) / mass.sum()
    arm = place - centre[:, None]
    return mass.sum(), centre, np.eye(3) * (mass * (arm * arm).sum(0)).sum() - (mass * arm) @ arm.T


def level(fill) -> Any:
    """Height of the liquid in a sphere of radius R, by root finding."""
    return brentq(lambda h: h * h * (3 * R - h) - 4 * R**3 * fill, 0, 2 * R, xtol=1e-15)


def slug(fill):
    return turned(cloud(0, fill * LENGTH, lambda z: 0, lambda z: R), PLACE)


def segment(fill):
    h = level(fill)
    return turned(cloud(-R, h - R, lambda z: 0, lambda z: np.sqrt(R * R - z * z)), PLACE)


def tube(fill):
    inner = R * np.sqrt(1 - fill)
    return turned(cloud(-LENGTH / 2, LENGTH / 2, lambda z: inner, lambda z: R), PLACE)


ROD = RHO * np.pi * R**2 * LENGTH
SHAPES = {
    "cylinder": (
        Cylinder(name="a", propellant=ROD, density=RHO, radius=R, bottom=PLACE, axis=AXIS, height=LENGTH),
        slug,
    ),
    "sphere": (Sphere(name="b", propellant=BALL, density=RHO, radius=R, centre=PLACE, axis=AXIS), segment),
    "grain": (
        Grain(name="c", propellant=ROD, density=RHO, length=LENGTH, outer_radius=R, centre=PLACE, axis=AXIS),
        tube,
    ),
}
FILLS = np.array([2e-3, 0.05, 0.3, 0.4999, 0.5, 0.5001, 0.8, 0.995])
TABLE = {
    "left": [0, 100, 250, 400],
    "mass_centre": [[40, 0, 0], [39, 0.1, 0], [37, 0.1, 0.2], [36, 0, 0.3]],
    "inertia": [[1, 2, 2.5], [20, 30, 40], [50, 60, 70], [60, 90, 100]],
}


def table(**options) -> Any:
    return Table(**({"name": "t", "propellant": 400, "mass_inert": 50} | TABLE | options))


def properties(elements, left) -> Any:
    return tank_masses.element_properties(tank_masses.prepare(elements), left)


def removal(elements, left) -> Any:
    return tank_masses.removal_point(tank_masses.prepare(elements), left)


DRY = Totals(np.asarray(300.0), np.array([38.0, 0.1, 0]), np.diag([50.0, 80, 90]))


def sums(elements, left, attached=None, dry=DRY) -> Any:
    return tank_masses.totals(tank_masses.prepare(elements), dry, left, attached)


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_against_clouds_of_points(shape):
    element, points = SHAPES[shape]
    mass, centre, inertia = properties((element,), (FILLS * element.propellant)[None])
    for k, fill in enumerate(FILLS):
        m, c, tensor = gathered(points(fill))
        # The cloud's sums run over 512 points about a place 40 m away; its level is found to 1e-15 m, and
        # where little is left the same rounding weighs more.
        np.testing.assert_allclose(mass[0, k], m, rtol=64 * EPS / min(fill, 0.1))
        np.testing.assert_allclose(centre[:, 0, k], c, rtol=0, atol=40 * 32 * EPS)
        np.testing.assert_allclose(
            inertia[..., 0, k], tensor, rtol=0, atol=1e3 * EPS / np.sqrt(fill) * np.abs(tensor).max()
        )


def test_limits_of_a_sphere():
    """Full: 2/5 m R^2 about its centre. Half: the centroid is 3/8 R below, 2/5 m R^2 about the sphere's
    centre."""
    ball = Sphere(name="b", propellant=BALL, density=RHO, radius=R, centre=[0, 0, 0], axis=[0, 0, 5])
    _, centre, inertia = properties((ball,), np.array([[BALL, BALL / 2]]))
    np.testing.assert_allclose(centre[:, 0], [[0, 0], [0, 0], [0, -3 / 8 * R]], atol=8 * EPS)
    np.testing.assert_allclose(inertia[..., 0, 0], 0.4 * BALL * R**2 * np.eye(3), rtol=8 * EPS)
    about_centre = inertia[..., 0, 1] + BALL / 2 * (3 / 8 * R) ** 2 * np.diag([1, 1, 0])
    np.testing.assert_allclose(about_centre, 0.2 * BALL * R**2 * np.eye(3), rtol=16 * EPS)


def test_a_liquid_that_slips_has_less_roll_inertia():
    frozen = SHAPES["cylinder"][0]
    slipping = tree.set(frozen, "roll_fraction", 0.25)
    along = AXIS / np.linalg.norm(AXIS)
    left = np.array([ROD / 3])
    one, part = (properties((tank,), left)[2][..., 0] for tank in (frozen, slipping))
    np.testing.assert_allclose(part - one, -0.75 * ROD / 3 * R**2 / 2 * np.outer(along, along), atol=1e-9)


def everything() -> tuple:
    item = np.stack([*np.random.default_rng(4).uniform(-1, 1, (3, 20)), np.ones(20)])
    item[:3] += PLACE[:, None]
    mass, centre, inertia = gathered(item)
    shapes = [SHAPES[s][0] for s in SHAPES]
    point = Point(name="p", propellant=50, at=[35, 0, 1])
    kept = Point(name="k", propellant=20, at=[33, 1, 0], drains=False)
    held = Item(name="i", mass=mass, mass_centre=centre, inertia=inertia, products="tensor")
    return (held, *shapes, kept, point), item


@pytest.mark.parametrize("dropped", [None, "i", "b"])
def test_totals_against_one_cloud(dropped):
    """Dry structure and elements against the moments of all points together, also with one dropped."""
    elements, item = everything()
    dry = np.stack([*np.random.default_rng(5).uniform(-1, 1, (3, 30)), np.full(30, 10.0)])
    fills = np.array([0.3, 0.7, 0.4, 0.5])
    left = fills * [ROD, BALL, ROD, 50]
    clouds = {
        "i": item,
        "a": slug(0.3),
        "b": segment(0.7),
        "c": tube(0.4),
        "k": np.array([[33.0], [1], [0], [20]]),
        "p": np.array([[35.0], [0], [1], [25]]),
    }
    attached = np.array([float(e.name != dropped) for e in elements])
    found = sums(elements, left, attached, Totals(*gathered(dry)))
    m, c, tensor = gathered(np.concatenate([dry] + [v for k, v in clouds.items() if k != dropped], 1))
    np.testing.assert_allclose(found.mass, m, rtol=64 * EPS)
    np.testing.assert_allclose(found.centre, c, rtol=0, atol=40 * 32 * EPS)
    np.testing.assert_allclose(found.inertia, tensor, rtol=0, atol=256 * EPS * np.abs(tensor).max())


def test_a_drawing_zero_far_away_costs_no_digits():
    """Moments about a zero 1e6 m away would lose 12 digits of these; places there keep 1e-10 m."""
    far = np.array([1e6, 0, 0])
    items = [Item(name=f"i{k}", mass=k + 1, mass_centre=[1e6 + k, k * k, 0]) for k in range(3)]
    dry = DRY._replace(centre=far)
    found = sums(tuple(items), np.zeros(0), None, dry)
    near = [Item(name=f"i{k}", mass=k + 1, mass_centre=[k, k * k, 0]) for k in range(3)]
    exact = sums(tuple(near), np.zeros(0), None, DRY._replace(centre=np.zeros(3)))
    np.testing.assert_allclose(found.inertia, exact.inertia, rtol=0, atol=1e-10 * 10)


def test_an_empty_tank_is_not_there():
    elements, _ = everything()
    tanks = tuple(e for e in elements if e.name in "abcp")
    found = sums(tanks, np.zeros(4))
    for got, dry in zip(found, DRY, strict=True):
        np.testing.assert_array_equal(got, dry)


# --- derivatives --------------------------------------------------------------------------------------------


def all_tanks() -> tuple:
    return (*(SHAPES[s][0] for s in SHAPES), table(), Point(name="p", propellant=50, at=[35, 0, 1]))


CAPACITY = np.array([ROD, BALL, ROD, 400, 50])
DRAIN = np.array([1.0, 0.7, 0.4, 0.02, 0.01])

PARTS = (slice(0, 1), slice(1, 4), slice(4, 13))
"""Of flattened totals: mass, centre, inertia."""


def flat(totals) -> Any:
    return jnp.concatenate([jnp.ravel(v) for v in totals])


@quickly
def slopes(elements, left, rate) -> Any:
    """Totals, their derivative along a rate of the propellants, and a pull-back."""
    value = lambda x: flat(sums(elements, x))  # noqa: E731
    found, back = jax.vjp(value, left)
    return found, jax.jvp(value, (left,), (rate,))[1], back(jnp.ones(13))[0]


@quickly
def orders(elements, left, rate) -> Any:
    """Totals and their first three derivatives along a rate of the propellants, and a pull-back."""

    def along(function):
        return lambda x: jax.jvp(function, (x,), (rate,))[1]

    value = lambda x: flat(sums(elements, x))  # noqa: E731
    first = along(value)
    second = along(first)
    back = jax.vjp(first, left)[1](jnp.ones(13))[0]
    return value(left), first(left), second(left), along(second)(left), back


@pytest.mark.long
@pytest.mark.parametrize("fill", [0.3, 0.6, 0.5, 0.9, 0.4 * SUMP, 1.5 * SUMP, 1 - 0.4 * SUMP])
def test_derivatives_against_differences(fill):
    """Along a drain of all tanks, by differences of the order below."""
    # A hundredth of the scale on which the sphere's level bends: a fourth-order difference is then good to
    # 1e-8 times the ratio of fifth derivative and first, some tens where the level is blended.
    step = 1e-2 * (SUMP if min(fill, 1 - fill) < 0.1 else 0.1) * BALL
    a, b, at, d, e = (orders(all_tanks(), fill * CAPACITY + k * step * DRAIN, DRAIN) for k in range(-2, 3))
    for n in range(3):
        difference = (a[n] - 8 * b[n] + 8 * d[n] - e[n]) / (12 * step)
        for part in PARTS:
            rounding = 1e2 * EPS * np.abs(at[n][part]).max() / step
            bound = 1e-6 * np.abs(at[n + 1][part]).max() + rounding
            np.testing.assert_allclose(difference[part], at[n + 1][part], rtol=0, atol=bound)


@pytest.mark.long
@pytest.mark.parametrize("fill", [0.0, SUMP, 0.5, 1 - SUMP, 1.0])
def test_smooth_through_every_seam(fill):
    """Totals and two derivatives are continuous where formulas change, and where a tank is empty or full."""
    gap = 1e-11
    sides = [orders(all_tanks(), (fill + s * gap) * CAPACITY, DRAIN) for s in (-1, 1)]
    for n in range(3):
        below, above = (np.asarray(side[n]) for side in sides)
        for part in PARTS:
            # They change over shares of the volume of SUMP / 4 = 2.5e-4 or more, up to 200 times their size
            # there, where the void of a tank is a small part of the derivative.
            bound = 200 * gap / (SUMP / 4) * np.abs(above[part]).max()
            np.testing.assert_allclose(below[part], above[part], rtol=0, atol=bound)


@pytest.mark.parametrize("fill", [-1e-3, -1e-12, 0.0, 1e-12, 1.0])
@pytest.mark.parametrize("derivatives", [slopes, pytest.param(orders, marks=pytest.mark.long)])
def test_finite_at_the_ends(fill, derivatives):
    for value in derivatives(all_tanks(), fill * CAPACITY, DRAIN):
        assert np.isfinite(value).all()
    assert np.isfinite(removal(all_tanks(), fill * CAPACITY)).all()


def test_where_propellant_leaves():
    """At the surface of a liquid and at the centre of a grain; where a table says, by differences of the
    moment."""
    along = AXIS / np.linalg.norm(AXIS)
    for fill in (0.05, 0.4, 0.8):
        found = removal(all_tanks(), fill * CAPACITY)
        surfaces = (PLACE + along * fill * LENGTH, PLACE + along * (level(fill) - R), PLACE)
        np.testing.assert_allclose(found[:, :3], np.transpose(surfaces), rtol=0, atol=40 * 16 * EPS)
        np.testing.assert_array_equal(found[:, 4], [35, 0, 1])
        moments = []
        for step in (-1, 1):
            mass, centre, _ = properties((table(),), np.array([fill * 400 + step]))
            moments.append(mass * centre[:, 0])
        # The difference is exact but for a step^2/6 of the third derivative: 1e-4 m at this bend.
        np.testing.assert_allclose(found[:, 3], (moments[1] - moments[0]) / 2, rtol=0, atol=1e-4)


@pytest.mark.parametrize("shape", SHAPES)
def test_full_is_empty_and_all_that_was_added(shape):
    """The first moment of a full tank is the sum of what went in, each where the removal point then was."""
    element, _ = SHAPES[shape]
    parts = [0, SUMP / 4, SUMP, 0.5, 1 - SUMP, 1 - SUMP / 4, 1]
    nodes, weights = np.polynomial.legendre.leggauss(24)
    moment = np.zeros(3)
    for low, high in itertools.pairwise(parts):
        # Gauss points that stand denser to either end, where the level of a sphere moves fast.
        share = (2 + 3 * nodes - nodes**3) / 4
        fill, weight = low + (high - low) * share, (high - low) * weights * (3 - 3 * nodes**2) / 4
        lifted = removal((element,), (fill * element.propellant)[None])[:, 0] - PLACE[:, None]
        moment += element.propellant * (lifted * weight).sum(1)
    _, centre, _ = properties((element,), np.array([element.propellant]))
    # By 24 points of each part, the sum is found to about 1e-9 of the tank's size.
    np.testing.assert_allclose(moment / element.propellant, centre[:, 0] - PLACE, rtol=0, atol=1e-8)


def test_what_blending_the_level_costs():
    """Within the last SUMP of a sphere, at either end, the centre of the liquid is blended: the moment that
    is misplaced is at most 1e-6 of that of the full tank at its radius; outside it is exact."""
    ball = Sphere(name="b", propellant=BALL, density=RHO, radius=R, centre=[0, 0, 0], axis=[0, 0, 1])
    worst = 0.0
    for fill in SUMP * np.array([0.01, 0.1, 0.3, 0.6]):
        _, centre, _ = properties((ball,), np.array([fill * BALL]))
        h = level(fill)
        exact = R * (h / R * (8 - 3 * h / R) / (4 * (3 - h / R)) - 1)
        worst = max(worst, float(abs(centre[2, 0] - exact)) * fill / R)
    assert 1e-8 < worst < 1e-6


def test_tables_between_their_points():
    """The spline through mass centres and inertias; straight lines where declared; a table's end held beyond
    what the errors of a step reach."""
    at = np.array([0.0, 30, 130, 390, 400])
    mass, centre, inertia = properties((table(interpolation="cubic"),), at[None])
    np.testing.assert_allclose(mass[0], at + 50)
    through = CubicSpline(TABLE["left"], TABLE["mass_centre"])
    np.testing.assert_allclose(centre[:, 0].T, through(at), rtol=1e-14, atol=1e-14)
    moments = CubicSpline(TABLE["left"], TABLE["inertia"])
    np.testing.assert_allclose(np.diagonal(inertia[:, :, 0]), moments(at), rtol=1e-13)
    _, straight, _ = properties((table(interpolation="linear"),), at[None])
    lines = np.array([np.interp(at, TABLE["left"], c) for c in np.transpose(TABLE["mass_centre"])])
    np.testing.assert_allclose(straight[:, 0], lines, rtol=1e-14, atol=1e-14)
    far, held = (properties((table(),), np.array([q])) for q in (-1e6, -5.0))
    np.testing.assert_allclose(far[1], held[1], rtol=1e-14)


# --- lanes, trees -------------------------------------------------------------------------------------------


def test_lanes_are_the_cases_one_by_one():
    """Leaves and propellants with lanes, some of size one, against each case flown alone."""
    elements, left = all_tanks(), np.linspace(0.2, 0.9, 3) * CAPACITY[:, None]
    factors = np.array([1.0, 1.1, 0.9])

    def spread(leaf) -> Any:
        return np.asarray(leaf)[..., None] * (factors if np.ndim(leaf) else 1.0)

    held = Item(name="i", mass=3, mass_centre=[1, 2, 3])
    wide = jax.tree.map(spread, (held, *elements))
    attached = np.array([[1.0, 0, 1]] + [[1.0] * 3] * 5)
    together = sums(wide, left, attached, Totals(*(spread(v) for v in DRY)))
    places = removal(wide, left)
    for k in range(3):
        alone = jax.tree.map(lambda leaf, k=k: leaf[..., min(k, leaf.shape[-1] - 1)], wide)
        dry = Totals(*(spread(v)[..., min(k, spread(v).shape[-1] - 1)] for v in DRY))
        single = sums(alone, left[:, k], attached[:, k], dry)
        for many, one in zip(together, single, strict=True):
            np.testing.assert_allclose(many[..., k], one, rtol=1e-13, atol=1e-12 * np.abs(one).max())
        np.testing.assert_allclose(places[..., k], removal(alone, left[:, k]), rtol=1e-13, atol=1e-12)


def test_tanks_in_order():
    elements, _ = everything()
    assert tank_masses.tanks(elements) == (1, 2, 3, 5)
    np.testing.assert_array_equal(tank_masses.at_start(elements), [ROD, BALL, ROD, 50])
    nothing = sums((), np.zeros(0))
    assert nothing is DRY
    assert removal((), np.zeros(0)).shape == (3, 0)
