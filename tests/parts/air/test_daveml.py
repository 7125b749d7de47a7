"""The reader of DAVE-ML files: the standard in a file of our own, compared with an evaluator that walks the
XML by itself, and what is refused."""

from __future__ import annotations

import math

import jax.numpy as jnp
import numpy as np
import pytest

from daveml_walker import FOLDER, Walker, outputs
from interstage.exchange import xml_file
from interstage.parts.air import daveml_model
from interstage.parts.air import function_model as fm
from interstage.tree.errors import BadInput, InterstageError
from interstage.tree.guarded_reader import FileKind
from mechanics import EPS

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
        (apply("plus", X, TWO), apply("and", apply("gt", X, "<cn>0</cn>"), apply("not", apply("leq", Y, X)))),
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
    walker, model = Walker(path), daveml_model.read_model(path)
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
    model = daveml_model.read_model(dml(tmp_path, "".join(calculated(n, t) for n, (t, _) in texts.items())))
    found = outputs(model)
    for name, (_, expected) in texts.items():
        np.testing.assert_allclose(found[name], expected, rtol=4 * EPS)


TABLE = """<breakpointDef name="m" bpID="MACH" units="nd"><bpVals>0.5, 1, 3</bpVals></breakpointDef>
<breakpointDef bpID="ALPHA"><bpVals>-1 0 1 5</bpVals></breakpointDef>
<griddedTableDef gtID="T" units="nd"><breakpointRefs>
<bpRef bpID="MACH"/><bpRef bpID="ALPHA"/></breakpointRefs>
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
        ('min="0.75" extrapolate="max"', 'max="0.5" extrapolate="min"'),
        ('min="0.75" max="9"', 'min="-1" max="0.5"'),
        ('min="0.25" max="4" extrapolate="both"', 'min="-3" max="3" extrapolate="min"'),
    ],
)
def test_tables_by_walking_the_xml(tmp_path, mach, alpha):
    """Two axes, the last one fastest; beyond the ends, and within narrower or wider bounds."""
    body = variable("x") + variable("y") + variable("z", "<isOutput/>") + TABLE + function(mach, alpha)
    path = dml(tmp_path, body)
    walker, ready = Walker(path), fm.prepare(daveml_model.read_model(path))
    x, y = (
        g.ravel() for g in np.meshgrid([0, 0.3, 0.5, 0.6, 1, 2, 3, 3.5, 5], [-4, -2, -1, -0.2, 0.7, 2, 5, 8])
    )
    found = fm.evaluate(ready, {"x": jnp.array(x), "y": jnp.array(y)})["z"]
    expected = [walker.value("z", {"x": a, "y": b}) for a, b in zip(x, y, strict=True)]
    np.testing.assert_allclose(found, expected, rtol=64 * EPS, atol=64 * EPS * np.abs(expected).max())


def test_left_beyond_the_nearer_of_axis_and_bound(tmp_path):
    body = variable("x") + variable("y") + variable("z", "<isOutput/>") + TABLE
    path = dml(tmp_path, body + function('min="0.75"', 'max="9" extrapolate="max"'))
    beyond = fm.distances_beyond(
        fm.prepare(daveml_model.read_model(path)),
        {"x": jnp.array([0.25, 0.8, 4]), "y": jnp.array([-3.0, 2, 12])},
    )
    np.testing.assert_allclose(beyond["z", "x"], [-0.5, 0, 1])
    np.testing.assert_allclose(beyond["z", "y"], [-2, 0, 7])


def test_output_of_a_table_is_limited(tmp_path):
    body = variable("x") + variable("y") + variable("z", "<isOutput/>", minValue="2", maxValue="30") + TABLE
    path = dml(tmp_path, body + function())
    model = daveml_model.read_model(path)
    assert [outputs(model, x=a, y=b)["z"] for a, b in ((0.5, -1.0), (1.0, 1.0), (3.0, 0.0))] == [2, 30, 8]
    assert [t.name for t in model.tables] == ["z_unlimited"]


def test_simple_functions_and_splines(tmp_path):
    """Points inside the function; a cubic is its own spline."""
    body = """<function name="f"><independentVarPts varID="x" interpolate="cubicSpline">-1, 0, 1, 2, 4
