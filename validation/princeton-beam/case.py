"""The Princeton beam at rest under loads across its end, against the equations of a rod in space by SciPy,
and against printed results of beams and of solids."""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import root

from interstage.reading import load
from interstage.studies.verify import Row

from ..comparison import read_table, worst

LENGTH, WIDTH, HEIGHT = 0.508, 12.377e-3, 3.2024e-3
YOUNG, POISSON = 71.7e9, 0.31
STRAIGHT = np.array([LENGTH, 0.0, 0.0])
COUNTS = 8, 16, 32
"""Elements."""
HEAVIEST, ASLANT = 13.345, 45.0
"""Load [N] and angle [deg] of the comparison by order."""
START = "bodies.tip.initial"
FIND = [f"{START}.position.{axis}" for axis in "xyz"] + [f"{START}.attitude.angles.{axis}" for axis in "xyz"]
ORDER = 0.2
"""How far the observed order may be from 2: the elements next to the clamp are half as long, where the moment
is largest, which is 0.14 of the error with 16 elements, and 0.07 with 32."""
TORSION = 1.5e-4
"""By which Roark's torsion constant, which a rectangle has, is off the series."""


def compare(fly, folder):
    """At 45 degrees by order and by extrapolation, then some loads and angles against what was printed."""
    yield from _of_equations(folder / "scenario.toml")
    table = read_table(folder / "truth.csv")
    chosen = (8.896, 15.0), (8.896, 60.0), (13.345, 0.0), (13.345, 30.0), (13.345, 75.0), (13.345, 90.0)
    for push, angle in chosen:
        (row,) = np.flatnonzero((table["load"] == push) & (table["angle"] == angle))
        found = at_rest(folder / "scenario.toml", COUNTS[1], push, angle)[0]
        for way, value in (("stiff", -found[1]), ("soft", found[2])):
            beams, solids = (table[f"{kind}_{way}"][row] for kind in ("beam", "solid"))
            if beams:
                what = f"{push} N at {angle:g} deg, the {way} way, over that of ANSYS's beams"
                yield Row(what, abs(value / beams - 1), abs(solids / beams - 1), "bound: its solids")


def _of_equations(path):
    truth = solved(HEAVIEST, ASLANT)
    found = [at_rest(path, count, HEAVIEST, ASLANT) for count in COUNTS]
    coarse, middle, fine = (np.linalg.norm(one[0] - truth[0]) for one in found)
    yield Row("observed order of the displacement less 2", abs(np.log2(middle / fine) - 2), ORDER)
    for what, k in (("displacement", 0), ("turn", 1)):
        coarse, middle, fine = (one[k] for one in found)
        first, second = (4 * middle - coarse) / 3, (4 * fine - middle) / 3
        error = (8 * second - first) / 7 - truth[k]
        yield Row(f"{what} of the end, extrapolated, over each component", worst(error / truth[k]), TORSION)


def pushed(push, angle):
    """The load [N] at an angle [deg] from the stiff way."""
    return push * np.array([0.0, -np.cos(np.radians(angle)), np.sin(np.radians(angle))])


def at_rest(path, count, push, angle):
    """Displacement [m] and angles (3-2-1) [rad] of the end in the trim, begun near by."""
    where, angles = solved(push, angle)
    changes = {
        "forces.strip.elements": count,
        "forces.load.force": [*pushed(push, angle)],
        f"{START}.position": [*np.round(where + STRAIGHT, 3)],
        f"{START}.attitude.angles": [*np.round(angles, 2)],
    }
    trimmed = load(path, set=changes).trim(FIND)
    found = np.array([trimmed[one] for one in FIND])
    return found[:3] - STRAIGHT, found[3:]


def solved(push, angle):
    """The same by the equations of a rod that stretches, shears, twists and bends (J. C. Simo, Computer
    Methods in Applied Mechanics and Engineering 49, 1985) with a load of fixed direction at its end: along
    the rod r' = R (e_x + K^-1 R^T n), q' = q k/2 with k = H^-1 R^T m, m' = -r' x n, from the clamp, with the
    moment there such that there is none at the end."""
    forces, moments = stiffness()
    n = pushed(push, angle)

    def slope(s, y):
        q, m = y[3:7] / np.linalg.norm(y[3:7]), y[7:]
        axes = matrix(q)
        along = axes @ ([1, 0, 0] + axes.T @ n / forces)
        k = axes.T @ m / moments
        turn = 0.5 * np.array([-q[1:] @ k, *(q[0] * k + np.cross(q[1:], k))])
        return np.concatenate([along, turn, -np.cross(along, n)])

    def end(moment):
        start = np.concatenate([[0, 0, 0, 1, 0, 0, 0], moment])
        return solve_ivp(slope, (0, LENGTH), start, "DOP853", rtol=1e-11, atol=1e-12).y[:, -1]

    moment = root(lambda moment: end(moment)[7:], 0.9 * np.cross(STRAIGHT, n), tol=1e-12).x
    last = end(moment)
    axes = matrix(last[3:7] / np.linalg.norm(last[3:7]))
    yaw, roll = np.arctan2(axes[1, 0], axes[0, 0]), np.arctan2(axes[2, 1], axes[2, 2])
    return last[:3] - STRAIGHT, np.array([yaw, -np.arcsin(axes[2, 0]), roll])


def stiffness():
    """Of the section: EA and GA with Cowper's factor [N]; GJ by Saint-Venant's series, and EI [N m^2]."""
    shear, area = YOUNG / (2 * (1 + POISSON)), WIDTH * HEIGHT
    across = 10 * (1 + POISSON) / (12 + 11 * POISSON) * shear * area
    odd = np.arange(1, 200, 2)
    series = np.sum(np.tanh(odd * np.pi * WIDTH / (2 * HEIGHT)) / odd**5)
    twist = WIDTH * HEIGHT**3 / 3 * (1 - 192 * HEIGHT / (np.pi**5 * WIDTH) * series)
    bending = YOUNG * area / 12 * np.array([HEIGHT**2, WIDTH**2])
    return np.array([YOUNG * area, across, across]), np.array([shear * twist, *bending])


def matrix(q):
    """Axes of a unit quaternion, as columns."""
    s, v = q[0], q[1:]
    skew = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2 * s * skew + 2 * skew @ skew
