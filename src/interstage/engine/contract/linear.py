"""Base classes for models with special coordinates in linear analysis, and for models that command other
models."""

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
    """Coordinate that replaces a model state in linear analysis.

    - name: name of the coordinate.
    - unit: SI unit; "" for none.
    - thing: label of the moving item, for example "tank lox".
    - kind: "coordinate", "rate" (of a coordinate), or another text."""

    name: str
    unit: str
    thing: str
    kind: str


class Linearizable(HasState):
    """Base class of a model that supplies its own coordinates for linear analysis.

    Needed if the states move with the bodies or depend on each other."""

    @property
    def linear_states(self) -> tuple[LinearState, ...]:
        """Return the coordinates that replace the states of this model in linear analysis.

        Default: an empty tuple; linear analysis uses the states."""
        return ()

    def to_linear(self, mechanism: Mechanism, x: Any, near: Any) -> Any:
        """Return the coordinates of linear analysis for a state x, shape (coordinate, *cases).

        near: a nearby state. Small rotations are measured from this state, so that the coordinates are
        continuous."""
        raise missing(self, "to_linear")

    def from_linear(self, mechanism: Mechanism, x: Any, values: Any, near: Any) -> Any:
        """Return the states of this model (`states`, *cases) for given coordinates of linear analysis.

        - values: the coordinates (coordinate, *cases).
        - x: state with the positions of the bodies.
        - near: as in `to_linear`."""
        raise missing(self, "from_linear")

    def restore(self, mechanism: Mechanism, x: Any) -> Any:
        """Return the states of this model in x, projected onto their constraints. None if there are no
        constraints.

        Linear analysis perturbs the states only along directions that the projection preserves. Default:
        the result of `normalize`."""
        return self.normalize(mechanism, x)


class Commands(Part):
    """Base class of a model that commands other models, for example a control law or a guidance law."""

    @property
    def inputs(self) -> Mapping[str, str]:
        """Return the SI units of the input signals of this model, by signal name. Default: no signals.

        The model adds `here.added` to each of these signals."""
        return {}

    def commanded_attitude(self, here: Here) -> CommandedAttitude | None:
        """Return the commanded attitude of bodies that fly as a point mass (`Scenario.attitude`). Default:
        None, no command."""
        return None
