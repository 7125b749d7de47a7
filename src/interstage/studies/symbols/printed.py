"""Reduced equations in symbols: as tables, as text and for LaTeX."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...drawing.table import Table
from .beside import DRAWN

if TYPE_CHECKING:
    from .result import Symbols

MATRICES = {
    "H2": "H2: velocities V of mass centres (inertial axes) and W (angular, own axes) by the rates",
    "M22": "M22 = H2^T M H2, which is symmetric",
    "N22": "N22 = H2^T M H2'",
    "Q2": "Q2 = H2^T (m g, -w x J w)",
}
SHORT = 70
"""Letters of an entry that a table shows."""
TERMS = 4
"""Terms in a line of LaTeX."""
MEANING = "q' = H2 q2',  M22 q2'' + N22 q2' = Q2 + H2^T [F; n]"


def deliver(one: Symbols, output: Path | None) -> None:
    """What the command `interstage symbols` does with them: save first, then tables."""
    from ...report.console import made, show_with_notes

    if output is not None:
        one.save(output)
    show_with_notes(made(), tables(one))
    print(
        f"{MEANING}. In {DRAWN} states that were drawn numbers differ by {one.difference:.1g} of the largest."
    )
    print(f"Wrote {output}." if output else "Not saved; -o equations.tex or equations.txt writes all of it.")


def tables(one: Symbols) -> list[Table]:
    """What symbols mean, and the entries that are not zero."""
    rates = [[rate.symbol, rate.path, rate.unit] for rate in one.rates]
    found = [Table("Rates q2'", ["symbol", "what", "unit"], rates, [False] * 3, key="rates")]
    found.append(
        Table(
            "Coordinates",
            ["symbol", "what"],
            [[*own] for own in _places(one)],
            [False] * 2,
            key="coordinates",
        )
    )
    rows = [[name, f"{value:.6g}", unit, what] for name, value, unit, what in _parameters(one)]
    columns = ["symbol", "value", "unit", "what"]
    found.append(Table("Parameters", columns, rows, [False, True, False, False], key="parameters"))
    for name, title in MATRICES.items():
        entries = [[row, column, _shown(entry)] for row, column, entry in one.entries(name)]
        found.append(Table(title, ["row", "column", "expression"], entries, [False] * 3, key=name))
    return [table for table in found if table.rows]


def _places(one: Symbols) -> list[tuple[str, str]]:
    names = one.equations.machine.names
    turns = {name: "a unit quaternion, scalar first" for four in names.quaternions for name in four}
    return [
        (name, f"{path}, {turns[name]}" if name in turns else path)
        for name, path in one.equations.machine.places.items()
    ]


def _parameters(one: Symbols) -> list[tuple[str, float, str, str]]:
    names = one.equations.machine.names
    found = [(name, *rest) for name, rest in names.values.items()]
    return found + [(name, value, "rad", what) for name, (value, what) in names.held.items()]


def _shown(entry: Any) -> str:
    text = str(entry)
    return text if len(text) <= SHORT else f"{len(entry.args)} terms"


def text(one: Symbols) -> str:
    """Everything, each entry as SymPy reads it back."""
    lines = [_title(one), "", MEANING, "", "Rates q2':"]
    lines += [f"  {rate.symbol}: {rate.path} [{rate.unit}]" for rate in one.rates]
    lines += ["Coordinates:", *(f"  {name}: {what}" for name, what in _places(one))]
    lines += ["Parameters:"]
    lines += [f"  {name} = {value:.17g} {unit}: {what}" for name, value, unit, what in _parameters(one)]
    for name, title in MATRICES.items():
        lines += ["", title]
        for row, column, entry in one.entries(name):
            lines.append(f"  {name}[{', '.join(filter(None, (row, column)))}] = {entry}")
    return "\n".join([*lines, ""])


def _title(one: Symbols) -> str:
    return one.scenario.title or "Reduced equations"


def latex(one: Symbols) -> str:
    """A document: meaning, parameters, and the entries of each matrix."""
    lines = [
        r"\documentclass{article}",
        r"\usepackage{amsmath, longtable}",
        r"\allowdisplaybreaks",
        r"\begin{document}",
        rf"\section*{{{_plain(_title(one))}}}",
        r"\[ \dot q = H_2 \dot q_2, \qquad M_{22} \ddot q_2 + N_{22} \dot q_2"
        r" = Q_2 + H_2^T \begin{bmatrix} F \\ n \end{bmatrix} \]",
        r"\begin{longtable}{lp{8cm}l}",
    ]
    from sympy import latex as of

    own = one.symbols
    lines += [
        rf"${of(own[rate.symbol])}$ & {_plain(rate.path)} & {_plain(rate.unit)} \\" for rate in one.rates
    ]
    lines += [rf"${of(own[name])}$ & {_plain(what)} & \\" for name, what in _places(one)]
    for name, value, unit, what in _parameters(one):
        lines.append(rf"${of(own[name])}$ & {_plain(what)} & {value:.6g} {_plain(unit)} \\")
    lines.append(r"\end{longtable}")
    for name, title in MATRICES.items():
        entries = [*one.entries(name)]
        if entries:
            lines += [rf"\subsection*{{{_plain(title)}}}", r"\begin{align*}"]
            lines.append(" \\\\\n".join(_entry(name, *entry) for entry in entries))
            lines.append(r"\end{align*}")
    return "\n".join([*lines, r"\end{document}", ""])


def _entry(name: str, row: str, column: str, entry: Any) -> str:
    """One entry, some terms in a line."""
    from sympy import Add, Symbol, latex

    terms = [latex(term) for term in Add.make_args(entry)]
    where = ",".join(latex(Symbol(one)) for one in (row, column) if one)
    parts = [terms[k : k + TERMS] for k in range(0, len(terms), TERMS)]
    written = [" + ".join(part).replace("+ -", "- ") for part in parts]
    whole = r" \\ &\quad + ".join(written).replace("+ -", "- ")
    return rf"{name[0]}_{{{name[1:]}}}[{where}] &= {whole}"


def _plain(words: str) -> str:
    """Words as LaTeX takes them."""
    for letter in "&%$#_{}":
        words = words.replace(letter, f"\\{letter}")
    return words.replace("^", r"\^{}").replace("~", r"\~{}")
