"""Columns of arrays of motion and loads: the bodies, the ground if anything is attached to it, and the
attachment nodes of flexible bodies.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...tree.names import GROUND

if TYPE_CHECKING:
    from ..layout import Layout

NodeKey = tuple[str, str, str]
"""Key of a node by its attachment: class and name of the attached item, and its end, "parent", "child" or
"body".
"""


class Columns:
    """Columns of a structure: bodies, ground and nodes."""

    def __init__(self, layout: Layout):
        self._layout = layout

    @cached_property
    def bodies(self) -> int:
        """Return the number of columns of bodies, including the ground if anything is attached to it. The
        nodes follow.
        """
        return self._layout.count + self._layout.ground

    @cached_property
    def nodes(self) -> Mapping[NodeKey, int]:
        """Return the index of each node among all nodes, by its key."""
        return {key: k for k, key in enumerate(self._layout.flexible.nodes)}

    @property
    def of_nodes(self) -> slice:
        """Return the slice of the columns of all nodes."""
        return slice(self.bodies, self.bodies + len(self.nodes))

    @cached_property
    def _body(self) -> np.ndarray:
        """Index of the body of each column."""
        bodies = [*range(self._layout.count + 1)][: self.bodies]
        return np.array([*bodies, *self._layout.flexible.node_bodies], int)

    def bodies_of(self, columns: Any) -> np.ndarray:
        """Return the index of the body of each given column."""
        found = np.array(columns, int)
        return self._body[found] if self.nodes else found

    def end(self, item: Any, end: str) -> int:
        """Return the column of one end of an item: the node at this end, or else the body.

        end: "parent", "child" or "body".
        """
        node = self.nodes.get((type(item).__name__, item.name, end))
        return self._layout.body(getattr(item, end)) if node is None else self.bodies + node

    def ends(self, pairs: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the columns of the parents and the columns of the children of attachments."""
        if self.nodes:
            return tuple(self.end(p, "parent") for p in pairs), tuple(self.end(p, "child") for p in pairs)
        number = {name: k for k, name in enumerate((*self._layout.bodies, GROUND))}
        return tuple(number[p.parent] for p in pairs), tuple(number[p.child] for p in pairs)

    @cached_property
    def joints_at_nodes(self) -> tuple[int, ...]:
        """Return the indices of the joints with an end at a node. The constraint rows of these joints also
        act on modes."""
        if not self.nodes:
            return ()
        ends = zip(*self.ends(self._layout.scenario.joints), strict=True)
        return tuple(j for j, own in enumerate(ends) if max(own) >= self.bodies)

    @cached_property
    def nodes_follow_mass(self) -> bool:
        """Return whether nodes move relative to their bodies because masses change."""
        return bool(self.nodes) and self._layout.flexible.follows_mass
