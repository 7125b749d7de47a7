"""Read the input values of a study. A value is a text with a unit, a number in SI units, or a percentage of
the scenario value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..programs.targets import Target
from ..tree.errors import BadInput, Problem, Refused
from ..tree.units import PURE_UNITS, UnitError, as_written

RATIO = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*%\s*")
"""Pattern of a percentage of the scenario value, such as "90 %". Group 1 is the number."""
SAME = 1e-12
"""Relative difference up to which two values count as equal."""


def check_alike(amounts: Iterable[tuple[str, Any]]) -> None:
    """Check that all values have the same form: with a unit, as plain numbers in SI, or in per cent.

    amounts: pairs (key, value). Values that are None or zero are ignored. Raises Refused.
    """
    given = ((key, value) for key, value in amounts if value is not None)
    kinds = {_kind(value): (key, value) for key, value in given if not _is_zero(value)}
    if len(kinds) > 1:
        (_, (_, one)), (_, (key, other)) = list(kinds.items())[:2]
        text = f"the values {value_text(one)} and {value_text(other)} have different forms"
        fix = "Give all values with a unit, all as numbers in SI, or all in % of the value in the scenario"
        raise Refused((key, f"{text}. {fix}"))


def _kind(value: Any) -> str:
    if isinstance(value, str):
        return "ratio" if RATIO.fullmatch(value) else "unit"
    return "unit" if _holds_text(value) else "bare"


def _holds_text(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and any(isinstance(v, str) or _holds_text(v) for v in value)


def _is_zero(value: Any) -> bool:
    return not isinstance(value, (str, list, tuple, bool)) and bool(np.all(np.asarray(value) == 0))


def value_text(value: Any) -> str:
    """Return a value as text for a message. The text is cut to 40 characters."""
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def check_ends(given_low: Any, given_high: Any, low: Any, high: Any) -> None:
    """Check that `low` is below `high`; both are converted to SI.

    given_low, given_high: both ends as the user wrote them, for the message. Raises UnitError.
    """
    if np.all(np.asarray(low) < high):
        return
    if np.all(np.asarray(low) == high):
        raise UnitError(f"'low' and 'high' are both {written(given_low)}. Set 'high' above 'low'")
    raise UnitError(
        f"low = {written(given_low)} is above high = {written(given_high)}. Exchange these values"
    )


def written(value: Any) -> str:
    """Return a value as text for a message, in the form that the user wrote. Long text is shortened."""
    return as_written(value, "")


def in_parts(amounts: Iterable[Any]) -> bool:
    """Return whether at least one value is in per cent."""
    return any(isinstance(value, str) and RATIO.fullmatch(value) for value in amounts)


def part_of(value: Any, place: str) -> float:
    """Return the number of a percentage, for example 90.0 for "90 %".

    place: path of the value in messages. Raises BadInput for a value without %.
    """
    match = RATIO.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        text = (
            f"the value {value} is not in %, but other values are in %. Give all values in %, or no value "
            "in %"
        )
        raise BadInput(Problem(place, text))
    return float(match[1])


def refuse_parts(target: Target, place: str, about_own: bool) -> None:
    """Reject values in per cent for an input that is zero or dimensionless. Raises BadInput.

    - place: path of the values in messages.
    - about_own: whether the values are differences from the scenario value. If true, a dimensionless input is
      accepted.
    """
    if not np.any(target.nominal):
        text = f"{target.name} is 0 in the scenario, so that % has no effect. Give the values with a unit"
        raise BadInput(Problem(place, text))
    if target.marker.unit in PURE_UNITS and not same(target.nominal, np.ones(())) and not about_own:
        own = np.array2string(target.nominal, separator=", ", formatter={"float_kind": "{:g}".format})
        text = (
            f"{target.name} has no unit, so that a value in % is ambiguous: 5 % can mean 0.05, or 5 %"
            f" of the value in the scenario, {own}"
        )
        raise BadInput(Problem(place, f"{text}. Give pure numbers"))


def same(a: Any, b: Any) -> bool:
    """Return whether two numbers or arrays are equal, except for rounding."""
    finite = np.isfinite(a) & np.isfinite(b)
    apart = np.where(finite, a, 0.0) - np.where(finite, b, 0.0)
    near = finite & (np.abs(apart) <= SAME * np.maximum(np.abs(a), np.abs(b)))
    return bool(np.all((a == b) | near))
