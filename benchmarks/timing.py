"""Fair clocks: what is compared is run in turn in one process, and the medians of its times are compared."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

REPEATS = 5


def in_turn(runs: Mapping[str, Callable[[], Any]], repeats: int = REPEATS) -> dict[str, list[float]]:
    """Wall times [s] of `runs`: all of them once, then all again, so that a busy moment strikes all."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(repeats):
        for name, run in runs.items():
            start = time.perf_counter()
            run()
            times[name].append(time.perf_counter() - start)
    return times


def median_ratio(above: list[float], below: list[float]) -> float:
    """Median over the turns of one time over the other."""
    return statistics.median(a / b for a, b in zip(above, below, strict=True))
