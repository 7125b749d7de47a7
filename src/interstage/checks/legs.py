"""Checks of a mission: its legs as a tree, who flies in each, and each leg as a scenario of its own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..missions.leg import MissionLeg
from ..missions.mission import Mission
from ..missions.names import EFFECTS, FLIGHT, end_of
from ..model.effect import Effect
from ..model.leg import Leg
from ..record import across
from ..tree.declaration import with_values
from ..tree.errors import Problem, groups_of, near, unknown
from ..tree.names import GROUND
from ..tree.units import compatible, parse_unit
from .sequence import earliest, over, triggers

if TYPE_CHECKING:
    from ..scenario import Scenario

SINGLE = ("phases", "events", "ends_at", "coordinates", "attitude", "trim")
"""What a flight of one leg has at the top, and a mission in its legs."""
Found = Callable[[Any], list[Problem]]
"""What is wrong with a scenario without legs."""


def mission_problems(scenario: Scenario, of_scenario: Found) -> list[Problem]:
    """Everything wrong with a mission. What is wrong with a leg as a scenario is reported with the leg's
    name, and once where several have it; of what is in several legs only that which all of them find."""
    said = [*tree_problems(scenario)]
    if said:
        return said
    mission = Mission.of(scenario)
    said = [*_declared(mission)]
    lost = _lost(mission, said)
    said += _times(mission, lost)
    said += _moments_elsewhere(mission)
    found = {leg: of_scenario(one.scenario) for leg, one in mission.legs.items() if leg not in lost}
    said += _without_legs(mission, bool(lost))
    told = {problem.place for problem in said}
    everywhere = _everywhere(mission, found)
    for leg, problems in found.items():
        new = [*_placed(mission.leg(leg), problems, everywhere)]
        said += [problem for problem in new if problem.place not in told]
        told |= {problem.place for problem in new}
    return list(dict.fromkeys(said))


def _placed(leg: MissionLeg, problems: list[Problem], everywhere: set[str]) -> Iterator[Problem]:
    """The problems of a leg at their places in the mission."""
    own_settings = ("solver", "output")
    for problem in problems:
        group = problem.place.partition(".")[0]
        if group == "ends_at":  # of `after.event`, at which that is reported
            continue
        own = group in SINGLE
        own = own or (group in own_settings and getattr(leg.declaration, group) is not None)
        if own or problem.place in everywhere:
            of_legs = _elsewhere if own else _of_all_legs
            message = of_legs(leg.mission, problem)
            yield Problem(f"legs.{leg.name}.{problem.place}" if own else problem.place, message)


def _elsewhere(mission: Mission, problem: Problem) -> str:
    """The message of a problem of a leg; of a name that other legs know, with these."""
    found = re.match(r"there is no ([^']+) '([^']+)';", problem.message)
    if not found:
        return problem.message
    what, name = found.groups()
    own = name.partition(".")[0] if what == "mass element" else name
    for group in groups_of(what):
        if any(item.name == own for item in getattr(mission.scenario, group, ())):
            legs = mission.chain(f"{group}.{own}")
            if legs:
                return (
                    f"{what} '{name}' is not in this leg, but in {_and(legs)}; name another, or leave it out"
                )
            text = "is in no leg, as something that it names is in none with it"
            return f"{what} '{name}' {text}; leave it out, or look at what interstage check says of legs"
    return problem.message


def _of_all_legs(mission: Mission, problem: Problem) -> str:
    """The message of a problem of what is in several legs; of a moment that is in none, with those of all."""
    found = re.match(r"there is no phase(?: or|, ).*event '([^']+)'(?=;)", problem.message)
    if not found:
        return problem.message
    every = [name for leg in mission.legs.values() for name in leg.event_names]
    return f"{found[0]}; {near(found[1], every, 'moments of the legs')}"


def _and(legs: Iterable[str]) -> str:
    names = [f"'{leg}'" for leg in legs]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _everywhere(mission: Mission, found: dict[str, list[Problem]]) -> set[str]:
    """Places outside of legs where all legs find problems that have what these are about; starts concern the
    first leg only."""
    counts = Counter(place for problems in found.values() for place in {p.place for p in problems})
    return {
        place
        for place, count in counts.items()
        if ".initial" in place
        or place.startswith("requirements.")
        or count >= len({*mission.chain(place)} & found.keys())
    }


def _lost(mission: Mission, said: Sequence[Problem]) -> set[str]:
    """Legs whose bodies, or whose parents' bodies, are not sure."""
    bad = {p.place.split(".")[1] for p in said if p.place.startswith("legs.") and _of_bodies(p.place)}
    return {name for name, leg in mission.legs.items() if {*leg.predecessors, name} & bad}