</independentVarPts><dependentVarPts varID="z">-1 0 1 8 64</dependentVarPts></function>"""
    path = dml(tmp_path, variable("x") + variable("z") + body)
    model = daveml_model.read_model(path)
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


def test_check_cases_are_left_out(tmp_path):
    w = calculated("w", apply("times", TWO, "<ci>z</ci>"))
    body = variable("x") + variable("y") + variable("z", "<isOutput/>") + w + TABLE + function()
    bare, checked = (daveml_model.parts(dml(tmp_path, body + more)) for more in ("", CHECKS))
    assert bare == checked


def test_defaults_and_missing_inputs(tmp_path):
    body = variable("x", "<isInput/>", initialValue="3") + variable("y", "<isDisturbance/>")
    model = daveml_model.read_model(dml(tmp_path, body + calculated("z", apply("plus", X, Y))))
    assert outputs(model, y=1.0)["z"] == 4
    assert outputs(model, x=1.0, y=1.0)["z"] == 2
    with pytest.raises(InterstageError, match=r"the input 'y' \[nd\] .* has no value"):
        outputs(model, x=1.0)


# --- what is refused ----------------------------------------------------------------------------------------

PARTS = {
    '<ungriddedTableDef utID="U"/>': "<ungriddedTableDef> in <DAVEfunc> is not supported",
    variable("a", initialValue="1", color="red"): "the attribute color of <variableDef> is not supported",
    variable("a", initialValue="1e"): "initialValue of 'a' is '1e'",
    variable("a", initialValue="3", maxValue="2"): "the initialValue of 'a' is outside",
    variable("a.b", initialValue="1"): "varID 'a.b' is not a valid name",
    variable("x", initialValue="1"): "varID 'x' is already defined in line 4",
    calculated("a", "<ci>q</ci>"): "<ci> refers to 'q', which is not a variable of this file",
    calculated("a", apply("quotient", X, Y)): "<quotient> is not supported in a calculation",
    calculated("a", apply("<csymbol>hypot</csymbol>", X, Y)): "<csymbol> 'hypot' is not supported",
    calculated("a", apply("divide", X)): "<divide> has 1 operands; allowed: 2",
    calculated("a", "<cn type='e-notation'>1<sep/>2</cn>"): "type of <cn> is not supported",
    calculated(
        "a", f"<piecewise><piece>{X}{Y}</piece></piecewise>"
    ): "<piecewise> needs at least one <piece>",
    calculated("a", f"<lambda>{X}</lambda>"): "<lambda> is not supported in a calculation",
    calculated("z", X) + function(): "'z' has several definitions",
    variable("z") + function() + function(): "another function also computes 'z'",
    variable("z") + function(alpha='interpolate="discrete"'): "interpolate 'discrete' is not supported",
    variable("z") + function(alpha='interpolate="cubicSpline"'): "mixes linear and cubicSpline",
    variable("z") + function(alpha='extrapolate="up"'): "extrapolate 'up' is not supported",
    variable("z") + function(output="q"): "varID 'q' is not a variable of this file",
    variable("z") + function().replace('gtID="T"', 'gtID="S"'): "gtID 'S' is not defined",
    variable("z")
    + function()
    + TABLE.replace("25,", ""): "the table has 11 values, but its breakpoints need 12",
    variable("z") + function() + TABLE.replace("0.5, 1", "1, 0.5"): "the points do not increase",
    variable("z") + function() + TABLE.replace('"m" bpID="MACH" units="nd"', '"m" bpID="MACH" units="deg"'): (
        "'x' is in 'nd', but its points are in 'deg'"
    ),
}


@pytest.mark.parametrize(("part", "message"), PARTS.items(), ids=[m[:40] for m in PARTS.values()])
def test_refused_with_its_line(tmp_path, part, message):
    table = "" if "griddedTableDef gtID" in part else TABLE
    body = variable("x", "<isInput/>") + variable("y") + "\n\n" + part + table
    with pytest.raises(BadInput) as error:
        daveml_model.read_model(dml(tmp_path, body))
    found = next(p for p in error.value.problems if message in p.message)
    assert found.line is not None
    assert 6 <= found.line <= 6 + part.count("\n")
    with pytest.raises(BadInput, match=r"file: .*model\.dml: line"):
        fm.FunctionModel(file=str(tmp_path / "model.dml"))


def test_circles_are_named(tmp_path):
    body = calculated("a", "<ci>c</ci>") + calculated("b", "<ci>a</ci>") + calculated("c", "<ci>b</ci>")
    with pytest.raises(BadInput, match="has a circular dependency: a -> c -> b -> a"):
        daveml_model.read_model(dml(tmp_path, body))


BAD_FILES = {
    '<!DOCTYPE d [<!ENTITY e "1">]><DAVEfunc>&e;</DAVEfunc>': "line 1: the file declares the entity 'e'",
    '<!DOCTYPE d [<!ENTITY e SYSTEM "file:///x">]><DAVEfunc>&e;</DAVEfunc>': "declares the entity 'e'",
    '<!DOCTYPE d SYSTEM "http://a/d.dtd"><DAVEfunc>\n&pi;</DAVEfunc>': "line 2: the entity 'pi' is unknown",
    "<DAVEfunc>\n<a></DAVEfunc>": "line 2: the file is not well-formed XML: mismatched tag",
    "": "is not well-formed XML",
    "<a>" * 300 + "</a>" * 300: "more than 200 nested levels",
    "<html/>": "root element is <html>",
}


@pytest.mark.parametrize(("text", "message"), BAD_FILES.items(), ids=list(BAD_FILES.values()))
def test_unsafe_and_broken_files(tmp_path, text, message):
    path = tmp_path / "bad.dml"
    path.write_text(text)
    with pytest.raises(BadInput) as error:
        daveml_model.read_model(path)
    assert message in str(error.value)


def test_giant_and_missing_files(tmp_path, monkeypatch):
    path = dml(tmp_path, variable("x"))
    monkeypatch.setattr(xml_file, "MODEL", FileKind("models", 100))
    with pytest.raises(BadInput, match="allowed"):
        daveml_model.read_model(path)
    with pytest.raises(BadInput, match="there is no such file"):
        daveml_model.read_model(tmp_path / "none.dml")
    with pytest.raises(BadInput, match="is a folder"):
        daveml_model.read_model(tmp_path)


def test_a_number_that_is_none_is_refused_with_its_line():
    with pytest.raises(BadInput) as error:
        fm.FunctionModel(file=str(FOLDER / "orbital_sphere_inertia.dml"))
    assert "line 39: initialValue of 'XIXX' is '(2/5)\N{GREEK SMALL LETTER PI}'" in str(error.value)
    assert len(error.value.problems) == 3


def test_uncertainties_are_skipped_with_a_note(tmp_path):
    """As in models of the standard's examples; the nominal values are those without them."""
    spread = "<uncertainty effect='multiplicative'><normalPDF numSigmas='3'><bounds>0.1</bounds></normalPDF>"
    spread += "</uncertainty>"
    bodies = [
        variable("x", "<isInput/>") + calculated("f", apply("times", X, TWO)).replace("<isOutput/>", more)
        for more in ("<isOutput/>", spread + "<isOutput/>")
    ]
    plain, spread_model = (daveml_model.read_model(dml(tmp_path, body)) for body in bodies)
    assert plain.notes == ()
    skipped = "interstage does not support 1 <uncertainty> element, the first in line 4"
    assert spread_model.notes[0].startswith(f"{tmp_path / 'model.dml'}: {skipped}")
    both = [fm.evaluate(fm.prepare(model), {"x": 1.5})["f"] for model in (plain, spread_model)]
    assert float(both[0]) == float(both[1]) == 3.0
