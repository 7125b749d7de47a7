"""Extremes of quantities over time in many cases, also between the samples.

The largest value at the ends of all steps is the first estimate. A step is searched if its ends are near this
value, compared with the changes in the neighbouring steps. In addition, the cubic polynomial with the values
and rates at both ends must have an extreme inside the step (E. Hairer, S. P. Norsett, G. Wanner, Solving
Ordinary Differential Equations I, 2nd ed., section II.6). One step of the integration method gives the state
at this extreme. The value and rate at this state divide the bracket, until the error of the polynomial is
negligible. All brackets of all cases and quantities are computed together. No result depends on other cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..record.brackets import MOST_EXTREMES, ROUNDING
from ..record.record import SAME_TIME, pick
from .knots_of_cases import Knots
from .states_of_cases import CaseStates, Spots

FEW_STEPS = 4
"""Maximum number of steps in a time span for which all steps are searched for an extreme."""
DEVIATION = 4 / 27
"""Maximum deviation of a cubic polynomial from its chord, relative to the differences of the slopes at both
ends from the slope of the chord.
"""
DOUBT = 1 / 8
"""Assumed error of the first cubic polynomial, relative to its deviation from the chord. The assumption holds
for oscillations of up to two radians in a step.
"""
ENOUGH = 1e-13
"""Error of an extreme that is negligible, relative to the change of the quantity in the case."""
REACH = 1 / 2
"""Assumed maximum of the amount by which a quantity inside a step can exceed its values at the ends of the
step.

The amount is relative to the largest change in this step and its neighbours. For an oscillation of up to two
radians in a step, the deviation is less than a third.
"""
ROUNDS, USUAL = 16, 2
"""Maximum number of states that are computed in one bracket, and usual number.

Smooth extremes need two or three states. After the usual number, every second state is at the intersection of
the tangents.
"""
MARGIN = 1 / 64
"""Minimum distance of a new state from the ends of a bracket with a kink, as a fraction of its length."""
SMOOTH, SHRUNK, COARSE = 16, 1 / 64, 1000
"""Factors for the error of a polynomial at a new state.

If the error exceeds SMOOTH times the expected error plus COARSE times the negligible error, the bracket
counts as having a kink. An expected error is at least SHRUNK times the previous expected error.
"""


class Extreme(NamedTuple):
    """Extreme of a quantity in each case. All fields are (case,).

    - value: the extreme. For a case without steps in the time span, the value is minus infinity times the
      sign of the request. NaN if the quantity is not finite at the end of a step.
    - step, place: index of the step in `Knots`, and time since the start of this step [s]. If the quantity is
      not finite, step and time locate the first value that is not finite. The step is -1 for a case without
      steps in the time span.
    - left: upper estimate of the value, times the sign, in steps that were not searched.
    """

    value: np.ndarray
    step: np.ndarray
    place: np.ndarray
    left: np.ndarray


class Quest(NamedTuple):
    """Request for an extreme.

    - stem, component: path of the quantity, and its component.
    - sign: 1 for the maximum, -1 for the minimum.
    - start, end: time span in each case (case,) [s].
    """

    stem: str
    component: Any
    sign: float
    start: np.ndarray
    end: np.ndarray


def extremes(states: CaseStates, knots: Knots, quests: Sequence[Quest]) -> list[Extreme]:
    """Return the extreme for each request in `quests`, over the steps in its time span."""
    if not len(knots.lane):
        none, zero = np.full(knots.lanes, -np.inf), np.zeros(knots.lanes)
        return [Extreme(quest.sign * none, zero.astype(int) - 1, zero, none) for quest in quests]
    inside = [_inside(knots, quest) for quest in quests]
    ends = _at_ends(states, knots, quests, inside)
    surveys = [
        _Survey(knots, quest, some, *ends[quest.stem]) for quest, some in zip(quests, inside, strict=True)
    ]
    brackets, left = _brackets(states, knots, surveys)
    _search(states, knots, surveys, brackets)
    return [
        survey.result(brackets, k, rest) for k, (survey, rest) in enumerate(zip(surveys, left, strict=True))
    ]


def _inside(knots: Knots, quest: Quest) -> np.ndarray:
    """The steps in the time span of a request (n,)."""
    start, end = quest.start[knots.lane], quest.end[knots.lane]
    near = SAME_TIME * np.maximum(1.0, np.maximum(np.abs(start), np.abs(end)))
    return (knots.begin >= start - near) & (knots.end <= end + near)


def _at_ends(
    states: CaseStates, knots: Knots, quests: Sequence[Quest], inside: Sequence[np.ndarray]
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Quantities where steps begin and end, by path: (n,) or (n, components) each; NaN at steps that no
    request needs."""
    stems = tuple(dict.fromkeys(quest.stem for quest in quests))
    groups: dict[bytes, list[str]] = {}
    needs = {}
    for stem in stems:
        need = np.any(
            [some for quest, some in zip(quests, inside, strict=True) if quest.stem == stem], axis=0
        )
        needs[need.tobytes()] = need
        groups.setdefault(need.tobytes(), []).append(stem)
    found = {}
    for key, members in groups.items():
        need = needs[key]
        at_end = need & ~(knots.joined & need[knots.following])
        where = [np.flatnonzero(need), np.flatnonzero(at_end)]
        parts = [
            states.spots(knots.lane[k], knots.row[k], ends)
            for k, ends in zip(where, (False, True), strict=True)
        ]
        values = states.quantities(Spots.join(parts), tuple(members))
        for stem in members:
            begin = np.full((len(need), *values[stem].shape[1:]), np.nan)
            begin[where[0]] = values[stem][: len(where[0])]
            end = begin[knots.following]
            end[where[1]] = values[stem][len(where[0]) :]
            found[stem] = begin, end
    return found


