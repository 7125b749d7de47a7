"""Compute the flights of pages of the documentation: figures as SVG, and the playback.

The jobs come as JSON on the standard input, from `flights.py`. A flight is computed again if its scenario or
the program has changed."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import interstage
from interstage.report.figures import figures

PACKAGE = Path(interstage.__file__).parent


def program_state() -> str:
    """Return a text that changes with any source file of the program."""
    return "".join(f"{file.stat().st_mtime_ns}" for file in sorted(PACKAGE.rglob("*.py")))


def make(job: dict[str, Any], program: str) -> None:
    """Run one flight, and write its figures and its playback, except if they are current."""
    folder = Path(job["folder"])
    changes = dict(one.split("=", 1) for one in job["set"].split("; ") if one)
    scenario = interstage.load(folder / job["file"], set=changes)
    key = hashlib.sha256((scenario.to_toml() + program).encode()).hexdigest()
    stamp = folder / "key.txt"
    if stamp.exists() and stamp.read_text() == key:
        return
    flight = scenario.run()
    listed = []
    for number, figure in enumerate(figures(flight.record)):
        file = f"{job['name']}-{number}.svg"
        figure.save(folder / file)
        listed.append((file, figure.caption))
    flight.playback(folder / "flight.playback.html")
    (folder / "figures.json").write_text(json.dumps(listed))
    stamp.write_text(key)


def main() -> None:
    """Run all jobs."""
    program = program_state()
    for job in json.load(sys.stdin):
        make(job, program)


if __name__ == "__main__":
    main()
