"""Solvers of nonlinear programs by name. Each solver is imported when it is first used."""

from __future__ import annotations

import importlib
import importlib.util

from .contract import Solve

MODULES = {"slsqp": "slsqp", "filter_sqp": "uno", "interior_point": "uno"}
NEEDS = {"uno": "unopy"}
"""Optional package that each solver module needs, by module name."""
NAMES = {
    "slsqp": "SLSQP (SciPy)",
    "filter_sqp": "filter SQP (Uno)",
    "interior_point": "interior point (Uno)",
}


def missing(kind: str | None) -> str:
    """Return the reason why a solver is not available, or an empty text. kind: name of the solver."""
    package = NEEDS.get(MODULES.get(kind or "", ""))
    if package is None or importlib.util.find_spec(package) is not None:
        return ""
    text = f"the solver {kind} needs the package {package}, which is not installed"
    return f'{text}. Run pip install "interstage[optimize]"'


def solver(kind: str) -> Solve:
    """Return the function of a solver. kind: name of the solver."""
    module = importlib.import_module(f".{MODULES[kind]}", __name__)
    return getattr(module, kind)
