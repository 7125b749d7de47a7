"""Many cases of one scenario at once: lanes of one compiled program, chunks of them on several threads."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from ..engine.layout import Layout
from ..maths.arrays import jax
from ..mission import refuse_legs
from ..quantities.catalogue import catalogue
from ..record import envelope
from ..record.record import Record, resolve
from ..record.requirements import EXTREMES, Wanted, value_of
from ..stepper.problem import RUNNING
from ..tree.declaration import get, replaced
from ..tree.declaration import set as put
from ..tree.errors import BadInput, Problem, check_case, near
from . import after
from .consistency import refused_lanes
from .lane_records import Chunk, lane_records, lane_track, stems_of
from .lanes import FlownLanes
from .observation import outcome, track_record
from .one_by_one import STEPS_ALONE, OneByOne, few
from .pace import Pace
from .program import Program, lift, program_for
from .progress import Progress, followed, reached
from .simulate import recorded, resolved
from .targets import Target, clashes, targets_of

if TYPE_CHECKING:
    import pandas

LANES_AT_ONCE = {"cpu": (64, 128)}
"""Lanes in a chunk by backend, the first that makes two chunks of a batch, or else the last: on a CPU enough
to fill the vector unit, few enough to stay in the cache."""
MANY_LANES = 131072
"""Lanes in a chunk on an accelerator."""
ROWS_AT_ONCE = 128
ROWS_UNSAMPLED = 64
REFUSED = -1
"""Status of a lane that was not flown, since its start is not consistent."""


@dataclass(repr=False)
class Batch:
    """Flights of all lanes.

    dispersed: path -> values (lanes, ...). status (lanes,): see `stepper.problem`, and `REFUSED`. time
    (lanes,) [s]: where each flight ended. x (n, lanes): states there. event_time (event, lanes) [s], inf for
    events that never came, the last time of those that repeat, with the names in `events`. refused: lane ->
    why it was not flown; its numbers are not numbers."""

    scenario: Any
    dispersed: dict[str, np.ndarray]
    status: np.ndarray
    time: np.ndarray
    x: np.ndarray
    events: tuple[str, ...]
    event_time: np.ndarray
    sampled: bool
    refused: dict[int, str] = field(default_factory=dict)
    _chunks: list[Chunk] = field(default_factory=list)
    _program: Any = None

    def __repr__(self) -> str:
        return f"<Batch of {self.lanes} cases: {', '.join(self.dispersed)}>"

    @property
    def lanes(self) -> int:
        """Number of cases."""
        return len(self.time)

    def case(self, lane: int) -> Any:
        """The scenario of one lane. Raises BadInput for a number that is not there."""
        check_case(lane, self.lanes)
        return together(self.scenario, {path: v[lane] for path, v in self.dispersed.items()})

    def outcome(self, lane: int) -> tuple[str, bool]:
        """How the flight of one lane ended, in one sentence, and whether it reached the end of its
        scenario. Raises BadInput for a number that is not there."""
        check_case(lane, self.lanes)
        if lane in self.refused:
            return f"Not flown: {self.refused[lane]}", False
        chunk, place = self._place(lane)
        return outcome(jax.tree.map(lambda a: np.asarray(a)[..., place], chunk.cursor), False)

    @cached_property
    def completed(self) -> np.ndarray:
        """Whether each flight reached the end of its scenario, (lanes,)."""
        return np.array([self.outcome(lane)[1] for lane in range(self.lanes)])

    def value(self, path: str, at: str = "end", side: Literal["before", "after"] = "after") -> np.ndarray:
        """A quantity, or a component of one, in every case: (lanes,), of a vector (lanes, components), in SI.

        at: a phase or event, with the side of it, "start", "end", or over all samples and both sides of all
        events "min", "max" and "largest" (of its size). Not a number where a flight did not come to it. The
        first value of a batch is compiled; values of one quantity at other events are not again. Raises
        BadInput for names that are not there, and, for more than the end, in a batch flown without
        samples."""
        known = after.known_after(self.scenario, path)
        if known is not None and (found := known.value(self, path, at)) is not None:
            return found
        stems = stems_of(self.scenario, [path]) if known is None else ()
        moments = ("start", "end", *self.events, *EXTREMES)
        if at not in moments:
            raise BadInput(Problem("at", f"there is no event '{at}'; {near(at, moments)}"))
        if side not in ("before", "after"):
            raise BadInput(Problem("side", f"'{side}' is not a side of an event; allowed: before, after"))
        if not self.sampled and (at != "end" or known is not None):
            text = "this batch was flown without samples, which leaves its end only; fly it with samples"
            raise BadInput(Problem("at", f"{text} = True"))
        parts = [
            self._values(chunk, lanes, path, stems, at, side)
            for chunk, lanes in zip(self._chunks, self.flown_lanes, strict=True)
        ]
        return np.concatenate(parts)

    def _values(
        self, chunk: Chunk, lanes: FlownLanes, path: str, stems: tuple[str, ...], at: str, side: Any
    ) -> np.ndarray:
        """Values of a quantity in the lanes of a chunk. stems: what to observe for it; nothing where it is
        known afterwards only."""
        take: Any = at if at in EXTREMES else None
        records = lane_records(self._program, self.scenario, chunk, stems, samples=bool(take) or not stems)
        whole = Wanted(path, None if take else at, None, side, take)
        if not stems:
            after.add_to_lanes(lanes, records, [whole])
        some = next((record for record in records if record is not None and record.meta), None)
        if some is None:
            return np.full(len(records), np.nan)
        stem, component = resolve(some, path)
        names = some.meta[stem].components if component is None else ()
        paths = [f"{stem}.{name}" for name in names] or [path]
        wanted = [replace(whole, quantity=name) for name in paths]
        known = [record if record is not None and stem in record.series else None for record in records]
        found = np.array(
            [[np.nan if record is None else value_of(record, w) for w in wanted] for record in known]
        )
        return found if names else found[:, 0]

    def envelope(self, by_phase: bool = False) -> pandas.DataFrame:
        """Smallest and largest value of each component of the loads of joints and interfaces in each case,
        as `Flight.envelope` with the number of the case in front. Raises ValueError for a batch flown without
        samples."""
        if not self.sampled:
            raise ValueError("this batch was flown without samples; fly it with samples = True")
        wanted, rows = tuple(envelope.stems(self.scenario, catalogue(self.scenario))), []
        for chunk in self._chunks:
            for place, record in enumerate(lane_records(self._program, self.scenario, chunk, wanted)):
                if record is not None:
                    found = envelope.envelope(record, by_phase)
                    rows.append(envelope.table(found, case=chunk.first + place))
        import pandas

        return pandas.concat(rows, ignore_index=True)

    @property
    def flown_lanes(self) -> list[FlownLanes]:
        """Lanes as they were flown together."""
        return [
            FlownLanes(self._program, chunk, self.scenario, self.dispersed, self.case)
            for chunk in self._chunks
        ]

    def clearance(self, name: str, progress: Progress | bool | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The least distance of a clearance in every case (lanes,) [m], and when (lanes,) [s]; not a number
        where it did not begin. Bodies that touch when it begins are at zero or below; without `after` it
        counts from the first step on in which they are apart.

        Distances are searched only where bounds and the speeds between steps let a lesser one be.
        progress(cases searched, of how many): as of `fly_batch`. Raises BadInput for an unknown name, and for
        a batch flown without samples."""
        known: Any = after.known_after(self.scenario, f"clearance.{name}")
        with followed(progress, "cases") as advanced:
            return known.of_batch(self, name, advanced)

    def record(self, lane: int) -> Record:
        """The record of one lane, observed now. Raises ValueError for a batch flown without samples, BadInput
        for a lane that was refused or is not there."""
        check_case(lane, self.lanes)
        if not self.sampled:
            raise ValueError("this batch was flown without samples; fly it with samples = True")
        if lane in self.refused:
            raise BadInput(Problem(f"case {lane}", f"was not flown: {self.refused[lane]}"))
        start, cursor, track = lane_track(*self._place(lane))
        scenario = self.case(lane)
        program = program_for(scenario, (), recorded(scenario))
        record, sampled = track_record(program, scenario, start.reference, cursor, track)
        after.add(after.Flown(program, scenario, start.reference, cursor, track, record, sampled))
        record.outcome, record.completed = outcome(cursor, False)
        return record

    def _place(self, lane: int) -> tuple[Chunk, int]:
        """The chunk that one lane was flown in, and its place there."""
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

    dispersed: input path -> values (lanes, ...) in SI, all with the same number of lanes; also of one
    component of a vector, as "bodies.payload.mass_centre.x", and of many leaves by a pattern with *, as in a
    sweep. Without samples
    only the ends and the events are kept, which takes far less memory. progress(cases flown, of how many) is
    called after each chunk; for True, False and none see `progress.followed`. Raises BadInput where the
    inputs differ in length or are not allowed, and, if strict, where a start is not consistent; if not, such
    lanes are left out, and the others fly (see `Batch.refused`).

    together: whether cases are lanes of one program, which is compiled for them and kept, or flown one by one
    with that of a single flight; none chooses by the number of their steps. What is flown again and again
    goes two to five times as fast together."""
    lot = Lot(scenario, dispersed, samples, strict, together)
    with followed(progress, "cases") as advanced:
        chunks, _ = lot.flown(threads, lambda chunk: chunk, advanced)
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
        lot.scenario,
        lot.dispersed,
        status=join(lambda c: c.status, REFUSED),
        time=join(lambda c: c.t, np.nan),
        x=join(lambda c: c.x, np.nan),
        events=tuple(h.name for h in lot.program.table.happenings),
        event_time=join(lambda c: c.discrete.event_time, np.inf),
        sampled=samples,
        refused=refused,
        _chunks=chunks,
        _program=lot.program,
    )
