"""The shortest time to a height and a level speed at constant thrust acceleration, found by optimisation
among all bilinear tangent laws, against the closed form.

With a the acceleration, k = tan(theta0) and tan(theta) = k (1 - 2 t/T), by integration over the tangent:
vx = a T asinh(k)/k and y = a T^2/(4 k^2) (k sqrt(1 + k^2) - asinh(k)). A. E. Bryson and Y.-C. Ho, Applied
Optimal Control (1975), section 2.7."""

import numpy as np
from scipy.optimize import brentq

from interstage import load
from interstage.studies.optimization.declared import read_study
from interstage.studies.verify import Row

ACCELERATION, HEIGHT, SPEED = 100.0, 5.0, 45.0  # m/s^2, m, m/s


def shortest(height: float, speed: float) -> tuple[float, float]:
    """The tangent of the first elevation, and the time [s]."""

    def missed(k: float) -> float:
        curve = k * np.sqrt(1 + k * k) - np.arcsinh(k)
        return curve / (4 * np.arcsinh(k) ** 2) - ACCELERATION * height / speed**2

    k = float(brentq(missed, 1e-3, 1e3, xtol=1e-15, rtol=1e-15))
    return k, speed * k / (ACCELERATION * float(np.arcsinh(k)))


def compare(fly, folder):
    """The time of the optimum, flown by itself; where it ends; its steering; its multipliers."""
    study, _ = read_study(folder / "study.toml")
    found = load(folder / "scenario.toml").optimize(study)
    record = fly(found.scenario)
    k, duration = shortest(HEIGHT, SPEED)
    yield Row("time [s]", abs(record.time[-1] - duration), 1e-9)
    place, velocity = (record.series[f"bodies.rocket.{name}"][-1] for name in ("position", "velocity"))
    yield Row("height [m]", abs(place[2] - HEIGHT), 1e-8)
    yield Row("speed ahead, and up [m/s]", float(np.hypot(velocity[0] - SPEED, velocity[2])), 1e-7)
    last = (found["numerator"] + found["numerator_rate"] * duration) / (
        1 + found["denominator_rate"] * duration
    )
    yield Row("tangent of the first elevation", abs(found["numerator"] - k), 1e-5)
    yield Row("tangent of the last elevation", abs(last + k), 1e-5)
    step = 1e-4
    for name, unit, (height, speed) in (("height", "s/m", (step, 0.0)), ("ahead", "s per m/s", (0.0, step))):
        ends = [shortest(HEIGHT + sign * height, SPEED + sign * speed)[1] for sign in (1, -1)]
        price = (ends[0] - ends[1]) / (2 * step)
        kept = next(one for one in found.constraints if one.constraint.name == name)
        yield Row(f"price of {name} [{unit}]", abs(kept.multiplier - price), 1e-7)
    yield Row("is not to be trusted (0: it is)", float(not found.trusted), 0.0)
