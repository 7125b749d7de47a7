"""Capabilities of each formulation, and the kind of its agreement with the others."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

from .contract import Formulation


@dataclass(frozen=True)
class Entry:
    """What one formulation admits.

    `loops`: joints that form loops. `redundancy`: rows that repeat each other. `nonholonomic`: rows that
    restrict velocities only. `driven`: axes that move as prescribed. `topology`: joints that are released,
    replaced or attached. `yielding`: joints at points that move within their bodies. `agreement`: algebraic
    methods give the accelerations of the others up to rounding, convergent ones approach them. `parameter` is
    the quantity that goes to zero, and `order` the order of convergence; `note` states exceptions. `shares`:
    whether loads that rigid bodies do not determine are shared by the declared rule; if not, they come from
    stiffnesses of its own. `source`: where it was published.
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
"""The formulations by kind."""


def uses_library(choice: Any) -> bool:
    """Whether a formulation, with its options, calls linear algebra that one kernel of the CPU cannot
    hold."""
    dense = getattr(choice, "road", "") == "numerical" or getattr(choice, "form", "reduced") != "reduced"
    return choice.kind == "null_space" and dense


def equations(kind: str) -> Formulation:
    """The accelerations and multipliers of a formulation; only the module that is asked for is imported."""
    return import_module(f".{kind}", __package__).solve
