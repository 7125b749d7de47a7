"""Quantities of the osculating (two-body) orbit of one body about the planet.

The orbit is computed from the inertial position and velocity of the centre of mass. The rules for undefined
angles are in `environment.orbit`.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ..engine.here import Here
from ..engine.quantity import Items, Quantity, scalar_quantity
from ..environment import orbit
from ..environment.world import is_flat
from ..record.record import MAY_BE_INFINITE, QuantityMeta
from .bodies import position, velocity

TURN = 2 * np.pi


def orbit_quantities(k: int, scenario: Any) -> dict[str, Quantity]:
    """Return the quantities of the orbit of body k, by name; empty without a round planet."""
    if scenario.planet is None or is_flat(scenario.planet):
        return {}
    of = partial(Items, numbers=(k,))
    at = "centre of mass"

    def angle(name, compute, period=TURN):
        return Quantity(QuantityMeta("rad", name, reference=at), compute, period)

    over = "over the equatorial radius"
    apogee = QuantityMeta("m", f"altitude of the apogee {over}", reference=at, note=MAY_BE_INFINITE)
    highest = QuantityMeta(
        "m", "height of the apogee above the ellipsoid", reference=at, note=MAY_BE_INFINITE
    )
    return {
        "semi_major_axis": scalar_quantity("m", "semi-major axis", of(_semi_major_axis), at),
        "eccentricity": scalar_quantity("1", "eccentricity", of(_eccentricity), at),
        "inclination": angle("inclination", of(_inclination), np.inf),
        "node": angle("longitude of the ascending node", of(_node)),
        "argument_of_periapsis": angle("argument of periapsis", of(_periapsis)),
        "true_anomaly": angle("true anomaly", of(_true_anomaly)),
        "perigee_altitude": scalar_quantity("m", f"altitude of the perigee {over}", of(_perigee), at),
        "apogee_altitude": Quantity(apogee, of(_apogee)),
        "perigee_height": scalar_quantity(
            "m", "height of the perigee above the ellipsoid", of(_perigee_height), at
        ),
        "apogee_height": Quantity(highest, of(_apogee_height)),
    }


def _state(m: Here, k):
    return m.equations.scenario.planet.mu, position(m, k), velocity(m, k)


def _elements(m: Here, k) -> orbit.Elements:
    return orbit.elements(*_state(m, k))


def _semi_major_axis(m: Here, k):
    return orbit.semi_major_axis(*_state(m, k))


def _eccentricity(m: Here, k):
    return _elements(m, k).eccentricity


def _inclination(m: Here, k):
    return _elements(m, k).inclination


def _node(m: Here, k):
    return _elements(m, k).node


def _periapsis(m: Here, k):
    return _elements(m, k).periapsis


def _true_anomaly(m: Here, k):
    return _elements(m, k).true_anomaly


def _perigee(m: Here, k):
    """Perigee altitude over the equatorial radius."""
    return orbit.perigee_apogee(*_state(m, k))[0] - m.equations.scenario.planet.radius


def _apogee(m: Here, k):
    """Apogee altitude over the equatorial radius; infinite on an open orbit."""
    return orbit.perigee_apogee(*_state(m, k))[1] - m.equations.scenario.planet.radius


def _heights(m: Here, k):
    return orbit.apsis_heights(m.equations.scenario.planet, position(m, k), velocity(m, k))


def _perigee_height(m: Here, k):
    return _heights(m, k)[0]


def _apogee_height(m: Here, k):
    """Apogee height above the ellipsoid; infinite on an open orbit."""
    return _heights(m, k)[1]
