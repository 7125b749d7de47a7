"""The air: the U.S. Standard Atmosphere 1976, profiles of the day, factors."""

from __future__ import annotations

import importlib
from typing import Any

import ambiance
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from engine_door import quickly
from interstage.environment import atmosphere, us76
from interstage.maths.arrays import jvp
from interstage.studies import verify
from interstage.tree.errors import BadInput
from mechanics import EPS

STANDARD = atmosphere.USStandard1976()
# Any: they are called as files call them, with texts and tables that the validation turns into fields.
Profile: Any = atmosphere.TabulatedAtmosphere


def air(model, z) -> atmosphere.Air:
    """By NumPy, where neither is JAX's."""
    return atmosphere.air(atmosphere.prepare(model), z)


compiled = quickly(air)


def rates(model, z):
    """The atmosphere and its derivatives with respect to altitude."""
    ready = atmosphere.prepare(model)
    return jvp(lambda z: atmosphere.air(ready, z), (z,), (np.ones(z.shape),))


def standard(z):
    return air(STANDARD, np.asarray(z, float))


def us76_module(name: str):
    cases = verify.find_cases()
    verify._module(cases["us76"])
    return importlib.import_module(f"{verify.PACKAGE}.us76.{name}")


@pytest.fixture(scope="module")
def maker():
    return us76_module("make_table")


def test_below_81_km_as_ambiance():
    z = np.linspace(-5000, 80000, 1001)
    ours, theirs = compiled(STANDARD, z), ambiance.Atmosphere(z)
    np.testing.assert_allclose(ours.temperature, theirs.temperature, rtol=8 * EPS)
    np.testing.assert_allclose(ours.viscosity, theirs.dynamic_viscosity, rtol=8 * EPS)
    # It has the pressures at the bases of the layers with 6 digits, and R*/M0 with 8.
    np.testing.assert_allclose(ours.pressure, theirs.pressure, rtol=1e-5)
    np.testing.assert_allclose(ours.density, theirs.density, rtol=1e-5)
    np.testing.assert_allclose(ours.speed_of_sound, theirs.speed_of_sound, rtol=1e-6)


def test_hydrostatic_below_86_km():
    z = np.linspace(-4999, 85999, 1000)
    found, slope = quickly(rates)(STANDARD, z)
    gravity = us76.G0 * (us76.R0 / (us76.R0 + z)) ** 2
    # -g rho to rounding: p is an exponential of numbers up to 12, and H = r0 z / (r0 + z) cancels nowhere.
    np.testing.assert_allclose(slope.pressure, -gravity * found.density, rtol=64 * EPS)


def test_nearly_hydrostatic_above_86_km():
    """The gases of the report diffuse and flow, each by its own equation: their sum is at rest within 2 %
    (1.7 % near 100 km, elsewhere below 1 %)."""
    z = np.linspace(86.1e3, 999e3, 1000)
    found, slope = rates(STANDARD, z)
    gravity = us76.G0 * (us76.R0 / (us76.R0 + z)) ** 2
    np.testing.assert_allclose(slope.pressure, -gravity * found.density, rtol=0.02)


def test_table_between_its_knots(maker):
    """A hundredth of the last digit of the report; slopes, which lose an order of the spacing, a tenth."""
    z = np.sort(np.random.default_rng(61).uniform(86e3, 1000e3, 60))
    z = np.union1d(z, [90247, 109701, 109975, 120524, 160960, 222610, 634980.0])
    exact, exact_slope = maker.continuous(z)
    found, slope = rates(STANDARD, z)
    for k, name in enumerate(("pressure", "density")):
        value = np.asarray(getattr(found, name))
        np.testing.assert_allclose(np.log(value), exact[k], rtol=0, atol=2e-7)
        np.testing.assert_allclose(getattr(slope, name) / value, exact_slope[k], rtol=1e-5)


def test_integration_has_the_printed_composition(maker):
    case = us76_module("case")
    rows = case.printed(verify.find_cases()["us76"], "composition.csv")
    found = maker.column(np.array([1e3 * float(row["altitude_km"]) for row in rows]))
    for k, row in enumerate(rows):
        for gas, name in enumerate(("N2", "O", "O2", "Ar", "He", "H")):
            if row[name]:
                error = abs(found.n[gas, k] - float(row[name]))
                assert error <= case.last_digit(row[name]), (row["altitude_km"], name)


