"""EGM96 in extended precision (numpy.longdouble), fast enough to integrate orbits: for reference solutions.

Spherical coordinates, associated Legendre functions without normalization, derivatives of the potential
along radius, latitude and longitude (W. A. Heiskanen and H. Moritz, Physical Geodesy, section 1), as in
make_truth.py and unlike the package. Not for the polar axis. Up to degree 20 it agrees with 60 digits to
1e-18; `python extended.py` compares it with truth.csv at degree 70.
"""

import csv
from pathlib import Path

import mpmath as mp
import numpy as np

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parents[1] / "src/interstage/environment/coefficients/egm96_70.gfc"
REAL = np.longdouble
GM, RADIUS = REAL("3.986004415e14"), REAL("6378136.3")


def coefficients(degree):
    """C and S (degree + 1, degree + 1) without normalization."""
    found = np.zeros((2, degree + 1, degree + 1), dtype=REAL)
    with mp.workdps(40):
        for line in SOURCE.read_text().splitlines():
            parts = line.split()
            if not line.startswith("gfc ") or int(parts[1]) > degree:
                continue
            n, m = int(parts[1]), int(parts[2])
            ratio = (1 if m == 0 else 2) * (2 * n + 1) * mp.factorial(n - m) / mp.factorial(n + m)
            for k in (0, 1):
                found[k, n, m] = REAL(mp.nstr(mp.mpf(parts[3 + k]) * mp.sqrt(ratio), 30))
    return found


def acceleration(known, positions):
    """Accelerations (3, points) [m/s^2] at planet-fixed positions (3, points) [m]."""
    degree = known.shape[1] - 1
    x, y, z = positions
    across = np.sqrt(x * x + y * y)
    r = np.sqrt(across * across + z * z)
    s, c, east = z / r, across / r, np.arctan2(y, x)
    cos = [np.cos(m * east) for m in range(degree + 1)]
    sin = [np.sin(m * east) for m in range(degree + 1)]
    zero = np.zeros_like(r)
    before, row = [zero] * (degree + 2), [zero + 1] + [zero] * (degree + 1)  # P[n - 1], P[n]
    power, total = zero + 1, np.zeros((3, *r.shape), dtype=REAL)
    for n in range(degree + 1):
        for m in range(n + 1):
            wave = known[0, n, m] * cos[m] + known[1, n, m] * sin[m]
            turned = m * (known[1, n, m] * cos[m] - known[0, n, m] * sin[m])
            total[0] -= (n + 1) * power * row[m] * wave
            total[1] += power * (row[m + 1] - m * s / c * row[m]) * wave
            total[2] += power * row[m] * turned / c
        up = [((2 * n + 1) * s * row[m] - (n + m) * before[m]) / (n + 1 - m) for m in range(n + 1)]
        up += [(2 * n + 1) * c * row[n]] + [zero] * (degree - n)
        before, row, power = row, up, power * RADIUS / r
    outward, north, along = total * GM / r**2
    level = c * outward - s * north
    ce, se = np.cos(east), np.sin(east)
    return np.stack([level * ce - along * se, level * se + along * ce, s * outward + c * north])


def in_space(known, positions, angle):
    """Accelerations (3, points) along inertial axes at inertial positions, the planet turned to the east by
    an angle [rad]."""
    c, s = np.cos(REAL(angle)), np.sin(REAL(angle))
    x, y, z = positions
    gx, gy, gz = acceleration(known, np.stack([c * x + s * y, c * y - s * x, z]))
    return np.stack([c * gx - s * gy, s * gx + c * gy, gz])


def main():
    """The largest difference from truth.csv, degree 70, at the points off the axis; relative."""
    with (HERE / "truth.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if float(row["x"]) > 1 or abs(float(row["y"])) > 1]
    place, truth = (
        np.array([[REAL(row[head + axis]) for row in rows] for axis in "xyz"]) for head in ("", "a")
    )
    apart = acceleration(coefficients(70), place) - truth
    print(len(rows), "points:", float(np.max(np.sqrt((apart**2).sum(0) / (truth**2).sum(0)))))


if __name__ == "__main__":
    main()
