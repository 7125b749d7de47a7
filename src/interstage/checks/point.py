"""What a point-mass flight, or held on the planet, needs: guidance for the attitude of a point, bodies that
joints hold together, and nothing that would move them against each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..tree.errors import Problem, near
from ..tree.names import GROUND

if TYPE_CHECKING:
    from ..scenario import Scenario

RIGID = 'end the flight there and go on with a leg of coordinates = "rigid"'


def point_problems(scenario: Scenario) -> Iterator[Problem]:
    """All that keeps a scenario from flying as it says by `coordinates` and `attitude`."""
    yield from _attitude(scenario)
    if scenario.coordinates == "rigid":
        return
    if scenario.coordinates == "held" and scenario.planet is None:
        yield Problem("coordinates", '"held" is on a planet; declare one, [planet] kind = "earth" or "flat"')
    if scenario.coordinates == "point":
        yield from _apart(scenario)
    yield from _moved(scenario)
    yield from _slosh(scenario)
    solver = scenario.solver
    if solver.own_steps or getattr(solver.formulation, "coordinates", "absolute") == "minimal":
        what = f"the formulation {solver.formulation.kind} solves joints, and none moves here"
        yield Problem("solver.formulation", f"{what}; leave it out")


def _attitude(scenario: Scenario) -> Iterator[Problem]:
    laws = {law.name: law for law in scenario.guidance}
    named = {"attitude": scenario.attitude} | {
        f"phases.{p.name}.attitude": p.attitude for p in scenario.phases
    }
    named = {place: law for place, law in named.items() if law is not None}
    for place, name in named.items():
        if name not in laws:
            where = near(name, laws, "laws") if laws else "no guidance is declared"
            yield Problem(place, f"there is no guidance '{name}'; {where}")
        elif scenario.coordinates == "point" and laws[name].body not in {one.name for one in scenario.bodies}:
            text = f"guidance '{name}' is of '{laws[name].body}', which does not fly here"
            yield Problem(place, f"{text}; name a law of one of its bodies")
        elif place != "attitude" and scenario.coordinates != "point":
            yield Problem(place, "is for point-mass flight; another body turns as its control laws make it")
    if scenario.coordinates != "point":
        return
    first = scenario.attitude or (scenario.phases[0].attitude if scenario.phases else None)
    if first is None:
        known = f'like attitude = "{next(iter(laws))}"' if laws else "and declare it: [guidance.pitch]"
        yield Problem("attitude", f"a point has its attitude from guidance; name a law, {known}")
    bodies = {name: laws[name].body for name in named.values() if name in laws}
    if len({*bodies.values()}) > 1:
        told = ", ".join(f"{name} of {body}" for name, body in bodies.items())
        yield Problem("attitude", f"laws of one body give the attitude of a point, and these are {told}")


def _apart(scenario: Scenario) -> Iterator[Problem]:
    """Bodies that no joint connects with the first one, and joints with the ground."""
    together, names = (
        {scenario.bodies[0].name} if scenario.bodies else set(),
        [b.name for b in scenario.bodies],
    )
    holding = [joint for joint in scenario.joints if joint.active]
    for joint in holding:
        if GROUND in (joint.parent, joint.child):
            text = "holds to the ground, and a point is free to move; leave it out, or fly rigid bodies"
            yield Problem(f"joints.{joint.name}", text)
    while True:
        more = {n for j in holding if {j.parent, j.child} & together for n in (j.parent, j.child)} - {GROUND}
        if more <= together:
            break
        together |= more
    for name in names:
        if name not in together:
            text = f"no joint holds it to '{names[0]}'; a point-mass flight needs joints between bodies"
            yield Problem(f"bodies.{name}", f"{text}. Join them, or fly them in legs of their own")


def _moved(scenario: Scenario) -> Iterator[Problem]:
    """What releases joints, takes hold or changes them."""
    places = (("phases", scenario.phases), ("events", scenario.events))
    for group, items in places:
        for item in items:
            if _past(item):
                continue
            for field in ("release", "attach", "replace"):
                if getattr(item, field):
                    text = f"bodies that are {_flown(scenario)} have no joints that could change; {RIGID}"
                    yield Problem(f"{group}.{item.name}.{field}", text)
    for device in scenario.devices:
        held = [f"'{name}'" for name in (*device.released, *device.caught)]
        if held and _fired(scenario, device, set()):
            text = f"is fired, and acts on joint {' and '.join(held)}: bodies that are {_flown(scenario)}"
            yield Problem(f"devices.{device.name}", f"{text} have no joints that could change; {RIGID}")
    for joint in scenario.joints:
        if (joint.driven or joint.rates) is not None:
            yield Problem(
                f"joints.{joint.name}",
                f"is driven, and bodies that are {_flown(scenario)} stand still; {RIGID}",
            )


def _fired(scenario: Scenario, device: Any, asked: set[str]) -> bool:
    """Whether anything fires a device that can come in this flight. asked: names of devices that wait for
    this one."""
    if not device.fireable or device.name in asked:
        return False
    items = (*scenario.phases, *scenario.events)
    if any(device.name in item.fire and not getattr(item, "elsewhere", False) for item in items):
        return True
    after = getattr(device, "after", None)
    if after is None or any(event.name == after and event.elsewhere for event in scenario.events):
        return False
    others = [other for other in scenario.devices if after in other.signals and other.fireable]
    return all(_fired(scenario, other, {*asked, device.name}) for other in others)


def _slosh(scenario: Scenario) -> Iterator[Problem]:
    for body in scenario.bodies:
        for element in body.elements:
            if getattr(element, "slosh", None) is not None:
                text = f"sloshes, which bodies that are {_flown(scenario)} do not let it"
                yield Problem(f"bodies.{body.name}.elements.{element.name}.slosh", f"{text}; leave slosh out")


def _past(item: Any) -> bool:
    """Whether it stands for what came in another leg."""
    time = getattr(getattr(item, "when", None), "time", None)
    return isinstance(time, np.ndarray) and bool(np.all(np.isinf(time)))


def _flown(scenario: Scenario) -> str:
    return "one point" if scenario.coordinates == "point" else "held"
