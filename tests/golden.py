"""Golden records: every series and every event of these flights beside those that another checkout flies.

    make golden BEFORE=../checkout-of-before            # all flights
    .venv/bin/python tests/golden.py BEFORE ascent      # some of them

Both fly the files of this checkout, each in a process of its own with its own sources; of what the other one
cannot read, it flies its own. A line a flight: the
largest difference of any series, relative to the largest value of that series, and where; the same of the
motion of the bodies alone; the largest difference of an event's time. What is off by more than --at-most and
ten times the flight's own tolerance is told, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = tuple(sorted(path.stem for path in (ROOT / "examples").glob("*.toml")))
CASES = (
    *("adams-spherical-1", "adams-translational-spring-1", "babyboot", "dlr-payload-separation"),
    *("draining-stack", "heavy-top", "hyper-x", "nesc-08", "nesc-10", "nesc-17", "pendulum"),
    *("prescribed-tip", "redundant-fixed", "rolling-disk", "slider-crank-3d", "sts1-srb"),
    *("tp2016-fixed", "tp2016-universal"),
)
"""Cases of `validation/` that fly in seconds and have among them each kind of part."""
MOTION = re.compile(r"bodies\.[^.]+\.(position|velocity|attitude|angular_velocity)")
NOT_ONE = re.compile(r"clearance\.[^.]+\.(direction|point_on_[ab])")
"""Where faces are parallel, as of stages that part, many pairs of points are nearest: their distance is
compared, not the pair that was found."""
SAME_TIME = 1e-9
"""Samples closer than this [s, or relative to the time] are of one instant."""
ROUNDING = 1e-12
"""A series smaller than this part of the largest of its unit in a flight is rounding: it is held against that
part of the largest in place of its own size."""
ABSOLUTE = 1e-12
"""A difference below this, in SI units, is rounding, as of residuals that are to be zero."""
TOLERANCES = 10.0
"""Flights that step otherwise differ by so many of their own tolerances."""
SHOWN = 4
"""New and lost series of a flight that are named."""


# --- a flight, in a process of its own, by whichever sources it finds


def fly(target: str, *files: str) -> None:
    """Fly the first of the files that can be read, and keep its record as plain arrays; only what every
    version of the package has is used."""
    import interstage

    for file in files:
        try:
            scenario = interstage.load(file)
            break
        except interstage.BadInput:
            if file == files[-1]:
                raise
    record = scenario.run().record
    # A mission has its series in its legs.
    legs = getattr(record, "legs", None) or {"": record}
    arrays = {f"{leg}:{name}": value for leg, one in legs.items() for name, value in arrays_of(one).items()}
    told = {leg: facts_of(one) | {"file": file} for leg, one in legs.items()}
    np.savez_compressed(target, told=json.dumps(told), **arrays)


def arrays_of(record: Any) -> dict[str, Any]:
    """The series of a record as plain arrays, with both sides of its events."""
    arrays: dict[str, Any] = {"time": record.time}
    for kind in ("series", "before", "after"):
        arrays |= {f"{kind}/{path}": values for path, values in getattr(record, kind).items()}
    for group, (time, values) in record.courses.items():
        arrays[f"at/{group}"] = time
        arrays |= {f"course/{group}.{name}": value for name, value in values.items()}
    return arrays


def facts_of(record: Any) -> dict[str, Any]:
    """Events, units, outcome and steps of a record."""
    return {
        "events": [[event.name, event.time] for event in record.events],
        "units": {path: meta.unit for path, meta in record.meta.items()},
        "outcome": record.outcome,
        "steps": record.statistics.get("steps accepted"),
        "tolerance": float(record.scenario.solver.tolerance),
        "closest": {f"closest.{each.name}": [each.time, each.distance] for each in record.closest},
    }


def file_of(name: str, checkout: Path = ROOT) -> Path:
    """The scenario of an example or of a case."""
    example = checkout / "examples" / f"{name}.toml"
    return example if example.is_file() else checkout / "validation" / name / "scenario.toml"


def begun(checkout: Path, name: str, target: Path) -> subprocess.Popen[str]:
    """A process that flies it with the sources of a checkout."""
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src"), "JAX_PLATFORMS": "cpu"}
    environment |= {"JAX_ENABLE_COMPILATION_CACHE": "false", "INTERSTAGE_QUIET": "1"}
    files = dict.fromkeys([str(file_of(name)), str(file_of(name, checkout))])
    return subprocess.Popen(
        [sys.executable, __file__, "--fly", str(target), *files],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


class Flown:
    """A record, or that of a leg, read from a file of `fly`; see `facts_of` and `arrays_of`."""

    def __init__(self, target: Path, leg: str = ""):
        with np.load(target) as whole:
            mine = [name for name in whole.files if name.startswith(f"{leg}:")]
            self.arrays = {name.partition(":")[2]: whole[name] for name in mine}
            self.told: dict[str, Any] = json.loads(str(whole["told"]))[leg]

    def of(self, kind: str) -> dict[str, np.ndarray]:
        return {n.partition("/")[2]: v for n, v in self.arrays.items() if n.startswith(f"{kind}/")}


def legs_of(target: Path) -> list[str]:
    """Names of the legs in a file of `fly`; one empty name for a flight without legs."""
    with np.load(target) as whole:
        return list(json.loads(str(whole["told"])))


# --- two flights


@dataclass(frozen=True)
class Off:
    """A difference: relative to `size`, the largest value [unit] of what it was found in."""

    relative: float = 0.0
    path: str = ""
    size: float = 0.0
    unit: str = ""

    def __str__(self) -> str:
        unit = "" if self.unit == "1" else f" {self.unit}"
        return f"{self.relative:.1e} of {self.size:.3g}{unit} in {self.path}" if self.path else "0"


@dataclass
class Compared:
    """What differs between two records of a flight."""

    off: dict[str, Off] = field(default_factory=dict)
    new: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    events: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def worst(self, among: Iterable[str] | None = None) -> Off:
        found = self.off.values() if among is None else [self.off[path] for path in among]
        return max(found, key=lambda off: off.relative, default=Off())

    @property
    def motion(self) -> Off:
        return self.worst(path for path in self.off if MOTION.fullmatch(path))

    @property
    def latest(self) -> tuple[float, str]:
        return max(((apart, name) for name, apart in self.events.items()), default=(0.0, ""))


def compared(before: Flown, after: Flown) -> Compared:
    found = Compared()
    if before.told["file"] != after.told["file"]:
        found.notes.append(f"before flew its own file, {before.told['file']}")
    _events(before, after, found)
    times = before.arrays["time"], after.arrays["time"]
    rows = _matched(*times)
    lost = [len(_last(time)) - len(rows[0]) for time in times]
    if any(lost):
        found.notes.append(f"samples: {lost[0]} gone, {lost[1]} new, {len(rows[0])} at the same times")
    pairs = _pairs(before, after, "series", rows)
    same_events = [e[0] for e in before.told["events"]] == [e[0] for e in after.told["events"]]
    for kind in ("before", "after") if same_events else ():
        everything = np.arange(len(before.told["events"]))
        for path, (one, other) in _pairs(before, after, kind, (everything, everything)).items():
            one_series, other_series = pairs.get(path, (one[:0], other[:0]))
            pairs[path] = np.concatenate([one_series, one]), np.concatenate([other_series, other])
    pairs |= _courses(before, after)
    _note_shapes(pairs, found)
    found.off = _off(pairs, {**after.told["units"], **before.told["units"]})
    paths = [{*r.of("series"), *r.of("course")} for r in (before, after)]
    found.gone, found.new = sorted(paths[0] - paths[1]), sorted(paths[1] - paths[0])
    for name, closest in before.told["closest"].items():
        distance = after.told["closest"].get(name, [0.0, np.nan])[1]
        found.notes.append(f"{name} {distance - closest[1]:+.1e} m of {closest[1]:.6g}")
    if before.told["outcome"] != after.told["outcome"]:
        found.notes.append(f"ended: {before.told['outcome']!r}, now {after.told['outcome']!r}")
    return found


def _events(before: Flown, after: Flown, found: Compared) -> None:
    """Times of events by name, the first with the first of that name and so on."""
    times: list[dict[str, list[float]]] = [defaultdict(list), defaultdict(list)]
    for record, mine in zip((before, after), times, strict=True):
        for name, time in record.told["events"]:
            mine[name].append(time)
    for name in {**times[0], **times[1]}:
        one, other = (mine.get(name, []) for mine in times)
        if len(one) != len(other):
            found.notes.append(f"event {name}: {len(one)} times, now {len(other)}")
        for k, (a, b) in enumerate(zip(one, other)):
            found.events[f"{name} {k + 1}" if len(one) > 1 else name] = abs(b - a)


def _last(time: np.ndarray) -> np.ndarray:
    """Rows of instants in rising times: of several samples of one the last, which is after its events."""
    return np.flatnonzero(np.append(np.diff(time) > _same(time[:-1]), True))


def _same(time: np.ndarray) -> np.ndarray:
    return SAME_TIME * np.maximum(1.0, np.abs(time))


def _matched(one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the same instants in two series of times."""
    rows, others = _last(one), _last(other)
    time, same = one[rows], _same(one[rows])
    nearest = np.searchsorted(other[others], time + same, side="right") - 1
    fits = (nearest >= 0) & (np.abs(other[others][np.maximum(nearest, 0)] - time) <= same)
    return rows[fits], others[nearest[fits]]


