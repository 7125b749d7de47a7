"""Sentences, and nouns with their numbers, for messages."""

from __future__ import annotations

from collections.abc import Sequence


def sentence(text: object) -> str:
    """Return a text with a full stop at its end. If the text already ends with a full stop, a question mark
    or an exclamation mark, it is unchanged.
    """
    found = str(text).rstrip()
    return found if found.endswith((".", "?", "!")) else f"{found}."


def count_text(number: int, things: str) -> str:
    """Return a number with its noun in the right form: "2 bodies", "1 body". `things`: the plural noun."""
    return f"{number} {one_of(things) if number == 1 else things}"


def one_of(things: str) -> str:
    """Return the singular of a plural noun. Nouns that end in -ics, such as dynamics, are unchanged."""
    if things.endswith("ics"):
        return things
    if things == "axes":
        return "axis"
    return f"{things[:-3]}y" if things.endswith("ies") else things.removesuffix("s")


def list_text(names: Sequence[str], most: int) -> str:
    """Return a text with the first `most` names and the number of the remaining names."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
