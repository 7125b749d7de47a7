"""Declaration of aerodynamic loads on a rotor blade by blade-element theory."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import StrictInt, model_validator

from ...model.effect import ALL, Effect
from ...model.frames import Attitude
from ...tree.errors import Problem, Refused
from ...tree.names import GROUND, Name
from ...tree.sentences import count_text
from ...tree.units import si

MOST_STATIONS = 64
"""The maximum number of stations along one blade."""
APART = 1e-6
"""The smallest accepted sine of the angle between a direction and the span. A smaller sine is an input error
or a rounding error.
"""


class BladeElement(Effect):
    """Aerodynamic loads on a slender rotor blade by strip theory: lift, profile drag, and their moments on
    the body. The loads follow from the instantaneous velocity of the blade relative to the atmosphere.

    Only the velocity component perpendicular to the span is used. The lift coefficient is `lift_slope` times
    the angle of attack, without stall; its relative error is below 0.3 % up to 15 deg. The drag coefficient
    is constant. The run prints a warning if the angle of attack exceeds 15 deg, as in reverse flow.
    Atmosphere, wind and density are evaluated at the centre of mass of the body. Sources: Johnson,
    "Helicopter Theory" (1980), sections 2-3 and 5-2; Gessow and Myers, "Aerodynamics of the Helicopter"
    (1952), chapter 3."""

    outside: ClassVar[frozenset[str]] = ALL

    kind: Literal["blade_element"] = "blade_element"
    """Blade-element loads on a rotor blade."""
    name: Name
    """The name of the blade loads in paths and tables."""
    body: str
    """The body of the blade."""
    root: Annotated[Any, si("m", (3,))]
    """The inner end of the lifting part [m], in the structural coordinates of the body. The point is on the
    line of aerodynamic centres, which is also the pitch axis of the sections."""
    tip: Annotated[Any, si("m", (3,))]
    """The outer end of the line of aerodynamic centres [m], in the structural coordinates of the body. To
    model tip losses, move this point inward."""
    leading: Annotated[Any, si("1", (3,))]
    """The direction from the line of aerodynamic centres to the leading edge at zero pitch, in structural
    axes. Only its component perpendicular to the span is used."""
    up: Annotated[Any, si("1", (3,))] | None = None
    """A direction on the side of the lift at positive pitch, in structural axes. The lift is perpendicular to
    span and leading edge. Default: span x leading, for counterclockwise rotation about an axis that points
    up."""
    chord: Annotated[Any, si("m", ("n",), positive=True, grow=True)]
    """The chord [m]: one value, or two values at root and tip with linear variation."""
    pitch: Annotated[Any, si("rad")] = 0.0
    """The collective pitch [rad], added at all sections."""
    twist: Annotated[Any, si("rad", ("n",), grow=True)] = 0.0
    """The twist [rad], added to the pitch: one value, or two values at root and tip with linear variation."""
    lift_slope: Annotated[Any, si("1", positive=True)] = 2 * np.pi
    """The slope of the lift coefficient over the angle of attack [1/rad]. Default: 2 pi."""
    profile_drag: Annotated[Any, si("1", nonnegative=True)] = 0.0
    """The profile drag coefficient of the sections."""
    inflow: Annotated[Any, si("m/s")] = 0.0
    """The induced velocity of the rotor [m/s], uniform along the blade. A positive velocity is opposite to
    `up`."""
    cyclic: Annotated[Any, si("rad", (2,))] = (0.0, 0.0)
    """The amplitudes of the cyclic pitch [rad]: its cosine and sine terms over the azimuth of the blade
    relative to the swash plate."""
    swashplate: str | None = None
    """The body of the swash plate, or "ground". The azimuth of the blade is measured from the x axis of the
    swash plate, about its z axis. Required with `cyclic`."""
    swashplate_frame: Attitude | None = None
    """The axes of the swash plate, relative to the structural axes of the body of `swashplate`. Default:
    parallel."""
    stations: StrictInt = 8
    """The number of stations along the span, the points of Gauss-Legendre integration."""
    phases: tuple[str, ...] | None = None
    """The names of the phases in which the loads act. Default: all phases."""

    @model_validator(mode="after")
    def _check(self) -> BladeElement:
        wrong = []
        if not 1 <= self.stations <= MOST_STATIONS:
            wrong.append(
                Problem(
                    "stations",
                    f"stations = {self.stations} is out of range. Give 1 to {MOST_STATIONS} stations",
                )
            )
        for field in ("chord", "twist"):
            given = getattr(self, field)
            if isinstance(given, np.ndarray) and given.shape[0] not in (1, 2):
                values = count_text(given.shape[0], "values")
                text = f"'{field}' has {values}. Give one value, or two values for root and tip"
                wrong.append(Problem(field, text))
        for field in ("swashplate", "swashplate_frame"):
            if field == "swashplate" and self.swashplate == self.body != GROUND:
                text = f"'{self.body}' is the blade itself"
                remedy = "Name the body on which the blade rotates, for example the fuselage"
                wrong.append(Problem(field, f"{text}. {remedy}"))
        if self.swashplate is None and self.swashplate_frame is not None:
            wrong.append(
                Problem(
                    "swashplate_frame",
                    "'swashplate_frame' is set without 'swashplate'. Set 'swashplate', or "
                    "remove 'swashplate_frame'",
                )
            )
        if self.swashplate is None and np.any(self.cyclic):  # a written file has the default zero
            text = (
                "a cyclic pitch needs the body that carries the swash plate. Set swashplate, for example "
                'to "ground"'
            )
            wrong.append(Problem("cyclic", text))
        wrong += _lines(self)
        if wrong:
            raise Refused(*wrong)
        return self


def _lines(blade: BladeElement) -> list[Problem]:
    """Problems of the directions of a blade."""
    ends = blade.tip, blade.root, blade.leading
    if not all(isinstance(one, np.ndarray) and one.shape == (3,) for one in ends):
        return []  # many cases, or traced: already checked
    span = blade.tip - blade.root
    if not np.linalg.norm(span) > 0:
        return [Problem("tip", "'tip' is the same point as root. Give the outer end of the blade")]
    if _sine(span, blade.leading) < APART:
        return [
            Problem(
                "leading",
                "'leading' is parallel to the span from root to tip. Give a direction across the span",
            )
        ]
    side = np.cross(span, blade.leading)
    if blade.up is not None and abs(_cosine(side, blade.up)) < APART:
        text = "'up' lies in the plane of the span and the leading edge. Give a direction out of this plane"
        return [Problem("up", text)]
    return []


def _sine(line: np.ndarray, other: np.ndarray) -> float:
    """Sine of the angle between two directions; 0 if one is zero."""
    sizes = np.linalg.norm(line) * np.linalg.norm(other)
    return float(np.linalg.norm(np.cross(line, other)) / sizes) if sizes > 0 else 0.0


def _cosine(line: np.ndarray, other: np.ndarray) -> float:
    """Cosine of the angle between two directions; 0 if one is zero."""
    sizes = np.linalg.norm(line) * np.linalg.norm(other)
    return float(line @ other / sizes) if sizes > 0 else 0.0


KINDS = {"forces": (BladeElement,)}