class _Survey:
    """Values of a request at the ends of the steps, times its sign: begin and end (n,), minus infinity
    outside of the time span.

    - best: largest value in each case (case,). step, place: see `Extreme`.
    - fine: whether all values of a case are finite.
    - negligible: change of an extreme in each case that does not matter."""

    def __init__(self, knots: Knots, quest: Quest, inside: np.ndarray, begin: np.ndarray, end: np.ndarray):
        self.knots, self.quest, self.inside = knots, quest, inside
        begin, end = (quest.sign * pick(values, quest.component) for values in (begin, end))
        bad = inside & ~(np.isfinite(begin) & np.isfinite(end))
        self.fine = ~(knots.largest(np.where(bad, 1.0, 0.0)) > 0)
        self.begin, self.end = (np.where(inside, values, -np.inf) for values in (begin, end))
        higher = np.maximum(self.begin, self.end)
        self.best = knots.largest(np.where(bad, -np.inf, higher))
        least = -knots.largest(np.where(inside & ~bad, -np.minimum(begin, end), -np.inf))
        with np.errstate(invalid="ignore"):
            self.spread = np.where(np.isfinite(self.best), self.best - least, 0.0)
            self.size = np.where(np.isfinite(self.best), np.maximum(np.abs(self.best), np.abs(least)), 0.0)
        self.negligible = ENOUGH * self.spread + ROUNDING * self.size
        self.step = np.full(knots.lanes, -1)
        self._put_step(np.where(bad, -np.inf, higher) == self.best[knots.lane])
        self._put_step(bad)
        at = np.maximum(self.step, 0)
        at_begin = np.where(self.fine, ~(begin[at] < end[at]), ~np.isfinite(begin[at]))
        self.place = np.where(at_begin, 0.0, (knots.end - knots.begin)[at])

    def _put_step(self, some: np.ndarray) -> None:
        """Keep the first of some steps (n,) of each case."""
        k = np.flatnonzero(some & self.inside)[::-1]
        self.step[self.knots.lane[k]] = k

    def candidates(self) -> np.ndarray:
        """Steps whose ends are near enough to the best value for a larger value inside."""
        knots, lane = self.knots, self.knots.lane
        higher = np.maximum(self.begin, self.end)
        with np.errstate(invalid="ignore"):
            change = np.where(self.inside, np.abs(self.end - self.begin), 0.0)
        reach = np.maximum(change, np.maximum(change[knots.following], change[knots.preceding]))
        count = np.bincount(lane[self.inside], minlength=knots.lanes)
        near = higher + REACH * reach > self.best[lane] + self.negligible[lane]
        return np.flatnonzero(self.inside & self.fine[lane] & (near | (count[lane] <= FEW_STEPS)))

    def result(self, brackets: _Brackets, number: int, left: np.ndarray) -> Extreme:
        """The extreme in each case, from the ends of steps and from the brackets of this request."""
        value, step, place = self.best.copy(), self.step.copy(), self.place.copy()
        mine = np.flatnonzero((brackets.survey == number) & (brackets.value > value[brackets.lane]))
        order = mine[np.argsort(brackets.value[mine], kind="stable")]
        lane = brackets.lane[order]
        value[lane], step[lane] = brackets.value[order], brackets.step[order]
        place[lane] = brackets.place[order]
        return Extreme(np.where(self.fine, self.quest.sign * value, np.nan), step, place, left)


