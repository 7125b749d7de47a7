"""Names of the continuous distributions of scipy.stats, and of their parameters."""

from __future__ import annotations

from functools import lru_cache
from typing import Any


@lru_cache(maxsize=1)
def continuous() -> dict[str, Any]:
    """Return the continuous distributions of SciPy by name."""
    from scipy import stats

    named = {name: getattr(stats, name) for name in dir(stats)}
    return {name: one for name, one in named.items() if isinstance(one, stats.rv_continuous)}


def shapes_of(name: str) -> tuple[str, ...]:
    """Return the names of the shape parameters of a SciPy distribution."""
    shapes = continuous()[name].shapes
    return tuple(shape.strip() for shape in shapes.split(",")) if shapes else ()
