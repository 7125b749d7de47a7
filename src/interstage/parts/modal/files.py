"""Modes from files, each a table in CSV or a Nastran punch file: those of a body, or those at levels of the
propellant left in it, from one file or several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...tree.errors import Refused
from . import likewise, punch, table
from .file_modes import Modes, in_si, place_of, some
from .levels import depth
from .rigid import refuse_rigid_motion

BESIDE = {"mass": "kg", "damping": "1"}
"""What may be said beside files, for each mode or for each level and mode."""
NO_FILE = 'is neither a path nor a list of paths; give "core.csv", or ["full.pch", "dry.pch"]'
PUNCH = (".pch", ".punch")


def filled(data: dict[str, Any]) -> dict[str, Any]:
    """The table of a `ModalBody` that names a file, or several, with what these say in place of it. Raises
    Refused."""
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
            read_levels = punch.modes(path, data) if _is_punch(path) else _of_csv(path, data)
            found += _of_levels(path, read_levels, own, numbers, several)
        except Refused as each:
            refused.append((path, each))
    if refused:
        raise Refused(*likewise.of_files(refused))
    one_level = found[0][0] is None
    if not several and data.get("propellant") is not None:
        text = "lists levels, and the file has the modes of one; give a file for each, or one with the column"
        raise Refused(("propellant", f"{text} propellant" if one_level else "is in the file; leave it out"))
    if given:
        raise Refused((given[0], "is in the file; give it or the file"))
    numbers = _numbers(paths, found[0][1]) if one_level else _numbers_by_level(paths, found)
    if several:
        data = _beside(
            data, numbers["points"] if found[0][1].mass is None else [], np.argsort(np.array(left))
        )
    taken = [name for name in ("mass", "damping") if name in numbers and data.get(name) is not None]
    if taken:
        raise Refused((taken[0], f"is in {paths[0]}; leave it out, or take that column out of the file"))
    rest = {key: value for key, value in data.items() if key not in ("file", "modes", "file_length")}
    return {**rest, **numbers}


def _of_each(data: dict[str, Any]) -> tuple[list[float], list[str], list[Any]]:
    """Of several files: the propellant left [kg] of which each has the modes, paths, and which modes to take
    of each."""
    paths: list[str] = [*data["file"]]
    wanted: Any = data.get("modes")
    if not paths or not all(isinstance(path, str) for path in paths):
        raise Refused(("file", NO_FILE))
    if twice := next((path for k, path in enumerate(paths) if path in paths[:k]), None):
        raise Refused(("file", f"{twice} is given for two levels; give each its own"))
    if data.get("propellant") is None:
        text = "are of several levels; say by propellant what is left in the tanks at each"
        raise Refused(("file", f'{len(paths)} files {text}: propellant = "[20, 0] t"'))
    left = np.ravel(in_si("propellant", data["propellant"], "kg", ("n",)))
    if len(left) != len(paths):
        text = f"has {len(left)} levels, and there are {len(paths)} files; give one for each"
        raise Refused(("propellant", text))
    listed = isinstance(wanted, (list, tuple)) and bool(wanted)
    by_file = listed and all(isinstance(numbers, (list, tuple)) for numbers in wanted)
    if by_file and len(wanted) != len(paths):
        text = f"lists modes of {len(wanted)} files, and there are {len(paths)}; list those of each, or once"
        raise Refused(("modes", text))
    return left.tolist(), paths, [*wanted] if by_file else [wanted] * len(paths)


def _is_punch(path: str) -> bool:
    return Path(path).suffix.lower() in PUNCH


def _of_csv(path: str, data: dict[str, Any]) -> dict[Any, Modes]:
    """As `table.read`, of what is reported beside it."""
    if data.get("file_length") is not None:
        text = "is about punch files, and a column of a table names its unit, like x [mm]"
        raise Refused(("file_length", f"{text}; leave it out"))
    return table.read(path)


def _of_levels(
    path: str, found: dict[Any, Modes], left: Any, wanted: Any, several: bool
) -> Iterator[tuple[Any, Modes]]:
    """Those modes in a file that are wanted, with the propellant left: as the file says, or as is reported of
    it."""
    if several and [*found] != [None]:
        text = f"{path} has a column propellant, and is one of several files"
        raise Refused(("file", f"{text}; take the column out, or give it alone"))
    for level, modes in found.items():
        chosen = _chosen(path, modes, wanted)
        refuse_rigid_motion(path, chosen)
        yield left if several else level, chosen


def _chosen(path: str, found: Modes, wanted: Any) -> Modes:
    """The modes that are asked for."""
    if wanted is None:
        return found
    if isinstance(wanted, (list, tuple)) and any(isinstance(one, (list, tuple)) for one in wanted):
        text = "lists modes of several files; give numbers, like [7, 8, 9], or such a list for each file"
        raise Refused(("modes", text))
    if not isinstance(wanted, (list, tuple)) or not all(isinstance(n, int) for n in wanted) or not wanted:
        raise Refused(("modes", "lists no modes; give their numbers in the file, like [7, 8, 9]"))
    if missing := [n for n in dict.fromkeys(wanted) if n not in found.number]:
        text = f"mode {missing[0]} is" if len(missing) == 1 else f"modes {some(missing)} are"
        raise Refused(("modes", f"{text} not in {path}; there are {some(found.number)}"))
    if len({*wanted}) < len(wanted):
        raise Refused(("modes", "lists a mode twice; name each once"))
    which = [found.number.index(n) for n in wanted]
    points = [
        {**p, "shape": [p["shape"][k] for k in which], "turn": [p["turn"][k] for k in which]}
        for p in found.points
    ]
    mass, damping = (None if one is None else one[which] for one in (found.mass, found.damping))
    return Modes([found.number[k] for k in which], found.frequency[which], mass, damping, points)


def _numbers(paths: Sequence[str], found: Modes) -> dict[str, Any]:
    """What modes have, as lists for a declaration."""
    own = {"mass": found.mass, "damping": found.damping}
    listed = {name: value.tolist() for name, value in own.items() if value is not None}
    return {**listed, "frequency": found.frequency.tolist(), "points": found.points}


def _numbers_by_level(paths: Sequence[str], found: list[tuple[Any, Modes]]) -> dict[str, Any]:
    """What modes have at several levels, which increase, as lists for a declaration. Raises Refused."""
    found = sorted(found, key=lambda one: one[0])
    first, every = found[0][1], [modes for _, modes in found]
    names = [point["name"] for point in first.points] if "name" in first.points[0] else None
    beside = f"at {found[0][0]:.6g} kg"
    for left, modes in found:
        where = f"{', '.join(paths)}: at {left:.6g} kg"
        if len(modes.number) != len(first.number):
            text = f"{where} there are {len(modes.number)} modes, and {len(first.number)} {beside}"
            raise Refused(("file", f"{text}; give the same ones at all levels, or choose them by modes"))
        for name in ("mass", "damping"):
            if (getattr(modes, name) is None) != (getattr(first, name) is None):
                raise Refused(("file", f"{where} {name} is not as {beside}; give it at all levels"))
        if names is not None and [point["name"] for point in modes.points] != names:
            own = [point["name"] for point in modes.points]
            other = next((n for n in (*own, *names) if n not in own or n not in names), own[0])
            text = f"{where} there are other points than {beside}, as {other}"
            raise Refused(("file", f"{text}; give the same ones at all levels, in one order"))
        for point, same in zip(modes.points, first.points, strict=True):
            if not np.array_equal(place_of(point.get("at")), place_of(same.get("at"))):
                text = f"{where} point {point['name']} is elsewhere than {beside}"
                raise Refused(("file", f"{text}; its place on the body is one"))
    points = []
    for k, point in enumerate(first.points):
        each = [modes.points[k] for modes in every]
        own = {name: [one[name] for one in each] for name in ("shape", "turn")}
        if first.mass is not None and "mass" in point:  # a column
            own["mass"] = [one["mass"] for one in each]
        points.append({**point, **own})
    numbers = [_numbers(paths, modes) for modes in every]
    own = {name: [one[name] for one in numbers] for name in numbers[0] if name != "points"}
    return {**own, "propellant": [left for left, _ in found], "points": points}


def _beside(data: dict[str, Any], points: list[dict[str, Any]], order: np.ndarray) -> dict[str, Any]:
    """What is reported beside several files, with rows as increasing levels have it; masses of points, which
    are none of the files', are put so where they stand."""
    for point in (one for one in points if "mass" in one):
        point["mass"] = _in_order(point["mass"], "kg", 0, order)
    said = {name: unit for name, unit in BESIDE.items() if data.get(name) is not None}
    return {**data, **{name: _in_order(data[name], unit, 1, order) for name, unit in said.items()}}


def _in_order(value: Any, unit: str, axes: int, order: np.ndarray) -> Any:
    """What is reported beside several files, with rows as these come, as increasing levels have it; what is
    reported once as it is, and what is wrong too, to be refused elsewhere."""
    from ...tree.unit_names import UnitError
    from ...tree.units import si

    if depth(value) <= axes:
        return value
    try:
        rows = si(unit, ("levels", *("n",) * axes))(value)
    except UnitError:
        return value
    return rows[order].tolist() if len(rows) == len(order) else value
