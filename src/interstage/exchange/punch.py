"""Read eigenvectors from Nastran punch files.

Lines that begin with $ are headers. The header of a mode is ``$EIGENVALUE = 0.3947842E+03 MODE = 7``, where
the eigenvalue is the square of the angular frequency. Each grid point then has two lines. The first line has
its number, G, and three displacements. The second line has -CONT- and three rotations. Fields have 18
columns; the last eight columns contain the line number. Source: MSC Nastran Quick Reference Guide,
DISPLACEMENT with PUNCH, output in the format of SORT1.

After ``$REAL-IMAGINARY OUTPUT``, each grid point has two more lines -CONT- with the imaginary parts. After
``$MAGNITUDE-PHASE OUTPUT``, these lines have the phases [deg]. The header of a complex mode has both parts of
its eigenvalue, the growth rate and the angular frequency: ``$EIGENVALUE = ( 0.0000000E+00, 0.1986918E+02)
MODE = 7`` (NASTRAN-95, subroutine OFPPUN). A complex mode is accepted if all its imaginary parts are zero.
"""

from __future__ import annotations

import math
import re
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np

from ..tree.errors import Refused
from ..tree.guarded_reader import PUNCH, Unreadable, read_text

HEADER = re.compile(
    r"\$EIGENVALUE\s*=\s*(?:\(\s*([^\s,]+)\s*,\s*([^\s)]+)\s*\)|([^\s(]+))\s+MODE\s*=\s*(\d+)", re.IGNORECASE
)
TITLES = re.compile(r"\$(TITLE|SUBTITLE|LABEL)\b", re.IGNORECASE)
RESPONSE = re.compile(r"\$(FREQUENCY\s*=|.*IDENTIFIED BY FREQUENCY)", re.IGNORECASE)
OUTPUT = re.compile(r"\$(REAL|REAL-IMAGINARY|MAGNITUDE-PHASE) OUTPUT", re.IGNORECASE)
CONTINUED = "-CONT-"
FIELDS = ((18, 36), (36, 54), (54, 72))
PUNCH_REAL_MODES = "Punch real modes (normal modes, SOL 103)"
ZERO = 1e-6
"""Relative magnitude below which imaginary parts and growth rates count as zero.

This limit is relative to the largest component of the mode, or to the angular frequency. The limit equals one
unit of the last of the seven digits in a punch file.
"""


class Vector(NamedTuple):
    """Mode of a punch file.

    - mode: identifier of the mode.
    - eigenvalue: square of the angular frequency [rad^2/s^2].
    - of_grid: three displacements and three rotations of each grid point, by grid identifier.
    """

    mode: int
    eigenvalue: float
    of_grid: dict[int, list[float]]


def read(path: str) -> list[Vector]:
    """Return the modes of a punch file. Raises Refused at "file", with the line."""
    try:
        lines = read_text(path, PUNCH, "latin-1").splitlines()
    except Unreadable as error:
        raise _fault(path, str(error)) from None
    found: list[Vector] = []
    output = "REAL"
    for n, line in enumerate(lines, start=1):
        if match := HEADER.match(line):
            found.append(_new_vector(path, n, match, found))
        elif line.startswith("$"):
            output = _output(path, n, line, output)
        elif found and line[10:18].strip() == "G" and not line.startswith(CONTINUED):
            _add_grid(path, lines, n, output, found[-1])  # scalar points have no position
    if not found:
        raise _fault(
            path,
            "the file has no line $EIGENVALUE = ... MODE = .... Write the eigenvectors of a normal modes"
            " analysis",
        )
    return [_real(path, vector) for vector in found]


