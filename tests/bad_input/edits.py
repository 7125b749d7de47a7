"""Scenarios that are good but for one edit."""

from __future__ import annotations

import pytest

from interstage.reading import loads
from interstage.tree.errors import BadInput


def refused(text: str, old: str, new: str, place: str, words: str) -> BadInput:
    """The refusal of a scenario with `new` in the place of `old`, with a problem in these words there."""
    assert old in text
    with pytest.raises(BadInput) as caught:
        loads(text.replace(old, new, 1), source="scenario.toml").check()
    found = caught.value
    assert any(p.place == place and words in p.message for p in found.problems), str(found)
    return found
