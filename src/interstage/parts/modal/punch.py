"""Eigenvectors in Nastran punch files.

Lines that begin with $ are headers: of each mode ``$EIGENVALUE =  0.3947842E+03  MODE =     7``, the
eigenvalue being the square of the angular frequency. Then each grid point has two lines: its number, G, and
three displacements, and -CONT- with three turns; fields of 18 columns, the last eight columns number the
lines (MSC Nastran Quick Reference Guide, DISPLACEMENT with PUNCH, real output in the format of SORT1)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...tree.declaration import ByName
from ...tree.errors import Refused
from ...tree.guarded_reader import PUNCH, Unreadable, read_text
from .file_modes import Modes, in_si, some

HEADER = re.compile(r"\$EIGENVALUE\s*=\s*(\S+)\s+MODE\s*=\s*(\d+)", re.IGNORECASE)
COMPLEX = re.compile(r"\$(.*COMPLEX|REAL-IMAGINARY OUTPUT|MAGNITUDE-PHASE OUTPUT)", re.IGNORECASE)
"""Headers of complex modes and of frequency responses."""
FIELDS = ((18, 36), (36, 54), (54, 72))


class Vector(NamedTuple):
    """One mode: its number, eigenvalue [rad^2/s^2], and displacements and turns of each grid point."""

    mode: int
    eigenvalue: float
    of_grid: dict[int, list[float]]


def modes(path: str, data: dict[str, Any]) -> dict[Any, Modes]:
    """The modes of a punch file at the points of `data`, the table of a `declared.ModalBody`, as
    `table.read` has them. Raises Refused."""
    vectors = read(path)
    _ask_for_units(path, data)
    length = float(in_si("file_length", data["file_length"], "m", positive=True))
    points = ByName().listed(data.get("points"))
    if not isinstance(points, list) or not points:
        text = "a punch file says not where its grid points are; give points, like { top = { grid = 101, at ="
        raise Refused(("points", f'{text} "[0, 0, 3] m" }} }}'))
    if wrong := [*_wrong_points(path, points, vectors)]:
        raise Refused(*wrong)
    filled = []
    for point in points:
        both: Any = np.array([vector.of_grid[point["grid"]] for vector in vectors])
        own = {"shape": both[:, :3].tolist(), "turn": (both[:, 3:] / length).tolist()}
        filled.append({**{key: value for key, value in point.items() if key != "grid"}, **own})
    frequency = np.array([math.sqrt(max(vector.eigenvalue, 0.0)) for vector in vectors])
    return {None: Modes([vector.mode for vector in vectors], frequency, None, None, filled)}


def _ask_for_units(path: str, data: dict[str, Any]) -> None:
    """Refuse a punch file without what nothing in it tells."""
    of_model = {
        "file_length": 'says not in which unit of length its model is; give file_length = "1 m" or "1 mm"',
        "mass": "has no generalized masses; give mass, of shapes normalized to it the model's unit of mass:"
        ' "1 kg" of a model in m, kg, s, "1 t" of one in mm, t, s',
    }
    missing = [(field, f"{path} {text}") for field, text in of_model.items() if data.get(field) is None]
    if missing:
        raise Refused(*missing)


def _wrong_points(path: str, points: list[Any], vectors: Sequence[Vector]) -> Iterator[tuple[str, str]]:
    """(field, what is wrong) of points that name no grid points of a punch file, or not them alone."""
    known: set[int] = set()
    for k, point in enumerate(points):
        if not isinstance(point, dict) or not isinstance(point.get("grid"), int):
            yield f"points.{k}", f"names no grid point of {path}; give grid = 101"
            continue
        grid = point["grid"]
        if grid in known:
            yield f"points.{k}.grid", f"grid point {grid} is another point's; give each once"
        known.add(grid)
        for field in ("shape", "turn"):
            if point.get(field) is not None:
                yield f"points.{k}.{field}", "is in the file by grid; give it or grid"
        if any(grid not in vector.of_grid for vector in vectors):
            text = f"grid point {grid} is not in {path}; there are {some(vectors[0].of_grid)}"
            yield f"points.{k}.grid", text


def read(path: str) -> list[Vector]:
    """The modes of a punch file. Raises Refused at "file", with the line."""
    try:
        text = read_text(path, PUNCH, "latin-1")
    except Unreadable as error:
        raise _refused(path, str(error)) from None
    found: list[Vector] = []
    lines = text.splitlines()
    for n, line in enumerate(lines, start=1):
        if match := HEADER.match(line):
            found.append(_begun(path, n, match, found))
        elif line.startswith("$"):
            if COMPLEX.match(line):
                shown = line[1:72].strip()
                text = f"holds complex output ({shown}); punch real modes (normal modes, SOL 103)"
                raise _refused(path, text, n)
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
