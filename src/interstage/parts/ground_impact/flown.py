"""The model that detects ground impacts during a flight, with one event for each body."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from ...engine.contract import HasEvents
from ...engine.event_table import Condition, EventTable, at_address
from ...engine.layout import FREE
from ...engine.quantity import scalar
from ...maths.arrays import jnp
from ...model.effect import effects
from ...model.ground import IMPACT, EndAtGround, impact_names
from ...quantities.catalogue import catalogue, lookup
from .declared import applies

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...engine.layout import Layout
    from ...engine.state import Discrete


SINKING = 0.1
"""The depth [m] below the ground at which a body that started on the ground has an impact. A rocket without a
launch stand sinks by a few centimetres while the thrust of a solid motor increases, for example during 0.2 s.
"""


class GroundImpacts(HasEvents):
    """Model of ground impacts. An impact is the event at which the centre of mass of a body passes the
    altitude of the ground downward.

    - A body that starts on the ground and sinks has its impact at the depth `SINKING`.
    - A body that starts below the ground has no impact before it has risen above the ground.
    - A body that joints or constraining effects connect to the ground has no impact.
    """

    name = "ground_impact"

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Return whether a run of the scenario detects ground impacts."""
        return applies(layout.scenario)

    @property
    def items(self) -> tuple[Any, ...]:
        """An empty tuple, because this model has no declarations."""
        return ()

    def of(self, scenario: Any) -> tuple[Any, ...]:
        """Return an empty tuple, because this model has no declarations."""
        return ()

    @cached_property
    def makes(self) -> tuple[str, ...]:  # type: ignore[override]
        """The names of the impact events, one for each body."""
        scenario = self.layout.scenario
        return impact_names(scenario, self.layout.bodies, scenario.coordinates)

    def events(self, table: EventTable) -> None:
        """Add an impact event for each body to the event table."""
        ends = isinstance(self.layout.scenario.ground, EndAtGround)
        for body, (name, event) in enumerate(zip(self.layout.bodies, self.makes, strict=True)):
            path = f"bodies.{name}.altitude"
            quantity, component = lookup(catalogue(self.layout.scenario), path)
            watched = {"quantity": quantity, "component": component, "sign": -1.0}
            falls = partial(Condition, "quantity", address=("ground", "altitude"), **watched)
            sinks = partial(Condition, "value", address=("ground", "altitude"), part=self.name, **watched)
            changes: dict[str, Any] = {"actions": {self.name: body}, "repeats": not ends}
            if ends:
                reason = f"{name} reached the ground"
                changes |= {"ends_early": reason, "yields_to": _phases_by(table, path)}
            table.add(event, IMPACT, [falls, sinks], **changes)

    def value(self, condition: Condition, here: Here) -> Any:
        """Return the distance of a body below the depth `SINKING` [m] (*cases).

        After the first impact of the body, the result is always -1. The next impact then requires that the
        body rises above the ground and falls again.

        For the parameters, see `HasEvents.value`.
        """
        assert condition.quantity is not None
        depth = here.mechanism.scenario.ground.altitude - SINKING
        below = depth - scalar(condition.quantity, condition.component, here)
        return jnp.where(here.discrete.fired[condition.event], -1.0, below)

    def ready(self, actions: Any, discrete: Discrete) -> Any:
        """Return whether an impact can occur (*cases), bool. The body must not be connected to the ground,
        directly or through other bodies. Return None if no body can be connected to the ground.

        actions: index of the body.
        """
        return None if self._held_by is None else ~self._holds(discrete)[actions]

    @cached_property
    def _held_by(self) -> tuple[tuple[Any, int, int], ...] | None:
        """Return (index of a joint or constraining effect, body nearer to the ground, body farther from it),
        in the order of distance from the ground. The index of the ground comes after the indices of the
        bodies. None if no body is connected to the ground."""
        layout, found, ends = self.layout, [], list[Any]()
        joints = [*enumerate(layout.scenario.joints)]
        holding = [one for one in effects(layout.scenario) if one.holds and len(one.ends) == 2]
        holding = [one for one in holding if None not in one.ends]
        ends += [(j, (layout.body(one.parent), layout.body(one.child))) for j, one in joints]
        ends += [(one, (layout.body(one.ends[0]), layout.body(one.ends[1]))) for one in holding]
        reached = [layout.count]
        for near in reached:  # the list grows
            for link, both in ends:
                if near in both:
                    far = both[1 - both.index(near)]
                    found.append((link, near, far))
                    reached += [] if far in reached else [far]
        return tuple(found) if found else None

    def _holds(self, discrete: Discrete) -> list[Any]:
        """Whether joints or effects connect each body to the ground; the last entry is the ground itself
        (body, *cases)."""
        never = discrete.over & False
        held = [*[never] * self.layout.count, ~never]
        assert self._held_by is not None
        # In a loop a body can be connected from the side that comes last.
        for _ in range(self.layout.count if self.layout.loops else 1):
            for link, near, far in self._held_by:
                held[far] = held[far] | (held[near] & self._acts(link, discrete))
        return held

    def _acts(self, link: Any, discrete: Discrete) -> Any:
        """Whether a joint, given by its index, or a constraining effect is active (*cases)."""
        if isinstance(link, int):
            return discrete.mode[link] != FREE
        return self.layout.acting(link, discrete) > 0 if hasattr(link, "phases") else True


def _phases_by(table: EventTable, path: str) -> tuple[int, ...]:
    """Return the indices of the phases that a quantity starts. For these the scenario defines how the flight
    continues."""
    found = set()
    for condition in table.conditions:
        if condition.kind == "quantity" and condition.address[0] == "phases":
            trigger = at_address(table.layout.scenario, condition.address[:-2])
            found |= {condition.event} if trigger.quantity == path else set()
    return tuple(sorted(found))
