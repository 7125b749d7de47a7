"""A stack of masses on a line that bends, one of which drains: by NumPy, and as a scenario.

Masses m_i stand `PITCH` apart on a line along x and move across it by y_i. Springs resist its curvature:
V = k/2 sum of ((y_{i-1} - 2 y_i + y_{i+1})/h)^2, which knows no rigid motion. Propellant leaves mass `tank`
and runs through the masses between to `nozzle`, where it leaves with the velocity of that mass across the
line. With a mass flow mu on the way from a to b = a +- 1 the liquid gets the momentum mu (v_b - v_a) across
the line, and the slope of the way changes as much again: 2 mu (v_b - v_a) on each stretch, half on either
mass. So

    m_i y_i'' = - (K y)_i - sum over the stretches at i of mu (v_b - v_a)

which is Newton's law for each mass, with nothing of modes in it. Momentum m_i v_i, and with it the angular
momentum, change by -mu v_nozzle alone."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import eigh

PITCH = 2.0
PLACES = PITCH * (np.arange(5) - 1.0)
DRY = np.array([30.0, 20.0, 20.0, 20.0, 30.0])
FUEL = 150.0
BENDING = 4e4
COUNT = 3
"""Modes that bend: five masses less two rigid motions."""
CURVATURE = np.array([[1, -2, 1, 0, 0], [0, 1, -2, 1, 0], [0, 0, 1, -2, 1]]) / PITCH
STIFFNESS = BENDING * CURVATURE.T @ CURVATURE
TANK, NOZZLE = 3, 0


def masses(left: float, tank: int = TANK) -> np.ndarray:
    """With so much propellant left [kg]."""
    return DRY + left * (np.arange(5) == tank)


def modes(
    left: float, normalized: str = "mass", tank: int = TANK
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Angular frequencies, generalized masses, and shapes (mass, mode) of the free stack: to a generalized
    mass of 1 kg, or to 1 at the nozzle."""
    mass = masses(left, tank)
    square, shape = eigh(STIFFNESS, np.diag(mass))
    shape = shape[:, 2:] * np.sign(shape[0, 2:])
    shape = shape / (1.0 if normalized == "mass" else shape[0])
    return np.sqrt(square[2:]), mass @ shape**2, shape


