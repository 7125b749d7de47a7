"""Find periodic motions: starts for which the state repeats after a period. The method is shooting with
Newton's method.

The unknowns are the unknowns of the trim, and the period if it is unknown. The conditions require that each
state repeats after the period. See `returning` for the derivatives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...linear.coordinates import Tree
from ...linear.shaft import shaft_of
from ...programs.targets import Target
from ...tree import units
from ...tree.errors import BadInput, Problem
from ...tree.sentences import sentence
from ...tree.similar_names import near
from ...tree.unit_names import UnitError
from ..conditions import listed_texts
from ..linearize.driven import driving
from ..linearize.floquet import AGAIN, TURN
from ..linearize.result import STILL
from ..optimization.variables import Unknown, variables_of
from .anew import refuse_unlike
from .asked import STEADY, Asked, Condition, read
from .placed import with_trim
from .result import Trimmed
from .returning import Returned, from_start, state_after_period
from .search import TOLERANCE, Care, Ended, Search
from .start import Seen, Sight, Start

PERIOD = "period"
"""Name of the unknown period in `find`."""
APART = 2.0
"""Default ratio of the bounds of the period to its start value. Bounds are needed because a period of zero
would always be a solution.
"""
LOOSE = 100.0
"""Difference up to which states count as equal, in integration tolerances of the flight. This limit covers
the numerical error over a period.
"""
DEPENDENT, SAME = 1e-5, 1e-3
"""Relative singular values below which unknowns are redundant: during the search, and at the end with finer
steps. The values include a factor of 100, because changes along the motion have small effects.
"""
FAR = 10.0
"""Smallest change of at least one state within the period, in tolerances. With a smaller change, the states
do not move.
"""
FINER = 4
"""Factor of the number of steps for the check at the end of the search."""
MOST_STEPS = 20
"""Largest number of steps of the search. Each step needs a flight."""
WRITING = f"Write '{TURN}' together with a shaft, or a time such as \"0.5 s\""
AFTER = "after the period"


class PeriodSight:
    """Function of the unknowns that evaluates a periodic trim: the start, as for any trim, and the state
    after one period.

    The selection of independent states from the first evaluation is used for all evaluations. period: the
    unknown period, or its value [s].
    """

    def __init__(
        self, scenario: Any, leg: str | None, sight: Sight, asked: Asked, period: float, found: bool
    ):
        self.scenario_of, self.leg, self.sight, self.asked = scenario, leg, sight, asked
        self.start, self._period, self._wanted_too = sight.start, period, found
        self.names: tuple[str, ...] = ()
        self._seen: dict[bytes, tuple[Seen, Returned]] = {}
        self.last: Returned | None = None
        numbers = asked.unknowns[: len(asked.unknowns) - len(asked.given)]
        self._targets: list[Target] = [target for one in numbers for target in one.targets]
        self._gains = np.zeros((len(self._targets), len(asked.unknowns)))
        row = 0
        for k, one in enumerate(numbers):
            self._gains[row : row + len(one.targets), k] = one.gains
            row += len(one.targets)

    @property
    def given_from(self) -> int:
        """Return the index of the first joint coordinate among the unknowns."""
        return self.sight.given_from

    def scenario(self, values: np.ndarray) -> Any:
        """Return the scenario for given values of the unknowns (unknown,), without validation."""
        return self.sight.scenario(values[: len(self.asked.unknowns)])

    def roundings(self, seen: Seen) -> np.ndarray:
        """Return the rounding errors of the accelerations; see `Sight.roundings`."""
        return self.sight.roundings(seen)

    def period(self, values: np.ndarray) -> float:
        """Return the period [s] for given values of the unknowns (unknown,)."""
        return float(values[-1]) if self._wanted_too else self._period

    def with_start(self, values: np.ndarray, seen: Seen) -> Any:
        """Return the scenario that begins at an evaluated start. values (unknown,): values of the
        unknowns.
        """
        none, own = np.zeros(0), values[: len(self.asked.unknowns)]
        return with_trim(
            self.scenario_of, self.start, self.asked, Ended(own, seen, none, none, 0, seen, none)
        )

    def at(self, values: np.ndarray) -> Seen:
        """Return the evaluated start for values of the unknowns (unknown,). The last rows of the result are
        the changes of the states over one period. Raises BadInput.
        """
        key = values.tobytes()
        if key not in self._seen:
            self._seen[key] = self.found_at(values)
        seen, self.last = self._seen[key]
        return seen

    def found_at(self, values: np.ndarray, finer: int = 1) -> tuple[Seen, Returned]:
        """Return the evaluated start, as `at` does, and the state after one period. finer: factor of the
        number of steps.
        """
        seen = self.sight.at(values[: len(self.asked.unknowns)])
        scenario = self.with_start(values, seen)
        found = state_after_period(
            scenario, self.leg, self.period(values), self._targets, self._wanted_names(), finer
        )
        names = tuple(state.name for state in found.states)
        if self.names and names != self.names:
            text = (
                "the selection of independent coordinates changed during the search. Choose start values"
                " closer to the periodic motion"
            )
            raise BadInput(Problem(PERIOD, text))
        self.names = names
        moved = from_start(found.group, seen.state, seen.by_state)
        slopes = found.by_start @ moved - moved + found.by_numbers @ self._gains
        if self._wanted_too:
            slopes = np.concatenate([slopes, found.last[:, None]], 1)
        before = np.zeros((len(seen.rows), slopes.shape[1]))
        before[:, : seen.slopes.shape[1]] = seen.slopes
        rows, slopes = np.concatenate([seen.rows, found.off]), np.concatenate([before, slopes])
        return seen._replace(rows=rows, slopes=slopes), found

    def _wanted_names(self) -> list[str]:
        known = {one.name for one in self.start.tree.coordinates}
        return [name for name in self.names if name in known]


def trim_periodic(
    scenario: Any, find: Any, so_that: Any, free: Any, leg: str | None, period: Any, shaft: str | None
) -> Trimmed:
    """Find a periodic motion. See `run.trim` for the arguments, the result and the errors."""
    from .run import missing, refuse_idle, trimmed_of

    start = Start(scenario, leg)
    wanted = [*variables_of(find)]
    own = [one for one in wanted if one.name == PERIOD]
    if len(own) > 1:
        raise BadInput(Problem(PERIOD, "the unknown period is listed twice. Keep the name once"))
    length, turn = _length(start, period, shaft)
    texts = [] if so_that is None else listed_texts(so_that, "--so-that")
    if any(text.strip() == STEADY for text in texts):
        text = f"the condition {STEADY} requires a steady motion, but --period requires a periodic motion"
        raise BadInput(Problem("--so-that", f"{text}. Remove the condition or --period"))
    asked = read(start, [one for one in wanted if one.name != PERIOD], texts, (), anything=True)
    time = _unknown(start, own[0] if own else None, length, bool(own) or turn)
    plain = Sight(start, asked.unknowns, asked.given, asked.outputs)
    sight = PeriodSight(scenario, leg, plain, asked, length, time is not None)
    begin = np.array([*(one.start for one in asked.unknowns), *([time.start] if time else [])])
    first = sight.at(begin)
    assert sight.last is not None  # set by the call above
    whole = asked._replace(
        unknowns=(*asked.unknowns, *([time] if time else [])),
        conditions=(*asked.conditions, *_repeats(sight.last, len(first.rows), listed_texts(free, "free"))),
    )
    solver = start.course.own.solver
    within = TOLERANCE if solver.fixed_step else max(TOLERANCE, LOOSE * float(solver.tolerance))
    search = Search(start, whole, sight, Care(within, MOST_STEPS, DEPENDENT, SAME))
    ended = search.solve()
    refuse_idle(start, search, ended)
    if not np.all(ended.conditions_met):
        raise missing(start, search, ended)
    seen, last = sight.found_at(ended.values, FINER)
    ended = replace(ended, seen=seen)
    length = sight.period(ended.values)
    begun = seen.begun
    driven = driving(start.system, begun.scenario, begun.reference.value, 0.0, start.discrete.mode)
    _refuse_others(last, whole)
    if not driven:  # a driven joint moves, independent of the states
        _refuse_rest(last)
        _refuse_short(last, whole, ended, length)
    found = sight.with_start(ended.values, ended.seen)
    if asked.unknowns:
        # Periodicity was verified with this scenario; the other conditions were not.
        first = slice(len(asked.conditions))
        beside = replace(ended, allowed=ended.allowed[first], sizes=ended.sizes[first])
        refuse_unlike(start.anew(found, leg), asked, beside)
    # A computed period needs enough digits for the check of `floquet.AGAIN`.
    same = f'--period "{length:.9g} s"' if own else "the same --period"
    text = "To compute the Floquet multipliers, run interstage linearize on the trimmed scenario"
    notes = [f"{text} with {same}."]
    return trimmed_of(
        found, start, search, ended, f"repeats after {length:.6g} s", notes=notes, period=length
    )


def _length(start: Start, period: Any, shaft: str | None) -> tuple[float, bool]:
    """The given period [s], and whether it is an unknown: a revolution of a shaft that is not driven.
    Raises BadInput."""
    if period != TURN:
        if shaft is not None:
            text = f"'shaft' has an effect with the period '{TURN}' only. Remove 'shaft'"
            raise BadInput(Problem("shaft", text))
        try:
            length = units.parse_value(period, "s")
        except (UnitError, ValueError, TypeError) as error:
            raise BadInput(Problem(PERIOD, f"{sentence(error)} {WRITING}")) from None
        if not (np.isfinite(length) and length > 0):
            text = f"the period {length:.6g} s is not positive. Give a time above zero"
            raise BadInput(Problem(PERIOD, text))
        return length, False
    if shaft is None:
        raise BadInput(
            Problem(
                PERIOD,
                f"the period '{TURN}' needs a joint that turns. Set 'shaft' to the joint, or give a time",
            )
        )
    tree = Tree(start.layout, np.asarray(start.discrete.mode), "body")
    own = shaft_of(tree, start.course.own, shaft)
    rate = own.rate
    if own.coordinate is not None:
        rate = float(start.first.own[tree.rate_entry(tree.coordinates[own.coordinate])])
    if not abs(rate) > STILL:
        raise BadInput(
            Problem(
                "shaft",
                (
                    f"joint '{shaft}' does not turn at the start. Set the initial rate of the joint, or"
                    " give the period as a time"
                ),
            )
        )
    return abs(2 * np.pi / rate), own.coordinate is not None


def _unknown(start: Start, variable: Any, length: float, wanted: bool) -> Unknown | None:
    """The period as an unknown, or None if it is given. Raises BadInput."""
    if not wanted:
        return None
    marker = units.SI("s")
    ends = [length / APART, length * APART]
    for k, end in enumerate((variable.low, variable.high) if variable is not None else ()):
        try:
            ends[k] = ends[k] if end is None else float(marker(end))
        except UnitError as error:
            raise BadInput(Problem(PERIOD, str(error))) from None
    low, high = ends
    if not 0 < low <= length <= high or not low < high:
        text = f"the first guess {length:.6g} s is outside the bounds {low:.6g} s and {high:.6g} s"
        raise BadInput(Problem(PERIOD, f"{text}. Give bounds above zero, and a guess between the bounds"))
    return Unknown(PERIOD, (), (), (), "s", length, length, low, high, (high - low) / 2, PERIOD)


def _repeats(found: Returned, rows: int, free: Sequence[str]) -> tuple[Condition, ...]:
    """Conditions that all states repeat, except names or name prefixes in `free`. Raises BadInput."""
    names = [state.name for state in found.states]
    unknown = [one for one in free if not any(n == one or n.startswith(f"{one}.") for n in names)]
    if unknown:
        raise BadInput(
            Problem("free", f"there is no state '{one}'; {near(one, names, 'states')}") for one in unknown
        )
    first = rows - len(names)
    return tuple(
        Condition(f"{state.name} {AFTER}", state.unit or "1", 0.0, first + k)
        for k, state in enumerate(found.states)
        if state.name not in found.idle
        and not any(state.name == one or state.name.startswith(f"{one}.") for one in free)
    )


def _repeating(found: Returned, asked: Asked) -> list[int]:
    """Indices of states that must repeat."""
    names = {one.name for one in asked.conditions}
    return [k for k, state in enumerate(found.states) if f"{state.name} {AFTER}" in names]


def _refuse_others(found: Returned, asked: Asked) -> None:
    """Refuse a motion that returns to its start and then continues differently. Raises BadInput."""
    kept = _repeating(found, asked)
    first, last = found.a
    off = np.abs(last - first)[np.ix_(kept, kept)]
    faster = np.abs(found.last - found.first)[kept]
    scale = max(1.0, float(np.max(np.abs(first), initial=0.0)))
    if max(np.max(off, initial=0.0), np.max(faster, initial=0.0)) > AGAIN * scale:
        row = kept[int(np.argmax(np.maximum(np.max(off, 1, initial=0.0), faster)))]
        text = (
            f"the states repeat, but the motion does not: {found.states[row].name} then changes differently,"
            " because a time-dependent effect has another period. Give the period of this effect, or a"
            " multiple of the period"
        )
        raise BadInput(Problem(PERIOD, text))


def _refuse_rest(found: Returned) -> None:
    """Refuse a state of rest. Raises BadInput."""
    if np.all(np.abs(found.first) <= STILL) and np.all(np.abs(found.last) <= STILL):
        text = (
            "the solution is at rest. Rest repeats with any period. Choose start values closer to"
            " the motion, or exclude rest by a condition --so-that"
        )
        raise BadInput(Problem(PERIOD, text))


def _refuse_short(found: Returned, asked: Asked, ended: Ended, length: float) -> None:
    """Refuse a period in which no state moves by more than its tolerance. Raises BadInput."""
    names = [one.name for one in asked.conditions]
    kept = _repeating(found, asked)
    allowed = np.array([ended.allowed[names.index(f"{found.states[k].name} {AFTER}")] for k in kept])
    way = length * np.maximum(np.abs(found.first), np.abs(found.last))[kept]
    if np.all(way <= FAR * allowed):
        text = f"the period {length:.6g} s is too short: no state moves by more than its tolerance"
        raise BadInput(Problem(PERIOD, f"{text}. Give a longer period, or a smaller solver.tolerance"))
