"""Values of a scenario that are read before the declaration is built."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...tree.errors import Refused


def in_si(field: str, given: Any, unit: str, shape: tuple = (), **signs: Any) -> Any:
    """Return a value of a declaration in SI, before the declaration exists."""
    from ...tree.unit_names import UnitError
    from ...tree.units import si

    try:
        return si(unit, shape, **signs)(given)
    except UnitError as error:
        raise Refused((field, str(error))) from None


def place_of(at: Any) -> Any:
    """Return the position of a point [m], or None if it is invalid. The declaration then reports the
    fault."""
    from ...tree.unit_names import UnitError
    from ...tree.units import si

    try:
        return si("m", (3,))(at)
    except UnitError:
        return None


def some(numbers: Iterable[int]) -> str:
    """Return the first and the last of several numbers, as text."""
    shown = sorted(numbers)
    return ", ".join(map(str, shown[:8])) + (f" ... {shown[-1]}" if len(shown) > 8 else "")
