"""Many cases of one scenario at once: cases of one compiled program, chunks of them on several threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..maths.arrays import jax
from ..missions.names import WHOLE
from ..observation import after, peaks
from ..observation.between import Between
from ..observation.observation import outcome, track_record
from ..observation.records_of_cases import Chunk, lane_records, lane_track, stems_of
from ..programs.program import program_for
from ..programs.progress import Progress, progress_reports
from ..quantities.catalogue import catalogue
from ..record import envelope
from ..record.record import Record, resolve
from ..record.requirements import EXTREMES, Wanted, value_of
from ..tree.errors import BadInput, Problem, check_case, near
from .cases_together import FlownLanes
from .lot import Lot
from .run import recorded_steps

if TYPE_CHECKING:
    import pandas

REFUSED = -1
"""Status of a case that was not flown, since its start is not consistent."""


@dataclass(repr=False)
class Batch:
    """Flights of all cases.

    `dispersed`: path -> values (cases, ...). `status` (cases,): see `stepper.problem`, and `REFUSED`. `time`
    (cases,) [s]: where each flight ended. `x` (n, cases): states there. event_time (event, cases) [s], inf
    for events that never came, the last time of those that repeat, with the names in `events`. `refused`:
    case -> why it was not flown; its numbers are not numbers."""

    scenario: Any
    dispersed: dict[str, np.ndarray]
    status: np.ndarray
    time: np.ndarray
    x: np.ndarray
    events: tuple[str, ...]
    event_time: np.ndarray
    sampled: bool
    refused: dict[int, str] = field(default_factory=dict)
    _lot: Any = None
    _leg: str = WHOLE
    _flown: list[dict[str, Chunk]] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<Batch of {self.lanes} cases: {', '.join(self.dispersed)}>"

    @property
    def lanes(self) -> int:
        """Number of cases."""
        return len(self.time)

    def case(self, lane: int) -> Any:
        """The scenario of one case. Raises BadInput for a number that is not there."""
        check_case(lane, self.lanes)
        return self._case(lane)

    def _case(self, lane: int) -> Any:
        return self._lot.case_of_leg(lane, self._leg)

    def outcome(self, lane: int) -> tuple[str, bool]:
        """How the flight of one case ended, in one sentence, and whether it reached the end of its
        scenario. Raises BadInput for a number that is not there."""
        check_case(lane, self.lanes)
        if lane in self.refused:
            return f"Not flown: {self.refused[lane]}", False
        return self._outcome(lane)

    def _outcome(self, lane: int) -> tuple[str, bool]:
        """How a case that was flown ended, and whether it reached the end."""
        chunk, place = self._place(lane)
        chunks = next(own for own in self._flown if own[self._leg] is chunk)
        return self._lot.lanes_of(chunks)[self._leg].outcomes([place])[0]

    @cached_property
    def completed(self) -> np.ndarray:
        """Whether each flight reached the end of its scenario, (cases,)."""
        return np.array([self._reached_end(lane) for lane in range(self.lanes)])

    def _reached_end(self, lane: int) -> bool:
        """Whether a case reached the end of its scenario."""
        if lane in self.refused:
            return False
        chunk, place = self._place(lane)
        cursor = jax.tree.map(lambda a: np.asarray(a)[..., place], chunk.cursor)
        return outcome(cursor, False, self._lot.legs[self._leg].program.table)[1]

    def value(self, path: str, at: str = "end", side: Literal["before", "after"] = "after") -> np.ndarray:
        """A quantity, or a component of one, in every case: (cases,), of a vector (cases, components), in SI.

        at: a phase or event, with the side of it, "start", "end", or over the flight, between samples too,
        "min", "max" and "largest" (of its size). Not a number where a flight did not come to it. The
        first value of a batch is compiled; values of one quantity at other events are not again. Raises
        BadInput for names that are not there, and, for more than the end, in a batch flown without
        samples."""
        known = after.known_after(self.scenario, path)
        if known is not None and (found := known.value(self, path, at)) is not None:
            return found
        if known is None:
            stems_of(self.scenario, [path])
        self._check_moment(at, side)
        if not self.sampled and (at != "end" or known is not None):
            text = "this batch was flown without samples, which leaves its end only; fly it with samples"
            raise BadInput(Problem("at", f"{text} = True"))
        return self._values(path, at, side, samples=at in EXTREMES)

    def _check_moment(self, at: str, side: str) -> None:
        """Raise BadInput where there is no such moment, or no such side of it."""
        moments = ("start", "end", *self.events, *EXTREMES)
        if at not in moments:
            raise BadInput(Problem("at", f"there is no event '{at}'; {near(str(at), moments)}"))
        if side not in ("before", "after"):
            raise BadInput(Problem("side", f"'{side}' is not a side of an event; allowed: before, after"))

    def _values(self, path: str, at: str, side: Any, samples: bool) -> np.ndarray:
        """Values of a quantity that is known, in all cases."""
        take: Any = at if at in EXTREMES else None
        wanted = Wanted(path, None if take else at, None, side, take)
        parts = [_values(self._records(chunks, wanted, samples), wanted) for chunks in self._flown]
        # Of a chunk in which no case has it, its components are not known.
        wide = max(parts, key=np.ndim).shape[1:]
        return np.concatenate([p if p.shape[1:] == wide else np.full((len(p), *wide), np.nan) for p in parts])

    def _records(self, chunks: dict[str, Chunk], wanted: Wanted, samples: bool) -> list[Record | None]:
        """Records of the cases of a chunk with the wanted quantities."""
        return self._lot.records_in(self._leg, chunks, [wanted], samples)

    def envelope(self, by_phase: bool = False) -> pandas.DataFrame:
        """Smallest and largest value of each component of the loads of joints and interfaces in each case,
        as `Flight.envelope` with the number of the case in front. Raises ValueError for a batch flown without
        samples."""
        if not self.sampled:
            raise ValueError("this batch was flown without samples; fly it with samples = True")
        wanted, rows = tuple(envelope.stems(self.scenario, catalogue(self.scenario))), []
        for chunk in self._chunks:
            program = self._lot.legs[self._leg].program
            for place, record in enumerate(lane_records(program, self.scenario, chunk, wanted)):
                if record is not None:
                    found = envelope.envelope(record, by_phase)
                    rows.append(envelope.table(found, case=chunk.first + place))
        import pandas

        return pandas.concat(rows, ignore_index=True)

    @property
    def flown_lanes(self) -> list[FlownLanes]:
        """Cases as they were flown together."""
        return [self._lot.lanes_of(chunks)[self._leg] for chunks in self._flown]

    @property
    def _chunks(self) -> list[Chunk]:
        return [chunks[self._leg] for chunks in self._flown]

    def clearance(self, name: str, progress: Progress | bool | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The least distance of a clearance in every case (cases,) [m], and when (cases,) [s]; not a number
        where it did not begin. Bodies that touch when it begins are at zero or below; without `after` it
        counts from the first step on in which they are apart.

        Distances are searched only where bounds and the speeds between steps let a lesser one be.
        progress(cases searched, of how many): as of `fly_batch`. Raises BadInput for an unknown name, and for
        a batch flown without samples."""
        known: Any = after.known_after(self.scenario, f"clearance.{name}")
        with progress_reports(progress, "cases") as advanced:
            return known.of_batch(self, name, advanced)

    def record(self, lane: int) -> Record:
        """The record of one case, observed now. Raises ValueError for a batch flown without samples, BadInput
        for a case that was refused or is not there."""
        check_case(lane, self.lanes)
        if not self.sampled:
            raise ValueError("this batch was flown without samples; fly it with samples = True")
        if lane in self.refused:
            raise BadInput(Problem(f"case {lane}", f"was not flown: {self.refused[lane]}"))
        return self._record(lane)

    def _record(self, lane: int, sums: Mapping[str, float] = MappingProxyType({})) -> Record:
        """The record of a case that was flown. sums: see `Record.sums`."""
        start, cursor, track = lane_track(*self._place(lane))
        scenario = self.case(lane)
        program = program_for(scenario, (), recorded_steps(scenario))
        between = Between(program, scenario, start.reference, cursor, track)
        record, sampled = track_record(between)
        record.sums = dict(sums)
        peaks.let_search(between, record)
        record.earlier = program.table.come(start.discrete.fired)
        after.add(after.Flown(between, record, sampled))
        record.outcome, record.completed = self.outcome(lane)
        peaks.put_usual(scenario, record)
        return record

    def _place(self, lane: int) -> tuple[Chunk, int]:
        """The chunk that one case was flown in, and its place there."""
        chunk = next(c for c in self._chunks if c.first <= lane < c.first + c.count)
        return chunk, lane - chunk.first


