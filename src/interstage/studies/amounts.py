"""Amounts that an input may take, as studies give them: with a unit, as bare numbers in SI, or in per cent of
the scenario's own value."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..flight.targets import Target
from ..tree.errors import BadInput, Problem, Refused
from ..tree.units import PURE_UNITS, UnitError, as_written

RATIO = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*%\s*")
"""A part of the nominal value, "90 %"."""
SAME = 1e-12
"""Amounts closer than this part of their size are the same."""


def check_alike(amounts: Iterable[tuple[str, Any]]) -> None:
    """Refuse amounts (key, value or none) of which some have a unit and others none, or some are parts of the
    nominal and others not. Raises Refused."""
    given = ((key, value) for key, value in amounts if value is not None)
    kinds = {_kind(value): (key, value) for key, value in given if not _is_zero(value)}
    if len(kinds) > 1:
        (_, (_, one)), (_, (key, other)) = list(kinds.items())[:2]
        text = f"{told(one)} and {told(other)} are not in the same terms; give all with a unit, all without"
        raise Refused((key, f"{text} (SI), or all in % of the scenario's own value"))


def _kind(value: Any) -> str:
    if isinstance(value, str):
        return "ratio" if RATIO.fullmatch(value) else "unit"
    return "unit" if _holds_text(value) else "bare"


def _holds_text(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and any(isinstance(v, str) or _holds_text(v) for v in value)


def _is_zero(value: Any) -> bool:
    return not isinstance(value, (str, list, tuple, bool)) and bool(np.all(np.asarray(value) == 0))


def told(value: Any) -> str:
    """What was given, in a sentence; of what is long the beginning."""
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def check_ends(given_low: Any, given_high: Any, low: Any, high: Any) -> None:
    """Refuse ends, as they were given and as numbers, of which the low one is not below the high one. Raises
    UnitError."""
    if np.all(np.asarray(low) < high):
        return
    if np.all(np.asarray(low) == high):
        raise UnitError(f"low and high are the same, {written(given_low)}; change one of them")
    raise UnitError(f"low, {written(given_low)}, is more than high, {written(given_high)}; exchange them")


def written(value: Any) -> str:
    """An amount as it was given; of what is long the beginning."""
    return as_written(value, "")


def in_parts(amounts: Iterable[Any]) -> bool:
    """Whether amounts are given in per cent."""
    return any(isinstance(value, str) and RATIO.fullmatch(value) for value in amounts)


def part_of(value: Any, place: str) -> float:
    """An amount in per cent as a number. Raises BadInput for another one."""
    match = RATIO.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise BadInput(Problem(place, f"{value} is not in %, as the other levels are; give it so"))
    return float(match[1])


def refuse_parts(target: Target, place: str, about_own: bool) -> None:
    """Refuse an input that per cent mean nothing, or two things, for. about_own: whether they are given as so
    much to either side of its own value. Raises BadInput."""
    if not np.any(target.nominal):
        text = f"{target.name} is 0 in the scenario, and every part of it too; give levels with a unit"
        raise BadInput(Problem(place, text))
    if target.marker.unit in PURE_UNITS and not same(target.nominal, np.ones(())) and not about_own:
        own = np.array2string(target.nominal, separator=", ", formatter={"float_kind": "{:g}".format})
        text = f"{target.name} is a pure number, so % may mean hundredths, or parts of its own"
        raise BadInput(Problem(place, f"{text} {own}; give levels as numbers"))


def same(a: Any, b: Any) -> bool:
    """Whether amounts differ by rounding at most."""
    finite = np.isfinite(a) & np.isfinite(b)
    apart = np.where(finite, a, 0.0) - np.where(finite, b, 0.0)
    near = finite & (np.abs(apart) <= SAME * np.maximum(np.abs(a), np.abs(b)))
    return bool(np.all((a == b) | near))
