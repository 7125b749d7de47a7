"""Find the numeric inputs of a scenario that a path selects: numbers, arrays, and elements of arrays."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..model.values import Value
from ..quantities.catalogue import unit_of
from ..tree.addresses import (
    XYZ,
    alike,
    component,
    differs_by_member,
    differs_by_place,
    element,
    get,
    label,
    marker_of,
    no_element,
    nodes_at,
    paths,
    pattern_of,
    with_entries,
)
from ..tree.declaration import Declaration
from ..tree.errors import BadInput, Problem
from ..tree.similar_names import near
from ..tree.units import SI

WITHOUT_EFFECT = {
    "output": "sets the sample times, which are the same for all cases",
    "requirements": "is a limit and does not change the flight",
}
UNKNOWN_MOST = 8


@dataclass(frozen=True)
class Target:
    """Numeric input of a scenario that a variation changes: a number, an array, or an element of an array.

    - path: path of the number or array.
    - index: index of the changed element; () for the complete array.
    - leaf: value of the complete array in the scenario.
    - marker: unit, shape and allowed range of the array.
    """

    path: str
    index: tuple[int, ...]
    leaf: np.ndarray
    marker: SI

    @property
    def nominal(self) -> np.ndarray:
        """Return the value that the scenario has for this input, in SI units."""
        return np.asarray(self.leaf[self.index] if self.index else self.leaf, float)

    @property
    def name(self) -> str:
        """Return the path with the index of the element in brackets, as in the option `--vary`."""
        return self.path + (f"[{', '.join(map(str, self.index))}]" if self.index else "")

    def read(self, raw: Any, signed: bool = False, single: bool = False) -> np.ndarray:
        """Convert a number, or a text with a unit, to a value in SI units. Raises UnitError.

        - raw: number, array or text. A number is in SI units.
        - signed: true if the value is a difference, which can have any sign.
        - single: true if the value may be infinite, provided that the input may be infinite.
        """
        alone = self.marker.grow and self.leaf.shape == (1,)
        shape = () if self.index and not alone else self.leaf.shape
        sure = not signed and (alone or not self.index)
        signs = sure and self.marker.positive, sure and self.marker.nonnegative
        endless = single and self.marker.endless
        sign = {"positive": signs[0], "nonnegative": signs[1], "endless": endless}
        within = self.marker.within if sure else None
        # Of its own kind, which may take any unit.
        marker = replace(self.marker, shape=shape, grow=alone, within=within, **sign)
        if isinstance(raw, (np.number, np.ndarray)):
            raw = np.asarray(raw, float)
            raw = raw[None] if alone and not raw.ndim else raw
        found = marker(raw)
        return found[0] if alone else found


def targets_of(scenario: Any, path: str, place: str) -> list[Target]:
    """Return the numeric inputs that a path selects.

    - path: path of an input. A path with * or with the name of a pattern can select several inputs.
    - place: location that error messages name.

    Raises BadInput if the path selects no input that can be varied.
    """
    stem, index = element(with_entries(path))
    if "*" in stem:
        return _matching(scenario, stem, index, place)
    members = _by_member(scenario, stem)
    if not members or _alike(scenario, stem):
        return [_target(scenario, stem, index, place)]
    return [_target(scenario, own, index, place) for own in members]


def _by_member(scenario: Any, path: str) -> list[str]:
    """The paths of the members where a path uses the name of a pattern, else none. Raises BadInput for values
    that are turned from member to member."""
    group, _, rest = path.partition(".")
    name, _, inner = rest.partition(".")
    entries = getattr(scenario, group, ())
    entries = entries if isinstance(entries, tuple) else ()
    members = [one for one in entries if pattern_of(one) == name]
    if not inner or any(label(one, i) == name for i, one in enumerate(entries)):
        return []
    if members and differs_by_place(members, inner):
        raise BadInput(Problem(path, differs_by_member(members)))
    return [f"{group}.{one.name}.{inner}" for one in members]


def _alike(scenario: Any, path: str) -> bool:
    """Whether all members of a pattern have the same there, or none has it."""
    stem, _, last = path.rpartition(".")
    for way in (path, stem) if last in XYZ else (path,):
        with suppress(BadInput):
            return alike(nodes_at(scenario, way))
    return True


def clashes(scenario: Any, named: Iterable[tuple[str, Target]]) -> Iterator[tuple[str, str, Target]]:
    """Yield each input that two variations change: (name, name of the earlier variation, input).

    named: (name, input) of the variations. A pattern also clashes with each of its members.
    """
    seen: dict[Any, str] = {}
    for name, target in named:
        elements = [target.index] if target.index else list(np.ndindex(target.leaf.shape))
        ways = _by_member(scenario, target.path) or [target.path]
        keys = [(way, one) for way in ways for one in elements]
        other = next((seen[key] for key in keys if key in seen), None)
        if other is not None:
            yield name, other, target
        seen |= dict.fromkeys(keys, name)


def _matching(scenario: Any, pattern: str, index: tuple[int, ...], place: str) -> list[Target]:
    """All numbers that a pattern fits, * standing for any part of a name."""
    known = paths(scenario)
    steps, last = pattern, ""
    for steps, last in ((pattern, ""), pattern.rpartition(".")[::2]):
        wanted = re.compile("[^.]*".join(map(re.escape, steps.split("*"))))
        fitting = [path for path in known if wanted.fullmatch(path)]
        if fitting and (not last or last in XYZ):
            break
    else:
        text = f"no value of the scenario matches '{pattern}'; {near(pattern.replace('*', ''), known)}"
        raise BadInput(Problem(place, text))
    ends = f".{last}" if last else ""
    return [_target(scenario, path + ends, index, place) for path in fitting]


def _target(scenario: Any, path: str, index: tuple[int, ...], place: str) -> Target:
    def refuse(text: str) -> BadInput:
        where = "" if element(place)[0] == path else f"{path}: "
        return BadInput(Problem(place, where + text))

    steps = path.split(".")
    group = steps[2] if steps[0] == "legs" and len(steps) > 2 else steps[0]
    if group in WITHOUT_EFFECT and "." in path:
        raise refuse(f"the input {WITHOUT_EFFECT[group]}. Vary an input of the flight")
    value, path, index = _value_at(scenario, path, index, refuse)
    if isinstance(value, Value):
        owner = nodes_at(scenario, path.rpartition(".")[0])[0]
        quantity = _quantity_of(owner, path.rpartition(".")[2])
        marker: SI | None = SI(value.unit or unit_of(scenario, quantity), ())
        path, value = f"{path}.magnitude", value.magnitude
    else:
        above, _, last = path.rpartition(".")
        marker = marker_of(nodes_at(scenario, above)[0] if above else scenario, last, value)
    if value is None and path.rpartition(".")[2] in ("count", "circle"):
        text = (
            "the input changes the number of members of a pattern, and thus the structure of the scenario, "
            "so that the input cannot be varied."
        )
        text += " Run one flight for each value, with --set"
        raise refuse(text)
    if value is None:
        raise refuse(
            "the input is not set in the scenario and cannot be varied. Set this key in the scenario"
        )
    if isinstance(value, Declaration) or (isinstance(value, tuple) and value):
        inside = numbers_in(scenario, path)
        listed = f", for example {', '.join(inside[:UNKNOWN_MOST])}" if inside else ""
        raise refuse(f"the input is a table, not a number. Give the path of a number in the table{listed}")
    if marker is None or not isinstance(value, np.ndarray):
        raise refuse(_structure(path, value))
    if wrong := no_element(value, index):
        raise refuse(wrong)
    if marker.grow and value.shape == (1,):
        index = (0,)  # one number stands for a list of one
    return Target(path, index, value, marker)


def numbers_in(scenario: Any, path: str) -> list[str]:
    """Return the paths of all numeric inputs in the table of a scenario.

    path: path of the table. An array is represented by its first element.
    """
    table = _get(scenario, path)
    found = []
    for inner in paths(table) if isinstance(table, Declaration | tuple) else []:
        value = _get(table, inner)
        if isinstance(value, np.ndarray) and value.size:
            found.append(f"{path}.{inner}" + (f"[{', '.join('0' * value.ndim)}]" if value.ndim else ""))
    return found


def _quantity_of(owner: Any, field: str) -> str:
    """The quantity of which a value in a field is."""
    fields = {value: quantity for quantity, value in getattr(owner, "watched", ())}
    return getattr(owner, fields.get(field, "quantity"))


def _value_at(
    scenario: Any, path: str, index: tuple[int, ...], refuse: Any
) -> tuple[Any, str, tuple[int, ...]]:
    """The value at a path, which may end in x, y or z of a vector."""
    try:
        return get(scenario, path), path, index
    except BadInput as error:
        stem, _, last = path.rpartition(".")
        value = _get(scenario, stem) if stem and not index else None
        if own := component(value, last):
            return value, stem, own
        (problem, *_) = error.problems
        raise refuse(
            problem.message if problem.place == path else f"{problem.place}: {problem.message}"
        ) from None


def _get(node: Any, path: str) -> Any:
    """The value at a path in it, or none."""
    try:
        return get(node, path)
    except BadInput:
        return None


def _structure(path: str, value: Any) -> str:
    shown = str(value).lower() if isinstance(value, bool) else repr(value)
    what = "a flag" if isinstance(value, bool) else "a text" if isinstance(value, str) else "a choice"
    if path.startswith("solver.formulation"):
        return (
            f"the input is {what} ({shown}) and cannot be varied. Run all formulations with"
            " interstage compare"
        )
    return (
        f"the input is {what} ({shown}), not a number, and cannot be varied. Run one study for each value,"
        f" with --set {path}=..."
    )
