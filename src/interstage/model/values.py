"""Numbers whose unit depends on a quantity, for triggers and requirements, and tables of user parameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from pydantic import ConfigDict, model_validator

from ..tree.bare_angles import note
from ..tree.declaration import Declaration
from ..tree.errors import BadInput, Problem, Refused, Written
from ..tree.similar_names import near
from ..tree.unit_names import usual_unit
from ..tree.units import PURE_UNITS, UnitError, as_floats, describe, display, parse_quantity, si


class Value(Declaration):
    """A number whose unit depends on a quantity, for a trigger or a requirement.

    A text with a unit, ``"1 deg"``, is converted to SI base units. A number without a unit is in the SI unit
    of the quantity.
    """

    magnitude: Annotated[Any, si("1")]
    """The number, in SI."""
    unit: str | None = None
    """SI base units of the number, like "m s^-1"; None for a number without a unit."""

    @model_validator(mode="wrap")
    @classmethod
    def _from_text(cls, value: Any, handler: Any) -> Any:
        if isinstance(value, (cls, dict)):
            return handler(value)
        number, unit = parse_quantity(value) if isinstance(value, str) else (value, None)
        found = handler({"magnitude": si("1")(number), "unit": unit})
        note(found.magnitude, value)
        return found

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: Any) -> dict:
        table = handler(core_schema)
        return {"anyOf": [{"type": "number"}, {"type": "string", "examples": ["1 deg"]}, table]}

    def written(self) -> Any:
        """Return the number, or a text with the number and its unit."""
        number = float(self.magnitude)
        return f"{number!r} {self.unit}" if self.unit else number

    def __str__(self) -> str:
        factor, unit = display(usual_unit(self.unit)) if self.unit else (1.0, "")
        return f"{float(self.magnitude) * factor:g} {unit}".strip()


def check_order(place: str, low: Any, high: Any, lower: str = "lower", upper: str = "upper") -> None:
    """Check that all values of the key `lower` are below the values of the key `upper`.

    `low`, `high`: values of the two keys. `place`: key that is reported. Raises Refused if the order is
    wrong.
    """
    if not (isinstance(low, np.ndarray) and isinstance(high, np.ndarray)) or (low < high).all():
        return
    if (low > high).any():
        other, beyond = (upper, "more") if place == lower else (lower, "less")
        text = f"{{{place}}} is {beyond} than {other}, {{{other}}}. Exchange the two values"
    else:
        text = f"{{{place}}} is equal to {upper if place == lower else lower}. Change one of the two values"
    raise Refused((place, Written(text)))


def not_comparable(value: Value, quantity: str, unit: str) -> str:
    """Return the message for a value whose unit differs from the unit of its quantity."""
    which = "a pure number" if unit in PURE_UNITS else f"in {unit}"
    return f"{value} cannot be compared with {quantity}, which is {which}. Allowed: {describe(unit)}"


class Parameters(Declaration):
    """Table of parameters for a user's class.

    Numbers and lists of numbers can differ between cases. Texts and flags are the same in all cases.
    """

    model_config = ConfigDict(extra="allow")

    @model_validator(mode="after")
    def _leaves(self) -> Parameters:
        extra = self.__pydantic_extra__ or {}
        for name, value in extra.items():
            if not isinstance(value, (str, bool)):
                extra[name] = _leaf(name, value)
        return self

    def __getitem__(self, name: str) -> Any:
        extra = self.__pydantic_extra__ or {}
        if name not in extra:
            raise BadInput(Problem(name, f"there is no such parameter; {near(name, extra)}"))
        return extra[name]

    def keys(self) -> Iterator[str]:
        """Return the names of the parameters in the order of the scenario."""
        return iter(self.__pydantic_extra__ or {})


def _leaf(name: str, value: Any) -> Any:
    if hasattr(value, "shape") and not isinstance(value, (np.ndarray, np.generic)):
        return value  # a JAX array or tracer
    try:
        array = as_floats(value)
    except UnitError as error:
        raise Refused(
            (
                name,
                f"{error}. Give a number, a list of numbers with rows of equal length, a text, true or false",
            )
        ) from None
    if not np.isfinite(array).all():
        raise Refused((name, "the value contains a number that is not finite. Give finite numbers"))
    array.flags.writeable = False
    return array


if TYPE_CHECKING:
    AnyQuantity = Any
else:
    AnyQuantity = Value
"""Type of a field with a `Value`, which accepts a number or a text."""
