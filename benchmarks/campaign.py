"""What the responses of many cases cost: a batch of a dispenser with four springs, and a campaign of it.

Responses are compared with the flights themselves, a campaign with bare flights and with a batch that has the
same responses."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from interstage import load
from interstage.studies.campaign.run import campaign as fly_campaign

from .lines import Line
from .timing import in_turn, median_ratio

Clock = Callable[[], float]
SCENARIO = Path(__file__).with_name("dispenser.toml")
BATCH, CAMPAIGN = 500, 128 * 160
"""Cases of the batch, as a new user flies them, and of the campaign, enough for programs of many cases."""
PAIR = "pairs.dispenser.satellite"
RESPONSES = (
    (f"{PAIR}.separation_speed", "end"),
    (f"{PAIR}.tip_off_rate", "end"),
    (f"{PAIR}.tip_off_rate", "max"),
    ("joints.ring.force.magnitude", "max"),
    ("time", "clear"),
)
FURTHER = (("bodies.satellite.angular_velocity.magnitude", "max"), ("bodies.satellite.speed", "end"))
SIGMAS = {f"devices.spring_{k}.preload": (900.0, 15.0) for k in range(1, 5)} | {
    "bodies.satellite.mass": (180.0, 2.0)
}


def inputs(cases: int) -> dict[str, np.ndarray]:
    """Normal values of the dispersed inputs."""
    rng = np.random.default_rng(1)
    return {path: rng.normal(*numbers, cases) for path, numbers in SIGMAS.items()}


def campaign(repeats: int, clock: Clock) -> Iterator[Line]:
    """The responses of a batch, and the rate of a campaign."""
    scenario = load(SCENARIO)
    yield from responses(scenario, repeats, clock)
    yield from rates(scenario, clock)


def responses(scenario: Any, repeats: int, clock: Clock) -> Iterator[Line]:
    """The time of responses, compared with the time of the flights."""
    given = inputs(BATCH)

    def fly(samples: bool = True) -> Any:
        return scenario.run_batch(given, threads=1, samples=samples, together=True, progress=False)

    def of(asked: Any) -> Callable[[], Any]:
        return lambda: fly().values(asked)

    runs: dict[str, Callable[[], Any]] = {"motion": lambda: fly(False), "flight": fly}
    runs |= {"five": of(RESPONSES), "maximum": of(FURTHER[:1]), "two": of(FURTHER)}
    for run in runs.values():
        run()
    times = in_turn(runs, repeats, clock)
    answers = {name: [t - f for t, f in zip(times[name], times["flight"], strict=True)] for name in runs}
    answers["end value"] = [t - m for t, m in zip(times["two"], times["maximum"], strict=True)]
    for name, label, bound in (
        ("five", f"five responses of {BATCH} cases", 1.0),
        ("maximum", "  a maximum alone", 3.0),
        ("end value", "  an end value next to it", None),
    ):
        yield Line(
            label,
            f"{statistics.median(answers[name]):.3f} s",
            f"flights {statistics.median(times['flight']):.3f} s",
            median_ratio(answers[name], times["flight"]),
            at_most=bound,
            accuracy="one thread",
        )


def rates(scenario: Any, clock: Clock) -> Iterator[Line]:
    """Cases per second of a campaign with the five responses, in one process and in two."""
    given = inputs(BATCH * 4)

    def batch(samples: bool) -> Any:
        return scenario.run_batch(given, threads=1, samples=samples, together=True, progress=False)

    times = in_turn(
        {"motion": lambda: batch(False), "responses": lambda: batch(True).values(RESPONSES)}, 3, clock
    )
    rate = {name: len(given["bodies.satellite.mass"]) / statistics.median(t) for name, t in times.items()}
    one, two = campaign_rate(scenario, 1, clock), campaign_rate(scenario, 2, time.perf_counter)
    for name, label, bound in (("motion", "bare motion", 0.5), ("responses", "batch with responses", 0.9)):
        yield Line(
            f"campaign compared with {label}",
            f"{one:.0f} cases/s",
            f"batch {rate[name]:.0f} cases/s",
            one / rate[name],
            at_least=bound,
            accuracy="one process and thread, five responses",
        )
    yield Line("  campaign in two processes", f"{two:.0f} cases/s", f"one {one:.0f} cases/s", two / one)


def campaign_rate(scenario: Any, jobs: int, clock: Clock) -> float:
    """Cases per second of a campaign from its second report on, when its programs exist."""
    reports: list[tuple[float, float]] = []

    def progress(done: float, total: float | None) -> None:
        if not reports or done > reports[-1][1]:
            reports.append((clock(), done))

    with tempfile.TemporaryDirectory() as folder:
        fly_campaign(scenario, study(), folder, jobs=jobs, progress=progress)
    (begun, first), (end, last) = reports[2], reports[-1]
    return (last - first) / (end - begun)


def study() -> dict[str, Any]:
    """The same dispersions and responses as a study."""
    dispersions = {
        f"input_{k}": {"path": path, "distribution": "normal", "sigma": f"{sigma} {unit}"}
        for k, ((path, (_, sigma)), unit) in enumerate(zip(SIGMAS.items(), ["N"] * 4 + ["kg"], strict=True))
    }
    asked = {
        f"response_{k}": {"quantity": path} | ({"take": at} if at in ("max", "min") else {"at": at})
        for k, (path, at) in enumerate(RESPONSES)
    }
    return {"cases": CAMPAIGN, "chunk": 128, "dispersions": dispersions, "responses": asked}
