"""Which things are connected, as pairs of them are joined one by one: disjoint sets."""

from __future__ import annotations

from collections.abc import Hashable


class Connected:
    """Sets of things that are connected."""

    def __init__(self) -> None:
        self._above: dict[Hashable, Hashable] = {}

    def join(self, one: Hashable, other: Hashable) -> bool:
        """Connect two things; whether they were not connected before."""
        one, other = self.head(one), self.head(other)
        if one == other:
            return False
        self._above[one] = other
        return True

    def head(self, thing: Hashable) -> Hashable:
        """What stands for the set of a thing: the same for all that are connected."""
        above = self._above
        while thing in above:
            above[thing] = above.get(above[thing], above[thing])
            thing = above[thing]
        return thing
