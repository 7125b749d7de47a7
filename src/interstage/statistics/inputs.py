"""Check the arguments of statistical functions. Each error message states the name, the value, the fault and
the fix.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

Side = Literal["both", "lower", "upper"]
SIDES = ("both", "lower", "upper")
ROUNDING = 1e-12
"""Relative rounding error of a probability such as 1 - 0.9973. Such an error must not change the result of a
proof.
"""


def check_probability(name: str, value: float) -> float:
    """Check that a value is a probability between 0 and 1, both excluded, and return it.

    name: name of the argument, for the message. Raises ValueError for other values. The message has a hint if
    the value seems to be in per cent.
    """
    value = _number(name, value)
    if 0.0 < value < 1.0:
        return value
    hint = f", for example {value / 100:g} for {value:g} %" if 1.0 < value < 100.0 else ""
    raise ValueError(f"{name}: {value:g} is not between 0 and 1. Give a fraction above 0 and below 1{hint}.")


def check_count(name: str, value: Any, least: int = 0) -> int:
    """Check that a value is an integer of at least `least`, and return it. Raises ValueError for other
    values.
    """
    number = _number(name, value)
    if not number.is_integer() or number < least:
        raise ValueError(
            f"{name}: {value} is not a whole number of at least {least}. Give a whole number of {least}"
            " or more."
        )
    return int(number)


def _number(name: str, value: Any) -> float:
    """Return a value as a float, or raise ValueError if it is not a number."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: {value!r} is not a number. Give a number.") from None


def _numbers(name: str, values: Any) -> np.ndarray:
    """Return values as an array of floats, or raise ValueError if they are not numbers of one shape."""
    try:
        return np.asarray(values, float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: the values are not an array of numbers ({error}).") from None


def check_failures(failures: Any, cases: Any) -> tuple[np.ndarray, np.ndarray]:
    """Check numbers of failures and numbers of cases, and return both as arrays of the same shape.

    Raises ValueError for negative or fractional numbers, for zero cases, and for more failures than cases.
    """
    k, n = _numbers("failures", failures), _numbers("cases", cases)
    try:
        k, n = np.broadcast_arrays(k, n)
    except ValueError:
        raise ValueError(
            f"failures: shape {k.shape} does not match the cases {n.shape}. Give one number for each "
            "number of cases."
        ) from None
    for name, value, least in (("failures", k, 0), ("cases", n, 1)):
        wrong = ~((value >= least) & (value == np.floor(value)) & np.isfinite(value))
        if wrong.any():
            raise ValueError(f"{name}: {value[wrong][0]:g} is not a whole number of at least {least}.")
    if (k > n).any():
        at = np.argmax(k > n)
        raise ValueError(
            f"failures: the number of failures ({k.flat[at]:g}) exceeds the number of cases"
            f" ({n.flat[at]:g}). Give at most as many failures as cases."
        )
    return k, n


def check_side(side: str) -> str:
    """Check that the side of a bound is "both", "lower" or "upper", and return it. Raises ValueError for
    other texts.
    """
    if side not in SIDES:
        raise ValueError(f'side: "{side}" is unknown. Choose "both", "lower" or "upper".')
    return side


def check_values(name: str, values: Any, least: int = 1, finite: bool = True) -> np.ndarray:
    """Check values (..., cases), and return them as an array of floats.

    Raises ValueError if there are fewer than `least` cases, or if a value is not a number. If `finite` is
    true, infinite values are rejected too.
    """
    array = _numbers(name, values)
    if array.ndim == 0 or array.shape[-1] < least:
        count = array.shape[-1] if array.ndim else 1
        raise ValueError(f"{name}: {count} cases are too few. Give at least {least} along the last axis.")
    wrong = ~np.isfinite(array) if finite else np.isnan(array)
    if wrong.any():
        where = np.argwhere(wrong)[0][-1]
        raise ValueError(
            f"{name}: {int(wrong.sum())} values are not finite numbers, first {array[wrong][0]} in "
            f"case {where}. "
            "Count these cases as failures, or omit these cases and report their number."
        )
    return array


def check_weights(weights: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Check weights (..., cases), and return them as an array of floats. shape: required shape, which is the
    shape of the values.

    Raises ValueError if a weight is negative or not finite, or if all weights of a sample are zero.
    """
    array = _numbers("weights", weights)
    if array.shape not in (shape, shape[-1:]):
        raise ValueError(
            f"weights: shape {array.shape} does not match the values {shape}. Give one weight for each case."
        )
    array = np.broadcast_to(array, shape)
    if not np.isfinite(array).all() or (array < 0.0).any():
        wrong = array[~(np.isfinite(array) & (array >= 0.0))]
        raise ValueError(f"weights: {wrong[0]} is not a weight. Give finite numbers of at least 0.")
    if (array.sum(-1) == 0.0).any():
        raise ValueError("weights: all weights are zero. Give at least one weight above zero.")
    return array
