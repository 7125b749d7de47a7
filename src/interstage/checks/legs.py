"""Check a mission: the tree of its legs, the bodies of each leg, and each leg as a separate scenario."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..missions.leg import MissionLeg
from ..missions.mission import Mission
from ..missions.names import EFFECTS, FLIGHT, end_of
from ..model.effect import Effect
from ..model.flexible import FlexibleBody
from ..model.leg import Leg
from ..record import across
from ..tree.declaration import with_values
from ..tree.errors import Problem
from ..tree.name_check import groups_of, unknown
from ..tree.names import GROUND
from ..tree.similar_names import near
from ..tree.units import compatible, parse_unit
from .sequence import earliest, over, triggers

if TYPE_CHECKING:
    from ..scenario import Scenario

SINGLE = ("phases", "events", "ends_at", "coordinates", "attitude", "trim")
"""Keys that belong to the top level in a scenario without legs, and to each leg in a mission."""
Found = Callable[[Any], list[Problem]]
"""Function that returns the problems of a scenario without legs."""


def mission_problems(scenario: Scenario, of_scenario: Found) -> list[Problem]:
    """Return all problems of a mission.

    of_scenario: function that returns the problems of a leg. A problem that several legs have is reported
    only once, with the name of the first leg. A problem of an item in several legs is reported only if all
    these legs have it.
    """
    all_found = [*tree_problems(scenario)]
    if all_found:
        return all_found
    mission = Mission.of(scenario)
    all_found = [*_declaration_problems(mission)]
    lost = _lost(mission, all_found)
    all_found += _times(mission, lost)
    all_found += _moments_elsewhere(mission)
    found = {leg: of_scenario(one.scenario) for leg, one in mission.legs.items() if leg not in lost}
    all_found += _without_legs(mission, bool(lost))
    places = {problem.place for problem in all_found}
    everywhere = _everywhere(mission, found)
    for leg, problems in found.items():
        new = [*_problems_in_mission(mission.leg(leg), problems, everywhere)]
        all_found += [problem for problem in new if problem.place not in places]
        places |= {problem.place for problem in new}
    return list(dict.fromkeys(all_found))


def _problems_in_mission(leg: MissionLeg, problems: list[Problem], everywhere: set[str]) -> Iterator[Problem]:
    """The problems of a leg with their paths in the mission."""
    own_settings = ("solver", "output")
    for problem in problems:
        group = problem.place.partition(".")[0]
        if group == "ends_at":  # follows from `after.event`, where it is reported
            continue
        own = group in SINGLE
        own = own or (group in own_settings and getattr(leg.declaration, group) is not None)
        if own or problem.place in everywhere:
            of_legs = _elsewhere if own else _of_all_legs
            message = of_legs(leg.mission, problem)
            yield Problem(f"legs.{leg.name}.{problem.place}" if own else problem.place, message)


def _elsewhere(mission: Mission, problem: Problem) -> str:
    """The message of a problem of a leg; lists the other legs that have an unknown name."""
    found = re.match(r"there is no ([^']+) '([^']+)'[;.]", problem.message)
    if not found:
        return problem.message
    what, name = found.groups()
    own = name.partition(".")[0] if what == "mass item" else name
    for group in groups_of(what):
        if any(item.name == own for item in getattr(mission.scenario, group, ())):
            legs = mission.chain(f"{group}.{own}")
            if legs:
                return (
                    f"{what} '{name}' is not in this leg, but in {_and(legs)}."
                    f" Give another {what}, or remove '{name}'"
                )
            text = "is in no leg, because no leg has all items that the declaration uses"
            return (
                f"{what} '{name}' {text}. Remove '{name}', or list the items of the"
                " legs with interstage check"
            )
    return problem.message


def _of_all_legs(mission: Mission, problem: Problem) -> str:
    """The message of a problem in several legs; for an unknown event, with the events of all legs."""
    found = re.match(r"there is no phase(?: or|, ).*event '([^']+)'(?=[;.])", problem.message)
    if not found:
        return problem.message
    every = [name for leg in mission.legs.values() for name in leg.event_names]
    return f"{found[0]}; {near(found[1], every, 'events of the legs')}"


def _and(legs: Iterable[str]) -> str:
    names = [f"'{leg}'" for leg in legs]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _everywhere(mission: Mission, found: dict[str, list[Problem]]) -> set[str]:
    """Paths outside of legs with a problem in each leg that has the item.

    Initial states concern the first leg only."""
    counts = Counter(place for problems in found.values() for place in {p.place for p in problems})
    return {
        place
        for place, count in counts.items()
        if ".initial" in place
        or place.startswith("requirements.")
        or count >= len({*mission.chain(place)} & found.keys())
    }


def _lost(mission: Mission, found: Sequence[Problem]) -> set[str]:
    """Legs whose bodies, or whose predecessors' bodies, are not known."""
    bad = {p.place.split(".")[1] for p in found if p.place.startswith("legs.") and _of_bodies(p.place)}
    return {name for name, leg in mission.legs.items() if {*leg.predecessors, name} & bad}


