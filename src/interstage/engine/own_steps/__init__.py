"""Integration steps of formulations with their own steps. The multipliers are part of the state, in its tail.

Each module has four functions:

- `tail(layout)` returns the length of the tail, which begins with the multipliers of all rows.
- `advance(mechanism, t, t_end, x, slope, discrete)` makes one step (`stepper.problem.SelfStepping`).
- `statistics(layout, x)` returns statistics of a flight up to the state x (n,).
- `why_not_finite(solver)` returns a sentence for the message of a flight that ended without finite
  accelerations.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def own_steps(kind: str) -> Any:
    """Return the module with the steps of a formulation, by its kind."""
    return import_module(f".{kind}", __package__)
