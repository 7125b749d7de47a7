"""Function models and the reader of DAVE-ML files, held against values worked out by hand and an evaluator
that walks the XML by itself."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from functools import reduce
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from interstage import tree
from interstage.errors import BadInput, InterstageError
from interstage.model import daveml, xml_file
from interstage.model import function_model as fm
from interstage.model.daveml_units import unit
from interstage.unit_names import parse_unit
from mechanics import EPS

FOLDER = Path(__file__).parents[1] / "validation" / "nesc_models"
tree.register_all()

# --- the independent evaluator: Python floats, numpy.interp along one axis after the other -------------------


def children(element, tag):
    return [child for child in element if child.tag.rpartition("}")[2] == tag]


def local(element):
    return element.tag.rpartition("}")[2]


class Walker:
    """Values of the variables of a file for inputs by name, found by asking backwards."""

    def __init__(self, path):
        root = ET.parse(path).getroot()
        self.variables = {v.get("varID"): v for v in children(root, "variableDef")}
        self.points = {
            b.get("bpID"): floats(children(b, "bpVals")[0]) for b in children(root, "breakpointDef")
        }
        self.functions = {
            children(f, "dependentVarRef")[0].get("varID"): f for f in children(root, "function")
        }
        tables = [e for e in root.iter() if local(e) == "griddedTableDef"]
        self.tables = {t.get("gtID"): t for t in tables}

    def outputs(self):
        return [n for n, v in self.variables.items() if children(v, "isOutput")]

    def value(self, name, inputs):
        variable = self.variables[name]
        if name in inputs:
            found = inputs[name]
        elif children(variable, "calculation"):
            found = self.math(children(variable, "calculation")[0][0][0], inputs)
        elif name in self.functions:
            found = self.function(self.functions[name], inputs)
        else:
            found = float(variable.get("initialValue"))
        low, high = (float(variable.get(k, d)) for k, d in (("minValue", "-inf"), ("maxValue", "inf")))
        return min(max(found, low), high)

    def function(self, function, inputs):
        definition = children(function, "functionDefn")[0][0]
        table = self.tables[definition.get("gtID")]
        values = np.array(floats(children(table, "dataTable")[0]))
        axes = [self.points[r.get("bpID")] for r in children(table, "breakpointRefs")[0]]
        values = values.reshape([len(a) for a in axes])
        for axis, reference in reversed(
            list(zip(axes, children(function, "independentVarRef"), strict=True))
        ):
            at = self.value(reference.get("varID"), inputs)
            at = min(max(at, float(reference.get("min", "-inf"))), float(reference.get("max", "inf")))
            ends = {"neither": "", "min": "<", "max": ">", "both": "<>"}[
                reference.get("extrapolate", "neither")
            ]
            values = np.apply_along_axis(line, -1, values, at, axis, ends)
        return float(values)

    def math(self, node, inputs):
        if local(node) == "cn":
            return float(node.text)
        if local(node) == "ci":
            return self.value(node.text.strip(), inputs)
        if local(node) == "piecewise" or local(node[0]) == "piecewise":
            for piece in node if local(node) == "piecewise" else node[0]:
                if local(piece) == "otherwise" or self.math(piece[1], inputs):
                    return self.math(piece[0], inputs)
        of = [self.math(part, inputs) for part in node[1:]]
        return OPERATIONS[local(node[0])](*of)


def line(values, at, axis, ends):
    """Straight lines between the points; beyond an end held, or on straight."""
    if at < axis[0] and "<" in ends:
        return values[0] + (at - axis[0]) * (values[1] - values[0]) / (axis[1] - axis[0])
    if at > axis[-1] and ">" in ends:
        return values[-1] + (at - axis[-1]) * (values[-1] - values[-2]) / (axis[-1] - axis[-2])
    return np.interp(at, axis, values)


def floats(element):
    return [float(word) for word in "".join(element.itertext()).replace(",", " ").split()]


OPERATIONS = {
    "plus": lambda *a: sum(a),
    "times": lambda *a: math.prod(a),
    "minus": lambda a, *b: a - b[0] if b else -a,
    "divide": lambda a, b: a / b,
    "power": lambda a, b: a**b,
    "root": math.sqrt,
    "abs": abs,
    "exp": math.exp,
    "ln": math.log,
    "log": math.log10,
    "arctan": math.atan,
    "sin": math.sin,
    "cos": math.cos,
    "csymbol": math.atan2,
    "min": min,
    "max": max,
    "lt": lambda a, b: a < b,
    "leq": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "geq": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "neq": lambda a, b: a != b,
    "and": lambda *a: all(a),
    "or": lambda *a: any(a),
    "not": lambda a: not a,
}


# --- files of NASA ------------------------------------------------------------------------------------------


def model_of(name) -> fm.FunctionModel:
    return fm.FunctionModel(file=str(FOLDER / f"{name}.dml"))


def outputs(model, **inputs):
    return {k: float(v) for k, v in fm.evaluate(fm.prepare(model), inputs).items()}


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
    lanes = {n: jnp.array([c[n] for c in cases]) for n in ranges}
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
    beyond = fm.left(ready, {"VRW": jnp.array([0.1, 0.5, 7]), "PB": 0.0, "QB": 0.0, "RB": 0.0})
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


@pytest.mark.parametrize("mode", [jax.jacfwd, jax.jacrev])
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

    dispersed = tree.replaced(inertia, "constants.stg1igniteMass.value", masses)
    np.testing.assert_allclose(mass(dispersed, 0.0), masses, rtol=4 * EPS)
    slope = jax.grad(mass)(inertia, 0.0)
    np.testing.assert_allclose(tree.get(slope, "constants.stg1igniteMass.value"), 1, rtol=4 * EPS)
    aero = model_of("twostage_aero")
    lift = tree.set(aero, "tables.totalCoefficientOfLift.table.factor", 1.1)
    np.testing.assert_allclose(
        outputs(lift, alpha=2.0, beta=0.0)["totalCoefficientOfLift"], 1.1 * 0.24, rtol=4 * EPS
    )


def test_how_far_a_table_was_left():
    ready = fm.prepare(model_of("twostage_aero"))
    beyond = fm.left(ready, {"alpha": jnp.array([-12.0, 0.0, 24.0]), "beta": 7.0})
    np.testing.assert_allclose(beyond["totalCoefficientOfLift", "alpha"], [-2, 0, 14])
    np.testing.assert_allclose(beyond["aeroBodyMomentCoefficient_Pitch", "alpha"], [0, 0, 4])
    total = np.hypot([-12, 0, 24], 7)
    np.testing.assert_allclose(
        beyond["totalCoefficientOfDrag", "alphaT"], np.maximum(total - 10, 0), rtol=16 * EPS
    )


def test_a_number_that_is_none_is_refused_with_its_line():
    with pytest.raises(BadInput) as error:
        model_of("orbital_sphere_inertia")
    assert "line 39: initialValue of 'XIXX' is '(2/5)\N{GREEK SMALL LETTER PI}'" in str(error.value)
    assert len(error.value.problems) == 3


# --- a file of our own: the rest of the standard ------------------------------------------------------------

HEAD = """<?xml version="1.0"?>
<DAVEfunc xmlns="http://daveml.org/2010/DAVEML">
<fileHeader name="t"><author name="a" org="b"/><creationDate date="2020-01-01"/></fileHeader>
"""


def dml(tmp_path, body, head=HEAD):
    path = tmp_path / "model.dml"
    path.write_text(head + body + "\n</DAVEfunc>\n", encoding="utf-8")
    return path


def variable(name, inner="", **attributes):
    more = "".join(f' {k}="{v}"' for k, v in attributes.items())
    return f'<variableDef name="{name}" varID="{name}" units="nd"{more}>{inner}</variableDef>'


def calculated(name, math_text, **attributes):
    inner = f'<calculation><math xmlns="http://www.w3.org/1998/Math/MathML">{math_text}</math></calculation>'
    return variable(name, inner + "<isOutput/>", **attributes)


def apply(operator, *of):
    return f"<apply>{operator if operator.startswith('<') else f'<{operator}/>'}{''.join(of)}</apply>"


X, Y, TWO = "<ci>x</ci>", "<ci> y </ci>", "<cn>2</cn>"
ATAN2 = (
    '<csymbol definitionURL="http://daveml.org/function_spaces.html#atan2" encoding="text">atan2</csymbol>'
)


def piecewise(*pairs, otherwise):
    pieces = "".join(f"<piece>{value}{condition}</piece>" for value, condition in pairs)
    return f"<piecewise>{pieces}<otherwise>{otherwise}</otherwise></piecewise>"


CALCULATIONS = {
    "arithmetic": apply(
        "minus", apply("divide", X, apply("plus", TWO, apply("power", Y, TWO))), apply("minus", Y)
    ),
    "nested": apply(
        "times", apply("minus", X, apply("minus", Y, X)), apply("divide", X, apply("times", TWO, Y))
    ),
    "towers": apply("power", apply("abs", X), apply("power", TWO, apply("minus", Y))),
    "negative": apply("power", "<cn>-2.0</cn>", "<cn type='integer'> 3 </cn>"),
    "roots": apply("root", apply("abs", Y)),
    "logs": apply("plus", apply("ln", apply("exp", X)), apply("log", apply("abs", Y))),
    "angles": apply("plus", apply("sin", X), apply("cos", Y), apply("arctan", X), apply(ATAN2, Y, X)),
    "extremes": apply("max", apply("min", X, Y, TWO), apply("minus", TWO)),
    "logic": piecewise(
        (X, apply("and", apply("gt", X, "<cn>0</cn>"), apply("not", apply("leq", Y, X)))),
        (Y, apply("or", apply("lt", X, "<cn>-1</cn>"), apply("geq", Y, TWO), apply("eq", X, Y))),
        (TWO, apply("neq", X, "<cn>0.5</cn>")),
        otherwise=apply("times", X, Y),
    ),
    "nested_pieces": apply(
        "plus",
        X,
        piecewise((apply("minus", Y, X), apply("gt", Y, X)), otherwise=piecewise((TWO, Y), otherwise=X)),
    ),
}


def test_calculations_by_walking_the_xml(tmp_path):
    body = variable("x", "<isInput/>") + variable("y", "<isControl/>")
    body += "".join(calculated(name, text) for name, text in CALCULATIONS.items())
    path = dml(tmp_path, body + calculated("limited", X, minValue="-0.5", maxValue="0.75"))
    walker, model = Walker(path), daveml.read_model(path)
    grid = [-2.0, -1.0, -0.5, 0.5, 0.75, 1.5, 2.0]
    for x in grid:
        for y in grid:
            found = outputs(model, x=x, y=y)
            for name, value in found.items():
                expected = walker.value(name, {"x": x, "y": y})
                np.testing.assert_allclose(
                    value, expected, rtol=8 * EPS, atol=8 * EPS, err_msg=f"{name} {x} {y}"
                )


def test_logarithms_and_angles_by_hand(tmp_path):
    texts = {
        "base": (apply("log", "<logbase>" + TWO + "</logbase>", "<cn>8</cn>"), 3.0),
        "square": (apply("root", "<degree>" + TWO + "</degree>", "<cn>49</cn>"), 7.0),
        "secant": (apply("divide", TWO, apply("sec", "<cn>0</cn>")), 2.0),
        "circle": (apply("cos", "<pi/>"), -1.0),
        "euler": (apply("ln", "<exponentiale/>"), 1.0),
        "steps": (apply("plus", apply("floor", "<cn>1.5</cn>"), apply("ceiling", "<cn>1.5</cn>")), 3.0),
        "truth": (apply("gt", TWO, "<cn>1</cn>"), 1.0),
        "chain": (apply("lt", "<cn>1</cn>", TWO, "<cn>2</cn>"), 0.0),
        "arcs": (apply("plus", apply("arcsin", "<cn>1</cn>"), apply("arccos", "<cn>0</cn>")), math.pi),
    }
    model = daveml.read_model(dml(tmp_path, "".join(calculated(n, t) for n, (t, _) in texts.items())))
    found = outputs(model)
    for name, (_, expected) in texts.items():
        np.testing.assert_allclose(found[name], expected, rtol=4 * EPS)


TABLE = """<breakpointDef name="m" bpID="MACH" units="nd"><bpVals>0.5, 1, 3</bpVals></breakpointDef>
<breakpointDef bpID="ALPHA"><bpVals>-1 0 1 5</bpVals></breakpointDef>
<griddedTableDef gtID="T" units="nd"><breakpointRefs><bpRef bpID="MACH"/><bpRef bpID="ALPHA"/></breakpointRefs>
<dataTable>1, 2, 4, 3, <!-- second row --> 10, 20, 40, 25,
 7,8,9,5,</dataTable></griddedTableDef>"""


def function(mach="", alpha="", output="z"):
    return f"""<function name="f"><independentVarRef varID="x" {mach}/><independentVarRef varID="y" {alpha}/>
