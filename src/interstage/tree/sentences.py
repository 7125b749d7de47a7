"""Sentences of messages that contain other messages."""

from __future__ import annotations


def sentence(text: object) -> str:
    """Return a text with a full stop at its end, unless the text ends with a full stop, a question mark or
    an exclamation mark."""
    found = str(text).rstrip()
    return found if found.endswith((".", "?", "!")) else f"{found}."