def test_temperature_of_the_report_above_86_km():
    """The constants of the ellipse round to those printed in section 1.2.6, T7 to five digits."""
    assert abs(us76.T7 - 186.8673) < 1.5e-4
    assert abs(us76.ELLIPSE_CENTRE - 263.1905) < 1.5e-4
    assert abs(us76.ELLIPSE_HEIGHT + 76.3232) < 3e-4
    assert abs(us76.ELLIPSE_WIDTH - 19942.9) < 0.1
    z = np.array([91e3, 110e3, 120e3])
    below, above = (standard(z + d).temperature for d in (-1e-3, 1e-3))
    np.testing.assert_allclose(below, [us76.T7, 240, 360], rtol=0, atol=2e-5)
    np.testing.assert_allclose(above, [us76.T7, 240, 360], rtol=0, atol=2e-5)


def test_kinks_are_where_they_are_said_to_be():
    """Slopes jump at the kinks, everything is continuous, and no slope jumps anywhere else."""

    def logs(z):
        found, slope = rates(STANDARD, z)
        value = np.stack(found[:3])
        return np.log(value), np.stack(slope[:3]) / value

    kinks = us76.KINKS
    below, above = (logs(kinks + d) for d in (-1e-3, 1e-3))
    np.testing.assert_allclose(below[0], above[0], rtol=0, atol=1e-6)
    jump = np.abs(above[1] - below[1]).max(0)
    assert (jump > 1e-6).all()
    z = np.arange(-4990, 999.9e3, 10.0)
    z = z[np.abs(z[:, None] - kinks).min(1) > 20]
    _, slope = logs(z)
    change = np.abs(np.diff(slope, axis=1)).max(0)[np.diff(z) < 11]
    # Over 10 m the slopes change most below 110 km, where the ellipse of temperature is steep: 2.6e-7 1/m.
    assert change.max() < 3e-7
    layers, top = atmosphere.kinks(STANDARD)
    np.testing.assert_allclose(layers[1:-1], kinks)
    assert top.tolist() == [us76.TOP_OF_ALL]


@pytest.mark.long
def test_finite_everywhere():
    """Values and derivatives, forward and reverse, also on the kinks and far outside."""
    z = np.concatenate([us76.KINKS, us76.RATIO_AT, [-1e5, -5e3, 0, 91e3, 110e3, 120e3, 150e3, 1e6, 1e7, 1e9]])

    @quickly
    def reverse(model, z):
        ready = atmosphere.prepare(model)
        return jax.grad(lambda z: jnp.sum(jnp.stack(atmosphere.air(ready, z))))(z)

    for model in models():
        with np.errstate(all="ignore"):
            forward = rates(model, z)
        assert all(np.isfinite(a).all() for a in jax.tree.leaves((forward, reverse(model, z))))


def models():
    z = np.linspace(0, 40e3, 9)
    columns = {n: np.asarray(a) for n, a in zip(("temperature", "pressure", "density"), standard(z))}
    warm = {"temperature": columns["temperature"], "base_pressure": 101325.0}
    yield atmosphere.NoAtmosphere()
    yield STANDARD
    yield Profile(altitude=z, **warm, outside="us76")
    yield Profile(altitude=z, pressure=columns["pressure"], outside="us76")
    yield Profile(altitude=z, density=columns["density"], outside="zero")
    yield Profile(altitude=z, **columns, interpolation="linear")


def test_above_1000_km():
    z = np.array([999e3, 1e6, 1.001e6, 5e6])
    found = standard(z)
    assert (np.asarray(found.density) > 0).tolist() == [True, True, False, False]
    assert (np.asarray(found.pressure) > 0).tolist() == [True, True, False, False]
    held = air(atmosphere.USStandard1976(above="hold"), z)
    assert held.density[-1] == held.density[1] == found.density[1]
    assert atmosphere.outside(STANDARD, z).tolist() == [False, False, True, True]
    assert atmosphere.outside(STANDARD, jnp.array([-5000.0, -5001.0])).tolist() == [False, True]


def test_no_air():
    z = np.array([0.0, 1e5])
    found = air(atmosphere.NoAtmosphere(), z)
    assert not found.density.any()
    assert not found.pressure.any()
    np.testing.assert_allclose(found.speed_of_sound, standard([0.0, 0.0]).speed_of_sound, rtol=4 * EPS)
    np.testing.assert_allclose(found.viscosity, standard([0.0, 0.0]).viscosity, rtol=4 * EPS)
    assert not atmosphere.outside(atmosphere.NoAtmosphere(), z).any()


