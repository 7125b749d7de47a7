"""Write new values into the text of a scenario file. Comments, order and units stay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..reading import loads
from ..tree.addresses import label
from ..tree.errors import BadInput
from ..tree.toml_file import plain
from ..tree.unit_names import UnitError, parse_unit
from ..tree.units import split_text

NEAR = 8 * np.finfo(float).eps
"""Relative rounding error of a number after conversion to another unit and back."""
Steps = tuple[str, ...]


def updated_text(text: str, scenario: Any, folder: Path, target: Path) -> str | None:
    """Return the text of a scenario file with the values of another scenario.

    - text: text of a file in `folder`.
    - scenario: scenario with the new values.
    - target: folder of the new file. Relative paths in the new text refer to this folder.

    Returns None if the new text would not give the same scenario when read.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    wanted = plain(scenario)
    try:
        changes = [*_differences(plain(loads(text, folder=folder)), wanted, ())]
    except BadInput:
        return None
    # First change existing keys: other differences may follow from them.
    for whole in (False, True):
        try:
            document = tomlkit.parse(text)
            for change in changes:
                _put_value(document, *change, whole)
            written = tomlkit.dumps(document)
            if _alike(plain(loads(written, folder=target)), wanted):
                return written
        except (BadInput, UnitError, TOMLKitError, LookupError, TypeError, ValueError):
            continue
    return None


def _differences(old: Any, new: Any, steps: Steps) -> Iterator[tuple[Steps, Any, Any]]:
    """(steps, old value, new value) of each difference; None for a missing value."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in {**old, **new}:
            yield from _differences(old.get(key), new.get(key), (*steps, key))
    elif isinstance(old, list) and isinstance(new, list) and _alike_named(old, new):
        for name, one, other in zip(_labels(old), old, new, strict=True):
            yield from _differences(one, other, (*steps, name))
    elif old != new:
        yield steps, old, new


def _alike_named(old: list[Any], new: list[Any]) -> bool:
    """Whether both are tables with the same names in the same order."""
    tables = bool(old) and all(isinstance(one, dict) for one in (*old, *new))
    return tables and [*_labels(old)] == [*_labels(new)]


def _labels(tables: list[Any]) -> Iterator[str]:
    yield from (label(one, k) for k, one in enumerate(tables))


def _put_value(document: Any, steps: Steps, old: Any, new: Any, whole: bool) -> None:
    """Put a new value into a document; where that has no such key or table, only if the `whole` is wanted.
    Raises LookupError."""
    *above, last = steps
    node = document
    for step in above:
        if isinstance(node, list):
            node = next((one for k, one in enumerate(node) if label(one, k) == step), None)
            if node is None:
                raise LookupError(step)
        elif step in node:
            node = node[step]
        elif whole:
            node[step] = {}
            node = node[step]
        else:
            return
    if last in node and new is None:
        del node[last]
    elif last in node:
        item = node[last]
        node[last] = _rewritten(item.unwrap() if hasattr(item, "unwrap") else item, old, new)
    elif whole and new is not None:
        node[last] = new


def _rewritten(given: Any, old: Any, new: Any) -> Any:
    """A new value [SI] as it is given: in its unit, and what of it stays as it stands there."""
    if isinstance(given, str) and not isinstance(new, str):
        numbers, unit = split_text(given)
        factor = parse_unit(unit)[0]
        return f"{_text(_numbers(numbers, old, new, factor))} {unit}"
    return _numbers(given, old, new, 1.0)


def _numbers(given: Any, old: Any, new: Any, factor: float) -> Any:
    """Numbers over a factor; those that did not change as they are given."""
    if isinstance(new, list):
        if not (isinstance(given, list) and isinstance(old, list) and len(given) == len(old) == len(new)):
            given, old = [None] * len(new), [None] * len(new)
        return [_numbers(*each, factor) for each in zip(given, old, new)]
    if given is not None and old == new:
        return given
    if isinstance(given, str) and not isinstance(new, str):
        return _rewritten(given, old, new)
    return _shortest(new, factor) if isinstance(new, float) else new


def _shortest(value: float, factor: float) -> float:
    """The number of fewest digits that is this one after it is multiplied by the factor, or the nearest."""
    exact = value / factor
    tried = [float(f"{exact:.{digits}g}") for digits in range(6, 18)]
    return next((one for one in tried if one * factor == value), exact)


def _text(numbers: Any) -> str:
    if isinstance(numbers, list):
        return f"[{', '.join(map(_text, numbers))}]"
    return repr(int(numbers)) if float(numbers).is_integer() and abs(numbers) < 1e6 else repr(float(numbers))


def _alike(one: Any, other: Any) -> bool:
    """Whether two scenarios as tables are the same but for the last digits of their numbers."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return one == other or abs(one - other) <= NEAR * max(abs(one), abs(other))
    return type(one) is type(other) and one == other
