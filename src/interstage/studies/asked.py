"""Requested quantities of a flight, evaluated at an event or as an extreme value."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Literal, get_args

from pydantic import model_validator

from ..missions.mission import Mission
from ..missions.names import LANDING
from ..observation.after import known_after
from ..quantities import missions
from ..quantities.catalogue import unit_of as plain_unit
from ..record.across import faults, named_pair, pair_of
from ..record.across import unit_of as across_unit
from ..record.requirements import Extreme
from ..starts.events import event_names
from ..tree.declaration import Declaration
from ..tree.errors import BadInput, Problem, Refused

DEVICES_SPENT = "devices spent"
"""Time of a default response: the separation devices of its pair are spent. See `devices_spent`."""


class When(Declaration):
    """Time at which a quantity is evaluated: an event (`at`), or an extreme over the flight (`take`)."""

    at: str | None = None
    """Name of the event or phase at whose time the quantity is evaluated, or "start" or "end" of the flight.
    A phase means the start of the phase."""
    side: Literal["before", "after"] = "after"
    """Side of the event `at` on which the quantity is evaluated: just "before" or just "after" the event."""
    take: Extreme | None = None
    """Extreme over the flight that replaces `at`: "min" (minimum), "max" (maximum) or "largest" (largest
    absolute value)."""
    during: str | None = None
    """Name of the phase over which the extreme `take` is evaluated. Default: the whole flight."""

    @model_validator(mode="after")
    def _check_when(self) -> When:
        if (self.at is None) == (self.take is None):
            raise Refused(
                (
                    "at",
                    (
                        "exactly one of 'at' and 'take' must be set. Set 'at' to an event, or 'take' to "
                        "min, max or largest"
                    ),
                )
            )
        if self.during is not None and self.take is None:
            raise Refused(
                (
                    "during",
                    (
                        "'during' has an effect with 'take' only. Remove 'during', or set 'take' "
                        "instead of 'at'"
                    ),
                )
            )
        return self

    @property
    def where(self) -> str:
        """Return the evaluation time in words, for example "at the end" or "max during coast"."""
        if self.take:
            return f"{self.take} during {self.during}" if self.during else self.take
        if self.at == DEVICES_SPENT:
            return "when the devices are spent"
        return f"at the {self.at}" if self.at in ("start", "end") else f"{self.side} {self.at}"


class Asked(When):
    """A quantity with the time at which the quantity is evaluated."""

    quantity: str
    """Quantity by its name in the results, for example "pairs.stage.payload.separation_speed"."""


def parse_asked(text: str) -> tuple[dict[str, Any], str]:
    """Return the fields of an `Asked`, and the text WHEN, from a text "QUANTITY@WHEN".

    WHEN is an event, "before EVENT", "after EVENT", "start", "end", "min", "max", "largest" or "max during
    PHASE". Default: "end". Raises BadInput.
    """
    quantity, sign, when = (part.strip() for part in text.partition("@"))
    words = when.split()
    if not quantity or (sign and not words):
        raise BadInput(
            f"'{text}' has no quantity or no event. Write QUANTITY@EVENT, QUANTITY@max or QUANTITY@end"
        )
    if not sign:
        words = ["end"]
    fields = {"quantity": quantity, "at": " ".join(words)}
    if words[0] in ("before", "after") and len(words) > 1:
        fields = {"quantity": quantity, "at": " ".join(words[1:]), "side": words[0]}
    elif words[0] in get_args(Extreme):
        fields = {"quantity": quantity, "take": words[0]}
        if words[1:2] == ["during"] and len(words) > 2:
            fields["during"] = " ".join(words[2:])
        elif len(words) > 1:
            fix = f"Write QUANTITY@{words[0]}, or QUANTITY@{words[0]} during PHASE"
            raise BadInput(f"'{text}': only the words 'during PHASE' can follow {words[0]}. {fix}")
    return fields, " ".join(words)


def unit_of(scenario: Any, path: str) -> str:
    """Return the SI unit of a quantity. The quantity can also be a quantity that is known only after the
    flight.

    path: path of the quantity, for example "bodies.stage.speed". Raises KeyError if the scenario does not
    have the quantity.
    """
    mission = Mission.of(scenario)
    landing = mission.has_legs and path.endswith(f".{LANDING}")
    if landing and pair_of(path, [body.name for body in scenario.bodies]):
        return across_unit(LANDING)
    if why := mission.fault_of_leg_path(path):
        raise KeyError(why)
    known = known_after(scenario, path)
    return plain_unit(scenario, path) if known is None else known.unit_of(scenario, path)


def unknown(scenario: Any, one: Any, place: str) -> Iterator[Problem]:
    """Yield problems if the scenario does not have a requested quantity, its event or its phase.

    one: an `Asked`. place: path of the request in messages.
    """
    try:
        unit_of(scenario, one.quantity)
    except KeyError as error:
        yield Problem(place, str(error.args[0]))
    if named_pair(scenario, one):
        yield from (Problem(place, text) for text in faults(scenario, one))
    else:
        yield from _unknown_in_legs(scenario, one, place)


def _unknown_in_legs(scenario: Any, one: Any, place: str) -> Iterator[Problem]:
    wrong = [text for _, text in missions.not_there(scenario, one, event_names(Mission.of(scenario)))]
    if not wrong and known_after(scenario, one.quantity) is None:
        with suppress(KeyError):  # reported above
            wrong = [missions.not_known(scenario, missions.known_in(scenario, one.quantity), one)]
    yield from (Problem(place, text) for text in wrong if text)
