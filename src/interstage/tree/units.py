"""Conversion of units for input and output. Inside the package, all numbers are in SI and float64.

A field is declared with its SI unit and shape, ``mass: Annotated[Any, si("kg", positive=True)]``. The field
accepts a number (SI) or a text with a unit: ``"622 slug"``, ``"[220.3, 3524.7, 3330.3] slug ft^2"``, ``["1
ft", "2 in", 0.3]``.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from .bare_angles import ANGULAR, note
from .unit_names import (
    FOOT,
    POUND_FORCE,
    UnitError,
    UnknownUnit,
    base_unit,
    compatible,
    near_names,
    parse_unit,
)

EXAMPLES = {
    "kg": "622 slug",
    "m": "5.8 m",
    "s": "10 s",
    "rad": "30 deg",
    "m/s": "20 ft/s",
    "rad/s": "5 deg/s",
    "N": "700 lbf",
    "N m": "12 lbf ft",
    "N/m": "5000 lbf/in",
    "N s/m": "20 lbf s/ft",
    "N m/rad": "3 lbf ft/deg",
    "N m s/rad": "1 N m s/rad",
    "kg m^2": "3524.7 slug ft^2",
    "m/s^2": "1 g_0",
    "m^3/s^2": "398600.4415 km^3/s^2",
    "1/s": "5 1/s",
}


INERTIAS = {
    (3,): "[400, 400, 150] kg m^2",
    (3, 3): "[[400, 0, 0], [0, 400, 0], [0, 0, 150]] kg m^2",
}
"""Examples of inertias for messages, by shape.

