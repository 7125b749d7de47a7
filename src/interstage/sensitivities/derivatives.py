"""Exact derivatives of flight results with respect to scenario values. The derivatives include the effect of
moving events.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..programs.targets import Target, clashes, targets_of
from ..runs.run import resolve_scenario
from ..tree.errors import BadInput, Problem
from ..tree.sentences import list_text
from .pushed import Output, Pushed


@dataclass(frozen=True)
class Derivatives:
    """Derivatives of quantities of a flight with respect to inputs.

    - values: value of each quantity [SI], by name of the quantity.
    - by: derivative of each quantity with respect to each input [SI], by name of the quantity and by
      path of the input. Each derivative has the shape of the input.
    """

    values: dict[str, float]
    by: dict[str, dict[str, np.ndarray]]


MOST_NAMED = 8
"""Maximum number of inputs that an error message names."""


def derivatives(
    scenario: Any,
    of: Sequence[str],
    wrt: Sequence[str],
    at: str = "end",
    side: Literal["before", "after"] = "before",
) -> Derivatives:
    """Return the derivatives of quantities at an event with respect to inputs of the scenario.

    - of: names of scalar quantities, for example "bodies.payload.velocity.x". "time" is the event
      time.
    - wrt: paths of inputs, for example "devices.spring.stiffness". If a path selects several inputs,
      as in "devices.*.stiffness", the derivative is for an equal change of all these inputs.
    - at: name of a phase or event, "start" or "end". Default: "end".
    - side: "before" or "after": just before or just after the event. Default: "before".

    The derivatives include the change of all event times. If several events at the same time affect each
    other, the derivatives are valid for the order of the events in the scenario. If a watched value comes to
    rest at an event, for example a speed when the thrust ends, the event time changes only with the time of
    this rest.

    Raises BadInput for empty or unknown names, if a table has a discontinuity at the time of an event, and if
    the event does not occur. For many flights of one scenario, see `sensitivities.pushed.Pushed`.
    """
    of, wrt = ([names] if isinstance(names, str) else names for names in (of, wrt))
    for place, names in (("of", of), ("wrt", wrt)):
        if not names:
            text = (
                f"the argument '{place}' is empty. Give at least one output in 'of' and at least one input "
                "in 'wrt'"
            )
            raise BadInput(Problem(place, text))
    scenario = resolve_scenario(scenario)
    inputs = inputs_of(scenario, wrt)
    pushed = Pushed(scenario, inputs, [Output(name, at, side) for name in of])
    point = pushed.at(pushed.nominal)
    for why in point.why:
        if why is not None:
            raise BadInput(Problem("at", why))
    found, by, first = pushed.jacobian(point), {name: {} for name in of}, 0
    for path, targets in inputs.items():
        shape, size = targets[0].nominal.shape, targets[0].nominal.size
        for row, name in zip(found, of, strict=True):
            by[name][path] = row[first : first + size].reshape(shape)
        first += size
    return Derivatives({name: float(value) for name, value in zip(of, point.values, strict=True)}, by)


def inputs_of(scenario: Any, wrt: Sequence[str]) -> dict[str, list[Target]]:
    """Return the numeric inputs that each path selects.

    All inputs of one path must have the same unit and shape. Raises BadInput otherwise, for an unknown path,
    and if two paths select the same input.

    wrt: paths of inputs.
    """
    found = {path: targets_of(scenario, path, path) for path in wrt}
    for path, targets in found.items():
        kinds = {(target.marker.unit, target.nominal.shape) for target in targets}
        if len(kinds) > 1:
            names = list_text([target.name for target in targets], MOST_NAMED)
            text = (
                f"'{path}' matches values with different units or shapes: {names}. Give the path of each "
                "value"
            )
            raise BadInput(Problem(path, text))
    named = [(path, target) for path, targets in found.items() for target in targets]
    for path, other, _ in clashes(scenario, named):
        text = f"'{path}' and '{other}' lead to the same value. Remove one of these paths"
        raise BadInput(Problem("wrt", text))
    return found
