"""Quantities of all bodies together: momentum, angular momentum and energy."""

from __future__ import annotations

from .. import slosh
from ..environment import gravity_field
from ..loads import declared
from ..maths.arrays import jnp
from ..vectors import cross, dot, rotate, widened
from . import contacts, pushers
from .loads import spring_line
from .quantity import Moment, Quantity, scalar_quantity, vector_quantity


def system_quantities() -> dict[str, Quantity]:
    """Quantities of the whole system."""
    at = "system's mass centre"
    return {
        "momentum": vector_quantity("kg m/s", "linear momentum", "inertial", "", _momentum),
        "angular_momentum": vector_quantity(
            "kg m^2/s", "angular momentum", "inertial", at, _angular_momentum
        ),
        "mass_centre": vector_quantity(
            "m", "mass centre", "inertial", at, lambda m: m.now.origin + _offset_centre(m)[0]
        ),
        "kinetic_energy": scalar_quantity("J", "kinetic energy", _kinetic),
        "potential_energy": scalar_quantity("J", "potential energy", _potential),
        "energy": scalar_quantity("J", "energy", lambda m: _kinetic(m) + _potential(m)),
    }


def _points(m: Moment):
    """Masses (item), offsets from the local origin and relative velocities (3, item) of what moves by itself:
    mass centres of bodies, and slosh masses."""
    n, motion, mass = m.mechanism.layout.count, m.now.motion, m.mechanism.numbers.mass
    own = mass, motion.position[:, :n], motion.velocity[:, :n]
    if m.now.loads.slosh is None:
        return own
    more = slosh.points(m.mechanism, m.now.loads.slosh, motion)
    lanes = jnp.broadcast_shapes(mass.shape[1:], more[0].shape[1:])
    pairs = zip(own, more, (0, 1, 1), strict=True)
    return tuple(
        jnp.concatenate([jnp.broadcast_to(a, (*a.shape[: k + 1], *lanes)) for a in pair], k)
        for *pair, k in pairs
    )


def _momentum(m: Moment):
    mass, _, speed = _points(m)
    return jnp.sum(mass * (m.now.origin_velocity[:, None] + speed), 1)


def _offset_centre(m: Moment):
    """The system's mass centre from the local origin, and its relative velocity."""
    mass, position, speed = _points(m)
    total = jnp.sum(mass, 0)
    return jnp.sum(mass * position, 1) / total, jnp.sum(mass * speed, 1) / total


def _angular_momentum(m: Moment):
    """About the system's mass centre, inertial axes."""
    n, numbers, motion = m.mechanism.layout.count, m.mechanism.numbers, m.now.motion
    centre, drift = _offset_centre(m)
    mass, position, velocity = _points(m)
    arm, speed = position - centre[:, None], velocity - drift[:, None]
    own = rotate(motion.rotation[:, :, :n], rotate(numbers.inertia, motion.spin_body[:, :n]))
    return jnp.sum(own, 1) + jnp.sum(mass * cross(arm, speed), 1)


def _kinetic(m: Moment):
    n, numbers, motion = m.mechanism.layout.count, m.mechanism.numbers, m.now.motion
    mass, _, velocity = _points(m)
    speed, w = m.now.origin_velocity[:, None] + velocity, motion.spin_body[:, :n]
    turning = jnp.sum(dot(w, rotate(numbers.inertia, w)), 0)
    return 0.5 * (jnp.sum(mass * dot(speed, speed), 0) + turning)


def _potential(m: Moment):
    """Of gravity, springs and devices."""
    mechanism = m.mechanism
    mass, offset, _ = _points(m)
    position = m.now.origin[:, None] + offset
    weight = gravity_field.potential(mechanism.scenario.gravity, mechanism.scenario.planet, m.t, position)
    total = jnp.sum(mass * weight, 0)
    if m.now.loads.slosh is not None:
        total = total + slosh.stored(m.now.loads.slosh)
    for k, spring in enumerate(declared(mechanism, "spring")):
        stretch = spring_line(m).length[k] - mechanism.reference.spring_length[k]
        total = total + 0.5 * spring.stiffness * stretch**2
    for spring in declared(mechanism, "torsion_spring"):
        total = total + _torsion_energy(spring, m.now.loads.torsion[spring.name][1].angle)
    if m.now.loads.stops is not None:
        total = total + jnp.sum(m.now.loads.stops.energy, 0)
    if m.now.loads.frame_springs is not None:
        total = total + sum(load.energy for load in m.now.loads.frame_springs.loads)
    if m.now.loads.pushes is not None:
        total = total + pushers.stored(m)
    if m.now.loads.contacts:
        total = total + contacts.stored(m)
    return total


def _torsion_energy(spring, angle):
    stretch = angle - widened(spring.free_angles, angle.ndim)
    return 0.5 * jnp.sum(widened(spring.stiffness, angle.ndim) * stretch**2, 0)