A matrix of nine equal numbers, as in the general example, would not be a possible inertia.
"""
PURE_UNITS = ("", "1")
"""Texts that represent the unit of a pure number."""
_NUMBER = re.compile(
    r"\s*([+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?(?:nan|inf(?:inity)?)\b)\s*", re.I
)
MAX_TEXT = 1_000_000
ROUNDING = 1e-12
"""Tolerance for angles outside of an allowed range [rad]."""


def describe(unit: str, shape: tuple = ()) -> str:
    """Return a description of the input that a numeric field accepts: ``kg, for example 1.5 (SI) or "622
    slug"``.
    """
    example = EXAMPLES.get(unit, f"1.5 {unit}")
    number, _, name = example.partition(" ")
    for size in reversed(shape):
        number = f"[{', '.join([number] * (size if isinstance(size, int) else 2))}]"
    example = INERTIAS.get(shape, f"{number} {name}") if unit == "kg m^2" else f"{number} {name}"
    if unit in PURE_UNITS:
        return f"pure numbers, for example {number}" if shape else "a pure number, for example 0.5"
    return f'{unit}, for example "{example}"'


def split_text(text: str, unit: str = "kg") -> tuple[Any, str]:
    """Split a text such as ``"[1, 2] ft"`` into the numbers [1, 2] and the unit "ft".

    `unit`: example of a unit for the error message. Raises `UnitError` for an invalid text.
    """
    if len(text) > MAX_TEXT:
        raise UnitError("the text is too long for a quantity. Give a number and a unit")
    text = text.replace("\N{MINUS SIGN}", "-")
    bracket = text.strip()
    if bracket.startswith("["):
        end = bracket.rfind("]") + 1
        try:
            return json.loads(bracket[:end]), bracket[end:].strip()
        except (ValueError, RecursionError):
            raise UnitError(
                f"'{_short(text)}' is not a list of numbers with a unit, like '[1, 2, 3] m'"
            ) from None
    match = _NUMBER.match(text)
    if match is None:
        like = f"'12 {_usual(unit)}'" if unit not in PURE_UNITS else "12"
        raise UnitError(f"'{_short(text)}' does not begin with a number; write a value like {like}")
    return float(match[1].replace("_", "")), text[match.end() :].strip()


def _short(value: object) -> str:
    text = str(value).strip()
    return text if len(text) <= 40 else text[:37] + "..."


def _usual(unit: str) -> str:
    """Return the unit in which the user most likely meant the numbers. 20 rad, for example, is rarely
    meant."""
    return "deg" if unit == "rad" else unit


def parse_quantity(text: str) -> tuple[Any, str]:
    """Return the number in SI and the SI base units of a text such as ``"1 deg"``. Raises `UnitError` for an
    invalid text.
    """
    number, unit = split_text(text)
    if not unit:
        raise UnitError(
            f"'{_short(text)}' is a text without a unit; write {_short(text)} without quotes (SI), or"
            " name the unit"
        )
    factor, dimension = parse_unit(unit)
    return _scale(number, factor), base_unit(dimension)


def parse_value(value: Any, unit: str, positive: bool = False) -> float:
    """Return a number in the SI unit `unit` from a number or from a text with or without a unit.

    `positive`: true if the number must be above zero. Raises `UnitError` for invalid input.
    """
    if isinstance(value, str):
        number, given = split_text(value, unit)
        value = value if given else number
    return float(si(unit, positive=positive)(value))


def magnitude(value: Any, unit: str, shape: tuple = ()) -> Any:
    """Return a number, a list, or a text with a unit as numbers in the SI unit `unit`. The result is not yet
    an array.

    `shape`: shape of the field, for the message. Raises `UnitError` for invalid input.
    """
    if isinstance(value, str):
        number, given = split_text(value, unit)
        if not given:
            also = "" if unit in PURE_UNITS else f", or with a unit, like '{_short(value)} {_usual(unit)}'"
            raise UnitError(
                f"'{_short(value)}' is a text without a unit; write {_short(value)} without quotes (SI){also}"
            )
        wanted = parse_unit(unit or "1")[1]
        try:
            factor, dimension = parse_unit(given)
        except UnknownUnit as error:
            if error.name != given:  # a factor of a product may have any dimension
                raise
            meant = near_names(given, wanted)
            raise UnitError(f"{error.said}; {meant or f'allowed: {describe(unit, shape)}'}") from None
        if not compatible(dimension, wanted):
            hint = _hint(given, unit) or _capitals(given, wanted)
            raise UnitError(f"'{_short(value)}' is in {given}; allowed: {describe(unit, shape)}{hint}")
        return _scale(number, factor)
    if isinstance(value, (list, tuple)):
        return [
            magnitude(item, unit) if not isinstance(item, (float, int)) else _plain(item) for item in value
        ]
    return _plain(value, unit, shape)


def _plain(value: Any, unit: str = "", shape: tuple = ()) -> Any:
    if isinstance(value, dict) and value and shape == (3,):
        named = " and ".join(f"'{key}'" for key in value)
        raise UnitError(
            f"the value has no component {named}; allowed: x, y, z on the command line, or "
            f"{describe(unit, shape)}"
        )
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.number)):
        shown = str(value).lower() if isinstance(value, bool) else _short(value)
        raise UnitError(f"{shown} is not a number; allowed: {describe(unit, shape)}")
    return value


def _scale(value: Any, factor: float) -> Any:
    if isinstance(value, list):
        return [_scale(item, factor) for item in value]
    return _plain(value) * factor


def _capitals(given: str, wanted: Any) -> str:
    """Return a hint for a unit that fits with other capitals, for example "5 S" for seconds."""
    meant = near_names(given, wanted)
    same = f"'{given.lower()}'" in meant.lower() and meant.startswith("did you mean")
    return f"; {meant}" if same else ""


def _hint(given: str, unit: str) -> str:
    names = set(re.findall(r"[^\W\d]\w*", given))
    if names & {"Hz", "hertz"} and "rad" in unit:
        return ". Hz counts cycles; write angular rates in rev/s, deg/s or rad/s"
    if names & {"g"} and "m/s^2" in unit:
        return ". The unit g is the gram; write g_0 for standard gravity"
    if names & {"lbm", "slug", "kg"} and unit.startswith("N"):
        return ". A force is expected; write lbf for the pound-force"
    if "lbf" in names and unit.startswith("kg"):
        return ". The unit lbf is a force; write lbm for the pound of mass"
    if "rad" in unit and not names & {"rad", "deg"}:
        return ". Write the unit of angle, for example rad or deg"
    return ""


FAR = 256
"""Maximum exponent of two of the components of a direction, which corresponds to about 1e77.

Directions with larger or smaller exponents are scaled, so that products of components neither overflow nor
underflow.
"""


LARGEST = 1e100
"""Maximum magnitude of a number with a unit, in SI. Products of three such numbers do not overflow.

