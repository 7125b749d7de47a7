"""Convert content MathML 2.0 of DAVE-ML files to formulas of `tree.formula`."""

from __future__ import annotations

import itertools
import math
import re
from typing import NamedTuple

from ..tree.formula import DEEPEST, in_backquotes
from .xml_file import Element, Unfit


class Piece(NamedTuple):
    """MathML expression after its conversion.

    - text: text of the formula.
    - binding: precedence of the outermost operation.
    - truth: whether the formula is a condition.
    """

    text: str
    binding: int
    truth: bool = False


_OR, _AND, _NOT, _COMPARED, _SUM, _PRODUCT, _SIGN, _POWER, _ATOM = 1, 2, 3, 4, 5, 6, 7, 8, 9
_FUNCTIONS = {
    **{name: name for name in ("abs", "exp", "ln", "sin", "cos", "tan", "sinh", "cosh", "tanh")},
    **{f"arc{name}": f"a{name}" for name in ("sin", "cos", "tan")},
    "floor": "floor",
    "ceiling": "ceil",
    "sqrt": "sqrt",
}
"""The functions of one argument: name in MathML, name in a formula."""
_RECIPROCAL = {"sec": "cos", "csc": "sin", "cot": "tan"}
_COMPARISONS = {"lt": "<", "leq": "<=", "gt": ">", "geq": ">=", "eq": "==", "neq": "!="}
_CONSTANTS = {"pi": "pi", "exponentiale": repr(math.e)}
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def number(text: str, line: int, what: str) -> float:
    """Convert a literal number to a float. Raises `Unfit` for another text.

    line: line in the file. what: name of the value, for the message.
    """
    if not _NUMBER.fullmatch(text.strip()) or not math.isfinite(float(text)):
        raise Unfit(line, f"{what} is '{text.strip()[:40]}'. Write a number such as -1.5 or 2e-3")
    return float(text)


def formula_of(calculation: Element, known: frozenset[str]) -> str:
    """Return the formula of a <calculation> element.

    known: names that the formula may use. Raises `Unfit` for unsupported content.
    """
    inner = calculation.one("math")
    if len(calculation.children) != 1 or len(inner.children) != 1:
        raise Unfit(inner.line, "<calculation> needs exactly one <math> element with one expression")
    return _number(_Translator(known).piece(inner.children[0], 0)).text


def _number(piece: Piece) -> Piece:
    """Return the piece as a number. A condition is 1 or 0."""
    return Piece(f"where({piece.text}, 1, 0)", _ATOM) if piece.truth else piece


def _truth(piece: Piece) -> Piece:
    """Return the piece as a condition. A number is true if it is not zero."""
    return piece if piece.truth else Piece(f"{_in(piece, _SUM)} != 0", _COMPARED, True)


def _in(piece: Piece, least: int) -> str:
    """Return the text, in parentheses if its precedence requires them."""
    return piece.text if piece.binding >= least else f"({piece.text})"


class _Translator:
    """Converts elements to pieces of a formula with known names."""

    def __init__(self, known: frozenset[str]):
        self.known = known

    def piece(self, element: Element, depth: int) -> Piece:
        if depth > DEEPEST:
            raise Unfit(
                element.line,
                (
                    f"the calculation has more than {DEEPEST} nested levels. Split the calculation into"
                    " several variables"
                ),
            )
        tag = element.tag
        if tag == "cn":
            return _literal(element)
        if tag == "ci":
            name = element.text.strip()
            if name not in self.known:
                raise Unfit(element.line, f"<ci> refers to '{name}', which is not a variable of this file")
            return Piece(in_backquotes(name), _ATOM)
        if tag in _CONSTANTS:
            return Piece(_CONSTANTS[tag], _ATOM)
        if tag == "piecewise":
            return self._piecewise(element, depth)
        if tag == "apply" and element.children:
            return self._apply(element, depth)
        raise _not_supported(element)

    def _numbers(self, elements: list[Element], depth: int) -> list[Piece]:
        return [_number(self.piece(element, depth + 1)) for element in elements]

    def _piecewise(self, element: Element, depth: int) -> Piece:
        """Return the formula whose value is the first piece with a true condition."""
        parts: list[str] = []
        last = element.children[-1] if element.children else None
        if last is None or last.tag != "otherwise" or len(element.children) < 2:
            raise Unfit(
                element.line, "<piecewise> needs at least one <piece>, and an <otherwise> as last element"
            )
        for child in element.children[:-1]:
            if child.tag != "piece" or len(child.children) != 2:
                raise Unfit(child.line, "each <piece> of <piecewise> needs a value and a condition")
            value, condition = (self.piece(part, depth + 1) for part in child.children)
            parts += [_truth(condition).text, _number(value).text]
        if len(last.children) != 1:
            raise Unfit(last.line, "<otherwise> needs exactly one value")
        parts.append(_number(self.piece(last.children[0], depth + 1)).text)
        return Piece(f"where({', '.join(parts)})", _ATOM)

    def _apply(self, element: Element, depth: int) -> Piece:
        operator, operands = element.children[0], element.children[1:]
        if operator.tag == "piecewise" and not operands:  # NASA files have this form
            return self._piecewise(operator, depth + 1)
        tag = operator.tag
        if tag in ("root", "log"):
            return self._root_or_log(operator, operands, depth)
        if tag in ("and", "or", "not"):
            return self._logic(operator, operands, depth)
        of = self._numbers(operands, depth)
        if tag in _COMPARISONS:
            return _comparison(operator, of)
        if tag in _FUNCTIONS or tag in _RECIPROCAL:
            _count(operator, of, 1, 1)
            if tag in _FUNCTIONS:
                return Piece(f"{_FUNCTIONS[tag]}({of[0].text})", _ATOM)
            return Piece(f"1 / {_RECIPROCAL[tag]}({of[0].text})", _PRODUCT)
        if tag == "csymbol" and _is_atan2(operator):
            _count(operator, of, 2, 2)
            return Piece(f"atan2({of[0].text}, {of[1].text})", _ATOM)
        return _arithmetic(operator, of)

    def _root_or_log(self, operator: Element, operands: list[Element], depth: int) -> Piece:
        """Return a square root, or a logarithm. Default base: 10."""
        qualifier = "degree" if operator.tag == "root" else "logbase"
        marks = [part for part in operands if part.tag == qualifier]
        of = self._numbers([part for part in operands if part.tag != qualifier], depth)
        _count(operator, of, 1, 1)
        if not marks:
            return Piece(f"{'sqrt' if operator.tag == 'root' else 'log10'}({of[0].text})", _ATOM)
        if len(marks) > 1 or len(marks[0].children) != 1:
            raise Unfit(marks[0].line, f"<{qualifier}> needs exactly one value")
        mark = _number(self.piece(marks[0].children[0], depth + 1))
        if operator.tag == "log":
            return Piece(f"ln({of[0].text}) / ln({mark.text})", _PRODUCT)
        if mark.text == "2":
            return Piece(f"sqrt({of[0].text})", _ATOM)
        raise Unfit(marks[0].line, "<root> with a <degree> other than 2 is not supported. Use <power>")

    def _logic(self, operator: Element, operands: list[Element], depth: int) -> Piece:
        of = [_truth(self.piece(operand, depth + 1)) for operand in operands]
        if operator.tag == "not":
            _count(operator, of, 1, 1)
            return Piece(f"not {_in(of[0], _NOT + 1)}", _NOT, True)
        _count(operator, of, 2, None)
        binding = _AND if operator.tag == "and" else _OR
        return Piece(f" {operator.tag} ".join(_in(p, binding + 1) for p in of), binding, True)


