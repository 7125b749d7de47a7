"""Capability of effects whose states are converted for linear analysis, and of effects with commands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..answers import missing
from .part import Part
from .state import HasState

if TYPE_CHECKING:
    from ..here import Here
    from ..mechanism import Mechanism
    from ..point import CommandedAttitude


class LinearState(NamedTuple):
    """A state of linear analysis.

    `unit` is "" for none; `thing` is the item that moves, "tank lox"; `kind`: coordinate, rate of a
    coordinate, or neither."""

    name: str
    unit: str
    thing: str
    kind: str


class Linearizable(HasState):
    """A part whose states move with the bodies or depend on each other, so that linear analysis needs other
    coordinates."""

    @property
    def linear_states(self) -> tuple[LinearState, ...]:
        """Coordinates that replace its states in linear analysis; none if the states themselves serve."""
        return ()

    def to_linear(self, mechanism: Mechanism, x: Any, near: Any) -> Any:
        """Return these coordinates in a state x (coordinate, *cases).

        Small rotations count from the nearby state `near`, at which they are continuous."""
        raise missing(self, "to_linear")

    def from_linear(self, mechanism: Mechanism, x: Any, values: Any, near: Any) -> Any:
        """Return its states for `values` of the coordinates, with the bodies as in x."""
        raise missing(self, "from_linear")

    def restore(self, mechanism: Mechanism, x: Any) -> Any:
        """Return its states in x restored to all constraints that they obey, or None if they are free.

        The states can change in the directions in which this result can. Default: `normalize`."""
        return self.normalize(mechanism, x)


class Commands(Part):
    """A part that commands others: control laws and guidance."""

    @property
    def inputs(self) -> Mapping[str, str]:
        """SI units of the signals to which it adds `here.added`, by the names of their quantities."""
        return {}

    def commanded_attitude(self, here: Here) -> CommandedAttitude | None:
        """Return the commanded attitude of bodies that fly as a point mass (`Scenario.attitude`), or None."""
        return None
