"""Equations of heat fluxes at stagnation points. Module `declared` gives the sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...maths.arrays import jnp
from ...maths.vectors import norm, rotate_back

if TYPE_CHECKING:
    from ...engine.here import Here

FOOT = 0.3048
BTU = 1055.05585262
"""The British thermal unit (International Table) [J]."""
FLUX = 17600 * BTU / FOOT**2
"""The heat flux [W/m^2] of Chapman's equation for a nose radius of one foot, at sea-level density and the
speed of a circular orbit.
"""
SPEED, DENSITY = 26000 * FOOT, 1.225


def flux(nose: Any, density: Any, speed: Any, alpha: Any = 0.0) -> Any:
    """Return the heat flux at a heated point [W/m^2] (*cases).

    - nose: declaration of the point in the scenario.
    - density: density of the atmosphere [kg/m^3].
    - speed: airspeed [m/s].
    - alpha: angle of attack [rad].
    """
    if nose.kind == "power_law":
        factor = 0.0
        for k in reversed(range(len(nose.incidence))):
            factor = factor * alpha + nose.incidence[k]
        thin = jnp.where(density > 0, density, 1.0) ** nose.density_exponent
        fast = jnp.where(speed > 0, speed, 1.0) ** nose.speed_exponent
        return nose.coefficient * jnp.where((density > 0) & (speed > 0), thin * fast, 0.0) * factor
    if nose.kind == "sutton_graves":
        return nose.coefficient * _root(density / nose.nose_radius) * speed**3
    return FLUX * _root(density / DENSITY * FOOT / nose.nose_radius) * (speed / SPEED) ** 3.15


def _root(x: Any) -> Any:
    """Return the square root. The slope at zero is zero, not infinite."""
    return jnp.where(x > 0, jnp.sqrt(jnp.where(x > 0, x, 1.0)), 0.0)


def fluxes(here: Here, numbers: Sequence[int]) -> Any:
    """Return the heat fluxes at some heated points [W/m^2] (point, *cases). numbers: indices of the
    points.
    """
    layout, scenario, around = here.equations.layout, here.equations.scenario, here.surroundings
    assert around is not None
    found = []
    for number in numbers:
        body = layout.body(layout.scenario.heating[number].body)
        nose, density = scenario.heating[number], around.air.density[body]
        speed, alpha = norm(around.air_velocity[:, body]), 0.0
        if nose.kind == "power_law":
            past = rotate_back(here.motion.rotation[:, :, body], around.air_velocity[:, body])
            alpha = jnp.arctan2(past[2], past[0])
        found.append(jnp.broadcast_to(flux(nose, density, speed, alpha), here.t.shape))
    return jnp.stack(found)
