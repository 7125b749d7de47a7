"""Plan of a batch: prepare the cases of one scenario, and simulate them in groups on several threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, NamedTuple

import numpy as np

from ..maths.arrays import jax
from ..missions.mission import Mission
from ..observation.records_of_cases import Chunk
from ..programs.progress import Progress, report_progress
from ..record.across import reads
from ..record.record import Record
from ..record.requirements import Wanted
from ..starts.consistency import refused_lanes
from ..starts.run_start import RunStart
from ..tree import interruption
from ..tree.addresses import get, replace_leaf
from ..tree.errors import BadInput, Problem
from .cases import by_leaf, count_of, plain, spread, together
from .cases_together import FlownLanes
from .leg_in_cases import ChunkStart, LaneLeg
from .mission_cases import chunk_start, mission_records, needs_sums, of_legs
from .one_by_one import STEPS_ALONE, steps_of
from .run import resolve_scenario

LANES_AT_ONCE = {"cpu": (64, 128)}
"""Possible numbers of cases in a group, for a processor.

The first number is used if the batch then has at most two groups. Otherwise, the last number is used. These
groups use the full vector unit of the processor and fit in its cache.
"""
MANY_LANES = 131072
"""Maximum number of cases in a group on an accelerator."""


class LotSettings(NamedTuple):
    """Settings that are the same for all groups of a batch, so that the results of a case do not depend on
    its group.

    - width: number of cases in a group.
    - steps: expected number of integration steps of all cases together in each leg, by name of the
      leg. This number decides whether the cases are simulated together.
    - compiled: if true, compiled programs compute quantities from states. Default: None, chosen from
      the number of states.
    - device: kind of device, "cpu" or "gpu". It is recorded, and the process chooses its device itself.
    """

    width: int
    steps: Mapping[str, float]
    compiled: bool | None = None
    device: str = "cpu"


class Lot:
    """Plan of a batch: the programs of each leg, and the scenario with all cases.

    A scenario without legs counts as one leg. The arguments are those of `fly_batch`. settings: settings of
    the groups. Default: chosen from the numbers of cases and steps. Raises BadInput if the inputs have
    different numbers of cases or cannot be varied.
    """

    def __init__(
        self,
        scenario: Any,
        dispersed: dict[str, Any],
        samples: bool = True,
        strict: bool = True,
        together: bool | None = None,
        settings: LotSettings | None = None,
    ):
        self.dispersed = {path: plain(path, values) for path, values in dispersed.items()}
        self.lanes = count_of(self.dispersed)
        self.scenario = resolve_scenario(scenario)
        self.strict, self._together = strict, together
        self.dispersed = by_leaf(self.scenario, self.dispersed, self.lanes)
        self._wide = spread(self.scenario, self.dispersed)
        self._backend = jax.default_backend()
        widths = LANES_AT_ONCE.get(self._backend, (min(self.lanes, MANY_LANES),))
        self.width = next((width for width in widths if 2 * width >= self.lanes), widths[-1])
        self.settings = settings
        if settings is not None:
            self.width = settings.width
        self.mission = Mission.of(self.scenario)
        self.parents = self.mission.parents
        scenarios = {name: leg.scenario for name, leg in self.mission.legs.items()}
        kept = samples or needs_sums(self.parents, scenarios)
        compiled = settings and settings.compiled
        self.legs = {leg: LaneLeg(one, self.width, kept, compiled) for leg, one in scenarios.items()}
        self._apart = dict.fromkeys(self.legs, False)

    def case(self, lane: int) -> Any:
        """Return the scenario of one case. `lane`: index of the case, from 0."""
        return together(self.scenario, {path: v[lane] for path, v in self.dispersed.items()})

    def case_of_leg(self, lane: int, leg: str) -> Any:
        """Return the scenario of one leg in one case. `lane`: index of the case, from 0."""
        return Mission.of(self.case(lane)).leg(leg).scenario

    def lanes_of(self, chunks: dict[str, Chunk]) -> dict[str, FlownLanes]:
        """Return the results of a group of cases in each leg, in a form from which models compute their
        quantities.

        chunks: results of the group, by name of the leg.
        """

        def of(leg: str, chunk: Chunk) -> FlownLanes:
            one = self.legs[leg]
            return FlownLanes(
                one.program, chunk, one.scenario, self.dispersed, lambda lane: self.case_of_leg(lane, leg)
            )

        return {leg: of(leg, chunk) for leg, chunk in chunks.items()}

    def records(self, chunks: dict[str, Chunk], wanted: Any) -> list[Record | None]:
        """Return the record of each case of a group with some quantities; None for a case that was not flown.

        - chunks: results of the group, by name of the leg.
        - wanted: objects with the field `quantity`, for example requirements.

        The records have the first and last state, the states before and after each event, and the requested
        extremes.
        """
        states, samples = reads(self.scenario, wanted), False
        if states:  # of bodies in concurrent legs, between whose samples it is looked
            wanted, samples = (*wanted, *(Wanted(path, at="end") for path in states)), True
        found = of_legs(self.mission, self.lanes_of(chunks), wanted, samples)
        return mission_records(self.mission, self.lanes_of(chunks), found)

    def records_in(self, leg: str, chunks: dict[str, Chunk], wanted: Any) -> list[Record | None]:
        """Return the record of each case in one leg. Arguments and contents of the records: see `records`."""
        flown = self.lanes_of({name: chunks[name] for name in self.mission.leading_to([leg])})
        return of_legs(self.mission, flown, wanted, False)[leg]

    def flown(
        self,
        threads: int,
        work: Callable[[dict[str, Chunk]], Any],
        progress: Progress | None = None,
        keep: bool = False,
        before: tuple[int, int | None] | None = None,
    ) -> tuple[list[Any], bool]:
        """Simulate all groups of cases, and return the result of `work` for each group and whether the run
        was interrupted.

        - threads: number of parallel threads.
        - work: function of the results of a group, which are given by name of the leg.
        - progress: function of the number of finished cases and of the total number.
        - keep: if true, an interrupt (Ctrl-C) ends the run, and the result is None for each group that
          was not simulated. If false, the interrupt is raised.
        - before: if the batch is a part of a larger batch: number of cases that were simulated before,
          and total number of cases or None if unknown.
        """
        flown_before, total = before or (0, self.lanes)
        stop, width = threading.Event(), self.width
        self._settle(stop)
        firsts = range(0, self.lanes, width)
        found: list[Any] = [None] * len(firsts)
        far: dict[int, int] = {}

        def one(first: int) -> Any:
            def report(count: int) -> None:
                far[first] = count
                report_progress(flown_before + sum(far.copy().values()), total)

            chunks = self._fly(first, stop, report)
            return None if chunks is None else work(chunks)

        pool = ThreadPoolExecutor(threads)
        try:
            waiting: dict[Future[Any], int] = {pool.submit(one, first): k for k, first in enumerate(firsts)}
            while waiting:
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    found[waiting.pop(future)] = future.result()
                if progress is not None:
                    progress(min(self.lanes, width * (len(firsts) - len(waiting))), self.lanes)
            interruption.keep()
        except BaseException as error:
            interruption.keep()
            stop.set()
            # A compiler cannot be stopped; it is waited for only if there is something to keep.
            pool.shutdown(wait=any(found), cancel_futures=True)
            if keep and isinstance(error, KeyboardInterrupt):
                return found, True
            raise
        pool.shutdown()
        return found, False

    def _settle(self, stop: threading.Event) -> None:
        """Find of which legs cases are flown one by one. This depends only on their number and on the steps
        of the first case that can be flown, so that it is the same in each run."""
        if self._backend != "cpu":
            return
        if self.settings is not None:
            self._use(self.settings.steps, None)
            return
        fewer = None if self._together is None else not self._together
        steps: dict[str, float] = {}
        if fewer is None and not self.mission.has_legs:
            known = steps_of(self.scenario, self.lanes)
            steps = {} if known is None else dict.fromkeys(self.legs, known)
        if fewer is None and not steps:
            steps = {leg: self.lanes * count for leg, count in self._steps(stop).items()}
        self._use(steps, fewer)

    def _use(self, steps: Mapping[str, float], fewer: bool | None) -> None:
        """Choose for each leg by the steps of all its cases. fewer: whether all legs fly one by one."""
        for leg, one in self.legs.items():
            self._apart[leg] = steps.get(leg, 0) <= STEPS_ALONE if fewer is None else fewer
            if self._apart[leg]:
                one.alone.steps = steps.get(leg, 0)

    def _steps(self, stop: threading.Event) -> dict[str, int]:
        """The steps that the first case that can be flown takes in each leg, those that were refused
        counted."""
        placed = self._first_chunk(next(iter(self.parents)), 0)
        able = [lane for lane in range(placed.count) if lane not in placed.refused]
        if not able:
            return {}
        placed = self._alone(placed, able[0])
        found: dict[str, Chunk] = {}
        for leg, parent in self.parents.items():
            if parent:
                placed = self._next_chunk(leg, able[0], found)
            chunk = self.legs[leg].fly(able[0], placed, True, stop, lambda count: None)
            if chunk is None:
                return {}
            found[leg] = chunk
        cursors = {leg: chunk.cursor for leg, chunk in found.items() if not chunk.refused}
        return {leg: int(one.accepted[0] + one.rejected[0]) for leg, one in cursors.items()}

    def _alone(self, placed: ChunkStart, lane: int) -> ChunkStart:
        """A chunk of one case, which is first in it."""
        given = placed.scenario, placed.start, placed.time, placed.cursor
        order = np.roll(np.arange(self.width), -lane)

        def roll(leaf: Any) -> Any:
            return leaf[..., order] if np.shape(leaf)[-1:] == (self.width,) else leaf

        scenario, start, time, cursor = jax.tree.map(roll, given)
        return ChunkStart(scenario, start, time, cursor, 1, {})

    def _next_chunk(self, leg: str, first: int, found: dict[str, Chunk]) -> ChunkStart:
        """A chunk of cases where a leg begins; the last one is filled up with copies of its last case. found:
        the legs before it."""
        parent = self.parents[leg]
        if not parent:
            return self._first_chunk(leg, first)

        def scenarios(source: np.ndarray) -> tuple[Any, Any]:
            index = self._index(first)[source]
            return self._scenario(parent, index), self._scenario(leg, index)

        program = self.legs[leg].program
        return chunk_start(self.mission.leg(leg), self.lanes_of(found), program, scenarios)

    def _first_chunk(self, leg: str, number: int) -> ChunkStart:
        """A chunk of cases where the mission begins. number: of its first case."""
        one, width = self.legs[leg], self.width
        count, index = min(width, self.lanes - number), self._index(number)

        def start(index: np.ndarray) -> tuple[Any, Any]:
            scenario = self._scenario(leg, index)
            return scenario, jax.device_get(one.program.begin(scenario, 0.0))

        scenario, found = start(index)
        refused = refused_lanes(one.layout, found, count)
        if refused and self.strict:
            lane, problems = next(iter(refused.items()))
            raise BadInput(Problem(p.place, f"case {number + lane}: {p.message}") for p in problems)
        if 0 < len(refused) < count:
            # Cases that cannot start fly as copies of one that can, and are not counted.
            good = next(lane for lane in range(count) if lane not in refused)
            scenario, found = start(np.where(np.isin(np.arange(width), list(refused)), index[good], index))
        cursor = one.program.cursor(scenario, found.reference, 0.0, found.x, found.discrete)
        first = RunStart(np.zeros(width), found.x, found.discrete, found.reference)
        return ChunkStart(scenario, first, 0.0, cursor, count, refused)

    def _fly(self, first: int, stop: threading.Event, advanced: Callable[[int], None]) -> Any:
        """Fly one chunk of cases through all legs, and report how many are there already. None where it was
        stopped."""
        found: dict[str, Chunk] = {}
        for k, leg in enumerate(self.legs):
            placed = self._next_chunk(leg, first, found)

            def report(count: int, k: int = k, most: int = placed.count) -> None:
                advanced((k * most + count) // len(self.legs))

            chunk = self.legs[leg].fly(first, placed, self._apart[leg], stop, report)
            if chunk is None:
                return None
            found[leg] = chunk
        return found

    def _index(self, first: int) -> np.ndarray:
        """Numbers of the cases of a chunk, (case,)."""
        return np.minimum(np.arange(first, first + self.width), self.lanes - 1)

    def _scenario(self, leg: str, index: np.ndarray) -> Any:
        """The scenario of a leg in some of the cases, which differ in the dispersed leaves."""
        scenario = self._wide
        for path in self.dispersed:
            scenario = replace_leaf(scenario, path, get(self._wide, path)[..., index])

        def of_lanes(leaf: Any, own: Any) -> np.ndarray:
            # What a leg has of its own, such as the starts that it does not use, has no cases yet.
            return np.asarray(leaf) if np.ndim(leaf) > np.ndim(own) else np.asarray(leaf)[..., None]

        return jax.tree.map(of_lanes, Mission.of(scenario).leg(leg).scenario, self.legs[leg].scenario)
