"""Declarations of triggers, phases, and events in parallel with the phases."""

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
"""Message for the key `after` in a trigger, which is not allowed."""


class Trigger(Declaration):
    """A trigger: a time, a quantity that reaches a value, or a combination of triggers. Give exactly one of
    `time`, `elapsed`, `quantity` (with `reaches`), `any`, `all`."""

    time: Annotated[Any, si("s")] | None = None
    """Flight time [s]."""
    elapsed: Annotated[Any, si("s", positive=True)] | None = None
    """Time since the start of the phase, or since the event named by `after` [s]."""
    quantity: str | None = None
    """Quantity that must reach a value, by its name in the results, for example
    "pairs.stage.payload.separation.z"."""
    reaches: AnyQuantity | None = None
    """Value of the quantity with its unit, or as a number in SI units."""
    direction: Literal["rising", "falling", "either"] = "either"
    """Direction in which the quantity crosses the value."""
    already: Literal["wait", "fire"] = "wait"
    """Reaction if the quantity is past the value when detection begins. "wait": wait for the next crossing.
    "fire": fire at once; this requires a `direction`. "Past" means above the value for "rising", and below
    the value for "falling"."""
    any: tuple[Trigger, ...] | None = None
    """Triggers. The first trigger that occurs counts."""
    all: tuple[Trigger, ...] | None = None
    """Triggers. The last trigger that occurs counts, when all triggers have occurred."""

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
            given = " and ".join(kinds) + " are set together" if kinds else "the trigger is empty"
            raise Refused(
                (
                    "",
                    (
                        f"{given}. Set exactly one of these keys: time, elapsed, quantity (with "
                        "reaches), any, all"
                    ),
                )
            )
        if self.quantity is not None and self.reaches is None:
            raise Refused(
                (
                    "reaches",
                    "'reaches' is required with quantity. Give the value to reach, for example \"1 m\"",
                )
            )
        for option in ("reaches", "direction", "already"):
            if self.quantity is None and getattr(self, option) != type(self).model_fields[option].default:
                raise Refused(
                    (
                        option,
                        (
                            f"'{option}' applies to a quantity only, but this trigger has "
                            f"{kinds[0]}. Remove this key"
                        ),
                    )
                )
        if self.already == "fire" and self.direction == "either":
            text = "'already' requires the key 'direction'. Set direction = \"rising\" to fire at once if"
            more = f'{self.quantity} is at or above the value, or "falling" if it is at or below the value'
            raise Refused(("already", f"{text} {more}"))
        if self.any == () or self.all == ():
            raise Refused((kinds[0], f"'{kinds[0]}' is an empty list. List at least one trigger"))
        return self


class Replacement(JointType):
    """The replacement of the kind of a joint by another kind, with the same points and frames."""

    joint: str
    """Name of the joint whose kind is replaced."""

    @field_validator("kind", mode="before")
    @classmethod
    def _not_free(cls, value: Any) -> Any:
        if value in ("free", "none", "released"):
            raise ValueError(
                f"'{value}' is not a kind of joint. To release the joint, add its name to release"
            )
        return value

    @property
    def name(self) -> str:
        """Name of the joint, which is also the name of the replacement in paths."""
        return self.joint


Replacements = Annotated[tuple[Replacement, ...], ByName("joint", short="kind")]


class Actions(Declaration):
    """Actions at the start of a phase or at an event."""

    release: tuple[str, ...] = ()
    """Joints to release. An engine that draws propellant through such a joint, from a body that separates,
    stops at once."""
    attach: tuple[str, ...] = ()
    """Inactive or released joints to attach. An attachment applies the impulse of a plastic impact."""
    replace: Replacements = ()
    """Joints to replace by another kind: joint name -> kind, or a table of the kind and its options."""
    fire: tuple[str, ...] = ()
    """Devices to fire."""
    ignite: tuple[str, ...] = ()
    """Engines and motors to ignite or reignite."""
    shut_down: tuple[str, ...] = ()
    """Engines to shut down. The tail-off of these engines begins at this time."""
    drop: tuple[str, ...] = ()
    """Mass items to jettison, like a fairing, named "body.item". The motion of mass items after jettison is
    not computed. Engines that draw propellant from these items stop at once."""


class Phase(Actions):
    """A section of the flight. The actions of a phase occur at the start of the phase. The trigger of a phase
    ends the phase."""

    name: Name
    """Name of the phase, and of the event at its start."""
    until: Trigger
    """Trigger that ends the phase. The next phase begins at this time. The flight ends with the last
    phase."""
    attitude: str | None = None
    """Name of the guidance law for the attitude of a point mass, from this phase on. Default: the law of the
    preceding phase."""


class Event(Actions):
    """An event in parallel with the phases, which occurs once or repeatedly."""

    name: Name
    """Name of the event."""
    when: Trigger
    """Trigger of the event."""
    after: str | None = None
    """Phase, event, or event of a device ("bolt released") from which the trigger is active. Default: the
    start of the flight, or of the leg of a mission."""
    before: str | None = None
    """Phase, event, or event of a device that deactivates the trigger."""
    repeats: bool = False
    """Whether the event repeats: at each crossing of its quantity, or periodically with `elapsed`. The second
    occurrence is "name#2" in the results. `after = "name"` means the first occurrence. Each occurrence resets
    the times since the event."""
    ends: bool = False
    """Whether the event ends the flight, or the leg of a mission."""

    @property
    def elsewhere(self) -> bool:
        """True if the event belongs to another leg of a mission. The event is then not detected in this
        leg.
        """
        return self.when.time is not None and bool(np.all(np.isinf(self.when.time)))


def kinds_of(scenario: Any, joint: Joint) -> Iterator[JointType]:
    """Yield a joint as declared, and then all replacements of its kind."""
    yield joint
    for actions in (*scenario.phases, *scenario.events):
        yield from (new for new in actions.replace if new.joint == joint.name)
