"""Find the quantities that a flight uses because triggers, laws or devices name them."""

from __future__ import annotations

from typing import Any

from ..tree.declaration import texts_of

READ_ONLY = ("title", "units", "needs", "sources", "requirements", "output", "sites", "bodies", "joints")
"""Fields of a scenario whose texts cannot name a quantity that affects the flight."""


def quantity_words(scenario: Any) -> frozenset[str]:
    """Return the words of all texts of a scenario that may name a quantity on which the flight depends."""
    fields = (name for name in type(scenario).model_fields if name not in READ_ONLY)
    texts = (text for name in fields for text in texts_of(getattr(scenario, name)))
    return frozenset(word for text in texts if "." in text for word in text.replace("(", " ").split())
