"""Varied inputs of a scenario and their levels in SI."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...model.pattern import NUMBER
from ...programs.targets import Target, clashes, targets_of
from ...tree.errors import BadInput, Problem
from ...tree.sentences import list_text
from ...tree.unit_names import UnitError, parse_unit
from ...tree.units import PURE_UNITS, display, split_text
from ..amounts import check_ends, in_parts, part_of, refuse_parts, same, written
from .declared import Variation

DIGITS = 12


@dataclass(frozen=True)
class Varied:
    """A varied input of a scenario with its levels.

    - targets: scenario inputs that vary together.
    - coordinate (levels,): values for tables, plots and regressions, in `unit` (SI, or "%" for per cent of
      the scenario value).
    - numeric: whether the coordinate is a physical value. If false, the coordinate is the index of the level.
    - labels: texts of the levels in SI, for tables of inputs that are not numeric.
    - nominal: scenario value; NaN if there is no single value.
    - nominal_level: index of the level with the scenario value, or -1.
    - values: for each target, its values (levels, ...) in SI.
    - place: path of the declaration in messages.
    - given: factor from SI and unit of the levels as the user wrote them, and the units of the scenario.
    """

    name: str
    targets: tuple[Target, ...]
    unit: str
    coordinate: np.ndarray
    numeric: bool
    labels: tuple[str, ...]
    nominal: float
    nominal_level: int
    values: tuple[np.ndarray, ...]
    place: str
    given: tuple[float, str, str] | None = None

    @property
    def count(self) -> int:
        """Return the number of levels."""
        return len(self.coordinate)

    def value_text(self, level: int, units: str) -> str:
        """Return the value of a level as text without its unit. The level -1 means the scenario value."""
        if level < 0:
            own = self.nominal * self.scale(units)[0]
            return "as in the scenario" if np.isnan(self.nominal) else f"{own:.6g}"
        if not self.numeric:
            return self.labels[level]
        return f"{float(self.coordinate[level]) * self.scale(units)[0]:.6g}"

    def scale(self, units: str) -> tuple[float, str]:
        """Return the factor from `unit` and the unit with which the coordinate is printed. units: "SI" or
        "US".
        """
        if self.given is not None and self.given[2] == units:
            return self.given[:2]
        return (1.0, "%") if self.unit == "%" else display(self.unit, units)

    def heading(self, units: str) -> str:
        """Return the name of the varied input with its unit in brackets, for a table. units: "SI" or "US"."""
        unit = self.scale(units)[1]
        return self.name if unit in PURE_UNITS or not self.numeric else f"{self.name} [{unit}]"


def find_variations(scenario: Any, variations: tuple[Variation, ...]) -> tuple[tuple[Varied, ...], list[str]]:
    """Return the varied inputs of a scenario, and notes about their levels. Raises BadInput with all
    problems.
    """
    found, notes, problems = [], [], []
    each: list[Variation] = []
    for variation in variations:
        try:
            own = _of_members(scenario, variation)
            each += own
            for member in own:
                one, said = _make_varied(scenario, member)
                found.append(one)
                notes += said
        except BadInput as error:
            problems += error.problems
    problems += _twice(scenario, found)
    names = [variation.name for variation in each]
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        text = f"two variations have the name '{name}'. Put the levels of both variations in one variation"
        problems.append(Problem(name, text))
    if problems:
        raise BadInput(dict.fromkeys(problems))
    return _short_names(found), notes


def _of_members(scenario: Any, variation: Variation) -> list[Variation]:
    """The variations of a variation: one for each number that the sign # in its paths stands for. Raises
    BadInput if no input has such a number."""
    if not any(NUMBER in path for path in variation.paths):
        return [variation]
    numbers: dict[str, None] = {}
    for path in variation.paths:
        start, sign, _ = path.strip().partition(NUMBER)
        if sign:
            targets = targets_of(scenario, path.strip().replace(NUMBER, "*"), variation.place)
            found = [re.match(rf"{re.escape(start)}(\d+)(?!\d)", target.path) for target in targets]
            numbers |= dict.fromkeys(match[1] for match in found if match)
    if not numbers:
        text = f"no input has a number in place of {NUMBER}. Write the path of one input, or use *"
        raise BadInput(Problem(variation.place, text))
    return [_of_member(variation, number) for number in numbers]


def _of_member(variation: Variation, number: str) -> Variation:
    """The variation of the member with a number."""
    paths = tuple(path.replace(NUMBER, number) for path in variation.paths)
    path = paths[0] if isinstance(variation.path, str) else paths
    named = NUMBER in variation.name
    name = variation.name.replace(NUMBER, number) if named else f"{variation.name}_{number}"
    return variation.model_copy(update={"path": path, "name": name})


def _twice(scenario: Any, found: list[Varied]) -> Iterator[Problem]:
    """Problems of numbers that two variations change, or one changes twice."""
    places = {one.name: one.place for one in found}
    for name, other, target in clashes(scenario, [(one.name, t) for one in found for t in one.targets]):
        twice = "twice by one variation" if other == name else f"also by variation '{other}'"
        yield Problem(places[name], f"the input {target.name} is varied {twice}. Remove one of the paths")


def _short_names(found: list[Varied]) -> tuple[Varied, ...]:
    """Variations with shortened names: the ends of their paths, as long as these differ."""
    short = {one.name: _short(one) if one.name == one.place else one.name for one in found}
    kept = list(short.values())
    return tuple(
        replace(one, name=short[one.name] if kept.count(short[one.name]) == 1 else one.name) for one in found
    )


def _short(one: Varied) -> str:
    first, *rest = one.name.split(", ")
    steps = first.split(".")
    name = ".".join(steps[1:]) if len(steps) > 2 else first
    return list_text([name, *rest], 1)


def _make_varied(scenario: Any, variation: Variation) -> tuple[Varied, list[str]]:
    problems: list[Problem] = []
    targets: list[Target] = []
    for path in variation.paths:
        try:
            targets += targets_of(scenario, path.strip(), variation.place)
        except BadInput as error:
            problems += error.problems
    if problems:
        raise BadInput(problems)
    coordinate, unit, numeric, labels, values = _levels(variation, targets)
    keep = _without_repeats(values)
    notes = []
    if len(keep) < len(coordinate):
        repeats = len(coordinate) - len(keep)
        verb = "level repeats another level and is" if repeats == 1 else "levels repeat other levels and are"
        notes.append(f"{variation.place}: {repeats} {verb} not flown again")
    values = tuple(value[keep] for value in values)
    nominals = [target.nominal for target in targets]
    level = next((k for k in range(len(keep)) if all(same(v[k], n) for v, n in zip(values, nominals))), -1)
    return (
        Varied(
            variation.name,
            tuple(targets),
            unit,
            coordinate[keep],
            numeric,
            tuple(labels[k] for k in keep),
            _nominal(unit, numeric, nominals, variation),
            level,
            values,
            variation.place,
            (*own, scenario.units) if (own := _own_unit(variation, numeric)) is not None else None,
        ),
        notes,
    )


def _own_unit(variation: Variation, numeric: bool) -> tuple[float, str] | None:
    """(factor from SI, unit) of all levels as given; None for several units, or without unit."""
    levels = (*(variation.values or ()), variation.low, variation.high, variation.delta)
    texts = [level for level in levels if isinstance(level, str)]
    units = {split_text(text)[1] for text in texts} - {""}
    if not numeric or len(units) != 1 or in_parts(texts):
        return None
    (unit,) = units
    return 1 / parse_unit(unit)[0], unit


def _nominal(unit: str, numeric: bool, nominals: list[np.ndarray], variation: Variation) -> float:
    """The scenario's coordinate."""
    if not numeric:
        return np.nan
    if unit == "%":
        return 100.0
    alike = all(same(nominals[0], nominal) for nominal in nominals)
    if variation.delta is not None and not (alike and nominals[0].ndim == 0):
        return 0.0
    return float(nominals[0]) if alike and nominals[0].ndim == 0 else np.nan


