"""Makes the table of the U.S. Standard Atmosphere 1976 above 86 km that the package ships.

U.S. Standard Atmosphere, 1976 (NOAA-S/T 76-1562, NASA-TM-X-74335), section 1.3: number densities of N2, O,
O2, Ar, He and H from the equations of vertical transport (36)-(40) with the constants of its tables 5-9,
temperature from equations (25)-(31). Run it in the repository: python validation/us76/make_table.py

Where the text leaves a choice, or is not continuous, this is what is done:

- M in equation (36) is M0 to 100 km; above that N2 for O and O2, and the mean of N2, O and O2 for Ar and He.
- The ellipse of temperature from 91 to 110 km takes Tc, A and a from their defining conditions (Appendix B),
  not rounded, and T7 is what the formulas below 86 km give there (186.86722 K; printed 186.8673 K). So the
  temperature is smooth to its first derivative from 86 to 1000 km.
- The formulas below 86 km and the species at 86 km differ by 1e-5 in pressure and density, and hydrogen,
  which the report begins at 150 km, adds 7e-6 to the pressure there. Both steps are below the printed digits;
  they are faded out over the 5 km above 86 km and the 10 km above 150 km, so that the table is continuous.
- ln p and ln rho are cubic splines with the exact slopes at the ends of each range of RANGES; where two
  ranges meet there are two knots at one altitude. Only at 100 km (M) do their slopes differ to speak of.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

from interstage.environment import us76

TARGET = Path(us76.__file__).with_name("us76_upper.csv")
RANGES = (  # from, to, step [km]
    (86, 91, 0.5),
    (91, 100, 0.5),
    (100, 107, 0.5),
    (107, 110, 0.125),
    (110, 120, 0.5),
    (120, 150, 1),
    (150, 160, 0.5),
    (160, 220, 2),
    (220, 500, 4),
    (500, 1000, 10),
)
KINKS = (86e3, 91e3, 95e3, 97e3, 100e3, 110e3, 115e3, 120e3, 150e3, 500e3, 1000e3)  # of the equations [m]

R_STAR, AVOGADRO, BOLTZMANN = 8.31432, 6.022169e23, 1.380622e-23  # J/(mol K), 1/mol, J/K: table 2
M0, G0, R0 = 28.9644e-3, 9.80665, 6.356766e6
N2, O, O2, AR, HE, H, TAU, FLUX = range(8)
MASS = np.array([28.0134, 15.9994, 31.9988, 39.948, 4.0026, 1.00797]) * 1e-3  # kg/mol: table 3
AT_86_KM = np.array([1.129794e20, 8.6e16, 3.030898e19, 1.351400e18, 7.5817e14])  # 1/m^3: table 9
THERMAL = np.array([0, 0, 0, 0, -0.40, -0.25])  # alpha: table 6
A = np.array([np.nan, 6.986e20, 4.863e20, 4.487e20, 1.700e21, 3.305e21])  # 1/(m s)
B = np.array([np.nan, 0.750, 0.750, 0.870, 0.691, 0.500])
Q = np.array([0, -5.809644e-13, 1.366212e-13, 9.434079e-14, -2.457369e-13])  # 1/m^3: table 7
U = np.array([0, 56903.11, 86e3, 86e3, 86e3])
W = np.array([0, 2.706240e-14, 8.333333e-14, 8.333333e-14, 6.666667e-13])
Q_LOW, U_LOW, W_LOW = -3.416248e-12, 97e3, 5.008765e-13  # of O below 97 km
HYDROGEN_FROM, HYDROGEN_AT, HYDROGEN, ESCAPE = 150e3, 500e3, 8.0e10, 7.2e11  # m, m, 1/m^3, 1/(m^2 s)


def gravity(z):
    return G0 * (R0 / (R0 + z)) ** 2


def temperature(z):
    """Kinetic temperature [K] and its slope [K/m] at one altitude [m]."""
    if z <= us76.ELLIPSE_FROM:
        return us76.T7, 0.0
    if z <= us76.RAMP_FROM:
        x = (z - us76.ELLIPSE_FROM) / us76.ELLIPSE_WIDTH
        root = np.sqrt(1 - x * x)
        return us76.ELLIPSE_CENTRE + us76.ELLIPSE_HEIGHT * root, (
            -us76.ELLIPSE_HEIGHT * x / (root * us76.ELLIPSE_WIDTH)
        )
    if z <= us76.EXPONENTIAL_FROM:
        return us76.T9 + us76.RAMP * (z - us76.RAMP_FROM), us76.RAMP
    radius = (R0 + us76.EXPONENTIAL_FROM) / (R0 + z)
    short = (us76.T_FAR - us76.T10) * np.exp(-us76.DECAY * (z - us76.EXPONENTIAL_FROM) * radius)
    return us76.T_FAR - short, us76.DECAY * radius**2 * short


def diffusion(gas, background, t):
    """Molecular diffusion coefficient [m^2/s], equation (38)."""
    return A[gas] / background * (t / 273.15) ** B[gas]


def eddy(z):
    """Eddy diffusion coefficient [m^2/s], equations (39)."""
    if z < 95e3:
        return 120.0
    x = 400e6 - (z - 95e3) ** 2
    return 120.0 * np.exp(1 - 400e6 / x) if z < 115e3 else 0.0


def velocity_term(gas, z):
    """Vertical velocity over diffusion coefficients [1/m], equation (37)."""
    x = z - U[gas]
    term = Q[gas] * x**2 * np.exp(-W[gas] * x**3)
    if gas == O and z < U_LOW:
        y = U_LOW - z
        term += Q_LOW * y**2 * np.exp(-W_LOW * y**3)
    return term


def rates(z, y, side):
    """d/dz of ln(n T) of the five gases, of tau and of the hydrogen integral. Where the equations change the
    ones that hold at `side` are taken."""
    t, slope = temperature(z)
    n = np.exp(y[:5]) / t
    g, k = gravity(z), eddy(z)
    found = np.zeros(7)
    found[N2] = -(MASS[N2] if side > 100e3 else M0) * g / (R_STAR * t)
    for gas in (O, O2, AR, HE):
        inside = n[:1] if gas in (O, O2) else n[:3]
        mean = (inside @ MASS[: len(inside)]) / inside.sum() if side > 100e3 else M0
        d = diffusion(gas, inside.sum(), t)
        mass = (d * MASS[gas] + k * mean) / (d + k) + d / (d + k) * THERMAL[gas] * R_STAR * slope / g
        found[gas] = -g * mass / (R_STAR * t) - (velocity_term(gas, z) if side < 150e3 else 0)
    if side > HYDROGEN_FROM:
        found[H] = MASS[H] * g / (R_STAR * t)
        if side < HYDROGEN_AT:
            found[TAU] = ESCAPE / diffusion(H, n.sum(), t) * t ** (1 + THERMAL[H]) * np.exp(y[H])
    return found


class Column(NamedTuple):
    """Altitudes [m] (z), number densities [1/m^3] (6, z) and their slopes [1/m^4] on the side asked for."""

    z: np.ndarray
    n: np.ndarray
    slope: np.ndarray
    t: np.ndarray
    t_slope: np.ndarray


def integrate(altitudes):
    """The integrals (7, z) at increasing altitudes [m] from 86 to 1000 km."""
    y = np.append(np.log(AT_86_KM * us76.T7), [0.0, 0.0])
    found = np.empty((7, len(altitudes)))
    for low, high in pairwise(KINKS):
        inside = (altitudes >= low) & (altitudes <= high)
        points = np.union1d(altitudes[inside], [low, high])
        side = (low + high) / 2
        accurate = {"rtol": 1e-12, "atol": 1e-12, "max_step": 5e3}
        run = solve_ivp(rates, (low, high), y, "DOP853", points, args=(side,), **accurate)
        assert run.success, run.message
        found[:, inside] = run.y[:, np.searchsorted(points, altitudes[inside])]
        y = run.y[:, -1]
    return found


def column(altitudes, upwards=True) -> Column:
    """Composition at altitudes [m]; where the equations change, as they are above (`upwards`) or below."""
    points = np.union1d(altitudes, [HYDROGEN_AT])
    everything = integrate(points)
    end = everything[:, np.searchsorted(points, HYDROGEN_AT)]
    y = everything[:, np.searchsorted(points, altitudes)]
    t, t_slope = np.array([temperature(z) for z in altitudes]).T
    n, slope = np.zeros((6, len(t))), np.zeros((6, len(t)))
    n[:5] = np.exp(y[:5]) / t
    power = 1 + THERMAL[H]
    t_500 = temperature(HYDROGEN_AT)[0]
    for i, z in enumerate(altitudes):
        side = z + 1e-3 if upwards else z - 1e-3
        rate = rates(z, y[:, i], side)
        slope[:5, i] = n[:5, i] * (rate[:5] - t_slope[i] / t[i])
        if side > HYDROGEN_FROM:
            tau = y[H, i] - end[H]
            # The integral of (phi/D) (T/T11)^(1+alpha) e^tau from z to 500 km, equation (40); none above.
            escaped = max(end[TAU] - y[TAU, i], 0.0) / t_500**power * np.exp(-end[H])
            n[H, i] = (HYDROGEN + escaped) * (t_500 / t[i]) ** power * np.exp(-tau)
            slope[H, i] = -n[H, i] * (power * t_slope[i] / t[i] + MASS[H] * gravity(z) / (R_STAR * t[i]))
            if side < HYDROGEN_AT:
                slope[H, i] -= ESCAPE / diffusion(H, n[:5, i].sum(), t[i])
    return Column(altitudes, n, slope, t, t_slope)


def logarithms(found: Column):
    """ln p [Pa], ln rho [kg/m^3] (2, z) and their slopes [1/m], equations (33c) and (42)."""
    total, mass = found.n.sum(0), MASS @ found.n
    value = np.log([total * BOLTZMANN * found.t, mass / AVOGADRO])
    slope = np.stack([found.slope.sum(0) / total + found.t_slope / found.t, (MASS @ found.slope) / mass])
    return value, slope


def fading(x):
    """1 at x <= 0, 0 at x >= 1, with two continuous derivatives; and its slope."""
    x = np.clip(x, 0, 1)
    return 1 - x**3 * (10 - 15 * x + 6 * x * x), -30 * x**2 * (1 - x) ** 2


def steps():
    """What is added to ln p and ln rho at 86 km and at 150 km to make them continuous."""
    below = np.array(us76.TOP[1:])
    at_86 = logarithms(column(np.array([86e3])))[0][:, 0]
    at_150 = [logarithms(column(np.array([150e3]), side))[0][:, 0] for side in (False, True)]
    return below - at_86, at_150[0] - at_150[1]


def continuous(altitudes, upwards=True):
    """ln p and ln rho without steps, and their slopes."""
    value, slope = logarithms(column(altitudes, upwards))
    for step, start, length in zip(steps(), (86e3, 150e3), (5e3, 10e3)):
        weight, rate = fading((altitudes - start) / length)
        if upwards or start == 86e3:
            inside = altitudes >= start
        else:
            inside = altitudes > start
        value += np.where(inside, step[:, None] * weight, 0)
        slope += np.where(inside, step[:, None] * rate / length, 0)
    return value, slope


def table():
    """Rows of the file: altitude, ln p, ln rho, and the second derivatives of their splines."""
    rows = []
    for low, high, step in RANGES:
        z = np.arange(low, high + step / 2, step) * 1e3
        value, from_low = continuous(z, upwards=True)
        _, to_high = continuous(z[-1:], upwards=False)
        ends = ((1, from_low[:, 0]), (1, to_high[:, 0]))
        spline = CubicSpline(z, value.T, bc_type=ends)
        rows.append(np.column_stack([z, spline(z), spline(z, 2)]))
    return np.concatenate(rows)


HEADER = (
    "U.S. Standard Atmosphere 1976 from 86 to 1000 km; made by validation/us76/make_table.py\n"
    "altitude [m], ln(pressure / Pa), ln(density / (kg/m^3)), second derivatives of their splines [1/m^2]"
)

if __name__ == "__main__":
    FORMATS = ["%.0f", "%.15g", "%.15g", "%.10e", "%.10e"]
    np.savetxt(TARGET, table(), FORMATS, ",", header=HEADER)
    print(f"wrote {TARGET}")
