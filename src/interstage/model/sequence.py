"""Triggers, phases, and events in parallel with the phases."""

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
"""Hint for `after` in a trigger."""


class Trigger(Declaration):
    """A trigger: a time, a quantity that reaches a value, or a combination of triggers. Give exactly one of
    `time`, `elapsed`, `quantity` (with `reaches`), `any`, `all`."""

    time: Annotated[Any, si("s")] | None = None
    """Flight time [s]."""
    elapsed: Annotated[Any, si("s", positive=True)] | None = None
    """Time since the start of the phase, or since the event that `after` names [s]."""
    quantity: str | None = None
    """Quantity that must reach a value, named as in the results: "pairs.stage.payload.separation.z"."""
    reaches: AnyQuantity | None = None
    """Value of the quantity, with its unit, or as a bare number in SI."""
    direction: Literal["rising", "falling", "either"] = "either"
    """Direction of the crossing."""
    already: Literal["wait", "fire"] = "wait"
    """Reaction if the quantity is already past the value when detection begins: wait for the next crossing,
    or fire at once. "fire" requires a `direction`: past the value means above for "rising" and below for
    "falling"."""
    any: tuple[Trigger, ...] | None = None
    """Triggers of which the first counts."""
    all: tuple[Trigger, ...] | None = None
    """Triggers of which the last counts."""

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
            given = "both " + " and ".join(kinds) + " are given" if kinds else "the trigger is empty"
            raise Refused(
                ("", f"{given}. Give exactly one of time, elapsed, quantity (with reaches), any, all")
            )
        if self.quantity is not None and self.reaches is None:
            raise Refused(
                ("reaches", 'is required with quantity. Give the value to reach, for example "1 m"')
            )
        for option in ("reaches", "direction", "already"):
            if self.quantity is None and getattr(self, option) != type(self).model_fields[option].default:
                raise Refused(
                    (
                        option,
                        f"applies to a quantity only, but this trigger has {kinds[0]}. Remove it",
                    )
                )
        if self.already == "fire" and self.direction == "either":
            text = "already needs the key direction. Give direction ="
            more = f'"rising" to fire at once where {self.quantity} is at or above it, "falling" where below'
            raise Refused(("already", f"{text} {more}"))
        if self.any == () or self.all == ():
            raise Refused((kinds[0], "is an empty list. List at least one trigger"))
        return self


class Replacement(JointType):
    """A joint that is replaced by another kind of joint, with the same points and frames."""

    joint: str
    """Name of the joint that is replaced."""

    @field_validator("kind", mode="before")
    @classmethod
    def _not_free(cls, value: Any) -> Any:
        if value in ("free", "none", "released"):
            raise ValueError(f"'{value}' is not a kind of joint. To release the joint, name it in release")
        return value

    @property
    def name(self) -> str:
        """Replacements are addressed by the joint's name."""
        return self.joint


Replacements = Annotated[tuple[Replacement, ...], ByName("joint", short="kind")]


class Actions(Declaration):
    """Actions at the start of a phase or at an event."""

    release: tuple[str, ...] = ()
    """Joints to release. Engines that draw propellant across them, from a body that separates, stop at
    once."""
    attach: tuple[str, ...] = ()
    """Inactive or released joints to attach, with the impulse of a plastic impact."""
    replace: Replacements = ()
    """Joints to replace by another kind: joint name -> kind, or a table of the kind and its options."""
    fire: tuple[str, ...] = ()
    """Devices to fire."""
    ignite: tuple[str, ...] = ()
    """Engines and motors to ignite or to reignite."""
    shut_down: tuple[str, ...] = ()
    """Engines to shut down; their tail-off begins."""
    drop: tuple[str, ...] = ()
    """Mass items to jettison, as body.element, like a fairing. Their motion is not computed further. Engines
    that draw propellant from them stop at once."""


class Phase(Actions):
    """A section of the flight. Its actions occur at its start; its trigger ends it."""

    name: Name
    """Name of the phase, and of the event at its start."""
    until: Trigger
    """Trigger that ends the phase. The next phase then begins; the flight ends with the last phase."""
    attitude: str | None = None
    """Name of the guidance law that gives the attitude of a point mass from this phase on. Default: as in the
    preceding phase."""


class Event(Actions):
    """An event in parallel with the phases, which occurs once or repeatedly."""

    name: Name
    """Name of the event."""
    when: Trigger
    """Trigger of the event."""
    after: str | None = None
    """Phase, event, or event of a device ("bolt released") after which the trigger is active. Default: the
    start of the flight, or of the leg of a mission."""
    before: str | None = None
    """Phase, event, or event of a device that deactivates the trigger."""
    repeats: bool = False
    """Whether the event repeats: at each crossing of its quantity, or with `elapsed` periodically after that
    time. The second occurrence is "name#2" in the results. `after = "name"` of other entries means the first
    occurrence. Times since the event are reset at each occurrence."""
    ends: bool = False
    """Whether the event ends the flight, or the leg of a mission."""

    @property
    def elsewhere(self) -> bool:
        """Whether the event belongs to another leg of a mission, so that it is not detected here."""
        return self.when.time is not None and bool(np.all(np.isinf(self.when.time)))


def kinds_of(scenario: Any, joint: Joint) -> Iterator[JointType]:
    """A joint as declared, and all its replacements."""
    yield joint
    for actions in (*scenario.phases, *scenario.events):
        yield from (new for new in actions.replace if new.joint == joint.name)
