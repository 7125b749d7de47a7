"""The legs of a mission as a tree: their order, who flies in which, and each as a scenario of its own.

All of it goes by names. Numbers are the same objects in every leg, so lanes and tracers pass through; nothing
is validated again. The functions take a mission without faults; `checks.legs` finds those."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from .model.dependents import words_of
from .model.effect import Effect, event_names, signals
from .model.initial import State
from .model.leg import Leg
from .model.sequence import Actions, Event, Phase, Trigger
from .scenario import GROUPS
from .tree.declaration import with_values
from .tree.errors import near
from .tree.names import GROUND

if TYPE_CHECKING:
    from .scenario import Scenario

EFFECTS = tuple(
    group for group in GROUPS if group not in ("bodies", "joints", "phases", "events", "requirements", "legs")
)
"""Groups of what acts on bodies and joints, or is known of them."""
UNREAD = ("file", "phases", "pattern")
"""Fields whose texts name no body, joint or effect."""
END = " end"
"""Behind the name of a leg: the moment at which it is over."""
FLIGHT = ("start", "end")
"""Moments of the whole mission."""
LANDING = "landing_distance"
"""Of two bodies of a mission, `record.across`: over the ground between where they end."""


def leg_named(scenario: Scenario, name: str) -> Leg:
    """The leg of this name."""
    return next(leg for leg in scenario.legs if leg.name == name)


def order(scenario: Scenario) -> tuple[str, ...]:
    """Names of the legs, each behind the one that it is after; as declared otherwise."""
    return tuple(leg.name for leg in _ordered(scenario.legs))


def _ordered(legs: Iterable[Leg]) -> list[Leg]:
    found, left = [], [*legs]
    while left:
        known = {leg.name for leg in found}
        ready = [leg for leg in left if leg.after is None or leg.after.leg in known]
        if not ready:  # they begin in a circle, or after none that is there
            break
        found.append(ready[0])
        left.remove(ready[0])
    return found


def legs_of(scenario: Scenario) -> list[Any]:
    """The legs of a mission in order, each as a scenario; a scenario without legs as it is."""
    if not scenario.legs:
        return [scenario]
    return [projected(scenario, leg, start=not before(scenario, leg)) for leg in order(scenario)]


def before(scenario: Scenario, leg: str) -> tuple[str, ...]:
    """Names of the legs that lead to one, the first of the mission first."""
    after = leg_named(scenario, leg).after
    return () if after is None else (*before(scenario, after.leg), after.leg)


def behind(scenario: Scenario, leg: str) -> tuple[Leg, ...]:
    """The legs that begin after one."""
    return tuple(other for other in scenario.legs if other.after is not None and other.after.leg == leg)


def ends_at(scenario: Scenario, leg: str) -> str:
    """The event of a leg at which the legs after it begin; empty for its end."""
    named = [other.after.event for other in behind(scenario, leg) if other.after is not None]
    return next((name for name in named if name is not None and name != leg + END), "")


def bodies_of(scenario: Scenario, leg: str) -> tuple[str, ...]:
    """Names of the bodies that fly in a leg, in the order of the scenario."""
    own = leg_named(scenario, leg)
    names = {body.name for body in scenario.bodies}
    if own.after is not None:
        names = {*bodies_of(scenario, own.after.leg)}
        if not own.bodies:
            names -= {name for other in behind(scenario, own.after.leg) for name in other.bodies}
    wanted = names & {*own.bodies} if own.bodies else names
    return tuple(body.name for body in scenario.bodies if body.name in wanted)


def ending(scenario: Scenario, leg: str) -> tuple[str, ...]:
    """Names of the bodies of a leg that no leg behind it takes, though there are some."""
    taken = {name for other in behind(scenario, leg) for name in bodies_of(scenario, other.name)}
    return tuple(name for name in bodies_of(scenario, leg) if taken and name not in taken)


def joints_of(scenario: Scenario, leg: str) -> tuple[str, ...]:
    """Names of the joints of a leg, held or not."""
    own, there = leg_named(scenario, leg), {*bodies_of(scenario, leg), GROUND}
    return tuple(
        joint.name
        for joint in scenario.joints
        if {joint.parent, joint.child} <= there
        and (not own.joints or joint.name in own.joints)
        and f"joints.{joint.name}" not in own.without
    )


def members(scenario: Scenario, leg: str) -> Mapping[str, tuple[Any, ...]]:
    """What a leg has, by group: the declarations of the scenario as they stand.

    Out is what names a body, joint or effect that is out; what acts in phases of other legs only, but for
    control laws that something reads; and what `without` says. A name that something else has too, which is
    in, tells nothing."""
    kept = next((found for one, found in list(_members) if one is scenario), None)
    if kept is None:
        kept = {}
        _members.append((scenario, kept))
    if leg not in kept:
        kept[leg] = _members_of(scenario, leg)
    return kept[leg]


_members: deque[tuple[Any, dict[str, Mapping[str, tuple[Any, ...]]]]] = deque(maxlen=4)
"""Members by leg, of the last few scenarios: they are asked for hundreds of times in a flight."""


def _members_of(scenario: Scenario, leg: str) -> Mapping[str, tuple[Any, ...]]:
    own = leg_named(scenario, leg)
    bodies, joints = bodies_of(scenario, leg), joints_of(scenario, leg)
    phases = {phase.name for phase in own.phases}
    kept: dict[str, tuple[Any, ...]] = {
        "bodies": tuple(body for body in scenario.bodies if body.name in bodies),
        "joints": tuple(joint for joint in scenario.joints if joint.name in joints),
    }
    for group in EFFECTS:
        kept[group] = tuple(
            item
            for item in getattr(scenario, group)
            if f"{group}.{item.name}" not in own.without and (group == "controls" or _acts(item, phases))
        )
    words = {id(item): _depends(item) for group in EFFECTS for item in kept[group]}
    everything = [item.name for group in ("bodies", "joints", *EFFECTS) for item in getattr(scenario, group)]
    while True:
        gone = {*everything} - {item.name for items in kept.values() for item in items}
        stays = {g: tuple(item for item in kept[g] if not words[id(item)] & gone) for g in EFFECTS}
        if all(len(stays[group]) == len(kept[group]) for group in EFFECTS):
            return kept | {"controls": _steering(kept, words, phases)}
        kept |= stays


def _steering(kept: Mapping[str, tuple[Any, ...]], words: Mapping[int, set[str]], phases: set[str]) -> Any:
    """The control laws that act in some phases, or that something reads: one that is off has a command,
    too."""
    every = [item for group in EFFECTS for item in kept[group]]
    return tuple(
        law
        for law in kept["controls"]
        if _acts(law, phases) or any(law.name in words[id(item)] for item in every if item is not law)
    )


def _acts(item: Any, phases: set[str]) -> bool:
    """Whether something acts in any of some phases."""
    named = getattr(item, "phases", None)
    return named is None or bool(phases & {*named})


def _depends(item: Any) -> set[str]:
    """Words of an effect, but for those of moments, which may be of other legs."""
    moments = item.moment_fields if isinstance(item, Effect) else ()
    return words_of(item, (*UNREAD, *moments))


def left_out(scenario: Scenario, leg: str) -> list[str]:
    """What of the bodies, joints and effects is not in a leg though all bodies that it names are, or some of
    them: as paths."""
    there, bodies = members(scenario, leg), {*bodies_of(scenario, leg)}
    all_bodies = {body.name for body in scenario.bodies}
    found = []
    for group in ("joints", *EFFECTS):
        for item in getattr(scenario, group):
            named = words_of(item, UNREAD) & all_bodies
            if item not in there[group] and (not named or named & bodies):
                found.append(f"{group}.{item.name}")
    return found


def moments_of(scenario: Scenario, leg: str) -> tuple[str, ...]:
    """Names of the phases, the events and what devices do in a leg, and of its end."""
    own = leg_named(scenario, leg)
    here = members(scenario, leg)
    effects = [one for group in here.values() for one in group if isinstance(one, Effect)]
    done = (*signals(here["devices"]), *event_names(effects))
    return (*(item.name for item in (*own.phases, *own.events)), *done, leg + END)


def leg_of(scenario: Scenario, moment: str) -> str:
    """The leg in which a phase begins, or an event of a name comes; of what devices do the first that has
    them. Empty where there is none."""
    return next((leg for leg in order(scenario) if moment in moments_of(scenario, leg)), "")


def chain(scenario: Scenario, path: str) -> tuple[str, ...]:
    """The legs in which a quantity or a thing is known, in order: "bodies.booster", "pairs.a.b.distance"."""
    group, *rest = path.split(".")
    if group == "pairs" and len(rest) > 1 and not any(pair.name == rest[0] for pair in scenario.pairs):
        return tuple(leg for leg in order(scenario) if {*rest[:2]} <= {*bodies_of(scenario, leg)})
    if not rest or group not in ("bodies", "joints", *EFFECTS):
        return order(scenario)
    known = {leg: members(scenario, leg)[group] for leg in order(scenario)}
    return tuple(leg for leg, items in known.items() if any(item.name == rest[0] for item in items))


def of_one_leg(scenario: Scenario, path: str) -> str:
    """Why a path that names a leg, "legs.coast.system.energy", is asked for in vain, as results alone have
    such; nothing for others."""
    group, _, rest = path.partition(".")
    leg, _, quantity = rest.partition(".")
    if group != "legs":
        return ""
    if leg not in order(scenario):
        return f"there is no leg '{leg}'; {near(leg, order(scenario), 'legs')}"
    text = f"'{path}' names the leg, as results do; ask for '{quantity}' at a moment of the leg"
    return f'{text}, like at = "{leg}{END}", or during one of its phases'


def follow(scenario: Scenario, legs: tuple[str, ...]) -> bool:
    """Whether legs come one after the other, each from the one before."""
    return all(first in before(scenario, then) for first, then in pairwise(legs))


# --- a leg as a scenario ------------------------------------------------------------------------------------


def projected(scenario: Scenario, leg: str, start: bool = False) -> Any:
    """A leg as a scenario without legs, unchecked. start: with the bodies' starts; else they are at rest at
    the origin, as their states come from the leg before."""
    own, there = leg_named(scenario, leg), members(scenario, leg)
    phases = tuple(phase.name for phase in own.phases)
    bodies = there["bodies"]
    if not start:
        bodies = tuple(with_values(body, initial=State()) for body in bodies)
    if own.coordinates in ("point", "held"):
        bodies = tuple(map(_frozen, bodies))
    kept = {
        group: tuple(_until_end(_in_phases(item, phases), leg) for item in there[group]) for group in EFFECTS
    }
    ends = ends_at(scenario, leg)
    return with_values(
        scenario,
        bodies=bodies,
        joints=there["joints"],
        **kept,
        phases=own.phases,
        events=(*own.events, *_earlier(scenario, leg, there)),
        legs=(),
        ends_at=(ends,) if ends else (),
        coordinates="rigid" if own.coordinates == "minimal" else own.coordinates,
        attitude=own.attitude,
        balance=own.trim,
        solver=_solver(scenario, own),
        output=own.output or scenario.output,
        requirements=tuple(
            with_values(wanted, at="end") if wanted.at == leg + END else wanted
            for wanted in scenario.requirements
            if concerns(scenario, leg, wanted)
        ),
        sources=(),
    )


def _frozen(body: Any) -> Any:
    """A body whose liquids do not move in their tanks, as in flight as a point."""
    elements = tuple(
        with_values(element, slosh=None) if getattr(element, "slosh", None) is not None else element
        for element in body.elements
    )
    return with_values(body, elements=elements)


def _in_phases(item: Any, phases: tuple[str, ...]) -> Any:
    """What acts in some phases, with those of them that the leg has."""
    named = getattr(item, "phases", None)
    if named is None or {*named} <= {*phases}:
        return item
    return with_values(item, phases=tuple(name for name in named if name in phases))


def _until_end(item: Any, leg: str) -> Any:
    """What goes on until the end of a leg: in this one to the end of the flight."""
    return with_values(item, until=None) if getattr(item, "until", None) == leg + END else item


def _solver(scenario: Scenario, leg: Leg) -> Any:
    solver = leg.solver or scenario.solver
    if leg.coordinates != "minimal" or "coordinates" not in type(solver.formulation).model_fields:
        return solver
    return with_values(solver, formulation=with_values(solver.formulation, coordinates="minimal"))


def concerns(scenario: Scenario, leg: str, wanted: Any) -> bool:
    """Whether a requirement is about a leg: its quantity is known there, and its moment or phase is in it."""
    if leg not in chain(scenario, wanted.quantity) or wanted.quantity.endswith(f".{LANDING}"):
        return False
    if wanted.at in FLIGHT:
        return not (before(scenario, leg) if wanted.at == "start" else behind(scenario, leg))
    when = wanted.at or wanted.during
    return when is None or when in moments_of(scenario, leg)


# --- moments of other legs ----------------------------------------------------------------------------------


def _earlier(scenario: Scenario, leg: str, there: Mapping[str, tuple[Any, ...]]) -> Iterator[Event]:
    """Moments of other legs as events that do not come in this one: those that something in it, or in legs
    behind it, counts from, and those that act on what it has. Which have come, `hand_over` says.

    Of what comes later the firing of devices is enough: what nothing fires acts from the start."""
    first, past_moments = not before(scenario, leg), _moments_before(scenario, leg)
    mine = {*moments_of(scenario, leg), *(("start",) if first else ())}
    counted = _counted(scenario, leg, there) | (_looked_back_to(scenario, leg) & past_moments)
    does: dict[str, dict[str, tuple[Any, ...]]] = {"start": {}}
    for other in order(scenario):
        past, later = other in before(scenario, leg), leg in before(scenario, other)
        for name in moments_of(scenario, other):
            does.setdefault(name, {})
        for item in _actions(leg_named(scenario, other)) if past or later else ():
            done = _within(item, there)
            does[item.name] = done if past else {"fire": done["fire"]}
    for name, done in does.items():
        if name not in mine and (name in counted or any(done.values())):
            yield _memory(name, done)
    freed = _freed_by_others(scenario, leg, there)
    if freed:
        yield _memory(f"before {leg}", {"release": freed})


def _counted(scenario: Scenario, leg: str, there: Mapping[str, tuple[Any, ...]]) -> set[str]:
    """Names of the moments that something in a leg, or in legs behind it, counts from."""
    found = {name for item in _items(there) for name in _moments_named(item)}
    named = ((event.after, event.before) for event in leg_named(scenario, leg).events)
    found |= {name for pair in named for name in pair if name is not None}
    for other in behind(scenario, leg):
        found |= _counted(scenario, other.name, members(scenario, other.name))
    return found


def _moments_before(scenario: Scenario, leg: str) -> set[str]:
    return {name for other in before(scenario, leg) for name in moments_of(scenario, other)}


def _looked_back_to(scenario: Scenario, leg: str) -> set[str]:
    """Names of the moments that something known after a flight only counts from, of a leg or of legs behind
    it."""
    found = set()
    for item in (one for items in members(scenario, leg).values() for one in items):
        if not isinstance(item, Effect):
            found |= {getattr(item, field) for field in getattr(item, "moment_fields", ())}
    for other in behind(scenario, leg):
        found |= _looked_back_to(scenario, other.name)
    return found


def _items(there: Mapping[str, tuple[Any, ...]]) -> Iterator[Any]:
    for items in there.values():
        yield from items
    for body in there["bodies"]:
        yield from body.elements


def _moments_named(item: Any) -> Iterator[str]:
    for field in item.moment_fields if isinstance(item, Effect) else ():
        named = getattr(item, field, None)
        yield from (named,) if isinstance(named, str) else named or ()


def _actions(leg: Leg) -> Iterator[Phase | Event]:
    yield from leg.phases
    yield from leg.events


def _within(item: Actions, there: Mapping[str, tuple[Any, ...]]) -> dict[str, tuple[Any, ...]]:
    """What a phase or an event does to what a leg has."""
    names = {one.name for items in there.values() for one in items}
    bodies = {body.name for body in there["bodies"]}
    found = {
        field: tuple(name for name in getattr(item, field) if name in names)
        for field in ("release", "attach", "fire", "ignite", "shut_down")
    }
    found["replace"] = tuple(new for new in item.replace if new.joint in names)
    found["drop"] = tuple(path for path in item.drop if path.partition(".")[0] in bodies)
    return found


def _freed_by_others(scenario: Scenario, leg: str, there: Mapping[str, tuple[Any, ...]]) -> tuple[str, ...]:
    """Joints of a leg that devices may have let go which were in legs before it, and are not in it."""
    stay = {device.name for device in there["devices"]}
    gone = {
        device.name: device
        for name in before(scenario, leg)
        for device in members(scenario, name)["devices"]
        if device.name not in stay
    }
    joints = {joint.name for joint in there["joints"]}
    return tuple(dict.fromkeys(j for device in gone.values() for j in device.released if j in joints))


def _memory(name: str, does: Mapping[str, tuple[Any, ...]]) -> Event:
    """An event that does not come by itself."""
    never = with_values(Trigger(time=0.0), time=np.asarray(math.inf))
    return with_values(Event(name="earlier", when=never), name=name, **does)
