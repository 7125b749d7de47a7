"""Guidance laws as declared: each gives the attitude that one body should have.

A law knows where its body is, how fast it moves, the time, and the quantities that it names; it never reads
how the body stands. So it can steer a body through an attitude hold that follows it (`controls.x.follows`),
and give the attitude of what flies as a point."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import model_validator

from ...model.effect import Effect
from ...tree.errors import Refused
from ...tree.names import Name
from ...tree.units import si
from .functions import ELAPSED, TIME, Angle, DirectionTable, Function

ROTATIONS = {"1": "roll", "2": "pitch", "3": "yaw"}
"""Fields of the angles by the axis that each turns about."""


class GuidanceLaw(Effect):
    """What every guidance law has."""

    moment_fields: ClassVar[tuple[str, ...]] = ("since",)
    body: str
    """The body whose attitude it gives; what its joints hold goes with it."""
    since: str | None = None
    """Phase, event, or what a device does, from which "elapsed" counts; none means the start of the flight.
    Before, "elapsed" is zero."""


class AngleGuidance(GuidanceLaw):
    """An attitude by three angles, each a number, or a function of time or of any quantity."""

    name: Name
    """Name of the law; its quantities are guidance.<name>."""
    kind: Literal["angles"] = "angles"
    """Three angles from axes of one's choice."""
    axes: Literal["inertial", "planet", "local_level", "lvlh", "air_velocity", "inertial_velocity"] = (
        "inertial"
    )
    """The axes that the angles start from: inertial; planet-fixed; north, east and down; local vertical,
    local horizontal (z to the centre, y against the orbital angular momentum); x along the velocity relative
    to the air, or along the inertial one, y level to the right, z down. The last two are not defined in
    vertical flight and at rest, and are as for flight to the north then."""
    sequence: str = "3-2-1"
    """The order of the body-fixed turns from those axes: "3-2-1" is yaw, pitch, roll."""
    yaw: Angle = 0.0
    """Angle [rad] of the turn about z."""
    pitch: Angle = 0.0
    """Angle [rad] of the turn about y."""
    roll: Angle = 0.0
    """Angle [rad] of the turn about x."""

    @model_validator(mode="after")
    def _check(self) -> AngleGuidance:
        if not re.fullmatch("[123]-[123]-[123]", self.sequence) or len({*self.sequence}) != 4:
            raise Refused(
                (
                    "sequence",
                    f"'{self.sequence[:40]}' is not an order of the three turns; allowed: 1 (roll), 2 (pitch)"
                    " and 3 (yaw), each once, like 3-2-1",
                )
            )
        return self


class DirectionGuidance(GuidanceLaw):
    """A direction of body x by a table of vectors, as an optimised thrust direction is given."""

    name: Name
    """Name of the law; its quantities are guidance.<name>."""
    kind: Literal["direction"] = "direction"
    """Inertial directions of body x from a table."""
    direction: DirectionTable
    """The directions."""
    right: Annotated[Any, si("1", (3,))] = (0.0, 0.0, -1.0)
    """The inertial direction to which body y points as nearly as x allows: the planet's south unless given,
    so that z is down in flight to the east."""

    @model_validator(mode="after")
    def _check(self) -> DirectionGuidance:
        if isinstance(self.right, np.ndarray) and not (np.linalg.norm(self.right, axis=0) > 0).all():
            raise Refused(("right", "is a zero vector, which has no direction; give that of body y"))
        return self


_FUNCTIONS = {AngleGuidance: tuple(ROTATIONS.values()), DirectionGuidance: ("direction",)}


def functions_of(law: Any) -> dict[str, Any]:
    """What of a law is a number or a function of a quantity, by field."""
    names = _FUNCTIONS[type(law)]
    return {name: getattr(law, name) for name in names}


def reads(law: Any) -> Iterator[tuple[str, str]]:
    """(field, quantity) of all that a law goes by, time left out."""
    for name, function in functions_of(law).items():
        if isinstance(function, Function) and function.over not in (TIME, ELAPSED):
            yield f"{name}.over", function.over


def needs(law: Any) -> tuple[str, ...]:
    """Names of the quantities that a law goes by, each once. With place and velocity of its body and the time
    they are all that its attitude follows from."""
    return tuple(dict.fromkeys(path for _, path in reads(law)))


def needs_planet(law: Any) -> tuple[str, str] | None:
    """Field, and what of it needs a planet; none where it needs none."""
    axes = getattr(law, "axes", "inertial")
    return None if axes in ("inertial", "lvlh") else ("axes", axes)


BY_TIME = ("guidance",)
"""Groups in which functions of flight time may stand, see `flight.saved_starts`."""
KINDS = {"guidance": (AngleGuidance, DirectionGuidance)}
