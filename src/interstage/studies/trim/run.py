"""`interstage trim`: where a scenario starts so that nothing accelerates, or something else holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...missions.names import EFFECTS
from ...model.effect import Effect
from ...model.frames import Attitude
from ...tree.addresses import XYZ, nodes_at
from ...tree.errors import BadInput, Problem, listed
from ...tree.units import PURE_UNITS, display
from ..linear.driven import driving
from ..linear.result import STILL, moved
from ..optimization.variables import Unknown
from .anew import refuse_unlike
from .asked import RATE, STEADY, Asked, Condition, example, read, variables
from .placed import placed
from .result import Held, NoTrim, Trimmed
from .search import Ended, Search
from .start import Start

MOST_LISTED = 4
"""Names that a sentence lists."""
ORDINALS = ("first", "second", "third")


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
    """The scenario with numbers found so that nothing accelerates at its start, or that other things hold.

    find: "PATH" or "PATH=LOW:HIGH", a number of the scenario or a coordinate of a joint or its rate, as
    `interstage linearize` names them, "joints.hinge.rotation.y"; or a mapping of these to bounds, pairs
    (low, high) of numbers [SI], texts with units or none, or none. so_that: "steady", the default, which is
    that the rates of all velocities are zero, of bodies along their own axes; "rate of NAME = VALUE UNIT" of
    one of these; or "QUANTITY = VALUE UNIT". free: velocities that need not be steady. leg: of a mission, the
    one that begins it.

    period: a time [s], or "turn", of the joint `shaft`: that all states repeat after it, in place of
    "steady". "period" may be found too, from there, and is where what turns is not driven. `free` are then
    states that need not repeat.

    Without a period no flight is integrated, and nothing compiled. Raises BadInput with all that is wrong,
    and `NoTrim` where no values do, with the nearest."""
    if period is not None:
        from .periodic import trim_periodic

        return trim_periodic(scenario, find, so_that, free, leg, period, shaft)
    if shaft is not None:
        raise BadInput(Problem("shaft", "goes with a period; ask for one, or leave it out"))
    if any(one.name == "period" for one in variables(find)):
        text = 'is found from one to begin with, by interstage trim: give that too, like --period "2 s"'
        raise BadInput(Problem("period", text))
    start = Start(scenario, leg, open_too=True)
    asked = read(start, find, STEADY if so_that is None else so_that, free)
    _refuse_open(start, asked)
    search = Search(start, asked)
    ended = search.ended()
    refuse_idle(start, search, ended)
    if not np.all(ended.met):
        raise missing(start, search, ended)
    found = placed(scenario, start, search.asked, ended)
    if search.asked.unknowns:
        refuse_unlike(start.anew(found, leg), search.asked, ended)
    return told_of(found, start, search, ended, *_standing(start, search, ended))


def told_of(
    scenario: Any,
    start: Start,
    search: Search,
    ended: Ended,
    standing: str,
    drifts: dict[str, float] | None = None,
    notes: Sequence[str] = (),
    period: float = np.nan,
) -> Trimmed:
    """What was found, with all there is to say of it. scenario: that starts so; see `Trimmed`."""
    asked = search.asked
    slopes = ended.seen.slopes[[one.row for one in asked.conditions if not one.within]]
    values, first = ended.values.copy(), search.sight.given_from
    values[first : first + len(asked.given)] = ended.seen.found
    others = [float(start.value(given, ended.seen.own)) for _, given in asked.following]
    # What moves by itself repeats, too.
    unsettled = _unsettled(scenario) if np.isnan(period) else []
    told = *_turns(start, asked), *_follow(asked), *_unmoved(asked, ended), *_ties(search, ended)
    return Trimmed(
        scenario=scenario,
        unknowns=(*asked.unknowns, *(one for one, _ in asked.following)),
        values=np.concatenate([values, others]),
        held=_held(asked, ended),
        standing=standing,
        notes=(*told, *notes, *unsettled),
        drifts=drifts or {},
        slopes=slopes,
        looks=ended.looks,
        period=period,
    )


def _held(asked: Asked, ended: Ended) -> tuple[Held, ...]:
    def size(one: Condition) -> Held:
        """Of the rows of a joint, which have a name together."""
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


# --- what is wrong


def _refuse_open(start: Start, asked: Asked) -> None:
    """Refuse joints that are open, if it is not asked that numbers close them. Raises BadInput."""
    if start.open is None or any(one.within for one in asked.conditions):
        return
    hint = "or name numbers of initial, or a length, that are to close it"
    raise BadInput(replace(one, message=f"{one.message}, {hint}") for one in start.open.problems)


def refuse_idle(start: Start, search: Search, ended: Ended) -> None:
    idle = search.idle(ended)
    if idle:
        text = "changes nothing of what is asked for, from where it begins; leave it out, or begin elsewhere"
        about = turns(start.mission, search.asked.unknowns)
        ends = (f"; it is the {about[name]}" if name in about else "" for name in idle)
        raise BadInput(Problem(name, text + end) for name, end in zip(idle, ends, strict=True))


def missing(start: Start, search: Search, ended: Ended) -> NoTrim:
    """Why there is no trim, with the nearest."""
    units = start.mission.units
    fighting = search.fighting(ended)
    left = listed(
        [f"{one.name} is off by {_shown(off, one.unit, units)}" for one, off in fighting], MOST_LISTED
    )
    unknowns = search.asked.unknowns
    if not unknowns:
        text = f"the start is not trimmed, and nothing is to be found: {left}"
        hint = f"name what may change, like --find {example(start)}"
        return NoTrim(f"{text}; {hint}", ended.values, _off(fighting))
    at = ", ".join(f"{o.name} = {o.shown(v, units)}" for o, v in zip(unknowns, ended.values, strict=True))
    why = _why(search, ended, fighting)
    about = turns(start.mission, unknowns).items()
    why += "".join(f"; {name} is the {angle}" for name, angle in about)
    return NoTrim(f"no trim was found: nearest, with {at}, {left}; {why}", ended.values, _off(fighting))


def _off(fighting: list[tuple[Condition, float]]) -> dict[str, float]:
    return {one.name: off for one, off in fighting}


def _why(search: Search, ended: Ended, fighting: list[tuple[Condition, float]]) -> str:
    unmoved = search.unmoved(ended)
    if unmoved:
        names = listed([one.name for one in unmoved], MOST_LISTED)
        return f"nothing that is to be found changes {names}: find more, or set free what may accelerate"
    bounds = search.at_bounds(ended)
    if bounds:
        return f"it stands with {' and '.join(bounds)}"
    edges = search.at_edges(ended)
    if edges:
        return f"a little beyond, {edges[0]}: give a wider table, or find other numbers"
    if len(fighting) > 1:
        return "what brings one of them nearer takes another away: find more, or ask for less"
    return "from there no change comes nearer: find more, or begin with other values"


def _shown(value: float, unit: str, units: str) -> str:
    factor, own = display(unit, units)
    return f"{value * factor:.4g} {'' if own in PURE_UNITS else own}".strip()


# --- what there is to say


def turns(scenario: Any, unknowns: Sequence[Unknown]) -> dict[str, str]:
    """Which angle each unknown is that is one of an Euler sequence and is named by an axis, x, y or z, about
    which it is not: angles are counted in the order of their sequence."""
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
    return [f"Angles: {name} is the {angle}." for name, angle in turns(start.mission, asked.unknowns).items()]


def _follow(asked: Asked) -> list[str]:
    if not asked.following:
        return []
    names = [one.name for one, _ in asked.following]
    way = "follow" if len(names) > 1 else "follows"
    return [f"Follows: as joints close loops, {listed(names, 2 * MOST_LISTED)} {way} from the others."]


def _unmoved(asked: Asked, ended: Ended) -> list[str]:
    """What is asked for by itself, holds, and is changed by nothing that is found."""
    names = [
        one.name
        for one in asked.conditions
        if one.alone and not any(np.any(seen.slopes[one.row]) for seen in (ended.first, ended.seen))
    ]
    if not names or not asked.unknowns:
        return []
    way = "hold" if len(names) > 1 else "holds"
    return [f"Unmoved: {listed(names, 2 * MOST_LISTED)} {way}, and nothing that is found changes that."]


def _ties(search: Search, ended: Ended) -> list[str]:
    found = []
    names, many = search.ties(ended)
    if names:
        told = listed(names, 2 * MOST_LISTED)
        found.append(
            f"Redundant: {told} are {many} more than what is asked for tells; of many trims this is one."
        )
    names = search.singular(ended, many)
    if names:
        told = listed(names, 2 * MOST_LISTED)
        found.append(
            f"Singular: what is asked for does not tell {told} here; near by there are two trims or none."
        )
    return found


def _unsettled(scenario: Any) -> list[str]:
    """What moves by itself, whatever its bodies do."""
    effects = [item for group in EFFECTS for item in getattr(scenario, group) if isinstance(item, Effect)]
    return [f"Not trimmed: {item.name} {item.unsettled}." for item in effects if item.unsettled]


def _standing(start: Start, search: Search, ended: Ended) -> tuple[str, dict[str, float], list[str]]:
    """How it stands in words, the accelerations that change as it goes on, and notes about it."""
    seen, coordinates, units = ended.seen, start.tree.coordinates, start.mission.units
    wanted = [k for k in range(len(coordinates)) if any(one.row == k for one in search.asked.conditions)]
    missed, second, motion = np.zeros(len(coordinates)), seen.rows[: len(coordinates)], start.motion(seen)
    for one, off in zip(search.asked.conditions, ended.left, strict=True):
        missed[one.row : one.row + 1] = off
    if not np.all(np.abs(second - missed) <= STILL):
        # What is stiff makes much of what a search leaves, and of rounding.
        missed = np.where(np.abs(second - missed) <= search.still(ended), second, missed)
    going = search.sight.going_on(seen, missed)
    drifts = {f"{RATE}{coordinates[k].rate}": float(going[k]) for k in wanted if not abs(going[k]) <= STILL}
    changing = {} if drifts else search.sight.driving(seen, wanted)
    notes = _going_on(start, drifts, changing)
    second = second - missed
    left = [k for k in np.argsort(-np.abs(second), kind="stable") if not abs(second[k]) <= STILL]
    if left:
        by = ", ".join(
            f"{coordinates[k].rate} by {_shown(float(second[k]), f'{coordinates[k].unit}/s^2', units)}"
            for k in left
        )
        return f"accelerates: {by}", drifts, [*notes, f"Accelerates: {by}."]
    rests, begun = bool(np.all(np.abs(motion) <= STILL)), seen.begun
    driven = driving(start.system, begun.scenario, begun.reference.value, 0.0, start.discrete.mode)
    way = "moves" if not rests else moved(driven) if driven else "rests"
    if drifts or changing:
        return f"{way}, and drifts", drifts, notes
    return way if rests else "moves steadily", drifts, notes


def _going_on(start: Start, drifts: dict[str, float], changing: dict[str, float]) -> list[str]:
    """That it holds for the start only, and why: the acceleration that changes most, or what parts do on
    which accelerations depend."""
    if drifts:
        name = max(drifts, key=lambda name: abs(drifts[name]))
        unit = next(one.unit for one in start.tree.coordinates if f"{RATE}{one.rate}" == name)
        by = f"{name} changes by {_shown(drifts[name], f'{unit}/s^3', start.mission.units)}"
    elif changing:
        by = listed([f"{name} changes by {rate:.4g} per s" for name, rate in changing.items()], MOST_LISTED)
        by += ", and accelerations with it"
    else:
        return []
    return [f"Drifts: as it goes on, {by}: this holds for the start only."]
