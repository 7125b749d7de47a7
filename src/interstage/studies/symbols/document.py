"""Reduced equations in symbols as a document for LaTeX.

Entries may have thousands of terms. So each is a paragraph with a formula in its text, which TeX breaks
between terms and within parentheses alike, as long as these do not grow with what is in them."""

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
$c$ and $s$ are the cosine and the sine of the angle $q$ with the same index. Entries that are not here are
zero."""
MATRICES = {
    "H2": "$H_2$: velocities $V$ of mass centres (inertial axes) and $W$ (angular, own axes) by the rates",
    "M22": r"$M_{22} = H_2^T M H_2$, which is symmetric",
    "N22": r"$N_{22} = H_2^T M \dot H_2$",
    "Q2": r"$Q_2 = H_2^T \, [m g;\; -\tilde\omega J \omega]$",
}
INDEX = re.compile(r"_\{([^{}]*)\}")
TURN = re.compile(r"\\(cos|sin)(\^\{\d+\})?\{\(q_\{\\mathrm\{([^{}]*)\}\} ?\)\}")


def latex(one: Symbols) -> str:
    """Meaning, parameters, and the entries of each matrix."""
    return "\n".join([HEAD, rf"\section*{{{_plain(title_of(one))}}}", MEANING, *_table(one), *_matrices(one)])


def _table(one: Symbols) -> Iterator[str]:
    """What the symbols mean."""
    own = one.symbols
    yield r"\begin{longtable}{lp{9cm}l}"
    yield from (rf"${written(own[r.symbol])}$ & {_plain(r.path)} & {_unit(r.unit)} \\" for r in one.rates)
    yield from (rf"${written(own[name])}$ & {_plain(what)} & \\" for name, what in places(one))
    for name, value, unit, what in parameters(one):
        yield rf"${written(own[name])}$ & {_plain(what)} & ${value:.6g}$ {_unit(unit)} \\"
    yield r"\end{longtable}"


def _matrices(one: Symbols) -> Iterator[str]:
    """Their entries that are not zero."""
    from sympy import Symbol

    for name, heading in MATRICES.items():
        entries = [*one.entries(name)]
        if entries:
            yield rf"\subsection*{{{heading}}}"
        for row, column, entry in entries:
            where = ",\\,".join(written(Symbol(each)) for each in (row, column) if each)
            yield rf"\entry{{{name[0]}_{{{name[1:]}}}[{where}] = {written(entry)}}}"
    yield "\\end{document}\n"


def written(expression: Any) -> str:
    """An expression: upright indices with their spaces, parentheses of one size, short cosines and sines."""
    from sympy import latex

    text = latex(expression, mul_symbol=r"\,").replace(r"\left(", "(").replace(r"\right)", ")")
    text = INDEX.sub(lambda found: rf"_{{\mathrm{{{found[1].replace(' ', chr(92) + ',')}}}}}", text)
    return TURN.sub(lambda found: rf"{found[1][0]}_{{\mathrm{{{found[3]}}}}}{found[2] or ''}", text)


def _unit(unit: str) -> str:
    return re.sub(r"\^(-?\d+)", r"$^{\1}$", unit)


def _plain(words: str) -> str:
    """Words as LaTeX takes them."""
    for letter in "&%$#_{}":
        words = words.replace(letter, f"\\{letter}")
    return words.replace("^", r"\^{}").replace("~", r"\~{}")
