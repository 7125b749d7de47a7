"""Modes as a file has them, and what of a scenario is read before its declaration is made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from ...tree.errors import Refused


class Modes(NamedTuple):
    """What a file holds: numbers of its modes, angular frequencies [rad/s], generalized masses [kg] and
    damping ratios (mode), None where it says nothing of them, and points as tables of `declared.ModalPoint`,
    with shape and turn (mode, 3)."""

    number: list[int]
    frequency: np.ndarray
    mass: np.ndarray | None
    damping: np.ndarray | None
    points: list[dict[str, Any]]


def in_si(field: str, given: Any, unit: str, shape: tuple = (), **signs: Any) -> Any:
    """A number of a table that is read before the others."""
    from ...tree.unit_names import UnitError
    from ...tree.units import si

    try:
        return si(unit, shape, **signs)(given)
    except UnitError as error:
        raise Refused((field, str(error))) from None


def place_of(at: Any) -> Any:
    """Where a point is [m], None where that is no place: to be refused elsewhere."""
    from ...tree.unit_names import UnitError
    from ...tree.units import si

    try:
        return si("m", (3,))(at)
    except UnitError:
        return None


def some(numbers: Iterable[int]) -> str:
    """The first of several numbers, and the last one."""
    shown = sorted(numbers)
    return ", ".join(map(str, shown[:8])) + (f" ... {shown[-1]}" if len(shown) > 8 else "")
