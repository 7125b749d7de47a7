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


class _Placed(NamedTuple):
    """Lanes where they begin; see `Chunk`."""

    scenario: Any
    start: Any
    cursor: Any
    count: int
    refused: dict[int, tuple[Problem, ...]]


class Lot:
    """Cases made ready to be flown, a chunk after the other: their program, and the scenario with all lanes.

    Raises BadInput where the inputs differ in length or are not allowed."""

    def __init__(
        self,
        scenario: Any,
        dispersed: dict[str, Any],
        samples: bool = True,
        strict: bool = True,
        together: bool | None = None,
    ):
        refuse_legs(scenario, "batches")
        self.dispersed = {path: _plain(path, values) for path, values in dispersed.items()}
        self.lanes = _lane_count(self.dispersed)
        self.scenario = resolved(scenario)
        self.samples, self.strict, self._together = samples, strict, together
        self.dispersed = _by_leaf(self.scenario, self.dispersed, self.lanes)
        self._wide = spread(self.scenario, self.dispersed)
        backend = jax.default_backend()
        widths = LANES_AT_ONCE.get(backend, (min(self.lanes, MANY_LANES),))
        width = next((width for width in widths if 2 * width >= self.lanes), widths[-1])
        kept, rows = (recorded(self.scenario), ROWS_AT_ONCE) if samples else ("events", ROWS_UNSAMPLED)
        if not self.scenario.solver.fixed_step:
            kept = "steps"
        self.program: Program = program_for(self.scenario, (width,), kept, rows)
        self._layout = Layout(self.scenario)
        self._alone = OneByOne(self.scenario) if backend == "cpu" else None

    def case(self, lane: int) -> Any:
        """The scenario of one lane."""
        return together(self.scenario, {path: v[lane] for path, v in self.dispersed.items()})

    def lanes_of(self, chunk: Chunk) -> FlownLanes:
        """A chunk of its lanes, as parts see them."""
        return FlownLanes(self.program, chunk, self.scenario, self.dispersed, self.case)

    def flown(
        self,
        threads: int,
        work: Callable[[Chunk], Any],
        progress: Progress | None = None,
        keep: bool = False,
    ) -> tuple[list[Any], bool]:
        """What `work` makes of each chunk when it has been flown, in order, and whether somebody interrupted.

        progress(cases flown so far, of how many) is called after each chunk. keep: an interrupt (Ctrl-C)
        ends it there, and chunks that were not flown are None; else it goes on to the caller."""
        stop, width = threading.Event(), self.program.lanes[0]
        self._settle(stop)
        firsts = range(0, self.lanes, width)
        found: list[Any] = [None] * len(firsts)
        far: dict[int, int] = {}

        def one(first: int) -> Any:
            def advanced(count: int) -> None:
                far[first] = count
                reached(sum(far.copy().values()), self.lanes)

            chunk = self._fly(first, stop, advanced)
            return None if chunk is None else work(chunk)

        with ThreadPoolExecutor(threads) as pool:
            waiting: dict[Future[Any], int] = {pool.submit(one, first): k for k, first in enumerate(firsts)}
            try:
                while waiting:
                    done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in done:
                        found[waiting.pop(future)] = future.result()
                    if progress is not None:
                        progress(min(self.lanes, width * (len(firsts) - len(waiting))), self.lanes)
            except BaseException as error:
                stop.set()
                for future in waiting:
                    future.cancel()
                if keep and isinstance(error, KeyboardInterrupt):
                    return found, True
                raise
        return found, False

    def _settle(self, stop: threading.Event) -> None:
        """Find whether cases are flown one by one: their number and the steps of the first one that can be
        flown tell, so that it is the same in each run."""
        if self._alone is None:
            return
        fewer = few(self.scenario, self.lanes) if self._together is None else not self._together
        if fewer is None:
            placed = self._placed(0)
            able = [lane for lane in range(placed.count) if lane not in placed.refused]
            steps = self._alone.steps(*placed[:3], able[0], stop) if able else 0
            fewer = self.lanes * steps <= STEPS_ALONE
        if not fewer:
            self._alone = None

    def _placed(self, first: int) -> _Placed:
        """A chunk of lanes where they begin; the last one is filled up with copies of its last lane."""
        program, width = self.program, self.program.lanes[0]
        count = min(width, self.lanes - first)
        index = np.minimum(np.arange(first, first + width), self.lanes - 1)
        scenario, start = self._begun(index)
        refused = refused_lanes(self._layout, start, count)
        if refused and self.strict:
            lane, problems = next(iter(refused.items()))
            raise BadInput(Problem(p.place, f"case {first + lane}: {p.message}") for p in problems)
        if 0 < len(refused) < count:
            # Lanes that cannot start fly as copies of one that can, and are not counted.
            good = next(lane for lane in range(count) if lane not in refused)
            scenario, start = self._begun(
                np.where(np.isin(np.arange(width), list(refused)), index[good], index)
            )
        cursor = program.cursor(scenario, start.reference, 0.0, start.x, start.discrete)
        return _Placed(scenario, start, cursor, count, refused)

    def _fly(self, first: int, stop: threading.Event, advanced: Callable[[int], None]) -> Chunk | None:
        """Fly one chunk of lanes, and tell how many are there already. None where it was stopped."""
        placed = self._placed(first)
        scenario, start, cursor, count, refused = placed
        if len(refused) == count:
            found = cursor, []
        elif self._alone is not None:
            found = self._one_by_one(self._alone, placed, stop, advanced)
        else:
            found = self._as_lanes(placed, stop, advanced)
        if found is None:
            return None
        cursor, rows = found
        cursor = jax.device_get(self.program.ended(scenario, start.reference, cursor))
        return Chunk(first, count, scenario, start, cursor, rows, refused)

    def _one_by_one(self, alone: OneByOne, placed: _Placed, stop: threading.Event, advanced: Any) -> Any:
        found = alone.flown(*placed[:3], range(placed.count), stop, advanced)
        if found is None:
            return None
        cursor, rows = found
        return cursor, [(rows, len(rows.t))] if self.samples else []

    def _as_lanes(self, placed: _Placed, stop: threading.Event, advanced: Any) -> Any:
        scenario, start, cursor = placed[:3]
        rows, pace = [], Pace(scenario)
        while np.any(np.asarray(cursor.status) == RUNNING):
            if stop.is_set():
                return None
            cursor, part, taken = self.program.advance(scenario, start.reference, 0.0, cursor)
            cursor = pace.judged(cursor)
            advanced(int(np.sum(np.asarray(cursor.status)[: placed.count] != RUNNING)))
            if self.samples:
                rows.append((jax.device_get(part), int(taken)))
        return cursor, rows

    def _begun(self, index: np.ndarray) -> tuple[Any, Any]:
        """The scenario of some of the lanes, which differ in the dispersed leaves, and its start."""
        scenario = self._wide
        for path in self.dispersed:
            scenario = replaced(scenario, path, get(self._wide, path)[..., index])
        return scenario, jax.device_get(self.program.begin(scenario, 0.0))


