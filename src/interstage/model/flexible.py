"""Base class of declarations of flexible bodies, with their modes, mode shapes at points, and attachments to
these points.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .effect import Effect, effects

ATTACHED_FIRST = ("joints", "forces", "devices")
"""Groups whose attachments come first in the order of attachment nodes. The remaining groups follow in the
order of a scenario.
"""


class ModePoint(NamedTuple):
    """A point of a flexible body with its mode shapes.

    - at (3,) [m]: position, structural coordinates.
    - shape (mode, 3) [1]: displacements per unit modal coordinate.
    - turn (mode, 3) [rad/m]: rotations per unit modal coordinate.
    - mass [kg]: lumped mass, or None.
    """

    name: str
    at: Any
    shape: Any
    turn: Any
    mass: Any


class ModeSet(NamedTuple):
    """Modes of a flexible body at one propellant mass.

    - propellant [kg]: propellant mass; None for a body of constant mass.
    - frequency [rad/s], mass [kg], damping [1] (mode): natural frequencies, generalized masses and damping
      ratios. Mass and damping may be a single number for all modes.
    - points: `ModePoint`, or declarations with the same fields.
    """

    propellant: Any
    frequency: Any
    mass: Any
    damping: Any
    points: Sequence[Any]


class FlexibleBody(Effect):
    """Base class of declarations that make a body flexible. Attachments then move with the deformed points of
    the body.
    """

    if TYPE_CHECKING:
        body: str
        coordinate: Any  # modal coordinates at the start (mode,) [m]; None for zero
        rate: Any  # their rates (mode,) [m/s]; None for zero

    @property
    def count(self) -> int:
        """Number of modes of the body."""
        raise NotImplementedError

    @property
    def at_levels(self) -> tuple[ModeSet, ...]:
        """Modes at each declared propellant mass, the largest last. A body of constant mass has one mode
        set.
        """
        raise NotImplementedError


class Attachment(NamedTuple):
    """Attachment of a declaration, for example a spring, to a flexible body.

    - item: the declaration.
    - group, index: location of the declaration in the scenario.
    - end: "parent", "child" or "body".
    - field: name of the field with the attachment point [m].
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
        """Return the attachment point [m] (3, *cases), structural coordinates, in a scenario of the same
        structure.
        """
        return getattr(getattr(scenario, self.group)[self.index], self.field)


def attachments(scenario: Any, bodies: Collection[str]) -> Iterator[Attachment]:
    """Yield the attachments to the named bodies, ordered by group, declaration and end. See
    `Effect.stands`.
    """
    others = (name for name in type(scenario).model_fields if name not in ATTACHED_FIRST)
    for group in (*ATTACHED_FIRST, *others):
        entries = getattr(scenario, group)
        for index, item in enumerate(entries if isinstance(entries, tuple) else ()):
            for end, field in getattr(item, "stands", ()):
                if getattr(item, end) in bodies:
                    yield Attachment(item, group, index, end, field)


def not_rigid(scenario: Any) -> set[str]:
    """Return the names of the flexible bodies."""
    return {one.body for one in effects(scenario) if isinstance(one, FlexibleBody)}
