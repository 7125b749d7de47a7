"""Modes from files: a table in CSV, a row for each point of each mode, or a Nastran punch file; of a body
that drains such rows for each level of the propellant left, or a file for each."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...tree.declaration import ByName
from ...tree.errors import Refused
from ...tree.names import PATTERN
from ..air.table_file import Row, Source
from . import likewise, punch
from .likewise import Fault


class Modes(NamedTuple):
    """What a file holds: numbers of its modes, angular frequencies [rad/s], generalized masses [kg] and
    damping ratios (mode), None where it says nothing of them, and points as tables of `declared.ModalPoint`,
    with shape and turn (mode, 3)."""

    number: list[int]
    frequency: np.ndarray
    mass: np.ndarray | None
    damping: np.ndarray | None
    points: list[dict[str, Any]]


COLUMNS = ("mode", "frequency", "mass", "point", "x", "y", "z", "dx", "dy", "dz", "rx", "ry", "rz")
"""Columns that a table must have."""
LEVEL = "propellant"
"""Column of what is left in the tanks of the body, for tables of several levels."""
MORE = {"damping": "1", "point_mass": "kg", LEVEL: "kg"}
"""Those that it may have, and their units."""
UNITS = (
    {"mass": "kg"} | dict.fromkeys(("x", "y", "z"), "m") | dict.fromkeys(("rx", "ry", "rz"), "rad/m") | MORE
)
BESIDE = {"mass": "kg", "damping": "1"}
"""What may be said beside files, for each mode or for each level and mode."""
FREQUENCIES = {"Hz": 2 * math.pi, "rev/s": 2 * math.pi, "rad/s": 1.0}
NO_FILE = 'is neither a path nor a list of paths; give "core.csv", or ["full.pch", "dry.pch"]'
PUNCH = (".pch", ".punch")
LOW = 0.1
"""Part of the lowest frequency of a mode that bends, below which one that moves all points rigidly is taken
for a motion of the rigid body."""
RIGID = 1e-3
"""Part of a shape that may be left of it besides a rigid motion, to be taken for one."""


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
            read_levels = _of_punch(path, data) if _is_punch(path) else _of_csv(path, data)
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


def _beside(data: dict[str, Any], points: list[dict[str, Any]], order: np.ndarray) -> dict[str, Any]:
    """What is said beside several files, with rows as increasing levels have it; masses of points, which are
    none of the files', are put so where they stand."""
    for point in (one for one in points if "mass" in one):
        point["mass"] = _in_order(point["mass"], "kg", 0, order)
    said = {name: unit for name, unit in BESIDE.items() if data.get(name) is not None}
    return {**data, **{name: _in_order(data[name], unit, 1, order) for name, unit in said.items()}}


def _in_order(value: Any, unit: str, axes: int, order: np.ndarray) -> Any:
    """What is said beside several files, with rows as these come, as increasing levels have it; what is said
    once as it is, and what is wrong too, to be refused elsewhere."""
    from ...tree.unit_names import UnitError
    from ...tree.units import si
    from .levels import depth

    if depth(value) <= axes:
        return value
    try:
        rows = si(unit, ("levels", *("n",) * axes))(value)
    except UnitError:
        return value
    return rows[order].tolist() if len(rows) == len(order) else value


def _numbers(paths: Sequence[str], found: Modes) -> dict[str, Any]:
    """What modes have, as lists for a declaration."""
    own = {"mass": found.mass, "damping": found.damping}
    listed = {name: value.tolist() for name, value in own.items() if value is not None}
    return {**listed, "frequency": found.frequency.tolist(), "points": found.points}


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
    left = np.ravel(_in_si("propellant", data["propellant"], "kg", ("n",)))
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
    """As `read`, of what is said beside it."""
    if data.get("file_length") is not None:
        text = "is about punch files, and a column of a table names its unit, like x [mm]"
        raise Refused(("file_length", f"{text}; leave it out"))
    return read(path)


def _of_levels(
    path: str, found: dict[Any, Modes], left: Any, wanted: Any, several: bool
) -> Iterator[tuple[Any, Modes]]:
    """Those modes in a file that are wanted, with the propellant left: as the file says, or as is said of
    it."""
    if several and [*found] != [None]:
        text = f"{path} has a column propellant, and is one of several files"
        raise Refused(("file", f"{text}; take the column out, or give it alone"))
    for level, modes in found.items():
        chosen = _chosen(path, modes, wanted)
        _without_rigid_motion(path, chosen)
        yield left if several else level, chosen


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
            if not np.array_equal(_place(point.get("at")), _place(same.get("at"))):
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


def _of_punch(path: str, data: dict[str, Any]) -> dict[Any, Modes]:
    vectors = punch.read(path)
    _ask_for_units(path, data)
    length = float(_in_si("file_length", data["file_length"], "m", positive=True))
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


