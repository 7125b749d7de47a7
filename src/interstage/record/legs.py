"""Record of a mission: one record for each leg, and functions that join the legs of a body or other item.

An item flies in a sequence of legs. The function `of` joins the data of these legs in one record, with all
samples and events in order. Code that reads the record of one flight can therefore also read a mission.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from ..missions.mission import Mission
from ..missions.names import WHOLE, end_of
from ..tree.errors import BadInput, Problem
from ..tree.sentences import count_text, sentence
from ..tree.similar_names import near
from . import across, peaks
from .record import SAME_TIME, EventRecord, Found, Peaks, Places, Record, Sought, resolve

OWN = "legs."
"""Beginning of a path that selects one leg, for example "legs.coast.system.energy"."""


def join_legs(
    scenario: Any, legs: dict[str, Record], after: dict[str, str], unflown: dict[str, str]
) -> Record:
    """Return the record of a mission from the records of its legs. Without legs, return the record of the
    flight.

    - legs: record of each flown leg by name, in order.
    - after: name of the preceding leg of each leg; "" for the first leg.
    - unflown: reason for each leg that was not flown, by name.
    """
    if WHOLE in legs:
        return legs[WHOLE]
    events = sorted(
        (event for leg, record in legs.items() for event in _events_of_leg(record, leg)),
        key=lambda event: event.time,
    )
    phases = [phase for record in legs.values() for phase in record.phases]
    whole = Record(
        scenario,
        np.unique(np.concatenate([np.zeros(0), *(record.time for record in legs.values())])),
        {},
        events,
        {},
        {},
        {path: meta for record in legs.values() for path, meta in record.meta.items()},
        phases=sorted(phases, key=lambda phase: phase[1]),
        legs=legs,
        after_leg=after,
        unflown=unflown,
    )
    whole.corrections = [text for record in legs.values() for text in record.corrections]
    whole.switches = [text for record in legs.values() for text in record.switches]
    whole.warnings = [*_joined_warnings(legs)]
    whole.completed = not unflown and all(record.completed for record in legs.values())
    ends = [float(record.time[-1]) for record in legs.values() if len(record.time)]
    told = {leg: (record.outcome, record.completed) for leg, record in legs.items()}
    whole.outcome = outcome(told, unflown, max(ends, default=0.0))
    whole.statistics = _statistics(legs)
    return whole


def _events_of_leg(record: Record, leg: str) -> Iterator[EventRecord]:
    """Events of a leg as events of the mission, in which its end has the leg's name."""
    for event in record.events:
        yield replace(event, leg=leg, name=end_of(leg) if event.kind == "end" else event.name)


def _joined_warnings(legs: dict[str, Record]) -> Iterator[str]:
    """The warnings of the legs without duplicates, with their legs unless all legs have the warning."""
    found: dict[str, list[str]] = {}
    for leg, record in legs.items():
        for text in dict.fromkeys(record.warnings):
            found.setdefault(text, []).append(leg)
    for text, of_legs in found.items():
        yield text if len(of_legs) == len(legs) else f"leg {' and '.join(of_legs)}: {text}"


def outcome(flown: Mapping[str, tuple[str, bool]], unflown: Mapping[str, str], end: float) -> str:
    """Return a text of a few sentences that states the outcome of a mission.

    - flown: (outcome, whether the leg reached its end) of each flown leg, by name.
    - unflown: reason for each leg that was not flown, by name.
    - end: end time of the last leg [s].
    """
    bad = [f"Leg '{leg}': {said}" for leg, (said, completed) in flown.items() if not completed]
    bad += [f"Leg '{leg}' was not flown: {sentence(why)}" for leg, why in unflown.items()]
    if bad:
        return f"{' '.join(bad)} The results contain {count_text(len(flown), 'legs')}."
    return f"Completed {count_text(len(flown), 'legs')} at {end:.6g} s."


def _statistics(legs: dict[str, Record]) -> dict[str, Any]:
    """Sums of counts over the legs; other entries: the common value, or the value of each leg."""
    found: dict[str, Any] = {}
    for key in dict.fromkeys(key for record in legs.values() for key in record.statistics):
        values = [record.statistics[key] for record in legs.values() if key in record.statistics]
        if all(isinstance(value, (int, float)) for value in values):
            found[key] = round(sum(values), 6)
        else:
            found[key] = ", ".join(dict.fromkeys(map(str, values)))
    return found


