"""What the responses of many cases cost: a batch of a dispenser with four springs, and a campaign of it.

Responses are compared with the flights themselves, a campaign with bare flights and with a batch that has the
same responses."""

from __future__ import annotations

import importlib.util
import math
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
from interstage.maths.arrays import jax
from interstage.runs.lot import Lot, LotSettings
from interstage.studies.campaign.chunk_file import write
from interstage.studies.campaign.chunk_size import WIDEST
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
"""Cases of a chunk, as many as the batch has and as the campaign chooses, and chunks of a turn."""
SETTLED, SECONDS = 2, 30.0
"""Report from which on the rate of a campaign is measured, and the time [s] after which the campaign ends."""
LOADED, GROWTH = 100_000, 60
"""Cases whose results are loaded, and chunks after which the memory of a worker is measured."""
PAIR = "pairs.dispenser.satellite"
ARITHMETIC = {
    *(
        "add",
        "sub",
        "mul",
        "div",
        "neg",
        "abs",
        "max",
        "min",
        "select_n",
        "sqrt",
        "rsqrt",
        "sin",
        "cos",
        "atan2",
    ),
    *("exp", "log", "pow", "integer_pow", "lt", "gt", "le", "ge", "dot_general", "reduce_sum"),
}
"""Operations that count as arithmetic."""
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
    yield from limits(scenario, clock)
    yield from peers(scenario, repeats, clock)
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


def limits(scenario: Any, clock: Clock) -> Iterator[Line]:
    """What limits the motion: waiting for other cases of a group, bytes, or operations."""
    lot = Lot(scenario, inputs(CHUNK), strict=False, settings=LotSettings(WIDEST, {"": np.inf}, True))

    def fly() -> list[Any]:
        return [chunks[""] for chunks in lot.flown(1, lambda chunks: chunks)[0]]

    fly()
    begun = clock()
    groups = fly()
    seconds = clock() - begun
    own = np.mean([np.mean(one.cursor.accepted + one.cursor.rejected) for one in groups])
    passes = float(np.mean([sum(count for _, count in one.rows) for one in groups]))
    size = sum(leaf.nbytes for one in groups for leaf in jax.tree.leaves(one.rows) if hasattr(leaf, "nbytes"))
    program, one = lot.legs[""].program, groups[0]
    traced = program.advance.trace(one.scenario, one.start.reference, 0.0, one.cursor)
    done = operations(traced.jaxpr) / WIDEST
    yield Line("  steps of a case and of its group", f"{own:.1f}", f"{passes:.1f}", own / passes)
    rate = size / seconds
    wide, small = np.zeros(2**25), np.ones(4096)
    read = 2 * wide.nbytes / best(lambda: wide + 1.0, clock)
    added = small.size * 1000 / best(lambda: adds(small), clock)
    yield Line("  bytes written", f"{size / CHUNK / 1e3:.0f} kB/case", "", accuracy=f"{rate / 1e9:.2f} GB/s")
    yield Line("  memory of this machine", f"{read / 1e9:.1f} GB/s", "")
    per_second = done * passes * CHUNK / seconds
    text = f"{per_second / 1e9:.2f} G/s"
    yield Line("  operations of a step, each loop once", f"{done:.0f} a case", "", accuracy=text)
    yield Line("  additions of this machine", f"{added / 1e9:.1f} G/s", "", accuracy="in the cache")


