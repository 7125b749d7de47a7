"""Which quantities a flight uses: those that triggers, laws and devices name."""

from __future__ import annotations

from typing import Any

from ..tree.declaration import texts_of

READ_ONLY = ("title", "units", "needs", "sources", "requirements", "output", "sites", "bodies", "joints")
"""Fields of a scenario whose texts steer nothing by a quantity."""


def quantity_words(scenario: Any) -> frozenset[str]:
    """The words of all texts that may name a quantity which the flight itself needs, not only its record."""
    fields = (name for name in type(scenario).model_fields if name not in READ_ONLY)
    texts = (text for name in fields for text in texts_of(getattr(scenario, name)))
    return frozenset(word for text in texts if "." in text for word in text.replace("(", " ").split())
