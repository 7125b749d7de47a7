"""Short samples of tables and keys, from the examples and validation cases that the package contains."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from ...tree.errors import BadInput
from ...tree.toml_file import inline, parse, read_text
from ..bundled import folder

LONGEST = 400
"""Longest sample of a table [characters]; a longer sample is not printed."""


class Sample(NamedTuple):
    """A table of a scenario: key of the parent table or group, name ("" for no name), and contents."""

    place: str
    name: str
    table: dict[str, Any]


def table_sample(place: str, kind: str | None, keys: set[str]) -> Sample | None:
    """Return the shortest table under a key such as "joints" or "until", or None.

    - kind: required value of `kind`, or None.
    - keys: allowed keys of the table.
    """
    fitting = [
        one
        for one in _samples()
        if one.place == place and one.table.keys() <= keys and kind in (None, one.table.get("kind"))
    ]
    found = min(fitting, key=lambda one: len(inline(one.table)), default=None)
    return found if found is not None and len(inline(found.table)) <= LONGEST else None


def value_sample(place: str, kind: str | None, keys: set[str], key: str) -> str | None:
    """Return the shortest value of a key in TOML, from tables as in `table_sample`, or None."""
    values = [
        inline(one.table[key])
        for one in _samples()
        if one.place == place
        and one.table.get(key) not in (None, {}, [])
        and one.table.keys() <= keys
        and kind in (None, one.table.get("kind"))
    ]
    found = min(values, key=len, default=None)
    return found if found is not None and len(found) <= LONGEST else None


def lines(sample: Sample, group: bool) -> list[str]:
    """Return the TOML lines of a sample. group: true for a table of a group, with a header."""
    if not group:
        return [f"{sample.place} = {inline(sample.table)}"]
    header = f"[{sample.place}.{sample.name}]" if sample.name else f"[{sample.place}]"
    return [header, *(f"{key} = {inline(value)}" for key, value in sample.table.items())]


@cache
def _samples() -> tuple[Sample, ...]:
    found: list[Sample] = []
    for top in ("examples", "validation"):
        for file in sorted(folder(top).rglob("*.toml")):
            with suppress(BadInput, OSError):  # templates and files of other programs
                for key, value in parse(read_text(file)).items():
                    found += _within(key, value)
    return tuple(found)


def _within(place: str, node: Any, name: str = "") -> Iterator[Sample]:
    """Yield all tables at and below a value. Tables of tables count as tables by name."""
    if isinstance(node, list):
        for item in node:
            yield from _within(place, item, str(item.get("name", "")) if isinstance(item, dict) else "")
    elif isinstance(node, dict):
        yield Sample(place, name, {key: value for key, value in node.items() if key != "name"})
        for key, value in node.items():
            yield from _within(place, value, key) if isinstance(value, dict) and not name else ()
            yield from _within(key, value)
