"""Fair clocks: what is compared is run in turn in one process, and the medians of its times are compared."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

REPEATS = 5


AT_LEAST = 0.2
"""A turn of one code lasts at least this long [s]: short runs are repeated and their mean is taken."""


def in_turn(
    runs: Mapping[str, Callable[[], Any]],
    repeats: int = REPEATS,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, list[float]]:
    """Times [s] of one run of each of `runs`, which take turns so that a busy moment strikes all.

    With `time.process_time` for a clock, work that others do on the machine does not count.
    """
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(repeats):
        for name, run in runs.items():
            times[name].append(_mean(run, clock))
    return times


def _mean(run: Callable[[], Any], clock: Callable[[], float]) -> float:
    """Mean time of as many runs as fill a turn."""
    count, start, begun = 0, clock(), time.perf_counter()
    while count == 0 or time.perf_counter() - begun < AT_LEAST:
        run()
        count += 1
    return (clock() - start) / count


def median_ratio(above: list[float], below: list[float]) -> float:
    """Median over the turns of one time over the other."""
    return statistics.median(a / b for a, b in zip(above, below, strict=True))