def _output(path: str, n: int, line: str, before: str) -> str:
    """Return the form of the output after a header; unchanged if the header does not state it. Raises
    Refused."""
    if TITLES.match(line):
        return before
    if "SORT2" in line.upper():
        raise _fault(path, "the output is sorted by grid points (SORT2). Punch the output as SORT1", n)
    if RESPONSE.match(line):
        shown = " ".join(line[1:72].split())
        text = (
            f"the file has a frequency response ({shown}), not modes. Write the eigenvectors of a normal"
            " modes analysis"
        )
        raise _fault(path, f"{text} (SOL 103)", n)
    match = OUTPUT.match(line)
    return match[1].upper() if match else before


def _new_vector(path: str, line: int, match: re.Match[str], before: list[Vector]) -> Vector:
    growth, angular, eigenvalue, number = match.groups()
    mode = int(number)
    if mode in (vector.mode for vector in before):
        raise _fault(
            path, f"mode {mode} is in the file twice. Punch one subcase with displacements only", line
        )
    if eigenvalue is not None:
        return Vector(mode, _number(path, line, eigenvalue, float), {})
    rate, frequency = (_number(path, line, text, float) for text in (growth, angular))
    if frequency < 0 or abs(rate) > ZERO * frequency:
        text = f"mode {mode} is complex: growth rate {rate:g} 1/s, angular frequency {frequency:g} rad/s"
        raise _fault(path, f"{text}. {PUNCH_REAL_MODES}", line)
    return Vector(mode, frequency**2, {})


def _add_grid(path: str, lines: list[str], n: int, output: str, vector: Vector) -> None:
    """Add the components of the grid point in line n and its continuation lines. Raises Refused."""
    grid = int(_number(path, n, lines[n - 1][:10], int))
    if grid in vector.of_grid:
        raise _fault(
            path,
            f"mode {vector.mode} has two lines for grid point {grid}. Punch one subcase with"
            " displacements only",
            n,
        )
    follow = [*takewhile(lambda line: line.startswith(CONTINUED), lines[n : n + 4])]
    needed = 1 if output == "REAL" else 3
    if len(follow) < needed:
        text = f"grid point {grid} has no line -CONT- with rotations: the file is incomplete"
        if needed == 3:
            text = (
                f"grid point {grid} has {len(follow)} lines -CONT-, but ${output} OUTPUT has 3 for each point"
            )
        raise _fault(path, text, n)
    if len(follow) > needed:
        text = (
            f"grid point {grid} has {len(follow)} lines -CONT-, but ${output} OUTPUT has {needed}"
            " for each point"
        )
        raise _fault(path, text, n)
    ends = enumerate([lines[n - 1], *follow], start=n)
    values = [_number(path, k, one[a:b], float) for k, one in ends for a, b in FIELDS]
    if output == "MAGNITUDE-PHASE":
        turned: Any = np.array(values[:6]) * np.exp(1j * np.radians(values[6:]))
        values = [*turned.real.tolist(), *turned.imag.tolist()]
    vector.of_grid[grid] = values


def _real(path: str, vector: Vector) -> Vector:
    """Return the mode with its real parts. Raises Refused if another part is not zero."""
    if not vector.of_grid:
        raise _fault(
            path, f"mode {vector.mode} has no grid points. Punch the displacements at the grid points"
        )
    largest = max(abs(value) for values in vector.of_grid.values() for value in values)
    for grid, values in vector.of_grid.items():
        most = max(values[6:], key=abs, default=0.0)
        if abs(most) > ZERO * largest:
            text = f"mode {vector.mode} is complex: grid point {grid} has the imaginary part {most:g}"
            raise _fault(path, f"{text}. {PUNCH_REAL_MODES}")
    return vector._replace(of_grid={grid: values[:6] for grid, values in vector.of_grid.items()})


def _number(path: str, line: int, text: str, kind: type) -> float:
    try:
        found = kind(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        what = "the number of a grid point" if kind is int else "a number"
        raise _fault(path, f"'{text.strip()}' is not {what}", line)
    return found


def _fault(path: str, text: str, line: int | None = None) -> Refused:
    at = f", line {line}" if line else ""
    return Refused(("file", f"{path}{at}: {text}"))
