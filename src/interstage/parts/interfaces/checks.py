"""Checks of interfaces and of declared pairs: what they name must exist and fit together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...tree.errors import BrokenName, Problem, unknown
from ...tree.names import GROUND
from ..bushings.declared import BeamSpring, Bushing

if TYPE_CHECKING:
    from ...checks.check import Names
    from ...model.pair import Pair
    from ...scenario import Scenario
    from .declared import Interface


def interface_problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """All that is wrong with interfaces and pairs. `faulty`: names of declarations that had to be left out or
    mended, by group, which count as known."""
    left_out = faulty or {}
    for interface in scenario.interfaces:
        yield from _attachments(scenario, interface, left_out)
    for pair in scenario.pairs:
        yield from _pair(scenario, pair, names, left_out)


def _attachments(
    scenario: Scenario, interface: Interface, left_out: Mapping[str, list[str]]
) -> Iterator[Problem]:
    place = f"interfaces.{interface.name}"
    springs = [f for f in scenario.forces if isinstance(f, (Bushing, BeamSpring))]
    found: list[Any] = []
    for group, known in (("joints", scenario.joints), ("forces", springs)):
        by_name = {item.name: item for item in known}
        what = "joint" if group == "joints" else "bushing or beam"
        for name in getattr(interface, group):
            if name in by_name:
                found.append(by_name[name])
            else:
                known = (*by_name, *left_out.get(group, ()))
                yield from unknown(f"{place}.{group}", name, known, what)
    ends = {frozenset((item.parent, item.child)): item for item in found}
    if len(ends) > 1:
        told = "; ".join(f"'{i.name}' connects '{i.parent}' and '{i.child}'" for i in ends.values())
        text = f"connect different bodies: {told}. Declare an interface for each two bodies"
        yield BrokenName(f"{place}.joints" if interface.joints else f"{place}.forces", text)


def _pair(
    scenario: Scenario, pair: Pair, names: Names, left_out: Mapping[str, list[str]]
) -> Iterator[Problem]:
    place = f"pairs.{pair.name}"
    if pair.name in names.bodies:
        text = "a body has the same name, and its pairs are pairs.<body>.<other>; choose another name"
        yield BrokenName(place, text)
    sensors = {sensor.name: sensor for sensor in scenario.sensors}
    for end in ("parent", "child"):
        body, sensor = getattr(pair, end), getattr(pair, f"{end}_sensor")
        if body == GROUND:
            yield BrokenName(f"{place}.{end}", "the ground is no body of a pair; name a body")
        else:
            yield from unknown(f"{place}.{end}", body, names.bodies, "body")
        if sensor is None or sensor in left_out.get("sensors", ()):
            continue
        if sensor not in sensors:
            yield from unknown(f"{place}.{end}_sensor", sensor, sensors, "sensor")
        elif sensors[sensor].body != body:
            text = f"sensor '{sensor}' is on '{sensors[sensor].body}', not on '{body}'; name one of that body"
            yield BrokenName(f"{place}.{end}_sensor", text)
    if pair.parent == pair.child:
        text = f"is '{pair.child}' again; parent and child must differ"
        yield BrokenName(f"{place}.child", text)
