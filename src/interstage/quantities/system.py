"""Quantities of all bodies together: momentum, angular momentum and energy."""

from __future__ import annotations

import jax.numpy as jnp

from ..environment import gravity_field
from ..loads import declared
from ..vectors import cross, dot, rotate, widened
from .loads import push_energy, spring_line
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


def _momentum(m: Moment):
    n = m.mechanism.layout.count
    speed = m.now.origin_velocity[:, None] + m.now.motion.velocity[:, :n]
    return jnp.sum(m.mechanism.numbers.mass * speed, 1)


def _offset_centre(m: Moment):
    """The system's mass centre from the local origin, and its relative velocity."""
    n, mass = m.mechanism.layout.count, m.mechanism.numbers.mass
    total = jnp.sum(mass, 0)
    position = jnp.sum(mass * m.now.motion.position[:, :n], 1) / total
    return position, jnp.sum(mass * m.now.motion.velocity[:, :n], 1) / total


def _angular_momentum(m: Moment):
    """About the system's mass centre, inertial axes."""
    n, numbers, motion = m.mechanism.layout.count, m.mechanism.numbers, m.now.motion
    centre, drift = _offset_centre(m)
    arm, speed = motion.position[:, :n] - centre[:, None], motion.velocity[:, :n] - drift[:, None]
    own = rotate(motion.rotation[:, :, :n], rotate(numbers.inertia, motion.spin_body[:, :n]))
    return jnp.sum(own + numbers.mass * cross(arm, speed), 1)


def _kinetic(m: Moment):
    n, numbers, motion = m.mechanism.layout.count, m.mechanism.numbers, m.now.motion
    speed = m.now.origin_velocity[:, None] + motion.velocity[:, :n]
    w = motion.spin_body[:, :n]
    return 0.5 * jnp.sum(numbers.mass * dot(speed, speed) + dot(w, rotate(numbers.inertia, w)), 0)


def _potential(m: Moment):
    """Of gravity, springs and devices."""
    mechanism = m.mechanism
    position = m.now.origin[:, None] + m.now.motion.position[:, : mechanism.layout.count]
    weight = gravity_field.potential(mechanism.scenario.gravity, mechanism.scenario.planet, m.t, position)
    total = jnp.sum(mechanism.numbers.mass * weight, 0)
    for k, spring in enumerate(declared(mechanism, "spring")):
        stretch = spring_line(m).length[k] - mechanism.reference.spring_length[k]
        total = total + 0.5 * spring.stiffness * stretch**2
    for spring in declared(mechanism, "torsion_spring"):
        total = total + _torsion_energy(spring, m.now.loads.torsion[spring.name][1].angle)
    for k in range(len(mechanism.layout.kickoffs)):
        total = total + push_energy(m, k)
    return total


def _torsion_energy(spring, angle):
    stretch = angle - widened(spring.free_angles, angle.ndim)
    return 0.5 * jnp.sum(widened(spring.stiffness, angle.ndim) * stretch**2, 0)
