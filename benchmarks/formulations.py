"""Time per step of every algebraic formulation compared with the default's, on the case of two boxes.

The report's settings (`case`), but 1 s of it: what all have in common, loads, rows, and the stepping itself,
counts for each. The dense ones, which solve for all unknowns at once, are for checking: no target.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interstage.runs import run as simulate

from . import case, ours
from .lines import Line
from .timing import in_turn, median_ratio

DURATION = 1.0
"""Time flown [s]."""
STEPS = round(DURATION / case.STEP)
BOUND = 3.0
"""Times of the default that an algebraic formulation may take, unless it is a dense one."""
DEFAULT = "lagrange_multiplier"
SPARSE: dict[str, Any] = {
    "null_space": "null_space",
    "null_space, minimal": {"kind": "null_space", "coordinates": "minimal"},
    "coordinate_partitioning": "coordinate_partitioning",
    "composite": "composite",
}
DENSE: dict[str, Any] = {
    "constraint_force, 18": "constraint_force",
    "constraint_force, 24": {"kind": "constraint_force", "unknowns": 24},
    "null_space, implicit 1": {"kind": "null_space", "form": "implicit_1"},
    "null_space, implicit 2": {"kind": "null_space", "form": "implicit_2"},
    "null_space, numerical": {"kind": "null_space", "road": "numerical"},
}


def prepare(formulation: Any) -> Callable[[], NDArray[np.float64]]:
    """A compiled flight: each call returns the states (2, 13) at the end."""
    changes = {"solver__formulation": formulation, "phases__joined__until__time": f"{DURATION} s"}
    prepared = simulate.prepare(ours.scenario(**changes))

    def fly() -> NDArray[np.float64]:
        return ours.as_states(np.asarray(prepared.fly()[2].x)[:, None])[0]

    fly()
    return fly


def formulations(repeats: int, clock: Callable[[], float]) -> Iterator[Line]:
    """One line for each, as a ratio to the default."""
    ways = {DEFAULT: DEFAULT, **SPARSE, **DENSE}
    runs = {name: prepare(formulation) for name, formulation in ways.items()}
    ends = {name: run()[0, :3] for name, run in runs.items()}
    times = in_turn(runs, repeats, clock)

    def shown(name: str) -> str:
        return f"{1e6 * statistics.median(times[name]) / STEPS:.3g} us"

    for name in (*SPARSE, *DENSE):
        off = float(np.linalg.norm(ends[name] - ends[DEFAULT])) / case.FOOT
        yield Line(
            f"a step, {name}",
            shown(name),
            f"default {shown(DEFAULT)}",
            median_ratio(times[name], times[DEFAULT]),
            at_most=BOUND if name in SPARSE else None,
            accuracy=f"Box 1 at {DURATION:g} s {off:.0e} ft from the default's",
        )
