"""Where texts may go on in a line below: never inside a unit."""

from __future__ import annotations

import re

_UNIT = r"[A-Za-z]{1,4}(?:\^\d)?(?: [A-Za-z]{1,3}(?:\^\d)?)?/[A-Za-z]{1,3}(?:\^\d)?\b"
UNIT = re.compile(rf"(?<![\w/.]){_UNIT}(?!/)")
"""A unit with a stroke, "kg m^2/s"; labels have theirs in brackets."""
_LABEL = r"\[[A-Za-z%][^\],]*\]"
_WORD = re.compile(rf"\S*{_LABEL}\S*|[(]?{_UNIT}[).,;:]*(?!\S)|\S+")


def words(text: str) -> list[str]:
    """The words of a text; a unit is one, "[kg m^2/s]", whatever is in it."""
    return _WORD.findall(text)


def holds_unit(word: str) -> bool:
    """Whether a word is, or has in it, a unit that is not to be broken."""
    return re.search(_LABEL, word) is not None or UNIT.search(word) is not None
