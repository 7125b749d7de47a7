"""Steps of the formulations that step by themselves: multipliers are part of the state there, in its tail.

Each module has `tail(layout)`, the length of the tail, which begins with the multipliers of all rows;
`advance(mechanism, t, t_end, x, slope, discrete)`, one step (`stepper.problem.Hybrid`); `statistics(layout,
x)`, what a flight that has come to state x (n,) says of itself; and `why_not_finite(solver)`, a sentence for
one that ended without finite accelerations.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def own_steps(kind: str) -> Any:
    """The module of a formulation that steps by itself."""
    return import_module(f".{kind}", __package__)
