"""Export flights to files for other programs: tables, globe viewers, orbit and attitude messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..environment import geodesy
from ..environment.planet import relative_velocity, to_fixed, turn
from ..environment.world import Earth, is_flat
from ..exchange import ccsds, czml, kml, stk
from ..exchange.trajectory import MICROSECOND, Mark, Trajectory, date_text
from ..maths.rotations import about, multiply
from ..tree.errors import BadInput, Problem
from ..tree.saving import write_file
from ..tree.similar_names import near
from . import legs
from .record import Record, names_with, resolve, timeline

if TYPE_CHECKING:
    from .results import Flight

TABLES = (".csv", ".parquet", ".mat")
GLOBES = (".kml", ".czml")
OF_ONE_BODY: dict[str, Callable[[Trajectory, datetime], str]] = {
    ".oem": ccsds.oem,
    ".aem": ccsds.aem,
    ".e": stk.ephemeris,
    ".a": stk.attitude,
}
"""Functions that return the text of a file format with only one body per file, by file suffix."""
JUMP = 1e-6
"""Change of a position [m] or a velocity [m/s] at an event that counts as a jump."""
ANIMATION = ".glb"
SUFFIXES = (*TABLES, *GLOBES, *OF_ONE_BODY, ANIMATION)


@dataclass(frozen=True)
class _Wanted:
    """What a file shall have: see `export`."""

    quantities: tuple[str, ...] = ()
    bodies: tuple[str, ...] = ()
    epoch: datetime | None = None
    origin: str | None = None


def export(
    flight: Flight,
    path: str | Path,
    quantities: Sequence[str] = (),
    bodies: Sequence[str] = (),
    epoch: str | datetime | None = None,
    origin: str | None = None,
) -> list[Path]:
    """Write samples of a flight to a file of another format, and return the paths of the written files.

    - path: the suffix selects the format: .csv, .parquet, .mat (tables), .kml, .czml (globe viewers),
      .oem, .aem (CCSDS messages), .e, .a (STK), .glb (glTF animation). A message or an STK file contains
      one body. If several bodies are exported, each file has the name of its body before the suffix.
    - quantities: quantities of a table, in SI units. Default: all quantities. For a mission, name the
      quantities.
    - bodies: bodies of a globe file, message, STK file or animation. Default: all.
    - epoch: UTC date of time zero of the flight, for example "2026-11-29T12:00:00Z". Required for
      .czml, .oem, .aem, .e and .a; optional for .kml.
    - origin: origin of an animation: "start" or the name of a body. See `playback.animation.animation`.

    Trajectories are relative to the rotating planet, in planet-fixed axes. Raises BadInput for an unknown
    suffix, quantity or body, for a missing or unreadable epoch, for a flight without a planet, and if a file
    cannot be written.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        text = f"'{path.suffix}' is not a format of exports; allowed: {', '.join(SUFFIXES)}"
        raise BadInput(Problem(str(path), text))
    flight.read_to_show()
    wanted = _Wanted(tuple(quantities), tuple(bodies), _date(epoch), origin)
    _check(suffix, wanted)
    if suffix in TABLES:
        return _write_table(flight, path, suffix, wanted)
    if suffix == ANIMATION:
        return _write_animation(flight, path, wanted)
    return _write_trajectories(flight, path, suffix, wanted)


def _check(suffix: str, wanted: _Wanted) -> None:
    """Reject choices that have no effect on a format, and a missing epoch. Raises BadInput."""
    found = []
    if suffix in TABLES and wanted.bodies:
        found.append(
            Problem(
                "bodies",
                f"'bodies' has no effect on a {suffix} file. Remove 'bodies' and select quantities, for"
                " example bodies.NAME.speed",
            )
        )
    if suffix in (*TABLES, ANIMATION) and wanted.epoch is not None:
        found.append(
            Problem(
                "epoch",
                f"'epoch' has no effect on a {suffix} file, whose times are in seconds. Remove 'epoch'",
            )
        )
    if suffix != ANIMATION and wanted.origin is not None:
        text = f"'origin' has no effect on a {suffix} file. Remove 'origin', or write an animation (.glb)"
        found.append(Problem("origin", text))
    if suffix not in TABLES and wanted.quantities:
        found.append(Problem("quantities", f"'quantities' have no effect on {suffix}. Choose bodies"))
    if suffix not in (*TABLES, ANIMATION, ".kml") and wanted.epoch is None:
        found.append(
            Problem("epoch", f"'epoch' is required for {suffix}. Give the UTC date of time zero, {EXAMPLE}")
        )
    if found:
        raise BadInput(found)


EXAMPLE = "for example 2026-11-29T12:00:00Z"


