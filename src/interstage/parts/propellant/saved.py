"""Initial propellant and slosh state of a body that continues a saved flight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...tree.addresses import replace_leaf
from ...tree.errors import BadInput, Problem

if TYPE_CHECKING:
    from ...model.body import Body
    from ...starts.saved import Taken


def continue_body(body: Body, taken: Taken, name: str) -> Body:
    """Return the body with propellant and slosh states of a saved flight, for mass items with the same names.

    `name`: name of the body in the saved flight. Raises BadInput if the saved flight jettisoned a mass item
    of the body, or if a slosh state is ambiguous.
    """
    left = taken.flight.elements_at(taken.initial.when, name)
    series = taken.flight.record.series
    had = {path.split(".")[3] for path in series if path.startswith(f"bodies.{name}.elements.")}
    for element in body.elements:
        place = f"elements.{element.name}"
        if element.name in had - left.keys():
            text = f"was jettisoned in {taken.file}. Remove the mass item"
            raise BadInput(Problem(f"bodies.{body.name}.{place}", text))
        if np.isfinite(left.get(element.name, np.nan)):
            # At least the residual: the end of a tank is located within the rounding of a step.
            rest = np.maximum(left[element.name], getattr(element, "residual", 0.0))
            body = replace_leaf(body, f"{place}.propellant", rest)
        if getattr(element, "slosh", None) is not None and element.name in had:
            body = _sloshing(body, taken, name, element.name)
    return body


def _sloshing(body: Body, taken: Taken, name: str, element: str) -> Body:
    """Body with the slosh state of a mass item from a saved flight. Raises BadInput if the state is
    ambiguous."""
    place = f"elements.{element}.slosh"
    left = taken.flight.quantities_at(taken.initial.when, f"bodies.{name}.elements.{element}.")
    if "slosh_displacement" not in left:  # no slosh in the saved flight: at rest
        return body
    if float(left.get("slosh_angle", 0.0)) > np.pi / 2:
        text = f"the pendulum is above its hinge in {taken.when} ({np.degrees(left['slosh_angle']):.4g} deg)."
        text += " The transverse displacement then does not define its position. Start at another time"
        raise BadInput(Problem(f"bodies.{body.name}.{place}", text))
    for field in ("displacement", "velocity"):
        body = replace_leaf(body, f"{place}.{field}", np.asarray(left[f"slosh_{field}"], float))
    return body
