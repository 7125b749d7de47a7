"""The numbers of a scenario that a path means: leaves, and elements of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from ..model.values import Value
from ..quantities.catalogue import unit_of
from ..tree.declaration import Declaration, get, paths, reached
from ..tree.errors import BadInput, Problem, near
from ..tree.units import SI

XYZ = ("x", "y", "z")
WITHOUT_EFFECT = {
    "output": "says when samples are taken, which all cases share",
    "requirements": "is a limit, which changes no flight",
}
UNKNOWN_MOST = 8


@dataclass(frozen=True)
class Target:
    """One number, or list of numbers, of the scenario that a variation moves.

    path: of the whole leaf; index: of the element moved in it, () for all. leaf: the scenario's own value of
    the whole; marker: its unit and shape."""

    path: str
    index: tuple[int, ...]
    leaf: np.ndarray
    marker: SI

    @property
    def nominal(self) -> np.ndarray:
        """The scenario's own value of what is moved."""
        return np.asarray(self.leaf[self.index] if self.index else self.leaf, float)

    @property
    def name(self) -> str:
        """The path with the element, as `--vary` takes it."""
        return self.path + (f"[{', '.join(map(str, self.index))}]" if self.index else "")

    def read(self, raw: Any, signed: bool = False, single: bool = False) -> np.ndarray:
        """A level in SI from a number or a text. signed: a difference, which may be of any sign. single: a
        level by itself, which may be infinite where the input may. Raises UnitError."""
        shape = () if self.index else self.leaf.shape
        sure = not signed and not self.index
        signs = sure and self.marker.positive, sure and self.marker.nonnegative
        marker = SI(self.marker.unit, shape, *signs, endless=single and self.marker.endless)
        return marker(np.asarray(raw, float) if isinstance(raw, (np.number, np.ndarray)) else raw)


def reached_by(scenario: Any, path: str) -> list[Target] | None:
    """The numbers that a path means which is no leaf by itself, like a component of a vector; None for a
    leaf. Raises BadInput."""
    value = _get(scenario, path)
    return targets_of(scenario, path, path) if value is None or isinstance(value, Value) else None


def targets_of(scenario: Any, path: str, place: str) -> list[Target]:
    """The numbers that a path means. Raises BadInput."""
    match = re.fullmatch(r"(.*?)\s*\[\s*(\d+(?:\s*,\s*\d+)*)\s*\]", path)
    stem, index = (match[1], tuple(map(int, match[2].split(",")))) if match else (path, ())
    if "*" in stem:
        return _matching(scenario, stem, index, place)
    return [_target(scenario, stem, index, place)]


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
        text = f"nothing in the scenario fits '{pattern}'; {near(pattern.replace('*', ''), known)}"
        raise BadInput(Problem(place, text))
    ends = f".{last}" if last else ""
    return [_target(scenario, path + ends, index, place) for path in fitting]


def _target(scenario: Any, path: str, index: tuple[int, ...], place: str) -> Target:
    def refuse(text: str) -> BadInput:
        where = "" if place == path else f"{path}: "
        return BadInput(Problem(place, where + text))

    group = path.partition(".")[0]
    if group in WITHOUT_EFFECT and "." in path:
        raise refuse(f"{WITHOUT_EFFECT[group]}; vary what changes the flight")
    value, path, index = _found(scenario, path, index, refuse)
    if isinstance(value, Value):
        owner = reached(scenario, path.rpartition(".")[0])[0]
        marker: SI | None = SI(value.unit or unit_of(scenario, owner.quantity), ())
        path, value = f"{path}.magnitude", value.magnitude
    else:
        marker = _marker(scenario, path, value)
    if value is None and path.rpartition(".")[2] in ("count", "circle"):
        text = "says how many stand there, which makes another scenario of it; use --set, one for each run"
        raise refuse(text)
    if value is None:
        raise refuse("is not set in the scenario, so it has no place in the compiled program; set it there")
    if isinstance(value, Declaration) or (isinstance(value, tuple) and value):
        inside = [f"{path}.{inner}" for inner in paths(value) if isinstance(_get(value, inner), np.ndarray)]
        listed = f", like {', '.join(inside[:UNKNOWN_MOST])}" if inside else ""
        raise refuse(f"is a table; name a number in it{listed}")
    if marker is None or not isinstance(value, np.ndarray):
        raise refuse(_structure(path, value))
    try:
        value[index]
    except IndexError:
        sizes = " by ".join(map(str, value.shape)) or "one number"
        raise refuse(f"has no element {list(index)}; it is {sizes}, counted from 0") from None
    if index and len(index) < value.ndim:
        sizes, like = " by ".join(map(str, value.shape)), [*index, *[0] * (value.ndim - len(index))]
        raise refuse(f"{list(index)} is a row of {sizes} numbers; name one element, like {like}")
    return Target(path, index, value, marker)


def _found(scenario: Any, path: str, index: tuple[int, ...], refuse: Any) -> tuple[Any, str, tuple[int, ...]]:
    """The value at a path, which may end in x, y or z of a vector."""
    try:
        return get(scenario, path), path, index
    except BadInput as error:
        stem, _, last = path.rpartition(".")
        if last in XYZ and stem and not index:
            try:
                value = get(scenario, stem)
            except BadInput:
                value = None
            if isinstance(value, np.ndarray) and value.shape == (3,):
                return value, stem, (XYZ.index(last),)
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
        return f"is {what}, {shown}, which makes another program; interstage compare flies all formulations"
    return (
        f"is {what}, {shown}, not a number of a unit: it makes another program, and a sweep flies one."
        f" Fly a sweep for each, with --set {path}=..."
    )


def _marker(scenario: Any, path: str, value: Any) -> SI | None:
    """Unit and shape of the number at a path; None for what is none."""
    above, _, last = path.rpartition(".")
    owner = reached(scenario, above)[0] if above else scenario
    if not isinstance(owner, Declaration):
        return None
    fields = type(owner).model_fields
    field = fields.get(last) or next((f for f in fields.values() if f.alias == last), None)
    if field is None:
        return SI("1", np.shape(value))
    markers = [m for m in (*field.metadata, *_inside(field.annotation)) if isinstance(m, SI)]
    fitting = [m for m in markers if len(m.shape) == np.ndim(value)]
    return next(iter((*fitting, *markers)), None)


def _inside(annotation: Any) -> Iterator[Any]:
    for part in get_args(annotation):
        yield part
        yield from _inside(part)
