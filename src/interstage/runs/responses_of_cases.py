"""Compute responses of many cases as arrays, together and without a record for each case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..observation import after
from ..observation.extremes_of_cases import Quest, extremes
from ..observation.knots_of_cases import is_same
from ..observation.records_of_cases import stems_of
from ..observation.states_of_cases import Spots
from ..quantities.catalogue import catalogue
from ..record.peaks import SIGNS
from ..record.record import MAGNITUDE, MAY_BE_INFINITE, SAME_TIME, pick
from .cases_together import FlownLanes


class QuantityPath(NamedTuple):
    """Path of a scalar quantity: the path of the whole quantity, the component, and whether infinite values
    are valid.
    """

    stem: str
    component: Any
    infinite: bool

    @staticmethod
    def of(scenario: Any, path: str, known: Any = None) -> QuantityPath:
        """Return the parts of a path. The path of a vector must include the component.

        known: catalogue of the quantities of the scenario, if already computed. Raises BadInput for an
        unknown path.
        """
        known = catalogue(scenario) if known is None else known
        (stem,) = stems_of(scenario, [path], known)
        meta, name = known[stem].meta, path.removeprefix(stem).removeprefix(".")
        component = None if not name else name if name == MAGNITUDE else meta.components.index(name)
        return QuantityPath(stem, component, meta.note == MAY_BE_INFINITE)

    def values_in(self, found: Mapping[str, np.ndarray]) -> np.ndarray:
        """Return the values (n,) of the path from values of whole quantities by path; NaN instead of infinite
        values unless these are valid.
        """
        values = pick(found[self.stem], self.component)
        return values if self.infinite else np.where(np.isfinite(values), values, np.nan)


class CaseResponses:
    """Responses of a group of cases of one flight or leg. Computed values are cached."""

    def __init__(self, lanes: FlownLanes):
        self._lanes = lanes
        self._kept: dict[Any, np.ndarray | None] = {}

    def values(self, wanted: Sequence[Any]) -> list[np.ndarray | None]:
        """Return an array of values (case,) for each request; None for a request that needs the records of
        the cases.

        wanted: objects with the fields `quantity`, `at`, `during`, `side` and `take`; see
        `record.requirements.Wanted`. The path of a vector quantity must include the component. Raises
        BadInput for an unknown quantity.
        """
        keys = [(w.quantity, w.at, w.during, w.side, w.take) for w in wanted]
        new = {key: w for key, w in zip(keys, wanted, strict=True) if key not in self._kept}
        some = {key: w for key, w in new.items() if self._is_direct(w)}
        self._kept |= dict.fromkeys(new)
        points = {key: w for key, w in some.items() if w.at is not None}
        self._kept |= dict(zip(points, self._at_points([*points.values()]), strict=True))
        over = {key: w for key, w in some.items() if w.at is None}
        self._kept |= dict(zip(over, self._over_time([*over.values()]), strict=True))
        return [self._kept[key] for key in keys]

    def _is_direct(self, wanted: Any) -> bool:
        """Whether a value follows from the steps alone."""
        scenario = self._lanes.scenario
        if after.known_after(scenario, wanted.quantity) is not None:
            return False
        if wanted.at is not None:
            return wanted.take is None
        return is_sampled_by_steps(scenario)

    @cached_property
    def _catalogue(self) -> Any:
        return catalogue(self._lanes.scenario)

    def _path(self, path: str) -> QuantityPath:
        return QuantityPath.of(self._lanes.scenario, path, self._catalogue)

    @cached_property
    def _able(self) -> np.ndarray:
        """Whether each case was flown (case,)."""
        able = np.ones(self._lanes.count, bool)
        able[[*self._lanes.refused]] = False
        return able

    # --- values at the ends and at events

    def _at_points(self, wanted: Sequence[Any]) -> list[np.ndarray]:
        """Values at the start, at the end or at an event."""
        by_place: dict[tuple[str, str], dict[str, None]] = {}
        paths = [self._path(w.quantity) for w in wanted]
        for w, path in zip(wanted, paths, strict=True):
            by_place.setdefault((w.at, w.side), {})[path.stem] = None
        by_stems: dict[tuple[str, ...], list[tuple[str, str]]] = {}
        for place, stems in by_place.items():
            by_stems.setdefault(tuple(sorted(stems)), []).append(place)
        found: dict[tuple[str, str], dict[str, np.ndarray]] = {}
        for stems, places in by_stems.items():
            spots = [self._spots(*place) for place in places]
            rows = self._lanes.states.quantities(Spots.join(spots), stems)
            ends = np.cumsum([len(one.lane) for one in spots])[:-1]
            split = {stem: np.split(values, ends) for stem, values in rows.items()}
            for k, place in enumerate(places):
                found[place] = {stem: self._wide(spots[k].lane, parts[k]) for stem, parts in split.items()}
        return [path.values_in(found[w.at, w.side]) for w, path in zip(wanted, paths, strict=True)]

    def _wide(self, lane: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Values of all cases; NaN for others."""
        found = np.full((self._lanes.count, *values.shape[1:]), np.nan)
        found[lane] = values
        return found

    def _spots(self, at: str, side: str) -> Spots:
        """The states of the cases that have an event."""
        last, ends = len(self._lanes.rows.t) - 1, False
        if at == "end":
            reached = np.array([done for _, done in self._lanes.all_outcomes], bool)
            lane = np.flatnonzero(self._able & reached)
            row = np.full(len(lane), last)
        elif at == "start":
            lane, knots = np.flatnonzero(self._able), self._lanes.knots
            first = np.searchsorted(knots.lane, lane)
            begun = np.append(knots.lane, -1)[first] == lane
            row = np.where(begun, np.append(knots.row, 0)[first], last)
        else:
            after_it = self._lanes.rows_after(at)
            lane = np.flatnonzero(self._able & (after_it <= last))
            ends = side == "before"
            row = after_it[lane] - ends
        return self._lanes.states.spots(lane, row, ends)

    # --- extremes

    def _over_time(self, wanted: Sequence[Any]) -> list[np.ndarray | None]:
        """Extremes over the flight or a phase, with both sides of events."""
        if not wanted:
            return []
        if self._able.sum() > len(np.unique(self._lanes.knots.lane)):
            return [None] * len(wanted)  # a case without a step has only its start
        paths = [self._path(w.quantity) for w in wanted]
        spans = {w.during: self._lanes.span(w.during) for w in wanted}
        quests = {
            (w.quantity, w.during, sign): Quest(path.stem, path.component, sign, *spans[w.during])
            for w, path in zip(wanted, paths, strict=True)
            for sign in SIGNS[w.take]
        }
        found = dict(
            zip(quests, extremes(self._lanes.states, self._lanes.knots, [*quests.values()]), strict=True)
        )
        others = _Others(self._lanes, self._able)
        rows = self._lanes.states.quantities(others.spots, tuple(dict.fromkeys(path.stem for path in paths)))
        answers: list[np.ndarray | None] = []
        for w, path in zip(wanted, paths, strict=True):
            values = pick(rows[path.stem], path.component)
            signed = np.stack([sign * found[w.quantity, w.during, sign].value for sign in SIGNS[w.take]])
            more = np.stack([others.largest(sign * values, *spans[w.during]) for sign in SIGNS[w.take]])
            with np.errstate(invalid="ignore"):
                best = np.maximum(signed, more).max(0)  # NaN if any value is
            best = np.where(self._able & np.isfinite(best), best, np.nan)
            spoilt = np.isnan(signed).any(0) | np.isnan(more).any(0)
            unknown = path.infinite and bool((spoilt & self._able).any())
            answers.append(None if unknown else best if w.take != "min" else -best)
        return answers


