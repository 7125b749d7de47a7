"""Impacts on the ground in flight: one event for each body."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from ...engine.contract import Part
from ...engine.event_table import Condition, EventTable, at_address
from ...engine.layout import FREE
from ...model.ground import EndAtGround
from ...quantities.catalogue import catalogue, lookup
from .declared import KIND, applies

if TYPE_CHECKING:
    from ...engine.layout import Layout
    from ...engine.state import Discrete


class GroundImpacts(Part):
    """Events at which the centre of mass of a body falls through the altitude of the ground.

    A body that begins on the ground or below it has no impact before it has risen above it; nor has a body
    while joints hold it to the ground."""

    name = "ground_impact"

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Whether the flight watches for impacts."""
        return applies(layout.scenario)

    @property
    def items(self) -> tuple[Any, ...]:
        """There are no declarations."""
        return ()

    def of(self, scenario: Any) -> tuple[Any, ...]:
        """There are no declarations."""
        return ()

    def events(self, table: EventTable) -> None:
        """One event for each body."""
        ends = isinstance(self.layout.scenario.ground, EndAtGround)
        for body, name in enumerate(self.layout.bodies):
            path = f"bodies.{name}.altitude"
            quantity, component = lookup(catalogue(self.layout.scenario), path)
            watched = {"quantity": quantity, "component": component, "sign": -1.0}
            falls = partial(Condition, "quantity", address=("ground", "altitude"), **watched)
            changes: dict[str, Any] = {"deeds": {self.name: body}, "repeats": not ends}
            if ends:
                reason = f"{name} reached the ground"
                changes |= {"ends_early": reason, "yields_to": _phases_by(table, path)}
            table.add(f"{name} {KIND}", KIND, [falls], **changes)

    def ready(self, deeds: Any, discrete: Discrete) -> Any:
        """Whether joints do not hold a body to the ground, also by way of other bodies (*cases)."""
        return None if self._held_by is None else ~self._holds(discrete)[deeds]

    @cached_property
    def _held_by(self) -> tuple[tuple[int, int, int], ...] | None:
        """(joint, body nearer to the ground, body farther from it) in the order of their distance from the
        ground along joints, the ground with the number behind the bodies; None if no joint holds any body to
        the ground."""
        layout, found = self.layout, []
        ends = [(layout.body(joint.parent), layout.body(joint.child)) for joint in layout.scenario.joints]
        reached = [layout.count]
        for near in reached:  # which grows
            for j, both in enumerate(ends):
                if near in both:
                    far = both[1 - both.index(near)]
                    found.append((j, near, far))
                    reached += [] if far in reached else [far]
        return tuple(found) if found else None

    def _holds(self, discrete: Discrete) -> list[Any]:
        """Whether joints hold each body to the ground, and the ground itself (body, *cases)."""
        never = discrete.over & False
        held = [*[never] * self.layout.count, ~never]
        assert self._held_by is not None
        # Along a loop a body may be held from the side that comes last.
        for _ in range(self.layout.count if self.layout.loops else 1):
            for j, near, far in self._held_by:
                held[far] = held[far] | (held[near] & (discrete.mode[j] != FREE))
        return held


def _phases_by(table: EventTable, path: str) -> tuple[int, ...]:
    """Numbers of the phases that begin by a quantity: the scenario states what follows."""
    found = set()
    for condition in table.conditions:
        if condition.kind == "quantity" and condition.address[0] == "phases":
            trigger = at_address(table.layout.scenario, condition.address[:-2])
            found |= {condition.event} if trigger.quantity == path else set()
    return tuple(sorted(found))
