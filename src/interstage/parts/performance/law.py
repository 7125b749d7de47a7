"""How the speed of a body changes, by what changes it.

The speed v is that over the ground, or inertial without a planet; e is its direction. Of the stack that
joints make of the body and others, with mass m, engines with thrusts T_k as vectors, which would be V_k in
vacuum, and the force A of the atmosphere,

    dv/dt = sum V_k / m - sum (V_k - T_k) / m - sum (T_k - T_k . e) / m + A . e / m + g . e + the rest

are ideal velocity, less the losses by back pressure, by steering (canted nozzles included), by drag (lift
that is not square to the motion included) and by gravity. g is the acceleration of gravity with the
centrifugal one where the planet turns; Coriolis' does no work. The rest is what else acts: joints that turn
or hold it to the ground, devices, springs, jumps at events, and masses that flow inside. (J. Wertz, W.
Larson, Space Mission Analysis and Design, 3rd ed., sec. 18.3, has gravity, drag and steering.)

Losses count from the release on: while the ground holds a body (`hold`) the hold takes up all, and what
engines give is of the rest. Of a body at rest that nothing holds the direction is the one in which it is
about to move, or, while it lies on the ground, that of the thrust."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.joined import over_stack, stack_mass
from ...environment import gravity_field
from ...environment.world import is_flat
from ...maths.arrays import jnp
from ...maths.vectors import dot, norm, rotate
from ...model.attachments import picked, select
from ..propellant.streams import in_vacuum
from . import hold

if TYPE_CHECKING:
    from ...engine.here import Here

REST = 1e-6
"""Speed [m/s] below which a body is at rest: rounding of a place on a turning planet is a thousandth of
it."""
OF_THE_AIR = ("air", "drag")
"""Parts that are the atmosphere's forces on bodies."""


def rates(here: Here, bodies: np.ndarray) -> Any:
    """Rates of `declared.ITEMS` for some bodies [m/s^2], (item, body, *cases)."""
    found = over_stack(here, _of_bodies(here), bodies) / stack_mass(here, bodies)
    push, pull, vacuum, thrust = found[:3], found[3:6], found[6], found[7]
    gravity, velocity = _gravity(here, bodies), _velocity(here, bodies)
    way = _direction(velocity, push, push + pull + gravity, gravity)
    steering, pressure = thrust - dot(push, way), vacuum - thrust
    losses = jnp.stack([-dot(gravity, way), -dot(pull, way), steering, pressure])
    held = hold.held(here, bodies, norm(velocity), REST)
    if held is not None:
        losses = jnp.where(held, 0.0, losses)
    return jnp.concatenate([vacuum[None], losses])


def _of_bodies(here: Here) -> Any:
    """Of each body thrust and force of the atmosphere, inertial axes, thrusts in vacuum and as they are,
    summed as numbers [N], (8, body, *cases)."""
    layout, lanes = here.equations.layout, here.t.shape
    engines = jnp.zeros((5, layout.count, *lanes))
    if layout.scenario.engines:
        streams = here["streams"]
        owners = np.array([layout.body(engine.body) for engine in layout.scenario.engines])
        thrusts = rotate(picked(here.motion.rotation, owners, 2), streams.direction) * streams.thrust
        every = jnp.concatenate([thrusts, in_vacuum(here)[None], streams.thrust[None]])
        own = [jnp.sum(picked(every, np.flatnonzero(owners == k), 1), 1) for k in range(layout.count)]
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
    """As a body on the ground feels it [m/s^2]."""
    scenario, place = here.equations.scenario, here.origin[:, None] + select(here.motion.position, bodies, 1)
    pull = gravity_field.acceleration(scenario.gravity, scenario.planet, here.t, place)
    if scenario.planet is None or is_flat(scenario.planet):
        return jnp.broadcast_to(pull, place.shape)
    out = jnp.stack([place[0], place[1], jnp.zeros_like(place[2])])
    return pull + scenario.planet.rotation_rate**2 * out


def _direction(velocity: Any, push: Any, acceleration: Any, gravity: Any) -> Any:
    """The direction in which a body moves, or is about to, (3, body, *cases); none for one that lies."""
    starts = jnp.where(dot(acceleration, gravity) <= 0, acceleration, push)
    along = jnp.where(norm(velocity) > REST, velocity, starts)
    size = norm(along)
    return along / jnp.where(size > 0, size, 1.0)
