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


TUBES = {"soft": SOFT, "boom": BOOM}
TRUTHS: dict[str, NDArray[np.float64]] = {
    "soft": np.array(
        [
            (0.3994267, 0.0, -0.0123152),
            (0.3928587, 0.0, -0.0451322),
            (0.3716429, 0.0, -0.1139920),
            (0.3178092, 0.0, -0.2364518),
            (0.1834044, 0.0, -0.3405845),
            (0.0255218, 0.0, -0.3669341),
            (-0.1023564, 0.0, -0.3527430),
            (-0.1878811, 0.0, -0.3116636),
            (-0.2439934, 0.0, -0.2400873),
            (-0.2586596, 0.0, -0.1457701),
        ]
    ),
    "soft, no shear": np.array(
        [
            (0.3994259, 0.0, -0.0123653),
            (0.3928395, 0.0, -0.0450536),
            (0.3716505, 0.0, -0.1142198),
            (0.3175543, 0.0, -0.2368228),
            (0.1829861, 0.0, -0.3404954),
            (0.0248642, 0.0, -0.3666003),
            (-0.1023920, 0.0, -0.3524559),
            (-0.1875603, 0.0, -0.3112413),
            (-0.2442725, 0.0, -0.2387990),
            (-0.2581262, 0.0, -0.1441788),
        ]
    ),
    "boom": np.array(
        [
            (3.9999999, 0.0, -0.0004545),
            (3.9999991, 0.0, -0.0025789),
            (3.9999940, 0.0, -0.0064375),
            (3.9999838, 0.0, -0.0106823),
            (3.9999671, 0.0, -0.0152992),
            (3.9999389, 0.0, -0.0206066),
            (3.9999075, 0.0, -0.0252883),
            (3.9998823, 0.0, -0.0287248),
            (3.9998571, 0.0, -0.0315356),
            (3.9998417, 0.0, -0.0330344),
        ]
    ),
    "boom, no shear": np.array(
        [
            (3.9999999, 0.0, -0.0004541),
            (3.9999991, 0.0, -0.0025823),
            (3.9999940, 0.0, -0.0064422),
            (3.9999838, 0.0, -0.0106791),
            (3.9999671, 0.0, -0.0153049),
            (3.9999387, 0.0, -0.0206233),
            (3.9999076, 0.0, -0.0252720),
            (3.9998825, 0.0, -0.0286946),
            (3.9998570, 0.0, -0.0315332),
            (3.9998419, 0.0, -0.0330034),
        ]
    ),
}
"""Ends (sample, 3) [m]: with shear by Interstage with 80 and 160 (soft), 40 and 80 elements, extrapolated;
Exudyn's geometrically exact beams of 40 and 80 elements, extrapolated, end the soft one 1e-5 m from that.
Without by Exudyn's cables, 80 elements and 4000 steps, 20 elements and 2000 steps."""


def error(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Root mean square distance of two ends (sample, 3) [m]."""
    return float(np.sqrt(np.mean(np.sum((one - other) ** 2, 1))))