def _of_bodies(place: str) -> bool:
    return place.count(".") == 1 or place.split(".")[2] in ("bodies", "phases", "joints")


# --- the tree -----------------------------------------------------------------------------------------------


def tree_problems(scenario: Scenario) -> Iterator[Problem]:
    """Legs that form no tree with one beginning."""
    legs = {leg.name: leg for leg in scenario.legs}
    for name, count in Counter(leg.name for leg in scenario.legs).items():
        if count > 1:
            yield Problem(
                f"legs.{name}", f"the name stands {count} times in legs; give each one a name of its own"
            )
    for leg in scenario.legs:
        if leg.after is not None and leg.after.leg not in legs:
            text = f"there is no leg '{leg.after.leg}'; {near(leg.after.leg, legs, 'legs')}"
            yield Problem(f"legs.{leg.name}.after.leg", text)
    first = [leg.name for leg in scenario.legs if leg.after is None]
    if not first:
        yield Problem("legs", "no leg begins the mission: all have after; leave it out of one")
    for name in first[1:]:
        text = f"begins the mission, and so does '{first[0]}'; a mission begins once: give {name} an after"
        yield Problem(f"legs.{name}", text)
    yield from _circles(legs)


def _circles(legs: dict[str, Leg]) -> Iterator[Problem]:
    told: set[str] = set()
    for name in legs:
        way = [name]
        while (after := legs[way[-1]].after) is not None and after.leg in legs and after.leg not in way:
            way.append(after.leg)
        if after is not None and after.leg == name and not told & {*way}:
            told |= {*way}
            circle = " after ".join([*way, name])
            text = f"legs begin in a circle: {circle}; let one of them begin the mission"
            yield Problem(f"legs.{name}.after", text)


# --- what legs declare --------------------------------------------------------------------------------------


def _declared(mission: Mission) -> Iterator[Problem]:
    scenario = mission.scenario
    yield from _at_the_top(scenario)
    yield from _names(scenario)
    yield from _ambiguous(scenario)
    for leg in (mission.leg(one.name) for one in scenario.legs):
        yield from _has_phases(leg)
        yield from _begins(leg)
        yield from _bodies(leg)
        yield from _joints(leg)
        yield from _parting(leg)
        yield from _torn(leg)
        yield from _left_out(leg)
        yield from _watched(leg)
        yield from _awaited(leg)
        yield from _points(leg)
        yield from _minimal(leg)
    yield from _taken(mission)
    yield from _unflown(scenario)


def _at_the_top(scenario: Scenario) -> Iterator[Problem]:
    fields = {field.alias or name: (name, field) for name, field in type(scenario).model_fields.items()}
    for name in SINGLE:
        key, field = fields[name]
        if getattr(scenario, key) != field.default:
            stand = "stand" if name in ("phases", "events") else "stands"
            kept = "legs have their own" if name == "ends_at" else f"like [legs.{scenario.legs[0].name}"
            like = f"{kept}.{name}]" if name in ("phases", "events") else f"{kept}] {name} = ..."
            text = (
                "belongs to one flight; the legs after one say in after.event where it ends"
                if name == "ends_at"
                else f"{stand} at the top beside legs, which have their own; write it into them, {like}"
            )
            yield Problem(name, text)


def _names(scenario: Scenario) -> Iterator[Problem]:
    """Names of phases and events are for the whole mission; those of legs are no bodies'."""
    stands: dict[str, str] = {}
    for leg in scenario.legs:
        for group in ("phases", "events"):
            for item in getattr(leg, group):
                other = stands.setdefault(item.name, leg.name)
                place = f"legs.{leg.name}.{group}.{item.name}"
                if other != leg.name:
                    text = f"the name stands in leg '{other}' too"
                    yield Problem(place, f"{text}; give each phase and event of a mission a name of its own")
                elif item.name in FLIGHT:
                    yield Problem(place, "'start' and 'end' are the mission's own; choose another name")
    bodies = {body.name for body in scenario.bodies}
    for leg in scenario.legs:
        if leg.name in bodies:
            text = "is the name of a body, too; choose another one, like that of what is done"
            yield Problem(f"legs.{leg.name}", text)


