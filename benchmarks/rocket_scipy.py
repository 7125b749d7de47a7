"""NESC check case 17 by SciPy: the planar problem as an engineer writes it for this one vehicle.

Seven states in the plane of the equator: inertial position and velocity of the centre of mass, the angle of
the nose, its rate, and the propellant left. Four arcs by `solve_ivp` with DOP853: first burn, which an event
ends where the tank is empty, coast, second burn, which an event ends as well, and coast. The right-hand side
is scalar Python with `math`; an array of NumPy has too much overhead for seven numbers. What is flown is what
`validation/nesc-17/SOURCE.md` settles: numbers of the DAVE-ML files, WGS 84 with J2, US Standard Atmosphere
1976 to 86 km, moments of the atmosphere about the centre of mass at lift-off, I w' + I' w / 2 = torque."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from math import atan2, cos, degrees, exp, log, pi, radians, sin, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

FOOT = 0.3048
MU, RADIUS, J2, SPIN = 3.986004418e14, 6378137.0, 0.00108262982, 7.292115e-5
G0 = 9.80665
COAST, END = 96.79, 200.0
AREA, LENGTH, REFERENCE = 7.0, 3.0, 16.91879
INERTIA_RATE = 0.5
START_RATE, START_PITCH = 0.32808398950131235 * FOOT, radians(55.22)
ATOL = np.array([1.0, 1.0, 1e-3, 1e-3, 1e-7, 1e-8, 1.0])
"""Absolute tolerance over the relative one, of each state: [m], [m/s], [rad], [rad/s], [kg]."""


class Stage(NamedTuple):
    """Mass [kg], station of the centre of mass [m] and moment across [kg m^2] when empty, what the propellant
    adds to each, the propellant [kg], thrust [N], specific impulse [s]."""

    empty: tuple[float, float, float]
    more: tuple[float, float, float]
    propellant: float
    thrust: float
    isp: float


FIRST = Stage(
    (134000.0, 9.421642, 10886636.572139),
    (180000.0, 16.91879 - 9.421642, 33501637.473461 - 10886636.572139),
    180000.0,
    17e6,
    360.0,
)
SECOND = Stage(
    (19000.0, 3.947368, 212384.868421),
    (80000.0, 4.79798 - 3.947368, 941063.762626 - 212384.868421),
    80000.0,
    5e6,
    390.0,
)

# US Standard Atmosphere 1976, table 4: geopotential altitude [m], temperature [K], gradient [K/m].
LAYERS = [0.0, 11000.0, 20000.0, 32000.0, 47000.0, 51000.0, 71000.0]
GRADIENTS = [-0.0065, 0.0, 0.001, 0.0028, 0.0, -0.0028, -0.002]
SPHERE, TOP = 6356766.0, 86000.0
PER_KELVIN = G0 * 0.0289644 / 8.31432
"""g0 M/R [K/m]."""


def _bases() -> tuple[list[float], list[float]]:
    """Temperatures [K] and pressures [Pa] where the layers begin."""
    temperature, pressure = [288.15], [101325.0]
    for k in range(len(LAYERS) - 1):
        t, p, deep, slope = temperature[k], pressure[k], LAYERS[k + 1] - LAYERS[k], GRADIENTS[k]
        warm = t + slope * deep
        fall = -PER_KELVIN * deep / t if slope == 0 else -PER_KELVIN / slope * log(warm / t)
        temperature.append(warm)
        pressure.append(p * exp(fall))
    return temperature, pressure


TEMPERATURES, PRESSURES = _bases()


def density(altitude: float) -> float:
    """Density [kg/m^3] of the atmosphere at a geometric altitude [m]; none above 86 km."""
    if altitude > TOP:
        return 0.0
    height = SPHERE * altitude / (SPHERE + altitude)
    k = max(bisect_right(LAYERS, height) - 1, 0)
    t, deep, slope = TEMPERATURES[k], height - LAYERS[k], GRADIENTS[k]
    if slope == 0.0:
        return PRESSURES[k] * exp(-PER_KELVIN * deep / t) * 0.0289644 / (8.31432 * t)
    warm = t + slope * deep
    return PRESSURES[k] * (warm / t) ** (-PER_KELVIN / slope) * 0.0289644 / (8.31432 * warm)


# twostage_aero.dml: over the angle of attack in steps of 2 deg from -10 deg, linear, held at the ends.
LIFT = [-1.6, -1.0, -0.73, -0.49, -0.24, 0.0, 0.24, 0.49, 0.73, 1.0, 1.6]
DRAG = [0.48, 0.38, 0.31, 0.25, 0.23, 0.21, 0.23, 0.25, 0.31, 0.38, 0.48]


def coefficients(alpha: float) -> tuple[float, float, float]:
    """Lift, drag and pitching moment at an angle of attack [deg]."""
    place = min(max((alpha + 10.0) / 2.0, 0.0), 10.0)
    k = min(int(place), 9)
    part = place - k
    lift = LIFT[k] + part * (LIFT[k + 1] - LIFT[k])
    drag = DRAG[k] + part * (DRAG[k + 1] - DRAG[k])
    return lift, drag, -0.03 * min(max(alpha, -20.0), 20.0)


def rates(stage: Stage, burning: bool, in_air: bool) -> Callable[[float, Any], list[float]]:
    """The right-hand side of one arc."""
    (m0, x0, i0), (dm, dx, di) = stage.empty, stage.more
    thrust = stage.thrust if burning else 0.0
    flow = -thrust / (stage.isp * G0)
    inertia_flow = INERTIA_RATE * di * flow / stage.propellant

    def right(_: float, state: Any) -> list[float]:
        x, y, vx, vy, angle, rate, left = state.tolist()
        share = left / stage.propellant
        mass, inertia = m0 + dm * share, i0 + di * share
        r2 = x * x + y * y
        r = sqrt(r2)
        pull = -MU / (r2 * r) * (1.0 + 1.5 * J2 * (RADIUS * RADIUS) / r2)
        c, s = cos(angle), sin(angle)
        along, across, torque = thrust, 0.0, 0.0
        if in_air and r - RADIUS <= TOP:
            wx, wy = vx + SPIN * y, vy - SPIN * x
            forward, down = wx * c + wy * s, wy * c - wx * s
            alpha = atan2(down, forward)
            lift, drag, moment = coefficients(degrees(alpha))
            load = 0.5 * density(r - RADIUS) * (wx * wx + wy * wy) * AREA
            ca, sa = cos(alpha), sin(alpha)
            along += load * (lift * sa - drag * ca)
            across = -load * (drag * sa + lift * ca)
            torque = load * LENGTH * moment + (REFERENCE - x0 - dx * share) * across
        return [
            vx,
            vy,
            pull * x + (along * c - across * s) / mass,
            pull * y + (along * s + across * c) / mass,
            rate,
            (-torque - inertia_flow * rate) / inertia,
            flow,
        ]

    return right


def empty(_: float, state: NDArray[np.float64]) -> float:
    """The event: propellant left [kg]."""
    return state[6]


empty.terminal = True  # type: ignore[attr-defined]
empty.direction = -1  # type: ignore[attr-defined]


class Arcs(NamedTuple):
    """What `solve_ivp` returned of each arc, and how often the right-hand sides were asked."""

    arcs: list[Any]
    evaluations: int

    @property
    def end(self) -> NDArray[np.float64]:
        """State (7,) at 200 s."""
        return self.arcs[-1].y[:, -1]

    @property
    def steps(self) -> int:
        return sum(len(arc.t) - 1 for arc in self.arcs)

    def at(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """States (7, time) of a flight with dense output."""
        starts = [arc.t[0] for arc in self.arcs]
        return np.stack([self.arcs[max(bisect_right(starts, t) - 1, 0)].sol(t) for t in times], axis=1)


def staged(state: NDArray[np.float64]) -> NDArray[np.float64]:
    """The upper stage's state (7,) from that of the whole with its first stage empty: its centre of mass is
    nearer to the nose, and moves with the body that it was a part of."""
    x, y, vx, vy, angle, rate, _ = state
    ahead = FIRST.empty[1] - SECOND.empty[1] - SECOND.more[1]
    c, s = ahead * cos(angle), ahead * sin(angle)
    return np.array([x + c, y + s, vx - rate * s, vy + rate * c, angle, rate, SECOND.propellant])


def fly(tolerance: float, dense: bool = False) -> Arcs:
    """Fly the case; `tolerance` is relative. With dense output the states between steps can be asked for."""
    state = np.array([RADIUS, 0.0, START_RATE, SPIN * RADIUS, pi / 2 - START_PITCH, SPIN, FIRST.propellant])
    how: dict[str, Any] = {
        "method": "DOP853",
        "rtol": tolerance,
        "atol": tolerance * ATOL,
        "dense_output": dense,
    }
    burn = solve_ivp(rates(FIRST, True, True), (0.0, 60.0), state, events=empty, **how)
    staging = burn.t[-1] + COAST
    coast = solve_ivp(rates(FIRST, False, True), (burn.t[-1], staging), burn.y[:, -1], **how)
    state = staged(coast.y[:, -1])
    second = solve_ivp(rates(SECOND, True, False), (staging, END), state, events=empty, **how)
    last = solve_ivp(rates(SECOND, False, False), (second.t[-1], END), second.y[:, -1], **how)
    arcs = [burn, coast, second, last]
    return Arcs(arcs, sum(arc.nfev for arc in arcs))
