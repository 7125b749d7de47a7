"""Missions in many cases: what their legs gave, put together for each case."""

from __future__ import annotations

from collections.abc import Mapping
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
from ..record.requirements import EXTREMES, Wanted
from ..starts.events import END as ITS_END
from ..tree.errors import BadInput, Problem, near
from .batch import Batch, batch_of
from .lot import Lot
from .mission import final_integrals
from .mission_cases import known_in

if TYPE_CHECKING:
    import pandas


@dataclass(repr=False)
class MissionBatch(Batch):
    """Missions in all cases. `status`: the largest of the legs that were flown. `time`: where the last of
    them ended. `x`: empty, as legs have states of their own. `events`: moments of all legs, whose ends have
    their names. `refused`: cases in which the mission did not begin.

    `legs`: each as a batch, in which cases that did not come to it are refused."""

    legs: dict[str, Batch] = field(default_factory=dict)

    def _case(self, lane: int) -> Any:
        return self._lot.case(lane)

    def _outcome(self, lane: int) -> tuple[str, bool]:
        """How the mission of one case ended, and whether all its legs reached their ends."""
        flown = {leg: one.outcome(lane) for leg, one in self.legs.items() if lane not in one.refused}
        return legs.outcome(flown, self._unflown(lane), float(self.time[lane])), self._reached_end(lane)

    def _unflown(self, lane: int) -> dict[str, str]:
        """The legs that were not flown in a case, and why."""
        return {leg: one.refused[lane] for leg, one in self.legs.items() if lane in one.refused}

    def _reached_end(self, lane: int) -> bool:
        """Whether all legs of a case reached their ends."""
        return lane not in self.refused and all(one._reached_end(lane) for one in self.legs.values())

    def value(self, path: str, at: str = "end", side: Literal["before", "after"] = "after") -> np.ndarray:
        """A quantity in every case, as in a batch of flights of one leg: through all legs that have it, or
        of one leg, "legs.coast.system.energy". at: a moment of any leg, like "coast end"; "end" is that of
        the last leg that has it. Raises BadInput for names that are not there, and where legs that have it
        fly concurrently and `at` does not identify one of them."""
        if path.startswith(legs.OWN):
            leg, _, own = path.removeprefix(legs.OWN).partition(".")
            if leg not in self.legs:
                raise BadInput(Problem(path, f"there is no leg '{leg}'; {near(leg, self.legs, 'legs')}"))
            return self.legs[leg].value(own, at, side)
        self._check_moment(at, side)
        if named_pair(self.scenario, Wanted(path, at=at)):
            return self._of_two(path, at, side)
        known = self._known(path, at)
        if not self.sampled:
            ends = {end_of(leg): leg for leg in known} | {"end": known[-1]}
            if at not in ends:
                text = "this batch was flown without samples, which leaves the ends of its legs only"
                raise BadInput(Problem("at", f"{text}; fly it with samples = True"))
            return self.legs[ends[at]].value(path, "end", side)
        return self._values(path, at, side, samples=at in EXTREMES)

    def _of_two(self, path: str, at: str, side: Literal["before", "after"]) -> np.ndarray:
        """A quantity of two bodies in concurrent legs, or of where they end."""
        if wrong := [*faults(self.scenario, Wanted(path, at=at))]:
            raise BadInput(Problem(path, text) for text in wrong)
        if not self.sampled:
            text = "is computed from samples, and this batch was flown without; fly it with samples = True"
            raise BadInput(Problem(path, text))
        return self._values(path, at, side, samples=True)

    def _known(self, path: str, at: str) -> tuple[str, ...]:
        """The legs in which a quantity is known. Raises BadInput where there are none, and where nothing
        reports which are meant."""
        known = tuple(leg for leg, one in self.legs.items() if known_in(one.scenario, path))
        if not known:
            every = dict.fromkeys(name for one in self.legs.values() for name in catalogue(one.scenario))
            raise BadInput(Problem(path, f"there is no quantity '{path}'; {near(path, every)}"))
        mission = Mission.of(self.scenario)
        if mission.consecutive(known) or any(at in mission.leg(leg).event_names for leg in known):
            return known
        text = f"is of concurrent legs; name one, like {legs.OWN}{known[-1]}.{path}"
        raise BadInput(Problem(path, text))

    def _records(self, chunks: dict[str, Chunk], wanted: Wanted, samples: bool) -> list[Record | None]:
        """Records of cases through the legs that have the wanted quantity; None where none of these was
        flown."""
        found = self._lot.records(chunks, [wanted], samples)
        return [None if record is None else _through(record, wanted) for record in found]

    def envelope(self, by_phase: bool = False) -> pandas.DataFrame:
        """Smallest and largest loads in each case, as in a batch of flights of one leg, by leg."""
        import pandas

        parts = []
        for leg, one in self.legs.items():
            rows = one.envelope(by_phase)
            rows.insert(1, "leg", leg)
            parts.append(rows)
        return pandas.concat(parts, ignore_index=True)

    def clearance(self, name: str, progress: Progress | bool | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The least distance of a clearance in every case over the legs that have it, and when;
        see `Batch.clearance`."""
        having = [one for one in self.legs.values() if known_in(one.scenario, f"clearance.{name}.distance")]
        if not having:
            names = [one.name for one in self.scenario.clearance]
            raise BadInput(f"there is no clearance '{name}'; {near(name, names, 'clearances')}")
        found = [one.clearance(name, progress) for one in having]
        distance, time = (np.stack(each) for each in zip(*found, strict=True))
        least = np.argmin(np.where(np.isnan(distance), np.inf, distance), 0)[None]
        return tuple(np.take_along_axis(each, least, 0)[0] for each in (distance, time))

    def _record(self, lane: int, sums: Mapping[str, float] = MappingProxyType({})) -> Record:
        """The record of the mission in a case in which it began."""
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
    """The missions of all cases, from chunks of all legs."""
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
    """When each moment of a mission came (case,) [s], inf where it did not; what devices do is known in all
    legs behind."""
    found: dict[str, np.ndarray] = {}
    for leg, one in own.items():
        mine = {end_of(leg) if name == ITS_END else name: k for k, name in enumerate(one.events)}
        for name in lot.mission.leg(leg).event_names:
            time = one.event_time[mine[name]]
            found[name] = np.minimum(found.get(name, np.inf), time)
    return found
