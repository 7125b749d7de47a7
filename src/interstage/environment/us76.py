"""The U.S. Standard Atmosphere 1976: temperature, pressure and density from -5 to 1000 km.

Source: U.S. Standard Atmosphere, 1976 (NOAA-S/T 76-1562, NASA-TM-X-74335), Washington 1976. Equation and
table numbers in this module refer to this report. Below 86 km: equations (18), (23), (33a), (33b) and (42) in
closed form. Above 86 km: temperature by equations (25)-(31); pressure and density are splines. The splines
interpolate results of validation/us76/make_table.py, which integrates equations (36)-(40) for six gases. That
file also documents the treatment of discontinuities of the report.
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..maths.arrays import entries, jnp

R_STAR = 8.31432
"""Gas constant [J/(mol K)], table 2."""
M0 = 28.9644e-3
"""Molar mass of the atmosphere at sea level [kg/mol], section 1.2.4."""
G0 = 9.80665
"""Acceleration of gravity at sea level [m/s^2], and constant g0' of geopotential altitude [m^2/(s^2 m')],
table 2.
"""
R0 = 6356766.0
"""Radius of the Earth for geopotential altitude [m], section 1.2.2."""
BOTTOM, JOIN, TOP_OF_ALL = -5000.0, 86e3, 1000e3
"""Altitudes [m]: lower end of the model, boundary between the lower and the upper part, and upper end."""

LAYER = np.array([0.0, 11e3, 20e3, 32e3, 47e3, 51e3, 71e3])
"""Geopotential altitudes of the layer bases [m'], table 4."""
GRADIENT = np.array([-6.5, 0.0, 1.0, 2.8, 0.0, -2.8, -2.0]) * 1e-3
"""Gradients of the molecular-scale temperature in the layers [K/m'], table 4."""
HYDROSTATIC = G0 * M0 / R_STAR
"""Constant of the hydrostatic equation, g0' M0 / R* [K/m']."""
RATIO_AT = np.arange(80.0, 86.25, 0.5) * 1e3
RATIO = np.array(
    [
        *(1.000000, 0.999996, 0.999989, 0.999971, 0.999941, 0.999909, 0.999870),
        *(0.999829, 0.999786, 0.999741, 0.999694, 0.999641, 0.999579),
    ]
)
"""Ratio of the molar mass to its value at sea level, at the altitudes RATIO_AT [m], table 8."""


def geopotential(z: Any) -> Any:
    """Return the geopotential altitude [m'] for a geometric altitude z [m], equation (18)."""
    return R0 * z / (R0 + z)


def geometric(h: Any) -> Any:
    """Return the geometric altitude [m] for a geopotential altitude h [m'], equation (19)."""
    return R0 * h / (R0 - h)


def _drop(gradient: float, base: float, rise: float) -> float:
    """Decrease of ln p over a rise [m'] in a layer, equations (33a) and (33b)."""
    if gradient == 0:
        return HYDROSTATIC * rise / base
    return HYDROSTATIC / gradient * math.log1p(gradient * rise / base)


def _bases() -> tuple[np.ndarray, np.ndarray]:
    """Molecular-scale temperature [K] and ln p [Pa] at the bases of the layers."""
    temperature, pressure = [288.15], [math.log(101325.0)]
    for low, high, gradient in zip(LAYER, LAYER[1:], GRADIENT):
        pressure.append(pressure[-1] - _drop(gradient, temperature[-1], high - low))
        temperature.append(temperature[-1] + gradient * (high - low))
    return np.array(temperature), np.array(pressure)


BASE_T, BASE_LN_P = _bases()


def _top() -> tuple[float, float, float]:
    """Kinetic temperature [K], ln p and ln rho just below 86 km."""
    rise = geopotential(JOIN) - LAYER[-1]
    scale = float(BASE_T[-1] + GRADIENT[-1] * rise)
    ln_p = float(BASE_LN_P[-1] - _drop(GRADIENT[-1], BASE_T[-1], rise))
    return scale * float(RATIO[-1]), ln_p, ln_p + math.log(M0 / (R_STAR * scale))


TOP = _top()

T7, T9, T10, T_FAR = TOP[0], 240.0, 360.0, 1000.0
"""Temperatures [K] at 86, 110 and 120 km, and the limit at high altitude, section 1.2.6. The report prints T7
as 186.8673.
"""
ELLIPSE_FROM, RAMP_FROM, EXPONENTIAL_FROM = 91e3, 110e3, 120e3
RAMP = 12e-3
"""Temperature gradient from 110 to 120 km [K/m]."""
DECAY = RAMP / (T_FAR - T10)
"""Constant lambda of the exponential temperature profile above 120 km [1/m], equation (32)."""


def _ellipse() -> tuple[float, float, float]:
    """Tc [K], A [K] and a [m] of the ellipse with the temperatures and slopes of the adjacent layers,
    equations (B-5), (B-8), (B-9)."""
    width = RAMP_FROM - ELLIPSE_FROM
    centre = (RAMP * width * T9 + T7**2 - T9**2) / (RAMP * width + 2 * T7 - 2 * T9)
    height = T7 - centre
    return centre, height, width * abs(height) / math.sqrt(height**2 - (T9 - centre) ** 2)


ELLIPSE_CENTRE, ELLIPSE_HEIGHT, ELLIPSE_WIDTH = _ellipse()

KINKS = np.array([*(geometric(h) for h in LAYER[1:]), JOIN, 100e3])
"""Altitudes [m] at which the slope of temperature, pressure or density jumps.

Second derivatives also jump at 80, 91, 110, 120 and 150 km.
"""


class Logs(NamedTuple):
    """Kinetic temperature [K], ln(pressure / Pa) and ln(density / (kg/m^3)) of the atmosphere."""

    temperature: Any
    ln_pressure: Any
    ln_density: Any


def logs(z: Any) -> Logs:
    """Return the state of the standard atmosphere at geometric altitudes z [m] of any shape.

    Below -5 km and above 1000 km, the values at these altitudes apply.
    """
    from ..maths.interpolation import clamp

    below, above = _lower(clamp(z, BOTTOM, JOIN)), _upper(clamp(z, JOIN, TOP_OF_ALL))
    return Logs(*(jnp.where(z < JOIN, low, high) for low, high in zip(below, above)))


def _lower(z):
    h = geopotential(z)
    layer = sum((h >= base).astype(int) for base in LAYER[1:])
    base, start, gradient, ln_p = (
        entries(np.asarray(a), layer) for a in (BASE_T, LAYER, GRADIENT, BASE_LN_P)
    )
    rise = h - start
    safe = jnp.where(gradient == 0, 1.0, gradient)
    drop = jnp.where(gradient == 0, rise / base, jnp.log1p(gradient * rise / base) / safe)
    scale = base + gradient * rise
    ln_pressure = ln_p - HYDROSTATIC * drop
    ln_density = ln_pressure + jnp.log(M0 / R_STAR / scale)
    return Logs(scale * _ratio(z), ln_pressure, ln_density)


def _ratio(z):
    """Ratio of the molar mass to its value at sea level: table 8 by a spline with zero slope at 80 km."""
    from ..maths import interpolation

    ratio = interpolation.Knots(*(jnp.asarray(a) for a in (RATIO_AT, RATIO, _ratio_bend())))
    return interpolation.look_up(ratio, z)


@cache
def _ratio_bend() -> np.ndarray:
    """Second derivatives of the spline through table 8: zero slope at 80 km, not-a-knot at 86 km."""
    n, h = len(RATIO), RATIO_AT[1] - RATIO_AT[0]
    matrix, right = np.zeros((n, n)), np.zeros(n)
    matrix[0, :2], right[0] = (2, 1), 6 * (RATIO[1] - RATIO[0]) / h**2
    for i in range(1, n - 1):
        matrix[i, i - 1 : i + 2], right[i] = (
            (1, 4, 1),
            6 * (RATIO[i + 1] - 2 * RATIO[i] + RATIO[i - 1]) / h**2,
        )
    matrix[-1, -3:] = 1, -2, 1
    return np.linalg.solve(matrix, right)


@cache
def _table() -> tuple[np.ndarray, np.ndarray]:
    """Altitudes of the knots above 86 km [m] (knot,), and ln p, ln rho and their second derivatives (4,
    knot)."""
    rows = np.loadtxt(Path(__file__).with_name("us76_upper.csv"), delimiter=",")
    return rows[:, 0], rows[:, 1:].T


@cache
def _ranges() -> tuple[np.ndarray, ...]:
    """Ranges of evenly spaced knots: first knot, number of cells, altitude and spacing of each. Adjacent
    ranges have two knots at their common altitude."""
    z, _ = _table()
    start = np.array([0, *(np.flatnonzero(np.diff(z) == 0) + 1)])
    end = np.array([*(start[1:] - 1), len(z) - 1])
    return start, end - start, z[start], (z[end] - z[start]) / (end - start)


def _upper(z):
    start, cells, low, step = _ranges()
    range_ = sum((z >= edge).astype(int) for edge in low[1:])
    start, cells, low, step = (entries(a, range_) for a in (start, cells, low, step))
    cell = jnp.clip(jnp.floor((z - low) / step).astype(int), 0, cells - 1)
    b = (z - low) / step - cell
    a = 1 - b
    _, columns = _table()
    left, right = (jnp.moveaxis(entries(columns.T, start + cell + k), -1, 0) for k in (0, 1))
    bent = ((a**3 - a) * left[2:] + (b**3 - b) * right[2:]) * (step * step / 6)
    ln_pressure, ln_density = a * left[:2] + b * right[:2] + bent
    return Logs(upper_temperature(z), ln_pressure, ln_density)


def upper_temperature(z: Any) -> Any:
    """Return the kinetic temperature [K] at altitudes z [m] from 86 to 1000 km, equations (25), (27),
    (29), (31).
    """
    from ..maths.interpolation import clamp

    x = (clamp(z, ELLIPSE_FROM, RAMP_FROM) - ELLIPSE_FROM) / ELLIPSE_WIDTH
    ellipse = ELLIPSE_CENTRE + ELLIPSE_HEIGHT * jnp.sqrt(1 - x * x)
    ramp = T9 + RAMP * (z - RAMP_FROM)
    above = clamp(z, EXPONENTIAL_FROM, TOP_OF_ALL)
    rise = (above - EXPONENTIAL_FROM) * (R0 + EXPONENTIAL_FROM) / (R0 + above)
    far = T_FAR - (T_FAR - T10) * jnp.exp(-DECAY * rise)
    return jnp.where(z < RAMP_FROM, ellipse, jnp.where(z < EXPONENTIAL_FROM, ramp, far))
