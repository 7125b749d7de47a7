"""A rocket of two stages through the atmosphere for 200 s compared with SciPy, a batch of it, and a sphere
compared with JSBSim.

Both rockets are flown with the loosest tolerance that keeps the accuracy of the check case."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator

import numpy as np

from . import rocket_case as case
from . import rocket_scipy as planar
from .lines import Line
from .timing import in_turn, median_ratio

BATCH = 1000
THREADS = 2
SAME = 1e-9
"""A tolerance at which both are shown as well."""
BALL_WITHIN = 0.1
"""Accuracy of the sphere at its end [m]."""


def milliseconds(times: list[float]) -> str:
    return f"{1e3 * statistics.median(times):.2f} ms"


def rocket(repeats: int, clock: Callable[[], float]) -> Iterator[Line]:
    """One flight, its first flight, a batch, and the sphere."""
    from . import rocket_ours as ours

    (loose, found), (scipys, peers) = case.loosest(case.ours), case.loosest(case.scipys)
    runs: dict[str, Callable] = {
        "ours": ours.prepare(loose),
        "scipy": lambda: planar.fly(scipys),
        "ours, same": ours.prepare(SAME),
        "scipy, same": lambda: planar.fly(SAME),
    }
    times = in_turn(runs, repeats, clock)
    both = f"ours {case.told(found)} (tolerance {loose:.0e}); SciPy {case.told(peers)} ({scipys:.0e})"

    def line(name: str, one: str, other: str, **rest) -> Line:
        shown = f"SciPy {milliseconds(times[other])}"
        ratio = median_ratio(times[other], times[one])
        return Line(name, milliseconds(times[one]), shown, ratio, **rest)

    yield line("rocket, 200 s, compared with SciPy", "ours", "scipy", at_least=10.0, accuracy=both)
    yield line(f"  both with tolerance {SAME:.0e}", "ours, same", "scipy, same")
    first = ours.first_flight()
    parts = ", ".join(f"{name} {value:.1f}" for name, value in first.items() if "wall" not in name)
    yield Line(
        "  first flight, empty cache", f"{first['wall']:.2f} s", "", accuracy=f"processor time [s]: {parts}"
    )
    yield from batch(repeats, clock, loose)
    yield from ball(repeats, clock)


def batch(repeats: int, clock: Callable[[], float], tolerance: float) -> Iterator[Line]:
    """1000 dispersed flights compared with a single one, which takes turns with them."""
    from . import rocket_ours as ours

    runs = {
        "single": ours.prepare(tolerance),
        "batch": ours.prepare_batch(tolerance, BATCH, THREADS),
    }
    times = in_turn(runs, min(repeats, 3), clock)
    each = [t / BATCH for t in times["batch"]]
    yield Line(
        f"rocket, batch of {BATCH}, a flight",
        milliseconds(each),
        f"single {milliseconds(times['single'])}",
        median_ratio(each, times["single"]),
        at_most=1 / 3,
        accuracy=f"{THREADS} threads" + (", their time added" if clock is time.process_time else ""),
    )


def ball(repeats: int, clock: Callable[[], float]) -> Iterator[Line]:
    """A sphere thrown to 200 s compared with JSBSim."""
    from . import ball_jsbsim as peer
    from . import rocket_ours as ours

    start, model = (peer.SPEED_EAST, peer.SPEED_UP, peer.DURATION), peer.Ball()
    truth = ours.prepare_ball(*start, 1e-12)()
    for tolerance in sorted(case.TOLERANCES, reverse=True):
        fly = ours.prepare_ball(*start, tolerance)
        if np.linalg.norm(fly() - truth) <= BALL_WITHIN:
            break
    own, peers = model.fly(peer.STEP / 8), model.fly()
    times = in_turn({"ours": fly, "jsbsim": model.fly}, repeats, clock)
    yield Line(
        "  sphere, 200 s, compared with JSBSim",
        milliseconds(times["ours"]),
        f"JSBSim {milliseconds(times['jsbsim'])}",
        median_ratio(times["jsbsim"], times["ours"]),
        accuracy=f"ours {np.linalg.norm(fly() - truth):.1e} m (tolerance {tolerance:.0e}); JSBSim"
        f" {np.linalg.norm(peers - own):.1e} m; converged ones {np.linalg.norm(own - truth):.1e} m apart",
    )
