"""Quantities as users write them, against exact definitions and pint."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pint
import pytest

from interstage.reading import loads
from interstage.tree.errors import BadInput
from interstage.tree.unit_names import UNITS, base_unit, compatible, parse_unit
from interstage.tree.units import UnitError, describe, display, in_units, parse_quantity, parse_value, si

# Exact by definition: the international pound and foot (1959), standard gravity (CGPM 1901).
POUND, FOOT, GRAVITY = 0.45359237, 0.3048, 9.80665
SLUG = POUND * GRAVITY / FOOT


def same(value, expected):
    """Equal up to the rounding of a few multiplications."""
    return np.asarray(value) == pytest.approx(np.asarray(expected), rel=4 * np.finfo(float).eps, abs=0)


@pytest.mark.parametrize(
    ("unit", "text", "expected"),
    [
        ("kg", "622 slug", 622 * SLUG),
        ("kg", "2 lbm", 2 * POUND),
        ("kg", "5 g", 0.005),
        ("N", "700 lbf", 700 * POUND * GRAVITY),
        ("N m", "12 lbf ft", 12 * POUND * GRAVITY * FOOT),
        ("N m", "12 ft-lbf", 12 * POUND * GRAVITY * FOOT),
        ("N m", "12 lbf*ft", 12 * POUND * GRAVITY * FOOT),
        ("N/m", "5000 lbf/in", 5000 * POUND * GRAVITY / (FOOT / 12)),
        ("rad/s", "5 deg/s", np.deg2rad(5)),
        ("rad/s", "1 rev/min", 2 * np.pi / 60),
        ("rad/s", "60 rpm", 2 * np.pi),
        ("N m/rad", "3 N m/deg", 3 * 180 / np.pi),
        ("N m/rad", "3 N m", 3.0),
        ("m^3/s^2", "398600.4415 km^3/s^2", 398600.4415e9),
        ("m/s^2", "2 g_0", 2 * GRAVITY),
        ("m/s^2", "1 m/s/s", 1.0),
        ("m/s^2", "1 m/(s s)", 1.0),
        ("m/s^2", "1 m s**-2", 1.0),
        ("1/s", "5 1/s", 5.0),
        ("1/s", "5 /s", 5.0),
        ("m", "-3 m", -3.0),
        ("m", "\N{MINUS SIGN}3 m", -3.0),
        ("m", "1.5e3 mm", 1.5),
        ("m", "3 light_year", 3 * 299792458 * 365.25 * 86400),
        ("s", "1 hr", 3600.0),
        ("1", "5 percent", 0.05),
        ("kg", 12, 12.0),
        ("kg", np.float64(12), 12.0),
    ],
)
def test_number_in_si(unit, text, expected):
    value = si(unit)(text)
    assert value.dtype == np.float64
    assert value.shape == ()
    assert same(float(value), expected)


@pytest.mark.parametrize(
    ("unit", "shape", "value", "expected"),
    [
        ("m", (3,), "[1, 2, 3] ft", [FOOT, 2 * FOOT, 3 * FOOT]),
        ("m", (3,), ["1 ft", "2 in", 0.3], [FOOT, FOOT / 6, 0.3]),
        ("m", (3,), (1, 2, 3), [1, 2, 3]),
        (
            "kg m^2",
            (3,),
            "[220.3, 3524.7, 3330.3] slug ft^2",
            np.array([220.3, 3524.7, 3330.3]) * SLUG * FOOT**2,
        ),
        ("kg m^2", (2, 2), "[[1, 2], [2, 4]] lbm ft^2", np.array([[1, 2], [2, 4]]) * POUND * FOOT**2),
        ("s", ("n",), "[0, 1, 2, 4] min", [0, 60, 120, 240]),
        ("N", ("n", 3), [[1, 2, 3]], [[1, 2, 3]]),
    ],
)
def test_lists_in_si(unit, shape, value, expected):
    found = si(unit, shape)(value)
    assert found.shape == np.shape(expected)
    assert same(found, expected)


@pytest.mark.parametrize(
    ("unit", "shape", "value", "words"),
    [
        ("N", (), "5 lb", "lbf for a force"),
        ("N m", (), "5 ft lb", "lbf for a force"),
        ("kg", (), "3 lbs", "lbf for a force"),
        ("kg", (), "3 tons", "short_ton"),
        ("kg", (), "622 ft", "622 slug"),
        ("kg", (), "3 lbf", "lbf is a force"),
        ("N", (), "3 lbm", "write lbf for the pound-force"),
        ("m/s^2", (), "3 g", "gram"),
        ("rad/s", (), "2 Hz", "cycles"),
        ("rad/s", (), "2 1/s", "unit of angle"),
        ("rad", (), "2 m", "30 deg"),
        ("m", (), "2 rad m", "5.8 m"),
        ("kg", (), "12", "12 kg"),
        ("1", (), "0.5", "without quotes"),
        ("kg", (), "heavy", "begin with a number"),
        ("m", (), "3 smoots2", "unknown unit"),
        ("m", (), "3 foo", "foot"),
        ("m^2", (), "3 ft2", "ft^2"),
        ("m", (), "1,5 m", "point"),
        ("m", (), "3 (m", "not closed"),
        ("m", (), "3 m)", "no opening parenthesis"),
        ("m", (), "3 m/", "missing"),
        ("m", (), "3 m^99", "cannot read"),
        ("m", (), "3 m + 2 m", "cannot read"),
        ("m", (), "3 Yparsec^9", "too large"),
        ("m", (), "3 " + "m " * 99, "too long"),
        ("m", (), "3 bit", "mechanical"),
        ("m", (), "nan m", "finite"),
        ("m", (), float("inf"), "finite"),
        ("m", (), "1e999 m", "finite"),
        ("m", (), 10**400, "not a number"),
        ("m", (), True, "true is not a number"),
        ("m", (), None, "not a number"),
        ("m", (), {"value": 3}, "not a number"),
        ("m", (3,), [1, 2], "expected 3 numbers, got 2"),
        ("m", (3,), "[1, 2] m", "expected 3 numbers, got 2"),
        ("m", (3,), 3, "expected 3 numbers, got one"),
        ("m", (), [3], "expected one number"),
        ("m", (3,), [1, [2], 3], "regular list"),
        ("m", (3,), [1, True, 3], "true is not a number"),
        ("m", (3,), "[1, 2, 3", "not a list"),
        ("m", (3,), "[1, 2, x] m", "not a list"),
        ("m", (3,), "[1, 2, true] m", "true is not a number"),
        ("m", (3, 3), [1, 2, 3], "expected 3 by 3"),
        ("m", (3,), np.array(["a", "b", "c"]), "not a number"),
        ("m", (3,), np.array([True, False, True]), "not a number"),
    ],
)
def test_refusals_say_what_is_allowed(unit, shape, value, words):
    with pytest.raises(UnitError) as caught:
        si(unit, shape)(value)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 400


def test_signs():
    assert si("kg", positive=True)(1e-100) > 0
    with pytest.raises(UnitError, match="more than zero"):
        si("kg", positive=True)(0)
    with pytest.raises(UnitError, match="-2 m must not be negative"):
        si("m", nonnegative=True)(-2)


def test_numbers_whose_products_are_out_of_range_are_refused():
    assert si("kg")("1e103 g") == 1e100
    assert si("N", endless=True)(np.inf) == np.inf
    assert si("m")(1e-300) == 1e-300
    assert si("1")(1e300) == 1e300
    with pytest.raises(UnitError, match=r"2e\+103 g is above 1e\+100 in SI"):
        si("kg", (2,))("[1, 2e103] g")
    with pytest.raises(UnitError, match="1e-101 kg is below 1e-100 in SI"):
        si("kg", positive=True)(1e-101)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("moment", [1e300, 1e308, 1e-320])
def test_inertias_out_of_range_are_refused(moment):
    """Their sum overflowed, and the body counted as a thin rod, or they vanished beside its size."""
    with pytest.raises(BadInput, match=r"bodies\.a\.inertia: .*1e[+-]100"):
        loads(f"[bodies.a]\nmass = 1\ninertia = [{moment}, {moment}, {moment}]\ninitial = {{}}\n")


def test_arrays_are_copied_and_read_only():
    given = np.array([1.0, 2.0, 3.0])
    found = si("m", (3,))(given)
    given[0] = 9
    assert found[0] == 1
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 5


def test_lanes_are_further_axes_of_arrays_only():
    assert si("m", (3,))(np.zeros((3, 5))).shape == (3, 5)
    assert si("kg", positive=True)(np.ones(7)).shape == (7,)
    with pytest.raises(UnitError, match="expected 3 numbers"):
        si("m", (3,))(np.zeros((5, 3)))
    with pytest.raises(UnitError, match="more than zero"):
        si("kg", positive=True)(np.array([1.0, -1.0]))


def test_abstract_arrays_pass_untouched():
    import jax

    abstract = jax.ShapeDtypeStruct((3, 10), float)
    assert si("m", (3,))(abstract) is abstract
    assert jax.jit(lambda x: 2 * si("m")(x))(3.0) == 6.0


def test_one_number_may_grow_to_a_list():
    assert si("rad", ("n",), grow=True)("3 deg").shape == (1,)
    assert si("rad", ("n",), grow=True)([1, 2]).shape == (2,)


@pytest.fixture(scope="module")
def registry():
    return pint.UnitRegistry()


@pytest.mark.parametrize("name", sorted(UNITS))
def test_table_agrees_with_pint(name, registry):
    try:
        quantity = registry.Quantity(1.0, registry.parse_units(name)).to_base_units()
    except pint.UndefinedUnitError:
        assert name in ("lbm", "pound_mass", "rev", "psf")  # names that pint lacks
        return
    factor, dimension = UNITS[name]
    # pint's own factors carry rounding: a foot of 0.30479999999999996 m to the power of up to 2.
    assert quantity.magnitude == pytest.approx(factor, rel=1e-14)
    letters = {"kilogram": "kg", "meter": "m", "second": "s", "radian": "rad"}
    powers = {letters[unit]: power for unit, power in quantity.unit_items()}
    assert parse_unit(base_unit(tuple(dimension)))[1] == dimension
    assert parse_unit(" ".join(f"{u}^{p:g}" for u, p in powers.items()))[1] == dimension


def test_quantity_of_unknown_kind():
    number, unit = parse_quantity("30 deg/s")
    assert unit == "rad s^-1"
    assert same(number, np.deg2rad(30))
    assert compatible(parse_unit(unit)[1], parse_unit("rad/s")[1])
    assert not compatible(parse_unit(unit)[1], parse_unit("1/s")[1])


def test_angle_may_be_left_out_of_a_stiffness_only():
    assert compatible(parse_unit("N m")[1], parse_unit("N m/rad")[1])
    assert not compatible(parse_unit("1/s")[1], parse_unit("rad/s")[1])
    assert not compatible(parse_unit("N m/rad")[1], parse_unit("N m")[1])


@pytest.mark.parametrize(
    "unit", ["m", "m/s", "kg", "kg m^2", "N", "N m", "N/m", "J", "kg m^2/s", "N s", "kg m/s", "Pa"]
)
def test_us_display_is_the_inverse_of_reading(unit):
    factor, label = display(unit, "US")
    assert label != unit
    back, dimension = parse_unit(label)
    assert compatible(dimension, parse_unit(unit)[1])
    assert same(factor * back, 1.0)


def test_display_shows_degrees_in_both_systems():
    assert display("rad/s", "SI") == display("rad/s", "US") == (180 / np.pi, "deg/s")
    assert display("kg", "SI") == (1.0, "kg")
    assert display("something else", "US") == (1.0, "something else")


def test_examples_can_be_read():
    for unit, shape in [
        ("kg", ()),
        ("m", (3,)),
        ("N", ("n", 3)),
        ("kg m^2", (3, 3)),
        ("m^3/s^2", ()),
        ("N m s/rad", ()),
    ]:
        example = describe(unit, shape).split('"')[1]
        assert si(unit, shape)(example).ndim == len(shape)


def test_numbers_and_daily_units_need_neither_pint_nor_jax():
    code = (
        "import sys; from interstage.tree.units import si;"
        "si('kg')('622 slug'); si('m', (3,))([1, 2, 3]); si('N m')('3 ft lbf');"
        "print([m for m in ('pint', 'jax', 'xarray', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("value", "unit", "meant"),
    [
        ("70 KM", "m", "unknown unit 'KM'; did you mean 'km'?"),
        ("3 KN", "N", "did you mean 'kN'?"),
        ("5 S", "s", "did you mean 's'?"),
        ("70 gpa", "Pa", "unknown unit 'gpa'; did you mean 'GPa'?"),
        ("2 mw", "W", "did you mean 'MW'?"),
        ("70 KM", "kg m^2", "unknown unit 'KM'; allowed: kg m^2, for example"),
    ],
)
def test_near_units_are_of_the_kind_that_is_wanted(value, unit, meant):
    with pytest.raises(UnitError) as caught:
        si(unit)(value)
    assert meant in str(caught.value)
    assert "'kg'" not in str(caught.value)


def test_sentences_are_shown_in_the_units_asked_for():
    said = (
        "stage_2 and core overlap by 0.3048 m at 5.5 s with -3.048e+00 m/s, 4.44822 N and 1.35582 N m, 2 m^2"
    )
    assert in_units(said) == said
    shown = "stage_2 and core overlap by 1 ft at 5.5 s with -10 ft/s, 1 lbf and 1 ft lbf, 2 m^2"
    assert in_units(said, "US") == shown
    for kept in ('is "25 m" meant?', "a stroke of 25 m. Numbers without a unit are in SI units."):
        assert in_units(kept, "US") == kept


@pytest.mark.parametrize(
    ("text", "unit", "said"),
    [
        ("2", "s", 2.0),
        (" -1e3 ", "s", -1000.0),
        ("20 ms", "s", 0.02),
        (3, "s", 3.0),
        ("five", "s", "'five' does not begin with a number"),
        ("30", "rad", 30.0),
        ("[1, 2]", "s", "expected one number, got 2 numbers"),
        ("2 m", "s", "'2 m' is in m; allowed: s"),
    ],
)
def test_what_is_typed_needs_no_unit(text, unit, said):
    """On a command line no number can be written without quotes."""
    if isinstance(said, float):
        assert parse_value(text, unit) == said
        return
    with pytest.raises(UnitError) as refused:
        parse_value(text, unit)
    assert str(refused.value).startswith(said)


def test_directions_of_any_length_point_the_same_way():
    """Of 300 drawn at random, 1e-300 to 1e300 long: the scaled ones are exact multiples."""
    rng = np.random.default_rng(17)
    ways = rng.normal(size=(300, 3))
    lengths = 10.0 ** np.where(np.arange(300) < 100, 0.0, rng.uniform(-300, 300, 300))
    marker = si("1", (3,))
    for way, length in zip(ways, lengths, strict=True):
        found = marker((way * length).tolist())
        with np.errstate(all="raise"):
            unit = found / np.sqrt(np.sum(found**2))
        np.testing.assert_allclose(unit, way / np.linalg.norm(way), rtol=1e-15, atol=1e-16)  # a few roundings
    np.testing.assert_array_equal(marker([0, 0, 1e200]), np.array([0, 0, 0.5]) * (1e200 / np.ldexp(0.5, 665)))
    np.testing.assert_array_equal(marker([3, 0, 4]), [3, 0, 4])
    np.testing.assert_array_equal(marker([0, 0, 0]), [0, 0, 0])
