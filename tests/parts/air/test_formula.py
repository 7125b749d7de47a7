"""Formulas as texts: what they mean, their slopes, and what is refused."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from interstage.tree import formula
from mechanics import EPS


def value(text: str, **values):
    return formula.evaluate(formula.parse(text), values)


def drawn(rng, depth: int) -> str:
    """A number as Python writes it too, with parentheses only by chance, so that precedence decides."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(["a", "b", "c", "0.5", "2", "3e-1", "1.25"])
    kind = rng.integers(8)
    one = [drawn(rng, depth - 1) for _ in range(3)]
    if kind < 4:
        return f" {rng.choice(['+', '-', '*', '/'])} ".join(one[: rng.integers(2, 4)])
    if kind == 4:
        return f"({one[0]})"
    if kind == 5:
        return f"-{rng.choice(['a', 'b'])}**{rng.choice(['2', '3', '-1'])}"
    if kind == 6:
        return f"{rng.choice(['sin', 'exp', 'abs', 'atan', 'tanh'])}(({one[0]}) / 50)"
    return f"where({condition(rng, depth - 1)}, {one[0]}, {one[1]})"


def condition(rng, depth: int) -> str:
    sides = [drawn(rng, depth) for _ in range(4)]
    first = f"{sides[0]} {rng.choice(['<', '<=', '>', '>='])} {sides[1]}"
    second = f"{sides[2]} > {sides[3]}"
    return rng.choice([first, f"not {first} or {second}", f"{first} and not {second} or {second}"])


def test_means_what_python_means():
    """Operators bind as in Python, whose evaluation of the same texts is the oracle."""
    rng = np.random.default_rng(4)
    names = {"a": 0.7, "b": -1.3, "c": 2.1}
    known = {n: getattr(math, n) for n in ("sin", "exp", "atan", "tanh")} | {"abs": abs}
    known["where"] = lambda holds, yes, no: yes if holds else no
    tried = 0
    for _ in range(300):
        text = drawn(rng, 4)
        try:
            expected = eval(text, {"__builtins__": {}}, {**names, **known})
        except (ZeroDivisionError, OverflowError):
            continue
        tried += 1
        # A hundred operations, each within a few roundings of what it is given; differences cancel.
        np.testing.assert_allclose(value(text, **names), expected, rtol=1e5 * EPS, atol=1e3 * EPS)
    assert tried > 250


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2^3^2", 512.0),
        ("-2^2", -4.0),
        ("2^-2", 0.25),
        ("7 - 4 - 2", 1.0),
        ("16 / 4 / 2", 2.0),
        ("where(x < 0, 1, x < 2, 2, 3)", 2.0),
        ("where(x < 0, 1, x < 1, 2, 3)", 3.0),
        ("min(3, 1, 2) + max(4, 6, 5)", 7.0),
        ("ln(exp(2)) + log10(1000)", 5.0),
        ("atan2(1, -1)", 3 * math.pi / 4),
        ("asin(1) - acos(0)", 0.0),
        ("sin(pi / 6)", 0.5),
        ("floor(-1.5) + ceil(1.2)", 0.0),
        ("`delta-e` * 2", 8.0),
        ("1 / x * where(not x == 1 or x != 1, 0, 5)", 5.0),
        ("8^(1/3)", 2.0),
        (" 1.5e1 + .5 ", 15.5),
    ],
)
def test_by_hand(text, expected):
    found = value(text, x=1.0, **{"delta-e": 4.0})
    np.testing.assert_allclose(found, expected, rtol=4 * EPS, atol=4 * EPS)


@pytest.mark.parametrize("power", ["sqrt({})", "({})^0.5", "({})^p", "({})^(1/2)"])
def test_total_angle_has_a_slope_at_zero(power):
    """sqrt(alpha^2 + beta^2) has a kink where both are zero; its slope there is taken as zero."""
    text = power.format("alpha^2 + beta^2")

    def total(alpha, beta):
        return value(text, alpha=alpha, beta=beta, p=0.5)

    for derivative in (jax.jacfwd, jax.jacrev):
        assert derivative(total, (0, 1))(0.0, 0.0) == (0.0, 0.0)
        slopes = derivative(total, (0, 1))(3e-5, -4e-5)
        np.testing.assert_allclose(slopes, (0.6, -0.8), rtol=8 * EPS)
        np.testing.assert_allclose(derivative(total, (0, 1))(0.0, 1e-140), (0, 1), rtol=8 * EPS)
    assert total(0.0, 0.0) == 0
    assert np.isfinite(jax.jacfwd(jax.jacrev(total))(0.0, 0.0))


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("asin(x)", 1.0),
        ("asin(x)", -1.0),
        ("acos(x)", 1.0),
        ("acos(x)", -1.0),
        ("atan2(x, 0 * x)", 0.0),
        ("x^1.5", 0.0),
        ("x^0.3", 0.0),
        ("abs(x)", 0.0),
        ("x^0", 0.0),
    ],
)
def test_slope_is_zero_where_there_is_none(text, at):
    expected = {"acos(x)": math.acos(at) if abs(at) == 1 else 0.0, "asin(x)": at * math.pi / 2, "x^0": 1.0}
    np.testing.assert_allclose(value(text, x=at), expected.get(text, 0.0), rtol=EPS)
    for derivative in (jax.jacfwd, jax.jacrev):
        assert derivative(lambda x: value(text, x=x))(at) == 0


