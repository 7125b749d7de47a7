"""Beams clamped at one end that gravity takes from straight, for every code that flies them; SI.

The soft rod is of silicone, 400 mm by 10 mm: it swings through half a turn, bent by more than a radian. The
boom is an aluminium tube of 4 m, which sags by 5 mm and swings as its modes do: stiff for a code that has to
follow every wave."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

GRAVITY = 9.80665
"""Across the beam, along -z [m/s^2]."""
SAMPLES = 10


@dataclass(frozen=True)
class Tube:
    """A round tube or rod; length, radius and hole [m], moduli [Pa], density [kg/m^3]. duration [s]."""

    length: float
    radius: float
    hole: float
    young: float
    shear_modulus: float
    density: float
    duration: float

    @property
    def area(self) -> float:
        """[m^2]"""
        return np.pi * (self.radius**2 - self.hole**2)

    @property
    def second(self) -> float:
        """Second moment of area about y or z [m^4]."""
        return np.pi / 4 * (self.radius**4 - self.hole**4)

    @property
    def shear_stiffness(self) -> float:
        """Shear modulus times effective area [N], by Cowper's factor."""
        poisson, square = self.young / (2 * self.shear_modulus) - 1, (self.hole / self.radius) ** 2
        whole = (1 + square) ** 2
        factor = 6 * (1 + poisson) * whole / ((7 + 6 * poisson) * whole + (20 + 12 * poisson) * square)
        return factor * self.shear_modulus * self.area

    @property
    def times(self) -> NDArray[np.float64]:
        """At which the codes are compared [s]."""
        return self.duration * np.arange(1, SAMPLES + 1) / SAMPLES


SOFT = Tube(0.4, 5e-3, 0.0, 2e6, 0.7e6, 1100.0, 0.5)
BOOM = Tube(4.0, 40e-3, 37e-3, 70e9, 26e9, 2700.0, 0.1)


def error(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Root mean square distance of two ends (sample, 3) [m]."""
    return float(np.sqrt(np.mean(np.sum((one - other) ** 2, 1))))
