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
    token = _watching.set(not text.lstrip("\ufeff").startswith(IN_SI))
    try:
        yield
    finally:
        _watching.reset(token)


def note(array: np.ndarray, given: Any) -> None:
    """Note the array of a field if what was given for it has a number other than zero without a unit."""
    if _watching.get() and _is_bare(given):
        key = id(array)
        _noted[key] = weakref.ref(array, lambda _: _noted.pop(key, None))


def is_noted(array: Any) -> bool:
    """Whether an array of a declaration was given without a unit."""
    found = _noted.get(id(array))
    return found is not None and found() is array


def _is_bare(given: Any) -> bool:
    if isinstance(given, (list, tuple)):
        return any(map(_is_bare, given))
    return isinstance(given, (int, float)) and not isinstance(given, bool) and given != 0