def test_exponential():
    """Of one temperature, that of hydrostatic balance unless another is given."""
    z = np.linspace(-2e3, 300e3, 40)
    model = atmosphere.ExponentialAtmosphere(scale_height=7200, density=1.3, altitude=1e3, density_factor=1.1)
    found, slope = rates(model, z)
    law = 1.1 * 1.3 * np.exp(-(z - 1e3) / 7200)
    # An error of the exponent, up to 42, is one of the value in proportion.
    np.testing.assert_allclose(found.density, law, rtol=4 * EPS * 42)
    np.testing.assert_allclose(slope.pressure, -us76.G0 * found.density, rtol=4 * EPS * 42)
    np.testing.assert_allclose(atmosphere.molar_mass(found), us76.M0, rtol=8 * EPS * 42)
    warm = air(atmosphere.ExponentialAtmosphere(scale_height=7200, temperature=300), z)
    np.testing.assert_allclose(warm.speed_of_sound, np.sqrt(1.4 * us76.R_STAR / us76.M0 * 300), rtol=8 * EPS)
    assert not atmosphere.outside(model, z).any()
    assert not atmosphere.kinks(model)


def test_factors():
    """Density and temperature are multiplied, pressure follows by the gas law."""
    table = {"altitude": [0, 10e3, 30e3, 60e3], "factor": [1.0, 1.1, 0.9, 1.05], "interpolation": "cubic"}
    model = atmosphere.USStandard1976(density_factor=table, temperature_factor=1.02)
    z = np.linspace(-1e3, 120e3, 57)
    found, plain = air(model, z), standard(z)
    factor = CubicSpline(table["altitude"], table["factor"])(np.clip(z, 0, 60e3))
    np.testing.assert_allclose(found.density / plain.density, factor, rtol=1e-14)
    np.testing.assert_allclose(found.temperature / plain.temperature, 1.02, rtol=4 * EPS)
    np.testing.assert_allclose(found.pressure / plain.pressure, 1.02 * factor, rtol=1e-14)
    np.testing.assert_allclose(found.speed_of_sound / plain.speed_of_sound, np.sqrt(1.02), rtol=4 * EPS)
    np.testing.assert_allclose(atmosphere.molar_mass(found), atmosphere.molar_mass(plain), rtol=8 * EPS)
    assert {0.0, 60e3} < set(np.concatenate(atmosphere.kinks(model)).tolist())


def test_factors_with_lanes():
    factor = np.array([0.9, 1.0, 1.2])
    table = atmosphere.FactorTable(altitude=[0, 1e4, 5e4], factor=np.linspace(1, factor, 3))
    model = atmosphere.USStandard1976(density_factor=factor, temperature_factor=table)
    z = np.array([[0, 1e4, 2e4], [5e4, 8.7e4, 2e5]])  # (body, lane)
    found = compiled(model, z)
    for lane in range(3):
        single = atmosphere.USStandard1976(
            density_factor=factor[lane],
            temperature_factor={"altitude": [0, 1e4, 5e4], "factor": np.linspace(1, factor[lane], 3)},
        )
        alone = air(single, z[:, lane])
        for a, b in zip(found, alone):
            np.testing.assert_allclose(a[:, lane], b, rtol=1e-13)


# --- profiles -----------------------------------------------------------------------------------------------

FLAT = {"radius": 1e30, "gravity": 9.7}  # gravity that does not fall off


@pytest.mark.parametrize("missing", ["temperature", "pressure", "density", ""])
def test_profile_of_the_standard(missing):
    """Points every kilometre inside one layer: off the points the error of a spline through ln p is
    h^4/384 (ln p)'''', 6e-8, and ten times that in the first and last intervals."""
    z = np.arange(0, 11e3, 1e3)
    names = ("temperature", "pressure", "density")
    columns = {n: np.asarray(a) for n, a in zip(names, standard(z)) if n != missing}
    model = Profile(altitude=z, **columns)
    at = np.linspace(0, 10e3, 301)
    found, exact = air(model, at), standard(at)
    for name, a, b in zip(found._fields, found, exact):
        np.testing.assert_allclose(a, b, rtol=1e-6, err_msg=name)


