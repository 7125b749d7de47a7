"""Dependencies between declarations, found from the names in their texts.

A declaration depends on another declaration if one of its texts contains the name of that declaration.
Examples of such texts are "stage", "stage.oxidizer" and "bolt released". Equal names in different groups are
not distinguished.
"""

from __future__ import annotations

import re
from typing import Any

from ..tree.declaration import texts_of

NAMING = ("name", "kind")
"""Fields that never name another declaration."""


def words_of(node: Any, without: tuple[str, ...] = ()) -> set[str]:
    """Return all words in the texts of a declaration.

    The name, the kind and the fields in `without` are excluded.
    """
    return {word for text in texts_of(node, (*NAMING, *without)) for word in re.findall(r"[\w-]+", text)}
