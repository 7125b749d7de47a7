"""`make fuzz`: every module of the standing fuzz. Exit code 1 if a case has a fault."""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from .runner import CASES, LIMIT, QUICK, drawn, modules, preload, run


def main() -> int:
    """Run the modules, print each fault with its command, and keep the files of a fault."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("only", nargs="*", help="Modules to run. Default: all.")
    parser.add_argument("--cases", type=int, help="Cases of each module. Default: the module's number.")
    parser.add_argument("--quick", action="store_true", help="Run the cases of the normal tests.")
    parser.add_argument("--seed", type=int, default=8, help="Seed of the random numbers. Default: 8.")
    parser.add_argument("--folder", type=Path, help="Folder of the files. Default: a temporary one.")
    options = parser.parse_args()
    preload()
    if options.folder is not None:
        return _all(options, options.folder)
    with tempfile.TemporaryDirectory(prefix="interstage-fuzz-") as folder:
        return _all(options, Path(folder))


def _all(options: Any, folder: Path) -> int:
    faults = 0
    for name, module in modules(options.only).items():
        faults += _module(name, module, folder / name, options)
    return 1 if faults else 0


def _module(name: str, module: Any, folder: Path, options: Any) -> int:
    usual = getattr(module, "QUICK", QUICK) if options.quick else getattr(module, "CASES", CASES)
    count = options.cases or usual
    limit, began, faults, codes = getattr(module, "LIMIT", LIMIT), time.monotonic(), 0, {}
    slowest = 0.0
    for label, command in drawn(name, module, folder, count, options.seed):
        outcome = run(command, limit)
        codes[outcome.code] = codes.get(outcome.code, 0) + 1
        slowest = max(slowest, outcome.seconds)
        if outcome.fault:
            faults += 1
            print(f"{name}: {label}: {outcome.fault}\n    interstage {shlex.join(command)}", flush=True)
    ends = ", ".join(f"{number} with exit code {code}" for code, number in sorted(codes.items(), key=str))
    spent = f"{time.monotonic() - began:.0f} s, the slowest {slowest:.1f} s"
    print(f"{name}: {sum(codes.values())} cases ({ends}), {faults} faults; {spent}", flush=True)
    return faults


if __name__ == "__main__":
    sys.exit(main())
