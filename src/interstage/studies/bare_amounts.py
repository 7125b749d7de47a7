"""Warnings about angles without a unit in studies. The angles are input values, bounds of inputs, or limits
of quantities.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ..diagnosis.bare_angles import Bare, sentences
from ..programs.targets import targets_of
from ..tree.bare_angles import ANGULAR, is_bare
from ..tree.errors import BadInput
from .asked import unit_of

AMOUNTS = ("values", "low", "high", "delta", "start", "scale")
"""Keys of variations and variables that contain input values."""


def warnings(scenario: Any, inputs: Iterable[Any], constraints: Iterable[Any] = ()) -> list[str]:
    """Return warnings about angles and angular rates without a unit.

    Angles without a unit are read in radians, but the user may mean degrees.

    - inputs: variations of a sweep or variables of an optimization.
    - constraints: constraints of an optimization.
    """
    found = [bare for one in inputs for bare in _of_input(scenario, one)]
    found += [bare for one in constraints for bare in _of_constraint(scenario, one)]
    return [*sentences(found)]


def _of_input(scenario: Any, one: Any) -> Iterator[Bare]:
    amounts = [getattr(one, key, None) for key in AMOUNTS]
    bare = [amount for amount in amounts if is_bare(amount)]
    units = _units(scenario, one) if bare else set()
    if len(units) == 1 and (unit := units.pop()) in ANGULAR:
        yield Bare(one.place, [number for amount in bare for number in _numbers(amount)], unit)


def _units(scenario: Any, one: Any) -> set[str]:
    """SI units of an input; empty if a path does not exist, which the study reports."""
    try:
        targets = [target for path in one.paths for target in targets_of(scenario, path.strip(), one.place)]
    except BadInput:
        return set()
    return {target.marker.unit for target in targets}


def _numbers(amount: Any) -> list[float]:
    """Numbers without a unit in a value."""
    if isinstance(amount, (list, tuple)):
        return [number for item in amount for number in _numbers(item)]
    return [float(amount)] if isinstance(amount, (int, float)) else []


def _of_constraint(scenario: Any, one: Any) -> Iterator[Bare]:
    limits = {**one.limits, **({} if one.tolerance is None else {"tolerance": one.tolerance})}
    for key, value in limits.items():
        if value.unit is not None or not np.any(value.magnitude):
            continue
        try:
            unit = unit_of(scenario, one.quantity)
        except (BadInput, KeyError):
            continue
        if unit in ANGULAR:
            yield Bare(f"{one.place}.{key}", value.magnitude, unit)
