"""Units, at the border only: inside, every number is SI and float64.

A field is declared with its SI unit and shape, ``mass: Annotated[Any, si("kg", positive=True)]``, and then takes a
number (SI) or a text with a unit: ``"622 slug"``, ``"[220.3, 3524.7, 3330.3] slug ft^2"``, ``["1 ft", "2 in", 0.3]``.

Unit names in daily use are in a table of exact factors here (NIST SP 811, Appendix B); any other name is looked up in pint, which
is only imported then. Angles count as a dimension of their own, so that "2 Hz" is refused for an angular rate.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from .errors import near

BASES = ("kg", "m", "s", "rad", "K", "A", "mol", "cd")
Dimension = tuple[float, ...]
"""Exponents of `BASES`."""

FOOT, POUND, GRAVITY = 0.3048, 0.45359237, 9.80665
POUND_FORCE = POUND * GRAVITY
TURN = 2 * math.pi


def _dimension(kg: float = 0, m: float = 0, s: float = 0, rad: float = 0) -> Dimension:
    return (float(kg), float(m), float(s), float(rad), 0.0, 0.0, 0.0, 0.0)


_MASS, _LENGTH, _TIME, _ANGLE = _dimension(1), _dimension(0, 1), _dimension(0, 0, 1), _dimension(rad=1)
_FORCE, _RATE, _SPEED = _dimension(1, 1, -2), _dimension(s=-1, rad=1), _dimension(0, 1, -1)
_ENERGY, _POWER, _PRESSURE = _dimension(1, 2, -2), _dimension(1, 2, -3), _dimension(1, -1, -2)

UNITS: dict[str, tuple[float, Dimension]] = {
    **dict.fromkeys(("kg", "kilogram", "kilograms"), (1.0, _MASS)),
    **dict.fromkeys(("g", "gram", "grams"), (1e-3, _MASS)),
    **dict.fromkeys(("t", "tonne", "tonnes"), (1000.0, _MASS)),
    **dict.fromkeys(("lbm", "pound_mass"), (POUND, _MASS)),
    **dict.fromkeys(("slug", "slugs"), (POUND_FORCE / FOOT, _MASS)),
    **dict.fromkeys(("m", "meter", "meters", "metre", "metres"), (1.0, _LENGTH)),
    "cm": (1e-2, _LENGTH),
    "mm": (1e-3, _LENGTH),
    "km": (1000.0, _LENGTH),
    **dict.fromkeys(("ft", "foot", "feet"), (FOOT, _LENGTH)),
    **dict.fromkeys(("in", "inch", "inches"), (0.0254, _LENGTH)),
    "nmi": (1852.0, _LENGTH),
    **dict.fromkeys(("s", "sec", "second", "seconds"), (1.0, _TIME)),
    "ms": (1e-3, _TIME),
    **dict.fromkeys(("min", "minute", "minutes"), (60.0, _TIME)),
    **dict.fromkeys(("h", "hr", "hour", "hours"), (3600.0, _TIME)),
    **dict.fromkeys(("d", "day", "days"), (86400.0, _TIME)),
    **dict.fromkeys(("rad", "radian", "radians"), (1.0, _ANGLE)),
    "mrad": (1e-3, _ANGLE),
    **dict.fromkeys(("deg", "degree", "degrees", "°"), (math.pi / 180, _ANGLE)),
    **dict.fromkeys(("arcmin",), (math.pi / 10800, _ANGLE)),
    **dict.fromkeys(("arcsec",), (math.pi / 648000, _ANGLE)),
    **dict.fromkeys(("rev", "turn", "cycle", "revolution", "revolutions"), (TURN, _ANGLE)),
    "rpm": (TURN / 60, _RATE),
    "Hz": (1.0, _dimension(s=-1)),
    **dict.fromkeys(("N", "newton", "newtons"), (1.0, _FORCE)),
    "kN": (1e3, _FORCE),
    "MN": (1e6, _FORCE),
    "lbf": (POUND_FORCE, _FORCE),
    **dict.fromkeys(("klbf", "kip"), (1000 * POUND_FORCE, _FORCE)),
    **dict.fromkeys(("knot", "kt"), (1852 / 3600, _SPEED)),
    **dict.fromkeys(("J", "joule"), (1.0, _ENERGY)),
    "kJ": (1e3, _ENERGY),
    **dict.fromkeys(("W", "watt"), (1.0, _POWER)),
    "kW": (1e3, _POWER),
    **dict.fromkeys(("Pa", "pascal"), (1.0, _PRESSURE)),
    "kPa": (1e3, _PRESSURE),
    "MPa": (1e6, _PRESSURE),
    "psi": (POUND_FORCE / 0.0254**2, _PRESSURE),
    "psf": (POUND_FORCE / FOOT**2, _PRESSURE),
    "g_0": (GRAVITY, _dimension(0, 1, -2)),
}
"""Unit name -> (factor to SI, dimension). pint writes the foot as 0.30479999999999996 m; here it is exact."""

AMBIGUOUS = {
    **dict.fromkeys(("lb", "lbs", "pound", "pounds", "klb", "klbs"), "lbf or lbm? Write lbf (force), lbm or slug (mass)"),
    **dict.fromkeys(("ton", "tons"), "which ton? Write t (1000 kg), short_ton or long_ton"),
    **dict.fromkeys(("oz", "ounce"), "force or mass? Write lbf, or lbm, g or kg"),
}

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


class UnitError(ValueError):
    """A text could not be read as a quantity; the message says why and what is allowed."""


_TOKEN = re.compile(r"\s*(?:(?P<name>[^\W\d]\w*|°|%)|(?P<power>\^|\*\*)\s*(?P<exponent>[+-]?\d{1,2}(?:\.\d{1,4})?)"
                    r"|(?P<one>1(?![\d.]))|(?P<mark>[*·/()]))")  # fmt: skip
_NUMBER = re.compile(r"\s*([+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?(?:nan|inf(?:inity)?)\b)\s*", re.I)
MAX_TEXT = 1_000_000


@lru_cache(maxsize=1)
def _pint_registry() -> Any:
    import pint

    return pint.UnitRegistry()


@lru_cache(maxsize=256)
def _unit_name(name: str) -> tuple[float, Dimension]:
    """One unit name as (factor, dimension); names outside `UNITS` are looked up in pint."""
    if name in AMBIGUOUS:
        raise UnitError(f"unit '{name}': {AMBIGUOUS[name]}")
    if name in UNITS:
        return UNITS[name]
    registry = _pint_registry()
    try:
        unit = registry.Quantity(1.0, registry.parse_units(name)).to_root_units()
    except Exception:  # pint raises many kinds for a name that it does not know
        raise UnitError(f"unknown unit '{name}'; {near(name, UNITS)}") from None
    names = {"kilogram": "kg", "gram": "kg", "meter": "m", "second": "s", "radian": "rad", "kelvin": "K"} | {
        "ampere": "A", "mole": "mol", "candela": "cd"}  # fmt: skip
    powers = dict.fromkeys(BASES, 0.0)
    factor = float(unit.magnitude)
    for base, power in unit.unit_items():
        if base not in names:
            raise UnitError(f"unit '{name}' is not a mechanical one; {near(name, UNITS)}")
        powers[names[base]] = float(power)
        if base == "gram":
            factor *= 1e-3 ** float(power)
    return factor, tuple(powers[b] for b in BASES)


@lru_cache(maxsize=1024)
def parse_unit(text: str) -> tuple[float, Dimension]:
    """``"slug ft^2"`` -> (factor to SI, dimension). Products by space, ``*`` or ``-`` (ft-lbf); ``/`` divides by the
    next factor only, as in ``N m/s``; parentheses group. Raises `UnitError`."""
    if len(text) > 100:
        raise UnitError(f"unit '{text[:20]}...' is too long")
    spaced = re.sub(r"(?<=[^\W\d_])-(?=[^\W\d_])", "*", text)
    tokens, position = [], 0
    while spaced[position:].strip():
        match = _TOKEN.match(spaced, position)
        if match is None:
            raise UnitError(f"cannot read the unit '{text}' at '{spaced[position:].strip()[:12]}'; write it like 'slug ft^2'"
                            " or 'm/s^2'")  # fmt: skip
        tokens.append(match)
        position = match.end()
    factor, dimension, rest = _product(tokens, text)
    if rest:
        raise UnitError(f"unit '{text}': a parenthesis has no partner")
    return factor, dimension


def _product(tokens: list[re.Match[str]], text: str) -> tuple[float, Dimension, list[re.Match[str]]]:
    """The product of factors up to the end or a closing parenthesis, and the tokens left."""
    total, powers, sign, wants = 1.0, (0.0,) * len(BASES), 1, True
    while tokens and tokens[0]["mark"] != ")":
        token, tokens = tokens[0], tokens[1:]
        if token["mark"] in ("*", "·", "/"):
            if wants and total == 1.0 and token["mark"] == "/" and not any(powers):
                pass  # "/s" is read as "1/s"
            elif wants:
                raise UnitError(f"unit '{text}': a factor is missing before '{token['mark']}'")
            sign, wants = (-1 if token["mark"] == "/" else 1), True
            continue
        if token["power"]:
            raise UnitError(f"unit '{text}': '^{token['exponent']}' has nothing to stand on")
        if token["mark"] == "(":
            factor, dimension, tokens = _product(tokens, text)
            if not tokens:
                raise UnitError(f"unit '{text}': a parenthesis is not closed")
            tokens = tokens[1:]
        else:
            factor, dimension = (1.0, (0.0,) * len(BASES)) if token["one"] else _unit_name(token["name"])
        power = 1.0
        if tokens and tokens[0]["power"]:
            power, tokens = float(tokens[0]["exponent"]), tokens[1:]
        total *= factor ** (sign * power)
        powers = tuple(a + sign * power * b for a, b in zip(powers, dimension, strict=True))
        sign, wants = 1, False
    if wants:
        raise UnitError(f"unit '{text}': a factor is missing at the end")
    return total, powers, tokens


def compatible(given: Dimension, wanted: Dimension) -> bool:
    """Whether a quantity may stand for another: equal dimensions; the angle in N m/rad may be left out."""
    same = given[:3] + given[4:] == wanted[:3] + wanted[4:]
    return same and (given[3] == wanted[3] or (given[3] == 0 and wanted[3] < 0))


def base_unit(dimension: Dimension) -> str:
    """The SI unit of a dimension in base units, as text: ``"kg m s^-2"``; ``"1"`` for a pure number."""
    powers = sorted(((b, p) for b, p in zip(BASES, dimension, strict=True) if p), key=lambda item: item[1] < 0)
    parts = [b if p == 1 else f"{b}^{p:g}" for b, p in powers]
    return " ".join(parts) or "1"


def describe(unit: str, shape: tuple = ()) -> str:
    """What a field allows, in words: ``kg, for example 1.5 (SI) or "622 slug"``."""
    example = EXAMPLES.get(unit, f"1.5 {unit}")
    if shape:
        value = example.split(" ", 1)[0]
        row = "[" + ", ".join([value] * (shape[-1] if isinstance(shape[-1], int) else 2)) + "]"
        if len(shape) == 2:
            row = "[" + ", ".join([row] * (shape[0] if isinstance(shape[0], int) else 2)) + "]"
        example = row + (" " + example.split(" ", 1)[1] if " " in example else "")
    if unit in ("", "1"):
        return f"a pure number, for example {example.strip() or '0.5'}"
    return f'{unit}, for example "{example}"'


def split_text(text: str) -> tuple[Any, str]:
    """``"[1, 2] ft"`` -> ([1, 2], "ft"). Raises `UnitError`."""
    if len(text) > MAX_TEXT:
        raise UnitError("the text is too long for a quantity")
    bracket = text.strip()
    if bracket.startswith("["):
        end = bracket.rfind("]") + 1
        try:
            return json.loads(bracket[:end]), bracket[end:].strip()
        except (ValueError, RecursionError):
            raise UnitError(f"'{_short(text)}' is not a list of numbers with a unit, like '[1, 2, 3] m'") from None
    match = _NUMBER.match(text)
    if match is None:
        raise UnitError(f"'{_short(text)}' does not begin with a number; write it like '12 kg'")
    return float(match[1].replace("_", "")), text[match.end() :].strip()


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def parse_quantity(text: str) -> tuple[Any, str]:
    """``"1 deg"`` -> (number in SI, its SI base units as text). Raises `UnitError`."""
    number, unit = split_text(text)
    if not unit:
        raise UnitError(f"'{_short(text)}' is a text without a unit; write {_bare(text)} without quotes (SI), or name the unit")
    factor, dimension = parse_unit(unit)
    return _scaled(number, factor), base_unit(dimension)


def magnitude(value: Any, unit: str, shape: tuple = ()) -> Any:
    """A number, list, or text with a unit, in the SI unit `unit`, not yet an array. Raises `UnitError`."""
    if isinstance(value, str):
        number, given = split_text(value)
        if not given:
            raise UnitError(f"'{_short(value)}' is a text without a unit; write {_bare(value)} without quotes (SI)"
                            + ("" if unit in ("", "1") else f", or with a unit, like '{_bare(value)} {unit}'"))  # fmt: skip
        factor, dimension = parse_unit(given)
        if not compatible(dimension, parse_unit(unit or "1")[1]):
            raise UnitError(f"'{_short(value)}' is in {given}; allowed: {describe(unit, shape)}{_hint(given, unit)}")
        return _scaled(number, factor)
    if isinstance(value, (list, tuple)):
        return [magnitude(item, unit) if not isinstance(item, (float, int)) else _plain(item) for item in value]
    return _plain(value, unit, shape)


def _plain(value: Any, unit: str = "", shape: tuple = ()) -> Any:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.number)):
        kind = {bool: "true or false", dict: "a table", type(None): "nothing"}.get(type(value), f"a {type(value).__name__}")
        raise UnitError(f"{_short(value)} is {kind}, not a number; allowed: {describe(unit, shape)}")
    return value


def _scaled(value: Any, factor: float) -> Any:
    if isinstance(value, list):
        return [_scaled(item, factor) for item in value]
    return _plain(value) * factor


def _bare(text: str) -> str:
    return _short(text.strip())


def _hint(given: str, unit: str) -> str:
    names = set(re.findall(r"[^\W\d]\w*", given))
    if names & {"Hz", "hertz"} and "rad" in unit:
        return ". Hz counts cycles, write rev/s, deg/s or rad/s"
    if names & {"g"} and "m/s^2" in unit:
        return ". g is the gram, standard gravity is g_0"
    if names & {"lbm", "slug", "kg"} and unit.startswith("N"):
        return ". That is a mass, the pound-force is lbf"
    if "lbf" in names and unit.startswith("kg"):
        return ". lbf is a force, the pound of mass is lbm"
    if "rad" in unit and not names & {"rad", "deg"}:
        return ". The angle must be named"
    return ""


@dataclass(frozen=True)
class SI:
    """The declaration of a numeric field: SI unit, shape and sign. Made by `si`.

    `shape` holds sizes or, where any size goes, a letter: ``("n", 3)``. Arrays given in Python may have further,
    trailing axes: the lanes of a batch. Tracers and other abstract arrays pass untouched.
    """

    unit: str
    shape: tuple = ()
    positive: bool = False
    nonnegative: bool = False
    grow: bool = False

    def __call__(self, value: Any) -> Any:
        """The value as a read-only float64 array of this shape, in SI. Raises `UnitError`."""
        if isinstance(value, np.ndarray):
            array = as_floats(value)
        elif hasattr(value, "shape") and hasattr(value, "dtype") and not isinstance(value, np.generic):
            return value  # a JAX array or tracer, or an abstract one: without a value to judge
        else:
            try:
                array = as_floats(magnitude(value, self.unit, self.shape))
            except RecursionError:
                raise UnitError("the list is nested too deeply") from None
            if self.grow and array.ndim == len(self.shape) - 1:
                array = array[None]
            if array.ndim != len(self.shape):
                raise UnitError(self._wrong_shape(array))
        if array.ndim < len(self.shape) or not self._fits(array.shape):
            raise UnitError(self._wrong_shape(array))
        self._check_values(array)
        array.flags.writeable = False
        return array

    def _fits(self, shape: tuple) -> bool:
        return all(not isinstance(want, int) or want == got for want, got in zip(self.shape, shape, strict=False))

    def _wrong_shape(self, array: np.ndarray) -> str:
        want = " by ".join(map(str, self.shape)) + " numbers" if self.shape else "one number"
        got = " by ".join(map(str, array.shape)) + " numbers" if array.ndim else "one number"
        return f"expected {want}, got {got}; allowed: {describe(self.unit, self.shape)}"

    def _check_values(self, array: np.ndarray) -> None:
        if not np.isfinite(array).all():
            raise UnitError(f"{_first(array, ~np.isfinite(array))} is not a finite number; allowed: {describe(self.unit, self.shape)}")
        unit = f" {self.unit}" if self.unit not in ("", "1") else ""
        if self.positive and not (array > 0).all():
            raise UnitError(f"{_first(array, array <= 0)}{unit} must be more than zero")
        if self.nonnegative and not (array >= 0).all():
            raise UnitError(f"{_first(array, array < 0)}{unit} must not be negative")

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_plain_validator_function(self)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict:
        return json_schema(self.unit, self.shape)


def as_floats(value: Any) -> np.ndarray:
    """Numbers as a new float64 array. Raises `UnitError` for anything else."""
    try:
        if isinstance(value, np.ndarray) and value.dtype.kind not in "iuf":
            raise TypeError
        return np.array(value, dtype=np.float64)
    except (ValueError, TypeError, OverflowError):
        raise UnitError(f"{_short(value)} is not a number or a regular list of numbers") from None


def _first(array: np.ndarray, wrong: np.ndarray) -> str:
    return f"{float(array[wrong].flat[0]) if array.ndim else float(array):g}"


def si(unit: str, shape: tuple = (), *, positive: bool = False, nonnegative: bool = False, grow: bool = False) -> SI:
    """Mark a field as numeric: ``mass: Annotated[Any, si("kg", positive=True)]``.

    `grow` lets one number stand for a list of one.
    """
    return SI(unit, shape, positive, nonnegative, grow)


def json_schema(unit: str, shape: tuple = ()) -> dict:
    """The JSON Schema of a numeric field: a number or list, or a text with a unit."""
    number: dict = {"type": "number"}
    item: dict = {"type": ["number", "string"]}
    for size in reversed(shape):
        sizes = {"minItems": size, "maxItems": size} if isinstance(size, int) else {"minItems": 1}
        number = {"type": "array", "items": item, **sizes}
        item = number
    text = {"type": "string", "examples": [describe(unit, shape).split('"')[1]]} if unit not in ("", "1") else None
    schema = {"anyOf": [number, text]} if text else number
    return {**schema, "unit": unit or "1"}


_DISPLAY = {
    "SI": {"rad": (180 / math.pi, "deg"), "rad/s": (180 / math.pi, "deg/s"), "rad/s^2": (180 / math.pi, "deg/s^2")},
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
        "kg m/s": (1 / POUND_FORCE, "slug ft/s"),
        "N s": (1 / POUND_FORCE, "lbf s"),
        "kg m^2/s": (1 / (POUND_FORCE * FOOT), "slug ft^2/s"),
        "N m s": (1 / (POUND_FORCE * FOOT), "ft lbf s"),
    },
}


def display(unit_si: str, system: str = "SI") -> tuple[float, str]:
    """How to show a number kept in `unit_si`: (factor, label). Angles are shown in degrees in both systems."""
    table = _DISPLAY["SI"] | _DISPLAY.get(system, {})
    return table.get(unit_si, (1.0, unit_si))