def _ambiguous(scenario: Scenario) -> Iterator[Problem]:
    """What a leg has uses the names of bodies and joints: nothing else may be called like one."""
    single = {"bodies": "body", "joints": "joint"}
    own = {item.name: group for group in single for item in getattr(scenario, group)}
    for group in ("joints", *EFFECTS):
        for item in getattr(scenario, group):
            of = own.get(item.name)
            if of is not None and of != group:
                text = (
                    f"is also the name of a {single[of]}; in a mission names of bodies and joints stand once,"
                    " so that what a leg has is sure. Rename one of them"
                )
                yield Problem(f"{group}.{item.name}", text)


def _has_phases(leg: MissionLeg) -> Iterator[Problem]:
    if not leg.declaration.phases:
        text = 'there is no phase; add one, like phases.coast = { until = { elapsed = "10 s" } }'
        yield Problem(f"legs.{leg.name}.phases", text)


def _begins(leg: MissionLeg) -> Iterator[Problem]:
    """Events after which legs begin: of the leg before, and one for all beside it."""
    if leg.first:
        return
    event, earlier, place = leg.declaration.after.event, leg.parent, f"legs.{leg.name}.after.event"
    parent = leg.mission.leg(earlier)
    here = parent.event_names
    if event is not None and event not in here:
        elsewhere = leg.mission.leg_of(event)
        if elsewhere:
            text = (
                f"'{event}' is an event of leg '{elsewhere}', not of '{earlier}'; name that leg in after.leg"
            )
        else:
            text = f"'{earlier}' has no event '{event}'; {near(event, here, 'its events')}"
        yield Problem(place, text)
        return
    if event is not None and [event] == [*parent.phase_names[:1]]:
        text = f"'{event}' begins leg '{earlier}', which would be over at once; name a later moment of it"
        yield Problem(place, text)
    first = parent.successors[0]
    moments = [one.declaration.after.event or parent.end_event for one in (first, leg)]
    if moments[0] != moments[1]:
        text = (
            f"is '{moments[1]}', and leg '{first.name}' begins at '{moments[0]}' of leg '{earlier}', which is"
            " over then; let all that go on from it begin at one moment"
        )
        yield Problem(place if event is not None else f"legs.{leg.name}.after", text)


def _bodies(leg: MissionLeg) -> Iterator[Problem]:
    place, own = f"legs.{leg.name}.bodies", leg.declaration.bodies
    for name, count in Counter(own).items():
        if count > 1:
            yield Problem(place, f"'{name}' is named twice; name it once")
    known = [body.name for body in leg.mission.scenario.bodies]
    for name in dict.fromkeys(own):
        if name not in known:
            yield Problem(place, f"there is no body '{name}'; {near(name, known, 'bodies')}")
    if leg.first:
        return
    parent = leg.mission.leg(leg.parent)
    there = parent.bodies
    for name in dict.fromkeys(own):
        if name in known and name not in there:
            yield Problem(
                place,
                f"'{name}' does not fly in '{parent.name}', from which this leg begins; bodies there:"
                f" {', '.join(there)}",
            )
    if not own and there and not leg.bodies:
        beside = [f"'{one.name}'" for one in parent.successors if one.declaration.bodies]
        take = "takes" if len(beside) == 1 else "take"
        text = f"has no bodies left: {' and '.join(beside)} {take} all of '{parent.name}'; name its bodies"
        yield Problem(f"legs.{leg.name}", text)


def _taken(mission: Mission) -> Iterator[Problem]:
    """Bodies in two legs at one time."""
    for parent in (mission.leg(one.name) for one in mission.scenario.legs):
        open_ = [leg.name for leg in parent.successors if not leg.declaration.bodies]
        for name in open_[1:]:
            text = f"has no bodies, and neither has '{open_[0]}' beside it; one leg alone takes what no other"
            yield Problem(f"legs.{name}", f"{text} names: name the bodies of this one")
        taken: dict[str, str] = {}
        for leg in (one for one in parent.successors if one.name not in open_[1:]):
            for name in leg.bodies:
                other = taken.setdefault(name, leg.name)
                if other != leg.name:
                    text = f"'{name}' flies in leg '{other}' from the same moment"
                    yield Problem(f"legs.{leg.name}.bodies", f"{text}; a body flies in one leg at a time")