# --- a quantity through the legs


def of(record: Record, path: str, moment: str | None = None) -> Record:
    """Return the record that contains a quantity. For a mission, join all legs with this quantity in one
    record.

    - path: path of the quantity, for example "bodies.stage.speed".
    - moment: event or phase that selects one of several concurrent legs. Default: none.

    Raises BadInput if no leg has the quantity, or if concurrent legs have it and `moment` does not select a
    leg.
    """
    if not record.legs:
        return record
    if beside := across_legs(record, path, moment):
        return beside
    known = tuple(leg for leg, one in record.legs.items() if has(one, path))
    if not known and not record.unflown:
        resolve(record, path)  # raises an error with similar names
    if not known:
        raise BadInput(Problem(path, "no flown leg has this quantity. Give a quantity of a flown leg"))
    if not follow(record, known):
        meant = tuple(leg for leg in known if moment is not None and moment in _moments(record, leg))
        late = [leg for leg in record.unflown if moment is not None and moment in _moments(record, leg)]
        if not meant and late:
            raise BadInput(
                Problem(
                    path,
                    (
                        f"event '{moment}' belongs to leg '{late[0]}', which was not flown. Use an event"
                        " of a flown leg"
                    ),
                )
            )
        if not meant:
            text = (
                "the quantity is defined in several concurrent legs. Select one leg, for example"
                f" {OWN}{known[-1]}.{path}"
            )
            raise BadInput(Problem(path, text))
        known = meant[:1]
    return _chain_record(record, known)


def across_legs(record: Record, path: str, moment: str | None) -> Record | None:
    """Return the record of a quantity of two bodies in concurrent legs; None if the path names another
    quantity.

    moment: event of one of these legs, or "end" for the ends of the flights. Raises BadInput if the quantity
    has no value at this event.
    """
    pair = across.pair_of(path, across.bodies_in(record))
    if pair is None:
        return None
    a, b, what = pair
    if what == across.LANDING:
        return _landing(record, a, b, moment)
    own = {body: alone(record, body, other) for body, other in ((a, b), (b, a))}
    if moment is None or not all(own.values()):
        return None
    together = [leg for leg in record.legs if _flies(record, leg, a) and _flies(record, leg, b)]
    beside = [leg for legs in own.values() for leg in legs]
    if any(moment in _moments(record, leg) for leg in together):
        return None
    if not any(moment in _moments(record, leg) for leg in beside):
        return None
    found = both(record, a, b)
    across.refuse_elsewhen(
        path, moment, found, {body: _chain_record(record, legs) for body, legs in own.items()}
    )
    return found


def both(record: Record, a: str, b: str) -> Record:
    """Return the record of the quantities of two bodies a and b in concurrent legs.

    Raises BadInput if the bodies never fly in concurrent legs.
    """
    key = (f"pairs.{a}.{b}",)
    if key not in record.followed:
        known = across.bodies_in(record)
        for body in (a, b):
            if body not in known:
                raise BadInput(
                    Problem(
                        body,
                        f"there is no body '{body}' in this flight; {near(body, sorted(known), 'bodies')}",
                    )
                )
        own = [alone(record, a, b), alone(record, b, a)]
        for body, legs in zip((a, b), own, strict=True):
            if not legs:
                text = f"body '{body}' never flies without the other body of the pair"
                raise BadInput(Problem(key[0], f"{text}. Use a leg that contains both bodies"))
        record.followed[key] = across.pair_record(a, b, *(_chain_record(record, legs) for legs in own))
    return record.followed[key]


def _landing(record: Record, a: str, b: str, moment: str | None) -> Record:
    """The record of the landing points of two bodies."""
    path = f"pairs.{a}.{b}.{across.LANDING}"
    if moment not in (None, "end"):
        text = f"the quantity is defined only at the final time of each flight, not at '{moment}'"
        raise BadInput(Problem(path, f"{text}. Remove 'at' and 'during', or set at = \"end\""))
    if (path,) not in record.followed:
        planet = None if record.scenario is None else record.scenario.planet
        record.followed[path,] = across.landing(a, b, whole(record, a), whole(record, b), planet)
    return record.followed[path,]


