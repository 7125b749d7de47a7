"""Capability of flexible bodies: attachment nodes that move in their bodies, and modal coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..answers import missing
from .state import HasState

if TYPE_CHECKING:
    from ...model.attachments import Motion
    from ..here import Here
    from ..mechanism import Mechanism
    from ..state import Discrete

StationKey = tuple[str, str, str]
"""What is attached to a node: class and name of its declaration, and its end, "parent", "child" or "body"."""


class Flexible(HasState):
    """A part that moves attachment nodes within bodies by coordinates among its states.

    Motion and loads of a node are those of one more body, after the ground."""

    def weighed(self, mechanism: Mechanism, x: Any, discrete: Discrete) -> Mechanism:
        """Return the mechanism with the modes of a state, if they change with mass."""
        return mechanism

    @property
    def stations(self) -> tuple[StationKey, ...]:
        """What is attached to its nodes, in the order of the nodes."""
        return ()

    @property
    def station_bodies(self) -> Sequence[int]:
        """Index of the body of each node."""
        raise missing(self, "station_bodies")

    def station_places(self, own: Any) -> Any:
        """Return the undeformed positions of the nodes (3, node, *cases) [m], structural coordinates."""
        raise missing(self, "station_places")

    def stationed(self, mechanism: Mechanism, x: Any, motion: Motion) -> Motion:
        """Return the motion of the nodes of bodies with `motion`."""
        raise missing(self, "stationed")

    @property
    def follows(self) -> bool:
        """Whether nodes also move because masses change; see `drifting`."""
        return False

    def drifting(self, here: Here) -> Motion:
        """Return the motion of the nodes including the change of mass, if it `follows` it."""
        raise missing(self, "drifting")

    def felt(self, mechanism: Mechanism, x: Any, motion: Motion, loads: Any, which: Any) -> tuple[Any, Any]:
        """Return `loads` (6, load, *cases) on nodes as loads on their bodies (6, load, *cases) and as
        generalized loads (freedom, load, *cases). which: indices of the loaded nodes (load,), static."""
        raise missing(self, "felt")

    def accelerated(self, here: Here, acceleration: Any, second: Any) -> Any:
        """Return the accelerations of the nodes (6, node, *cases).

        acceleration: of the bodies. second: of its degrees of freedom (freedom, *cases)."""
        raise missing(self, "accelerated")

    @property
    def freedoms(self) -> Sequence[int]:
        """Index of the body of each degree of freedom. Loads on nodes and joints at nodes move them, too."""
        return ()

    def freedom_masses(self, own: Any) -> Any:
        """Return the generalized masses [kg] (freedom, *cases)."""
        raise missing(self, "freedom_masses")

    def freedom_rates(self, own: Any) -> Any:
        """Return the rates of the degrees of freedom (freedom, *cases), which are among its states."""
        raise missing(self, "freedom_rates")

    def unloaded(self, here: Here) -> Any:
        """Return the accelerations of the degrees of freedom (freedom, *cases) without loads on nodes."""
        raise missing(self, "unloaded")

    def displaced(self, own: Any, by: Any, jump: Any) -> Any:
        """Return its states with degrees of freedom moved by `by` and rates changed by `jump` (freedom,
        *cases)."""
        raise missing(self, "displaced")
