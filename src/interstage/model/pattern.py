"""Patterns: declarations that represent `count` identical members, for example on a `circle`.

Patterns are expanded before any other processing. The engine reads each member as a separate declaration.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import StrictInt, model_validator

from ..tree.declaration import Declaration
from ..tree.errors import BadInput, Refused
from ..tree.units import si

MOST_MEMBERS = 1000
"""Maximum number of members of a pattern."""
ON_AXIS = 1e-9
"""A point counts as on the axis of a circle if its distance [m] from the axis is below this number."""
ROUNDING = 16 * np.finfo(float).eps
"""Limit below which a sine or cosine is set to zero, so that multiples of 90 deg are exact.

Angles of several revolutions have rounding errors of this size.
"""
NUMBER = "#"
"""Placeholder for the number of a member in the texts of a pattern."""
ACTIONS = ("fire", "ignite", "shut_down")
"""Actions of phases and events in which the name of a pattern refers to all of its members."""


class Circle(Declaration):
    """A circle on which the members of a pattern have equal angular spacing. The declared points and
    directions apply to the angle zero. For each member, the vectors are rotated right-handed about the axis,
    in the structural axes of their body. Default: the axis passes through the origin of the structural
    coordinates of the body; see `radius`.
    """

    axis: Literal["x", "y", "z"]
    """Axis of the circle, in the structural axes of each body with a point."""
    radius: Annotated[Any, si("m", positive=True)] | None = None
    """Radius [m]. If set, the declared points are the centre of the circle on each body. The direction of the
    angle zero is then y for the axis x, z for y, and x for z. Default: declaration of the points lie on the
    circle in the scenario."""
    first: Annotated[Any, si("rad")] = 0.0
    """Angle of the first member [rad]. The other members follow at equal angles around the circle."""


class Repeatable(Declaration):
    """Base class of declarations that can represent several identical members."""

    points: ClassVar[tuple[str, ...]] = ()
    """Fields that hold a point of a body."""
    directions: ClassVar[tuple[str, ...]] = ()
    """Fields that hold a direction in a body."""

    count: StrictInt | None = None
    """Number of equal members. The members of "spring" have the names spring_1, spring_2 and so on. In paths,
    `fire`, `ignite` and `shut_down`, the name "spring" refers to all members. In texts, # stands for the
    number of the member. Default: a single entry."""
    circle: Circle | None = None
    """Circle on which the members have equal angular spacing. Default: all members at one position."""
    pattern: str | None = None
    """Name of the pattern of this member. Only saved scenarios, in which patterns are expanded, contain this
    key."""

    @model_validator(mode="after")
    def _pattern(self) -> Repeatable:
        if self.count is not None and not 1 <= self.count <= MOST_MEMBERS:
            raise Refused(
                ("count", (f"count = {self.count} is out of range. Give 1 to {MOST_MEMBERS} members"))
            )
        if self.circle is not None:
            if self.count is None:
                raise Refused(
                    ("count", ("'count' is required with circle. Give the number of members, for example 4"))
                )
            self._on_circle(self.circle)
        return self

    def _on_circle(self, circle: Circle) -> None:
        found = {name: getattr(self, name) for name in self.points if getattr(self, name) is not None}
        axis = "xyz".index(circle.axis)
        if not self.points:
            raise Refused(
                ("circle", ("'circle' does not apply, because this kind has no points. Remove 'circle'"))
            )
        if not found:
            named = " and ".join(self.points)
            raise Refused(
                ("circle", (f"'circle' has no point to rotate. Set {named}, in structural coordinates"))
            )
        if circle.radius is None and not any(_off_axis(point, axis) for point in found.values()):
            text = (
                f"'circle' rotates points about its axis ({circle.axis} through the origin), but these "
                f"points lie on this axis: {', '.join(found)}."
            )
            raise Refused(("circle", f"{text} Set 'radius', or move the points off the axis"))

    @property
    def varying_fields(self) -> tuple[str, ...]:
        """Names of the fields that differ between the members of a pattern."""
        return (*self.points, *self.directions)


def _off_axis(point: Any, axis: int) -> bool:
    if not isinstance(point, np.ndarray):
        return True
    return bool((np.abs(np.delete(point, axis, axis=0)) > ON_AXIS).any())


def kinds_in(choices: Mapping[str, type[Declaration]]) -> dict[str, type[Repeatable]]:
    """Return the classes of a group that can have patterns, by kind. `choices`: all classes of the group."""
    return {c.model_fields["kind"].default: c for c in choices.values() if issubclass(c, Repeatable)}


def written_out(data: dict[str, Any], kinds: Mapping[str, Mapping[str, type[Repeatable]]]) -> dict[str, Any]:
    """Return the tables of a scenario with all patterns expanded.

    `kinds`: class by group and kind. A faulty pattern stays unchanged, so that each of its faults is reported
    once.
    """
    found: dict[str, list[str]] = {}
    changed: dict[str, Any] = {}
    for group in kinds.keys() & data.keys():
        entries = _named_entries(data[group])
        if not any(_has_count(entry) for _, entry in entries):
            continue
        rest: list[tuple[str | None, Any]] = []
        for name, entry in entries:
            members = _members(entry, kinds[group]) if _has_count(entry) else None
            if members is None:
                rest.append((name, entry))
                continue
            rest += [(member["name"], member) for member in members]
            found[_value(entry, "name")] = [member["name"] for member in members]
        changed[group] = _as_given(data[group], rest)
    if not changed:
        return data
    changed |= _acting_in(data, found)
    if isinstance(data.get("legs"), dict | list | tuple):
        legs = [
            (name, leg | _acting_in(leg, found) if isinstance(leg, dict) else leg)
            for name, leg in _named_entries(data["legs"])
        ]
        changed["legs"] = _as_given(data["legs"], legs)
    return data | changed


def _acting_in(data: Mapping[str, Any], found: Mapping[str, list[str]]) -> dict[str, Any]:
    """The phases and events of a scenario or a leg. In their actions, the names of members replace the names
    of patterns."""
    changed = {}
    for group in {"phases", "events"} & data.keys():
        if isinstance(data[group], dict | list | tuple):
            acting = [(name, _acting(entry, found)) for name, entry in _named_entries(data[group])]
            changed[group] = _as_given(data[group], acting)
    return changed


def _named_entries(group: Any) -> list[tuple[str | None, Any]]:
    """(name of the table, entry with its name) of the entries of a group."""
    if isinstance(group, dict):
        return [
            (key, {"name": key, **item} if isinstance(item, dict) else item) for key, item in group.items()
        ]
    return [(None, item) for item in group] if isinstance(group, list | tuple) else []


def _as_given(group: Any, entries: list[tuple[str | None, Any]]) -> Any:
    """Entries in the form of the original group: as tables by name if the group had this form and no name is
    repeated, otherwise as a list."""
    by_name = dict(entries)
    if isinstance(group, dict) and len(by_name) == len(entries):
        return by_name
    return [entry for _, entry in entries]


def _value(entry: Any, key: str) -> Any:
    return entry.get(key) if isinstance(entry, dict) else getattr(entry, key, None)


def _has_count(entry: Any) -> bool:
    return _value(entry, "count") is not None


def _members(entry: Any, kinds: Mapping[str, type[Repeatable]]) -> list[dict[str, Any]] | None:
    """The members of a pattern, as tables; None if it cannot be expanded."""
    kind = _value(entry, "kind")
    cls = kinds.get(kind) if isinstance(kind, str) else None
    if cls is None:
        return None
    if isinstance(entry, Declaration):
        entry = {name: getattr(entry, name) for name in entry.model_fields_set}
    try:
        whole = cls(**entry)
    except (BadInput, TypeError):  # a key that is not a text
        return None
    given = {key: value for key, value in entry.items() if key not in ("count", "circle", "name")}
    name = entry["name"]
    return [
        {"name": f"{name}_{n}", "pattern": name}
        | {key: value if key == "kind" else _with_number(value, n) for key, value in given.items()}
        | dict(_places(whole, n - 1))
        for n in range(1, (whole.count or 0) + 1)
    ]


def for_member(value: Any, member: str) -> Any:
    """Return a value of a pattern for one member: in texts, # is replaced by the number of the member."""
    return _with_number(value, int(member.rpartition("_")[2]))