The inverse of the limit is the minimum of a number that must be positive.
"""


@dataclass(frozen=True)
class SI:
    """Marker of a numeric field, with SI unit, shape and allowed range. The function `si` constructs it.

    `shape` contains sizes, or a letter for any size: ``("n", 3)``. `within` is the range of an angle [deg]. A
    field of three pure numbers is a direction, see `scaled_direction`. Arrays from Python may have case axes
    at the end. JAX tracers and other abstract arrays are not checked.
    """

    unit: str
    shape: tuple = ()
    positive: bool = False
    nonnegative: bool = False
    grow: bool = False
    endless: bool = False
    within: tuple[float, float] | None = None

    def __call__(self, value: Any) -> Any:
        """Return the input of the field as a read-only float64 array in SI, with the shape of the field.
        Raises `UnitError` for invalid input.
        """
        if isinstance(value, np.ndarray):
            array = as_floats(value)
        elif hasattr(value, "shape") and hasattr(value, "dtype") and not isinstance(value, np.generic):
            return value  # a JAX array, tracer or abstract array has no value to check
        else:
            try:
                array = as_floats(magnitude(value, self.unit, self.shape))
            except RecursionError:
                raise UnitError("the list has too many nested levels. Remove brackets") from None
            if self.grow and array.ndim == len(self.shape) - 1:
                array = array[None]
            if array.ndim != len(self.shape):
                raise UnitError(self._wrong_shape(array))
        if array.ndim < len(self.shape) or not self._fits(array.shape):
            raise UnitError(self._wrong_shape(array))
        self._check_values(array, value)
        if self.unit == "1" and self.shape in ((3,), ("n", 3)):
            array = scaled_direction(array, len(self.shape) - 1)
        array.flags.writeable = False
        if self.unit in ANGULAR:
            note(array, value)
        return array

    def _fits(self, shape: tuple) -> bool:
        return all(
            not isinstance(want, int) or want == got for want, got in zip(self.shape, shape, strict=False)
        )

    def _wrong_shape(self, array: np.ndarray) -> str:
        want, got = _numbers(self.shape), _numbers(array.shape)
        return f"expected {want}, got {got}; allowed: {describe(self.unit, self.shape)}"

    def _check_values(self, array: np.ndarray, given: Any) -> None:
        finite = np.isfinite(array) | (self.endless & (array == np.inf))
        if not finite.all():
            allowed = describe(self.unit, self.shape)
            raise UnitError(f"{_first(array, ~finite)} is not a finite number; allowed: {allowed}")
        if self.positive and not (array > 0).all():
            raise UnitError(f"{_as_given(given, array, array <= 0, self.unit)} must be more than zero")
        if self.nonnegative and not (array >= 0).all():
            raise UnitError(f"{_as_given(given, array, array < 0, self.unit)} must not be negative")
        self._check_size(array, given)
        if self.within is not None:
            self._check_range(array, given, *self.within)

    def _check_size(self, array: np.ndarray, given: Any) -> None:
        large = (np.abs(array) > LARGEST) & np.isfinite(array) & (self.unit not in PURE_UNITS)
        small = (array < 1 / LARGEST) & self.positive
        for wrong, limit in ((large, f"above {LARGEST:g}"), (small, f"below {1 / LARGEST:g}")):
            if wrong.any():
                shown = _as_given(given, array, wrong, self.unit)
                raise UnitError(
                    f"{shown} is {limit} in SI units, and products of this value are out of range; check"
                    f" the unit of the value"
                )

    def _check_range(self, array: np.ndarray, given: Any, low: float, high: float) -> None:
        """Reject an angle [rad] outside its range [deg]. Most often the user meant degrees."""
        outside = (array < np.radians(low) - ROUNDING) | (array > np.radians(high) + ROUNDING)
        if not outside.any():
            return
        found = float(array[outside].flat[0])
        shown, allowed = _as_given(given, array, outside, self.unit), f"allowed: {low:g} deg to {high:g} deg"
        if shown.endswith(" deg"):
            raise UnitError(f"{shown} is out of range; {allowed}")
        text = f"{shown} is {np.degrees(found):.4g} deg; {allowed}"
        if low <= found <= high and shown == with_unit(found, self.unit):
            text += f'. Angles without a unit are in radians; did you mean "{found:g} deg"?'
        raise UnitError(text)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_plain_validator_function(self)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict:
        return json_schema(self.unit, self.shape)


def scaled_direction(vectors: np.ndarray, axis: int) -> np.ndarray:
    """Return directions that are scaled so that their squares neither overflow nor underflow.

    The components are along `axis`. Directions with components far from 1 are multiplied by a power of two,
    which does not change the direction.
    """
    largest = np.max(np.abs(vectors), axis=axis, keepdims=True)
    exponent = np.frexp(largest)[1]
    far = (np.abs(exponent) > FAR) & (largest > 0)
    return np.ldexp(vectors, np.where(far, -exponent, 0))


def _numbers(shape: tuple) -> str:
    if shape == (1,):
        return "a list of one number"
    return f"{' by '.join(map(str, shape))} numbers" if shape else "one number"


def as_floats(value: Any) -> np.ndarray:
    """Return numbers as a new float64 array. Raises `UnitError` for input that is not numeric."""
    try:
        if isinstance(value, np.ndarray) and value.dtype.kind not in "iuf":
            raise TypeError
        return np.array(value, dtype=np.float64)
    except (ValueError, TypeError, OverflowError):
        raise UnitError(f"{_short(value)} is not a number or a regular list of numbers") from None


def with_unit(number: float, unit: str) -> str:
    """Return a number and its unit as a text. A pure number has no unit."""
    return f"{number:g}" if unit in PURE_UNITS else f"{number:g} {unit}"


def as_written(value: Any, unit: str) -> str:
    """Return a value as the input gave it: a text with its own unit, or numbers followed by `unit`."""
    if isinstance(value, str):
        return _short(value)
    if isinstance(value, (int, float, np.number)) or (isinstance(value, np.ndarray) and not value.ndim):
        return with_unit(float(value), unit)
    return _short(value) if unit in PURE_UNITS else f"{_short(value)} {unit}"


def _as_given(given: Any, array: np.ndarray, wrong: np.ndarray, unit: str) -> str:
    """Return the first wrong number of an array [SI] as given, in the unit of the input."""
    at = np.argwhere(wrong)[0]
    own = given
    for index in at:
        if not isinstance(own, (list, tuple)):
            break
        own = own[index]
    if not isinstance(own, str):
        return with_unit(float(array[tuple(at)]), unit)
    numbers, name = split_text(own)
    number = np.asarray(numbers, float)
    return f"{float(number[tuple(at[len(at) - number.ndim :])]):g} {name}"


def _first(array: np.ndarray, wrong: np.ndarray) -> str:
    return f"{float(array[wrong].flat[0]) if array.ndim else float(array):g}"


def si(
    unit: str,
    shape: tuple = (),
    *,
    positive: bool = False,
    nonnegative: bool = False,
    grow: bool = False,
    endless: bool = False,
    within: tuple[float, float] | None = None,
) -> SI:
    """Return the marker of a numeric field: ``mass: Annotated[Any, si("kg", positive=True)]``.

    - unit, shape: SI unit and shape.
    - positive, nonnegative: true if the numbers must be above zero, or not below zero.
    - grow: true if a single number is accepted as a list with one number.
    - endless: true if a number may be infinite.
    - within: range of an angle [deg].
    """
    return SI(unit, shape, positive, nonnegative, grow, endless, within)


def json_schema(unit: str, shape: tuple = ()) -> dict:
    """Return the JSON Schema of a numeric field: a number or list, or a text with a unit."""
    number: dict = {"type": "number"}
    item: dict = {"type": ["number", "string"]}
    for size in reversed(shape):
        sizes = {"minItems": size, "maxItems": size} if isinstance(size, int) else {"minItems": 1}
        number = {"type": "array", "items": item, **sizes}
        item = number
    text = (
        {"type": "string", "examples": [describe(unit, shape).split('"')[1]]}
        if unit not in PURE_UNITS
        else None
    )
    schema = {"anyOf": [number, text]} if text else number
    return {**schema, "unit": unit or "1"}


_DISPLAY = {
    "SI": {
        "rad": (180 / math.pi, "deg"),
        "rad/s": (180 / math.pi, "deg/s"),
        "rad/s^2": (180 / math.pi, "deg/s^2"),
    },
    "US": {
        "m": (1 / FOOT, "ft"),
        "m/s": (1 / FOOT, "ft/s"),
        "m/s^2": (1 / FOOT, "ft/s^2"),
        "kg": (FOOT / POUND_FORCE, "slug"),
        "kg m^2": (1 / (POUND_FORCE * FOOT), "slug ft^2"),
        "N": (1 / POUND_FORCE, "lbf"),
        "N m": (1 / (POUND_FORCE * FOOT), "ft lbf"),
        "J": (1 / (POUND_FORCE * FOOT), "ft lbf"),
        "N/m": (FOOT / POUND_FORCE, "lbf/ft"),
        "Pa": (FOOT**2 / POUND_FORCE, "psf"),
        "kg m/s": (1 / POUND_FORCE, "slug ft/s"),
        "N s": (1 / POUND_FORCE, "lbf s"),
        "kg m^2/s": (1 / (POUND_FORCE * FOOT), "slug ft^2/s"),
        "N m s": (1 / (POUND_FORCE * FOOT), "ft lbf s"),
    },
}
SYSTEMS = tuple(_DISPLAY)
"""Names of the unit systems for output."""


def display(unit_si: str, system: str = "SI") -> tuple[float, str]:
    """Return the factor and the label of the display unit for numbers in `unit_si`. Angles are displayed in
    degrees.
    """
    table = _DISPLAY["SI"] | _DISPLAY.get(system, {})
    return table.get(unit_si, (1.0, unit_si))


def in_units(text: str, system: str = "SI") -> str:
    """Return a sentence in which SI numbers are converted to display units: "2 m" becomes "6.562 ft".

    Numbers in quotes, and sentences that mention SI, are unchanged.
    """
    table = _DISPLAY[system] if system != "SI" else {}
    if not table or re.search(r"\bSI\b", text):
        return text
    names = "|".join(re.escape(unit) for unit in sorted(table, key=len, reverse=True))

    def show(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0]
        factor, unit = table[match[2]]
        return f"{float(match[1]) * factor:.4g} {unit}"

    return re.sub(rf'"[^"]*"|(?<![\w.])(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?) ({names})(?![\w/^])', show, text)
