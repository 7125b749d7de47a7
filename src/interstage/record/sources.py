"""Find the values that a scenario sets, and their sources.

A value is set if it differs from its default. So the result is the same for a scenario from a saved flight,
which contains every default. Settings of the solver and of the output are not included, because they do not
describe the vehicle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
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
"""Groups of a scenario whose numbers need no source."""
JUDGEMENT = "judgement"


@dataclass(frozen=True)
class Number:
    """Value or array of a scenario that differs from its default.

    - path: path of the value.
    - value, unit: value in SI.
    - source: entry in the table of sources, or None.
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
    """Return the source entry for a path: of all matching entries the entry with the longest path, then the
    last entry.

    An entry also matches the members of a pattern. Return None if no entry matches."""
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
    """Return a sentence that counts values with confidence "judgement" and values without a source.

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
    """Yield problems of source entries that match no value, or that occur twice.

    faulty: names of invalid items by group, or groups without names. Their entries are not checked.
    """
    left_out = faulty or {}
    out = {name for names in left_out.values() for name in names}
    seen: set[str] = set()
    for entry in scenario.sources:
        place = f"sources.{entry.path}"
        if entry.path in seen:
            yield Problem(place, "the path is listed twice. Remove one entry")
        seen.add(entry.path)
        # An entry for a complete group, or a group that is omitted completely.
        part, *inside = entry.steps
        judged = part not in left_out or (inside and left_out[part])
        if judged and not any(fnmatchcase(name, step) for step in inside for name in out):
            yield from _leads_nowhere(scenario, entry, place)


def _leads_nowhere(scenario: Scenario, entry: Source, place: str) -> Iterator[Problem]:
    if "*" in entry.path:
        paths = [path for path, _, _ in _numbers(scenario, "", frozenset(NO_DATA))]
        if not any(_covers(entry, way) for path in paths for way in _ways(scenario, path.split("."))):
            yield Problem(
                place,
                "no value of the scenario matches this path. Correct the path, or remove the entry",
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
        yield Problem(place, "the scenario has no number at this path. Set the number, or remove the entry")
