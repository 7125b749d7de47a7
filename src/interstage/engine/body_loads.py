"""Compute the weights and gyroscopic torques of all bodies, and convert loads of models to loads on all
bodies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..environment import gravity_field, gravity_gradient
from ..maths.arrays import jnp
from ..maths.vectors import cross, rotate
from ..tree.errors import BadInput
from .answers import fits, part_text, shape_of, shape_text, value_text

if TYPE_CHECKING:
    from .contract import Part
    from .here import Here


def weights(here: Here) -> Any:
    """Return the weights of the bodies relative to the free fall of the local origin (3, body, *cases) [N],
    inertial axes.
    """
    mechanism, t, origin = here.mechanism, here.t, here.origin
    offsets, scenario = here.motion.position[:, : mechanism.layout.count], mechanism.scenario
    if mechanism.layout.ground:
        pull = gravity_field.acceleration(scenario.gravity, scenario.planet, t, origin[:, None] + offsets)
    else:
        pull = gravity_field.difference(scenario.gravity, scenario.planet, t, origin, offsets)
    return mechanism.numbers.mass * pull


def gravity_and_gyroscopic(here: Here) -> Any:
    """Return weights and torques of the bodies (6, body incl. ground, *cases) [N, N m].

    Rows 0 to 2: force of gravity, see `weights`. Rows 3 to 5: -w x J w and the gravity-gradient torque,
    body axes.
    """
    mechanism, motion, t, origin = here.mechanism, here.motion, here.t, here.origin
    n = mechanism.layout.count
    numbers = mechanism.numbers
    w = motion.spin_body[:, :n]
    torque = -cross(w, rotate(numbers.inertia, w))
    offsets, field = motion.position[:, :n], mechanism.scenario.gravity
    planet = mechanism.scenario.planet
    if getattr(field, "gradient_torque", False):
        gradient = gravity_gradient.gradient(field, planet, t, origin[:, None] + offsets)
        gradient = gravity_gradient.in_body_axes(gradient, motion.rotation[:, :, :n])
        torque = torque + gravity_gradient.torque(gradient, numbers.inertia)
    return with_ground(jnp.concatenate([weights(here), torque]), motion.position.shape[1])


def loads_of(part: Part, share: Any, count: int, here: Here) -> Any:
    """Return the loads of a model on all columns (6, column, *cases). Raises BadInput for another shape,
    because NumPy would broadcast the loads of one body to all bodies.

    - part: model. share: result of its method `wrench`.
    - count: number of bodies without the ground.
    """
    bodies, lanes = here.motion.position.shape[1], here.t.shape
    if not any(fits(shape_of(share), (6, number), lanes) for number in (count, bodies)):
        wanted = shape_text((6, count), lanes, ": a force and a torque for each body")
        raise BadInput(f"{part_text(part)} returns {value_text(share)} from `wrench`. {wanted}")
    return with_ground(share, bodies)


def with_ground(loads: Any, bodies: int) -> Any:
    """Return loads (6, body, *cases) extended by zeros to `bodies` columns: for the ground and for attachment
    nodes.
    """
    missing = bodies - loads.shape[1]
    if missing > 1:
        return jnp.concatenate([loads, jnp.zeros((len(loads), missing, *loads.shape[2:]))], 1)
    return jnp.concatenate([loads, jnp.zeros_like(loads[:, :1])], 1) if missing else loads


def on_body(force: Any, torque: Any, index: int, bodies: int) -> Any:
    """Convert a force and a torque (3, *cases) on one body to loads on all bodies (6, body, *cases).

    index: index of the body. bodies: number of bodies.
    """
    whole = jnp.concatenate([force, torque])
    return jnp.stack([whole if k == index else jnp.zeros_like(whole) for k in range(bodies)], 1)
