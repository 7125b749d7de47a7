"""Read modes from CSV tables or Nastran punch files, for one body or for several levels of its propellant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...exchange import mode_csv
from ...exchange.mode_csv import Modes
from ...tree.errors import Refused
from ...tree.sentences import count_text
from . import likewise, punch_modes
from .file_modes import in_si, place_of, some
from .levels import depth
from .rigid import refuse_rigid_motion

BESIDE = {"mass": "kg", "damping": "1"}
"""The fields that can be set in addition to files, with their units. Such a field has a value for each mode,
or for each level and mode.
"""
NO_FILE = '\'file\' must be a path or a list of paths, for example "core.csv" or ["full.pch", "dry.pch"]'
PUNCH = (".pch", ".punch")


def fill(data: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a `ModalBody`, with the contents of its files in place of their paths. Raises
    Refused for invalid files or fields.

    data: fields as written in the scenario.
    """
    file: Any = data["file"]
    if not isinstance(file, (str, list, tuple)):
        raise Refused(("file", NO_FILE))
    given = [name for name in ("frequency",) if data.get(name) is not None]
    several = not isinstance(file, str)
    left, paths, wanted = _of_each(data) if several else ([None], [file], [data.get("modes")])
    found: list[tuple[Any, Modes]] = []
    refused: list[tuple[str, Refused]] = []
    for path, own, numbers in zip(paths, left, wanted, strict=True):
        if not _is_punch(path):
            given += [name for name in ("points",) if data.get(name)]
        try:
            read_levels = punch_modes.modes(path, data) if _is_punch(path) else _of_csv(path, data)
            found += _of_levels(path, read_levels, own, numbers, several)
        except Refused as each:
            refused.append((path, each))
    if refused:
        raise Refused(*likewise.of_files(refused))
    one_level = found[0][0] is None
    if not several and data.get("propellant") is not None:
        text = (
            "'propellant' lists levels, but the file has one level. Give one file for each level, or add "
            "the column"
        )
        raise Refused(
            (
                "propellant",
                f"{text} propellant to the file"
                if one_level
                else ("'propellant' is also in the file. Remove propellant"),
            )
        )
    if given:
        raise Refused((given[0], f"'{given[0]}' is also in the file. Remove '{given[0]}' or 'file'"))
    numbers = _numbers(paths, found[0][1]) if one_level else _numbers_by_level(paths, found)
    if several:
        data = _declared_fields(
            data, numbers["points"] if found[0][1].mass is None else [], np.argsort(np.array(left))
        )
    taken = [name for name in ("mass", "damping") if name in numbers and data.get(name) is not None]
    if taken:
        raise Refused(
            (
                taken[0],
                f"'{taken[0]}' is also in {paths[0]}. Remove '{taken[0]}', or remove the "
                "column from the file",
            )
        )
    rest = {key: value for key, value in data.items() if key not in ("file", "modes", "file_length")}
    return {**rest, **numbers}


def _of_each(data: dict[str, Any]) -> tuple[list[float], list[str], list[Any]]:
    """Return the propellant left [kg], path and numbers of the selected modes of each of several files.
    Raises Refused."""
    paths: list[str] = [*data["file"]]
    wanted: Any = data.get("modes")
    if not paths or not all(isinstance(path, str) for path in paths):
        raise Refused(("file", NO_FILE))
    if twice := next((path for k, path in enumerate(paths) if path in paths[:k]), None):
        raise Refused(("file", f"{twice} is listed twice. Give each level its own file"))
    if data.get("propellant") is None:
        text = "are set without propellant. Give the propellant left at each level, like"
        raise Refused(("file", f'{len(paths)} files {text} propellant = "[20, 0] t"'))
    left = np.ravel(in_si("propellant", data["propellant"], "kg", ("n",)))
    if len(left) != len(paths):
        text = (
            f"'propellant' has {len(left)} levels, but 'file' has {len(paths)} paths. Give one path for "
            "each level"
        )
        raise Refused(("propellant", text))
    listed = isinstance(wanted, (list, tuple)) and bool(wanted)
    by_file = listed and all(isinstance(numbers, (list, tuple)) for numbers in wanted)
    if by_file and len(wanted) != len(paths):
        text = (
            f"'modes' has {len(wanted)} lists, but 'file' has {len(paths)} paths. Give one list for each "
            "file, or one list for all files"
        )
        raise Refused(("modes", text))
    return left.tolist(), paths, [*wanted] if by_file else [wanted] * len(paths)


def _is_punch(path: str) -> bool:
    return Path(path).suffix.lower() in PUNCH


def _of_csv(path: str, data: dict[str, Any]) -> dict[Any, Modes]:
    """Modes of a CSV file, see `mode_csv.read`. data: the table of the `ModalBody`."""
    if data.get("file_length") is not None:
        text = (
            "'file_length' applies to punch files only. In a CSV table, each column names its "
            "unit, like x [mm]"
        )
        raise Refused(("file_length", f"{text}. Remove file_length"))
    return mode_csv.read(path)


def _of_levels(
    path: str, found: dict[Any, Modes], left: Any, wanted: Any, several: bool
) -> Iterator[tuple[Any, Modes]]:
    """Return the selected modes of a file with the propellant left, from the file or from the declaration."""
    if several and [*found] != [None]:
        text = f"{path} has a column propellant, but several files are listed"
        raise Refused(("file", f"{text}. Remove this column, or list this file alone"))
    for level, modes in found.items():
        chosen = _select(path, modes, wanted)
        refuse_rigid_motion(path, chosen)
        yield left if several else level, chosen


