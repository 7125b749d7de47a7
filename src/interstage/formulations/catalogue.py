"""Capabilities of each formulation, and its agreement with other formulations."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

from .contract import Formulation


@dataclass(frozen=True)
class Entry:
    """Capabilities of one formulation.

    - loops: joints may form closed loops. redundancy: constraints may be redundant. nonholonomic: rows may
      restrict only velocities
    - driven: axes may have prescribed motion. topology: joints may be released, replaced or attached
    - yielding: joints may be at points that move in their bodies
    - agreement: "algebraic" formulations agree with others to rounding; "convergent" formulations approach
      them
    - parameter: quantity that goes to zero for convergence. order: order of convergence. note: exceptions
    - shares: whether loads of redundant constraints follow the declared rule; otherwise they follow from own
      stiffnesses
    - source: publication"""

    source: str
    loops: bool = True
    redundancy: bool = True
    nonholonomic: bool = True
    driven: bool = True
    topology: bool = True
    changing_mass: bool = True
    yielding: bool = True
    agreement: Literal["algebraic", "convergent"] = "algebraic"
    parameter: str = ""
    order: int | None = None
    note: str = ""
    shares: bool = True


ENTRIES = {
    "lagrange_multiplier": Entry("NASA/TP-2016-219326, Method II"),
    "constraint_force": Entry("NASA/TP-2016-219326, Method I", redundancy=False),
    "null_space": Entry("AIAA 2011-6277", yielding=False),
    "coordinate_partitioning": Entry("CU-CSSC-90-07, section III.A"),
    "penalty": Entry(
        "CU-CSSC-90-07, section III.C", agreement="convergent", parameter="1/stiffness", order=1, shares=False
    ),
    "regularized": Entry(
        "DLR release devices, bushing", agreement="convergent", parameter="1/stiffness", order=1, shares=False
    ),
    "composite": Entry("DLR release devices, stop and restart", changing_mass=False, yielding=False),
    "staggered": Entry(
        "CU-CSSC-90-07, sections III.D to V",
        yielding=False,
        agreement="convergent",
        parameter="step",
        order=2,
        note='1 with `level = "velocity"`',
    ),
    "simultaneous": Entry(
        "CU-CSSC-90-07, eqs 8-13",
        yielding=False,
        agreement="convergent",
        parameter="step",
        order=2,
    ),
}
"""Capabilities of the formulations by kind."""


def uses_library(choice: Any) -> bool:
    """Return whether a formulation with its options calls linear algebra that one kernel of a CPU does not
    support."""
    dense = getattr(choice, "road", "") == "numerical" or getattr(choice, "form", "reduced") != "reduced"
    return choice.kind == "null_space" and dense


def equations(kind: str) -> Formulation:
    """Return the function that computes accelerations and multipliers of a formulation."""
    return import_module(f".{kind}", __package__).solve
