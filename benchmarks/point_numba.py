"""The limit of a flight as a mass point: `point.toml` written out for this one vehicle as a Numba loop.

Place, velocity and mass, RK4 with the steps of the scenario, a state kept each second."""

from __future__ import annotations

from math import exp, sqrt

import numba
import numpy as np
from numpy.typing import NDArray

RADIUS, MU, SPIN = 6378145.0, 3.986012e14, 7.29211585e-5
DENSITY, SCALE = 1.225, 7200.0
HALF_AREA = 0.5 * 12.5 * 0.5
THRUST, ISP, G0 = 4.8e6, 290.0, 9.80665
FLOW = THRUST / (ISP * G0)
DRY, FULL = 40000.0, 250000.0
X, Z = 5605222.973039351, 3043387.76095602
FORWARD = 408.7393528448438
UP_X, UP_Z = X / sqrt(X * X + Z * Z), Z / sqrt(X * X + Z * Z)
A, B, C, D = 10.0, -0.055, 0.5, 0.02
END, STEP, KEPT = 140.0, 0.05, 20

jit = numba.njit(error_model="numpy", fastmath={"contract", "nsz"}, cache=False)


@jit
def rates(t, x, y, z, u, v, w, m):
    """Derivatives of place, velocity and mass."""
    r2 = x * x + y * y + z * z
    r = sqrt(r2)
    pull = -MU / (r2 * r)
    a, b, c = u + SPIN * y, v - SPIN * x, w
    drag = -HALF_AREA * DENSITY * exp(-(r - RADIUS) / SCALE) * sqrt(a * a + b * b + c * c) / m
    above, ahead = A + B * t, C + D * t
    push = THRUST / (m * sqrt(above * above + ahead * ahead))
    return (
        u,
        v,
        w,
        pull * x + drag * a + push * above * UP_X,
        pull * y + drag * b + push * ahead,
        pull * z + drag * c + push * above * UP_Z,
        -FLOW,
    )


@jit
def _moved(s, k, h):
    return (
        s[0] + h * k[0],
        s[1] + h * k[1],
        s[2] + h * k[2],
        s[3] + h * k[3],
        s[4] + h * k[4],
        s[5] + h * k[5],
        s[6] + h * k[6],
    )


@jit
def _flown(kept):
    s = (X, 0.0, Z, 0.0, FORWARD, 0.0, DRY + FULL)
    for i in range(round(END / STEP)):
        if i % KEPT == 0:
            kept[i // KEPT] = s
        t, h = i * STEP, STEP
        k1 = rates(t, *s)
        k2 = rates(t + 0.5 * h, *_moved(s, k1, 0.5 * h))
        k3 = rates(t + 0.5 * h, *_moved(s, k2, 0.5 * h))
        k4 = rates(t + h, *_moved(s, k3, h))
        s = _moved(_moved(_moved(_moved(s, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6)
    kept[-1] = s


def fly() -> NDArray[np.float64]:
    """States (time, 7) each second: place [m], velocity [m/s], mass [kg]."""
    kept = np.empty((round(END / STEP) // KEPT + 1, 7))
    _flown(kept)
    return kept
