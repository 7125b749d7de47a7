"""Time to the optimum of validation/delta3-optimum beside YAPSS, which is asked in a process of its own.

Ours begins from its poor start, 12,000 km short of the orbit, and flies what it found; YAPSS begins from the
guess of its example. What is compiled is told apart: it is there the second time."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from .lines import Line
from .processes import ROOT, call

FOLDER = ROOT / "validation" / "delta3-optimum"
PUBLISHED = 7529.712287  # kg


def optimum(repeats: int, clock: Callable[[], float]) -> Iterator[Line]:
    """By collocation, twice in one process; the second has nothing to compile."""
    del repeats, clock  # processor time of two solutions, one after the other
    from interstage import load
    from interstage.studies.optimization.declared import read_study
    from interstage.tree.declaration import set as with_leaf

    read = read_study(Path(FOLDER / "collocated.toml"))
    assert read is not None
    scenario = load(FOLDER / "scenario.toml")
    for name in ("yaw", "pitch"):
        scenario = with_leaf(scenario, f"guidance.steering.{name}.interpolation", "linear")
    took = []
    for _ in range(2):
        begun = time.process_time()
        found = scenario.optimize(read[0])
        took.append(time.process_time() - begun)
    off = f"ours {abs(found.objective - PUBLISHED):.1e} kg, {len(found.history)} iterations"
    name = "optimum of Delta III, beside YAPSS"
    if find_spec("yapss") is None:
        yield Line(name, f"{took[1]:.1f} s", 'not installed: pip install "interstage[optima]"', accuracy=off)
    else:
        with tempfile.TemporaryDirectory() as cache:
            printed = call("-m", "benchmarks.optimum_yapss", cache=cache).printed
        peer = json.loads(printed.strip().splitlines()[-1])
        both = f"{off}; YAPSS {abs(peer['mass'] - PUBLISHED):.1e} kg"
        ratio = took[1] / peer["again"]
        yield Line(name, f"{took[1]:.1f} s", f"{peer['again']:.2f} s", ratio, at_most=1.0, accuracy=both)
    yield Line("  first time, with compiling", f"{took[0]:.1f} s", "")
