"""Dependencies between declarations, found from the names in their texts. A declaration depends on another if
one of its texts contains the name of the other: "stage", "stage.oxidizer", "bolt released". Equal names in
different groups are not distinguished."""

from __future__ import annotations

import re
from typing import Any

from ..tree.declaration import texts_of

NAMING = ("name", "kind")
"""Fields whose texts name no other declaration."""


def words_of(node: Any, without: tuple[str, ...] = ()) -> set[str]:
    """All words in the texts of a declaration, without its name, its kind and some fields."""
    return {word for text in texts_of(node, (*NAMING, *without)) for word in re.findall(r"[\w-]+", text)}
