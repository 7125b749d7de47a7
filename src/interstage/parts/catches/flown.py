"""The model of devices that a position triggers during a flight: hinges that release, latches, and rails."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ...engine.contract import HasEvents, Makers
from ...engine.event_table import Condition, EventTable
from ...engine.layout import FREE, Layout
from ...quantities.catalogue import catalogue, lookup
from .declared import HingeRelease, Latch, Rail
from .quantities import catch_quantities, rail_left

if TYPE_CHECKING:
    from ...engine.here import Here


class Catches(HasEvents):
    """Model of latches, rails, and hinges that release at an angle. The model adds their events."""

    name = "catches"
    group = "devices"
    kinds = (HingeRelease, Latch, Rail)

    def events_of(self, table: EventTable, names: Mapping[str, int], address: Any, declared: Any) -> None:
        """Add the events of a device to the event table, if the device is a latch, a rail or a releasing
        hinge. For the parameters, see `HasEvents.events_of`.
        """
        if isinstance(declared, HingeRelease):
            rotation = f"joints.{declared.joint}.rotation.{turning_axis(self.layout, declared.joint)}"
            changes = ((self.layout.joints.index(declared.joint), FREE),)
            self._at_pose(table, names, address, declared, rotation, ("angle",), changes)
        elif isinstance(declared, Latch):
            changes = ((self.layout.joints.index(declared.joint), 1),)
            value = ("reaches", "magnitude")
            self._at_pose(table, names, address, declared, declared.quantity, value, changes)
        elif isinstance(declared, Rail):
            self._lugs(table, address, declared)

    def _at_pose(self, table: EventTable, names, address, device: Any, path: str, value, modes) -> None:
        """Event at which a quantity reaches the value of the device."""
        quantity, component = lookup(catalogue(self.layout.scenario), path)
        signs = {"rising": (1.0,), "falling": (-1.0,), "either": (1.0, -1.0)}[device.direction]
        passed = device.after is not None and getattr(device, "already", "wait") == "fire"
        level, works = ((*address, *way) for way in (value, ("works",)))
        watched = {"address": level, "quantity": quantity, "component": component, "works": works}
        at_once = passed and len(signs) == 1
        conditions = [partial(Condition, "quantity", sign=sign, at_once=at_once, **watched) for sign in signs]
        if passed and len(signs) > 1:  # beyond the value in one direction is before it in the other
            conditions += [partial(Condition, "quantity", outward=True, at_once=True, **watched)]
        after = None if device.after is None else names[device.after]
        table.add_of_device(device.signals[0], conditions, after=after, modes=modes)

    def _lugs(self, table: EventTable, address: Any, rail: Rail) -> None:
        """Events at which lugs reach the end of a rail."""
        for number, (lug, name) in enumerate(zip(rail.lugs, rail.signals, strict=True)):
            of_lug = {"part": self.name, "item": address[-1], "component": number, "at_once": True}
            left = partial(Condition, "value", works=(*address, "works"), **of_lug)
            table.add_of_device(name, [left], modes=((self.layout.joints.index(lug), FREE),))

    def value(self, condition: Condition, here: Here) -> Any:
        """Return how far a lug is beyond the end of its rail [m] (*cases). The distance is negative before
        the end. For the parameters, see `HasEvents.value`.
        """
        return -rail_left(here, condition.item)[condition.component]

    def quantities(self) -> Makers:
        """Return the functions that make the quantities of each device, by path."""
        return catch_quantities(self.layout)


def turning_axis(layout: Layout, joint: str) -> str:
    """Return the rotation axis of a joint: "x", "y" or "z".

    The axis belongs to the declared kind of the joint, or to a kind that replaces it. Return "" if the joint
    never rotates about exactly one axis, or if this axis changes.
    """
    modes = layout.modes[layout.joints.index(joint)]
    free = {rows.rotations[0][0] for rows in modes if len(rows.rotations) == 2}
    return "xyz"[free.pop()] if len(free) == 1 else ""
