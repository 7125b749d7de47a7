"""Devices on which a campaign runs: the processor, or the GPUs of this machine.

Each process of a campaign uses one device. The process that starts the others finds the GPUs by another
process, so that it does not reserve memory of a GPU.
"""

from __future__ import annotations

import functools
import os
import subprocess
from collections.abc import Mapping

from ...programs.workers import begin_process
from ...tree.errors import BadInput, Problem
from ...tree.similar_names import near

CPU, GPU = "cpu", "gpu"
DEVICES = (CPU, GPU)
"""Kinds of devices that a user can choose."""
VISIBLE = ("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES")
"""Environment variables that restrict the GPUs of a process: NVIDIA and AMD."""
PLATFORMS = "JAX_PLATFORMS"
"""Environment variable of JAX. With an empty value, JAX uses a GPU if it finds one."""
COUNT = """
try:
    import jax
    count = len(jax.devices("gpu"))
except (ImportError, RuntimeError):
    count = 0
print(count)
"""
PATIENCE = 120.0
"""Timeout [s] of the search for GPUs."""


def check_device(device: str) -> None:
    """Check the name of a kind of device. Raises BadInput if it is neither "cpu" nor "gpu"."""
    if device not in DEVICES:
        hint = near(device, DEVICES, "allowed")
        raise BadInput(Problem("--device", f"'{device}' is not a known device; {hint}"))


def environments(device: str, count: int) -> list[Mapping[str, str]]:
    """Return the additional environment variables of each process of a campaign.

    - device: "cpu" or "gpu".
    - count: largest number of processes.

    With "gpu", there is one process for each GPU. Raises BadInput if JAX finds no GPU.
    """
    if device == CPU:
        return [{PLATFORMS: CPU}] * count
    found = gpus()
    if not found:
        text = "JAX finds no GPU on this machine. Install JAX for the GPU, for example"
        raise BadInput(Problem("--device", f"{text} pip install 'jax[cuda12]', or use --device cpu"))
    return [{PLATFORMS: "", **dict.fromkeys(VISIBLE, name)} for name in found[:count]]


@functools.cache
def gpus() -> list[str]:
    """Return the names of the GPUs that JAX can use, as the variables `VISIBLE` take them.

    If such a variable is set, as by a scheduler, the names are its entries. Otherwise they are 0, 1, ...
    """
    process = begin_process(COUNT, {PLATFORMS: ""})
    try:
        answer, _ = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return []
    words = answer.decode().split()
    count = int(words[-1]) if words and words[-1].isdigit() else 0
    given = next((os.environ[name] for name in VISIBLE if os.environ.get(name)), "")
    names = [name.strip() for name in given.split(",") if name.strip()] or [str(k) for k in range(count)]
    return names[:count]
