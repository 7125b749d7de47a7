"""Impacts on the ground in flight: one event for each body."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.contract import Part
from ...engine.event_table import Condition, EventTable, at_address
from ...engine.joined import over_stack
from ...engine.layout import FREE
from ...maths.arrays import jnp
from ...model.ground import EndAtGround
from ...tree.names import GROUND
from .declared import KIND, applies

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.layout import Layout

HELD = 1.0
"""Depth [m] that stands for a body which joints hold to the ground: it does not fall, wherever it is."""


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
            ends_early = f"{name} reached the ground" if ends else ""
            falls = partial(Condition, "value", part=self.name, item=body)
            handled = self._handled(table, name) if ends else ()
            changes = {"repeats": not ends, "ends_early": ends_early, "yields_to": handled}
            table.add(f"{name} {KIND}", KIND, [falls], **changes)

    def _handled(self, table: EventTable, body: str) -> tuple[int, ...]:
        """Numbers of the phases that begin by the altitude of a body: the scenario states what follows."""
        found, path = set(), f"bodies.{body}.altitude"
        for condition in table.conditions:
            address = condition.address
            if condition.kind == "quantity" and address[0] == "phases":
                trigger = at_address(self.layout.scenario, address[:-2])
                found |= {condition.event} if trigger.quantity == path else set()
        return tuple(sorted(found))

    def value(self, condition: Condition, here: Here) -> Any:
        """Depth of the centre of mass of a body below the ground [m]."""
        body = condition.item
        depth = here.equations.scenario.ground.altitude - here.surroundings.altitude[body]
        if not self._joints_to_ground:
            return depth
        return jnp.where(here.kept(self.name, lambda: self._held(here))[body], HELD, depth)

    @cached_property
    def _joints_to_ground(self) -> tuple[tuple[int, int], ...]:
        """(joint, body) of the joints between a body and the ground."""
        joints = enumerate(self.layout.scenario.joints)
        ends = ((j, {joint.parent, joint.child}) for j, joint in joints)
        return tuple((j, self.layout.body((both - {GROUND}).pop())) for j, both in ends if GROUND in both)

    def _held(self, here: Here) -> Any:
        """Whether joints hold each body to the ground, also by way of other bodies (body, *lanes)."""
        held: list[Any] = [jnp.zeros(here.t.shape)] * self.layout.count
        for j, body in self._joints_to_ground:
            held[body] = jnp.maximum(held[body], (here.discrete.mode[j] != FREE) * 1.0)
        return over_stack(here, jnp.stack(held), np.arange(self.layout.count)) > 0
