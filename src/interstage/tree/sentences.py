"""Sentences that contain other messages."""

from __future__ import annotations


def sentence(text: object) -> str:
    """Return a text with a full stop at its end. If the text already ends with a full stop, a question mark
    or an exclamation mark, it is unchanged.
    """
    found = str(text).rstrip()
    return found if found.endswith((".", "?", "!")) else f"{found}."
