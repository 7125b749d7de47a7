"""Formulas as texts. `parse` converts a formula to a tree of operations and functions. `evaluate` computes
the value of the tree with jax.numpy.

    where(staged > 0, mass_2 * sqrt(x^2 + y^2), 0)

Names with characters other than letters, digits and _ are written in backquotes: `delta-e`. Conditions (a <
b, and, or, not) are allowed only as conditions of `where`; all other values are numbers. Angles are in
radians.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from ..maths.arrays import jnp, lax
from .sentences import count_text
from .similar_names import near

MOST_CHARACTERS = 100_000
"""Maximum number of characters of a formula."""
MOST_OPERATIONS = 5000
"""Maximum number of operations and functions in a formula. Each one becomes a compiled equation."""
DEEPEST = 120
"""Maximum nesting depth of a formula. Each level needs several nested Python calls."""
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
TRUTHS = (*COMPARISONS, "and", "or", "not")
"""Operations whose result is true or false."""
RESERVED = ("and", "or", "not", "pi")
"""Reserved words. A variable with such a name must be written in backquotes."""
ARGUMENTS: dict[str, tuple[int, int | None]] = {
    **dict.fromkeys(("abs", "sqrt", "exp", "ln", "log10", "floor", "ceil"), (1, 1)),
    **dict.fromkeys(("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"), (1, 1)),
    **dict.fromkeys(("min", "max"), (1, None)),
    "atan2": (2, 2),
    "where": (3, None),
}
"""Minimum and maximum number of arguments of each function. None: no maximum."""


class FormulaError(ValueError):
    """Error for a text that is not a valid formula. The message contains the position and the reason."""


class Number(NamedTuple):
    """Number in the tree of a formula."""

    value: float


class Variable(NamedTuple):
    """Variable in the tree of a formula. `evaluate` replaces the variable by the value with its name."""

    name: str


class Call(NamedTuple):
    """Operation or function in the tree of a formula, with its operands."""

    name: str
    of: tuple[Any, ...]


Tree = Number | Variable | Call


@lru_cache(maxsize=4096)
def parse(text: str) -> Tree:
    """Return the tree of a formula. Raises `FormulaError` for an invalid formula."""
    if len(text) > MOST_CHARACTERS:
        raise FormulaError(
            f"the formula has {len(text)} characters. Shorten the formula to {MOST_CHARACTERS} "
            "characters or fewer"
        )
    return _Reader(text).whole()


def variables(tree: Tree) -> tuple[str, ...]:
    """Return the names of the variables in a formula, without duplicates, in the order of the text."""
    return tuple(dict.fromkeys(_names(tree)))


def _names(tree: Tree) -> Iterator[str]:
    if isinstance(tree, Variable):
        yield tree.name
    elif isinstance(tree, Call):
        for part in tree.of:
            yield from _names(part)


def _depth(tree: Tree) -> int:
    depth, level = 0, [tree]
    while level:
        depth, level = depth + 1, [part for t in level if isinstance(t, Call) for part in t.of]
    return depth


def in_backquotes(name: str) -> str:
    """Return the name of a variable as a formula must contain it: in backquotes if necessary."""
    plain = re.fullmatch(r"[^\W\d]\w*", name) and name not in RESERVED
    return name if plain else f"`{name}`"


# --- reading ------------------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[^\W\d]\w*)|`(?P<quoted>[^`]+)`"
    r"|(?P<mark>\*\*|<=|>=|==|!=|[-+*/^<>(),]))"
)
_BINDING = {"or": 1, "and": 2, **dict.fromkeys(COMPARISONS, 4), "+": 5, "-": 5, "*": 6, "/": 6, "^": 8}
_NOT, _SIGN = 3, 7
_ONE_OF_MANY = ("+", "*", "and", "or")
"""Operations that take any number of operands. Long sums are then not deep trees."""


class _Reader:
    """Reads tokens from left to right according to the precedence of operators (Pratt, "Top down operator
    precedence", 1973)."""

    def __init__(self, text: str):
        self.text, self.at, self.depth, self.operations = text, 0, 0, 0
        self.tokens: list[tuple[str, str, int]] = []
        end = len(text.rstrip())
        position = 0
        while position < end:
            match = _TOKEN.match(text, position)
            if match is None:
                raise FormulaError(f"cannot read the formula at {self._near(position)}")
            kind = str(match.lastgroup)
            word = match[kind].replace("**", "^")
            self.tokens.append((kind, word, match.start(kind)))
            position = match.end()

    def _near(self, position: int) -> str:
        rest = self.text[position:].strip()
        return f"character {position + 1}, '{rest[:20]}'" if rest else "its end"

    def _here(self) -> str:
        return self._near(self.tokens[self.at][2] if self.at < len(self.tokens) else len(self.text))

    def _next(self) -> tuple[str, str]:
        return self.tokens[self.at][:2] if self.at < len(self.tokens) else ("end", "")

    def _is(self, mark: str) -> bool:
        return self._next() == ("mark", mark)

    def _take(self, mark: str) -> None:
        if not self._is(mark):
            raise FormulaError(f"'{mark}' is missing in the formula at {self._here()}")
        self.at += 1

    def whole(self) -> Tree:
        tree = self._number(self._expression(0), "the formula as a whole")
        if self.at < len(self.tokens):
            raise FormulaError(f"an operator is missing in the formula at {self._here()}")
        if _depth(tree) > DEEPEST:
            raise FormulaError(f"the formula has more than {DEEPEST} nested levels. Split the formula")
        return tree

    def _expression(self, binding: int) -> Tree:
        self.depth += 1
        if self.depth > DEEPEST:
            raise FormulaError(
                f"the formula has more than {DEEPEST} nested levels at {self._here()}. Split the formula"
            )
        left, made = self._first(), False
        while True:
            kind, word = self._next()
            strength = _BINDING.get(word, 0) if kind in ("mark", "name") else 0
            if strength <= binding:
                break
            self.at += 1
            # A power is right-associative, all other operators are left-associative.
            right = self._expression(strength - 1 if word == "^" else strength)
            left, made = self._operation(word, left, right, made), True
        self.depth -= 1
        return left

    def _count(self) -> None:
        self.operations += 1
        if self.operations > MOST_OPERATIONS:
            text = f"the formula has more than {MOST_OPERATIONS} operations at {self._here()}"
            raise FormulaError(f"{text}. Split the formula, or use a table")

    def _operation(self, word: str, left: Tree, right: Tree, own: bool) -> Call:
        self._count()
        if word in ("and", "or"):
            parts = (self._truth(left, f"'{word}'"), self._truth(right, f"'{word}'"))
        else:
            if word in COMPARISONS and any(
                isinstance(p, Call) and p.name in COMPARISONS for p in (left, right)
            ):
                raise FormulaError(
                    f"comparisons are chained before {self._here()}. Join comparisons with 'and'"
                )
            parts = (self._number(left, f"'{word}'"), self._number(right, f"'{word}'"))
        if own and word in _ONE_OF_MANY and isinstance(left, Call) and left.name == word:
            return Call(word, (*left.of, right))
        return Call(word, parts)

    def _first(self) -> Tree:
        """The first operand of an expression: a number, a name, a call, a sign, a `not` or a parenthesis."""
        here = self._here()
        kind, word = self._next()
        self.at += 1
        if kind == "number":
            if not math.isfinite(float(word)):
                raise FormulaError(f"the number {word} is too large")
            return Number(float(word))
        if kind == "quoted":
            return Variable(word)
        if word == "not":
            return Call("not", (self._truth(self._expression(_NOT), "'not'"),))
        if kind == "name" and word not in ("and", "or"):
            if self._is("("):
                return self._call(word)
            return Number(math.pi) if word == "pi" else Variable(word)
        if word == "(":
            inner = self._expression(0)
            self._take(")")
            return inner
        if word in ("+", "-"):
            inner = self._number(self._expression(_SIGN), f"the sign '{word}'")
            if word == "+":
                return inner
            return Number(-inner.value) if isinstance(inner, Number) else Call("neg", (inner,))
        raise FormulaError(f"a number, a name or '(' is missing in the formula at {here}")

    def _call(self, name: str) -> Tree:
        if name not in ARGUMENTS:
            which = "write ln or log10" if name == "log" else near(name, ARGUMENTS, "functions")
            raise FormulaError(f"there is no function '{name}'; {which}")
        self._count()
        self._take("(")
        found = [self._expression(0)] if not self._is(")") else []
        while self._is(","):
            self.at += 1
            found.append(self._expression(0))
        self._take(")")
        least, most = ARGUMENTS[name]
        if len(found) < least or (most is not None and len(found) > most):
            allowed = f"{least}" if most == least else f"{least} or more"
            raise FormulaError(f"{name} has {count_text(len(found), 'arguments')}; allowed: {allowed}")
        if name == "where" and len(found) % 2 == 0:
            raise FormulaError(
                "the function 'where' needs pairs of a condition and a value, and then a last value for"
                " all other conditions. Add or remove one argument"
            )
        for i, part in enumerate(found):
            condition = name == "where" and i % 2 == 0 and i < len(found) - 1
            (self._truth if condition else self._number)(part, name)
        return Call(name, tuple(found))

    @staticmethod
    def _truth(tree: Tree, where: str) -> Tree:
        if not (isinstance(tree, Call) and tree.name in TRUTHS):
            raise FormulaError(f"{where} needs a condition, not a number. Write for example x > 0")
        return tree

    @staticmethod
    def _number(tree: Tree, where: str) -> Tree:
        if isinstance(tree, Call) and tree.name in TRUTHS:
            raise FormulaError(
                f"{where} needs a number, not a condition. Write for example where(condition, 1, 0)"
            )
        return tree


# --- evaluating ---------------------------------------------------------------------------------------------


def evaluate(tree: Tree, values: Mapping[str, Any]) -> Any:
    """Return the value of a formula for values of its variables by name. The shapes of the values broadcast.

    - Derivatives are finite wherever the value is differentiable, for any terms in inactive branches of
      `where`.
    - Where the slope is undefined, it is set to zero: for abs at zero, and for atan2 at the origin.
    - Where the slope is infinite at an end of a domain, it is set to zero: for sqrt and powers between 0 and
      1 at zero, and for asin and acos at -1 and 1.
    - For equal arguments, min and max have the slope of the first argument.
    - Outside of its domain, the value of a function is NaN.
    """
    return _value(tree, values, None)


def _value(tree: Tree, values: Mapping[str, Any], active: Any) -> Any:
    """Return the value of a tree. active: the condition under which the value is used; None if it is always
    used."""
    if isinstance(tree, Number):
        return tree.value
    if isinstance(tree, Variable):
        return values[tree.name]
    if tree.name == "where":
        return _chosen(tree.of, values, active)
    found = [_value(part, values, active) for part in tree.of]
    if active is not None and tree.name in _HARMLESS:
        place, harmless = _HARMLESS[tree.name]
        found[place] = jnp.where(active, found[place], harmless)
    if tree.name == "^":
        exponent = tree.of[1]
        return _power(found[0], exponent.value if isinstance(exponent, Number) else found[1])
    return _functions()[tree.name](*found)


_HARMLESS = {
    **dict.fromkeys(("sqrt", "ln", "log10", "^"), (0, 1.0)),
    **dict.fromkeys(("asin", "acos", "tan", "exp", "sinh", "cosh"), (0, 0.0)),
    "/": (1, 1.0),
}
"""Operations whose value or slope can be infinite, with a substitute for the argument in inactive pieces.
Without the substitute, derivatives would contain zero times infinity, which is NaN."""


def _chosen(parts: tuple[Tree, ...], values: Mapping[str, Any], active: Any) -> Any:
    left, pieces = active, []
    for condition, piece in zip(parts[:-1:2], parts[1::2], strict=True):
        holds = _value(condition, values, left)
        both = holds if left is None else jnp.logical_and(left, holds)
        pieces.append((holds, _value(piece, values, both)))
        others = jnp.logical_not(holds)
        left = others if left is None else jnp.logical_and(left, others)
    result = _value(parts[-1], values, left)
    for holds, piece in reversed(pieces):
        result = jnp.where(holds, piece, result)
    return result


@lru_cache(maxsize=1)
def _functions() -> dict[str, Callable[..., Any]]:
    import functools

    plain = ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "floor", "ceil", "log10")
    many = {"+": jnp.add, "*": jnp.multiply, "and": jnp.logical_and, "or": jnp.logical_or}
    many |= {"min": _smaller, "max": _larger}
    return {
        **{name: getattr(jnp, name) for name in plain},
        **{name: functools.partial(_fold, pair) for name, pair in many.items()},
        "-": jnp.subtract,
        "/": jnp.true_divide,
        "neg": jnp.negative,
        "not": jnp.logical_not,
        "<": jnp.less,
        "<=": jnp.less_equal,
        ">": jnp.greater,
        ">=": jnp.greater_equal,
        "==": jnp.equal,
        "!=": jnp.not_equal,
        "ln": jnp.log,
        "abs": lambda x: _within(jnp.abs, x, x == 0, 1.0, 0.0),
        "sqrt": lambda x: _within(jnp.sqrt, x, x == 0, 1.0, 0.0),
        "asin": lambda x: _within(jnp.arcsin, x, abs(x) == 1, 0.0, jnp.sign(x) * (math.pi / 2)),
        "acos": lambda x: _within(jnp.arccos, x, abs(x) == 1, 0.0, jnp.where(x > 0, 0.0, math.pi)),
        "atan": jnp.arctan,
        "atan2": _atan2,
    }


