"""Springs, their places and the timing of a motor: an optimum found by derivatives, against grids.

The grids search the same bounds in a model of the plane of its own (planar.py), round after round about the
best, with what is missed of a limit at a price far above any that the optimum has: then the least sum is the
constrained least (exact penalty function; Nocedal and Wright, Numerical Optimization, 2nd ed., theorem 17.3).
"""

from typing import NamedTuple

import numpy as np

from interstage import load
from interstage.studies.optimization.declared import read_study
from interstage.studies.verify import Row

from . import planar

LOW, HIGH = np.array([3e3, -0.04, 0.05]), np.array([8e3, 0.04, 0.6])  # N, m, s: as in study.toml
SPEED, TURN, ROOM = 3.6, np.radians(0.3), 0.035  # m/s, rad/s, m
PRICES = 2e3, 2e5, 6e4
"""J for 1 m/s, 1 rad/s and 1 m beyond a limit: more than twice those of the optimum."""
POINTS, ROUNDS = 7, 12
"""Of a grid in each direction, and grids, each half as wide as the one before."""
SPACING = (HIGH - LOW) / (POINTS - 1) / 2.0 ** (ROUNDS - 1)
DIFFERENCE = 1e-4
"""Step of differences, of the span of the bounds: their error is its square times the bend, about 1e-6."""
FINE = 2.5e-3
"""Step [s] for the optimum itself: the method errs by (step x 9 rad/s)^4, 3e-7, of what the springs do."""


class Best(NamedTuple):
    """The best design of the grids, and what it costs with its price [J]."""

    design: np.ndarray
    cost: float


def cost(left: planar.Left) -> np.ndarray:
    """Energy and the price of what is missed [J]."""
    missed = SPEED - left.speed, left.turn - TURN, left.room - ROOM
    return left.energy + sum(price * np.maximum(0.0, one) for price, one in zip(PRICES, missed))


def by_grids() -> Best:
    """The best of grids that narrow about the best."""
    middle, half = (LOW + HIGH) / 2, (HIGH - LOW) / 2
    best = Best(middle, np.inf)
    for _ in range(ROUNDS):
        axes = np.linspace(np.maximum(LOW, middle - half), np.minimum(HIGH, middle + half), POINTS)
        designs = np.stack([one.ravel() for one in np.meshgrid(*axes.T, indexing="ij")])
        costs = cost(planar.flown(*designs))
        row = int(np.argmin(costs))
        best = min(best, Best(designs[:, row], float(costs[row])), key=lambda one: one.cost)
        middle, half = best.design, half / 2
    return best


def prices(design: np.ndarray) -> np.ndarray:
    """What moving each limit by one changes the least energy by [J per m/s, rad/s, m]: three limits hold
    three variables, so that these follow from the slopes, by central differences."""
    steps = DIFFERENCE * (HIGH - LOW)
    moves = design[:, None] + np.concatenate([np.diag(steps), -np.diag(steps)], axis=1)
    found = planar.flown(*moves, step=FINE)
    up, down = np.split(np.stack(found), 2, axis=1)
    *limits, energy = (up - down) / (2 * steps)
    return np.linalg.solve(np.stack(limits).T, energy)


def compare(fly, folder):
    """The optimum, flown, against the plane; its energy and design against the grids; its multipliers."""
    study, _ = read_study(folder / "study.toml")
    found = load(folder / "scenario.toml").optimize(study)
    record = fly(found.scenario)
    design = np.array([found["preload"], found["shift"], found["ignition"]])
    left = planar.flown(*design, step=FINE)
    for name, path, value, limit in (
        ("speed", "pairs.lower.upper.separation_speed", left.speed, SPEED),
        ("turn", "pairs.exit.tip_off_rate", left.turn, TURN),
        ("room", "pairs.exit.radial_distance", left.room, ROOM),
    ):
        yield Row(
            f"{name} as the nozzle leaves, of its limit",
            abs(record.series[path][-1] - value[0]) / limit,
            1e-6,
        )
        yield Row(f"{name}: distance from its limit, of that", abs(value[0] - limit) / limit, 1e-6)
    best = by_grids()
    yield Row("energy, of the best of grids", abs(found.objective - best.cost) / found.objective, 2e-3)
    for name, one, other, span in zip(("preload", "shift", "ignition"), design, best.design, HIGH - LOW):
        yield Row(f"{name} compared with the best of grids, of its span", abs(one - other) / span, 1e-2)
    truth = prices(design)
    for constraint, price in zip(found.constraints, truth):
        error = abs(constraint.multiplier - price) / abs(price)
        yield Row(f"price of {constraint.constraint.name}, of it", float(error), 1e-4)
    yield Row("is not to be trusted (0: it is)", float(not found.trusted), 0.0)
