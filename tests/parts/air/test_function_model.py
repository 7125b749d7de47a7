"""Function models: those of NASA's check cases, compared with values computed by hand and an evaluator
that walks the XML by itself, and those that a scenario declares."""

from __future__ import annotations

import tomllib
from functools import reduce

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from daveml_walker import FOLDER, Walker, outputs
from engine_door import instant_as_declared, quantities
from interstage.exchange.daveml_units import unit
from interstage.parts.air import function_model as fm
from interstage.reading import loads
from interstage.tree import addresses as tree
from interstage.tree import declaration
from interstage.tree.errors import BadInput
from interstage.tree.toml_file import dumps
from interstage.tree.unit_names import parse_unit
from mechanics import EPS

declaration.register_all()

# --- files of NASA ------------------------------------------------------------------------------------------


def model_of(name) -> fm.FunctionModel:
    return fm.FunctionModel(file=str(FOLDER / f"{name}.dml"))


RANGES = {
    "twostage_aero": {"alpha": (-25, 25), "beta": (-25, 25)},
    "twostage_inertia": {"stagedFlag": (-1, 1), "stg1fuelUsed": (-2e4, 2e5), "stg2fuelUsed": (-1e4, 1e5)},
    "twostage_prop": {"stg1firing": (-1, 1), "stg2firing": (-1, 1)},
    "brick_aero": {"VRW": (0.1, 100), "PB": (-3, 3), "QB": (-3, 3), "RB": (-3, 3)},
}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("[!o]*.dml")), ids=lambda p: p.stem)
def test_nasa_files_by_walking_the_xml(path):
    """Every output, at places within and beyond the tables and on all sides of the conditions."""
    walker, model = Walker(path), fm.FunctionModel(file=str(path))
    assert [o.name for o in model.outputs] == walker.outputs()
    assert model.file is None
    rng = np.random.default_rng(1)
    ranges = RANGES.get(path.stem, {})
    assert {i.name for i in model.inputs} == ranges.keys()
    cases = [{n: rng.uniform(*r) for n, r in ranges.items()} for _ in range(40)]
    cases += [dict.fromkeys(ranges, 0.0)] if path.stem != "brick_aero" else []
    lanes = {n: np.array([c[n] for c in cases]) for n in ranges}
    found = fm.evaluate(fm.prepare(model), lanes)
    for name in walker.outputs():
        expected = [walker.value(name, case) for case in cases]
        scale = max(map(abs, expected))
        np.testing.assert_allclose(
            np.broadcast_to(found[name], len(cases)), expected, rtol=20 * EPS, atol=20 * EPS * scale
        )


def test_two_stages_by_hand():
    """README and slides of the model: masses, moments of inertia, thrust and specific impulse."""
    inertia = model_of("twostage_inertia")
    names = ("XMASS", "XIXX", "XIYY", "XIZZ", "vrsPositionOfMrc_X", "stg1fuelFrac")
    cases = {
        (0, 0, 0): (314000, 353250, 33501637.473461, 33501637.473461, 16.91879, 1),
        (0, 180000, 0): (134000, 150750, 10886636.572139, 10886636.572139, 16.91879, 0),
        (0, 90000, 0): (224000, 252000, 22194137.0228, 22194137.0228, 16.91879, 0.5),
        (0, 200000, 0): (134000, 150750, 10886636.572139, 10886636.572139, 16.91879, 0),
        (1, 180000, 0): (99000, 111375, 941063.762626, 941063.762626, 4.79798, 0),
        (1, 180000, 80000): (19000, 21375, 212384.868421, 212384.868421, 4.79798, 0),
        (1, 180000, 20000): (79000, 88875, 758894.03907475, 758894.03907475, 4.79798, 0),
    }
    for (staged, first, second), expected in cases.items():
        found = outputs(inertia, stagedFlag=staged, stg1fuelUsed=first, stg2fuelUsed=second)
        np.testing.assert_allclose([found[n] for n in names], expected, rtol=8 * EPS)
    # Half of the first stage's propellant used: 9.421642 + (16.91879 - 9.421642) / 2 behind the nose.
    half = outputs(inertia, stagedFlag=0, stg1fuelUsed=90000, stg2fuelUsed=0)
    np.testing.assert_allclose(half["DXCG"], 16.91879 - 13.170216, rtol=16 * EPS)

    prop = model_of("twostage_prop")
    for firing, thrust, flow in (
        ((1, 0), 17e6, 17e6 / (360 * 9.8066)),
        ((0, 1), 5e6, 5e6 / (390 * 9.8066)),
        ((1, 1), 17e6, 17e6 / (360 * 9.8066)),
        ((0, 0), 0, 0),
    ):
        found = outputs(prop, stg1firing=firing[0], stg2firing=firing[1])
        assert found["thrust"] == thrust
        np.testing.assert_allclose(found["mdot"], flow, rtol=4 * EPS)

    # alpha 3 deg is halfway from 2 to 4, beta -4 deg on a point, the total angle 5 halfway from 4 to 6.
    aero = outputs(model_of("twostage_aero"), alpha=3.0, beta=-4.0)
    expected = {"Lift": (0.24 + 0.49) / 2, "Drag": (0.25 + 0.31) / 2}
    for name, value in expected.items():
        np.testing.assert_allclose(aero[f"totalCoefficientOf{name}"], value, rtol=8 * EPS)
    np.testing.assert_allclose(aero["aeroBodyForceCoefficient_Y"], 0.49, rtol=8 * EPS)
    np.testing.assert_allclose(aero["aeroBodyMomentCoefficient_Pitch"], -0.6 * 3 / 20, rtol=8 * EPS)
    np.testing.assert_allclose(aero["aeroBodyMomentCoefficient_Yaw"], -0.6 * 4 / 20, rtol=8 * EPS)
    assert (aero["sref"], aero["cbar"], aero["bspan"]) == (7, 3, 3)


