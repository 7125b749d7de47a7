"""Check point-mass flight and held flight.

The attitude must follow from guidance, joints must connect the bodies, and the bodies must not move relative
to each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..tree.errors import Problem
from ..tree.names import GROUND
from ..tree.similar_names import near

if TYPE_CHECKING:
    from ..scenario import Scenario

RIGID = 'End the flight there and continue with a leg with coordinates = "rigid"'


def point_problems(scenario: Scenario) -> Iterator[Problem]:
    """Yield the problems of a scenario that result from its `coordinates` and `attitude`."""
    yield from _attitude(scenario)
    if scenario.coordinates == "rigid":
        return
    if scenario.coordinates == "held" and scenario.planet is None:
        yield Problem("coordinates", '"held" needs a planet. Add [planet] with kind = "earth" or "flat"')
    if scenario.coordinates == "point":
        yield from _connections(scenario)
    yield from _changes_of_joints(scenario)
    yield from _slosh(scenario)
    solver = scenario.solver
    if solver.own_steps or getattr(solver.formulation, "coordinates", "absolute") == "minimal":
        what = (
            f"the formulation {solver.formulation.kind} is for moving joints, but no joint moves"
            " in this flight"
        )
        yield Problem("solver.formulation", f"{what}. Remove formulation")


def _attitude(scenario: Scenario) -> Iterator[Problem]:
    laws = {law.name: law for law in scenario.guidance}
    named = {"attitude": scenario.attitude} | {
        f"phases.{p.name}.attitude": p.attitude for p in scenario.phases
    }
    named = {place: law for place, law in named.items() if law is not None}
    for place, name in named.items():
        if name not in laws:
            where = near(name, laws, "laws") if laws else "no guidance is declared"
            yield Problem(place, f"there is no guidance law '{name}'; {where}")
        elif scenario.coordinates == "point" and laws[name].body not in {one.name for one in scenario.bodies}:
            text = f"guidance law '{name}' is for body '{laws[name].body}', which is not in this flight"
            yield Problem(place, f"{text}. Give the name of a guidance law of a body of this flight")
        elif place != "attitude" and scenario.coordinates != "point":
            yield Problem(
                place,
                "'attitude' has an effect for point masses only. Control laws set the attitude of"
                " rigid bodies. Remove 'attitude'",
            )
    if scenario.coordinates != "point":
        return
    first = scenario.attitude or (scenario.phases[0].attitude if scenario.phases else None)
    if first is None:
        known = (
            f'for example attitude = "{next(iter(laws))}"'
            if laws
            else "and add its table, such as [guidance.pitch]"
        )
        yield Problem(
            "attitude",
            "a point-mass flight needs a guidance law for its attitude. Set 'attitude' to the name of a "
            f"guidance law, {known}",
        )
    bodies = {name: laws[name].body for name in named.values() if name in laws}
    if len({*bodies.values()}) > 1:
        found = ", ".join(f"{name} for {body}" for name, body in bodies.items())
        yield Problem(
            "attitude",
            f"the guidance laws are for different bodies: {found}. Use laws for one body in a"
            " point-mass flight",
        )


def _connections(scenario: Scenario) -> Iterator[Problem]:
    """Bodies that no joints connect to the first body, and joints to the ground."""
    together, names = (
        {scenario.bodies[0].name} if scenario.bodies else set(),
        [b.name for b in scenario.bodies],
    )
    holding = [joint for joint in scenario.joints if joint.active]
    for joint in holding:
        if GROUND in (joint.parent, joint.child):
            text = (
                "the joint connects to the ground, but a point mass moves freely. Remove"
                " the joint, or use rigid bodies"
            )
            yield Problem(f"joints.{joint.name}", text)
    while True:
        more = {n for j in holding if {j.parent, j.child} & together for n in (j.parent, j.child)} - {GROUND}
        if more <= together:
            break
        together |= more
    for name in names:
        if name not in together:
            text = (
                f"no joint connects body '{name}' to '{names[0]}', but joints must"
                " connect all bodies of a point mass"
            )
            yield Problem(f"bodies.{name}", f"{text}. Add a joint, or use separate legs")


def _changes_of_joints(scenario: Scenario) -> Iterator[Problem]:
    """Actions and devices that release, attach or replace joints, and driven joints."""
    places = (("phases", scenario.phases), ("events", scenario.events))
    for group, items in places:
        for item in items:
            if _past(item):
                continue
            for field in ("release", "attach", "replace"):
                if getattr(item, field):
                    text = f"joints cannot change in {_kind_of_flight(scenario)} flight. {RIGID}"
                    yield Problem(f"{group}.{item.name}.{field}", text)
    for device in scenario.devices:
        held = [f"'{name}'" for name in (*device.released_joints, *device.caught_joints)]
        if held and _is_fired(scenario, device, set()):
            text = f"the device is fired and acts on joint {' and '.join(held)}, but joints cannot change in"
            yield Problem(f"devices.{device.name}", f"{text} {_kind_of_flight(scenario)} flight. {RIGID}")
    for joint in scenario.joints:
        if (joint.driven or joint.rates) is not None:
            yield Problem(
                f"joints.{joint.name}",
                "the joint has a prescribed motion, but joints do not move in"
                f" {_kind_of_flight(scenario)} flight. {RIGID}",
            )


def _is_fired(scenario: Scenario, device: Any, asked: set[str]) -> bool:
    """Whether a possible action of this flight fires a device. asked: names of devices that wait for this
    device."""
    if not device.fireable or device.name in asked:
        return False
    items = (*scenario.phases, *scenario.events)
    if any(device.name in item.fire and not getattr(item, "elsewhere", False) for item in items):
        return True
    after = getattr(device, "after", None)
    if after is None or any(event.name == after and event.elsewhere for event in scenario.events):
        return False
    others = [other for other in scenario.devices if after in other.signals and other.fireable]
    return all(_is_fired(scenario, other, {*asked, device.name}) for other in others)


def _slosh(scenario: Scenario) -> Iterator[Problem]:
    for body in scenario.bodies:
        for element in body.elements:
            if getattr(element, "slosh", None) is not None:
                text = f"slosh is not possible in {_kind_of_flight(scenario)} flight"
                yield Problem(f"bodies.{body.name}.elements.{element.name}.slosh", f"{text}. Remove slosh")


def _past(item: Any) -> bool:
    """Whether an action stands for an event of another leg."""
    time = getattr(getattr(item, "when", None), "time", None)
    return isinstance(time, np.ndarray) and bool(np.all(np.isinf(time)))


def _kind_of_flight(scenario: Scenario) -> str:
    return "point-mass" if scenario.coordinates == "point" else "held"