def _without_repeats(values: tuple[np.ndarray, ...]) -> list[int]:
    """Indices of distinct levels, to `DIGITS` digits."""
    seen: dict[tuple[str, ...], int] = {}
    for k in range(len(values[0])):
        numbers = (number for value in values for number in np.ravel(value[k]))
        seen.setdefault(tuple(f"{number + 0.0:.{DIGITS}e}" for number in numbers), k)
    return list(seen.values())


# --- levels


def _levels(variation: Variation, targets: list[Target]) -> tuple[Any, ...]:
    """(coordinate, unit, numeric, labels, values of each target) of all levels."""
    raw = [
        v
        for v in (*(variation.values or ()), variation.low, variation.high, variation.delta)
        if v is not None
    ]
    if in_parts(raw):
        return _ratios(variation, targets)
    problems, read = [], []
    for target in targets:
        try:
            read.append(_read(variation, target))
        except UnitError as error:
            where = "" if variation.place == target.name else f"{target.name}: "
            problems.append(Problem(variation.place, f"{where}{error}{_of_one(target, str(error))}"))
    if problems:
        raise BadInput(problems)
    values, base = tuple(read), read[0]
    nominals = [target.nominal for target in targets]
    alike = all(same(nominals[0], nominal) for nominal in nominals)
    unit, labels = targets[0].marker.unit, [_label(level) for level in base]
    if variation.delta is not None and not (alike and base.ndim == 1):
        # Several different values, or elements of a vector, share the step.
        steps = base - nominals[0]
        if base.ndim == 1:
            return steps, unit, True, [_label(step) for step in steps], values
    if base.ndim == 1 and np.isfinite(base).all():  # infinite values have no place on an axis
        return base, unit, True, labels, values
    return np.arange(1.0, len(base) + 1), "1", False, labels, values