def test_brick_and_cannonball_by_hand():
    found = outputs(model_of("brick_aero"), VRW=30.0, PB=0.2, QB=-0.4, RB=0.6)
    assert (found["CL"], found["CD"], found["SWING"]) == (0, 0.01, 0.22222)
    expected = {"Cl": -0.2 * 0.33333 / 60, "Cm": 0.4 * 0.66667 / 60, "Cn": -0.6 * 0.33333 / 60}
    for name, value in expected.items():
        np.testing.assert_allclose(found[name], value, rtol=8 * EPS)
    # Slower than 0.5 ft/s the speed is taken as that, and how far it lies below is told.
    slow = outputs(model_of("brick_aero"), VRW=0.1, PB=0.2, QB=0, RB=0)
    np.testing.assert_allclose(slow["Cl"], -0.2 * 0.33333 / 1.0, rtol=8 * EPS)
    ready = fm.prepare(model_of("brick_aero"))
    beyond = fm.distances_beyond(ready, {"VRW": jnp.array([0.1, 0.5, 7]), "PB": 0.0, "QB": 0.0, "RB": 0.0})
    assert beyond.keys() == {("", "VRW")}
    np.testing.assert_allclose(beyond["", "VRW"], [-0.4, 0, 0], rtol=4 * EPS)
    ball = outputs(model_of("cannonball_aero"))
    assert (ball["CD"], ball["SWING"], ball["Cm"]) == (0.1, 0.1963495, 0)


def test_units_of_nasa_files():
    units = fm.units(model_of("brick_inertia"))
    assert (units["XIXX"], units["XMASS"], units["DXCG"]) == ("slugft2", "slug", "ft")
    expected = {"slugft2": "slug ft^2", "ft_s2": "ft/s^2", "nd": "1", "lbf_ft2": "psf", "kg_s": "kg/s"}
    expected |= {"_rad": "1/rad", "sec": "s", "kgm2": "kg m^2", "rad_s": "rad/s", "m/s^2": "m/s^2"}
    for text, same in expected.items():
        factor, dimension = parse_unit(unit(text))
        np.testing.assert_allclose(factor, parse_unit(same)[0], rtol=4 * EPS)
        assert dimension == parse_unit(same)[1], text
    with pytest.raises(ValueError, match="unknown unit"):
        unit("furlongs_x")


