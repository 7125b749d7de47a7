"""Tip-off of two bodies by equal springs on a ring, to first order in the differences of the springs.

n springs of stiffness k and preloads P + p_i push over the stroke L, at angles a_i on a circle of radius R
about the axis through both centres of mass. While all push, the axial force is F = n (P - k z) and the bodies
part by z = (P / k) (1 - cos w t), w^2 = n k / m, with the reduced mass m. The lateral motion is linear, here
for the part of the preloads along one axis, S = sum p_i sin a_i:

    I2 q2'' = R S - k R^2 n/2 (q2 - q1) + b F (q2 - q1)     the force has the direction of the parent's axis
    I1 q1'' = -(R S - k R^2 n/2 (q2 - q1)) + F d            and acts at the points of the child
    d = x - b q2 - (a + z) q1,  x'' = F q1 / m              d: offset of these points from the parent's axis

with the distances a, b of the springs from the centres of mass. The springs end when their lengths reach the
stroke: spring i is earlier by R sin(a_i) (q2 - q1) / z'. Its remaining force P - k L is missing for this
time, which takes

    (1/I1 + 1/I2) n R^2/2 (P - k L) (q2 - q1) / z'

from the rate. The limit of short strokes is R T S (1/I1 + 1/I2) (1 - R^2 m (1/I1 + 1/I2) / 4), with the
duration T of the push. Without the last factor it is the impulsive limit of springs with given impulses."""

import numpy as np
from scipy.integrate import solve_ivp

SPRINGS, PRELOAD, STIFFNESS, RADIUS = 4, 2000.0, 5000.0, 0.5
STROKE = 0.03
MASSES, INERTIAS = (2000.0, 500.0), (1500.0, 200.0)
DISTANCES = (1.2, 0.5)
REDUCED = 1 / sum(1 / one for one in MASSES)
INVERSE = sum(1 / one for one in INERTIAS)
"""1/I1 + 1/I2 [1/(kg m^2)]."""
SIGMA, LOT_SHARE = 0.02, 0.8
"""Standard deviation of a preload over the preload; part of the variance that is common to the lot."""


def duration(preload, stroke=STROKE):
    """Duration of the push [s]."""
    return np.arccos(1 - STIFFNESS * stroke / preload) / frequency()


def frequency():
    """Of the axial motion [rad/s]."""
    return np.sqrt(SPRINGS * STIFFNESS / REDUCED)


def short_gain(preload, stroke=STROKE):
    """Rate for each newton of S in the limit of short strokes [rad/s/N]."""
    early = 1 - RADIUS**2 * REDUCED * INVERSE / 4
    return early * RADIUS * duration(preload, stroke) * INVERSE


def gain(preload, stroke=STROKE):
    """Rate for each newton of S [rad/s/N]."""
    w, end = frequency(), duration(preload, stroke)
    (a, b), (first, second) = DISTANCES, INERTIAS
    stiff = STIFFNESS * RADIUS**2 * SPRINGS / 2

    def rates(t, y):
        q1, v1, q2, v2, x, v = y
        z, force = preload / STIFFNESS * (1 - np.cos(w * t)), SPRINGS * preload * np.cos(w * t)
        moment = RADIUS - stiff * (q2 - q1)
        offset = x - b * q2 - (a + z) * q1
        return [
            *(v1, (force * offset - moment) / first),
            *(v2, (force * b * (q2 - q1) + moment) / second),
            *(v, force * q1 / REDUCED),
        ]

    left = solve_ivp(rates, (0, end), np.zeros(6), rtol=1e-10, atol=1e-16).y[:, -1]
    q1, v1, q2, v2 = left[:4]
    speed = preload / STIFFNESS * w * np.sin(w * end)
    remaining = preload - STIFFNESS * stroke
    return v2 - v1 - INVERSE * SPRINGS * RADIUS**2 / 2 * remaining * (q2 - q1) / speed


def sigma_of_sum():
    """Standard deviation of S along one axis [N]. The part of the lot cancels."""
    return PRELOAD * SIGMA * np.sqrt((1 - LOT_SHARE) * SPRINGS / 2)


def probability_above(rate):
    """Probability that the rate exceeds a value [rad/s].

    S has two independent components, so its size is Rayleigh. It does not depend on the mean preload, which
    changes the gain, and is integrated over (Gauss and Hermite)."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(24)
    of_mean = SIGMA * np.sqrt(LOT_SHARE + (1 - LOT_SHARE) / SPRINGS)
    gains = np.array([gain(PRELOAD * (1 + of_mean * node)) for node in nodes])
    return float(weights @ np.exp(-((rate / (gains * sigma_of_sum())) ** 2) / 2) / weights.sum())