def _plain(path: str, values: Any) -> np.ndarray:
    try:
        return np.asarray(values, float)
    except (TypeError, ValueError):
        text = "values of a batch are numbers in SI, (cases, ...); convert texts with units first"
        raise BadInput(Problem(path, text)) from None


def _lane_count(dispersed) -> int:
    lengths = {path: len(values) if values.ndim else 0 for path, values in dispersed.items()}
    if not lengths or len(set(lengths.values())) != 1 or 0 in lengths.values():
        listed = ", ".join(f"{path}: {n}" for path, n in lengths.items()) or "none given"
        raise BadInput(
            Problem(
                "dispersed", f"inputs need one value for each case, the same number for all; here {listed}"
            )
        )
    return next(iter(lengths.values()))


def _by_leaf(scenario: Any, dispersed: dict[str, np.ndarray], lanes: int) -> dict[str, np.ndarray]:
    """The inputs by leaf: elements of one, like a component of a vector, beside its others as they are.
    Raises BadInput."""
    named: list[tuple[str, Target]] = []
    for path, values in dispersed.items():
        named += [(path, target) for target in targets_of(scenario, path, path)]
        wanted = named[-1][1].nominal.shape
        if wanted != values.shape[1:]:
            text = f"the value of one case has shape {wanted}, given was {values.shape[1:]}"
            raise BadInput(Problem(path, text))
    for path, other, _ in clashes(scenario, named):
        raise BadInput(Problem(path, f"is moved by '{other}' too; disperse one of the two"))
    found: dict[str, np.ndarray] = {}
    for path, target in named:
        if not target.index:
            found[target.path] = dispersed[path]
            continue
        whole = found.setdefault(target.path, np.repeat(np.asarray(target.leaf, float)[None], lanes, axis=0))
        whole[(slice(None), *target.index)] = dispersed[path]
    return found


def spread(scenario: Any, dispersed: dict[str, np.ndarray]) -> Any:
    """The scenario with a lane axis on every leaf: of size one, or of the dispersed values (lanes, ...).

    Raises BadInput where a value is not allowed.
    """
    wide = jax.tree.map(np.asarray, lift(scenario))
    checked = together(scenario, {path: np.moveaxis(v, 0, -1) for path, v in dispersed.items()})
    for path in dispersed:
        wide = replaced(wide, path, get(checked, path))
    return wide


def together(scenario: Any, values: dict[str, np.ndarray]) -> Any:
    """The scenario with all values put in before any is checked: some are allowed together only. Raises
    BadInput."""
    for path, value in values.items():
        scenario = replaced(scenario, path, np.asarray(value))
    for path, value in values.items():
        scenario = put(scenario, path, np.asarray(value))
    return scenario
