"""What a body takes along from a saved flight: the propellant that is left in its elements, and how its
liquids slosh."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...tree.addresses import replaced
from ...tree.errors import BadInput, Problem

if TYPE_CHECKING:
    from ...flight.saved_starts import Taken
    from ...model.body import Body


def continued(body: Body, taken: Taken, name: str) -> Body:
    """The body with the propellant that a saved flight left in elements of the same names."""
    left = taken.flight.elements_at(taken.initial.when, name)
    series = taken.flight.record.series
    had = {path.split(".")[3] for path in series if path.startswith(f"bodies.{name}.elements.")}
    for element in body.elements:
        place = f"elements.{element.name}"
        if element.name in had - left.keys():
            text = f"was dropped before, in {taken.file}; leave it out"
            raise BadInput(Problem(f"bodies.{body.name}.{place}", text))
        if np.isfinite(left.get(element.name, np.nan)):
            # No less than cannot be used: the end of a tank is met to the rounding of a step.
            rest = np.maximum(left[element.name], getattr(element, "residual", 0.0))
            body = replaced(body, f"{place}.propellant", rest)
        if getattr(element, "slosh", None) is not None and element.name in had:
            body = _sloshing(body, taken, name, element.name)
    return body


def _sloshing(body: Body, taken: Taken, name: str, element: str) -> Body:
    """The body with the slosh mass of an element where a saved flight had it. Raises BadInput where that does
    not determine it."""
    place = f"elements.{element}.slosh"
    left = taken.flight.quantities_at(taken.initial.when, f"bodies.{name}.elements.{element}.")
    if "slosh_displacement" not in left:  # rigid there, so that it was at rest
        return body
    if float(left.get("slosh_angle", 0.0)) > np.pi / 2:
        text = f"hangs upward in {taken.said} ({np.degrees(left['slosh_angle']):.4g} deg), from where its"
        text += " displacement across the tank does not determine it. Start at another time"
        raise BadInput(Problem(f"bodies.{body.name}.{place}", text))
    for field in ("displacement", "velocity"):
        body = replaced(body, f"{place}.{field}", np.asarray(left[f"slosh_{field}"], float))
    return body
