"""Trajectory of one body in planet-fixed axes, in the form that the writers of file formats need."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import numpy as np

COLOURS = ((0, 114, 178), (213, 94, 0), (0, 158, 115), (204, 121, 167), (230, 160, 0), (86, 180, 233))
"""Colours of the bodies (red, green, blue), which colour-blind readers can distinguish (Okabe and Ito)."""
MICROSECOND = 1e-6
"""Resolution of times in the files [s]."""


@dataclass(frozen=True)
class Trajectory:
    """Motion of one body relative to its planet. Times increase by a microsecond or more, except at a jump of
    the motion: there, two samples with equal times have the values before and after the jump.

    - name: name of the body. planet: name of the planet, for example "Earth".
    - time: [s] (n,), from time zero of the flight.
    - position, velocity: centre of mass [m], [m/s] (n, 3) relative to the rotating planet, planet-fixed axes.
    - attitude: unit quaternion from body to planet-fixed axes, scalar first (n, 4); NaN if unknown.
    - latitude, longitude: geodetic [rad] (n,). altitude: above the ellipsoid [m] (n,).
    - breaks: indices of the samples just after a jump."""

    name: str
    planet: str
    time: np.ndarray
    position: np.ndarray
    velocity: np.ndarray
    attitude: np.ndarray
    latitude: np.ndarray
    longitude: np.ndarray
    altitude: np.ndarray
    breaks: tuple[int, ...] = ()

    @property
    def segments(self) -> list[slice]:
        """Return the samples between jumps. The motion must not be interpolated from one segment to the next
        segment."""
        ends = (0, *self.breaks, len(self.time))
        return [slice(first, last) for first, last in pairwise(ends)]

    @property
    def distinct(self) -> np.ndarray:
        """Return whether each sample is the only sample at its time, or the sample just after a jump (n,)."""
        found = np.ones(len(self.time), bool)
        found[[row - 1 for row in self.breaks]] = False
        return found

    @property
    def has_attitude(self) -> np.ndarray:
        """Return whether the attitude of each sample is known (n,)."""
        return np.all(np.isfinite(self.attitude), axis=1)


@dataclass(frozen=True)
class Mark:
    """Event on the trajectory of a body.

    - time: time of the event [s].
    - latitude, longitude: geodetic [rad].
    - altitude: above the ellipsoid [m].
    """

    name: str
    body: str
    time: float
    latitude: float
    longitude: float
    altitude: float


def date_text(epoch: datetime, time: float, digits: int = 6) -> str:
    """Return the UTC date at a time [s] after the epoch as text, for example "2026-11-29T12:00:00.250000".

    digits: number of decimals of the seconds. Default: 6.
    """
    moment = epoch.astimezone(UTC) + timedelta(microseconds=round(time / MICROSECOND))
    text = moment.replace(tzinfo=None).isoformat(timespec="microseconds")
    return text[: len(text) - 6 + digits]


def number_text(value: float) -> str:
    """Return a value as text with 13 significant digits, which keeps a relative accuracy of 1e-12."""
    return f"{float(value):.13g}"
