"""Tip-off of two bodies by springs on a ring, in closed form and as arrays, in the limit of short impulses.

`n` springs stand at angles 2 pi i / n on radius R. Spring i gives an axial impulse J_i = J + s e_i + s_lot
e, with standard normal e_i of its own and e of its lot. The transverse angular impulse is R sum_i J_i (sin,
-cos)(angle_i), and the relative speed is (1 / m1 + 1 / m2) sum_i J_i.

- The lot cancels in the transverse rate for n >= 2, because the sines and cosines add to zero.
- For n >= 3, sum sin^2 = sum cos^2 = n / 2 and the mixed sum is zero. The rate is then Rayleigh with
  sigma^2 = n R^2 s^2 / (2 I^2), with I about the body's centre of mass.
- Without spring 0 the angular impulse is that of all springs less that of spring 0. Its mean is R J along
  one axis, with variance R^2 (s^2 (n / 2 - 1) + s_lot^2) along this axis and R^2 s^2 n / 2 across. This is
  Rice only if s_lot = s; else both variances differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import integrate, special


@dataclass(frozen=True)
class Ring:
    """Springs on a ring: number, radius [m], impulse and its sigmas [N s], inertia [kg m^2], masses [kg]."""

    springs: int = 4
    radius: float = 0.5
    impulse: float = 100.0
    sigma: float = 2.0
    sigma_lot: float = 5.0
    inertia: float = 300.0
    masses: tuple[float, float] = (1000.0, 4000.0)

    def impulses(self, own: np.ndarray, lot: np.ndarray) -> np.ndarray:
        """Impulses (springs, cases) [N s] of standard normal own (springs, cases) and lot (cases,) parts."""
        return self.impulse + self.sigma * own + self.sigma_lot * lot

    def rates(self, impulses: np.ndarray) -> np.ndarray:
        """Transverse rates (2, cases) [rad/s] of impulses (springs, cases) [N s]."""
        angle = 2 * np.pi * np.arange(self.springs) / self.springs
        return self.radius / self.inertia * np.array([np.sin(angle), -np.cos(angle)]) @ impulses

    def speeds(self, impulses: np.ndarray) -> np.ndarray:
        """Relative speeds (cases,) [m/s]."""
        return impulses.sum(0) * sum(1 / mass for mass in self.masses)

    @property
    def sigma_rate(self) -> float:
        """Sigma of the Rayleigh distribution of the transverse rate [rad/s]."""
        return self.radius * self.sigma * np.sqrt(self.springs / 2) / self.inertia

    @property
    def sigma_speed(self) -> float:
        """Standard deviation of the relative speed [m/s]."""
        variance = self.springs * self.sigma**2 + (self.springs * self.sigma_lot) ** 2
        return float(np.sqrt(variance) * sum(1 / mass for mass in self.masses))

    def probability_above(self, rate: float) -> float:
        """Probability that the rate with one missing spring is above a rate [rad/s], by integration."""
        scale = self.radius / self.inertia
        mean, across = scale * self.impulse, self.sigma_rate
        along = scale * np.sqrt(self.sigma**2 * (self.springs / 2 - 1) + self.sigma_lot**2)

        def below(x: float) -> float:
            inside = special.erf(np.sqrt(max(rate**2 - x**2, 0.0)) / (across * np.sqrt(2)))
            return inside * np.exp(-0.5 * ((x - mean) / along) ** 2) / (along * np.sqrt(2 * np.pi))

        found, _ = integrate.quad(
            below, -rate, rate, epsabs=1e-13, epsrel=1e-11, points=[min(mean, rate)], limit=200
        )
        return 1.0 - found
