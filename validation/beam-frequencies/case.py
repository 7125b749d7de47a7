"""Natural frequencies of clamped beams against the exact solutions of Euler's and Timoshenko's equations, and
a strip release under gravity against its modes."""

import numpy as np
from scipy.linalg import expm
from scipy.optimize import brentq

from interstage.studies.verify import Row, linear_about

from ..comparison import worst

COARSE, FINE = 12, 24
"""Elements."""
STRIP = {"bending": 350 / 3, "mass": 0.54, "length": 1.0}
"""EI about y [N m^2], mass by length [kg/m], length [m]."""
PULL = 9.80665
ORDER = 0.1
"""How far an observed order may be from 2: a wave of the third mode has fewer than ten of twelve elements,
and the next term of its error, of order 4, is a twentieth of the first."""
LEFT = 2e-4
"""What order 2 leaves of the frequencies: the next term, (k h)^4/60 with k h = 0.33 of 24 elements."""


def compare(fly, folder):
    """Frequencies by order and by extrapolation, then the swing."""
    strip, bar = folder / "scenario.toml", folder / "stubby.toml"
    yield from _frequencies("Euler, bending", strip, "strip", 2, euler(3))
    yield from _frequencies("Timoshenko, bending about y", bar, "bar", 2, timoshenko(0.05, 0.1, 3))
    yield from _frequencies("Timoshenko, bending about z", bar, "bar", 1, timoshenko(0.1, 0.05, 3))
    yield from _frequencies("stretch", bar, "bar", 0, np.pi / 2 * np.sqrt(210e9 / 7850) * np.array([1, 3]))
    yield from _swing(fly, strip)


def _axis(linear, mode, beam, count):
    """Along which axis the last segment moves in a mode; -1 if it twists."""
    shape = dict(zip(linear.names, abs(mode.shape), strict=True))
    last = f"beams.{beam}.segment_{count}"
    place = [shape[f"{last}.position.{axis}"] for axis in "xyz"]
    return int(np.argmax(place)) if max(place) > shape[f"{last}.turn.x"] else -1


def _frequencies(what, path, beam, axis, truth):
    found = []
    for count in (COARSE, FINE):
        linear = linear_about(path, outputs=(), **{f"forces.{beam}.elements": count})
        moved = [mode for mode in linear.modes if _axis(linear, mode, beam, count) == axis]
        found.append(np.array([mode.eigenvalue.imag for mode in moved[: len(truth)]]))
    coarse, fine = (one / truth - 1 for one in found)
    yield Row(f"{what}: observed order less 2", worst(np.log2(coarse / fine) - 2), ORDER)
    yield Row(f"{what}: frequencies, extrapolated [1]", worst((4 * fine - coarse) / 3), LEFT)


def euler(count):
    """Angular frequencies [1/s] of a clamped beam: cos x cosh x = -1."""
    roots = [
        brentq(lambda x: np.cos(x) + 1 / np.cosh(x), np.pi * (k + 0.1), np.pi * (k + 0.9), xtol=1e-14)
        for k in range(count)
    ]
    size = np.sqrt(STRIP["bending"] / STRIP["mass"]) / STRIP["length"] ** 2
    return np.array(roots) ** 2 * size


def timoshenko(width, height, count):
    """Angular frequencies [1/s] of the clamped bar that bends across its `height` [m]: where the transfer
    matrix of displacement, turn, shear force and moment, the exponential of their equations, leaves the free
    end without load."""
    young, shear, density = 210e9, 80e9, 7850.0
    poisson = young / (2 * shear) - 1
    area, second = width * height, width * height**3 / 12
    across = 10 * (1 + poisson) / (12 + 11 * poisson) * shear * area

    def left(w):
        rates = np.zeros((4, 4))
        rates[0, 1], rates[0, 2], rates[1, 3] = 1, 1 / across, 1 / (young * second)
        rates[2, 0], rates[3, 1], rates[3, 2] = -density * area * w**2, -density * second * w**2, -1
        return np.linalg.det(expm(rates)[2:, 2:])

    grid = np.linspace(10.0, 2e4, 2000)
    values = np.array([left(w) for w in grid])
    places = np.flatnonzero(values[:-1] * values[1:] < 0)[:count]
    return np.array([brentq(left, grid[k], grid[k + 1], xtol=1e-9) for k in places])


def _swing(fly, path):
    """The end of the strip by Euler's modes, each of which swings about what it sags by. Segments that turn
    as rigid ones slow a mode of wave number k by (k h)^2/24 of its frequency."""
    flight = fly(path)
    t, (w, sags) = flight.time, _modes(8)
    truth = np.sum(sags * (1 - np.cos(np.outer(t, w))), 1)
    late = (w / np.sqrt(STRIP["bending"] / STRIP["mass"])) * (STRIP["length"] / FINE) ** 2 / 24
    bound = np.sum(abs(sags) * np.minimum(2, late * w * t[-1]))
    error = worst(flight.series["forces.strip.end"][:, 2] - truth)
    yield Row("swing under gravity: end [m]", error, bound, f"of {np.sum(abs(sags)):.1e} m")


def _modes(count):
    """Angular frequencies [1/s], and what each mode sags by at the end [m]. The modes cosh kx - cos kx - s
    (sinh kx - sin kx) of unit mean square are 2 at the end, by sign, and weigh 2 s/(k l) under an even
    load."""
    w = euler(count)
    x = np.sqrt(w / np.sqrt(STRIP["bending"] / STRIP["mass"])) * STRIP["length"]
    s = (np.cosh(x) + np.cos(x)) / (np.sinh(x) + np.sin(x))
    return w, -PULL * (-1.0) ** np.arange(count) * 2 * (2 * s / x) / w**2
