"""What a body that bends is without its modes: mass, mass centre and inertia at a level of its propellant."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...engine.numbers import Totals
from ...model.body import central_inertia
from ..propellant import mass_properties
from ..propellant.elements import FULL, Container


class Weighed(NamedTuple):
    """mass [kg]; centre (3,) [m], drawing coordinates; inertia (3, 3) about it [kg m^2]. sure: whether the
    level says how much is in which tank; else each has the same part of what it starts with."""

    mass: float
    centre: np.ndarray
    inertia: np.ndarray
    sure: bool = True


def at_level(body: Any, propellant: Any) -> Weighed:
    """A body with so much propellant in its tanks [kg], or, with None, one that has no elements."""
    dry = Totals(np.asarray(body.mass), np.asarray(body.mass_centre), central_inertia(body))
    if propellant is None:
        return Weighed(float(dry.mass), dry.centre, dry.inertia)
    held = [e for e in body.elements if isinstance(e, Container)]
    starts = np.array([float(tank.propellant) for tank in held if tank.drains])
    left = float(propellant) - sum(float(e.propellant) for e in held if not e.drains)
    part = left / starts.sum() if starts.sum() > 0 else 0.0
    found = mass_properties.totals(mass_properties.prepare(body.elements), dry, starts * part)
    sure = len(starts) == 1 or left <= 0 or 1 <= part * FULL <= FULL**2
    mass, centre, inertia = (np.asarray(one) for one in found)
    return Weighed(float(mass), centre, inertia, sure and bool(np.isfinite([*centre, *inertia.flat]).all()))