@dataclass
class _Brackets:
    """Parts of steps with an extreme inside, of all requests (n,).

    - survey: number of the request. step, `lane`: step and its case.
    - t, v, s: times since the begin of the step [s], values and rates at both ends (2, n).
    - near_t, near_v, near_s: the same of the two places between which the polynomial is: the ends, later the
      last two places.
    - error: error of the polynomial, as a factor of the squares of the distances to both places.
    - negligible: see `_Survey`.
    - value, place: best value so far and its time since the begin of the step [s].
    - reached: number of states that were reached. kink: whether the polynomial was wrong there.
    - open: whether the search goes on."""

    survey: np.ndarray
    step: np.ndarray
    lane: np.ndarray
    t: np.ndarray
    v: np.ndarray
    s: np.ndarray
    near_t: np.ndarray
    near_v: np.ndarray
    near_s: np.ndarray
    error: np.ndarray
    negligible: np.ndarray
    value: np.ndarray
    place: np.ndarray
    reached: np.ndarray
    kink: np.ndarray
    open: np.ndarray

    def tops(self, k: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return place and value of the extremes of the polynomials of some brackets, the expected error of
        this value, and how far the quantity there is below its extreme; NaN if there is none inside."""
        t = self.near_t[:, k]
        place, top, bend = _top(t, self.near_v[:, k], self.near_s[:, k])
        with np.errstate(all="ignore"):
            inside = (place > self.t[0, k]) & (place < self.t[1, k])
            a, b = place - t[0], place - t[1]
            doubt = self.error[k] * a**2 * b**2
            # A slope of this error moves the place by the slope over the bend.
            miss = (2 * self.error[k] * a * b * (a + b)) ** 2 / (2 * bend)
        return tuple(np.where(inside, one, np.nan) for one in (place, top, doubt, miss))

    def close(self, best: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Close brackets that are below the best known value (n,). Return the open ones, and whether the
        place of their extreme is known."""
        k = np.flatnonzero(self.open)
        lost = np.isnan(self.tops(k)[0])
        for whole, near in ((self.t, self.near_t), (self.v, self.near_v), (self.s, self.near_s)):
            near[:, k[lost]] = whole[:, k[lost]]
        self.error[k[lost]] = _first_error(*(whole[:, k[lost]] for whole in (self.t, self.v, self.s)))
        place, top, doubt, miss = self.tops(k)
        with np.errstate(invalid="ignore"):
            below = top + doubt < best[k]
        pointed = _tangents(self.t[:, k], self.v[:, k], self.s[:, k])[1] - self.value[k] <= self.negligible[k]
        goes_on = np.isfinite(place) & ~below & ~pointed
        self.open[k] = goes_on
        known = (miss <= self.negligible[k]) & ~self.kink[k]
        return k[goes_on], known[goes_on]

    def next_places(self, k: np.ndarray, turn: int) -> np.ndarray:
        """Return where the next states of some brackets are taken [s]."""
        t, v, s = self.t[:, k], self.v[:, k], self.s[:, k]
        room, middle = MARGIN * (t[1] - t[0]), t.mean(0)
        meeting = _tangents(t, v, s)[0] if turn % 4 else middle
        meeting = np.clip(np.where(np.isfinite(meeting), meeting, middle), t[0] + room, t[1] - room)
        slow = (turn > USUAL) & (turn % 2 == 1)
        return np.where(self.kink[k] | slow, meeting, self.tops(k)[0])

    def divide(self, k: np.ndarray, place: np.ndarray, v: np.ndarray, s: np.ndarray) -> None:
        """Divide brackets at places with new values and rates (n,)."""
        near = self.near_t[:, k]
        away = (place - near[0]) ** 2 * (place - near[1]) ** 2
        off = np.abs(v - _polynomial(near, self.near_v[:, k], self.near_s[:, k], place))
        self.kink[k] = off > SMOOTH * self.error[k] * away + COARSE * self.negligible[k]
        with np.errstate(all="ignore"):
            self.error[k] = np.fmax(np.where(away > 0, off / away, np.nan), SHRUNK * self.error[k])
        better = v > self.value[k]
        self.value[k], self.place[k] = (
            np.where(better, new, old) for new, old in ((v, self.value[k]), (place, self.place[k]))
        )
        # The extreme is on the side to which the quantity rises.
        side, again = np.where(s > 0, 0, 1), self.reached[k] > 0
        arrays = ((self.t, self.near_t, place), (self.v, self.near_v, v), (self.s, self.near_s, s))
        for whole, close, new in arrays:
            whole[side, k] = new
            # The second of both places is the last one.
            other = np.where(again, close[1, k], whole[1 - side, k])
            close[:, k] = other, new
        self.reached[k] += 1


def _brackets(
    states: CaseStates, knots: Knots, surveys: Sequence[_Survey]
) -> tuple[_Brackets, list[np.ndarray]]:
    """The steps in which the polynomial exceeds the values at the ends of all steps, and for each request the
    upper estimate of others (case,)."""
    wanted = [survey.candidates() for survey in surveys]
    columns, left = [], []
    for number, s in enumerate(_slopes(states, knots, surveys, wanted)):
        survey, k = surveys[number], wanted[number]
        lane, h = knots.lane[k], knots.end[k] - knots.begin[k]
        t, v = np.stack([np.zeros(len(k)), h]), np.stack([survey.begin[k], survey.end[k]])
        # The rate of a magnitude of zero has no sign: a parabola needs only the rate at the other end.
        least = survey.negligible[lane]
        s = np.where(np.abs(v) <= least, 2 * (v[1] - v[0]) / h - s[::-1], s)
        place, top, _ = _top(t, v, s)
        place = np.where((place > 0) & (place < h), place, np.nan)
        error = _first_error(t, v, s)
        doubt = error * h**4 / 16
        over, rest = _highest(lane, top, np.isfinite(place) & (top + doubt > survey.best[lane] + least))
        beyond = np.full(knots.lanes, -np.inf)
        np.maximum.at(beyond, lane[rest], (top + doubt)[rest])
        left.append(beyond)
        zero, yes = np.zeros(len(k)), np.ones(len(k), bool)
        none = np.full(len(k), -np.inf)
        first = (number + 0 * k, k, lane, t, v, s, t, v, s, error, least)
        whole = (*first, none, zero, zero.astype(int), ~yes, yes)
        columns.append([column[..., over] for column in whole])
    return _Brackets(*(np.concatenate(parts, -1) for parts in zip(*columns, strict=True))), left


def _highest(lane: np.ndarray, top: np.ndarray, over: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of the steps `over`, those with the highest tops of each case, and the others."""
    k = np.flatnonzero(over)
    order = k[np.lexsort((-top[k], lane[k]))]
    rank = np.arange(len(order)) - np.searchsorted(lane[order], lane[order])
    return np.sort(order[rank < MOST_EXTREMES]), order[rank >= MOST_EXTREMES]


def _slopes(
    states: CaseStates, knots: Knots, surveys: Sequence[_Survey], wanted: Sequence[np.ndarray]
) -> list[np.ndarray]:
    """Rates at both ends of some steps of each request, times its sign (2, n)."""
    found: list[np.ndarray] = [np.zeros((2, len(k))) for k in wanted]
    for stem in dict.fromkeys(survey.quest.stem for survey in surveys):
        mine = [n for n, survey in enumerate(surveys) if survey.quest.stem == stem]
        some = np.unique(np.concatenate([wanted[n] for n in mine]))
        if not len(some):
            continue
        begun = np.zeros(len(knots.lane), bool)
        begun[some] = True
        own = some[~(knots.joined & begun[knots.following])[some]]
        parts = [states.spots(knots.lane[k], knots.row[k], e) for k, e in ((some, False), (own, True))]
        values, rates = states.rates(Spots.join(parts), stem)
        for n in mine:
            rate = _rate(values, rates, surveys[n].quest)
            begin = np.full(len(knots.lane), np.nan)
            begin[some] = rate[: len(some)]
            end = begin[knots.following]
            end[own] = rate[len(some) :]
            found[n] = np.stack([begin[wanted[n]], end[wanted[n]]])
    return found


def _rate(values: np.ndarray, rates: np.ndarray, quest: Quest) -> np.ndarray:
    """Rate of the component of a request, times its sign (n,)."""
    if isinstance(quest.component, str):
        size = pick(values, quest.component)
        with np.errstate(all="ignore"):
            found = np.where(size > 0, np.sum(values * rates, -1) / size, 0.0)
    else:
        found = pick(rates, quest.component)
    return quest.sign * np.where(np.isfinite(found), found, 0.0)


def _top(t: np.ndarray, v: np.ndarray, s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Place, value and negative second derivative of the maximum of cubic polynomials with values v and rates
    s at t (2, n), or NaN."""
    h = t[1] - t[0]
    rise, first, last = v[1] - v[0], s[0] * h, s[1] * h
    b, c = 3 * rise - 2 * first - last, first + last - 2 * rise
    with np.errstate(all="ignore"):
        root = np.sqrt(b * b - 3 * c * first)
        # The same root in the form without cancellation.
        u = np.where(b < 0, first / (root - b), -(b + root) / (3 * c))
        return t[0] + u * h, v[0] + u * (first + u * (b + u * c)), 2 * root / h**2


def _first_error(t: np.ndarray, v: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Expected error of polynomials from the values and rates at both ends, as a factor of the squares of the
    distances to the ends (n,). In the middle, the product of these squares is h^4 / 16."""
    h = t[1] - t[0]
    chord = (v[1] - v[0]) / h
    return 16 * DOUBT * DEVIATION * (np.abs(s[0] - chord) + np.abs(s[1] - chord)) / h**3


def _polynomial(t: np.ndarray, v: np.ndarray, s: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Values of the cubic polynomials with values v and rates s at t (2, n)."""
    h = t[1] - t[0]
    u, rise, first, last = (place - t[0]) / h, v[1] - v[0], s[0] * h, s[1] * h
    return v[0] + u * (first + u * (3 * rise - 2 * first - last + u * (first + last - 2 * rise)))


def _tangents(t: np.ndarray, v: np.ndarray, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Time and value at which the tangents at both ends of brackets meet (n,); NaN and infinity if they do
    not meet inside of the brackets above both ends."""
    with np.errstate(all="ignore"):  # an end without a value is minus infinity
        after = (v[1] - v[0] - s[1] * (t[1] - t[0])) / (s[0] - s[1])
        meet = (s[0] > 0) & (s[1] < 0) & (after >= 0) & (after <= t[1] - t[0])
        return np.where(meet, t[0] + after, np.nan), np.where(meet, v[0] + s[0] * after, np.inf)


def _search(states: CaseStates, knots: Knots, surveys: Sequence[_Survey], found: _Brackets) -> None:
    """Reach states in the brackets until the extreme of each is known."""
    key = found.survey * knots.lanes + found.lane
    best = np.concatenate([survey.best for survey in surveys])
    for turn in range(ROUNDS):
        k, known = found.close(best[key])
        if not len(k):
            return
        place = found.next_places(k, turn)
        found.divide(k, place, *_reach(states, knots, surveys, found, k, place))
        found.open[k] = ~known | found.kink[k]
        np.maximum.at(best, key[k], found.value[k])


def _reach(
    states: CaseStates,
    knots: Knots,
    surveys: Sequence[_Survey],
    found: _Brackets,
    k: np.ndarray,
    place: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Values and rates of the requests at places in some brackets, times the signs (n,)."""
    step = found.step[k]
    there = states.later(states.spots(knots.lane[step], knots.row[step]), place, compiled=False)
    value, rate = np.empty(len(k)), np.empty(len(k))
    of_stem: dict[str, list[int]] = {}
    for number, survey in enumerate(surveys):
        of_stem.setdefault(survey.quest.stem, []).append(number)
    for stem, numbers in of_stem.items():
        mine = np.flatnonzero(np.isin(found.survey[k], numbers))
        if not len(mine):
            continue
        values, rates = states.rates(there.some(mine), stem)
        for number in numbers:
            own = found.survey[k][mine] == number
            quest = surveys[number].quest
            some = quest.sign * pick(values[own], quest.component)
            value[mine[own]] = np.where(np.isnan(some), -np.inf, some)
            rate[mine[own]] = _rate(values[own], rates[own], quest)
    return value, rate