def _unflown(scenario: Scenario) -> Iterator[Problem]:
    """Bodies that no leg has."""
    first = next(leg for leg in scenario.legs if leg.after is None)
    flown = {*first.bodies} or {body.name for body in scenario.bodies}
    for body in scenario.bodies:
        if body.name not in flown:
            text = f"flies in no leg; name it in legs.{first.name}.bodies, with which the mission begins"
            yield Problem(f"bodies.{body.name}", f"{text}, or remove it")


def _joints(leg: MissionLeg) -> Iterator[Problem]:
    place = f"legs.{leg.name}.joints"
    declared = {joint.name: joint for joint in leg.mission.scenario.joints}
    there = {*leg.bodies, "ground"}
    for name, count in Counter(leg.declaration.joints).items():
        if count > 1:
            yield Problem(place, f"'{name}' is named twice; name it once")
        if name not in declared:
            yield Problem(place, f"there is no joint '{name}'; {near(name, declared, 'joints')}")
            continue
        for body in (declared[name].parent, declared[name].child):
            if body not in there:
                yield Problem(
                    place, f"joint '{name}' connects '{body}', which does not fly in this leg; leave it out"
                )


def _parting(leg: MissionLeg) -> Iterator[Problem]:
    """Joints that nothing releases between bodies that fly on apart after a leg."""
    if leg.declaration.coordinates == "point":  # its bodies part as the legs do
        return
    scenario = leg.mission.scenario
    legs = [leg.mission.leg(name).declaration for name in (*leg.predecessors, leg.name)]
    acting = [item for one in legs for item in (*one.phases, *one.events)]
    free = {name for item in acting for name in item.release}
    free |= {name for device in scenario.devices for name in device.released}
    there = {*leg.joints} - free
    for joint in scenario.joints:
        ends = {joint.parent, joint.child} - {GROUND}
        for other in leg.successors if joint.name in there and joint.active else ():
            if 0 < len(ends & {*other.bodies}) < len(ends):
                when = other.declaration.after.event or leg.end_event
                text = f"joint '{joint.name}' holds '{joint.parent}' and '{joint.child}', which fly on apart"
                yield Problem(f"legs.{other.name}", f"{text}; release it before '{when}'")
                break


def _torn(leg: MissionLeg) -> Iterator[Problem]:
    """What has mass of its own between bodies of which only one flies on."""
    for group in EFFECTS:
        for item in getattr(leg.mission.scenario, group):
            if not (isinstance(item, Effect) and item.weighs):
                continue
            ends = {end for end in item.ends if end not in (None, GROUND)}
            fly = sorted(ends & {*leg.bodies})
            if fly and len(fly) < len(ends):
                (gone,) = ends - {*fly}
                text = (
                    f"'{group}.{item.name}' has mass between '{fly[0]}' and '{gone}', which does not fly here"
                )
                yield Problem(f"legs.{leg.name}", f"{text}; let both fly, or end it in a body that flies")


def _left_out(leg: MissionLeg) -> Iterator[Problem]:
    """What is left out must be there without that."""
    own, scenario = leg.declaration, leg.mission.scenario
    if not own.without:
        return
    legs = (with_values(one, without=()) if one is own else one for one in scenario.legs)
    whole = Mission(with_values(scenario, legs=tuple(legs))).leg(leg.name)
    there = [f"{group}.{item.name}" for group in ("joints", *EFFECTS) for item in whole.members[group]]
    for path in own.without:
        if path not in there:
            yield Problem(f"legs.{leg.name}.without", f"'{path}' is not in this leg; {near(path, there)}")


def _points(leg: MissionLeg) -> Iterator[Problem]:
    own = leg.declaration
    if own.attitude is not None and own.coordinates != "point":
        text = f"is for a point, and this leg is {own.coordinates}; leave it out"
        yield Problem(f"legs.{leg.name}.attitude", f'{text}, or say coordinates = "point"')
    for group in EFFECTS if own.coordinates in ("point", "held") else ():
        for item in leg.members[group]:
            if isinstance(item, Effect) and item.yields:
                text = f"flexible bodies ({item.name}) have no room in it"
                more = f'take "rigid", or leave that out: without = ["{group}.{item.name}"]'
                yield Problem(f"legs.{leg.name}.coordinates", f"{text}; {more}")
    if own.coordinates == "held" and not leg.first:
        text = '"held" is for the leg that begins the mission, with bodies at rest on the planet'
        yield Problem(f"legs.{leg.name}.coordinates", f'{text}; take "rigid" or "point"')