def fly_batch(
    scenario: Any,
    dispersed: dict[str, Any],
    threads: int = 2,
    samples: bool = True,
    strict: bool = True,
    progress: Progress | bool | None = None,
    together: bool | None = None,
) -> Batch:
    """Fly one case for each row of the dispersed inputs.

    `dispersed`: input path -> values (cases, ...) in SI, all with the same number of cases. A path may name
    one component of a vector, as "bodies.payload.mass_centre.x", or many leaves by a pattern with *, as in a
    sweep. Without samples only the ends and the events are kept, which takes far less memory. progress(cases
    flown, of how many) is called after each chunk; for True, False and none see `progress.progress_reports`.
    Raises BadInput where the inputs differ in length or are not allowed, and, if strict, where a start is not
    consistent; if not, such cases are left out, and the others fly (see `Batch.refused`).

    `together`: whether cases fly side by side in one program, which is compiled and kept, or one by one with
    that of a single flight; none chooses by the number of their steps. Repeated batches run two to five times
    as fast together."""
    lot = Lot(scenario, dispersed, samples, strict, together)
    with progress_reports(progress, "cases") as advanced:
        chunks, _ = lot.flown(threads, lambda chunks: chunks, advanced)
    if WHOLE in lot.legs:
        return batch_of(lot, WHOLE, chunks, samples)
    from .mission_batch import mission_batch

    return mission_batch(lot, chunks, samples)


