"""Jacobi's elliptic functions and the incomplete integral F, to a few units of rounding. NumPy only.

The complementary parameter m1 = 1 - m is the argument, since that is the one known without cancellation
near a separatrix. Sources: Abramowitz and Stegun, Handbook of Mathematical Functions, 16.4
(arithmetic-geometric mean); Carlson, Numerical Algorithms 10 (1995), algorithm for R_F.
"""

import numpy as np


def jacobi(u: np.ndarray, m1: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """sn, cn, dn of u for the parameter m = 1 - m1, 0 < m1 <= 1."""
    a, b, levels = [1.0], np.sqrt(m1), []
    while abs(a[-1] - b) > 1e-16 * a[-1] and len(a) < 20:
        levels.append((a[-1] - b) / 2)
        a.append((a[-1] + b) / 2)
        b = np.sqrt(a[-2] * b)
    phi = 2.0 ** len(levels) * a[-1] * np.asarray(u, dtype=float)
    for c, mean in zip(reversed(levels), reversed(a[1:])):
        phi = (phi + np.arcsin(c / mean * np.sin(phi))) / 2
    sn, cn = np.sin(phi), np.cos(phi)
    return sn, cn, np.sqrt(cn**2 + m1 * sn**2)


def carlson_rf(x: float, y: float, z: float) -> float:
    """Carlson's symmetric integral of the first kind."""
    while True:
        mean = (x + y + z) / 3
        dx, dy, dz = 1 - x / mean, 1 - y / mean, 1 - z / mean
        if max(abs(dx), abs(dy), abs(dz)) < 1e-3:
            break
        shift = np.sqrt(x * y) + np.sqrt(y * z) + np.sqrt(z * x)
        x, y, z = (x + shift) / 4, (y + shift) / 4, (z + shift) / 4
    e2, e3 = dx * dy - dz**2, dx * dy * dz
    series = 1 - e2 / 10 + e3 / 14 + e2**2 / 24 - 3 * e2 * e3 / 44 - 5 * e2**3 / 208 + 3 * e3**2 / 104
    return float(series / np.sqrt(mean))


def incomplete(sine: float, cosine: float, m1: float) -> float:
    """F(phi, m): the u whose sn and cn (positive) have the given ratio."""
    s, c = sine / np.hypot(sine, cosine), cosine / np.hypot(sine, cosine)
    return float(s * carlson_rf(c**2, c**2 + m1 * s**2, 1.0))


def complete(m1: float) -> float:
    """K(m), a quarter of the period of sn and cn."""
    return carlson_rf(0.0, m1, 1.0)