def test_pressure_of_a_temperature_alone():
    """Straight lines of temperature, few and far apart: the closed form of each, to rounding and Gauss's
    formula."""
    z, t, p0 = np.array([0.0, 11e3, 20e3]), np.array([288.0, 216.0, 216.0]), 1e5
    model = Profile(altitude=z, temperature=t, base_pressure=p0, interpolation="linear", **FLAT)
    at = np.linspace(0, 20e3, 41)
    found = air(model, at)
    gas, lapse = 9.7 * us76.M0 / us76.R_STAR, -72 / 11e3
    low = p0 * (1 + lapse * np.minimum(at, 11e3) / 288) ** (-gas / lapse)
    exact = low * np.exp(-gas * np.maximum(at - 11e3, 0) / 216)
    np.testing.assert_allclose(found.pressure, exact, rtol=1e-12)
    np.testing.assert_allclose(atmosphere.molar_mass(found), us76.M0, rtol=16 * EPS)
    assert np.concatenate(atmosphere.kinks(model)).tolist() == z.tolist()


def test_isothermal_air_of_one_column():
    """Air of one temperature: whichever column is given, the others come out."""
    height = us76.R_STAR * 250 / (us76.M0 * 9.7)
    z, at = np.linspace(0, 30e3, 7), np.linspace(0, 30e3, 50)
    pressure = lambda z: 1e5 * np.exp(-z / height)  # noqa: E731
    columns = {"pressure": pressure(z)}, {"density": pressure(z) / (9.7 * height)}
    for column in columns:
        model = Profile(altitude=z, **column, **FLAT)
        found = air(model, at)
        np.testing.assert_allclose(found.temperature, 250, rtol=1e-11)
        np.testing.assert_allclose(found.pressure, pressure(at), rtol=1e-11)
        np.testing.assert_allclose(found.density, pressure(at) / (9.7 * height), rtol=1e-11)


@pytest.mark.parametrize("given", ["temperature", "pressure", "density"])
def test_lone_columns_are_hydrostatic(given):
    """dp/dz = -rho g between uneven points, on an Earth whose gravity falls off."""
    z = np.array([0, 1e3, 3e3, 8e3, 15e3, 17e3, 25e3, 40e3])
    column = {given: np.asarray(getattr(standard(z), given))}
    base = {"base_pressure": 101325.0} if given == "temperature" else {}
    model = Profile(altitude=z, **column, **base)
    at = np.random.default_rng(64).uniform(1, 39.9e3, 40)
    found, slope = rates(model, at)
    gravity = us76.G0 * (us76.R0 / (us76.R0 + at)) ** 2
    # Gauss's formula with 6 points over up to 15 km, three scale heights of density.
    np.testing.assert_allclose(slope.pressure, -gravity * found.density, rtol=1e-8)


def test_profile_with_lanes():
    """Each lane has a profile of its own; leaves without lanes are shared."""
    rng = np.random.default_rng(65)
    z = np.linspace(0, 30e3, 7)
    temperature = rng.uniform(210, 290, (7, 4))
    base = rng.uniform(0.9e5, 1.1e5, 4)
    at = rng.uniform(-5e3, 60e3, (2, 4))
    for outside in ("hold", "zero", "us76"):
        model = Profile(altitude=z, temperature=temperature, base_pressure=base, outside=outside)
        found = compiled(model, at) if outside == "us76" else air(model, at)
        for lane in range(4):
            single = Profile(
                altitude=z, temperature=temperature[:, lane], base_pressure=base[lane], outside=outside
            )
            alone = air(single, at[:, lane])
            for a, b in zip(found, alone):
                np.testing.assert_allclose(a[:, lane], b, rtol=1e-12)


@pytest.mark.long
def test_profile_with_one_lane_for_all():
    """Leaves of one lane, as a batch has where all its flights share a number, do for every lane."""
    z = np.linspace(0, 30e3, 7)
    factor = {"altitude": [0, 1e4, 5e4], "factor": [1, 1.1, 0.9]}
    model = Profile(
        altitude=z,
        temperature=np.asarray(standard(z).temperature),
        base_pressure=1e5,
        outside="us76",
        density_factor=factor,
    )
    lifted = jax.tree.map(lambda leaf: np.asarray(leaf)[..., None], model)
    at = np.random.default_rng(67).uniform(-5e3, 60e3, (2, 4))
    for a, b in zip(compiled(lifted, at), air(model, at)):
        np.testing.assert_allclose(a, b, rtol=1e-14)


