"""Find groups of connected items from connected pairs (disjoint sets)."""

from __future__ import annotations

from collections.abc import Hashable


class Connected:
    """Groups of items that are connected, directly or through other items."""

    def __init__(self) -> None:
        self._above: dict[Hashable, Hashable] = {}

    def join(self, one: Hashable, other: Hashable) -> bool:
        """Connect two items. Return true if they were not in the same group before."""
        one, other = self.head(one), self.head(other)
        if one == other:
            return False
        self._above[one] = other
        return True

    def head(self, thing: Hashable) -> Hashable:
        """Return the representative item of the group of an item. All items of a group have the same
        representative.
        """
        above = self._above
        while thing in above:
            above[thing] = above.get(above[thing], above[thing])
            thing = above[thing]
        return thing
