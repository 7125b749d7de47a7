"""What the responses of many cases cost: a batch of a dispenser with four springs, and a campaign of it.

Responses are compared with the flights themselves, a campaign with bare flights and with a batch that has the
same responses."""

from __future__ import annotations

import importlib.util
import os
import statistics
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from interstage import load
from interstage.studies.campaign.chunk_file import write
from interstage.studies.campaign.first_flight import first_flight
from interstage.studies.campaign.flight import CaseFlights
from interstage.studies.campaign.folder import Range
from interstage.studies.campaign.manifest import manifest_of
from interstage.studies.campaign.processes import Request, Task
from interstage.studies.campaign.reading import make_plan, study_of
from interstage.studies.campaign.result import open_folder
from interstage.studies.campaign.run import campaign as fly_campaign
from interstage.studies.campaign.run import responses_of

from .lines import Line
from .timing import in_turn, median_ratio

Clock = Callable[[], float]
SCENARIO = Path(__file__).with_name("dispenser.toml")
BATCH, CAMPAIGN = 500, 128 * 160
"""Cases of the batch, as a new user runs them, and of the campaign, enough for programs of many cases."""
CHUNK, CHUNKS = 1024, 1
"""Cases of a chunk, as many as the batch has, and chunks of a turn."""
SETTLED, SECONDS = 2, 30.0
"""Report from which on the rate of a campaign is measured, and the time [s] after which the campaign ends."""
LOADED, GROWTH = 100_000, 60
"""Cases whose results are loaded, and chunks after which the memory of a worker is measured."""
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
    yield from rates(scenario, repeats, clock)
    yield from memory(scenario)
    yield from processes(scenario)


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


def rates(scenario: Any, repeats: int, clock: Clock) -> Iterator[Line]:
    """Time of the chunks of a campaign with the five responses, compared with batches of as many cases.

    All run in turn in this process. A chunk has draws, checks, flights, responses and a file."""
    given = inputs(CHUNK * CHUNKS)

    def batch(samples: bool) -> Any:
        return scenario.run_batch(given, threads=1, samples=samples, together=True, progress=False)

    with tempfile.TemporaryDirectory() as folder:
        task = task_of(scenario, Path(folder))

        def chunks() -> None:
            for k in range(CHUNKS):
                task.answer(Request(Range(CHUNK * k, CHUNK * (k + 1))))

        runs: dict[str, Callable[[], Any]] = {"motion": lambda: batch(False), "flight": lambda: batch(True)}
        runs |= {"responses": lambda: batch(True).values(RESPONSES), "campaign": chunks}
        for run in runs.values():
            run()
        times = in_turn(runs, repeats, clock)
    cases = CHUNK * CHUNKS
    rate = {name: cases / statistics.median(own) for name, own in times.items()}
    for name, label, bound in (("motion", "bare motion", 0.5), ("responses", "batch with responses", 0.9)):
        yield Line(
            f"campaign compared with {label}",
            f"{rate['campaign']:.0f} cases/s",
            f"batch {rate[name]:.0f} cases/s",
            median_ratio(times[name], times["campaign"]),
            at_least=bound,
            accuracy="one process and thread, five responses",
        )
    before = [0.0] * repeats
    for name, label in (
        ("motion", "the motion"),
        ("flight", "keeping the steps"),
        ("responses", "the responses"),
        ("campaign", "draws, checks and files"),
    ):
        added = [one - other for one, other in zip(times[name], before, strict=True)]
        share = median_ratio(added, times["campaign"])
        yield Line(f"  share of {label}", f"{1e3 * statistics.median(added) / cases:.3f} ms/case", "", share)
        before = times[name]


def processes(scenario: Any) -> Iterator[Line]:
    """Cases per second of a whole campaign in one and in two processes, and by Dask, by the wall clock."""
    one = campaign_rate(scenario, jobs=1)
    two = campaign_rate(scenario, jobs=2)
    yield Line("campaign in two processes", f"{two:.0f} cases/s", f"one {one:.0f} cases/s", two / one)
    if importlib.util.find_spec("distributed") is None:
        yield Line("campaign by Dask", "not measured", "dask.distributed is not installed")
        return
    dask = campaign_rate(scenario, jobs=1, dask="local")
    yield Line(
        "campaign by Dask, one process", f"{dask:.0f} cases/s", f"without {one:.0f} cases/s", dask / one
    )


def campaign_rate(scenario: Any, **how: Any) -> float:
    """Cases per second of a campaign after its second chunk, when its programs exist. It ends early."""
    reports: list[tuple[float, float]] = []

    def progress(done: float, total: float | None) -> None:
        if not reports or done > reports[-1][1]:
            reports.append((time.perf_counter(), done))
        if len(reports) > SETTLED + 1 and reports[-1][0] - reports[SETTLED][0] > SECONDS:
            raise KeyboardInterrupt

    with tempfile.TemporaryDirectory() as folder:
        fly_campaign(scenario, study(), folder, progress=progress, **how)
    (begun, first), (end, last) = reports[SETTLED], reports[-1]
    return (last - first) / (end - begun)


def memory(scenario: Any) -> Iterator[Line]:
    """Memory of loaded results for each case, and of a worker from its tenth chunk on."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        count = LOADED // CHUNK
        task = task_of(scenario, folder, CHUNK * count)
        columns = task.flights.fly(0, CHUNK, 1)
        for k in range(count):
            write(folder, columns | {"case": columns["case"] + CHUNK * k}, task.stamp)
        manifest = manifest_of(task.flights.plan, task.flights.names, task.flights.settings, None)
        tracemalloc.start()
        found = open_folder(folder, manifest, print)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        values = len(columns) * 8
        yield Line(
            f"memory of {len(found):,} loaded cases",
            f"{peak / len(found):.0f} B/case",
            f"{len(columns)} values {values} B",
            peak / len(found) / values,
            at_most=1.5,
        )
    with tempfile.TemporaryDirectory() as name:
        task, sizes = task_of(scenario, Path(name)), []
        for k in range(GROWTH):
            task.answer(Request(Range(CHUNK * k, CHUNK * (k + 1))))
            sizes.append(resident())
    early, late = (max(sizes[k : k + 10]) for k in (10, GROWTH - 10))
    yield Line(
        f"memory of a worker after {GROWTH} chunks",
        f"{late / 2**20:.0f} MiB",
        f"after 20 {early / 2**20:.0f} MiB",
        late / early,
        at_most=1.1,
    )


def resident() -> int:
    """Memory [bytes] of this process now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def task_of(scenario: Any, folder: Path, cases: int = CAMPAIGN) -> Task:
    """The task that each process of the campaign has."""
    plan = make_plan(scenario, study_of(study(), cases), None)
    responses = responses_of(plan)
    flights = CaseFlights(plan, responses, *first_flight(plan, responses))
    return Task(flights, folder, manifest_of(plan, flights.names, flights.settings, None).stamp)


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
    return {"cases": CAMPAIGN, "chunk": CHUNK, "dispersions": dispersions, "responses": asked}