def _literal(element: Element) -> Piece:
    if element.attributes.get("type", "real") not in ("real", "integer") or element.children:
        raise Unfit(element.line, "this type of <cn> is not supported. Write a real number such as 2e-3")
    if element.attributes.get("base", "10") != "10":
        raise Unfit(element.line, "<cn> with a base other than 10 is not supported. Use base 10")
    value = number(element.text, element.line, "<cn>")
    text = repr(value).removesuffix(".0")
    return Piece(text, _SIGN if text.startswith("-") else _ATOM)


def _is_atan2(operator: Element) -> bool:
    url = operator.attributes.get("definitionURL", "")
    return url.rpartition("#")[2].strip() == "atan2" or operator.text.strip() == "atan2"


def _not_supported(element: Element) -> Unfit:
    name = f"<{element.tag}>" + (f" '{element.text.strip()[:40]}'" if element.text.strip() else "")
    return Unfit(element.line, f"{name} is not supported in a calculation")


def _count(operator: Element, of: list[Piece], least: int, most: int | None) -> None:
    if len(of) < least or (most is not None and len(of) > most):
        allowed = (
            f"{least}" if most == least else f"{least} or more" if most is None else f"{least} to {most}"
        )
        raise Unfit(operator.line, f"<{operator.tag}> has {len(of)} operands; allowed: {allowed}")


def _comparison(operator: Element, of: list[Piece]) -> Piece:
    """Return a comparison. Of more than two operands, each is compared with the next one."""
    _count(operator, of, 2, 2 if operator.tag == "neq" else None)
    sign = _COMPARISONS[operator.tag]
    texts = [_in(piece, _SUM) for piece in of]
    pairs = [f"{a} {sign} {b}" for a, b in itertools.pairwise(texts)]
    return Piece(" and ".join(pairs), _COMPARED if len(pairs) == 1 else _AND, True)


def _arithmetic(operator: Element, of: list[Piece]) -> Piece:
    tag = operator.tag
    if tag in ("min", "max"):
        _count(operator, of, 1, None)
        return Piece(f"{tag}({', '.join(p.text for p in of)})", _ATOM)
    if tag == "plus":
        _count(operator, of, 1, None)
        return Piece(" + ".join([_in(of[0], _SUM), *(_in(p, _PRODUCT) for p in of[1:])]), _SUM)
    if tag == "times":
        _count(operator, of, 1, None)
        return Piece(" * ".join([_in(of[0], _PRODUCT), *(_in(p, _SIGN) for p in of[1:])]), _PRODUCT)
    if tag == "minus":
        _count(operator, of, 1, 2)
        if len(of) == 1:
            return Piece(f"-{_in(of[0], _POWER)}", _SIGN)
        return Piece(f"{_in(of[0], _SUM)} - {_in(of[1], _PRODUCT)}", _SUM)
    if tag == "divide":
        _count(operator, of, 2, 2)
        return Piece(f"{_in(of[0], _PRODUCT)} / {_in(of[1], _SIGN)}", _PRODUCT)
    if tag == "power":
        _count(operator, of, 2, 2)
        return Piece(f"{_in(of[0], _ATOM)}^{_in(of[1], _SIGN)}", _POWER)
    raise _not_supported(operator)