def _of_bodies(place: str) -> bool:
    return place.count(".") == 1 or place.split(".")[2] in ("bodies", "phases", "joints")


# --- the tree -----------------------------------------------------------------------------------------------


def tree_problems(scenario: Scenario) -> Iterator[Problem]:
    """Yield a problem for each leg that is not connected to the first leg of the mission."""
    legs = {leg.name: leg for leg in scenario.legs}
    for name, count in Counter(leg.name for leg in scenario.legs).items():
        if count > 1:
            yield Problem(
                f"legs.{name}", f"the name is used {count} times in legs. Give each leg a different name"
            )
    for leg in scenario.legs:
        if leg.after is not None and leg.after.leg not in legs:
            text = f"there is no leg '{leg.after.leg}'; {near(leg.after.leg, legs, 'legs')}"
            yield Problem(f"legs.{leg.name}.after.leg", text)
    first = [leg.name for leg in scenario.legs if leg.after is None]
    if not first:
        yield Problem(
            "legs",
            "no leg begins the mission, because every leg has the key 'after'. Remove 'after' from the "
            "first leg",
        )
    for name in first[1:]:
        text = (
            f"leg '{name}' and leg '{first[0]}' have no key 'after', but only one leg can begin the "
            "mission; set 'after'"
        )
        yield Problem(f"legs.{name}", text)
    yield from _circles(legs)


def _circles(legs: dict[str, Leg]) -> Iterator[Problem]:
    reported: set[str] = set()
    for name in legs:
        way = [name]
        while (after := legs[way[-1]].after) is not None and after.leg in legs and after.leg not in way:
            way.append(after.leg)
        if after is not None and after.leg == name and not reported & {*way}:
            reported |= {*way}
            circle = " after ".join([*way, name])
            text = (
                f"the legs follow each other in a circle: {circle}. Remove the key 'after' from the first "
                "leg of the mission"
            )
            yield Problem(f"legs.{name}.after", text)


# --- what legs declare --------------------------------------------------------------------------------------


def _declaration_problems(mission: Mission) -> Iterator[Problem]:
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
        yield from _trigger_quantities(leg)
        yield from _event_references(leg)
        yield from _points(leg)
        yield from _minimal(leg)
    yield from _bodies_in_two_legs(mission)
    yield from _unflown(scenario)


def _at_the_top(scenario: Scenario) -> Iterator[Problem]:
    fields = {field.alias or name: (name, field) for name, field in type(scenario).model_fields.items()}
    for name in SINGLE:
        key, field = fields[name]
        if getattr(scenario, key) != field.default:
            table = f"[legs.{scenario.legs[0].name}"
            example = f"{table}.{name}]" if name in ("phases", "events") else f"{table}] {name} = ..."
            text = (
                "'ends_at' has no effect in a mission with legs. Set after.event of the next leg instead"
                if name == "ends_at"
                else (
                    f"{name} cannot be set at the top level of a mission. Set {name} in the"
                    f" legs, for example {example}"
                )
            )
            yield Problem(name, text)