def whole(record: Record, body: str) -> Record:
    """Return one record that joins all flown legs with a body."""
    return _chain_record(record, flown_with(record, body))


def flown_with(record: Record, body: str) -> tuple[str, ...]:
    """Return the names of the flown legs with a body."""
    return tuple(leg for leg in record.legs if _flies(record, leg, body))


def legs_with(record: Record, body: str, other: str) -> Record:
    """Return one record that joins all flown legs in which `body` flies without the body `other`."""
    return _chain_record(record, alone(record, body, other))


def alone(record: Record, body: str, other: str) -> tuple[str, ...]:
    """Return the names of the flown legs in which `body` flies without the body `other`."""
    return tuple(leg for leg in record.legs if _flies(record, leg, body) and not _flies(record, leg, other))


def _flies(record: Record, leg: str, body: str) -> bool:
    return f"bodies.{body}.position" in record.legs[leg].meta


def _chain_record(record: Record, chain: tuple[str, ...]) -> Record:
    if chain not in record.followed:
        record.followed[chain] = _put_together(record, chain)
    return record.followed[chain]


def has(record: Record, path: str) -> bool:
    """Return whether a record contains a quantity. The path may end with a component."""
    return path in record.meta or path.rpartition(".")[0] in record.meta


def before(record: Record, leg: str) -> tuple[str, ...]:
    """Return the names of all legs before a leg, in order from the first leg of the mission."""
    earlier = record.after_leg.get(leg, "")
    return (*before(record, earlier), earlier) if earlier else ()


def follow(record: Record, legs: Sequence[str]) -> bool:
    """Return whether each leg in a list is a predecessor of the next leg in the list."""
    return all(first in before(record, then) for first, then in pairwise(legs))


def _moments(record: Record, leg: str) -> set[str]:
    """Names of the events and phases of a leg in the mission.

    If its scenario is available, events that did not occur are included."""
    found = {event.name for event in record.events if event.leg == leg}
    if leg in record.legs:
        found |= {name for name, _, _ in record.legs[leg].phases}
    return found if record.scenario is None else found | {*Mission.of(record.scenario).leg(leg).event_names}


def _put_together(record: Record, chain: tuple[str, ...]) -> Record:
    """Return the legs of a chain as one flight, with the quantities that all of them have.

    A sample at the boundary of two legs belongs to the later leg, like a sample at an event of one flight."""
    legs = [record.legs[leg] for leg in chain]
    common = [path for path in legs[0].series if all(path in one.series for one in legs)]
    keep = [slice(0, len(a.time) - _common_samples(a, b)) for a, b in pairwise(legs)] + [slice(None)]
    events = [event for leg, one in zip(chain, legs, strict=True) for event in _events_of_leg(one, leg)]
    unflown = any(record.after_leg.get(leg) == chain[-1] for leg in record.unflown)
    return Record(
        record.scenario,
        np.concatenate([one.time[part] for one, part in zip(legs, keep, strict=True)]),
        {path: _rows([one.series[path] for one in legs], keep) for path in common},
        events,
        {path: _rows([one.before[path] for one in legs if path in one.before]) for path in common},
        {path: _rows([one.after[path] for one in legs if path in one.after]) for path in common},
        {path: meta for one in legs for path, meta in one.meta.items()},
        completed=legs[-1].completed and not unflown,
        outcome=legs[-1].outcome,
        phases=[phase for one in legs for phase in one.phases],
        closest=[found for one in legs for found in one.closest],
        recontacts=[found for one in legs for found in one.recontacts],
        courses=_courses(legs),
        peaks=peaks.join(one.peaks for one in legs),
        search=partial(_search, legs),
        unjudged={path: why for one in legs for path, why in one.unjudged.items()},
    )


def _search(legs: Sequence[Record], wanted: list[Sought]) -> Found:
    """Extremes between the samples of legs, one after the other."""
    for one in legs:
        peaks.seek(one, wanted)
    whose = {sought: _times([one.sought for one in legs], sought) for sought in wanted}
    left = {sought: max(one.left.get(sought, -np.inf) for one in legs) for sought in wanted}
    return Found(peaks.join(one.peaks for one in legs), whose, left)