def _wrong_points(path: str, points: list[Any], vectors: Sequence[punch.Vector]) -> Iterator[tuple[str, str]]:
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
            text = f"grid point {grid} is not in {path}; there are {_some(vectors[0].of_grid)}"
            yield f"points.{k}.grid", text


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


def _in_si(field: str, given: Any, unit: str, shape: tuple = (), **signs: Any) -> Any:
    """A number of a table that is read before the others."""
    from ...tree.unit_names import UnitError
    from ...tree.units import si

    try:
        return si(unit, shape, **signs)(given)
    except UnitError as error:
        raise Refused((field, str(error))) from None


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
        text = f"mode {missing[0]} is" if len(missing) == 1 else f"modes {_some(missing)} are"
        raise Refused(("modes", f"{text} not in {path}; there are {_some(found.number)}"))
    if len({*wanted}) < len(wanted):
        raise Refused(("modes", "lists a mode twice; name each once"))
    which = [found.number.index(n) for n in wanted]
    points = [
        {**p, "shape": [p["shape"][k] for k in which], "turn": [p["turn"][k] for k in which]}
        for p in found.points
    ]
    mass, damping = (None if one is None else one[which] for one in (found.mass, found.damping))
    return Modes([found.number[k] for k in which], found.frequency[which], mass, damping, points)


def _some(numbers: Iterable[int]) -> str:
    shown = sorted(numbers)
    return ", ".join(map(str, shown[:8])) + (f" ... {shown[-1]}" if len(shown) > 8 else "")


def doubtful(frequency: Any, points: Sequence[Any]) -> Iterable[Fault]:
    """What is wrong with modes that are written down, whose numbers are valid one by one: points of one place
    that move apart, a mode that comes twice, and motions of the rigid body."""
    every = [(frequency, 1), *((p.at, 1) for p in points), *((p.shape, 2) for p in points)]
    every += [(p.turn, 2) for p in points]
    if not points or not all(isinstance(one, np.ndarray) and one.ndim == axes for one, axes in every):
        return  # of several cases, or while derivatives are taken
    tables = [{"at": p.at, "shape": p.shape, "turn": p.turn} for p in points]
    both = [np.concatenate([p.shape, p.turn], 1) for p in points]
    for k, point in enumerate(points):
        for j in range(k):
            if np.array_equal(points[j].at, point.at) and not np.array_equal(both[j], both[k]):
                text = f"'{point.name}' is where '{points[j].name}' is, and has other shapes"
                yield Fault(f"points.{k}.at", text, text, "give a place its shapes once")
                break
    flat = np.concatenate(both, 1)
    for k in range(len(flat)):
        for j in range(k):
            if frequency[j] == frequency[k] and flat[k].any() and np.array_equal(flat[j], flat[k]):
                text = f"mode {k + 1} is mode {j + 1} again"
                yield Fault("frequency", text, text, "give each once")
                break
    if wrong := _rigid_ones(frequency, tables):
        text = f"mode {wrong[0] + 1} is a motion of the rigid body, which the body has by itself"
        yield Fault("frequency", text, text, "leave it out")
    elif flat.any() and len({tuple(p.at.tolist()) for p in points}) > 1 and _all_rigid(tables, len(flat)):
        text = "all modes move all points like one rigid body"
        remedy = "leave rigid motions out, or give a point that the modes move against the others"
        yield Fault("points", text, text, remedy)


def _all_rigid(points: Sequence[dict[str, Any]], count: int) -> bool:
    return all(_is_rigid(points, k) for k in range(count))


def _rigid_ones(frequency: np.ndarray, points: Sequence[dict[str, Any]]) -> list[int]:
    """Which modes are motions of the rigid body: those that do not vibrate, and those of far lower frequency
    than others that move all points as a rigid body does."""
    rigid = np.array([len(points) > 1 and _is_rigid(points, k) for k in range(len(frequency))])
    bending = frequency[~rigid & (frequency > 0)]
    low = LOW * np.min(bending) if len(bending) else 0.0
    return np.flatnonzero((frequency == 0) | (rigid & (frequency < low))).tolist()


def _without_rigid_motion(path: str, found: Modes) -> None:
    """Refuse modes that are motions of the rigid body."""
    rigid = _rigid_ones(found.frequency, found.points)
    wrong = np.isin(np.arange(len(found.number)), rigid)
    if wrong.any():
        k = int(np.flatnonzero(wrong)[0])
        left = [number for number, no in zip(found.number, wrong, strict=True) if not no]
        text = f"mode {found.number[k]} of {path} is a motion of the rigid body"
        text += f" ({found.frequency[k] / (2 * math.pi):.3g} Hz), which the body has by itself"
        remedy = f"take the others: modes = {left[:12]}" if left else "give a file with modes that bend it"
        raise Refused(("modes", f"{text}; {remedy}"))


