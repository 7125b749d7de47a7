"""A point-mass flight compared with code written for the one vehicle, and derivatives of such a flight
along twenty numbers compared with the flight itself."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

import interstage as ist
from interstage.missions.names import WHOLE
from interstage.programs.targets import targets_of
from interstage.runs import run as simulate
from interstage.sensitivities.pushed import Output, Pushed

from .lines import Line
from .timing import in_turn, median_ratio

FILE = Path(__file__).with_name("point.toml")
WRITTEN_FOR_IT, FLIGHTS = 1.5, 6.0
"""How many times the JAX code written for it a flight may take, and how many flights twenty derivatives."""
STEP = 0.25
"""Step [s] of the flight that is differentiated: 560 of them."""
NUMBERS = (
    *(f"guidance.pitch.{name}" for name in "abcd"),
    *(
        "engines.main.thrust",
        "engines.main.isp",
        "bodies.rocket.mass",
        "bodies.rocket.elements.tank.propellant",
    ),
    *("bodies.rocket.initial.position", "bodies.rocket.initial.velocity", "aerodynamics.drag.area"),
    *("aerodynamics.drag.coefficients.CD", "atmosphere.density", "atmosphere.scale_height"),
    *("planet.rotation_rate", "gravity.mu"),
)
"""Twenty numbers."""
OUTPUTS = ("altitude", "ground_speed", "flight_path_angle", "mass")
DIFFERENCE = 1e-6
MANY = 10_000
"""Flights that programs are compiled for: so many that these are fast."""
"""Part of a number by which it is moved for a difference."""


def point(repeats: int, clock: Callable[[], float]) -> Iterator[Line]:
    """The flight compared with the same in JAX and in Numba, and its derivatives compared with the flight."""
    from . import point_jax, point_numba

    peers = {"JAX": point_jax.fly, "Numba": point_numba.fly}
    yield from compare("point, 2800 steps of RK4,", {}, peers, repeats, clock)
    oblate = {"planet.flattening": point_jax.FLATTENING}
    peers = {"JAX": partial(point_jax.fly, oblate=True)}
    yield from compare("point over an ellipsoid, 2800 steps,", oblate, peers, repeats, clock)
    yield from derivatives(repeats, clock)


def compare(
    what: str,
    changes: dict[str, float],
    peers: dict[str, Callable[[], np.ndarray]],
    repeats: int,
    clock: Callable[[], float],
) -> Iterator[Line]:
    """The flight with some changes compared with those written for it."""
    prepared = simulate.prepare(ist.load(FILE, set=changes))
    x = np.asarray(prepared.fly()[2].x)
    times = in_turn({"ours": prepared.fly, **peers}, repeats, clock)
    for peer, fly in peers.items():
        yield Line(
            f"{'  ' if peer == 'Numba' else ''}{what} compared with {peer}",
            milliseconds(times["ours"]),
            f"{peer} {milliseconds(times[peer])}",
            median_ratio(times["ours"], times[peer]),
            at_most=WRITTEN_FOR_IT if peer == "JAX" else None,
            accuracy=f"ends {np.linalg.norm(x[:3] + x[13:16] - fly()[-1, :3]):.0e} m apart",
        )


def derivatives(repeats: int, clock: Callable[[], float]) -> Iterator[Line]:
    """Along twenty numbers compared with flights."""
    scenario = ist.load(FILE, set={"solver.step": STEP})
    inputs = {path: targets_of(scenario, path, path) for path in NUMBERS}
    pushed = Pushed(scenario, inputs, [Output(f"bodies.rocket.{name}") for name in OUTPUTS], MANY)
    flown = pushed.at(pushed.nominal)
    found = pushed.jacobian(flown)
    times = in_turn(
        {"flight": lambda: pushed.at(pushed.nominal), "derivatives": lambda: pushed.jacobian(flown)},
        repeats,
        clock,
    )
    steps, off = len(flown.flights[WHOLE].track.t), error_by_differences(pushed, found)
    yield Line(
        f"derivatives along {len(pushed.names)} numbers",
        milliseconds(times["derivatives"]),
        f"flight {milliseconds(times['flight'])}",
        median_ratio(times["derivatives"], times["flight"]),
        at_most=FLIGHTS,
        accuracy=f"{steps} steps; compared with differences {off:.0e}",
    )


def error_by_differences(pushed: Pushed, found: np.ndarray) -> float:
    """The largest difference from central differences of some columns, over the largest of the row."""
    worst = 0.0
    for k in (0, 3, 4, 6):
        step = np.eye(len(pushed.names))[k] * DIFFERENCE * max(abs(pushed.nominal[k]), 1e-3)
        ends = [pushed.at(pushed.nominal + side * step).values for side in (1, -1)]
        change = (ends[0] - ends[1]) / (2 * step[k])
        worst = max(
            worst, float(np.max(np.abs(change - found[:, k]) / np.maximum(np.abs(found[:, k]), 1e-9)))
        )
    return worst


def milliseconds(times: list[float]) -> str:
    return f"{1e3 * statistics.median(times):.2f} ms"