def _names(scenario: Scenario) -> Iterator[Problem]:
    """Names of phases and events must be unique in the mission; legs and bodies must have different names."""
    stands: dict[str, str] = {}
    for leg in scenario.legs:
        for group in ("phases", "events"):
            for item in getattr(leg, group):
                other = stands.setdefault(item.name, leg.name)
                place = f"legs.{leg.name}.{group}.{item.name}"
                if other != leg.name:
                    text = f"leg '{other}' uses the same name"
                    yield Problem(
                        place, f"{text}. Give a different name to each phase and event of a mission"
                    )
                elif item.name in FLIGHT:
                    yield Problem(
                        place,
                        "'start' and 'end' are reserved for the start and end of the mission. Choose "
                        "another name",
                    )
    bodies = {body.name for body in scenario.bodies}
    for leg in scenario.legs:
        if leg.name in bodies:
            text = "a body has the same name as the leg. Choose another name for the leg"
            yield Problem(f"legs.{leg.name}", text)


def _ambiguous(scenario: Scenario) -> Iterator[Problem]:
    """Legs refer to bodies and joints by name: other items must have different names."""
    single = {"bodies": "body", "joints": "joint"}
    own = {item.name: group for group in single for item in getattr(scenario, group)}
    for group in ("joints", *EFFECTS):
        for item in getattr(scenario, group):
            of = own.get(item.name)
            if of is not None and of != group:
                text = (
                    f"a {single[of]} has the same name. In a mission, names of bodies and joints must"
                    f" be unique. Rename one of the two items"
                )
                yield Problem(f"{group}.{item.name}", text)


def _has_phases(leg: MissionLeg) -> Iterator[Problem]:
    if not leg.declaration.phases:
        text = (
            'the leg has no phase. Add a phase, for example phases.coast = { until = { elapsed = "10 s" } }'
        )
        yield Problem(f"legs.{leg.name}.phases", text)


def _begins(leg: MissionLeg) -> Iterator[Problem]:
    """Problems of `after.event`: an event of the previous leg, the same one for all concurrent legs."""
    if leg.first:
        return
    event, earlier, place = leg.declaration.after.event, leg.parent, f"legs.{leg.name}.after.event"
    parent = leg.mission.leg(earlier)
    here = parent.event_names
    if event is not None and event not in here:
        elsewhere = leg.mission.leg_of(event)
        if elsewhere:
            text = (
                f"'{event}' is an event of leg '{elsewhere}', not of leg '{earlier}'. Set after.leg to "
                f"'{elsewhere}'"
            )
        else:
            text = f"leg '{earlier}' has no event '{event}'; {near(event, here, 'its events')}"
        yield Problem(place, text)
        return
    if event is not None and [event] == [*parent.phase_names[:1]]:
        text = (
            f"event '{event}' begins leg '{earlier}', so leg '{earlier}' would end at its start. Give a "
            f"later event of leg '{earlier}'"
        )
        yield Problem(place, text)
    first = parent.successors[0]
    moments = [one.declaration.after.event or parent.end_event for one in (first, leg)]
    if moments[0] != moments[1]:
        text = (
            f"this leg begins at '{moments[1]}', but leg '{first.name}' begins at '{moments[0]}' of the "
            f"same leg '{earlier}'. Use the same event for all legs that follow '{earlier}'"
        )
        yield Problem(place if event is not None else f"legs.{leg.name}.after", text)


def _bodies(leg: MissionLeg) -> Iterator[Problem]:
    place, own = f"legs.{leg.name}.bodies", leg.declaration.bodies
    for name, count in Counter(own).items():
        if count > 1:
            yield Problem(place, f"body '{name}' is listed twice. Keep the name once")
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
                f"body '{name}' does not fly in the preceding leg '{parent.name}'. Bodies of '{parent.name}':"
                f" {', '.join(there)}",
            )
    if not own and there and not leg.bodies:
        others = [f"'{one.name}'" for one in parent.successors if one.declaration.bodies]
        take = "takes" if len(others) == 1 else "take"
        text = (
            f"the leg has no body: {' and '.join(others)} {take} all bodies of '{parent.name}'. Set the "
            "key 'bodies' of this leg"
        )
        yield Problem(f"legs.{leg.name}", text)


