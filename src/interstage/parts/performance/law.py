"""Contributions to the rate of the speed of a body.

The speed v is relative to the ground. Without a planet, v is inertial. The direction of the velocity is e.
The body is part of a stack of jointed bodies with mass m. The stack has the engine thrusts T_k (vectors), the
vacuum thrusts V_k, and the aerodynamic force A:

    dv/dt = sum V_k / m - sum (V_k - T_k) / m - sum (T_k - T_k . e) / m + A . e / m + g . e + the rest

The terms are, in this order:

- the rate of the ideal velocity;
- the loss by back pressure;
- the loss by steering, which includes canted nozzles;
- the loss by drag, which includes lift components along the motion;
- the loss by gravity. The acceleration of gravity g includes the centrifugal acceleration of a rotating
  planet. The Coriolis acceleration does no work.

The remaining terms contain joints that rotate the body or hold it to the ground, devices, springs, jumps at
events, and internal mass flow.

Losses are counted from the release on. While the ground holds a body (`hold`), its reaction balances all
forces, and engine thrust is part of the rest. For a free body at rest, e is the direction of its imminent
motion. For a body that lies on the ground, e is the direction of the thrust.

Source: J. Wertz, W. Larson, Space Mission Analysis and Design, 3rd ed., sec. 18.3, for gravity, drag and
steering.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.joined import over_stack, stack_mass
from ...environment import gravity_field
from ...environment.world import is_flat
from ...maths.arrays import jnp
from ...maths.vectors import dot, norm, rotate
from ...model.attachments import pick, select
from ..propellant.streams import in_vacuum
from . import hold

if TYPE_CHECKING:
    from ...engine.here import Here

REST = 1e-6
"""Speed [m/s] below which a body counts as at rest. This limit is a thousand times the rounding error of a
position on a rotating planet.
"""
OF_THE_AIR = ("air", "drag")
"""Names of the models that apply aerodynamic forces."""


def rates(here: Here, bodies: np.ndarray) -> Any:
    """Return the rates of ideal velocity and losses [m/s^2], (quantity, body, *cases).

    The quantities are in the order of `declared.ITEMS`. `bodies`: indices of the bodies.
    """
    found = over_stack(here, _of_bodies(here), bodies) / stack_mass(here, bodies)
    push, pull, vacuum, thrust = found[:3], found[3:6], found[6], found[7]
    gravity, velocity = _gravity(here, bodies), _velocity(here, bodies)
    way = _direction(velocity, push, push + pull + gravity, gravity)
    steering, pressure = thrust - dot(push, way), vacuum - thrust
    losses = jnp.stack([-dot(gravity, way), -dot(pull, way), steering, pressure])
    held = hold.ground_holds(here, bodies, norm(velocity), REST)
    if held is not None:
        losses = jnp.where(held, 0.0, losses)
    return jnp.concatenate([vacuum[None], losses])


def _of_bodies(here: Here) -> Any:
    """Return (8, body, *cases) [N]: thrust and aerodynamic force of each body, inertial axes, and the sums of
    the magnitudes of its thrusts in vacuum and of its actual thrusts."""
    layout, lanes = here.equations.layout, here.t.shape
    engines = jnp.zeros((5, layout.count, *lanes))
    if layout.scenario.engines:
        streams = here["streams"]
        owners = np.array([layout.body(engine.body) for engine in layout.scenario.engines])
        thrusts = rotate(pick(here.motion.rotation, owners, 2), streams.direction) * streams.thrust
        every = jnp.concatenate([thrusts, in_vacuum(here)[None], streams.thrust[None]])
        own = [jnp.sum(pick(every, np.flatnonzero(owners == k), 1), 1) for k in range(layout.count)]
        engines = jnp.stack([jnp.broadcast_to(one, (5, *lanes)) for one in own], 1)
    air = jnp.zeros((3, layout.count, *lanes))
    for name in OF_THE_AIR:
        if name in here.equations.parts:
            air = air + here.equations.parts[name].wrench(here)[:3, : layout.count]
    return jnp.concatenate([engines[:3], air, engines[3:]])


def _velocity(here: Here, bodies: np.ndarray) -> Any:
    if here.surroundings is not None:
        return select(here.surroundings.ground_velocity, bodies, 1)
    return here.origin_velocity[:, None] + select(here.motion.velocity, bodies, 1)


def _gravity(here: Here, bodies: np.ndarray) -> Any:
    """Return gravity with centrifugal acceleration [m/s^2]."""
    scenario, place = here.equations.scenario, here.origin[:, None] + select(here.motion.position, bodies, 1)
    pull = gravity_field.acceleration(scenario.gravity, scenario.planet, here.t, place)
    if scenario.planet is None or is_flat(scenario.planet):
        return jnp.broadcast_to(pull, place.shape)
    out = jnp.stack([place[0], place[1], jnp.zeros_like(place[2])])
    return pull + scenario.planet.rotation_rate**2 * out


def _direction(velocity: Any, push: Any, acceleration: Any, gravity: Any) -> Any:
    """Return the direction of the present or imminent motion of a body, (3, body, *cases); zero for a body
    that lies on the ground."""
    starts = jnp.where(dot(acceleration, gravity) <= 0, acceleration, push)
    along = jnp.where(norm(velocity) > REST, velocity, starts)
    size = norm(along)
    return along / jnp.where(size > 0, size, 1.0)
