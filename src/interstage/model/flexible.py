"""Flexible bodies as the engine reads them: modes, mode shapes at points, and attachments to the points."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .effect import Effect, effects

ATTACHED_FIRST = ("joints", "forces", "devices")
"""Groups whose attachments come first in the order of nodes. The other groups follow in the order of a
scenario."""


class ModePoint(NamedTuple):
    """A point with its shapes: position `at` (3,) [m], structural coordinates; displacements `shape` (mode,
    3) [1] and rotations `turn` (mode, 3) [rad/m] per unit modal coordinate; lumped mass [kg] or None."""

    name: str
    at: Any
    shape: Any
    turn: Any
    mass: Any


class ModeSet(NamedTuple):
    """Modes of a body at one level of its propellant [kg]; None for a body of constant mass.

    frequency [rad/s], generalized mass [kg], damping ratio [1] (mode). Mass and damping may have a single
    value for all modes. points: `ModePoint`, or declarations with the same fields.
    """

    propellant: Any
    frequency: Any
    mass: Any
    damping: Any
    points: Sequence[Any]


class FlexibleBody(Effect):
    """Declaration that makes a body flexible. Attachments then move with the deformed points of the body."""

    if TYPE_CHECKING:
        body: str
        coordinate: Any  # modal coordinates at the start (mode,) [m]; None for zero
        rate: Any  # their rates (mode,) [m/s]; None for zero

    @property
    def count(self) -> int:
        """Number of modes."""
        raise NotImplementedError

    @property
    def at_levels(self) -> tuple[ModeSet, ...]:
        """Modes at each level of the propellant, the highest level last. A body of constant mass has one
        level."""
        raise NotImplementedError


class Attachment(NamedTuple):
    """An end of a declaration at a flexible body.

    item: the declaration; group, index: its position in the scenario. end: "parent", "child" or "body".
    field: the field of the declaration with the attachment point [m].
    """

    item: Any
    group: str
    index: int
    end: str
    field: str

    @property
    def body(self) -> str:
        """Name of the flexible body."""
        return getattr(self.item, self.end)

    def point(self, scenario: Any) -> Any:
        """Attachment point (3, *cases) [m] in a scenario of the same structure, structural coordinates."""
        return getattr(getattr(scenario, self.group)[self.index], self.field)


def attachments(scenario: Any, bodies: Collection[str]) -> Iterator[Attachment]:
    """Yield the attachments on some bodies, by groups, declarations and ends; see `Effect.stands`."""
    others = (name for name in type(scenario).model_fields if name not in ATTACHED_FIRST)
    for group in (*ATTACHED_FIRST, *others):
        entries = getattr(scenario, group)
        for index, item in enumerate(entries if isinstance(entries, tuple) else ()):
            for end, field in getattr(item, "stands", ()):
                if getattr(item, end) in bodies:
                    yield Attachment(item, group, index, end, field)


def not_rigid(scenario: Any) -> set[str]:
    """Names of the flexible bodies."""
    return {one.body for one in effects(scenario) if isinstance(one, FlexibleBody)}