def _bodies_in_two_legs(mission: Mission) -> Iterator[Problem]:
    """Bodies in two legs at the same time."""
    for parent in (mission.leg(one.name) for one in mission.scenario.legs):
        open_ = [leg.name for leg in parent.successors if not leg.declaration.bodies]
        for name in open_[1:]:
            text = (
                f"legs '{open_[0]}' and '{name}' both have no key 'bodies', but only one concurrent leg "
                "can fly the bodies that no other leg lists."
            )
            yield Problem(f"legs.{name}", f"{text} Set the key 'bodies' of this leg")
        taken: dict[str, str] = {}
        for leg in (one for one in parent.successors if one.name not in open_[1:]):
            for name in leg.bodies:
                other = taken.setdefault(name, leg.name)
                if other != leg.name:
                    text = f"body '{name}' flies in leg '{other}' at the same time"
                    yield Problem(
                        f"legs.{leg.name}.bodies", f"{text}. Remove '{name}' from one of the two legs"
                    )


def _unflown(scenario: Scenario) -> Iterator[Problem]:
    """Bodies without a leg."""
    first = next(leg for leg in scenario.legs if leg.after is None)
    flown = {*first.bodies} or {body.name for body in scenario.bodies}
    for body in scenario.bodies:
        if body.name not in flown:
            text = (
                f"body '{body.name}' flies in no leg. Add '{body.name}' to legs.{first.name}.bodies"
                " of the first leg"
            )
            yield Problem(f"bodies.{body.name}", f"{text}, or remove the body")


def _joints(leg: MissionLeg) -> Iterator[Problem]:
    place = f"legs.{leg.name}.joints"
    declared = {joint.name: joint for joint in leg.mission.scenario.joints}
    there = {*leg.bodies, "ground"}
    for name, count in Counter(leg.declaration.joints).items():
        if count > 1:
            yield Problem(place, f"joint '{name}' is listed twice. Keep the name once")
        if name not in declared:
            yield Problem(place, f"there is no joint '{name}'; {near(name, declared, 'joints')}")
            continue
        for body in (declared[name].parent, declared[name].child):
            if body not in there:
                yield Problem(
                    place,
                    f"joint '{name}' connects '{body}', which does not fly in this leg. Remove"
                    f" '{name}' from joints",
                )


def _parting(leg: MissionLeg) -> Iterator[Problem]:
    """Joints without a release between bodies that fly in different legs afterwards."""
    if leg.declaration.coordinates == "point":  # its bodies separate when the next legs begin
        return
    scenario = leg.mission.scenario
    legs = [leg.mission.leg(name).declaration for name in (*leg.predecessors, leg.name)]
    acting = [item for one in legs for item in (*one.phases, *one.events)]
    free = {name for item in acting for name in item.release}
    free |= {name for device in scenario.devices for name in device.released_joints}
    there = {*leg.joints} - free
    for joint in scenario.joints:
        ends = {joint.parent, joint.child} - {GROUND}
        for other in leg.successors if joint.name in there and joint.active else ():
            if 0 < len(ends & {*other.bodies}) < len(ends):
                when = other.declaration.after.event or leg.end_event
                text = f"joint '{joint.name}' connects '{joint.parent}' to '{joint.child}'"
                fix = (
                    f"but only one of these two bodies flies in this leg. Release joint '{joint.name}' "
                    f"before '{when}'"
                )
                yield Problem(f"legs.{other.name}", f"{text}, {fix}")
                break


