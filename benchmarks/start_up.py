"""How long `interstage run` of the demo takes from the shell, beside a Python process that only imports."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from .timing import REPEATS, in_turn

ROOT = Path(__file__).resolve().parents[1]
DEMO = ROOT / "examples" / "payload_separation.toml"
IMPORTS = "import jax, xarray, pydantic, pint"


def call(*arguments: str, cache: str | Path | None = None) -> None:
    """Run Python with `arguments`; compiled programs are kept under the folder `cache`."""
    environment = {key: value for key, value in os.environ.items() if key != "JAX_COMPILATION_CACHE_DIR"}
    if cache is not None:
        environment["XDG_CACHE_HOME"] = str(cache)
    done = subprocess.run(
        [sys.executable, *arguments], env=environment, capture_output=True, text=True, cwd=ROOT
    )
    # 3: the flight was flown, a requirement of the scenario is broken.
    if done.returncode not in (0, 3):
        raise RuntimeError(f"python {' '.join(arguments)} ended with {done.returncode}: {done.stderr[-500:]}")


def demo(folder: str, cache: str | Path) -> None:
    """Fly the demo and save its flight in `folder`."""
    call("-m", "interstage", "run", str(DEMO), "-o", str(Path(folder) / "flight.nc"), cache=cache)


def first(folder: str) -> None:
    """The demo with nothing in the cache."""
    with tempfile.TemporaryDirectory() as empty:
        demo(folder, empty)


def measure(repeats: int = REPEATS) -> dict[str, list[float]]:
    """Wall times [s] of the imports, of a first and of a second run, in turn."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
        call("-c", IMPORTS)
        demo(folder, cache)
        return in_turn(
            {
                "imports": lambda: call("-c", IMPORTS),
                "second": lambda: demo(folder, cache),
                "first": lambda: first(folder),
            },
            repeats,
        )
