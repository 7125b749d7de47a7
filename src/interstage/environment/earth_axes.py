"""Equator and equinox of the Earth at a date, relative to celestial reference systems.

Sources: IAU 2006 precession as Fukushima-Williams angles (Capitaine, Wallace & Chapront 2003; IERS
Conventions 2010, section 5.6.4); the largest terms of the nutation IAU 2000B (McCarthy & Luzum 2003); Earth
rotation angle and sidereal time (IERS Conventions 2010, eqs 5.15 and 5.31); frame bias (eq 5.33).

Errors: the omitted terms of the nutation are below 0.1 arcsec, which is 3 m at the surface.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from .time_scales import DAY, centuries

ARCSEC = math.pi / (180 * 3600)
NUTATION = (
    (0, 0, 0, 0, 1, -17.2064161, -0.0174666, 9.2052331, 0.0009086),
    (0, 0, 2, -2, 2, -1.3170906, -0.0001675, 0.5730336, -0.0003015),
    (0, 0, 2, 0, 2, -0.2276413, -0.0000234, 0.0978459, -0.0000485),
    (0, 0, 0, 0, 2, 0.2074554, 0.0000207, -0.0897492, 0.0000470),
    (0, 1, 0, 0, 0, 0.1475877, -0.0003633, 0.0073871, -0.0000184),
    (0, 1, 2, -2, 2, -0.0516821, 0.0001226, 0.0224386, -0.0000677),
    (1, 0, 0, 0, 0, 0.0711159, 0.0000073, -0.0006750, 0.0),
    (0, 0, 2, 0, 1, -0.0387298, -0.0000367, 0.0200728, 0.0000018),
    (1, 0, 2, 0, 2, -0.0301461, -0.0000036, 0.0129025, -0.0000063),
    (0, -1, 2, -2, 2, 0.0215829, -0.0000494, -0.0095929, 0.0000299),
)
"""Multiples of the arguments l, l', F, D and Omega; coefficients [arcsec] of the sine in longitude and of the
cosine in obliquity, each with its change per century."""
ARGUMENTS = (
    (485868.249036, 1717915923.2178),
    (1287104.79305, 129596581.0481),
    (335779.526232, 1739527262.8478),
    (1072260.70369, 1602961601.2090),
    (450160.398036, -6962890.5431),
)
"""Arguments l, l', F, D and Omega [arcsec]: value at J2000.0 and change per century."""
GAMMA = (-0.052928, 10.556378, 0.4932044, -0.00031238, -0.000002788, 0.0000000260)
PHI = (84381.412819, -46.811016, 0.0511268, 0.00053289, -0.000000440, -0.0000000176)
PSI = (-0.041775, 5038.481484, 1.5584175, -0.00018522, -0.000026452, -0.0000000148)
OBLIQUITY = (84381.406, -46.836769, -0.0001831, 0.00200340, -0.000000576, -0.0000000434)
SIDEREAL = (0.014506, 4612.156534, 1.3915817, -0.00000044, -0.000029956, -0.0000000368)
"""Coefficients [arcsec] of polynomials in centuries since J2000.0."""
BIAS = (-0.0166170, -0.0068192, -0.01460)
"""Offsets of the mean pole and equinox of J2000.0 in the celestial reference system [arcsec]."""


class EarthAxes(NamedTuple):
    """True equator and equinox of a date.

    - of_gcrf (3, 3): rotation from the celestial reference system (GCRF, ICRF) to these axes.
    - equinoxes: equation of the equinoxes [rad]: apparent minus mean sidereal time.
    - angle: Greenwich apparent sidereal time [rad], from x to the meridian of zero longitude.
    """

    of_gcrf: np.ndarray
    equinoxes: float
    angle: float


def earth_axes(tt: int, ut1: int) -> EarthAxes:
    """Return the true equator and equinox at a date.

    tt, ut1: time in TT and in UT1 [ns] since 2000-01-01T00:00:00 of the scale. UTC in place of UT1 changes
    the sidereal time by up to 0.004 deg.
    """
    t = centuries(tt)
    longitude, obliquity, node = _nutation(t)
    gamma, phi, psi, mean = (_sum(row, t) for row in (GAMMA, PHI, PSI, OBLIQUITY))
    of_gcrf = _about(0, -mean - obliquity) @ _about(2, -psi - longitude) @ _about(0, phi) @ _about(2, gamma)
    small = ARCSEC * (0.00264096 * math.sin(node) + 0.00006352 * math.sin(2 * node))
    equinoxes = longitude * math.cos(mean) + small
    whole, part = divmod(ut1, DAY)
    turns = 0.7790572732640 + part / DAY - 0.5 + 0.00273781191135448 * (whole + part / DAY - 0.5)
    angle = 2 * math.pi * turns + _sum(SIDEREAL, t) + equinoxes
    return EarthAxes(of_gcrf, equinoxes, math.remainder(angle, 2 * math.pi))


def eme2000_of_gcrf() -> np.ndarray:
    """Return the rotation (3, 3) from GCRF to the mean equator and equinox of J2000.0, to first order."""
    xi, eta, alpha = (ARCSEC * one for one in BIAS)
    return np.array([[1.0, alpha, -xi], [-alpha, 1.0, -eta], [xi, eta, 1.0]])


def _nutation(t: float) -> tuple[float, float, float]:
    """Nutation in longitude and in obliquity, and the argument Omega [rad]."""
    arguments = [ARCSEC * math.fmod(start + rate * t, 1_296_000) for start, rate in ARGUMENTS]
    longitude, obliquity = -0.000135, 0.000388  # mean effect of the planets
    for *multiples, sine, sine_rate, cosine, cosine_rate in NUTATION:
        argument = sum(n * one for n, one in zip(multiples, arguments, strict=True))
        longitude += (sine + sine_rate * t) * math.sin(argument)
        obliquity += (cosine + cosine_rate * t) * math.cos(argument)
    return ARCSEC * longitude, ARCSEC * obliquity, arguments[-1]


def _sum(coefficients: tuple[float, ...], t: float) -> float:
    """Value of a polynomial [rad] from coefficients [arcsec]."""
    return ARCSEC * sum(c * t**n for n, c in enumerate(coefficients))


def _about(axis: int, angle: float) -> np.ndarray:
    """Matrix from axes to those rotated by an angle about x (0) or z (2)."""
    c, s = math.cos(angle), math.sin(angle)
    i, j = ((1, 2), (2, 0), (0, 1))[axis]
    found = np.eye(3)
    found[i, i] = found[j, j] = c
    found[i, j], found[j, i] = s, -s
    return found
