"""Convert units of DAVE-ML files (ANSI/AIAA S-119-2011, annex on units), for example slugft2, ft_s2 and
nd.
"""

from __future__ import annotations

import re

from ..tree.unit_names import UnitError, parse_unit

_LONG = ("slug", "lbf", "lbm", "deg", "rad", "sec", "min", "nmi", "kPa", "psi", "psf", "rpm")
_SHORT = (
    "kg",
    "km",
    "cm",
    "mm",
    "kN",
    "ft",
    "in",
    "hr",
    "kt",
    "Pa",
    "Hz",
    "N",
    "m",
    "s",
    "K",
    "J",
    "W",
    "g",
    "t",
)
_NAMES = (*_LONG, *_SHORT)
"""The unit names that can follow each other without a blank, longer names first. The name min is the minute,
mm the millimetre."""
_FACTOR = re.compile(f"({'|'.join(_NAMES)})([2-9]?)")
_PURE = ("", "nd", "frac", "fraction", "none", "unitless", "-", "1")


def unit(text: str) -> str:
    """Return a DAVE-ML unit in the notation of a scenario.

    For example, slugft2 becomes slug ft^2, ft_s2 becomes ft/s^2, and nd becomes 1. Valid scenario units are
    returned unchanged. Raises `UnitError` for other texts.
    """
    text = text.strip()
    if text.lower() in _PURE:
        return "1"
    above, _, below = text.partition("_")
    over, under = _factors(above), _factors(below)
    if over is None or under is None or not (over or under):
        parse_unit(text)
        return text
    joined = " ".join(over) or "1"
    # A slash divides by the next factor only.
    return "/".join([joined, *under])


def _factors(text: str) -> list[str] | None:
    """Return adjacent factors; None if they cannot be identified."""
    found, position = [], 0
    while position < len(text):
        match = _FACTOR.match(text, position)
        if match is None:
            return None
        found.append(match[1] + (f"^{match[2]}" if match[2] else ""))
        position = match.end()
    return found


__all__ = ["UnitError", "unit"]