def _values(records: Sequence[Record | None], wanted: Wanted) -> np.ndarray:
    """Values of a quantity in the records of cases, (cases,), of a vector (cases, components)."""
    some = next((record for record in records if record is not None and record.meta), None)
    if some is None:
        return np.full(len(records), np.nan)
    stem, component = resolve(some, wanted.quantity)
    names = some.meta[stem].components if component is None else ()
    paths = [f"{stem}.{name}" for name in names] or [wanted.quantity]
    each = [replace(wanted, quantity=name) for name in paths]
    known = [record if record is not None and stem in record.series else None for record in records]
    found = np.array([[np.nan if record is None else value_of(record, w) for w in each] for record in known])
    return found if names else found[:, 0]


def batch_of(lot: Lot, leg: str, flown: list[dict[str, Chunk]], samples: bool) -> Batch:
    """The flights of all cases of a leg, from chunks of all legs."""
    one, chunks = lot.legs[leg], [each[leg] for each in flown]
    refused = {
        chunk.first + lane: "; ".join(map(str, problems))
        for chunk in chunks
        for lane, problems in chunk.refused.items()
    }

    def join(take, instead):
        parts = [np.asarray(take(chunk.cursor))[..., : chunk.count] for chunk in chunks]
        whole = np.concatenate(parts, -1)
        whole[..., list(refused)] = instead
        return whole

    return Batch(
        one.scenario,
        lot.dispersed,
        status=join(lambda c: c.status, REFUSED),
        time=join(lambda c: c.t, np.nan),
        x=join(lambda c: c.x, np.nan),
        events=tuple(h.name for h in one.program.table.events),
        event_time=join(lambda c: c.discrete.event_time, np.inf),
        sampled=samples,
        refused=refused,
        _lot=lot,
        _leg=leg,
        _flown=flown,
    )
