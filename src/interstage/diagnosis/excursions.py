"""Report flights beyond the data of a table: table, variable, time span, and distance beyond the data.

If a table has outside = "refuse", the flight ends at the end of its data. A table that holds its end value or
extrapolates is checked at both ends of each integration step.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..engine.contract import Range, Tabulated
from ..maths.arrays import jax
from ..observation.observation import Track, in_chunks
from ..programs.at_once import beyond_after
from ..programs.program import Program
from ..stepper.problem import NOT_A_NUMBER, STEP_COLLAPSED

if TYPE_CHECKING:
    from ..runs.cases_together import FlownLanes

AHEAD = 1e-6
"""Time [s] after the last state at which it is checked whether the flight would leave a table."""


class _Left(NamedTuple):
    """That data were left: which of an owner's, from when to when [s], and how far at the farthest."""

    name: str
    begin: float
    end: float
    distance: float


def excursion_reports(program: Program, scenario: Any, reference: Any, track: Track) -> list[str]:
    """Return one warning for each model whose table data did not cover the flight, while the flight
    continued.

    A warning names the variables, the largest distance beyond the data, and the time span.
    """
    known = _ranges(program, scenario)
    if not any(one.holds for one in known.values()) or not len(track.t):
        return []
    states = track.t_end, track.x_end, track.discrete
    found = in_chunks(lambda *lanes: program.beyond(scenario, reference, *lanes), states, program.layout)
    left: dict[str, dict[tuple[str, bool], tuple[Range, list[_Left]]]] = {}
    for one, distance in _beyond(known, found):
        away = np.flatnonzero(distance != 0)
        if len(away):
            owner, _, name = one.what.rpartition(": ")
            worst = float(distance[away[np.argmax(np.abs(distance[away]))]])
            new = _Left(name, float(track.t[away[0]]), float(track.t_end[away[-1]]), worst)
            of_owner = left.setdefault(owner or name, {})
            of_owner.setdefault((one.variable, worst > 0), (one, []))[1].append(new)
    return [
        (
            f"{owner}: the flight used values outside the range of the data: "
            f"{'; '.join(_sentence(owner, *each) for each in by)}."
        )
        for owner, by in ((owner, some.values()) for owner, some in left.items())
    ]


def _sentence(owner: str, one: Range, left: list[_Left]) -> str:
    """How far a variable was beyond which data: "mach up to 0.1 above (CD and CL) from 1 s to 2 s"."""
    worst = max((each.distance for each in left), key=abs)
    *others, last = (each.name for each in left)
    names = f"{', '.join(others)} and {last}" if others else last
    of = "" if names == owner else f" ({names})"
    begin, end = min(each.begin for each in left), max(each.end for each in left)
    return f"{one.variable} was up to {_amount(one, worst)} its range{of} from {begin:.6g} s to {end:.6g} s"


def end_reason(program: Program, scenario: Any, reference: Any, cursor: Any, track: Track) -> str:
    """Return the outcome of a flight that ended because it would have left the data of a table.

    The result is "" if the flight ended for another reason.
    """
    known = _ranges(program, scenario)
    if not any(one.refuses for one in known.values()):
        return ""
    t, x, discrete = cursor.t, cursor.x, cursor.discrete
    if not np.all(np.isfinite(x)) and len(track.t):
        t, x, discrete = track.t_end[-1], track.x_end[-1], jax.tree.map(lambda a: a[-1], track.discrete)
    found = jax.device_get(program.leaving(scenario, reference, t, x, discrete, AHEAD))
    return _end_sentence(float(t), [(one, float(far)) for one, far in _beyond(known, found)])


def blamed_in(lanes: FlownLanes, some: Sequence[int]) -> dict[int, str]:
    """Return the outcome, as `end_reason` does, of each case that ended because it left a table, by index of
    the case.

    some: indices of the cases to check.
    """
    if not any(one.refuses for one in _ranges(lanes.program, lanes.scenario).values()):
        return {}
    rows = lanes.rows
    finite = np.all(np.isfinite(rows.x), axis=1)
    status = np.asarray(lanes.chunk.cursor.status)
    ended = [
        lane
        for lane in some
        if lane not in lanes.refused
        and status[lane] in (NOT_A_NUMBER, STEP_COLLAPSED)
        and finite[:, lane].any()
    ]
    if not ended:
        return {}
    row = np.array([np.flatnonzero(finite[:, lane])[-1] for lane in ended])
    found = lanes.at(np.array(ended), row, None, partial(beyond_after, h=AHEAD))
    said = {}
    for k, lane in enumerate(ended):
        far = _beyond(_ranges(lanes.program, lanes.case(lane)), found)
        own = [(one, float(np.broadcast_to(away, len(ended))[k])) for one, away in far]
        said[lane] = _end_sentence(float(rows.t[row[k], lane]), own)
    return {lane: text for lane, text in said.items() if text}


def _end_sentence(t: float, far: list[tuple[Range, float]]) -> str:
    """How a flight ended at t [s] for data that have no value beyond their ends, and how far beyond each it
    would have come, in one sentence; nothing if that is beyond none."""
    left = [(one, distance) for one, distance in far if distance != 0 and one.refuses]
    if not left:
        return ""
    said = [f"{one.what} {one.left}, because {one.variable} goes {_past(one, far)}" for one, far in left]
    remedies = " ".join(dict.fromkeys(one.remedy for one, _ in left))
    return f"Ended early at {t:.9g} s: {'; '.join(said)}. {remedies}"


def left_at(program: Program, scenario: Any, reference: Any, x: Any, discrete: Any) -> list[str]:
    """Return one text for each table with outside = "refuse" whose data do not cover the initial state.

    x: initial state. discrete: states of switches and events.
    """
    known = _ranges(program, scenario)
    if not any(one.refuses for one in known.values()):
        return []
    t, x, discrete = jax.tree.map(lambda leaf: np.asarray(leaf)[..., None], (np.zeros(()), x, discrete))
    found = program.beyond(scenario, reference, t, x, discrete)
    return [
        f"{one.what} has no value at the start, because {one.variable} is {_past(one, float(far[0]))}"
        for one, far in _beyond(known, found)
        if far[0] != 0 and one.refuses
    ]


def _ranges(program: Program, scenario: Any) -> dict[tuple[str, Any], Range]:
    """The ranges of all parts, by part and key."""
    parts = program.layout.having(Tabulated)
    return {(part.name, key): one for part in parts for key, one in part.ranges(scenario).items()}


def _beyond(known: dict[tuple[str, Any], Range], found: dict[str, dict[Any, Any]]) -> list[tuple[Range, Any]]:
    """Each one with how far its variable is beyond it."""
    by_part = found.items()
    return [(known[name, key], far) for name, by_key in by_part for key, far in by_key.items()]


def _past(one: Range, distance: float) -> str:
    """The end that was passed, with its unit, where it is known: "above 30 deg"."""
    side = "above" if distance > 0 else "below"
    end = "its range" if one.ends is None else f"{one.ends[distance > 0]:.6g} {one.unit}".rstrip()
    return f"{side} {end}"


def _amount(one: Range, distance: float) -> str:
    """How far beyond, with a unit: "2.31 deg above"."""
    size = f"{abs(distance) * one.factor:.3g} {one.unit}".rstrip()
    return f"{size} {'above' if distance > 0 else 'below'}"
