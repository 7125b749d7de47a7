"""Times of `interstage run` and `check` from the shell, compared with a process that only imports."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from .lines import Line
from .processes import ROOT, Took, call
from .timing import median_ratio

IMPORTS = "import jax, xarray, pydantic, pint"
FLOWN = (0, 3)
"""Exit codes of a flight that was flown: 3 where a requirement of the scenario is broken."""
FIRST_REPORT, SECOND_REPORT = "first run, report", "second run, report"
FIRST, SECOND, CHECK = "first run, no report", "second run, no report", "check"
CHECKED = 0.5
"""Times of the imports that `check` may take."""


class Answer(NamedTuple):
    """A file, and how many times the imports its answers may take: the first and the second run with a
    report, and the second without one. None where no bound is set. reported: whether reports are written."""

    file: Path
    first: float | None = None
    second: float | None = None
    alone: float | None = None
    reported: bool = True

    def bound(self, way: str) -> float | None:
        bounds = {FIRST_REPORT: self.first, SECOND_REPORT: self.second, SECOND: self.alone}
        return CHECKED if way == CHECK else bounds.get(way)


EXAMPLES = ROOT / "examples"
ANSWERS = {
    "first": Answer(EXAMPLES / "first.toml", 1.3, 1.3, 1.3),
    "payload_separation": Answer(EXAMPLES / "payload_separation.toml", 1.3, 1.3, 1.3),
    "clampband_payload": Answer(EXAMPLES / "clampband_payload.toml", 2.5, 1.5, 1.5),
    "inline_staging": Answer(EXAMPLES / "inline_staging.toml", 4, 1.5, 1.5),
    "ascent": Answer(EXAMPLES / "ascent.toml", 7, 2, 2),
    "mission": Answer(EXAMPLES / "mission.toml", 4, 2),
    "two_stages": Answer(ROOT / "benchmarks" / "two_stages.toml", 12, 3, 2.5),
    "bimese_tsto": Answer(ROOT / "validation" / "bimese-tsto" / "scenario.toml", 15, 2.5),
    "boosters": Answer(ROOT / "validation" / "sts1-srb" / "scenario.toml", reported=False),
}
GUESS = 60.0
"""Time [s] that a turn of a file may take which had none yet."""

Times = dict[str, list[Took]]


def turn(answer: Answer) -> dict[str, Took]:
    """Each way once, and the imports; a first run is one with nothing kept."""
    found, file = {}, str(answer.file)
    with tempfile.TemporaryDirectory() as folder:
        flight, page = str(Path(folder) / "flight.nc"), str(Path(folder) / "page.html")
        run = "-m", "interstage", "run", file, "-o", flight
        once = partial(call, *run, fine=FLOWN)
        kept, empty = Path(folder) / "kept", Path(folder) / "empty"
        found["imports"] = call("-c", IMPORTS, cache=empty)
        found[CHECK] = call("-m", "interstage", "check", file, cache=empty)
        found[FIRST] = once(cache=kept)
        found[SECOND] = once(cache=kept)
        if answer.reported:
            report = partial(call, *run, "--report", page, fine=FLOWN)
            found[SECOND_REPORT] = report(cache=kept)
            found[FIRST_REPORT] = report(cache=empty)
    return found


def fill_bytecode() -> None:
    """Let a flight with its report be run uncounted, so that Python has compiled what is imported, and the
    system has read it."""
    with tempfile.TemporaryDirectory() as folder:
        call("-m", "compileall", "-q", str(ROOT / "src"), cache=folder)
        call("-c", IMPORTS, cache=folder)
        flown = str(ANSWERS["first"].file), "-o", f"{folder}/flight.nc", "--report", f"{folder}/page.html"
        call("-m", "interstage", "run", *flown, cache=folder, fine=FLOWN)


def measure(repeats: int, seconds: float, names: tuple[str, ...] = tuple(ANSWERS)) -> dict[str, Times]:
    """What each way of each file took, in turns. After the first turn, none is begun that would end after
    `seconds`."""
    begun, found, longest = time.perf_counter(), {name: {} for name in names}, dict.fromkeys(names, GUESS)
    fill_bytecode()
    for number in range(1, repeats + 1):
        for name in names:
            start = time.perf_counter()
            if number > 1 and start - begun + longest[name] > seconds:
                continue
            for way, took in turn(ANSWERS[name]).items():
                found[name].setdefault(way, []).append(took)
            longest[name] = time.perf_counter() - start
            print(f"turn {number} of {name}: {longest[name]:.0f} s", file=sys.stderr)
    return found


def lines(name: str, times: Times) -> Iterator[Line]:
    """The lines of one file: ratios by the wall's clock, and by the processor's."""
    if not times:
        yield Line(name, "not measured", "time was up")
        return
    base = times["imports"]
    for way in (FIRST_REPORT, SECOND_REPORT, FIRST, SECOND, CHECK):
        if way not in times:
            continue
        found, bound = times[way], ANSWERS[name].bound(way)
        cpu = median_ratio([t.cpu for t in found], [t.cpu for t in base])
        memory = max(t.memory for t in found) / 2**30
        yield Line(
            f"{'' if bound else '  '}{name}: {way}",
            f"{statistics.median(t.wall for t in found):.2f} s",
            f"imports {statistics.median(t.wall for t in base):.2f} s",
            median_ratio([t.wall for t in found], [t.wall for t in base]),
            at_most=bound,
            accuracy=f"processor time {cpu:.3g}; {memory:.2f} GiB; turns: {len(found)}",
        )


def start_up(repeats: int, seconds: float) -> Iterator[Line]:
    """All files."""
    for name, times in measure(repeats, seconds).items():
        yield from lines(name, times)
