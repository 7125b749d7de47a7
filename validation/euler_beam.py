"""Free uniform beams that bend, by the solutions of Euler's and Bernoulli's equation: w is
a cos kx + b sin kx + c exp(-kx) + d exp(-k(L - x)) with k^4 = m omega^2/EI."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq


class Beam(NamedTuple):
    """length [m], EI [N m^2], mass by length [kg/m], and mass [kg] and moment of inertia [kg m^2] of a rigid
    hub at its beginning, x = 0."""

    length: float
    bending: float
    mass: float
    hub_mass: float = 0.0
    hub_inertia: float = 0.0

    def omega(self, k):
        """Angular frequency [1/s] of a wave number [1/m]."""
        return np.sqrt(self.bending / self.mass) * k**2


class Modes(NamedTuple):
    """Angular frequencies [1/s], generalized masses [kg], and of each mode coefficients of `basis`."""

    beam: Beam
    number: np.ndarray
    omega: np.ndarray
    mass: np.ndarray
    coefficients: np.ndarray

    def shape(self, x):
        """Displacements of all modes at x [m]."""
        return np.array([basis(self.beam, k, x)[0] @ c for k, c in zip(self.number, self.coefficients)])

    def slope(self, x):
        """Slopes of all modes at x [1/m]."""
        return np.array([basis(self.beam, k, x)[1] @ c for k, c in zip(self.number, self.coefficients)])


def basis(beam, k, x):
    """The four solutions at x, and their first three derivatives (derivative, solution)."""
    c, s = np.cos(k * x), np.sin(k * x)
    e, f = np.exp(-k * x), np.exp(-k * (beam.length - x))
    return np.array(
        [
            [c, s, e, f],
            [-k * s, k * c, -k * e, k * f],
            [-(k**2) * c, -(k**2) * s, k**2 * e, k**2 * f],
            [k**3 * s, -(k**3) * c, -(k**3) * e, k**3 * f],
        ]
    )


def free_ends(beam, k):
    """What is zero at the ends (row, solution), over powers of k: moments and shear forces. The hub takes the
    shear force EI w_xxx = M omega^2 w and the moment EI w_xx = -J omega^2 w_x; omega^2 = EI k^4/m."""
    first, last = basis(beam, k, 0.0), basis(beam, k, beam.length)
    shear = first[3] - beam.hub_mass / beam.mass * k**4 * first[0]
    moment = first[2] + beam.hub_inertia / beam.mass * k**4 * first[1]
    return np.array([moment / k**2, shear / k**3, last[2] / k**2, last[3] / k**3])


def modes(beam, count):
    """The lowest modes that bend, scaled to 1 at the end where they are largest."""
    grid = np.arange(0.3, (count + 2) * np.pi, 0.02) / beam.length
    values = [np.linalg.det(free_ends(beam, k)) for k in grid]
    places = np.flatnonzero(np.array(values[:-1]) * np.array(values[1:]) < 0)[:count]
    assert len(places) == count
    numbers, masses, found = [], [], []
    for place in places:
        k = brentq(lambda k: np.linalg.det(free_ends(beam, k)), grid[place], grid[place + 1], xtol=1e-15)
        c = np.linalg.svd(free_ends(beam, k))[2][-1]
        ends = [basis(beam, k, x)[0] @ c for x in (0.0, beam.length)]
        c = c / max(ends, key=abs)
        at, weight = np.polynomial.legendre.leggauss(40 * count)
        x = 0.5 * beam.length * (at + 1)
        square = 0.5 * beam.length * weight @ (basis(beam, k, x)[0].T @ c) ** 2
        start = basis(beam, k, 0.0)
        hub = beam.hub_mass * (start[0] @ c) ** 2 + beam.hub_inertia * (start[1] @ c) ** 2
        numbers.append(k)
        masses.append(beam.mass * square + hub)
        found.append(c)
    k = np.array(numbers)
    return Modes(beam, k, beam.omega(k), np.array(masses), np.array(found))


def yieldings(beam):
    """Deflection by a unit force and by a unit moment at the end x = L, beside the motion of the rigid beam,
    as polynomials: the sum over all modes of their static answers. The load is held by the inertia of the
    rigid beam; without a hub."""
    length, c = beam.length, 0.5 * beam.length
    whole, about = beam.mass * length, beam.mass * length**3 / 12
    found = []
    for force, moment in ((1.0, 0.0), (0.0, 1.0)):
        turning = (force * c + moment) / about
        load = np.polynomial.Polynomial([-force / whole + turning * c, -turning]) * beam.mass
        w = load.integ(4) / beam.bending  # no moment and shear force at x = 0
        arm = np.polynomial.Polynomial([-c, 1.0])
        shift = w.integ()(length) / length
        turn = (w * arm).integ()(length) / (length**3 / 12)
        found.append(w - shift - turn * arm)
    return found


def compliance(beam):
    """Displacement and slope of the end x = L by a force and by a moment there (2, 2); see `yieldings`."""
    return np.array([[w(beam.length), w.deriv()(beam.length)] for w in yieldings(beam)]).T


def joined(first, second, shear, turning, most):
    """Angular frequencies [1/s] up to `most` of two beams end to end, the second's beginning held to the
    first's end by springs [N/m, N m/rad] across and about: where the equations of all ends have a
    solution."""

    def left(omega):
        matrix, sides = np.zeros((8, 8)), []
        for n, (beam, sign) in enumerate(((first, -1.0), (second, 1.0))):
            k = np.sqrt(omega) * (beam.mass / beam.bending) ** 0.25
            near, far = (basis(beam, k, x) for x in ((beam.length, 0.0), (0.0, beam.length))[n])
            side = slice(4 * n, 4 * n + 4)
            matrix[2 * n : 2 * n + 2, side] = far[2] / k**2, far[3] / k**3
            # Moments and forces agree; displacements and slopes of the second less the first bear on springs.
            matrix[4:6, side] = sign * beam.bending * near[2:]
            matrix[6:8, side] = sign * near[:2]
            sides.append(near)
        matrix[6, :4] += first.bending * sides[0][3] / shear
        matrix[7, :4] -= first.bending * sides[0][2] / turning
        return np.linalg.det(matrix / np.max(np.abs(matrix), 1, keepdims=True))

    grid = np.linspace(1.0, most, 4000)
    values = np.array([left(w) for w in grid])
    places = np.flatnonzero(values[:-1] * values[1:] < 0)
    return np.array([brentq(left, grid[k], grid[k + 1], xtol=1e-12) for k in places])
