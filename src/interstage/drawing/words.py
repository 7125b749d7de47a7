"""Divide texts into words for line breaks, which never split a unit."""

from __future__ import annotations

import re

_UNIT = r"[A-Za-z]{1,4}(?:\^\d)?(?: [A-Za-z]{1,3}(?:\^\d)?)?/[A-Za-z]{1,3}(?:\^\d)?\b"
UNIT = re.compile(rf"(?<![\w/.]){_UNIT}(?!/)")
"""Pattern of a unit with a slash outside of brackets, for example "kg m^2/s"."""
_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_CONTROLS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
RIGHT_TO_LEFT = re.compile(f"[{_RIGHT_TO_LEFT}{_CONTROLS}]+(?: +[{_RIGHT_TO_LEFT}{_CONTROLS}]+)*")
"""Pattern of a right-to-left text, or of control characters of the text direction.

The SVG isolates such a text, so that the text does not reorder the digits and signs that follow.
"""
_LABEL = r"\[[A-Za-z%][^\],]*\]"
_WORD = re.compile(rf"\S*{_LABEL}\S*|[(]?{_UNIT}[).,;:]*(?!\S)|\S+")


def words(text: str) -> list[str]:
    """Return the words of a text. A unit such as "[kg m^2/s]" is one word."""
    return _WORD.findall(text)


def holds_unit(word: str) -> bool:
    """Return whether a word contains a unit. Such a word must not be split."""
    return re.search(_LABEL, word) is not None or UNIT.search(word) is not None
