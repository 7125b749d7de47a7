"""Results of missions in many cases: the results of all legs are joined for each case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..missions.mission import Mission
from ..missions.names import end_of
from ..observation.records_of_cases import Chunk
from ..programs.progress import Progress
from ..quantities.catalogue import catalogue
from ..record import legs
from ..record.across import faults, named_pair
from ..record.record import Record
from ..record.requirements import Wanted
from ..starts.events import END as ITS_END
from ..tree.errors import BadInput, Problem
from ..tree.similar_names import near
from .batch import Batch, batch_of
from .lot import Lot
from .mission import final_integrals
from .mission_cases import known_in

if TYPE_CHECKING:
    import pandas


@dataclass(repr=False)
class MissionBatch(Batch):
    """Results of a batch of missions.

    The fields of `Batch` have these meanings: `status` is the largest status of the flown legs; `time` is the
    latest end of a leg; `x` is empty; `events` has the events of all legs; `refused` has the cases in which
    the first leg did not start.

    legs: results of each leg as a batch, by name of the leg. The field `refused` has the cases in which the
    leg did not start.
    """

    legs: dict[str, Batch] = field(default_factory=dict)

    def _case(self, lane: int) -> Any:
        return self._lot.case(lane)

    def _outcome(self, lane: int) -> tuple[str, bool]:
        """Return the outcome of the mission in one case, and whether all legs reached their ends."""
        flown = {leg: one.outcome(lane) for leg, one in self.legs.items() if lane not in one.refused}
        return legs.outcome(flown, self._unflown(lane), float(self.time[lane])), self._reached_end(lane)

    def _unflown(self, lane: int) -> dict[str, str]:
        """Return the reason for each leg that was not flown in a case, by name of the leg."""
        return {leg: one.refused[lane] for leg, one in self.legs.items() if lane in one.refused}

    def _reached_end(self, lane: int) -> bool:
        """Return whether all legs of a case reached their ends."""
        return lane not in self.refused and all(one._reached_end(lane) for one in self.legs.values())

    def value(self, path: str, at: str = "end", side: Literal["before", "after"] = "after") -> np.ndarray:
        """Return a quantity in every case, in SI units: (cases,) for a scalar, (cases, components) for a
        vector.

        - path: path of the quantity, which is taken from all legs that have it. The path
          "legs.coast.system.energy" selects the quantity "system.energy" of the leg "coast".
        - at: name of an event of any leg, for example "coast end"; "start", "end", "min", "max" or
          "largest". Default: "end", the end of the last leg that has the quantity.
        - side: "before" or "after" the event. Default: "after".

        Raises BadInput for an unknown name. If concurrent legs have the quantity and `at` does not select one
        of these legs, raises BadInput.
        """
        return self.values([(path, at, side)])[0]

    def _find(self, asked: Sequence[Any]) -> list[np.ndarray]:
        """Return values that are not known yet. Raises BadInput."""
        found = {one: value for one in asked if (value := self._of_one_leg(one)) is not None}
        rest = [one for one in asked if one not in found]
        found |= dict(zip(rest, self._from_records([one.request for one in rest]), strict=True))
        return [found[one] for one in asked]

    def _of_one_leg(self, asked: Any) -> np.ndarray | None:
        """Return a value that one leg has; None if it follows from the records of missions. Raises
        BadInput."""
        path, at, side = asked
        if path.startswith(legs.OWN):
            leg, _, own = path.removeprefix(legs.OWN).partition(".")
            if leg not in self.legs:
                raise BadInput(Problem(path, f"there is no leg '{leg}'; {near(leg, self.legs, 'legs')}"))
            return self.legs[leg].value(own, at, side)
        self._check_moment(at, side)
        if named_pair(self.scenario, Wanted(path, at=at)):
            self._check_two(path, at)
            return None
        known = self._known(path, at)
        if self.sampled:
            return None
        ends = {end_of(leg): leg for leg in known} | {"end": known[-1]}
        if at not in ends:
            text = "this batch was flown without samples and has values at the ends of its legs only"
            raise BadInput(Problem("at", f"{text}. Run the batch with samples = True"))
        return self.legs[ends[at]].value(path, "end", side)

    def _check_two(self, path: str, at: str) -> None:
        """Check a quantity of two bodies in concurrent legs, or of the places where these bodies land. Raises
        BadInput."""
        if wrong := [*faults(self.scenario, Wanted(path, at=at))]:
            raise BadInput(Problem(path, text) for text in wrong)
        if not self.sampled:
            text = (
                "the quantity is computed from samples, but this batch was flown without samples. Run"
                " the batch"
                " with samples = True"
            )
            raise BadInput(Problem(path, text))

    def _known(self, path: str, at: str) -> tuple[str, ...]:
        """Return the legs that have a quantity. Raises BadInput if no leg has it, or if the leg is
        ambiguous."""
        known = tuple(leg for leg, one in self.legs.items() if known_in(one.scenario, path))
        if not known:
            every = dict.fromkeys(name for one in self.legs.values() for name in catalogue(one.scenario))
            raise BadInput(Problem(path, f"there is no quantity '{path}'; {near(path, every)}"))
        mission = Mission.of(self.scenario)
        if mission.consecutive(known) or any(at in mission.leg(leg).event_names for leg in known):
            return known
        text = (
            "the quantity is defined in several concurrent legs. Select one leg, for example"
            f" {legs.OWN}{known[-1]}.{path}"
        )
        raise BadInput(Problem(path, text))

    def _records(self, chunks: dict[str, Chunk], wanted: Sequence[Wanted]) -> list[Record | None]:
        """Return the records of missions of the cases of a chunk with the wanted quantities."""
        return self._lot.records(chunks, wanted)

    def _of_records(self, records: list[Record | None], wanted: Wanted) -> list[Record | None]:
        """Return records through the legs that have a quantity; None if no such leg was flown in a case."""
        return [None if record is None else _through(record, wanted) for record in records]

    def envelope(self, by_phase: bool = False) -> pandas.DataFrame:
        """Return the smallest and largest value of each load component in each case and leg as a table.

        The columns are those of `Batch.envelope`, and the second column is the name of the leg.

        by_phase: also add rows for each phase. Default: False.
        """
        import pandas

        parts = []
        for leg, one in self.legs.items():
            rows = one.envelope(by_phase)
            rows.insert(1, "leg", leg)
            parts.append(rows)
        return pandas.concat(parts, ignore_index=True)

    def clearance(self, name: str, progress: Progress | bool | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return the minimum distance of a clearance over all legs in each case (cases,) [m], and its time
        (cases,) [s].

        See `Batch.clearance`.
        """
        having = [one for one in self.legs.values() if known_in(one.scenario, f"clearance.{name}.distance")]
        if not having:
            names = [one.name for one in self.scenario.clearance]
            raise BadInput(f"there is no clearance '{name}'; {near(name, names, 'clearances')}")
        found = [one.clearance(name, progress) for one in having]
        distance, time = (np.stack(each) for each in zip(*found, strict=True))
        least = np.argmin(np.where(np.isnan(distance), np.inf, distance), 0)[None]
        return tuple(np.take_along_axis(each, least, 0)[0] for each in (distance, time))

    def _record(self, lane: int, sums: Mapping[str, float] = MappingProxyType({})) -> Record:
        """Return the record of the mission in a case in which the first leg started."""
        found: dict[str, Record] = {}
        for leg, one in self.legs.items():
            parent = self._lot.parents[leg]
            if lane not in one.refused:
                before = final_integrals(self._lot.legs[parent].program, found[parent]) if parent else sums
                found[leg] = one._record(lane, before)
        return legs.join_legs(self._case(lane), found, self._lot.parents, self._unflown(lane))


