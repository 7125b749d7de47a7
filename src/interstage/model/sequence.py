"""What happens when: triggers, phases, and events beside the phases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import field_validator, model_validator

from ..tree.declaration import ByName, Declaration
from ..tree.errors import Refused
from ..tree.names import Name
from ..tree.units import si
from .joint import Joint, JointType
from .values import AnyQuantity

AFTER = (
    "is not a key of a trigger. A phase follows the phase before it: write until = {{ elapsed = "
    "\"2 s\" }} for a time after its start. To act after '{name}', declare an event: [events.next] with"
    ' after = "{name}" and when = {{ elapsed = "2 s" }}'
)
"""What to write in place of `after` in a trigger."""


class Trigger(Declaration):
    """A moment: a time, a quantity that reaches a value, or several of them combined. Give exactly one of
    `time`, `elapsed`, `quantity` (with `reaches`), `any`, `all`."""

    time: Annotated[Any, si("s")] | None = None
    """At this flight time [s]."""
    elapsed: Annotated[Any, si("s", positive=True)] | None = None
    """This long after the start of the phase, or after what the event waits for [s]."""
    quantity: str | None = None
    """When this quantity, named as in the results, reaches a value: "pairs.stage.payload.separation.z"."""
    reaches: AnyQuantity | None = None
    """The value that the quantity reaches, with its unit, or as a bare number in SI."""
    direction: Literal["rising", "falling", "either"] = "either"
    """The direction in which it is crossed."""
    already: Literal["wait", "fire"] = "wait"
    """Where the quantity is already past the value when the watch begins: wait for the next crossing, or fire
    at once, which needs a `direction`: past it is above for "rising", below for "falling"."""
    any: tuple[Trigger, ...] | None = None
    """When the first of these comes."""
    all: tuple[Trigger, ...] | None = None
    """When the last of these has come."""

    @model_validator(mode="before")
    @classmethod
    def _without_after(cls, data: Any) -> Any:
        if isinstance(data, dict) and "after" in data:
            name = data["after"]
            raise Refused(("after", AFTER.format(name=name if isinstance(name, str) else "name")))
        return data

    @model_validator(mode="after")
    def _check(self) -> Trigger:
        kinds = [n for n in ("time", "elapsed", "quantity", "any", "all") if getattr(self, n) is not None]
        if len(kinds) != 1:
            given = "both " + " and ".join(kinds) + " are given" if kinds else "no moment is given"
            raise Refused(
                ("", f"{given}; give exactly one of time, elapsed, quantity (with reaches), any, all")
            )
        if self.quantity is not None and self.reaches is None:
            raise Refused(("reaches", 'is required with quantity: the value to reach, like "1 m"'))
        for option in ("reaches", "direction", "already"):
            if self.quantity is None and getattr(self, option) != type(self).model_fields[option].default:
                raise Refused(
                    (
                        option,
                        f"says something about a quantity only, this trigger is of {kinds[0]}; remove it",
                    )
                )
        if self.already == "fire" and self.direction == "either":
            text = "needs a direction, without which neither side of the value is past it; give direction ="
            more = f'"rising" to fire at once where {self.quantity} is at or above it, "falling" where below'
            raise Refused(("already", f"{text} {more}"))
        if self.any == () or self.all == ():
            raise Refused((kinds[0], "is an empty list; list at least one trigger"))
        return self


class Replacement(JointType):
    """A joint that becomes another one, at the same points and with the same frames."""

    joint: str
    """Name of the joint that is replaced."""

    @field_validator("kind", mode="before")
    @classmethod
    def _not_free(cls, value: Any) -> Any:
        if value in ("free", "none", "released"):
            raise ValueError(f"'{value}' is not a kind of joint; to release the joint, name it in release")
        return value

    @property
    def name(self) -> str:
        """Replacements are addressed by the joint's name."""
        return self.joint


Replacements = Annotated[tuple[Replacement, ...], ByName("joint", short="kind")]


class Actions(Declaration):
    """What is done at one moment."""

    release: tuple[str, ...] = ()
    """Joints that are released. Engines that are fed over them, from the body that goes, stop at once."""
    attach: tuple[str, ...] = ()
    """Waiting or released joints that catch hold, with the impulse of a plastic capture."""
    replace: Replacements = ()
    """Joints that become another kind: joint name -> kind, or a table of the kind and its options."""
    fire: tuple[str, ...] = ()
    """Devices that are fired."""
    ignite: tuple[str, ...] = ()
    """Engines and motors that are ignited, also once more."""
    shut_down: tuple[str, ...] = ()
    """Engines that are shut down; their tail-off begins."""
    drop: tuple[str, ...] = ()
    """Elements of bodies' masses that go, as body.element, like a fairing; they are not flown on. Engines
    that draw from one stop at once."""


class Phase(Actions):
    """A stretch of the flight. Its actions happen at its start; it lasts until its trigger."""

    name: Name
    """Name of the phase, and of the event at its start."""
    until: Trigger
    """What ends the phase; the next phase begins then, and after the last one the flight is over."""
    attitude: str | None = None
    """Name of the guidance that gives the attitude of a point from this phase on. If not set, of the
    phase before."""


class Event(Actions):
    """Something that happens in parallel with the phases: once, or as often as its moment comes."""

    name: Name
    """Name of the event."""
    when: Trigger
    """What makes it happen."""
    after: str | None = None
    """Phase, event, or what a device does ("bolt released"), that it waits for before it watches its trigger.
    Default: the start of the flight, in a mission that of its leg."""
    before: str | None = None
    """Phase, event, or what a device does, with which it is too late for it: from then on it watches no
    more."""
    repeats: bool = False
    """Whether it happens each time that its quantity reaches the value anew, or with `elapsed` again and
    again after that time. Results name the second time "name#2"; `after = "name"` of others means the first,
    and times that count from it begin anew with each."""
    ends: bool = False
    """Whether the flight, in a mission its leg, is over with it."""

    @property
    def elsewhere(self) -> bool:
        """Whether it is a moment of another leg of a mission, which does not come by itself."""
        return self.when.time is not None and bool(np.all(np.isinf(self.when.time)))


def kinds_of(scenario: Any, joint: Joint) -> Iterator[JointType]:
    """A joint as declared, and all that replaces it."""
    yield joint
    for actions in (*scenario.phases, *scenario.events):
        yield from (new for new in actions.replace if new.joint == joint.name)
