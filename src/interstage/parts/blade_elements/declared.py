"""Air on the blade of a rotor as declared: blade-element theory of a simple kind."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import StrictInt, model_validator

from ...model.effect import ALL, Effect
from ...model.frames import Attitude
from ...tree.errors import Problem, Refused, counted
from ...tree.names import GROUND, Name
from ...tree.units import si

MOST_STATIONS = 64
"""Most stations of one blade."""
APART = 1e-6
"""Least part of a direction that must be across the span: less is a mistake, or rounding."""


class BladeElement(Effect):
    """Air on a slender blade, strip by strip, as its motion through the atmosphere at each moment has it:
    lift, profile drag, and their moments on the body.

    Only the velocity across the span counts. Lift is `lift_slope` times the angle of attack to 0.3 percent up
    to 15 deg, without stall, and drag does not depend on it; reverse flow is reported. Air, wind and density
    are those at the centre of mass of the body. Sources: Johnson, "Helicopter Theory" (1980), sections 2-3
    and 5-2; Gessow and Myers, "Aerodynamics of the Helicopter" (1952), chapter 3."""

    outside: ClassVar[frozenset[str]] = ALL

    kind: Literal["blade_element"] = "blade_element"
    """Air on a blade, by blade elements."""
    name: Name
    """Name in paths and tables."""
    body: str
    """The blade."""
    root: Annotated[Any, si("m", (3,))]
    """Inner end of what lifts [m], structural axes, drawing coordinates, on the line of aerodynamic centres,
    about which the pitch turns the sections."""
    tip: Annotated[Any, si("m", (3,))]
    """Outer end of that line [m]; less than the whole blade where a loss at the tip is meant."""
    leading: Annotated[Any, si("1", (3,))]
    """Direction towards the leading edge at no pitch, structural axes; its part across the span counts."""
    up: Annotated[Any, si("1", (3,))] | None = None
    """Side to which a positive pitch lifts. Default: span x leading, as of a blade that turns to the left
    about an axis that points up. Only the side counts: lift is across span and leading edge."""
    chord: Annotated[Any, si("m", ("n",), positive=True, grow=True)]
    """Chord [m], or at the root and at the tip, linear between."""
    pitch: Annotated[Any, si("rad")] = 0.0
    """Pitch of all sections [rad]: collective."""
    twist: Annotated[Any, si("rad", ("n",), grow=True)] = 0.0
    """What adds to it [rad], or at the root and at the tip, linear between."""
    lift_slope: Annotated[Any, si("1", positive=True)] = 2 * np.pi
    """Slope of the lift coefficient over the angle of attack [1/rad]."""
    profile_drag: Annotated[Any, si("1", nonnegative=True)] = 0.0
    """Drag coefficient of the sections."""
    inflow: Annotated[Any, si("m/s")] = 0.0
    """Velocity of the atmosphere that the rotor draws through itself [m/s], against `up` of this blade, along
    the whole of it."""
    cyclic: Annotated[Any, si("rad", (2,))] = (0.0, 0.0)
    """Pitch that goes with the cosine and with the sine of the blade's azimuth over the swash plate [rad]."""
    swashplate: str | None = None
    """Body, or "ground", over which the azimuth counts: from the x axis of the swash plate, about its z axis.
    Needed where there is a cyclic pitch."""
    swashplate_frame: Attitude | None = None
    """Axes of the swash plate in that body's structural axes. Default: parallel."""
    stations: StrictInt = 8
    """Sections at which the atmosphere is looked at: points of Gauss and Legendre along the span."""
    phases: tuple[str, ...] | None = None
    """Names of the phases in which it acts. Default: always."""

    @model_validator(mode="after")
    def _check(self) -> BladeElement:
        wrong = []
        if not 1 <= self.stations <= MOST_STATIONS:
            wrong.append(Problem("stations", f"is {self.stations}; allowed: 1 to {MOST_STATIONS}"))
        for field in ("chord", "twist"):
            given = getattr(self, field)
            if isinstance(given, np.ndarray) and given.shape[0] not in (1, 2):
                values = counted(given.shape[0], "values")
                text = f"has {values}; allowed: one, or those at the root and at the tip"
                wrong.append(Problem(field, text))
        for field in ("swashplate", "swashplate_frame"):
            if field == "swashplate" and self.swashplate == self.body != GROUND:
                text = f"is the blade '{self.body}' itself, which has no azimuth over itself; name what it"
                wrong.append(Problem(field, f"{text} turns on, like the fuselage"))
        if self.swashplate is None and self.swashplate_frame is not None:
            wrong.append(Problem("swashplate_frame", "is of no body; give swashplate too"))
        if self.swashplate is None and np.any(self.cyclic):  # none is zero, which a written file says
            text = 'counts from the axes of a body that is not named; give swashplate too, like "ground"'
            wrong.append(Problem("cyclic", text))
        wrong += _lines(self)
        if wrong:
            raise Refused(*wrong)
        return self


def _lines(blade: BladeElement) -> list[Problem]:
    """What is wrong with its directions."""
    ends = blade.tip, blade.root, blade.leading
    if not all(isinstance(one, np.ndarray) and one.shape == (3,) for one in ends):
        return []  # of many cases, or traced: seen before
    span = blade.tip - blade.root
    if not np.linalg.norm(span) > 0:
        return [Problem("tip", "is where root is; give the outer end of the blade")]
    if _across(span, blade.leading) < APART:
        return [Problem("leading", "must point across the span, from root to tip; it points along it")]
    side = np.cross(span, blade.leading)
    if blade.up is not None and abs(_along(side, blade.up)) < APART:
        text = "must tell a side, across the span and the leading edge; it points along their plane"
        return [Problem("up", text)]
    return []


def _across(line: np.ndarray, other: np.ndarray) -> float:
    """The sine between two directions, 0 where one is none."""
    sizes = np.linalg.norm(line) * np.linalg.norm(other)
    return float(np.linalg.norm(np.cross(line, other)) / sizes) if sizes > 0 else 0.0


def _along(line: np.ndarray, other: np.ndarray) -> float:
    """The cosine between two directions, 0 where one is none."""
    sizes = np.linalg.norm(line) * np.linalg.norm(other)
    return float(line @ other / sizes) if sizes > 0 else 0.0


KINDS = {"forces": (BladeElement,)}
