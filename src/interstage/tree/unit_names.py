"""Conversion of unit names such as ``"slug ft^2"`` to SI.

Common names are in a table of exact factors (NIST SP 811, Appendix B). All other names are searched in pint,
which is imported only for this search. The angle is a separate dimension, so that "2 Hz" is not accepted as
an angular rate.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Any

from .similar_names import near

BASES = ("kg", "m", "s", "rad", "K", "A", "mol", "cd")
Dimension = tuple[float, ...]
"""Type of a dimension: exponents of the base units `BASES`."""

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
    "um": (1e-6, _LENGTH),
    "km": (1000.0, _LENGTH),
    **dict.fromkeys(("ft", "foot", "feet"), (FOOT, _LENGTH)),
    **dict.fromkeys(("in", "inch", "inches"), (0.0254, _LENGTH)),
    "nmi": (1852.0, _LENGTH),
    **dict.fromkeys(("s", "sec", "second", "seconds"), (1.0, _TIME)),
    "ms": (1e-3, _TIME),
    "us": (1e-6, _TIME),
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
    "kHz": (1e3, _dimension(s=-1)),
    **dict.fromkeys(("N", "newton", "newtons"), (1.0, _FORCE)),
    "kN": (1e3, _FORCE),
    "MN": (1e6, _FORCE),
    "lbf": (POUND_FORCE, _FORCE),
    **dict.fromkeys(("klbf", "kip"), (1000 * POUND_FORCE, _FORCE)),
    **dict.fromkeys(("knot", "kt"), (1852 / 3600, _SPEED)),
    **dict.fromkeys(("J", "joule"), (1.0, _ENERGY)),
    "kJ": (1e3, _ENERGY),
    "MJ": (1e6, _ENERGY),
    **dict.fromkeys(("W", "watt"), (1.0, _POWER)),
    "kW": (1e3, _POWER),
    "MW": (1e6, _POWER),
    **dict.fromkeys(("Pa", "pascal"), (1.0, _PRESSURE)),
    "kPa": (1e3, _PRESSURE),
    "MPa": (1e6, _PRESSURE),
    "GPa": (1e9, _PRESSURE),
    "bar": (1e5, _PRESSURE),
    "psi": (POUND_FORCE / 0.0254**2, _PRESSURE),
    "psf": (POUND_FORCE / FOOT**2, _PRESSURE),
    "g_0": (GRAVITY, _dimension(0, 1, -2)),
}
"""Factor to SI and dimension of each unit name. The factors are exact, while pint has 0.30479999999999996 m
for the foot.
"""

AMBIGUOUS = {
    **dict.fromkeys(
        ("lb", "lbs", "pound", "pounds", "klb", "klbs"),
        "lb can mean a force or a mass. Write lbf for a force, or lbm or slug for a mass",
    ),
    **dict.fromkeys(("ton", "tons"), "ton has several meanings. Write t (1000 kg), short_ton or long_ton"),
    **dict.fromkeys(
        ("oz", "ounce"), "oz can mean a force or a mass. Write lbf for a force, or lbm, g or kg for a mass"
    ),
}


class UnitError(ValueError):
    """Error for a text that cannot be read as a quantity. The message contains the fault and the allowed
    input.
    """


class UnknownUnit(UnitError):
    """Error for a text with an unknown unit name."""

    def __init__(self, name: str, said: str):
        self.name, self.said = name, said
        super().__init__(f"{said}; {near_names(name)}")


def fault_of_si(unit: str) -> str:
    """Return the fault of a unit that a package declares for a numeric field, which must be an SI unit.
    Without a fault, return "".
    """
    try:
        factor, _ = parse_unit(unit or "1")
    except UnitError as error:
        return f"{error}. Use an SI unit, for example N or kg m^2, or 1 for a pure number"
    return "" if factor == 1 else "the unit is not an SI unit. Use an SI unit, for example N or kg m^2"


def near_names(name: str, wanted: Dimension | None = None) -> str:
    """Return the end of a message about an unknown unit, with suggested names.

    Names that differ only in capitals are suggested first, otherwise similar names. `wanted`: dimension of
    the suggested names. If no name has this dimension, the result is empty.
    """
    fit = [n for n, (_, found) in UNITS.items() if wanted is None or compatible(found, wanted)]
    cased = [n for n in fit if n.lower() == name.lower()]
    if cased:
        return f"did you mean {' or '.join(map(repr, cased))}?"
    return near(name, fit, "allowed" if wanted is not None else "known") if fit else ""


_TOKEN = re.compile(
    r"\s*(?:(?P<name>[^\W\d]\w*|°|%)|(?:\^|\*\*)\s*(?P<power>[+-]?\d(?:\.\d{1,4})?)(?!\d)"
    r"|(?P<one>1(?![\d.]))|(?P<mark>[*·/()]))"
)
_PINT_BASES = {
    "kilogram": "kg",
    "meter": "m",
    "second": "s",
    "radian": "rad",
    "kelvin": "K",
    "ampere": "A",
    "mole": "mol",
    "candela": "cd",
}
PURE: Dimension = (0.0,) * len(BASES)
"""Dimension of a pure number."""


@lru_cache(maxsize=1)
def _pint_registry() -> Any:
    import pint

    return pint.UnitRegistry()


@lru_cache(maxsize=256)
def _factor_and_dimension(name: str) -> tuple[float, Dimension]:
    """Return one unit name as (factor, dimension); names outside `UNITS` are looked up in pint."""
    if name in AMBIGUOUS:
        raise UnitError(f"unit '{name}': {AMBIGUOUS[name]}")
    if name in UNITS:
        return UNITS[name]
    registry = _pint_registry()
    try:
        unit = registry.Quantity(1.0, registry.parse_units(name)).to_base_units()
    except (AttributeError, ValueError, TypeError):  # errors of pint for an unknown name
        base = name.rstrip("0123456789")
        if base in UNITS and base != name:
            raise UnitError(f"unknown unit '{name}'; write {base}^{name[len(base) :]}") from None
        raise UnknownUnit(name, f"unknown unit '{name}'") from None
    powers = {_PINT_BASES.get(base, base): float(power) for base, power in unit.unit_items()}
    if not powers.keys() <= {*BASES}:
        raise UnknownUnit(name, f"unit '{name}' is not a mechanical unit")
    return float(unit.magnitude), tuple(powers.get(base, 0.0) for base in BASES)


@lru_cache(maxsize=1024)
def parse_unit(text: str) -> tuple[float, Dimension]:
    """Return the factor to SI and the dimension of a unit such as ``"slug ft^2"``. Raises `UnitError` for an
    invalid unit.

    A space, ``*`` or ``-`` (ft-lbf) multiplies. ``/`` divides by the next factor only, so that N m/s s is (N
    m/s) s. Parentheses group.
    """
    if len(text) > 100:
        raise UnitError(f"unit '{text[:20]}...' is too long. Write a shorter unit")
    reader = _Reader(text)
    try:
        factor, dimension = reader.product()
    except OverflowError:
        raise UnitError(f"unit '{text}' is too large") from None
    if reader.tokens:
        raise UnitError(f"unit '{text}': a closing parenthesis has no opening parenthesis")
    return factor, dimension


class _Reader:
    """Reads a unit from left to right. `tokens` are the remaining tokens."""

    def __init__(self, text: str):
        self.text = text
        self.tokens: list[re.Match[str]] = []
        spaced = re.sub(r"(?<=[^\W\d_])-(?=[^\W\d_])", "*", text).strip()
        position = 0
        while position < len(spaced):
            match = _TOKEN.match(spaced, position)
            if match is None:
                rest = spaced[position:].strip()[:12]
                if rest.startswith(","):
                    raise UnitError(
                        f"cannot read '{rest}'. Write numbers with a point, like 1.5, and lists in brackets"
                    )
                raise UnitError(
                    f"cannot read the unit '{text}' at '{rest}'; write a unit like 'slug ft^2' or 'm/s^2'"
                )
            self.tokens.append(match)
            position = match.end()

    def _next_is(self, *marks: str) -> bool:
        return bool(self.tokens) and self.tokens[0]["mark"] in marks

    def product(self) -> tuple[float, Dimension]:
        """Read factors up to the end or a closing parenthesis. A leading "/" divides one by the first
        factor."""
        total, powers = (1.0, PURE) if self._next_is("/") else self._factor()
        while self.tokens and not self._next_is(")"):
            sign = -1 if self._next_is("/") else 1
            if self._next_is("*", "·", "/"):
                self.tokens.pop(0)
            factor, dimension = self._factor()
            total *= factor**sign
            powers = tuple(a + sign * b for a, b in zip(powers, dimension, strict=True))
        return total, powers

    def _factor(self) -> tuple[float, Dimension]:
        """Read a name, a one or a group in parentheses, with its power."""
        if not self.tokens or self.tokens[0]["power"] or self._next_is("*", "·", "/", ")"):
            raise UnitError(
                f"unit '{self.text}': a factor is missing; write a unit like 'slug ft^2' or 'm/s^2'"
            )
        token = self.tokens.pop(0)
        if token["mark"]:
            factor, dimension = self.product()
            if not self._next_is(")"):
                raise UnitError(
                    f"unit '{self.text}': a parenthesis is not closed. Add the closing parenthesis"
                )
            self.tokens.pop(0)
        else:
            factor, dimension = (1.0, PURE) if token["one"] else _factor_and_dimension(token["name"])
        if self.tokens and self.tokens[0]["power"]:
            power = float(self.tokens.pop(0)["power"])
            factor, dimension = factor**power, tuple(power * d for d in dimension)
        return factor, dimension


def compatible(given: Dimension, wanted: Dimension) -> bool:
    """Return whether two dimensions are equal. The angle may be missing in one of the two units, as in N
    m/rad."""
    same = given[:3] + given[4:] == wanted[:3] + wanted[4:]
    return same and (given[3] == wanted[3] or (given[3] == 0 and wanted[3] < 0))


def comparable(given: str, wanted: str) -> bool:
    """Return whether quantities in two units can be compared. An empty unit counts as 1."""
    return compatible(parse_unit(given)[1], parse_unit(wanted or "1")[1])


def base_unit(dimension: Dimension) -> str:
    """Return the SI unit of a dimension as a text in base units: ``"kg m s^-2"``; ``"1"`` for a pure
    number.
    """
    powers = sorted(
        ((b, p) for b, p in zip(BASES, dimension, strict=True) if p), key=lambda item: item[1] < 0
    )
    parts = [b if p == 1 else f"{b}^{p:g}" for b, p in powers]
    return " ".join(parts) or "1"


USUAL = ("N", "J", "W", "Pa", "m/s", "m/s^2", "rad/s", "rad/s^2", "N s", "N/m", "kg m^2", "kg m^2/s")
"""SI units that replace longer products of base units in texts."""


def usual_unit(unit: str) -> str:
    """Return the usual name of a unit that is given in base units: "N" for "kg m s^-2". All other units are
    unchanged.
    """
    dimension = parse_unit(unit)[1]
    return next((name for name in USUAL if parse_unit(name)[1] == dimension), unit)