def _select(path: str, found: Modes, wanted: Any) -> Modes:
    """Return the selected modes of a file. Raises Refused."""
    if wanted is None:
        return found
    if isinstance(wanted, (list, tuple)) and any(isinstance(one, (list, tuple)) for one in wanted):
        text = "'modes' must be a list of mode numbers like [7, 8, 9], or one list of numbers for each file"
        raise Refused(("modes", text))
    if not isinstance(wanted, (list, tuple)) or not all(isinstance(n, int) for n in wanted) or not wanted:
        raise Refused(
            (
                "modes",
                "'modes' is not a list of mode numbers. Give numbers of modes in the file, like [7, 8, 9]",
            )
        )
    if missing := [n for n in dict.fromkeys(wanted) if n not in found.number]:
        one = len(missing) == 1
        text = f"mode {missing[0]} is not in {path}" if one else f"modes {some(missing)} are not in {path}"
        raise Refused(("modes", f"{text}. Modes of this file: {some(found.number)}"))
    if len({*wanted}) < len(wanted):
        raise Refused(("modes", "'modes' lists a mode twice. Keep the number once"))
    which = [found.number.index(n) for n in wanted]
    points = [
        {**p, "shape": [p["shape"][k] for k in which], "turn": [p["turn"][k] for k in which]}
        for p in found.points
    ]
    mass, damping = (None if one is None else one[which] for one in (found.mass, found.damping))
    return Modes([found.number[k] for k in which], found.frequency[which], mass, damping, points)


def _numbers(paths: Sequence[str], found: Modes) -> dict[str, Any]:
    """Return the fields of modes for a declaration. The frequency is an array: its unit is in the file, and
    the check of numbers without a unit reads lists only."""
    own = {"mass": found.mass, "damping": found.damping}
    listed = {name: value.tolist() for name, value in own.items() if value is not None}
    return {**listed, "frequency": found.frequency, "points": found.points}


def _numbers_by_level(paths: Sequence[str], found: list[tuple[Any, Modes]]) -> dict[str, Any]:
    """Return the fields of modes at several increasing levels as lists for a declaration. Raises Refused."""
    found = sorted(found, key=lambda one: one[0])
    first, every = found[0][1], [modes for _, modes in found]
    names = [point["name"] for point in first.points] if "name" in first.points[0] else None
    base = f"at {found[0][0]:.6g} kg"
    for left, modes in found:
        where = f"{', '.join(paths)}: at {left:.6g} kg"
        if len(modes.number) != len(first.number):
            text = (
                f"{where} the file has {count_text(len(modes.number), 'modes')}, but {len(first.number)}"
                f" {base}"
            )
            raise Refused(
                ("file", f"{text}. Give the same modes at all levels, or set `modes` to select modes")
            )
        for name in ("mass", "damping"):
            if (getattr(modes, name) is None) != (getattr(first, name) is None):
                here = "missing, but it is set" if getattr(modes, name) is None else "set, but it is missing"
                raise Refused(("file", f"{where} {name} is {here} {base}. Give {name} at all levels"))
        if names is not None and [point["name"] for point in modes.points] != names:
            own = [point["name"] for point in modes.points]
            other = next((n for n in (*own, *names) if n not in own or n not in names), own[0])
            text = f"{where} the points differ from the points {base}, for example {other}"
            raise Refused(("file", f"{text}. Give the same points at all levels, in the same order"))
        for point, same in zip(modes.points, first.points, strict=True):
            if not np.array_equal(place_of(point.get("at")), place_of(same.get("at"))):
                text = f"{where} the position of point {point['name']} differs from its position {base}"
                raise Refused(("file", f"{text}. Give the same position at all levels"))
    points = []
    for k, point in enumerate(first.points):
        each = [modes.points[k] for modes in every]
        of_point = {name: [one[name] for one in each] for name in ("shape", "turn")}
        if first.mass is not None and "mass" in point:  # a column
            of_point["mass"] = [one["mass"] for one in each]
        points.append({**point, **of_point})
    numbers = [_numbers(paths, modes) for modes in every]
    fields: dict[str, Any] = {n: [one[n] for one in numbers] for n in numbers[0] if n != "points"}
    fields["frequency"] = np.array(fields["frequency"])
    return {**fields, "propellant": [left for left, _ in found], "points": points}


def _declared_fields(data: dict[str, Any], points: list[dict[str, Any]], order: np.ndarray) -> dict[str, Any]:
    """Return the fields that are set together with several files, sorted to increasing levels. Masses of
    points, which are not in the files, are sorted in place."""
    for point in (one for one in points if "mass" in one):
        point["mass"] = _in_order(point["mass"], "kg", 0, order)
    said = {name: unit for name, unit in BESIDE.items() if data.get(name) is not None}
    return {**data, **{name: _in_order(data[name], unit, 1, order) for name, unit in said.items()}}


def _in_order(value: Any, unit: str, axes: int, order: np.ndarray) -> Any:
    """Return a field in the order of several files, sorted to increasing levels. A single value stays
    unchanged. An invalid value also stays unchanged, and the declaration reports it."""
    from ...tree.unit_names import UnitError
    from ...tree.units import si

    if depth(value) <= axes:
        return value
    try:
        rows = si(unit, ("levels", *("n",) * axes))(value)
    except UnitError:
        return value
    return rows[order].tolist() if len(rows) == len(order) else value
