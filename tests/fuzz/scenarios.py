"""Scenarios with odd values, kinds, tables and keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np


def cases(rng: np.random.Generator, folder: Path) -> Iterator[tuple[str, Path]]:
    """Scenario files."""
    path = folder / "a.toml"
    path.write_text("x = 1")
    yield "a key that is not known", path
