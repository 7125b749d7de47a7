"""What collocation cannot do, found before anything is flown: everything at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ....flight.after import known_after
from ....tree.errors import BadInput, Problem
from ..declared import OptimizationStudy

SIDES = {"max": "max", "min": "min"}
"""Limits that an extreme over a phase may have."""


def problems(scenario: Any, study: OptimizationStudy) -> Iterator[Problem]:
    """What of a scenario and a study collocation does not know."""
    place = "transcription"
    if scenario.coordinates != "point":
        text = f'the scenario flies with coordinates = "{scenario.coordinates}"'
        yield Problem(place, f'{text}, and collocation is for "point"; use shooting, or fly a point')
    if len(scenario.bodies) > 1:
        names = ", ".join(body.name for body in scenario.bodies)
        yield Problem(place, f"collocation is for one body, and there are {names}; use shooting")
    for phase in scenario.phases:
        until = phase.until
        either = until.quantity is not None and until.direction == "either"
        if until.any is not None or until.all is not None or either:
            text = "ends by several conditions; collocation knows phases that end by one, in one direction"
            yield Problem(f"phases.{phase.name}.until", text)
    if study.sensitivities:
        text = "are not computed with collocation; leave them out, and ask by shooting, from its optimum"
        yield Problem("sensitivities", text)
    for k, one in enumerate(study.objective):
        own = "objective" if len(study.objective) == 1 else f"objective.{k}"
        if one.at is None:
            yield Problem(own, "is an extreme; with collocation an objective is taken at an event")
        yield from _known(scenario, one, own)
    for one in study.constraints:
        yield from _known(scenario, one, one.place)
        wrong = "equals" in one.limits or (one.take in SIDES and set(one.limits) != {one.take})
        if one.take is not None and wrong:
            text = f'take = "{one.take}" goes with the limit {SIDES.get(one.take, "max")} here'
            yield Problem(one.place, f"{text}, for all of the way; give that, and no other")


def _known(scenario: Any, one: Any, place: str) -> Iterator[Problem]:
    if known_after(scenario, one.quantity) is not None:
        text = f"{one.quantity} is known after a flight only; collocation needs what is known along it"
        yield Problem(place, text)
    names = ["start", "end", *(phase.name for phase in scenario.phases)]
    if one.at is not None and one.at not in names:
        yield Problem(place, f"'{one.at}' is within a phase; collocation knows {', '.join(names)}")


SAME_INSTANT = 1e-8
"""Part of a flight's duration within which two events are one: crossings are found to rounding and the error
of a step."""


def met_with(track: Any, table: Any, ends: list[int]) -> list[list[int]]:
    """What is met in a flight together with the end of each phase, as numbers of conditions: tanks that run
    empty there. Raises BadInput for what happens within phases."""
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
        text = f"'{name}' comes at {times[row]:.6g} s, within a phase: collocation knows what happens at"
        raise BadInput(
            Problem("transcription", f"{text} the ends of phases. Let a phase end there, or use shooting")
        )
    return found