class _Others:
    """States that are values of a flight, and no end of a step that takes time: sides of events that occur
    together with others, and where a flight stops without an event.

    - spots: states. time: [s]. kind: -1 just before and 1 just after an event, 0 without event."""

    def __init__(self, lanes: FlownLanes, able: np.ndarray):
        rows, sides, knots, self._count = lanes.rows, lanes.sides, lanes.knots, lanes.count
        last = len(rows.t) - 1
        long = rows.moved & (rows.t_end > rows.t)
        occurrence, lane = np.nonzero((sides.after <= last)[:, : lanes.count] & able)
        after, time = sides.after[occurrence, lane], sides.time[occurrence, lane]
        # Values just before the start and just after the end do not count.
        before = np.flatnonzero(~long[after - 1, lane] & (time > rows.t[0, lane]))
        # Most steps that take time begin in the state just after an event, some rows later.
        step = knots.first_at(lane, after).clip(max=max(len(knots.lane) - 1, 0))
        follows = (knots.lane[step] == lane) & is_same(
            rows, (lane, after), (lane, knots.row[step]), ends=False
        )
        behind = np.flatnonzero(~follows & (time < rows.t[-1, lane]))
        near = SAME_TIME * np.maximum(1.0, np.abs(sides.time))
        with np.errstate(invalid="ignore"):
            at_end = (np.abs(rows.t[-1] - sides.time) <= near).any(0)[: lanes.count]
        stops = np.flatnonzero(able & ~at_end)
        states = lanes.states
        self.spots = Spots.join(
            [
                states.spots(lane[before], after[before] - 1, ends=True),
                states.spots(lane[behind], after[behind]),
                states.spots(stops, np.full(len(stops), last)),
            ]
        )
        self.time = np.concatenate([time[before], time[behind], rows.t[-1, stops]])
        self.kind = np.repeat([-1, 1, 0], [len(before), len(behind), len(stops)])
        ends = [k for k, event in enumerate(lanes.program.table.events) if event.kind == "end"]
        end = sides.time[np.isin(sides.event, ends)].min(0, initial=np.inf)
        self._goes_on = self.time < end[self.spots.lane]

    def largest(self, values: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Return the largest value in a time span in each case (case,): minus infinity without a value, NaN
        if a value is not finite.

        A value just before the start or just after the end does not count."""
        lane = self.spots.lane
        first, last, t = start[lane], end[lane], self.time
        inside = (t >= first) & (t <= last)
        inside &= (self.kind >= 0) | (t > first)
        inside &= (self.kind <= 0) | ((t < last) & self._goes_on)
        found = np.full(self._count, -np.inf)
        np.maximum.at(found, lane[inside], values[inside])
        bad = np.zeros(self._count, bool)
        bad[lane[inside & ~np.isfinite(values)]] = True
        return np.where(bad, np.nan, found)


def is_sampled_by_steps(scenario: Any) -> bool:
    """Return whether extremes of a flight can be found from its integration steps.

    Extremes cannot be found with fixed steps, which are stored only at samples, or with declared sample
    times, which limit the times of an extreme.
    """
    return not scenario.solver.fixed_step and scenario.output.times is None