def _through(record: Record, wanted: Wanted) -> Record | None:
    try:
        return legs.of(record, wanted.quantity, wanted.at)
    except BadInput:  # none of the legs that have it was flown
        return None


def mission_batch(lot: Lot, flown: list[dict[str, Chunk]], samples: bool) -> MissionBatch:
    """Return the results of a mission in all cases. Arguments: see `batch_of`."""
    own = {leg: batch_of(lot, leg, flown, samples) for leg in lot.legs}
    first, *_ = own.values()
    times = _times(lot, own)
    with np.errstate(all="ignore"):
        ended = np.stack([one.time for one in own.values()])
        latest = np.max(np.where(np.isnan(ended), -np.inf, ended), 0)
    return MissionBatch(
        lot.scenario,
        lot.dispersed,
        status=np.max([one.status for one in own.values()], 0),
        time=np.where(np.isfinite(latest), latest, np.nan),
        x=np.zeros((0, lot.lanes)),
        events=tuple(times),
        event_time=np.array([*times.values()]),
        sampled=samples,
        refused=first.refused,
        _lot=lot,
        _flown=flown,
        legs=own,
    )


def _times(lot: Lot, own: dict[str, Batch]) -> dict[str, np.ndarray]:
    """Return the times of each event of a mission (cases,) [s]; infinity if the event did not occur.

    Later legs also have the events of devices of earlier legs; the earliest time counts."""
    found: dict[str, np.ndarray] = {}
    for leg, one in own.items():
        mine = {end_of(leg) if name == ITS_END else name: k for k, name in enumerate(one.events)}
        for name in lot.mission.leg(leg).event_names:
            time = one.event_time[mine[name]]
            found[name] = np.minimum(found.get(name, np.inf), time)
    return found
