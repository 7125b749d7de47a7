"""Angles that a file gives without a unit: they are radians, and a check lists them."""

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
"""First line of a file that states this of all its numbers; they are not listed then."""

_watching: ContextVar[bool] = ContextVar("bare angles are noted", default=False)
_noted: dict[int, weakref.ref] = {}


@contextmanager
def note_those_of(text: str) -> Iterator[None]:
    """While a text is read: its numbers without a unit are noted, unless it states that they are in SI."""
    token = _watching.set(not states_si(text))
    try:
        yield
    finally:
        _watching.reset(token)


def states_si(text: str) -> bool:
    """Whether a text states that its numbers without a unit are in SI."""
    return text.lstrip("\ufeff").startswith(IN_SI)


def note(array: np.ndarray, given: Any) -> None:
    """Note the array of a field if what was given for it has a number other than zero without a unit, or is
    noted itself."""
    if is_noted(given) or (_watching.get() and is_bare(given)):
        mark(array)


def mark(array: np.ndarray) -> None:
    """Note an array, whatever text is read: the column of a table in a file of its own."""
    key = id(array)
    _noted[key] = weakref.ref(array, lambda _: _noted.pop(key, None))


def is_noted(array: Any) -> bool:
    """Whether an array is noted as given without a unit."""
    found = _noted.get(id(array))
    return found is not None and found() is array


def is_bare(given: Any) -> bool:
    """Whether the input of a field has a number other than zero without a unit."""
    if isinstance(given, (list, tuple)):
        return any(map(is_bare, given))
    return isinstance(given, (int, float)) and not isinstance(given, bool) and given != 0