def _fold(pair: Callable[..., Any], first: Any, *others: Any) -> Any:
    for other in others:
        first = pair(first, other)
    return first


def _within(function: Callable[..., Any], x: Any, at_end: Any, inside: float, value: Any) -> Any:
    """Return the function, with a constant in place of it at the end of its domain, where its slope is
    infinite."""
    return jnp.where(at_end, value, function(jnp.where(at_end, inside, x)))


def _atan2(y: Any, x: Any) -> Any:
    nowhere = jnp.logical_and(jnp.equal(x, 0), jnp.equal(y, 0))
    return jnp.where(nowhere, 0.0, jnp.arctan2(y, jnp.where(nowhere, 1.0, x)))


def _smaller(a: Any, b: Any) -> Any:
    """Return the smaller argument, or NaN if one argument is NaN. jnp.minimum would have half slopes for
    equal arguments."""
    return jnp.where(a <= b, a, jnp.where(b < a, b, jnp.nan))


def _larger(a: Any, b: Any) -> Any:
    return jnp.where(a >= b, a, jnp.where(b > a, b, jnp.nan))


MOST_MULTIPLIED = 64
"""Maximum integer exponent of a power that is computed by multiplications.

Multiplications allow negative bases, and their slopes at zero are defined.
"""


def _power(base: Any, exponent: Any) -> Any:
    """Return base^exponent. Literal integer exponents are computed as products. For other exponents the base
    must not be negative, and the slope at zero is zero."""
    if isinstance(exponent, float):
        if exponent.is_integer() and abs(exponent) <= MOST_MULTIPLIED:
            return lax.integer_pow(jnp.asarray(base, float), int(exponent))
        if exponent == 0.5:
            return _functions()["sqrt"](base)
    at_zero = jnp.where(exponent > 0, 0.0, jnp.where(exponent == 0, 1.0, jnp.inf))
    return _within(lambda x: jnp.power(x, exponent), base, base == 0, 1.0, at_zero)