def hanging(hung: Any) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness, and what masses have besides, of the stack with one more mass: (number of the mass that it
    hangs on, mass [kg], stiffness across the line), which is a mass more, or with an infinite stiffness more
    mass; none hangs on None."""
    if hung is None:
        return STIFFNESS, np.zeros(5)
    at, own, spring = hung
    if np.isinf(spring):
        return STIFFNESS, own * (np.arange(5) == at)
    stiffness = np.pad(STIFFNESS, (0, 1))
    stiffness[np.ix_([at, 5], [at, 5])] += spring * np.array([[1, -1], [-1, 1]])
    return stiffness, np.array([0, 0, 0, 0, 0, own])


def first_mode(tank: int, hung: Any) -> tuple[float, np.ndarray]:
    """Angular frequency and shape of the first mode that bends, full."""
    stiffness, more = hanging(hung)
    mass = more + np.pad(masses(FUEL, tank), (0, len(more) - 5))
    square, shape = eigh(stiffness, np.diag(mass))
    return float(np.sqrt(square[2])), shape[:, 2]


def flown(
    flow: float, speed: np.ndarray, times: Any, tank: int = TANK, nozzle: int = NOZZLE, hung: Any = None
) -> np.ndarray:
    """Displacements (mass, time) from the straight line with velocities `speed` at the start. hung: see
    `hanging`."""
    stiffness, more = hanging(hung)
    along, n = np.zeros_like(stiffness), len(stiffness)
    step = np.sign(nozzle - tank)
    for a in range(tank, nozzle, step) if step else ():
        along[np.ix_([a, a + step], [a, a + step])] += flow * np.array([[-1.0, 1.0], [-1.0, 1.0]])

    def rates(t: float, z: np.ndarray) -> np.ndarray:
        mass = more + np.pad(masses(FUEL - flow * t, tank), (0, n - 5))
        return np.concatenate([z[n:], (-stiffness @ z[:n] - along @ z[n:]) / mass])

    start = np.concatenate([np.zeros(n), speed])
    found = solve_ivp(
        rates, (0, times[-1]), start, "DOP853", np.minimum(times, times[-1]), rtol=1e-9, atol=1e-12
    )
    return found.y[:n]


SCENARIO = """
[gravity]
kind = "none"
[bodies.core]
mass = {mass}
mass_centre = [{centre}, 0, 0]
inertia = [1.0, {inertia}, {inertia}]
initial = {{ position = [{start}, 0, 0]{moving} }}
[bodies.core.elements.fuel]
kind = "point"
at = [{tank}, 0, 0]
propellant = {fuel}
[engines.main]
kind = "engine"
body = "core"
at = [{nozzle}, 0, 0]
direction = [1, 0, 0]
thrust = 1e-9
mass_flow = {flow}
feeds = {{ "core.fuel" = 1.0 }}
ignited = true
[forces.bends]
kind = "modal_body"
body = "core"
rate = {rate}
{more}
{modes}
{sensors}
[[phases]]
name = "burn"
until = {{ time = {ends} }}
[output]
interval = {interval}
[solver]
tolerance = 1e-8
"""


def listed(array: Any) -> list[Any]:
    """Plain numbers, as TOML has them."""
    return np.asarray(array, float).tolist()


class Tabled(NamedTuple):
    """Modes at levels of the propellant: frequency, mass (level, mode); shape, turn (level, point, mode, 3);
    at (point, 3); lumped (level, point), none where the table has no masses of points."""

    propellant: np.ndarray
    frequency: np.ndarray
    mass: np.ndarray
    shape: np.ndarray
    turn: np.ndarray
    at: np.ndarray
    lumped: np.ndarray | None = None

    def of_level(self, level: int, order: list[int], signs: Any = 1.0) -> Tabled:
        """With modes of one level in another order and with other signs."""
        found = {}
        for name in ("frequency", "mass", "shape", "turn"):
            rows = np.array(getattr(self, name))
            if name in ("shape", "turn"):
                rows[level] = np.reshape(signs, (-1, 1)) * rows[level][:, order]
            else:
                rows[level] = rows[level][order]
            found[name] = rows
        return self._replace(**found)

    def points(self, *which: int) -> Tabled:
        """With some of the points."""
        numbers = list(which)
        return self._replace(shape=self.shape[:, numbers], turn=self.turn[:, numbers], at=self.at[numbers])

    def written(self) -> str:
        """As the keys of a scenario."""
        numbers = ("propellant", "frequency", "mass")
        lines = [f"{name} = {listed(getattr(self, name))}" for name in numbers]
        lines.append("[forces.bends.points]")
        for k, at in enumerate(self.at):
            more = "" if self.lumped is None else f", mass = {listed(self.lumped[:, k])}"
            shapes = f"shape = {listed(self.shape[:, k])}, turn = {listed(self.turn[:, k])}"
            lines.append(f"n{k} = {{ at = {listed(at)}, {shapes}{more} }}")
        return "\n".join(lines)


def tabled(levels: Any = 9, normalized: str = "mass", tank: int = TANK) -> Tabled:
    """Modes of the stack at levels, evenly spaced unless given; turns by central differences."""
    left = np.linspace(0, FUEL, levels) if isinstance(levels, int) else np.asarray(levels, float)
    found = [modes(one, normalized, tank) for one in left]
    shapes = np.stack([shape for *_, shape in found])  # (level, mass, mode)
    none, slopes = np.zeros_like(shapes), np.gradient(shapes, PITCH, axis=1)
    at = np.stack([PLACES, 0 * PLACES, 0 * PLACES], 1)
    shape, turn = np.stack([none, shapes, none], 3), np.stack([none, none, slopes], 3)
    frequency, mass = (np.stack([one[k] for one in found]) for k in (0, 1))
    return Tabled(left, frequency, mass, shape, turn, at)


def scenario(
    flow: float,
    rate: Any,
    *,
    ends: float,
    samples: int = 200,
    modes: Any = None,
    tank: int = TANK,
    nozzle: int = NOZZLE,
    moving: str = "",
    more: str = "",
) -> str:
    """The stack as a body with modes, and a sensor at each mass. modes: as keys, or as `tabled`; rate: of its
    modes at the start; moving, more: further keys of its start and of its modes."""
    given = tabled() if modes is None else modes
    centre, whole = DRY @ PLACES / DRY.sum(), masses(FUEL, tank)
    return SCENARIO.format(
        mass=DRY.sum(),
        centre=centre,
        inertia=DRY @ (PLACES - centre) ** 2,
        start=whole @ PLACES / whole.sum(),
        moving=moving,
        tank=PLACES[tank],
        nozzle=PLACES[nozzle],
        fuel=FUEL,
        flow=flow,
        rate=listed(rate),
        more=more,
        modes=given if isinstance(given, str) else given.written(),
        sensors="\n".join(f'[sensors.s{k}]\nbody = "core"\nat = [{at}, 0, 0]' for k, at in enumerate(PLACES)),
        ends=ends,
        interval=ends / samples,
    )


def displaced(flight: Any) -> np.ndarray:
    """Displacements of the masses in a flight of the scenario (mass, time)."""
    return np.stack([flight[f"sensors.s{k}.position"][:, 1] for k in range(5)])