def peers(scenario: Any, repeats: int, clock: Clock) -> Iterator[Line]:
    """A campaign compared with motions of MuJoCo, and with its distances of the same boxes."""
    if importlib.util.find_spec("mujoco") is None:
        yield Line("campaign compared with MuJoCo", "not measured", "mujoco is not installed")
        return
    from . import campaign_mujoco as peer

    preloads = np.stack([values for path, values in inputs(CHUNK).items() if "spring" in path], axis=1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "boxes.toml"
        path.write_text(
            SCENARIO.read_text(encoding="utf-8") + boxes(peer.BOXES, peer.SIZES), encoding="utf-8"
        )
        least = ("clearance.gap.distance", "min")
        plain = task_of(scenario, folder)
        near = task_of(load(path), folder, asked=(*RESPONSES, least))
        models = {False: peer.Model(False), True: peer.Model(True)}
        runs: dict[str, Callable[[], Any]] = {
            "campaign": lambda: plain.flights.fly(0, CHUNK, 1),
            "motion": lambda: models[False].fly_batch(preloads),
            "campaign with distances": lambda: near.flights.fly(0, CHUNK, 1),
            "motion and distances": lambda: models[True].fly_batch(preloads),
        }
        found = [run() for run in runs.values()]
        times = in_turn(runs, repeats, clock)
    own, speeds = found[0]["response.response_0"], found[1][0]
    same = f"mean speeds differ by {abs(own.mean() / speeds.mean() - 1):.0e}"  # of other masses
    gap = f"least distances {found[2]['response.response_5'].min():.4f} m, {found[3][1].min():.4f} m"
    for ours, theirs, label, accuracy in (
        ("campaign", "motion", "campaign compared with MuJoCo's motion", same),
        ("campaign with distances", "motion and distances", "the same with distances of two boxes", gap),
    ):
        rate = [CHUNK / statistics.median(times[one]) for one in (ours, theirs)]
        ratio = median_ratio(times[theirs], times[ours])
        yield Line(label, f"{rate[0]:.0f} cases/s", f"{rate[1]:.0f} cases/s", ratio, accuracy=accuracy)


def boxes(middles: np.ndarray, sizes: np.ndarray) -> str:
    """Boxes of both bodies, and their clearance, as text of a scenario."""
    text = ""
    for body, middle, size in zip(("dispenser", "satellite"), middles.tolist(), sizes.tolist(), strict=True):
        text += f'\n[bodies.{body}.shapes.box]\nkind = "box"\nat = "{middle} m"\nsize = "{size} m"\n'
    return f'{text}\n[clearance.gap]\nbetween = ["dispenser", "satellite"]\nafter = "free"\n'


def operations(jaxpr: Any) -> int:
    """Arithmetic results of a program, where each loop runs once."""
    found = 0
    for one in jaxpr.eqns:
        inner = [p for p in jax.tree.leaves(list(one.params.values()), is_leaf=is_program) if is_program(p)]
        if inner:
            found += sum(operations(getattr(part, "jaxpr", part)) for part in inner)
        elif one.primitive.name in ARITHMETIC:
            found += sum(math.prod(result.aval.shape) for result in one.outvars)
    return found


def is_program(value: Any) -> bool:
    """Whether a parameter of an equation is a program, such as the body of a loop."""
    return hasattr(value, "jaxpr") or hasattr(value, "eqns")


def best(run: Callable[[], Any], clock: Clock) -> float:
    """The shortest time [s] of some runs."""
    times = []
    for _ in range(5):
        begun = clock()
        run()
        times.append(clock() - begun)
    return min(times)


def adds(values: np.ndarray) -> None:
    """Add an array to itself a thousand times."""
    for _ in range(1000):
        np.add(values, 1.0, out=values)


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
        task, sizes = task_of(scenario, Path(name), CHUNK * GROWTH), []
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


def task_of(scenario: Any, folder: Path, cases: int = CAMPAIGN, asked: Any = RESPONSES) -> Task:
    """The task that each process of the campaign has."""
    plan = make_plan(scenario, study_of(study(asked), cases), None)
    responses = responses_of(plan)
    flights = CaseFlights(plan, responses, *first_flight(plan, responses))
    return Task(flights, folder, manifest_of(plan, flights.names, flights.settings, None).stamp)


def study(asked: Any = RESPONSES) -> dict[str, Any]:
    """The same dispersions and responses as a study."""
    dispersions = {
        f"input_{k}": {"path": path, "distribution": "normal", "sigma": f"{sigma} {unit}"}
        for k, ((path, (_, sigma)), unit) in enumerate(zip(SIGMAS.items(), ["N"] * 4 + ["kg"], strict=True))
    }
    responses = {
        f"response_{k}": {"quantity": path} | ({"take": at} if at in ("max", "min") else {"at": at})
        for k, (path, at) in enumerate(asked)
    }
    return {"cases": CAMPAIGN, "dispersions": dispersions, "responses": responses}
