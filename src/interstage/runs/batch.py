"""Run a batch: many cases of one scenario are simulated together in groups, on several threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from ..missions.names import WHOLE
from ..observation import after, peaks
from ..observation.between import Between
from ..observation.merged_cases import merge_chunks
from ..observation.observation import track_record
from ..observation.records_of_cases import Chunk, lane_records, lane_track, stems_of
from ..programs.program import program_for
from ..programs.progress import Progress, progress_reports
from ..quantities.catalogue import catalogue
from ..record import envelope
from ..record.record import Record, resolve
from ..record.requirements import EXTREMES, Wanted, value_of
from ..tree.errors import BadInput, Problem, check_case
from ..tree.similar_names import near
from .cases_together import FlownLanes
from .lot import Lot
from .responses_of_cases import CaseResponses
from .run import recorded_steps

if TYPE_CHECKING:
    import pandas

TOGETHER = 1024
"""Maximum number of cases whose quantities are evaluated in one call."""
MOST_KEPT = 4096
"""Maximum number of cases in a batch that keeps its merged integration steps for later values."""
REFUSED = -1
"""Status of a case that was not flown because its initial state is not consistent."""


@dataclass(repr=False)
class Batch:
    """Results of a batch: the flights of all cases.

    - scenario: scenario of the batch.
    - dispersed: values of the inputs (cases, ...) by path, SI units.
    - status: status code of each case (cases,): 1 for a flight that was completed or ended by an
      event; -1 for a case that was not flown (`REFUSED`); for other codes see `stepper.problem`.
    - time: end time of each flight (cases,) [s].
    - x: state vector at the end of each flight (n, cases).
    - events: names of the events.
    - event_time: time of each event (event, cases) [s]. The time is infinity if the event did not occur, and
      the last time if the event occurred more than once.
    - sampled: true if the batch has samples.
    - refused: reason for each case that was not flown, by index of the case. The results of these
      cases are NaN.
    """

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
    _kept: dict[_Asked, np.ndarray] = field(default_factory=dict)
    _kept_groups: list[CaseResponses] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<Batch of {self.lanes} cases: {', '.join(self.dispersed)}>"

    @property
    def lanes(self) -> int:
        """Return the number of cases."""
        return len(self.time)

    def case(self, lane: int) -> Any:
        """Return the scenario of one case.

        `lane`: index of the case, from 0. Raises BadInput for an index outside the batch.
        """
        check_case(lane, self.lanes)
        return self._case(lane)

    def _case(self, lane: int) -> Any:
        return self._lot.case_of_leg(lane, self._leg)

    def outcome(self, lane: int) -> tuple[str, bool]:
        """Return the outcome of one case as a sentence, and whether its flight reached the end of the
        scenario.

        `lane`: index of the case, from 0. Raises BadInput for an index outside the batch.
        """
        check_case(lane, self.lanes)
        if lane in self.refused:
            return f"Not flown: {self.refused[lane]}", False
        return self._outcome(lane)

    def _outcome(self, lane: int) -> tuple[str, bool]:
        """Return the outcome of a case that was flown, and whether the flight reached its end."""
        chunk, place = self._place(lane)
        chunks = next(own for own in self._flown if own[self._leg] is chunk)
        return self._lot.lanes_of(chunks)[self._leg].outcomes([place])[0]

    @cached_property
    def completed(self) -> np.ndarray:
        """Return whether the flight of each case reached the end of its scenario: bool (cases,)."""
        return np.array([self._reached_end(lane) for lane in range(self.lanes)])

    def _reached_end(self, lane: int) -> bool:
        """Return whether the flight of one case reached the end of its scenario."""
        return lane not in self.refused and self._ends[lane]

    @cached_property
    def _ends(self) -> list[bool]:
        """Whether the flight of each case reached its end, of those that were flown."""
        return [reached for one in self.flown_lanes for _, reached in one.all_outcomes[: one.count]]

    def value(self, path: str, at: str = "end", side: Literal["before", "after"] = "after") -> np.ndarray:
        """Return a quantity in every case, in SI units: (cases,) for a scalar, (cases, components) for a
        vector.

        - path: path of the quantity, or of one of its components.
        - at: name of a phase or event, "start", "end", or an extreme over the flight: "min", "max" or
          "largest" (largest magnitude). Extremes include values between samples. Default: "end".
        - side: "before" or "after": just before or just after the event. Default: "after".

        The value is NaN in a case in which the event did not occur. Computing several quantities in one call
        is faster, see `values`. Raises BadInput for an unknown quantity or event. In a batch without samples,
        raises BadInput if `at` is not "end".
        """
        return self.values([(path, at, side)])[0]

    def values(self, responses: Sequence[tuple[Any, ...]]) -> list[np.ndarray]:
        """Return several quantities in every case. All quantities are computed together, which is faster.

        responses: arguments of `value` for each quantity: (path,), (path, at) or (path, at, side). Raises
        BadInput under the conditions of `value`.
        """
        asked = [_Asked(*one) for one in responses]
        new = [one for one in dict.fromkeys(asked) if one not in self._kept]
        self._kept |= dict(zip(new, self._find(new), strict=True))
        return [self._kept[one].copy() for one in asked]

    def _find(self, asked: Sequence[_Asked]) -> list[np.ndarray]:
        """Return values that are not known yet. Raises BadInput."""
        found: dict[_Asked, np.ndarray] = {}
        for one in asked:
            known = after.known_after(self.scenario, one.path)
            if known is not None and (value := known.value(self, one.path, one.at)) is not None:
                found[one] = value
                continue
            if known is None:
                stems_of(self.scenario, [one.path], self._catalogue)
            self._check_moment(one.at, one.side)
            if not self.sampled and (one.at != "end" or known is not None):
                text = (
                    "this batch was flown without samples and has values at the ends of its cases"
                    " only. Run the"
                    " batch with samples"
                )
                raise BadInput(Problem("at", f"{text} = True"))
        rest = [one for one in asked if one not in found]
        found |= dict(zip(rest, self._values(rest), strict=True))
        return [found[one] for one in asked]

    def _check_moment(self, at: str, side: str) -> None:
        """Check the name of an event and the side of the event. Raises BadInput."""
        moments = ("start", "end", *self.events, *EXTREMES)
        if at not in moments:
            raise BadInput(Problem("at", f"there is no event '{at}'; {near(str(at), moments)}"))
        if side not in ("before", "after"):
            raise BadInput(Problem("side", f"'{side}' is not a side of an event. Allowed: before, after"))

    def _values(self, asked: Sequence[_Asked]) -> list[np.ndarray]:
        """Return the values of known quantities in all cases."""
        if not asked:
            return []
        parts = [self._parts_of(one) for one in asked]
        wanted = [each for some in parts for each in some]
        groups = [group.values(wanted) for group in self._groups()]
        direct = {
            each: np.concatenate([group[k] for group in groups])  # type: ignore[misc]
            for k, each in enumerate(wanted)
            if all(group[k] is not None for group in groups)
        }
        rest = [k for k, some in enumerate(parts) if not all(each in direct for each in some)]
        slow = dict(zip(rest, self._from_records([asked[k].request for k in rest]), strict=True))

        def value(k: int) -> np.ndarray:
            columns = [direct[each] for each in parts[k]]
            return columns[0] if parts[k] == [asked[k].request] else np.stack(columns, 1)

        return [slow[k] if k in slow else value(k) for k in range(len(asked))]

    def _parts_of(self, asked: _Asked) -> list[Wanted]:
        """Return the request for each component of a quantity, or for a scalar."""
        known = self._catalogue
        if after.known_after(self.scenario, asked.path) is not None or asked.path not in known:
            return [asked.request]
        names = known[asked.path].meta.components
        return [replace(asked.request, quantity=f"{asked.path}.{name}") for name in names] or [asked.request]

    @cached_property
    def _catalogue(self) -> Any:
        """The quantities of the scenario, during the flight."""
        return catalogue(self.scenario)

    def _from_records(self, wanted: Sequence[Wanted]) -> list[np.ndarray]:
        """Return the values of known quantities in all cases from records of the cases."""
        if not wanted:
            return []
        parts: list[list[np.ndarray]] = [[] for _ in wanted]
        for chunks in self._flown:
            records = self._records(chunks, wanted)
            for k, one in enumerate(wanted):
                parts[k].append(_values(self._of_records(records, one), one))
        return [_join_values(some) for some in parts]

    def _records(self, chunks: dict[str, Chunk], wanted: Sequence[Wanted]) -> list[Record | None]:
        """Return the records of the cases of a chunk with the wanted quantities."""
        return self._lot.records_in(self._leg, chunks, wanted)

    def _of_records(self, records: list[Record | None], wanted: Wanted) -> list[Record | None]:
        """Return records of single flights that have a wanted quantity."""
        return records

    def _groups(self) -> list[CaseResponses]:
        """Return the cases in groups whose values are computed together."""
        if self._kept_groups:
            return self._kept_groups
        chunks, groups = self._chunks, []
        width = max(chunk.count for chunk in chunks)
        often = max(1, TOGETHER // width)
        for first in range(0, len(chunks), often):
            merged = merge_chunks(chunks[first : first + often])
            groups.append(CaseResponses(self._lot.lanes_of({self._leg: merged})[self._leg]))
        if self.lanes <= MOST_KEPT:
            self._kept_groups = groups
        return groups

    def envelope(self, by_phase: bool = False) -> pandas.DataFrame:
        """Return the smallest and largest value of each load component in each case as a table.

        The loads are those of joints and interfaces. The first column is the index of the case. The other
        columns are the columns of `Flight.envelope`. by_phase: also add rows for each phase. Default: False.
        Raises ValueError for a batch without samples.
        """
        if not self.sampled:
            raise ValueError("this batch was flown without samples. Run the batch with samples = True")
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
        """Return the groups of cases that were simulated together."""
        return [self._lot.lanes_of(chunks)[self._leg] for chunks in self._flown]

    @property
    def _chunks(self) -> list[Chunk]:
        return [chunks[self._leg] for chunks in self._flown]

    def clearance(self, name: str, progress: Progress | bool | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return the minimum distance of a clearance in each case (cases,) [m], and its time (cases,) [s].

        - name: name of the clearance in the scenario.
        - progress: function of the number of searched cases and of the total number; see `fly_batch`.

        Both results are NaN in a case in which the clearance was not evaluated. If the bodies touch at the
        start of the clearance, the distance is zero or negative. A clearance without `after` starts at the
        first step at which the bodies do not touch. Raises BadInput for an unknown name, and for a batch
        without samples.
        """
        known: Any = after.known_after(self.scenario, f"clearance.{name}")
        with progress_reports(progress, "cases") as advanced:
            return known.of_batch(self, name, advanced)

    def record(self, lane: int) -> Record:
        """Return the record of one case. `lane`: index of the case, from 0.

        Raises ValueError for a batch without samples. Raises BadInput for an index outside the batch, and
        for a case that was not flown."""
        check_case(lane, self.lanes)
        if not self.sampled:
            raise ValueError("this batch was flown without samples. Run the batch with samples = True")
        if lane in self.refused:
            raise BadInput(Problem(f"case {lane}", f"the case was not flown: {self.refused[lane]}"))
        return self._record(lane)

    def _record(self, lane: int, sums: Mapping[str, float] = MappingProxyType({})) -> Record:
        """Return the record of a case that was flown. sums: initial values of integrals, see
        `Record.sums`."""
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
        """Return the chunk that has a case, and the index of the case in this chunk."""
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
    """Simulate one case for each row of the dispersed inputs, and return the results as a batch.

    - dispersed: values (cases, ...) in SI units, by path of the input. All inputs have the same
      number of cases. A path can name one component of a vector, such as
      "bodies.payload.mass_centre.x", or many inputs by a pattern with *.
    - threads: number of parallel threads. Default: 2.
    - samples: if true, samples are stored. If false, only final states and events are stored, which
      needs far less memory. Default: True.
    - strict: if true and the initial state of a case is not consistent, BadInput is raised. If false,
      the case is skipped, see `Batch.refused`. Default: True.
    - progress: function of the number of finished cases and of the total number, called after each
      group; True, False or None as in `Scenario.run`. Default: None.
    - together: if true, one compiled program simulates many cases together. If false, the cases are
      simulated one after another. Default: chosen from the number of integration steps. With true,
      repeated batches run two to five times faster.

    Raises BadInput if the inputs have different numbers of cases, or if an input cannot be varied.
    """
    lot = Lot(scenario, dispersed, samples, strict, together)
    with progress_reports(progress, "cases") as advanced:
        chunks, _ = lot.flown(threads, lambda chunks: chunks, advanced)
    if WHOLE in lot.legs:
        return batch_of(lot, WHOLE, chunks, samples)
    from .mission_batch import mission_batch

    return mission_batch(lot, chunks, samples)


class _Asked(NamedTuple):
    """Arguments of `Batch.value`."""

    path: str
    at: str = "end"
    side: Any = "after"

    @property
    def request(self) -> Wanted:
        """The same as a request for a value of a record."""
        take: Any = self.at if self.at in EXTREMES else None
        return Wanted(self.path, None if take else self.at, None, self.side, take)


def _join_values(parts: Sequence[np.ndarray]) -> np.ndarray:
    """The values of all cases from those of groups; components of a group without the quantity are not
    known."""
    wide = max(parts, key=np.ndim).shape[1:]
    return np.concatenate([p if p.shape[1:] == wide else np.full((len(p), *wide), np.nan) for p in parts])


def _values(records: Sequence[Record | None], wanted: Wanted) -> np.ndarray:
    """Return a quantity from the records of some cases: (cases,) for a scalar, (cases, components) for a
    vector."""
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
    """Return the results of one leg in all cases.

    - lot: plan of the batch.
    - leg: name of the leg.
    - flown: results of each group of cases, by name of the leg.
    - samples: true if the results have samples.
    """
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