@pytest.mark.parametrize("mode", [jax.jacfwd, pytest.param(jax.jacrev, marks=pytest.mark.long)])
def test_slopes_of_the_rocket_are_finite(mode):
    """At zero angle, where the drag has a kink in the total angle, and at each end of the propellant."""
    ready = fm.prepare(model_of("twostage_aero"))
    at_zero = mode(lambda a, b: fm.evaluate(ready, {"alpha": a, "beta": b}), (0, 1))(0.0, 0.0)
    assert all(np.isfinite(s) for slopes in at_zero.values() for s in slopes)
    np.testing.assert_allclose(at_zero["totalCoefficientOfLift"], (0.12, 0), rtol=4 * EPS)
    assert at_zero["totalCoefficientOfDrag"] == (0, 0)
    beside = mode(lambda a: fm.evaluate(ready, {"alpha": a, "beta": 0.0})["totalCoefficientOfDrag"])
    np.testing.assert_allclose([beside(0.1), beside(-0.1)], [0.01, -0.01], rtol=1e3 * EPS)
    prop = fm.prepare(model_of("twostage_prop"))
    flow = mode(lambda a: fm.evaluate(prop, {"stg1firing": a, "stg2firing": 0.0}))(0.0)
    assert all(slope == 0 for slope in flow.values())


def test_numbers_are_leaves():
    """Constants and tables can be dispersed by path, in lanes, and have slopes, in one compiled program."""
    inertia = model_of("twostage_inertia")
    masses = jnp.array([310000.0, 314000.0, 320000.0])

    @jax.jit
    def mass(model, used):
        inputs = {"stagedFlag": 0.0, "stg1fuelUsed": used, "stg2fuelUsed": 0.0}
        return fm.evaluate(fm.prepare(model), inputs)["XMASS"]

    dispersed = tree.replace_leaf(inertia, "constants.stg1igniteMass.value", masses)
    np.testing.assert_allclose(mass(dispersed, 0.0), masses, rtol=4 * EPS)
    slope = jax.grad(mass)(inertia, 0.0)
    np.testing.assert_allclose(tree.get(slope, "constants.stg1igniteMass.value"), 1, rtol=4 * EPS)
    aero = model_of("twostage_aero")
    lift = tree.set(aero, "tables.totalCoefficientOfLift.table.factor", 1.1)
    np.testing.assert_allclose(
        outputs(lift, alpha=2.0, beta=0.0)["totalCoefficientOfLift"], 1.1 * 0.24, rtol=4 * EPS
    )


def test_what_was_read_is_written_and_read_again():
    """A scenario holds the model itself, not the name of its file."""
    for name in ("twostage_aero", "twostage_inertia"):
        model = model_of(name)
        assert fm.FunctionModel(**tomllib.loads(dumps(model))) == model


def test_how_far_a_table_was_left():
    ready = fm.prepare(model_of("twostage_aero"))
    beyond = fm.distances_beyond(ready, {"alpha": jnp.array([-12.0, 0.0, 24.0]), "beta": 7.0})
    np.testing.assert_allclose(beyond["totalCoefficientOfLift", "alpha"], [-2, 0, 14])
    np.testing.assert_allclose(beyond["aeroBodyMomentCoefficient_Pitch", "alpha"], [0, 0, 4])
    total = np.hypot([-12, 0, 24], 7)
    np.testing.assert_allclose(
        beyond["totalCoefficientOfDrag", "alphaT"], np.maximum(total - 10, 0), rtol=16 * EPS
    )


# --- models written in a scenario ---------------------------------------------------------------------------

DECLARED = {
    "inputs": {"mach": "1", "alpha": {"unit": "deg", "min": -20.0, "max": 20.0}, "flap": {"default": 0.5}},
    "constants": {"slope": 0.1},
    "tables": {
        "cd0": {
            "table": {
                "axes": [{"variable": "mach", "points": [0.0, 1.0, 2.0], "outside": "hold"}],
                "values": [0.1, 0.3, 0.2],
                "interpolation": "linear",
            }
        }
    },
    "formulas": {"cl": "slope * alpha + flap", "cd": "cd0 + 0.05 * cl^2"},
    "outputs": {"cd": "1", "cl": "1"},
}


def declared(**changes) -> fm.FunctionModel:
    return fm.FunctionModel(**DECLARED | changes)


