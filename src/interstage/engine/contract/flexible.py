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

NodeKey = tuple[str, str, str]
"""What is attached to a node: class and name of its declaration, and its end, "parent", "child" or "body"."""


class Flexible(HasState):
    """A part that moves attachment nodes within bodies by coordinates among its states.

    Motion and loads of a node are those of one more body, after the ground."""

    def with_mass(self, mechanism: Mechanism, x: Any, discrete: Discrete) -> Mechanism:
        """Return the mechanism with the modes of a state, if they change with mass."""
        return mechanism

    @property
    def nodes(self) -> tuple[NodeKey, ...]:
        """What is attached to its nodes, in the order of the nodes."""
        return ()

    @property
    def node_bodies(self) -> Sequence[int]:
        """Index of the body of each node."""
        raise missing(self, "node_bodies")

    def node_positions(self, own: Any) -> Any:
        """Return the undeformed positions of the nodes (3, node, *cases) [m], structural coordinates."""
        raise missing(self, "node_positions")

    def node_motion(self, mechanism: Mechanism, x: Any, motion: Motion) -> Motion:
        """Return the motion of the nodes of bodies with `motion`."""
        raise missing(self, "node_motion")

    @property
    def nodes_follow_mass(self) -> bool:
        """Whether nodes also move because masses change; see `node_motion_with_mass_flow`."""
        return False

    def node_motion_with_mass_flow(self, here: Here) -> Motion:
        """Return the motion of the nodes including the change of mass, if `nodes_follow_mass`."""
        raise missing(self, "node_motion_with_mass_flow")

    def node_loads(
        self, mechanism: Mechanism, x: Any, motion: Motion, loads: Any, which: Any
    ) -> tuple[Any, Any]:
        """Return `loads` (6, load, *cases) on nodes as loads on their bodies (6, load, *cases) and as
        generalized loads (freedom, load, *cases). which: indices of the loaded nodes (load,), static."""
        raise missing(self, "node_loads")

    def node_accelerations(self, here: Here, acceleration: Any, second: Any) -> Any:
        """Return the accelerations of the nodes (6, node, *cases).

        acceleration: of the bodies. second: of its degrees of freedom (freedom, *cases)."""
        raise missing(self, "node_accelerations")

    @property
    def degrees_of_freedom(self) -> Sequence[int]:
        """Index of the body of each degree of freedom. Loads on nodes and joints at nodes move them, too."""
        return ()

    def generalized_masses(self, own: Any) -> Any:
        """Return the generalized masses [kg] (freedom, *cases)."""
        raise missing(self, "generalized_masses")

    def generalized_rates(self, own: Any) -> Any:
        """Return the rates of the degrees of freedom (freedom, *cases), which are among its states."""
        raise missing(self, "generalized_rates")

    def free_acceleration(self, here: Here) -> Any:
        """Return the accelerations of the degrees of freedom (freedom, *cases) without loads on nodes."""
        raise missing(self, "free_acceleration")

    def displace(self, own: Any, by: Any, jump: Any) -> Any:
        """Return its states with degrees of freedom moved by `by` and rates changed by `jump` (freedom,
        *cases)."""
        raise missing(self, "displace")
