"""Linear equations of a chain of ten bodies, compared with the right-hand sides of its flight, which are
compiled or computed by NumPy."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import jax
import numpy as np

from interstage.linear.points import Course
from interstage.reading import loads
from interstage.runs import run as simulate

from .lines import Line
from .timing import in_turn

BODIES = 10
BOUND = 5
"""Right-hand sides of its flight for each state that the linear equations of a moment may take."""
TURNS = 20
"""Right-hand sides by NumPy that are timed together."""
STEPS = 4000
"""Steps of the flight of which right-hand sides are timed: Runge and Kutta's, of four each."""
FEW, MANY, MOST = 8, 40, 160
"""Moments of three series; what a longer one takes more is that of further moments. Between the first two it
also meets more steps of the flight, each of which is taken again once."""
HEAD = """
gravity = { kind = "uniform", acceleration = [0, 0, -9.81] }
output = { interval = "1 s" }
phases.swing = { until = { time = "2 s" } }
"""
LINK = """
[bodies.link_{k}]
mass = 2.0
inertia = [0.2, 0.3, 0.1]
initial = {{ through = "hinge_{k}", rotation = [0, {angle}, 0] }}
[joints.hinge_{k}]
kind = "revolute"
axis = "y"
parent = "{above}"
child = "link_{k}"
parent_at = [0, 0, {low}]
child_at = [0, 0, 0.5]
"""


FIXED = 'solver = { method = "rk4", step = "0.5 ms", stabilization = "none" }\n'


def chain(more: str = "") -> Any:
    """Ten links that hang on hinges, and swing."""
    text = HEAD + more
    for k in range(BODIES):
        above, low = (f"link_{k - 1}", -0.5) if k else ("ground", 0.0)
        text += LINK.format(k=k, above=above, low=low, angle=0.1 * (k + 1) / BODIES)
    return loads(text)


def linear(repeats: int, clock: Callable[[], float]) -> Iterator[Line]:
    """A single time, and further times of a series, compared with five right-hand sides for each state."""
    scenario = chain()
    prepared = simulate.prepare(chain(FIXED))
    prepared.fly()
    states = len(scenario.linearize().states)
    runs: dict[str, Callable[[], Any]] = {
        "flight": prepared.fly,
        "by NumPy": by_numpy(scenario),
        "one": scenario.linearize,
        "few": partial(scenario.linearize, along=f"start:1 s:{FEW}"),
        "many": partial(scenario.linearize, along=f"start:1 s:{MANY}"),
        "most": partial(scenario.linearize, along=f"start:1 s:{MOST}"),
    }
    for run in runs.values():
        run()
    times = {name: np.array(own) for name, own in in_turn(runs, repeats, clock).items()}
    bound = BOUND * states * times["flight"] / (4 * STEPS)
    plain = BOUND * states * times["by NumPy"] / TURNS
    further = (times["many"] - times["few"]) / (MANY - FEW)
    last = (times["most"] - times["many"]) / (MOST - MANY)
    name, peer = f"linear, {BODIES} bodies, {states} states", _shown(bound)
    whats = "a further moment", "a further moment of many", "a moment"
    for what, own in zip(whats, (further, last, times["one"]), strict=True):
        ratio = float(np.median(own / bound))
        yield Line(f"{name}: {what}", _shown(own), f"{BOUND * states} rhs {peer}", ratio, at_most=1.0)
    ratio = float(np.median(times["one"] / plain))
    peer = f"{BOUND * states} rhs by NumPy {_shown(plain)}"
    yield Line(f"{name}: a moment", _shown(times["one"]), peer, ratio, at_most=1.0)


def by_numpy(scenario: Any) -> Callable[[], None]:
    """Right-hand sides at the start, as many as `TURNS`, by NumPy."""
    course = Course(scenario)
    first = course.first
    t, x = np.array([first.time]), np.asarray(first.x)[:, None]
    discrete = jax.tree.map(lambda leaf: np.asarray(leaf)[..., None], first.discrete)
    mechanism = course.program.mechanism(scenario, 1, first.reference)

    def run() -> None:
        for _ in range(TURNS):
            mechanism.derivative(t, x, discrete)

    return run


def _shown(times: np.ndarray) -> str:
    return f"{1e3 * statistics.median(times.tolist()):.2f} ms"
