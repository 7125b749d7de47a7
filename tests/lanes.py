"""Batches flown as lanes of one program, however few their steps are."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

from interstage.runs import batch, lot


def as_lanes(scenario: Any, dispersed: dict[str, Any], **options: Any) -> batch.Batch:
    """A batch, all lanes at once."""
    width = len(next(iter(dispersed.values())))
    with patch.dict(lot.LANES_AT_ONCE, cpu=(width,)):
        return batch.fly_batch(scenario, dispersed, together=True, **options)
