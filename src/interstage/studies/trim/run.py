"""Implement `interstage trim`: find a start of a scenario without accelerations, or with other conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...drawing.table import unit_text
from ...missions.names import EFFECTS
from ...model.effect import Effect
from ...model.frames import Attitude
from ...runs.short import one_study
from ...tree.addresses import XYZ, nodes_at
from ...tree.errors import BadInput, Problem
from ...tree.sentences import list_text
from ...tree.units import display
from ..linearize.driven import driving
from ..linearize.result import STILL, motion_text
from ..optimization.variables import Unknown, variables_of
from .anew import refuse_unlike
from .asked import RATE, STEADY, Asked, Condition, example, read
from .placed import with_trim
from .result import Held, NoTrim, Trimmed
from .search import Ended, Search
from .start import Start

MOST_LISTED = 4
"""Largest number of names in a sentence."""
ORDINALS = ("first", "second", "third")


@one_study()
def trim(
    scenario: Any,
    find: str | Sequence[str] | Mapping[str, Any] = (),
    so_that: str | Sequence[str] | None = None,
    *,
    free: str | Sequence[str] = (),
    leg: str | None = None,
    period: Any = None,
    shaft: str | None = None,
) -> Trimmed:
    """Find values of unknowns for which a scenario starts without accelerations, or satisfies other
    conditions.

    - find: unknowns, as texts "PATH" or "PATH=LOW:HIGH", or a mapping of paths to bounds. PATH is a scenario
      input, or a joint coordinate or rate with the name in `interstage linearize`, for example
      "joints.hinge.rotation.y". Bounds are pairs (low, high) of numbers [SI], texts "LOW:HIGH", or None.
    - so_that: conditions. "steady" requires zero rates of all velocities (of bodies along body axes). "rate
      of NAME = VALUE UNIT" sets one rate, and "QUANTITY = VALUE UNIT" sets a quantity. Default: "steady".
    - free: names of velocities whose rates may differ from zero. With a period: names of states that may
      differ after the period.
    - leg: name of the leg that begins the mission.
    - period: time [s] after which all states must repeat, or "turn" for one revolution of the joint `shaft`.
      The period replaces "steady". If `find` contains "period", the period is unknown and this time is the
      first guess. The period of a shaft that is not driven is always unknown.
    - shaft: name of the joint for the period "turn".

    Raises BadInput with all problems, and `NoTrim` with the nearest values if no solution exists.
    """
    if period is not None:
        from .periodic import trim_periodic

        return trim_periodic(scenario, find, so_that, free, leg, period, shaft)
    if shaft is not None:
        raise BadInput(
            Problem("shaft", "'shaft' has an effect with 'period' only. Set 'period', or remove 'shaft'")
        )
    if any(one.name == "period" for one in variables_of(find)):
        text = 'the unknown period needs a first guess. Add, for example, --period "2 s"'
        raise BadInput(Problem("period", text))
    start = Start(scenario, leg, open_too=True)
    asked = read(start, find, STEADY if so_that is None else so_that, free)
    _refuse_open(start, asked)
    search = Search(start, asked)
    ended = search.solve()
    refuse_idle(start, search, ended)
    if not np.all(ended.conditions_met):
        raise missing(start, search, ended)
    found = with_trim(scenario, start, search.asked, ended)
    if search.asked.unknowns:
        refuse_unlike(start.anew(found, leg), search.asked, ended)
    return trimmed_of(found, start, search, ended, *_standing(start, search, ended))


def trimmed_of(
    scenario: Any,
    start: Start,
    search: Search,
    ended: Ended,
    standing: str,
    drifts: dict[str, float] | None = None,
    notes: Sequence[str] = (),
    period: float = np.nan,
) -> Trimmed:
    """Return the result of a trim with its notes.

    - scenario: the scenario that starts at the trim.
    - start, search, ended: original start, search, and result of the search.
    - standing, drifts, period: see `Trimmed`.
    """
    asked = search.asked
    slopes = ended.seen.slopes[[one.row for one in asked.conditions if not one.within]]
    values, first = ended.values.copy(), search.sight.given_from
    values[first : first + len(asked.given)] = ended.seen.found
    others = [float(start.value(given, ended.seen.own)) for _, given in asked.following]
    # In a periodic motion states of models repeat, too.
    unsettled = _unsettled_notes(scenario) if np.isnan(period) else []
    own_notes = *_turns(start, asked), *_follow(asked), *_unaffected_note(asked, ended), *_ties(search, ended)
    return Trimmed(
        scenario=scenario,
        unknowns=(*asked.unknowns, *(one for one, _ in asked.following)),
        values=np.concatenate([values, others]),
        held=_condition_results(asked, ended),
        standing=standing,
        notes=(*own_notes, *notes, *unsettled),
        drifts=drifts or {},
        slopes=slopes,
        looks=ended.looks,
        period=period,
    )


def _condition_results(asked: Asked, ended: Ended) -> tuple[Held, ...]:
    def size(one: Condition) -> Held:
        """Norm of the rows of a joint, which share a name."""
        rows = [other.row for other in asked.conditions if other.name == one.name]
        before, now = (float(np.linalg.norm(seen.rows[rows])) for seen in (ended.first, ended.seen))
        return Held(one.name, one.unit, one.wanted, before, now)

    def of(one: Condition) -> Held:
        before, now = (float(seen.rows[one.row]) for seen in (ended.first, ended.seen))
        return Held(one.name, one.unit, one.wanted, before, now)

    found = {}
    for one in asked.conditions:
        moved = any(np.any(seen.slopes[one.row]) for seen in (ended.first, ended.seen))
        if not one.within or moved:
            found[one.name] = (size if one.within else of)(one)
    return tuple(found.values())


# --- problems


def _refuse_open(start: Start, asked: Asked) -> None:
    """Refuse open joints, unless unknowns close them. Raises BadInput."""
    if start.open is None or any(one.within for one in asked.conditions):
        return
    hint = "or find numbers of initial or a length that close the joint"
    raise BadInput(replace(one, message=f"{one.message}, {hint}") for one in start.open.problems)


def refuse_idle(start: Start, search: Search, ended: Ended) -> None:
    idle = search.idle(ended)
    if idle:
        text = (
            "the unknown has no effect on the conditions at its start value. Remove the unknown,"
            " or change its start value"
        )
        about = turns(start.mission, search.asked.unknowns)
        ends = (f". {name} is the {about[name]}" if name in about else "" for name in idle)
        raise BadInput(Problem(name, text + end) for name, end in zip(idle, ends, strict=True))


def missing(start: Start, search: Search, ended: Ended) -> NoTrim:
    """Return the exception for a search that found no trim. The exception contains the nearest values and the
    reason."""
    units = start.mission.units
    fighting = search.fighting(ended)
    left = list_text(
        [f"{one.name} deviates by {_value_text(off, one.unit, units)}" for one, off in fighting], MOST_LISTED
    )
    unknowns = search.asked.unknowns
    if not unknowns:
        text = f"the start is not trimmed, but unknowns are missing: {left}"
        hint = f"Add unknowns, for example --find {example(start)}"
        return NoTrim(f"{text}. {hint}", ended.values, _off(fighting))
    at = ", ".join(
        f"{o.name} = {o.value_text(v, units)}" for o, v in zip(unknowns, ended.values, strict=True)
    )
    why = _why(search, ended, fighting)
    about = turns(start.mission, unknowns).items()
    why += "".join(f". {name} is the {angle}" for name, angle in about)
    text = f"no trim was found. At the nearest values, {at}, {left}. Reason: {why}"
    return NoTrim(text, ended.values, _off(fighting))


def _off(fighting: list[tuple[Condition, float]]) -> dict[str, float]:
    return {one.name: off for one, off in fighting}


def _why(search: Search, ended: Ended, fighting: list[tuple[Condition, float]]) -> str:
    unmoved = search.unaffected_conditions(ended)
    if unmoved:
        names = list_text([one.name for one in unmoved], MOST_LISTED)
        return f"no unknown changes {names}. Add unknowns, or list accelerations in 'free'"
    bounds = search.at_bounds(ended)
    if bounds:
        return f"the search stopped with {' and '.join(bounds)}. Widen the bounds, or add unknowns"
    edges = search.at_edges(ended)
    if edges:
        return f"near these values, {edges[0]}. Extend the table, or use other unknowns"
    if len(fighting) > 1:
        return "the conditions conflict. Add unknowns, or remove conditions"
    return (
        "small changes of the unknowns do not reduce the deviations. Add unknowns, or choose other"
        " start values"
    )


def _value_text(value: float, unit: str, units: str) -> str:
    factor, own = display(unit, units)
    return f"{value * factor:.4g} {unit_text(own)}".strip()


# --- notes


def turns(scenario: Any, unknowns: Sequence[Unknown]) -> dict[str, str]:
    """Return a description of each unknown Euler angle whose name differs from its rotation axis, by name.

    For example, an angle with the name "x" can be a rotation about the z axis.
    """
    found = {}
    for one in unknowns:
        axis = one.name.rpartition(".")[2]
        for target in one.targets if axis in XYZ else ():
            owner = nodes_at(scenario, target.path.rpartition(".")[0])[0]
            if isinstance(owner, Attitude) and owner.euler is not None and target.path.endswith(".angles"):
                (k,) = target.index
                about = XYZ[int(owner.euler.split("-")[k]) - 1]
                if about != axis:
                    found[one.name] = f"{ORDINALS[k]} angle of {owner.euler}, about {about}"
    return found


def _turns(start: Start, asked: Asked) -> list[str]:
    return [f"{name} is the {angle}." for name, angle in turns(start.mission, asked.unknowns).items()]


def _follow(asked: Asked) -> list[str]:
    if not asked.following:
        return []
    names = [one.name for one, _ in asked.following]
    way = "follow" if len(names) > 1 else "follows"
    text = f"In closed loops of joints, {list_text(names, 2 * MOST_LISTED)} {way} from other coordinates."
    return [text]


def _unaffected_note(asked: Asked, ended: Ended) -> list[str]:
    """Note on explicit conditions that hold and do not depend on any unknown."""
    names = [
        one.name
        for one in asked.conditions
        if one.alone and not any(np.any(seen.slopes[one.row]) for seen in (ended.first, ended.seen))
    ]
    if not names or not asked.unknowns:
        return []
    one, way = ("conditions", "are") if len(names) > 1 else ("condition", "is")
    return [f"The {one} on {list_text(names, 2 * MOST_LISTED)} {way} met for all values of the unknowns."]


def _ties(search: Search, ended: Ended) -> list[str]:
    found = []
    names, many = search.ties(ended)
    if names:
        shown = list_text(names, 2 * MOST_LISTED)
        text = f"The conditions do not determine {many} of the unknowns {shown}"
        found.append(f"{text}. Other trims exist.")
    names = search.singular(ended, many)
    if names:
        shown = list_text(names, 2 * MOST_LISTED)
        found.append(
            f"The trim is singular: the conditions do not determine {shown}. Near this trim, two trims or"
            " none exist."
        )
    return found


def _unsettled_notes(scenario: Any) -> list[str]:
    """Notes on models with states of their own, which the trim ignores."""
    effects = [item for group in EFFECTS for item in getattr(scenario, group) if isinstance(item, Effect)]
    found = [(item.name, item.trim_limitation) for item in effects if item.trim_limitation]
    return [f"The trim does not include the model {name}: {name} {text}." for name, text in found]


def _standing(start: Start, search: Search, ended: Ended) -> tuple[str, dict[str, float], list[str]]:
    """State of motion in words, the accelerations that change in time, and notes."""
    seen, coordinates, units = ended.seen, start.tree.coordinates, start.mission.units
    wanted = [k for k in range(len(coordinates)) if any(one.row == k for one in search.asked.conditions)]
    missed, second, motion = np.zeros(len(coordinates)), seen.rows[: len(coordinates)], start.motion(seen)
    for one, off in zip(search.asked.conditions, ended.left, strict=True):
        missed[one.row : one.row + 1] = off
    if not np.all(np.abs(second - missed) <= STILL):
        # Stiff forces amplify the residual of the search, and rounding.
        missed = np.where(np.abs(second - missed) <= search.still(ended), second, missed)
    going = search.sight.going_on(seen, missed)
    drifts = {f"{RATE}{coordinates[k].rate}": float(going[k]) for k in wanted if not abs(going[k]) <= STILL}
    changing = {} if drifts else search.sight.driving(seen, wanted)
    notes = _going_on(start, drifts, changing)
    second = second - missed
    left = [k for k in np.argsort(-np.abs(second), kind="stable") if not abs(second[k]) <= STILL]
    if left:
        by = ", ".join(
            f"{coordinates[k].rate} by {_value_text(float(second[k]), f'{coordinates[k].unit}/s^2', units)}"
            for k in left
        )
        return f"accelerates: {by}", drifts, [*notes, f"The start accelerates: {by}."]
    rests, begun = bool(np.all(np.abs(motion) <= STILL)), seen.begun
    driven = driving(start.system, begun.scenario, begun.reference.value, 0.0, start.discrete.mode)
    way = "moves" if not rests else motion_text(driven) if driven else "rests"
    if drifts or changing:
        return f"{way}, and drifts", drifts, notes
    return way if rests else "moves steadily", drifts, notes


def _going_on(start: Start, drifts: dict[str, float], changing: dict[str, float]) -> list[str]:
    """Note that the trim holds for the start only, with the reason: the acceleration that changes most, or
    the states of models on which accelerations depend."""
    if drifts:
        name = max(drifts, key=lambda name: abs(drifts[name]))
        unit = next(one.unit for one in start.tree.coordinates if f"{RATE}{one.rate}" == name)
        by = f"{name} changes by {_value_text(drifts[name], f'{unit}/s^3', start.mission.units)}"
    elif changing:
        by = list_text(
            [f"{name} changes by {rate:.4g} per s" for name, rate in changing.items()], MOST_LISTED
        )
        by += ", which changes accelerations"
    else:
        return []
    return [f"The trim is valid only at the start. After the start, {by}."]
