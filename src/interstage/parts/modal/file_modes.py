"""Functions that read fields of a `ModalBody` before the declaration is built."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...tree.errors import Refused


def in_si(field: str, given: Any, unit: str, shape: tuple = (), **signs: Any) -> Any:
    """Return a value in SI units, before the declaration is built.

    - field: name of the field, for messages.
    - given: value as written in the scenario.
    - unit, shape, signs: unit, shape and sign conditions, as for `tree.units.si`.

    Raises Refused for an invalid value.
    """
    from ...tree.unit_names import UnitError
    from ...tree.units import si

    try:
        return si(unit, shape, **signs)(given)
    except UnitError as error:
        raise Refused((field, str(error))) from None


def place_of(at: Any) -> Any:
    """Return the position of a point [m] (3,). Return None for an invalid position, which the declaration
    reports later.

    `at`: position as written in the scenario.
    """
    from ...tree.unit_names import UnitError
    from ...tree.units import si

    try:
        return si("m", (3,))(at)
    except UnitError:
        return None


def some(numbers: Iterable[int]) -> str:
    """Return a text with the first eight numbers in increasing order, and with the last number."""
    shown = sorted(numbers)
    return ", ".join(map(str, shown[:8])) + (f" ... {shown[-1]}" if len(shown) > 8 else "")
