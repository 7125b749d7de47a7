"""The case of the rocket: NESC check case 17 for 200 s, the accuracy it must keep, and its dispersions.

The scenario, the table of simulator 04 and what was settled about them are in `validation/nesc-17`.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import interstage as ist

from . import rocket_scipy as planar

FOLDER = Path(__file__).resolve().parents[1] / "validation" / "nesc-17"
EARLY, LATE = 37.38, 134.0
"""Times up to which the altitude must be right [s]."""
ALLOWED = {"altitude to 37.38 s [m]": 0.1, "altitude to 134.0 s [m]": 1.0, "pitch [deg]": 0.01}
ALLOWED_AT_END = 1.0
"""Distance at 200 s from the converged flight [m], beyond the end of the table."""
TOLERANCES = [10.0**-k for k in range(4, 12)]


class Sampled(NamedTuple):
    """Positions of the centre of mass in the plane of the equator (2, time) [m] and angles of the nose from
    the first axis [rad] (time) at the times of the table and at 200 s."""

    position: NDArray[np.float64]
    nose: NDArray[np.float64]


@cache
def table() -> dict[str, NDArray[np.float64]]:
    """Simulator 04, by column."""
    with (FOLDER / "truth.csv").open() as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


@cache
def times() -> NDArray[np.float64]:
    """Times of the table [s] and 200 s."""
    return np.append(table()["time_s"], planar.END)


def scenario(tolerance: float) -> ist.Scenario:
    """The case as Interstage reads it."""
    return ist.load(FOLDER / "scenario.toml", set={"solver.tolerance": tolerance})


def ours(tolerance: float) -> Sampled:
    """What Interstage finds."""
    found: Any = scenario(tolerance).run().data["bodies/rocket"]
    at = np.array([np.argmin(np.abs(found["time"].values - t)) for t in times()])
    w, x, y, z = found["attitude"].values[at].T
    nose = np.arctan2(2 * (x * y + w * z), w * w + x * x - y * y - z * z)
    return Sampled(found["position"].values[at, :2].T, nose)


def scipys(tolerance: float) -> Sampled:
    """What the planar problem by SciPy gives."""
    states = planar.fly(tolerance, dense=True).at(times())
    return Sampled(states[:2], states[4])


@cache
def converged() -> NDArray[np.float64]:
    """Position (2,) [m] at 200 s: SciPy's with a tolerance that rounding allows."""
    return scipys(1e-13).position[:, -1]


def errors(found: Sampled) -> dict[str, float]:
    """The largest differences from simulator 04, and the distance from the converged flight at 200 s [m]."""
    truth, t = table(), table()["time_s"]
    x, y = found.position[:, :-1]
    altitude = np.abs(np.hypot(x, y) - planar.RADIUS - truth["altitudeMsl_ft"] * planar.FOOT)
    pitch = np.degrees(np.pi / 2 - found.nose[:-1] + np.arctan2(y, x)) - truth["eulerAngle_deg_Pitch"]
    pitch = np.abs((pitch + 180) % 360 - 180)
    values = altitude[t <= EARLY].max(), altitude[t <= LATE].max(), pitch[t <= LATE].max()
    last = {"at 200 s [m]": float(np.hypot(*(found.position[:, -1] - converged())))}
    return dict(zip(ALLOWED, map(float, values), strict=True)) | last


def accurate(found: dict[str, float]) -> bool:
    """Whether a flight is as accurate as the check asks."""
    return all(found[what] <= most for what, most in ALLOWED.items()) and (
        found["at 200 s [m]"] <= ALLOWED_AT_END
    )


def loosest(fly: Any) -> tuple[float, dict[str, float]]:
    """The largest tolerance from which on `fly` is accurate, whatever smaller one is taken, and the errors
    there. A larger one that is accurate by chance does not count."""
    kept = None
    for tolerance in reversed(TOLERANCES):
        found = errors(fly(tolerance))
        if not accurate(found):
            break
        kept = tolerance, found
    if kept is None:
        raise RuntimeError(f"no tolerance keeps the accuracy: {found}")
    return kept


def told(found: dict[str, float]) -> str:
    """Errors in short."""
    early, late, pitch, end = found.values()
    return f"{early:.1e}, {late:.1e}, {end:.1e} m, {pitch:.1e} deg"


def dispersed(count: int, seed: int = 0) -> dict[str, NDArray[np.float64]]:
    """Thrusts, specific impulses, aerodynamic forces, propellant and the launch of `count` flights, by path;
    standard deviations as a vehicle of this kind may have them."""
    random = np.random.default_rng(seed)

    def about(value: float, part: float) -> NDArray[np.float64]:
        return value * (1 + part * np.clip(random.standard_normal(count), -3, 3))

    return {
        "engines.first.thrust": about(planar.FIRST.thrust, 0.005),
        "engines.first.isp": about(planar.FIRST.isp, 0.002),
        "engines.second.thrust": about(planar.SECOND.thrust, 0.005),
        "engines.second.isp": about(planar.SECOND.isp, 0.002),
        "aerodynamics.stack.factor": about(1.0, 0.05),
        # The tables of the stage end where its tanks are full.
        "bodies.rocket.elements.stage.propellant": 180000.0 * (1 - 0.005 * random.random(count)),
    }
