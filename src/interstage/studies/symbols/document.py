"""Write symbolic equations as a LaTeX document.

Entries can have thousands of terms. Each entry is a paragraph with an inline formula. TeX can break such a
formula between terms and within parentheses of fixed size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .printed import parameters, places, title_of

if TYPE_CHECKING:
    from .result import Symbols

HEAD = r"""\documentclass[10pt]{article}
\usepackage[margin=20mm]{geometry}
\usepackage{amsmath, longtable}
\newcommand{\entry}[1]{\par\noindent\hangindent=2em\hangafter=1 $#1$}
\raggedright
\begin{document}"""
MEANING = r"""\[ \dot q = H_2 \dot q_2, \qquad M_{22} \ddot q_2 + N_{22} \dot q_2
 = Q_2 + H_2^T \begin{bmatrix} F \\ n \end{bmatrix} \]
$c$ and $s$ are the cosine and the sine of the angle $q$ with the same index. Entries that are not listed are
zero."""
MATRICES = {
    "H2": "$H_2$: derivatives of the velocities $V$ (centres of mass, inertial axes) and $W$ (angular"
    r" velocities, body axes) by the rates $\dot q_2$",
    "M22": r"$M_{22} = H_2^T M H_2$, a symmetric matrix",
    "N22": r"$N_{22} = H_2^T M \dot H_2$",
    "Q2": r"$Q_2 = H_2^T \, [m g;\; -\tilde\omega J \omega]$",
}
HEADS = {"qdot": r"\dot{q}", "sdot": r"\dot{s}"}
TURN = re.compile(r"\\(cos|sin)(\^\{\d+\})?\{\(q_\{\\mathrm\{([^{}]*)\}\} ?\)\}")


def latex(one: Symbols) -> str:
    """Return the equations as a LaTeX document: their meaning, the parameters, and the entries of each
    matrix.
    """
    return "\n".join([HEAD, rf"\section*{{{_plain(title_of(one))}}}", MEANING, *_table(one), *_matrices(one)])


def _table(one: Symbols) -> Iterator[str]:
    """What the symbols mean."""
    yield r"\begin{longtable}{lp{9cm}l}"
    yield from (rf"${symbol_text(r.symbol)}$ & {_plain(r.path)} & {_unit(r.unit)} \\" for r in one.rates)
    yield from (rf"${symbol_text(name)}$ & {_plain(what)} & \\" for name, what in places(one))
    for name, value, unit, what in parameters(one):
        yield rf"${symbol_text(name)}$ & {_plain(what)} & ${_number(value)}$ {_unit(unit)} \\"
    yield r"\end{longtable}"


def _matrices(one: Symbols) -> Iterator[str]:
    """Their entries that are not zero."""
    for name, heading in MATRICES.items():
        entries = [*one.entries(name)]
        if entries:
            yield rf"\subsection*{{{heading}}}"
        for row, column, entry in entries:
            where = ",\\,".join(symbol_text(each) for each in (row, column) if each)
            yield rf"\entry{{{name[0]}_{{{name[1:]}}}[{where}] = {written(entry)}}}"
    yield "\\end{document}\n"


def written(expression: Any) -> str:
    """Return an expression in LaTeX. Parentheses have a fixed size, and cosines and sines are abbreviated to
    c and s.
    """
    from sympy import latex

    names = {symbol: symbol_text(symbol.name) for symbol in expression.free_symbols}
    text = latex(expression, mul_symbol=r"\,", symbol_names=names)
    text = text.replace(r"\left(", "(").replace(r"\right)", ")")
    return TURN.sub(lambda found: rf"{found[1][0]}_{{\mathrm{{{found[3]}}}}}{found[2] or ''}", text)


def symbol_text(name: str) -> str:
    """Return a symbol in LaTeX: its letter with an upright subscript."""
    letter, _, index = name.partition("_")
    letter, digits = (letter[0], f"{letter[1:]}_") if letter[1:].isdigit() else (letter, "")
    index = (digits + index).replace("__", r",\,").replace("_", r"\,")
    return rf"{HEADS.get(letter, letter)}_{{\mathrm{{{index}}}}}"


def _number(value: float) -> str:
    mantissa, _, power = f"{value:.6g}".partition("e")
    return rf"{mantissa} \cdot 10^{{{int(power)}}}" if power else mantissa


def _unit(unit: str) -> str:
    return re.sub(r"\^(-?\d+)", r"$^{\1}$", unit)


def _plain(words: str) -> str:
    """Words as LaTeX takes them."""
    for letter in "&%$#_{}":
        words = words.replace(letter, f"\\{letter}")
    return words.replace("^", r"\^{}").replace("~", r"\~{}")