def test_beyond_a_profile():
    z = np.linspace(1e3, 30e3, 30)
    warm = np.asarray(standard(z).temperature) + 10
    columns = {"altitude": z, "temperature": warm, "density": 1.1 * np.asarray(standard(z).density)}
    at = np.array([0.0, 1e3 - 1e-6, 1e3, 30e3, 30e3 + 1e-6, 35e3, 40e3, 100e3, 1.2e6])
    held, none, faded = (air(Profile(**columns, outside=outside), at) for outside in ("hold", "zero", "us76"))
    assert held.density[0] == held.density[2]
    assert held.density[-1] == held.density[3]
    assert (np.asarray(none.density) > 0).tolist() == [False, False, True, True, *[False] * 5]
    usual = standard(at)
    np.testing.assert_allclose(faded.density[6:], usual.density[6:], rtol=8 * EPS)
    np.testing.assert_allclose(faded.pressure[6:], usual.pressure[6:], rtol=8 * EPS)
    np.testing.assert_allclose(faded.density[np.array([1, 4])], faded.density[np.array([2, 3])], rtol=1e-8)
    np.testing.assert_allclose(faded.density[5] / usual.density[5], 1.1**0.5, rtol=1e-12)
    # Everywhere a gas of the same molar mass.
    np.testing.assert_allclose(
        faded.density[:-1] * faded.temperature[:-1] / faded.pressure[:-1],
        usual.density[:-1] * usual.temperature[:-1] / usual.pressure[:-1],
        rtol=1e-12,
    )
    model = Profile(**columns, outside="us76")
    assert atmosphere.outside(model, at).tolist() == [True, True, False, False, *[True] * 5]
    assert {1e3, 30e3, 86e3} < set(np.concatenate(atmosphere.kinks(model)).tolist())


def test_another_gas():
    """Carbon dioxide: molar mass and heat ratio enter."""
    gas = {"molar_mass": 44.01e-3, "heat_ratio": 1.29}
    model = Profile(altitude=[0, 1e4], temperature=[210, 180], pressure=[600, 200], gas=gas)
    found = air(model, 0.0)
    np.testing.assert_allclose(found.density, 600 * 44.01e-3 / (us76.R_STAR * 210), rtol=1e-14)
    np.testing.assert_allclose(found.speed_of_sound**2, 1.29 * 600 / found.density, rtol=1e-14)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({}, "at least one of"),
        ({"temperature": [280, 270]}, "base_pressure"),
        ({"pressure": [1e5, 9e4], "base_pressure": 1e5}, "base_pressure"),
        ({"pressure": [1e5, 9e4], "interpolation": "linear"}, "would jump"),
        ({"density": [1.0, 1.1]}, "must decrease with altitude"),
        ({"density": [1.0, 0.9, 0.8]}, "3 rows, but altitude has 2"),
        ({"temperature": [280, 270], "density": [1, 0.9], "pressure": [1e3, 9e2]}, "g/mol"),
        ({"temperature": [280, -270], "density": [1, 0.9]}, "more than zero"),
        ({"altitude": [0, 0], "temperature": [280, 270], "density": [1, 0.9]}, "does not increase"),
        ({"altitude": [0], "temperature": [280], "density": [1]}, "at least 2"),
    ],
)
def test_profiles_that_are_refused(columns, message):
    with pytest.raises(BadInput, match=message):
        Profile(**{"altitude": [0, 1000], **columns})


@pytest.mark.long
def test_gradient_to_a_profile():
    """Reverse derivatives to the points of a profile, against differences."""
    z = np.linspace(0, 20e3, 6)
    start = np.asarray(standard(z).temperature)

    def density(temperature):
        model = Profile(altitude=z, temperature=temperature, base_pressure=1e5)
        return atmosphere.air(atmosphere.prepare(model), 7e3).density

    gradient = quickly(jax.grad(density))(start)
    for k, step in enumerate(np.eye(6) * 1e-3):
        difference = (density(start + step) - density(start - step)) / 2e-3
        # Rounding of a density of 0.6 over 2e-3, and the third derivative times 1e-6/6.
        np.testing.assert_allclose(gradient[k], difference, rtol=0, atol=1e-12)