def _torn(leg: MissionLeg) -> Iterator[Problem]:
    """Effects with mass between two bodies of which only one flies in the leg."""
    for group in EFFECTS:
        for item in getattr(leg.mission.scenario, group):
            if not (isinstance(item, Effect) and item.weighs):
                continue
            ends = {end for end in item.ends if end not in (None, GROUND)}
            fly = sorted(ends & {*leg.bodies})
            if fly and len(fly) < len(ends):
                (gone,) = ends - {*fly}
                text = (
                    f"'{group}.{item.name}' has mass and connects '{fly[0]}' to '{gone}',"
                    " which does not fly in this leg"
                )
                yield Problem(
                    f"legs.{leg.name}",
                    f"{text}. Add '{gone}' to the bodies of the leg, or connect '{item.name}' to a "
                    "body of this leg",
                )


def _left_out(leg: MissionLeg) -> Iterator[Problem]:
    """Items of `without` must exist in the leg."""
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
        text = (
            'attitude has an effect only with coordinates = "point", but this leg has coordinates = '
            f'"{own.coordinates}". Remove attitude'
        )
        yield Problem(f"legs.{leg.name}.attitude", f'{text}, or set coordinates = "point"')
    for group in EFFECTS if own.coordinates in ("point", "held") else ():
        for item in leg.members[group]:
            if isinstance(item, FlexibleBody):
                text = f'"{own.coordinates}" does not support flexible bodies ({item.name})'
                more = f'Use "rigid", or omit the modes by without = ["{group}.{item.name}"]'
                yield Problem(f"legs.{leg.name}.coordinates", f"{text}. {more}")
    if own.coordinates == "held" and not leg.first:
        text = '"held" is allowed for the first leg only, which begins at rest on the planet'
        yield Problem(f"legs.{leg.name}.coordinates", f'{text}. Use "rigid" or "point"')


def _minimal(leg: MissionLeg) -> Iterator[Problem]:
    place, own = f"legs.{leg.name}.coordinates", leg.declaration
    formulation = (own.solver or leg.mission.scenario.solver).formulation
    if own.coordinates == "minimal" and "coordinates" not in type(formulation).model_fields:
        text = (
            "minimal coordinates need the formulation null_space, but this leg has the formulation "
            f"{formulation.kind}"
        )
        yield Problem(place, f'{text}. Set solver = {{ formulation = "null_space" }}')


# --- quantities and events ----------------------------------------------------------------------------------


def _trigger_quantities(leg: MissionLeg) -> Iterator[Problem]:
    """Trigger quantities of bodies that do not fly in the leg."""
    all_bodies = {body.name for body in leg.mission.scenario.bodies}
    there = {*leg.bodies}
    if not {*(leg.declaration.bodies or ())} <= all_bodies:
        return  # reported elsewhere; the bodies are not known
    for place, trigger in triggers(leg.declaration):
        for word in (trigger.quantity or "").split("."):
            if word in all_bodies - there:
                where = " or ".join(repr(one) for one in leg.mission.chain(f"bodies.{word}"))
                yield Problem(
                    f"legs.{leg.name}.{place}.quantity",
                    f"'{trigger.quantity}' belongs to a body that flies in {where or 'no leg'}. Use a body"
                    f" of this leg: {', '.join(leg.bodies)}",
                )
                break


def _event_references(leg: MissionLeg) -> Iterator[Problem]:
    """Events that wait for an event that does not occur before them."""
    mission = leg.mission
    past = [*leg.predecessors, leg.name]
    known = {name for one in past for name in mission.leg(one).event_names} - {leg.end_event}
    come = [name for one in past[:-1] for name in _surely(mission.leg(one))]
    for event in leg.declaration.events:
        if event.before in come:
            place = f"legs.{leg.name}.events.{event.name}.before"
            text = f"the event cannot occur: '{event.before}' has already occurred when this leg begins"
            yield Problem(place, f"{text}. Give a later event")
        if event.after is not None and event.after not in known:
            place, other = f"legs.{leg.name}.events.{event.name}.after", mission.leg_of(event.after)
            if other:
                text = (
                    f"'{event.after}' occurs in leg '{other}', which does not precede"
                    " this leg. Give an event of"
                )
                yield Problem(place, f"{text} {' or '.join(past)}")
            else:
                yield from unknown(place, event.after, known, "phase or event")