def _is_rigid(points: Sequence[dict[str, Any]], k: int) -> bool:
    """Whether mode k moves all points like one rigid body."""
    rows, right = [], []
    for point in points:
        at = _place(point.get("at"))
        if at is None:
            return False
        x, y, z = at
        cross = np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]])  # b x at as a matrix times b
        rows.append(np.block([[np.eye(3), cross], [np.zeros((3, 3)), np.eye(3)]]))
        right.append(np.concatenate([point["shape"][k], point["turn"][k]]))
    matrix, vector = np.concatenate(rows), np.concatenate(right)
    fitted = matrix @ np.linalg.lstsq(matrix, vector, rcond=None)[0]
    return bool(np.linalg.norm(vector - fitted) <= RIGID * np.linalg.norm(vector))


def _place(at: Any) -> Any:
    """Where a point is [m], None where that is no place: to be refused elsewhere."""
    from ...tree.unit_names import UnitError
    from ...tree.units import si

    try:
        return si("m", (3,))(at)
    except UnitError:
        return None


# --- CSV ------------------------------------------------------------------------------------------------


def read(path: str) -> dict[Any, Modes]:
    """A CSV file with the columns `COLUMNS`: a row for each point of each mode; with the column `LEVEL` at
    each level, which are the keys [kg], None without it. Raises Refused at "file"."""
    source = Source(path, ", ".join(COLUMNS).replace("frequency", "frequency [Hz]"))
    rows = source.rows()
    line, header = rows[0]
    names, units = zip(*(source.name(cell, line) for cell in header), strict=True)
    missing = [name for name in COLUMNS if name not in names]
    extra = [name for name in names if name not in (*COLUMNS, *MORE)]
    if missing or extra or len({*names}) < len(names):
        what = [f"has no column {', '.join(missing)}"] if missing else []
        what += [f"has columns that mean nothing here: {', '.join(extra)}"] if extra else []
        what = what or ["has a column twice"]
        more = f"the last {len(MORE)} optional"
        raise source.refuse(f"{'; '.join(what)}. Columns: {', '.join((*COLUMNS, *MORE))}, {more}", line)
    factor = [_factor(source, name, unit, line) for name, unit in zip(names, units, strict=True)]
    if LEVEL not in names:
        return {None: _gathered(source, list(names), factor, rows[1:])}
    column, by_level = names.index(LEVEL), {}
    for line, cells in rows[1:]:
        left = source.number(cells[column], line, LEVEL) * factor[column]
        by_level.setdefault(left, []).append((line, cells))
    return {
        left: _gathered(source, list(names), factor, own, f" at {left:.10g} kg of propellant")
        for left, own in by_level.items()
    }


def _factor(source: Source, name: str, unit: str | None, line: int) -> float:
    """What makes numbers of a column those of SI."""
    from ...tree.unit_names import parse_unit

    if name == "frequency":
        if unit not in FREQUENCIES:
            raise source.refuse("column frequency: name its unit, [Hz] or [rad/s]", line)
        return FREQUENCIES[unit]
    if unit is None:
        return 1.0
    wanted = UNITS.get(name, "1")
    found, dimension = parse_unit(unit)
    if dimension != parse_unit(wanted)[1]:
        raise source.refuse(
            f"column {name} is in {unit}; allowed: {wanted}, or another unit of the same", line
        )
    return found


def _gathered(source: Source, names: list[str], factor: list[float], rows: list[Row], at: str = "") -> Modes:
    """Rows as modes and points; what belongs to one of these must be the same in all rows. at: which level it
    is."""
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
            raise source.refuse(f"column mode: '{cell['mode']}' is no whole number", line)
        if not re.fullmatch(PATTERN, point):
            remedy = "names begin with a letter, and have letters, digits, _ and -, like n101"
            raise source.refuse(f"column point: '{point}' is no name; {remedy}", line)
        own = tuple(map(value, of_mode)), tuple(map(value, of_point))
        for known, key, new, what in ((numbers, int(mode), own[0], "mode"), (places, point, own[1], "point")):
            if known.setdefault(key, new) != new:  # type: ignore[arg-type]
                text = (
                    f"{what} {key} has other numbers ({', '.join(of_mode if what == 'mode' else of_point)})"
                )
                raise source.refuse(f"{text} than in its first row; write the same in all its rows", line)
        if (int(mode), point) in shapes:
            raise source.refuse(f"mode {int(mode)} has point {point} twice; give each once", line)
        shapes[int(mode), point] = [value(name) for name in COLUMNS[-6:]]
    for mode in numbers:
        for point in places:
            if (mode, point) not in shapes:
                raise source.refuse(f"mode {mode} has no row for point {point}{at}; give one for each point")
    return _made(source, numbers, places, shapes, of_mode, of_point)


def _made(source: Source, numbers: Any, places: Any, shapes: Any, of_mode: Any, of_point: Any) -> Modes:
    columns = dict(zip(of_mode, np.array(list(numbers.values())).T, strict=True))
    if (columns["frequency"] < 0).any():
        raise source.refuse("has a negative frequency; a mode that vibrates has a positive one")
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
