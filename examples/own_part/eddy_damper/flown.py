"""Eddy-current dampers in flight: their force, their heat, and when their plates have left."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from typing import Any, NamedTuple

from interstage.engine.contract import Fired, HasEvents, HasReference, HasState, Makers, Stacked
from interstage.engine.event_table import Condition, EventTable, actions_of
from interstage.engine.numbers import arms
from interstage.engine.quantity import Quantity, makers, scalar_quantity
from interstage.engine.stacks import Ends, ends, stack_items
from interstage.engine.switches import among
from interstage.maths.arrays import jnp
from interstage.maths.vectors import cross, dot, norm, rotate
from interstage.model import attachments

from .declared import EddyDamper


class Own(NamedTuple):
    """Numbers of all dampers: axis (3, damper), peak [N], critical_speed [m/s], overlap [m] (damper); ends:
    their points in structural coordinates; arm_a, arm_b (3, damper) [m]: from the centres of mass to them."""

    axis: Any
    peak: Any
    critical_speed: Any
    overlap: Any
    ends: Ends
    arm_a: Any = None
    arm_b: Any = None


class Found(NamedTuple):
    """All dampers at one instant, (damper, *cases): travel since the start [m], its rate [m/s], the force
    that resists it [N]; share (6, body, *cases): what they do to the bodies."""

    travel: Any
    rate: Any
    force: Any
    share: Any


class EddyDampers(HasState, HasEvents, HasReference, Stacked):
    """All eddy-current dampers. In the state: the heat of each [J]. In the switches: 1 while the plate is
    between the poles, (damper, *cases). Settled: where the plates are at the start [m]."""

    name = "eddy_dampers"
    group = "devices"
    kinds = (EddyDamper,)

    @cached_property
    def states(self) -> int:
        """One for each."""
        return len(self.items)

    @cached_property
    def ends(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Bodies of the parents and of the children."""
        return self.layout.columns.ends(self.items)

    # --- numbers and the start

    def stack_numbers(self, scenario: Any, lanes: int) -> Own:
        """The declared numbers of all side by side."""
        declared = self.of(scenario)
        one = [stack_items([getattr(d, name) for d in declared], lanes) for name in Own._fields[1:4]]
        return Own(stack_items([d.axis for d in declared], lanes, (3,)), *one, ends(declared, lanes))

    def with_centres(self, own: Own, centre: Any) -> Own:
        """The arms from the centres of mass."""
        arm_a, arm_b = arms(self.layout, self.items, own.ends, centre)
        return own._replace(arm_a=arm_a, arm_b=arm_b)

    def switches(self, mechanism: Any, t: Any) -> Any:
        """All plates begin between the poles."""
        return jnp.ones((len(self.items), *t.shape))

    def reference_values(self, mechanism: Any, motion: Any) -> Any:
        """Where the plates are."""
        return self._line(mechanism.numbers.own[self.name], motion)[2]

    # --- the event

    def events_of(self, table: EventTable, names: Mapping[str, int], address: Any, declared: Any) -> None:
        """A plate leaves the poles."""
        if isinstance(declared, EddyDamper):
            k = self.items.index(declared)
            left = partial(Condition, "value", part=self.name, item=k, at_once=True)
            actions = {**actions_of(self.layout, declared.signals[0]), self.name: (k,)}
            table.add(declared.signals[0], "device", [left], actions=actions)

    def value(self, condition: Condition, here: Any) -> Any:
        """How far a plate is beyond the poles [m]."""
        return here[self.name].travel[condition.item] - here.numbers.own[self.name].overlap[condition.item]

    def apply_events(self, mechanism: Any, t: Any, x: Any, before: Any, after: Any, fired: Fired) -> Any:
        """Plates that have left."""
        between = after.own[self.name]
        for new, event in zip(fired.newly, fired.events, strict=True):
            if leaves := event.actions.get(self.name, ()):
                between = jnp.where(new & among(leaves, between), 0.0, between)
        return x, after.with_own(self.name, between)

    # --- at one instant

    def _line(self, own: Own, motion: Any) -> tuple[Any, Any, Any]:
        """(the pairs of points, the directions in which the plates leave, where they are [m])."""
        pairs = attachments.kinematics(motion, *self.ends, own.arm_a, own.arm_b)
        direction = rotate(pairs.rotation_a, own.axis / norm(own.axis))
        return pairs, direction, dot(direction, pairs.gap)

    def find(self, here: Any) -> Found:
        """Their travels and forces."""
        own, motion = here.numbers.own[self.name], here.motion
        pairs, direction, place = self._line(own, motion)
        rate = dot(direction, pairs.gap_rate) + dot(pairs.gap, cross(pairs.spin_a, direction))
        over = rate / own.critical_speed
        force = here.discrete.own[self.name] * 2 * own.peak * over / (1 + over * over)
        on_a, on_b = attachments.lever(pairs, direction)
        share = attachments.sum_by_body(-on_a * force, -on_b * force, *self.ends, motion.position.shape[1])
        return Found(place - here.equations.reference.own[self.name], rate, force, share)

    def wrench(self, here: Any) -> Any:
        """The sum of all."""
        return here[self.name].share

    def rates(self, here: Any, acceleration: Any) -> Any:
        """Of their heat: what they take from the bodies [W]."""
        found = here[self.name]
        return found.force * found.rate

    def quantities(self) -> Makers:
        """Of each."""
        return makers("devices", self.items, _quantities)


def _quantities(k: int, device: EddyDamper) -> dict[str, Quantity]:
    def found(here: Any) -> Found:
        return here["eddy_dampers"]

    return {
        "force": scalar_quantity("N", "force that resists the travel", lambda m: found(m).force[k]),
        "travel": scalar_quantity("m", "travel of the plate", lambda m: found(m).travel[k]),
        "rate": scalar_quantity("m/s", "rate of travel", lambda m: found(m).rate[k]),
        "heat": scalar_quantity("J", "heat taken up", lambda m: m.equations.own("eddy_dampers", m.x)[k]),
        "state": scalar_quantity(
            "1", "state (1 between the poles, 0 left)", lambda m: m.discrete.own["eddy_dampers"][k]
        ),
    }


PARTS = (EddyDampers,)
"""What the engine flies."""
