"""What declarations depend on: the names in their texts.

A declaration depends on another where one of its texts holds the name of that one: "stage", "stage.oxidizer",
"bolt released". Names of different groups are not told apart."""

from __future__ import annotations

import re
from typing import Any

from ..tree.declaration import texts_of

NAMING = ("name", "kind")
"""Fields whose texts name no other declaration."""


def words_of(node: Any, without: tuple[str, ...] = ()) -> set[str]:
    """All words in the texts of a declaration, but for its name, its kind and what stands in some fields."""
    return {word for text in texts_of(node, (*NAMING, *without)) for word in re.findall(r"[\w-]+", text)}