<dependentVarRef varID="{output}"/><functionDefn><griddedTableRef gtID="T"/></functionDefn></function>"""


@pytest.mark.parametrize(
    ("mach", "alpha"),
    [
        ("", ""),
        ('extrapolate="both"', 'extrapolate="neither"'),
        ('extrapolate="min"', 'extrapolate="max"'),
        ('extrapolate="max"', 'extrapolate="min" interpolate="linear"'),
        ('min="0.75" max="9"', 'min="-1" max="0.5"'),
        ('min="0.25" max="4" extrapolate="both"', 'min="-3" max="3" extrapolate="min"'),
    ],
)
def test_tables_by_walking_the_xml(tmp_path, mach, alpha):
    """Two axes, the last one fastest; beyond the ends, and within narrower or wider bounds."""
    body = variable("x") + variable("y") + variable("z", "<isOutput/>") + TABLE + function(mach, alpha)
    path = dml(tmp_path, body)
    walker, ready = Walker(path), fm.prepare(daveml.read_model(path))
    x, y = (
        g.ravel() for g in np.meshgrid([0, 0.3, 0.5, 0.6, 1, 2, 3, 3.5, 5], [-4, -2, -1, -0.2, 0.7, 2, 5, 8])
    )
    found = fm.evaluate(ready, {"x": jnp.array(x), "y": jnp.array(y)})["z"]
    expected = [walker.value("z", {"x": a, "y": b}) for a, b in zip(x, y, strict=True)]
    np.testing.assert_allclose(found, expected, rtol=64 * EPS, atol=64 * EPS * np.abs(expected).max())


def test_left_beyond_the_nearer_of_axis_and_bound(tmp_path):
    body = variable("x") + variable("y") + variable("z", "<isOutput/>") + TABLE
    path = dml(tmp_path, body + function('min="0.75"', 'max="9" extrapolate="max"'))
    beyond = fm.left(
        fm.prepare(daveml.read_model(path)), {"x": jnp.array([0.25, 0.8, 4]), "y": jnp.array([-3.0, 2, 12])}
    )
    np.testing.assert_allclose(beyond["z", "x"], [-0.5, 0, 1])
    np.testing.assert_allclose(beyond["z", "y"], [-2, 0, 7])


def test_output_of_a_table_is_limited(tmp_path):
    body = variable("x") + variable("y") + variable("z", "<isOutput/>", minValue="2", maxValue="30") + TABLE
    path = dml(tmp_path, body + function())
    model = daveml.read_model(path)
    assert [outputs(model, x=a, y=b)["z"] for a, b in ((0.5, -1.0), (1.0, 1.0), (3.0, 0.0))] == [2, 30, 8]
    assert [t.name for t in model.tables] == ["z_unlimited"]


def test_simple_functions_and_splines(tmp_path):
    """Points inside the function; a cubic is its own spline."""
    body = """<function name="f"><independentVarPts varID="x" interpolate="cubicSpline">-1, 0, 1, 2, 4
