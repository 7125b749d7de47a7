"""Discrete gusts: a wind profile over altitude or time that is added to the steady wind.

Source of the one-minus-cosine gust: 14 CFR 25.341(a)(2), whose gradient distance is half of the length used
here. MIL-F-8785C has a gust that stays at its maximum after half of this length.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import model_validator

from ..maths.arrays import jnp
from ..tree.declaration import ByName, Declaration, OneOf
from ..tree.errors import Refused
from ..tree.names import Name
from ..tree.units import si

Shape = Literal["one_minus_cosine", "ramp", "sharp_edged"]


class Gust(Declaration):
    """Base class of gusts. Subclasses define `start`, `length` and `rise` as altitudes or as times."""

    kind: str
    """Variable on which the gust depends."""
    name: Name
    """Name of the gust in paths."""
    shape: Shape = "one_minus_cosine"
    """Shape of the gust. "one_minus_cosine": the gust rises and falls over `length`, with the full value in
    the middle. "ramp": the gust rises linearly over `length` and keeps the full value. "sharp_edged": the
    gust has the full value over `length`, with cosine edges of the length `rise`."""
    velocity: Annotated[Any, si("m/s", (3,))]
    """Velocity of the full gust [m/s], components north, east and up."""

    @model_validator(mode="after")
    def _check(self) -> Gust:
        _check_rise(self)
        return self


class AltitudeGust(Gust):
    """A gust in a range of altitudes."""

    kind: Literal["altitude"] = "altitude"
    """A gust by altitude."""
    start: Annotated[Any, si("m")]
    """Altitude at the start of the gust [m]."""
    length: Annotated[Any, si("m", positive=True)]
    """Altitude range of the gust [m]."""
    rise: Annotated[Any, si("m", positive=True)] | None = None
    """Altitude range of each edge of a sharp-edged gust [m], at most half of `length`."""


class TimeGust(Gust):
    """A gust in a range of flight time, the same at every altitude."""

    kind: Literal["time"] = "time"
    """A gust by flight time."""
    start: Annotated[Any, si("s")]
    """Flight time at the start of the gust [s]."""
    length: Annotated[Any, si("s", positive=True)]
    """Duration of the gust [s]."""
    rise: Annotated[Any, si("s", positive=True)] | None = None
    """Duration of each edge of a sharp-edged gust [s], at most half of `length`."""


def _check_rise(gust: Any) -> None:
    if (gust.rise is not None) != (gust.shape == "sharp_edged"):
        raise Refused(
            (
                "rise",
                "'rise' is required for a 'sharp_edged' gust. Give the length of each edge of "
                "the gust as 'rise'"
                if gust.rise is None
                else "'rise' applies to a 'sharp_edged' gust only. Remove 'rise'",
            )
        )
    if gust.rise is None or not isinstance(gust.rise, np.ndarray) or not isinstance(gust.length, np.ndarray):
        return
    if (2 * gust.rise > gust.length).any():
        raise Refused(
            (
                "rise",
                "'rise' is more than half of 'length', so that the edges of the gust overlap. "
                "Increase length "
                "or reduce rise",
            )
        )


Gusts = Annotated[tuple[Annotated[AltitudeGust | TimeGust, OneOf()], ...], ByName()]


def strength(gust: Any, place: Any) -> Any:
    """Return the fraction of the full gust, 0 to 1, at altitudes [m] or times [s] `place` (..., *cases)."""
    x = place - gust.start
    if gust.shape == "ramp":
        return jnp.clip(x / gust.length, 0.0, 1.0)
    if gust.shape == "one_minus_cosine":
        # Both edges take half the length, and are one cosine together.
        return _edge(x / (gust.length / 2)) * _edge((gust.length - x) / (gust.length / 2))
    return _edge(x / gust.rise) * _edge((gust.length - x) / gust.rise)


def _edge(x):
    """Cosine edge: 0 for x below 0, 1 for x above 1, (1 - cos(pi x)) / 2 in between."""
    return 0.5 - 0.5 * jnp.cos(jnp.pi * jnp.clip(x, 0.0, 1.0))


def bounds(gust: Any) -> list[Any]:
    """Return the altitudes [m] or times [s] at which a gust is not smooth.

    At these altitudes or times, the slope jumps for a ramp. For other shapes, the second derivative jumps.
    """
    start, end = gust.start, gust.start + gust.length
    return [start, end] if gust.rise is None else [start, start + gust.rise, end - gust.rise, end]
