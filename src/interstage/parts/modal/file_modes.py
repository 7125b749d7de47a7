"""Modes read from a file, and values of a scenario that are read before the declaration is built."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from ...tree.errors import Refused


class Modes(NamedTuple):
    """Contents of a file of modes.

    Numbers of the modes; angular frequencies [rad/s], generalized masses [kg] and damping ratios (mode), None
    if the file has none; points as tables of `declared.ModalPoint`, with shape and turn (mode, 3)."""

    number: list[int]
    frequency: np.ndarray
    mass: np.ndarray | None
    damping: np.ndarray | None
    points: list[dict[str, Any]]


def in_si(field: str, given: Any, unit: str, shape: tuple = (), **signs: Any) -> Any:
    """A value of a declaration in SI, read before the declaration is built."""
    from ...tree.unit_names import UnitError
    from ...tree.units import si

    try:
        return si(unit, shape, **signs)(given)
    except UnitError as error:
        raise Refused((field, str(error))) from None


def place_of(at: Any) -> Any:
    """Position of a point [m], or None if invalid; the declaration reports the fault."""
    from ...tree.unit_names import UnitError
    from ...tree.units import si

    try:
        return si("m", (3,))(at)
    except UnitError:
        return None


def some(numbers: Iterable[int]) -> str:
    """The first and the last of several numbers, as text."""
    shown = sorted(numbers)
    return ", ".join(map(str, shown[:8])) + (f" ... {shown[-1]}" if len(shown) > 8 else "")
