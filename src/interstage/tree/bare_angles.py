"""Record of angles that a file gives without a unit. Such angles are read as radians, and a check lists
them."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

ANGULAR = ("rad", "rad/s", "rad/s^2")
"""SI units of angles, angular rates and angular accelerations."""
IN_SI = "# Numbers without a unit are in SI, angles in radians."
"""First line of a file in which all numbers without a unit are in SI. The check does not list angles of such
a file.
"""

_watching: ContextVar[bool] = ContextVar("bare angles are noted", default=False)
_noted: dict[int, weakref.ref] = {}


@contextmanager
def note_those_of(text: str) -> Iterator[None]:
    """Return a context manager. While this context is active, fields with numbers without a unit are
    recorded.

    `text`: text of the file. If the file declares that its numbers are in SI, no fields are recorded.
    """
    token = _watching.set(not states_si(text))
    try:
        yield
    finally:
        _watching.reset(token)


def states_si(text: str) -> bool:
    """Return whether a text declares that its numbers without a unit are in SI."""
    return text.lstrip("\ufeff").startswith(IN_SI)


def note(array: np.ndarray, given: Any) -> None:
    """Record the array of a field if its input contains a nonzero number without a unit.

    The array is also recorded if its input `given` is an array that is already recorded.
    """
    if is_noted(given) or (_watching.get() and is_bare(given)):
        mark(array)


def mark(array: np.ndarray) -> None:
    """Record an array as input without a unit. The function is used, for example, for a column of a separate
    table file.
    """
    key = id(array)
    _noted[key] = weakref.ref(array, lambda _: _noted.pop(key, None))


def is_noted(array: Any) -> bool:
    """Return whether an array is recorded as input without a unit."""
    found = _noted.get(id(array))
    return found is not None and found() is array


def is_bare(given: Any) -> bool:
    """Return whether the input of a field contains a nonzero number without a unit."""
    if isinstance(given, (list, tuple)):
        return any(map(is_bare, given))
    return isinstance(given, (int, float)) and not isinstance(given, bool) and given != 0