def _with_number(value: Any, number: int) -> Any:
    """A value in whose texts # is replaced by the number of a member."""
    if isinstance(value, str):
        return value.replace(NUMBER, str(number))
    if isinstance(value, list | tuple):
        return [_with_number(item, number) for item in value]
    if isinstance(value, dict):
        return {key: _with_number(item, number) for key, item in value.items()}
    return value


def _places(whole: Repeatable, step: int) -> Iterator[tuple[str, np.ndarray]]:
    """Rotated points and directions of a member."""
    circle = whole.circle
    if circle is None or whole.count is None:
        return
    axis = "xyz".index(circle.axis)
    angle = float(circle.first) + 2 * np.pi * step / whole.count
    cosine, sine = np.cos(angle), np.sin(angle)
    one, two = (axis + 1) % 3, (axis + 2) % 3
    turn = np.eye(3)
    turn[[one, one, two, two], [one, two, one, two]] = cosine, -sine, sine, cosine
    turn[np.abs(turn) < ROUNDING] = 0.0
    for field in whole.directions:
        if getattr(whole, field) is not None:
            yield field, np.tensordot(turn, getattr(whole, field), 1)
    for field in whole.points:
        point = getattr(whole, field)
        if point is None:
            continue
        if circle.radius is None:
            yield field, np.tensordot(turn, point, 1)
        else:
            out = turn[:, one].reshape((3,) + (1,) * (np.ndim(point) - 1))
            yield field, point + float(circle.radius) * out


def _acting(entry: Any, found: Mapping[str, list[str]]) -> Any:
    """A phase or event in whose actions the names of members replace the names of their patterns."""
    if not isinstance(entry, dict):
        return entry
    return entry | {
        key: [member for name in entry[key] for member in _name_members(name, found)]
        for key in ACTIONS
        if isinstance(entry.get(key), list | tuple)
    }


def _name_members(name: Any, found: Mapping[str, list[str]]) -> list[Any]:
    return found.get(name, [name]) if isinstance(name, str) else [name]


def possible_names(name: str, entry: Any) -> list[str]:
    """Return the names of the members of a faulty pattern.

    If the number of members is not known, the result is one empty name. Without `count`, the result is empty.
    """
    count = _value(entry, "count")
    if count is None:
        return []
    if not isinstance(count, int) or not 1 <= count <= MOST_MEMBERS:
        return [""]
    return [f"{name}_{n}" for n in range(1, count + 1)]


def whole_place(place: str, patterns: Mapping[tuple[str, str], str]) -> str:
    """Return the path in the pattern for a path in one of its members.

    `patterns`: name of the pattern by (group, member). All other paths are returned unchanged.
    """
    return re.sub(
        r"^([^.]+)\.([^.]+)", lambda m: f"{m[1]}.{patterns.get((m[1], m[2]), m[2])}", place, count=1
    )
