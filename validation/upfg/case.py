"""Unified powered flight guidance beside the optimum, and from 200 dispersed starts in one batch (SOURCE.md).

The optimum, by Pontryagin's principle: thrust along the primer vector p, which uses the gradient of
gravity, p'' = mu/r^3 (3 r r.p/r^2 - p), until the ends are met; as the place along the orbit is free,
p x v - p' x r is nothing there (D. F. Lawden, Optimal Trajectories for Space Navigation, 1963, chapter 3)."""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

from interstage import load
from interstage.studies.verify import Row

MU, RADIUS = 3.986004418e14, 6371e3
THRUST, EXHAUST, MASS, DRY = 55.4e3, 340 * 9.80665, 7442.0, 442.0
HEIGHT, SPEED, FROM = 250e3, 7850.0, 100e3
PLACE, VELOCITY = np.array([RADIUS + FROM, 0.0, 0.0]), np.array([2000.0, 2500.0, 0.0])
PUBLISHED = 1410.98453  # kg, see SOURCE.md
LANES, SHORT = 200, 380.0
"""Dispersed starts, and a burn that does not suffice for all of them [s]."""
ALLOWED, MET = 1e-4, 1e-3
"""Loss [1]; what the orbit and its plane are missed by [m, m/s] (SOURCE.md)."""
FIRST = np.array([2.0, 1.6, 0.4, 3.6])
"""Angle of the primer [rad], its rate [1/1000 s], time [100 s]: rounded from the optimum."""


def across(a, b):
    """a x b in a plane."""
    return a[0] * b[1] - a[1] * b[0]


def optimum(place, velocity, mass, thrust):
    """The most mass [kg] that can be left at cut-off, from a start in a plane, (2,) each."""

    def ends(z):
        angle, *rate, time = z
        start = [*place, *velocity, np.cos(angle), np.sin(angle), *(1e-3 * np.array(rate))]

        def slope(t, y):
            r, v, p, turning = np.split(y, 4)
            pull = MU / np.hypot(*r) ** 3
            pushed = thrust / (mass - thrust / EXHAUST * t) * p / np.hypot(*p)
            bent = pull * (3 * r * (r @ p) / (r @ r) - p)
            return np.concatenate([v, pushed - pull * r, turning, bent])

        return solve_ivp(slope, (0, 100 * time), start, "DOP853", rtol=1e-11, atol=1e-12).y[:, -1]

    def missed(z):
        r, v, p, turning = np.split(ends(z), 4)
        free = across(p, v) - across(turning, r)
        return [
            (np.hypot(*r) - RADIUS - HEIGHT) / 1e5,
            (np.hypot(*v) - SPEED) / 1e3,
            r @ v / np.hypot(*r) / 1e3,
            free / 1e3,
        ]

    z, _, found, why = fsolve(missed, FIRST, full_output=True, xtol=1e-12)
    if found != 1:
        raise ArithmeticError(f"the optimum was not found: {why}")
    return mass - thrust / EXHAUST * 100 * z[3]


def in_plane(place, velocity):
    """Place and velocity in the plane of both, x along the place."""
    up = place / np.linalg.norm(place)
    rising = velocity @ up
    return np.array([np.linalg.norm(place), 0.0]), np.array([rising, np.linalg.norm(velocity - rising * up)])


def dispersed():
    """Starts: 30 km, 150 m/s, 2 % of mass and of thrust off (one sigma)."""
    rng = np.random.default_rng(21)
    place = PLACE + rng.normal(0, 30e3, (LANES, 3))
    velocity = VELOCITY + rng.normal(0, 150.0, (LANES, 3))
    mass, thrust = (x * (1 + 0.02 * rng.standard_normal(LANES)) for x in (MASS, THRUST))
    return place, velocity, mass, thrust


def inputs(place, velocity, mass, thrust):
    """They as inputs of the scenario; guidance knows the thrust."""
    return {
        "bodies.stage.initial.position": place,
        "bodies.stage.initial.velocity": velocity,
        "bodies.stage.elements.fuel.propellant": mass - DRY,
        "engines.main.thrust": thrust,
        "guidance.orbit.burns.main.thrust": thrust,
    }


def orbit(value, name=""):
    """Rows of what the orbit is missed by; value(path): at the end of each flight."""
    for what, unit, wanted in (("altitude", "m", HEIGHT), ("speed", "m/s", SPEED)):
        off = np.max(np.abs(value(f"bodies.stage.{what}") - wanted))
        yield Row(f"{name}{what} at cut-off [{unit}]", float(off), MET)
    off = SPEED * np.max(np.abs(np.sin(value("bodies.stage.flight_path_angle"))))
    yield Row(f"{name}climb at cut-off [m/s]", float(off), MET)


def loss(name, mass, best):
    """Rows of a mass at cut-off beside the most [kg]: what is lost, and that no more seems won than the orbit
    is missed by."""
    lost = 1 - float(mass) / best
    yield Row(f"{name}loss of final mass [1]", max(lost, 0.0), ALLOWED)
    yield Row(f"{name}better than the optimum by [1]", max(-lost, 0.0), MET / EXHAUST)


def failing(batch):
    """The cases whose guidance does not work at the end, or that do not come to it."""
    return ~((batch.value("guidance.orbit.status") == 0) & batch.completed)


def compare(fly, folder):
    """One flight beside the optimum; 200 in one batch, some beside theirs; too short burns."""
    record = fly(folder / "scenario.toml")
    best = optimum(PLACE[:2], VELOCITY[:2], MASS, THRUST)
    yield Row("the optimum, by another code [kg]", abs(best - PUBLISHED), 1e-5)
    yield from orbit(lambda path: record.series[path][-1])
    yield from loss("", record.series["bodies.stage.mass"][-1], best)
    starts = dispersed()
    given = inputs(*starts)
    scenario = load(folder / "scenario.toml")
    batch = scenario.run_batch(given, samples=False, together=True)
    yield Row(f"share of {LANES} that fails", failing(batch).mean(), 0.0)
    yield from orbit(batch.value, f"{LANES} starts: ")
    place, velocity = batch.value("bodies.stage.position"), batch.value("bodies.stage.velocity")
    normal = np.cross(*starts[:2])
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    drift = np.max(np.abs(np.sum(normal * velocity, 1))), np.max(np.abs(np.sum(normal * place, 1)))
    yield Row(f"{LANES} starts: out of the plane [m/s]", float(drift[0]), MET)
    yield Row(f"{LANES} starts: out of the plane [m]", float(drift[1]), MET)
    left = batch.value("bodies.stage.mass")
    chosen = {int(np.argmin(batch.time)), int(np.argmax(batch.time)), *range(8)}
    for lane in sorted(chosen):
        best = optimum(*in_plane(starts[0][lane], starts[1][lane]), starts[2][lane], starts[3][lane])
        yield from loss(f"start {lane}: ", left[lane], best)
    few = scenario.run_batch(
        given | {"guidance.orbit.burns.main.duration": np.full(LANES, SHORT)}, samples=False, together=True
    )
    needs = batch.time > SHORT
    yield Row("burns of 380 s: starts that are not told rightly", float((failing(few) != needs).sum()), 0.0)
    note = f"{100 * needs.mean():.1f} % need more than {SHORT:.0f} s, and say so"
    yield Row("burns of 380 s: none is too short (0: some are)", float(not needs.any()), 0.0, note)
