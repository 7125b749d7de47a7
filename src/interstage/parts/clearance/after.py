"""Compute the distances between bodies after a flight: minimum distances, their locations, and recontacts.
The libraries coal and trimesh are loaded only for flights with clearances.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...record.record import Record
from ...tree.errors import BadInput, Problem
from ...tree.similar_names import near
from .declared import GROUP as GROUP
from .declared import OF_MEETING, metas
from .declared import unit_of as unit_of

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from ...observation.after import Flown
    from ...runs.batch import Batch
    from ...runs.cases_together import FlownLanes
    from .lanes import Lanes

THREADS = 2
"""The number of threads. Each thread searches one chunk of a batch, or one case of a chunk."""


class Least(NamedTuple):
    """Minimum distances of one clearance in several cases. Each array has the shape (case,).

    - distance [m], time [s]: minimum distance and its time; NaN if the clearance did not begin.
    - apart: whether the bodies never touch after the first evaluated state. If this is true, there is no
      recontact.
    - overlap [m]: depth of overlap when the clearance begins, if it exceeds the tolerance; otherwise 0.
    """

    distance: np.ndarray
    time: np.ndarray
    apart: np.ndarray
    overlap: np.ndarray


def add(flown: Flown, names: Collection[str] | None = None) -> None:
    """Compute the clearances of a flight, and add them to its record; see `clearance.record`.

    names: names of the clearances to compute. Default: all clearances.
    """
    if flown.scenario.clearance:
        from .record import add as into_record

        into_record(flown, names)


# --- in the cases of a batch


def value(batch: Batch, path: str, at: str) -> np.ndarray | None:
    """Return the minimum distance of a clearance in each case of a batch [m] (case,).

    - path: path of the quantity, for example "clearance.nozzle.distance".
    - `at`: the requested value; only "min" has a result.

    Return None for all other quantities, because they need the complete time history. Raises BadInput for an
    unknown clearance or quantity.
    """
    _, name, *rest = f"{path}..".split(".")
    declared = _declaration(batch, name)
    known = metas(declared)
    if rest[0] not in known:
        raise BadInput(Problem(path, f"there is no such quantity; {near(rest[0], known, 'quantities')}"))
    return of_batch(batch, name)[0] if rest[0] == "distance" and at == "min" else None


def of_batch(
    batch: Batch, name: str, progress: Callable[[float, float | None], None] | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return (minimum distance [m], its time [s]) of a clearance in each case of a batch, each (case,).

    - name: name of the clearance in the scenario.
    - progress: function of (completed cases, all cases), called after each chunk. Default: None.

    Raises BadInput for an unknown clearance, and for a batch without samples. See `Batch.clearance`.
    """
    declared = _declaration(batch, name)
    if not batch.sampled:
        raise BadInput("this batch was run without samples. Run it with samples = True")
    with _threads() as pool:
        found, done = [], 0
        if progress is not None:
            progress(0, batch.lanes)
        for lanes in pool.map(lambda lanes: least_of(lanes, declared), batch.flown_lanes):
            found.append(lanes)
            done += len(lanes.distance)
            if progress is not None:
                progress(done, batch.lanes)
    return np.concatenate([f.distance for f in found]), np.concatenate([f.time for f in found])


def _watch(lanes: FlownLanes, declared: Any) -> Lanes:
    """Return the two bodies of a clearance in all valid cases of a chunk."""
    from .course import Watch
    from .lanes import Lanes

    # Shapes can differ between cases.
    own = any(".shapes." in path for path in lanes.dispersed)
    cases = map(lanes.case, range(lanes.count)) if own else [lanes.scenario]
    return Lanes(lanes, [Watch(declared, case, None) for case in cases])


def _declaration(batch: Batch, name: str) -> Any:
    declared = next((c for c in batch.scenario.clearance if c.name == name), None)
    if declared is None:
        known = [c.name for c in batch.scenario.clearance]
        raise BadInput(f"there is no clearance '{name}'; {near(name, known, 'clearances')}")
    return declared


def least_of(lanes: FlownLanes, declared: Any) -> Least:
    """Return the minimum distances of a clearance in the cases of a chunk of a batch.

    - `lanes`: the chunk, with its recorded states.
    - declared: the clearance.
    """
    return _least_of(_watch(lanes, declared), declared)


def _threads() -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(THREADS)


def _least_of(watched: Lanes, declared: Any) -> Least:
    from .course import OVERLAP, TOUCHING
    from .search import least

    lanes = watched.flown
    finish = lanes.end
    # Without an event, the clearance begins at the start.
    begin = lanes.events.get(declared.after, lanes.begin).copy()
    begin[list(lanes.refused)] = np.inf
    end = finish if declared.until is None else lanes.first_since(declared.until, begin)
    end = np.minimum(end, finish)
    distance, when, first = least(
        watched, begin, end, float(declared.interval), parted=declared.after is None
    )
    size = np.array([watch.size for watch in watched.watches])
    return Least(distance, when, distance > TOUCHING * size, np.where(-first > OVERLAP * size, -first, 0.0))