@pytest.mark.parametrize(
    "piece", ["1 / x", "ln(x)", "log10(x)", "sqrt(x)", "x^0.5", "x^-3", "x^p", "asin(2 - x)", "exp(-1e4 * x)"]
)
@pytest.mark.parametrize("at", [0.0, pytest.param(-1.0, marks=pytest.mark.long)])
def test_a_piece_not_chosen_leaves_no_trace(piece, at):
    """Its value and slopes may be infinite where another piece is chosen."""
    inner = f"{piece} + sqrt({piece})"
    for text in (
        f"where(x > 0.5 and x < 9, {inner}, 3 * x)",
        f"where(x < 0.5, 3 * x, x < 9, {inner}, {inner})",
    ):

        def f(x, text=text):
            return value(text, x=x, p=-0.5)

        for derivative in (jax.jacfwd, jax.jacrev):
            assert derivative(f)(at) == 3
            assert np.isfinite(derivative(f)(1.0))


def test_bounds_keep_the_slope_on_them():
    """Of equal arguments the first one counts; NaN is not lost."""
    for text in ("min(x, 1)", "max(x, 1)", "min(max(x, 1), 1)"):
        assert jax.grad(lambda x, text=text: value(text, x=x))(1.0) == 1
    for text in ("min(x, 1)", "max(1, x)", "min(1, x)", "max(x, 1)"):
        assert np.isnan(value(text, x=np.nan))


def test_slopes_by_differences():
    text = "where(x > 0, atan2(y, x) * tan(x) + cosh(y)^1.7 / (1 + x^2), 0) + acos(y) * max(x, y)"

    def f(x, y):
        return value(text, x=x, y=y)

    at, h = (0.8, -0.3), 1e-5
    found = jax.grad(f, (0, 1))(*at)
    by_x = (f(at[0] + h, at[1]) - f(at[0] - h, at[1])) / (2 * h)
    by_y = (f(at[0], at[1] + h) - f(at[0], at[1] - h)) / (2 * h)
    # Central differences: h^2 / 6 times a third derivative of some ten, and rounding by h.
    np.testing.assert_allclose(found, (by_x, by_y), atol=10 * h**2 + 10 * EPS / h)


def test_lanes_under_jit():
    x = jnp.linspace(-1, 1, 6).reshape(2, 3)
    found = jax.jit(lambda x, c: value("where(x > 0, c * sqrt(x), 0)", x=x, c=c))(x, jnp.arange(3.0))
    np.testing.assert_allclose(found, np.where(x > 0, np.arange(3) * np.sqrt(abs(x)), 0), rtol=2 * EPS)


def test_beyond_its_domain_is_not_a_number():
    for text in ("sqrt(x)", "ln(x)", "x^0.5", "x^p", "asin(x - 1)"):
        assert np.isnan(value(text, x=-1.0, p=0.3)), text


def test_variables_in_order():
    tree = formula.parse("b * where(a > b, `c-d`, 2 * pi) + `pi`")
    assert formula.variables(tree) == ("b", "a", "c-d", "pi")
    assert [formula.in_backquotes(n) for n in ("alpha", "c-d", "pi")] == ["alpha", "`c-d`", "`pi`"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a number, a name or '(' is missing in the formula at its end"),
        ("1 +", "a number, a name or '(' is missing in the formula at its end"),
        ("2 x", "an operator is missing in the formula at character 3, 'x'"),
        ("(1 + x", "')' is missing in the formula at its end"),
        ("a $ b", "cannot read the formula at character 2, '$ b'"),
        ("x.__class__", "cannot read the formula at character 2"),
        ("__import__('os')", "cannot read the formula at character 12"),
        ("open(x)", "there is no function 'open'"),
        ("log(x)", "there is no function 'log'; write ln or log10"),
        ("sim(x)", "did you mean 'sin'"),
        ("atan2(x)", "atan2 has 1 argument; allowed: 2"),
        ("max()", "max has 0 arguments; allowed: 1 or more"),
        ("where(x > 0, 1, 2, 3)", "needs pairs of a condition and a value"),
        ("where(x, 1, 2)", "where needs a condition, not a number. Write for example x > 0"),
        ("1 + (x > 0)", "'+' needs a number, not a condition. Write for example where(condition, 1, 0)"),
        ("x > 0", "the formula as a whole needs a number, not a condition"),
        ("not x", "'not' needs a condition"),
        ("where(0 < x < 1, 1, 2)", "comparisons are chained"),
        ("1e999", "the number 1e999 is too large"),
        ("(" * 500 + "x" + ")" * 500, "more than 120 nested levels"),
        ("x" + " - x" * 500, "has more than 120 nested levels"),
        ("x" * 100_001, "Shorten the formula to 100000"),
    ],
)
def test_refused(text, message):
    with pytest.raises(formula.FormulaError) as error:
        formula.parse(text)
    assert message in str(error.value)


def test_long_sums_are_no_deep_trees():
    assert value("x" + " + x" * 1000, x=1.0) == 1001


def test_a_formula_of_tens_of_thousands_of_terms_is_refused_soon():
    """Its reading took 18 s, and each operation is compiled."""
    with pytest.raises(formula.FormulaError, match=r"more than 5000 operations at .*or use a table"):
        formula.parse("+".join(["x"] * 40_000))
    assert float(value("+".join(["x"] * 5001), x=1.0)) == 5001.0
