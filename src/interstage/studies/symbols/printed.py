"""Create tables and a text file of symbolic equations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...drawing.table import Table
from ...tree.sentences import count_text
from ..presentation.terminal import Printout, print_file_names
from .numbers import DRAWN

if TYPE_CHECKING:
    from .result import Symbols

MATRICES = {
    "H2": "H2: derivatives of the velocities V (centres of mass, inertial axes) and W (angular velocities,"
    " body axes) with respect to the rates q2'",
    "M22": "M22 = H2^T M H2, a symmetric matrix",
    "N22": "N22 = H2^T M H2'",
    "Q2": "Q2 = H2^T (m g, -w x J w)",
}
SHORT = 500
"""Largest number of characters of an entry in a table. A long entry has several lines."""
UNSAVED = "The equations were not saved. To save all equations, add -o equations.tex or -o equations.txt."
MEANING = "q' = H2 q2',  M22 q2'' + N22 q2' = Q2 + H2^T [F; n]"


def deliver(one: Symbols, found: list[Table], output: Path | None) -> None:
    """Print the tables of symbolic equations and the result of the comparison with the numerical equations.

    found: the tables. output: path of the file to which the equations were saved, or None.
    """
    compared = (
        f"The symbolic and numerical equations were compared at {DRAWN} random states. The relative"
        f" difference is at most {one.difference:.1g} in each entry of H2, M22, N22 and Q2, and in the"
        " equations of motion."
    )
    Printout(found, lines=[f"The equations of motion are {MEANING}.", compared]).show()
    print_file_names([output], UNSAVED)


def tables(one: Symbols) -> list[Table]:
    """Return tables of the rates, the coordinates, the parameters and the nonzero matrix entries."""
    rates = [[rate.symbol, rate.path, rate.unit] for rate in one.rates]
    title = "Rates q2' (independent velocities)"
    found = [Table(title, ["symbol", "meaning", "unit"], rates, [False] * 3, key="rates")]
    found.append(
        Table(
            "Coordinates",
            ["symbol", "meaning"],
            [[*own] for own in places(one)],
            [False] * 2,
            key="coordinates",
        )
    )
    rows = [[name, f"{value:.6g}", unit, what] for name, value, unit, what in parameters(one)]
    columns = ["symbol", "value", "unit", "meaning"]
    found.append(Table("Parameters", columns, rows, [False, True, False, False], key="parameters"))
    for name, title in MATRICES.items():
        entries = [[row, column, _entry_text(entry)] for row, column, entry in one.entries(name)]
        found.append(Table(title, ["row", "column", "expression"], entries, [False] * 3, key=name))
    return [table for table in found if table.rows]


def places(one: Symbols) -> list[tuple[str, str]]:
    """Return pairs (symbol, meaning) of the coordinates."""
    names = one.equations.machine.names
    turns = {name: "a unit quaternion, scalar first" for four in names.quaternions for name in four}
    found = [
        (name, f"{path}, {turns[name]}" if name in turns else path)
        for name, path in one.equations.machine.places.items()
    ]
    for own in one.flying:
        what = f"direction cosine of the y axis of {own.body} along the inertial x axis"
        what += "; xx to zz are the other direction cosines"
        found.append((f"{own.cosines}_xy", what))
    return found


def parameters(one: Symbols) -> list[tuple[str, float, str, str]]:
    """Return (symbol, value, unit, meaning) of each parameter in the symbolic equations."""
    names = one.equations.machine.names
    found = [(name, *rest) for name, rest in names.values.items()]
    return found + [(name, value, "rad", what) for name, (value, what) in names.held.items()]


def _entry_text(entry: Any) -> str:
    text = str(entry)
    return (
        text
        if len(text) <= SHORT
        else f"({count_text(len(entry.args), 'terms')}; save all terms with -o equations.txt)"
    )


def text(one: Symbols) -> str:
    """Return all equations as text. SymPy can parse each entry."""
    lines = [title_of(one), "", MEANING, "", "Rates q2':"]
    lines += [f"  {rate.symbol}: {rate.path} [{rate.unit}]" for rate in one.rates]
    lines += ["Coordinates:", *(f"  {name}: {what}" for name, what in places(one))]
    lines += ["Parameters:"]
    lines += [
        f"  {name} = {float(value)!r} {unit}".rstrip() + f": {what}"
        for name, value, unit, what in parameters(one)
    ]
    for name, title in MATRICES.items():
        lines += ["", title]
        for row, column, entry in one.entries(name):
            lines.append(f"  {name}[{', '.join(filter(None, (row, column)))}] = {entry}")
    return "\n".join([*lines, ""])


def title_of(one: Symbols) -> str:
    """Return the title of the scenario. Without a title, return "Reduced equations"."""
    return one.scenario.title or "Reduced equations"