def _of_one(target: Target, wrong: str) -> str:
    """Hint with the name of an element, if one number is given for several."""
    ndim = np.ndim(target.nominal)
    one = f"{target.name}[{', '.join('0' * ndim)}]"
    return f". Give the path of one element, for example {one}" if ndim and "got one number" in wrong else ""


def _label(level: np.ndarray) -> str:
    return f"{float(level):.6g}" if np.ndim(level) == 0 else f"[{', '.join(f'{v:g}' for v in level.flat)}]"


def _read(variation: Variation, target: Target) -> np.ndarray:
    """The levels of one target in SI, (levels, ...)."""
    if variation.values is not None:
        return np.stack([target.read(value, single=True) for value in variation.values])
    nominal = target.nominal
    if variation.delta is not None:
        delta = target.read(variation.delta, signed=True)
        if not np.any(delta) or np.any(delta < 0):
            raise UnitError(f"a delta of {written(variation.delta)} is not positive. Give a delta above zero")
        low, high = nominal - delta, nominal + delta
    else:
        low, high = target.read(variation.low), target.read(variation.high)
        if low.ndim == 0 or np.array_equal(low, high):
            check_ends(variation.low, variation.high, low, high)
    return _between(low, high, nominal, variation.count)


def _between(low: np.ndarray, high: np.ndarray, nominal: np.ndarray, count: int | None) -> np.ndarray:
    if count is not None:
        return np.linspace(low, high, count)
    inside = np.all((np.minimum(low, high) <= nominal) & (nominal <= np.maximum(low, high)))
    return np.stack([low, nominal, high] if inside else [low, high])


def _ratios(variation: Variation, targets: list[Target]) -> tuple[Any, ...]:
    """Levels as percentages of the scenario's values."""

    for target in targets:
        refuse_parts(target, variation.place, variation.delta is not None)
    own = np.array(100.0)
    try:
        if variation.values is not None:
            parts = np.array([part_of(value, variation.place) for value in variation.values])
        elif variation.delta is not None:
            delta = part_of(variation.delta, variation.place)
            if delta <= 0:
                raise UnitError(
                    f"a delta of {written(variation.delta)} is not positive. Give a delta above zero"
                )
            parts = _between(own - delta, own + delta, own, variation.count)
        else:
            low, high = (
                np.array(part_of(variation.low, variation.place)),
                np.array(part_of(variation.high, variation.place)),
            )
            check_ends(variation.low, variation.high, low, high)
            parts = _between(low, high, own, variation.count)
    except UnitError as error:
        raise BadInput(Problem(variation.place, str(error))) from None
    values = tuple(np.multiply.outer(parts / 100, target.nominal) for target in targets)
    return parts, "%", True, [f"{value:g} %" for value in parts], values
