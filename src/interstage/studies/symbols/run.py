"""Implement `interstage symbols`: derive H2, M22 and N22 of a scenario, and compare them with the numerical
equations.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from ...runs.run import resolve_scenario
from ...tree.errors import BadInput, Problem
from ...tree.sentences import count_text
from .algebra import TooLarge
from .beside import ALIKE, largest_difference
from .equations import Equations
from .machine import machine
from .numbers import draw_states
from .result import Symbols


def symbols(scenario: Any) -> Symbols:
    """Return the symbolic equations of motion of a scenario at its start.

    Raises BadInput if SymPy is missing or the scenario is not supported. Not supported are closed loops,
    driven or rolling joints, rods, moving masses, and systems that are too large.
    """
    if find_spec("sympy") is None:
        raise BadInput(
            "symbolic equations need the package SymPy, which is not installed. Run pip install"
            " 'interstage[symbols]'"
        )
    scenario = resolve_scenario(scenario)
    read = machine(scenario)
    if not read.rates:
        raise BadInput(
            Problem(
                "joints",
                "no body can move, but symbolic equations need a degree of freedom. Release a joint",
            )
        )
    try:
        equations = Equations(read)
        found = largest_difference(equations, draw_states(scenario, equations))
    except TooLarge:
        sizes = f"{count_text(len(read.hung), 'bodies')} and {count_text(len(read.rates), 'rates')}"
        text = (
            f"{sizes} give too many terms. Remove bodies or degrees of freedom, or use interstage linearize"
        )
        raise BadInput(Problem("bodies", text)) from None
    wrong = [f"{name} by {value:.2g}" for name, value in found.items() if not value <= ALIKE]
    if wrong:
        text = (
            "the symbolic equations differ from the numerical equations (relative errors:"
            f" {', '.join(wrong)})"
        )
        text = f"{text}. Report this scenario to the authors of Interstage"
        raise BadInput(Problem("joints", text))
    return Symbols(scenario, equations, max(found.values()))
