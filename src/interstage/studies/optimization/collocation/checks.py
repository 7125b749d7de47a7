"""Check before any flight that a scenario and a study are suitable for collocation. All problems are
reported together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ....observation.after import known_after
from ....tree.errors import BadInput, Problem
from ..declared import OptimizationStudy

SHOOTING = 'transcription = "shooting"'
SIDES = {"max": "max", "min": "min"}
"""For each extreme of a quantity over a phase, the kind of limit that is allowed."""


def problems(scenario: Any, study: OptimizationStudy) -> Iterator[Problem]:
    """Yield a problem for each feature of the scenario and the study that collocation does not support."""
    place = "transcription"
    if scenario.coordinates != "point":
        text = f'the scenario has coordinates = "{scenario.coordinates}", but collocation needs "point"'
        yield Problem(place, f'{text}. Set coordinates = "point", or use {SHOOTING}')
    if len(scenario.bodies) > 1:
        names = ", ".join(body.name for body in scenario.bodies)
        yield Problem(
            place, f"collocation needs one body, but the scenario has the bodies {names}. Use {SHOOTING}"
        )
    for phase in scenario.phases:
        until = phase.until
        either = until.quantity is not None and until.direction == "either"
        if until.any is not None or until.all is not None or either:
            text = (
                "'until' has several conditions or direction = \"either\", but collocation needs one"
                f' condition with direction = "rising" or "falling". Use {SHOOTING}'
            )
            yield Problem(f"phases.{phase.name}.until", text)
    if study.sensitivities:
        text = (
            "collocation does not compute sensitivities. Remove 'sensitivities', or start from the "
            f"optimum with {SHOOTING}"
        )
        yield Problem("sensitivities", text)
    for k, one in enumerate(study.objective):
        own = "objective" if len(study.objective) == 1 else f"objective.{k}"
        if one.at is None:
            text = "the objective is an extreme (take), but collocation needs an objective at an event"
            yield Problem(own, f"{text}. Set 'at' instead of 'take'")
        yield from _known(scenario, one, own)
    for one in study.constraints:
        yield from _known(scenario, one, one.place)
        wrong = "equals" in one.limits or (one.take in SIDES and set(one.limits) != {one.take})
        if one.take is not None and wrong:
            side = SIDES.get(one.take, "max")
            text = f'with collocation, a constraint with take = "{one.take}" may have the limit {side} only'
            yield Problem(one.place, f"{text}. Set {side}, and remove other limits")


def _known(scenario: Any, one: Any, place: str) -> Iterator[Problem]:
    if known_after(scenario, one.quantity) is not None:
        text = f"{one.quantity} is known only after a flight. Use a quantity that is known during the flight"
        yield Problem(place, text)
    names = ["start", "end", *(phase.name for phase in scenario.phases)]
    if one.at is not None and one.at not in names:
        text = f"the event '{one.at}' is within a phase. Allowed with collocation: {', '.join(names)}"
        yield Problem(place, text)


SAME_INSTANT = 1e-8
"""Time difference, relative to the duration of the flight, up to which two events count as simultaneous. This
limit covers rounding and integration errors of event times.
"""


def met_with(track: Any, table: Any, ends: list[int]) -> list[list[int]]:
    """Return the indices of the conditions that occur together with the end of each phase. An example is an
    empty tank.

    - track: data of a flight.
    - table: conditions of the scenario.
    - ends: index of the condition that ends each phase.

    Raises BadInput if a condition occurs within a phase.
    """
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
        text = (
            f"'{name}' occurs at {times[row]:.6g} s, within a phase. Collocation allows events only at"
            " the ends of phases"
        )
        fix = f"End a phase at this event, or use {SHOOTING}"
        raise BadInput(Problem("transcription", f"{text}. {fix}"))
    return found