def _surely(leg: MissionLeg) -> Iterator[str]:
    """Phases of a leg, and its end, that have certainly occurred when the next legs begin."""
    phases, end = leg.phase_names, leg.hand_over_event
    last = phases.index(end) + 1 if end in phases else 1 if end else len(phases)
    yield from phases[:last]
    yield leg.end_event


def _moments_elsewhere(mission: Mission) -> Iterator[Problem]:
    """Items that refer to an event of legs that neither contain nor precede them."""
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
                            f"'{item.name}' is in {_and(legs)} and cannot wait for"
                            f" '{name}', which occurs in {_and(there)}"
                        )
                        yield Problem(
                            f"{group}.{item.name}.{field}",
                            f"{text}. Give an event of {_and(legs)} or of a preceding leg",
                        )


def _times(mission: Mission, lost: set[str]) -> Iterator[Problem]:
    """Times of triggers that are over before their leg begins."""
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
    """Requirements that no leg can evaluate. unsure: whether the bodies of some legs are unknown."""
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
        elif pair := across.named_pair(scenario, wanted):
            yield from _of_two(scenario, wanted, pair, place)
        elif _is_concurrent(mission, wanted):
            text = f"'{wanted.quantity}' is defined in several concurrent legs. Select one leg"
            yield Problem(
                f"{place}.quantity",
                f"{text} by the key 'at' or 'during', for example at = \"{end_of(mission.order[-1])}\"",
            )
        elif not any(leg.concerns(wanted) for leg in mission.legs.values()):
            known = mission.chain(wanted.quantity)
            where = (
                f"defined in leg {' and '.join(map(repr, known))} only" if known else "not defined in any leg"
            )
            if when is not None and known:
                there = mission.leg_of(when)
                where += f", but '{when}' is in leg '{there}'" if there else f", but not at the {when}"
            fix = "Use a time of a leg that has the quantity" if known else "Use a quantity of a leg"
            yield Problem(f"{place}.quantity", f"'{wanted.quantity}' is {where}. {fix}")


def _of_two(scenario: Scenario, wanted: Any, pair: tuple[str, str, str], place: str) -> Iterator[Problem]:
    """Problems of a requirement on two bodies in concurrent legs."""
    unit = across.unit_of(pair[2])
    for side in ("min", "max"):
        limit = getattr(wanted, side)
        given = None if limit is None else limit.unit
        if given is not None and not compatible(parse_unit(given)[1], parse_unit(unit)[1]):
            yield Problem(
                f"{place}.{side}",
                f"the limit is in {given}, but '{wanted.quantity}' is in {unit}. Give the limit in {unit}",
            )
    for text in across.faults(scenario, wanted):
        yield Problem(f"{place}.quantity", text)


def _is_concurrent(mission: Mission, wanted: Any) -> bool:
    """Whether a requirement applies to concurrent legs without a selection of one."""
    return not mission.consecutive(tuple(n for n, leg in mission.legs.items() if leg.concerns(wanted)))


def summary(scenario: Scenario, counted: Callable[[int, str], str]) -> Iterator[str]:
    """Yield lines that describe each leg: its first event, bodies, omitted items, and bodies whose flight
    ends.

    counted: function of a count and the name of a group that returns both as text.
    """
    for name, leg in Mission.of(scenario).legs.items():
        begins = "begins the mission"
        if not leg.first:
            begins = f"after {leg.declaration.after.event or end_of(leg.parent)}"
        there = leg.members
        counts = [counted(len(there[group]), group) for group in ("joints", *EFFECTS) if there[group]]
        has = ", ".join(["with " + ", ".join(leg.bodies), *counts])
        yield f"  leg {name} ({leg.declaration.coordinates}), {begins}: {has}"
        if leg.left_out:
            yield f"    omitted: {', '.join(leg.left_out)}"
        gone = leg.ending_bodies
        if gone:
            ends, them = ("ends", "it") if len(gone) == 1 else ("end", "them")
            yield f"    {' and '.join(gone)} {ends} with this leg: no later leg has {them}"