def test_declared_by_hand():
    found = outputs(declared(), mach=0.5, alpha=30.0)
    np.testing.assert_allclose(found["cl"], 0.1 * 20 + 0.5, rtol=4 * EPS)
    np.testing.assert_allclose(found["cd"], 0.2 + 0.05 * 2.5**2, rtol=4 * EPS)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"formulas": {"cl": "slop * alpha", "cd": "cl"}}, "did you mean 'slope'"),
        ({"formulas": {"cl": "slope *", "cd": "cl"}}, "missing in the formula at its end"),
        ({"formulas": {"cl": "cd", "cd": "cl + cl"}}, "has a circular dependency: cl -> cd -> cl"),
        ({"formulas": {"cl": "cl"}, "outputs": {}}, "has a circular dependency: cl -> cl"),
        ({"constants": {"alpha": 1.0, "slope": 1.0}}, "'alpha' is used twice"),
        ({"outputs": {"cm": "1"}}, "'cm' is not an input"),
        ({"inputs": {"alpha": "deg"}}, "'mach' is not an input"),
        (
            {"inputs": {"mach": {"min": 2.0, "max": 1.0}, "alpha": "deg", "flap": "1"}},
            "is below min",
        ),
        ({"file": "x.dml"}, "'file' cannot be combined with constants, formulas, inputs"),
    ],
)
def test_declared_wrongly(changes, message):
    with pytest.raises(BadInput) as error:
        declared(**changes)
    assert message in str(error.value)


def test_table_needs_an_input_for_each_axis():
    table = reduce(lambda node, key: node[key], ("tables", "cd0", "table"), DECLARED)
    for more, message in (
        ({"inputs": ["mach", "alpha"]}, "has 2 inputs, but the table has 1 axis"),
        ({"limits": {"alpha": {"max": 1.0}}}, "'alpha' is not an input of the table"),
    ):
        with pytest.raises(BadInput, match=message):
            declared(tables={"cd0": {"table": table, **more}})
    other = declared(tables={"cd0": {"table": table, "inputs": ["flap"]}})
    np.testing.assert_allclose(outputs(other, mach=7.0, alpha=0.0)["cd"], 0.2 + 0.05 * 0.25, rtol=4 * EPS)


AIR = """
gravity = "none"
planet = { kind = "flat" }
atmosphere = { kind = "exponential", scale_height = "1e12 m", density = "1 kg/m^3" }
phases.p = { until = { time = 1 } }
[bodies.ball]
mass = 1
inertia = [1, 1, 1]
initial = { altitude = "1 km", velocity_ned = [100, 0, 0] }
[aerodynamics.ball]
body = "ball"
area = 1
length = 1
outputs = { drag = "COEFFICIENT" }
[aerodynamics.ball.functions]
constants = { drag = 20 }
outputs = { drag = "UNIT" }
"""


@pytest.mark.parametrize(
    ("unit", "name", "value"),
    [
        *(("", "CD", 20.0), ("nd", "CD", 20.0), ("ND", "CD", 20.0), ("percent", "CD", 0.2)),
        *(("%", "CD", 0.2), ("1/deg", "Cmq", 20 * 180 / np.pi), ("_rad", "Cmq", 20.0), ("frac", "CD", 20.0)),
    ],
)
def test_outputs_are_converted_from_the_units_of_the_model(unit, name, value):
    scenario = loads(AIR.replace("UNIT", unit).replace("COEFFICIENT", name))
    found = quantities(instant_as_declared(scenario), f"aerodynamics.ball.{name}")
    assert float(found[f"aerodynamics.ball.{name}"]) == pytest.approx(value, rel=4 * EPS)


@pytest.mark.parametrize(
    ("unit", "name", "said"),
    [
        ("kg", "CD", "has the unit kg. Allowed for CD: a pure number"),
        ("deg", "CL", "has the unit deg"),
        ("1/deg", "CL", "has the unit 1/deg"),
        ("lbf", "Cmq", "or per angle such as 1/deg"),
        ("furlings", "CD", "unknown unit 'furlings'"),
    ],
)
def test_outputs_in_units_that_no_coefficient_has_are_refused(unit, name, said):
    with pytest.raises(BadInput, match=r"aerodynamics\.ball\.outputs\.drag") as error:
        loads(AIR.replace("UNIT", unit).replace("COEFFICIENT", name)).check()
    assert said in str(error.value)


@pytest.mark.parametrize(("name", "example"), [("drag", 'drag = "CD"'), ("CA", 'CA = "CA"')])
def test_a_model_without_outputs_that_are_coefficients_is_refused_with_an_example(name, example):
    text = AIR.replace('outputs = { drag = "COEFFICIENT" }\n', "").replace("UNIT", "nd").replace("drag", name)
    with pytest.raises(BadInput, match=r"aerodynamics\.ball\.outputs: 'outputs' is missing") as error:
        loads(text)
    assert f"outputs = {{ {example} }}. Outputs of the model: {name}" in str(error.value)
