"""Checks of the limitations of collocation before any flight; all problems are reported together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ....observation.after import known_after
from ....tree.errors import BadInput, Problem
from ..declared import OptimizationStudy

SIDES = {"max": "max", "min": "min"}
"""Limits that an extreme over a phase may have."""


def problems(scenario: Any, study: OptimizationStudy) -> Iterator[Problem]:
    """Problems of a scenario and a study that collocation does not support."""
    place = "transcription"
    if scenario.coordinates != "point":
        text = f'the scenario flies with coordinates = "{scenario.coordinates}"'
        yield Problem(place, f'{text}, but collocation needs "point". Use shooting, or coordinates = "point"')
    if len(scenario.bodies) > 1:
        names = ", ".join(body.name for body in scenario.bodies)
        yield Problem(place, f"collocation needs one body, but there are {names}. Use shooting")
    for phase in scenario.phases:
        until = phase.until
        either = until.quantity is not None and until.direction == "either"
        if until.any is not None or until.all is not None or either:
            text = "has several conditions. Collocation needs one condition in one direction. Use shooting"
            yield Problem(f"phases.{phase.name}.until", text)
    if study.sensitivities:
        text = "are not computed with collocation. Remove them, or compute them by shooting from the optimum"
        yield Problem("sensitivities", text)
    for k, one in enumerate(study.objective):
        own = "objective" if len(study.objective) == 1 else f"objective.{k}"
        if one.at is None:
            yield Problem(own, "is an extreme. Collocation needs an objective at an event. Set at")
        yield from _known(scenario, one, own)
    for one in study.constraints:
        yield from _known(scenario, one, one.place)
        wrong = "equals" in one.limits or (one.take in SIDES and set(one.limits) != {one.take})
        if one.take is not None and wrong:
            text = f'take = "{one.take}" needs the limit {SIDES.get(one.take, "max")} with collocation'
            yield Problem(one.place, f"{text}. Set that limit only")


def _known(scenario: Any, one: Any, place: str) -> Iterator[Problem]:
    if known_after(scenario, one.quantity) is not None:
        text = f"{one.quantity} is known only after a flight. Collocation needs quantities known in flight"
        yield Problem(place, text)
    names = ["start", "end", *(phase.name for phase in scenario.phases)]
    if one.at is not None and one.at not in names:
        yield Problem(place, f"'{one.at}' is within a phase. Collocation allows {', '.join(names)}")


SAME_INSTANT = 1e-8
"""Time difference, relative to the flight's duration, below which two events coincide: crossings have errors
of rounding and of a step."""


def met_with(track: Any, table: Any, ends: list[int]) -> list[list[int]]:
    """Indices of conditions that occur with the end of each phase, such as empty tanks. Raises BadInput for
    conditions within phases."""
    times = np.asarray(track.t_end)
    instants = [times[rows[0]] if len(rows := np.flatnonzero(track.hit[:, end])) else np.inf for end in ends]
    start = [i for i, c in enumerate(table.conditions) if c.kind == "start"]
    found: list[list[int]] = [[end] for end in ends]
    near = SAME_INSTANT * max(float(times[-1] - track.t[0]), 1.0)
    for row, number in np.argwhere(track.hit):
        if number in start or number in ends:
            continue
        with_end = np.flatnonzero(np.abs(np.array(instants) - times[row]) <= near)
        if with_end.size:
            found[with_end[0]].append(int(number))
            continue
        condition = table.conditions[number]
        name = table.events[condition.event].name if condition.event >= 0 else condition.part
        text = f"'{name}' occurs at {times[row]:.6g} s, within a phase. Collocation allows events only at"
        raise BadInput(
            Problem("transcription", f"{text} the ends of phases. End a phase there, or use shooting")
        )
    return found