def _pairs(before: Flown, after: Flown, kind: str, rows: Any) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    one, other = before.of(kind), after.of(kind)
    paths = [path for path in one if path in other and not NOT_ONE.fullmatch(path)]
    return {path: (one[path][rows[0]], other[path][rows[1]]) for path in paths}


def _courses(before: Flown, after: Flown) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Series with times of their own, those of distances, which are searched where they are needed: values at
    the times of before, between the times of now on straight lines."""
    found, times = {}, (before.of("at"), after.of("at"))
    one, other = before.of("course"), after.of("course")
    for path in one.keys() & other.keys():
        t, now = (at[path.rpartition(".")[0]] for at in times)
        if not NOT_ONE.fullmatch(path):
            found[path] = one[path], np.interp(t, now, other[path])
    return found


def _note_shapes(pairs: dict[str, tuple[np.ndarray, np.ndarray]], found: Compared) -> None:
    for path, (one, other) in list(pairs.items()):
        if one.shape != other.shape:
            found.notes.append(f"{path} has another shape, {one.shape[1:]} and now {other.shape[1:]}")
            del pairs[path]


def _off(pairs: dict[str, tuple[np.ndarray, np.ndarray]], units: dict[str, str]) -> dict[str, Off]:
    sizes = {path: _size(one) for path, (one, _) in pairs.items()}
    largest: dict[str, float] = defaultdict(float)
    for path, size in sizes.items():
        largest[units.get(path, "")] = max(largest[units.get(path, "")], size)
    found = {}
    for path, (one, other) in pairs.items():
        unit = units.get(path, "")
        size = max(sizes[path], ROUNDING * largest[unit])
        apart = _apart(one, other, unit)
        found[path] = Off(apart / size if size else np.inf, path, size, unit) if apart > ABSOLUTE else Off()
    return found


def _size(values: np.ndarray) -> float:
    finite = np.abs(values[np.isfinite(values)])
    return float(np.max(finite, initial=0.0))


def _apart(one: np.ndarray, other: np.ndarray, unit: str) -> float:
    """The largest difference; infinite where only one is a number. Angles differ by less than half a turn."""
    same = (one == other) | (np.isnan(one) & np.isnan(other))
    with np.errstate(invalid="ignore"):
        apart = np.abs(np.asarray(other, float) - np.asarray(one, float))
    if unit in ("rad", "deg"):
        turn = 2.0 * np.pi if unit == "rad" else 360.0
        apart = np.abs(apart - turn * np.round(apart / turn))
    return float(np.max(np.where(same, 0.0, np.where(np.isfinite(apart), apart, np.inf)), initial=0.0))


# --- what is printed


def pattern(path: str) -> str:
    """A path without the names of what was declared: joints.*.length."""
    parts = path.split(".")
    return ".".join([parts[0], "*", *parts[2:]]) if len(parts) > 2 else path


def lines(name: str, before: Flown, after: Flown, found: Compared, at_most: float) -> Iterator[str]:
    apart, event = found.latest
    many = sum(off.relative > at_most for off in found.off.values())
    yield (
        f"{name:<30} {found.worst()!s:<64} motion {found.motion.relative:.1e}"
        f"  events {apart:.1e} s{f' ({event})' if apart else ''}"
        f"  {many} of {len(found.off)} series above {at_most:.0e}; tolerance {before.told['tolerance']:.0e},"
        f" steps {before.told['steps']} -> {after.told['steps']}"
    )
    for label, paths in (("new", found.new), ("gone", found.gone)):
        kinds = list(Counter(pattern(path) for path in paths))
        if kinds:
            rest = f" and {len(kinds) - SHOWN} more kinds" if len(kinds) > SHOWN else ""
            yield f"  {label}: {len(paths)} series: {', '.join(kinds[:SHOWN])}{rest}"
    yield from (f"  {note}" for note in found.notes)


def told_off(found: Compared, at_most: float, most: int) -> Iterator[str]:
    """The kinds of series that are off, the worst first."""
    worst: dict[str, Off] = {}
    for path, off in found.off.items():
        if off.relative > max(at_most, worst.get(pattern(path), Off()).relative):
            worst[pattern(path)] = off
    ranked = sorted(worst.values(), key=lambda off: -off.relative)
    yield from (f"    {off}" for off in ranked[:most])


def flights(before: Path, names: Iterable[str], records: Path) -> Iterator[tuple[str, list[Path] | str]]:
    """Fly each by both checkouts at once; what of `before` is in `records` already is taken from there."""
    for name in names:
        targets = [records / f"{name}.before.npz", records / f"{name}.now.npz"]
        targets[1].unlink(missing_ok=True)
        running = [
            (target, begun(checkout, name, target))
            for checkout, target in zip((before, ROOT), targets, strict=True)
            if not target.is_file()
        ]
        problems = []
        for target, process in running:
            _, errors = process.communicate()
            if process.returncode or not target.is_file():
                problems.append(f"{target.name.split('.')[-2]}: {errors.strip()[-600:] or 'no record'}")
        yield name, "\n".join(problems) if problems else targets


def main() -> None:
    """Compare the flights named, all by default, with those of another checkout."""
    if sys.argv[1:2] == ["--fly"]:
        fly(*sys.argv[2:])
        return
    parser = argparse.ArgumentParser(prog="tests/golden.py", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("before", type=Path, help="another checkout; its folder src is flown")
    known = (*EXAMPLES, *CASES)
    parser.add_argument("flights", nargs="*", help=f"examples and cases; by default {', '.join(known)}")
    parser.add_argument("--at-most", type=float, default=1e-9, help="what is let pass")
    parser.add_argument(
        "--records", type=Path, help="folder that keeps the records of before for a next time"
    )
    parser.add_argument("--worst", type=int, default=3, help="kinds of series named where more is off")
    options = parser.parse_args()
    if not (options.before / "src" / "interstage").is_dir():
        parser.error(f"{options.before} has no src/interstage; name the folder of a checkout")
    for name in options.flights:
        if not file_of(name).is_file():
            parser.error(f"there is no example or validation case '{name}'")
    with tempfile.TemporaryDirectory() as folder:
        records = options.records or Path(folder)
        records.mkdir(parents=True, exist_ok=True)
        fine = [
            shown(name, found, options)
            for name, found in flights(options.before.resolve(), options.flights or known, records)
        ]
    print(f"{sum(fine)} of {len(fine)} flights within {options.at_most:g} or ten times their tolerance.")
    sys.exit(0 if all(fine) else 1)


def shown(name: str, found: list[Path] | str, options: argparse.Namespace) -> bool:
    """Print a flight; whether it is within what is let pass."""
    if isinstance(found, str):
        print(f"{name:<30} not flown\n  " + found.replace("\n", "\n  "), flush=True)
        return False
    legs = [legs_of(target) for target in found]
    if legs[0] != legs[1]:
        print(f"{name:<30} has the legs {legs[0]}, now {legs[1]}", flush=True)
        return False
    one, other = found
    fine = [
        shown_leg(f"{name} {leg}".strip(), Flown(one, leg), Flown(other, leg), options) for leg in legs[0]
    ]
    return all(fine)


def shown_leg(name: str, before: Flown, after: Flown, options: argparse.Namespace) -> bool:
    """Print a flight or a leg; whether it is within what is let pass."""
    result = compared(before, after)
    allowed = max(options.at_most, TOLERANCES * before.told["tolerance"])
    print("\n".join(lines(name, before, after, result, allowed)))
    fine = result.worst().relative <= allowed and result.latest[0] <= allowed
    if not fine:
        print("\n".join(told_off(result, allowed, options.worst)))
    sys.stdout.flush()
    return fine


if __name__ == "__main__":
    main()
