"""Read vibration modes from CSV tables.

Each row has one node of one mode. For a body with draining propellant, each row also belongs to one
propellant level.
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

import numpy as np

from ..tree.names import PATTERN
from .csv_file import CsvFile, Row

COLUMNS = ("mode", "frequency", "mass", "point", "x", "y", "z", "dx", "dy", "dz", "rx", "ry", "rz")
"""Names of the columns that a table must have."""
LEVEL = "propellant"
"""Name of the column with the propellant left in the tanks of the body. The column is used for tables with
several levels.
"""
MORE = {"damping": "1", "point_mass": "kg", LEVEL: "kg"}
"""Names and units of the optional columns."""
UNITS = (
    {"mass": "kg"} | dict.fromkeys(("x", "y", "z"), "m") | dict.fromkeys(("rx", "ry", "rz"), "rad/m") | MORE
)
FREQUENCIES = {"Hz": 2 * math.pi, "rev/s": 2 * math.pi, "rad/s": 1.0}


class Modes(NamedTuple):
    """Modes of a CSV file.

    - number: identifiers of the modes.
    - frequency (mode,): angular frequencies [rad/s].
    - mass (mode,): generalized masses [kg], None if the file has no masses.
    - damping (mode,): damping ratios, None if the file has no damping.
    - points: nodes as tables of a scenario, with `shape` and `turn` (mode, 3).
    """

    number: list[int]
    frequency: np.ndarray
    mass: np.ndarray | None
    damping: np.ndarray | None
    points: list[dict[str, Any]]


def read(path: str) -> dict[Any, Modes]:
    """Return the modes of a CSV file by propellant level [kg]. Without the column `LEVEL`, the only key is
    None.

    The file must have the columns `COLUMNS`. Raises Refused at "file".
    """
    source = CsvFile(path, ", ".join(COLUMNS).replace("frequency", "frequency [Hz]"))
    rows = source.rows()
    line, header = rows[0]
    names, units = zip(*(source.name(cell, line) for cell in header), strict=True)
    missing = [name for name in COLUMNS if name not in names]
    extra = [name for name in names if name not in (*COLUMNS, *MORE)]
    if missing or extra or len({*names}) < len(names):
        what = [f"the columns {', '.join(missing)} are missing"] if missing else []
        what += [f"the columns {', '.join(extra)} are unknown"] if extra else []
        what = what or ["a column name is repeated"]
        more = f"the last {len(MORE)} columns are optional"
        raise source.refuse(f"{'; '.join(what)}. Allowed: {', '.join((*COLUMNS, *MORE))}; {more}", line)
    factor = [_factor(source, name, unit, line) for name, unit in zip(names, units, strict=True)]
    if LEVEL not in names:
        return {None: _modes(source, list(names), factor, rows[1:])}
    column, by_level = names.index(LEVEL), {}
    for line, cells in rows[1:]:
        left = source.number(cells[column], line, LEVEL) * factor[column]
        by_level.setdefault(left, []).append((line, cells))
    return {
        left: _modes(source, list(names), factor, own, f" at {left:.10g} kg of propellant")
        for left, own in by_level.items()
    }


def _factor(source: CsvFile, name: str, unit: str | None, line: int) -> float:
    """Factor from the unit of a column to SI. Raises Refused."""
    from ..tree.unit_names import parse_unit

    if name == "frequency":
        if unit not in FREQUENCIES:
            raise source.refuse(
                "the column frequency has no valid unit. Write frequency [Hz] or frequency [rad/s]", line
            )
        return FREQUENCIES[unit]
    if unit is None:
        return 1.0
    wanted = UNITS.get(name, "1")
    found, dimension = parse_unit(unit)
    if dimension != parse_unit(wanted)[1]:
        raise source.refuse(
            f"the column {name} is in {unit}. Use {wanted} or a unit of the same quantity", line
        )
    return found


def _modes(source: CsvFile, names: list[str], factor: list[float], rows: list[Row], at: str = "") -> Modes:
    """Return the modes and points of rows. Values of a mode or point must be equal in all its rows. at: text
    of the level."""
    numbers: dict[int, tuple[float, ...]] = {}
    places: dict[str, tuple[float, ...]] = {}
    shapes: dict[tuple[int, str], list[float]] = {}
    of_mode = [n for n in ("frequency", "mass", "damping") if n in names]
    of_point = [n for n in ("x", "y", "z", "point_mass") if n in names]
    for line, cells in rows:
        cell = dict(zip(names, cells, strict=True))

        def value(name: str, cell: dict[str, str] = cell, line: int = line) -> float:
            return source.number(cell[name], line, name) * factor[names.index(name)]

        mode, point = value("mode"), cell["point"]
        if mode != int(mode):
            raise source.refuse(
                f"column mode: '{cell['mode']}' is not a whole number. Write the number of the mode", line
            )
        if not re.fullmatch(PATTERN, point):
            remedy = "Begin with a letter, and use letters, digits, _ and -, for example n101"
            raise source.refuse(f"column point: '{point}' is not a valid name. {remedy}", line)
        own = tuple(map(value, of_mode)), tuple(map(value, of_point))
        for known, key, new, what in ((numbers, int(mode), own[0], "mode"), (places, point, own[1], "point")):
            if known.setdefault(key, new) != new:  # type: ignore[arg-type]
                text = f"the values of {what} {key} ({', '.join(of_mode if what == 'mode' else of_point)})"
                raise source.refuse(
                    f"{text} differ from the first row of {what} {key}. Write equal values in all rows "
                    f"of {what} {key}",
                    line,
                )
        if (int(mode), point) in shapes:
            raise source.refuse(f"mode {int(mode)} has two rows for point {point}. Keep one row", line)
        shapes[int(mode), point] = [value(name) for name in COLUMNS[-6:]]
    for mode in numbers:
        for point in places:
            if (mode, point) not in shapes:
                raise source.refuse(
                    f"mode {mode} has no row for point {point}{at}. Add one row for each mode and point"
                )
    return _build(source, numbers, places, shapes, of_mode, of_point)


def _build(source: CsvFile, numbers: Any, places: Any, shapes: Any, of_mode: Any, of_point: Any) -> Modes:
    columns = dict(zip(of_mode, np.array(list(numbers.values())).T, strict=True))
    if (columns["frequency"] < 0).any():
        raise source.refuse("a frequency is negative. Write frequencies of at least 0")
    points = []
    for name, own in places.items():
        rows = np.array([shapes[mode, name] for mode in numbers])
        point = {
            "name": name,
            "at": list(own[:3]),
            "shape": rows[:, :3].tolist(),
            "turn": rows[:, 3:].tolist(),
        }
        points.append({**point, "mass": own[3]} if "point_mass" in of_point else point)
    return Modes([*numbers], columns["frequency"], columns["mass"], columns.get("damping"), points)
