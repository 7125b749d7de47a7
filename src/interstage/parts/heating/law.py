"""Heat fluxes at the stagnation points of noses; see `declared` for the sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...maths.arrays import jnp
from ...maths.vectors import norm

if TYPE_CHECKING:
    from ...engine.here import Here

FOOT = 0.3048
BTU = 1055.05585262
"""The International Table's [J]."""
FLUX = 17600 * BTU / FOOT**2
"""At a nose of one foot, at sea level and the speed of a circular orbit [W/m^2]."""
SPEED, DENSITY = 26000 * FOOT, 1.225


def flux(nose: Any, density: Any, speed: Any) -> Any:
    """Of a nose, with the density of the air [kg/m^3] and the airspeed [m/s]: [W/m^2]."""
    if nose.kind == "sutton_graves":
        return nose.coefficient * _root(density / nose.nose_radius) * speed**3
    return FLUX * _root(density / DENSITY * FOOT / nose.nose_radius) * (speed / SPEED) ** 3.15


def _root(x: Any) -> Any:
    """Its slope is zero, not infinite, where there is no air."""
    return jnp.where(x > 0, jnp.sqrt(jnp.where(x > 0, x, 1.0)), 0.0)


def fluxes(here: Here, numbers: Sequence[int]) -> Any:
    """Of some noses [W/m^2] (nose, *lanes)."""
    layout, scenario, around = here.equations.layout, here.equations.scenario, here.surroundings
    assert around is not None
    found = []
    for number in numbers:
        body = layout.body(layout.scenario.heating[number].body)
        speed = norm(around.air_velocity[:, body])
        found.append(
            jnp.broadcast_to(flux(scenario.heating[number], around.air.density[body], speed), here.t.shape)
        )
    return jnp.stack(found)
