"""Simo and Vu-Quoc's beam, spun up: against the linear equation of a beam that bends little as it turns, and
the stretch that is left in closed form."""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from interstage.studies.verify import Row

from ..comparison import worst

LENGTH, MASS, BENDING, STRETCH = 10.0, 1.2, 1.4e4, 2.8e7
"""Length [m], mass by length [kg/m], EI [N m^2], EA [N]."""
LAST, FASTEST = 15.0, 6.0
"""When it turns evenly [s], and at which rate [rad/s]."""
MODES, POINTS = 4, 40


def compare(fly, folder):
    """The end over the flight, and its stretch at the end of it."""
    flight = fly(folder / "scenario.toml")
    t, end = flight.time, flight.series["forces.blade.end"]
    across, short, slope = bent(t)
    peak = worst(across)
    # The equation leaves out the square of the slope, beside 1.
    yield Row("deflection of the end, over the largest", worst(end[:, 1] - across) / peak, slope**2)
    turning = t < LAST
    error = worst((end[:, 0] - LENGTH + short - stretch(rate(t)[0]))[turning]) / worst(short)
    # Of squares of the deflection twice as much.
    yield Row("shortening of the end, over the largest", error, 2 * slope**2)
    late = t > LAST + 1
    left = np.mean(end[late, 0] + np.mean(short[late])) - LENGTH
    # Ten elements: a sum for an integral, (1/10)^2, beside what the bending that goes on shortens.
    yield Row("stretch at 6 rad/s, over it", abs(left / stretch(FASTEST) - 1), 0.01)


def rate(t):
    """Rate and acceleration of the turn."""
    phase, early = 2 * np.pi * np.asarray(t) / LAST, np.asarray(t) < LAST
    speed = 6 / LAST * (np.asarray(t) - LAST / (2 * np.pi) * np.sin(phase))
    return np.where(early, speed, FASTEST), np.where(early, 6 / LAST * (1 - np.cos(phase)), 0.0)


def stretch(speed):
    """By how much the end of a rod that spins is stretched [m]."""
    x = np.sqrt(MASS / STRETCH) * np.asarray(speed) * LENGTH
    return LENGTH * (np.tan(np.maximum(x, 1e-9)) / np.maximum(x, 1e-9) - 1)


def bent(times):
    """Deflection of the end [m], by how much bending shortens it [m], and the largest slope: four modes of
    the clamped beam in m w'' + EI w'''' - (N w')' - m W^2 w = -m x W', N = m W^2 (L^2 - x^2)/2."""
    roots = [
        brentq(lambda x: np.cos(x) + 1 / np.cosh(x), np.pi * (k + 0.1), np.pi * (k + 0.9))
        for k in range(MODES)
    ]
    k = np.array(roots)[:, None] / LENGTH
    points, weights = np.polynomial.legendre.leggauss(POINTS)
    x, weights = LENGTH * (points + 1) / 2, LENGTH * weights / 2
    s = (np.cosh(k * LENGTH) + np.cos(k * LENGTH)) / (np.sinh(k * LENGTH) + np.sin(k * LENGTH))

    def shape(x):
        return np.cosh(k * x) - np.cos(k * x) - s * (np.sinh(k * x) - np.sin(k * x))

    steep = k * (np.sinh(k * x) + np.sin(k * x) - s * (np.cosh(k * x) - np.cos(k * x)))
    form = shape(x)
    mass = (form * weights) @ form.T
    stiff = BENDING / MASS * mass * k[:, 0] ** 4
    drawn = (steep * weights * (LENGTH**2 - x**2) / 2) @ steep.T - mass
    push = (form * weights) @ x

    def slope(t, y):
        speed, up = rate(t)
        force = -push * up - (stiff + speed**2 * drawn) @ y[:MODES]
        return np.concatenate([y[MODES:], np.linalg.solve(mass, force)])

    span = times[0], times[-1]
    found = solve_ivp(slope, span, np.zeros(2 * MODES), "DOP853", times, rtol=1e-9, atol=1e-10).y[:MODES]
    turned = steep.T @ found
    return shape(np.array([LENGTH]))[:, 0] @ found, 0.5 * weights @ turned**2, worst(turned)
