"""Eigenvectors in Nastran punch files.

Lines that begin with $ are headers: of each mode ``$EIGENVALUE =  0.3947842E+03  MODE =     7``, the
eigenvalue being the square of the angular frequency. Then each grid point has two lines: its number, G, and
three displacements, and -CONT- with three turns; fields of 18 columns, the last eight columns number the
lines (MSC Nastran Quick Reference Guide, DISPLACEMENT with PUNCH, real output in the format of SORT1)."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import NamedTuple

from ...tree.errors import Refused, no_file

HEADER = re.compile(r"\$EIGENVALUE\s*=\s*(\S+)\s+MODE\s*=\s*(\d+)", re.IGNORECASE)
FIELDS = ((18, 36), (36, 54), (54, 72))


class Vector(NamedTuple):
    """One mode: its number, eigenvalue [rad^2/s^2], and displacements and turns of each grid point."""

    mode: int
    eigenvalue: float
    of_grid: dict[int, list[float]]


def read(path: str) -> list[Vector]:
    """The modes of a punch file. Raises Refused at "file", with the line."""
    try:
        text = Path(path).read_text(encoding="latin-1")
    except FileNotFoundError:
        raise _refused(path, no_file(path)) from None
    except (OSError, ValueError) as error:
        raise _refused(path, f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    found: list[Vector] = []
    lines = text.splitlines()
    for n, line in enumerate(lines, start=1):
        if match := HEADER.match(line):
            found.append(_begun(path, n, match, found))
        elif line.startswith("$"):
            if "COMPLEX" in line.upper() and "OUTPUT" in line.upper():
                raise _refused(path, "holds complex output; punch real modes (normal modes, SOL 103)", n)
            if "SORT2" in line.upper():
                raise _refused(path, "is sorted by grid points (SORT2); punch it as SORT1", n)
        elif found and line[:6] != "-CONT-" and line.strip():
            if line[10:18].strip() != "G":
                continue  # scalar points have no place
            follows = lines[n] if n < len(lines) else ""
            if follows[:6] != "-CONT-":
                raise _refused(path, "has no line -CONT- with turns behind it; the file is cut off", n)
            grid = int(_number(path, n, line[:10], int))
            if grid in found[-1].of_grid:
                raise _refused(path, f"mode {found[-1].mode} has grid point {grid} twice", n)
            ends = ((n, line), (n + 1, follows))
            found[-1].of_grid[grid] = [
                _number(path, k, one[a:b], float) for k, one in ends for a, b in FIELDS
            ]
    if not found:
        raise _refused(
            path, "has no line $EIGENVALUE = ... MODE = ...; punch the eigenvectors of normal modes"
        )
    for vector in found:
        if not vector.of_grid:
            raise _refused(path, f"mode {vector.mode} has no grid points")
    return found


def _begun(path: str, line: int, match: re.Match[str], before: list[Vector]) -> Vector:
    mode = int(match[2])
    if mode in (vector.mode for vector in before):
        raise _refused(path, f"mode {mode} comes twice; punch one subcase, of displacements alone", line)
    return Vector(mode, _number(path, line, match[1], float), {})


def _number(path: str, line: int, text: str, kind: type) -> float:
    try:
        found = kind(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        what = "a grid point's number" if kind is int else "a number"
        raise _refused(path, f"'{text.strip()}' is not {what}", line)
    return found


def _refused(path: str, text: str, line: int | None = None) -> Refused:
    at = f", line {line}" if line else ""
    return Refused(("file", f"{path}{at}: {text}"))
