"""The benchmark: one line per target, ours compared with a peer's, with the accuracy of both.

Each part is a process of its own, in which ours and the peer's run in turn; ratios are medians of the turns.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

# The CPU's lines are the CPU's, also on a machine with a GPU: that one is measured in a process of its own.
os.environ.setdefault("JAX_PLATFORMS", "cpu")

from . import gpu
from .beams import beams
from .bimese import bimese
from .boosters import boosters
from .campaign import campaign
from .chains import chains
from .formulations import formulations
from .guest import guest
from .linear import linear
from .lines import HEADER, Line, read_lines, row, summary
from .optimum import optimum
from .point import point
from .processes import finished
from .rocket import rocket
from .sight import sight
from .start_up import start_up
from .sweeps import sweeps
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

    yield line("single, Baumgarte, compared with MuJoCo", "ours", "mujoco", "MuJoCo", at_most=0.5)
    yield line("single, Baumgarte, compared with Numba", "ours", "numba", "Numba", at_most=2.0)
    yield line("  the same, algebra by hand too", "ours", "by hand", "Numba")
    yield line("single, projection, compared with Baumgarte", "projected", "ours", "Baumgarte", at_most=1.5)


def batch(repeats: int, clock: Clock) -> Iterator[Line]:
    """1000 flights with initial velocities of their own, on two threads."""
    import numpy as np

    from . import case, ours, peer_mujoco, peer_numba

    del clock  # two threads: only the wall's time states how long they take together
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
    for name, label, bounds in (
        ("mujoco", "MuJoCo", {"at_least": 10.0}),
        ("numba", "Numba", {"at_least": 1.0}),
    ):
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


PARTS: dict[str, Callable[[int, Clock], Iterator[Line]]] = {
    "single": single,
    "batch": batch,
    "gpu": on_gpu,
    "formulations": formulations,
    "rocket": rocket,
    "point": point,
    "guest": guest,
    "linear": linear,
    "chains": chains,
    "beams": beams,
    "boosters": boosters,
    "sweeps": sweeps,
    "campaign": campaign,
    "optimum": optimum,
    "bimese": bimese,
    "sight": sight,
}
START_UP = "start-up"
NAMES = (START_UP, *PARTS)
LONG = ("chains", "beams", "boosters", "sweeps", "campaign", "optimum", "bimese", "sight")
"""Parts that are measured where they are asked for: they take the ten minutes for themselves."""
USUAL = tuple(name for name in NAMES if name not in LONG)
MINUTES = 10.0
"""Default time for all parts [min]."""
START_UP_SHARE = 0.5
"""Part of the time in which the start-up begins further turns; the first turn is always measured. Start-up
and the single flight are measured first, so that a slow machine leaves out other parts."""
MEMORY = 4.0
"""What a part may take of memory, by its largest process [GiB]."""


def about() -> str:
    """The machine and the versions."""
    names = "jax", "mujoco-core", "numba", "exudyn", "scipy", "jsbsim"
    packages = ", ".join(f"{name} {_version(name)}" for name in names)
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{platform.machine()}, {os.cpu_count()} cores{load}; Python {platform.python_version()}, {packages}"
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "missing"


def show(line: Line) -> None:
    print(row(line.cells()))
    sys.stdout.flush()


def in_own_process(part: str, options: argparse.Namespace, seconds: float) -> tuple[bool, list[Line]]:
    """Measure a part in a process of its own, which is stopped after `seconds`.

    Returns whether the part succeeded, and its lines."""
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "lines.json"
        fine, closing = _process(part, options, seconds, kept)
        found = [*read_lines(kept.read_text() if kept.exists() else ""), *closing]
    return fine, found


def _process(part: str, options: argparse.Namespace, seconds: float, kept: Path) -> tuple[bool, list[Line]]:
    """Run the process of a part. Returns whether it succeeded, and the lines about the process itself."""
    share = START_UP_SHARE if part == START_UP and len(options.parts) != 1 else 1.0
    command = [sys.executable, "-m", "benchmarks", part, "--repeats", str(options.repeats)]
    command += ["--cpu-clock"] * options.cpu_clock + ["--lines", str(kept)]
    command += ["--here", str(max(seconds * share - MARGIN, 0.0))]
    process = subprocess.Popen(command, start_new_session=True)
    over: list[bool] = []

    def end() -> None:
        over.append(True)
        os.killpg(process.pid, signal.SIGKILL)

    timer = threading.Timer(seconds, end)
    timer.start()
    try:
        code, _, memory = finished(process)
    except BaseException:
        end()
        raise
    finally:
        timer.cancel()
    closing = []
    if over:
        closing.append(
            Line(f"{part}: not finished", f"time was up; {part} alone: make bench ONLY={part}", "")
        )
    elif code:
        closing.append(Line(f"{part}: failed", f"exit code {code}", ""))
    gibibytes = memory / 2**30
    closing.append(Line(f"{part}: memory", f"{gibibytes:.2f} GiB", "", gibibytes, at_most=MEMORY))
    for line in closing:
        show(line)
    return bool(over) or code == 0, closing


MARGIN = 10.0
"""Time [s] that a part is to be done before it would be ended."""


def parser() -> argparse.ArgumentParser:
    """The options of the command line."""
    made = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    known = ", ".join(NAMES)
    made.add_argument(
        "parts", nargs="*", metavar="part", help=f"any of {known}, or all. Default: {', '.join(USUAL)}"
    )
    made.add_argument("--repeats", type=int, default=REPEATS, help="number of turns; the table has medians")
    made.add_argument("--minutes", type=float, default=MINUTES, help="time for all parts. Default: 10")
    made.add_argument(
        "--cpu-clock",
        action="store_true",
        help="measure processor time, for a busy machine; not for 'batch', 'gpu' and 'start-up'",
    )
    made.add_argument("--json", type=Path, metavar="FILE", help="write all lines with their verdicts to FILE")
    made.add_argument("--here", type=float, metavar="SECONDS", help=argparse.SUPPRESS)
    made.add_argument("--lines", type=Path, metavar="FILE", help=argparse.SUPPRESS)
    return made


def main() -> None:
    """Measure the parts named on the command line; by default all but the long ones."""
    command_line = parser()
    options = command_line.parse_args()
    unknown = [part for part in options.parts if part not in (*NAMES, "all")]
    if unknown:
        command_line.error(
            f"no part is called {', '.join(unknown)}; the parts are {', '.join(NAMES)}, and all"
        )
    if options.repeats < 1:
        command_line.error("--repeats must be at least 1")
    if options.here is not None:
        measure(options.parts[0], options)
        return
    fine, found = measure_all(options)
    print(f"\n{summary(found)}", flush=True)
    if options.json:
        rows = [line.as_dict() | {"part": part} for part, lines in found.items() for line in lines]
        options.json.write_text(json.dumps({"machine": about(), "lines": rows}, indent=1) + "\n")
    sys.exit(0 if fine else 1)


def measure_all(options: argparse.Namespace) -> tuple[bool, dict[str, list[Line]]]:
    """Measure each part while time is left. Returns whether all succeeded, and the lines of each part."""
    end = time.monotonic() + 60.0 * options.minutes
    print(about())
    print(row(HEADER), flush=True)
    fine, found = True, {}
    for part in NAMES if "all" in options.parts else options.parts or USUAL:
        if (left := end - time.monotonic()) <= MARGIN:
            found[part] = [
                Line(f"{part}: not begun", f"time was up; {part} alone: make bench ONLY={part}", "")
            ]
            show(found[part][0])
            continue
        succeeded, found[part] = in_own_process(part, options, left)
        fine &= succeeded
    return fine, found


def measure(part: str, options: argparse.Namespace) -> None:
    """Print the lines of a part, measured in this process."""
    clock = time.process_time if options.cpu_clock else time.perf_counter
    found = (
        start_up(options.repeats, options.here) if part == START_UP else PARTS[part](options.repeats, clock)
    )
    try:
        for line in found:
            show(line)
            if options.lines:
                with options.lines.open("a") as kept:
                    kept.write(json.dumps(line.as_dict()) + "\n")
    except ModuleNotFoundError as missing:
        sys.exit(f"{missing.name} is not installed; `make bench` installs the peers of the parts")
