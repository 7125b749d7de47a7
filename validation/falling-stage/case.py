"""A spent stage falls as a point mass and as a rigid body: Allen and Eggers, what they leave out, and NESC's
sphere (SOURCE.md).

With the angle theta of the descent, the density rho = RHO exp(-h/H), u = V^2 and the ballistic coefficient
B = m/(CD A), the path of a point over a sphere is
    du/dh = rho u/(B sin theta) - 2 g,    dtheta/dh = -(g/u - 1/r) cot theta.
Without g and 1/r theta stays, and V = V0 exp(-k (rho - rho0)), k = H/(2 B sin theta) (H. J. Allen, A. J.
Eggers, NACA Report 1381, 1958, equation 8). With x = k rho, dt = -dh/(V sin theta) makes the time a
difference of exponential integrals, and dV/dt is largest where 2 x = 1."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.polynomial import Polynomial
from scipy.integrate import cumulative_trapezoid, solve_ivp
from scipy.special import expi

from interstage.studies.verify import Row

from ..comparison import angle_between, length, worst
from ..nesc import FALL_IN_AIR, FALL_WITHOUT_AIR, compared

RHO, H, TOP, AREA = 1.225, 7200.0, 100e3, 7.0
MU, RADIUS = 3.986e14, 6371e3
SPEED, TIME, PLACE, SOLVED, TURN = 1e-11, 2e-10, 5e-8, 2e-7, 1e-14
"""Bounds: of a speed [1], time [s], place [m] and angle [rad] after some fifty steps within 1e-12, and beside
SciPy's [m, m/s] (SOURCE.md)."""
POINT = {"coordinates": "point", "attitude": "still"}
STILL = {"bodies.stage.initial.angular_velocity": (0.0, 0.0, 0.0)}
LIFT = {"aerodynamics.air.coefficients.CL.factor": 1.0}


def density(altitude):
    """[kg/m^3]."""
    return RHO * np.exp(-altitude / H)


@dataclass(frozen=True)
class Fall:
    """A fall from TOP: mass [kg], speed [m/s] and angle of the descent [deg] at the start."""

    mass: float = 3000.0
    start: float = 5000.0
    descent: float = 60.0

    @property
    def inputs(self):
        """It as inputs of the scenario."""
        first = "bodies.stage.initial"
        path = float(-np.deg2rad(self.descent))
        return {
            "bodies.stage.mass": self.mass,
            f"{first}.speed": self.start,
            f"{first}.flight_path_angle": path,
        }

    @property
    def angle(self):
        """Of the descent [rad]."""
        return np.deg2rad(self.descent)

    @property
    def ballistic(self):
        """m/(CD A) [kg/m^2]."""
        return self.mass / AREA

    @property
    def k(self):
        """[m^3/kg]."""
        return H / (2 * self.ballistic * np.sin(self.angle))

    @property
    def above(self):
        """Speed above all air [m/s]."""
        return self.start * np.exp(self.k * density(TOP))

    def speed(self, altitude):
        """Speed [m/s] that Allen and Eggers have at an altitude [m]."""
        return self.start * np.exp(-self.k * (density(altitude) - density(TOP)))

    def time(self, altitude):
        """Time since the start [s]: H/(V sin theta) (Ei(k rho) - Ei(k rho0)), V above all air."""
        ends = expi(self.k * density(altitude)) - expi(self.k * density(TOP))
        return H / (self.above * np.sin(self.angle)) * ends


FALLS = {"": Fall(), ", heavier, less steep": Fall(12000.0, 7000.0, 40.0)}


def peak(times, values):
    """Time and size of the largest of samples, by the polynomial through the nine around it, and which these
    are."""
    middle = int(np.argmax(values))
    near = slice(middle - 4, middle + 5)
    curve = Polynomial.fit(times[near], values[near], 8)
    tops = curve.deriv().roots()
    top = float(np.real(tops[np.argmin(np.abs(tops - times[middle]))]))
    return top, float(curve(top)), near


def of(record, name):
    """A series of the stage."""
    return np.asarray(record.series[f"bodies.stage.{name}"])


def straight(record, fall, name):
    """Rows of a flight without gravity."""
    time, altitude, speed = record.time, of(record, "altitude"), of(record, "speed")
    yield Row(f"{name}: speed at the altitude [1]", worst(speed / fall.speed(altitude) - 1), SPEED)
    yield Row(f"{name}: time at the altitude [s]", worst(time - fall.time(altitude)), TIME)
    place = of(record, "position")
    across = np.cos(fall.angle) * (place[:, 0] - TOP) + np.sin(fall.angle) * place[:, 1]
    yield Row(f"{name}: off the straight line [m]", worst(np.hypot(across, place[:, 2])), PLACE)
    moment, most, near = peak(time, length(of(record, "acceleration")))
    there = {
        key: float(Polynomial.fit(time[near], of(record, key)[near], 8)(moment))
        for key in ("altitude", "speed")
    }
    height, force = H * np.log(2 * fall.k * RHO), fall.above**2 * np.sin(fall.angle) / (2 * np.e * H)
    yield Row(f"{name}: most deceleration [1]", abs(most / force - 1), SPEED)
    yield Row(f"{name}: its altitude [m]", abs(there["altitude"] - height), PLACE)
    yield Row(f"{name}: its speed [1]", abs(there["speed"] / (fall.above / np.sqrt(np.e)) - 1), SPEED)
    yield Row(f"{name}: its time [s]", abs(moment - float(fall.time(height))), TIME)


