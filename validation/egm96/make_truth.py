"""Makes truth.csv: EGM96 to degree and order 70 with 60 digits, by other formulas than the package's.

Spherical coordinates, associated Legendre functions without normalization, exact factorials, derivatives of
the potential along radius, latitude and longitude (W. A. Heiskanen and H. Moritz, Physical Geodesy, section
1). On the polar axis the point is moved by 1e-35 m. Run it here: python make_truth.py
"""

from __future__ import annotations

import csv
from pathlib import Path

import mpmath as mp
import numpy as np

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parents[1] / "src/interstage/environment/coefficients/egm96_70.gfc"
GM, RADIUS = "3.986004415e14", "6378136.3"
DIGITS = 60
COLUMNS = "x y z ax ay az dx dy dz difference_x difference_y difference_z"


def coefficients(path=SOURCE):
    """Texts (C, S) by degree and order, from the file itself."""
    rows = [line.split() for line in path.read_text().splitlines() if line.startswith("gfc ")]
    return {(int(n), int(m)): (c, s) for _, n, m, c, s in rows}


def legendre(degree, s, c):
    """P[n][m] (sine s, cosine c), without normalization or phase; one order more than the degree."""
    p = [[mp.mpf(0)] * (degree + 2) for _ in range(degree + 1)]
    p[0][0] = mp.mpf(1)
    for m in range(degree + 1):
        if m:
            p[m][m] = (2 * m - 1) * c * p[m - 1][m - 1]
        for n in range(m + 1, degree + 1):
            older = (n + m - 1) * p[n - 2][m] if n > m + 1 else 0
            p[n][m] = ((2 * n - 1) * s * p[n - 1][m] - older) / (n - m)
    return p


def field(known, position, degree=70, order=70, gm=GM, radius=RADIUS):
    """Acceleration (three numbers) [m/s^2] and potential per mass with the geodesist's sign [m^2/s^2]."""
    x, y, z = (mp.mpf(value) for value in position)
    if x == 0 and y == 0:
        x = mp.mpf(10) ** -35
    across = mp.hypot(x, y)
    r = mp.hypot(across, z)
    s, c, east = z / r, across / r, mp.atan2(y, x)
    p = legendre(degree, s, c)
    total = outward = north = along = mp.mpf(0)
    for (n, m), texts in known.items():
        if n > degree or m > order:
            continue
        ratio = (1 if m == 0 else 2) * (2 * n + 1) * mp.factorial(n - m) / mp.factorial(n + m)
        big_c, big_s = (mp.mpf(text) * mp.sqrt(ratio) for text in texts)
        wave = big_c * mp.cos(m * east) + big_s * mp.sin(m * east)
        turned = m * (big_s * mp.cos(m * east) - big_c * mp.sin(m * east))
        power = (mp.mpf(radius) / r) ** n
        total += power * p[n][m] * wave
        outward -= (n + 1) * power * p[n][m] * wave
        north += power * (p[n][m + 1] - m * s / c * p[n][m]) * wave
        along += power * p[n][m] * turned / c
    g = mp.mpf(gm) / r**2
    level = g * (c * outward - s * north)
    cos, sin = mp.cos(east), mp.sin(east)
    acceleration = [
        level * cos - g * along * sin,
        level * sin + g * along * cos,
        g * (s * outward + c * north),
    ]
    return acceleration, mp.mpf(gm) / r * total


def places():
    """20 positions [m], digits as printed, on the polar axis, beside it, on the equator and all round; and an
    offset from each, from a millimetre to 1000 km."""
    rng = np.random.default_rng(960)
    direction = rng.standard_normal((20, 3))
    radius = 6.4e6 * 10 ** rng.uniform(0, 0.8, 20)
    radius[:6] = 6.357e6, 6.378e6, 6.4e6, 6.78e6, 7e6, 4.2164e7
    position = np.round(direction / np.linalg.norm(direction, axis=1)[:, None] * radius[:, None], 3)
    position[:4] = [0, 0, 6.357e6], [0, 0, -6.6e6], [6.4e6, 0, 0], [1e-3, 0, 6.5e6]
    aside = rng.standard_normal((20, 3))
    size = 10.0 ** np.resize(np.arange(-3, 7), 20)
    aside *= (size / np.linalg.norm(aside, axis=1))[:, None]
    return position, np.array([[float(f"{value:.6e}") for value in row] for row in aside])


def main():
    mp.mp.dps = DIGITS
    known = coefficients()
    with (HERE / "truth.csv").open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS.split())
        for position, offset in zip(*places(), strict=True):
            here, _ = field(known, position)
            there, _ = field(known, [mp.mpf(a) + mp.mpf(b) for a, b in zip(position, offset, strict=True)])
            change = [b - a for a, b in zip(here, there, strict=True)]
            texts = [mp.nstr(value, 20) for value in (*here, *change)]
            table.writerow(
                [*(f"{v:.3f}" for v in position), *texts[:3], *(f"{v:.6e}" for v in offset), *texts[3:]]
            )


if __name__ == "__main__":
    main()
