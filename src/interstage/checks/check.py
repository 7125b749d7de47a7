"""Check a complete scenario: names must exist, initial states must be possible, and events must be able to
occur.

Each function yields the problems of one topic, and `problems` calls all of them. Declarations validate their
own fields.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..environment.world import is_flat
from ..missions.names import FLIGHT
from ..model.effect import effects, event_names, signals
from ..model.ground import impact_names
from ..model.initial import FromFlight, ThroughJoint
from ..model.joint_rows import JointRows, rows_of
from ..model.placement_order import placement_order, starts_needed
from ..model.sequence import Actions, kinds_of
from ..model.user_class import Unconfirmed, unconfirmed_classes
from ..model.user_module import fault_of_module
from ..model.values import not_comparable
from ..record.sources import source_problems
from ..scenario import GROUPS
from ..tree import packages
from ..tree.addresses import patterns_of
from ..tree.declaration import texts_of, with_values
from ..tree.errors import BrokenName, Problem
from ..tree.name_check import unknown
from ..tree.names import GROUND, PATTERN, Names
from ..tree.unit_names import comparable
from .devices import chain_problems, effect_problems, ends
from .formulation import formulation_problems
from .legs import mission_problems, tree_problems
from .pairs import pair_problems
from .point import point_problems
from .refused import NAMING, Left, lost_groups, refusals, without
from .sequence import sequence_problems, triggers
from .start import example_start, ground_problems, start_problems
from .unread import WITHOUT_INERTIA, is_solid

if TYPE_CHECKING:
    from ..engine.here import Here
    from ..scenario import Scenario

ORDERED = {"phases", "events", "devices"}
"""Groups whose names define the order of events."""
UNNAMED = {"output", "title", "units"}
UNUSED = UNNAMED | {"requirements"}
"""Groups and tables on which no other check depends."""


def names_of(scenario: Scenario, faulty: Mapping[str, list[str]] | None = None) -> Names:
    """Return the names of all declarations in a scenario, including faulty declarations that the scenario
    omits.

    faulty: names of rejected declarations by group.
    """
    left_out = faulty or {}
    groups = ("bodies", "joints", "devices", "phases", "events")
    names = {g: (*(d.name for d in getattr(scenario, g)), *left_out.get(g, ())) for g in groups}
    # The events of a faulty device are unknown: accept each of its events that another item waits for.
    begun = tuple(f"{name}{mark}" for name in left_out.get("devices", ()) if name for mark in " :")
    # Other sources of events on a body are unknown too, for example "stage.tank empty" and "stage impact".
    begun += tuple(f"{body}{mark}" for body in names["bodies"] for mark in ". ") if left_out else ()
    done = {text for text in texts_of(scenario, NAMING) if text.startswith(begun)} if begun else ()
    impacts = impact_names(scenario, (body.name for body in scenario.bodies), scenario.coordinates)
    return Names(
        **{group: tuple(dict.fromkeys(names[group])) for group in groups},
        signals=(*signals(scenario.devices), *event_names(effects(scenario)), *impacts, *done),
        partial=faulty is not None,
        faulty=tuple(n for group in left_out.values() for n in group),
    )


def problems(scenario: Scenario, faulty: Mapping[str, list[str]] | None = None) -> list[Problem]:
    """Return all problems of a scenario whose single declarations are valid.

    faulty: names of rejected declarations by group. In the scenario, such declarations are absent or replaced
    by substitutes.

    Each leg of a mission is checked as a separate scenario. First, names are checked in all declarations.
    Rejected declarations, declarations with unknown names, and all declarations that depend on them are then
    removed. The other checks use only the remaining scenario.
    """
    if scenario.legs or "legs" in (faulty or ()):
        return _of_a_mission(scenario, faulty)
    said = [*_declaration_problems(scenario, names_of(scenario, faulty), faulty)]
    left_out = refusals(faulty, said)
    if not left_out and faulty is None:
        found = [*said, *_quantity_problems_of_all(scenario, names_of(scenario), None)]
        # The search for loops evaluates the laws.
        if not found and not unconfirmed_classes(scenario):
            as_declared = partial(_as_declared, scenario)
            found = [*_of_parts(scenario, "loops", scenario, as_declared)]
        return list(dict.fromkeys(found))
    lost = lost_groups(left_out)
    apart = _independent_problems(scenario, faulty or {}, left_out)
    found = [p for p in said if isinstance(p, BrokenName) and not lost.intersection(p.among)]
    if not lost:
        rest, left_out = without(scenario, left_out)
        names = names_of(rest, left_out)
        found += [
            *_declaration_problems(rest, names, left_out),
            *_quantity_problems_of_all(rest, names, left_out),
        ]
        found += pair_quantity_problems(scenario, rest, names)
    return list(dict.fromkeys([*found, *apart]))


def value_problems(scenario: Scenario) -> list[Problem]:
    """Return the problems of a scenario that differs from a valid scenario in numbers only.

    Checks of sources, quantities and algebraic loops are omitted: they depend on the structure only, and take
    most of the time of `problems`."""
    if scenario.legs:
        return mission_problems(scenario, value_problems)
    return list(dict.fromkeys(_problems_without_sources(scenario, names_of(scenario), None)))


def _independent_problems(scenario: Scenario, faulty: Left, left_out: Left) -> Iterator[Problem]:
    """Problems that do not depend on rejected declarations, where substitutes replace faulty values."""
    gone = left_out.keys()
    if gone <= UNUSED:
        names = [f"{group}.{name}." for group in gone for name in left_out[group]]
        whole = _declaration_problems(scenario, names_of(scenario), left_out)
        yield from (p for p in whole if not f"{p.place}.".startswith((*names, *(f"{g}." for g in UNNAMED))))
        return
    if not ORDERED & gone and not (ORDERED | {"joints", "solver"}) & faulty.keys():
        yield from chain_problems(scenario)
        yield from sequence_problems(scenario, False)
    if not {"bodies", "joints"} & gone:
        yield from _placement(scenario)


def _of_a_mission(scenario: Scenario, faulty: Mapping[str, list[str]] | None) -> list[Problem]:
    """Problems of a mission. If declarations are rejected, the bodies of the legs are not checked and events
    count as unknown."""
    if faulty is None:
        return mission_problems(scenario, problems) or [*source_problems(scenario, {})]
    found = [*tree_problems(scenario)] if "legs" not in faulty else []
    rest = {group: names for group, names in faulty.items() if group != "legs"}
    flight = with_values(scenario, legs=(), phases=(), events=())
    return [*found, *problems(flight, rest | {"phases": [""], "events": [""]})]


def _declaration_problems(scenario: Scenario, names: Names, faulty: Left | None) -> Iterator[Problem]:
    """Problems of the declarations except for their quantities."""
    yield from _problems_without_sources(scenario, names, faulty)
    yield from source_problems(scenario, faulty or {})


def _problems_without_sources(scenario: Scenario, names: Names, faulty: Left | None) -> Iterator[Problem]:
    yield from _unique(scenario)
    yield from _enough(names, faulty or {})
    yield from _joints(scenario, names)
    yield from _without_inertia(scenario)
    if "planet" not in (faulty or ()):
        yield from _sites(scenario)
    yield from _user_modules(scenario)
    yield from effect_problems(scenario, names)
    yield from pair_problems(scenario, names, faulty)
    yield from _of_parts(scenario, "problems", scenario, names, faulty)
    if not names.partial:
        yield from chain_problems(scenario)
    yield from _starts(scenario, names)
    yield from start_problems(scenario, faulty or ())
    yield from ground_problems(scenario)
    yield from _actions(scenario, names)
    yield from _ends(scenario, names)
    if not names.partial:
        yield from point_problems(scenario)
    yield from formulation_problems(scenario)
    yield from sequence_problems(scenario, names.partial)
    yield from _requirements(scenario, names)


def _user_modules(scenario: Scenario) -> Iterator[Problem]:
    """Classes of the user's own in modules that may not hold any, such as `os`. Nothing is imported. The
    classes of a scenario from another person are judged when they are confirmed."""
    for group in GROUPS:
        for one in getattr(scenario, group):
            path = getattr(one, "class_path", None)
            if path is None or isinstance(path, Unconfirmed):
                continue
            if fault := fault_of_module(path.partition(":")[0]):
                yield Problem(f"{group}.{one.name}.class", f"{path} {fault}")


def _quantity_problems_of_all(scenario: Scenario, names: Names, faulty: Left | None) -> Iterator[Problem]:
    """Problems of the quantities that a scenario uses; the other declarations must be valid."""
    if not {"planet", "atmosphere", "wind", "gravity"}.intersection(faulty or ()):
        yield from quantity_problems(scenario, names)
        yield from _of_parts(scenario, "quantity_problems", scenario, faulty)


def _as_declared(scenario: Scenario) -> Here:
    """The initial state of a valid scenario, without correction to consistency."""
    from ..starts.start import instant_as_declared

    return instant_as_declared(scenario)


def _of_parts(scenario: Scenario, name: str, *arguments: Any) -> Iterator[Problem]:
    """Problems from the check functions of all models that a scenario uses.

    name: `problems` (declarations), `quantity_problems` or `loops` (if there are no other problems).
    An exception in a check of another package is a problem too."""
    for checks in packages.of_ours("checks"):
        if hasattr(checks, name):
            yield from getattr(checks, name)(*arguments)
    for checks, package in packages.of_others("checks", scenario):
        if hasattr(checks, name):
            try:
                found = [*getattr(checks, name)(*arguments)]
                if odd := [one for one in found if not isinstance(one, Problem)]:
                    raise TypeError(
                        f"{name} must yield instances of interstage.tree.errors.Problem, got {odd[0]!r}"
                    )
            except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
                found = [packages.fault(error, package, scenario)]
            yield from found


def _unit_afterwards(scenario: Scenario, quantity: str, group: str) -> str | None:
    """The unit of a quantity that exists only after a flight, from the functions `afterwards` of the models.
    Raises KeyError with the fault."""
    for checks in packages.modules("checks", scenario):
        if hasattr(checks, "afterwards"):
            unit = checks.afterwards(scenario, quantity, group)
            if unit is not None:
                return unit
    return None


def _unique(scenario: Scenario) -> Iterator[BrokenName]:
    for group in GROUPS:
        counts = Counter(d.name for d in getattr(scenario, group))
        for name, count in counts.items():
            if count > 1:
                yield BrokenName(
                    f"{group}.{name}",
                    f"the name is used {count} times in {group}. Give each item a different name",
                )
    for name in {p.name for p in scenario.phases} & {e.name for e in scenario.events}:
        yield BrokenName(
            f"events.{name}",
            "a phase has the same name, and the start of each phase is also an event. Choose another "
            "name for this event",
        )
    for group in ("phases", "events"):
        for item in getattr(scenario, group):
            if item.name in FLIGHT and not getattr(item, "elsewhere", False):
                yield BrokenName(
                    f"{group}.{item.name}",
                    "'start' and 'end' are reserved for the start and end of the flight. Choose another name",
                )
    for body in scenario.bodies:
        if body.name == GROUND:
            yield BrokenName(
                "bodies.ground",
                "'ground' is reserved for the inertial frame. Choose another name for the body",
            )


def _enough(names: Names, faulty: Left) -> Iterator[BrokenName]:
    if not names.bodies and "bodies" not in faulty:
        yield BrokenName(
            "bodies", "the scenario has no body. Add a body, for example [bodies.stage] with mass and inertia"
        )
    if not names.phases and "phases" not in faulty:
        yield BrokenName(
            "phases",
            'the flight has no phase. Add a phase, for example [phases.coast] with until = { time = "10 s" }',
        )


def _joints(scenario: Scenario, names: Names) -> Iterator[Problem]:
    for joint in scenario.joints:
        yield from ends(f"joints.{joint.name}", joint, names, ground=True)


def _sites(scenario: Scenario) -> Iterator[Problem]:
    """Sites whose coordinates do not fit the planet of the scenario."""
    for site in scenario.sites:
        place = f"sites.{site.name}"
        if scenario.planet is None:
            text = 'the site needs a planet. Add planet = { kind = "earth" } or { kind = "flat" }'
            yield Problem(place, text)
        elif is_flat(scenario.planet) and not site.flat:
            yield Problem(
                place,
                "latitude and longitude are set, but the ground is flat. Set north and east instead of "
                "latitude and longitude",
            )
        elif site.flat and not is_flat(scenario.planet):
            yield Problem(
                place,
                "north and east are set, but the planet is round. Set latitude and longitude instead of "
                "north and east",
            )


def _without_inertia(scenario: Scenario) -> Iterator[Problem]:
    """Joints that apply a torque to a thin rod about its own axis, where its moment of inertia is zero."""
    for body in scenario.bodies:
        if not all(isinstance(v, np.ndarray) for v in (body.mass, body.mass_centre, body.inertia)):
            continue
        if is_solid(body.inertia) or body.inertia_about is not None or body.elements:
            continue
        tensor = np.asarray(body.inertia)
        if tensor.ndim > 2:
            continue
        moments, axes = np.linalg.eigh(tensor)
        empty = axes[:, moments <= WITHOUT_INERTIA * moments.sum()]
        for joint in scenario.joints if empty.size else ():
            for end in ("parent", "child"):
                if getattr(joint, end) != body.name:
                    continue
                arm = np.asarray(getattr(joint, f"{end}_at")) - np.asarray(body.mass_centre)
                aside = np.abs(np.cross(arm, empty.T)).max() > 1e-9 * (1 + np.abs(arm).max())
                if aside or any(_turns(rows_of(kind)) for kind in kinds_of(scenario, joint)):
                    yield Problem(
                        f"joints.{joint.name}",
                        f"the joint rotates body '{body.name}' about an axis with zero moment of inertia. "
                        f"Set a small moment of inertia about this axis in bodies.{body.name}.inertia, or "
                        "use a spherical joint or a rod whose joint point is on this axis",
                    )


def _turns(rows: JointRows) -> bool:
    """Whether joint rows apply a torque about the joint point."""
    return bool(rows.rotations or rows.spins or rows.rolls)


def _starts(scenario: Scenario, names: Names) -> Iterator[Problem]:
    for body in scenario.bodies:
        place, initial = f"bodies.{body.name}.initial", body.initial
        if isinstance(initial, ThroughJoint):
            yield from unknown(f"{place}.through", initial.through, names.joints, "joint")
            joint = next((j for j in scenario.joints if j.name == initial.through), None)
            if joint is not None and body.name not in (joint.parent, joint.child):
                yield Problem(
                    f"{place}.through",
                    f"joint '{joint.name}' connects '{joint.parent}' and '{joint.child}', not this body."
                    " Give the name of a joint of this body",
                )
        if isinstance(initial, FromFlight) and not os.path.isfile(initial.flight):
            yield Problem(
                f"{place}.flight",
                f"there is no file '{initial.flight}'. Give the path relative to the folder of the"
                " scenario file",
            )
    if not names.partial:
        yield from _placement(scenario)


def _placement(scenario: Scenario) -> Iterator[Problem]:
    _, lost = placement_order(scenario.bodies, scenario.joints)
    through = {b.name: b.initial.through for b in scenario.bodies if isinstance(b.initial, ThroughJoint)}
    joints = {j.name: j for j in scenario.joints}
    needed = starts_needed(scenario.bodies, scenario.joints, lost)
    for body in lost:
        if body in needed:
            yield Problem(
                f"bodies.{body}.initial",
                "the body has no initial state: no active joint connects it to a body with a known pose "
                "(rods, rolling disks and velocity joints do not define a pose). Set 'initial', for example "
                f"initial = {example_start(scenario.planet)}",
            )
        elif (
            body in through
            and through[body] in joints
            and body in (joints[through[body]].parent, joints[through[body]].child)
        ):
            yield Problem(
                f"bodies.{body}.initial.through",
                f"each of the initial poses of {', '.join(lost)} depends on another of these poses. Set "
                "initial.position of one of these bodies",
            )


def _actions(scenario: Scenario, names: Names) -> Iterator[Problem]:
    fireable = {device.name for device in scenario.devices if device.fireable}
    present = {d.name for d in scenario.devices}
    patterns = patterns_of(scenario.devices)
    for group in ("phases", "events"):
        for item in getattr(scenario, group):
            place = f"{group}.{item.name}"
            yield from _action_names(place, item, names, patterns)
            yield from _driven(place, item, scenario)
            for device in item.fire:
                if device in present - fireable:
                    yield Problem(
                        f"{place}.fire",
                        f"device '{device}' acts without a command and cannot be fired. Remove '{device}' "
                        "from the key 'fire'",
                    )
    for event in scenario.events:
        for word in ("after", "before"):
            moment = getattr(event, word)
            if moment is not None:
                yield from unknown(f"events.{event.name}.{word}", moment, names.moments, "phase or event")


def _action_names(place: str, item: Actions, names: Names, patterns: list[str]) -> Iterator[Problem]:
    joints = [("release", j) for j in item.release] + [("attach", j) for j in item.attach]
    joints += [(f"replace.{r.joint}", r.joint) for r in item.replace]
    for action, joint in joints:
        yield from unknown(f"{place}.{action}", joint, names.joints, "joint")
    for device in item.fire:
        yield from unknown(f"{place}.fire", device, names.devices, "device", also=patterns)


def _driven(place: str, item: Actions, scenario: Scenario) -> Iterator[Problem]:
    """Replacements of or by driven joints: a prescribed motion belongs to the declared joint."""
    driven = {joint.name for joint in scenario.joints if (joint.driven or joint.rates) is not None}
    remedy = "Declare a second joint with active = false, release this joint and attach the second joint"
    for new in item.replace:
        for field in ("driven", "rates"):
            if getattr(new, field) is not None:
                where = f"{place}.replace.{new.joint}.{field}"
                yield Problem(
                    where,
                    "the new kind of the joint has a prescribed motion, which a replacement does not "
                    f"support. {remedy}",
                )
        if new.joint in driven:
            yield Problem(
                f"{place}.replace.{new.joint}",
                f"a joint with a prescribed motion cannot be replaced by another kind. {remedy}",
            )


def _ends(scenario: Scenario, names: Names) -> Iterator[Problem]:
    for moment in scenario.ends_at:
        yield from unknown("ends_at", moment, names.moments, "phase or event")


def _requirements(scenario: Scenario, names: Names) -> Iterator[Problem]:
    for requirement in scenario.requirements:
        place = f"requirements.{requirement.name}"
        if requirement.at is not None:
            yield from unknown(f"{place}.at", requirement.at, (*names.moments, *FLIGHT), "phase or event")
        if requirement.during is not None:
            yield from unknown(f"{place}.during", requirement.during, names.phases, "phase")


# --- quantities ---------------------------------------------------------------------------------------------


def quantity_problems(scenario: Scenario, names: Names) -> Iterator[Problem]:
    """Yield a problem for each quantity that does not exist, and for each value with an incompatible unit.

    Quantities of faulty declarations are not checked.
    """
    faulty = {*names.faulty}
    wanted = [item for item in _quantities(scenario) if not faulty.intersection(item[1].split("."))]
    if not wanted:
        return  # avoid the import of the engine
    from ..quantities.catalogue import unit_of

    @cache
    def unit_or_fault(quantity: str, group: str) -> str | KeyError:
        try:
            unit = _unit_afterwards(scenario, quantity, group)
            return unit_of(scenario, quantity) if unit is None else unit
        except KeyError as error:
            return error

    for place, quantity, key, value in wanted:
        unit = unit_or_fault(quantity, place.partition(".")[0])
        if isinstance(unit, KeyError):
            yield Problem(f"{place}.quantity", str(unit.args[0]))
        elif value is not None and value.unit and not comparable(value.unit, unit):
            yield Problem(f"{place}.{key}", not_comparable(value, quantity, unit))


def pair_quantity_problems(scenario: Scenario, rest: Scenario, names: Names) -> Iterator[Problem]:
    """Yield a problem for each unknown quantity of a pair that `rest` does not use.

    rest: scenario without rejected declarations. The quantities of a pair depend only on the names of its
    bodies, so they can also be checked in rejected declarations.
    """
    judged = {(place, quantity) for place, quantity, _, _ in _quantities(rest)}
    declared = {pair.name for pair in scenario.pairs} | {*names.faulty} - {*names.bodies}
    wanted = [
        (place, quantity)
        for place, quantity, _, _ in _quantities(scenario)
        if quantity.startswith("pairs.")
        and (place, quantity) not in judged
        and len(quantity.split(".")) > 3
        and quantity.split(".")[1] not in declared
    ]
    if not wanted:
        return
    from ..model.body import Body
    from ..quantities.catalogue import unit_of
    from ..scenario import Scenario as Whole

    known = [name for name in names.bodies if re.fullmatch(PATTERN, name)]
    alike = Whole(bodies=tuple(Body(name=name, mass=1.0, inertia=[1.0, 1.0, 1.0]) for name in known))
    for place, quantity in wanted:
        try:
            unit_of(alike, quantity)
        except KeyError as error:
            yield Problem(f"{place}.quantity", str(error.args[0]))


def _quantities(scenario: Scenario) -> Iterator[tuple[str, str, str, Any]]:
    """(place, quantity, key of the value, value) of each use of a quantity."""
    for place, trigger in triggers(scenario):
        if trigger.quantity is not None:
            yield place, trigger.quantity, "reaches", trigger.reaches
    for group in ("forces", "devices"):
        for effect in getattr(scenario, group):
            for quantity, value in effect.watched:
                yield f"{group}.{effect.name}", getattr(effect, quantity), value, getattr(effect, value)
    for requirement in scenario.requirements:
        place = f"requirements.{requirement.name}"
        yield place, requirement.quantity, "min", requirement.min
        yield place, requirement.quantity, "max", requirement.max
