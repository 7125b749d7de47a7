"""Check declared pairs: bodies and sensors must exist and must fit together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ..tree.errors import BrokenName, Problem
from ..tree.name_check import unknown
from ..tree.names import GROUND, Names

if TYPE_CHECKING:
    from ..model.pair import Pair
    from ..scenario import Scenario


def pair_problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """Yield the problems of declared pairs.

    faulty: names of rejected declarations by group. References to rejected bodies are not a problem.
    """
    for pair in scenario.pairs:
        yield from _pair(scenario, pair, names, faulty or {})


def _pair(
    scenario: Scenario, pair: Pair, names: Names, left_out: Mapping[str, list[str]]
) -> Iterator[Problem]:
    place = f"pairs.{pair.name}"
    if pair.name in names.bodies:
        text = (
            "a body has the same name as this pair, but paths pairs.<body>.<other> are reserved for "
            "bodies. Choose another name for the pair"
        )
        yield BrokenName(place, text)
    sensors = {sensor.name: sensor for sensor in scenario.sensors}
    for end in ("parent", "child"):
        body, sensor = getattr(pair, end), getattr(pair, f"{end}_sensor")
        if body == GROUND:
            yield BrokenName(f"{place}.{end}", "a pair cannot contain 'ground'. Give the name of a body")
        else:
            yield from unknown(f"{place}.{end}", body, names.bodies, "body")
        if sensor is None or sensor in left_out.get("sensors", ()):
            continue
        if sensor not in sensors:
            yield from unknown(f"{place}.{end}_sensor", sensor, sensors, "sensor")
        elif sensors[sensor].body != body:
            text = f"sensor '{sensor}' is on body '{sensors[sensor].body}'. Give a sensor on body '{body}'"
            yield BrokenName(f"{place}.{end}_sensor", text)
    if pair.parent == pair.child:
        text = f"parent and child are both '{pair.child}'. Give two different bodies"
        yield BrokenName(f"{place}.child", text)