def _date(epoch: str | datetime | None) -> datetime | None:
    """Return an epoch; dates without a time zone are UTC. Raises BadInput."""
    if isinstance(epoch, str):
        try:
            epoch = datetime.fromisoformat(epoch)
        except ValueError:
            raise BadInput(Problem("epoch", f"'{epoch}' is not a date. Write {EXAMPLE}")) from None
    if epoch is None or epoch.tzinfo is not None:
        return epoch
    return epoch.replace(tzinfo=UTC)


# --- tables


def _columns(flight: Flight, quantities: Sequence[str]) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield (label with unit, times (n,) [s], values (n,)) of each component of quantities. Raises
    BadInput."""
    record = flight.record
    if not quantities and record.legs:
        text = (
            "the legs of a mission have no common sample times. Choose quantities, for example "
            "bodies.NAME.altitude"
        )
        raise BadInput(Problem("quantities", text))
    for path in quantities or record.series:
        times, values = flight.times(path), np.asarray(flight[path], float)
        meta, component = _meta(record, path)
        unit = "" if meta.unit == "1" else f" [{meta.unit}]"
        names = [f"{path}.{name}" for name in meta.components] if component is None else []
        for name, column in zip(names or [path], values.reshape(len(times), -1).T, strict=True):
            yield f"{name}{unit}", times, column


def _meta(record: Record, path: str) -> tuple[Any, Any]:
    """Return the description of a quantity, and its component."""
    if record.legs and path.startswith(legs.OWN):
        leg, _, path = path.removeprefix(legs.OWN).partition(".")
        record = record.legs[leg]
    record = legs.of(record, path)
    stem, component = resolve(record, path)
    return record.meta[stem], component


def _write_table(flight: Flight, path: Path, suffix: str, wanted: _Wanted) -> list[Path]:
    columns = [*_columns(flight, wanted.quantities)]
    if suffix == ".mat":
        _write_mat(flight, path, columns)
        return [path]
    times = np.unique(np.concatenate([times for _, times, _ in columns])) if columns else np.zeros(0)
    table = {"time [s]": times}
    for label, own, values in columns:
        table[label] = np.full(len(times), np.nan)
        table[label][np.searchsorted(times, own)] = values
    if suffix == ".csv":
        from ..exchange.csv_file import write_csv

        rows = zip(*table.values(), strict=True)
        write_csv(path, [table, *([_cell(x) for x in row] for row in rows)])
    else:
        from ..exchange.parquet import write_parquet

        write_parquet(path, table)
    return [path]


def _cell(value: float) -> str:
    """Return a number that is read back with the same bits, or nothing for a missing value."""
    return "" if np.isnan(value) else repr(float(value))


def _write_mat(flight: Flight, path: Path, columns: Sequence[tuple[str, np.ndarray, np.ndarray]]) -> None:
    from ..exchange import mat

    series = [
        {"name": label.partition(" [")[0], "unit": label.partition(" [")[2].rstrip("]") or "1"}
        | {"time": times, "value": values}
        for label, times, values in columns
    ]
    events = [{"name": one.name, "time": one.time, "kind": one.kind} for one in flight.record.events]
    variables = {"title": flight.record.scenario.title, "outcome": flight.record.outcome}
    lists = {"series": series, "events": events}
    mat.write(path, variables | {name: mat.struct_array(each) for name, each in lists.items() if each})


# --- animations


def _write_animation(flight: Flight, path: Path, wanted: _Wanted) -> list[Path]:
    from ..playback.animation import animation

    title = flight.record.scenario.title or path.stem
    write_file(path, animation(flight.record, title, wanted.bodies, wanted.origin))
    return [path]


# --- trajectories


def _write_trajectories(flight: Flight, path: Path, suffix: str, wanted: _Wanted) -> list[Path]:
    record = flight.record
    tracks = [trajectory(record, body) for body in _bodies(record, wanted.bodies)]
    _check_dates(tracks, wanted.epoch)
    if suffix in GLOBES:
        title = record.scenario.title or path.stem
        marks = [*_marks(record, tracks)]
        if suffix == ".kml":
            text = kml.kml(title, tracks, marks, wanted.epoch)
        else:
            assert wanted.epoch is not None  # see `_check`
            text = czml.czml(title, tracks, marks, wanted.epoch)
        write_file(path, text)
        return [path]
    assert wanted.epoch is not None
    written = []
    for track in tracks:
        if suffix in (".aem", ".a") and not track.has_attitude.any():
            raise BadInput(Problem(f"bodies.{track.name}", "the body has no attitude. Choose other bodies"))
        one = path if len(tracks) == 1 else path.with_suffix(f".{track.name}{path.suffix}")
        write_file(one, OF_ONE_BODY[suffix](track, wanted.epoch))
        written.append(one)
    return written


def _check_dates(tracks: Sequence[Trajectory], epoch: datetime | None) -> None:
    """Reject an epoch with which a date is not in the years 1 to 9999. Raises BadInput."""
    if epoch is None:
        return
    try:
        for time in (0.0, *(track.time[-1] for track in tracks)):
            date_text(epoch, time)
    except OverflowError:
        text = f"the dates of the flight are not in the years 1 to 9999. Write {EXAMPLE}"
        raise BadInput(Problem("epoch", text)) from None


def _bodies(record: Record, asked: Sequence[str]) -> list[str]:
    """Return the names of the bodies with a trajectory. Raises BadInput."""
    planet = record.scenario.planet
    if planet is None or is_flat(planet):
        text = "the body has no latitude and longitude. Declare the planet as Earth or Planet"
        raise BadInput(Problem("planet", f"{'flat ground' if planet else 'empty space'} {text}"))
    known = names_with(record, "bodies", "position")
    known += [one for leg in record.legs.values() for one in names_with(leg, "bodies", "position")]
    known = list(dict.fromkeys(known))
    unknown = [name for name in asked if name not in known]
    if unknown:
        raise BadInput(
            Problem("bodies", f"there is no body '{name}' in this flight; {near(name, known, 'bodies')}")
            for name in unknown
        )
    return list(dict.fromkeys(asked)) or known


def trajectory(record: Record, body: str) -> Trajectory:
    """Return the motion of a body relative to its planet, through all legs of a mission.

    At an event, the values just after the event are used; at a jump of the motion, also the values before it.
    Samples that are less than a microsecond apart are merged into one sample.
    """
    planet = record.scenario.planet
    one = legs.of(record, f"bodies.{body}.position")
    time, position = timeline(one, f"bodies.{body}.position", peaks=False)
    _, velocity = timeline(one, f"bodies.{body}.velocity", peaks=False)
    attitude = np.full((len(time), 4), np.nan)
    if f"bodies.{body}.attitude" in one.series:
        _, attitude = timeline(one, f"bodies.{body}.attitude", peaks=False)
    fine = np.isfinite(position).all(axis=1) & np.isfinite(velocity).all(axis=1)
    rows, breaks = _rows(time[fine], position[fine], velocity[fine])
    rows = np.flatnonzero(fine)[rows]
    time, position, velocity = time[rows], position[rows].T, velocity[rows].T
    time[[row - 1 for row in breaks]] = time[[*breaks]]
    fixed = np.asarray(to_fixed(planet, time, position))
    relative = relative_velocity(planet, position, velocity)
    place = geodesy.geodetic(planet, fixed)
    turned = multiply(about(2, -turn(planet, time)), attitude[rows].T)
    return Trajectory(
        body,
        "Earth" if isinstance(planet, Earth) else "Planet",
        time,
        fixed.T,
        np.asarray(to_fixed(planet, time, relative)).T,
        np.asarray(turned).T,
        np.asarray(place.latitude),
        np.asarray(place.longitude),
        np.asarray(place.altitude),
        breaks,
    )


def _rows(time: np.ndarray, position: np.ndarray, velocity: np.ndarray) -> tuple[np.ndarray, tuple[int, ...]]:
    """Indices of the samples of a trajectory, and which of them are just after a jump.

    Of samples less than a microsecond apart the last one is used, and with a jump also the first one."""
    if not len(time):
        return np.zeros(0, int), ()
    group = np.cumsum(np.append(0, np.diff(time) >= MICROSECOND))
    last = np.append(np.flatnonzero(np.diff(group)), len(time) - 1)
    moved = [np.linalg.norm(np.diff(values, axis=0), axis=1) for values in (position, velocity)]
    jump = (np.diff(time) == 0) & (np.maximum(*moved) > JUMP)
    broken = np.setdiff1d(group[1:][jump], (0, group[-1]))  # inside the flight
    rows = np.sort(np.concatenate([last, last[broken - 1] + 1]))
    return rows, tuple(int(row) for row in np.searchsorted(rows, last[broken]))


def _marks(record: Record, tracks: Sequence[Trajectory]) -> Iterator[Mark]:
    """Yield the events, each at the first body that has a sample at this time."""
    for event in record.events:
        for track in tracks:
            rows = np.flatnonzero(np.abs(track.time - event.time) <= MICROSECOND)
            if len(rows):
                row = rows[-1]
                place = track.latitude[row], track.longitude[row], track.altitude[row]
                yield Mark(event.name, track.name, event.time, *map(float, place))
                break