def planar(fall, times):
    """Speed [m/s], flight-path angle [rad], altitude [m] and angle over the ground [rad] at times, by SciPy's
    DOP853 of the equations of a point in the plane of its path."""

    def rate(_, y):
        v, path, height, _ = y
        r = RADIUS + height
        g = MU / r**2
        drag = density(height) * v * v / (2 * fall.ballistic)
        return [
            -drag - g * np.sin(path),
            (v / r - g / v) * np.cos(path),
            v * np.sin(path),
            v * np.cos(path) / r,
        ]

    begin = [fall.start, -fall.angle, TOP, 0.0]
    return solve_ivp(rate, (0, times[-1]), begin, "DOP853", times, rtol=1e-13, atol=1e-13).y


def orders(fall, altitude):
    """What gravity and curvature add to ln u and to theta, to the first and the second order: rows (4,
    altitudes): of ln u, of ln u, of theta, of theta.

    With s = TOP - h, the flight of Allen and Eggers u0, theta0, p = g/u0 - 1/r, c = cos theta0, n = sin
    theta0 and w = ln u, in powers of g and 1/r:
        theta1' = p c/n,                             w1' = rho/B c/n^2 theta1 + 2 g/u0,
        theta2' = -g/u0 w1 c/n - p theta1/n^2,
        w2' = rho/B (c/n^2 theta2 - (1 + c^2)/(2 n^3) theta1^2) - 2 g/u0 w1."""
    s = np.linspace(0, TOP - altitude.min(), 20001)
    h = TOP - s
    c, n, r = np.cos(fall.angle), np.sin(fall.angle), RADIUS + h
    thick, pull = density(h) / fall.ballistic, MU / r**2 / fall.speed(h) ** 2
    p = pull - 1 / r

    def integral(slope):
        return cumulative_trapezoid(slope, s, initial=0)

    angle1 = integral(p * c / n)
    log1 = integral(thick * c / n**2 * angle1 + 2 * pull)
    angle2 = integral(-pull * log1 * c / n - p * angle1 / n**2)
    log2 = integral(thick * (c / n**2 * angle2 - (1 + c * c) / (2 * n**3) * angle1**2) - 2 * pull * log1)
    return np.array([np.interp(TOP - altitude, s, a) for a in (log1, log2, angle1, angle2)])


def with_gravity(record, fall, name):
    """Rows of a flight with it: against the equations in the plane, and what is left of the departure from
    Allen and Eggers beyond the leading order: the next one, and beyond that what the ratio of both lets
    expect."""
    speed, path, altitude, over = planar(fall, record.time)
    place, height, found = of(record, "position"), of(record, "altitude"), of(record, "ground_speed")
    slope = of(record, "flight_path_angle")
    along = RADIUS * (np.arctan2(place[:, 1], place[:, 0]) - over)
    yield Row(f"{name}: speed [m/s]", worst(found - speed), SOLVED)
    yield Row(f"{name}: altitude [m]", worst(height - altitude), SOLVED)
    yield Row(f"{name}: flight-path angle [rad]", worst(slope - path), SOLVED / fall.start)
    yield Row(f"{name}: place over the ground [m]", worst(along), SOLVED)
    log1, log2, angle1, angle2 = orders(fall, height)
    faster, steeper = 2 * np.log(found / fall.speed(height)), -slope - fall.angle
    for what, departure, first, second in (
        ("speed [1]", faster / 2, log1 / 2, log2 / 2),
        ("angle [rad]", steeper, angle1, angle2),
    ):
        yield Row(f"{name}, {what}: beyond the leading order", worst(departure - first), 1.5 * worst(second))
        third = worst(second) ** 2 / worst(first)
        yield Row(f"{name}, {what}: beyond the next order", worst(departure - first - second), 2 * third)


def apart(one, other, name):
    """Rows of how far two flights are apart."""
    rows = slice(0, min(len(one.time), len(other.time)) - 1)
    for what, unit, bound in (("position", "m", PLACE), ("velocity", "m/s", PLACE)):
        gap = worst(length(of(one, what)[rows] - of(other, what)[rows]))
        yield Row(f"{name}: {what} [{unit}]", gap, bound)
    ends = abs(one.time[-1] - other.time[-1])
    yield Row(f"{name}: time of the end [s]", float(ends), TIME)


def compare(fly, folder):
    """Allen and Eggers; with gravity; point beside rigid body; NESC's sphere with air and without."""
    for what, fall in FALLS.items():
        for name, changes in (("rigid", {}), ("point", POINT)):
            record = fly(folder / "scenario.toml", **changes, **fall.inputs)
            yield from straight(record, fall, name + what)
    file = folder / "gravity.toml"
    for what, fall in FALLS.items():
        yield from with_gravity(fly(file, **POINT, **fall.inputs), fall, "with gravity" + what)
    yield from apart(fly(file, **POINT), fly(file), "rigid, tumbling, compared with the point mass")
    lifted, still = fly(file, **POINT, **LIFT), fly(file, **LIFT, **STILL)
    name = "rigid, still, with lift, compared with the point mass"
    yield from apart(lifted, still, name)
    turned = angle_between(of(lifted, "attitude")[:-1], of(still, "attitude")[:-1])
    yield Row(f"{name}: attitude [rad]", worst(turned), TURN)
    for number, factor, bounds in (("06", 1.0, FALL_IN_AIR), ("01", 0.0, FALL_WITHOUT_AIR)):
        sphere = fly(folder / "sphere.toml", **{"aerodynamics.air.factor": factor})
        for row in compared(sphere, folder.parent / f"nesc-{number}", bounds, "stage"):
            yield replace(row, quantity=f"NESC {number} as a point mass, {row.quantity}")
