"""The wait for many cases of a file as a new user writes it, with a requirement on recontacts.

A sweep of 65 corners and a batch of 500, in processor time compared with a process that only imports."""

from __future__ import annotations

import os
import statistics
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from .lines import Line
from .processes import Took, call
from .start_up import IMPORTS
from .timing import median_ratio

SCENARIO = "import numpy, interstage; scenario = interstage.load('benchmarks/two_stages.toml')"
SPRINGS = "springs = [f'devices.spring_{k}.preload' for k in range(1, 5)]"
CORNERS = "\n".join(
    [
        SCENARIO,
        SPRINGS,
        "vary = dict.fromkeys(springs, '4900 N, 5100 N')",
        "vary |= {'bodies.upper.mass': '+-1 %', 'bodies.lower.mass': '+-1 %'}",
        "found = scenario.sweep(vary, design='corners')",
        "assert found.completed.all() and len(found.completed) == 65",
    ]
)
BATCH = "\n".join(
    [
        SCENARIO,
        SPRINGS,
        "drawn = numpy.random.default_rng(1).normal(5000.0, 50.0, (4, 500))",
        "batch = scenario.run_batch(dict(zip(springs, drawn)))",
        "assert batch.completed.all()",
        "batch.value('pairs.lower.upper.separation_speed')",
    ]
)
COMPILED_CORNERS, FIRST_BATCH = 15, 30
"""Times of the imports that the sweep may take when it is compiled, and the batch when nothing is."""


def sweeps(repeats: int, clock: Callable[[], float]) -> Iterator[Line]:
    """Both, first and again."""
    del clock  # of processes the processor's time is taken
    times: dict[str, list[Took]] = {}
    for _ in range(min(repeats, 3)):
        times.setdefault("imports", []).append(call("-c", IMPORTS, cache=os.devnull))
        for name, text in (("sweep of 65 corners", CORNERS), ("batch of 500", BATCH)):
            with tempfile.TemporaryDirectory() as folder:
                for way in ("first", "again"):
                    took = call("-c", text, cache=Path(folder))
                    times.setdefault(f"{name}, {way}", []).append(took)
    base = times.pop("imports")
    bounds = {"sweep of 65 corners, again": COMPILED_CORNERS, "batch of 500, first": FIRST_BATCH}
    for name, found in times.items():
        bound = bounds.get(name)
        yield Line(
            f"{'' if bound else '  '}{name}",
            f"{statistics.median(t.cpu for t in found):.1f} s",
            f"imports {statistics.median(t.cpu for t in base):.2f} s",
            median_ratio([t.cpu for t in found], [t.cpu for t in base]),
            at_most=bound,
            accuracy=f"processor time; turns: {len(found)}",
        )
