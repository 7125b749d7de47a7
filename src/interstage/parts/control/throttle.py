"""Throttle law that limits the load factor and the dynamic pressure.

Thrust is linear in the throttle s: F = s F1 - p A. The force of thrust and atmosphere on a stack of mass m is
P(s) = s F1 + R. The load factor n of the stack along an axis x is therefore linear in s. Let V be the speed
relative to the atmosphere and e = v/V its direction. The rate of V is also linear in s:

    n g0 = x . P(s) / m
    dq/dt = rho'(h) (dh/dt) V^2 / 2 + rho V (e . P(s) / m + e . g)

Here g is the acceleration of free fall relative to the rotating planet, and rho'(h) is the derivative of
density with respect to altitude. The first equation gives the s at the limit of the load factor. With dq/dt =
(limit - q) / response, the dynamic pressure q approaches its limit from below and stays there. The second
equation then gives the s at the limit of q. If the engines can be throttled to this s, q never exceeds its
limit. The second equation is a control barrier function of q, linear in the margin: A. D. Ames et al.,
Control barrier functions, European Control Conference (2019).

The load factor includes only thrust and aerodynamic forces. The rate dV/dt does not include changes of wind
with altitude or time. The quantities in the results include all effects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ...engine.here import Unmeasured
from ...engine.joined import over_stack, stack_mass
from ...environment import atmosphere, gravity_field
from ...environment.planet import relative_velocity
from ...environment.us76 import G0
from ...maths.arrays import jnp, jvp
from ...maths.vectors import dot, norm
from ...tree.errors import BadInput, Problem
from .declared import signals

if TYPE_CHECKING:
    from ...engine.here import Here

FREE, LOAD, PRESSURE, BEYOND = range(4)
"""Numbers of the active limit of a throttle law:

- FREE: no limit
- LOAD: the load factor
- PRESSURE: the dynamic pressure
- BEYOND: a limit that is exceeded although the throttle is at its minimum
"""


class Bounds(NamedTuple):
    """The maximum throttle that the limits of load factor and dynamic pressure allow, each (*cases). Without
    a limit, the throttle is infinite.
    """

    load: Any
    pressure: Any


class _Pushed(NamedTuple):
    """Accelerations of a stack [m/s^2] (3, *cases), inertial axes: from the full thrust of the engines that
    follow a law, and from aerodynamic forces and all other thrust."""

    full: Any
    rest: Any


def bounds(law: Any, here: Here) -> Bounds:
    """Return the maximum throttle that the limits of a throttle law allow.

    Raises BadInput if thrust or aerodynamic forces depend on signals that are computed after this law.
    """
    try:
        pushed = _accelerations(law, here)
    except Unmeasured as error:
        text = (
            f"the throttle law needs the thrust and the aerodynamic forces. A signal for these forces {error}"
        )
        raise BadInput(Problem(f"controls.{law.name}", text)) from None
    never = jnp.full(here.t.shape, jnp.inf)
    load = never if law.load_factor is None else _by_load(law, here, pushed)
    pressure = never if law.dynamic_pressure is None else _by_pressure(law, here, pushed)
    return Bounds(load, pressure)


def limit_throttle(law: Any, wanted: Any, allowed: Bounds) -> tuple[Any, Any]:
    """Return the throttle and the number of the active limit, each (*cases).

    - law: declaration of the throttle law in the scenario.
    - wanted: throttle without limits (*cases).
    - allowed: the maximum throttle that the limits allow.
    """
    most = jnp.minimum(allowed.load, allowed.pressure)
    by = jnp.where(allowed.load <= allowed.pressure, float(LOAD), float(PRESSURE))
    by = jnp.where(most < law.least, float(BEYOND), by)
    found = jnp.where(wanted <= most, wanted, jnp.where(most < law.least, law.least, most))
    return found, jnp.where(wanted <= most, float(FREE), by)


def _by_load(law: Any, here: Here, pushed: _Pushed) -> Any:
    axis = here.motion.rotation[:, 0, here.equations.layout.bodies.index(law.body)]
    return _most(law.load_factor * G0 - dot(pushed.rest, axis), dot(pushed.full, axis))


def _by_pressure(law: Any, here: Here, pushed: _Pushed) -> Any:
    around, body = here.surroundings, here.equations.layout.bodies.index(law.body)
    ready, scenario = here.equations.numbers.surroundings, here.equations.scenario
    assert around is not None  # checked: there is a planet with an atmosphere
    assert ready is not None
    height, velocity = around.altitude[body], around.air_velocity[:, body]
    density, slope = jvp(
        lambda z: atmosphere.air(ready.atmosphere, z).density, (height,), (jnp.ones_like(height),)
    )
    speed = norm(velocity)
    along = velocity / jnp.where(speed > 0, speed, 1.0)
    climb = -dot(around.level[:, 2, body], around.ground_velocity[:, body])
    place = here.origin + here.motion.position[:, body]
    inertial = here.origin_velocity + here.motion.velocity[:, body]
    gravity = gravity_field.acceleration(scenario.gravity, scenario.planet, here.t, place)
    fall = dot(relative_velocity(scenario.planet, inertial, gravity), along)
    room = (law.dynamic_pressure - 0.5 * density * speed**2) / law.response
    weight = density * speed
    wanted = (room - 0.5 * slope * climb * speed**2) / jnp.where(weight > 0, weight, 1.0) - fall
    found = _most(wanted - dot(pushed.rest, along), dot(pushed.full, along))
    return jnp.where(weight > 0, found, jnp.inf)


def _most(room: Any, by_throttle: Any) -> Any:
    """Throttle at which the margin is zero; infinite if thrust does not increase the limited quantity."""
    adds = by_throttle > 0
    return jnp.where(adds, room / jnp.where(adds, by_throttle, 1.0), jnp.inf)


def _accelerations(law: Any, here: Here) -> _Pushed:
    """Accelerations of the stack with the law's body. They are computed once for each law."""
    return here.compute_once(f"throttle {law.name}", lambda: _worked_out(law, here))


def _worked_out(law: Any, here: Here) -> _Pushed:
    from ..air.airloads import forces
    from ..propellant.streams import by_throttle

    layout, body = here.equations.layout, here.equations.layout.bodies.index(law.body)
    full, rest = by_throttle(here, signals(law)[0])
    if "air" in here.equations.parts:
        rest = rest + forces(here)
    if "drag" in here.equations.parts:
        rest = rest + here.equations.parts["drag"].wrench(here)[:3, : layout.count]
    mass = stack_mass(here, (body,))
    return _Pushed(*(over_stack(here, force, (body,))[:, 0] / mass[0] for force in (full, rest)))
