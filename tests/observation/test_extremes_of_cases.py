"""Extremes in many cases, of functions of time whose extremes are known."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from interstage.observation.extremes_of_cases import ENOUGH, SMOOTH, Extreme, Quest, extremes
from interstage.observation.knots_of_cases import Knots
from interstage.observation.states_of_cases import Spots
from interstage.record.brackets import MOST_EXTREMES

CASES = 40
BOUND = SMOOTH**2 * ENOUGH
"""Bound of an error relative to the change of the quantity: expected errors are right to a factor."""
Function = Callable[[np.ndarray, np.ndarray], np.ndarray]


class Known:
    """States of cases whose quantities are functions of case and time; rates are central differences."""

    def __init__(self, knots: Knots, quantities: dict[str, Function]):
        self.knots, self.functions, self.reached = knots, quantities, 0

    def spots(self, lane: np.ndarray, row: np.ndarray, ends: bool = False) -> Spots:
        step = np.searchsorted(self.knots.lane * 1000 + self.knots.row, lane * 1000 + row)
        t = (self.knots.end if ends else self.knots.begin)[step]
        return Spots(lane, t, t[None], t)

    def later(self, spots: Spots, h: np.ndarray, compiled: bool | None = None) -> Spots:
        self.reached += len(h)
        return spots._replace(t=spots.t + h)

    def quantities(self, spots: Spots, stems: tuple[str, ...]) -> dict[str, np.ndarray]:
        return {stem: self.functions[stem](spots.lane, spots.t) for stem in stems}

    def rates(self, spots: Spots, stem: str) -> tuple[np.ndarray, np.ndarray]:
        function, near = self.functions[stem], 1e-6
        ahead, behind = (function(spots.lane, spots.t + d) for d in (near, -near))
        return function(spots.lane, spots.t), (ahead - behind) / (2 * near)


def uneven_knots(rng: np.random.Generator, end: float, longest: float) -> Knots:
    """Steps of cases from 0 to end [s], of different lengths up to `longest`."""
    lane, begin, stop, row = [], [], [], []
    for case in range(CASES):
        h = rng.uniform(0.3, 1.0, 1000) * longest
        t = np.append(np.cumsum(h)[np.cumsum(h) < end], end)
        begin.append(np.append(0.0, t[:-1]))
        stop.append(t)
        lane.append(np.full(len(t), case))
        row.append(np.arange(len(t)))
    lanes = np.concatenate(lane)
    joined = np.append(lanes[1:] == lanes[:-1], False)
    whole = (np.concatenate(part) for part in (row, begin, stop))
    return Knots(None, CASES, lanes, *whole, joined)  # type: ignore[arg-type]


def found(knots: Knots, function: Function, sign: float, start: float = 0.0, end: float = 9.0) -> Extreme:
    span = np.full(CASES, start), np.full(CASES, end)
    states = Known(knots, {"q": function})
    return extremes(states, knots, [Quest("q", None, sign, *span)])[0]  # type: ignore[arg-type]


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_decaying_oscillations(sign):
    """A decaying oscillation has its extreme at a known time, for steps of up to 1.5 radians."""
    rng = np.random.default_rng(1)
    rate, phase, decay = rng.uniform(2, 5, CASES), rng.uniform(0, 6, CASES), rng.uniform(0.05, 0.3, CASES)
    knots = uneven_knots(rng, 9.0, 0.3)

    def oscillation(lane: np.ndarray, t: np.ndarray) -> np.ndarray:
        return np.exp(-decay[lane] * t) * np.sin(rate[lane] * t + phase[lane])

    # Its rate is zero where tan(rate t + phase) = rate / decay.
    turns = np.arctan2(rate, decay)[:, None] - phase[:, None] + np.pi * np.arange(-4, 20)
    times = turns / rate[:, None]
    values = oscillation(np.arange(CASES)[:, None], times)
    values = np.where((times > 0) & (times < 9), values, np.nan)
    ends = [oscillation(np.arange(CASES), np.full(CASES, t)) for t in (0.0, 9.0)]
    expected = sign * np.nanmax(sign * np.column_stack([values, *ends]), axis=1)
    got = found(knots, oscillation, sign)
    assert np.max(np.abs(got.value - expected)) < 2 * BOUND
    reached = knots.begin[got.step] + got.place
    assert oscillation(np.arange(CASES), reached) == pytest.approx(expected, abs=2 * BOUND)


def test_kinks_inside_of_steps():
    """A kink, at which no polynomial fits, is approached to rounding."""
    rng = np.random.default_rng(2)
    kink, left, right = rng.uniform(2, 7, CASES), rng.uniform(0.5, 3, CASES), rng.uniform(0.5, 3, CASES)
    knots = uneven_knots(rng, 9.0, 0.9)

    def roof(lane: np.ndarray, t: np.ndarray) -> np.ndarray:
        d = t - kink[lane]
        return 3.0 - np.where(d < 0, -left[lane] * d, right[lane] * d) - 0.02 * d**2

    got = found(knots, roof, 1.0)
    # Rates within 1e-6 s of the kink are differences across it, so brackets end some of these lengths apart.
    assert np.max(np.abs(got.value - 3.0)) < 16 * 1e-6 * 3


def test_monotonous_quantities_need_no_state_inside():
    rng = np.random.default_rng(3)
    knots = uneven_knots(rng, 9.0, 0.9)
    slope = rng.uniform(-2, 2, CASES)

    def line(lane: np.ndarray, t: np.ndarray) -> np.ndarray:
        return slope[lane] * t + 0.1 * slope[lane] * t**2

    states = Known(knots, {"q": line})
    span = np.zeros(CASES), np.full(CASES, 9.0)
    quests = [Quest("q", None, sign, *span) for sign in (1.0, -1.0)]
    high, low = extremes(states, knots, quests)  # type: ignore[arg-type]
    assert states.reached == 0
    ends = np.stack([np.zeros(CASES), line(np.arange(CASES), np.full(CASES, 9.0))])
    assert np.array_equal(high.value, ends.max(0))
    assert np.array_equal(low.value, ends.min(0))


def test_time_spans_and_cases_without_steps():
    """Only steps in the time span count; a case without any has no value."""
    rng = np.random.default_rng(4)
    knots = uneven_knots(rng, 9.0, 0.5)
    middle = knots.end[np.flatnonzero(knots.row == 8)]
    span = np.zeros(CASES), np.where(np.arange(CASES) % 2, middle, np.nan)

    def rising(lane: np.ndarray, t: np.ndarray) -> np.ndarray:
        return t + lane

    (got,) = extremes(Known(knots, {"q": rising}), knots, [Quest("q", None, 1.0, *span)])  # type: ignore[arg-type]
    odd = np.arange(CASES) % 2 == 1
    assert np.array_equal(got.value[odd], (middle + np.arange(CASES))[odd])
    assert np.all(got.value[~odd] == -np.inf)
    assert np.all(got.step[~odd] == -1)


def test_values_that_are_not_finite():
    rng = np.random.default_rng(5)
    knots = uneven_knots(rng, 9.0, 0.5)

    def absent(lane: np.ndarray, t: np.ndarray) -> np.ndarray:
        return np.where((lane == 3) & (t > 4), np.nan, np.sin(t))

    got = found(knots, absent, 1.0)
    assert np.isnan(got.value[3])
    assert np.isfinite(np.delete(got.value, 3)).all()
    assert (
        knots.begin[got.step[3]] + got.place[3]
        == knots.end[knots.lane == 3][knots.end[knots.lane == 3] > 4][0]
    )


def test_components_and_magnitudes():
    """The magnitude of a rotating vector that grows and shrinks, and one of its components."""
    rng = np.random.default_rng(6)
    knots = uneven_knots(rng, 9.0, 0.4)
    rate = rng.uniform(0.5, 1.5, CASES)

    def vector(lane: np.ndarray, t: np.ndarray) -> np.ndarray:
        size = 2 + np.sin(rate[lane] * t)
        return np.stack([size * np.cos(t), size * np.sin(t), 0 * t], -1)

    span = np.zeros(CASES), np.full(CASES, 9.0)
    quests = [Quest("q", "magnitude", 1.0, *span), Quest("q", 1, 1.0, *span)]
    size, side = extremes(Known(knots, {"q": vector}), knots, quests)  # type: ignore[arg-type]
    assert size.value == pytest.approx(np.full(CASES, 3.0), abs=2 * 2 * BOUND)
    t = np.linspace(0, 9, 90_001)
    dense = np.array([vector(np.array([k]), t)[..., 1].max() for k in range(CASES)])
    # Between times 1e-4 s apart a curve with |q''| < 12 rises by less than 12 h^2 / 8.
    assert np.all(side.value >= dense - 6 * BOUND)
    assert np.all(side.value <= dense + 12 * 1e-8 / 8)


def test_more_extremes_than_are_searched():
    """The highest extremes are searched; the others have an upper estimate."""
    rng = np.random.default_rng(7)
    knots = uneven_knots(rng, 9.0, 0.06)
    rise = rng.uniform(-1e-3, 1e-3, CASES)

    def many(lane: np.ndarray, t: np.ndarray) -> np.ndarray:
        return np.sin(15 * t) + rise[lane] * t

    got = found(knots, many, 1.0)
    t = np.linspace(0, 9, 900_001)
    dense = np.array([many(np.array([k]), t).max() for k in range(CASES)])
    assert 9 * 15 / (2 * np.pi) > 2 * MOST_EXTREMES
    best = np.maximum(got.value, got.left)
    assert np.all(best >= dense - BOUND)
    assert np.all(got.value <= dense + 226 * 1e-10 / 8)


def test_results_do_not_depend_on_other_cases():
    rng = np.random.default_rng(8)
    rate = rng.uniform(2, 5, CASES)
    knots = uneven_knots(rng, 9.0, 0.4)

    def oscillation(lane: np.ndarray, t: np.ndarray) -> np.ndarray:
        return np.sin(rate[lane] * t) * t

    whole = found(knots, oscillation, 1.0)
    for case in (0, 7, CASES - 1):
        k = knots.lane == case
        some = (column[k] for column in (knots.lane, knots.row, knots.begin, knots.end, knots.joined))
        alone = found(Knots(None, CASES, *some), oscillation, 1.0)  # type: ignore[arg-type]
        assert alone.value[case] == whole.value[case]
        assert alone.place[case] == whole.place[case]
