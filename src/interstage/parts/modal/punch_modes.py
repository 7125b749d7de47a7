"""Read the modes of a flexible body from the eigenvectors of a Nastran punch file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...exchange.mode_csv import Modes
from ...exchange.punch import Vector, read
from ...tree.declaration import ByName
from ...tree.errors import Refused
from .file_modes import in_si, some


def modes(path: str, data: dict[str, Any]) -> dict[Any, Modes]:
    """Return the modes of a punch file at the declared points, in the form of `mode_csv.read`. Raises Refused
    for missing units, masses or points, and for invalid grid points.

    data: fields of the `ModalBody` as written in the scenario.
    """
    vectors = read(path)
    _ask_for_units(path, data)
    length = float(in_si("file_length", data["file_length"], "m", positive=True))
    points = ByName().as_list(data.get("points"))
    if not isinstance(points, list) or not points:
        text = "a punch file has no positions of grid points. Set points, like { top = { grid = 101, at ="
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
    """Raise Refused if data that punch files do not contain are missing."""
    of_model = {
        "file_length": 'has no unit of length. Give the unit of the model, file_length = "1 m" or "1 mm"',
        "mass": "has no generalized masses. Set mass. For mass-normalized shapes, set mass to"
        ' "1 kg" for a model in m, kg, s, or "1 t" for a model in mm, t, s',
    }
    missing = [(field, f"{path} {text}") for field, text in of_model.items() if data.get(field) is None]
    if missing:
        raise Refused(*missing)


def _wrong_points(path: str, points: list[Any], vectors: Sequence[Vector]) -> Iterator[tuple[str, str]]:
    """(field, fault) of points without a valid grid point of a punch file, or with shapes of their own."""
    known: set[int] = set()
    for k, point in enumerate(points):
        if not isinstance(point, dict) or not isinstance(point.get("grid"), int):
            yield (
                f"points.{k}",
                f"the point does not name a grid point of {path}. Set grid, for example grid = 101",
            )
            continue
        grid = point["grid"]
        if grid in known:
            yield (
                f"points.{k}.grid",
                f"grid point {grid} is already used for another point. Name another grid point",
            )
        known.add(grid)
        for field in ("shape", "turn"):
            if point.get(field) is not None:
                yield (
                    f"points.{k}.{field}",
                    f"'{field}' is also in the file, for the point 'grid'. Remove '{field}' or 'grid'",
                )
        if any(grid not in vector.of_grid for vector in vectors):
            text = f"grid point {grid} is not in {path}. Grid points of this file: {some(vectors[0].of_grid)}"
            yield f"points.{k}.grid", text
