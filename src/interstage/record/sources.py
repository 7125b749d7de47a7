"""List the values that a scenario sets, with their sources.

A value is listed if it differs from its default. The list is therefore the same for a scenario from a saved
flight, which states all defaults. Settings of the solver and of the output are not listed, because they do
not describe the vehicle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.source import Source
from ..model.values import Value
from ..tree.addresses import label, nodes_at, pattern_of
from ..tree.declaration import Declaration
from ..tree.errors import BadInput, Problem
from ..tree.units import PURE_UNITS, SI

if TYPE_CHECKING:
    from ..scenario import Scenario

NO_DATA = ("solver", "output", "sources")
"""Groups of a scenario whose values need no source."""
JUDGEMENT = "judgement"


@dataclass(frozen=True)
class Number:
    """Value or array of a scenario that differs from its default.

    - path: path of the value in the scenario.
    - value, unit: the value in SI, and its SI unit.
    - source: entry of the table of sources for this value; None for no entry.
    """

    path: str
    value: np.ndarray
    unit: str
    source: Source | None


def numbers_given(scenario: Scenario) -> list[Number]:
    """Return every value that differs from its default, with its source, in the order of the scenario."""
    return [
        Number(path, value, unit, source_of(scenario, path))
        for path, value, unit in _numbers(scenario, "", frozenset(NO_DATA))
    ]


def source_of(scenario: Scenario, path: str) -> Source | None:
    """Return the source entry that applies to a path of the scenario; None if no entry applies.

    If several entries match, the entry with the longest path applies. Of entries with equally long paths, the
    last applies. An entry for a pattern also matches the members of the pattern.
    """
    ways = _ways(scenario, path.split("."))
    covering = [entry for entry in scenario.sources if any(_covers(entry, steps) for steps in ways)]
    return max(reversed(covering), key=lambda entry: len(entry.steps), default=None)


def _ways(scenario: Scenario, steps: list[str]) -> list[list[str]]:
    """The path of a number, and the path with the name of its pattern."""
    group = getattr(scenario, steps[0], None)
    entries = group if isinstance(group, tuple) and len(steps) > 1 else ()
    item = next((one for i, one in enumerate(entries) if label(one, i) == steps[1]), None)
    pattern = pattern_of(item)
    return [steps] if pattern is None else [steps, [steps[0], pattern, *steps[2:]]]


def _covers(entry: Source, steps: list[str]) -> bool:
    wanted = entry.steps
    return len(wanted) <= len(steps) and all(map(fnmatchcase, steps, wanted))


def _numbers(
    node: Declaration, prefix: str, without: frozenset[str] = frozenset()
) -> Iterator[tuple[str, np.ndarray, str]]:
    """(path, value, SI unit) of the numbers of a declaration that differ from their defaults."""
    for name, field in type(node).model_fields.items():
        value = getattr(node, name)
        if name in without or value is None or _is_default(value, field):
            continue
        path = f"{prefix}.{field.alias or name}" if prefix else field.alias or name
        if isinstance(value, np.ndarray):
            yield path, value, _unit(field, node)
        else:
            yield from _below(value, path)
    for name, value in (node.__pydantic_extra__ or {}).items():
        if isinstance(value, np.ndarray):
            yield f"{prefix}.{name}", value, ""


def _below(value: Any, path: str) -> Iterator[tuple[str, np.ndarray, str]]:
    if isinstance(value, Value):
        yield path, np.asarray(value.magnitude), value.unit or ""
    elif isinstance(value, Declaration):
        yield from _numbers(value, path)
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _below(item, f"{path}.{label(item, index)}")


def _is_default(value: Any, field: Any) -> bool:
    if field.is_required():
        return False
    default = field.default
    if not isinstance(value, np.ndarray):
        return type(value) is type(default) and bool(value == default)
    if default is None or isinstance(default, (str, Declaration)):
        return False
    default = np.asarray(default, dtype=float)
    # One number may stand for a list of one.
    alike = default.shape == value.shape or default.size == value.size == 1
    return alike and bool(np.all(default == value))


def _unit(field: Any, node: Declaration) -> str:
    """The SI unit of a numeric field, from its declaration or its table."""
    unit = _declared_unit(field)
    own = getattr(node, "unit", None)
    return own if unit in PURE_UNITS and isinstance(own, str) else unit


def _declared_unit(field: Any) -> str:
    stack: list[Any] = [*field.metadata, field.annotation]
    while stack:
        node = stack.pop()
        if isinstance(node, SI):
            return node.unit
        stack += [*getattr(node, "__metadata__", ()), *getattr(node, "__args__", ())]
    return ""


def doubts(scenario: Scenario) -> list[str]:
    """Return one sentence that counts the values with confidence "judgement" and the values without a source.

    The result is an empty list if the scenario declares no sources.
    """
    if not getattr(scenario, "sources", ()):
        return []
    given = numbers_given(scenario)
    judged = sum(one.source is not None and one.source.confidence == JUDGEMENT for one in given)
    without = sum(one.source is None for one in given)
    if not judged and not without:
        return []
    missing = f", and {without} have no source" if without else ""
    return [
        f'{judged} of {len(given)} values of the scenario have the confidence "judgement"{missing}.'
        " The report page lists these values."
    ]


def source_problems(scenario: Scenario, faulty: Mapping[str, list[str]] | None = None) -> Iterator[Problem]:
    """Yield the problems of source entries that match no value, or that occur twice.

    faulty: names of invalid items by group. Source entries for these items, and for invalid groups, are not
    checked.
    """
    left_out = faulty or {}
    out = {name for names in left_out.values() for name in names}
    ways = cache(partial(_ways_of_numbers, scenario))
    seen: set[str] = set()
    for entry in scenario.sources:
        place = f"sources.{entry.path}"
        if entry.path in seen:
            yield Problem(place, "the path is listed twice. Keep the path once")
        seen.add(entry.path)
        # An entry for a complete group, or a group that is omitted completely.
        part, *inside = entry.steps
        judged = part not in left_out or (inside and left_out[part])
        if judged and not any(fnmatchcase(name, step) for step in inside for name in out):
            yield from _leads_nowhere(scenario, entry, place, ways)


def _ways_of_numbers(scenario: Scenario) -> list[list[str]]:
    """The paths of all numbers of a scenario, and the paths with the names of their patterns, as steps."""
    paths = (path for path, _, _ in _numbers(scenario, "", frozenset(NO_DATA)))
    return [way for path in paths for way in _ways(scenario, path.split("."))]


def _leads_nowhere(
    scenario: Scenario, entry: Source, place: str, ways: Callable[[], list[list[str]]]
) -> Iterator[Problem]:
    """Problem of an entry that matches no value. ways: see `_ways_of_numbers`."""
    if "*" in entry.path:
        if not any(_covers(entry, way) for way in ways()):
            yield Problem(
                place,
                "no value of the scenario matches this path. Correct the path, or remove this source",
            )
        return
    try:
        found = nodes_at(scenario, entry.path)[0]
    except BadInput as error:
        for problem in error.problems:
            yield Problem(
                place, f"the scenario has no number at this path: {problem.place}: {problem.message}"
            )
        return
    if found is None or (isinstance(found, tuple) and not found):
        yield Problem(place, "the scenario has no number at this path. Set the number, or remove this source")