</independentVarPts><dependentVarPts varID="z">-1 0 1 8 64</dependentVarPts></function>"""
    path = dml(tmp_path, variable("x") + variable("z") + body)
    model = daveml.read_model(path)
    assert [o.name for o in model.outputs] == ["z"]
    for x in (-0.5, 0.3, 1.7, 3.0):
        np.testing.assert_allclose(outputs(model, x=x)["z"], x**3, rtol=1e3 * EPS)
    assert outputs(model, x=5.0)["z"] == 64


CHECKS = """<checkData><staticShot name="nominal"><checkInputs>
<signal><signalName>x</signalName><signalUnits>nd</signalUnits><signalValue>0.75</signalValue></signal>
<signal><varID>y</varID><signalValue> 0.5 </signalValue></signal></checkInputs>
<internalValues><signal><varID>w</varID><signalValue>33</signalValue></signal></internalValues>
<checkOutputs><signal><signalName>z</signalName><signalUnits>nd</signalUnits><signalValue>16.5</signalValue>
<tol>1e-9</tol></signal></checkOutputs></staticShot></checkData>"""


def test_check_shots(tmp_path):
    """They are read, and held; 16.5 is the mean of 2, 4, 20 and 40 and the half of w."""
    w = calculated("w", apply("times", TWO, "<ci>z</ci>"))
    body = variable("x") + variable("y") + variable("z", "<isOutput/>") + w + TABLE + function()
    assert run_shots(dml(tmp_path, body + CHECKS)) == 1
    shot = daveml.check_shots(dml(tmp_path, body + CHECKS))[0]
    assert (shot.name, shot.inputs) == ("nominal", {"x": 0.75, "y": 0.5})
    assert shot.internal == {"w": (33.0, None)}
    with pytest.raises(AssertionError):
        run_shots(dml(tmp_path, body + CHECKS.replace("16.5", "16.6")))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("[!o]*.dml")), ids=lambda p: p.stem)
def test_check_shots_of_nasa_files(path):
    """They have none, as SOURCE.md says; a file that had some would be held to them."""
    assert run_shots(path) == 0


def run_shots(path) -> int:
    ready = fm.prepare(daveml.read_model(path))
    shots = daveml.check_shots(path)
    for shot in shots:
        found = fm.values(ready, shot.inputs)
        for name, (value, tolerance) in (shot.outputs | shot.internal).items():
            near = tolerance if tolerance is not None else 1e-9 * abs(value)
            assert abs(float(found[name]) - value) <= near, (shot.name, name)
    return len(shots)


def test_defaults_and_missing_inputs(tmp_path):
    body = variable("x", "<isInput/>", initialValue="3") + variable("y", "<isDisturbance/>")
    model = daveml.read_model(dml(tmp_path, body + calculated("z", apply("plus", X, Y))))
    assert outputs(model, y=1.0)["z"] == 4
    with pytest.raises(InterstageError, match=r"needs its input 'y' \[nd\]"):
        outputs(model, x=1.0)


# --- what is refused ----------------------------------------------------------------------------------------

PARTS = {
    '<ungriddedTableDef utID="U"/>': "<ungriddedTableDef> in <DAVEfunc> is not supported",
    variable("a", "<uncertainty effect='additive'/>"): "<uncertainty> in <variableDef> is not supported",
    variable("a", initialValue="1", color="red"): "the attribute color of <variableDef> is not supported",
    variable("a", initialValue="1e"): "initialValue of 'a' is '1e'; allowed: a number",
    variable("a", initialValue="3", maxValue="2"): "initialValue of 'a' is beyond its minValue or maxValue",
    variable("a.b", initialValue="1"): "varID 'a.b' cannot be a name here",
    variable("x", initialValue="1"): "varID 'x' is given twice, first in line 4",
    calculated("a", "<ci>q</ci>"): "<ci> names 'q', which is no variable of this file",
    calculated("a", apply("quotient", X, Y)): "<quotient> is not supported in a calculation",
    calculated("a", apply("<csymbol>hypot</csymbol>", X, Y)): "<csymbol> 'hypot' is not supported",
    calculated("a", apply("divide", X)): "<divide> is applied to 1; allowed: 2",
    calculated("a", "<cn type='e-notation'>1<sep/>2</cn>"): "<cn> of this type is not supported",
    calculated("a", f"<piecewise><piece>{X}{Y}</piece></piecewise>"): "<piecewise> needs a <piece> and, last",
    calculated("a", f"<lambda>{X}</lambda>"): "<lambda> is not supported in a calculation",
    calculated("z", X) + function(): "'z' has more than one origin",
    variable("z") + function() + function(): "a second function gives 'z'",
    variable("z") + function(alpha='interpolate="discrete"'): "interpolate 'discrete' is not supported",
    variable("z") + function(alpha='interpolate="cubicSpline"'): "with linear and with cubicSpline variables",
    variable("z")
    + function(alpha='extrapolate="up"'): "extrapolate is 'up'; allowed: neither, min, max, both",
    variable("z") + function(output="q"): "varID 'q' is no variable of this file",
    variable("z") + function().replace('gtID="T"', 'gtID="S"'): "gtID 'S' is not defined",
    variable("z") + function() + TABLE.replace("25,", ""): "the table has 11 values; its breakpoints need 12",
    variable("z") + function() + TABLE.replace("0.5, 1", "1, 0.5"): "must increase from point to point",
    variable("z") + function() + TABLE.replace('"m" bpID="MACH" units="nd"', '"m" bpID="MACH" units="deg"'): (
        "'x' is in 'nd', its points in 'deg'; use one unit"
    ),
}


@pytest.mark.parametrize(("part", "message"), PARTS.items(), ids=[m[:40] for m in PARTS.values()])
def test_refused_with_its_line(tmp_path, part, message):
    table = "" if "griddedTableDef gtID" in part else TABLE
    body = variable("x", "<isInput/>") + variable("y") + "\n\n" + part + table
    with pytest.raises(BadInput) as error:
        daveml.read_model(dml(tmp_path, body))
    found = next(p for p in error.value.problems if message in p.message)
    assert found.line is not None and 6 <= found.line <= 6 + part.count("\n")
    with pytest.raises(BadInput, match="file: .*model.dml: line"):
        fm.FunctionModel(file=str(tmp_path / "model.dml"))


def test_circles_are_named(tmp_path):
    body = calculated("a", "<ci>c</ci>") + calculated("b", "<ci>a</ci>") + calculated("c", "<ci>b</ci>")
    with pytest.raises(BadInput, match="depends on itself: a -> c -> b -> a"):
        daveml.read_model(dml(tmp_path, body))


BAD_FILES = {
    '<!DOCTYPE d [<!ENTITY e "1">]><DAVEfunc>&e;</DAVEfunc>': "line 1: declares the entity 'e'",
    '<!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/passwd">]><DAVEfunc>&e;</DAVEfunc>': "declares the entity 'e'",
    '<!DOCTYPE d SYSTEM "http://localhost/d.dtd"><DAVEfunc>\n&pi;</DAVEfunc>': "line 2: the entity 'pi' is not",
    "<DAVEfunc>\n<a></DAVEfunc>": "line 2: is not well-formed XML: mismatched tag",
    "": "is not well-formed XML",
    "<a>" * 300 + "</a>" * 300: "more than 200 elements are inside each other",
    "<html/>": "<html> is no DAVE-ML model",
}


@pytest.mark.parametrize(("text", "message"), BAD_FILES.items(), ids=list(BAD_FILES.values()))
def test_unsafe_and_broken_files(tmp_path, text, message):
    path = tmp_path / "bad.dml"
    path.write_text(text)
    with pytest.raises(BadInput) as error:
        daveml.read_model(path)
    assert message in str(error.value)


def test_giant_and_missing_files(tmp_path, monkeypatch):
    path = dml(tmp_path, variable("x"))
    monkeypatch.setattr(xml_file, "MOST_BYTES", 100)
    with pytest.raises(BadInput, match="allowed"):
        daveml.read_model(path)
    with pytest.raises(BadInput, match="there is no such file"):
        daveml.read_model(tmp_path / "none.dml")
    with pytest.raises(BadInput, match="is not a regular file"):
        daveml.read_model(tmp_path)


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
        ({"formulas": {"cl": "slop * alpha", "cd": "cl"}}, "'slop' is not known; did you mean 'slope'"),
        ({"formulas": {"cl": "slope *", "cd": "cl"}}, "missing in the formula at its end"),
        ({"formulas": {"cl": "cd", "cd": "cl + cl"}}, "depends on itself: cl -> cd -> cl"),
        ({"formulas": {"cl": "cl"}, "outputs": {}}, "depends on itself: cl -> cl"),
        ({"constants": {"alpha": 1.0, "slope": 1.0}}, "there is more than one 'alpha'"),
        ({"outputs": {"cm": "1"}}, "'cm' is not known"),
        ({"inputs": {"alpha": "deg"}}, "'mach' is not known"),
        (
            {"inputs": {"mach": {"min": 2.0, "max": 1.0}, "alpha": "deg", "flap": "1"}},
            "must not be less than min",
        ),
        ({"file": "x.dml"}, "stands in place of constants, formulas, inputs, outputs, tables"),
    ],
)
def test_declared_wrongly(changes, message):
    with pytest.raises(BadInput) as error:
        declared(**changes)
    assert message in str(error.value)


def test_table_needs_an_input_for_each_axis():
    table = reduce(lambda node, key: node[key], ("tables", "cd0", "table"), DECLARED)
    for more, message in (
        ({"inputs": ["mach", "alpha"]}, "names 2 inputs, but the table has 1 axes"),
        ({"limits": {"alpha": {"max": 1.0}}}, "'alpha' is no input of the table"),
    ):
        with pytest.raises(BadInput, match=message):
            declared(tables={"cd0": {"table": table, **more}})
    other = declared(tables={"cd0": {"table": table, "inputs": ["flap"]}})
    np.testing.assert_allclose(outputs(other, mach=7.0, alpha=0.0)["cd"], 0.2 + 0.05 * 0.25, rtol=4 * EPS)