def add_to_lanes(lanes: FlownLanes, records: Sequence[Record | None], wanted: Sequence[Any]) -> None:
    """Compute requested quantities of clearances for a chunk of cases, and add them to the records of the
    cases.

    - `lanes`: the chunk, with its recorded states.
    - records: one record for each case; None for a case without record.
    - wanted: requirements and responses that name a quantity of a clearance.

    Minimum distances, distances at events, and the absence of recontact are computed for all cases together.
    If a case can have a recontact, or if other quantities are requested, its complete time history is
    computed.
    """
    there = [lane for lane, record in enumerate(records) if record is not None and lanes.finite[lane]]
    whole: dict[int, list[str]] = {lane: [] for lane in there}
    for declared in lanes.scenario.clearance:
        mine = [w for w in wanted if w.quantity.split(".")[1] == declared.name]
        if not mine:
            continue
        settled: set[int] = set()
        if all(_is_least(w) or _is_of_meeting(w) or _is_at_moment(w) for w in mine):
            moments = {w.at: None for w in mine if _is_at_moment(w)}
            settled = _add_least(lanes, records, declared, any(map(_is_of_meeting, mine)), (*moments,))
        for lane in there:
            if lane not in settled:
                whole[lane].append(declared.name)

    def search(lane: int) -> None:
        record = records[lane]
        if whole[lane] and record is not None:
            add(lanes.flown(lane, record), whole[lane])

    with _threads() as pool:
        list(pool.map(search, there))


def _is_least(wanted: Any) -> bool:
    """Whether a requirement or a response needs the minimum distance only."""
    extreme = getattr(wanted, "take", None) == "min" or (
        getattr(wanted, "min", None) is not None and wanted.max is None
    )
    return extreme and wanted.quantity.endswith(".distance") and wanted.at is None and wanted.during is None


def _is_at_moment(wanted: Any) -> bool:
    """Whether a requirement or response needs the distance at the start, the end or an event only."""
    return wanted.quantity.endswith(".distance") and wanted.at is not None and wanted.during is None


def _is_of_meeting(wanted: Any) -> bool:
    return wanted.quantity.rpartition(".")[2] in OF_MEETING


def _add_least(
    lanes: FlownLanes,
    records: Sequence[Record | None],
    declared: Any,
    meeting: bool,
    moments: tuple[str, ...],
) -> set[int]:
    """Add minimum distances, and distances at some events, to the records of cases. With `meeting`, also add
    the absence of recontact. Returns the cases that are then complete."""
    watched = _watch(lanes, declared)
    found, at = _least_of(watched, declared), _at_moments(watched, moments)
    path, known = f"{GROUP}.{declared.name}", metas(declared)
    settled = set()
    for lane, record in enumerate(records):
        # For bodies that overlap initially, the time of separation needs their whole time history.
        if record is None or (meeting and not found.apart[lane]) or (moments and found.overlap[lane]):
            continue
        settled.add(lane)
        if found.overlap[lane]:
            from .record import doubt

            doubt(record, declared, float(found.overlap[lane]), np.inf)
        begun = np.isfinite(found.distance[[lane]])
        course = {"distance": found.distance[[lane]][begun]}
        if meeting:
            course |= {name: np.zeros(1) for name in OF_MEETING}
        record.courses[path] = found.time[[lane]][begun], course
        for name in course:
            place = f"{path}.{name}"
            rest = np.nan if name == "distance" else 0.0
            record.meta[place] = known[name]
            record.series[place] = np.full(len(record.time), rest)
            record.before[place] = record.after[place] = np.full(len(record.events), rest)
        _put_moments(record, f"{path}.distance", {name: values[lane] for name, values in at.items()})
    return settled


def _at_moments(watched: Lanes, moments: tuple[str, ...]) -> dict[str, np.ndarray]:
    """Return the distances (case) [m] at the start, the end, and events; NaN if an event did not occur."""
    lanes, found = watched.flown, {}
    last, every = len(lanes.rows.t) - 1, np.arange(lanes.count)
    for name in moments:
        ends = {"start": 0, "end": last}
        row = np.full(lanes.count, ends[name]) if name in ends else lanes.rows_after(name)
        lane = every[(row <= last) & lanes.finite]
        found[name] = np.full(lanes.count, np.nan)
        if lane.size:
            found[name][lane] = watched.nearest(lane, watched.states_at(row[lane], lane).between)[0]
    return found


def _put_moments(record: Record, place: str, values: dict[str, float]) -> None:
    names = [event.name for event in record.events]
    for name, value in values.items():
        if name in ("start", "end"):
            record.series[place][0 if name == "start" else -1] = value
        else:
            record.before[place][[k for k, own in enumerate(names) if own == name]] = value
