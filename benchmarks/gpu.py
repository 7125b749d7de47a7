"""100,000 cases on a GPU: right-hand sides per second. Run as a process of its own, which sees the GPU."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys

COUNT = 100_000
DURATION = 1.0
"""Time flown [s]; the cost of a step does not change with time."""


def device() -> str | None:
    """Name of the GPU that JAX can use, None where there is none."""
    import jax

    try:
        return jax.devices("gpu")[0].device_kind
    except RuntimeError:
        return None


def measure(count: int = COUNT, repeats: int = 5) -> dict[str, float | str | None]:
    """Fly `count` cases at once on JAX's default device: its name, the rate [1/s] and the error [ft]."""
    import numpy as np

    from . import case, ours, peer_numba
    from .timing import in_turn

    states = case.initial_states(count)
    fly = ours.prepare_at_once(states, DURATION)
    ends = fly()
    steps = round(DURATION / case.STEP)
    few = slice(0, 8)
    limit = peer_numba.fly_batch(states[few], steps)
    seconds = statistics.median(in_turn({"ours": fly}, repeats)["ours"])
    return {
        "device": device(),
        "rate": count * steps * case.STAGES / seconds,
        "error": float(np.max(np.abs(ends[few, :, :3] - limit[:, :, :3]))) / case.FOOT,
    }


def in_own_process() -> dict[str, float | str | None]:
    """`measure` in a process that uses the GPU, or a device of None."""
    done = subprocess.run([sys.executable, "-m", "benchmarks.gpu"], capture_output=True, text=True)
    if done.returncode != 0:
        return {
            "device": None,
            "failure": done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no output",
        }
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    print(json.dumps(measure() if device() is not None else {"device": None}))
