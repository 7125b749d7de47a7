"""Line breaks in texts: never inside a unit."""

from __future__ import annotations

import re

_UNIT = r"[A-Za-z]{1,4}(?:\^\d)?(?: [A-Za-z]{1,3}(?:\^\d)?)?/[A-Za-z]{1,3}(?:\^\d)?\b"
UNIT = re.compile(rf"(?<![\w/.]){_UNIT}(?!/)")
"""A unit with a slash, "kg m^2/s"; units of labels are in brackets."""
_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_CONTROLS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
RIGHT_TO_LEFT = re.compile(f"[{_RIGHT_TO_LEFT}{_CONTROLS}]+(?: +[{_RIGHT_TO_LEFT}{_CONTROLS}]+)*")
"""A text of a right-to-left script, or a control character of the direction. It is written isolated, so that
it does not reorder the digits and signs that follow."""
_LABEL = r"\[[A-Za-z%][^\],]*\]"
_WORD = re.compile(rf"\S*{_LABEL}\S*|[(]?{_UNIT}[).,;:]*(?!\S)|\S+")


def words(text: str) -> list[str]:
    """Return the words of a text; a unit is one word, "[kg m^2/s]"."""
    return _WORD.findall(text)


def holds_unit(word: str) -> bool:
    """Return whether a word contains a unit, so that a line break inside the word is not allowed."""
    return re.search(_LABEL, word) is not None or UNIT.search(word) is not None