def _minimal(leg: MissionLeg) -> Iterator[Problem]:
    place, own = f"legs.{leg.name}.coordinates", leg.declaration
    formulation = (own.solver or leg.mission.scenario.solver).formulation
    if own.coordinates == "minimal" and "coordinates" not in type(formulation).model_fields:
        text = f"minimal coordinates are of the formulation null_space, and this leg's is {formulation.kind}"
        yield Problem(place, f'{text}; give it solver = {{ formulation = "null_space" }}')


# --- quantities and moments ---------------------------------------------------------------------------------


def _watched(leg: MissionLeg) -> Iterator[Problem]:
    """Quantities of bodies that fly in another leg at that time."""
    all_bodies = {body.name for body in leg.mission.scenario.bodies}
    there = {*leg.bodies}
    if not {*(leg.declaration.bodies or ())} <= all_bodies:
        return  # told, and which bodies it means is not sure
    for place, trigger in triggers(leg.declaration):
        for word in (trigger.quantity or "").split("."):
            if word in all_bodies - there:
                where = " or ".join(repr(one) for one in leg.mission.chain(f"bodies.{word}"))
                yield Problem(
                    f"legs.{leg.name}.{place}.quantity",
                    f"'{trigger.quantity}' is of a body that flies in {where or 'no leg'}; a leg watches"
                    f" its own bodies: {', '.join(leg.bodies)}",
                )
                break


def _awaited(leg: MissionLeg) -> Iterator[Problem]:
    """Events that wait for a moment that does not come before them."""
    mission = leg.mission
    past = [*leg.predecessors, leg.name]
    known = {name for one in past for name in mission.leg(one).event_names} - {leg.end_event}
    come = [name for one in past[:-1] for name in _surely(mission.leg(one))]
    for event in leg.declaration.events:
        if event.before in come:
            place = f"legs.{leg.name}.events.{event.name}.before"
            text = f"can never happen: '{event.before}' has come when this leg begins"
            yield Problem(place, f"{text}. Name a later moment")
        if event.after is not None and event.after not in known:
            place, other = f"legs.{leg.name}.events.{event.name}.after", mission.leg_of(event.after)
            if other:
                text = (
                    f"'{event.after}' comes in leg '{other}', which is not before this one; name a moment of"
                )
                yield Problem(place, f"{text} {' or '.join(past)}")
            else:
                yield from unknown(place, event.after, known, "phase or event")


def _surely(leg: MissionLeg) -> Iterator[str]:
    """Phases of a leg, and its end, that have come when those after it begin, whatever happens."""
    phases, end = leg.phase_names, leg.hand_over_event
    last = phases.index(end) + 1 if end in phases else 1 if end else len(phases)
    yield from phases[:last]
    yield leg.end_event


def _moments_elsewhere(mission: Mission) -> Iterator[Problem]:
    """Things that count from a moment that comes in legs in which they are not, nor anything before them."""
    moments = {name: {*leg.event_names} for name, leg in mission.legs.items()}
    for group in EFFECTS:
        for item in getattr(mission.scenario, group):
            legs = mission.chain(f"{group}.{item.name}")
            reach = {*mission.leading_to(legs)}
            for field in getattr(item, "moment_fields", ()):
                named = getattr(item, field, None)
                for name in (named,) if isinstance(named, str) else named or ():
                    there = [leg for leg in moments if name in moments[leg]]
                    if legs and there and not reach & {*there}:
                        text = (
                            f"'{name}' comes in {_and(there)}, and this is in {_and(legs)}, so that it never"
                        )
                        yield Problem(
                            f"{group}.{item.name}.{field}",
                            f"{text} counts from it; name a moment of these, or of legs before them",
                        )


