"""Capabilities of each formulation, and its expected agreement with other formulations."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

from .contract import Formulation


@dataclass(frozen=True)
class Entry:
    """Capabilities of one formulation.

    - source: publication.
    - loops: true if joints may form closed loops.
    - redundancy: true if constraints may be redundant.
    - nonholonomic: true if rows may constrain only velocities.
    - driven: true if axes may have a prescribed motion.
    - topology: true if joints may be released, replaced or attached.
    - changing_mass: true if masses may change.
    - yielding: true if joints may be at points that move in flexible bodies.
    - agreement: "algebraic" if results agree with other formulations to rounding; "convergent" if they
      converge to these results.
    - parameter: quantity that goes to zero for convergence. order: order of convergence. note: exceptions.
    - shares: true if redundant constraints share loads by the declared rule; false if by stiffnesses of the
      formulation.
    """

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
"""Capabilities of the formulations by their kind."""


def uses_library(choice: Any) -> bool:
    """Return whether a formulation with the options `choice` calls linear algebra that a single CPU kernel
    does not support.
    """
    dense = getattr(choice, "road", "") == "numerical" or getattr(choice, "form", "reduced") != "reduced"
    return choice.kind == "null_space" and dense


def equations(kind: str) -> Formulation:
    """Return the function that computes accelerations and multipliers of a formulation."""
    return import_module(f".{kind}", __package__).solve
