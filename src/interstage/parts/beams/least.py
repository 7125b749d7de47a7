"""Mass properties of the bodies at the ends of beams: at the start, and the minimum during the flight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.numbers import Totals
from ...model.body import central_inertia
from ..propellant import tank_masses
from ..propellant.elements import Container

if TYPE_CHECKING:
    from ...scenario import Scenario

NONE = 1e-12
"""If the ratio of a principal moment of inertia to the largest one is below this number, the moment counts as
zero.
"""


def least(scenario: Scenario) -> dict[str, Totals | None]:
    """Return the mass, centre of mass (structural coordinates) and inertia of the permanent mass of each
    body.

    The permanent mass is the dry mass and the mass items that never drain and are never jettisoned. The
    result is None for a body without permanent mass, or without inertia about some axis. The frequency of a
    beam on such a body has no bound.
    """
    dropped = {name for item in (*scenario.phases, *scenario.events) for name in item.drop}
    found = {}
    for body in scenario.bodies:
        kept = [e for e in body.elements if f"{body.name}.{e.name}" not in dropped and not _drains(e)]
        one = _totals(body, kept)
        found[body.name] = one if one is not None and _turns(one) else None
    return found


def at_start(body: Any) -> Totals:
    """Return the initial mass, centre of mass (structural coordinates) and inertia of a body with all of its
    mass items.
    """
    one = _totals(body, body.elements)
    assert one is not None  # bodies that never have mass are refused
    return one


def _drains(element: Any) -> bool:
    return isinstance(element, Container) and element.drains


def _totals(body: Any, elements: Any) -> Totals | None:
    """Return the mass properties of a body with some of its elements; None without any mass."""
    dry = Totals(np.asarray(body.mass), np.asarray(body.mass_centre), central_inertia(body))
    if not float(body.mass) > 0 and not any(float(_mass(e)) > 0 for e in elements):
        return None
    ready, left = tank_masses.prepare(elements), tank_masses.at_start(elements)
    return Totals(*(np.asarray(one, float) for one in tank_masses.totals(ready, dry, left)))


def _mass(element: Any) -> Any:
    """Return the mass at the start [kg]."""
    own = element.propellant if isinstance(element, Container) else 0.0
    return np.maximum(own, element.constant_mass)


def _turns(one: Totals) -> bool:
    """Whether a body has inertia about all axes."""
    moments = np.linalg.eigvalsh(one.inertia)
    return bool(moments[0] > NONE * moments[-1])