def _times(several: Sequence[Places], sought: Sought) -> np.ndarray:
    """Time of an extreme in several records."""
    return np.concatenate([np.zeros(0), *(one[sought] for one in several if sought in one)])


def gone_on(old: Record, row: int, new: Record) -> Record:
    """Return one record that joins two records: `old` until just after an event, and then `new`.

    row: index of this event in `old`; `new` begins at this event.
    """
    time = old.events[row].time
    kept = slice(0, int(np.searchsorted(old.time, time - SAME_TIME * max(1.0, abs(time)))))
    sides = slice(0, row + 1)
    common = [path for path in new.series if path in old.series]
    phases = [(name, start, min(end, time)) for name, start, end in old.phases if start < time]
    first, *others = new.phases
    if phases and phases[-1][0] == first[0]:
        name, start, _ = phases.pop()
        first = (name, start, first[2])
    changing = {name for name in new.restart if name in ("time", "state") or name.startswith("discrete.")}
    parts = {path: [old.series[path], new.series[path]] for path in common}
    return replace(
        new,
        time=np.concatenate([old.time[kept], new.time]),
        series={path: _rows(values, [kept, slice(None)]) for path, values in parts.items()},
        events=[*old.events[sides], *new.events],
        before={
            path: _rows([old.before[path][sides], new.before[path]])
            for path in new.before
            if path in old.before
        },
        after={
            path: _rows([old.after[path][sides], new.after[path]]) for path in new.after if path in old.after
        },
        phases=[*phases, first, *others],
        restart={
            name: _rows([old.restart[name][sides], values]) if name in changing else values
            for name, values in new.restart.items()
        },
        recontacts=[*(met for met in old.recontacts if met.time <= time), *new.recontacts],
        peaks=peaks.join([_peaks_until(old, time), new.peaks]),
        sought={one: _times([_whose_until(old, time), new.sought], one) for one in new.sought},
        left={one: max(new.left.get(one, -np.inf), old.left.get(one, -np.inf)) for one in new.sought},
        courses=_courses([_course_until(old, time), new]),
        corrections=old.corrections,
        switches=old.switches,
        warnings=[*dict.fromkeys([*old.warnings, *new.warnings])],
        earlier=old.earlier,
    )


def _peaks_until(record: Record, time: float) -> Peaks:
    """The extremes between samples of a record until a time [s]."""
    times, rows = record.peaks
    return times[times < time], {path: values[times < time] for path, values in rows.items()}


def _whose_until(record: Record, time: float) -> Places:
    """The owners of these extremes."""
    return {one: times[times < time] for one, times in record.sought.items()}


def _course_until(record: Record, time: float) -> Record:
    """A record whose quantities with separate times end at a time [s]."""
    found = {
        stem: (own[own < time], {name: rows[own < time] for name, rows in values.items()})
        for stem, (own, values) in record.courses.items()
    }
    return replace(record, courses=found)


def _common_samples(one: Record, other: Record) -> int:
    """1 if the last sample of a leg is at the time of the first sample of the next leg, otherwise 0."""
    if not len(one.time) or not len(other.time):
        return 0
    end, begin = float(one.time[-1]), float(other.time[0])
    return int(abs(end - begin) <= SAME_TIME * max(1.0, abs(end)))


def _rows(values: list[np.ndarray], parts: Sequence[slice] | None = None) -> np.ndarray:
    if parts is not None:
        values = [value[part] for value, part in zip(values, parts, strict=True)]
    return np.concatenate(values) if values else np.zeros(0)


def _courses(legs: Sequence[Record]) -> dict[str, tuple[np.ndarray, dict[str, np.ndarray]]]:
    """Quantities with separate times, one leg after the other."""
    found: dict[str, tuple[np.ndarray, dict[str, np.ndarray]]] = {}
    for one in legs:
        for stem, (times, values) in one.courses.items():
            if stem not in found:
                found[stem] = times, dict(values)
            else:
                old, rows = found[stem]
                common = rows.keys() & values.keys()
                joined = {name: np.concatenate([rows[name], values[name]]) for name in common}
                found[stem] = np.concatenate([old, times]), joined
    return found
