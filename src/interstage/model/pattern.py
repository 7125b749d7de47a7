"""Patterns: declarations that represent `count` identical members, for example on a `circle`.

Patterns are expanded before any other processing (`expansion`). The engine reads each member as a separate
declaration.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np
from pydantic import StrictInt, model_validator

from ..tree.declaration import Declaration
from ..tree.errors import Refused
from ..tree.units import si
from .frames import attitude_matrix

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
ANY_KIND = ""
"""Key of a class in a group without kinds, such as `bodies`."""
OF_CHILD = ("child_at", "child_frame", "child_axis", "plate")
"""Fields whose values belong to the child. Other values belong to the parent, or to the only body."""


class Circle(Declaration):
    """A circle on which the members of a pattern have equal angular spacing. The declared points and
    directions apply to the angle zero. For each member, the vectors are rotated right-handed about the axis,
    in the structural axes of their body. On copies of a body they are not rotated, because the copies are
    rotated. Default: the axis passes through the origin of the structural coordinates of the body; see
    `radius`.
    """

    axis: Literal["x", "y", "z"]
    """Axis of the circle, in the structural axes of each body with a point."""
    radius: Annotated[Any, si("m", positive=True)] | None = None
    """Radius [m]. If set, the declared points are the centre of the circle on each body. The direction of the
    angle zero is then y for the axis x, z for y, and x for z. Default: declaration of the points lie on the
    circle in the scenario."""
    first: Annotated[Any, si("rad")] = 0.0
    """Angle of the first member [rad]. The other members follow at equal angles around the circle."""

    def placement(self, step: int, count: int) -> Placement:
        """Return the rotation and the offset of a member.

        step: number of the member, from 0. count: number of members.
        """
        axis = "xyz".index(self.axis)
        angle = float(self.first) + 2 * np.pi * step / count
        cosine, sine = np.cos(angle), np.sin(angle)
        one, two = (axis + 1) % 3, (axis + 2) % 3
        turn = np.eye(3)
        turn[[one, one, two, two], [one, two, one, two]] = cosine, -sine, sine, cosine
        turn[np.abs(turn) < ROUNDING] = 0.0
        return Placement(turn, None if self.radius is None else float(self.radius) * turn[:, one])


class Placement(NamedTuple):
    """The rotation of a member of a pattern, and its place on the circle.

    - turn: rotation matrix (3, 3).
    - offset: vector from the centre of the circle [m] (3,), or None if the declared points are on the circle.
    """

    turn: np.ndarray
    offset: np.ndarray | None

    def point(self, point: Any) -> np.ndarray:
        """Return a point [m] (3, *cases) of the member."""
        if self.offset is None:
            return self.direction(point)
        return point + self.offset.reshape((3,) + (1,) * (np.ndim(point) - 1))

    def direction(self, direction: Any) -> np.ndarray:
        """Return a direction (3, *cases) of the member."""
        return np.tensordot(self.turn, direction, 1)

    def frame(self, attitude: Any) -> dict[str, np.ndarray]:
        """Return an orientation of the member as the table of an `Attitude`. `attitude`: None for parallel
        axes."""
        return {"matrix": np.tensordot(self.turn, attitude_matrix(attitude), 1)}


class Repeatable(Declaration):
    """Base class of declarations that can represent several identical members."""

    points: ClassVar[tuple[str, ...]] = ()
    """Fields that hold a point of a body."""
    directions: ClassVar[tuple[str, ...]] = ()
    """Fields that hold a direction in a body."""
    frames: ClassVar[tuple[str, ...]] = ()
    """Fields that hold the orientation of axes in a body."""

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
        """Raise `Refused` if the circle does not apply to the fields of this declaration."""
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
        if circle.radius is None and not any(off_axis(point, axis) for point in found.values()):
            text = (
                f"'circle' rotates points about its axis ({circle.axis} through the origin), but these "
                f"points lie on this axis: {', '.join(found)}."
            )
            raise Refused(("circle", f"{text} Set 'radius', or move the points off the axis"))

    def values_of_member(self, placement: Placement, on_copies: Callable[[str], bool]) -> dict[str, Any]:
        """Return the fields of one member that differ from the declared values.

        - placement: rotation and offset of the member.
        - on_copies: function of a name of a body field, such as "child". It returns whether the body is a
          copy, whose values are not rotated.
        """
        kinds = ((self.points, placement.point), (self.directions, placement.direction))
        values = {
            name: rotate(getattr(self, name))
            for names, rotate in kinds
            for name in names
            if getattr(self, name) is not None and not on_copies(self.body_field(name))
        }
        framed = [name for name in self.frames if not on_copies(self.body_field(name))]
        return values | {name: placement.frame(getattr(self, name)) for name in framed}

    @classmethod
    def body_field(cls, name: str) -> str:
        """Return the field with the body to which a point, direction or orientation belongs."""
        return "child" if name in OF_CHILD else "parent" if "parent" in cls.model_fields else "body"

    @property
    def varying_fields(self) -> tuple[str, ...]:
        """Names of the fields that differ between the members of a pattern."""
        return self.fields_of_place()

    @classmethod
    def fields_of_place(cls) -> tuple[str, ...]:
        """Return the names of the fields that a circle can change."""
        return (*cls.points, *cls.directions, *cls.frames)


def off_axis(point: Any, axis: int) -> bool:
    """Return whether a point (3, *cases) [m] is off a coordinate axis. `axis`: 0, 1 or 2."""
    if not isinstance(point, np.ndarray):
        return True
    return bool((np.abs(np.delete(point, axis, axis=0)) > ON_AXIS).any())


def kinds_in(choices: Mapping[str, type[Declaration]]) -> dict[str, type[Repeatable]]:
    """Return the classes of a group that can have patterns, by kind. `choices`: all classes of the group."""
    return {_kind_of(c): c for c in choices.values() if issubclass(c, Repeatable)}


def _kind_of(cls: type[Repeatable]) -> str:
    kind = cls.model_fields["kind"].default if "kind" in cls.model_fields else ANY_KIND
    return kind if isinstance(kind, str) else ANY_KIND


def class_of(kinds: Mapping[str, type[Repeatable]], kind: Any) -> type[Repeatable] | None:
    """Return the class of an entry of a group. `kinds`: the classes by kind. `kind`: value of the key
    `kind`."""
    if ANY_KIND in kinds:
        return kinds[ANY_KIND]
    return kinds.get(kind) if isinstance(kind, str) else None


def value_of(entry: Any, key: str) -> Any:
    """Return the value of a key in an entry of a group, which is a table or a declaration. Return None for
    other entries."""
    if isinstance(entry, dict):
        return entry.get(key)
    return getattr(entry, key, None) if isinstance(entry, Declaration) else None


def for_member(value: Any, member: str) -> Any:
    """Return a value of a pattern for one member: in texts, # is replaced by the number of the member."""
    return with_number(value, int(member.rpartition("_")[2]))


def with_number(value: Any, number: int) -> Any:
    """Return a value in whose texts # is replaced by the number of a member."""
    if isinstance(value, str):
        return value.replace(NUMBER, str(number))
    if isinstance(value, list | tuple):
        return [with_number(item, number) for item in value]
    if isinstance(value, dict):
        return {key: with_number(item, number) for key, item in value.items()}
    return value


def possible_names(name: str, entry: Any) -> list[str]:
    """Return the names of the members of a faulty pattern.

    If the number of members is not known, the result is one empty name. Without `count`, the result is empty.
    """
    count = value_of(entry, "count")
    if count is None:
        # A table without its count, or another value in place of the table.
        return [""] if value_of(entry, "circle") is not None else []
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
