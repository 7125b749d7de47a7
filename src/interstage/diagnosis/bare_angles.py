"""Warn of angles without a unit. The warning has the path of each angle, and its value in degrees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..model.values import Value
from ..quantities.catalogue import unit_of
from ..tree import packages
from ..tree.addresses import label, marker_of
from ..tree.bare_angles import ANGULAR, is_noted
from ..tree.declaration import Declaration
from ..tree.declaration import parts as parts_of
from ..tree.units import display

MOST_LISTED = 6
"""Maximum number of paths in one warning, and of values for each path."""
FIRST = 3
"""Maximum number of paths in the warning about values that are read as radians."""


class Bare(NamedTuple):
    """Values without a unit: path of the field, values in SI units, and the SI unit."""

    place: str
    numbers: Any
    unit: str


def notes(scenario: Any) -> Iterator[str]:
    """Yield warnings of angles, angular rates and frequencies in a scenario that have no unit."""
    found = [*_of(scenario, "", scenario)]
    for checks in packages.of_ours("checks"):
        found += [Bare(*one) for one in getattr(checks, "bare_angles", lambda _: ())(scenario)]
    yield from sentences(found)


def sentences(found: Sequence[Bare]) -> Iterator[str]:
    """Yield up to three warnings: for angles and angular rates that may be in degrees, for other angles and
    angular rates, and for frequencies.

    found: values without a unit.
    """
    frequencies = [bare for bare in found if _is_frequency(bare)]
    angles = [bare for bare in found if not _is_frequency(bare)]
    doubtful = [bare for bare in angles if _may_be_degrees(bare.numbers)]
    plain = [bare for bare in angles if not _may_be_degrees(bare.numbers)]
    remedy = 'Write the unit, for example "30 deg" or "0.5 rad".'
    if doubtful:
        listed = _list(doubtful, MOST_LISTED)
        text = "Angles without a unit are read as radians, but these values may be in degrees"
        yield f"{text}: {listed}. {remedy}"
    if plain:
        yield f"Angles without a unit are read as radians: {_list(plain, FIRST)}. {remedy}"
    if frequencies:
        text = f"Frequencies without a unit are read as rad/s: {_list(frequencies, MOST_LISTED)}."
        yield f'{text} Write the unit, for example "3 rev/s" or "19 rad/s".'


def _is_frequency(bare: Bare) -> bool:
    """Whether numbers are angular frequencies: Hz may be meant, and degrees are not."""
    return bare.unit == "rad/s" and bare.place.endswith(".frequency")


def _list(found: Sequence[Bare], most: int) -> str:
    more = f" and {len(found) - most} more" if len(found) > most else ""
    return ", ".join(map(_text, found[:most])) + more


def _may_be_degrees(numbers: Any) -> bool:
    """Whether any number is beyond a turn, or a multiple of a half, as radians seldom are."""
    size = np.abs(np.asarray(numbers, float))
    return bool(np.any((size > 2 * np.pi) | ((size > 0) & (2 * size == np.round(2 * size)))))


def _text(bare: Bare) -> str:
    numbers = np.ravel(np.asarray(bare.numbers, float))
    factor, unit = (1 / (2 * np.pi), "rev/s") if _is_frequency(bare) else display(bare.unit)
    own, shown = (
        [f"{n:.4g}" for n in np.round(numbers[:MOST_LISTED] * by, 12)]
        + ["..."] * (len(numbers) > MOST_LISTED)
        for by in (1.0, factor)
    )
    left, right = ("[", "]") if np.ndim(bare.numbers) else ("", "")
    return f"{bare.place} = {left}{', '.join(own)}{right} ({', '.join(shown)} {unit})"


def _of(node: Any, place: str, scenario: Any) -> Iterator[Bare]:
    if isinstance(node, tuple):
        for index, item in enumerate(node):
            yield from _of(item, f"{place}.{label(item, index)}", scenario)
    if not isinstance(node, Declaration):
        return
    for name, child in zip(*parts_of(node)[:2], strict=True):
        at = f"{place}.{name}" if place else name
        if isinstance(child, Value):
            if child.unit is None and is_noted(child.magnitude):
                unit = _unit(scenario, getattr(node, "quantity", None))
                yield from [Bare(at, child.magnitude, unit)] if unit in ANGULAR else []
        elif isinstance(child, (tuple, Declaration)):
            yield from _of(child, at, scenario)
        elif is_noted(child) and not _is_default(node, name, child):
            unit = _unit_of_field(scenario, node, name, child)
            yield from [Bare(at, child, unit)] if unit in ANGULAR else []


def _unit_of_field(scenario: Any, node: Any, name: str, value: Any) -> str | None:
    """The SI unit of a field: its own, or that of the variable of a table, or of a signal."""
    marker = marker_of(node, name, value)
    if marker is not None and marker.unit in ANGULAR:
        return marker.unit
    if name == "points":
        return _unit(scenario, getattr(node, "over", None))
    own = getattr(node, "unit", None) if name != "gain" else None
    return own if isinstance(own, str) else None


def _is_default(node: Any, name: str, value: Any) -> bool:
    default = type(node).model_fields[name].default if name in type(node).model_fields else None
    return isinstance(default, (int, float, tuple)) and np.array_equal(value, default)


def _unit(scenario: Any, quantity: str | None) -> str | None:
    """The SI unit of a quantity; None if the quantity does not exist."""
    find: Callable[[Any, str], str] = unit_of
    try:
        return find(scenario, quantity) if quantity is not None and "." in quantity else None
    except (KeyError, AttributeError):
        return None
