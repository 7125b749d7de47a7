"""Time to the optimum of validation/delta3-optimum compared with YAPSS and dymos, in separate processes.

Ours and dymos begin from the flight of its poor start, 12,000 km short of the orbit, and ours flies what it
found; YAPSS begins from the guess of its example. What is compiled is reported apart: it is there from the
second time on."""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .lines import Line
from .processes import ROOT, Took, call

FOLDER = ROOT / "validation" / "delta3-optimum"
PUBLISHED = 7529.712287  # kg
AGAIN = 3
"""Solutions of which the median is shown, of ours and of the peer's."""


PEERS = {
    "YAPSS": ("benchmarks.optimum_yapss", ("yapss",), 'pip install "interstage[optima]"'),
    "dymos": (
        "benchmarks.optimum_dymos",
        ("dymos", "pyoptsparse", "cyipopt"),
        "benchmarks/README.md says how dymos comes by IPOPT",
    ),
}
"""Of each peer its module here, the packages that it needs, and how to come by them."""


def optimum(repeats: int, clock: Callable[[], float]) -> Iterator[Line]:
    """By collocation: in one process, medians of solutions that have nothing to compile; and once in each of
    two others, of which the second finds the programs that the first has compiled."""
    del repeats, clock  # processor time of whole solutions
    solved()
    took, every = zip(*(solved() for _ in range(AGAIN)), strict=True)
    seconds, found = statistics.median(took), every[0]
    off = f"ours {abs(found.objective - PUBLISHED):.1e} kg, {len(found.history)} iterations"
    first: list[str] = []
    with tempfile.TemporaryDirectory() as cache:
        for peer, (module, needed, remedy) in PEERS.items():
            name = f"optimum of Delta III, compared with {peer}"
            if not all(map(find_spec, needed)):
                yield Line(name, f"{seconds:.2f} s", f"not installed: {remedy}", accuracy=off)
                continue
            its = _printed(call("-m", module, cache=cache))
            both = f"{off}; {peer} {abs(its['mass'] - PUBLISHED):.1e} kg"
            ratio = seconds / its["again"]
            yield Line(name, f"{seconds:.2f} s", f"{its['again']:.2f} s", ratio, at_most=1.0, accuracy=both)
            first.append(f"{peer} {its['first']:.2f} s")
        for what in ("with compiling", "programs kept"):
            own = _printed(call("-m", "benchmarks.optimum", cache=cache))
            yield Line(f"  first time in a process, {what}", f"{own['first']:.1f} s", ", ".join(first))


def solved() -> tuple[float, Any]:
    """Processor time [s] of one solution, and what was found."""
    from interstage import load
    from interstage.studies.optimization.declared import read_study
    from interstage.tree.addresses import set as with_leaf

    read = read_study(Path(FOLDER / "collocated.toml"))
    assert read is not None
    scenario = load(FOLDER / "scenario.toml")
    for name in ("yaw", "pitch"):
        scenario = with_leaf(scenario, f"guidance.steering.{name}.interpolation", "linear")
    begun = time.process_time()
    found = scenario.optimize(read[0])
    return time.process_time() - begun, found


def _printed(took: Took) -> dict[str, float]:
    return json.loads(took.printed.strip().splitlines()[-1])


if __name__ == "__main__":
    print(json.dumps({"first": solved()[0]}))
