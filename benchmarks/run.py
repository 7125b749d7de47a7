"""The benchmark: one line per target, ours beside a peer's, with the accuracy of both.

Ratios come from one process in which ours and the peer's run in turn; each is the median of its turns.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version

# The CPU's lines are the CPU's, also on a machine with a GPU: that one is measured in a process of its own.
os.environ.setdefault("JAX_PLATFORMS", "cpu")

from . import gpu, start_up
from .boosters import boosters
from .chains import chains
from .formulations import formulations
from .lines import HEADER, Line, row
from .rocket import rocket
from .timing import REPEATS, in_turn, median_ratio

Clock = Callable[[], float]

BATCH = 1000
THREADS = 2
MUJOCO_STEPS = 500
"""MuJoCo's batch flies this many of the 10,000 steps, its time is scaled: all would take a minute."""
CHECKED = 8
"""Cases of a batch whose ends are compared with converged ones."""


def milliseconds(times: list[float]) -> str:
    return f"{1e3 * statistics.median(times):.2f} ms"


def single(repeats: int, clock: Clock) -> Iterator[Line]:
    """One flight with the report's settings, 10,000 steps of RK4, 1001 states kept."""
    from . import case, ours, peer_mujoco, peer_numba

    runs: dict[str, Callable] = {
        "ours": ours.prepare("baumgarte"),
        "projected": ours.prepare("projection"),
        "mujoco": peer_mujoco.Model().fly,
        "numba": peer_numba.fly,
        "by hand": lambda: peer_numba.fly(function=peer_numba.rates_by_hand),
    }
    states = {name: run() for name, run in runs.items()}
    accuracy = {
        name: f"{case.error_at_end(s[-1, 0, :3]):.1e} ft, gap {case.joint_gap(s):.0e} ft"
        for name, s in states.items()
    }
    times = in_turn(runs, repeats, clock)

    def line(name: str, one: str, other: str, label: str, **bounds: float) -> Line:
        shown = f"{label} {milliseconds(times[other])}"
        both = f"ours {accuracy[one]}; {label} {accuracy[other]}"
        return Line(
            name,
            milliseconds(times[one]),
            shown,
            median_ratio(times[one], times[other]),
            accuracy=both,
            **bounds,
        )

    yield line("single, Baumgarte, beside MuJoCo", "ours", "mujoco", "MuJoCo", at_most=0.5)
    yield line("single, Baumgarte, beside Numba", "ours", "numba", "Numba", at_most=2.0)
    yield line("  the same, algebra by hand too", "ours", "by hand", "Numba")
    yield line("single, projection, beside Baumgarte", "projected", "ours", "Baumgarte", at_most=1.5)


def batch(repeats: int, clock: Clock) -> Iterator[Line]:
    """1000 flights with initial velocities of their own, on two threads."""
    import numpy as np

    from . import case, ours, peer_mujoco, peer_numba

    del clock  # two threads: only the wall's time says how long they take together
    states = case.initial_states(BATCH)
    few = states[:CHECKED]
    truth = peer_numba.fly_batch(few, case.STEPS, THREADS, refine=8)[:, 0, :3]
    fly, model = ours.prepare_batch(states, THREADS), peer_mujoco.Model()

    def error(ends) -> str:
        return f"{np.max(np.linalg.norm(ends[:CHECKED, 0, :3] - truth, axis=-1)) / case.FOOT:.1e} ft"

    accuracy = {
        "ours": error(fly()),
        "mujoco": error(model.fly_batch(few, case.STEPS, THREADS)),
        "numba": error(peer_numba.fly_batch(few, case.STEPS, THREADS)),
    }
    times = in_turn(
        {
            "ours": fly,
            "mujoco": lambda: model.fly_batch(states, MUJOCO_STEPS, THREADS),
            "numba": lambda: peer_numba.fly_batch(states, case.STEPS, THREADS),
        },
        repeats,
    )
    times["mujoco"] = [t * case.STEPS / MUJOCO_STEPS for t in times["mujoco"]]
    rate = {name: f"{BATCH / statistics.median(t):.0f} cases/s" for name, t in times.items()}
    for name, label, bounds in (("mujoco", "MuJoCo", {"at_least": 10.0}), ("numba", "Numba", {})):
        both = f"ours {accuracy['ours']}; {label} {accuracy[name]}"
        ratio = median_ratio(times[name], times["ours"])
        yield Line(
            f"batch of {BATCH}, {THREADS} threads",
            rate["ours"],
            f"{label} {rate[name]}",
            ratio,
            accuracy=both,
            **bounds,
        )
    right_hand_sides = BATCH * case.STEPS * case.STAGES / statistics.median(times["ours"])
    yield Line("  right-hand sides", f"{right_hand_sides / 1e6:.1f} M/s", "")


def on_gpu(repeats: int, clock: Clock) -> Iterator[Line]:
    """100,000 flights at once on a GPU, where there is one."""
    del repeats, clock
    environment = os.environ.pop("JAX_PLATFORMS", None)
    found = gpu.in_own_process()
    if environment is not None:
        os.environ["JAX_PLATFORMS"] = environment
    name = f"batch of {gpu.COUNT:,} on a GPU"
    if found["device"] is None:
        yield Line(name, "not measured", found.get("failure") or "no GPU that JAX can use here")
        return
    rate, error = float(found["rate"] or 0), float(found["error"] or 0)
    yield Line(
        name, f"{rate / 1e6:.0f} M rhs/s", str(found["device"]), accuracy=f"{error:.1e} ft from Numba's"
    )


def start(repeats: int, clock: Clock) -> Iterator[Line]:
    """`interstage run` of the demo from the shell."""
    del clock
    times = start_up.measure(repeats)
    base = f"imports only {statistics.median(times['imports']):.2f} s"
    for name, label, bound in (
        ("second", "run of the demo (goal 1.5)", 3.0),
        ("first", "  first run, empty cache", 8.0),
    ):
        ratio = median_ratio(times[name], times["imports"])
        yield Line(label, f"{statistics.median(times[name]):.2f} s", base, ratio, at_most=bound)


PARTS: dict[str, Callable[[int, Clock], Iterator[Line]]] = {
    "single": single,
    "batch": batch,
    "gpu": on_gpu,
    "start": start,
    "chains": chains,
    "formulations": formulations,
    "rocket": rocket,
    "boosters": boosters,
}


def about() -> str:
    """The machine and the versions."""
    names = "jax", "mujoco", "numba", "exudyn", "scipy", "jsbsim"
    packages = ", ".join(f"{name} {version(name)}" for name in names)
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{platform.machine()}, {os.cpu_count()} cores{load}; Python {platform.python_version()}, {packages}"
    )


def main() -> None:
    """Measure the parts named on the command line, all of them by default."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"any of {', '.join(PARTS)}; all by default")
    parser.add_argument("--repeats", type=int, default=REPEATS, help="turns; medians are shown")
    parser.add_argument(
        "--cpu-clock",
        action="store_true",
        help="clock of all but 'batch', 'gpu' and 'start' counts processor time only (busy machine)",
    )
    options = parser.parse_args()
    clock = time.process_time if options.cpu_clock else time.perf_counter
    unknown = [part for part in options.parts if part not in PARTS]
    if unknown:
        parser.error(f"no part is called {', '.join(unknown)}; there are {', '.join(PARTS)}")
    print(about())
    print(row(HEADER))
    for part in options.parts or PARTS:
        for line in PARTS[part](options.repeats, clock):
            print(row(line.cells()))
            sys.stdout.flush()
