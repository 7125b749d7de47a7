"""The compiled mission of two winged vehicles, from the pad to orbit and back, compared with legs written in
SciPy for these two vehicles alone (`validation/bimese-tsto`).

Both use the loosest tolerance that keeps the required accuracy: the end of each leg, compared with the
own flight with a tolerance that rounding allows."""

from __future__ import annotations

import importlib
import statistics
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interstage.studies import verify

from .lines import Line
from .timing import in_turn, median_ratio

FOLDER = Path(__file__).resolve().parents[1] / "validation" / "bimese-tsto"
FASTER = 10.0
"""Required ratio of times of the mission, compared with SciPy."""
WITHIN = 5.0
"""Distance [m] from the converged flight at which each leg may end."""
TOLERANCES = [10.0**-k for k in range(5, 12)]
TIGHT = 1e-12
SAME = 1e-9
"""A tolerance at which both are shown as well: that of the scenario."""
LEGS = ("ascent", "staging", "insertion", "return")
Ends = dict[str, NDArray[np.float64]]


class ByHand:
    """The mission by SciPy with a tolerance for all its legs."""

    def __init__(self, tolerance: float):
        verify._module(FOLDER)
        module = importlib.import_module(f"{verify.PACKAGE}.{FOLDER.name}.by_hand_apart")
        self._mission = module.Mission(tomllib.loads((FOLDER / "scenario.toml").read_text()))
        self.tolerance = tolerance

    def fly(self) -> Any:
        """Fly it."""
        return self._mission.fly(*[self.tolerance] * len(LEGS))

    def ends(self) -> Ends:
        """Inertial positions [m] (3,), as of `bimese_ours.Mission.ends`."""
        found = self.fly()
        states = found.ascent[1], found.staging[1], found.insertion[1], found.return_[1]
        return dict(zip(LEGS, (state[:3] for state in states), strict=True))


def ours(tolerance: float) -> Any:
    """The mission by Interstage with a tolerance for all its legs."""
    from .bimese_ours import Mission

    return Mission(FOLDER / "scenario.toml", tolerance)


@cache
def converged(make: Callable[[float], Any]) -> Ends:
    """Where the legs of a code end."""
    return make(TIGHT).ends()


def errors(make: Callable[[float], Any], mission: Any) -> dict[str, float]:
    """Distance [m] from the converged flight at which each leg ends."""
    truth = converged(make)
    return {leg: float(np.linalg.norm(end - truth[leg])) for leg, end in mission.ends().items()}


def loosest(make: Callable[[float], Any]) -> tuple[float, Any, dict[str, float]]:
    """The loosest tolerance from which on all tighter ones keep the accuracy, the mission with it, and its
    errors."""
    found = None
    for tolerance in sorted(TOLERANCES):
        mission = make(tolerance)
        off = errors(make, mission)
        if max(off.values()) > WITHIN:
            break
        found = tolerance, mission, off
    if found is None:
        raise RuntimeError(f"no tolerance keeps {WITHIN:g} m")
    return found


def bimese(repeats: int, clock: Callable[[], float]) -> Iterator[Line]:
    """The mission compared with SciPy, and where its time goes."""
    from .bimese_ours import parts

    (loose, mission, off), (peers, by_hand, theirs) = loosest(ours), loosest(ByHand)
    apart = max(float(np.linalg.norm(end - converged(ByHand)[leg])) for leg, end in converged(ours).items())
    runs = {
        "ours": mission.fly,
        "SciPy": by_hand.fly,
        "ours, same": ours(SAME).fly,
        "SciPy, same": ByHand(SAME).fly,
    }
    for run in runs.values():
        run()
    times = in_turn(runs, repeats, clock)
    told = (
        f"ours {_told(off)} ({loose:.0e}); SciPy {_told(theirs)} ({peers:.0e}); converged {apart:.1g} m apart"
    )
    yield _line(
        "bimese, pad to orbit and back, compared with SciPy", times, "", at_least=FASTER, accuracy=told
    )
    yield _line(f"  both with tolerance {SAME:.0e}", times, ", same")
    some = [parts(mission, clock) for _ in range(repeats)]
    each = {name: statistics.median(one[name] for one in some) for name in some[0]}
    shown = ", ".join(f"{name} {1e3 * value:.1f}" for name, value in each.items())
    yield Line("  ours by leg", f"{1e3 * sum(each.values()):.1f} ms", "", accuracy=f"[ms] {shown}")


def _line(name: str, times: dict[str, list[float]], which: str, **rest: Any) -> Line:
    one, other = times[f"ours{which}"], times[f"SciPy{which}"]
    return Line(name, _milliseconds(one), f"SciPy {_milliseconds(other)}", median_ratio(other, one), **rest)


def _milliseconds(times: list[float]) -> str:
    return f"{1e3 * statistics.median(times):.1f} ms"


def _told(off: dict[str, float]) -> str:
    """The largest error, and where it is."""
    leg = max(off, key=lambda name: off[name])
    return f"{off[leg]:.1g} m ({leg})"