def _times(mission: Mission, lost: set[str]) -> Iterator[Problem]:
    """Times that are over before a leg watches for them."""
    begins: dict[str, float] = {}
    for leg in mission.legs.values():
        start = 0.0
        if not leg.first:
            starts, end = earliest(mission.leg(leg.parent).declaration, begins[leg.parent])
            event = leg.declaration.after.event
            named = event not in (None, end_of(leg.parent))
            start = starts.get(event, begins[leg.parent]) if named else end
        begins[leg.name] = start
        limit = (leg.declaration.solver or mission.scenario.solver).time_limit
        for problem in over(leg.declaration, start, limit) if leg.name not in lost else ():
            yield Problem(f"legs.{leg.name}.{problem.place}", problem.message)


def _without_legs(mission: Mission, unsure: bool) -> Iterator[Problem]:
    """Requirements that no leg can judge. unsure: whether it is not clear who flies where."""
    scenario = mission.scenario
    moments = [name for leg in mission.legs.values() for name in leg.event_names]
    phases = [phase.name for leg in scenario.legs for phase in leg.phases]
    for wanted in scenario.requirements:
        place, when = f"requirements.{wanted.name}", wanted.at or wanted.during
        if wanted.at not in (None, *FLIGHT, *moments):
            text = (
                f"there is no phase or event '{wanted.at}'; {near(wanted.at, moments, 'phases and events')}"
            )
            yield Problem(f"{place}.at", text)
        elif wanted.during not in (None, *phases):
            yield from unknown(f"{place}.during", str(wanted.during), phases, "phase")
        elif why := mission.fault_of_leg_path(wanted.quantity):
            yield Problem(f"{place}.quantity", why)
        elif unsure:
            continue
        elif pair := across.named(scenario, wanted):
            yield from _of_two(scenario, wanted, pair, place)
        elif _beside(mission, wanted):
            text = f"'{wanted.quantity}' is known in concurrent legs; say of which one"
            yield Problem(
                f"{place}.quantity", f'{text} by at or during, like at = "{end_of(mission.order[-1])}"'
            )
        elif not any(leg.concerns(wanted) for leg in mission.legs.values()):
            known = mission.chain(wanted.quantity)
            where = f"in leg {' and '.join(map(repr, known))} only" if known else "in no leg"
            if when is not None and known:
                there = mission.leg_of(when)
                where += f", and '{when}' is in '{there}'" if there else f", and not at the {when}"
            yield Problem(f"{place}.quantity", f"'{wanted.quantity}' is known {where}")


def _of_two(scenario: Scenario, wanted: Any, pair: tuple[str, str, str], place: str) -> Iterator[Problem]:
    """What is wrong with a requirement of two bodies in concurrent legs."""
    unit = across.unit_of(pair[2])
    for side in ("min", "max"):
        limit = getattr(wanted, side)
        given = None if limit is None else limit.unit
        if given is not None and not compatible(parse_unit(given)[1], parse_unit(unit)[1]):
            yield Problem(
                f"{place}.{side}", f"is in {given}, and '{wanted.quantity}' is in {unit}; give it so"
            )
    for text in across.faults(scenario, wanted):
        yield Problem(f"{place}.quantity", text)


def _beside(mission: Mission, wanted: Any) -> bool:
    """Whether a requirement is about concurrent legs, without saying which one."""
    return not mission.consecutive(tuple(n for n, leg in mission.legs.items() if leg.concerns(wanted)))


def summary(scenario: Scenario, counted: Callable[[int, str], str]) -> Iterator[str]:
    """Each leg in a few lines: what begins it, its bodies, and what is left out of it. counted: so many of a
    group in words."""
    for name, leg in Mission.of(scenario).legs.items():
        begins = "begins the mission"
        if not leg.first:
            begins = f"after {leg.declaration.after.event or end_of(leg.parent)}"
        there = leg.members
        counts = [counted(len(there[group]), group) for group in ("joints", *EFFECTS) if there[group]]
        has = ", ".join(["with " + ", ".join(leg.bodies), *counts])
        yield f"  leg {name} ({leg.declaration.coordinates}), {begins}: {has}"
        if leg.left_out:
            yield f"    left out: {', '.join(leg.left_out)}"
        gone = leg.ending_bodies
        if gone:
            ends, them = ("ends", "it") if len(gone) == 1 else ("end", "them")
            yield f"    {' and '.join(gone)} {ends} with it: no leg goes on with {them}"
