"""The shortest time to a height and a level speed at constant thrust acceleration, found by optimization
among all bilinear tangent laws, against the closed form.

With a the acceleration, k = tan(theta0) and tan(theta) = k (1 - 2 t/T), by integration over the tangent:
vx = a T asinh(k)/k and y = a T^2/(4 k^2) (k sqrt(1 + k^2) - asinh(k)). A. E. Bryson and Y.-C. Ho, Applied
Optimal Control (1975), section 2.7.

As an insertion, with weight and a mass that flows: still a linear tangent, however the acceleration by thrust
goes, as weight is the same everywhere (the same section); the integrals over the time are by quadrature."""

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq, fsolve

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


G = 9.80665
THRUST, EXHAUST, MASS = 450e3, 440 * G, 30e3  # N, m/s, kg
BEGIN = np.array([60e3, 2000.0, 1000.0])  # height [m], speed ahead and up [m/s]
ORBIT = np.array([185e3, 7800.0])  # height [m], speed ahead [m/s]


def inserted(height: float, speed: float) -> np.ndarray:
    """a and b [1/s] of tan(theta) = a + b t, and the time [s], of the shortest burn to a level flight."""

    def missed(z: np.ndarray) -> list[float]:
        a, b, end = z * [1, 1e-3, 100]

        def gained(what) -> float:
            def rate(t: float) -> float:
                k = a + b * t
                return THRUST / (MASS - THRUST / EXHAUST * t) / np.hypot(1, k) * what(t, k)

            return quad(rate, 0, end, epsabs=0, epsrel=1e-13)[0]

        ahead = BEGIN[1] + gained(lambda t, k: 1)
        up = BEGIN[2] + gained(lambda t, k: k) - G * end
        reached = BEGIN[0] + BEGIN[2] * end + gained(lambda t, k: k * (end - t)) - G * end**2 / 2
        return [(ahead - speed) / 1e3, up / 1e3, (reached - height) / 1e5]

    return fsolve(missed, [0.5, -2.0, 2.0], xtol=1e-12) * [1, 1e-3, 100]


def ends(record, body: str, height: float, speed: float):
    """What the end is off in height [m] and speed [m/s]."""
    place, velocity = (record.series[f"bodies.{body}.{name}"][-1] for name in ("position", "velocity"))
    return abs(place[2] - height), float(np.hypot(velocity[0] - speed, velocity[2]))


def as_an_insertion(fly, folder):
    """The optimum flown as guidance; and found by optimization, with its multipliers."""
    a, b, end = inserted(*ORBIT)
    law = {"guidance.steering.a": a, "guidance.steering.b": b, "phases.burn.until.elapsed": end}
    record = fly(folder / "insertion.toml", **law)
    height, speed = ends(record, "stage", *ORBIT)
    yield Row("insertion flown: height [m]", height, 1e-6)
    yield Row("insertion flown: speed ahead, and up [m/s]", speed, 1e-8)
    study, _ = read_study(folder / "insertion_study.toml")
    found = load(folder / "insertion.toml").optimize(study)
    record = fly(found.scenario)
    yield Row("insertion: time [s]", abs(record.time[-1] - end), 2e-8)
    height, speed = ends(record, "stage", *ORBIT)
    yield Row("insertion: height [m]", height, 1e-4)
    yield Row("insertion: speed ahead, and up [m/s]", speed, 1e-6)
    last = (found["numerator"] + found["numerator_rate"] * end) / (1 + found["denominator_rate"] * end)
    yield Row("insertion: tangent of the first elevation", abs(found["numerator"] - a), 1e-5)
    yield Row("insertion: tangent of the last elevation", abs(last - a - b * end), 1e-5)
    for name, unit, step in (
        ("height", "s/m", np.array([10.0, 0])),
        ("ahead", "s per m/s", np.array([0, 1.0])),
    ):
        price = (inserted(*ORBIT + step)[2] - inserted(*ORBIT - step)[2]) / (2 * step.sum())
        yield Row(
            f"insertion: price of {name} [{unit}]", abs(price_of(found, name) - price), 1e-5 * abs(price)
        )
    yield Row("insertion is not to be trusted (0: it is)", float(not found.trusted), 0.0)


def price_of(found, name: str) -> float:
    """The multiplier of a constraint."""
    return next(one for one in found.constraints if one.constraint.name == name).multiplier


def compare(fly, folder):
    """The time of the optimum, flown by itself; where it ends; its steering; its multipliers. Then
    an insertion."""
    study, _ = read_study(folder / "study.toml")
    found = load(folder / "scenario.toml").optimize(study)
    record = fly(found.scenario)
    k, duration = shortest(HEIGHT, SPEED)
    yield Row("time [s]", abs(record.time[-1] - duration), 1e-9)
    high, fast = ends(record, "rocket", HEIGHT, SPEED)
    yield Row("height [m]", high, 1e-8)
    yield Row("speed ahead, and up [m/s]", fast, 1e-7)
    last = (found["numerator"] + found["numerator_rate"] * duration) / (
        1 + found["denominator_rate"] * duration
    )
    yield Row("tangent of the first elevation", abs(found["numerator"] - k), 1e-5)
    yield Row("tangent of the last elevation", abs(last + k), 1e-5)
    step = 1e-4
    for name, unit, (height, speed) in (("height", "s/m", (step, 0.0)), ("ahead", "s per m/s", (0.0, step))):
        times = [shortest(HEIGHT + sign * height, SPEED + sign * speed)[1] for sign in (1, -1)]
        price = (times[0] - times[1]) / (2 * step)
        yield Row(f"price of {name} [{unit}]", abs(price_of(found, name) - price), 1e-7)
    yield Row("is not to be trusted (0: it is)", float(not found.trusted), 0.0)
    yield from as_an_insertion(fly, folder)
