"""Batches flown as lanes of one program, however few their steps are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from interstage.flight import batch, one_by_one


@contextmanager
def as_lanes(width: int) -> Iterator[None]:
    """Inside, batches are flown so many lanes at once, and not case by case."""
    with patch.dict(batch.LANES_AT_ONCE, cpu=(width,)), patch.object(one_by_one, "STEPS_ALONE", 0):
        yield
